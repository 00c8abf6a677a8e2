//! An upper trapezoid reduced to a triangle from the right, by block reflectors whose vectors are rows.

use super::householder::{Reflector, reflector_in_range, reflector_scaled};
use super::lu::{Subtract, UpdateOperands};
use super::packed::{Columns, Re, get, leading, set};
use super::reflectors::at;
use super::scratch::Arena;
use super::simd::{Lanes, OutOfLine, Pack};
use crate::scalar::Scalar;
use std::ops::Range;

/// Rows that are reduced together, the order of a block reflector. A multiple of every pack.
const BLOCK: usize = 16;

/// Offsets of the workspace.
pub struct TrapezoidLayout {
    /// The vectors of a block as columns. A vector's 1 is the last element of the first pack.
    vectors: usize,
    ld_vectors: usize,
    /// Their conjugates as rows; without elements if they are real.
    rows: usize,
    /// The dot products of the rows above with the vectors.
    dots: usize,
    ld_dots: usize,
    /// Column q holds the dot products of vector q with the later ones of its block.
    products: usize,
    tau: usize,
}

/// (T 0) H(rank - 1) .. H(0) = R for an upper trapezoid R.
pub struct Trapezoid<P: Pack> {
    a: Columns<P>,
    n: usize,
    rank: usize,
    vectors: Columns<P>,
    rows: Columns<P>,
    dots: Columns<P>,
    products: Columns<P>,
    tau: *mut P::S,
}

impl TrapezoidLayout {
    /// For m x n matrices.
    #[inline(always)]
    pub fn new<P: Pack>(arena: &mut Arena<Re<P>>, m: usize, n: usize) -> Option<Self> {
        let (most, block) = (m.min(n), BLOCK * P::S::PARTS);
        let (ld_vectors, ld_dots) = (leading::<P>(n.checked_add(P::L)?)?, leading::<P>(most)?);
        Some(TrapezoidLayout {
            vectors: arena.part(ld_vectors.checked_mul(BLOCK)?)?,
            ld_vectors,
            rows: arena.part(if P::S::COMPLEX { n.checked_mul(block)? } else { 0 })?,
            dots: arena.part(ld_dots.checked_mul(BLOCK)?)?,
            ld_dots,
            products: arena.part(most.checked_mul(block)?)?,
            tau: arena.part(most.checked_mul(P::S::PARTS)?)?,
        })
    }

    /// Reduces the first `rank` rows of A, which has n columns.
    #[inline(always)]
    pub unsafe fn reduce<P: Pack>(&self, base: *mut Re<P>, a: Columns<P>, n: usize, rank: usize) -> Trapezoid<P> {
        let part = |start: usize, ld: usize| Columns::<P> { p: base.wrapping_add(start), ld };
        let vectors = part(self.vectors, self.ld_vectors);
        let [rows, products] = [self.rows, self.products].map(|start| part(start, BLOCK * P::S::PARTS));
        let (dots, tau) = (part(self.dots, self.ld_dots), base.wrapping_add(self.tau).cast());
        let whole = Trapezoid { a, n, rank, vectors, rows, dots, products, tau };
        if rank < n {
            unsafe { P::V::call_out_of_line(Reduce(&whole)) };
        }
        whole
    }
}

/// The reduction, which stores the vectors by rows in place of the elements that become zero. Source: LAPACK `?latrz`.
struct Reduce<'a, P: Pack>(&'a Trapezoid<P>);

impl<P: Pack> OutOfLine for Reduce<'_, P> {
    #[inline(always)]
    unsafe fn run(self) {
        let whole = self.0;
        for start in (0..whole.rank).step_by(BLOCK).rev() {
            let block = start..whole.rank.min(start + BLOCK);
            unsafe {
                for q in block.clone().rev() {
                    whole.reduce_row(start, q);
                }
                whole.multiply_vectors(&block);
                if start > 0 {
                    whole.apply_to_rows_above(&block);
                }
            }
        }
    }
}

impl<P: Pack> Trapezoid<P> {
    /// Number of elements of a vector beside its 1.
    #[inline(always)]
    fn beyond(&self) -> usize {
        self.n - self.rank
    }

    /// The vectors of a block, without their 1.
    #[inline(always)]
    fn tails(&self) -> Columns<P> {
        Columns { p: self.vectors.p.wrapping_add(P::REALS), ..self.vectors }
    }

    /// Reduces row q of the block that begins with row `start`, and applies its reflector to the rows between.
    #[inline(always)]
    unsafe fn reduce_row(&self, start: usize, q: usize) {
        let (a, head, beyond) = (self.a, P::L - 1, self.beyond());
        unsafe {
            // The row, conjugated, as a column whose first element is the diagonal one.
            let v = self.vectors.column(q - start);
            let tail = self.tails().column(q - start);
            set::<P>(v, head, P::S::real(at(a, q, q).re()));
            let mut squares = Re::<P>::default();
            for c in 0..beyond {
                let x = at(a, q, self.rank + c).conj();
                squares += x.abs_squared();
                set::<P>(tail, c, x);
            }
            let h = reflector_in_range(get::<P>(v, head), squares)
                .or_else(|| reflector_scaled::<P>(v, head, head + 1 + beyond));
            let Some(Reflector { beta, tau, inv }) = h else {
                self.tau.add(q).write(P::S::zero());
                return;
            };
            self.tau.add(q).write(tau);
            set::<P>(a.column(q), q, P::S::real(beta));
            for c in 0..beyond {
                let x = get::<P>(tail, c) * inv;
                set::<P>(tail, c, x);
                set::<P>(a.column(self.rank + c), q, x);
            }
            let (mut r, packs) = (start / P::L, q.div_ceil(P::L));
            while r + 2 <= packs {
                self.apply_to_packs::<2>(r, q, tail, tau);
                r += 2;
            }
            if r < packs {
                self.apply_to_packs::<1>(r, q, tail, tau);
            }
        }
    }

    /// Applies reflector q to the rows above q in R packs from pack r on.
    #[allow(clippy::needless_range_loop)] // iterators over vectors are separate functions, without the instruction set
    #[inline(always)]
    unsafe fn apply_to_packs<const R: usize>(&self, r: usize, q: usize, tail: *const Re<P>, tau: P::S) {
        let (on_diagonal, first) = (self.a.p.wrapping_add(q * self.a.ld), self.rank);
        unsafe {
            let mut dots = [P::zero(); R];
            for i in 0..R {
                dots[i] = P::load(on_diagonal.add((r + i) * P::REALS));
            }
            for c in 0..self.beyond() {
                let by = P::splat(get::<P>(tail, c));
                for i in 0..R {
                    dots[i] = dots[i].add_mul(P::load(self.a.pack(r + i, first + c)), by);
                }
            }
            for i in 0..R {
                let p = on_diagonal.add((r + i) * P::REALS);
                let (rows, x) = (P::L.min(q - (r + i) * P::L), P::load(p));
                dots[i] = dots[i].mul(P::splat(tau));
                x.blend_low(rows, x.sub(dots[i])).store(p);
            }
            for c in 0..self.beyond() {
                let by = P::splat(get::<P>(tail, c).conj());
                for i in 0..R {
                    let p = self.a.pack(r + i, first + c);
                    let (rows, x) = (P::L.min(q - (r + i) * P::L), P::load(p));
                    x.blend_low(rows, x.sub_mul(dots[i], by)).store(p);
                }
            }
        }
    }

    /// Computes the dot products of a block's vectors with each other.
    #[inline(always)]
    unsafe fn multiply_vectors(&self, block: &Range<usize>) {
        for q in block.clone() {
            for r in (q - block.start) / P::L..block.len().div_ceil(P::L) {
                unsafe {
                    let (tail, mut sum) = (self.tails().column(q - block.start), P::zero());
                    for c in 0..self.beyond() {
                        let x = P::load(self.a.pack(block.start / P::L + r, self.rank + c));
                        sum = sum.add_conj_mul(x, P::splat(get::<P>(tail, c)));
                    }
                    sum.store(self.products.pack(r, q));
                }
            }
        }
    }

    /// Applies a block's reflectors, the last one first, to the rows above the block.
    #[inline(always)]
    unsafe fn apply_to_rows_above(&self, block: &Range<usize>) {
        let (a, dots, packs, count) = (self.a, self.dots, block.start / P::L, block.len());
        unsafe {
            let others = a.starting_at(self.rank);
            for j in 0..count {
                for r in 0..packs {
                    P::zero().sub(P::load(a.pack(r, block.start + j))).store(dots.pack(r, j));
                }
            }
            // The dot products with the rows as they are, negated.
            let operands = UpdateOperands { a: others, b: self.tails(), terms: self.beyond(), last_first: false };
            P::V::call_out_of_line(Subtract { c: dots, operands, packs: 0..packs, columns: count });
            for j in (0..count).rev() {
                let tau = P::splat(*self.tau.add(block.start + j));
                for r in 0..packs {
                    // Vector j meets the rows as the later reflectors leave them.
                    let mut dot = P::zero().sub(P::load(dots.pack(r, j)));
                    for i in j + 1..count {
                        let by = get::<P>(self.products.column(block.start + j), i);
                        dot = dot.sub_mul(P::load(dots.pack(r, i)), P::splat(by));
                    }
                    let (dot, p) = (dot.mul(tau), a.pack(r, block.start + j));
                    dot.store(dots.pack(r, j));
                    P::load(p).sub(dot).store(p);
                }
            }
            let mut rows = Columns { p: others.p.add(packs * P::REALS), ..others };
            if P::S::COMPLEX {
                for c in 0..self.beyond() {
                    for r in 0..count.div_ceil(P::L) {
                        P::load(rows.pack(r, c)).conj().store(self.rows.pack(r, c));
                    }
                }
                rows = self.rows;
            }
            let operands = UpdateOperands { a: dots, b: rows, terms: count, last_first: false };
            P::V::call_out_of_line(Subtract { c: others, operands, packs: 0..packs, columns: self.beyond() });
        }
    }

    /// Y := H(rank - 1) .. H(0) Y for packed columns.
    #[inline(always)]
    pub unsafe fn apply(&self, y: Columns<P>, columns: usize) {
        if self.rank < self.n {
            unsafe { P::V::call_out_of_line(Apply { whole: self, y, columns }) };
        }
    }

    /// [`Trapezoid::apply`] for the reflectors of a block and one column.
    #[inline(always)]
    unsafe fn apply_block(&self, block: &Range<usize>, y: *mut Re<P>) {
        let (packs, count) = (block.len().div_ceil(P::L), block.len());
        unsafe {
            let a = Columns { p: self.a.pack(block.start / P::L, self.rank), ..self.a };
            let mut r = 0;
            while r + 2 <= packs {
                self.multiply_column::<2>(a, r, y);
                r += 2;
            }
            if r < packs {
                self.multiply_column::<1>(a, r, y);
            }
            let dots = self.dots.p;
            for i in 0..count {
                let q = block.start + i;
                let mut dot = get::<P>(y, q) + get::<P>(dots, i);
                for p in 0..i {
                    dot -= get::<P>(self.products.column(block.start + p), i) * get::<P>(dots, p);
                }
                let dot = dot * *self.tau.add(q);
                set::<P>(dots, i, dot);
                set::<P>(y, q, get::<P>(y, q) - dot);
            }
            // What follows the last row of the block may not be a number.
            let rest = count - (packs - 1) * P::L;
            let last = P::zero().blend_low(rest, P::load(dots.add((packs - 1) * P::REALS)));
            for c in 0..self.beyond() {
                let mut sum = P::zero().blend_low(rest, P::load(a.pack(packs - 1, c))).mul(last);
                for r in 0..packs - 1 {
                    sum = sum.add_mul(P::load(a.pack(r, c)), P::load(dots.add(r * P::REALS)));
                }
                let row = self.rank + c;
                set::<P>(y, row, get::<P>(y, row) - sum.sum());
            }
        }
    }

    /// The dot products of the vectors in R packs with a column, without their 1.
    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    unsafe fn multiply_column<const R: usize>(&self, a: Columns<P>, r: usize, y: *const Re<P>) {
        let mut sums = [P::zero(); R];
        unsafe {
            for c in 0..self.beyond() {
                let by = P::splat(get::<P>(y, self.rank + c));
                for i in 0..R {
                    sums[i] = sums[i].add_conj_mul(P::load(a.pack(r + i, c)), by);
                }
            }
            for i in 0..R {
                sums[i].store(self.dots.pack(r + i, 0));
            }
        }
    }
}

struct Apply<'a, P: Pack> {
    whole: &'a Trapezoid<P>,
    y: Columns<P>,
    columns: usize,
}

impl<P: Pack> OutOfLine for Apply<'_, P> {
    #[inline(always)]
    unsafe fn run(self) {
        let Apply { whole, y, columns } = self;
        for start in (0..whole.rank).step_by(BLOCK) {
            let block = start..whole.rank.min(start + BLOCK);
            for j in 0..columns {
                unsafe { whole.apply_block(&block, y.column(j)) };
            }
        }
    }
}
