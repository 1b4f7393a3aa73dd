// Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
// Correct CUDA kernels of different style. `//===` starts one: name; what the output is, in numpy; launch.
//=== grid-stride axpy; y ~ 2.5 * x + y; {"grid": 3, "group": 64, "buffers": {"y": "rand f4 1000", "x": "rand f4 1000", "a": 2.5, "n": 1000}}
__global__ void k(float* __restrict__ y, const float* __restrict__ x, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}
//=== block softmax with warp shuffles; out ~ softmax(x.reshape(3, 100)).ravel(); {"grid": 3, "group": 64, "buffers": {"out": "out f4 300", "x": "rand f4 300", "n": 100}}
#include <cuda_runtime.h>
#include <math.h>
template <bool MAX> __device__ __forceinline__ float block_reduce(float v, float* s) {
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) { float u = __shfl_xor_sync(0xffffffffu, v, o); v = MAX ? fmaxf(v, u) : v + u; }
  if ((threadIdx.x & 31) == 0) s[threadIdx.x >> 5] = v;
  __syncthreads();
  v = s[0];
  for (int w = 1; w < blockDim.x / 32; w++) v = MAX ? fmaxf(v, s[w]) : v + s[w];
  __syncthreads();
  return v;
}
extern "C" __global__ __launch_bounds__(1024) void k(float* out, const float* x, int n) {
  __shared__ float s[32];
  const float* row = x + (size_t)blockIdx.x * n;
  float m = -INFINITY;
  for (int i = threadIdx.x; i < n; i += blockDim.x) m = fmaxf(m, row[i]);
  m = block_reduce<true>(m, s);
  float d = 0.f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) d += __expf(row[i] - m);
  d = block_reduce<false>(d, s);
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[(size_t)blockIdx.x * n + i] = __expf(row[i] - m) / d;
}
//=== reduction in dynamic shared memory; out ~ x.sum(keepdims=True); {"grid": 1, "group": 128, "shared": 512, "buffers": {"out": "out f4 1", "x": "rand f4 128"}}
__global__ void k(float* out, const float* x) {
  extern __shared__ float s[];
  unsigned t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[0] = s[0];
}
//=== double-buffered scan; out ~ np.cumsum(x); {"grid": 1, "group": 64, "buffers": {"out": "out f4 64", "x": "rand f4 64"}}
__global__ void k(float* out, const float* x) {
  __shared__ float s[2][64];
  int t = threadIdx.x, from = 0;
  s[0][t] = x[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    s[1 - from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
    from = 1 - from;
    __syncthreads();
  }
  out[t] = s[from][t];
}
//=== last block adds up, with the fence; out ~ x.sum(keepdims=True); {"grid": 4, "group": 32, "buffers": {"out": "out f4 1", "part": "zeros f4 4", "x": "rand f4 128", "ticket": "zeros u4 1"}}
__global__ void k(float* out, float* part, const float* x, unsigned* ticket) {
  float v = x[blockIdx.x * 32 + threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
  if (threadIdx.x == 0) {
    part[blockIdx.x] = v;
    __threadfence();
    if (atomicAdd(ticket, 1u) == gridDim.x - 1) {
      __threadfence();
      float s = 0;
      for (int i = 0; i < gridDim.x; i++) s += part[i];
      out[0] = s;
    }
  }
}
//=== early exit before a warp shuffle of those who stay; out ~ np.where(np.arange(64) < 40, x, 0)[:40] * 1; {"grid": 1, "group": 64, "buffers": {"out": "out f4 40", "x": "rand f4 64", "n": 40}}
__global__ void k(float* out, const float* x, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  unsigned m = i < 32 ? 0xffffffffu : 0x000000ffu;
  float v = __shfl_sync(m, x[i], i & 31);
  out[i] = v;
}
//=== mask from a ballot before the branch; out = np.where(np.arange(32) % 3 == 0, 11, 0); {"grid": 1, "group": 32, "buffers": {"out": "out i4 32"}}
__global__ void k(int* out) {
  int t = threadIdx.x;
  unsigned m = __ballot_sync(0xffffffffu, t % 3 == 0);
  int v = 0;
  if (t % 3 == 0) v = __reduce_add_sync(m, 1);
  out[t] = v;
}
//=== warp-aggregated counter; c = np.array([64]); {"grid": 2, "group": 64, "buffers": {"c": "zeros i4 1"}}
__global__ void k(int* c) {
  if (threadIdx.x & 1) {
    unsigned m = __activemask();
    int leader = __ffs(m) - 1;
    if ((threadIdx.x & 31) == leader) atomicAdd(c, __popc(m));
  }
}
//=== float4 copy with a tail; out = x; {"grid": 2, "group": 32, "buffers": {"out": "out f4 103", "x": "rand f4 103", "n": 103}}
__global__ void k(float* out, const float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(x)[i];
  if (i < n % 4) out[n / 4 * 4 + i] = x[n / 4 * 4 + i];
}
//=== constant memory and a template on the type; out ~ x * 0.5 + 1; {"kernel": "k<float>", "symbols": {"c": "f4 0.5 1"}, "grid": 1, "group": 32, "buffers": {"out": "out f4 32", "x": "rand f4 32"}}
__constant__ float c[2];
template <typename T> __global__ void k(T* out, const T* x) {
  out[threadIdx.x] = x[threadIdx.x] * c[0] + c[1];
}
//=== cooperative tiles; out ~ np.repeat(x.reshape(-1, 8).sum(1), 8); {"grid": 1, "group": 64, "buffers": {"out": "out f4 64", "x": "rand f4 64"}}
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(float* out, const float* x) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  float v = x[block.thread_rank()];
  for (int o = 4; o > 0; o /= 2) v += tile.shfl_xor(v, o);
  out[block.thread_rank()] = v;
}
//=== half in, float out; out ~ x.astype(np.float32) ** 2; {"grid": 1, "group": 32, "buffers": {"out": "out f4 32", "x": "rand f2 32"}}
#include <cuda_fp16.h>
__global__ void k(float* out, const __half* x) {
  float v = __half2float(x[threadIdx.x]);
  out[threadIdx.x] = v * v;
}
//=== two-dimensional transpose; out = x.reshape(20, 36).T.ravel(); {"grid": [2, 1], "group": [32, 8], "buffers": {"out": "out f4 720", "x": "rand f4 720", "rows": 20, "cols": 36}}
#define TILE 32
__global__ void k(float* out, const float* x, int rows, int cols) {
  __shared__ float tile[TILE][TILE + 1];
  int c = blockIdx.x * TILE + threadIdx.x;
  for (int j = threadIdx.y; j < TILE; j += blockDim.y) { int r = blockIdx.y * TILE + j; if (r < rows && c < cols) tile[j][threadIdx.x] = x[r * cols + c]; }
  __syncthreads();
  int r = blockIdx.y * TILE + threadIdx.x;
  for (int j = threadIdx.y; j < TILE; j += blockDim.y) { int q = blockIdx.x * TILE + j; if (r < rows && q < cols) out[q * rows + r] = tile[threadIdx.x][j]; }
}
//=== votes at a barrier and a host function beside; out = np.full(64, 16); {"grid": 1, "group": 64, "buffers": {"out": "out i4 64"}}
#include <cstdio>
__global__ void k(int* out) { out[threadIdx.x] = __syncthreads_count(threadIdx.x % 4 == 0); }
int main() { k<<<1, 64>>>(nullptr); printf("done\n"); return 0; }
