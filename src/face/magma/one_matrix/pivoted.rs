//! QR with column pivoting of a single matrix.

use super::{DEFAULT_STREAM, Raw, conclude, one};
use crate::backend;
use crate::backend::Runtime;
use crate::error::{Arg, Error};
use crate::face::call;
use crate::face::call::WorkspaceSource;
use crate::face::magma::int::MagmaInt;
use crate::face::magma::queue::{RawQueue, stream_of};
use crate::face::native::Positions;
use crate::routine::{Dtype, Geqp3, Operation, Routine, Stream, Verdict, Workspace};
use std::ffi::c_int;
use std::ptr::null_mut;

const GEQP3: &Positions = &[(Arg::M, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Lda, 4), (Arg::Jpvt, 5), (Arg::Tau, 6)];

/// `magma_get_?geqp3_nb`: MAGMA's value, from which programs compute the size of a workspace, which is not needed here.
pub fn geqp3_block_size(_m: c_int, _n: c_int) -> c_int {
    32
}

/// The arguments that both forms share.
#[derive(Clone, Copy, Debug)]
pub struct Geqp3Call {
    /// The exported function.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// Rows.
    pub m: c_int,
    /// Columns.
    pub n: c_int,
    /// The matrix, in device memory.
    pub a: Raw,
    /// Leading dimension.
    pub lda: c_int,
    /// n ints in host memory.
    pub jpvt: *mut c_int,
    /// min(m, n) scalar factors, in device memory.
    pub tau: Raw,
    /// One code in host memory.
    pub info: *mut c_int,
}

impl Geqp3Call {
    fn problem(&self) -> Geqp3 {
        let &Geqp3Call { dtype, m, n, a, lda, jpvt, tau, .. } = self;
        let (a, jpvt, tau, info) = (one(a), one(jpvt.cast()), one(tau), null_mut());
        let (m, n, lda, sizes) = (m.into(), n.into(), lda.into(), None);
        Geqp3 { dtype, m, n, a, lda, sizes, jpvt, tau, info, batch: 1, work: Workspace::NONE }
    }

    unsafe fn run(&self, stream: Stream) -> Result<(), Error> {
        let p = self.problem();
        if p.check()? == Verdict::QuickReturn {
            return Ok(());
        }
        p.refuse_nulls()?;
        let (runtime, bytes) = (backend::current()?, p.n as usize * size_of::<c_int>());
        let device = runtime.alloc_async(bytes, stream)?;
        let copy = |runtime: &dyn Runtime, to, from| unsafe {
            runtime.copy_2d_async(to, bytes, from, bytes, bytes, 1, stream)
        };
        let op = Operation::Geqp3(Geqp3 { jpvt: one(device), ..p });
        let done = copy(runtime, device, self.jpvt.cast())
            .and_then(|()| unsafe { call::run(self.name, runtime, &op, stream, WorkspaceSource::Library) })
            .and_then(|()| copy(runtime, self.jpvt.cast(), device));
        let freed = unsafe { runtime.free_async(device, stream) };
        let finished = unsafe { runtime.stream_synchronize(stream) };
        done.and(freed).and(finished)
    }
}

/// `magma_?geqp3_gpu`, with LAPACK's semantics. MAGMA's workspaces are not needed.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn geqp3(call: &Geqp3Call) -> Result<MagmaInt, Error> {
    unsafe { conclude(call.name, GEQP3, call.info, call.run(DEFAULT_STREAM)) }
}

/// `magma_?geqp3_expert_gpu_work`: [`geqp3`] on the caller's queue. If one of the sizes is negative, the call is a
/// query: it writes both sizes, in bytes, and checks nothing else. It reports MAGMA's sizes, since callers allocate
/// memory by them.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn geqp3_expert(
    call: &Geqp3Call,
    [lwork_host, lwork_device]: [*mut c_int; 2],
    queue: RawQueue,
) -> Result<MagmaInt, Error> {
    let sizes = unsafe { [lwork_host.as_mut(), lwork_device.as_mut()] };
    if sizes.iter().flatten().any(|size| **size < 0) {
        let (n, nb) = (i64::from(call.n.max(0)), i64::from(geqp3_block_size(call.m, call.n)));
        let elements = (n + 1) * nb + if call.dtype.is_complex() { n } else { 2 * n };
        let bytes = c_int::try_from(elements * call.dtype.bytes() as i64).unwrap_or(c_int::MAX);
        let [host, device] = sizes;
        host.into_iter().for_each(|size| *size = 0);
        device.into_iter().for_each(|size| *size = bytes);
        return unsafe { conclude(call.name, GEQP3, call.info, Ok(())) };
    }
    unsafe { conclude(call.name, GEQP3, call.info, call.run(stream_of(queue))) }
}
