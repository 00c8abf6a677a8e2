//! Systems of equations with a positive definite matrix.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_core::face::native::*;
use tephra_core::routine::{Operation, Posv, Workspace};
use tephra_core::{Dtype, Error, Operand, Stream, entry};

struct Sizes {
    n: i64,
    nrhs: i64,
    lda: i64,
    ldb: i64,
    batch: i64,
}

fn problem(
    dtype: Dtype,
    flag: c_int,
    Sizes { n, nrhs, lda, ldb, batch }: Sizes,
    [a, b]: [Operand; 2],
    info: *mut c_int,
    work: Workspace,
) -> Result<Operation, Error> {
    Ok(Operation::Posv(Posv { dtype, uplo: uplo(flag)?, n, nrhs, a, lda, b, ldb, sizes: None, info, batch, work }))
}

macro_rules! posv {
    ($($ty:ty: $dtype:ident:
        $(#[$b:meta])* $batched:ident, $(#[$bw:meta])* $batched_workspace:ident,
        $(#[$s:meta])* $strided:ident, $(#[$sw:meta])* $strided_workspace:ident;)*
    ) => { entry! {$(
        $(#[$b])*
        fn $batched(
            uplo: c_int, n: i64, nrhs: i64, a_array: *const *mut $ty, lda: i64, b_array: *const *mut $ty, ldb: i64,
            info: *mut c_int, batch_count: i64, work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { n, nrhs, lda, ldb, batch: batch_count };
            let (operands, work) = ([pointers(a_array), pointers(b_array)], Workspace { p: work, bytes: work_bytes });
            let op = problem(Dtype::$dtype, uplo, sizes, operands, info, work);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$bw])*
        fn $batched_workspace(
            uplo: c_int, n: i64, nrhs: i64, lda: i64, ldb: i64, batch_count: i64, bytes: *mut usize,
        ) -> Status {
            let sizes = Sizes { n, nrhs, lda, ldb, batch: batch_count };
            let op = problem(Dtype::$dtype, uplo, sizes, [Operand::NULL; 2], null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, op, bytes)))
        }

        $(#[$s])*
        fn $strided(
            uplo: c_int, n: i64, nrhs: i64, a: *mut $ty, lda: i64, stride_a: i64, b: *mut $ty, ldb: i64,
            stride_b: i64, info: *mut c_int, batch_count: i64, work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { n, nrhs, lda, ldb, batch: batch_count };
            let operands = [strided(a, stride_a), strided(b, stride_b)];
            let op = problem(Dtype::$dtype, uplo, sizes, operands, info, Workspace { p: work, bytes: work_bytes });
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$sw])*
        fn $strided_workspace(
            uplo: c_int, n: i64, nrhs: i64, lda: i64, stride_a: i64, ldb: i64, stride_b: i64, batch_count: i64,
            bytes: *mut usize,
        ) -> Status {
            let sizes = Sizes { n, nrhs, lda, ldb, batch: batch_count };
            let operands = [stride_a, stride_b].map(|stride| strided(null_mut::<$ty>(), stride));
            let op = problem(Dtype::$dtype, uplo, sizes, operands, null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, op, bytes)))
        }
    )*}};
}

posv! {
    f32: S:
    /// Batched LAPACK SPOSV: solves A(i) X(i) = B(i) by a Cholesky factorisation, for symmetric (complex: Hermitian) positive
    /// definite A(i).
    ///
    /// On exit A(i) is as tephra_spotrf_batched() leaves it, and X(i) is in B(i). If info is not 0, A(i) is not
    /// positive definite, and the contents of B(i) are unspecified.
    ///
    /// The call is asynchronous on the stream, allocates nothing (except, for few large matrices, scratch memory from
    /// the stream-ordered pool) and can be captured in a CUDA graph. A NaN or infinity affects only its own matrix.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
    /// | 2 | n | order of A, n >= 0 |
    /// | 3 | nrhs | right-hand sides, columns of B, nrhs >= 0 |
    /// | 4 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
    /// | 5 | lda | leading dimension of A, lda >= max(1,n) |
    /// | 6 | b_array | batch_count pointers to n x nrhs matrices; not NULL when nrhs > 0 and there is work |
    /// | 7 | ldb | leading dimension of B, ldb >= max(1,n) |
    /// | 8 | info | one int per matrix in device memory, or NULL: 0, or j when the leading minor of order j is the first that is not positive definite |
    /// | 9 | batch_count | number of matrices, >= 0 |
    /// | 10 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 11 | work_bytes | size of work, at least what tephra_sposv_batched_workspace() reports; a smaller one is an error |
    /// | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays, matrices and info are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
    /// returns success when n or batch_count is 0; all of info is then set to 0. Without right-hand sides A is still
    /// factored and info set.
    tephra_sposv_batched,
    /// Workspace of tephra_sposv_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
    /// and are numbered uplo 1, n 2, nrhs 3, lda 4, ldb 5, batch_count 6.
    tephra_sposv_batched_workspace,
    /// tephra_sposv_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
    /// max(1,n) and stride_b >= max(1,n). Arguments are numbered uplo 1, n 2, nrhs 3, a 4, lda 5, stride_a 6, b 7,
    /// ldb 8, stride_b 9, info 10, batch_count 11, work 12, work_bytes 13, stream 14.
    tephra_sposv_strided_batched,
    /// Workspace of tephra_sposv_strided_batched() in bytes. Arguments are numbered uplo 1, n 2, nrhs 3, lda 4, stride_a 5,
    /// ldb 6, stride_b 7, batch_count 8.
    tephra_sposv_strided_batched_workspace;

    f64: D:
    /// tephra_sposv_batched() in double precision (LAPACK DPOSV).
    tephra_dposv_batched,
    /// tephra_sposv_batched_workspace() in double precision.
    tephra_dposv_batched_workspace,
    /// tephra_sposv_strided_batched() in double precision.
    tephra_dposv_strided_batched,
    /// tephra_sposv_strided_batched_workspace() in double precision.
    tephra_dposv_strided_batched_workspace;

    C32: C:
    /// tephra_sposv_batched() in single precision complex (LAPACK CPOSV).
    tephra_cposv_batched,
    /// tephra_sposv_batched_workspace() in single precision complex.
    tephra_cposv_batched_workspace,
    /// tephra_sposv_strided_batched() in single precision complex.
    tephra_cposv_strided_batched,
    /// tephra_sposv_strided_batched_workspace() in single precision complex.
    tephra_cposv_strided_batched_workspace;

    C64: Z:
    /// tephra_sposv_batched() in double precision complex (LAPACK ZPOSV).
    tephra_zposv_batched,
    /// tephra_sposv_batched_workspace() in double precision complex.
    tephra_zposv_batched_workspace,
    /// tephra_sposv_strided_batched() in double precision complex.
    tephra_zposv_strided_batched,
    /// tephra_sposv_strided_batched_workspace() in double precision complex.
    tephra_zposv_strided_batched_workspace;
}
