//! Panels of at most 32 columns with more rows than a block holds, by a tree of blocks of rows: each block is
//! factored, their R factors stacked on each other are the next level's matrix, and so on up to a single block. On
//! the way down, each block's V becomes its part of the whole panel's V, in LAPACK's form, or of Q (kernels/tsqr/).
//! If only R is wanted, there is no way down, and only the V of each level's first block is kept, from which the
//! signs of LAPACK's R follow.
//!
//! One [`Launch`] of a plan stands for all of these launches; their number follows from the rows and columns.

use crate::error::Error;
use crate::gpu::plan::table::{Instance, TSQR_DOWN, TSQR_HEAD, TSQR_PANEL};
use crate::gpu::plan::{Launch, Limits, allowed};
use crate::gpu::tall::gram as cholqr;
use crate::routine::Dtype;
pub use crate::routine::tree::{Levels, MOST};

/// This method's name in lists of allowed plans.
pub const NAME: &str = "tree";

/// Trees are for at least this many rows, more than any other kernel holds.
const FIRST: i64 = 2049;

/// The kernels for a panel: for its blocks, for the first rows, and for the way down.
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    /// Factors blocks.
    pub panel: &'static Instance,
    /// Reconstructs the first rows.
    pub head: &'static Instance,
    /// Replaces each block's V by its part of the panel's V or Q.
    pub down: &'static Instance,
}

impl Kernels {
    /// The kernels that go with `panel`, a kernel for blocks.
    pub fn of(panel: &'static Instance) -> Result<Kernels, Error> {
        let beside = |family: &'static [Instance]| {
            let fits = |i: &&Instance| i.dtype == panel.dtype && i.columns == panel.columns && i.rows >= panel.rows;
            family.iter().find(fits).ok_or_else(|| Error::Internal("a kernel for trees alone".into()))
        };
        Ok(Kernels { panel, head: beside(TSQR_HEAD)?, down: beside(TSQR_DOWN)? })
    }
}

/// The launch for an m x n panel at (offset, offset). `None` if a single block holds the panel, or if it is wider
/// than these kernels allow.
pub fn launch(dtype: Dtype, m: i64, n: i64, offset: i64, limits: Limits) -> Option<Launch> {
    if m < FIRST || n < 1 || !allowed(NAME) {
        return None;
    }
    let runs = |i: &Instance| limits.runs(i.shared);
    let takes = |i: &&'static Instance| {
        i.dtype == dtype
            && i64::from(i.columns) >= n
            && runs(i)
            && Kernels::of(i).is_ok_and(|k| runs(k.head) && runs(k.down))
            && Levels::new(m, n, i.rows.into()).is_some()
    };
    let panel = TSQR_PANEL.iter().filter(takes).min_by_key(|i| i.columns)?;
    Some(Launch::on(panel, m, n, offset))
}

/// Whether a tree is faster than one block per matrix, column by column. For many matrices with few columns it is
/// not.
pub fn pays(dtype: Dtype, m: i64, n: i64, limits: Limits) -> bool {
    let (tree, columns) = times(dtype, m, n, limits.class.batch(), limits);
    tree < columns
}

/// Microseconds of a tree (or from the Gram matrix, if that is allowed and faster), and of one block per matrix that
/// works column by column.
pub fn times(dtype: Dtype, m: i64, n: i64, batch: i64, limits: Limits) -> (f64, f64) {
    let of = &limits.measured().tree;
    let gram = cholqr::Kernels::of(dtype, n, limits).is_some();
    let (m, n, batch) = (m as f64, n as f64, batch as f64);
    let passes = of.gram_passes[dtype] * batch * m * n * dtype.bytes() as f64;
    let by_gram = of.gram_launches[dtype] + passes / of.gram_traffic;
    let blocks = batch * m / 512.0 * of.block[dtype];
    let tree = of.launches + of.path[dtype] * n * n + blocks * (of.block_start + of.block_columns * n * n);
    let elements = of.element * of.elements[dtype] * m * n * (n + 1.0);
    let columns = (batch / of.at_once).max(1.0) * (elements + of.column * n);
    (if gram { tree.min(by_gram) } else { tree }, columns)
}

/// Describes the tree.
pub fn words(l: &Launch) -> String {
    match Levels::new(l.m, l.n, l.instance.rows.into()) {
        Some(levels) => {
            let blocks: Vec<String> =
                levels.shapes[..levels.count].iter().map(|(_, blocks)| blocks.to_string()).collect();
            let gram =
                if allowed(cholqr::NAME) { "from its Gram matrix where that is exact enough, else " } else { "" };
            format!(", {gram}a tree of {} blocks", blocks.join(" + "))
        }
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_columns_of_many_matrices_are_no_tree() {
        for dtype in Dtype::ALL {
            let pays = |m, n, batch| {
                let (tree, columns) = times(dtype, m, n, batch, Limits::HOPPER);
                tree < columns
            };
            assert!(pays(1 << 20, 32, 1) && pays(16_384, 16, 16) && pays(4096, 32, 100) && pays(100_000, 7, 1));
            assert!(pays(4096, 32, 10_000) && !pays(4096, 2, 16) && !pays(4096, 2, 10_000) && !pays(2049, 3, 1));
        }
    }

    #[test]
    fn levels_end_in_one_block() {
        for dtype in Dtype::ALL {
            for m in [2049, 2500, 5000, 16_384, 100_001, 1 << 20, i64::from(i32::MAX)] {
                for n in [1, 2, 7, 16, 17, 31, 32] {
                    let l = launch(dtype, m, n, 0, Limits::HOPPER).unwrap();
                    let rows = i64::from(l.instance.rows);
                    let levels = Levels::new(m, n, rows).unwrap();
                    let of = &levels.shapes[..levels.count];
                    assert_eq!((of[0].0, of.last().unwrap().1), (m, 1));
                    assert!(of.windows(2).all(|w| w[1].0 == w[0].1 * n && w[1].1 < w[0].1), "{of:?}");
                    // A block that hands rows to a neighbour keeps more rows than columns.
                    assert!(rows - 32 > n && n + 32 <= rows);
                }
            }
            assert!(launch(dtype, 2048, 8, 0, Limits::HOPPER).is_none());
            assert!(launch(dtype, 4096, 33, 0, Limits::HOPPER).is_none());
            assert!(launch(dtype, 4096, 8, 0, Limits { native: false, ..Limits::HOPPER }).is_none());
        }
    }
}
