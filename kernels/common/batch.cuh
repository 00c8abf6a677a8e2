// Operands of a batch, as the host passes them (mirrored in src/backend/cuda/args.rs).
#pragma once

namespace tephra {

struct Operand {
    void *p;          // pointer array, or start of member 0
    long long stride; // elements from one member to the next; unused for pointer arrays
    int pointers;     // 1: p is an array of pointers
    int pad;
};

template <typename T>
__device__ __forceinline__ T *member(const Operand &o, long long i) {
    return o.pointers ? static_cast<T *const *>(o.p)[i] : static_cast<T *>(o.p) + i * o.stride;
}

// One launch of the QR family: an m x n block at (row0, col0) of every matrix; tau starts at col0.
struct GeqrfArgs {
    Operand a, tau;
    int *info; // set to 0 when not null
    long long lda, batch;
    long long m, n;
    long long row0, col0;
};

// One launch of a block reflector H = I - V T V^H on a block D of every matrix: D := H^H D or H D.
// D is C, or C^T where `turned`, or its conjugate.
struct LarfbArgs {
    Operand v, tau, t, c;
    long long v0, tau0, t0, c0; // first element of each, from the member's start
    long long ldv, ldt, ldc, batch;
    long long m, n;     // rows of V and of D, columns of D
    long long k;        // reflectors
    long long tiles;    // clusters that share a matrix; 0: all clusters share all matrices in equal parts
    long long identity; // D's first columns, as many, are those of the identity whatever C holds; they may be V's own,
                        // and are written last
    long long diagonal; // row in which the first of them has its one
    int zeros;          // rows at the top of D's other columns that are zero whatever C holds
    int adjoint;        // 1: H^H D, 0: H D
    int turned, conjugate;
    int given; // 1: T is read, 0: formed from V and tau
    int pad;
};

// Q from its reflectors, or A = Q R with explicit factors, of small matrices in one launch.
struct QArgs {
    Operand a, tau, q, r; // tau.p may be null where A is factored
    Operand f;            // where matrices are factored that the short formulas do not cover: Q, R or scratch
    long long lda, ldq, ldr, ldf, batch;
    long long m, n;    // A: m x n
    long long k;       // reflectors
    long long columns; // of Q; 0: not wanted
    long long rows;    // of R
    long long offset;  // q_team and q_strip: first row and column of A, and first of tau, where the reflectors are
    int factor;        // 1: A = Q R, 0: A holds the reflectors, in place of which Q goes
    int pad;
};

struct CopyArgs {
    Operand from, to;
    long long ld_from, ld_to, batch;
    long long rows, columns;
    int triangle; // 1: zeros below the diagonal
    int pad;
};

struct ExtractArgs {
    GeqrfArgs qr;
    Operand r, t;
    long long ldr, ldt, nb;
    int diagonal_blocks; // 1: only nb x nb blocks of R, side by side
    int separate;        // 1: A's panels keep only V, with a unit diagonal and zeros above
};

} // namespace tephra
