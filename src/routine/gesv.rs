//! Systems of equations.

use super::check::{Verdict, apart, at_least, interchanges, not_null};
use super::extent::Extent;
use super::{Dtype, Getrf, Operand, Operation, Routine, Shape, Workspace};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched LAPACK `?gesv`: solves A(i) X(i) = B(i).
///
/// A and ipiv are left as `getrf` leaves them, X is in B's place. Where a pivot is exactly zero, there is no X.
#[derive(Clone, Copy, Debug)]
pub struct Gesv {
    /// Element type.
    pub dtype: Dtype,
    /// Order of A, >= 0.
    pub n: i64,
    /// Right-hand sides, >= 0.
    pub nrhs: i64,
    /// The matrices; overwritten by their factors.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, n).
    pub lda: i64,
    /// Receives n row interchanges each.
    pub ipiv: Operand,
    /// Right-hand sides in, solutions out.
    pub b: Operand,
    /// Leading dimension of B, >= max(1, n).
    pub ldb: i64,
    /// One per matrix, as `getrf`'s. NULL: not told.
    pub info: *mut i32,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Scratch memory.
    pub work: Workspace,
}

impl Gesv {
    /// The factorisation that it begins with.
    pub fn factorisation(&self) -> Getrf {
        let &Gesv { dtype, n, a, lda, ipiv, info, batch, work, .. } = self;
        Getrf { info, work, ..Getrf::of(dtype, (n, n), (a, lda), Some(ipiv), batch) }
    }
}

impl Routine for Gesv {
    fn names(&self) -> &'static [&'static str] {
        &["gesv"]
    }

    /// Without right-hand sides A is still factored and its pivots told, as LAPACK does.
    fn check(&self) -> Result<Verdict, Error> {
        at_least(self.n, 0, Arg::N)?;
        at_least(self.nrhs, 0, Arg::Nrhs)?;
        at_least(self.lda, self.n.max(1), Arg::Lda)?;
        apart(&self.a, self.n, self.batch, Arg::StrideA)?;
        apart(&self.ipiv, self.n, self.batch, Arg::StrideIpiv)?;
        at_least(self.ldb, self.n.max(1), Arg::Ldb)?;
        apart(&self.b, if self.nrhs > 0 { self.n } else { 0 }, self.batch, Arg::StrideB)?;
        at_least(self.batch, 0, Arg::BatchCount)?;
        let (n, nrhs, lda, ldb) =
            ((self.n, Arg::N), (self.nrhs, Arg::Nrhs), (self.lda, Arg::Lda), (self.ldb, Arg::Ldb));
        let (element, batch) = (self.dtype.bytes(), self.batch);
        Verdict::unless(self.n == 0 || batch == 0).within([
            Extent { operand: &self.a, element, rows: n, columns: n, ld: lda, stride: Arg::StrideA, batch },
            interchanges(&self.ipiv, n, batch),
            Extent { operand: &self.b, element, rows: n, columns: nrhs, ld: ldb, stride: Arg::StrideB, batch },
        ])
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        not_null(&self.a, true, Arg::A)?;
        not_null(&self.ipiv, true, Arg::Ipiv)?;
        not_null(&self.b, self.nrhs > 0, Arg::B)
    }

    fn info(&self) -> *mut i32 {
        self.info
    }

    fn work(&self) -> Option<Workspace> {
        Some(self.work)
    }

    fn with_work(&self, work: Workspace) -> Option<Operation> {
        Some(Operation::Gesv(Gesv { work, ..*self }))
    }

    fn reduced(&self) -> Option<Operation> {
        (self.nrhs == 0).then(|| Operation::Getrf(self.factorisation()))
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Gesv { n, nrhs, lda, ldb, batch, .. } = self;
        write!(f, " --n {n} --nrhs {nrhs} --batch {batch} --lda {lda} --ldb {ldb}")
    }

    /// Of order n.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, n, batch, .. } = shape;
        let (a, ipiv, b, ld) = (Operand::NOWHERE, Operand::NOWHERE, Operand::NOWHERE, n.max(1));
        let (info, work) = (std::ptr::null_mut(), Workspace::NONE);
        Gesv { dtype, n, nrhs: shape.told.k.unwrap_or(1), a, lda: ld, ipiv, b, ldb: ld, info, batch, work }
    }
}
