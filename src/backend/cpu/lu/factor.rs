//! The LU factorisation of one packed matrix.

use super::super::packed::{Columns, Re, offset};
use super::super::simd::{Lanes, OutOfLine, Pack, Packed};
use super::super::team::Team;
use super::below;
use super::interchanges::{Order, exchange_rows};
use super::panel::panel;
use super::pivot::SmallPivotPolicy;
use super::shared;
use super::triangles::{Shape, TriangleKind, leaf, solve_leaf, solve_triangle};
use super::update::{Subtract, UpdateOperands};
use std::ops::Range;

/// Widest panel that is factored column by column.
const PANEL: usize = 4;

/// Factors P L U = A in place, for the m x n matrix `a`. `ipiv` has space for min(m, n) interchanges; NULL means no
/// pivoting. Returns the first j for which element (j, j) of U is exactly zero. If m = n, `a` may have `more` columns,
/// which are multiplied by L^-1 P. The threads of `team` share the work.
#[inline(always)]
pub unsafe fn factor<P: Pack>(
    a: Columns<P>,
    (m, n): (usize, usize),
    more: usize,
    ipiv: *mut i32,
    small_pivots: &mut SmallPivotPolicy<Re<P>>,
    team: Team,
) -> Option<usize>
where
    P::S: Packed,
{
    let (k, all, mut zero) = (m.min(n), n + more, None);
    unsafe {
        P::V::call_out_of_line(Factor { a, m, columns: 0..k, ipiv, small_pivots, zero: &mut zero, team });
        if k < all {
            shared::advance(&team, Advance { a, m, done: 0..k, next: k..all, ipiv });
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
    team: Team,
}

impl<P: Pack> OutOfLine for Factor<'_, P>
where
    P::S: Packed,
{
    #[inline(always)]
    unsafe fn run(self) {
        let Factor { a, m, columns: Range { start, end }, ipiv, small_pivots, zero, team } = self;
        unsafe {
            if end - start <= PANEL {
                *zero = zero.or(panel(a, m, start..end, ipiv, small_pivots));
                return;
            }
            // A power of two, so that a half that is longer than a pack begins with one.
            let middle = start + (1 << (end - start - 1).ilog2());
            P::V::call_out_of_line(Factor { a, m, columns: start..middle, ipiv, small_pivots, zero, team });
            shared::advance(&team, Advance { a, m, done: start..middle, next: middle..end, ipiv });
            P::V::call_out_of_line(Factor { a, m, columns: middle..end, ipiv, small_pivots, zero, team });
            shared::exchange(&team, a.starting_at(start), middle - start, ipiv, middle..end);
        }
    }
}

/// Applies the factored columns `done` to columns `next` on their right: exchanges their rows, turns the rows of the
/// block into rows of U, and updates the rows below.
pub struct Advance<P: Pack> {
    pub a: Columns<P>,
    pub m: usize,
    pub done: Range<usize>,
    pub next: Range<usize>,
    pub ipiv: *const i32,
}

impl<P: Pack> Advance<P> {
    /// The packs of the rows that are updated.
    #[inline(always)]
    pub fn packs(&self) -> Range<usize> {
        self.done.end.div_ceil(P::L)..self.m.div_ceil(P::L)
    }

    /// Exchanges rows, and turns the rows of the block into rows of U.
    #[inline(always)]
    pub unsafe fn begin(&self) {
        let Advance { a, done, next, ipiv, .. } = self;
        unsafe {
            let (block, c) = (a.starting_at(done.start), a.starting_at(next.start));
            exchange_rows(c, next.len(), *ipiv, done.clone(), Order::Forwards);
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
        }
    }

    /// Updates packs of rows below the block.
    #[inline(always)]
    pub unsafe fn update(&self, packs: Range<usize>) {
        unsafe {
            let (a, c) = (self.a.starting_at(self.done.start), self.a.starting_at(self.next.start));
            let b = Columns { p: c.p.add(offset::<P>(self.done.start)), ld: c.ld };
            let operands = UpdateOperands { a, b, terms: self.done.len(), last_first: false };
            P::V::call_out_of_line(Subtract { c, operands, packs, columns: self.next.len() });
        }
    }
}

impl<P: Pack> OutOfLine for Advance<P> {
    #[inline(always)]
    unsafe fn run(self) {
        let packs = self.packs();
        unsafe {
            self.begin();
            if !packs.is_empty() {
                self.update(packs);
            }
        }
    }
}
