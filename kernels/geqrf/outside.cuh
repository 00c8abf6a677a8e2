// Factorisation from one place to another: A is read elsewhere than V is written, or R is written elsewhere
// (GeqrfArgs::FROM, R). Only such calls need this code, so it is not inlined and runs outside the steps.
#pragma once
#include "../common/batch.cuh"
#include "../common/scalar.cuh"

namespace tephra {

// Copies columns first .. n - 1 of a matrix of m rows from where A is read to where it is factored. Called by a block.
template <typename T>
__device__ __noinline__ void bring_call(Place<T> from, Place<T> to, int m, int first, int n) {
    __syncthreads();
    for (int j = first + threadIdx.x / 32; j < n; j += blockDim.x / 32) {
        const T *const p = from.p + j * from.ld;
        T *const q = to.p + j * to.ld;
#pragma unroll 4
        for (int i = threadIdx.x % 32; i < m; i += 32) q[i] = p[i];
    }
    __syncthreads();
}

// Copies the n columns of R from where A, of m rows, was factored to R's own place of `rows` rows, with zeros below the
// diagonal. Called by a block, whose warps take eight columns at a time, so that eight loads are in flight.
template <typename T>
__device__ __noinline__ void put_r_call(Place<T> from, Place<T> to, int m, long long rows, int n) {
    constexpr int columns = 8;
    __syncthreads();
    for (int first = threadIdx.x / 32 * columns; first < n; first += blockDim.x / 32 * columns) {
        const int above = first + columns < m ? first + columns : m; // below these rows, all columns are zero
        for (long long i = threadIdx.x % 32; i < rows; i += 32) {
            T x[columns];
#pragma unroll
            for (int j = 0; j < columns; ++j) x[j] = make<T>(0);
            if (i < above)
#pragma unroll
                for (int j = 0; j < columns; ++j)
                    if (first + j < n && i <= first + j) x[j] = from.p[(first + j) * from.ld + i];
#pragma unroll
            for (int j = 0; j < columns; ++j)
                if (first + j < n) to.p[(first + j) * to.ld + i] = x[j];
        }
    }
}

// Both copies by a warp, for matrices of few columns.
template <typename T>
__device__ __noinline__ void bring_by_warp(Place<T> from, Place<T> to, int m, int n) {
    for (int j = 0; j < n; ++j)
        for (int i = threadIdx.x % 32; i < m; i += 32) to.p[j * to.ld + i] = from.p[j * from.ld + i];
    __syncwarp();
}
template <typename T>
__device__ __noinline__ void put_r_by_warp(Place<T> from, Place<T> to, int m, long long rows, int n) {
    __syncwarp(); // other lanes have written it
    for (int j = 0; j < n; ++j)
        for (long long i = threadIdx.x % 32; i < rows; i += 32)
            to.p[j * to.ld + i] = i <= j && i < m ? from.p[j * from.ld + i] : make<T>(0);
}

// Copies the upper k x n elements of an updated block, which are part of R, to R's place.
template <typename T>
__device__ __forceinline__ void put_rows(const Place<T> &from, const Place<T> &to, int k, int n, int rank,
                                         int threads) {
    for (int e = rank; e < k * n; e += threads) to.p[e / k * to.ld + e % k] = from.p[e / k * from.ld + e % k];
}

} // namespace tephra
