//! Triangular systems in lanes.

use super::super::simd::{Apart, Lanes, Pack};
use super::{Re, Tile, V};
use crate::scalar::{Real, Scalar};

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
        let Substitute { a, how, n, x, columns, divide } = self;
        let sign = V::<P>::splat(Re::<P>::from_f64(if how.conjugated { -1.0 } else { 1.0 }));
        let (down, right) = if how.transposed { (1, a.ld) } else { (a.ld, 1) };
        for step in 0..n {
            let i = if how.upper { n - 1 - step } else { step };
            // The unknowns that are known already.
            let first = if how.upper { i + 1 } else { 0 };
            unsafe {
                let row = a.p.add((i * down + first * right) * P::REALS);
                let d = P::load(a.at(i, i));
                let d = P::from_parts(d.re(), d.im().mul(sign));
                let mut j = 0;
                while j + 4 <= columns {
                    eliminate::<P, 4>(row, right, sign, x, i, first, step, j, d, divide);
                    j += 4;
                }
                while j < columns {
                    eliminate::<P, 1>(row, right, sign, x, i, first, step, j, d, divide);
                    j += 1;
                }
            }
        }
    }
}

/// Unknown i of N columns: what is left when `count` unknowns from `first` on are known, over d.
#[allow(clippy::needless_range_loop)] // iterators over vectors are functions of their own, without the instruction set
#[inline(always)]
unsafe fn eliminate<P: Pack, const N: usize>(
    row: *const Re<P>,
    right: usize,
    sign: V<P>,
    x: Tile<P>,
    i: usize,
    first: usize,
    count: usize,
    j: usize,
    d: P,
    divide: impl Fn(P, P) -> P,
) {
    unsafe {
        let mut sums = [P::zero(); N];
        for k in 0..count {
            let m = P::load(row.add(k * right * P::REALS));
            let m = P::from_parts(m.re(), m.im().mul(sign));
            let known = x.at(first + k, j);
            for l in 0..N {
                sums[l] = sums[l].add_mul(m, P::load(known.add(l * P::REALS)));
            }
        }
        for l in 0..N {
            divide(P::load(x.at(i, j + l)).sub(sums[l]), d).store(x.at(i, j + l));
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
