//! Arguments of in-place QR, and of the kernels that extract parts of its result.

use crate::error::Error;
use crate::gpu::args::{DeviceOperand, SizesArgs};
use crate::gpu::plan::SeparateOperands;
use crate::routine::{ExtractPart, Geqrf, GeqrfExtract};
use std::ffi::c_void;

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

/// The flags for `separate`. A launch reads A from elsewhere only if no earlier launch has modified its
/// columns (`fresh`).
pub(crate) fn separate_flags(separate: &SeparateOperands, fresh: bool) -> u32 {
    let flag = |set: bool, flag| if set { flag } else { 0 };
    flag(separate.from.is_some() && fresh, GeqrfArgs::FROM) | flag(separate.r.is_some(), GeqrfArgs::R)
}

impl GeqrfArgs {
    const A_POINTERS: u32 = 1;
    const TAU_POINTERS: u32 = 2;
    const INFO: u32 = 4;
    const FROM: u32 = 8;
    const R: u32 = 16;

    /// Sets where A is read and R is written, see [`SeparateOperands`].
    pub fn separate_operands(&mut self, separate: &SeparateOperands, fresh: bool) {
        if let Some((from, ld)) = separate.from {
            (self.from, self.ld_from) = (from.into(), ld);
        }
        if let Some((r, ld, rows)) = separate.r {
            (self.r, self.ldr, self.rows) = (r.into(), ld, rows);
        }
        self.flags = self.flags & !(GeqrfArgs::FROM | GeqrfArgs::R) | separate_flags(separate, fresh);
    }

    /// Selects the m x n block whose first row and column is `at`. None of the three exceeds the problem's
    /// sizes, which were checked to fit an `int`.
    pub fn place(&mut self, m: i64, n: i64, at: i64) {
        (self.m, self.n, self.at) = (m as i32, n as i32, at as i32);
    }
    /// Whether the next launch sets `info`.
    pub fn sets_info(&self) -> bool {
        self.flags & GeqrfArgs::INFO != 0
    }
    /// Makes later launches leave `info` alone.
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

/// Declared in `kernels/geqrf/each.cuh`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct GeqrfEachArgs {
    all: GeqrfArgs,
    sizes: SizesArgs,
    panel: i32,
    pad: i32,
}

impl GeqrfEachArgs {
    /// With `panel`, the launch leaves the columns to the right of the panel alone.
    pub fn new(all: GeqrfArgs, sizes: SizesArgs, panel: bool) -> GeqrfEachArgs {
        GeqrfEachArgs { all, sizes, panel: panel.into(), pad: 0 }
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
