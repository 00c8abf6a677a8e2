// A^H A in double precision, with rows divided among blocks: first the products of chunks of rows on the FP64 tensor
// cores, then their sums in a fixed order, scaled to a unit diagonal.
#pragma once
#include "../cholqr/args.cuh"
#include "../common/chunk.cuh"
#include "../common/instance.cuh"
#include "../reflect/stages.cuh"
#include "../reflect/tensor.cuh"
#include "args.cuh"

namespace tephra {

// The double-precision tensor tile over boxes of T, whose elements are converted when they are read into registers.
template <typename T_, int B, int KC_, int WA, int WB>
struct GramTile : ReflectTensor<Wide<T_>, B, B, KC_, WA, WB, true> {
    using T = T_;
    using Sums = ReflectTensor<Wide<T_>, B, B, KC_, WA, WB, true>;
    static constexpr int KC = KC_, pitch = KC + 4; // lets the lanes read from different banks
    using BoxA = ReflectBox<T, KC, B, pitch, Sums::threads>;
    using BoxB = BoxA;

    __device__ __forceinline__ void multiply(const T *a, const T *b) {
        const T *const x = a + this->q + (this->first_a + this->g) * pitch;
        const T *const y = b + this->q + (this->first_b + this->g) * pitch;
#pragma unroll
        for (int k = 0; k < KC; k += 4) {
            Wide<T> l[Sums::AT][2], r[Sums::BT];
#pragma unroll
            for (int i = 0; i < Sums::AT; ++i)
#pragma unroll
                for (int h = 0; h < 2; ++h) l[i][h] = conj(widen(x[k + (i * 16 + h * 8) * pitch]));
#pragma unroll
            for (int j = 0; j < Sums::BT; ++j) r[j] = widen(y[k + j * 8 * pitch]);
#pragma unroll
            for (int i = 0; i < Sums::AT; ++i)
#pragma unroll
                for (int j = 0; j < Sums::BT; ++j) this->c[i][j].fma(l[i][0], l[i][1], r[j]);
        }
    }
};

// Number of the tile with the given row and column (in tiles), in the upper triangle's order by columns.
__device__ __forceinline__ int gram_tile(int row, int column) { return column * (column + 1) / 2 + row; }

// Each block has a tile of a chunk's product.
template <typename Tile, int STAGES>
__device__ __forceinline__ void iterative_gram(const IterativeArgs &args) {
    using T = typename Tile::T;
    constexpr int B = Tile::BA, KC = Tile::KC;
    auto &stages = *reinterpret_cast<ReflectStages<Tile, STAGES> *>(dynamic_shared());
    const int side = (args.n + B - 1) / B, tiles = side * (side + 1) / 2;
    const int part = static_cast<int>(blockIdx.x) / tiles, place = static_cast<int>(blockIdx.x) - part * tiles;
    const int item = part / static_cast<int>(args.chunks), chunk = part - item * static_cast<int>(args.chunks);
    int across = 0;
    while (gram_tile(0, across + 1) <= place) ++across;
    const int row = (place - gram_tile(0, across)) * B, column = across * B;
    const long long first = chunk * args.chunk, left = args.m - first;
    const long long rows = left < args.chunk ? left : args.chunk;
    if (args.again && args.again[item * CholqrArgs::WORDS] != CholqrArgs::AGAIN) return;
    const T *const A = member<const T>(args.a, item) + args.a0 + first;
    const T *L = A + row * args.lda, *R = A + column * args.lda;
    forget(L, R); // or the pointers they are computed from stay in registers
    const bool packs = aligned<16>(A, args.lda);
    Tile tile;
    tile.clear();
    stages.run(
        static_cast<int>((rows + KC - 1) / KC),
        [&](int step, T *a, T *b) {
            const long long at = static_cast<long long>(step) * KC;
            Tile::BoxA::copy(a, [&](int o) { return L + o * args.lda + at; }, rows - at, args.n - row, packs);
            Tile::BoxB::copy(b, [&](int o) { return R + o * args.lda + at; }, rows - at, args.n - column, packs);
        },
        [](int, T *, T *) {}, [&](const T *a, const T *b) { tile.multiply(a, b); });
    Wide<T> *const sums = static_cast<Wide<T> *>(args.sums) + static_cast<long long>(blockIdx.x) * (B * B);
    // Elements beyond A's columns are never read. Writing them would cost narrow matrices more than their reads.
    const int high = args.n - row, wide = args.n - column;
    tile.each([&](int i, int j, const Wide<T> *x) {
        if (i < high && j < wide) sums[i * B + j] = x[0], sums[i * B + j + 1] = x[1];
    });
}

// The sum over chunks of a member's element (i, j), in order.
template <typename W>
__device__ __forceinline__ W gram_sum(const IterativeArgs &args, long long item, int i, int j) {
    const int B = args.tile, side = (args.n + B - 1) / B, tiles = side * (side + 1) / 2;
    const long long part = static_cast<long long>(tiles) * (B * B);
    const W *sums = static_cast<const W *>(args.sums) + item * args.chunks * part + gram_tile(i / B, j / B) * (B * B) +
                    i % B * B + j % B;
    W sum = make<W>(0);
#pragma unroll 8
    for (long long chunk = 0; chunk < args.chunks; ++chunk) sum = add(sum, sums[chunk * part]);
    return sum;
}

// First the diagonal, and the scaling factors, powers of two, that make it nearly one. One thread per column.
template <typename W, int THREADS>
__device__ __forceinline__ void iterative_scales(const IterativeArgs &args) {
    const int blocks = (args.n + THREADS - 1) / THREADS, item = static_cast<int>(blockIdx.x) / blocks;
    const int j = (static_cast<int>(blockIdx.x) - item * blocks) * THREADS + threadIdx.x;
    if (j >= args.n) return;
    const double norm2 = re(gram_sum<W>(args, item, j, j));
    double scale = 1;
    if (norm2 > 0 && norm2 < 1e300) scale = scalbn(1.0, -ilogb(norm2) / 2);
    double *const scales = args.scales + 2ll * item * args.n;
    scales[j] = scale, scales[args.n + j] = norm2;
}

// Then all elements; without scaling, this is the only launch. One thread per element, with rows of a tile adjacent.
template <typename W, int THREADS>
__device__ __forceinline__ void iterative_sum(const IterativeArgs &args) {
    const int n = args.n, blocks = (n * n + THREADS - 1) / THREADS, item = static_cast<int>(blockIdx.x) / blocks;
    const int e = (static_cast<int>(blockIdx.x) - item * blocks) * THREADS + threadIdx.x;
    const int i = e / n, j = e % n;
    if (i >= n || i > j) return;
    const double *const scales = args.scales ? args.scales + 2ll * item * n : nullptr;
    static_cast<W *>(args.gram)[(static_cast<long long>(item) * n + j) * n + i] =
        scale(gram_sum<W>(args, item, i, j), scales ? scales[i] * scales[j] : 1.0);
}

} // namespace tephra

#define TEPHRA_ITERATIVE_GRAM(NAME, T, B, KC, WA, WB, STAGES, MIN_BLOCKS)                                              \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 Instance(32 * (B / WA) * (B / WB))                                                                    \
                     .holds(B, B)                                                                                      \
                     .needs(sizeof(ReflectStages<GramTile<letter::T, B, KC, WA, WB>, STAGES>))                         \
                     .at_once(MIN_BLOCKS),                                                                             \
                 __launch_bounds__(32 * (B / WA) * (B / WB), MIN_BLOCKS), IterativeArgs,                               \
                 iterative_gram<GramTile<letter::T, B, KC, WA, WB>, STAGES>)
#define TEPHRA_ITERATIVE_SCALES(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, IterativeArgs, iterative_scales)
#define TEPHRA_ITERATIVE_SUM(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, IterativeArgs, iterative_sum)
