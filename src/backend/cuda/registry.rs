//! Kernels, loaded lazily from the embedded images and independently of contexts.

use super::driver::{check, current_device};
use crate::error::Error;
use crate::plan::table::{IMAGES, KERNELS, KernelId};
use crate::problem::Stream;
use cudarc::driver::sys::{self, CUfunction_attribute, CUresult};
use once_cell::sync::{Lazy, OnceCell};
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU64, Ordering};

struct Loaded {
    kernel: sys::CUkernel,
    /// Devices (by bit) on which the shared-memory limit was raised.
    raised: AtomicU64,
}
// SAFETY: a CUkernel is a process-wide token.
unsafe impl Send for Loaded {}
unsafe impl Sync for Loaded {}

struct Image(sys::CUlibrary);
// SAFETY: a CUlibrary is a process-wide token.
unsafe impl Send for Image {}
unsafe impl Sync for Image {}

static LIBRARIES: Lazy<Vec<OnceCell<Image>>> = Lazy::new(|| IMAGES.iter().map(|_| OnceCell::new()).collect());
static LOADED: Lazy<Vec<OnceCell<Loaded>>> = Lazy::new(|| KERNELS.iter().map(|_| OnceCell::new()).collect());

fn load(id: KernelId) -> Result<Loaded, Error> {
    current_device()?; // loading needs a context
    let image = LIBRARIES[KERNELS[id].image].get_or_try_init(|| {
        let mut library = null_mut();
        let data = IMAGES[KERNELS[id].image].as_ptr().cast::<c_void>();
        // SAFETY: the image is a complete fatbin in static memory.
        let r =
            unsafe { sys::cuLibraryLoadData(&mut library, data, null_mut(), null_mut(), 0, null_mut(), null_mut(), 0) };
        match r {
            CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU => Err(Error::NoDevice(format!(
                "this build has no kernels for the current device (built for {})",
                option_env!("TEPHRA_CUDA_ARCHS_BUILT").unwrap_or("none")
            ))),
            r => check("cuLibraryLoadData", r).map(|()| Image(library)),
        }
    })?;
    let mut kernel = null_mut();
    // SAFETY: library and name are valid; the name is NUL-terminated.
    let r = unsafe { sys::cuLibraryGetKernel(&mut kernel, image.0, KERNELS[id].name.as_ptr()) };
    check("cuLibraryGetKernel", r)?;
    Ok(Loaded { kernel, raised: AtomicU64::new(0) })
}

/// Shared memory that a kernel may use without asking.
const DEFAULT_SHARED: u32 = 48 * 1024;

impl Loaded {
    #[cold]
    fn raise_shared(&self, bytes: u32, device: i32) -> Result<(), Error> {
        let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: attribute call on a loaded kernel.
        let r = unsafe { sys::cuKernelSetAttribute(attribute, bytes as i32, self.kernel, device) };
        check("cuKernelSetAttribute", r)?;
        if device < 64 {
            self.raised.fetch_or(1 << device, Ordering::Release);
        }
        Ok(())
    }
}

/// Launches kernel `id` on the current context. `args` is the kernel's one parameter or parameters, by address.
///
/// # Safety
/// `args` must point to what the kernel declares, and what they name must be valid device memory in stream order.
pub unsafe fn launch(
    id: KernelId,
    blocks: u32,
    threads: u32,
    shared: u32,
    args: &mut [*mut c_void],
    stream: Stream,
) -> Result<(), Error> {
    let loaded = LOADED[id].get_or_try_init(|| load(id))?;
    if shared > DEFAULT_SHARED {
        let device = current_device()?;
        if device >= 64 || loaded.raised.load(Ordering::Acquire) & (1 << device) == 0 {
            loaded.raise_shared(shared, device)?;
        }
    }
    let mut go = || {
        // SAFETY: forwarded from the caller; a CUkernel may stand for a CUfunction here.
        unsafe {
            sys::cuLaunchKernel(
                loaded.kernel.cast(),
                blocks,
                1,
                1,
                threads,
                1,
                1,
                shared,
                stream.0.cast(),
                args.as_mut_ptr(),
                null::<*mut c_void>().cast_mut(),
            )
        }
    };
    match go() {
        CUresult::CUDA_SUCCESS => Ok(()),
        // The thread's first CUDA call: give it the primary context and go again.
        CUresult::CUDA_ERROR_INVALID_CONTEXT => {
            current_device()?;
            check("cuLaunchKernel", go())
        }
        r => Err(check(&format!("cuLaunchKernel {:?}", KERNELS[id].name), r).unwrap_err()),
    }
}
