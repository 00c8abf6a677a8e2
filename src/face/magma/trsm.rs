//! `magmablas_?trsm_batched`, `magmablas_?trsm_inv_batched`, `magmablas_?trsm_inv_outofplace_batched`.

use super::Pointers;
use super::int::report;
use super::queue::{RawQueue, stream_of, synchronize};
use crate::backend;
use crate::error::{Arg, Error};
use crate::face::call::{self, WorkspaceSource};
use crate::face::constants::cblas;
use crate::face::native::Positions;
use crate::routine::{Alpha, Assign, Dtype, Operand, Operation, Part, Routine, Source, Trsm, Verdict};
use std::ffi::c_int;

const POSITIONS: &Positions = &[
    (Arg::Side, 1),
    (Arg::Uplo, 2),
    (Arg::Trans, 3),
    (Arg::Diag, 4),
    (Arg::M, 5),
    (Arg::N, 6),
    (Arg::A, 8),
    (Arg::Lda, 9),
    (Arg::B, 10),
    (Arg::Ldb, 11),
    (Arg::BatchCount, 12),
];

/// Positions for the out-of-place form, whose `flag` MAGMA does not count. X is identified by `Arg::C`.
const OUT_OF_PLACE: &Positions = &[
    (Arg::Side, 1),
    (Arg::Uplo, 2),
    (Arg::Trans, 3),
    (Arg::Diag, 4),
    (Arg::M, 5),
    (Arg::N, 6),
    (Arg::A, 8),
    (Arg::Lda, 9),
    (Arg::B, 10),
    (Arg::Ldb, 11),
    (Arg::C, 12),
    (Arg::Ldc, 13),
    (Arg::BatchCount, 21),
];

/// The arguments.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The exported function.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// `magma_side_t`, `magma_uplo_t`, `magma_trans_t`, `magma_diag_t`
    pub flags: [c_int; 4],
    /// Rows of B.
    pub m: c_int,
    /// Columns of B.
    pub n: c_int,
    /// The factor alpha.
    pub alpha: Alpha,
    /// Device array of device pointers to the triangles.
    pub a: Pointers,
    /// Leading dimension.
    pub lda: c_int,
    /// Device array of device pointers to the right-hand sides.
    pub b: Pointers,
    /// Leading dimension.
    pub ldb: c_int,
    /// Number of matrices.
    pub batch: c_int,
    /// The queue.
    pub queue: RawQueue,
}

impl Call {
    fn problem(&self) -> Result<Trsm, Error> {
        let [side, uplo, trans, diag] = self.flags;
        Ok(Trsm {
            dtype: self.dtype,
            side: cblas::side(side)?,
            uplo: cblas::uplo(uplo)?,
            trans: cblas::trans(trans)?,
            diag: cblas::diag(diag)?,
            m: self.m.into(),
            n: self.n.into(),
            alpha: self.alpha,
            a: Operand::Pointers(self.a),
            lda: self.lda.into(),
            b: Operand::Pointers(self.b),
            ldb: self.ldb.into(),
            sizes: None,
            batch: self.batch.into(),
        })
    }
}

/// `magmablas_?trsm_batched`. Returns nothing, so a bad argument is only reported on stderr. Asynchronous.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn trsm(call: &Call) -> Result<(), Error> {
    let result = call.problem().and_then(|p| unsafe {
        call::run(call.name, backend::current()?, &Operation::Trsm(p), stream_of(call.queue), WorkspaceSource::Caller)
    });
    report(call.name, POSITIONS, result)
}

/// `magmablas_?trsm_inv_batched`: in MAGMA another algorithm for the same problem, which waits for the queue.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn trsm_and_wait(call: &Call) -> Result<(), Error> {
    unsafe { trsm(call)? };
    unsafe { synchronize(call.queue) }
}

/// `magmablas_?trsm_inv_outofplace_batched`: writes the solutions to X. Asynchronous. B is not modified; MAGMA uses it
/// as workspace.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn trsm_out_of_place(call: &Call, x: Pointers, ldx: c_int) -> Result<(), Error> {
    report(call.name, OUT_OF_PLACE, unsafe { solve_into(call, x, ldx.into()) })
}

unsafe fn solve_into(call: &Call, x: Pointers, ldx: i64) -> Result<(), Error> {
    let p = call.problem()?;
    let verdict = p.check()?;
    if ldx < p.m.max(1) {
        return Err(Arg::Ldc.into());
    }
    if verdict == Verdict::QuickReturn {
        return Ok(());
    }
    for (array, arg, read) in [(call.a, Arg::A, true), (call.b, Arg::B, true), (x, Arg::C, false)] {
        if array.is_null() && !(read && p.alpha.is_zero()) {
            return Err(arg.into());
        }
    }
    let (runtime, stream, to) = (backend::current()?, unsafe { stream_of(call.queue) }, Operand::Pointers(x));
    if !p.alpha.is_zero() {
        let (dtype, part, source) = (p.dtype, Part::Full, Source::Matrices(p.b, p.ldb));
        let copy = Assign { dtype, part, m: p.m, n: p.n, source, to, ld: ldx, sizes: None, batch: p.batch };
        unsafe { runtime.assign(&copy, stream)? };
    }
    unsafe {
        call::run(call.name, runtime, &Operation::Trsm(Trsm { b: to, ldb: ldx, ..p }), stream, WorkspaceSource::Caller)
    }
}
