//! QR of one packed matrix by panels and block reflectors I - V T V^H (compact WY).

use super::lu::TERMS;
use super::packed::{Columns, Re, get, set};
use super::scratch::Arena;
use super::simd::{Lanes, OutOfLine, Pack, Packed};
use super::team::Team;
use super::unblocked::{panel, sums};
use crate::scalar::Scalar;

/// w(i, j) = conj(v_i) . c_j for MI x NJ pairs of columns, over packs `first..packs`.
///
/// Here and below, loops use indices because iterators over vectors are separate functions, compiled without the
/// instruction set.
#[allow(clippy::needless_range_loop)]
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
            for j in 0..NJ {
                b[j] = P::load(c.pack(r, j));
            }
            for i in 0..MI {
                let a = P::load(v.pack(r, i));
                for j in 0..NJ {
                    w[i][j] = w[i][j].add_conj_mul(a, b[j]);
                }
            }
        }
        for (i, w) in w.iter().enumerate() {
            for (j, &w) in sums(w, P::S::one()).iter().enumerate() {
                out(i, j, w);
            }
        }
    }
}

/// C -= V W for NJ columns of C and R packs of rows from pack r on. W is k x NJ and packed. Sums are split as in the
/// updates of [`super::lu`].
#[allow(clippy::needless_range_loop)]
#[inline(always)]
unsafe fn subtract_tile<P: Pack, const R: usize, const NJ: usize>(
    c: Columns<P>,
    v: Columns<P>,
    w: Columns<P>,
    k: usize,
    r: usize,
) {
    unsafe {
        for done in (0..k).step_by(TERMS) {
            let mut sums = [[P::zero(); NJ]; R];
            for l in done..k.min(done + TERMS) {
                let mut a = [P::zero(); R];
                for i in 0..R {
                    a[i] = P::load(v.pack(r + i, l));
                }
                for j in 0..NJ {
                    let b = P::splat(get::<P>(w.column(j), l));
                    for i in 0..R {
                        sums[i][j] = sums[i][j].add_mul(a[i], b);
                    }
                }
            }
            for i in 0..R {
                for j in 0..NJ {
                    P::load(c.pack(r + i, j)).sub(sums[i][j]).store(c.pack(r + i, j));
                }
            }
        }
    }
}

/// C -= V W for NJ columns of C, packs `first..packs`.
#[inline(always)]
pub unsafe fn subtract<P: Pack, const R: usize, const NJ: usize>(
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

/// Workspace for a block reflector I - V T V^H of up to `nb` columns.
pub struct Block<P: Pack> {
    /// The reflector vectors as whole columns, with their 1 and the zeros above it.
    pub v: Columns<P>,
    /// -op(T), packed, with nb rows.
    pub t: Columns<P>,
    /// V^H C for a group of columns, packed, with nb rows.
    pub w: Columns<P>,
    /// op(T) (V^H C), packed, with nb rows.
    pub y: Columns<P>,
    /// T in column-major order, nb x nb.
    pub t_plain: *mut P::S,
    /// The threads that apply the block reflector.
    pub team: Team,
}

/// Offsets of the parts of a [`Block`] in a buffer.
#[derive(Default)]
pub struct BlockLayout {
    ld: usize,
    ld_small: usize,
    v: usize,
    t: usize,
    w: usize,
    y: usize,
    t_plain: usize,
}

impl BlockLayout {
    /// Space for nb vectors with leading dimension `ld`. `None` if the size overflows.
    #[inline(always)]
    pub fn new<P: Pack>(arena: &mut Arena<Re<P>>, ld: usize, nb: usize) -> Option<BlockLayout> {
        let ld_small = nb.div_ceil(P::L) * P::REALS;
        Some(BlockLayout {
            ld,
            ld_small,
            v: arena.part(ld.checked_mul(nb)?)?,
            t: arena.part(ld_small.checked_mul(nb)?)?,
            w: arena.part(ld_small * GROUP)?,
            y: arena.part(ld_small * GROUP)?,
            t_plain: arena.part(nb * nb * P::S::PARTS)?,
        })
    }
    /// The block in a buffer.
    #[inline(always)]
    pub unsafe fn at<P: Pack>(&self, buffer: *mut Re<P>, team: Team) -> Block<P> {
        let small = |start: usize| Columns { p: buffer.wrapping_add(start), ld: self.ld_small };
        Block {
            v: Columns { p: buffer.wrapping_add(self.v), ld: self.ld },
            t: small(self.t),
            w: small(self.w),
            y: small(self.y),
            t_plain: buffer.wrapping_add(self.t_plain).cast(),
            team,
        }
    }
}

/// Whether a block reflector H = I - V T V^H is applied, or its adjoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// H
    Plain,
    /// H^H
    Adjoint,
}

/// Columns of C that a block reflector is applied to at a time.
pub const GROUP: usize = 4;

/// Forms T of the first k reflectors (LAPACK `?larft`, forward, columnwise) in `t_plain` as a k x k matrix. What is
/// below the diagonal is unspecified.
#[inline(always)]
pub unsafe fn form_t<P: Pack>(b: &Block<P>, v: Columns<P>, tau: *const P::S, k: usize, first: usize, packs: usize) {
    unsafe { P::V::call_out_of_line(FormT::<P> { t_plain: b.t_plain, v, tau, k, first, packs }) }
}

/// The body of [`form_t`], compiled once for all routines.
struct FormT<P: Pack> {
    t_plain: *mut P::S,
    v: Columns<P>,
    tau: *const P::S,
    k: usize,
    first: usize,
    packs: usize,
}

impl<P: Pack> OutOfLine for FormT<P> {
    #[inline(always)]
    unsafe fn run(self) {
        let FormT { t_plain, v, tau, k, first, packs } = self;
        unsafe {
            let t = |i: usize, j: usize| t_plain.add(i + j * k);
            // The Gram matrix of V is stored where T will be: its column j is used up exactly when T's column j is
            // computed.
            let mut j = 0;
            while j < k {
                let wide = j + 2 <= k;
                let mut i = 0;
                while i < j + 1 {
                    // The tile may reach below the diagonal; those entries are never read.
                    let vi = v.starting_at(i);
                    let vj = v.starting_at(j);
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
            larft(t_plain, k, k, |j| *tau.add(j));
        }
    }
}

/// Packs -T or -T^H, from the upper triangle of `t_plain`, k x k.
#[inline(always)]
pub unsafe fn pack_t<P: Pack>(b: &Block<P>, k: usize, form: Form) {
    unsafe {
        for i in 0..k {
            let column = b.t.column(i);
            for r in 0..k.div_ceil(P::L) {
                P::zero().store(column.add(r * P::REALS));
            }
            match form {
                Form::Plain => (0..=i).for_each(|j| set::<P>(column, j, -*b.t_plain.add(j + i * k))),
                Form::Adjoint => (i..k).for_each(|j| set::<P>(column, j, -(*b.t_plain.add(i + j * k)).conj())),
            }
        }
    }
}

/// C := op(I - V T V^H) C for columns `from..until` of C, with op(T) as prepared by [`pack_t`]; executed by the block's
/// team.
#[inline(always)]
pub unsafe fn apply<P: Pack>(
    b: &Block<P>,
    v: Columns<P>,
    c: Columns<P>,
    (from, until): (usize, usize),
    k: usize,
    first: usize,
    packs: usize,
) where
    P::S: Packed,
{
    unsafe { b.team.apply(b, v, c, (from, until), k, (first, packs)) }
}

/// [`apply`] on the calling thread. `small` has space for V^H C and op(T) (V^H C) of a group of columns.
#[inline(always)]
pub unsafe fn apply_columns<P: Pack>(
    v: Columns<P>,
    t: Columns<P>,
    small: (Columns<P>, Columns<P>),
    c: Columns<P>,
    (from, until): (usize, usize),
    k: usize,
    first: usize,
    packs: usize,
) {
    unsafe {
        let mut j = from;
        while j + GROUP <= until {
            apply_block::<P, GROUP>(v, t, small, c.starting_at(j), k, first, packs);
            j += GROUP;
        }
        while j < until {
            apply_block::<P, 1>(v, t, small, c.starting_at(j), k, first, packs);
            j += 1;
        }
    }
}

/// Turns the strictly upper part of V^H V into T, column by column: T(0..j, j) = -tau_j T(0..j, 0..j) (V^H v_j).
///
/// A reflector with tau = 0 is the identity and gives a zero column, whatever its vector contains.
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
            // Multiplies by the upper triangle in place, column by column: element l is overwritten in the step that
            // uses it.
            for l in 0..j {
                let (from, x) = (t.add(l * ldt), -tau * *column.add(l));
                for i in 0..l {
                    *column.add(i) += *from.add(i) * x;
                }
                *column.add(l) = *from.add(l) * x;
            }
            *column.add(j) = tau;
        }
    }
}

/// C := op(I - V T V^H) C for N columns of C.
#[inline(always)]
unsafe fn apply_block<P: Pack, const N: usize>(
    v: Columns<P>,
    t: Columns<P>,
    (w, y): (Columns<P>, Columns<P>),
    c: Columns<P>,
    k: usize,
    first: usize,
    packs: usize,
) {
    unsafe {
        let mut i = 0;
        if P::V::MANY_REGISTERS && !P::S::COMPLEX {
            while i + 4 <= k {
                dots::<P, 4, N>(v.starting_at(i), c, first, packs, |p, q, x| set::<P>(w.column(q), i + p, x));
                i += 4;
            }
        }
        while i + 2 <= k {
            dots::<P, 2, N>(v.starting_at(i), c, first, packs, |p, q, x| set::<P>(w.column(q), i + p, x));
            i += 2;
        }
        if i < k {
            dots::<P, 1, N>(v.starting_at(i), c, first, packs, |p, q, x| set::<P>(w.column(q), i + p, x));
        }
        let rows = k.div_ceil(P::L);
        for j in 0..N {
            for r in 0..rows {
                P::zero().store(y.pack(r, j));
            }
        }
        subtract::<P, 2, N>(y, t, w, k, 0, rows);
        if P::V::MANY_REGISTERS && !P::S::COMPLEX {
            subtract::<P, 4, N>(c, v, y, k, first, packs);
        } else {
            subtract::<P, 2, N>(c, v, y, k, first, packs);
        }
    }
}

/// The blocked algorithm: panels of `nb` columns, each consisting of narrower ones of `inner` columns. The block
/// reflector of a narrow panel is applied to the rest of its panel, that of a panel to the columns up to n.
#[inline(always)]
pub unsafe fn blocked<P: Pack>(a: Columns<P>, m: usize, n: usize, nb: usize, inner: usize, b: &Block<P>, tau: *mut P::S)
where
    P::S: Packed,
{
    unsafe {
        let (k, packs) = (m.min(n), m.div_ceil(P::L));
        let mut c0 = 0;
        while c0 < k {
            let (kb, first) = (nb.min(k - c0), c0 / P::L);
            let mut i = 0;
            while i < kb {
                let ib = inner.min(kb - i);
                let (c, end) = (c0 + i, c0 + i + ib);
                panel(a, m, c, ib, end, b.v.starting_at(i), first, tau);
                // For each block reflector: its first column in the panel, and the range of columns it is applied to.
                let within = (i, end, c0 + kb);
                let beyond = (0, c0 + kb, n);
                for (v0, from, until) in if i + ib < kb { [within, (0, n, n)] } else { [within, beyond] } {
                    if from == until {
                        continue;
                    }
                    let (v, k) = (b.v.starting_at(v0), end - c0 - v0);
                    form_t(b, v, tau.add(c0 + v0), k, first, packs);
                    pack_t(b, k, Form::Adjoint);
                    apply(b, v, a, (from, until), k, first, packs);
                }
                i += ib;
            }
            c0 += kb;
        }
    }
}
