//! The pivot of a column, and division by it.

use super::super::packed::{Re, get, set};
use super::super::simd::{Lanes, MAX_LANES, Pack};
use super::super::trsm::quotient;
use crate::scalar::{Real, Scalar};

/// The first of the largest elements in rows `from..m` of a packed column; a NaN counts as 0.
#[allow(clippy::needless_range_loop)] // iterators over vectors are functions of their own, without the instruction set
#[inline(always)]
pub unsafe fn largest<P: Pack>(column: *const Re<P>, from: usize, m: usize) -> usize {
    let zero = P::V::splat(Re::<P>::default());
    let number = |x: usize| Re::<P>::from_f64(x as f64);
    // Of each lane. Packs are counted in numbers of the type, which are whole up to 2^24: columns of 2^26 rows at least.
    let (mut most, mut at) = (zero, P::V::splat(number(0)));
    let (first, packs) = (from / P::L, m.div_ceil(P::L));
    for r in first..packs {
        let x = unsafe { P::load(column.add(r * P::REALS)) };
        let x = if r == first { x.zero_below(from % P::L) } else { x };
        let mut size = x.re().copysign(zero);
        if P::S::COMPLEX {
            size = size.add(x.im().copysign(zero));
        }
        // Comparisons with NaN are false.
        let above = size.above(most);
        most = size.chosen(above, most);
        at = P::V::splat(number(r - first)).chosen(above, at);
    }
    let mut lanes = [[Re::<P>::default(); MAX_LANES]; 2];
    unsafe {
        most.store(lanes[0].as_mut_ptr());
        at.store(lanes[1].as_mut_ptr());
    }
    let (mut most, mut place) = (Re::<P>::default(), from);
    for l in 0..P::L {
        let (size, row) = (lanes[0][l], (first + lanes[1][l].to_f64() as usize) * P::L + l);
        let better = size > most || (size == most && size > Re::<P>::default() && row < place);
        most = if better { size } else { most };
        place = if better { row } else { place };
    }
    place
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
