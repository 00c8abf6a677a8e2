//! Products with symmetric and Hermitian matrices.

use super::{C32, C64, Status};

define_native! { symm:
    f32, f32, S:
    /// Batched BLAS SSYMM: C(i) := alpha A(i) B(i) + beta C(i), or alpha B(i) A(i) + beta C(i), A(i) symmetric.
    ///
    /// Only the triangle of A(i) that uplo names is read. With alpha = 0, A and B are not read (and may be NULL), with
    /// beta = 0 C is not. Members of the batch may share A or B; C must not overlap either. The call is asynchronous on
    /// the stream, needs no workspace and can be captured in a CUDA graph. It allocates nothing, except, on CUDA for A
    /// of order 192 or more, room for addresses from the library's pool.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | side | TEPHRA_SIDE_LEFT (A B) or TEPHRA_SIDE_RIGHT (B A) |
    /// | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
    /// | 3 | m | rows of B and C, m >= 0 |
    /// | 4 | n | columns of B and C, n >= 0 |
    /// | 5 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
    /// | 6 | a_array | batch_count pointers to matrices of order q = m (left) or n (right); not NULL when they are read |
    /// | 7 | lda | leading dimension of A, lda >= max(1,q) |
    /// | 8 | b_array | batch_count pointers to m x n matrices, as a_array |
    /// | 9 | ldb | leading dimension of B, ldb >= max(1,m) |
    /// | 10 | beta | one number in host memory, as alpha |
    /// | 11 | c_array | batch_count pointers to m x n matrices; not NULL when there is work |
    /// | 12 | ldc | leading dimension of C, ldc >= max(1,m) |
    /// | 13 | batch_count | number of matrices, >= 0 |
    /// | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
    /// success when m, n or batch_count is 0.
    tephra_ssymm_batched,
    /// tephra_ssymm_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 and
    /// stride_b >= 0 (0: one for all), stride_c >= max(1,m). Arguments are numbered side 1, uplo 2, m 3, n 4, alpha 5,
    /// a 6, lda 7, stride_a 8, b 9, ldb 10, stride_b 11, beta 12, c 13, ldc 14, stride_c 15, batch_count 16, stream 17.
    tephra_ssymm_strided_batched;

    f64, f64, D:
    /// tephra_ssymm_batched() in double precision.
    tephra_dsymm_batched,
    /// tephra_ssymm_strided_batched() in double precision.
    tephra_dsymm_strided_batched;

    C32, f32, C:
    /// tephra_ssymm_batched() in single precision complex.
    tephra_csymm_batched,
    /// tephra_ssymm_strided_batched() in single precision complex.
    tephra_csymm_strided_batched;

    C64, f64, Z:
    /// tephra_ssymm_batched() in double precision complex.
    tephra_zsymm_batched,
    /// tephra_ssymm_strided_batched() in double precision complex.
    tephra_zsymm_strided_batched;
}

define_native! { hemm:
    C32, f32, C:
    /// Batched BLAS CHEMM: C(i) := alpha A(i) B(i) + beta C(i), or alpha B(i) A(i) + beta C(i), A(i) Hermitian.
    ///
    /// Only the triangle of A(i) that uplo names is read, and of its diagonal no imaginary parts. With alpha = 0, A and
    /// B are not read (and may be NULL), with beta = 0 C is not. Members of the batch may share A or B; C must not
    /// overlap either. The call is asynchronous on the stream, needs no workspace and can be captured in a CUDA graph.
    /// It allocates nothing, except, on CUDA for A of order 192 or more, room for addresses from the library's pool.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | side | TEPHRA_SIDE_LEFT (A B) or TEPHRA_SIDE_RIGHT (B A) |
    /// | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
    /// | 3 | m | rows of B and C, m >= 0 |
    /// | 4 | n | columns of B and C, n >= 0 |
    /// | 5 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
    /// | 6 | a_array | batch_count pointers to matrices of order q = m (left) or n (right); not NULL when they are read |
    /// | 7 | lda | leading dimension of A, lda >= max(1,q) |
    /// | 8 | b_array | batch_count pointers to m x n matrices, as a_array |
    /// | 9 | ldb | leading dimension of B, ldb >= max(1,m) |
    /// | 10 | beta | one number in host memory, as alpha |
    /// | 11 | c_array | batch_count pointers to m x n matrices; not NULL when there is work |
    /// | 12 | ldc | leading dimension of C, ldc >= max(1,m) |
    /// | 13 | batch_count | number of matrices, >= 0 |
    /// | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
    /// success when m, n or batch_count is 0.
    tephra_chemm_batched,
    /// tephra_chemm_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 and
    /// stride_b >= 0 (0: one for all), stride_c >= max(1,m). Arguments are numbered side 1, uplo 2, m 3, n 4, alpha 5,
    /// a 6, lda 7, stride_a 8, b 9, ldb 10, stride_b 11, beta 12, c 13, ldc 14, stride_c 15, batch_count 16, stream 17.
    tephra_chemm_strided_batched;

    C64, f64, Z:
    /// tephra_chemm_batched() in double precision complex.
    tephra_zhemm_batched,
    /// tephra_chemm_strided_batched() in double precision complex.
    tephra_zhemm_strided_batched;
}
