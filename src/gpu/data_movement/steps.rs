//! Sums of matrices, and products with diagonal matrices, on the device.

use crate::error::Error;
use crate::gpu::args::{DeviceOperand, scalar};
use crate::gpu::plan::walk::{Call, Launches, launch_kernel};
use crate::gpu::plan::{Launch, ceil_div};
use crate::routine::{Alpha, Dgmm, Geam, Operand, Side, Trans};
use crate::scalar::C64;
use std::ffi::c_void;

/// Declared in `kernels/auxiliary/geam.cuh`.
#[repr(C)]
struct GeamArgs {
    a: DeviceOperand,
    b: DeviceOperand,
    c: DeviceOperand,
    x: DeviceOperand,
    alpha: *const c_void,
    beta: *const c_void,
    alpha_re: f64,
    alpha_im: f64,
    beta_re: f64,
    beta_im: f64,
    lda: i64,
    ldb: i64,
    ldc: i64,
    x0: i64,
    incx: i64,
    batch: i64,
    rows: i64,
    columns: i64,
    op_a: i32,
    op_b: i32,
    diagonal: i32,
    pad: i32,
}

impl GeamArgs {
    const ROWS: i32 = 1;
    const COLUMNS: i32 = 2;

    /// For C := alpha A + beta B, without either term yet.
    fn new((c, ldc): (Operand, i64), [rows, columns, batch]: [i64; 3]) -> Self {
        GeamArgs {
            a: DeviceOperand::NONE,
            b: DeviceOperand::NONE,
            c: c.into(),
            x: DeviceOperand::NONE,
            alpha: std::ptr::null(),
            beta: std::ptr::null(),
            alpha_re: 0.0,
            alpha_im: 0.0,
            beta_re: 0.0,
            beta_im: 0.0,
            lda: 0,
            ldb: 0,
            ldc,
            x0: 0,
            incx: 0,
            batch,
            rows,
            columns,
            op_a: 0,
            op_b: 0,
            diagonal: 0,
            pad: 0,
        }
    }

    fn first(&mut self, factor: Alpha, (a, lda): (Operand, i64), op: Trans) {
        (self.alpha, self.alpha_re, self.alpha_im) = scalar(factor);
        (self.a, self.lda, self.op_a) = (a.into(), lda, number(op));
    }

    fn second(&mut self, factor: Alpha, (b, ldb): (Operand, i64), op: Trans) {
        (self.beta, self.beta_re, self.beta_im) = scalar(factor);
        (self.b, self.ldb, self.op_b) = (b.into(), ldb, number(op));
    }

    /// One block per group of tiles.
    fn blocks(&self, l: &Launch) -> i64 {
        let tiles = |size: i64| ceil_div(size, i64::from(l.instance.rows));
        let all = tiles(self.rows).saturating_mul(tiles(self.columns)).saturating_mul(self.batch);
        ceil_div(all, i64::from(l.instance.per_block))
    }
}

/// The kernels' constants PLAIN, TRANSPOSE and ADJOINT.
fn number(op: Trans) -> i32 {
    match op {
        Trans::N => 0,
        Trans::T => 1,
        Trans::C => 2,
    }
}

impl Launches for Geam {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk(|l| {
            let mut args = GeamArgs::new((self.c, self.ldc), [self.m, self.n, self.batch]);
            args.first(self.alpha, (self.a, self.lda), self.trans_a);
            args.second(self.beta, (self.b, self.ldb), self.trans_b);
            // SAFETY: the kernels take GeamArgs; the operands are the caller's.
            unsafe { launch_kernel(l, args.blocks(l), &mut args, call.queue) }
        })
    }
}

impl Launches for Dgmm {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk(|l| {
            let mut args = GeamArgs::new((self.c, self.ldc), [self.m, self.n, self.batch]);
            args.first(Alpha::Host(C64 { re: 1.0, im: 0.0 }), (self.a, self.lda), Trans::N);
            let (length, _) = self.side.order(self.m, self.n);
            (args.x, args.incx) = (self.x.into(), self.incx);
            args.x0 = if self.incx < 0 { (length - 1) * -self.incx } else { 0 };
            args.diagonal = if self.side == Side::Left { GeamArgs::ROWS } else { GeamArgs::COLUMNS };
            // SAFETY: the kernels take GeamArgs; the operands are the caller's.
            unsafe { launch_kernel(l, args.blocks(l), &mut args, call.queue) }
        })
    }
}
