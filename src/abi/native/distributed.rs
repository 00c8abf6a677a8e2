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

/// A matrix and its leading dimension, or T and its size.
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
    /// QR factorisation of one tall matrix whose rows are distributed over ranks: A = Q R. Every rank receives R.
    ///
    /// Rank 0 has the first rows of the matrix, rank 1 the next ones, and so on. A rank may have any number of rows,
    /// including 0; all ranks together have at least n. Up to rounding, R is that of SGEQRF for the whole matrix, signs
    /// included; it is zero below its diagonal and has the same bits on all ranks. With TEPHRA_Q_THIN, the rows of Q
    /// are distributed as those of A; with TEPHRA_Q_NONE, Q is not formed. Each rank sends at most 2 n^2 elements: its
    /// rows among the first n of the matrix, and the triangular factor of its others (TSQR). If the matrix contains a
    /// NaN or infinity, R is not finite on all ranks.
    ///
    /// All ranks make the call together, with the same type, part and n, which they verify first. If these differ, or a
    /// rank cannot take part because it lacks memory or has invalid arguments, the call fails on all ranks before
    /// anything is written: on that rank with its own error, on the others with TEPHRA_STATUS_COMMUNICATION_ERROR. If a
    /// device fails later, the other ranks get NaN in R or fail, too.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | comm | the communicator |
    /// | 2 | part | TEPHRA_Q_NONE or TEPHRA_Q_THIN |
    /// | 3 | m | rows of this rank, m >= 0; of all ranks together at least n |
    /// | 4 | n | columns, n >= 0 |
    /// | 5 | a | this rank's rows, lda*n elements of device memory, overwritten; not NULL unless m or n is 0 |
    /// | 6 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 7 | q | receives this rank's rows of Q, which must not be a; likewise; ignored for TEPHRA_Q_NONE |
    /// | 8 | ldq | leading dimension of Q, ldq >= max(1,m); likewise |
    /// | 9 | r | receives R, ldr*n elements of device memory |
    /// | 10 | ldr | leading dimension of R, ldr >= max(1,n) |
    /// | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On CUDA the call waits for the ranks to verify their arguments and, with NCCL, for earlier work in the stream.
    /// The rest is asynchronous on the stream, with scratch memory from the stream-ordered pool, unless data passes
    /// through host memory. The call cannot be captured in a CUDA graph. On the CPU backend it has finished when it
    /// returns.
    tephra_sqr_distributed,
    /// QR factorisation of one tall matrix whose rows are distributed over ranks, A = Q R, with an implicit Q that
    /// tephra_sgemqr_distributed() can apply.
    ///
    /// Rows, R and failures are as for tephra_sqr_distributed(). A and T represent Q in an internal format and must not
    /// be changed. T holds the factored stack of all ranks' triangular factors, which is the same on all ranks, and the
    /// factors of this rank's own rows.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | comm | the communicator |
    /// | 2 | m | rows of this rank, m >= 0; of all ranks together at least n |
    /// | 3 | n | columns, n >= 0 |
    /// | 4 | a | this rank's rows, lda*n elements of device memory, overwritten; not NULL unless m or n is 0 |
    /// | 5 | lda | leading dimension, lda >= max(1,m) |
    /// | 6 | t | receives T, tsize elements of device memory |
    /// | 7 | tsize | its size in elements, at least what tephra_sgeqr_distributed_tsize() reports; a smaller one is an error |
    /// | 8 | r | receives R, ldr*n elements of device memory |
    /// | 9 | ldr | leading dimension of R, ldr >= max(1,n) |
    /// | 10 | stream | as for tephra_sqr_distributed() |
    tephra_sgeqr_distributed,
    /// Writes the number of elements of T of tephra_sgeqr_distributed() for a rank with m rows to *tsize, without
    /// communication. Arguments are numbered comm 1, m 2, n 3.
    tephra_sgeqr_distributed_tsize,
    /// C := op(Q) C for a distributed C, with Q as tephra_sgeqr_distributed() left it in A and T.
    ///
    /// Q is square, of the order of the matrix's rows; the rows of C are distributed as those of A were. The first k
    /// rows of Q^H C correspond to R: with C = B they are the right-hand sides of the triangular system of a
    /// least-squares problem, and the rows below them give the residual. Failures are as for tephra_sqr_distributed().
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | comm | the communicator |
    /// | 2 | trans | TEPHRA_TRANS_N, TEPHRA_TRANS_T or TEPHRA_TRANS_C; LAPACK has no T for complex types |
    /// | 3 | m | rows of this rank, as in tephra_sgeqr_distributed() |
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
    /// Least squares with one tall matrix whose rows are distributed over ranks: every rank receives the X that
    /// minimises the 2-norm of each column of B - A X. A must have full rank.
    ///
    /// Rows and failures are as for tephra_sqr_distributed(); the rows of B are distributed as those of A. Unlike
    /// tephra_sgels(), the call does not scale A and B: X is not finite if the norm of one of their columns overflows,
    /// and loses digits where their elements are subnormal.
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
