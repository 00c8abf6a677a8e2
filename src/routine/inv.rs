//! Inverses, and the checks that `inv` and `getri` share.

use super::check::{Verdict, at_least, check_input_stride, check_output_stride, ipiv_extent, not_null};
use super::extent::Extent;
use super::{Dtype, Operand, Routine, Shape, Workspace};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched inverses: C(i) := A(i)^-1, with the pivoting of `getrf`.
///
/// A is only read, unless C is A itself (same operand and leading dimension), for inversion in place. If a pivot is
/// exactly zero, there is no inverse, and C is set to NaN throughout.
#[derive(Clone, Copy, Debug)]
pub struct Inv {
    /// Element type.
    pub dtype: Dtype,
    /// Order of A, >= 0.
    pub n: i64,
    /// The matrices.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, n).
    pub lda: i64,
    /// Receives the inverses.
    pub c: Operand,
    /// Leading dimension of C, >= max(1, n).
    pub ldc: i64,
    /// One status code per matrix, as for `getrf`. NULL if not wanted.
    pub info: *mut i32,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Workspace.
    pub work: Workspace,
}

/// The operands of an inversion.
pub(super) struct Inverse<'a> {
    pub dtype: Dtype,
    pub n: i64,
    pub a: (&'a Operand, i64),
    /// n row interchanges each, if the routine takes them.
    pub ipiv: Option<&'a Operand>,
    pub c: (&'a Operand, i64),
    pub batch: i64,
}

impl Inverse<'_> {
    /// Whether C is A itself. Strides are ignored, since they mean nothing in a batch of one.
    pub fn in_place(&self) -> bool {
        self.a.0.starts_at(self.c.0)
    }

    pub fn check(&self) -> Result<Verdict, Error> {
        let ((a, lda), (c, ldc), batch) = (self.a, self.c, self.batch);
        at_least(self.n, 0, Arg::N)?;
        let others = || {
            at_least(lda, self.n.max(1), Arg::Lda)?;
            check_input_stride(a, batch, Arg::StrideA)?;
            if let Some(ipiv) = self.ipiv {
                check_input_stride(ipiv, batch, Arg::StrideIpiv)?;
            }
            at_least(ldc, self.n.max(1), Arg::Ldc)?;
            let in_place = self.in_place();
            if in_place && ldc != lda {
                return Err(Arg::Ldc.into());
            }
            check_output_stride(c, self.n, batch, Arg::StrideC)?;
            if in_place && batch > 1 && a != c {
                return Err(Arg::StrideC.into());
            }
            at_least(batch, 0, Arg::BatchCount)
        };
        let (n, element) = ((self.n, Arg::N), self.dtype.bytes());
        let matrix = |operand, ld, stride| Extent { operand, element, rows: n, columns: n, ld, stride, batch };
        Verdict::quick_return_if(self.n == 0 || batch == 0).after(others).check_extents([
            matrix(a, (lda, Arg::Lda), Arg::StrideA),
            ipiv_extent(self.ipiv.unwrap_or(a), if self.ipiv.is_some() { n } else { (0, n.1) }, batch),
            matrix(c, (ldc, Arg::Ldc), Arg::StrideC),
        ])
    }

    pub fn refuse_nulls(&self) -> Result<(), Error> {
        not_null(self.a.0, true, Arg::A)?;
        not_null(self.c.0, true, Arg::C)
    }

    pub fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Inverse { n, a: (_, lda), c: (_, ldc), batch, .. } = self;
        write!(f, " --n {n} --batch {batch} --lda {lda} --ldc {ldc}")
    }
}

impl Inv {
    /// Whether C is A itself.
    pub fn in_place(&self) -> bool {
        self.inverse().in_place()
    }

    fn inverse(&self) -> Inverse<'_> {
        let Inv { dtype, n, a, lda, c, ldc, batch, .. } = self;
        Inverse { dtype: *dtype, n: *n, a: (a, *lda), ipiv: None, c: (c, *ldc), batch: *batch }
    }
}

impl Routine for Inv {
    fn names(&self) -> &'static [&'static str] {
        &["inv"]
    }

    fn check(&self) -> Result<Verdict, Error> {
        self.inverse().check()
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.inverse().refuse_nulls()
    }

    fn info(&self) -> *mut i32 {
        self.info
    }

    fn work(&self) -> Option<Workspace> {
        Some(self.work)
    }

    fn with_work(&self, work: Workspace) -> Option<Self> {
        Some(Inv { work, ..*self })
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.inverse().arguments(f)
    }

    /// A matrix of order n.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, n, batch, .. } = shape;
        let (a, c, ld) = (shape.operand(0), shape.operand(1), n.max(1));
        Inv { dtype, n, a, lda: ld, c, ldc: ld, info: std::ptr::null_mut(), batch, work: Workspace::NONE }
    }
}
