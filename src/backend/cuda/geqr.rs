//! QR with an implicit Q on the device, by the levels of its tree, and that Q applied by them. Neither needs scratch memory:
//! what is not in A is in the caller's T.

use super::args::DeviceOperand;
use super::tall_panel::{LevelArgs, TsqrArgs};
use super::walk::{Call, Launches, go, in_one_launch};
use crate::error::Error;
use crate::plan::ceil_div;
use crate::plan::ormqr::Canonical;
use crate::routine::tree::{MOST, Tree};
use crate::routine::{Dtype, Gemqr, Geqr, Operand, further};
use std::ffi::c_void;
use std::ptr::null_mut;

// Arguments as kernels/tsqr/apply.cuh declares them.
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

/// A level's matrix, of A or of T.
fn level(tree: &Tree, i: usize, dtype: Dtype, (a, lda): (Operand, i64), t: Operand) -> LevelArgs {
    let ((m, blocks), (at, ld, taus)) = (tree.levels.of[i], tree.of[i]);
    let (a, lda) = if i == 0 { (a, lda) } else { (further(t, dtype, at), ld) };
    let (tau, stride) = place(further(t, dtype, taus));
    LevelArgs { a: a.into(), a0: 0, lda, m, rows: tree.rows, blocks, tau, stride }
}

/// Of an operand whose members are at a fixed distance, as all T are.
fn place(operand: Operand) -> (*mut c_void, i64) {
    match operand {
        Operand::Strided { base, stride } => (base, stride),
        Operand::Pointers(_) => (null_mut(), 0),
    }
}

fn no_tree() -> Error {
    Error::Internal("a plan of another shape".into())
}

impl Launches for Geqr {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk(|l| {
            let tree = self.tree().ok_or_else(no_tree)?;
            let count = tree.levels.count;
            let of = |i| level(&tree, i, self.dtype, (self.a, self.lda), self.t);
            for i in 0..count {
                let blocks = in_one_launch(tree.levels.of[i].1.saturating_mul(self.batch))?;
                let (up, up_ld) = if i + 1 < count {
                    let above = of(i + 1);
                    (above.a, above.lda)
                } else {
                    (DeviceOperand::NONE, 0)
                };
                let mut args = TsqrArgs::climbing(of(i), (up, up_ld), tree.n as i32, self.batch);
                // SAFETY: the kernel takes TsqrArgs; its operands are the caller's.
                unsafe { go(l, blocks, &mut args, call.stream)? };
            }
            Ok(())
        })
    }
}

/// Blocks of threads that share the columns of a block of rows: as many as keep the device busy, since V is read by each.
fn groups(blocks: i64, tiles: i64, at_once: i64) -> i64 {
    const WAVES: i64 = 2;
    ceil_div(WAVES * at_once, blocks).clamp(1, tiles)
}

impl Launches for Gemqr {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        let canonical = Canonical::of(self.dtype, self.side, self.trans, self.m, self.n);
        let (rs, cs) = if canonical.transposed { (self.ldc, 1) } else { (1, self.ldc) };
        let multiprocessors = i64::from(call.plan.limits.multiprocessors);
        call.walk(|l| {
            let tree = self.tree().ok_or_else(no_tree)?;
            let count = tree.levels.count;
            let tiles = ceil_div(canonical.columns, i64::from(l.instance.per_block));
            for step in 0..count {
                let i = if canonical.adjoint { step } else { count - 1 - step };
                let blocks = tree.levels.of[i].1.saturating_mul(self.batch);
                let groups = groups(blocks, tiles, multiprocessors * i64::from(l.instance.per_processor));
                let mut heights = [0; MOST];
                for (height, (m, _)) in heights.iter_mut().zip(&tree.levels.of[..i]) {
                    *height = *m;
                }
                let mut args = ApplyArgs {
                    level: level(&tree, i, self.dtype, (self.a, self.lda), self.t),
                    c: self.c.into(),
                    rs,
                    cs,
                    columns: canonical.columns,
                    groups,
                    batch: self.batch,
                    n: tree.n as i32,
                    below: i as i32,
                    adjoint: canonical.adjoint.into(),
                    conjugate: canonical.conjugate.into(),
                    heights,
                };
                // SAFETY: the kernel takes ApplyArgs, and goes on to blocks that are more than a launch may have.
                unsafe { go(l, blocks.saturating_mul(groups), &mut args, call.stream)? };
            }
            Ok(())
        })
    }
}
