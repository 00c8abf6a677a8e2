//! What kernels that hold a strip of columns in shared memory keep there (kernels/getrf/strip.cuh).

use super::ceil_div;
use super::table::Instance;

/// Rows of the strips' blocks.
pub const BLOCK: i64 = 32;
/// Most diagonal blocks that are inverted at a time, and tiles on their way.
pub const MOST: i64 = 4;

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
    /// Of factors of order n that come in so many tiles, with `extra` bytes, what there is room for in `most` bytes: diagonal
    /// blocks go before tiles.
    pub fn of(instance: &Instance, n: i64, tiles: i64, extra: i64, most: u32) -> Option<Held> {
        let (element, pad) = (instance.dtype.bytes() as i64, if instance.dtype.is_complex() { 2 } else { 4 });
        let blocks = ceil_div(n, BLOCK);
        let rows = blocks.checked_mul(BLOCK)?;
        let strip = rows.checked_mul((i64::from(instance.columns) + pad) * element)?;
        // Groups of warps have a tile each, or share them where elements are large.
        let groups = if element < 16 { i64::from(instance.threads / 32 / instance.warps) } else { 1 };
        let (tile, all, tiles) = (BLOCK * (BLOCK + pad) * element, blocks.min(MOST), tiles.clamp(2, MOST));
        let counts =
            [all, all.min(2), 1].into_iter().flat_map(|at_once| (2..=tiles).rev().map(move |slots| (at_once, slots)));
        counts.into_iter().find_map(|(at_once, slots)| {
            let bytes = strip.checked_add(extra)?.checked_add((at_once + slots * groups) * tile)?;
            u32::try_from(bytes).ok().filter(|bytes| *bytes <= most).map(|bytes| Held { at_once, slots, bytes })
        })
    }
}
