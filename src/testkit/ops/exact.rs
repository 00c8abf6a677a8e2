//! What sums of products are, in double precision, and how far from it a result may be: element by element, as the usual
//! bound of BLAS routines has it.

use super::measure::over;
use crate::scalar::{Field, Scalar, worst};
use crate::{Matrix, ops::Trans};

/// A sum of products of matrices, and the same of their absolute values.
pub struct Exact<W> {
    value: Matrix<W>,
    bound: Matrix<f64>,
    terms: usize,
}

impl<W: Field> Exact<W> {
    /// Nothing yet.
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Exact { value: Matrix::zeros(rows, cols), bound: Matrix::zeros(rows, cols), terms: 2 }
    }

    /// Adds factor A B.
    pub fn product(mut self, factor: W, a: &Matrix<W>, b: &Matrix<W>) -> Self {
        self.terms += a.cols();
        self.add(factor, &a.times(b), &a.map(|x| x.abs()).times(&b.map(|x| x.abs())));
        self
    }

    /// Adds factor A.
    pub fn plus(mut self, factor: W, a: &Matrix<W>) -> Self {
        self.terms += 1;
        self.add(factor, a, &a.map(|x| x.abs()));
        self
    }

    fn add(&mut self, factor: W, value: &Matrix<W>, bound: &Matrix<f64>) {
        let size = factor.abs();
        let (rows, cols) = (value.rows(), value.cols());
        assert_eq!((self.value.rows(), self.value.cols()), (rows, cols));
        self.value = Matrix::from_fn(rows, cols, |i, j| self.value[(i, j)] + factor * value[(i, j)]);
        self.bound = Matrix::from_fn(rows, cols, |i, j| self.bound[(i, j)] + size * bound[(i, j)]);
    }

    /// The largest |got - this| / (terms bound eps) of the elements that count.
    pub fn ratio<T: Scalar<Wide = W>>(&self, got: &Matrix<T>, counts: impl Fn(usize, usize) -> bool) -> f64 {
        let scale = self.terms as f64 * T::DTYPE.eps();
        let one = |i, j| over((got[(i, j)].wide() - self.value[(i, j)]).abs(), scale * self.bound[(i, j)]);
        let places = (0..got.cols()).flat_map(|j| (0..got.rows()).map(move |i| (i, j)));
        places.filter(|&(i, j)| counts(i, j)).map(|(i, j)| one(i, j)).fold(0.0, worst)
    }
}

/// op(X) by [`Trans`].
pub fn op<F: Field>(trans: Trans, x: &Matrix<F>) -> Matrix<F> {
    super::measure::transposed(trans, x)
}

#[cfg(test)]
mod tests {
    use super::*;

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
