//! Products of matrices with vectors.

use std::ffi::{c_int, c_void};
use tephra_core::face::magma::gemm::BlockOperand;
use tephra_core::face::magma::gemv::{
    Call, EITHER, OFFSETS, POINTERS, SQUARE, STRIDED, STRIDED_OFFSETS, STRIDED_SQUARE, gemv, gemv_with_code,
};
use tephra_core::face::magma::{MagmaInt, Pointers, RawQueue};
use tephra_core::routine::Alpha;
use tephra_core::scalar::{C32, C64};
use tephra_core::{Dtype, Operand, entry};

type Raw = *mut c_void;

fn block(array: Pointers, at: [c_int; 2], ld: c_int) -> BlockOperand {
    BlockOperand { matrices: Operand::Pointers(array), at, ld }
}

fn strided(base: Raw, at: [c_int; 2], ld: c_int, stride: c_int) -> BlockOperand {
    BlockOperand { matrices: Operand::Strided { base, stride: stride.into() }, at, ld }
}

macro_rules! gemv_batched {
    ($($ty:ty: $dtype:ident: $pointers:ident $core:ident $strided:ident $strided_core:ident $either:ident $square:ident $strided_square:ident;)*) => { entry! {$(
        fn $pointers(
            trans: c_int, m: c_int, n: c_int, alpha: $ty, a: Pointers, lda: c_int, x: Pointers, incx: c_int, beta: $ty,
            y: Pointers, incy: c_int, batch: c_int, queue: RawQueue,
        ) {
            let (name, dtype, sizes, factors) = (stringify!($pointers), Dtype::$dtype, [m, n], [alpha, beta].map(Alpha::host));
            let operands = [block(a, [0; 2], lda), block(x, [0; 2], incx), block(y, [0; 2], incy)];
            gemv(&Call { name, dtype, trans, sizes, factors, operands, batch }, POINTERS, queue)
        }

        fn $core(
            trans: c_int, m: c_int, n: c_int, alpha: $ty, a: Pointers, ai: c_int, aj: c_int, lda: c_int, x: Pointers,
            xi: c_int, incx: c_int, beta: $ty, y: Pointers, yi: c_int, incy: c_int, batch: c_int, queue: RawQueue,
        ) {
            let (name, dtype, sizes, factors) = (stringify!($core), Dtype::$dtype, [m, n], [alpha, beta].map(Alpha::host));
            let operands = [block(a, [ai, aj], lda), block(x, [0, xi], incx), block(y, [0, yi], incy)];
            gemv(&Call { name, dtype, trans, sizes, factors, operands, batch }, OFFSETS, queue)
        }

        fn $strided(
            trans: c_int, m: c_int, n: c_int, alpha: $ty, a: Raw, lda: c_int, stride_a: c_int, x: Raw, incx: c_int,
            stride_x: c_int, beta: $ty, y: Raw, incy: c_int, stride_y: c_int, batch: c_int, queue: RawQueue,
        ) {
            let (name, dtype, sizes, factors) = (stringify!($strided), Dtype::$dtype, [m, n], [alpha, beta].map(Alpha::host));
            let operands = [
                strided(a, [0; 2], lda, stride_a),
                strided(x, [0; 2], incx, stride_x),
                strided(y, [0; 2], incy, stride_y),
            ];
            gemv(&Call { name, dtype, trans, sizes, factors, operands, batch }, STRIDED, queue)
        }

        fn $strided_core(
            trans: c_int, m: c_int, n: c_int, alpha: $ty, a: Raw, lda: c_int, ai: c_int, aj: c_int, stride_a: c_int,
            x: Raw, incx: c_int, xi: c_int, stride_x: c_int, beta: $ty, y: Raw, incy: c_int, yi: c_int, stride_y: c_int,
            batch: c_int, queue: RawQueue,
        ) {
            let (name, dtype, sizes, factors) = (stringify!($strided_core), Dtype::$dtype, [m, n], [alpha, beta].map(Alpha::host));
            let operands = [
                strided(a, [ai, aj], lda, stride_a),
                strided(x, [0, xi], incx, stride_x),
                strided(y, [0, yi], incy, stride_y),
            ];
            gemv(&Call { name, dtype, trans, sizes, factors, operands, batch }, STRIDED_OFFSETS, queue)
        }

        fn $either(
            trans: c_int, m: c_int, n: c_int, alpha: $ty, a: Pointers, da: Raw, lda: c_int, stride_a: c_int, ai: c_int,
            aj: c_int, x: Pointers, dx: Raw, incx: c_int, stride_x: c_int, xi: c_int, beta: $ty, y: Pointers, dy: Raw,
            incy: c_int, stride_y: c_int, yi: c_int, batch: c_int, queue: RawQueue,
        ) {
            let (name, dtype, sizes, factors) = (stringify!($either), Dtype::$dtype, [m, n], [alpha, beta].map(Alpha::host));
            // A NULL pointer array selects the strided form.
            let either = |array: Pointers, base, place, ld, stride| match array.is_null() {
                true => strided(base, place, ld, stride),
                false => block(array, place, ld),
            };
            let operands = [
                either(a, da, [ai, aj], lda, stride_a),
                either(x, dx, [0, xi], incx, stride_x),
                either(y, dy, [0, yi], incy, stride_y),
            ];
            gemv(&Call { name, dtype, trans, sizes, factors, operands, batch }, EITHER, queue)
        }

        fn $square(
            trans: c_int, n: c_int, alpha: $ty, a: Pointers, ai: c_int, aj: c_int, lda: c_int, x: Pointers, xi: c_int,
            incx: c_int, beta: $ty, y: Pointers, yi: c_int, incy: c_int, batch: c_int, queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype, sizes, factors) = (stringify!($square), Dtype::$dtype, [n, n], [alpha, beta].map(Alpha::host));
            let operands = [block(a, [ai, aj], lda), block(x, [0, xi], incx), block(y, [0, yi], incy)];
            gemv_with_code(&Call { name, dtype, trans, sizes, factors, operands, batch }, SQUARE, queue)
        }

        fn $strided_square(
            trans: c_int, n: c_int, alpha: $ty, a: Raw, ai: c_int, aj: c_int, lda: c_int, stride_a: c_int, x: Raw,
            xi: c_int, incx: c_int, stride_x: c_int, beta: $ty, y: Raw, yi: c_int, incy: c_int, stride_y: c_int,
            batch: c_int, queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype, sizes, factors) = (stringify!($strided_square), Dtype::$dtype, [n, n], [alpha, beta].map(Alpha::host));
            let operands = [
                strided(a, [ai, aj], lda, stride_a),
                strided(x, [0, xi], incx, stride_x),
                strided(y, [0, yi], incy, stride_y),
            ];
            gemv_with_code(&Call { name, dtype, trans, sizes, factors, operands, batch }, STRIDED_SQUARE, queue)
        }
    )*}};
}

gemv_batched! {
    f32: S: magmablas_sgemv_batched magmablas_sgemv_batched_core magmablas_sgemv_batched_strided
        magmablas_sgemv_batched_strided_core magmablas_sgemv_batched_internal magmablas_sgemv_batched_smallsq
        magmablas_sgemv_batched_strided_smallsq;
    f64: D: magmablas_dgemv_batched magmablas_dgemv_batched_core magmablas_dgemv_batched_strided
        magmablas_dgemv_batched_strided_core magmablas_dgemv_batched_internal magmablas_dgemv_batched_smallsq
        magmablas_dgemv_batched_strided_smallsq;
    C32: C: magmablas_cgemv_batched magmablas_cgemv_batched_core magmablas_cgemv_batched_strided
        magmablas_cgemv_batched_strided_core magmablas_cgemv_batched_internal magmablas_cgemv_batched_smallsq
        magmablas_cgemv_batched_strided_smallsq;
    C64: Z: magmablas_zgemv_batched magmablas_zgemv_batched_core magmablas_zgemv_batched_strided
        magmablas_zgemv_batched_strided_core magmablas_zgemv_batched_internal magmablas_zgemv_batched_smallsq
        magmablas_zgemv_batched_strided_smallsq;
}
