//! Batched QR with explicit factors. All computation happens in packed workspace, so A may also be Q.

use super::batch::Members;
use super::blocked::BlockLayout;
use super::choice::Execution;
use super::interleaved::{self, Group, GroupLayout, Part, Tile};
use super::over_batch::{OverBatch, Task, run};
use super::packed::{Columns, Re, leading};
use super::reflectors::{at, factor, generate, width};
use super::scratch::Arena;
use super::simd::{Pack, Packed};
use super::team::Team;
use super::view::{Transform, View, view};
use crate::error::Error;
use crate::routine::{QPart, Qr, QrStage};
use std::ops::Range;

struct QrTask<'a, T> {
    p: &'a Qr,
    a: Members<T>,
    q: Members<T>,
    r: Members<T>,
    execution: Execution,
}

/// Offsets of the parts of one matrix's workspace.
struct Layout {
    ld: usize,
    block: BlockLayout,
    tau: usize,
    group: GroupLayout,
    bytes: usize,
}

impl<T: Packed> QrTask<'_, T> {
    /// Number of columns of Q, and of rows of R.
    fn inner(&self) -> usize {
        let (m, n) = (self.p.m as usize, self.p.n as usize);
        if self.p.part == QPart::Full { m } else { m.min(n) }
    }
    fn team(&self) -> Team {
        self.execution.distribution.team(self.execution.level)
    }
    #[inline(always)]
    fn layout<P: Pack<S = T>>(&self) -> Option<Layout> {
        let (m, n) = (self.p.m as usize, self.p.n as usize);
        let ld = leading::<P>(m)?;
        let mut arena = Arena::<Re<P>>::new();
        arena.part(ld.checked_mul(n.max(self.inner()))?)?;
        let block = BlockLayout::new::<P>(&mut arena, ld, width(m))?;
        let tau = arena.part(m.min(n) * T::PARTS)?;
        let group = match P::interleaves(self.execution.interleaved) {
            true => GroupLayout::new::<P>(&mut arena, m, n.max(self.inner()), m.min(n))?,
            false => GroupLayout::default(),
        };
        Some(Layout { ld, block, tau, group, bytes: arena.bytes()? })
    }

    /// Processes the members of a group in the lanes of a tile. Returns the lanes that succeeded.
    #[inline(always)]
    unsafe fn group<P: Pack<S = T>>(&self, group: &Group, (a, tau): (Tile<P>, *mut Re<P>)) -> u32 {
        let (m, n, inner) = (self.p.m as usize, self.p.n as usize, self.inner());
        unsafe {
            let transform = Transform::default();
            interleaved::load(&group.starts(&self.a), self.p.lda as usize, transform, Part::Whole, m, n, a);
            let (r, ldr) = (group.starts(&self.r), self.p.ldr as usize);
            interleaved::prefetch_for_store::<P>(&r, ldr, inner, n);
            let good = interleaved::factor(a, tau, m, n, n, group.lanes());
            if good != 0 {
                interleaved::store_upper(a, inner, n, &r, ldr, good);
                if self.p.part != QPart::None {
                    let (q, ldq) = (group.starts(&self.q), self.p.ldq as usize);
                    interleaved::prefetch_for_store::<P>(&q, ldq, m, inner);
                    interleaved::generate(a, tau, m, inner, m.min(n));
                    interleaved::store_prefetched(a, m, inner, &q, ldq, good);
                }
            }
            good
        }
    }
}

impl<T: Packed> Task<T> for QrTask<'_, T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        self.layout::<P>().map(|l| l.bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let Some(layout) = self.layout::<P>() else { return };
        let (m, n, inner) = (self.p.m as usize, self.p.n as usize, self.inner());
        let base = buffer.cast::<Re<P>>();
        unsafe {
            let (block, a) = (layout.block.at::<P>(base, self.team()), Columns::<P> { p: base, ld: layout.ld });
            let tau = View::<T> { p: base.add(layout.tau), ld: 1 };
            for group in Group::of::<P>(range, P::interleaves(self.execution.interleaved)) {
                let mut left = group.lanes();
                if P::interleaves(self.execution.interleaved) {
                    left &= !self.group::<P>(&group, layout.group.at(base));
                }
                for i in group.members(left) {
                    self.team().pack(&view(&self.a, i, self.p.lda), Transform::default(), m, n, a);
                    factor(&block, a, m, n, tau.p.cast());
                    let r = view(&self.r, i, self.p.ldr);
                    for j in 0..n {
                        for row in 0..inner {
                            r.set(row, j, if row <= j { at(a, row, j) } else { T::zero() });
                        }
                    }
                    if self.p.part != QPart::None {
                        generate(&block, a, &tau, m, inner, m.min(n));
                        self.team().unpack(&view(&self.q, i, self.p.ldq), Transform::default(), m, inner, a);
                    }
                }
            }
        }
    }
}

impl OverBatch for Qr {
    fn flops(&self) -> f64 {
        let (m, n) = (self.m as f64, self.n as f64);
        4.0 * m * n * m.min(n)
    }
    fn elements(&self) -> Option<i64> {
        self.m.checked_mul(if self.part == QPart::Full { self.n.max(self.m) } else { self.n })
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if !matches!(self.stage, QrStage::Whole) {
            return Err(Error::NotSupported("halves of a QR factorisation on the CPU backend".into()));
        }
        let (a, q, r) = (Members::new(self.a), Members::new(self.q), Members::new(self.r));
        let task = QrTask::<T> { p: self, a, q, r, execution: *execution };
        unsafe { run(&task, self.batch, execution) }
    }
}
