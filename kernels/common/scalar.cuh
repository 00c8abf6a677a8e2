// Scalars: float, double and their complex types, with the operations that the kernels need.
#pragma once
#include "../arch/arch.cuh"

namespace tephra {

template <typename R>
struct alignas(2 * sizeof(R)) Complex {
    R x, y;
};

template <typename T>
struct Traits {
    using Real = T;
    static constexpr bool complex = false;
};
template <typename R>
struct Traits<Complex<R>> {
    using Real = R;
    static constexpr bool complex = true;
};
template <typename T>
using Real = typename Traits<T>::Real;
template <typename T>
inline constexpr bool is_complex = Traits<T>::complex;

template <typename T>
__device__ __forceinline__ T make(Real<T> re, Real<T> im = 0) {
    if constexpr (is_complex<T>)
        return {re, im};
    else
        return re;
}
template <typename T>
__device__ __forceinline__ Real<T> re(T a) {
    if constexpr (is_complex<T>)
        return a.x;
    else
        return a;
}
template <typename T>
__device__ __forceinline__ Real<T> im(T a) {
    if constexpr (is_complex<T>)
        return a.y;
    else
        return 0;
}
template <typename T>
__device__ __forceinline__ T conj(T a) {
    if constexpr (is_complex<T>)
        return {a.x, -a.y};
    else
        return a;
}
template <typename T>
__device__ __forceinline__ T mul(T a, T b) {
    if constexpr (is_complex<T>)
        return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
    else
        return a * b;
}
template <typename T>
__device__ __forceinline__ T scale(T a, Real<T> s) {
    if constexpr (is_complex<T>)
        return {a.x * s, a.y * s};
    else
        return a * s;
}
template <typename T>
__device__ __forceinline__ T add(T a, T b) {
    if constexpr (is_complex<T>)
        return {a.x + b.x, a.y + b.y};
    else
        return a + b;
}
// a * b + c
template <typename T>
__device__ __forceinline__ T fma_(T a, T b, T c) {
    if constexpr (is_complex<T>)
        return {fma(-a.y, b.y, fma(a.x, b.x, c.x)), fma(a.y, b.x, fma(a.x, b.y, c.y))};
    else
        return fma(a, b, c);
}
// c - a * b
template <typename T>
__device__ __forceinline__ T fnma_(T a, T b, T c) {
    if constexpr (is_complex<T>)
        return {fma(a.y, b.y, fma(-a.x, b.x, c.x)), fma(-a.y, b.x, fma(-a.x, b.y, c.y))};
    else
        return fma(-a, b, c);
}
// conj(a) * b + c
template <typename T>
__device__ __forceinline__ T cfma_(T a, T b, T c) {
    if constexpr (is_complex<T>)
        return {fma(a.y, b.y, fma(a.x, b.x, c.x)), fma(-a.y, b.x, fma(a.x, b.y, c.y))};
    else
        return fma(a, b, c);
}
// |a|^2 + c
template <typename T>
__device__ __forceinline__ Real<T> abs2_add(T a, Real<T> c) {
    if constexpr (is_complex<T>)
        return fma(a.y, a.y, fma(a.x, a.x, c));
    else
        return fma(a, a, c);
}
// max(|re|, |im|)
template <typename T>
__device__ __forceinline__ Real<T> abs_inf(T a) {
    if constexpr (is_complex<T>)
        return fmax(fabs(a.x), fabs(a.y));
    else
        return fabs(a);
}
template <typename T>
__device__ __forceinline__ bool is_zero(T a) {
    return re(a) == 0 && im(a) == 0;
}
// The OR of the bits of all parts without their signs: zero if and only if a is.
__device__ __forceinline__ unsigned magnitude_bits(float a) { return __float_as_uint(a) & 0x7fffffffu; }
__device__ __forceinline__ unsigned magnitude_bits(double a) {
    return static_cast<unsigned>(__double2loint(a)) | (static_cast<unsigned>(__double2hiint(a)) & 0x7fffffffu);
}
template <typename R>
__device__ __forceinline__ unsigned magnitude_bits(Complex<R> a) {
    return magnitude_bits(a.x) | magnitude_bits(a.y);
}

template <typename T>
__device__ __forceinline__ T shfl_xor(T a, int mask) {
    if constexpr (is_complex<T>)
        return {__shfl_xor_sync(0xffffffffu, a.x, mask), __shfl_xor_sync(0xffffffffu, a.y, mask)};
    else
        return __shfl_xor_sync(0xffffffffu, a, mask);
}
template <typename T>
__device__ __forceinline__ T shfl(T a, int lane) {
    if constexpr (is_complex<T>)
        return {__shfl_sync(0xffffffffu, a.x, lane), __shfl_sync(0xffffffffu, a.y, lane)};
    else
        return __shfl_sync(0xffffffffu, a, lane);
}

template <int LANES, typename R>
__device__ __forceinline__ Complex<R> shfl_group(Complex<R> a, int lane) {
    return {shfl_group<LANES>(a.x, lane), shfl_group<LANES>(a.y, lane)};
}

// Sum over a group of LANES adjacent lanes; every lane receives it.
template <int LANES, typename T>
__device__ __forceinline__ T lanes_sum(T a) {
#pragma unroll
    for (int s = LANES / 2; s > 0; s /= 2) a = add(a, shfl_xor(a, s));
    return a;
}
template <int LANES, typename R>
__device__ __forceinline__ R lanes_max(R a) {
#pragma unroll
    for (int s = LANES / 2; s > 0; s /= 2) a = fmax(a, __shfl_xor_sync(0xffffffffu, a, s));
    return a;
}

} // namespace tephra
