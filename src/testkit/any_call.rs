//! Calls of exported functions whose prototypes are data.

use crate::library::{CusolverHandle, symbol as symbol_of};
use crate::sweep::with_any_plan;
use crate::vendor::Vendor;
use crate::{Library, Result};
use std::ffi::c_int;

/// Any function of integers, pointers and scalars by value: on x86-64 and AArch64 integers and floating-point values are passed
/// in registers of their own, so the places of scalars among the others do not matter, and neither do arguments beyond those
/// that the function has.
#[rustfmt::skip]
type Function = unsafe extern "C" fn(
    f64, f64, f64, f64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64,
    u64, u64, u64, u64,
) -> c_int;

/// Most arguments of a function beside scalars by value.
pub const MOST: usize = 24;

/// An exported function.
#[derive(Clone, Copy)]
pub struct AnyFunction(Function);

impl AnyFunction {
    /// `symbol` of the library.
    pub fn named(library: &Library, symbol: &str) -> Result<AnyFunction> {
        // SAFETY: whoever calls it says that it has these arguments.
        unsafe { library.symbol(symbol).map(AnyFunction) }
    }

    /// `symbol` of NVIDIA's cuBLAS.
    pub fn of_vendor(vendor: &Vendor, symbol: &str) -> Result<AnyFunction> {
        // SAFETY: as above.
        unsafe { vendor.symbol(symbol).map(AnyFunction) }
    }

    /// `symbol` of the cuSOLVER that made a handle.
    pub fn of_cusolver(handle: &CusolverHandle, symbol: &str) -> Result<AnyFunction> {
        // SAFETY: as above.
        unsafe { symbol_of(handle.object(), symbol).map(AnyFunction) }
    }

    /// Calls it with scalars as they stand in registers, and its other arguments in their order. What a function that returns
    /// nothing gives is of no meaning.
    ///
    /// # Safety
    /// The arguments are those of the function.
    #[rustfmt::skip]
    pub unsafe fn call(self, scalars: [f64; 4], arguments: &[u64]) -> c_int {
        let mut a = [0; MOST];
        a[..arguments.len()].copy_from_slice(arguments);
        let [s, t, u, v] = scalars;
        unsafe {
            (self.0)(s, t, u, v, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13],
                     a[14], a[15], a[16], a[17], a[18], a[19], a[20], a[21], a[22], a[23])
        }
    }
}

/// [`AnyFunction::call`] of `symbol`, which must be there, while no other thread forces a plan.
///
/// # Safety
/// As there.
pub unsafe fn call(library: &Library, symbol: &str, scalars: [f64; 4], arguments: &[u64]) -> c_int {
    let function = AnyFunction::named(library, symbol).unwrap();
    with_any_plan(|| unsafe { function.call(scalars, arguments) })
}

/// Scalars that are passed by value, given by their bytes, as they stand in registers: on x86-64 eight bytes to one, on AArch64 a
/// part of a number (4 bytes, or 8 if `double`) to one.
pub fn registers<B: AsRef<[u8]>>(scalars: impl IntoIterator<Item = B>, double: bool) -> [f64; 4] {
    let part = if cfg!(target_arch = "aarch64") && !double { 4 } else { 8 };
    let mut registers = [0.0; 4];
    let mut next = registers.iter_mut();
    for scalar in scalars {
        for (chunk, register) in scalar.as_ref().chunks(part).zip(&mut next) {
            let mut bytes = [0; 8];
            bytes[..chunk.len()].copy_from_slice(chunk);
            *register = f64::from_ne_bytes(bytes);
        }
    }
    registers
}

/// An argument that is passed in a register of integers.
pub trait Word {
    /// As it is passed.
    fn word(self) -> u64;
}

macro_rules! integer_words {
    ($($ty:ty)*) => {$(
        impl Word for $ty {
            fn word(self) -> u64 {
                self as u64
            }
        }
    )*};
}
integer_words!(i32 i64 u64 usize);

impl<T> Word for *const T {
    fn word(self) -> u64 {
        self as u64
    }
}
impl<T> Word for *mut T {
    fn word(self) -> u64 {
        self as u64
    }
}
impl<T> Word for &T {
    fn word(self) -> u64 {
        std::ptr::from_ref(self) as u64
    }
}
impl<T> Word for &mut T {
    fn word(self) -> u64 {
        std::ptr::from_mut(self) as u64
    }
}

/// Arguments as [`call`](crate::any_call::call) takes them: integers, pointers and references.
#[macro_export]
macro_rules! words {
    ($($argument:expr),* $(,)?) => { &[$($crate::any_call::Word::word($argument)),*] };
}
