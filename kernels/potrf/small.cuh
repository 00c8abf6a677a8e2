// Cholesky factorisation of small matrices, solution of systems with them, and their inverses, in registers.
#pragma once
#include "../common/instance.cuh"
#include "tile.cuh"

namespace tephra {

// The largest order of a warp's matrices; this lane's matrix has order n.
__device__ __forceinline__ int order_in_warp(const CholeskyArgs &, int n) { return n; }
__device__ __forceinline__ int order_in_warp(const CholeskyEachArgs::Own &, int n) {
    return __reduce_max_sync(0xffffffffu, n);
}

// Source: LAPACK potrf.
template <typename T, int P, int R, int E, int WARPS, typename Args>
__device__ __forceinline__ void potrf_small(const Args &launch) {
    using Tile = CholeskyTile<T, P, R, E>;
    const long long i = Tile::template member_of_lane<WARPS>();
    const auto &args = launch.of(i < launch.batch ? i : launch.batch - 1);
    const bool live = i < launch.batch && !args.idle();
    Tile t(args.n, live);
    T *const A = live ? member<T>(args.a, i) + args.at * (args.lda + 1) : nullptr;
    t.load(A, args.lda, args.upper);
    t.factor(order_in_warp(args, t.n));
    if (!live) return;
    t.store(A, args.lda, args.upper);
    if (t.lr == 0 && t.lc == 0) args.set_info(i, t.info);
}

// A = L L^H and B := A^-1 B. Source: LAPACK posv.
template <typename T, int P, int R, int E, int S, int WARPS>
__device__ __forceinline__ void posv_small(const CholeskyArgs &args) {
    using Tile = CholeskyTile<T, P, R, E, S>;
    const long long i = Tile::template member_of_lane<WARPS>();
    const bool live = i < args.batch;
    Tile t(args.n, live);
    T *const A = live ? member<T>(args.a, i) : nullptr, *const B = live ? member<T>(args.b, i) : nullptr;
    t.load(A, args.lda, args.upper);
    t.load_sides(B, args.ldb, args.nrhs, args.upper);
    t.factor();
    t.store(A, args.lda, args.upper);
    t.solve_adjoint();
    if (!live) return;
    if (t.info == 0) t.store_sides(B, args.ldb, args.nrhs, args.upper);
    if (t.lr == 0 && t.lc == 0) args.set_info(i, t.info);
}

// B := A^-1 B with the factor of potrf. Source: LAPACK potrs.
template <typename T, int P, int R, int E, int S, int WARPS>
__device__ __forceinline__ void potrs_small(const CholeskyArgs &args) {
    using Tile = CholeskyTile<T, P, R, E, S>;
    const long long job = Tile::template member_of_lane<WARPS>(), i = job / args.tiles;
    const int first = static_cast<int>(job - i * args.tiles) * Tile::sides;
    const int left = args.nrhs - first, count = left < Tile::sides ? left : Tile::sides;
    const bool live = i < args.batch;
    Tile t(args.n, live);
    T *const B = live ? member<T>(args.b, i) + first * args.ldb : nullptr;
    t.load(live ? member<T>(args.a, i) : nullptr, args.lda, args.upper);
    t.load_sides(B, args.ldb, count, args.upper);
    t.turn();
    t.invert_diagonal();
    t.solve_lower();
    t.solve_adjoint();
    t.store_sides(B, args.ldb, count, args.upper);
}

// A := A^-1 from the factor of potrf. Source: LAPACK potri.
template <typename T, int P, int R, int E, int WARPS>
__device__ __forceinline__ void potri_small(const CholeskyArgs &args) {
    using Tile = CholeskyTile<T, P, R, E>;
    const long long i = Tile::template member_of_lane<WARPS>();
    const bool live = i < args.batch;
    Tile t(args.n, live);
    T *const A = live ? member<T>(args.a, i) : nullptr;
    t.load(A, args.lda, args.upper);
    const int zero = t.first_zero();
    t.turn();
    t.invert();
    t.square();
    t.make_diagonal_real();
    if (!live) return;
    if (zero == 0) t.store(A, args.lda, args.upper);
    if (t.lr == 0 && t.lc == 0) args.set_info(i, zero);
}

} // namespace tephra

// ARGS: CholeskyArgs, or CholeskyEachArgs if members have their own orders.
#define TEPHRA_POTRF_SMALL_OF(NAME, ARGS, T, P, R, E, WARPS, MIN_BLOCKS)                                               \
    TEPHRA_ENTRY(NAME, Instance(32 * WARPS).holds(P *R, P *R).places(32 / (P * P) * WARPS),                            \
                 __launch_bounds__(32 * WARPS, MIN_BLOCKS), ARGS, potrf_small<letter::T, P, R, E, WARPS>)
#define TEPHRA_POTRF_SMALL(NAME, ...) TEPHRA_POTRF_SMALL_OF(NAME, CholeskyArgs, __VA_ARGS__)
#define TEPHRA_POTRF_SMALL_EACH(NAME, ...) TEPHRA_POTRF_SMALL_OF(NAME, CholeskyEachArgs, __VA_ARGS__)
#define TEPHRA_POSV_SMALL(NAME, T, P, R, E, S, WARPS, MIN_BLOCKS)                                                      \
    TEPHRA_ENTRY(NAME, Instance(32 * WARPS).holds(P *R, P *S).places(32 / (P * P) * WARPS),                            \
                 __launch_bounds__(32 * WARPS, MIN_BLOCKS), CholeskyArgs, posv_small<letter::T, P, R, E, S, WARPS>)
#define TEPHRA_POTRS_SMALL(NAME, T, P, R, E, S, WARPS, MIN_BLOCKS)                                                     \
    TEPHRA_ENTRY(NAME, Instance(32 * WARPS).holds(P *R, P *S).places(32 / (P * P) * WARPS),                            \
                 __launch_bounds__(32 * WARPS, MIN_BLOCKS), CholeskyArgs, potrs_small<letter::T, P, R, E, S, WARPS>)
#define TEPHRA_POTRI_SMALL(NAME, T, P, R, E, WARPS, MIN_BLOCKS)                                                        \
    TEPHRA_ENTRY(NAME, Instance(32 * WARPS).holds(P *R, P *R).places(32 / (P * P) * WARPS),                            \
                 __launch_bounds__(32 * WARPS, MIN_BLOCKS), CholeskyArgs, potri_small<letter::T, P, R, E, WARPS>)
