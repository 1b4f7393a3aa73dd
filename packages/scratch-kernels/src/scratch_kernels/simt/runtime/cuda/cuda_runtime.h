// CUDA C++ for the instrumented build: built-ins, intrinsics, atomics and the mathematics of device code.
#pragma once
#include "../simt.h"
#include "numbers.h"

#define __restrict__ __restrict
#define SIMT_SEEN __attribute__((no_sanitize("coverage"), no_sanitize("bounds"), noinline))

struct uint3;
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
// Copying a wide one is a single access that wants its alignment, which a plain structure's copy would not show.
#define SIMT_COPIED(V, align, copies)                                                                          \
  V() = default;                                                                                               \
  SIMT_HIDDEN constexpr V(const V &o) { if (!__builtin_is_constant_evaluated()) simt_wide(&o, sizeof(V), align, 0); copies; } \
  SIMT_HIDDEN constexpr V &operator=(const V &o) {                                                              \
    if (!__builtin_is_constant_evaluated()) { simt_wide(&o, sizeof(V), align, 0); simt_wide(this, sizeof(V), align, 1); } \
    copies; return *this; }
#define SIMT_STRUCTS(T, S, a2, a4)                                                                             \
  struct T##1 { S x; };                                                                                        \
  struct alignas(a2) T##2 { S x, y; constexpr T##2(S a, S b) : x(a), y(b) {} SIMT_COPIED(T##2, a2, (x = o.x, y = o.y)) }; \
  struct T##3 { S x, y, z; };                                                                                  \
  struct alignas(a4) T##4 { S x, y, z, w; constexpr T##4(S a, S b, S c, S d) : x(a), y(b), z(c), w(d) {} SIMT_COPIED(T##4, a4, (x = o.x, y = o.y, z = o.z, w = o.w)) }; \
  static SIMT_QUIET constexpr T##1 make_##T##1(S x) { return {x}; }                                            \
  static SIMT_QUIET constexpr T##2 make_##T##2(S x, S y) { return {x, y}; }                                    \
  static SIMT_QUIET constexpr T##3 make_##T##3(S x, S y, S z) { return {x, y, z}; }                            \
  static SIMT_QUIET constexpr T##4 make_##T##4(S x, S y, S z, S w) { return {x, y, z, w}; }
SIMT_STRUCTS(float, float, 8, 16) SIMT_STRUCTS(int, int, 8, 16) SIMT_STRUCTS(uint, unsigned, 8, 16) SIMT_STRUCTS(double, double, 16, 16)
SIMT_STRUCTS(char, signed char, 2, 4) SIMT_STRUCTS(uchar, unsigned char, 2, 4) SIMT_STRUCTS(short, short, 4, 8) SIMT_STRUCTS(ushort, unsigned short, 4, 8)
SIMT_STRUCTS(long, long, 16, 16) SIMT_STRUCTS(ulong, unsigned long, 16, 16) SIMT_STRUCTS(longlong, long long, 16, 16) SIMT_STRUCTS(ulonglong, unsigned long long, 16, 16)

static SIMT_QUIET uint3 simt_thread_idx() { return {simt_thread_in_group(0), simt_thread_in_group(1), simt_thread_in_group(2)}; }
static SIMT_QUIET uint3 simt_block_idx() { return {simt_group_in_grid(0), simt_group_in_grid(1), simt_group_in_grid(2)}; }
static SIMT_QUIET dim3 simt_block_dim() { return {simt_group_asked(0), simt_group_asked(1), simt_group_asked(2)}; }
static SIMT_QUIET dim3 simt_grid_dim() { return {simt_groups(0), simt_groups(1), simt_groups(2)}; }
#define threadIdx simt_thread_idx()
#define blockIdx simt_block_idx()
#define blockDim simt_block_dim()
#define gridDim simt_grid_dim()
#define warpSize 32

// Barriers and fences.
static SIMT_HIDDEN void __syncthreads(simt_u32 site = SIMT_HERE) { simt_barrier(3, site, 0); }
static SIMT_HIDDEN int __syncthreads_count(int p, simt_u32 site = SIMT_HERE) { simt_barrier(3, site, p); return simt_barrier_votes(); }
static SIMT_HIDDEN int __syncthreads_or(int p, simt_u32 site = SIMT_HERE) { simt_barrier(3, site, p); return simt_barrier_votes() != 0; }
static SIMT_HIDDEN int __syncthreads_and(int p, simt_u32 site = SIMT_HERE) { simt_barrier(3, site, !p); return simt_barrier_votes() == 0; }
static SIMT_HIDDEN void __syncwarp(unsigned mask = ~0u, simt_u32 site = SIMT_HERE) { simt_simd_barrier(3, site, mask); }
static SIMT_HIDDEN void __threadfence() { simt_fence(); }
static SIMT_HIDDEN void __threadfence_system() { simt_fence(); }
static SIMT_HIDDEN void __threadfence_block() {}

// Warp intrinsics: the mask is a promise on who comes.
template <class T> static SIMT_HIDDEN T simt_lane_value(const simt_lanes &k, unsigned mask, int lane) {
  T v;
  if (lane >= 0 && lane < 32 && (mask >> lane & 1u) && (k.active >> lane & 1u)) __builtin_memcpy(&v, k.value[lane], sizeof v);
  else simt_undefined_lane(&v, sizeof v, (simt_u32)lane);
  return v;
}
#define SIMT_SHFL(name, second, from)                                                                          \
  template <class T> static SIMT_HIDDEN T name(unsigned mask, T v, second d, int width = 32, simt_u32 site = SIMT_HERE) { \
    const simt_lanes &k = *simt_exchange(&v, sizeof v, site, mask);                                                   \
    int me = (int)simt_lane(), low = me / width * width, high = low + width, s = (from);                       \
    (void)high;                                                                                                \
    return s < 0 ? v : simt_lane_value<T>(k, mask, s); }
SIMT_SHFL(__shfl_sync, int, low + (((int)d % width) + width) % width) SIMT_SHFL(__shfl_up_sync, unsigned, me - (int)d < low ? -1 : me - (int)d)
SIMT_SHFL(__shfl_down_sync, unsigned, me + (int)d >= high ? -1 : me + (int)d) SIMT_SHFL(__shfl_xor_sync, int, (me ^ (int)d) >= high ? -1 : (me ^ (int)d))
static SIMT_HIDDEN unsigned simt_votes(unsigned mask, int p, simt_u32 site, unsigned &came) {
  unsigned char b = p != 0;
  const simt_lanes &k = *simt_exchange(&b, 1, site, mask);
  unsigned r = 0;
  for (unsigned i = 0; i < 32; i++) if ((k.active & mask) >> i & 1u && k.value[i][0]) r |= 1u << i;
  came = k.active & mask;
  return r;
}
static SIMT_HIDDEN unsigned __ballot_sync(unsigned mask, int p, simt_u32 site = SIMT_HERE) { unsigned a = 0; return simt_votes(mask, p, site, a); }
static SIMT_HIDDEN int __any_sync(unsigned mask, int p, simt_u32 site = SIMT_HERE) { unsigned a = 0; return simt_votes(mask, p, site, a) != 0; }
static SIMT_HIDDEN int __all_sync(unsigned mask, int p, simt_u32 site = SIMT_HERE) { unsigned a = 0, r = simt_votes(mask, p, site, a); return r == a; }
static SIMT_HIDDEN unsigned __activemask() { return simt_active_subset(); }   // who is converged is for nobody to know: the caller is
template <class T> static SIMT_HIDDEN unsigned __match_any_sync(unsigned mask, T v, simt_u32 site = SIMT_HERE) {
  const simt_lanes &k = *simt_exchange(&v, sizeof v, site, mask);
  unsigned r = 0;
  for (unsigned i = 0; i < 32; i++) if ((k.active & mask) >> i & 1u && __builtin_memcmp(k.value[i], &v, sizeof v) == 0) r |= 1u << i;
  return r;
}
template <class T> static SIMT_HIDDEN unsigned __match_all_sync(unsigned mask, T v, int *pred, simt_u32 site = SIMT_HERE) {
  unsigned r = __match_any_sync(mask, v, site);
  simt_write(pred, sizeof *pred);
  *pred = r == mask;
  return r == mask ? mask : 0;
}
#define SIMT_REDUCE_SYNC(name, e)                                                                              \
  template <class T> static SIMT_HIDDEN T name(unsigned mask, T v, simt_u32 site = SIMT_HERE) {                 \
    const simt_lanes &k = *simt_exchange(&v, sizeof v, site, mask); bool any = false; T a = v;                        \
    for (unsigned i = 0; i < 32; i++) if ((k.active & mask) >> i & 1u) { T b; __builtin_memcpy(&b, k.value[i], sizeof b); if (any) a = (e); else { a = b; any = true; } } \
    return a; }
SIMT_REDUCE_SYNC(__reduce_add_sync, a + b) SIMT_REDUCE_SYNC(__reduce_min_sync, b < a ? b : a) SIMT_REDUCE_SYNC(__reduce_max_sync, a < b ? b : a)
SIMT_REDUCE_SYNC(__reduce_and_sync, a &b) SIMT_REDUCE_SYNC(__reduce_or_sync, a | b) SIMT_REDUCE_SYNC(__reduce_xor_sync, a ^ b)

// Atomics are relaxed and give the old value.
#define SIMT_ATOMIC(name, e)                                                                                   \
  template <class T, class U> static SIMT_HIDDEN T name(T *p, U w) { simt_atomic(p, sizeof *p, 0); T o = *p, v = (T)w; *p = (T)(e); return o; } \
  template <class T, class U> static SIMT_HIDDEN T name##_block(T *p, U w) { return name(p, w); }               \
  template <class T, class U> static SIMT_HIDDEN T name##_system(T *p, U w) { return name(p, w); }
SIMT_ATOMIC(atomicAdd, o + v) SIMT_ATOMIC(atomicExch, v)
#define SIMT_WHOLE template <class T, class U> requires(__is_integral(T)) static SIMT_HIDDEN T
SIMT_WHOLE atomicSub(T *p, U w) { return atomicAdd(p, (T)-(T)w); }
SIMT_WHOLE atomicMin(T *p, U w) { simt_atomic(p, sizeof *p, 0); T o = *p, v = (T)w; *p = v < o ? v : o; return o; }
SIMT_WHOLE atomicMax(T *p, U w) { simt_atomic(p, sizeof *p, 0); T o = *p, v = (T)w; *p = o < v ? v : o; return o; }
#define SIMT_SCOPES(n) template <class T, class U> static SIMT_HIDDEN T n##_block(T *p, U w) { return n(p, w); } template <class T, class U> static SIMT_HIDDEN T n##_system(T *p, U w) { return n(p, w); }
SIMT_WHOLE atomicAnd(T *p, U w) { simt_atomic(p, sizeof *p, 0); T o = *p; *p = o & (T)w; return o; }
SIMT_WHOLE atomicOr(T *p, U w) { simt_atomic(p, sizeof *p, 0); T o = *p; *p = o | (T)w; return o; }
SIMT_WHOLE atomicXor(T *p, U w) { simt_atomic(p, sizeof *p, 0); T o = *p; *p = o ^ (T)w; return o; }
static SIMT_HIDDEN unsigned atomicInc(unsigned *p, unsigned b) { simt_atomic(p, 4, 0); unsigned o = *p; *p = o >= b ? 0 : o + 1; return o; }
static SIMT_HIDDEN unsigned atomicDec(unsigned *p, unsigned b) { simt_atomic(p, 4, 0); unsigned o = *p; *p = o == 0 || o > b ? b : o - 1; return o; }
template <class T, class U, class V> requires(__is_integral(T)) static SIMT_HIDDEN T atomicCAS(T *p, U expected, V desired) { simt_atomic(p, sizeof *p, 0); T o = *p; if (o == (T)expected) *p = (T)desired; return o; }

SIMT_SCOPES(atomicSub) SIMT_SCOPES(atomicMin) SIMT_SCOPES(atomicMax) SIMT_SCOPES(atomicAnd) SIMT_SCOPES(atomicOr) SIMT_SCOPES(atomicXor)

template <class T> static SIMT_SEEN T __ldlu(const T *p) { return *p; }
template <class T> static SIMT_SEEN T __ldcv(const T *p) { return *p; }
template <class T> static SIMT_SEEN void __stwb(T *p, T v) { *p = v; }
template <class T> static SIMT_SEEN void __stwt(T *p, T v) { *p = v; }
template <class T> static SIMT_SEEN T __ldg(const T *p) { return *p; }
template <class T> static SIMT_SEEN T __ldcg(const T *p) { return *p; }
template <class T> static SIMT_SEEN T __ldcs(const T *p) { return *p; }
template <class T> static SIMT_SEEN T __ldca(const T *p) { return *p; }
template <class T> static SIMT_SEEN void __stcg(T *p, T v) { *p = v; }
template <class T> static SIMT_SEEN void __stcs(T *p, T v) { *p = v; }

static SIMT_HIDDEN void *memcpy(void *d, const void *s, size_t n) {
  for (size_t i = 0; i < n; i += 16) { unsigned k = n - i < 16 ? (unsigned)(n - i) : 16u; simt_read((const char *)s + i, k); simt_write((char *)d + i, k); }
  return __builtin_memcpy(d, s, n);
}
static SIMT_HIDDEN void *memset(void *d, int c, size_t n) {
  for (size_t i = 0; i < n; i += 16) simt_write((char *)d + i, n - i < 16 ? (unsigned)(n - i) : 16u);
  return __builtin_memset(d, c, n);
}
static SIMT_QUIET __half2 __float22half2_rn(float2 v) { return {__half(v.x), __half(v.y)}; }
static SIMT_QUIET float2 __half22float2(__half2 v) { return make_float2(v.x, v.y); }
static SIMT_QUIET __nv_bfloat162 __float22bfloat162_rn(float2 v) { return {__nv_bfloat16(v.x), __nv_bfloat16(v.y)}; }
static SIMT_QUIET float2 __bfloat1622float2(__nv_bfloat162 v) { return make_float2(v.x, v.y); }
#include "library.h"
template <class... A> static SIMT_HIDDEN int printf(const char *, A...) { return (int)sizeof...(A); }
#define assert(x) ((x) ? (void)0 : simt_assertion(__LINE__))
static SIMT_HIDDEN void __trap(simt_u32 line = __builtin_LINE()) { simt_assertion(line); }
static SIMT_HIDDEN long long clock64() { return 0; }
static SIMT_HIDDEN int clock() { return 0; }
static SIMT_HIDDEN void __nanosleep(unsigned) {}

#include "groups.h"
