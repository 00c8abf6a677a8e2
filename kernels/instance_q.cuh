// Entry points of what makes and applies Q beside the fused block reflector.
#pragma once
#include "auxiliary/larft.cuh"
#include "q/back.cuh"
#include "q/strip.cuh"
#include "q/team.cuh"
#include "q/thin.cuh"
#include "types.cuh"

#define TEPHRA_Q(NAME, T, PR, PC, RPT, CPT, TEAMS, MIN_BLOCKS)                                                         \
    extern "C" __global__ void __launch_bounds__(32 * TEAMS, MIN_BLOCKS)                                               \
        NAME(const __grid_constant__ tephra::QArgs args) {                                                             \
        tephra::q_resident<tephra::T, PR, PC, RPT, CPT, TEAMS>(args);                                                  \
    }

#define TEPHRA_Q_TEAM(NAME, T, PR, PC, RPT, CPT, W, KEEP, MIN_BLOCKS)                                                  \
    extern "C" __global__ void __launch_bounds__(32 * W, MIN_BLOCKS)                                                   \
        NAME(const __grid_constant__ tephra::QArgs args) {                                                             \
        tephra::q_team<tephra::T, PR, PC, RPT, CPT, W, KEEP>(args);                                                    \
    }

#define TEPHRA_Q_STRIP(NAME, T, PR, PC, RPT, CPT, STRIPS, W, MIN_BLOCKS)                                               \
    extern "C" __global__ void __launch_bounds__(32 * W, MIN_BLOCKS)                                                   \
        NAME(const __grid_constant__ tephra::QArgs args) {                                                             \
        tephra::q_strip<tephra::T, PR, PC, RPT, CPT, STRIPS, W>(args);                                                 \
    }

#define TEPHRA_THIN(NAME, T, RPT, NR, W, TEAMS)                                                                        \
    extern "C" __global__ void __launch_bounds__(32 * W * TEAMS)                                                       \
        NAME(const __grid_constant__ tephra::LarfbArgs args) {                                                         \
        tephra::thin<tephra::T, RPT, NR, W, TEAMS>(args);                                                              \
    }

#define TEPHRA_LARFT(NAME, T, THREADS)                                                                                 \
    extern "C" __global__ void __launch_bounds__(THREADS) NAME(const __grid_constant__ tephra::LarfbArgs args) {       \
        tephra::larft<tephra::T, THREADS>(args);                                                                       \
    }
