//! Pivots: the search in a column, and the replacement of small ones.

use super::super::packed::Re;
use super::super::simd::{Lanes, Pack};
use crate::scalar::{Real, Scalar};

/// Replaces pivots with |re| + |im| < `threshold` by `threshold` with the sign of their real part.
pub struct SmallPivotPolicy<R> {
    /// 0 if no pivot is replaced.
    pub threshold: R,
    /// Number of pivots replaced so far.
    pub count: i32,
}

impl<R: Real> SmallPivotPolicy<R> {
    /// The replacement of a pivot, or `None` if it is kept.
    #[inline(always)]
    pub fn replacement<T: Scalar<Re = R>>(&mut self, pivot: T) -> Option<T> {
        let zero = R::default();
        if !(self.threshold > zero && pivot.re().abs() + pivot.im().abs() < self.threshold) {
            return None;
        }
        self.count += 1;
        Some(T::real(if pivot.re() < zero { -self.threshold } else { self.threshold }))
    }
}

/// The largest size seen so far of a column's elements, per lane, in LAPACK's measure |re| + |im|.
pub struct ColumnMax<P: Pack> {
    most: P::V,
}

/// |x|, or |re| + |im| of a complex x.
#[inline(always)]
fn abs1<P: Pack>(x: P) -> P::V {
    let zero = P::V::splat(Re::<P>::default());
    let re = x.re().copysign(zero);
    if P::S::COMPLEX { re.add(x.im().copysign(zero)) } else { re }
}

impl<P: Pack> ColumnMax<P> {
    /// Nothing seen yet.
    #[inline(always)]
    pub fn new() -> Self {
        ColumnMax { most: P::V::splat(Re::<P>::default()) }
    }
    /// Includes the elements of x; a NaN counts as 0.
    #[inline(always)]
    pub fn add(&mut self, x: P) {
        self.most = abs1(x).larger(self.most);
    }
    /// The first row from `from` on whose element has the largest size, in a packed column of m elements; `from` if
    /// that size is 0.
    #[inline(always)]
    pub unsafe fn row(&self, column: *const Re<P>, from: usize, m: usize) -> usize {
        /// Rows whose comparison bits fit in one integer.
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
                bits |= (abs1(x).same(most) as u64) << (row - start);
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
