//! Batched generation of Q in place of its reflectors.

use super::batch::Members;
use super::blocked::{Block, BlockLayout};
use super::choice::Execution;
use super::interleaved::{self, Group, GroupLayout, Part, Tile};
use super::over_batch::{OverBatch, Task, one_by_one, run, single_threaded};
use super::packed::{Columns, Re, leading};
use super::reflectors::{generate, width};
use super::scratch::Arena;
use super::simd::{Pack, Packed};
use super::team::Team;
use super::view::{Transform, view};
use crate::error::Error;
use crate::routine::Orgqr;
use crate::routine::sizes::is_valid_ld;
use std::ops::Range;

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

/// Member i, or `None` if it is invalid or has no columns. Its info code is set if members have sizes of their own.
unsafe fn member(p: &Orgqr, i: usize) -> Option<Orgqr> {
    let sizes = p.sizes?;
    let [m, n, k, lda, _] = unsafe { sizes.member(i) };
    let code = match () {
        () if !(0..=p.m).contains(&m) => -1,
        () if !(0..=p.n.min(m)).contains(&n) => -2,
        () if !(0..=p.k.min(n)).contains(&k) => -3,
        () if !is_valid_ld(lda, m) => -5,
        () => 0,
    };
    unsafe { sizes.set_info(i, code) };
    let [a, tau] = [p.a, p.tau].map(|operand| operand.from_member(i as i64, p.dtype.bytes()));
    (code == 0 && n > 0).then_some(Orgqr { m, n, k, a, lda, tau, batch: 1, sizes: None, ..*p })
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
            let run = |p: &Orgqr| unsafe { p.run_as::<T>(&single_threaded(p)) };
            return unsafe { one_by_one(self, execution.distribution, member, run) };
        }
        let task =
            OrgqrTask::<T> { p: self, a: Members::new(self.a), tau: Members::new(self.tau), execution: *execution };
        unsafe { run(&task, self.batch, execution) }
    }
}
