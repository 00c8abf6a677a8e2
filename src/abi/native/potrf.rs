//! Cholesky factorisation, and the inverse from it.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_core::face::native::*;
use tephra_core::routine::{Operation, Potrf, Potri, Workspace};
use tephra_core::{Dtype, Operand, Stream, entry};

struct Sizes {
    n: i64,
    lda: i64,
    batch: i64,
}

macro_rules! triangle {
    ($($ty:ty: $dtype:ident, $Routine:ident:
        $(#[$b:meta])* $batched:ident, $(#[$bw:meta])* $batched_workspace:ident,
        $(#[$s:meta])* $strided:ident, $(#[$sw:meta])* $strided_workspace:ident;)*
    ) => { entry! {$(
        $(#[$b])*
        fn $batched(
            uplo: c_int, n: i64, a_array: *const *mut $ty, lda: i64, info: *mut c_int, batch_count: i64,
            work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let (sizes, work) = (Sizes { n, lda, batch: batch_count }, Workspace { p: work, bytes: work_bytes });
            let op = problem!($Routine, Dtype::$dtype, uplo, sizes, pointers(a_array), info, work);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$bw])*
        fn $batched_workspace(uplo: c_int, n: i64, lda: i64, batch_count: i64, bytes: *mut usize) -> Status {
            let sizes = Sizes { n, lda, batch: batch_count };
            let op = problem!($Routine, Dtype::$dtype, uplo, sizes, Operand::NULL, null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, op, bytes)))
        }

        $(#[$s])*
        fn $strided(
            uplo: c_int, n: i64, a: *mut $ty, lda: i64, stride_a: i64, info: *mut c_int, batch_count: i64,
            work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let (sizes, work) = (Sizes { n, lda, batch: batch_count }, Workspace { p: work, bytes: work_bytes });
            let op = problem!($Routine, Dtype::$dtype, uplo, sizes, strided(a, stride_a), info, work);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$sw])*
        fn $strided_workspace(
            uplo: c_int, n: i64, lda: i64, stride_a: i64, batch_count: i64, bytes: *mut usize,
        ) -> Status {
            let (sizes, a) = (Sizes { n, lda, batch: batch_count }, strided(null_mut::<$ty>(), stride_a));
            let op = problem!($Routine, Dtype::$dtype, uplo, sizes, a, null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, op, bytes)))
        }
    )*}};
}

/// The problem of a call; an error if the code of the triangle is invalid.
macro_rules! problem {
    (Potrf, $($rest:expr),*) => { problem!(Potrf { sizes: None, }, $($rest),*) };
    (Potri, $($rest:expr),*) => { problem!(Potri { sizes: None, }, $($rest),*) };
    ($Routine:ident { $($own:tt)* }, $dtype:expr, $flag:expr, $sizes:expr, $a:expr, $info:expr, $work:expr) => {
        uplo($flag).map(|uplo| {
            let (Sizes { n, lda, batch }, a, info, work) = ($sizes, $a, $info, $work);
            Operation::$Routine($Routine { dtype: $dtype, uplo, n, a, lda, $($own)* info, batch, work })
        })
    };
}

triangle! {
    f32: S, Potrf:
    /// Batched LAPACK SPOTRF: the Cholesky factorisation A(i) = L(i) L(i)^H or A(i) = U(i)^H U(i) in place, for symmetric
    /// (complex: Hermitian) positive definite A(i).
    ///
    /// The factor overwrites the triangle uplo of A(i); the other triangle is neither read nor written. Imaginary parts
    /// on the diagonal of A(i) are ignored; those of the factor are 0. If A(i) is not positive definite, info is the
    /// order j of the first leading minor that is not. The factor of the leading minor of order j - 1 is then complete,
    /// element (j, j) holds the updated diagonal element, which is not positive, and the rest of the triangle is
    /// unspecified. A NaN counts as not positive, so info is where the first one reached the diagonal.
    ///
    /// The call is asynchronous on the stream, allocates nothing (except, for few large matrices, scratch memory from
    /// the stream-ordered pool) and can be captured in a CUDA graph. A NaN or infinity affects only its own matrix.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
    /// | 2 | n | order of A, n >= 0 |
    /// | 3 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
    /// | 4 | lda | leading dimension of A, lda >= max(1,n) |
    /// | 5 | info | one int per matrix in device memory, or NULL: 0, or j when the leading minor of order j is the first that is not positive definite |
    /// | 6 | batch_count | number of matrices, >= 0 |
    /// | 7 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 8 | work_bytes | size of work, at least what tephra_spotrf_batched_workspace() reports; a smaller one is an error |
    /// | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays, matrices and info are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
    /// returns success when n or batch_count is 0; all of info is then set to 0.
    tephra_spotrf_batched,
    /// Workspace of tephra_spotrf_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
    /// and are numbered uplo 1, n 2, lda 3, batch_count 4.
    tephra_spotrf_batched_workspace,
    /// tephra_spotrf_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
    /// max(1,n); matrices must not share elements of the triangle. Arguments are numbered uplo 1, n 2, a 3, lda 4,
    /// stride_a 5, info 6, batch_count 7, work 8, work_bytes 9, stream 10.
    tephra_spotrf_strided_batched,
    /// Workspace of tephra_spotrf_strided_batched() in bytes. Arguments are numbered uplo 1, n 2, lda 3, stride_a 4,
    /// batch_count 5.
    tephra_spotrf_strided_batched_workspace;

    f64: D, Potrf:
    /// tephra_spotrf_batched() in double precision (LAPACK DPOTRF).
    tephra_dpotrf_batched,
    /// tephra_spotrf_batched_workspace() in double precision.
    tephra_dpotrf_batched_workspace,
    /// tephra_spotrf_strided_batched() in double precision.
    tephra_dpotrf_strided_batched,
    /// tephra_spotrf_strided_batched_workspace() in double precision.
    tephra_dpotrf_strided_batched_workspace;

    C32: C, Potrf:
    /// tephra_spotrf_batched() in single precision complex (LAPACK CPOTRF).
    tephra_cpotrf_batched,
    /// tephra_spotrf_batched_workspace() in single precision complex.
    tephra_cpotrf_batched_workspace,
    /// tephra_spotrf_strided_batched() in single precision complex.
    tephra_cpotrf_strided_batched,
    /// tephra_spotrf_strided_batched_workspace() in single precision complex.
    tephra_cpotrf_strided_batched_workspace;

    C64: Z, Potrf:
    /// tephra_spotrf_batched() in double precision complex (LAPACK ZPOTRF).
    tephra_zpotrf_batched,
    /// tephra_spotrf_batched_workspace() in double precision complex.
    tephra_zpotrf_batched_workspace,
    /// tephra_spotrf_strided_batched() in double precision complex.
    tephra_zpotrf_strided_batched,
    /// tephra_spotrf_strided_batched_workspace() in double precision complex.
    tephra_zpotrf_strided_batched_workspace;

    f32: S, Potri:
    /// Batched LAPACK SPOTRI: A(i)^-1 in place, from the factor that tephra_spotrf_batched() left in A(i).
    ///
    /// The inverse is symmetric (complex: Hermitian): its triangle uplo overwrites the factor; the other triangle is
    /// neither read nor written. If the factor has an exact 0 on its diagonal, A(i) has no inverse and is left
    /// unchanged.
    ///
    /// The call is asynchronous on the stream, allocates nothing (except, for few large matrices, scratch memory from
    /// the stream-ordered pool) and can be captured in a CUDA graph. A NaN or infinity affects only its own matrix.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
    /// | 2 | n | order of A, n >= 0 |
    /// | 3 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
    /// | 4 | lda | leading dimension of A, lda >= max(1,n) |
    /// | 5 | info | one int per matrix in device memory, or NULL: 0, or j when element j (from 1) of the factor's diagonal is the first that is exactly 0 |
    /// | 6 | batch_count | number of matrices, >= 0 |
    /// | 7 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 8 | work_bytes | size of work, at least what tephra_spotri_batched_workspace() reports; a smaller one is an error |
    /// | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays, matrices and info are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
    /// returns success when n or batch_count is 0; all of info is then set to 0.
    tephra_spotri_batched,
    /// Workspace of tephra_spotri_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
    /// and are numbered uplo 1, n 2, lda 3, batch_count 4.
    tephra_spotri_batched_workspace,
    /// tephra_spotri_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
    /// max(1,n); matrices must not share elements of the triangle. Arguments are numbered uplo 1, n 2, a 3, lda 4,
    /// stride_a 5, info 6, batch_count 7, work 8, work_bytes 9, stream 10.
    tephra_spotri_strided_batched,
    /// Workspace of tephra_spotri_strided_batched() in bytes. Arguments are numbered uplo 1, n 2, lda 3, stride_a 4,
    /// batch_count 5.
    tephra_spotri_strided_batched_workspace;

    f64: D, Potri:
    /// tephra_spotri_batched() in double precision (LAPACK DPOTRI).
    tephra_dpotri_batched,
    /// tephra_spotri_batched_workspace() in double precision.
    tephra_dpotri_batched_workspace,
    /// tephra_spotri_strided_batched() in double precision.
    tephra_dpotri_strided_batched,
    /// tephra_spotri_strided_batched_workspace() in double precision.
    tephra_dpotri_strided_batched_workspace;

    C32: C, Potri:
    /// tephra_spotri_batched() in single precision complex (LAPACK CPOTRI).
    tephra_cpotri_batched,
    /// tephra_spotri_batched_workspace() in single precision complex.
    tephra_cpotri_batched_workspace,
    /// tephra_spotri_strided_batched() in single precision complex.
    tephra_cpotri_strided_batched,
    /// tephra_spotri_strided_batched_workspace() in single precision complex.
    tephra_cpotri_strided_batched_workspace;

    C64: Z, Potri:
    /// tephra_spotri_batched() in double precision complex (LAPACK ZPOTRI).
    tephra_zpotri_batched,
    /// tephra_spotri_batched_workspace() in double precision complex.
    tephra_zpotri_batched_workspace,
    /// tephra_spotri_strided_batched() in double precision complex.
    tephra_zpotri_strided_batched,
    /// tephra_spotri_strided_batched_workspace() in double precision complex.
    tephra_zpotri_strided_batched_workspace;
}
