//! Householder reflectors in lanes: QR, and generating and applying Q.

use super::super::simd::{Lanes, MAX_LANES, OutOfLine, Pack};
use super::group::{Re, Tile, V, all_lanes, zeros};
use super::prefetch::Prefetch;
use crate::scalar::{Real, Scalar};
use std::hint::black_box;

/// Factors every lane's m x n matrix (LAPACK `?geqrf`) and applies the reflectors to columns n..width beside it; `tau`
/// receives min(m, n) packs. Returns those of `lanes` that succeeded. The others are cleared; the computation stops
/// when none is left.
#[inline(always)]
pub unsafe fn factor<P: Pack>(a: Tile<P>, tau: *mut Re<P>, m: usize, n: usize, width: usize, lanes: u32) -> u32 {
    let (mut good, ends) = (lanes, [u32::MAX; MAX_LANES]);
    let factor = Factor::<P, false> { a, tau, m, n, width, good: &mut good, ends: &ends, prefetch: None };
    unsafe { P::V::call_out_of_line(factor) };
    good
}

/// [`factor`] for matrices of sizes of their own, continued by zeros. From step `ends` of its lane on, nothing that
/// belongs to a matrix is below or to the right of the diagonal element, except finite right-hand sides to its right,
/// of which zeros may change their sign. Prefetches in as many steps as there are
/// reflectors.
#[inline(always)]
pub unsafe fn factor_each<P: Pack>(
    a: Tile<P>,
    tau: *mut Re<P>,
    m: usize,
    n: usize,
    width: usize,
    lanes: u32,
    ends: &[u32; MAX_LANES],
    prefetch: Option<Prefetch>,
) -> u32 {
    let mut good = lanes;
    let factor = Factor::<P, true> { a, tau, m, n, width, good: &mut good, ends, prefetch };
    unsafe { P::V::call_out_of_line(factor) };
    good
}

/// The body of [`factor`] and, with EACH, of [`factor_each`], compiled once for all routines.
struct Factor<'a, P: Pack, const EACH: bool> {
    a: Tile<P>,
    tau: *mut Re<P>,
    m: usize,
    n: usize,
    width: usize,
    good: &'a mut u32,
    ends: &'a [u32; MAX_LANES],
    prefetch: Option<Prefetch>,
}

impl<P: Pack, const EACH: bool> OutOfLine for Factor<'_, P, EACH> {
    #[inline(always)]
    unsafe fn run(self) {
        let Factor { a, tau, m, n, width, good, ends, mut prefetch } = self;
        for c in 0..m.min(n) {
            Prefetch::step(&mut prefetch);
            unsafe { reflect::<P, EACH>(a, tau.add(c * P::REALS), m, width, c, ends, good) };
            if *good == 0 {
                break;
            }
        }
    }
}

/// Computes reflector c of every lane and applies it to the columns on the right. Lanes with numbers outside the safe
/// range are cleared and removed from `good`. In lanes whose end is reached, there are only zeros below the diagonal
/// element and to its right, whose signs do not matter.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
unsafe fn reflect<P: Pack, const EACH: bool>(
    a: Tile<P>,
    tau: *mut Re<P>,
    m: usize,
    n: usize,
    c: usize,
    ends: &[u32; MAX_LANES],
    good: &mut u32,
) {
    unsafe {
        let diagonal = a.at(c, c);
        let below = m - c - 1;
        if below == 0 && !P::S::COMPLEX {
            P::zero().store(tau);
            return;
        }
        let zero = V::<P>::splat(Re::<P>::default());
        let one = V::<P>::splat(Re::<P>::from_f64(1.0));
        let x = |i: usize| diagonal.add((i + 1) * a.ld * P::REALS);
        // Four sums, because a single one would serialise the additions.
        let mut sums = [zero; 4];
        let mut i = 0;
        while i + 4 <= below {
            sums[0] = P::load(x(i)).add_squares(sums[0]);
            sums[1] = P::load(x(i + 1)).add_squares(sums[1]);
            sums[2] = P::load(x(i + 2)).add_squares(sums[2]);
            sums[3] = P::load(x(i + 3)).add_squares(sums[3]);
            i += 4;
        }
        if EACH {
            // Each row always belongs to the same sum, so that zeros below the matrix change no bit.
            for (k, sum) in sums.iter_mut().enumerate().take(3) {
                if i + k < below {
                    *sum = P::load(x(i + k)).add_squares(*sum);
                }
            }
        } else {
            while i < below {
                sums[0] = P::load(x(i)).add_squares(sums[0]);
                i += 1;
            }
        }
        let squares = sums[0].add(sums[1]).add(sums[2].add(sums[3]));
        let head = P::load(diagonal);
        let (mut alpha, mut total) = (head, head.add_squares(squares));
        let (low, high) = Re::<P>::SQUARES_IN_RANGE;
        let (low, high) = (V::<P>::splat(low), V::<P>::splat(high));
        let in_range = total.within(low, high);
        // The decision between H = I and a reflector must not be lost to underflow: it depends on x, or without x on
        // the imaginary part.
        let imaginary_square = alpha.im().mul(alpha.im());
        let mut safe = in_range & if below > 0 { squares } else { imaginary_square }.within(low, high);
        // Lanes with H = I: everything below the diagonal is zero already, and the matrix is left as it is.
        let (mut kept, mut ended) = (0, 0);
        if safe != all_lanes::<P>() {
            if EACH {
                for l in 0..P::L {
                    ended |= u32::from(c as u32 >= ends[l]) << l;
                }
            }
            kept = ended;
            if (safe | ended) & all_lanes::<P>() != all_lanes::<P>() {
                let mut none = all_lanes::<P>();
                for i in 0..below {
                    none &= zeros(P::load(x(i)));
                }
                kept |= none;
            }
            if P::S::COMPLEX {
                safe |= kept & in_range & imaginary_square.within(low, high);
                kept &= alpha.im().within(zero, zero);
            }
            let lost = !(safe | kept) & all_lanes::<P>();
            if lost != 0 {
                *good &= !lost;
                if *good == 0 {
                    return;
                }
                for i in 0..m {
                    for j in 0..n {
                        a.put(i, j, lost, P::S::zero());
                    }
                }
            }
            // Other lanes get numbers that raise no floating-point exception. Hidden from the compiler, which could
            // otherwise divide first and select afterwards.
            total = black_box(total.select(safe, one));
            alpha = black_box(alpha.select(safe, P::zero()));
            if safe == 0 {
                P::zero().store(tau);
                return;
            }
        }

        let beta = zero.sub(total.sqrt().copysign(alpha.re()));
        let distance = alpha.re().sub(beta);
        let mut t = P::from_parts(zero.sub(distance).div(beta), alpha.im().div(beta)); // conj(tau)
        let inv = if P::S::COMPLEX {
            let scale = one.div(P::from_parts(distance, alpha.im()).add_squares(zero));
            P::from_parts(distance.mul(scale), zero.sub(alpha.im().mul(scale)))
        } else {
            let inv = one.div(distance);
            P::from_parts(inv, inv)
        };
        let mut corner = P::from_parts(beta, zero);
        if safe != all_lanes::<P>() {
            t = t.select(safe, P::zero());
            corner = corner.select(safe, head.select(kept, P::zero()));
        }
        t.conj().store(tau);
        corner.store(diagonal);
        if kept & !ended == 0 {
            for i in 0..below {
                P::load(x(i)).mul(inv).store(x(i));
            }
            apply_beside(a.corner(c, c), 1, n - c, below, t);
            return;
        }
        // H = I must preserve infinities and signs of zeros, whatever the reflectors of the other lanes.
        let changed = !kept;
        for i in 0..below {
            P::load(x(i)).mul(inv).select(changed, P::load(x(i))).store(x(i));
        }
        for j in 1..n - c {
            apply::<P, 1, true>(a.corner(c, c), j, below, t, changed);
        }
    }
}

/// Generates the first n columns of Q = H(1) ... H(k), k <= n <= m, in place of its vectors (LAPACK `?orgqr`).
#[inline(always)]
pub unsafe fn generate<P: Pack>(a: Tile<P>, tau: *const Re<P>, m: usize, n: usize, k: usize) {
    unsafe { P::V::call_out_of_line(Generate::<P> { a, tau, m, n, k }) }
}

/// The body of [`generate`], compiled once for all routines.
struct Generate<P: Pack> {
    a: Tile<P>,
    tau: *const Re<P>,
    m: usize,
    n: usize,
    k: usize,
}

impl<P: Pack> OutOfLine for Generate<P> {
    #[inline(always)]
    unsafe fn run(self) {
        let Generate { a, tau, m, n, k } = self;
        unsafe {
            for j in k..n {
                for i in 0..m {
                    P::splat(if i == j { P::S::one() } else { P::S::zero() }).store(a.at(i, j));
                }
            }
            for c in (0..k).rev() {
                let t = P::load(tau.add(c * P::REALS));
                for j in c + 1..n {
                    P::zero().store(a.at(c, j));
                }
                apply_beside(a.corner(c, c), 1, n - c, m - c - 1, t);
                let minus = P::zero().sub(t);
                P::splat(P::S::one()).sub(t).store(a.at(c, c));
                for i in c + 1..m {
                    P::load(a.at(i, c)).mul(minus).store(a.at(i, c));
                }
            }
        }
    }
}

/// C := H(1) ... H(k) C for columns n..width, to the right of the vectors.
#[inline(always)]
pub unsafe fn apply_q<P: Pack>(a: Tile<P>, tau: *const Re<P>, m: usize, k: usize, n: usize, width: usize) {
    unsafe { P::V::call_out_of_line(ApplyQ::<P> { a, tau, m, k, n, width }) }
}

/// The body of [`apply_q`], compiled once for all routines.
struct ApplyQ<P: Pack> {
    a: Tile<P>,
    tau: *const Re<P>,
    m: usize,
    k: usize,
    n: usize,
    width: usize,
}

impl<P: Pack> OutOfLine for ApplyQ<P> {
    #[inline(always)]
    unsafe fn run(self) {
        let ApplyQ { a, tau, m, k, n, width } = self;
        for c in (0..k).rev() {
            unsafe {
                let t = P::load(tau.add(c * P::REALS));
                apply_beside(a.corner(c, c), n - c, width - c, m - c - 1, t);
            }
        }
    }
}

/// C := C - v t (v^H C) for columns `from..until` to the right of v. v starts at the tile's corner, where other data
/// takes the place of its 1.
#[inline(always)]
unsafe fn apply_beside<P: Pack>(v: Tile<P>, from: usize, until: usize, below: usize, t: P) {
    unsafe {
        let mut j = from;
        if P::V::MANY_REGISTERS && !P::S::COMPLEX {
            while j + 8 <= until {
                apply::<P, 8, false>(v, j, below, t, 0);
                j += 8;
            }
        }
        while j + 4 <= until {
            apply::<P, 4, false>(v, j, below, t, 0);
            j += 4;
        }
        while j < until {
            apply::<P, 1, false>(v, j, below, t, 0);
            j += 1;
        }
    }
}

/// [`apply_beside`] for N columns that start `right` packs to the right of v; if `CHOOSE`, in the lanes of `lanes`
/// only.
#[inline(always)]
unsafe fn apply<P: Pack, const N: usize, const CHOOSE: bool>(v: Tile<P>, right: usize, below: usize, t: P, lanes: u32) {
    let select_lanes = |new: P, old: P| if CHOOSE { new.select(lanes, old) } else { new };
    unsafe {
        let row = v.ld * P::REALS;
        let top = v.at(0, right);
        // Even and odd rows are summed separately and the top row is added last: shorter sums have smaller rounding
        // errors and do not wait for each other.
        let mut w = [P::zero(); N];
        let mut odd = [P::zero(); N];
        let (mut x, mut c) = (v.p, top);
        for _ in 0..below / 2 {
            (x, c) = (x.add(row), c.add(row));
            let v = P::load(x);
            for (j, w) in odd.iter_mut().enumerate() {
                *w = w.add_conj_mul(v, P::load(c.add(j * P::REALS)));
            }
            (x, c) = (x.add(row), c.add(row));
            let v = P::load(x);
            for (j, w) in w.iter_mut().enumerate() {
                *w = w.add_conj_mul(v, P::load(c.add(j * P::REALS)));
            }
        }
        if below % 2 == 1 {
            (x, c) = (x.add(row), c.add(row));
            let v = P::load(x);
            for (j, w) in odd.iter_mut().enumerate() {
                *w = w.add_conj_mul(v, P::load(c.add(j * P::REALS)));
            }
        }
        for (j, w) in w.iter_mut().enumerate() {
            let p = top.add(j * P::REALS);
            let head = P::load(p);
            *w = w.add(odd[j]).add(head).mul(t);
            select_lanes(head.sub(*w), head).store(p);
        }
        let (mut x, mut c) = (v.p, top);
        for _ in 0..below {
            (x, c) = (x.add(row), c.add(row));
            let v = P::load(x);
            for (j, &w) in w.iter().enumerate() {
                let p = c.add(j * P::REALS);
                let old = P::load(p);
                select_lanes(old.sub_mul(v, w), old).store(p);
            }
        }
    }
}
