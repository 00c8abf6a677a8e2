//! Failures of calls. What a matrix does to its own factorisation is not one: `info` tells that.

use crate::sys;
use std::fmt;

/// Why a call did nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The sizes of the operands do not fit each other.
    Shape(String),
    /// An argument of the library's function, counted from 1, is out of range.
    Argument(u32, String),
    /// No plan takes the shape.
    NotSupported(String),
    /// No usable device, driver or kernel image.
    NoDevice(String),
    /// Device or host memory could not be allocated.
    OutOfMemory(String),
    /// The driver failed, or the library has a defect: the status and its text.
    Failed(i32, String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Argument(number, text) => write!(f, "argument {number}: {text}"),
            Error::Failed(status, text) => write!(f, "status {status}: {text}"),
            Error::Shape(text) | Error::NotSupported(text) | Error::NoDevice(text) | Error::OutOfMemory(text) => {
                f.write_str(text)
            }
        }
    }
}

impl std::error::Error for Error {}

/// A status as a result, with the library's text.
pub(crate) fn check(status: sys::tephra_status) -> Result<(), Error> {
    if status == sys::TEPHRA_STATUS_SUCCESS {
        return Ok(());
    }
    // SAFETY: a terminated string, valid until the thread's next failure.
    let text = unsafe { std::ffi::CStr::from_ptr(sys::tephra_last_error()) }.to_string_lossy().into_owned();
    Err(match status {
        sys::TEPHRA_STATUS_NOT_SUPPORTED => Error::NotSupported(text),
        sys::TEPHRA_STATUS_NO_DEVICE => Error::NoDevice(text),
        sys::TEPHRA_STATUS_OUT_OF_MEMORY => Error::OutOfMemory(text),
        negative if negative < 0 => Error::Argument(negative.unsigned_abs(), text),
        other => Error::Failed(other, text),
    })
}
