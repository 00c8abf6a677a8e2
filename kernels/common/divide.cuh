// Division of complex numbers that overflows or underflows only where the quotient does, or nearly does.
#pragma once
#include "scalar.cuh"

namespace tephra {

// A power of two that brings a number of this magnitude into a range where sums of two products with numbers near one
// neither overflow nor underflow.
template <typename R>
__device__ __forceinline__ R toward_one(R size) {
    constexpr R most = sizeof(R) == 4 ? R(0x1p62f) : R(0x1p500), by = sizeof(R) == 4 ? R(0x1p64f) : R(0x1p512);
    return size < 1 / most ? by : size > most ? 1 / by : R(1);
}

// b / d for any d. Source: R. L. Smith, Algorithm 116, in the simple form of LAPACK's ladiv.
template <typename T>
__device__ __forceinline__ T divide(T b, T d) {
    using R = Real<T>;
    if constexpr (is_complex<T>) {
        const R of_b = toward_one(abs_inf(b)), of_d = toward_one(abs_inf(d));
        b = scale(b, of_b), d = scale(d, of_d);
        T q;
        if (fabs(d.y) < fabs(d.x)) {
            const R e = d.y / d.x, f = d.x + d.y * e;
            q = {(b.x + b.y * e) / f, (b.y - b.x * e) / f};
        } else {
            const R e = d.x / d.y, f = d.y + d.x * e;
            q = {(b.y + b.x * e) / f, (b.y * e - b.x) / f};
        }
        return scale(scale(q, of_d), 1 / of_b);
    } else {
        return b / d;
    }
}

} // namespace tephra
