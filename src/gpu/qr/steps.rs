//! QR with explicit factors on the device: the single resident launch, or the tree.

use crate::error::Error;
use crate::gpu::args::QArgs;
use crate::gpu::plan::ceil_div;
use crate::gpu::plan::walk::{Call, Launches, launch_kernel};
use crate::gpu::qr;
use crate::gpu::tall::Task;
use crate::gpu::tall::gram_steps::PendingMembers;
use crate::gpu::tall::tree_steps as tall_panel;
use crate::gpu::tall::tree_steps::{Output, Panel};
use crate::routine::{QPart, Qr};

impl Launches for Qr {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk_tasks(|l, task| {
            if task == Task::Tree {
                let (a, q, r) = ((self.a, self.lda), (self.q, self.ldq), (self.r, self.ldr));
                let output = match self.part {
                    QPart::None => Output::Triangle { a, r },
                    _ => Output::Factors { a, q, r },
                };
                let panel =
                    Panel { dtype: self.dtype, batch: self.batch, launch: l, output, pending: PendingMembers::ALL };
                return tall_panel::factor(panel, call.plan.limits, call.queue);
            }
            let mut args = QArgs::qr(self, qr::columns(self), qr::rows(self), qr::place(self, false)?);
            // SAFETY: the kernel takes QArgs; the operands are the caller's.
            unsafe { launch_kernel(l, ceil_div(self.batch, i64::from(l.instance.per_block)), &mut args, call.queue) }
        })
    }
}
