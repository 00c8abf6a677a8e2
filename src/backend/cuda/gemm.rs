//! Matrix products on the device.

use super::args::DeviceOperand;
use crate::plan::{Launch, ceil_div};
use crate::routine::{Alpha, Operand};
use std::ffi::c_void;

/// Declared in `kernels/gemm/args.cuh`.
#[repr(C)]
pub struct GemmArgs {
    pub a: DeviceOperand,
    pub b: DeviceOperand,
    pub c: DeviceOperand,
    pub alpha: *const c_void,
    pub beta: *const c_void,
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
    pub triangle: i32,
    pub real_diagonal: i32,
    pub pad: i32,
}

impl GemmArgs {
    /// C := alpha A B + beta C, m x n, with k terms: what is stored of C, and its leading dimension. Where the members'
    /// factors and C begin, and how far apart their elements are, is the caller's to fill in.
    pub fn new(alpha: Alpha, beta: Alpha, (c, ldc): (Operand, i64), stored: Stored, batch: i64) -> Self {
        let scalar = |x| match x {
            Alpha::Host(x) => (std::ptr::null(), x.re, x.im),
            Alpha::Device(x) => (x, 1.0, 0.0),
        };
        let ((alpha, alpha_re, alpha_im), (beta, beta_re, beta_im)) = (scalar(alpha), scalar(beta));
        GemmArgs {
            a: DeviceOperand::NONE,
            b: DeviceOperand::NONE,
            c: c.into(),
            alpha,
            beta,
            alpha_re,
            alpha_im,
            beta_re,
            beta_im,
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
            pad: 0,
        }
    }
}

/// What of C a product computes; triangles are those of square matrices. What is outside is neither read nor written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
#[allow(dead_code)] // for those to come: rank-k updates and Cholesky
pub enum Stored {
    Full = 0,
    Lower = 1,
    Upper = 2,
}

impl Stored {
    /// Tiles that have a part of it; mirrored in `GemmTiles`.
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

/// A block for each tile.
pub fn blocks(l: &Launch, stored: Stored, batch: i64) -> i64 {
    batch.saturating_mul(stored.tiles(l))
}
