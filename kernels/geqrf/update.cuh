// The blocked path's trailing update, fused: C := Q^H C for a panel of at most NB reflectors and NT columns of C.
//
//   W = V^H [C V];  X by forward substitution with the Gram matrix;  C -= V X
// The triangular factor T of the block reflector is not formed or stored: T^-1 is the Gram matrix's strict upper
// triangle with 1/tau on the diagonal (paper 001; LAPACK larft), so x_i = conj(tau_i) (w_i - sum_{j<i} g_ij x_j),
// which also holds for tau = 0. No workspace, one launch.
#pragma once
#include "../common/batch.cuh"
#include "../common/scalar.cuh"

namespace tephra {

template <typename T, int NB, int NT, int THREADS>
struct Update {
    static constexpr int KC = 32;           // rows of V and C in shared memory at a time
    static constexpr int COLS = NT + NB;    // columns of W: C's, then V's own (the Gram matrix)
    static constexpr int TI = 4;            // rows of W per thread
    static constexpr int GI = NB / TI;      // threads along W's rows
    static constexpr int GJ = THREADS / GI; // and along its columns
    static constexpr int TJ = COLS / GJ;    // columns of W per thread
    static constexpr int PI = 4;            // rows of C per thread, when C -= V X
    static constexpr int HI = KC / PI, HJ = THREADS / HI, PJ = NT / HJ;
    static_assert(GI * TI == NB && GJ * TJ == COLS && HI * PI == KC && HJ * PJ == NT && NT <= THREADS);

    T v[KC][NB + 1];
    T c[KC][COLS + 1];
    T w[NB][COLS + 1];
    T tau[NB];

    // Rows first.. of V: zero above the diagonal, one on it.
    __device__ __forceinline__ void load_v(const T *V, long long lda, long long first, long long m, int k) {
        for (int e = threadIdx.x; e < KC * NB; e += THREADS) {
            const int r = e % KC, j = e / KC;
            const long long i = first + r;
            T x = make<T>(0);
            if (j < k && i < m && i >= j) x = i == j ? make<T>(1) : V[j * lda + i];
            v[r][j] = x;
        }
    }

    __device__ __forceinline__ void run(const GeqrfArgs &args, T *A, const T *tau_, long long tile) {
        const long long lda = args.lda, m = args.m;
        const int k = static_cast<int>(args.k);
        const T *V = A + args.col0 * lda + args.row0;
        T *C = A + (args.col0 + k + tile * NT) * lda + args.row0;
        const long long left = args.n - k - tile * NT;
        const int cols = static_cast<int>(left < NT ? left : NT);
        const int t = threadIdx.x;
        if (t < NB) tau[t] = t < k ? conj(tau_[args.col0 + t]) : make<T>(0);

        // W = V^H [C V]
        const int gi = t / GJ, gj = t % GJ;
        T acc[TI][TJ];
#pragma unroll
        for (int i = 0; i < TI; ++i)
#pragma unroll
            for (int j = 0; j < TJ; ++j) acc[i][j] = make<T>(0);
        for (long long first = 0; first < m; first += KC) {
            __syncthreads();
            load_v(V, lda, first, m, k);
            for (int e = t; e < KC * NT; e += THREADS) {
                const int r = e % KC, j = e / KC;
                c[r][j] = first + r < m && j < cols ? C[j * lda + first + r] : make<T>(0);
            }
            __syncthreads();
#pragma unroll 4
            for (int r = 0; r < KC; ++r) {
                T x[TI];
#pragma unroll
                for (int i = 0; i < TI; ++i) x[i] = v[r][gi + GI * i];
#pragma unroll
                for (int j = 0; j < TJ; ++j) {
                    const int col = gj + GJ * j;
                    const T y = col < NT ? c[r][col] : v[r][col - NT];
#pragma unroll
                    for (int i = 0; i < TI; ++i) acc[i][j] = cfma_(x[i], y, acc[i][j]);
                }
            }
        }
#pragma unroll
        for (int i = 0; i < TI; ++i)
#pragma unroll
            for (int j = 0; j < TJ; ++j) w[gi + GI * i][gj + GJ * j] = acc[i][j];
        __syncthreads();

        // X, a column per thread, in place of W
        if (t < NT) {
            T x[NB];
#pragma unroll
            for (int i = 0; i < NB; ++i) x[i] = w[i][t];
#pragma unroll
            for (int i = 0; i < NB; ++i) {
                x[i] = mul(tau[i], x[i]);
#pragma unroll
                for (int l = i + 1; l < NB; ++l) x[l] = fnma_(w[l][NT + i], x[i], x[l]);
            }
#pragma unroll
            for (int i = 0; i < NB; ++i) w[i][t] = x[i];
        }

        // C -= V X
        const int hi = t % HI, hj = t / HI;
        for (long long first = 0; first < m; first += KC) {
            __syncthreads();
            load_v(V, lda, first, m, k);
            __syncthreads();
            T d[PI][PJ];
#pragma unroll
            for (int i = 0; i < PI; ++i)
#pragma unroll
                for (int j = 0; j < PJ; ++j) {
                    const long long r = first + hi + HI * i;
                    const int col = hj + HJ * j;
                    d[i][j] = r < m && col < cols ? C[col * lda + r] : make<T>(0);
                }
#pragma unroll 4
            for (int s = 0; s < NB; ++s) {
                T x[PI];
#pragma unroll
                for (int i = 0; i < PI; ++i) x[i] = v[hi + HI * i][s];
#pragma unroll
                for (int j = 0; j < PJ; ++j) {
                    const T y = w[s][hj + HJ * j];
#pragma unroll
                    for (int i = 0; i < PI; ++i) d[i][j] = fnma_(x[i], y, d[i][j]);
                }
            }
#pragma unroll
            for (int i = 0; i < PI; ++i)
#pragma unroll
                for (int j = 0; j < PJ; ++j) {
                    const long long r = first + hi + HI * i;
                    const int col = hj + HJ * j;
                    if (r < m && col < cols) C[col * lda + r] = d[i][j];
                }
        }
    }
};

template <typename T, int NB, int NT, int THREADS>
__device__ __forceinline__ void geqrf_update(const GeqrfArgs &args) {
    using K = Update<T, NB, NT, THREADS>;
    extern __shared__ __align__(16) unsigned char raw[];
    K &k = *reinterpret_cast<K *>(raw);
    const long long all = args.batch * args.tiles;
    for (long long job = blockIdx.x; job < all; job += gridDim.x) {
        const long long i = job / args.tiles;
        k.run(args, member<T>(args.a, i), member<T>(args.tau, i), job % args.tiles);
        __syncthreads();
    }
}

} // namespace tephra
