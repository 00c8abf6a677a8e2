//! Products of groups of matrices.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use tephra_core::face::grouped::Groups;
use tephra_core::face::native::*;
use tephra_core::{Dtype, Stream, entry};

macro_rules! grouped {
    ($($ty:ty: $dtype:ident: $(#[$g:meta])* $gemm:ident;)*) => { entry! {$(
        $(#[$g])*
        fn $gemm(
            trans_a_array: *const c_int, trans_b_array: *const c_int, m_array: *const i64, n_array: *const i64,
            k_array: *const i64, alpha_array: *const $ty, a_array: *const *mut $ty, lda_array: *const i64,
            b_array: *const *mut $ty, ldb_array: *const i64, beta_array: *const $ty, c_array: *const *mut $ty,
            ldc_array: *const i64, group_count: i64, group_size: *const i64, stream: *mut c_void,
        ) -> Status {
            let groups = Groups {
                dtype: Dtype::$dtype,
                ops: [trans_a, trans_b],
                trans: [trans_a_array, trans_b_array],
                sizes: [m_array, n_array, k_array],
                factors: [alpha_array.cast(), beta_array.cast()],
                operands: [a_array.cast(), b_array.cast(), c_array.cast()],
                ld: [lda_array, ldb_array, ldc_array],
                count: group_count,
                members: group_size,
            };
            Ok(Status(run_groups(PROTOTYPE, &groups, Stream(stream))))
        }
    )*}};
}

grouped! {
    f32: S:
    /// Products of groups of matrices: C(j) := alpha[i] op(A(j)) op(B(j)) + beta[i] C(j) for all matrices j of group i, which
    /// have the same sizes and leading dimensions.
    ///
    /// All arrays except a_array, b_array and c_array are in host memory, have one element per group, and are read
    /// before the call returns. a_array, b_array and c_array have one pointer per matrix, group after group. All groups
    /// are checked before anything is computed. Each group then runs as a tephra_sgemm_batched(), and so does each run
    /// of consecutive groups with equal parameters. The call is asynchronous on the stream, allocates nothing, needs no
    /// workspace and can be captured in a CUDA graph.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | trans_a_array | TEPHRA_TRANS_N, _T or _C of A; not NULL when group_count > 0 |
    /// | 2 | trans_b_array | TEPHRA_TRANS_N, _T or _C of B, likewise |
    /// | 3 | m_array | rows of op(A) and C, >= 0, likewise |
    /// | 4 | n_array | columns of op(B) and C, >= 0, likewise |
    /// | 5 | k_array | columns of op(A), rows of op(B), >= 0, likewise |
    /// | 6 | alpha_array | factors of the products, likewise |
    /// | 7 | a_array | pointers to A of all groups; not NULL when there is work and alpha is not 0 |
    /// | 8 | lda_array | leading dimensions of A as it is stored; not NULL when group_count > 0 |
    /// | 9 | b_array | pointers to B of all groups; not NULL when there is work and alpha is not 0 |
    /// | 10 | ldb_array | leading dimensions of B as it is stored; not NULL when group_count > 0 |
    /// | 11 | beta_array | factors of C on entry, likewise; with 0, C is not read |
    /// | 12 | c_array | pointers to C of all groups; not NULL when there is work |
    /// | 13 | ldc_array | leading dimensions of C; not NULL when group_count > 0 |
    /// | 14 | group_count | number of groups, >= 0 |
    /// | 15 | group_size | number of matrices of each group, >= 0; not NULL when group_count > 0 |
    /// | 16 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Matrices and the arrays of pointers to them are in device memory, as for tephra_sgeqrf_batched(); members of the
    /// batch may share A or B.
    tephra_sgemm_grouped_batched;

    f64: D:
    /// tephra_sgemm_grouped_batched() in double precision.
    tephra_dgemm_grouped_batched;

    C32: C:
    /// tephra_sgemm_grouped_batched() in single precision complex.
    tephra_cgemm_grouped_batched;

    C64: Z:
    /// tephra_sgemm_grouped_batched() in double precision complex.
    tephra_zgemm_grouped_batched;
}
