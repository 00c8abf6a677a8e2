//! A stand-in for the CUDA driver that answers like an H200, executes nothing, and records what it is asked to do.
//!
//! tests/launches.rs loads it before libtephra.so, whose CUDA backend then works on a machine without a GPU. Device
//! memory is an address range with nothing mapped, so host code that accesses it crashes at once. Requests that a real
//! driver would reject are rejected: blocks, grids and shared memory that exceed the limits, unknown kernels, missing
//! parameters.
//!
//! It also serves a whole program that finds it under the driver's name. The list of kernels is then the one
//! that the build writes beside this library, or the one that `RECORDER_KERNELS` names, and nothing is recorded.

mod device;
mod kernels;
mod memory;
mod nvml;
mod streams;
mod unserved;

use std::ffi::{CString, c_char, c_int};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// `CUresult`.
type Code = c_int;
const SUCCESS: Code = 0;
const INVALID_VALUE: Code = 1;
const INVALID_IMAGE: Code = 200;
const NOT_FOUND: Code = 500;

/// The requests since the last [`recorder_take`], one per line.
#[derive(Default)]
struct Record {
    lines: String,
    taken: CString,
}

static RECORD: Mutex<Option<Record>> = Mutex::new(None);

fn record() -> MutexGuard<'static, Option<Record>> {
    RECORD.lock().unwrap_or_else(PoisonError::into_inner)
}

fn write(line: std::fmt::Arguments) {
    if kernels::are_of_the_environment() {
        return;
    }
    let mut record = record();
    let lines = &mut record.get_or_insert_default().lines;
    _ = std::fmt::Write::write_fmt(lines, line);
    lines.push('\n');
}

/// Records a line.
macro_rules! note {
    ($($text:tt)*) => { $crate::write(format_args!($($text)*)) };
}
use note;

/// The lines since the previous call; the string is valid until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn recorder_take() -> *const c_char {
    memory::restart();
    let mut record = record();
    let record = record.get_or_insert_default();
    record.taken = CString::new(std::mem::take(&mut record.lines)).unwrap_or_default();
    record.taken.as_ptr()
}

/// Writes through an out-parameter; rejects NULL.
fn give<T>(place: *mut T, value: T) -> Code {
    if place.is_null() {
        return INVALID_VALUE;
    }
    // SAFETY: this is an out-parameter of the driver's prototype.
    unsafe { place.write(value) };
    SUCCESS
}
