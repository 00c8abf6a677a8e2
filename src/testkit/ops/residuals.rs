//! Test ratios of LU factorisations and of the operations that use them, measured in double precision. A ratio below
//! [`crate::ratios::Ratios::THRESHOLD`] passes, as in LAPACK's tests. A NaN in a result makes its ratio NaN.

use super::Trans;
use super::lu::integers;
use super::measure::{minus, near_one, norm1, quotient_or_zero, transposed};
use crate::scalar::{Field, Scalar, worst};
use crate::{Matrix, ratios};

/// Exchanges row j with row ipiv[j] (counted from 1) for each j in ascending order, or descending if `backwards`.
pub fn exchange<F: Copy>(a: &mut Matrix<F>, ipiv: &[usize], backwards: bool) {
    let exchange = |(j, &other): (usize, &usize)| {
        for column in 0..a.cols() {
            a.col_mut(column).swap(j, other - 1);
        }
    };
    if backwards {
        ipiv.iter().enumerate().rev().for_each(exchange)
    } else {
        ipiv.iter().enumerate().for_each(exchange)
    }
}

/// The product L U of the factors that `getrf` leaves.
pub fn product<F: Field>(factors: &Matrix<F>) -> Matrix<F> {
    let (m, n) = (factors.rows(), factors.cols());
    let k = m.min(n);
    let lower = Matrix::from_fn(m, k, |i, j| match i.cmp(&j) {
        std::cmp::Ordering::Less => F::ZERO,
        std::cmp::Ordering::Equal => F::ONE,
        std::cmp::Ordering::Greater => factors[(i, j)],
    });
    lower.times(&Matrix::from_fn(k, n, |i, j| if i <= j { factors[(i, j)] } else { F::ZERO }))
}

/// P L U, the matrix that was factored, from its factors and interchanges (none if `ipiv` has no rows).
pub fn factored<T: Scalar>(factors: &Matrix<T>, ipiv: &Matrix<T>) -> Matrix<T::Double> {
    let mut a = product(&factors.to_double());
    exchange(&mut a, &integers(ipiv), true);
    a
}

/// ||A - P L U||_1 / (n ||A||_1 eps), LAPACK's `?get01`.
pub fn factorisation<T: Scalar>(a: &Matrix<T>, factors: &Matrix<T>, ipiv: &Matrix<T>) -> f64 {
    if integers(ipiv).iter().enumerate().any(|(j, &other)| other <= j || other > a.rows()) {
        return f64::INFINITY;
    }
    // L is invariant to the scale of A, so only U is scaled.
    let (wide, e) = (a.to_double(), ratios::exponent(a.to_double().data()));
    let scaled = |i, j, x: T::Double| if i <= j { x.ldexp(-e) } else { x };
    let factors = Matrix::from_fn(a.rows(), a.cols(), |i, j| T::from_double(scaled(i, j, factors[(i, j)].to_double())));
    let a = near_one(&wide, e);
    quotient_or_zero(norm1(&minus(&a, &factored(&factors, ipiv))), a.cols() as f64 * norm1(&a) * T::DTYPE.eps())
}

/// Both factors scaled to near 1, and the exponent e of the factor 2^e by which that divides their product.
fn scaled_factors<F: Field>(a: &Matrix<F>, b: &Matrix<F>) -> (Matrix<F>, Matrix<F>, i32) {
    let (of_a, of_b) = (ratios::exponent(a.data()), ratios::exponent(b.data()));
    (near_one(a, of_a), near_one(b, of_b), of_a.saturating_add(of_b))
}

/// max_j ||B e_j - op(A) X e_j||_1 / (n ||op(A)||_1 ||X e_j||_1 eps), LAPACK's `?get02`.
pub fn solution<T: Scalar>(trans: Trans, a: &Matrix<T::Double>, b: &Matrix<T>, x: &Matrix<T>) -> f64 {
    let (op, x, e) = scaled_factors(&transposed(trans, a), &x.to_double());
    let residual = minus(&near_one(&b.to_double(), e), &op.times(&x));
    let scale = a.rows() as f64 * norm1(&op) * T::DTYPE.eps();
    let sum = |m: &Matrix<T::Double>, j: usize| m.col(j).iter().map(|x| x.abs()).sum::<f64>();
    (0..x.cols()).map(|j| quotient_or_zero(sum(&residual, j), scale * sum(&x, j))).fold(0.0, worst)
}

/// ||I - A C||_1 / (n ||A||_1 ||C||_1 eps), LAPACK's `?pot03`. (`?get03` measures I - C A.)
pub fn inverse<T: Scalar>(a: &Matrix<T::Double>, c: &Matrix<T>) -> f64 {
    let n = a.rows();
    let (a, c, e) = scaled_factors(a, &c.to_double());
    let eye =
        Matrix::from_fn(n, n, |i, j| if i == j { <T as Scalar>::Double::ONE } else { <T as Scalar>::Double::ZERO });
    let residual = minus(&near_one(&eye, e), &a.times(&c));
    quotient_or_zero(norm1(&residual), n as f64 * norm1(&a) * norm1(&c) * T::DTYPE.eps())
}

/// The factors and interchanges of a square matrix, computed in double precision and rounded to the type.
pub fn reference<T: Scalar>(a: &Matrix<T>, pivoting: bool) -> (Matrix<T>, Vec<usize>) {
    let (mut a, n) = (a.to_double(), a.rows());
    let mut ipiv = vec![];
    for c in 0..n {
        let size = |i: usize| a[(i, c)].re().abs() + a[(i, c)].im().abs();
        let pivot = (c..n).fold(c, |best, i| if pivoting && size(i) > size(best) { i } else { best });
        ipiv.push(pivot + 1);
        (0..n).for_each(|j| a.col_mut(j).swap(c, pivot));
        for i in c + 1..n {
            let l = a[(i, c)] * a[(c, c)].conj().scale(a[(c, c)].abs().powi(-2));
            a[(i, c)] = l;
            for j in c + 1..n {
                let u = a[(c, j)];
                a[(i, j)] -= l * u;
            }
        }
    }
    (Matrix::from_double(&a), ipiv)
}

/// How many times more than n, at least once, the elements grow during LU with partial pivoting: the errors of
/// solutions and inverses grow likewise. On all but matrices made for it, it is 1.
pub fn growth<T: Scalar>(a: &Matrix<T>) -> f64 {
    let wide = near_one(&a.to_double(), ratios::exponent(a.to_double().data()));
    let (factors, _) = reference(&Matrix::<T>::from_double(&wide), true);
    let largest = |x: &Matrix<T::Double>, counts: fn(usize, usize) -> bool| {
        let places = (0..x.cols()).flat_map(|j| (0..x.rows()).map(move |i| (i, j)));
        places.filter(|&(i, j)| counts(i, j)).map(|at| x[at].abs()).fold(0.0, f64::max)
    };
    let growth = largest(&factors.to_double(), |i, j| i <= j) / largest(&wide, |_, _| true);
    let beyond = growth / a.rows() as f64;
    if beyond.is_finite() { beyond.max(1.0) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrices::Class;
    use crate::ops::lu::from_integers;
    use crate::ops::q::random;
    use crate::{C32, C64};

    const THRESHOLD: f64 = ratios::Ratios::THRESHOLD;

    #[test]
    fn wrong_factors_and_pivots_are_seen() {
        let a = &random::<C32>(Class::Uniform, 9, 9, 1, 3)[0];
        let (factors, ipiv) = reference(a, true);
        let right: Matrix<C32> = from_integers(ipiv.iter().copied());
        assert!(factorisation(a, &factors, &right) < 5.0);
        let mut other = ipiv.clone();
        let at = (0..8).find(|&j| ipiv[j] != 9).unwrap();
        other[at] = 9;
        assert!(factorisation(a, &factors, &from_integers(other.iter().copied())) > THRESHOLD);
        other[at] = 10;
        assert!(factorisation(a, &factors, &from_integers(other)).is_infinite());
        let mut wrong = factors.clone();
        wrong[(8, 2)] *= 1.001;
        assert!(factorisation(a, &wrong, &right) > THRESHOLD);
        wrong[(8, 2)] = C32::POISON;
        assert!(factorisation(a, &wrong, &right).is_nan());
    }

    #[test]
    fn only_matrices_made_for_it_grow() {
        for n in [1, 8, 32] {
            assert_eq!(growth(&random::<f64>(Class::Uniform, n, n, 1, 3)[0]), 1.0);
            assert_eq!(growth(&random::<f32>(Class::Zero, n, n, 1, 3)[0]), 1.0);
        }
        assert_eq!(growth(&random::<f64>(Class::Growth, 16, 16, 1, 3)[0]), f64::powi(2.0, 15 - 4));
    }

    #[test]
    fn wrong_solutions_and_inverses_are_seen() {
        let a = &random::<C64>(Class::Cond2, 7, 7, 1, 3)[0];
        let eye = Matrix::from_fn(7, 7, |i, j| if i == j { C64::ONE } else { C64::ZERO });
        let (factors, ipiv) = reference(a, true);
        // The inverse column by column, by the definition of the factors.
        let mut c = eye.clone();
        exchange(&mut c, &ipiv, false);
        for column in 0..7 {
            for i in 0..7 {
                (0..i).for_each(|k| {
                    let x = factors[(i, k)] * c[(k, column)];
                    c[(i, column)] -= x;
                });
            }
            for i in (0..7).rev() {
                (i + 1..7).for_each(|k| {
                    let x = factors[(i, k)] * c[(k, column)];
                    c[(i, column)] -= x;
                });
                c[(i, column)] /= factors[(i, i)];
            }
        }
        assert!(inverse(a, &c) < 5.0 && solution(Trans::N, a, &eye, &c) < 5.0);
        assert!(solution(Trans::T, a, &eye, &c) > THRESHOLD);
        let adjoint = c.adjoint();
        assert!(solution(Trans::C, a, &eye, &adjoint) < 5.0 && solution(Trans::T, a, &eye, &adjoint) > THRESHOLD);
        c[(6, 0)] += 1e-12;
        assert!(inverse(a, &c) > THRESHOLD && solution(Trans::N, a, &eye, &c) > THRESHOLD);
    }
}
