//! The cases of a routine on a grid: its shapes, and the options that each is measured with.

use crate::case::{Case, Shape};
use crate::grid::{Grid, shape};
use crate::limits::flops;
use crate::operation::Op;
use crate::ops::named;
use tephra_testkit::Dtype;

impl Grid {
    /// All cases, precision by precision.
    pub fn cases(self, op: Op, precisions: &[Dtype]) -> Vec<Case> {
        if self == Grid::Members {
            let all = precisions.iter().flat_map(|&p| self.shapes_for(op, p).into_iter().map(move |s| (p, s)));
            let both = all.filter_map(|(p, s)| {
                let case = Case::packed(op, p, s);
                Some([as_much(&case)?, case])
            });
            return both.flatten().collect();
        }
        if let Some(cases) = op.cases.filter(|_| !matches!(self, Grid::Energy | Grid::Random)) {
            return precisions.iter().flat_map(|&p| cases(op, p)).collect();
        }
        let one = |p: Dtype, s: Shape| {
            let case = Case::packed(op, p, s);
            if self.is_of_own_times() || matches!(self, Grid::Energy | Grid::Random) {
                vec![case]
            } else {
                (op.variants)(&case).into_iter().map(|options| case.with(options)).collect()
            }
        };
        precisions.iter().flat_map(|&p| self.shapes_for(op, p).into_iter().flat_map(move |s| one(p, s))).collect()
    }

    /// The shapes that a routine takes.
    fn shapes_for(self, op: Op, dtype: Dtype) -> Vec<Shape> {
        let mut shapes = if op.complex && !dtype.is_complex() { vec![] } else { self.shapes() };
        if self == Grid::Full {
            shapes.extend((op.extra_shapes)(dtype));
        }
        shapes.retain(|s| s.m == s.n || !op.square);
        shapes
    }
}

/// For a case with individual sizes, the uniform case with as many members and about as many operations.
pub fn as_much(case: &Case) -> Option<Case> {
    let uniform = case.op.name.strip_suffix("_vbatched").filter(|_| case.op.varying)?;
    let of = |n: usize| Case::packed(named(uniform), case.dtype, shape(n, n, case.shape.batch));
    let apart = |n: &usize| (flops(&of(*n)) / flops(case)).ln().abs();
    (1..=case.shape.n).min_by(|a, b| apart(a).total_cmp(&apart(b))).map(of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Trans, Uplo};
    use std::collections::BTreeSet;

    #[test]
    fn the_full_grid_of_lu_is_that_of_its_peers() {
        let of = |op| Grid::Full.cases(named(op), &[Dtype::S]);
        let lu = of("getrf");
        let distinct: BTreeSet<_> = lu.iter().collect();
        assert_eq!((lu.len(), distinct.len()), (35 + 2 + 4 + 7, lu.len()));
        for must in [(24, 24, 100_000), (512, 512, 64), (2048, 2048, 16), (4096, 4096, 2), (20, 50, 1000)] {
            assert!(lu.iter().any(|c| c.shape == shape(must.0, must.1, must.2)), "{must:?} is missing");
        }
        assert_eq!(Grid::Full.cases(named("getrf"), &[Dtype::Z]).len(), 35 + 2 + 4);
        let inverses = of("getri");
        assert_eq!(inverses.len(), 8 + 8 + 3 + 2, "the square shapes of QR's");
        assert!(inverses.iter().all(|c| c.shape.m == c.shape.n));
        let solves = |op, n: usize| -> Vec<(usize, Trans)> {
            let all = of(op).into_iter().filter(|c| (c.shape.n, c.shape.batch) == (n, 10_000));
            all.map(|c| (c.options.nrhs, c.options.trans)).collect()
        };
        let (n, t) = (Trans::N, Trans::T);
        assert_eq!(solves("getrs", 4), [(1, n), (1, t), (4, n)]);
        assert_eq!(solves("getrs", 16), [(1, n), (1, t), (8, n), (16, n)]);
        assert_eq!(solves("gesv", 16), [(1, n), (8, n)]);
        assert_eq!(solves("potrs", 16), [(1, n), (8, n), (16, n)]);
        let factorisations = of("potrf");
        assert_eq!(factorisations.len(), 2 * inverses.len());
        assert_eq!(factorisations[..2].iter().map(|c| c.options.uplo).collect::<Vec<_>>(), [Uplo::Lower, Uplo::Upper]);
    }

    #[test]
    fn cases_are_ordered_by_precision() {
        let cases = Grid::Odd.cases(named("geqrf"), &[Dtype::D, Dtype::Z]);
        assert_eq!(cases.len(), 12);
        assert!(cases[..6].iter().all(|c| c.dtype == Dtype::D && c.lda == c.shape.m));
        assert_eq!(Grid::Optimiser.precisions(), [Dtype::S]);
    }
}
