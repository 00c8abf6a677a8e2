//! Cholesky factorisations, and systems of equations from them.

use std::ffi::c_int;
use std::ptr::null_mut;
use tephra_core::face::magma::potrf::{Call, RightHandSides, posv, potf2, potrf, potrf_expert, potrs};
use tephra_core::face::magma::{MagmaInt, Pointers, RawQueue};
use tephra_core::{Dtype, entry};

macro_rules! potrf_batched {
    ($($dtype:ident: $potrf:ident, $expert:ident, $potf2:ident, $potrs:ident, $posv:ident;)*) => { entry! {$(
        fn $potrf(
            uplo: c_int, n: c_int, a: Pointers, lda: c_int, info: *mut c_int, batch: c_int, queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype) = (stringify!($potrf), Dtype::$dtype);
            potrf(&Call { name, dtype, uplo, n, a, lda, info, batch, queue })
        }

        fn $expert(
            uplo: c_int, n: c_int, _nb: c_int, _recnb: c_int, a: Pointers, lda: c_int, info: *mut c_int, batch: c_int,
            queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype) = (stringify!($expert), Dtype::$dtype);
            potrf_expert(&Call { name, dtype, uplo, n, a, lda, info, batch, queue })
        }

        fn $potf2(
            uplo: c_int, n: c_int, a: Pointers, row: c_int, column: c_int, lda: c_int, info: *mut c_int, step: c_int,
            batch: c_int, queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype) = (stringify!($potf2), Dtype::$dtype);
            potf2(&Call { name, dtype, uplo, n, a, lda, info, batch, queue }, row, column, step)
        }

        fn $potrs(
            uplo: c_int, n: c_int, nrhs: c_int, a: Pointers, lda: c_int, b: Pointers, ldb: c_int, batch: c_int,
            queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype, info) = (stringify!($potrs), Dtype::$dtype, null_mut());
            potrs(&Call { name, dtype, uplo, n, a, lda, info, batch, queue }, &RightHandSides { nrhs, b, ldb })
        }

        fn $posv(
            uplo: c_int, n: c_int, nrhs: c_int, a: Pointers, lda: c_int, b: Pointers, ldb: c_int, info: *mut c_int,
            batch: c_int, queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype) = (stringify!($posv), Dtype::$dtype);
            posv(&Call { name, dtype, uplo, n, a, lda, info, batch, queue }, &RightHandSides { nrhs, b, ldb })
        }
    )*}};
}

potrf_batched! {
    S: magma_spotrf_batched, magma_spotrf_expert_batched, magma_spotf2_batched, magma_spotrs_batched, magma_sposv_batched;
    D: magma_dpotrf_batched, magma_dpotrf_expert_batched, magma_dpotf2_batched, magma_dpotrs_batched, magma_dposv_batched;
    C: magma_cpotrf_batched, magma_cpotrf_expert_batched, magma_cpotf2_batched, magma_cpotrs_batched, magma_cposv_batched;
    Z: magma_zpotrf_batched, magma_zpotrf_expert_batched, magma_zpotf2_batched, magma_zpotrs_batched, magma_zposv_batched;
}
