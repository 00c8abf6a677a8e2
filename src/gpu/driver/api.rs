//! The driver functions that the backend calls, looked up in `libcuda.so.1` at run time. Every call to the driver
//! goes through this table.
//!
//! The types are cudarc's. Its loader is not used, because it tries `libcuda.so` first, which may be a toolkit's
//! link-time stub, and panics if the driver lacks a function.

use cudarc::driver::sys::*;
use std::ffi::{CStr, c_char, c_int, c_uchar, c_uint, c_ulonglong, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};

/// The table, null until [`load`] has succeeded. It is an atomic rather than a lock, so that a fork cannot leave it
/// held.
static TABLE: AtomicPtr<Table> = AtomicPtr::new(std::ptr::null_mut());

/// Defines the table, and a function of the same name for each entry. Before [`load`] these return
/// `CUDA_ERROR_NOT_INITIALIZED`.
macro_rules! driver_functions {
    ($($name:ident($($argument:ident: $type:ty),* $(,)?);)*) => {
        #[allow(non_snake_case)]
        struct Table {
            $($name: unsafe extern "C" fn($($type),*) -> CUresult,)*
        }

        impl Table {
            /// Looks up every function. Fails with the name of the first one that `library` lacks.
            ///
            /// # Safety
            /// `library` must be a handle that `dlopen` returned for a CUDA driver.
            unsafe fn of(library: *mut c_void) -> Result<Table, &'static str> {
                Ok(Table {
                    $($name: {
                        let name = concat!(stringify!($name), "\0");
                        // SAFETY: the handle is valid and the name is NUL-terminated.
                        let address = unsafe { libc::dlsym(library, name.as_ptr().cast()) };
                        if address.is_null() {
                            return Err(stringify!($name));
                        }
                        // SAFETY: the driver's function of this name has this type.
                        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($type),*) -> CUresult>(address) }
                    },)*
                })
            }
        }

        $(
            /// The driver's function of this name.
            #[allow(non_snake_case, clippy::missing_safety_doc)]
            #[inline]
            pub unsafe fn $name($($argument: $type),*) -> CUresult {
                // SAFETY: a table is never freed; the caller upholds the driver's requirements.
                match unsafe { TABLE.load(Ordering::Acquire).as_ref() } {
                    Some(table) => unsafe { (table.$name)($($argument),*) },
                    None => CUresult::CUDA_ERROR_NOT_INITIALIZED,
                }
            }
        )*
    };
}

driver_functions! {
    cuCtxGetCurrent(context: *mut CUcontext);
    cuCtxGetDevice(device: *mut CUdevice);
    cuCtxGetId(context: CUcontext, id: *mut c_ulonglong);
    cuCtxGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int);
    cuCtxSetCurrent(context: CUcontext);
    cuDeviceGetAttribute(value: *mut c_int, attribute: CUdevice_attribute, device: CUdevice);
    cuDeviceGetCount(count: *mut c_int);
    cuDeviceGetName(name: *mut c_char, len: c_int, device: CUdevice);
    cuDevicePrimaryCtxRetain(context: *mut CUcontext, device: CUdevice);
    cuDeviceTotalMem_v2(bytes: *mut usize, device: CUdevice);
    cuDriverGetVersion(version: *mut c_int);
    cuEventCreate(event: *mut CUevent, flags: c_uint);
    cuEventDestroy_v2(event: CUevent);
    cuEventElapsedTime(milliseconds: *mut f32, start: CUevent, end: CUevent);
    cuEventQuery(event: CUevent);
    cuEventRecord(event: CUevent, stream: CUstream);
    cuEventSynchronize(event: CUevent);
    cuGetErrorName(error: CUresult, text: *mut *const c_char);
    cuInit(flags: c_uint);
    cuKernelGetFunction(function: *mut CUfunction, kernel: CUkernel);
    cuKernelSetAttribute(attribute: CUfunction_attribute, value: c_int, kernel: CUkernel, device: CUdevice);
    cuLaunchKernel(
        function: CUfunction,
        grid_dim_x: c_uint,
        grid_dim_y: c_uint,
        grid_dim_z: c_uint,
        block_dim_x: c_uint,
        block_dim_y: c_uint,
        block_dim_z: c_uint,
        shared_mem_bytes: c_uint,
        stream: CUstream,
        kernel_params: *mut *mut c_void,
        extra: *mut *mut c_void,
    );
    cuLaunchKernelEx(
        config: *const CUlaunchConfig,
        function: CUfunction,
        kernel_params: *mut *mut c_void,
        extra: *mut *mut c_void,
    );
    cuLibraryGetKernel(kernel: *mut CUkernel, library: CUlibrary, name: *const c_char);
    cuLibraryLoadData(
        library: *mut CUlibrary,
        code: *const c_void,
        jit_options: *mut CUjit_option,
        jit_options_values: *mut *mut c_void,
        num_jit_options: c_uint,
        library_options: *mut CUlibraryOption,
        library_option_values: *mut *mut c_void,
        num_library_options: c_uint,
    );
    cuMemAllocFromPoolAsync(memory: *mut CUdeviceptr, bytes: usize, pool: CUmemoryPool, stream: CUstream);
    cuMemAlloc_v2(memory: *mut CUdeviceptr, bytes: usize);
    cuMemFreeAsync(memory: CUdeviceptr, stream: CUstream);
    cuMemFreeHost(memory: *mut c_void);
    cuMemFree_v2(memory: CUdeviceptr);
    cuMemGetInfo_v2(free: *mut usize, total: *mut usize);
    cuMemHostAlloc(memory: *mut *mut c_void, bytes: usize, flags: c_uint);
    cuMemPoolCreate(pool: *mut CUmemoryPool, properties: *const CUmemPoolProps);
    cuMemPoolSetAttribute(pool: CUmemoryPool, attribute: CUmemPool_attribute, value: *mut c_void);
    cuMemcpy2DAsync_v2(copy: *const CUDA_MEMCPY2D, stream: CUstream);
    cuMemcpyAsync(to: CUdeviceptr, from: CUdeviceptr, bytes: usize, stream: CUstream);
    cuMemsetD8Async(to: CUdeviceptr, byte: c_uchar, count: usize, stream: CUstream);
    cuOccupancyMaxActiveClusters(clusters: *mut c_int, function: CUfunction, config: *const CUlaunchConfig);
    cuPointerGetAttribute(data: *mut c_void, attribute: CUpointer_attribute, ptr: CUdeviceptr);
    cuStreamCreate(stream: *mut CUstream, flags: c_uint);
    cuStreamCreateWithPriority(stream: *mut CUstream, flags: c_uint, priority: c_int);
    cuStreamDestroy_v2(stream: CUstream);
    cuStreamIsCapturing(stream: CUstream, status: *mut CUstreamCaptureStatus);
    cuStreamSynchronize(stream: CUstream);
    cuStreamWaitEvent(stream: CUstream, event: CUevent, flags: c_uint);
}

/// The name under which drivers are installed. `libcuda.so`, without the version number, is for linking.
const LIBRARY: &CStr = c"libcuda.so.1";

/// Opens the driver and looks up its functions, once. The error is one line that says why there is no driver.
pub fn load() -> Result<(), String> {
    if !TABLE.load(Ordering::Acquire).is_null() {
        return Ok(());
    }
    let name = LIBRARY.to_string_lossy();
    // SAFETY: opens a library by a NUL-terminated name. The driver is never closed, so its functions stay valid.
    let table = unsafe {
        let library = libc::dlopen(LIBRARY.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
        if library.is_null() {
            return Err(format!("{name} cannot be loaded (no NVIDIA driver)"));
        }
        Table::of(library)
            .map_err(|lacking| format!("{name} has no {lacking}: a driver of CUDA 12.0 or later is needed"))?
    };
    // If another thread got here at the same time, its table holds the same functions.
    TABLE.store(Box::into_raw(Box::new(table)), Ordering::Release);
    Ok(())
}
