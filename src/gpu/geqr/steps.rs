//! QR with an implicit Q on the device, by the levels of its panels' trees, and the application of that Q. Neither
//! needs scratch memory: what is not in A is in the caller's T.

use crate::error::Error;
use crate::gpu::args::DeviceOperand;
use crate::gpu::geqr::panel_of;
use crate::gpu::ormqr::Canonical;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::walk::{Call, Launches, in_one_launch, launch_kernel};
use crate::gpu::plan::{Launch, Limits, ceil_div};
use crate::gpu::tall::Task;
use crate::gpu::tall::tree_steps::{LevelArgs, TsqrArgs};
use crate::routine::tree::{MOST, Panel};
use crate::routine::{Dtype, Gemqr, Geqr, Operand, offset_by};
use std::ffi::c_void;
use std::ptr::null_mut;

// Declared in kernels/tsqr/apply.cuh.
#[repr(C)]
struct ApplyArgs {
    level: LevelArgs,
    c: DeviceOperand,
    rs: i64,
    cs: i64,
    columns: i64,
    groups: i64,
    batch: i64,
    n: i32,
    below: i32,
    adjoint: i32,
    conjugate: i32,
    heights: [i64; MOST],
}

/// A panel of each matrix, stored in A and T.
#[derive(Clone, Copy)]
struct StoredPanel {
    dtype: Dtype,
    a: Operand,
    lda: i64,
    t: Operand,
    panel: Panel,
}

impl StoredPanel {
    /// The matrix of a level, in A or in T.
    fn level(&self, i: usize) -> LevelArgs {
        let StoredPanel { dtype, lda, panel: Panel { at: first, t: start, tree }, .. } = *self;
        let ((m, blocks), (at, ld, taus)) = (tree.levels.shapes[i], tree.offsets[i]);
        let t = |element| offset_by(self.t, dtype, start + element);
        let (a, lda) = if i == 0 { (offset_by(self.a, dtype, first * (lda + 1)), lda) } else { (t(at), ld) };
        let (tau, stride) = place(t(taus));
        LevelArgs { a: a.into(), a0: 0, lda, m, rows: tree.rows, blocks, tau, stride }
    }

    /// Factors the blocks of all levels.
    fn factor(&self, l: &Launch, batch: i64, queue: Queue<'_>) -> Result<(), Error> {
        let tree = &self.panel.tree;
        let count = tree.levels.count;
        for i in 0..count {
            let blocks = in_one_launch(tree.levels.shapes[i].1.saturating_mul(batch))?;
            let (up, up_ld) = if i + 1 < count {
                let above = self.level(i + 1);
                (above.a, above.lda)
            } else {
                (DeviceOperand::NONE, 0)
            };
            let mut args = TsqrArgs::climbing(self.level(i), (up, up_ld), tree.n as i32, batch);
            // SAFETY: the kernel takes TsqrArgs; its operands are the caller's.
            unsafe { launch_kernel(l, blocks, &mut args, queue)? };
        }
        Ok(())
    }

    /// Applies the blocks of all levels to a matrix with the same rows.
    fn apply(&self, l: &Launch, target: &Target, batch: i64, limits: Limits, queue: Queue<'_>) -> Result<(), Error> {
        let tree = &self.panel.tree;
        let count = tree.levels.count;
        let tiles = ceil_div(target.columns, i64::from(l.instance.per_block));
        let at_once = i64::from(limits.multiprocessors) * i64::from(l.instance.per_processor);
        for step in 0..count {
            let i = if target.adjoint { step } else { count - 1 - step };
            let blocks = tree.levels.shapes[i].1.saturating_mul(batch);
            let groups = groups(blocks, tiles, limits.measured().geqr.waves * at_once);
            let mut heights = [0; MOST];
            for (height, (m, _)) in heights.iter_mut().zip(&tree.levels.shapes[..i]) {
                *height = *m;
            }
            let mut args = ApplyArgs {
                level: self.level(i),
                c: offset_by(target.c, self.dtype, self.panel.at * target.rs).into(),
                rs: target.rs,
                cs: target.cs,
                columns: target.columns,
                groups,
                batch,
                n: tree.n as i32,
                below: i as i32,
                adjoint: target.adjoint.into(),
                conjugate: target.conjugate.into(),
                heights,
            };
            // SAFETY: the kernel takes ApplyArgs, and loops if there are more blocks than a launch can have.
            unsafe { launch_kernel(l, blocks.saturating_mul(groups), &mut args, queue)? };
        }
        Ok(())
    }
}

/// The matrix to which Q or its adjoint is applied, as columns with as many rows as Q.
struct Target {
    c: Operand,
    /// Strides between rows and between columns.
    rs: i64,
    cs: i64,
    columns: i64,
    adjoint: bool,
    conjugate: bool,
}

impl Target {
    fn of(p: &Gemqr) -> Target {
        let canonical = Canonical::of(p.dtype, p.side, p.trans, p.m, p.n);
        let (rs, cs) = if canonical.transposed { (p.ldc, 1) } else { (1, p.ldc) };
        let Canonical { columns, adjoint, conjugate, .. } = canonical;
        Target { c: p.c, rs, cs, columns, adjoint, conjugate }
    }
}

/// The address and stride of a strided operand, as every T is.
fn place(operand: Operand) -> (*mut c_void, i64) {
    match operand {
        Operand::Strided { base, stride } => (base, stride),
        Operand::Pointers(_) => (null_mut(), 0),
    }
}

/// The number of thread blocks that share the columns of a block of rows: as many as keep the device busy, but no
/// more, since each reads V.
fn groups(blocks: i64, tiles: i64, busy: i64) -> i64 {
    ceil_div(busy, blocks).clamp(1, tiles)
}

impl Launches for Geqr {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        let &Geqr { dtype, a, lda, t, batch, .. } = self;
        call.walk_tasks(|l, task| {
            let stored = StoredPanel { dtype, a, lda, t, panel: panel_of(self.panels(), l)? };
            match self.trailing_update(&stored.panel).filter(|_| task == Task::Update) {
                Some(rest) => stored.apply(l, &Target::of(&rest), batch, call.plan.limits, call.queue),
                None => stored.factor(l, batch, call.queue),
            }
        })
    }
}

impl Launches for Gemqr {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        let &Gemqr { dtype, a, lda, t, batch, .. } = self;
        let target = Target::of(self);
        call.walk(|l| {
            let stored = StoredPanel { dtype, a, lda, t, panel: panel_of(self.panels(), l)? };
            stored.apply(l, &target, batch, call.plan.limits, call.queue)
        })
    }
}
