//! `cusolverDnHandle_t`. Tephra's own handles ("ours") are kept in a registry; any other handle belongs to a real
//! cuSOLVER.

use crate::backend;
use crate::backend::Kind;
use crate::error::Error;
use crate::face::cublas::handle_registry;
use crate::face::cublas::handle_registry::HandleRegistry;
use crate::face::cusolver::{RawHandle, Status};
use crate::face::process::CUSOLVER;
use crate::routine::Stream;
use crate::vendor;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

/// One of our handles, which only has a stream.
#[derive(Debug)]
pub struct Handle {
    stream: AtomicPtr<c_void>,
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

/// `cusolverDnCreate`: creates a handle of the real library if there is one in the process, else one of ours. On the
/// CPU backend it is always ours.
///
/// # Safety
/// `out` is NULL or valid for a write.
pub unsafe fn create(out: *mut RawHandle) -> Result<Status, Error> {
    if out.is_null() {
        return Ok(Status::INVALID_VALUE);
    }
    if backend::current()?.kind() == Kind::Cuda
        && let Some(create) = vendor!(CUSOLVER, c"cusolverDnCreate", fn(*mut RawHandle) -> Status)
    {
        return Ok(unsafe { create(out) });
    }
    let handle = HANDLES.register(Handle { stream: AtomicPtr::default() })?;
    unsafe { *out = handle.cast() };
    Ok(Status::SUCCESS)
}

/// `cusolverDnDestroy`, for any handle. For one of ours it waits for the stream, which the caller may destroy
/// afterwards.
///
/// # Safety
/// `raw` is NULL, ours, or a handle of the cuSOLVER in this process.
pub unsafe fn destroy(raw: RawHandle) -> Result<Status, Error> {
    match owner(raw) {
        Owner::Null => Ok(Status::NOT_INITIALIZED),
        Owner::Ours(handle) => {
            let stream = handle.stream();
            if !HANDLES.remove(raw as usize) {
                return Ok(Status::NOT_INITIALIZED);
            }
            drop(unsafe { Box::from_raw(raw.cast::<Handle>()) });
            unsafe { backend::current()?.stream_synchronize(stream)? };
            Ok(Status::SUCCESS)
        }
        Owner::Foreign => Ok(match vendor!(CUSOLVER, c"cusolverDnDestroy", fn(RawHandle) -> Status) {
            Some(destroy) => unsafe { destroy(raw) },
            None => Status::NOT_INITIALIZED,
        }),
    }
}

/// `cusolverDnSetStream`, for any handle.
///
/// # Safety
/// As [`destroy`].
pub unsafe fn set_stream(raw: RawHandle, stream: *mut c_void) -> Status {
    match owner(raw) {
        Owner::Null => Status::NOT_INITIALIZED,
        Owner::Ours(handle) => {
            handle.stream.store(stream, Relaxed);
            Status::SUCCESS
        }
        Owner::Foreign => match vendor!(CUSOLVER, c"cusolverDnSetStream", fn(RawHandle, *mut c_void) -> Status) {
            Some(set_stream) => unsafe { set_stream(raw, stream) },
            None => Status::NOT_INITIALIZED,
        },
    }
}

/// `cusolverDnGetStream`, for any handle.
///
/// # Safety
/// As [`destroy`]; `out` is NULL or valid for a write.
pub unsafe fn get_stream(raw: RawHandle, out: *mut *mut c_void) -> Status {
    if out.is_null() {
        return if raw.is_null() { Status::NOT_INITIALIZED } else { Status::INVALID_VALUE };
    }
    match unsafe { stream_of(raw) } {
        Ok(stream) => {
            unsafe { *out = stream.0 };
            Status::SUCCESS
        }
        Err(status) => status,
    }
}

/// The stream of any handle.
///
/// # Safety
/// As [`destroy`].
#[inline]
pub unsafe fn stream_of(raw: RawHandle) -> Result<Stream, Status> {
    match owner(raw) {
        Owner::Null => Err(Status::NOT_INITIALIZED),
        Owner::Ours(handle) => Ok(handle.stream()),
        Owner::Foreign => {
            let get_stream = vendor!(CUSOLVER, c"cusolverDnGetStream", fn(RawHandle, *mut *mut c_void) -> Status);
            let get_stream = get_stream.ok_or(Status::NOT_INITIALIZED)?;
            let mut stream = ptr::null_mut();
            match unsafe { get_stream(raw, &mut stream) } {
                Status::SUCCESS => Ok(Stream(stream)),
                failed => Err(failed),
            }
        }
    }
}

impl Handle {
    /// The stream that calls are ordered on.
    #[inline]
    pub fn stream(&self) -> Stream {
        Stream(self.stream.load(Relaxed))
    }
}
