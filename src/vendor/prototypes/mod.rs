//! The prototypes of the cuBLAS and cuSOLVER routines, each of which is defined only here.

/// The C types of prototypes.
pub mod types {
    use std::ffi::{c_int, c_void};
    /// `cublasHandle_t` or `cusolverDnHandle_t` as it is passed through the ABI.
    pub type RawHandle = *mut c_void;
    /// `int`, and the vendor's enumeration types.
    pub type Int = c_int;
    /// Device array of device pointers to matrices or vectors.
    pub type Array = *const *mut c_void;
    /// Device pointer to the first matrix or vector of a strided batch.
    pub type Raw = *mut c_void;
    /// One scalar, in host or device memory according to the handle's pointer mode.
    pub type Scalar = *const c_void;
    /// Output integers: one on the host, or one per matrix on the device.
    pub type Codes = *mut c_int;
    /// An output size in bytes, on the host.
    pub type Bytes = *mut usize;
    /// Row interchanges of all matrices in one device array: n integers of the first matrix, then of the second, ...
    pub type Pivots = *mut c_int;
}

/// `routine! { $ ROUTINE: NAME DTYPE SIZE; ... (ARGUMENT: TYPE, ...) }` defines a macro: `ROUTINE!(macro TOKENS)` is
/// `macro! { TOKENS (ARGUMENT: TYPE, ...) NAME DTYPE SIZE; ... }`. The arguments are those after the handle; SIZE is
/// the type for which `Size` stands among their types. The leading `$` is passed so that the defined macro can contain
/// `$` itself.
macro_rules! routine {
    ($d:tt $routine:ident: $($name:ident $dtype:ident $size:ident;)* ($($argument:tt)*)) => {
        /// Passes the names and the arguments of a routine to another macro.
        #[macro_export]
        macro_rules! $routine {
            ($d to:ident $d($d tokens:tt)*) => { $d to! { $d($d tokens)* ($($argument)*) $($name $dtype $size;)* } };
        }
    };
}

mod cublas;
mod cusolver;
