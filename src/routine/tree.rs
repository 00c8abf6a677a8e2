//! The reduction tree of a tall matrix (TSQR). The rows are split into blocks; the R factors of all blocks, stacked,
//! are the matrix of the next level, and so on up to a single block. This module also defines where Q, as the
//! reflectors of all blocks, is stored.

use super::Dtype;

/// Maximum number of levels that kernels take (`TsqrHeadArgs::most`).
pub const MOST: usize = 12;

/// Rows and blocks of each level, starting with the panel's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels {
    /// (rows of the level's matrix, number of blocks they are split into).
    pub shapes: [(i64, i64); MOST],
    /// Number of levels.
    pub count: usize,
}

impl Levels {
    /// The levels of an m x n panel with blocks of `rows` rows. `None` if there are more than [`MOST`].
    pub fn new(m: i64, n: i64, rows: i64) -> Option<Levels> {
        let mut levels = Levels { shapes: [(0, 0); MOST], count: 0 };
        let mut height = m;
        for level in &mut levels.shapes {
            let blocks = height / rows + i64::from(height % rows != 0);
            *level = (height, blocks);
            levels.count += 1;
            if blocks == 1 {
                return Some(levels);
            }
            height = blocks.checked_mul(n)?;
        }
        None
    }
}

/// The implicit Q of a tall panel. The reflectors of level 0 are below the diagonals of A's row blocks; everything else
/// is in T. The layout of T follows from the type and the sizes alone, so that any routine that applies Q can find it.
#[derive(Clone, Copy, Debug)]
pub struct Tree {
    /// Number of columns, and of reflectors per block.
    pub n: i64,
    /// Rows of a block, except as [`Tree::first`] adjusts them.
    pub rows: i64,
    /// The levels.
    pub levels: Levels,
    /// Offsets in T for each level: (the level's matrix, unused at level 0; its leading dimension; the scalar factors
    /// tau, n per block).
    pub offsets: [(i64, i64, i64); MOST],
    /// Number of elements of this tree's part of T.
    pub elements: i64,
}

impl Tree {
    /// Maximum number of rows of a matrix that is not split.
    pub const MAX_UNSPLIT_ROWS: i64 = 2048;
    /// Maximum number of columns of a panel that is split.
    pub const MAX_COLUMNS: i64 = 32;

    /// The tree of a panel of `order` rows and `n` columns. `None` if the panel is not split.
    fn of(dtype: Dtype, order: i64, n: i64) -> Option<Tree> {
        if order <= Tree::MAX_UNSPLIT_ROWS || !(1..=Tree::MAX_COLUMNS).contains(&n) {
            return None;
        }
        // The number of rows that the kernels for single blocks take.
        let rows = if dtype.is_complex() { 256 } else { 512 };
        let levels = Levels::new(order, n, rows)?;
        let (mut offsets, mut elements) = ([(0, 0, 0); MOST], 0i64);
        for (i, (height, blocks)) in levels.shapes[..levels.count].iter().enumerate() {
            let (a, ld) = (elements, Tree::align(*height)?);
            let taus = a.checked_add(if i == 0 { 0 } else { ld.checked_mul(n)? })?;
            offsets[i] = (a, ld, taus);
            elements = Tree::align(taus.checked_add(blocks.checked_mul(n)?)?)?;
        }
        Some(Tree { n, rows, levels, offsets, elements })
    }

    /// Rounds up to the granularity at which matrices and their columns start.
    fn align(x: i64) -> Option<i64> {
        const ALIGNMENT: i64 = 4;
        Some(x.checked_add(ALIGNMENT - 1)? / ALIGNMENT * ALIGNMENT)
    }

    /// First row of block j at a level. A last block of no more than n rows gets 32 more from its neighbour, as in
    /// kernels/tsqr/args.cuh.
    pub fn first(&self, level: usize, j: i64) -> i64 {
        let row = j * self.rows;
        if j > 0 && self.levels.shapes[level].0 - row <= self.n { row - 32 } else { row }
    }

    /// Number of rows of block j at a level.
    pub fn height(&self, level: usize, j: i64) -> i64 {
        let (m, blocks) = self.levels.shapes[level];
        let end = if j + 1 < blocks { self.first(level, j + 1) } else { m };
        end - self.first(level, j)
    }

    /// The row of the whole panel that a level's row stands for. The first n rows of each block go on to the next
    /// level.
    pub fn row(&self, level: usize, row: i64) -> i64 {
        (0..level).rev().fold(row, |row, below| self.first(below, row / self.n) + row % self.n)
    }
}

/// The implicit Q of a tall matrix: column panels, each starting at its diagonal with its own tree. Their T are stored
/// one after another.
#[derive(Clone, Copy, Debug)]
pub struct Panels {
    dtype: Dtype,
    order: i64,
    n: i64,
    /// Number of panels.
    pub count: i64,
}

/// One panel of [`Panels`].
#[derive(Clone, Copy, Debug)]
pub struct Panel {
    /// First row and column.
    pub at: i64,
    /// Offset of its part of T.
    pub t: i64,
    /// Its tree.
    pub tree: Tree,
}

impl Panels {
    /// Maximum number of columns for this form. Beyond it, updating panel by panel causes more memory traffic than
    /// LAPACK's form, which aggregates the reflectors of several panels.
    const MAX_COLUMNS: i64 = 256;

    /// The panels of a Q of this order with k reflectors. `None` if Q is stored as by LAPACK's geqrf.
    pub fn of(dtype: Dtype, order: i64, k: i64) -> Option<Panels> {
        if !(1..=Panels::MAX_COLUMNS).contains(&k) {
            return None;
        }
        let count = (k - 1) / Tree::MAX_COLUMNS + 1;
        let panels = Panels { dtype, order, n: k, count };
        // Only the last panel can fail: the others have more rows, and `get` adds up the T of all before it.
        let last = panels.get(count - 1)?;
        last.t.checked_add(last.tree.elements)?;
        Some(panels)
    }

    /// The i-th panel.
    pub fn get(&self, i: i64) -> Option<Panel> {
        let tree = |i| {
            let at = i * Tree::MAX_COLUMNS;
            Tree::of(self.dtype, self.order - at, Tree::MAX_COLUMNS.min(self.n - at))
        };
        let mut t = 0i64;
        for before in 0..i {
            t = t.checked_add(tree(before)?.elements)?;
        }
        Some(Panel { at: i * Tree::MAX_COLUMNS, t, tree: tree(i)? })
    }

    /// All panels in order.
    pub fn all(self) -> impl DoubleEndedIterator<Item = Panel> {
        (0..self.count).filter_map(move |i| self.get(i))
    }

    /// A description: the number of panels, and the number of blocks at each level of the first one's tree.
    pub fn describe(&self) -> String {
        let of = |tree: Tree| -> Vec<String> {
            tree.levels.shapes[..tree.levels.count].iter().map(|(_, blocks)| blocks.to_string()).collect()
        };
        let blocks = self.get(0).map_or_else(Vec::new, |panel| of(panel.tree)).join(" + ");
        let panels = if self.count == 1 { String::new() } else { format!("{} panels, each ", self.count) };
        format!("{panels}a tree of {blocks} blocks")
    }

    /// Number of elements of T.
    pub fn elements(&self) -> i64 {
        self.all().map(|panel| panel.tree.elements).sum()
    }
}

/// Number of elements of T for an m x n matrix. `None` if their size overflows.
pub fn t_elements(dtype: Dtype, m: i64, n: i64) -> Option<i64> {
    let k = m.min(n);
    let elements = Panels::of(dtype, m, k).map_or(k, |panels| panels.elements());
    elements.checked_mul(dtype.bytes() as i64).map(|_| elements)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_a_level_is_another_of_q() {
        for dtype in [Dtype::D, Dtype::Z] {
            for (m, n) in [(2049, 32), (2049, 1), (16_385, 32), (100_003, 31), (20_000, 5), (4096 + 7, 7)] {
                let tree = Tree::of(dtype, m, n).unwrap();
                for level in 0..tree.levels.count {
                    let (height, blocks) = tree.levels.shapes[level];
                    let rows: Vec<i64> = (0..height).map(|r| tree.row(level, r)).collect();
                    assert!(rows.windows(2).all(|w| w[0] < w[1]) && *rows.last().unwrap() < m, "{m} x {n}, {level}");
                    assert_eq!((0..blocks).map(|j| tree.height(level, j)).sum::<i64>(), height);
                    assert!((0..blocks).all(|j| (n + 1..=tree.rows).contains(&tree.height(level, j))), "{m} x {n}");
                }
            }
        }
    }

    #[test]
    fn parts_of_t_do_not_overlap() {
        let tree = Tree::of(Dtype::S, 1 << 20, 29).unwrap();
        let mut end = 0;
        for (i, (a, ld, taus)) in tree.offsets[..tree.levels.count].iter().enumerate() {
            let (height, blocks) = tree.levels.shapes[i];
            assert!(*a >= end && *ld >= height && *taus >= a + if i == 0 { 0 } else { ld * 29 });
            end = taus + blocks * 29;
        }
        assert!(tree.elements >= end && tree.elements <= (1 << 20) * 29 / 8, "small beside the matrix");
        let panels = Panels::of(Dtype::C, 9000, 100).unwrap();
        let all: Vec<Panel> = panels.all().collect();
        assert_eq!(all.iter().map(|p| (p.at, p.tree.n)).collect::<Vec<_>>(), [(0, 32), (32, 32), (64, 32), (96, 4)]);
        assert!(all.windows(2).all(|w| w[1].t == w[0].t + w[0].tree.elements));
        assert_eq!(t_elements(Dtype::C, 9000, 100), Some(all[3].t + all[3].tree.elements));
        for (m, n, k) in [(2048, 32, 32), (2080, 33, 33), (5000, 257, 257), (20, 5000, 20), (3000, 5000, 3000)] {
            assert_eq!(t_elements(Dtype::S, m, n), Some(k), "{m} x {n}: as geqrf leaves it");
        }
        assert!(Panels::of(Dtype::S, 2081, 33).is_some());
    }
}
