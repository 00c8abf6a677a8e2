//! What kernels that hold a strip of columns in shared memory keep there (kernels/getrf/strip.cuh).

use crate::gpu::plan::table::Instance;

/// What a strip's block keeps in shared memory beside its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// Diagonal blocks that are inverted at a time.
    pub at_once: i64,
    /// Tiles that are on their way or in use, of each group of warps.
    pub slots: i64,
    /// Bytes in all.
    pub bytes: u32,
}

impl Held {
    /// Of factors of order n that come in so many tiles, of which the block traces `traced` rows' origins, what there is room
    /// for in `most` bytes: diagonal blocks go before tiles.
    pub fn of(instance: &Instance, n: i64, tiles: i64, traced: i64, most: u32) -> Option<Held> {
        let [_, diagonals, ring, ..] = instance.counts() else { return None };
        let (all, tiles) = (blocks(instance, n).min(diagonals.most), tiles.clamp(2, ring.most));
        let counts =
            [all, all.min(2), 1].into_iter().flat_map(|at_once| (2..=tiles).rev().map(move |slots| (at_once, slots)));
        let mut held = counts.map(|(at_once, slots)| {
            let bytes = instance.shared_for(&[n, at_once, slots, traced]);
            Held { at_once, slots, bytes }
        });
        held.find(|held| held.bytes <= most)
    }
}

/// Blocks of rows, which are the tiles' too, of factors of order n.
pub fn blocks(instance: &Instance, n: i64) -> i64 {
    instance.counts().first().map_or(0, |rows| rows.of(n))
}
