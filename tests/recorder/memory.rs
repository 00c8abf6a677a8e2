//! Memory, copies and pools. Nothing is mapped at device addresses.

use crate::{Code, INVALID_VALUE, SUCCESS, give, note};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::HashMap;
use std::ffi::{c_int, c_uint, c_void};
use std::ops::Range;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Above everything that a process can map: bits 47 and up of a user-space address are zero.
const DEVICE: Range<u64> = 1 << 48..1 << 52;
/// The start of the pools. Tests may use the addresses below freely.
const POOL: u64 = 1 << 51;

/// The next addresses: of allocations, which only grow, and of pools, which restart with each record.
static NEXT: AtomicU64 = AtomicU64::new(1 << 50);
static NEXT_OF_POOL: AtomicU64 = AtomicU64::new(POOL);

/// Makes the pool addresses of the next record start over, so that records are comparable.
pub fn restart() {
    NEXT_OF_POOL.store(POOL, Ordering::Relaxed);
}

/// The int that copies from the device to the host are filled with.
static ANSWER: AtomicI32 = AtomicI32::new(0);

/// Chooses [`ANSWER`].
#[unsafe(no_mangle)]
extern "C" fn recorder_answer(value: c_int) {
    ANSWER.store(value, Ordering::Relaxed);
}

fn take(next: &AtomicU64, bytes: usize) -> u64 {
    next.fetch_add((bytes as u64).next_multiple_of(512), Ordering::Relaxed)
}

#[unsafe(no_mangle)]
extern "C" fn cuMemAlloc_v2(pointer: *mut u64, bytes: usize) -> Code {
    note!("allocate {bytes}");
    if bytes == 0 { INVALID_VALUE } else { give(pointer, take(&NEXT, bytes)) }
}

#[unsafe(no_mangle)]
extern "C" fn cuMemFree_v2(_pointer: u64) -> Code {
    note!("free");
    SUCCESS
}

/// Host allocations and their layouts.
static HOST: Mutex<Option<HashMap<usize, Layout>>> = Mutex::new(None);

#[unsafe(no_mangle)]
extern "C" fn cuMemHostAlloc(pointer: *mut *mut c_void, bytes: usize, _flags: c_uint) -> Code {
    note!("allocate {bytes} of host memory");
    let Ok(layout) = Layout::from_size_align(bytes.max(1), 4096) else { return INVALID_VALUE };
    // SAFETY: the layout is not empty.
    let p = unsafe { alloc_zeroed(layout) };
    HOST.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().insert(p as usize, layout);
    give(pointer, p.cast())
}

#[unsafe(no_mangle)]
extern "C" fn cuMemFreeHost(pointer: *mut c_void) -> Code {
    note!("free host memory");
    match HOST.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().remove(&(pointer as usize)) {
        // SAFETY: it was allocated with this layout and has just been removed from the map.
        Some(layout) => unsafe { dealloc(pointer.cast(), layout) },
        None => return INVALID_VALUE,
    }
    SUCCESS
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuPointerGetAttribute(value: *mut c_void, attribute: c_uint, pointer: u64) -> Code {
    const MEMORY_TYPE: c_uint = 2;
    const OF_DEVICE: c_uint = 2;
    if attribute == MEMORY_TYPE && DEVICE.contains(&pointer) { give(value.cast(), OF_DEVICE) } else { INVALID_VALUE }
}

#[unsafe(no_mangle)]
extern "C" fn cuMemcpyAsync(to: u64, from: u64, bytes: usize, stream: *mut c_void) -> Code {
    let side = |p: u64| if DEVICE.contains(&p) { format!("{p:x}") } else { "host".into() };
    note!("copy {bytes} from {} to {} stream {:x}", side(from), side(to), stream as usize);
    if !DEVICE.contains(&to) {
        let (host, answer) = (to as usize as *mut u8, ANSWER.load(Ordering::Relaxed).to_ne_bytes());
        // SAFETY: the caller passes host memory. The device's contents are unknown, so it receives what the test chose.
        (0..bytes).for_each(|at| unsafe { host.add(at).write(answer[at % answer.len()]) });
    }
    SUCCESS
}

#[unsafe(no_mangle)]
extern "C" fn cuMemcpy2DAsync_v2(_copy: *const c_void, stream: *mut c_void) -> Code {
    note!("copy in two dimensions, stream {:x}", stream as usize);
    SUCCESS
}

#[unsafe(no_mangle)]
extern "C" fn cuMemsetD8Async(to: u64, value: u8, bytes: usize, stream: *mut c_void) -> Code {
    note!("set {bytes} at {to:x} to {value} stream {:x}", stream as usize);
    SUCCESS
}

#[unsafe(no_mangle)]
extern "C" fn cuMemPoolCreate(pool: *mut *mut c_void, _properties: *const c_void) -> Code {
    note!("create pool");
    give(pool, 0x20 as *mut c_void)
}

#[unsafe(no_mangle)]
extern "C" fn cuMemPoolSetAttribute(_pool: *mut c_void, attribute: c_int, _value: *mut c_void) -> Code {
    note!("pool attribute {attribute}");
    SUCCESS
}

#[unsafe(no_mangle)]
extern "C" fn cuMemAllocFromPoolAsync(
    pointer: *mut u64,
    bytes: usize,
    _pool: *mut c_void,
    stream: *mut c_void,
) -> Code {
    let p = take(&NEXT_OF_POOL, bytes);
    note!("take {bytes} from pool at {p:x} stream {:x}", stream as usize);
    give(pointer, p)
}

#[unsafe(no_mangle)]
extern "C" fn cuMemFreeAsync(pointer: u64, stream: *mut c_void) -> Code {
    note!("give {pointer:x} back stream {:x}", stream as usize);
    SUCCESS
}
