//! Routines that start with the caller's factors: getrs and getri.

use super::super::batch::Members;
use super::super::choice::Execution;
use super::super::few_rhs::{self, FewRhsSolve, NextTriangle, stored_triangle};
use super::super::interleaved::{self, Group, Part};
use super::super::over_batch::{OverBatch, Task, distribute_members, run};
use super::super::packed::{Columns, Re, get, leading};
use super::super::scratch::Arena;
use super::super::simd::{Level, Pack, Packed};
use super::super::small_members;
use super::super::team::Team;
use super::super::view::{Transform, View, view};
use super::getrf::set_info;
use super::interchanges::{Order, Pivots, exchange_rows};
use super::lanes::Tiles;
use super::triangles::{Shape, TriangleKind, solve};
use super::{flops, interleaved_best, shared};
use crate::error::Error;
use crate::routine::{Getri, Getrs, Trans};
use std::ops::Range;

/// X := A^-1 X, given the packed factors `a` of order n and `ipiv`, which may be NULL.
#[inline(always)]
pub unsafe fn solve_plain<P: Pack>(a: Columns<P>, n: usize, ipiv: *const i32, x: Columns<P>, columns: usize) {
    unsafe {
        exchange_rows(x, columns, ipiv, 0..n, Order::Forwards);
        solve(TriangleKind { shape: Shape::Lower, unit: true }, a, n, x, columns, 0);
        solve(TriangleKind { shape: Shape::Upper, unit: false }, a, n, x, columns, 0);
    }
}

/// X := op(A)^-1 X for a transposing op: `a` holds op of the factors, so op(U) is its lower triangle.
#[inline(always)]
pub unsafe fn solve_transposed<P: Pack>(a: Columns<P>, n: usize, ipiv: *const i32, x: Columns<P>, columns: usize) {
    unsafe {
        solve(TriangleKind { shape: Shape::Lower, unit: false }, a, n, x, columns, 0);
        solve(TriangleKind { shape: Shape::Upper, unit: true }, a, n, x, columns, 0);
        exchange_rows(x, columns, ipiv, 0..n, Order::Backwards);
    }
}

/// Stores A^-1 in a caller's matrix, given the packed factors; `x` is workspace for it.
#[inline(always)]
pub unsafe fn store_inverse<P: Pack>(
    team: &Team,
    a: Columns<P>,
    n: usize,
    ipiv: *const i32,
    x: Columns<P>,
    to: &View<P::S>,
) where
    P::S: Packed,
{
    unsafe {
        shared::invert_by(team, a, n, ipiv, x);
        team.unpack(to, Transform::default(), n, n, x);
    }
}

/// Offsets of the parts of one matrix's workspace: the factors, unless they are used in place, then the solutions.
struct Layout {
    ld: usize,
    x: usize,
    workspace: usize,
    bytes: usize,
}

impl Layout {
    #[inline(always)]
    fn new<P: Pack>(n: usize, columns: usize, in_place: bool) -> Option<Layout> {
        let mut arena = Arena::<Re<P>>::new();
        let ld = leading::<P>(n)?;
        arena.part(if in_place { 0 } else { ld.checked_mul(n)? })?;
        let x = arena.part(ld.checked_mul(columns)?)?;
        let workspace = if in_place { few_rhs::reserve_workspace::<P>(&mut arena, n, columns)? } else { 0 };
        Some(Layout { ld, x, workspace, bytes: arena.bytes()? })
    }
    #[inline(always)]
    unsafe fn at<P: Pack>(&self, buffer: *mut u8) -> (Columns<P>, Columns<P>) {
        let base = buffer.cast::<Re<P>>();
        (Columns { p: base, ld: self.ld }, Columns { p: base.wrapping_add(self.x), ld: self.ld })
    }
}

struct Solving<'a, T> {
    p: &'a Getrs,
    a: Members<T>,
    b: Members<T>,
    ipiv: Pivots,
    interleaved: bool,
    team: Team,
}

impl<T: Packed> Solving<'_, T> {
    /// Whether single members are solved with the factors in the caller's memory.
    #[inline(always)]
    fn in_place<P: Pack<S = T>>(&self) -> bool {
        let most = few_rhs::max_columns_unpacked::<P>(self.p.n as usize, self.p.trans != Trans::N);
        self.p.nrhs as usize <= most
    }
    /// The workspace of one member, the offsets of a group's tiles after it, and the bytes of both.
    #[inline(always)]
    fn layout<P: Pack<S = T>>(&self) -> Option<(Layout, Tiles, usize)> {
        let (n, nrhs) = (self.p.n as usize, self.p.nrhs as usize);
        let (one, mut arena) = (Layout::new::<P>(n, nrhs, self.in_place::<P>())?, Arena::<Re<P>>::new());
        let tiles = match P::interleaves(self.interleaved) {
            true => Tiles::new::<P>(&mut arena, (n, n), nrhs)?,
            false => Tiles::default(),
        };
        let bytes = one.bytes.checked_add(arena.bytes()?)?;
        Some((one, tiles, bytes))
    }

    /// Processes member i.
    #[inline(always)]
    unsafe fn member<P: Pack<S = T>>(&self, i: usize, layout: &Layout, buffer: *mut u8) {
        let (n, nrhs, untransformed) = (self.p.n as usize, self.p.nrhs as usize, Transform::default());
        let plain = self.p.trans == Trans::N;
        let transform = Transform { transposed: !plain, conjugated: self.p.trans == Trans::C };
        unsafe {
            let (a, x) = layout.at::<P>(buffer);
            let (b, ipiv) = (view(&self.b, i, self.p.ldb), self.ipiv.member(i));
            self.team.pack(&b, untransformed, n, nrhs, x);
            if self.in_place::<P>() {
                let workspace = buffer.cast::<Re<P>>().wrapping_add(layout.workspace);
                if plain {
                    exchange_rows(x, nrhs, ipiv, 0..n, Order::Forwards);
                }
                // If op transposes, op(U) is the lower triangle.
                let after = (i + 1).min(self.p.batch as usize - 1);
                for (shape, unit, then) in [(Shape::Lower, plain, i), (Shape::Upper, !plain, after)] {
                    let a = view(&self.a, i, self.p.lda);
                    // Prefetch the member's other triangle, then the next member's first.
                    let next =
                        NextTriangle { a: view(&self.a, then, self.p.lda), stored: stored_triangle(shape, plain) };
                    FewRhsSolve { a, op: transform, triangle: TriangleKind { shape, unit }, next }
                        .solve(n, x, nrhs, workspace);
                }
                if !plain {
                    exchange_rows(x, nrhs, ipiv, 0..n, Order::Backwards);
                }
                b.unpack(untransformed, n, nrhs, x);
                return;
            }
            self.team.pack(&view(&self.a, i, self.p.lda), transform, n, n, a);
            let what = if plain { shared::Solve::Plain } else { shared::Solve::Transposed };
            shared::solve_by(&self.team, what, (a, n, ipiv), x, nrhs);
            self.team.unpack(&b, untransformed, n, nrhs, x);
        }
    }

    /// Processes the members of a group in lanes. Returns those that must be done one by one.
    #[inline(always)]
    unsafe fn group<P: Pack<S = T>>(&self, group: &Group, tiles: &Tiles, base: *mut Re<P>) -> u32 {
        let (n, lanes) = (self.p.n as usize, group.lanes());
        unsafe {
            let (a, pivots) = tiles.factors::<P>(base);
            let starts = group.starts(&self.a);
            interleaved::load(&starts, self.p.lda as usize, Transform::default(), Part::Whole, n, n, a);
            load_pivots::<P>(group, &self.ipiv, n, pivots);
            let irregular = interleaved::replace_irregular_by_identity(a, n) & lanes;
            let b = (&self.b, self.p.ldb as usize);
            tiles.solve::<T, P>(base, group, lanes & !irregular, self.p.trans, n, b, self.p.nrhs as usize);
            irregular
        }
    }
}

impl<T: Packed> Task<T> for Solving<'_, T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        self.layout::<P>().map(|(_, _, bytes)| bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let Some((one, tiles, _)) = self.layout::<P>() else { return };
        let behind = buffer.wrapping_add(one.bytes).cast::<Re<P>>();
        for group in Group::of::<P>(range, P::interleaves(self.interleaved)) {
            unsafe {
                let remaining =
                    if P::interleaves(self.interleaved) { self.group::<P>(&group, &tiles, behind) } else { 1 };
                for i in group.members(remaining) {
                    self.member::<P>(i, &one, buffer);
                }
            }
        }
    }
}

impl OverBatch for Getrs {
    fn flops(&self) -> f64 {
        flops(self.dtype, (self.n * self.n) as f64 * self.nrhs as f64)
    }
    fn elements(&self) -> Option<i64> {
        self.n.checked_mul(self.n) // as in gesv, so that results are bitwise the same
    }
    fn interleaved_best(&self, level: Level, lanes: i64) -> i64 {
        interleaved_best(level, lanes)
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { small_members::process::<T, _>(self, distribute_members(self)) };
        }
        if self.nrhs == 0 {
            return Ok(());
        }
        let (a, b, ipiv) = (Members::new(self.a), Members::new(self.b), Pivots::new(self.ipiv));
        let team = execution.distribution.team(execution.level);
        let task = Solving::<T> { p: self, a, b, ipiv, interleaved: execution.interleaved, team };
        unsafe { run(&task, self.batch, execution) }
    }
}

struct Inverting<'a, T> {
    p: &'a Getri,
    a: Members<T>,
    c: Members<T>,
    ipiv: Pivots,
    interleaved: bool,
    team: Team,
}

impl<T: Packed> Inverting<'_, T> {
    /// As [`Solving::layout`].
    #[inline(always)]
    fn layout<P: Pack<S = T>>(&self) -> Option<(Layout, Tiles, usize)> {
        let n = self.p.n as usize;
        let (one, mut arena) = (Layout::new::<P>(n, n, false)?, Arena::<Re<P>>::new());
        let tiles = match P::interleaves(self.interleaved) {
            true => Tiles::with_inverses::<P>(&mut arena, n)?,
            false => Tiles::default(),
        };
        let bytes = one.bytes.checked_add(arena.bytes()?)?;
        Some((one, tiles, bytes))
    }

    /// Inverts member i.
    #[inline(always)]
    unsafe fn member<P: Pack<S = T>>(&self, i: usize, layout: &Layout, buffer: *mut u8) {
        let n = self.p.n as usize;
        unsafe {
            let (a, x) = layout.at::<P>(buffer);
            self.team.pack(&view(&self.a, i, self.p.lda), Transform::default(), n, n, a);
            let singular = (0..n).find(|&j| get::<P>(a.column(j), j) == T::zero());
            set_info(self.p.info, i, singular.map_or(0, |j| j as i32 + 1));
            let to = view(&self.c, i, self.p.ldc);
            match singular {
                None => store_inverse(&self.team, a, n, self.ipiv.member(i), x, &to),
                Some(_) => to.fill(n, n, T::nan()),
            }
        }
    }

    /// Inverts the members of a group in lanes. Returns those that must be done one by one.
    #[inline(always)]
    unsafe fn group<P: Pack<S = T>>(&self, group: &Group, tiles: &Tiles, base: *mut Re<P>) -> u32 {
        let n = self.p.n as usize;
        unsafe {
            let (a, pivots) = tiles.factors::<P>(base);
            let starts = group.starts(&self.a);
            interleaved::load(&starts, self.p.lda as usize, Transform::default(), Part::Whole, n, n, a);
            load_pivots::<P>(group, &self.ipiv, n, pivots);
            let remaining = interleaved::replace_irregular_by_identity(a, n) & group.lanes();
            group.members(group.lanes() & !remaining).for_each(|i| set_info(self.p.info, i, 0));
            tiles.invert::<T, P>(base, group, group.lanes() & !remaining, n, (&self.c, self.p.ldc as usize));
            remaining
        }
    }
}

/// Loads the interchanges of a group's members, counted from 0, those of a step contiguous over the lanes. Members
/// without pivots get no exchanges.
#[inline(always)]
unsafe fn load_pivots<P: Pack>(group: &Group, ipiv: &Pivots, n: usize, to: *mut i32) {
    unsafe {
        for c in 0..n {
            (0..P::L).for_each(|l| *to.add(c * P::L + l) = c as i32);
        }
        for (l, i) in group.members(group.lanes()).enumerate() {
            let from = ipiv.member(i);
            for c in 0..if from.is_null() { 0 } else { n } {
                *to.add(c * P::L + l) = *from.add(c) - 1;
            }
        }
    }
}

impl<T: Packed> Task<T> for Inverting<'_, T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        self.layout::<P>().map(|(_, _, bytes)| bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let Some((one, tiles, _)) = self.layout::<P>() else { return };
        let behind = buffer.wrapping_add(one.bytes).cast::<Re<P>>();
        for group in Group::of::<P>(range, P::interleaves(self.interleaved)) {
            unsafe {
                let remaining =
                    if P::interleaves(self.interleaved) { self.group::<P>(&group, &tiles, behind) } else { 1 };
                for i in group.members(remaining) {
                    self.member::<P>(i, &one, buffer);
                }
            }
        }
    }
}

impl OverBatch for Getri {
    fn flops(&self) -> f64 {
        flops(self.dtype, (self.n as f64).powi(3) * 2.0 / 3.0)
    }
    fn elements(&self) -> Option<i64> {
        self.n.checked_mul(self.n) // as in inv, so that results are bitwise the same
    }
    fn interleaved_best(&self, level: Level, lanes: i64) -> i64 {
        interleaved_best(level, lanes)
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { small_members::process::<T, _>(self, distribute_members(self)) };
        }
        let (a, c, ipiv) = (Members::new(self.a), Members::new(self.c), Pivots::new(self.ipiv));
        let team = execution.distribution.team(execution.level);
        let task = Inverting::<T> { p: self, a, c, ipiv, interleaved: execution.interleaved, team };
        unsafe { run(&task, self.batch, execution) }
    }
}
