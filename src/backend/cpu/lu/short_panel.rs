//! A panel of LU of few rows. They stay where they are until all its pivots are known: a row that was just exchanged is waited for
//! by whatever reads it next.

use super::super::interleaved::reciprocal;
use super::super::packed::{Columns, Re, get, set};
use super::super::simd::{Apart, Lanes, Pack};
use super::below;
use super::pivot::{Divisor, Sizes, is_usual, size};
use crate::scalar::Scalar;

/// Most packs of such a panel's columns.
const MOST: usize = 8;
/// Most rows of it.
const ROWS: usize = MOST * super::super::simd::MAX_LANES;

/// Whether a panel of so many rows is short. Its code is large, and made where there are registers for it.
#[inline(always)]
pub fn is_short<P: Pack>(rows: usize) -> bool {
    P::V::MANY_REGISTERS && rows.div_ceil(P::L) <= MOST
}

/// As [`super::panel::panel`], with pivoting, for panels that are short; no row is exchanged: `order` becomes what all columns, these too, are to be
/// arranged by.
#[inline(always)]
pub unsafe fn short_panel<P: Pack>(
    a: Columns<P>,
    m: usize,
    first: usize,
    end: usize,
    ipiv: *mut i32,
    order: &mut Rows,
) -> Option<usize> {
    let mut zero = None;
    unsafe {
        let (rows, columns) = (m - first, end - first);
        *order = Rows::new(rows.div_ceil(P::L), P::L);
        let (a, ipiv, zero_at) = (below(a.starting_at(first), first), ipiv.add(first), &mut zero);
        let short = Short { a, rows, columns, ipiv, first, order, zero: zero_at };
        match rows.div_ceil(P::L) {
            1 => P::V::apart(Packs::<P, 1>(short)),
            2 => P::V::apart(Packs::<P, 2>(short)),
            3 => P::V::apart(Packs::<P, 3>(short)),
            4 => P::V::apart(Packs::<P, 4>(short)),
            5 | 6 => P::V::apart(Packs::<P, 6>(short)),
            _ => P::V::apart(Packs::<P, MOST>(short)),
        }
    }
    zero
}

/// A short panel, whose rows and columns are counted from 0.
struct Short<'a, P: Pack> {
    a: Columns<P>,
    rows: usize,
    columns: usize,
    ipiv: *mut i32,
    /// The matrix's row and column that its first ones are.
    first: usize,
    order: &'a mut Rows,
    /// The first column without a pivot.
    zero: &'a mut Option<usize>,
}

/// A short panel of R packs, or one less.
struct Packs<'a, P: Pack, const R: usize>(Short<'a, P>);

impl<P: Pack, const R: usize> Apart for Packs<'_, P, R> {
    #[allow(clippy::needless_range_loop)] // iterators over vectors are functions of their own, without the instruction set
    #[inline(always)]
    unsafe fn run(self) {
        let Short { a, rows, columns, ipiv, first, order, zero } = self.0;
        let packs = rows.div_ceil(P::L);
        // Bits of the rows of each pack that are still to have a pivot.
        let mut left = [0u32; R];
        for r in 0..R {
            let here = rows.saturating_sub(r * P::L).min(P::L);
            left[r] = ((1u64 << here) - 1) as u32;
        }
        unsafe {
            // The column that is next.
            let (mut x, mut sizes) = ([P::zero(); R], Sizes::<P>::new());
            for r in 0..R {
                if r + 1 < R || r < packs {
                    x[r] = P::load(a.pack(r, 0));
                    sizes.add(x[r]);
                }
            }
            for c in 0..columns {
                let most = sizes.largest();
                let mut row = order.at[c] as usize;
                if most.above(P::V::splat(Re::<P>::default())) & 1 == 1 {
                    let mut bits = 0u128;
                    for r in 0..R {
                        bits |= ((size(x[r]).same(most) & left[r]) as u128) << (r * P::L);
                    }
                    row = if bits & bits.wrapping_sub(1) == 0 {
                        bits.trailing_zeros() as usize % ROWS
                    } else {
                        order.first_of(bits)
                    };
                }
                let pivot = get::<P>(a.column(c), row);
                *ipiv.add(c) = (first + order.take::<P>(c, row)) as i32 + 1;
                for r in 0..R {
                    left[r] &= !((1u64 << (row.wrapping_sub(r * P::L)).min(63)) as u32);
                }
                if is_usual(pivot) {
                    let by = reciprocal(P::splat(pivot));
                    for r in 0..R {
                        x[r] = x[r].mul(by).chosen(left[r], x[r]);
                    }
                } else {
                    if pivot == P::S::zero() {
                        *zero = zero.or(Some(first + c));
                    } else {
                        divide::<P>(a.column(c), pivot, rows, &left);
                    }
                    for r in 0..R {
                        if r + 1 < R || r < packs {
                            x[r] = P::load(a.pack(r, c));
                        }
                    }
                }
                let l = x;
                if c + 1 < columns {
                    sizes = Sizes::new();
                    let u = P::splat(get::<P>(a.column(c + 1), row));
                    for r in 0..R {
                        if r + 1 < R || r < packs {
                            let y = P::load(a.pack(r, c + 1));
                            x[r] = y.sub_mul(l[r], u).chosen(left[r], y);
                            x[r].store(a.pack(r, c + 1));
                            sizes.add(x[r].chosen(left[r], P::zero()));
                        }
                    }
                }
                for j in c + 2..columns {
                    let u = P::splat(get::<P>(a.column(j), row));
                    for r in 0..R {
                        if r + 1 < R || r < packs {
                            let y = P::load(a.pack(r, j));
                            y.sub_mul(l[r], u).chosen(left[r], y).store(a.pack(r, j));
                        }
                    }
                }
                for r in 0..R {
                    if r + 1 < R || r < packs {
                        l[r].store(a.pack(r, c));
                    }
                }
            }
        }
    }
}

/// Divides a packed column by a number whose reciprocal is no normal one, in the rows that are left.
#[cold]
#[inline(never)]
unsafe fn divide<P: Pack>(column: *mut Re<P>, pivot: P::S, rows: usize, left: &[u32]) {
    let divisor = Divisor::new(pivot);
    for row in (0..rows).filter(|row| left[row / P::L] >> (row % P::L) & 1 == 1) {
        unsafe { set::<P>(column, row, divisor.divide(get::<P>(column, row))) };
    }
}

/// Where the rows of a panel are to be: what LAPACK calls a pivot is a place, and of rows that are equal it takes the first by their
/// places.
pub struct Rows {
    packs: usize,
    /// The row at each place.
    at: [u8; ROWS],
    /// The place of each row.
    place: [u8; ROWS],
    /// Bits of the places of the first pack that have rows of each pack.
    first: [u32; MOST],
    /// Bits of the places of each pack that have rows of the first pack.
    others: [u32; MOST],
}

impl Rows {
    const UNMOVED: [u8; ROWS] = {
        let (mut rows, mut i) = ([0; ROWS], 0);
        while i < ROWS {
            rows[i] = i as u8;
            i += 1;
        }
        rows
    };

    /// As they are, in packs of L rows.
    #[inline(always)]
    pub fn new(packs: usize, lanes: usize) -> Self {
        let mut first = [0; MOST];
        first[0] = ((1u64 << lanes) - 1) as u32;
        Rows { packs, at: Self::UNMOVED, place: Self::UNMOVED, first, others: [0; MOST] }
    }

    /// Exchanges a row with the one at place c, of the first pack, and gives its own place.
    #[inline(always)]
    fn take<P: Pack>(&mut self, c: usize, row: usize) -> usize {
        let (place, other) = (self.place[row], self.at[c]);
        (self.at[c], self.at[place as usize]) = (row as u8, other);
        (self.place[row], self.place[other as usize]) = (c as u8, place);
        let place = place as usize;
        // A row of another pack comes to the first one once, and for good.
        self.first[0] &= !(1 << c);
        self.first[row / P::L] |= 1 << c;
        self.others[place / P::L] |= 1 << (place % P::L);
        place
    }

    /// The one that has the first place, of the rows whose bit is set.
    #[cold]
    #[inline(never)]
    fn first_of(&self, bits: u128) -> usize {
        (0..ROWS).filter(|row| bits >> row & 1 == 1).min_by_key(|&row| self.place[row]).unwrap_or(0)
    }

    /// Brings the rows of some columns, of which the panel's first row is the first, to their places.
    #[inline(always)]
    pub unsafe fn arrange<P: Pack>(&self, a: Columns<P>, columns: usize) {
        unsafe { P::V::apart(Arrange { rows: self, a, columns }) }
    }
}

/// [`Rows::arrange`], which has many callers.
struct Arrange<'a, P: Pack> {
    rows: &'a Rows,
    a: Columns<P>,
    columns: usize,
}

impl<P: Pack> Apart for Arrange<'_, P> {
    #[inline(always)]
    unsafe fn run(self) {
        let mut j = 0;
        unsafe {
            while j + 4 <= self.columns {
                self.some::<4>(j);
                j += 4;
            }
            while j < self.columns {
                self.some::<1>(j);
                j += 1;
            }
        }
    }
}

impl<P: Pack> Arrange<'_, P> {
    /// N columns from column j on.
    #[allow(clippy::needless_range_loop)] // iterators over vectors are functions of their own, without the instruction set
    #[inline(always)]
    unsafe fn some<const N: usize>(&self, j: usize) {
        let Rows { packs, at, first, others, .. } = self.rows;
        unsafe {
            let places = P::V::places(at.as_ptr());
            let (mut were, mut are) = ([P::zero(); N], [P::zero(); N]);
            for n in 0..N {
                were[n] = P::load(self.a.pack(0, j + n));
                are[n] = were[n].permuted(places);
            }
            for r in 1..*packs {
                // A row that leaves a pack and one that comes to it are two sides of an exchange.
                if others[r] == 0 {
                    continue;
                }
                let theirs = P::V::places(at.as_ptr().add(r * P::L));
                for n in 0..N {
                    let p = self.a.pack(r, j + n);
                    let x = P::load(p);
                    are[n] = x.permuted(places).chosen(first[r], are[n]);
                    were[n].permuted(theirs).chosen(others[r], x).store(p);
                }
            }
            for n in 0..N {
                are[n].store(self.a.pack(0, j + n));
            }
        }
    }
}
