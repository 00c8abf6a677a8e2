//! The triangular factor of a block reflector.

use super::check::{Verdict, at_least, at_most, check_input_stride, check_output_stride, not_null, tau_extent};
use super::extent::Extent;
use super::{Dtype, Operand, Routine, Shape};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched LAPACK `?larft` (forward, columnwise): the upper triangular factor T of H(1) ... H(k) = I - V T V^H. The
/// strictly lower part of T is set to zero.
#[derive(Clone, Copy, Debug)]
pub struct Larft {
    /// Element type.
    pub dtype: Dtype,
    /// Rows of V, >= 0.
    pub m: i64,
    /// Reflectors, 0 <= k <= m.
    pub k: i64,
    /// Reflectors as `geqrf` leaves them. The part on and above the diagonal is not read.
    pub v: Operand,
    /// Leading dimension of V, >= max(1, m).
    pub ldv: i64,
    /// k scalar factors each.
    pub tau: Operand,
    /// Receives T, k x k.
    pub t: Operand,
    /// Leading dimension of T, >= max(1, k).
    pub ldt: i64,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

impl Routine for Larft {
    fn names(&self) -> &'static [&'static str] {
        &["larft"]
    }

    fn check(&self) -> Result<Verdict, Error> {
        at_least(self.m, 0, Arg::M)?;
        at_most(self.k, self.m, Arg::K)?;
        let others = || {
            at_least(self.ldv, self.m.max(1), Arg::Ldv)?;
            check_input_stride(&self.v, self.batch, Arg::StrideV)?;
            check_input_stride(&self.tau, self.batch, Arg::StrideTau)?;
            at_least(self.ldt, self.k.max(1), Arg::Ldt)?;
            check_output_stride(&self.t, self.k, self.batch, Arg::StrideT)?;
            at_least(self.batch, 0, Arg::BatchCount)
        };
        let (m, k, element, batch) = ((self.m, Arg::M), (self.k, Arg::K), self.dtype.bytes(), self.batch);
        let (ldv, ldt) = ((self.ldv, Arg::Ldv), (self.ldt, Arg::Ldt));
        Verdict::quick_return_if(self.k == 0 || self.batch == 0).after(others).check_extents([
            Extent { operand: &self.v, element, rows: m, columns: k, ld: ldv, stride: Arg::StrideV, batch },
            tau_extent(&self.tau, element, k, batch),
            Extent { operand: &self.t, element, rows: k, columns: k, ld: ldt, stride: Arg::StrideT, batch },
        ])
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        not_null(&self.v, true, Arg::V)?;
        not_null(&self.tau, true, Arg::Tau)?;
        not_null(&self.t, true, Arg::T)
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Larft { m, k, ldv, ldt, batch, .. } = self;
        write!(f, " --m {m} --k {k} --batch {batch} --ldv {ldv} --ldt {ldt}")
    }

    /// `n` becomes the number of reflectors.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, m, n, batch, .. } = shape;
        let (v, tau, t) = (shape.operand(0), shape.operand(1), shape.operand(2));
        let k = shape.extra.k.unwrap_or(n);
        Larft { dtype, m, k, v, ldv: shape.ld(), tau, t, ldt: k.max(1), batch }
    }
}
