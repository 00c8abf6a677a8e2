//! The types of the functions that `src/many/` exports (for several devices, or for data larger than device memory), as
//! `include/tephra.h` declares them, and helpers to look them up.

use super::{Library, symbol_name};
use crate::Scalar;
use std::ffi::{c_int, c_void};

/// Memory of any kind, a stream or a communicator.
pub type Raw = *mut c_void;

/// `tephra_progress`
pub type Progress = Option<unsafe extern "C" fn(i64, i64, Raw) -> c_int>;
/// `tephra_part`
pub type Part = Option<unsafe extern "C" fn(i64, Raw, Raw) -> c_int>;
/// `tephra_chunk`
pub type Chunk = Option<unsafe extern "C" fn(i64, i64, *const Raw, Raw, Raw) -> c_int>;

/// `tephra_run_parts`
pub type RunParts = unsafe extern "C" fn(i64, *const c_int, *const Raw, Part, Raw) -> c_int;
/// `tephra_run_host`
#[rustfmt::skip]
pub type RunHost = unsafe extern "C" fn(
    i64, c_int, *const Raw, *const usize, *const c_int, i64, c_int, *const c_int, Chunk, Raw,
) -> c_int;

/// `tephra_?qr_distributed`
pub type QrDistributed = unsafe extern "C" fn(Raw, c_int, i64, i64, Raw, i64, Raw, i64, Raw, i64, Raw) -> c_int;
/// `tephra_?geqr_distributed`
pub type GeqrDistributed = unsafe extern "C" fn(Raw, i64, i64, Raw, i64, Raw, i64, Raw, i64, Raw) -> c_int;
/// `tephra_?geqr_distributed_tsize`
pub type GeqrDistributedTsize = unsafe extern "C" fn(Raw, i64, i64, *mut i64) -> c_int;
/// `tephra_?gemqr_distributed`
#[rustfmt::skip]
pub type GemqrDistributed =
    unsafe extern "C" fn(Raw, c_int, i64, i64, i64, Raw, i64, Raw, i64, Raw, i64, Raw) -> c_int;
/// `tephra_?gels_distributed`
pub type GelsDistributed = unsafe extern "C" fn(Raw, i64, i64, i64, Raw, i64, Raw, i64, Raw, i64, Raw, Raw) -> c_int;

/// `tephra_?geqrf_host`
pub type GeqrfHost = unsafe extern "C" fn(i64, i64, Raw, i64, Raw, i64, c_int, *const c_int, Progress, Raw) -> c_int;
/// `tephra_?ormqr_host`
#[rustfmt::skip]
pub type OrmqrHost = unsafe extern "C" fn(
    c_int, i64, i64, i64, Raw, i64, Raw, Raw, i64, i64, c_int, *const c_int, Progress, Raw,
) -> c_int;

/// `tephra_?getrf_host`
#[rustfmt::skip]
pub type GetrfHost = unsafe extern "C" fn(
    i64, i64, Raw, i64, *mut c_int, *mut c_int, i64, c_int, *const c_int, Progress, Raw,
) -> c_int;
/// `tephra_?potrf_host`
#[rustfmt::skip]
pub type PotrfHost = unsafe extern "C" fn(
    c_int, i64, Raw, i64, *mut c_int, i64, c_int, *const c_int, Progress, Raw,
) -> c_int;

/// `tephra_?geqrf_tiled`
pub type GeqrfTiled = unsafe extern "C" fn(i64, i64, Raw, i64, i64, Raw, i64, i64, Progress, Raw) -> c_int;
/// `tephra_?geqrf_tiled_tsize`
pub type GeqrfTiledTsize = unsafe extern "C" fn(i64, i64, i64, *mut i64) -> c_int;
/// `tephra_?ormqr_tiled`
pub type OrmqrTiled = unsafe extern "C" fn(c_int, i64, i64, i64, Raw, i64, Raw, i64, Raw, i64) -> c_int;
/// `tephra_?orgqr_tiled`
pub type OrgqrTiled = unsafe extern "C" fn(i64, i64, i64, Raw, i64, Raw, i64, Raw, i64) -> c_int;
/// `tephra_?gels_tiled`
pub type GelsTiled = unsafe extern "C" fn(c_int, i64, i64, i64, Raw, i64, Raw, i64, i64, *mut c_int) -> c_int;

/// `tephra_?geqrf_tiled_devices`
#[rustfmt::skip]
pub type GeqrfTiledDevices = unsafe extern "C" fn(
    i64, i64, Raw, i64, i64, Raw, i64, i64, i64, i64, c_int, *const c_int, Progress, Raw,
) -> c_int;
/// `tephra_?gels_tiled_devices`
#[rustfmt::skip]
pub type GelsTiledDevices = unsafe extern "C" fn(
    c_int, i64, i64, i64, Raw, i64, Raw, i64, i64, *mut c_int, i64, i64, c_int, *const c_int, Progress, Raw,
) -> c_int;
/// `tephra_?geqrf_tiled_host_columns`
pub type GeqrfTiledHostColumns = unsafe extern "C" fn(i64, i64, i64, i64, c_int, *const c_int, *mut i64) -> c_int;

/// `tephra_?potrf_strided_batched`, which the tests call in parts and chunks
pub type PotrfStrided = unsafe extern "C" fn(c_int, i64, Raw, i64, i64, *mut c_int, i64, Raw, usize, Raw) -> c_int;

/// Looks up a function of the library for an element type. Panics if it does not exist.
pub fn function<T: Scalar, F: Copy>(pattern: &str) -> F {
    named(&symbol_name(pattern, T::DTYPE))
}

/// Looks up a function by its full name. Panics if it does not exist.
pub fn named<F: Copy>(name: &str) -> F {
    // SAFETY: the callers use the type from include/tephra.h.
    unsafe { Library::required().symbol(name) }.unwrap()
}

/// Panics with the library's error message unless `code` is 0.
pub fn ok(code: c_int) {
    assert_eq!(code, 0, "{}", Library::required().last_error());
}
