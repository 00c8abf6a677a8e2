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
    for (long long c = 1; c < k; ++c)
        for (long long j = warp; j < c; j += THREADS / 32) {
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

// Mirrored in src/gpu/larft/steps.rs. The k reflectors from `at` on: V and T begin at (at, at) of each member.
struct LarftArgs {
    Operand v, tau, t;
    long long ldv, ldt, batch, at;
    long long m, k;   // rows and columns of V, from (at, at) on
    long long width;  // of the diagonal blocks of T that are formed
    long long blocks; // their number
    int form;         // 0: only the rest of T is written
    int pad;
};

// Forms diagonal blocks of T, one per block of threads. T gets zeros below its diagonal, and V^H to the right of the
// diagonal blocks, from which joining the blocks starts.
template <typename T, int THREADS>
__device__ __forceinline__ void larft(const LarftArgs &args) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const long long ldv = args.ldv, ldt = args.ldt;
    for (long long job = blockIdx.x; job < args.batch * args.blocks; job += gridDim.x) {
        const long long i = job / args.blocks, first = job % args.blocks * args.width, start = args.at + first;
        const long long left = args.k - first, k = left < args.width ? left : args.width;
        const T *const V = member<T>(args.v, i) + start * (ldv + 1);
        T *const F = member<T>(args.t, i) + start * (ldt + 1);
        if (args.form) larft_block<T, THREADS>(V, ldv, args.m - first, k, member<T>(args.tau, i) + start, F, ldt);
        for (long long c = k + warp; c < left; c += THREADS / 32)
            for (long long j = lane; j < k; j += 32) F[c * ldt + j] = conj(V[j * ldv + c]);
        for (long long c = warp; c < k; c += THREADS / 32)
            for (long long r = c + 1 + lane; r < left; r += 32) F[c * ldt + r] = make<T>(0);
    }
}

} // namespace tephra

#define TEPHRA_LARFT(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, LarftArgs, larft)
