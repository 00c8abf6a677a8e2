//! The types of NVIDIA's functions, from the one spelling of their prototypes.

use std::ffi::c_int;
use tephra_vendor::types::*;

/// Of the names that do not end in `_64`.
type Size = Int;

/// `tephra_vendor::ROUTINE!(function NAME:)` defines the type NAME of the routine's functions.
macro_rules! function {
    ($(#[$meta:meta])* $Name:ident: ($($(#[$doc:meta])* $arg:ident: $ty:ty,)*) $($names:tt)*) => {
        $(#[$meta])*
        pub type $Name = unsafe extern "C" fn(RawHandle, $($arg: $ty),*) -> c_int;
    };
}

tephra_vendor::geqrf_batched!(function /** `cublas?geqrfBatched` */ CublasGeqrf:);
tephra_vendor::gels_batched!(function /** `cublas?gelsBatched` */ CublasGels:);
tephra_vendor::trsm_batched!(function /** `cublas?trsmBatched` */ CublasTrsm:);
tephra_vendor::getrf_batched!(function /** `cublas?getrfBatched` */ CublasGetrf:);
tephra_vendor::getrs_batched!(function /** `cublas?getrsBatched` */ CublasGetrs:);
tephra_vendor::getri_batched!(function /** `cublas?getriBatched` */ CublasGetri:);
tephra_vendor::matinv_batched!(function /** `cublas?matinvBatched` */ CublasMatinv:);
tephra_vendor::gemm_batched!(function /** `cublas?gemmBatched` */ CublasGemm:);
tephra_vendor::gemv_batched!(function /** `cublas?gemvBatched` */ CublasGemv:);
tephra_vendor::cusolver_potrf_batched!(function /** `cusolverDn?potrfBatched` */ CusolverPotrf:);
tephra_vendor::cusolver_potrs_batched!(function /** `cusolverDn?potrsBatched` */ CusolverPotrs:);
tephra_vendor::cusolver_geqrf_buffer_size!(function /** `cusolverDn?geqrf_bufferSize` */ CusolverGeqrfSize:);
tephra_vendor::cusolver_geqrf!(function /** `cusolverDn?geqrf` */ CusolverGeqrf:);
