//! Matrices for the Cholesky tests: one triangle, and in place of the other one numbers that the library must not
//! touch.

use tephra_testkit::engine::{Leftover, Member};
use tephra_testkit::matrices::{Class, definite};
use tephra_testkit::ops::Uplo;
use tephra_testkit::ops::cholesky::{factorisation, other_triangle_unchanged, reference, triangle};
use tephra_testkit::ratios::Ratios;
use tephra_testkit::scalar::Field;
use tephra_testkit::{Matrix, Rng, Scalar};

/// Both triangles.
pub const UPLO: [Uplo; 2] = [Uplo::Lower, Uplo::Upper];

/// Both sides of the edges of packs, of blocks, and of pairs of blocks of equal and of different order.
pub const ORDERS: [usize; 20] = [1, 2, 3, 4, 5, 8, 15, 16, 17, 31, 32, 33, 48, 64, 65, 100, 130, 150, 200, 220];

/// The parameters of most routines.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub uplo: Uplo,
    pub n: usize,
    pub nrhs: usize,
}

pub fn cases(orders: &[usize], columns: &[usize]) -> Vec<Case> {
    let of = |uplo| move |&n: &usize| columns.iter().map(move |&nrhs| Case { uplo, n, nrhs });
    UPLO.into_iter().flat_map(|uplo| orders.iter().flat_map(of(uplo))).collect()
}

/// A real number as an element.
pub fn real<T: Scalar>(x: f64) -> T {
    T::from_double(<T as Scalar>::Double::real(x))
}

/// The triangle of a matrix, with other numbers in place of the rest.
pub fn half<T: Scalar>(uplo: Uplo, a: &Matrix<T>) -> Matrix<T> {
    triangle(uplo, a, |i, j| real(100.0 + (3 * i + j) as f64))
}

/// Triangles of positive definite matrices of a class.
pub fn inputs<T: Scalar>(class: Class, uplo: Uplo, n: usize, batch: usize, seed: u64) -> Vec<Matrix<T>> {
    let mut rng = Rng::new(seed);
    (0..batch).map(|_| half(uplo, &definite(class, n, &mut rng))).collect()
}

/// The factors of such matrices.
pub fn factors<T: Scalar>(uplo: Uplo, n: usize, batch: usize, seed: u64) -> Vec<Matrix<T>> {
    inputs::<T>(Class::Cond2, uplo, n, batch, seed).iter().map(|a| reference(uplo, a)).collect()
}

/// The promise about a matrix that is not positive definite after a factorisation.
pub fn unfinished<T: Scalar>(uplo: Uplo, member: &Member<T>) -> Leftover {
    let (given, got, last) = (&member.given[0], &member.got[0], member.code as usize - 1);
    let minor = |a: &Matrix<T>| Matrix::from_fn(last, last, |i, j| a[(i, j)]);
    let factored = last == 0 || factorisation(uplo, &minor(given), &minor(got)) < Ratios::THRESHOLD;
    let pivot = got[(last, last)].to_double().re();
    let definite = pivot > 0.0; // a NaN is not
    Leftover::stated(
        "A",
        "the minor's factor, and the pivot",
        factored && !definite && other_triangle_unchanged(uplo, given, got),
    )
}
