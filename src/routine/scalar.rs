//! Complex numbers with the layout of the C, CUDA and Fortran types, and the arithmetic that generic host code needs.

use crate::Dtype;
use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// Single-precision complex, layout of `cuComplex` and `COMPLEX*8`.
#[repr(C, align(8))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct C32 {
    /// Real part.
    pub re: f32,
    /// Imaginary part.
    pub im: f32,
}

/// Double-precision complex, layout of `cuDoubleComplex` and `COMPLEX*16`.
///
/// The alignment is that of the parts, because callers may pass memory that is only aligned to those.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct C64 {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

/// A real floating-point type, with the properties of its range that LAPACK's scaling rules need.
pub trait Real: Scalar<Re = Self> + PartialOrd + Div<Output = Self> {
    /// The complex type of this precision.
    type Complex: Scalar<Re = Self>;
    /// Distance from 1 to the next larger number (twice LAPACK's `eps`).
    const EPSILON: Self;
    /// Bounds for sums of squares. A sum between them lost nothing to underflow and is far from overflow.
    const SQUARES_IN_RANGE: (Self, Self);
    /// Numbers between these bounds have normal reciprocals.
    const NORMAL_RECIPROCALS: (Self, Self);

    /// Square root, correctly rounded.
    fn sqrt(self) -> Self;
    /// |x|.
    fn abs(self) -> Self;
    /// Fortran's `SIGN`: |self| with the sign of `sign`, negative zero included.
    fn copysign(self, sign: Self) -> Self;
    /// self * a + b with a single rounding. Slow if the target has no FMA instruction.
    fn mul_add(self, a: Self, b: Self) -> Self;
    /// Whether the number is NaN.
    fn is_nan(self) -> bool;
    /// Whether the number is neither infinite nor NaN.
    fn is_finite(self) -> bool;
    /// floor(log2 |x|) of a finite nonzero number, which may be subnormal.
    fn exponent(self) -> i32;
    /// x * 2^e, with a single rounding if |x| >= 1 or e >= 0.
    fn scale_by_power(self, e: i32) -> Self;
    /// The nearest number of this type.
    fn from_f64(x: f64) -> Self;
    /// As a double.
    fn to_f64(self) -> f64;
}

/// An element of a matrix: real or complex, in single or double precision.
pub trait Scalar:
    Copy
    + Debug
    + Default
    + PartialEq
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + 'static
{
    /// The type of the real and imaginary parts.
    type Re: Real;
    /// The element type.
    const DTYPE: Dtype;
    /// Whether the type is complex.
    const COMPLEX: bool;
    /// Number of real numbers in an element.
    const PARTS: usize = if Self::COMPLEX { 2 } else { 1 };

    /// Constructs an element from its parts. Real types drop the imaginary part.
    fn new(re: Self::Re, im: Self::Re) -> Self;
    /// Real part.
    fn re(self) -> Self::Re;
    /// Imaginary part, 0 for real types.
    fn im(self) -> Self::Re;

    /// Complex conjugate.
    #[inline(always)]
    fn conj(self) -> Self {
        Self::new(self.re(), -self.im())
    }
    /// |x|^2, without protection against overflow.
    #[inline(always)]
    fn abs_squared(self) -> Self::Re {
        if Self::COMPLEX { self.re() * self.re() + self.im() * self.im() } else { self.re() * self.re() }
    }
    /// Converts a real number.
    #[inline(always)]
    fn real(re: Self::Re) -> Self {
        Self::new(re, Self::Re::default())
    }
    /// self times a real number.
    #[inline(always)]
    fn scaled(self, by: Self::Re) -> Self {
        Self::new(self.re() * by, self.im() * by)
    }
    /// 0.
    #[inline(always)]
    fn zero() -> Self {
        Self::default()
    }
    /// NaN in all parts.
    #[inline(always)]
    fn nan() -> Self {
        let nan = Self::Re::from_f64(f64::NAN);
        Self::new(nan, nan)
    }
    /// 1.
    #[inline(always)]
    fn one() -> Self {
        Self::real(Self::Re::from_f64(1.0))
    }
}

macro_rules! real {
    ($t:ident, $complex:ident, $bits:ident, $dtype:ident, $mantissa:literal, $bias:literal) => {
        impl Scalar for $t {
            type Re = $t;
            const DTYPE: Dtype = Dtype::$dtype;
            const COMPLEX: bool = false;
            #[inline(always)]
            fn new(re: $t, _im: $t) -> $t {
                re
            }
            #[inline(always)]
            fn re(self) -> $t {
                self
            }
            #[inline(always)]
            fn im(self) -> $t {
                0.0
            }
        }

        impl Real for $t {
            type Complex = $complex;
            const EPSILON: $t = $t::EPSILON;
            const SQUARES_IN_RANGE: ($t, $t) = ($t::MIN_POSITIVE / ($t::EPSILON * $t::EPSILON), $t::MAX / 64.0);
            const NORMAL_RECIPROCALS: ($t, $t) = ($t::MIN_POSITIVE, 0.5 / $t::MIN_POSITIVE);
            #[inline(always)]
            fn sqrt(self) -> $t {
                self.sqrt()
            }
            #[inline(always)]
            fn abs(self) -> $t {
                self.abs()
            }
            #[inline(always)]
            fn copysign(self, sign: $t) -> $t {
                self.copysign(sign)
            }
            #[inline(always)]
            fn mul_add(self, a: $t, b: $t) -> $t {
                self.mul_add(a, b)
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                self.is_nan()
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                self.is_finite()
            }
            #[inline]
            fn exponent(self) -> i32 {
                let biased = |x: $t| ((x.to_bits() << 1) >> ($mantissa + 1)) as i32;
                match biased(self) {
                    // Subnormal: multiplying by 2^(mantissa + 1) makes the number normal and is exact.
                    0 => biased(self * ((1u64 << ($mantissa + 1)) as $t)) - $bias - ($mantissa + 1),
                    b => b - $bias,
                }
            }
            #[inline]
            fn scale_by_power(self, e: i32) -> $t {
                // 2^e may be out of this type's range, so scale in steps.
                let (mut x, mut left) = (self, e);
                while left != 0 {
                    let step = left.clamp(1 - $bias, $bias);
                    x *= $t::from_bits(((step + $bias) as $bits) << $mantissa);
                    left -= step;
                }
                x
            }
            #[inline(always)]
            fn from_f64(x: f64) -> $t {
                x as $t
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }
        }
    };
}
real!(f32, C32, u32, S, 23, 127);
real!(f64, C64, u64, D, 52, 1023);

macro_rules! complex {
    ($c:ident, $t:ident, $dtype:ident) => {
        impl Scalar for $c {
            type Re = $t;
            const DTYPE: Dtype = Dtype::$dtype;
            const COMPLEX: bool = true;
            #[inline(always)]
            fn new(re: $t, im: $t) -> $c {
                $c { re, im }
            }
            #[inline(always)]
            fn re(self) -> $t {
                self.re
            }
            #[inline(always)]
            fn im(self) -> $t {
                self.im
            }
        }
        impl Add for $c {
            type Output = $c;
            #[inline(always)]
            fn add(self, o: $c) -> $c {
                $c { re: self.re + o.re, im: self.im + o.im }
            }
        }
        impl Sub for $c {
            type Output = $c;
            #[inline(always)]
            fn sub(self, o: $c) -> $c {
                $c { re: self.re - o.re, im: self.im - o.im }
            }
        }
        impl Mul for $c {
            type Output = $c;
            #[inline(always)]
            fn mul(self, o: $c) -> $c {
                $c { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
            }
        }
        impl Neg for $c {
            type Output = $c;
            #[inline(always)]
            fn neg(self) -> $c {
                $c { re: -self.re, im: -self.im }
            }
        }
        impl AddAssign for $c {
            #[inline(always)]
            fn add_assign(&mut self, o: $c) {
                *self = *self + o;
            }
        }
        impl SubAssign for $c {
            #[inline(always)]
            fn sub_assign(&mut self, o: $c) {
                *self = *self - o;
            }
        }
    };
}
complex!(C32, f32, C);
complex!(C64, f64, Z);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_reach_into_the_subnormal_numbers() {
        assert_eq!(1.0f64.exponent(), 0);
        assert_eq!(0.75f64.exponent(), -1);
        assert_eq!((-8.5f32).exponent(), 3);
        assert_eq!(f64::MAX.exponent(), 1023);
        assert_eq!(f64::from_bits(1).exponent(), -1074);
        assert_eq!(f32::from_bits(1).exponent(), -149);
        assert_eq!(f32::from_bits(3).exponent(), -148);
        assert_eq!(f64::MIN_POSITIVE.exponent(), -1022);
    }

    #[test]
    fn powers_of_two_scale_exactly_and_round_once() {
        assert_eq!(f64::from_bits(1).scale_by_power(1074), 1.0);
        assert_eq!(1.0f64.scale_by_power(-1074), f64::from_bits(1));
        assert_eq!(f32::from_bits(5).scale_by_power(149), 5.0);
        assert_eq!(3.0f32.scale_by_power(-149), f32::from_bits(3));
        assert_eq!(1.5f64.scale_by_power(1023), 1.5 * 2f64.powi(1023));
        assert_eq!(1.0f64.scale_by_power(1100), f64::INFINITY);
        assert_eq!(f64::MAX.scale_by_power(-2100), 0.0);
        // 2^-149 * 1.5 is a tie between 1 and 2 units, which rounds to even once.
        assert_eq!(1.5f32.scale_by_power(-149), f32::from_bits(2));
        assert_eq!(0.0f64.scale_by_power(-1500), 0.0);
    }
}
