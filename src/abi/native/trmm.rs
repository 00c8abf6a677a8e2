//! Products with triangular matrices.

use super::{C32, C64, Status};

define_native! { trmm:
    f32, f32, S:
    /// Batched BLAS STRMM: B(i) := alpha op(A(i)) B(i) or alpha B(i) op(A(i)), A(i) triangular.
    ///
    /// The other triangle of A(i) is not read, nor is a unit diagonal. With alpha = 0, B is set to zero and A not read
    /// (it may be NULL). Members of the batch may share one A; B must not overlap it. The call is asynchronous on the
    /// stream, needs no workspace and can be captured in a CUDA graph. On CUDA, products with large triangles (of order
    /// 256 or more, or of 192 or more with little to do at a time) use scratch memory from the library's pool for copies
    /// of B, at most 1 GiB at a time. Smaller ones allocate nothing.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
    /// | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
    /// | 3 | trans | TEPHRA_TRANS_N, _T or _C |
    /// | 4 | diag | TEPHRA_DIAG_NON_UNIT or TEPHRA_DIAG_UNIT |
    /// | 5 | m | rows of B, m >= 0 |
    /// | 6 | n | columns of B, n >= 0 |
    /// | 7 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
    /// | 8 | a_array | batch_count pointers to matrices of order q = m (left) or n (right); not NULL when there is work |
    /// | 9 | lda | leading dimension of A, lda >= max(1,q) |
    /// | 10 | b_array | batch_count pointers to m x n matrices; not NULL when there is work |
    /// | 11 | ldb | leading dimension of B, ldb >= max(1,m); rows m..ldb-1 are neither read nor written |
    /// | 12 | batch_count | number of matrices, >= 0 |
    /// | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
    /// success when m, n or batch_count is 0.
    tephra_strmm_batched,
    /// tephra_strmm_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
    /// one A for all) and stride_b >= max(1,m). Arguments are numbered side 1, uplo 2, trans 3, diag 4, m 5, n 6,
    /// alpha 7, a 8, lda 9, stride_a 10, b 11, ldb 12, stride_b 13, batch_count 14, stream 15.
    tephra_strmm_strided_batched;

    f64, f64, D:
    /// tephra_strmm_batched() in double precision.
    tephra_dtrmm_batched,
    /// tephra_strmm_strided_batched() in double precision.
    tephra_dtrmm_strided_batched;

    C32, f32, C:
    /// tephra_strmm_batched() in single precision complex.
    tephra_ctrmm_batched,
    /// tephra_strmm_strided_batched() in single precision complex.
    tephra_ctrmm_strided_batched;

    C64, f64, Z:
    /// tephra_strmm_batched() in double precision complex.
    tephra_ztrmm_batched,
    /// tephra_strmm_strided_batched() in double precision complex.
    tephra_ztrmm_strided_batched;
}
