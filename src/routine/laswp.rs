//! Row interchanges.

use super::check::{Verdict, at_least, check_input_stride, check_output_stride, ipiv_extent, not_null};
use super::extent::Extent;
use super::{Dtype, LaswpSizes, Operand, Routine, Shape, sizes};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched LAPACK `?laswp`: for j = k1..k2, exchanges row j of A(i) with row `ipiv[index(j) - 1]`. All are counted from
/// 1.
///
/// The order is k1, ..., k2 if incx > 0, and k2, ..., k1, which undoes the former, if incx < 0. Nothing is done if incx
/// = 0. index(j) is k1 + (j - k1) |incx|.
#[derive(Clone, Copy, Debug)]
pub struct Laswp {
    /// Element type.
    pub dtype: Dtype,
    /// Columns, >= 0.
    pub n: i64,
    /// The matrices. They must have at least k2 rows, and all rows that the interchanges name.
    pub a: Operand,
    /// Leading dimension, >= max(1, k2).
    pub lda: i64,
    /// First row to exchange, >= 1.
    pub k1: i64,
    /// Last row to exchange. If it is less than k1, nothing is done.
    pub k2: i64,
    /// k1 + (k2 - k1) |incx| C ints each.
    pub ipiv: Operand,
    /// Distance between consecutive interchanges; its sign gives the order.
    pub incx: i64,
    /// Per-member numbers of columns and last rows. Members whose sizes are invalid are left untouched.
    pub sizes: Option<LaswpSizes>,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

impl Laswp {
    /// The length of ipiv if there is work. It saturates on overflow, which the extent check then refuses.
    fn ipiv_length(&self) -> i64 {
        let step = i64::try_from(self.incx.unsigned_abs()).unwrap_or(i64::MAX);
        self.k2.saturating_sub(self.k1).saturating_mul(step).saturating_add(self.k1)
    }
}

impl Routine for Laswp {
    fn names(&self) -> &'static [&'static str] {
        if self.sizes.is_some() { &["laswp_vbatched"] } else { &["laswp", "laswp_vbatched"] }
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(LaswpSizes::NULL);
        Some(Laswp { sizes, ..*self })
    }

    fn check(&self) -> Result<Verdict, Error> {
        if self.sizes.is_some() {
            at_least(self.n, 0, Arg::MaxN)?;
            at_least(self.k2, 0, Arg::MaxK2)?;
            at_least(self.k1, 1, Arg::K1)?;
            sizes::check_batch_count(self.batch)?;
            return Ok(Verdict::quick_return_if(self.n == 0 || self.k2 < self.k1 || self.incx == 0 || self.batch == 0));
        }
        at_least(self.n, 0, Arg::N)?;
        let others = || {
            at_least(self.lda, self.k2.max(1), Arg::Lda)?;
            check_output_stride(&self.a, self.k2, self.batch, Arg::StrideA)?;
            at_least(self.k1, 1, Arg::K1)?;
            check_input_stride(&self.ipiv, self.batch, Arg::StrideIpiv)?;
            at_least(self.batch, 0, Arg::BatchCount)
        };
        let nothing_to_do = self.n == 0 || self.k2 < self.k1 || self.incx == 0 || self.batch == 0;
        let (rows, columns, ld, batch) = ((self.k2, Arg::K2), (self.n, Arg::N), (self.lda, Arg::Lda), self.batch);
        Verdict::quick_return_if(nothing_to_do).after(others).check_extents([
            Extent { operand: &self.a, element: self.dtype.bytes(), rows, columns, ld, stride: Arg::StrideA, batch },
            ipiv_extent(&self.ipiv, (self.ipiv_length(), Arg::Incx), batch),
        ])
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.sizes.map_or(Ok(()), |sizes| sizes.refuse_nulls())?;
        not_null(&self.a, true, Arg::A)?;
        not_null(&self.ipiv, true, Arg::Ipiv)
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Laswp { n, lda, k1, k2, incx, batch, .. } = self;
        write!(f, " --n {n} --batch {batch}")?;
        if self.sizes.is_none() {
            write!(f, " --lda {lda}")?;
        }
        write!(f, " --k1 {k1} --k2 {k2} --incx {incx}")
    }

    /// The interchanges of a whole factorisation.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, n, batch, .. } = shape;
        let (a, ipiv) = (shape.operand(0), shape.operand(1));
        Laswp { dtype, n, a, lda: shape.ld(), k1: 1, k2: shape.min_mn(), ipiv, incx: 1, sizes: None, batch }
    }
}
