// QR in global memory, a block per matrix, column by column: the path that takes every shape, and the panel of the
// blocked path where a panel is too tall for registers. Source: LAPACK geqr2/larfg.
#pragma once
#include "../common/batch.cuh"
#include "../common/householder.cuh"

namespace tephra {

// Combines one value per thread of the block; every thread gets the result. scratch: 32 values.
template <int THREADS, bool MAX, typename R>
__device__ __forceinline__ R block_reduce(R x, R* scratch) {
    x = MAX ? lanes_max<32>(x) : lanes_sum<32>(x);
    __syncthreads(); // scratch may still be read
    if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = x;
    __syncthreads();
    x = threadIdx.x % 32 < THREADS / 32 ? scratch[threadIdx.x % 32] : R(0);
    return MAX ? lanes_max<32>(x) : lanes_sum<32>(x);
}

template <typename T, int THREADS>
__device__ __forceinline__ void geqrf_generic(const GeqrfArgs& args) {
    using R = Real<T>;
    __shared__ R scratch[32];
    const long long m = args.m, n = args.n, lda = args.lda;
    const long long k_end = m < n ? m : n;
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    for (long long i = blockIdx.x; i < args.batch; i += gridDim.x) {
        T* A = member<T>(args.a, i) + args.col0 * lda + args.row0;
        T* tau = member<T>(args.tau, i) + args.col0;
        if (args.info && t == 0) args.info[i] = 0;
        for (long long k = 0; k < k_end; ++k) {
            T* x = A + k * lda; // column k; rows k+1.. become v
            R sum = 0;
            for (long long r = k + 1 + t; r < m; r += THREADS) sum = abs2_add(x[r], sum);
            sum = block_reduce<THREADS, false>(sum, scratch);
            const T alpha = x[k];
            const R q = abs2_add(alpha, sum);
            Reflector<T> h = reflector_safe<T>(alpha, q);
            R first = 1, second = 1;
            if (!(sum > SafeRange<R>::lo && q < SafeRange<R>::hi)) { // the same for the whole block
                R below = 0, scaled_sum = 0;
                for (long long r = k + 1 + t; r < m; r += THREADS) below = fmax(below, abs_inf(x[r]));
                below = block_reduce<THREADS, true>(below, scratch);
                const R largest = fmax(below, abs_inf(alpha));
                const Rescale<R> rescale(largest);
                for (long long r = k + 1 + t; r < m; r += THREADS) scaled_sum = abs2_add(rescale(x[r]), scaled_sum);
                scaled_sum = block_reduce<THREADS, false>(scaled_sum, scratch);
                h = reflector_guarded<T>(rescale(alpha), scaled_sum, below, largest, rescale.e,
                                         sum + re(alpha) + im(alpha));
                first = rescale.first;
                second = rescale.second;
            }
            __syncthreads(); // everyone has read alpha
            for (long long r = k + 1 + t; r < m; r += THREADS) x[r] = mul(scale(scale(x[r], first), second), h.factor);
            if (t == 0) {
                x[k] = make<T>(h.beta);
                tau[k] = h.tau;
            }
            __syncthreads();
            const T tau_h = conj(h.tau);
            for (long long j = k + 1 + warp; j < n; j += THREADS / 32) {
                T* y = A + j * lda;
                T dot = lane == 0 ? y[k] : make<T>(0);
                for (long long r = k + 1 + lane; r < m; r += 32) dot = cfma_(x[r], y[r], dot);
                dot = mul(tau_h, lanes_sum<32>(dot));
                if (lane == 0) y[k] = add(y[k], scale(dot, R(-1)));
                for (long long r = k + 1 + lane; r < m; r += 32) y[r] = fnma_(x[r], dot, y[r]);
            }
            __syncthreads();
        }
    }
}

} // namespace tephra
