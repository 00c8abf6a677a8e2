//! LAPACK's test ratios of the timed data, on a sample of the batch, in double precision.

use super::Failure;
use super::operands::Operands;
use super::{blas, implicit, iterative, products};
use crate::case::{Case, Diag, Op, Options, Uplo};
use tephra_testkit::ops::solve::Triangular;
use tephra_testkit::ops::{self, cholesky, measure, residuals};
use tephra_testkit::ratios::{self, Ratios};
use tephra_testkit::scalar::Field;
use tephra_testkit::{Matrix, Scalar, with_scalar};

/// A measurement that is ready to run, on any thread.
pub type Pending = Box<dyn FnOnce() -> Ratios + Send>;

/// Fetches the results of some matrices; the arithmetic happens when the returned function is called, which also makes the
/// inputs again.
pub fn sample(operands: &Operands, count: Option<usize>) -> Result<Pending, Failure> {
    let chosen = chosen(operands.case.shape.batch, count.unwrap_or_else(|| affordable(&operands.case)));
    with_scalar!(operands.case.dtype, T => fetch::<T>(operands, &chosen))
}

fn fetch<T: Scalar>(o: &Operands, chosen: &[usize]) -> Result<Pending, Failure> {
    let each = match o.case.op {
        Op::Geqrf => factors::<T>,
        Op::Orgqr => q::<T>,
        Op::Ormqr => product::<T>,
        Op::Qr => explicit::<T>,
        Op::Geqr => implicit::factors::<T>,
        Op::Gemqr => implicit::applied::<T>,
        Op::Gels => least_squares::<T>,
        Op::GelsIterative => iterative::measured::<T>,
        Op::Trsm => triangle::<T>,
        Op::Getrf | Op::GetrfNopiv => lu::<T>,
        Op::Getrs | Op::Gesv | Op::GesvRbt => solution::<T>,
        Op::Getri | Op::Inv => inverse::<T>,
        Op::Potrf => cholesky_factor::<T>,
        Op::Potrs | Op::Posv => solution::<T>,
        Op::Potri => cholesky_inverse::<T>,
        Op::Gemm | Op::Gemv => multiplied::<T>,
        Op::Syrk | Op::Herk | Op::Syr2k | Op::Her2k => ranked::<T>,
        Op::Gelqf => blas::lq::<T>,
        Op::Trmm => blas::multiplied::<T>,
        Op::Trtri => blas::inverted::<T>,
        Op::Trsv => triangle::<T>,
        Op::Geam => blas::sum::<T>,
    };
    let checks = chosen.iter().map(|&i| each(o, i)).collect::<Result<Vec<Pending>, _>>()?;
    Ok(Box::new(move || checks.into_iter().map(|check| check()).fold(Ratios::default(), Ratios::worst)))
}

/// `?qrt01`'s ratios.
fn factors<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, factors, tau) = (o.inputs, o.result::<T>(&o.a, i)?, o.result::<T>(&o.tau, i)?);
    Ok(Box::new(move || ratios::measure(&inputs.matrix(i), &factors, tau.data())))
}

pub fn residual(residual: f64) -> Ratios {
    Ratios { residual, ..Ratios::default() }
}

/// Q against that of the same reflectors in double precision, and its orthogonality.
fn q<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (v, tau, q) = (o.before::<T>(&o.a, i)?, o.before::<T>(&o.tau, i)?, o.result::<T>(&o.a, i)?);
    Ok(Box::new(move || {
        let known = Matrix::from_fn(v.rows(), tau.rows(), |i, j| v[(i, j)]);
        let orthogonality = measure::orthogonality(&q);
        Ratios { residual: measure::explicit_q(&q, &known, &tau), orthogonality, ..Ratios::default() }
    }))
}

/// op(Q) C and C op(Q) against the same in double precision.
fn product<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (v, tau, op) = (o.before::<T>(&o.a, i)?, o.before::<T>(&o.tau, i)?, triangular(&o.case.options));
    let (inputs, got) = (o.inputs, o.result::<T>(&o.b, i)?);
    Ok(Box::new(move || {
        let c = inputs.right(i);
        residual(measure::difference(&got, &measure::applied((op.side, op.trans), &v, &tau, &c)))
    }))
}

/// A - Q R, and Q's orthogonality.
fn explicit<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, q, r) = (o.inputs, o.result::<T>(&o.b, i)?, o.result::<T>(&o.r, i)?);
    Ok(Box::new(move || {
        let a = inputs.matrix(i);
        let orthogonality = measure::orthogonality(&q);
        Ratios { residual: measure::product(&a, &q, &r), orthogonality, ..Ratios::default() }
    }))
}

fn least_squares<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, x) = (o.inputs, o.result::<T>(&o.b, i)?);
    Ok(Box::new(move || residual(measure::least_squares(ops::Trans::N, &inputs.matrix(i), &inputs.right(i), &x))))
}

fn triangle<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, x, how) = (o.inputs, o.result::<T>(&o.b, i)?, triangular(&o.case.options));
    let one = T::narrow(<T as Scalar>::Wide::ONE);
    Ok(Box::new(move || residual(measure::solved(how, one, &inputs.matrix(i), &inputs.right(i), &x))))
}

/// A - P L U; without pivoting P is the identity.
fn lu<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, factors) = (o.inputs, o.result::<T>(&o.a, i)?);
    let none = Matrix::from_fn(0, 1, |_, _| T::POISON);
    let ipiv = if o.case.op == Op::Getrf { o.interchanges(i)? } else { none };
    Ok(Box::new(move || residual(residuals::factorisation(&inputs.matrix(i), &factors, &ipiv))))
}

/// B - op(A) X.
fn solution<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, x, trans) = (o.inputs, o.result::<T>(&o.b, i)?, triangular(&o.case.options).trans);
    Ok(Box::new(move || residual(residuals::solution(trans, &inputs.matrix::<T>(i).wide(), &inputs.right(i), &x))))
}

/// I - A C.
fn inverse<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, c) = (o.inputs, o.result::<T>(&o.b, i)?);
    Ok(Box::new(move || residual(residuals::inverse(&inputs.matrix::<T>(i).wide(), &c))))
}

/// A - L L^H.
fn cholesky_factor<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, factor, uplo) = (o.inputs, o.result::<T>(&o.a, i)?, triangular(&o.case.options).uplo);
    Ok(Box::new(move || residual(cholesky::factorisation(uplo, &inputs.matrix(i), &factor))))
}

/// I - A C, where C took the factor's place.
fn cholesky_inverse<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (before, got) = (o.before::<T>(&o.a, i)?, o.result::<T>(&o.a, i)?);
    let (inputs, uplo) = (o.inputs, triangular(&o.case.options).uplo);
    Ok(Box::new(move || residual(cholesky::inverted(uplo, &inputs.matrix::<T>(i).wide(), &before, &got))))
}

/// Rows or columns of which a product is compared: all of a small one, some of a large one, as sums in twice the precision
/// take their time.
pub fn compared(count: usize) -> Vec<usize> {
    const MOST: usize = 24;
    let step = count.div_ceil(MOST).max(1);
    (0..count).step_by(step).collect()
}

/// These columns, or rows, of a matrix.
pub fn part<T: Scalar>(of: &Matrix<T>, rows: Option<&[usize]>, columns: Option<&[usize]>) -> Matrix<T> {
    let size = |chosen: Option<&[usize]>, all| chosen.map_or(all, <[usize]>::len);
    let at = |chosen: Option<&[usize]>, i| chosen.map_or(i, |chosen| chosen[i]);
    Matrix::from_fn(size(rows, of.rows()), size(columns, of.cols()), |i, j| of[(at(rows, i), at(columns, j))])
}

/// These rows of op(A).
fn rows_of<T: Scalar>(a: &Matrix<T>, trans: ops::Trans, rows: &[usize]) -> Matrix<T> {
    if trans == ops::Trans::N { part(a, Some(rows), None) } else { part(a, None, Some(rows)) }
}

/// C - op(A) op(B).
fn multiplied<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, c, trans) = (o.inputs, o.result::<T>(&o.r, i)?, products::transpositions(&o.case));
    let factors = [<T as Scalar>::Wide::ONE, <T as Scalar>::Wide::ZERO].map(T::narrow);
    Ok(Box::new(move || {
        let (rows, columns) = (compared(c.rows()), compared(c.cols()));
        let turned = if trans[1] == ops::Trans::N { ops::Trans::T } else { ops::Trans::N };
        let a = rows_of(&inputs.matrix::<T>(i), trans[0], &rows);
        let b = rows_of(&inputs.right::<T>(i), turned, &columns);
        let c = part(&c, Some(&rows), Some(&columns));
        residual(ops::products::multiplied(trans, factors, &a, &b, &c, &c))
    }))
}

/// The lower triangle of C - op(A) op(A)', or of C - op(A) op(B)' - op(B) op(A)'.
fn ranked<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (inputs, c, how, second) = (o.inputs, o.result::<T>(&o.r, i)?, products::rank(&o.case), o.case.op.is_rank_2k());
    let factors = [<T as Scalar>::Wide::ONE, <T as Scalar>::Wide::ZERO].map(T::narrow);
    Ok(Box::new(move || {
        // With beta = 0 what C was counts for nothing.
        let before = c.map(|_| factors[1]);
        let rows = compared(c.rows());
        let [before, c] = [&before, &c].map(|c| part(c, Some(&rows), Some(&rows)));
        let (a, b) = (inputs.matrix::<T>(i), second.then(|| rows_of(&inputs.right::<T>(i), how.trans, &rows)));
        residual(ops::exact::ranked(how, factors, (&rows_of(&a, how.trans, &rows), b.as_ref()), &before, &c))
    }))
}

/// The options in the test kit's types.
pub fn triangular(o: &Options) -> Triangular {
    Triangular {
        side: ops::Side::ALL[o.side as usize],
        uplo: if o.uplo == Uplo::Upper { ops::Uplo::Upper } else { ops::Uplo::Lower },
        trans: ops::Trans::ALL[o.trans as usize],
        diag: if o.diag == Diag::Unit { ops::Diag::Unit } else { ops::Diag::NonUnit },
    }
}

/// How many matrices can be checked in about the time of one 256x256: at most 64, at least 2.
fn affordable(case: &Case) -> usize {
    let (m, n) = (case.shape.m, case.shape.n);
    let cost = m * n * case.k().max(1);
    ((1 << 24) / cost).clamp(2, 64)
}

/// For sweeps over many cases: at most 2, none of matrices from about 256x256 on.
pub fn few(case: &Case) -> usize {
    let (m, n) = (case.shape.m, case.shape.n);
    ((1 << 24) / (m * n * case.k().max(1))).min(2)
}

/// `count` matrices spread evenly over the batch, the first and the last among them.
fn chosen(batch: usize, count: usize) -> Vec<usize> {
    let count = count.min(batch);
    match count {
        0 => Vec::new(),
        1 => vec![batch - 1],
        _ => (0..count).map(|i| i * (batch - 1) / (count - 1)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Shape;
    use tephra_testkit::Dtype;

    #[test]
    fn samples_reach_both_ends() {
        assert_eq!(chosen(1000, 3), [0, 499, 999]);
        assert_eq!(chosen(2, 64), [0, 1]);
        assert_eq!(chosen(5, 1), [4]);
        assert!(chosen(5, 0).is_empty());
    }

    #[test]
    fn large_matrices_are_sampled_less() {
        let of = |n| affordable(&Case::packed(Op::Geqrf, Dtype::D, Shape { m: n, n, batch: 1000 }));
        assert_eq!((of(8), of(128), of(1024)), (64, 8, 2));
        let few = |n| few(&Case::packed(Op::Geqrf, Dtype::D, Shape { m: n, n, batch: 1000 }));
        assert_eq!((few(8), few(256), few(257)), (2, 1, 0));
    }
}
