//! Application of Q.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use tephra_core::face::native::*;
use tephra_core::routine::{Operation, Ormqr};
use tephra_core::{Dtype, Error, Operand, Stream, entry};

struct Sizes {
    m: i64,
    n: i64,
    k: i64,
    lda: i64,
    ldc: i64,
    batch: i64,
}

fn problem(
    dtype: Dtype,
    flags: [c_int; 2],
    Sizes { m, n, k, lda, ldc, batch }: Sizes,
    [a, tau, c]: [Operand; 3],
) -> Result<Operation, Error> {
    let (side, trans) = (side(flags[0])?, trans(flags[1])?);
    Ok(Operation::Ormqr(Ormqr { dtype, side, trans, m, n, k, a, lda, tau, c, ldc, batch, sizes: None }))
}

macro_rules! ormqr {
    ($($ty:ty: $dtype:ident: $(#[$b:meta])* $batched:ident, $(#[$s:meta])* $strided:ident;)*) => { entry! {$(
        $(#[$b])*
        fn $batched(
            side: c_int, trans: c_int, m: i64, n: i64, k: i64, a_array: *const *mut $ty, lda: i64,
            tau_array: *const *mut $ty, c_array: *const *mut $ty, ldc: i64, batch_count: i64, stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { m, n, k, lda, ldc, batch: batch_count };
            let operands = [pointers(a_array), pointers(tau_array), pointers(c_array)];
            let op = problem(Dtype::$dtype, [side, trans], sizes, operands);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$s])*
        fn $strided(
            side: c_int, trans: c_int, m: i64, n: i64, k: i64, a: *const $ty, lda: i64, stride_a: i64, tau: *const $ty,
            stride_tau: i64, c: *mut $ty, ldc: i64, stride_c: i64, batch_count: i64, stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { m, n, k, lda, ldc, batch: batch_count };
            let operands = [strided(a.cast_mut(), stride_a), strided(tau.cast_mut(), stride_tau), strided(c, stride_c)];
            let op = problem(Dtype::$dtype, [side, trans], sizes, operands);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }
    )*}};
}

ormqr! {
    f32: S:
    /// Batched LAPACK SORMQR: C(i) := op(Q(i)) C(i) or C(i) op(Q(i)), with Q(i) = H(1) H(2) ... H(k) as
    /// tephra_sgeqrf_batched() leaves it.
    ///
    /// A(i) is read only below its diagonal and is not written, so members of the batch may share A and tau. The call
    /// is asynchronous on the stream, allocates nothing (except scratch memory from the stream-ordered pool where rows
    /// are divided among thread blocks or all reflectors act at once, see docs/tall-and-large.md), needs no workspace and
    /// can be captured in a CUDA graph.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
    /// | 2 | trans | TEPHRA_TRANS_N, _T or _C; for complex types T is Q^T, which LAPACK does not support |
    /// | 3 | m | rows of C, m >= 0 |
    /// | 4 | n | columns of C, n >= 0 |
    /// | 5 | k | reflectors, 0 <= k <= q, where q, the order of Q, is m (left) or n (right) |
    /// | 6 | a_array | batch_count pointers to q x k matrices; not NULL when there is work |
    /// | 7 | lda | leading dimension of A, lda >= max(1,q) |
    /// | 8 | tau_array | batch_count pointers to vectors of k elements, likewise |
    /// | 9 | c_array | batch_count pointers to m x n matrices, likewise |
    /// | 10 | ldc | leading dimension of C, ldc >= max(1,m); rows m..ldc-1 are neither read nor written |
    /// | 11 | batch_count | number of matrices, >= 0 |
    /// | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
    /// returns success when m, n, k or batch_count is 0.
    tephra_sormqr_batched,
    /// tephra_sormqr_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_c >=
    /// max(1,m), stride_a >= 0 and stride_tau >= 0; strides of 0 apply one Q to every C. Arguments are numbered side 1,
    /// trans 2, m 3, n 4, k 5, a 6, lda 7, stride_a 8, tau 9, stride_tau 10, c 11, ldc 12, stride_c 13, batch_count 14,
    /// stream 15.
    tephra_sormqr_strided_batched;

    f64: D:
    /// tephra_sormqr_batched() in double precision (LAPACK DORMQR).
    tephra_dormqr_batched,
    /// tephra_sormqr_strided_batched() in double precision.
    tephra_dormqr_strided_batched;

    C32: C:
    /// tephra_sormqr_batched() in single precision complex (LAPACK CUNMQR).
    tephra_cunmqr_batched,
    /// tephra_sormqr_strided_batched() in single precision complex.
    tephra_cunmqr_strided_batched;

    C64: Z:
    /// tephra_sormqr_batched() in double precision complex (LAPACK ZUNMQR).
    tephra_zunmqr_batched,
    /// tephra_sormqr_strided_batched() in double precision complex.
    tephra_zunmqr_strided_batched;
}
