//! C -= A B on packed matrices, tile by tile, with the sums of a tile in registers.
//!
//! Products are summed up from zero and subtracted as a whole. The rounding errors of a sum are proportional to the
//! sum, those of a subtraction to the element, which is often much larger: the fewer subtractions, the smaller the
//! error.

use super::super::packed::Columns;
use super::super::simd::{Lanes, OutOfLine, Pack};
use super::below;
use super::triangles::leaf;
use crate::scalar::Scalar;
use std::ops::Range;

/// Maximum number of terms in a sum. Longer ones do not reduce the rounding error, and this much of A fits in the
/// second-level cache.
pub const TERMS: usize = 256;
/// Packs of rows that are processed for all columns before the next ones, for the same reason.
const ROWS: usize = 24;

/// C -= A B in a range of packs of `columns` columns of C. Run by [`Lanes::call_out_of_line`], since its tiles are
/// large and it has many callers.
pub struct Subtract<P: Pack> {
    pub c: Columns<P>,
    pub operands: UpdateOperands<P>,
    pub packs: Range<usize>,
    pub columns: usize,
}

/// A and B.
#[derive(Clone, Copy)]
pub struct UpdateOperands<P: Pack> {
    pub a: Columns<P>,
    /// Its first row is the first of a pack, unless the terms end within that pack.
    pub b: Columns<P>,
    /// Number of columns of A and rows of B.
    pub terms: usize,
    /// Whether sums start with the last [`leaf`] of terms, which holds the unknowns that an upper triangle determines
    /// first.
    pub last_first: bool,
}

impl<P: Pack> UpdateOperands<P> {
    /// The operands restricted to the terms of `leaves` leaves from leaf `first` on.
    #[inline(always)]
    unsafe fn part(&self, first: usize, leaves: usize) -> Self {
        let width = leaf::<P>();
        let (done, terms) = (first * width, self.terms.min((first + leaves) * width) - first * width);
        unsafe { UpdateOperands { a: self.a.starting_at(done), b: below(self.b, done), terms, ..*self } }
    }
}

impl<P: Pack> OutOfLine for Subtract<P> {
    #[inline(always)]
    unsafe fn run(self) {
        let Subtract { c, operands, packs, columns } = self;
        // With few columns, blocking the rows for the cache does not pay off.
        let rows = if columns > 8 { ROWS / P::S::PARTS } else { packs.len().max(1) };
        let (leaves, most) = (operands.terms.div_ceil(leaf::<P>()), TERMS / leaf::<P>());
        for done in (0..leaves).step_by(most) {
            let count = most.min(leaves - done);
            for first in packs.clone().step_by(rows) {
                unsafe {
                    let some = operands.part(if operands.last_first { leaves - done - count } else { done }, count);
                    let packs = (first, packs.end.min(first + rows));
                    match (P::V::MANY_REGISTERS, P::S::COMPLEX) {
                        (true, false) => strips::<P, 3, 8>(c, some, packs, columns),
                        (true, true) => strips::<P, 3, 4>(c, some, packs, columns),
                        (false, false) if P::L > 1 => strips::<P, 3, 4>(c, some, packs, columns),
                        (false, false) => strips::<P, 2, 4>(c, some, packs, columns),
                        (false, true) => strips::<P, 1, 4>(c, some, packs, columns),
                    }
                }
            }
        }
    }
}

/// [`Subtract`] with up to R packs of N columns in a tile.
#[inline(always)]
unsafe fn strips<P: Pack, const R: usize, const N: usize>(
    c: Columns<P>,
    operands: UpdateOperands<P>,
    (first, packs): (usize, usize),
    columns: usize,
) {
    let from = |j: usize| UpdateOperands {
        b: Columns { p: operands.b.p.wrapping_add(j * operands.b.ld), ..operands.b },
        ..operands
    };
    let mut j = 0;
    unsafe {
        while j + N <= columns {
            strip::<P, R, N>(c.starting_at(j), from(j), (first, packs));
            j += N;
        }
        if N > 4 && j + 4 <= columns {
            strip::<P, R, 4>(c.starting_at(j), from(j), (first, packs));
            j += 4;
        }
        while j < columns {
            // A single column has few sums, so take more packs at a time.
            let (c, operands, mut r) = (c.starting_at(j), from(j), first);
            while r + 8 <= packs {
                tile::<P, 8, 1>(c, operands, r);
                r += 8;
            }
            strip::<P, 3, 1>(c, operands, (r, packs));
            j += 1;
        }
    }
}

/// All packs of N columns.
#[inline(always)]
unsafe fn strip<P: Pack, const R: usize, const N: usize>(
    c: Columns<P>,
    operands: UpdateOperands<P>,
    (first, packs): (usize, usize),
) {
    let mut r = first;
    unsafe {
        // Two tiles of two packs are faster than one of three and one of one.
        while r < packs {
            match packs - r {
                _ if R == 1 => tile::<P, 1, N>(c, operands, r),
                1 => tile::<P, 1, N>(c, operands, r),
                2 => tile::<P, 2, N>(c, operands, r),
                4 if R == 3 => tile::<P, 2, N>(c, operands, r),
                _ => tile::<P, R, N>(c, operands, r),
            }
            r += match packs - r {
                _ if R == 1 => 1,
                1 => 1,
                2 => 2,
                4 if R == 3 => 2,
                _ => R,
            };
        }
    }
}

/// A tile of N columns and R packs from pack r on.
#[allow(clippy::needless_range_loop)] // iterators over vectors are separate functions, without the instruction set
#[inline(always)]
unsafe fn tile<P: Pack, const R: usize, const N: usize>(c: Columns<P>, operands: UpdateOperands<P>, r: usize) {
    let UpdateOperands { a, b, terms, last_first } = operands;
    let (leaves, width) = (terms.div_ceil(leaf::<P>()), leaf::<P>());
    let mut sums = [[P::zero(); N]; R];
    for turn in 0..leaves {
        let start = width * if last_first { leaves - 1 - turn } else { turn };
        let mut done = start;
        while done < terms.min(start + width) {
            unsafe {
                let (mut x, rows) = (a.pack(r, done), b.p.add(done * P::S::PARTS));
                for l in 0..P::L.min(terms - done) {
                    let mut y = [P::zero(); R];
                    for i in 0..R {
                        y[i] = P::load(x.add(i * P::REALS));
                    }
                    for j in 0..N {
                        let at = rows.add(l + j * b.ld);
                        let im = if P::S::COMPLEX { *at.add(P::L) } else { Default::default() };
                        let by = P::splat(P::S::new(*at, im));
                        for i in 0..R {
                            sums[i][j] = sums[i][j].add_mul(y[i], by);
                        }
                    }
                    x = x.wrapping_add(a.ld);
                }
            }
            done += P::L;
        }
    }
    unsafe {
        for i in 0..R {
            for j in 0..N {
                P::load(c.pack(r + i, j)).sub(sums[i][j]).store(c.pack(r + i, j));
            }
        }
    }
}
