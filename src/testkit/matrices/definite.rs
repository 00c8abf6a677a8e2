//! Hermitian positive definite matrices, and some that barely miss it.

use super::{Class, Range, spectrum};
use crate::scalar::{Field, Scalar};
use crate::{Matrix, Rng};

/// An n x n Hermitian matrix that is positive definite even after rounding to the element type, and as difficult as a
/// class: with the spectrum or scale of the class if it prescribes one, otherwise a Gram matrix of one of its members.
pub fn definite<T: Scalar>(class: Class, n: usize, rng: &mut Rng) -> Matrix<T> {
    let (range, eps) = (Range::of(T::DTYPE), T::DTYPE.eps());
    let small = spectrum::small(T::DTYPE);
    let a: Matrix<T::Double> = match class {
        Class::Diagonal => {
            Matrix::from_fn(n, n, |i, j| T::Double::real(if i == j { 1.0 + i as f64 / n as f64 } else { 0.0 }))
        }
        Class::Identity => Class::Identity.wide(n, n, range, rng),
        Class::Cond2 => with_spectrum(&spectrum::geometric(n, 2.0), rng),
        Class::CondRoot => with_spectrum(&spectrum::geometric(n, (0.1 / eps).sqrt()), rng),
        // A factor n^2 below the condition number at which rounding makes it indefinite.
        Class::CondHigh => with_spectrum(&spectrum::geometric(n, 0.1 / (eps * (n * n).max(1) as f64)), rng),
        Class::Clustered => {
            let values: Vec<f64> = (0..n).map(|i| if 2 * i < n { 1.0 } else { eps.sqrt() }).collect();
            with_spectrum(&values, rng)
        }
        Class::NearUnderflow => super::scaled(with_spectrum(&spectrum::geometric(n, 2.0), rng), small),
        Class::NearOverflow => super::scaled(with_spectrum(&spectrum::geometric(n, 2.0), rng), 1.0 / small),
        Class::RowScaled => {
            let a: Matrix<T::Double> = with_spectrum(&spectrum::geometric(n, 2.0), rng);
            let scale = |i: usize| eps.powf(i as f64 / n as f64);
            Matrix::from_fn(n, n, |i, j| a[(i, j)].scale(scale(i) * scale(j)))
        }
        Class::Banded => Matrix::from_fn(n, n, |i, j| {
            T::Double::real(match i.abs_diff(j) {
                0 => 2.0,
                1 => -1.0,
                _ => 0.0,
            })
        }),
        Class::Toeplitz => Matrix::from_fn(n, n, |i, j| T::Double::real(0.5f64.powi(i.abs_diff(j) as i32))),
        // A larger block would become indefinite when rounded.
        Class::Hilbert => {
            let block = if T::DTYPE.is_double() { 10 } else { 4 };
            let near = |i: usize, j: usize| i / block == j / block;
            let of = |i: usize, j: usize| if near(i, j) { 1.0 / (i % block + j % block + 1) as f64 } else { 0.0 };
            Matrix::from_fn(n, n, |i, j| T::Double::real(of(i, j)))
        }
        _ => {
            let g: Matrix<T::Double> = class.wide(n, n, range, rng);
            let gram = g.times(&g.adjoint());
            Matrix::from_fn(n, n, |i, j| if i == j { gram[(i, j)] + T::Double::ONE } else { gram[(i, j)] })
        }
    };
    symmetric(&a)
}

/// A Gram matrix of rank about 3/4 n, whose last pivots are rounding errors.
pub fn semidefinite<T: Scalar>(n: usize, rng: &mut Rng) -> Matrix<T> {
    let g: Matrix<T::Double> = Matrix::from_fn(n, (3 * n).div_ceil(4), |_, _| T::Double::uniform(rng));
    symmetric(&g.times(&g.adjoint()))
}

/// Q diag(values) Q^H with random orthonormal Q.
fn with_spectrum<F: Field>(values: &[f64], rng: &mut Rng) -> Matrix<F> {
    let n = values.len();
    let q: Matrix<F> = spectrum::orthonormal(n, n, rng);
    let mut scaled = q.clone();
    values.iter().enumerate().for_each(|(j, &s)| scaled.scale_col(j, s));
    scaled.times(&q.adjoint())
}

/// Rounds to the element type, Hermitian to the last bit.
fn symmetric<T: Scalar>(a: &Matrix<T::Double>) -> Matrix<T> {
    let of = |i: usize, j: usize| match i.cmp(&j) {
        std::cmp::Ordering::Greater => a[(i, j)],
        std::cmp::Ordering::Equal => T::Double::real(a[(i, i)].re()),
        std::cmp::Ordering::Less => a[(j, i)].conj(),
    };
    Matrix::from_fn(a.rows(), a.cols(), |i, j| T::from_double(of(i, j)))
}
