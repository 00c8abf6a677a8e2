//! Solves with the triangles of a packed matrix, and its inverse.

use super::super::divisor::Divisor;
use super::super::interleaved::{all_lanes, lanes_with_normal_reciprocal, reciprocal};
use super::super::packed::{Columns, get, offset, set};
use super::super::simd::{Lanes, OutOfLine, Pack};
use super::below;
use super::update::{Subtract, UpdateOperands};
use crate::scalar::Scalar;
use std::ops::Range;

/// Which triangle of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Lower,
    Upper,
}

/// A triangle of a packed matrix.
#[derive(Clone, Copy, Debug)]
pub struct TriangleKind {
    pub shape: Shape,
    /// Whether the diagonal is assumed to be ones.
    pub unit: bool,
}

/// Number of unknowns that are eliminated with the right-hand sides in registers, and of columns in a panel. A multiple
/// of the pack.
pub const fn leaf<P: Pack>() -> usize {
    if P::L > 8 { P::L } else { 8 }
}

/// Unknowns of a leaf whose contributions to each other are subtracted one by one; contributions to later ones are
/// summed up.
const FEW: usize = 4;

/// Leaves per block.
const BLOCK: usize = 4;

/// Columns of an inverse that are computed at a time.
const GROUP: usize = 8;

/// X := T^-1 X for all columns of X, where T, of order n, is a triangle of `a`. With a lower triangle, the elements of
/// X above row `zeros` must be zero.
#[inline(always)]
pub unsafe fn solve<P: Pack>(
    triangle: TriangleKind,
    a: Columns<P>,
    n: usize,
    x: Columns<P>,
    columns: usize,
    zeros: usize,
) {
    let known = if triangle.shape == Shape::Lower { zeros / leaf::<P>() * leaf::<P>() } else { 0 };
    unsafe { solve_triangle(triangle, below(a.starting_at(known), known), n - known, below(x, known), columns) };
}

/// [`solve`] without leading zeros, where `a` and `x` begin at the start of a pack.
#[inline(always)]
pub unsafe fn solve_triangle<P: Pack>(triangle: TriangleKind, a: Columns<P>, n: usize, x: Columns<P>, columns: usize) {
    unsafe {
        match (triangle.shape, triangle.unit) {
            (Shape::Lower, false) => P::V::call_out_of_line(Substitute::<P, true, false> { a, n, x, columns }),
            (Shape::Lower, true) => P::V::call_out_of_line(Substitute::<P, true, true> { a, n, x, columns }),
            (Shape::Upper, false) => P::V::call_out_of_line(Substitute::<P, false, false> { a, n, x, columns }),
            (Shape::Upper, true) => P::V::call_out_of_line(Substitute::<P, false, true> { a, n, x, columns }),
        }
    }
}

/// The rows of a triangle, divided into groups of [`leaf`] rows in the order in which the unknowns are solved.
pub struct Leaves {
    shape: Shape,
    n: usize,
    width: usize,
    pub count: usize,
}

impl Leaves {
    #[inline(always)]
    pub fn new<P: Pack>(shape: Shape, n: usize) -> Self {
        Leaves { shape, n, width: leaf::<P>(), count: n.div_ceil(leaf::<P>()) }
    }
    /// The rows of a range of leaves.
    #[inline(always)]
    pub fn rows(&self, steps: Range<usize>) -> Range<usize> {
        let Range { start, end } = match self.shape {
            Shape::Lower => steps,
            Shape::Upper => self.count - steps.end..self.count - steps.start,
        };
        start * self.width..self.n.min(end * self.width)
    }
    /// The last leaf of the block that contains leaf `step`.
    #[inline(always)]
    pub fn last(&self, step: usize) -> usize {
        self.count.min(step / BLOCK * BLOCK + BLOCK) - 1
    }
    /// After a leaf is solved: the rows whose contributions are summed up, and the rows they are subtracted from.
    /// Within a block these are the leaf and the rest of the block. At the end of a block they are the last k blocks
    /// and the next k blocks, where k is 1, 2, 1, 4, 1, 2, 1, 8 ...: an element then receives few sums, which are as
    /// long as possible.
    #[inline(always)]
    fn next(&self, step: usize) -> [Range<usize>; 2] {
        let last = self.last(step);
        if step < last {
            return [self.rows(step..step + 1), self.rows(step + 1..last + 1)];
        }
        let whole = BLOCK << ((step + 1) / BLOCK).trailing_zeros();
        [self.rows(step + 1 - whole..step + 1), self.rows(step + 1..self.count.min(step + 1 + whole))]
    }
    /// After the last leaf of a block: the rows from which accumulated sums are subtracted, if sums may have `longest`
    /// terms at most.
    #[inline(always)]
    pub fn after(&self, last: usize, longest: usize) -> Range<usize> {
        let whole = BLOCK << ((last + 1) / BLOCK).trailing_zeros();
        let all = whole * self.width >= longest;
        self.rows(last + 1..if all { self.count } else { self.count.min(last + 1 + whole) })
    }
}

/// The body of [`solve_triangle`], one per kind, compiled once for all routines.
struct Substitute<P: Pack, const LOWER: bool, const UNIT: bool> {
    a: Columns<P>,
    n: usize,
    x: Columns<P>,
    columns: usize,
}

impl<P: Pack, const LOWER: bool, const UNIT: bool> OutOfLine for Substitute<P, LOWER, UNIT> {
    #[inline(always)]
    unsafe fn run(self) {
        let Substitute { a, n, x, columns } = self;
        let triangle = TriangleKind { shape: if LOWER { Shape::Lower } else { Shape::Upper }, unit: UNIT };
        let leaves = Leaves::new::<P>(triangle.shape, n);
        for step in 0..leaves.count {
            let rows = leaves.rows(step..step + 1);
            unsafe {
                let block = a.starting_at(rows.start);
                solve_leaf(triangle, below(block, rows.start), 0..rows.len(), below(x, rows.start), columns);
                if step + 1 < leaves.count {
                    let [known, next] = leaves.next(step);
                    let (a, b) = (a.starting_at(known.start), below(x, known.start));
                    let packs = next.start / P::L..next.end.div_ceil(P::L);
                    let operands = UpdateOperands { a, b, terms: known.len(), last_first: !LOWER };
                    P::V::call_out_of_line(Subtract { c: x, operands, packs, columns });
                }
            }
        }
    }
}

/// [`solve_triangle`] for a triangle of at most [`leaf`] rows. A lower one that is a single pack may begin at
/// `rows.start`.
#[inline(always)]
pub unsafe fn solve_leaf<P: Pack>(
    triangle: TriangleKind,
    a: Columns<P>,
    rows: Range<usize>,
    x: Columns<P>,
    columns: usize,
) {
    unsafe {
        match P::L {
            8.. if P::V::MANY_REGISTERS && !P::S::COMPLEX => solve_columns::<P, 1, 8>(triangle, a, rows, x, columns),
            8.. => solve_columns::<P, 1, 4>(triangle, a, rows, x, columns),
            4 => solve_columns::<P, 2, 4>(triangle, a, rows, x, columns),
            2 => solve_columns::<P, 4, 4>(triangle, a, rows, x, columns),
            _ => solve_columns::<P, 8, 1>(triangle, a, rows, x, columns),
        }
    }
}

/// [`solve_leaf`] for Q packs, N columns at a time.
#[inline(always)]
unsafe fn solve_columns<P: Pack, const Q: usize, const N: usize>(
    triangle: TriangleKind,
    a: Columns<P>,
    rows: Range<usize>,
    x: Columns<P>,
    columns: usize,
) {
    let mut j = 0;
    unsafe {
        let Some(inverse) = inverse_diagonal::<P, Q>(triangle, a, rows.end) else {
            return solve_by_division(triangle, a, rows.end, x, columns);
        };
        while j + N <= columns {
            solve_tile::<P, Q, N>(triangle, a, rows.clone(), x.starting_at(j), &inverse);
            j += N;
        }
        if N > 4 && j + 4 <= columns {
            solve_tile::<P, Q, 4>(triangle, a, rows.clone(), x.starting_at(j), &inverse);
            j += 4;
        }
        if N > 2 && j + 2 <= columns {
            solve_tile::<P, Q, 2>(triangle, a, rows.clone(), x.starting_at(j), &inverse);
            j += 2;
        }
        while j < columns {
            solve_tile::<P, Q, 1>(triangle, a, rows.clone(), x.starting_at(j), &inverse);
            j += 1;
        }
    }
}

/// The reciprocals of a leaf's diagonal, or `None` unless all are normal numbers. They are computed together before the
/// solve, whose steps depend on each other.
#[allow(clippy::needless_range_loop)] // iterators over vectors are separate functions, without the instruction set
#[inline(always)]
unsafe fn inverse_diagonal<P: Pack, const Q: usize>(triangle: TriangleKind, a: Columns<P>, n: usize) -> Option<[P; Q]> {
    let mut inverse = [P::splat(P::S::one()); Q];
    if triangle.unit {
        return Some(inverse);
    }
    for q in 0..Q {
        for lane in 0..P::L.min(n.saturating_sub(q * P::L)) {
            let column = unsafe { P::load(a.pack(q, q * P::L + lane)) };
            inverse[q] = column.select(1 << lane, inverse[q]);
        }
        if lanes_with_normal_reciprocal(inverse[q]) != all_lanes::<P>() {
            return None;
        }
        inverse[q] = reciprocal(inverse[q]);
    }
    Some(inverse)
}

/// [`solve_leaf`] element by element, for a diagonal with an element whose reciprocal is not a normal number.
#[cold]
#[inline(never)]
unsafe fn solve_by_division<P: Pack>(triangle: TriangleKind, a: Columns<P>, n: usize, x: Columns<P>, columns: usize) {
    let lower = triangle.shape == Shape::Lower;
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

/// [`solve_leaf`] for Q packs and N columns.
#[allow(clippy::needless_range_loop)] // iterators over vectors are separate functions, without the instruction set
#[inline(always)]
unsafe fn solve_tile<P: Pack, const Q: usize, const N: usize>(
    triangle: TriangleKind,
    a: Columns<P>,
    Range { start: from, end: n }: Range<usize>,
    x: Columns<P>,
    inverse: &[P; Q],
) {
    let (lower, packs) = (triangle.shape == Shape::Lower, n.div_ceil(P::L));
    unsafe {
        // Contributions accumulate here; the elements of X are added (`add_elements`) just before they are needed.
        let mut left = [[P::zero(); N]; Q];
        for turn in 0..Q {
            let q = if lower { turn } else { Q - 1 - turn };
            let count = P::L.min(n.saturating_sub(q * P::L));
            if count == 0 {
                continue;
            }
            let (from, last) = (if Q == 1 { from } else { 0 }, (count - 1) / FEW * FEW);
            add_elements(
                &mut left[q],
                x,
                q,
                if lower { lanes(0..P::L.min(from + FEW)) } else { lanes(last..P::L) },
                turn == 0,
            );
            for step in from..count {
                let lane = if lower { step } else { count - 1 - step };
                let i = q * P::L + lane;
                let mut known = [P::zero(); N];
                for j in 0..N {
                    known[j] = left[q][j].broadcast_lane(lane);
                }
                if !triangle.unit {
                    let by = inverse[q].broadcast_lane(lane);
                    for j in 0..N {
                        known[j] = known[j].mul(by);
                        left[q][j] = known[j].select(1 << lane, left[q][j]);
                    }
                }
                // The next few elements are added one product early, while waiting for that product anyway.
                if lower && (lane + 1) % FEW == 0 && lane + 1 < P::L {
                    add_elements(&mut left[q], x, q, lanes(lane + 1..P::L.min(lane + 1 + FEW)), false);
                } else if !lower && lane % FEW == 0 && lane > 0 {
                    add_elements(&mut left[q], x, q, lanes(lane - FEW..lane), false);
                }
                for r in 0..Q {
                    if r == q && P::L == 1 {
                        // The product with the diagonal is not used, but it might overflow and raise an exception.
                    } else if r == q {
                        let c = P::load(a.pack(r, i));
                        for j in 0..N {
                            let (old, new) = (left[r][j], left[r][j].sub_mul(c, known[j]));
                            left[r][j] = if lower { new.blend_low(lane + 1, old) } else { old.blend_low(lane, new) };
                        }
                    } else if (r > q) == lower && r < packs {
                        let c = P::load(a.pack(r, i));
                        for j in 0..N {
                            left[r][j] = left[r][j].sub_mul(c, known[j]);
                        }
                    }
                }
            }
            // Rows below the last unknown.
            let others = (count / FEW + 1) * FEW;
            if lower && others < P::L {
                add_elements(&mut left[q], x, q, lanes(others..P::L), false);
            }
        }
        for q in 0..Q {
            for j in 0..if q < packs { N } else { 0 } {
                left[q][j].store(x.pack(q, j));
            }
        }
    }
}

/// The mask of a range of lanes.
#[inline(always)]
fn lanes(range: Range<usize>) -> u32 {
    (1 << range.end) - (1 << range.start)
}

/// Adds the elements of X in the given lanes of pack q to the sums, for N columns; with `first`, sets these lanes
/// instead.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
unsafe fn add_elements<P: Pack, const N: usize>(left: &mut [P; N], x: Columns<P>, q: usize, lanes: u32, first: bool) {
    for j in 0..N {
        let element = unsafe { P::load(x.pack(q, j)) };
        let sum = if first { element } else { left[j].add(element) };
        left[j] = sum.select(lanes, left[j]);
    }
}

/// Computes packs of rows of the inverse in `x`, given packed factors of order n and `ipiv`, which may be NULL, in the
/// order of LAPACK's getri: first X from X U = I, then X L = U^-1.
#[inline(always)]
pub unsafe fn invert<P: Pack>(a: Columns<P>, n: usize, ipiv: *const i32, x: Columns<P>, packs: Range<usize>) {
    unsafe {
        for j in 0..n {
            packs.clone().for_each(|r| P::zero().store(x.pack(r, j)));
            if packs.contains(&(j / P::L)) {
                set::<P>(x.column(j), j, P::S::one());
            }
        }
        P::V::call_out_of_line(ByUpper { u: a, x, packs: packs.clone(), columns: 0..n });
        P::V::call_out_of_line(ByLower { l: a, x, packs: packs.clone(), columns: 0..n });
        // Row exchanges of A become column exchanges of its inverse, in reverse order.
        for i in (0..if ipiv.is_null() { 0 } else { n }).rev() {
            let j = *ipiv.add(i) as usize - 1;
            for r in if i == j { 0..0 } else { packs.clone() } {
                let (p, q) = (x.pack(r, i), x.pack(r, j));
                let (one, other) = (P::load(p), P::load(q));
                other.store(p);
                one.store(q);
            }
        }
    }
}

/// The part of a matrix from (row, column) on. It may begin within a pack if the part that is used ends in the same
/// pack.
#[inline(always)]
unsafe fn part<P: Pack>(t: Columns<P>, row: usize, column: usize) -> Columns<P> {
    Columns { p: unsafe { t.column(column).add(offset::<P>(row)) }, ld: t.ld }
}

/// Where to split a range of columns: after a power of two, so that the second part begins a pack of the triangle's
/// rows, or neither is longer than a pack.
#[inline(always)]
fn middle(columns: &Range<usize>) -> usize {
    columns.start + (1 << (columns.len() - 1).ilog2())
}

/// X := X U^-1 for a range of columns of the identity, given that the contributions of all columns to the left have
/// been subtracted. Does the first half, subtracts its contributions from the second half, and does that.
struct ByUpper<P: Pack> {
    u: Columns<P>,
    x: Columns<P>,
    packs: Range<usize>,
    columns: Range<usize>,
}

impl<P: Pack> OutOfLine for ByUpper<P> {
    #[inline(always)]
    unsafe fn run(self) {
        let ByUpper { u, x, packs, columns } = self;
        let Range { start, end } = columns;
        // Rows below the diagonal are zero.
        let above = |row: usize| packs.start..packs.end.min(row.div_ceil(P::L));
        unsafe {
            if end - start <= GROUP {
                columns_by_upper(part(u, start, start), x.starting_at(start), above(end), end - start);
                return;
            }
            let middle = middle(&columns);
            P::V::call_out_of_line(ByUpper { u, x, packs: packs.clone(), columns: start..middle });
            if !above(middle).is_empty() {
                let (c, a, b) = (x.starting_at(middle), x.starting_at(start), part(u, start, middle));
                let operands = UpdateOperands { a, b, terms: middle - start, last_first: false };
                P::V::call_out_of_line(Subtract { c, operands, packs: above(middle), columns: end - middle });
            }
            P::V::call_out_of_line(ByUpper { u, x, packs, columns: middle..end });
        }
    }
}

/// X := X L^-1 for a range of columns, given that the contributions of all columns to the right have been subtracted.
/// Does the second half, subtracts its contributions from the first half, and does that.
struct ByLower<P: Pack> {
    l: Columns<P>,
    x: Columns<P>,
    packs: Range<usize>,
    columns: Range<usize>,
}

impl<P: Pack> OutOfLine for ByLower<P> {
    #[inline(always)]
    unsafe fn run(self) {
        let ByLower { l, x, packs, columns } = self;
        let Range { start, end } = columns;
        unsafe {
            if end - start <= GROUP {
                columns_by_lower(part(l, start, start), x.starting_at(start), packs, end - start);
                return;
            }
            let middle = middle(&columns);
            P::V::call_out_of_line(ByLower { l, x, packs: packs.clone(), columns: middle..end });
            let (c, a, b) = (x.starting_at(start), x.starting_at(middle), part(l, middle, start));
            let operands = UpdateOperands { a, b, terms: end - middle, last_first: false };
            P::V::call_out_of_line(Subtract { c, operands, packs: packs.clone(), columns: middle - start });
            P::V::call_out_of_line(ByLower { l, x, packs, columns: start..middle });
        }
    }
}

/// X := X U^-1 for at most [`GROUP`] columns.
#[inline(always)]
unsafe fn columns_by_upper<P: Pack>(u: Columns<P>, x: Columns<P>, packs: Range<usize>, columns: usize) {
    for c in 0..if packs.is_empty() { 0 } else { columns } {
        unsafe {
            for r in if c == 0 { 0..0 } else { packs.clone() } {
                let mut sum = P::zero();
                for k in 0..c {
                    sum = sum.add_mul(P::load(x.pack(r, k)), P::splat(get::<P>(u.column(c), k)));
                }
                P::load(x.pack(r, c)).sub(sum).store(x.pack(r, c));
            }
            Divisor::new(get::<P>(u.column(c), c)).divide_column::<P>(
                x.column(c),
                packs.start * P::L,
                packs.end * P::L,
            );
        }
    }
}

/// X := X L^-1 for at most [`GROUP`] columns.
#[inline(always)]
unsafe fn columns_by_lower<P: Pack>(l: Columns<P>, x: Columns<P>, packs: Range<usize>, columns: usize) {
    for r in packs {
        unsafe {
            if columns == GROUP {
                let mut y = [P::zero(); GROUP];
                unrolled!(C => y[C] = P::load(x.pack(r, C)));
                unrolled!(C => subtract_later_columns::<P, C>(&mut y, l); 6 5 4 3 2 1 0);
                unrolled!(C => y[C].store(x.pack(r, C)));
                continue;
            }
            for c in (0..columns - 1).rev() {
                let mut sum = P::zero();
                for k in c + 1..columns {
                    sum = sum.add_mul(P::load(x.pack(r, k)), P::splat(get::<P>(l.column(c), k)));
                }
                P::load(x.pack(r, c)).sub(sum).store(x.pack(r, c));
            }
        }
    }
}

/// Subtracts the contributions of the columns after C from column C.
#[inline(always)]
unsafe fn subtract_later_columns<P: Pack, const C: usize>(y: &mut [P; GROUP], l: Columns<P>) {
    let (mut sum, mut k) = (P::zero(), GROUP - 1);
    while k > C {
        sum = sum.add_mul(y[k], P::splat(unsafe { get::<P>(l.column(C), k) }));
        k -= 1;
    }
    y[C] = y[C].sub(sum);
}
