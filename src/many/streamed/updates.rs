//! The updates that the factorisations consist of, as operations on matrices in a device's memory.

use super::method::RawView;
use tephra_core::routine::{Alpha, Diag, Gemm, Side, Syrk, Trans, Trsm, Uplo};
use tephra_core::scalar::C64;
use tephra_core::{Dtype, Operation};

const ONE: Alpha = number(1.0);
const MINUS_ONE: Alpha = number(-1.0);

const fn number(re: f64) -> Alpha {
    Alpha::Host(C64 { re, im: 0.0 })
}

/// The adjoint as a transposition flag: the conjugate transpose for complex types.
pub fn adjoint(dtype: Dtype) -> Trans {
    if dtype.is_complex() { Trans::C } else { Trans::T }
}

/// C := C - op(A) op(B), for an m x n C and the inner dimension k.
pub fn gemm_update(dtype: Dtype, ops: [Trans; 2], sizes: [usize; 3], matrices: [RawView; 3]) -> Operation {
    let (sizes, operands) = (sizes.map(|size| size as i64), [0, 1, 2].map(|i| matrices[i].operand()));
    let ld = [0, 1, 2].map(|i| matrices[i].ld as i64);
    Operation::Gemm(Gemm::uniform(dtype, ops, sizes, [MINUS_ONE, ONE], operands, ld, 1))
}

/// C := C - A A^H (lower) or C - A^H A (upper), of which only that triangle is computed. C has order n, and the inner
/// dimension is k.
pub fn syrk_update(dtype: Dtype, uplo: Uplo, [n, k]: [usize; 2], [a, c]: [RawView; 2]) -> Operation {
    Operation::Syrk(Syrk {
        dtype,
        hermitian: dtype.is_complex(),
        uplo,
        trans: if uplo == Uplo::Lower { Trans::N } else { adjoint(dtype) },
        n: n as i64,
        k: k as i64,
        alpha: MINUS_ONE,
        a: a.operand(),
        lda: a.ld as i64,
        beta: ONE,
        c: c.operand(),
        ldc: c.ld as i64,
        sizes: None,
        batch: 1,
    })
}

/// The parameters of a triangular matrix in a solve: its side relative to the unknowns, its triangle, its transposition
/// and whether it has a unit diagonal.
pub struct Triangle(pub Side, pub Uplo, pub Trans, pub Diag);

/// B := op(A)^-1 B, or B op(A)^-1 if A is on the right. B is m x n.
pub fn triangular_solve(dtype: Dtype, triangle: Triangle, [m, n]: [usize; 2], [a, b]: [RawView; 2]) -> Operation {
    let Triangle(side, uplo, trans, diag) = triangle;
    Operation::Trsm(Trsm {
        dtype,
        side,
        uplo,
        trans,
        diag,
        m: m as i64,
        n: n as i64,
        alpha: ONE,
        a: a.operand(),
        lda: a.ld as i64,
        b: b.operand(),
        ldb: b.ld as i64,
        sizes: None,
        batch: 1,
    })
}

/// An upper bound on the workspace, in elements, of these updates and of the factorisation of a block of this width:
/// the partial sums of products with a long inner dimension, and the two cuBLAS workspaces that factorisations of
/// large blocks use.
pub fn scratch(dtype: Dtype, rows: usize, width: usize) -> Option<usize> {
    // A long inner dimension is split into chunks, so that there are at most 528 tiles of 64 x 64 partial sums, beside
    // the remainder's.
    const SUMS: (usize, usize) = ((528 + 66) * 64 * 64, 528 + 1);
    const LARGE: usize = 256;
    const WORKSPACES: usize = 2 * (32 << 20);
    let sums = rows.checked_mul(width)?.saturating_mul(SUMS.1).min(SUMS.0);
    sums.checked_add(if width < LARGE { 0 } else { WORKSPACES / dtype.bytes() })
}
