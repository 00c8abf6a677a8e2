// QR with column pivoting in global memory, for any sizes: one block per matrix. Source: LAPACK laqp2.
#pragma once
#include "../common/instance.cuh"
#include "columns.cuh"

namespace tephra {

template <typename T, int THREADS>
__device__ __forceinline__ void geqp3_generic(const Geqp3Args &args) {
    using R = Real<T>;
    constexpr int W = THREADS / 32;
    __shared__ R scratch[32];
    __shared__ Offer<R> offers[W];
    const BlockTeam<THREADS, R, false> team(scratch);
    const int t = threadIdx.x, w = t / 32, lane = t % 32;
    for (long long i = blockIdx.x; i < args.batch; i += gridDim.x) {
        const auto own = args.of(i);
        if (own.m == 0) continue;
        const int m = own.m, n = own.n, k_end = m < n ? m : n;
        const long long lda = own.lda;
        T *const A = member<T>(args.a, i), *const tau = member<T>(args.tau, i);
        int *const jpvt = member<int>(args.jpvt, i);
        R *const norm = reinterpret_cast<R *>(member<T>(args.norms, i)), *const whole = norm + n;
        const int fixed = chosen_first<THREADS>(A, lda, jpvt, m, n);
        const auto sum_norm = [&](int j, int first) {
            const R x = column_norm(A + j * lda, first, m);
            if (lane == 0) norm[j] = whole[j] = x;
        };
        for (int k = 0; k < k_end; ++k) {
            if (k == fixed) {
                for (int j = k + w; j < n; j += W) sum_norm(j, k);
                __syncthreads();
            }
            if (k >= fixed) {
                const int p = largest_column<THREADS>(norm, k, n, offers);
                if (p != k) {
                    exchange_columns<THREADS>(A, lda, k, p, m);
                    if (t == 0) {
                        norm[p] = norm[k], whole[p] = whole[k];
                        const int before = jpvt[k];
                        jpvt[k] = jpvt[p], jpvt[p] = before;
                    }
                }
                __syncthreads();
            }
            geqrf_columns(A + k * (lda + 1), lda, tau + k, m - k, 1, team);
            apply_reflector(A, lda, conj(tau[k]), m, k, k + 1, n, team);
            __syncthreads();
            if (k < fixed) continue;
            // A warp has the same columns as in apply_reflector.
            for (int from = k + 1 + w; from < n; from += W * 32) {
                const int j = from + lane * W;
                bool again = false;
                if (j < n) {
                    const T gone = A[k + j * lda];
                    R left = norm[j];
                    again = downdate(left, whole[j], re(gone), im(gone));
                    norm[j] = left;
                }
                for (unsigned asks = __ballot_sync(0xffffffffu, again); asks; asks &= asks - 1)
                    sum_norm(from + (__ffs(asks) - 1) * W, k + 1);
            }
            __syncthreads();
        }
        if (t == 0 && args.info) args.info[i] = 0;
    }
}

} // namespace tephra

#define TEPHRA_GEQP3_GENERIC(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, Geqp3Args, geqp3_generic)
