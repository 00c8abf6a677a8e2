//! `magmablas_?gemv_batched` and its other forms: with offsets into the operands (`_core`, `_smallsq`), and strided.

use super::blas::leading;
use super::gemm::BlockOperand;
use super::int::{MagmaInt, into_code, report};
use super::queue::{RawQueue, stream_of};
use crate::backend;
use crate::error::{Arg, Error};
use crate::face::call::{self, WorkspaceSource};
use crate::face::constants::cblas;
use crate::face::native::Positions;
use crate::routine::{Alpha, Dtype, Gemv, Operation};
use std::ffi::c_int;

/// The positions of the arguments of a form.
macro_rules! positions {
    ($($name:ident: $m:literal $n:literal, $a:literal $lda:literal $sa:literal, $x:literal $incx:literal $sx:literal,
       $y:literal $incy:literal $sy:literal, $batch:literal;)*) => {$(
        /// The positions of the arguments of the form.
        pub const $name: &Positions = &[
            (Arg::Trans, 1),
            (Arg::M, $m),
            (Arg::N, $n),
            (Arg::A, $a),
            (Arg::Lda, $lda),
            (Arg::StrideA, $sa),
            (Arg::X, $x),
            (Arg::Incx, $incx),
            (Arg::StrideX, $sx),
            (Arg::Y, $y),
            (Arg::Incy, $incy),
            (Arg::StrideY, $sy),
            (Arg::BatchCount, $batch),
        ];
    )*};
}
// m n, A lda stride, x incx stride, y incy stride, batch; 0 if there is no such argument.
positions! {
    POINTERS: 2 3, 5 6 0, 7 8 0, 10 11 0, 12;
    OFFSETS: 2 3, 5 8 0, 9 11 0, 13 15 0, 16;
    STRIDED: 2 3, 5 6 7, 8 9 10, 12 13 14, 15;
    STRIDED_OFFSETS: 2 3, 5 6 9, 10 11 13, 15 16 18, 19;
    EITHER: 2 3, 5 7 8, 11 13 14, 17 19 20, 22;
    SQUARE: 2 2, 4 7 0, 8 10 0, 12 14 0, 15;
    STRIDED_SQUARE: 2 2, 4 7 8, 9 11 12, 14 16 17, 18;
}

/// The arguments. x and y are treated as rows of a matrix: `at[1]` is the index of the first element, and `ld` is the
/// increment.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The exported function.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// `magma_trans_t`
    pub trans: c_int,
    /// m and n.
    pub sizes: [c_int; 2],
    /// alpha and beta.
    pub factors: [Alpha; 2],
    /// A, x and y.
    pub operands: [BlockOperand; 3],
    /// Number of matrices.
    pub batch: c_int,
}

impl Call {
    fn problem(&self) -> Result<Gemv, Error> {
        let ([m, n], [alpha, beta]) = (self.sizes.map(i64::from), self.factors);
        let [a, x, y] = self.operands.map(|operand| operand.matrices);
        let [lda, incx, incy] = self.operands.map(|operand| i64::from(operand.ld));
        let (dtype, trans, batch) = (self.dtype, cblas::trans(self.trans)?, self.batch.into());
        let (lda, sizes, first, any_stride) =
            (leading(lda, m), None, self.operands.map(|operand| operand.offset()), false);
        Ok(Gemv { dtype, trans, m, n, alpha, a, lda, x, incx, beta, y, incy, sizes, batch, first, any_stride })
    }

    unsafe fn run(&self, queue: RawQueue) -> Result<(), Error> {
        let p = self.problem()?;
        unsafe {
            call::run(self.name, backend::current()?, &Operation::Gemv(p), stream_of(queue), WorkspaceSource::Caller)
        }
    }
}

/// A form that returns nothing, so a bad argument is only reported on stderr. Asynchronous.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn gemv(call: &Call, positions: &Positions, queue: RawQueue) -> Result<(), Error> {
    report(call.name, positions, unsafe { call.run(queue) })
}

/// A form that returns a code.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn gemv_with_code(call: &Call, positions: &Positions, queue: RawQueue) -> Result<MagmaInt, Error> {
    into_code(call.name, positions, unsafe { call.run(queue) })
}
