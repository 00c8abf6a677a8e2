// Entry points of the update and larfb families, apart from instance.cuh so that a change of the others does not
// compile them again.
#pragma once
#include "geqrf/update.cuh"
#include "geqrf/update_tf32.cuh"
#include "types.cuh"

#if __CUDA_ARCH__ >= 900
#define TEPHRA_CLUSTER(CL) __cluster_dims__(CL, 1, 1)
#else
#define TEPHRA_CLUSTER(CL)
#endif

#define TEPHRA_FUSED_REFLECTOR(NAME, T, NB, NT, W, U, G, CL, MIN_BLOCKS, ROWS, SHARED, ANY)                            \
    static_assert(sizeof(tephra::Update<tephra::T, NB, NT, W, U, G, CL, ANY>) <= SHARED &&                             \
                      tephra::Update<tephra::T, NB, NT, W, U, G, CL, ANY>::capacity * CL == ROWS,                      \
                  "build.rs mirrors these sizes");                                                                     \
    extern "C" __global__ void TEPHRA_CLUSTER(CL) __launch_bounds__(32 * W * G, MIN_BLOCKS)                            \
        NAME(const __grid_constant__ tephra::LarfbArgs args) {                                                         \
        tephra::larfb_fused<tephra::T, NB, NT, W, U, G, CL, ANY>(args);                                                \
    }

// geqrf's trailing update
#define TEPHRA_UPDATE(NAME, T, NB, NT, W, U, G, CL, MIN_BLOCKS, ROWS, SHARED)                                          \
    TEPHRA_FUSED_REFLECTOR(NAME, T, NB, NT, W, U, G, CL, MIN_BLOCKS, ROWS, SHARED, false)

// The same in TF32; single precision real only.
#define TEPHRA_UPDATE_TF32(NAME, T, NB, NT, W, U, G, CL, MIN_BLOCKS, ROWS, SHARED)                                     \
    static_assert(sizeof(tephra::UpdateTf32<NB, NT, W, U, G, CL>) <= SHARED &&                                         \
                      tephra::UpdateTf32<NB, NT, W, U, G, CL>::capacity * CL == ROWS &&                                \
                      std::is_same_v<tephra::T, float>,                                                                \
                  "build.rs mirrors these sizes");                                                                     \
    extern "C" __global__ void TEPHRA_CLUSTER(CL) __launch_bounds__(32 * W * G, MIN_BLOCKS)                            \
        NAME(const __grid_constant__ tephra::LarfbArgs args) {                                                         \
        tephra::update_tf32<NB, NT, W, U, G, CL>(args);                                                                \
    }

// All that LarfbArgs can say
#define TEPHRA_LARFB(NAME, T, NB, NT, W, U, G, CL, MIN_BLOCKS, ROWS, SHARED)                                           \
    TEPHRA_FUSED_REFLECTOR(NAME, T, NB, NT, W, U, G, CL, MIN_BLOCKS, ROWS, SHARED, true)
