//! Out-of-place transposes.

use super::{C32, C64, Status};

define_native! { transpose:
    f32, f32, S:
    /// B(i) := A(i)^T or A(i)^H, for a batch. B must not overlap A; members of the batch may share one A.
    ///
    /// The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
    /// graph.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | trans | TEPHRA_TRANS_T or TEPHRA_TRANS_C; for real types they are the same |
    /// | 2 | m | rows of A, columns of B, m >= 0 |
    /// | 3 | n | columns of A, rows of B, n >= 0 |
    /// | 4 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
    /// | 5 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 6 | b_array | batch_count pointers to n x m matrices; not NULL when there is work |
    /// | 7 | ldb | leading dimension of B, ldb >= max(1,n) |
    /// | 8 | batch_count | number of matrices, >= 0 |
    /// | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
    /// success when m, n or batch_count is 0.
    tephra_stranspose_batched,
    /// tephra_stranspose_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0
    /// (0: one A for all) and stride_b >= max(1,n). Arguments are numbered trans 1, m 2, n 3, a 4, lda 5, stride_a 6,
    /// b 7, ldb 8, stride_b 9, batch_count 10, stream 11.
    tephra_stranspose_strided_batched;

    f64, f64, D:
    /// tephra_stranspose_batched() in double precision.
    tephra_dtranspose_batched,
    /// tephra_stranspose_strided_batched() in double precision.
    tephra_dtranspose_strided_batched;

    C32, f32, C:
    /// tephra_stranspose_batched() in single precision complex.
    tephra_ctranspose_batched,
    /// tephra_stranspose_strided_batched() in single precision complex.
    tephra_ctranspose_strided_batched;

    C64, f64, Z:
    /// tephra_stranspose_batched() in double precision complex.
    tephra_ztranspose_batched,
    /// tephra_stranspose_strided_batched() in double precision complex.
    tephra_ztranspose_strided_batched;
}
