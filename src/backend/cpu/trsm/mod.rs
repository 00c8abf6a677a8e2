//! Batched triangular solves. All forms are reduced to Y M = alpha B with M upper or lower triangular, where Y is B or
//! B^T: the right-hand sides lie along the lanes of packed columns, one column per unknown.

use super::batch::{Members, of_member};
use super::blocked::{GROUP, subtract};
use super::choice::{Execution, distribute};
use super::divisor::Divisor;
use super::few_rhs::{self, FewRhsSolve, NextTriangle, stored_triangle};
use super::gemm::value;
use super::interleaved::{self, Group, GroupLayout, Part, Tile, Triangle};
use super::lu::interleaved_best;
use super::lu::triangles::{Shape, TriangleKind};
use super::over_batch::{OverBatch, Task, Varying, over_batch};
use super::packed::{Columns, Re, get, leading, set};
use super::scratch::Arena;
use super::simd::{Lanes, Level, Pack, Packed};
use super::small_members;
use super::view::{Transform, View, view};
use crate::error::Error;
use crate::routine::bounds::Bounds;
use crate::routine::sizes::is_valid_ld;
use crate::routine::{Alpha, Diag, Side, Trans, Trsm, Uplo};
use crate::scalar::Scalar;
use std::ops::Range;

mod members;

pub use members::{SmallSystems, small_bytes};

/// Right-hand sides that are solved at a time.
const CHUNK: usize = 256;
/// The same for interleaved members.
const GROUP_CHUNK: usize = 32;

struct TrsmTask<'a, T> {
    p: &'a Trsm,
    a: Members<T>,
    b: Members<T>,
    alpha: T,
    interleaved: bool,
    /// Whether op conjugates.
    conjugate: bool,
    /// Whether the unknowns of the only right-hand side are stored in reverse order.
    reversed: bool,
}

struct Layout {
    ld: usize,
    ld_small: usize,
    w: usize,
    /// The triangles of interleaved members.
    a: GroupLayout,
    /// The right-hand sides of interleaved members.
    b: GroupLayout,
    /// For few right-hand sides: distance between them in numbers, and the offset of the workspace for
    /// [`FewRhsSolve::solve`].
    few_rhs: (usize, usize),
    bytes: usize,
}

/// The triangle of a tile with A as it is, for op(A) X = B or op(A)^T X^T = B^T.
#[inline(always)]
fn triangle(p: &Trsm, conjugated: bool) -> Triangle {
    let transposed = (p.side == Side::Left) != (p.trans == Trans::N);
    Triangle { upper: (p.uplo == Uplo::Upper) != transposed, transposed, conjugated }
}

/// Reverses the first n elements of a packed column.
#[inline(always)]
unsafe fn reverse<P: Pack>(x: Columns<P>, n: usize) {
    for i in 0..n / 2 {
        unsafe {
            let (one, other) = (get::<P>(x.p, i), get::<P>(x.p, n - 1 - i));
            set::<P>(x.p, i, other);
            set::<P>(x.p, n - 1 - i, one);
        }
    }
}

impl<T: Packed> TrsmTask<'_, T> {
    /// The number of right-hand sides, and of unknowns in each.
    fn shape(&self) -> (usize, usize) {
        let (m, n) = (self.p.m as usize, self.p.n as usize);
        if self.p.side == Side::Left { (n, m) } else { (m, n) }
    }
    /// Number of parts that a member's right-hand sides are divided into.
    fn parts(&self) -> usize {
        if self.interleaved { 1 } else { self.shape().0.div_ceil(CHUNK) }
    }
    #[inline(always)]
    fn layout<P: Pack<S = T>>(&self) -> Option<Layout> {
        let (rhs, order) = self.shape();
        let ld = leading::<P>(rhs.min(CHUNK))?;
        let ld_small = order.div_ceil(P::L).checked_mul(P::REALS)?;
        let mut arena = Arena::<Re<P>>::new();
        arena.part(ld.checked_mul(order)?)?;
        let w = arena.part(ld_small.checked_mul(GROUP)?)?;
        let (mut a, mut b) = (GroupLayout::default(), GroupLayout::default());
        if P::interleaves(self.interleaved) {
            a = GroupLayout::new::<P>(&mut arena, order, order, 0)?;
            b = GroupLayout::new::<P>(&mut arena, order, rhs.min(GROUP_CHUNK), 0)?;
        }
        let mut few_rhs = (0, 0);
        if rhs <= few_rhs::max_columns::<P>() {
            let ld = leading::<P>(order)?;
            arena = Arena::new();
            arena.part(ld.checked_mul(rhs)?)?;
            few_rhs = (ld, few_rhs::reserve_workspace::<P>(&mut arena, order, rhs)?);
            if P::interleaves(self.interleaved) {
                a = GroupLayout::new::<P>(&mut arena, order, order, 0)?;
                b = GroupLayout::new::<P>(&mut arena, order, rhs, 0)?;
            }
        }
        Some(Layout { ld, ld_small, w, a, b, few_rhs, bytes: arena.bytes()? })
    }

    /// Solves for all right-hand sides of member i, which are at most [`few_rhs::max_columns`].
    #[inline(always)]
    unsafe fn solve_few_rhs<P: Pack<S = T>>(&self, i: usize, (ld, workspace): (usize, usize), base: *mut Re<P>) {
        let ((rhs, order), left) = (self.shape(), self.p.side == Side::Left);
        let (upper, unit) = (self.p.uplo == Uplo::Upper, self.p.diag == Diag::Unit);
        // From the right, the rows of B are the right-hand sides and op(A)^T is the triangle. conj(A) X = B is solved
        // as A conj(X) = conj(B).
        let (transposed, conjugated) = (left != (self.p.trans == Trans::N), T::COMPLEX && self.conjugate);
        let op = Transform { transposed, conjugated: conjugated && transposed };
        let of_b = Transform { transposed: !left, conjugated: conjugated && !transposed };
        let shape = if upper == transposed { Shape::Lower } else { Shape::Upper };
        unsafe {
            let (a, b) = (view(&self.a, i, self.p.lda), view(&self.b, i, self.p.ldb));
            let x = Columns::<P> { p: base, ld };
            if self.alpha == T::zero() {
                (0..rhs).for_each(|c| (0..order.div_ceil(P::L)).for_each(|r| P::zero().store(x.pack(r, c))));
            } else {
                b.pack(of_b, order, rhs, x);
                if self.reversed {
                    reverse(x, order);
                }
                let alpha = if of_b.conjugated { self.alpha.conj() } else { self.alpha };
                for c in 0..if alpha == T::one() { 0 } else { rhs } {
                    for r in 0..order.div_ceil(P::L) {
                        P::load(x.pack(r, c)).mul(P::splat(alpha)).store(x.pack(r, c));
                    }
                }
                let of_next = view(&self.a, (i + 1).min(self.p.batch as usize - 1), self.p.lda);
                let next = NextTriangle { a: of_next, stored: stored_triangle(shape, transposed) };
                FewRhsSolve { a, op, triangle: TriangleKind { shape, unit }, next }.solve(
                    order,
                    x,
                    rhs,
                    base.wrapping_add(workspace),
                );
                if self.reversed {
                    reverse(x, order);
                }
            }
            b.unpack(of_b, order, rhs, x);
        }
    }

    /// Solves the members of a group in lanes, as op(A) X = alpha B or op(A)^T X^T = alpha B^T. Returns those that must
    /// be solved one by one.
    #[inline(always)]
    unsafe fn group<P: Pack<S = T>>(&self, group: &Group, a: Tile<P>, x: Tile<P>) -> u32 {
        let ((rhs, order), lda, ldb) = (self.shape(), self.p.lda as usize, self.p.ldb as usize);
        let (left, upper, unit) = (self.p.side == Side::Left, self.p.uplo == Uplo::Upper, self.p.diag == Diag::Unit);
        let transform = |transposed| Transform { transposed, conjugated: false };
        let triangle = triangle(self.p, self.conjugate);
        unsafe {
            let part = if upper { Part::Upper } else { Part::Lower };
            interleaved::load(&group.starts(&self.a), lda, transform(false), part, order, order, a);
            let remaining = prepare_diagonal(a, order, unit) & group.lanes();
            let mut members = group.starts(&self.b);
            for first in (0..rhs).step_by(GROUP_CHUNK) {
                let count = GROUP_CHUNK.min(rhs - first);
                interleaved::load(&members, ldb, transform(!left), Part::Whole, order, count, x);
                if self.reversed {
                    x.reverse(order);
                }
                if self.alpha != T::one() {
                    x.scale(order, count, self.alpha);
                }
                substitute(a, triangle, order, x, count, false);
                if self.reversed {
                    x.reverse(order);
                }
                interleaved::store(x, transform(!left), order, count, &members, ldb, group.lanes() & !remaining);
                for p in &mut members {
                    // Not dereferenced after the last chunk.
                    *p = p.wrapping_add(GROUP_CHUNK * if left { ldb } else { 1 } * T::PARTS);
                }
            }
            remaining
        }
    }
    /// Element (i, j) of M: of op(A) for the right side, of op(A)^T for the left one.
    #[inline(always)]
    unsafe fn coefficient(&self, a: &View<T>, i: usize, j: usize) -> T {
        let x = unsafe { if self.swapped() { a.get(j, i) } else { a.get(i, j) } };
        if self.conjugate { x.conj() } else { x }
    }
    fn swapped(&self) -> bool {
        (self.p.side == Side::Left) == (self.p.trans == Trans::N)
    }

    /// Y(.., c) -= Y(.., done) M(done, c) for the N columns c from `at` on.
    #[inline(always)]
    unsafe fn eliminate<P: Pack<S = T>, const N: usize>(
        &self,
        a: &View<T>,
        y: Columns<P>,
        w: Columns<P>,
        at: usize,
        done: Range<usize>,
        packs: usize,
    ) {
        if done.is_empty() {
            return;
        }
        unsafe {
            for c in 0..N {
                for (row, i) in done.clone().enumerate() {
                    set::<P>(w.column(c), row, self.coefficient(a, i, at + c));
                }
            }
            subtract::<P, 2, N>(y.starting_at(at), y.starting_at(done.start), w, done.len(), 0, packs);
        }
    }

    #[inline(always)]
    unsafe fn divide<P: Pack<S = T>>(&self, a: &View<T>, column: *mut Re<P>, c: usize, packs: usize) {
        if self.p.diag == Diag::Unit {
            return;
        }
        unsafe {
            let d = self.coefficient(a, c, c);
            if T::COMPLEX {
                Divisor::new(d).divide_column::<P>(column, 0, packs * P::L);
                return;
            }
            for r in 0..packs {
                let p = column.add(r * P::REALS);
                let x = P::load(p).re().div(P::splat(d).re());
                P::from_parts(x, x).store(p);
            }
        }
    }

    /// Y := Y M^-1 for packed right-hand sides.
    #[inline(always)]
    unsafe fn solve<P: Pack<S = T>>(&self, a: &View<T>, y: Columns<P>, w: Columns<P>, rhs: usize, order: usize) {
        let packs = rhs.div_ceil(P::L);
        let upper = (self.p.uplo == Uplo::Upper) != self.swapped();
        let groups = order.div_ceil(GROUP);
        for g in 0..groups {
            let start = GROUP * if upper { g } else { groups - 1 - g };
            let end = order.min(start + GROUP);
            let done = if upper { 0..start } else { end..order };
            unsafe {
                if end - start == GROUP {
                    self.eliminate::<P, GROUP>(a, y, w, start, done, packs);
                } else {
                    (start..end).for_each(|c| self.eliminate::<P, 1>(a, y, w, c, done.clone(), packs));
                }
                for i in 0..end - start {
                    let c = if upper { start + i } else { end - 1 - i };
                    let near = if upper { start..c } else { c + 1..end };
                    self.eliminate::<P, 1>(a, y, w, c, near, packs);
                    self.divide::<P>(a, y.column(c), c, packs);
                }
            }
        }
    }

    /// Solves for the right-hand sides of member i from `first` on, at most [`CHUNK`] of them.
    #[inline(always)]
    unsafe fn part<P: Pack<S = T>>(&self, i: usize, first: usize, layout: &Layout, base: *mut Re<P>) {
        let ((rhs, order), left) = (self.shape(), self.p.side == Side::Left);
        let transform = Transform { transposed: left, conjugated: false };
        unsafe {
            let y = Columns::<P> { p: base, ld: layout.ld };
            let w = Columns::<P> { p: base.add(layout.w), ld: layout.ld_small };
            let (a, b) = (view(&self.a, i, self.p.lda), view(&self.b, i, self.p.ldb));
            let count = CHUNK.min(rhs - first);
            let step = if left { first * b.ld } else { first };
            let part = View::<T> { p: b.p.add(step * T::PARTS), ld: b.ld };
            if self.alpha == T::zero() {
                (0..order).for_each(|c| (0..count.div_ceil(P::L)).for_each(|r| P::zero().store(y.pack(r, c))));
            } else {
                part.pack(transform, count, order, y);
                if self.alpha != T::one() {
                    for c in 0..order {
                        for r in 0..count.div_ceil(P::L) {
                            P::load(y.pack(r, c)).mul(P::splat(self.alpha)).store(y.pack(r, c));
                        }
                    }
                }
                self.solve(&a, y, w, count, order);
            }
            part.unpack(transform, count, order, y);
        }
    }
}

/// Sets the diagonal of a tile of order n to 1, or that of a complex one to its reciprocals. Returns the lanes with a
/// diagonal element whose reciprocal is not a normal number, in which it sets the identity.
#[inline(always)]
unsafe fn prepare_diagonal<P: Pack<S: Packed>>(a: Tile<P>, n: usize, unit: bool) -> u32 {
    let mut irregular = 0;
    unsafe {
        if unit {
            for i in 0..n {
                a.put(i, i, u32::MAX, P::S::one());
            }
        } else if P::S::COMPLEX {
            irregular = interleaved::replace_irregular_by_identity(a, n);
            interleaved::reciprocals(a, n);
        }
    }
    irregular
}

/// [`interleaved::solve`] after [`prepare_diagonal`].
#[inline(always)]
unsafe fn substitute<P: Pack>(a: Tile<P>, triangle: Triangle, n: usize, x: Tile<P>, columns: usize, each: bool) {
    unsafe {
        if P::S::COMPLEX {
            interleaved::solve(a, triangle, n, x, columns, interleaved::times_reciprocal, each);
        } else {
            interleaved::solve(a, triangle, n, x, columns, interleaved::divide_by_real, each);
        }
    }
}

impl<T: Packed> Task<T> for TrsmTask<'_, T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        self.layout::<P>().map(|l| l.bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let Some(layout) = self.layout::<P>() else { return };
        let base = buffer.cast::<Re<P>>();
        let (rhs, interleaved) = (self.shape().0, P::interleaves(self.interleaved));
        for group in Group::of::<P>(range, interleaved) {
            unsafe {
                let (a, x) = (layout.a.at::<P>(base).0, layout.b.at::<P>(base).0);
                let remaining = if interleaved { self.group(&group, a, x) } else { 1 };
                if rhs <= few_rhs::max_columns::<P>() {
                    for i in group.members(remaining) {
                        self.solve_few_rhs::<P>(i, layout.few_rhs, base);
                    }
                    continue;
                }
                for part in group.members(remaining) {
                    let first = part % self.parts() * CHUNK;
                    for first in (first..rhs).step_by(if interleaved { CHUNK } else { rhs }) {
                        self.part::<P>(part / self.parts(), first, &layout, base);
                    }
                }
            }
        }
    }
}

impl Varying for Trsm {
    /// Member i, if its sizes are valid and it has elements.
    #[inline(always)]
    unsafe fn member(&self, i: usize, _: &Bounds) -> Option<Trsm> {
        let p = unsafe { self.known_member(i)? };
        let (order, _) = p.side.order(p.m, p.n);
        let valid = (1..=self.m).contains(&p.m) && (1..=self.n).contains(&p.n);
        (valid && is_valid_ld(p.lda, order) && is_valid_ld(p.ldb, p.m)).then_some(p)
    }
    #[inline(always)]
    unsafe fn known_member(&self, i: usize) -> Option<Trsm> {
        let [m, n, lda, ldb] = unsafe { self.sizes?.member(i) };
        let [a, b] = of_member([self.a, self.b], i, self.dtype);
        Some(Trsm { m, n, a, lda, b, ldb, sizes: None, batch: 1, ..*self })
    }
}

/// Solves for one right-hand side of each member, in lanes. `reversed`: its elements are stored in reverse order.
/// `conjugate`: op conjugates; `p` itself cannot express this for a transpose from the right.
pub unsafe fn solve_vectors<T: Packed>(
    p: &Trsm,
    conjugate: bool,
    reversed: bool,
    execution: &Execution,
) -> Result<(), Error> {
    let (a, b, alpha) = (Members::new(p.a), Members::new(p.b), T::one());
    let task = TrsmTask::<T> { p, a, b, alpha, interleaved: true, conjugate, reversed };
    unsafe { over_batch(&task, p.batch as usize, execution.level, execution.distribution) }
}

impl OverBatch for Trsm {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        let (order, rhs) = if self.side == Side::Left { (self.m, self.n) } else { (self.n, self.m) };
        rhs as f64 * (order * order) as f64
    }
    fn elements(&self) -> Option<i64> {
        let (order, _) = self.side.order(self.m, self.n);
        if self.alpha.is_zero() { None } else { order.checked_mul(order) }
    }
    fn interleaved_best(&self, level: Level, lanes: i64) -> i64 {
        let (order, rhs) = if self.side == Side::Left { (self.m, self.n) } else { (self.n, self.m) };
        match level {
            // With many right-hand sides it pays off to interleave larger triangles.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 if rhs >= order / 2 => 128 * 128,
            _ => interleaved_best(level, lanes),
        }
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        let alpha = unsafe { value(self.alpha) };
        if self.sizes.is_some() {
            let p = Trsm { alpha: Alpha::host(alpha), ..*self };
            return unsafe { small_members::process::<T, _>(&p, execution.distribution) };
        }
        // alpha = 0 sets B to zero without reading A or B.
        let interleaved = execution.interleaved && alpha != T::zero();
        let (a, b, conjugate) = (Members::new(self.a), Members::new(self.b), self.trans == Trans::C);
        let task = TrsmTask::<T> { p: self, a, b, alpha, interleaved, conjugate, reversed: false };
        // The parts of a member's right-hand sides are processed as if they were members.
        let (members, parts) = (self.batch as usize, task.parts());
        let distribution = match parts {
            1 => execution.distribution,
            _ => {
                let (rhs, order) = task.shape();
                distribute(rhs.min(CHUNK) as f64 * (order * order) as f64, (members * parts) as i64, 1)
            }
        };
        unsafe { over_batch(&task, members * parts, execution.level, distribution) }
    }
}
