//! `cublasHandle_t`. Tephra's own handles ("ours") are kept in a registry; any other handle belongs to a real cuBLAS.

use crate::backend;
use crate::backend::Kind;
use crate::error::Error;
use crate::face::cublas::handle_registry;
use crate::face::cublas::handle_registry::HandleRegistry;
use crate::face::cublas::status::{Status, valid};
use crate::face::process::CUBLAS;
use crate::routine::Stream;
use crate::vendor;
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicPtr, Ordering::Relaxed};
pub use tephra_vendor::types::RawHandle;

/// One of our handles. Its fields are atomic because cuBLAS allows threads to share a handle, though it discourages it.
#[derive(Debug)]
pub struct Handle {
    stream: AtomicPtr<c_void>,
    /// HOST 0 (default), DEVICE 1.
    pub pointer_mode: AtomicI32,
    /// NOT_ALLOWED 0 (default), ALLOWED 1.
    pub atomics_mode: AtomicI32,
    /// `cublasMath_t`, see [`crate::face::math::of_mode`].
    pub math_mode: AtomicI32,
    /// Target number of multiprocessors, 0 for all. Only stored for the caller.
    pub sm_target: AtomicI32,
    /// `cublasEmulationStrategy_t`. Only stored for the caller.
    pub emulation: AtomicI32,
}

static HANDLES: HandleRegistry = HandleRegistry::new();

/// The owner of a handle.
pub type Owner = handle_registry::Owner<Handle>;

/// Looks up the owner of a handle.
#[inline]
pub fn owner(raw: RawHandle) -> Owner {
    // SAFETY: only our handles are inserted, and they are removed before they are freed.
    unsafe { HANDLES.owner(raw as usize) }
}

/// `cublasCreate_v2`: creates a handle of the real library if there is one in the process, so that every vendor
/// function works with it, else one of ours. On the CPU backend it is always ours.
///
/// # Safety
/// `out` is NULL or valid for a write.
pub unsafe fn create(out: *mut RawHandle) -> Result<Status, Error> {
    if out.is_null() {
        return Ok(Status::INVALID_VALUE);
    }
    if backend::current()?.kind() == Kind::Cuda
        && let Some(create) = vendor!(CUBLAS, c"cublasCreate_v2", fn(*mut RawHandle) -> Status)
    {
        return Ok(unsafe { create(out) });
    }
    unsafe { *out = Handle::register()? };
    Ok(Status::SUCCESS)
}

impl Handle {
    fn register() -> Result<RawHandle, Error> {
        let handle = HANDLES.register(Handle {
            stream: AtomicPtr::default(),
            pointer_mode: AtomicI32::new(0),
            atomics_mode: AtomicI32::new(0),
            math_mode: AtomicI32::new(0),
            sm_target: AtomicI32::new(0),
            emulation: AtomicI32::new(0),
        })?;
        Ok(handle.cast())
    }

    /// `cublasDestroy_v2`, which as in cuBLAS also waits for the device.
    pub fn destroy(&'static self) -> Result<Status, Error> {
        let address = ptr::from_ref(self) as usize;
        if !HANDLES.remove(address) {
            return Ok(Status::NOT_INITIALIZED);
        }
        drop(unsafe { Box::from_raw(address as *mut Handle) });
        unsafe { backend::current()?.stream_synchronize(Stream(ptr::null_mut()))? };
        Ok(Status::SUCCESS)
    }

    /// The stream that calls are ordered on.
    #[inline]
    pub fn stream(&self) -> Stream {
        Stream(self.stream.load(Relaxed))
    }

    /// Sets the stream.
    pub fn set_stream(&self, stream: *mut c_void) -> Status {
        self.stream.store(stream, Relaxed);
        Status::SUCCESS
    }
}

/// `cublasSetWorkspace_v2`: accepts memory that is aligned to 256 bytes, but does not use it. Calls allocate their
/// workspace from the stream-ordered pool.
pub fn accept_workspace(workspace: *mut c_void) -> Status {
    const ALIGNMENT: usize = 256;
    valid((workspace as usize).is_multiple_of(ALIGNMENT))
}

/// Stores a setting if it is one of the allowed values.
pub fn set(setting: &AtomicI32, value: i32, allowed: impl FnOnce(i32) -> bool) -> Status {
    let ok = allowed(value);
    if ok {
        setting.store(value, Relaxed);
    }
    valid(ok)
}

/// Stores `value` through a caller's pointer; NULL is an invalid value.
///
/// # Safety
/// `out` is NULL or valid for a write.
pub unsafe fn get<T>(value: T, out: *mut T) -> Status {
    if out.is_null() {
        return Status::INVALID_VALUE;
    }
    unsafe { *out = value };
    Status::SUCCESS
}

/// Sets the stream of any handle, ours or the real library's.
///
/// # Safety
/// `raw` is NULL, ours, or a handle of the cuBLAS in this process.
pub unsafe fn set_stream(raw: RawHandle, stream: *mut c_void) -> Status {
    match owner(raw) {
        Owner::Null => Status::NOT_INITIALIZED,
        Owner::Ours(handle) => handle.set_stream(stream),
        Owner::Foreign => match vendor!(CUBLAS, c"cublasSetStream_v2", fn(RawHandle, *mut c_void) -> Status) {
            Some(set_stream) => unsafe { set_stream(raw, stream) },
            None => Status::NOT_INITIALIZED,
        },
    }
}

/// The status of a call with a handle that is not ours, for a function that no library in the process has:
/// NOT_SUPPORTED if there is a real cuBLAS (an older one), else NOT_INITIALIZED, as the handle is invalid.
#[cold]
pub fn unknown() -> Status {
    match vendor!(CUBLAS, c"cublasCreate_v2", fn(*mut RawHandle) -> Status) {
        Some(_) => Status::NOT_SUPPORTED,
        None => Status::NOT_INITIALIZED,
    }
}

/// Destroys any handle, ours or the real library's.
///
/// # Safety
/// As [`set_stream`].
pub unsafe fn destroy(raw: RawHandle) -> Result<Status, Error> {
    match owner(raw) {
        Owner::Null => Ok(Status::NOT_INITIALIZED),
        Owner::Ours(handle) => handle.destroy(),
        Owner::Foreign => Ok(match vendor!(CUBLAS, c"cublasDestroy_v2", fn(RawHandle) -> Status) {
            Some(destroy) => unsafe { destroy(raw) },
            None => Status::NOT_INITIALIZED,
        }),
    }
}

/// Asks the real library for the stream of its handle.
///
/// # Safety
/// `raw` is a handle of the cuBLAS in this process.
#[inline]
pub unsafe fn foreign_stream(raw: RawHandle) -> Result<Stream, Status> {
    let get_stream = vendor!(CUBLAS, c"cublasGetStream_v2", fn(RawHandle, *mut *mut c_void) -> Status);
    let get_stream = get_stream.ok_or(Status::NOT_INITIALIZED)?;
    let mut stream = ptr::null_mut();
    match unsafe { get_stream(raw, &mut stream) } {
        Status::SUCCESS => Ok(Stream(stream)),
        failed => Err(failed),
    }
}

/// Asks the real library for the pointer mode of its handle.
///
/// # Safety
/// As [`foreign_stream`].
pub unsafe fn foreign_pointer_mode(raw: RawHandle) -> Result<c_int, Status> {
    let get_mode = vendor!(CUBLAS, c"cublasGetPointerMode_v2", fn(RawHandle, *mut c_int) -> Status);
    let get_mode = get_mode.ok_or(Status::NOT_INITIALIZED)?;
    let mut mode = 0;
    match unsafe { get_mode(raw, &mut mode) } {
        Status::SUCCESS => Ok(mode),
        failed => Err(failed),
    }
}

/// Asks the real library for the math mode of its handle; the default mode if that fails.
///
/// # Safety
/// As [`foreign_stream`].
pub unsafe fn foreign_math_mode(raw: RawHandle) -> c_int {
    let mut mode = 0;
    match vendor!(CUBLAS, c"cublasGetMathMode", fn(RawHandle, *mut c_int) -> Status) {
        Some(get_mode) if unsafe { get_mode(raw, &mut mode) } == Status::SUCCESS => mode,
        _ => 0,
    }
}
