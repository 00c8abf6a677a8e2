//! Matrix products.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use tephra_core::face::native::*;
use tephra_core::routine::{Alpha, Gemm, Operation};
use tephra_core::{Arg, Dtype, Error, Operand, Stream, entry};

struct Sizes {
    m: i64,
    n: i64,
    k: i64,
    lda: i64,
    ldb: i64,
    ldc: i64,
    batch: i64,
}

fn problem(
    dtype: Dtype,
    [trans_a, trans_b]: [c_int; 2],
    Sizes { m, n, k, lda, ldb, ldc, batch }: Sizes,
    factors: [Alpha; 2],
    operands: [Operand; 3],
) -> Result<Operation, Error> {
    let trans = [trans_of(trans_a, Arg::TransA)?, trans_of(trans_b, Arg::TransB)?];
    Ok(Operation::Gemm(Gemm::uniform(dtype, trans, [m, n, k], factors, operands, [lda, ldb, ldc], batch)))
}

macro_rules! gemm {
    ($($ty:ty: $dtype:ident: $(#[$b:meta])* $batched:ident, $(#[$s:meta])* $strided:ident;)*) => { entry! {$(
        $(#[$b])*
        fn $batched(
            trans_a: c_int, trans_b: c_int, m: i64, n: i64, k: i64, alpha: *const $ty, a_array: *const *mut $ty, lda: i64,
            b_array: *const *mut $ty, ldb: i64, beta: *const $ty, c_array: *const *mut $ty, ldc: i64, batch_count: i64,
            stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { m, n, k, lda, ldb, ldc, batch: batch_count };
            let operands = [pointers(a_array), pointers(b_array), pointers(c_array)];
            let factors = [alpha, beta].map(|x| Alpha::read(Dtype::$dtype, x.cast()));
            Ok(Status(run(PROTOTYPE, problem(Dtype::$dtype, [trans_a, trans_b], sizes, factors, operands), Stream(stream))))
        }

        $(#[$s])*
        fn $strided(
            trans_a: c_int, trans_b: c_int, m: i64, n: i64, k: i64, alpha: *const $ty, a: *const $ty, lda: i64,
            stride_a: i64, b: *const $ty, ldb: i64, stride_b: i64, beta: *const $ty, c: *mut $ty, ldc: i64, stride_c: i64,
            batch_count: i64, stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { m, n, k, lda, ldb, ldc, batch: batch_count };
            let operands = [strided(a.cast_mut(), stride_a), strided(b.cast_mut(), stride_b), strided(c, stride_c)];
            let factors = [alpha, beta].map(|x| Alpha::read(Dtype::$dtype, x.cast()));
            Ok(Status(run(PROTOTYPE, problem(Dtype::$dtype, [trans_a, trans_b], sizes, factors, operands), Stream(stream))))
        }
    )*}};
}

gemm! {
    f32: S:
    /// Batched BLAS SGEMM: C(i) := alpha op(A(i)) op(B(i)) + beta C(i).
    ///
    /// With beta = 0, C is not read; with alpha = 0 or k = 0, A and B are not read (and may be NULL), and C is scaled.
    /// Matrices A may coincide or overlap each other, and so may matrices B. The call is asynchronous on the stream,
    /// allocates nothing (except scratch memory from the stream-ordered pool for batches of up to eight strided
    /// products with k >= 16,384), needs no workspace and can be captured in a CUDA graph.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | trans_a | op of A: TEPHRA_TRANS_N, _T or _C |
    /// | 2 | trans_b | op of B, likewise |
    /// | 3 | m | rows of op(A) and C, m >= 0 |
    /// | 4 | n | columns of op(B) and C, n >= 0 |
    /// | 5 | k | columns of op(A), rows of op(B), k >= 0 |
    /// | 6 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
    /// | 7 | a_array | batch_count pointers to m x k matrices (k x m if transposed); not NULL when they are read |
    /// | 8 | lda | leading dimension of A, lda >= max(1,m) (max(1,k) if transposed) |
    /// | 9 | b_array | batch_count pointers to k x n matrices (n x k if transposed), likewise |
    /// | 10 | ldb | leading dimension of B, ldb >= max(1,k) (max(1,n) if transposed) |
    /// | 11 | beta | one number in host memory, as alpha |
    /// | 12 | c_array | batch_count pointers to m x n matrices; not NULL when there is work |
    /// | 13 | ldc | leading dimension of C, ldc >= max(1,m); rows m..ldc-1 are neither read nor written |
    /// | 14 | batch_count | number of matrices, >= 0 |
    /// | 15 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays and matrices are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and returns
    /// success when m, n or batch_count is 0, or beta is 1 and alpha or k is 0.
    tephra_sgemm_batched,
    /// tephra_sgemm_batched() for matrices at a constant stride (in elements). With batch_count > 1, stride_a >= 0 (0:
    /// one A for all), stride_b >= 0 and stride_c >= max(1,m). Arguments are numbered trans_a 1, trans_b 2, m 3, n 4,
    /// k 5, alpha 6, a 7, lda 8, stride_a 9, b 10, ldb 11, stride_b 12, beta 13, c 14, ldc 15, stride_c 16,
    /// batch_count 17, stream 18.
    tephra_sgemm_strided_batched;

    f64: D:
    /// tephra_sgemm_batched() in double precision.
    tephra_dgemm_batched,
    /// tephra_sgemm_strided_batched() in double precision.
    tephra_dgemm_strided_batched;

    C32: C:
    /// tephra_sgemm_batched() in single precision complex.
    tephra_cgemm_batched,
    /// tephra_sgemm_strided_batched() in single precision complex.
    tephra_cgemm_strided_batched;

    C64: Z:
    /// tephra_sgemm_batched() in double precision complex.
    tephra_zgemm_batched,
    /// tephra_sgemm_strided_batched() in double precision complex.
    tephra_zgemm_strided_batched;
}
