// LU of small matrices, and systems of equations with them, with one row (or without pivoting S rows) per lane.
#pragma once
#include "nan.cuh"
#include "row_tile.cuh"

namespace tephra {

template <typename T, int PR, int S, int N, int WARPS, bool SEARCH, typename Args>
__device__ __forceinline__ void getrf_small(const Args &launch) {
    using Tile = RowTile<T, PR, N, 0, S, Args::each>;
    __shared__ typename Tile::Exchange exchange[WARPS];
    const long long place = Tile::template member_of_lane<WARPS>();
    // Lanes without a matrix repeat the last one, and store nothing.
    const bool live = place < launch.batch;
    const long long i = live ? place : launch.batch - 1;
    const auto &args = launch.of(i);
    Tile t(args.m, args.n, exchange[threadIdx.x / 32]);
    if constexpr (Args::each && !SEARCH) t.least = args.template least_pivot<T>(i);
    T *const A = args.template matrix<T>(i);
    const int steps = args.m < args.n ? args.m : args.n;
    const auto load = [&] { t.load(A, args.lda); };
    const auto nothing = [](bool, const Divisor<T> &) {};
    const auto result = t.template factored<SEARCH>(steps, load, nothing);
    if (!live || args.idle()) return;
    if constexpr (SEARCH) {
#pragma unroll
        for (int s = 0; s < S; ++s)
            if (t.row(s) < steps) args.interchanges(i)[t.row(s)] = result.interchange[s];
    }
    if (t.lane == 0) args.set_info(i, result.first_zero, !SEARCH && t.least > 0);
    t.store(A, args.lda);
}

// A = P L U and B := A^-1 B, R right-hand sides. Source: LAPACK gesv.
template <typename T, int PR, int N, int R, int WARPS>
__device__ __forceinline__ void gesv_small(const SolveArgs &args) {
    using Tile = RowTile<T, PR, N, R>;
    __shared__ typename Tile::Exchange exchange[WARPS];
    const long long i = Tile::template member_of_lane<WARPS>();
    const bool live = i < args.batch;
    Tile t(args.n, live ? args.n : 0, exchange[threadIdx.x / 32]);
    // Addresses are recomputed where they are needed: kept, they would take registers from the factorisation.
    const auto load = [&] {
        t.load(live ? member<T>(args.a, i) : nullptr, args.lda);
        t.load_sides(live ? member<T>(args.b, i) : nullptr, args.ldb, args.nrhs);
    };
    Divisor<T> own(make<T>(1)); // of this lane's row
    const auto result = t.template factored<true>(args.n, load, [&](bool mine, const Divisor<T> &by) {
        own.lift = mine ? by.lift : own.lift;
        own.reciprocal = choose(mine, by.reciprocal, own.reciprocal);
    });
    const int pivot_row = result.pivot_row;
    if (live) {
        if (t.row() < args.n) member<int>(args.ipiv, i)[t.row()] = result.interchange[0];
        if (t.row() == 0 && args.info) args.info[i] = result.first_zero;
        t.store(member<T>(args.a, i), args.lda);
    }
    if (result.first_zero) own.reciprocal = not_a_number<T>(); // there is no solution
    const auto lane_of = [&](int k) { return __shfl_sync(0xffffffffu, pivot_row, k, PR); };
    t.solve_upper(args.n, own, true, t.position[0], lane_of);
    if (live) t.store_sides(member<T>(args.b, i), args.ldb, args.nrhs, t.position[0]);
}

// B := op(A)^-1 B with the factors of getrf. Source: LAPACK getrs.
template <typename T, int PR, int N, int R, int WARPS>
__device__ __forceinline__ void getrs_small(const SolveArgs &args) {
    using Tile = RowTile<T, PR, N, R>;
    union Storage { // of a warp
        typename Tile::Exchange exchange;
        T transposed[32 / PR][N][PR + 1];
        T sides[32 / PR][PR][R | 1];
    };
    __shared__ Storage storages[WARPS];
    Storage &s = storages[threadIdx.x / 32];
    const long long job = Tile::template member_of_lane<WARPS>(), i = job / args.tiles;
    const int first = static_cast<int>(job % args.tiles) * R, count = args.nrhs - first < R ? args.nrhs - first : R;
    const bool live = i < args.batch, transposed = args.transposed;
    Tile t(args.n, live ? args.n : 0, s.exchange);
    T *const B = live ? member<T>(args.b, i) + first * args.ldb : nullptr;
    t.load(live ? member<T>(args.a, i) : nullptr, args.lda);
    t.load_sides(B, args.ldb, live ? count : 0);
    if (args.pivots()) t.follow(live ? member<int>(args.ipiv, i) : nullptr);
    if (transposed)
        t.transpose(s.transposed[Tile::mat()], args.conjugate);
    else
        t.template move_sides<true>(s.sides[Tile::mat()]);
    const Divisor<T> own(t.diagonal(t.row()));
    const auto here = [](int k) { return k; };
    t.solve_lower(args.n, own, transposed, t.row(), here);
    t.solve_upper(args.n, own, !transposed, t.row(), here);
    if (transposed) t.template move_sides<false>(s.sides[Tile::mat()]);
    if (live) t.store_sides(B, args.ldb, count, t.row());
}

} // namespace tephra

// ARGS: GetrfArgs, or GetrfEachArgs if members have their own sizes; S: rows per lane, 1 with a pivot search.
#define TEPHRA_GETRF_SMALL_OF(NAME, ARGS, T, PR, S, N, WARPS, MIN_BLOCKS, SEARCH)                                      \
    TEPHRA_ENTRY(NAME, Instance(32 * WARPS).holds(PR *S, N).places(32 / PR * WARPS),                                   \
                 __launch_bounds__(32 * WARPS, MIN_BLOCKS), ARGS, getrf_small<letter::T, PR, S, N, WARPS, SEARCH>)
#define TEPHRA_GETRF_SMALL(NAME, T, PR, N, WARPS, MIN_BLOCKS)                                                          \
    TEPHRA_GETRF_SMALL_OF(NAME, GetrfArgs, T, PR, 1, N, WARPS, MIN_BLOCKS, true)
#define TEPHRA_GETRF_NOPIV_SMALL(NAME, T, PR, S, N, WARPS, MIN_BLOCKS)                                                 \
    TEPHRA_GETRF_SMALL_OF(NAME, GetrfArgs, T, PR, S, N, WARPS, MIN_BLOCKS, false)
#define TEPHRA_GETRF_SMALL_EACH(NAME, T, PR, N, WARPS, MIN_BLOCKS)                                                     \
    TEPHRA_GETRF_SMALL_OF(NAME, GetrfEachArgs, T, PR, 1, N, WARPS, MIN_BLOCKS, true)
#define TEPHRA_GETRF_NOPIV_SMALL_EACH(NAME, T, PR, S, N, WARPS, MIN_BLOCKS)                                            \
    TEPHRA_GETRF_SMALL_OF(NAME, GetrfEachArgs, T, PR, S, N, WARPS, MIN_BLOCKS, false)
#define TEPHRA_GESV_SMALL(NAME, T, PR, N, R, WARPS, MIN_BLOCKS)                                                        \
    TEPHRA_ENTRY(NAME, Instance(32 * WARPS).holds(N, R).places(32 / PR * WARPS),                                       \
                 __launch_bounds__(32 * WARPS, MIN_BLOCKS), SolveArgs, gesv_small<letter::T, PR, N, R, WARPS>)
#define TEPHRA_GETRS_SMALL(NAME, T, PR, N, R, WARPS, MIN_BLOCKS)                                                       \
    TEPHRA_ENTRY(NAME, Instance(32 * WARPS).holds(N, R).places(32 / PR * WARPS),                                       \
                 __launch_bounds__(32 * WARPS, MIN_BLOCKS), SolveArgs, getrs_small<letter::T, PR, N, R, WARPS>)
