//! Scratch memory for the calls whose interfaces have no workspace argument: a stream-ordered pool of the library's own.

use crate::error::Error;
use crate::gpu::driver::{api, check, current_device};
use crate::gpu::plan::queue::Queue;
use cudarc::driver::sys;
use once_cell::sync::{Lazy, OnceCell};
use std::ffi::c_void;
use std::ptr::null_mut;

/// Memory for the time of a call, taken and given back in stream order.
pub struct Scratch<'a> {
    /// Null where none was asked for.
    pub p: *mut c_void,
    queue: Queue<'a>,
}

impl<'a> Scratch<'a> {
    /// So many bytes.
    pub fn take(bytes: usize, queue: Queue<'a>) -> Result<Scratch<'a>, Error> {
        if bytes == 0 {
            return Ok(Scratch { p: null_mut(), queue });
        }
        let stream = match queue {
            Queue::Stream(stream) => stream,
            Queue::List(list) | Queue::Beside(list) => {
                list.scratch(bytes);
                return Ok(Scratch { p: null_mut(), queue });
            }
        };
        let pool = of(current_device()?)?;
        let mut p = 0;
        // SAFETY: a pool of the current device, an out-parameter.
        let r = unsafe { api::cuMemAllocFromPoolAsync(&mut p, bytes, pool, stream.0.cast()) };
        check("cuMemAllocFromPoolAsync", r).map(|()| Scratch { p: p as *mut c_void, queue })
    }

    /// Behind all that uses it, which ended with `done`.
    pub fn give_back(self, done: Result<(), Error>) -> Result<(), Error> {
        let Queue::Stream(stream) = self.queue else { return done };
        if self.p.is_null() {
            return done;
        }
        // SAFETY: it was taken once, and is given back once.
        let r = unsafe { api::cuMemFreeAsync(self.p as sys::CUdeviceptr, stream.0.cast()) };
        done.and(check("cuMemFreeAsync", r))
    }
}

/// One pool per device, made at its first use and never destroyed. The handle as an integer, which may cross threads.
static POOLS: Lazy<Vec<OnceCell<usize>>> = Lazy::new(|| {
    let mut count = 0;
    // SAFETY: plain driver call with an out-parameter; on failure there is no device and no pool.
    unsafe { api::cuDeviceGetCount(&mut count) };
    (0..count).map(|_| OnceCell::new()).collect()
});

/// The pool of a device. It keeps what it has: the default pool would give memory back to the system at each
/// synchronisation, and a warm call would allocate anew.
pub fn of(device: i32) -> Result<sys::CUmemoryPool, Error> {
    let slot = POOLS.get(device as usize).ok_or_else(|| Error::Driver(format!("device {device} is unknown")))?;
    slot.get_or_try_init(|| create(device)).map(|&pool| pool as sys::CUmemoryPool)
}

fn create(device: i32) -> Result<usize, Error> {
    // SAFETY: the properties are plain data for which zeros are the defaults; the threshold is a 64-bit integer as the
    // attribute asks.
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
