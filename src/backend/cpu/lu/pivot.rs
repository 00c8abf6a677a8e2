//! The pivot of a column.

use super::super::packed::Re;
use super::super::simd::{Lanes, Pack};
use crate::scalar::{Real, Scalar};

/// Pivots that are replaced by `least` with the sign of their real part: those of which |re| + |im| is less.
pub struct Replaced<R> {
    /// 0: none is.
    pub least: R,
    /// How many were.
    pub count: i32,
}

impl<R: Real> Replaced<R> {
    /// What a pivot becomes, if that is something else.
    #[inline(always)]
    pub fn instead<T: Scalar<Re = R>>(&mut self, pivot: T) -> Option<T> {
        let zero = R::default();
        if !(self.least > zero && pivot.re().abs() + pivot.im().abs() < self.least) {
            return None;
        }
        self.count += 1;
        Some(T::real(if pivot.re() < zero { -self.least } else { self.least }))
    }
}

/// The sizes of a column's elements by LAPACK's measure, as far as they have been seen: the largest of each lane.
pub struct Sizes<P: Pack> {
    most: P::V,
}

/// |x|, or the sum of the parts' absolute values.
#[inline(always)]
fn size<P: Pack>(x: P) -> P::V {
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
    /// The first row from `from` on of a packed column of m elements that has the largest size; `from` if that is 0.
    #[inline(always)]
    pub unsafe fn place(&self, column: *const Re<P>, from: usize, m: usize) -> usize {
        /// Rows whose comparisons are one number.
        const CHUNK: usize = 64;
        let most = self.most.largest();
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
