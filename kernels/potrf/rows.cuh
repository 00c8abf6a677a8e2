// Cholesky factorisation of a matrix in shared memory, a row a thread, and systems of equations with it: for orders of
// which one or two warps take all rows at once.
//
// Left-looking, a panel of NB columns at a time. A thread has its rows of the panel in registers and takes out what
// earlier panels do to them: of those it reads its own rows, and the rows of the panel's block on the diagonal, which
// all threads read from the same address. Then each thread factors that block for itself and solves for its rows in the
// same steps, so that nothing is exchanged from one column to the next. An upper triangle is, with strides exchanged,
// the lower one of conj(A), whose factor is U^T. Right-hand sides are further rows, B^H or B^T: what is done to those
// is their forward substitution.
#pragma once
#include "../common/async.cuh"
#include "../common/chunk.cuh"
#include "../common/instance.cuh"
#include "../getrf/lanes.cuh"
#include "args.cuh"
#include "root.cuh"

namespace tephra {

// Orders up to N, W warps a matrix; SIDES: right-hand sides at most.
template <typename T, int N, int W, int NB, int SIDES = 0>
struct CholeskyRows {
    using R = Real<T>;
    using Line = Chunk<T>;
    static constexpr int threads = 32 * W, panels = N / NB, V = Line::size;
    static constexpr int slots = (N + SIDES + threads - 1) / threads; // rows of a thread
    // Panels are stored from their own rows on, the first above the last, and so on: all columns are as long. An odd
    // number of lines apart, elements of a row and lines of neighbouring columns are in different banks.
    static constexpr int room = (SIDES + V - 1) / V * V, ld = (N + NB + 2 * room) / V / 2 * 2 * V + V;
    static constexpr int bytes =
        (panels / 2 * NB * ld + NB * NB) * static_cast<int>(sizeof(T)) + (SIDES > 0 ? N : 0) * int(sizeof(R));
    static_assert(N % (2 * NB) == 0 && NB % V == 0 && 32 % NB == 0, "whole panels, in pairs");
    static_assert(ld >= N + NB + 2 * room, "place for two panels");

    T *const block;  // the diagonal's, of this panel
    T *const shared; // panels
    R *const inverse; // of the factor's diagonal, where there are right-hand sides
    const int n, height, rows; // the matrix' order, in whole panels, and with the right-hand sides
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

    // Row NB p of panel p's first column.
    __device__ __forceinline__ T *panel(int p) const {
        const bool above = p < panels / 2;
        const int q = above ? p : panels - 1 - p;
        return shared + q * (NB * ld) + (above ? 0 : N - NB * q + room);
    }
    __device__ __forceinline__ T *element(int i, int j) const {
        const int p = j / NB;
        return panel(p) + (i - NB * p) + (j - NB * p) * ld;
    }

    // Panel p on its way. Rows from n on are zero.
    __device__ __forceinline__ void load(int p, const T *A, long long lda, bool upper) {
        T *const P = panel(p);
        const int first = NB * p, lane = threadIdx.x % 32, w = threadIdx.x / 32;
        A += first * (lda + 1);
        if (upper) {
            // NB elements of 32 / NB rows of L, which are columns of U.
            const int j = lane % NB;
            int i = lane / NB + w * (32 / NB);
            const T *from = A + j + i * lda;
#pragma unroll 4
            for (; i < height - first; i += threads / NB, from += threads / NB * lda) {
                const bool there = first + i < n;
                if (i >= j || !there) copy_async<sizeof(T)>(P + i + j * ld, there ? from : A, there);
            }
        } else {
#pragma unroll
            for (int j = 0; j < NB; j += W) {
                const int c = j + w;
                if (NB % W == 0 || c < NB)
                    for (int i = lane; i < height - first; i += 32) {
                        const bool there = first + i < n && first + c < n;
                        if (i >= c || !there) copy_async<sizeof(T)>(P + i + c * ld, there ? A + i + c * lda : A, there);
                    }
            }
        }
    }
    // The first panel is one group of copies, the others are the next.
    __device__ __forceinline__ void load(const T *A, long long lda, bool upper) {
        load(0, A, lda, upper);
        copies_sent();
#pragma unroll 1
        for (int p = 1; p < height / NB; ++p) load(p, A, lda, upper);
        copies_sent();
    }
    __device__ __forceinline__ void load_sides(const T *B, long long ldb, int count, bool upper) {
        for (int side = 0; side < count; ++side)
            for (int j = threadIdx.x; j < height; j += threads) {
                const T b = j < n ? B[j + side * ldb] : make<T>(0);
                *element(height + side, j) = upper ? b : conj(b);
            }
    }

    // All of panel p, of which a thread has S rows.
    template <int S>
    __device__ __forceinline__ void step(int p, T *A, long long lda, bool upper) {
        T *const P = panel(p);
        const int first = NB * p, count = rows - first, thread = threadIdx.x;
        const bool last = thread + threads * (S - 1) < count; // whether there is a row in the last place
        int at[S];
        T x[S][NB];
#pragma unroll
        for (int s = 0; s < S; ++s) {
            at[s] = thread + threads * s;
            if (s == S - 1 && !last) at[s] = count - 1;
#pragma unroll
            for (int j = 0; j < NB; ++j) x[s][j] = P[at[s] + j * ld];
        }
#pragma unroll 1
        for (int q = 0; q < p; ++q) {
            const T *const L = panel(q) + NB * (p - q);
#pragma unroll
            for (int k = 0; k < NB; ++k) {
                T a[S];
#pragma unroll
                for (int s = 0; s < S; ++s) a[s] = L[at[s] + k * ld];
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
        if (thread < NB) {
#pragma unroll
            for (int j = 0; j < NB; ++j) block[thread + j * NB] = x[0][j];
        }
        meet();
        T d[NB][NB];
#pragma unroll
        for (int j = 0; j < NB; ++j)
#pragma unroll
            for (int v = j / V * V; v < NB; v += V) {
                const Line line = *reinterpret_cast<const Line *>(block + v + j * NB);
#pragma unroll
                for (int e = 0; e < V; ++e) d[v + e][j] = line.e[e];
            }
#pragma unroll
        for (int k = 0; k < NB; ++k) {
            // Beyond the matrix, and behind a bad pivot, columns become zero.
            const R pivot = re(d[k][k]);
            const bool there = first + k < n;
            if (!(pivot > 0) && info == 0 && there) info = first + k + 1;
            const bool good = info == 0 && there;
            const R scaled = choose(good, inverse_root(pivot), R(0));
            const R root = choose(good, root_from_inverse(pivot, scaled), pivot);
            if constexpr (SIDES > 0) {
                if (thread == 0) inverse[first + k] = scaled;
            }
#pragma unroll
            for (int i = k + 1; i < NB; ++i) d[i][k] = scale(d[i][k], scaled);
#pragma unroll
            for (int s = 0; s < S; ++s) x[s][k] = scale(x[s][k], scaled);
            x[0][k] = choose(thread == k, make<T>(root), x[0][k]);
#pragma unroll
            for (int j = k + 1; j < NB; ++j) {
                const T y = conj(d[j][k]);
#pragma unroll
                for (int i = j; i < NB; ++i) d[i][j] = fnma_(d[i][k], y, d[i][j]);
#pragma unroll
                for (int s = 0; s < S; ++s) x[s][j] = fnma_(x[s][k], y, x[s][j]);
            }
        }
#pragma unroll
        for (int s = 0; s < S; ++s)
#pragma unroll
            for (int j = 0; j < NB; ++j)
                if (s < S - 1 || last) P[at[s] + j * ld] = x[s][j];
        A += first * (lda + 1);
        if (!upper) {
#pragma unroll
            for (int j = 0; j < NB; ++j)
#pragma unroll
                for (int s = 0; s < S; ++s) {
                    const bool below = first + j < n && first + thread + threads * s < n;
                    if (below && (s > 0 || thread >= j)) A[thread + threads * s + j * lda] = x[s][j];
                }
        }
        if (p == 0) copies_done_but<0>();
        meet();
        if (upper) {
            const int lane = threadIdx.x % 32, j = lane % NB;
            int i = lane / NB + threadIdx.x / 32 * (32 / NB);
            T *to = A + j + i * lda;
#pragma unroll 4
            for (; i < n - first; i += threads / NB, to += threads / NB * lda)
                if (i >= j) *to = P[i + j * ld];
        }
    }
    // As many places for rows as there are rows.
    template <int S = slots>
    __device__ __forceinline__ void steps(int p, T *A, long long lda, bool upper) {
        if constexpr (S > 1) {
            if (rows - NB * p <= threads * (S - 1)) return steps<S - 1>(p, A, lda, upper);
        }
        step<S>(p, A, lda, upper);
    }
    // The factor, which is written to A. What is to be loaded is on its way.
    __device__ __forceinline__ void factor(T *A, long long lda, bool upper) {
        copies_done_but<1>();
        meet();
#pragma unroll 1
        for (int p = 0; p < height / NB; ++p) steps(p, A, lda, upper);
    }

    // The right-hand sides times the inverse of the factor's adjoint, to B: a warp a side.
    __device__ __forceinline__ void substitute_back(T *B, long long ldb, int count, bool upper) {
        constexpr int S = (N + 31) / 32, blocks = 32 / NB;
        const int lane = threadIdx.x % 32;
#pragma unroll 1
        for (int side = threadIdx.x / 32; side < count; side += W) {
            T x[S];
            const T *column[S]; // where its row 0 would be
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
#pragma unroll
                    for (int j = 0; j < NB; ++j)
#pragma unroll
                        for (int v = j / V * V; v < NB; v += V) {
                            const Line line = *reinterpret_cast<const Line *>(L + v + j * ld);
#pragma unroll
                            for (int e = 0; e < V; ++e) d[v + e][j] = line.e[e];
                        }
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

#ifdef __CUDACC__
#define TEPHRA_ROWS_MEMORY extern __shared__ __align__(16) unsigned char memory[]
#else
#define TEPHRA_ROWS_MEMORY unsigned char *const memory = host::dynamic_shared()
#endif

// Source: LAPACK potrf.
template <typename T, int N, int W, int NB>
__device__ __forceinline__ void potrf_rows(const CholeskyArgs &args) {
    TEPHRA_ROWS_MEMORY;
    const long long i = blockIdx.x;
    T *const A = member<T>(args.a, i) + args.at * (args.lda + 1);
    CholeskyRows<T, N, W, NB> k(memory, args.n, 0);
    k.load(A, args.lda, args.upper);
    k.factor(A, args.lda, args.upper);
    if (threadIdx.x == 0) args.set_info(i, k.info);
}

// A = L L^H and B := A^-1 B. Source: LAPACK posv.
template <typename T, int N, int W, int NB, int SIDES>
__device__ __forceinline__ void posv_rows(const CholeskyArgs &args) {
    TEPHRA_ROWS_MEMORY;
    const long long i = blockIdx.x;
    T *const A = member<T>(args.a, i), *const B = member<T>(args.b, i);
    CholeskyRows<T, N, W, NB, SIDES> k(memory, args.n, args.nrhs);
    k.load(A, args.lda, args.upper);
    k.load_sides(B, args.ldb, args.nrhs, args.upper);
    k.factor(A, args.lda, args.upper);
    if (threadIdx.x == 0) args.set_info(i, k.info);
    if (k.info == 0) k.substitute_back(B, args.ldb, args.nrhs, args.upper);
}

} // namespace tephra

#define TEPHRA_POTRF_ROWS(NAME, T, N, W, NB, MIN_BLOCKS)                                                               \
    TEPHRA_ENTRY(NAME, (Instance(32 * W).holds(N, N).by_warps(W).needs(CholeskyRows<letter::T, N, W, NB>::bytes)),     \
                 __launch_bounds__(32 * W, MIN_BLOCKS), CholeskyArgs, potrf_rows<letter::T, N, W, NB>)
#define TEPHRA_POSV_ROWS(NAME, T, N, W, NB, SIDES, MIN_BLOCKS)                                                         \
    TEPHRA_ENTRY(NAME,                                                                                                 \
                 (Instance(32 * W).holds(N, SIDES).by_warps(W).needs(                                                  \
                     CholeskyRows<letter::T, N, W, NB, SIDES>::bytes)),                                                \
                 __launch_bounds__(32 * W, MIN_BLOCKS), CholeskyArgs, posv_rows<letter::T, N, W, NB, SIDES>)
