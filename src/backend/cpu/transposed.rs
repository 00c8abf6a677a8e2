//! Packing the transpose of a caller's matrix and the way back, in square tiles that are transposed in registers. Both
//! read or write the caller's columns along their length: rows at a distance of a power of two would compete for the
//! same cache sets.

use super::interleaved::transpose;
use super::packed::{Columns, Re};
use super::simd::{Lanes, MAX_LANES, OutOfLine, Pack};
use super::view::View;
use crate::scalar::{Real, Scalar};
use std::ops::Range;

/// A caller's matrix, and the packed form of its transpose with m rows and n columns.
pub struct Transposed<P: Pack> {
    pub caller: (*mut Re<P>, usize),
    pub packed: Columns<P>,
    pub m: usize,
    pub n: usize,
    pub conjugated: bool,
    /// The packed rows that are copied, from the start of a pack on.
    pub rows: Range<usize>,
    /// Whether only tiles below the diagonal ones of the packed form are copied.
    pub below_diagonal: bool,
}

/// Copies to the packed form. The rows that follow the last one in its pack become 0.
pub struct Load<P: Pack>(pub Transposed<P>);

/// Copies from the packed form.
pub struct Store<P: Pack>(pub Transposed<P>);

impl<P: Pack> Transposed<P> {
    /// Column i of the caller's matrix from row j on.
    #[inline(always)]
    unsafe fn at(&self, i: usize, j: usize) -> *mut Re<P> {
        let (p, ld) = self.caller;
        unsafe { View::<P::S> { p, ld }.column(i).add(j * P::S::PARTS) }
    }
    /// The packed columns of which a pack is copied that starts with row i.
    #[inline(always)]
    fn columns(&self, i: usize) -> usize {
        if self.below_diagonal { self.n.min(i) } else { self.n }
    }
    /// Conjugates, keeping the magnitude of a zero.
    #[inline(always)]
    fn image(&self, x: P) -> P {
        let minus = P::V::splat(Re::<P>::from_f64(-1.0));
        if P::S::COMPLEX && self.conjugated { P::from_parts(x.re(), x.im().mul(minus)) } else { x }
    }
}

/// Transposes a tile.
#[inline(always)]
fn transpose_parts<P: Pack>(re: &mut [P::V; MAX_LANES], im: &mut [P::V; MAX_LANES]) {
    transpose(re);
    if P::S::COMPLEX {
        transpose(im);
    }
}

impl<P: Pack> OutOfLine for Load<P> {
    #[allow(clippy::needless_range_loop)] // iterators over vectors are separate functions, without the instruction set
    #[inline(always)]
    unsafe fn run(self) {
        let whole = self.0;
        let zero = [P::V::splat(Re::<P>::default()); MAX_LANES];
        for i in whole.rows.clone().step_by(P::L) {
            let columns = whole.columns(i);
            for j in (0..columns).step_by(P::L) {
                let (mut re, mut im, count) = (zero, zero, P::L.min(columns - j));
                unsafe {
                    if count == P::L && i + P::L <= whole.m {
                        for l in 0..P::L {
                            let x = whole.image(P::load_elements(whole.at(i + l, j), P::L));
                            (re[l], im[l]) = (x.re(), x.im());
                        }
                    } else {
                        for l in 0..P::L.min(whole.m - i) {
                            let x = whole.image(P::load_elements(whole.at(i + l, j), count));
                            (re[l], im[l]) = (x.re(), x.im());
                        }
                    }
                    transpose_parts::<P>(&mut re, &mut im);
                    for l in 0..P::L {
                        if l < count {
                            P::from_parts(re[l], im[l]).store(whole.packed.pack(i / P::L, j + l));
                        }
                    }
                }
            }
        }
    }
}

impl<P: Pack> OutOfLine for Store<P> {
    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    unsafe fn run(self) {
        let whole = self.0;
        let zero = [P::V::splat(Re::<P>::default()); MAX_LANES];
        for i in whole.rows.clone().step_by(P::L) {
            let (columns, rows) = (whole.columns(i), P::L.min(whole.m - i));
            for j in (0..columns).step_by(P::L) {
                let (mut re, mut im, count) = (zero, zero, P::L.min(columns - j));
                unsafe {
                    for l in 0..P::L {
                        if l < count {
                            let x = whole.image(P::load(whole.packed.pack(i / P::L, j + l)));
                            (re[l], im[l]) = (x.re(), x.im());
                        }
                    }
                    transpose_parts::<P>(&mut re, &mut im);
                    if count == P::L && rows == P::L {
                        for l in 0..P::L {
                            P::from_parts(re[l], im[l]).store_elements(whole.at(i + l, j), P::L);
                        }
                    } else {
                        for l in 0..rows {
                            P::from_parts(re[l], im[l]).store_elements(whole.at(i + l, j), count);
                        }
                    }
                }
            }
        }
    }
}
