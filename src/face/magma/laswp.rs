//! `magma_?laswp_rowserial_batched`, `magma_?laswp_columnserial_batched`, `magma_?laswp_rowparallel_batched`.

use super::Pointers;
use super::int::{bad_argument, report};
use super::queue::{RawQueue, stream_of};
use crate::backend;
use crate::error::{Arg, Error};
use crate::face::call::{self, WorkspaceSource};
use crate::face::native::Positions;
use crate::routine::{Blocks, Dtype, ExchangeColumns, Laswp, Operand, Operation, PanelStep, PermuteRows, extent};
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
    /// Columns; rows for `columnserial`.
    pub n: c_int,
    /// Device array of device pointers to the matrices.
    pub a: Pointers,
    /// Leading dimension.
    pub lda: c_int,
    /// First row or column to interchange, counted from 1.
    pub k1: c_int,
    /// One past the last row to interchange; for `columnserial`, the last column.
    pub k2: c_int,
    /// Device array of device pointers to the interchanges.
    pub ipiv: Pointers,
    /// Number of matrices.
    pub batch: c_int,
    /// The queue.
    pub queue: RawQueue,
}

/// Interchanges rows k1 to k2 - 1 in turn. This is what MAGMA's code does, although its documentation is that of
/// LAPACK, where k2 is the last row. After a factorisation of a square matrix there is no difference, as its last row
/// is only interchanged with itself. Returns nothing, so a bad argument is only reported on stderr. Asynchronous.
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
        sizes: None,
        batch: call.batch.into(),
    });
    let run = |runtime| unsafe { call::run(call.name, runtime, &op, stream_of(call.queue), WorkspaceSource::Caller) };
    report(call.name, POSITIONS, backend::current().and_then(run))
}

/// Interchanges columns k1 to k2 with those given by `ipiv`, in turn, in descending order if k2 < k1. This is what
/// MAGMA's code does, for a matrix that is stored by rows. As in MAGMA, nothing is done if k1 or k2 is below 1. Returns
/// nothing. Asynchronous.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn column_serial(call: &Call) -> Result<(), Error> {
    report(call.name, POSITIONS, unsafe { exchange_columns(call) })
}

unsafe fn exchange_columns(call: &Call) -> Result<(), Error> {
    let [n, lda, k1, k2, batch] = [call.n, call.lda, call.k1, call.k2, call.batch].map(i64::from);
    reject_if(n < 0, Arg::N)?;
    reject_if(lda < n.max(1), Arg::Lda)?;
    reject_if(batch < 0, Arg::BatchCount)?;
    if n == 0 || batch == 0 || k1 < 1 || k2 < 1 {
        return Ok(());
    }
    reject_if(exceeds_address_space(call.dtype, k1.max(k2), lda), Arg::Lda)?;
    reject_if(call.a.is_null(), Arg::A)?;
    reject_if(call.ipiv.is_null(), Arg::Ipiv)?;
    let step = PanelStep::ExchangeColumns(ExchangeColumns {
        dtype: call.dtype,
        rows: n,
        a: Operand::Pointers(call.a),
        lda,
        first: k1,
        last: k2,
        ipiv: Operand::Pointers(call.ipiv),
        batch,
    });
    unsafe { backend::current()?.panel(&step, stream_of(call.queue)) }
}

/// A block in each matrix of an array.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Device array of device pointers to the matrices.
    pub array: Pointers,
    /// Its first row.
    pub row: c_int,
    /// Its first column.
    pub column: c_int,
    /// Leading dimension.
    pub ld: c_int,
}

/// The arguments of [`row_parallel`].
#[derive(Clone, Copy, Debug)]
pub struct Permutation {
    /// The exported function.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// Columns.
    pub n: c_int,
    /// The source of the rows.
    pub input: Block,
    /// The destination of the first k2 - k1 rows, which may be the input.
    pub output: Block,
    /// k2 - k1 is the number of rows.
    pub k1: c_int,
    /// See `k1`.
    pub k2: c_int,
    /// Device array of device pointers to the row indices, counted from 1.
    pub order: Pointers,
    /// Number of matrices.
    pub batch: c_int,
    /// The queue.
    pub queue: RawQueue,
}

/// Sets the first k2 - k1 rows of the output to the rows of the input given by `order`, and completes the permutation
/// in the rows of the input below these. If the output is not the input, MAGMA leaves the first rows of the input
/// undefined; here they are unchanged. As in MAGMA, at most 1024 rows. Returns nothing. Asynchronous.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn row_parallel(call: &Permutation) -> Result<(), Error> {
    match call.check() {
        Ok(None) => Ok(()),
        Ok(Some(p)) if p.rows > PermuteRows::MAX_ROWS => Err(Error::NotSupported(format!("{} rows at a time", p.rows))),
        Ok(Some(p)) => unsafe { backend::current()?.panel(&PanelStep::PermuteRows(p), stream_of(call.queue)) },
        Err((arg, position)) => {
            bad_argument(call.name, &arg.into(), position);
            Ok(())
        }
    }
}

impl Permutation {
    /// Returns `None` if there is nothing to do. A bad argument is returned with its number.
    fn check(&self) -> Result<Option<PermuteRows>, (Arg, c_int)> {
        let (n, batch, rows) = (i64::from(self.n), i64::from(self.batch), i64::from(self.k2) - i64::from(self.k1));
        let blocks = [(2, &self.input), (6, &self.output)];
        reject_if(n < 0, (Arg::N, 1))?;
        for (position, b) in blocks {
            reject_if(b.row < 0, (Arg::Row, position + 1))?;
            reject_if(b.column < 0, (Arg::Column, position + 2))?;
            reject_if(i64::from(b.ld) < rows.max(1), (Arg::Lda, position + 3))?;
        }
        reject_if(batch < 0, (Arg::BatchCount, 13))?;
        if n == 0 || batch == 0 || rows < 1 {
            return Ok(None);
        }
        for (position, b) in blocks {
            // An upper bound of the offset and the extent of the block.
            let [row, column, ld] = [b.row, b.column, b.ld].map(i64::from);
            reject_if(exceeds_address_space(self.dtype, column + n + 1, ld.max(row)), (Arg::Lda, position + 3))?;
        }
        for (position, b) in blocks {
            reject_if(b.array.is_null(), (Arg::A, position))?;
        }
        reject_if(self.order.is_null(), (Arg::Ipiv, 12))?;
        let [from, to] = [self.input, self.output].map(|b| {
            let [row, column, ld] = [b.row, b.column, b.ld].map(i64::from);
            Blocks { matrices: Operand::Pointers(b.array), first: column * ld + row, ld }
        });
        Ok(Some(PermuteRows { dtype: self.dtype, n, rows, from, to, order: Operand::Pointers(self.order), batch }))
    }
}

/// Whether so many columns exceed the address space.
fn exceeds_address_space(dtype: Dtype, columns: i64, ld: i64) -> bool {
    extent::bytes(dtype.bytes() as i64, columns, ld, 1, 0).is_none()
}

fn reject_if<E>(bad: bool, arg: E) -> Result<(), E> {
    if bad { Err(arg) } else { Ok(()) }
}
