// A panel of a Cholesky factorisation for batches of few matrices, in one launch: the diagonal block, and L21 below it
// (or U12 beside it), whose rows are divided among blocks. Each block factors the diagonal block itself, with its rows
// of L21 as further rows.
#pragma once
#include "team.cuh"

namespace tephra {

struct CholeskyPanelArgs : CholeskyArgs {
    // For each matrix, the number of its blocks that have read the diagonal block: 0 before and after the launch.
    unsigned *arrived;
    int below; // rows of L21
    int rest;
};

template <typename T, int W, int ROWS>
__device__ __forceinline__ void potrf_panel(const CholeskyPanelArgs &args) {
    TEPHRA_DYNAMIC_SHARED(memory);
    const long long i = blockIdx.x / args.tiles;
    const int first = static_cast<int>(blockIdx.x - i * args.tiles) * ROWS, left = args.below - first;
    const int count = left < ROWS ? left : ROWS;
    T *const A = member<T>(args.a, i) + args.at * (args.lda + 1);
    T *const own = A + (args.n + first) * (args.upper ? args.lda : 1);
    CholeskyTeam<T, W, ROWS> team(memory, args.n);
    team.load(A, args.lda, args.upper);
    team.load_rows(own, args.lda, count, args.upper);
    team.loaded();
    // The last block to have read the diagonal block writes it.
    __shared__ int last;
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(args.arrived + i, 1u) + 1 == static_cast<unsigned>(args.tiles);
        __threadfence();
    }
    const int info = team.factor();
    team.store_rows(own, args.lda, count, args.upper);
    if (!last) return;
    team.store(A, args.lda, args.upper);
    if (threadIdx.x == 0) args.arrived[i] = 0, args.set_info(i, info);
}

} // namespace tephra

// N: largest order, a multiple of 16; ROWS: rows of L21 per block.
#define TEPHRA_POTRF_PANEL(NAME, T, N, W, ROWS)                                                                        \
    TEPHRA_ENTRY(NAME, (CholeskyTeam<letter::T, W, ROWS>::about(N)), __launch_bounds__(32 * W, 1), CholeskyPanelArgs,  \
                 potrf_panel<letter::T, W, ROWS>)
