// Entry points: one macro a family. build.rs writes a source file per family and precision that expands them for the
// instances of manifest.toml; the names are what src/backend/cuda/registry.rs looks up.
#pragma once
#include "auxiliary/extract.cuh"
#include "geqrf/generic.cuh"
#include "geqrf/halves.cuh"
#include "geqrf/resident.cuh"
#include "geqrf/strip.cuh"
#include "types.cuh"

#define TEPHRA_RESIDENT(NAME, T, PR, PC, RPT, CPT, W, TEAMS, MIN_BLOCKS)                                               \
    extern "C" __global__ void __launch_bounds__(32 * W * TEAMS, MIN_BLOCKS)                                           \
        NAME(const __grid_constant__ tephra::GeqrfArgs args) {                                                         \
        tephra::geqrf_resident<tephra::T, PR, PC, RPT, CPT, W, TEAMS, MIN_BLOCKS>(args);                               \
    }

#define TEPHRA_HALVES(NAME, T, PC, RPT, CPT, TEAMS, MIN_BLOCKS)                                                        \
    extern "C" __global__ void __launch_bounds__(32 * TEAMS, MIN_BLOCKS)                                               \
        NAME(const __grid_constant__ tephra::GeqrfArgs args) {                                                         \
        tephra::geqrf_halves<tephra::T, PC, RPT, CPT, TEAMS, MIN_BLOCKS>(args);                                        \
    }

#define TEPHRA_STRIP(NAME, T, PR, PC, RPT, CPT, STRIPS, MIN_BLOCKS)                                                    \
    extern "C" __global__ void __launch_bounds__(32, MIN_BLOCKS)                                                       \
        NAME(const __grid_constant__ tephra::GeqrfArgs args) {                                                         \
        tephra::geqrf_strip<tephra::T, PR, PC, RPT, CPT, STRIPS>(args);                                                \
    }

#define TEPHRA_GENERIC(NAME, T, THREADS)                                                                               \
    extern "C" __global__ void __launch_bounds__(THREADS) NAME(const __grid_constant__ tephra::GeqrfArgs args) {       \
        tephra::geqrf_generic<tephra::T, THREADS>(args);                                                               \
    }

#define TEPHRA_EXTRACT(NAME, T, THREADS)                                                                               \
    extern "C" __global__ void __launch_bounds__(THREADS) NAME(const __grid_constant__ tephra::ExtractArgs args) {     \
        tephra::geqrf_extract<tephra::T, THREADS>(args);                                                               \
    }
