//! Streams and events, which are mere tokens.

use crate::{Code, SUCCESS, give, note};
use std::ffi::{c_int, c_uint, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

static NEXT: AtomicUsize = AtomicUsize::new(0x1000);

fn token() -> *mut c_void {
    NEXT.fetch_add(0x10, Ordering::Relaxed) as *mut c_void
}

#[unsafe(no_mangle)]
extern "C" fn cuStreamCreate(stream: *mut *mut c_void, flags: c_uint) -> Code {
    note!("create stream, flags {flags}");
    give(stream, token())
}

#[unsafe(no_mangle)]
extern "C" fn cuStreamCreateWithPriority(stream: *mut *mut c_void, flags: c_uint, priority: c_int) -> Code {
    note!("create stream, flags {flags}, priority {priority}");
    give(stream, token())
}

#[unsafe(no_mangle)]
extern "C" fn cuCtxGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int) -> Code {
    give(least, 0);
    give(greatest, -5)
}

#[unsafe(no_mangle)]
extern "C" fn cuStreamDestroy_v2(stream: *mut c_void) -> Code {
    note!("destroy stream {:x}", stream as usize);
    SUCCESS
}

#[unsafe(no_mangle)]
extern "C" fn cuStreamSynchronize(stream: *mut c_void) -> Code {
    note!("synchronize stream {:x}", stream as usize);
    SUCCESS
}

/// No stream is ever capturing.
#[unsafe(no_mangle)]
extern "C" fn cuStreamIsCapturing(_stream: *mut c_void, status: *mut c_uint) -> Code {
    give(status, 0)
}

#[unsafe(no_mangle)]
extern "C" fn cuStreamWaitEvent(stream: *mut c_void, event: *mut c_void, _flags: c_uint) -> Code {
    note!("stream {:x} waits for event {:x}", stream as usize, event as usize);
    SUCCESS
}

#[unsafe(no_mangle)]
extern "C" fn cuEventCreate(event: *mut *mut c_void, flags: c_uint) -> Code {
    note!("create event, flags {flags}");
    give(event, token())
}

#[unsafe(no_mangle)]
extern "C" fn cuEventDestroy_v2(event: *mut c_void) -> Code {
    note!("destroy event {:x}", event as usize);
    SUCCESS
}

#[unsafe(no_mangle)]
extern "C" fn cuEventRecord(event: *mut c_void, stream: *mut c_void) -> Code {
    note!("record event {:x} on stream {:x}", event as usize, stream as usize);
    SUCCESS
}

#[unsafe(no_mangle)]
extern "C" fn cuEventQuery(_event: *mut c_void) -> Code {
    SUCCESS
}

#[unsafe(no_mangle)]
extern "C" fn cuEventSynchronize(event: *mut c_void) -> Code {
    note!("synchronize event {:x}", event as usize);
    SUCCESS
}

#[unsafe(no_mangle)]
extern "C" fn cuEventElapsedTime(milliseconds: *mut f32, _start: *mut c_void, _end: *mut c_void) -> Code {
    give(milliseconds, 0.0)
}
