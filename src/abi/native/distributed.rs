//! Tall matrices whose rows are distributed over ranks.

use super::comm::Comm;
use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use tephra_core::face::guard::Prototype;
use tephra_core::{Dtype, Stream, entry};
use tephra_many::tall::calls::{self, Argument, Caller};

fn caller(own: &'static Prototype, comm: *const Comm, dtype: Dtype, stream: *mut c_void) -> Caller {
    Caller { own, comm: comm.cast(), dtype, stream: Stream(stream) }
}

/// A matrix, or T and its size.
fn at<T>(p: *const T, ld: i64) -> Argument {
    (p.cast_mut().cast(), ld)
}

macro_rules! distributed {
    ($($ty:ty: $dtype:ident:
        $(#[$q:meta])* $qr:ident, $(#[$i:meta])* $geqr:ident, $(#[$s:meta])* $tsize:ident, $(#[$g:meta])* $gemqr:ident,
        $(#[$l:meta])* $gels:ident;)*
    ) => { entry! {$(
        $(#[$q])*
        fn $qr(
            comm: *const Comm, part: c_int, m: i64, n: i64, a: *mut $ty, lda: i64, q: *mut $ty, ldq: i64, r: *mut $ty,
            ldr: i64, stream: *mut c_void,
        ) -> Status {
            let caller = caller(PROTOTYPE, comm, Dtype::$dtype, stream);
            Ok(Status(calls::qr(&caller, part, m, n, [at(a, lda), at(q, ldq), at(r, ldr)])))
        }

        $(#[$i])*
        fn $geqr(
            comm: *const Comm, m: i64, n: i64, a: *mut $ty, lda: i64, t: *mut $ty, tsize: i64, r: *mut $ty, ldr: i64,
            stream: *mut c_void,
        ) -> Status {
            let caller = caller(PROTOTYPE, comm, Dtype::$dtype, stream);
            Ok(Status(calls::geqr(&caller, m, n, at(a, lda), at(t, tsize), at(r, ldr))))
        }

        $(#[$s])*
        fn $tsize(comm: *const Comm, m: i64, n: i64, tsize: *mut i64) -> Status {
            let caller = caller(PROTOTYPE, comm, Dtype::$dtype, std::ptr::null_mut());
            Ok(Status(calls::geqr_tsize(&caller, m, n, tsize)))
        }

        $(#[$g])*
        fn $gemqr(
            comm: *const Comm, trans: c_int, m: i64, n: i64, k: i64, a: *const $ty, lda: i64, t: *const $ty, tsize: i64,
            c: *mut $ty, ldc: i64, stream: *mut c_void,
        ) -> Status {
            let caller = caller(PROTOTYPE, comm, Dtype::$dtype, stream);
            Ok(Status(calls::gemqr(&caller, trans, [m, n, k], [at(a, lda), at(t, tsize), at(c, ldc)])))
        }

        $(#[$l])*
        fn $gels(
            comm: *const Comm, m: i64, n: i64, nrhs: i64, a: *mut $ty, lda: i64, b: *mut $ty, ldb: i64, x: *mut $ty,
            ldx: i64, info: *mut c_int, stream: *mut c_void,
        ) -> Status {
            let caller = caller(PROTOTYPE, comm, Dtype::$dtype, stream);
            Ok(Status(calls::gels(&caller, [m, n, nrhs], [at(a, lda), at(b, ldb), at(x, ldx)], info)))
        }
    )*}};
}

distributed! {
    f32: S:
    /// QR factorisation of one tall matrix whose rows are distributed over ranks: A = Q R, R on all of them.
    ///
    /// Rank 0 has the first rows of the matrix, rank 1 the next ones, and so on: any numbers of them, 0 too, with at least n
    /// in all. R is the one that SGEQRF gives for the whole matrix, signs included, to rounding; it is zero below its
    /// diagonal, and has the same bits on all ranks. TEPHRA_Q_THIN: Q's rows are distributed as A's. TEPHRA_Q_NONE: no Q is
    /// made. Each rank sends at most 2 n^2 elements: its rows among the first n of the matrix, and the triangle of the
    /// others (TSQR). A matrix with a NaN or infinity anywhere has an R with NaN on all ranks.
    ///
    /// All ranks call at the same time with the same arguments part and n and the same type; they agree about that first. If
    /// one of them has others, or cannot do its part for lack of memory or because its arguments are wrong, all fail: it
    /// with its own error, the others with TEPHRA_STATUS_COMMUNICATION_ERROR; nothing was written then. A device that fails
    /// later makes R NaN on the other ranks, or fails there, too.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | comm | the communicator |
    /// | 2 | part | TEPHRA_Q_NONE or TEPHRA_Q_THIN |
    /// | 3 | m | rows of this rank, m >= 0; of all ranks together at least n |
    /// | 4 | n | columns, n >= 0 |
    /// | 5 | a | this rank's rows, lda*n elements of device memory, overwritten; not NULL unless m or n is 0 |
    /// | 6 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 7 | q | receives this rank's rows of Q, not a; likewise; not looked at for TEPHRA_Q_NONE |
    /// | 8 | ldq | leading dimension of Q, ldq >= max(1,m); likewise |
    /// | 9 | r | receives R, ldr*n elements of device memory |
    /// | 10 | ldr | leading dimension of R, ldr >= max(1,n) |
    /// | 11 | stream | a CUstream or cudaStream_t; NULL, 1, 2: the default, legacy, per-thread stream |
    ///
    /// On CUDA the call waits until the ranks have agreed (with NCCL for what was in the stream before, too), and the rest
    /// is asynchronous on the stream, with scratch memory from a pool, unless what is sent passes through host memory; it
    /// cannot be captured in a CUDA graph. On the CPU backend it is finished when it returns.
    tephra_sqr_distributed,
    /// QR factorisation of one tall matrix whose rows are distributed over ranks, with a Q that is only ever applied, by
    /// tephra_sgemqr_distributed(): A = Q R.
    ///
    /// Rows, R and failures are as for tephra_sqr_distributed(). A and T hold Q: neither is to be read or changed. T has the
    /// stack of all triangles, which is the same on all ranks, and what belongs to this rank's own rows.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | comm | the communicator |
    /// | 2 | m | rows of this rank, m >= 0; of all ranks together at least n |
    /// | 3 | n | columns, n >= 0 |
    /// | 4 | a | this rank's rows, lda*n elements of device memory, overwritten; not NULL unless m or n is 0 |
    /// | 5 | lda | leading dimension, lda >= max(1,m) |
    /// | 6 | t | receives T, tsize elements of device memory |
    /// | 7 | tsize | its size in elements, at least what tephra_sgeqr_distributed_tsize() answers; less is an error |
    /// | 8 | r | receives R, ldr*n elements of device memory |
    /// | 9 | ldr | leading dimension of R, ldr >= max(1,n) |
    /// | 10 | stream | as for tephra_sqr_distributed() |
    tephra_sgeqr_distributed,
    /// Elements of T of tephra_sgeqr_distributed() for a rank with m rows, to *tsize. Nothing is sent. Arguments are
    /// numbered comm 1, m 2, n 3.
    tephra_sgeqr_distributed_tsize,
    /// C := op(Q) C of a distributed C, with Q as tephra_sgeqr_distributed() left it in A and T.
    ///
    /// Q is square and of as many rows as the matrix; C's rows are distributed as A's were. Q^H C has in its first k rows
    /// what R belongs to: with C = B the right-hand sides of a triangular system, and below them what is left of B. Failures
    /// are as for tephra_sqr_distributed().
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | comm | the communicator |
    /// | 2 | trans | TEPHRA_TRANS_N, TEPHRA_TRANS_T or TEPHRA_TRANS_C; for complex types LAPACK has no T |
    /// | 3 | m | rows of this rank, as tephra_sgeqr_distributed() had them |
    /// | 4 | n | columns of C, n >= 0 |
    /// | 5 | k | columns of A |
    /// | 6 | a | what tephra_sgeqr_distributed() left, device memory |
    /// | 7 | lda | leading dimension, lda >= max(1,m) |
    /// | 8 | t | T of tephra_sgeqr_distributed() |
    /// | 9 | tsize | its size in elements |
    /// | 10 | c | this rank's rows of C, device memory, overwritten |
    /// | 11 | ldc | leading dimension, ldc >= max(1,m) |
    /// | 12 | stream | as for tephra_sqr_distributed() |
    tephra_sgemqr_distributed,
    /// Least squares with one tall matrix whose rows are distributed over ranks: the X that minimises the 2-norm of each
    /// column of B - A X, on all ranks. A must have full rank.
    ///
    /// Rows and failures are as for tephra_sqr_distributed(); B's rows are distributed as A's.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | comm | the communicator |
    /// | 2 | m | rows of this rank, m >= 0; of all ranks together at least n |
    /// | 3 | n | columns of A, n >= 0 |
    /// | 4 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
    /// | 5 | a | this rank's rows of A, device memory, overwritten |
    /// | 6 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 7 | b | this rank's rows of B, device memory, overwritten |
    /// | 8 | ldb | leading dimension of B, ldb >= max(1,m) |
    /// | 9 | x | receives X, ldx*nrhs elements of device memory |
    /// | 10 | ldx | leading dimension of X, ldx >= max(1,n) |
    /// | 11 | info | one int in device memory, or NULL: 0, or j when element j (from 1) of R's diagonal is exactly 0, so that A does not have full rank and X is invalid |
    /// | 12 | stream | as for tephra_sqr_distributed() |
    tephra_sgels_distributed;

    f64: D:
    /// tephra_sqr_distributed() in double precision.
    tephra_dqr_distributed,
    /// tephra_sgeqr_distributed() in double precision.
    tephra_dgeqr_distributed,
    /// tephra_sgeqr_distributed_tsize() in double precision.
    tephra_dgeqr_distributed_tsize,
    /// tephra_sgemqr_distributed() in double precision.
    tephra_dgemqr_distributed,
    /// tephra_sgels_distributed() in double precision.
    tephra_dgels_distributed;

    C32: C:
    /// tephra_sqr_distributed() in single precision complex.
    tephra_cqr_distributed,
    /// tephra_sgeqr_distributed() in single precision complex.
    tephra_cgeqr_distributed,
    /// tephra_sgeqr_distributed_tsize() in single precision complex.
    tephra_cgeqr_distributed_tsize,
    /// tephra_sgemqr_distributed() in single precision complex.
    tephra_cgemqr_distributed,
    /// tephra_sgels_distributed() in single precision complex.
    tephra_cgels_distributed;

    C64: Z:
    /// tephra_sqr_distributed() in double precision complex.
    tephra_zqr_distributed,
    /// tephra_sgeqr_distributed() in double precision complex.
    tephra_zgeqr_distributed,
    /// tephra_sgeqr_distributed_tsize() in double precision complex.
    tephra_zgeqr_distributed_tsize,
    /// tephra_sgemqr_distributed() in double precision complex.
    tephra_zgemqr_distributed,
    /// tephra_sgels_distributed() in double precision complex.
    tephra_zgels_distributed;
}
