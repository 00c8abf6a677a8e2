//! The triangular factors of block reflectors on the device. One kernel handles all shapes, except that tall ones
//! may have their rows divided among blocks, so there is no plan to look up.

use crate::error::Error;
use crate::gpu::args::LarfbArgs;
use crate::gpu::plan::Launch;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::run::Run;
use crate::gpu::plan::table::{Instance, LARFT};
use crate::gpu::plan::walk::{current_limits, launch_kernel};
use crate::gpu::tall::gram_steps::PendingMembers;
use crate::gpu::tall::update::DividedReflectorKernels;
use crate::gpu::tall::update_steps::{Reflector, with_scratch};
use crate::routine::{Larft, Routine};

impl Run for Larft {
    unsafe fn enqueue(&self, queue: Queue<'_>) -> Result<(), Error> {
        let limits = current_limits()?;
        let by_rows = DividedReflectorKernels::for_larft(self.dtype, self.m, self.k, limits).is_some();
        let listed = queue.list().map(|list| (list, list.begin()));
        if by_rows {
            let v = divided(self);
            with_scratch(v.bytes(limits)?, queue, |sums| {
                // SAFETY: the operands are the caller's, and the scratch memory has the size that `bytes` says.
                unsafe { v.larft((self.t, self.ldt), limits, sums, queue) }
            })?;
        } else {
            let launch = Launch::on(Instance::plain(LARFT, self.dtype)?, self.m, self.k, 0);
            // SAFETY: the kernel takes LarfbArgs; the operands are the caller's.
            unsafe { launch_kernel(&launch, self.batch, &mut LarfbArgs::from(self), queue)? };
        }
        if let Some((list, begin)) = listed {
            list.end_as(begin, self.name(), if by_rows { "divided" } else { "generic" }, 0, "");
        }
        Ok(())
    }
}

/// The reflectors V, without a matrix C.
fn divided(p: &Larft) -> Reflector {
    let &Larft { dtype, v, ldv, tau, batch, m, k, .. } = p;
    let (c, ldc, first) = (v, ldv, [0; 3]);
    Reflector {
        dtype,
        v,
        ldv,
        tau,
        c,
        ldc,
        batch,
        first,
        m,
        n: 0,
        k,
        adjoint: false,
        zeros: 0,
        pending: PendingMembers::ALL,
    }
}
