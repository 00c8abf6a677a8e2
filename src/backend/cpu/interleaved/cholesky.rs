//! Cholesky factorisations in lanes, and inverses from them. Tiles hold lower triangles; elements above the diagonal
//! are not read.

use super::super::simd::{Lanes, MAX_LANES, Pack};
use super::group::{Re, Tile, V, WIDTH, all_lanes};
use super::prefetch::Prefetch;
use super::triangle::invert_lower;
use crate::scalar::{Real, Scalar};
use std::hint::black_box;

/// Terms that are summed up before they are subtracted from an element. A longer sum would lose accuracy in the pivots
/// of matrices that are barely positive definite.
const TERMS: usize = 8;

/// The lanes whose matrix is not positive definite, and where the factorisation failed.
pub struct Failures {
    /// Mask of these lanes.
    pub lanes: u32,
    /// Their first pivot that is not above 0, counted from 1; 0 in the other lanes.
    pub first_bad_pivot: [i32; MAX_LANES],
}

/// Number of steps in which [`cholesky`] prefetches: pairs of rows of [`WIDTH`] columns that it computes.
pub fn cholesky_steps(n: usize) -> usize {
    n * n / (4 * WIDTH)
}

/// Factors A = L L^H in place in every lane. A pivot that is not above 0 stays on the diagonal, and what follows it is
/// unspecified.
#[inline(always)]
pub unsafe fn cholesky<P: Pack>(a: Tile<P>, n: usize, mut prefetch: Option<Prefetch>) -> Failures {
    let mut failures = Failures { lanes: 0, first_bad_pivot: [0; MAX_LANES] };
    let whole = n / WIDTH * WIDTH;
    unsafe {
        for first in (0..whole).step_by(WIDTH) {
            let inverses = diagonal::<P>(a, first, &mut failures);
            let mut i = first + WIDTH;
            if P::V::MANY_REGISTERS && !P::S::COMPLEX {
                while i + 3 <= n {
                    Prefetch::step(&mut prefetch);
                    Prefetch::step(&mut prefetch);
                    below::<P, 3>(a, i, first, inverses);
                    i += 3;
                }
            }
            while i + 2 <= n {
                Prefetch::step(&mut prefetch);
                below::<P, 2>(a, i, first, inverses);
                i += 2;
            }
            if i < n {
                below::<P, 1>(a, i, first, inverses);
            }
        }
        for j in whole..n {
            let inverse = root::<P>(updated(a, j, j), a.at(j, j), j, &mut failures);
            for i in j + 1..n {
                scaled(updated(a, i, j), inverse).store(a.at(i, j));
            }
        }
    }
    failures
}

#[inline(always)]
fn scaled<P: Pack>(x: P, by: V<P>) -> P {
    P::from_parts(x.re().mul(by), x.im().mul(by))
}

/// Subtracts a sum from the element at `p` and resets the sum.
#[inline(always)]
unsafe fn subtract_sum<P: Pack>(p: *mut Re<P>, sum: &mut P) {
    unsafe { P::load(p).sub(*sum).store(p) };
    *sum = P::zero();
}

/// Element (i, j) minus the contributions of the columns to the left of j.
#[inline(always)]
unsafe fn updated<P: Pack>(a: Tile<P>, i: usize, j: usize) -> P {
    unsafe {
        let mut left = P::load(a.at(i, j));
        for start in (0..j).step_by(TERMS) {
            let mut sum = P::zero();
            for k in start..j.min(start + TERMS) {
                sum = sum.add_conj_mul(P::load(a.at(j, k)), P::load(a.at(i, k)));
            }
            left = left.sub(sum);
        }
        left
    }
}

/// Stores the square root of pivot j and returns its reciprocal. The result is 0 in lanes that have failed, so that
/// their columns contribute nothing from there on.
#[inline(always)]
unsafe fn root<P: Pack>(pivot: P, place: *mut Re<P>, j: usize, failures: &mut Failures) -> V<P> {
    let zero = V::<P>::splat(Re::<P>::default());
    let one = V::<P>::splat(Re::<P>::from_f64(1.0));
    let infinity = V::<P>::splat(Re::<P>::from_f64(f64::INFINITY));
    let pivot = pivot.re();
    // Both are false for a NaN.
    let above = pivot.within(zero, infinity) & !pivot.within(zero, zero);
    let new = all_lanes::<P>() & !above & !failures.lanes;
    unsafe {
        if new | failures.lanes == 0 {
            let root = pivot.sqrt();
            P::from_parts(root, zero).store(place);
            return one.div(root);
        }
        failures.lanes |= new;
        for l in 0..P::L {
            if new >> l & 1 == 1 {
                failures.first_bad_pivot[l] = j as i32 + 1;
            }
        }
        // Hidden from the compiler, which could otherwise take roots first and select afterwards.
        let root = black_box(pivot.select(!failures.lanes, one)).sqrt();
        P::from_parts(root.select(!failures.lanes, pivot), zero).store(place);
        one.div(root).select(!failures.lanes, zero)
    }
}

/// Factors the diagonal block at (first, first); the columns to its left are done. Returns the reciprocals of its
/// diagonal.
///
/// Unrolled by hand, here and below: arrays that are indexed in triangular loops are not kept in registers.
#[inline(always)]
unsafe fn diagonal<P: Pack>(a: Tile<P>, first: usize, failures: &mut Failures) -> [V<P>; WIDTH] {
    let zero = P::zero();
    let (mut s00, mut s10, mut s11, mut s20, mut s21) = (zero, zero, zero, zero, zero);
    let (mut s22, mut s30, mut s31, mut s32, mut s33) = (zero, zero, zero, zero, zero);
    unsafe {
        let row = a.ld * P::REALS;
        let mut p = a.at(first, 0);
        let at = |r: usize, c: usize| a.at(first + r, first + c);
        for k in 0..first {
            if k > 0 && k % TERMS == 0 {
                subtract_sum(at(0, 0), &mut s00);
                subtract_sum(at(1, 0), &mut s10);
                subtract_sum(at(1, 1), &mut s11);
                subtract_sum(at(2, 0), &mut s20);
                subtract_sum(at(2, 1), &mut s21);
                subtract_sum(at(2, 2), &mut s22);
                subtract_sum(at(3, 0), &mut s30);
                subtract_sum(at(3, 1), &mut s31);
                subtract_sum(at(3, 2), &mut s32);
                subtract_sum(at(3, 3), &mut s33);
            }
            let (x0, x1) = (P::load(p), P::load(p.add(row)));
            let (x2, x3) = (P::load(p.add(2 * row)), P::load(p.add(3 * row)));
            s00 = s00.add_conj_mul(x0, x0);
            s10 = s10.add_conj_mul(x0, x1);
            s11 = s11.add_conj_mul(x1, x1);
            s20 = s20.add_conj_mul(x0, x2);
            s21 = s21.add_conj_mul(x1, x2);
            s22 = s22.add_conj_mul(x2, x2);
            s30 = s30.add_conj_mul(x0, x3);
            s31 = s31.add_conj_mul(x1, x3);
            s32 = s32.add_conj_mul(x2, x3);
            s33 = s33.add_conj_mul(x3, x3);
            p = p.add(P::REALS);
        }
        let minus = |r: usize, c: usize, sum: P| P::load(at(r, c)).sub(sum);
        let put = |r: usize, c: usize, x: P| {
            x.store(at(r, c));
            x
        };
        let i0 = root::<P>(minus(0, 0, s00), at(0, 0), first, failures);
        let l10 = put(1, 0, scaled(minus(1, 0, s10), i0));
        let l20 = put(2, 0, scaled(minus(2, 0, s20), i0));
        let l30 = put(3, 0, scaled(minus(3, 0, s30), i0));
        let i1 = root::<P>(minus(1, 1, s11.add_conj_mul(l10, l10)), at(1, 1), first + 1, failures);
        let l21 = put(2, 1, scaled(minus(2, 1, s21.add_conj_mul(l10, l20)), i1));
        let l31 = put(3, 1, scaled(minus(3, 1, s31.add_conj_mul(l10, l30)), i1));
        let s22 = s22.add_conj_mul(l20, l20).add_conj_mul(l21, l21);
        let i2 = root::<P>(minus(2, 2, s22), at(2, 2), first + 2, failures);
        let s32 = s32.add_conj_mul(l20, l30).add_conj_mul(l21, l31);
        let l32 = put(3, 2, scaled(minus(3, 2, s32), i2));
        let s33 = s33.add_conj_mul(l30, l30).add_conj_mul(l31, l31).add_conj_mul(l32, l32);
        let i3 = root::<P>(minus(3, 3, s33), at(3, 3), first + 3, failures);
        [i0, i1, i2, i3]
    }
}

/// Rows i..i + R of the columns whose diagonal block is at (first, first). Loops use indices because iterators over
/// vectors are separate functions, compiled without the instruction set.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
unsafe fn below<P: Pack, const R: usize>(a: Tile<P>, i: usize, first: usize, [i0, i1, i2, i3]: [V<P>; WIDTH]) {
    let (mut left, mut k) = ([[P::zero(); WIDTH]; R], 0);
    unsafe {
        let row = a.ld * P::REALS;
        let (mut top, mut x) = (a.at(first, 0), a.at(i, 0));
        for r in 0..R {
            for c in 0..WIDTH {
                left[r][c] = P::load(a.at(i + r, first + c));
            }
        }
        while k < first {
            let (end, mut sums) = (first.min(k + TERMS), [[P::zero(); WIDTH]; R]);
            while k < end {
                let (l0, l1) = (P::load(top), P::load(top.add(row)));
                let (l2, l3) = (P::load(top.add(2 * row)), P::load(top.add(3 * row)));
                for r in 0..R {
                    let x = P::load(x.add(r * row));
                    sums[r] = [
                        sums[r][0].add_conj_mul(l0, x),
                        sums[r][1].add_conj_mul(l1, x),
                        sums[r][2].add_conj_mul(l2, x),
                        sums[r][3].add_conj_mul(l3, x),
                    ];
                }
                (top, x, k) = (top.add(P::REALS), x.add(P::REALS), k + 1);
            }
            for r in 0..R {
                for c in 0..WIDTH {
                    left[r][c] = left[r][c].sub(sums[r][c]);
                }
            }
        }
        let l = |r: usize, c: usize| P::load(a.at(first + r, first + c)).conj();
        for r in 0..R {
            let [x0, x1, x2, x3] = left[r];
            let p = a.at(i + r, first);
            let x0 = scaled(x0, i0);
            let x1 = scaled(x1.sub_mul(l(1, 0), x0), i1);
            let x2 = scaled(x2.sub_mul(l(2, 0), x0).sub_mul(l(2, 1), x1), i2);
            let x3 = scaled(x3.sub_mul(l(3, 0), x0).sub_mul(l(3, 1), x1).sub_mul(l(3, 2), x2), i3);
            x0.store(p);
            x1.store(p.add(P::REALS));
            x2.store(p.add(2 * P::REALS));
            x3.store(p.add(3 * P::REALS));
        }
    }
}

/// 1 / d for real d.
#[inline(always)]
fn real_reciprocal<P: Pack>(d: P) -> P {
    let one = V::<P>::splat(Re::<P>::from_f64(1.0));
    P::from_parts(one.div(d.re()), V::<P>::splat(Re::<P>::default()))
}

/// x times a real number.
#[inline(always)]
fn times_real<P: Pack>(x: P, by: P) -> P {
    scaled(x, by.re())
}

/// The lower triangle of L^-H L^-1 in place of L, whose diagonal must be real and without zeros. `own`: the orders of
/// the matrices, if the identity continues them to the tile's. That has no effect on their inverses.
#[inline(always)]
pub unsafe fn invert_cholesky<P: Pack>(a: Tile<P>, n: usize, own: Option<&[u32; MAX_LANES]>) {
    let zero = V::<P>::splat(Re::<P>::default());
    unsafe {
        invert_lower(a, n, real_reciprocal, times_real);
        if let Some(orders) = own {
            // Infinities times the zeros below a matrix are NaN.
            a.make_identity_beyond(n, orders);
        }
        // W^H W row by row: row i does not depend on the rows above it.
        for i in 0..n {
            let mut j = 0;
            while j + WIDTH <= i {
                gram_row::<P, WIDTH>(a, n, i, j);
                j += WIDTH;
            }
            for j in j..=i {
                gram_row::<P, 1>(a, n, i, j);
            }
            let place = a.at(i, i);
            P::from_parts(P::load(place).re(), zero).store(place);
        }
    }
}

/// N elements of row i of W^H W from (i, j) on, where j + N <= i or N = 1.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
unsafe fn gram_row<P: Pack, const N: usize>(a: Tile<P>, n: usize, i: usize, j: usize) {
    let mut sums = [P::zero(); N];
    unsafe {
        // The largest term is added last: if it came first, each smaller term added to it would lose digits.
        for k in (i..n).rev() {
            let x = P::load(a.at(k, i));
            for c in 0..N {
                sums[c] = sums[c].add_conj_mul(x, P::load(a.at(k, j + c)));
            }
        }
        for c in 0..N {
            sums[c].store(a.at(i, j + c));
        }
    }
}
