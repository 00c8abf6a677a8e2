//! The four precisions, and the library's function for each routine and precision.

use crate::sys;
use std::ffi::{c_int, c_void};

/// A complex number in single precision.
pub type C32 = sys::tephra_c32;
/// A complex number in double precision.
pub type C64 = sys::tephra_c64;

/// The matrix element types that the routines support: `f32`, `f64`, [`C32`] and [`C64`].
pub trait Scalar: crate::Element + sealed::Sealed {
    /// The library's functions in this precision.
    #[doc(hidden)]
    const FUNCTIONS: Functions<Self>;
}

mod sealed {
    pub trait Sealed {}
}

/// Defines the table of functions, and its values for each precision.
macro_rules! routines {
    ($($routine:ident($($argument:ty),* $(,)?): $s:ident $d:ident $c:ident $z:ident;)*) => {
        #[doc(hidden)]
        pub struct Functions<T> {
            $(pub(crate) $routine: unsafe extern "C" fn($($argument),*) -> sys::tephra_status,)*
        }
        routines!(@precision f32 $($routine $s)*);
        routines!(@precision f64 $($routine $d)*);
        routines!(@precision C32 $($routine $c)*);
        routines!(@precision C64 $($routine $z)*);
    };
    (@precision $type:ident $($routine:ident $function:ident)*) => {
        impl sealed::Sealed for $type {}
        impl Scalar for $type {
            const FUNCTIONS: Functions<$type> = Functions { $($routine: sys::$function,)* };
        }
    };
}

routines! {
    geqrf(i64, i64, *mut T, i64, i64, *mut T, i64, i64, *mut c_void, usize, *mut c_void):
        tephra_sgeqrf_strided_batched tephra_dgeqrf_strided_batched tephra_cgeqrf_strided_batched tephra_zgeqrf_strided_batched;
    orgqr(i64, i64, i64, *mut T, i64, i64, *const T, i64, i64, *mut c_void):
        tephra_sorgqr_strided_batched tephra_dorgqr_strided_batched tephra_cungqr_strided_batched tephra_zungqr_strided_batched;
    gels(c_int, i64, i64, i64, *mut T, i64, i64, *mut T, i64, i64, *mut c_int, i64, *mut c_void, usize, *mut c_void):
        tephra_sgels_strided_batched tephra_dgels_strided_batched tephra_cgels_strided_batched tephra_zgels_strided_batched;
    gels_workspace(c_int, i64, i64, i64, i64, i64, i64, i64, i64, *mut usize):
        tephra_sgels_strided_batched_workspace tephra_dgels_strided_batched_workspace tephra_cgels_strided_batched_workspace tephra_zgels_strided_batched_workspace;
    getrf(i64, i64, *mut T, i64, i64, *mut c_int, i64, *mut c_int, i64, *mut c_void, usize, *mut c_void):
        tephra_sgetrf_strided_batched tephra_dgetrf_strided_batched tephra_cgetrf_strided_batched tephra_zgetrf_strided_batched;
    getrs(c_int, i64, i64, *const T, i64, i64, *const c_int, i64, *mut T, i64, i64, i64, *mut c_void, usize, *mut c_void):
        tephra_sgetrs_strided_batched tephra_dgetrs_strided_batched tephra_cgetrs_strided_batched tephra_zgetrs_strided_batched;
    gesv(i64, i64, *mut T, i64, i64, *mut c_int, i64, *mut T, i64, i64, *mut c_int, i64, *mut c_void, usize, *mut c_void):
        tephra_sgesv_strided_batched tephra_dgesv_strided_batched tephra_cgesv_strided_batched tephra_zgesv_strided_batched;
    inv(i64, *mut T, i64, i64, *mut T, i64, i64, *mut c_int, i64, *mut c_void, usize, *mut c_void):
        tephra_sinv_strided_batched tephra_dinv_strided_batched tephra_cinv_strided_batched tephra_zinv_strided_batched;
    inv_workspace(i64, i64, i64, i64, i64, i64, *mut usize):
        tephra_sinv_strided_batched_workspace tephra_dinv_strided_batched_workspace tephra_cinv_strided_batched_workspace tephra_zinv_strided_batched_workspace;
    potrf(c_int, i64, *mut T, i64, i64, *mut c_int, i64, *mut c_void, usize, *mut c_void):
        tephra_spotrf_strided_batched tephra_dpotrf_strided_batched tephra_cpotrf_strided_batched tephra_zpotrf_strided_batched;
    potrs(c_int, i64, i64, *const T, i64, i64, *mut T, i64, i64, i64, *mut c_void, usize, *mut c_void):
        tephra_spotrs_strided_batched tephra_dpotrs_strided_batched tephra_cpotrs_strided_batched tephra_zpotrs_strided_batched;
    trsm(c_int, c_int, c_int, c_int, i64, i64, *const T, *const T, i64, i64, *mut T, i64, i64, i64, *mut c_void):
        tephra_strsm_strided_batched tephra_dtrsm_strided_batched tephra_ctrsm_strided_batched tephra_ztrsm_strided_batched;
    gemm(c_int, c_int, i64, i64, i64, *const T, *const T, i64, i64, *const T, i64, i64, *const T, *mut T, i64, i64, i64, *mut c_void):
        tephra_sgemm_strided_batched tephra_dgemm_strided_batched tephra_cgemm_strided_batched tephra_zgemm_strided_batched;
}
