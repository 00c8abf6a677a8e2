//! `magma_?getrs_batched`, `magma_?getrs_nopiv_batched`.
//!
//! MAGMA's solutions of transposed systems are wrong: it swaps the two factors, and interchanges rows in the wrong
//! order. Tephra's agree with LAPACK's.

use super::Pointers;
use super::int::{MagmaInt, into_code};
use super::queue::{RawQueue, stream_of};
use crate::backend;
use crate::error::{Arg, Error};
use crate::face::call::{self, WorkspaceSource};
use crate::face::constants::cblas;
use crate::face::native::Positions;
use crate::routine::{Dtype, Getrs, Operand, Operation, Workspace};
use std::ffi::c_int;
use std::ptr;

const GETRS: &Positions = &[
    (Arg::Trans, 1),
    (Arg::N, 2),
    (Arg::Nrhs, 3),
    (Arg::A, 4),
    (Arg::Lda, 5),
    (Arg::B, 7),
    (Arg::Ldb, 8),
    (Arg::BatchCount, 9),
];

/// MAGMA reports lddb as argument 8, as in `getrs`, although it is 7 here. This is kept, as programs may rely on it.
const NOPIV: &Positions = &[
    (Arg::Trans, 1),
    (Arg::N, 2),
    (Arg::Nrhs, 3),
    (Arg::A, 4),
    (Arg::Lda, 5),
    (Arg::B, 6),
    (Arg::Ldb, 8),
    (Arg::BatchCount, 9),
];

/// The arguments, except the codes of `getrs_nopiv`, which as in MAGMA are not written.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The exported function.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// `magma_trans_t`
    pub trans: c_int,
    /// Order of A.
    pub n: c_int,
    /// Columns of B.
    pub nrhs: c_int,
    /// Device array of device pointers to the factors.
    pub a: Pointers,
    /// Leading dimension.
    pub lda: c_int,
    /// Device array of device pointers to the row interchanges, or NULL; `None` for `getrs_nopiv`.
    pub ipiv: Option<Pointers>,
    /// Device array of device pointers to the right-hand sides.
    pub b: Pointers,
    /// Leading dimension.
    pub ldb: c_int,
    /// Number of matrices.
    pub batch: c_int,
    /// The queue.
    pub queue: RawQueue,
}

/// Runs either routine, asynchronously.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn getrs(call: &Call) -> Result<MagmaInt, Error> {
    let result = cblas::trans(call.trans).and_then(|trans| {
        let op = Operation::Getrs(Getrs {
            dtype: call.dtype,
            trans,
            n: call.n.into(),
            nrhs: call.nrhs.into(),
            a: Operand::Pointers(call.a),
            lda: call.lda.into(),
            ipiv: Operand::Pointers(call.ipiv.unwrap_or(ptr::null_mut())),
            b: Operand::Pointers(call.b),
            ldb: call.ldb.into(),
            sizes: None,
            info: ptr::null_mut(),
            batch: call.batch.into(),
            work: Workspace::NONE,
        });
        unsafe { call::run(call.name, backend::current()?, &op, stream_of(call.queue), WorkspaceSource::Library) }
    });
    into_code(call.name, if call.ipiv.is_some() { GETRS } else { NOPIV }, result)
}
