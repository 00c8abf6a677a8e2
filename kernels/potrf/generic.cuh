// Cholesky factorisation of any order, in global memory.
#pragma once
#include "../common/instance.cuh"
#include "args.cuh"
#include "root.cuh"

namespace tephra {

// Strides of the lower triangle: from one row to the next, and from one column to the next.
struct CholeskyPlaces {
    long long rs, cs, n;

    __device__ __forceinline__ explicit CholeskyPlaces(const CholeskyArgs &args)
        : rs(args.upper ? args.lda : 1), cs(args.upper ? 1 : args.lda), n(args.n) {}
    // The strides for one member of a launch.
    __device__ __forceinline__ const CholeskyPlaces &of(const CholeskyArgs &) const { return *this; }
    __device__ __forceinline__ CholeskyPlaces of(const CholeskyEachArgs::Own &args) const {
        return CholeskyPlaces(args);
    }
};

// A block per matrix, left-looking: each column is updated with those before it, a row per thread, and divided by the
// root of its pivot. An upper triangle is the lower one of conj(A) with strides exchanged. Source: LAPACK potf2.
template <typename T, int THREADS, typename Args>
__device__ __forceinline__ void potrf_generic(const Args &launch) {
    using R = Real<T>;
    const CholeskyPlaces places(launch);
    __shared__ R pivots[2];
    for (long long i = blockIdx.x; i < launch.batch; i += gridDim.x) {
        const auto &args = launch.of(i);
        if (args.idle()) continue;
        const auto &[rs, cs, n] = places.of(args);
        T *const A = member<T>(args.a, i) + args.at * (args.lda + 1);
        int info = 0;
        for (long long k = 0; k < n; ++k) {
            const T *const of_pivot = A + k * rs;
            for (long long r = k + threadIdx.x; r < n; r += THREADS) {
                T *const row = A + r * rs;
                T x = row[k * cs];
                for (long long j = 0; j < k; ++j) x = fnma_(row[j * cs], conj(of_pivot[j * cs]), x);
                if (r == k)
                    pivots[k & 1] = re(x);
                else
                    row[k * cs] = x;
            }
            __syncthreads();
            const R pivot = pivots[k & 1];
            const bool good = pivot > 0;
            const R inverse = inverse_root(pivot);
            if (threadIdx.x == 0) A[k * (rs + cs)] = make<T>(good ? root_from_inverse(pivot, inverse) : pivot);
            if (!good) {
                info = static_cast<int>(k + 1);
                break;
            }
            // Each thread has its own rows.
            for (long long r = k + threadIdx.x; r < n; r += THREADS)
                if (r > k) A[r * rs + k * cs] = scale(A[r * rs + k * cs], inverse);
            __syncthreads();
        }
        __syncthreads(); // the pivots have been read
        if (threadIdx.x == 0) args.set_info(i, info);
    }
}

} // namespace tephra

#define TEPHRA_POTRF_GENERIC(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, CholeskyArgs, potrf_generic)
#define TEPHRA_POTRF_GENERIC_EACH(NAME, T, THREADS)                                                                    \
    TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, CholeskyEachArgs, potrf_generic)
