//! Kernel arguments as `kernels/common/batch.cuh` declares them.

use crate::error::Error;
use crate::plan::Outside;
use crate::plan::{Copy, Form};
use crate::routine::canonical::Canonical;
use crate::routine::{Alpha, ExtractPart, Gels, Geqrf, GeqrfExtract, Larfb, Larft, Operand, Orgqr, Ormqr, Qr, Trsm};
use crate::routine::{Assign, Part, Source};
use std::ffi::c_void;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct DeviceOperand {
    p: *mut c_void,
    stride: i64,
    pointers: i32,
    pad: i32,
}

impl DeviceOperand {
    pub const NONE: DeviceOperand = DeviceOperand { p: std::ptr::null_mut(), stride: 0, pointers: 0, pad: 0 };

    pub fn strided(p: *mut c_void, stride: i64) -> DeviceOperand {
        DeviceOperand { p, stride, pointers: 0, pad: 0 }
    }

    /// The same so many bytes further, of a strided one.
    pub fn further(self, bytes: usize) -> DeviceOperand {
        DeviceOperand { p: self.p.wrapping_byte_add(bytes), ..self }
    }
}

impl From<Operand> for DeviceOperand {
    fn from(o: Operand) -> Self {
        match o {
            // There is nothing to read or write: no kernel may look for a member's address.
            Operand::Pointers(p) if p.is_null() => DeviceOperand::NONE,
            Operand::Pointers(p) => DeviceOperand { p: p as *mut c_void, stride: 0, pointers: 1, pad: 0 },
            Operand::Strided { base, stride } => DeviceOperand { p: base, stride, pointers: 0, pad: 0 },
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct GeqrfArgs {
    a: *mut c_void,
    tau: *mut c_void,
    lda: i64,
    batch: i64,
    m: i32,
    n: i32,
    at: i32,
    flags: u32,
    a_stride: i64,
    tau_stride: i64,
    info: *mut i32,
    from: DeviceOperand,
    r: DeviceOperand,
    ld_from: i64,
    ldr: i64,
    rows: i64,
}

/// The kernels' flags: a launch reads A elsewhere if nothing has changed its columns before.
fn outside_flags(outside: &Outside, fresh: bool) -> u32 {
    let flag = |set: bool, flag| if set { flag } else { 0 };
    flag(outside.from.is_some() && fresh, GeqrfArgs::FROM) | flag(outside.r.is_some(), GeqrfArgs::R)
}

impl GeqrfArgs {
    const A_POINTERS: u32 = 1;
    const TAU_POINTERS: u32 = 2;
    const INFO: u32 = 4;
    const FROM: u32 = 8;
    const R: u32 = 16;

    /// For a launch, see [`Outside`].
    pub fn outside(&mut self, outside: &Outside, fresh: bool) {
        if let Some((from, ld)) = outside.from {
            (self.from, self.ld_from) = (from.into(), ld);
        }
        if let Some((r, ld, rows)) = outside.r {
            (self.r, self.ldr, self.rows) = (r.into(), ld, rows);
        }
        self.flags = self.flags & !(GeqrfArgs::FROM | GeqrfArgs::R) | outside_flags(outside, fresh);
    }

    /// The m x n block whose first row and column is `at`; none of them is more than the problem's, which is checked.
    pub fn place(&mut self, m: i64, n: i64, at: i64) {
        (self.m, self.n, self.at) = (m as i32, n as i32, at as i32);
    }
    /// Whether the next launch sets info.
    pub fn sets_info(&self) -> bool {
        self.flags & GeqrfArgs::INFO != 0
    }
    /// Later launches leave info alone.
    pub fn info_is_set(&mut self) {
        self.flags &= !GeqrfArgs::INFO;
    }
}

impl TryFrom<&Geqrf> for GeqrfArgs {
    type Error = Error;

    /// The whole of each matrix.
    fn try_from(p: &Geqrf) -> Result<Self, Error> {
        if p.m.max(p.n) > i32::MAX.into() {
            return Err(Error::NotSupported("2^31 or more rows or columns on the device".into()));
        }
        let (a, tau) = (DeviceOperand::from(p.a), DeviceOperand::from(p.tau));
        let flag = |set: bool, flag| if set { flag } else { 0 };
        Ok(GeqrfArgs {
            a: a.p,
            tau: tau.p,
            lda: p.lda,
            batch: p.batch,
            m: p.m as i32,
            n: p.n as i32,
            at: 0,
            flags: flag(a.pointers != 0, GeqrfArgs::A_POINTERS)
                | flag(tau.pointers != 0, GeqrfArgs::TAU_POINTERS)
                | flag(!p.info.is_null(), GeqrfArgs::INFO),
            a_stride: a.stride,
            tau_stride: tau.stride,
            info: p.info,
            from: DeviceOperand::NONE,
            r: DeviceOperand::NONE,
            ld_from: 0,
            ldr: 0,
            rows: 0,
        })
    }
}

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
    /// For a trailing update by the panel of k columns at (offset, offset), see [`Outside`].
    pub fn outside(&mut self, outside: &Outside, fresh: bool, offset: i64, k: i64) {
        let first = |ld: i64| offset * (ld + 1) + k * ld;
        if let Some((from, ld)) = outside.from {
            (self.from, self.ld_from, self.from0) = (from.into(), ld, first(ld));
        }
        if let Some((r, ld, _)) = outside.r {
            (self.r, self.ldr, self.r0) = (r.into(), ld, first(ld));
        }
        self.flags = outside_flags(outside, fresh);
    }

    /// H^H C, not yet placed in the members. `tau` or `t` may be missing.
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

impl From<&Geqrf> for LarfbArgs {
    /// Panels of A on columns of A.
    fn from(p: &Geqrf) -> Self {
        LarfbArgs::new(p.a, p.lda, Some(p.tau), None, p.a, p.lda, p.batch)
    }
}

impl From<&Orgqr> for LarfbArgs {
    /// Panels of A on columns of A.
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

impl From<&Larft> for LarfbArgs {
    /// T is written.
    fn from(p: &Larft) -> Self {
        let none = Operand::Strided { base: std::ptr::null_mut(), stride: 0 };
        let args = LarfbArgs::new(p.v, p.ldv, Some(p.tau), Some((p.t, p.ldt)), none, 0, p.batch);
        LarfbArgs { m: p.m, k: p.k, ..args }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct QArgs {
    a: DeviceOperand,
    tau: DeviceOperand,
    q: DeviceOperand,
    r: DeviceOperand,
    f: DeviceOperand,
    lda: i64,
    ldq: i64,
    ldr: i64,
    ldf: i64,
    batch: i64,
    m: i64,
    n: i64,
    k: i64,
    columns: i64,
    rows: i64,
    offset: i64,
    factor: i32,
    pad: i32,
}

impl QArgs {
    /// The rows and columns of Q from `offset` on, made of the reflectors from there on.
    pub fn orgqr(p: &Orgqr, offset: i64) -> Self {
        QArgs {
            a: p.a.into(),
            tau: p.tau.into(),
            q: p.a.into(),
            r: DeviceOperand::NONE,
            f: DeviceOperand::NONE,
            lda: p.lda,
            ldq: p.lda,
            ldr: 0,
            ldf: 0,
            batch: p.batch,
            m: p.m - offset,
            n: p.k - offset,
            k: p.k - offset,
            columns: p.n - offset,
            rows: 0,
            offset,
            factor: 0,
            pad: 0,
        }
    }

    /// A = Q R with `columns` columns of Q (0: R only) and `rows` rows of R; `f`: where a matrix may be factored.
    pub fn qr(p: &Qr, columns: i64, rows: i64, (f, ldf): (Operand, i64)) -> Self {
        QArgs {
            a: p.a.into(),
            tau: DeviceOperand::NONE,
            q: if columns > 0 { p.q.into() } else { DeviceOperand::NONE },
            r: p.r.into(),
            f: f.into(),
            lda: p.lda,
            ldq: p.ldq,
            ldr: p.ldr,
            ldf,
            batch: p.batch,
            m: p.m,
            n: p.n,
            k: p.m.min(p.n),
            columns,
            rows,
            offset: 0,
            factor: 1,
            pad: 0,
        }
    }
}

/// `CopyArgs` and `TransposeArgs`, declared in `kernels/auxiliary/transpose.cuh`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CopyArgs {
    from: DeviceOperand,
    to: DeviceOperand,
    ld_from: i64,
    ld_to: i64,
    batch: i64,
    rows: i64,
    columns: i64,
    /// Of the copies, 1: zeros below the diagonal; of the transposes, 1: conjugated.
    otherwise: i32,
    pad: i32,
}

impl From<&Copy> for CopyArgs {
    fn from(c: &Copy) -> Self {
        let Copy { from: (from, ld_from), to: (to, ld_to), rows, columns, form, batch, .. } = *c;
        let (from, to, otherwise) = (from.into(), to.into(), matches!(form, Form::Triangle | Form::Adjoint).into());
        CopyArgs { from, to, ld_from, ld_to, batch, rows, columns, otherwise, pad: 0 }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct AssignArgs {
    from: DeviceOperand,
    to: DeviceOperand,
    ld_from: i64,
    ld_to: i64,
    batch: i64,
    rows: i64,
    columns: i64,
    /// Real and imaginary part off the diagonal, and on it.
    constants: [f64; 4],
    part: i32,
    constant: i32,
}

impl From<&Assign> for AssignArgs {
    fn from(p: &Assign) -> Self {
        let (from, ld_from, constants) = match p.source {
            Source::Matrices(from, ld) => (from.into(), ld, None),
            Source::Constants { off, on } => (DeviceOperand::NONE, 0, Some([off.re, off.im, on.re, on.im])),
        };
        let part = match p.part {
            Part::Full => 0,
            Part::Upper => 1,
            Part::Lower => 2,
        };
        let (to, ld_to, batch, rows, columns) = (p.to.into(), p.ld, p.batch, p.m, p.n);
        let (constant, constants) = (constants.is_some().into(), constants.unwrap_or_default());
        AssignArgs { from, to, ld_from, ld_to, batch, rows, columns, constants, part, constant }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ExtractArgs {
    qr: GeqrfArgs,
    r: DeviceOperand,
    t: DeviceOperand,
    ldr: i64,
    ldt: i64,
    nb: i64,
    diagonal_blocks: i32,
    separate: i32,
}

impl TryFrom<&GeqrfExtract> for ExtractArgs {
    type Error = Error;

    fn try_from(p: &GeqrfExtract) -> Result<Self, Error> {
        Ok(ExtractArgs {
            qr: (&p.qr).try_into()?,
            r: p.r.into(),
            t: p.t.into(),
            ldr: p.ldr,
            ldt: p.ldt,
            nb: p.nb,
            diagonal_blocks: (p.part == ExtractPart::DiagonalBlocks).into(),
            separate: p.explicit_v.into(),
        })
    }
}

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

/// Where a factor is, or null and its value.
pub fn scalar(x: Alpha) -> (*const c_void, f64, f64) {
    match x {
        Alpha::Host(x) => (std::ptr::null(), x.re, x.im),
        Alpha::Device(x) => (x, 1.0, 0.0),
    }
}

impl TrsmArgs {
    /// The launch of `p`, whose canonical form is `c`, with `tiles` tiles of right-hand sides a matrix.
    pub fn new(p: &Trsm, c: &Canonical, tiles: i64) -> Self {
        TrsmArgs::on((p.a, p.b), p.alpha, p.batch, c, tiles)
    }

    /// The same of any routine with a canonical form.
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

/// Declared in `kernels/gels/steps.cuh`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct GelsArgs {
    a: DeviceOperand,
    b: DeviceOperand,
    w: DeviceOperand,
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
    transpose: i32,
    pad: i32,
}

impl From<&Gels> for GelsArgs {
    fn from(p: &Gels) -> Self {
        GelsArgs {
            a: p.a.into(),
            b: p.b.into(),
            w: p.a.into(),
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
            transpose: 0,
            pad: 0,
        }
    }
}

impl GelsArgs {
    /// A^H to `copy`, and rows `zero` .. `rows` of B to zero.
    pub fn prepare(p: &Gels, copy: Option<Operand>, zero: i64, rows: i64) -> Self {
        let args = GelsArgs { zero, rows, ..p.into() };
        match copy {
            Some(w) => GelsArgs { w: w.into(), ldw: p.n, transpose: 1, ..args },
            None => args,
        }
    }
    /// info from the diagonal of the n x n triangle in `r`.
    pub fn info(info: *mut i32, (r, ldr): (Operand, i64), n: i64, batch: i64) -> Self {
        let a = r.into();
        GelsArgs {
            a,
            b: a,
            w: a,
            info,
            lda: ldr,
            ldb: ldr,
            ldw: ldr,
            batch,
            m: n,
            n,
            nrhs: 0,
            zero: 0,
            rows: 0,
            transpose: 0,
            pad: 0,
        }
    }
}
