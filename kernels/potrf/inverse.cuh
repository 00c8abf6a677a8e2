// The end of an inverse that is not computed in registers: sets info, and copies the inverse over the factor.
#pragma once
#include "../common/instance.cuh"
#include "args.cuh"

namespace tephra {

// A block per matrix: copies B's triangle to A, unless A's diagonal has a zero, whose position, from 1, becomes info.
template <typename T, int THREADS>
__device__ __forceinline__ void potri_finish(const CholeskyArgs &args) {
    __shared__ int first;
    for (long long i = blockIdx.x; i < args.batch; i += gridDim.x) {
        T *const A = member<T>(args.a, i);
        const T *const B = member<T>(args.b, i);
        if (threadIdx.x == 0) first = args.n;
        __syncthreads();
        for (int k = threadIdx.x; k < args.n; k += THREADS)
            if (is_zero(A[k * (args.lda + 1)])) {
                atomicMin(&first, k);
                break;
            }
        __syncthreads();
        const int zero = first < args.n ? first + 1 : 0;
        if (zero == 0) {
            // A warp per column.
            for (int j = threadIdx.x / 32; j < args.n; j += THREADS / 32) {
                const int begin = args.upper ? 0 : j, end = args.upper ? j + 1 : args.n;
                for (int r = begin + static_cast<int>(threadIdx.x % 32); r < end; r += 32) {
                    const T x = B[r + j * args.ldb];
                    A[r + j * args.lda] = r == j ? make<T>(re(x)) : x; // the diagonal of a Hermitian matrix is real
                }
            }
        }
        if (threadIdx.x == 0) args.set_info(i, zero);
        __syncthreads(); // `first` has been read
    }
}

} // namespace tephra

#define TEPHRA_POTRI_FINISH(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, CholeskyArgs, potri_finish)
