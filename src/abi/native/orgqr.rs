//! Explicit Q from reflectors.

use super::{C32, C64, Status};
use std::ffi::c_void;
use tephra_core::face::native::*;
use tephra_core::routine::{Operation, Orgqr};
use tephra_core::{Dtype, Stream, entry};

macro_rules! orgqr {
    ($($ty:ty: $dtype:ident: $(#[$b:meta])* $batched:ident, $(#[$s:meta])* $strided:ident;)*) => { entry! {$(
        $(#[$b])*
        fn $batched(
            m: i64, n: i64, k: i64, a_array: *const *mut $ty, lda: i64, tau_array: *const *mut $ty, batch_count: i64,
            stream: *mut c_void,
        ) -> Status {
            let (a, tau) = (pointers(a_array), pointers(tau_array));
            let p = Orgqr { dtype: Dtype::$dtype, m, n, k, a, lda, sizes: None, tau, batch: batch_count };
            Ok(Status(run(PROTOTYPE, Ok(Operation::Orgqr(p)), Stream(stream))))
        }

        $(#[$s])*
        fn $strided(
            m: i64, n: i64, k: i64, a: *mut $ty, lda: i64, stride_a: i64, tau: *const $ty, stride_tau: i64,
            batch_count: i64, stream: *mut c_void,
        ) -> Status {
            let (a, tau) = (strided(a, stride_a), strided(tau.cast_mut(), stride_tau));
            let p = Orgqr { dtype: Dtype::$dtype, m, n, k, a, lda, sizes: None, tau, batch: batch_count };
            Ok(Status(run(PROTOTYPE, Ok(Operation::Orgqr(p)), Stream(stream))))
        }
    )*}};
}

orgqr! {
    f32: S:
    /// Batched LAPACK SORGQR: the first n columns of Q(i) = H(1) H(2) ... H(k), overwriting the reflectors.
    ///
    /// A(i) holds the reflectors in its first k columns as tephra_sgeqrf_batched() leaves them (elements on and above
    /// the diagonal are not read); on exit it holds the m x n matrix Q(i), whose columns are orthonormal. The call is
    /// asynchronous on the stream, allocates nothing (except scratch memory from the stream-ordered pool where rows are
    /// divided among thread blocks or all reflectors act at once, see docs/tall-and-large.md), needs no workspace and can
    /// be captured in a CUDA graph.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | m | rows of Q, m >= 0 |
    /// | 2 | n | columns of Q, 0 <= n <= m |
    /// | 3 | k | reflectors, 0 <= k <= n |
    /// | 4 | a_array | batch_count pointers to matrices of lda*n elements; not NULL when there is work |
    /// | 5 | lda | leading dimension, lda >= max(1,m); rows m..lda-1 are neither read nor written |
    /// | 6 | tau_array | batch_count pointers to vectors of k elements; not NULL when k > 0 |
    /// | 7 | batch_count | number of matrices, >= 0 |
    /// | 8 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
    /// returns success when n or batch_count is 0.
    tephra_sorgqr_batched,
    /// tephra_sorgqr_batched() for matrices at a constant stride: A(i) starts at a + i*stride_a, tau(i) at tau +
    /// i*stride_tau (in elements). With batch_count > 1, stride_a >= max(1,m) and stride_tau >= 0; vectors tau may
    /// overlap, and with stride_tau 0 all members share one. Arguments are numbered m 1, n 2, k 3, a 4, lda 5,
    /// stride_a 6, tau 7, stride_tau 8, batch_count 9, stream 10.
    tephra_sorgqr_strided_batched;

    f64: D:
    /// tephra_sorgqr_batched() in double precision (LAPACK DORGQR).
    tephra_dorgqr_batched,
    /// tephra_sorgqr_strided_batched() in double precision.
    tephra_dorgqr_strided_batched;

    C32: C:
    /// tephra_sorgqr_batched() in single precision complex (LAPACK CUNGQR).
    tephra_cungqr_batched,
    /// tephra_sorgqr_strided_batched() in single precision complex.
    tephra_cungqr_strided_batched;

    C64: Z:
    /// tephra_sorgqr_batched() in double precision complex (LAPACK ZUNGQR).
    tephra_zungqr_batched,
    /// tephra_sorgqr_strided_batched() in double precision complex.
    tephra_zungqr_strided_batched;
}
