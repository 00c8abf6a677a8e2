//! Kernel arguments as `kernels/common/batch.cuh` declares them.

use crate::problem::{ExtractPart, Geqrf, GeqrfExtract, Operand};
use std::ffi::c_void;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct DeviceOperand {
    p: *mut c_void,
    stride: i64,
    pointers: i32,
    pad: i32,
}

impl From<Operand> for DeviceOperand {
    fn from(o: Operand) -> Self {
        match o {
            Operand::Pointers(p) => DeviceOperand { p: p as *mut c_void, stride: 0, pointers: 1, pad: 0 },
            Operand::Strided { base, stride } => DeviceOperand { p: base, stride, pointers: 0, pad: 0 },
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct GeqrfArgs {
    a: DeviceOperand,
    tau: DeviceOperand,
    pub info: *mut i32,
    lda: i64,
    batch: i64,
    pub m: i64,
    pub n: i64,
    pub row0: i64,
    pub col0: i64,
}

impl From<&Geqrf> for GeqrfArgs {
    fn from(p: &Geqrf) -> Self {
        GeqrfArgs {
            a: p.a.into(),
            tau: p.tau.into(),
            info: p.info,
            lda: p.lda,
            batch: p.batch,
            m: p.m,
            n: p.n,
            row0: 0,
            col0: 0,
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct LarfbArgs {
    v: DeviceOperand,
    tau: DeviceOperand,
    c: DeviceOperand,
    pub v0: i64,
    pub tau0: i64,
    pub c0: i64,
    ldv: i64,
    ldc: i64,
    batch: i64,
    pub m: i64,
    pub n: i64,
    pub k: i64,
    pub tiles: i64,
    pub adjoint: i32,
    pad: i32,
}

impl From<&Geqrf> for LarfbArgs {
    /// Panels of A on columns of A.
    fn from(p: &Geqrf) -> Self {
        LarfbArgs {
            v: p.a.into(),
            tau: p.tau.into(),
            c: p.a.into(),
            v0: 0,
            tau0: 0,
            c0: 0,
            ldv: p.lda,
            ldc: p.lda,
            batch: p.batch,
            m: 0,
            n: 0,
            k: 0,
            tiles: 1,
            adjoint: 1,
            pad: 0,
        }
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

impl From<&GeqrfExtract> for ExtractArgs {
    fn from(p: &GeqrfExtract) -> Self {
        ExtractArgs {
            qr: (&p.qr).into(),
            r: p.r.into(),
            t: p.t.into(),
            ldr: p.ldr,
            ldt: p.ldt,
            nb: p.nb,
            diagonal_blocks: (p.part == ExtractPart::DiagonalBlocks).into(),
            separate: p.explicit_v.into(),
        }
    }
}
