// Cholesky factorisation of a matrix in shared memory, with one or a few rows per thread, and solution of systems with
// it: for orders whose rows fit in one or two warps.
//
// Left-looking, a panel of NB columns at a time. A thread has its rows of the panel in registers, and updates them with
// earlier panels: of those it reads its own rows, and the rows of the panel's diagonal block, which all threads read
// from the same address. Then each thread factors the diagonal block itself and solves for its rows in the same steps,
// so that nothing is exchanged between columns. An upper triangle is the lower one of conj(A) with strides exchanged,
// whose factor is U^T. Right-hand sides are further rows, B^H or B^T, for which the same steps are forward
// substitution.
#pragma once
#include "../common/chunk.cuh"
#include "../common/instance.cuh"
#include "../getrf/lanes.cuh"
#include "args.cuh"
#include "root.cuh"

namespace tephra {

// Orders up to N, W warps per matrix; SIDES: most right-hand sides.
template <typename T, int N, int W, int NB, int SIDES = 0>
struct CholeskyRows {
    using R = Real<T>;
    using Line = Chunk<T>;
    static constexpr int threads = 32 * W, panels = N / NB, V = Line::size;
    static constexpr int slots = (N + SIDES + threads - 1) / threads; // rows of a thread
    // Panels are stored from their own rows on. The first panel shares its columns' space with the last, the second
    // with the last but one, and so on, so that all columns have the same length. That is an odd number of lines, so
    // that elements of a row, and lines of adjacent columns, fall in different banks.
    static constexpr int room = (SIDES + V - 1) / V * V, ld = (N + NB + 2 * room) / V / 2 * 2 * V + V;
    static constexpr int bytes =
        (panels / 2 * NB * ld + NB * NB) * static_cast<int>(sizeof(T)) + (SIDES > 0 ? N : 0) * int(sizeof(R));
    static_assert(N % (2 * NB) == 0 && NB % V == 0 && 32 % NB == 0, "whole panels, in pairs");
    static_assert(ld >= N + NB + 2 * room, "place for two panels");

    T *const block;            // the diagonal block of the current panel
    T *const shared;           // panels
    R *const inverse;          // of the factor's diagonal, if there are right-hand sides
    const int n, height, rows; // order; order in whole panels; the same and the right-hand sides
    int info = 0;

    __device__ __forceinline__ CholeskyRows(unsigned char *memory, int n_, int sides)
        : block(reinterpret_cast<T *>(memory)), shared(block + NB * NB),
          inverse(reinterpret_cast<R *>(shared + panels / 2 * NB * ld)), n(n_), height((n_ + NB - 1) / NB * NB),
          rows(height + sides) {}

    static __device__ __forceinline__ void meet() {
        if constexpr (W > 1)
            __syncthreads();
        else
            __syncwarp();
    }

    // Reads a lower triangle of order NB from shared memory, in all lanes.
    static __device__ __forceinline__ void read_block(T (&d)[NB][NB], const T *from, int apart) {
#pragma unroll
        for (int j = 0; j < NB; ++j)
#pragma unroll
            for (int v = j / V * V; v < NB; v += V) {
                // Otherwise the compiler would read each element where it is needed, and wait for it.
                const Line line = read_again(from + v + j * apart);
#pragma unroll
                for (int e = 0; e < V; ++e) d[v + e][j] = line.e[e];
            }
    }

    // Element (NB p, NB p), the first of panel p.
    __device__ __forceinline__ T *panel(int p) const {
        const bool above = p < panels / 2;
        const int q = above ? p : panels - 1 - p;
        return shared + q * (NB * ld) + (above ? 0 : N - NB * q + room);
    }
    __device__ __forceinline__ T *element(int i, int j) const {
        const int p = j / NB;
        return panel(p) + (i - NB * p) + (j - NB * p) * ld;
    }

    // This thread's part of panel p, of S rows per thread, such that adjacent lanes have elements adjacent in memory.
    // Of a lower triangle a thread has whole rows of the panel; of an upper one, the NB elements of each row are spread
    // over adjacent lanes. Beyond the matrix it is the identity.
    template <bool UPPER, int S>
    static __device__ __forceinline__ int row(int s, int j) {
        return UPPER ? static_cast<int>(threadIdx.x) / NB + (s * NB + j) * (threads / NB)
                     : static_cast<int>(threadIdx.x) + s * threads;
    }
    template <bool UPPER>
    static __device__ __forceinline__ int column(int j) {
        return UPPER ? static_cast<int>(threadIdx.x) % NB : j;
    }
    // Whether the rows of all lanes are below the panel's diagonal block.
    template <bool UPPER>
    static __host__ __device__ constexpr bool always_below(int s, int j) {
        return UPPER ? (s * NB + j) * (threads / NB) >= NB : s > 0;
    }
    template <bool UPPER, int S>
    __device__ __forceinline__ void fetch(T (&x)[slots][NB], int p, const T *A, long long lda) const {
        const int left = n - NB * p;
        const T *from = global(A) + NB * p * (lda + 1);
        const long long apart = UPPER ? threads / NB * lda : lda;
        from += UPPER ? column<UPPER>(0) + row<UPPER, S>(0, 0) * lda : static_cast<long long>(threadIdx.x);
#pragma unroll
        for (int s = 0; s < S; ++s)
#pragma unroll
            for (int j = 0; j < NB; ++j) {
                const int i = row<UPPER, S>(s, j);
                const T *const place = UPPER ? from + (s * NB + j) * apart : from + j * apart + s * threads;
                const bool below = always_below<UPPER>(s, j);
                x[s][j] = make<T>(!below && i == column<UPPER>(j) && i >= left ? 1 : 0);
                if (i < left && (below || i >= column<UPPER>(j))) x[s][j] = *place;
            }
    }
    // Puts what was fetched of an upper triangle in its place.
    template <int S>
    __device__ __forceinline__ void put(const T (&x)[slots][NB], int p) const {
        T *const P = panel(p) + column<true>(0) * ld;
        const int left = height - NB * p;
#pragma unroll
        for (int s = 0; s < S; ++s)
#pragma unroll
            for (int j = 0; j < NB; ++j) {
                const int i = row<true, S>(s, j);
                if (i < left) P[i] = x[s][j];
            }
    }
    // Updates this thread's rows with earlier panels. If there are few rows, the lanes of the first warp form G groups,
    // each of which has all rows and every G-th panel.
    template <int G, int S>
    __device__ __forceinline__ void take_out(T (&x)[slots][NB], const int (&at)[S], int p, int count) const {
        constexpr int lanes = 32 / G;
        int row[S];
#pragma unroll
        for (int s = 0; s < S; ++s) row[s] = at[s];
        const int group = G > 1 ? static_cast<int>(threadIdx.x) % 32 / lanes : 0;
        if constexpr (G > 1) {
            if (threadIdx.x >= 32) return;
            row[0] = threadIdx.x % lanes;
            if (row[0] >= count) row[0] = count - 1;
#pragma unroll
            for (int j = 0; j < NB; ++j) x[0][j] = choose(group == 0, x[0][j], make<T>(0));
        }
#pragma unroll 1
        for (int from = 0; from < p; from += G) {
            const bool there = G == 1 || from + group < p;
            const int q = there ? from + group : 0;
            const T *const L = panel(q) + NB * (p - q);
#pragma unroll
            for (int k = 0; k < NB; ++k) {
                T a[S];
#pragma unroll
                for (int s = 0; s < S; ++s) a[s] = there ? L[row[s] + k * ld] : make<T>(0);
#pragma unroll
                for (int v = 0; v < NB; v += V) {
                    const Line y = *reinterpret_cast<const Line *>(L + v + k * ld);
#pragma unroll
                    for (int e = 0; e < V; ++e)
#pragma unroll
                        for (int s = 0; s < S; ++s) x[s][v + e] = fnma_(a[s], conj(y.e[e]), x[s][v + e]);
                }
            }
        }
        if constexpr (G > 1) {
#pragma unroll
            for (int other = lanes; other < 32; other *= 2)
#pragma unroll
                for (int j = 0; j < NB; ++j) x[0][j] = add(x[0][j], shfl_xor(x[0][j], other));
        }
    }
    // Factors panel p, and fetches the next one. This thread's rows of it are in x; of an upper triangle, all rows are
    // in shared memory.
    template <bool UPPER, int S>
    __device__ __forceinline__ void step(T (&x)[slots][NB], int p, T *A, long long lda) {
        T *const P = panel(p);
        const int first = NB * p, count = rows - first, thread = threadIdx.x;
        const bool last = thread + threads * (S - 1) < count; // whether this thread has a row in its last slot
        const bool more = first + NB < height;
        int at[S];
#pragma unroll
        for (int s = 0; s < S; ++s) {
            at[s] = thread + threads * s;
            if (s == S - 1 && !last) at[s] = count - 1;
            if (UPPER || (SIDES > 0 && at[s] >= height - first)) {
#pragma unroll
                for (int j = 0; j < NB; ++j) x[s][j] = P[at[s] + j * ld];
            }
        }
        T next[slots][NB];
        if (more) fetch<UPPER, S>(next, p + 1, A, lda);
        if (S == 1 && count <= 8)
            take_out<4>(x, at, p, count);
        else if (S == 1 && count <= 16)
            take_out<2>(x, at, p, count);
        else if (thread / 32 * 32 < count)
            take_out<1>(x, at, p, count);
        if (thread < NB) {
#pragma unroll
            for (int j = 0; j < NB; ++j) block[thread + j * NB] = x[0][j];
        }
        meet();
        T d[NB][NB];
        read_block(d, block, NB);
        unsigned bad = 0;         // bit mask of bad pivots
        R own = 0, own_scale = 0; // of this thread's row
#pragma unroll
        for (int k = 0; k < NB; ++k) {
            // The column of a bad pivot becomes zero.
            const R pivot = re(d[k][k]);
            bad |= (pivot > 0 ? 0u : 1u) << k;
            const bool good = pivot > 0 && pivot < R(HUGE_VAL);
            const R scaled = choose(good, finite_inverse_root(pivot), R(0));
            own = choose(thread == k, pivot, own), own_scale = choose(thread == k, scaled, own_scale);
            if constexpr (SIDES > 0) {
                if (thread == 0) inverse[first + k] = scaled;
            }
#pragma unroll
            for (int i = k + 1; i < NB; ++i) d[i][k] = scale(d[i][k], scaled);
#pragma unroll
            for (int s = 0; s < S; ++s) x[s][k] = scale(x[s][k], scaled);
#pragma unroll
            for (int j = k + 1; j < NB; ++j) {
                const T y = conj(d[j][k]);
#pragma unroll
                for (int i = j; i < NB; ++i) d[i][j] = fnma_(d[i][k], y, d[i][j]);
#pragma unroll
                for (int s = 0; s < S; ++s) x[s][j] = fnma_(x[s][k], y, x[s][j]);
            }
        }
        if (bad && info == 0) info = first + __ffs(static_cast<int>(bad));
#pragma unroll
        for (int s = 0; s < S; ++s)
#pragma unroll
            for (int j = 0; j < NB; ++j)
                if (s < S - 1 || last) P[at[s] + j * ld] = x[s][j];
        const T root = make<T>(own_scale > 0 ? root_from_inverse(own, own_scale) : own);
        if (thread < NB) P[thread + thread * ld] = root;
        T *const to = global(A) + first * (lda + 1);
        const int left = n - first;
        if (!UPPER) {
#pragma unroll
            for (int s = 0; s < S; ++s)
#pragma unroll
                for (int j = 0; j < NB; ++j) {
                    T *const place = to + thread + j * lda + s * threads;
                    if (thread + s * threads < left && (always_below<UPPER>(s, j) || thread > j)) *place = x[s][j];
                }
            if (thread < NB && thread < left) to[thread + thread * lda] = root;
        }
        if (more) {
            if (UPPER) put<S>(next, p + 1);
#pragma unroll
            for (int s = 0; s < S; ++s)
#pragma unroll
                for (int j = 0; j < NB; ++j) x[s][j] = next[s][j];
        }
        meet();
        if (UPPER) {
            const T *const from = P + column<true>(0) * ld;
            T *const start = to + column<true>(0) + row<true, S>(0, 0) * lda;
#pragma unroll
            for (int s = 0; s < S; ++s)
#pragma unroll
                for (int j = 0; j < NB; ++j) {
                    const int i = row<true, S>(s, j);
                    T *const place = start + (s * NB + j) * (threads / NB * lda);
                    if (i < left && (always_below<true>(s, j) || i >= column<true>(0))) *place = from[i];
                }
        }
    }
    // The panels that need S rows per thread, then those that need fewer.
    template <bool UPPER, int S>
    __device__ __forceinline__ void steps(T (&x)[slots][NB], int p, T *A, long long lda) {
#pragma unroll 1
        for (; NB * p < height && rows - NB * p > threads * (S - 1); ++p) step<UPPER, S>(x, p, A, lda);
        if constexpr (S > 1) steps<UPPER, S - 1>(x, p, A, lda);
    }
    template <bool UPPER>
    __device__ __forceinline__ void factor(T *A, long long lda) {
        T x[slots][NB];
        fetch<UPPER, slots>(x, 0, A, lda);
        if (UPPER) put<slots>(x, 0);
        if (UPPER || SIDES > 0) meet();
        steps<UPPER, slots>(x, 0, A, lda);
    }
    // Factors A in place, with the right-hand sides in shared memory.
    __device__ __forceinline__ void factor(T *A, long long lda, bool upper) {
        if (upper)
            factor<true>(A, lda);
        else
            factor<false>(A, lda);
    }

    __device__ __forceinline__ void load_sides(const T *B, long long ldb, int count, bool upper) {
        for (int side = 0; side < count; ++side)
            for (int j = threadIdx.x; j < height; j += threads) {
                const T b = j < n ? B[j + side * ldb] : make<T>(0);
                *element(height + side, j) = upper ? b : conj(b);
            }
    }
    // Multiplies the right-hand sides by the inverse of the factor's adjoint, and stores them to B: one warp per side.
    __device__ __forceinline__ void substitute_back(T *B, long long ldb, int count, bool upper) {
        constexpr int S = (N + 31) / 32, blocks = 32 / NB;
        const int lane = threadIdx.x % 32;
#pragma unroll 1
        for (int side = threadIdx.x / 32; side < count; side += W) {
            T x[S];
            const T *column[S]; // address of its row 0, if that were stored
#pragma unroll
            for (int s = 0; s < S; ++s) {
                const int j = lane + 32 * s, q = j / NB;
                x[s] = j < height ? *element(height + side, j) : make<T>(0);
                column[s] = panel(q) - NB * q + j % NB * ld;
            }
#pragma unroll
            for (int s = S - 1; s >= 0; --s)
#pragma unroll 1
                for (int b = blocks - 1; b >= 0; --b) {
                    const int first = 32 * s + NB * b;
                    if (first >= height) continue;
                    const T *const L = panel(first / NB);
                    T t[NB];
#pragma unroll
                    for (int j = 0; j < NB; ++j) t[j] = shfl(x[s], NB * b + j);
                    T d[NB][NB];
                    read_block(d, L, ld);
#pragma unroll
                    for (int k = NB - 1; k >= 0; --k) {
                        t[k] = scale(t[k], inverse[first + k]);
#pragma unroll
                        for (int j = 0; j < k; ++j) t[j] = fnma_(t[k], d[k][j], t[j]);
                    }
#pragma unroll
                    for (int j = 0; j < NB; ++j) x[s] = choose(lane == NB * b + j, t[j], x[s]);
#pragma unroll
                    for (int o = 0; o <= s; ++o)
                        if (lane + 32 * o < first) {
#pragma unroll
                            for (int v = 0; v < NB; v += V) {
                                const Line line = *reinterpret_cast<const Line *>(column[o] + first + v);
#pragma unroll
                                for (int e = 0; e < V; ++e) x[o] = fnma_(t[v + e], line.e[e], x[o]);
                            }
                        }
                }
#pragma unroll
            for (int s = 0; s < S; ++s)
                if (lane + 32 * s < n) B[lane + 32 * s + side * ldb] = upper ? x[s] : conj(x[s]);
        }
    }
};

// Source: LAPACK potrf.
template <typename T, int N, int W, int NB, typename Args>
__device__ __forceinline__ void potrf_rows(const Args &launch) {
    TEPHRA_DYNAMIC_SHARED(memory);
    const long long i = blockIdx.x;
    const auto &args = launch.of(i);
    if (args.idle()) return;
    T *const A = member<T>(args.a, i) + args.at * (args.lda + 1);
    CholeskyRows<T, N, W, NB> k(memory, args.n, 0);
    k.factor(A, args.lda, args.upper);
    if (threadIdx.x == 0) args.set_info(i, k.info);
}

// A = L L^H and B := A^-1 B. Source: LAPACK posv.
template <typename T, int N, int W, int NB, int SIDES>
__device__ __forceinline__ void posv_rows(const CholeskyArgs &args) {
    TEPHRA_DYNAMIC_SHARED(memory);
    const long long i = blockIdx.x;
    T *const A = member<T>(args.a, i), *const B = member<T>(args.b, i);
    CholeskyRows<T, N, W, NB, SIDES> k(memory, args.n, args.nrhs);
    k.load_sides(B, args.ldb, args.nrhs, args.upper);
    k.factor(A, args.lda, args.upper);
    if (threadIdx.x == 0) args.set_info(i, k.info);
    if (k.info == 0) k.substitute_back(B, args.ldb, args.nrhs, args.upper);
}

} // namespace tephra

#define TEPHRA_POTRF_ROWS_OF(NAME, ARGS, T, N, W, NB, MIN_BLOCKS)                                                      \
    TEPHRA_ENTRY(NAME, (Instance(32 * W).holds(N, N).by_warps(W).needs(CholeskyRows<letter::T, N, W, NB>::bytes)),     \
                 __launch_bounds__(32 * W, MIN_BLOCKS), ARGS, potrf_rows<letter::T, N, W, NB>)
#define TEPHRA_POTRF_ROWS(NAME, ...) TEPHRA_POTRF_ROWS_OF(NAME, CholeskyArgs, __VA_ARGS__)
#define TEPHRA_POTRF_ROWS_EACH(NAME, ...) TEPHRA_POTRF_ROWS_OF(NAME, CholeskyEachArgs, __VA_ARGS__)
#define TEPHRA_POSV_ROWS(NAME, T, N, W, NB, SIDES, MIN_BLOCKS)                                                         \
    TEPHRA_ENTRY(                                                                                                      \
        NAME, (Instance(32 * W).holds(N, SIDES).by_warps(W).needs(CholeskyRows<letter::T, N, W, NB, SIDES>::bytes)),   \
        __launch_bounds__(32 * W, MIN_BLOCKS), CholeskyArgs, posv_rows<letter::T, N, W, NB, SIDES>)
