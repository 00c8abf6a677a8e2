// Batched matrix products: a block for each tile of each C.
//
// Chunks of both factors are copied to shared memory, into a ring of slots: while one is multiplied, the next ones
// arrive. An element of C is the same sum in the same order whatever the batch, unless the launch shares out its terms
// (parts.cuh). Source: BLAS gemm.
#pragma once
#include "../common/instance.cuh"
#include "args.cuh"
#include "parts.cuh"
#include "tensor.cuh"
#include "vector.cuh"

namespace tephra {

// Args: GemmArgs, or GemmEachArgs if members have their own sizes.
template <typename Tile, typename Args>
__device__ __forceinline__ void gemm(const Args &launch) {
    using T = typename Tile::T;
    constexpr int BM = Tile::BM, BN = Tile::BN, KC = Tile::KC;
    auto &s = Tile::storage();
    const GemmScales<T> scales(launch.factors, launch.conj_a);
    const int all_terms = scales.nothing() ? 0 : launch.k;
    const GemmTiles<BM, BN> largest(launch); // the largest member's
    const long long tiles = largest.count();
    // With larger tiles, the loop over terms has no registers to spare.
    constexpr bool shares = !Args::each && BM * BN <= 1024;
    const int halvings = shares ? launch.halvings : 0;
    for (long long job = blockIdx.x >> halvings; job < tiles * launch.batch; job += gridDim.x >> halvings) {
        const long long i = job / tiles;
        const int number = static_cast<int>(job - i * tiles);
        const GemmFound found = launch.found(i, all_terms > 0);
        const auto &args = launch.of(i);
        if (args.idle() || !found.all(scales.nothing() ? 0 : args.k)) continue;
        const auto &grid = largest.of(args);
        if (Args::each && number >= grid.count()) continue;
        const GemmShare<KC> share(Args::each && !scales.nothing() ? args.k : all_terms, halvings);
        const int terms = share.terms;
        int row, column;
        grid.place(number, row, column);
        const GemmStored stored(args, row, column);
        Tile tile;
        if (terms > 0) {
            typename Tile::StageA a(member<T>(args.a, i) + args.a0 + row * args.ars + share.first * args.acs, args.ars,
                                    args.acs, stored.rows);
            typename Tile::StageB b(member<T>(args.b, i) + args.b0 + column * args.bcs + share.first * args.brs,
                                    args.bcs, args.brs, stored.columns);
            __syncthreads(); // the last job's chunks have been used
            Tile::by_layout(a, b, [&](auto a_lines, auto b_lines) {
                constexpr int ahead = Tile::places - 1;
                const auto copy = [&](int place, int left) {
                    if (left > 0) a.copy(s.a[place], left, a_lines), b.copy(s.b[place], left, b_lines);
                    copies_sent();
                };
#pragma unroll
                for (int p = 0; p < ahead; ++p) copy(p, terms - p * KC);
                int place = 0;
#pragma unroll 1
                for (int left = terms; left > 0; left -= KC) {
                    copies_done_but<ahead - 1>();
                    __syncthreads(); // all threads' copies have arrived, and the previous chunk has been used
                    copy(place == 0 ? ahead : place - 1, left - ahead * KC);
                    tile.multiply(s.a[place], s.b[place], args.conj_a != args.conj_b, left, a_lines, b_lines);
                    place = place == ahead ? 0 : place + 1;
                }
            });
        }
        T *const C = member<T>(args.c, i) + args.c0 + row + column * args.ldc;
        if constexpr (shares) {
            if (halvings > 0) {
                gemm_over_cluster<T, BM, BN, Tile::threads>(
                    s, [&](auto... place) { tile.keep(place...); }, halvings, C, args.ldc, stored, scales);
                continue;
            }
        }
        tile.finish(C, args.ldc, stored, scales);
    }
}

} // namespace tephra

// TM, TN: size of a thread's part; WM, WN: of a warp's.
#define TEPHRA_GEMM_VECTOR_OF(NAME, ARGS, T, BM, BN, KC, PLACES, TM, TN, MIN_BLOCKS)                                   \
    TEPHRA_ENTRY(NAME, Instance(BM / TM * (BN / TN)).holds(BM, BN),                                                    \
                 __launch_bounds__(BM / TM * (BN / TN), MIN_BLOCKS), ARGS,                                             \
                 gemm<GemmVector<letter::T, BM, BN, KC, PLACES, TM, TN>>)
// TERMS: of an instruction.
#define TEPHRA_GEMM_TENSOR_OF(NAME, ARGS, T, BM, BN, KC, PLACES, WM, WN, TERMS, MIN_BLOCKS)                            \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 Instance(32 * (BM / WM) * (BN / WN))                                                                  \
                     .holds(BM, BN)                                                                                    \
                     .needs(GemmTensor<letter::T, BM, BN, KC, PLACES, WM, WN, TERMS>::dynamic_bytes),                  \
                 __launch_bounds__(32 * (BM / WM) * (BN / WN), MIN_BLOCKS), ARGS,                                      \
                 gemm<GemmTensor<letter::T, BM, BN, KC, PLACES, WM, WN, TERMS>>)
#define TEPHRA_GEMM_VECTOR(NAME, ...) TEPHRA_GEMM_VECTOR_OF(NAME, GemmArgs, __VA_ARGS__)
#define TEPHRA_GEMM_TENSOR(NAME, ...) TEPHRA_GEMM_TENSOR_OF(NAME, GemmArgs, __VA_ARGS__)
#define TEPHRA_GEMM_VECTOR_EACH(NAME, ...) TEPHRA_GEMM_VECTOR_OF(NAME, GemmEachArgs, __VA_ARGS__)
#define TEPHRA_GEMM_TENSOR_EACH(NAME, ...) TEPHRA_GEMM_TENSOR_OF(NAME, GemmEachArgs, __VA_ARGS__)
