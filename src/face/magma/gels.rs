//! `magma_?gels_batched`. MAGMA declares it but does not define it, so Tephra defines its meaning, by analogy to
//! `magma_?gels_gpu` and to MAGMA's batched factorisations.

use super::Pointers;
use super::int::{MagmaInt, into_code};
use super::queue::{RawQueue, stream_of, synchronize};
use crate::backend;
use crate::error::{Arg, Error};
use crate::face::call::{self, WorkspaceSource};
use crate::face::constants::cblas;
use crate::face::native::Positions;
use crate::routine::{Dtype, Gels, Operand, Operation, Verdict, Workspace};
use std::ffi::c_int;

const POSITIONS: &Positions = &[
    (Arg::Trans, 1),
    (Arg::M, 2),
    (Arg::N, 3),
    (Arg::Nrhs, 4),
    (Arg::A, 5),
    (Arg::Lda, 6),
    (Arg::B, 7),
    (Arg::Ldb, 8),
    (Arg::BatchCount, 12),
];

/// The arguments, except the host workspace, which is not used.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The exported function.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// `magma_trans_t`: no transposition, or the (conjugate) transpose.
    pub trans: c_int,
    /// Rows of A.
    pub m: c_int,
    /// Columns of A.
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

/// Solves, and waits for the queue as `magma_?geqrf_batched` does.
///
/// # Safety
/// As the arguments say.
pub unsafe fn gels(call: &Call) -> Result<MagmaInt, Error> {
    let result = cblas::trans(call.trans).and_then(|trans| {
        let op = Operation::Gels(Gels {
            dtype: call.dtype,
            trans,
            m: call.m.into(),
            n: call.n.into(),
            nrhs: call.nrhs.into(),
            a: Operand::Pointers(call.a),
            lda: call.lda.into(),
            b: Operand::Pointers(call.b),
            ldb: call.ldb.into(),
            sizes: None,
            info: call.info,
            batch: call.batch.into(),
            work: Workspace::NONE,
        });
        let (runtime, stream) = (backend::current()?, unsafe { stream_of(call.queue) });
        unsafe { call::run(call.name, runtime, &op, stream, WorkspaceSource::Library)? };
        if op.check()? == Verdict::QuickReturn {
            unsafe { call::clear_codes(runtime, &op, stream)? };
        }
        unsafe { synchronize(call.queue) }
    });
    into_code(call.name, POSITIONS, result)
}
