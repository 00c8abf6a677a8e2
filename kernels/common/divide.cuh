// Division of complex numbers that leaves the range only where the quotient does, or nearly.
#pragma once
#include "scalar.cuh"

namespace tephra {

// b / d for any d. Source: R. L. Smith, Algorithm 116, as in LAPACK ladiv's simple form.
template <typename T>
__device__ __forceinline__ T divide(T b, T d) {
    using R = Real<T>;
    if constexpr (is_complex<T>) {
        if (fabs(d.y) < fabs(d.x)) {
            const R e = d.y / d.x, f = d.x + d.y * e;
            return {(b.x + b.y * e) / f, (b.y - b.x * e) / f};
        }
        const R e = d.x / d.y, f = d.y + d.x * e;
        return {(b.y + b.x * e) / f, (b.y * e - b.x) / f};
    } else {
        return b / d;
    }
}

} // namespace tephra
