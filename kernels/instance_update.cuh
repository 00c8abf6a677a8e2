// Entry points of the update and larfb families, apart from instance.cuh so that a change of the others does not
// compile them again.
#pragma once
#include "geqrf/update.cuh"
#include "types.cuh"

#define TEPHRA_FUSED_REFLECTOR(NAME, T, NB, NT, W, U, MIN_BLOCKS, ROWS, SHARED, ANY)                                   \
    static_assert(sizeof(tephra::Update<tephra::T, NB, NT, W, U, ANY>) <= SHARED &&                                    \
                      tephra::Update<tephra::T, NB, NT, W, U, ANY>::capacity == ROWS,                                  \
                  "build.rs mirrors these sizes");                                                                     \
    extern "C" __global__ void __launch_bounds__(32 * W, MIN_BLOCKS)                                                   \
        NAME(const __grid_constant__ tephra::LarfbArgs args) {                                                         \
        tephra::larfb_fused<tephra::T, NB, NT, W, U, ANY>(args);                                                       \
    }

// geqrf's trailing update
#define TEPHRA_UPDATE(NAME, T, NB, NT, W, U, MIN_BLOCKS, ROWS, SHARED)                                                 \
    TEPHRA_FUSED_REFLECTOR(NAME, T, NB, NT, W, U, MIN_BLOCKS, ROWS, SHARED, false)

// All that LarfbArgs can say
#define TEPHRA_LARFB(NAME, T, NB, NT, W, U, MIN_BLOCKS, ROWS, SHARED)                                                  \
    TEPHRA_FUSED_REFLECTOR(NAME, T, NB, NT, W, U, MIN_BLOCKS, ROWS, SHARED, true)
