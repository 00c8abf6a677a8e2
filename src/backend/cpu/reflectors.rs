//! Q as a product of block reflectors: applied to packed columns, or generated in place of its vectors.

use super::blocked::{self, Block, Form, apply, form_t, pack_t};
use super::packed::{Columns, get, set};
use super::simd::{Pack, Packed};
use super::unblocked;
use super::view::{Transform, View};
use crate::routine::{Side, Trans};
use crate::scalar::Scalar;

/// Maximum number of columns in a block reflector.
const WIDEST: usize = 32;

/// Number of columns in a block reflector of order m.
pub fn width(m: usize) -> usize {
    match m {
        ..=128 => 8,
        129..=512 => 16,
        _ => WIDEST,
    }
}

/// Where the reflector vectors are stored. Their memory holds other data on and above the diagonal.
pub enum Vectors<'a, P: Pack> {
    /// In the caller's memory.
    Caller(&'a View<P::S>),
    /// Packed.
    Packed(Columns<P>),
}

/// Copies vectors c0..c0+kb into the block, with their 1 and the zeros above it.
#[inline(always)]
pub unsafe fn load_vectors<P: Pack>(b: &Block<P>, from: &Vectors<P>, m: usize, c0: usize, kb: usize) {
    let (first, packs) = (c0 / P::L, m.div_ceil(P::L));
    unsafe {
        for j in 0..kb {
            let (to, c) = (b.v.column(j), c0 + j);
            let (top, lane) = (c / P::L, c % P::L);
            match from {
                Vectors::Caller(a) => super::batch::pack::<P>(a.column(c), to, m),
                Vectors::Packed(a) => {
                    for r in top..packs {
                        P::load(a.pack(r, c)).store(to.add(r * P::REALS));
                    }
                }
            }
            for r in first..top {
                P::zero().store(to.add(r * P::REALS));
            }
            let head = to.add(top * P::REALS);
            P::load(head).zero_below(lane).replace(lane, P::S::one()).store(head);
        }
    }
}

/// Prepares the block reflector of vectors c0..c0+kb: vectors and T.
#[inline(always)]
unsafe fn load_block<P: Pack>(
    b: &Block<P>,
    from: &Vectors<P>,
    tau: &View<P::S>,
    m: usize,
    c0: usize,
    kb: usize,
    form: Form,
) {
    let mut taus = [P::S::zero(); WIDEST];
    unsafe {
        load_vectors(b, from, m, c0, kb);
        for (j, t) in taus.iter_mut().enumerate().take(kb) {
            *t = tau.get(c0 + j, 0);
        }
        form_t(b, b.v, taus.as_ptr(), kb, c0 / P::L, m.div_ceil(P::L));
        pack_t(b, kb, form);
    }
}

/// C := op(Q) C for n packed columns of m rows, Q = H(1) ... H(k) (LAPACK `?ormqr`, Left).
#[inline(always)]
pub unsafe fn apply_q<P: Pack>(
    b: &Block<P>,
    v: &Vectors<P>,
    tau: &View<P::S>,
    k: usize,
    form: Form,
    c: Columns<P>,
    m: usize,
    n: usize,
) where
    P::S: Packed,
{
    let nb = width(m);
    let blocks = k.div_ceil(nb);
    for i in 0..blocks {
        // Q^H C starts with the first reflector, Q C with the last one.
        let c0 = nb * if form == Form::Adjoint { i } else { blocks - 1 - i };
        let kb = nb.min(k - c0);
        unsafe {
            load_block(b, v, tau, m, c0, kb, form);
            apply(b, b.v, c, (0, n), kb, c0 / P::L, m.div_ceil(P::L));
        }
    }
}

/// Generates the first n columns of Q = H(1) ... H(k), k <= n <= m, in place of its vectors (LAPACK `?orgqr`).
#[inline(always)]
pub unsafe fn generate<P: Pack>(b: &Block<P>, a: Columns<P>, tau: &View<P::S>, m: usize, n: usize, k: usize)
where
    P::S: Packed,
{
    let (nb, packs) = (width(m), m.div_ceil(P::L));
    let unit = |j: usize| unsafe {
        for r in 0..packs {
            P::zero().store(a.pack(r, j));
        }
        set::<P>(a.column(j), j, P::S::one());
    };
    (k..n).for_each(unit);
    for c0 in (0..k).step_by(nb).rev() {
        let kb = nb.min(k - c0);
        unsafe { load_block(b, &Vectors::Packed(a), tau, m, c0, kb, Form::Plain) };
        (c0..c0 + kb).for_each(unit);
        unsafe { apply(b, b.v, a, (c0, n), kb, c0 / P::L, packs) };
    }
}

/// Factors packed A, m x n (LAPACK `?geqrf`); tau has min(m, n) elements.
#[inline(always)]
pub unsafe fn factor<P: Pack>(b: &Block<P>, a: Columns<P>, m: usize, n: usize, tau: *mut P::S)
where
    P::S: Packed,
{
    let k = m.min(n);
    unsafe {
        if k > 16 && m * n > 4096 {
            blocked::blocked(a, m, n, width(m), 8, b, tau);
        } else {
            unblocked::panel(a, m, 0, k, n, Columns { p: b.v.p, ld: 0 }, 0, tau);
        }
    }
}

/// How to pack C, and whether to apply Q or Q^H from the left then, for a given side and op.
///
/// C Q = (Q^H C^H)^H, and Q^T C = conj(Q^H conj(C)).
pub fn route(side: Side, trans: Trans) -> (Transform, Form) {
    let transform = |transposed, conjugated| Transform { transposed, conjugated };
    match (side, trans) {
        (Side::Left, Trans::N) => (transform(false, false), Form::Plain),
        (Side::Left, Trans::C) => (transform(false, false), Form::Adjoint),
        (Side::Left, Trans::T) => (transform(false, true), Form::Adjoint),
        (Side::Right, Trans::N) => (transform(true, true), Form::Adjoint),
        (Side::Right, Trans::C) => (transform(true, true), Form::Plain),
        (Side::Right, Trans::T) => (transform(true, false), Form::Plain),
    }
}

/// Element (i, j) of a packed matrix.
#[inline(always)]
pub unsafe fn at<P: Pack>(a: Columns<P>, i: usize, j: usize) -> P::S {
    unsafe { get::<P>(a.column(j), i) }
}
