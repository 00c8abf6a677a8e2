//! `cusolverDnParams_t`, the options of the type-generic routines. Tephra has no such options, so its objects are
//! empty.

use crate::backend;
use crate::backend::Kind;
use crate::error::Error;
use crate::face::cublas::handle_registry::HandleRegistry;
use crate::face::cusolver::Status;
use crate::face::process::CUSOLVER;
use crate::vendor;
use std::ffi::c_void;

static PARAMS: HandleRegistry = HandleRegistry::new();

/// `cusolverDnCreateParams`: as for handles, calls the real library if there is one in the process.
///
/// # Safety
/// `out` is NULL or valid for a write.
pub unsafe fn create(out: *mut *mut c_void) -> Result<Status, Error> {
    if out.is_null() {
        return Ok(Status::INVALID_VALUE);
    }
    if backend::current()?.kind() == Kind::Cuda
        && let Some(create) = vendor!(CUSOLVER, c"cusolverDnCreateParams", fn(*mut *mut c_void) -> Status)
    {
        return Ok(unsafe { create(out) });
    }
    let made = PARAMS.register(0u64)?;
    unsafe { *out = made.cast() };
    Ok(Status::SUCCESS)
}

/// `cusolverDnDestroyParams`.
///
/// # Safety
/// `params` is NULL, of [`create`], or the real library's.
pub unsafe fn destroy(params: *mut c_void) -> Result<Status, Error> {
    if params.is_null() {
        return Ok(Status::INVALID_VALUE);
    }
    if PARAMS.remove(params as usize) {
        drop(unsafe { Box::from_raw(params.cast::<u64>()) });
        return Ok(Status::SUCCESS);
    }
    Ok(match vendor!(CUSOLVER, c"cusolverDnDestroyParams", fn(*mut c_void) -> Status) {
        Some(destroy) => unsafe { destroy(params) },
        None => Status::INVALID_VALUE,
    })
}
