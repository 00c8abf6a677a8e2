//! Systems of equations without pivoting, after random butterflies.

use super::{C32, C64, Status};

define_native! { gesv_rbt:
    f32, f32, S:
    /// Batched MAGMA SGESV_RBT: solves A(i) X(i) = B(i) with a random butterfly transformation instead of pivoting.
    ///
    /// U^T A(i) V is factored without pivoting, the system U^T A(i) V Y = U^T B(i) is solved, and X(i) = V Y. U and V
    /// are butterflies of depth 2 (Parker; Baboulin, Dongarra, Herrmann and Tomov 2013) with the same random numbers in
    /// every call. On exit A(i) holds the factors L and U of U^T A(i) V, which no other routine can use, and B(i) holds
    /// X(i). The backward error depends on the element growth without pivoting. For matrices with independent random
    /// elements it is mostly 10 to 200 times that of tephra_sgesv_batched(), and up to 10,000 times for one in a
    /// hundred; for some others, such as sparse matrices and permutations, it is unbounded. If info is not 0, every
    /// column of B(i) contains non-finite values. The call is asynchronous on the stream, allocates nothing (except
    /// where tephra_sgetrf_nopiv_batched() or tephra_sgetrs_batched() uses scratch memory), needs no workspace and can
    /// be captured in a CUDA graph. A NaN or infinity affects only its own matrix.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | n | order of A, n >= 0 |
    /// | 2 | nrhs | columns of B, nrhs >= 0 |
    /// | 3 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
    /// | 4 | lda | leading dimension of A, lda >= max(1,n) |
    /// | 5 | b_array | batch_count pointers to n x nrhs matrices; not NULL when there is work |
    /// | 6 | ldb | leading dimension of B, ldb >= max(1,n) |
    /// | 7 | info | batch_count ints, or NULL: 0, or j when element j (from 1) of U's diagonal is the first that is exactly 0 |
    /// | 8 | batch_count | number of matrices, >= 0 |
    /// | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays, matrices and info are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
    /// returns success when n, nrhs or batch_count is 0; all of info is then set to 0.
    tephra_sgesv_rbt_batched,
    /// tephra_sgesv_rbt_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a and
    /// stride_b >= max(1,n). Arguments are numbered n 1, nrhs 2, a 3, lda 4, stride_a 5, b 6, ldb 7, stride_b 8,
    /// info 9, batch_count 10, stream 11.
    tephra_sgesv_rbt_strided_batched;

    f64, f64, D:
    /// tephra_sgesv_rbt_batched() in double precision.
    tephra_dgesv_rbt_batched,
    /// tephra_sgesv_rbt_strided_batched() in double precision.
    tephra_dgesv_rbt_strided_batched;

    C32, f32, C:
    /// tephra_sgesv_rbt_batched() in single precision complex.
    tephra_cgesv_rbt_batched,
    /// tephra_sgesv_rbt_strided_batched() in single precision complex.
    tephra_cgesv_rbt_strided_batched;

    C64, f64, Z:
    /// tephra_sgesv_rbt_batched() in double precision complex.
    tephra_zgesv_rbt_batched,
    /// tephra_sgesv_rbt_strided_batched() in double precision complex.
    tephra_zgesv_rbt_strided_batched;
}
