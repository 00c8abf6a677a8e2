// The triangular factor T of H = H_1 ... H_k = I - V T V^H, in global memory. Source: LAPACK larft (forward,
// columnwise).
#pragma once
#include "../common/batch.cuh"
#include "../common/instance.cuh"
#include "../common/scalar.cuh"

namespace tephra {

// The upper triangle of T, by a block; ends with a barrier.
template <typename T, int THREADS>
__device__ __forceinline__ void larft_block(const T *V, long long ldv, long long rows, long long k, const T *tau, T *F,
                                            long long ldt) {
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    // Entries v_j^H v_c, j < c, of the Gram matrix, stored where T's strict upper triangle will be; v_c starts at row c
    // with a one.
    for (long long e = warp; e < k * k; e += THREADS / 32) {
        const long long j = e % k, c = e / k;
        if (j >= c) continue;
        T g = make<T>(0);
        if (lane == 0) g = conj(V[j * ldv + c]);
        for (long long r = c + 1 + lane; r < rows; r += 32) g = cfma_(V[j * ldv + r], V[c * ldv + r], g);
        g = lanes_sum<32>(g);
        if (lane == 0) F[c * ldt + j] = g;
    }
    __syncthreads();
    // T(0:c, c) = -tau_c T(0:c, 0:c) G(0:c, c). Entry j needs G from row j down, so rows go in ascending order.
    for (long long c = 0; c < k; ++c) {
        const T tau_c = tau[c];
        for (long long base = 0; base < c; base += THREADS) {
            const long long j = base + t;
            T sum = make<T>(0);
            if (j < c)
                for (long long l = j; l < c; ++l) sum = fma_(F[l * ldt + j], F[c * ldt + l], sum);
            __syncthreads();
            if (j < c) F[c * ldt + j] = mul(make<T>(-re(tau_c), -im(tau_c)), sum);
            __syncthreads();
        }
        if (t == 0) F[c * ldt + c] = tau_c;
        __syncthreads();
    }
}

// A block per matrix; T is zero below its diagonal.
template <typename T, int THREADS>
__device__ __forceinline__ void larft(const LarfbArgs &args) {
    const long long k = args.k, ldt = args.ldt;
    for (long long i = blockIdx.x; i < args.batch; i += gridDim.x) {
        T *F = member<T>(args.t, i);
        larft_block<T, THREADS>(member<T>(args.v, i), args.ldv, args.m, k, member<T>(args.tau, i), F, ldt);
        for (long long e = threadIdx.x; e < k * k; e += THREADS)
            if (e % k > e / k) F[e / k * ldt + e % k] = make<T>(0);
    }
}

} // namespace tephra

#define TEPHRA_LARFT(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, LarfbArgs, larft)
