//! Calls of exported functions whose prototypes are data.

use crate::library::{CusolverHandle, symbol as symbol_of};
use crate::sweep::without_forced_plan;
use crate::vendor::Vendor;
use crate::{Library, Result};
use std::ffi::c_int;

/// A function of any integers, pointers and by-value scalars. On x86-64 and AArch64, integers and floating-point values
/// are passed in separate registers, so the positions of scalars among the other arguments do not matter, and neither
/// do surplus arguments.
#[rustfmt::skip]
type Function = unsafe extern "C" fn(
    f64, f64, f64, f64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64,
    u64, u64, u64, u64,
) -> c_int;

/// The largest number of arguments, not counting scalars by value.
pub const MOST: usize = 24;

/// An exported function.
#[derive(Clone, Copy)]
pub struct AnyFunction(Function);

impl AnyFunction {
    /// Looks up `symbol` in the library under test.
    pub fn named(library: &Library, symbol: &str) -> Result<AnyFunction> {
        // SAFETY: `call` requires its caller to guarantee that the arguments match the function.
        unsafe { library.symbol(symbol).map(AnyFunction) }
    }

    /// Looks up `symbol` in NVIDIA's cuBLAS.
    pub fn of_vendor(vendor: &Vendor, symbol: &str) -> Result<AnyFunction> {
        // SAFETY: as above.
        unsafe { vendor.symbol(symbol).map(AnyFunction) }
    }

    /// Looks up `symbol` in the cuSOLVER that created the handle.
    pub fn of_cusolver(handle: &CusolverHandle, symbol: &str) -> Result<AnyFunction> {
        // SAFETY: as above.
        unsafe { symbol_of(handle.object(), symbol).map(AnyFunction) }
    }

    /// Calls the function with the given contents of the floating-point registers and the other arguments in order. If
    /// the function returns nothing, the result is meaningless.
    ///
    /// # Safety
    /// The arguments must match the function's prototype.
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

/// [`AnyFunction::call`] of `symbol`, which must exist, while no other thread forces a plan.
///
/// # Safety
/// As for [`AnyFunction::call`].
pub unsafe fn call(library: &Library, symbol: &str, scalars: [f64; 4], arguments: &[u64]) -> c_int {
    let function = AnyFunction::named(library, symbol).unwrap();
    without_forced_plan(|| unsafe { function.call(scalars, arguments) })
}

/// Lays out scalars that are passed by value, given as bytes, in floating-point registers: on x86-64 eight bytes per
/// register, on AArch64 one real or imaginary part (4 bytes, or 8 if `double`) per register.
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

/// An argument that is passed in an integer register.
pub trait Word {
    /// The value in the register.
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
