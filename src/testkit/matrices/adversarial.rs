//! The classes with which public QR contests and vendors' stress tests break implementations.

use super::spectrum;
use crate::scalar::Field;
use crate::{Matrix, Rng};

/// The product of random m x r and r x n factors.
pub fn rank_deficient<F: Field>(m: usize, n: usize, rng: &mut Rng) -> Matrix<F> {
    let rank = (m.min(n) * 3).div_ceil(4);
    let left = Matrix::from_fn(m, rank, |_, _| F::normal(rng));
    left.times(&Matrix::from_fn(rank, n, |_, _| F::normal(rng)))
}

/// Half of the singular values within a factor 1 +- eps of 1, the other half of sqrt(eps).
pub fn clustered<F: Field>(m: usize, n: usize, eps: f64, rng: &mut Rng) -> Matrix<F> {
    let k = m.min(n);
    let center = |i: usize| if 2 * i < k { 1.0 } else { eps.sqrt() };
    let values: Vec<f64> = (0..k).map(|i| center(i) * (1.0 + eps * rng.uniform())).collect();
    spectrum::with_singular_values(m, n, &values, rng)
}

/// Normal on three diagonals.
pub fn banded<F: Field>(m: usize, n: usize, rng: &mut Rng) -> Matrix<F> {
    Matrix::from_fn(m, n, |i, j| if i.abs_diff(j) <= 1 { F::normal(rng) } else { F::ZERO })
}

/// Row i is scaled by eps^(i/(m-1)), and the rows are in random order.
pub fn row_scaled<F: Field>(m: usize, n: usize, eps: f64, rng: &mut Rng) -> Matrix<F> {
    let order = rng.permutation(m);
    let scale: Vec<f64> = order.into_iter().map(|i| eps.powf(i as f64 / (m.max(2) - 1) as f64)).collect();
    Matrix::from_fn(m, n, |i, _| F::normal(rng).scale(scale[i]))
}

/// Every column is the same vector, perturbed by 100 eps.
pub fn near_collinear<F: Field>(m: usize, n: usize, eps: f64, rng: &mut Rng) -> Matrix<F> {
    let common: Vec<F> = (0..m).map(|_| F::normal(rng)).collect();
    Matrix::from_fn(m, n, |i, _| common[i] + F::normal(rng).scale(100.0 * eps))
}

/// The last quarter of the singular values near eps, the others between 1/2 and 1.
pub fn near_rank<F: Field>(m: usize, n: usize, eps: f64, rng: &mut Rng) -> Matrix<F> {
    let k = m.min(n);
    let values: Vec<f64> =
        (0..k).map(|i| if 4 * i < 3 * k { 0.75 + 0.25 * rng.uniform() } else { eps * (1.0 + rng.uniform()) }).collect();
    spectrum::with_singular_values(m, n, &values, rng)
}

/// Normal on and above the diagonal: the condition number grows exponentially with the size.
pub fn random_upper<F: Field>(m: usize, n: usize, rng: &mut Rng) -> Matrix<F> {
    Matrix::from_fn(m, n, |i, j| if i <= j { F::normal(rng) } else { F::ZERO })
}

/// Columns of kind j mod 5: random, zero, a copy of column 0, random times `small`, a unit vector.
pub fn mixed<F: Field>(m: usize, n: usize, small: f64, rng: &mut Rng) -> Matrix<F> {
    let mut a = Matrix::from_fn(m, n, |_, _| F::normal(rng));
    for j in 0..n {
        match j % 5 {
            1 => a.scale_col(j, 0.0),
            2 => {
                let copy = a.col(0).to_vec();
                a.col_mut(j).copy_from_slice(&copy);
            }
            3 => a.scale_col(j, small),
            4 => {
                a.scale_col(j, 0.0);
                a[(j % m, j)] = F::ONE;
            }
            _ => {}
        }
    }
    a
}
