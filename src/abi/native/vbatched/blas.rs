//! Products and triangular solves.

use super::super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use tephra_core::face::native::*;
use tephra_core::routine::{Alpha, Gemm, GemmSizes, Gemv, GemvSizes, Operation, Trsm, TrsmSizes};
use tephra_core::{Arg, Dtype, Error, Operand, Stream, entry};

/// The upper bounds of the sizes, and the number of members.
struct Largest<const N: usize> {
    sizes: [i64; N],
    batch: i64,
}

fn product(
    dtype: Dtype,
    [trans_a, trans_b]: [c_int; 2],
    Largest { sizes: largest, batch }: Largest<3>,
    sizes: GemmSizes,
    factors: [Alpha; 2],
    operands: [Operand; 3],
) -> Result<Operation, Error> {
    let trans = [trans_of(trans_a, Arg::TransA)?, trans_of(trans_b, Arg::TransB)?];
    let gemm = Gemm::uniform(dtype, trans, largest, factors, operands, [1; 3], batch);
    Ok(Operation::Gemm(Gemm { sizes: Some(sizes), ..gemm }))
}

fn vector_product(
    dtype: Dtype,
    flag: c_int,
    Largest { sizes: [m, n], batch }: Largest<2>,
    sizes: GemvSizes,
    [alpha, beta]: [Alpha; 2],
    [a, x, y]: [Operand; 3],
) -> Result<Operation, Error> {
    let (trans, sizes, lda, incx, incy) = (trans(flag)?, Some(sizes), 1, 1, 1);
    let (first, any_stride) = ([0; 3], false);
    let p = Gemv { dtype, trans, m, n, alpha, a, lda, x, incx, beta, y, incy, sizes, batch, first, any_stride };
    Ok(Operation::Gemv(p))
}

fn system(
    dtype: Dtype,
    flags: [c_int; 4],
    Largest { sizes: [m, n], batch }: Largest<2>,
    sizes: TrsmSizes,
    alpha: Alpha,
    [a, b]: [Operand; 2],
) -> Result<Operation, Error> {
    let (side, uplo) = (side(flags[0])?, uplo(flags[1])?);
    let (trans, diag) = (trans(flags[2])?, diag(flags[3])?);
    let sizes = Some(sizes);
    Ok(Operation::Trsm(Trsm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda: 1, b, ldb: 1, sizes, batch }))
}

macro_rules! vbatched {
    ($($ty:ty: $dtype:ident: $(#[$g:meta])* $gemm:ident, $(#[$v:meta])* $gemv:ident, $(#[$t:meta])* $trsm:ident;)*
    ) => { entry! {$(
        $(#[$g])*
        fn $gemm(
            max_m: i64, max_n: i64, max_k: i64, trans_a: c_int, trans_b: c_int, m: *const c_int, n: *const c_int,
            k: *const c_int, alpha: *const $ty, a_array: *const *mut $ty, lda: *const c_int, b_array: *const *mut $ty,
            ldb: *const c_int, beta: *const $ty, c_array: *const *mut $ty, ldc: *const c_int, batch_count: i64,
            stream: *mut c_void,
        ) -> Status {
            let (trans, sizes) = ([trans_a, trans_b], GemmSizes { m, n, k, lda, ldb, ldc });
            let largest = Largest { sizes: [max_m, max_n, max_k], batch: batch_count };
            let operands = [pointers(a_array), pointers(b_array), pointers(c_array)];
            let factors = [alpha, beta].map(|x| Alpha::read(Dtype::$dtype, x.cast()));
            let op = product(Dtype::$dtype, trans, largest, sizes, factors, operands);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$v])*
        fn $gemv(
            max_m: i64, max_n: i64, trans: c_int, m: *const c_int, n: *const c_int, alpha: *const $ty,
            a_array: *const *mut $ty, lda: *const c_int, x_array: *const *mut $ty, incx: *const c_int, beta: *const $ty,
            y_array: *const *mut $ty, incy: *const c_int, batch_count: i64, stream: *mut c_void,
        ) -> Status {
            let largest = Largest { sizes: [max_m, max_n], batch: batch_count };
            let operands = [pointers(a_array), pointers(x_array), pointers(y_array)];
            let factors = [alpha, beta].map(|x| Alpha::read(Dtype::$dtype, x.cast()));
            let sizes = GemvSizes { m, n, lda, incx, incy };
            let op = vector_product(Dtype::$dtype, trans, largest, sizes, factors, operands);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$t])*
        fn $trsm(
            max_m: i64, max_n: i64, side: c_int, uplo: c_int, trans: c_int, diag: c_int, m: *const c_int, n: *const c_int,
            alpha: *const $ty, a_array: *const *mut $ty, lda: *const c_int, b_array: *const *mut $ty, ldb: *const c_int,
            batch_count: i64, stream: *mut c_void,
        ) -> Status {
            let (flags, sizes) = ([side, uplo, trans, diag], TrsmSizes { m, n, lda, ldb });
            let largest = Largest { sizes: [max_m, max_n], batch: batch_count };
            let (operands, alpha) = ([pointers(a_array), pointers(b_array)], Alpha::read(Dtype::$dtype, alpha.cast()));
            let op = system(Dtype::$dtype, flags, largest, sizes, alpha, operands);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }
    )*}};
}

vbatched! {
    f32: S:
    /// tephra_sgemm_batched() for members with individual sizes: op(A(i)) is m[i] x k[i], op(B(i)) k[i] x n[i].
    ///
    /// The sizes are in device memory and are never read by the host; max_m, max_n and max_k are their upper bounds, by
    /// which the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and
    /// can be captured in a CUDA graph; each replay may see different sizes. With k[i] = 0, C(i) is scaled by beta.
    /// Members with invalid sizes are neither read nor written, and no error code reports them: those with m[i], n[i]
    /// or k[i] below 0 or above its maximum, or with a leading dimension less than the rows of its matrix; and those
    /// of which a matrix that is needed is NULL.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | max_m | no C has more rows, max_m >= 0 |
    /// | 2 | max_n | no C has more columns, max_n >= 0 |
    /// | 3 | max_k | no product has more terms, max_k >= 0 |
    /// | 4 | trans_a | op of A: TEPHRA_TRANS_N, _T or _C |
    /// | 5 | trans_b | op of B, likewise |
    /// | 6 | m | batch_count ints in device memory: rows of op(A) and C; not NULL when there is work |
    /// | 7 | n | batch_count ints in device memory: columns of op(B) and C, likewise |
    /// | 8 | k | batch_count ints in device memory: columns of op(A), rows of op(B), likewise |
    /// | 9 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
    /// | 10 | a_array | batch_count pointers to m[i] x k[i] matrices (k[i] x m[i] if transposed); not NULL when they are read |
    /// | 11 | lda | batch_count ints in device memory: leading dimensions of A, not NULL when there is work |
    /// | 12 | b_array | batch_count pointers to k[i] x n[i] matrices (n[i] x k[i] if transposed), as a_array |
    /// | 13 | ldb | batch_count ints in device memory: leading dimensions of B, as lda |
    /// | 14 | beta | one number in host memory, as alpha |
    /// | 15 | c_array | batch_count pointers to m[i] x n[i] matrices; not NULL when there is work |
    /// | 16 | ldc | batch_count ints in device memory: leading dimensions of C, as lda |
    /// | 17 | batch_count | number of members, >= 0 |
    /// | 18 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
    /// or batch_count is 0, or beta is 1 and alpha or max_k is 0. With alpha = 0 or max_k = 0, a_array and b_array may
    /// be NULL.
    tephra_sgemm_vbatched,
    /// tephra_sgemv_batched() for members with individual sizes and increments: A(i) is m[i] x n[i].
    ///
    /// The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
    /// the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
    /// captured in a CUDA graph; each replay may see different sizes. If m[i] or n[i] is 0, nothing is done, as in
    /// BLAS. Members with invalid sizes are neither read nor written, and no error code reports them: those with m[i]
    /// or n[i] below 0 or above its maximum, with a leading dimension that is less than m[i], or with an increment
    /// of 0.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | max_m | no A has more rows, max_m >= 0 |
    /// | 2 | max_n | no A has more columns, max_n >= 0 |
    /// | 3 | trans | op: TEPHRA_TRANS_N, _T or _C |
    /// | 4 | m | batch_count ints in device memory: rows of A; not NULL when there is work |
    /// | 5 | n | batch_count ints in device memory: columns of A, likewise |
    /// | 6 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
    /// | 7 | a_array | batch_count pointers to m[i] x n[i] matrices; not NULL when they are read |
    /// | 8 | lda | batch_count ints in device memory: leading dimensions of A, not NULL when there is work |
    /// | 9 | x_array | batch_count pointers to vectors of n[i] elements (m[i] if transposed), as a_array |
    /// | 10 | incx | batch_count ints in device memory: increments of x; if negative, x starts with its last element; as lda |
    /// | 11 | beta | one number in host memory, as alpha |
    /// | 12 | y_array | batch_count pointers to vectors of m[i] elements (n[i] if transposed); not NULL when there is work |
    /// | 13 | incy | batch_count ints in device memory: increments of y, as incx |
    /// | 14 | batch_count | number of members, >= 0 |
    /// | 15 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
    /// or batch_count is 0, or alpha is 0 and beta 1. With alpha = 0, a_array and x_array may be NULL.
    tephra_sgemv_vbatched,
    /// tephra_strsm_batched() for members with individual sizes: B(i) is m[i] x n[i].
    ///
    /// The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
    /// the kernels are chosen. The call is asynchronous on the stream, needs no workspace, allocates nothing (except
    /// scratch memory from the stream-ordered pool for few large members) and can be captured in a CUDA graph; each
    /// replay may see different sizes. Members with invalid sizes are neither read nor written, and no error code
    /// reports them: those with m[i] or n[i] below 0 or above its maximum, or with a leading dimension that is too
    /// small.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | max_m | no B has more rows, max_m >= 0 |
    /// | 2 | max_n | no B has more columns, max_n >= 0 |
    /// | 3 | side | TEPHRA_SIDE_LEFT or TEPHRA_SIDE_RIGHT |
    /// | 4 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER |
    /// | 5 | trans | TEPHRA_TRANS_N, _T or _C |
    /// | 6 | diag | TEPHRA_DIAG_NON_UNIT or TEPHRA_DIAG_UNIT |
    /// | 7 | m | batch_count ints in device memory: rows of B; not NULL when there is work |
    /// | 8 | n | batch_count ints in device memory: columns of B, likewise |
    /// | 9 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
    /// | 10 | a_array | batch_count pointers to matrices of order q = m[i] (left) or n[i] (right); not NULL unless alpha is 0 |
    /// | 11 | lda | batch_count ints in device memory: leading dimensions of A, at least q; not NULL when there is work |
    /// | 12 | b_array | batch_count pointers to m[i] x n[i] matrices, likewise |
    /// | 13 | ldb | batch_count ints in device memory: leading dimensions of B, at least m[i]; likewise |
    /// | 14 | batch_count | number of members, >= 0 |
    /// | 15 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
    /// or batch_count is 0.
    tephra_strsm_vbatched;

    f64: D:
    /// tephra_sgemm_vbatched() in double precision.
    tephra_dgemm_vbatched,
    /// tephra_sgemv_vbatched() in double precision.
    tephra_dgemv_vbatched,
    /// tephra_strsm_vbatched() in double precision.
    tephra_dtrsm_vbatched;

    C32: C:
    /// tephra_sgemm_vbatched() in single precision complex.
    tephra_cgemm_vbatched,
    /// tephra_sgemv_vbatched() in single precision complex.
    tephra_cgemv_vbatched,
    /// tephra_strsm_vbatched() in single precision complex.
    tephra_ctrsm_vbatched;

    C64: Z:
    /// tephra_sgemm_vbatched() in double precision complex.
    tephra_zgemm_vbatched,
    /// tephra_sgemv_vbatched() in double precision complex.
    tephra_zgemv_vbatched,
    /// tephra_strsm_vbatched() in double precision complex.
    tephra_ztrsm_vbatched;
}
