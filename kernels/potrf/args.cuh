// What the Cholesky kernels are launched with (mirrored in src/backend/cuda/cholesky.rs).
#pragma once
#include "../common/batch.cuh"

namespace tephra {

// Hermitian matrices, of which one triangle is read and written, and right-hand sides.
struct CholeskyArgs {
    Operand a, b;
    int *info; // may be null
    long long lda, ldb, batch;
    int n, nrhs;
    int upper; // the triangle
    int at;    // first row and column of the part
    int tiles; // of right-hand sides a matrix, or of rows below a panel
    int pad;

    // info: the order of the first minor that is not positive definite, counted within the part; 0: none. That of an
    // earlier part stays.
    __device__ __forceinline__ void set_info(long long i, int first) const {
        if (!info) return;
        if (at == 0)
            info[i] = first;
        else if (first > 0 && info[i] == 0)
            info[i] = at + first;
    }
};

} // namespace tephra
