//! LU factorisations in lanes. Each lane has rows of its own exchanged, element by element.

use super::super::lu::pivot::Divisor;
use super::super::simd::{Lanes, MAX_LANES, Pack};
use super::triangle::reciprocal;
use super::{Re, Tile, V, all};
use crate::scalar::{Real, Scalar};
use std::hint::black_box;

/// Columns that are done together.
const WIDTH: usize = 4;

/// Every lane's P L U = A, of m rows and n columns, in its place. `pivots`: room for the interchanges, counted from 0, those of
/// a step for all lanes side by side; NULL: no pivoting. Gives each lane's first zero on U's diagonal, counted from 1, or 0.
#[inline(always)]
pub unsafe fn lu<P: Pack>(a: Tile<P>, m: usize, n: usize, pivots: *mut i32) -> [i32; MAX_LANES] {
    let mut zeros = [0; MAX_LANES];
    let whole = n / WIDTH * WIDTH;
    unsafe {
        for j in (0..whole).step_by(WIDTH) {
            columns::<P, WIDTH>(a, j, (m, n), pivots, &mut zeros);
        }
        for j in whole..n {
            columns::<P, 1>(a, j, (m, n), pivots, &mut zeros);
        }
    }
    zeros
}

/// Columns `j..j + N`, when those before them are done.
#[inline(always)]
unsafe fn columns<P: Pack, const N: usize>(
    a: Tile<P>,
    j: usize,
    (m, n): (usize, usize),
    pivots: *mut i32,
    zeros: &mut [i32; MAX_LANES],
) {
    let done = j.min(m);
    unsafe {
        let mut i = 0;
        if P::V::MANY_REGISTERS && !P::S::COMPLEX {
            while i + 4 <= m {
                rows::<P, 4, N>(a, i, j, done);
                i += 4;
            }
        }
        while i + 2 <= m {
            rows::<P, 2, N>(a, i, j, done);
            i += 2;
        }
        if i < m {
            rows::<P, 1, N>(a, i, j, done);
        }
        for c in j..m.min(j + N) {
            if !pivots.is_null() {
                let pivots = pivots.add(c * P::L);
                largest(a, c, m, pivots);
                exchange(a.starting_at(j), N, c, pivots);
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
        // The other columns' rows, all at once: whatever is read next does not wait for them.
        for c in j..if pivots.is_null() { j } else { m.min(j + N) } {
            exchange(a, j, c, pivots.add(c * P::L));
            exchange(a.starting_at(j + N), n - j - N, c, pivots.add(c * P::L));
        }
    }
}

/// What the columns before, `done` of them that have a pivot, leave of R rows from row i on in N columns from column j on.
#[allow(clippy::needless_range_loop)] // iterators over vectors are functions of their own, without the instruction set
#[inline(always)]
unsafe fn rows<P: Pack, const R: usize, const N: usize>(a: Tile<P>, i: usize, j: usize, done: usize) {
    let terms = i.min(done);
    if done == 0 {
        return;
    }
    unsafe {
        let row = a.ld * P::REALS;
        let mut left = [[P::zero(); N]; R];
        for r in 0..R {
            for c in 0..N {
                left[r][c] = P::load(a.at(i + r, j + c));
            }
        }
        let (mut l, mut u) = (a.at(i, 0), a.at(0, j));
        for _ in 0..terms {
            let mut x = [P::zero(); R];
            for r in 0..R {
                x[r] = P::load(l.add(r * row));
            }
            for c in 0..N {
                let y = P::load(u.add(c * P::REALS));
                for r in 0..R {
                    left[r][c] = left[r][c].sub_mul(x[r], y);
                }
            }
            (l, u) = (l.add(P::REALS), u.add(row));
        }
        // Rows of U among these, which the rows below them need.
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

/// Each lane's first of the largest elements of column c from row c on, by LAPACK's measure; a NaN counts as 0.
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
            most = size.chosen(above, most);
            at = V::<P>::splat(Re::<P>::from_f64(i as f64)).chosen(above, at);
        }
        let mut rows = [Re::<P>::default(); MAX_LANES];
        at.store(rows.as_mut_ptr());
        for l in 0..P::L {
            *pivots.add(l) = rows[l].to_f64() as i32;
        }
    }
}

/// Exchanges row c with each lane's own in all `n` columns.
#[inline(always)]
pub unsafe fn exchange<P: Pack>(a: Tile<P>, n: usize, c: usize, pivots: *const i32) {
    /// Columns for which it is worth while to look up the lanes' rows first.
    const MANY: usize = 8;
    unsafe {
        if P::V::MANY_REGISTERS && n >= MANY {
            return exchange_by_columns(a, n, c, pivots);
        }
        for l in 0..P::L {
            let other = *pivots.add(l) as usize;
            if other == c {
                continue;
            }
            let (mut p, mut q) = (a.at(c, 0).add(l), a.at(other, 0).add(l));
            for _ in 0..n {
                (*p, *q) = (*q, *p);
                if P::S::COMPLEX {
                    (*p.add(P::L), *q.add(P::L)) = (*q.add(P::L), *p.add(P::L));
                }
                (p, q) = (p.add(P::REALS), q.add(P::REALS));
            }
        }
    }
}

/// [`exchange`] of all lanes in a column: those of row c are stored one after another, which for the cache is one store. A row that
/// stays is exchanged with itself.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
unsafe fn exchange_by_columns<P: Pack>(a: Tile<P>, n: usize, c: usize, pivots: *const i32) {
    unsafe {
        let mut rows = [std::ptr::null_mut(); MAX_LANES];
        for l in 0..P::L {
            rows[l] = a.at(*pivots.add(l) as usize, 0).add(l);
        }
        let row = a.at(c, 0);
        for at in (0..n * P::REALS).step_by(P::L) {
            let (own, mut theirs) = (row.add(at), [Re::<P>::default(); MAX_LANES]);
            for l in 0..P::L {
                theirs[l] = *rows[l].add(at);
            }
            for l in 0..P::L {
                *rows[l].add(at) = *own.add(l);
            }
            for l in 0..P::L {
                *own.add(l) = theirs[l];
            }
        }
    }
}

/// Column c below its pivot, divided by it.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
unsafe fn divide<P: Pack>(a: Tile<P>, c: usize, m: usize, zeros: &mut [i32; MAX_LANES]) {
    unsafe {
        let d = P::load(a.at(c, c));
        let usual = usual(d);
        let unusual = !usual & all::<P>();
        if unusual != 0 {
            let none = a.zeros(c, c);
            for l in 0..P::L {
                if none >> l & 1 == 1 && zeros[l] == 0 {
                    zeros[l] = c as i32 + 1;
                }
                if (unusual & !none) >> l & 1 == 1 {
                    divide_lane(a, c, m, l);
                }
            }
            // Opaque, so that the compiler does not divide first and choose then.
            let one = P::splat(P::S::one());
            let by = reciprocal(black_box(d.chosen(usual, one)));
            for i in c + 1..m {
                let p = a.at(i, c);
                let x = P::load(p);
                x.mul(by).chosen(usual, x).store(p);
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

/// Bits of the lanes of x whose reciprocal is a normal number.
#[inline(always)]
fn usual<P: Pack>(x: P) -> u32 {
    let (low, high) = Re::<P>::NORMAL_RECIPROCALS;
    let (low, high, zero) = (V::<P>::splat(low), V::<P>::splat(high), V::<P>::splat(Re::<P>::default()));
    let re = x.re().copysign(zero);
    if !P::S::COMPLEX {
        return re.within(low, high);
    }
    let im = x.im().copysign(zero);
    (re.within(low, high) | im.within(low, high)) & !(re.above(high) | im.above(high))
}

/// Lanes of which some element of the diagonal has no reciprocal that is a normal number; ones take their place.
#[inline(always)]
pub unsafe fn unusual_diagonals<P: Pack>(a: Tile<P>, n: usize) -> u32 {
    let mut lanes = 0;
    for i in 0..n {
        unsafe {
            let unusual = !usual(P::load(a.at(i, i))) & all::<P>();
            if unusual != 0 {
                a.put(i, i, unusual, P::S::one());
                lanes |= unusual;
            }
        }
    }
    lanes
}

/// [`divide`] of one lane, whose pivot has no reciprocal that is a normal number.
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
