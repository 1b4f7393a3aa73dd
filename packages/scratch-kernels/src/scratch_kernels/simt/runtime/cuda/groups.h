// The part of cooperative groups that single-block kernels use.
#pragma once

namespace cooperative_groups {
struct thread_block {
  void sync(simt_u32 site = SIMT_HERE) const { simt_barrier(3, site, 0); }
  static SIMT_HIDDEN unsigned thread_rank() { return simt_thread_in_group(0) + simt_group_asked(0) * (simt_thread_in_group(1) + simt_group_asked(1) * simt_thread_in_group(2)); }
  static SIMT_HIDDEN unsigned size() { return simt_group_asked(0) * simt_group_asked(1) * simt_group_asked(2); }
  static SIMT_HIDDEN unsigned num_threads() { return size(); }
  static SIMT_HIDDEN uint3 thread_index() { return threadIdx; }
  static SIMT_HIDDEN uint3 group_index() { return blockIdx; }
};
static SIMT_HIDDEN thread_block this_thread_block() { return {}; }
template <unsigned N> struct thread_block_tile {
  static_assert(N <= 32 && (N & (N - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads here");
  static SIMT_HIDDEN unsigned mask() { return N == 32 ? ~0u : ((1u << N) - 1u) << (simt_lane() / N * N); }
  static SIMT_HIDDEN unsigned thread_rank() { return simt_lane() % N; }
  static SIMT_HIDDEN unsigned size() { return N; }
  static SIMT_HIDDEN unsigned num_threads() { return N; }
  static SIMT_HIDDEN unsigned meta_group_rank() { return thread_block::thread_rank() / N; }
  static SIMT_HIDDEN unsigned meta_group_size() { return (thread_block::size() + N - 1) / N; }
  void sync(simt_u32 site = SIMT_HERE) const { simt_simd_barrier(3, site, mask()); }
  template <class T> T shfl(T v, int s, simt_u32 site = SIMT_HERE) const { return __shfl_sync(mask(), v, s, (int)N, site); }
  template <class T> T shfl_up(T v, unsigned d, simt_u32 site = SIMT_HERE) const { return __shfl_up_sync(mask(), v, d, (int)N, site); }
  template <class T> T shfl_down(T v, unsigned d, simt_u32 site = SIMT_HERE) const { return __shfl_down_sync(mask(), v, d, (int)N, site); }
  template <class T> T shfl_xor(T v, unsigned d, simt_u32 site = SIMT_HERE) const { return __shfl_xor_sync(mask(), v, (int)d, (int)N, site); }
  bool any(int p, simt_u32 site = SIMT_HERE) const { return __any_sync(mask(), p, site); }
  bool all(int p, simt_u32 site = SIMT_HERE) const { return __all_sync(mask(), p, site); }
  unsigned ballot(int p, simt_u32 site = SIMT_HERE) const { return __ballot_sync(mask(), p, site) >> (simt_lane() / N * N); }
};
template <unsigned N> static SIMT_HIDDEN thread_block_tile<N> tiled_partition(const thread_block &) { return {}; }
template <class T> struct plus { SIMT_HIDDEN T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { SIMT_HIDDEN T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { SIMT_HIDDEN T operator()(T a, T b) const { return a < b ? b : a; } };
template <unsigned N, class T, class F> static SIMT_HIDDEN T reduce(const thread_block_tile<N> &g, T v, F f, simt_u32 site = SIMT_HERE) {
  for (unsigned d = N / 2; d > 0; d /= 2) v = f(v, g.shfl_xor(v, d, site));
  return v;
}
template <class G> static SIMT_HIDDEN void sync(const G &g, simt_u32 site = SIMT_HERE) { g.sync(site); }
}  // namespace cooperative_groups
