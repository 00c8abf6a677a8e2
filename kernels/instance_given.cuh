// Entry points of block reflectors whose triangular factor is the caller's.
#pragma once
#include "q/given.cuh"
#include "types.cuh"

#define TEPHRA_LARFB_GIVEN(NAME, T, NB, NT, W, U, G, MIN_BLOCKS, ROWS, SHARED)                                         \
    static_assert(sizeof(tephra::Given<tephra::T, NB, NT, W, U, G>) <= SHARED &&                                       \
                      tephra::Given<tephra::T, NB, NT, W, U, G>::capacity == ROWS,                                     \
                  "build.rs mirrors these sizes");                                                                     \
    extern "C" __global__ void __launch_bounds__(32 * W * G, MIN_BLOCKS)                                               \
        NAME(const __grid_constant__ tephra::LarfbArgs args) {                                                         \
        tephra::larfb_given<tephra::T, NB, NT, W, U, G>(args);                                                         \
    }

#define TEPHRA_LARFB_COLUMNS(NAME, T, THREADS)                                                                         \
    extern "C" __global__ void __launch_bounds__(THREADS) NAME(const __grid_constant__ tephra::LarfbArgs args) {       \
        tephra::larfb_columns<tephra::T, THREADS>(args);                                                               \
    }
