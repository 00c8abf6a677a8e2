// NaN, the result in place of solutions and inverses that do not exist.
#pragma once
#include "../common/scalar.cuh"

namespace tephra {

// NaN in all parts.
template <typename T>
__device__ __forceinline__ T not_a_number() {
    const Real<T> nan = static_cast<Real<T>>(NAN);
    return make<T>(nan, nan);
}

// Sets all of a thread's elements to NaN.
template <typename T, int M, int N>
__device__ __forceinline__ void make_nan(T (&a)[M][N]) {
#pragma unroll
    for (int r = 0; r < M; ++r)
#pragma unroll
        for (int c = 0; c < N; ++c) a[r][c] = not_a_number<T>();
}

} // namespace tephra
