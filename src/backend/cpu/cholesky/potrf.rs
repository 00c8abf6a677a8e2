//! Routines that start with a factorisation: potrf and posv.

use super::super::batch::Members;
use super::super::choice::Execution;
use super::super::interleaved::{self, Group};
use super::super::lu::flops;
use super::super::over_batch::{OverBatch, Task, Varying, distribute_members, run};
use super::super::packed::{Columns, Re, leading};
use super::super::scratch::Arena;
use super::super::simd::{Level, Pack, Packed};
use super::super::small_members;
use super::super::team::Team;
use super::super::view::{Transform, view};
use super::factor::{columns, factor, rows};
use super::lanes::{self, Tiles};
use super::{FACTORED, Triangles, elements, interleaved_best, set_info, shared};
use crate::error::Error;
use crate::routine::bounds::Bounds;
use crate::routine::{Posv, Potrf};
use std::ops::Range;

/// Factors A and, if it is positive definite, solves `nrhs` systems (none for potrf).
struct Factoring<T> {
    a: Triangles<T>,
    info: *mut i32,
    b: (Members<T>, i64),
    nrhs: usize,
    interleaved: bool,
    team: Team,
}

/// Offsets of the parts of one matrix's workspace: A, then the right-hand sides.
struct Layout {
    ld: usize,
    x: usize,
    bytes: usize,
}

impl<T: Packed> Factoring<T> {
    #[inline(always)]
    fn layout<P: Pack<S = T>>(&self) -> Option<Layout> {
        let mut arena = Arena::<Re<P>>::new();
        let ld = leading::<P>(rows::<P>(self.a.n))?;
        arena.part(ld.checked_mul(columns(self.a.n))?)?;
        let x = arena.part(ld.checked_mul(self.nrhs)?)?;
        Some(Layout { ld, x, bytes: arena.bytes()? })
    }

    #[inline(always)]
    unsafe fn group<P: Pack<S = T>>(&self, group: &Group, tiles: &Tiles, buffer: *mut u8) {
        unsafe {
            let (a, x) = tiles.at::<P>(buffer);
            self.a.load(group, a);
            let prefetch = self.a.prefetch_next(group, interleaved::cholesky_steps(self.a.n));
            let failures = interleaved::cholesky(a, self.a.n, prefetch);
            self.a.store(group, group.lanes(), a);
            for (l, i) in group.members(group.lanes()).enumerate() {
                if !self.info.is_null() {
                    self.info.add(i).write(failures.first_bad_pivot[l]);
                }
            }
            if self.nrhs > 0 {
                let lanes = group.lanes() & !failures.lanes;
                a.make_identity(self.a.n, failures.lanes);
                lanes::solve(group, lanes, (a, self.a.n), (&self.b.0, self.b.1 as usize), self.nrhs, x);
            }
        }
    }
}

impl<T: Packed> Task<T> for Factoring<T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        if P::interleaves(self.interleaved) {
            return Tiles::new::<P>(self.a.n, self.nrhs).map(|tiles| tiles.bytes);
        }
        self.layout::<P>().map(|l| l.bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        if P::interleaves(self.interleaved) {
            let Some(tiles) = Tiles::new::<P>(self.a.n, self.nrhs) else { return };
            // A loop instead of a closure, which would be compiled without the instruction set.
            for group in Group::of::<P>(range, true) {
                unsafe { self.group::<P>(&group, &tiles, buffer) };
            }
            return;
        }
        let Some(layout) = self.layout::<P>() else { return };
        let (n, nrhs, base, untransformed) = (self.a.n, self.nrhs, buffer.cast::<Re<P>>(), Transform::default());
        for i in range {
            unsafe {
                let (a, x) =
                    (Columns::<P> { p: base, ld: layout.ld }, Columns { p: base.add(layout.x), ld: layout.ld });
                self.a.pack(&self.team, i, a);
                let failed = factor(&self.team, a, n);
                self.a.unpack(&self.team, i, a);
                set_info(self.info, i, failed);
                if failed.is_none() && nrhs > 0 {
                    let rhs = view(&self.b.0, i, self.b.1);
                    self.team.pack(&rhs, untransformed, n, nrhs, x);
                    shared::finish(&self.team, shared::Then::Solve, (a, n), x, nrhs);
                    self.team.unpack(&rhs, untransformed, n, nrhs, x);
                }
            }
        }
    }
}

/// Number of multiplications in a factorisation.
fn multiplications(n: i64) -> f64 {
    (n as f64).powi(3) / 6.0
}

impl Varying for Potrf {
    /// Member i, or `None` if there is nothing to factor; its info code is set then.
    #[inline(always)]
    unsafe fn member(&self, i: usize, _: &Bounds) -> Option<Potrf> {
        let sizes = self.sizes?;
        let nothing = match unsafe { sizes.member(i, self.n) } {
            Ok((n, lda)) if n > 0 => {
                let a = self.a.from_member(i as i64, self.dtype.bytes());
                let info = if self.info.is_null() { self.info } else { self.info.wrapping_add(i) };
                return Some(Potrf { n, a, lda, info, sizes: None, batch: 1, ..*self });
            }
            Ok(_) => 0,
            Err(code) => code,
        };
        if !self.info.is_null() {
            unsafe { *self.info.add(i) = nothing };
        }
        None
    }
}

impl OverBatch for Potrf {
    fn flops(&self) -> f64 {
        flops(self.dtype, multiplications(self.n))
    }
    fn elements(&self) -> Option<i64> {
        elements(self.n)
    }
    fn interleaved_best(&self, level: Level, lanes: i64) -> i64 {
        interleaved_best(FACTORED, self.dtype, level, lanes)
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { small_members::process::<T, _>(self, distribute_members(self)) };
        }
        let &Potrf { uplo, n, a, lda, info, batch, .. } = self;
        let (triangles, none, interleaved) =
            (Triangles::new(a, lda, uplo, n), (Members::new(a), lda), execution.interleaved);
        let team = execution.distribution.team(execution.level);
        let task = Factoring::<T> { a: triangles, info, b: none, nrhs: 0, interleaved, team };
        unsafe { run(&task, batch, execution) }
    }
}

impl OverBatch for Posv {
    fn flops(&self) -> f64 {
        let n = self.n as f64;
        flops(self.dtype, multiplications(self.n) + n * n * self.nrhs as f64)
    }
    fn elements(&self) -> Option<i64> {
        elements(self.n)
    }
    fn interleaved_best(&self, level: Level, lanes: i64) -> i64 {
        interleaved_best(FACTORED, self.dtype, level, lanes)
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { small_members::process::<T, _>(self, distribute_members(self)) };
        }
        let &Posv { uplo, n, nrhs, a, lda, b, ldb, info, batch, .. } = self;
        let (a, b) = (Triangles::new(a, lda, uplo, n), (Members::new(b), ldb));
        let (nrhs, interleaved) = (nrhs as usize, execution.interleaved);
        let team = execution.distribution.team(execution.level);
        unsafe { run(&Factoring::<T> { a, info, b, nrhs, interleaved, team }, batch, execution) }
    }
}
