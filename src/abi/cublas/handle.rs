//! Handles and their settings. A call with a handle of a real cuBLAS is forwarded to that library.

use std::ffi::{c_int, c_void};
use std::sync::atomic::Ordering::Relaxed;
use tephra_core::face::cublas::handle::{self, accept_workspace, get, owner, set};
use tephra_core::face::cublas::{Owner, RawHandle, Status};
use tephra_core::face::process::CUBLAS;
use tephra_core::{entry, vendor};

entry! {
    fn cublasCreate_v2(handle: *mut RawHandle) -> Status { handle::create(handle) }

    fn cublasDestroy_v2(handle: RawHandle) -> Status { handle::destroy(handle) }

    fn cublasSetStream_v2(handle: RawHandle, stream: *mut c_void) -> Status { Ok(handle::set_stream(handle, stream)) }
}

/// Defines functions of a handle and further arguments. The body serves Tephra's handles; calls with other handles go
/// to the vendor's function.
macro_rules! on_handle {
    ($(fn $name:ident, $c_name:literal, ($ours:ident $(, $arg:ident: $ty:ty)*) $body:block)*) => { entry! {$(
        fn $name(handle: RawHandle $(, $arg: $ty)*) -> Status {
            match owner(handle) {
                Owner::Null => Ok(Status::NOT_INITIALIZED),
                Owner::Ours($ours) => Ok($body),
                Owner::Foreign => match vendor!(CUBLAS, $c_name, fn(RawHandle $(, $ty)*) -> Status) {
                    Some(function) => Ok(function(handle $(, $arg)*)),
                    None => Ok(handle::unknown()),
                },
            }
        }
    )*}};
}

on_handle! {
    fn cublasGetStream_v2, c"cublasGetStream_v2", (ours, stream: *mut *mut c_void) { get(ours.stream().0, stream) }

    fn cublasSetWorkspace_v2, c"cublasSetWorkspace_v2", (_ours, workspace: *mut c_void, _bytes: usize) {
        accept_workspace(workspace)
    }

    fn cublasGetPointerMode_v2, c"cublasGetPointerMode_v2", (ours, mode: *mut c_int) {
        get(ours.pointer_mode.load(Relaxed), mode)
    }
    fn cublasSetPointerMode_v2, c"cublasSetPointerMode_v2", (ours, mode: c_int) {
        set(&ours.pointer_mode, mode, |mode| matches!(mode, 0 | 1))
    }

    fn cublasGetAtomicsMode, c"cublasGetAtomicsMode", (ours, mode: *mut c_int) {
        get(ours.atomics_mode.load(Relaxed), mode)
    }
    fn cublasSetAtomicsMode, c"cublasSetAtomicsMode", (ours, mode: c_int) {
        set(&ours.atomics_mode, mode, |mode| matches!(mode, 0 | 1))
    }

    fn cublasGetMathMode, c"cublasGetMathMode", (ours, mode: *mut c_int) { get(ours.math_mode.load(Relaxed), mode) }
    fn cublasSetMathMode, c"cublasSetMathMode", (ours, mode: c_int) {
        // A mode of 0 to 4, with or without DISALLOW_REDUCED_PRECISION_REDUCTION (16).
        set(&ours.math_mode, mode, |mode| matches!(mode & !16, 0..=4))
    }

    fn cublasGetSmCountTarget, c"cublasGetSmCountTarget", (ours, target: *mut c_int) {
        get(ours.sm_target.load(Relaxed), target)
    }
    fn cublasSetSmCountTarget, c"cublasSetSmCountTarget", (ours, target: c_int) {
        set(&ours.sm_target, target, |target| target >= 0)
    }

    fn cublasGetEmulationStrategy, c"cublasGetEmulationStrategy", (ours, strategy: *mut c_int) {
        get(ours.emulation.load(Relaxed), strategy)
    }
    fn cublasSetEmulationStrategy, c"cublasSetEmulationStrategy", (ours, strategy: c_int) {
        set(&ours.emulation, strategy, |strategy| matches!(strategy, 0..=2))
    }
}
