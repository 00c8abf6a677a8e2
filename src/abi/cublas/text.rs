//! Versions, status strings, the logger and xerbla. If there is a real cuBLAS in the process, its versions are
//! reported, because it serves every function that Tephra does not export.

use std::ffi::{c_char, c_int};
use std::ptr::null_mut;
use tephra_core::face::cublas::handle::{get, owner};
use tephra_core::face::cublas::status::valid;
use tephra_core::face::cublas::{Owner, RawHandle, Status};
use tephra_core::face::guard::{read_path, read_text};
use tephra_core::face::process::CUBLAS;
use tephra_core::face::trace::{self, LogCallback};
use tephra_core::host::output::write_error_line;
use tephra_core::{entry, vendor};

/// The version of the cuBLAS interface that is implemented: 13.0.2.
const VERSION: [c_int; 3] = [13, 0, 2];

entry! {
    fn cublasGetVersion_v2(handle: RawHandle, version: *mut c_int) -> Status {
        // The vendor's function accepts NULL as the handle, and must not receive one of Tephra's.
        let theirs = if matches!(owner(handle), Owner::Foreign) { handle } else { null_mut() };
        match vendor!(CUBLAS, c"cublasGetVersion_v2", fn(RawHandle, *mut c_int) -> Status) {
            Some(function) => Ok(function(theirs, version)),
            None => Ok(get(VERSION[0] * 10000 + VERSION[1] * 100 + VERSION[2], version)),
        }
    }

    fn cublasGetProperty(property: c_int, value: *mut c_int) -> Status {
        match vendor!(CUBLAS, c"cublasGetProperty", fn(c_int, *mut c_int) -> Status) {
            Some(function) => Ok(function(property, value)),
            None => Ok(VERSION.get(property as usize).map_or(Status::INVALID_VALUE, |part| get(*part, value))),
        }
    }

    fn cublasGetCudartVersion() -> usize {
        match vendor!(CUBLAS, c"cublasGetCudartVersion", fn() -> usize) {
            Some(function) => Ok(function()),
            None => Ok(VERSION[0] as usize * 1000),
        }
    }

    fn cublasGetStatusName(status: Status) -> *const c_char { Ok(status.name().as_ptr()) }

    fn cublasGetStatusString(status: Status) -> *const c_char { Ok(status.text().as_ptr()) }

    fn cublasLoggerConfigure(on: c_int, to_stdout: c_int, to_stderr: c_int, file: *const c_char) -> Status {
        Ok(valid(trace::configure(on != 0, to_stdout != 0, to_stderr != 0, read_path(file).as_deref())))
    }

    fn cublasSetLoggerCallback(callback: Option<LogCallback>) -> Status {
        trace::set_callback(callback);
        Ok(Status::SUCCESS)
    }

    fn cublasGetLoggerCallback(callback: *mut Option<LogCallback>) -> Status { Ok(get(trace::callback(), callback)) }

    fn cublasXerbla(name: *const c_char, info: c_int) {
        let name = read_text(name).unwrap_or_default();
        write_error_line(format_args!(" ** On entry to {name} parameter number {info} had an illegal value"));
        Ok(())
    }
}
