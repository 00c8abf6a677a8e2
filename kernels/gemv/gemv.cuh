// Batched products of matrices with vectors: a few lanes of a warp, or several warps of a block, for a strip of each
// matrix.
//
// A strip's lanes lie over it as a grid of rows and columns, whose shape is the launch's; lanes below each other read
// what is adjacent in memory. y := A x: a strip is a few rows, and lanes beside each other share each row's sum. y :=
// A^T x: a strip is a few columns, and lanes below each other, all of one warp, share a column's. Sums are the same in
// the same order whatever the batch. Source: BLAS gemv.
#pragma once
#include "../common/instance.cuh"
#include "../gemm/store.cuh"

namespace tephra {

// What the launches take (mirrored in src/backend/cuda/gemv.rs). A(i, j) is at a0 + i + j lda of a member of A, element
// i of x at x0 + i incx of one of x, element i of y at y0 + i incy of one of y.
struct GemvArgs {
    Operand a, x, y;
    GemmFactors factors;
    long long a0, lda;
    long long x0, incx;
    long long y0, incy;
    long long batch, strips; // strips of a matrix
    int m, n;                // A: m x n
    int down, across;        // lanes of a strip, powers of two; together no more than a block has
    int conj_a, conj_x;
};

// The P elements of `column` from `row` on, of which `rows` are there; the others become zero. PACK: they are adjacent
// and aligned, else `step` apart.
template <bool PACK, typename T, int P>
__device__ __forceinline__ void gemv_load(T (&to)[P], const T *column, int row, long long step, int rows) {
    if (PACK && row + P <= rows) {
        const auto pack = *reinterpret_cast<const GemmPack<T, P> *>(column + row);
#pragma unroll
        for (int p = 0; p < P; ++p) to[p] = pack.v[p];
    } else {
#pragma unroll
        for (int p = 0; p < P; ++p) {
            const int r = PACK ? p : p * static_cast<int>(step);
            to[p] = row + r < rows ? column[row + r] : make<T>(0);
        }
    }
}

// A lane's part of a strip.
template <typename T, int U, int THREADS>
struct GemvStrip {
    static constexpr int P = 16 / sizeof(T); // rows that a lane reads at once
    using Shared = T[THREADS / 32][32 * P];  // sums of warps

    const GemvArgs &args;
    const GemmScales<T> &scales;
    const T *A, *x;
    T *y;
    int first, terms; // row or column of the strip; of a sum
    bool mine;        // there is such a strip; else all is zero, and nobody stores it
    bool packs_x;     // x's elements are adjacent and aligned

    static __device__ __forceinline__ int lanes(const GemvArgs &args) { return args.down * args.across; }
    static __device__ __forceinline__ int within(const GemvArgs &args) { return threadIdx.x & (lanes(args) - 1); }
    // The team's first warp.
    static __device__ __forceinline__ int first_warp(const GemvArgs &args) {
        return (threadIdx.x & ~(lanes(args) - 1)) / 32;
    }
    __device__ __forceinline__ void put(int i, T sum) const {
        T *const to = y + i * args.incy;
        sum = scales.turns ? mul(scales.alpha, sum) : sum;
        *to = scales.reads ? scales.of(sum, *to) : scales.of(sum);
    }

    // y := A x, rows from `first` on.
    template <bool PACK>
    __device__ __forceinline__ void rows(Shared &shared) const {
        T acc[P];
#pragma unroll
        for (int p = 0; p < P; ++p) acc[p] = make<T>(0);
        const int down = within(args) & (args.down - 1), across = within(args) / args.down;
        const int step = PACK ? 1 : args.down, own = PACK ? down * P : down, rows = mine ? args.m - first : 0;
        const T *column = A + first + across * args.lda, *xs = x + across * args.incx;
        const long long next = args.across * args.lda, next_x = args.across * args.incx;
#pragma unroll 1
        for (int j = across; j < terms; j += U * args.across, column += U * next, xs += U * next_x) {
            T a[U][P], b[U];
#pragma unroll
            for (int u = 0; u < U; ++u) {
                const bool there = j + u * args.across < terms;
                gemv_load<PACK>(a[u], column + u * next, own, step, there ? rows : 0);
                b[u] = there && mine ? xs[u * next_x] : make<T>(0);
            }
#pragma unroll
            for (int u = 0; u < U; ++u) {
                b[u] = gemm_conj(b[u], args.conj_x);
#pragma unroll
                for (int p = 0; p < P; ++p) acc[p] = fma_(gemm_conj(a[u][p], args.conj_a), b[u], acc[p]);
            }
        }
        const int in_warp = lanes(args) < 32 ? lanes(args) : 32;
        for (int s = args.down; s < in_warp; s *= 2) {
#pragma unroll
            for (int p = 0; p < P; ++p) acc[p] = add(acc[p], shfl_xor(acc[p], s));
        }
        if (lanes(args) <= 32) {
#pragma unroll
            for (int p = 0; p < P; ++p) {
                const int i = own + p * step;
                if (across == 0 && i < rows) put(first + i, acc[p]);
            }
            return;
        }
#pragma unroll
        for (int p = 0; p < P; ++p)
            if (threadIdx.x % 32 < static_cast<unsigned>(args.down)) shared[threadIdx.x / 32][own + p * step] = acc[p];
        __syncthreads();
        const int w = first_warp(args);
        for (int i = within(args); i < P * args.down && i < rows; i += lanes(args)) {
            T sum = shared[w][i];
            for (int other = 1; other < lanes(args) / 32; ++other) sum = add(sum, shared[w + other][i]);
            put(first + i, sum);
        }
    }

    // Sums over `count` adjacent lanes, a power of two, of U values, which the lanes share out: of what this one has
    // then, the first is returned, and how many there are.
    static __device__ __forceinline__ int share(T (&acc)[U], int count, int &kept) {
        int u = 0;
        kept = U;
#pragma unroll
        for (int s = 1, half = U / 2; s < 32; s *= 2, half /= 2) {
            if (s >= count) break;
            const bool upper = threadIdx.x & s;
            if (half > 0) {
#pragma unroll
                for (int h = 0; h < half; ++h) {
                    const T gone = upper ? acc[h] : acc[half + h];
                    acc[h] = add(upper ? acc[half + h] : acc[h], shfl_xor(gone, s));
                }
                u += upper ? half : 0, kept = half;
            } else {
                acc[0] = add(acc[0], shfl_xor(acc[0], s));
            }
        }
        return u;
    }

    // y := A^T x, columns from `first` on.
    template <bool PACK>
    __device__ __forceinline__ void columns() const {
        T acc[U];
#pragma unroll
        for (int u = 0; u < U; ++u) acc[u] = make<T>(0);
        const int down = within(args) & (args.down - 1), across = within(args) / args.down;
        const int columns = mine ? args.n - first : 0;
        const T *const column = A + (first + across) * args.lda;
        const long long next = args.across * args.lda;
#pragma unroll 1
        for (int row = down * P; row < terms; row += P * args.down) {
            T a[U][P], b[P];
            if (packs_x)
                gemv_load<true>(b, x, row, 1, mine ? terms : 0);
            else
#pragma unroll
                for (int p = 0; p < P; ++p) b[p] = row + p < terms && mine ? x[(row + p) * args.incx] : make<T>(0);
#pragma unroll
            for (int u = 0; u < U; ++u)
                gemv_load<PACK>(a[u], column + u * next, row, 1, across + u * args.across < columns ? terms : 0);
#pragma unroll
            for (int p = 0; p < P; ++p) b[p] = gemm_conj(b[p], args.conj_x);
#pragma unroll
            for (int u = 0; u < U; ++u)
#pragma unroll
                for (int p = 0; p < P; ++p) acc[u] = fma_(gemm_conj(a[u][p], args.conj_a), b[p], acc[u]);
        }
        int kept;
        const int own = share(acc, args.down, kept);
#pragma unroll
        for (int u = 0; u < U; ++u) {
            const int j = across + (own + u) * args.across;
            if (u < kept && down < U && j < columns) put(first + j, acc[u]);
        }
    }
};

// U: columns that a lane has on their way at a time.
template <bool TRANSPOSED, typename T, int U, int THREADS>
__device__ __forceinline__ void gemv(const GemvArgs &args) {
    using Strip = GemvStrip<T, U, THREADS>;
    constexpr int P = Strip::P;
    const GemmScales<T> scales(args.factors);
    const int lanes = Strip::lanes(args), teams = THREADS / lanes;
    const long long jobs = args.strips * args.batch, step = static_cast<long long>(gridDim.x) * teams;
    const int terms = scales.nothing() ? 0 : TRANSPOSED ? args.m : args.n;
    const int each = TRANSPOSED ? U * args.across : P * args.down; // rows or columns of a strip
    for (long long turn = static_cast<long long>(blockIdx.x) * teams; turn < jobs; turn += step) {
        const int place = threadIdx.x / lanes;
        const bool mine = turn + place < jobs;
        const long long job = mine ? turn + place : turn;
        const long long i = args.strips == 1 ? job
                            : jobs >> 31     ? job / args.strips
                                             : static_cast<unsigned>(job) / static_cast<unsigned>(args.strips);
        const int first = static_cast<int>(job - i * args.strips) * each;
        const T *const A = member<T>(args.a, i) + args.a0, *const x = member<T>(args.x, i) + args.x0;
        T *const y = member<T>(args.y, i) + args.y0;
        const bool packs_x = args.incx == 1 && reinterpret_cast<unsigned long long>(x) % 16 == 0;
        const Strip strip = {args, scales, A, x, y, first, terms, mine, packs_x};
        // The same for all lanes of a warp, as they sum together.
        const bool packs = reinterpret_cast<unsigned long long>(A) % 16 == 0 && args.lda % P == 0;
        const bool pack = __all_sync(0xffffffffu, packs);
        if constexpr (TRANSPOSED) {
            pack ? strip.template columns<true>() : strip.template columns<false>();
        } else {
            __shared__ typename Strip::Shared shared;
            pack ? strip.template rows<true>(shared) : strip.template rows<false>(shared);
        }
        if (!TRANSPOSED && lanes > 32 && turn + step < jobs) __syncthreads(); // the sums have been used
    }
}

} // namespace tephra

// U: columns that a lane has on their way.
#define TEPHRA_GEMV(NAME, T, U, THREADS, MIN_BLOCKS)                                                                   \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(16 / sizeof(letter::T), U), __launch_bounds__(THREADS, MIN_BLOCKS),     \
                 GemvArgs, gemv<false, letter::T, U, THREADS>)
#define TEPHRA_GEMV_TRANSPOSED(NAME, T, U, THREADS, MIN_BLOCKS)                                                        \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(16 / sizeof(letter::T), U), __launch_bounds__(THREADS, MIN_BLOCKS),     \
                 GemvArgs, gemv<true, letter::T, U, THREADS>)
