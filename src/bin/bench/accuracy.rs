//! LAPACK's test ratios for a sample of the timed batch, computed in double precision.

use super::operands::Operands;
use crate::case::Case;
use crate::failure::Failure;
use crate::operation::Pending;
use tephra_testkit::ops::least_squares;
use tephra_testkit::ratios::Ratios;
use tephra_testkit::{Matrix, Scalar, ops};

/// Fetches the results of some matrices. The returned function regenerates the inputs and does the arithmetic.
pub fn sample(operands: &Operands, count: Option<usize>) -> Result<Pending, Failure> {
    let chosen = chosen(operands.case.shape.batch, count.unwrap_or_else(|| affordable(&operands.case)));
    let judged = chosen.iter().map(|&i| (operands.case.op.measure)(operands, i));
    let checks = judged.collect::<Result<Vec<Pending>, _>>()?;
    Ok(Box::new(move || checks.into_iter().map(|check| check()).fold(Ratios::default(), Ratios::worst)))
}

/// The ratios of a routine that computes no Q: the residual alone.
pub fn residual(residual: f64) -> Ratios {
    Ratios { residual, ..Ratios::default() }
}

/// The ratio of a solution of A X = B, or of an inverse, which `measured` judges. Members for which the
/// call reported a code have no solution to judge, and others may have none in the range of the type; `code` and `x`
/// must have a reason in A, though.
pub fn solution<T: Scalar>(
    code: i32,
    [a, b]: [&Matrix<T::Double>; 2],
    x: &Matrix<T>,
    measured: impl FnOnce() -> f64,
) -> Ratios {
    let singular = || least_squares::nearly_singular(a, T::DTYPE.eps());
    residual(match (code > 0, x.is_finite()) {
        (true, _) if singular() => 0.0,
        (true, _) => f64::INFINITY,
        (false, false) if singular() || least_squares::overflows::<T>(a, b) => 0.0,
        _ => measured(),
    })
}

/// The rows or columns in which a product is compared: all of a small one, but only some of a large one, because the
/// sums in twice the precision are slow.
pub fn compared(count: usize) -> Vec<usize> {
    const MOST: usize = 24;
    let step = count.div_ceil(MOST).max(1);
    (0..count).step_by(step).collect()
}

/// The given rows and columns of a matrix; None stands for all.
pub fn part<T: Scalar>(of: &Matrix<T>, rows: Option<&[usize]>, columns: Option<&[usize]>) -> Matrix<T> {
    let size = |chosen: Option<&[usize]>, all| chosen.map_or(all, <[usize]>::len);
    let at = |chosen: Option<&[usize]>, i| chosen.map_or(i, |chosen| chosen[i]);
    Matrix::from_fn(size(rows, of.rows()), size(columns, of.cols()), |i, j| of[(at(rows, i), at(columns, j))])
}

/// The given rows of op(A).
pub fn rows_of<T: Scalar>(a: &Matrix<T>, trans: ops::Trans, rows: &[usize]) -> Matrix<T> {
    if trans == ops::Trans::N { part(a, Some(rows), None) } else { part(a, None, Some(rows)) }
}

/// The number of matrices that can be checked in about the time of one 256x256 matrix, between 2 and 64.
fn affordable(case: &Case) -> usize {
    ((1 << 24) / cost(case)).clamp(2, 64)
}

/// The number of matrices checked in sweeps over many cases: at most 2, and none from about 256x256 on.
pub fn few(case: &Case) -> usize {
    ((1 << 24) / cost(case)).min(2)
}

/// An estimate of the cost of checking one matrix.
fn cost(case: &Case) -> usize {
    case.shape.m.saturating_mul(case.shape.n).saturating_mul(case.k().max(1))
}

/// `count` indices spread evenly over the batch, including the first and the last.
fn chosen(batch: usize, count: usize) -> Vec<usize> {
    let count = count.min(batch);
    match count {
        0 => Vec::new(),
        1 => vec![batch - 1],
        _ => (0..count).map(|i| i * (batch - 1) / (count - 1)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Shape;
    use crate::ops::named;
    use tephra_testkit::Dtype;

    #[test]
    fn samples_reach_both_ends() {
        assert_eq!(chosen(1000, 3), [0, 499, 999]);
        assert_eq!(chosen(2, 64), [0, 1]);
        assert_eq!(chosen(5, 1), [4]);
        assert!(chosen(5, 0).is_empty());
    }

    #[test]
    fn large_matrices_are_sampled_less() {
        let of = |n| affordable(&Case::packed(named("geqrf"), Dtype::D, Shape { m: n, n, batch: 1000 }));
        assert_eq!((of(8), of(128), of(1024)), (64, 8, 2));
        let few = |n| few(&Case::packed(named("geqrf"), Dtype::D, Shape { m: n, n, batch: 1000 }));
        assert_eq!((few(8), few(256), few(257)), (2, 1, 0));
    }
}
