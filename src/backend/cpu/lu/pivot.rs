//! The pivot of a column, and division by it.

use super::super::packed::{Re, get, set};
use super::super::simd::{Lanes, Pack};
use super::super::trsm::quotient;
use crate::scalar::{Real, Scalar};

/// The sizes of a column's elements by LAPACK's measure, as far as they have been seen: the largest of each lane.
pub struct Sizes<P: Pack> {
    most: P::V,
}

/// |x|, or the sum of the parts' absolute values.
#[inline(always)]
pub fn size<P: Pack>(x: P) -> P::V {
    let zero = P::V::splat(Re::<P>::default());
    let re = x.re().copysign(zero);
    if P::S::COMPLEX { re.add(x.im().copysign(zero)) } else { re }
}

impl<P: Pack> Sizes<P> {
    /// None yet.
    #[inline(always)]
    pub fn new() -> Self {
        Sizes { most: P::V::splat(Re::<P>::default()) }
    }
    /// Those of x, too; a NaN counts as 0.
    #[inline(always)]
    pub fn add(&mut self, x: P) {
        self.most = size(x).larger(self.most);
    }
    /// The largest of them, in all lanes.
    #[inline(always)]
    pub fn largest(&self) -> P::V {
        self.most.largest()
    }
    /// The first row from `from` on of a packed column of m elements that has the largest size; `from` if that is 0.
    #[inline(always)]
    pub unsafe fn place(&self, column: *const Re<P>, from: usize, m: usize) -> usize {
        /// Rows whose comparisons are one number.
        const CHUNK: usize = 64;
        let most = self.largest();
        if most.above(P::V::splat(Re::<P>::default())) & 1 == 0 {
            return from;
        }
        let first = from / P::L * P::L;
        for start in (first..m).step_by(CHUNK) {
            let mut bits = 0u64;
            for row in (start..m.min(start + CHUNK)).step_by(P::L) {
                let x = unsafe { P::load(column.add(row * P::S::PARTS)) };
                bits |= (size(x).same(most) as u64) << (row - start);
            }
            if start == first {
                bits &= u64::MAX << (from - first);
            }
            if bits != 0 {
                return start + bits.trailing_zeros() as usize;
            }
        }
        from
    }
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

/// The larger one of the parts' absolute values.
#[inline(always)]
fn larger_part<T: Scalar>(d: T) -> T::Re {
    if d.im().abs() > d.re().abs() { d.im().abs() } else { d.re().abs() }
}

/// Whether the reciprocal of d is a normal number.
#[inline(always)]
pub fn is_usual<T: Scalar>(d: T) -> bool {
    let ((low, high), most) = (T::Re::NORMAL_RECIPROCALS, larger_part(d));
    most >= low && most <= high
}

impl<T: Scalar> Divisor<T> {
    /// Of any d.
    #[inline(always)]
    pub fn new(d: T) -> Self {
        if is_usual(d) {
            return Divisor::Reciprocal(quotient(T::one(), d));
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
            multiply_column(column, P::splat(reciprocal), from, m);
        }
    }
}

/// Rows `from..m` of a packed column times a number, which all elements of `by` are.
#[inline(always)]
pub unsafe fn multiply_column<P: Pack>(column: *mut Re<P>, by: P, from: usize, m: usize) {
    let (first, stay) = (from / P::L, from % P::L);
    for r in first..m.div_ceil(P::L) {
        unsafe {
            let p = column.add(r * P::REALS);
            let x = P::load(p);
            let product = x.mul(by);
            if r == first { product.mixed(x, P::V::first(stay)) } else { product }.store(p);
        }
    }
}

fn by_power<T: Scalar>(x: T, e: i32) -> T {
    T::new(x.re().scale_by_power(e), x.im().scale_by_power(e))
}
