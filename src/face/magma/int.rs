//! `magma_int_t` as a result, its error codes and messages, and xerbla.

use crate::error::{Arg, Error};
use crate::face::guard::{Outcome, record};
use crate::face::native::{Positions, position};
use crate::face::process::global;
use crate::host::output::write_error_line;
use std::ffi::{CStr, CString, c_char, c_int};

/// `magma_int_t` (LP64) where it carries a result: 0, -i for the i-th argument, or a code at or below -100.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MagmaInt(pub c_int);

macro_rules! codes {
    ($($(#[$meta:meta])* $name:ident = $value:literal, $text:literal;)*) => {
        impl MagmaInt {
            $($(#[$meta])* pub const $name: MagmaInt = MagmaInt($value);)*
        }

        /// `magma_strerror`.
        pub fn text(code: c_int) -> &'static CStr {
            match code {
                1.. => c"function-specific error, see documentation",
                -99..=-1 => c"invalid argument",
                $($value => $text,)*
                _ => c"unknown MAGMA error code",
            }
        }
    };
}

codes! {
    /// Success.
    SUCCESS = 0, c"success";
    /// Not further specified.
    ERR = -100, c"unknown error";
    /// `magma_init` was not called, or there is no device.
    NOT_INITIALIZED = -101, c"not initialized";
    /// Unused by MAGMA.
    REINITIALIZED = -102, c"reinitialized";
    /// Not supported.
    NOT_SUPPORTED = -103, c"not supported";
    /// Unused by MAGMA.
    ILLEGAL_VALUE = -104, c"illegal value";
    /// A file was not found.
    NOT_FOUND = -105, c"not found";
    /// Unused by MAGMA.
    ALLOCATION = -106, c"allocation";
    /// Unused by MAGMA.
    INTERNAL_LIMIT = -107, c"internal limit";
    /// Unused by MAGMA.
    UNALLOCATED = -108, c"unallocated error";
    /// Unused by MAGMA.
    FILESYSTEM = -109, c"filesystem error";
    /// Unused by MAGMA.
    UNEXPECTED = -110, c"unexpected error";
    /// Unused by MAGMA.
    SEQUENCE_FLUSHED = -111, c"sequence flushed";
    /// Host memory could not be allocated.
    HOST_ALLOC = -112, c"cannot allocate memory on CPU host";
    /// Device memory could not be allocated.
    DEVICE_ALLOC = -113, c"cannot allocate memory on GPU device";
    /// Unused by MAGMA.
    CUDASTREAM = -114, c"CUDA stream error";
    /// A pointer that cannot be freed.
    INVALID_PTR = -115, c"invalid pointer";
    /// Not further specified.
    UNKNOWN = -116, c"unknown error";
    /// Not implemented.
    NOT_IMPLEMENTED = -117, c"not implemented";
    /// A NaN was seen.
    NAN = -118, c"NaN detected";
    /// A code of MAGMA's sparse module, as the following ones.
    SLOW_CONVERGENCE = -201, c"stopping criterion not reached within iterations";
    /// Sparse.
    DIVERGENCE = -202, c"divergence";
    /// Sparse.
    NONSPD = -203, c"not positive definite (SPD/HPD)";
    /// Sparse.
    BADPRECOND = -204, c"bad preconditioner";
    /// Sparse.
    NOTCONVERGED = -205, c"stopping criterion not reached within iterations";
    /// A code of cuSPARSE in MAGMA's range, as the following ones.
    CUSPARSE_NOT_INITIALIZED = -3001, c"cusparse: not initialized";
    /// cuSPARSE.
    CUSPARSE_ALLOC_FAILED = -3002, c"cusparse: allocation failed";
    /// cuSPARSE.
    CUSPARSE_INVALID_VALUE = -3003, c"cusparse: invalid value";
    /// cuSPARSE.
    CUSPARSE_ARCH_MISMATCH = -3004, c"cusparse: architecture mismatch";
    /// cuSPARSE.
    CUSPARSE_MAPPING_ERROR = -3005, c"cusparse: mapping error";
    /// cuSPARSE.
    CUSPARSE_EXECUTION_FAILED = -3006, c"cusparse: execution failed";
    /// cuSPARSE.
    CUSPARSE_INTERNAL_ERROR = -3007, c"cusparse: internal error";
    /// cuSPARSE.
    CUSPARSE_MATRIX_TYPE_NOT_SUPPORTED = -3008, c"cusparse: matrix type not supported";
    /// cuSPARSE.
    CUSPARSE_ZERO_PIVOT = -3009, c"cusparse: zero pivot";
}

impl From<&Error> for MagmaInt {
    fn from(error: &Error) -> Self {
        match error {
            Error::BadArgument(..) => MagmaInt::ILLEGAL_VALUE,
            Error::NotSupported(_) => MagmaInt::NOT_SUPPORTED,
            Error::NoDevice(_) => MagmaInt::NOT_INITIALIZED,
            Error::OutOfMemory(_) => MagmaInt::DEVICE_ALLOC,
            Error::Driver(_) => MagmaInt::UNKNOWN,
            Error::Internal(_) => MagmaInt::ERR,
        }
    }
}

impl Outcome for MagmaInt {
    fn failed(name: &'static str, error: &Error) -> Self {
        let code = MagmaInt::from(error);
        xerbla(name, -code.0);
        code
    }
}

/// Reports through xerbla that argument `position` of `name` is bad, as MAGMA does, and returns `-position`.
#[cold]
pub fn bad_argument(name: &str, error: &Error, position: c_int) -> MagmaInt {
    record(name, error);
    xerbla(name, position);
    MagmaInt(-position)
}

/// Reports a bad argument through xerbla and returns its negative number. Other failures are left to the entry guard.
pub fn into_code(name: &'static str, positions: &Positions, result: Result<(), Error>) -> Result<MagmaInt, Error> {
    match result {
        Ok(()) => Ok(MagmaInt::SUCCESS),
        Err(error @ Error::BadArgument(arg, _)) => Ok(bad_argument(name, &error, position(positions, arg))),
        Err(error) => Err(error),
    }
}

/// [`into_code`] for a routine that returns nothing: a bad argument is only reported through xerbla.
pub fn report(name: &str, positions: &Positions, result: Result<(), Error>) -> Result<(), Error> {
    report_at(name, |arg| position(positions, arg), result)
}

/// [`report`] with a function that gives the position of an argument.
pub fn report_at(name: &str, position: impl FnOnce(Arg) -> i32, result: Result<(), Error>) -> Result<(), Error> {
    match result {
        Err(error @ Error::BadArgument(arg, _)) => {
            bad_argument(name, &error, position(arg));
            Ok(())
        }
        other => other,
    }
}

/// Calls the process's `magma_xerbla`. A program may define its own, which MAGMA's routines then call.
pub fn xerbla(name: &str, negated: c_int) {
    match (global(c"magma_xerbla"), CString::new(name)) {
        (Some(address), Ok(c_name)) => {
            let handler: unsafe extern "C" fn(*const c_char, c_int) = unsafe { std::mem::transmute(address) };
            unsafe { handler(c_name.as_ptr(), negated) }
        }
        _ => print_xerbla(name, negated),
    }
}

/// The default `magma_xerbla`: prints one line on stderr and returns.
pub fn print_xerbla(name: &str, negated: c_int) {
    let info = negated.wrapping_neg();
    write_error_line(match negated {
        ..0 => format!("Error in {name}, function-specific error (info = {info})"),
        0 => format!("No error, why is {name} calling xerbla? (info = {info})"),
        1..100 => format!("On entry to {name}, parameter {negated} had an illegal value (info = {info})"),
        _ => format!("Error in {name}, {} (info = {info})", text(info).to_string_lossy()),
    });
}
