// A matrix that is factored on its way from one place to another: A is read elsewhere than where V goes, or R goes
// elsewhere (GeqrfArgs::FROM, R). What only such calls need is here, as calls: ordinary ones must not carry it.
#pragma once
#include "../common/batch.cuh"
#include "../common/scalar.cuh"

namespace tephra {

// f(row, column) for each row first(column) <= row < last(column) of n columns: by a block, a warp a column.
template <typename First, typename Last, typename F>
__device__ __forceinline__ void block_columns(int n, First first, Last last, F f) {
    for (int j = threadIdx.x / 32; j < n; j += blockDim.x / 32) {
        const long long end = last(j);
#pragma unroll 4
        for (long long i = first(j) + threadIdx.x % 32; i < end; i += 32) f(i, j);
    }
}

// Zeros below the diagonal of R's n columns, down to `rows`.
template <typename T>
__device__ __noinline__ void clear_below_call(Place<T> r, long long rows, int n) {
    block_columns(
        n, [](int j) { return j + 1; }, [&](int) { return rows; },
        [&](long long i, int j) { r.p[j * r.ld + i] = make<T>(0); });
}

// Columns first .. n - 1 of a matrix of m rows from where A is read to where it is factored.
template <typename T>
__device__ __noinline__ void bring_call(Place<T> from, Place<T> to, int m, int first, int n) {
    const T *const p = from.p + first * from.ld;
    T *const q = to.p + first * to.ld;
    __syncthreads();
    block_columns(
        n - first, [](int) { return 0; }, [&](int) { return m; },
        [&](long long i, int j) { q[j * to.ld + i] = p[j * from.ld + i]; });
    __syncthreads();
}

// R's columns first .. n - 1 from where A was factored to where R goes.
template <typename T>
__device__ __noinline__ void take_r_call(Place<T> from, Place<T> to, int m, int first, int n) {
    __syncthreads();
    block_columns(
        n - first, [](int) { return 0; }, [&](int j) { return first + j < m ? first + j + 1 : m; },
        [&](long long i, int j) { to.p[(first + j) * to.ld + i] = from.p[(first + j) * from.ld + i]; });
    __syncthreads();
}

} // namespace tephra
