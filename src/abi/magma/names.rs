//! Conversions of constants: from LAPACK's letters to MAGMA's constants, and from these to LAPACK's words and to the
//! constants of CBLAS and cuBLAS.

use std::ffi::{c_char, c_int};
use tephra_core::entry;
use tephra_core::face::magma::MagmaInt;
use tephra_core::face::magma::names::{self, cublas_value, lapack_name};

macro_rules! from_letter {
    ($($name:ident: $letters:ident;)*) => { entry! {$(
        fn $name(letter: c_char) -> MagmaInt { Ok(MagmaInt(names::$letters.constant(stringify!($name), letter))) }
    )*}};
}

from_letter! {
    magma_bool_const: BOOL;
    magma_order_const: ORDER;
    magma_trans_const: TRANS;
    magma_uplo_const: UPLO;
    magma_diag_const: DIAG;
    magma_side_const: SIDE;
    magma_norm_const: NORM;
    magma_dist_const: DIST;
    magma_sym_const: SYM;
    magma_pack_const: PACK;
    magma_vec_const: VEC;
    magma_range_const: RANGE;
    magma_vect_const: VECT;
    magma_direct_const: DIRECT;
    magma_storev_const: STOREV;
}

macro_rules! to_word {
    ($($name:ident)*) => { entry! {$(
        fn $name(constant: c_int) -> *const c_char { Ok(lapack_name(constant).as_ptr()) }
    )*}};
}

to_word! {
    lapack_const_str lapack_bool_const lapack_order_const lapack_trans_const lapack_uplo_const lapack_diag_const
    lapack_side_const lapack_norm_const lapack_dist_const lapack_sym_const lapack_pack_const lapack_vec_const
    lapack_range_const lapack_vect_const lapack_direct_const lapack_storev_const
}

/// MAGMA's constants have the values of CBLAS.
macro_rules! to_cblas {
    ($($name:ident)*) => { entry! {$( fn $name(constant: c_int) -> MagmaInt { Ok(MagmaInt(constant)) } )*} };
}

to_cblas! { cblas_order_const cblas_trans_const cblas_uplo_const cblas_diag_const cblas_side_const }

macro_rules! to_cublas {
    ($($name:ident)*) => { entry! {$(
        fn $name(constant: c_int) -> MagmaInt { Ok(MagmaInt(cublas_value(constant))) }
    )*}};
}

to_cublas! { cublas_trans_const cublas_uplo_const cublas_diag_const cublas_side_const }
