//! trmm and trsv. trmm's flags are expressed by strides (see [`Canonical`]), so that there is always a lower triangle T
//! on the left; trsv is a system with one right-hand side.

use super::super::batch::{Members, copy_column, of_member, pack, read, unpack, write};
use super::super::choice::Execution;
use super::super::few_rhs::{self, FewRhsSolve, NextTriangle, stored_triangle};
use super::super::lu::interleaved_best;
use super::super::lu::triangles::{Shape, TriangleKind};
use super::super::over_batch::{OneByOne, OverBatch, Task, Varying, one_by_one, run, run_parts};
use super::super::packed::{Columns, Re, get, leading, set};
use super::super::scratch::Arena;
use super::super::simd::{Lanes, Level, Pack, Packed};
use super::super::small_members::{self, InLanes, Places, SmallGroup};
use super::super::tile::{Left, OperandPrefetch, Right, Target, product};
use super::super::trsm::{SmallSystems, small_bytes, solve_vectors};
use super::super::view::{Transform, view};
use super::{Batch, Strided, value};
use crate::error::Error;
use crate::routine::bounds::Bounds;
use crate::routine::canonical::Canonical;
use crate::routine::sizes::is_valid_ld;
use crate::routine::{Diag, Side, Trans, Trmm, Trsm, Trsv, Uplo};
use crate::scalar::Scalar;
use std::ops::Range;
use std::ptr::null_mut;

/// B := alpha T B for a triangle T, by blocks of rows: the rows of T, with zeros beyond the diagonal, times the rows of
/// B that they need. This works in place, because no later block reads the rows that a block overwrites.
pub struct Product<T> {
    t: Batch<T>,
    b: Batch<T>,
    alpha: T,
    order: usize,
    columns: usize,
    lower: bool,
    unit: bool,
    /// Whether vectors go along a row of B: T is short, and on the right. Not decided by strides, since bits must not
    /// depend on leading dimensions.
    across: bool,
    /// Number of parts that a member's columns are divided into.
    parts: usize,
}

/// Columns of B that are computed together.
const COLUMNS: usize = 64;
/// Order up to which the rows of a block leave much of the vectors unused, or of their registers.
const SHORT: usize = 16;

fn is_across(side: Side, order: usize) -> bool {
    side == Side::Right && order <= SHORT
}

impl<T: Packed> Product<T> {
    /// T and B in the order of memory: if the canonical form runs backwards, T becomes an upper triangle.
    fn new(form: &Canonical, p: &Trmm, alpha: T) -> Self {
        let (lower, conj) = (form.ars >= 0, form.conj);
        let (ars, acs, brs) = (form.ars.abs(), form.acs.abs(), form.brs.abs());
        let t = Batch { rows: ars, columns: acs, conj, ..Batch::plain(p.a, 0) };
        let b = Batch { rows: brs, columns: form.bcs, ..Batch::plain(p.b, 0) };
        let (order, columns) = (form.order as usize, form.nrhs as usize);
        let across = is_across(p.side, order);
        Product { t, b, alpha, order, columns, lower, unit: form.unit, across, parts: p.parts() }
    }
    /// Number of rows in a block.
    #[inline(always)]
    fn height<P: Pack<S = T>>(&self) -> usize {
        self.order.min(16.max(2 * P::L))
    }
    /// Offset of a block's result, which follows its part of T, and the bytes of both.
    #[inline(always)]
    fn layout<P: Pack<S = T>>(&self) -> Option<(usize, usize)> {
        let mut arena = Arena::<Re<P>>::new();
        let height = self.height::<P>().checked_mul(T::PARTS)?;
        arena.part(height.checked_mul(self.order)?)?;
        let result = arena.part(height * COLUMNS)?;
        Some((result, arena.bytes()?))
    }
    /// Element (row, k) of T.
    #[inline(always)]
    unsafe fn element(&self, t: &Strided<T>, row: usize, k: usize) -> T {
        if row == k {
            if self.unit { T::one() } else { unsafe { t.get(row, row) } }
        } else if (k < row) == self.lower {
            unsafe { t.get(row, k) }
        } else {
            T::zero()
        }
    }
    /// Copies the given rows of column k of T, with zeros beyond the diagonal.
    #[inline(always)]
    unsafe fn copy_rows<P: Pack<S = T>>(&self, t: &Strided<T>, rows: &Range<usize>, k: usize, to: *mut Re<P>) {
        let on_diagonal = rows.contains(&k);
        unsafe {
            if t.rows == 1 && !t.conj {
                copy_column::<P>(t.at(rows.start, k), to, rows.len());
                if on_diagonal {
                    let at = k - rows.start;
                    let zeros = if self.lower { 0..at } else { at + 1..rows.len() };
                    clear::<P>(to.wrapping_add(zeros.start * T::PARTS), zeros.len());
                    if self.unit {
                        write(to.wrapping_add(at * T::PARTS), T::one());
                    }
                }
                return;
            }
            for (e, row) in rows.clone().enumerate() {
                let x = if on_diagonal { self.element(t, row, k) } else { t.get(row, k) };
                write(to.wrapping_add(e * T::PARTS), x);
            }
        }
    }
    /// Computes some columns of a block again, without the products of T's zeros, for those in which these may have
    /// produced a NaN. `left` is the block's part of T, of which only the square on the diagonal has zeros.
    #[inline(always)]
    unsafe fn exact<P: Pack<S = T>>(
        &self,
        b: &Strided<T>,
        rows: &Range<usize>,
        columns: Range<usize>,
        (left, result): (*mut Re<P>, *mut Re<P>),
    ) {
        let (ld, count) = (self.height::<P>(), rows.len());
        let terms = if self.lower { 0..rows.start } else { rows.end..self.order };
        let column = |k: usize| left.wrapping_add(k * ld * T::PARTS);
        let (square, others) = if self.lower { (rows.start, 0) } else { (0, count) };
        unsafe {
            let of_t = Left::<T> { p: column(others), ld, conjugated: false, packed: false };
            let steps = [b.rows as usize, b.columns as usize];
            let of_b = Right::<T> { p: b.at(terms.start, columns.start), steps, conjugated: false };
            let to = Target { p: result, ld, alpha: T::one(), beta: T::zero() };
            let mut prefetch = OperandPrefetch::of([result; 3], [0; 3]);
            product::<P>((count, columns.len(), terms.len()), of_t, of_b, to, &mut prefetch);
            for j in columns.clone() {
                for q in (0..count).step_by(P::L) {
                    let few = P::L.min(count - q);
                    let to = result.add(((j - columns.start) * ld + q) * T::PARTS);
                    let mut sum = P::load_elements(to, few);
                    for k in 0..count {
                        let x = P::splat(b.get(rows.start + k, j));
                        let new = sum.add_mul(P::load_elements(column(square + k).add(q * T::PARTS), few), x);
                        // The rows above the diagonal, and those with it.
                        let (before, from) = (k.saturating_sub(q).min(P::L), (k + 1).saturating_sub(q).min(P::L));
                        let on = if self.unit { sum.add(x) } else { new };
                        let (above, below) = if self.lower { (sum, new) } else { (new, sum) };
                        sum = below.blend_low(from, on).blend_low(before, above);
                    }
                    let sum = if self.alpha == T::one() { sum } else { P::splat(self.alpha).mul(sum) };
                    sum.store_elements(to, few);
                }
            }
        }
    }

    /// Computes the product row by row with B's columns, which are contiguous across, along the vectors.
    #[inline(always)]
    unsafe fn across<P: Pack<S = T>>(&self, t: &Strided<T>, b: &Strided<T>) {
        let mut first = 0;
        unsafe {
            while first + 4 * P::L <= self.columns {
                self.packs_across::<P, 4>(t, b, first, P::L);
                first += 4 * P::L;
            }
            while first < self.columns {
                self.packs_across::<P, 1>(t, b, first, P::L.min(self.columns - first));
                first += P::L;
            }
        }
    }

    /// [`Product::across`] for N packs from column `first` on, of which the last has `count` elements.
    #[allow(clippy::needless_range_loop)] // iterators over vectors are separate functions, without the instruction set
    #[inline(always)]
    unsafe fn packs_across<P: Pack<S = T>, const N: usize>(
        &self,
        t: &Strided<T>,
        b: &Strided<T>,
        first: usize,
        count: usize,
    ) {
        for turn in 0..self.order {
            let row = if self.lower { self.order - 1 - turn } else { turn };
            let mut sums = [P::zero(); N];
            unsafe {
                for i in 0..N {
                    let x = P::load_elements(b.at(row, first + i * P::L), count);
                    // Added to zero, so that a sum of nothing but negative zeros is a positive one, as in other sizes.
                    sums[i] = if self.unit { sums[i].add(x) } else { sums[i].add_mul(P::splat(t.get(row, row)), x) };
                }
                for k in if self.lower { 0..row } else { row + 1..self.order } {
                    let by = P::splat(t.get(row, k));
                    for i in 0..N {
                        sums[i] = sums[i].add_mul(by, P::load_elements(b.at(k, first + i * P::L), count));
                    }
                }
                for i in 0..N {
                    let sum = if self.alpha == T::one() { sums[i] } else { P::splat(self.alpha).mul(sums[i]) };
                    sum.store_elements(b.at(row, first + i * P::L), count);
                }
            }
        }
    }
}

/// Sets a few contiguous elements to zero.
#[inline(always)]
unsafe fn clear<P: Pack>(to: *mut Re<P>, elements: usize) {
    let (numbers, zero) = (elements * P::S::PARTS, P::V::splat(Re::<P>::default()));
    for done in (0..numbers).step_by(P::V::L) {
        unsafe { zero.store_first(to.add(done), (numbers - done).min(P::V::L)) };
    }
}

/// Whether one of a few contiguous elements is NaN.
#[inline(always)]
unsafe fn column_has_nan<P: Pack>(from: *const Re<P>, elements: usize) -> bool {
    let (numbers, mut done) = (elements * P::S::PARTS, 0);
    // Bit i: lane i was equal to itself in all vectors. Lanes that are not loaded are 0.
    let zero = P::V::splat(Re::<P>::default());
    let mut same = zero.same(zero);
    unsafe {
        while done + P::V::L <= numbers {
            let x = P::V::load(from.add(done));
            same &= x.same(x);
            done += P::V::L;
        }
        if done < numbers {
            let x = P::V::load_first(from.add(done), numbers - done);
            same &= x.same(x);
        }
    }
    same != zero.same(zero)
}

impl<T: Packed> Task<T> for Product<T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        self.layout::<P>().map(|(_, bytes)| bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let Some((start, _)) = self.layout::<P>() else { return };
        let (left, ld) = (buffer.cast::<Re<P>>(), self.height::<P>());
        let result = left.wrapping_add(start);
        let blocks = self.order.div_ceil(ld.max(1));
        let parts = self.parts;
        for part in range {
            let (i, first) = if parts == 1 { (part, 0) } else { (part / parts, part % parts * COLUMNS) };
            if self.across {
                unsafe { self.across::<P>(&self.t.member(i), &self.b.member(i)) };
                continue;
            }
            let end = self.columns.min(first + COLUMNS);
            for turn in 0..blocks {
                let block = if self.lower { blocks - 1 - turn } else { turn };
                let rows = block * ld..self.order.min((block + 1) * ld);
                let terms = if self.lower { 0..rows.end } else { rows.start..self.order };
                unsafe {
                    let (t, b) = (self.t.member(i), self.b.member(i));
                    for k in terms.clone() {
                        let to = left.wrapping_add((k - terms.start) * ld * T::PARTS);
                        self.copy_rows::<P>(&t, &rows, k, to);
                    }
                    let of_t = Left::<T> { p: left, ld, conjugated: false, packed: false };
                    let steps = [b.rows as usize, b.columns as usize];
                    let of_b = Right::<T> { p: b.at(terms.start, first), steps, conjugated: false };
                    let to = Target { p: result, ld, alpha: self.alpha, beta: T::zero() };
                    let mut prefetch = OperandPrefetch::of([result; 3], [0; 3]);
                    product::<P>((rows.len(), end - first, terms.len()), of_t, of_b, to, &mut prefetch);
                    let mut nan = end..end;
                    for j in first..end {
                        let column = result.wrapping_add((j - first) * ld * T::PARTS);
                        if column_has_nan::<P>(column, rows.len()) {
                            nan = nan.start.min(j)..j + 1;
                        }
                    }
                    if !nan.is_empty() {
                        let to = result.wrapping_add((nan.start - first) * ld * T::PARTS);
                        self.exact::<P>(&b, &rows, nan, (left, to));
                    }
                    for j in first..end {
                        let from = result.wrapping_add((j - first) * ld * T::PARTS);
                        if b.rows == 1 {
                            copy_column::<P>(from, b.at(rows.start, j), rows.len());
                            continue;
                        }
                        for e in 0..rows.len() {
                            b.set(rows.start + e, j, read(from.wrapping_add(e * T::PARTS)));
                        }
                    }
                }
            }
        }
    }
}

impl Varying for Trmm {
    /// Member i, if its sizes are valid and it has elements.
    #[inline(always)]
    unsafe fn member(&self, i: usize, bounds: &Bounds) -> Option<Trmm> {
        Some(unsafe { self.system().member(i, bounds)? }.product())
    }
}

impl OneByOne for Trmm {
    type Task<'a, T: Packed> = Product<T>;
    fn parts(&self) -> usize {
        let (order, columns) = if self.side == Side::Left { (self.m, self.n) } else { (self.n, self.m) };
        if is_across(self.side, order as usize) { 1 } else { (columns as usize).div_ceil(COLUMNS) }
    }
    /// `None` if alpha is zero.
    #[inline(always)]
    unsafe fn task<T: Packed>(&self) -> Option<Product<T>> {
        let alpha = unsafe { value::<T>(self.alpha) };
        (alpha != T::zero()).then(|| Product::new(&Canonical::of_product(self), self, alpha))
    }
}

impl OverBatch for Trmm {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        self.system().flops()
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { one_by_one::<T, _>(self, execution.distribution) };
        }
        match unsafe { self.task::<T>() } {
            Some(work) => unsafe { run_parts(self, &work, work.parts, execution) },
            None => unsafe { self.system().run_as::<T>(execution) }, // which clears B
        }
    }
}

/// A triangle and one right-hand side.
struct Vector<'a, T> {
    p: &'a Trsv,
    a: Members<T>,
    x: Members<T>,
}

impl<T: Packed> Vector<'_, T> {
    /// Offset of the workspace of [`FewRhsSolve::solve`], which follows the right-hand side, and the bytes of both.
    #[inline(always)]
    fn layout<P: Pack<S = T>>(&self) -> Option<(usize, usize)> {
        let mut arena = Arena::<Re<P>>::new();
        arena.part(leading::<P>(self.p.n as usize)?)?;
        Some((few_rhs::reserve_workspace::<P>(&mut arena, self.p.n as usize, 1)?, arena.bytes()?))
    }
}

impl<T: Packed> Task<T> for Vector<'_, T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        self.layout::<P>().map(|(_, bytes)| bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let Some((workspace, _)) = self.layout::<P>() else { return };
        let &Trsv { uplo, trans, diag, n, lda, incx, .. } = self.p;
        let (n, step, base) = (n as usize, incx as isize * T::PARTS as isize, buffer.cast::<Re<P>>());
        let op = Transform { transposed: trans != Trans::N, conjugated: T::COMPLEX && trans == Trans::C };
        let shape = if (uplo == Uplo::Upper) == op.transposed { Shape::Lower } else { Shape::Upper };
        let (triangle, y) = (TriangleKind { shape, unit: diag == Diag::Unit }, Columns::<P> { p: base, ld: 0 });
        for i in range {
            unsafe {
                let x = self.x.member(i);
                // With a negative increment, element 0 is the last one in memory.
                let first = if incx < 0 { x.wrapping_offset(-step * (n as isize - 1)) } else { x };
                let at = |j: usize| first.wrapping_offset(j as isize * step);
                if incx == 1 {
                    pack::<P>(x, y.p, n);
                } else {
                    P::zero().store(y.p.add((n - 1) / P::L * P::REALS));
                    (0..n).for_each(|j| set::<P>(y.p, j, read(at(j))));
                }
                let of_next = view(&self.a, (i + 1).min(self.p.batch as usize - 1), lda);
                let next = NextTriangle { a: of_next, stored: stored_triangle(shape, op.transposed) };
                FewRhsSolve { a: view(&self.a, i, lda), op, triangle, next }.solve(
                    n,
                    y,
                    1,
                    base.wrapping_add(workspace),
                );
                if incx == 1 {
                    unpack::<P>(y.p, x, n);
                } else {
                    (0..n).for_each(|j| write(at(j), get::<P>(y.p, j)));
                }
            }
        }
    }
}

/// The system as a trsm, with x as B's only column, or as its only row: the increment must not change which algorithm
/// is used, and hence the result. [`solve_vectors`] is told separately whether op conjugates and whether x is reversed.
fn system(p: &Trsv) -> Trsm {
    let (&Trsv { trans, n, incx, .. }, column) = (p, p.system());
    if incx == 1 {
        return column;
    }
    let trans = if trans == Trans::N { Trans::T } else { Trans::N };
    Trsm { side: Side::Right, trans, m: 1, n, ldb: incx.saturating_abs(), ..column }
}

impl Varying for Trsv {
    /// Member i, if its sizes are valid and it has elements.
    #[inline(always)]
    unsafe fn member(&self, i: usize, _: &Bounds) -> Option<Trsv> {
        let p = unsafe { self.known_member(i)? };
        let valid = (1..=self.n).contains(&p.n) && is_valid_ld(p.lda, p.n) && p.incx != 0;
        valid.then_some(p)
    }
    #[inline(always)]
    unsafe fn known_member(&self, i: usize) -> Option<Trsv> {
        let [n, lda, incx] = unsafe { self.sizes?.member(i) };
        let [a, x] = of_member([self.a, self.x], i, self.dtype);
        Some(Trsv { n, a, lda, x, incx, sizes: None, batch: 1, ..*self })
    }
}

impl InLanes for Trsv {
    #[inline(always)]
    unsafe fn tile(&self) -> Option<(i64, i64)> {
        Some((self.n, 1))
    }
    /// If x is not contiguous it is a row, whose elements may be in reverse order.
    #[inline(always)]
    fn apart(&self) -> bool {
        self.incx != 1
    }
    #[inline(always)]
    unsafe fn places(&self) -> Places {
        let &Trsv { n, a, lda, x, incx, .. } = self;
        let places = unsafe { Places::new(a, [n, n, lda], null_mut()) };
        let mut places = unsafe { places.with_right(x, if incx == 1 { [n, 1, n] } else { [1, n, incx] }) };
        let before = (n - 1) * (-incx).max(0) * self.dtype.bytes() as i64;
        places.right.0 = places.right.0.wrapping_byte_offset(before as isize);
        places
    }
    #[inline(always)]
    fn tile_bytes<P: Pack>(&self, n: usize, _: usize) -> Option<usize> {
        small_bytes::<P>(n, 1)
    }
    #[inline(always)]
    unsafe fn group<P: Pack<S: Packed>>(
        &self,
        group: &SmallGroup<Re<P>>,
        _: &SmallGroup<Re<P>>,
        buffer: *mut u8,
    ) -> u32 {
        // Of a group with a single unknown in each member, x may be either.
        let of_x = Transform { transposed: group.right.sizes.columns.iter().any(|&n| n > 1), conjugated: false };
        unsafe { SmallSystems::new(&self.system(), of_x).solve::<P>(group, buffer) }
    }
}

impl OverBatch for Trsv {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        (self.n * self.n) as f64
    }
    fn elements(&self) -> Option<i64> {
        self.n.checked_mul(self.n)
    }
    fn interleaved_best(&self, level: Level, lanes: i64) -> i64 {
        match level {
            // Up to about these sizes a vector that a single member does not fill costs more than the copy of A.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => lanes * if self.dtype.is_complex() { 256 } else { 512 },
            _ => interleaved_best(level, lanes),
        }
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { small_members::process::<T, _>(self, execution.distribution) };
        }
        if execution.interleaved {
            let (conjugate, reversed) = (T::COMPLEX && self.trans == Trans::C, self.incx < 0);
            return unsafe { solve_vectors::<T>(&system(self), conjugate, reversed, execution) };
        }
        let task = Vector::<T> { p: self, a: Members::new(self.a), x: Members::new(self.x) };
        unsafe { run(&task, self.batch, execution) }
    }
}
