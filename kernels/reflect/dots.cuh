// The first launch of a block reflector whose rows are divided among blocks: V^H [C | V] of each chunk of rows.
//
// A block has a tile of reflectors and columns of one chunk. It writes its sums to memory, and the next launch adds
// those of all chunks in order, so that results do not depend on the order of blocks. Rows pass through shared memory
// KC at a time; they are contiguous in memory in both factors.
#pragma once
#include "../common/chunk.cuh"
#include "../common/instance.cuh"
#include "args.cuh"
#include "split.cuh"
#include "stages.cuh"
#include "tensor.cuh"
#include "vector.cuh"

namespace tephra {

// THROUGH: not with few reflectors, where memory bandwidth is the limit and one more box in flight is worth more.
template <typename Tile, int STAGES, bool THROUGH = goes_through<Tile, STAGES> && (Tile::BA > 32)>
__device__ __forceinline__ void reflect_dots(const ReflectArgs &args) {
    using T = typename Tile::T;
    constexpr int BA = Tile::BA, BB = Tile::BB, KC = Tile::KC;
    auto &stages = *reinterpret_cast<ReflectStages<Tile, STAGES> *>(dynamic_shared());
    const long long down = (args.k + BA - 1) / BA, across = (args.columns() + BB - 1) / BB;
    const long long per_chunk = down * across;
    for (long long job = blockIdx.x; job < per_chunk * args.chunks * args.batch; job += gridDim.x) {
        const long long at = job / per_chunk, i = at / args.chunks, chunk = at - i * args.chunks;
        if (args.done(i)) continue;
        const int place = static_cast<int>(job - at * per_chunk);
        const int reflector = static_cast<int>(place % down) * BA, column = static_cast<int>(place / down) * BB;
        const int reflectors = args.k - reflector, columns = args.columns() - column;
        const int of_c = static_cast<int>(args.n) - column;    // the tile's columns that are C's; the others are V's
        if (of_c <= 0 && BB - of_c <= reflector + 1) continue; // of V^H V, only what is above the diagonal is used
        const long long first = chunk * args.chunk, left = args.m - first;
        const long long rows = left < args.chunk ? left : args.chunk;
        const T *const V = args.template reflectors<T>(i) + first, *const A = V + reflector * args.ldv;
        const T *const C = args.template matrix<T>(i) + first + column * args.ldc, *const G = V - of_c * args.ldv;
        const bool a_packs = aligned<16>(V, args.ldv), b_packs = a_packs && aligned<16>(C, args.ldc);
        const auto b_line = [&](int o) { return o < of_c ? C + o * args.ldc : G + o * args.ldv; };
        __syncthreads(); // the previous job's boxes have been used
        Tile tile;
        tile.clear();
        if constexpr (is_split<Tile>) {
            tile.exact |= of_c < BB; // T is computed from V^H V
            tile.scale_lines([&](int o) {
                return o < of_c ? member<T>(args.t, i)[column + o] : o < columns ? Tile::of_v : 1.0f;
            });
        }
        // Processes boxes `from` to `end`, whatever they contain.
        const auto any = [&](int from, int end) {
            stages.run(
                end - from,
                [&](int step, T *a, T *b) {
                    const long long row = static_cast<long long>(from + step) * KC;
                    if constexpr (is_split<Tile>) {
                        if (b_packs && of_c >= BB && reflectors >= BA && rows - row >= KC) {
                            Tile::copy_a(a, A + row, args.ldv);
                            Tile::copy_b(b, C + row, args.ldc);
                            return;
                        }
                    }
                    Tile::BoxA::copy(a, [&](int o) { return A + o * args.ldv + row; }, rows - row, reflectors, a_packs);
                    Tile::BoxB::copy(b, [&](int o) { return b_line(o) + row; }, rows - row, columns, b_packs);
                },
                [&](int step, T *a, T *b) {
                    const long long row = first + static_cast<long long>(from + step) * KC;
                    const auto change = [&] {
                        if (row >= args.k && row >= args.zeros) return;
                        Tile::BoxA::change(a, a_packs,
                                           [&](int o, int r, T x) { return unit_lower(row + r, reflector + o, x); });
                        Tile::BoxB::change(b, b_packs, [&](int o, int r, T x) {
                            if (o >= of_c) return unit_lower(row + r, o - of_c, x);
                            return row + r < args.zeros ? make<T>(0) : x;
                        });
                    };
                    change();
                    if constexpr (is_split<Tile>) {
                        if (!b_packs) __syncthreads(); // other threads have copied what is split
                        tile.split(a, b);
                    }
                },
                [&](const T *a, const T *b) { tile.template multiply<true>(a, b); });
        };
        const int steps = static_cast<int>((rows + KC - 1) / KC);
        if constexpr (THROUGH) {
            // Below V's triangle and C's zeros, boxes are complete.
            const bool whole = b_packs && (of_c >= BB || of_c <= 0) && reflectors >= BA && columns >= BB;
            const long long top = (args.zeros > args.k ? args.zeros : args.k) - first;
            const int begin = top <= 0 ? 0 : static_cast<int>((top + KC - 1) / KC), end = static_cast<int>(rows / KC);
            int at = 0;
            while (at < steps) {
                if (whole && at >= begin && at < end) {
                    const long long ldb = of_c > 0 ? args.ldc : args.ldv;
                    const T *const a_from = A + Tile::BoxA::mine(args.ldv) + static_cast<long long>(at) * KC,
                                   *const b_from = b_line(0) + Tile::BoxB::mine(ldb) + static_cast<long long>(at) * KC;
                    stages.template run_through<true>(end - at, tile, [&](int step, T *a, T *b) {
                        Tile::BoxA::copy_whole(a, a_from + step * KC, args.ldv);
                        Tile::BoxB::copy_whole(b, b_from + step * KC, ldb);
                    });
                    at = end;
                } else {
                    const int to = whole && at < begin && begin < end ? begin : steps;
                    any(at, to);
                    at = to;
                }
                __syncthreads(); // the boxes have been used
            }
        } else {
            any(0, steps);
        }
        T *const sums = args.template sums_of<T>(i, chunk) + reflector * args.pitch + column;
        tile.each([&](int a, int b, const T *x) {
            if (a >= reflectors) return;
#pragma unroll
            for (int e = 0; e < Tile::adjacent; ++e)
                if (b + e < columns) sums[a * args.pitch + b + e] = x[e];
        });
    }
}

} // namespace tephra

// WA, WB: of a warp; TA, TB: of a thread.
#define TEPHRA_REFLECT_DOTS_TENSOR(NAME, T, BA, BB, KC, WA, WB, STAGES, MIN_BLOCKS)                                    \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 Instance(32 * (BA / WA) * (BB / WB))                                                                  \
                     .holds(BA, BB)                                                                                    \
                     .needs(sizeof(ReflectStages<ReflectTensor<letter::T, BA, BB, KC, WA, WB, true>, STAGES>))         \
                     .at_once(MIN_BLOCKS),                                                                             \
                 __launch_bounds__(32 * (BA / WA) * (BB / WB), MIN_BLOCKS), ReflectArgs,                               \
                 reflect_dots<ReflectTensor<letter::T, BA, BB, KC, WA, WB, true>, STAGES>)
#define TEPHRA_REFLECT_DOTS_SPLIT(NAME, T, BA, BB, WA, WB, STAGES, MIN_BLOCKS)                                         \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 Instance(32 * (BA / WA) * (BB / WB))                                                                  \
                     .holds(BA, BB)                                                                                    \
                     .needs(sizeof(ReflectStages<ReflectSplit<BA, BB, WA, WB, true>, STAGES>))                         \
                     .at_once(MIN_BLOCKS),                                                                             \
                 __launch_bounds__(32 * (BA / WA) * (BB / WB), MIN_BLOCKS), ReflectArgs,                               \
                 reflect_dots<ReflectSplit<BA, BB, WA, WB, true>, STAGES>)
#define TEPHRA_REFLECT_DOTS_HALF(NAME, T, BA, BB, WA, WB, STAGES, MIN_BLOCKS)                                          \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 Instance(32 * (BA / WA) * (BB / WB))                                                                  \
                     .holds(BA, BB)                                                                                    \
                     .needs(sizeof(ReflectStages<ReflectSplit<BA, BB, WA, WB, true, true>, STAGES>))                   \
                     .at_once(MIN_BLOCKS),                                                                             \
                 __launch_bounds__(32 * (BA / WA) * (BB / WB), MIN_BLOCKS), ReflectArgs,                               \
                 reflect_dots<ReflectSplit<BA, BB, WA, WB, true, true>, STAGES>)
#define TEPHRA_REFLECT_DOTS_VECTOR(NAME, T, BA, BB, KC, TA, TB, STAGES, MIN_BLOCKS)                                    \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 Instance(BA / TA * (BB / TB))                                                                         \
                     .holds(BA, BB)                                                                                    \
                     .needs(sizeof(ReflectStages<ReflectVector<letter::T, BA, BB, KC, TA, TB, true>, STAGES>))         \
                     .at_once(MIN_BLOCKS),                                                                             \
                 __launch_bounds__(BA / TA * (BB / TB), MIN_BLOCKS), ReflectArgs,                                      \
                 reflect_dots<ReflectVector<letter::T, BA, BB, KC, TA, TB, true>, STAGES>)
