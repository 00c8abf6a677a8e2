//! `magma_?potrf_batched`, `magma_?potrf_expert_batched`, `magma_?potf2_batched`, `magma_?potrs_batched`,
//! `magma_?posv_batched`.
//!
//! MAGMA supports only the lower triangle; here both are supported.

use super::Pointers;
use super::block::{self, BlockPosition};
use super::int::{MagmaInt, into_code};
use super::queue::{RawQueue, stream_of, synchronize};
use crate::backend;
use crate::error::{Arg, Error};
use crate::face::call::{self, WorkspaceSource};
use crate::face::constants::cblas;
use crate::face::native::Positions;
use crate::routine::{Dtype, Operand, Operation, Posv, Potrf, Routine, Verdict, Workspace};
use std::ffi::c_int;

const POTRF: &Positions = &[(Arg::Uplo, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Lda, 4), (Arg::BatchCount, 6)];
/// MAGMA reports ldda as 4 and batchCount as 6, as in `potrf`. This is kept, as programs may rely on it.
const EXPERT: &Positions = &[(Arg::Uplo, 1), (Arg::N, 2), (Arg::A, 5), (Arg::Lda, 4), (Arg::BatchCount, 6)];
const POTF2: &Positions =
    &[(Arg::Uplo, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Row, 4), (Arg::Column, 5), (Arg::Lda, 6), (Arg::BatchCount, 9)];
const POTRS: &Positions = &[
    (Arg::Uplo, 1),
    (Arg::N, 2),
    (Arg::Nrhs, 3),
    (Arg::A, 4),
    (Arg::Lda, 5),
    (Arg::B, 6),
    (Arg::Ldb, 7),
    (Arg::BatchCount, 8),
];
const POSV: &Positions = &[
    (Arg::Uplo, 1),
    (Arg::N, 2),
    (Arg::Nrhs, 3),
    (Arg::A, 4),
    (Arg::Lda, 5),
    (Arg::B, 6),
    (Arg::Ldb, 7),
    (Arg::BatchCount, 9),
];

/// The arguments that the factorisations share.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The exported function.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// `magma_uplo_t`
    pub uplo: c_int,
    /// Order of A, or of its block.
    pub n: c_int,
    /// Device array of device pointers to the matrices.
    pub a: Pointers,
    /// Leading dimension.
    pub lda: c_int,
    /// Device array of one code per matrix; NULL is accepted.
    pub info: *mut c_int,
    /// Number of matrices.
    pub batch: c_int,
    /// The queue.
    pub queue: RawQueue,
}

impl Call {
    fn problem(&self) -> Result<Potrf, Error> {
        Ok(Potrf {
            dtype: self.dtype,
            uplo: cblas::uplo(self.uplo)?,
            n: self.n.into(),
            a: Operand::Pointers(self.a),
            lda: self.lda.into(),
            sizes: None,
            info: self.info,
            batch: self.batch.into(),
            work: Workspace::NONE,
        })
    }

    unsafe fn run(&self) -> Result<(), Error> {
        let op = Operation::Potrf(self.problem()?);
        unsafe { call::run(self.name, backend::current()?, &op, stream_of(self.queue), WorkspaceSource::Library) }
    }
}

/// `magma_?potrf_batched`, asynchronously.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn potrf(call: &Call) -> Result<MagmaInt, Error> {
    into_code(call.name, POTRF, unsafe { call.run() })
}

/// `magma_?potrf_expert_batched`: as [`potrf`]; its block sizes are ignored.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn potrf_expert(call: &Call) -> Result<MagmaInt, Error> {
    into_code(call.name, EXPERT, unsafe { call.run() })
}

/// `magma_?potf2_batched`: the routine with which MAGMA factors diagonal blocks. Asynchronous. `step`, the number of
/// columns that were factored before, is added to codes; if it is not 0, codes that are already nonzero are kept. MAGMA
/// checks none of the arguments.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn potf2(call: &Call, row: c_int, column: c_int, step: c_int) -> Result<MagmaInt, Error> {
    into_code(call.name, POTF2, unsafe { factor_block(call, row, column, step) })
}

unsafe fn factor_block(call: &Call, row: c_int, column: c_int, step: c_int) -> Result<(), Error> {
    let problem = call.problem()?;
    for (index, arg) in [(row, Arg::Row), (column, Arg::Column)] {
        if index < 0 {
            return Err(arg.into());
        }
    }
    if problem.check()? == Verdict::QuickReturn {
        return Ok(());
    }
    let position = BlockPosition { row, column, lda: call.lda, n: call.n, max_code: call.n, step };
    let offset = position.offset(call.dtype, "potf2")?;
    problem.refuse_nulls()?;
    let runtime = backend::current()?;
    // Fails before any work is enqueued if no plan supports the shape.
    runtime.workspace(&Operation::Potrf(problem))?;
    unsafe {
        block::run(runtime, call.queue, call.batch, [Some((call.a, offset))], (call.info, step), |[a], info| {
            Call { a: a.unwrap_or(call.a), info, ..*call }.run()
        })
    }
}

/// The arguments of potrs and posv in addition to those of [`Call`]; `potrs` has no codes.
#[derive(Clone, Copy, Debug)]
pub struct RightHandSides {
    /// Columns of B.
    pub nrhs: c_int,
    /// Device array of device pointers to the matrices B.
    pub b: Pointers,
    /// Leading dimension.
    pub ldb: c_int,
}

/// `magma_?potrs_batched`. It waits for the queue, as MAGMA does.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn potrs(call: &Call, rhs: &RightHandSides) -> Result<MagmaInt, Error> {
    into_code(call.name, POTRS, unsafe { solve(call, rhs, |posv| Operation::Potrs(posv.solution())) })
}

/// `magma_?posv_batched`. As in MAGMA, nothing is factored without right-hand sides, and the call waits for the queue.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn posv(call: &Call, rhs: &RightHandSides) -> Result<MagmaInt, Error> {
    into_code(call.name, POSV, unsafe { solve(call, rhs, Operation::Posv) })
}

unsafe fn solve(call: &Call, rhs: &RightHandSides, of: impl Fn(Posv) -> Operation) -> Result<(), Error> {
    let Potrf { dtype, uplo, n, a, lda, info, batch, work, .. } = call.problem()?;
    let (nrhs, b, ldb) = (rhs.nrhs.into(), Operand::Pointers(rhs.b), rhs.ldb.into());
    let op = of(Posv { dtype, uplo, n, nrhs, a, lda, b, ldb, sizes: None, info, batch, work });
    if op.check()? == Verdict::QuickReturn || nrhs == 0 {
        return Ok(());
    }
    unsafe { call::run(call.name, backend::current()?, &op, stream_of(call.queue), WorkspaceSource::Library)? };
    unsafe { synchronize(call.queue) }
}
