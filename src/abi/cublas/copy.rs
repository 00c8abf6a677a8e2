//! Copy helpers. The functions with and without `_64` differ only in the width of the sizes.

use std::ffi::{c_int, c_void};
use tephra_core::face::cublas::Status;
use tephra_core::face::cublas::copy::MatrixCopy;
use tephra_core::{Stream, entry};

type Source = *const c_void;
type Target = *mut c_void;

macro_rules! copies {
    ($int:ty; matrix $($matrix:ident $matrix_async:ident),*; vector $($vector:ident $vector_async:ident),*;) => { entry! {
        $(
            fn $matrix(
                rows: $int, cols: $int, element: $int, a: Source, lda: $int, b: Target, ldb: $int,
            ) -> Status {
                matrix(rows, cols, element, a, lda, b, ldb).copy()
            }

            fn $matrix_async(
                rows: $int, cols: $int, element: $int, a: Source, lda: $int, b: Target, ldb: $int, stream: Target,
            ) -> Status {
                matrix(rows, cols, element, a, lda, b, ldb).start(Stream(stream))
            }
        )*
        $(
            fn $vector(n: $int, element: $int, x: Source, incx: $int, y: Target, incy: $int) -> Status {
                MatrixCopy::vector(n.into(), element.into(), x, incx.into(), y, incy.into()).copy()
            }

            fn $vector_async(
                n: $int, element: $int, x: Source, incx: $int, y: Target, incy: $int, stream: Target,
            ) -> Status {
                MatrixCopy::vector(n.into(), element.into(), x, incx.into(), y, incy.into()).start(Stream(stream))
            }
        )*
    }};
}

fn matrix<I: Into<i64>>(rows: I, cols: I, element: I, src: Source, ld_src: I, dst: Target, ld_dst: I) -> MatrixCopy {
    let (rows, cols, element) = (rows.into(), cols.into(), element.into());
    MatrixCopy { rows, cols, element, src, ld_src: ld_src.into(), dst, ld_dst: ld_dst.into() }
}

copies! { c_int;
    matrix cublasSetMatrix cublasSetMatrixAsync, cublasGetMatrix cublasGetMatrixAsync;
    vector cublasSetVector cublasSetVectorAsync, cublasGetVector cublasGetVectorAsync;
}
copies! { i64;
    matrix cublasSetMatrix_64 cublasSetMatrixAsync_64, cublasGetMatrix_64 cublasGetMatrixAsync_64;
    vector cublasSetVector_64 cublasSetVectorAsync_64, cublasGetVector_64 cublasGetVectorAsync_64;
}
