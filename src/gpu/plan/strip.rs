//! The shared-memory layout of kernels that hold a strip of columns in shared memory
//! (kernels/getrf/strip.cuh).

use crate::gpu::plan::table::{Instance, STRIP_INVERSE};
use crate::gpu::plan::{Launch, Limits, ceil_div};
use crate::routine::Dtype;

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

    /// The same for the inverse from triangles of order n, all of whose tiles below or above the diagonal arrive. If
    /// the inverted diagonal blocks are `given`, they arrive, too.
    pub fn of_inverse(instance: &Instance, n: i64, traced: i64, most: u32, given: bool) -> Option<StripLayout> {
        if !given {
            let blocks = blocks(instance, n);
            return StripLayout::of(instance, n, blocks.saturating_mul(blocks - 1), traced, most);
        }
        let [_, _, ring, ..] = instance.counts() else { return None };
        let mut layouts = (2..=ring.most).rev().map(|slots| {
            let bytes = instance.shared_for(&[n, 0, slots, traced]);
            StripLayout { at_once: 0, slots, bytes }
        });
        layouts.find(|layout| layout.bytes <= most)
    }
}

/// Inverses by strips from inverted diagonal blocks: as many blocks per multiprocessor as have 512 threads (z: one,
/// because of its registers), or else fewer. Of the strips that leave room for so many, the widest, with as many warps
/// as possible.
pub fn with_given_diagonals(
    family: &'static [Instance],
    dtype: Dtype,
    n: i64,
    limits: Limits,
    layout: impl Fn(&Instance, u32) -> Option<StripLayout>,
) -> Option<Launch> {
    let with = |blocks: u32| {
        let room = if blocks == 1 { limits.shared_for_one_block() } else { limits.shared_by(blocks) };
        let fits = |i: &&Instance| blocks == 1 || dtype != Dtype::Z && blocks * i.threads <= 512;
        let fitting = family.iter().filter(|i| i.dtype == dtype).filter(fits);
        let all = fitting.filter_map(|i| layout(i, room).map(|layout| (i, layout.bytes)));
        let (instance, bytes) = all.max_by_key(|(i, _)| (i.columns, i.threads))?;
        Some(Launch::on(instance, n, n, 0).with_shared(bytes))
    };
    (1..=4).rev().find_map(with)
}

/// The order of the diagonal blocks, as the kernels state it.
pub fn order_of_blocks() -> i64 {
    STRIP_INVERSE[0].counts()[0].step
}

/// Elements of a matrix's inverted diagonal blocks.
pub fn inverted_diagonals(n: i64) -> i64 {
    let order = order_of_blocks();
    ceil_div(n, order).saturating_mul(order * order)
}

/// Blocks of rows of factors of order n. Tiles have the same rows.
pub fn blocks(instance: &Instance, n: i64) -> i64 {
    instance.counts().first().map_or(0, |rows| rows.of(n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::plan::table::POTRI_STRIPS;

    /// One launch inverts the diagonal blocks for all of these.
    #[test]
    fn blocks_have_the_same_order_in_all_kernels() {
        for instance in STRIP_INVERSE.iter().chain(POTRI_STRIPS) {
            assert_eq!(instance.counts()[0].step, order_of_blocks(), "{}", instance.name());
        }
    }
}
