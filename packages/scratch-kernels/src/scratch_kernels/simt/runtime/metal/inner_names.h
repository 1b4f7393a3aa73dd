// Names inside Apple's own standard library that public kernels reach for, to make functions of bfloat out of them.
#pragma once

#define __METAL_FAST_MATH__ 1
#define __METAL_PRECISE_MATH__ 0
#define __METAL_MAYBE_FAST_MATH__ 0
#define SIMT_INNER1(n) static SIMT_QUIET float __metal_##n(float x, bool) { return metal::n(x); }
SIMT_INNER1(acos) SIMT_INNER1(acosh) SIMT_INNER1(asin) SIMT_INNER1(asinh) SIMT_INNER1(atan) SIMT_INNER1(atanh) SIMT_INNER1(ceil) SIMT_INNER1(cos) SIMT_INNER1(cosh)
SIMT_INNER1(cospi) SIMT_INNER1(exp) SIMT_INNER1(exp10) SIMT_INNER1(exp2) SIMT_INNER1(fabs) SIMT_INNER1(floor) SIMT_INNER1(fract) SIMT_INNER1(log) SIMT_INNER1(log10)
SIMT_INNER1(log2) SIMT_INNER1(rint) SIMT_INNER1(round) SIMT_INNER1(rsqrt) SIMT_INNER1(sin) SIMT_INNER1(sinh) SIMT_INNER1(sinpi) SIMT_INNER1(sqrt) SIMT_INNER1(tan)
SIMT_INNER1(tanh) SIMT_INNER1(tanpi) SIMT_INNER1(trunc)
#define SIMT_INNER2(n) static SIMT_QUIET float __metal_##n(float x, float y, bool = false) { return metal::n(x, y); }
SIMT_INNER2(atan2) SIMT_INNER2(divide) SIMT_INNER2(fmax) SIMT_INNER2(fmin) SIMT_INNER2(fmod) SIMT_INNER2(nextafter) SIMT_INNER2(pow) SIMT_INNER2(powr)
#define SIMT_INNER3(n) static SIMT_QUIET float __metal_##n(float x, float y, float z, bool = false) { return metal::n(x, y, z); }
SIMT_INNER3(fma) SIMT_INNER3(fmax3) SIMT_INNER3(fmin3) SIMT_INNER3(fmedian3)
static SIMT_QUIET float __metal_ldexp(float x, int e, bool) { return metal::ldexp(x, e); }
static SIMT_SEEN float __metal_frexp(float x, int *e) { int k = 0; float r = metal::frexp(x, k); *e = k; return r; }
static SIMT_QUIET ushort __metal_get_simdgroup_size(ushort) { return 32; }
static SIMT_QUIET ushort __metal_get_thread_index_in_simdgroup(ushort) { return (ushort)simt_lane(); }
#define SIMT_INNER_FOLD(n) template <class T> static SIMT_HIDDEN T __metal_simd_##n(T x, simt_u32 site = SIMT_HERE) { return metal::simd_##n(x, site); }
SIMT_INNER_FOLD(sum) SIMT_INNER_FOLD(product) SIMT_INNER_FOLD(min) SIMT_INNER_FOLD(max) SIMT_INNER_FOLD(prefix_inclusive_sum) SIMT_INNER_FOLD(prefix_exclusive_sum)
SIMT_INNER_FOLD(prefix_inclusive_product) SIMT_INNER_FOLD(prefix_exclusive_product)
static SIMT_HIDDEN int __metal_simd_xor(int x, simt_u32 site = SIMT_HERE) { return metal::simd_xor(x, site); }
#define SIMT_INNER_MOVE(n) template <class T> static SIMT_HIDDEN T __metal_simd_##n(T x, ushort k, simt_u32 site = SIMT_HERE) { return metal::simd_##n(x, k, site); }
SIMT_INNER_MOVE(broadcast) SIMT_INNER_MOVE(shuffle) SIMT_INNER_MOVE(shuffle_up) SIMT_INNER_MOVE(shuffle_down) SIMT_INNER_MOVE(shuffle_xor) SIMT_INNER_MOVE(shuffle_rotate_up)
SIMT_INNER_MOVE(shuffle_rotate_down)
#define SIMT_INNER_FILL(n) template <class T> static SIMT_HIDDEN T __metal_simd_##n(T x, T fill, ushort k, ushort modulo, simt_u32 site = SIMT_HERE) { return metal::simd_##n(x, fill, k, modulo, site); }
SIMT_INNER_FILL(shuffle_and_fill_up) SIMT_INNER_FILL(shuffle_and_fill_down)
