//! Test ratios of the operations that build on a QR factorisation, measured in double precision against the original
//! operands. A ratio below [`crate::ratios::Ratios::THRESHOLD`] passes, as in LAPACK's tests. A NaN in a result makes
//! its ratio NaN.

use super::solve::Triangular;
use super::{Diag, Side, Trans, Uplo};
use crate::householder::{apply, apply_adjoint, factor};
use crate::scalar::{Field, Scalar, worst};
use crate::{Matrix, ratios};
use std::cmp::Ordering;

/// The 1-norm: the largest column sum of absolute values.
pub fn norm1<F: Field>(a: &Matrix<F>) -> f64 {
    (0..a.cols()).map(|j| a.col(j).iter().map(|x| x.magnitude()).sum()).fold(0.0, worst)
}

pub(super) fn minus<F: Field>(a: &Matrix<F>, b: &Matrix<F>) -> Matrix<F> {
    assert_eq!((a.rows(), a.cols()), (b.rows(), b.cols()));
    Matrix::from_fn(a.rows(), a.cols(), |i, j| a[(i, j)] - b[(i, j)])
}

/// x / y, but 0 / 0 is 0.
pub(super) fn quotient_or_zero(x: f64, y: f64) -> f64 {
    if x == 0.0 && y == 0.0 { 0.0 } else { x / y }
}

/// op(X) for a [`Trans`].
pub(super) fn transposed<F: Field>(trans: Trans, x: &Matrix<F>) -> Matrix<F> {
    match trans {
        Trans::N => x.clone(),
        Trans::T => x.adjoint().map(F::conj),
        Trans::C => x.adjoint(),
    }
}

/// op(Q) C or C op(Q) in double precision, with Q from the given reflectors: the reference for ormqr and larfb.
pub fn applied<T: Scalar>(
    (side, trans): (Side, Trans),
    factors: &Matrix<T>,
    tau: &Matrix<T>,
    c: &Matrix<T>,
) -> Matrix<T::Double> {
    let (factors, tau, c) = (factors.to_double(), tau.to_double(), c.to_double());
    // On the right, C op(Q) = (op(Q)^H C^H)^H; and Q^T X = conj(Q^H conj(X)).
    let mut x = if side == Side::Left { c } else { c.adjoint() };
    let conjugated = trans == Trans::T;
    if conjugated {
        x = x.map(Field::conj);
    }
    match (side, trans) {
        (Side::Left, Trans::N) | (Side::Right, Trans::T | Trans::C) => apply(&factors, tau.data(), &mut x),
        _ => apply_adjoint(&factors, tau.data(), &mut x),
    }
    if conjugated {
        x = x.map(Field::conj);
    }
    if side == Side::Left { x } else { x.adjoint() }
}

/// Scales every element by 2^-e. With 2^e near the largest element, squares cannot overflow.
pub(super) fn near_one<F: Field>(x: &Matrix<F>, e: i32) -> Matrix<F> {
    x.map(|x| x.ldexp(-e))
}

/// ||got - reference||_1 / (max(m, n) ||reference||_1 eps): LAPACK's `?qrt03`, in which the reference has the norm of
/// C.
pub fn difference<T: Scalar>(got: &Matrix<T>, reference: &Matrix<T::Double>) -> f64 {
    let size = got.rows().max(got.cols()) as f64;
    let e = ratios::exponent(reference.data());
    let (got, reference) = (near_one(&got.to_double(), e), near_one(reference, e));
    quotient_or_zero(norm1(&minus(&got, &reference)), size * norm1(&reference) * T::DTYPE.eps())
}

/// The worse of two ratios: Q against a reference in double precision, and ||I - Q^H Q||_1 / (m eps).
pub fn explicit_q<T: Scalar>(got: &Matrix<T>, factors: &Matrix<T>, tau: &Matrix<T>) -> f64 {
    let mut reference = Matrix::from_fn(got.rows(), got.cols(), |i, j| {
        if i == j { <T as Scalar>::Double::ONE } else { <T as Scalar>::Double::ZERO }
    });
    apply(&factors.to_double(), tau.to_double().data(), &mut reference);
    worst(difference(got, &reference), orthogonality(got))
}

/// ||I - Q^H Q||_1 / (m eps).
pub fn orthogonality<T: Scalar>(q: &Matrix<T>) -> f64 {
    ratios::orthogonality(&q.to_double()) / (q.rows().max(1) as f64 * T::DTYPE.eps())
}

/// max_j ||A e_j - Q R e_j||_1 / (max(m, n) ||A e_j||_1 eps), by columns because Householder QR is columnwise stable;
/// infinite if R is not zero below its diagonal.
pub fn product<T: Scalar>(a: &Matrix<T>, q: &Matrix<T>, r: &Matrix<T>) -> f64 {
    let zero = |x: T| x.to_double() == <T as Scalar>::Double::ZERO;
    if (0..r.cols()).any(|j| !r.col(j).iter().skip(j + 1).all(|&x| zero(x))) {
        return f64::INFINITY;
    }
    let (a, q, r) = (a.to_double(), q.to_double(), r.to_double());
    let size = a.rows().max(a.cols()) as f64;
    let column = |j: usize| {
        let e = ratios::exponent(a.col(j));
        let one = |x: &Matrix<T::Double>| Matrix::from_fn(x.rows(), 1, |i, _| x[(i, j)].ldexp(-e));
        let (a, r) = (one(&a), one(&r));
        let bound = norm1(&a) * T::DTYPE.eps() + ratios::underflow::<T>(a.rows(), e);
        quotient_or_zero(norm1(&minus(&a, &q.times(&r))), size * bound)
    };
    (0..a.cols()).map(column).fold(0.0, worst)
}

/// ||A^H A - R^H R||_1 / (max(m, n) ||A||_1 ||A^H||_1 eps), which judges R without Q; infinite if R is not zero below
/// its diagonal.
pub fn gram<T: Scalar>(a: &Matrix<T>, r: &Matrix<T>) -> f64 {
    let below = (0..r.cols()).any(|j| r.col(j).iter().skip(j + 1).any(|x| x.to_double().max_abs_part() != 0.0));
    if below { f64::INFINITY } else { products(a, r) }
}

/// The same ratio for any two matrices with equally many columns. The columns of both are first divided by powers of two
/// near those of A, because QR is columnwise stable; then no square overflows, and a small column counts, too. Elements
/// may be wrong by as much as roundings to denormal numbers are.
pub fn products<T: Scalar>(a: &Matrix<T>, b: &Matrix<T>) -> f64 {
    let (rows, size, a, b) = (a.rows(), a.rows().max(a.cols()) as f64, a.to_double(), b.to_double());
    let (exponents, a) = equilibrated(&a);
    let b = Matrix::from_fn(b.rows(), b.cols(), |i, j| b[(i, j)].ldexp(-exponents[j]));
    let lost: f64 = exponents.iter().map(|&e| ratios::underflow::<T>(rows, e)).sum();
    let difference = minus(&a.adjoint().times(&a), &b.adjoint().times(&b));
    let norms = [norm1(&a), norm1(&a.adjoint())];
    let bound = norms[0] * norms[1] * T::DTYPE.eps() + lost * (norms[0] + norms[1]);
    quotient_or_zero(norm1(&difference), size * bound)
}

/// ||R - R'||_1 / (max(m, n) ||A||_1 eps), with R' computed in double precision. It is meant for well-conditioned A,
/// which determine R that accurately. Signs count.
pub fn triangle<T: Scalar>(a: &Matrix<T>, r: &Matrix<T>) -> f64 {
    let mut reference = a.to_double();
    factor(&mut reference);
    let reference =
        Matrix::from_fn(
            r.rows(),
            r.cols(),
            |i, j| if i <= j { reference[(i, j)] } else { <T as Scalar>::Double::ZERO },
        );
    let size = a.rows().max(a.cols()) as f64;
    quotient_or_zero(norm1(&minus(&r.to_double(), &reference)), size * norm1(&a.to_double()) * T::DTYPE.eps())
}

/// V with explicit zeros above its diagonal and ones on it.
fn unit_lower<T: Scalar>(v: &Matrix<T>) -> Matrix<T::Double> {
    Matrix::from_fn(v.rows(), v.cols(), |i, j| match i.cmp(&j) {
        Ordering::Less => <T as Scalar>::Double::ZERO,
        Ordering::Equal => <T as Scalar>::Double::ONE,
        Ordering::Greater => v[(i, j)].to_double(),
    })
}

/// op(H) C or C op(H) by definition in double precision, with H = I - V T V^H and any upper triangular T.
pub fn block_applied<T: Scalar>(
    (side, trans): (Side, Trans),
    v: &Matrix<T>,
    t: &Matrix<T>,
    c: &Matrix<T>,
) -> Matrix<T::Double> {
    let zero = <T as Scalar>::Double::ZERO;
    let unit = unit_lower(v);
    let upper = Matrix::from_fn(t.rows(), t.cols(), |i, j| if i <= j { t[(i, j)].to_double() } else { zero });
    let factor = if trans == Trans::N { upper } else { upper.adjoint() };
    let c = c.to_double();
    let change = match side {
        Side::Left => unit.times(&factor.times(&unit.adjoint().times(&c))),
        Side::Right => c.times(&unit).times(&factor).times(&unit.adjoint()),
    };
    minus(&c, &change)
}

/// ||(I - V T V^H) - H(1) ... H(k)||_1 / (m eps) in double precision; infinite if T is not zero below its diagonal.
pub fn block_factor<T: Scalar>(v: &Matrix<T>, tau: &Matrix<T>, t: &Matrix<T>) -> f64 {
    let (m, k) = (v.rows(), v.cols());
    let (zero, one) = (<T as Scalar>::Double::ZERO, <T as Scalar>::Double::ONE);
    if (0..k).any(|j| !t.col(j).iter().skip(j + 1).all(|x| x.to_double() == zero)) {
        return f64::INFINITY;
    }
    let unit = unit_lower(v);
    let eye = Matrix::from_fn(m, m, |i, j| if i == j { one } else { zero });
    let block = minus(&eye, &unit.times(&t.to_double()).times(&unit.adjoint()));
    let mut reference = eye;
    apply(&v.to_double(), tau.to_double().data(), &mut reference);
    norm1(&minus(&block, &reference)) / (m as f64 * T::DTYPE.eps())
}

/// The triangle that trsm and similar routines read, as a full matrix.
pub fn triangle_of<F: Field>(a: &Matrix<F>, how: Triangular) -> Matrix<F> {
    Matrix::from_fn(a.rows(), a.cols(), |i, j| match (i == j, how.uplo) {
        (true, _) if how.diag == Diag::Unit => F::ONE,
        (true, _) => a[(i, j)],
        (_, Uplo::Upper) if i < j => a[(i, j)],
        (_, Uplo::Lower) if i > j => a[(i, j)],
        _ => F::ZERO,
    })
}

/// The worst column (row, if A is on the right) of |alpha B - op(A) X| / (n ||A||_1 |X| eps + n |alpha B| eps).
pub fn solved<T: Scalar>(how: Triangular, alpha: T, a: &Matrix<T>, b: &Matrix<T>, x: &Matrix<T>) -> f64 {
    let alpha = alpha.to_double();
    let op = transposed(how.trans, &triangle_of(&a.to_double(), how));
    let (op, b, x) = match how.side {
        Side::Left => (op, b.to_double().map(|b| alpha * b), x.to_double()),
        // X op(A) = alpha B is op(A)^H X^H = (alpha B)^H.
        Side::Right => (op.adjoint(), b.to_double().map(|b| alpha * b).adjoint(), x.to_double().adjoint()),
    };
    let residual = minus(&b, &op.times(&x));
    let (size, norm) = (op.rows() as f64, norm1(&op));
    let sum = |m: &Matrix<T::Double>, j: usize| m.col(j).iter().map(|x| x.magnitude()).sum::<f64>();
    (0..b.cols())
        .map(|j| quotient_or_zero(sum(&residual, j), size * (norm * sum(&x, j) + sum(&b, j)) * T::DTYPE.eps()))
        .fold(0.0, worst)
}

/// The largest finite number.
pub(super) fn largest<T: Scalar>() -> f64 {
    if T::DTYPE.is_double() { f64::MAX } else { f32::MAX.into() }
}

/// The exponents of a matrix's columns, and the columns scaled to near 1.
pub(super) fn equilibrated<F: Field>(a: &Matrix<F>) -> (Vec<i32>, Matrix<F>) {
    let exponents: Vec<i32> = (0..a.cols()).map(|j| ratios::exponent(a.col(j))).collect();
    let scaled = Matrix::from_fn(a.rows(), a.cols(), |i, j| a[(i, j)].ldexp(-exponents[j]));
    (exponents, scaled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::C64;
    use crate::householder::thin_q;
    use crate::matrices::Class;
    use crate::ops::q::{random, reflectors};

    const THRESHOLD: f64 = ratios::Ratios::THRESHOLD;

    #[test]
    fn a_wrong_application_is_seen() {
        let (f, tau) = reflectors::<C64>(9, 5, 1, 1);
        let c = &random::<C64>(Class::Uniform, 9, 4, 1, 2)[0];
        let right = applied((Side::Left, Trans::C), &f[0], &tau[0], c);
        assert!(difference(&right, &right) < 1.0);
        for trans in [Trans::N, Trans::T] {
            assert!(difference(&applied((Side::Left, trans), &f[0], &tau[0], c), &right) > THRESHOLD);
        }
        let mut short = tau[0].clone();
        short[(4, 0)] = C64::ZERO;
        assert!(difference(&applied((Side::Left, Trans::C), &f[0], &short, c), &right) > THRESHOLD);
    }

    #[test]
    fn a_wrong_q_or_r_is_seen() {
        let a = &random::<f64>(Class::Cond2, 9, 5, 1, 3)[0];
        let mut factors = a.clone();
        let tau = factor(&mut factors);
        let (mut q, mut r) = (thin_q(&factors, &tau), crate::householder::upper(&factors));
        assert!(product(a, &q, &r) < 1.0 && orthogonality(&q) < 1.0 && triangle(a, &r) < 1.0);
        r[(0, 4)] += 1e-12;
        assert!(product(a, &q, &r) > THRESHOLD && triangle(a, &r) > THRESHOLD);
        r[(4, 0)] = 1e-300;
        assert!(product(a, &q, &r).is_infinite());
        q[(8, 4)] = f64::NAN;
        assert!(orthogonality(&q).is_nan());
    }

    /// Columns of any scale, with R from a factorisation in double precision.
    #[test]
    fn a_wrong_r_is_seen_beside_huge_and_denormal_columns() {
        for class in [Class::Uniform, Class::ScaledColumns, Class::DenormalColumns, Class::ZeroColumns] {
            let a = &random::<f64>(class, 18, 9, 1, 3)[0];
            let (exponents, scaled) = equilibrated(a);
            let mut factors = scaled.clone();
            factor(&mut factors);
            let r = crate::householder::upper(&factors);
            let mut r = Matrix::from_fn(9, 9, |i, j| r[(i, j)].ldexp(exponents[j]));
            assert!(gram(a, &r) < 1.0, "{class:?}: {}", gram(a, &r));
            // Roundings to denormal numbers are larger.
            let wrong = 1.0 + if class == Class::DenormalColumns { 1e-6 } else { 1e-10 };
            r[(1, 6)] *= wrong;
            r[(2, 7)] *= wrong;
            assert!(gram(a, &r) > THRESHOLD, "{class:?}");
        }
    }

    #[test]
    fn wrong_solutions_of_triangles_are_seen() {
        let how = Triangular { side: Side::Left, uplo: Uplo::Upper, trans: Trans::N, diag: Diag::NonUnit };
        let a = Matrix::from_fn(2, 2, |i, j| if i <= j { 2.0 } else { f64::POISON });
        let (b, x) = (Matrix::from_fn(2, 1, |i, _| 4.0 - 2.0 * i as f64), Matrix::from_fn(2, 1, |_, _| 1.0));
        assert!(solved(how, 1.0, &a, &b, &x) < 1.0);
        assert!(solved(how, 2.0, &a, &b, &x) > THRESHOLD);
        assert!(solved(Triangular { trans: Trans::T, ..how }, 1.0, &a, &b, &x) > THRESHOLD);
    }
}
