//! The compiled kernels: what `kernels/manifest.toml` lists, as `build.rs` writes it. A plan names kernels by their
//! place in [`KERNELS`], so it cannot name one that was not compiled.

use crate::error::Error;
use crate::gpu::plan::by_size::BySize;
use crate::gpu::plan::{Limits, pins};
use crate::routine::Dtype;
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
    /// Blocks of its clusters; 1: no clusters.
    pub cluster: u32,
}

/// A form of all images, or of those that are portable: code of an architecture (80: 8.0), or PTX for one and later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Code, an ELF file.
    Cubin(u32),
    /// PTX, which ends with a 0.
    Ptx(u32),
}

/// A file of an image, compressed (build.rs).
#[derive(Debug)]
pub struct Packed {
    /// Bytes of the file.
    pub length: usize,
    /// It as a frame of Zstandard.
    pub bytes: &'static [u8],
}

/// A kernel of a family made for sizes up to some, as `kernels/common/instance.cuh` describes it: what it has no use for is 0,
/// or 1 where it counts what there is at least one of.
#[derive(Debug)]
pub struct Instance {
    /// Its entry point.
    pub kernel: KernelId,
    /// The number of the table below that it is in. (Tables cannot be told apart by where they are: constants that name them may be
    /// copies.)
    pub family: u16,
    /// Element type.
    pub dtype: Dtype,
    /// Threads of a block.
    pub threads: u32,
    /// Most rows. Of block reflectors: rows that it reads once; taller matrices go through it in chunks, unless it is made for
    /// clusters. Of triangular solves: unknowns that it holds at a time.
    pub rows: u32,
    /// Most columns. Of block reflectors: those that a block works on at a time. Of triangular solves: right-hand sides of a
    /// tile.
    pub columns: u32,
    /// Warps that share a matrix.
    pub warps: u32,
    /// Matrices, tiles or groups of a block.
    pub per_block: u32,
    /// Dynamic shared memory, bytes; where it depends on a launch's sizes ([`Instance::shared_for`]), what does not.
    pub shared: u32,
    /// Blocks that a multiprocessor holds at a time, where blocks take one matrix after another and there need be no more of
    /// them; 0: a block takes `per_block` matrices.
    pub per_processor: u32,
    /// Most reflectors that it applies at a time. Of products: terms of a chunk, where kernels differ in them.
    pub reflectors: u32,
    /// Columns of a tile, one team's. Of grids of as many lanes as the launch says: a lane's.
    pub tile: u32,
    /// Blocks of a cluster that share a matrix's rows; 1: no cluster.
    pub cluster: u32,
    /// 1: may read A elsewhere than where it factors, and put R elsewhere.
    pub outside: u32,
    /// What depends on a launch's sizes.
    pub by_size: Option<&'static BySize>,
}

impl Instance {
    /// Its kernel's name.
    pub fn name(&self) -> &'static str {
        KERNELS[self.kernel].name.to_str().unwrap_or("?")
    }

    /// Whether it is of this family: one of the tables below.
    pub fn is_of(&self, family: &'static [Instance]) -> bool {
        family.first().is_some_and(|first| first.family == self.family)
    }

    /// The instance of a family that has one for each type.
    pub fn plain(family: &'static [Instance], dtype: Dtype) -> Result<&'static Instance, Error> {
        family.iter().find(|i| i.dtype == dtype).ok_or_else(|| Error::Internal("no kernel of this type".into()))
    }

    /// The instance of a family of square tiles for matrices whose shorter side is this: the smallest tiles that hold it, else
    /// the largest.
    pub fn tiles(family: &'static [Instance], dtype: Dtype, short: i64) -> Result<&'static Instance, Error> {
        let of_type = || family.iter().filter(|i| i.dtype == dtype);
        let fits = of_type().filter(|i| i64::from(i.rows) >= short).min_by_key(|i| i.rows);
        let found = fits.or_else(|| of_type().max_by_key(|i| i.rows));
        found.ok_or_else(|| Error::Internal("no kernel of this type".into()))
    }

    /// Whether it factors an m x n matrix. Several warps with at most 32 columns decline m < n: the short formulas of
    /// `kernels/geqrf/tall.cuh` are tested on pivot columns only. (A team of that size could take them; none is asked to.)
    pub fn takes(&self, m: i64, n: i64) -> bool {
        i64::from(self.rows) >= m && i64::from(self.columns) >= n && (m >= n || self.warps == 1 || self.columns > 32)
    }

    /// Whether the device runs it.
    pub fn runs(&self, limits: Limits) -> bool {
        limits.run(self.shared) && limits.holds_cluster(self.cluster)
    }

    /// Whether it may be used: a name of the form `resident=INSTANCE` in the list of allowed plans pins those that end in it.
    pub fn permitted(&self) -> bool {
        let pins = pins("resident");
        pins.is_empty() || pins.iter().any(|pin| self.name().ends_with(pin.as_str()))
    }
}

#[allow(missing_docs)]
mod generated {
    use super::{Code, Dtype, Instance, Kernel, Packed};
    use crate::gpu::plan::by_size::{BySize, Count, Term};
    include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
}
pub use generated::*;
