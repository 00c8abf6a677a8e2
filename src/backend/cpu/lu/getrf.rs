//! Routines that start with a factorisation: getrf, gesv and inv.

use super::super::batch::Members;
use super::super::choice::Execution;
use super::super::interleaved::{self, Group, Part};
use super::super::over_batch::{OverBatch, Task, Varying, distribute_members, run};
use super::super::packed::{Columns, Re, leading};
use super::super::scratch::Arena;
use super::super::simd::{Level, MAX_LANES, Pack, Packed};
use super::super::small_members;
use super::super::team::Team;
use super::super::view::{Transform, View, view};
use super::factor::factor;
use super::getrs::{solve_plain, store_inverse};
use super::interchanges::Pivots;
use super::lanes::Tiles;
use super::pivot::SmallPivotPolicy;
use super::{flops, interleaved_best, shared};
use crate::error::Error;
use crate::routine::bounds::Bounds;
use crate::routine::{Gesv, Getrf, Inv, Operand, SmallPivots, Trans};
use crate::scalar::Real;
use std::ops::Range;

/// What is computed from the factors.
#[derive(Clone, Copy)]
enum Then {
    /// Nothing.
    Nothing,
    /// Solutions in place of `nrhs` right-hand sides.
    Solve { nrhs: usize },
    /// The inverse; NaN if the matrix is singular.
    Invert,
}

/// Factors A and computes `then` from the factors, with its result in `x`.
struct Factoring<T> {
    m: usize,
    n: usize,
    a: (Members<T>, i64),
    /// Whether the caller gets the factors.
    keep: bool,
    pivoting: bool,
    /// Pivots below this are replaced and counted. 0: none are.
    least_pivot: f64,
    /// Where the caller wants the interchanges; if nowhere, they go to the workspace.
    ipiv: Pivots,
    info: *mut i32,
    then: Then,
    x: (Members<T>, i64),
    interleaved: bool,
    team: Team,
}

/// Offsets of the parts of one matrix's workspace.
struct Layout {
    ld: usize,
    x: usize,
    ipiv: usize,
    tiles: Tiles,
    bytes: usize,
}

impl Layout {
    /// A, and the right-hand sides or the inverse.
    #[inline(always)]
    unsafe fn columns<P: Pack>(&self, base: *mut Re<P>) -> (Columns<P>, Columns<P>) {
        (Columns { p: base, ld: self.ld }, Columns { p: base.wrapping_add(self.x), ld: self.ld })
    }
}

impl<T: Packed> Factoring<T> {
    #[inline(always)]
    fn layout<P: Pack<S = T>>(&self) -> Option<Layout> {
        let mut arena = Arena::<Re<P>>::new();
        let ld = leading::<P>(self.m)?;
        let columns = match self.then {
            Then::Nothing => 0,
            Then::Solve { nrhs } => nrhs,
            Then::Invert => self.n,
        };
        // Adjacent, so that right-hand sides are columns to the right of A's.
        let x = ld.checked_mul(self.n)?;
        arena.part(ld.checked_mul(self.n.checked_add(columns)?)?)?;
        // In units of numbers, none of which is smaller than an int.
        let ipiv = arena.part(self.m.min(self.n))?;
        let tiles = match (P::interleaves(self.interleaved), self.then) {
            (true, Then::Nothing) => Tiles::new::<P>(&mut arena, (self.m, self.n), 0)?,
            (true, Then::Solve { nrhs }) => Tiles::new::<P>(&mut arena, (self.m, self.n), nrhs)?,
            (true, Then::Invert) => Tiles::with_inverses::<P>(&mut arena, self.n)?,
            (false, _) => Tiles::default(),
        };
        Some(Layout { ld, x, ipiv, tiles, bytes: arena.bytes()? })
    }

    /// Where to store the interchanges of member i. NULL: nowhere.
    #[inline(always)]
    unsafe fn pivots(&self, i: usize, own: *mut i32) -> *mut i32 {
        let theirs = unsafe { self.ipiv.member(i) };
        match (self.pivoting, theirs.is_null()) {
            (false, _) => std::ptr::null_mut(),
            (true, true) => own,
            (true, false) => theirs,
        }
    }

    /// Processes member i.
    #[inline(always)]
    unsafe fn member<P: Pack<S = T>>(&self, i: usize, layout: &Layout, buffer: *mut u8) {
        let ((m, n), base, untransformed) = ((self.m, self.n), buffer.cast::<Re<P>>(), Transform::default());
        unsafe {
            let (a, x) = layout.columns::<P>(base);
            let member = view(&self.a.0, i, self.a.1);
            let ipiv = self.pivots(i, base.add(layout.ipiv).cast());
            self.team.pack(&member, untransformed, m, n, a);
            let mut right = 0;
            if let Then::Solve { nrhs } = self.then {
                self.team.pack(&view(&self.x.0, i, self.x.1), untransformed, n, nrhs, x);
                right = nrhs;
            }
            let mut small_pivots = SmallPivotPolicy { threshold: Re::<P>::from_f64(self.least_pivot), count: 0 };
            let singular = factor(a, (m, n), right, ipiv, &mut small_pivots, self.team);
            if self.keep {
                self.team.unpack(&member, untransformed, m, n, a);
            }
            if self.least_pivot > 0.0 {
                set_info(self.info, i, small_pivots.count);
                return;
            }
            set_info(self.info, i, singular.map_or(0, |j| j as i32 + 1));
            let to = || view(&self.x.0, i, self.x.1);
            match self.then {
                Then::Nothing => {}
                // Do not divide by zero: the program may have enabled floating-point traps.
                Then::Solve { nrhs } if singular.is_some() => to().fill(n, nrhs, T::nan()),
                Then::Solve { nrhs } => {
                    shared::solve_by(&self.team, shared::Solve::Upper, (a, n, std::ptr::null()), x, nrhs);
                    self.team.unpack(&to(), untransformed, n, nrhs, x);
                }
                Then::Invert if singular.is_some() => to().fill(n, n, T::nan()),
                Then::Invert => store_inverse(&self.team, a, n, ipiv, x, &to()),
            }
        }
    }

    /// Solves member i's systems, given its packed factors.
    #[inline(always)]
    unsafe fn solve<P: Pack<S = T>>(&self, i: usize, nrhs: usize, a: Columns<P>, ipiv: *const i32, x: Columns<P>) {
        unsafe {
            let rhs = view(&self.x.0, i, self.x.1);
            rhs.pack(Transform::default(), self.n, nrhs, x);
            solve_plain(a, self.n, ipiv, x, nrhs);
            rhs.unpack(Transform::default(), self.n, nrhs, x);
        }
    }

    /// Processes the members of a group in lanes.
    #[inline(always)]
    unsafe fn group<P: Pack<S = T>>(&self, group: &Group, layout: &Layout, buffer: *mut u8) {
        let ((m, n), base, untransformed) = ((self.m, self.n), buffer.cast::<Re<P>>(), Transform::default());
        unsafe {
            let (a, pivots) = layout.tiles.factors::<P>(base);
            let starts = group.starts(&self.a.0);
            interleaved::load(&starts, self.a.1 as usize, untransformed, Part::Whole, m, n, a);
            let (steps, ld) = (interleaved::lu_steps(m, n), self.a.1 as usize);
            let mut prefetch = interleaved::Prefetch::for_next_group(group, &self.a.0, (m, n, ld), Part::Whole, steps);
            let own = if self.pivoting { pivots } else { std::ptr::null_mut() };
            let zeros = interleaved::lu(a, m, n, own, &mut prefetch);
            // Without pivoting, the solves below exchange each row with itself.
            for c in 0..if self.pivoting { 0 } else { m.min(n) } {
                (0..P::L).for_each(|l| *pivots.add(c * P::L + l) = c as i32);
            }
            if self.keep {
                interleaved::store(a, untransformed, m, n, &starts, self.a.1 as usize, group.lanes());
            }
            for (l, i) in group.members(group.lanes()).enumerate() {
                let to = self.pivots(i, std::ptr::null_mut());
                for c in 0..if to.is_null() { 0 } else { m.min(n) } {
                    *to.add(c) = *pivots.add(c * P::L + l) + 1;
                }
                set_info(self.info, i, zeros[l]);
            }
            if matches!(self.then, Then::Nothing) {
                return;
            }
            // Members with a diagonal element whose reciprocal is not a normal number are solved one by one, before the
            // identity replaces their factors.
            let without_reciprocals = interleaved::lanes_without_normal_reciprocal(a, n);
            let irregular = without_reciprocals & group.lanes();
            for (l, i) in group.members(group.lanes()).enumerate() {
                if irregular >> l & 1 == 1 {
                    let own = base.add(layout.ipiv).cast::<i32>();
                    (0..n).for_each(|c| *own.add(c) = *pivots.add(c * P::L + l) + 1);
                    let (factors, x) = layout.columns::<P>(base);
                    match self.then {
                        Then::Solve { nrhs } if zeros[l] != 0 => {
                            view(&self.x.0, i, self.x.1).fill(n, nrhs, T::nan());
                        }
                        Then::Solve { nrhs } => {
                            view(&self.a.0, i, self.a.1).pack(untransformed, n, n, factors);
                            self.solve(i, nrhs, factors, own, x);
                        }
                        _ if zeros[l] != 0 => view(&self.x.0, i, self.x.1).fill(n, n, T::nan()),
                        _ => {
                            // The caller does not get the factors, so they pass through the space of the inverse.
                            interleaved::store(a, untransformed, n, n, &[x.p; MAX_LANES], n, 1 << l);
                            View::<T> { p: x.p, ld: n }.pack(untransformed, n, n, factors);
                            store_inverse(&self.team, factors, n, own, x, &view(&self.x.0, i, self.x.1));
                        }
                    }
                }
            }
            let (lanes, x) = (group.lanes() & !irregular, (&self.x.0, self.x.1 as usize));
            a.make_identity(n, without_reciprocals);
            match self.then {
                Then::Solve { nrhs } => layout.tiles.solve::<T, P>(base, group, lanes, Trans::N, n, x, nrhs),
                _ => layout.tiles.invert::<T, P>(base, group, lanes, n, x),
            }
        }
    }
}

impl<T: Packed> Task<T> for Factoring<T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        self.layout::<P>().map(|l| l.bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let Some(layout) = self.layout::<P>() else { return };
        for group in Group::of::<P>(range, P::interleaves(self.interleaved)) {
            if P::interleaves(self.interleaved) {
                unsafe { self.group::<P>(&group, &layout, buffer) };
                continue;
            }
            for i in group.members(1) {
                unsafe { self.member::<P>(i, &layout, buffer) };
            }
        }
    }
}

/// Stores a member's info code, unless the caller passed NULL.
pub unsafe fn set_info(info: *mut i32, i: usize, code: i32) {
    if !info.is_null() {
        unsafe { info.add(i).write(code) };
    }
}

/// Number of multiplications in a factorisation.
fn multiplications(m: i64, n: i64) -> f64 {
    let (m, n) = (m as f64, n as f64);
    let k = m.min(n);
    k * (m * n - (m + n) * k / 2.0 + k * k / 3.0)
}

impl Varying for Getrf {
    /// Member i, or `None` if there is nothing to factor; its info code is set then.
    #[inline(always)]
    unsafe fn member(&self, i: usize, _: &Bounds) -> Option<Getrf> {
        let sizes = self.sizes?;
        let info = if self.info.is_null() { self.info } else { self.info.wrapping_add(i) };
        let (m, n, lda) = unsafe { sizes.nonempty_member(i, (self.m, self.n), info)? };
        let a = self.a.from_member(i as i64, self.dtype.bytes());
        // Without pivoting, ipiv may be NULL and must not be indexed.
        let ipiv = if self.pivoting { self.ipiv.from_member(i as i64, size_of::<i32>()) } else { Operand::NULL };
        let small = match self.pivoting {
            true => SmallPivots::KEEP,
            false => SmallPivots { threshold: unsafe { self.small.member(i, self.dtype) }, ..SmallPivots::KEEP },
        };
        Some(Getrf { m, n, lda, a, ipiv, info, batch: 1, sizes: None, small, ..*self })
    }
}

impl OverBatch for Getrf {
    fn flops(&self) -> f64 {
        flops(self.dtype, multiplications(self.m, self.n))
    }
    fn elements(&self) -> Option<i64> {
        self.m.checked_mul(self.n)
    }
    fn interleaved_best(&self, level: Level, lanes: i64) -> i64 {
        interleaved_best(level, lanes)
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { small_members::process::<T, _>(self, distribute_members(self)) };
        }
        let a = (Members::<T>::new(self.a), self.lda);
        let (m, n, pivoting) = (self.m as usize, self.n as usize, self.pivoting);
        let (ipiv, then) = (Pivots::new(self.ipiv), Then::Nothing);
        let task = Factoring {
            m,
            n,
            a,
            keep: true,
            pivoting,
            least_pivot: self.small.threshold,
            ipiv,
            info: self.info,
            then,
            x: a,
            // Lanes handle their pivots together and cannot replace them one by one.
            interleaved: execution.interleaved && self.small.threshold <= 0.0,
            team: execution.distribution.team(execution.level),
        };
        unsafe { run(&task, self.batch, execution) }
    }
}

impl OverBatch for Gesv {
    fn flops(&self) -> f64 {
        let n = self.n as f64;
        flops(self.dtype, multiplications(self.n, self.n) + n * n * self.nrhs as f64)
    }
    fn elements(&self) -> Option<i64> {
        self.n.checked_mul(self.n)
    }
    fn interleaved_best(&self, level: Level, lanes: i64) -> i64 {
        interleaved_best(level, lanes)
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { small_members::process::<T, _>(self, distribute_members(self)) };
        }
        if self.nrhs == 0 {
            return unsafe { self.factorisation().run_as::<T>(execution) };
        }
        let (a, x) = ((Members::<T>::new(self.a), self.lda), (Members::new(self.b), self.ldb));
        unsafe { solve_systems(&self.factorisation(), a, (x, self.nrhs), execution) }
    }
}

/// Solves A X = B by the given factorisation, for `Gesv` and its variants.
pub unsafe fn solve_systems<T: Packed>(
    &Getrf { n, pivoting, ipiv, info, batch, .. }: &Getrf,
    a: (Members<T>, i64),
    (x, nrhs): ((Members<T>, i64), i64),
    execution: &Execution,
) -> Result<(), Error> {
    let (n, ipiv, then) = (n as usize, Pivots::new(ipiv), Then::Solve { nrhs: nrhs as usize });
    let (keep, least_pivot, interleaved) = (true, 0.0, execution.interleaved);
    let team = execution.distribution.team(execution.level);
    let task = Factoring { m: n, n, a, keep, pivoting, least_pivot, ipiv, info, then, x, interleaved, team };
    unsafe { run(&task, batch, execution) }
}

impl OverBatch for Inv {
    fn flops(&self) -> f64 {
        flops(self.dtype, (self.n as f64).powi(3))
    }
    fn elements(&self) -> Option<i64> {
        self.n.checked_mul(self.n)
    }
    fn interleaved_best(&self, level: Level, lanes: i64) -> i64 {
        interleaved_best(level, lanes)
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        let (n, a, x) = (self.n as usize, (Members::<T>::new(self.a), self.lda), (Members::new(self.c), self.ldc));
        let (keep, ipiv, then) = (false, Pivots::NONE, Then::Invert);
        let (pivoting, least_pivot, info, interleaved) = (true, 0.0, self.info, execution.interleaved);
        let team = execution.distribution.team(execution.level);
        let task = Factoring { m: n, n, a, keep, pivoting, least_pivot, ipiv, info, then, x, interleaved, team };
        unsafe { run(&task, self.batch, execution) }
    }
}
