// metal_math, metal_common, metal_integer, metal_relational, metal_geometric.
#pragma once
#include "types.h"

namespace metal {

template <class A, class B> struct simt_pair {
  typedef typename simt_if<simt_is_vector<A>, A, typename simt_if<simt_is_vector<B>, B, decltype(simt_value<typename simt_if<simt_is_vector<A>, int, A>::type>() + simt_value<typename simt_if<simt_is_vector<B>, int, B>::type>())>::type>::type type;
};
template <class A> struct simt_pair<A, A> { typedef A type; };
template <class T, int N, class B> struct simt_pair<simt_packed<T, N>, B> { typedef vec<T, N> type; };
template <class T, int N, class A> struct simt_pair<A, simt_packed<T, N>> { typedef vec<T, N> type; };
template <class T, int N, class M, int K> struct simt_pair<simt_packed<T, N>, simt_packed<M, K>> { typedef vec<T, N> type; };
template <class A, class B> using simt_common = typename simt_pair<A, B>::type;
template <class A, class B, class C> using simt_common3 = simt_common<simt_common<A, B>, C>;
template <class T> constexpr bool simt_plain = __is_integral(T) || simt_floating<T>;
template <class T> constexpr bool simt_number = simt_plain<T> || simt_shape<T>::n > 1;
template <class T> constexpr bool simt_real = simt_floating<simt_element<T>>;

template <class V, class F> static SIMT_QUIET V simt_each(V v, F f) {
  if constexpr (simt_is_vector<V>) { V r; SIMT_UNROLL for (int i = 0; i < simt_shape<V>::n; i++) r[i] = f(v[i]); return r; }
  else return f(v);
}
template <class V, class F> static SIMT_QUIET V simt_each(V a, V b, F f) {
  if constexpr (simt_is_vector<V>) { V r; SIMT_UNROLL for (int i = 0; i < simt_shape<V>::n; i++) r[i] = f(a[i], b[i]); return r; }
  else return f(a, b);
}

// The C library under other names, so that a kernel does not see functions its language lacks.
#define SIMT_LIBM1(n) extern "C" float simt_c_##n(float) __asm__(#n "f");
SIMT_LIBM1(exp) SIMT_LIBM1(exp2) SIMT_LIBM1(log) SIMT_LIBM1(log2) SIMT_LIBM1(log10) SIMT_LIBM1(sin) SIMT_LIBM1(cos) SIMT_LIBM1(tan)
SIMT_LIBM1(asin) SIMT_LIBM1(acos) SIMT_LIBM1(atan) SIMT_LIBM1(sinh) SIMT_LIBM1(cosh) SIMT_LIBM1(tanh) SIMT_LIBM1(asinh) SIMT_LIBM1(acosh)
SIMT_LIBM1(atanh)
#undef SIMT_LIBM1
extern "C" float simt_c_pow(float, float) __asm__("powf");
extern "C" float simt_c_fmod(float, float) __asm__("fmodf");
extern "C" float simt_c_atan2(float, float) __asm__("atan2f");
extern "C" float simt_c_fma(float, float, float) __asm__("fmaf");
extern "C" float simt_c_nextafter(float, float) __asm__("nextafterf");
extern "C" double simt_c_sin64(double) __asm__("sin");
extern "C" double simt_c_cos64(double) __asm__("cos");
extern "C" double simt_c_pow64(double, double) __asm__("pow");

// One argument: float gives float, half gives half, a vector goes element by element.
#define SIMT_F1(name, e)                                                                                       \
  static SIMT_QUIET float name(float x) { return e; }                                                          \
  static SIMT_QUIET simt_half name(simt_half h) { float x = (float)h; return (simt_half)(e); }                 \
  /* a template, so that a kernel's own function of bfloat, which the language leaves room for, is preferred */ \
  template <class T> requires(simt_same<T, simt_bfloat>) static SIMT_QUIET T name(T h) { float x = (float)h; return T((float)(e)); }                                                \
  template <class T, int N> requires(simt_floating<T>) static SIMT_QUIET vec<T, N> name(vec<T, N> v) {         \
    vec<T, N> r; SIMT_UNROLL for (int i = 0; i < N; i++) r[i] = name((T)v[i]); return r; }                                 \
  template <class T, int N> static SIMT_QUIET vec<T, N> name(simt_packed<T, N> v) { return name((vec<T, N>)v); }
static SIMT_QUIET float simt_sin_pi(float x) { return (float)simt_c_sin64(3.14159265358979323846 * __builtin_remainder((double)x, 2.0)); }
static SIMT_QUIET float simt_cos_pi(float x) { return (float)simt_c_cos64(3.14159265358979323846 * __builtin_remainder((double)x, 2.0)); }
SIMT_F1(exp, simt_c_exp(x)) SIMT_F1(exp2, simt_c_exp2(x)) SIMT_F1(exp10, (float)simt_c_pow64(10.0, (double)x)) SIMT_F1(log, simt_c_log(x)) SIMT_F1(log2, simt_c_log2(x))
SIMT_F1(log10, simt_c_log10(x)) SIMT_F1(sin, simt_c_sin(x)) SIMT_F1(cos, simt_c_cos(x)) SIMT_F1(tan, simt_c_tan(x)) SIMT_F1(asin, simt_c_asin(x)) SIMT_F1(acos, simt_c_acos(x))
SIMT_F1(atan, simt_c_atan(x)) SIMT_F1(sinh, simt_c_sinh(x)) SIMT_F1(cosh, simt_c_cosh(x)) SIMT_F1(tanh, simt_c_tanh(x)) SIMT_F1(asinh, simt_c_asinh(x))
SIMT_F1(acosh, simt_c_acosh(x)) SIMT_F1(atanh, simt_c_atanh(x)) SIMT_F1(sqrt, __builtin_sqrtf(x)) SIMT_F1(rsqrt, 1.0f / __builtin_sqrtf(x))
SIMT_F1(sinpi, simt_sin_pi(x)) SIMT_F1(cospi, simt_cos_pi(x)) SIMT_F1(tanpi, simt_sin_pi(x) / simt_cos_pi(x))
SIMT_F1(floor, __builtin_floorf(x)) SIMT_F1(ceil, __builtin_ceilf(x)) SIMT_F1(trunc, __builtin_truncf(x)) SIMT_F1(round, __builtin_roundf(x))
SIMT_F1(rint, __builtin_rintf(x)) SIMT_F1(fabs, __builtin_fabsf(x)) SIMT_F1(fract, __builtin_fminf(x - __builtin_floorf(x), 0x1.fffffep-1f))
SIMT_F1(sign, x > 0.f ? 1.f : x < 0.f ? -1.f : (x == 0.f ? x : 0.f)) SIMT_F1(saturate, __builtin_fminf(__builtin_fmaxf(x, 0.f), 1.f))

// Two and three arguments: mixed scalars and scalars beside vectors meet in their common type.
#define SIMT_F2(name, e)                                                                                       \
  template <class A, class B> requires(simt_number<A> && simt_number<B>) static SIMT_QUIET simt_common<A, B> name(A p, B q) { \
    typedef simt_common<A, B> R;                                                                               \
    return simt_each(simt_convert<R>(p), simt_convert<R>(q), [](auto a_, auto b_) SIMT_QUIET { float a = (float)a_, b = (float)b_; return (decltype(a_))(e); }); }
SIMT_F2(fmax, __builtin_fmaxf(a, b)) SIMT_F2(fmin, __builtin_fminf(a, b)) SIMT_F2(pow, simt_c_pow(a, b)) SIMT_F2(powr, a < 0.f ? __builtin_nanf("") : simt_c_pow(a, b))
SIMT_F2(fmod, simt_c_fmod(a, b)) SIMT_F2(atan2, simt_c_atan2(a, b)) SIMT_F2(copysign, __builtin_copysignf(a, b)) SIMT_F2(step, b < a ? 0.f : 1.f)
SIMT_F2(fdim, a > b ? a - b : (a != a || b != b ? __builtin_nanf("") : 0.f)) SIMT_F2(divide, a / b)
static SIMT_QUIET float nextafter(float a, float b) { return simt_c_nextafter(a, b); }

template <class T> static SIMT_QUIET constexpr T simt_max(T a, T b) { if constexpr (simt_floating<T>) { return b != b ? a : a != a ? b : a < b ? b : a; } else return a < b ? b : a; }
template <class T> static SIMT_QUIET constexpr T simt_min(T a, T b) { if constexpr (simt_floating<T>) { return b != b ? a : a != a ? b : b < a ? b : a; } else return b < a ? b : a; }
#define SIMT_PICK(name)                                                                                        \
  template <class A, class B> requires(simt_plain<A> && simt_plain<B>) static SIMT_QUIET constexpr simt_common<A, B> name(A a, B b) { typedef simt_common<A, B> R; return simt_##name<R>((R)a, (R)b); } \
  template <class A, class B> requires(simt_number<A> && simt_number<B> && (simt_shape<A>::n > 1 || simt_shape<B>::n > 1)) static SIMT_QUIET simt_common<A, B> name(A p, B q) { \
    typedef simt_common<A, B> R; typedef simt_element<R> E; return simt_each(simt_convert<R>(p), simt_convert<R>(q), [](E a, E b) SIMT_QUIET { return simt_##name<E>(a, b); }); }
SIMT_PICK(max) SIMT_PICK(min)
#define SIMT_3(name, e) template <class A, class B, class C> requires(simt_number<A> && simt_number<B> && simt_number<C>) static SIMT_QUIET constexpr auto name(A a, B b, C c) { return e; }
SIMT_3(max3, max(max(a, b), c)) SIMT_3(min3, min(min(a, b), c)) SIMT_3(fmax3, fmax(fmax(a, b), c)) SIMT_3(fmin3, fmin(fmin(a, b), c))
SIMT_3(median3, max(min(a, b), min(max(a, b), c))) SIMT_3(fmedian3, max(min(a, b), min(max(a, b), c)))
template <class X, class A, class B> requires(simt_number<X> && simt_number<A> && simt_number<B>) static SIMT_QUIET constexpr auto clamp(X x, A a, B b) {
  typedef simt_common3<X, A, B> R;
  if constexpr (simt_plain<R>) return simt_min<R>(simt_max<R>((R)x, (R)a), (R)b);
  else return min(max(simt_convert<R>(x), simt_convert<R>(a)), simt_convert<R>(b));
}
static SIMT_QUIET simt_half simt_fma(simt_half a, simt_half b, simt_half c) { return (simt_half)simt_c_fma((float)a, (float)b, (float)c); }
static SIMT_QUIET float simt_fma(float a, float b, float c) { return simt_c_fma(a, b, c); }
static SIMT_QUIET simt_bfloat simt_fma(simt_bfloat a, simt_bfloat b, simt_bfloat c) { return simt_bfloat(simt_c_fma(a, b, c)); }
template <class A, class B, class C> requires(simt_number<A> && simt_number<B> && simt_number<C>) static SIMT_QUIET auto fma(A p, B q, C s) {
  typedef simt_common3<A, B, C> R0;
  typedef typename simt_if<__is_integral(R0), float, R0>::type R;
  R a = simt_convert<R>(p), b = simt_convert<R>(q), c = simt_convert<R>(s);
  if constexpr (simt_is_vector<R>) { R r; SIMT_UNROLL for (int i = 0; i < simt_shape<R>::n; i++) r[i] = simt_fma((simt_element<R>)a[i], (simt_element<R>)b[i], (simt_element<R>)c[i]); return r; }
  else return simt_fma(a, b, c);
}
template <class A, class B, class T> requires(simt_number<A> && simt_number<B> && simt_number<T>) static SIMT_QUIET auto mix(A p, B q, T t) {
  typedef simt_common3<A, B, T> R;
  R a = simt_convert<R>(p), b = simt_convert<R>(q);
  return (R)(a + (b - a) * simt_convert<R>(t));
}
template <class A, class B, class X> requires(simt_number<A> && simt_number<B> && simt_number<X>) static SIMT_QUIET auto smoothstep(A p, B q, X x) {
  typedef simt_common3<A, B, X> R;
  R e0 = simt_convert<R>(p), e1 = simt_convert<R>(q);
  R t = saturate((R)((simt_convert<R>(x) - e0) / (e1 - e0)));
  return (R)(t * t * ((R)(simt_element<R>)3 - (R)(simt_element<R>)2 * t));
}
template <class T> requires(__is_integral(T)) static SIMT_QUIET constexpr T abs(T x) { return x < 0 ? (T)-x : x; }
static SIMT_QUIET constexpr float abs(float x) { return __builtin_fabsf(x); }
static SIMT_QUIET constexpr simt_half abs(simt_half x) { return (simt_half)__builtin_fabsf((float)x); }
template <class T> requires(simt_same<T, simt_bfloat>) static SIMT_QUIET T abs(T x) { return T(__builtin_fabsf((float)x)); }
template <class T, int N> static SIMT_QUIET vec<T, N> abs(vec<T, N> v) { vec<T, N> r; SIMT_UNROLL for (int i = 0; i < N; i++) r[i] = abs((T)v[i]); return r; }
template <class T> static SIMT_SEEN T sincos(T x, T &c) { c = cos(x); return sin(x); }
template <class T> static SIMT_SEEN T modf(T x, T &whole) { T w = trunc(x); whole = w; return x - w; }
static SIMT_SEEN float frexp(float x, int &e) { int k = 0; float r = __builtin_frexpf(x, &k); e = k; return r; }
static SIMT_QUIET float ldexp(float x, int e) { return __builtin_ldexpf(x, e); }
static SIMT_QUIET simt_half ldexp(simt_half x, int e) { return (simt_half)__builtin_ldexpf((float)x, e); }
template <class T, int N, class E> static SIMT_QUIET vec<T, N> ldexp(vec<T, N> v, E e) { vec<T, N> r; SIMT_UNROLL for (int i = 0; i < N; i++) { if constexpr (simt_is_vector<E>) r[i] = ldexp((T)v[i], (int)e[i]); else r[i] = ldexp((T)v[i], (int)e); } return r; }
static SIMT_QUIET int ilogb(float x) { return __builtin_ilogbf(x); }

// metal_integer
#define SIMT_I1(name, e)                                                                                       \
  template <class T> requires(__is_integral(T)) static SIMT_QUIET T name(T x) { constexpr int bits = 8 * sizeof(T); (void)bits; return (T)(e); } \
  template <class T, int N> requires(__is_integral(T)) static SIMT_QUIET vec<T, N> name(vec<T, N> v) { vec<T, N> r; SIMT_UNROLL for (int i = 0; i < N; i++) r[i] = name((T)v[i]); return r; }
SIMT_I1(popcount, __builtin_popcountll((ulong)(make_unsigned_t<T>)x)) SIMT_I1(clz, x == 0 ? bits : __builtin_clzll((ulong)(make_unsigned_t<T>)x) - (64 - bits))
SIMT_I1(ctz, x == 0 ? bits : __builtin_ctzll((ulong)x))
template <class T> requires(__is_integral(T)) static SIMT_QUIET T reverse_bits(T x) { T r = 0; for (unsigned i = 0; i < 8 * sizeof(T); i++) r = (T)(r | (T)(((make_unsigned_t<T>)x >> i & 1) << (8 * sizeof(T) - 1 - i))); return r; }
template <class T, int N> requires(__is_integral(T)) static SIMT_QUIET vec<T, N> reverse_bits(vec<T, N> v) { vec<T, N> r; SIMT_UNROLL for (int i = 0; i < N; i++) r[i] = reverse_bits((T)v[i]); return r; }
#define SIMT_I2(name, e)                                                                                       \
  template <class A, class B> requires(simt_number<A> && simt_number<B>) static SIMT_QUIET simt_common<A, B> name(A p, B q) { \
    typedef simt_common<A, B> R; typedef simt_element<R> T; return simt_each(simt_convert<R>(p), simt_convert<R>(q), [](T a, T b) SIMT_QUIET { constexpr int bits = 8 * sizeof(T); (void)bits; return (T)(e); }); }
SIMT_I2(absdiff, a > b ? a - b : b - a) SIMT_I2(mulhi, (T)(((__int128)a * (__int128)b) >> bits)) SIMT_I2(mul24, a *b)
SIMT_I2(hadd, (T)(((__int128)a + b) >> 1)) SIMT_I2(rhadd, (T)(((__int128)a + b + 1) >> 1))
SIMT_I2(addsat, simt_min<__int128>(simt_max<__int128>((__int128)a + b, numeric_limits<T>::min()), numeric_limits<T>::max()))
SIMT_I2(subsat, simt_min<__int128>(simt_max<__int128>((__int128)a - b, numeric_limits<T>::min()), numeric_limits<T>::max()))
SIMT_I2(rotate, b % bits == 0 ? a : (T)(((make_unsigned_t<T>)a << (b % bits)) | ((make_unsigned_t<T>)a >> (bits - b % bits))))
template <class A, class B, class C> requires(simt_number<A>) static SIMT_QUIET auto mad24(A a, B b, C c) { return a * b + c; }
template <class A, class B, class C> requires(simt_number<A>) static SIMT_QUIET auto madhi(A a, B b, C c) { return mulhi(a, b) + c; }
template <class T> requires(__is_integral(T)) static SIMT_QUIET T extract_bits(T v, uint offset, uint n) { constexpr uint bits = 8 * sizeof(T); return n == 0 ? (T)0 : (T)((T)((make_unsigned_t<T>)v << (bits - n - offset)) >> (bits - n)); }
template <class T> requires(__is_integral(T)) static SIMT_QUIET T insert_bits(T base, T in, uint offset, uint n) {
  typedef make_unsigned_t<T> U;
  U m = n >= 8 * sizeof(T) ? (U)~(U)0 : (U)(((U)1 << n) - 1);
  return (T)(((U)base & (U) ~(U)(m << offset)) | (U)(((U)in & m) << offset));
}

// metal_relational
#define SIMT_REL(name, e)                                                                                      \
  static SIMT_QUIET bool name(float x) { return e; }                                                           \
  static SIMT_QUIET bool name(simt_half h) { float x = (float)h; return e; }                                   \
  template <class T> requires(simt_same<T, simt_bfloat>) static SIMT_QUIET bool name(T h) { float x = (float)h; return e; } \
  template <class T, int N> static SIMT_QUIET vec<int, N> name(vec<T, N> v) { vec<int, N> r; SIMT_UNROLL for (int i = 0; i < N; i++) r[i] = name((T)v[i]); return r; }
SIMT_REL(isnan, x != x) SIMT_REL(isinf, __builtin_fabsf(x) == __builtin_inff()) SIMT_REL(isfinite, __builtin_fabsf(x) < __builtin_inff())
SIMT_REL(isnormal, __builtin_isnormal(x)) SIMT_REL(signbit, __builtin_signbit(x) != 0)
template <class A> static SIMT_QUIET bool isunordered(A a, A b) { return a != a || b != b; }
template <class A> static SIMT_QUIET bool isordered(A a, A b) { return !(a != a || b != b); }
template <class T, int N> static SIMT_QUIET bool any(vec<T, N> v) { SIMT_UNROLL for (int i = 0; i < N; i++) if (v[i]) return true; return false; }
template <class T, int N> static SIMT_QUIET bool all(vec<T, N> v) { SIMT_UNROLL for (int i = 0; i < N; i++) if (!v[i]) return false; return true; }
static SIMT_QUIET bool any(bool b) { return b; }
static SIMT_QUIET bool all(bool b) { return b; }
template <class A, class B, class C> requires(simt_number<A> && simt_number<B>) static SIMT_QUIET constexpr auto select(A p, B q, C c) {
  typedef simt_common<A, B> R;
  if constexpr (simt_is_vector<R>) {
    R a = simt_convert<R>(p), b = simt_convert<R>(q), r;
    SIMT_UNROLL for (int i = 0; i < simt_shape<R>::n; i++) { bool k; if constexpr (simt_is_vector<C>) k = c[i] != 0; else k = c; r[i] = k ? b[i] : a[i]; }
    return r;
  } else return c ? (R)q : (R)p;
}

// metal_geometric
template <class T, int N> static SIMT_QUIET T simt_dot(vec<T, N> a, vec<T, N> b) { T s = a[0] * b[0]; SIMT_UNROLL for (int i = 1; i < N; i++) s += a[i] * b[i]; return s; }
template <class A, class B> requires(simt_shape<A>::n > 1 || simt_shape<B>::n > 1) static SIMT_QUIET auto dot(A a, B b) { typedef simt_common<A, B> R; return simt_dot(simt_convert<R>(a), simt_convert<R>(b)); }
template <class V> requires(simt_shape<V>::n > 1) static SIMT_QUIET auto length_squared(V v) { return dot(v, v); }
template <class V> requires(simt_shape<V>::n > 1) static SIMT_QUIET auto length(V v) { return sqrt(dot(v, v)); }
template <class A, class B> requires(simt_shape<A>::n > 1) static SIMT_QUIET auto distance(A a, B b) { return length(a - b); }
template <class A, class B> requires(simt_shape<A>::n > 1) static SIMT_QUIET auto distance_squared(A a, B b) { return length_squared(a - b); }
template <class T, int N> static SIMT_QUIET vec<T, N> normalize(vec<T, N> v) { return v * rsqrt((T)dot(v, v)); }
template <class T> static SIMT_QUIET vec<T, 3> cross(vec<T, 3> a, vec<T, 3> b) { vec<T, 3> r; r[0] = a[1] * b[2] - a[2] * b[1]; r[1] = a[2] * b[0] - a[0] * b[2]; r[2] = a[0] * b[1] - a[1] * b[0]; return r; }
template <class T, int N> static SIMT_QUIET vec<T, N> reflect(vec<T, N> i, vec<T, N> n) { return i - (T)2 * dot(n, i) * n; }
template <class T, int N> static SIMT_QUIET vec<T, N> faceforward(vec<T, N> n, vec<T, N> i, vec<T, N> r) { return dot(r, i) < (T)0 ? n : -n; }

// metal_pack, the formats that compute kernels use
template <int N> static SIMT_QUIET uint simt_pack(vec<float, N> v, float scale, float low) {
  constexpr int bits = 32 / N;
  uint r = 0;
  SIMT_UNROLL for (int i = 0; i < N; i++) r |= ((uint)(int)__builtin_rintf(simt_max(low, simt_min(1.f, (float)v[i])) * scale) & ((1u << bits) - 1u)) << (bits * i);
  return r;
}
static SIMT_QUIET uint pack_float_to_unorm4x8(float4 v) { return simt_pack<4>(v, 255.f, 0.f); }
static SIMT_QUIET uint pack_float_to_snorm4x8(float4 v) { return simt_pack<4>(v, 127.f, -1.f); }
static SIMT_QUIET uint pack_float_to_unorm2x16(float2 v) { return simt_pack<2>(v, 65535.f, 0.f); }
static SIMT_QUIET uint pack_float_to_snorm2x16(float2 v) { return simt_pack<2>(v, 32767.f, -1.f); }
static SIMT_QUIET float4 unpack_unorm4x8_to_float(uint u) { float4 r; SIMT_UNROLL for (int i = 0; i < 4; i++) r[i] = (float)(u >> (8 * i) & 255u) / 255.f; return r; }
static SIMT_QUIET float4 unpack_snorm4x8_to_float(uint u) { float4 r; SIMT_UNROLL for (int i = 0; i < 4; i++) r[i] = simt_max(-1.f, (float)(char)(u >> (8 * i)) / 127.f); return r; }
static SIMT_QUIET float2 unpack_unorm2x16_to_float(uint u) { float2 r; SIMT_UNROLL for (int i = 0; i < 2; i++) r[i] = (float)(u >> (16 * i) & 65535u) / 65535.f; return r; }
static SIMT_QUIET float2 unpack_snorm2x16_to_float(uint u) { float2 r; SIMT_UNROLL for (int i = 0; i < 2; i++) r[i] = simt_max(-1.f, (float)(short)(u >> (16 * i)) / 32767.f); return r; }

// Declared in them, not only found through them: a kernel's own overload beside them would hide what is merely found.
#define SIMT_ALL_OF_THEM \
  using metal::acos; using metal::acosh; using metal::asin; using metal::asinh; using metal::atan; using metal::atan2; using metal::atanh; \
  using metal::ceil; using metal::copysign; using metal::cos; using metal::cosh; using metal::cospi; using metal::divide; using metal::exp; \
  using metal::exp10; using metal::exp2; using metal::fabs; using metal::abs; using metal::fdim; using metal::floor; using metal::fma; \
  using metal::fmax; using metal::fmax3; using metal::fmedian3; using metal::fmin; using metal::fmin3; using metal::fmod; using metal::fract; \
  using metal::frexp; using metal::ldexp; using metal::log; using metal::log10; using metal::log2; using metal::max; using metal::min; \
  using metal::clamp; using metal::mix; using metal::pow; using metal::powr; using metal::rint; using metal::round; using metal::rsqrt; \
  using metal::saturate; using metal::sign; using metal::sin; using metal::sincos; using metal::sinh; using metal::sinpi; using metal::smoothstep; \
  using metal::sqrt; using metal::step; using metal::tan; using metal::tanh; using metal::tanpi; using metal::trunc;
namespace precise { using namespace metal; SIMT_ALL_OF_THEM }
namespace fast { using namespace metal; SIMT_ALL_OF_THEM }
#undef SIMT_ALL_OF_THEM
}  // namespace metal
