//! The LU factorisation of one packed matrix.

use super::super::packed::{Columns, Re};
use super::super::simd::{Lanes, Pack};
use super::below;
use super::interchanges::{Order, exchange_rows};
use super::panel::panel;
use super::pivot::Replaced;
use super::triangles::{Shape, Solve, leaf, solve_triangle};
use super::update::Subtract;
use std::ops::Range;

/// Columns that leave those to their right in one piece: whole panels.
const BLOCK: usize = 64;
const _: () = assert!(BLOCK.is_multiple_of(super::super::simd::MAX_LANES));

/// P L U of the m x n matrix `a` in its place; `ipiv`: min(m, n) places for the interchanges, NULL: no pivoting. Gives the
/// first j for which element (j, j) of U is exactly zero. Where m = n, `a` may have `more` columns, which become L^-1 P times
/// what they were.
#[inline(always)]
pub unsafe fn factor<P: Pack>(
    a: Columns<P>,
    (m, n): (usize, usize),
    more: usize,
    ipiv: *mut i32,
    replaced: &mut Replaced<Re<P>>,
) -> Option<usize> {
    let (k, all, mut zero) = (m.min(n), n + more, None);
    unsafe {
        for start in (0..k).step_by(BLOCK) {
            let stop = k.min(start + BLOCK);
            // With one block for all, its panels take the other columns along.
            let near = if stop == k { all } else { stop };
            for first in (start..stop).step_by(leaf::<P>()) {
                let end = stop.min(first + leaf::<P>());
                let found = panel(a, m, first..end, ipiv, replaced);
                zero = zero.or(found);
                advance(a, m, first..end, end..near, ipiv);
            }
            for first in (start..stop).step_by(leaf::<P>()) {
                let end = stop.min(first + leaf::<P>());
                exchange_rows(a.starting_at(first), end - first, ipiv, end..stop, Order::Forwards);
            }
            exchange_rows(a, start, ipiv, start..stop, Order::Forwards);
            if near < all {
                advance(a, m, start..stop, stop..all, ipiv);
            }
        }
    }
    zero
}

/// What factored columns `done` make of columns `next` to their right: their rows are exchanged; those of the block become U's;
/// they leave the rows below.
#[inline(always)]
unsafe fn advance<P: Pack>(a: Columns<P>, m: usize, done: Range<usize>, next: Range<usize>, ipiv: *const i32) {
    unsafe {
        let (block, c) = (a.starting_at(done.start), a.starting_at(next.start));
        exchange_rows(c, next.len(), ipiv, done.clone(), Order::Forwards);
        let u = below(c, done.start);
        let lower = Solve { shape: Shape::Lower, unit: true };
        solve_triangle(lower, below(block, done.start), done.len(), u, next.len());
        if done.end < m {
            // Rows are left: a pack begins here.
            let packs = (done.end / P::L, m.div_ceil(P::L));
            P::V::apart(Subtract { c, a: block, b: u, terms: done.len(), packs, columns: next.len() });
        }
    }
}
