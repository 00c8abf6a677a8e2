//! Batched least-squares and minimum-norm solutions, from the QR factors of A or of A^H, whichever is tall.

use super::batch::Members;
use super::blocked::{BlockLayout, Form};
use super::choice::Execution;
use super::divisor::quotient;
use super::interleaved::{self, Group, GroupLayout, Part, Tile};
use super::over_batch::{OverBatch, Task, run};
use super::packed::{Columns, Re, get, leading, set};
use super::reflectors::{Vectors, apply_q, at, factor, width};
use super::scratch::Arena;
use super::simd::{Lanes, MAX_LANES, Pack, Packed};
use super::small_members;
use super::team::Team;
use super::view::{Transform, View, view};
use crate::error::Error;
use crate::routine::Gels;
use crate::scalar::{Real, Scalar};
use lanes::{Solve, multiply_by_q, route};
use std::ops::Range;

mod lanes;
mod members;

struct GelsTask<'a, T> {
    p: &'a Gels,
    a: Members<T>,
    b: Members<T>,
    execution: Execution,
}

/// Offsets of the parts of one problem's workspace.
struct Layout {
    ld: usize,
    b: usize,
    block: BlockLayout,
    tau: usize,
    group: GroupLayout,
    bytes: usize,
}

impl<T: Packed> GelsTask<'_, T> {
    /// Rows and columns of the matrix F that is factored.
    fn tall(&self) -> (usize, usize) {
        (self.p.m.max(self.p.n) as usize, self.p.m.min(self.p.n) as usize)
    }
    fn team(&self) -> Team {
        self.execution.distribution.team(self.execution.level)
    }
    #[inline(always)]
    fn layout<P: Pack<S = T>>(&self) -> Option<Layout> {
        let (m, n) = self.tall();
        let ld = leading::<P>(m)?;
        let mut arena = Arena::<Re<P>>::new();
        arena.part(ld.checked_mul(n)?)?;
        let b = arena.part(ld.checked_mul(self.p.nrhs as usize)?)?;
        let block = BlockLayout::new::<P>(&mut arena, ld, width(m))?;
        let tau = arena.part(n * T::PARTS)?;
        let group = match P::interleaves(self.execution.interleaved) {
            true => GroupLayout::new::<P>(&mut arena, m, n.checked_add(self.p.nrhs as usize)?, n)?,
            false => GroupLayout::default(),
        };
        Some(Layout { ld, b, block, tau, group, bytes: arena.bytes()? })
    }
    fn route(&self) -> (Transform, bool) {
        route(self.p.m < self.p.n, self.p.trans)
    }
    /// Stores the info code of member i: the position of the first zero on R's diagonal, which means that R is
    /// singular.
    unsafe fn set_info(&self, i: usize, singular: Option<usize>) {
        if !self.p.info.is_null() {
            unsafe { self.p.info.add(i).write(singular.map_or(0, |j| j as i32 + 1)) };
        }
    }

    /// Solves the members of a group in the lanes of a tile, with B to the right of F. Returns the lanes that
    /// succeeded.
    #[inline(always)]
    unsafe fn group<P: Pack<S = T>>(&self, group: &Group, (f, tau): (Tile<P>, *mut Re<P>)) -> u32 {
        let (size, sides, (transform, least_squares)) = (self.tall(), self.p.nrhs as usize, self.route());
        let (lda, ldb, untransformed) = (self.p.lda as usize, self.p.ldb as usize, Transform::default());
        let ((m, n), mut solved) = (size, group.lanes());
        unsafe {
            let (a, b, x) = (group.starts(&self.a), group.starts(&self.b), f.starting_at(n));
            interleaved::load(&a, lda, transform, Part::Whole, m, n, f);
            let rows = if least_squares { m } else { n };
            interleaved::load(&b, ldb, untransformed, Part::Whole, rows, sides, x);
            let of_members = None;
            P::V::call_out_of_line(Solve { f, tau, size, sides, least_squares, of_members, lanes: &mut solved });
            for i in group.members(solved) {
                self.set_info(i, None);
            }
            if solved != 0 {
                interleaved::store(f, transform, m, n, &a, lda, solved);
                multiply_by_q(f, tau, size, sides, least_squares);
                interleaved::store(x, untransformed, m, sides, &b, ldb, solved);
            }
            solved
        }
    }
}

/// The range of the largest element of A or B in which LAPACK's `?gels` does not scale the matrix.
#[inline(always)]
fn unscaled_range<R: Real>() -> (R, R) {
    let low = R::NORMAL_RECIPROCALS.0 / R::EPSILON;
    (low, R::from_f64(1.0) / low)
}

/// The exponent of the power of two that scales a matrix into this range, given its largest element. 0 if that is in
/// range, zero or not finite.
#[inline(always)]
pub fn scaling_exponent<R: Real>(largest: R) -> i32 {
    let (low, high) = unscaled_range::<R>();
    if largest > high && largest.is_finite() {
        high.exponent() - 1 - largest.exponent()
    } else if largest < low && largest > R::default() {
        low.exponent() - largest.exponent()
    } else {
        0
    }
}

/// The largest absolute value of a real or imaginary part in n packed columns of m rows; with `triangle`, only on and
/// above the diagonal. Unspecified if there is a NaN.
#[inline(always)]
pub unsafe fn largest<P: Pack>(a: Columns<P>, m: usize, n: usize, triangle: bool) -> Re<P> {
    let zero = P::V::splat(Re::<P>::default());
    let mut most = zero;
    for j in 0..n {
        let rows = if triangle { j + 1 } else { m };
        for r in 0..rows.div_ceil(P::L) {
            // What follows the rows in the last pack may be anything, such as rows of B that are output only.
            let x = unsafe { rows_above::<P>(a.column(j), r, rows) };
            most = most.larger(x.re().copysign(zero));
            if P::S::COMPLEX {
                most = most.larger(x.im().copysign(zero));
            }
        }
    }
    let mut all = [Re::<P>::default(); MAX_LANES];
    // SAFETY: a vector has at most MAX_LANES lanes.
    unsafe { most.store(all.as_mut_ptr()) };
    all.into_iter().fold(Re::<P>::default(), |most, x| if x <= most { most } else { x })
}

/// Multiplies rows of a packed column by 2^e.
#[cold]
#[inline(never)]
pub unsafe fn times_power<P: Pack>(column: *mut Re<P>, rows: Range<usize>, e: i32) {
    for row in rows {
        let x = unsafe { get::<P>(column, row) };
        unsafe { set::<P>(column, row, P::S::new(x.re().scale_by_power(e), x.im().scale_by_power(e))) };
    }
}

/// The part of pack `r` of a packed column that is above row j, which must be in this pack or below it.
#[inline(always)]
unsafe fn rows_above<P: Pack>(column: *const Re<P>, r: usize, j: usize) -> P {
    let x = unsafe { P::load(column.add(r * P::REALS)) };
    if r < j / P::L { x } else { P::zero().blend_low(j % P::L, x) }
}

/// x := R^-1 x, where R is the upper triangle of packed A.
#[inline(always)]
pub unsafe fn solve<P: Pack>(a: Columns<P>, n: usize, x: *mut Re<P>) {
    for j in (0..n).rev() {
        unsafe {
            let value = quotient(get::<P>(x, j), at(a, j, j));
            set::<P>(x, j, value);
            let value = P::splat(value);
            let (whole, lane) = (j / P::L, j % P::L);
            for r in 0..whole {
                let p = x.add(r * P::REALS);
                P::load(p).sub_mul(P::load(a.column(j).add(r * P::REALS)), value).store(p);
            }
            if lane > 0 {
                // Rows from j on are final; an infinite value times zero would turn them into NaN.
                let p = x.add(whole * P::REALS);
                let old = P::load(p);
                old.blend_by_mask(old.sub_mul(rows_above::<P>(a.column(j), whole, j), value), P::V::mask_low(lane))
                    .store(p);
            }
        }
    }
}

/// x := R^-H x, where R is the upper triangle of packed A.
#[inline(always)]
unsafe fn solve_adjoint<P: Pack>(a: Columns<P>, n: usize, x: *mut Re<P>) {
    for j in 0..n {
        unsafe {
            let mut sum = P::zero();
            for r in 0..(j + 1).div_ceil(P::L) {
                sum = sum.add_conj_mul(rows_above::<P>(a.column(j), r, j), rows_above::<P>(x, r, j));
            }
            set::<P>(x, j, quotient(get::<P>(x, j) - sum.sum(), at(a, j, j).conj()));
        }
    }
}

impl<T: Packed> Task<T> for GelsTask<'_, T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        self.layout::<P>().map(|l| l.bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let Some(layout) = self.layout::<P>() else { return };
        let ((m, n), nrhs) = (self.tall(), self.p.nrhs as usize);
        let (transform, least_squares) = self.route();
        let base = buffer.cast::<Re<P>>();
        unsafe {
            let (block, a) = (layout.block.at::<P>(base, self.team()), Columns::<P> { p: base, ld: layout.ld });
            let b = Columns::<P> { p: base.add(layout.b), ld: layout.ld };
            let tau = View::<T> { p: base.add(layout.tau), ld: 1 };
            for group in Group::of::<P>(range, P::interleaves(self.execution.interleaved)) {
                let mut left = group.lanes();
                if P::interleaves(self.execution.interleaved) {
                    left &= !self.group::<P>(&group, layout.group.at(base));
                }
                for i in group.members(left) {
                    let (member, rhs) = (view(&self.a, i, self.p.lda), view(&self.b, i, self.p.ldb));
                    self.team().pack(&member, transform, m, n, a);
                    factor(&block, a, m, n, tau.p.cast());
                    // R shows whether A may be outside the range in which it is not scaled. The caller's A is still
                    // intact, so it can be packed again.
                    let (low, high) = unscaled_range::<Re<P>>();
                    let (r, near) = (largest(a, n, n, true), Re::<P>::from_f64(f64::from(1 << 16)));
                    let mut of_a = 0;
                    if !(r >= low * near && r * near <= high) {
                        self.team().pack(&member, transform, m, n, a);
                        of_a = scaling_exponent(largest(a, m, n, false));
                        for j in 0..if of_a == 0 { 0 } else { n } {
                            times_power::<P>(a.column(j), 0..m, of_a);
                        }
                        factor(&block, a, m, n, tau.p.cast());
                    }
                    let singular = (0..n).find(|&j| at(a, j, j) == T::zero());
                    self.set_info(i, singular);
                    self.team().pack(&rhs, Transform::default(), m, nrhs, b);
                    let rows = if least_squares { m } else { n };
                    let of_b = scaling_exponent(largest(b, rows, nrhs, false));
                    for j in 0..if of_b == 0 { 0 } else { nrhs } {
                        times_power::<P>(b.column(j), 0..rows, of_b);
                    }
                    let q = Vectors::Packed(a);
                    if least_squares {
                        apply_q(&block, &q, &tau, n, Form::Adjoint, b, m, nrhs);
                    }
                    for j in 0..nrhs {
                        let x = b.column(j);
                        if singular.is_some() {
                            // Do not divide by zero: the program may have enabled floating-point traps.
                            (0..if least_squares { n } else { m }).for_each(|row| set::<P>(x, row, T::nan()));
                        } else if least_squares {
                            solve(a, n, x);
                        } else {
                            solve_adjoint(a, n, x);
                            (n..m).for_each(|row| set::<P>(x, row, T::zero()));
                        }
                    }
                    if !least_squares && singular.is_none() {
                        apply_q(&block, &q, &tau, n, Form::Plain, b, m, nrhs);
                    }
                    if (of_a, of_b) != (0, 0) {
                        // X belongs to the scaled A and B; the residual below it to the scaled B alone.
                        let solved = if least_squares { n } else { m };
                        for j in 0..nrhs {
                            times_power::<P>(b.column(j), 0..solved, of_a - of_b);
                            times_power::<P>(b.column(j), solved..if least_squares { m } else { n }, -of_b);
                        }
                        (0..n).for_each(|j| times_power::<P>(a.column(j), 0..j + 1, -of_a));
                    }
                    self.team().unpack(&member, transform, m, n, a);
                    self.team().unpack(&rhs, Transform::default(), m, nrhs, b);
                }
            }
        }
    }
}

impl OverBatch for Gels {
    fn flops(&self) -> f64 {
        let (m, n) = (self.m.max(self.n) as f64, self.m.min(self.n) as f64);
        2.0 * m * n * (n + 2.0 * self.nrhs as f64)
    }
    fn elements(&self) -> Option<i64> {
        // Right-hand sides cost next to nothing as long as there are no more of them than columns.
        let n = self.m.min(self.n);
        self.m.max(self.n).checked_mul(n.checked_add((self.nrhs - n).max(0))?)
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { small_members::process::<T, _>(self, execution.distribution) };
        }
        let task = GelsTask::<T> { p: self, a: Members::new(self.a), b: Members::new(self.b), execution: *execution };
        unsafe { run(&task, self.batch, execution) }
    }
}
