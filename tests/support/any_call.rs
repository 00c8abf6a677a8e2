//! Calls of exported functions whose prototypes are data.

use std::ffi::c_int;
use tephra_testkit::Library;

/// Any function of integers, pointers and scalars by value: on x86-64 and AArch64 integers and floating-point values are passed
/// in registers of their own, so the places of scalars among the others do not matter, and neither do arguments beyond those
/// that the function has.
#[rustfmt::skip]
type Function = unsafe extern "C" fn(
    f64, f64, f64, f64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64,
    u64, u64,
) -> c_int;

/// Calls `symbol` with scalars as they stand in registers, and its other arguments in their order.
///
/// # Safety
/// The arguments are those of the function.
#[rustfmt::skip]
pub unsafe fn call(library: &Library, symbol: &str, scalars: [f64; 4], arguments: &[u64]) -> c_int {
    let mut a = [0; 22];
    a[..arguments.len()].copy_from_slice(arguments);
    let [s, t, u, v] = scalars;
    unsafe {
        let f: Function = library.symbol(symbol).unwrap();
        f(s, t, u, v, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15],
          a[16], a[17], a[18], a[19], a[20], a[21])
    }
}
