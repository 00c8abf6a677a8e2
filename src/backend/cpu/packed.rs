//! Packed matrices: column j starts at `j * ld` real numbers and is a row of [`Pack`]s; rows m.. of the last one are
//! zero, so that no loop over a column has a special last row.

use super::simd::Pack;
use crate::scalar::Scalar;

/// The real type of a pack.
pub type Re<P> = <<P as Pack>::S as Scalar>::Re;

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
    /// Start of column j.
    #[inline(always)]
    pub unsafe fn column(self, j: usize) -> *mut Re<P> {
        unsafe { self.p.add(j * self.ld) }
    }
    /// Start of a pack of column j.
    #[inline(always)]
    pub unsafe fn pack(self, chunk: usize, j: usize) -> *mut Re<P> {
        unsafe { self.p.add(j * self.ld + chunk * P::REALS) }
    }
    /// Column j becomes the first.
    #[inline(always)]
    pub unsafe fn starting_at(self, j: usize) -> Self {
        Columns { p: unsafe { self.column(j) }, ld: self.ld }
    }
}

/// Real numbers from one column of m rows to the next: an odd count of packs keeps columns out of each other's cache
/// sets. `None`: it overflows.
#[inline(always)]
pub fn leading<P: Pack>(m: usize) -> Option<usize> {
    let packs = m.div_ceil(P::L);
    (if packs % 8 == 0 { packs + 1 } else { packs }).checked_mul(P::REALS)
}

/// Where row r of a packed column is: its real part's offset in real numbers. The imaginary part is `P::L` further on.
#[inline(always)]
pub fn offset<P: Pack>(row: usize) -> usize {
    row / P::L * P::REALS + row % P::L
}

/// Element `row` of a packed column.
#[inline(always)]
pub unsafe fn get<P: Pack>(column: *const Re<P>, row: usize) -> P::S {
    unsafe {
        let p = column.add(offset::<P>(row));
        P::S::new(*p, if P::S::COMPLEX { *p.add(P::L) } else { Default::default() })
    }
}

/// Sets element `row` of a packed column.
#[inline(always)]
pub unsafe fn set<P: Pack>(column: *mut Re<P>, row: usize, x: P::S) {
    unsafe {
        let p = column.add(offset::<P>(row));
        *p = x.re();
        if P::S::COMPLEX {
            *p.add(P::L) = x.im();
        }
    }
}
