//! QR factorisation with explicit factors.

use super::check::{Verdict, at_least, check_input_stride, check_output_stride, not_null};
use super::extent::Extent;
use super::orgqr::Orgqr;
use super::{Dtype, Operand, Routine, Shape, Workspace};
use crate::error::{Arg, Error};
use std::fmt::{self, Display, Formatter};

/// How much of Q to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QPart {
    /// R only.
    None,
    /// min(m, n) columns.
    Thin,
    /// All m columns.
    Full,
}

impl Display for QPart {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            QPart::None => "none",
            QPart::Thin => "thin",
            QPart::Full => "full",
        })
    }
}

/// Which half of the work a call does.
#[derive(Clone, Copy, Debug)]
pub enum QrStage {
    /// All of it.
    Whole,
    /// R of a thin factorisation. A, Q's memory and the workspace then hold what [`QrStage::Q`] needs.
    R,
    /// Q, multiplied from the right by n x n upper triangular matrices. The other operands and the workspace are those
    /// of the call for [`QrStage::R`].
    Q {
        /// The matrices.
        by: Operand,
        /// Their leading dimension, >= max(1, n).
        ld_by: i64,
    },
}

/// Batched QR with explicit factors: A(i) = Q(i) R(i), where A is preserved.
///
/// R is min(m, n) x n (Full: m x n), zero below its diagonal. For Thin with m >= n, Q may be A itself (same operand and
/// leading dimension). R must not overlap the others.
#[derive(Clone, Copy, Debug)]
pub struct Qr {
    /// Element type.
    pub dtype: Dtype,
    /// Rows of A, >= 0.
    pub m: i64,
    /// Columns of A, >= 0.
    pub n: i64,
    /// How much of Q to compute.
    pub part: QPart,
    /// Which half of the work to do. Only CUDA's trees are divided; for other plans, halves are not supported.
    pub stage: QrStage,
    /// The matrices, m x n.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, m).
    pub lda: i64,
    /// Receives Q. Ignored for [`QPart::None`].
    pub q: Operand,
    /// Leading dimension of Q, >= max(1, m).
    pub ldq: i64,
    /// Receives R.
    pub r: Operand,
    /// Leading dimension of R, >= max(1, rows of R).
    pub ldr: i64,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Workspace.
    pub work: Workspace,
}

impl Qr {
    /// Whether Q overwrites A.
    pub(super) fn in_place(&self) -> bool {
        self.part != QPart::None && self.q.starts_at(&self.a)
    }

    /// See [`crate::Operation::reduced`].
    pub(crate) fn reduced(&self) -> Option<Orgqr> {
        // The full Q of a matrix without columns is the identity, which orgqr generates from no reflectors.
        let (dtype, m, q, batch) = (self.dtype, self.m, self.q, self.batch);
        let identity = || Orgqr { dtype, m, n: m, k: 0, a: q, lda: self.ldq, sizes: None, tau: q, batch };
        (self.n == 0).then(identity)
    }
}

impl Routine for Qr {
    fn names(&self) -> &'static [&'static str] {
        &["qr"]
    }

    /// For a matrix without columns, setting the full Q to the identity still counts as work.
    fn check(&self) -> Result<Verdict, Error> {
        at_least(self.m, 0, Arg::M)?;
        at_least(self.n, 0, Arg::N)?;
        let others = || {
            at_least(self.lda, self.m.max(1), Arg::Lda)?;
            if self.part == QPart::None {
                check_input_stride(&self.a, self.batch, Arg::StrideA)?;
            } else {
                check_input_stride(&self.a, self.batch, Arg::StrideA)?;
                at_least(self.ldq, self.m.max(1), Arg::Ldq)?;
                check_output_stride(&self.q, self.m, self.batch, Arg::StrideQ)?;
            }
            let rows = if self.part == QPart::Full { self.m } else { self.m.min(self.n) };
            at_least(self.ldr, rows.max(1), Arg::Ldr)?;
            check_output_stride(&self.r, rows, self.batch, Arg::StrideR)?;
            at_least(self.batch, 0, Arg::BatchCount)
        };
        let (m, n, element, batch) = ((self.m, Arg::M), (self.n, Arg::N), self.dtype.bytes(), self.batch);
        let (lda, ldq, ldr) = ((self.lda, Arg::Lda), (self.ldq, Arg::Ldq), (self.ldr, Arg::Ldr));
        let thin = if self.m < self.n { m } else { n };
        let (of_q, of_r) = match self.part {
            QPart::None => ((0, Arg::N), thin),
            QPart::Thin => (thin, thin),
            QPart::Full => (m, m),
        };
        Verdict::quick_return_if(self.batch == 0 || self.m == 0 || (self.n == 0 && self.part != QPart::Full))
            .after(others)
            .check_extents([
                Extent { operand: &self.a, element, rows: m, columns: n, ld: lda, stride: Arg::StrideA, batch },
                Extent { operand: &self.q, element, rows: m, columns: of_q, ld: ldq, stride: Arg::StrideQ, batch },
                Extent { operand: &self.r, element, rows: of_r, columns: n, ld: ldr, stride: Arg::StrideR, batch },
            ])
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        not_null(&self.a, self.n > 0, Arg::A)?;
        not_null(&self.q, self.part != QPart::None, Arg::Q)?;
        not_null(&self.r, self.n > 0, Arg::R)?;
        if self.in_place() {
            // Only a thin Q with m >= n has the shape of A, and it must be where A is.
            if self.part != QPart::Thin || self.m < self.n {
                return Err(Arg::Q.into());
            }
            if self.ldq != self.lda {
                return Err(Arg::Ldq.into());
            }
            if !self.q.coincides(&self.a, self.batch) {
                return Err(Arg::StrideQ.into());
            }
        }
        let of_r = |other: &Operand| self.n > 0 && self.r.starts_at(other);
        if of_r(&self.a) || (self.part != QPart::None && of_r(&self.q)) { Err(Arg::R.into()) } else { Ok(()) }
    }

    fn work(&self) -> Option<Workspace> {
        Some(self.work)
    }

    fn with_work(&self, work: Workspace) -> Option<Self> {
        Some(Qr { work, ..*self })
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Qr { part, m, n, lda, ldq, ldr, batch, .. } = self;
        write!(f, " --part {part} --m {m} --n {n} --batch {batch} --lda {lda} --ldq {ldq} --ldr {ldr}")
    }

    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, m, n, batch, .. } = shape;
        let (part, ld, ldr, work) = (QPart::Thin, shape.ld(), shape.min_mn().max(1), Workspace::NONE);
        let (a, q, r) = (shape.operand(0), shape.operand(1), shape.operand(2));
        Qr { dtype, m, n, part, stage: QrStage::Whole, a, lda: ld, q, ldq: ld, r, ldr, batch, work }
    }
}
