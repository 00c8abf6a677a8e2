//! Arguments of triangular solves, and of the kernels that only least squares use.

use crate::gpu::args::{DeviceOperand, Extent, scalar};
use crate::gpu::plan::{Launch, ceil_div};
use crate::routine::canonical::Canonical;
use crate::routine::{Alpha, Gels, Operand, Trsm};
use std::ffi::c_void;

/// Declared in `kernels/trsm/args.cuh`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TrsmArgs {
    a: DeviceOperand,
    b: DeviceOperand,
    alpha: *const c_void,
    alpha_re: f64,
    alpha_im: f64,
    a0: i64,
    ars: i64,
    acs: i64,
    b0: i64,
    brs: i64,
    bcs: i64,
    order: i64,
    nrhs: i64,
    batch: i64,
    tiles: i64,
    conj: i32,
    unit: i32,
}

impl TrsmArgs {
    /// Arguments for `p`, whose canonical form is `c`, with `tiles` tiles of right-hand sides per matrix.
    pub fn new(p: &Trsm, c: &Canonical, tiles: i64) -> Self {
        TrsmArgs::on((p.a, p.b), p.alpha, p.batch, c, tiles)
    }

    /// The same for any routine with a canonical form.
    pub fn on((a, b): (Operand, Operand), alpha: Alpha, batch: i64, c: &Canonical, tiles: i64) -> Self {
        let (alpha, alpha_re, alpha_im) = scalar(alpha);
        TrsmArgs {
            a: a.into(),
            b: b.into(),
            alpha,
            alpha_re,
            alpha_im,
            a0: c.a0,
            ars: c.ars,
            acs: c.acs,
            b0: c.b0,
            brs: c.brs,
            bcs: c.bcs,
            order: c.order,
            nrhs: c.nrhs,
            batch,
            tiles,
            conj: c.conj.into(),
            unit: c.unit.into(),
        }
    }
}

/// The same for members with individual sizes: the number of unknowns and of right-hand sides.
#[repr(C)]
pub struct TrsmEachArgs {
    all: TrsmArgs,
    orders: Extent,
    sides: Extent,
    leading: [*const i32; 2],
    /// Columns of A and B, as stored, before the block to be worked on.
    pub at: [i32; 2],
    /// Unknowns and right-hand sides before the block.
    pub before: [i32; 2],
    reversed: i32,
    /// Whether the leading dimensions of B are increments of vectors.
    pub vectors: i32,
}

impl TrsmEachArgs {
    /// Arguments for `p` on whole matrices. Its leading dimensions are 0 here (each member has its own); `c`
    /// is its canonical form.
    pub fn new(p: &Trsm, c: &Canonical, tiles: i64, [orders, sides]: [Extent; 2], leading: [*const i32; 2]) -> Self {
        let reversed = c.ars + c.acs < 0;
        let unreversed = Canonical { ars: c.ars.abs(), acs: c.acs.abs(), brs: c.brs.abs(), ..*c };
        let start = if reversed { Canonical { a0: 0, b0: 0, ..unreversed } } else { unreversed };
        let all = TrsmArgs::new(p, &start, tiles);
        TrsmEachArgs { all, orders, sides, leading, at: [0; 2], before: [0; 2], reversed: reversed.into(), vectors: 0 }
    }
}

/// A triangle of [`StripsArgs`].
#[repr(C)]
#[derive(Clone, Copy)]
struct StripTriangle {
    across: i32,
    back: i32,
    conj: i32,
    unit: i32,
}

/// Declared in `kernels/trsm/strips.cuh`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct StripsArgs {
    a: DeviceOperand,
    b: DeviceOperand,
    alpha: *const c_void,
    alpha_re: f64,
    alpha_im: f64,
    lda: i64,
    brs: i64,
    bcs: i64,
    a0: i64,
    b0: i64,
    order: i32,
    nrhs: i32,
    tiles: i32,
    sweeps: i32,
    sweep: [StripTriangle; 2],
}

impl StripsArgs {
    /// `triangles` are one or two solves with the same matrices, right-hand sides and side, which begin after `first`
    /// elements of a member of A and of B. Each warp of a block takes one strip of right-hand sides.
    pub fn new(triangles: &[Trsm], first: [i64; 2], l: &Launch) -> Self {
        let p = &triangles[0];
        let (alpha, alpha_re, alpha_im) = scalar(p.alpha);
        let forms = [p, &triangles[triangles.len() - 1]].map(Canonical::of);
        let sweep = forms.map(|c| {
            let (across, back) = (c.ars.abs() != 1, c.brs < 0);
            StripTriangle { across: across.into(), back: back.into(), conj: c.conj.into(), unit: c.unit.into() }
        });
        let Canonical { order, nrhs, brs, bcs, .. } = forms[0];
        StripsArgs {
            a: p.a.into(),
            b: p.b.into(),
            alpha,
            alpha_re,
            alpha_im,
            lda: p.lda,
            brs: brs.abs(),
            bcs,
            a0: first[0],
            b0: first[1],
            // These kernels' plans accept only sizes that fit an `int`.
            order: order as i32,
            nrhs: nrhs as i32,
            tiles: ceil_div(nrhs, i64::from(l.instance.columns) * i64::from(l.per_block)) as i32,
            sweeps: triangles.len() as i32,
            sweep,
        }
    }

    /// Blocks per matrix.
    pub fn tiles(&self) -> i64 {
        self.tiles.into()
    }
}

/// Declared in `kernels/gels/steps.cuh`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct GelsArgs {
    a: DeviceOperand,
    b: DeviceOperand,
    w: DeviceOperand,
    shifts: DeviceOperand,
    info: *mut i32,
    lda: i64,
    ldb: i64,
    ldw: i64,
    batch: i64,
    m: i64,
    n: i64,
    nrhs: i64,
    zero: i64,
    rows: i64,
    solution: i64,
    transpose: i32,
    pad: i32,
}

impl From<&Gels> for GelsArgs {
    fn from(p: &Gels) -> Self {
        GelsArgs {
            a: p.a.into(),
            b: p.b.into(),
            w: p.a.into(),
            shifts: p.a.into(),
            info: p.info,
            lda: p.lda,
            ldb: p.ldb,
            ldw: p.lda,
            batch: p.batch,
            m: p.m,
            n: p.n,
            nrhs: p.nrhs,
            zero: 0,
            rows: 0,
            solution: 0,
            transpose: 0,
            pad: 0,
        }
    }
}

impl GelsArgs {
    /// Copies A^H to `copy` and zeroes rows `zero` .. `rows` of B.
    pub fn prepare(p: &Gels, copy: Option<Operand>, zero: i64, rows: i64) -> Self {
        let args = GelsArgs { zero, rows, ..p.into() };
        match copy {
            Some(w) => GelsArgs { w: w.into(), ldw: p.n, transpose: 1, ..args },
            None => args,
        }
    }
    /// For a kernel that works with F (m x n, either A or a copy of its adjoint), with B, and with the
    /// exponents in `shifts`.
    pub fn on(p: &Gels, (f, ldf): (Operand, i64), shifts: Operand, (m, n): (i64, i64)) -> Self {
        let transpose = i32::from(p.m < p.n);
        GelsArgs { a: f.into(), lda: ldf, shifts: shifts.into(), m, n, transpose, ..p.into() }
    }
    /// Sets the range of rows of B, `zero` .. `rows`.
    pub fn rows(self, zero: i64, rows: i64) -> Self {
        GelsArgs { zero, rows, ..self }
    }
    /// Sets the number of rows of X.
    pub fn solution(self, solution: i64) -> Self {
        GelsArgs { solution, ..self }
    }
}
