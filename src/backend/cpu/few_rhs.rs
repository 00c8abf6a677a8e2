//! Triangular systems with few right-hand sides. The triangle is read in the caller's memory: copying it would cost
//! more than the solve, which reads each element once.

use super::interleaved::transpose;
use super::lu::TERMS;
use super::lu::triangles::{Leaves, Shape, TriangleKind, leaf, solve_leaf};
use super::packed::{Columns, Re, leading, offset};
use super::scratch::Arena;
use super::simd::{Lanes, MAX_LANES, OutOfLine, Pack, prefetch_l2};
use super::view::{Transform, View};
use crate::scalar::Scalar;
use std::ops::Range;

/// A caller's triangle in the equations op(A) X = B.
pub struct FewRhsSolve<T: Scalar> {
    /// The matrix A.
    pub a: View<T>,
    /// The operation op.
    pub op: Transform,
    /// The triangle of op(A), and its diagonal.
    pub triangle: TriangleKind,
    /// The triangle to prefetch.
    pub next: NextTriangle<T>,
}

/// A stored triangle of the same order that is prefetched into the second-level cache during a solve.
pub struct NextTriangle<T: Scalar> {
    /// The matrix that contains it.
    pub a: View<T>,
    /// Which of its triangles.
    pub stored: Shape,
}

/// Matrices of fewer bytes are left to the hardware prefetcher.
const MIN_PREFETCH_BYTES: usize = 4 << 10;

impl<T: Scalar> NextTriangle<T> {
    /// Prefetches the triangle's part of some columns of n rows.
    #[inline(always)]
    fn prefetch(&self, n: usize, columns: Range<usize>) {
        let line = 64 / size_of::<T>();
        if n * n * size_of::<T>() < MIN_PREFETCH_BYTES {
            return;
        }
        for j in columns {
            let rows = if self.stored == Shape::Lower { j..n } else { 0..j + 1 };
            for i in rows.step_by(line) {
                prefetch_l2(self.a.p.wrapping_add((i + j * self.a.ld) * T::PARTS));
            }
        }
    }
}

/// The stored triangle of A that becomes the triangle `shape` of op(A).
pub fn stored_triangle(shape: Shape, transposed: bool) -> Shape {
    match (shape, transposed) {
        (Shape::Lower, true) => Shape::Upper,
        (Shape::Upper, true) => Shape::Lower,
        (same, false) => same,
    }
}

/// Number of right-hand sides up to which this is faster than a solve with a packed triangle, or with right-hand sides
/// along the lanes.
pub const fn max_columns<P: Pack>() -> usize {
    if P::L >= 8 { 8 } else { 2 }
}

/// [`max_columns`] if the alternative is to pack the whole matrix, of order n. That takes the longer the farther away
/// the matrix is, above all if it has to be transposed.
#[inline(always)]
pub fn max_columns_unpacked<P: Pack>(n: usize, transposed: bool) -> usize {
    // About the first-level cache, the second-level cache, and several times that.
    const SMALL: usize = 48 << 10;
    const LARGE: usize = 512 << 10;
    const VERY_LARGE: usize = 4 << 20;
    match (n.saturating_mul(n).saturating_mul(size_of::<P::S>()), transposed) {
        (bytes, true) if bytes > VERY_LARGE => 32,
        (bytes, true) if bytes > LARGE => 16,
        (bytes, false) if bytes > VERY_LARGE => 16,
        (bytes, true) if bytes > SMALL => 8,
        _ => max_columns::<P>(),
    }
}

/// Reserves the workspace of [`FewRhsSolve::solve`] for n rows.
#[inline(always)]
pub fn reserve_workspace<P: Pack>(arena: &mut Arena<Re<P>>, n: usize, columns: usize) -> Option<usize> {
    let sums = leading::<P>(n)?.checked_mul(columns)?;
    arena.part(sums.checked_add(leaf::<P>() * leaf::<P>() * P::S::PARTS)?)
}

impl<T: Scalar> FewRhsSolve<T> {
    /// X := op(A)^-1 X for packed columns of n rows. If op(A) = A, the results are bitwise those of
    /// [`super::lu::triangles::solve`].
    #[inline(always)]
    pub unsafe fn solve<P: Pack<S = T>>(&self, n: usize, x: Columns<P>, columns: usize, workspace: *mut Re<P>) {
        let &FewRhsSolve { a: View { p, ld }, op, triangle, next: NextTriangle { a: View { p: q, ld: ldq }, stored } } =
            self;
        let next = NextTriangle { a: View { p: q, ld: ldq }, stored };
        let system =
            System::<P> { a: View { p, ld }, conjugated: op.conjugated, triangle, n, x, columns, workspace, next };
        unsafe {
            if op.transposed {
                P::V::call_out_of_line(Transposed(system));
            } else {
                P::V::call_out_of_line(Untransposed(system));
            }
        }
    }
}

/// The data of a solve, whose code is compiled once for all routines.
struct System<P: Pack> {
    a: View<P::S>,
    conjugated: bool,
    triangle: TriangleKind,
    n: usize,
    x: Columns<P>,
    columns: usize,
    workspace: *mut Re<P>,
    next: NextTriangle<P::S>,
}

impl<P: Pack> System<P> {
    #[inline(always)]
    fn leaves(&self) -> Leaves {
        Leaves::new::<P>(self.triangle.shape, self.n)
    }

    /// The part of A from (i, j) on.
    #[inline(always)]
    fn part(&self, i: usize, j: usize) -> View<P::S> {
        View { p: self.a.p.wrapping_add((i + j * self.a.ld) * P::S::PARTS), ld: self.a.ld }
    }

    /// Clears what does not belong to the leaf's triangle in pack q of its column c.
    #[inline(always)]
    fn of_triangle(&self, x: P, q: usize, c: usize) -> P {
        match self.triangle.shape {
            Shape::Lower => x.zero_below(c.saturating_sub(q * P::L).min(P::L)),
            Shape::Upper => P::zero().blend_low((c + 1).saturating_sub(q * P::L).min(P::L), x),
        }
    }

    /// Solves a leaf of rows, from which the contributions of all unknowns before it have been subtracted, with its
    /// triangle.
    #[inline(always)]
    unsafe fn solve_leaf(&self, rows: Range<usize>) {
        let x = Columns { p: self.x.p.wrapping_add(offset::<P>(rows.start)), ld: self.x.ld };
        unsafe { solve_leaf(self.triangle, self.block(), 0..rows.len(), x, self.columns) }
    }

    #[inline(always)]
    fn block(&self) -> Columns<P> {
        Columns { p: self.workspace, ld: leaf::<P>() * P::S::PARTS }
    }

    /// Contributions of known rows of X to other rows that have not been subtracted yet.
    #[inline(always)]
    fn sums(&self) -> Columns<P> {
        Columns { p: self.workspace.wrapping_add(leaf::<P>() * leaf::<P>() * P::S::PARTS), ld: self.x.ld }
    }
}

/// op(A) = A: the contributions of a solved leaf are added to the sums for the rows that follow. The sums are split as
/// in [`super::lu::triangles::solve_triangle`], though A is read leaf by leaf.
struct Untransposed<P: Pack>(System<P>);

impl<P: Pack> OutOfLine for Untransposed<P> {
    #[inline(always)]
    unsafe fn run(self) {
        let system = self.0;
        let leaves = system.leaves();
        unsafe {
            for j in 0..system.columns {
                for r in 0..system.n.div_ceil(P::L) {
                    P::zero().store(system.sums().pack(r, j));
                }
            }
            for step in 0..leaves.count {
                let known = leaves.rows(step..step + 1);
                system.next.prefetch(system.n, known.clone());
                system.copy_triangle(known.clone());
                system.solve_leaf(known.clone());
                let last = leaves.last(step);
                system.accumulate(leaves.rows(step + 1..last + 1), known.clone(), true);
                system.accumulate(leaves.rows(last + 1..leaves.count), known, false);
                if step == last && step + 1 < leaves.count {
                    system.subtract_sums(leaves.after(step, TERMS));
                }
            }
        }
    }
}

impl<P: Pack> System<P> {
    /// Copies a leaf's triangle to its block.
    #[inline(always)]
    unsafe fn copy_triangle(&self, rows: Range<usize>) {
        let (block, from, count) = (self.block(), self.part(rows.start, rows.start), rows.len());
        for c in 0..count {
            for q in 0..count.div_ceil(P::L) {
                unsafe {
                    let p = from.column(c).wrapping_add(q * P::REALS);
                    self.of_triangle(P::load_elements(p, P::L.min(count - q * P::L)), q, c).store(block.pack(q, c));
                }
            }
        }
    }

    /// Subtracts the sums of some rows from X and resets them.
    #[inline(always)]
    unsafe fn subtract_sums(&self, rows: Range<usize>) {
        for j in 0..self.columns {
            for r in rows.start / P::L..rows.end.div_ceil(P::L) {
                unsafe {
                    let (p, sum) = (self.x.pack(r, j), self.sums().pack(r, j));
                    P::load(p).sub(P::load(sum)).store(p);
                    P::zero().store(sum);
                }
            }
        }
    }

    /// Adds the contributions of unknowns `known` to the sums of some rows, which begin a pack unless there are none;
    /// if `at_once`, subtracts them from X instead.
    #[inline(always)]
    unsafe fn accumulate(&self, rows: Range<usize>, known: Range<usize>, at_once: bool) {
        if rows.is_empty() {
            return;
        }
        // The last pack may extend beyond A.
        let (mut r, last, count) = (rows.start / P::L, rows.end.div_ceil(P::L), (rows.end - 1) % P::L + 1);
        while r < last {
            let cut = count < P::L;
            unsafe {
                r += match (last - r, P::V::MANY_REGISTERS) {
                    (5.., true) => self.packs::<4, false>(r, P::L, known.clone(), at_once),
                    (4, true) if !cut => self.packs::<4, false>(r, P::L, known.clone(), at_once),
                    (4, true) => self.packs::<2, false>(r, P::L, known.clone(), at_once),
                    (3, true) if cut => self.packs::<3, true>(r, count, known.clone(), at_once),
                    (3, true) => self.packs::<3, false>(r, P::L, known.clone(), at_once),
                    (3.., false) => self.packs::<2, false>(r, P::L, known.clone(), at_once),
                    (2, _) if cut => self.packs::<2, true>(r, count, known.clone(), at_once),
                    (2, _) => self.packs::<2, false>(r, P::L, known.clone(), at_once),
                    _ if cut => self.packs::<1, true>(r, count, known.clone(), at_once),
                    _ => self.packs::<1, false>(r, P::L, known.clone(), at_once),
                };
            }
        }
    }

    /// [`System::accumulate`] for R packs from pack r on. If CUT, only `count` rows of the last one exist. Returns R.
    #[inline(always)]
    unsafe fn packs<const R: usize, const CUT: bool>(
        &self,
        r: usize,
        count: usize,
        known: Range<usize>,
        at_once: bool,
    ) -> usize {
        let mut j = 0;
        while j < self.columns {
            let few = match self.columns - j {
                4.. if !P::S::COMPLEX && P::L > 1 => 4,
                left => left.min(2),
            };
            unsafe {
                match few {
                    // Not compiled for a single lane, which never takes four.
                    4 if P::L > 1 => self.tile::<R, 4, CUT>(r, count, known.clone(), j, at_once),
                    2 => self.tile::<R, 2, CUT>(r, count, known.clone(), j, at_once),
                    _ => self.tile::<R, 1, CUT>(r, count, known.clone(), j, at_once),
                }
            }
            j += few;
        }
        R
    }

    /// [`System::packs`] for N columns.
    #[allow(clippy::needless_range_loop)] // iterators over vectors are separate functions, without the instruction set
    #[inline(always)]
    unsafe fn tile<const R: usize, const N: usize, const CUT: bool>(
        &self,
        r: usize,
        count: usize,
        known: Range<usize>,
        j: usize,
        at_once: bool,
    ) {
        unsafe {
            let (x, partial) = (self.x.starting_at(j), self.sums().starting_at(j));
            let mut sums = [[P::zero(); N]; R];
            for i in 0..if at_once { 0 } else { R } {
                for c in 0..N {
                    sums[i][c] = P::load(partial.pack(r + i, c));
                }
            }
            let mut from = self.part(r * P::L, known.start).p;
            let mut at = x.p.add(offset::<P>(known.start));
            let mut lane = 0;
            for _ in known {
                let mut a = [P::zero(); R];
                for i in 0..R {
                    let p = from.wrapping_add(i * P::REALS);
                    a[i] = P::load_elements(p, if CUT && i + 1 == R { count } else { P::L });
                }
                for c in 0..N {
                    let p = at.add(lane + c * x.ld);
                    let im = if P::S::COMPLEX { *p.add(P::L) } else { Default::default() };
                    let by = P::splat(P::S::new(*p, im));
                    for i in 0..R {
                        sums[i][c] = sums[i][c].add_mul(a[i], by);
                    }
                }
                from = from.wrapping_add(self.a.ld * P::S::PARTS);
                lane += 1;
                if lane == P::L {
                    (lane, at) = (0, at.wrapping_add(P::REALS));
                }
            }
            for i in 0..R {
                for c in 0..N {
                    if at_once {
                        P::load(x.pack(r + i, c)).sub(sums[i][c]).store(x.pack(r + i, c));
                    } else {
                        sums[i][c].store(partial.pack(r + i, c));
                    }
                }
            }
        }
    }
}

/// op(A) = A^T or A^H: contributions to a leaf are dot products along A's columns, which are contiguous.
struct Transposed<P: Pack>(System<P>);

impl<P: Pack> OutOfLine for Transposed<P> {
    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    unsafe fn run(self) {
        let system = self.0;
        let (n, lower, leaves) = (system.n, system.triangle.shape == Shape::Lower, system.leaves());
        for step in 0..leaves.count {
            let Range { start: first, end } = leaves.rows(step..step + 1);
            let known = if lower { (0, first) } else { (end, n) };
            system.next.prefetch(n, first..end);
            unsafe {
                let block = system.block();
                system.transpose_block(block, first, end - first);
                if known.0 < known.1 {
                    for q in (first..end).step_by(P::L) {
                        for j in 0..system.columns {
                            system.subtract_products(q, P::L.min(end - q), known, j);
                        }
                    }
                }
                system.solve_leaf(first..end);
            }
        }
    }
}

impl<P: Pack> System<P> {
    /// Copies op(A) of `count` rows and columns from `first` on to a packed block.
    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    unsafe fn transpose_block(&self, block: Columns<P>, first: usize, count: usize) {
        for c in (0..count).step_by(P::L) {
            for r in (0..count).step_by(P::L) {
                unsafe {
                    let (rows, from) = (P::L.min(count - r), self.part(first + r, first + c));
                    let mut re = [P::V::splat(Re::<P>::default()); MAX_LANES];
                    let mut im = re;
                    for l in 0..P::L.min(count - c) {
                        let x = P::load_elements(from.column(l), rows);
                        let x = if self.conjugated { x.conj() } else { x };
                        (re[l], im[l]) = (x.re(), x.im());
                    }
                    transpose(&mut re);
                    if P::S::COMPLEX {
                        transpose(&mut im);
                    }
                    for l in 0..rows {
                        let x = P::from_parts(re[l], im[l]);
                        self.of_triangle(x, c / P::L, r + l).store(block.pack(c / P::L, r + l));
                    }
                }
            }
        }
    }

    /// Subtracts the contributions of the known rows from `count` unknowns from `first` on, in column j.
    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    unsafe fn subtract_products(&self, first: usize, count: usize, known: (usize, usize), j: usize) {
        unsafe {
            let x = self.x.starting_at(j);
            let mut sums = [P::zero(); MAX_LANES];
            let (mut row, a) = (known.0, self.part(0, first));
            while row + P::L <= known.1 {
                let y = P::load(x.pack(row / P::L, 0));
                for l in 0..P::L {
                    // Repeat the last unknown's column, which avoids a branch.
                    let x = P::load_elements(a.column(l.min(count - 1)).add(row * P::S::PARTS), P::L);
                    sums[l] = if self.conjugated { sums[l].add_conj_mul(x, y) } else { sums[l].add_mul(x, y) };
                }
                row += P::L;
            }
            if row < known.1 {
                let rows = known.1 - row;
                // What follows the last row may be a NaN, so clear it.
                let y = P::zero().blend_low(rows, P::load(x.pack(row / P::L, 0)));
                for l in 0..P::L {
                    let x = P::load_elements(a.column(l.min(count - 1)).add(row * P::S::PARTS), rows);
                    sums[l] = if self.conjugated { sums[l].add_conj_mul(x, y) } else { sums[l].add_mul(x, y) };
                }
            }
            let mut re = [P::V::splat(Re::<P>::default()); MAX_LANES];
            let mut im = re;
            for l in 0..P::L {
                (re[l], im[l]) = (sums[l].re(), sums[l].im());
            }
            let p = x.pack(first / P::L, 0);
            let sum = P::from_parts(sum_across_lanes(re), if P::S::COMPLEX { sum_across_lanes(im) } else { re[0] });
            P::load(p).sub(P::zero().blend_low(count, sum)).store(p);
        }
    }
}

/// Lane l of the result is the sum of the lanes of vector l.
#[inline(always)]
fn sum_across_lanes<V: Lanes>(mut x: [V; MAX_LANES]) -> V {
    transpose(&mut x);
    let mut width = V::L / 2;
    while width > 0 {
        let mut l = 0;
        while l < width {
            x[l] = x[l].add(x[l + width]);
            l += 1;
        }
        width /= 2;
    }
    x[0]
}
