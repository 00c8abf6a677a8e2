//! Application of Q, and explicit Q.

use std::ffi::{c_int, c_void};
use tephra_core::face::magma::q::{OrgqrCall, OrmqrCall, orgqr, ormqr};
use tephra_core::face::magma::{MagmaInt, Pointers, RawQueue};
use tephra_core::{Dtype, entry};

macro_rules! q_batched {
    ($($dtype:ident: $ormqr:ident, $orgqr:ident;)*) => { entry! {$(
        fn $ormqr(
            side: c_int, trans: c_int, m: c_int, n: c_int, k: c_int, a: Pointers, lda: c_int, tau: Pointers, c: Pointers,
            ldc: c_int, _work: *mut c_void, lwork: *mut i64, info: *mut c_int, batch: c_int, queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype) = (stringify!($ormqr), Dtype::$dtype);
            ormqr(&OrmqrCall { name, dtype, side, trans, m, n, k, a, lda, tau, c, ldc, lwork, info, batch, queue })
        }

        fn $orgqr(
            m: c_int, n: c_int, k: c_int, a: Pointers, lda: c_int, tau: Pointers, info: *mut c_int, batch: c_int,
            queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype) = (stringify!($orgqr), Dtype::$dtype);
            orgqr(&OrgqrCall { name, dtype, m, n, k, a, lda, tau, info, batch, queue })
        }
    )*}};
}

q_batched! {
    S: magma_sormqr_batched, magma_sorgqr_batched;
    D: magma_dormqr_batched, magma_dorgqr_batched;
    C: magma_cunmqr_batched, magma_cungqr_batched;
    Z: magma_zunmqr_batched, magma_zungqr_batched;
}
