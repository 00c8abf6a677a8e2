//! Devices, memory, streams and events, as [`Device`] has them.

use crate::backend::{Device, DeviceInfo};
use crate::error::Error;
use crate::gpu::driver::{self, api, check, check_given_back, current_device};
use crate::routine::Stream;
use cudarc::driver::sys::{self, CUdevice_attribute as Attribute, CUresult};
use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

/// The devices of the CUDA driver.
pub struct Cuda;

/// Whether `p` is page-locked host memory, so that copies from and to it need no staging buffer.
pub fn is_page_locked(p: *const c_void) -> bool {
    driver::memory_type(p) == Ok(Some(sys::CUmemorytype::CU_MEMORYTYPE_HOST as u32))
}

/// Gives a thread without a context the primary context of device 0, as the CUDA runtime does. Errors are left to the
/// driver call that follows.
fn attach() {
    _ = current_device();
}

fn address(p: *const c_void) -> sys::CUdeviceptr {
    p as usize as sys::CUdeviceptr
}

/// Sets bytes in stream order.
///
/// # Safety
/// They must be device memory that is valid in stream order, and a context must be current.
pub unsafe fn memset(p: *mut c_void, value: u8, bytes: usize, stream: Stream) -> Result<(), Error> {
    // SAFETY: forwarded.
    check("cuMemsetD8Async", unsafe { api::cuMemsetD8Async(address(p), value, bytes, stream.0.cast()) })
}

/// Copies values from the device, and waits for them.
///
/// # Safety
/// `from` must point to as many values on the device, and a context must be current.
pub unsafe fn read<T: Copy>(to: &mut [T], from: *const T, stream: Stream) -> Result<(), Error> {
    let to_address = address(to.as_mut_ptr().cast());
    // SAFETY: forwarded.
    unsafe {
        let copied = api::cuMemcpyAsync(to_address, address(from.cast()), size_of_val(to), stream.0.cast());
        check("cuMemcpyAsync", copied)?;
        check("cuStreamSynchronize", api::cuStreamSynchronize(stream.0.cast()))
    }
}

/// Whether a stream is being captured.
pub fn is_captured(stream: Stream) -> Result<bool, Error> {
    let mut status = sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
    // SAFETY: a query with an out-parameter.
    check("cuStreamIsCapturing", unsafe { api::cuStreamIsCapturing(stream.0.cast(), &mut status) })?;
    Ok(status != sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE)
}

/// The number of a device's multiprocessors.
pub fn multiprocessors(device: i32) -> Result<usize, Error> {
    driver::attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device)
}

/// The most shared memory of a block, in bytes.
pub fn shared_per_block(device: i32) -> Result<usize, Error> {
    driver::attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, device)
}

// SAFETY of the driver calls below: pointers, streams and events are the caller's (see `Device`),
// out-parameters are local, and `current_device` ensures a current context where the call needs one.
impl Device for Cuda {
    fn device_count(&self) -> i32 {
        driver::device_count().unwrap_or(0)
    }

    fn current_device(&self) -> Result<i32, Error> {
        current_device()
    }

    fn set_device(&self, device: i32) -> Result<(), Error> {
        driver::set_device(device)
    }

    fn device_info(&self, device: i32) -> Result<DeviceInfo, Error> {
        let attribute = |a: Attribute| driver::attribute(a, device);
        let mut name = [0; 256];
        check("cuDeviceGetName", unsafe { api::cuDeviceGetName(name.as_mut_ptr(), name.len() as i32, device) })?;
        let mut memory = 0;
        check("cuDeviceTotalMem", unsafe { api::cuDeviceTotalMem_v2(&mut memory, device) })?;
        use Attribute::*;
        Ok(DeviceInfo {
            name: unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy().into_owned(),
            arch: driver::arch(device)?,
            multiprocessors: multiprocessors(device)? as u32,
            threads_per_block: attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)? as u32,
            threads_per_multiprocessor: attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)? as u32,
            shared_per_block: attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)?,
            shared_per_block_optin: shared_per_block(device)?,
            shared_per_multiprocessor: attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)?,
            memory,
        })
    }

    fn memory_info(&self) -> Result<(usize, usize), Error> {
        current_device()?;
        let (mut free, mut total) = (0, 0);
        check("cuMemGetInfo", unsafe { api::cuMemGetInfo_v2(&mut free, &mut total) })?;
        Ok((free, total))
    }

    fn is_device_pointer(&self, p: *const c_void) -> i32 {
        let of_device = sys::CUmemorytype::CU_MEMORYTYPE_DEVICE as u32;
        driver::memory_type(p).map_or(-1, |kind| (kind == Some(of_device)).into())
    }

    fn alloc(&self, bytes: usize) -> Result<*mut c_void, Error> {
        current_device()?;
        let mut p = 0;
        check("cuMemAlloc", unsafe { api::cuMemAlloc_v2(&mut p, bytes) })?;
        Ok(p as usize as *mut c_void)
    }

    unsafe fn free(&self, p: *mut c_void) -> Result<(), Error> {
        attach();
        check_given_back("cuMemFree", unsafe { api::cuMemFree_v2(address(p)) })
    }

    fn alloc_pinned(&self, bytes: usize) -> Result<*mut c_void, Error> {
        current_device()?;
        let mut p = null_mut();
        let portable = sys::CU_MEMHOSTALLOC_PORTABLE;
        check("cuMemHostAlloc", unsafe { api::cuMemHostAlloc(&mut p, bytes, portable) })?;
        Ok(p)
    }

    unsafe fn free_pinned(&self, p: *mut c_void) -> Result<(), Error> {
        attach();
        check_given_back("cuMemFreeHost", unsafe { api::cuMemFreeHost(p) })
    }

    unsafe fn copy_2d_async(
        &self,
        dst: *mut c_void,
        dst_pitch: usize,
        src: *const c_void,
        src_pitch: usize,
        width: usize,
        height: usize,
        stream: Stream,
    ) -> Result<(), Error> {
        if width == 0 || height == 0 {
            return Ok(());
        }
        current_device()?;
        // The driver limits the pitch of 2D copies, so a contiguous block is copied as one line.
        if height == 1 || (dst_pitch == width && src_pitch == width) {
            let r = unsafe { api::cuMemcpyAsync(address(dst), address(src), width * height, stream.0.cast()) };
            return check("cuMemcpyAsync", r);
        }
        let unified = sys::CUmemorytype::CU_MEMORYTYPE_UNIFIED;
        let copy = sys::CUDA_MEMCPY2D {
            srcXInBytes: 0,
            srcY: 0,
            srcMemoryType: unified,
            srcHost: null(),
            srcDevice: address(src),
            srcArray: null_mut(),
            srcPitch: src_pitch,
            dstXInBytes: 0,
            dstY: 0,
            dstMemoryType: unified,
            dstHost: null_mut(),
            dstDevice: address(dst),
            dstArray: null_mut(),
            dstPitch: dst_pitch,
            WidthInBytes: width,
            Height: height,
        };
        check("cuMemcpy2DAsync", unsafe { api::cuMemcpy2DAsync_v2(&copy, stream.0.cast()) })
    }

    unsafe fn memset_async(&self, p: *mut c_void, value: u8, bytes: usize, stream: Stream) -> Result<(), Error> {
        if bytes == 0 {
            return Ok(());
        }
        current_device()?;
        unsafe { memset(p, value, bytes, stream) }
    }

    fn stream_create(&self) -> Result<Stream, Error> {
        current_device()?;
        let mut s = null_mut();
        let flags = sys::CUstream_flags::CU_STREAM_DEFAULT as u32;
        check("cuStreamCreate", unsafe { api::cuStreamCreate(&mut s, flags) })?;
        Ok(Stream(s.cast()))
    }

    unsafe fn stream_destroy(&self, s: Stream) -> Result<(), Error> {
        if s.0.is_null() {
            return Ok(()); // the default stream is never destroyed
        }
        check_given_back("cuStreamDestroy", unsafe { api::cuStreamDestroy_v2(s.0.cast()) })
    }

    unsafe fn stream_synchronize(&self, s: Stream) -> Result<(), Error> {
        if driver::is_gone() {
            return Ok(()); // the driver has shut down, and all work with it
        }
        current_device()?;
        check("cuStreamSynchronize", unsafe { api::cuStreamSynchronize(s.0.cast()) })
    }

    unsafe fn stream_wait_event(&self, s: Stream, event: *mut c_void) -> Result<(), Error> {
        attach();
        check("cuStreamWaitEvent", unsafe { api::cuStreamWaitEvent(s.0.cast(), event.cast(), 0) })
    }

    fn event_create(&self, timed: bool) -> Result<*mut c_void, Error> {
        current_device()?;
        let mut e = null_mut();
        use sys::CUevent_flags::{CU_EVENT_DEFAULT, CU_EVENT_DISABLE_TIMING};
        let flags = if timed { CU_EVENT_DEFAULT } else { CU_EVENT_DISABLE_TIMING };
        check("cuEventCreate", unsafe { api::cuEventCreate(&mut e, flags as u32) })?;
        Ok(e.cast())
    }

    unsafe fn event_destroy(&self, event: *mut c_void) -> Result<(), Error> {
        check_given_back("cuEventDestroy", unsafe { api::cuEventDestroy_v2(event.cast()) })
    }

    unsafe fn event_record(&self, event: *mut c_void, s: Stream) -> Result<(), Error> {
        attach();
        check("cuEventRecord", unsafe { api::cuEventRecord(event.cast(), s.0.cast()) })
    }

    unsafe fn event_query(&self, event: *mut c_void) -> Result<bool, Error> {
        match unsafe { api::cuEventQuery(event.cast()) } {
            CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            r => check("cuEventQuery", r).map(|()| true),
        }
    }

    unsafe fn event_synchronize(&self, event: *mut c_void) -> Result<(), Error> {
        check("cuEventSynchronize", unsafe { api::cuEventSynchronize(event.cast()) })
    }

    unsafe fn event_elapsed_ms(&self, start: *mut c_void, end: *mut c_void) -> Result<f32, Error> {
        let mut ms = 0.0;
        check("cuEventElapsedTime", unsafe { api::cuEventElapsedTime(&mut ms, start.cast(), end.cast()) })?;
        Ok(ms)
    }

    fn alloc_async(&self, bytes: usize, stream: Stream) -> Result<*mut c_void, Error> {
        let pool = driver::pool::of(current_device()?)?;
        let mut p = 0;
        check("cuMemAllocFromPoolAsync", unsafe {
            api::cuMemAllocFromPoolAsync(&mut p, bytes, pool, stream.0.cast())
        })?;
        Ok(p as *mut c_void)
    }

    unsafe fn free_async(&self, p: *mut c_void, stream: Stream) -> Result<(), Error> {
        check("cuMemFreeAsync", unsafe { api::cuMemFreeAsync(p as u64, stream.0.cast()) })
    }
}
