// Panels of tall matrices, for variable-size batches.
#pragma once
#include "each.cuh"
#include "tall.cuh"

namespace tephra {

template <typename T, int... SHAPE>
__device__ __forceinline__ void geqrf_tall_each(const GeqrfEachArgs &args) {
    static_assert(TallQr<T, SHAPE...>::AHEAD == 0, "a block has one matrix");
    of_members<T>(args, [](const GeqrfArgs &own) { geqrf_tall<T, SHAPE...>(own); });
}

} // namespace tephra

#define TEPHRA_TALL_EACH(NAME, T, N, NB, PC, G, RPT, W, MIN_BLOCKS, PLACES)                                            \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 Instance(32 * W)                                                                                      \
                     .holds(32 / PC * W * RPT, N)                                                                      \
                     .by_warps(W)                                                                                      \
                     .needs(sizeof(TallQr<letter::T, N, NB, PC, G, RPT, W, PLACES, 0>::Memory)),                       \
                 __launch_bounds__(32 * W, MIN_BLOCKS), GeqrfEachArgs,                                                 \
                 geqrf_tall_each<letter::T, N, NB, PC, G, RPT, W, PLACES, 0>)
