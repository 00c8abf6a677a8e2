// R and T of a finished factorisation, a block per matrix and panel. Source: LAPACK larft (forward, columnwise);
// outputs as MAGMA's geqrf_expert_batched with provide_RT > 0.
#pragma once
#include "../common/batch.cuh"
#include "../common/scalar.cuh"

namespace tephra {

template <typename T, int THREADS>
__device__ __forceinline__ void geqrf_extract(const ExtractArgs &args) {
    const GeqrfArgs &qr = args.qr;
    const long long m = qr.m, n = qr.n, lda = qr.lda, nb = args.nb, ldr = args.ldr, ldt = args.ldt;
    const long long k_end = m < n ? m : n, panels = (k_end + nb - 1) / nb;
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    for (long long job = blockIdx.x; job < qr.batch * panels; job += gridDim.x) {
        const long long i = job / panels, col0 = job % panels * nb;
        const int k = static_cast<int>(k_end - col0 < nb ? k_end - col0 : nb);
        T *A = member<T>(qr.a, i);
        T *V = A + col0 * lda + col0;
        const T *tau = member<T>(qr.tau, i) + col0;
        T *F = member<T>(args.t, i) + col0 * ldt;
        const long long rows = m - col0;

        // Gram entries v_j^H v_c, j < c, where T's strict upper triangle will be; v_c starts at row c with a one.
        for (int e = warp; e < k * k; e += THREADS / 32) {
            const int j = e % k, c = e / k;
            T g = make<T>(0);
            if (j < c) {
                if (lane == 0) g = conj(V[j * lda + c]);
                for (long long r = c + 1 + lane; r < rows; r += 32) g = cfma_(V[j * lda + r], V[c * lda + r], g);
                g = lanes_sum<32>(g);
            }
            if (lane == 0) F[c * ldt + j] = g;
        }
        __syncthreads();
        // T(0:c, c) = -tau_c T(0:c, 0:c) G(0:c, c); entry j needs G from row j down, so rows go in order.
        for (int c = 0; c < k; ++c) {
            const T tau_c = tau[c];
            for (int base = 0; base < c; base += THREADS) {
                const int j = base + t;
                T sum = make<T>(0);
                if (j < c)
                    for (int l = j; l < c; ++l) sum = fma_(F[l * ldt + j], F[c * ldt + l], sum);
                __syncthreads();
                if (j < c) F[c * ldt + j] = mul(make<T>(-re(tau_c), -im(tau_c)), sum);
                __syncthreads();
            }
            if (t == 0) F[c * ldt + c] = tau_c;
            __syncthreads();
        }
        // A last panel may be narrower than the blocks of R and T, which are zero below it.
        const int block = static_cast<int>(k_end < nb ? k_end : nb), below = block - k;
        for (int e = t; e < below * k; e += THREADS) F[e / below * ldt + k + e % below] = make<T>(0);
        // R's rows of this panel
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
