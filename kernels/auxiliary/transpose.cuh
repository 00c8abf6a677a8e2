// Transposes of matrices, conjugated or not, out of place. They pass through shared memory, so that both reads and
// writes are coalesced.
#pragma once
#include "../common/batch.cuh"
#include "../common/instance.cuh"
#include "../common/scalar.cuh"

namespace tephra {

// Mirrored in src/gpu/args/, as the structure of the copies.
struct TransposeArgs {
    Operand from, to;
    long long ld_from, ld_to, batch;
    long long rows, columns; // of `from`
    int conjugate;
    int pad;
};

// A team of threads moves a tile of SIDE x SIDE elements, four per thread. A block has as many teams as fit, so that
// small matrices leave no threads idle. All teams of a block run the same number of iterations.
template <typename T, int SIDE, int THREADS>
__device__ __forceinline__ void transpose(const TransposeArgs &args) {
    constexpr int each = 4, height = SIDE / each, team = SIDE * height, teams = THREADS / team;
    static_assert(SIDE % each == 0 && THREADS % team == 0, "whole teams");
    // Padded, so that rows and columns are free of bank conflicts.
    __shared__ T tiles[teams][SIDE][SIDE + 1];
    const int own = threadIdx.x / team, x = threadIdx.x % SIDE, y = threadIdx.x % team / SIDE;
    T(&tile)[SIDE][SIDE + 1] = tiles[own];
    const long long down = (args.rows + SIDE - 1) / SIDE, right = (args.columns + SIDE - 1) / SIDE;
    const long long jobs = args.batch * down * right, step = static_cast<long long>(gridDim.x) * teams;
    for (long long first = blockIdx.x * static_cast<long long>(teams); first < jobs; first += step) {
        const long long job = first + own, matrix = job / (down * right), place = job % (down * right);
        const long long row = place % down * SIDE, column = place / down * SIDE;
        const bool mine = job < jobs;
        if (mine && row + x < args.rows) {
            const T *from = member<T>(args.from, matrix) + row + x;
            T values[each] = {}; // all are loaded before the first is stored
#pragma unroll
            for (int u = 0; u < each; ++u)
                if (const long long j = column + y + u * height; j < args.columns) values[u] = from[j * args.ld_from];
#pragma unroll
            for (int u = 0; u < each; ++u) tile[y + u * height][x] = args.conjugate ? conj(values[u]) : values[u];
        }
        __syncthreads();
        if (mine && column + x < args.columns) {
            T *to = member<T>(args.to, matrix) + column + x;
#pragma unroll
            for (int u = 0; u < each; ++u)
                if (const long long i = row + y + u * height; i < args.rows)
                    to[i * args.ld_to] = tile[x][y + u * height];
        }
        __syncthreads();
    }
}

} // namespace tephra

#define TEPHRA_TRANSPOSE(NAME, T, SIDE, THREADS)                                                                       \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(SIDE, SIDE).places(THREADS / (SIDE * SIDE / 4)),                        \
                 __launch_bounds__(THREADS), TransposeArgs, transpose<letter::T, SIDE, THREADS>)
