//! LAPACK's test ratios of the timed data, on a sample of the batch.

use super::Failure;
use super::operands::Operands;
use crate::case::Case;
use tephra_testkit::ratios::{self, Ratios};
use tephra_testkit::{Scalar, with_scalar};

/// A measurement that is ready to run, on any thread.
pub type Pending = Box<dyn FnOnce() -> Ratios + Send>;

/// Fetches the results of some matrices; the arithmetic happens when the returned function is called.
pub fn sample(operands: &Operands, count: Option<usize>) -> Result<Pending, Failure> {
    let chosen = chosen(operands.case.shape.batch, count.unwrap_or_else(|| affordable(&operands.case)));
    with_scalar!(operands.case.dtype, T => fetch::<T>(operands, &chosen))
}

fn fetch<T: Scalar>(operands: &Operands, chosen: &[usize]) -> Result<Pending, Failure> {
    let mut results = Vec::new();
    for &i in chosen {
        let (factors, tau) = operands.result::<T>(i)?;
        results.push((operands.input::<T>(i), factors, tau));
    }
    Ok(Box::new(move || {
        results
            .iter()
            .map(|(input, factors, tau)| ratios::measure(input, factors, tau))
            .fold(Ratios::default(), Ratios::worst)
    }))
}

/// How many matrices can be checked in about the time of one 256x256: at most 64, at least 2.
fn affordable(case: &Case) -> usize {
    let (m, n) = (case.shape.m, case.shape.n);
    let cost = m * n * case.k().max(1);
    ((1 << 24) / cost).clamp(2, 64)
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
    use crate::case::{Op, Shape};
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
        let of = |n| affordable(&Case::packed(Op::Geqrf, Dtype::D, Shape { m: n, n, batch: 1000 }));
        assert_eq!((of(8), of(128), of(1024)), (64, 8, 2));
    }
}
