//! QR on the device for members with individual sizes.

use crate::error::Error;
use crate::gpu::arch::DEFAULT;
use crate::gpu::args::{GeqrfArgs, GeqrfEachArgs, LarfbEachArgs, SizesArgs};
use crate::gpu::plan::padded;
use crate::gpu::plan::padded::{Matrices, Padded};
use crate::gpu::plan::parts::sort::Members;
use crate::gpu::plan::walk::{Call, MAX_LOOPING_BLOCKS, blocks_per_matrix, in_one_launch, launch_kernel};
use crate::gpu::plan::{Launch, ceil_div, classes};
use crate::gpu::tall::Task;
use crate::routine::{Bounds, Geqrf, Operand, Sizes};
use std::ptr::{null, null_mut};

/// Factors the members.
pub fn walk(p: &Geqrf, sizes: &Sizes, call: Call<Geqrf>) -> Result<(), Error> {
    if call.plan.candidate == "padded" {
        return padded::walk(p, call.queue);
    }
    in_one_launch(p.batch)?; // large batches have one job per member
    let &Geqrf { dtype, m, n, a, tau, info, batch, .. } = p;
    let operands = [a, tau].map(|operand| (operand, dtype.bytes()));
    let members = Members { dtype, most: [m, n], sizes: [sizes.m, sizes.n, sizes.lda], operands, info, batch };
    members.sorted(DEFAULT.sorted.geqrf, call.queue, |members| {
        let &Members { sizes: [m, n, lda], operands: [(a, _), (tau, _)], info, .. } = members;
        let p = Geqrf { a, tau, info, ..*p };
        factor(&p, &Sizes { m, n, lda }, &call.of(&p))
    })
}

/// Factors the members with the launches of a plan.
fn factor(p: &Geqrf, sizes: &Sizes, call: &Call<Geqrf>) -> Result<(), Error> {
    let by_panels = call.plan.candidate == "blocked";
    let mut args = GeqrfArgs::try_from(p)?;
    classes::walk(call, |l, task, queue| {
        let held = task == Task::Held;
        let sizes = SizesArgs::new(sizes, (p.m, p.n), (l.over, l.upto));
        if task == Task::Update {
            let shares = blocks_per_matrix(p.batch, rounds(l));
            let mut update = LarfbEachArgs::beside(p, sizes);
            update.place((l.offset, l.k), shares);
            // SAFETY: the kernel takes LarfbEachArgs; its operands are the caller's.
            return unsafe { launch_kernel(l, (p.batch * shares).min(MAX_LOOPING_BLOCKS), &mut update, queue) };
        }
        args.place(l.m, l.n, l.offset);
        let mut args = GeqrfEachArgs::new(args, sizes, by_panels && !held);
        let blocks = if held { ceil_div(p.batch, l.per_block.into()) } else { p.batch.min(MAX_LOOPING_BLOCKS) };
        // SAFETY: these kernels take GeqrfEachArgs; their operands are the caller's.
        unsafe { launch_kernel(l, blocks, &mut args, queue) }
    })
}

impl Padded for Geqrf {
    fn matrices(&self) -> [Option<Matrices>; 3] {
        let &Geqrf { m, n, a, tau, .. } = self;
        let Sizes { m: rows, n: columns, lda: leading } = self.sizes.unwrap_or(Sizes::NULL);
        let a = Matrices::of(a, [m, n], [rows, columns, leading], true);
        let tau = Matrices { written: Some(null()), ..Matrices::vector(tau, m.min(n), [rows, columns]) };
        [Some(a), Some(tau), None]
    }

    fn size_bounds(&self) -> Option<Bounds> {
        Some(self.sizes?.bounds((self.m, self.n)))
    }

    fn on_copies(&self, [(a, lda), (tau, _), _]: [(Operand, i64); 3], batch: i64) -> Geqrf {
        Geqrf { a, lda, tau, batch, sizes: None, info: null_mut(), ..*self }
    }
}

/// An upper bound on the tiles beside a panel, reached by a member whose panel has one column.
fn rounds(l: &Launch) -> i64 {
    ceil_div(l.n - 1, l.instance.columns.into())
}
