//! Row interchanges.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use tephra_core::face::native::*;
use tephra_core::routine::{Laswp, Operation};
use tephra_core::{Dtype, Operand, Stream, entry};

struct Sizes {
    n: i64,
    lda: i64,
    k1: i64,
    k2: i64,
    incx: i64,
    batch: i64,
}

fn problem(dtype: Dtype, Sizes { n, lda, k1, k2, incx, batch }: Sizes, [a, ipiv]: [Operand; 2]) -> Operation {
    Operation::Laswp(Laswp { dtype, n, a, lda, k1, k2, ipiv, incx, sizes: None, batch })
}

macro_rules! laswp {
    ($($ty:ty: $dtype:ident: $(#[$b:meta])* $batched:ident, $(#[$s:meta])* $strided:ident;)*) => { entry! {$(
        $(#[$b])*
        fn $batched(
            n: i64, a_array: *const *mut $ty, lda: i64, k1: i64, k2: i64, ipiv_array: *const *mut c_int, incx: i64,
            batch_count: i64, stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { n, lda, k1, k2, incx, batch: batch_count };
            let op = problem(Dtype::$dtype, sizes, [pointers(a_array), pointers(ipiv_array)]);
            Ok(Status(run(PROTOTYPE, Ok(op), Stream(stream))))
        }

        $(#[$s])*
        fn $strided(
            n: i64, a: *mut $ty, lda: i64, stride_a: i64, k1: i64, k2: i64, ipiv: *const c_int, stride_ipiv: i64,
            incx: i64, batch_count: i64, stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { n, lda, k1, k2, incx, batch: batch_count };
            let operands = [strided(a, stride_a), strided(ipiv.cast_mut(), stride_ipiv)];
            Ok(Status(run(PROTOTYPE, Ok(problem(Dtype::$dtype, sizes, operands)), Stream(stream))))
        }
    )*}};
}

laswp! {
    f32: S:
    /// Batched LAPACK SLASWP: interchanges rows of A(i), in the order of tephra_sgetrf_batched() or in reverse. For j =
    /// k1, ..., k2 (incx > 0) or k2, ..., k1 (incx < 0) in turn, row j is interchanged with row ipiv(i)[k1 - 1 + (j -
    /// k1)*|incx|]; rows are counted from 1. With incx = 0 the call does nothing.
    ///
    /// The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
    /// graph. Members of the batch may share one ipiv.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | n | columns of A, n >= 0 |
    /// | 2 | a_array | batch_count pointers to matrices with at least k2 rows and all rows in ipiv; not NULL when there is work |
    /// | 3 | lda | leading dimension of A, lda >= max(1,k2) |
    /// | 4 | k1 | first row to interchange, k1 >= 1 |
    /// | 5 | k2 | last row to interchange; nothing is done if it is less than k1 |
    /// | 6 | ipiv_array | batch_count pointers to k1 + (k2 - k1)*|incx| ints each; not NULL when there is work |
    /// | 7 | incx | increment between interchanges; its sign gives the order |
    /// | 8 | batch_count | number of matrices, >= 0 |
    /// | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays, matrices and interchanges are in device memory, as for tephra_sgeqrf_batched(). The call does nothing
    /// and returns success when n or batch_count is 0.
    tephra_slaswp_batched,
    /// tephra_slaswp_batched() for matrices at a constant stride (in elements; stride_ipiv in ints). With batch_count >
    /// 1, stride_a >= max(1,k2) and stride_ipiv >= 0 (0: one for all members). Arguments are numbered n 1, a 2, lda 3,
    /// stride_a 4, k1 5, k2 6, ipiv 7, stride_ipiv 8, incx 9, batch_count 10, stream 11.
    tephra_slaswp_strided_batched;

    f64: D:
    /// tephra_slaswp_batched() in double precision (LAPACK DLASWP).
    tephra_dlaswp_batched,
    /// tephra_slaswp_strided_batched() in double precision.
    tephra_dlaswp_strided_batched;

    C32: C:
    /// tephra_slaswp_batched() in single precision complex (LAPACK CLASWP).
    tephra_claswp_batched,
    /// tephra_slaswp_strided_batched() in single precision complex.
    tephra_claswp_strided_batched;

    C64: Z:
    /// tephra_slaswp_batched() in double precision complex (LAPACK ZLASWP).
    tephra_zlaswp_batched,
    /// tephra_slaswp_strided_batched() in double precision complex.
    tephra_zlaswp_strided_batched;
}
