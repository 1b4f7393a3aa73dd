// Barriers, atomics, SIMD-group and quad-group functions, simdgroup matrices.
#pragma once
#include "math.h"

namespace metal {
enum class mem_flags : uint { mem_none = 0, mem_device = 1, mem_threadgroup = 2, mem_texture = 4, mem_threadgroup_imageblock = 8, mem_object_data = 16 };
constexpr mem_flags operator|(mem_flags a, mem_flags b) { return (mem_flags)((uint)a | (uint)b); }
constexpr mem_flags operator&(mem_flags a, mem_flags b) { return (mem_flags)((uint)a & (uint)b); }
enum memory_order { memory_order_relaxed = 0, memory_order_acquire = 2, memory_order_release = 3, memory_order_acq_rel = 4, memory_order_seq_cst = 5 };
enum thread_scope { thread_scope_thread = 0, thread_scope_threadgroup = 1, thread_scope_device = 2, thread_scope_simdgroup = 4 };

static SIMT_HIDDEN void threadgroup_barrier(mem_flags f, simt_u32 site = SIMT_HERE) { simt_barrier((uint)f & 3u, site, 0); }
static SIMT_HIDDEN void threadgroup_barrier(mem_flags f, thread_scope, simt_u32 site = SIMT_HERE) { simt_barrier((uint)f & 3u, site, 0); }
static SIMT_HIDDEN void simdgroup_barrier(mem_flags f, simt_u32 site = SIMT_HERE) { simt_simd_barrier((uint)f & 3u, site, ~0u); }
static SIMT_HIDDEN void simdgroup_barrier(mem_flags f, thread_scope, simt_u32 site = SIMT_HERE) { simt_simd_barrier((uint)f & 3u, site, ~0u); }
static SIMT_HIDDEN void atomic_thread_fence(mem_flags f, memory_order, thread_scope = thread_scope_device) { if ((uint)f & 1u) simt_fence(); }

// Atomics: only what the language has. `T` is plain memory of its size.
template <class T> struct atomic { T simt_held; };
typedef atomic<int> atomic_int;
typedef atomic<uint> atomic_uint;
typedef atomic<bool> atomic_bool;
typedef atomic<float> atomic_float;
typedef atomic<ulong> atomic_ulong;
template <class T> T simt_held_type(const volatile atomic<T> *);
template <class A, class V> static SIMT_HIDDEN void atomic_store_explicit(A *p, V v, memory_order) { simt_atomic((const void *)p, sizeof *p, 2); p->simt_held = (decltype(p->simt_held))v; }
template <class A> static SIMT_HIDDEN auto atomic_load_explicit(const A *p, memory_order) { simt_atomic((const void *)p, sizeof *p, 1); return (decltype(simt_held_type(p)))p->simt_held; }
#define SIMT_RMW(name, e)                                                                                      \
  template <class A, class V> static SIMT_HIDDEN auto name(A *p, V w, memory_order) {                           \
    typedef decltype(simt_held_type(p)) T;                                                                     \
    simt_atomic((const void *)p, sizeof *p, 0);                                                                \
    T o = p->simt_held, v = (T)w;                                                                              \
    p->simt_held = (T)(e);                                                                                     \
    return o;                                                                                                  \
  }
SIMT_RMW(atomic_exchange_explicit, v) SIMT_RMW(atomic_fetch_add_explicit, o + v) SIMT_RMW(atomic_fetch_sub_explicit, o - v)
#define SIMT_RMW_INT(name, e)                                                                                  \
  template <class A, class V> requires(!simt_floating<decltype(simt_held_type((A *)0))>) static SIMT_HIDDEN auto name(A *p, V w, memory_order) { \
    typedef decltype(simt_held_type(p)) T;                                                                     \
    simt_atomic((const void *)p, sizeof *p, 0);                                                                \
    T o = p->simt_held, v = (T)w;                                                                              \
    p->simt_held = (T)(e);                                                                                     \
    return o;                                                                                                  \
  }
SIMT_RMW_INT(atomic_fetch_and_explicit, o &v) SIMT_RMW_INT(atomic_fetch_or_explicit, o | v) SIMT_RMW_INT(atomic_fetch_xor_explicit, o ^ v)
SIMT_RMW_INT(atomic_fetch_min_explicit, v < o ? v : o) SIMT_RMW_INT(atomic_fetch_max_explicit, o < v ? v : o)
template <class A, class V> static SIMT_HIDDEN void atomic_min_explicit(A *p, V v, memory_order o) { atomic_fetch_min_explicit(p, v, o); }
template <class A, class V> static SIMT_HIDDEN void atomic_max_explicit(A *p, V v, memory_order o) { atomic_fetch_max_explicit(p, v, o); }
template <class A, class E, class V> static SIMT_HIDDEN bool atomic_compare_exchange_weak_explicit(A *p, E *expected, V desired, memory_order, memory_order) {
  typedef decltype(simt_held_type(p)) T;
  simt_atomic((const void *)p, sizeof *p, 0);
  simt_read(expected, sizeof *expected);
  T now = p->simt_held, want = (T)*expected;
  if (__builtin_memcmp(&now, &want, sizeof(T)) == 0 && !simt_spurious()) { p->simt_held = (T)desired; return true; }
  simt_write(expected, sizeof *expected);
  *expected = now;
  return false;
}

// SIMD-group functions work on the lanes that are active where they stand.
template <class T> constexpr bool simt_lane_type = sizeof(T) <= 64;
template <class T> static SIMT_HIDDEN T simt_of(const simt_lanes *l, uint lane) { T v; __builtin_memcpy(&v, l->value[lane], sizeof v); return v; }
template <class T> static SIMT_HIDDEN T simt_from(const simt_lanes *l, uint lane) {
  T v;
  if (lane < 32 && (l->active >> lane & 1u)) __builtin_memcpy(&v, l->value[lane], sizeof v);
  else simt_undefined_lane(&v, sizeof v, lane);
  return v;
}
#define SIMT_REDUCE(name, e)                                                                                   \
  template <class T> static SIMT_HIDDEN T simd_##name(T x, simt_u32 site = SIMT_HERE) {                         \
    const simt_lanes &k = *simt_exchange(&x, sizeof x, site, ~0u); bool any = false; T a = x;                  \
    for (uint i = 0; i < 32; i++) if (k.active >> i & 1u) { T b = simt_of<T>(&k, i); if (any) a = (T)(e); else { a = b; any = true; } } \
    return a; }                                                                                                \
  template <class T> static SIMT_HIDDEN T quad_##name(T x, simt_u32 site = SIMT_HERE) {                         \
    const simt_lanes &k = *simt_exchange(&x, sizeof x, site, ~0u); uint q = simt_lane() & ~3u; bool any = false; T a = x; \
    for (uint i = q; i < q + 4; i++) if (k.active >> i & 1u) { T b = simt_of<T>(&k, i); if (any) a = (T)(e); else { a = b; any = true; } } \
    return a; }
SIMT_REDUCE(sum, a + b) SIMT_REDUCE(product, a *b) SIMT_REDUCE(max, max(a, b)) SIMT_REDUCE(min, min(a, b)) SIMT_REDUCE(and, a &b) SIMT_REDUCE(or, a | b) SIMT_REDUCE(xor, a ^ b)
#define SIMT_PREFIX(name, start, e)                                                                            \
  template <class T> static SIMT_HIDDEN T simd_prefix_inclusive_##name(T x, simt_u32 site = SIMT_HERE) {        \
    const simt_lanes &k = *simt_exchange(&x, sizeof x, site, ~0u); uint me = simt_lane(); T a = (T)(start);           \
    for (uint i = 0; i <= me; i++) if (k.active >> i & 1u) { T b = simt_of<T>(&k, i); a = (T)(e); } return a; } \
  template <class T> static SIMT_HIDDEN T simd_prefix_exclusive_##name(T x, simt_u32 site = SIMT_HERE) {        \
    const simt_lanes &k = *simt_exchange(&x, sizeof x, site, ~0u); uint me = simt_lane(); T a = (T)(start);           \
    for (uint i = 0; i < me; i++) if (k.active >> i & 1u) { T b = simt_of<T>(&k, i); a = (T)(e); } return a; }
SIMT_PREFIX(sum, 0, a + b) SIMT_PREFIX(product, 1, a *b)
#define SIMT_SHUFFLE(name, from)                                                                               \
  template <class T> static SIMT_HIDDEN T simd_##name(T x, ushort d, simt_u32 site = SIMT_HERE) {               \
    const simt_lanes &k = *simt_exchange(&x, sizeof x, site, ~0u); uint me = simt_lane(); (void)me; return simt_from<T>(&k, (uint)(from)); }
SIMT_SHUFFLE(shuffle, d) SIMT_SHUFFLE(shuffle_xor, me ^ d) SIMT_SHUFFLE(shuffle_up, (int)me - (int)d) SIMT_SHUFFLE(shuffle_down, me + d)
SIMT_SHUFFLE(shuffle_rotate_up, (me - d) & 31u) SIMT_SHUFFLE(shuffle_rotate_down, (me + d) & 31u) SIMT_SHUFFLE(broadcast, d)
#define SIMT_QUAD(name, from)                                                                                  \
  template <class T> static SIMT_HIDDEN T quad_##name(T x, ushort d, simt_u32 site = SIMT_HERE) {               \
    const simt_lanes &k = *simt_exchange(&x, sizeof x, site, ~0u); uint me = simt_lane(), q = me & ~3u, in = me & 3u; (void)in; uint s = (uint)(from); return simt_from<T>(&k, s > 3 ? 99u : q + s); }
SIMT_QUAD(shuffle, d) SIMT_QUAD(shuffle_xor, in ^ d) SIMT_QUAD(shuffle_up, (int)in - (int)d) SIMT_QUAD(shuffle_down, in + d) SIMT_QUAD(broadcast, d)
SIMT_QUAD(shuffle_rotate_up, (in - d) & 3u) SIMT_QUAD(shuffle_rotate_down, (in + d) & 3u)
template <class T> static SIMT_HIDDEN T simd_shuffle_and_fill_up(T x, T fill, ushort d, ushort modulo = 32, simt_u32 site = SIMT_HERE) {
  T both[2] = {x, fill};
  const simt_lanes &k = *simt_exchange(both, sizeof both, site, ~0u);
  uint me = simt_lane(), base = me / modulo * modulo, in = me % modulo;
  if (in >= d) return simt_from<T>(&k, base + in - d);
  uint s = base + modulo - d + in;
  T v;
  if (s < 32 && (k.active >> s & 1u)) __builtin_memcpy(&v, k.value[s] + sizeof(T), sizeof v);
  else simt_undefined_lane(&v, sizeof v, s);
  return v;
}
template <class T> static SIMT_HIDDEN T simd_shuffle_and_fill_down(T x, T fill, ushort d, ushort modulo = 32, simt_u32 site = SIMT_HERE) {
  T both[2] = {x, fill};
  const simt_lanes &k = *simt_exchange(both, sizeof both, site, ~0u);
  uint me = simt_lane(), base = me / modulo * modulo, in = me % modulo;
  if (in + d < modulo) return simt_from<T>(&k, me + d);
  uint s = base + in + d - modulo;
  T v;
  if (s < 32 && (k.active >> s & 1u)) __builtin_memcpy(&v, k.value[s] + sizeof(T), sizeof v);
  else simt_undefined_lane(&v, sizeof v, s);
  return v;
}
template <class T> static SIMT_HIDDEN T simd_broadcast_first(T x, simt_u32 site = SIMT_HERE) { const simt_lanes &k = *simt_exchange(&x, sizeof x, site, ~0u); return simt_of<T>(&k, __builtin_ctz(k.active)); }
struct simd_vote {
  typedef ulong vote_t;
  ulong held;
  uint full;
  explicit operator vote_t() const { return held; }
  bool all() const { return held == full; }
  bool any() const { return held != 0; }
};
static SIMT_HIDDEN uint simt_vote(bool p, simt_u32 site, uint &active) {
  const simt_lanes &k = *simt_exchange(&p, 1, site, ~0u);
  uint r = 0;
  for (uint i = 0; i < 32; i++) if ((k.active >> i & 1u) && k.value[i][0]) r |= 1u << i;
  active = k.active;
  return r;
}
static SIMT_HIDDEN simd_vote simd_ballot(bool p, simt_u32 site = SIMT_HERE) { uint a = 0, r = simt_vote(p, site, a); return simd_vote{r, a}; }
static SIMT_HIDDEN simd_vote simd_active_threads_mask(simt_u32 site = SIMT_HERE) { uint a = 0; simt_vote(true, site, a); return simd_vote{a, a}; }
static SIMT_HIDDEN bool simd_all(bool p, simt_u32 site = SIMT_HERE) { uint a = 0, r = simt_vote(p, site, a); return r == a; }
static SIMT_HIDDEN bool simd_any(bool p, simt_u32 site = SIMT_HERE) { uint a = 0; return simt_vote(p, site, a) != 0; }
static SIMT_HIDDEN bool simd_is_first(simt_u32 site = SIMT_HERE) { uint a = 0; simt_vote(true, site, a); return __builtin_ctz(a) == (int)simt_lane(); }
static SIMT_HIDDEN bool simd_is_helper_thread() { return false; }
static SIMT_HIDDEN bool quad_all(bool p, simt_u32 site = SIMT_HERE) { uint a = 0, r = simt_vote(p, site, a), m = 15u << (simt_lane() & ~3u); return (r & m) == (a & m); }
static SIMT_HIDDEN bool quad_any(bool p, simt_u32 site = SIMT_HERE) { uint a = 0, r = simt_vote(p, site, a), m = 15u << (simt_lane() & ~3u); return (r & m) != 0; }

// simdgroup_matrix: two elements a lane, placed as kernels that use thread_elements() expect.
static SIMT_QUIET uint simt_row(uint lane) { return ((lane / 4) & 4u) + (lane / 2) % 4; }
static SIMT_QUIET uint simt_column(uint lane) { return ((lane / 4) & 2u) * 2 + (lane % 2) * 2; }
template <class T, int C = 8, int R = 8> struct simdgroup_matrix {
  typedef vec<T, 2> storage;
  storage held;
  simdgroup_matrix() = default;
  SIMT_HIDDEN explicit simdgroup_matrix(T diagonal) { uint l = simt_lane(); held[0] = simt_row(l) == simt_column(l) ? diagonal : (T)0; held[1] = simt_row(l) == simt_column(l) + 1 ? diagonal : (T)0; }
  __attribute__((no_sanitize("coverage"))) storage &thread_elements() { return held; }
  __attribute__((no_sanitize("coverage"))) const storage &thread_elements() const { return held; }
};
typedef simdgroup_matrix<float, 8, 8> simdgroup_float8x8;
typedef simdgroup_matrix<simt_half, 8, 8> simdgroup_half8x8;
template <class T, int C, int R = C, class V> static SIMT_HIDDEN simdgroup_matrix<T, C, R> make_filled_simdgroup_matrix(V v) { simdgroup_matrix<T, C, R> m; m.held[0] = m.held[1] = (T)v; return m; }
template <class T, class P> static SIMT_SEEN void simdgroup_load(simdgroup_matrix<T, 8, 8> &m, const P *p, ulong stride = 8, ulong2 origin = ulong2{0, 0}, bool transpose = false) {
  ulong r = simt_row(simt_lane()), c = simt_column(simt_lane());
  for (ulong k = 0; k < 2; k++) { ulong i = transpose ? c + k : r, j = transpose ? r : c + k; m.held[k] = (T)p[(i + origin[1]) * stride + j + origin[0]]; }
}
template <class T, class P> static SIMT_SEEN void simdgroup_store(simdgroup_matrix<T, 8, 8> m, P *p, ulong stride = 8, ulong2 origin = ulong2{0, 0}, bool transpose = false) {
  ulong r = simt_row(simt_lane()), c = simt_column(simt_lane());
  for (ulong k = 0; k < 2; k++) { ulong i = transpose ? c + k : r, j = transpose ? r : c + k; p[(i + origin[1]) * stride + j + origin[0]] = (P)m.held[k]; }
}
template <class D, class A, class B, class C> static SIMT_HIDDEN void simdgroup_multiply_accumulate(simdgroup_matrix<D, 8, 8> &d, simdgroup_matrix<A, 8, 8> a, simdgroup_matrix<B, 8, 8> b, simdgroup_matrix<C, 8, 8> c, simt_u32 site = SIMT_HERE) {
  float mine[4] = {(float)a.held[0], (float)a.held[1], (float)b.held[0], (float)b.held[1]};
  const simt_lanes &k = *simt_exchange(mine, sizeof mine, site, ~0u);
  uint me = simt_lane();
  float x[8], y[2][8];                   // my row of a, my two columns of b
  for (uint i = 0; i < 32; i++) {
    float v[4];
    if (k.active >> i & 1u) __builtin_memcpy(v, k.value[i], sizeof v);
    else simt_undefined_lane(v, sizeof v, i);
    uint row = i / 16 * 4 + i / 2 % 4, column = i / 8 % 2 * 4 + i % 2 * 2;
    if (row == me / 16 * 4 + me / 2 % 4) { x[column] = v[0]; x[column + 1] = v[1]; }
    if (column == me / 8 % 2 * 4 + me % 2 * 2) { y[0][row] = v[2]; y[1][row] = v[3]; }
  }
  for (uint e = 0; e < 2; e++) { float s = (float)c.held[e]; for (uint j = 0; j < 8; j++) s += x[j] * y[e][j]; d.held[e] = (D)s; }
}
template <class D, class A, class B> static SIMT_HIDDEN void simdgroup_multiply(simdgroup_matrix<D, 8, 8> &d, simdgroup_matrix<A, 8, 8> a, simdgroup_matrix<B, 8, 8> b, simt_u32 site = SIMT_HERE) {
  simdgroup_matrix<D, 8, 8> zero;
  zero.held[0] = zero.held[1] = (D)0;
  simdgroup_multiply_accumulate(d, a, b, zero, site);
}
template <class T> static SIMT_HIDDEN simdgroup_matrix<T, 8, 8> operator*(simdgroup_matrix<T, 8, 8> a, simdgroup_matrix<T, 8, 8> b) { simdgroup_matrix<T, 8, 8> d; simdgroup_multiply(d, a, b, 1u); return d; }
}  // namespace metal
