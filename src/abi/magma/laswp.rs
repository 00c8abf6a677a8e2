//! Row interchanges.

use std::ffi::c_int;
use tephra_core::face::magma::laswp::{Call, row_serial};
use tephra_core::face::magma::{Pointers, RawQueue};
use tephra_core::{Dtype, entry};

macro_rules! row_serial {
    ($($dtype:ident: $name:ident;)*) => { entry! {$(
        fn $name(
            n: c_int, a: Pointers, lda: c_int, k1: c_int, k2: c_int, ipiv: Pointers, batch: c_int, queue: RawQueue,
        ) {
            let (name, dtype) = (stringify!($name), Dtype::$dtype);
            row_serial(&Call { name, dtype, n, a, lda, k1, k2, ipiv, batch, queue })
        }
    )*}};
}

row_serial! {
    S: magma_slaswp_rowserial_batched;
    D: magma_dlaswp_rowserial_batched;
    C: magma_claswp_rowserial_batched;
    Z: magma_zlaswp_rowserial_batched;
}
