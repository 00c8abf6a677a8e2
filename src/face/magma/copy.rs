//! MAGMA's set, get and copy functions. They are like cuBLAS's helpers, but have a queue, and report errors with the
//! source position of the call.

use super::queue::{RawQueue, stream_of, synchronize};
use crate::error::Error;
use crate::face::cublas::Status;
use crate::face::cublas::copy::MatrixCopy;
use crate::face::guard::record;
use crate::face::process::read_untrusted;
use crate::host::output::write_error_line;
use std::ffi::{c_char, c_int};

/// The source position of a call: function, file and line. The Fortran module passes characters by value instead of the
/// strings, so the pointers are only read to report an error, and with care.
#[derive(Clone, Copy, Debug)]
pub struct CallSite(pub *const c_char, pub *const c_char, pub c_int);

impl CallSite {
    /// Prints an error as MAGMA's `check_xerror` does, and records it.
    #[cold]
    pub fn report(self, error: &Error) {
        let CallSite(function, file, line) = self;
        let function = read_untrusted(function);
        record(&function, error);
        write_error_line(format_args!("MAGMA error: {error} in {function} at {}:{line}", read_untrusted(file)));
    }

    /// Reports `result` if it is a failure.
    pub fn check(self, result: Result<(), Error>) {
        if let Err(error) = result {
            self.report(&error);
        }
    }
}

/// Copies on the queue's stream (NULL: the default stream); waits unless `asynchronous`.
///
/// # Safety
/// As [`MatrixCopy::start`]; `queue` is NULL or a live queue.
pub unsafe fn copy(matrix: &MatrixCopy, queue: RawQueue, asynchronous: bool, call_site: CallSite) {
    call_site.check(unsafe { try_copy(matrix, queue, asynchronous) });
}

unsafe fn try_copy(matrix: &MatrixCopy, queue: RawQueue, asynchronous: bool) -> Result<(), Error> {
    let status = unsafe { matrix.start(stream_of(queue))? };
    if status != Status::SUCCESS {
        return Err(Error::NotSupported(format!("copy: {}", status.text().to_string_lossy())));
    }
    if asynchronous { Ok(()) } else { unsafe { synchronize(queue) } }
}
