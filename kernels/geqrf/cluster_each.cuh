// Panels of members with sizes of their own that are too tall for a block, for batches of few members.
#pragma once
#include "cluster.cuh"
#include "each.cuh"

namespace tephra {

// One cluster per member, all of whose blocks see the same sizes.
template <typename T, int N, int RPT, int W, int CL>
__device__ __forceinline__ void geqrf_cluster_each(const GeqrfEachArgs &args) {
    __shared__ GeqrfArgs own;
    of_member<T>(args, blockIdx.x / CL, own, [](const GeqrfArgs &own) { geqrf_cluster<T, N, RPT, W, CL>(own); });
}

} // namespace tephra

#define TEPHRA_GEQRF_CLUSTER_EACH(NAME, T, N, RPT, W, CL, MIN_BLOCKS)                                                  \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 clustered(Instance(32 * W)                                                                            \
                               .holds(CL * 32 * W * RPT, N)                                                            \
                               .by_warps(W)                                                                            \
                               .needs(sizeof(ClusterQr<letter::T, N, RPT, W, CL>::Memory)),                            \
                           CL),                                                                                        \
                 TEPHRA_CLUSTER(CL) __launch_bounds__(32 * W, MIN_BLOCKS), GeqrfEachArgs,                              \
                 geqrf_cluster_each<letter::T, N, RPT, W, CL>)
