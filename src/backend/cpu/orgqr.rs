//! Batched generation of Q in place of its reflectors.

use super::batch::{Members, of_member};
use super::blocked::{Block, BlockLayout};
use super::choice::Execution;
use super::geqrf::small_layout;
use super::interleaved::{self, Group, GroupLayout, OwnSizes, Part, Tile};
use super::over_batch::{OverBatch, Task, Varying, run};
use super::packed::{Columns, Re, leading};
use super::reflectors::{generate, width};
use super::scratch::Arena;
use super::simd::{Pack, Packed};
use super::small_members::{self, InLanes, LaneMatrices, Places, SmallGroup};
use super::team::Team;
use super::view::{Transform, view};
use crate::error::Error;
use crate::routine::Orgqr;
use crate::routine::bounds::Bounds;
use crate::routine::sizes::is_valid_ld;
use std::ops::Range;
use std::ptr::null_mut;

struct OrgqrTask<'a, T> {
    p: &'a Orgqr,
    a: Members<T>,
    tau: Members<T>,
    execution: Execution,
}

/// Offsets of the parts of the workspace.
struct Layout {
    ld: usize,
    block: BlockLayout,
    group: GroupLayout,
    bytes: usize,
}

impl<T: Packed> OrgqrTask<'_, T> {
    /// m, n and k.
    fn shape(&self) -> (usize, usize, usize) {
        (self.p.m as usize, self.p.n as usize, self.p.k as usize)
    }
    fn team(&self) -> Team {
        self.execution.distribution.team(self.execution.level)
    }
    #[inline(always)]
    fn layout<P: Pack<S = T>>(&self) -> Option<Layout> {
        let (m, n, k) = self.shape();
        let mut arena = Arena::<Re<P>>::new();
        if P::interleaves(self.execution.interleaved) {
            // All members can be done in lanes, so nothing else is needed.
            let group = GroupLayout::new::<P>(&mut arena, m, n, k)?;
            return Some(Layout { ld: 0, block: BlockLayout::default(), group, bytes: arena.bytes()? });
        }
        let ld = leading::<P>(m)?;
        arena.part(ld.checked_mul(n)?)?;
        let block = BlockLayout::new::<P>(&mut arena, ld, width(m))?;
        Some(Layout { ld, block, group: GroupLayout::default(), bytes: arena.bytes()? })
    }
    #[inline(always)]
    unsafe fn group<P: Pack<S = T>>(&self, group: &Group, (a, tau): (Tile<P>, *mut Re<P>)) {
        let ((m, n, k), lda, transform) = (self.shape(), self.p.lda as usize, Transform::default());
        unsafe {
            let members = group.starts(&self.a);
            interleaved::load(&members, lda, transform, Part::Whole, m, k, a);
            interleaved::load_vector::<P>(&group.starts(&self.tau), k, tau);
            interleaved::generate(a, tau, m, n, k);
            interleaved::store(a, transform, m, n, &members, lda, group.lanes());
        }
    }
    #[inline(always)]
    unsafe fn one<P: Pack<S = T>>(&self, i: usize, block: &Block<P>, q: Columns<P>) {
        let (m, n, k) = self.shape();
        unsafe {
            let member = view(&self.a, i, self.p.lda);
            self.team().pack(&member, Transform::default(), m, k, q);
            generate(block, q, &view(&self.tau, i, 1), m, n, k);
            self.team().unpack(&member, Transform::default(), m, n, q);
        }
    }
}

impl<T: Packed> Task<T> for OrgqrTask<'_, T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        self.layout::<P>().map(|l| l.bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let Some(layout) = self.layout::<P>() else { return };
        let base = buffer.cast::<Re<P>>();
        unsafe {
            if P::interleaves(self.execution.interleaved) {
                for group in Group::of::<P>(range, true) {
                    self.group::<P>(&group, layout.group.at(base));
                }
            } else {
                let block = layout.block.at::<P>(base, self.team());
                for i in range {
                    self.one::<P>(i, &block, Columns { p: base, ld: layout.ld });
                }
            }
        }
    }
}

impl Varying for Orgqr {
    /// Member i, or `None` if it is invalid or has no columns. Its info code is set.
    #[inline(always)]
    unsafe fn member(&self, i: usize, _: &Bounds) -> Option<Orgqr> {
        let p = unsafe { self.known_member(i)? };
        let code = match () {
            () if !(0..=self.m).contains(&p.m) => -1,
            () if !(0..=self.n.min(p.m)).contains(&p.n) => -2,
            () if !(0..=self.k.min(p.n)).contains(&p.k) => -3,
            () if !is_valid_ld(p.lda, p.m) => -5,
            () => 0,
        };
        unsafe { self.sizes?.set_info(i, code) };
        (code == 0 && p.n > 0).then_some(p)
    }
    #[inline(always)]
    unsafe fn known_member(&self, i: usize) -> Option<Orgqr> {
        let [m, n, k, lda, _] = unsafe { self.sizes?.member(i) };
        let [a, tau] = of_member([self.a, self.tau], i, self.dtype);
        Some(Orgqr { m, n, k, a, lda, tau, batch: 1, sizes: None, ..*self })
    }
}

impl InLanes for Orgqr {
    #[inline(always)]
    unsafe fn places(&self) -> Places {
        // The codes have been set.
        let places = unsafe { Places::new(self.a, [self.m, self.n, self.lda], null_mut()) };
        unsafe { places.with_right(self.tau, [self.k, 1, self.k]) }
    }
    #[inline(always)]
    fn tile_bytes<P: Pack>(&self, m: usize, n: usize) -> Option<usize> {
        small_layout::<P>(m, n).map(|(_, bytes)| bytes)
    }
    /// Members with results that are not finite are done alone.
    #[inline(always)]
    unsafe fn group<P: Pack<S: Packed>>(
        &self,
        group: &SmallGroup<Re<P>>,
        _: &SmallGroup<Re<P>>,
        buffer: *mut u8,
    ) -> u32 {
        let SmallGroup { most: (m, n), of: LaneMatrices { starts, sizes }, right: taus, .. } = group;
        let (m, n, part, transform) = (*m, *n, Part::Whole, Transform::default());
        let reflectors = OwnSizes { columns: taus.sizes.rows, ..*sizes };
        let k = reflectors.columns.into_iter().max().unwrap_or(0) as usize;
        // The caller has checked that the size does not overflow.
        let Some((layout, _)) = small_layout::<P>(m, n) else { return group.lanes() };
        unsafe {
            let (a, tau) = layout.at::<P>(buffer.cast());
            // A reflector that does not exist is one of zeros, and leaves its column as one of the identity.
            interleaved::load_each(starts, &reflectors, transform, part, m, n, a);
            interleaved::load_vector_each::<P>(&taus.starts, &taus.sizes, k, tau);
            interleaved::generate(a, tau, m, n, k);
            // What continues a column that is finite has no effect on it.
            let finite = group.lanes() & a.columns_finite(m, n, &sizes.columns);
            interleaved::store_each(a, transform, part, m, n, starts, sizes, finite);
            group.lanes() & !finite
        }
    }
}

impl OverBatch for Orgqr {
    fn flops(&self) -> f64 {
        4.0 * self.m as f64 * self.n as f64 * self.k as f64
    }
    fn elements(&self) -> Option<i64> {
        self.m.checked_mul(self.n)
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { small_members::process::<T, _>(self, execution.distribution) };
        }
        let task =
            OrgqrTask::<T> { p: self, a: Members::new(self.a), tau: Members::new(self.tau), execution: *execution };
        unsafe { run(&task, self.batch, execution) }
    }
}
