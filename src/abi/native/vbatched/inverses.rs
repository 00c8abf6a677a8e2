//! Inverses from factors.

use super::super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_core::face::native::*;
use tephra_core::routine::{Getri, GetriSizes, Operation, PotrfSizes, Potri, Workspace};
use tephra_core::{Dtype, Error, Operand, Stream, entry};

/// Inverses from LU factors.
fn getri(
    dtype: Dtype,
    (n, batch): (i64, i64),
    sizes: GetriSizes,
    [a, ipiv, c]: [Operand; 3],
    info: *mut c_int,
    work: Workspace,
) -> Operation {
    Operation::Getri(Getri { dtype, n, a, lda: 1, ipiv, c, ldc: 1, sizes: Some(sizes), info, batch, work })
}

/// Inverses from Cholesky factors.
fn potri(
    dtype: Dtype,
    flag: c_int,
    (n, batch): (i64, i64),
    (sizes, a): (PotrfSizes, Operand),
    info: *mut c_int,
    work: Workspace,
) -> Result<Operation, Error> {
    Ok(Operation::Potri(Potri { dtype, uplo: uplo(flag)?, n, a, lda: 1, sizes: Some(sizes), info, batch, work }))
}

macro_rules! inverses {
    ($($ty:ty: $dtype:ident:
        $(#[$g:meta])* $getri:ident, $(#[$gw:meta])* $getri_workspace:ident,
        $(#[$p:meta])* $potri:ident, $(#[$pw:meta])* $potri_workspace:ident;)*
    ) => { entry! {$(
        $(#[$g])*
        fn $getri(
            max_n: i64, n: *const c_int, a_array: *const *mut $ty, lda: *const c_int, ipiv_array: *const *mut c_int,
            c_array: *const *mut $ty, ldc: *const c_int, info: *mut c_int, batch_count: i64, work: *mut c_void,
            work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let (sizes, work) = (GetriSizes { n, lda, ldc }, Workspace { p: work, bytes: work_bytes });
            let operands = [pointers(a_array), pointers(ipiv_array), pointers(c_array)];
            let op = getri(Dtype::$dtype, (max_n, batch_count), sizes, operands, info, work);
            Ok(Status(run(PROTOTYPE, Ok(op), Stream(stream))))
        }

        $(#[$gw])*
        fn $getri_workspace(max_n: i64, batch_count: i64, bytes: *mut usize) -> Status {
            let (shape, sizes, operands) = ((max_n, batch_count), GetriSizes::NULL, [Operand::NULL; 3]);
            let op = getri(Dtype::$dtype, shape, sizes, operands, null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, Ok(op), bytes)))
        }

        $(#[$p])*
        fn $potri(
            max_n: i64, uplo: c_int, n: *const c_int, a_array: *const *mut $ty, lda: *const c_int, info: *mut c_int,
            batch_count: i64, work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let (matrices, work) =
                ((PotrfSizes { n, lda }, pointers(a_array)), Workspace { p: work, bytes: work_bytes });
            let op = potri(Dtype::$dtype, uplo, (max_n, batch_count), matrices, info, work);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$pw])*
        fn $potri_workspace(max_n: i64, uplo: c_int, batch_count: i64, bytes: *mut usize) -> Status {
            let matrices = (PotrfSizes::NULL, Operand::NULL);
            let op = potri(Dtype::$dtype, uplo, (max_n, batch_count), matrices, null_mut(), Workspace::NONE);
            Ok(Status(workspace(PROTOTYPE, op, bytes)))
        }
    )*}};
}

inverses! {
    f32: S:
    /// tephra_sgetri_batched() for matrices with individual orders: C(i) := A(i)^-1, from the factors that
    /// tephra_sgetrf_vbatched() left in A(i). C must not be A.
    ///
    /// The orders are in device memory and are never read by the host; max_n is their upper bound, by which the kernels
    /// are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory from the
    /// stream-ordered pool for few large members) and can be captured in a CUDA graph; each replay may see different
    /// orders. n[i] = 0 is allowed. If the sizes of a member are invalid, nothing of it is read or written except its
    /// info, which is -1 if not 0 <= n[i] <= max_n, else -3 if not lda[i] >= n[i], else -6 if not ldc[i] >= n[i].
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | max_n | no matrix has a higher order, max_n >= 0 |
    /// | 2 | n | batch_count ints in device memory: orders; not NULL when there is work |
    /// | 3 | a_array | batch_count pointers to the factors, likewise |
    /// | 4 | lda | batch_count ints in device memory: leading dimensions of A, in elements, likewise |
    /// | 5 | ipiv_array | batch_count pointers to n[i] ints each, or NULL: no interchanges |
    /// | 6 | c_array | batch_count pointers to n[i] x n[i] matrices, which must not be A; not NULL when there is work |
    /// | 7 | ldc | batch_count ints in device memory: leading dimensions of C, in elements, likewise |
    /// | 8 | info | one int per member in device memory, or NULL: as for tephra_sgetri_batched(), and see above |
    /// | 9 | batch_count | number of members, >= 0 |
    /// | 10 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 11 | work_bytes | size of work, at least what tephra_sgetri_vbatched_workspace() reports; a smaller one is an error |
    /// | 12 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
    /// batch_count is 0; all of info is then set to 0.
    tephra_sgetri_vbatched,
    /// Workspace of tephra_sgetri_vbatched() in bytes; 0 on the CPU backend. Arguments are numbered max_n 1,
    /// batch_count 2.
    tephra_sgetri_vbatched_workspace,
    /// tephra_spotri_batched() for matrices with individual orders, in place, from the factors that
    /// tephra_spotrf_vbatched() left in A(i).
    ///
    /// The orders are in device memory and are never read by the host; max_n is their upper bound, by which the kernels
    /// are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory from the
    /// stream-ordered pool for few large members) and can be captured in a CUDA graph; each replay may see different
    /// orders. n[i] = 0 is allowed. If the sizes of a matrix are invalid, nothing of it is read or written except its
    /// info, which is -2 if not 0 <= n[i] <= max_n, else -4 if not lda[i] >= n[i].
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | max_n | no matrix has a higher order, max_n >= 0 |
    /// | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
    /// | 3 | n | batch_count ints in device memory: orders; not NULL when there is work |
    /// | 4 | a_array | batch_count pointers to the factors, likewise |
    /// | 5 | lda | batch_count ints in device memory: leading dimensions of A, in elements, likewise |
    /// | 6 | info | one int per member in device memory, or NULL: as for tephra_spotri_batched(), and see above |
    /// | 7 | batch_count | number of members, >= 0 |
    /// | 8 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 9 | work_bytes | size of work, at least what tephra_spotri_vbatched_workspace() reports; a smaller one is an error |
    /// | 10 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
    /// batch_count is 0; all of info is then set to 0.
    tephra_spotri_vbatched,
    /// Workspace of tephra_spotri_vbatched() in bytes; 0 on the CPU backend. Arguments are numbered max_n 1, uplo 2,
    /// batch_count 3.
    tephra_spotri_vbatched_workspace;

    f64: D:
    /// tephra_sgetri_vbatched() in double precision.
    tephra_dgetri_vbatched,
    /// tephra_sgetri_vbatched_workspace() in double precision.
    tephra_dgetri_vbatched_workspace,
    /// tephra_spotri_vbatched() in double precision.
    tephra_dpotri_vbatched,
    /// tephra_spotri_vbatched_workspace() in double precision.
    tephra_dpotri_vbatched_workspace;

    C32: C:
    /// tephra_sgetri_vbatched() in single precision complex.
    tephra_cgetri_vbatched,
    /// tephra_sgetri_vbatched_workspace() in single precision complex.
    tephra_cgetri_vbatched_workspace,
    /// tephra_spotri_vbatched() in single precision complex.
    tephra_cpotri_vbatched,
    /// tephra_spotri_vbatched_workspace() in single precision complex.
    tephra_cpotri_vbatched_workspace;

    C64: Z:
    /// tephra_sgetri_vbatched() in double precision complex.
    tephra_zgetri_vbatched,
    /// tephra_sgetri_vbatched_workspace() in double precision complex.
    tephra_zgetri_vbatched_workspace,
    /// tephra_spotri_vbatched() in double precision complex.
    tephra_zpotri_vbatched,
    /// tephra_spotri_vbatched_workspace() in double precision complex.
    tephra_zpotri_vbatched_workspace;
}
