// What least squares needs beside QR, Q applied and a triangular solve. Source: LAPACK gels.
#pragma once
#include "../common/batch.cuh"
#include "../common/instance.cuh"
#include "../common/scalar.cuh"

namespace tephra {

// One launch of the gels family (mirrored in src/backend/cuda/args.rs).
struct GelsArgs {
    Operand a, b, w; // w: receives A^H, where asked for
    int *info;       // of the kernels that tell it; may be null
    long long lda, ldb, ldw, batch;
    long long m, n, nrhs; // A is m x n
    long long zero, rows; // prepare: rows zero .. rows of B are set to zero
    int transpose, pad;   // prepare: 1: w = A^H
};

// Before a minimum-norm solution: W = A^H, and zeros below the equations' right-hand sides. A block a matrix.
template <typename T, int THREADS>
__device__ __forceinline__ void gels_prepare(const GelsArgs &args) {
    constexpr int side = 32, height = THREADS / side;
    __shared__ T tile[side][side + 1];
    const int x = threadIdx.x % side, y = threadIdx.x / side;
    for (long long i = blockIdx.x; i < args.batch; i += gridDim.x) {
        if (args.transpose) {
            const T *A = member<T>(args.a, i);
            T *W = member<T>(args.w, i);
            for (long long col = 0; col < args.n; col += side)
                for (long long row = 0; row < args.m; row += side) {
                    for (int j = y; j < side && col + j < args.n; j += height)
                        if (row + x < args.m) tile[j][x] = A[(col + j) * args.lda + row + x];
                    __syncthreads();
                    for (int j = y; j < side && row + j < args.m; j += height)
                        if (col + x < args.n) W[(row + j) * args.ldw + col + x] = conj(tile[x][j]);
                    __syncthreads();
                }
        }
        const long long rows = args.rows - args.zero;
        if (rows > 0) {
            T *B = member<T>(args.b, i) + args.zero;
            for (long long e = threadIdx.x; e < rows * args.nrhs; e += THREADS)
                B[e / rows * args.ldb + e % rows] = make<T>(0);
        }
    }
}

// info[i] = 1-based place of the first zero on the diagonal of the n x n triangle in a, or 0. A warp a matrix.
template <typename T, int THREADS>
__device__ __forceinline__ void gels_info(const GelsArgs &args) {
    const int lane = threadIdx.x % 32;
    const long long warp = blockIdx.x * (THREADS / 32ll) + threadIdx.x / 32;
    for (long long i = warp; i < args.batch; i += gridDim.x * (THREADS / 32ll)) {
        const T *A = member<T>(args.a, i);
        int info = 0;
        for (long long k = 0; k < args.n && info == 0; k += 32) {
            const bool zero = k + lane < args.n && is_zero(A[(k + lane) * (args.lda + 1)]);
            const unsigned found = __ballot_sync(0xffffffffu, zero);
            if (found) info = static_cast<int>(k) + __ffs(found);
        }
        if (lane == 0) args.info[i] = info;
    }
}

} // namespace tephra

#define TEPHRA_GELS_PREPARE(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, GelsArgs, gels_prepare)
#define TEPHRA_GELS_INFO(NAME, T, THREADS) TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, GelsArgs, gels_info)
