//! Failures of calls. Numerical failures of single matrices are not errors: they are reported by `info`.

use crate::sys;
use std::fmt;

/// The reason why a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The sizes of the operands do not fit each other.
    Shape(String),
    /// An argument of the library's function, counted from 1, is out of range.
    Argument(u32, String),
    /// The library does not support this shape.
    NotSupported(String),
    /// There is no usable device, driver or kernel image.
    NoDevice(String),
    /// Device or host memory could not be allocated.
    OutOfMemory(String),
    /// The driver failed, or the library has a bug. Holds the status and its message.
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

/// Converts a status of this thread's last call to a result with the library's message.
pub(crate) fn check(status: sys::tephra_status) -> Result<(), Error> {
    if status == sys::TEPHRA_STATUS_SUCCESS {
        return Ok(());
    }
    // SAFETY: the function returns a NUL-terminated string that is valid until the thread's next failure.
    let text = unsafe { std::ffi::CStr::from_ptr(sys::tephra_last_error()) }.to_string_lossy().into_owned();
    Err(match status {
        sys::TEPHRA_STATUS_NOT_SUPPORTED => Error::NotSupported(text),
        sys::TEPHRA_STATUS_NO_DEVICE => Error::NoDevice(text),
        sys::TEPHRA_STATUS_OUT_OF_MEMORY => Error::OutOfMemory(text),
        negative if negative < 0 => Error::Argument(negative.unsigned_abs(), text),
        other => Error::Failed(other, text),
    })
}
