//! Triangular systems in lanes.

use super::super::simd::{Lanes, OutOfLine, Pack};
use super::group::{Re, Tile, V};
use crate::scalar::{Real, Scalar};
use std::ops::Range;

/// Which triangle of a tile the equations use, and how.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    /// Whether the matrix of the equations is upper triangular.
    pub upper: bool,
    /// Whether the tile holds its transpose.
    pub transposed: bool,
    /// Whether the tile holds its conjugate.
    pub conjugated: bool,
}

/// x / d for real d.
#[inline(always)]
pub fn divide_by_real<P: Pack>(x: P, d: P) -> P {
    P::from_parts(x.re().div(d.re()), x.im().div(d.re()))
}

/// x times d, for tiles that hold the reciprocals of the diagonal.
#[inline(always)]
pub fn times_reciprocal<P: Pack>(x: P, d: P) -> P {
    x.mul(d)
}

/// 1 / d without intermediate overflow (Smith's formula).
#[inline(always)]
pub fn reciprocal<P: Pack>(d: P) -> P {
    let one = V::<P>::splat(Re::<P>::from_f64(1.0));
    if !P::S::COMPLEX {
        return P::from_parts(one.div(d.re()), d.im());
    }
    let zero = V::<P>::splat(Re::<P>::default());
    let infinity = V::<P>::splat(Re::<P>::from_f64(f64::INFINITY));
    let wide = d.re().copysign(zero).within(d.im().copysign(zero), infinity);
    let (large, small) = (d.re().select(wide, d.im()), d.im().select(wide, d.re()));
    let ratio = small.div(large);
    let length = large.add_mul(small, ratio);
    let (x, y) = (one.div(length), ratio.div(length));
    P::from_parts(x.select(wide, y), zero.sub(y.select(wide, x)))
}

/// Replaces the diagonal elements of a tile by their reciprocals.
#[inline(always)]
pub unsafe fn reciprocals<P: Pack>(a: Tile<P>, n: usize) {
    for i in 0..n {
        unsafe { reciprocal(P::load(a.at(i, i))).store(a.at(i, i)) };
    }
}

/// X := M^-1 X for `columns` columns of X, with M of order n in `a`. `divide` takes a number and a diagonal element of
/// the tile. `each`: gives the same bits in tiles of all orders, if the identity continues M to the tile's: sums are
/// divided from the diagonal of an upper triangle on, and from the first unknown of a lower one.
#[inline(always)]
pub unsafe fn solve<P: Pack>(
    a: Tile<P>,
    triangle: Triangle,
    n: usize,
    x: Tile<P>,
    columns: usize,
    divide: impl Fn(P, P) -> P + Copy,
    each: bool,
) {
    unsafe { P::V::call_out_of_line(Substitute { a, triangle, n, x, columns, divide, singly: each || n < SHORT }) }
}

/// Terms that are summed up before they are subtracted from an element. Longer sums are less accurate than LAPACK's
/// order, which subtracts the terms one by one.
const TERMS: usize = 32;
/// Systems of lower order have short sums.
const SHORT: usize = 24;

/// The body of [`solve`], compiled once for its routines.
struct Substitute<P: Pack, D> {
    a: Tile<P>,
    triangle: Triangle,
    n: usize,
    x: Tile<P>,
    columns: usize,
    divide: D,
    /// One unknown after the other.
    singly: bool,
}

impl<P: Pack, D: Fn(P, P) -> P + Copy> OutOfLine for Substitute<P, D> {
    #[inline(always)]
    unsafe fn run(self) {
        // As many sums at a time as there are registers for. Unknowns that are solved in direct succession wait for
        // each other's divisions, which costs more if there are few sums in between.
        unsafe {
            match (P::V::MANY_REGISTERS, P::S::COMPLEX) {
                _ if self.singly => self.rows::<1>(),
                (true, false) => self.rows::<4>(),
                (true, true) | (false, false) => self.rows::<2>(),
                (false, true) => self.rows::<1>(),
            }
        }
    }
}

impl<P: Pack, D: Fn(P, P) -> P + Copy> Substitute<P, D> {
    /// Solves for R unknowns at a time.
    #[inline(always)]
    unsafe fn rows<const R: usize>(&self) {
        let mut step = 0;
        unsafe {
            while step + R <= self.n {
                self.columns::<R>(step);
                step += R;
            }
            for step in step..self.n {
                self.columns::<1>(step);
            }
        }
    }

    #[inline(always)]
    unsafe fn columns<const R: usize>(&self, step: usize) {
        let mut j = 0;
        unsafe {
            while j + 4 <= self.columns {
                self.eliminate::<R, 4>(step, j);
                j += 4;
            }
            for j in j..self.columns {
                self.eliminate::<R, 1>(step, j);
            }
        }
    }

    /// Element (i, k) of the matrix of the equations.
    #[inline(always)]
    unsafe fn element(&self, i: usize, k: usize, sign: V<P>) -> P {
        unsafe {
            let m = P::load(if self.triangle.transposed { self.a.at(k, i) } else { self.a.at(i, k) });
            P::from_parts(m.re(), m.im().mul(sign))
        }
    }

    /// The row of the unknown that is solved r steps after `step` others.
    #[inline(always)]
    fn row(&self, step: usize, r: usize) -> usize {
        if self.triangle.upper { self.n - 1 - step - r } else { step + r }
    }

    #[inline(always)]
    fn sign(&self) -> V<P> {
        V::<P>::splat(Re::<P>::from_f64(if self.triangle.conjugated { -1.0 } else { 1.0 }))
    }

    /// The contributions of a range of the `step` known unknowns to the next R, for N columns from j on.
    #[allow(clippy::needless_range_loop)] // iterators over vectors are separate functions, without the instruction set
    #[inline(always)]
    unsafe fn products<const R: usize, const N: usize>(
        &self,
        step: usize,
        known: Range<usize>,
        j: usize,
    ) -> [[P; N]; R] {
        let (x, sign) = (self.x, self.sign());
        let first = if self.triangle.upper { self.n - step } else { 0 };
        let mut sums = [[P::zero(); N]; R];
        unsafe {
            for k in first + known.start..first + known.end {
                let mut known = [P::zero(); N];
                for l in 0..N {
                    known[l] = P::load(x.at(k, j + l));
                }
                for r in 0..R {
                    let m = self.element(self.row(step, r), k, sign);
                    for l in 0..N {
                        sums[r][l] = sums[r][l].add_mul(m, known[l]);
                    }
                }
            }
        }
        sums
    }

    /// Solves for R unknowns in N columns from j on, when `step` unknowns are known: subtracts the contributions of
    /// these, then solves one after the other.
    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    unsafe fn eliminate<const R: usize, const N: usize>(&self, step: usize, j: usize) {
        let &Substitute { x, divide, .. } = self;
        let sign = self.sign();
        let mut start = 0;
        unsafe {
            // The two loops do not share one variable for the sums, because it would be kept in memory.
            while step - start > TERMS {
                let sums = self.products::<R, N>(step, start..start + TERMS, j);
                for r in 0..R {
                    for l in 0..N {
                        let to = x.at(self.row(step, r), j + l);
                        P::load(to).sub(sums[r][l]).store(to);
                    }
                }
                start += TERMS;
            }
            let mut sums = self.products::<R, N>(step, start..step, j);
            for r in 0..R {
                let d = self.element(self.row(step, r), self.row(step, r), sign);
                let mut known = [P::zero(); N];
                for l in 0..N {
                    let to = x.at(self.row(step, r), j + l);
                    known[l] = divide(P::load(to).sub(sums[r][l]), d);
                    known[l].store(to);
                }
                for below in r + 1..R {
                    let m = self.element(self.row(step, below), self.row(step, r), sign);
                    for l in 0..N {
                        sums[below][l] = sums[below][l].add_mul(m, known[l]);
                    }
                }
            }
        }
    }
}

/// Inverts a lower triangle T in place, row by row. `reciprocal` is that of a diagonal element; `times` multiplies by
/// one.
#[inline(always)]
pub unsafe fn invert_lower<P: Pack>(
    a: Tile<P>,
    n: usize,
    reciprocal: impl Fn(P) -> P,
    times: impl Fn(P, P) -> P + Copy,
) {
    const WIDTH: usize = 4;
    for i in 0..n {
        unsafe {
            let inverse = reciprocal(P::load(a.at(i, i)));
            let minus = P::zero().sub(inverse);
            let mut j = 0;
            while j + WIDTH <= i {
                inverse_row::<P, WIDTH>(a, i, j, minus, times);
                j += WIDTH;
            }
            for j in j..i {
                inverse_row::<P, 1>(a, i, j, minus, times);
            }
            inverse.store(a.at(i, i));
        }
    }
}

/// N elements of row i of T^-1 from (i, j) on; `minus` is -1 / its diagonal element.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
unsafe fn inverse_row<P: Pack, const N: usize>(
    a: Tile<P>,
    i: usize,
    j: usize,
    minus: P,
    times: impl Fn(P, P) -> P + Copy,
) {
    let mut sums = [P::zero(); N];
    unsafe {
        // From the end of the row, so that the diagonal of T^-1, often the largest term, is added last.
        for k in (j..i).rev() {
            let l = P::load(a.at(i, k));
            // What is above the diagonal is zero, so it is skipped.
            let count = N.min(k + 1 - j);
            if count == N {
                for c in 0..N {
                    sums[c] = sums[c].add_mul(l, P::load(a.at(k, j + c)));
                }
            } else {
                for c in 0..N {
                    if c < count {
                        sums[c] = sums[c].add_mul(l, P::load(a.at(k, j + c)));
                    }
                }
            }
        }
        for c in 0..N {
            times(sums[c], minus).store(a.at(i, j + c));
        }
    }
}
