//! Sizes of tiles, and the layout of T.

use std::ops::Range;

/// Maximum number of rows and columns of a tile.
const LARGEST: usize = 8192;
/// Maximum number of tasks. Tiles are made larger to stay below it.
const TASKS: usize = 1 << 20;
/// Number of elements in front of T: the sizes of tiles and inner blocks of the factorisation, and whether its tiles
/// are stacked.
pub const HEAD: usize = 3;

/// The partition of an m x n matrix into tiles of nb rows and columns. The last ones may be smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiles {
    pub m: usize,
    pub n: usize,
    pub nb: usize,
    /// Number of columns of an inner block.
    pub ib: usize,
    /// Whether the tiles of a column, from the diagonal on, were factored as one. The reflectors are then LAPACK's, and
    /// T holds their scalar factors.
    pub stacked: bool,
}

/// The default size of tiles.
fn best(m: usize, n: usize) -> usize {
    match m.max(n) {
        ..=256 => 256,
        257..=640 => 128,
        641..=1535 => 192,
        1536..=8191 => 256,
        _ => 384,
    }
}

impl Tiles {
    /// The tiles to factor a matrix with. `nb` is their size, or 0 for the default. Tiles are at most as large as the
    /// matrix, but large enough that there are at most about a million tasks.
    pub fn of(m: usize, n: usize, nb: usize) -> Tiles {
        let wanted = if nb == 0 { best(m, n) } else { nb };
        let mut nb = wanted.min(LARGEST).min(m.max(n).max(1));
        let tasks = |nb: usize| {
            let (rows, columns) = (m.div_ceil(nb), n.div_ceil(nb));
            rows.saturating_mul(columns).saturating_mul(rows.min(columns))
        };
        while nb < LARGEST && tasks(nb) > TASKS {
            nb *= 2;
        }
        Tiles { m, n, nb, ib: nb.min(32), stacked: false }
    }

    /// Stacked tiles for the same matrix. Each tile consists of whole inner blocks.
    pub fn stacked(self) -> Tiles {
        Tiles { nb: self.nb.next_multiple_of(self.ib), stacked: true, ..self }
    }

    /// The tiles that T was made for, from its head, for a Q with m rows and k columns. `None` if `head` is not the
    /// head of a T.
    pub fn from_head(m: usize, k: usize, head: [f64; HEAD]) -> Option<Tiles> {
        let whole = |x: f64| (x >= 1.0 && x <= LARGEST as f64 * 2.0 && x.fract() == 0.0).then_some(x as usize);
        let [nb, ib, stacked] = [whole(head[0])?, whole(head[1])?, whole(head[2] + 1.0)?];
        (ib <= nb && stacked <= 2).then_some(Tiles { m, n: k, nb, ib, stacked: stacked == 2 })
    }

    /// The elements in front of T.
    pub fn head(&self) -> [f64; HEAD] {
        [self.nb as f64, self.ib as f64, f64::from(u8::from(self.stacked))]
    }

    /// Number of tile rows.
    pub fn rows(&self) -> usize {
        self.m.div_ceil(self.nb)
    }
    /// Number of tile columns.
    pub fn columns(&self) -> usize {
        self.n.div_ceil(self.nb)
    }
    /// Number of diagonal tiles.
    pub fn steps(&self) -> usize {
        self.rows().min(self.columns())
    }
    /// The matrix rows of tile row i.
    pub fn row(&self, i: usize) -> Range<usize> {
        i * self.nb..self.m.min((i + 1) * self.nb)
    }
    /// The matrix columns of tile column j.
    pub fn column(&self, j: usize) -> Range<usize> {
        j * self.nb..self.n.min((j + 1) * self.nb)
    }
    /// A number for tile (i, j).
    pub fn number(&self, i: usize, j: usize) -> usize {
        i + j * self.rows()
    }

    /// Offset of T for tile (i, k), i >= k. It has ib rows, and a column for each of the tile's.
    pub fn t(&self, i: usize, k: usize) -> usize {
        // The first tile column has all tiles, and each later one has one fewer.
        let before = k * self.rows() - k * k.saturating_sub(1) / 2;
        HEAD + (before + i - k) * self.ib * self.nb
    }

    /// Number of elements of T. `None` if it overflows.
    pub fn size(&self) -> Option<i64> {
        if self.stacked {
            return i64::try_from(self.m.min(self.n).checked_add(HEAD)?).ok();
        }
        let (rows, steps) = (self.rows(), self.steps());
        let tiles = steps.checked_mul(rows)? - steps * steps.saturating_sub(1) / 2;
        i64::try_from(tiles.checked_mul(self.ib.checked_mul(self.nb)?)?.checked_add(HEAD)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_cover_the_matrix_and_t_is_packed() {
        for (m, n, nb) in
            [(1, 1, 0), (100, 30, 16), (30, 100, 16), (64, 64, 64), (5, 7, 100), (1000, 1000, 0), (0, 3, 4)]
        {
            let tiles = Tiles::of(m, n, nb);
            let covered = |parts: Vec<Range<usize>>| parts.iter().map(|part| part.len()).sum::<usize>();
            assert_eq!(covered((0..tiles.rows()).map(|i| tiles.row(i)).collect()), m);
            assert_eq!(covered((0..tiles.columns()).map(|j| tiles.column(j)).collect()), n);
            let mut next = HEAD;
            for k in 0..tiles.steps() {
                for i in k..tiles.rows() {
                    assert_eq!(tiles.t(i, k), next, "{tiles:?} ({i}, {k})");
                    next += tiles.ib * tiles.nb;
                }
            }
            assert_eq!(tiles.size(), Some(next as i64));
            assert_eq!(Tiles::from_head(m, n, tiles.head()), Some(tiles));
            let stacked = tiles.stacked();
            assert_eq!(stacked.size(), Some((HEAD + m.min(n)) as i64));
            assert!(stacked.size() <= tiles.size() && stacked.nb.is_multiple_of(stacked.ib));
            assert_eq!(Tiles::from_head(m, n, stacked.head()), Some(stacked));
        }
    }

    #[test]
    fn many_tiles_become_larger_ones() {
        let tiles = Tiles::of(100_000, 100_000, 8);
        assert!(tiles.rows().pow(3) <= TASKS && tiles.nb < LARGEST);
        assert_eq!(Tiles::of(1 << 40, 4, 1 << 30).nb, LARGEST);
        assert_eq!(Tiles::of(usize::MAX / 2, usize::MAX / 2, 8).size(), None);
    }

    #[test]
    fn what_is_not_t_is_seen() {
        for head in [[0.0, 1.0], [16.0, 32.0], [f64::NAN, 4.0], [16.5, 4.0], [1e30, 4.0], [16.0, -1.0]] {
            assert_eq!(Tiles::from_head(10, 10, [head[0], head[1], 0.0]), None);
        }
        for stacked in [-1.0, 0.5, 2.0, f64::NAN] {
            assert_eq!(Tiles::from_head(10, 10, [16.0, 4.0, stacked]), None);
        }
    }
}
