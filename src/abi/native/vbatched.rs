//! Variable-size batches: each matrix has its own sizes, which are in device memory.

mod blas;
mod cholesky;
mod inverses;
mod least_squares;
mod products;
mod solves;
mod trsv;

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};
use tephra_core::face::native::*;
use tephra_core::routine::{Getrf, Math, Operation, Orgqr, Ormqr, QSizes, Sizes, Workspace};
use tephra_core::{Dtype, Error, Geqrf, Operand, Stream, entry};

/// LU factorisation of matrices of at most m x n; `ipiv` is `None` for LU without pivoting.
#[allow(clippy::too_many_arguments)]
fn getrf(
    dtype: Dtype,
    (m, n): (i64, i64),
    sizes: Sizes,
    a: Operand,
    ipiv: Option<Operand>,
    info: *mut c_int,
    batch: i64,
    work: Workspace,
) -> Operation {
    Operation::Getrf(Getrf { sizes: Some(sizes), info, work, ..Getrf::of(dtype, (m, n), (a, 1), ipiv, batch) })
}

/// QR factorisation of matrices of at most m x n.
fn geqrf(
    dtype: Dtype,
    (m, n): (i64, i64),
    sizes: Sizes,
    a: Operand,
    tau: Operand,
    info: *mut c_int,
    batch: i64,
) -> Operation {
    Operation::Geqrf(Geqrf { dtype, m, n, a, lda: 1, sizes: Some(sizes), tau, batch, info, math: Math::Fp32 })
}

/// Explicit Q of at most m x n from at most k reflectors, in place.
fn orgqr(dtype: Dtype, [m, n, k]: [i64; 3], sizes: QSizes, [a, tau]: [Operand; 2], batch: i64) -> Operation {
    Operation::Orgqr(Orgqr { dtype, m, n, k, a, lda: 1, sizes: Some(sizes), tau, batch })
}

/// Application of a Q of at most k reflectors to matrices of at most m x n.
fn ormqr(
    dtype: Dtype,
    flags: [c_int; 2],
    [m, n, k]: [i64; 3],
    sizes: QSizes,
    [a, tau, c]: [Operand; 3],
    batch: i64,
) -> Result<Operation, Error> {
    let (side, trans, sizes) = (side(flags[0])?, trans(flags[1])?, Some(sizes));
    Ok(Operation::Ormqr(Ormqr { dtype, side, trans, m, n, k, a, lda: 1, tau, c, ldc: 1, batch, sizes }))
}

macro_rules! lu {
    ($($ty:ty: $dtype:ident:
        $(#[$lu:meta])* $getrf:ident, $(#[$luw:meta])* $getrf_workspace:ident,
        $(#[$np:meta])* $getrf_nopiv:ident, $(#[$npw:meta])* $getrf_nopiv_workspace:ident;)*
    ) => { entry! {$(
        $(#[$lu])*
        fn $getrf(
            max_m: i64, max_n: i64, m: *const c_int, n: *const c_int, a_array: *const *mut $ty, lda: *const c_int,
            ipiv_array: *const *mut c_int, info: *mut c_int, batch_count: i64,
            work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let (sizes, work) = (Sizes { m, n, lda }, Workspace { p: work, bytes: work_bytes });
            let ipiv = Some(pointers(ipiv_array));
            let op = getrf(Dtype::$dtype, (max_m, max_n), sizes, pointers(a_array), ipiv, info, batch_count, work);
            Ok(Status(run(PROTOTYPE, Ok(op), Stream(stream))))
        }

        $(#[$luw])*
        fn $getrf_workspace(max_m: i64, max_n: i64, batch_count: i64, bytes: *mut usize) -> Status {
            let (sizes, max, null_operand) = (Sizes::NULL, (max_m, max_n), Operand::NULL);
            let op = getrf(Dtype::$dtype, max, sizes, null_operand, Some(null_operand), null_mut(), batch_count, Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, Ok(op), bytes)))
        }

        $(#[$np])*
        fn $getrf_nopiv(
            max_m: i64, max_n: i64, m: *const c_int, n: *const c_int, a_array: *const *mut $ty, lda: *const c_int,
            info: *mut c_int, batch_count: i64, work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let (sizes, work) = (Sizes { m, n, lda }, Workspace { p: work, bytes: work_bytes });
            let op = getrf(Dtype::$dtype, (max_m, max_n), sizes, pointers(a_array), None, info, batch_count, work);
            Ok(Status(run(PROTOTYPE, Ok(op), Stream(stream))))
        }

        $(#[$npw])*
        fn $getrf_nopiv_workspace(max_m: i64, max_n: i64, batch_count: i64, bytes: *mut usize) -> Status {
            let (sizes, max, null_operand) = (Sizes::NULL, (max_m, max_n), Operand::NULL);
            let op = getrf(Dtype::$dtype, max, sizes, null_operand, None, null_mut(), batch_count, Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, Ok(op), bytes)))
        }
    )*}};
}

lu! {
    f32: S:
    /// tephra_sgetrf_batched() for matrices with individual sizes: A(i) is m[i] x n[i], with leading dimension lda[i].
    ///
    /// The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
    /// the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory from
    /// the stream-ordered pool for large batches) and can be captured in a CUDA graph; each replay may see different
    /// sizes. m[i] = 0 and n[i] = 0 are allowed. If the sizes of a matrix are invalid, nothing of it is read or written
    /// except its info, which is -1 if not 0 <= m[i] <= max_m, else -2 if not 0 <= n[i] <= max_n, else -4 if not lda[i]
    /// >= m[i].
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | max_m | no matrix has more rows, max_m >= 0 |
    /// | 2 | max_n | no matrix has more columns, max_n >= 0 |
    /// | 3 | m | batch_count ints in device memory: rows; not NULL when there is work |
    /// | 4 | n | batch_count ints in device memory: columns, likewise |
    /// | 5 | a_array | batch_count pointers to matrices of lda[i]*n[i] elements, likewise |
    /// | 6 | lda | batch_count ints in device memory: leading dimensions, in elements, likewise |
    /// | 7 | ipiv_array | batch_count pointers to vectors of min(m[i],n[i]) ints, likewise |
    /// | 8 | info | one int per matrix in device memory, or NULL: as for tephra_sgetrf_batched(), and see above |
    /// | 9 | batch_count | number of matrices, >= 0 |
    /// | 10 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 11 | work_bytes | size of work, at least what tephra_sgetrf_vbatched_workspace() reports; a smaller one is an error |
    /// | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
    /// or batch_count is 0; all of info is then set to 0.
    tephra_sgetrf_vbatched,
    /// Workspace of tephra_sgetrf_vbatched() in bytes. Arguments are numbered max_m 1, max_n 2, batch_count 3.
    tephra_sgetrf_vbatched_workspace,
    /// tephra_sgetrf_vbatched() without pivoting. Arguments are numbered max_m 1, max_n 2, m 3, n 4, a_array 5, lda 6, info
    /// 7, batch_count 8, work 9, work_bytes 10, stream 11.
    tephra_sgetrf_nopiv_vbatched,
    /// Workspace of tephra_sgetrf_nopiv_vbatched() in bytes. Arguments are numbered max_m 1, max_n 2, batch_count 3.
    tephra_sgetrf_nopiv_vbatched_workspace;

    f64: D:
    /// tephra_sgetrf_vbatched() in double precision.
    tephra_dgetrf_vbatched,
    /// tephra_sgetrf_vbatched_workspace() in double precision.
    tephra_dgetrf_vbatched_workspace,
    /// tephra_sgetrf_nopiv_vbatched() in double precision.
    tephra_dgetrf_nopiv_vbatched,
    /// tephra_sgetrf_nopiv_vbatched_workspace() in double precision.
    tephra_dgetrf_nopiv_vbatched_workspace;

    C32: C:
    /// tephra_sgetrf_vbatched() in single precision complex.
    tephra_cgetrf_vbatched,
    /// tephra_sgetrf_vbatched_workspace() in single precision complex.
    tephra_cgetrf_vbatched_workspace,
    /// tephra_sgetrf_nopiv_vbatched() in single precision complex.
    tephra_cgetrf_nopiv_vbatched,
    /// tephra_sgetrf_nopiv_vbatched_workspace() in single precision complex.
    tephra_cgetrf_nopiv_vbatched_workspace;

    C64: Z:
    /// tephra_sgetrf_vbatched() in double precision complex.
    tephra_zgetrf_vbatched,
    /// tephra_sgetrf_vbatched_workspace() in double precision complex.
    tephra_zgetrf_vbatched_workspace,
    /// tephra_sgetrf_nopiv_vbatched() in double precision complex.
    tephra_zgetrf_nopiv_vbatched,
    /// tephra_sgetrf_nopiv_vbatched_workspace() in double precision complex.
    tephra_zgetrf_nopiv_vbatched_workspace;
}

macro_rules! qr {
    ($($ty:ty: $dtype:ident: $(#[$qr:meta])* $geqrf:ident, $(#[$qrw:meta])* $geqrf_workspace:ident;)*) => { entry! {$(
        $(#[$qr])*
        fn $geqrf(
            max_m: i64, max_n: i64, m: *const c_int, n: *const c_int, a_array: *const *mut $ty, lda: *const c_int,
            tau_array: *const *mut $ty, info: *mut c_int, batch_count: i64,
            work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let _ = (work, work_bytes); // QR needs no workspace
            let (sizes, tau) = (Sizes { m, n, lda }, pointers(tau_array));
            let op = geqrf(Dtype::$dtype, (max_m, max_n), sizes, pointers(a_array), tau, info, batch_count);
            Ok(Status(run(PROTOTYPE, Ok(op), Stream(stream))))
        }

        $(#[$qrw])*
        fn $geqrf_workspace(max_m: i64, max_n: i64, batch_count: i64, bytes: *mut usize) -> Status {
            let (max, null_operand) = ((max_m, max_n), Operand::NULL);
            let op = geqrf(Dtype::$dtype, max, Sizes::NULL, null_operand, null_operand, null_mut(), batch_count);
            Ok(Status(workspace(PROTOTYPE, Ok(op), bytes)))
        }
    )*}};
}

qr! {
    f32: S:
    /// tephra_sgeqrf_batched() for matrices with individual sizes: A(i) is m[i] x n[i], with leading dimension lda[i].
    ///
    /// The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
    /// the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory from
    /// the stream-ordered pool for few large members and for large batches) and can be captured in a CUDA graph; each
    /// replay may see different sizes. m[i] = 0 and n[i] = 0 are allowed. If the sizes of a matrix are invalid, nothing
    /// of it is read or written except its info, which is -1 if not 0 <= m[i] <= max_m, else -2 if not 0 <= n[i] <=
    /// max_n, else -4 if not lda[i] >= m[i]. Computation is always in FP32, whatever tephra_set_thread_math() allows.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | max_m | no matrix has more rows, max_m >= 0 |
    /// | 2 | max_n | no matrix has more columns, max_n >= 0 |
    /// | 3 | m | batch_count ints in device memory: rows; not NULL when there is work |
    /// | 4 | n | batch_count ints in device memory: columns, likewise |
    /// | 5 | a_array | batch_count pointers to matrices of lda[i]*n[i] elements, likewise |
    /// | 6 | lda | batch_count ints in device memory: leading dimensions, in elements, likewise |
    /// | 7 | tau_array | batch_count pointers to vectors of min(m[i],n[i]) elements, likewise |
    /// | 8 | info | one int per matrix in device memory, or NULL: 0, or as above |
    /// | 9 | batch_count | number of matrices, >= 0 |
    /// | 10 | work | not used; may be NULL |
    /// | 11 | work_bytes | not used |
    /// | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
    /// or batch_count is 0; all of info is then set to 0.
    tephra_sgeqrf_vbatched,
    /// Workspace of tephra_sgeqrf_vbatched() in bytes: 0. Arguments are numbered max_m 1, max_n 2, batch_count 3.
    tephra_sgeqrf_vbatched_workspace;

    f64: D:
    /// tephra_sgeqrf_vbatched() in double precision.
    tephra_dgeqrf_vbatched,
    /// tephra_sgeqrf_vbatched_workspace() in double precision.
    tephra_dgeqrf_vbatched_workspace;

    C32: C:
    /// tephra_sgeqrf_vbatched() in single precision complex.
    tephra_cgeqrf_vbatched,
    /// tephra_sgeqrf_vbatched_workspace() in single precision complex.
    tephra_cgeqrf_vbatched_workspace;

    C64: Z:
    /// tephra_sgeqrf_vbatched() in double precision complex.
    tephra_zgeqrf_vbatched,
    /// tephra_sgeqrf_vbatched_workspace() in double precision complex.
    tephra_zgeqrf_vbatched_workspace;
}

macro_rules! q {
    ($($ty:ty: $dtype:ident: $(#[$written:meta])* $orgqr:ident, $(#[$applied:meta])* $ormqr:ident;)*) => { entry! {$(
        $(#[$written])*
        fn $orgqr(
            max_m: i64, max_n: i64, max_k: i64, m: *const c_int, n: *const c_int, k: *const c_int,
            a_array: *const *mut $ty, lda: *const c_int, tau_array: *const *mut $ty, info: *mut c_int, batch_count: i64,
            stream: *mut c_void,
        ) -> Status {
            let sizes = QSizes { m, n, k, lda, ldc: null(), info };
            let operands = [pointers(a_array), pointers(tau_array)];
            let op = orgqr(Dtype::$dtype, [max_m, max_n, max_k], sizes, operands, batch_count);
            Ok(Status(run(PROTOTYPE, Ok(op), Stream(stream))))
        }

        $(#[$applied])*
        fn $ormqr(
            side: c_int, trans: c_int, max_m: i64, max_n: i64, max_k: i64, m: *const c_int, n: *const c_int,
            k: *const c_int, a_array: *const *mut $ty, lda: *const c_int, tau_array: *const *mut $ty,
            c_array: *const *mut $ty, ldc: *const c_int, info: *mut c_int, batch_count: i64, stream: *mut c_void,
        ) -> Status {
            let sizes = QSizes { m, n, k, lda, ldc, info };
            let operands = [pointers(a_array), pointers(tau_array), pointers(c_array)];
            let op = ormqr(Dtype::$dtype, [side, trans], [max_m, max_n, max_k], sizes, operands, batch_count);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }
    )*}};
}

q! {
    f32: S:
    /// tephra_sorgqr_batched() for matrices with individual sizes: the first n[i] columns of Q(i), which has m[i] rows,
    /// overwriting its k[i] reflectors.
    ///
    /// The sizes are in device memory and are never read by the host, as for tephra_sgeqrf_vbatched(). If those of a
    /// matrix are invalid, nothing of it is read or written except its info, which is -1 if not 0 <= m[i] <= max_m,
    /// else -2 if not 0 <= n[i] <= min(max_n,m[i]), else -3 if not 0 <= k[i] <= min(max_k,n[i]), else -5 if not
    /// lda[i] >= m[i].
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | max_m | no matrix has more rows, max_m >= 0 |
    /// | 2 | max_n | no matrix has more columns, max_n >= 0 |
    /// | 3 | max_k | none has more reflectors, max_k >= 0 |
    /// | 4 | m | batch_count ints in device memory: rows; not NULL when there is work |
    /// | 5 | n | batch_count ints in device memory: columns, likewise |
    /// | 6 | k | batch_count ints in device memory: reflectors, likewise |
    /// | 7 | a_array | batch_count pointers to matrices of lda[i]*n[i] elements, likewise |
    /// | 8 | lda | batch_count ints in device memory: leading dimensions, in elements, likewise |
    /// | 9 | tau_array | batch_count pointers to vectors of k[i] elements; not NULL when there is work and max_k > 0 |
    /// | 10 | info | one int per matrix in device memory, or NULL: 0, or as above |
    /// | 11 | batch_count | number of matrices, >= 0 |
    /// | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
    /// or batch_count is 0; all of info is then set to 0.
    tephra_sorgqr_vbatched,
    /// tephra_sormqr_batched() for matrices with individual sizes: C(i) := op(Q(i)) C(i) or C(i) op(Q(i)), where C(i)
    /// is m[i] x n[i] and Q(i) has k[i] reflectors.
    ///
    /// The sizes are in device memory and are never read by the host, as for tephra_sgeqrf_vbatched(). If those of a
    /// member are invalid, nothing of it is read or written except its info, which is -3 if not 0 <= m[i] <= max_m,
    /// else -4 if not 0 <= n[i] <= max_n, else -5 if not 0 <= k[i] <= min(max_k,q), where the order q of Q is m[i]
    /// (left) or n[i] (right); else -7 if not lda[i] >= q, else -10 if not ldc[i] >= m[i].
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT, for all members |
    /// | 2 | trans | TEPHRA_TRANS_N, _T or _C, for all members |
    /// | 3 | max_m | no C has more rows, max_m >= 0 |
    /// | 4 | max_n | no C has more columns, max_n >= 0 |
    /// | 5 | max_k | no Q has more reflectors, max_k >= 0 |
    /// | 6 | m | batch_count ints in device memory: rows of C; not NULL when there is work |
    /// | 7 | n | batch_count ints in device memory: columns of C, likewise |
    /// | 8 | k | batch_count ints in device memory: reflectors, likewise |
    /// | 9 | a_array | batch_count pointers to the reflectors, lda[i]*k[i] elements, likewise |
    /// | 10 | lda | batch_count ints in device memory: leading dimensions, in elements, likewise |
    /// | 11 | tau_array | batch_count pointers to vectors of k[i] elements, likewise |
    /// | 12 | c_array | batch_count pointers to matrices of ldc[i]*n[i] elements, likewise |
    /// | 13 | ldc | batch_count ints in device memory: leading dimensions, in elements, likewise |
    /// | 14 | info | one int per member in device memory, or NULL: 0, or as above |
    /// | 15 | batch_count | number of members, >= 0 |
    /// | 16 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n,
    /// max_k or batch_count is 0; all of info is then set to 0.
    tephra_sormqr_vbatched;

    f64: D:
    /// tephra_sorgqr_vbatched() in double precision.
    tephra_dorgqr_vbatched,
    /// tephra_sormqr_vbatched() in double precision.
    tephra_dormqr_vbatched;

    C32: C:
    /// tephra_sorgqr_vbatched() in single precision complex.
    tephra_cungqr_vbatched,
    /// tephra_sormqr_vbatched() in single precision complex. The plain transpose works, too.
    tephra_cunmqr_vbatched;

    C64: Z:
    /// tephra_sorgqr_vbatched() in double precision complex.
    tephra_zungqr_vbatched,
    /// tephra_sormqr_vbatched() in double precision complex. The plain transpose works, too.
    tephra_zunmqr_vbatched;
}
