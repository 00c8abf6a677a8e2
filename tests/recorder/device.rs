//! Devices and contexts: one H200, or as many as `RECORDER_DEVICES` says, each with its primary context.

use crate::{Code, INVALID_VALUE, NOT_FOUND, SUCCESS, give, note};
use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_uint, c_ulonglong, c_void};

thread_local! {
    /// The device whose context is current.
    static CURRENT: Cell<c_int> = const { Cell::new(0) };
}

/// The context of device i is (i + 1) times this number.
const CONTEXT: usize = 0x10;

fn count() -> c_int {
    let said = std::env::var("RECORDER_DEVICES").ok().and_then(|text| text.parse().ok());
    said.filter(|count| *count > 0).unwrap_or(1)
}

fn context(device: c_int) -> *mut c_void {
    ((device as usize + 1) * CONTEXT) as *mut c_void
}

/// The PCI bus address of the device.
pub const BUS_ID: &CStr = c"0000:1A:00.0";
const MEMORY: usize = 140 << 30;

pub const MULTIPROCESSORS: c_int = 132;
pub const THREADS_PER_BLOCK: c_uint = 1024;
pub const SHARED_PER_BLOCK: c_int = 48 << 10;
pub const SHARED_PER_BLOCK_OPTIN: c_int = 227 << 10;

#[unsafe(no_mangle)]
extern "C" fn cuInit(_flags: c_uint) -> Code {
    SUCCESS
}

#[unsafe(no_mangle)]
extern "C" fn cuDriverGetVersion(version: *mut c_int) -> Code {
    give(version, 13000)
}

#[unsafe(no_mangle)]
extern "C" fn cuGetErrorName(code: Code, name: *mut *const c_char) -> Code {
    give(
        name,
        match code {
            INVALID_VALUE => c"CUDA_ERROR_INVALID_VALUE",
            NOT_FOUND => c"CUDA_ERROR_NOT_FOUND",
            _ => c"(an error of the recorder)",
        }
        .as_ptr(),
    )
}

#[unsafe(no_mangle)]
extern "C" fn cuCtxGetId(context: *mut c_void, id: *mut c_ulonglong) -> Code {
    let device = if context.is_null() { CURRENT.get() as usize } else { context as usize / CONTEXT - 1 };
    give(id, device as c_ulonglong + 1)
}

#[unsafe(no_mangle)]
extern "C" fn cuDeviceGetCount(count: *mut c_int) -> Code {
    give(count, self::count())
}

#[unsafe(no_mangle)]
extern "C" fn cuDeviceGet(device: *mut c_int, ordinal: c_int) -> Code {
    if (0..count()).contains(&ordinal) { give(device, ordinal) } else { INVALID_VALUE }
}

#[unsafe(no_mangle)]
extern "C" fn cuDeviceGetName(name: *mut c_char, length: c_int, _device: c_int) -> Code {
    give_text(name, length, c"NVIDIA H200")
}

#[unsafe(no_mangle)]
extern "C" fn cuDeviceGetPCIBusId(place: *mut c_char, length: c_int, _device: c_int) -> Code {
    give_text(place, length, BUS_ID)
}

fn give_text(name: *mut c_char, length: c_int, text: &CStr) -> Code {
    let bytes = text.to_bytes_with_nul();
    if name.is_null() || (length as usize) < bytes.len() {
        return INVALID_VALUE;
    }
    // SAFETY: the caller passes the length of the buffer.
    unsafe { name.copy_from_nonoverlapping(text.as_ptr(), bytes.len()) };
    SUCCESS
}

#[unsafe(no_mangle)]
extern "C" fn cuDeviceTotalMem_v2(bytes: *mut usize, _device: c_int) -> Code {
    give(bytes, MEMORY)
}

#[unsafe(no_mangle)]
extern "C" fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) -> Code {
    give(free, MEMORY);
    give(total, MEMORY)
}

#[unsafe(no_mangle)]
extern "C" fn cuDeviceGetAttribute(value: *mut c_int, attribute: c_uint, _device: c_int) -> Code {
    let answer = match attribute {
        1 => THREADS_PER_BLOCK as c_int,
        8 => SHARED_PER_BLOCK,
        16 => MULTIPROCESSORS,
        39 => 2048, // threads per multiprocessor
        75 => 9,    // compute capability
        76 => 0,
        81 => 228 << 10, // shared memory per multiprocessor
        97 => SHARED_PER_BLOCK_OPTIN,
        _ => {
            note!("device attribute {attribute}, which the recorder does not know");
            return INVALID_VALUE;
        }
    };
    give(value, answer)
}

#[unsafe(no_mangle)]
extern "C" fn cuDevicePrimaryCtxRetain(context: *mut *mut c_void, device: c_int) -> Code {
    if (0..count()).contains(&device) { give(context, self::context(device)) } else { INVALID_VALUE }
}

#[unsafe(no_mangle)]
extern "C" fn cuCtxSetCurrent(context: *mut c_void) -> Code {
    let device = (context as usize / CONTEXT) as c_int - 1;
    if !(0..count()).contains(&device) {
        return INVALID_VALUE;
    }
    if device != CURRENT.replace(device) {
        note!("device {device}");
    }
    SUCCESS
}

#[unsafe(no_mangle)]
extern "C" fn cuCtxGetCurrent(context: *mut *mut c_void) -> Code {
    give(context, self::context(CURRENT.get()))
}

#[unsafe(no_mangle)]
extern "C" fn cuCtxGetDevice(device: *mut c_int) -> Code {
    give(device, CURRENT.get())
}
