//! Products of matrices with vectors.

use super::{C32, C64, Status};
use std::ffi::{c_int, c_void};
use tephra_core::face::native::*;
use tephra_core::routine::{Alpha, Gemv, Operation};
use tephra_core::{Dtype, Error, Operand, Stream, entry};

struct Sizes {
    m: i64,
    n: i64,
    lda: i64,
    incx: i64,
    incy: i64,
    batch: i64,
}

fn problem(
    dtype: Dtype,
    flag: c_int,
    Sizes { m, n, lda, incx, incy, batch }: Sizes,
    [alpha, beta]: [Alpha; 2],
    [a, x, y]: [Operand; 3],
) -> Result<Operation, Error> {
    let (trans, sizes, first, any_stride) = (trans(flag)?, None, [0; 3], false);
    let p = Gemv { dtype, trans, m, n, alpha, a, lda, x, incx, beta, y, incy, sizes, batch, first, any_stride };
    Ok(Operation::Gemv(p))
}

macro_rules! gemv {
    ($($ty:ty: $dtype:ident: $(#[$b:meta])* $batched:ident, $(#[$s:meta])* $strided:ident;)*) => { entry! {$(
        $(#[$b])*
        fn $batched(
            trans: c_int, m: i64, n: i64, alpha: *const $ty, a_array: *const *mut $ty, lda: i64, x_array: *const *mut $ty,
            incx: i64, beta: *const $ty, y_array: *const *mut $ty, incy: i64, batch_count: i64, stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { m, n, lda, incx, incy, batch: batch_count };
            let operands = [pointers(a_array), pointers(x_array), pointers(y_array)];
            let factors = [alpha, beta].map(|x| Alpha::read(Dtype::$dtype, x.cast()));
            Ok(Status(run(PROTOTYPE, problem(Dtype::$dtype, trans, sizes, factors, operands), Stream(stream))))
        }

        $(#[$s])*
        fn $strided(
            trans: c_int, m: i64, n: i64, alpha: *const $ty, a: *const $ty, lda: i64, stride_a: i64, x: *const $ty,
            incx: i64, stride_x: i64, beta: *const $ty, y: *mut $ty, incy: i64, stride_y: i64, batch_count: i64,
            stream: *mut c_void,
        ) -> Status {
            let sizes = Sizes { m, n, lda, incx, incy, batch: batch_count };
            let operands = [strided(a.cast_mut(), stride_a), strided(x.cast_mut(), stride_x), strided(y, stride_y)];
            let factors = [alpha, beta].map(|x| Alpha::read(Dtype::$dtype, x.cast()));
            Ok(Status(run(PROTOTYPE, problem(Dtype::$dtype, trans, sizes, factors, operands), Stream(stream))))
        }
    )*}};
}

gemv! {
    f32: S:
    /// Batched BLAS SGEMV: y(i) := alpha op(A(i)) x(i) + beta y(i).
    ///
    /// With beta = 0, y is not read; with alpha = 0, A and x are not read (and may be NULL), and y is scaled. Matrices
    /// A may coincide or overlap each other, and so may vectors x. The call is asynchronous on the stream, allocates
    /// nothing, needs no workspace and can be captured in a CUDA graph.
    ///
    /// | # | argument | |
    /// | - | -------- | - |
    /// | 1 | trans | op of A: TEPHRA_TRANS_N, _T or _C |
    /// | 2 | m | rows of A, m >= 0 |
    /// | 3 | n | columns of A, n >= 0 |
    /// | 4 | alpha | one number in host memory, read before the call returns; not NULL when there is work |
    /// | 5 | a_array | batch_count pointers to m x n matrices; not NULL when they are read |
    /// | 6 | lda | leading dimension of A, lda >= max(1,m) |
    /// | 7 | x_array | batch_count pointers to vectors of n elements (m if transposed), likewise |
    /// | 8 | incx | increment between elements of x, not 0; if negative, x starts with its last element |
    /// | 9 | beta | one number in host memory, as alpha |
    /// | 10 | y_array | batch_count pointers to vectors of m elements (n if transposed); not NULL when there is work |
    /// | 11 | incy | increment between elements of y, as incx |
    /// | 12 | batch_count | number of matrices, >= 0 |
    /// | 13 | stream | a CUstream or cudaStream_t; NULL, 1 and 2 mean the default, legacy and per-thread stream |
    ///
    /// Arrays, matrices and vectors are in device memory, as for tephra_sgeqrf_batched(). The call does nothing and
    /// returns success when m, n or batch_count is 0, or alpha is 0 and beta 1.
    tephra_sgemv_batched,
    /// tephra_sgemv_batched() for matrices and vectors at constant strides (in elements). With batch_count > 1,
    /// stride_a >= 0 (0: one A for all), stride_x >= 0 and stride_y >= 1. Arguments are numbered trans 1, m 2, n 3,
    /// alpha 4, a 5, lda 6, stride_a 7, x 8, incx 9, stride_x 10, beta 11, y 12, incy 13, stride_y 14, batch_count 15,
    /// stream 16.
    tephra_sgemv_strided_batched;

    f64: D:
    /// tephra_sgemv_batched() in double precision.
    tephra_dgemv_batched,
    /// tephra_sgemv_strided_batched() in double precision.
    tephra_dgemv_strided_batched;

    C32: C:
    /// tephra_sgemv_batched() in single precision complex.
    tephra_cgemv_batched,
    /// tephra_sgemv_strided_batched() in single precision complex.
    tephra_cgemv_strided_batched;

    C64: Z:
    /// tephra_sgemv_batched() in double precision complex.
    tephra_zgemv_batched,
    /// tephra_sgemv_strided_batched() in double precision complex.
    tephra_zgemv_strided_batched;
}
