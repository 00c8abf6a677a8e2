//! Cholesky factorisations.

use std::ffi::c_int;
use tephra_core::face::magma::vbatched::cholesky::{Call, potrf, potrf_max};
use tephra_core::face::magma::{MagmaInt, Pointers, RawQueue};
use tephra_core::routine::PotrfSizes;
use tephra_core::{Dtype, entry};

macro_rules! potrf_vbatched {
    ($($dtype:ident: $potrf:ident, $max:ident;)*) => { entry! {$(
        fn $potrf(
            uplo: c_int, n: *const c_int, a: Pointers, lda: *const c_int, info: *mut c_int, batch: c_int, queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype, sizes) = (stringify!($potrf), Dtype::$dtype, PotrfSizes { n, lda });
            potrf(&Call { name, dtype, uplo, sizes, a, info, batch, queue })
        }

        fn $max(
            uplo: c_int, n: *const c_int, a: Pointers, lda: *const c_int, info: *mut c_int, batch: c_int, max_n: c_int,
            queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype, sizes) = (stringify!($max), Dtype::$dtype, PotrfSizes { n, lda });
            potrf_max(&Call { name, dtype, uplo, sizes, a, info, batch, queue }, max_n)
        }
    )*}};
}

potrf_vbatched! {
    S: magma_spotrf_vbatched, magma_spotrf_vbatched_max_nocheck;
    D: magma_dpotrf_vbatched, magma_dpotrf_vbatched_max_nocheck;
    C: magma_cpotrf_vbatched, magma_cpotrf_vbatched_max_nocheck;
    Z: magma_zpotrf_vbatched, magma_zpotrf_vbatched_max_nocheck;
}
