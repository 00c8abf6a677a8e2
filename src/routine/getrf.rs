//! LU factorisation.

use super::check::{Verdict, at_least, at_most, check_output_stride, ipiv_extent, not_null};
use super::extent::Extent;
use super::{Dtype, Operand, Routine, Shape, Sizes, Workspace};
use crate::error::{Arg, Error};
use std::ffi::c_void;
use std::fmt::{self, Formatter};

/// Batched LU, LAPACK `?getrf`: A(i) = P(i) L(i) U(i) in place; without pivoting P is the identity.
///
/// On exit U is on and above the diagonal of A, and L below it; L's unit diagonal is not stored. The pivot of a column
/// is the first of its largest elements by |re| + |im|, where a NaN counts as 0. If the pivot is 0, the column is not
/// divided by it and the factorisation continues.
#[derive(Clone, Copy, Debug)]
pub struct Getrf {
    /// Element type of A.
    pub dtype: Dtype,
    /// Rows, >= 0.
    pub m: i64,
    /// Columns, >= 0.
    pub n: i64,
    /// The matrices, column-major, `lda * n` elements each (rows m..lda are never touched).
    pub a: Operand,
    /// Leading dimension, >= max(1, m).
    pub lda: i64,
    /// Per-member sizes. If those of a member are invalid, only its code is written: -1, -2 or -4 if m, n or lda is the
    /// first invalid one.
    pub sizes: Option<Sizes>,
    /// Whether rows are exchanged.
    pub pivoting: bool,
    /// Replacement of small pivots. Only used in variable-size batches without pivoting.
    pub small: SmallPivots,
    /// min(m, n) C ints each, as in LAPACK: for j = 1, 2, ... in turn, row j was exchanged with row `ipiv[j - 1]`.
    /// Ignored without pivoting.
    pub ipiv: Operand,
    /// One status code per matrix, in the backend's memory: 0, or j if the j-th diagonal element of U is the first that
    /// is exactly zero. NULL if not wanted.
    pub info: *mut i32,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Workspace.
    pub work: Workspace,
}

/// Replacement of small pivots: a pivot with |re| + |im| below a threshold is replaced by the threshold, with the sign
/// of the pivot's real part. The code of a member whose threshold is positive is the number of replaced pivots. Source:
/// MAGMA's `getrf_nopiv_expert_vbatched`.
#[derive(Clone, Copy, Debug)]
pub struct SmallPivots {
    /// Per-member thresholds, in the backend's memory and A's real type. If NULL, `threshold` is used for every member.
    pub thresholds: *const c_void,
    /// Common threshold; no pivot is replaced if it is 0 or negative.
    pub threshold: f64,
}

impl SmallPivots {
    /// Replaces no pivots.
    pub const KEEP: SmallPivots = SmallPivots { thresholds: std::ptr::null(), threshold: 0.0 };

    /// The threshold of member i, from arrays in host memory.
    ///
    /// # Safety
    /// `thresholds` must be NULL, or an array of `dtype`'s real type that is valid for reads at index `i`.
    pub unsafe fn member(&self, i: usize, dtype: Dtype) -> f64 {
        match (self.thresholds.is_null(), dtype) {
            (true, _) => self.threshold,
            (false, Dtype::S | Dtype::C) => unsafe { *self.thresholds.cast::<f32>().add(i) }.into(),
            (false, Dtype::D | Dtype::Z) => unsafe { *self.thresholds.cast::<f64>().add(i) },
        }
    }
}

impl Getrf {
    /// The factorisation of m x n matrices at `a` with leading dimension `lda`. `ipiv` is `None` without pivoting.
    /// There are no codes and no workspace.
    pub fn of(dtype: Dtype, (m, n): (i64, i64), (a, lda): (Operand, i64), ipiv: Option<Operand>, batch: i64) -> Getrf {
        let (pivoting, ipiv) = (ipiv.is_some(), ipiv.unwrap_or(Operand::NULL));
        let (sizes, small, info, work) = (None, SmallPivots::KEEP, std::ptr::null_mut(), Workspace::NONE);
        Getrf { dtype, m, n, a, lda, sizes, pivoting, small, ipiv, info, batch, work }
    }
}

impl Routine for Getrf {
    fn names(&self) -> &'static [&'static str] {
        match (self.pivoting, self.sizes.is_some()) {
            (true, false) => &["getrf", "getrf_nopiv", "getrf_vbatched", "getrf_nopiv_vbatched"],
            (false, false) => &["getrf_nopiv"],
            (true, true) => &["getrf_vbatched"],
            (false, true) => &["getrf_nopiv_vbatched"],
        }
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(Sizes::NULL);
        Some(Getrf { pivoting: !name.starts_with("getrf_nopiv"), sizes, ..*self })
    }

    fn check(&self) -> Result<Verdict, Error> {
        if self.sizes.is_some() {
            return Sizes::check((self.m, self.n), self.batch);
        }
        at_least(self.m, 0, Arg::M)?;
        at_least(self.n, 0, Arg::N)?;
        let (m, n, batch) = ((self.m, Arg::M), (self.n, Arg::N), self.batch);
        if self.pivoting && self.n > 0 && batch > 0 {
            at_most(self.m, i32::MAX.into(), Arg::M)?; // row numbers are ints
        }
        let k = if self.m < self.n { m } else { n };
        let others = || {
            at_least(self.lda, self.m.max(1), Arg::Lda)?;
            check_output_stride(&self.a, self.m, batch, Arg::StrideA)?;
            if self.pivoting {
                check_output_stride(&self.ipiv, k.0, batch, Arg::StrideIpiv)?;
            }
            at_least(batch, 0, Arg::BatchCount)
        };
        let empty = self.m == 0 || self.n == 0 || batch == 0;
        let (element, ld) = (self.dtype.bytes(), (self.lda, Arg::Lda));
        Verdict::quick_return_if(empty).after(others).check_extents([
            Extent { operand: &self.a, element, rows: m, columns: n, ld, stride: Arg::StrideA, batch },
            ipiv_extent(&self.ipiv, if self.pivoting { k } else { (0, k.1) }, batch),
        ])
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.sizes.map_or(Ok(()), |sizes| sizes.refuse_nulls())?;
        not_null(&self.a, true, Arg::A)?;
        not_null(&self.ipiv, self.pivoting, Arg::Ipiv)
    }

    fn info(&self) -> *mut i32 {
        self.info
    }

    fn work(&self) -> Option<Workspace> {
        Some(self.work)
    }

    fn with_work(&self, work: Workspace) -> Option<Self> {
        Some(Getrf { work, ..*self })
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Getrf { m, n, lda, batch, .. } = self;
        write!(f, " --m {m} --n {n} --batch {batch}")?;
        if self.sizes.is_none() { write!(f, " --lda {lda}") } else { Ok(()) }
    }

    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, m, n, batch, .. } = shape;
        Getrf::of(dtype, (m, n), (shape.operand(0), shape.ld()), Some(shape.operand(1)), batch)
    }
}
