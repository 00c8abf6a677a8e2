//! Block reflectors: their triangular factors, and their application.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use tephra_core::face::native::*;
use tephra_core::routine::{Larfb, Larft, Operation};
use tephra_core::{Dtype, Error, Operand, Stream, entry};

struct Sizes {
    m: i64,
    n: i64,
    k: i64,
    ldv: i64,
    ldt: i64,
    ldc: i64,
    batch: i64,
}

fn larfb(
    dtype: Dtype,
    flags: [c_int; 2],
    Sizes { m, n, k, ldv, ldt, ldc, batch }: Sizes,
    [v, t, c]: [Operand; 3],
) -> Result<Operation, Error> {
    let (side, trans) = (side(flags[0])?, trans(flags[1])?);
    Ok(Operation::Larfb(Larfb { dtype, side, trans, m, n, k, v, ldv, t, ldt, c, ldc, batch }))
}

macro_rules! larft {
    ($($ty:ty: $dtype:ident: $(#[$b:meta])* $batched:ident, $(#[$s:meta])* $strided:ident;)*) => { entry! {$(
        $(#[$b])*
        fn $batched(
            m: i64, k: i64, v_array: *const *mut $ty, ldv: i64, tau_array: *const *mut $ty, t_array: *const *mut $ty,
            ldt: i64, batch_count: i64, stream: *mut c_void,
        ) -> Status {
            let (v, tau) = (pointers(v_array), pointers(tau_array));
            let t = pointers(t_array);
            let p = Larft { dtype: Dtype::$dtype, m, k, v, ldv, tau, t, ldt, batch: batch_count };
            Ok(Status(run(PROTOTYPE, Ok(Operation::Larft(p)), Stream(stream))))
        }

        $(#[$s])*
        fn $strided(
            m: i64, k: i64, v: *const $ty, ldv: i64, stride_v: i64, tau: *const $ty, stride_tau: i64, t: *mut $ty,
            ldt: i64, stride_t: i64, batch_count: i64, stream: *mut c_void,
        ) -> Status {
            let (v, tau) = (strided(v.cast_mut(), stride_v), strided(tau.cast_mut(), stride_tau));
            let t = strided(t, stride_t);
            let p = Larft { dtype: Dtype::$dtype, m, k, v, ldv, tau, t, ldt, batch: batch_count };
            Ok(Status(run(PROTOTYPE, Ok(Operation::Larft(p)), Stream(stream))))
        }
    )*}};
}

macro_rules! larfb {
    ($($ty:ty: $dtype:ident: $(#[$b:meta])* $batched:ident, $(#[$s:meta])* $strided:ident;)*) => { entry! {$(
        $(#[$b])*
        fn $batched(
            side: c_int, trans: c_int, m: i64, n: i64, k: i64, v_array: *const *mut $ty, ldv: i64,
            t_array: *const *mut $ty, ldt: i64, c_array: *const *mut $ty, ldc: i64, batch_count: i64,
            stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { m, n, k, ldv, ldt, ldc, batch: batch_count };
            let (v, t) = (pointers(v_array), pointers(t_array));
            let op = larfb(Dtype::$dtype, [side, trans], sizes, [v, t, pointers(c_array)]);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$s])*
        fn $strided(
            side: c_int, trans: c_int, m: i64, n: i64, k: i64, v: *const $ty, ldv: i64, stride_v: i64, t: *const $ty,
            ldt: i64, stride_t: i64, c: *mut $ty, ldc: i64, stride_c: i64, batch_count: i64, stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { m, n, k, ldv, ldt, ldc, batch: batch_count };
            let (v, t) = (strided(v.cast_mut(), stride_v), strided(t.cast_mut(), stride_t));
            let op = larfb(Dtype::$dtype, [side, trans], sizes, [v, t, strided(c, stride_c)]);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }
    )*}};
}

larft! {
    f32: S:
    /// Batched LAPACK SLARFT, forward and columnwise: the k x k upper triangular factor T(i), for reflectors of
    /// tephra_sgeqrf_batched(), with H(1) H(2) ... H(k) = I - V(i) T(i) V(i)^H; the elements below its diagonal are set
    /// to zero.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | m | rows of V, m >= 0 |
    /// | 2 | k | reflectors, 0 <= k <= m |
    /// | 3 | v_array | batch_count pointers to m x k reflectors, read only below the diagonal; not NULL when there is work |
    /// | 4 | ldv | leading dimension of V, ldv >= max(1,m) |
    /// | 5 | tau_array | batch_count pointers to vectors of k elements, likewise |
    /// | 6 | t_array | batch_count pointers to k x k matrices, likewise |
    /// | 7 | ldt | leading dimension of T, ldt >= max(1,k); rows k..ldt-1 are not written |
    /// | 8 | batch_count | number of matrices, >= 0 |
    /// | 9 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Asynchronous, without a workspace, and without allocation (except, for more than 2048 rows, scratch memory from
    /// the stream-ordered pool); memory as for tephra_sgeqrf_batched(). The call does nothing and returns success when k
    /// or batch_count is 0.
    tephra_slarft_batched,
    /// tephra_slarft_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_v >= 0,
    /// stride_tau >= 0 and stride_t >= max(1,k). Arguments are numbered m 1, k 2, v 3, ldv 4, stride_v 5, tau 6,
    /// stride_tau 7, t 8, ldt 9, stride_t 10, batch_count 11, stream 12.
    tephra_slarft_strided_batched;

    f64: D:
    /// tephra_slarft_batched() in double precision.
    tephra_dlarft_batched,
    /// tephra_slarft_strided_batched() in double precision.
    tephra_dlarft_strided_batched;

    C32: C:
    /// tephra_slarft_batched() in single precision complex.
    tephra_clarft_batched,
    /// tephra_slarft_strided_batched() in single precision complex.
    tephra_clarft_strided_batched;

    C64: Z:
    /// tephra_slarft_batched() in double precision complex.
    tephra_zlarft_batched,
    /// tephra_slarft_strided_batched() in double precision complex.
    tephra_zlarft_strided_batched;
}

larfb! {
    f32: S:
    /// Batched LAPACK SLARFB, forward and columnwise: C(i) := op(H(i)) C(i) or C(i) op(H(i)), H(i) = I - V(i) T(i)
    /// V(i)^H with an upper triangular T(i), of tephra_slarft_batched() or any other.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
    /// | 2 | trans | TEPHRA_TRANS_N, _T or _C; _T is for real types only, as in LAPACK |
    /// | 3 | m | rows of C, m >= 0 |
    /// | 4 | n | columns of C, n >= 0 |
    /// | 5 | k | reflectors, 0 <= k <= q, where q, the order of H, is m (left) or n (right) |
    /// | 6 | v_array | batch_count pointers to q x k matrices, as for tephra_slarft_batched() |
    /// | 7 | ldv | leading dimension of V, ldv >= max(1,q) |
    /// | 8 | t_array | batch_count pointers to k x k matrices, not read below the diagonal |
    /// | 9 | ldt | leading dimension of T, ldt >= max(1,k) |
    /// | 10 | c_array | batch_count pointers to m x n matrices |
    /// | 11 | ldc | leading dimension of C, ldc >= max(1,m); rows m..ldc-1 are neither read nor written |
    /// | 12 | batch_count | number of matrices, >= 0 |
    /// | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Asynchronous, without allocation or workspace; memory as for tephra_sgeqrf_batched(). The call does nothing and
    /// returns success when m, n, k or batch_count is 0. Returns TEPHRA_STATUS_NOT_SUPPORTED if k elements do not fit
    /// into the shared memory of a thread block (k above 14,528 in double complex on an H200).
    tephra_slarfb_batched,
    /// tephra_slarfb_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_v >= 0,
    /// stride_t >= 0 and stride_c >= max(1,m). Arguments are numbered side 1, trans 2, m 3, n 4, k 5, v 6, ldv 7,
    /// stride_v 8, t 9, ldt 10, stride_t 11, c 12, ldc 13, stride_c 14, batch_count 15, stream 16.
    tephra_slarfb_strided_batched;

    f64: D:
    /// tephra_slarfb_batched() in double precision.
    tephra_dlarfb_batched,
    /// tephra_slarfb_strided_batched() in double precision.
    tephra_dlarfb_strided_batched;

    C32: C:
    /// tephra_slarfb_batched() in single precision complex.
    tephra_clarfb_batched,
    /// tephra_slarfb_strided_batched() in single precision complex.
    tephra_clarfb_strided_batched;

    C64: Z:
    /// tephra_slarfb_batched() in double precision complex.
    tephra_zlarfb_batched,
    /// tephra_slarfb_strided_batched() in double precision complex.
    tephra_zlarfb_strided_batched;
}
