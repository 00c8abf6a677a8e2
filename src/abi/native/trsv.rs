//! Triangular systems with one right-hand side.

use super::{C32, C64, Status};

define_native! { trsv:
    f32, f32, S:
    /// Batched BLAS STRSV: x(i) := op(A(i))^-1 x(i), A(i) triangular.
    ///
    /// The other triangle of A(i) and a unit diagonal are not read. A(i) is not checked for singularity: the effect of
    /// a division by zero is limited to x(i). Members of the batch may share one A. The call is asynchronous on the
    /// stream, allocates nothing, needs no workspace and can be captured in a CUDA graph.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
    /// | 2 | trans | TEPHRA_TRANS_N, _T or _C |
    /// | 3 | diag | TEPHRA_DIAG_NON_UNIT or TEPHRA_DIAG_UNIT |
    /// | 4 | n | order of A, n >= 0 |
    /// | 5 | a_array | batch_count pointers to matrices of order n; not NULL when there is work |
    /// | 6 | lda | leading dimension of A, lda >= max(1,n) |
    /// | 7 | x_array | batch_count pointers to 1 + (n-1)*abs(incx) elements; not NULL when there is work |
    /// | 8 | incx | increment between elements of x, not 0; if negative, x starts with its last element |
    /// | 9 | batch_count | number of matrices, >= 0 |
    /// | 10 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
    /// success when n or batch_count is 0.
    tephra_strsv_batched,
    /// tephra_strsv_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
    /// one A for all) and stride_x >= 1, such that no two x overlap. Arguments are numbered uplo 1, trans 2, diag 3,
    /// n 4, a 5, lda 6, stride_a 7, x 8, incx 9, stride_x 10, batch_count 11, stream 12.
    tephra_strsv_strided_batched;

    f64, f64, D:
    /// tephra_strsv_batched() in double precision.
    tephra_dtrsv_batched,
    /// tephra_strsv_strided_batched() in double precision.
    tephra_dtrsv_strided_batched;

    C32, f32, C:
    /// tephra_strsv_batched() in single precision complex.
    tephra_ctrsv_batched,
    /// tephra_strsv_strided_batched() in single precision complex.
    tephra_ctrsv_strided_batched;

    C64, f64, Z:
    /// tephra_strsv_batched() in double precision complex.
    tephra_ztrsv_batched,
    /// tephra_strsv_strided_batched() in double precision complex.
    tephra_ztrsv_strided_batched;
}
