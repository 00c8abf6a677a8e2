//! `magma_?laswp_rowserial_batched`.

use super::Pointers;
use super::int::tell;
use super::queue::{RawQueue, stream_of};
use crate::backend;
use crate::error::{Arg, Error};
use crate::face::call;
use crate::face::native::Positions;
use crate::routine::{Dtype, Laswp, Operand, Operation};
use std::ffi::c_int;

const POSITIONS: &Positions =
    &[(Arg::N, 1), (Arg::A, 2), (Arg::Lda, 3), (Arg::K1, 4), (Arg::K2, 5), (Arg::Ipiv, 6), (Arg::BatchCount, 7)];

/// The arguments.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The exported function.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// Columns.
    pub n: c_int,
    /// Device array of device pointers to the matrices.
    pub a: Pointers,
    /// Leading dimension.
    pub lda: c_int,
    /// First row that is exchanged, counted from 1.
    pub k1: c_int,
    /// The row behind the last one that is exchanged.
    pub k2: c_int,
    /// Device array of device pointers to the row interchanges.
    pub ipiv: Pointers,
    /// Number of matrices.
    pub batch: c_int,
    /// The queue.
    pub queue: RawQueue,
}

/// Exchanges rows k1 to k2 - 1 in turn: that is what MAGMA's code does, which is described as LAPACK's, whose k2 is the last
/// row. After a factorisation of square matrices that is the same, as the last row has nothing to be exchanged with.
/// Returns nothing, so a bad argument is only told on stderr. Asynchronous.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn row_serial(call: &Call) -> Result<(), Error> {
    let op = Operation::Laswp(Laswp {
        dtype: call.dtype,
        n: call.n.into(),
        a: Operand::Pointers(call.a),
        lda: call.lda.into(),
        k1: call.k1.into(),
        k2: i64::from(call.k2) - 1,
        ipiv: Operand::Pointers(call.ipiv),
        incx: 1,
        batch: call.batch.into(),
    });
    let run = |runtime| unsafe { call::run(call.name, runtime, &op, stream_of(call.queue)) };
    tell(call.name, POSITIONS, backend::current().and_then(run))
}
