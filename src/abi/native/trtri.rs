//! Inverses of triangular matrices.

use super::{C32, C64, Status};

define_native! { trtri:
    f32, f32, S:
    /// Batched LAPACK STRTRI: A(i) := A(i)^-1, A(i) triangular, in place.
    ///
    /// The other triangle and a unit diagonal are neither read nor written. A matrix with an exact zero on its diagonal
    /// is left unchanged. The call is asynchronous on the stream, needs no workspace and can be captured in a CUDA
    /// graph. On CUDA, triangles of order 192 or more (s, d 128; z 160), and those of order 33 or more in some batches of up
    /// to 256 or from 200 on, are inverted in scratch memory from the library's pool, up to 1.9 times their size, for at
    /// most 1 GiB or one matrix at a time; there, a NaN or an infinity may spread to any element of its matrix's inverse.
    /// The others allocate nothing; tephra_explain() says how a shape is inverted.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
    /// | 2 | diag | TEPHRA_DIAG_NON_UNIT or TEPHRA_DIAG_UNIT |
    /// | 3 | n | order of A, n >= 0 |
    /// | 4 | a_array | batch_count pointers to matrices of order n; not NULL when there is work |
    /// | 5 | lda | leading dimension of A, lda >= max(1,n) |
    /// | 6 | info | batch_count ints, or NULL: 0, or j when diagonal element j (from 1) is the first that is exactly 0 |
    /// | 7 | batch_count | number of matrices, >= 0 |
    /// | 8 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
    /// success when n or batch_count is 0; all of info is then set to 0.
    tephra_strtri_batched,
    /// tephra_strtri_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
    /// max(1,n). Arguments are numbered uplo 1, diag 2, n 3, a 4, lda 5, stride_a 6, info 7, batch_count 8, stream 9.
    tephra_strtri_strided_batched;

    f64, f64, D:
    /// tephra_strtri_batched() in double precision.
    tephra_dtrtri_batched,
    /// tephra_strtri_strided_batched() in double precision.
    tephra_dtrtri_strided_batched;

    C32, f32, C:
    /// tephra_strtri_batched() in single precision complex.
    tephra_ctrtri_batched,
    /// tephra_strtri_strided_batched() in single precision complex.
    tephra_ctrtri_strided_batched;

    C64, f64, Z:
    /// tephra_strtri_batched() in double precision complex.
    tephra_ztrtri_batched,
    /// tephra_strtri_strided_batched() in double precision complex.
    tephra_ztrtri_strided_batched;
}
