// Extracts R and T of a finished factorisation, a block per matrix and panel. The outputs are those of MAGMA's
// geqrf_expert_batched with provide_RT > 0.
#pragma once
#include "../common/batch.cuh"
#include "../common/instance.cuh"
#include "../common/scalar.cuh"
#include "larft.cuh"

namespace tephra {

template <typename T, int THREADS>
__device__ __forceinline__ void geqrf_extract(const ExtractArgs &args) {
    const GeqrfArgs &qr = args.qr;
    const long long m = qr.m, n = qr.n, lda = qr.lda, nb = args.nb, ldr = args.ldr, ldt = args.ldt;
    const long long k_end = m < n ? m : n, panels = (k_end + nb - 1) / nb;
    const int t = threadIdx.x;
    for (long long job = blockIdx.x; job < qr.batch * panels; job += gridDim.x) {
        const long long i = job / panels, col0 = job % panels * nb;
        const int k = static_cast<int>(k_end - col0 < nb ? k_end - col0 : nb);
        T *A = qr.matrix<T>(i);
        T *V = A + col0 * lda + col0;
        const T *tau = qr.taus<T>(i) + col0;
        T *F = member<T>(args.t, i) + col0 * ldt;
        const long long rows = m - col0;

        larft_block<T, THREADS>(V, lda, rows, k, tau, F, ldt);
        for (int e = t; e < k * k; e += THREADS)
            if (e % k > e / k) F[e / k * ldt + e % k] = make<T>(0);
        // The last panel may be narrower than the blocks of R and T, which are zero below it.
        const int block = static_cast<int>(k_end < nb ? k_end : nb), below = block - k;
        for (int e = t; e < below * k; e += THREADS) F[e / below * ldt + k + e % below] = make<T>(0);
        // R's rows of this panel.
        T *R = member<T>(args.r, i);
        const long long first = args.diagonal_blocks ? col0 : 0, last = args.diagonal_blocks ? col0 + k : n;
        const long long row_out = args.diagonal_blocks ? 0 : col0, height = args.diagonal_blocks ? block : k;
        for (long long e = t; e < height * (last - first); e += THREADS) {
            const long long r = e % height, j = first + e / height;
            R[j * ldr + row_out + r] = col0 + r <= j ? A[j * lda + col0 + r] : make<T>(0);
        }
        if (args.separate) {
            __syncthreads();
            for (int e = t; e < k * k; e += THREADS) {
                const int r = e % k, j = e / k;
                if (r <= j) V[j * lda + r] = make<T>(r == j ? 1 : 0);
            }
        }
        __syncthreads();
    }
}

} // namespace tephra

#define TEPHRA_EXTRACT(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, ExtractArgs, geqrf_extract)
