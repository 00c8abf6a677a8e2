// Adjoints of matrices with their own sizes, out of place. They pass through shared memory, so that both reads and
// writes are coalesced.
#pragma once
#include "../common/batch.cuh"
#include "../common/extent.cuh"
#include "../common/instance.cuh"
#include "../common/scalar.cuh"

namespace tephra {

template <typename T, int SIDE>
using AdjointTile = T[SIDE][SIDE + 1]; // padded, so that rows and columns are free of bank conflicts

// A block turns at most SIDE columns of m rows into as many rows of W. At the end shared memory is free.
template <typename T, int SIDE, int THREADS>
__device__ __forceinline__ void adjoint_strip(const T *A, long long lda, long long m, long long columns, T *W,
                                              long long ldw, AdjointTile<T, SIDE> &tile) {
    constexpr int height = THREADS / SIDE;
    const int x = threadIdx.x % SIDE, y = threadIdx.x / SIDE;
    for (long long row = 0; row < m; row += SIDE) {
        for (int j = y; j < SIDE && j < columns; j += height)
            if (row + x < m) tile[j][x] = A[j * lda + row + x];
        __syncthreads();
        for (int j = y; j < SIDE && row + j < m; j += height)
            if (x < columns) W[(row + j) * ldw + x] = conj(tile[x][j]);
        __syncthreads();
    }
}

// Mirrored in src/gpu/data_movement/adjoint_each.rs.
struct AdjointEachArgs {
    Operand from, to;
    const int *rows, *columns; // of `from`; negative: the member is left alone
    const int *ld_from, *ld_to;
    long long batch, strips; // strips: of columns, in the largest member
};

template <typename T, int SIDE, int THREADS>
__device__ __forceinline__ void adjoint_each(const AdjointEachArgs &args) {
    __shared__ AdjointTile<T, SIDE> tile;
    for (long long job = blockIdx.x; job < args.batch * args.strips; job += gridDim.x) {
        const long long i = job / args.strips, first = job % args.strips * SIDE;
        const long long m = args.rows[i], columns = args.columns[i] - first;
        if (m <= 0 || columns <= 0) continue; // uniform in the block
        const T *from = member<T>(args.from, i) + first * args.ld_from[i];
        T *to = member<T>(args.to, i) + first;
        adjoint_strip<T, SIDE, THREADS>(from, args.ld_from[i], m, columns, to, args.ld_to[i], tile);
    }
}

} // namespace tephra

#define TEPHRA_ADJOINT_EACH(NAME, T, SIDE, THREADS)                                                                    \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(SIDE, SIDE), __launch_bounds__(THREADS), AdjointEachArgs,               \
                 adjoint_each<letter::T, SIDE, THREADS>)
