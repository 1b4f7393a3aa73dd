// Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
// Small Metal kernels with one fault each. `//===` starts one: name; kind of finding; launch. `//!` marks the place.
//=== reduction without a barrier; race_in_group_read_write; {"grid": 2, "group": 128, "buffers": {"out": "out f4 2", "x": "rand f4 256"}}
kernel void k(device float* out, const device float* x, uint t [[thread_position_in_threadgroup]], uint g [[threadgroup_position_in_grid]]) {
  threadgroup float part[128];
  part[t] = x[g * 128 + t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = 64; k > 0; k /= 2) {
    if (t < k) part[t] += part[t + k]; //!
  }
  if (t == 0) out[g] = part[0];
}
//=== scratch reused while others still read it; race_in_group_read_write; {"grid": 1, "group": 64, "buffers": {"out": "out f4 64", "x": "rand f4 64"}}
kernel void k(device float* out, const device float* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[64];
  s[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float m = s[63 - t];
  s[t] = m * 2.0; //!
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[t] = s[t];
}
//=== tile overwritten in the next turn of the loop; race_in_group_read_write; {"grid": 1, "group": 64, "buffers": {"out": "out f4 64", "x": "rand f4 256"}}
kernel void k(device float* out, const device float* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float tile[64];
  float s = 0;
  for (uint b = 0; b < 4; ++b) {
    tile[t] = x[b * 64 + t]; //!
    threadgroup_barrier(mem_flags::mem_threadgroup);
    s += tile[63 - t];
  }
  out[t] = s;
}
//=== read after write across an unfenced barrier; race_in_group_read_write; {"grid": 1, "group": 64, "buffers": {"out": "out f4 64", "x": "rand f4 64"}}
kernel void k(device float* out, const device float* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[64];
  s[t] = x[t];
  threadgroup_barrier(mem_flags::mem_none);
  out[t] = s[63 - t]; //!
}
//=== the barrier fences the other memory; race_in_group_read_write; {"grid": 1, "group": 64, "buffers": {"out": "out f4 64", "x": "rand f4 64"}}
kernel void k(device float* out, const device float* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[64];
  s[t] = x[t];
  threadgroup_barrier(mem_flags::mem_device);
  out[t] = s[63 - t]; //!
}
//=== device memory behind a barrier that fences threadgroup memory only; race_in_group_read_write; {"grid": 1, "group": 64, "buffers": {"a": "zeros f4 64", "out": "out f4 64"}}
kernel void k(device float* a, device float* out, uint t [[thread_position_in_threadgroup]]) {
  a[t] = float(t);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[t] = a[63 - t]; //!
}
//=== all threads write one word; race_in_group_write_write; {"grid": 1, "group": 64, "buffers": {"out": "out u4 1"}}
kernel void k(device uint* out, uint t [[thread_position_in_threadgroup]]) {
  out[0] = t; //!
}
//=== two threadgroup writers of one slot; race_in_group_write_write; {"grid": 1, "group": 64, "buffers": {"out": "out u4 32"}}
kernel void k(device uint* out, uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint s[32];
  s[t % 32] = t; //!
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < 32) out[t] = s[t];
}
//=== histogram without atomics; race_in_group_read_write|race_in_group_write_write; {"grid": 1, "group": 128, "buffers": {"h": "zeros u4 8", "x": "iota u4 128"}}
kernel void k(device uint* h, const device uint* x, uint t [[thread_position_in_threadgroup]]) {
  h[x[t] % 8] += 1; //!
}
//=== groups write one total; race_across_groups_read_write|race_across_groups_write_write; {"grid": 4, "group": 32, "buffers": {"total": "zeros f4 1", "x": "rand f4 128"}}
kernel void k(device float* total, const device float* x, uint t [[thread_position_in_threadgroup]], uint i [[thread_position_in_grid]]) {
  float s = simd_sum(x[i]);
  if (t == 0) total[0] += s; //!
}
//=== groups read what a neighbour writes; race_across_groups_read_write; {"grid": 4, "group": 32, "buffers": {"a": "rand f4 129"}}
kernel void k(device float* a, uint i [[thread_position_in_grid]]) {
  a[i] = a[i + 1] * 0.5; //!
}
//=== a flag with relaxed order guards the data of another group; race_across_groups_read_write; {"grid": 2, "group": 1, "schedule": "ordered", "buffers": {"flag": "zeros u4 1", "data": "zeros f4 1", "out": "out f4 2"}}
kernel void k(device atomic_uint* flag, device float* data, device float* out, uint i [[thread_position_in_grid]]) {
  if (i == 0) { data[0] = 3.0; atomic_store_explicit(flag, 1u, memory_order_relaxed); out[0] = 0; }
  else { float v = 0; if (atomic_load_explicit(flag, memory_order_relaxed)) v = data[0]; out[1] = v; } //!
}
//=== lanes exchange through memory with no simdgroup barrier; race_in_simdgroup_read_write; {"grid": 1, "group": 32, "buffers": {"out": "out f4 32", "x": "rand f4 32"}}
kernel void k(device float* out, const device float* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[32];
  s[t] = x[t];
  out[t] = s[31 - t]; //!
}
//=== atomics and plain stores on one word; race_in_group_write_write|race_in_group_read_write; {"grid": 1, "group": 64, "buffers": {"c": "zeros u4 1"}}
kernel void k(device atomic_uint* c, uint t [[thread_position_in_threadgroup]]) {
  atomic_fetch_add_explicit(c, 1u, memory_order_relaxed);
  device uint* p = (device uint*)c;
  if (t == 40) p[0] = 7; //!
}
//=== barrier in one half of the group; divergent_barrier; {"grid": 1, "group": 64, "buffers": {"out": "out f4 64"}}
kernel void k(device float* out, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[64];
  s[t] = float(t);
  if (t < 32) {
    threadgroup_barrier(mem_flags::mem_threadgroup); //!
  }
  out[t] = s[t];
}
//=== barrier in a loop of unequal length; divergent_barrier|different_barriers; {"grid": 1, "group": 64, "buffers": {"out": "out f4 64"}}
kernel void k(device float* out, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[64];
  s[t] = 0;
  for (uint i = 0; i < t / 32 + 1; ++i) {
    threadgroup_barrier(mem_flags::mem_threadgroup); //!
  }
  out[t] = s[t];
}
//=== two barriers in two branches; different_barriers; {"grid": 1, "group": 64, "buffers": {"out": "out f4 64"}}
kernel void k(device float* out, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[64];
  s[t] = float(t);
  if (t < 32) {
    threadgroup_barrier(mem_flags::mem_threadgroup); //!
    out[t] = s[63 - t];
  } else {
    threadgroup_barrier(mem_flags::mem_threadgroup); //!
    out[t] = s[63 - t];
  }
}
//=== return before a barrier; barrier_after_return; {"grid": 1, "group": 64, "buffers": {"out": "out f4 50", "n": 50}}
kernel void k(device float* out, constant uint& n, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[64];
  if (t >= n) return;
  s[t] = float(t);
  threadgroup_barrier(mem_flags::mem_threadgroup); //!
  out[t] = s[n - 1 - t];
}
//=== simdgroup barrier for half of the lanes; divergent_simdgroup_barrier; {"grid": 1, "group": 32, "buffers": {"out": "out f4 32"}}
kernel void k(device float* out, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[32];
  s[t] = float(t);
  if (t < 16) {
    simdgroup_barrier(mem_flags::mem_threadgroup); //!
  }
  out[t] = s[t];
  simdgroup_barrier(mem_flags::mem_threadgroup);
}
//=== read past the end of a buffer; out_of_bounds_read; {"grid": 1, "group": 64, "buffers": {"out": "out f4 64", "x": "rand f4 64"}}
kernel void k(device float* out, const device float* x, uint t [[thread_position_in_threadgroup]]) {
  out[t] = x[t] + x[t + 1]; //!
}
//=== read before the start of a buffer; out_of_bounds_read; {"grid": 1, "group": 64, "buffers": {"out": "out f4 64", "x": "rand f4 64"}}
kernel void k(device float* out, const device float* x, uint t [[thread_position_in_threadgroup]]) {
  out[t] = x[int(t) - 1]; //!
}
//=== no guard at the last group; out_of_bounds_write; {"grid": 2, "group": 64, "buffers": {"out": "out f4 100"}}
kernel void k(device float* out, uint i [[thread_position_in_grid]]) {
  out[i] = float(i); //!
}
//=== vector load over the end; out_of_bounds_read; {"grid": 1, "group": 25, "buffers": {"out": "out f4 25", "x": "rand f4 98"}}
kernel void k(device float* out, const device float4* x, uint i [[thread_position_in_grid]]) {
  float4 v = x[i]; //!
  out[i] = v.x + v.y;
}
//=== threadgroup array one too short; out_of_bounds_write|index_out_of_range; {"grid": 1, "group": 65, "buffers": {"out": "out f4 65"}}
kernel void k(device float* out, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[64];
  s[t] = float(t); //!
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[t] = float(t);
}
//=== threadgroup pointer runs into the next variable; out_of_bounds_write; {"grid": 1, "group": 32, "buffers": {"out": "out f4 32"}}
kernel void k(device float* out, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float a[32];
  threadgroup float b[32];
  threadgroup float* p = a;
  b[t] = 1;
  p[t + 8] = 2; //!
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[t] = b[t];
}
//=== private array index; index_out_of_range; {"grid": 1, "group": 32, "buffers": {"out": "out f4 32", "n": 5}}
kernel void k(device float* out, constant uint& n, uint t [[thread_position_in_threadgroup]]) {
  float a[4] = {1, 2, 3, 4};
  float s = 0;
  for (uint i = 0; i < n; ++i) s += a[i]; //!
  out[t] = s * 0;
}
//=== tail of a threadgroup array is never written; uninitialised_read; {"grid": 1, "group": 20, "buffers": {"out": "out f4 1", "x": "rand f4 20"}}
kernel void k(device float* out, const device float* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[32];
  s[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) { float m = 0; for (uint i = 0; i < 32; ++i) m += s[i]; out[0] = m; } //!
}
//=== accumulating into threadgroup memory that starts with nothing; uninitialised_read; {"grid": 1, "group": 32, "buffers": {"out": "out f4 32"}}
kernel void k(device float* out, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[32];
  s[t] += 1.0; //!
  out[t] = s[t];
}
//=== output read before it is written; uninitialised_read; {"grid": 1, "group": 32, "buffers": {"out": "out f4 32"}}
kernel void k(device float* out, uint t [[thread_position_in_threadgroup]]) {
  out[t] = out[t] + 1.0; //!
}
//=== write through a cast-away const; write_to_const; {"grid": 1, "group": 4, "buffers": {"out": "out f4 4", "x": "rand f4 4"}}
kernel void k(device float* out, const device float* x, uint t [[thread_position_in_threadgroup]]) {
  device float* p = (device float*)x;
  p[t] = 1; //!
  out[t] = 1;
}
//=== endless loop; step_budget; {"grid": 1, "group": 1, "budget": 100000, "buffers": {"out": "out u4 1"}}
kernel void k(device uint* out, uint t [[thread_position_in_threadgroup]]) {
  uint i = 1;
  while (i != 0) { i |= 1; } //!
  out[t] = i;
}
//=== too much threadgroup memory; shared_memory_limit; {"grid": 1, "group": 4, "buffers": {"out": "out f4 4"}}
kernel void k(device float* out, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[8448];
  s[t] = 1;
  out[t] = s[t];
}
//=== shuffle from a lane that took the other branch; undefined_lane; {"grid": 1, "group": 32, "buffers": {"out": "out f4 32", "x": "rand f4 32"}}
kernel void k(device float* out, const device float* x, uint t [[thread_position_in_threadgroup]]) {
  float v = x[t];
  float r = 0;
  if (t % 2 == 1) r = simd_shuffle(v, ushort(t - 1)); //!
  out[t] = r;
}
//=== shuffle from beyond a partial simdgroup; undefined_lane; {"grid": 1, "group": 20, "buffers": {"out": "out f4 20", "x": "rand f4 20"}}
kernel void k(device float* out, const device float* x, uint t [[thread_position_in_threadgroup]]) {
  out[t] = simd_shuffle_down(x[t], 1); //!
}
//=== broadcast from a lane that returned; undefined_lane; {"grid": 1, "group": 32, "buffers": {"out": "out f4 32", "x": "rand f4 32"}}
kernel void k(device float* out, const device float* x, uint t [[thread_position_in_threadgroup]]) {
  if (t == 0) return;
  out[t] = simd_broadcast(x[t], 0); //!
}
//=== integer division by zero; division_by_zero; {"grid": 1, "group": 4, "buffers": {"out": "out u4 4", "n": 0}}
kernel void k(device uint* out, constant uint& n, uint t [[thread_position_in_threadgroup]]) {
  out[t] = (t + 1) / n; //!
}
//=== misaligned vector through a cast; misaligned; {"grid": 1, "group": 4, "buffers": {"out": "out f4 4", "x": "rand f4 20"}}
kernel void k(device float* out, const device float* x, uint t [[thread_position_in_threadgroup]]) {
  float2 v = *(const device float2*)(x + 1 + t); //!
  out[t] = v.x;
}
//=== recursion without end; stack_overflow; {"grid": 1, "group": 1, "buffers": {"out": "out u4 1"}}
uint deep(uint n) { uint big[64]; big[n % 64] = n; return deep(n + 1) + big[n % 64]; }
kernel void k(device uint* out, uint t [[thread_position_in_threadgroup]]) {
  out[t] = deep(t);
}
//=== no address space; compile; {}
kernel void k(device float* out, float* x, uint t [[thread_position_in_threadgroup]]) { //!
  out[t] = x[t];
}
//=== a variable named half; compile; {}
kernel void k(device float* out, uint n [[threads_per_threadgroup]], uint t [[thread_position_in_threadgroup]]) {
  uint half = n / 2; //!
  out[t] = float(half);
}
//=== double; compile; {}
kernel void k(device float* out, uint t [[thread_position_in_threadgroup]]) {
  double x = 1.0; //!
  out[t] = x;
}
//=== a program scope variable outside the constant space; compile; {}
const float scale = 2.0; //!
kernel void k(device float* out, uint t [[thread_position_in_threadgroup]]) { out[t] = scale; }
//=== a function of the C library; compile; {}
kernel void k(device float* out, uint t [[thread_position_in_threadgroup]]) {
  out[t] = sqrtf(float(t)); //!
}
//=== lambda; compile; {}
kernel void k(device float* out, uint t [[thread_position_in_threadgroup]]) {
  auto f = [](float x) { return x * 2; }; //!
  out[t] = f(1.0);
}
//=== threads limit after the parameters; compile; {}
kernel void k(device float* out, uint t [[thread_position_in_threadgroup]]) [[max_total_threads_per_threadgroup(64)]] { //!
  out[t] = 1;
}
//=== scalar and vector positions mixed; compile; {}
kernel void k(device float* out, uint3 i [[thread_position_in_grid]], uint t [[thread_position_in_threadgroup]]) { //!
  out[i.x] = t;
}
//=== device pointer where a threadgroup pointer is wanted; compile; {}
float first(threadgroup float* p) { return p[0]; }
kernel void k(device float* out, uint t [[thread_position_in_threadgroup]]) {
  out[t] = first(out); //!
}
//=== write to constant memory; compile; {}
kernel void k(device float* out, constant float* x, uint t [[thread_position_in_threadgroup]]) {
  x[t] = 1; //!
  out[t] = 1;
}
//=== atomic minimum of floats; compile; {}
kernel void k(device atomic_float* out, const device float* x, uint t [[thread_position_in_threadgroup]]) {
  atomic_fetch_min_explicit(out, x[t], memory_order_relaxed); //!
}
