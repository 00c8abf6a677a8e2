// The register-resident kernels for variable-size batches.
#pragma once
#include "each.cuh"
#include "resident.cuh"
#include "warp_each.cuh"

namespace tephra {

template <typename T, int PR, int PC, int RPT, int CPT, int W, int TEAMS>
__device__ __forceinline__ void geqrf_resident_each(const GeqrfEachArgs &args) {
    if constexpr (shares_warp(PC, CPT, W)) {
        geqrf_warp_each<T, PR, PC, RPT, CPT, TEAMS>(args);
    } else {
        static_assert(TEAMS == 1, "a team has its block to itself");
        __shared__ GeqrfArgs own;
        of_member<T>(args, blockIdx.x, own,
                     [](const GeqrfArgs &own) { geqrf_team<T, PR, PC, RPT, CPT, W, true>(own); });
    }
}

} // namespace tephra

#define TEPHRA_RESIDENT_EACH(NAME, T, PR, PC, RPT, CPT, W, TEAMS, MIN_BLOCKS)                                          \
    TEPHRA_ENTRY(NAME, Instance(32 * W * TEAMS).lanes(PR, PC, RPT, CPT, W),                                            \
                 __launch_bounds__(32 * W * TEAMS, MIN_BLOCKS), GeqrfEachArgs,                                         \
                 geqrf_resident_each<letter::T, PR, PC, RPT, CPT, W, TEAMS>)
