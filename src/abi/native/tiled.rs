//! QR of one large matrix in host memory, by tiles, on all CPU cores, on devices, or on both.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use tephra_core::{Dtype, entry};
use tephra_many::streamed::calls::Options;
use tephra_many::tiled::calls::{self, Argument, Place};
use tephra_many::tiled::gels;

/// Progress callback: receives the number of finished tasks and their total. The calling thread calls it after each of
/// its tasks and at the end. A nonzero return value cancels the call. No exception may leave it.
pub type Progress = Option<unsafe extern "C" fn(done: i64, total: i64, user: *mut c_void) -> i32>;

/// A matrix and its leading dimension, or T and its size.
fn at<T>(p: *const T, ld: i64) -> Argument {
    (p.cast_mut().cast(), ld)
}

macro_rules! tiled {
    ($($ty:ty: $dtype:ident:
        $(#[$f:meta])* $geqrf:ident, $(#[$s:meta])* $tsize:ident, $(#[$a:meta])* $ormqr:ident, $(#[$g:meta])* $orgqr:ident,
        $(#[$l:meta])* $gels:ident, $(#[$fd:meta])* $geqrf_devices:ident, $(#[$ld:meta])* $gels_devices:ident,
        $(#[$h:meta])* $host_columns:ident;)*
    ) => { entry! {$(
        $(#[$f])*
        fn $geqrf(
            m: i64, n: i64, a: *mut $ty, lda: i64, nb: i64, t: *mut $ty, tsize: i64, look_ahead: i64, call: Progress,
            user: *mut c_void,
        ) -> Status {
            let (options, operands) = (Options::without_devices(PROTOTYPE, (call, user)), [at(a, lda), at(t, tsize)]);
            Ok(Status(calls::geqrf(&options, Place::Host, Dtype::$dtype, [m, n, nb], operands, look_ahead)))
        }

        $(#[$s])*
        fn $tsize(m: i64, n: i64, nb: i64, tsize: *mut i64) -> Status {
            Ok(Status(calls::geqrf_tsize(PROTOTYPE, Dtype::$dtype, [m, n, nb], tsize)))
        }

        $(#[$a])*
        fn $ormqr(
            trans: c_int, m: i64, n: i64, k: i64, a: *const $ty, lda: i64, t: *const $ty, tsize: i64, c: *mut $ty, ldc: i64,
        ) -> Status {
            let operands = [at(a, lda), at(t, tsize), at(c, ldc)];
            Ok(Status(calls::ormqr(PROTOTYPE, Dtype::$dtype, trans, [m, n, k], operands)))
        }

        $(#[$g])*
        fn $orgqr(
            m: i64, n: i64, k: i64, a: *const $ty, lda: i64, t: *const $ty, tsize: i64, q: *mut $ty, ldq: i64,
        ) -> Status {
            let operands = [at(a, lda), at(t, tsize), at(q, ldq)];
            Ok(Status(calls::orgqr(PROTOTYPE, Dtype::$dtype, [m, n, k], operands)))
        }

        $(#[$l])*
        fn $gels(
            trans: c_int, m: i64, n: i64, nrhs: i64, a: *mut $ty, lda: i64, b: *mut $ty, ldb: i64, nb: i64, info: *mut c_int,
        ) -> Status {
            let options = Options::without_devices(PROTOTYPE, (None, std::ptr::null_mut()));
            let (sizes, operands) = ([m, n, nrhs, nb], [at(a, lda), at(b, ldb)]);
            Ok(Status(gels::gels(&options, Place::Host, Dtype::$dtype, trans, sizes, operands, info)))
        }

        $(#[$fd])*
        fn $geqrf_devices(
            m: i64, n: i64, a: *mut $ty, lda: i64, nb: i64, t: *mut $ty, tsize: i64, look_ahead: i64, host_columns: i64,
            budget: i64, device_count: c_int, devices: *const c_int, call: Progress, user: *mut c_void,
        ) -> Status {
            let options = Options { own: PROTOTYPE, budget, count: device_count, devices, call: (call, user) };
            let (place, operands) = (Place::Devices(host_columns), [at(a, lda), at(t, tsize)]);
            Ok(Status(calls::geqrf(&options, place, Dtype::$dtype, [m, n, nb], operands, look_ahead)))
        }

        $(#[$h])*
        fn $host_columns(
            m: i64, n: i64, nb: i64, budget: i64, device_count: c_int, devices: *const c_int, columns: *mut i64,
        ) -> Status {
            let call = (None, std::ptr::null_mut());
            let options = Options { own: PROTOTYPE, budget, count: device_count, devices, call };
            Ok(Status(calls::host_columns(&options, Dtype::$dtype, [m, n, nb], columns)))
        }

        $(#[$ld])*
        fn $gels_devices(
            trans: c_int, m: i64, n: i64, nrhs: i64, a: *mut $ty, lda: i64, b: *mut $ty, ldb: i64, nb: i64, info: *mut c_int,
            host_columns: i64, budget: i64, device_count: c_int, devices: *const c_int, call: Progress, user: *mut c_void,
        ) -> Status {
            let options = Options { own: PROTOTYPE, budget, count: device_count, devices, call: (call, user) };
            let (sizes, operands) = ([m, n, nrhs, nb], [at(a, lda), at(b, ldb)]);
            Ok(Status(gels::gels(&options, Place::Devices(host_columns), Dtype::$dtype, trans, sizes, operands, info)))
        }
    )*}};
}

tiled! {
    f32: S:
    /// QR factorisation of one large matrix in host memory on all CPU cores: A = Q R, in tiles of nb rows and columns.
    ///
    /// All operands are in host memory, whichever backend is in use, and the call returns when it has finished. It
    /// allocates working memory: about 1 MB for each of the TEPHRA_NUM_THREADS threads (or 100 nb elements if that is
    /// more), and 100 to 200 bytes for each of about m n min(m,n) / (2 nb^3) tasks. The tasks are kernels on tiles
    /// (Buttari, Langou, Kurzak and Dongarra, Parallel Computing 35 (2009)) and run as soon as their inputs are ready.
    /// Results depend on nb, but not on the number of threads, on look_ahead or on timing.
    ///
    /// R is on and above the diagonal of A, as SGEQRF leaves it except for the signs of its rows. The elements below
    /// the diagonal and T represent Q, for tephra_sormqr_tiled() and tephra_sorgqr_tiled() only. A NaN or infinity in A
    /// appears in R.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | m | rows, m >= 0 |
    /// | 2 | n | columns, n >= 0 |
    /// | 3 | a | the matrix, lda*n elements, overwritten; not NULL unless m or n is 0 |
    /// | 4 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 5 | nb | rows and columns of a tile; 0: chosen by the library. It is raised if there would be too many tiles |
    /// | 6 | t | receives factors of the reflectors; not NULL unless m or n is 0 |
    /// | 7 | tsize | its size in elements, at least what tephra_sgeqrf_tiled_tsize() reports; a smaller one is an error |
    /// | 8 | look_ahead | how many steps (columns of tiles) a task may be ahead of the first unfinished one; 0: any number |
    /// | 9 | call | progress callback, called from this thread; or NULL |
    /// | 10 | user | passed to it |
    ///
    /// A call that the callback cancels returns TEPHRA_STATUS_FUNCTION_ERROR. A and T are then unspecified, as after a
    /// failed allocation.
    tephra_sgeqrf_tiled,
    /// Writes the number of elements of T of tephra_sgeqrf_tiled() to *tsize: about ib min(m,n) times the number of
    /// tile rows, ib being the inner block size (32, or nb if that is less), and half of that if A is square. Here
    /// min(m,n) is rounded up to a multiple of nb, so the T of a single column has ib m elements. The arguments are
    /// checked as in that call.
    tephra_sgeqrf_tiled_tsize,
    /// C := op(Q) C with Q as tephra_sgeqrf_tiled() left it in A and T, on all CPU cores. All operands are in host
    /// memory.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | trans | TEPHRA_TRANS_N, TEPHRA_TRANS_T or TEPHRA_TRANS_C; for complex types there is no T |
    /// | 2 | m | rows of C and of the matrix that was factored, m >= 0 |
    /// | 3 | n | columns of C, n >= 0 |
    /// | 4 | k | reflectors, 0 <= k <= m, no more than that matrix had columns |
    /// | 5 | a | what tephra_sgeqrf_tiled() left |
    /// | 6 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 7 | t | T of tephra_sgeqrf_tiled() |
    /// | 8 | tsize | its size in elements |
    /// | 9 | c | ldc*n elements, overwritten |
    /// | 10 | ldc | leading dimension of C, ldc >= max(1,m) |
    ///
    /// The call does nothing when m, n or k is 0.
    tephra_sormqr_tiled,
    /// Computes the first n columns of Q as tephra_sgeqrf_tiled() left it in A and T, on all CPU cores. All operands
    /// are in host memory.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | m | rows of Q and of the matrix that was factored, m >= 0 |
    /// | 2 | n | columns of Q, 0 <= n <= m |
    /// | 3 | k | reflectors, 0 <= k <= n, no more than that matrix had columns |
    /// | 4 | a | what tephra_sgeqrf_tiled() left; not modified |
    /// | 5 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 6 | t | T of tephra_sgeqrf_tiled() |
    /// | 7 | tsize | its size in elements |
    /// | 8 | q | receives Q, ldq*n elements; must not be A |
    /// | 9 | ldq | leading dimension of Q, ldq >= max(1,m) |
    tephra_sorgqr_tiled,
    /// Least-squares or minimum-norm solutions of op(A) X = B (LAPACK SGELS) with one large matrix in host memory, on
    /// all CPU cores. A must have full rank.
    ///
    /// With TEPHRA_TRANS_N and m >= n, X minimises the 2-norm of each column of B - A X. It is returned in rows 0..n-1
    /// of B; the sum of squares of rows n..m-1 of a column is that of its residual. With m < n, X is the solution of
    /// least 2-norm, in rows 0..n-1. With TEPHRA_TRANS_T (real types) or _C the same holds for A^H X = B, where B has n
    /// rows on entry and X has m. A is overwritten. All operands are in host memory; the call allocates T
    /// (tephra_sgeqrf_tiled_tsize()), and a copy of A if m < n. A NaN appears in X; so does an
    /// infinity, unless X is only divided by it.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | trans | TEPHRA_TRANS_N, TEPHRA_TRANS_T or TEPHRA_TRANS_C; T is for real types only |
    /// | 2 | m | rows of A, m >= 0 |
    /// | 3 | n | columns of A, n >= 0 |
    /// | 4 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
    /// | 5 | a | lda*n elements, overwritten |
    /// | 6 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 7 | b | ldb*nrhs elements, overwritten with X |
    /// | 8 | ldb | leading dimension of B, ldb >= max(1,m,n) |
    /// | 9 | nb | rows and columns of a tile, as for tephra_sgeqrf_tiled() |
    /// | 10 | info | one int, or NULL: 0, or j when element j (from 1) of R's diagonal is exactly 0, so that A does not have full rank and X is invalid |
    ///
    /// Without unknowns the call only sets info, to 0; without equations it also sets X to zero; without right-hand
    /// sides it sets info as otherwise.
    tephra_sgels_tiled,
    /// QR factorisation of one large matrix in host memory on devices, or on devices and all CPU cores together: A = Q
    /// R (Kurzak, Nath, Du and Dongarra, An implementation of the tile QR factorization for a GPU and multiple CPUs).
    ///
    /// A, T and the array `devices` are in host memory, whichever backend is in use. The devices own the first columns
    /// and factor them as tephra_sgeqrf_host() does: in blocks of columns, two of which are on a device at a time, so A
    /// may be larger than its memory. The CPU cores own the last columns, each working on one stripe of them at a time,
    /// and apply the devices' finished reflectors to them as these are copied back; a device then factors the rest of
    /// these columns. Unlike tephra_sgeqrf_tiled(), the call factors the tiles of a column together: R, signs included,
    /// and the reflectors below it are those of SGEQRF up to rounding, and the min(m,n) elements of T from element 3 on
    /// are tau. So tephra_sormqr_host(), LAPACK routines, tephra_sormqr_tiled() and tephra_sorgqr_tiled() can all use
    /// the result. On the CPU backend, and if the CPU cores own all columns, the call is the same as
    /// tephra_sgeqrf_tiled(). A NaN or infinity in A appears in R.
    ///
    /// host_columns is rounded up so that the devices' columns are whole inner blocks; -1 balances the work by measured
    /// speeds, and gives the CPU cores no columns if they would do less than 5 % of the work. The same host_columns,
    /// budget, number of devices and TEPHRA_NUM_THREADS give the same bits. With host_columns -1 this holds within one
    /// process: the first call for a type measures the speeds of the first device and of the threads (in some tens of
    /// milliseconds, with at most 340 MB of device memory; with a smaller budget the CPU cores get no columns), and all
    /// later calls use the result. tephra_sgeqrf_tiled_host_columns() reports the number of columns, with which another
    /// process gives the same bits.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | m | rows, m >= 0 |
    /// | 2 | n | columns, n >= 0 |
    /// | 3 | a | the matrix, lda*n elements, overwritten; not NULL unless m or n is 0, and not in device memory |
    /// | 4 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 5 | nb | reflectors that a core applies at a time, and the tile size without a device; 0: chosen by the library |
    /// | 6 | t | receives factors of the reflectors; not NULL unless m or n is 0 |
    /// | 7 | tsize | its size in elements, at least what tephra_sgeqrf_tiled_tsize() reports for m, n and nb |
    /// | 8 | look_ahead | how many steps (nb columns) a core may be ahead of the first unfinished one; 0: any number |
    /// | 9 | host_columns | number of last columns that the CPU cores own; 0: devices only; n or more: cores only; -1: see above |
    /// | 10 | budget | bytes of each device's memory that the call may use, as for tephra_sgeqrf_host(); 0: what is free, less a margin |
    /// | 11 | device_count | how many devices take part; 0: the current one |
    /// | 12 | devices | which ones; ignored if device_count is 0 |
    /// | 13 | call | progress callback, called from this thread with the steps enqueued on the devices, and at the end; or NULL |
    /// | 14 | user | passed to it |
    ///
    /// The call waits, uses memory and fails as tephra_sgeqrf_host() does: it returns TEPHRA_STATUS_OUT_OF_MEMORY if a
    /// device or the host has too little memory (before anything is written, if the budget is too small), and
    /// TEPHRA_STATUS_FUNCTION_ERROR if the callback cancels it. A and T are unspecified after a failure midway.
    tephra_sgeqrf_tiled_devices,
    /// tephra_sgels_tiled() with the factorisation of tephra_sgeqrf_tiled_devices(): on devices, or on devices and CPU
    /// cores. B is processed on the host.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | trans | TEPHRA_TRANS_N, TEPHRA_TRANS_T or TEPHRA_TRANS_C; T is for real types only |
    /// | 2 | m | rows of A, m >= 0 |
    /// | 3 | n | columns of A, n >= 0 |
    /// | 4 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
    /// | 5 | a | lda*n elements, overwritten; not in device memory |
    /// | 6 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 7 | b | ldb*nrhs elements, overwritten with X |
    /// | 8 | ldb | leading dimension of B, ldb >= max(1,m,n) |
    /// | 9 | nb | as for tephra_sgeqrf_tiled_devices() |
    /// | 10 | info | as for tephra_sgels_tiled() |
    /// | 11 | host_columns | as for tephra_sgeqrf_tiled_devices(), of A, or of A^H where A is wide |
    /// | 12 | budget | bytes of each device's memory; 0: what is free |
    /// | 13 | device_count | how many devices take part; 0: the current one |
    /// | 14 | devices | which ones; ignored if device_count is 0 |
    /// | 15 | call | progress callback of the factorisation, or NULL |
    /// | 16 | user | passed to it |
    tephra_sgels_tiled_devices,
    /// Writes the number of columns that the CPU cores get from tephra_sgeqrf_tiled_devices() with host_columns -1 to
    /// *columns; on the CPU backend, all. m, n, nb, budget, device_count and devices are as in that call, and are
    /// checked in the same way. The first call for a type measures.
    tephra_sgeqrf_tiled_host_columns;
    f64: D:
    /// tephra_sgeqrf_tiled() in double precision.
    tephra_dgeqrf_tiled,
    /// tephra_sgeqrf_tiled_tsize() in double precision.
    tephra_dgeqrf_tiled_tsize,
    /// tephra_sormqr_tiled() in double precision.
    tephra_dormqr_tiled,
    /// tephra_sorgqr_tiled() in double precision.
    tephra_dorgqr_tiled,
    /// tephra_sgels_tiled() in double precision.
    tephra_dgels_tiled,
    /// tephra_sgeqrf_tiled_devices() in double precision.
    tephra_dgeqrf_tiled_devices,
    /// tephra_sgels_tiled_devices() in double precision.
    tephra_dgels_tiled_devices,
    /// tephra_sgeqrf_tiled_host_columns() in double precision.
    tephra_dgeqrf_tiled_host_columns;
    C32: C:
    /// tephra_sgeqrf_tiled() in single precision complex.
    tephra_cgeqrf_tiled,
    /// tephra_sgeqrf_tiled_tsize() in single precision complex.
    tephra_cgeqrf_tiled_tsize,
    /// tephra_sormqr_tiled() in single precision complex, with Q^H instead of Q^T.
    tephra_cunmqr_tiled,
    /// tephra_sorgqr_tiled() in single precision complex.
    tephra_cungqr_tiled,
    /// tephra_sgels_tiled() in single precision complex.
    tephra_cgels_tiled,
    /// tephra_sgeqrf_tiled_devices() in single precision complex.
    tephra_cgeqrf_tiled_devices,
    /// tephra_sgels_tiled_devices() in single precision complex.
    tephra_cgels_tiled_devices,
    /// tephra_sgeqrf_tiled_host_columns() in single precision complex.
    tephra_cgeqrf_tiled_host_columns;
    C64: Z:
    /// tephra_sgeqrf_tiled() in double precision complex.
    tephra_zgeqrf_tiled,
    /// tephra_sgeqrf_tiled_tsize() in double precision complex.
    tephra_zgeqrf_tiled_tsize,
    /// tephra_sormqr_tiled() in double precision complex, with Q^H instead of Q^T.
    tephra_zunmqr_tiled,
    /// tephra_sorgqr_tiled() in double precision complex.
    tephra_zungqr_tiled,
    /// tephra_sgels_tiled() in double precision complex.
    tephra_zgels_tiled,
    /// tephra_sgeqrf_tiled_devices() in double precision complex.
    tephra_zgeqrf_tiled_devices,
    /// tephra_sgels_tiled_devices() in double precision complex.
    tephra_zgels_tiled_devices,
    /// tephra_sgeqrf_tiled_host_columns() in double precision complex.
    tephra_zgeqrf_tiled_host_columns;
}
