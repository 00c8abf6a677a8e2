//! The compiled kernels: the contents of `kernels/manifest.toml`, as `build.rs` writes them. A plan names a
//! kernel by its index in [`KERNELS`], so it cannot name one that was not compiled.

use crate::error::Error;
use crate::gpu::plan::by_size::BySize;
use crate::gpu::plan::{Limits, pins};
use crate::routine::Dtype;
use std::ffi::CStr;

/// Index into [`KERNELS`].
pub type KernelId = usize;

/// An entry point of an embedded image.
#[derive(Debug)]
pub struct Kernel {
    /// Symbol name.
    pub name: &'static CStr,
    /// Index into [`IMAGES`].
    pub image: usize,
    /// Blocks per cluster; 1 if the kernel has no clusters.
    pub cluster: u32,
}

/// A format in which all images, or all portable ones, are embedded: machine code for an architecture (80
/// means 8.0), or PTX for that and later architectures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Machine code, as an ELF file.
    Cubin(u32),
    /// PTX, terminated by a zero byte.
    Ptx(u32),
}

/// A compressed file of an image (see build.rs).
#[derive(Debug)]
pub struct Packed {
    /// Length of the uncompressed file in bytes.
    pub length: usize,
    /// The file as a Zstandard frame.
    pub bytes: &'static [u8],
}

/// A kernel of a family with its tile sizes and precision fixed, as `kernels/common/instance.cuh` describes
/// it. A field that does not apply is 0, or 1 if it counts something of which there is at least one.
#[derive(Debug)]
pub struct Instance {
    /// Its entry point.
    pub kernel: KernelId,
    /// The number of the table below that contains it. (The address of a table does not identify it, because
    /// constants that refer to it may be copies.)
    pub family: u16,
    /// Element type.
    pub dtype: Dtype,
    /// Threads per block.
    pub threads: u32,
    /// The most rows of a matrix. For block reflectors: the rows that are read once; taller matrices are
    /// processed in chunks, unless the instance uses clusters. For triangular solves: the unknowns held at a
    /// time.
    pub rows: u32,
    /// The most columns of a matrix. For block reflectors: the columns that a block updates at a time. For
    /// triangular solves: the right-hand sides of a tile.
    pub columns: u32,
    /// Warps that share a matrix.
    pub warps: u32,
    /// Matrices, tiles or groups per block.
    pub per_block: u32,
    /// Dynamic shared memory per block in bytes. Where it depends on a launch's sizes
    /// ([`Instance::shared_for`]), the part that does not.
    pub shared: u32,
    /// Blocks that a multiprocessor holds at a time, if blocks loop over matrices and more blocks would gain
    /// nothing; 0 if a block processes `per_block` matrices and ends.
    pub per_processor: u32,
    /// The most reflectors applied at a time. For products: the terms of a chunk, where kernels differ in it.
    pub reflectors: u32,
    /// Columns of the tile of one team. For grids whose lanes the launch chooses: columns of a lane.
    pub tile: u32,
    /// Blocks of a cluster that share a matrix's rows; 1: no cluster.
    pub cluster: u32,
    /// 1 if the kernel can read A from memory other than the one in which it factors, and write R elsewhere.
    pub outside: u32,
    /// The properties that depend on a launch's sizes.
    pub by_size: Option<&'static BySize>,
}

impl Instance {
    /// The kernel's name.
    pub fn name(&self) -> &'static str {
        KERNELS[self.kernel].name.to_str().unwrap_or("?")
    }

    /// Whether it belongs to `family`, one of the tables below: for what follows from a kernel's code, such as its
    /// arguments, its grid or its arithmetic. What a launch is for is its task ([`crate::gpu::plan::Planned::Task`]).
    pub fn is_of(&self, family: &'static [Instance]) -> bool {
        family.first().is_some_and(|first| first.family == self.family)
    }

    /// The instance of a type, in a family that has one per type.
    pub fn plain(family: &'static [Instance], dtype: Dtype) -> Result<&'static Instance, Error> {
        family.iter().find(|i| i.dtype == dtype).ok_or_else(|| Error::Internal("no kernel of this type".into()))
    }

    /// The instance for matrices whose shorter side is `short`, in a family of square tiles: the smallest
    /// tile that holds that side, or else the largest tile.
    pub fn tiles(family: &'static [Instance], dtype: Dtype, short: i64) -> Result<&'static Instance, Error> {
        let of_type = || family.iter().filter(|i| i.dtype == dtype);
        let fits = of_type().filter(|i| i64::from(i.rows) >= short).min_by_key(|i| i.rows);
        let found = fits.or_else(|| of_type().max_by_key(|i| i.rows));
        found.ok_or_else(|| Error::Internal("no kernel of this type".into()))
    }

    /// Whether it factors an m x n matrix. Instances with several warps and at most 32 columns decline m < n:
    /// the short formulas of `kernels/geqrf/tall.cuh` are only tested on pivot columns. (A team of that size
    /// could accept them, but no caller needs it.)
    pub fn takes(&self, m: i64, n: i64) -> bool {
        i64::from(self.rows) >= m && i64::from(self.columns) >= n && (m >= n || self.warps == 1 || self.columns > 32)
    }

    /// Whether the device runs it.
    pub fn runs(&self, limits: Limits) -> bool {
        limits.runs(self.shared) && limits.holds_cluster(self.cluster)
    }

    /// Whether it may be used. Entries of the form `resident=INSTANCE` in the list of allowed plans restrict
    /// the choice to instances whose names end in INSTANCE.
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
