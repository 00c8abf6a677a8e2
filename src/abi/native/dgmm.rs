//! Products with diagonal matrices.

use super::{C32, C64, Status};

define_native! { dgmm:
    f32, f32, S:
    /// Batched cuBLAS dgmm: C(i) := diag(x(i)) A(i) or A(i) diag(x(i)).
    ///
    /// C may be A itself, with the same leading dimension; otherwise it must not overlap A or x. Members of the batch
    /// may share A or x. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
    /// captured in a CUDA graph.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
    /// | 2 | m | rows of A and C, m >= 0 |
    /// | 3 | n | columns of A and C, n >= 0 |
    /// | 4 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
    /// | 5 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 6 | x_array | batch_count pointers to 1 + (q-1)*abs(incx) elements, q = m (left) or n (right); not NULL when there is work |
    /// | 7 | incx | increment between elements of x; if negative, x starts with its last element; if 0, all elements are the first one |
    /// | 8 | c_array | batch_count pointers to m x n matrices; not NULL when there is work |
    /// | 9 | ldc | leading dimension of C, ldc >= max(1,m) |
    /// | 10 | batch_count | number of matrices, >= 0 |
    /// | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
    /// success when m, n or batch_count is 0.
    tephra_sdgmm_batched,
    /// tephra_sdgmm_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a,
    /// stride_x >= 0 (0: one for all) and stride_c >= max(1,m). Arguments are numbered side 1, m 2, n 3, a 4, lda 5,
    /// stride_a 6, x 7, incx 8, stride_x 9, c 10, ldc 11, stride_c 12, batch_count 13, stream 14.
    tephra_sdgmm_strided_batched;

    f64, f64, D:
    /// tephra_sdgmm_batched() in double precision.
    tephra_ddgmm_batched,
    /// tephra_sdgmm_strided_batched() in double precision.
    tephra_ddgmm_strided_batched;

    C32, f32, C:
    /// tephra_sdgmm_batched() in single precision complex.
    tephra_cdgmm_batched,
    /// tephra_sdgmm_strided_batched() in single precision complex.
    tephra_cdgmm_strided_batched;

    C64, f64, Z:
    /// tephra_sdgmm_batched() in double precision complex.
    tephra_zdgmm_batched,
    /// tephra_sdgmm_strided_batched() in double precision complex.
    tephra_zdgmm_strided_batched;
}
