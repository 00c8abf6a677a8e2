//! Symmetric and Hermitian products, and products with triangular matrices.

use super::super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use tephra_core::face::native::*;
use tephra_core::routine::{Alpha, Operation, Symm, SymmSizes, Syr2k, Syrk, SyrkSizes, Trmm, TrsmSizes};
use tephra_core::{Dtype, Error, Operand, Stream, entry};

/// A rank-k or rank-2k update without its operands. `flags` are uplo and trans, `most` the upper bounds of n and k,
/// `factors` alpha and beta.
struct Update {
    dtype: Dtype,
    hermitian: bool,
    flags: [c_int; 2],
    most: [i64; 2],
    sizes: SyrkSizes,
    factors: [Alpha; 2],
    batch: i64,
}

impl Update {
    fn of_one(self, [a, c]: [Operand; 2]) -> Result<Operation, Error> {
        let Update { dtype, hermitian, flags, most: [n, k], sizes, factors: [alpha, beta], batch } = self;
        let (uplo, trans, lda, ldc, sizes) = (uplo(flags[0])?, trans(flags[1])?, 1, 1, Some(sizes));
        Ok(Operation::Syrk(Syrk { dtype, hermitian, uplo, trans, n, k, alpha, a, lda, beta, c, ldc, sizes, batch }))
    }

    fn of_two(self, [a, b, c]: [Operand; 3]) -> Result<Operation, Error> {
        let Update { dtype, hermitian, flags, most: [n, k], sizes, factors: [alpha, beta], batch } = self;
        let (uplo, trans, once, sizes) = (uplo(flags[0])?, trans(flags[1])?, false, Some(sizes));
        let (lda, ldb, ldc) = (1, 1, 1);
        let p = Syr2k { dtype, hermitian, once, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc, sizes, batch };
        Ok(Operation::Syr2k(p))
    }
}

macro_rules! updates {
    ($hermitian:literal: $($ty:ty, $one:ty, $dtype:ident, $real:expr;
        $(#[$k:meta])* $rank_k:ident, $(#[$k2:meta])* $rank_2k:ident;)*) => { entry! {$(
        $(#[$k])*
        fn $rank_k(
            max_n: i64, max_k: i64, uplo: c_int, trans: c_int, n: *const c_int, k: *const c_int, alpha: *const $one,
            a_array: *const *mut $ty, lda: *const c_int, beta: *const $one, c_array: *const *mut $ty,
            ldc: *const c_int, batch_count: i64, stream: *mut c_void,
        ) -> Status {
            let (flags, sizes) = ([uplo, trans], SyrkSizes { n, k, lda, ldb: lda, ldc });
            let factors = [alpha, beta].map(|x| Alpha::read($real, x.cast()));
            let (dtype, most, batch, hermitian) = (Dtype::$dtype, [max_n, max_k], batch_count, $hermitian);
            let update = Update { dtype, hermitian, flags, most, sizes, factors, batch };
            let op = update.of_one([pointers(a_array), pointers(c_array)]);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }

        $(#[$k2])*
        fn $rank_2k(
            max_n: i64, max_k: i64, uplo: c_int, trans: c_int, n: *const c_int, k: *const c_int, alpha: *const $ty,
            a_array: *const *mut $ty, lda: *const c_int, b_array: *const *mut $ty, ldb: *const c_int,
            beta: *const $one, c_array: *const *mut $ty, ldc: *const c_int, batch_count: i64, stream: *mut c_void,
        ) -> Status {
            let (flags, sizes) = ([uplo, trans], SyrkSizes { n, k, lda, ldb, ldc });
            let factors = [Alpha::read(Dtype::$dtype, alpha.cast()), Alpha::read($real, beta.cast())];
            let (dtype, most, batch, hermitian) = (Dtype::$dtype, [max_n, max_k], batch_count, $hermitian);
            let update = Update { dtype, hermitian, flags, most, sizes, factors, batch };
            let op = update.of_two([pointers(a_array), pointers(b_array), pointers(c_array)]);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }
    )*}};
}

macro_rules! triangles {
    ($($ty:ty: $dtype:ident: $(#[$doc:meta])* $trmm:ident;)*) => { entry! {$(
        $(#[$doc])*
        fn $trmm(
            max_m: i64, max_n: i64, side: c_int, uplo: c_int, trans: c_int, diag: c_int, m: *const c_int, n: *const c_int,
            alpha: *const $ty, a_array: *const *mut $ty, lda: *const c_int, b_array: *const *mut $ty, ldb: *const c_int,
            batch_count: i64, stream: *mut c_void,
        ) -> Status {
            let flags = [side, uplo, trans, diag];
            let operands = [pointers(a_array), pointers(b_array)];
            let (alpha, sizes) = (Alpha::read(Dtype::$dtype, alpha.cast()), TrsmSizes { m, n, lda, ldb });
            let op = triangle(Dtype::$dtype, flags, [max_m, max_n, batch_count], sizes, alpha, operands);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }
    )*}};
}

fn triangle(
    dtype: Dtype,
    flags: [c_int; 4],
    [m, n, batch]: [i64; 3],
    sizes: TrsmSizes,
    alpha: Alpha,
    [a, b]: [Operand; 2],
) -> Result<Operation, Error> {
    let (side, uplo) = (side(flags[0])?, uplo(flags[1])?);
    let (trans, diag, sizes) = (trans(flags[2])?, diag(flags[3])?, Some(sizes));
    Ok(Operation::Trmm(Trmm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda: 1, b, ldb: 1, sizes, batch }))
}

updates! {
    false:
    f32, f32, S, Dtype::S;
    /// tephra_ssyrk_batched() for members with individual sizes: C(i) has order n[i], op(A(i)) k[i] columns.
    ///
    /// The sizes are in device memory and are never read by the host; max_n and max_k are their upper bounds, by which
    /// the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
    /// captured in a CUDA graph; each replay may see different sizes. With k[i] = 0, C(i) is scaled by beta. Members
    /// with invalid sizes are neither read nor written, and no error code reports them: those with n[i] or k[i] below 0
    /// or above its maximum, or with a leading dimension less than the rows of its matrix.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | max_n | no C has a higher order, max_n >= 0 |
    /// | 2 | max_k | no product has more terms, max_k >= 0 |
    /// | 3 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of C |
    /// | 4 | trans | TEPHRA_TRANS_N or _T; for real types _C is the same as _T |
    /// | 5 | n | batch_count ints in device memory: orders of C; not NULL when there is work |
    /// | 6 | k | batch_count ints in device memory: columns of op(A), likewise |
    /// | 7 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
    /// | 8 | a_array | batch_count pointers to n[i] x k[i] matrices, k[i] x n[i] where trans is not N; not NULL when they are read |
    /// | 9 | lda | batch_count ints in device memory: leading dimensions of A; not NULL when there is work |
    /// | 10 | beta | one number in host memory, as alpha |
    /// | 11 | c_array | batch_count pointers to matrices of order n[i]; not NULL when there is work |
    /// | 12 | ldc | batch_count ints in device memory: leading dimensions of C, as lda |
    /// | 13 | batch_count | number of members, >= 0 |
    /// | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
    /// batch_count is
    /// 0. With alpha = 0 or max_k = 0, a_array may be NULL.
    tephra_ssyrk_vbatched,
    /// tephra_ssyr2k_batched() for members with individual sizes: C(i) has order n[i], op(A(i)) and op(B(i)) k[i]
    /// columns.
    ///
    /// The sizes are in device memory and are never read by the host; max_n and max_k are their upper bounds, by which
    /// the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
    /// captured in a CUDA graph; each replay may see different sizes. With k[i] = 0, C(i) is scaled by beta. Members
    /// with invalid sizes are neither read nor written, and no error code reports them: those with n[i] or k[i] below 0
    /// or above its maximum, or with a leading dimension less than the rows of its matrix.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | max_n | no C has a higher order, max_n >= 0 |
    /// | 2 | max_k | no product has more terms, max_k >= 0 |
    /// | 3 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of C |
    /// | 4 | trans | TEPHRA_TRANS_N or _T; for real types _C is the same as _T |
    /// | 5 | n | batch_count ints in device memory: orders of C; not NULL when there is work |
    /// | 6 | k | batch_count ints in device memory: columns of op(A), likewise |
    /// | 7 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
    /// | 8 | a_array | batch_count pointers to n[i] x k[i] matrices, k[i] x n[i] where trans is not N; not NULL when they are read |
    /// | 9 | lda | batch_count ints in device memory: leading dimensions of A; not NULL when there is work |
    /// | 10 | b_array | batch_count pointers to matrices of A's shape, as a_array |
    /// | 11 | ldb | batch_count ints in device memory: leading dimensions of B, as lda |
    /// | 12 | beta | one number in host memory, as alpha |
    /// | 13 | c_array | batch_count pointers to matrices of order n[i]; not NULL when there is work |
    /// | 14 | ldc | batch_count ints in device memory: leading dimensions of C, as lda |
    /// | 15 | batch_count | number of members, >= 0 |
    /// | 16 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
    /// batch_count is
    /// 0. With alpha = 0 or max_k = 0, a_array and b_array may be NULL.
    tephra_ssyr2k_vbatched;
    f64, f64, D, Dtype::D;
    /// tephra_ssyrk_vbatched() in double precision.
    tephra_dsyrk_vbatched,
    /// tephra_ssyr2k_vbatched() in double precision.
    tephra_dsyr2k_vbatched;
    C32, C32, C, Dtype::C;
    /// tephra_ssyrk_vbatched() in single precision complex.
    tephra_csyrk_vbatched,
    /// tephra_ssyr2k_vbatched() in single precision complex.
    tephra_csyr2k_vbatched;
    C64, C64, Z, Dtype::Z;
    /// tephra_ssyrk_vbatched() in double precision complex.
    tephra_zsyrk_vbatched,
    /// tephra_ssyr2k_vbatched() in double precision complex.
    tephra_zsyr2k_vbatched;
}

updates! {
    true:
    C32, f32, C, Dtype::S;
    /// tephra_cherk_batched() for members with individual sizes: C(i) has order n[i], op(A(i)) k[i] columns.
    ///
    /// The sizes are in device memory and are never read by the host; max_n and max_k are their upper bounds, by which
    /// the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
    /// captured in a CUDA graph; each replay may see different sizes. With k[i] = 0, C(i) is scaled by beta. Members
    /// with invalid sizes are neither read nor written, and no error code reports them: those with n[i] or k[i] below 0
    /// or above its maximum, or with a leading dimension less than the rows of its matrix.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | max_n | no C has a higher order, max_n >= 0 |
    /// | 2 | max_k | no product has more terms, max_k >= 0 |
    /// | 3 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of C |
    /// | 4 | trans | TEPHRA_TRANS_N or _C |
    /// | 5 | n | batch_count ints in device memory: orders of C; not NULL when there is work |
    /// | 6 | k | batch_count ints in device memory: columns of op(A), likewise |
    /// | 7 | alpha | one real number in host memory, read before the call returns; not NULL when there is work |
    /// | 8 | a_array | batch_count pointers to n[i] x k[i] matrices, k[i] x n[i] where trans is not N; not NULL when they are read |
    /// | 9 | lda | batch_count ints in device memory: leading dimensions of A; not NULL when there is work |
    /// | 10 | beta | one real number in host memory, as alpha |
    /// | 11 | c_array | batch_count pointers to matrices of order n[i]; not NULL when there is work |
    /// | 12 | ldc | batch_count ints in device memory: leading dimensions of C, as lda |
    /// | 13 | batch_count | number of members, >= 0 |
    /// | 14 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
    /// batch_count is
    /// 0. With alpha = 0 or max_k = 0, a_array may be NULL.
    tephra_cherk_vbatched,
    /// tephra_cher2k_batched() for members with individual sizes: C(i) has order n[i], op(A(i)) and op(B(i)) k[i]
    /// columns.
    ///
    /// The sizes are in device memory and are never read by the host; max_n and max_k are their upper bounds, by which
    /// the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
    /// captured in a CUDA graph; each replay may see different sizes. With k[i] = 0, C(i) is scaled by beta. Members
    /// with invalid sizes are neither read nor written, and no error code reports them: those with n[i] or k[i] below 0
    /// or above its maximum, or with a leading dimension less than the rows of its matrix.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | max_n | no C has a higher order, max_n >= 0 |
    /// | 2 | max_k | no product has more terms, max_k >= 0 |
    /// | 3 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of C |
    /// | 4 | trans | TEPHRA_TRANS_N or _C |
    /// | 5 | n | batch_count ints in device memory: orders of C; not NULL when there is work |
    /// | 6 | k | batch_count ints in device memory: columns of op(A), likewise |
    /// | 7 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
    /// | 8 | a_array | batch_count pointers to n[i] x k[i] matrices, k[i] x n[i] where trans is not N; not NULL when they are read |
    /// | 9 | lda | batch_count ints in device memory: leading dimensions of A; not NULL when there is work |
    /// | 10 | b_array | batch_count pointers to matrices of A's shape, as a_array |
    /// | 11 | ldb | batch_count ints in device memory: leading dimensions of B, as lda |
    /// | 12 | beta | one real number in host memory, as alpha |
    /// | 13 | c_array | batch_count pointers to matrices of order n[i]; not NULL when there is work |
    /// | 14 | ldc | batch_count ints in device memory: leading dimensions of C, as lda |
    /// | 15 | batch_count | number of members, >= 0 |
    /// | 16 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_n or
    /// batch_count is
    /// 0. With alpha = 0 or max_k = 0, a_array and b_array may be NULL.
    tephra_cher2k_vbatched;
    C64, f64, Z, Dtype::D;
    /// tephra_cherk_vbatched() in double precision complex.
    tephra_zherk_vbatched,
    /// tephra_cher2k_vbatched() in double precision complex.
    tephra_zher2k_vbatched;
}

triangles! {
    f32: S:
    /// tephra_strmm_batched() for members with individual sizes: B(i) is m[i] x n[i].
    ///
    /// The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
    /// the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
    /// captured in a CUDA graph; each replay may see different sizes. Members with invalid sizes are neither read nor
    /// written, and no error code reports them: those with m[i] or n[i] below 0 or above its maximum, or with a leading
    /// dimension that is too small.
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
    tephra_strmm_vbatched;

    f64: D:
    /// tephra_strmm_vbatched() in double precision.
    tephra_dtrmm_vbatched;

    C32: C:
    /// tephra_strmm_vbatched() in single precision complex.
    tephra_ctrmm_vbatched;

    C64: Z:
    /// tephra_strmm_vbatched() in double precision complex.
    tephra_ztrmm_vbatched;
}

/// symm and hemm; `flags` are side and uplo, and m and n the upper bounds.
fn symmetric(
    dtype: Dtype,
    (hermitian, flags): (bool, [c_int; 2]),
    [m, n, batch]: [i64; 3],
    sizes: SymmSizes,
    [alpha, beta]: [Alpha; 2],
    [a, b, c]: [Operand; 3],
) -> Result<Operation, Error> {
    let (side, uplo, sizes) = (side(flags[0])?, uplo(flags[1])?, Some(sizes));
    let (lda, ldb, ldc) = (1, 1, 1);
    let p = Symm { dtype, hermitian, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc, sizes, batch };
    Ok(Operation::Symm(p))
}

macro_rules! symmetric {
    ($hermitian:literal: $($ty:ty: $dtype:ident: $(#[$doc:meta])* $name:ident;)*) => { entry! {$(
        $(#[$doc])*
        fn $name(
            max_m: i64, max_n: i64, side: c_int, uplo: c_int, m: *const c_int, n: *const c_int, alpha: *const $ty,
            a_array: *const *mut $ty, lda: *const c_int, b_array: *const *mut $ty, ldb: *const c_int, beta: *const $ty,
            c_array: *const *mut $ty, ldc: *const c_int, batch_count: i64, stream: *mut c_void,
        ) -> Status {
            let factors = [alpha, beta].map(|x| Alpha::read(Dtype::$dtype, x.cast()));
            let operands = [pointers(a_array), pointers(b_array), pointers(c_array)];
            let (most, sizes) = ([max_m, max_n, batch_count], SymmSizes { m, n, lda, ldb, ldc });
            let op = symmetric(Dtype::$dtype, ($hermitian, [side, uplo]), most, sizes, factors, operands);
            Ok(Status(run(PROTOTYPE, op, Stream(stream))))
        }
    )*}};
}

symmetric! {
    false:
    f32: S:
    /// tephra_ssymm_batched() for members with individual sizes: B(i) and C(i) are m[i] x n[i].
    ///
    /// The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
    /// the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
    /// captured in a CUDA graph; each replay may see different sizes. Members with invalid sizes are neither read nor
    /// written, and no error code reports them: those with m[i] or n[i] below 0 or above its maximum, or with a leading
    /// dimension that is too small; and those of which a matrix that is needed is NULL.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | max_m | no C has more rows, max_m >= 0 |
    /// | 2 | max_n | no C has more columns, max_n >= 0 |
    /// | 3 | side | TEPHRA_SIDE_LEFT (A B) or TEPHRA_SIDE_RIGHT (B A) |
    /// | 4 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
    /// | 5 | m | batch_count ints in device memory: rows of B and C; not NULL when there is work |
    /// | 6 | n | batch_count ints in device memory: columns of B and C, likewise |
    /// | 7 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
    /// | 8 | a_array | batch_count pointers to matrices of order q = m[i] (left) or n[i] (right); not NULL when they are read |
    /// | 9 | lda | batch_count ints in device memory: leading dimensions of A, at least q; not NULL when there is work |
    /// | 10 | b_array | batch_count pointers to m[i] x n[i] matrices, as a_array |
    /// | 11 | ldb | batch_count ints in device memory: leading dimensions of B, at least m[i]; likewise |
    /// | 12 | beta | one number in host memory, as alpha |
    /// | 13 | c_array | batch_count pointers to m[i] x n[i] matrices; not NULL when there is work |
    /// | 14 | ldc | batch_count ints in device memory: leading dimensions of C, at least m[i]; likewise |
    /// | 15 | batch_count | number of members, >= 0 |
    /// | 16 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
    /// or batch_count is 0. With alpha = 0, a_array and b_array may be NULL.
    tephra_ssymm_vbatched;

    f64: D:
    /// tephra_ssymm_vbatched() in double precision.
    tephra_dsymm_vbatched;

    C32: C:
    /// tephra_ssymm_vbatched() in single precision complex.
    tephra_csymm_vbatched;

    C64: Z:
    /// tephra_ssymm_vbatched() in double precision complex.
    tephra_zsymm_vbatched;
}

symmetric! {
    true:
    C32: C:
    /// tephra_chemm_batched() for members with individual sizes: B(i) and C(i) are m[i] x n[i].
    ///
    /// The sizes are in device memory and are never read by the host; max_m and max_n are their upper bounds, by which
    /// the kernels are chosen. The call is asynchronous on the stream, allocates nothing, needs no workspace and can be
    /// captured in a CUDA graph; each replay may see different sizes. Members with invalid sizes are neither read nor
    /// written, and no error code reports them: those with m[i] or n[i] below 0 or above its maximum, or with a leading
    /// dimension that is too small; and those of which a matrix that is needed is NULL.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | max_m | no C has more rows, max_m >= 0 |
    /// | 2 | max_n | no C has more columns, max_n >= 0 |
    /// | 3 | side | TEPHRA_SIDE_LEFT (A B) or TEPHRA_SIDE_RIGHT (B A) |
    /// | 4 | uplo | TEPHRA_UPLO_UPPER or TEPHRA_UPLO_LOWER: the triangle of A |
    /// | 5 | m | batch_count ints in device memory: rows of B and C; not NULL when there is work |
    /// | 6 | n | batch_count ints in device memory: columns of B and C, likewise |
    /// | 7 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
    /// | 8 | a_array | batch_count pointers to matrices of order q = m[i] (left) or n[i] (right); not NULL when they are read |
    /// | 9 | lda | batch_count ints in device memory: leading dimensions of A, at least q; not NULL when there is work |
    /// | 10 | b_array | batch_count pointers to m[i] x n[i] matrices, as a_array |
    /// | 11 | ldb | batch_count ints in device memory: leading dimensions of B, at least m[i]; likewise |
    /// | 12 | beta | one number in host memory, as alpha |
    /// | 13 | c_array | batch_count pointers to m[i] x n[i] matrices; not NULL when there is work |
    /// | 14 | ldc | batch_count ints in device memory: leading dimensions of C, at least m[i]; likewise |
    /// | 15 | batch_count | number of members, >= 0 |
    /// | 16 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// On the CPU backend all of these are in host memory. The call does nothing and returns success when max_m, max_n
    /// or batch_count is 0. With alpha = 0, a_array and b_array may be NULL.
    tephra_chemm_vbatched;

    C64: Z:
    /// tephra_chemm_vbatched() in double precision complex.
    tephra_zhemm_vbatched;
}
