//! Routines on matrices stored in FP16 or BF16, as the argument `storage` says, and computed in FP32.

use super::Status;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_core::face::native::*;
use tephra_core::routine::{Alpha, Fp32Problem, Gemm, Gesv, Narrow, Operation, Potrf, Qr, QrStage, Workspace};
use tephra_core::scalar::C64;
use tephra_core::{Dtype, Error, Geqrf, Operand, Stream, entry};

/// The problem of a call. `single` is an error if one of the option codes is invalid.
fn with_storage(
    number: c_int,
    single: Result<impl Into<Fp32Problem>, Error>,
    work: Workspace,
) -> Result<Operation, Error> {
    Ok(Operation::Narrow(Narrow::new(storage(number)?, single?, work)))
}

/// Strided operands of which only the strides are known.
fn strides_only<const N: usize>(strides: [i64; N]) -> [Operand; N] {
    strides.map(|stride| strided(null_mut::<c_void>(), stride))
}

fn geqrf([m, n, lda, batch]: [i64; 4], [a, tau]: [Operand; 2]) -> Result<Geqrf, Error> {
    Ok(Geqrf { a, tau, ..shape(Dtype::S, m, n, lda, batch) })
}

fn qr(number: c_int, [m, n, lda, ldq, ldr, batch]: [i64; 6], [a, q, r]: [Operand; 3]) -> Result<Qr, Error> {
    let (dtype, part, work) = (Dtype::S, part(number)?, Workspace::NONE);
    Ok(Qr { dtype, m, n, part, stage: QrStage::Whole, a, lda, q, ldq, r, ldr, batch, work })
}

fn potrf(number: c_int, [n, lda, batch]: [i64; 3], a: Operand, info: *mut c_int) -> Result<Potrf, Error> {
    let (dtype, uplo, work) = (Dtype::S, uplo(number)?, Workspace::NONE);
    Ok(Potrf { dtype, uplo, n, a, lda, sizes: None, info, batch, work })
}

fn gesv([n, nrhs, lda, ldb, batch]: [i64; 5], [a, ipiv, b]: [Operand; 3], info: *mut c_int) -> Result<Gesv, Error> {
    let (dtype, work) = (Dtype::S, Workspace::NONE);
    Ok(Gesv { dtype, n, nrhs, a, lda, ipiv, b, ldb, sizes: None, info, batch, work })
}

fn gemm(
    trans: [c_int; 2],
    [m, n, k, lda, ldb, ldc, batch]: [i64; 7],
    factors: [Alpha; 2],
    operands: [Operand; 3],
) -> Result<Gemm, Error> {
    let trans = [trans_a(trans[0])?, trans_b(trans[1])?];
    Ok(Gemm::uniform(Dtype::S, trans, [m, n, k], factors, operands, [lda, ldb, ldc], batch))
}

/// Scalars for a workspace query, with which A, B and C are all read.
const QUERY_SCALARS: [Alpha; 2] = [Alpha::Host(C64 { re: 2.0, im: 0.0 }); 2];

/// Reads a scalar from host memory.
unsafe fn scalar(place: *const f32) -> Alpha {
    unsafe { Alpha::read(Dtype::S, place.cast()) }
}

/// The four functions of each routine, as `NAME(arguments) problem`. The macro adds the workspace to calls, and the
/// output of its size to workspace queries.
macro_rules! functions {
    ($(
        $(#[$b:meta])* $batched:ident($($ba:ident: $bt:ty),*) $bp:expr;
        $(#[$bw:meta])* $batched_workspace:ident($($bwa:ident: $bwt:ty),*) $bwp:expr;
        $(#[$s:meta])* $strided:ident($($sa:ident: $st:ty),*) $sp:expr;
        $(#[$sw:meta])* $strided_workspace:ident($($swa:ident: $swt:ty),*) $swp:expr;
    )*) => { entry! {$(
        $(#[$b])*
        fn $batched(
            storage: c_int, $($ba: $bt,)* work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let op = with_storage(storage, $bp, Workspace { p: work, bytes: work_bytes });
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$bw])*
        fn $batched_workspace(storage: c_int, $($bwa: $bwt,)* bytes: *mut usize) -> Status {
            Ok(Status(workspace(PROTOTYPE, with_storage(storage, $bwp, Workspace::NONE), bytes)))
        }

        $(#[$s])*
        fn $strided(
            storage: c_int, $($sa: $st,)* work: *mut c_void, work_bytes: usize, stream: *mut c_void,
        ) -> Status {
            let op = with_storage(storage, $sp, Workspace { p: work, bytes: work_bytes });
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$sw])*
        fn $strided_workspace(storage: c_int, $($swa: $swt,)* bytes: *mut usize) -> Status {
            Ok(Status(workspace(PROTOTYPE, with_storage(storage, $swp, Workspace::NONE), bytes)))
        }
    )*}};
}

functions! {
    /// tephra_sgeqrf_batched() on matrices stored in FP16 or BF16, as `storage` says.
    ///
    /// All routines with 16-bit storage work in the same way: operands are widened to FP32, which is exact, the call
    /// computes in FP32 as tephra_sgeqrf_batched() does, and results are rounded to the nearest number of the type,
    /// ties to even. So the errors are those of FP32 plus one rounding of each result, of relative size 2^-11 (FP16) or
    /// 2^-8 (BF16). In FP16, results of 65520 and more become infinite, and results below 2^-14 become subnormal or 0;
    /// BF16 has the range of FP32. Nothing is scaled to keep results in range. A NaN or infinity affects only its own
    /// matrix, and padding is neither read nor written. Of the cuBLAS-compatible functions, only cublasGemmBatchedEx
    /// and cublasGemmStridedBatchedEx compute in this way.
    ///
    /// The call is asynchronous on the stream, allocates nothing (except where tephra_sgeqrf_batched() uses scratch
    /// memory from the stream-ordered pool) and can be captured in a CUDA graph. On CUDA, large batches pass through
    /// the workspace a few members at a time, so its size is bounded; on the CPU backend each thread converts a few
    /// members at a time in memory of its own.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | storage | TEPHRA_STORAGE_FP16 or TEPHRA_STORAGE_BF16: of A and tau |
    /// | 2 | m | rows, m >= 0 |
    /// | 3 | n | columns, n >= 0 |
    /// | 4 | a_array | batch_count pointers to matrices of lda*n elements; not NULL when there is work |
    /// | 5 | lda | leading dimension, in elements, lda >= max(1,m) |
    /// | 6 | tau_array | batch_count pointers to vectors of max(1,min(m,n)) elements, likewise |
    /// | 7 | batch_count | number of matrices, >= 0 |
    /// | 8 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 9 | work_bytes | size of work, at least what tephra_xgeqrf_batched_workspace() reports; a smaller one is an error |
    /// | 10 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(), and need no alignment beyond their
    /// elements'. The call does nothing and returns success when m, n or batch_count is 0.
    tephra_xgeqrf_batched(m: i64, n: i64, a_array: *const *mut c_void, lda: i64, tau_array: *const *mut c_void, batch_count: i64)
        geqrf([m, n, lda, batch_count], [pointers(a_array), pointers(tau_array)]);
    /// Workspace of tephra_xgeqrf_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
    /// and are numbered storage 1, m 2, n 3, lda 4, batch_count 5.
    tephra_xgeqrf_batched_workspace(m: i64, n: i64, lda: i64, batch_count: i64)
        geqrf([m, n, lda, batch_count], [Operand::NULL; 2]);
    /// tephra_xgeqrf_batched() for matrices at a constant stride (in elements), as tephra_sgeqrf_strided_batched().
    /// Arguments are numbered storage 1, m 2, n 3, a 4, lda 5, stride_a 6, tau 7, stride_tau 8, batch_count 9, work 10,
    /// work_bytes 11, stream 12.
    tephra_xgeqrf_strided_batched(
        m: i64, n: i64, a: *mut c_void, lda: i64, stride_a: i64, tau: *mut c_void, stride_tau: i64, batch_count: i64
    ) geqrf([m, n, lda, batch_count], [strided(a, stride_a), strided(tau, stride_tau)]);
    /// Workspace of tephra_xgeqrf_strided_batched() in bytes. Arguments are numbered storage 1, m 2, n 3, lda 4, stride_a 5,
    /// stride_tau 6, batch_count 7.
    tephra_xgeqrf_strided_batched_workspace(
        m: i64, n: i64, lda: i64, stride_a: i64, stride_tau: i64, batch_count: i64
    ) geqrf([m, n, lda, batch_count], strides_only([stride_a, stride_tau]));

    /// tephra_sqr_batched() on matrices with 16-bit storage, with the rounding of tephra_xgeqrf_batched(): Q is
    /// orthogonal to the type's precision.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | storage | TEPHRA_STORAGE_FP16 or TEPHRA_STORAGE_BF16: of A, Q and R |
    /// | 2 | part | TEPHRA_Q_NONE, TEPHRA_Q_THIN or TEPHRA_Q_FULL |
    /// | 3 | m | rows of A, m >= 0 |
    /// | 4 | n | columns of A, n >= 0 |
    /// | 5 | a_array | batch_count pointers to m x n matrices; not NULL when there is work |
    /// | 6 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 7 | q_array | batch_count pointers, receive Q; ignored for TEPHRA_Q_NONE |
    /// | 8 | ldq | leading dimension of Q, ldq >= max(1,m); likewise |
    /// | 9 | r_array | batch_count pointers, receive R |
    /// | 10 | ldr | leading dimension of R, at least max(1, rows of R) |
    /// | 11 | batch_count | number of matrices, >= 0 |
    /// | 12 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 13 | work_bytes | size of work, at least what tephra_xqr_batched_workspace() reports; a smaller one is an error |
    /// | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Otherwise as tephra_sqr_batched().
    tephra_xqr_batched(
        part: c_int, m: i64, n: i64, a_array: *const *mut c_void, lda: i64, q_array: *const *mut c_void, ldq: i64,
        r_array: *const *mut c_void, ldr: i64, batch_count: i64
    ) qr(part, [m, n, lda, ldq, ldr, batch_count], [pointers(a_array), pointers(q_array), pointers(r_array)]);
    /// Workspace of tephra_xqr_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call, and
    /// are numbered storage 1, part 2, m 3, n 4, lda 5, ldq 6, ldr 7, batch_count 8.
    tephra_xqr_batched_workspace(part: c_int, m: i64, n: i64, lda: i64, ldq: i64, ldr: i64, batch_count: i64)
        qr(part, [m, n, lda, ldq, ldr, batch_count], [Operand::NULL; 3]);
    /// tephra_xqr_batched() for matrices at a constant stride (in elements), as tephra_sqr_strided_batched(). Arguments
    /// are numbered storage 1, part 2, m 3, n 4, a 5, lda 6, stride_a 7, q 8, ldq 9, stride_q 10, r 11, ldr 12,
    /// stride_r 13, batch_count 14, work 15, work_bytes 16, stream 17.
    tephra_xqr_strided_batched(
        part: c_int, m: i64, n: i64, a: *const c_void, lda: i64, stride_a: i64, q: *mut c_void, ldq: i64, stride_q: i64,
        r: *mut c_void, ldr: i64, stride_r: i64, batch_count: i64
    ) qr(
        part,
        [m, n, lda, ldq, ldr, batch_count],
        [strided(a.cast_mut(), stride_a), strided(q, stride_q), strided(r, stride_r)],
    );
    /// Workspace of tephra_xqr_strided_batched() in bytes. Arguments are numbered storage 1, part 2, m 3, n 4, lda 5, stride_a 6,
    /// ldq 7, stride_q 8, ldr 9, stride_r 10, batch_count 11.
    tephra_xqr_strided_batched_workspace(
        part: c_int, m: i64, n: i64, lda: i64, stride_a: i64, ldq: i64, stride_q: i64, ldr: i64, stride_r: i64, batch_count: i64
    ) qr(part, [m, n, lda, ldq, ldr, batch_count], strides_only([stride_a, stride_q, stride_r]));

    /// tephra_spotrf_batched() on matrices with 16-bit storage, with the rounding of tephra_xgeqrf_batched(). Only the
    /// triangle is converted; the other one is neither read nor written. info is that of the factorisation in FP32.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | storage | TEPHRA_STORAGE_FP16 or TEPHRA_STORAGE_BF16 |
    /// | 2 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
    /// | 3 | n | order of A, n >= 0 |
    /// | 4 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
    /// | 5 | lda | leading dimension of A, lda >= max(1,n) |
    /// | 6 | info | one int per matrix in device memory, or NULL, as tephra_spotrf_batched() |
    /// | 7 | batch_count | number of matrices, >= 0 |
    /// | 8 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 9 | work_bytes | size of work, at least what tephra_xpotrf_batched_workspace() reports; a smaller one is an error |
    /// | 10 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Otherwise as tephra_spotrf_batched().
    tephra_xpotrf_batched(
        uplo: c_int, n: i64, a_array: *const *mut c_void, lda: i64, info: *mut c_int, batch_count: i64
    ) potrf(uplo, [n, lda, batch_count], pointers(a_array), info);
    /// Workspace of tephra_xpotrf_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
    /// and are numbered storage 1, uplo 2, n 3, lda 4, batch_count 5.
    tephra_xpotrf_batched_workspace(uplo: c_int, n: i64, lda: i64, batch_count: i64)
        potrf(uplo, [n, lda, batch_count], Operand::NULL, null_mut());
    /// tephra_xpotrf_batched() for matrices at a constant stride (in elements), as tephra_spotrf_strided_batched().
    /// Arguments are numbered storage 1, uplo 2, n 3, a 4, lda 5, stride_a 6, info 7, batch_count 8, work 9,
    /// work_bytes 10, stream 11.
    tephra_xpotrf_strided_batched(
        uplo: c_int, n: i64, a: *mut c_void, lda: i64, stride_a: i64, info: *mut c_int, batch_count: i64
    ) potrf(uplo, [n, lda, batch_count], strided(a, stride_a), info);
    /// Workspace of tephra_xpotrf_strided_batched() in bytes. Arguments are numbered storage 1, uplo 2, n 3, lda 4, stride_a 5,
    /// batch_count 6.
    tephra_xpotrf_strided_batched_workspace(uplo: c_int, n: i64, lda: i64, stride_a: i64, batch_count: i64)
        potrf(uplo, [n, lda, batch_count], strides_only([stride_a])[0], null_mut());

    /// tephra_sgesv_batched() on matrices with 16-bit storage, with the rounding of tephra_xgeqrf_batched(). ipiv and
    /// info are those of the factorisation in FP32; X is computed from its factors before they are rounded.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | storage | TEPHRA_STORAGE_FP16 or TEPHRA_STORAGE_BF16: of A and B |
    /// | 2 | n | order of A, n >= 0 |
    /// | 3 | nrhs | right-hand sides, columns of B and X, nrhs >= 0 |
    /// | 4 | a_array | batch_count pointers to n x n matrices; not NULL when there is work |
    /// | 5 | lda | leading dimension of A, lda >= max(1,n) |
    /// | 6 | ipiv_array | batch_count pointers to vectors of n ints, likewise |
    /// | 7 | b_array | batch_count pointers to n x nrhs matrices; not NULL when nrhs > 0 and there is work |
    /// | 8 | ldb | leading dimension of B, ldb >= max(1,n) |
    /// | 9 | info | one int per matrix in device memory, or NULL, as tephra_sgesv_batched() |
    /// | 10 | batch_count | number of matrices, >= 0 |
    /// | 11 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 12 | work_bytes | size of work, at least what tephra_xgesv_batched_workspace() reports; a smaller one is an error |
    /// | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Otherwise as tephra_sgesv_batched().
    tephra_xgesv_batched(
        n: i64, nrhs: i64, a_array: *const *mut c_void, lda: i64, ipiv_array: *const *mut c_int, b_array: *const *mut c_void,
        ldb: i64, info: *mut c_int, batch_count: i64
    ) gesv([n, nrhs, lda, ldb, batch_count], [pointers(a_array), pointers(ipiv_array), pointers(b_array)], info);
    /// Workspace of tephra_xgesv_batched() in bytes; 0 on the CPU backend. Its arguments are checked as in that call,
    /// and are numbered storage 1, n 2, nrhs 3, lda 4, ldb 5, batch_count 6.
    tephra_xgesv_batched_workspace(n: i64, nrhs: i64, lda: i64, ldb: i64, batch_count: i64)
        gesv([n, nrhs, lda, ldb, batch_count], [Operand::NULL; 3], null_mut());
    /// tephra_xgesv_batched() for matrices at a constant stride (in elements), as tephra_sgesv_strided_batched().
    /// Arguments are numbered storage 1, n 2, nrhs 3, a 4, lda 5, stride_a 6, ipiv 7, stride_ipiv 8, b 9, ldb 10,
    /// stride_b 11, info 12, batch_count 13, work 14, work_bytes 15, stream 16.
    tephra_xgesv_strided_batched(
        n: i64, nrhs: i64, a: *mut c_void, lda: i64, stride_a: i64, ipiv: *mut c_int, stride_ipiv: i64, b: *mut c_void,
        ldb: i64, stride_b: i64, info: *mut c_int, batch_count: i64
    ) gesv(
        [n, nrhs, lda, ldb, batch_count],
        [strided(a, stride_a), strided(ipiv, stride_ipiv), strided(b, stride_b)],
        info,
    );
    /// Workspace of tephra_xgesv_strided_batched() in bytes. Arguments are numbered storage 1, n 2, nrhs 3, lda 4, stride_a 5,
    /// stride_ipiv 6, ldb 7, stride_b 8, batch_count 9.
    tephra_xgesv_strided_batched_workspace(
        n: i64, nrhs: i64, lda: i64, stride_a: i64, stride_ipiv: i64, ldb: i64, stride_b: i64, batch_count: i64
    ) gesv([n, nrhs, lda, ldb, batch_count], strides_only([stride_a, stride_ipiv, stride_b]), null_mut());

    /// tephra_sgemm_batched() on matrices with 16-bit storage, with the rounding of tephra_xgeqrf_batched(): products
    /// and sums are in FP32, and each element of C is rounded once. cublasGemmBatchedEx on tensor cores is faster, if
    /// the accuracy of their sums is sufficient.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | storage | TEPHRA_STORAGE_FP16 or TEPHRA_STORAGE_BF16: of A, B and C |
    /// | 2 | trans_a | op of A: TEPHRA_TRANS_N, _T or _C |
    /// | 3 | trans_b | op of B, likewise |
    /// | 4 | m | rows of op(A) and C, m >= 0 |
    /// | 5 | n | columns of op(B) and C, n >= 0 |
    /// | 6 | k | columns of op(A), rows of op(B), k >= 0 |
    /// | 7 | alpha | one float in host memory, read before the call returns; not NULL when there is work |
    /// | 8 | a_array | batch_count pointers to m x k matrices (k x m if transposed); not NULL when they are read |
    /// | 9 | lda | leading dimension of A, lda >= max(1,m) (max(1,k) if transposed) |
    /// | 10 | b_array | batch_count pointers to k x n matrices (n x k if transposed), likewise |
    /// | 11 | ldb | leading dimension of B, ldb >= max(1,k) (max(1,n) if transposed) |
    /// | 12 | beta | one float in host memory, as alpha |
    /// | 13 | c_array | batch_count pointers to m x n matrices; not NULL when there is work |
    /// | 14 | ldc | leading dimension of C, ldc >= max(1,m) |
    /// | 15 | batch_count | number of matrices, >= 0 |
    /// | 16 | work | workspace in device memory, aligned to 16 bytes, or NULL when none is needed |
    /// | 17 | work_bytes | size of work, at least what tephra_xgemm_batched_workspace() reports; a smaller one is an error |
    /// | 18 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Otherwise as tephra_sgemm_batched().
    tephra_xgemm_batched(
        trans_a: c_int, trans_b: c_int, m: i64, n: i64, k: i64, alpha: *const f32, a_array: *const *mut c_void, lda: i64,
        b_array: *const *mut c_void, ldb: i64, beta: *const f32, c_array: *const *mut c_void, ldc: i64, batch_count: i64
    ) gemm(
        [trans_a, trans_b],
        [m, n, k, lda, ldb, ldc, batch_count],
        [scalar(alpha), scalar(beta)],
        [pointers(a_array), pointers(b_array), pointers(c_array)],
    );
    /// Workspace of tephra_xgemm_batched() in bytes, whatever the scalars are; 0 on the CPU backend. Its arguments are
    /// checked as in that call, and are numbered storage 1, trans_a 2, trans_b 3, m 4, n 5, k 6, lda 7, ldb 8, ldc 9,
    /// batch_count 10.
    tephra_xgemm_batched_workspace(
        trans_a: c_int, trans_b: c_int, m: i64, n: i64, k: i64, lda: i64, ldb: i64, ldc: i64, batch_count: i64
    ) gemm([trans_a, trans_b], [m, n, k, lda, ldb, ldc, batch_count], QUERY_SCALARS, [Operand::NULL; 3]);
    /// tephra_xgemm_batched() for matrices at a constant stride (in elements), as tephra_sgemm_strided_batched().
    /// Arguments are numbered storage 1, trans_a 2, trans_b 3, m 4, n 5, k 6, alpha 7, a 8, lda 9, stride_a 10, b 11,
    /// ldb 12, stride_b 13, beta 14, c 15, ldc 16, stride_c 17, batch_count 18, work 19, work_bytes 20, stream 21.
    tephra_xgemm_strided_batched(
        trans_a: c_int, trans_b: c_int, m: i64, n: i64, k: i64, alpha: *const f32, a: *const c_void, lda: i64, stride_a: i64,
        b: *const c_void, ldb: i64, stride_b: i64, beta: *const f32, c: *mut c_void, ldc: i64, stride_c: i64, batch_count: i64
    ) gemm(
        [trans_a, trans_b],
        [m, n, k, lda, ldb, ldc, batch_count],
        [scalar(alpha), scalar(beta)],
        [strided(a.cast_mut(), stride_a), strided(b.cast_mut(), stride_b), strided(c, stride_c)],
    );
    /// Workspace of tephra_xgemm_strided_batched() in bytes, whatever the scalars are. Arguments are numbered storage 1, trans_a 2,
    /// trans_b 3, m 4, n 5, k 6, lda 7, stride_a 8, ldb 9, stride_b 10, ldc 11, stride_c 12, batch_count 13.
    tephra_xgemm_strided_batched_workspace(
        trans_a: c_int, trans_b: c_int, m: i64, n: i64, k: i64, lda: i64, stride_a: i64, ldb: i64, stride_b: i64, ldc: i64,
        stride_c: i64, batch_count: i64
    ) gemm([trans_a, trans_b], [m, n, k, lda, ldb, ldc, batch_count], QUERY_SCALARS, strides_only([stride_a, stride_b, stride_c]));
}
