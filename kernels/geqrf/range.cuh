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
        unsigned bits = order(sum);
        if constexpr (is_complex<T>) {
            if (k == m - 1) { // nothing below: H makes alpha real
                bits = order(q);
                if (alpha.y == 0) {
                    h = {};
                    h.beta = alpha.x;
                    bits = order(R(1));
                }
            }
        }
        seen(bits, order(q));
        return h;
    }
    // The same for kernels that leave the column as it is.
    __device__ __forceinline__ UnscaledReflector<T> reflect_unscaled(int k, int m, T alpha, R sum) {
        const R q = abs2_add(alpha, sum);
        unsigned bits = order(sum);
        UnscaledReflector<T> h;
        if constexpr (is_complex<T>) {
            const bool last = k == m - 1, identity = last && alpha.y == 0; // nothing below: H makes alpha real
            if (last) bits = order(identity ? R(1) : q);
            h = unscaled_fast(alpha, q, identity);
        } else {
            h = unscaled_fast(alpha, q);
        }
        seen(bits, order(q));
        return h;
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
