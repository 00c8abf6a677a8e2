//! Forming or applying Q for members with individual sizes.

use crate::error::Error;
use crate::gpu::args::{LarfbArgs, LarfbEachArgs};
use crate::gpu::ormqr::Canonical;
use crate::gpu::plan::padded;
use crate::gpu::plan::padded::{Matrices, Padded};
use crate::gpu::plan::walk::{Call, MAX_LOOPING_BLOCKS, blocks_per_matrix, in_one_launch, launch_kernel};
use crate::gpu::plan::{Planned, ceil_div};
use crate::routine::{Bounds, Operand, Orgqr, Ormqr, QSizes, Side};
use std::ptr::null;

/// Forms Q. Each member has one block, because blocks that share a member would read reflectors where others have
/// already written Q.
pub fn orgqr(p: &Orgqr, sizes: &QSizes, call: Call<Orgqr>) -> Result<(), Error> {
    if call.plan.candidate == "padded" {
        return padded::walk(p, call.queue);
    }
    walk(LarfbEachArgs::writes(p, sizes), p.batch, None, call)
}

/// Applies Q.
pub fn ormqr(p: &Ormqr, sizes: &QSizes, call: Call<Ormqr>) -> Result<(), Error> {
    if call.plan.candidate == "padded" {
        return padded::walk(p, call.queue);
    }
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

/// Columns and reflectors of the largest member that is valid.
fn most_generated(p: &Orgqr) -> [i64; 2] {
    let n = p.n.min(p.m);
    [n, p.k.min(n)]
}

impl Padded for Orgqr {
    fn matrices(&self) -> [Option<Matrices>; 3] {
        let (&Orgqr { m, a, tau, .. }, [n, k]) = (self, most_generated(self));
        let QSizes { m: rows, n: columns, k: reflectors, lda: leading, .. } = self.sizes.unwrap_or(QSizes::NULL);
        // Columns after the reflectors are only written.
        let a = Matrices { read: Some(reflectors), ..Matrices::of(a, [m, n], [rows, columns, leading], true) };
        [Some(a), (k > 0).then(|| scalars(tau, k, reflectors)), None]
    }

    fn size_bounds(&self) -> Option<Bounds> {
        Some(self.sizes?.bounds_of_generated([self.m, self.n, self.k]))
    }

    fn on_copies(&self, [(a, lda), (tau, _), _]: [(Operand, i64); 3], batch: i64) -> Orgqr {
        let [n, k] = most_generated(self);
        Orgqr { n, k, a, lda, tau, batch, sizes: None, ..*self }
    }
}

/// Rows of the reflectors, and the number of them, for the largest member that is valid.
fn most_applied(p: &Ormqr) -> [i64; 2] {
    let order = if p.side == Side::Left { p.m } else { p.n };
    [order, p.k.min(order)]
}

impl Padded for Ormqr {
    fn matrices(&self) -> [Option<Matrices>; 3] {
        let (&Ormqr { side, m, n, a, tau, c, .. }, [order, k]) = (self, most_applied(self));
        let QSizes { m: rows, n: columns, k: reflectors, lda, ldc, .. } = self.sizes.unwrap_or(QSizes::NULL);
        let height = if side == Side::Left { rows } else { columns };
        let a = Matrices::of(a, [order, k], [height, reflectors, lda], false);
        let c = Matrices::of(c, [m, n], [rows, columns, ldc], true);
        [Some(a), Some(scalars(tau, k, reflectors)), Some(c)]
    }

    fn size_bounds(&self) -> Option<Bounds> {
        Some(self.sizes?.bounds_of_applied(self.side, [self.m, self.n, self.k]))
    }

    fn on_copies(&self, [(a, lda), (tau, _), (c, ldc)]: [(Operand, i64); 3], batch: i64) -> Ormqr {
        let [_, k] = most_applied(self);
        Ormqr { k, a, lda, tau, c, ldc, batch, sizes: None, ..*self }
    }
}

/// The reflectors' scalar factors, which are read.
fn scalars(tau: Operand, k: i64, reflectors: *const i32) -> Matrices {
    Matrices { read: Some(null()), ..Matrices::vector(tau, k, [reflectors, null()]) }
}
