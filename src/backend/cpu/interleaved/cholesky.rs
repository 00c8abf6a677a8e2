//! Cholesky factorisations in lanes, and inverses from them. Tiles hold lower triangles; what is above the diagonal is not
//! looked at.

use super::super::simd::{Lanes, MAX_LANES, Pack};
use super::{Re, Tile, V, all};
use crate::scalar::{Real, Scalar};
use std::hint::black_box;

/// Columns that are done together.
const WIDTH: usize = 4;

/// Which lanes' matrices are not positive definite, and where that shows.
pub struct Ends {
    /// One bit for each of them.
    pub lanes: u32,
    /// Their first pivot that is not above 0, counted from 1; 0 in other lanes.
    pub places: [i32; MAX_LANES],
}

/// Every lane's A = L L^H in its place. Where a pivot is not above 0, it stays on the diagonal, and what follows it is nothing
/// of use.
#[inline(always)]
pub unsafe fn cholesky<P: Pack>(a: Tile<P>, n: usize) -> Ends {
    let mut ends = Ends { lanes: 0, places: [0; MAX_LANES] };
    for first in (0..n).step_by(WIDTH) {
        unsafe {
            match n - first {
                1 => drop(diagonal::<P, 1>(a, first, &mut ends)),
                2 => drop(diagonal::<P, 2>(a, first, &mut ends)),
                3 => drop(diagonal::<P, 3>(a, first, &mut ends)),
                _ => {
                    let inverses = diagonal::<P, WIDTH>(a, first, &mut ends);
                    let mut i = first + WIDTH;
                    if P::V::MANY_REGISTERS && !P::S::COMPLEX {
                        while i + 4 <= n {
                            below::<P, 4>(a, i, first, &inverses);
                            i += 4;
                        }
                    }
                    while i + 2 <= n {
                        below::<P, 2>(a, i, first, &inverses);
                        i += 2;
                    }
                    if i < n {
                        below::<P, 1>(a, i, first, &inverses);
                    }
                }
            }
        }
    }
    ends
}

/// The N x N block at (first, first), whose columns before it are done. Gives 1 / its diagonal.
#[inline(always)]
unsafe fn diagonal<P: Pack, const N: usize>(a: Tile<P>, first: usize, ends: &mut Ends) -> [V<P>; N] {
    let zero = V::<P>::splat(Re::<P>::default());
    let one = V::<P>::splat(Re::<P>::from_f64(1.0));
    let infinity = V::<P>::splat(Re::<P>::from_f64(f64::INFINITY));
    let mut sums = [[P::zero(); N]; N];
    let mut inverses = [zero; N];
    unsafe {
        let mut row = [a.at(first, 0); N];
        for (r, row) in row.iter_mut().enumerate() {
            *row = a.at(first + r, 0);
        }
        for k in 0..first {
            let mut x = [P::zero(); N];
            for r in 0..N {
                x[r] = P::load(row[r].add(k * P::REALS));
                for c in 0..=r {
                    sums[r][c] = sums[r][c].add_conj_mul(x[c], x[r]);
                }
            }
        }
        for c in 0..N {
            let place = a.at(first + c, first + c);
            let pivot = P::load(place).re().sub(sums[c][c].re());
            // Neither holds for a NaN.
            let above = pivot.within(zero, infinity) & !pivot.within(zero, zero);
            let new = all::<P>() & !above & !ends.lanes;
            let (mut safe, mut stored) = (pivot, pivot);
            if new | ends.lanes != 0 {
                ends.lanes |= new;
                for l in 0..P::L {
                    if new >> l & 1 == 1 {
                        ends.places[l] = (first + c + 1) as i32;
                    }
                }
                // Opaque, so that the compiler does not take roots first and choose then.
                safe = black_box(pivot.chosen(!ends.lanes, one));
            }
            let root = safe.sqrt();
            inverses[c] = one.div(root);
            stored = root.chosen(!ends.lanes, stored);
            P::from_parts(stored, zero).store(place);
            if ends.lanes != 0 {
                // Columns of zeros leave the rest as it is.
                inverses[c] = inverses[c].chosen(!ends.lanes, zero);
            }
            let mut column = [P::zero(); N];
            for r in c + 1..N {
                let place = a.at(first + r, first + c);
                let left = P::load(place).sub(sums[r][c]);
                column[r] = P::from_parts(left.re().mul(inverses[c]), left.im().mul(inverses[c]));
                column[r].store(place);
                for l in c + 1..=r {
                    sums[r][l] = sums[r][l].add_conj_mul(column[l], column[r]);
                }
            }
        }
    }
    inverses
}

/// Rows i..i + R of the columns whose diagonal block is at (first, first).
#[inline(always)]
unsafe fn below<P: Pack, const R: usize>(a: Tile<P>, i: usize, first: usize, inverses: &[V<P>; WIDTH]) {
    let mut sums = [[P::zero(); WIDTH]; R];
    unsafe {
        let row = a.ld * P::REALS;
        let (top, left) = (a.at(first, 0), a.at(i, 0));
        for k in 0..first {
            let mut l = [P::zero(); WIDTH];
            for (c, l) in l.iter_mut().enumerate() {
                *l = P::load(top.add(c * row + k * P::REALS));
            }
            for (r, sums) in sums.iter_mut().enumerate() {
                let x = P::load(left.add(r * row + k * P::REALS));
                for (sum, &l) in sums.iter_mut().zip(&l) {
                    *sum = sum.add_conj_mul(l, x);
                }
            }
        }
        for c in 0..WIDTH {
            for (r, sums) in sums.iter_mut().enumerate() {
                let place = a.at(i + r, first + c);
                let x = P::load(place).sub(sums[c]);
                let x = P::from_parts(x.re().mul(inverses[c]), x.im().mul(inverses[c]));
                x.store(place);
                for l in c + 1..WIDTH {
                    sums[l] = sums[l].add_conj_mul(P::load(a.at(first + l, first + c)), x);
                }
            }
        }
    }
}

/// The lower triangle of L^-H L^-1 in L's place, of L with a real diagonal without zeros; those of `zeros` are not wanted.
#[inline(always)]
pub unsafe fn invert_cholesky<P: Pack>(a: Tile<P>, n: usize, zeros: u32) {
    let zero = V::<P>::splat(Re::<P>::default());
    let one = V::<P>::splat(Re::<P>::from_f64(1.0));
    unsafe {
        // W = L^-1, row by row.
        for i in 0..n {
            let mut d = P::load(a.at(i, i)).re();
            if zeros != 0 {
                d = black_box(d.chosen(!zeros, one));
            }
            let inverse = one.div(d);
            let minus = zero.sub(inverse);
            let mut j = 0;
            while j + WIDTH <= i {
                inverse_row::<P, WIDTH>(a, i, j, minus);
                j += WIDTH;
            }
            (j..i).for_each(|j| inverse_row::<P, 1>(a, i, j, minus));
            P::from_parts(inverse, zero).store(a.at(i, i));
        }
        // W^H W, row by row: row i needs no row above it.
        for i in 0..n {
            let mut j = 0;
            while j + WIDTH <= i {
                gram_row::<P, WIDTH>(a, n, i, j);
                j += WIDTH;
            }
            (j..=i).for_each(|j| gram_row::<P, 1>(a, n, i, j));
            let place = a.at(i, i);
            P::from_parts(P::load(place).re(), zero).store(place);
        }
    }
}

/// N elements of row i of L^-1, from (i, j) on; `minus`: -1 / its diagonal element.
#[inline(always)]
unsafe fn inverse_row<P: Pack, const N: usize>(a: Tile<P>, i: usize, j: usize, minus: V<P>) {
    let mut sums = [P::zero(); N];
    unsafe {
        for k in j..i {
            let l = P::load(a.at(i, k));
            for (c, sum) in sums.iter_mut().enumerate() {
                // What is above the diagonal is zero.
                if k >= j + c {
                    *sum = sum.add_mul(l, P::load(a.at(k, j + c)));
                }
            }
        }
        for (c, sum) in sums.into_iter().enumerate() {
            P::from_parts(sum.re().mul(minus), sum.im().mul(minus)).store(a.at(i, j + c));
        }
    }
}

/// N elements of row i of W^H W, from (i, j) on, where j + N is at most i, or N is 1.
#[inline(always)]
unsafe fn gram_row<P: Pack, const N: usize>(a: Tile<P>, n: usize, i: usize, j: usize) {
    let mut sums = [P::zero(); N];
    unsafe {
        for k in i..n {
            let x = P::load(a.at(k, i));
            for (c, sum) in sums.iter_mut().enumerate() {
                *sum = sum.add_conj_mul(x, P::load(a.at(k, j + c)));
            }
        }
        for (c, sum) in sums.into_iter().enumerate() {
            sum.store(a.at(i, j + c));
        }
    }
}
