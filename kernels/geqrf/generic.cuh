// The path that takes every shape: a block per matrix, in global memory.
#pragma once
#include "../common/batch.cuh"
#include "columns.cuh"

namespace tephra {

template <typename T, int THREADS>
__device__ __forceinline__ void geqrf_generic(const GeqrfArgs &args) {
    __shared__ Real<T> scratch[32];
    const BlockTeam<THREADS, Real<T>> team(scratch);
    for (long long i = blockIdx.x; i < args.batch; i += gridDim.x) {
        T *A = member<T>(args.a, i) + args.col0 * args.lda + args.row0;
        if (args.info && threadIdx.x == 0) args.info[i] = 0;
        geqrf_columns(A, args.lda, member<T>(args.tau, i) + args.col0, args.m, args.n, team);
    }
}

} // namespace tephra
