//! The twelve copy functions. The typed names of MAGMA's headers (`magma_dsetmatrix`, ...) are wrappers around these.

use std::ffi::{c_char, c_int, c_void};
use tephra_core::entry;
use tephra_core::face::cublas::copy::MatrixCopy;
use tephra_core::face::magma::RawQueue;
use tephra_core::face::magma::copy::{CallSite, copy};

type Source = *const c_void;
type Target = *mut c_void;
type Text = *const c_char;

macro_rules! copies {
    (matrix $($matrix:ident: $matrix_async:literal),*; vector $($vector:ident: $vector_async:literal),*;) => { entry! {
        $(
            fn $matrix(
                m: c_int, n: c_int, element: c_int, src: Source, ld_src: c_int, dst: Target, ld_dst: c_int,
                queue: RawQueue, func: Text, file: Text, line: c_int,
            ) {
                let (rows, cols, element) = (m.into(), n.into(), element.into());
                let matrix = MatrixCopy { rows, cols, element, src, ld_src: ld_src.into(), dst, ld_dst: ld_dst.into() };
                copy(&matrix, queue, $matrix_async, CallSite(func, file, line));
                Ok(())
            }
        )*
        $(
            fn $vector(
                n: c_int, element: c_int, src: Source, inc_src: c_int, dst: Target, inc_dst: c_int, queue: RawQueue,
                func: Text, file: Text, line: c_int,
            ) {
                let vector = MatrixCopy::vector(n.into(), element.into(), src, inc_src.into(), dst, inc_dst.into());
                copy(&vector, queue, $vector_async, CallSite(func, file, line));
                Ok(())
            }
        )*
    }};
}

copies! {
    matrix
        magma_setmatrix_internal: false, magma_setmatrix_async_internal: true,
        magma_getmatrix_internal: false, magma_getmatrix_async_internal: true,
        magma_copymatrix_internal: false, magma_copymatrix_async_internal: true;
    vector
        magma_setvector_internal: false, magma_setvector_async_internal: true,
        magma_getvector_internal: false, magma_getvector_async_internal: true,
        magma_copyvector_internal: false, magma_copyvector_async_internal: true;
}
