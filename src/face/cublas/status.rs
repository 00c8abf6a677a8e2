//! `cublasStatus_t`, with its names and descriptions.

use crate::error::Error;
use crate::face::guard::{Outcome, Prototype};
use std::ffi::CStr;

/// `cublasStatus_t`.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(pub i32);

macro_rules! statuses {
    ($($name:ident = $value:literal, $c_name:literal, $text:literal;)*) => {
        #[allow(missing_docs)] // the names are cuBLAS's
        impl Status {
            $(pub const $name: Status = Status($value);)*

            /// The name of the enumerator (`cublasGetStatusName`).
            pub fn name(self) -> &'static CStr {
                match self.0 {
                    $($value => $c_name,)*
                    _ => c"CUBLAS_STATUS_UNKNOWN",
                }
            }

            /// A description (`cublasGetStatusString`).
            pub fn text(self) -> &'static CStr {
                match self.0 {
                    $($value => $text,)*
                    _ => c"unknown status",
                }
            }
        }
    };
}

statuses! {
    SUCCESS = 0, c"CUBLAS_STATUS_SUCCESS", c"the operation completed successfully";
    NOT_INITIALIZED = 1, c"CUBLAS_STATUS_NOT_INITIALIZED", c"the library was not initialized";
    ALLOC_FAILED = 3, c"CUBLAS_STATUS_ALLOC_FAILED", c"the resource allocation failed";
    INVALID_VALUE = 7, c"CUBLAS_STATUS_INVALID_VALUE", c"an unsupported value or parameter was passed to the function";
    ARCH_MISMATCH = 8, c"CUBLAS_STATUS_ARCH_MISMATCH", c"the function requires a feature absent from the device architecture";
    MAPPING_ERROR = 11, c"CUBLAS_STATUS_MAPPING_ERROR", c"an access to GPU memory space failed";
    EXECUTION_FAILED = 13, c"CUBLAS_STATUS_EXECUTION_FAILED", c"the function failed to launch on the GPU";
    INTERNAL_ERROR = 14, c"CUBLAS_STATUS_INTERNAL_ERROR", c"an internal operation failed";
    NOT_SUPPORTED = 15, c"CUBLAS_STATUS_NOT_SUPPORTED", c"the requested functionality is not supported";
    LICENSE_ERROR = 16, c"CUBLAS_STATUS_LICENSE_ERROR", c"the requested functionality requires some license";
}

/// Converts an error to a status type with NVIDIA's status names.
macro_rules! from_error {
    ($Status:ident) => {
        impl From<&$crate::error::Error> for $Status {
            fn from(error: &$crate::error::Error) -> Self {
                use $crate::error::Error;
                match error {
                    Error::BadArgument(..) => $Status::INVALID_VALUE,
                    Error::NotSupported(_) => $Status::NOT_SUPPORTED,
                    Error::NoDevice(_) => $Status::NOT_INITIALIZED,
                    Error::OutOfMemory(_) => $Status::ALLOC_FAILED,
                    Error::Driver(_) => $Status::EXECUTION_FAILED,
                    Error::Internal(_) => $Status::INTERNAL_ERROR,
                }
            }
        }
    };
}
pub(in crate::face) use from_error;
from_error!(Status);

impl Outcome for Status {
    const STATUS: bool = true;
    fn failed(_name: &'static str, error: &Error) -> Self {
        error.into()
    }
    fn is_failure(&self) -> bool {
        *self != Status::SUCCESS
    }
    fn text(&self, _prototype: &Prototype) -> String {
        Status::text(*self).to_string_lossy().into_owned()
    }
}

/// `SUCCESS` or `INVALID_VALUE`.
pub fn valid(ok: bool) -> Status {
    if ok { Status::SUCCESS } else { Status::INVALID_VALUE }
}

/// Returns `INVALID_VALUE` if an output pointer is NULL.
pub fn valid_pointer<T>(pointer: *mut T) -> Result<(), Status> {
    if pointer.is_null() { Err(Status::INVALID_VALUE) } else { Ok(()) }
}
