//! The types of NVIDIA's functions, derived from the one place where their prototypes are written.

use std::ffi::c_int;
use tephra_vendor::types::*;

/// `tephra_vendor::ROUTINE!(function NAME:)` defines the type NAME of the routine's functions.
macro_rules! function {
    ($(#[$meta:meta])* $Name:ident: ($($(#[$doc:meta])* $arg:ident: $ty:ty,)*) $($names:tt)*) => {
        $(#[$meta])*
        pub type $Name = unsafe extern "C" fn(RawHandle, $($arg: $ty),*) -> c_int;
    };
}

tephra_vendor::geqrf_batched!(function /** `cublas?geqrfBatched` */ CublasGeqrf:);
tephra_vendor::cusolver_geqrf_buffer_size!(function /** `cusolverDn?geqrf_bufferSize` */ CusolverGeqrfSize:);
tephra_vendor::cusolver_geqrf!(function /** `cusolverDn?geqrf` */ CusolverGeqrf:);
