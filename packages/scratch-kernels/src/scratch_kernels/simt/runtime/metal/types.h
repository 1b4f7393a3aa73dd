// Scalars, vectors, packed vectors, matrices and what converts one into another.
#pragma once
#include "../simt.h"

typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef _Float16 simt_half;

// Header code that touches a kernel's memory: its loads and stores count, its blocks do not.
#ifdef SIMT_FAST
#define SIMT_SEEN __attribute__((always_inline))
#else
#define SIMT_SEEN __attribute__((no_sanitize("coverage"), no_sanitize("bounds"), noinline))
#endif

// Loops over components: an index known at compile time keeps a vector in its register.
#define SIMT_UNROLL _Pragma("unroll")

namespace metal {

template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));
#define SIMT_VECTORS(T, S)                                   \
  typedef S T##2 __attribute__((ext_vector_type(2)));        \
  typedef S T##3 __attribute__((ext_vector_type(3)));        \
  typedef S T##4 __attribute__((ext_vector_type(4)));
SIMT_VECTORS(float, float) SIMT_VECTORS(half, simt_half) SIMT_VECTORS(int, int) SIMT_VECTORS(uint, uint)
SIMT_VECTORS(short, short) SIMT_VECTORS(ushort, ushort) SIMT_VECTORS(char, char) SIMT_VECTORS(uchar, uchar)
SIMT_VECTORS(long, long) SIMT_VECTORS(ulong, ulong) SIMT_VECTORS(bool, int)

template <class V> struct simt_shape { typedef V element; static constexpr int n = 1; static constexpr bool vector = false; };
template <class T, int N> struct simt_shape<vec<T, N>> { typedef T element; static constexpr int n = N; static constexpr bool vector = true; };
template <class V> struct simt_shape<const V> : simt_shape<V> {};
template <class V> constexpr bool simt_is_vector = simt_shape<V>::vector;
template <class V> using simt_element = typename simt_shape<V>::element;

template <class A, class B> struct simt_is_same { static constexpr bool value = false; };
template <class A> struct simt_is_same<A, A> { static constexpr bool value = true; };
template <class A, class B> constexpr bool simt_same = simt_is_same<A, B>::value;
template <bool B, class T, class F> struct simt_if { typedef T type; };
template <class T, class F> struct simt_if<false, T, F> { typedef F type; };
template <class T> T simt_value();

// bfloat: the upper half of a float, rounded to nearest even.
struct simt_bfloat {
  ushort bits;
  simt_bfloat() = default;
  constexpr simt_bfloat(float x) : bits(round(__builtin_bit_cast(uint, x))) {}
  template <class T> requires(__is_integral(T)) constexpr simt_bfloat(T x) : simt_bfloat((float)x) {}
  constexpr simt_bfloat(simt_half x) : simt_bfloat((float)x) {}
  constexpr operator float() const { return __builtin_bit_cast(float, (uint)bits << 16); }
  static constexpr ushort round(uint u) {
    return (u & 0x7fffffffu) > 0x7f800000u ? (ushort)((u >> 16) | 64u) : (ushort)((u + 0x7fffu + (u >> 16 & 1u)) >> 16);
  }
};
#define SIMT_BF_OP(op)                                                                                         \
  template <class A, class B> requires(simt_same<A, simt_bfloat> && simt_same<B, simt_bfloat>)                 \
  constexpr simt_bfloat operator op(A a, B b) { return simt_bfloat((float)a op (float)b); }                    \
  template <class B> constexpr simt_bfloat &operator op##=(simt_bfloat &a, B b) { return a = simt_bfloat((float)a op (float)b); }
SIMT_BF_OP(+) SIMT_BF_OP(-) SIMT_BF_OP(*) SIMT_BF_OP(/)
#undef SIMT_BF_OP
template <class A> requires(simt_same<A, simt_bfloat>) constexpr simt_bfloat operator-(A a) { return simt_bfloat(-(float)a); }
template <class A> requires(simt_same<A, simt_bfloat>) constexpr simt_bfloat operator+(A a) { return a; }
typedef simt_bfloat bfloat;
typedef simt_bfloat bfloat16_t;

template <class T, int N> struct simt_packed;
#define SIMT_PACKED(N, ...)                                                                                    \
  template <class T> struct simt_packed<T, N> {                                                                \
    T __VA_ARGS__;                                                                                             \
    simt_packed() = default;                                                                                   \
    SIMT_SEEN simt_packed(vec<T, N> v) { T *p = &x; SIMT_UNROLL for (int i = 0; i < N; i++) p[i] = v[i]; }                 \
    SIMT_SEEN operator vec<T, N>() const { const T *p = &x; vec<T, N> v; SIMT_UNROLL for (int i = 0; i < N; i++) v[i] = p[i]; return v; } \
    template <class... A> requires(sizeof...(A) == N) SIMT_SEEN simt_packed(A... a) { T *p = &x; int i = 0; ((p[i++] = (T)a), ...); } \
    SIMT_SEEN explicit simt_packed(T s) { T *p = &x; SIMT_UNROLL for (int i = 0; i < N; i++) p[i] = s; }                   \
    __attribute__((no_sanitize("coverage"))) T &operator[](int i) { return (&x)[i]; }                          \
    __attribute__((no_sanitize("coverage"))) const T &operator[](int i) const { return (&x)[i]; }              \
  };
SIMT_PACKED(2, x, y) SIMT_PACKED(3, x, y, z) SIMT_PACKED(4, x, y, z, w)
template <class T, int N> using packed_vec = simt_packed<T, N>;
template <class T, int N> struct simt_shape<simt_packed<T, N>> { typedef T element; static constexpr int n = N; static constexpr bool vector = false; };
template <class V> constexpr bool simt_is_packed = simt_shape<V>::n > 1 && !simt_shape<V>::vector;
#define SIMT_PACK(T, S) typedef simt_packed<S, 2> packed_##T##2; typedef simt_packed<S, 3> packed_##T##3; typedef simt_packed<S, 4> packed_##T##4;
SIMT_PACK(float, float) SIMT_PACK(half, simt_half) SIMT_PACK(int, int) SIMT_PACK(uint, uint) SIMT_PACK(short, short)
SIMT_PACK(ushort, ushort) SIMT_PACK(char, char) SIMT_PACK(uchar, uchar) SIMT_PACK(long, long) SIMT_PACK(ulong, ulong)
#define SIMT_PACK_OP(op)                                                                                       \
  template <class T, int N> static SIMT_QUIET vec<T, N> operator op(simt_packed<T, N> a, simt_packed<T, N> b) { return (vec<T, N>)a op (vec<T, N>)b; } \
  template <class T, int N> static SIMT_QUIET vec<T, N> operator op(simt_packed<T, N> a, vec<T, N> b) { return (vec<T, N>)a op b; } \
  template <class T, int N> static SIMT_QUIET vec<T, N> operator op(vec<T, N> a, simt_packed<T, N> b) { return a op(vec<T, N>) b; } \
  template <class T, int N, class S> requires(__is_arithmetic(S) || simt_same<S, simt_half>) static SIMT_QUIET vec<T, N> operator op(simt_packed<T, N> a, S b) { return (vec<T, N>)a op(T) b; } \
  template <class T, int N, class S> requires(__is_arithmetic(S) || simt_same<S, simt_half>) static SIMT_QUIET vec<T, N> operator op(S a, simt_packed<T, N> b) { return (T)a op(vec<T, N>) b; }
SIMT_PACK_OP(+) SIMT_PACK_OP(-) SIMT_PACK_OP(*) SIMT_PACK_OP(/)
#undef SIMT_PACK_OP

// What `float4(...)`, `(float4)x` and `static_cast<float4>(x)` mean: the front end writes these calls.
template <class V> struct simt_fill {
  V v;
  int i = 0;
  template <class A> SIMT_QUIET void put(A a) {
    if constexpr (simt_shape<A>::n > 1) { SIMT_UNROLL for (int k = 0; k < simt_shape<A>::n; k++) v[i++] = (simt_element<V>)a[k]; }
    else v[i++] = (simt_element<V>)a;
  }
};
template <class V, class A> static SIMT_QUIET V simt_convert(A a) {
  if constexpr (simt_same<V, A>) return a;
  else if constexpr (simt_is_vector<V> && simt_is_vector<A>) {
    static_assert(simt_shape<V>::n == simt_shape<A>::n, "no conversion between vectors of different length");
    return __builtin_convertvector(a, V);
  } else if constexpr (simt_is_vector<V> && simt_is_packed<A>) return simt_convert<V>((vec<simt_element<A>, simt_shape<A>::n>)a);
  else if constexpr (simt_is_vector<V>) return (V)((simt_element<V>)a);
  else return (V)a;
}
template <class V, class A, class B, class... C> static SIMT_QUIET V simt_join(A a, B b, C... c) {
  constexpr int n = simt_shape<A>::n + simt_shape<B>::n + (0 + ... + simt_shape<C>::n);
  static_assert(n == simt_shape<V>::n, "a vector needs as many components as it has");
  simt_fill<V> f;
  f.put(a);
  f.put(b);
  (f.put(c), ...);
  return f.v;
}
template <class V> static SIMT_QUIET constexpr V simt_make() { return V{}; }
template <class V, class A> static SIMT_QUIET constexpr V simt_make(A a) {
  if constexpr (simt_is_vector<V> && simt_shape<A>::n == 1) return (V)((simt_element<V>)a);
  else return simt_convert<V>(a);
}
template <class V, class A, class B, class... C> static SIMT_QUIET constexpr V simt_make(A a, B b, C... c) {
  if constexpr (simt_shape<A>::n == 1 && simt_shape<B>::n == 1 && (simt_shape<C>::n * ... * 1) == 1 && sizeof...(C) + 2 == simt_shape<V>::n)
    return V{(simt_element<V>)a, (simt_element<V>)b, (simt_element<V>)c...};
  else return simt_join<V>(a, b, c...);
}
template <class T, class A> static SIMT_QUIET constexpr T simt_cast(A a) {
  if constexpr (simt_is_vector<T>) return simt_convert<T>(a);
  else return static_cast<T>(a);
}
// `(T)x` where a template's parameter says only later what T is.
template <class T, class A> static SIMT_QUIET constexpr T simt_late_cast(A a) {
  if constexpr (simt_is_vector<T>) return simt_convert<T>(a);
  else return (T)a;
}
template <class T, class A> static SIMT_QUIET constexpr T as_type(A a) {
  static_assert(sizeof(T) == sizeof(A), "as_type needs types of one size");
  return __builtin_bit_cast(T, a);
}

template <class T, int C, int R> struct matrix {
  typedef vec<T, R> column;
  column c[C];
  matrix() = default;
  SIMT_QUIET explicit matrix(T s) { SIMT_UNROLL for (int i = 0; i < C; i++) SIMT_UNROLL for (int j = 0; j < R; j++) c[i][j] = i == j ? s : (T)0; }
  template <class... A> requires(sizeof...(A) == C && (simt_is_vector<A> && ...)) SIMT_QUIET matrix(A... a) { int i = 0; ((c[i++] = simt_convert<column>(a)), ...); }
  template <class... A> requires(sizeof...(A) == C * R && !(simt_is_vector<A> || ...)) SIMT_QUIET matrix(A... a) { int i = 0; ((c[i / R][i % R] = (T)a, i++), ...); }
  template <class U> SIMT_SEEN explicit matrix(const matrix<U, C, R> &o) { SIMT_UNROLL for (int i = 0; i < C; i++) c[i] = simt_convert<column>(o.c[i]); }
  __attribute__((no_sanitize("coverage"))) column &operator[](int i) { return c[i]; }
  __attribute__((no_sanitize("coverage"))) const column &operator[](int i) const { return c[i]; }
};
#define SIMT_M template <class T, int C, int R> static SIMT_SEEN
SIMT_M matrix<T, C, R> operator+(const matrix<T, C, R> &a, const matrix<T, C, R> &b) { matrix<T, C, R> r; SIMT_UNROLL for (int i = 0; i < C; i++) r.c[i] = a.c[i] + b.c[i]; return r; }
SIMT_M matrix<T, C, R> operator-(const matrix<T, C, R> &a, const matrix<T, C, R> &b) { matrix<T, C, R> r; SIMT_UNROLL for (int i = 0; i < C; i++) r.c[i] = a.c[i] - b.c[i]; return r; }
SIMT_M vec<T, R> operator*(const matrix<T, C, R> &m, vec<T, C> v) { vec<T, R> r = m.c[0] * v[0]; SIMT_UNROLL for (int i = 1; i < C; i++) r += m.c[i] * v[i]; return r; }
SIMT_M vec<T, C> operator*(vec<T, R> v, const matrix<T, C, R> &m) { vec<T, C> r; SIMT_UNROLL for (int i = 0; i < C; i++) { T s = 0; SIMT_UNROLL for (int j = 0; j < R; j++) s += m.c[i][j] * v[j]; r[i] = s; } return r; }
template <class T, int C, int R, int K> static SIMT_SEEN matrix<T, K, R> operator*(const matrix<T, C, R> &a, const matrix<T, K, C> &b) { matrix<T, K, R> r; SIMT_UNROLL for (int i = 0; i < K; i++) r.c[i] = a * b.c[i]; return r; }
template <class T, int C, int R, class S> requires(__is_arithmetic(S) || simt_same<S, simt_half>) static SIMT_SEEN matrix<T, C, R> operator*(const matrix<T, C, R> &m, S s) { matrix<T, C, R> r; SIMT_UNROLL for (int i = 0; i < C; i++) r.c[i] = m.c[i] * (T)s; return r; }
template <class T, int C, int R, class S> requires(__is_arithmetic(S) || simt_same<S, simt_half>) static SIMT_SEEN matrix<T, C, R> operator*(S s, const matrix<T, C, R> &m) { return m * s; }
SIMT_M matrix<T, C, R> &operator*=(matrix<T, C, R> &m, T s) { SIMT_UNROLL for (int i = 0; i < C; i++) m.c[i] *= s; return m; }
SIMT_M matrix<T, C, R> &operator+=(matrix<T, C, R> &a, const matrix<T, C, R> &b) { SIMT_UNROLL for (int i = 0; i < C; i++) a.c[i] += b.c[i]; return a; }
SIMT_M matrix<T, R, C> transpose(const matrix<T, C, R> &m) { matrix<T, R, C> r; SIMT_UNROLL for (int i = 0; i < C; i++) SIMT_UNROLL for (int j = 0; j < R; j++) r.c[j][i] = m.c[i][j]; return r; }
template <class T> static SIMT_SEEN T determinant(const matrix<T, 2, 2> &m) { return m.c[0][0] * m.c[1][1] - m.c[1][0] * m.c[0][1]; }
template <class T> static SIMT_SEEN T determinant(const matrix<T, 3, 3> &m) {
  return m.c[0][0] * (m.c[1][1] * m.c[2][2] - m.c[2][1] * m.c[1][2]) - m.c[1][0] * (m.c[0][1] * m.c[2][2] - m.c[2][1] * m.c[0][2]) + m.c[2][0] * (m.c[0][1] * m.c[1][2] - m.c[1][1] * m.c[0][2]);
}
#undef SIMT_M
#define SIMT_MATRICES(T, S, C) typedef matrix<S, C, 2> T##C##x2; typedef matrix<S, C, 3> T##C##x3; typedef matrix<S, C, 4> T##C##x4;
SIMT_MATRICES(float, float, 2) SIMT_MATRICES(float, float, 3) SIMT_MATRICES(float, float, 4)
SIMT_MATRICES(half, simt_half, 2) SIMT_MATRICES(half, simt_half, 3) SIMT_MATRICES(half, simt_half, 4)

template <class T, size_t N> struct array {
  T items[N];
  __attribute__((no_sanitize("coverage"))) T &operator[](size_t i) { return items[i]; }
  __attribute__((no_sanitize("coverage"))) const T &operator[](size_t i) const { return items[i]; }
  constexpr size_t size() const { return N; }
  T *data() { return items; }
  T *begin() { return items; }
  T *end() { return items + N; }
};
template <class T> using uniform = T;
template <class T> static SIMT_QUIET T make_uniform(T t) { return t; }

// Traits and limits.
template <class T, T v> struct integral_constant { static constexpr T value = v; typedef T value_type; constexpr operator T() const { return v; } constexpr T operator()() const { return v; } };
template <bool b> using bool_constant = integral_constant<bool, b>;
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;
template <class T> struct vec_elements : integral_constant<int, simt_shape<T>::n> {};
template <class T> struct remove_const { typedef T type; };
template <class T> struct remove_const<const T> { typedef T type; };
template <class T> struct remove_cv { typedef T type; };
template <class T> struct remove_cv<const T> { typedef T type; };
template <class T> struct remove_cv<volatile T> { typedef T type; };
template <class T> struct remove_cv<const volatile T> { typedef T type; };
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T &> { typedef T type; };
template <class T> struct remove_reference<T &&> { typedef T type; };
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> struct remove_pointer { typedef T type; };
template <class T> struct remove_pointer<T *> { typedef T type; };
template <class T> using remove_pointer_t = typename remove_pointer<T>::type;
template <class T> using remove_addrspace_t = T;
template <class T> struct remove_addrspace { typedef T type; };
template <class A, class B> struct is_same : bool_constant<simt_same<A, B>> {};
template <class A, class B> constexpr bool is_same_v = simt_same<A, B>;
template <class T> constexpr bool simt_floating = simt_same<T, float> || simt_same<T, simt_half> || simt_same<T, simt_bfloat>;
template <class T> struct is_floating_point : bool_constant<simt_floating<remove_cv_t<T>>> {};
template <class T> constexpr bool is_floating_point_v = simt_floating<remove_cv_t<T>>;
template <class T> struct is_integral : bool_constant<__is_integral(T)> {};
template <class T> constexpr bool is_integral_v = __is_integral(T);
template <class T> constexpr bool is_arithmetic_v = is_integral_v<T> || is_floating_point_v<T>;
template <class T> struct is_arithmetic : bool_constant<is_arithmetic_v<T>> {};
template <class T> constexpr bool is_signed_v = is_floating_point_v<T> || (is_integral_v<T> && T(-1) < T(0));
template <class T> constexpr bool is_unsigned_v = is_integral_v<T> && !(T(-1) < T(0));
template <class T> struct is_signed : bool_constant<is_signed_v<T>> {};
template <class T> struct is_unsigned : bool_constant<is_unsigned_v<T>> {};
template <class A, class B> constexpr bool is_convertible_v = __is_convertible_to(A, B);
template <class A, class B> struct is_convertible : bool_constant<__is_convertible_to(A, B)> {};
template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <bool B, class T, class F> struct conditional { typedef typename simt_if<B, T, F>::type type; };
template <bool B, class T, class F> using conditional_t = typename simt_if<B, T, F>::type;
template <class T> struct make_unsigned { typedef T type; };
template <> struct make_unsigned<int> { typedef uint type; };
template <> struct make_unsigned<short> { typedef ushort type; };
template <> struct make_unsigned<char> { typedef uchar type; };
template <> struct make_unsigned<signed char> { typedef uchar type; };
template <> struct make_unsigned<long> { typedef ulong type; };
template <class T> using make_unsigned_t = typename make_unsigned<T>::type;

template <class T> struct numeric_limits { static constexpr bool is_specialized = false; };
#define SIMT_LIMITS(T, least, most, lowest_, whole, sign, bits, eps)                                           \
  template <> struct numeric_limits<T> {                                                                       \
    static constexpr bool is_specialized = true, is_integer = whole, is_exact = whole, is_signed = sign;       \
    static constexpr bool has_infinity = !whole, has_quiet_NaN = !whole;                                       \
    static constexpr int digits = bits;                                                                        \
    static constexpr T min() { return (T)(least); }                                                            \
    static constexpr T max() { return (T)(most); }                                                             \
    static constexpr T lowest() { return (T)(lowest_); }                                                       \
    static constexpr T epsilon() { return (T)(eps); }                                                          \
    static constexpr T infinity() { return whole ? (T)0 : (T)__builtin_inff(); }                               \
    static constexpr T quiet_NaN() { return whole ? (T)0 : (T)__builtin_nanf(""); }                            \
    static constexpr T signaling_NaN() { return quiet_NaN(); }                                                 \
  };
SIMT_LIMITS(bool, false, true, false, true, false, 1, 0) SIMT_LIMITS(char, -128, 127, -128, true, true, 7, 0)
SIMT_LIMITS(signed char, -128, 127, -128, true, true, 7, 0) SIMT_LIMITS(uchar, 0, 255, 0, true, false, 8, 0)
SIMT_LIMITS(short, -32768, 32767, -32768, true, true, 15, 0) SIMT_LIMITS(ushort, 0, 65535, 0, true, false, 16, 0)
SIMT_LIMITS(int, -2147483647 - 1, 2147483647, -2147483647 - 1, true, true, 31, 0) SIMT_LIMITS(uint, 0, 4294967295u, 0, true, false, 32, 0)
SIMT_LIMITS(long, -9223372036854775807l - 1, 9223372036854775807l, -9223372036854775807l - 1, true, true, 63, 0)
SIMT_LIMITS(ulong, 0, 18446744073709551615ul, 0, true, false, 64, 0)
SIMT_LIMITS(float, 0x1p-126f, 0x1.fffffep127f, -0x1.fffffep127f, false, true, 24, 0x1p-23f)
SIMT_LIMITS(simt_half, 0x1p-14f, 65504.f, -65504.f, false, true, 11, 0x1p-10f)
SIMT_LIMITS(simt_bfloat, 0x1p-126f, 0x1.fep127f, -0x1.fep127f, false, true, 8, 0x1p-7f)
#undef SIMT_LIMITS
}  // namespace metal

using metal::vec;
#define SIMT_NAMES(T) using metal::T##2; using metal::T##3; using metal::T##4;
SIMT_NAMES(float) SIMT_NAMES(half) SIMT_NAMES(int) SIMT_NAMES(uint) SIMT_NAMES(short) SIMT_NAMES(ushort) SIMT_NAMES(char)
SIMT_NAMES(uchar) SIMT_NAMES(long) SIMT_NAMES(ulong) SIMT_NAMES(bool)
SIMT_NAMES(packed_float) SIMT_NAMES(packed_half) SIMT_NAMES(packed_int) SIMT_NAMES(packed_uint) SIMT_NAMES(packed_short)
SIMT_NAMES(packed_ushort) SIMT_NAMES(packed_char) SIMT_NAMES(packed_uchar)
using metal::bfloat;
#define SIMT_NAMES_M(T) using metal::T##2x2; using metal::T##2x3; using metal::T##2x4; using metal::T##3x2; using metal::T##3x3; using metal::T##3x4; using metal::T##4x2; using metal::T##4x3; using metal::T##4x4;
SIMT_NAMES_M(float) SIMT_NAMES_M(half)
using metal::as_type;
using metal::simt_make; using metal::simt_convert; using metal::simt_cast; using metal::simt_late_cast;
