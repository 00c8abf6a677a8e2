//! A caller's matrix: access to its elements, and copying it into and out of packed form, optionally transposed.

use super::batch::{Members, pack, read, unpack, write};
use super::packed::{Columns, get, set};
use super::simd::{Lanes, Pack};
use super::transposed::{Load, Store, Transposed};
use crate::scalar::Scalar;

/// A column-major matrix, seen as real numbers because it need not be aligned beyond those.
pub struct View<T: Scalar> {
    /// First number.
    pub p: *mut T::Re,
    /// Leading dimension in elements.
    pub ld: usize,
}

/// The transformation between a caller's matrix and its packed form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Transform {
    /// Whether rows become columns.
    pub transposed: bool,
    /// Whether elements are conjugated.
    pub conjugated: bool,
}

impl Transform {
    /// The conjugate transpose.
    pub const ADJOINT: Transform = Transform { transposed: true, conjugated: true };
}

impl<T: Scalar> View<T> {
    /// Element (i, j).
    #[inline(always)]
    pub unsafe fn get(&self, i: usize, j: usize) -> T {
        unsafe { read(self.p.add((i + j * self.ld) * T::PARTS)) }
    }
    /// Sets element (i, j).
    #[inline(always)]
    pub unsafe fn set(&self, i: usize, j: usize, x: T) {
        unsafe { write(self.p.add((i + j * self.ld) * T::PARTS), x) }
    }
    /// Start of column j.
    #[inline(always)]
    pub unsafe fn column(&self, j: usize) -> *mut T::Re {
        unsafe { self.p.add(j * self.ld * T::PARTS) }
    }

    /// Sets m x n elements to x.
    #[inline(always)]
    pub unsafe fn fill(&self, m: usize, n: usize, x: T) {
        for j in 0..n {
            (0..m).for_each(|i| unsafe { self.set(i, j, x) });
        }
    }

    /// Packs a matrix of which the packed form has m rows and n columns.
    #[inline(always)]
    pub unsafe fn pack<P: Pack<S = T>>(&self, transform: Transform, m: usize, n: usize, to: Columns<P>) {
        let Transform { transposed, conjugated } = transform;
        unsafe {
            if transposed {
                let all = Transposed {
                    caller: (self.p, self.ld),
                    packed: to,
                    m,
                    n,
                    conjugated,
                    rows: 0..m,
                    below_diagonal: false,
                };
                return P::V::call_out_of_line(Load(all));
            }
            for j in 0..n {
                let column = to.column(j);
                pack::<P>(self.column(j), column, m);
                for i in 0..if T::COMPLEX && conjugated { m } else { 0 } {
                    set::<P>(column, i, get::<P>(column, i).conj());
                }
            }
        }
    }
    /// The inverse of [`View::pack`]. Writes the m x n elements of the packed matrix and nothing else.
    #[inline(always)]
    pub unsafe fn unpack<P: Pack<S = T>>(&self, transform: Transform, m: usize, n: usize, from: Columns<P>) {
        let Transform { transposed, conjugated } = transform;
        unsafe {
            if transposed {
                let (caller, packed) = ((self.p, self.ld), from);
                let all = Transposed { caller, packed, m, n, conjugated, rows: 0..m, below_diagonal: false };
                return P::V::call_out_of_line(Store(all));
            }
            for j in 0..n {
                let column = from.column(j);
                if !(T::COMPLEX && conjugated) {
                    unpack::<P>(column, self.column(j), m);
                    continue;
                }
                (0..m).for_each(|i| self.set(i, j, get::<P>(column, i).conj()));
            }
        }
    }
}

/// A view of member i of an operand.
#[inline(always)]
pub unsafe fn view<T: Scalar>(of: &Members<T>, i: usize, ld: i64) -> View<T> {
    View { p: unsafe { of.member(i) }, ld: ld as usize }
}
