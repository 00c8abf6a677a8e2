//! `magma_?getri_outofplace_batched`.

use super::Pointers;
use super::int::{MagmaInt, into_code};
use super::queue::{RawQueue, stream_of, synchronize};
use crate::backend;
use crate::error::{Arg, Error};
use crate::face::call::{self, WorkspaceSource};
use crate::face::native::Positions;
use crate::routine::{Dtype, Getri, Operand, Operation, Workspace};
use std::ffi::c_int;
use std::ptr;

const POSITIONS: &Positions =
    &[(Arg::N, 1), (Arg::A, 2), (Arg::Lda, 3), (Arg::C, 5), (Arg::Ldc, 6), (Arg::BatchCount, 8)];

/// The arguments, except the codes, which as in MAGMA are not written.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The exported function.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// Order.
    pub n: c_int,
    /// Device array of device pointers to the factors, which are not modified.
    pub a: Pointers,
    /// Leading dimension.
    pub lda: c_int,
    /// Device array of device pointers to the row interchanges; NULL means that there are none.
    pub ipiv: Pointers,
    /// Device array of device pointers to the matrices that receive the inverses.
    pub c: Pointers,
    /// Leading dimension.
    pub ldc: c_int,
    /// Number of matrices.
    pub batch: c_int,
    /// The queue.
    pub queue: RawQueue,
}

/// Inverts, and waits for the queue as MAGMA does. A matrix without inverse is only reported by its C, which is all
/// NaN.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn getri(call: &Call) -> Result<MagmaInt, Error> {
    let op = Operation::Getri(Getri {
        dtype: call.dtype,
        n: call.n.into(),
        a: Operand::Pointers(call.a),
        lda: call.lda.into(),
        ipiv: Operand::Pointers(call.ipiv),
        c: Operand::Pointers(call.c),
        ldc: call.ldc.into(),
        sizes: None,
        info: ptr::null_mut(),
        batch: call.batch.into(),
        work: Workspace::NONE,
    });
    let run = |runtime| unsafe { call::run(call.name, runtime, &op, stream_of(call.queue), WorkspaceSource::Library) };
    let done = backend::current().and_then(run).and_then(|()| unsafe { synchronize(call.queue) });
    into_code(call.name, POSITIONS, done)
}
