//! Arguments of block reflectors: forming T, and applying H to a matrix.

use crate::gpu::args::SizesArgs;
use crate::gpu::args::geqrf::separate_flags;
use crate::gpu::args::{DeviceOperand, Extent};
use crate::gpu::plan::SeparateOperands;
use crate::routine::{Geqrf, Larfb, Operand, Orgqr, Ormqr, QSizes, Side, Sizes};

#[repr(C)]
#[derive(Clone, Copy)]
pub struct LarfbArgs {
    v: DeviceOperand,
    tau: DeviceOperand,
    t: DeviceOperand,
    c: DeviceOperand,
    pub v0: i64,
    pub tau0: i64,
    pub t0: i64,
    pub c0: i64,
    pub ldv: i64,
    pub ldt: i64,
    pub ldc: i64,
    batch: i64,
    pub m: i64,
    pub n: i64,
    pub k: i64,
    pub tiles: i64,
    pub identity: i64,
    pub diagonal: i64,
    pub zeros: i32,
    pub adjoint: i32,
    pub transposed: i32,
    pub conjugate: i32,
    given: i32,
    flags: u32,
    from: DeviceOperand,
    r: DeviceOperand,
    ld_from: i64,
    ldr: i64,
    from0: i64,
    r0: i64,
}

impl LarfbArgs {
    /// For the trailing update by the panel of k columns at (offset, offset): sets where A is read and R is
    /// written, see [`SeparateOperands`].
    pub fn separate_operands(&mut self, separate: &SeparateOperands, fresh: bool, offset: i64, k: i64) {
        let first = |ld: i64| offset * (ld + 1) + k * ld;
        if let Some((from, ld)) = separate.from {
            (self.from, self.ld_from, self.from0) = (from.into(), ld, first(ld));
        }
        if let Some((r, ld, _)) = separate.r {
            (self.r, self.ldr, self.r0) = (r.into(), ld, first(ld));
        }
        self.flags = separate_flags(separate, fresh);
    }

    /// Applies H^H to C; the caller sets sizes and offsets. Either of `tau` and `t` may be missing.
    fn new(
        v: Operand,
        ldv: i64,
        tau: Option<Operand>,
        t: Option<(Operand, i64)>,
        c: Operand,
        ldc: i64,
        batch: i64,
    ) -> Self {
        LarfbArgs {
            v: v.into(),
            tau: tau.map_or(DeviceOperand::NONE, DeviceOperand::from),
            t: t.map_or(DeviceOperand::NONE, |(t, _)| t.into()),
            c: c.into(),
            v0: 0,
            tau0: 0,
            t0: 0,
            c0: 0,
            ldv,
            ldt: t.map_or(0, |(_, ldt)| ldt),
            ldc,
            batch,
            m: 0,
            n: 0,
            k: 0,
            tiles: 1,
            identity: 0,
            diagonal: 0,
            zeros: 0,
            adjoint: 1,
            transposed: 0,
            conjugate: 0,
            given: t.is_some().into(),
            flags: 0,
            from: DeviceOperand::NONE,
            r: DeviceOperand::NONE,
            ld_from: 0,
            ldr: 0,
            from0: 0,
            r0: 0,
        }
    }
}

/// The same for members with individual sizes. Declared in `kernels/geqrf/larfb_each.cuh`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LarfbEachArgs {
    all: LarfbArgs,
    sizes: SizesArgs,
    reflectors: Extent,
    leading_of_c: *const i32,
    info: *mut i32,
    at: i32,
    kind: i32,
}

impl LarfbEachArgs {
    const BESIDE: i32 = 0;
    const WRITES: i32 = 1;
    const LEFT: i32 = 2;
    const RIGHT: i32 = 3;

    /// geqrf's trailing update.
    pub fn beside(p: &Geqrf, sizes: SizesArgs) -> LarfbEachArgs {
        let none = Extent::new(std::ptr::null(), 0);
        LarfbEachArgs {
            all: p.into(),
            sizes,
            reflectors: none,
            leading_of_c: std::ptr::null(),
            info: std::ptr::null_mut(),
            at: 0,
            kind: LarfbEachArgs::BESIDE,
        }
    }

    fn of_q(all: LarfbArgs, sizes: &QSizes, [m, n, k]: [i64; 3], kind: i32) -> LarfbEachArgs {
        let &QSizes { k: reflectors, ldc, info, .. } = sizes;
        let leading = Sizes { m: sizes.m, n: sizes.n, lda: sizes.lda };
        let sizes = SizesArgs::new(&leading, (m, n), (0, i64::MAX));
        LarfbEachArgs { all, sizes, reflectors: Extent::new(reflectors, k), leading_of_c: ldc, info, at: 0, kind }
    }

    /// Forms Q.
    pub fn writes(p: &Orgqr, sizes: &QSizes) -> LarfbEachArgs {
        LarfbEachArgs::of_q(p.into(), sizes, [p.m, p.n, p.k], LarfbEachArgs::WRITES)
    }

    /// Applies Q to C as `all` describes.
    pub fn applies(p: &Ormqr, sizes: &QSizes, all: LarfbArgs) -> LarfbEachArgs {
        let kind = if p.side == Side::Left { LarfbEachArgs::LEFT } else { LarfbEachArgs::RIGHT };
        LarfbEachArgs::of_q(all, sizes, [p.m, p.n, p.k], kind)
    }

    /// Selects the panel of at most k reflectors at (at, at), and the number of blocks that share each
    /// member.
    pub fn place(&mut self, (at, k): (i64, i64), tiles: i64) {
        (self.at, self.all.k, self.all.tiles) = (at as i32, k, tiles);
    }
}

impl From<&Geqrf> for LarfbArgs {
    /// The reflectors are columns of A, and so is what they are applied to.
    fn from(p: &Geqrf) -> Self {
        LarfbArgs::new(p.a, p.lda, Some(p.tau), None, p.a, p.lda, p.batch)
    }
}

impl From<&Orgqr> for LarfbArgs {
    /// The reflectors are columns of A, and so is what they are applied to.
    fn from(p: &Orgqr) -> Self {
        LarfbArgs { adjoint: 0, ..LarfbArgs::new(p.a, p.lda, Some(p.tau), None, p.a, p.lda, p.batch) }
    }
}

impl From<&Ormqr> for LarfbArgs {
    fn from(p: &Ormqr) -> Self {
        LarfbArgs::new(p.a, p.lda, Some(p.tau), None, p.c, p.ldc, p.batch)
    }
}

impl From<&Larfb> for LarfbArgs {
    fn from(p: &Larfb) -> Self {
        LarfbArgs::new(p.v, p.ldv, None, Some((p.t, p.ldt)), p.c, p.ldc, p.batch)
    }
}
