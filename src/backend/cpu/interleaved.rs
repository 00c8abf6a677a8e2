//! QR of as many small matrices as a vector has lanes, one matrix in each lane: no sums across lanes, no short vectors.
//!
//! In working memory element (i, j) of all lanes is pack `i * ld + j`: row by row, so that the columns of an update lie at
//! constant distances.
//!
//! A lane whose reflector is out of the safe range (or H = I) is given up and reported; its matrix is then factored on
//! its own. Lanes never mix, so a member's result does not depend on its neighbours.

use super::simd::{Lanes, MAX_LANES, Pack};
use crate::scalar::{Real, Scalar};

type Re<P> = <<P as Pack>::S as Scalar>::Re;
type V<P> = <P as Pack>::V;

/// The members of a group: where each lane's matrix (or tau) starts.
pub type Starts<R> = [*mut R; MAX_LANES];

/// L x L numbers, rows become columns: log2(L) perfect shuffles.
#[inline(always)]
fn transpose<V: Lanes>(x: &mut [V; MAX_LANES]) {
    let mut round = 1;
    while round < V::L {
        let mut y = *x;
        let mut i = 0;
        while i < V::L / 2 {
            (y[2 * i], y[2 * i + 1]) = V::join(x[i], x[i + V::L / 2]);
            i += 1;
        }
        *x = y;
        round *= 2;
    }
}

/// Elements `offset..offset + count` (count <= L) of each lane's memory become `count` packs, `stride` apart.
#[inline(always)]
unsafe fn gather<P: Pack>(from: &Starts<Re<P>>, offset: usize, count: usize, to: *mut Re<P>, stride: usize) {
    unsafe {
        let mut re = [V::<P>::splat(Re::<P>::default()); MAX_LANES];
        let mut im = re;
        for l in 0..P::L {
            let x = P::load_elements(from[l].add(offset * P::S::PARTS), count);
            (re[l], im[l]) = (x.re(), x.im());
        }
        transpose(&mut re);
        if P::S::COMPLEX {
            transpose(&mut im);
        }
        if count == P::L {
            for i in 0..P::L {
                P::from_parts(re[i], im[i]).store(to.add(i * stride * P::REALS));
            }
        } else {
            for i in 0..count {
                P::from_parts(re[i], im[i]).store(to.add(i * stride * P::REALS));
            }
        }
    }
}

/// The inverse of [`gather`], for the lanes in the mask.
#[inline(always)]
unsafe fn scatter<P: Pack>(
    from: *const Re<P>,
    stride: usize,
    to: &Starts<Re<P>>,
    offset: usize,
    count: usize,
    lanes: u32,
) {
    unsafe {
        let mut re = [V::<P>::splat(Re::<P>::default()); MAX_LANES];
        let mut im = re;
        for i in 0..P::L {
            if i < count {
                let x = P::load(from.add(i * stride * P::REALS));
                (re[i], im[i]) = (x.re(), x.im());
            }
        }
        transpose(&mut re);
        if P::S::COMPLEX {
            transpose(&mut im);
        }
        for l in 0..P::L {
            if lanes >> l & 1 == 1 {
                P::from_parts(re[l], im[l]).store_elements(to[l].add(offset * P::S::PARTS), count);
            }
        }
    }
}

/// Packs from one row to the next: odd, so that the rows of a column do not share cache sets.
#[inline(always)]
fn row_length(n: usize) -> usize {
    n | 1
}

/// Packs of working memory for a group of m x n matrices and their tau.
#[inline(always)]
pub fn packs(m: usize, n: usize) -> Option<usize> {
    m.checked_mul(row_length(n))?.checked_add(m.min(n))
}

/// Factors the group in `work`, which holds [`packs`] packs; lane l is only stored when bit l of `lanes` is set.
/// Returns the lanes that were given up; their matrices and tau are untouched.
#[inline(always)]
pub unsafe fn factor<P: Pack>(
    a: &Starts<Re<P>>,
    lda: usize,
    tau: &Starts<Re<P>>,
    m: usize,
    n: usize,
    lanes: u32,
    work: *mut Re<P>,
) -> u32 {
    unsafe {
        let (k, ld) = (m.min(n), row_length(n));
        let taus = work.add(m * ld * P::REALS);
        for j in 0..n {
            let mut i = 0;
            while i < m {
                gather::<P>(a, i + j * lda, P::L.min(m - i), work.add((i * ld + j) * P::REALS), ld);
                i += P::L;
            }
        }
        let mut good = lanes;
        for c in 0..k {
            good &= step::<P>(work, ld, taus.add(c * P::REALS), m, n, c);
            if good == 0 {
                return lanes;
            }
        }
        for j in 0..n {
            let mut i = 0;
            while i < m {
                scatter::<P>(work.add((i * ld + j) * P::REALS), ld, a, i + j * lda, P::L.min(m - i), good);
                i += P::L;
            }
        }
        let mut i = 0;
        while i < k {
            scatter::<P>(taus.add(i * P::REALS), 1, tau, i, P::L.min(k - i), good);
            i += P::L;
        }
        lanes & !good
    }
}

/// Reflector c of every lane, and its application to the columns on the right. Returns the lanes in safe range.
#[inline(always)]
unsafe fn step<P: Pack>(a: *mut Re<P>, ld: usize, tau: *mut Re<P>, m: usize, n: usize, c: usize) -> u32 {
    unsafe {
        let diagonal = a.add((c * ld + c) * P::REALS);
        let below = m - c - 1;
        if below == 0 && !P::S::COMPLEX {
            P::zero().store(tau);
            return u32::MAX;
        }
        let x = |i: usize| diagonal.add((i + 1) * ld * P::REALS);
        // Four sums, because one addition waits for the last.
        let mut sums = [V::<P>::splat(Re::<P>::default()); 4];
        let mut i = 0;
        while i + 4 <= below {
            sums[0] = P::load(x(i)).add_squares(sums[0]);
            sums[1] = P::load(x(i + 1)).add_squares(sums[1]);
            sums[2] = P::load(x(i + 2)).add_squares(sums[2]);
            sums[3] = P::load(x(i + 3)).add_squares(sums[3]);
            i += 4;
        }
        while i < below {
            sums[0] = P::load(x(i)).add_squares(sums[0]);
            i += 1;
        }
        let squares = sums[0].add(sums[1]).add(sums[2].add(sums[3]));
        let alpha = P::load(diagonal);
        let total = alpha.add_squares(squares);
        let (low, high) = Re::<P>::SQUARES_IN_RANGE;
        let (low, high) = (V::<P>::splat(low), V::<P>::splat(high));
        let mut good = total.within(low, high);
        // What decides between H = I and a reflector must not be lost to underflow: x, or with no x the imaginary part.
        let decides = if below > 0 { squares } else { alpha.im().mul(alpha.im()) };
        good &= decides.within(low, high);

        let zero = V::<P>::splat(Re::<P>::default());
        let one = V::<P>::splat(Re::<P>::from_f64(1.0));
        let beta = zero.sub(total.sqrt().copysign(alpha.re()));
        let head = alpha.re().sub(beta);
        let t = P::from_parts(zero.sub(head).div(beta), alpha.im().div(beta)); // conj(tau)
        let inv = if P::S::COMPLEX {
            let scale = one.div(P::from_parts(head, alpha.im()).add_squares(zero));
            P::from_parts(head.mul(scale), zero.sub(alpha.im().mul(scale)))
        } else {
            let inv = one.div(head);
            P::from_parts(inv, inv)
        };
        P::from_parts(t.re(), zero.sub(t.im())).store(tau);
        P::from_parts(beta, zero).store(diagonal);
        for i in 0..below {
            P::load(x(i)).mul(inv).store(x(i));
        }
        let mut j = c + 1;
        if P::V::MANY_REGISTERS && !P::S::COMPLEX {
            while j + 8 <= n {
                apply::<P, 8>(diagonal, j - c, ld, below, t);
                j += 8;
            }
        }
        while j + 4 <= n {
            apply::<P, 4>(diagonal, j - c, ld, below, t);
            j += 4;
        }
        while j < n {
            apply::<P, 1>(diagonal, j - c, ld, below, t);
            j += 1;
        }
        good
    }
}

/// N columns of C, `right` packs to the right of v: C := C - v t (v^H C). Rows are `ld` packs apart; where v's 1 would
/// be is R's diagonal.
#[inline(always)]
unsafe fn apply<P: Pack, const N: usize>(v: *mut Re<P>, right: usize, ld: usize, below: usize, t: P) {
    unsafe {
        let top = v.add(right * P::REALS);
        // Even and odd rows apart, and the top row last: shorter sums round less, and one need not wait for the other.
        let mut w = [P::zero(); N];
        let mut odd = [P::zero(); N];
        let (mut x, mut c) = (v, top);
        for _ in 0..below / 2 {
            (x, c) = (x.add(ld * P::REALS), c.add(ld * P::REALS));
            let v = P::load(x);
            for (j, w) in odd.iter_mut().enumerate() {
                *w = w.add_conj_mul(v, P::load(c.add(j * P::REALS)));
            }
            (x, c) = (x.add(ld * P::REALS), c.add(ld * P::REALS));
            let v = P::load(x);
            for (j, w) in w.iter_mut().enumerate() {
                *w = w.add_conj_mul(v, P::load(c.add(j * P::REALS)));
            }
        }
        if below % 2 == 1 {
            (x, c) = (x.add(ld * P::REALS), c.add(ld * P::REALS));
            let v = P::load(x);
            for (j, w) in odd.iter_mut().enumerate() {
                *w = w.add_conj_mul(v, P::load(c.add(j * P::REALS)));
            }
        }
        for (j, (w, &odd)) in w.iter_mut().zip(&odd).enumerate() {
            let p = top.add(j * P::REALS);
            let head = P::load(p);
            *w = w.add(odd).add(head).mul(t);
            head.sub(*w).store(p);
        }
        let (mut x, mut c) = (v, top);
        for _ in 0..below {
            (x, c) = (x.add(ld * P::REALS), c.add(ld * P::REALS));
            let v = P::load(x);
            for (j, &w) in w.iter().enumerate() {
                let p = c.add(j * P::REALS);
                P::load(p).sub_mul(v, w).store(p);
            }
        }
    }
}
