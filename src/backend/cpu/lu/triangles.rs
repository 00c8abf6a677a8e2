//! Solves with the triangles of a packed matrix, and its inverse.

use super::super::blocked::subtract;
use super::super::packed::{Columns, Re, get, set};
use super::super::simd::Pack;
use super::pivot::Divisor;
use super::{BLOCK, below};
use crate::scalar::Scalar;
use std::ops::Range;

/// Which triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Lower,
    Upper,
}

/// A triangle of a packed matrix.
#[derive(Clone, Copy, Debug)]
pub struct Solve {
    pub shape: Shape,
    /// Its diagonal is taken as ones.
    pub unit: bool,
}

/// Columns of right-hand sides that are solved at a time.
const GROUP: usize = 4;

/// X := T^-1 X for all columns of X, where T, of order n, is a triangle of `a`. With the lower one the elements of X above
/// row `zeros` are known to be zero.
#[inline(always)]
pub unsafe fn solve<P: Pack>(how: Solve, a: Columns<P>, n: usize, x: Columns<P>, columns: usize, zeros: usize) {
    let mut j = 0;
    while j < columns {
        let count = GROUP.min(columns - j);
        unsafe {
            let x = x.starting_at(j);
            match count {
                GROUP => solve_group::<P, GROUP>(how, a, n, x, zeros),
                _ => (0..count).for_each(|l| solve_group::<P, 1>(how, a, n, x.starting_at(l), zeros)),
            }
        }
        j += count;
    }
}

#[inline(always)]
unsafe fn solve_group<P: Pack, const N: usize>(how: Solve, a: Columns<P>, n: usize, x: Columns<P>, zeros: usize) {
    let blocks = zeros / BLOCK..n.div_ceil(BLOCK);
    let (start, count) = (blocks.start, blocks.len());
    for step in 0..count {
        let first = BLOCK * if how.shape == Shape::Lower { start + step } else { start + count - 1 - step };
        let end = n.min(first + BLOCK);
        unsafe {
            let (block, known) = (a.starting_at(first), below(x, first));
            solve_diagonal_block::<P>(how, below(block, first), end - first, known, N);
            // What is known now leaves the equations that follow.
            let packs = if how.shape == Shape::Lower { end / P::L..n.div_ceil(P::L) } else { 0..first / P::L };
            if end < n || how.shape == Shape::Upper {
                subtract::<P, 2, N>(x, block, known, end - first, packs.start, packs.end);
            }
        }
    }
}

/// [`solve`] with a triangle of at most [`BLOCK`] rows, whose first is the first of a pack.
#[inline(always)]
pub unsafe fn solve_diagonal_block<P: Pack>(how: Solve, a: Columns<P>, n: usize, x: Columns<P>, columns: usize) {
    for step in 0..n {
        let i = if how.shape == Shape::Lower { step } else { n - 1 - step };
        unsafe {
            let divisor = (!how.unit).then(|| Divisor::new(get::<P>(a.column(i), i)));
            for c in 0..columns {
                let x = x.column(c);
                let mut known = get::<P>(x, i);
                if let Some(divisor) = divisor {
                    known = divisor.divide(known);
                    set::<P>(x, i, known);
                }
                let rows = if how.shape == Shape::Lower { i + 1..n } else { 0..i };
                eliminate::<P>(a.column(i), known, x, rows);
            }
        }
    }
}

/// x -= (column) (known) in the rows of a range.
#[inline(always)]
unsafe fn eliminate<P: Pack>(column: *const Re<P>, known: P::S, x: *mut Re<P>, rows: Range<usize>) {
    let known = P::splat(known);
    for r in rows.start / P::L..rows.end.div_ceil(P::L) {
        unsafe {
            let p = x.add(r * P::REALS);
            let old = P::load(p);
            let new = old.sub_mul(P::load(column.add(r * P::REALS)), known);
            let (start, end) = (rows.start.saturating_sub(r * P::L), rows.end - r * P::L);
            let new = if end < P::L { old.below_from(end, new) } else { new };
            if start > 0 { new.below_from(start, old) } else { new }.store(p);
        }
    }
}

/// U^-1 L^-1 of the packed factors `a` of order n, to `x`.
#[inline(always)]
pub unsafe fn invert<P: Pack>(a: Columns<P>, n: usize, x: Columns<P>) {
    let (lower, upper) = (Solve { shape: Shape::Lower, unit: true }, Solve { shape: Shape::Upper, unit: false });
    for j in (0..n).step_by(GROUP) {
        unsafe {
            let (group, count) = (x.starting_at(j), GROUP.min(n - j));
            for l in 0..count {
                (0..n.div_ceil(P::L)).for_each(|r| P::zero().store(group.pack(r, l)));
                set::<P>(group.column(l), j + l, P::S::one());
            }
            solve(lower, a, n, group, count, j);
            solve(upper, a, n, group, count, 0);
        }
    }
}
