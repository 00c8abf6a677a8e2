//! Systems of equations from a Cholesky factorisation.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_core::face::native::*;
use tephra_core::routine::{Operation, Potrs, Workspace};
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
    work: Workspace,
) -> Result<Operation, Error> {
    let (uplo, sizes, info) = (uplo(flag)?, None, null_mut());
    Ok(Operation::Potrs(Potrs { dtype, uplo, n, nrhs, a, lda, b, ldb, sizes, info, batch, work }))
}

macro_rules! potrs {
    ($($ty:ty: $dtype:ident:
        $(#[$b:meta])* $batched:ident, $(#[$bw:meta])* $batched_workspace:ident,
        $(#[$s:meta])* $strided:ident, $(#[$sw:meta])* $strided_workspace:ident;)*
    ) => { entry! {$(
        $(#[$b])*
        fn $batched(
            uplo: c_int, n: i64, nrhs: i64, a_array: *const *mut $ty, lda: i64, b_array: *const *mut $ty, ldb: i64,
            batch_count: i64, work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { n, nrhs, lda, ldb, batch: batch_count };
            let (operands, work) = ([pointers(a_array), pointers(b_array)], Workspace { p: work, bytes: work_bytes });
            let op = problem(Dtype::$dtype, uplo, sizes, operands, work);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$bw])*
        fn $batched_workspace(
            uplo: c_int, n: i64, nrhs: i64, lda: i64, ldb: i64, batch_count: i64, bytes: *mut usize,
        ) -> Status {
            let sizes = Sizes { n, nrhs, lda, ldb, batch: batch_count };
            let op = problem(Dtype::$dtype, uplo, sizes, [Operand::NULL; 2], Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, op, bytes)))
        }

        $(#[$s])*
        fn $strided(
            uplo: c_int, n: i64, nrhs: i64, a: *const $ty, lda: i64, stride_a: i64, b: *mut $ty, ldb: i64,
            stride_b: i64, batch_count: i64, work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { n, nrhs, lda, ldb, batch: batch_count };
            let operands = [strided(a.cast_mut(), stride_a), strided(b, stride_b)];
            let op = problem(Dtype::$dtype, uplo, sizes, operands, Workspace { p: work, bytes: work_bytes });
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$sw])*
        fn $strided_workspace(
            uplo: c_int, n: i64, nrhs: i64, lda: i64, stride_a: i64, ldb: i64, stride_b: i64, batch_count: i64,
            bytes: *mut usize,
        ) -> Status {
            let sizes = Sizes { n, nrhs, lda, ldb, batch: batch_count };
            let operands = [stride_a, stride_b].map(|stride| strided(null_mut::<$ty>(), stride));
            let op = problem(Dtype::$dtype, uplo, sizes, operands, Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, op, bytes)))
        }
    )*}};
}

potrs! {
    f32: S:
    /// Batched LAPACK SPOTRS: B(i) := A(i)^-1 B(i), from the factor that tephra_spotrf_batched() left in A(i).
    ///
    /// A(i) is not checked for singularity: the result of a division by a 0 on the factor's diagonal is passed on. The
    /// other triangle of A(i) is not read.
    ///
    /// The call is asynchronous on the stream, allocates nothing (except, for few large matrices, scratch memory from
    /// the stream-ordered pool) and can be captured in a CUDA graph. A NaN or infinity affects only its own matrix.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
    /// | 2 | n | order of A, n >= 0 |
    /// | 3 | nrhs | right-hand sides, columns of B, nrhs >= 0 |
    /// | 4 | a_array | batch_count pointers to n x n matrices, which may coincide; not NULL when there is work |
    /// | 5 | lda | leading dimension of A, lda >= max(1,n) |
    /// | 6 | b_array | batch_count pointers to n x nrhs matrices; not NULL when there is work |
    /// | 7 | ldb | leading dimension of B, ldb >= max(1,n) |
    /// | 8 | batch_count | number of matrices, >= 0 |
    /// | 9 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 10 | work_bytes | size of work, at least what tephra_spotrs_batched_workspace() reports; a smaller one is an error |
    /// | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
    /// success when n, nrhs or batch_count is 0.
    tephra_spotrs_batched,
    /// Workspace of tephra_spotrs_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
    /// and are numbered uplo 1, n 2, nrhs 3, lda 4, ldb 5, batch_count 6.
    tephra_spotrs_batched_workspace,
    /// tephra_spotrs_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
    /// one factor for all members) and stride_b >= max(1,n). Arguments are numbered uplo 1, n 2, nrhs 3, a 4, lda 5,
    /// stride_a 6, b 7, ldb 8, stride_b 9, batch_count 10, work 11, work_bytes 12, stream 13.
    tephra_spotrs_strided_batched,
    /// Workspace of tephra_spotrs_strided_batched() in bytes. Arguments are numbered uplo 1, n 2, nrhs 3, lda 4, stride_a 5,
    /// ldb 6, stride_b 7, batch_count 8.
    tephra_spotrs_strided_batched_workspace;

    f64: D:
    /// tephra_spotrs_batched() in double precision (LAPACK DPOTRS).
    tephra_dpotrs_batched,
    /// tephra_spotrs_batched_workspace() in double precision.
    tephra_dpotrs_batched_workspace,
    /// tephra_spotrs_strided_batched() in double precision.
    tephra_dpotrs_strided_batched,
    /// tephra_spotrs_strided_batched_workspace() in double precision.
    tephra_dpotrs_strided_batched_workspace;

    C32: C:
    /// tephra_spotrs_batched() in single precision complex (LAPACK CPOTRS).
    tephra_cpotrs_batched,
    /// tephra_spotrs_batched_workspace() in single precision complex.
    tephra_cpotrs_batched_workspace,
    /// tephra_spotrs_strided_batched() in single precision complex.
    tephra_cpotrs_strided_batched,
    /// tephra_spotrs_strided_batched_workspace() in single precision complex.
    tephra_cpotrs_strided_batched_workspace;

    C64: Z:
    /// tephra_spotrs_batched() in double precision complex (LAPACK ZPOTRS).
    tephra_zpotrs_batched,
    /// tephra_spotrs_batched_workspace() in double precision complex.
    tephra_zpotrs_batched_workspace,
    /// tephra_spotrs_strided_batched() in double precision complex.
    tephra_zpotrs_strided_batched,
    /// tephra_spotrs_strided_batched_workspace() in double precision complex.
    tephra_zpotrs_strided_batched_workspace;
}
