//! Products of matrices with vectors on the device.

use crate::error::Error;
use crate::gpu::args::{DeviceOperand, Extent};
use crate::gpu::gemm::steps::Factors;
use crate::gpu::gemv::{Lanes, passes};
use crate::gpu::plan::Launch;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::walk::{Call, Launches, MAX_LOOPING_BLOCKS, launch_kernel};
use crate::routine::{Alpha, Gemv, GemvSizes, Operand, Trans};

/// Declared in `kernels/gemv/gemv.cuh`.
#[repr(C)]
struct GemvArgs {
    a: DeviceOperand,
    x: DeviceOperand,
    y: DeviceOperand,
    factors: Factors,
    a0: i64,
    lda: i64,
    x0: i64,
    incx: i64,
    y0: i64,
    incy: i64,
    batch: i64,
    strips: i64,
    m: i32,
    n: i32,
    down: i32,
    across: i32,
    conj_a: i32,
    conj_x: i32,
    passes: i32,
    pad: i32,
}

/// The same for members with individual sizes.
#[repr(C)]
struct GemvEachArgs {
    all: GemvArgs,
    rows: Extent,
    columns: Extent,
    leading: *const i32,
    x_steps: *const i32,
    y_steps: *const i32,
}

/// A vector of any stride: its members, the offset of the first element in each, and the distance between elements.
pub struct Vector {
    pub of: Operand,
    pub first: i64,
    pub inc: i64,
}

impl Vector {
    /// With a negative increment, the vector starts at its end in memory.
    fn new(of: Operand, first: i64, inc: i64, length: i64) -> Vector {
        let end = if inc < 0 { (length - 1).wrapping_mul(inc.wrapping_neg()) } else { 0 };
        Vector { of, first: first.wrapping_add(end), inc }
    }
}

/// y := alpha op(A) x + beta y, where A is m x n; `a` has its leading dimension and the offset of its first element.
pub struct Product {
    pub a: (Operand, i64, i64),
    pub m: i64,
    pub n: i64,
    pub trans: Trans,
    pub x: Vector,
    /// Whether x is conjugated.
    pub conj_x: bool,
    pub y: Vector,
    pub alpha: Alpha,
    pub beta: Alpha,
    pub batch: i64,
}

/// Launches the product on the kernel of [`crate::gpu::gemv::instance`]; the plan has refused sizes of 2^31 and
/// more.
pub fn launch(l: &Launch, p: &Product, queue: Queue<'_>) -> Result<(), Error> {
    let (mut args, blocks) = arguments(l, p);
    // SAFETY: the kernel takes GemvArgs; its operands are the caller's.
    unsafe { launch_kernel(l, blocks, &mut args, queue) }
}

/// The launch's arguments, and the number of blocks.
fn arguments(l: &Launch, p: &Product) -> (GemvArgs, i64) {
    let lanes = Lanes::over(l.instance, p.m, p.n);
    let (a, lda, a0) = p.a;
    let members = if matches!(a, Operand::Strided { stride: 0, .. }) { 1 } else { p.batch };
    let args = GemvArgs {
        a: a.into(),
        x: p.x.of.into(),
        y: p.y.of.into(),
        factors: Factors::new(p.alpha, p.beta),
        a0,
        lda,
        x0: p.x.first,
        incx: p.x.inc,
        y0: p.y.first,
        incy: p.y.inc,
        batch: p.batch,
        strips: lanes.strips,
        m: p.m as i32,
        n: p.n as i32,
        down: lanes.down.trailing_zeros() as i32,
        across: lanes.across.trailing_zeros() as i32,
        conj_a: (p.trans == Trans::C).into(),
        conj_x: p.conj_x.into(),
        passes: passes(l.instance.dtype, p.m, p.n, members).into(),
        pad: 0,
    };
    (args, lanes.blocks(l.instance, p.batch))
}

impl Launches for Gemv {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        let &Gemv { trans, m, n, alpha, a, lda, beta, batch, first: [a0, x0, y0], .. } = self;
        let [length_x, length_y] = self.lengths();
        let product = Product {
            a: (a, lda, a0),
            m,
            n,
            trans,
            x: Vector::new(self.x, x0, self.incx, length_x),
            conj_x: false,
            y: Vector::new(self.y, y0, self.incy, length_y),
            alpha,
            beta,
            batch,
        };
        let Some(GemvSizes { m: rows, n: columns, lda: leading, incx: x_steps, incy: y_steps }) = self.sizes else {
            return call.walk(|l| launch(l, &product, call.queue));
        };
        let (rows, columns) = (Extent::new(rows, m), Extent::new(columns, n));
        call.walk(|l| {
            let (all, blocks) = arguments(l, &product);
            let mut args = GemvEachArgs { all, rows, columns, leading, x_steps, y_steps };
            // SAFETY: this kernel takes GemvEachArgs; the operands are the caller's.
            unsafe { launch_kernel(l, blocks.min(MAX_LOOPING_BLOCKS), &mut args, call.queue) }
        })
    }
}
