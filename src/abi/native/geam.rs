//! Sums of matrices.

use super::{C32, C64, Status};

define_native! { geam:
    f32, f32, S:
    /// Batched cuBLAS geam: C(i) := alpha op(A(i)) + beta op(B(i)).
    ///
    /// With alpha = 0, A is not read and may be NULL; likewise B with beta = 0. C may be A itself if trans_a is N and
    /// the leading dimensions are equal, and likewise B; otherwise it must not overlap them. Members of the batch may
    /// share A or B. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured
    /// in a CUDA graph.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | trans_a | TEPHRA_TRANS_N, _T or _C |
    /// | 2 | trans_b | likewise, for B |
    /// | 3 | m | rows of C, m >= 0 |
    /// | 4 | n | columns of C, n >= 0 |
    /// | 5 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
    /// | 6 | a_array | batch_count pointers to m x n matrices, or n x m where trans_a is not N; not NULL when there is work |
    /// | 7 | lda | leading dimension of A, at least its rows and 1 |
    /// | 8 | beta | one number in host memory, read before the call returns; not NULL when there is work |
    /// | 9 | b_array | batch_count pointers to matrices likewise; not NULL when there is work |
    /// | 10 | ldb | leading dimension of B, at least its rows and 1 |
    /// | 11 | c_array | batch_count pointers to m x n matrices; not NULL when there is work |
    /// | 12 | ldc | leading dimension of C, ldc >= max(1,m) |
    /// | 13 | batch_count | number of matrices, >= 0 |
    /// | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
    /// success when m, n or batch_count is 0.
    tephra_sgeam_batched,
    /// tephra_sgeam_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a,
    /// stride_b >= 0 (0: one for all) and stride_c >= max(1,m). Arguments are numbered trans_a 1, trans_b 2, m 3, n 4,
    /// alpha 5, a 6, lda 7, stride_a 8, beta 9, b 10, ldb 11, stride_b 12, c 13, ldc 14, stride_c 15, batch_count 16,
    /// stream 17.
    tephra_sgeam_strided_batched;

    f64, f64, D:
    /// tephra_sgeam_batched() in double precision.
    tephra_dgeam_batched,
    /// tephra_sgeam_strided_batched() in double precision.
    tephra_dgeam_strided_batched;

    C32, f32, C:
    /// tephra_sgeam_batched() in single precision complex.
    tephra_cgeam_batched,
    /// tephra_sgeam_strided_batched() in single precision complex.
    tephra_cgeam_strided_batched;

    C64, f64, Z:
    /// tephra_sgeam_batched() in double precision complex.
    tephra_zgeam_batched,
    /// tephra_sgeam_strided_batched() in double precision complex.
    tephra_zgeam_strided_batched;
}
