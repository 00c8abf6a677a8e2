// The inverse from a Cholesky factor, in place in the registers of a grid of lanes, by getrf/grid_inverse.cuh.
//
// With D the diagonal of L, M = D^-1 L is unit lower triangular, and L L^H = D M M^H D^H. M and M^H are LU factors
// whose inversion needs no divisions; the inverse of their product, divided by D^H and D, is that of L L^H. Scaling M's
// rows rather than its columns keeps its elements small where rows of the matrix differ in size. Source: LAPACK potri.
#pragma once
#include "../getrf/grid_inverse.cuh"
#include "args.cuh"

namespace tephra {

template <typename T, int E, int PR>
struct GridCholeskyInverse : GridInverse<T, E, E, PR, true> {
    using Base = GridInverse<T, E, E, PR, true>;
    using Base::a, Base::lc, Base::lr, Base::n, Base::pc, Base::pr;

    __device__ __forceinline__ explicit GridCholeskyInverse(typename Base::Shared &all) : Base(all) {}

    // Loads M below the diagonal, and M^H above it; beyond the matrix the identity.
    __device__ __forceinline__ void load(const T *A, long long lda, bool upper, const T *reciprocals) {
        const T *here = A + lr + lc * lda;
        const T *mirrored = A + lc + lr * lda;
#pragma unroll
        for (int c = 0; c < E; ++c, here += pc * lda, mirrored += pc) {
            const T *across = mirrored;
#pragma unroll
            for (int r = 0; r < E; ++r, across += pr * lda) {
                const int i = lr + r * pr, j = lc + c * pc;
                a[r][c] = make<T>(i == j ? 1 : 0);
                if (i == j || i >= n || j >= n) continue;
                const bool there = (i > j) != upper; // in the factor's triangle; otherwise its mirror image is
                const T divided = mul(there ? here[r * pr] : *across, reciprocals[i > j ? i : j]);
                a[r][c] = there ? divided : conj(divided);
            }
        }
    }
    // Stores the factor's triangle of the inverse, divided by D^H and D.
    __device__ __forceinline__ void store(T *A, long long lda, bool upper, const T *reciprocals) const {
        T *to = A + lr + lc * lda;
#pragma unroll
        for (int c = 0; c < E; ++c, to += pc * lda) {
            const int j = lc + c * pc;
            if (j >= n) continue;
            const T by_column = reciprocals[j];
#pragma unroll
            for (int r = 0; r < E; ++r) {
                const int i = lr + r * pr;
                if (i >= n || (upper ? i > j : i < j)) continue;
                const T by_row = reciprocals[i];
                const T x = mul(mul(a[r][c], upper ? conj(by_column) : by_column), upper ? by_row : conj(by_row));
                to[r * pr] = i == j ? make<T>(re(x)) : x;
            }
        }
    }

    // `tiles` is the number of lanes in a column of the grid.
    __device__ __forceinline__ void run(const CholeskyArgs &args) {
        const int lane = threadIdx.x % 32, w = threadIdx.x / 32, warps = blockDim.x / 32;
        const auto mine = Base::take(args.n, args.tiles, args.batch);
        T *const reciprocals = Base::reciprocals_of(mine);
        T *const A = mine.live ? member<T>(args.a, mine.i) : nullptr;
        int zero = n;
        if (mine.live) zero = Base::divide(mine, A, args.lda, reciprocals);
        zero = Base::first_in_warp(mine, zero, [](int) {});
        if (warps > 1 && lane == 0) Base::shared.firsts[w] = zero;
        Base::sync();
        load(A, args.lda, args.upper, reciprocals);
        Base::steps(reciprocals);
        for (int v = 0; v < warps && warps > 1; ++v)
            zero = Base::shared.firsts[v] < zero ? Base::shared.firsts[v] : zero;
        if (!mine.live) return;
        // The matrix's index and address, computed again: registers do not suffice to keep them through the steps.
        int thread = threadIdx.x;
        forget(thread);
        const int mat = thread / (pr * pc);
        const long long i = static_cast<long long>(blockIdx.x) * Base::together(pr) + mat;
        if (thread == mat * (pr * pc)) args.set_info(i, zero < n ? zero + 1 : 0);
        if (zero < n) return; // leave the factor as it is
        store(member<T>(args.a, i), args.lda, args.upper, Base::shared.reciprocals + mat * (pr * E));
    }
};

template <typename T, int E, int PR>
__device__ __forceinline__ void potri_grid(const CholeskyArgs &args) {
    using Inverse = GridCholeskyInverse<T, E, PR>;
    __shared__ typename Inverse::Shared shared;
    Inverse inverse(shared);
    inverse.run(args);
}

} // namespace tephra

// LIMIT: threads for which a multiprocessor has registers.
#define TEPHRA_POTRI_GRID(NAME, T, E, PR, LIMIT)                                                                       \
    TEPHRA_ENTRY(NAME, (GridInverse<letter::T, E, E, PR>::about()), __launch_bounds__(LIMIT, 1), CholeskyArgs,         \
                 potri_grid<letter::T, E, PR>)
