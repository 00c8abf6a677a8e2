//! BLAS routines and copies on callers' memory. Those without a kernel of their own work element by element through
//! strides, which is fast enough for loops over small matrices.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `moves` | geam, dgmm, transpose, lacpy, laset |
//! | `triangle` | trmm, trsv |
//! | `inverse` | trtri |
//! | `product` | syrk, herk, syr2k, her2k |
//! | `symmetric` | symm, hemm |

mod inverse;
mod moves;
mod product;
mod symmetric;
mod triangle;

use super::batch::{Members, read, write};
use super::choice::{Distribution, Execution};
use super::gemm::value;
use super::over_batch::{Task, parallel_for};
use super::simd::{Pack, Packed};
use crate::routine::Operand;
use crate::scalar::Scalar;
use std::ops::Range;

/// A matrix in memory with arbitrary strides between rows and between columns, which may be negative.
#[derive(Clone, Copy)]
struct Strided<T: Scalar> {
    p: *mut T::Re,
    rows: isize,
    columns: isize,
    conj: bool,
}

impl<T: Scalar> Strided<T> {
    #[inline(always)]
    fn at(&self, i: usize, j: usize) -> *mut T::Re {
        self.p.wrapping_offset((i as isize * self.rows + j as isize * self.columns) * T::PARTS as isize)
    }
    #[inline(always)]
    unsafe fn get(&self, i: usize, j: usize) -> T {
        let x: T = unsafe { read(self.at(i, j)) };
        if T::COMPLEX && self.conj { x.conj() } else { x }
    }
    #[inline(always)]
    unsafe fn set(&self, i: usize, j: usize, x: T) {
        unsafe { write(self.at(i, j), if T::COMPLEX && self.conj { x.conj() } else { x }) }
    }
}

/// The matrices of a batch as [`Strided`], each `first` elements from the start of its member.
#[derive(Clone, Copy)]
struct Batch<T> {
    members: Members<T>,
    first: i64,
    rows: i64,
    columns: i64,
    conj: bool,
}

impl<T: Scalar> Batch<T> {
    /// Column-major matrices.
    fn plain(operand: Operand, ld: i64) -> Self {
        Batch { members: Members::new(operand), first: 0, rows: 1, columns: ld, conj: false }
    }

    fn transposed(self, conj: bool) -> Self {
        Batch { rows: self.columns, columns: self.rows, conj, ..self }
    }

    #[inline(always)]
    unsafe fn member(&self, i: usize) -> Strided<T> {
        let Batch { first, rows, columns, conj, .. } = *self;
        let p = unsafe { self.members.member(i) }.wrapping_offset(first as isize * T::PARTS as isize);
        Strided { p, rows: rows as isize, columns: columns as isize, conj }
    }
}

/// alpha x. For alpha = 1 this is x itself, since a complex product would turn infinities into NaN.
#[inline(always)]
fn times<T: Scalar>(alpha: T, x: T) -> T {
    if alpha == T::one() { x } else { alpha * x }
}

/// Work that is done part by part without workspace.
trait Each {
    /// # Safety
    /// The caller must own the operands of part i.
    unsafe fn part(&self, i: usize);
}

struct InTurn<'a, E>(&'a E);

impl<T: Packed, E: Each> Task<T> for InTurn<'_, E> {
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, _: *mut u8) {
        range.for_each(|i| unsafe { self.0.part(i) });
    }
}

/// Processes parts 0..count.
///
/// # Safety
/// As [`Each::part`].
unsafe fn each<T: Packed, E: Each>(work: &E, count: usize, execution: &Execution, distribution: Distribution) {
    unsafe { parallel_for::<T, _>(&InTurn(work), count, execution.level, distribution) }
}
