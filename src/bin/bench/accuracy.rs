//! LAPACK's test ratios of the timed data, on a sample of the batch, in double precision.

use super::operands::Operands;
use crate::case::Case;
use crate::failure::Failure;
use crate::operation::Pending;
use tephra_testkit::ratios::Ratios;
use tephra_testkit::{Matrix, Scalar, ops};

/// Fetches the results of some matrices; the arithmetic happens when the returned function is called, which also makes the
/// inputs again.
pub fn sample(operands: &Operands, count: Option<usize>) -> Result<Pending, Failure> {
    let chosen = chosen(operands.case.shape.batch, count.unwrap_or_else(|| affordable(&operands.case)));
    let judged = chosen.iter().map(|&i| (operands.case.op.judge)(operands, i));
    let checks = judged.collect::<Result<Vec<Pending>, _>>()?;
    Ok(Box::new(move || checks.into_iter().map(|check| check()).fold(Ratios::default(), Ratios::worst)))
}

/// The only ratio of a routine that makes no Q.
pub fn residual(residual: f64) -> Ratios {
    Ratios { residual, ..Ratios::default() }
}

/// Rows or columns of which a product is compared: all of a small one, some of a large one, as sums in twice the precision
/// take their time.
pub fn compared(count: usize) -> Vec<usize> {
    const MOST: usize = 24;
    let step = count.div_ceil(MOST).max(1);
    (0..count).step_by(step).collect()
}

/// These columns, or rows, of a matrix.
pub fn part<T: Scalar>(of: &Matrix<T>, rows: Option<&[usize]>, columns: Option<&[usize]>) -> Matrix<T> {
    let size = |chosen: Option<&[usize]>, all| chosen.map_or(all, <[usize]>::len);
    let at = |chosen: Option<&[usize]>, i| chosen.map_or(i, |chosen| chosen[i]);
    Matrix::from_fn(size(rows, of.rows()), size(columns, of.cols()), |i, j| of[(at(rows, i), at(columns, j))])
}

/// These rows of op(A).
pub fn rows_of<T: Scalar>(a: &Matrix<T>, trans: ops::Trans, rows: &[usize]) -> Matrix<T> {
    if trans == ops::Trans::N { part(a, Some(rows), None) } else { part(a, None, Some(rows)) }
}

/// How many matrices can be checked in about the time of one 256x256: at most 64, at least 2.
fn affordable(case: &Case) -> usize {
    ((1 << 24) / cost(case)).clamp(2, 64)
}

/// For sweeps over many cases: at most 2, none of matrices from about 256x256 on.
pub fn few(case: &Case) -> usize {
    ((1 << 24) / cost(case)).min(2)
}

/// About what one matrix takes.
fn cost(case: &Case) -> usize {
    case.shape.m.saturating_mul(case.shape.n).saturating_mul(case.k().max(1))
}

/// `count` matrices spread evenly over the batch, the first and the last among them.
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
