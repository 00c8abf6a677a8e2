// Entry points of the tall family, apart from instance.cuh so that a change of the others does not compile them again.
#pragma once
#include "geqrf/tall.cuh"
#include "types.cuh"

#define TEPHRA_TALL(NAME, T, N, NB, PC, G, RPT, W, MIN_BLOCKS, PLACES, AHEAD, SHARED)                                  \
    static_assert(sizeof(tephra::TallQr<tephra::T, N, NB, PC, G, RPT, W, PLACES, AHEAD>::Memory) <= SHARED,            \
                  "build.rs mirrors this size");                                                                       \
    extern "C" __global__ void __launch_bounds__(32 * W, MIN_BLOCKS)                                                   \
        NAME(const __grid_constant__ tephra::GeqrfArgs args) {                                                         \
        tephra::geqrf_tall<tephra::T, N, NB, PC, G, RPT, W, PLACES, AHEAD>(args);                                      \
    }
