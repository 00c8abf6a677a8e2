// The register-resident kernels: small matrices in a warp or a part of one, larger ones in several warps.
#pragma once
#include "../common/instance.cuh"
#include "team.cuh"
#include "warp.cuh"

namespace tephra {

// Whether a warp kernel takes the shape: its blocks hold several matrices. Otherwise a team of warps has a block to
// itself.
__host__ __device__ constexpr bool shares_warp(int PC, int CPT, int W) { return W == 1 && PC * CPT <= 32; }

// TEAMS: warps per block, each with matrices of its own (W = 1). MIN_BLOCKS: blocks per multiprocessor.
template <typename T, int PR, int PC, int RPT, int CPT, int W, int TEAMS, int MIN_BLOCKS>
__device__ __forceinline__ void geqrf_resident(const GeqrfArgs &args) {
    if constexpr (shares_warp(PC, CPT, W)) {
        constexpr int registers = 65536 / (32 * TEAMS * MIN_BLOCKS);
        geqrf_warp < T, PR, PC, RPT, CPT, TEAMS, registers<255 ? registers : 255>(args);
    } else {
        static_assert(TEAMS == 1, "a team has its block to itself");
        geqrf_team<T, PR, PC, RPT, CPT, W>(args);
    }
}

} // namespace tephra

#define TEPHRA_RESIDENT(NAME, T, PR, PC, RPT, CPT, W, TEAMS, MIN_BLOCKS)                                               \
    TEPHRA_ENTRY(                                                                                                      \
        NAME, Instance(32 * W * TEAMS).lanes(PR, PC, RPT, CPT, W).from_outside(!shares_warp(PC, CPT, W) || PC == 1),   \
        __launch_bounds__(32 * W * TEAMS, MIN_BLOCKS), GeqrfArgs,                                                      \
        geqrf_resident<letter::T, PR, PC, RPT, CPT, W, TEAMS, MIN_BLOCKS>)
