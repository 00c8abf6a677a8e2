// Reflectors by the short formulas, with a watch over the range in which they hold. Where columns have been scaled to
// near one (column_scale.cuh), only values that are infinite or NaN, or nearly so, leave it.
#pragma once
#include "../common/householder.cuh"

namespace tephra {

template <typename T>
struct RangeWatch {
    using R = Real<T>;
    unsigned high = 0; // the largest sum of squares seen, as a bit pattern

    // Maps non-negative numbers to unsigned integers in the same order, with NaN last.
    static __device__ __forceinline__ unsigned order(float x) { return __float_as_uint(x); }
    static __device__ __forceinline__ unsigned order(double x) { return __double2hiint(x); }

    // |alpha|^2 + sum plus a floor that only counts where the rest is negligible: never zero.
    static __device__ __forceinline__ R square(T alpha, R sum) {
        return abs2_add(alpha, NegligibleSquare<R>::floor) + sum;
    }
    // Whether H = I: the column is zero below a real alpha, or negligible including alpha. q = square(alpha, sum).
    static __device__ __forceinline__ bool is_identity(T alpha, R sum, R q) {
        // By bit patterns: a comparison of doubles would occupy the FP64 pipe, which the steps need.
        return (order(sum) == 0 && im(alpha) == 0) || order(q) <= order(NegligibleSquare<R>::limit);
    }
    // The reflector of a column, from alpha and the sum of squares below it.
    __device__ __forceinline__ Reflector<T> reflect(T alpha, R sum) {
        const R q = square(alpha, sum);
        Reflector<T> h = reflector_fast(alpha, q);
        h.identity = is_identity(alpha, sum, q);
        seen(q);
        return h;
    }
    // The same for kernels that leave the column unscaled. g is zero if H = I.
    __device__ __forceinline__ UnscaledReflector<T> reflect_unscaled(T alpha, R sum) {
        const R q = square(alpha, sum);
        seen(q);
        return unscaled_fast(alpha, q, is_identity(alpha, sum, q));
    }
    __device__ __forceinline__ void seen(R q) {
        const unsigned bits = order(q);
        high = bits > high ? bits : high;
    }
    __device__ __forceinline__ void fail() { high = 0xffffffffu; }
    // Whether a lane's part of a column, x from `first` on, is zero itself, and not only its square, which may
    // underflow.
    template <int N>
    static __device__ __forceinline__ bool all_zero(const T (&x)[N], int first) {
        unsigned any = 0;
#pragma unroll
        for (int r = 0; r < N; ++r)
            if (r >= first) any |= magnitude_bits(x[r]);
        return any == 0;
    }
    // Whether the short formulas held.
    template <typename Range>
    __device__ __forceinline__ bool ok() const {
        return high < order(Range::hi);
    }
};

} // namespace tephra
