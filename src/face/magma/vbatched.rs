//! MAGMA's variable-size batches.
//!
//! The sizes are in device memory. As in MAGMA, functions without `max` in their names copy them to the host, to check
//! them and to find their maxima, and wait for that. Those with `_max_nocheck` receive the maxima as arguments, and do
//! not wait.

pub mod assign;
pub mod blas;
pub mod blocks;
pub mod cholesky;
pub mod products;

use super::Pointers;
use super::int::{MagmaInt, into_code};
use super::queue::{RawQueue, stream_of, synchronize};
use crate::backend;
use crate::error::{Arg, Error, Fault};
use crate::face::call::{self, WorkspaceSource};
use crate::face::native::Positions;
use crate::routine::{Dtype, Getrf, Operand, Operation, Sizes, SmallPivots};
use std::ffi::{c_int, c_void};
use std::ptr;

/// Positions of the arguments of getrf.
pub const GETRF: &Positions =
    &[(Arg::M, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Lda, 4), (Arg::Ipiv, 5), (Arg::BatchCount, 7)];
/// Without pivoting.
pub const GETRF_NOPIV: &Positions = &[(Arg::M, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Lda, 4), (Arg::BatchCount, 6)];
/// Without pivoting, with tolerances for small pivots.
pub const GETRF_NOPIV_EXPERT: &Positions =
    &[(Arg::M, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Lda, 4), (Arg::BatchCount, 8)];
/// The form that receives the maxima.
pub const GETRF_MAX: &Positions = &[
    (Arg::M, 1),
    (Arg::N, 2),
    (Arg::MaxM, 4),
    (Arg::MaxN, 5),
    (Arg::A, 10),
    (Arg::Lda, 11),
    (Arg::Ipiv, 12),
    (Arg::BatchCount, 15),
];
/// Without pivoting.
pub const GETRF_NOPIV_MAX: &Positions =
    &[(Arg::M, 1), (Arg::N, 2), (Arg::MaxM, 4), (Arg::MaxN, 5), (Arg::A, 10), (Arg::Lda, 11), (Arg::BatchCount, 15)];
/// With workspace.
pub const GETRF_WORK: &Positions = &[
    (Arg::M, 1),
    (Arg::N, 2),
    (Arg::MaxM, 3),
    (Arg::MaxN, 4),
    (Arg::A, 7),
    (Arg::Lda, 8),
    (Arg::Ipiv, 9),
    (Arg::Lwork, 12),
    (Arg::BatchCount, 13),
];
/// With workspace, without pivoting.
pub const GETRF_NOPIV_WORK: &Positions = &[
    (Arg::M, 1),
    (Arg::N, 2),
    (Arg::MaxM, 3),
    (Arg::MaxN, 4),
    (Arg::A, 7),
    (Arg::Lda, 8),
    (Arg::Lwork, 13),
    (Arg::BatchCount, 14),
];

/// The arguments that all forms of getrf share.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The exported function.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// Device arrays of rows, columns and leading dimensions.
    pub sizes: Sizes,
    /// Device array of device pointers to the matrices.
    pub a: Pointers,
    /// Device array of device pointers to the row interchanges; NULL for LU without pivoting.
    pub ipiv: Pointers,
    /// The replacement of small pivots, for LU without pivoting.
    pub small: SmallPivots,
    /// Device array of one code per matrix; NULL is accepted.
    pub info: *mut c_int,
    /// Number of matrices.
    pub batch: c_int,
    /// The queue.
    pub queue: RawQueue,
}

impl Call {
    unsafe fn run(&self, (max_m, max_n): (c_int, c_int)) -> Result<(), Error> {
        let (a, maxima) = ((Operand::Pointers(self.a), 1), (max_m.into(), max_n.into()));
        let ipiv = (!self.ipiv.is_null()).then_some(Operand::Pointers(self.ipiv));
        let all = Getrf::of(self.dtype, maxima, a, ipiv, self.batch.into());
        let op = Operation::Getrf(Getrf { sizes: Some(self.sizes), small: self.small, info: self.info, ..all });
        // `WorkspaceSource::Caller`, because codes are also set if there is nothing to do, and no workspace is needed.
        unsafe { call::run(self.name, backend::current()?, &op, stream_of(self.queue), WorkspaceSource::Caller) }
    }

    /// The maxima of the sizes, if all sizes are valid.
    unsafe fn maxima(&self) -> Result<(c_int, c_int), Error> {
        let Sizes { m, n, lda } = self.sizes;
        let [m, n, lda] = unsafe { to_host(self.queue, self.batch, [(m, Arg::M), (n, Arg::N), (lda, Arg::Lda)])? };
        check_not_negative(&m, Arg::M)?;
        check_not_negative(&n, Arg::N)?;
        check_leading(&lda, &m, 1, Arg::Lda)?;
        Ok((largest(&m), largest(&n)))
    }
}

/// Copies arrays of `batch` ints from the backend's memory to the host, in queue order, and waits.
///
/// # Safety
/// Each array is NULL, which is reported as an error, or has that many ints.
unsafe fn to_host<const N: usize>(
    queue: RawQueue,
    batch: c_int,
    arrays: [(*const c_int, Arg); N],
) -> Result<[Vec<c_int>; N], Error> {
    if batch < 0 {
        return Err(Error::BadArgument(Arg::BatchCount, Fault::Below(batch.into(), 0)));
    }
    let mut copies = [const { Vec::new() }; N];
    if batch == 0 {
        return Ok(copies);
    }
    let (runtime, stream, bytes) =
        (backend::current()?, unsafe { stream_of(queue) }, batch as usize * size_of::<c_int>());
    if let Some((_, arg)) = arrays.iter().find(|(array, _)| array.is_null()) {
        return Err(Error::BadArgument(*arg, Fault::Null));
    }
    let start = |(copy, (array, _)): (&mut Vec<c_int>, (*const c_int, Arg))| {
        *copy = vec![0; batch as usize];
        let to = copy.as_mut_ptr().cast();
        // SAFETY: both have that many bytes, and the copy is waited for before it is read or freed.
        unsafe { runtime.copy_2d_async(to, bytes, array.cast(), bytes, bytes, 1, stream) }
    };
    let started = copies.iter_mut().zip(arrays).try_for_each(start);
    unsafe { runtime.stream_synchronize(stream)? };
    started.map(|()| copies)
}

/// Returns an error for negative sizes.
fn check_not_negative(sizes: &[c_int], arg: Arg) -> Result<(), Error> {
    match sizes.iter().find(|size| **size < 0) {
        Some(size) => Err(Error::BadArgument(arg, Fault::Below((*size).into(), 0))),
        None => Ok(()),
    }
}

/// Returns an error for leading dimensions below the rows or below `min_ld`, which in MAGMA is 1 in some routines and 0
/// in others.
fn check_leading(lds: &[c_int], rows: &[c_int], min_ld: c_int, arg: Arg) -> Result<(), Error> {
    if lds.iter().zip(rows).any(|(ld, rows)| *ld < (*rows).max(min_ld)) { Err(arg.into()) } else { Ok(()) }
}

/// The largest size, or 0 if there is none or none is valid.
fn largest(sizes: &[c_int]) -> c_int {
    sizes.iter().copied().max().unwrap_or(0).max(0)
}

/// `magma_?getrf_vbatched`, `magma_?getrf_nopiv_vbatched`, `magma_?getrf_nopiv_expert_vbatched`: the sizes are checked
/// on the host. They wait for the queue.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn getrf(call: &Call, positions: &Positions) -> Result<MagmaInt, Error> {
    let done = unsafe { call.maxima() }.and_then(|maxima| unsafe { call.run(maxima) });
    let waited = done.and_then(|()| unsafe { synchronize(call.queue) });
    into_code(call.name, positions, waited)
}

/// `magma_?getrf_vbatched_max_nocheck` and its variants. Asynchronous. For a matrix with invalid sizes, only the code
/// is written.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn getrf_max(call: &Call, maxima: (c_int, c_int), positions: &Positions) -> Result<MagmaInt, Error> {
    into_code(call.name, positions, unsafe { call.run(maxima) })
}

/// The `_work` forms: `*lwork < 0` is a workspace query, which reports 0 bytes and checks nothing else.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn getrf_work(
    call: &Call,
    maxima: (c_int, c_int),
    lwork: *mut c_int,
    positions: &Positions,
) -> Result<MagmaInt, Error> {
    let Some(lwork) = (unsafe { lwork.as_mut() }) else {
        return into_code(call.name, positions, Err(Arg::Lwork.into()));
    };
    if *lwork < 0 {
        *lwork = 0;
        return Ok(MagmaInt::SUCCESS);
    }
    unsafe { getrf_max(call, maxima, positions) }
}

/// MAGMA's tolerances: `each` is a device array of the real type, or NULL to use `all` for every matrix.
pub fn tolerances(thresholds: *const c_void, threshold: impl Into<f64>) -> SmallPivots {
    SmallPivots { thresholds, threshold: threshold.into() }
}

/// `magma_get_?getrf_vbatched_nbparam`: panel widths, which callers pass on to MAGMA's routines. Tephra ignores them.
///
/// # Safety
/// Both are NULL or valid for writes.
pub unsafe fn nbparam(nb: *mut c_int, recnb: *mut c_int) {
    for (p, columns) in [(nb, 32), (recnb, 16)] {
        if !p.is_null() {
            unsafe { ptr::write(p, columns) };
        }
    }
}
