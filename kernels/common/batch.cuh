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

// One launch of a block reflector H = I - V T V^H on a block of every matrix: C := H^H C or H C.
struct LarfbArgs {
    Operand v, tau, c;
    long long v0, tau0, c0; // first element of each, from the member's start
    long long ldv, ldc, batch;
    long long m, n;  // rows of V and of C, columns of C
    long long k;     // reflectors
    long long tiles; // blocks that share a matrix
    int adjoint;     // 1: H^H C, 0: H C
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
