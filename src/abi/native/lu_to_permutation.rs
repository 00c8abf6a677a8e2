//! Row interchanges as permutations.

use super::Status;
use std::ffi::{c_int, c_void};
use tephra_core::face::native::*;
use tephra_core::routine::{LuToPermutation, Operation};
use tephra_core::{Operand, Stream, entry};

fn problem([m, k, batch]: [i64; 3], [ipiv, perm]: [Operand; 2]) -> Operation {
    Operation::LuToPermutation(LuToPermutation { dtype: LuToPermutation::DTYPE, m, k, ipiv, perm, batch })
}

entry! {
    /// Converts the row interchanges of an LU factorisation to a permutation: row j of L U is row perm(i)[j - 1] of
    /// A(i), both counted from 1 as in LAPACK (permutations of JAX and PyTorch count from 0). It applies the
    /// interchanges of rows 1, 2, ..., k with rows ipiv(i)[0], ipiv(i)[1], ..., ipiv(i)[k-1], in turn, to the list 1,
    /// 2, ..., m. All operands are ints, so one function serves all precisions. An interchange with a row outside 1,
    /// ..., m is ignored.
    ///
    /// The call is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA
    /// graph. Members of the batch may share one ipiv; perm must not overlap it.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | m | rows of A, 0 <= m < 2^31 |
    /// | 2 | k | interchanges, 0 <= k <= m: min(m,n) after tephra_sgetrf_batched() |
    /// | 3 | ipiv_array | batch_count pointers to k ints each; not NULL when there is work and k > 0 |
    /// | 4 | perm_array | batch_count pointers to m ints each; not NULL when there is work |
    /// | 5 | batch_count | number of permutations, >= 0 |
    /// | 6 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays, interchanges and permutations are in device memory, as for tephra_sgeqrf_batched(). The call does
    /// nothing and returns success when m or batch_count is 0.
    fn tephra_lu_to_permutation_batched(
        m: i64, k: i64, ipiv_array: *const *mut c_int, perm_array: *const *mut c_int, batch_count: i64,
        stream: *mut c_void,
    ) -> Status {
        let op = problem([m, k, batch_count], [pointers(ipiv_array), pointers(perm_array)]);
        Ok(Status(run(PROTOTYPE, Ok(op), Stream(stream))))
    }

    /// tephra_lu_to_permutation_batched() for interchanges and permutations at constant strides (in ints). With
    /// batch_count > 1, stride_ipiv >= 0 (0: one for all members) and stride_perm >= max(1,m). Arguments are numbered
    /// m 1, k 2, ipiv 3, stride_ipiv 4, perm 5, stride_perm 6, batch_count 7, stream 8.
    fn tephra_lu_to_permutation_strided_batched(
        m: i64, k: i64, ipiv: *const c_int, stride_ipiv: i64, perm: *mut c_int, stride_perm: i64, batch_count: i64,
        stream: *mut c_void,
    ) -> Status {
        let operands = [strided(ipiv.cast_mut(), stride_ipiv), strided(perm, stride_perm)];
        Ok(Status(run(PROTOTYPE, Ok(problem([m, k, batch_count], operands)), Stream(stream))))
    }
}
