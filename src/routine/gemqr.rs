//! Application of the Q of `geqr`.

use super::check::{Verdict, at_least, at_most, check_input_stride, check_output_stride, not_null};
use super::extent::Extent;
use super::geqr::{needed_tsize, t_extent};
use super::ormqr::Ormqr;
use super::tree::{Panels, t_elements};
use super::{Dtype, Operand, Routine, Shape, Side, Trans};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// LAPACK `?gemqr`: C(i) := op(Q(i)) C(i) or C(i) op(Q(i)), where Q is as `geqr` left it.
///
/// For complex types LAPACK has only op N and C; `T` (C := Q^T C) is supported as well.
#[derive(Clone, Copy, Debug)]
pub struct Gemqr {
    /// Element type.
    pub dtype: Dtype,
    /// Side of op(Q).
    pub side: Side,
    /// op.
    pub trans: Trans,
    /// Rows of C, >= 0.
    pub m: i64,
    /// Columns of C, >= 0.
    pub n: i64,
    /// min(m, n) of the `geqr` call, 0 <= k <= the order of Q (m for Left, n for Right).
    pub k: i64,
    /// The output A of `geqr`, order(Q) x k, as a strided batch. Only read.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, order of Q).
    pub lda: i64,
    /// The output T of `geqr`, as a strided batch.
    pub t: Operand,
    /// Number of elements of each T, at least what `geqr` needs.
    pub tsize: i64,
    /// The matrices C.
    pub c: Operand,
    /// Leading dimension of C, >= max(1, m).
    pub ldc: i64,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

impl Gemqr {
    /// The panels of Q, if Q is stored as trees.
    pub fn panels(&self) -> Option<Panels> {
        Panels::of(self.dtype, self.side.order(self.m, self.n).0, self.k)
    }

    /// Number of columns of C, or of its transpose for Side::Right, so that Q is applied from the left.
    pub fn columns(&self) -> i64 {
        if self.side == Side::Left { self.n } else { self.m }
    }

    /// The equivalent `ormqr` if Q is stored as by LAPACK's geqrf; T then begins with tau.
    pub fn application(&self) -> Ormqr {
        let &Gemqr { dtype, side, trans, m, n, k, a, lda, t: tau, c, ldc, batch, .. } = self;
        Ormqr { dtype, side, trans, m, n, k, a, lda, tau, c, ldc, batch, sizes: None }
    }
}

impl Routine for Gemqr {
    fn names(&self) -> &'static [&'static str] {
        &["gemqr"]
    }

    fn check(&self) -> Result<Verdict, Error> {
        at_least(self.m, 0, Arg::M)?;
        at_least(self.n, 0, Arg::N)?;
        let order = self.side.order(self.m, self.n);
        at_most(self.k, order.0, Arg::K)?;
        let needed = needed_tsize(self.dtype, order, self.k)?;
        let others = || {
            at_least(self.lda, order.0.max(1), Arg::Lda)?;
            check_input_stride(&self.a, self.batch, Arg::StrideA)?;
            at_least(self.tsize, needed, Arg::Tsize)?;
            check_input_stride(&self.t, self.batch, Arg::StrideT)?;
            at_least(self.ldc, self.m.max(1), Arg::Ldc)?;
            check_output_stride(&self.c, self.m, self.batch, Arg::StrideC)?;
            at_least(self.batch, 0, Arg::BatchCount)
        };
        let (m, n, k) = ((self.m, Arg::M), (self.n, Arg::N), (self.k, Arg::K));
        let (lda, ldc) = ((self.lda, Arg::Lda), (self.ldc, Arg::Ldc));
        let (element, batch) = (self.dtype.bytes(), self.batch);
        Verdict::quick_return_if(self.m == 0 || self.n == 0 || self.k == 0 || self.batch == 0)
            .after(others)
            .check_extents([
                Extent { operand: &self.a, element, rows: order, columns: k, ld: lda, stride: Arg::StrideA, batch },
                t_extent(&self.t, self.dtype, needed, batch),
                t_extent(&self.t, self.dtype, self.tsize, 1),
                Extent { operand: &self.c, element, rows: m, columns: n, ld: ldc, stride: Arg::StrideC, batch },
            ])
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        not_null(&self.a, true, Arg::A)?;
        not_null(&self.t, true, Arg::T)?;
        not_null(&self.c, true, Arg::C)
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Gemqr { side, trans, m, n, k, lda, ldc, batch, .. } = self;
        write!(f, " --side {side} --trans {trans}")?;
        write!(f, " --m {m} --n {n} --k {k} --batch {batch} --lda {lda} --ldc {ldc}")
    }

    fn of_shape(shape: &Shape) -> Self {
        let p = Ormqr::of_shape(shape);
        let Ormqr { dtype, side, trans, m, n, k, a, lda, tau: t, c, ldc, batch, .. } = p;
        let tsize = t_elements(dtype, m, k).unwrap_or(i64::MAX);
        Gemqr { dtype, side, trans, m, n, k, a, lda, t, tsize, c, ldc, batch }
    }
}
