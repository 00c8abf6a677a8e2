// Left-looking LU by strips for members with their own sizes.
#pragma once
#include "left_looking.cuh"

namespace tephra {

// Small pivots are not replaced.
template <typename T, int G>
__device__ __forceinline__ void getrf_left_looking_each(const GetrfEachArgs &launch) {
    const long long i = blockIdx.x;
    const auto args = launch.of(i);
    // A member's warps rely on being the only ones in the block.
    if (args.idle() || static_cast<int>(threadIdx.x / 32) >= LeftLookingLu<T, G>::warps_of(args.m)) return;
    LeftLookingLu<T, G> lu(args.m, args.n, args.pivots() ? args.interchanges(i) : nullptr, dynamic_shared());
    lu.run(args.template matrix<T>(i), args.lda);
    if (threadIdx.x == 0) args.set_info(i, lu.first_zero, false);
}

} // namespace tephra

#define TEPHRA_GETRF_LEFT_LOOKING_EACH(NAME, T, G, MIN_BLOCKS)                                                         \
    TEPHRA_ENTRY(NAME, (LeftLookingLu<letter::T, G>::about()), __launch_bounds__(128, MIN_BLOCKS), GetrfEachArgs,      \
                 getrf_left_looking_each<letter::T, G>)
