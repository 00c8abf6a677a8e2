//! Symmetric and Hermitian products on the device.

use crate::error::Error;
use crate::gpu::args::Extent;
use crate::gpu::gemm::steps as gemm;
use crate::gpu::gemm::steps::{GemmArgs, GemmEachArgs, Stored};
use crate::gpu::plan::Launch;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::walk::{Call, Launches, MAX_LOOPING_BLOCKS, launch_kernel};
use crate::routine::{Operand, Syr2k, Syrk, SyrkSizes, TriangleProduct, Uplo};

/// Computes one product into a triangle of C.
fn product(
    l: &Launch,
    p: TriangleProduct,
    (c, sizes): ((Operand, i64), Option<SyrkSizes>),
    batch: i64,
    queue: Queue<'_>,
) -> Result<(), Error> {
    let stored = if p.uplo == Uplo::Lower { Stored::Lower } else { Stored::Upper };
    let [alpha, beta] = p.factors;
    // Strides of op(A) between rows and terms. The transposed op(B) has op(B)'s rows as columns.
    let along = |ld: i64| if p.plain { (1, ld) } else { (ld, 1) };
    // A stride of 0 stands for the member's own leading dimension.
    let along = |ld: i64| along(if sizes.is_some() { 0 } else { ld });
    let ((ars, acs), (bcs, brs)) = (along(p.a.1), along(p.b.1));
    let mut args = GemmArgs {
        a: p.a.0.into(),
        b: p.b.0.into(),
        ars,
        acs,
        brs,
        bcs,
        m: l.m as i32,
        n: l.n as i32,
        k: l.k as i32,
        conj_a: (p.hermitian && !p.plain).into(),
        conj_b: (p.hermitian && p.plain).into(),
        real_diagonal: p.hermitian.into(),
        ..GemmArgs::new(alpha, beta, c, stored, batch)
    };
    let blocks = gemm::blocks(l, stored, batch);
    let Some(SyrkSizes { n, k, lda, ldb, ldc }) = sizes else {
        // SAFETY: the kernels take GemmArgs; the operands are the caller's.
        return unsafe { launch_kernel(l, blocks, &mut args, queue) };
    };
    let (order, terms) = (Extent::new(n, l.n), Extent::new(k, l.k));
    let (leading, at, before) = ([lda, ldb, ldc], [0; 3], [0; 2]);
    let mut args = GemmEachArgs { all: args, rows: order, columns: order, terms, leading, at, before, pad: 0 };
    // SAFETY: these kernels take GemmEachArgs; the operands are the caller's.
    unsafe { launch_kernel(l, blocks.min(MAX_LOOPING_BLOCKS), &mut args, queue) }
}

impl Launches for Syrk {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk(|l| product(l, self.product(), ((self.c, self.ldc), self.sizes), self.batch, call.queue))
    }
}

impl Launches for Syr2k {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        let mut products = self.products().zip([0, 1]);
        call.walk(|l| match products.next() {
            Some((p, number)) => {
                // In the second product, A and B change places.
                let turned = |s: SyrkSizes| SyrkSizes { lda: s.ldb, ldb: s.lda, ..s };
                let sizes = if number == 0 { self.sizes } else { self.sizes.map(turned) };
                product(l, p, ((self.c, self.ldc), sizes), self.batch, call.queue)
            }
            None => Err(Error::Internal("more launches than products".into())),
        })
    }
}
