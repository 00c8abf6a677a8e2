//! Element types, the arithmetic that may be used on them, and scalar arguments.

use crate::error::{Arg, Error, Fault};
use crate::scalar::{C32, C64, Real, Scalar};
use std::ffi::c_void;

/// Element type, by BLAS's letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Dtype {
    /// `float`
    S,
    /// `double`
    D,
    /// `cuComplex`
    C,
    /// `cuDoubleComplex`
    Z,
}

impl Dtype {
    /// All four, in BLAS's order.
    pub const ALL: [Dtype; 4] = [Dtype::S, Dtype::D, Dtype::C, Dtype::Z];

    /// Bytes of one element.
    pub const fn bytes(self) -> usize {
        match self {
            Dtype::S => 4,
            Dtype::D | Dtype::C => 8,
            Dtype::Z => 16,
        }
    }

    /// The type of the real and imaginary parts.
    pub const fn real(self) -> Dtype {
        match self {
            Dtype::S | Dtype::C => Dtype::S,
            Dtype::D | Dtype::Z => Dtype::D,
        }
    }

    /// BLAS's letter, lower case.
    pub const fn letter(self) -> char {
        match self {
            Dtype::S => 's',
            Dtype::D => 'd',
            Dtype::C => 'c',
            Dtype::Z => 'z',
        }
    }

    /// Whether elements are complex.
    pub const fn is_complex(self) -> bool {
        matches!(self, Dtype::C | Dtype::Z)
    }
}

/// The arithmetic that may be used on single precision real matrices. Other types ignore it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Math {
    /// FP32 throughout.
    #[default]
    Fp32,
    /// Products may round their operands to TF32 (10 bits of mantissa); sums are FP32. This is a permission: the CPU
    /// backend, and plans that gain nothing from it, compute in FP32.
    Tf32,
    /// Products may run on tensor cores with each operand split into two parts, so that errors stay those of FP32. Also
    /// a permission.
    Fp32Tensor,
    /// Products may round their operands to FP16 after scaling (10 bits of mantissa, like TF32), or to TF32. Also a
    /// permission.
    Fp16,
}

impl Math {
    /// The word for it in `TEPHRA_MATH` and `--math`.
    pub const fn word(self) -> &'static str {
        match self {
            Math::Fp32 => "fp32",
            Math::Tf32 => "tf32",
            Math::Fp32Tensor => "fp32_tensor",
            Math::Fp16 => "fp16",
        }
    }
    /// Whether operands may be rounded to TF32.
    pub const fn allows_tf32(self) -> bool {
        matches!(self, Math::Tf32 | Math::Fp16)
    }
}

/// A scalar factor, of the operation's element type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Alpha {
    /// The value, widened (the imaginary part is 0 for real types).
    Host(C64),
    /// Its address in the backend's memory (cuBLAS's device pointer mode).
    Device(*const c_void),
}

impl Alpha {
    /// Zero.
    pub const ZERO: Alpha = Alpha::Host(C64 { re: 0.0, im: 0.0 });

    /// A host value.
    pub fn host<T: Scalar>(value: T) -> Self {
        Alpha::Host(C64 { re: value.re().to_f64(), im: value.im().to_f64() })
    }

    /// Reads a scalar of type `dtype` from host memory, with any alignment. NULL becomes a null device scalar, which
    /// the checks refuse if there is work.
    ///
    /// # Safety
    /// `place` must be NULL or valid for reads of a `dtype`.
    pub unsafe fn read(dtype: Dtype, place: *const c_void) -> Self {
        if place.is_null() {
            return Alpha::Device(place);
        }
        unsafe {
            match dtype {
                Dtype::S => Alpha::host(place.cast::<f32>().read_unaligned()),
                Dtype::D => Alpha::host(place.cast::<f64>().read_unaligned()),
                Dtype::C => Alpha::host(place.cast::<C32>().read_unaligned()),
                Dtype::Z => Alpha::host(place.cast::<C64>().read_unaligned()),
            }
        }
    }

    /// The factor of a sum of `terms` terms. An empty sum is zero even if the factor is infinite, so its factor becomes
    /// zero.
    #[inline]
    pub fn of_terms(self, terms: i64) -> Self {
        if terms > 0 { self } else { Alpha::ZERO }
    }

    /// Refuses a null device scalar.
    pub(super) fn refuse_null(&self, arg: Arg) -> Result<(), Error> {
        match self {
            Alpha::Device(place) if place.is_null() => Err(Error::BadArgument(arg, Fault::Null)),
            _ => Ok(()),
        }
    }

    /// Whether the host knows the scalar to be one.
    pub fn is_one(&self) -> bool {
        matches!(self, Alpha::Host(C64 { re: 1.0, im: 0.0 }))
    }

    /// Whether the host knows the scalar to be zero.
    #[inline]
    pub fn is_zero(&self) -> bool {
        *self == Alpha::ZERO
    }
}
