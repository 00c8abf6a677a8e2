//! One large matrix in host memory, in tiles, by all cores, by devices, or by both.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use tephra_core::{Dtype, entry};
use tephra_many::streamed::calls::Options;
use tephra_many::tiled::calls::{self, Argument, Place};
use tephra_many::tiled::gels;

/// Told by the thread that called, after each of its tasks and when all is done, how many tasks are done of how many; other
/// than 0 cancels the call.
pub type Progress = Option<unsafe extern "C" fn(done: i64, total: i64, user: *mut c_void) -> i32>;

/// A matrix, or T and its size.
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
            let (options, operands) = (Options::of_host(PROTOTYPE, (call, user)), [at(a, lda), at(t, tsize)]);
            Ok(Status(calls::geqrf(&options, Place::Host, Dtype::$dtype, [m, n, nb], operands, look_ahead)))
        }

        $(#[$s])*
        fn $tsize(m: i64, n: i64, nb: i64, tsize: *mut i64) -> Status {
            Ok(Status(calls::geqrf_tsize(PROTOTYPE, [m, n, nb], tsize)))
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
            let options = Options::of_host(PROTOTYPE, (None, std::ptr::null_mut()));
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
    /// QR factorisation of one large matrix in host memory by all cores: A = Q R, in tiles of nb rows and columns.
    ///
    /// All operands are host memory, whichever backend is in use, and the call returns when it is done. It takes working
    /// memory of its own: about 100 nb elements for each of the TEPHRA_NUM_THREADS threads, and 100 bytes for each of about
    /// m n min(m,n) / (2 nb^3) tasks. The tasks, kernels on tiles (Buttari, Langou, Kurzak and Dongarra, Parallel Computing 35
    /// (2009)), are done as soon as what they need is there. Results do not depend on threads, look_ahead or chance, but on nb.
    ///
    /// R is on and above the diagonal of A, as SGEQRF leaves it, but for the signs of its rows; what is below belongs with T
    /// and is for tephra_sormqr_tiled() and tephra_sorgqr_tiled() only. A NaN or infinity in A shows in R.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | m | rows, m >= 0 |
    /// | 2 | n | columns, n >= 0 |
    /// | 3 | a | the matrix, lda*n elements, overwritten; not NULL unless m or n is 0 |
    /// | 4 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 5 | nb | rows and columns of a tile; 0: chosen. Very many tiles are made larger ones |
    /// | 6 | t | receives factors of the reflectors; not NULL unless m or n is 0 |
    /// | 7 | tsize | its size in elements, at least what tephra_sgeqrf_tiled_tsize() answers; less is an error |
    /// | 8 | look_ahead | how many steps (columns of tiles) a task may be ahead of the first that is not finished; 0: any number |
    /// | 9 | call | told of the progress, from this thread; NULL: nobody is told |
    /// | 10 | user | handed to it |
    ///
    /// A call that is cancelled returns TEPHRA_STATUS_FUNCTION_ERROR. A and T are unspecified then, and where memory is
    /// missing.
    tephra_sgeqrf_tiled,
    /// Elements of T of tephra_sgeqrf_tiled(), to *tsize: about ib min(m,n) times the rows of tiles, half of that where A is
    /// square. Arguments are checked as there.
    tephra_sgeqrf_tiled_tsize,
    /// C := op(Q) C with Q as tephra_sgeqrf_tiled() left it in A and T, by all cores. All operands are host memory.
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
    /// With m, n or k 0 there is nothing to do.
    tephra_sormqr_tiled,
    /// The first n columns of Q as tephra_sgeqrf_tiled() left it in A and T, by all cores. All operands are host memory.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | m | rows of Q and of the matrix that was factored, m >= 0 |
    /// | 2 | n | columns of Q, 0 <= n <= m |
    /// | 3 | k | reflectors, 0 <= k <= n, no more than that matrix had columns |
    /// | 4 | a | what tephra_sgeqrf_tiled() left; it is kept |
    /// | 5 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 6 | t | T of tephra_sgeqrf_tiled() |
    /// | 7 | tsize | its size in elements |
    /// | 8 | q | receives Q, ldq*n elements, not A |
    /// | 9 | ldq | leading dimension of Q, ldq >= max(1,m) |
    tephra_sorgqr_tiled,
    /// Least-squares or minimum-norm solutions of op(A) X = B (LAPACK SGELS) with one large matrix in host memory, by all
    /// cores. A must have full rank.
    ///
    /// TEPHRA_TRANS_N, m >= n: X minimises the 2-norm of each column of B - A X; it is in rows 0..n-1 of B, and the sum of
    /// squares of rows n..m-1 of a column is that of its residual. m < n: the X of least 2-norm, in rows 0..n-1.
    /// TEPHRA_TRANS_T (real types) or _C: the same for A^H X = B, where B has n rows on entry and X m. A is overwritten. All
    /// operands are host memory; the call takes memory for T (tephra_sgeqrf_tiled_tsize()), and of a wide A for a copy. A NaN
    /// or infinity shows in X.
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
    /// Without unknowns nothing is done; without equations X is zero; without right-hand sides info is told.
    tephra_sgels_tiled,
    /// QR factorisation of one large matrix in host memory by devices, or by devices and all cores together: A = Q R
    /// (Kurzak, Nath, Du and Dongarra, An implementation of the tile QR factorization for a GPU and multiple CPUs).
    ///
    /// A, T and what `devices` points to are host memory, whichever backend is in use. Devices have the first columns, and
    /// factor them as tephra_sgeqrf_host() does: blocks of columns of which two are on a device at a time, so that A may be larger
    /// than its memory. The cores have the last ones, each a stripe of them at a time, and apply to them what the devices
    /// have finished, which comes back in pieces; a device factors what is left of them. Other than tephra_sgeqrf_tiled() it stacks
    /// the tiles of a column: R, signs included, and the reflectors below it are SGEQRF's but for rounding, and the
    /// min(m,n) elements of T from element 3 on are its tau, so that tephra_sormqr_host() and LAPACK's routines can go on with them, as can
    /// tephra_sormqr_tiled() and tephra_sorgqr_tiled(). On the CPU backend, and where all columns are the host's, the call is
    /// tephra_sgeqrf_tiled(). A NaN or infinity in A shows in R.
    ///
    /// The same host_columns, budget, number of devices and TEPHRA_NUM_THREADS give the same bits. With host_columns -1 that holds within a
    /// process: rates of its first device and of the threads are measured at the first call for the type (some
    /// tens of milliseconds, at most 340 MB of the device's memory; where the budget is less cores get nothing), and all later calls
    /// go by them. tephra_sgeqrf_tiled_host_columns() tells the number, with which another process gives the same bits.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | m | rows, m >= 0 |
    /// | 2 | n | columns, n >= 0 |
    /// | 3 | a | the matrix, lda*n elements, overwritten; not NULL unless m or n is 0, and not in device memory |
    /// | 4 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 5 | nb | reflectors that a core applies at a time, and the tile without a device; 0: chosen |
    /// | 6 | t | receives factors of the reflectors; not NULL unless m or n is 0 |
    /// | 7 | tsize | its size in elements, at least what tephra_sgeqrf_tiled_tsize() answers for m, n and nb |
    /// | 8 | look_ahead | how many steps (nb columns) a core may be ahead of the first that is not finished; 0: any number |
    /// | 9 | host_columns | how many of the last columns are the cores', rounded up so that the others are whole inner blocks; 0: devices alone; n or more: cores alone; -1: so many that both need about as long, by measured rates, and none where that would be less than 5 % of the work |
    /// | 10 | budget | bytes of each device's memory that the call may take, as for tephra_sgeqrf_host(); 0: what is free, but for a margin |
    /// | 11 | device_count | how many devices take part; 0: the current one |
    /// | 12 | devices | which; not looked at for 0 |
    /// | 13 | call | told of the progress, from this thread: how many steps have been given to the devices, and at the end that all is done; NULL: nobody is told |
    /// | 14 | user | handed to it |
    ///
    /// The call waits, takes memory and fails as tephra_sgeqrf_host(): TEPHRA_STATUS_OUT_OF_MEMORY where a device or the host has too
    /// little (less budget than is needed: before anything was written), TEPHRA_STATUS_FUNCTION_ERROR where it is cancelled. A and T
    /// are unspecified after a failure on the way.
    tephra_sgeqrf_tiled_devices,
    /// tephra_sgels_tiled() whose factorisation is done as by tephra_sgeqrf_tiled_devices(): by devices, or by devices and cores. B
    /// is the host's.
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
    /// | 14 | devices | which; not looked at for 0 |
    /// | 15 | call | told of the progress of the factorisation; NULL: nobody is told |
    /// | 16 | user | handed to it |
    tephra_sgels_tiled_devices,
    /// How many columns the host's cores get from tephra_sgeqrf_tiled_devices() with host_columns -1, to *columns; on the CPU backend
    /// all. m, n, nb, budget, device_count and devices are those of that call, and are checked as there. The first call for a
    /// type measures.
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
