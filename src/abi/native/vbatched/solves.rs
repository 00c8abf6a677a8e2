//! Systems of equations, and row interchanges.

use super::super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};
use tephra_core::face::native::*;
use tephra_core::routine::{Gesv, Getrs, Laswp, LaswpSizes, Operation, Posv, Potrs, SolveSizes, Workspace};
use tephra_core::{Dtype, Error, Operand, Stream, entry};

/// The common arguments of the solves. `max` has the upper bounds of the orders and of the numbers of right-hand
/// sides.
struct Members {
    max: (i64, i64),
    sizes: SolveSizes,
    info: *mut c_int,
    batch: i64,
    work: Workspace,
}

impl Members {
    /// The arguments of a workspace query, which knows only the upper bounds.
    fn shape(max_n: i64, max_nrhs: i64, batch: i64) -> Members {
        let (max, sizes, work) = ((max_n, max_nrhs), SolveSizes::NULL, Workspace::NONE);
        Members { max, sizes, info: null_mut(), batch, work }
    }
}

fn getrs(
    dtype: Dtype,
    flag: c_int,
    Members { max: (n, nrhs), sizes, info, batch, work }: Members,
    [a, ipiv, b]: [Operand; 3],
) -> Result<Operation, Error> {
    let (trans, sizes, lda, ldb) = (trans(flag)?, Some(sizes), 1, 1);
    Ok(Operation::Getrs(Getrs { dtype, trans, n, nrhs, a, lda, ipiv, b, ldb, sizes, info, batch, work }))
}

fn gesv(
    dtype: Dtype,
    Members { max: (n, nrhs), sizes, info, batch, work }: Members,
    [a, ipiv, b]: [Operand; 3],
) -> Operation {
    let (sizes, lda, ldb) = (Some(sizes), 1, 1);
    Operation::Gesv(Gesv { dtype, n, nrhs, a, lda, ipiv, b, ldb, sizes, info, batch, work })
}

fn potrs(
    dtype: Dtype,
    flag: c_int,
    Members { max: (n, nrhs), sizes, info, batch, work }: Members,
    [a, b]: [Operand; 2],
) -> Result<Operation, Error> {
    let (uplo, sizes, lda, ldb) = (uplo(flag)?, Some(sizes), 1, 1);
    Ok(Operation::Potrs(Potrs { dtype, uplo, n, nrhs, a, lda, b, ldb, sizes, info, batch, work }))
}

fn posv(
    dtype: Dtype,
    flag: c_int,
    Members { max: (n, nrhs), sizes, info, batch, work }: Members,
    [a, b]: [Operand; 2],
) -> Result<Operation, Error> {
    let (uplo, sizes, lda, ldb) = (uplo(flag)?, Some(sizes), 1, 1);
    Ok(Operation::Posv(Posv { dtype, uplo, n, nrhs, a, lda, b, ldb, sizes, info, batch, work }))
}

macro_rules! lu {
    ($($ty:ty: $dtype:ident:
        $(#[$s:meta])* $getrs:ident, $(#[$sw:meta])* $getrs_workspace:ident,
        $(#[$v:meta])* $gesv:ident, $(#[$vw:meta])* $gesv_workspace:ident;)*
    ) => { entry! {$(
        $(#[$s])*
        fn $getrs(
            max_n: i64, max_nrhs: i64, trans: c_int, n: *const c_int, nrhs: *const c_int, a_array: *const *mut $ty,
            lda: *const c_int, ipiv_array: *const *mut c_int, b_array: *const *mut $ty, ldb: *const c_int,
            info: *mut c_int, batch_count: i64, work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let (sizes, work) = (SolveSizes { n, nrhs, lda, ldb }, Workspace { p: work, bytes: work_bytes });
            let members = Members { max: (max_n, max_nrhs), sizes, info, batch: batch_count, work };
            let operands = [pointers(a_array), pointers(ipiv_array), pointers(b_array)];
            Ok(Status(run(PROTOTYPE, getrs(Dtype::$dtype, trans, members, operands), Stream(stream))))
        }

        $(#[$sw])*
        fn $getrs_workspace(max_n: i64, max_nrhs: i64, trans: c_int, batch_count: i64, bytes: *mut usize) -> Status {
            let members = Members::shape(max_n, max_nrhs, batch_count);
            Ok(Status(workspace(PROTOTYPE, getrs(Dtype::$dtype, trans, members, [Operand::NULL; 3]), bytes)))
        }

        $(#[$v])*
        fn $gesv(
            max_n: i64, max_nrhs: i64, n: *const c_int, nrhs: *const c_int, a_array: *const *mut $ty,
            lda: *const c_int, ipiv_array: *const *mut c_int, b_array: *const *mut $ty, ldb: *const c_int,
            info: *mut c_int, batch_count: i64, work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let (sizes, work) = (SolveSizes { n, nrhs, lda, ldb }, Workspace { p: work, bytes: work_bytes });
            let members = Members { max: (max_n, max_nrhs), sizes, info, batch: batch_count, work };
            let operands = [pointers(a_array), pointers(ipiv_array), pointers(b_array)];
            Ok(Status(run(PROTOTYPE, Ok(gesv(Dtype::$dtype, members, operands)), Stream(stream))))
        }

        $(#[$vw])*
        fn $gesv_workspace(max_n: i64, max_nrhs: i64, batch_count: i64, bytes: *mut usize) -> Status {
            let op = gesv(Dtype::$dtype, Members::shape(max_n, max_nrhs, batch_count), [Operand::NULL; 3]);
            Ok(Status(workspace(PROTOTYPE, Ok(op), bytes)))
        }
    )*}};
}

macro_rules! cholesky {
    ($($ty:ty: $dtype:ident:
        $(#[$s:meta])* $potrs:ident, $(#[$sw:meta])* $potrs_workspace:ident,
        $(#[$v:meta])* $posv:ident, $(#[$vw:meta])* $posv_workspace:ident;)*
    ) => { entry! {$(
        $(#[$s])*
        fn $potrs(
            max_n: i64, max_nrhs: i64, uplo: c_int, n: *const c_int, nrhs: *const c_int, a_array: *const *mut $ty,
            lda: *const c_int, b_array: *const *mut $ty, ldb: *const c_int, info: *mut c_int, batch_count: i64,
            work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let (sizes, work) = (SolveSizes { n, nrhs, lda, ldb }, Workspace { p: work, bytes: work_bytes });
            let members = Members { max: (max_n, max_nrhs), sizes, info, batch: batch_count, work };
            let op = potrs(Dtype::$dtype, uplo, members, [pointers(a_array), pointers(b_array)]);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$sw])*
        fn $potrs_workspace(max_n: i64, max_nrhs: i64, uplo: c_int, batch_count: i64, bytes: *mut usize) -> Status {
            let members = Members::shape(max_n, max_nrhs, batch_count);
            Ok(Status(workspace(PROTOTYPE, potrs(Dtype::$dtype, uplo, members, [Operand::NULL; 2]), bytes)))
        }

        $(#[$v])*
        fn $posv(
            max_n: i64, max_nrhs: i64, uplo: c_int, n: *const c_int, nrhs: *const c_int, a_array: *const *mut $ty,
            lda: *const c_int, b_array: *const *mut $ty, ldb: *const c_int, info: *mut c_int, batch_count: i64,
            work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let (sizes, work) = (SolveSizes { n, nrhs, lda, ldb }, Workspace { p: work, bytes: work_bytes });
            let members = Members { max: (max_n, max_nrhs), sizes, info, batch: batch_count, work };
            let op = posv(Dtype::$dtype, uplo, members, [pointers(a_array), pointers(b_array)]);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$vw])*
        fn $posv_workspace(max_n: i64, max_nrhs: i64, uplo: c_int, batch_count: i64, bytes: *mut usize) -> Status {
            let members = Members::shape(max_n, max_nrhs, batch_count);
            Ok(Status(workspace(PROTOTYPE, posv(Dtype::$dtype, uplo, members, [Operand::NULL; 2]), bytes)))
        }
    )*}};
}

macro_rules! interchanges {
    ($($ty:ty: $dtype:ident: $(#[$doc:meta])* $laswp:ident;)*) => { entry! {$(
        $(#[$doc])*
        fn $laswp(
            max_n: i64, max_k2: i64, n: *const c_int, a_array: *const *mut $ty, lda: *const c_int, k1: i64,
            k2: *const c_int, ipiv_array: *const *mut c_int, incx: i64, batch_count: i64, stream: *mut c_void,
        ) -> Status {
            let (dtype, a, ipiv) = (Dtype::$dtype, pointers(a_array), pointers(ipiv_array));
            let sizes = Some(LaswpSizes { n, k2, lda, other_ld: null() });
            let op = Laswp { dtype, n: max_n, a, lda: 1, k1, k2: max_k2, ipiv, incx, sizes, batch: batch_count };
            Ok(Status(run(PROTOTYPE, Ok(Operation::Laswp(op)), Stream(stream))))
        }
    )*}};
}

lu! {
    f32: S:
    /// tephra_sgetrs_batched() for systems with individual sizes: A(i) has order n[i], B(i) is n[i] x nrhs[i].
    ///
    /// The sizes are in device memory and are never read by the host; max_n and max_nrhs are their upper bounds, by
    /// which the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory
    /// from the stream-ordered pool for few large members) and can be captured in a CUDA graph; each replay may see
    /// different sizes. n[i] = 0 and nrhs[i] = 0 are allowed. If the sizes of a member are invalid, nothing of it is
    /// read or written except its info, which is -2 if not 0 <= n[i] <= max_n, else -3 if not 0 <= nrhs[i] <= max_nrhs,
    /// else -5 if not lda[i] >= n[i], else -8 if not ldb[i] >= n[i].
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | max_n | no matrix has a higher order, max_n >= 0 |
    /// | 2 | max_nrhs | no B has more columns, max_nrhs >= 0 |
    /// | 3 | trans | TEPHRA_TRANS_N, _T or _C |
    /// | 4 | n | batch_count ints in device memory: orders; not NULL when there is work |
    /// | 5 | nrhs | batch_count ints in device memory: right-hand sides, likewise |
    /// | 6 | a_array | batch_count pointers to the factors, as tephra_sgetrf_vbatched() leaves them, likewise |
    /// | 7 | lda | batch_count ints in device memory: leading dimensions of A, in elements, likewise |
    /// | 8 | ipiv_array | batch_count pointers to n[i] ints each, or NULL: no interchanges |
    /// | 9 | b_array | batch_count pointers to n[i] x nrhs[i] matrices; not NULL when there is work |
    /// | 10 | ldb | batch_count ints in device memory: leading dimensions of B, in elements, likewise |
    /// | 11 | info | one int per member in device memory, or NULL: 0, or as above |
    /// | 12 | batch_count | number of members, >= 0 |
    /// | 13 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 14 | work_bytes | size of work, at least what tephra_sgetrs_vbatched_workspace() reports; a smaller one is an error |
    /// | 15 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n,
    /// max_nrhs or batch_count is 0; all of info is then set to 0.
    tephra_sgetrs_vbatched,
    /// Workspace of tephra_sgetrs_vbatched() in bytes. Arguments are numbered max_n 1, max_nrhs 2, trans 3, batch_count 4.
    tephra_sgetrs_vbatched_workspace,
    /// tephra_sgesv_batched() for systems with individual sizes: A(i) has order n[i], B(i) is n[i] x nrhs[i].
    ///
    /// The sizes are in device memory and are never read by the host; max_n and max_nrhs are their upper bounds, by
    /// which the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory
    /// from the stream-ordered pool for few large members and for large batches) and can be captured in a CUDA graph;
    /// each replay may see different sizes. n[i] = 0 and nrhs[i] = 0 are allowed. If the sizes of a member are invalid,
    /// nothing of it is read or written except its info, which is -1 if not 0 <= n[i] <= max_n, else -2 if not 0 <=
    /// nrhs[i] <= max_nrhs, else -4 if not lda[i] >= n[i], else -7 if not ldb[i] >= n[i].
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | max_n | no matrix has a higher order, max_n >= 0 |
    /// | 2 | max_nrhs | no B has more columns, max_nrhs >= 0 |
    /// | 3 | n | batch_count ints in device memory: orders; not NULL when there is work |
    /// | 4 | nrhs | batch_count ints in device memory: right-hand sides, likewise |
    /// | 5 | a_array | batch_count pointers to matrices of lda[i]*n[i] elements, likewise |
    /// | 6 | lda | batch_count ints in device memory: leading dimensions of A, in elements, likewise |
    /// | 7 | ipiv_array | batch_count pointers to vectors of n[i] ints, likewise |
    /// | 8 | b_array | batch_count pointers to n[i] x nrhs[i] matrices; not NULL when there is work and max_nrhs > 0 |
    /// | 9 | ldb | batch_count ints in device memory: leading dimensions of B, in elements, likewise |
    /// | 10 | info | one int per member in device memory, or NULL: as for tephra_sgesv_batched(), and see above |
    /// | 11 | batch_count | number of members, >= 0 |
    /// | 12 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 13 | work_bytes | size of work, at least what tephra_sgesv_vbatched_workspace() reports; a smaller one is an error |
    /// | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
    /// batch_count is 0; all of info is then set to 0. A member without right-hand sides is still factored.
    tephra_sgesv_vbatched,
    /// Workspace of tephra_sgesv_vbatched() in bytes; 0 on the CPU backend. Arguments are numbered max_n 1, max_nrhs 2,
    /// batch_count 3.
    tephra_sgesv_vbatched_workspace;

    f64: D:
    /// tephra_sgetrs_vbatched() in double precision.
    tephra_dgetrs_vbatched,
    /// tephra_sgetrs_vbatched_workspace() in double precision.
    tephra_dgetrs_vbatched_workspace,
    /// tephra_sgesv_vbatched() in double precision.
    tephra_dgesv_vbatched,
    /// tephra_sgesv_vbatched_workspace() in double precision.
    tephra_dgesv_vbatched_workspace;

    C32: C:
    /// tephra_sgetrs_vbatched() in single precision complex.
    tephra_cgetrs_vbatched,
    /// tephra_sgetrs_vbatched_workspace() in single precision complex.
    tephra_cgetrs_vbatched_workspace,
    /// tephra_sgesv_vbatched() in single precision complex.
    tephra_cgesv_vbatched,
    /// tephra_sgesv_vbatched_workspace() in single precision complex.
    tephra_cgesv_vbatched_workspace;

    C64: Z:
    /// tephra_sgetrs_vbatched() in double precision complex.
    tephra_zgetrs_vbatched,
    /// tephra_sgetrs_vbatched_workspace() in double precision complex.
    tephra_zgetrs_vbatched_workspace,
    /// tephra_sgesv_vbatched() in double precision complex.
    tephra_zgesv_vbatched,
    /// tephra_sgesv_vbatched_workspace() in double precision complex.
    tephra_zgesv_vbatched_workspace;
}

cholesky! {
    f32: S:
    /// tephra_spotrs_batched() for systems with individual sizes: A(i) has order n[i], B(i) is n[i] x nrhs[i].
    ///
    /// The sizes are in device memory and are never read by the host; max_n and max_nrhs are their upper bounds, by
    /// which the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory
    /// from the stream-ordered pool for few large members) and can be captured in a CUDA graph; each replay may see
    /// different sizes. n[i] = 0 and nrhs[i] = 0 are allowed. If the sizes of a member are invalid, nothing of it is
    /// read or written except its info, which is -2 if not 0 <= n[i] <= max_n, else -3 if not 0 <= nrhs[i] <= max_nrhs,
    /// else -5 if not lda[i] >= n[i], else -7 if not ldb[i] >= n[i].
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | max_n | no matrix has a higher order, max_n >= 0 |
    /// | 2 | max_nrhs | no B has more columns, max_nrhs >= 0 |
    /// | 3 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
    /// | 4 | n | batch_count ints in device memory: orders; not NULL when there is work |
    /// | 5 | nrhs | batch_count ints in device memory: right-hand sides, likewise |
    /// | 6 | a_array | batch_count pointers to the factors, as tephra_spotrf_vbatched() leaves them, likewise |
    /// | 7 | lda | batch_count ints in device memory: leading dimensions of A, in elements, likewise |
    /// | 8 | b_array | batch_count pointers to n[i] x nrhs[i] matrices, likewise |
    /// | 9 | ldb | batch_count ints in device memory: leading dimensions of B, in elements, likewise |
    /// | 10 | info | one int per member in device memory, or NULL: 0, or as above |
    /// | 11 | batch_count | number of members, >= 0 |
    /// | 12 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 13 | work_bytes | size of work, at least what tephra_spotrs_vbatched_workspace() reports; a smaller one is an error |
    /// | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n,
    /// max_nrhs or batch_count is 0; all of info is then set to 0.
    tephra_spotrs_vbatched,
    /// Workspace of tephra_spotrs_vbatched() in bytes. Arguments are numbered max_n 1, max_nrhs 2, uplo 3, batch_count 4.
    tephra_spotrs_vbatched_workspace,
    /// tephra_sposv_batched() for systems with individual sizes: A(i) has order n[i], B(i) is n[i] x nrhs[i].
    ///
    /// The sizes are in device memory and are never read by the host; max_n and max_nrhs are their upper bounds, by
    /// which the kernels are chosen. The call is asynchronous on the stream, allocates nothing (except scratch memory
    /// from the stream-ordered pool for few large members and for large batches) and can be captured in a CUDA graph;
    /// each replay may see different sizes. n[i] = 0 and nrhs[i] = 0 are allowed. If the sizes of a member are invalid,
    /// nothing of it is read or written except its info, which is -2 if not 0 <= n[i] <= max_n, else -3 if not 0 <=
    /// nrhs[i] <= max_nrhs, else -5 if not lda[i] >= n[i], else -7 if not ldb[i] >= n[i].
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | max_n | no matrix has a higher order, max_n >= 0 |
    /// | 2 | max_nrhs | no B has more columns, max_nrhs >= 0 |
    /// | 3 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
    /// | 4 | n | batch_count ints in device memory: orders; not NULL when there is work |
    /// | 5 | nrhs | batch_count ints in device memory: right-hand sides, likewise |
    /// | 6 | a_array | batch_count pointers to matrices of lda[i]*n[i] elements, likewise |
    /// | 7 | lda | batch_count ints in device memory: leading dimensions of A, in elements, likewise |
    /// | 8 | b_array | batch_count pointers to n[i] x nrhs[i] matrices; not NULL when there is work and max_nrhs > 0 |
    /// | 9 | ldb | batch_count ints in device memory: leading dimensions of B, in elements, likewise |
    /// | 10 | info | one int per member in device memory, or NULL: as for tephra_sposv_batched(), and see above |
    /// | 11 | batch_count | number of members, >= 0 |
    /// | 12 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 13 | work_bytes | size of work, at least what tephra_sposv_vbatched_workspace() reports; a smaller one is an error |
    /// | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
    /// batch_count is 0; all of info is then set to 0. A member without right-hand sides is still factored.
    tephra_sposv_vbatched,
    /// Workspace of tephra_sposv_vbatched() in bytes; 0 on the CPU backend. Arguments are numbered max_n 1, max_nrhs 2,
    /// uplo 3, batch_count 4.
    tephra_sposv_vbatched_workspace;

    f64: D:
    /// tephra_spotrs_vbatched() in double precision.
    tephra_dpotrs_vbatched,
    /// tephra_spotrs_vbatched_workspace() in double precision.
    tephra_dpotrs_vbatched_workspace,
    /// tephra_sposv_vbatched() in double precision.
    tephra_dposv_vbatched,
    /// tephra_sposv_vbatched_workspace() in double precision.
    tephra_dposv_vbatched_workspace;

    C32: C:
    /// tephra_spotrs_vbatched() in single precision complex.
    tephra_cpotrs_vbatched,
    /// tephra_spotrs_vbatched_workspace() in single precision complex.
    tephra_cpotrs_vbatched_workspace,
    /// tephra_sposv_vbatched() in single precision complex.
    tephra_cposv_vbatched,
    /// tephra_sposv_vbatched_workspace() in single precision complex.
    tephra_cposv_vbatched_workspace;

    C64: Z:
    /// tephra_spotrs_vbatched() in double precision complex.
    tephra_zpotrs_vbatched,
    /// tephra_spotrs_vbatched_workspace() in double precision complex.
    tephra_zpotrs_vbatched_workspace,
    /// tephra_sposv_vbatched() in double precision complex.
    tephra_zposv_vbatched,
    /// tephra_sposv_vbatched_workspace() in double precision complex.
    tephra_zposv_vbatched_workspace;
}

interchanges! {
    f32: S:
    /// tephra_slaswp_batched() for matrices with individual numbers of columns and last rows: A(i) has n[i] columns,
    /// and its rows k1 to k2[i] are interchanged.
    ///
    /// The sizes are in device memory and are never read by the host; max_n and max_k2 are their upper bounds. The call
    /// is asynchronous on the stream, allocates nothing, needs no workspace and can be captured in a CUDA graph; each
    /// replay may see different sizes. If k2[i] is less than k1, nothing is interchanged. Members with invalid sizes
    /// are neither read nor written, and no error code reports them: those with n[i] or k2[i] below 0 or above its
    /// maximum, or with a leading dimension less than k2[i].
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | max_n | no matrix has more columns, max_n >= 0 |
    /// | 2 | max_k2 | no matrix has a larger k2, max_k2 >= 0 |
    /// | 3 | n | batch_count ints in device memory: columns; not NULL when there is work |
    /// | 4 | a_array | batch_count pointers to matrices with all rows in ipiv, likewise |
    /// | 5 | lda | batch_count ints in device memory: leading dimensions, in elements, likewise |
    /// | 6 | k1 | first row to interchange, for all members, k1 >= 1 |
    /// | 7 | k2 | batch_count ints in device memory: last row to interchange, likewise |
    /// | 8 | ipiv_array | batch_count pointers to interchanges, as for tephra_slaswp_batched(), likewise |
    /// | 9 | incx | increment between interchanges; its sign gives the order |
    /// | 10 | batch_count | number of members, >= 0 |
    /// | 11 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n,
    /// max_k2, incx or batch_count is 0.
    tephra_slaswp_vbatched;

    f64: D:
    /// tephra_slaswp_vbatched() in double precision.
    tephra_dlaswp_vbatched;

    C32: C:
    /// tephra_slaswp_vbatched() in single precision complex.
    tephra_claswp_vbatched;

    C64: Z:
    /// tephra_slaswp_vbatched() in double precision complex.
    tephra_zlaswp_vbatched;
}
