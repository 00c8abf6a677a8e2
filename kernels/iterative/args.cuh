// Arguments of the kernels of iterative least squares (mirrored in src/gpu/gels_iterative/steps.rs).
#pragma once
#include "../common/batch.cuh"
#include "../common/scalar.cuh"
#include "../common/wide.cuh"

namespace tephra {

// Minimises |b - A x| for each column b of B of each member; A is m x n. Computations are in double precision (`Wide`)
// for any precision of A.
struct IterativeArgs {
    Operand a, b, x;
    long long lda, ldb, ldx, m;
    long long chunk;  // rows of a chunk
    long long chunks; // of A
    int n, nrhs;

    // Each of these for one member after another:
    void *sums;         // gram: a tile per chunk; pass: per right-hand side and worker, A^H r and |r|^2
    void *gram;         // upper triangle of A^H A, scaled to a unit diagonal; later its R
    void *inverse;      // R^-1
    double *scales;     // scaling factors of A's columns, then their squared norms: n each
    int *broken;        // potrf's info
    void *vectors;      // per right-hand side x, s, p and R^-1 p: n each, see step.cuh
    double *scalars;    // per right-hand side: IterativeScalar
    int *states;        // per right-hand side: IterativeState
    int *iterations;    // per right-hand side: the caller's, or null
    void *residuals;    // the same, real numbers of A's precision
    int *info;          // take: the caller's, or null
    const int *codes;   // take: info of the direct method
    const void *direct; // take: solutions by QR, residuals below; leading dimension m

    double tolerance;
    int workers; // of a pass, per group of right-hand sides
    int group;   // right-hand sides of a group, at most 4
    int step;    // 0: x is zero
    int last;    // 1: no step follows
    int code;    // take: the state of all right-hand sides; 0: their own
    int tile;    // side of gram's tiles
    // gram, for a panel of a QR: the panel's start in its member, and the members' states (cholqr/args.cuh). Members
    // that are not waiting for a second Gram matrix are skipped. null: none are skipped.
    long long a0;
    const unsigned *again;
};

// What is kept for a right-hand side from step to step.
struct IterativeScalar {
    static constexpr int RIGHT = 0, BEFORE = 1, CONDITION = 2, MATRIX = 3, ROUNDING = 4, COUNT = 5;
};
struct IterativeState {
    static constexpr int RUNNING = 0, DONE = 1, NO_FACTOR = 2, NO_CONVERGENCE = 3, NO_WAY = 4;
};

} // namespace tephra
