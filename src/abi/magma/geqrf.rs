//! Batched QR, and the helper that fills its pointer arrays.

use std::ffi::{c_int, c_void};
use tephra_core::face::magma::geqrf::{Call, Expert, PANEL, expert, plain, work};
use tephra_core::face::magma::pointers::{SetPointer, set_pointer};
use tephra_core::face::magma::{MagmaInt, Pointers, RawQueue};
use tephra_core::scalar::{C32, C64};
use tephra_core::{Dtype, entry};

macro_rules! geqrf_batched {
    ($($dtype:ident: $plain:ident, $work:ident, $expert:ident, $nb:ident;)*) => { entry! {$(
        fn $plain(
            m: c_int, n: c_int, a: Pointers, lda: c_int, tau: Pointers, info: *mut c_int, batch: c_int,
            queue: RawQueue,
        ) -> MagmaInt {
            let call = Call { name: stringify!($plain), dtype: Dtype::$dtype, m, n, a, lda, tau, info, batch, queue };
            plain(&call, stringify!($work))
        }

        fn $work(
            m: c_int, n: c_int, a: Pointers, lda: c_int, tau: Pointers, info: *mut c_int, _work: *mut c_void,
            lwork: *mut c_int, batch: c_int, queue: RawQueue,
        ) -> MagmaInt {
            let call = Call { name: stringify!($work), dtype: Dtype::$dtype, m, n, a, lda, tau, info, batch, queue };
            work(&call, lwork)
        }

        fn $expert(
            m: c_int, n: c_int, nb: c_int, a: Pointers, lda: c_int, r: Pointers, ldr: c_int, t: Pointers, ldt: c_int,
            tau: Pointers, provide_rt: c_int, _w: Pointers, info: *mut c_int, batch: c_int, queue: RawQueue,
        ) -> MagmaInt {
            let call = Call { name: stringify!($expert), dtype: Dtype::$dtype, m, n, a, lda, tau, info, batch, queue };
            expert(&call, &Expert { nb, r, ldr, t, ldt, provide_rt })
        }

        fn $nb(_m: c_int) -> MagmaInt { Ok(MagmaInt(PANEL)) }
    )*}};
}

geqrf_batched! {
    S: magma_sgeqrf_batched, magma_sgeqrf_batched_work, magma_sgeqrf_expert_batched, magma_get_sgeqrf_batched_nb;
    D: magma_dgeqrf_batched, magma_dgeqrf_batched_work, magma_dgeqrf_expert_batched, magma_get_dgeqrf_batched_nb;
    C: magma_cgeqrf_batched, magma_cgeqrf_batched_work, magma_cgeqrf_expert_batched, magma_get_cgeqrf_batched_nb;
    Z: magma_zgeqrf_batched, magma_zgeqrf_batched_work, magma_zgeqrf_expert_batched, magma_get_zgeqrf_batched_nb;
}

macro_rules! set_pointer {
    ($($name:ident: $ty:ty;)*) => { entry! {$(
        fn $name(
            out: Pointers, base: *mut c_void, lda: c_int, row: c_int, column: c_int, stride: c_int, batch: c_int,
            queue: RawQueue,
        ) {
            let call = SetPointer { out, base, element: size_of::<$ty>(), lda, row, column, stride, batch };
            set_pointer(stringify!($name), &call, queue)
        }
    )*}};
}

set_pointer! {
    magma_sset_pointer: f32;
    magma_dset_pointer: f64;
    magma_cset_pointer: C32;
    magma_zset_pointer: C64;
    magma_iset_pointer: c_int;
}
