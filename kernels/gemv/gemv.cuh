// Batched matrix-vector products: a few lanes of a warp, or several warps of a block, for each strip of a matrix.
//
// A strip's lanes form a grid of rows and columns, whose shape the launch chooses; lanes in a column of the grid read
// what is adjacent in memory. For y := A x, a strip is a few rows, and the lanes in a row of the grid share each row's
// sum. For y := A^T x, a strip is a few columns, and the lanes in a column of the grid share a column's sum; these are
// within one warp, or, if the grid has a single column, in several. Sums run in the same order whatever the batch. If
// members have their own sizes, each is divided into the largest member's strips, and strips outside of it are idle.
// Source: BLAS gemv.
#pragma once
#include "../arch/arch.cuh"
#include "../common/extent.cuh"
#include "../common/instance.cuh"
#include "../gemm/store.cuh"

namespace tephra {

// Loads *p if it exists, else zero.
template <typename V>
__device__ __forceinline__ void gemv_load(V &to, const V *p, bool there, unsigned long long policy) {
    static_assert(sizeof(V) == 4 || sizeof(V) == 8 || sizeof(V) == 16, "what an instruction loads");
    unsigned r[sizeof(V) / 4] = {};
    load_if<sizeof(V)>(r, p, there, policy);
    memcpy(&to, r, sizeof(V));
}

// Arguments of the launches (mirrored in src/gpu/gemv/steps.rs). A(i, j) is at a0 + i + j lda of a member of A, element
// i of x at x0 + i incx of one of x, element i of y at y0 + i incy of one of y.
struct GemvArgs {
    Operand a, x, y;
    GemmFactors factors;
    long long a0, lda;
    long long x0, incx;
    long long y0, incy;
    long long batch, strips; // strips per matrix
    int m, n;                // A: m x n
    int down, across;        // log2 of a strip's lanes down and across; together at most a block
    int conj_a, conj_x;
    int passes; // 1: A's members together exceed what should stay in the L2 cache
    int pad;

    static constexpr bool each = false; // whether members have their own sizes

    // The launch as one member sees it.
    template <bool TRANSPOSED>
    __device__ __forceinline__ const GemvArgs &of(long long) const {
        return *this;
    }
};

// The same for members with their own sizes, of which m and n are the largest; lda, incx and incy are not used. x0 and
// y0 are where vectors with positive increments begin.
struct GemvEachArgs : GemvArgs {
    static constexpr bool each = true;
    Extent rows, columns;
    const int *leading, *x_steps, *y_steps;

    // An invalid member has no elements; nor has one without rows or columns.
    template <bool TRANSPOSED>
    __device__ __forceinline__ GemvArgs of(long long i) const {
        GemvArgs own = *this;
        const int own_m = rows.of(i), own_n = columns.of(i), ld = leading[i], x_step = x_steps[i], y_step = y_steps[i];
        const bool valid = rows.allows(own_m) && columns.allows(own_n) && leads(ld, own_m) && x_step && y_step;
        const bool there = valid && own_m > 0 && own_n > 0;
        own.m = there ? own_m : 0, own.n = there ? own_n : 0;
        own.lda = ld, own.incx = x_step, own.incy = y_step;
        // With a negative increment a vector begins at its end.
        own.x0 -= x_step < 0 ? ((TRANSPOSED ? own_m : own_n) - 1LL) * x_step : 0;
        own.y0 -= y_step < 0 ? ((TRANSPOSED ? own_n : own_m) - 1LL) * y_step : 0;
        return own;
    }
};

// A lane's part of a strip.
template <typename T, int U, int THREADS>
struct GemvStrip {
    static constexpr int P = 16 / sizeof(T); // rows that a lane reads at once
    using Pack = GemmPack<T, P>;
    using RowSums = T[THREADS / 32][32 * P]; // per warp
    using ColumnSums = T[THREADS / 32][U];

    const GemvArgs &args;
    const GemmScales<T> &scales;
    const T *A, *x;
    T *y;
    unsigned long long policy; // of loads
    int lane;                  // in the strip
    int first;                 // row or column of the strip
    unsigned terms;            // per sum
    bool mine;                 // whether the strip exists; else nothing is read or stored
    bool packs;                // whether packs of A's columns are aligned

    __device__ __forceinline__ int down() const { return lane & ((1 << args.down) - 1); }
    __device__ __forceinline__ int across() const { return lane >> args.down; }
    __device__ __forceinline__ void put(int i, T sum) const {
        T *const to = y + i * args.incy;
        sum = scales.turns ? mul(scales.alpha, sum) : sum;
        *to = scales.reads ? scales.of(sum, *to) : scales.of(sum);
    }
    // Loads the elements of a pack: at once if PACK, else those `step` apart for which `there` is true.
    template <bool PACK, typename There>
    __device__ __forceinline__ void load(Pack &to, const T *from, long long step, There there) const {
        if constexpr (PACK) {
            gemv_load(to, reinterpret_cast<const Pack *>(from), there(0), policy);
        } else {
#pragma unroll
            for (int p = 0; p < P; ++p) gemv_load(to.v[p], from + p * step, there(p), policy);
        }
    }
    __device__ __forceinline__ void add_product(T &acc, T a, T b) const {
        acc = fma_(gemm_conj(a, args.conj_a), b, acc);
    }

    // y := A x, for the rows from `first` on.
    __device__ __forceinline__ void rows(RowSums &shared) const {
        T acc[P];
#pragma unroll
        for (int p = 0; p < P; ++p) acc[p] = make<T>(0);
        const int rows = mine ? args.m - first : 0, lanes = 1 << (args.down + args.across);
        // The same in all lanes of a warp, since they sum together. A partial pack is read by elements.
        const bool pack = __all_sync(0xffffffffu, packs && (down() * P + P <= rows || down() * P >= rows));
        const int step = pack ? 1 : 1 << args.down, own = pack ? down() * P : down();
        if (pack)
            sum_rows<true>(acc, own, step, rows);
        else
            sum_rows<false>(acc, own, step, rows);
        const int in_warp = lanes < 32 ? lanes : 32;
        for (int s = 1 << args.down; s < in_warp; s *= 2) {
#pragma unroll
            for (int p = 0; p < P; ++p) acc[p] = add(acc[p], shfl_xor(acc[p], s));
        }
        if (lanes <= 32) {
#pragma unroll
            for (int p = 0; p < P; ++p) {
                const int i = own + p * step;
                if (across() == 0 && i < rows) put(first + i, acc[p]);
            }
            return;
        }
#pragma unroll
        for (int p = 0; p < P; ++p)
            if ((threadIdx.x % 32) >> args.down == 0) shared[threadIdx.x / 32][own + p * step] = acc[p];
        __syncthreads();
        const int w = (threadIdx.x - lane) / 32; // the strip's first warp
        for (int i = lane; i < P << args.down && i < rows; i += lanes) {
            T sum = shared[w][i];
            for (int other = 1; other < lanes / 32; ++other) sum = add(sum, shared[w + other][i]);
            put(first + i, sum);
        }
    }

    // Sums of this lane's rows own, own + step, ..., of `rows`, over its columns.
    template <bool PACK>
    __device__ __forceinline__ void sum_rows(T (&acc)[P], int own, int step, int rows) const {
        const T *a_at = A + first + own + across() * args.lda, *x_at = x + across() * args.incx;
        const long long next = args.lda << args.across, next_x = args.incx << args.across;
        const unsigned end = own < rows ? terms : 0;
#pragma unroll 1
        for (unsigned j = across(); j < end;) {
            Pack a[U];
            T b[U];
#pragma unroll
            for (int u = 0; u < U; ++u, j += 1 << args.across, a_at += next, x_at += next_x) {
                load<PACK>(a[u], a_at, step, [&](int p) { return j < end && (PACK || own + p * step < rows); });
                gemv_load(b[u], x_at, j < end, policy);
            }
#pragma unroll
            for (int u = 0; u < U; ++u) {
                b[u] = gemm_conj(b[u], args.conj_x);
#pragma unroll
                for (int p = 0; p < P; ++p) add_product(acc[p], a[u].v[p], b[u]);
            }
        }
    }

    // Sums each of U values over 1 << `log` adjacent lanes, and shares out the results among them. Returns the index of
    // the first result that this lane keeps, and sets how many it keeps.
    static __device__ __forceinline__ int share(T (&acc)[U], int log, int &kept) {
        static_assert(U <= 32 && !(U & (U - 1)));
        int u = 0;
        kept = U;
#pragma unroll
        for (int l = 0, half = U / 2; l < 5; ++l, half /= 2) {
            if (l >= log) break;
            const bool upper = threadIdx.x & 1 << l;
            if (half > 0) {
#pragma unroll
                for (int h = 0; h < half; ++h) {
                    const T gone = upper ? acc[h] : acc[half + h];
                    acc[h] = add(upper ? acc[half + h] : acc[h], shfl_xor(gone, 1 << l));
                }
                u += upper ? half : 0, kept = half;
            } else {
                acc[0] = add(acc[0], shfl_xor(acc[0], 1 << l));
            }
        }
        return u;
    }

    // y := A^T x, for the columns from `first` on.
    __device__ __forceinline__ void columns(ColumnSums &shared) const {
        T acc[U];
#pragma unroll
        for (int u = 0; u < U; ++u) acc[u] = make<T>(0);
        const int columns = mine ? args.n - first - across() : 0; // from the lane's first on
        const unsigned end = columns > 0 ? terms : 0;
        unsigned row = down() * P;
        const T *a_at = A + (first + across()) * args.lda + row, *x_at = x + row * args.incx;
        if (packs && args.incx == 1 && reinterpret_cast<unsigned long long>(x) % 16 == 0)
            sum_columns<true>(acc, row, end, columns, a_at, x_at);
        sum_columns<false>(acc, row, end, columns, a_at, x_at);
        int kept;
        const int own = share(acc, args.down, kept), lanes = 1 << (args.down + args.across);
        if (lanes <= 32) {
#pragma unroll
            for (int u = 0; u < U; ++u) {
                const int j = (own + u) << args.across;
                if (u < kept && down() < U && j < columns) put(first + across() + j, acc[u]);
            }
            return;
        }
        // After a whole warp's reduction, each of its first lanes has one sum.
        if (threadIdx.x % 32 < U) shared[threadIdx.x / 32][own] = acc[0];
        __syncthreads();
        const int w = (threadIdx.x - lane) / 32; // the strip's first warp
        if (lane < U && lane < columns) {
            T sum = shared[w][lane];
            for (int other = 1; other < lanes / 32; ++other) sum = add(sum, shared[w + other][lane]);
            put(first + lane, sum);
        }
    }

    // Sums of this lane's columns from `row` on. PACK: whole packs only; the rest is left to the second call.
    template <bool PACK>
    __device__ __forceinline__ void sum_columns(T (&acc)[U], unsigned &row, unsigned end, int columns, const T *&a_at,
                                                const T *&x_at) const {
        const long long next = args.lda << args.across;
        const int step = P << args.down;
#pragma unroll 1
        for (; PACK ? row + P <= end : row < end; row += step) {
            Pack a[U], b;
            const auto in = [&](int p) { return PACK || row + p < end; };
            load<PACK>(b, x_at, args.incx, in);
            const T *at = a_at;
#pragma unroll
            for (int u = 0; u < U; ++u, at += next)
                load<PACK>(a[u], at, 1, [&](int p) { return u << args.across < columns && in(p); });
            a_at += step, x_at += args.incx * step;
#pragma unroll
            for (int p = 0; p < P; ++p) b.v[p] = gemm_conj(b.v[p], args.conj_x);
#pragma unroll
            for (int u = 0; u < U; ++u)
#pragma unroll
                for (int p = 0; p < P; ++p) add_product(acc[u], a[u].v[p], b.v[p]);
        }
    }
};

// U: columns that a lane loads at a time. The last member comes first: if A was just written, its end is still in the
// L2 cache.
template <bool TRANSPOSED, typename T, int U, int THREADS, typename Args>
__device__ __forceinline__ void gemv(const Args &launch) {
    using Strip = GemvStrip<T, U, THREADS>;
    constexpr int P = Strip::P;
    const GemmScales<T> scales(launch.factors);
    const unsigned long long policy = read_policy(launch.passes);
    const int log = launch.down + launch.across, lanes = 1 << log, teams = THREADS >> log;
    const long long jobs = launch.strips * launch.batch, step = static_cast<long long>(gridDim.x) * teams;
    const auto terms_of = [](const GemvArgs &args) { return static_cast<unsigned>(TRANSPOSED ? args.m : args.n); };
    const unsigned all_terms = scales.nothing() ? 0 : terms_of(launch);
    const int each = TRANSPOSED ? U << launch.across : P << launch.down; // columns or rows of a strip
    for (long long turn = static_cast<long long>(blockIdx.x) * teams; turn < jobs; turn += step) {
        const int place = threadIdx.x >> log;
        const bool mine = turn + place < jobs;
        const long long job = jobs - 1 - (mine ? turn + place : turn);
        const long long i = launch.strips == 1 ? job
                            : jobs >> 31       ? job / launch.strips
                                               : static_cast<unsigned>(job) / static_cast<unsigned>(launch.strips);
        const int first = static_cast<int>(job - i * launch.strips) * each;
        const auto &args = launch.template of<TRANSPOSED>(i);
        const unsigned terms = Args::each && !scales.nothing() ? terms_of(args) : all_terms;
        const T *const A = global(member<T>(args.a, i)) + args.a0, *const x = global(member<T>(args.x, i)) + args.x0;
        T *const y = global(member<T>(args.y, i)) + args.y0;
        const bool packs = reinterpret_cast<unsigned long long>(A) % 16 == 0 && args.lda % P == 0;
        const int lane = threadIdx.x & (lanes - 1);
        const Strip strip = {args, scales, A, x, y, policy, lane, first, terms, mine, packs};
        if constexpr (TRANSPOSED) {
            __shared__ typename Strip::ColumnSums shared;
            strip.columns(shared);
        } else {
            __shared__ typename Strip::RowSums shared;
            strip.rows(shared);
        }
        if (lanes > 32 && turn + step < jobs) __syncthreads(); // the sums have been used
    }
}

} // namespace tephra

// U: columns that a lane loads at a time.
#define TEPHRA_GEMV_OF(NAME, ARGS, TRANSPOSED, T, U, THREADS, MIN_BLOCKS)                                              \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(16 / sizeof(letter::T), U), __launch_bounds__(THREADS, MIN_BLOCKS),     \
                 ARGS, gemv<TRANSPOSED, letter::T, U, THREADS>)
#define TEPHRA_GEMV(NAME, ...) TEPHRA_GEMV_OF(NAME, GemvArgs, false, __VA_ARGS__)
#define TEPHRA_GEMV_TRANSPOSED(NAME, ...) TEPHRA_GEMV_OF(NAME, GemvArgs, true, __VA_ARGS__)
#define TEPHRA_GEMV_EACH(NAME, ...) TEPHRA_GEMV_OF(NAME, GemvEachArgs, false, __VA_ARGS__)
#define TEPHRA_GEMV_TRANSPOSED_EACH(NAME, ...) TEPHRA_GEMV_OF(NAME, GemvEachArgs, true, __VA_ARGS__)
