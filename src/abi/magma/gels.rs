//! Least squares.

use std::ffi::c_int;
use tephra_core::face::magma::gels::{Call, gels};
use tephra_core::face::magma::{MagmaInt, Pointers, RawQueue};
use tephra_core::scalar::{C32, C64, Scalar};
use tephra_core::{Dtype, entry};

macro_rules! gels_batched {
    ($($ty:ty: $dtype:ident: $name:ident;)*) => { entry! {$(
        fn $name(
            trans: c_int, m: c_int, n: c_int, nrhs: c_int, a: Pointers, lda: c_int, b: Pointers, ldb: c_int,
            hwork: *mut $ty, lwork: c_int, info: *mut c_int, batch: c_int, queue: RawQueue,
        ) -> MagmaInt {
            if lwork < 0 {
                // A workspace query, as in LAPACK. No host workspace is needed; the size reported is 1.
                if !hwork.is_null() { *hwork = <$ty>::one(); }
                return Ok(MagmaInt::SUCCESS);
            }
            let (name, dtype) = (stringify!($name), Dtype::$dtype);
            gels(&Call { name, dtype, trans, m, n, nrhs, a, lda, b, ldb, info, batch, queue })
        }
    )*}};
}

gels_batched! {
    f32: S: magma_sgels_batched;
    f64: D: magma_dgels_batched;
    C32: C: magma_cgels_batched;
    C64: Z: magma_zgels_batched;
}
