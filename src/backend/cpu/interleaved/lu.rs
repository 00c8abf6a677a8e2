//! LU factorisations in lanes. Each lane has its own pivots, so rows are exchanged element by element.

use super::super::divisor::Divisor;
use super::super::simd::{Lanes, MAX_LANES, Pack};
use super::group::{Re, Tile, V, WIDTH, all_lanes};
use super::prefetch::Prefetch;
use super::triangle::reciprocal;
use crate::scalar::{Real, Scalar};
use std::hint::black_box;
use std::ops::Range;

/// Columns per block. Columns to the left of a block get its row exchanges all at once, columns to the right when they
/// are computed.
const BLOCK: usize = 16;

/// Number of steps in which [`lu`] prefetches: about the number of pairs of rows that it computes, of [`WIDTH`] columns
/// each.
pub fn lu_steps(m: usize, n: usize) -> usize {
    m * n / (2 * WIDTH)
}

/// Factors P L U = A in place in every lane, with m rows and n columns. `pivots` has space for the interchanges,
/// counted from 0, those of a step contiguous over the lanes; NULL means no pivoting. Returns for each lane the first
/// zero on U's diagonal, counted from 1, or 0. Not out of line, which made uniform batches slower.
#[inline(always)]
pub unsafe fn lu<P: Pack>(
    a: Tile<P>,
    m: usize,
    n: usize,
    pivots: *mut i32,
    prefetch: &mut Option<Prefetch>,
) -> [i32; MAX_LANES] {
    let mut zeros = [0; MAX_LANES];
    for start in (0..n).step_by(BLOCK) {
        let (end, before) = (n.min(start + BLOCK), start.min(m));
        let whole = end - (end - start) % WIDTH;
        unsafe {
            // First apply the previous blocks to all columns of this block; then apply the block's own columns to each
            // other and factor.
            for within in [false, true] {
                if !within && start == 0 {
                    continue;
                }
                let at = |j: usize| {
                    if within {
                        Stage { start, from: before, done: j.min(m) }
                    } else {
                        Stage { start, from: 0, done: before }
                    }
                };
                for j in (start..whole).step_by(WIDTH) {
                    columns::<P, WIDTH>(a, j, m, at(j), within, pivots, &mut zeros, prefetch);
                }
                for j in whole..end {
                    columns::<P, 1>(a, j, m, at(j), within, pivots, &mut zeros, prefetch);
                }
            }
            exchange(a, start, before..end.min(m), pivots);
        }
    }
    zeros
}

/// Which columns are applied to columns on their right: those with pivots `from..done`. The current block begins at
/// column `start`.
#[derive(Clone, Copy)]
struct Stage {
    start: usize,
    from: usize,
    done: usize,
}

/// Applies the stage's columns to columns `j..j + N`, and factors these if `last`.
#[inline(always)]
unsafe fn columns<P: Pack, const N: usize>(
    a: Tile<P>,
    j: usize,
    m: usize,
    Stage { start, from, done }: Stage,
    last: bool,
    pivots: *mut i32,
    zeros: &mut [i32; MAX_LANES],
    prefetch: &mut Option<Prefetch>,
) {
    unsafe {
        exchange(a.starting_at(j), N, from..done, pivots);
        let mut i = from;
        if P::V::MANY_REGISTERS && !P::S::COMPLEX {
            while i + 4 <= m {
                Prefetch::step(prefetch);
                Prefetch::step(prefetch);
                rows::<P, 4, N>(a, i, j, from, done);
                i += 4;
            }
        }
        while i + 2 <= m {
            Prefetch::step(prefetch);
            rows::<P, 2, N>(a, i, j, from, done);
            i += 2;
        }
        if i < m {
            rows::<P, 1, N>(a, i, j, from, done);
        }
        if !last {
            return;
        }
        for c in j..m.min(j + N) {
            if !pivots.is_null() {
                largest(a, c, m, pivots.add(c * P::L));
                exchange(a.starting_at(j), N, c..c + 1, pivots);
            }
            divide(a, c, m, zeros);
            for i in c + 1..m {
                let x = P::load(a.at(i, c));
                for l in c + 1..j + N {
                    let p = a.at(i, l);
                    P::load(p).sub_mul(x, P::load(a.at(c, l))).store(p);
                }
            }
        }
        exchange(a.starting_at(start), j - start, done..m.min(j + N), pivots);
    }
}

/// Subtracts the contribution of columns `from..done`, accumulated in one sum, from R rows from row i on (i >= `from`)
/// and N columns from column j on.
#[allow(clippy::needless_range_loop)] // iterators over vectors are separate functions, without the instruction set
#[inline(always)]
unsafe fn rows<P: Pack, const R: usize, const N: usize>(a: Tile<P>, i: usize, j: usize, from: usize, done: usize) {
    let terms = i.min(done) - from;
    if done == from {
        return;
    }
    unsafe {
        let row = a.ld * P::REALS;
        let mut left = [[P::zero(); N]; R];
        let (mut l, mut u) = (a.at(i, from), a.at(from, j));
        for _ in 0..terms {
            let mut x = [P::zero(); R];
            for r in 0..R {
                x[r] = P::load(l.add(r * row));
            }
            for c in 0..N {
                let y = P::load(u.add(c * P::REALS));
                for r in 0..R {
                    left[r][c] = left[r][c].add_mul(x[r], y);
                }
            }
            (l, u) = (l.add(P::REALS), u.add(row));
        }
        for r in 0..R {
            for c in 0..N {
                left[r][c] = P::load(a.at(i + r, j + c)).sub(left[r][c]);
            }
        }
        // Rows of U among these R rows are needed by the rows below them.
        for r in 0..R {
            for c in 0..N {
                left[r][c].store(a.at(i + r, j + c));
            }
            if i + r < done {
                for q in 0..R {
                    if q > r {
                        let x = P::load(a.at(i + q, i + r));
                        for c in 0..N {
                            left[q][c] = left[q][c].sub_mul(x, left[r][c]);
                        }
                    }
                }
            }
        }
    }
}

/// Finds each lane's first largest element of column c from row c on, in LAPACK's measure |re| + |im|; a NaN counts as
/// 0.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
unsafe fn largest<P: Pack>(a: Tile<P>, c: usize, m: usize, pivots: *mut i32) {
    let zero = V::<P>::splat(Re::<P>::default());
    let (mut most, mut at) = (zero, V::<P>::splat(Re::<P>::from_f64(c as f64)));
    unsafe {
        for i in c..m {
            let x = P::load(a.at(i, c));
            let mut size = x.re().copysign(zero);
            if P::S::COMPLEX {
                size = size.add(x.im().copysign(zero));
            }
            let above = size.above(most);
            most = size.select(above, most);
            at = V::<P>::splat(Re::<P>::from_f64(i as f64)).select(above, at);
        }
        let mut rows = [Re::<P>::default(); MAX_LANES];
        at.store(rows.as_mut_ptr());
        for l in 0..P::L {
            *pivots.add(l) = rows[l].to_f64() as i32;
        }
    }
}

/// Exchanges row c with each lane's own pivot row, for each step c in turn, in all `n` columns. NULL: no exchanges.
#[inline(always)]
pub unsafe fn exchange<P: Pack>(a: Tile<P>, n: usize, steps: Range<usize>, pivots: *const i32) {
    if pivots.is_null() {
        return;
    }
    let mut j = 0;
    unsafe {
        while j + WIDTH <= n {
            exchange_columns::<P, WIDTH>(a.starting_at(j), steps.clone(), pivots);
            j += WIDTH;
        }
        while j < n {
            exchange_columns::<P, 1>(a.starting_at(j), steps.clone(), pivots);
            j += 1;
        }
    }
}

/// [`exchange`] for N columns. A row may be exchanged with itself, which is cheaper than a branch.
#[allow(clippy::needless_range_loop)] // iterators over vectors are separate functions, without the instruction set
#[inline(always)]
unsafe fn exchange_columns<P: Pack, const N: usize>(a: Tile<P>, steps: Range<usize>, pivots: *const i32) {
    /// Up to this number of lanes, building a vector is cheaper than storing the lanes one by one.
    const FEW: usize = 8;
    for c in steps {
        unsafe {
            let (own, mut rows) = (a.at(c, 0), [std::ptr::null_mut(); MAX_LANES]);
            for l in 0..P::L {
                rows[l] = a.at(*pivots.add(c * P::L + l) as usize, 0).add(l);
                if P::L > FEW {
                    for k in (0..N * P::REALS).step_by(P::L) {
                        let (p, q) = (own.add(l + k), rows[l].add(k));
                        (*p, *q) = (*q, *p);
                    }
                }
            }
            for k in (0..if P::L > FEW { 0 } else { N * P::REALS }).step_by(P::L) {
                let mut theirs = [Re::<P>::default(); MAX_LANES];
                for l in 0..P::L {
                    theirs[l] = *rows[l].add(k);
                }
                for l in 0..P::L {
                    *rows[l].add(k) = *own.add(k + l);
                }
                V::<P>::load(theirs.as_ptr()).store(own.add(k));
            }
        }
    }
}

/// Divides column c below the diagonal by its pivot.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
unsafe fn divide<P: Pack>(a: Tile<P>, c: usize, m: usize, zeros: &mut [i32; MAX_LANES]) {
    unsafe {
        let d = P::load(a.at(c, c));
        let regular = lanes_with_normal_reciprocal(d);
        let irregular = !regular & all_lanes::<P>();
        if irregular != 0 {
            let none = a.zeros(c, c);
            for l in 0..P::L {
                if none >> l & 1 == 1 && zeros[l] == 0 {
                    zeros[l] = c as i32 + 1;
                }
                if (irregular & !none) >> l & 1 == 1 {
                    divide_lane(a, c, m, l);
                }
            }
            // Hidden from the compiler, which could otherwise divide first and select afterwards.
            let one = P::splat(P::S::one());
            let by = reciprocal(black_box(d.select(regular, one)));
            for i in c + 1..m {
                let p = a.at(i, c);
                let x = P::load(p);
                x.mul(by).select(regular, x).store(p);
            }
            return;
        }
        let by = reciprocal(d);
        for i in c + 1..m {
            let p = a.at(i, c);
            P::load(p).mul(by).store(p);
        }
    }
}

/// The lanes of x whose reciprocal is a normal number.
#[inline(always)]
pub fn lanes_with_normal_reciprocal<P: Pack>(x: P) -> u32 {
    let (low, high) = Re::<P>::NORMAL_RECIPROCALS;
    let (low, high, zero) = (V::<P>::splat(low), V::<P>::splat(high), V::<P>::splat(Re::<P>::default()));
    let re = x.re().copysign(zero);
    if !P::S::COMPLEX {
        return re.within(low, high);
    }
    let im = x.im().copysign(zero);
    (re.within(low, high) | im.within(low, high)) & !(re.above(high) | im.above(high))
}

/// The lanes in which some diagonal element has no reciprocal that is a normal number.
#[inline(always)]
pub unsafe fn lanes_without_normal_reciprocal<P: Pack>(a: Tile<P>, n: usize) -> u32 {
    let mut lanes = 0;
    for i in 0..n {
        unsafe {
            lanes |= !lanes_with_normal_reciprocal(P::load(a.at(i, i))) & all_lanes::<P>();
        }
    }
    lanes
}

/// [`lanes_without_normal_reciprocal`]; sets the matrices in these lanes to the identity.
#[inline(always)]
pub unsafe fn replace_irregular_by_identity<P: Pack>(a: Tile<P>, n: usize) -> u32 {
    let lanes = unsafe { lanes_without_normal_reciprocal(a, n) };
    unsafe { a.make_identity(n, lanes) };
    lanes
}

/// [`divide`] for one lane, whose pivot has no reciprocal that is a normal number.
#[cold]
#[inline(never)]
unsafe fn divide_lane<P: Pack>(a: Tile<P>, c: usize, m: usize, lane: usize) {
    unsafe {
        let element = |i: usize| {
            let p = a.at(i, c).add(lane);
            (p, P::S::new(*p, if P::S::COMPLEX { *p.add(P::L) } else { Default::default() }))
        };
        let divisor = Divisor::new(element(c).1);
        for i in c + 1..m {
            let (p, x) = element(i);
            let x = divisor.divide(x);
            *p = x.re();
            if P::S::COMPLEX {
                *p.add(P::L) = x.im();
            }
        }
    }
}
