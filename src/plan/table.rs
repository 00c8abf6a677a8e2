//! The compiled kernels: what `kernels/manifest.toml` lists, as `build.rs` writes it. A plan names kernels by their
//! place in [`KERNELS`], so it cannot name one that was not compiled.

use crate::problem::Dtype;
use std::ffi::CStr;

/// Place in [`KERNELS`].
pub type KernelId = usize;

/// An entry point of an embedded image.
#[derive(Debug)]
pub struct Kernel {
    /// Symbol.
    pub name: &'static CStr,
    /// Place in [`IMAGES`].
    pub image: usize,
}

/// A resident instance (`kernels/geqrf/resident.cuh`, `kernels/geqrf/tall.cuh`, `kernels/q/back.cuh`): takes any matrix up
/// to `m` x `n`.
#[derive(Debug)]
pub struct Resident {
    /// Its entry point.
    pub kernel: KernelId,
    /// Element type.
    pub dtype: Dtype,
    /// Most rows.
    pub m: u32,
    /// Most columns.
    pub n: u32,
    /// Threads of a block.
    pub threads: u32,
    /// Warps that share a matrix.
    pub warps: u32,
    /// Matrices of a block.
    pub per_block: u32,
    /// Dynamic shared memory, bytes.
    pub shared: u32,
    /// Blocks that a multiprocessor holds at a time, where blocks take one matrix after another and there need be no more of
    /// them; 0: a block takes `per_block` matrices.
    pub per_processor: u32,
}

impl Resident {
    /// Its name and how it is launched, in words.
    pub fn describe(&self) -> String {
        let name = KERNELS[self.kernel].name.to_str().unwrap_or("?");
        format!("{name}; {} threads, {} matrices a block", self.threads, self.per_block)
    }

    /// Whether it takes an m x n matrix. Several warps with at most 32 columns decline m < n: the short formulas of
    /// `kernels/geqrf/tall.cuh` are tested on pivot columns only. (A team of that size could take them; none is asked to.)
    pub fn takes(&self, m: i64, n: i64) -> bool {
        i64::from(self.m) >= m && i64::from(self.n) >= n && (m >= n || self.warps == 1 || self.n > 32)
    }
}

/// An instance of the fused block reflector (`kernels/geqrf/update.cuh`).
#[derive(Debug)]
pub struct Update {
    /// Its entry point.
    pub kernel: KernelId,
    /// Element type.
    pub dtype: Dtype,
    /// Most reflectors.
    pub nb: u32,
    /// Columns of a tile, one team's.
    pub nt: u32,
    /// Columns that a block works on at a time.
    pub columns: u32,
    /// Rows that it reads once; taller matrices go through it in chunks, unless it is made for clusters.
    pub rows: u32,
    /// Threads of a block.
    pub threads: u32,
    /// Dynamic shared memory, bytes.
    pub shared: u32,
    /// Blocks of a cluster that share a matrix's rows; 1: no cluster.
    pub cluster: u32,
    /// Blocks that a multiprocessor holds at a time.
    pub per_processor: u32,
}

/// A triangular-solve instance (`kernels/trsm`).
#[derive(Debug)]
pub struct Trsm {
    /// Its entry point.
    pub kernel: KernelId,
    /// Element type.
    pub dtype: Dtype,
    /// Unknowns that it holds at a time; the small instances take no more.
    pub rows: u32,
    /// Right-hand sides of a tile.
    pub cols: u32,
    /// Threads of a block.
    pub threads: u32,
    /// Dynamic shared memory, bytes.
    pub shared: u32,
    /// Tiles of a block.
    pub per_block: u32,
}

/// An instance for few columns (`kernels/q/thin.cuh`): any number of reflectors in one launch.
#[derive(Debug)]
pub struct Thin {
    /// Its entry point.
    pub kernel: KernelId,
    /// Element type.
    pub dtype: Dtype,
    /// Most rows.
    pub rows: u32,
    /// Columns of a group.
    pub columns: u32,
    /// Threads of a block.
    pub threads: u32,
    /// Groups of a block.
    pub per_block: u32,
}

/// An instance without size parameters.
#[derive(Debug)]
pub struct Plain {
    /// Its entry point.
    pub kernel: KernelId,
    /// Element type.
    pub dtype: Dtype,
    /// Threads of a block.
    pub threads: u32,
}

#[allow(missing_docs)]
mod generated {
    use super::{Dtype, Kernel, KernelId, Plain, Resident, Thin, Trsm, Update};
    include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
}
pub use generated::*;
