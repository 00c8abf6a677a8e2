//! Inverses from an LU factorisation.

use std::ffi::c_int;
use tephra_core::face::magma::getri::{Call, getri};
use tephra_core::face::magma::{MagmaInt, Pointers, RawQueue};
use tephra_core::{Dtype, entry};

macro_rules! getri_batched {
    ($($dtype:ident: $name:ident;)*) => { entry! {$(
        fn $name(
            n: c_int, a: Pointers, lda: c_int, ipiv: Pointers, c: Pointers, ldc: c_int, _info: *mut c_int, batch: c_int,
            queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype) = (stringify!($name), Dtype::$dtype);
            getri(&Call { name, dtype, n, a, lda, ipiv, c, ldc, batch, queue })
        }
    )*}};
}

getri_batched! {
    S: magma_sgetri_outofplace_batched;
    D: magma_dgetri_outofplace_batched;
    C: magma_cgetri_outofplace_batched;
    Z: magma_zgetri_outofplace_batched;
}
