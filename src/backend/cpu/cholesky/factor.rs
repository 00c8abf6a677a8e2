//! A = L L^H of one packed matrix, panel by panel.
//!
//! Products are summed up from zero and then subtracted from their element. The rounding errors of such a sum are
//! proportional to the sum, those of a subtraction to what is left of the element. If the first columns contribute
//! nearly all of it, as in matrices that are barely positive definite, a long sum costs the digits that decide whether
//! they are; if they contribute little, as in matrices with a heavy diagonal, many subtractions cost more than few. So
//! sums are short over the first panel and within a panel, and as long as a panel is wide in between.

use super::super::packed::{Columns, Re, get, offset, set};
use super::super::simd::{Lanes, OutOfLine, Pack, Packed};
use super::super::team::Team;
use super::shared;
use crate::scalar::{Real, Scalar};
use std::ops::Range;

/// Columns of a panel, and terms of a sum over a completed one.
pub const PANEL: usize = 64;
/// Terms of a sum over the first panel, and within a panel.
const TERMS: usize = 8;
/// Maximum number of columns that are computed together.
pub const WIDEST: usize = 8;

/// Columns of workspace that a matrix of n columns needs: the last strip is filled up.
pub const fn columns(n: usize) -> usize {
    n.next_multiple_of(WIDEST)
}

/// Rows of workspace that it needs: if packs are shorter than a strip, rows are filled up too, since the rows of the
/// last strip are read in all columns before it.
pub const fn rows<P: Pack>(n: usize) -> usize {
    let widest = if P::V::MANY_REGISTERS && !P::S::COMPLEX { WIDEST } else { WIDEST / 2 };
    if P::L < widest { n.next_multiple_of(widest) } else { n }
}

/// Factors A = L L^H in place, given workspace of [`columns`] by [`rows`]. Rows from the start of a strip of [`WIDEST`]
/// on are read, but values above the diagonal do not affect the result. Returns the index of the first pivot that is
/// not above 0, which is left in place; the columns before it are done.
#[inline(always)]
pub unsafe fn factor<P: Pack>(team: &Team, a: Columns<P>, n: usize) -> Option<usize>
where
    P::S: Packed,
{
    let mut failed = None;
    unsafe { P::V::call_out_of_line(Factor { team, a, n, failed: &mut failed }) };
    failed
}

struct Factor<'a, P: Pack> {
    team: &'a Team,
    a: Columns<P>,
    n: usize,
    failed: &'a mut Option<usize>,
}

impl<P: Pack> OutOfLine for Factor<'_, P>
where
    P::S: Packed,
{
    #[inline(always)]
    unsafe fn run(self) {
        let Factor { team, a, n, failed } = self;
        for j in n..columns(n) {
            for r in (n - 1) / WIDEST * WIDEST / P::L..n.div_ceil(P::L) {
                unsafe { P::zero().store(a.pack(r, j)) };
            }
        }
        for r in n.div_ceil(P::L)..rows::<P>(n).div_ceil(P::L) {
            for j in 0..n {
                unsafe { P::zero().store(a.pack(r, j)) };
            }
        }
        for start in (0..n).step_by(PANEL) {
            unsafe {
                shared::subtract(team, a, n, start);
                let stop = n.min(start + PANEL);
                let mut first = start;
                while first < stop {
                    let strip = Strip { a, n, first, terms: start..first, sums: TERMS };
                    *failed = match (P::V::MANY_REGISTERS, P::S::COMPLEX) {
                        (true, false) if stop - first > 4 => strip.run::<3, 8>(),
                        (true, _) => strip.run::<3, 4>(),
                        (false, false) => strip.run::<2, 4>(),
                        (false, true) => strip.run::<1, 4>(),
                    };
                    if failed.is_some() {
                        return;
                    }
                    first += strip_width::<P>(stop - first);
                }
            }
        }
    }
}

/// Columns of the next strip of a panel when `left` are left.
#[inline(always)]
fn strip_width<P: Pack>(left: usize) -> usize {
    if P::V::MANY_REGISTERS && !P::S::COMPLEX && left > 4 { 8 } else { 4 }
}

/// Subtracts the contributions of all finished panels from packs of rows of the panel that begins with column `start`.
#[inline(always)]
pub unsafe fn subtract_panels<P: Pack>(a: Columns<P>, n: usize, start: usize, packs: Range<usize>) {
    unsafe { P::V::call_out_of_line(SubtractPanels { a, n, start, packs }) };
}

struct SubtractPanels<P: Pack> {
    a: Columns<P>,
    n: usize,
    start: usize,
    packs: Range<usize>,
}

impl<P: Pack> OutOfLine for SubtractPanels<P> {
    #[inline(always)]
    unsafe fn run(self) {
        let SubtractPanels { a, n, start, packs } = self;
        let stop = n.min(start + PANEL);
        for done in (0..start).step_by(PANEL) {
            let sums = if done == 0 { TERMS } else { PANEL };
            let mut first = start;
            while first < stop {
                let strip = Strip { a, n, first, terms: done..done + PANEL, sums };
                // Rows above the strip's diagonal are not part of it.
                let packs = packs.start.max(first / P::L)..packs.end;
                unsafe {
                    match (P::V::MANY_REGISTERS, P::S::COMPLEX) {
                        (true, false) if stop - first > 4 => strip.rows::<3, 8>(packs, None),
                        (true, _) => strip.rows::<3, 4>(packs, None),
                        (false, false) => strip.rows::<2, 4>(packs, None),
                        (false, true) => strip.rows::<1, 4>(packs, None),
                    }
                }
                first += strip_width::<P>(stop - first);
            }
        }
    }
}

/// A few columns from `first` on, and the completed columns whose contributions are subtracted from them.
struct Strip<P: Pack> {
    a: Columns<P>,
    n: usize,
    first: usize,
    terms: Range<usize>,
    /// Maximum number of terms in a sum.
    sums: usize,
}

/// L's diagonal block in a strip.
struct Block<P: Pack, const N: usize> {
    /// Element (j, c): the conjugate of row c in column j.
    rows: [[P::S; N]; N],
    roots: [Re<P>; N],
    /// The reciprocals of `roots`; 0 from the column on in which the factorisation fails.
    inverses: [Re<P>; N],
    /// Number of columns, number of columns that are done, and the pivot at which it failed.
    count: usize,
    done: usize,
    pivot: Option<Re<P>>,
}

// Loops use indices because iterators over vectors are separate functions, compiled without the instruction set.
#[allow(clippy::needless_range_loop)]
impl<P: Pack> Strip<P> {
    /// Subtracts the contributions of the panel's completed columns, in tiles of R packs and N columns, and factors the
    /// strip. Returns the column in which that fails.
    #[inline(always)]
    unsafe fn run<const R: usize, const N: usize>(&self) -> Option<usize> {
        let (first, packs) = (self.first / P::L, self.n.div_ceil(P::L));
        unsafe {
            let below = packs.min(first + N.div_ceil(P::L));
            self.rows::<1, N>(first..below, None);
            let block = self.block::<N>();
            let made = Strip { a: self.a, n: self.n, first: self.first, terms: 0..0, sums: self.sums };
            made.rows::<1, N>(first..below, Some(&block));
            for j in 0..block.done {
                set::<P>(self.a.column(self.first + j), self.first + j, P::S::real(block.roots[j]));
            }
            self.rows::<R, N>(below..packs, Some(&block));
            let failed = self.first + block.done;
            block.pivot.map(|pivot| {
                set::<P>(self.a.column(failed), failed, P::S::real(pivot));
                failed
            })
        }
    }

    /// [`Strip::tile`] for a range of packs.
    #[inline(always)]
    unsafe fn rows<const R: usize, const N: usize>(&self, packs: Range<usize>, block: Option<&Block<P, N>>) {
        let mut r = packs.start;
        unsafe {
            // Two tiles of two packs are faster than one of three and one of one.
            while r < packs.end {
                match packs.end - r {
                    _ if R == 1 => self.tile::<1, N>(r, block),
                    1 => self.tile::<1, N>(r, block),
                    2 => self.tile::<2, N>(r, block),
                    4 if R == 3 => self.tile::<2, N>(r, block),
                    _ => self.tile::<R, N>(r, block),
                }
                r += match packs.end - r {
                    _ if R == 1 => 1,
                    1 => 1,
                    2 => 2,
                    4 if R == 3 => 2,
                    _ => R,
                };
            }
        }
    }

    /// R packs of the strip from pack r on: subtracts the contributions of the completed columns, and turns them into
    /// columns of L if the diagonal block is given.
    #[inline(always)]
    unsafe fn tile<const R: usize, const N: usize>(&self, r: usize, block: Option<&Block<P, N>>) {
        let Strip { a, first, ref terms, sums: most, .. } = *self;
        unsafe {
            let (c, mut k) = (a.starting_at(first), terms.start);
            let mut x = [[P::zero(); N]; R];
            loop {
                let end = terms.end.min(k + most);
                let mut sums = [[P::zero(); N]; R];
                let mut of_rows = a.column(k).cast_const().add(offset::<P>(first));
                let mut left = a.pack(r, k).cast_const();
                while k < end {
                    let mut y = [P::zero(); R];
                    let mut i = 0;
                    while i < R {
                        y[i] = P::load(left.add(i * P::REALS));
                        i += 1;
                    }
                    let mut j = 0;
                    while j < N {
                        let at = of_rows.add(offset::<P>(j));
                        let im = if P::S::COMPLEX { *at.add(P::L) } else { Default::default() };
                        let by = P::splat(P::S::new(*at, im));
                        let mut i = 0;
                        while i < R {
                            sums[i][j] = sums[i][j].add_conj_mul(by, y[i]);
                            i += 1;
                        }
                        j += 1;
                    }
                    (left, of_rows, k) = (left.add(a.ld), of_rows.add(a.ld), k + 1);
                }
                let mut j = 0;
                while j < N {
                    let mut i = 0;
                    while i < R {
                        x[i][j] = P::load(c.pack(r + i, j)).sub(sums[i][j]);
                        i += 1;
                    }
                    j += 1;
                }
                if k == terms.end {
                    break;
                }
                store(c, r, &x);
            }
            if let Some(block) = block {
                unrolled!(J => block.apply::<J, _>(&mut x));
            }
            store(c, r, &x);
        }
    }

    /// Factors the diagonal block, from which all contributions have been subtracted. The result is not stored in
    /// place.
    #[inline(always)]
    unsafe fn block<const N: usize>(&self) -> Block<P, N> {
        let (count, zero) = (N.min(self.n - self.first), Re::<P>::default());
        let (rows, [roots, inverses]) = ([[P::S::zero(); N]; N], [[zero; N]; 2]);
        let mut block = Block { rows, roots, inverses, done: 0, count, pivot: None };
        // Each element fills all lanes of a pack, because vector operations are fused.
        let mut x = [[P::zero(); N]; N];
        unsafe {
            unrolled!(J => self.read::<J, _>(count, &mut x));
            unrolled!(J => block.factor_column::<J>(&mut x));
        }
        block
    }

    /// Reads column J of the block, conjugated.
    #[inline(always)]
    unsafe fn read<const J: usize, const N: usize>(&self, count: usize, x: &mut [[P; N]; N]) {
        let mut c = 0;
        while c < N {
            // If packs are shorter than the block, the last one may end before the block does.
            if J < N && c >= J && (P::L >= N || c < count) {
                x[J][c] = P::splat(unsafe { get::<P>(self.a.column(self.first + J), self.first + c) }.conj());
            }
            c += 1;
        }
    }
}

#[allow(clippy::needless_range_loop)]
impl<P: Pack, const N: usize> Block<P, N> {
    /// Computes column J and subtracts its contributions from the later columns.
    #[inline(always)]
    unsafe fn factor_column<const J: usize>(&mut self, x: &mut [[P; N]; N]) {
        if J >= N || J >= self.count || self.pivot.is_some() {
            return;
        }
        let pivot = lane_0(x[J][J].re());
        // False for a NaN.
        let above_zero = pivot > Re::<P>::default();
        if !above_zero {
            self.pivot = Some(pivot);
            return;
        }
        self.roots[J] = pivot.sqrt();
        self.inverses[J] = Re::<P>::from_f64(1.0) / self.roots[J];
        self.done = J + 1;
        let by = P::V::splat(self.inverses[J]);
        let mut c = 0;
        while c < N {
            if c > J {
                x[J][c] = scaled(x[J][c], by);
                self.rows[J][c] = P::S::new(lane_0(x[J][c].re()), lane_0(x[J][c].im()));
            }
            c += 1;
        }
        unrolled!(K => subtract_column::<J, K, N, P>(x));
    }

    /// Computes column J of a tile and subtracts its contributions from the later columns.
    #[inline(always)]
    unsafe fn apply<const J: usize, const R: usize>(&self, x: &mut [[P; N]; R]) {
        let mut i = 0;
        while i < R {
            if J < N {
                x[i][J] = scaled(x[i][J], P::V::splat(self.inverses[J]));
            }
            i += 1;
        }
        let mut l = 0;
        while l < N {
            let mut i = 0;
            while i < R {
                if l > J {
                    x[i][l] = x[i][l].sub_mul(x[i][J], P::splat(self.rows[J][l]));
                }
                i += 1;
            }
            l += 1;
        }
    }
}

/// Subtracts the contributions of column J of a conjugated block from column K.
#[inline(always)]
fn subtract_column<const J: usize, const K: usize, const N: usize, P: Pack>(x: &mut [[P; N]; N]) {
    let mut c = 0;
    while c < N {
        if K > J && c >= K {
            x[K][c] = x[K][c].sub_mul(x[J][c], x[J][K].conj());
        }
        c += 1;
    }
}

#[inline(always)]
fn scaled<P: Pack>(x: P, by: P::V) -> P {
    P::from_parts(x.re().mul(by), x.im().mul(by))
}

/// Lane 0.
#[inline(always)]
fn lane_0<V: Lanes>(x: V) -> V::R {
    // SAFETY: a vector consists of its lanes, the first one first.
    unsafe { *(&raw const x).cast() }
}

/// Stores a tile in C.
#[inline(always)]
unsafe fn store<P: Pack, const R: usize, const N: usize>(c: Columns<P>, r: usize, x: &[[P; N]; R]) {
    let mut j = 0;
    while j < N {
        let mut i = 0;
        while i < R {
            unsafe { x[i][j].store(c.pack(r + i, j)) };
            i += 1;
        }
        j += 1;
    }
}
