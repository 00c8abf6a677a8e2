//! Least squares.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_core::face::native::*;
use tephra_core::routine::{Gels, Operation, Workspace};
use tephra_core::{Dtype, Error, Operand, Stream, entry};

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
    flag: c_int,
    Sizes { m, n, nrhs, lda, ldb, batch }: Sizes,
    [a, b]: [Operand; 2],
    info: *mut c_int,
    work: Workspace,
) -> Result<Operation, Error> {
    let (trans, sizes) = (trans(flag)?, None);
    Ok(Operation::Gels(Gels { dtype, trans, m, n, nrhs, a, lda, b, ldb, sizes, info, batch, work }))
}

macro_rules! gels {
    ($($ty:ty: $dtype:ident:
        $(#[$b:meta])* $batched:ident, $(#[$bw:meta])* $batched_workspace:ident,
        $(#[$s:meta])* $strided:ident, $(#[$sw:meta])* $strided_workspace:ident;)*
    ) => { entry! {$(
        $(#[$b])*
        fn $batched(
            trans: c_int, m: i64, n: i64, nrhs: i64, a_array: *const *mut $ty, lda: i64, b_array: *const *mut $ty,
            ldb: i64, info: *mut c_int, batch_count: i64, work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { m, n, nrhs, lda, ldb, batch: batch_count };
            let operands = [pointers(a_array), pointers(b_array)];
            let op = problem(Dtype::$dtype, trans, sizes, operands, info, Workspace { p: work, bytes: work_bytes });
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$bw])*
        fn $batched_workspace(
            trans: c_int, m: i64, n: i64, nrhs: i64, lda: i64, ldb: i64, batch_count: i64, bytes: *mut usize,
        ) -> Status {
            let sizes = Sizes { m, n, nrhs, lda, ldb, batch: batch_count };
            let op = problem(Dtype::$dtype, trans, sizes, [Operand::NULL; 2], null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, op, bytes)))
        }

        $(#[$s])*
        fn $strided(
            trans: c_int, m: i64, n: i64, nrhs: i64, a: *mut $ty, lda: i64, stride_a: i64, b: *mut $ty, ldb: i64,
            stride_b: i64, info: *mut c_int, batch_count: i64, work: *mut c_void, work_bytes: usize,
            stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { m, n, nrhs, lda, ldb, batch: batch_count };
            let operands = [strided(a, stride_a), strided(b, stride_b)];
            let op = problem(Dtype::$dtype, trans, sizes, operands, info, Workspace { p: work, bytes: work_bytes });
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$sw])*
        fn $strided_workspace(
            trans: c_int, m: i64, n: i64, nrhs: i64, lda: i64, stride_a: i64, ldb: i64, stride_b: i64, batch_count: i64,
            bytes: *mut usize,
        ) -> Status {
            let sizes = Sizes { m, n, nrhs, lda, ldb, batch: batch_count };
            let operands = [stride_a, stride_b].map(|stride| strided(null_mut::<$ty>(), stride));
            let op = problem(Dtype::$dtype, trans, sizes, operands, null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, op, bytes)))
        }
    )*}};
}

gels! {
    f32: S:
    /// Batched LAPACK SGELS: least-squares or minimum-norm solutions of op(A(i)) X(i) = B(i), A(i) of full rank.
    ///
    /// With TEPHRA_TRANS_N and m >= n, X minimises the 2-norm of each column of B - A X. It is returned in rows 0..n-1
    /// of B; the sum of squares of rows n..m-1 of a column is that of its residual. With m < n, X is the solution of
    /// least 2-norm, in rows 0..n-1. With TEPHRA_TRANS_T (real types) or _C the same holds for A^H X = B, where B has n
    /// rows on entry and X has m. A(i) is overwritten. The call is asynchronous on the stream, allocates nothing
    /// (except scratch memory from the stream-ordered pool where rows are divided among thread blocks or all reflectors
    /// act at once, see docs/tall-and-large.md) and can be captured in a CUDA graph. A NaN or infinity affects only its
    /// own matrix.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | trans | TEPHRA_TRANS_N, _T or _C; _T is for real types only, as in LAPACK |
    /// | 2 | m | rows of A, m >= 0 |
    /// | 3 | n | columns of A, n >= 0 |
    /// | 4 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
    /// | 5 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
    /// | 6 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 7 | b_array | batch_count pointers to max(m,n) x nrhs matrices; not NULL when nrhs > 0 and there is work |
    /// | 8 | ldb | leading dimension of B, ldb >= max(1,m,n) |
    /// | 9 | info | one int per matrix in device memory, or NULL: 0, or j when element j (from 1) of the triangular factor's diagonal is exactly 0, so that A(i) does not have full rank and its X is invalid |
    /// | 10 | batch_count | number of matrices, >= 0 |
    /// | 11 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 12 | work_bytes | size of work, at least what tephra_sgels_batched_workspace() reports; a smaller one is an error |
    /// | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
    /// success when batch_count or the number of rows of X is 0; all of info is then set to 0. Without right-hand sides
    /// A is still factored and info set; without equations X is set to zero.
    tephra_sgels_batched,
    /// Workspace of tephra_sgels_batched() in bytes; 0 for small matrices. Its arguments are checked as in that call,
    /// and are numbered trans 1, m 2, n 3, nrhs 4, lda 5, ldb 6, batch_count 7.
    tephra_sgels_batched_workspace,
    /// tephra_sgels_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >=
    /// max(1,m), and stride_b >= max(1,m,n) where there are right-hand sides; matrices must not share elements.
    /// Arguments are numbered trans 1, m 2, n 3, nrhs 4, a 5, lda 6, stride_a 7, b 8, ldb 9, stride_b 10, info 11,
    /// batch_count 12, work 13, work_bytes 14, stream 15.
    tephra_sgels_strided_batched,
    /// Workspace of tephra_sgels_strided_batched() in bytes. Arguments are numbered trans 1, m 2, n 3, nrhs 4, lda 5,
    /// stride_a 6, ldb 7, stride_b 8, batch_count 9.
    tephra_sgels_strided_batched_workspace;

    f64: D:
    /// tephra_sgels_batched() in double precision (LAPACK DGELS).
    tephra_dgels_batched,
    /// tephra_sgels_batched_workspace() in double precision.
    tephra_dgels_batched_workspace,
    /// tephra_sgels_strided_batched() in double precision.
    tephra_dgels_strided_batched,
    /// tephra_sgels_strided_batched_workspace() in double precision.
    tephra_dgels_strided_batched_workspace;

    C32: C:
    /// tephra_sgels_batched() in single precision complex (LAPACK CGELS).
    tephra_cgels_batched,
    /// tephra_sgels_batched_workspace() in single precision complex.
    tephra_cgels_batched_workspace,
    /// tephra_sgels_strided_batched() in single precision complex.
    tephra_cgels_strided_batched,
    /// tephra_sgels_strided_batched_workspace() in single precision complex.
    tephra_cgels_strided_batched_workspace;

    C64: Z:
    /// tephra_sgels_batched() in double precision complex (LAPACK ZGELS).
    tephra_zgels_batched,
    /// tephra_sgels_batched_workspace() in double precision complex.
    tephra_zgels_batched_workspace,
    /// tephra_sgels_strided_batched() in double precision complex.
    tephra_zgels_strided_batched,
    /// tephra_sgels_strided_batched_workspace() in double precision complex.
    tephra_zgels_strided_batched_workspace;
}
