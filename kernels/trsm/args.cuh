// Arguments of the triangular solves, and of products with triangles.
#pragma once
#include "../common/batch.cuh"
#include "../common/scalar.cuh"

namespace tephra {

// One launch of the triangular solve in its canonical form T X = alpha B with T lower triangular: T(i, j) is at a0 + i
// ars + j acs of a member of A, B(i, j) at b0 + i brs + j bcs of a member of B. Strides express sides, triangles and
// transposes; they are negative where the order of the unknowns is reversed (mirrored in src/gpu/args/).
struct TrsmArgs {
    Operand a, b;
    const void *alpha; // alpha in device memory, or null
    double alpha_re, alpha_im;
    long long a0, ars, acs;
    long long b0, brs, bcs;
    long long order, nrhs, batch;
    long long tiles; // of right-hand sides, per matrix
    int conj, unit;
};

// a, conjugated if `conjugate`.
template <typename T>
__device__ __forceinline__ T conj_if(T a, bool conjugate) {
    if constexpr (is_complex<T>)
        return {a.x, conjugate ? -a.y : a.y};
    else
        return a;
}

} // namespace tephra
