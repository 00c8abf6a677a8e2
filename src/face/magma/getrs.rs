//! `magma_?getrs_batched`, `magma_?getrs_nopiv_batched`.
//!
//! MAGMA's transposed solutions are wrong (it takes the factors for each other, and exchanges rows in the wrong order); these
//! are those of LAPACK.

use super::Pointers;
use super::int::{MagmaInt, finish};
use super::queue::{RawQueue, stream_of};
use crate::backend;
use crate::error::{Arg, Error};
use crate::face::call::{self, Scratch};
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

/// MAGMA reports lddb as `getrs`'s argument 8, though it is 7 here; programs may know that.
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

/// The arguments, but for the codes of `getrs_nopiv`, which nothing is written to, as in MAGMA.
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
    /// Device array of device pointers to the row interchanges, or NULL; `None`: of `getrs_nopiv`.
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

/// Both, asynchronously.
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
        unsafe { call::run(call.name, backend::current()?, &op, stream_of(call.queue), Scratch::Ours) }
    });
    finish(call.name, if call.ipiv.is_some() { GETRS } else { NOPIV }, result)
}
