// Down the tree: a block's part of Q in place of its V, from the C of its R's place in the level above. In the last
// level, as what came down from the top was not C but C U^-1, that is the panel's V.
//
// In the last level each block says which of its columns are not zero below the panel's diagonal. A column that is
// zero in all blocks has H = I in LAPACK, unless its diagonal element is to become real: the last block of a panel to
// finish sees to that.
#pragma once
#include "block.cuh"

namespace tephra {

template <typename T, int N, int THREADS>
struct TsqrDown : TsqrBlock<T, N, THREADS> {
    using Base = TsqrBlock<T, N, THREADS>;
    using Base::Base, Base::v, Base::c, Base::product, Base::ld, Base::n, Base::rows;
    static constexpr int AT_ONCE = 2;                         // rows of a thread
    static constexpr int CB = sizeof(T) == 16 ? 8 : 16;       // columns of a pass

    // [C; 0] - V M to A. first: those of the first n rows that are V's or R's are in `head`. Which columns have
    // elements that are not zero.
    __device__ __forceinline__ unsigned store(T *A, long long lda, const T *head) const {
        unsigned marks = 0;
#pragma unroll 1
        for (int r0 = threadIdx.x; r0 < rows; r0 += AT_ONCE * THREADS) {
            // The second row may be none: then it is the first one again.
            const int r[AT_ONCE] = {r0, r0 + THREADS < rows ? r0 + THREADS : r0};
#pragma unroll 1
            for (int j0 = 0; j0 < n; j0 += CB) {
                T x[AT_ONCE][CB];
#pragma unroll
                for (int q = 0; q < AT_ONCE; ++q)
#pragma unroll
                    for (int j = 0; j < CB; ++j) x[q][j] = r[q] < n ? c[r[q] * Base::NP + j0 + j] : make<T>(0);
#pragma unroll 2
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
                for (int q = 0; q < AT_ONCE; ++q) {
                    if (q > 0 && r[q] == r0) break;
#pragma unroll
                    for (int j = 0; j < CB; ++j) {
                        if (j0 + j >= n) break;
                        T y = x[q][j];
                        bool below = true;
                        if (head && r[q] < n) {
                            y = head[(j0 + j) * n + r[q]];
                            below = r[q] > j0 + j;
                        }
                        if (below && !is_zero(y)) marks |= 1u << (j0 + j);
                        A[(j0 + j) * lda + r[q]] = y;
                    }
                }
            }
        }
        return marks;
    }
};

// Columns of V that are e_j: H_j = I, which takes the sign of R's row j back.
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
    extern __shared__ __align__(16) unsigned char raw[];
    __shared__ unsigned all;
    const TsqrLevel &level = args.level;
    const int n = args.n, t = threadIdx.x;
    const long long i = blockIdx.x / level.blocks, j = blockIdx.x % level.blocks;
    T *const A = level.block<T>(i, j, n);
    const long long lda = level.lda;
    TsqrDown<T, N, THREADS> block(raw, n, level.height(j, n));
    if (t == 0) all = 0;
    block.load(A, lda, level.taus<T>(i, j, n));
    block.form_gram();
    const T *const C = args.above<T>(i, j);
    for (int e = t; e < N * N; e += THREADS) {
        const int r = e % N, l = e / N;
        block.c[r * decltype(block)::NP + l] = r < n && l < n ? C[l * args.up_ld + r] : make<T>(0);
    }
    __syncthreads();
    block.form_product();
    const T *const head = args.last && j == 0 ? static_cast<const T *>(args.head) + i * args.stride : nullptr;
    unsigned marks = block.store(A, lda, head);
    if (!args.last) return;

    for (int half = 16; half > 0; half /= 2) marks |= __shfl_xor_sync(0xffffffffu, marks, half);
    if (t % 32 == 0 && marks != 0) atomicOr(&all, marks);
    __syncthreads();
    unsigned *const there = args.marks + 2 * i;
    if (t == 0) {
        if (all != 0) atomicOr(there, all);
        __threadfence();
        all = atomicAdd(there + 1, 1u) + 1 == level.blocks ? 1 : 0;
        __threadfence();
    }
    __syncthreads();
    if (!all) return;
    marks = *static_cast<volatile unsigned *>(there);
    if (marks != (n == 32 ? ~0u : (1u << n) - 1))
        tsqr_identities(level.block<T>(i, 0, n), lda, member<T>(args.tau, i) + args.tau0, n, marks);
}

} // namespace tephra

#define TEPHRA_TSQR_DOWN(NAME, T, N, THREADS, ROWS, MIN_BLOCKS)                                                        \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(ROWS, N).needs(TsqrDown<letter::T, N, THREADS>::bytes(ROWS)),           \
                 __launch_bounds__(THREADS, MIN_BLOCKS), TsqrArgs, tsqr_down<letter::T, N, THREADS>)
