// Building blocks of MAGMA's LU interface besides whole routines: column interchanges, row permutations, pointers to
// blocks, and info.
#pragma once
#include "../common/batch.cuh"
#include "../common/instance.cuh"
#include "../common/scalar.cuh"

namespace tephra {

// All mirrored in src/gpu/data_movement/lu_steps.rs.

// For s = 0, 1, ..., count - 1: exchanges column first + s, or first - s, with the column that ipiv names for it.
// Columns are counted from 0 here, ipiv's entries from 1.
struct ExchangeColumnsArgs {
    Operand a, ipiv;
    long long lda, batch, rows, first, count;
    int backwards, pad;
};

// A thread has the same row of every column, so it needs nothing from other threads.
template <typename T, int THREADS>
__device__ __forceinline__ void exchange_columns(const ExchangeColumnsArgs &args) {
    const long long strips = (args.rows + THREADS - 1) / THREADS;
    for (long long job = blockIdx.x; job < args.batch * strips; job += gridDim.x) {
        const long long i = job / strips, row = job % strips * THREADS + threadIdx.x;
        if (row >= args.rows) continue;
        T *const A = member<T>(args.a, i) + row;
        const int *const ipiv = member<int>(args.ipiv, i);
        for (long long s = 0; s < args.count; ++s) {
            const long long j = args.backwards ? args.first - s : args.first + s, other = ipiv[j] - 1ll;
            if (other == j) continue;
            const T x = A[j * args.lda], y = A[other * args.lda];
            A[j * args.lda] = y;
            A[other * args.lda] = x;
        }
    }
}

// For r < rows, row r of `to` becomes row order[r] - 1 of `from`. If order[r] - 1 is not below `rows`, that row of
// `from` becomes the row that the order names for it.
struct PermuteRowsArgs {
    Operand from, to, order;
    long long from0, to0; // offset of the first element of each from the start of its member
    long long ld_from, ld_to, batch, n;
    int rows;    // at most the kernel's ROWS
    int columns; // that a block permutes at a time, such that rows * columns <= EACH * THREADS
};

// `to` may equal `from`: all elements of a column that are read are read before any is written.
template <typename T, int ROWS, int EACH, int THREADS>
__device__ __forceinline__ void permute_rows(const PermuteRowsArgs &args) {
    __shared__ int source[ROWS], behind[ROWS]; // the row that moves to r, and the row that takes its place
    const int rows = args.rows;
    const long long strips = (args.n + args.columns - 1) / args.columns;
    for (long long job = blockIdx.x; job < args.batch * strips; job += gridDim.x) {
        const long long i = job / strips, column = job % strips * args.columns;
        const long long left = args.n - column;
        const int count = rows * static_cast<int>(left < args.columns ? left : args.columns);
        const int *const order = member<int>(args.order, i);
        T *const from = member<T>(args.from, i) + args.from0 + column * args.ld_from;
        T *const to = member<T>(args.to, i) + args.to0 + column * args.ld_to;
        __syncthreads(); // the previous strip's lists have been read
        for (int r = threadIdx.x; r < rows; r += THREADS) {
            const int s = order[r] - 1;
            source[r] = s;
            behind[r] = s < rows ? s : order[s] - 1;
        }
        __syncthreads();
        T x[EACH], y[EACH];
#pragma unroll
        for (int e = 0; e < EACH; ++e) {
            const int k = e * THREADS + threadIdx.x, r = k % rows;
            x[e] = y[e] = make<T>(0);
            if (k >= count) continue;
            const T *const p = from + k / rows * args.ld_from;
            x[e] = p[source[r]];
            if (source[r] >= rows) y[e] = p[behind[r]];
        }
        __syncthreads();
#pragma unroll
        for (int e = 0; e < EACH; ++e) {
            const int k = e * THREADS + threadIdx.x, r = k % rows;
            if (k >= count) continue;
            to[r + k / rows * args.ld_to] = x[e];
            if (source[r] >= rows) from[source[r] + k / rows * args.ld_from] = y[e];
        }
    }
}

// out[i] = array[i] + bytes
struct ShiftPointersArgs {
    char **out;
    char *const *array;
    long long bytes, batch;
};

template <int THREADS>
__device__ __forceinline__ void shift_pointers(const ShiftPointersArgs &args) {
    for (long long i = blockIdx.x * (THREADS + 0ll) + threadIdx.x; i < args.batch; i += gridDim.x * (THREADS + 0ll))
        args.out[i] = args.array[i] + args.bytes;
}

// info of matrices, where `own` is that of the columns from `step` on; an earlier column takes precedence.
struct MergeCodesArgs {
    int *codes;
    const int *own;
    long long batch;
    int step, pad;
};

template <int THREADS>
__device__ __forceinline__ void merge_codes(const MergeCodesArgs &args) {
    for (long long i = blockIdx.x * (THREADS + 0ll) + threadIdx.x; i < args.batch; i += gridDim.x * (THREADS + 0ll))
        if (args.codes[i] == 0 && args.own[i] > 0) args.codes[i] = args.step + args.own[i];
}

} // namespace tephra

#define TEPHRA_EXCHANGE_COLUMNS(NAME, T, THREADS)                                                                      \
    TEPHRA_PLAIN_ENTRY(NAME, T, THREADS, ExchangeColumnsArgs, exchange_columns)
#define TEPHRA_PERMUTE_ROWS(NAME, T, ROWS, EACH, THREADS)                                                              \
    TEPHRA_ENTRY(NAME, Instance(THREADS).holds(ROWS, EACH *THREADS / ROWS), __launch_bounds__(THREADS),                \
                 PermuteRowsArgs, permute_rows<letter::T, ROWS, EACH, THREADS>)
#define TEPHRA_SHIFT_POINTERS(NAME, T, THREADS)                                                                        \
    TEPHRA_ENTRY(NAME, Instance(THREADS), __launch_bounds__(THREADS), ShiftPointersArgs, shift_pointers<THREADS>)
#define TEPHRA_MERGE_CODES(NAME, T, THREADS)                                                                           \
    TEPHRA_ENTRY(NAME, Instance(THREADS), __launch_bounds__(THREADS), MergeCodesArgs, merge_codes<THREADS>)
