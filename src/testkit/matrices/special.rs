//! Named matrices, and structures at the limits of the number range.

use crate::scalar::Field;
use crate::{Matrix, Rng};

pub fn hilbert<F: Field>(m: usize, n: usize) -> Matrix<F> {
    Matrix::from_fn(m, n, |i, j| F::real(1.0 / (i + j + 1) as f64))
}

/// diag(1, s, s^2, ...) times the unit upper triangular matrix with -c above its diagonal, for the angle 1.2.
pub fn kahan<F: Field>(m: usize, n: usize) -> Matrix<F> {
    let (s, c) = 1.2f64.sin_cos();
    Matrix::from_fn(m, n, |i, j| {
        let row = s.powi(i as i32);
        match i.cmp(&j) {
            std::cmp::Ordering::Less => F::real(-c * row),
            std::cmp::Ordering::Equal => F::real(row),
            std::cmp::Ordering::Greater => F::ZERO,
        }
    })
}

/// Upper Hessenberg with integer elements, of determinant 1 if square; otherwise a part of the matrix of the larger
/// size.
pub fn frank<F: Field>(m: usize, n: usize) -> Matrix<F> {
    let size = m.max(n);
    Matrix::from_fn(m, n, |i, j| if j + 1 >= i { F::real((size - i.max(j)) as f64) } else { F::ZERO })
}

pub fn vandermonde<F: Field>(m: usize, n: usize) -> Matrix<F> {
    Matrix::from_fn(m, n, |i, j| F::real(((i + 1) as f64 / m as f64).powi(j as i32)))
}

pub fn toeplitz<F: Field>(m: usize, n: usize, rng: &mut Rng) -> Matrix<F> {
    let diagonals: Vec<F> = (0..m + n).map(|_| F::uniform(rng)).collect();
    Matrix::from_fn(m, n, |i, j| diagonals[n + i - j])
}

/// 1 on the diagonal and in the last column, -1 below the diagonal.
pub fn growth<F: Field>(m: usize, n: usize) -> Matrix<F> {
    let ones = |i: usize, j: usize| if i == j || j + 1 == n { 1.0 } else { 0.0 };
    Matrix::from_fn(m, n, |i, j| F::real(if i > j && j + 1 < n { -1.0 } else { ones(i, j) }))
}

pub fn zero_columns<F: Field>(m: usize, n: usize, rng: &mut Rng) -> Matrix<F> {
    let mut a = Matrix::from_fn(m, n, |_, _| F::uniform(rng));
    for j in [0, n / 2, n - 1] {
        a.scale_col(j, 0.0);
    }
    a
}

/// Uniform, with column j multiplied by `scales[j mod len]`.
pub fn scaled_columns<F: Field>(m: usize, n: usize, scales: &[f64], rng: &mut Rng) -> Matrix<F> {
    Matrix::from_fn(m, n, |_, j| F::uniform(rng).scale(scales[j % scales.len()]))
}

pub fn diagonal<F: Field>(m: usize, n: usize, value: f64) -> Matrix<F> {
    Matrix::from_fn(m, n, |i, j| if i == j { F::real(value) } else { F::ZERO })
}
