// Shuffles within a part of a warp, and selection between registers.
#pragma once
#include "../common/scalar.cuh"

namespace tephra {

// The value of lane `lane` in this lane's group of LANES adjacent lanes.
template <int LANES, typename T>
__device__ __forceinline__ T of_lane(T a, int lane) {
    if constexpr (is_complex<T>)
        return {of_lane<LANES>(a.x, lane), of_lane<LANES>(a.y, lane)};
    else
        return __shfl_sync(0xffffffffu, a, lane, LANES);
}

template <typename R>
__device__ __forceinline__ Complex<R> choose(bool yes, Complex<R> a, Complex<R> b) {
    return {choose(yes, a.x, b.x), choose(yes, a.y, b.y)};
}

} // namespace tephra
