//! Symmetric and Hermitian products.

use super::{C32, C64, Status};

define_native! { syrk:
    f32, f32, S:
    /// Batched BLAS SSYRK: C(i) := alpha op(A(i)) op(A(i))^T + beta C(i), C(i) symmetric.
    ///
    /// Only the triangle of C(i) that uplo names is read and written; with beta = 0 it is not read. With alpha = 0 or
    /// k = 0, A is not read (and may be NULL). Members of the batch may share one A; C must not overlap it. The call is
    /// asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA graph.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
    /// | 2 | trans | TEPHRA_TRANS_N or TEPHRA_TRANS_T; for real types _C is the same as _T |
    /// | 3 | n | order of C, n >= 0 |
    /// | 4 | k | columns of op(A), k >= 0 |
    /// | 5 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
    /// | 6 | a_array | batch_count pointers to n x k matrices, or k x n where trans is not N; not NULL when there is work |
    /// | 7 | lda | leading dimension of A, at least its rows and 1 |
    /// | 8 | beta | one number in host memory, read before the call returns; not NULL when there is work |
    /// | 9 | c_array | batch_count pointers to matrices of order n; not NULL when there is work |
    /// | 10 | ldc | leading dimension of C, ldc >= max(1,n) |
    /// | 11 | batch_count | number of matrices, >= 0 |
    /// | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
    /// success when n or batch_count is 0.
    tephra_ssyrk_batched,
    /// tephra_ssyrk_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
    /// one A for all) and stride_c >= max(1,n). Arguments are numbered uplo 1, trans 2, n 3, k 4, alpha 5, a 6, lda 7,
    /// stride_a 8, beta 9, c 10, ldc 11, stride_c 12, batch_count 13, stream 14.
    tephra_ssyrk_strided_batched;

    f64, f64, D:
    /// tephra_ssyrk_batched() in double precision.
    tephra_dsyrk_batched,
    /// tephra_ssyrk_strided_batched() in double precision.
    tephra_dsyrk_strided_batched;

    C32, f32, C:
    /// tephra_ssyrk_batched() in single precision complex.
    tephra_csyrk_batched,
    /// tephra_ssyrk_strided_batched() in single precision complex.
    tephra_csyrk_strided_batched;

    C64, f64, Z:
    /// tephra_ssyrk_batched() in double precision complex.
    tephra_zsyrk_batched,
    /// tephra_ssyrk_strided_batched() in double precision complex.
    tephra_zsyrk_strided_batched;
}

define_native! { herk:
    C32, f32, C:
    /// Batched BLAS CHERK: C(i) := alpha op(A(i)) op(A(i))^H + beta C(i), C(i) Hermitian.
    ///
    /// Only the triangle of C(i) that uplo names is read and written; with beta = 0 it is not read. Imaginary parts on
    /// C's diagonal are not read, and become zero. With alpha = 0 or k = 0, A is not read (and may be NULL). Members of
    /// the batch may share one A; C must not overlap it. The call is asynchronous on the stream, allocates nothing,
    /// needs no workspace and can be captured in a CUDA graph.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
    /// | 2 | trans | TEPHRA_TRANS_N or TEPHRA_TRANS_C |
    /// | 3 | n | order of C, n >= 0 |
    /// | 4 | k | columns of op(A), k >= 0 |
    /// | 5 | alpha | one real number in host memory, read before the call returns; not NULL when there is work |
    /// | 6 | a_array | batch_count pointers to n x k matrices, or k x n where trans is not N; not NULL when there is work |
    /// | 7 | lda | leading dimension of A, at least its rows and 1 |
    /// | 8 | beta | one real number in host memory, read before the call returns; not NULL when there is work |
    /// | 9 | c_array | batch_count pointers to matrices of order n; not NULL when there is work |
    /// | 10 | ldc | leading dimension of C, ldc >= max(1,n) |
    /// | 11 | batch_count | number of matrices, >= 0 |
    /// | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
    /// success when n or batch_count is 0.
    tephra_cherk_batched,
    /// tephra_cherk_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
    /// one A for all) and stride_c >= max(1,n). Arguments are numbered uplo 1, trans 2, n 3, k 4, alpha 5, a 6, lda 7,
    /// stride_a 8, beta 9, c 10, ldc 11, stride_c 12, batch_count 13, stream 14.
    tephra_cherk_strided_batched;

    C64, f64, Z:
    /// tephra_cherk_batched() in double precision complex.
    tephra_zherk_batched,
    /// tephra_cherk_strided_batched() in double precision complex.
    tephra_zherk_strided_batched;
}

define_native! { syr2k:
    f32, f32, S:
    /// Batched BLAS SSYR2K: C(i) := alpha op(A(i)) op(B(i))^T + alpha op(B(i)) op(A(i))^T + beta C(i), C(i) symmetric.
    ///
    /// Only the triangle of C(i) that uplo names is read and written; with beta = 0 it is not read. With alpha = 0 or
    /// k = 0, A and B are not read (and may be NULL). Members of the batch may share A or B; C must not overlap either.
    /// The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
    /// graph.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
    /// | 2 | trans | TEPHRA_TRANS_N or TEPHRA_TRANS_T; for real types _C is the same as _T |
    /// | 3 | n | order of C, n >= 0 |
    /// | 4 | k | columns of op(A), k >= 0 |
    /// | 5 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
    /// | 6 | a_array | batch_count pointers to n x k matrices, or k x n where trans is not N; not NULL when there is work |
    /// | 7 | lda | leading dimension of A, at least its rows and 1 |
    /// | 8 | b_array | batch_count pointers to matrices of the shape of A; not NULL when there is work |
    /// | 9 | ldb | leading dimension of B, at least its rows and 1 |
    /// | 10 | beta | one number in host memory, read before the call returns; not NULL when there is work |
    /// | 11 | c_array | batch_count pointers to matrices of order n; not NULL when there is work |
    /// | 12 | ldc | leading dimension of C, ldc >= max(1,n) |
    /// | 13 | batch_count | number of matrices, >= 0 |
    /// | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
    /// success when n or batch_count is 0.
    tephra_ssyr2k_batched,
    /// tephra_ssyr2k_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
    /// one A for all), stride_b likewise and stride_c >= max(1,n). Arguments are numbered uplo 1, trans 2, n 3, k 4,
    /// alpha 5, a 6, lda 7, stride_a 8, b 9, ldb 10, stride_b 11, beta 12, c 13, ldc 14, stride_c 15, batch_count 16,
    /// stream 17.
    tephra_ssyr2k_strided_batched;

    f64, f64, D:
    /// tephra_ssyr2k_batched() in double precision.
    tephra_dsyr2k_batched,
    /// tephra_ssyr2k_strided_batched() in double precision.
    tephra_dsyr2k_strided_batched;

    C32, f32, C:
    /// tephra_ssyr2k_batched() in single precision complex.
    tephra_csyr2k_batched,
    /// tephra_ssyr2k_strided_batched() in single precision complex.
    tephra_csyr2k_strided_batched;

    C64, f64, Z:
    /// tephra_ssyr2k_batched() in double precision complex.
    tephra_zsyr2k_batched,
    /// tephra_ssyr2k_strided_batched() in double precision complex.
    tephra_zsyr2k_strided_batched;
}

define_native! { her2k:
    C32, f32, C:
    /// Batched BLAS CHER2K: C(i) := alpha op(A(i)) op(B(i))^H + conj(alpha) op(B(i)) op(A(i))^H + beta C(i), C(i)
    /// Hermitian.
    ///
    /// Only the triangle of C(i) that uplo names is read and written; with beta = 0 it is not read. Imaginary parts on
    /// C's diagonal are not read, and become zero. With alpha = 0 or k = 0, A and B are not read (and may be NULL).
    /// Members of the batch may share A or B; C must not overlap either. The call is asynchronous on the stream,
    /// allocates nothing, needs no workspace and can be captured in a CUDA graph.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
    /// | 2 | trans | TEPHRA_TRANS_N or TEPHRA_TRANS_C |
    /// | 3 | n | order of C, n >= 0 |
    /// | 4 | k | columns of op(A), k >= 0 |
    /// | 5 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
    /// | 6 | a_array | batch_count pointers to n x k matrices, or k x n where trans is not N; not NULL when there is work |
    /// | 7 | lda | leading dimension of A, at least its rows and 1 |
    /// | 8 | b_array | batch_count pointers to matrices of the shape of A; not NULL when there is work |
    /// | 9 | ldb | leading dimension of B, at least its rows and 1 |
    /// | 10 | beta | one real number in host memory, read before the call returns; not NULL when there is work |
    /// | 11 | c_array | batch_count pointers to matrices of order n; not NULL when there is work |
    /// | 12 | ldc | leading dimension of C, ldc >= max(1,n) |
    /// | 13 | batch_count | number of matrices, >= 0 |
    /// | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
    /// success when n or batch_count is 0.
    tephra_cher2k_batched,
    /// tephra_cher2k_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
    /// one A for all), stride_b likewise and stride_c >= max(1,n). Arguments are numbered uplo 1, trans 2, n 3, k 4,
    /// alpha 5, a 6, lda 7, stride_a 8, b 9, ldb 10, stride_b 11, beta 12, c 13, ldc 14, stride_c 15, batch_count 16,
    /// stream 17.
    tephra_cher2k_strided_batched;

    C64, f64, Z:
    /// tephra_cher2k_batched() in double precision complex.
    tephra_zher2k_batched,
    /// tephra_cher2k_strided_batched() in double precision complex.
    tephra_zher2k_strided_batched;
}
