//! Systems of equations from an LU factorisation.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_core::face::native::*;
use tephra_core::routine::{Getrs, Operation, Workspace};
use tephra_core::{Dtype, Error, Operand, Stream, entry};

struct Sizes {
    n: i64,
    nrhs: i64,
    lda: i64,
    ldb: i64,
    batch: i64,
}

fn problem(
    dtype: Dtype,
    flag: c_int,
    Sizes { n, nrhs, lda, ldb, batch }: Sizes,
    [a, ipiv, b]: [Operand; 3],
    work: Workspace,
) -> Result<Operation, Error> {
    let (trans, sizes, info) = (trans(flag)?, None, null_mut());
    Ok(Operation::Getrs(Getrs { dtype, trans, n, nrhs, a, lda, ipiv, b, ldb, sizes, info, batch, work }))
}

macro_rules! getrs {
    ($($ty:ty: $dtype:ident:
        $(#[$b:meta])* $batched:ident, $(#[$bw:meta])* $batched_workspace:ident,
        $(#[$s:meta])* $strided:ident, $(#[$sw:meta])* $strided_workspace:ident;)*
    ) => { entry! {$(
        $(#[$b])*
        fn $batched(
            trans: c_int, n: i64, nrhs: i64, a_array: *const *mut $ty, lda: i64, ipiv_array: *const *mut c_int,
            b_array: *const *mut $ty, ldb: i64, batch_count: i64, work: *mut c_void, work_bytes: usize,
            stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { n, nrhs, lda, ldb, batch: batch_count };
            let operands = [pointers(a_array), pointers(ipiv_array), pointers(b_array)];
            let op = problem(Dtype::$dtype, trans, sizes, operands, Workspace { p: work, bytes: work_bytes });
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$bw])*
        fn $batched_workspace(
            trans: c_int, n: i64, nrhs: i64, lda: i64, ldb: i64, batch_count: i64, bytes: *mut usize,
        ) -> Status {
            let sizes = Sizes { n, nrhs, lda, ldb, batch: batch_count };
            let op = problem(Dtype::$dtype, trans, sizes, [Operand::NULL; 3], Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, op, bytes)))
        }

        $(#[$s])*
        fn $strided(
            trans: c_int, n: i64, nrhs: i64, a: *const $ty, lda: i64, stride_a: i64, ipiv: *const c_int, stride_ipiv: i64,
            b: *mut $ty, ldb: i64, stride_b: i64, batch_count: i64, work: *mut c_void, work_bytes: usize,
            stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { n, nrhs, lda, ldb, batch: batch_count };
            let operands = [strided(a.cast_mut(), stride_a), strided(ipiv.cast_mut(), stride_ipiv), strided(b, stride_b)];
            let op = problem(Dtype::$dtype, trans, sizes, operands, Workspace { p: work, bytes: work_bytes });
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$sw])*
        fn $strided_workspace(
            trans: c_int, n: i64, nrhs: i64, lda: i64, stride_a: i64, stride_ipiv: i64, ldb: i64, stride_b: i64,
            batch_count: i64, bytes: *mut usize,
        ) -> Status {
            let sizes = Sizes { n, nrhs, lda, ldb, batch: batch_count };
            let operands = [stride_a, stride_ipiv, stride_b].map(|stride| strided(null_mut::<$ty>(), stride));
            let op = problem(Dtype::$dtype, trans, sizes, operands, Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, op, bytes)))
        }
    )*}};
}

getrs! {
    f32: S:
    /// Batched LAPACK SGETRS: B(i) := op(A(i))^-1 B(i), from the factors that tephra_sgetrf_batched() or
    /// tephra_sgetrf_nopiv_batched() left in A(i).
    ///
    /// U(i) is not checked for singularity: the result of a division by a zero on its diagonal is passed on. Members of
    /// the batch may share A or ipiv. The call is asynchronous on the stream, allocates nothing (except, for few large
    /// matrices, scratch memory from the stream-ordered pool) and can be captured in a CUDA graph. A NaN or infinity
    /// affects only its own matrix.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | trans | TEPHRA_TRANS_N, _T or _C |
    /// | 2 | n | order of A, n >= 0 |
    /// | 3 | nrhs | right-hand sides, columns of B, nrhs >= 0 |
    /// | 4 | a_array | batch_count pointers to the factors; not NULL when there is work |
    /// | 5 | lda | leading dimension of A, lda >= max(1,n) |
    /// | 6 | ipiv_array | batch_count pointers to n ints each, as tephra_sgetrf_batched() gives them, or NULL: no interchanges |
    /// | 7 | b_array | batch_count pointers to n x nrhs matrices; not NULL when there is work |
    /// | 8 | ldb | leading dimension of B, ldb >= max(1,n); rows n..ldb-1 are neither read nor written |
    /// | 9 | batch_count | number of matrices, >= 0 |
    /// | 10 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 11 | work_bytes | size of work, at least what tephra_sgetrs_batched_workspace() reports; a smaller one is an error |
    /// | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays, matrices and interchanges are in device memory, as for tephra_sgeqrf_batched(). The call does nothing
    /// and returns success when n, nrhs or batch_count is 0.
    tephra_sgetrs_batched,
    /// Workspace of tephra_sgetrs_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
    /// and are numbered trans 1, n 2, nrhs 3, lda 4, ldb 5, batch_count 6.
    tephra_sgetrs_batched_workspace,
    /// tephra_sgetrs_batched() for matrices at a constant stride (in elements; stride_ipiv in ints). With batch_count >
    /// 1, stride_a >= 0 and stride_ipiv >= 0 (0: one for all members), stride_b >= max(1,n). Arguments are numbered
    /// trans 1, n 2, nrhs 3, a 4, lda 5, stride_a 6, ipiv 7, stride_ipiv 8, b 9, ldb 10, stride_b 11, batch_count 12,
    /// work 13, work_bytes 14, stream 15.
    tephra_sgetrs_strided_batched,
    /// Workspace of tephra_sgetrs_strided_batched() in bytes. Arguments are numbered trans 1, n 2, nrhs 3, lda 4, stride_a
    /// 5, stride_ipiv 6, ldb 7, stride_b 8, batch_count 9.
    tephra_sgetrs_strided_batched_workspace;

    f64: D:
    /// tephra_sgetrs_batched() in double precision (LAPACK DGETRS).
    tephra_dgetrs_batched,
    /// tephra_sgetrs_batched_workspace() in double precision.
    tephra_dgetrs_batched_workspace,
    /// tephra_sgetrs_strided_batched() in double precision.
    tephra_dgetrs_strided_batched,
    /// tephra_sgetrs_strided_batched_workspace() in double precision.
    tephra_dgetrs_strided_batched_workspace;

    C32: C:
    /// tephra_sgetrs_batched() in single precision complex (LAPACK CGETRS).
    tephra_cgetrs_batched,
    /// tephra_sgetrs_batched_workspace() in single precision complex.
    tephra_cgetrs_batched_workspace,
    /// tephra_sgetrs_strided_batched() in single precision complex.
    tephra_cgetrs_strided_batched,
    /// tephra_sgetrs_strided_batched_workspace() in single precision complex.
    tephra_cgetrs_strided_batched_workspace;

    C64: Z:
    /// tephra_sgetrs_batched() in double precision complex (LAPACK ZGETRS).
    tephra_zgetrs_batched,
    /// tephra_sgetrs_batched_workspace() in double precision complex.
    tephra_zgetrs_batched_workspace,
    /// tephra_sgetrs_strided_batched() in double precision complex.
    tephra_zgetrs_strided_batched,
    /// tephra_sgetrs_strided_batched_workspace() in double precision complex.
    tephra_zgetrs_strided_batched_workspace;
}
