//! Application of a block reflector.

use super::check::{Verdict, at_least, at_most, check_input_stride, check_output_stride, not_null};
use super::extent::Extent;
use super::{Dtype, Operand, Routine, Shape, Side, Trans};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched LAPACK `?larfb` (forward, columnwise): C(i) := op(H(i)) C(i) or C(i) op(H(i)), H = I - V T V^H.
#[derive(Clone, Copy, Debug)]
pub struct Larfb {
    /// Element type.
    pub dtype: Dtype,
    /// Side of op(H).
    pub side: Side,
    /// op; only N or C for complex types, as in LAPACK.
    pub trans: Trans,
    /// Rows of C, >= 0.
    pub m: i64,
    /// Columns of C, >= 0.
    pub n: i64,
    /// Reflectors, 0 <= k <= order of H.
    pub k: i64,
    /// Reflectors as `geqrf` leaves them.
    pub v: Operand,
    /// Leading dimension of V.
    pub ldv: i64,
    /// Upper triangular factors, k x k, from [`Larft`] or elsewhere.
    pub t: Operand,
    /// Leading dimension of T.
    pub ldt: i64,
    /// The matrices C.
    pub c: Operand,
    /// Leading dimension of C, >= max(1, m).
    pub ldc: i64,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

impl Routine for Larfb {
    fn names(&self) -> &'static [&'static str] {
        &["larfb"]
    }

    fn check(&self) -> Result<Verdict, Error> {
        if self.dtype.is_complex() && self.trans == Trans::T {
            return Err(Arg::Trans.into());
        }
        at_least(self.m, 0, Arg::M)?;
        at_least(self.n, 0, Arg::N)?;
        let order = self.side.order(self.m, self.n);
        at_most(self.k, order.0, Arg::K)?;
        let others = || {
            at_least(self.ldv, order.0.max(1), Arg::Ldv)?;
            check_input_stride(&self.v, self.batch, Arg::StrideV)?;
            at_least(self.ldt, self.k.max(1), Arg::Ldt)?;
            check_input_stride(&self.t, self.batch, Arg::StrideT)?;
            at_least(self.ldc, self.m.max(1), Arg::Ldc)?;
            check_output_stride(&self.c, self.m, self.batch, Arg::StrideC)?;
            at_least(self.batch, 0, Arg::BatchCount)
        };
        let (m, n, k) = ((self.m, Arg::M), (self.n, Arg::N), (self.k, Arg::K));
        let (ldv, ldt, ldc) = ((self.ldv, Arg::Ldv), (self.ldt, Arg::Ldt), (self.ldc, Arg::Ldc));
        let (element, batch) = (self.dtype.bytes(), self.batch);
        Verdict::quick_return_if(self.m == 0 || self.n == 0 || self.k == 0 || self.batch == 0)
            .after(others)
            .check_extents([
                Extent { operand: &self.v, element, rows: order, columns: k, ld: ldv, stride: Arg::StrideV, batch },
                Extent { operand: &self.t, element, rows: k, columns: k, ld: ldt, stride: Arg::StrideT, batch },
                Extent { operand: &self.c, element, rows: m, columns: n, ld: ldc, stride: Arg::StrideC, batch },
            ])
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        not_null(&self.v, true, Arg::V)?;
        not_null(&self.t, true, Arg::T)?;
        not_null(&self.c, true, Arg::C)
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Larfb { side, trans, m, n, k, ldv, ldt, ldc, batch, .. } = self;
        write!(f, " --side {side} --trans {trans}")?;
        write!(f, " --m {m} --n {n} --k {k} --batch {batch} --ldv {ldv} --ldt {ldt} --ldc {ldc}")
    }

    fn of_shape(shape: &Shape) -> Self {
        /// Number of columns of a block reflector.
        const PANEL: i64 = 32;
        let &Shape { dtype, m, n, batch, extra, .. } = shape;
        let (side, trans, k, ld) =
            (Side::Left, extra.trans.unwrap_or(shape.adjoint()), extra.k.unwrap_or(m.min(PANEL)), shape.ld());
        let (v, t, c) = (shape.operand(0), shape.operand(1), shape.operand(2));
        Larfb { dtype, side, trans, m, n, k, v, ldv: ld, t, ldt: k.max(1), c, ldc: ld, batch }
    }
}
