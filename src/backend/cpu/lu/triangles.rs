//! Solves with the triangles of a packed matrix, and its inverse.

use super::super::divisor::Divisor;
use super::super::interleaved::{all, reciprocal, usual};
use super::super::packed::{Columns, get, set};
use super::super::simd::{Apart, Lanes, Pack};
use super::below;
use super::update::Subtract;
use crate::scalar::Scalar;

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

/// Unknowns that are eliminated with the right-hand sides in registers; columns of a panel. Whole packs.
pub const fn leaf<P: Pack>() -> usize {
    if P::L > 8 { P::L } else { 8 }
}

/// Columns of an inverse that are made at a time.
const GROUP: usize = 8;

/// X := T^-1 X for all columns of X, where T, of order n, is a triangle of `a`. With the lower one the elements of X above
/// row `zeros` are known to be zero.
#[inline(always)]
pub unsafe fn solve<P: Pack>(how: Solve, a: Columns<P>, n: usize, x: Columns<P>, columns: usize, zeros: usize) {
    let known = if how.shape == Shape::Lower { zeros / leaf::<P>() * leaf::<P>() } else { 0 };
    unsafe { solve_triangle(how, below(a.starting_at(known), known), n - known, below(x, known), columns) };
}

/// X := T^-1 X for all columns of X, where T, of order n, is a triangle of `a`, and both begin with a pack.
#[inline(always)]
pub unsafe fn solve_triangle<P: Pack>(how: Solve, a: Columns<P>, n: usize, x: Columns<P>, columns: usize) {
    unsafe {
        match (how.shape, how.unit) {
            (Shape::Lower, false) => P::V::apart(Substitute::<P, true, false> { a, n, x, columns }),
            (Shape::Lower, true) => P::V::apart(Substitute::<P, true, true> { a, n, x, columns }),
            (Shape::Upper, false) => P::V::apart(Substitute::<P, false, false> { a, n, x, columns }),
            (Shape::Upper, true) => P::V::apart(Substitute::<P, false, true> { a, n, x, columns }),
        }
    }
}

/// [`solve_triangle`] of each kind, which all routines share.
struct Substitute<P: Pack, const LOWER: bool, const UNIT: bool> {
    a: Columns<P>,
    n: usize,
    x: Columns<P>,
    columns: usize,
}

impl<P: Pack, const LOWER: bool, const UNIT: bool> Apart for Substitute<P, LOWER, UNIT> {
    #[inline(always)]
    unsafe fn run(self) {
        let Substitute { a, n, x, columns } = self;
        let how = Solve { shape: if LOWER { Shape::Lower } else { Shape::Upper }, unit: UNIT };
        let (count, width) = (n.div_ceil(leaf::<P>()), leaf::<P>());
        for step in 0..count {
            let first = width * if LOWER { step } else { count - 1 - step };
            let end = n.min(first + width);
            unsafe {
                let (block, known) = (a.starting_at(first), below(x, first));
                solve_leaf(how, below(block, first), end - first, known, columns);
                // What is known now leaves the equations that follow.
                let packs = if LOWER { (end.div_ceil(P::L), n.div_ceil(P::L)) } else { (0, first / P::L) };
                if packs.0 < packs.1 {
                    P::V::apart(Subtract { c: x, a: block, b: known, terms: end - first, packs, columns });
                }
            }
        }
    }
}

/// [`solve_triangle`] with a triangle of at most [`leaf`] rows.
#[inline(always)]
pub unsafe fn solve_leaf<P: Pack>(how: Solve, a: Columns<P>, n: usize, x: Columns<P>, columns: usize) {
    unsafe {
        match P::L {
            8.. if P::V::MANY_REGISTERS && !P::S::COMPLEX => solve_columns::<P, 1, 8>(how, a, n, x, columns),
            8.. => solve_columns::<P, 1, 4>(how, a, n, x, columns),
            4 => solve_columns::<P, 2, 4>(how, a, n, x, columns),
            2 => solve_columns::<P, 4, 4>(how, a, n, x, columns),
            _ => solve_columns::<P, 8, 1>(how, a, n, x, columns),
        }
    }
}

/// [`solve_leaf`] of Q packs, for N columns at a time.
#[inline(always)]
unsafe fn solve_columns<P: Pack, const Q: usize, const N: usize>(
    how: Solve,
    a: Columns<P>,
    n: usize,
    x: Columns<P>,
    columns: usize,
) {
    let mut j = 0;
    unsafe {
        let Some(inverse) = inverse_diagonal::<P, Q>(how, a, n) else {
            return solve_by_division(how, a, n, x, columns);
        };
        while j + N <= columns {
            solve_tile::<P, Q, N>(how, a, n, x.starting_at(j), &inverse);
            j += N;
        }
        while j < columns {
            solve_tile::<P, Q, 1>(how, a, n, x.starting_at(j), &inverse);
            j += 1;
        }
    }
}

/// The reciprocals of a leaf's diagonal, if all are normal numbers. All at once, and before the solve, whose steps wait for each other.
#[allow(clippy::needless_range_loop)] // iterators over vectors are functions of their own, without the instruction set
#[inline(always)]
unsafe fn inverse_diagonal<P: Pack, const Q: usize>(how: Solve, a: Columns<P>, n: usize) -> Option<[P; Q]> {
    let mut inverse = [P::splat(P::S::one()); Q];
    if how.unit {
        return Some(inverse);
    }
    for q in 0..Q {
        for lane in 0..P::L.min(n.saturating_sub(q * P::L)) {
            let column = unsafe { P::load(a.pack(q, q * P::L + lane)) };
            inverse[q] = column.chosen(1 << lane, inverse[q]);
        }
        if usual(inverse[q]) != all::<P>() {
            return None;
        }
        inverse[q] = reciprocal(inverse[q]);
    }
    Some(inverse)
}

/// [`solve_leaf`] element by element, where a number on the diagonal has no reciprocal that is a normal number.
#[cold]
#[inline(never)]
unsafe fn solve_by_division<P: Pack>(how: Solve, a: Columns<P>, n: usize, x: Columns<P>, columns: usize) {
    let lower = how.shape == Shape::Lower;
    for j in 0..columns {
        for step in 0..n {
            let i = if lower { step } else { n - 1 - step };
            unsafe {
                let column = x.column(j);
                let known = Divisor::new(get::<P>(a.column(i), i)).divide(get::<P>(column, i));
                set::<P>(column, i, known);
                for row in if lower { i + 1..n } else { 0..i } {
                    set::<P>(column, row, get::<P>(column, row) - get::<P>(a.column(i), row) * known);
                }
            }
        }
    }
}

/// [`solve_leaf`] of Q packs of N columns.
#[allow(clippy::needless_range_loop)] // iterators over vectors are functions of their own, without the instruction set
#[inline(always)]
unsafe fn solve_tile<P: Pack, const Q: usize, const N: usize>(
    how: Solve,
    a: Columns<P>,
    n: usize,
    x: Columns<P>,
    inverse: &[P; Q],
) {
    let (lower, packs) = (how.shape == Shape::Lower, n.div_ceil(P::L));
    unsafe {
        let mut left = [[P::zero(); N]; Q];
        for q in 0..Q {
            for j in 0..if q < packs { N } else { 0 } {
                left[q][j] = P::load(x.pack(q, j));
            }
        }
        for step in 0..Q {
            let q = if lower { step } else { Q - 1 - step };
            let count = P::L.min(n.saturating_sub(q * P::L));
            for step in 0..count {
                let lane = if lower { step } else { count - 1 - step };
                let i = q * P::L + lane;
                let mut known = [P::zero(); N];
                for j in 0..N {
                    known[j] = left[q][j].lane(lane);
                }
                if !how.unit {
                    let by = inverse[q].lane(lane);
                    for j in 0..N {
                        known[j] = known[j].mul(by);
                        left[q][j] = known[j].chosen(1 << lane, left[q][j]);
                    }
                }
                for r in 0..Q {
                    if r == q && P::L == 1 {
                        // What is multiplied by the diagonal is not looked at, but it may overflow and raise an exception.
                    } else if r == q {
                        let c = P::load(a.pack(r, i));
                        for j in 0..N {
                            let (old, new) = (left[r][j], left[r][j].sub_mul(c, known[j]));
                            left[r][j] = if lower { new.below_from(lane + 1, old) } else { old.below_from(lane, new) };
                        }
                    } else if (r > q) == lower && r < packs {
                        let c = P::load(a.pack(r, i));
                        for j in 0..N {
                            left[r][j] = left[r][j].sub_mul(c, known[j]);
                        }
                    }
                }
            }
        }
        for q in 0..Q {
            for j in 0..if q < packs { N } else { 0 } {
                left[q][j].store(x.pack(q, j));
            }
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
                for r in 0..n.div_ceil(P::L) {
                    P::zero().store(group.pack(r, l));
                }
                set::<P>(group.column(l), j + l, P::S::one());
            }
            solve(lower, a, n, group, count, j);
            solve(upper, a, n, group, count, 0);
        }
    }
}
