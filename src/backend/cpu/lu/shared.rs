//! LU of one large matrix by several threads: rows and columns that can be computed independently of each other are
//! divided among them. Each element is computed exactly as by one thread, so results do not depend on their number.

use super::super::over_batch::Task;
use super::super::packed::Columns;
use super::super::simd::{Lanes, Pack, Packed};
use super::super::team::{MatrixPtr, Team, columns_at};
use super::factor::Advance;
use super::getrs::{solve_plain, solve_transposed};
use super::interchanges::{Order, exchange_rows};
use super::triangles::{Shape, TriangleKind, invert, solve};
use crate::scalar::Scalar;
use std::ops::Range;

/// Columns that a thread takes at a time.
const GROUP: usize = 8;
/// Columns of an update that a thread takes at a time, unless there are fewer.
const UPDATED: usize = 64;
/// Packs of rows of an update that a thread takes at least: those that [`super::update`] processes together.
const ROWS: usize = 24;
/// Packs of rows of an inverse that a thread takes at a time.
const INVERTED: usize = 4;
/// What exchanging two numbers costs, in operations.
const EXCHANGE: usize = 4;

/// Columns `range` of groups of [`GROUP`], of `columns` in all.
fn of_groups(range: Range<usize>, columns: usize) -> Range<usize> {
    range.start * GROUP..columns.min(range.end * GROUP)
}

/// [`Advance::run`]
#[inline(always)]
pub unsafe fn advance<P: Pack>(team: &Team, of: Advance<P>)
where
    P::S: Packed,
{
    let (terms, columns, packs) = (of.done.len(), of.next.len(), of.packs());
    let numbers = terms * P::S::PARTS * P::S::PARTS;
    if !team.pays(numbers * columns * (terms + 2 * packs.len() * P::L)) {
        return unsafe { P::V::call_out_of_line(of) };
    }
    let (a, m, done, next, ipiv) = ((of.a.p, of.a.ld), of.m, (of.done.start, of.done.end), of.next, of.ipiv);
    let (first, columns) = (next.start, next.len());
    let begin = Begin::<P::S> { a, m, done, first, columns, ipiv };
    unsafe { team.share(&begin, columns.div_ceil(GROUP), numbers * GROUP * (terms + EXCHANGE)) };
    if packs.is_empty() {
        return;
    }
    let (across, wanted) = (columns.div_ceil(UPDATED), 3 * team.threads);
    let rows = packs.len().div_ceil(wanted.div_ceil(across)).next_multiple_of(ROWS);
    let update = Update { begin, packs: (packs.start, packs.end), rows };
    let each = 2 * numbers * UPDATED.min(columns) * rows * P::L;
    unsafe { team.share(&update, across * packs.len().div_ceil(rows), each) };
}

/// Row exchanges and the rows of U in the columns to the right of a factored block.
struct Begin<T: Packed> {
    a: MatrixPtr<T>,
    m: usize,
    done: (usize, usize),
    /// The first of these columns, and their number.
    first: usize,
    columns: usize,
    ipiv: *const i32,
}

impl<T: Packed> Begin<T> {
    /// The advance of some of the columns.
    #[inline(always)]
    fn of<P: Pack<S = T>>(&self, columns: Range<usize>) -> Advance<P> {
        let next = self.first + columns.start..self.first + columns.end;
        Advance { a: columns_at(self.a), m: self.m, done: self.done.0..self.done.1, next, ipiv: self.ipiv }
    }
}

impl<T: Packed> Task<T> for Begin<T> {
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, _: *mut u8) {
        unsafe { self.of::<P>(of_groups(range, self.columns)).begin() };
    }
}

/// The update of the rows below, in blocks of `rows` packs and [`UPDATED`] columns.
struct Update<T: Packed> {
    begin: Begin<T>,
    packs: (usize, usize),
    rows: usize,
}

impl<T: Packed> Task<T> for Update<T> {
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, _: *mut u8) {
        let (start, end) = self.packs;
        let down = (end - start).div_ceil(self.rows);
        for block in range {
            let (row, column) = (start + block % down * self.rows, block / down * UPDATED);
            let of = self.begin.of::<P>(column..self.begin.columns.min(column + UPDATED));
            unsafe { of.update(row..end.min(row + self.rows)) };
        }
    }
}

/// [`exchange_rows`] forwards in the first `columns` columns of a matrix.
#[inline(always)]
pub unsafe fn exchange<P: Pack>(team: &Team, a: Columns<P>, columns: usize, ipiv: *const i32, rows: Range<usize>)
where
    P::S: Packed,
{
    if ipiv.is_null() || !team.pays(EXCHANGE * columns * rows.len()) {
        return unsafe { exchange_rows(a, columns, ipiv, rows, Order::Forwards) };
    }
    let each = EXCHANGE * GROUP * rows.len();
    let task = Exchange::<P::S> { a: (a.p, a.ld), columns, ipiv, rows: (rows.start, rows.end) };
    unsafe { team.share(&task, columns.div_ceil(GROUP), each) };
}

struct Exchange<T: Packed> {
    a: MatrixPtr<T>,
    columns: usize,
    ipiv: *const i32,
    rows: (usize, usize),
}

impl<T: Packed> Task<T> for Exchange<T> {
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, _: *mut u8) {
        let (columns, rows) = (of_groups(range, self.columns), self.rows.0..self.rows.1);
        unsafe {
            let a = columns_at::<P>(self.a).starting_at(columns.start);
            exchange_rows(a, columns.len(), self.ipiv, rows, Order::Forwards);
        }
    }
}

/// What [`solve_by`] computes from the packed factors of A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solve {
    /// A^-1 X
    Plain,
    /// op(A)^-1 X for a transposing op, given op of the factors.
    Transposed,
    /// U^-1 X
    Upper,
}

/// Solves for `columns` columns of X, given packed factors of order n and `ipiv`, which may be NULL.
#[inline(always)]
pub unsafe fn solve_by<P: Pack>(
    team: &Team,
    what: Solve,
    (a, n, ipiv): (Columns<P>, usize, *const i32),
    x: Columns<P>,
    columns: usize,
) where
    P::S: Packed,
{
    let task = Solving::<P::S> { what, a: (a.p, a.ld), n, ipiv, x: (x.p, x.ld), columns };
    let each = 2 * n * n * P::S::PARTS * P::S::PARTS * GROUP;
    if !team.pays(each / GROUP * columns) {
        return unsafe { task.columns::<P>(0..columns) };
    }
    unsafe { team.share(&task, columns.div_ceil(GROUP), each) };
}

struct Solving<T: Packed> {
    what: Solve,
    a: MatrixPtr<T>,
    n: usize,
    ipiv: *const i32,
    x: MatrixPtr<T>,
    columns: usize,
}

impl<T: Packed> Solving<T> {
    #[inline(always)]
    unsafe fn columns<P: Pack<S = T>>(&self, columns: Range<usize>) {
        let (a, n, count) = (columns_at::<P>(self.a), self.n, columns.len());
        unsafe {
            let x = columns_at::<P>(self.x).starting_at(columns.start);
            match self.what {
                Solve::Plain => solve_plain(a, n, self.ipiv, x, count),
                Solve::Transposed => solve_transposed(a, n, self.ipiv, x, count),
                Solve::Upper => solve(TriangleKind { shape: Shape::Upper, unit: false }, a, n, x, count, 0),
            }
        }
    }
}

impl<T: Packed> Task<T> for Solving<T> {
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, _: *mut u8) {
        unsafe { self.columns::<P>(of_groups(range, self.columns)) };
    }
}

/// [`invert`] for all rows.
#[inline(always)]
pub unsafe fn invert_by<P: Pack>(team: &Team, a: Columns<P>, n: usize, ipiv: *const i32, x: Columns<P>)
where
    P::S: Packed,
{
    let packs = n.div_ceil(P::L);
    let each = 2 * n * n * P::S::PARTS * P::S::PARTS * P::L * INVERTED;
    if !team.pays(each / INVERTED * packs) {
        return unsafe { invert(a, n, ipiv, x, 0..packs) };
    }
    let task = Inverting::<P::S> { a: (a.p, a.ld), n, ipiv, x: (x.p, x.ld) };
    unsafe { team.share(&task, packs.div_ceil(INVERTED), each) };
}

struct Inverting<T: Packed> {
    a: MatrixPtr<T>,
    n: usize,
    ipiv: *const i32,
    x: MatrixPtr<T>,
}

impl<T: Packed> Task<T> for Inverting<T> {
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, _: *mut u8) {
        let packs = range.start * INVERTED..self.n.div_ceil(P::L).min(range.end * INVERTED);
        unsafe { invert(columns_at::<P>(self.a), self.n, self.ipiv, columns_at::<P>(self.x), packs) };
    }
}
