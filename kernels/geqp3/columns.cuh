// Column operations of a block on a matrix in global memory: search, exchange, and moving chosen columns to the front.
// Source: LAPACK geqp3, laqp2.
#pragma once
#include "args.cuh"

namespace tephra {

// Exchanges columns c and d. A thread always handles the same rows, so that successive exchanges need no barrier.
template <int THREADS, typename T>
__device__ __forceinline__ void exchange_columns(T *A, long long lda, long long c, long long d, int m) {
    T *const x = A + c * lda, *const y = A + d * lda;
    for (int r = threadIdx.x; r < m; r += THREADS) {
        const T before = x[r];
        x[r] = y[r], y[r] = before;
    }
}

// Moves the columns that the caller has chosen to the front, records in jpvt where each column was, and returns the
// number of chosen columns. The block needs a barrier before its threads read jpvt or elements of other threads.
template <int THREADS, typename T>
__device__ __forceinline__ int chosen_first(T *A, long long lda, int *jpvt, int m, int n) {
    int fixed = 0;
    for (int j = 0; j < n; ++j)
        if (jpvt[j] != 0) {
            if (j != fixed) exchange_columns<THREADS>(A, lda, j, fixed, m);
            ++fixed;
        }
    __syncthreads(); // the choice has been read
    if (threadIdx.x == 0)
        for (int j = 0, at = 0; j < n; ++j) {
            const bool chosen = jpvt[j] != 0;
            jpvt[j] = j + 1;
            if (!chosen) continue;
            jpvt[j] = jpvt[at];
            jpvt[at++] = j + 1;
        }
    return fixed;
}

// The index of the column with the largest norm among k .. n - 1. offers: one per warp, in shared memory.
template <int THREADS, typename R>
__device__ __forceinline__ int largest_column(const R *norm, int k, int n, Offer<R> *offers) {
    const int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    Offer<R> best = {R(-1), n};
    for (int j = k + threadIdx.x; j < n; j += THREADS) best.take(norm[j], j);
    best.template best<32>();
    if (lane == 0) offers[w] = best;
    __syncthreads();
    best = offers[0];
    for (int o = 1; o < THREADS / 32; ++o) best.take(offers[o].norm, offers[o].id);
    return best.id;
}

} // namespace tephra
