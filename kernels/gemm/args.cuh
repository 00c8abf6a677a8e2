// What the matrix products are launched with (mirrored in src/backend/cuda/gemm.rs).
#pragma once
#include "../common/batch.cuh"

namespace tephra {

// C := alpha op(A) op(B) + beta C. What op is, strides and conjugations say: op(A)(i, l) is at a0 + i ars + l acs of a
// member of A, op(B)(l, j) at b0 + l brs + j bcs of one of B, C(i, j) at c0 + i + j ldc.
struct GemmArgs {
    Operand a, b, c;
    double alpha_re, alpha_im, beta_re, beta_im;
    long long a0, ars, acs;
    long long b0, brs, bcs;
    long long c0, ldc;
    long long batch;
    int m, n, k; // op(A): m x k, op(B): k x n
    int conj_a, conj_b;
    int pad;
};

} // namespace tephra
