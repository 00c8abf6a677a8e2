// What the LU kernels are launched with (mirrored in src/backend/cuda/getrf.rs).
#pragma once
#include "../common/batch.cuh"

namespace tephra {

// One launch of an LU factorisation.
struct GetrfArgs {
    Operand a, ipiv; // ipiv: ints, min(m, n) a matrix; p null: no interchanges
    int *info;       // may be null
    long long lda, batch;
    int m, n;    // of the matrices
    int at;      // first row and column of the panel
    int columns; // of the panel
    int first;   // of the columns beside it that follow: first .. n - 1
    int pad;

    template <typename T>
    __device__ __forceinline__ T *matrix(long long i) const {
        return member<T>(a, i);
    }
    __device__ __forceinline__ bool pivots() const { return ipiv.p != nullptr; }
    // The interchanges from row `at` on.
    __device__ __forceinline__ int *interchanges(long long i) const { return member<int>(ipiv, i) + at; }
    // first: the first zero pivot of the panel, counted from 1; 0: none. An earlier panel's stays.
    __device__ __forceinline__ void set_info(long long i, int first) const {
        if (!info) return;
        if (at == 0)
            info[i] = first;
        else if (first > 0 && info[i] == 0)
            info[i] = at + first;
    }
};

// Row interchanges of LAPACK's laswp: rows k1 .. k2 - 1, forwards or backwards, of all columns but some.
struct LaswpArgs {
    Operand a, ipiv;
    long long lda, batch, n;
    long long k1, k2;        // counted from 0
    long long first, stride; // of ipiv: that of row k1, and from one row's to the next's
    long long gap, after;    // columns gap .. after - 1 stay as they are
    int backwards;
    int pad;
};

// Systems of equations: B := op(A)^-1 B.
struct SolveArgs {
    Operand a, b, ipiv; // ipiv: n ints a matrix; p null: no interchanges
    int *info;          // of the factorisation; may be null
    long long lda, ldb, batch;
    int n, nrhs;
    int transposed, conjugate; // A^T or A^H in place of A
    int tiles;                 // of right-hand sides a matrix
    int pad;

    __device__ __forceinline__ bool pivots() const { return ipiv.p != nullptr; }
};

// The inverse of small matrices, or from their factors.
struct InverseArgs {
    Operand a, c;
    Operand ipiv; // of the factors; p null: no interchanges
    int *info;    // may be null
    long long lda, ldc, batch;
    int n;
    int pad;
};

} // namespace tephra
