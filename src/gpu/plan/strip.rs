//! The shared-memory layout of kernels that hold a strip of columns in shared memory
//! (kernels/getrf/strip.cuh).

use crate::gpu::plan::table::Instance;

/// What a strip's block keeps in shared memory besides its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StripLayout {
    /// Diagonal blocks that are inverted at a time; 0 if they are given, and arrive like the other tiles.
    pub at_once: i64,
    /// Tile buffers per group of warps, for tiles in transit or in use.
    pub slots: i64,
    /// Total bytes.
    pub bytes: u32,
}

impl StripLayout {
    /// Chooses what fits in `most` bytes, for factors of order n that arrive in `tiles` tiles, if the block
    /// traces the origins of `traced` rows. Inverted diagonal blocks take precedence over tile buffers.
    pub fn of(instance: &Instance, n: i64, tiles: i64, traced: i64, most: u32) -> Option<StripLayout> {
        let [_, diagonals, ring, ..] = instance.counts() else { return None };
        let (all, tiles) = (blocks(instance, n).min(diagonals.most), tiles.clamp(2, ring.most));
        let counts =
            [all, all.min(2), 1].into_iter().flat_map(|at_once| (2..=tiles).rev().map(move |slots| (at_once, slots)));
        let mut layouts = counts.map(|(at_once, slots)| {
            let bytes = instance.shared_for(&[n, at_once, slots, traced]);
            StripLayout { at_once, slots, bytes }
        });
        layouts.find(|layout| layout.bytes <= most)
    }

    /// The same if the inverted diagonal blocks are given.
    pub fn without_diagonals(instance: &Instance, n: i64, traced: i64, most: u32) -> Option<StripLayout> {
        let [_, _, ring, ..] = instance.counts() else { return None };
        let mut layouts = (2..=ring.most).rev().map(|slots| {
            let bytes = instance.shared_for(&[n, 0, slots, traced]);
            StripLayout { at_once: 0, slots, bytes }
        });
        layouts.find(|layout| layout.bytes <= most)
    }
}

/// Blocks of rows of factors of order n. Tiles have the same rows.
pub fn blocks(instance: &Instance, n: i64) -> i64 {
    instance.counts().first().map_or(0, |rows| rows.of(n))
}
