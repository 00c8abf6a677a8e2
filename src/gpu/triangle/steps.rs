//! Products with triangles, solves with one right-hand side, and inverses, on the device.

use crate::error::Error;
use crate::gpu::args::{DeviceOperand, Extent, TrsmArgs, TrsmEachArgs};
use crate::gpu::plan::padded;
use crate::gpu::plan::padded::{Matrices, Padded};
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::table::{Instance, TRMM};
use crate::gpu::plan::walk::{Call, Launches, MAX_LOOPING_BLOCKS, launch_kernel};
use crate::gpu::plan::{Launch, ceil_div};
use crate::gpu::triangle::{by_strips, doubling, halves};
use crate::gpu::trsm::blocked;
use crate::gpu::trsm::steps::triangle;
use crate::routine::canonical::Canonical;
use crate::routine::{Alpha, Bounds, Operand, Side, Trmm, TrsmSizes, Trsv, TrsvSizes, Trtri};
use std::ptr::null;

impl Launches for Trmm {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        if call.plan.candidate == "halves" {
            return halves::walk(self, call.queue);
        }
        call.walk(|l| {
            let tiles = ceil_div(l.n, i64::from(l.instance.columns));
            let blocks = ceil_div(self.batch.saturating_mul(tiles), i64::from(l.instance.per_block));
            if let Some(TrsmSizes { m, n, lda, ldb }) = self.sizes {
                let p = Trmm { lda: 0, ldb: 0, ..*self };
                let (rows, columns) = (Extent::new(m, self.m), Extent::new(n, self.n));
                let extents = if self.side == Side::Left { [rows, columns] } else { [columns, rows] };
                let form = Canonical::of_product(&p);
                let mut args = TrsmEachArgs::new(&p.system(), &form, tiles, extents, [lda, ldb]);
                // SAFETY: this kernel takes TrsmEachArgs; the operands are the caller's.
                return unsafe { launch_kernel(l, blocks.min(MAX_LOOPING_BLOCKS), &mut args, call.queue) };
            }
            let form = Canonical::of_product(self);
            let mut args = TrsmArgs::on((self.a, self.b), self.alpha, self.batch, &form, tiles);
            // SAFETY: the kernels take TrsmArgs; the operands are the caller's.
            unsafe { launch_kernel(l, blocks, &mut args, call.queue) }
        })
    }
}

/// The product of a uniform batch on blocks of larger matrices, which begin at these elements of A's and B's members.
///
/// # Safety
/// Unless `queue` is a list, the operands must be device memory, as large as the sizes say.
pub(crate) unsafe fn product_at(p: &Trmm, [a, b]: [i64; 2], queue: Queue<'_>) -> Result<(), Error> {
    let form = Canonical::of_product(p);
    let form = Canonical { a0: form.a0 + a, b0: form.b0 + b, ..form };
    let launch = Launch::on(Instance::tiles(TRMM, p.dtype, form.order)?, form.order, form.nrhs, 0);
    let tiles = ceil_div(form.nrhs, i64::from(launch.instance.columns));
    let blocks = ceil_div(p.batch.saturating_mul(tiles), i64::from(launch.instance.per_block));
    let mut args = TrsmArgs::on((p.a, p.b), p.alpha, p.batch, &form, tiles);
    // SAFETY: the kernels take TrsmArgs; the rest is forwarded.
    unsafe { launch_kernel(&launch, blocks, &mut args, queue) }
}

impl Launches for Trsv {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        if call.plan.candidate == "padded" {
            return padded::walk(self, call.queue);
        }
        if call.plan.candidate == "halves" {
            return blocked::walk(&self.system(), call.queue);
        }
        call.walk(|l| {
            let blocks = ceil_div(self.batch, i64::from(l.instance.per_block));
            if let Some(TrsvSizes { n, lda, incx }) = self.sizes {
                // The increments take the role of the leading dimensions of a row vector.
                let p = Trsv { lda: 0, incx: 0, ..*self };
                let (form, extents) = (Canonical::of_vector(&p), [Extent::new(n, self.n), Extent::new(null(), 1)]);
                let mut args = TrsmEachArgs::new(&p.system(), &form, 1, extents, [lda, incx]);
                args.vectors = 1;
                // SAFETY: this kernel takes TrsmEachArgs; the operands are the caller's.
                return unsafe { launch_kernel(l, blocks.min(MAX_LOOPING_BLOCKS), &mut args, call.queue) };
            }
            let one = Alpha::host(1.0);
            let mut args = TrsmArgs::on((self.a, self.x), one, self.batch, &Canonical::of_vector(self), 1);
            // SAFETY: the kernels take TrsmArgs; the operands are the caller's.
            unsafe { launch_kernel(l, blocks, &mut args, call.queue) }
        })
    }
}

impl Padded for Trsv {
    fn matrices(&self) -> [Option<Matrices>; 3] {
        let TrsvSizes { n, lda, incx } = self.sizes.unwrap_or(TrsvSizes::NULL);
        // A row, whose leading dimension is the increment. Members with an increment of 0 are invalid.
        let x = Matrices { nonzero: incx, ..Matrices::of(self.x, [1, self.n], [null(), n, incx], true) };
        let a = triangle(self.a, self.n, [n, lda], (self.uplo, self.diag));
        [Some(Matrices { nonzero: incx, ..a }), Some(x), None]
    }

    fn size_bounds(&self) -> Option<Bounds> {
        Some(self.sizes?.bounds(self.n))
    }

    fn on_copies(&self, [(a, lda), (x, incx), _]: [(Operand, i64); 3], batch: i64) -> Trsv {
        Trsv { a, lda, x, incx, batch, sizes: None, ..*self }
    }
}

/// Declared in `kernels/triangle/trtri.cuh`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct TrtriArgs {
    pub a: DeviceOperand,
    pub info: *mut i32,
    pub a0: i64,
    pub ars: i64,
    pub acs: i64,
    pub order: i64,
    pub batch: i64,
    pub unit: i32,
    pub pad: i32,
}

impl Launches for Trtri {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        let Canonical { a0, ars, acs, order, unit, .. } = Canonical::of_inverse(self);
        let (info, batch, unit) = (self.info, self.batch, unit.into());
        let mut args = TrtriArgs { a: self.a.into(), info, a0, ars, acs, order, batch, unit, pad: 0 };
        if call.plan.candidate == "fused" {
            return by_strips::walk(self, call.plan.limits, call.queue);
        }
        if call.plan.candidate == "doubling" {
            return doubling::walk(self, args, call.queue);
        }
        call.walk(|l| {
            let blocks = ceil_div(self.batch, i64::from(l.instance.per_block));
            // SAFETY: the kernels take TrtriArgs; the operands are the caller's.
            unsafe { launch_kernel(l, blocks, &mut args, call.queue) }
        })
    }
}
