// QR of a tall panel from its Gram matrix: one read of A for the Gram matrix, and one read and one write for V or Q. In
// double precision, unless A's columns are nearly orthogonal, one more read forms the Gram matrix of Q = A R^-1, which
// corrects R: the result is then as accurate as Householder QR.
#pragma once
#include "../arch/arch.cuh"
#include "../common/instance.cuh"
#include "finish.cuh"

namespace tephra {

// The sums of a block's warps, in the first warps' places; later, the data of the factorisation.
template <typename T, int N, int THREADS>
union CholqrMemory {
    Wide<T> sums[THREADS / 64][CholqrTile<T, N>::PART];
    CholqrFactor<T, N, THREADS> factor;
};

// Adds up the warps' sums in a fixed order, and writes those of the block to `to`.
template <typename T, int N, int THREADS>
__device__ __forceinline__ void cholqr_block_sum(typename CholqrTile<T, N>::Gram &gram,
                                                 CholqrMemory<T, N, THREADS> &memory, Wide<T> *to) {
    using Tile = CholqrTile<T, N>;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll 1
    for (int half = THREADS / 64; half >= 1; half /= 2) {
        if (warp >= half && warp < 2 * half)
#pragma unroll
            for (int i = 0; i < Tile::TILES; ++i)
#pragma unroll
                for (int r = 0; r < 4; ++r) memory.sums[warp - half][(i * 4 + r) * 32 + lane] = gram.c[i].get(r);
        __syncthreads();
        if (warp < half)
#pragma unroll
            for (int i = 0; i < Tile::TILES; ++i)
#pragma unroll
                for (int r = 0; r < 4; ++r)
                    gram.c[i].set(r, add(gram.c[i].get(r), memory.sums[warp][(i * 4 + r) * 32 + lane]));
        __syncthreads();
    }
    if (warp == 0)
#pragma unroll
        for (int i = 0; i < Tile::TILES; ++i)
#pragma unroll
            for (int r = 0; r < 4; ++r) to[(i * 4 + r) * 32 + lane] = gram.c[i].get(r);
}

// Whether this block is the last of `of` blocks to arrive here; if so, it sees what the others have written.
__device__ __forceinline__ bool cholqr_last(unsigned *arrived, int of) {
    __shared__ unsigned before;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        before = atomicAdd(arrived, 1u);
        __threadfence();
    }
    __syncthreads();
    return before + 1 == static_cast<unsigned>(of);
}

// Adds up `count` parts in order, and calls put(number, sum).
template <typename W, int PART, int THREADS, typename Put>
__device__ __forceinline__ void cholqr_add_up(const W *parts, int count, Put put) {
    constexpr int EACH = (PART + THREADS - 1) / THREADS, SIZE = sizeof(W) / 8;
    static_assert(PART % THREADS == 0);
    W sum[EACH];
#pragma unroll
    for (int s = 0; s < EACH; ++s) sum[s] = make<W>(0);
#pragma unroll 6
    for (int p = 0; p < count; ++p) {
        const double *const from = reinterpret_cast<const double *>(parts + static_cast<long long>(p) * PART);
#pragma unroll
        for (int s = 0; s < EACH; ++s) {
            const double *const x = from + (s * THREADS + threadIdx.x) * SIZE;
            if constexpr (is_complex<W>)
                sum[s] = add(sum[s], W{__ldcg(x), __ldcg(x + 1)});
            else
                sum[s] = add(sum[s], __ldcg(x));
        }
    }
#pragma unroll
    for (int s = 0; s < EACH; ++s) put(s * THREADS + static_cast<int>(threadIdx.x), sum[s]);
}

// Processes a warp's tiles of part p: load(rows, first row, end), then use(rows, first row, end). AHEAD: the next tile
// is loaded while the current one is used.
template <bool AHEAD, typename Tile, int THREADS, typename Load, typename Use>
__device__ __forceinline__ void cholqr_walk(const CholqrArgs &args, int p, Load load, Use use) {
    constexpr int step = THREADS / 32 * Tile::ROWS;
    const long long end = args.m < (p + 1) * args.chunk ? args.m : (p + 1) * args.chunk;
    long long row = p * args.chunk + threadIdx.x / 32 * Tile::ROWS;
    typename Tile::Rows x, next;
    if (AHEAD && row < end) load(next, row, end);
#pragma unroll 1
    for (; row < end; row += step) {
        if constexpr (AHEAD) {
#pragma unroll
            for (int s = 0; s < Tile::N / 4; ++s) x[s] = next[s];
            if (row + step < end) load(next, row + step, end);
        } else {
            load(x, row, end);
        }
        use(x, row, end);
    }
}

// The Gram matrix of a part of A or, if AGAIN, of A R^-1. The last block of a member continues with cholqr_finish.
template <typename T, int N, int THREADS, bool AGAIN, bool AHEAD>
__device__ __forceinline__ void cholqr_sums(const CholqrArgs &args) {
    using Tile = CholqrTile<T, N>;
    using W = Wide<T>;
    auto &memory = *reinterpret_cast<CholqrMemory<T, N, THREADS> *>(dynamic_shared());
    const long long i = blockIdx.x / args.parts;
    const int p = static_cast<int>(blockIdx.x - i * args.parts), n = args.n;
    if (AGAIN ? *args.state(i) != CholqrArgs::AGAIN : cholqr_within(args, i, p == 0)) return;
    const T *const A = member<T>(args.a, i) + args.a0;
    const bool packs = aligned<16>(A, args.lda);
    const W *const f = memory.sums[0];
    if constexpr (AGAIN) cholqr_take<T, N, THREADS>(args, i, memory.sums[0]);

    typename Tile::Gram gram;
    gram.clear();
    cholqr_walk<AHEAD, Tile, THREADS>(
        args, p,
        [&](typename Tile::Rows &x, long long row, long long end) {
            if constexpr (AGAIN)
                Tile::rows(x, A + row, args.lda, n, end - row, packs);
            else
                Tile::columns(x, A + row, args.lda, n, end - row, packs);
        },
        [&](const typename Tile::Rows &x, long long, long long) {
            if constexpr (AGAIN) {
                typename Tile::Product q;
                q.form(x, f);
#pragma unroll
                for (int u = 0; u < 2 * Tile::E; ++u) {
                    W y[N / 8];
#pragma unroll
                    for (int c = 0; c < N / 8; ++c) y[c] = q.get(c, u);
                    gram.add(y);
                }
            } else {
                gram.add(x);
            }
        });
    if constexpr (AGAIN) __syncthreads();

    W *const parts = static_cast<W *>(args.sums) + i * args.sums_stride, *const groups =
                                                                             parts + args.parts * Tile::PART;
    const int group = p / args.group, count = (args.parts + args.group - 1) / args.group;
    const int first = group * args.group, size = args.parts - first < args.group ? args.parts - first : args.group;
    cholqr_block_sum<T, N, THREADS>(gram, memory, parts + p * Tile::PART);
    unsigned *const arrived = args.state(i) + 1;
    if (!cholqr_last(arrived + 1 + group, size)) return;
    cholqr_add_up<W, Tile::PART, THREADS>(parts + first * Tile::PART, size,
                                          [&](int e, W sum) { groups[group * Tile::PART + e] = sum; });
    if (!cholqr_last(arrived, count)) return;
    // G by rows, for the threads that need its elements next.
    cholqr_add_up<W, Tile::PART, THREADS>(groups, count, [&](int e, W sum) {
        const auto [row, column] = Tile::at(e);
        memory.factor.y[row * CholqrFactor<T, N, THREADS>::NP + column] = sum;
    });
    for (int e = threadIdx.x; e <= count; e += THREADS) arrived[e] = 0; // for the next launch
    __syncthreads();
    typename CholqrFactor<T, N, THREADS>::Matrix x;
    memory.factor.each([&](int a, int b, int row, int column) {
        x[a][b] = memory.factor.y[row * CholqrFactor<T, N, THREADS>::NP + column];
    });
    cholqr_finish<T, N, THREADS, false>(args, i, memory.factor, x, AGAIN);
}

// V or Q: multiplies the panel's rows, except those at its head, by the factor from cholqr_finish.
template <typename T, int N, int THREADS, bool AHEAD>
__device__ __forceinline__ void cholqr_rows(const CholqrArgs &args) {
    using Tile = CholqrTile<T, N>;
    __shared__ Wide<T> f[Tile::FACTOR];
    const long long i = blockIdx.x / args.parts;
    const int p = static_cast<int>(blockIdx.x - i * args.parts), n = args.n;
    if (*args.state(i) != args.when) return;
    if (args.by.p)
        cholqr_take_product<T, N, THREADS>(args, i, f);
    else
        cholqr_take<T, N, THREADS>(args, i, f);
    const T *const A = member<T>(args.a, i) + args.a0;
    T *const to = member<T>(args.to, i) + args.to0;
    const bool packs = aligned<16>(A, args.lda), packed = aligned<16>(to, args.ldto);
    cholqr_walk<AHEAD, Tile, THREADS>(
        args, p,
        [&](typename Tile::Rows &x, long long row, long long end) {
            Tile::rows(x, A + row, args.lda, n, end - row, packs);
        },
        [&](const typename Tile::Rows &x, long long row, long long end) {
            typename Tile::Product q;
            q.form(x, f);
            q.store(to + row, args.ldto, n, args.head - row, end - row, packed);
        });
}

} // namespace tephra

#define TEPHRA_CHOLQR_GRAM(NAME, T, N, THREADS, AGAIN, MIN_BLOCKS)                                                     \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 Instance(THREADS)                                                                                     \
                     .holds(CholqrTile<letter::T, N>::PART, N)                                                         \
                     .needs(sizeof(CholqrMemory<letter::T, N, THREADS>))                                               \
                     .at_once(MIN_BLOCKS),                                                                             \
                 __launch_bounds__(THREADS, MIN_BLOCKS), CholqrArgs,                                                   \
                 cholqr_sums<letter::T, N, THREADS, AGAIN, MIN_BLOCKS == 1>)
#define TEPHRA_CHOLQR_SUMS(NAME, T, N, THREADS, MIN_BLOCKS) TEPHRA_CHOLQR_GRAM(NAME, T, N, THREADS, false, MIN_BLOCKS)
#define TEPHRA_CHOLQR_AGAIN(NAME, T, N, THREADS, MIN_BLOCKS) TEPHRA_CHOLQR_GRAM(NAME, T, N, THREADS, true, MIN_BLOCKS)
#define TEPHRA_CHOLQR_ROWS(NAME, T, N, THREADS, MIN_BLOCKS)                                                            \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(0, N).at_once(MIN_BLOCKS), __launch_bounds__(THREADS, MIN_BLOCKS),      \
                 CholqrArgs, cholqr_rows<letter::T, N, THREADS, MIN_BLOCKS == 1>)
