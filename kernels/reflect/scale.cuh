// The power of two that scales each column of C before products of split numbers.
#pragma once
#include "../common/instance.cuh"
#include "args.cuh"

namespace tephra {

// For each of n columns, stores in args.t a power of two that brings the column's 2-norm to 2^12 .. 2^13: a smaller one
// where that would overflow, and 1 where the norm is zero or not finite. One block per column; sums are in double
// precision, where no square overflows or underflows.
template <int THREADS>
__device__ __forceinline__ void reflect_scale(const ReflectArgs &args) {
    __shared__ double parts[THREADS];
    for (long long job = blockIdx.x; job < args.n * args.batch; job += gridDim.x) {
        const long long i = job / args.n, j = job - i * args.n;
        const float *const column = args.template matrix<float>(i) + j * args.ldc;
        double sum = 0;
#pragma unroll 8
        for (long long r = args.zeros + threadIdx.x; r < args.m; r += THREADS) {
            const double x = column[r];
            sum = fma(x, x, sum);
        }
        parts[threadIdx.x] = sum;
#pragma unroll 1
        for (int half = THREADS / 2; half > 0; half /= 2) {
            __syncthreads();
            if (static_cast<int>(threadIdx.x) < half) parts[threadIdx.x] += parts[threadIdx.x + half];
        }
        if (threadIdx.x == 0) {
            int exponent;
            frexp(parts[0], &exponent); // of the square: below 2^exponent
            const bool finite = parts[0] > 0 && parts[0] < 0x1p300;
            const int e = 13 - ((exponent + 1) >> 1);
            member<float>(args.t, i)[j] = finite ? ldexpf(1.0f, e < -126 ? -126 : e > 127 ? 127 : e) : 1.0f;
        }
        __syncthreads();
    }
}

} // namespace tephra

#define TEPHRA_REFLECT_SCALE(NAME, T, THREADS)                                                                         \
    TEPHRA_ENTRY(NAME, Instance(THREADS), __launch_bounds__(THREADS), ReflectArgs, reflect_scale<THREADS>)
