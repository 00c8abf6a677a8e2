//! Host helpers: printing, BLAS 1, NaN and infinity, strings, square roots.

use std::ffi::{c_char, c_int};
use tephra_core::entry;
use tephra_core::face::guard::store;
use tephra_core::face::magma::host::*;
use tephra_core::face::magma::int::xerbla;
use tephra_core::face::magma::{MagmaInt, RawQueue};
use tephra_core::scalar::{C32, C64};

macro_rules! prints {
    ($($ty:ty: $print:ident $print_gpu:ident;)*) => { entry! {$(
        fn $print(m: c_int, n: c_int, a: *const $ty, lda: c_int) {
            print(stringify!($print), m, n, a, lda);
            Ok(())
        }

        fn $print_gpu(m: c_int, n: c_int, a: *const $ty, lda: c_int, queue: RawQueue) {
            print_device(stringify!($print_gpu), m, n, a, lda, queue)
        }
    )*}};
}

prints! {
    f32: magma_sprint magma_sprint_gpu;
    f64: magma_dprint magma_dprint_gpu;
    C32: magma_cprint magma_cprint_gpu;
    C64: magma_zprint magma_zprint_gpu;
    c_int: magma_iprint magma_iprint_gpu;
}

macro_rules! norms {
    ($($ty:ty: $real:ty: $asum:ident $nrm2:ident;)*) => { entry! {$(
        fn $asum(n: c_int, x: *const $ty, incx: c_int) -> $real { Ok(asum(n, x, incx) as $real) }

        fn $nrm2(n: c_int, x: *const $ty, incx: c_int) -> $real { Ok(nrm2(n, x, incx) as $real) }
    )*}};
}

norms! {
    f32: f32: magma_cblas_sasum magma_cblas_snrm2;
    f64: f64: magma_cblas_dasum magma_cblas_dnrm2;
    C32: f32: magma_cblas_scasum magma_cblas_scnrm2;
    C64: f64: magma_cblas_dzasum magma_cblas_dznrm2;
}

macro_rules! dots {
    ($($ty:ty: $conjugate:literal: $name:ident;)*) => { entry! {$(
        fn $name(n: c_int, x: *const $ty, incx: c_int, y: *const $ty, incy: c_int) -> $ty {
            Ok(dot(n, x, incx, y, incy, $conjugate))
        }
    )*}};
}

dots! {
    f32: false: magma_cblas_sdot;
    f64: false: magma_cblas_ddot;
    C32: false: magma_cblas_cdotu;
    C32: true: magma_cblas_cdotc;
    C64: false: magma_cblas_zdotu;
    C64: true: magma_cblas_zdotc;
}

macro_rules! sizes {
    ($($ty:ty: $make_lwork:ident;)*) => { entry! {$(
        fn $make_lwork(lwork: c_int) -> $ty { Ok(size_as_element(lwork)) }
    )*}};
}

sizes! {
    f32: magma_smake_lwork;
    f64: magma_dmake_lwork;
    C32: magma_cmake_lwork;
    C64: magma_zmake_lwork;
}

macro_rules! specials {
    ($($ty:ty: $nan_name:ident = $nan:expr, $inf_name:ident = $inf:expr; $is_nan:ident $is_inf:ident $either:ident;)*) => {
        $(
            #[unsafe(no_mangle)]
            pub static $nan_name: $ty = $nan;
            #[unsafe(no_mangle)]
            pub static $inf_name: $ty = $inf;
        )*
        entry! {$(
            fn $is_nan(x: $ty) -> MagmaInt { Ok(MagmaInt(is_nan(x).into())) }

            fn $is_inf(x: $ty) -> MagmaInt { Ok(MagmaInt(is_inf(x).into())) }

            fn $either(x: $ty) -> MagmaInt { Ok(MagmaInt((is_nan(x) || is_inf(x)).into())) }
        )*}
    };
}

specials! {
    f32: MAGMA_S_NAN = f32::NAN, MAGMA_S_INF = f32::INFINITY; magma_s_isnan magma_s_isinf magma_s_isnan_inf;
    f64: MAGMA_D_NAN = f64::NAN, MAGMA_D_INF = f64::INFINITY; magma_d_isnan magma_d_isinf magma_d_isnan_inf;
    C32: MAGMA_C_NAN = C32 { re: f32::NAN, im: f32::NAN }, MAGMA_C_INF = C32 { re: f32::INFINITY, im: f32::INFINITY };
        magma_c_isnan magma_c_isinf magma_c_isnan_inf;
    C64: MAGMA_Z_NAN = C64 { re: f64::NAN, im: f64::NAN }, MAGMA_Z_INF = C64 { re: f64::INFINITY, im: f64::INFINITY };
        magma_z_isnan magma_z_isinf magma_z_isnan_inf;
}

entry! {
    fn magma_csqrt(x: C32) -> C32 { Ok(square_root(x)) }

    fn magma_zsqrt(x: C64) -> C64 { Ok(square_root(x)) }

    fn magma_strlcpy(dst: *mut c_char, src: *const c_char, size: usize) -> usize { Ok(copy_text(dst, src, size)) }

    fn magma_indices_1D_bcyclic(
        nb: c_int, devices: c_int, device: c_int, j0: c_int, j1: c_int, dj0: *mut c_int, dj1: *mut c_int,
    ) {
        for (i, wrong) in [nb < 1, devices < 1].into_iter().enumerate() {
            if wrong {
                xerbla("magma_indices_1D_bcyclic", i as c_int + 1);
                return Ok(());
            }
        }
        let (first, last) = local_columns(nb, devices, device, j0, j1);
        store(dj0, first)?;
        store(dj1, last)
    }
}
