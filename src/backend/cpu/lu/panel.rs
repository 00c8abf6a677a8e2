//! An LU panel: a few columns of a packed matrix, factored column by column.

use super::super::divisor::{Divisor, has_normal_reciprocal, multiply_column};
use super::super::interleaved::reciprocal;
use super::super::packed::{Columns, Re, get, offset};
use super::super::simd::{Lanes, Pack};
use super::pivot::{ColumnMax, SmallPivotPolicy};
use crate::scalar::Scalar;
use std::ops::Range;

/// Factors a range of columns of m rows. Rows are exchanged in these columns only. Returns the first j for which
/// element (j, j) of U is exactly zero.
#[inline(always)]
pub unsafe fn panel<P: Pack>(
    a: Columns<P>,
    m: usize,
    Range { start: first, end }: Range<usize>,
    ipiv: *mut i32,
    small_pivots: &mut SmallPivotPolicy<Re<P>>,
) -> Option<usize> {
    let (mut zero, packs) = (None, m.div_ceil(P::L));
    unsafe {
        let mut column_max = ColumnMax::<P>::new();
        if !ipiv.is_null() {
            for r in first / P::L..packs {
                let x = P::load(a.pack(r, first));
                column_max.add(if r == first / P::L { x.zero_below(first % P::L) } else { x });
            }
        }
        for c in first..end {
            let column = a.column(c);
            let mut row = c;
            if !ipiv.is_null() {
                row = column_max.row(column, c, m);
                *ipiv.add(c) = row as i32 + 1;
                column_max = ColumnMax::new();
            }
            for j in first..c {
                exchange::<P>(a.column(j), c, row);
            }
            let mut pivot = get::<P>(column, row);
            if let Some(other) = small_pivots.replacement(pivot) {
                pivot = other;
                put::<P>(column, row, pivot);
            }
            if pivot == P::S::zero() {
                zero = zero.or(Some(c));
            }
            let step = Step::<P> { a, c, row, packs, pivot };
            let regular = has_normal_reciprocal(pivot);
            if c + 1 == end || !regular {
                exchange::<P>(column, c, row);
            }
            if c + 1 == end && regular {
                multiply_column(column, reciprocal(P::splat(pivot)), c + 1, m);
            } else if !regular && pivot != P::S::zero() {
                Divisor::new(pivot).divide_column::<P>(column, c + 1, m);
            }
            let mut j = c + 1;
            if regular && j < end {
                step.divide(&mut column_max);
                j += 1;
            }
            while j + 2 <= end {
                step.eliminate::<2>(j);
                j += 2;
            }
            if j < end {
                step.eliminate::<1>(j);
            }
            if !regular && c + 1 < end {
                let next = a.column(c + 1);
                let (top, stay) = ((c + 1) / P::L, (c + 1) % P::L);
                for r in top..packs {
                    let x = P::load(next.add(r * P::REALS));
                    column_max.add(if r == top { x.zero_below(stay) } else { x });
                }
            }
        }
    }
    zero
}

/// Elimination with the pivot of column c, which is in row `row`.
struct Step<P: Pack> {
    a: Columns<P>,
    c: usize,
    row: usize,
    packs: usize,
    pivot: P::S,
}

impl<P: Pack> Step<P> {
    /// The lane of pack r that holds the pivot's row; L if it is in another pack.
    #[inline(always)]
    fn lane(&self, r: usize) -> usize {
        self.row.wrapping_sub(r * P::L).min(P::L)
    }

    /// Exchanges the rows of column c and the next one, divides the former by the pivot and subtracts its multiple from
    /// the latter. Stores whole packs, so that later loads can be forwarded, and never loads what it has just stored.
    #[inline(always)]
    unsafe fn divide(&self, column_max: &mut ColumnMax<P>) {
        let Step { a, c, row, packs, pivot } = *self;
        let (top, lane) = (c / P::L, c % P::L);
        unsafe {
            let (p, q) = (a.column(c), a.column(c + 1));
            let by = reciprocal(P::splat(pivot));
            let (d, u) = (P::splat(pivot), P::splat(get::<P>(q, row)));
            let (x_c, y_c) = (P::splat(get::<P>(p, c)), P::splat(get::<P>(q, c)));
            let (above, at) = (P::V::mask_low(lane + 1), P::V::mask_lane(lane));
            let other = P::V::mask_lane(self.lane(top));
            let (p, q) = (p.add(top * P::REALS), q.add(top * P::REALS));
            let x = P::load(p).blend_by_mask(x_c, other).blend_by_mask(d, at);
            let y = P::load(q).blend_by_mask(y_c, other).blend_by_mask(u, at);
            let l = x.mul(by).blend_by_mask(x, above);
            let z = y.sub_mul(below(l), u).blend_by_mask(y, above);
            l.store(p);
            z.store(q);
            column_max.add(z.zero_below(lane + 1));
            for r in top + 1..packs {
                let other = P::V::mask_lane(self.lane(r));
                let (p, q) = (a.pack(r, c), a.pack(r, c + 1));
                let l = P::load(p).blend_by_mask(x_c, other).mul(by);
                let z = P::load(q).blend_by_mask(y_c, other).sub_mul(l, u);
                l.store(p);
                z.store(q);
                column_max.add(z);
            }
        }
    }

    /// Exchanges the rows of columns j..j + N and subtracts multiples of column c, which has been divided.
    #[allow(clippy::needless_range_loop)] // iterators over vectors are separate functions, without the instruction set
    #[inline(always)]
    unsafe fn eliminate<const N: usize>(&self, j: usize) {
        let Step { a, c, row, packs, .. } = *self;
        let (top, lane) = (c / P::L, c % P::L);
        unsafe {
            let (mut u, mut x_c) = ([P::zero(); N], [P::zero(); N]);
            for n in 0..N {
                u[n] = P::splat(get::<P>(a.column(j + n), row));
                x_c[n] = P::splat(get::<P>(a.column(j + n), c));
            }
            let (above, at) = (P::V::mask_low(lane + 1), P::V::mask_lane(lane));
            let (other, l) = (P::V::mask_lane(self.lane(top)), P::load(a.pack(top, c)));
            for n in 0..N {
                let p = a.pack(top, j + n);
                let x = P::load(p).blend_by_mask(x_c[n], other).blend_by_mask(u[n], at);
                x.sub_mul(below(l), u[n]).blend_by_mask(x, above).store(p);
            }
            for r in top + 1..packs {
                let (other, l) = (P::V::mask_lane(self.lane(r)), P::load(a.pack(r, c)));
                for n in 0..N {
                    let p = a.pack(r, j + n);
                    P::load(p).blend_by_mask(x_c[n], other).sub_mul(l, u[n]).store(p);
                }
            }
        }
    }
}

/// The multipliers in the pivot's pack. With packs of one row there are none below the pivot, and the product with the
/// pivot itself, though unused, might overflow and raise an exception.
#[inline(always)]
fn below<P: Pack>(l: P) -> P {
    if P::L == 1 { P::zero() } else { l }
}

/// Exchanges two elements of a packed column, which may be the same, with stores of whole packs.
#[inline(always)]
unsafe fn exchange<P: Pack>(column: *mut Re<P>, i: usize, j: usize) {
    unsafe {
        let (x, y) = (get::<P>(column, i), get::<P>(column, j));
        put::<P>(column, i, y);
        put::<P>(column, j, x);
    }
}

/// Sets element `row` of a packed column to x.
#[inline(always)]
unsafe fn put<P: Pack>(column: *mut Re<P>, row: usize, x: P::S) {
    unsafe {
        let p = column.add(offset::<P>(row) - row % P::L);
        P::load(p).blend_by_mask(P::splat(x), P::V::mask_lane(row % P::L)).store(p);
    }
}
