//! Matrix products on the device.

use super::args::DeviceOperand;
use crate::plan::{Launch, ceil_div};

/// Declared in `kernels/gemm/args.cuh`.
#[repr(C)]
pub struct GemmArgs {
    pub a: DeviceOperand,
    pub b: DeviceOperand,
    pub c: DeviceOperand,
    pub alpha_re: f64,
    pub alpha_im: f64,
    pub beta_re: f64,
    pub beta_im: f64,
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
    pub pad: i32,
}

/// A block for each tile.
pub fn blocks(l: &Launch, batch: i64) -> i64 {
    let tiles = ceil_div(l.m, i64::from(l.instance.rows)) * ceil_div(l.n, i64::from(l.instance.columns));
    batch.saturating_mul(tiles)
}
