// Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
// Small CUDA kernels with one fault each. `//===` starts one: name; kind of finding; launch. `//!` marks the place.
//=== reduction without a barrier in its loop; race_in_group_read_write; {"grid": 2, "group": 128, "buffers": {"out": "out f4 2", "x": "rand f4 256"}}
__global__ void k(float* out, const float* x) {
  __shared__ float part[128];
  int t = threadIdx.x;
  part[t] = x[blockIdx.x * 128 + t];
  __syncthreads();
  for (int k = 64; k > 0; k >>= 1) {
    if (t < k) part[t] += part[t + k]; //!
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
//=== broadcast slot read without a barrier; race_in_group_read_write; {"grid": 1, "group": 64, "buffers": {"out": "out f4 64", "x": "rand f4 64"}}
__global__ void k(float* out, const float* x) {
  __shared__ float m;
  if (threadIdx.x == 0) m = x[0];
  out[threadIdx.x] = m * x[threadIdx.x]; //!
}
//=== second tile loaded before the first is used up; race_in_group_read_write; {"grid": 1, "group": 64, "buffers": {"out": "out f4 64", "x": "rand f4 256"}}
__global__ void k(float* out, const float* x) {
  __shared__ float tile[64];
  float s = 0.f;
  for (int b = 0; b < 4; b++) {
    tile[threadIdx.x] = x[b * 64 + threadIdx.x]; //!
    __syncthreads();
    for (int j = 0; j < 64; j++) s += tile[j];
  }
  out[threadIdx.x] = s;
}
//=== scan in place with one barrier a step; race_in_group_read_write; {"grid": 1, "group": 64, "buffers": {"out": "out f4 64", "x": "rand f4 64"}}
__global__ void k(float* out, const float* x) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    if (t >= d) s[t] += s[t - d]; //!
    __syncthreads();
  }
  out[t] = s[t];
}
//=== warp-synchronous tail without syncwarp; race_in_simdgroup_read_write; {"grid": 1, "group": 32, "buffers": {"out": "out f4 1", "x": "rand f4 32"}}
__global__ void k(float* out, const float* x) {
  __shared__ volatile float s[32];
  int t = threadIdx.x;
  s[t] = x[t];
  if (t < 16) s[t] = s[t] + s[t + 16]; //!
  if (t < 8) s[t] = s[t] + s[t + 8]; //!
  if (t < 4) s[t] = s[t] + s[t + 4]; //!
  if (t < 2) s[t] = s[t] + s[t + 2]; //!
  if (t == 0) out[0] = s[0] + s[1]; //!
}
//=== shuffle taken for a memory barrier; race_in_simdgroup_read_write; {"grid": 1, "group": 32, "buffers": {"out": "out f4 32", "x": "rand f4 32"}}
__global__ void k(float* out, const float* x) {
  __shared__ float s[32];
  int t = threadIdx.x;
  s[t] = x[t];
  float v = __shfl_xor_sync(0xffffffff, x[t], 1);
  out[t] = s[31 - t] + v; //!
}
//=== counter without an atomic; race_in_group_write_write|race_in_group_read_write; {"grid": 1, "group": 64, "buffers": {"c": "zeros i4 1"}}
__global__ void k(int* c) { c[0] = c[0] + 1; } //!
//=== blocks add to one word; race_across_groups_read_write|race_across_groups_write_write; {"grid": 8, "group": 1, "buffers": {"c": "zeros f4 1"}}
__global__ void k(float* c) { c[0] += 1.f; } //!
//=== last block reads partials with no fence; race_across_groups_read_write; {"grid": 4, "group": 32, "buffers": {"out": "out f4 1", "part": "zeros f4 4", "x": "rand f4 128", "ticket": "zeros u4 1"}}
__global__ void k(float* out, float* part, const float* x, unsigned* ticket) {
  float v = x[blockIdx.x * 32 + threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
  if (threadIdx.x == 0) {
    part[blockIdx.x] = v;
    if (atomicAdd(ticket, 1u) == gridDim.x - 1) {
      float s = 0;
      for (int i = 0; i < gridDim.x; i++) s += part[i]; //!
      out[0] = s;
    }
  }
}
//=== neighbours exchange halo cells in place; race_across_groups_read_write; {"grid": 4, "group": 32, "buffers": {"a": "rand f4 130"}}
__global__ void k(float* a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  a[i] = 0.5f * (a[i - 1] + a[i + 1]); //!
}
//=== barrier for one warp of two; divergent_barrier; {"grid": 1, "group": 64, "buffers": {"out": "out f4 64"}}
__global__ void k(float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = 1;
  if (threadIdx.x < 32) __syncthreads(); //!
  out[threadIdx.x] = s[threadIdx.x];
}
//=== different barriers in two branches; different_barriers; {"grid": 1, "group": 64, "buffers": {"out": "out f4 64"}}
__global__ void k(float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = 1;
  if (threadIdx.x & 1) {
    __syncthreads(); //!
  } else {
    __syncthreads(); //!
  }
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}
//=== barrier in a helper called from one branch; divergent_barrier|different_barriers; {"grid": 1, "group": 64, "buffers": {"out": "out f4 64"}}
__device__ void meet() {
  __syncthreads(); //!
}
__global__ void k(float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = 1;
  if (threadIdx.x < 8) meet();
  else meet();
  out[threadIdx.x] = s[threadIdx.x];
}
//=== loops of unequal length around a barrier; divergent_barrier|different_barriers; {"grid": 1, "group": 40, "buffers": {"out": "out f4 40", "n": 100}}
__global__ void k(float* out, int n) {
  __shared__ float s;
  float v = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (threadIdx.x == 0) s = (float)i;
    __syncthreads(); //!
    v += s;
    __syncthreads(); //!
  }
  out[threadIdx.x] = v;
}
//=== mask that names a lane of the other branch; wrong_mask; {"grid": 1, "group": 32, "buffers": {"out": "out f4 32", "x": "rand f4 32"}}
__global__ void k(float* out, const float* x) {
  float v = x[threadIdx.x];
  if (threadIdx.x < 16) v += __shfl_down_sync(0xffffffffu, v, 8); //!
  out[threadIdx.x] = v;
}
//=== mask without the caller; mask_without_self|wrong_mask; {"grid": 1, "group": 32, "buffers": {"out": "out f4 32", "x": "rand f4 32"}}
__global__ void k(float* out, const float* x) {
  float v = x[threadIdx.x];
  v += __shfl_xor_sync(0x0000ffffu, v, 1); //!
  out[threadIdx.x] = v;
}
//=== activemask taken for all lanes; undefined_lane; {"grid": 1, "group": 32, "buffers": {"out": "out f4 32", "x": "rand f4 32"}}
__global__ void k(float* out, const float* x) {
  float v = x[threadIdx.x];
  unsigned m = __activemask();
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(m, v, o); //!
  out[threadIdx.x] = v;
}
//=== full mask in a partial warp, value from a lane that is not there; undefined_lane; {"grid": 1, "group": 40, "buffers": {"out": "out f4 40", "x": "rand f4 40"}}
__global__ void k(float* out, const float* x) {
  out[threadIdx.x] = __shfl_down_sync(0xffffffffu, x[threadIdx.x], 4); //!
}
//=== lanes with different masks; wrong_mask; {"grid": 1, "group": 32, "buffers": {"out": "out u4 32"}}
__global__ void k(unsigned* out) {
  unsigned m = threadIdx.x < 16 ? 0x0000ffffu : 0xffffffffu;
  out[threadIdx.x] = __ballot_sync(m, threadIdx.x & 1); //!
}
//=== syncwarp for half of the warp with a full mask; wrong_mask; {"grid": 1, "group": 32, "buffers": {"out": "out f4 32"}}
__global__ void k(float* out) {
  __shared__ float s[32];
  s[threadIdx.x] = 1;
  if (threadIdx.x < 16) __syncwarp(); //!
  out[threadIdx.x] = s[threadIdx.x];
}
//=== read past the end; out_of_bounds_read; {"grid": 2, "group": 32, "buffers": {"out": "out f4 64", "x": "rand f4 63"}}
__global__ void k(float* out, const float* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = x[i]; //!
}
//=== write past the end; out_of_bounds_write; {"grid": 2, "group": 64, "buffers": {"out": "out f4 100", "n": 100}}
__global__ void k(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = 1.f; //!
}
//=== negative index; out_of_bounds_read; {"grid": 1, "group": 32, "buffers": {"out": "out f4 32", "x": "rand f4 32"}}
__global__ void k(float* out, const float* x) {
  int i = threadIdx.x;
  out[i] = x[i - 1] + x[i]; //!
}
//=== dynamic shared memory too small; out_of_bounds_write; {"grid": 1, "group": 64, "shared": 128, "buffers": {"out": "out f4 64"}}
__global__ void k(float* out) {
  extern __shared__ float s[];
  s[threadIdx.x] = 1; //!
  __syncthreads();
  out[threadIdx.x] = 1;
}
//=== padding column past a shared row of another array; out_of_bounds_write|index_out_of_range; {"grid": 1, "group": 33, "buffers": {"out": "out f4 33"}}
__global__ void k(float* out) {
  __shared__ float a[32];
  __shared__ float b[32];
  a[threadIdx.x] = 1; //!
  b[threadIdx.x & 31] = 1;
  out[threadIdx.x] = b[0] * 0 + 1;
}
//=== partials of absent warps; uninitialised_read; {"grid": 1, "group": 64, "buffers": {"out": "out f4 1", "x": "rand f4 64"}}
__global__ void k(float* out, const float* x) {
  __shared__ float part[32];
  float v = x[threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
  if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = v;
  __syncthreads();
  if (threadIdx.x == 0) { float s = 0; for (int i = 0; i < 32; i++) s += part[i]; out[0] = s; } //!
}
//=== dynamic shared memory read before it is written; uninitialised_read; {"grid": 1, "group": 32, "shared": 128, "buffers": {"out": "out f4 32"}}
__global__ void k(float* out) {
  extern __shared__ float s[];
  out[threadIdx.x] = s[threadIdx.x]; //!
}
//=== output accumulated from nothing; uninitialised_read; {"grid": 1, "group": 32, "buffers": {"out": "out f4 32"}}
__global__ void k(float* out) {
  atomicAdd(out + threadIdx.x, 1.f); //!
}
//=== float4 from an address that is no multiple of 16; misaligned; {"grid": 1, "group": 4, "buffers": {"out": "out f4 4", "x": "rand f4 24"}}
__global__ void k(float* out, const float* x) {
  float4 v = *reinterpret_cast<const float4*>(x + 1 + 4 * threadIdx.x); //!
  out[threadIdx.x] = v.x;
}
//=== constant input written through a cast; write_to_const; {"grid": 1, "group": 4, "buffers": {"out": "out f4 4", "x": "rand f4 4"}}
__global__ void k(float* out, const float* x) {
  float* p = (float*)x;
  p[threadIdx.x] = 0; //!
  out[threadIdx.x] = 1;
}
//=== spin on a lock that is never released; step_budget; {"grid": 1, "group": 2, "budget": 100000, "buffers": {"lock": "zeros i4 1", "out": "out f4 2"}}
__global__ void k(int* lock, float* out) {
  while (atomicCAS(lock, 0, 1) != 0) { } //!
  out[threadIdx.x] = 1;
}
//=== too much shared memory; shared_memory_limit; {"grid": 1, "group": 4, "buffers": {"out": "out f4 4"}}
__global__ void k(float* out) {
  __shared__ float s[12352];
  s[threadIdx.x] = 1;
  out[threadIdx.x] = s[threadIdx.x];
}
//=== assertion that fails; assertion; {"grid": 1, "group": 4, "buffers": {"out": "out f4 4", "n": 3}}
__global__ void k(float* out, int n) {
  assert(n == 4); //!
  out[threadIdx.x] = 1;
}
//=== division by zero; division_by_zero; {"grid": 1, "group": 4, "buffers": {"out": "out i4 4", "n": 0}}
__global__ void k(int* out, int n) {
  out[threadIdx.x] = 7 % n; //!
}
//=== private array overrun; index_out_of_range; {"grid": 1, "group": 4, "buffers": {"out": "out f4 4", "n": 9}}
__global__ void k(float* out, int n) {
  float acc[8];
  for (int i = 0; i < 8; i++) acc[i] = i;
  float s = 0;
  for (int i = 0; i < n; i++) s += acc[i] * 0.f; //!
  out[threadIdx.x] = 1;
}
//=== shuffle without a mask; compile; {}
__global__ void k(float* out) {
  out[threadIdx.x] = __shfl_down(1.f, 1); //!
}
//=== kernel that returns a value; compile; {}
__global__ int k(float* out) { return 1; } //!
//=== host function in a kernel; compile; {}
float twice(float x) { return 2 * x; }
__global__ void k(float* out) {
  out[threadIdx.x] = twice(1.f); //!
}
//=== atomic minimum of floats; compile; {}
__global__ void k(float* out) {
  atomicMin(out, 1.f); //!
}
