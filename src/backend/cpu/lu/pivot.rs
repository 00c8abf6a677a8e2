//! The pivot of a column, and division by it.

use super::super::packed::{get, set};
use super::super::simd::Pack;
use super::super::trsm::quotient;
use crate::scalar::{Real, Scalar};

/// LAPACK's measure of an element, |re| + |im|.
#[inline(always)]
fn size<T: Scalar>(x: T) -> T::Re {
    if T::COMPLEX { x.re().abs() + x.im().abs() } else { x.re().abs() }
}

/// The first of the largest elements in rows `from..m` of a packed column; a NaN counts as 0.
#[inline(always)]
pub unsafe fn largest<P: Pack>(column: *const <P::S as Scalar>::Re, from: usize, m: usize) -> usize {
    let (mut at, mut most) = (from, Default::default());
    for row in from..m {
        let size = size(unsafe { get::<P>(column, row) });
        // Comparisons with NaN are false.
        if size > most {
            (at, most) = (row, size);
        }
    }
    at
}

/// A number that others are divided by.
#[derive(Clone, Copy)]
pub enum Divisor<T: Scalar> {
    /// By its reciprocal, which is a normal number.
    Reciprocal(T),
    /// By division.
    Itself(T),
    /// A complex number near an end of the range: 2^exponent times a number of which this is the reciprocal.
    Scaled(T, i32),
}

impl<T: Scalar> Divisor<T> {
    /// Of any d.
    #[inline(always)]
    pub fn new(d: T) -> Self {
        let (low, high) = T::Re::NORMAL_RECIPROCALS;
        let most = if d.im().abs() > d.re().abs() { d.im().abs() } else { d.re().abs() };
        if most >= low && most <= high {
            return Divisor::Reciprocal(quotient(T::one(), d));
        }
        Self::out_of_range(d, most)
    }

    #[cold]
    #[inline(never)]
    fn out_of_range(d: T, most: T::Re) -> Self {
        if !T::COMPLEX || most == T::Re::default() || !(d.re().is_finite() && d.im().is_finite()) {
            return Divisor::Itself(d);
        }
        let e = most.exponent();
        Divisor::Scaled(quotient(T::one(), by_power(d, -e)), e)
    }

    /// x divided by it.
    #[inline(always)]
    pub fn divide(self, x: T) -> T {
        match self {
            Divisor::Reciprocal(reciprocal) => x * reciprocal,
            Divisor::Scaled(reciprocal, e) => by_power(x, -e) * reciprocal,
            Divisor::Itself(d) => quotient(x, d),
        }
    }

    /// Rows `from..m` of a packed column divided by it.
    #[inline(always)]
    pub unsafe fn divide_column<P: Pack<S = T>>(self, column: *mut T::Re, from: usize, m: usize) {
        unsafe {
            let Divisor::Reciprocal(reciprocal) = self else {
                (from..m).for_each(|row| set::<P>(column, row, self.divide(get::<P>(column, row))));
                return;
            };
            let by = P::splat(reciprocal);
            let (first, stay) = (from / P::L, from % P::L);
            for r in first..m.div_ceil(P::L) {
                let p = column.add(r * P::REALS);
                let x = P::load(p);
                let divided = x.mul(by);
                if r == first { divided.below_from(stay, x) } else { divided }.store(p);
            }
        }
    }
}

fn by_power<T: Scalar>(x: T, e: i32) -> T {
    T::new(x.re().scale_by_power(e), x.im().scale_by_power(e))
}
