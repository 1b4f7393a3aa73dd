// From the host's pointers to a kernel's parameters.
#pragma once
#include "simt.h"

template <class T> struct simt_strip { typedef T type; static constexpr int flags = 0; };
template <class T> struct simt_strip<T *> { typedef T type; static constexpr int flags = 1; };
template <class T> struct simt_strip<T *const> : simt_strip<T *> {};
template <class T> struct simt_strip<T *__restrict> : simt_strip<T *> {};
template <class T> struct simt_strip<T &> { typedef T type; static constexpr int flags = 2; };
template <class T> struct simt_plain_of { typedef T type; static constexpr int flags = 0; };
template <class T> struct simt_plain_of<const T> { typedef T type; static constexpr int flags = 4; };
template <class T> struct simt_plain_of<volatile T> { typedef T type; static constexpr int flags = 0; };
template <class T> struct simt_plain_of<const volatile T> { typedef T type; static constexpr int flags = 4; };
template <class T> struct simt_element_of { typedef T type; static constexpr int n = 1; };
template <class T, int N> struct simt_element_of<T __attribute__((ext_vector_type(N)))> { typedef T type; static constexpr int n = N; };
template <class T> constexpr int simt_kind() {
  if constexpr (__is_same(T, bool)) return 4;
  else if constexpr (__is_floating_point(T) || __is_same(T, _Float16)) return 1;
  else if constexpr (__is_integral(T)) return T(-1) < T(0) ? 2 : 3;
  else return 0;
}
template <class T> constexpr int simt_kind_of = simt_kind<T>();
template <class T> constexpr int simt_size_of = sizeof(T);
template <> inline constexpr int simt_size_of<void> = 1;

template <int I, class A, class... B> struct simt_nth { typedef typename simt_nth<I - 1, B...>::type type; };
template <class A, class... B> struct simt_nth<0, A, B...> { typedef A type; };
template <class F> struct simt_sig;
template <class... A> struct simt_sig<void (*)(A...)> { template <int I> using at = typename simt_nth<I, A...>::type; };
template <class F, int I> using simt_at = typename simt_sig<F>::template at<I>;

template <class P> struct simt_about {
  typedef simt_strip<P> strip;
  typedef simt_plain_of<typename strip::type> plain;
  typedef typename plain::type value;
  typedef simt_element_of<value> element;
  static constexpr int size = simt_size_of<value>, kind = simt_kind_of<typename element::type>, n = element::n, flags = strip::flags | plain::flags;
};
#define SIMT_ABOUT(F, I) {simt_about<simt_at<F, I>>::size, simt_about<simt_at<F, I>>::kind, simt_about<simt_at<F, I>>::n, simt_about<simt_at<F, I>>::flags}

template <class P> struct simt_binder { static SIMT_HIDDEN P from(void *p) { return *(P *)p; } };
template <class T> struct simt_binder<T *> { static SIMT_HIDDEN T *from(void *p) { return (T *)p; } };
template <class T> struct simt_binder<T &> { static SIMT_HIDDEN T &from(void *p) { return *(T *)p; } };
template <class P> static SIMT_QUIET P simt_bind_position(simt_u32 x, simt_u32 y, simt_u32 z) {
  if constexpr (simt_element_of<P>::n == 1) return (P)x;
  else {
    P r{};
    r[0] = x;
    r[1] = y;
    if constexpr (simt_element_of<P>::n > 2) r[2] = z;
    return r;
  }
}
