//! LU factorisation, with pivoting and without.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_core::face::native::*;
use tephra_core::routine::{Getrf, Operation, Workspace};
use tephra_core::{Dtype, Operand, Stream, entry};

struct Sizes {
    m: i64,
    n: i64,
    lda: i64,
    batch: i64,
}

/// The problem; `ipiv` is `None` for LU without pivoting.
fn problem(
    dtype: Dtype,
    Sizes { m, n, lda, batch }: Sizes,
    a: Operand,
    ipiv: Option<Operand>,
    info: *mut c_int,
    work: Workspace,
) -> Operation {
    Operation::Getrf(Getrf { info, work, ..Getrf::of(dtype, (m, n), (a, lda), ipiv, batch) })
}

macro_rules! getrf {
    ($($ty:ty: $dtype:ident:
        $(#[$b:meta])* $batched:ident, $(#[$bw:meta])* $batched_workspace:ident,
        $(#[$s:meta])* $strided:ident, $(#[$sw:meta])* $strided_workspace:ident;)*
    ) => { entry! {$(
        $(#[$b])*
        fn $batched(
            m: i64, n: i64, a_array: *const *mut $ty, lda: i64, ipiv_array: *const *mut c_int, info: *mut c_int, batch_count: i64,
            work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let (sizes, work) = (Sizes { m, n, lda, batch: batch_count }, Workspace { p: work, bytes: work_bytes });
            let op = problem(Dtype::$dtype, sizes, pointers(a_array), Some(pointers(ipiv_array)), info, work);
            Ok(Status(run(PROTOTYPE, Ok(op), Stream(stream))))
        }

        $(#[$bw])*
        fn $batched_workspace(m: i64, n: i64, lda: i64, batch_count: i64, bytes: *mut usize) -> Status {
            let sizes = Sizes { m, n, lda, batch: batch_count };
            let op = problem(Dtype::$dtype, sizes, Operand::NULL, Some(Operand::NULL), null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, Ok(op), bytes)))
        }

        $(#[$s])*
        fn $strided(
            m: i64, n: i64, a: *mut $ty, lda: i64, stride_a: i64, ipiv: *mut c_int, stride_ipiv: i64, info: *mut c_int, batch_count: i64,
            work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let (sizes, work) = (Sizes { m, n, lda, batch: batch_count }, Workspace { p: work, bytes: work_bytes });
            let op = problem(Dtype::$dtype, sizes, strided(a, stride_a), Some(strided(ipiv, stride_ipiv)), info, work);
            Ok(Status(run(PROTOTYPE, Ok(op), Stream(stream))))
        }

        $(#[$sw])*
        fn $strided_workspace(
            m: i64, n: i64, lda: i64, stride_a: i64, stride_ipiv: i64, batch_count: i64, bytes: *mut usize,
        ) -> Status {
            let sizes = Sizes { m, n, lda, batch: batch_count };
            let (a, ipiv) = (strided(null_mut::<$ty>(), stride_a), Some(strided(null_mut::<c_int>(), stride_ipiv)));
            let op = problem(Dtype::$dtype, sizes, a, ipiv, null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, Ok(op), bytes)))
        }
    )*}};
}

getrf! {
    f32: S:
    /// Batched LU factorisation, LAPACK SGETRF for each matrix: A(i) = P(i) L(i) U(i), in place.
    ///
    /// On exit the min(m,n) x n upper trapezoidal U(i) is on and above the diagonal of A(i), and the unit lower
    /// trapezoidal L(i) is below it; its ones are not stored. ipiv(i) defines P(i): for j = 1, 2, ..., min(m,n) in
    /// turn, row j was interchanged with row ipiv(i)[j-1], counted from 1. The pivot of a column is the first of its
    /// largest elements, by |re| + |im| in the complex types; a NaN counts as 0. If the pivot is exactly 0, info
    /// reports it, the column is not divided, and the factorisation continues.
    ///
    /// The call is asynchronous on the stream, allocates nothing (except, for few large matrices and for more than
    /// 32,768 rows, scratch memory from the stream-ordered pool) and can be captured in a CUDA graph. A NaN or infinity
    /// affects only its own matrix. Rows m..lda-1 of A are neither read nor written.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | m | rows, 0 <= m < 2^31 |
    /// | 2 | n | columns, n >= 0; m < n is allowed |
    /// | 3 | a_array | batch_count pointers to matrices of lda*n elements; not NULL when there is work |
    /// | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
    /// | 5 | ipiv_array | batch_count pointers to vectors of min(m,n) ints, likewise |
    /// | 6 | info | one int per matrix in device memory, or NULL: 0, or j when element j (from 1) of U's diagonal is the first that is exactly 0 |
    /// | 7 | batch_count | number of matrices, >= 0 |
    /// | 8 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 9 | work_bytes | size of work, at least what tephra_sgetrf_batched_workspace() reports; a smaller one is an error |
    /// | 10 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays, matrices, interchanges and info are in device memory, as for tephra_sgeqrf_batched(). The call does
    /// nothing and returns success when m, n or batch_count is 0; all of info is then set to 0.
    tephra_sgetrf_batched,
    /// Workspace of tephra_sgetrf_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
    /// and are numbered m 1, n 2, lda 3, batch_count 4.
    tephra_sgetrf_batched_workspace,
    /// tephra_sgetrf_batched() for matrices at a constant stride (in elements; stride_ipiv in ints). With batch_count >
    /// 1, stride_a >= max(1,m) and stride_ipiv >= max(1,min(m,n)); matrices must not share elements. Arguments are
    /// numbered m 1, n 2, a 3, lda 4, stride_a 5, ipiv 6, stride_ipiv 7, info 8, batch_count 9, work 10, work_bytes 11,
    /// stream 12.
    tephra_sgetrf_strided_batched,
    /// Workspace of tephra_sgetrf_strided_batched() in bytes. Arguments are numbered m 1, n 2, lda 3, stride_a 4,
    /// stride_ipiv 5, batch_count 6.
    tephra_sgetrf_strided_batched_workspace;

    f64: D:
    /// tephra_sgetrf_batched() in double precision (LAPACK DGETRF).
    tephra_dgetrf_batched,
    /// tephra_sgetrf_batched_workspace() in double precision.
    tephra_dgetrf_batched_workspace,
    /// tephra_sgetrf_strided_batched() in double precision.
    tephra_dgetrf_strided_batched,
    /// tephra_sgetrf_strided_batched_workspace() in double precision.
    tephra_dgetrf_strided_batched_workspace;

    C32: C:
    /// tephra_sgetrf_batched() in single precision complex (LAPACK CGETRF).
    tephra_cgetrf_batched,
    /// tephra_sgetrf_batched_workspace() in single precision complex.
    tephra_cgetrf_batched_workspace,
    /// tephra_sgetrf_strided_batched() in single precision complex.
    tephra_cgetrf_strided_batched,
    /// tephra_sgetrf_strided_batched_workspace() in single precision complex.
    tephra_cgetrf_strided_batched_workspace;

    C64: Z:
    /// tephra_sgetrf_batched() in double precision complex (LAPACK ZGETRF).
    tephra_zgetrf_batched,
    /// tephra_sgetrf_batched_workspace() in double precision complex.
    tephra_zgetrf_batched_workspace,
    /// tephra_sgetrf_strided_batched() in double precision complex.
    tephra_zgetrf_strided_batched,
    /// tephra_sgetrf_strided_batched_workspace() in double precision complex.
    tephra_zgetrf_strided_batched_workspace;
}

macro_rules! getrf_nopiv {
    ($($ty:ty: $dtype:ident:
        $(#[$b:meta])* $batched:ident, $(#[$bw:meta])* $batched_workspace:ident,
        $(#[$s:meta])* $strided:ident, $(#[$sw:meta])* $strided_workspace:ident;)*
    ) => { entry! {$(
        $(#[$b])*
        fn $batched(
            m: i64, n: i64, a_array: *const *mut $ty, lda: i64, info: *mut c_int, batch_count: i64,
            work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let (sizes, work) = (Sizes { m, n, lda, batch: batch_count }, Workspace { p: work, bytes: work_bytes });
            let op = problem(Dtype::$dtype, sizes, pointers(a_array), None, info, work);
            Ok(Status(run(PROTOTYPE, Ok(op), Stream(stream))))
        }

        $(#[$bw])*
        fn $batched_workspace(m: i64, n: i64, lda: i64, batch_count: i64, bytes: *mut usize) -> Status {
            let sizes = Sizes { m, n, lda, batch: batch_count };
            let op = problem(Dtype::$dtype, sizes, Operand::NULL, None, null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, Ok(op), bytes)))
        }

        $(#[$s])*
        fn $strided(
            m: i64, n: i64, a: *mut $ty, lda: i64, stride_a: i64, info: *mut c_int, batch_count: i64,
            work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let (sizes, work) = (Sizes { m, n, lda, batch: batch_count }, Workspace { p: work, bytes: work_bytes });
            let op = problem(Dtype::$dtype, sizes, strided(a, stride_a), None, info, work);
            Ok(Status(run(PROTOTYPE, Ok(op), Stream(stream))))
        }

        $(#[$sw])*
        fn $strided_workspace(
            m: i64, n: i64, lda: i64, stride_a: i64, batch_count: i64, bytes: *mut usize,
        ) -> Status {
            let sizes = Sizes { m, n, lda, batch: batch_count };
            let (a, ipiv) = (strided(null_mut::<$ty>(), stride_a), None);
            let op = problem(Dtype::$dtype, sizes, a, ipiv, null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, Ok(op), bytes)))
        }
    )*}};
}

getrf_nopiv! {
    f32: S:
    /// Batched LU factorisation without pivoting: A(i) = L(i) U(i), in place, as tephra_sgetrf_batched() without its
    /// interchanges. It is meant for matrices that are known to need none, such as diagonally dominant ones; for others
    /// the error of the factors is unbounded.
    ///
    /// Arguments are numbered m 1, n 2, a_array 3, lda 4, info 5, batch_count 6, work 7, work_bytes 8, stream 9.
    tephra_sgetrf_nopiv_batched,
    /// Workspace of tephra_sgetrf_nopiv_batched() in bytes. Arguments are numbered m 1, n 2, lda 3, batch_count 4.
    tephra_sgetrf_nopiv_batched_workspace,
    /// tephra_sgetrf_nopiv_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
    /// max(1,m); matrices must not share elements. Arguments are numbered m 1, n 2, a 3, lda 4, stride_a 5, info 6,
    /// batch_count 7, work 8, work_bytes 9, stream 10.
    tephra_sgetrf_nopiv_strided_batched,
    /// Workspace of tephra_sgetrf_nopiv_strided_batched() in bytes. Arguments are numbered m 1, n 2, lda 3, stride_a 4,
    /// batch_count 5.
    tephra_sgetrf_nopiv_strided_batched_workspace;

    f64: D:
    /// tephra_sgetrf_nopiv_batched() in double precision.
    tephra_dgetrf_nopiv_batched,
    /// tephra_sgetrf_nopiv_batched_workspace() in double precision.
    tephra_dgetrf_nopiv_batched_workspace,
    /// tephra_sgetrf_nopiv_strided_batched() in double precision.
    tephra_dgetrf_nopiv_strided_batched,
    /// tephra_sgetrf_nopiv_strided_batched_workspace() in double precision.
    tephra_dgetrf_nopiv_strided_batched_workspace;

    C32: C:
    /// tephra_sgetrf_nopiv_batched() in single precision complex.
    tephra_cgetrf_nopiv_batched,
    /// tephra_sgetrf_nopiv_batched_workspace() in single precision complex.
    tephra_cgetrf_nopiv_batched_workspace,
    /// tephra_sgetrf_nopiv_strided_batched() in single precision complex.
    tephra_cgetrf_nopiv_strided_batched,
    /// tephra_sgetrf_nopiv_strided_batched_workspace() in single precision complex.
    tephra_cgetrf_nopiv_strided_batched_workspace;

    C64: Z:
    /// tephra_sgetrf_nopiv_batched() in double precision complex.
    tephra_zgetrf_nopiv_batched,
    /// tephra_sgetrf_nopiv_batched_workspace() in double precision complex.
    tephra_zgetrf_nopiv_batched_workspace,
    /// tephra_sgetrf_nopiv_strided_batched() in double precision complex.
    tephra_zgetrf_nopiv_strided_batched,
    /// tephra_sgetrf_nopiv_strided_batched_workspace() in double precision complex.
    tephra_zgetrf_nopiv_strided_batched_workspace;
}
