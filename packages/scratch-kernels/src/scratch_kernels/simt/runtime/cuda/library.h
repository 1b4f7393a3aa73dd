// The part of the C++ library that device code uses: type traits, limits and the mathematics under its other name.
#pragma once

namespace std {
using ::max; using ::min; using ::abs; using ::isnan; using ::isinf; using ::isfinite; using ::fma;
using ::exp; using ::exp2; using ::expm1; using ::log; using ::log2; using ::log10; using ::log1p; using ::sin; using ::cos; using ::tan; using ::asin; using ::acos;
using ::atan; using ::sinh; using ::cosh; using ::tanh; using ::asinh; using ::acosh; using ::atanh; using ::sqrt; using ::cbrt; using ::floor; using ::ceil; using ::trunc;
using ::round; using ::rint; using ::nearbyint; using ::fabs; using ::erf; using ::erfc; using ::tgamma; using ::lgamma; using ::pow; using ::fmod; using ::atan2;
using ::fmax; using ::fmin; using ::copysign; using ::hypot; using ::size_t; using ::ptrdiff_t;
using ::int8_t; using ::uint8_t; using ::int16_t; using ::uint16_t; using ::int32_t; using ::uint32_t; using ::int64_t; using ::uint64_t; using ::uintptr_t;
typedef decltype(nullptr) nullptr_t;

template <class T, T V> struct integral_constant { static constexpr T value = V; typedef T value_type; constexpr operator T() const { return V; } };
template <bool B> using bool_constant = integral_constant<bool, B>;
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;
template <bool B, class A, class C> struct conditional { typedef A type; };
template <class A, class C> struct conditional<false, A, C> { typedef C type; };
template <bool B, class A, class C> using conditional_t = typename conditional<B, A, C>::type;
template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
#define SIMT_TRAIT(name, builtin) template <class T> struct name { typedef builtin(T) type; }; template <class T> using name##_t = builtin(T);
SIMT_TRAIT(remove_const, __remove_const) SIMT_TRAIT(remove_volatile, __remove_volatile) SIMT_TRAIT(remove_cv, __remove_cv) SIMT_TRAIT(remove_reference, __remove_reference_t)
SIMT_TRAIT(remove_pointer, __remove_pointer) SIMT_TRAIT(decay, __decay) SIMT_TRAIT(make_unsigned, __make_unsigned) SIMT_TRAIT(make_signed, __make_signed) SIMT_TRAIT(remove_cvref, __remove_cvref)
#define SIMT_ASKED(name, e) template <class T> inline constexpr bool name##_v = e; template <class T> struct name : bool_constant<e> {};
template <class A, class B> inline constexpr bool is_same_v = __is_same(A, B);
template <class A, class B> struct is_same : bool_constant<__is_same(A, B)> {};
template <class A, class B> inline constexpr bool is_convertible_v = __is_convertible(A, B);
template <class A, class B> struct is_convertible : bool_constant<__is_convertible(A, B)> {};
template <class A, class B> inline constexpr bool is_base_of_v = __is_base_of(A, B);
SIMT_ASKED(is_integral, __is_integral(T)) SIMT_ASKED(is_floating_point, __is_floating_point(T)) SIMT_ASKED(is_arithmetic, __is_arithmetic(T)) SIMT_ASKED(is_pointer, __is_pointer(T))
SIMT_ASKED(is_signed, __is_signed(T)) SIMT_ASKED(is_unsigned, __is_unsigned(T)) SIMT_ASKED(is_const, __is_const(T)) SIMT_ASKED(is_void, __is_void(T)) SIMT_ASKED(is_trivially_copyable, __is_trivially_copyable(T))
template <class T> constexpr __remove_reference_t(T) &&move(T &&x) { return static_cast<__remove_reference_t(T) &&>(x); }
template <class T> constexpr T &&forward(__remove_reference_t(T) &x) { return static_cast<T &&>(x); }
template <class T> static SIMT_HIDDEN void swap(T &a, T &b) { simt_read(&a, sizeof a); simt_read(&b, sizeof b); simt_write(&a, sizeof a); simt_write(&b, sizeof b); T c = a; a = b; b = c; }

template <class T> struct numeric_limits { static constexpr bool is_specialized = false; };
#define SIMT_LIMITS(T, low, top, n)                                                                            \
  template <> struct numeric_limits<T> {                                                                       \
    static constexpr bool is_specialized = true, is_integer = true, is_signed = (T)-1 < (T)0, has_infinity = false; static constexpr int digits = n; \
    static constexpr T min() { return low; } static constexpr T lowest() { return low; } static constexpr T max() { return top; } };
SIMT_LIMITS(signed char, -128, 127, 7) SIMT_LIMITS(char, -128, 127, 7) SIMT_LIMITS(unsigned char, 0, 255, 8) SIMT_LIMITS(short, -32768, 32767, 15) SIMT_LIMITS(unsigned short, 0, 65535, 16)
SIMT_LIMITS(int, (-2147483647 - 1), 2147483647, 31) SIMT_LIMITS(unsigned, 0, 4294967295u, 32) SIMT_LIMITS(bool, false, true, 1)
SIMT_LIMITS(long, (-9223372036854775807l - 1), 9223372036854775807l, 63) SIMT_LIMITS(unsigned long, 0, 18446744073709551615ul, 64)
SIMT_LIMITS(long long, (-9223372036854775807ll - 1), 9223372036854775807ll, 63) SIMT_LIMITS(unsigned long long, 0, 18446744073709551615ull, 64)
#define SIMT_FLOAT_LIMITS(T, least, most, eps, inf, nan, n)                                                    \
  template <> struct numeric_limits<T> {                                                                       \
    static constexpr bool is_specialized = true, is_integer = false, is_signed = true, has_infinity = true; static constexpr int digits = n; \
    static constexpr T min() { return least; } static constexpr T lowest() { return -most; } static constexpr T max() { return most; }       \
    static constexpr T epsilon() { return eps; } static constexpr T infinity() { return inf; } static constexpr T quiet_NaN() { return nan; } };
SIMT_FLOAT_LIMITS(float, FLT_MIN, FLT_MAX, FLT_EPSILON, __builtin_inff(), __builtin_nanf(""), 24)
SIMT_FLOAT_LIMITS(double, DBL_MIN, DBL_MAX, DBL_EPSILON, __builtin_inf(), __builtin_nan(""), 53)
}  // namespace std
