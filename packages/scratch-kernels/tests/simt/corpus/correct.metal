// Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
// Correct Metal kernels of different style. `//===` starts one: name; what the output is, in numpy; launch.
//=== tree reduction; out ~ x.reshape(2, 100).sum(1); {"grid": 2, "group": 128, "buffers": {"out": "out f4 2", "x": "rand f4 200", "n": 100}}
kernel void k(device float* out, const device float* x, constant uint& n, uint t [[thread_position_in_threadgroup]], uint g [[threadgroup_position_in_grid]], uint size [[threads_per_threadgroup]]) {
  threadgroup float part[128];
  float s = 0;
  for (uint i = t; i < n; i += size) s += x[g * n + i];
  part[t] = s;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = size / 2; k > 0; k /= 2) {
    if (t < k) part[t] += part[t + k];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t == 0) out[g] = part[0];
}
//=== two-level simd reduction; out ~ x.reshape(3, 300).max(1); {"grid": 3, "group": 96, "buffers": {"out": "out f4 3", "x": "rand f4 900", "n": 300}}
kernel void k(device float* out [[buffer(0)]], const device float* x [[buffer(1)]], constant uint& n [[buffer(2)]],
              uint t [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]],
              uint sg [[simdgroup_index_in_threadgroup]], uint sgs [[simdgroups_per_threadgroup]], uint size [[threads_per_threadgroup]]) {
  threadgroup float part[32];
  float m = -INFINITY;
  for (uint i = t; i < n; i += size) m = max(m, x[g * n + i]);
  m = simd_max(m);
  if (lane == 0) part[sg] = m;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (sg == 0) {
    m = lane < sgs ? part[lane] : -INFINITY;
    m = simd_max(m);
    if (lane == 0) out[g] = m;
  }
}
//=== online softmax of rows with a second use of the scratch; out ~ softmax(x.reshape(2, 77)).ravel(); {"grid": 2, "group": 64, "buffers": {"out": "out f4 154", "x": "rand f4 154", "n": 77}}
template <typename T> T fold(T v, threadgroup T* s, uint t, uint size, bool maximum) {
  s[t] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = size / 2; k > 0; k >>= 1) {
    if (t < k) s[t] = maximum ? max(s[t], s[t + k]) : s[t] + s[t + k];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  T r = s[0];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  return r;
}
[[kernel]] void k(device float* out, const device float* x, constant uint& n, uint t [[thread_position_in_threadgroup]], uint g [[threadgroup_position_in_grid]], uint size [[threads_per_threadgroup]]) {
  threadgroup float s[64];
  const device float* row = x + g * n;
  float m = -INFINITY;
  for (uint i = t; i < n; i += size) m = max(m, row[i]);
  m = fold<float>(m, s, t, size, true);
  float d = 0;
  for (uint i = t; i < n; i += size) d += exp(row[i] - m);
  d = fold<float>(d, s, t, size, false);
  for (uint i = t; i < n; i += size) out[g * n + i] = exp(row[i] - m) / d;
}
//=== tiled matrix product with edges; out ~ (x.reshape(20, 30) @ y.reshape(30, 25)).ravel(); {"grid": [4, 3], "group": [8, 8], "buffers": {"out": "out f4 500", "x": "rand f4 600", "y": "rand f4 750", "shape": "u4 20 25 30 0"}}
constant constexpr uint TILE = 8;
kernel void k(device float* out, const device float* x, const device float* y, constant uint3& shape,
              uint2 t [[thread_position_in_threadgroup]], uint2 i [[thread_position_in_grid]]) {
  threadgroup float a[TILE][TILE], b[TILE][TILE + 1];
  float s = 0;
  for (uint k = 0; k < shape.z; k += TILE) {
    a[t.y][t.x] = i.y < shape.x && k + t.x < shape.z ? x[i.y * shape.z + k + t.x] : 0.0f;
    b[t.y][t.x] = k + t.y < shape.z && i.x < shape.y ? y[(k + t.y) * shape.y + i.x] : 0.0f;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint j = 0; j < TILE; ++j) s = fma(a[t.y][j], b[j][t.x], s);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (i.y < shape.x && i.x < shape.y) out[i.y * shape.y + i.x] = s;
}
//=== transpose through a padded tile; out = x.reshape(40, 48).T.ravel(); {"grid": [3, 3], "group": [16, 16], "buffers": {"out": "out f4 1920", "x": "rand f4 1920"}}
kernel void k(device float* out, const device float* x, uint2 t [[thread_position_in_threadgroup]], uint2 g [[threadgroup_position_in_grid]]) {
  threadgroup float tile[16][17];
  uint r = g.y * 16 + t.y, c = g.x * 16 + t.x;
  if (r < 40 && c < 48) tile[t.y][t.x] = x[r * 48 + c];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  r = g.x * 16 + t.y, c = g.y * 16 + t.x;
  if (r < 48 && c < 40) out[r * 40 + c] = tile[t.x][t.y];
}
//=== histogram with atomics; h = np.bincount(x % 8, minlength=8); {"grid": 4, "group": 64, "buffers": {"h": "zeros u4 8", "x": "iota u4 256"}}
kernel void k(device atomic_uint* h, const device uint* x, uint i [[thread_position_in_grid]], uint t [[thread_position_in_threadgroup]]) {
  threadgroup atomic_uint local[8];
  if (t < 8) atomic_store_explicit(&local[t], 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  atomic_fetch_add_explicit(&local[x[i] % 8], 1u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < 8) atomic_fetch_add_explicit(&h[t], atomic_load_explicit(&local[t], memory_order_relaxed), memory_order_relaxed);
}
//=== compare and swap maximum; m ~ x.max(keepdims=True); {"grid": 2, "group": 64, "buffers": {"m": "zeros f4 1", "x": "uniform f4 128"}}
kernel void k(device atomic_uint* m, const device float* x, uint i [[thread_position_in_grid]]) {
  uint seen = atomic_load_explicit(m, memory_order_relaxed);
  while (as_type<float>(seen) < x[i] && !atomic_compare_exchange_weak_explicit(m, &seen, as_type<uint>(x[i]), memory_order_relaxed, memory_order_relaxed)) {}
}
//=== half vectors and conversions; out ~ (x.reshape(-1, 4).astype(np.float16) * np.float16(2) + np.float16(0.5)).astype(np.float32).ravel(); {"grid": 1, "group": 32, "buffers": {"out": "out f4 128", "x": "rand f4 128"}}
kernel void k(device float4* out, const device packed_float4* x, uint i [[thread_position_in_grid]]) {
  half4 h = half4(float4(x[i]));
  h = h * 2.0h + half4(0.5h);
  out[i] = float4(h);
}
//=== packed vectors of three and swizzles; out = x.reshape(-1, 3)[:, ::-1].ravel(); {"grid": 1, "group": 10, "buffers": {"out": "out f4 30", "x": "rand f4 30"}}
kernel void k(device packed_float3* out, const device packed_float3* x, uint i [[thread_position_in_grid]]) {
  float3 v = x[i];
  out[i] = packed_float3(v.zyx);
}
//=== partial groups; out = np.arange(100) * 2; {"threads": 100, "group": 32, "buffers": {"out": "out u4 100"}}
kernel void k(device uint* out, uint i [[thread_position_in_grid]], uint n [[threads_per_grid]]) {
  out[i] = i + (i * n) / n;
}
//=== prefix sum across simdgroups; out ~ np.cumsum(x); {"grid": 1, "group": 128, "buffers": {"out": "out f4 128", "x": "rand f4 128"}}
kernel void k(device float* out, const device float* x, uint t [[thread_index_in_threadgroup]], uint lane [[thread_index_in_simdgroup]], uint sg [[simdgroup_index_in_threadgroup]]) {
  threadgroup float total[4];
  float v = simd_prefix_inclusive_sum(x[t]);
  if (lane == 31) total[sg] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint i = 0; i < sg; ++i) v += total[i];
  out[t] = v;
}
//=== shuffles that stay inside; out = x.reshape(-1, 32)[:, ::-1].ravel(); {"grid": 2, "group": 32, "buffers": {"out": "out f4 64", "x": "rand f4 64"}}
kernel void k(device float* out, const device float* x, uint i [[thread_position_in_grid]]) {
  out[i] = simd_shuffle_xor(x[i], 31);
}
//=== loop over a simd sum of unequal length, lane 0 first to leave; out ~ x.reshape(32, 8).sum(1); {"grid": 1, "group": 64, "buffers": {"out": "out f4 32", "x": "rand f4 256"}}
kernel void k(device float* out, const device float* x, uint t [[thread_position_in_threadgroup]]) {
  for (uint row = t / 32; row < 32; row += 2) {
    uint lane = t % 32;
    float s = simd_sum(lane < 8 ? x[row * 8 + lane] : 0.0f);
    if (lane == 0) out[row] = s;
  }
}
//=== template kernel with a host name and a function constant; out ~ x * 3; {"kernel": "scale_f32", "constants": {"factor": 3}, "grid": 1, "group": 16, "buffers": {"out": "out f4 16", "x": "rand f4 16"}}
constant int factor [[function_constant(0)]];
template <typename T, int N> [[kernel]] void scale(device T* out [[buffer(0)]], const device T* x [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  for (int j = 0; j < N; ++j) out[i * N + j] = x[i * N + j] * static_cast<T>(factor);
}
#define INSTANTIATE(name, T, N) template [[host_name(name)]] [[kernel]] void scale<T, N>(device T*, const device T*, uint);
INSTANTIATE("scale_f32", float, 1)
INSTANTIATE("scale_f16x2", half, 2)
//=== threadgroup memory of the host's size; out ~ x[::-1]; {"grid": 1, "group": 50, "threadgroup": {"0": 208}, "buffers": {"out": "out f4 50", "x": "rand f4 50"}}
kernel void k(device float* out, const device float* x, threadgroup float* s [[threadgroup(0)]], uint t [[thread_position_in_threadgroup]], uint n [[threads_per_threadgroup]]) {
  s[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[t] = s[n - 1 - t];
}
//=== structs, constant tables and integer functions; out = np.array([bin(v).count("1") + (3, 1, 4, 1)[v % 4] for v in range(64)]); {"grid": 1, "group": 64, "buffers": {"out": "out i4 64", "p": "i4 1 0"}}
struct Settings { int scale; int shift; };
constant int table[4] = {3, 1, 4, 1};
static inline int look(constant int* from, int i) { return from[i & 3]; }
kernel void k(device int* out, constant Settings& p, ushort i [[thread_position_in_grid]]) {
  out[i] = int(popcount(uint(i))) * p.scale + look(table, i) + p.shift;
}
//=== every thread of a simdgroup writes through simdgroup barriers; out ~ x[::-1]; {"grid": 1, "group": 32, "buffers": {"out": "out f4 32", "x": "rand f4 32"}}
kernel void k(device float* out, const device float* x, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[32];
  s[t] = x[t];
  simdgroup_barrier(mem_flags::mem_threadgroup);
  out[t] = s[31 - t];
}
//=== eight by eight matrices; out ~ (x.reshape(8, 8) @ y.reshape(8, 8)).ravel(); {"grid": 1, "group": 32, "buffers": {"out": "out f4 64", "x": "rand f4 64", "y": "rand f4 64"}}
kernel void k(device float* out, const device float* x, const device float* y) {
  simdgroup_float8x8 a, b, c = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  simdgroup_load(a, x, 8);
  simdgroup_load(b, y, 8);
  simdgroup_multiply_accumulate(c, a, b, c);
  simdgroup_store(c, out, 8);
}
