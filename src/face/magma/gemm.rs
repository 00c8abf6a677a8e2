//! `magma_?gemm_batched` and its other forms: with offsets into the matrices (`_core`, `_smallsq`), strided, and on
//! host memory (`blas_?gemm_batched`).

use crate::backend;
use crate::backend::Kind;
use crate::error::{Arg, Error};
use crate::face::call;
use crate::face::call::WorkspaceSource;
use crate::face::constants::cblas;
use crate::face::magma::blas::leading;
use crate::face::magma::int::report;
use crate::face::magma::queue::{RawQueue, stream_of};
use crate::face::native::Positions;
use crate::routine::{Alpha, Dtype, Gemm, Operand, Operation, Stream, Trans};
use std::ffi::c_int;

/// The positions of the arguments of a form.
macro_rules! positions {
    ($name:ident: $a:literal $lda:literal $b:literal $ldb:literal $c:literal $ldc:literal $batch:literal; $($stride:ident $at:literal),*) => {
        const $name: &Positions = &[
            (Arg::TransA, 1),
            (Arg::TransB, 2),
            (Arg::M, 3),
            (Arg::N, 4),
            (Arg::K, 5),
            (Arg::A, $a),
            (Arg::Lda, $lda),
            (Arg::B, $b),
            (Arg::Ldb, $ldb),
            (Arg::C, $c),
            (Arg::Ldc, $ldc),
            (Arg::BatchCount, $batch),
            $((Arg::$stride, $at),)*
        ];
    };
}
positions!(POINTERS: 7 8 9 10 12 13 14;);
positions!(OFFSETS: 7 10 11 14 16 19 20;);
positions!(STRIDED: 7 8 10 11 14 15 17; StrideA 9, StrideB 12, StrideC 16);

/// An operand of the call.
#[derive(Clone, Copy, Debug)]
pub struct BlockOperand {
    /// The matrices of the batch.
    pub matrices: Operand,
    /// First row and column of the block in each matrix.
    pub at: [c_int; 2],
    /// Leading dimension.
    pub ld: c_int,
}

impl BlockOperand {
    /// The offset of the block, in elements. It does not depend on the sign of a vector's increment, which says from
    /// which end the block is traversed.
    pub(super) fn offset(&self) -> i64 {
        i64::from(self.at[0]) + i64::from(self.at[1]) * i64::from(self.ld).abs()
    }
}

/// The arguments.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The exported function.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// `magma_trans_t` of A and B.
    pub trans: [c_int; 2],
    /// m, n and k.
    pub sizes: [c_int; 3],
    /// alpha and beta.
    pub factors: [Alpha; 2],
    /// A, B and C.
    pub operands: [BlockOperand; 3],
    /// Number of matrices.
    pub batch: c_int,
}

impl Call {
    fn problem(&self) -> Result<Gemm, Error> {
        let (trans_a, trans_b) = (cblas::trans(self.trans[0]), cblas::trans(self.trans[1]));
        let [m, n, k] = self.sizes.map(i64::from);
        let (factors, operands) = (self.factors, self.operands.map(|operand| operand.matrices));
        let [lda, ldb, ldc] = self.operands.map(|operand| i64::from(operand.ld));
        let (trans_a, trans_b) = (trans_a.map_err(|_| Arg::TransA)?, trans_b.map_err(|_| Arg::TransB)?);
        let rows = |trans, [plain, transposed]: [i64; 2]| if trans == Trans::N { plain } else { transposed };
        let (lda, ldb) = (leading(lda, rows(trans_a, [m, k])), leading(ldb, rows(trans_b, [k, n])));
        let (ldc, any_stride) = (leading(ldc, m), m == 0 || n == 0); // strides do not matter without elements
        let (ld, first) = ([lda, ldb, ldc], self.operands.map(|o| o.offset()));
        let all = Gemm::uniform(self.dtype, [trans_a, trans_b], [m, n, k], factors, operands, ld, self.batch.into());
        Ok(Gemm { first, any_stride, ..all })
    }

    unsafe fn run(&self, queue: RawQueue) -> Result<(), Error> {
        let p = self.problem()?;
        unsafe {
            call::run(self.name, backend::current()?, &Operation::Gemm(p), stream_of(queue), WorkspaceSource::Caller)
        }
    }
}

/// The form with pointer arrays. Like the other forms, it returns nothing, so a bad argument is only reported on
/// stderr. Asynchronous.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn gemm(call: &Call, queue: RawQueue) -> Result<(), Error> {
    report(call.name, POINTERS, unsafe { call.run(queue) })
}

/// The form with pointer arrays, for blocks of the matrices.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn gemm_at(call: &Call, queue: RawQueue) -> Result<(), Error> {
    report(call.name, OFFSETS, unsafe { call.run(queue) })
}

/// The strided form.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn gemm_strided(call: &Call, queue: RawQueue) -> Result<(), Error> {
    report(call.name, STRIDED, unsafe { call.run(queue) })
}

/// The form on host memory, whatever the backend is. It has finished when the call returns.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn gemm_on_host(call: &Call) -> Result<(), Error> {
    let run = |p| unsafe {
        call::run(
            call.name,
            backend::get(Kind::Cpu)?,
            &Operation::Gemm(p),
            Stream(std::ptr::null_mut()),
            WorkspaceSource::Caller,
        )
    };
    report(call.name, POINTERS, call.problem().and_then(run))
}
