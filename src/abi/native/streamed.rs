//! QR, LU and Cholesky of one matrix in host memory that is larger than the memory of a device.

use super::tiled::Progress;
use super::{C32, C64, Status, done};
use std::ffi::{c_char, c_int, c_void};
use tephra_core::face::guard::read_path;
use tephra_core::{Dtype, entry};
use tephra_many::failure::{Failure, finish};
use tephra_many::streamed::calls::{self, Argument, Options};
use tephra_many::trace;

fn at<T>(p: *const T, ld: i64) -> Argument {
    (p.cast_mut().cast(), ld)
}

macro_rules! streamed {
    (
        $($ty:ty: $dtype:ident: $(#[$f:meta])* $geqrf:ident, $(#[$a:meta])* $ormqr:ident, $(#[$l:meta])* $getrf:ident,
        $(#[$c:meta])* $potrf:ident;)*
    ) => { entry! {$(
        $(#[$f])*
        fn $geqrf(
            m: i64, n: i64, a: *mut $ty, lda: i64, tau: *mut $ty, budget: i64, device_count: c_int, devices: *const c_int,
            call: Progress, user: *mut c_void,
        ) -> Status {
            let options = Options { own: PROTOTYPE, budget, count: device_count, devices, call: (call, user) };
            Ok(Status(calls::geqrf(&options, Dtype::$dtype, [m, n], at(a, lda), tau.cast())))
        }

        $(#[$a])*
        fn $ormqr(
            trans: c_int, m: i64, n: i64, k: i64, a: *const $ty, lda: i64, tau: *const $ty, c: *mut $ty, ldc: i64,
            budget: i64, device_count: c_int, devices: *const c_int, call: Progress, user: *mut c_void,
        ) -> Status {
            let options = Options { own: PROTOTYPE, budget, count: device_count, devices, call: (call, user) };
            let tau = tau.cast_mut().cast();
            Ok(Status(calls::ormqr(&options, Dtype::$dtype, trans, [m, n, k], [at(a, lda), at(c, ldc)], tau)))
        }

        $(#[$l])*
        fn $getrf(
            m: i64, n: i64, a: *mut $ty, lda: i64, ipiv: *mut c_int, info: *mut c_int, budget: i64, device_count: c_int,
            devices: *const c_int, call: Progress, user: *mut c_void,
        ) -> Status {
            let options = Options { own: PROTOTYPE, budget, count: device_count, devices, call: (call, user) };
            Ok(Status(calls::getrf(&options, Dtype::$dtype, [m, n], at(a, lda), ipiv, info)))
        }

        $(#[$c])*
        fn $potrf(
            uplo: c_int, n: i64, a: *mut $ty, lda: i64, info: *mut c_int, budget: i64, device_count: c_int,
            devices: *const c_int, call: Progress, user: *mut c_void,
        ) -> Status {
            let options = Options { own: PROTOTYPE, budget, count: device_count, devices, call: (call, user) };
            Ok(Status(calls::potrf(&options, Dtype::$dtype, uplo, n, at(a, lda), info)))
        }
    )*}};
}

streamed! {
    f32: S:
    /// QR factorisation of one matrix in host memory, which may be larger than the device's memory: A = Q R (LAPACK SGEQRF).
    ///
    /// A, tau and the array `devices` are in host memory, whichever backend is in use. The matrix is divided into
    /// blocks of columns. Two of them are on a device at a time, and the columns before them stream through the device
    /// (a left-looking algorithm); transfers overlap the computation. The call waits for the devices and must not be
    /// captured. While it runs it uses streams, device memory and 8 page-locked buffers of up to 16 MiB. If A is in
    /// page-locked memory (cudaHostAlloc, cudaHostRegister), it is copied directly, without these buffers. On the CPU
    /// backend A is factored in place, in one step.
    ///
    /// R, the reflectors below it and tau are those of SGEQRF and tephra_sgeqrf(), signs included, up to rounding,
    /// which depends on the budget and the number of devices. A NaN or infinity in A appears in R. Products are
    /// computed in FP32.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | m | rows, m >= 0 |
    /// | 2 | n | columns, n >= 0 |
    /// | 3 | a | the matrix, lda*n elements, overwritten; not NULL unless m or n is 0, and not in device memory |
    /// | 4 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 5 | tau | receives min(m,n) scalar factors |
    /// | 6 | budget | bytes of each device's memory that the call may use, including scratch memory; 0: what is free, less a margin |
    /// | 7 | device_count | how many devices take part; 0: the current one |
    /// | 8 | devices | which ones; ignored if device_count is 0 |
    /// | 9 | call | progress callback, called from this thread with the steps enqueued on the devices, and at the end; or NULL |
    /// | 10 | user | passed to it |
    ///
    /// A device needs memory for two blocks and two panels of at least 32 columns and m rows each. If the budget is
    /// smaller, or a device lacks that memory, the call returns TEPHRA_STATUS_OUT_OF_MEMORY; in the first case before
    /// anything is written. A call that the callback cancels returns TEPHRA_STATUS_FUNCTION_ERROR. A and tau are then
    /// unspecified, as after any other failure midway.
    tephra_sgeqrf_host,
    /// C := op(Q) C with Q as tephra_sgeqrf_host() or SGEQRF left it in A and tau (LAPACK SORMQR from the left). All
    /// operands are in host memory; A and C may be larger than the device's memory.
    ///
    /// Blocks of columns of C are distributed over the devices, and A streams through each. The call waits, and uses
    /// memory, as tephra_sgeqrf_host() does.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | trans | TEPHRA_TRANS_N, TEPHRA_TRANS_T or TEPHRA_TRANS_C; for complex types there is no T |
    /// | 2 | m | rows of C and of A, m >= 0 |
    /// | 3 | n | columns of C, n >= 0 |
    /// | 4 | k | reflectors, 0 <= k <= m |
    /// | 5 | a | the reflectors, lda*k elements, not in device memory |
    /// | 6 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 7 | tau | k scalar factors |
    /// | 8 | c | ldc*n elements, overwritten; not in device memory |
    /// | 9 | ldc | leading dimension of C, ldc >= max(1,m) |
    /// | 10 | budget | bytes of each device's memory, as for tephra_sgeqrf_host() |
    /// | 11 | device_count | how many devices take part; 0: the current one |
    /// | 12 | devices | which ones; ignored if device_count is 0 |
    /// | 13 | call | progress callback, or NULL |
    /// | 14 | user | passed to it |
    tephra_sormqr_host,
    /// LU factorisation with partial pivoting of one matrix in host memory, which may be larger than the device's memory:
    /// A = P L U (LAPACK SGETRF).
    ///
    /// All operands are host memory, whichever backend is in use. Blocks of columns are factored one after another, as in
    /// tephra_sgeqrf_host(), which also says how long the call waits, what memory it takes and how it fails. At the end the host's
    /// threads apply the row interchanges of each block to the columns on its left. On the CPU backend A is factored in
    /// place, in one step.
    ///
    /// L, U and the pivots are SGETRF's, and those of tephra_sgetrf_batched() but for rounding, which depends on the budget and the
    /// number of devices: where two candidates for a pivot are equal but for rounding, another one may be chosen.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | m | rows, 0 <= m < 2^31 |
    /// | 2 | n | columns, n >= 0 |
    /// | 3 | a | the matrix, lda*n elements, overwritten by L and U; not NULL unless m or n is 0, and not in device memory |
    /// | 4 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 5 | ipiv | receives min(m,n) pivots, counted from 1; not NULL unless m or n is 0 |
    /// | 6 | info | receives 0, or j when element j (from 1) of U's diagonal is the first that is exactly 0; the factorisation is complete in that case, too. May be NULL |
    /// | 7 | budget | bytes of each device's memory, as for tephra_sgeqrf_host() |
    /// | 8 | device_count | how many devices take part; 0: the current one |
    /// | 9 | devices | which ones; ignored if device_count is 0 |
    /// | 10 | call | progress callback, or NULL |
    /// | 11 | user | passed to it |
    tephra_sgetrf_host,
    /// Cholesky factorisation of one symmetric positive definite matrix in host memory, which may be larger than the device's
    /// memory: A = L L^T or U^T U (LAPACK SPOTRF).
    ///
    /// All operands are host memory, whichever backend is in use. Blocks of columns are factored one after another, as in
    /// tephra_sgeqrf_host(), which also says how long the call waits, what memory it takes and how it fails. Only the triangle
    /// and the diagonal squares of the blocks are copied. The other triangle keeps its contents. On the CPU backend A is factored in
    /// place, in one step.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | uplo | TEPHRA_UPLO_LOWER or TEPHRA_UPLO_UPPER: the triangle of A that is read and overwritten by the factor |
    /// | 2 | n | order of A, 0 <= n < 2^31 |
    /// | 3 | a | the matrix, lda*n elements; not NULL unless n is 0, and not in device memory |
    /// | 4 | lda | leading dimension of A, lda >= max(1,n) |
    /// | 5 | info | receives 0, or j when the leading minor of order j is the first that is not positive definite; the call then ends early: the factor of the leading minor of order j - 1 is in its place, and the rest of the triangle is unspecified. May be NULL |
    /// | 6 | budget | bytes of each device's memory, as for tephra_sgeqrf_host() |
    /// | 7 | device_count | how many devices take part; 0: the current one |
    /// | 8 | devices | which ones; ignored if device_count is 0 |
    /// | 9 | call | progress callback, or NULL |
    /// | 10 | user | passed to it |
    tephra_spotrf_host;
    f64: D:
    /// tephra_sgeqrf_host() in double precision.
    tephra_dgeqrf_host,
    /// tephra_sormqr_host() in double precision.
    tephra_dormqr_host,
    /// tephra_sgetrf_host() in double precision.
    tephra_dgetrf_host,
    /// tephra_spotrf_host() in double precision.
    tephra_dpotrf_host;
    C32: C:
    /// tephra_sgeqrf_host() in single precision complex.
    tephra_cgeqrf_host,
    /// tephra_sormqr_host() in single precision complex, with Q^H instead of Q^T.
    tephra_cunmqr_host,
    /// tephra_sgetrf_host() in single precision complex.
    tephra_cgetrf_host,
    /// tephra_spotrf_host() in single precision complex (Hermitian matrices; A = L L^H or U^H U).
    tephra_cpotrf_host;
    C64: Z:
    /// tephra_sgeqrf_host() in double precision complex.
    tephra_zgeqrf_host,
    /// tephra_sormqr_host() in double precision complex, with Q^H instead of Q^T.
    tephra_zunmqr_host,
    /// tephra_sgetrf_host() in double precision complex.
    tephra_zgetrf_host,
    /// tephra_spotrf_host() in double precision complex (Hermitian matrices; A = L L^H or U^H U).
    tephra_zpotrf_host;
}

entry! {
    /// Starts recording a timeline of the tasks of tephra_?geqrf_tiled(), tephra_?geqrf_host() and related functions in
    /// all threads of the process, and discards any earlier recording. Recording takes memory per task, and times each
    /// copy on a device with events.
    fn tephra_trace_begin() -> Status {
        trace::begin();
        Ok(done(()))
    }

    /// Ends the recording and writes it to a file in Chrome's trace format, for chrome://tracing and Perfetto. Returns
    /// TEPHRA_STATUS_NOT_SUPPORTED if the file cannot be written or nothing is being recorded.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | file | the path of the file, which is overwritten |
    fn tephra_trace_end(file: *const c_char) -> Status {
        let written = match read_path(file) {
            Some(path) => trace::write(&path).map_err(Failure::from),
            None => Err(Failure::Argument("file", "is NULL".into())),
        };
        Ok(Status(finish(PROTOTYPE, written)))
    }
}
