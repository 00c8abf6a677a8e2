//! Matrices for the LU tests.

use tephra_testkit::engine::{Leftover, Spot};
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::lu::{from_integers, integers};
use tephra_testkit::ops::q::random;
use tephra_testkit::ops::residuals::reference;
use tephra_testkit::scalar::Field;
use tephra_testkit::{Matrix, Rng, Scalar};

/// A real number as an element.
pub fn real<T: Scalar>(x: f64) -> T {
    T::from_double(<T as Scalar>::Double::real(x))
}

/// The promise that all interchanges of a matrix with m rows were written.
pub fn all_interchanges<T: Scalar>(m: usize, ipiv: &Matrix<T>) -> Leftover {
    Leftover::stated("ipiv", "all of them", integers(ipiv).iter().enumerate().all(|(j, i)| (j + 1..=m).contains(i)))
}

/// A NaN at this element. (Dividing by an infinity would hide it.)
pub fn nan(operand: usize, at: (usize, usize)) -> Spot {
    Spot { operand, at, values: &[f64::NAN] }
}

/// Matrices of a class. Those to be factored without pivoting have a diagonal that outweighs their columns.
pub fn inputs<T: Scalar>(
    class: Class,
    (m, n): (usize, usize),
    pivoting: bool,
    batch: usize,
    seed: u64,
) -> Vec<Matrix<T>> {
    let mut all = random::<T>(class, m, n, batch, seed);
    for a in all.iter_mut().filter(|_| !pivoting) {
        for j in 0..m.min(n) {
            let sum: f64 = a.col(j).iter().map(|x| x.to_double().abs()).sum();
            a[(j, j)] = T::from_double(a[(j, j)].to_double() + <T as Scalar>::Double::real(2.0 * sum));
        }
    }
    all
}

/// Factors and interchanges of such matrices of order n.
pub fn factors<T: Scalar>(n: usize, pivoting: bool, batch: usize, seed: u64) -> (Vec<Matrix<T>>, Vec<Matrix<T>>) {
    let of = |a: &Matrix<T>| {
        let (factors, ipiv) = reference(a, pivoting);
        (factors, from_integers(ipiv))
    };
    inputs::<T>(Class::Cond2, (n, n), pivoting, batch, seed).iter().map(of).unzip()
}

/// P L U with |l| <= 1/2 below the diagonal of L, so that rounding cannot change the choice of pivots.
pub fn well_separated<T: Scalar>(m: usize, n: usize, rng: &mut Rng) -> Matrix<T> {
    type F<T> = <T as Scalar>::Double;
    let k = m.min(n);
    // Small enough that both triangles are well-conditioned.
    let small = (k as f64).powf(-0.75).min(0.3);
    let lower = Matrix::from_fn(m, k, |i, j| match i.cmp(&j) {
        std::cmp::Ordering::Less => F::<T>::ZERO,
        std::cmp::Ordering::Equal => F::<T>::ONE,
        std::cmp::Ordering::Greater => F::<T>::uniform(rng).scale(small),
    });
    let upper = Matrix::from_fn(k, n, |i, j| match i.cmp(&j) {
        std::cmp::Ordering::Less => F::<T>::uniform(rng).scale(small),
        std::cmp::Ordering::Equal => F::<T>::real(1.0 + rng.uniform().abs()),
        std::cmp::Ordering::Greater => F::<T>::ZERO,
    });
    let (product, order) = (lower.times(&upper), rng.permutation(m));
    Matrix::from_fn(m, n, |i, j| T::from_double(product[(order[i], j)]))
}
