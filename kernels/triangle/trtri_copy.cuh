// Copies of large triangles into scratch memory, where they are inverted (src/gpu/triangle/doubling.rs), and back.
#pragma once
#include "trtri.cuh"

namespace tephra {

// Declared in src/gpu/triangle/doubling.rs, too.
struct TrtriCopyArgs {
    TrtriArgs of;
    void *work;             // for each matrix a square of this side, by columns
    int *zeros;             // for each matrix, its info
    long long side, stride; // stride: elements from one matrix's square to the next
    int tiles;              // of a row of tiles
    int pad;
};

// BACK false: copies the lower triangle T, with zeros above it, and ones on the diagonal from its last row on; also
// finds its first zero. BACK true: copies the inverse over T, unless T has a zero on its diagonal.
template <typename T, int SIDE, int THREADS, bool BACK>
__device__ __forceinline__ void trtri_copy(const TrtriCopyArgs &args) {
    using Own = Team<T, SIDE, SIDE * SIDE / THREADS>;
    static_assert(Own::threads == THREADS, "a block is a team");
    __shared__ typename Own::Tile tile;
    __shared__ int first_zero;
    const Own team;
    const long long order = args.of.order, side = args.side, of_matrix = 1ll * args.tiles * args.tiles;
    for (long long job = blockIdx.x; job < args.of.batch * of_matrix; job += gridDim.x) {
        const long long i = job / of_matrix;
        const int place = static_cast<int>(job % of_matrix);
        const long long row = place % args.tiles * SIDE, column = place / args.tiles * SIDE;
        const Strides<T> A{member<T>(args.of.a, i) + args.of.a0, args.of.ars, args.of.acs};
        const Strides<T> W{static_cast<T *>(args.work) + i * args.stride, 1, side};
        if constexpr (BACK) {
            if (row < column || args.zeros[i] != 0) continue; // the whole block
            team.load(tile, W, row, column, side, side);
            __syncthreads();
            team.each(A.along_rows(), [&](int r, int c) {
                const bool below = column + c < row + r, diagonal = column + c == row + r && !args.of.unit;
                if (row + r < order && (below || diagonal)) *A.at(row + r, column + c) = tile[c][r];
            });
        } else {
            if (place == 0) {
                if (threadIdx.x == 0) first_zero = trtri_none;
                __syncthreads();
                for (long long r = threadIdx.x; r < order && !args.of.unit; r += THREADS)
                    if (is_zero(*A.at(r, r))) atomicMin(&first_zero, trtri_code(args.of, r));
                __syncthreads();
                if (threadIdx.x == 0) {
                    args.zeros[i] = first_zero == trtri_none ? 0 : first_zero;
                    if (args.of.info) args.of.info[i] = args.zeros[i];
                }
            }
            team.load_lower(tile, A, row, column, order, false, args.of.unit);
            __syncthreads();
            team.each(true, [&](int r, int c) {
                const bool added = row + r >= order && row + r == column + c;
                if (row + r < side && column + c < side) *W.at(row + r, column + c) = added ? make<T>(1) : tile[c][r];
            });
        }
        __syncthreads(); // before the next tile
    }
}

template <typename T, int SIDE, int THREADS>
__device__ __forceinline__ void trtri_begin(const TrtriCopyArgs &args) {
    trtri_copy<T, SIDE, THREADS, false>(args);
}
template <typename T, int SIDE, int THREADS>
__device__ __forceinline__ void trtri_end(const TrtriCopyArgs &args) {
    trtri_copy<T, SIDE, THREADS, true>(args);
}

} // namespace tephra

#define TEPHRA_TRTRI_BEGIN(NAME, T, SIDE, THREADS)                                                                     \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(SIDE, SIDE), __launch_bounds__(THREADS), TrtriCopyArgs,                 \
                 trtri_begin<letter::T, SIDE, THREADS>)
#define TEPHRA_TRTRI_END(NAME, T, SIDE, THREADS)                                                                       \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(SIDE, SIDE), __launch_bounds__(THREADS), TrtriCopyArgs,                 \
                 trtri_end<letter::T, SIDE, THREADS>)
