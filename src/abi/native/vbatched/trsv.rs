//! Triangular systems with one right-hand side.

use super::super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use tephra_core::face::native::*;
use tephra_core::routine::{Operation, Trsv, TrsvSizes};
use tephra_core::{Dtype, Error, Operand, Stream, entry};

fn trsv(
    dtype: Dtype,
    flags: [c_int; 3],
    (n, batch): (i64, i64),
    sizes: TrsvSizes,
    [a, x]: [Operand; 2],
) -> Result<Operation, Error> {
    let (uplo, trans, diag, sizes) = (uplo(flags[0])?, trans(flags[1])?, diag(flags[2])?, Some(sizes));
    Ok(Operation::Trsv(Trsv { dtype, uplo, trans, diag, n, a, lda: 1, x, incx: 1, sizes, batch }))
}

macro_rules! vbatched {
    ($($ty:ty: $dtype:ident: $(#[$t:meta])* $trsv:ident;)*) => { entry! {$(
        $(#[$t])*
        fn $trsv(
            max_n: i64, uplo: c_int, trans: c_int, diag: c_int, n: *const c_int, a_array: *const *mut $ty,
            lda: *const c_int, x_array: *const *mut $ty, incx: *const c_int, batch_count: i64, stream: *mut c_void,
        ) -> Status {
            let (flags, sizes) = ([uplo, trans, diag], TrsvSizes { n, lda, incx });
            let operands = [pointers(a_array), pointers(x_array)];
            let op = trsv(Dtype::$dtype, flags, (max_n, batch_count), sizes, operands);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }
    )*}};
}

vbatched! {
    f32: S:
    /// tephra_strsv_batched() for systems with individual orders and increments.
    ///
    /// The sizes are in device memory and are never read by the host; max_n is the upper bound of the orders. The call
    /// is asynchronous on the stream, needs no workspace, allocates nothing (except scratch memory from the
    /// stream-ordered pool for few large members) and can be captured in a CUDA graph; each replay may see different
    /// sizes. Members with invalid sizes are neither read nor written, and no error code reports them: those with n[i]
    /// below 0 or above max_n, lda[i] below n[i], or incx[i] of 0.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | max_n | no matrix has a higher order, max_n >= 0 |
    /// | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
    /// | 3 | trans | TEPHRA_TRANS_N, _T or _C |
    /// | 4 | diag | TEPHRA_DIAG_NON_UNIT or TEPHRA_DIAG_UNIT |
    /// | 5 | n | batch_count ints in device memory: orders; not NULL when there is work |
    /// | 6 | a_array | batch_count pointers to matrices of order n[i], likewise |
    /// | 7 | lda | batch_count ints in device memory: leading dimensions, in elements, likewise |
    /// | 8 | x_array | batch_count pointers to 1 + (n[i]-1)*abs(incx[i]) elements, likewise |
    /// | 9 | incx | batch_count ints in device memory: increments of x; if negative, x starts with its last element; likewise |
    /// | 10 | batch_count | number of members, >= 0 |
    /// | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
    /// batch_count is 0.
    tephra_strsv_vbatched;

    f64: D:
    /// tephra_strsv_vbatched() in double precision.
    tephra_dtrsv_vbatched;

    C32: C:
    /// tephra_strsv_vbatched() in single precision complex.
    tephra_ctrsv_vbatched;

    C64: Z:
    /// tephra_strsv_vbatched() in double precision complex.
    tephra_ztrsv_vbatched;
}
