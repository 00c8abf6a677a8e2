//! Calls of the Cholesky routines, their test ratios (LAPACK's `?pot01`, `?pot02`, `?pot03`), and helpers for the two
//! triangles of a Hermitian matrix. A ratio below [`crate::ratios::Ratios::THRESHOLD`] passes; a NaN in a result makes
//! its ratio NaN.

use super::call::Call;
use super::measure::{minus, near_one, norm1, quotient_or_zero};
use super::residuals::{inverse, solution};
use super::{EntryForm, Prepared, Trans, Uplo};
use crate::guarded::Placement;
use crate::qr::Session;
use crate::scalar::{Field, Scalar};
use crate::signatures;
use crate::{Matrix, Result, ratios};

/// `?potrf`; writes A.
pub fn potrf<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    uplo: Uplo,
    a: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    Call::of(&signatures::POTRF, &[("uplo", uplo.cblas().into())]).given("A", a).prepare(session, form, place)
}

/// `?potri`; overwrites the factors.
pub fn potri<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    uplo: Uplo,
    factors: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    Call::of(&signatures::POTRI, &[("uplo", uplo.cblas().into())]).given("A", factors).prepare(session, form, place)
}

/// `?potrs`; writes B.
pub fn potrs<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    uplo: Uplo,
    factors: &[Matrix<T>],
    b: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    Call::of(&signatures::POTRS, &[("uplo", uplo.cblas().into())])
        .given("A", factors)
        .given("B", b)
        .prepare(session, form, place)
}

/// `?posv`; writes A and B.
pub fn posv<'a, T: Scalar>(
    session: &'a Session,
    form: EntryForm,
    uplo: Uplo,
    a: &[Matrix<T>],
    b: &[Matrix<T>],
    place: &Placement,
) -> Result<Prepared<'a, T>> {
    Call::of(&signatures::POSV, &[("uplo", uplo.cblas().into())])
        .given("A", a)
        .given("B", b)
        .prepare(session, form, place)
}

/// Whether an element belongs to the triangle, diagonal included.
pub fn within(uplo: Uplo, i: usize, j: usize) -> bool {
    i == j || (i > j) == (uplo == Uplo::Lower)
}

/// The Hermitian matrix that the triangle stands for, with a real diagonal.
pub fn hermitian<F: Field>(uplo: Uplo, a: &Matrix<F>) -> Matrix<F> {
    Matrix::from_fn(a.rows(), a.cols(), |i, j| match (i == j, within(uplo, i, j)) {
        (true, _) => F::real(a[(i, i)].re()),
        (_, true) => a[(i, j)],
        _ => a[(j, i)].conj(),
    })
}

/// The triangle of a matrix, with values from `rest` in the other elements, which the library must neither read nor
/// write.
pub fn triangle<T: Scalar>(uplo: Uplo, a: &Matrix<T>, rest: impl Fn(usize, usize) -> T) -> Matrix<T> {
    Matrix::from_fn(a.rows(), a.cols(), |i, j| if within(uplo, i, j) { a[(i, j)] } else { rest(i, j) })
}

/// The lower factor L, whether the triangle stores L or L^H.
pub fn lower<F: Field>(uplo: Uplo, factor: &Matrix<F>) -> Matrix<F> {
    let of = |i, j| if uplo == Uplo::Lower { factor[(i, j)] } else { factor[(j, i)].conj() };
    Matrix::from_fn(factor.rows(), factor.cols(), |i, j| if i >= j { of(i, j) } else { F::ZERO })
}

/// L L^H.
pub fn product<F: Field>(uplo: Uplo, factor: &Matrix<F>) -> Matrix<F> {
    let l = lower(uplo, factor);
    l.times(&l.adjoint())
}

/// Whether the other triangle is unchanged, to the last bit.
pub fn other_triangle_unchanged<T: Scalar>(uplo: Uplo, before: &Matrix<T>, after: &Matrix<T>) -> bool {
    let rest = |m: &Matrix<T>| triangle(uplo, &m.map(|_| T::POISON), |i, j| m[(i, j)]);
    crate::scalar::same_bits(rest(before).data(), rest(after).data())
}

/// ||A - L L^H||_1 / (n ||A||_1 eps), LAPACK's `?pot01`; infinite if the other triangle was written, or if the diagonal
/// is not real and positive.
pub fn factorisation<T: Scalar>(uplo: Uplo, a: &Matrix<T>, factor: &Matrix<T>) -> f64 {
    let n = a.rows();
    let wrong = |j: usize| factor[(j, j)].to_double().re() <= 0.0 || factor[(j, j)].to_double().im() != 0.0;
    if !other_triangle_unchanged(uplo, a, factor) || (0..n).any(wrong) {
        return f64::INFINITY;
    }
    let whole = hermitian(uplo, &a.to_double());
    // The exponent must be even, since the factor scales with half of it.
    let e = ratios::exponent(whole.data()) & !1;
    let difference = minus(&near_one(&whole, e), &product(uplo, &near_one(&factor.to_double(), e / 2)));
    quotient_or_zero(norm1(&difference), n as f64 * norm1(&near_one(&whole, e)) * T::DTYPE.eps())
}

/// max_j ||B e_j - A X e_j|| / (n ||A|| ||X e_j|| eps), LAPACK's `?pot02`, with A = L L^H.
pub fn solved<T: Scalar>(a: &Matrix<T::Double>, b: &Matrix<T>, x: &Matrix<T>) -> f64 {
    solution(Trans::N, a, b, x)
}

/// ||I - A C|| / (n ||A|| ||C|| eps), LAPACK's `?pot03`, where `result` stores a triangle of C; infinite if the other
/// triangle was written.
pub fn inverted<T: Scalar>(uplo: Uplo, a: &Matrix<T::Double>, before: &Matrix<T>, result: &Matrix<T>) -> f64 {
    if !other_triangle_unchanged(uplo, before, result) {
        return f64::INFINITY;
    }
    inverse(a, &Matrix::<T>::from_double(&hermitian(uplo, &result.to_double())))
}

/// The factor of a positive definite matrix, computed in double precision and rounded to the type.
pub fn reference<T: Scalar>(uplo: Uplo, a: &Matrix<T>) -> Matrix<T> {
    let (mut l, n) = (hermitian(uplo, &a.to_double()), a.rows());
    for j in 0..n {
        let root = l[(j, j)].re().sqrt();
        for i in j..n {
            l[(i, j)] = if i == j { T::Double::real(root) } else { l[(i, j)].scale(1.0 / root) };
        }
        for k in j + 1..n {
            let by = l[(k, j)].conj();
            for i in k..n {
                let x = l[(i, j)] * by;
                l[(i, k)] -= x;
            }
        }
    }
    let of = |i, j| if uplo == Uplo::Lower { l[(i, j)] } else { l[(j, i)].conj() };
    triangle(uplo, &Matrix::from_fn(n, n, |i, j| T::from_double(of(i, j))), |i, j| a[(i, j)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrices::{Class, definite};
    use crate::{C32, Rng};

    const THRESHOLD: f64 = ratios::Ratios::THRESHOLD;

    #[test]
    fn wrong_factors_are_seen() {
        for uplo in [Uplo::Upper, Uplo::Lower] {
            let a: Matrix<C32> = definite(Class::Cond2, 9, &mut Rng::new(3));
            let a = triangle(uplo, &a, |i, j| C32::new(i as f32, j as f32));
            let right = reference(uplo, &a);
            assert!(factorisation(uplo, &a, &right) < 5.0);
            let (mut wrong, mut written) = (right.clone(), right.clone());
            wrong[(8, 8)] *= 1.001;
            assert!(factorisation(uplo, &a, &wrong) > THRESHOLD);
            wrong[(8, 8)] = C32::POISON;
            assert!(!factorisation(uplo, &a, &wrong).is_finite());
            let other = if uplo == Uplo::Upper { (8, 0) } else { (0, 8) };
            written[other] = C32::new(0.0, 0.0);
            assert!(factorisation(uplo, &a, &written).is_infinite());
            let mut turned = right;
            turned[(0, 0)] = C32::new(turned[(0, 0)].re, 1e-30);
            assert!(factorisation(uplo, &a, &turned).is_infinite());
        }
    }
}
