//! Packed matrices: column j starts at `j * ld` real numbers and is a sequence of [`Pack`]s. The last one is filled up
//! with zeros, so that loops over a column need no special last iteration.

use super::simd::Pack;
use crate::scalar::Scalar;

/// The real type of a pack's elements.
pub type Re<P> = <<P as Pack>::S as Scalar>::Re;

/// A packed matrix. Rows are addressed in packs.
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
    /// Start of pack `chunk` of column j.
    #[inline(always)]
    pub unsafe fn pack(self, chunk: usize, j: usize) -> *mut Re<P> {
        unsafe { self.p.add(j * self.ld + chunk * P::REALS) }
    }
    /// The matrix without its first j columns.
    #[inline(always)]
    pub unsafe fn starting_at(self, j: usize) -> Self {
        Columns { p: unsafe { self.column(j) }, ld: self.ld }
    }
}

/// Real numbers from one column of m rows to the next. Avoids multiples of eight packs, with which columns would
/// compete for the same cache sets. `None` if it overflows.
#[inline(always)]
pub fn leading<P: Pack>(m: usize) -> Option<usize> {
    let packs = m.div_ceil(P::L);
    (if packs % 8 == 0 { packs + 1 } else { packs }).checked_mul(P::REALS)
}

/// Offset of row r in a packed column, in real numbers. The imaginary part is `P::L` numbers further on.
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
