//! The four element types, and the double-precision field in which results are measured.

use crate::Rng;
pub use num_complex::Complex;
use std::fmt::Debug;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// `cuComplex`, `COMPLEX*8`.
pub type C32 = Complex<f32>;
/// `cuDoubleComplex`, `COMPLEX*16`.
pub type C64 = Complex<f64>;

/// An element type, named by BLAS's letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
    /// All four types, in BLAS's order.
    pub const ALL: [Dtype; 4] = [Dtype::S, Dtype::D, Dtype::C, Dtype::Z];

    /// BLAS's letter, lower case.
    pub const fn letter(self) -> char {
        match self {
            Dtype::S => 's',
            Dtype::D => 'd',
            Dtype::C => 'c',
            Dtype::Z => 'z',
        }
    }

    /// The type with this letter, in either case.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|d| d.letter() == letter.to_ascii_lowercase())
    }

    /// Bytes of one element.
    pub const fn bytes(self) -> usize {
        match self {
            Dtype::S => 4,
            Dtype::D | Dtype::C => 8,
            Dtype::Z => 16,
        }
    }

    /// Whether elements are complex.
    pub const fn is_complex(self) -> bool {
        matches!(self, Dtype::C | Dtype::Z)
    }

    /// Whether the real and imaginary parts are `f64`.
    pub const fn is_double(self) -> bool {
        matches!(self, Dtype::D | Dtype::Z)
    }

    /// The unit roundoff, 2^-24 or 2^-53: LAPACK's `?lamch('E')`.
    pub const fn eps(self) -> f64 {
        if self.is_double() { f64::EPSILON / 2.0 } else { f32::EPSILON as f64 / 2.0 }
    }

    /// The smallest normal number: LAPACK's `?lamch('S')`.
    pub const fn safe_min(self) -> f64 {
        if self.is_double() { f64::MIN_POSITIVE } else { f32::MIN_POSITIVE as f64 }
    }

    /// The exponent of the smallest denormal number: -149 or -1074.
    pub const fn denormal_exponent(self) -> i32 {
        if self.is_double() { -1074 } else { -149 }
    }
}

/// Real or complex double precision, to which data of every element type convert exactly.
pub trait Field:
    Copy
    + Debug
    + PartialEq
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
{
    /// 0
    const ZERO: Self;
    /// 1
    const ONE: Self;
    /// Whether there is an imaginary part.
    const COMPLEX: bool;
    /// The number with this real part.
    fn real(re: f64) -> Self;
    /// The number with these parts; a real field ignores the second.
    fn parts(re: f64, im: f64) -> Self;
    /// Real part.
    fn re(self) -> f64;
    /// Imaginary part.
    fn im(self) -> f64;
    /// Complex conjugate.
    fn conj(self) -> Self;
    /// Product with a real number.
    fn scale(self, s: f64) -> Self;

    /// |x|, without protection against overflow, since measurements scale their data first.
    fn abs(self) -> f64 {
        if Self::COMPLEX { (self.re() * self.re() + self.im() * self.im()).sqrt() } else { self.re().abs() }
    }

    /// |x|, whatever its size.
    fn magnitude(self) -> f64 {
        const SAFE: std::ops::Range<f64> = 1e-140..1e140;
        let (abs, largest) = (self.abs(), self.max_abs_part());
        if SAFE.contains(&abs) || largest == 0.0 || !largest.is_finite() {
            return abs;
        }
        let (re, im) = (self.re() / largest, self.im() / largest);
        largest * (re * re + im * im).sqrt()
    }

    /// The larger of |re| and |im|; NaN if either is NaN.
    fn max_abs_part(self) -> f64 {
        worst(self.re().abs(), self.im().abs())
    }

    /// A number with standard normal parts.
    fn normal(rng: &mut Rng) -> Self {
        let re = rng.normal();
        if Self::COMPLEX { Self::parts(re, rng.normal()) } else { Self::real(re) }
    }

    /// A number with parts uniform in (-1, 1).
    fn uniform(rng: &mut Rng) -> Self {
        let re = rng.uniform();
        if Self::COMPLEX { Self::parts(re, rng.uniform()) } else { Self::real(re) }
    }

    /// x * 2^e, exact except for underflow, for every e that a quotient of two doubles can have.
    fn ldexp(self, e: i32) -> Self {
        let half = e / 2;
        self.scale(2f64.powi(half)).scale(2f64.powi(e - half))
    }
}

impl Field for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const COMPLEX: bool = false;
    fn real(re: f64) -> Self {
        re
    }
    fn parts(re: f64, _: f64) -> Self {
        re
    }
    fn re(self) -> f64 {
        self
    }
    fn im(self) -> f64 {
        0.0
    }
    fn conj(self) -> Self {
        self
    }
    fn scale(self, s: f64) -> Self {
        self * s
    }
}

impl Field for C64 {
    const ZERO: Self = C64::new(0.0, 0.0);
    const ONE: Self = C64::new(1.0, 0.0);
    const COMPLEX: bool = true;
    fn real(re: f64) -> Self {
        C64::new(re, 0.0)
    }
    fn parts(re: f64, im: f64) -> Self {
        C64::new(re, im)
    }
    fn re(self) -> f64 {
        self.re
    }
    fn im(self) -> f64 {
        self.im
    }
    fn conj(self) -> Self {
        C64::new(self.re, -self.im)
    }
    fn scale(self, s: f64) -> Self {
        C64::new(self.re * s, self.im * s)
    }
}

/// An element type of the library.
pub trait Scalar: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// The field in which its values are measured.
    type Double: Field;
    /// The corresponding value of [`Dtype`].
    const DTYPE: Dtype;
    /// A quiet NaN, in both parts, with a payload that arithmetic does not produce.
    const POISON: Self;
    /// Converts exactly to the field.
    fn to_double(self) -> Self::Double;
    /// Rounds to the element type.
    fn from_double(w: Self::Double) -> Self;
}

macro_rules! scalar {
    ($t:ty, $wide:ty, $dtype:ident, $poison:expr, |$x:ident| $to:expr, |$w:ident| $from:expr) => {
        impl Scalar for $t {
            type Double = $wide;
            const DTYPE: Dtype = Dtype::$dtype;
            const POISON: Self = $poison;
            fn to_double(self) -> $wide {
                let $x = self;
                $to
            }
            fn from_double($w: $wide) -> Self {
                $from
            }
        }
    };
}

const POISON32: f32 = f32::from_bits(0x7fc5_a5a5);
const POISON64: f64 = f64::from_bits(0x7ffc_5a5a_a5a5_5a5a);

scalar!(f32, f64, S, POISON32, |x| x as f64, |w| w as f32);
scalar!(f64, f64, D, POISON64, |x| x, |w| w);
scalar!(C32, C64, C, C32::new(POISON32, POISON32), |x| C64::new(x.re as f64, x.im as f64), |w| C32::new(
    w.re as f32,
    w.im as f32
));
scalar!(C64, C64, Z, C64::new(POISON64, POISON64), |x| x, |w| w);

/// Whether the number, or both of its parts, are NaN.
pub fn parts_are_nan<F: Field>(x: F) -> bool {
    x.re().is_nan() && (!F::COMPLEX || x.im().is_nan())
}

/// The larger of two measurements; NaN if either is NaN, which `f64::max` would hide.
pub fn worst(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

/// The bytes of a slice of elements, which have no padding.
pub fn bytes_of<T: Scalar>(data: &[T]) -> &[u8] {
    // SAFETY: f32, f64 and pairs of them are plain bytes.
    unsafe { std::slice::from_raw_parts(data.as_ptr().cast(), size_of_val(data)) }
}

/// Whether two slices are bitwise equal, including the payloads of NaNs and the signs of zeros.
pub fn same_bits<T: Scalar>(a: &[T], b: &[T]) -> bool {
    bytes_of(a) == bytes_of(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poison_is_nan_and_survives_conversion_to_bytes() {
        assert!(f32::POISON.is_nan() && f64::POISON.is_nan() && C32::POISON.re.is_nan() && C64::POISON.im.is_nan());
        assert!(same_bits(&[f64::POISON], &[f64::POISON]));
        assert!(!same_bits(&[f64::POISON], &[f64::NAN]));
        assert!(!same_bits(&[0.0f32], &[-0.0f32]));
    }

    #[test]
    fn worst_does_not_hide_nan() {
        assert!(worst(f64::NAN, 1.0).is_nan() && worst(1.0, f64::NAN).is_nan());
        assert_eq!(worst(1.0, 2.0), 2.0);
        assert!(C64::new(0.0, f64::NAN).max_abs_part().is_nan());
    }

    #[test]
    fn magnitudes_reach_both_ends_of_the_range() {
        for size in [1e-320, 1e-300, 1.0, 1e300] {
            let found = crate::C64::new(3.0 * size, -4.0 * size).magnitude() / (5.0 * size);
            assert!((found - 1.0).abs() < 1e-3, "{size}: {found}");
        }
        assert_eq!(crate::C64::ZERO.magnitude(), 0.0);
        assert!(crate::C64::new(f64::NAN, 1.0).magnitude().is_nan());
    }

    #[test]
    fn ldexp_reaches_from_denormals_to_one() {
        assert_eq!(5e-324f64.ldexp(1074), 1.0);
        assert_eq!(1f64.ldexp(-1074), 5e-324);
    }
}
