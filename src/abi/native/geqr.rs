//! QR with an implicit Q, and that Q applied.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use tephra_core::face::native::*;
use tephra_core::routine::{Gemqr, Geqr, Operation};
use tephra_core::{Dtype, Error, Operand, Stream, entry};

/// The only member of the batch, so its stride does not matter.
fn one<T>(base: *const T) -> Operand {
    strided(base.cast_mut(), 0)
}

struct Sizes {
    m: i64,
    n: i64,
    k: i64,
    lda: i64,
    tsize: i64,
    ldc: i64,
    batch: i64,
}

fn applying(
    dtype: Dtype,
    flags: [c_int; 2],
    Sizes { m, n, k, lda, tsize, ldc, batch }: Sizes,
    [a, t, c]: [Operand; 3],
) -> Result<Operation, Error> {
    let (side, trans) = (side(flags[0])?, trans(flags[1])?);
    Ok(Operation::Gemqr(Gemqr { dtype, side, trans, m, n, k, a, lda, t, tsize, c, ldc, batch }))
}

macro_rules! geqr {
    ($($ty:ty: $dtype:ident: $(#[$d:meta])* $name:ident, $(#[$q:meta])* $tsize:ident, $(#[$s:meta])* $strided:ident;)*) => { entry! {$(
        $(#[$d])*
        fn $name(m: i64, n: i64, a: *mut $ty, lda: i64, t: *mut $ty, tsize: i64, stream: *mut c_void) -> Status {
            let p = Geqr { dtype: Dtype::$dtype, m, n, a: one(a), lda, t: one(t), tsize, batch: 1 };
            Ok(Status(run(PROTOTYPE, Ok(Operation::Geqr(p)), Stream(stream))))
        }

        $(#[$q])*
        fn $tsize(m: i64, n: i64, tsize: *mut i64) -> Status {
            Ok(Status(geqr_tsize(PROTOTYPE, Dtype::$dtype, m, n, tsize)))
        }

        $(#[$s])*
        fn $strided(
            m: i64, n: i64, a: *mut $ty, lda: i64, stride_a: i64, t: *mut $ty, tsize: i64, stride_t: i64,
            batch_count: i64, stream: *mut c_void,
        ) -> Status {
            let (a, t) = (strided(a, stride_a), strided(t, stride_t));
            let p = Geqr { dtype: Dtype::$dtype, m, n, a, lda, t, tsize, batch: batch_count };
            Ok(Status(run(PROTOTYPE, Ok(Operation::Geqr(p)), Stream(stream))))
        }
    )*}};
}

macro_rules! gemqr {
    ($($ty:ty: $dtype:ident: $(#[$d:meta])* $name:ident, $(#[$s:meta])* $strided:ident;)*) => { entry! {$(
        $(#[$d])*
        fn $name(
            side: c_int, trans: c_int, m: i64, n: i64, k: i64, a: *const $ty, lda: i64, t: *const $ty, tsize: i64,
            c: *mut $ty, ldc: i64, stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { m, n, k, lda, tsize, ldc, batch: 1 };
            let op = applying(Dtype::$dtype, [side, trans], sizes, [one(a), one(t), one(c)]);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$s])*
        fn $strided(
            side: c_int, trans: c_int, m: i64, n: i64, k: i64, a: *const $ty, lda: i64, stride_a: i64, t: *const $ty,
            tsize: i64, stride_t: i64, c: *mut $ty, ldc: i64, stride_c: i64, batch_count: i64, stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { m, n, k, lda, tsize, ldc, batch: batch_count };
            let operands = [strided(a.cast_mut(), stride_a), strided(t.cast_mut(), stride_t), strided(c, stride_c)];
            let op = applying(Dtype::$dtype, [side, trans], sizes, operands);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }
    )*}};
}

geqr! {
    f32: S:
    /// QR factorisation of one matrix with an implicit Q, LAPACK SGEQR: A = Q R, in place.
    ///
    /// On exit the elements on and above the diagonal of A hold the min(m,n) x n upper trapezoidal R. The elements
    /// below the diagonal and T represent Q in an internal format, for tephra_sgemqr() only, and must not be changed.
    /// Matrices of at most 256 columns whose panels of 32 columns have more than 2048 rows each are factored panel by
    /// panel with a reduction tree over blocks of rows (TSQR), which reads and writes each panel once; the signs of R
    /// are then arbitrary. All other shapes are factored as by tephra_sgeqrf(), and T begins with tau. The choice
    /// depends only on the type, the sizes and the device, not on settings; Q must be applied on the device that
    /// computed it.
    ///
    /// The call is asynchronous on the stream, needs no workspace and can be captured in a CUDA graph. On the CPU
    /// backend it has finished when it returns. Rows m..lda-1 of A are neither read nor written.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | m | rows, m >= 0; on CUDA less than 2^31 for shapes without a tree, else TEPHRA_STATUS_NOT_SUPPORTED |
    /// | 2 | n | columns, n >= 0, likewise; m < n is allowed |
    /// | 3 | a | the matrix, lda*n elements of device memory; not NULL when there is work |
    /// | 4 | lda | leading dimension, in elements, lda >= max(1,m) |
    /// | 5 | t | receives T, tsize elements of device memory, which need no alignment beyond their own; likewise |
    /// | 6 | tsize | its size in elements, at least what tephra_sgeqr_tsize() reports; a smaller one is an error |
    /// | 7 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// The CPU backend, where all memory is host memory, ignores the stream. The call does nothing and returns success
    /// when m or n is 0.
    tephra_sgeqr,
    /// Writes the number of elements of T of tephra_sgeqr() for an m x n matrix to *tsize: min(m,n), or with a tree
    /// about the square of the panel's columns for every block of rows of every panel. It is the same on all devices
    /// and backends. Arguments are numbered m 1, n 2.
    tephra_sgeqr_tsize,
    /// tephra_sgeqr() for matrices at a constant stride: A(i) starts at a + i*stride_a, T(i) at t + i*stride_t (in
    /// elements, device memory). With batch_count > 1, stride_a >= max(1,m) and stride_t at least what
    /// tephra_sgeqr_tsize() reports; matrices must not share elements. A NaN or infinity affects only its own matrix,
    /// and the result of a matrix does not depend on the others. Arguments are numbered m 1, n 2, a 3, lda 4,
    /// stride_a 5, t 6, tsize 7, stride_t 8, batch_count 9, stream 10.
    tephra_sgeqr_strided_batched;

    f64: D:
    /// tephra_sgeqr() in double precision (LAPACK DGEQR).
    tephra_dgeqr,
    /// tephra_sgeqr_tsize() in double precision.
    tephra_dgeqr_tsize,
    /// tephra_sgeqr_strided_batched() in double precision.
    tephra_dgeqr_strided_batched;

    C32: C:
    /// tephra_sgeqr() in single precision complex (LAPACK CGEQR).
    tephra_cgeqr,
    /// tephra_sgeqr_tsize() in single precision complex.
    tephra_cgeqr_tsize,
    /// tephra_sgeqr_strided_batched() in single precision complex.
    tephra_cgeqr_strided_batched;

    C64: Z:
    /// tephra_sgeqr() in double precision complex (LAPACK ZGEQR).
    tephra_zgeqr,
    /// tephra_sgeqr_tsize() in double precision complex.
    tephra_zgeqr_tsize,
    /// tephra_sgeqr_strided_batched() in double precision complex.
    tephra_zgeqr_strided_batched;
}

gemqr! {
    f32: S:
    /// LAPACK SGEMQR of one matrix: C := op(Q) C or C op(Q), with Q as tephra_sgeqr() left it in A and T.
    ///
    /// With a tree, each block of rows is read once for every few columns of C, level by level, and C is updated in
    /// place. A and T are not written. The call is asynchronous on the stream, needs no workspace and can be captured
    /// in a CUDA graph.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | side | TEPHRA_SIDE_LEFT: op(Q) C, Q of order m; TEPHRA_SIDE_RIGHT: C op(Q), Q of order n |
    /// | 2 | trans | TEPHRA_TRANS_N, TEPHRA_TRANS_T or TEPHRA_TRANS_C; LAPACK has no T for complex types |
    /// | 3 | m | rows of C, m >= 0 |
    /// | 4 | n | columns of C, n >= 0 |
    /// | 5 | k | the smaller one of the sizes given to tephra_sgeqr(), 0 <= k <= order of Q |
    /// | 6 | a | what tephra_sgeqr() left, device memory; not NULL when there is work |
    /// | 7 | lda | leading dimension, lda >= max(1, order of Q) |
    /// | 8 | t | T of tephra_sgeqr() |
    /// | 9 | tsize | its size in elements, at least what tephra_sgeqr_tsize() reports for an (order of Q) x k matrix |
    /// | 10 | c | the matrix C, device memory |
    /// | 11 | ldc | leading dimension, ldc >= max(1,m); rows m..ldc-1 are neither read nor written |
    /// | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// The order of Q is the m given to tephra_sgeqr(). The call does nothing and returns success when m, n or k is 0.
    /// On the CPU backend, as for tephra_sgeqr().
    tephra_sgemqr,
    /// tephra_sgemqr() for matrices at a constant stride (in elements). With batch_count > 1, stride_c >= max(1,m),
    /// stride_a >= 0 and stride_t >= 0; strides of 0 apply one Q to every C. Arguments are numbered side 1, trans 2,
    /// m 3, n 4, k 5, a 6, lda 7, stride_a 8, t 9, tsize 10, stride_t 11, c 12, ldc 13, stride_c 14, batch_count 15,
    /// stream 16.
    tephra_sgemqr_strided_batched;

    f64: D:
    /// tephra_sgemqr() in double precision (LAPACK DGEMQR).
    tephra_dgemqr,
    /// tephra_sgemqr_strided_batched() in double precision.
    tephra_dgemqr_strided_batched;

    C32: C:
    /// tephra_sgemqr() in single precision complex (LAPACK CGEMQR).
    tephra_cgemqr,
    /// tephra_sgemqr_strided_batched() in single precision complex.
    tephra_cgemqr_strided_batched;

    C64: Z:
    /// tephra_sgemqr() in double precision complex (LAPACK ZGEMQR).
    tephra_zgemqr,
    /// tephra_sgemqr_strided_batched() in double precision complex.
    tephra_zgemqr_strided_batched;
}
