//! Sums of products computed in twice double precision, and the error that a result may have: element by element, by
//! the standard error bound of BLAS routines.

use super::blas::{RankUpdate, Symmetric};
use super::cholesky::{hermitian, within};
use super::measure::{largest, quotient_or_zero, triangle_of};
use super::residuals::inverse;
use super::solve::Triangular;
use super::{Diag, Side, Trans, Uplo};
use crate::Matrix;
use crate::double_double::ComplexSum;
use crate::ratios::underflow;
use crate::scalar::{Field, Scalar, same_bits, worst};

/// A sum of matrix products, and the same sum of their absolute values.
pub struct Exact<W> {
    value: Matrix<W>,
    bound: Matrix<f64>,
    terms: usize,
}

impl<W: Field> Exact<W> {
    /// An empty sum.
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Exact { value: Matrix::zeros(rows, cols), bound: Matrix::zeros(rows, cols), terms: 2 }
    }

    /// Adds factor * A B.
    pub fn product(mut self, factor: W, a: &Matrix<W>, b: &Matrix<W>) -> Self {
        self.terms += a.cols();
        let value = Matrix::from_fn(a.rows(), b.cols(), |i, j| dot((0..a.cols()).map(|l| (a[(i, l)], b[(l, j)]))));
        self.add(factor, &value, &a.map(|x| x.magnitude()).times(&b.map(|x| x.magnitude())));
        self
    }

    /// Adds factor * A.
    pub fn plus(mut self, factor: W, a: &Matrix<W>) -> Self {
        self.terms += 1;
        self.add(factor, a, &a.map(|x| x.magnitude()));
        self
    }

    fn add(&mut self, factor: W, value: &Matrix<W>, bound: &Matrix<f64>) {
        let size = factor.abs();
        let (rows, cols) = (value.rows(), value.cols());
        assert_eq!((self.value.rows(), self.value.cols()), (rows, cols));
        self.value = Matrix::from_fn(rows, cols, |i, j| self.value[(i, j)] + factor * value[(i, j)]);
        self.bound = Matrix::from_fn(rows, cols, |i, j| self.bound[(i, j)] + size * bound[(i, j)]);
    }

    /// The largest |got - value| / (terms * (bound * eps + the smallest denormal number)) over the elements that count.
    /// Where the bound is beyond the largest number, any result is right.
    pub fn ratio<T: Scalar<Double = W>>(&self, got: &Matrix<T>, counts: impl Fn(usize, usize) -> bool) -> f64 {
        let (scale, lost) = (self.terms as f64 * T::DTYPE.eps(), underflow::<T>(self.terms, 0));
        let one = |i, j| {
            if self.bound[(i, j)] >= largest::<T>() {
                return 0.0;
            }
            let error = (got[(i, j)].to_double() - self.value[(i, j)]).magnitude();
            quotient_or_zero(error, scale * self.bound[(i, j)] + lost)
        };
        let places = (0..got.cols()).flat_map(|j| (0..got.rows()).map(move |i| (i, j)));
        places.filter(|&(i, j)| counts(i, j)).map(|(i, j)| one(i, j)).fold(0.0, worst)
    }
}

/// Accumulates a sum of products in twice double precision and rounds it once.
fn dot<W: Field>(terms: impl Iterator<Item = (W, W)>) -> W {
    let mut sum = ComplexSum::default();
    for (x, y) in terms {
        sum.add_product(x, y);
    }
    W::parts(sum.re.rounded(), sum.im.rounded())
}

/// The ratio of alpha op(A) B or alpha B op(A) with a triangular A.
pub fn multiplied<T: Scalar>(how: Triangular, alpha: T, a: &Matrix<T>, b: &Matrix<T>, got: &Matrix<T>) -> f64 {
    let (a, b) = (op(how.trans, &triangle_of(&a.to_double(), how)), b.to_double());
    let zeros = Exact::zeros(got.rows(), got.cols());
    let exact = match how.side {
        Side::Left => zeros.product(alpha.to_double(), &a, &b),
        Side::Right => zeros.product(alpha.to_double(), &b, &a),
    };
    exact.ratio(got, |_, _| true)
}

/// The ratio of alpha A B + beta C or alpha B A + beta C with a symmetric or Hermitian A. With alpha = 0, A and B do not
/// count, with beta = 0 C does not.
pub fn symmetric_product<T: Scalar>(
    how: Symmetric,
    factors: [T; 2],
    [a, b, c]: [&Matrix<T>; 3],
    got: &Matrix<T>,
) -> f64 {
    let [alpha, beta] = factors.map(Scalar::to_double);
    let mut exact = Exact::zeros(got.rows(), got.cols());
    if alpha.abs() != 0.0 {
        let (a, b) = (a.to_double(), b.to_double());
        let mirrored = |i, j| if within(how.uplo, i, j) { a[(i, j)] } else { a[(j, i)] };
        let a = if how.hermitian { hermitian(how.uplo, &a) } else { Matrix::from_fn(a.rows(), a.cols(), mirrored) };
        exact = match how.side {
            Side::Left => exact.product(alpha, &a, &b),
            Side::Right => exact.product(alpha, &b, &a),
        };
    }
    if beta.abs() != 0.0 {
        exact = exact.plus(beta, &c.to_double());
    }
    exact.ratio(got, |_, _| true)
}

/// The ratio of a symmetric or Hermitian update with these factors (if Hermitian, beta must be real, and without B
/// alpha too); infinite if the diagonal of a Hermitian result is not real.
pub fn ranked<T: Scalar>(
    how: RankUpdate,
    factors: [T; 2],
    (a, b): (&Matrix<T>, Option<&Matrix<T>>),
    c: &Matrix<T>,
    got: &Matrix<T>,
) -> f64 {
    let counts = |i, j| i == j || (i < j) == (how.uplo == Uplo::Upper);
    let ([alpha, beta], n) = (factors.map(Scalar::to_double), c.rows());
    let adjoint = |x: &Matrix<T::Double>| op(if how.hermitian { Trans::C } else { Trans::T }, x);
    let before = Matrix::from_fn(n, n, |i, j| match counts(i, j) {
        true if how.hermitian && i == j => <T as Scalar>::Double::real(c[(i, j)].to_double().re()),
        true => c[(i, j)].to_double(),
        false => <T as Scalar>::Double::ZERO,
    });
    let (a, b) = (op(how.trans, &a.to_double()), b.map(|b| op(how.trans, &b.to_double())));
    let exact = Exact::zeros(n, n).plus(beta, &before);
    let exact = match &b {
        None => exact.product(alpha, &a, &adjoint(&a)),
        Some(b) => {
            let turned = if how.hermitian { alpha.conj() } else { alpha };
            exact.product(alpha, &a, &adjoint(b)).product(turned, b, &adjoint(&a))
        }
    };
    let real = !how.hermitian || (0..n).all(|i| got[(i, i)].to_double().im() == 0.0);
    if real { exact.ratio(got, counts) } else { f64::INFINITY }
}

/// The ratio of the inverse of a triangle; infinite if a unit diagonal was written.
pub fn inverted<T: Scalar>(how: Triangular, a: &Matrix<T>, got: &Matrix<T>) -> f64 {
    let diagonal = |x: &Matrix<T>| (0..x.rows()).map(|i| x[(i, i)]).collect::<Vec<_>>();
    if how.diag == Diag::Unit && !same_bits(&diagonal(a), &diagonal(got)) {
        return f64::INFINITY;
    }
    let full = |x: &Matrix<T>| triangle_of(&x.to_double(), how);
    inverse::<T>(&full(a), &full(got).map(T::from_double))
}

/// op(X) for a [`Trans`].
pub fn op<F: Field>(trans: Trans, x: &Matrix<F>) -> Matrix<F> {
    super::measure::transposed(trans, x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_that_cancel_are_exact() {
        let terms = [(1e8 + 1.0, 1e8 - 1.0), (1e8, -1e8), (3.0, 1e-3)];
        assert_eq!(dot(terms.into_iter()), -1.0 + 3e-3);
    }

    #[test]
    fn roundings_to_denormal_numbers_and_overflows_are_no_errors() {
        let one = |x: f64| Matrix::from_fn(1, 1, |_, _| x);
        let ratio = |x: f64, y: f64, got: f32| {
            Exact::zeros(1, 1).product(1.0, &one(x), &one(y)).ratio(&Matrix::from_fn(1, 1, |_, _| got), |_, _| true)
        };
        assert!(ratio(1.3e-41, 0.7, (1.3e-41 * 0.7) as f32) < 1.0);
        assert!(ratio(1.3e-41, 0.7, 2e-41) > 100.0);
        assert_eq!(ratio(1e30, 1e30, f32::INFINITY), 0.0);
    }

    #[test]
    fn a_wrong_element_is_seen() {
        let a = Matrix::from_fn(3, 2, |i, j| (1 + i + 2 * j) as f64);
        let b = Matrix::from_fn(2, 3, |i, j| (i as f64) - (j as f64));
        let exact = Exact::zeros(3, 3).product(2.0, &a, &b).plus(-1.0, &Matrix::from_fn(3, 3, |_, _| 1.0));
        let mut got = Matrix::from_fn(3, 3, |i, j| 2.0 * (a[(i, 0)] * b[(0, j)] + a[(i, 1)] * b[(1, j)]) - 1.0);
        assert_eq!(exact.ratio(&got, |_, _| true), 0.0);
        got[(2, 1)] += 1e-12;
        assert!(exact.ratio(&got, |_, _| true) > 100.0);
        assert_eq!(exact.ratio(&got, |i, j| i <= j), 0.0);
        got[(0, 0)] = f64::NAN;
        assert!(exact.ratio(&got, |i, j| i <= j).is_nan());
    }
}
