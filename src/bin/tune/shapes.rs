//! The shapes that are tuned: the benchmark's, sizes between them, and the full size of every kernel instance.

use crate::args::TuneGrid;
use crate::case::{Case, Shape, Trans};
use crate::grid::Grid;
use crate::operation::Op;
use std::collections::BTreeSet;
use tephra_testkit::Dtype;

/// Batch counts that represent classes of batch counts, with the range of matrix elements that each is measured for.
/// The table is keyed by them, as `src/gpu/geqrf/choose.rs` expects.
const BATCHES: [(usize, usize, usize); 5] =
    [(16, 1025, usize::MAX), (100, 1, usize::MAX), (1000, 1, 1 << 18), (10_000, 1, 1 << 14), (100_000, 1, 1 << 10)];

/// Above 128, these include sizes just above a multiple of 32, which leave a poor last block.
const SQUARES: [usize; 51] = [
    1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 28, 31, 32, 33, 36, 40, 48, 56, 64, 80, 96, 100, 112, 127, 128, 136,
    160, 168, 176, 192, 200, 208, 224, 232, 240, 256, 264, 272, 296, 304, 320, 352, 384, 448, 512, 768, 1024, 2048,
];
/// Numbers of columns, and the numbers of rows that are tried with each.
const TALL: [(usize, &[usize]); 7] = [
    (2, &[8, 32, 64, 96, 128, 192, 256, 384, 512, 4096]),
    (4, &[8, 16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 1024]),
    (8, &[16, 32, 64, 96, 128, 192, 256, 384, 512, 1024, 2048]),
    (16, &[24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048]),
    (32, &[48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048]),
    (64, &[96, 128, 192, 256, 512, 1024]),
    (128, &[192, 256, 512, 1024]),
];
const ODD: [(usize, usize); 11] =
    [(17, 5), (65, 33), (500, 20), (8, 16), (16, 32), (20, 50), (32, 64), (32, 128), (64, 128), (128, 256), (256, 512)];

/// The cases of a precision, the benchmark's first; `instances` are the sizes of its kernels.
pub fn cases(op: Op, dtype: Dtype, grid: TuneGrid, instances: &[(usize, usize)]) -> Vec<Case> {
    let mut sizes: BTreeSet<(usize, usize)> = BTreeSet::new();
    match grid {
        TuneGrid::Full => {
            sizes.extend(SQUARES.map(|n| (n, n)));
            sizes.extend(TALL.iter().flat_map(|(n, rows)| rows.iter().map(|m| (*m, *n))));
            sizes.extend(ODD);
            sizes.extend(instances);
        }
        TuneGrid::Small => {
            sizes.extend([(8, 8), (20, 20), (32, 32), (64, 64), (128, 128), (256, 16), (17, 5), (20, 50)])
        }
    }
    if op.square {
        sizes.retain(|(m, n)| m == n);
    }
    let batches = |area: usize| BATCHES.into_iter().filter(move |b| (b.1..=b.2).contains(&area)).map(|b| b.0);
    let case = |(m, n), batch| Case::packed(op, dtype, Shape { m, n, batch });
    let mut cases: Vec<Case> =
        sizes.into_iter().flat_map(|(m, n)| batches(m * n).map(move |batch| case((m, n), batch))).collect();
    if let Some(own) = op.cases.filter(|_| grid == TuneGrid::Full) {
        // The benchmark's own cases, which keep their inner sizes.
        let own = own(op, dtype).into_iter().filter(|c| c.options.trans == Trans::N && c.options.trans_b == Trans::N);
        cases.extend(own.map(classed).filter(|c| !cases.contains(c)).collect::<Vec<_>>());
    }
    cases.sort_by_key(|c| !is_of_the_benchmark(c));
    cases
}

/// The case with the batch count that the table uses for it.
fn classed(case: Case) -> Case {
    let Shape { m, n, batch } = case.shape;
    let of_size = BATCHES.into_iter().filter(|b| (b.1..=b.2).contains(&(m * n))).map(|b| b.0);
    let batch = of_size.min_by_key(|b| b.abs_diff(batch)).unwrap_or(batch);
    Case { shape: Shape { m, n, batch }, ..case }
}

/// Whether a case has a shape of the benchmark.
pub fn is_of_the_benchmark(case: &Case) -> bool {
    Grid::Full.shapes().contains(&case.shape)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::named;

    #[test]
    fn the_benchmark_and_the_instances_are_among_them() {
        let cases = cases(named("geqrf"), Dtype::D, TuneGrid::Full, &[(1000, 7)]);
        let sizes: BTreeSet<_> = cases.iter().map(|c| (c.shape.m, c.shape.n)).collect();
        assert!(sizes.contains(&(1000, 7)));
        let (first, rest) = cases.split_at(Grid::Full.shapes().len());
        assert!(first.iter().all(is_of_the_benchmark) && !rest.iter().any(is_of_the_benchmark));
        let of = |n| {
            let square = cases.iter().map(|c| c.shape).filter(|s| (s.m, s.n) == (n, n));
            square.map(|s| s.batch).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
        };
        assert_eq!(of(8), [100, 1000, 10_000, 100_000]);
        assert_eq!(of(64), [16, 100, 1000, 10_000]);
        assert_eq!(of(1024), [16, 100]);
    }
}
