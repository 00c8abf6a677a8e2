//! Scratch memory for calls whose interface has no workspace argument, from a stream-ordered pool that the library
//! owns.

use crate::error::Error;
use crate::gpu::driver::{api, check, current_device};
use crate::gpu::plan::queue::Queue;
use cudarc::driver::sys;
use once_cell::sync::{Lazy, OnceCell};
use std::ffi::c_void;
use std::ptr::null_mut;

/// Memory for the duration of a call, allocated and freed in stream order.
pub struct Scratch<'a> {
    /// Null if no bytes were requested, or if the call is only listed.
    pub p: *mut c_void,
    queue: Queue<'a>,
}

impl<'a> Scratch<'a> {
    /// Allocates `bytes` bytes.
    pub fn take(bytes: usize, queue: Queue<'a>) -> Result<Scratch<'a>, Error> {
        if bytes == 0 {
            return Ok(Scratch { p: null_mut(), queue });
        }
        let stream = match queue {
            Queue::Stream(stream) => stream,
            Queue::List(list) | Queue::SecondList(list) => {
                list.scratch(bytes);
                return Ok(Scratch { p: null_mut(), queue });
            }
        };
        let pool = of(current_device()?)?;
        let mut p = 0;
        // SAFETY: the pool is the current device's; `p` is an out-parameter.
        let r = unsafe { api::cuMemAllocFromPoolAsync(&mut p, bytes, pool, stream.0.cast()) };
        check("cuMemAllocFromPoolAsync", r).map(|()| Scratch { p: p as *mut c_void, queue })
    }

    /// Frees the memory in stream order, after everything that uses it. Returns `done`, the result of that work, or
    /// the error of the free.
    pub fn give_back(self, done: Result<(), Error>) -> Result<(), Error> {
        let Queue::Stream(stream) = self.queue else { return done };
        if self.p.is_null() {
            return done;
        }
        // SAFETY: `take` allocated it, and `self` is consumed, so it is freed once.
        let r = unsafe { api::cuMemFreeAsync(self.p as sys::CUdeviceptr, stream.0.cast()) };
        done.and(check("cuMemFreeAsync", r))
    }
}

/// One pool per device, created at its first use and never destroyed. Handles are stored as integers, which are
/// `Send` and `Sync`.
static POOLS: Lazy<Vec<OnceCell<usize>>> = Lazy::new(|| {
    let mut count = 0;
    // SAFETY: plain driver call with an out-parameter. If it fails, the count stays 0 and there are no pools.
    unsafe { api::cuDeviceGetCount(&mut count) };
    (0..count).map(|_| OnceCell::new()).collect()
});

/// The pool of a device. It never returns memory to the system. The default pool would do so at each
/// synchronisation, and the next warm call would have to allocate again.
pub fn of(device: i32) -> Result<sys::CUmemoryPool, Error> {
    let slot = POOLS.get(device as usize).ok_or_else(|| Error::Driver(format!("device {device} is unknown")))?;
    slot.get_or_try_init(|| create(device)).map(|&pool| pool as sys::CUmemoryPool)
}

fn create(device: i32) -> Result<usize, Error> {
    // SAFETY: the properties are plain data for which zeros are the defaults, and the threshold is a 64-bit integer,
    // as the attribute requires.
    unsafe {
        let mut properties: sys::CUmemPoolProps = std::mem::zeroed();
        properties.allocType = sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location.type_ = sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE;
        properties.location.id = device;
        let mut pool = std::ptr::null_mut();
        check("cuMemPoolCreate", api::cuMemPoolCreate(&mut pool, &properties))?;
        let mut threshold = u64::MAX;
        let attribute = sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
        check("cuMemPoolSetAttribute", api::cuMemPoolSetAttribute(pool, attribute, (&raw mut threshold).cast()))?;
        Ok(pool as usize)
    }
}
