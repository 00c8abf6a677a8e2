// Batched products of matrices with vectors: a few lanes of a warp, or all of them, for a strip of each matrix.
//
// Lanes lie over a strip as a grid of rows and columns, whose shape is the launch's: neighbours in a row of lanes read
// what is adjacent in memory. y := A x: a strip is a few rows, and lanes beside each other share each row's sum. y :=
// op(A) x with A transposed: a strip is a few columns, and lanes below each other share a column's. Source: BLAS gemv.
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
    int down, across;        // lanes of a strip, powers of two
    int transposed;
    int conj_a, conj_x;
    int pad;
};

// The P elements of `column` from `row` on, of which `rows` are there; the others become zero. PACK: they are adjacent,
// else `step` apart.
template <bool PACK, typename T, int P>
__device__ __forceinline__ void gemv_load(T (&to)[P], const T *column, int row, int step, int rows) {
    if (PACK && row + P <= rows) {
        const auto pack = *reinterpret_cast<const GemmPack<T, P> *>(column + row);
#pragma unroll
        for (int p = 0; p < P; ++p) to[p] = pack.v[p];
    } else {
#pragma unroll
        for (int p = 0; p < P; ++p) {
            const int r = row + p * (PACK ? 1 : step);
            to[p] = r < rows ? column[r] : make<T>(0);
        }
    }
}

// A strip of one matrix; `down`, `across`: this lane's place. What the strip's lanes do together, the whole warp does.
template <typename T, int U>
struct GemvStrip {
    static constexpr int P = 16 / sizeof(T); // rows of a lane
    const GemvArgs &args;
    const T *A, *x;
    T *y;
    int down, across;

    // Sum over the lanes that differ in these bits of their number.
    static __device__ __forceinline__ T sum(T a, int from, int to) {
        for (int s = from; s < to; s *= 2) a = add(a, shfl_xor(a, s));
        return a;
    }
    __device__ __forceinline__ void put(int i, T sum, const GemmScales<T> &scales) const {
        T *const to = y + i * args.incy;
        sum = scales.turns ? mul(scales.alpha, sum) : sum;
        *to = scales.reads ? scales.of(sum, *to) : scales.of(sum);
    }

    // y := A x, rows from `first` on.
    template <bool PACK>
    __device__ __forceinline__ void rows(int first, int terms, bool mine, const GemmScales<T> &scales) const {
        T acc[P];
#pragma unroll
        for (int p = 0; p < P; ++p) acc[p] = make<T>(0);
        const int step = args.down, row = first + (PACK ? down * P : down), rows = mine ? args.m : 0;
        for (int j = across; j < terms; j += U * args.across) {
            T a[U][P], b[U];
#pragma unroll
            for (int u = 0; u < U; ++u) {
                const int column = j + u * args.across;
                const bool there = column < terms && rows > 0;
                gemv_load<PACK>(a[u], A + column * args.lda, row, step, there ? rows : 0);
                b[u] = gemm_conj(there ? x[column * args.incx] : make<T>(0), args.conj_x);
            }
#pragma unroll
            for (int u = 0; u < U; ++u)
#pragma unroll
                for (int p = 0; p < P; ++p) acc[p] = fma_(gemm_conj(a[u][p], args.conj_a), b[u], acc[p]);
        }
#pragma unroll
        for (int p = 0; p < P; ++p) acc[p] = sum(acc[p], args.down, args.down * args.across);
#pragma unroll
        for (int p = 0; p < P; ++p) {
            const int i = row + p * (PACK ? 1 : step);
            if (across == 0 && i < rows) put(i, acc[p], scales);
        }
    }

    // y := A^T x, columns from `first` on.
    template <bool PACK>
    __device__ __forceinline__ void columns(int first, int terms, bool mine, const GemmScales<T> &scales) const {
        T acc[U];
#pragma unroll
        for (int u = 0; u < U; ++u) acc[u] = make<T>(0);
        const int columns = mine ? args.n : 0;
#pragma unroll 2
        for (int i = 0; i < terms; i += P * args.down) {
            const int row = i + down * P; // wherever A is, so that the order of a sum is the same
            T a[U][P], b[P];
#pragma unroll
            for (int u = 0; u < U; ++u) {
                const int column = first + across + u * args.across;
                gemv_load<PACK>(a[u], A + column * args.lda, row, 1, column < columns ? terms : 0);
            }
#pragma unroll
            for (int p = 0; p < P; ++p) {
                const int r = row + p;
                b[p] = gemm_conj(r < terms && mine ? x[r * args.incx] : make<T>(0), args.conj_x);
            }
#pragma unroll
            for (int u = 0; u < U; ++u)
#pragma unroll
                for (int p = 0; p < P; ++p) acc[u] = fma_(gemm_conj(a[u][p], args.conj_a), b[p], acc[u]);
        }
#pragma unroll
        for (int u = 0; u < U; ++u) {
            const int j = first + across + u * args.across;
            const T whole = sum(acc[u], 1, args.down);
            if (down == 0 && j < columns) put(j, whole, scales);
        }
    }
};

// U: columns that a lane has on their way at a time.
template <typename T, int U, int THREADS>
__device__ __forceinline__ void gemv(const GemvArgs &args) {
    using Strip = GemvStrip<T, U>;
    const GemmScales<T> scales(args.factors);
    const int lanes = args.down * args.across, per_warp = 32 / lanes, lane = threadIdx.x % 32;
    const int within = lane % lanes, down = within % args.down, across = within / args.down;
    const long long jobs = args.strips * args.batch, step = static_cast<long long>(gridDim.x) * (THREADS / lanes);
    const int terms = scales.nothing() ? 0 : args.transposed ? args.m : args.n;
    const int each = args.transposed ? U * args.across : Strip::P * args.down; // rows or columns of a strip
    // Of the warp's first strip, so that all lanes take as many turns.
    long long turn = (static_cast<long long>(blockIdx.x) * (THREADS / 32) + threadIdx.x / 32) * per_warp;
    for (; turn < jobs; turn += step) {
        const int place = lane / lanes;
        const bool mine = turn + place < jobs;
        const long long job = mine ? turn + place : turn, i = args.strips == 1 ? job : job / args.strips;
        const int first = static_cast<int>(job - i * args.strips) * each;
        const T *const A = member<T>(args.a, i) + args.a0;
        const Strip strip = {args, A, member<T>(args.x, i) + args.x0, member<T>(args.y, i) + args.y0, down, across};
        // The same for all lanes of a warp, as they sum together.
        const bool packs = reinterpret_cast<unsigned long long>(A) % 16 == 0 && args.lda % Strip::P == 0;
        const bool pack = __all_sync(0xffffffffu, packs);
        if (args.transposed)
            pack ? strip.template columns<true>(first, terms, mine, scales)
                 : strip.template columns<false>(first, terms, mine, scales);
        else
            pack ? strip.template rows<true>(first, terms, mine, scales)
                 : strip.template rows<false>(first, terms, mine, scales);
    }
}

} // namespace tephra

// Columns: those that a lane has on their way.
#define TEPHRA_GEMV(NAME, T, U, THREADS)                                                                               \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(16 / sizeof(letter::T), U), __launch_bounds__(THREADS), GemvArgs,       \
                 gemv<letter::T, U, THREADS>)
