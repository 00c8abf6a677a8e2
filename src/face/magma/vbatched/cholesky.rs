//! Cholesky factorisations, of either triangle; MAGMA supports only the lower one.

use super::super::Pointers;
use super::super::int::{MagmaInt, into_code};
use super::super::queue::{RawQueue, stream_of, synchronize};
use super::{check_leading, check_not_negative, largest, to_host};
use crate::backend;
use crate::error::{Arg, Error};
use crate::face::call::{self, WorkspaceSource};
use crate::face::constants::cblas;
use crate::face::native::Positions;
use crate::routine::{Dtype, Operand, Operation, Potrf, PotrfSizes, Workspace};
use std::ffi::c_int;

const POSITIONS: &Positions =
    &[(Arg::Uplo, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Lda, 4), (Arg::BatchCount, 6), (Arg::MaxN, 7)];

/// The arguments that both forms share.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The exported function.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// `magma_uplo_t`
    pub uplo: c_int,
    /// Device arrays of orders and leading dimensions.
    pub sizes: PotrfSizes,
    /// Device array of device pointers to the matrices.
    pub a: Pointers,
    /// Device array of one code per matrix; NULL is accepted.
    pub info: *mut c_int,
    /// Number of matrices.
    pub batch: c_int,
    /// The queue.
    pub queue: RawQueue,
}

impl Call {
    unsafe fn run(&self, max_n: c_int) -> Result<(), Error> {
        let &Call { dtype, info, batch, .. } = self;
        let (uplo, n, a, batch) = (cblas::uplo(self.uplo)?, max_n.into(), Operand::Pointers(self.a), batch.into());
        let (sizes, work) = (Some(self.sizes), Workspace::NONE);
        let op = Operation::Potrf(Potrf { dtype, uplo, n, a, lda: 1, sizes, info, batch, work });
        // `WorkspaceSource::Caller`, because codes are also set if there is nothing to do, and no workspace is needed.
        unsafe { call::run(self.name, backend::current()?, &op, stream_of(self.queue), WorkspaceSource::Caller) }
    }

    /// The largest order, if all sizes are valid.
    unsafe fn largest_order(&self) -> Result<c_int, Error> {
        cblas::uplo(self.uplo)?;
        let PotrfSizes { n, lda } = self.sizes;
        let [n, lda] = unsafe { to_host(self.queue, self.batch, [(n, Arg::N), (lda, Arg::Lda)])? };
        check_not_negative(&n, Arg::N)?;
        check_leading(&lda, &n, 0, Arg::Lda)?;
        Ok(largest(&n))
    }
}

/// `magma_?potrf_vbatched`: the orders are checked on the host. It waits for the queue.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn potrf(call: &Call) -> Result<MagmaInt, Error> {
    let done = unsafe { call.largest_order() }.and_then(|max_n| unsafe { call.run(max_n) });
    let waited = done.and_then(|()| unsafe { synchronize(call.queue) });
    into_code(call.name, POSITIONS, waited)
}

/// `magma_?potrf_vbatched_max_nocheck`. Asynchronous. For a matrix with an invalid order, only the code is written.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn potrf_max(call: &Call, max_n: c_int) -> Result<MagmaInt, Error> {
    into_code(call.name, POSITIONS, unsafe { call.run(max_n) })
}
