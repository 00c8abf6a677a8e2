//! The cuBLAS and cuSOLVER names served under `LD_PRELOAD`, and nothing else: a program's other calls go to its own libraries.
//!
//! Each is one jump into `libtephra.so`, which is opened for itself (`RTLD_LOCAL`), so that the MAGMA inside PyTorch's wheels
//! keeps its names. The handles are the real library's: `libtephra.so` asks that for the stream, takes the call on CUDA, and
//! sends what cannot be served there on to the real function (`TEPHRA_VERBOSE=1` tells which is which).
//! `TEPHRA_BACKEND=cpu` is for tests: then the call is taken on host memory, so that interposition can be proved without a
//! GPU.
//!
//! Products are the vendor's unless the variable `TEPHRA_PRELOAD` names their family (`gemm`, `gemv`, or both with a comma
//! between): the vendor's are good, large ones above all.
//!
//! Nothing in here panics or allocates, and a call takes no lock. What there is of size is the part of Rust's standard library
//! that is in each shared object made by Rust.

mod library;
mod target;

use target::{Family, Target};
use tephra_vendor::types::*;

/// Exports the names of a routine of a [`Family`]. At load, before a program has threads or forks, each gets the address to
/// jump to.
macro_rules! export {
    ($family:ident $arguments:tt $($name:ident $dtype:ident $size:ident;)*) => {
        $(export! { @ $family $name $size $arguments })*
    };
    (@ $family:ident $name:ident $size:ident ($($(#[$doc:meta])* $arg:ident: $ty:ty,)*)) => {
        const _: () = {
            #[allow(dead_code)]
            type Size = $size;
            type Function = unsafe extern "C" fn(RawHandle, $($ty),*) -> Int;

            static TARGET: Target =
                Target::new(concat!(stringify!($name), "\0"), Family::$family, unresolved as *mut std::ffi::c_void);

            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name(handle: RawHandle, $($arg: $ty),*) -> Int {
                // SAFETY: a function of this prototype is all that a target ever holds.
                unsafe { std::mem::transmute::<*mut std::ffi::c_void, Function>(TARGET.get())(handle, $($arg),*) }
            }

            /// What is called while there is no address.
            #[cold]
            unsafe extern "C" fn unresolved(handle: RawHandle, $($arg: $ty),*) -> Int {
                match TARGET.resolve() {
                    // SAFETY: as above.
                    Some(address) => unsafe {
                        std::mem::transmute::<*mut std::ffi::c_void, Function>(address)(handle, $($arg),*)
                    },
                    None => target::NOT_INITIALIZED,
                }
            }

            extern "C" fn at_load() {
                TARGET.at_load();
            }
            #[used]
            #[unsafe(link_section = ".init_array")]
            static AT_LOAD: extern "C" fn() = at_load;
        };
    };
}

tephra_vendor::geqrf_batched!(export Always);
tephra_vendor::gels_batched!(export Always);
tephra_vendor::trsm_batched!(export Always);
tephra_vendor::getrf_batched!(export Always);
tephra_vendor::getrs_batched!(export Always);
tephra_vendor::getri_batched!(export Always);
tephra_vendor::matinv_batched!(export Always);
tephra_vendor::cusolver_potrf_batched!(export Always);
tephra_vendor::cusolver_potrs_batched!(export Always);
tephra_vendor::cusolver_geqrf!(export Always);
tephra_vendor::cusolver_x_geqrf!(export Always);
tephra_vendor::cusolver_orgqr!(export Always);
tephra_vendor::cusolver_ormqr!(export Always);
tephra_vendor::cusolver_potrf!(export Always);
tephra_vendor::cusolver_potrs!(export Always);
tephra_vendor::cusolver_x_potrf!(export Always);
tephra_vendor::cusolver_x_potrs!(export Always);
tephra_vendor::cusolver_getrf!(export Always);
tephra_vendor::cusolver_getrs!(export Always);
tephra_vendor::cusolver_x_getrf!(export Always);
tephra_vendor::cusolver_x_getrs!(export Always);
tephra_vendor::gemm_batched!(export Gemm);
tephra_vendor::gemm_strided_batched!(export Gemm);
tephra_vendor::gemm_batched_ex!(export Gemm);
tephra_vendor::gemm_strided_batched_ex!(export Gemm);
tephra_vendor::gemm_grouped_batched!(export Gemm);
tephra_vendor::gemm_grouped_batched_ex!(export Gemm);
tephra_vendor::gemv_batched!(export Gemv);
tephra_vendor::gemv_strided_batched!(export Gemv);
