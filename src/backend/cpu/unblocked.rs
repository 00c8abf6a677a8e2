//! QR of one packed matrix, or of one panel of it, column by column.
//!
//! Reflector vectors are stored apart from the matrix, with their zeros and their 1, so that the loops below need no
//! special first row.

use super::householder::{self, Reflector};
use super::packed::{Columns, Re, get, set};
use super::simd::{Lanes, MAX_LANES, OutOfLine, Pack};
use crate::scalar::Scalar;

/// Turns column `c` of `a` into R's column and the vector v, and also writes v to `v`, from pack `first` on. Returns
/// tau.
#[inline(always)]
unsafe fn reflect<P: Pack>(a: *mut Re<P>, c: usize, m: usize, v: *mut Re<P>, first: usize) -> P::S {
    unsafe {
        let (top, lane, packs) = (c / P::L, c % P::L, m.div_ceil(P::L));
        let mut squares =
            P::load(a.add(top * P::REALS)).zero_below(lane + 1).add_squares(P::V::splat(Re::<P>::default()));
        for i in top + 1..packs {
            squares = P::load(a.add(i * P::REALS)).add_squares(squares);
        }
        let h = householder::reflector_in_range(get::<P>(a, c), squares.sum())
            .or_else(|| householder::reflector_scaled::<P>(a, c, m));
        for i in first..top {
            P::zero().store(v.add(i * P::REALS));
        }
        let Some(Reflector { beta, tau, inv }) = h else {
            for i in top..packs {
                P::zero().store(v.add(i * P::REALS));
            }
            set::<P>(v, c, P::S::one());
            return P::S::zero();
        };
        let inv = P::splat(inv);
        let head = P::load(a.add(top * P::REALS));
        let x = head.mul(inv);
        x.zero_below(lane).replace(lane, P::S::one()).store(v.add(top * P::REALS));
        x.replace(lane, P::S::real(beta)).blend_low(lane, head).store(a.add(top * P::REALS));
        for i in top + 1..packs {
            let x = P::load(a.add(i * P::REALS)).mul(inv);
            x.store(v.add(i * P::REALS));
            x.store(a.add(i * P::REALS));
        }
        tau
    }
}

/// The sums of N vectors. Pairs of vectors are reduced by adding their even and odd lanes, until one vector holds all
/// sums in its first lanes.
#[inline(always)]
fn sum_lanes<V: Lanes, const N: usize>(mut x: [V; N]) -> V {
    let mut n = N;
    while n > 1 {
        let mut i = 0;
        while i < n / 2 {
            let (even, odd) = V::split(x[2 * i], x[2 * i + 1]);
            x[i] = even.add(odd);
            i += 1;
        }
        n /= 2;
    }
    let mut sum = x[0];
    let mut done = N;
    while done < V::L {
        let (even, odd) = V::split(sum, sum);
        sum = even.add(odd);
        done *= 2;
    }
    sum
}

/// The sums of N packs, times a factor. N must be a power of two.
#[inline(always)]
pub fn sums<P: Pack, const N: usize>(x: &[P; N], factor: P::S) -> [P::S; N] {
    let mut sums = [P::S::zero(); N];
    if N > P::L {
        for (i, x) in x.iter().enumerate() {
            sums[i] = factor * x.sum();
        }
        return sums;
    }
    let mut re = [P::V::splat(Re::<P>::default()); N];
    let mut im = re;
    for (i, x) in x.iter().enumerate() {
        (re[i], im[i]) = (x.re(), x.im());
    }
    let re = sum_lanes(re);
    let im = if P::S::COMPLEX { sum_lanes(im) } else { re };
    let mut lanes = [Re::<P>::default(); 2 * MAX_LANES];
    // SAFETY: a pack has at most 2 MAX_LANES numbers.
    unsafe {
        P::from_parts(re, im).mul(P::splat(factor)).store(lanes.as_mut_ptr());
        for (i, s) in sums.iter_mut().enumerate() {
            *s = get::<P>(lanes.as_ptr(), i);
        }
    }
    sums
}

/// A := (I - tau' v v^H) A for N columns of `a` from column j on, in packs `first..packs`.
#[inline(always)]
unsafe fn apply_one<P: Pack, const N: usize>(
    a: Columns<P>,
    j: usize,
    v: *const Re<P>,
    tau: P::S,
    first: usize,
    packs: usize,
) {
    unsafe {
        let mut w = [P::zero(); N];
        for i in first..packs {
            let v = P::load(v.add(i * P::REALS));
            for (n, w) in w.iter_mut().enumerate() {
                *w = w.add_conj_mul(v, P::load(a.pack(i, j + n)));
            }
        }
        let sums = sums(&w, tau);
        // Plain loops over the arrays here and below: `map`, `zip` and the like are functions that need not be inlined,
        // and outside the entry point their vector instructions become calls.
        for (i, w) in w.iter_mut().enumerate() {
            *w = P::splat(sums[i]);
        }
        for i in first..packs {
            let v = P::load(v.add(i * P::REALS));
            for (n, &w) in w.iter().enumerate() {
                let p = a.pack(i, j + n);
                P::load(p).sub_mul(v, w).store(p);
            }
        }
    }
}

/// Factors columns `c0..c0+kb` of `a` one by one and applies each reflector to the columns up to `until`.
///
/// Reflector c0+j is stored in column j of `v` from pack `first` on. If `v.ld` is 0, each one overwrites the previous
/// one.
#[inline(always)]
pub unsafe fn panel<P: Pack>(
    a: Columns<P>,
    m: usize,
    c0: usize,
    kb: usize,
    until: usize,
    v: Columns<P>,
    first: usize,
    tau: *mut P::S,
) {
    unsafe { P::V::call_out_of_line(Panel::<P> { a, m, c0, kb, until, v, first, tau }) }
}

/// The body of [`panel`], compiled once for all routines.
struct Panel<P: Pack> {
    a: Columns<P>,
    m: usize,
    c0: usize,
    kb: usize,
    until: usize,
    v: Columns<P>,
    first: usize,
    tau: *mut P::S,
}

impl<P: Pack> OutOfLine for Panel<P> {
    #[inline(always)]
    unsafe fn run(self) {
        let Panel { a, m, c0, kb, until, v, first, tau } = self;
        unsafe {
            let packs = m.div_ceil(P::L);
            for c in c0..c0 + kb {
                let vc = v.column(c - c0);
                let t = reflect::<P>(a.column(c), c, m, vc, first);
                *tau.add(c) = t;
                if t == P::S::zero() {
                    continue;
                }
                let (t, first) = (t.conj(), c / P::L);
                let mut j = c + 1;
                if P::V::MANY_REGISTERS && !P::S::COMPLEX {
                    while j + 8 <= until {
                        apply_one::<P, 8>(a, j, vc, t, first, packs);
                        j += 8;
                    }
                }
                while j + 4 <= until {
                    apply_one::<P, 4>(a, j, vc, t, first, packs);
                    j += 4;
                }
                while j < until {
                    apply_one::<P, 1>(a, j, vc, t, first, packs);
                    j += 1;
                }
            }
        }
    }
}
