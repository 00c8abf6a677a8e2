// Products with triangles, in place: a team of threads for each matrix and tile of columns.
//
// The canonical form is that of the solves (TrsmArgs, trsm/args.cuh): B := alpha T B with T lower triangular. A row of
// tiles of the product needs the rows up to it, so the last one is computed first. Source: BLAS trmm.
#pragma once
#include "tile.cuh"

namespace tephra {

constexpr int trmm_each_thread = 4; // elements of a tile per thread

// Computes the tile of columns from `first` on of one matrix, `rows` tiles from the last to the first, by a team with
// shared memory for a tile of each operand. A team whose order is 0 reads and writes nothing, but takes part in the
// barriers of all `rows` tiles.
template <typename T, int SIDE, typename Args, typename Own>
__device__ __forceinline__ void trmm_columns(const Args &args, const Own &team, typename Own::Tile &t,
                                             typename Own::Tile &b, const Strides<T> &A, const Strides<T> &B,
                                             long long rows, long long order, long long first, long long nrhs, T alpha,
                                             bool scaled, bool zero) {
    constexpr int each = trmm_each_thread;
#pragma unroll 1
    for (long long row = rows - 1; row >= 0; --row) {
        T sum[each] = {};
#pragma unroll 1
        for (long long k = 0; k <= row && !zero; ++k) {
            __syncthreads(); // the previous tiles have been used
            team.load_lower(t, A, row * SIDE, k * SIDE, order, args.conj, args.unit);
            team.load(b, B, k * SIDE, first, order, nrhs);
            __syncthreads();
            if (k < row)
                team.template multiply<false, false>(sum, t, b);
            else
                team.template multiply<true, false>(sum, t, b);
        }
        // Through shared memory, so that stores are coalesced in either layout.
        __syncthreads();
#pragma unroll
        for (int u = 0; u < each; ++u) b[team.y + u * Own::height][team.x] = scaled ? mul(alpha, sum[u]) : sum[u];
        __syncthreads();
        team.each(B.along_rows(), [&](int r, int c) {
            if (row * SIDE + r < order && first + c < nrhs)
                *B.at(row * SIDE + r, first + c) = zero ? make<T>(0) : b[c][r];
        });
    }
}

template <typename T, int SIDE, int THREADS>
__device__ __forceinline__ void trmm(const TrsmArgs &args) {
    using Own = Team<T, SIDE, trmm_each_thread>;
    constexpr int teams = THREADS / Own::threads;
    static_assert(SIDE % trmm_each_thread == 0 && THREADS % Own::threads == 0, "whole teams");
    __shared__ typename Own::Tile triangles[teams], columns[teams];
    const Own team;
    typename Own::Tile &t = triangles[threadIdx.x / Own::threads], &b = columns[threadIdx.x / Own::threads];
    T alpha = make<T>(static_cast<Real<T>>(args.alpha_re), static_cast<Real<T>>(args.alpha_im));
    if (args.alpha) alpha = *static_cast<const T *>(args.alpha);
    const bool scaled = !(re(alpha) == 1 && im(alpha) == 0), zero = is_zero(alpha);
    const long long jobs = args.batch * args.tiles, step = static_cast<long long>(gridDim.x) * teams;
    const long long rows = (args.order + SIDE - 1) / SIDE; // of tiles
    for (long long base = blockIdx.x * static_cast<long long>(teams); base < jobs; base += step) {
        const long long job = base + threadIdx.x / Own::threads;
        const bool live = job < jobs;
        const long long i = live ? job / args.tiles : 0, first = live ? job % args.tiles * SIDE : 0;
        const long long nrhs = live ? args.nrhs : 0, order = live ? args.order : 0;
        const Strides<T> B{live ? member<T>(args.b, i) + args.b0 : nullptr, args.brs, args.bcs};
        const Strides<T> A{live && !zero ? member<T>(args.a, i) + args.a0 : nullptr, args.ars, args.acs};
        trmm_columns<T, SIDE>(args, team, t, b, A, B, rows, order, first, nrhs, alpha, scaled, zero);
    }
}

} // namespace tephra

#define TEPHRA_TRMM(NAME, T, SIDE, THREADS)                                                                            \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(SIDE, SIDE).places(THREADS / (SIDE * SIDE / 4)),                        \
                 __launch_bounds__(THREADS), TrsmArgs, trmm<letter::T, SIDE, THREADS>)
