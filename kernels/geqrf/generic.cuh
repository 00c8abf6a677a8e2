// The generic path, for any shape: one block per matrix, which works in global memory.
#pragma once
#include "../common/batch.cuh"
#include "../common/instance.cuh"
#include "columns.cuh"

namespace tephra {

template <typename T, int THREADS>
__device__ __forceinline__ void geqrf_generic(const GeqrfArgs &args) {
    __shared__ Real<T> scratch[32];
    const BlockTeam<THREADS, Real<T>, false> team(scratch);
    for (long long i = blockIdx.x; i < args.batch; i += gridDim.x) {
        if (threadIdx.x == 0) args.no_error(i);
        geqrf_columns(args.matrix<T>(i), args.lda, args.taus<T>(i), args.m, args.n, team);
    }
}

} // namespace tephra

#define TEPHRA_GENERIC(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, GeqrfArgs, geqrf_generic)
