// The last launch of a block reflector whose rows are divided among blocks: C += V X.
//
// A block keeps a tile of C in registers from its one read to its one write, and passes all reflectors through shared
// memory, KC at a time.
#pragma once
#include "../common/chunk.cuh"
#include "../common/instance.cuh"
#include "args.cuh"
#include "split.cuh"
#include "stages.cuh"
#include "tensor.cuh"
#include "vector.cuh"

namespace tephra {

// The same value, but unknown to the compiler; otherwise addresses of C would stay in registers from load to store.
__device__ __forceinline__ long long forgotten(long long x) {
    forget(x);
    return x;
}

// Updates a member's tile at (row, column), whatever it contains. Lines of a are columns of C, lines of b its rows.
template <typename Tile, int STAGES>
__device__ __forceinline__ void reflect_apply_tile(const ReflectArgs &args, ReflectStages<Tile, STAGES> &stages,
                                                   long long i, long long row, long long column) {
    using T = typename Tile::T;
    constexpr int BA = Tile::BA, BB = Tile::BB, KC = Tile::KC, N = Tile::adjacent;
    using Pack = Chunk<T, N * sizeof(T)>;
    const long long rows = args.m - row, columns = args.n - column;
    const T *const V = args.template reflectors<T>(i) + row, *const X = args.template sums_of<T>(i, 0) + column;
    T *const C = args.template matrix<T>(i) + column * args.ldc + row;
    const bool packs = aligned<16>(V, args.ldv), whole = aligned<N * sizeof(T)>(C, args.ldc);
    const bool x_packs = aligned<16>(X, args.pitch);
    __syncthreads(); // the previous tile's boxes have been used
    Tile tile;
    tile.each([&](int a, int b, T *x) {
        const T *const from = C + a * args.ldc + b;
        if (args.identity) {
#pragma unroll
            for (int e = 0; e < N; ++e) x[e] = make<T>(row + b + e == args.diagonal + column + a ? 1 : 0);
        } else if (whole && a < columns && b + N <= rows && row + b >= args.zeros) {
            const Pack p = *reinterpret_cast<const Pack *>(from);
#pragma unroll
            for (int e = 0; e < N; ++e) x[e] = p.e[e];
        } else {
#pragma unroll
            for (int e = 0; e < N; ++e)
                x[e] = a < columns && b + e < rows && row + b + e >= args.zeros ? from[e] : make<T>(0);
        }
    });
    if constexpr (is_split<Tile>)
        tile.scale_lines([&](int o) { return o < columns ? member<T>(args.t, i)[column + o] : 1.0f; });
    stages.run(
        (args.k + KC - 1) / KC,
        [&](int step, T *a, T *b) {
            const int first = step * KC;
            if constexpr (is_split<Tile>) {
                if (packs && x_packs && columns >= BA && rows >= BB && args.k - first >= KC) {
                    Tile::copy_a(a, X + first * args.pitch, args.pitch);
                    Tile::copy_b(b, V + first * args.ldv, args.ldv);
                    return;
                }
            }
            Tile::BoxA::copy(a, [&](int o) { return X + (first + o) * args.pitch; }, columns, args.k - first, x_packs);
            Tile::BoxB::copy(b, [&](int o) { return V + (first + o) * args.ldv; }, rows, args.k - first, packs);
        },
        [&](int step, T *a, T *b) {
            const auto change = [&] {
                if (row >= args.k) return;
                const int first = step * KC;
                Tile::BoxB::change(b, packs, [&](int o, int r, T x) { return unit_lower(row + r, first + o, x); });
            };
            change();
            if constexpr (is_split<Tile>) {
                if (!packs || !x_packs) __syncthreads(); // other threads have copied what is split
                tile.split(a, b);
            }
        },
        [&](const T *a, const T *b) { tile.template multiply<false>(a, b); });
    // If the tile holds V's own columns, the block has read all that it overwrites before the last step's barrier.
    const long long ldc = forgotten(args.ldc);
    tile.each([&](int a, int b, T *x) {
        T *const to = C + a * ldc + b;
        if (whole && a < columns && b + N <= rows) {
            Pack p;
#pragma unroll
            for (int e = 0; e < N; ++e) p.e[e] = x[e];
            *reinterpret_cast<Pack *>(to) = p;
        } else {
#pragma unroll
            for (int e = 0; e < N; ++e)
                if (a < columns && b + e < rows) to[e] = x[e];
        }
    });
}

template <typename Tile, int STAGES>
__device__ __forceinline__ void reflect_apply(const ReflectArgs &args) {
    constexpr int BA = Tile::BA, BB = Tile::BB;
    auto &stages = *reinterpret_cast<ReflectStages<Tile, STAGES> *>(dynamic_shared());
    const long long across = (args.n + BA - 1) / BA, down = (args.m + BB - 1) / BB, tiles = across * down;
    for (long long job = blockIdx.x; job < tiles * args.batch; job += gridDim.x) {
        const long long i = job / tiles, place = job - i * tiles;
        if (args.done(i)) continue;
        reflect_apply_tile(args, stages, i, place / across * BB, place % across * BA);
    }
}

} // namespace tephra

// WA, WB: of a warp; TA, TB: of a thread.
#define TEPHRA_REFLECT_APPLY_TENSOR(NAME, T, BA, BB, KC, WA, WB, STAGES, MIN_BLOCKS)                                   \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 Instance(32 * (BA / WA) * (BB / WB))                                                                  \
                     .holds(BB, BA)                                                                                    \
                     .needs(sizeof(ReflectStages<ReflectTensor<letter::T, BA, BB, KC, WA, WB, false>, STAGES>))        \
                     .at_once(MIN_BLOCKS),                                                                             \
                 __launch_bounds__(32 * (BA / WA) * (BB / WB), MIN_BLOCKS), ReflectArgs,                               \
                 reflect_apply<ReflectTensor<letter::T, BA, BB, KC, WA, WB, false>, STAGES>)
#define TEPHRA_REFLECT_APPLY_SPLIT(NAME, T, BA, BB, WA, WB, STAGES, MIN_BLOCKS)                                        \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 Instance(32 * (BA / WA) * (BB / WB))                                                                  \
                     .holds(BB, BA)                                                                                    \
                     .needs(sizeof(ReflectStages<ReflectSplit<BA, BB, WA, WB, false>, STAGES>))                        \
                     .at_once(MIN_BLOCKS),                                                                             \
                 __launch_bounds__(32 * (BA / WA) * (BB / WB), MIN_BLOCKS), ReflectArgs,                               \
                 reflect_apply<ReflectSplit<BA, BB, WA, WB, false>, STAGES>)
#define TEPHRA_REFLECT_APPLY_HALF(NAME, T, BA, BB, WA, WB, STAGES, MIN_BLOCKS)                                         \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 Instance(32 * (BA / WA) * (BB / WB))                                                                  \
                     .holds(BB, BA)                                                                                    \
                     .needs(sizeof(ReflectStages<ReflectSplit<BA, BB, WA, WB, false, true>, STAGES>))                  \
                     .at_once(MIN_BLOCKS),                                                                             \
                 __launch_bounds__(32 * (BA / WA) * (BB / WB), MIN_BLOCKS), ReflectArgs,                               \
                 reflect_apply<ReflectSplit<BA, BB, WA, WB, false, true>, STAGES>)
#define TEPHRA_REFLECT_APPLY_VECTOR(NAME, T, BA, BB, KC, TA, TB, STAGES, MIN_BLOCKS)                                   \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 Instance(BA / TA * (BB / TB))                                                                         \
                     .holds(BB, BA)                                                                                    \
                     .needs(sizeof(ReflectStages<ReflectVector<letter::T, BA, BB, KC, TA, TB, false>, STAGES>))        \
                     .at_once(MIN_BLOCKS),                                                                             \
                 __launch_bounds__(BA / TA * (BB / TB), MIN_BLOCKS), ReflectArgs,                                      \
                 reflect_apply<ReflectVector<letter::T, BA, BB, KC, TA, TB, false>, STAGES>)
