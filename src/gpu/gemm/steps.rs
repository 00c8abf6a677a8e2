//! Matrix products on the device.

use crate::error::Error;
use crate::gpu::args::{DeviceOperand, Extent, scalar};
use crate::gpu::gemm::{is_vector, split};
use crate::gpu::gemv::steps as gemv;
use crate::gpu::gemv::steps::{Product, Vector};
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::walk::{Call, Launches, MAX_LOOPING_BLOCKS, launch_kernel};
use crate::gpu::plan::{Launch, ceil_div};
use crate::routine::{Alpha, Gemm, GemmSizes, Operand, Trans};
use std::ffi::c_void;
use std::ptr::null;

/// alpha and beta. Declared in `kernels/gemm/args.cuh`, as is [`GemmArgs`].
#[repr(C)]
pub struct Factors {
    alpha: *const c_void,
    beta: *const c_void,
    alpha_re: f64,
    alpha_im: f64,
    beta_re: f64,
    beta_im: f64,
}

impl Factors {
    pub fn new(alpha: Alpha, beta: Alpha) -> Self {
        let ((alpha, alpha_re, alpha_im), (beta, beta_re, beta_im)) = (scalar(alpha), scalar(beta));
        Factors { alpha, beta, alpha_re, alpha_im, beta_re, beta_im }
    }
}

#[repr(C)]
pub struct GemmArgs {
    pub a: DeviceOperand,
    pub b: DeviceOperand,
    pub c: DeviceOperand,
    pub factors: Factors,
    pub a0: i64,
    pub ars: i64,
    pub acs: i64,
    pub b0: i64,
    pub brs: i64,
    pub bcs: i64,
    pub c0: i64,
    pub ldc: i64,
    pub batch: i64,
    pub m: i32,
    pub n: i32,
    pub k: i32,
    pub conj_a: i32,
    pub conj_b: i32,
    pub triangle: i32,
    pub real_diagonal: i32,
    pub halvings: i32,
}

impl GemmArgs {
    /// For C := alpha A B + beta C; `stored` is the part of C to compute. The caller fills in the sizes, A and B,
    /// and the offsets and strides of elements.
    pub fn new(alpha: Alpha, beta: Alpha, (c, ldc): (Operand, i64), stored: Stored, batch: i64) -> Self {
        GemmArgs {
            a: DeviceOperand::NONE,
            b: DeviceOperand::NONE,
            c: c.into(),
            factors: Factors::new(alpha, beta),
            a0: 0,
            ars: 1,
            acs: 1,
            b0: 0,
            brs: 1,
            bcs: 1,
            c0: 0,
            ldc,
            batch,
            m: 0,
            n: 0,
            k: 0,
            conj_a: 0,
            conj_b: 0,
            triangle: stored as i32,
            real_diagonal: 0,
            halvings: 0,
        }
    }
}

/// The same for members with individual sizes. Strides and offsets are those for a leading dimension of 0.
#[repr(C)]
pub struct GemmEachArgs {
    pub all: GemmArgs,
    pub rows: Extent,
    pub columns: Extent,
    pub terms: Extent,
    pub leading: [*const i32; 3],
    /// Columns of A, B and C, as stored, before the block to be worked on.
    pub at: [i32; 3],
    /// Rows and columns of the product before the block.
    pub before: [i32; 2],
    pub pad: i32,
}

impl GemmEachArgs {
    /// For products of blocks of one square matrix, which is A, B and C. `order` and `leading` are the members'
    /// orders and leading dimensions.
    pub fn on_squares(all: GemmArgs, order: Extent, leading: *const i32, at: [i32; 3], before: [i32; 2]) -> Self {
        let (terms, leading) = (Extent::new(null(), 0), [leading; 3]);
        GemmEachArgs { all, rows: order, columns: order, terms, leading, at, before, pad: 0 }
    }
}

/// The part of C that a product computes; triangles are of square matrices. The rest is neither read nor written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Stored {
    Full = 0,
    Lower = 1,
    Upper = 2,
}

impl Stored {
    /// The number of tiles that contain a part of it; `GemmTiles` mirrors this.
    fn tiles(self, l: &Launch) -> i64 {
        let (down, across) = (ceil_div(l.m, i64::from(l.instance.rows)), ceil_div(l.n, i64::from(l.instance.columns)));
        let group = i64::from(l.instance.rows / l.instance.columns);
        let before = group * (down * (down - 1) / 2);
        match self {
            Stored::Full => down * across,
            Stored::Lower => before + across,
            Stored::Upper => before + (across - group * (down - 1)) * down,
        }
    }
}

/// Blocks for all tiles.
pub fn blocks(l: &Launch, stored: Stored, batch: i64) -> i64 {
    ceil_div(batch.saturating_mul(stored.tiles(l)), i64::from(l.instance.per_block))
}

impl Launches for Gemm {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        if call.plan.candidate == "split" {
            return split::walk(self, call.queue);
        }
        call.walk(|l| if is_vector(l) { by_vector(self, l, call.queue) } else { multiply(self, l, call.queue) })
    }
}

fn multiply(p: &Gemm, l: &Launch, queue: Queue<'_>) -> Result<(), Error> {
    let &Gemm { trans_a, trans_b, alpha, beta, c, batch, first: [a0, b0, c0], .. } = p;
    let steps = |trans, ld| if trans == Trans::N { (1, ld) } else { (ld, 1) };
    let [lda, ldb, ldc] = if p.sizes.is_some() { [0; 3] } else { [p.lda, p.ldb, p.ldc] };
    let ((ars, acs), (brs, bcs)) = (steps(trans_a, lda), steps(trans_b, ldb));
    let mut args = GemmArgs {
        a: p.a.into(),
        b: p.b.into(),
        a0,
        ars,
        acs,
        b0,
        brs,
        bcs,
        c0,
        // The plan has refused sizes of 2^31 and more.
        m: l.m as i32,
        n: l.n as i32,
        k: l.k as i32,
        conj_a: (trans_a == Trans::C).into(),
        conj_b: (trans_b == Trans::C).into(),
        halvings: l.cluster.ilog2() as i32,
        ..GemmArgs::new(alpha, beta, (c, ldc), Stored::Full, batch)
    };
    let blocks = blocks(l, Stored::Full, batch);
    let Some(GemmSizes { m, n, k, lda, ldb, ldc }) = p.sizes else {
        // SAFETY: the kernel takes GemmArgs; the operands are the caller's.
        return unsafe { launch_kernel(l, blocks, &mut args, queue) };
    };
    let [rows, columns, terms] = [(m, p.m), (n, p.n), (k, p.k)].map(|(each, most)| Extent::new(each, most));
    let (leading, at, before) = ([lda, ldb, ldc], [0; 3], [0; 2]);
    let mut args = GemmEachArgs { all: args, rows, columns, terms, leading, at, before, pad: 0 };
    // SAFETY: this kernel takes GemmEachArgs; the operands are the caller's.
    unsafe { launch_kernel(l, blocks.min(MAX_LOOPING_BLOCKS), &mut args, queue) }
}

/// A product with one column.
fn by_vector(p: &Gemm, l: &Launch, queue: Queue<'_>) -> Result<(), Error> {
    let &Gemm { trans_a: trans, trans_b, m, k, alpha, a, lda, beta, batch, first: [a0, b0, c0], .. } = p;
    let (m, n) = if trans == Trans::N { (m, k) } else { (k, m) };
    let inc = if trans_b == Trans::N { 1 } else { p.ldb };
    let (x, y) = (Vector { of: p.b, first: b0, inc }, Vector { of: p.c, first: c0, inc: 1 });
    let conj_x = trans_b == Trans::C;
    gemv::launch(l, &Product { a: (a, lda, a0), m, n, trans, x, conj_x, y, alpha, beta, batch }, queue)
}
