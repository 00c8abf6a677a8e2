// Reflectors by the short formulas, with a watch over the range in which they hold.
#pragma once
#include "../common/householder.cuh"

namespace tephra {

template <typename T>
struct RangeWatch {
    using R = Real<T>;
    unsigned low = 0x7fffffffu, high = 0; // range of the sums of squares seen, as bit patterns

    // Non-negative numbers in order, NaN last.
    static __device__ __forceinline__ unsigned order(float x) { return __float_as_uint(x); }
    static __device__ __forceinline__ unsigned order(double x) { return __double2hiint(x); }

    // The reflector of column k of m rows, from alpha and the sum of squares below it.
    __device__ __forceinline__ Reflector<T> reflect(int k, int m, T alpha, R sum) {
        const R q = abs2_add(alpha, sum);
        Reflector<T> h = reflector_fast(alpha, q);
        if (only_real(k, m, alpha)) {
            h = {};
            h.beta = re(alpha);
        }
        watch(k, m, alpha, sum, q);
        return h;
    }
    // The same for kernels that leave the column as it is.
    __device__ __forceinline__ UnscaledReflector<T> reflect_unscaled(int k, int m, T alpha, R sum) {
        const R q = abs2_add(alpha, sum);
        UnscaledReflector<T> h;
        if constexpr (is_complex<T>)
            h = unscaled_fast(alpha, q, only_real(k, m, alpha));
        else
            h = unscaled_fast(alpha, q);
        watch(k, m, alpha, sum, q);
        return h;
    }
    // Whether row k is a complex matrix's last one, where H only makes alpha real, and alpha is: H = I.
    static __device__ __forceinline__ bool only_real(int k, int m, T alpha) {
        return is_complex<T> && k == m - 1 && im(alpha) == 0;
    }
    // Takes notice of column k, q = |alpha|^2 + sum. In a complex matrix's last row there is no sum.
    __device__ __forceinline__ void watch(int k, int m, T alpha, R sum, R q) {
        const bool last = is_complex<T> && k == m - 1;
        seen(order(only_real(k, m, alpha) ? R(1) : last ? q : sum), order(q));
    }
    __device__ __forceinline__ void seen(unsigned lower, unsigned upper) {
        low = lower < low ? lower : low;
        high = upper > high ? upper : high;
    }
    // Whether the short formulas held: no column left the range (as an all-zero one does).
    template <typename Range>
    __device__ __forceinline__ bool ok() const {
        return low > order(Range::lo) && high < order(Range::hi);
    }
};

} // namespace tephra
