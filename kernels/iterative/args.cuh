// What the kernels of iterative least squares are launched with (mirrored in src/gpu/gels_iterative/steps.rs).
#pragma once
#include "../common/batch.cuh"
#include "../common/scalar.cuh"
#include "../common/wide.cuh"

namespace tephra {

// Min |b - A x| for each column of B of each member; A is m x n. What is computed is in double precision whatever A's:
// `Wide`.
struct IterativeArgs {
    Operand a, b, x;
    long long lda, ldb, ldx, m;
    long long chunk;  // rows of a chunk
    long long chunks; // of A
    int n, nrhs;

    // Each for one member after another:
    void *sums;       // gram: a tile of each chunk; pass: A^H r and |r|^2 of each worker for each right-hand side
    void *gram;       // A^H A, upper triangle, scaled to a unit diagonal; then its R
    void *inverse;    // R^-1
    double *scales;   // that scale its columns; then their squared norms: n each
    int *broken;      // potrf's code
    void *vectors;    // of each right-hand side x, s, p and R^-1 p: n each, see step.cuh
    double *scalars;  // of each right-hand side: IterativeScalar
    int *states;      // of each right-hand side: IterativeState
    int *iterations;  // of each right-hand side: the caller's, or null
    void *residuals;  // likewise: the caller's, real numbers of A's precision, or null
    int *info;        // take: the caller's, or null
    const int *codes; // take: what the direct way has told
    const void
        *direct; // take: solutions by QR, below them what is left of the right-hand sides; of leading dimension m

    double tolerance;
    int workers; // of a pass, for each group of right-hand sides
    int group;   // right-hand sides of a group, at most 4
    int step;    // 0: x is 0
    int last;    // 1: no step follows
    int code;    // take: the state of all right-hand sides; 0: their own
    int tile;    // side of gram's tiles
    // gram, of a QR's panel: where it begins in its member, and the states of members of which those are left out that
    // are not in the one for which it is made again (cholqr/args.cuh); null: none.
    long long a0;
    const unsigned *again;
};

// What is kept of a right-hand side from step to step.
struct IterativeScalar {
    static constexpr int RIGHT = 0, BEFORE = 1, CONDITION = 2, MATRIX = 3, ROUNDING = 4, COUNT = 5;
};
struct IterativeState {
    static constexpr int RUNNING = 0, DONE = 1, NO_FACTOR = 2, NO_CONVERGENCE = 3, NO_WAY = 4;
};

} // namespace tephra
