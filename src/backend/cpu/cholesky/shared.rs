//! Cholesky of one large matrix by several threads: rows and columns that can be computed independently of each other
//! are divided among them. Each element is computed exactly as by one thread, so results do not depend on their number.

use super::super::over_batch::Task;
use super::super::packed::Columns;
use super::super::simd::{Pack, Packed};
use super::super::team::{MatrixPtr, Team, columns_at};
use super::super::view::View;
use super::factor::{PANEL, subtract_panels};
use super::packed::{invert, load, load_columns, load_rows, solve_system, store, store_columns, store_rows};
use crate::routine::Uplo;
use crate::scalar::Scalar;
use std::ops::Range;

/// Packs of rows that a thread takes at a time.
const ROWS: usize = 24;
/// Columns that a thread takes at a time: a multiple of those that are solved together.
const GROUP: usize = 8;

/// [`subtract_panels`] for all rows.
#[inline(always)]
pub unsafe fn subtract<P: Pack>(team: &Team, a: Columns<P>, n: usize, start: usize)
where
    P::S: Packed,
{
    let packs = start / P::L..n.div_ceil(P::L);
    let each = 2 * start * PANEL * P::L * P::S::PARTS * P::S::PARTS;
    if !team.pays(each * packs.len()) {
        return unsafe { subtract_panels(a, n, start, packs) };
    }
    // Few rows are divided so that each thread gets some.
    let rows = packs.len().div_ceil(3 * team.threads).next_multiple_of(3).min(ROWS);
    let task = Subtracting::<P::S> { a: (a.p, a.ld), n, start, rows };
    unsafe { team.share(&task, packs.len().div_ceil(rows), each * rows) };
}

struct Subtracting<T: Packed> {
    a: MatrixPtr<T>,
    n: usize,
    start: usize,
    rows: usize,
}

impl<T: Packed> Task<T> for Subtracting<T> {
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, _: *mut u8) {
        let (first, end) = (self.start / P::L, self.n.div_ceil(P::L));
        for part in range {
            let packs = first + part * self.rows..end.min(first + (part + 1) * self.rows);
            unsafe { subtract_panels::<P>(columns_at(self.a), self.n, self.start, packs) };
        }
    }
}

/// What is computed from a packed factor of order n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// The solutions of systems, in place of their right-hand sides.
    Solve,
    /// The lower triangle of the inverse.
    Invert,
}

/// Computes `columns` columns of X from the packed factor.
#[inline(always)]
pub unsafe fn finish<P: Pack>(team: &Team, then: Then, (l, n): (Columns<P>, usize), x: Columns<P>, columns: usize)
where
    P::S: Packed,
{
    let task = Finishing::<P::S> { then, l: (l.p, l.ld), n, x: (x.p, x.ld), columns };
    let each = 2 * n * n * P::S::PARTS * P::S::PARTS * GROUP;
    if !team.pays(each / GROUP * columns) {
        return unsafe { task.columns::<P>(0..columns) };
    }
    unsafe { team.share(&task, columns.div_ceil(GROUP), each) };
}

struct Finishing<T: Packed> {
    then: Then,
    l: MatrixPtr<T>,
    n: usize,
    x: MatrixPtr<T>,
    columns: usize,
}

impl<T: Packed> Finishing<T> {
    #[inline(always)]
    unsafe fn columns<P: Pack<S = T>>(&self, columns: Range<usize>) {
        let (l, x) = (columns_at::<P>(self.l), columns_at::<P>(self.x));
        unsafe {
            match self.then {
                Then::Solve => solve_system(l, self.n, x.starting_at(columns.start), columns.len()),
                Then::Invert => invert(l, self.n, x, columns),
            }
        }
    }
}

impl<T: Packed> Task<T> for Finishing<T> {
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, _: *mut u8) {
        unsafe { self.columns::<P>(range.start * GROUP..self.columns.min(range.end * GROUP)) };
    }
}

/// [`load`], or if `out` [`store`].
#[inline(always)]
pub unsafe fn transfer<P: Pack>(team: &Team, caller: &View<P::S>, uplo: Uplo, n: usize, packed: Columns<P>, out: bool)
where
    P::S: Packed,
{
    let task = Transfer::<P::S> { caller: (caller.p, caller.ld), uplo, n, packed: (packed.p, packed.ld), out };
    unsafe {
        match (team.pays(n * n / 2), out, uplo) {
            (false, false, _) => return load(caller, uplo, n, packed),
            (false, true, _) => return store(packed, caller, uplo, n),
            (true, false, Uplo::Upper) => load_columns(caller, uplo, n, packed, 0..n),
            (true, true, Uplo::Upper) => store_columns(packed, caller, uplo, n, 0..n),
            _ => {}
        }
        team.share(&task, n.div_ceil(P::L), n * P::L / 2);
    }
}

struct Transfer<T: Packed> {
    caller: MatrixPtr<T>,
    uplo: Uplo,
    n: usize,
    packed: MatrixPtr<T>,
    out: bool,
}

impl<T: Packed> Task<T> for Transfer<T> {
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, _: *mut u8) {
        let (caller, packed) = (View::<T> { p: self.caller.0, ld: self.caller.1 }, columns_at::<P>(self.packed));
        let (n, part) = (self.n, range.start * P::L..self.n.min(range.end * P::L));
        unsafe {
            match (self.out, self.uplo) {
                (false, Uplo::Lower) => load_columns(&caller, self.uplo, n, packed, part),
                (false, Uplo::Upper) => load_rows(&caller, n, packed, part),
                (true, Uplo::Lower) => store_columns(packed, &caller, self.uplo, n, part),
                (true, Uplo::Upper) => store_rows(packed, &caller, n, part),
            }
        }
    }
}
