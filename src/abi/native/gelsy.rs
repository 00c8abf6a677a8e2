//! Least squares of matrices of any rank.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_core::face::native::*;
use tephra_core::routine::{Gelsy, Operation, Workspace};
use tephra_core::{Dtype, Operand, Stream, entry};

struct Sizes {
    m: i64,
    n: i64,
    nrhs: i64,
    lda: i64,
    ldb: i64,
    batch: i64,
}

fn problem(
    dtype: Dtype,
    Sizes { m, n, nrhs, lda, ldb, batch }: Sizes,
    [a, b, jpvt]: [Operand; 3],
    rcond: f64,
    rank: *mut c_int,
    work: Workspace,
) -> Operation {
    Operation::Gelsy(Gelsy { dtype, m, n, nrhs, a, lda, b, ldb, jpvt, rcond, rank, batch, work })
}

macro_rules! gelsy {
    ($($ty:ty: $dtype:ident:
        $(#[$b:meta])* $batched:ident, $(#[$bw:meta])* $batched_workspace:ident,
        $(#[$s:meta])* $strided:ident, $(#[$sw:meta])* $strided_workspace:ident;)*
    ) => { entry! {$(
        $(#[$b])*
        fn $batched(
            m: i64, n: i64, nrhs: i64, a_array: *const *mut $ty, lda: i64, b_array: *const *mut $ty, ldb: i64,
            jpvt_array: *const *mut c_int, rcond: f64, rank: *mut c_int, batch_count: i64, work: *mut c_void,
            work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { m, n, nrhs, lda, ldb, batch: batch_count };
            let operands = [pointers(a_array), pointers(b_array), pointers(jpvt_array)];
            let work = Workspace { p: work, bytes: work_bytes };
            Ok(Status(run(PROTOTYPE, Ok(problem(Dtype::$dtype, sizes, operands, rcond, rank, work)), Stream(stream))))
        }

        $(#[$bw])*
        fn $batched_workspace(
            m: i64, n: i64, nrhs: i64, lda: i64, ldb: i64, batch_count: i64, bytes: *mut usize,
        ) -> Status {
            let sizes = Sizes { m, n, nrhs, lda, ldb, batch: batch_count };
            let op = problem(Dtype::$dtype, sizes, [Operand::NULL; 3], 0.0, null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, Ok(op), bytes)))
        }

        $(#[$s])*
        fn $strided(
            m: i64, n: i64, nrhs: i64, a: *mut $ty, lda: i64, stride_a: i64, b: *mut $ty, ldb: i64, stride_b: i64,
            jpvt: *mut c_int, stride_jpvt: i64, rcond: f64, rank: *mut c_int, batch_count: i64, work: *mut c_void,
            work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { m, n, nrhs, lda, ldb, batch: batch_count };
            let operands = [strided(a, stride_a), strided(b, stride_b), strided(jpvt, stride_jpvt)];
            let work = Workspace { p: work, bytes: work_bytes };
            Ok(Status(run(PROTOTYPE, Ok(problem(Dtype::$dtype, sizes, operands, rcond, rank, work)), Stream(stream))))
        }

        $(#[$sw])*
        fn $strided_workspace(
            m: i64, n: i64, nrhs: i64, lda: i64, stride_a: i64, ldb: i64, stride_b: i64, stride_jpvt: i64,
            batch_count: i64, bytes: *mut usize,
        ) -> Status {
            let sizes = Sizes { m, n, nrhs, lda, ldb, batch: batch_count };
            let [a, b] = [stride_a, stride_b].map(|stride| strided(null_mut::<$ty>(), stride));
            let operands = [a, b, strided(null_mut::<c_int>(), stride_jpvt)];
            let op = problem(Dtype::$dtype, sizes, operands, 0.0, null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, Ok(op), bytes)))
        }
    )*}};
}

gelsy! {
    f32: S:
    /// Batched least squares with matrices of any rank, LAPACK SGELSY for each matrix: among all X(i) that minimise the
    /// 2-norm of each column of B(i) - A(i) X(i), the one of least 2-norm.
    ///
    /// A P = Q R is computed as by tephra_sgeqp3_batched(). The rank is the order of the largest leading triangle of R
    /// whose condition number, estimated row by row, is at most 1 / rcond; the rest of R is taken to be zero.
    /// Reflectors from the right then reduce the leading rows of R to a triangle, which is solved for B (complete
    /// orthogonal factorisation). As in LAPACK, A and B are scaled if their largest element is near either end of the
    /// range, here by a power of two, which is exact, and X is scaled back.
    ///
    /// On exit X is in rows 0..n-1 of B. If m > n and the rank is n, the sum of squares of rows n..m-1 of a column is
    /// that of its residual; otherwise the contents of these rows are unspecified. The contents of A are unspecified.
    ///
    /// The call is asynchronous on the stream, allocates nothing and can be captured in a CUDA graph; on the CPU
    /// backend it has finished when it returns. A NaN or infinity affects only its own problem.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | m | rows of A, m >= 0; on CUDA less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
    /// | 2 | n | columns of A, 0 <= n < 2^31; m < n is allowed |
    /// | 3 | nrhs | right-hand sides, columns of B, nrhs >= 0; with 0 only the ranks are computed |
    /// | 4 | a_array | batch_count pointers to matrices of lda*n elements; overwritten; not NULL when there is work |
    /// | 5 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 6 | b_array | batch_count pointers to matrices of ldb*nrhs elements: m rows in, n rows out; may be NULL with nrhs 0 |
    /// | 7 | ldb | leading dimension of B, ldb >= max(1,m,n) |
    /// | 8 | jpvt_array | batch_count pointers to vectors of n ints, as for tephra_sgeqp3_batched(): initial columns in, permutation out |
    /// | 9 | rcond | reciprocal of the largest condition number; if negative: max(m,n) times the distance from 1 to the next number |
    /// | 10 | rank | one int per matrix in device memory, its rank, or NULL |
    /// | 11 | batch_count | number of matrices, >= 0; as for tephra_sgeqrf_batched() |
    /// | 12 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 13 | work_bytes | size of work, at least what tephra_sgelsy_batched_workspace() reports; a smaller one is an error |
    /// | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). Without unknowns (n = 0) the
    /// call only sets the ranks; without equations (m = 0) it sets X to zero and leaves jpvt unchanged. The ranks are
    /// then 0.
    tephra_sgelsy_batched,
    /// Workspace of tephra_sgelsy_batched() in bytes: a few vectors of each matrix on CUDA, 0 on the CPU. Its arguments
    /// are checked as in that call, and are numbered m 1, n 2, nrhs 3, lda 4, ldb 5, batch_count 6.
    tephra_sgelsy_batched_workspace,
    /// tephra_sgelsy_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
    /// max(1,m), stride_b >= max(1,m,n) where there are right-hand sides, and stride_jpvt >= max(1,n); matrices must
    /// not share elements. Arguments are numbered m 1, n 2, nrhs 3, a 4, lda 5, stride_a 6, b 7, ldb 8, stride_b 9,
    /// jpvt 10, stride_jpvt 11, rcond 12, rank 13, batch_count 14, work 15, work_bytes 16, stream 17.
    tephra_sgelsy_strided_batched,
    /// Workspace of tephra_sgelsy_strided_batched() in bytes. Arguments are numbered m 1, n 2, nrhs 3, lda 4, stride_a 5, ldb 6,
    /// stride_b 7, stride_jpvt 8, batch_count 9.
    tephra_sgelsy_strided_batched_workspace;

    f64: D:
    /// tephra_sgelsy_batched() in double precision (LAPACK DGELSY).
    tephra_dgelsy_batched,
    /// tephra_sgelsy_batched_workspace() in double precision.
    tephra_dgelsy_batched_workspace,
    /// tephra_sgelsy_strided_batched() in double precision.
    tephra_dgelsy_strided_batched,
    /// tephra_sgelsy_strided_batched_workspace() in double precision.
    tephra_dgelsy_strided_batched_workspace;

    C32: C:
    /// tephra_sgelsy_batched() in single precision complex (LAPACK CGELSY).
    tephra_cgelsy_batched,
    /// tephra_sgelsy_batched_workspace() in single precision complex.
    tephra_cgelsy_batched_workspace,
    /// tephra_sgelsy_strided_batched() in single precision complex.
    tephra_cgelsy_strided_batched,
    /// tephra_sgelsy_strided_batched_workspace() in single precision complex.
    tephra_cgelsy_strided_batched_workspace;

    C64: Z:
    /// tephra_sgelsy_batched() in double precision complex (LAPACK ZGELSY).
    tephra_zgelsy_batched,
    /// tephra_sgelsy_batched_workspace() in double precision complex.
    tephra_zgelsy_batched_workspace,
    /// tephra_sgelsy_strided_batched() in double precision complex.
    tephra_zgelsy_strided_batched,
    /// tephra_sgelsy_strided_batched_workspace() in double precision complex.
    tephra_zgelsy_strided_batched_workspace;
}
