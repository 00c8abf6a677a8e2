//! Scratch memory for the calls whose interfaces have no workspace argument: a stream-ordered pool of the library's own.

use super::driver::check;
use crate::error::Error;
use cudarc::driver::sys;
use once_cell::sync::{Lazy, OnceCell};

/// One pool per device, made at its first use and never destroyed. The handle as an integer, which may cross threads.
static POOLS: Lazy<Vec<OnceCell<usize>>> = Lazy::new(|| {
    let mut count = 0;
    // SAFETY: plain driver call with an out-parameter; on failure there is no device and no pool.
    unsafe { sys::cuDeviceGetCount(&mut count) };
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
        check("cuMemPoolCreate", sys::cuMemPoolCreate(&mut pool, &properties))?;
        let mut threshold = u64::MAX;
        let attribute = sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
        check("cuMemPoolSetAttribute", sys::cuMemPoolSetAttribute(pool, attribute, (&raw mut threshold).cast()))?;
        Ok(pool as usize)
    }
}
