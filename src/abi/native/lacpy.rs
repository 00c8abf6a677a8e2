//! Copies and constants.

use super::{C32, C64, Status};

define_native! { lacpy:
    f32, f32, S:
    /// Batched LAPACK SLACPY: B(i) := A(i), the whole matrix or a triangle. Elements that are not copied are neither
    /// read nor written. B may be A itself, but must not overlap it otherwise; members of the batch may share one A.
    ///
    /// The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
    /// graph.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | uplo | what is written: TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER, with the diagonal, or TEPHRA_UPLO_FULL |
    /// | 2 | m | rows, m >= 0 |
    /// | 3 | n | columns, n >= 0 |
    /// | 4 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
    /// | 5 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 6 | b_array | batch_count pointers to m x n matrices; not NULL when there is work |
    /// | 7 | ldb | leading dimension of B, ldb >= max(1,m) |
    /// | 8 | batch_count | number of matrices, >= 0 |
    /// | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
    /// success when m, n or batch_count is 0.
    tephra_slacpy_batched,
    /// tephra_slacpy_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
    /// one A for all) and stride_b >= max(1,m). Arguments are numbered uplo 1, m 2, n 3, a 4, lda 5, stride_a 6, b 7,
    /// ldb 8, stride_b 9, batch_count 10, stream 11.
    tephra_slacpy_strided_batched;

    f64, f64, D:
    /// tephra_slacpy_batched() in double precision.
    tephra_dlacpy_batched,
    /// tephra_slacpy_strided_batched() in double precision.
    tephra_dlacpy_strided_batched;

    C32, f32, C:
    /// tephra_slacpy_batched() in single precision complex.
    tephra_clacpy_batched,
    /// tephra_slacpy_strided_batched() in single precision complex.
    tephra_clacpy_strided_batched;

    C64, f64, Z:
    /// tephra_slacpy_batched() in double precision complex.
    tephra_zlacpy_batched,
    /// tephra_slacpy_strided_batched() in double precision complex.
    tephra_zlacpy_strided_batched;
}

define_native! { laset:
    f32, f32, S:
    /// Batched LAPACK SLASET: sets the elements of A(i) off the diagonal to alpha and those on it to beta, in the whole
    /// matrix or in a triangle. Other elements are not written.
    ///
    /// The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
    /// graph.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | uplo | what is written: TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER, with the diagonal, or TEPHRA_UPLO_FULL |
    /// | 2 | m | rows, m >= 0 |
    /// | 3 | n | columns, n >= 0 |
    /// | 4 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
    /// | 5 | beta | one number in host memory, read before the call returns; not NULL when there is work |
    /// | 6 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
    /// | 7 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 8 | batch_count | number of matrices, >= 0 |
    /// | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
    /// success when m, n or batch_count is 0.
    tephra_slaset_batched,
    /// tephra_slaset_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
    /// max(1,m). Arguments are numbered uplo 1, m 2, n 3, alpha 4, beta 5, a 6, lda 7, stride_a 8, batch_count 9,
    /// stream 10.
    tephra_slaset_strided_batched;

    f64, f64, D:
    /// tephra_slaset_batched() in double precision.
    tephra_dlaset_batched,
    /// tephra_slaset_strided_batched() in double precision.
    tephra_dlaset_strided_batched;

    C32, f32, C:
    /// tephra_slaset_batched() in single precision complex.
    tephra_claset_batched,
    /// tephra_slaset_strided_batched() in single precision complex.
    tephra_claset_strided_batched;

    C64, f64, Z:
    /// tephra_slaset_batched() in double precision complex.
    tephra_zlaset_batched,
    /// tephra_slaset_strided_batched() in double precision complex.
    tephra_zlaset_strided_batched;
}
