//! Symmetric and Hermitian products on the device.

use crate::error::Error;
use crate::gpu::gemm::steps as gemm;
use crate::gpu::gemm::steps::{GemmArgs, Stored};
use crate::gpu::plan::Launch;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::walk::{Call, Launches, go};
use crate::routine::{Operand, Syr2k, Syrk, TriangleProduct, Uplo};

/// One product into a triangle of C.
fn product(l: &Launch, p: TriangleProduct, c: (Operand, i64), batch: i64, queue: Queue<'_>) -> Result<(), Error> {
    let stored = if p.uplo == Uplo::Lower { Stored::Lower } else { Stored::Upper };
    let [alpha, beta] = p.factors;
    // op(A) by rows; op(B)' has op(B)'s rows as columns.
    let along = |ld: i64| if p.plain { (1, ld) } else { (ld, 1) };
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
    // SAFETY: the kernels take GemmArgs; the operands are the caller's.
    unsafe { go(l, gemm::blocks(l, stored, batch), &mut args, queue) }
}

impl Launches for Syrk {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk(|l| product(l, self.product(), (self.c, self.ldc), self.batch, call.queue))
    }
}

impl Launches for Syr2k {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        let mut products = self.products();
        call.walk(|l| match products.next() {
            Some(p) => product(l, p, (self.c, self.ldc), self.batch, call.queue),
            None => Err(Error::Internal("more launches than products".into())),
        })
    }
}
