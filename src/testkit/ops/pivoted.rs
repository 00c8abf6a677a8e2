//! Test ratios of QR with column pivoting. Source: `?chkq3` in LAPACK's TESTING/LIN.

use super::call::integers;
use crate::Matrix;
use crate::ratios::{convention, exponent, measure};
use crate::scalar::{Field, Scalar, worst};

/// A P.
pub fn permuted<T: Scalar>(a: &Matrix<T>, jpvt: &[usize]) -> Matrix<T> {
    Matrix::from_fn(a.rows(), a.cols(), |i, j| a[(i, jpvt[j] - 1)])
}

/// The permutation that moves the chosen columns to the front by LAPACK's exchanges, and the number of chosen columns.
pub fn chosen_first(choice: &[usize]) -> (Vec<usize>, usize) {
    let (mut jpvt, mut fixed): (Vec<usize>, usize) = ((1..=choice.len()).collect(), 0);
    for j in (0..choice.len()).filter(|&j| choice[j] != 0) {
        jpvt.swap(j, fixed);
        fixed += 1;
    }
    (jpvt, fixed)
}

/// The largest of the QR ratios of A P and the ratio of the pivot order; infinite if jpvt is not a permutation or the
/// chosen columns are not in their places.
pub fn ratio<T: Scalar>(a: &Matrix<T>, choice: &Matrix<T>, factors: &Matrix<T>, tau: &[T], jpvt: &Matrix<T>) -> f64 {
    let (choice, jpvt) = (integers(choice), integers(jpvt));
    let mut sorted = jpvt.clone();
    sorted.sort_unstable();
    let (first, fixed) = chosen_first(&choice);
    if sorted != (1..=a.cols()).collect::<Vec<_>>() || jpvt[..fixed] != first[..fixed] {
        return f64::INFINITY;
    }
    if convention(factors, tau).is_err() {
        return f64::INFINITY;
    }
    worst(measure(&permuted(a, &jpvt), factors, tau).largest(), disorder(factors, fixed))
}

/// How much the remaining norm of any column exceeded the pivot's, in units of sqrt(eps), the accuracy of downdated
/// norms.
fn disorder<T: Scalar>(factors: &Matrix<T>, fixed: usize) -> f64 {
    let (m, n, r) = (factors.rows(), factors.cols(), factors.to_double());
    let e = (0..n).map(|j| exponent(&r.col(j)[..m.min(j + 1)])).max().unwrap_or(0);
    let floor = (m as f64).ldexp(T::DTYPE.denormal_exponent() - e);
    let mut most = 0.0;
    for k in fixed..m.min(n) {
        let pivot = r[(k, k)].ldexp(-e).abs();
        for j in k + 1..n {
            let square = |x: &T::Double| x.ldexp(-e).abs().powi(2);
            let left = r.col(j)[k..m.min(j + 1)].iter().map(square).sum::<f64>().sqrt();
            if left.is_nan() || left > pivot + floor {
                most = worst(most, (left - pivot) / (T::DTYPE.eps().sqrt() * pivot));
            }
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_columns_are_exchanged_as_lapack_does() {
        assert_eq!(chosen_first(&[0, 1, 0, 1]), (vec![2, 4, 3, 1], 2));
        assert_eq!(chosen_first(&[0, 0]), (vec![1, 2], 0));
    }

    #[test]
    fn disorder_shows() {
        let r = |values: [f64; 4]| Matrix::<f64>::from_fn(2, 2, |i, j| values[2 * j + i]);
        assert_eq!(disorder(&r([2.0, 0.5, 1.0, 1.0]), 0), 0.0);
        assert!(disorder(&r([2.0, 0.5, 1.8, 1.0]), 0) > 1e6);
        assert_eq!(disorder(&r([2.0, 0.5, 1.8, 1.0]), 1), 0.0);
        assert!(disorder(&r([0.0, 0.0, 0.0, 1.0]), 0) > 1e6);
    }
}
