//! MAGMA's batched BLAS routines. They return nothing, so a bad argument is only reported on stderr, by its position.
//! Asynchronous.

use crate::backend;
use crate::backend::{Kind, Runtime};
use crate::error::{Arg, Error};
use crate::face::call;
use crate::face::call::WorkspaceSource;
use crate::face::guard::Prototype;
use crate::face::magma::Pointers;
use crate::face::magma::int::report_at;
use crate::face::magma::queue::{RawQueue, stream_of};
use crate::face::native::by_name;
use crate::routine::{Operand, Operation, PanelStep, Stream, Syr2k, Syrk, Trans, Transpose, Verdict};
use std::ffi::c_int;

/// Locates a block, given the array of pointers to the matrices, and its first row, first column and leading dimension.
pub type LocateBlock<'a> = dyn FnMut(Pointers, [c_int; 3]) -> Result<Operand, Error> + 'a;

/// The leading dimension that our routines check, for a matrix with `rows` rows. MAGMA's products and transpositions
/// compare it with the rows alone, so that it may be 0 if there are none; ours demand at least 1, as LAPACK does.
pub(super) fn leading(ld: i64, rows: i64) -> i64 {
    if rows == 0 && ld == 0 { 1 } else { ld }
}

/// The routine with leading dimensions as [`leading`] has them.
fn with_leading(op: Operation) -> Operation {
    let factor = |trans, n, k| if trans == Trans::N { n } else { k };
    match op {
        Operation::Syrk(p) => {
            let lda = leading(p.lda, factor(p.trans, p.n, p.k));
            Operation::Syrk(Syrk { lda, ldc: leading(p.ldc, p.n), ..p })
        }
        Operation::Syr2k(p) => {
            let [lda, ldb] = [p.lda, p.ldb].map(|ld| leading(ld, factor(p.trans, p.n, p.k)));
            Operation::Syr2k(Syr2k { lda, ldb, ldc: leading(p.ldc, p.n), ..p })
        }
        Operation::Transpose(p) => {
            Operation::Transpose(Transpose { lda: leading(p.lda, p.m), ldb: leading(p.ldb, p.n), ..p })
        }
        other => other,
    }
}

/// Runs a routine. `problem` is an error if one of the option codes is invalid.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn run(prototype: &Prototype, problem: Result<Operation, Error>, queue: RawQueue) -> Result<(), Error> {
    let result = problem.map(with_leading).and_then(|op| unsafe {
        call::run(prototype.name, backend::current()?, &op, stream_of(queue), WorkspaceSource::Caller)
    });
    report_at(prototype.name, |arg| by_name(prototype, arg), result)
}

/// Runs a routine on host memory, whatever the backend is. It has finished when the call returns.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn run_on_host(prototype: &Prototype, problem: Result<Operation, Error>) -> Result<(), Error> {
    let stream = Stream(std::ptr::null_mut());
    let run = |op| unsafe { call::run(prototype.name, backend::get(Kind::Cpu)?, &op, stream, WorkspaceSource::Caller) };
    report_at(prototype.name, |arg| by_name(prototype, arg), problem.map(with_leading).and_then(run))
}

/// Runs a routine on blocks inside of matrices. The pointers to the blocks are in memory that is allocated for the
/// duration of the call.
///
/// # Safety
/// As [`run`].
pub unsafe fn run_on_blocks(
    prototype: &Prototype,
    problem: &dyn Fn(&mut LocateBlock) -> Result<Operation, Error>,
    queue: RawQueue,
) -> Result<(), Error> {
    let result = unsafe { blocks(prototype, problem, queue) };
    report_at(prototype.name, |arg| by_name(prototype, arg), result)
}

/// The offset of a block in its matrix, in elements. It does not depend on the sign of a vector's increment, which says
/// from which end the block is traversed.
fn offset([row, column, ld]: [c_int; 3]) -> i64 {
    // A product of 32-bit integers fits into 64 bits.
    i64::from(row) + i64::from(column) * i64::from(ld).abs()
}

unsafe fn blocks(
    prototype: &Prototype,
    problem: &dyn Fn(&mut LocateBlock) -> Result<Operation, Error>,
    queue: RawQueue,
) -> Result<(), Error> {
    let mut count = 0;
    let op = problem(&mut |array, at| {
        count += usize::from(offset(at) != 0);
        Ok(Operand::Pointers(array))
    });
    let op = op.map(with_leading)?;
    let (runtime, stream) = (backend::current()?, unsafe { stream_of(queue) });
    if count == 0 || op.check()? == Verdict::QuickReturn {
        return unsafe { call::run(prototype.name, runtime, &op, stream, WorkspaceSource::Caller) };
    }
    op.refuse_nulls()?;
    let members = op.batch() as usize; // which are fewer than 2^31
    let scratch = runtime.alloc_async(count * members * size_of::<Pointers>(), stream)?;
    let shift = PointerShift { runtime, stream, element: op.dtype().bytes() as i64, batch: op.batch() };
    let mut next = scratch.cast();
    let mut locate = |array: Pointers, at| match offset(at) {
        0 => Ok(Operand::Pointers(array)),
        // An operand that is not read may be NULL.
        _ if array.is_null() => Ok(Operand::Pointers(array)),
        elements => {
            let out: Pointers = next;
            next = next.wrapping_add(members);
            unsafe { shift.pointers(out, array, elements) }.map(|()| Operand::Pointers(out))
        }
    };
    let done = problem(&mut locate)
        .map(with_leading)
        .and_then(|op| unsafe { call::run(prototype.name, runtime, &op, stream, WorkspaceSource::Caller) });
    let freed = unsafe { runtime.free_async(scratch, stream) };
    done.and(freed)
}

struct PointerShift {
    runtime: &'static dyn Runtime,
    stream: Stream,
    /// Bytes of an element.
    element: i64,
    batch: i64,
}

impl PointerShift {
    unsafe fn pointers(&self, out: Pointers, array: Pointers, elements: i64) -> Result<(), Error> {
        let bytes = elements.checked_mul(self.element).ok_or(Arg::Lda)?;
        let step = PanelStep::ShiftPointers { out, array, bytes, batch: self.batch };
        // SAFETY: the arrays have that many pointers.
        unsafe { self.runtime.panel(&step, self.stream) }
    }
}
