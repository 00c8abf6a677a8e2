// On the way down the tree, overwrites a block's V with its part of Q, computed from the C at its R's place in the
// level above. In the last level this is the panel's V, because what came down from the top was C U^-1 instead of C.
//
// If a column of V is zero below its diagonal, LAPACK has H = I, unless the diagonal element must become real. Where
// the panel's first rows do not decide that, the blocks search their rows, and the last block of a panel to finish
// makes the correction.
#pragma once
#include "block.cuh"

namespace tephra {

template <typename T, int N, int THREADS>
struct TsqrDown : TsqrBlock<T, N, THREADS> {
    using Base = TsqrBlock<T, N, THREADS>;
    using Base::Base, Base::v, Base::c, Base::product, Base::ld, Base::n, Base::rows;
    static constexpr int AT_ONCE = 2;                                                  // rows of a thread
    static constexpr int CB = sizeof(T) == 16 || (sizeof(T) == 8 && N == 16) ? 8 : 16; // columns of a pass
    static constexpr int UNROLL = is_complex<T> ? 1 : 4;

    // Stores [C; 0] - V M in A, except for its first rows.
    __device__ __forceinline__ void store(T *A, long long lda, int first) const {
#pragma unroll 1
        for (int r0 = threadIdx.x; r0 < rows; r0 += AT_ONCE * THREADS) {
            // If the second row does not exist, the first is repeated.
            const bool both = r0 + THREADS < rows, one = r0 >= first;
            const int r[AT_ONCE] = {r0, both ? r0 + THREADS : r0};
            T *p = A + r0;
#pragma unroll 1
            for (int j0 = 0; j0 < n; j0 += CB) {
                T x[AT_ONCE][CB];
#pragma unroll
                for (int q = 0; q < AT_ONCE; ++q)
#pragma unroll
                    for (int j = 0; j < CB; ++j) x[q][j] = r[q] < n ? c[r[q] * Base::NP + j0 + j] : make<T>(0);
#pragma unroll(UNROLL)
                for (int l = 0; l < n; ++l) {
                    T y[AT_ONCE];
#pragma unroll
                    for (int q = 0; q < AT_ONCE; ++q) y[q] = v[l * ld + r[q]];
#pragma unroll
                    for (int j = 0; j < CB; j += Base::E) {
                        const Chunk<T> m = *reinterpret_cast<const Chunk<T> *>(product + l * Base::NP + j0 + j);
#pragma unroll
                        for (int e = 0; e < Base::E; ++e)
#pragma unroll
                            for (int q = 0; q < AT_ONCE; ++q) x[q][j + e] = fnma_(y[q], m.e[e], x[q][j + e]);
                    }
                }
#pragma unroll
                for (int j = 0; j < CB; ++j, p += lda) {
                    const bool there = j0 + j < n;
                    if (there && one) p[0] = x[0][j];
                    if (there && both) p[THREADS] = x[1][j]; // never one of the first rows
                }
            }
        }
    }
    // Stores the first rows of the first block.
    __device__ __forceinline__ void store_head(T *A, long long lda, const T *head) const {
        for (int e = threadIdx.x; e < n * n; e += THREADS) A[e / n * lda + e % n] = head[e];
    }
    // Those of the columns `open` that have nonzero elements from row `first` on.
    __device__ __forceinline__ unsigned look(const T *A, long long lda, unsigned open, int first) const {
        unsigned marks = 0;
        for (int j = 0; j < n; ++j) {
            if (!(open >> j & 1)) continue;
            for (int r = threadIdx.x; r < rows; r += THREADS)
                if (r >= first && !is_zero(A[j * lda + r])) marks |= 1u << j;
        }
        return marks;
    }
};

// For columns of V that are e_j, sets H_j = I and so undoes the sign change of R's row j.
template <typename T>
__device__ __noinline__ void tsqr_identities(T *A, long long lda, T *tau, int n, unsigned marks) {
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
        if (marks >> j & 1 || !(im(tau[j]) == 0)) continue;
        tau[j] = make<T>(0);
        for (int l = j; l < n; ++l) A[l * lda + j] = scale(A[l * lda + j], Real<T>(-1));
    }
}

template <typename T, int N, int THREADS>
__device__ __forceinline__ void tsqr_down(const TsqrArgs &args) {
    __shared__ unsigned all;
    const TsqrLevel &level = args.level;
    const int n = args.n, t = threadIdx.x;
    const long long i = blockIdx.x / level.blocks, j = blockIdx.x % level.blocks;
    if (cholqr_done(args.states, i)) return;
    T *const A = level.block<T>(i, j, n);
    const long long lda = level.lda;
    TsqrDown<T, N, THREADS> block(dynamic_shared(), n, level.height(j, n));
    // What is needed later loads while G is formed.
    constexpr int NP = TsqrBlock<T, N, THREADS>::NP, each = (N * N + THREADS - 1) / THREADS;
    const T *const above = args.above<T>(i, j);
    const bool multiplied = args.factor.p;
    const T *const C = multiplied ? member<T>(args.factor, i) : above;
    const long long ldc = multiplied ? args.ld_factor : args.up_ld;
    T mine[each];
#pragma unroll
    for (int q = 0; q < each; ++q) {
        const int e = t + q * THREADS, r = e % N, l = e / N;
        mine[q] = r < n && l < n ? C[l * ldc + r] : make<T>(0);
        if (multiplied && r < n) mine[q] = scale(mine[q], re(above[r * (args.up_ld + 1)]));
    }
    TsqrMarks *const marks = args.marks + i;
    const unsigned whole = n == 32 ? ~0u : (1u << n) - 1, known = args.last ? marks->known : whole;
    if (t == 0) all = 0;
    block.load(A, lda, level.taus<T>(i, j, n));
    block.form_gram();
#pragma unroll
    for (int q = 0; q < each; ++q) {
        const int e = t + q * THREADS;
        if (e < N * N) block.c[e % N * NP + e / N] = mine[q];
    }
    __syncthreads();
    block.form_product();
    const int first = args.last && j == 0 ? n : 0;
    block.store(A, lda, first);
    if (first > 0) block.store_head(A, lda, static_cast<const T *>(args.head) + i * args.stride);
    if (known == whole) return;

    unsigned found = block.look(A, lda, ~known, first);
    for (int half = 16; half > 0; half /= 2) found |= __shfl_xor_sync(0xffffffffu, found, half);
    if (t % 32 == 0 && found != 0) atomicOr(&all, found);
    __syncthreads();
    if (t == 0) {
        if (all != 0) atomicOr(&marks->found, all);
        __threadfence();
        all = atomicAdd(&marks->done, 1u) + 1 == level.blocks ? 1 : 0;
        __threadfence();
    }
    __syncthreads();
    if (!all) return;
    found = known | *static_cast<volatile unsigned *>(&marks->found);
    if (found != whole) tsqr_identities(level.block<T>(i, 0, n), lda, member<T>(args.tau, i) + args.tau0, n, found);
}

} // namespace tephra

#define TEPHRA_TSQR_DOWN(NAME, T, N, THREADS, ROWS, MIN_BLOCKS)                                                        \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(ROWS, N).needs(TsqrDown<letter::T, N, THREADS>::bytes(ROWS)),           \
                 __launch_bounds__(THREADS, MIN_BLOCKS), TsqrArgs, tsqr_down<letter::T, N, THREADS>)
