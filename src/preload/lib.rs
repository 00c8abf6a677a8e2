//! The cuBLAS and cuSOLVER functions that are served under `LD_PRELOAD`. All other calls of a program go to its own
//! libraries.
//!
//! Each is a jump into `libtephra.so`, which is opened with `RTLD_LOCAL`, so that its MAGMA symbols do not replace
//! those of the MAGMA inside PyTorch's wheels. The handles are those of the real library: `libtephra.so` asks it for
//! the stream, serves the call on CUDA, and forwards what it cannot serve to the real function; `TEPHRA_VERBOSE=1` logs
//! which. `TEPHRA_BACKEND=cpu` is for tests: calls are then served on host memory, so that the interposition can be
//! verified without a GPU.
//!
//! Products go to the vendor unless the variable `TEPHRA_PRELOAD` names their family (`gemm`, `gemv`, or both,
//! separated by a comma), because the vendor's are fast, above all for large matrices.
//!
//! Nothing in here panics or allocates, and a call takes no lock. Most of the object's size is the part of Rust's
//! standard library that every Rust shared object contains.

mod library;
// The crate `tephra-host` would bring its handlers of forks along.
#[allow(dead_code)]
#[path = "../host/output.rs"]
mod output;
#[allow(dead_code)]
#[path = "../host/signals.rs"]
mod signals;
mod target;

use target::{Family, Target};
use tephra_vendor::types::*;

/// Exports the functions of a routine of a [`Family`]. Each resolves its address at load time, before the program
/// starts threads or forks.
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
                // SAFETY: a target only ever holds functions of this prototype.
                unsafe { std::mem::transmute::<*mut std::ffi::c_void, Function>(TARGET.get())(handle, $($arg),*) }
            }

            /// The target while no address has been resolved.
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
