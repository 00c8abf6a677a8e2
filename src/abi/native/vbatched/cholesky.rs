//! Cholesky factorisations.

use super::super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_core::face::native::*;
use tephra_core::routine::{Operation, Potrf, PotrfSizes, Workspace};
use tephra_core::{Dtype, Error, Operand, Stream, entry};

/// Cholesky factorisation of matrices of order at most n.
fn potrf(
    dtype: Dtype,
    (flag, n): (c_int, i64),
    sizes: PotrfSizes,
    a: Operand,
    info: *mut c_int,
    batch: i64,
    work: Workspace,
) -> Result<Operation, Error> {
    let (uplo, sizes) = (uplo(flag)?, Some(sizes));
    Ok(Operation::Potrf(Potrf { dtype, uplo, n, a, lda: 1, sizes, info, batch, work }))
}

macro_rules! vbatched {
    ($($ty:ty: $dtype:ident: $(#[$f:meta])* $potrf:ident, $(#[$w:meta])* $potrf_workspace:ident;)*) => { entry! {$(
        $(#[$f])*
        fn $potrf(
            max_n: i64, uplo: c_int, n: *const c_int, a_array: *const *mut $ty, lda: *const c_int, info: *mut c_int,
            batch_count: i64, work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let (sizes, work) = (PotrfSizes { n, lda }, Workspace { p: work, bytes: work_bytes });
            let op = potrf(Dtype::$dtype, (uplo, max_n), sizes, pointers(a_array), info, batch_count, work);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$w])*
        fn $potrf_workspace(max_n: i64, uplo: c_int, batch_count: i64, bytes: *mut usize) -> Status {
            let (sizes, a, work) = (PotrfSizes::NULL, Operand::NULL, Workspace::NONE);
            let op = potrf(Dtype::$dtype, (uplo, max_n), sizes, a, null_mut(), batch_count, work);
            Ok(Status(workspace(PROTOTYPE, op, bytes)))
        }
    )*}};
}

vbatched! {
    f32: S:
    /// tephra_spotrf_batched() for matrices with individual orders: A(i) is n[i] x n[i], with leading dimension lda[i].
    ///
    /// The orders are in device memory and are never read by the host; max_n is their upper bound, by which the kernels
    /// are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory from the
    /// stream-ordered pool for large batches) and can be captured in a CUDA graph; each replay may see different
    /// orders. n[i] = 0 is allowed. If the sizes of a matrix are invalid, nothing of it is read or written except its
    /// info, which is -2 if not 0 <= n[i] <= max_n, else -4 if not lda[i] >= n[i].
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | max_n | no matrix has a higher order, max_n >= 0 |
    /// | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
    /// | 3 | n | batch_count ints in device memory: orders; not NULL when there is work |
    /// | 4 | a_array | batch_count pointers to matrices of lda[i]*n[i] elements, likewise |
    /// | 5 | lda | batch_count ints in device memory: leading dimensions, in elements, likewise |
    /// | 6 | info | one int per matrix in device memory, or NULL: as for tephra_spotrf_batched(), and see above |
    /// | 7 | batch_count | number of matrices, >= 0 |
    /// | 8 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 9 | work_bytes | size of work, at least what tephra_spotrf_vbatched_workspace() reports; a smaller one is an error |
    /// | 10 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
    /// batch_count is 0; all of info is then set to 0.
    tephra_spotrf_vbatched,
    /// Workspace of tephra_spotrf_vbatched() in bytes. Arguments are numbered max_n 1, uplo 2, batch_count 3.
    tephra_spotrf_vbatched_workspace;

    f64: D:
    /// tephra_spotrf_vbatched() in double precision.
    tephra_dpotrf_vbatched,
    /// tephra_spotrf_vbatched_workspace() in double precision.
    tephra_dpotrf_vbatched_workspace;

    C32: C:
    /// tephra_spotrf_vbatched() in single precision complex.
    tephra_cpotrf_vbatched,
    /// tephra_spotrf_vbatched_workspace() in single precision complex.
    tephra_cpotrf_vbatched_workspace;

    C64: Z:
    /// tephra_spotrf_vbatched() in double precision complex.
    tephra_zpotrf_vbatched,
    /// tephra_spotrf_vbatched_workspace() in double precision complex.
    tephra_zpotrf_vbatched_workspace;
}
