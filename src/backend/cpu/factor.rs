//! QR of one packed matrix: the unblocked panel, and the blocked algorithm (compact WY) on top of it.
//!
//! Packed: column j starts at `j * ld` real numbers and is a row of [`Pack`]s, rows m.. of the last one are zero.
//! Reflector vectors are kept apart from the matrix, with their zeros and their 1 in place, so that no loop below has
//! a special first or last row.

use super::householder::{self, Reflector, get, set};
use super::simd::{Lanes, Pack};
use crate::scalar::Scalar;

type Re<P> = <<P as Pack>::S as Scalar>::Re;

/// A packed matrix: rows are counted in packs.
pub struct Columns<P: Pack> {
    /// First number of column 0.
    pub p: *mut Re<P>,
    /// Real numbers from one column to the next.
    pub ld: usize,
}

impl<P: Pack> Clone for Columns<P> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<P: Pack> Copy for Columns<P> {}

impl<P: Pack> Columns<P> {
    #[inline(always)]
    unsafe fn column(self, j: usize) -> *mut Re<P> {
        unsafe { self.p.add(j * self.ld) }
    }
    #[inline(always)]
    unsafe fn pack(self, chunk: usize, j: usize) -> *mut Re<P> {
        unsafe { self.p.add(j * self.ld + chunk * P::REALS) }
    }
    /// Column j becomes the first.
    #[inline(always)]
    unsafe fn starting_at(self, j: usize) -> Self {
        Columns { p: unsafe { self.column(j) }, ld: self.ld }
    }
}

/// Turns column `c` of `a` into R's column and the vector v, which it also writes to `v` from pack `first` on.
/// Returns tau.
#[inline(always)]
unsafe fn reflect<P: Pack>(a: *mut Re<P>, c: usize, m: usize, v: *mut Re<P>, first: usize) -> P::S {
    unsafe {
        let (top, lane, packs) = (c / P::L, c % P::L, m.div_ceil(P::L));
        let mut squares =
            P::load(a.add(top * P::REALS)).zero_below(lane + 1).add_squares(P::V::splat(Re::<P>::default()));
        for i in top + 1..packs {
            squares = P::load(a.add(i * P::REALS)).add_squares(squares);
        }
        let h = householder::in_range(get::<P>(a, c), squares.sum()).or_else(|| householder::careful::<P>(a, c, m));
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
        x.replace(lane, P::S::real(beta)).below_from(lane, head).store(a.add(top * P::REALS));
        for i in top + 1..packs {
            let x = P::load(a.add(i * P::REALS)).mul(inv);
            x.store(v.add(i * P::REALS));
            x.store(a.add(i * P::REALS));
        }
        tau
    }
}

/// N columns of `a` from column j on: A := (I - tau' v v^H) A in packs `first..packs`.
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
        // Plain loops over the arrays here and below: `map` and its like are not always inlined, and outside the entry
        // point their vector instructions become calls.
        for w in &mut w {
            *w = P::splat(tau * w.sum());
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

/// Factors columns `c0..c0+kb` of `a`, unblocked, and applies each reflector to the columns up to `until`.
///
/// Reflector c0+j goes to column j of `v` (all to the same place when `v.ld` is 0), from pack `c0 / L` on.
#[inline(always)]
pub unsafe fn panel<P: Pack>(
    a: Columns<P>,
    m: usize,
    c0: usize,
    kb: usize,
    until: usize,
    v: Columns<P>,
    tau: *mut P::S,
) {
    unsafe {
        let packs = m.div_ceil(P::L);
        for c in c0..c0 + kb {
            let vc = v.column(c - c0);
            let t = reflect::<P>(a.column(c), c, m, vc, c0 / P::L);
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

/// w(i, j) = conj(v_i) . c_j for MI x NJ columns, packs `first..packs`.
#[inline(always)]
unsafe fn dots<P: Pack, const MI: usize, const NJ: usize>(
    v: Columns<P>,
    c: Columns<P>,
    first: usize,
    packs: usize,
    mut out: impl FnMut(usize, usize, P::S),
) {
    unsafe {
        let mut w = [[P::zero(); NJ]; MI];
        for r in first..packs {
            let mut b = [P::zero(); NJ];
            for (j, b) in b.iter_mut().enumerate() {
                *b = P::load(c.pack(r, j));
            }
            for (i, w) in w.iter_mut().enumerate() {
                let a = P::load(v.pack(r, i));
                for (w, &b) in w.iter_mut().zip(&b) {
                    *w = w.add_conj_mul(a, b);
                }
            }
        }
        for (i, w) in w.iter().enumerate() {
            for (j, w) in w.iter().enumerate() {
                out(i, j, w.sum());
            }
        }
    }
}

/// C -= V W for NJ columns of C and R packs of rows from pack r on; W is k x NJ, packed.
#[inline(always)]
unsafe fn subtract_tile<P: Pack, const R: usize, const NJ: usize>(
    c: Columns<P>,
    v: Columns<P>,
    w: Columns<P>,
    k: usize,
    r: usize,
) {
    unsafe {
        let mut acc = [[P::zero(); NJ]; R];
        for (i, acc) in acc.iter_mut().enumerate() {
            for (j, acc) in acc.iter_mut().enumerate() {
                *acc = P::load(c.pack(r + i, j));
            }
        }
        for l in 0..k {
            let mut b = [P::zero(); NJ];
            for (j, b) in b.iter_mut().enumerate() {
                *b = P::splat(get::<P>(w.column(j), l));
            }
            for (i, acc) in acc.iter_mut().enumerate() {
                let a = P::load(v.pack(r + i, l));
                for (acc, &b) in acc.iter_mut().zip(&b) {
                    *acc = acc.sub_mul(a, b);
                }
            }
        }
        for (i, acc) in acc.iter().enumerate() {
            for (j, acc) in acc.iter().enumerate() {
                acc.store(c.pack(r + i, j));
            }
        }
    }
}

/// C -= V W for NJ columns of C, packs `first..packs`.
#[inline(always)]
unsafe fn subtract<P: Pack, const R: usize, const NJ: usize>(
    c: Columns<P>,
    v: Columns<P>,
    w: Columns<P>,
    k: usize,
    first: usize,
    packs: usize,
) {
    unsafe {
        let mut r = first;
        while r + R <= packs {
            subtract_tile::<P, R, NJ>(c, v, w, k, r);
            r += R;
        }
        while r < packs {
            subtract_tile::<P, 1, NJ>(c, v, w, k, r);
            r += 1;
        }
    }
}

/// Storage for one block reflector I - V T V^H of up to `nb` columns.
pub struct Block<P: Pack> {
    /// The vectors, whole columns, zero above their 1.
    pub v: Columns<P>,
    /// -T^H: packed, nb rows.
    pub t: Columns<P>,
    /// V^H C of a few columns: packed, nb rows.
    pub w: Columns<P>,
    /// -(-T^H)(V^H C): packed, nb rows.
    pub y: Columns<P>,
    /// T in plain column order, nb x nb.
    pub t_plain: *mut P::S,
}

/// Columns of C that a block reflector takes at a time: more of them wherever there are registers for more.
pub const GROUP: usize = 4;

/// T of the block's first k reflectors (LAPACK `?larft`, forward, columnwise), and -T^H packed.
#[inline(always)]
unsafe fn form_t<P: Pack>(b: &Block<P>, tau: *const P::S, k: usize, first: usize, packs: usize) {
    unsafe {
        let t = |i: usize, j: usize| b.t_plain.add(i + j * k);
        // The Gram matrix of V goes where T will be: column j is consumed just when T's column j is made.
        let mut j = 0;
        while j < k {
            let wide = j + 2 <= k;
            let mut i = 0;
            while i < j + 1 {
                // The tile may reach below the diagonal; those entries are never read.
                let vi = b.v.starting_at(i);
                let vj = b.v.starting_at(j);
                match (wide, i + 2 <= k) {
                    (true, true) => dots::<P, 2, 2>(vi, vj, first, packs, |p, q, x| *t(i + p, j + q) = x),
                    (true, false) => dots::<P, 1, 2>(vi, vj, first, packs, |p, q, x| *t(i + p, j + q) = x),
                    (false, true) => dots::<P, 2, 1>(vi, vj, first, packs, |p, q, x| *t(i + p, j + q) = x),
                    (false, false) => dots::<P, 1, 1>(vi, vj, first, packs, |p, q, x| *t(i + p, j + q) = x),
                }
                i += 2;
            }
            j += 2;
        }
        larft(b.t_plain, k, k, |j| *tau.add(j));
        let minus = -P::S::one();
        for i in 0..k {
            let column = b.t.column(i);
            for r in 0..k.div_ceil(P::L) {
                P::zero().store(column.add(r * P::REALS));
            }
            for j in i..k {
                set::<P>(column, j, minus * (*t(i, j)).conj());
            }
        }
    }
}

/// Turns the strictly upper part of V^H V into T, column by column: T(0..j, j) = -tau_j T(0..j, 0..j) (V^H v_j).
///
/// A reflector with tau = 0 is the identity and gives a zero column, whatever its vector holds.
#[inline(always)]
pub unsafe fn larft<T: Scalar>(t: *mut T, ldt: usize, k: usize, tau: impl Fn(usize) -> T) {
    unsafe {
        for j in 0..k {
            let column = t.add(j * ldt);
            let tau = tau(j);
            if tau == T::zero() {
                for i in 0..=j {
                    *column.add(i) = T::zero();
                }
                continue;
            }
            // Upper triangular times vector, in place: row i needs the rows from i on only.
            for i in 0..j {
                let mut sum = T::zero();
                for l in i..j {
                    sum += *t.add(i + l * ldt) * *column.add(l);
                }
                *column.add(i) = -tau * sum;
            }
            *column.add(j) = tau;
        }
    }
}

/// C := (I - V T V^H)^H C for N columns of C.
#[inline(always)]
unsafe fn apply_block<P: Pack, const N: usize>(b: &Block<P>, c: Columns<P>, k: usize, first: usize, packs: usize) {
    unsafe {
        let mut i = 0;
        if P::V::MANY_REGISTERS && !P::S::COMPLEX {
            while i + 4 <= k {
                dots::<P, 4, N>(b.v.starting_at(i), c, first, packs, |p, q, x| set::<P>(b.w.column(q), i + p, x));
                i += 4;
            }
        }
        while i + 2 <= k {
            dots::<P, 2, N>(b.v.starting_at(i), c, first, packs, |p, q, x| set::<P>(b.w.column(q), i + p, x));
            i += 2;
        }
        if i < k {
            dots::<P, 1, N>(b.v.starting_at(i), c, first, packs, |p, q, x| set::<P>(b.w.column(q), i + p, x));
        }
        let rows = k.div_ceil(P::L);
        for j in 0..N {
            for r in 0..rows {
                P::zero().store(b.y.pack(r, j));
            }
        }
        subtract::<P, 2, N>(b.y, b.t, b.w, k, 0, rows);
        if P::V::MANY_REGISTERS && !P::S::COMPLEX {
            subtract::<P, 4, N>(c, b.v, b.y, k, first, packs);
        } else {
            subtract::<P, 2, N>(c, b.v, b.y, k, first, packs);
        }
    }
}

/// The blocked algorithm: panels of `nb` columns, then I - V T V^H on everything to their right.
#[inline(always)]
pub unsafe fn blocked<P: Pack>(a: Columns<P>, m: usize, n: usize, nb: usize, b: &Block<P>, tau: *mut P::S) {
    unsafe {
        let (k, packs) = (m.min(n), m.div_ceil(P::L));
        let mut c0 = 0;
        while c0 < k {
            let kb = nb.min(k - c0);
            panel(a, m, c0, kb, c0 + kb, b.v, tau);
            let mut j = c0 + kb;
            if j < n {
                let first = c0 / P::L;
                form_t(b, tau.add(c0), kb, first, packs);
                while j + GROUP <= n {
                    apply_block::<P, GROUP>(b, a.starting_at(j), kb, first, packs);
                    j += GROUP;
                }
                while j < n {
                    apply_block::<P, 1>(b, a.starting_at(j), kb, first, packs);
                    j += 1;
                }
            }
            c0 += kb;
        }
    }
}
