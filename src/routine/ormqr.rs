//! Application of Q from a QR factorisation.

use super::check::{Verdict, at_least, at_most, check_input_stride, check_output_stride, not_null, tau_extent};
use super::extent::Extent;
use super::{Dtype, Operand, QSizes, Routine, Shape, Side, Trans};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched LAPACK `?ormqr` / `?unmqr`: C(i) := op(Q(i)) C(i) or C(i) op(Q(i)).
///
/// For complex types LAPACK has only op N and C; `T` (C := Q^T C) is supported as well.
#[derive(Clone, Copy, Debug)]
pub struct Ormqr {
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
    /// Reflectors, 0 <= k <= the order of Q (m for Left, n for Right).
    pub k: i64,
    /// Reflectors as `geqrf` leaves them, order(Q) x k. Only the part below the diagonal is read; nothing is written.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, order of Q).
    pub lda: i64,
    /// k scalar factors each.
    pub tau: Operand,
    /// The matrices C.
    pub c: Operand,
    /// Leading dimension of C, >= max(1, m).
    pub ldc: i64,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Per-member sizes. Codes are -3, -4, -5, -7 or -10 if m, n, k, lda or ldc is the first invalid one.
    pub sizes: Option<QSizes>,
}

impl Routine for Ormqr {
    fn names(&self) -> &'static [&'static str] {
        match self.sizes {
            Some(_) => &["ormqr_vbatched", "unmqr_vbatched"],
            None => &["ormqr", "unmqr", "ormqr_vbatched", "unmqr_vbatched"],
        }
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(QSizes::NULL);
        Some(Ormqr { sizes, ..*self })
    }

    fn info(&self) -> *mut i32 {
        self.sizes.map_or(std::ptr::null_mut(), |sizes| sizes.info)
    }

    fn check(&self) -> Result<Verdict, Error> {
        if self.sizes.is_some() {
            QSizes::check([self.m, self.n, self.k], self.batch)?;
            return Ok(Verdict::quick_return_if(self.m == 0 || self.n == 0 || self.k == 0 || self.batch == 0));
        }
        at_least(self.m, 0, Arg::M)?;
        at_least(self.n, 0, Arg::N)?;
        let order = self.side.order(self.m, self.n);
        at_most(self.k, order.0, Arg::K)?;
        let others = || {
            at_least(self.lda, order.0.max(1), Arg::Lda)?;
            check_input_stride(&self.a, self.batch, Arg::StrideA)?;
            check_input_stride(&self.tau, self.batch, Arg::StrideTau)?;
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
                tau_extent(&self.tau, element, k, batch),
                Extent { operand: &self.c, element, rows: m, columns: n, ld: ldc, stride: Arg::StrideC, batch },
            ])
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.sizes.map_or(Ok(()), |sizes| sizes.refuse_nulls(true))?;
        not_null(&self.a, true, Arg::A)?;
        not_null(&self.tau, true, Arg::Tau)?;
        not_null(&self.c, true, Arg::C)
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Ormqr { side, trans, m, n, k, lda, ldc, batch, .. } = self;
        write!(f, " --side {side} --trans {trans}")?;
        write!(f, " --m {m} --n {n} --k {k} --batch {batch}")?;
        if self.sizes.is_none() { write!(f, " --lda {lda} --ldc {ldc}") } else { Ok(()) }
    }

    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, m, n, batch, .. } = shape;
        let (k, ld, side, trans) = (
            shape.extra.k.unwrap_or(shape.min_mn()),
            shape.ld(),
            Side::Left,
            shape.extra.trans.unwrap_or(shape.adjoint()),
        );
        let (a, tau, c) = (shape.operand(0), shape.operand(1), shape.operand(2));
        Ormqr { dtype, side, trans, m, n, k, a, lda: ld, tau, c, ldc: ld, batch, sizes: None }
    }
}
