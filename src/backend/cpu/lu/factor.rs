//! The LU factorisation of one packed matrix.

use super::super::packed::{Columns, Re, offset};
use super::super::simd::{Lanes, OutOfLine, Pack};
use super::below;
use super::interchanges::{Order, exchange_rows};
use super::panel::panel;
use super::pivot::SmallPivotPolicy;
use super::triangles::{Shape, TriangleKind, leaf, solve_leaf, solve_triangle};
use super::update::{Subtract, UpdateOperands};
use std::ops::Range;

/// Widest panel that is factored column by column.
const PANEL: usize = 4;

/// Factors P L U = A in place, for the m x n matrix `a`. `ipiv` has space for min(m, n) interchanges; NULL means no
/// pivoting. Returns the first j for which element (j, j) of U is exactly zero. If m = n, `a` may have `more` columns,
/// which are multiplied by L^-1 P.
#[inline(always)]
pub unsafe fn factor<P: Pack>(
    a: Columns<P>,
    (m, n): (usize, usize),
    more: usize,
    ipiv: *mut i32,
    small_pivots: &mut SmallPivotPolicy<Re<P>>,
) -> Option<usize> {
    let (k, all, mut zero) = (m.min(n), n + more, None);
    unsafe {
        P::V::call_out_of_line(Factor { a, m, columns: 0..k, ipiv, small_pivots, zero: &mut zero });
        if k < all {
            P::V::call_out_of_line(Advance { a, m, done: 0..k, next: k..all, ipiv });
        }
    }
    zero
}

/// Factors a range of columns from the first one's pivot row down: factors the first half, applies it to the second
/// half, and factors that. An element then receives few sums, which are as long as possible (see `update`).
struct Factor<'a, P: Pack> {
    a: Columns<P>,
    m: usize,
    columns: Range<usize>,
    ipiv: *mut i32,
    small_pivots: &'a mut SmallPivotPolicy<Re<P>>,
    zero: &'a mut Option<usize>,
}

impl<P: Pack> OutOfLine for Factor<'_, P> {
    #[inline(always)]
    unsafe fn run(self) {
        let Factor { a, m, columns: Range { start, end }, ipiv, small_pivots, zero } = self;
        unsafe {
            if end - start <= PANEL {
                *zero = zero.or(panel(a, m, start..end, ipiv, small_pivots));
                return;
            }
            // A power of two, so that a half that is longer than a pack begins with one.
            let middle = start + (1 << (end - start - 1).ilog2());
            P::V::call_out_of_line(Factor { a, m, columns: start..middle, ipiv, small_pivots, zero });
            P::V::call_out_of_line(Advance { a, m, done: start..middle, next: middle..end, ipiv });
            P::V::call_out_of_line(Factor { a, m, columns: middle..end, ipiv, small_pivots, zero });
            exchange_rows(a.starting_at(start), middle - start, ipiv, middle..end, Order::Forwards);
        }
    }
}

/// Applies the factored columns `done` to columns `next` on their right: exchanges their rows, turns the rows of the
/// block into rows of U, and updates the rows below.
struct Advance<P: Pack> {
    a: Columns<P>,
    m: usize,
    done: Range<usize>,
    next: Range<usize>,
    ipiv: *const i32,
}

impl<P: Pack> OutOfLine for Advance<P> {
    #[inline(always)]
    unsafe fn run(self) {
        let Advance { a, m, done, next, ipiv } = self;
        unsafe {
            let (block, c) = (a.starting_at(done.start), a.starting_at(next.start));
            exchange_rows(c, next.len(), ipiv, done.clone(), Order::Forwards);
            let (lower, top) = (TriangleKind { shape: Shape::Lower, unit: true }, done.start / P::L * P::L);
            // A block that begins within a pack is passed with the start of that pack.
            if done.end - top <= leaf::<P>() {
                solve_leaf(
                    lower,
                    below(a.starting_at(top), top),
                    done.start - top..done.end - top,
                    below(c, top),
                    next.len(),
                );
            } else {
                solve_triangle(lower, below(block, top), done.len(), below(c, top), next.len());
            }
            let u = Columns { p: c.p.add(offset::<P>(done.start)), ld: c.ld };
            let packs = done.end.div_ceil(P::L)..m.div_ceil(P::L);
            if !packs.is_empty() {
                let operands = UpdateOperands { a: block, b: u, terms: done.len(), last_first: false };
                P::V::call_out_of_line(Subtract { c, operands, packs, columns: next.len() });
            }
        }
    }
}
