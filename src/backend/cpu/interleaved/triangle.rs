//! Triangular systems in lanes.

use super::super::simd::{Apart, Lanes, Pack};
use super::group::{Re, Tile, V};
use crate::scalar::{Real, Scalar};
use std::ops::Range;

/// How a tile's triangle stands in the equations.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    /// Above the diagonal, as it stands in the equations.
    pub upper: bool,
    /// The tile holds its transpose.
    pub transposed: bool,
    /// The tile holds its conjugate.
    pub conjugated: bool,
}

/// x / d for real d.
#[inline(always)]
pub fn divide_by_real<P: Pack>(x: P, d: P) -> P {
    P::from_parts(x.re().div(d.re()), x.im().div(d.re()))
}

/// x times what the tile has on its diagonal, its reciprocal.
#[inline(always)]
pub fn times_reciprocal<P: Pack>(x: P, d: P) -> P {
    x.mul(d)
}

/// 1 / d, without overflow in between (Smith's formula).
#[inline(always)]
pub fn reciprocal<P: Pack>(d: P) -> P {
    let one = V::<P>::splat(Re::<P>::from_f64(1.0));
    if !P::S::COMPLEX {
        return P::from_parts(one.div(d.re()), d.im());
    }
    let zero = V::<P>::splat(Re::<P>::default());
    let infinity = V::<P>::splat(Re::<P>::from_f64(f64::INFINITY));
    let wide = d.re().copysign(zero).within(d.im().copysign(zero), infinity);
    let (large, small) = (d.re().chosen(wide, d.im()), d.im().chosen(wide, d.re()));
    let ratio = small.div(large);
    let length = large.add_mul(small, ratio);
    let (x, y) = (one.div(length), ratio.div(length));
    P::from_parts(x.chosen(wide, y), zero.sub(y.chosen(wide, x)))
}

/// Replaces the diagonal of a tile by 1 / d.
#[inline(always)]
pub unsafe fn reciprocals<P: Pack>(a: Tile<P>, n: usize) {
    for i in 0..n {
        unsafe { reciprocal(P::load(a.at(i, i))).store(a.at(i, i)) };
    }
}

/// X := M^-1 X for `columns` columns of X, M of order n in `a`. `divide` takes a number and the tile's diagonal.
#[inline(always)]
pub unsafe fn solve<P: Pack>(
    a: Tile<P>,
    how: Triangle,
    n: usize,
    x: Tile<P>,
    columns: usize,
    divide: impl Fn(P, P) -> P + Copy,
) {
    unsafe { P::V::apart(Substitute { a, how, n, x, columns, divide }) }
}

/// Terms of a sum before an element is left by it: longer ones are less accurate than LAPACK's, which leave it one by one.
const TERMS: usize = 32;
/// Orders from which on sums are long.
const SHORT: usize = 24;

/// [`solve`], which routines share.
struct Substitute<P: Pack, D> {
    a: Tile<P>,
    how: Triangle,
    n: usize,
    x: Tile<P>,
    columns: usize,
    divide: D,
}

impl<P: Pack, D: Fn(P, P) -> P + Copy> Apart for Substitute<P, D> {
    #[inline(always)]
    unsafe fn run(self) {
        // As many sums at a time as there are registers for. Unknowns that follow each other at once wait for their divisions, which
        // costs more where few sums lie between.
        unsafe {
            match (P::V::MANY_REGISTERS, P::S::COMPLEX) {
                _ if self.n < SHORT => self.rows::<1>(),
                (true, false) => self.rows::<4>(),
                (true, true) | (false, false) => self.rows::<2>(),
                (false, true) => self.rows::<1>(),
            }
        }
    }
}

impl<P: Pack, D: Fn(P, P) -> P + Copy> Substitute<P, D> {
    /// R unknowns after the other.
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

    /// Element (i, k) of the triangle as it stands in the equations.
    #[inline(always)]
    unsafe fn element(&self, i: usize, k: usize, sign: V<P>) -> P {
        unsafe {
            let m = P::load(if self.how.transposed { self.a.at(k, i) } else { self.a.at(i, k) });
            P::from_parts(m.re(), m.im().mul(sign))
        }
    }

    /// The row of the unknown that becomes known r steps after `step` others.
    #[inline(always)]
    fn row(&self, step: usize, r: usize) -> usize {
        if self.how.upper { self.n - 1 - step - r } else { step + r }
    }

    #[inline(always)]
    fn sign(&self) -> V<P> {
        V::<P>::splat(Re::<P>::from_f64(if self.how.conjugated { -1.0 } else { 1.0 }))
    }

    /// What some of `step` known unknowns leave of the next R, of N columns from j on.
    #[allow(clippy::needless_range_loop)] // iterators over vectors are functions of their own, without the instruction set
    #[inline(always)]
    unsafe fn products<const R: usize, const N: usize>(
        &self,
        step: usize,
        known: Range<usize>,
        j: usize,
    ) -> [[P; N]; R] {
        let (x, sign) = (self.x, self.sign());
        let first = if self.how.upper { self.n - step } else { 0 };
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

    /// R unknowns of N columns from j on, when `step` unknowns are known: what those leave, and then each of the R, over the diagonal.
    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    unsafe fn eliminate<const R: usize, const N: usize>(&self, step: usize, j: usize) {
        let &Substitute { x, divide, .. } = self;
        let sign = self.sign();
        let mut start = 0;
        unsafe {
            // The sums are no one variable of both loops: they would be kept in memory.
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

/// T^-1 in T's place, of a lower triangle T, row by row. `reciprocal` is that of a diagonal element, `times` a product with one.
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

/// N elements of row i of T^-1, from (i, j) on; `minus`: -1 / its diagonal element.
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
        // From the row's end: the diagonal of T^-1, which is often the largest, comes last.
        for k in (j..i).rev() {
            let l = P::load(a.at(i, k));
            // What is above the diagonal is zero.
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
