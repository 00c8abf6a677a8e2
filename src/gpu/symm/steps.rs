//! Products with symmetric and Hermitian matrices on the device.

use crate::error::Error;
use crate::gpu::args::{DeviceOperand, Extent};
use crate::gpu::gemm::steps::Factors;
use crate::gpu::plan::ceil_div;
use crate::gpu::plan::walk::{Call, Launches, MAX_LOOPING_BLOCKS, launch_kernel};
use crate::gpu::symm::halves;
use crate::routine::{Side, Symm, SymmSizes, Uplo};

/// Declared in `kernels/triangle/symm.cuh`.
#[repr(C)]
struct SymmArgs {
    a: DeviceOperand,
    b: DeviceOperand,
    c: DeviceOperand,
    factors: Factors,
    lda: i64,
    ldb: i64,
    ldc: i64,
    batch: i64,
    rows: Extent,
    columns: Extent,
    a_leading: *const i32,
    b_leading: *const i32,
    c_leading: *const i32,
    m: i32,
    n: i32,
    right: i32,
    upper: i32,
    hermitian: i32,
    pad: i32,
}

impl Launches for Symm {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        if call.plan.candidate == "halves" {
            return halves::walk(self, call.queue);
        }
        let &Symm { lda, ldb, ldc, batch, .. } = self;
        let sizes = self.sizes.unwrap_or(SymmSizes::NULL);
        call.walk(|l| {
            let mut args = SymmArgs {
                a: self.a.into(),
                b: self.b.into(),
                c: self.c.into(),
                factors: Factors::new(self.alpha, self.beta),
                lda,
                ldb,
                ldc,
                batch,
                rows: Extent::new(sizes.m, self.m),
                columns: Extent::new(sizes.n, self.n),
                a_leading: sizes.lda,
                b_leading: sizes.ldb,
                c_leading: sizes.ldc,
                // The plan has refused sizes of 2^31 and more.
                m: l.m as i32,
                n: l.n as i32,
                right: (self.side == Side::Right).into(),
                upper: (self.uplo == Uplo::Upper).into(),
                hermitian: (self.hermitian && self.dtype.is_complex()).into(),
                pad: 0,
            };
            let tiles = ceil_div(l.m, l.instance.rows.into()) * ceil_div(l.n, l.instance.columns.into());
            let blocks = ceil_div(batch.saturating_mul(tiles), l.instance.per_block.into());
            // With individual sizes, most blocks may find nothing to do.
            let blocks = if self.sizes.is_some() { blocks.min(MAX_LOOPING_BLOCKS) } else { blocks };
            // SAFETY: the kernels take SymmArgs; the operands are the caller's.
            unsafe { launch_kernel(l, blocks, &mut args, call.queue) }
        })
    }
}
