//! Systems of equations.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_core::face::native::*;
use tephra_core::routine::{Gesv, Operation, Workspace};
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
    Sizes { n, nrhs, lda, ldb, batch }: Sizes,
    [a, ipiv, b]: [Operand; 3],
    info: *mut c_int,
    work: Workspace,
) -> Result<Operation, Error> {
    Ok(Operation::Gesv(Gesv { dtype, n, nrhs, a, lda, ipiv, b, ldb, sizes: None, info, batch, work }))
}

macro_rules! gesv {
    ($($ty:ty: $dtype:ident:
        $(#[$b:meta])* $batched:ident, $(#[$bw:meta])* $batched_workspace:ident,
        $(#[$s:meta])* $strided:ident, $(#[$sw:meta])* $strided_workspace:ident;)*
    ) => { entry! {$(
        $(#[$b])*
        fn $batched(
            n: i64, nrhs: i64, a_array: *const *mut $ty, lda: i64, ipiv_array: *const *mut c_int,
            b_array: *const *mut $ty, ldb: i64, info: *mut c_int, batch_count: i64, work: *mut c_void, work_bytes: usize,
            stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { n, nrhs, lda, ldb, batch: batch_count };
            let operands = [pointers(a_array), pointers(ipiv_array), pointers(b_array)];
            let op = problem(Dtype::$dtype, sizes, operands, info, Workspace { p: work, bytes: work_bytes });
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$bw])*
        fn $batched_workspace(
            n: i64, nrhs: i64, lda: i64, ldb: i64, batch_count: i64, bytes: *mut usize,
        ) -> Status {
            let sizes = Sizes { n, nrhs, lda, ldb, batch: batch_count };
            let op = problem(Dtype::$dtype, sizes, [Operand::NULL; 3], null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, op, bytes)))
        }

        $(#[$s])*
        fn $strided(
            n: i64, nrhs: i64, a: *mut $ty, lda: i64, stride_a: i64, ipiv: *mut c_int, stride_ipiv: i64,
            b: *mut $ty, ldb: i64, stride_b: i64, info: *mut c_int, batch_count: i64, work: *mut c_void, work_bytes: usize,
            stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { n, nrhs, lda, ldb, batch: batch_count };
            let operands = [strided(a, stride_a), strided(ipiv, stride_ipiv), strided(b, stride_b)];
            let op = problem(Dtype::$dtype, sizes, operands, info, Workspace { p: work, bytes: work_bytes });
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$sw])*
        fn $strided_workspace(
            n: i64, nrhs: i64, lda: i64, stride_a: i64, stride_ipiv: i64, ldb: i64, stride_b: i64,
            batch_count: i64, bytes: *mut usize,
        ) -> Status {
            let sizes = Sizes { n, nrhs, lda, ldb, batch: batch_count };
            let operands = [stride_a, stride_ipiv, stride_b].map(|stride| strided(null_mut::<$ty>(), stride));
            let op = problem(Dtype::$dtype, sizes, operands, null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, op, bytes)))
        }
    )*}};
}

gesv! {
    f32: S:
    /// Batched LAPACK SGESV: solves A(i) X(i) = B(i) by an LU factorisation with pivoting.
    ///
    /// On exit A(i) and ipiv(i) are as tephra_sgetrf_batched() leaves them, and X(i) is in B(i). If info is not 0, A(i)
    /// is singular, and every column of B(i) contains non-finite values. The call is asynchronous on the stream,
    /// allocates nothing (except where tephra_sgetrf_batched() or tephra_sgetrs_batched() uses scratch memory) and can
    /// be captured in a CUDA graph. A NaN or infinity affects only its own matrix.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | n | order of A, n >= 0 |
    /// | 2 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
    /// | 3 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
    /// | 4 | lda | leading dimension of A, lda >= max(1,n) |
    /// | 5 | ipiv_array | batch_count pointers to vectors of n ints, likewise |
    /// | 6 | b_array | batch_count pointers to n x nrhs matrices; not NULL when nrhs > 0 and there is work |
    /// | 7 | ldb | leading dimension of B, ldb >= max(1,n) |
    /// | 8 | info | one int per matrix in device memory, or NULL: 0, or j when element j (from 1) of U's diagonal is the first that is exactly 0 |
    /// | 9 | batch_count | number of matrices, >= 0 |
    /// | 10 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 11 | work_bytes | size of work, at least what tephra_sgesv_batched_workspace() reports; a smaller one is an error |
    /// | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays, matrices, interchanges and info are in device memory, as for tephra_sgeqrf_batched(). The call does
    /// nothing and returns success when n or batch_count is 0; all of info is then set to 0. Without right-hand sides A
    /// is still factored and info set.
    tephra_sgesv_batched,
    /// Workspace of tephra_sgesv_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
    /// and are numbered n 1, nrhs 2, lda 3, ldb 4, batch_count 5.
    tephra_sgesv_batched_workspace,
    /// tephra_sgesv_batched() for matrices at a constant stride (in elements; stride_ipiv in ints). With batch_count >
    /// 1, stride_a >= max(1,n), stride_ipiv >= max(1,n), stride_b >= max(1,n); matrices must not share elements.
    /// Arguments are numbered n 1, nrhs 2, a 3, lda 4, stride_a 5, ipiv 6, stride_ipiv 7, b 8, ldb 9, stride_b 10,
    /// info 11, batch_count 12, work 13, work_bytes 14, stream 15.
    tephra_sgesv_strided_batched,
    /// Workspace of tephra_sgesv_strided_batched() in bytes. Arguments are numbered n 1, nrhs 2, lda 3, stride_a 4,
    /// stride_ipiv 5, ldb 6, stride_b 7, batch_count 8.
    tephra_sgesv_strided_batched_workspace;

    f64: D:
    /// tephra_sgesv_batched() in double precision (LAPACK DGESV).
    tephra_dgesv_batched,
    /// tephra_sgesv_batched_workspace() in double precision.
    tephra_dgesv_batched_workspace,
    /// tephra_sgesv_strided_batched() in double precision.
    tephra_dgesv_strided_batched,
    /// tephra_sgesv_strided_batched_workspace() in double precision.
    tephra_dgesv_strided_batched_workspace;

    C32: C:
    /// tephra_sgesv_batched() in single precision complex (LAPACK CGESV).
    tephra_cgesv_batched,
    /// tephra_sgesv_batched_workspace() in single precision complex.
    tephra_cgesv_batched_workspace,
    /// tephra_sgesv_strided_batched() in single precision complex.
    tephra_cgesv_strided_batched,
    /// tephra_sgesv_strided_batched_workspace() in single precision complex.
    tephra_cgesv_strided_batched_workspace;

    C64: Z:
    /// tephra_sgesv_batched() in double precision complex (LAPACK ZGESV).
    tephra_zgesv_batched,
    /// tephra_sgesv_batched_workspace() in double precision complex.
    tephra_zgesv_batched_workspace,
    /// tephra_sgesv_strided_batched() in double precision complex.
    tephra_zgesv_strided_batched,
    /// tephra_sgesv_strided_batched_workspace() in double precision complex.
    tephra_zgesv_strided_batched_workspace;
}
