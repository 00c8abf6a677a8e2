//! The CUDA driver, loaded at run time: `Result`s instead of status codes, and the rules for contexts.

pub mod api;
pub mod blas;
pub mod device;
pub mod images;
mod instructions;
pub mod pool;
pub mod registry;
pub mod second;

use crate::error::Error;
use cudarc::driver::sys::{self, CUresult};
use std::ffi::{CStr, c_void};

/// Converts the status of a driver call to a `Result`; `what` names the call in errors.
pub fn check(what: &str, r: CUresult) -> Result<(), Error> {
    match r {
        CUresult::CUDA_SUCCESS => Ok(()),
        CUresult::CUDA_ERROR_OUT_OF_MEMORY => Err(Error::OutOfMemory(what.into())),
        _ => Err(Error::Driver(format!("{what}: {}", name(r)))),
    }
}

/// [`check`] for a call that releases something. At process exit the driver shuts down before some of the program's
/// destructors run; whatever these release has already gone with it.
pub fn check_given_back(what: &str, r: CUresult) -> Result<(), Error> {
    if r == CUresult::CUDA_ERROR_DEINITIALIZED { Ok(()) } else { check(what, r) }
}

/// Whether the driver has shut down, as it does at process exit.
pub fn is_gone() -> bool {
    let mut context = std::ptr::null_mut();
    // SAFETY: plain driver call with an out-parameter.
    unsafe { api::cuCtxGetCurrent(&mut context) == CUresult::CUDA_ERROR_DEINITIALIZED }
}

fn name(r: CUresult) -> String {
    let mut text = std::ptr::null();
    // SAFETY: the driver writes a pointer to a static string, or NULL for codes it does not know.
    unsafe {
        if api::cuGetErrorName(r, &mut text) == CUresult::CUDA_SUCCESS && !text.is_null() {
            CStr::from_ptr(text).to_string_lossy().into_owned()
        } else {
            format!("CUresult {}", r as i32)
        }
    }
}

/// Loads and initialises the driver. Devices can be used once this has succeeded.
pub fn init() -> Result<(), Error> {
    api::load().map_err(Error::NoDevice)?;
    // SAFETY: plain driver calls with out-parameters.
    unsafe {
        let mut version = 0;
        check("cuDriverGetVersion", api::cuDriverGetVersion(&mut version))?;
        if version < 12000 {
            return Err(Error::NoDevice(format!(
                "the driver supports CUDA {}; 12.0 or later is needed",
                version / 1000
            )));
        }
        let mut count = 0;
        let missing = |call: &str, r| match r {
            CUresult::CUDA_SUCCESS => Ok(()),
            _ => Err(Error::NoDevice(format!("{call}: {}", name(r)))),
        };
        missing("cuInit", api::cuInit(0))?;
        missing("cuDeviceGetCount", api::cuDeviceGetCount(&mut count))?;
        if count == 0 {
            return Err(Error::NoDevice("the driver lists no device".into()));
        }
    }
    Ok(())
}

/// The current context's device. A thread without a context gets the primary context of device 0, as with the CUDA
/// runtime.
pub fn current_device() -> Result<i32, Error> {
    let mut context = std::ptr::null_mut();
    let mut device = 0;
    // SAFETY: plain driver calls with out-parameters.
    unsafe {
        check("cuCtxGetCurrent", api::cuCtxGetCurrent(&mut context))?;
        if context.is_null() {
            return set_device(0).map(|()| 0);
        }
        check("cuCtxGetDevice", api::cuCtxGetDevice(&mut device))?;
    }
    Ok(device)
}

/// Makes the device's primary context current on this thread. It is retained for the life of the process.
pub fn set_device(device: i32) -> Result<(), Error> {
    let mut context = std::ptr::null_mut();
    // SAFETY: retains and sets a primary context; the driver checks the device number.
    unsafe {
        check("cuDevicePrimaryCtxRetain", api::cuDevicePrimaryCtxRetain(&mut context, device))?;
        check("cuCtxSetCurrent", api::cuCtxSetCurrent(context))
    }
}

/// The kind of memory that `p` points to, a `CUmemorytype`. `None` if the driver does not know the address, as for
/// plain host memory.
pub fn memory_type(p: *const c_void) -> Result<Option<u32>, Error> {
    let mut kind = 0u32;
    let attribute = sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
    // SAFETY: plain driver call with an out-parameter.
    let r = unsafe { api::cuPointerGetAttribute((&raw mut kind).cast(), attribute, p as usize as sys::CUdeviceptr) };
    if r == CUresult::CUDA_ERROR_INVALID_VALUE {
        Ok(None)
    } else {
        check("cuPointerGetAttribute", r).map(|()| Some(kind))
    }
}

/// An attribute of a device.
pub fn attribute(a: sys::CUdevice_attribute, device: i32) -> Result<usize, Error> {
    let mut value = 0;
    // SAFETY: plain driver call with an out-parameter.
    check("cuDeviceGetAttribute", unsafe { api::cuDeviceGetAttribute(&mut value, a, device) })?;
    Ok(value as usize)
}

/// A device's compute capability times ten.
pub fn arch(device: i32) -> Result<u32, Error> {
    use sys::CUdevice_attribute::*;
    let major = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device)?;
    let minor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device)?;
    Ok((major * 10 + minor) as u32)
}

/// The number of devices.
pub fn device_count() -> Result<i32, Error> {
    let mut count = 0;
    // SAFETY: plain driver call with an out-parameter.
    check("cuDeviceGetCount", unsafe { api::cuDeviceGetCount(&mut count) })?;
    Ok(count)
}
