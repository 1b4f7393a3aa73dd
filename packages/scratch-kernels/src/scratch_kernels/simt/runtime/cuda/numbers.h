// Integer names, mathematics, half and bfloat16 of CUDA device code.
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
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef unsigned long uintptr_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#define NULL nullptr
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VALF INFINITY
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1p-126f
#define FLT_EPSILON 0x1p-23f
#define DBL_MAX 0x1.fffffffffffffp1023
#define DBL_MIN 0x1p-1022
#define DBL_EPSILON 0x1p-52
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define LLONG_MAX 9223372036854775807ll
#define M_PI 3.14159265358979323846
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_2_SQRTPI 1.12837916709551257390
#define M_LOG2E 1.44269504088896340736
#define M_LN2 0.69314718055994530942
#define CUDART_INF_F INFINITY
#define CUDART_NAN_F NAN
#define CUDART_PI_F 3.141592654f
#define CUDART_INF __builtin_inf()

#define SIMT_1(n) extern "C" float n##f(float); extern "C" double n(double);
SIMT_1(exp) SIMT_1(exp2) SIMT_1(exp10) SIMT_1(expm1) SIMT_1(log) SIMT_1(log2) SIMT_1(log10) SIMT_1(log1p) SIMT_1(sin) SIMT_1(cos) SIMT_1(tan)
SIMT_1(asin) SIMT_1(acos) SIMT_1(atan) SIMT_1(sinh) SIMT_1(cosh) SIMT_1(tanh) SIMT_1(asinh) SIMT_1(acosh) SIMT_1(atanh) SIMT_1(sqrt)
SIMT_1(cbrt) SIMT_1(floor) SIMT_1(ceil) SIMT_1(trunc) SIMT_1(round) SIMT_1(rint) SIMT_1(nearbyint) SIMT_1(fabs) SIMT_1(erf) SIMT_1(erfc)
SIMT_1(tgamma) SIMT_1(lgamma)
#define SIMT_2(n) extern "C" float n##f(float, float); extern "C" double n(double, double);
SIMT_2(pow) SIMT_2(fmod) SIMT_2(atan2) SIMT_2(fmax) SIMT_2(fmin) SIMT_2(copysign) SIMT_2(hypot) SIMT_2(fdim) SIMT_2(remainder) SIMT_2(nextafter)
extern "C" float fmaf(float, float, float);
extern "C" double fma(double, double, double);
extern "C" float ldexpf(float, int);
extern "C" double ldexp(double, int);
extern "C" long lrintf(float);
extern "C" long lroundf(float);
#define SIMT_OVER1(n) static SIMT_QUIET float n(float x) { return n##f(x); }
SIMT_OVER1(exp) SIMT_OVER1(exp2) SIMT_OVER1(expm1) SIMT_OVER1(log) SIMT_OVER1(log2) SIMT_OVER1(log10) SIMT_OVER1(log1p) SIMT_OVER1(sin) SIMT_OVER1(cos)
SIMT_OVER1(tan) SIMT_OVER1(asin) SIMT_OVER1(acos) SIMT_OVER1(atan) SIMT_OVER1(sinh) SIMT_OVER1(cosh) SIMT_OVER1(tanh) SIMT_OVER1(sqrt) SIMT_OVER1(floor)
SIMT_OVER1(ceil) SIMT_OVER1(trunc) SIMT_OVER1(round) SIMT_OVER1(rint) SIMT_OVER1(fabs) SIMT_OVER1(erf) SIMT_OVER1(erfc) SIMT_OVER1(exp10)
SIMT_OVER1(asinh) SIMT_OVER1(acosh) SIMT_OVER1(atanh) SIMT_OVER1(cbrt) SIMT_OVER1(tgamma) SIMT_OVER1(lgamma) SIMT_OVER1(nearbyint)
#define SIMT_OVER2(n) static SIMT_QUIET float n(float a, float b) { return n##f(a, b); }
SIMT_OVER2(pow) SIMT_OVER2(fmod) SIMT_OVER2(atan2) SIMT_OVER2(fmax) SIMT_OVER2(fmin) SIMT_OVER2(copysign) SIMT_OVER2(hypot) SIMT_OVER2(fdim) SIMT_OVER2(remainder) SIMT_OVER2(nextafter)
static SIMT_QUIET float ldexp(float x, int e) { return ldexpf(x, e); }
// One argument of float and one of double, or whole numbers: the double of it, as the C++ library has it.
#define SIMT_WHOLE1(n) template <class T> requires(__is_integral(T)) static SIMT_QUIET double n(T x) { return n((double)x); }
SIMT_WHOLE1(exp) SIMT_WHOLE1(log) SIMT_WHOLE1(log2) SIMT_WHOLE1(sqrt) SIMT_WHOLE1(sin) SIMT_WHOLE1(cos) SIMT_WHOLE1(floor) SIMT_WHOLE1(ceil) SIMT_WHOLE1(fabs)
#define SIMT_MIXED2(n) template <class A, class B> requires(__is_arithmetic(A) && __is_arithmetic(B) && !(__is_same(A, B) && __is_floating_point(A))) static SIMT_QUIET double n(A a, B b) { return n((double)a, (double)b); }
SIMT_MIXED2(pow) SIMT_MIXED2(fmod) SIMT_MIXED2(atan2) SIMT_MIXED2(fmax) SIMT_MIXED2(fmin)
static SIMT_QUIET float fma(float a, float b, float c) { return fmaf(a, b, c); }
template <class T> requires(__is_arithmetic(T)) static SIMT_QUIET T abs(T x) { return x < 0 ? (T)-x : x; }
#define SIMT_PICK(n, op)                                                                                       \
  template <class A, class B> requires(__is_arithmetic(A) && __is_arithmetic(B)) static SIMT_QUIET constexpr auto n(A a, B b) { typedef decltype(a + b) R; return (R)b op(R) a ? (R)b : (R)a; }
SIMT_PICK(min, <) SIMT_PICK(max, >)
template <class T> requires(__is_arithmetic(T)) static SIMT_QUIET bool isnan(T x) { return x != x; }
template <class T> requires(__is_arithmetic(T)) static SIMT_QUIET bool isinf(T x) { return __builtin_isinf(x); }
template <class T> requires(__is_arithmetic(T)) static SIMT_QUIET bool isfinite(T x) { return __builtin_isfinite(x); }
static SIMT_QUIET float rsqrtf(float x) { return 1.f / __builtin_sqrtf(x); }
static SIMT_QUIET double rsqrt(double x) { return 1. / __builtin_sqrt(x); }
static SIMT_HIDDEN void sincos(double x, double *s, double *c) { simt_write(s, 8); *s = sin(x); simt_write(c, 8); *c = cos(x); }
#define SIMT_PI 3.14159265358979323846
static SIMT_QUIET float sinpif(float x) { return (float)sin(SIMT_PI * __builtin_fmod((double)x, 2.)); }
static SIMT_QUIET float cospif(float x) { return (float)cos(SIMT_PI * __builtin_fmod((double)x, 2.)); }
static SIMT_QUIET float rcbrtf(float x) { return 1.f / cbrtf(x); }
static SIMT_QUIET float rhypotf(float a, float b) { return 1.f / hypotf(a, b); }
static SIMT_QUIET float norm3df(float a, float b, float c) { return __builtin_sqrtf(a * a + b * b + c * c); }
static SIMT_QUIET bool isnanf(float x) { return x != x; }
static SIMT_QUIET int __isnanf(float x) { return x != x; }
static SIMT_QUIET int __isinff(float x) { return __builtin_isinf(x); }
static SIMT_QUIET bool signbit(float x) { return __builtin_signbit(x); }
static SIMT_HIDDEN void sincosf(float x, float *s, float *c) { simt_write(s, 4); *s = sinf(x); simt_write(c, 4); *c = cosf(x); }
static SIMT_QUIET float fdividef(float a, float b) { return a / b; }
static SIMT_QUIET float normcdff(float x) { return 0.5f * erfcf(-x * 0.70710678118654752f); }
#define SIMT_FAST1(n, e) static SIMT_QUIET float n(float x) { return e; }
SIMT_FAST1(__expf, expf(x)) SIMT_FAST1(__exp10f, powf(10.f, x)) SIMT_FAST1(__logf, logf(x)) SIMT_FAST1(__log2f, log2f(x)) SIMT_FAST1(__log10f, log10f(x))
SIMT_FAST1(__sinf, sinf(x)) SIMT_FAST1(__cosf, cosf(x)) SIMT_FAST1(__tanf, tanf(x)) SIMT_FAST1(__saturatef, x != x || x < 0.f ? 0.f : x > 1.f ? 1.f : x)
SIMT_FAST1(__frcp_rn, 1.f / x) SIMT_FAST1(__fsqrt_rn, __builtin_sqrtf(x)) SIMT_FAST1(__frsqrt_rn, 1.f / __builtin_sqrtf(x))
#define SIMT_FAST2(n, e) static SIMT_QUIET float n(float a, float b) { return e; }
SIMT_FAST2(__fdividef, a / b) SIMT_FAST2(__powf, powf(a, b)) SIMT_FAST2(__fadd_rn, a + b) SIMT_FAST2(__fsub_rn, a - b) SIMT_FAST2(__fmul_rn, a *b) SIMT_FAST2(__fdiv_rn, a / b)
static SIMT_QUIET float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static SIMT_QUIET int __popc(unsigned x) { return __builtin_popcount(x); }
static SIMT_QUIET int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static SIMT_QUIET int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
static SIMT_QUIET int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
static SIMT_QUIET int __ffs(int x) { return __builtin_ffs(x); }
static SIMT_QUIET int __ffsll(long long x) { return __builtin_ffsll(x); }
static SIMT_QUIET unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
static SIMT_QUIET unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
static SIMT_QUIET int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
static SIMT_QUIET int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
static SIMT_QUIET unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned s) { s &= 31; return s ? hi << s | lo >> (32 - s) : hi; }
static SIMT_QUIET unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned s) { s &= 31; return s ? lo >> s | hi << (32 - s) : lo; }
static SIMT_QUIET unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned s) { return s >= 32 ? lo : __funnelshift_l(lo, hi, s); }
static SIMT_QUIET unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned s) { return s >= 32 ? hi : __funnelshift_r(lo, hi, s); }
static SIMT_QUIET unsigned __byte_perm(unsigned a, unsigned b, unsigned s) { unsigned long long v = (unsigned long long)b << 32 | a; unsigned r = 0; for (int i = 0; i < 4; i++) r |= (unsigned)(v >> (8 * (s >> (4 * i) & 7)) & 255) << (8 * i); return r; }
static SIMT_QUIET int __dp4a(int a, int b, int c) { for (int i = 0; i < 4; i++) c += (int)(signed char)(a >> (8 * i)) * (int)(signed char)(b >> (8 * i)); return c; }
#define SIMT_BITS(n, R, A) static SIMT_QUIET R n(A x) { return __builtin_bit_cast(R, x); }
SIMT_BITS(__float_as_int, int, float) SIMT_BITS(__int_as_float, float, int) SIMT_BITS(__float_as_uint, unsigned, float) SIMT_BITS(__uint_as_float, float, unsigned)
SIMT_BITS(__double_as_longlong, long long, double) SIMT_BITS(__longlong_as_double, double, long long)
static SIMT_QUIET int __float2int_rn(float x) { return (int)__builtin_rintf(x); }
static SIMT_QUIET int __float2int_rz(float x) { return (int)x; }
static SIMT_QUIET int __float2int_rd(float x) { return (int)__builtin_floorf(x); }
static SIMT_QUIET int __float2int_ru(float x) { return (int)__builtin_ceilf(x); }
static SIMT_QUIET float __int2float_rn(int x) { return (float)x; }
static SIMT_QUIET float __uint2float_rn(unsigned x) { return (float)x; }
static SIMT_QUIET unsigned __float2uint_rn(float x) { return (unsigned)__builtin_rintf(x); }
static SIMT_QUIET unsigned __float2uint_rz(float x) { return (unsigned)x; }
static SIMT_QUIET double __int2double_rn(int x) { return x; }
static SIMT_QUIET float __double2float_rn(double x) { return (float)x; }
static SIMT_QUIET int __double2int_rn(double x) { return (int)__builtin_rint(x); }
static SIMT_QUIET int __double2int_rz(double x) { return (int)x; }
static SIMT_QUIET unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
static SIMT_QUIET unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned long long)((unsigned __int128)a * b >> 64); }
static SIMT_QUIET unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
static SIMT_QUIET int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
static SIMT_QUIET int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
static SIMT_QUIET unsigned __sad(int a, int b, unsigned c) { return c + (unsigned)(a < b ? (long long)b - a : (long long)a - b); }
static SIMT_QUIET unsigned __dp4a(unsigned a, unsigned b, unsigned c) { for (int i = 0; i < 4; i++) c += (a >> (8 * i) & 255u) * (b >> (8 * i) & 255u); return c; }
// Four bytes, or two halfwords, of a word at a time.
#define SIMT_LANES(name, bits, T, e)                                                                            \
  static SIMT_QUIET unsigned name(unsigned u, unsigned w) { unsigned r = 0; for (int i = 0; i < 32; i += bits) { int a = (T)(u >> i), b = (T)(w >> i); (void)a; (void)b; r |= ((unsigned)(e) & ((1u << bits) - 1u)) << i; } return r; }
#define SIMT_CLIP(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))
SIMT_LANES(__vadd4, 8, unsigned char, a + b) SIMT_LANES(__vsub4, 8, unsigned char, a - b) SIMT_LANES(__vadd2, 16, unsigned short, a + b) SIMT_LANES(__vsub2, 16, unsigned short, a - b)
SIMT_LANES(__vaddss4, 8, signed char, SIMT_CLIP(a + b, -128, 127)) SIMT_LANES(__vsubss4, 8, signed char, SIMT_CLIP(a - b, -128, 127))
SIMT_LANES(__vaddus4, 8, unsigned char, SIMT_CLIP(a + b, 0, 255)) SIMT_LANES(__vsubus4, 8, unsigned char, SIMT_CLIP(a - b, 0, 255))
SIMT_LANES(__vcmpeq4, 8, unsigned char, a == b ? 255 : 0) SIMT_LANES(__vcmpne4, 8, unsigned char, a != b ? 255 : 0) SIMT_LANES(__vcmpgtu4, 8, unsigned char, a > b ? 255 : 0)
SIMT_LANES(__vcmpgts4, 8, signed char, a > b ? 255 : 0) SIMT_LANES(__vcmpges4, 8, signed char, a >= b ? 255 : 0) SIMT_LANES(__vminu4, 8, unsigned char, a < b ? a : b) SIMT_LANES(__vmaxu4, 8, unsigned char, a > b ? a : b)
SIMT_LANES(__vmins4, 8, signed char, a < b ? a : b) SIMT_LANES(__vmaxs4, 8, signed char, a > b ? a : b) SIMT_LANES(__vabsdiffu4, 8, unsigned char, a < b ? b - a : a - b)

// Half: arithmetic rounds each result to half.
#define SIMT_SMALL(name, to, from)                                                                             \
  struct name##_raw { unsigned short x; };                                                                     \
  struct name {                                                                                                \
    unsigned short simt_held;                                                                                  \
    name() = default;                                                                                          \
    constexpr name(float x) : simt_held(to(x)) {}                                                              \
    constexpr name(name##_raw x) : simt_held(x.x) {}                                                           \
    constexpr operator name##_raw() const { return {simt_held}; }                                              \
    constexpr name(double x) : simt_held(to((float)x)) {}                                                      \
    template <class T> requires(__is_integral(T)) constexpr name(T x) : simt_held(to((float)x)) {}             \
    constexpr operator float() const { return from(simt_held); }                                               \
  };                                                                                                           \
  static SIMT_QUIET name operator+(name a, name b) { return name((float)a + (float)b); }                       \
  static SIMT_QUIET name operator-(name a, name b) { return name((float)a - (float)b); }                       \
  static SIMT_QUIET name operator*(name a, name b) { return name((float)a * (float)b); }                       \
  static SIMT_QUIET name operator/(name a, name b) { return name((float)a / (float)b); }                       \
  static SIMT_QUIET name operator-(name a) { return name(-(float)a); }                                         \
  static SIMT_QUIET bool operator<(name a, name b) { return (float)a < (float)b; }                             \
  static SIMT_QUIET bool operator>(name a, name b) { return (float)a > (float)b; }                             \
  static SIMT_QUIET bool operator==(name a, name b) { return (float)a == (float)b; }                           \
  static SIMT_SEEN_ name &operator+=(name &a, name b) { return a = a + b; }                                    \
  static SIMT_SEEN_ name &operator-=(name &a, name b) { return a = a - b; }                                    \
  static SIMT_SEEN_ name &operator*=(name &a, name b) { return a = a * b; }                                    \
  static SIMT_QUIET bool operator<=(name a, name b) { return (float)a <= (float)b; }                           \
  static SIMT_QUIET bool operator>=(name a, name b) { return (float)a >= (float)b; }                           \
  static SIMT_QUIET bool operator!=(name a, name b) { return (float)a != (float)b; }                           \
  static SIMT_SEEN_ name &operator/=(name &a, name b) { return a = a / b; }                                    \
  struct alignas(4) name##2 { name x, y; };                                                                    \
  static SIMT_QUIET name##2 operator+(name##2 a, name##2 b) { return {a.x + b.x, a.y + b.y}; }                 \
  static SIMT_QUIET name##2 operator-(name##2 a, name##2 b) { return {a.x - b.x, a.y - b.y}; }                 \
  static SIMT_QUIET name##2 operator*(name##2 a, name##2 b) { return {a.x * b.x, a.y * b.y}; }                 \
  static SIMT_QUIET name##2 operator/(name##2 a, name##2 b) { return {a.x / b.x, a.y / b.y}; }                 \
  static SIMT_QUIET name##2 operator-(name##2 a) { return {-a.x, -a.y}; }                                      \
  static SIMT_SEEN_ name##2 &operator+=(name##2 &a, name##2 b) { return a = a + b; }                           \
  static SIMT_SEEN_ name##2 &operator*=(name##2 &a, name##2 b) { return a = a * b; }                           \
  static SIMT_QUIET name##2 __hsub2(name##2 a, name##2 b) { return a - b; }                                    \
  static SIMT_QUIET name##2 __h2div(name##2 a, name##2 b) { return a / b; }                                    \
  static SIMT_QUIET name##2 __hneg2(name##2 a) { return -a; }                                                  \
  static SIMT_QUIET name##2 __habs2(name##2 a) { return {name(__builtin_fabsf(a.x)), name(__builtin_fabsf(a.y))}; } \
  static SIMT_QUIET name##2 __hmax2(name##2 a, name##2 b) { return {name(__builtin_fmaxf(a.x, b.x)), name(__builtin_fmaxf(a.y, b.y))}; } \
  static SIMT_QUIET name##2 __hmin2(name##2 a, name##2 b) { return {name(__builtin_fminf(a.x, b.x)), name(__builtin_fminf(a.y, b.y))}; } \
  static SIMT_QUIET name##2 h2exp(name##2 a) { return {name(expf(a.x)), name(expf(a.y))}; }                    \
  static SIMT_QUIET name##2 h2log(name##2 a) { return {name(logf(a.x)), name(logf(a.y))}; }                    \
  static SIMT_QUIET name##2 h2sqrt(name##2 a) { return {name(__builtin_sqrtf(a.x)), name(__builtin_sqrtf(a.y))}; } \
  static SIMT_QUIET name##2 h2rsqrt(name##2 a) { return {name(1.f / __builtin_sqrtf(a.x)), name(1.f / __builtin_sqrtf(a.y))}; } \
  static SIMT_QUIET name##2 h2rcp(name##2 a) { return {name(1.f / (float)a.x), name(1.f / (float)a.y)}; }      \
  static SIMT_QUIET bool __hge(name a, name b) { return a >= b; }                                              \
  static SIMT_QUIET bool __hle(name a, name b) { return a <= b; }                                              \
  static SIMT_QUIET bool __hne(name a, name b) { return a != b; }                                              \
  static SIMT_QUIET int __hisinf(name a) { return __builtin_isinf((float)a) ? ((float)a < 0 ? -1 : 1) : 0; }   \
  static SIMT_QUIET name hrcp(name a) { return name(1.f / (float)a); }                                         \
  static SIMT_QUIET name hexp2(name a) { return name(exp2f(a)); }                                              \
  static SIMT_QUIET name hlog2(name a) { return name(log2f(a)); }                                              \
  static SIMT_QUIET name hsin(name a) { return name(sinf(a)); }                                                \
  static SIMT_QUIET name hcos(name a) { return name(cosf(a)); }                                                \
  static SIMT_QUIET name htanh(name a) { return name(tanhf(a)); }                                              \
  static SIMT_QUIET name hfloor(name a) { return name(__builtin_floorf(a)); }                                  \
  static SIMT_QUIET name hceil(name a) { return name(__builtin_ceilf(a)); }                                    \
  static SIMT_QUIET name htrunc(name a) { return name(__builtin_truncf(a)); }                                  \
  static SIMT_QUIET name hrint(name a) { return name(__builtin_rintf(a)); }                                    \
  static SIMT_QUIET name __hadd(name a, name b) { return a + b; }                                              \
  static SIMT_QUIET name __hsub(name a, name b) { return a - b; }                                              \
  static SIMT_QUIET name __hmul(name a, name b) { return a * b; }                                              \
  static SIMT_QUIET name __hdiv(name a, name b) { return a / b; }                                              \
  static SIMT_QUIET name __hfma(name a, name b, name c) { return name(fmaf(a, b, c)); }                        \
  static SIMT_QUIET name __hneg(name a) { return -a; }                                                         \
  static SIMT_QUIET name __habs(name a) { return name(__builtin_fabsf(a)); }                                   \
  static SIMT_QUIET name __hmax(name a, name b) { return name(__builtin_fmaxf(a, b)); }                        \
  static SIMT_QUIET name __hmin(name a, name b) { return name(__builtin_fminf(a, b)); }                        \
  static SIMT_QUIET bool __hgt(name a, name b) { return a > b; }                                               \
  static SIMT_QUIET bool __hlt(name a, name b) { return a < b; }                                               \
  static SIMT_QUIET bool __heq(name a, name b) { return a == b; }                                              \
  static SIMT_QUIET bool __hisnan(name a) { return __builtin_isnan((float)a); }                                \
  static SIMT_QUIET name hexp(name a) { return name(expf(a)); }                                                \
  static SIMT_QUIET name hlog(name a) { return name(logf(a)); }                                                \
  static SIMT_QUIET name hsqrt(name a) { return name(__builtin_sqrtf(a)); }                                    \
  static SIMT_QUIET name hrsqrt(name a) { return name(1.f / __builtin_sqrtf(a)); }                             \
  static SIMT_QUIET name##2 __hadd2(name##2 a, name##2 b) { return {a.x + b.x, a.y + b.y}; }                   \
  static SIMT_QUIET name##2 __hmul2(name##2 a, name##2 b) { return {a.x * b.x, a.y * b.y}; }                   \
  static SIMT_QUIET name##2 __hfma2(name##2 a, name##2 b, name##2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
#define SIMT_SEEN_ __attribute__((no_sanitize("coverage"), noinline))
constexpr unsigned short simt_to_half(float x) { return __builtin_bit_cast(unsigned short, (_Float16)x); }
constexpr float simt_from_half(unsigned short h) { return (float)__builtin_bit_cast(_Float16, h); }
constexpr unsigned short simt_to_bf16(float x) {
  unsigned u = __builtin_bit_cast(unsigned, x);
  return (u & 0x7fffffffu) > 0x7f800000u ? (unsigned short)((u >> 16) | 64u) : (unsigned short)((u + 0x7fffu + (u >> 16 & 1u)) >> 16);
}
constexpr float simt_from_bf16(unsigned short h) { return __builtin_bit_cast(float, (unsigned)h << 16); }
SIMT_SMALL(__half, simt_to_half, simt_from_half)
SIMT_SMALL(__nv_bfloat16, simt_to_bf16, simt_from_bf16)
typedef __half half;
typedef __half2 half2;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
static SIMT_QUIET __half __float2half(float x) { return __half(x); }
static SIMT_QUIET __half __float2half_rn(float x) { return __half(x); }
static SIMT_QUIET float __half2float(__half x) { return x; }
static SIMT_QUIET __half2 __float2half2_rn(float x) { return {__half(x), __half(x)}; }
static SIMT_QUIET __half2 __floats2half2_rn(float a, float b) { return {__half(a), __half(b)}; }
static SIMT_QUIET __half2 __halves2half2(__half a, __half b) { return {a, b}; }
static SIMT_QUIET __half2 __half2half2(__half a) { return {a, a}; }
static SIMT_QUIET __half __low2half(__half2 a) { return a.x; }
static SIMT_QUIET __half __high2half(__half2 a) { return a.y; }
static SIMT_QUIET float __low2float(__half2 a) { return a.x; }
static SIMT_QUIET float __high2float(__half2 a) { return a.y; }
static SIMT_QUIET __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
static SIMT_QUIET __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
static SIMT_QUIET float __bfloat162float(__nv_bfloat16 x) { return x; }
static SIMT_QUIET __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
static SIMT_QUIET __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
static SIMT_QUIET __half2 __low2half2(__half2 a) { return {a.x, a.x}; }
static SIMT_QUIET __half2 __high2half2(__half2 a) { return {a.y, a.y}; }
static SIMT_QUIET __half2 __lowhigh2highlow(__half2 a) { return {a.y, a.x}; }
#define SIMT_FROM_WHOLE(word, T)                                                                               \
  static SIMT_QUIET __half __##word##2half_rn(T x) { return __half((float)x); }                                \
  static SIMT_QUIET __nv_bfloat16 __##word##2bfloat16_rn(T x) { return __nv_bfloat16((float)x); }              \
  static SIMT_QUIET T __half2##word##_rn(__half x) { return (T)__builtin_rintf(x); }                           \
  static SIMT_QUIET T __half2##word##_rz(__half x) { return (T)(float)x; }                                     \
  static SIMT_QUIET T __half2##word##_rd(__half x) { return (T)__builtin_floorf(x); }                          \
  static SIMT_QUIET T __half2##word##_ru(__half x) { return (T)__builtin_ceilf(x); }                           \
  static SIMT_QUIET T __bfloat162##word##_rn(__nv_bfloat16 x) { return (T)__builtin_rintf(x); }                \
  static SIMT_QUIET T __bfloat162##word##_rz(__nv_bfloat16 x) { return (T)(float)x; }
SIMT_FROM_WHOLE(int, int) SIMT_FROM_WHOLE(uint, unsigned) SIMT_FROM_WHOLE(short, short) SIMT_FROM_WHOLE(ushort, unsigned short)
SIMT_FROM_WHOLE(ll, long long) SIMT_FROM_WHOLE(ull, unsigned long long)
SIMT_BITS(__half_as_ushort, unsigned short, __half) SIMT_BITS(__half_as_short, short, __half) SIMT_BITS(__ushort_as_half, __half, unsigned short) SIMT_BITS(__short_as_half, __half, short)
SIMT_BITS(__bfloat16_as_ushort, unsigned short, __nv_bfloat16) SIMT_BITS(__ushort_as_bfloat16, __nv_bfloat16, unsigned short)
static SIMT_QUIET __nv_bfloat162 __float2bfloat162_rn(float x) { return {__nv_bfloat16(x), __nv_bfloat16(x)}; }
static SIMT_QUIET __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return {__nv_bfloat16(a), __nv_bfloat16(b)}; }
static SIMT_QUIET __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
static SIMT_QUIET __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }
static SIMT_QUIET __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
static SIMT_QUIET __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
static SIMT_QUIET float __low2float(__nv_bfloat162 a) { return a.x; }
static SIMT_QUIET float __high2float(__nv_bfloat162 a) { return a.y; }
