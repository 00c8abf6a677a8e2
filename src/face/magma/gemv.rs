//! `magmablas_?gemv_batched` and its other forms: with offsets into the members (`_core`, `_smallsq`), and strided.

use super::gemm::Factor;
use super::int::{MagmaInt, finish, tell};
use super::queue::{RawQueue, stream_of};
use crate::backend;
use crate::error::{Arg, Error};
use crate::face::call;
use crate::face::constants::cblas;
use crate::face::native::Positions;
use crate::routine::{Alpha, Dtype, Gemv, Operation};
use std::ffi::c_int;

/// Of the arguments of a form.
macro_rules! positions {
    ($($name:ident: $m:literal $n:literal $a:literal $lda:literal $x:literal $incx:literal $y:literal $incy:literal $batch:literal;)*) => {$(
        /// See the module.
        pub const $name: &Positions = &[
            (Arg::Trans, 1),
            (Arg::M, $m),
            (Arg::N, $n),
            (Arg::A, $a),
            (Arg::Lda, $lda),
            (Arg::X, $x),
            (Arg::Incx, $incx),
            (Arg::Y, $y),
            (Arg::Incy, $incy),
            (Arg::BatchCount, $batch),
            (Arg::StrideA, $lda + 1),
            (Arg::StrideX, $incx + 1),
            (Arg::StrideY, $incy + 1),
        ];
    )*};
}
positions! {
    POINTERS: 2 3 5 6 7 8 10 11 12;
    OFFSETS: 2 3 5 8 9 11 13 15 16;
    STRIDED: 2 3 5 6 8 9 12 13 15;
    STRIDED_OFFSETS: 2 3 5 6 10 11 15 16 19;
    EITHER: 2 3 5 7 11 13 17 19 22;
    SQUARE: 2 2 4 7 8 10 12 14 15;
    STRIDED_SQUARE: 2 2 4 7 9 11 14 16 18;
}

/// The arguments. Of x and y, which are columns, `at` has the first element's place, and `ld` the increment.
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
    pub operands: [Factor; 3],
    /// Number of matrices.
    pub batch: c_int,
}

impl Call {
    fn problem(&self) -> Result<Gemv, Error> {
        let ([m, n], [alpha, beta]) = (self.sizes.map(i64::from), self.factors);
        let [a, x, y] = self.operands.map(|operand| operand.of);
        let [lda, incx, incy] = self.operands.map(|operand| i64::from(operand.ld));
        let (dtype, trans, batch) = (self.dtype, cblas::trans(self.trans)?, self.batch.into());
        let (first, any_stride) = (self.operands.map(|operand| operand.first()), false);
        Ok(Gemv { dtype, trans, m, n, alpha, a, lda, x, incx, beta, y, incy, batch, first, any_stride })
    }

    unsafe fn run(&self, queue: RawQueue) -> Result<(), Error> {
        let p = self.problem()?;
        unsafe { call::run(self.name, backend::current()?, &Operation::Gemv(p), stream_of(queue)) }
    }
}

/// A form that returns nothing, so a bad argument is only told on stderr. Asynchronous.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn gemv(call: &Call, positions: &Positions, queue: RawQueue) -> Result<(), Error> {
    tell(call.name, positions, unsafe { call.run(queue) })
}

/// One that returns a code.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn gemv_with_code(call: &Call, positions: &Positions, queue: RawQueue) -> Result<MagmaInt, Error> {
    finish(call.name, positions, unsafe { call.run(queue) })
}
