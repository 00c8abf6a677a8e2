//! `magma_?gesv_batched`, `magma_?gesv_nopiv_batched`, `magma_?gesv_rbt_batched`.

use crate::backend;
use crate::backend::Runtime;
use crate::error::{Arg, Error};
use crate::face::call;
use crate::face::call::WorkspaceSource;
use crate::face::magma::Pointers;
use crate::face::magma::getrf::ASYNCHRONOUS;
use crate::face::magma::int::{MagmaInt, into_code};
use crate::face::magma::queue::{RawQueue, stream_of, synchronize};
use crate::face::native::Positions;
use crate::routine::{Dtype, Gesv, GesvRbt, Getrf, Getrs, Operand, Operation, Routine, Trans, Verdict, Workspace};
use std::ffi::c_int;

/// MAGMA reports lddb as argument 6, although it is 7. This is kept, as programs may rely on it.
const GESV: &Positions = &[
    (Arg::N, 1),
    (Arg::Nrhs, 2),
    (Arg::A, 3),
    (Arg::Lda, 4),
    (Arg::Ipiv, 5),
    (Arg::B, 6),
    (Arg::Ldb, 6),
    (Arg::BatchCount, 9),
];
/// For gesv_nopiv and gesv_rbt.
const GESV_NOPIV: &Positions =
    &[(Arg::N, 1), (Arg::Nrhs, 2), (Arg::A, 3), (Arg::Lda, 4), (Arg::B, 5), (Arg::Ldb, 6), (Arg::BatchCount, 8)];

/// The arguments that all three routines share.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The exported function.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// Order of A.
    pub n: c_int,
    /// Columns of B.
    pub nrhs: c_int,
    /// Device array of device pointers to the matrices.
    pub a: Pointers,
    /// Leading dimension.
    pub lda: c_int,
    /// Device array of device pointers to the right-hand sides.
    pub b: Pointers,
    /// Leading dimension.
    pub ldb: c_int,
    /// Device array of one code per matrix; NULL is accepted.
    pub info: *mut c_int,
    /// Number of matrices.
    pub batch: c_int,
    /// The queue.
    pub queue: RawQueue,
}

/// `magma_?gesv_batched`. As in MAGMA, nothing is factored without right-hand sides. It waits for the queue whenever
/// MAGMA's factorisation does.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn gesv(call: &Call, ipiv: Pointers) -> Result<MagmaInt, Error> {
    let problem = Gesv {
        dtype: call.dtype,
        n: call.n.into(),
        nrhs: call.nrhs.into(),
        a: Operand::Pointers(call.a),
        lda: call.lda.into(),
        ipiv: Operand::Pointers(ipiv),
        b: Operand::Pointers(call.b),
        ldb: call.ldb.into(),
        sizes: None,
        info: call.info,
        batch: call.batch.into(),
        work: Workspace::NONE,
    };
    let result = problem.check().and_then(|verdict| {
        if verdict == Verdict::QuickReturn || call.nrhs == 0 {
            return Ok(());
        }
        unsafe { call.run(backend::current()?, &Operation::Gesv(problem))? };
        if call.n <= ASYNCHRONOUS { Ok(()) } else { unsafe { synchronize(call.queue) } }
    });
    into_code(call.name, GESV, result)
}

/// `magma_?gesv_nopiv_batched`: factors, then solves, even if info reports zero pivots, by which the solve then
/// divides. Waits for the queue.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn gesv_nopiv(call: &Call) -> Result<MagmaInt, Error> {
    into_code(call.name, GESV_NOPIV, unsafe { solve_without_pivoting(call) })
}

unsafe fn solve_without_pivoting(call: &Call) -> Result<(), Error> {
    let (dtype, n, nrhs, batch) = (call.dtype, call.n.into(), call.nrhs.into(), call.batch.into());
    let (a, lda, b, ldb) = (Operand::Pointers(call.a), call.lda.into(), Operand::Pointers(call.b), call.ldb.into());
    let (ipiv, work, info) = (Operand::NULL, Workspace::NONE, call.info);
    let (trans, sizes, no_codes) = (Trans::N, None, std::ptr::null_mut());
    let solution = Getrs { dtype, trans, n, nrhs, a, lda, ipiv, b, ldb, sizes, info: no_codes, batch, work };
    // All arguments are checked before A is factored.
    if solution.check()? == Verdict::QuickReturn {
        return Ok(());
    }
    solution.refuse_nulls()?;
    let factorisation = Getrf { info, ..Getrf::of(dtype, (n, n), (a, lda), None, batch) };
    let runtime = backend::current()?;
    unsafe { call.run(runtime, &Operation::Getrf(factorisation))? };
    unsafe { call.run(runtime, &Operation::Getrs(solution))? };
    unsafe { synchronize(call.queue) }
}

/// `magma_?gesv_rbt_batched`. Waits for the queue.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn gesv_rbt(call: &Call) -> Result<MagmaInt, Error> {
    let problem = GesvRbt {
        dtype: call.dtype,
        n: call.n.into(),
        nrhs: call.nrhs.into(),
        a: Operand::Pointers(call.a),
        lda: call.lda.into(),
        b: Operand::Pointers(call.b),
        ldb: call.ldb.into(),
        info: call.info,
        batch: call.batch.into(),
    };
    let result = problem.check().and_then(|verdict| {
        if verdict == Verdict::QuickReturn {
            return Ok(());
        }
        unsafe { call.run(backend::current()?, &Operation::GesvRbt(problem))? };
        unsafe { synchronize(call.queue) }
    });
    into_code(call.name, GESV_NOPIV, result)
}

impl Call {
    unsafe fn run(&self, runtime: &dyn Runtime, op: &Operation) -> Result<(), Error> {
        unsafe { call::run(self.name, runtime, op, stream_of(self.queue), WorkspaceSource::Library) }
    }
}
