// A factored block in shared memory, with V below the diagonal: applies its reflectors H = I - V T V^H to [C; 0].
//
//   H [C; 0] = [C; 0] - V M,  M = T V1^H C,  V1: the first n rows of V
//
// M is computed by substitution from the Gram matrix G = V^H V, since T^-1 is G's strict upper triangle with 1 / tau on
// the diagonal: m_i = tau_i (w_i - sum over l > i of g_il m_l), W = V1^H C. A zero tau needs no special treatment.
#pragma once
#include "../arch/arch.cuh"
#include "../common/chunk.cuh"
#include "../common/instance.cuh"
#include "args.cuh"

namespace tephra {

template <typename T_, int N_, int THREADS>
struct TsqrBlock {
    using T = T_;
    using R = Real<T>;
    static constexpr int N = N_, W = THREADS / 32;
    static constexpr int E = 16 / sizeof(T);          // elements of a chunk
    static constexpr int NP = N + E, square = N * NP; // rows of n x n matrices begin in different banks, too
    static constexpr int IN = N / 8, IL = N / 4;      // of a lane's tile of G: rows and columns
    static constexpr int buffers = W / 2 > 3 ? W / 2 : 3;
    static_assert(N % 16 == 0 && W >= 4 && (W & (W - 1)) == 0);

    // Whether a part of a lane's tile contains elements above G's diagonal in any lane.
    static __host__ __device__ constexpr bool needed(int a, int b) { return a * 8 <= b * 4 + 3; }
    // Padded so that columns of V begin in different banks.
    static __host__ __device__ constexpr int padded(int rows) {
        constexpr int line = 128 / sizeof(T);
        return (rows + line - 1) / line * line + E;
    }
    static __host__ __device__ constexpr size_t bytes(int rows) {
        return (static_cast<size_t>(buffers) * square + static_cast<size_t>(padded(rows)) * N + N) * sizeof(T);
    }

    T *const gram, *const c, *const product; // row by row; G, C, and W, which M overwrites
    T *const sums;                           // overlaps these, for the warps' parts of G
    T *const v, *const tau;
    const int n, rows, ld;

    __device__ __forceinline__ TsqrBlock(void *memory, int n_, int rows_)
        : gram(static_cast<T *>(memory)), c(gram + square), product(c + square), sums(gram), v(gram + buffers * square),
          tau(v + N * padded(rows_)), n(n_), rows(rows_), ld(padded(rows_)) {}

    // Loads V and tau, on all threads; ends with a barrier.
    __device__ __forceinline__ void load(const T *V, long long lda, const T *taus) {
        const int t = threadIdx.x, warp = t / 32, lane = t % 32;
        const int filled = (rows + E - 1) / E * E;
        const bool chunks = aligned<16>(V, lda);
        for (int j = warp; j < N; j += W) {
            const T *const p = V + j * lda;
            T *const to = v + j * ld;
            if (j >= n) {
                for (int r = lane; r < filled; r += 32) to[r] = make<T>(0);
            } else {
                const int whole = chunks ? rows / E * E : 0;
#pragma unroll 4
                for (int r = lane * E; r < whole; r += 32 * E) copy_async<16>(to + r, p + r, true);
#pragma unroll 4
                for (int r = whole + lane; r < rows; r += 32) to[r] = p[r];
                for (int r = rows + lane; r < filled; r += 32) to[r] = make<T>(0);
            }
        }
        if (t < N) tau[t] = t < n ? taus[t] : make<T>(0);
        copies_done();
        __syncthreads();
        for (int e = t; e < N * N; e += THREADS) {
            const int j = e / N, r = e % N;
            if (j < n && r <= j) v[j * ld + r] = make<T>(r == j ? 1 : 0);
        }
        __syncthreads();
    }

    // Forms G below the diagonal: g_il, i < l, in row l. Each warp sums some chunks of rows, and each lane a tile with
    // rows and columns of G far apart, so that lanes read from different banks; then the warps' sums are added
    // pairwise. Ends with a barrier.
    __device__ __forceinline__ void form_gram() {
        const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        T s[IN][IL];
#pragma unroll
        for (int a = 0; a < IN; ++a)
#pragma unroll
            for (int b = 0; b < IL; ++b) s[a][b] = make<T>(0);
        const T *const left = v + lane % 8 * ld, *const right = v + lane / 8 * ld;
#pragma unroll 1
        for (int r = warp * E; r < rows; r += W * E) {
            Chunk<T> x[IN];
#pragma unroll
            for (int a = 0; a < IN; ++a) x[a] = *reinterpret_cast<const Chunk<T> *>(left + a * 8 * ld + r);
#pragma unroll
            for (int b = 0; b < IL; ++b) {
                const Chunk<T> y = *reinterpret_cast<const Chunk<T> *>(right + b * 4 * ld + r);
#pragma unroll
                for (int a = 0; a < IN && needed(a, b); ++a)
#pragma unroll
                    for (int e = 0; e < E; ++e) s[a][b] = cfma_(x[a].e[e], y.e[e], s[a][b]);
            }
        }
        const auto at = [&](int w, int a, int b) -> T & {
            return sums[w * square + (lane / 8 + b * 4) * NP + lane % 8 + a * 8];
        };
#pragma unroll 1
        for (int half = W / 2; half >= 1; half /= 2) {
            if (warp >= half && warp < 2 * half) {
#pragma unroll
                for (int b = 0; b < IL; ++b)
#pragma unroll
                    for (int a = 0; a < IN && needed(a, b); ++a) at(warp - half, a, b) = s[a][b];
            }
            __syncthreads();
            if (warp < half) {
#pragma unroll
                for (int b = 0; b < IL; ++b)
#pragma unroll
                    for (int a = 0; a < IN && needed(a, b); ++a) s[a][b] = add(s[a][b], at(warp, a, b));
            }
            __syncthreads();
        }
        if (warp == 0) {
#pragma unroll
            for (int b = 0; b < IL; ++b)
#pragma unroll
                for (int a = 0; a < IN && needed(a, b); ++a) at(0, a, b) = s[a][b];
        }
        __syncthreads();
    }

    // Computes M from C and G; ends with a barrier.
    __device__ __forceinline__ void form_product() {
        const int t = threadIdx.x;
        constexpr int step = THREADS / N, each = N / step; // rows of W between two of a thread, in its column
        static_assert(THREADS % N == 0 && N % step == 0);
        const int i0 = t / N, j = t % N;
        T s[each];
#pragma unroll
        for (int q = 0; q < each; ++q) s[q] = make<T>(0);
#pragma unroll 4
        for (int r = 0; r < n; ++r) {
            const T x = c[r * NP + j];
#pragma unroll
            for (int q = 0; q < each; ++q) s[q] = cfma_(v[(i0 + q * step) * ld + r], x, s[q]);
        }
#pragma unroll
        for (int q = 0; q < each; ++q) product[(i0 + q * step) * NP + j] = s[q];
        __syncthreads();
        if (t < N) {
            T w[N];
#pragma unroll
            for (int i = 0; i < N; ++i) w[i] = product[i * NP + t];
#pragma unroll
            for (int l = N - 1; l >= 0; --l) {
                w[l] = mul(tau[l], w[l]);
                product[l * NP + t] = w[l];
#pragma unroll
                for (int i0 = 0; i0 < l; i0 += E) {
                    const Chunk<T> g = *reinterpret_cast<const Chunk<T> *>(gram + l * NP + i0);
#pragma unroll
                    for (int e = 0; e < E; ++e)
                        if (i0 + e < l) w[i0 + e] = fnma_(g.e[e], w[l], w[i0 + e]);
                }
            }
        }
        __syncthreads();
    }
};

} // namespace tephra
