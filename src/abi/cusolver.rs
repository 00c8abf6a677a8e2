//! The cuSOLVER-compatible functions: batched Cholesky; QR, LU and Cholesky of a single matrix; and the handles that
//! programs need for them.

use std::ffi::{c_int, c_void};
use tephra_core::face::cublas::handle::get;
use tephra_core::face::cusolver::{RawHandle, Status, handle, params};
use tephra_core::face::process::CUSOLVER;
use tephra_core::{entry, vendor};

/// The version of the cuSOLVER interface that is implemented: 12.0.4.
const VERSION: [c_int; 3] = [12, 0, 4];

fn put(value: c_int, out: *mut c_int) -> Status {
    // SAFETY: `get` refuses NULL; any other pointer is the caller's and valid for a write.
    if unsafe { get(value, out) }.0 == 0 { Status::SUCCESS } else { Status::INVALID_VALUE }
}

entry! {
    fn cusolverDnCreate(handle: *mut RawHandle) -> Status { handle::create(handle) }

    fn cusolverDnDestroy(handle: RawHandle) -> Status { handle::destroy(handle) }

    fn cusolverDnSetStream(handle: RawHandle, stream: *mut c_void) -> Status { Ok(handle::set_stream(handle, stream)) }

    fn cusolverDnGetStream(handle: RawHandle, stream: *mut *mut c_void) -> Status {
        Ok(handle::get_stream(handle, stream))
    }

    fn cusolverDnCreateParams(out: *mut *mut c_void) -> Status { params::create(out) }

    fn cusolverDnDestroyParams(made: *mut c_void) -> Status { params::destroy(made) }

    fn cusolverGetVersion(version: *mut c_int) -> Status {
        match vendor!(CUSOLVER, c"cusolverGetVersion", fn(*mut c_int) -> Status) {
            Some(function) => Ok(function(version)),
            None => Ok(put(VERSION[0] * 1000 + VERSION[1] * 100 + VERSION[2], version)),
        }
    }

    fn cusolverGetProperty(property: c_int, value: *mut c_int) -> Status {
        match vendor!(CUSOLVER, c"cusolverGetProperty", fn(c_int, *mut c_int) -> Status) {
            Some(function) => Ok(function(property, value)),
            None => Ok(VERSION.get(property as usize).map_or(Status::INVALID_VALUE, |part| put(*part, value))),
        }
    }
}

/// Exports the functions of a routine, whose calls are described by `module::Call` of `face::cusolver`.
macro_rules! export {
    ($module:ident $Call:ident $arguments:tt $($name:ident $dtype:ident $size:ident;)*) => {
        $(export! { @ $module $Call $name $dtype $arguments })*
    };
    (@ $module:ident $Call:ident $name:ident $dtype:ident ($($(#[$doc:meta])* $arg:ident: $ty:ty,)*)) => {
        const _: () = {
            use tephra_core::face::cublas::prototype::types::*;
            use tephra_core::face::cusolver::$module::$Call;
            use tephra_core::face::cusolver::serve::serve;
            use tephra_core::face::process::Symbol;

            entry! {
                fn $name(handle: RawHandle, $($arg: $ty),*) -> Status {
                    static VENDOR: Symbol = Symbol::named(CUSOLVER, concat!(stringify!($name), "\0"));
                    type Function = unsafe extern "C" fn(RawHandle, $($ty),*) -> Status;
                    let call = $Call { name: stringify!($name), dtype: tephra_core::Dtype::$dtype, handle, $($arg),* };
                    Ok(serve(&call, || VENDOR.get().map(|address| {
                        // The C prototype, with the element type erased.
                        std::mem::transmute::<*mut c_void, Function>(address)(handle, $($arg),*)
                    })))
                }
            }
        };
    };
}

tephra_vendor::cusolver_potrf_batched!(export potrf Factor);
tephra_vendor::cusolver_potrs_batched!(export potrf Solve);
tephra_vendor::cusolver_geqrf!(export geqrf Factor);
tephra_vendor::cusolver_geqrf_buffer_size!(export geqrf Size);
tephra_vendor::cusolver_x_geqrf!(export geqrf FactorX);
tephra_vendor::cusolver_x_geqrf_buffer_size!(export geqrf SizeX);
tephra_vendor::cusolver_orgqr!(export q Generate);
tephra_vendor::cusolver_orgqr_buffer_size!(export q GenerateSize);
tephra_vendor::cusolver_ormqr!(export q Apply);
tephra_vendor::cusolver_ormqr_buffer_size!(export q ApplySize);
tephra_vendor::cusolver_potrf!(export cholesky Factor);
tephra_vendor::cusolver_potrf_buffer_size!(export cholesky FactorSize);
tephra_vendor::cusolver_potrs!(export cholesky Solve);
tephra_vendor::cusolver_x_potrf!(export cholesky FactorX);
tephra_vendor::cusolver_x_potrf_buffer_size!(export cholesky FactorSizeX);
tephra_vendor::cusolver_x_potrs!(export cholesky SolveX);
tephra_vendor::cusolver_getrf!(export lu Factor);
tephra_vendor::cusolver_getrf_buffer_size!(export lu FactorSize);
tephra_vendor::cusolver_getrs!(export lu Solve);
tephra_vendor::cusolver_x_getrf!(export lu FactorX);
tephra_vendor::cusolver_x_getrf_buffer_size!(export lu FactorSizeX);
tephra_vendor::cusolver_x_getrs!(export lu SolveX);
