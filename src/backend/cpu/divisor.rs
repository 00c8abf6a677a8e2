//! Division of many numbers by the same one, over the whole range of numbers.

use super::householder::divide_unvectorised;
use super::packed::{Re, get, set};
use super::simd::{Lanes, Pack};
use crate::scalar::{Real, Scalar};

/// 1 / d without intermediate overflow (Smith's formula).
fn reciprocal<T: Scalar>(d: T) -> T {
    let one = T::Re::from_f64(1.0);
    if !T::COMPLEX {
        return T::real(divide_unvectorised(one, d.re()));
    }
    let (re, im) = (d.re(), d.im());
    if re.abs() >= im.abs() {
        let ratio = divide_unvectorised(im, re);
        let den = re + im * ratio;
        T::new(divide_unvectorised(one, den), -divide_unvectorised(ratio, den))
    } else {
        let ratio = divide_unvectorised(re, im);
        let den = re * ratio + im;
        T::new(divide_unvectorised(ratio, den), -divide_unvectorised(one, den))
    }
}

/// x / d. Real numbers are divided; complex ones are accurate wherever the quotient is in range.
#[inline(always)]
pub fn quotient<T: Scalar>(x: T, d: T) -> T {
    if T::COMPLEX { complex_quotient(x, d) } else { T::real(divide_unvectorised(x.re(), d.re())) }
}

/// [`quotient`] for complex numbers, compiled once for all instruction sets.
#[inline(never)]
fn complex_quotient<T: Scalar>(x: T, d: T) -> T {
    Divisor::new(d).divide(x)
}

/// A divisor, prepared for many divisions.
#[derive(Clone, Copy)]
pub enum Divisor<T: Scalar> {
    /// Multiply by its reciprocal, which is a normal number.
    Reciprocal(T),
    /// Divide by it.
    Itself(T),
    /// A complex number near an end of the range, as 2^exponent times a number of which this is the reciprocal.
    Scaled(T, i32),
}

/// The larger absolute value of the real and imaginary part.
#[inline(always)]
fn larger_part<T: Scalar>(d: T) -> T::Re {
    if d.im().abs() > d.re().abs() { d.im().abs() } else { d.re().abs() }
}

/// Whether the reciprocal of d is a normal number.
#[inline(always)]
pub fn has_normal_reciprocal<T: Scalar>(d: T) -> bool {
    let ((low, high), most) = (T::Re::NORMAL_RECIPROCALS, larger_part(d));
    most >= low && most <= high
}

impl<T: Scalar> Divisor<T> {
    /// Chooses the method for d, which may be any number.
    #[inline(always)]
    pub fn new(d: T) -> Self {
        if has_normal_reciprocal(d) {
            return Divisor::Reciprocal(reciprocal(d));
        }
        Self::out_of_range(d, larger_part(d))
    }

    #[cold]
    #[inline(never)]
    fn out_of_range(d: T, most: T::Re) -> Self {
        if !T::COMPLEX || most == T::Re::default() || !(d.re().is_finite() && d.im().is_finite()) {
            return Divisor::Itself(d);
        }
        let e = most.exponent();
        Divisor::Scaled(reciprocal(by_power(d, -e)), e)
    }

    /// x divided by the divisor.
    #[inline(always)]
    pub fn divide(self, x: T) -> T {
        match self {
            Divisor::Reciprocal(reciprocal) => x * reciprocal,
            // In two steps, the first of which overflows or underflows only if the quotient does.
            Divisor::Scaled(reciprocal, e) => by_power(by_power(x, -(e / 2)) * reciprocal, e / 2 - e),
            Divisor::Itself(d) if T::COMPLEX => x * reciprocal(d),
            Divisor::Itself(d) => T::real(divide_unvectorised(x.re(), d.re())),
        }
    }

    /// Divides rows `from..m` of a packed column.
    #[inline(always)]
    pub unsafe fn divide_column<P: Pack<S = T>>(self, column: *mut T::Re, from: usize, m: usize) {
        unsafe {
            match self {
                Divisor::Reciprocal(reciprocal) => multiply_column(column, P::splat(reciprocal), from, m),
                _ => divide_elements::<P>(self, column, from, m),
            }
        }
    }
}

/// [`Divisor::divide_column`] element by element.
#[cold]
#[inline(never)]
unsafe fn divide_elements<P: Pack>(by: Divisor<P::S>, column: *mut Re<P>, from: usize, m: usize) {
    (from..m).for_each(|row| unsafe { set::<P>(column, row, by.divide(get::<P>(column, row))) });
}

/// Multiplies rows `from..m` of a packed column by a number that fills all elements of `by`.
#[inline(always)]
pub unsafe fn multiply_column<P: Pack>(column: *mut Re<P>, by: P, from: usize, m: usize) {
    let (first, stay) = (from / P::L, from % P::L);
    for r in first..m.div_ceil(P::L) {
        unsafe {
            let p = column.add(r * P::REALS);
            let x = P::load(p);
            let product = x.mul(by);
            if r == first { product.blend_by_mask(x, P::V::mask_low(stay)) } else { product }.store(p);
        }
    }
}

fn by_power<T: Scalar>(x: T, e: i32) -> T {
    T::new(x.re().scale_by_power(e), x.im().scale_by_power(e))
}
