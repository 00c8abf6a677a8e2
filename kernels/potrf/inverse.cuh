// The end of an inverse that is not computed in registers: sets info, and copies the inverse over the factor.
#pragma once
#include "../common/instance.cuh"
#include "args.cuh"

namespace tephra {

// What a launch copies (`nrhs` in its arguments). Blocks that share a matrix all read its diagonal, so that it is left
// to another launch, with one block per matrix.
constexpr int finish_all = 0, finish_beside_diagonal = 1, finish_diagonal = 2;

// Copies B's triangle to A, unless A's diagonal has a zero, whose position, from 1, becomes info. Each of `tiles`
// blocks copies some of a matrix's columns. `shifted`: 0: B is Hermitian; 1: any triangle; 2: the same without its
// diagonal, on which A has ones that are not stored.
template <typename T, int THREADS>
__device__ __forceinline__ void potri_finish(const CholeskyArgs &args) {
    __shared__ int first;
    const int what = args.nrhs;
    const bool real = args.shifted == 0, unit = args.shifted == 2;
    for (long long job = blockIdx.x; job < args.batch * args.tiles; job += gridDim.x) {
        const long long i = job / args.tiles;
        T *const A = member<T>(args.a, i);
        const T *const B = member<T>(args.b, i);
        if (threadIdx.x == 0) first = args.n;
        __syncthreads();
        for (int k = threadIdx.x; k < args.n && !unit; k += THREADS)
            if (is_zero(A[k * (args.lda + 1)])) {
                atomicMin(&first, k);
                break;
            }
        __syncthreads();
        const int zero = first < args.n ? first + 1 : 0;
        if (zero == 0 && what == finish_diagonal) {
            for (int k = threadIdx.x; k < args.n; k += THREADS)
                A[k * (args.lda + 1)] = make<T>(re(B[k * (args.ldb + 1)]));
        } else if (zero == 0) {
            // A warp per column.
            const int warp = static_cast<int>(job % args.tiles) * (THREADS / 32) + threadIdx.x / 32;
            for (int j = warp; j < args.n; j += args.tiles * (THREADS / 32)) {
                const int begin = args.upper ? 0 : j, end = args.upper ? j + 1 : args.n;
                for (int r = begin + static_cast<int>(threadIdx.x % 32); r < end; r += 32) {
                    if (r == j && (unit || what == finish_beside_diagonal)) continue;
                    const T x = B[r + j * args.ldb];
                    A[r + j * args.lda] =
                        real && r == j ? make<T>(re(x)) : x; // the diagonal of a Hermitian matrix is real
                }
            }
        }
        if (threadIdx.x == 0 && what != finish_beside_diagonal) args.set_info(i, zero);
        __syncthreads(); // `first` has been read
    }
}

} // namespace tephra

#define TEPHRA_POTRI_FINISH(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, CholeskyArgs, potri_finish)
