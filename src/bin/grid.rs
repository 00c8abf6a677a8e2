//! The benchmark grids: the sets of shapes on which speed is measured.

use crate::case::{Case, Options, Shape, Trans};
use clap::ValueEnum;
use tephra_testkit::{Dtype, Rng};

/// A named set of shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Grid {
    /// Every shape of tiny, middle, large, tall and odd; for getrf also other batches and, in the real types, those of
    /// optimiser
    Full,
    /// A quick cross-section of full: at most a few seconds
    Small,
    /// Square, n = 4 to 32, batch 10,000 and 100,000
    Tiny,
    /// Square, n = 33 to 256, batch 1000
    Middle,
    /// Square, n = 384 and 512, batch 1000; n = 1024, batch 100
    Large,
    /// m x 16 and m x 32, m = 64 to 1024, batch 1000
    Tall,
    /// More rows than a block holds, 2049 to 1048576, and a single 1024x1024 and 2048x2048
    Huge,
    /// Shapes that fit no tile: 17x5, 31x31, ..., 20x50
    Odd,
    /// Shapes for the CPU backend: square n = 4 to 128 and tall, batch 1000
    Host,
    /// Explicit Q: square n = 8 to 512 and tall (the default of orgqr, ormqr and qr)
    Q,
    /// Least squares: 32x32 to 128x128, 256x16 and 512x32 with 1 and 8 right-hand sides (the default of gels)
    Least,
    /// Triangular solves: n = 8 to 256 with 1, 8 and n right-hand sides (the default of trsm)
    Triangles,
    /// Sizes that second-order optimisers factor: n = 32 to 4096, small batches (single precision unless --precisions
    /// is given)
    Optimiser,
    /// Shapes for measuring energy: square n = 16 to 1024 (s and d unless --precisions is given)
    Energy,
    /// Every square n = 1 to 600, batch 1000: the cost of one more column (timed quickly; s and d unless --precisions
    /// is given)
    Steps,
    /// Random sizes from 2 to 600, half of them square, of at most 500 MB, on which the plans were not tuned
    Random,
    /// Main shapes with every class of input, in all of the batch or one in a hundred: its cost over uniform data
    /// (timed quickly)
    Classes,
    /// Members with individual random sizes up to n = 16 to 256, compared with a uniform batch of as many members and
    /// operations (routines whose names end with _vbatched; timed quickly)
    Members,
}

impl Grid {
    /// The shapes, in the order they are run.
    pub fn shapes(self) -> Vec<Shape> {
        match self {
            Grid::Full => {
                [Grid::Tiny, Grid::Middle, Grid::Large, Grid::Tall, Grid::Odd].iter().flat_map(|g| g.shapes()).collect()
            }
            Grid::Small => {
                let square = squares(&[4, 8, 16, 32], 10_000).chain(squares(&[48, 64, 100], 1000));
                square.chain([(64, 16), (256, 32), (17, 5), (20, 50)].map(|(m, n)| shape(m, n, 1000))).collect()
            }
            Grid::Tiny => squares(&[4, 8, 16, 24, 32], 10_000).chain(squares(&[8, 16, 32], 100_000)).collect(),
            Grid::Middle => squares(&[33, 48, 64, 96, 100, 128, 192, 256], 1000).collect(),
            Grid::Large => squares(&[384, 512], 1000).chain(squares(&[1024], 100)).collect(),
            Grid::Tall => {
                let heights = [64, 128, 256, 512, 1024];
                [16, 32].iter().flat_map(|&n| heights.map(|m| shape(m, n, 1000))).collect()
            }
            Grid::Huge => {
                let tall = [(4096, 32, 100), (4096, 256, 8), (16384, 16, 20), (20000, 16, 20), (65536, 64, 4)];
                let one = [
                    (2049, 32, 1),
                    (65536, 32, 1),
                    (1048576, 16, 1),
                    (1048576, 32, 1),
                    (1024, 1024, 1),
                    (2048, 2048, 1),
                ];
                tall.into_iter().chain(one).map(|(m, n, batch)| shape(m, n, batch)).collect()
            }
            Grid::Odd => {
                [(17, 5), (31, 31), (65, 33), (127, 127), (500, 20), (20, 50)].map(|(m, n)| shape(m, n, 1000)).to_vec()
            }
            Grid::Host => {
                let tall = [(64, 16), (256, 16), (256, 32), (17, 5)].map(|(m, n)| shape(m, n, 1000));
                squares(&[4, 8, 16, 24, 32, 48, 64, 96, 128], 1000).chain(tall).collect()
            }
            Grid::Q => {
                let tall = [(256, 16), (512, 32)].map(|(m, n)| shape(m, n, 1000));
                squares(&[8, 16, 32], 10_000)
                    .chain(squares(&[8, 32, 64, 100, 128, 192, 256, 384, 512], 1000))
                    .chain(tall)
                    .collect()
            }
            Grid::Least => {
                squares(&[32, 64, 128], 1000).chain([(256, 16), (512, 32)].map(|(m, n)| shape(m, n, 1000))).collect()
            }
            Grid::Triangles => {
                let of = |batch: usize| move |n: usize| [1, 8, n].map(|nrhs| shape(n, nrhs, batch));
                let small = [8, 16, 32].into_iter().flat_map(of(10_000));
                let all: Vec<_> = small.chain([64, 128, 256].into_iter().flat_map(of(1000))).collect();
                all.into_iter().fold(Vec::new(), |mut once, s| {
                    if !once.contains(&s) {
                        once.push(s);
                    }
                    once
                })
            }
            Grid::Optimiser => [(32, 20), (176, 40), (352, 40), (512, 640), (1024, 60), (2048, 8), (4096, 2)]
                .map(|(n, batch)| shape(n, n, batch))
                .to_vec(),
            Grid::Energy => {
                let many = squares(&[16, 32], 10_000).chain(squares(&[64, 128, 256, 512], 1000));
                many.chain(squares(&[1024], 100)).collect()
            }
            Grid::Random => at_random(&mut Rng::new(1)),
            Grid::Steps => (1..=600).map(|n| shape(n, n, 1000)).collect(),
            Grid::Classes => {
                let other = [(17, 5), (20, 50), (256, 32), (1024, 16), (1024, 32)].map(|(m, n)| shape(m, n, 1000));
                squares(&[8, 16, 32], 10_000)
                    .chain(squares(&[33, 64, 100, 128, 192, 256], 1000))
                    .chain(squares(&[512], 640))
                    .chain(other)
                    .collect()
            }
            Grid::Members => squares(&[16, 32, 64], 10_000).chain(squares(&[32, 64, 100, 128, 256], 1000)).collect(),
        }
    }

    /// The default precisions.
    pub fn precisions(self) -> &'static [Dtype] {
        match self {
            Grid::Optimiser => &[Dtype::S],
            Grid::Steps | Grid::Energy => &[Dtype::S, Dtype::D],
            _ => &Dtype::ALL,
        }
    }

    /// Whether the grid compares the library's times with each other: a sweep over many cases, each timed quickly,
    /// without another library.
    pub fn is_of_own_times(self) -> bool {
        matches!(self, Grid::Steps | Grid::Classes | Grid::Members)
    }
}

/// Draws sizes and batch counts on a logarithmic scale: many small matrices, few large ones.
fn at_random(rng: &mut Rng) -> Vec<Shape> {
    const EACH: usize = 12;
    const ELEMENTS: f64 = 3e7;
    let mut draw = |square: bool| {
        let mut log = |low: f64, high: f64| (low * (high / low).powf((rng.uniform() + 1.0) / 2.0)) as usize;
        let m = log(2.0, 601.0);
        let n = if square { m } else { log(2.0, 601.0) };
        shape(m, n, log(10.0, (ELEMENTS / (m * n) as f64).min(20_000.0)))
    };
    (0..2 * EACH).map(|i| draw(i < EACH)).collect()
}

/// The options of a case with each of these numbers of right-hand sides and transpositions, without duplicates.
pub fn right_hand_sides(case: &Case, list: &[(usize, Trans)]) -> Vec<Options> {
    let mut all = list.to_vec();
    all.sort();
    all.dedup();
    all.into_iter().map(|(nrhs, trans)| Options { nrhs, trans, ..case.options }).collect()
}

/// The options of a case with one right-hand side and with a few.
pub fn few_sides(case: &Case) -> Vec<Options> {
    right_hand_sides(case, &[(1, Trans::N), (case.shape.n.min(8), Trans::N)])
}

pub fn shape(m: usize, n: usize, batch: usize) -> Shape {
    Shape { m, n, batch }
}

pub fn squares(sizes: &[usize], batch: usize) -> impl Iterator<Item = Shape> {
    sizes.iter().map(move |&n| shape(n, n, batch))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_full_grid_is_the_documented_one() {
        let full = Grid::Full.shapes();
        assert_eq!(full.len(), 8 + 8 + 3 + 10 + 6);
        let distinct: BTreeSet<_> = full.iter().collect();
        assert_eq!(distinct.len(), full.len(), "a shape appears twice");
        for must in
            [(4, 4, 10_000), (32, 32, 100_000), (33, 33, 1000), (1024, 1024, 100), (1024, 32, 1000), (20, 50, 1000)]
        {
            assert!(full.contains(&shape(must.0, must.1, must.2)), "{must:?} is missing");
        }
        assert!(!full.contains(&shape(4, 4, 100_000)), "n = 4 and 24 have no batch of 100,000");
    }

    #[test]
    fn the_quick_grid_is_a_part_of_the_full_one() {
        let full = Grid::Full.shapes();
        assert!(Grid::Small.shapes().iter().all(|s| full.contains(s)));
    }
}
