// Roots of the pivots of a Cholesky factorisation.
#pragma once
#include "../common/householder.cuh"
#include "../getrf/lanes.cuh"
#include "../getrf/pivot.cuh"

namespace tephra {

// 1 / sqrt(x) for finite x > 0, to within about one unit in the last place, without a branch. The estimate alone would
// treat subnormal numbers as zero.
template <typename R>
__device__ __forceinline__ R finite_inverse_root(R x) {
    constexpr R up = sizeof(R) == 4 ? R(0x1p48f) : R(0x1p108), up_root = sizeof(R) == 4 ? R(0x1p24f) : R(0x1p54);
    const bool small = x < Normal<R>::least;
    const R estimate = rsqrt_estimate(choose(small, x * up, x)) * choose(small, up_root, R(1));
    return rsqrt_refined(x, estimate);
}
// The same; 0 for infinity.
template <typename R>
__device__ __forceinline__ R inverse_root(R x) {
    constexpr R largest = sizeof(R) == 4 ? R(0x1.fffffep127f) : R(0x1.fffffffffffffp1023);
    return choose(x <= largest, finite_inverse_root(x), R(0));
}
// sqrt(x), from its inverse.
template <typename R>
__device__ __forceinline__ R root_from_inverse(R x, R inverse) {
    const R root = x * inverse;
    return choose(inverse == 0, x, fma(fma(-root, root, x), R(0.5) * inverse, root));
}

} // namespace tephra
