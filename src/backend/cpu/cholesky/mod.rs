//! Cholesky factorisations and what follows them. Where the upper triangle is the caller's, L = U^H is packed, so that all of
//! this is about lower triangles.
//!
//! | module | what is in it |
//! | --- | --- |
//! | `packed` | one packed matrix: factored, systems solved, inverted |
//! | `potrf` | potrf and posv: what begins with a factorisation |
//! | `potrs` | potrs and potri: what begins with a caller's factor |

mod packed;
mod potrf;
mod potrs;

use super::batch::Members;
use super::ormqr::view;
use super::packed::Columns;
use super::simd::{Pack, Packed};
use super::view::View;
use crate::routine::{Operand, Uplo};

/// Triangles of a batch.
struct Triangles<T> {
    members: Members<T>,
    ld: i64,
    uplo: Uplo,
    n: usize,
}

impl<T: Packed> Triangles<T> {
    fn new(operand: Operand, ld: i64, uplo: Uplo, n: i64) -> Self {
        Triangles { members: Members::new(operand), ld, uplo, n: n as usize }
    }
    #[inline(always)]
    unsafe fn member(&self, i: usize) -> View<T> {
        unsafe { view(&self.members, i, self.ld) }
    }
    /// Packs member i.
    #[inline(always)]
    unsafe fn pack<P: Pack<S = T>>(&self, i: usize, to: Columns<P>) {
        unsafe { packed::load(&self.member(i), self.uplo, self.n, to) }
    }
    /// Writes member i.
    #[inline(always)]
    unsafe fn unpack<P: Pack<S = T>>(&self, i: usize, from: Columns<P>) {
        unsafe { packed::store(from, &self.member(i), self.uplo, self.n) }
    }
}

/// Writes a member's code, counted from 1, if the caller wants to know.
unsafe fn tell(info: *mut i32, i: usize, place: Option<usize>) {
    if !info.is_null() {
        unsafe { info.add(i).write(place.map_or(0, |j| j as i32 + 1)) };
    }
}
