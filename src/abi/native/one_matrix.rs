//! QR of a single matrix and related routines: the batched routines with a batch of one, given by the matrix itself
//! instead of an array of pointers.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_core::face::native::*;
use tephra_core::routine::{Gels, Operation, Orgqr, Ormqr, Workspace};
use tephra_core::{Dtype, Geqrf, Operand, Stream, entry};

/// The only member of the batch, so its stride does not matter.
fn one<T>(base: *const T) -> Operand {
    strided(base.cast_mut(), 0)
}

macro_rules! geqrf {
    ($($ty:ty: $dtype:ident: $(#[$d:meta])* $name:ident, $(#[$w:meta])* $workspace:ident;)*) => { entry! {$(
        $(#[$d])*
        fn $name(
            m: i64, n: i64, a: *mut $ty, lda: i64, tau: *mut $ty, work: *mut c_void, work_bytes: usize,
            stream: *mut c_void,
        ) -> Status {
            // No plan needs a workspace.
            let _ = (work, work_bytes);
            let p = Geqrf { a: one(a), tau: one(tau), ..shape(Dtype::$dtype, m, n, lda, 1) };
            Ok(Status(geqrf(PROTOTYPE, &p, Stream(stream))))
        }

        $(#[$w])*
        fn $workspace(m: i64, n: i64, lda: i64, bytes: *mut usize) -> Status {
            Ok(Status(geqrf_workspace(PROTOTYPE, &shape(Dtype::$dtype, m, n, lda, 1), bytes)))
        }
    )*}};
}

geqrf! {
    f32: S:
    /// QR factorisation of one matrix, LAPACK SGEQRF: A = Q R, in place, of any size that fits into memory.
    ///
    /// A and tau are left as by tephra_sgeqrf_batched() with one matrix, to the last bit: R on and above the diagonal,
    /// the reflectors below it. Matrices of more than 2048 rows are divided among the thread blocks of the GPU
    /// (docs/tall-and-large.md).
    ///
    /// The call is asynchronous on the stream and can be captured in a CUDA graph; scratch memory for divided matrices
    /// comes from the stream-ordered pool. On the CPU backend it has finished when it returns. Rows m..lda-1 of A are
    /// neither read nor written.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | m | rows, m >= 0; on CUDA less than 2^31, else TEPHRA_STATUS_NOT_SUPPORTED |
    /// | 2 | n | columns, n >= 0, likewise; m < n is allowed |
    /// | 3 | a | the matrix, lda*n elements of device memory; not NULL when there is work |
    /// | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
    /// | 5 | tau | max(1,min(m,n)) elements of device memory, likewise |
    /// | 6 | work | workspace in device memory, or NULL |
    /// | 7 | work_bytes | size of work, at least what tephra_sgeqrf_workspace() reports |
    /// | 8 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// The CPU backend, where all memory is host memory, ignores the stream. The call does nothing and returns success
    /// when m or n is 0.
    tephra_sgeqrf,
    /// Workspace of tephra_sgeqrf() in bytes, at present 0 for every shape. Its arguments are checked as in that call,
    /// and are numbered m 1, n 2, lda 3.
    tephra_sgeqrf_workspace;

    f64: D:
    /// tephra_sgeqrf() in double precision (LAPACK DGEQRF).
    tephra_dgeqrf,
    /// tephra_sgeqrf_workspace() in double precision.
    tephra_dgeqrf_workspace;

    C32: C:
    /// tephra_sgeqrf() in single precision complex (LAPACK CGEQRF).
    tephra_cgeqrf,
    /// tephra_sgeqrf_workspace() in single precision complex.
    tephra_cgeqrf_workspace;

    C64: Z:
    /// tephra_sgeqrf() in double precision complex (LAPACK ZGEQRF).
    tephra_zgeqrf,
    /// tephra_sgeqrf_workspace() in double precision complex.
    tephra_zgeqrf_workspace;
}

macro_rules! orgqr {
    ($($ty:ty: $dtype:ident: $(#[$d:meta])* $name:ident;)*) => { entry! {$(
        $(#[$d])*
        fn $name(
            m: i64, n: i64, k: i64, a: *mut $ty, lda: i64, tau: *const $ty, stream: *mut c_void,
        ) -> Status {
            let p = Orgqr { dtype: Dtype::$dtype, m, n, k, a: one(a), lda, sizes: None, tau: one(tau), batch: 1 };
            Ok(Status(run(PROTOTYPE, Ok(Operation::Orgqr(p)), Stream(stream))))
        }
    )*}};
}

orgqr! {
    f32: S:
    /// LAPACK SORGQR of one matrix: the first n columns of Q = H(1) H(2) ... H(k), overwriting the reflectors that
    /// tephra_sgeqrf() left in the first k columns of A. Elements on and above the diagonal are not read.
    ///
    /// The call is asynchronous on the stream, needs no workspace and can be captured in a CUDA graph.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | m | rows of Q, m >= 0 |
    /// | 2 | n | columns of Q, 0 <= n <= m |
    /// | 3 | k | reflectors, 0 <= k <= n |
    /// | 4 | a | the reflectors, then Q: lda*n elements of device memory; not NULL when there is work |
    /// | 5 | lda | leading dimension, lda >= max(1,m); rows m..lda-1 are neither read nor written |
    /// | 6 | tau | k elements of device memory; not NULL when k > 0 and there is work |
    /// | 7 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// The call does nothing and returns success when n is 0. On the CPU backend, as for tephra_sgeqrf().
    tephra_sorgqr;

    f64: D:
    /// tephra_sorgqr() in double precision (LAPACK DORGQR).
    tephra_dorgqr;

    C32: C:
    /// tephra_sorgqr() in single precision complex (LAPACK CUNGQR).
    tephra_cungqr;

    C64: Z:
    /// tephra_sorgqr() in double precision complex (LAPACK ZUNGQR).
    tephra_zungqr;
}

macro_rules! ormqr {
    ($($ty:ty: $dtype:ident: $(#[$d:meta])* $name:ident;)*) => { entry! {$(
        $(#[$d])*
        fn $name(
            side: c_int, trans: c_int, m: i64, n: i64, k: i64, a: *const $ty, lda: i64, tau: *const $ty, c: *mut $ty,
            ldc: i64, stream: *mut c_void,
        ) -> Status {
            let flags = self::side(side).and_then(|side| Ok((side, self::trans(trans)?)));
            let problem = flags.map(|(side, trans)| Operation::Ormqr(Ormqr {
                dtype: Dtype::$dtype, side, trans, m, n, k, a: one(a), lda, tau: one(tau), c: one(c), ldc, batch: 1,
                sizes: None,
            }));
            Ok(Status(run(PROTOTYPE, problem, Stream(stream))))
        }
    )*}};
}

ormqr! {
    f32: S:
    /// LAPACK SORMQR of one matrix: C := op(Q) C or C op(Q), with Q = H(1) H(2) ... H(k) as tephra_sgeqrf() leaves it.
    ///
    /// A is read only below its diagonal, and is not written. The call is asynchronous on the stream, needs no
    /// workspace and can be captured in a CUDA graph.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
    /// | 2 | trans | TEPHRA_TRANS_N, _T or _C; for complex types T is Q^T, which LAPACK does not support |
    /// | 3 | m | rows of C, m >= 0 |
    /// | 4 | n | columns of C, n >= 0 |
    /// | 5 | k | reflectors, 0 <= k <= q, where q, the order of Q, is m (left) or n (right) |
    /// | 6 | a | the reflectors, a q x k matrix in device memory; not NULL when there is work |
    /// | 7 | lda | leading dimension of A, lda >= max(1,q) |
    /// | 8 | tau | k elements of device memory, likewise |
    /// | 9 | c | an m x n matrix in device memory, likewise |
    /// | 10 | ldc | leading dimension of C, ldc >= max(1,m); rows m..ldc-1 are neither read nor written |
    /// | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// The call does nothing and returns success when m, n or k is 0. On the CPU backend, as for tephra_sgeqrf().
    tephra_sormqr;

    f64: D:
    /// tephra_sormqr() in double precision (LAPACK DORMQR).
    tephra_dormqr;

    C32: C:
    /// tephra_sormqr() in single precision complex (LAPACK CUNMQR).
    tephra_cunmqr;

    C64: Z:
    /// tephra_sormqr() in double precision complex (LAPACK ZUNMQR).
    tephra_zunmqr;
}

macro_rules! gels {
    ($($ty:ty: $dtype:ident: $(#[$d:meta])* $name:ident, $(#[$w:meta])* $workspace:ident;)*) => { entry! {$(
        $(#[$d])*
        fn $name(
            trans: c_int, m: i64, n: i64, nrhs: i64, a: *mut $ty, lda: i64, b: *mut $ty, ldb: i64, info: *mut c_int,
            work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let work = Workspace { p: work, bytes: work_bytes };
            let problem = self::trans(trans).map(|trans| Operation::Gels(Gels {
                dtype: Dtype::$dtype, trans, m, n, nrhs, a: one(a), lda, b: one(b), ldb, sizes: None, info,
                batch: 1, work,
            }));
            Ok(Status(run(PROTOTYPE, problem, Stream(stream))))
        }

        $(#[$w])*
        fn $workspace(
            trans: c_int, m: i64, n: i64, nrhs: i64, lda: i64, ldb: i64, bytes: *mut usize,
        ) -> Status {
            let [a, b] = [one(null_mut::<$ty>()); 2];
            let (info, work) = (null_mut(), Workspace::NONE);
            let problem = self::trans(trans).map(|trans| Operation::Gels(Gels {
                dtype: Dtype::$dtype, trans, m, n, nrhs, a, lda, b, ldb, sizes: None, info, batch: 1, work,
            }));
            Ok(Status(workspace(PROTOTYPE, problem, bytes)))
        }
    )*}};
}

gels! {
    f32: S:
    /// LAPACK SGELS of one matrix: the least-squares or minimum-norm solution of op(A) X = B, A of full rank.
    ///
    /// With TEPHRA_TRANS_N and m >= n, X minimises the 2-norm of each column of B - A X. It is returned in rows 0..n-1
    /// of B; the sum of squares of rows n..m-1 of a column is that of its residual. With m < n, X is the solution of
    /// least 2-norm, in rows 0..n-1. With TEPHRA_TRANS_T (real types) or _C the same holds for A^H X = B, where B has n
    /// rows on entry and X has m. A is overwritten. The call is asynchronous on the stream and can be captured in a
    /// CUDA graph.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | trans | TEPHRA_TRANS_N, _T or _C; _T is for real types only, as in LAPACK |
    /// | 2 | m | rows of A, m >= 0 |
    /// | 3 | n | columns of A, n >= 0 |
    /// | 4 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
    /// | 5 | a | an m x n matrix in device memory; not NULL when there is work |
    /// | 6 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 7 | b | a max(m,n) x nrhs matrix in device memory; not NULL when nrhs > 0 and there is work |
    /// | 8 | ldb | leading dimension of B, ldb >= max(1,m,n) |
    /// | 9 | info | an int in device memory, or NULL: 0, or j when element j (from 1) of the triangular factor's diagonal is exactly 0, so that A does not have full rank and X is invalid |
    /// | 10 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 11 | work_bytes | size of work, at least what tephra_sgels_workspace() reports; a smaller one is an error |
    /// | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// The call does nothing and returns success when the number of rows of X is 0; info is then set to 0. Without
    /// right-hand sides A is still factored and info set; without equations X is set to zero. On the CPU backend, as
    /// for tephra_sgeqrf().
    tephra_sgels,
    /// Workspace of tephra_sgels() in bytes; 0 for small matrices. Its arguments are checked as in that call, and are
    /// numbered trans 1, m 2, n 3, nrhs 4, lda 5, ldb 6.
    tephra_sgels_workspace;

    f64: D:
    /// tephra_sgels() in double precision (LAPACK DGELS).
    tephra_dgels,
    /// tephra_sgels_workspace() in double precision.
    tephra_dgels_workspace;

    C32: C:
    /// tephra_sgels() in single precision complex (LAPACK CGELS).
    tephra_cgels,
    /// tephra_sgels_workspace() in single precision complex.
    tephra_cgels_workspace;

    C64: Z:
    /// tephra_sgels() in double precision complex (LAPACK ZGELS).
    tephra_zgels,
    /// tephra_sgels_workspace() in double precision complex.
    tephra_zgels_workspace;
}
