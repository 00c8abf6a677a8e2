//! `magma_?getrf_batched`, `magma_?getf2_batched`, and both without pivoting.

use super::Pointers;
use super::block::{self, BlockPosition};
use super::int::{MagmaInt, into_code};
use super::queue::{RawQueue, stream_of, synchronize};
use crate::backend;
use crate::error::{Arg, Error};
use crate::face::call::{self, WorkspaceSource};
use crate::face::native::Positions;
use crate::routine::{Dtype, Getrf, Operand, Operation, Routine, Verdict};
use std::ffi::c_int;

const GETRF: &Positions = &[(Arg::M, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Lda, 4), (Arg::Ipiv, 5), (Arg::BatchCount, 7)];
const GETRF_NOPIV: &Positions = &[(Arg::M, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Lda, 4), (Arg::BatchCount, 6)];
const GETF2: &Positions = &[
    (Arg::M, 1),
    (Arg::N, 2),
    (Arg::A, 3),
    (Arg::Row, 4),
    (Arg::Column, 5),
    (Arg::Lda, 6),
    (Arg::Ipiv, 7),
    (Arg::BatchCount, 11),
];
const GETF2_NOPIV: &Positions =
    &[(Arg::M, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Row, 4), (Arg::Column, 5), (Arg::Lda, 6), (Arg::BatchCount, 9)];

/// MAGMA factors square matrices up to this order, with pivoting, without waiting for the queue.
pub(super) const ASYNCHRONOUS: c_int = 32;

/// The arguments that all forms share.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The exported function.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// Rows.
    pub m: c_int,
    /// Columns.
    pub n: c_int,
    /// Device array of device pointers to the matrices.
    pub a: Pointers,
    /// Leading dimension.
    pub lda: c_int,
    /// Device array of device pointers to the row interchanges; `None` for LU without pivoting.
    pub ipiv: Option<Pointers>,
    /// Device array of one code per matrix; NULL is accepted.
    pub info: *mut c_int,
    /// Number of matrices.
    pub batch: c_int,
    /// The queue.
    pub queue: RawQueue,
}

impl Call {
    fn problem(&self) -> Getrf {
        let (a, ipiv) = ((Operand::Pointers(self.a), self.lda.into()), self.ipiv.map(|array| Operand::Pointers(array)));
        Getrf { info: self.info, ..Getrf::of(self.dtype, (self.m.into(), self.n.into()), a, ipiv, self.batch.into()) }
    }

    unsafe fn run(&self) -> Result<(), Error> {
        let op = Operation::Getrf(self.problem());
        unsafe { call::run(self.name, backend::current()?, &op, stream_of(self.queue), WorkspaceSource::Library) }
    }

    fn is_asynchronous(&self) -> bool {
        self.ipiv.is_some() && self.m == self.n && self.n <= ASYNCHRONOUS
    }
}

/// `magma_?getrf_batched`, `magma_?getrf_nopiv_batched`. They wait for the queue whenever MAGMA does.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn getrf(call: &Call) -> Result<MagmaInt, Error> {
    let done = unsafe { call.run() };
    let waited = done.and_then(|()| if call.is_asynchronous() { Ok(()) } else { unsafe { synchronize(call.queue) } });
    into_code(call.name, if call.ipiv.is_some() { GETRF } else { GETRF_NOPIV }, waited)
}

/// The position in each matrix of the block that `getf2` factors.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Its first row.
    pub row: c_int,
    /// Its first column.
    pub column: c_int,
    /// The number of columns that were factored before it. It is added to codes, and codes that are already nonzero are
    /// kept.
    pub step: c_int,
}

/// `magma_?getf2_batched`, `magma_?getf2_nopiv_batched`: the routines with which MAGMA factors panels. Here they run
/// the general factorisation on the block, asynchronously. Interchanges are counted from the first row of the block. As
/// in MAGMA, codes are initialised only if `step` is 0.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn getf2(call: &Call, block: Block) -> Result<MagmaInt, Error> {
    let result = check(call, block).and_then(|verdict| match verdict {
        Verdict::QuickReturn => Ok(()),
        Verdict::Go if (block.row, block.column, block.step) == (0, 0, 0) => unsafe { call.run() },
        Verdict::Go => unsafe { factor_block(call, block) },
    });
    into_code(call.name, if call.ipiv.is_some() { GETF2 } else { GETF2_NOPIV }, result)
}

/// Checks the arguments in MAGMA's order.
fn check(call: &Call, Block { row, column, .. }: Block) -> Result<Verdict, Error> {
    let not_diagonal = call.ipiv.is_some() && column != row;
    for (bad, arg) in
        [(call.m < 0, Arg::M), (call.n < 0, Arg::N), (row < 0, Arg::Row), (column < 0 || not_diagonal, Arg::Column)]
    {
        if bad {
            return Err(arg.into());
        }
    }
    call.problem().check()
}

/// Factors blocks inside of the matrices: see [`block::run`].
unsafe fn factor_block(call: &Call, Block { row, column, step }: Block) -> Result<(), Error> {
    let position = BlockPosition { row, column, lda: call.lda, n: call.n, max_code: call.m.min(call.n), step };
    let offset = position.offset(call.dtype, "getf2")?;
    call.problem().refuse_nulls()?;
    let runtime = backend::current()?;
    // Fails before any work is enqueued if no plan supports the shape.
    runtime.workspace(&Operation::Getrf(call.problem()))?;
    let of_pivots = call.ipiv.map(|ipiv| (ipiv, i64::from(row) * size_of::<c_int>() as i64));
    let arrays = [Some((call.a, offset)), of_pivots];
    unsafe {
        block::run(runtime, call.queue, call.batch, arrays, (call.info, step), |[a, ipiv], info| {
            Call { a: a.unwrap_or(call.a), ipiv, info, ..*call }.run()
        })
    }
}
