//! QR with explicit factors on the device: the single resident launch, or the tree.

use crate::error::Error;
use crate::gpu::args::QArgs;
use crate::gpu::plan::walk::{Call, Launches, launch_kernel};
use crate::gpu::plan::{Launch, Limits, ceil_div};
use crate::gpu::qr;
use crate::gpu::tall::Task;
use crate::gpu::tall::gram_steps::PendingMembers;
use crate::gpu::tall::tree_steps as tall_panel;
use crate::gpu::tall::tree_steps::{Halves, Output, Panel};
use crate::routine::{QPart, Qr, QrStage};

/// The matrix as a tree's panel.
fn panel<'a>(p: &Qr, tree: &'a Launch) -> Panel<'a> {
    let (a, q, r) = ((p.a, p.lda), (p.q, p.ldq), (p.r, p.ldr));
    let output = match p.part {
        QPart::None => Output::Triangle { a, r },
        _ => Output::Factors { a, q, r },
    };
    Panel { dtype: p.dtype, batch: p.batch, launch: tree, output, pending: PendingMembers::ALL }
}

/// Bytes of the workspace that the first half leaves to the second. Fewer rows need no more.
pub fn bytes_between_halves(p: &Qr, tree: &Launch, limits: Limits) -> Result<usize, Error> {
    Ok(Halves::of(panel(p, tree), limits)?.bytes)
}

impl Launches for Qr {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk_tasks(|l, task| {
            if task == Task::Tree {
                let (panel, limits, queue) = (panel(self, l), call.plan.limits, call.queue);
                return match self.stage {
                    QrStage::Whole => tall_panel::factor(panel, limits, queue),
                    QrStage::R => Halves::of(panel, limits)?.up(self.work.p, queue),
                    QrStage::Q { by, ld_by } => Halves::of(panel, limits)?.down(self.work.p, Some((by, ld_by)), queue),
                };
            }
            let mut args = QArgs::qr(self, qr::columns(self), qr::rows(self), qr::place(self, false)?);
            // SAFETY: the kernel takes QArgs; the operands are the caller's.
            unsafe { launch_kernel(l, ceil_div(self.batch, i64::from(l.instance.per_block)), &mut args, call.queue) }
        })
    }
}
