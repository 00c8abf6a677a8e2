//! `magma_?ormqr_batched`, `magma_?unmqr_batched`, and as an extension `magma_?orgqr_batched`, `magma_?ungqr_batched`.

use super::Pointers;
use super::int::{MagmaInt, into_code};
use super::queue::{RawQueue, stream_of};
use crate::backend;
use crate::error::{Arg, Error};
use crate::face::call::{self, WorkspaceSource};
use crate::face::constants::cblas;
use crate::face::native::Positions;
use crate::routine::{Dtype, Operand, Operation, Orgqr, Ormqr, Trans, Verdict};
use std::ffi::c_int;

const ORMQR: &Positions = &[
    (Arg::Side, 1),
    (Arg::Trans, 2),
    (Arg::M, 3),
    (Arg::N, 4),
    (Arg::K, 5),
    (Arg::A, 6),
    (Arg::Lda, 7),
    (Arg::Tau, 8),
    (Arg::C, 9),
    (Arg::Ldc, 10),
    (Arg::Lwork, 12),
    (Arg::BatchCount, 14),
];
const ORGQR: &Positions =
    &[(Arg::M, 1), (Arg::N, 2), (Arg::K, 3), (Arg::A, 4), (Arg::Lda, 5), (Arg::Tau, 6), (Arg::BatchCount, 8)];

/// The arguments of `magma_?ormqr_batched`.
#[derive(Clone, Copy, Debug)]
pub struct OrmqrCall {
    /// The exported function.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// `magma_side_t`; MAGMA itself supports only the left side.
    pub side: c_int,
    /// `magma_trans_t`: no transposition, or the (conjugate) transpose.
    pub trans: c_int,
    /// Rows of C.
    pub m: c_int,
    /// Columns of C.
    pub n: c_int,
    /// Reflectors.
    pub k: c_int,
    /// Device array of device pointers to the reflectors.
    pub a: Pointers,
    /// Leading dimension.
    pub lda: c_int,
    /// Device array of device pointers to their scalar factors.
    pub tau: Pointers,
    /// Device array of device pointers to the matrices C.
    pub c: Pointers,
    /// Leading dimension.
    pub ldc: c_int,
    /// Host integer: the size of the workspace, or a query if negative.
    pub lwork: *mut i64,
    /// Device array of one code per matrix, set to 0; NULL is accepted.
    pub info: *mut c_int,
    /// Number of matrices.
    pub batch: c_int,
    /// The queue.
    pub queue: RawQueue,
}

impl OrmqrCall {
    fn operation(&self) -> Result<Operation, Error> {
        let side = cblas::side(self.side)?;
        let trans = cblas::trans(self.trans)?;
        // As in LAPACK, `?unmqr` does not support the plain transpose; the native API does.
        if self.dtype.is_complex() && trans == Trans::T {
            return Err(Arg::Trans.into());
        }
        Ok(Operation::Ormqr(Ormqr {
            dtype: self.dtype,
            side,
            trans,
            m: self.m.into(),
            n: self.n.into(),
            k: self.k.into(),
            a: Operand::Pointers(self.a),
            lda: self.lda.into(),
            tau: Operand::Pointers(self.tau),
            c: Operand::Pointers(self.c),
            ldc: self.ldc.into(),
            batch: self.batch.into(),
            sizes: None,
        }))
    }
}

/// `magma_?ormqr_batched`: `*lwork < 0` is a workspace query, which reports 0 bytes and checks nothing else.
/// Asynchronous.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn ormqr(call: &OrmqrCall) -> Result<MagmaInt, Error> {
    let Some(lwork) = (unsafe { call.lwork.as_mut() }) else {
        return into_code(call.name, ORMQR, Err(Arg::Lwork.into()));
    };
    if *lwork < 0 {
        *lwork = 0;
        return Ok(MagmaInt::SUCCESS);
    }
    let done = call.operation().and_then(|op| unsafe { run(call.name, &op, call.info, call.queue) });
    into_code(call.name, ORMQR, done)
}

/// The arguments of `magma_?orgqr_batched`.
#[derive(Clone, Copy, Debug)]
pub struct OrgqrCall {
    /// The exported function.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// Rows of Q.
    pub m: c_int,
    /// Columns of Q.
    pub n: c_int,
    /// Reflectors.
    pub k: c_int,
    /// Device array of device pointers to the reflectors, overwritten by Q.
    pub a: Pointers,
    /// Leading dimension.
    pub lda: c_int,
    /// Device array of device pointers to the scalar factors.
    pub tau: Pointers,
    /// Device array of one code per matrix, set to 0; NULL is accepted.
    pub info: *mut c_int,
    /// Number of matrices.
    pub batch: c_int,
    /// The queue.
    pub queue: RawQueue,
}

/// `magma_?orgqr_batched`, which MAGMA does not have. Asynchronous; needs no workspace.
///
/// # Safety
/// As the arguments say.
pub unsafe fn orgqr(call: &OrgqrCall) -> Result<MagmaInt, Error> {
    let op = Operation::Orgqr(Orgqr {
        dtype: call.dtype,
        m: call.m.into(),
        n: call.n.into(),
        k: call.k.into(),
        a: Operand::Pointers(call.a),
        lda: call.lda.into(),
        sizes: None,
        tau: Operand::Pointers(call.tau),
        batch: call.batch.into(),
    });
    into_code(call.name, ORGQR, unsafe { run(call.name, &op, call.info, call.queue) })
}

/// Runs an operation that cannot fail for a single matrix, and sets every code to 0.
unsafe fn run(name: &str, op: &Operation, info: *mut c_int, queue: RawQueue) -> Result<(), Error> {
    let (runtime, stream) = (backend::current()?, unsafe { stream_of(queue) });
    unsafe { call::run(name, runtime, op, stream, WorkspaceSource::Caller)? };
    if info.is_null() || op.check()? == Verdict::QuickReturn {
        return Ok(());
    }
    unsafe { runtime.memset_async(info.cast(), 0, op.batch() as usize * size_of::<c_int>(), stream) }
}
