//! Routines that start with the caller's factor: potrs and potri.

use super::super::batch::Members;
use super::super::choice::Execution;
use super::super::interleaved::{self, Group, Tile};
use super::super::lu::flops;
use super::super::over_batch::{OverBatch, Task, distribute_members, run};
use super::super::packed::{Columns, Re, leading};
use super::super::scratch::Arena;
use super::super::simd::{Level, Pack, Packed};
use super::super::small_members;
use super::super::team::Team;
use super::super::view::{Transform, view};
use super::lanes::{self, Tiles};
use super::{Triangles, elements, interleaved_best, packed, set_info, shared};
use crate::error::Error;
use crate::routine::{Potri, Potrs};
use std::ops::Range;

/// Offsets of the parts of one matrix's workspace: the factor, then the solutions.
struct Layout {
    ld: usize,
    x: usize,
    bytes: usize,
}

impl Layout {
    #[inline(always)]
    fn new<P: Pack>(n: usize, columns: usize) -> Option<Layout> {
        let mut arena = Arena::<Re<P>>::new();
        let ld = leading::<P>(n)?;
        arena.part(ld.checked_mul(n)?)?;
        let x = arena.part(ld.checked_mul(columns)?)?;
        Some(Layout { ld, x, bytes: arena.bytes()? })
    }
    #[inline(always)]
    unsafe fn at<P: Pack>(&self, buffer: *mut u8) -> (Columns<P>, Columns<P>) {
        let base = buffer.cast::<Re<P>>();
        (Columns { p: base, ld: self.ld }, Columns { p: base.wrapping_add(self.x), ld: self.ld })
    }
}

struct Solving<T> {
    a: Triangles<T>,
    b: (Members<T>, i64),
    nrhs: usize,
    interleaved: bool,
    team: Team,
}

impl<T: Packed> Task<T> for Solving<T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        if P::interleaves(self.interleaved) {
            return Tiles::new::<P>(self.a.n, self.nrhs).map(|tiles| tiles.bytes);
        }
        Layout::new::<P>(self.a.n, self.nrhs).map(|l| l.bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let (n, nrhs, untransformed) = (self.a.n, self.nrhs, Transform::default());
        if P::interleaves(self.interleaved) {
            let Some(tiles) = Tiles::new::<P>(n, nrhs) else { return };
            for group in Group::of::<P>(range, true) {
                unsafe {
                    let (a, x) = tiles.at::<P>(buffer);
                    self.a.load_factors(&group, a);
                    lanes::solve(&group, group.lanes(), (a, n), (&self.b.0, self.b.1 as usize), nrhs, x);
                }
            }
            return;
        }
        let Some(layout) = Layout::new::<P>(n, nrhs) else { return };
        for i in range {
            unsafe {
                let ((a, x), b) = (layout.at::<P>(buffer), view(&self.b.0, i, self.b.1));
                self.a.pack_factor(&self.team, i, a);
                self.team.pack(&b, untransformed, n, nrhs, x);
                shared::finish(&self.team, shared::Then::Solve, (a, n), x, nrhs);
                self.team.unpack(&b, untransformed, n, nrhs, x);
            }
        }
    }
}

struct Inverting<T> {
    a: Triangles<T>,
    info: *mut i32,
    interleaved: bool,
    team: Team,
}

impl<T: Packed> Inverting<T> {
    #[inline(always)]
    unsafe fn group<P: Pack<S = T>>(&self, group: &Group, a: Tile<P>) {
        unsafe {
            self.a.load_factors(group, a);
            let mut singular = 0;
            for j in (0..self.a.n).rev() {
                let zeros = a.zeros(j, j);
                singular |= zeros;
                group.members(zeros & group.lanes()).for_each(|i| set_info(self.info, i, Some(j)));
            }
            let regular = group.lanes() & !singular;
            group.members(regular).for_each(|i| set_info(self.info, i, None));
            a.make_identity(self.a.n, singular);
            interleaved::invert_cholesky(a, self.a.n, None);
            self.a.store(group, regular, a);
        }
    }
}

impl<T: Packed> Task<T> for Inverting<T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        if P::interleaves(self.interleaved) {
            return Tiles::new::<P>(self.a.n, 0).map(|tiles| tiles.bytes);
        }
        Layout::new::<P>(self.a.n, self.a.n).map(|l| l.bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let n = self.a.n;
        if P::interleaves(self.interleaved) {
            let Some(tiles) = Tiles::new::<P>(n, 0) else { return };
            for group in Group::of::<P>(range, true) {
                unsafe { self.group::<P>(&group, tiles.at::<P>(buffer).0) };
            }
            return;
        }
        let Some(layout) = Layout::new::<P>(n, n) else { return };
        for i in range {
            unsafe {
                let (a, x) = layout.at::<P>(buffer);
                self.a.pack_factor(&self.team, i, a);
                let singular = packed::zero(a, n);
                set_info(self.info, i, singular);
                if singular.is_none() {
                    shared::finish(&self.team, shared::Then::Invert, (a, n), x, n);
                    self.a.unpack(&self.team, i, x);
                }
            }
        }
    }
}

impl OverBatch for Potrs {
    fn flops(&self) -> f64 {
        flops(self.dtype, (self.n * self.n) as f64 * self.nrhs as f64)
    }
    fn elements(&self) -> Option<i64> {
        elements(self.n)
    }
    fn interleaved_best(&self, level: Level, lanes: i64) -> i64 {
        interleaved_best([200, 160, 128, 128], self.dtype, level, lanes)
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { small_members::process::<T, _>(self, distribute_members(self)) };
        }
        if self.nrhs == 0 {
            return Ok(());
        }
        let &Potrs { uplo, n, nrhs, a, lda, b, ldb, batch, .. } = self;
        let task = Solving::<T> {
            a: Triangles::new(a, lda, uplo, n),
            b: (Members::new(b), ldb),
            nrhs: nrhs as usize,
            interleaved: execution.interleaved,
            team: execution.distribution.team(execution.level),
        };
        unsafe { run(&task, batch, execution) }
    }
}

impl OverBatch for Potri {
    fn flops(&self) -> f64 {
        flops(self.dtype, (self.n as f64).powi(3) / 3.0)
    }
    fn elements(&self) -> Option<i64> {
        elements(self.n)
    }
    fn interleaved_best(&self, level: Level, lanes: i64) -> i64 {
        interleaved_best([128; 4], self.dtype, level, lanes)
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { small_members::process::<T, _>(self, distribute_members(self)) };
        }
        let &Potri { uplo, n, a, lda, info, batch, .. } = self;
        let (a, interleaved) = (Triangles::new(a, lda, uplo, n), execution.interleaved);
        let team = execution.distribution.team(execution.level);
        unsafe { run(&Inverting::<T> { a, info, interleaved, team }, batch, execution) }
    }
}
