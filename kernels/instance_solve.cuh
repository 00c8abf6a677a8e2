// Entry points of triangular solves and least squares.
#pragma once
#include "gels/fused.cuh"
#include "gels/steps.cuh"
#include "trsm/small.cuh"
#include "trsm/trsm.cuh"
#include "types.cuh"

#define TEPHRA_TRSM(NAME, T, W, MT, NT, TEAMS, MIN_BLOCKS, SHARED)                                                     \
    static_assert(sizeof(tephra::Trsm<tephra::T, W, MT, NT>::Shared) * TEAMS == SHARED, "build.rs mirrors this size"); \
    extern "C" __global__ void __launch_bounds__(32 * W * TEAMS, MIN_BLOCKS)                                           \
        NAME(const __grid_constant__ tephra::TrsmArgs args) {                                                          \
        tephra::trsm<tephra::T, W, MT, NT, TEAMS>(args);                                                               \
    }

#define TEPHRA_SMALL_TRSM(NAME, T, G, NR, WARPS)                                                                       \
    extern "C" __global__ void __launch_bounds__(32 * WARPS, 1) NAME(const __grid_constant__ tephra::TrsmArgs args) {  \
        tephra::trsm_small<tephra::T, G, NR, WARPS>(args);                                                             \
    }

#define TEPHRA_GELS(NAME, T, PR, PC, RPT, CPT, TEAMS, MIN_BLOCKS)                                                      \
    extern "C" __global__ void __launch_bounds__(32 * TEAMS, MIN_BLOCKS)                                               \
        NAME(const __grid_constant__ tephra::GelsArgs args) {                                                          \
        tephra::gels_fused<tephra::T, PR, PC, RPT, CPT, TEAMS>(args);                                                  \
    }

#define TEPHRA_GELS_PREPARE(NAME, T, THREADS)                                                                          \
    extern "C" __global__ void __launch_bounds__(THREADS) NAME(const __grid_constant__ tephra::GelsArgs args) {        \
        tephra::gels_prepare<tephra::T, THREADS>(args);                                                                \
    }

#define TEPHRA_GELS_INFO(NAME, T, THREADS)                                                                             \
    extern "C" __global__ void __launch_bounds__(THREADS) NAME(const __grid_constant__ tephra::GelsArgs args) {        \
        tephra::gels_info<tephra::T, THREADS>(args);                                                                   \
    }
