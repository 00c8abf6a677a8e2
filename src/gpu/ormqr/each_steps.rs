//! Forming or applying Q for members with individual sizes.

use crate::error::Error;
use crate::gpu::args::{LarfbArgs, LarfbEachArgs};
use crate::gpu::ormqr::Canonical;
use crate::gpu::plan::walk::{Call, MAX_LOOPING_BLOCKS, blocks_per_matrix, in_one_launch, launch_kernel};
use crate::gpu::plan::{Planned, ceil_div};
use crate::routine::{Orgqr, Ormqr, QSizes};

/// Forms Q. Each member has one block, because blocks that share a member would read reflectors where others have
/// already written Q.
pub fn orgqr(p: &Orgqr, sizes: &QSizes, call: Call<Orgqr>) -> Result<(), Error> {
    walk(LarfbEachArgs::writes(p, sizes), p.batch, None, call)
}

/// Applies Q.
pub fn ormqr(p: &Ormqr, sizes: &QSizes, call: Call<Ormqr>) -> Result<(), Error> {
    let c = Canonical::of(p.dtype, p.side, p.trans, p.m, p.n);
    let mut all = LarfbArgs::from(p);
    (all.adjoint, all.transposed, all.conjugate) = (c.adjoint.into(), c.transposed.into(), c.conjugate.into());
    walk(LarfbEachArgs::applies(p, sizes, all), p.batch, Some(c.columns), call)
}

/// `columns` is the largest number of columns to which Q is applied, if blocks may share a member.
fn walk<P: Planned>(mut args: LarfbEachArgs, batch: i64, columns: Option<i64>, call: Call<P>) -> Result<(), Error> {
    in_one_launch(batch)?; // large batches have one job per member
    call.walk(|l| {
        let shares =
            columns.map_or(1, |columns| blocks_per_matrix(batch, ceil_div(columns, l.instance.columns.into())));
        args.place((l.offset, l.k), shares);
        // SAFETY: the kernel takes LarfbEachArgs; its operands are the caller's.
        unsafe { launch_kernel(l, (batch * shares).min(MAX_LOOPING_BLOCKS), &mut args, call.queue) }
    })
}
