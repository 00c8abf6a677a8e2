//! Every triangular problem in one form: whatever the side, triangle and transposition, a lower triangle T on the left,
//! addressed by strides that may be negative.

use super::trmm::Trmm;
use super::trsm::Trsm;
use super::trsv::Trsv;
use super::trtri::Trtri;
use super::{Alpha, Diag, Side, Trans, Uplo};
use crate::scalar::C64;

/// Addresses of the canonical problem T X = B, in elements: T(i, j) is at `a0 + i ars + j acs` of a member of A, B(i,
/// j) at `b0 + i brs + j bcs` of a member of B. The unknowns of an upper triangle are numbered from the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// Offset of T(0, 0).
    pub a0: i64,
    /// Distance between rows of T.
    pub ars: i64,
    /// Distance between columns of T.
    pub acs: i64,
    /// Offset of B(0, 0).
    pub b0: i64,
    /// Distance between rows of B.
    pub brs: i64,
    /// Distance between right-hand sides.
    pub bcs: i64,
    /// Number of unknowns.
    pub order: i64,
    /// Number of right-hand sides.
    pub nrhs: i64,
    /// Whether T's elements are conjugated.
    pub conj: bool,
    /// Whether T's diagonal is implicitly ones.
    pub unit: bool,
}

impl Canonical {
    /// The canonical form of `p`. X op(A) = B is solved as op(A)^T X^T = B^T.
    #[inline]
    pub fn of(p: &Trsm) -> Canonical {
        let left = p.side == Side::Left;
        let (order, nrhs) = if left { (p.m, p.n) } else { (p.n, p.m) };
        let (mut ars, mut acs) = if left == (p.trans == Trans::N) { (1, p.lda) } else { (p.lda, 1) };
        let (mut brs, bcs) = if left { (1, p.ldb) } else { (p.ldb, 1) };
        let lower = ((p.uplo == Uplo::Lower) == (p.trans == Trans::N)) == left;
        let (mut a0, mut b0) = (0, 0);
        if !lower {
            (a0, b0) = ((order - 1) * (ars + acs), (order - 1) * brs);
            (ars, acs, brs) = (-ars, -acs, -brs);
        }
        let conj = p.trans == Trans::C && p.dtype.is_complex();
        Canonical { a0, ars, acs, b0, brs, bcs, order, nrhs, conj, unit: p.diag == Diag::Unit }
    }

    /// The canonical form of trmm, as that of the solve that undoes it: B := T B.
    #[inline]
    pub fn of_product(p: &Trmm) -> Canonical {
        Canonical::of(&p.system())
    }

    /// The canonical form of trsv: x is the only column of B.
    pub fn of_vector(p: &Trsv) -> Canonical {
        let &Trsv { n, incx, .. } = p;
        let c = Canonical::of(&p.system());
        // The order of the unknowns in memory is reversed by the canonical form, by the increment, or by both.
        let reversed = (c.brs < 0) != (incx < 0);
        let step = incx.abs();
        let (b0, brs) = if reversed { ((n - 1) * step, -step) } else { (0, step) };
        Canonical { b0, brs, ..c }
    }

    /// The canonical form of trtri: B has the layout of T, because the inverse overwrites T.
    pub fn of_inverse(p: &Trtri) -> Canonical {
        let &Trtri { dtype, uplo, diag, n, a, lda, batch, .. } = p;
        let (side, trans, alpha) = (Side::Left, Trans::N, Alpha::Host(C64 { re: 1.0, im: 0.0 }));
        let c = Canonical::of(&Trsm {
            dtype,
            side,
            uplo,
            trans,
            diag,
            m: n,
            n,
            alpha,
            a,
            lda,
            b: a,
            ldb: lda,
            sizes: None,
            batch,
        });
        Canonical { b0: c.a0, brs: c.ars, bcs: c.acs, ..c }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dtype, Operand};

    fn problem(side: Side, uplo: Uplo, trans: Trans, m: i64, n: i64) -> Trsm {
        let null = Operand::Strided { base: std::ptr::null_mut(), stride: 0 };
        let order = if side == Side::Left { m } else { n };
        let (lda, ldb) = (order + 2, m + 1);
        let alpha = Alpha::Host(C64 { re: 1.0, im: 0.0 });
        let diag = Diag::NonUnit;
        Trsm {
            dtype: Dtype::Z,
            side,
            uplo,
            trans,
            diag,
            m,
            n,
            alpha,
            a: null,
            lda,
            b: null,
            ldb,
            sizes: None,
            batch: 1,
        }
    }

    /// Every element of op(A)'s triangle and of B must be where the canonical form says, and nothing else may be read.
    #[test]
    fn strides_name_the_triangle() {
        for side in [Side::Left, Side::Right] {
            for uplo in [Uplo::Upper, Uplo::Lower] {
                for trans in [Trans::N, Trans::T, Trans::C] {
                    for (m, n) in [(1, 1), (5, 3), (3, 5)] {
                        let p = problem(side, uplo, trans, m, n);
                        check(&p, &Canonical::of(&p));
                    }
                }
            }
        }
    }

    fn check(p: &Trsm, c: &Canonical) {
        // The canonical unknown i is unknown u(i) of the caller.
        let reversed = c.brs < 0;
        let u = |i: i64| if reversed { c.order - 1 - i } else { i };
        for i in 0..c.order {
            for j in 0..=i {
                let place = c.a0 + i * c.ars + j * c.acs;
                let (row, col) = (place % p.lda, place / p.lda);
                assert!(if p.uplo == Uplo::Upper { row <= col } else { row >= col }, "{p:?}: T({i}, {j})");
                // op(A) X = B couples equation u(i) with unknown u(j); in X op(A) = B that is op(A)^T.
                let transposed = (p.trans != Trans::N) != (p.side == Side::Right);
                let (r, s) = if transposed { (u(j), u(i)) } else { (u(i), u(j)) };
                assert_eq!((row, col), (r, s), "{p:?}: T({i}, {j})");
            }
            for j in 0..c.nrhs {
                let (r, s) = if p.side == Side::Left { (u(i), j) } else { (j, u(i)) };
                assert_eq!(c.b0 + i * c.brs + j * c.bcs, r + s * p.ldb);
            }
        }
        assert_eq!(c.conj, p.trans == Trans::C);
    }
}
