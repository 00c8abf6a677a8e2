//! Matrices with prescribed singular values, made like LAPACK's `?latms` (mode 3: a geometric sequence from 1 down to 1
//! / condition), and the norms that `?latb4` gives the scaled types.

use crate::scalar::Field;
use crate::{Dtype, Matrix, Rng, householder};

/// `?latb4`'s SMALL: a quarter of the smallest normal number over eps. Its LARGE is 1 / SMALL.
pub fn small(dtype: Dtype) -> f64 {
    0.25 * (dtype.safe_min() / dtype.eps())
}

pub fn geometric(k: usize, condition: f64) -> Vec<f64> {
    (0..k).map(|i| if k == 1 { 1.0 } else { condition.powf(-(i as f64) / (k - 1) as f64) }).collect()
}

/// A random matrix with orthonormal columns: the Q of a normally distributed matrix.
pub fn orthonormal<F: Field>(m: usize, k: usize, rng: &mut Rng) -> Matrix<F> {
    let mut a = Matrix::from_fn(m, k, |_, _| F::normal(rng));
    let tau = householder::factor(&mut a);
    householder::thin_q(&a, &tau)
}

/// U diag(values) V^H with random orthonormal U (m x k) and V (n x k).
pub fn with_singular_values<F: Field>(m: usize, n: usize, values: &[f64], rng: &mut Rng) -> Matrix<F> {
    let mut u: Matrix<F> = orthonormal(m, values.len(), rng);
    for (j, &s) in values.iter().enumerate() {
        u.scale_col(j, s);
    }
    u.times(&orthonormal(n, values.len(), rng).adjoint())
}

/// Types 4 to 8.
pub fn random<F: Field>(m: usize, n: usize, condition: f64, rng: &mut Rng) -> Matrix<F> {
    with_singular_values(m, n, &geometric(m.min(n), condition), rng)
}

/// Type 2 (and, transposed, type 3): the R of a random matrix of that condition.
pub fn upper<F: Field>(m: usize, n: usize, condition: f64, rng: &mut Rng) -> Matrix<F> {
    let mut a: Matrix<F> = random(m, n, condition, rng);
    householder::factor(&mut a);
    Matrix::from_fn(m, n, |i, j| if i <= j { a[(i, j)] } else { F::ZERO })
}

/// Type 1: the singular values with random signs, or phases if complex.
pub fn diagonal<F: Field>(m: usize, n: usize, condition: f64, rng: &mut Rng) -> Matrix<F> {
    let values = geometric(m.min(n), condition);
    let mut a = Matrix::zeros(m, n);
    for (i, s) in values.into_iter().enumerate() {
        let phase = F::normal(rng);
        a[(i, i)] = phase.scale(s / phase.abs());
    }
    a
}
