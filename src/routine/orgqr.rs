//! Generation of Q in place of its reflectors.

use super::check::{Verdict, at_least, at_most, check_input_stride, check_output_stride, not_null, tau_extent};
use super::extent::Extent;
use super::{Dtype, Operand, QSizes, Routine, Shape};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched LAPACK `?orgqr` / `?ungqr`: the first n columns of Q(i) = H(1) ... H(k), which overwrite the reflectors.
#[derive(Clone, Copy, Debug)]
pub struct Orgqr {
    /// Element type.
    pub dtype: Dtype,
    /// Rows of Q, >= 0.
    pub m: i64,
    /// Columns of Q, 0 <= n <= m.
    pub n: i64,
    /// Reflectors, 0 <= k <= n.
    pub k: i64,
    /// On entry the reflectors, in its first k columns, as `geqrf` leaves them; on exit Q (m x n).
    pub a: Operand,
    /// Leading dimension of A, >= max(1, m).
    pub lda: i64,
    /// Per-member sizes. Codes are -1, -2, -3 or -5 if m, n, k or lda is the first invalid one.
    pub sizes: Option<QSizes>,
    /// k scalar factors each.
    pub tau: Operand,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

impl Routine for Orgqr {
    fn names(&self) -> &'static [&'static str] {
        match self.sizes {
            Some(_) => &["orgqr_vbatched", "ungqr_vbatched"],
            None => &["orgqr", "ungqr", "orgqr_vbatched", "ungqr_vbatched"],
        }
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(QSizes::NULL);
        Some(Orgqr { sizes, ..*self })
    }

    fn info(&self) -> *mut i32 {
        self.sizes.map_or(std::ptr::null_mut(), |sizes| sizes.info)
    }

    fn check(&self) -> Result<Verdict, Error> {
        if self.sizes.is_some() {
            QSizes::check([self.m, self.n, self.k], self.batch)?;
            return Ok(Verdict::quick_return_if(self.m == 0 || self.n == 0 || self.batch == 0));
        }
        at_least(self.m, 0, Arg::M)?;
        at_most(self.n, self.m, Arg::N)?;
        at_most(self.k, self.n, Arg::K)?;
        let others = || {
            at_least(self.lda, self.m.max(1), Arg::Lda)?;
            check_output_stride(&self.a, self.m, self.batch, Arg::StrideA)?;
            check_input_stride(&self.tau, self.batch, Arg::StrideTau)?;
            at_least(self.batch, 0, Arg::BatchCount)
        };
        let (m, n, lda) = ((self.m, Arg::M), (self.n, Arg::N), (self.lda, Arg::Lda));
        let (element, batch) = (self.dtype.bytes(), self.batch);
        Verdict::quick_return_if(self.n == 0 || self.batch == 0).after(others).check_extents([
            Extent { operand: &self.a, element, rows: m, columns: n, ld: lda, stride: Arg::StrideA, batch },
            tau_extent(&self.tau, element, (self.k, Arg::K), batch),
        ])
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.sizes.map_or(Ok(()), |sizes| sizes.refuse_nulls(false))?;
        not_null(&self.a, true, Arg::A)?;
        not_null(&self.tau, self.k > 0, Arg::Tau)
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Orgqr { m, n, k, lda, batch, .. } = self;
        write!(f, " --m {m} --n {n} --k {k} --batch {batch}")?;
        if self.sizes.is_none() { write!(f, " --lda {lda}") } else { Ok(()) }
    }

    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, m, n, batch, .. } = shape;
        let (a, tau) = (shape.operand(0), shape.operand(1));
        Orgqr { dtype, m, n, k: shape.extra.k.unwrap_or(shape.min_mn()), a, lda: shape.ld(), sizes: None, tau, batch }
    }
}
