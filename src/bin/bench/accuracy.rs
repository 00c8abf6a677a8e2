//! LAPACK's test ratios of the timed data, on a sample of the batch, in double precision.

use super::Failure;
use super::operands::Operands;
use crate::case::{Case, Diag, Op, Side, Trans, Uplo};
use tephra_testkit::householder::{apply_adjoint, thin_q};
use tephra_testkit::ratios::{self, Ratios};
use tephra_testkit::scalar::Field;
use tephra_testkit::{Matrix, Scalar, with_scalar};

/// A measurement that is ready to run, on any thread.
pub type Pending = Box<dyn FnOnce() -> Ratios + Send>;

/// Fetches the results of some matrices; the arithmetic happens when the returned function is called.
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
        Op::Gels => least_squares::<T>,
        Op::Trsm => triangle::<T>,
    };
    let checks = chosen.iter().map(|&i| each(o, i)).collect::<Result<Vec<Pending>, _>>()?;
    Ok(Box::new(move || checks.into_iter().map(|check| check()).fold(Ratios::default(), Ratios::worst)))
}

/// `?qrt01`'s ratios.
fn factors<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (input, factors, tau) = (o.input::<T>(i), o.result::<T>(&o.a, i)?, o.result::<T>(&o.tau, i)?);
    Ok(Box::new(move || ratios::measure(&input, &factors, tau.data())))
}

/// ||X - Y||_1 / (size ||Y||_1 eps)
fn difference<T: Scalar>(x: &Matrix<T::Wide>, y: &Matrix<T::Wide>) -> f64 {
    let size = x.rows().max(x.cols()) as f64;
    minus(x, y).norm_one() / (size * y.norm_one() * T::DTYPE.eps())
}

fn minus<F: Field>(x: &Matrix<F>, y: &Matrix<F>) -> Matrix<F> {
    Matrix::from_fn(x.rows(), x.cols(), |i, j| x[(i, j)] - y[(i, j)])
}

fn residual(residual: f64) -> Ratios {
    Ratios { residual, ..Ratios::default() }
}

/// ||I - Q^H Q||_1 / (m eps)
fn orthogonality<T: Scalar>(q: &Matrix<T::Wide>) -> f64 {
    let gram = q.adjoint().times(q);
    let one = |i, j| if i == j { T::Wide::ONE } else { T::Wide::ZERO };
    minus(&gram, &Matrix::from_fn(q.cols(), q.cols(), one)).norm_one() / (q.rows() as f64 * T::DTYPE.eps())
}

/// Q against that of the same reflectors in double precision.
fn q<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (v, tau, q) = (o.before::<T>(&o.a, i)?, o.before::<T>(&o.tau, i)?, o.result::<T>(&o.a, i)?);
    Ok(Box::new(move || {
        let (q, tau) = (q.wide(), tau.wide());
        let wanted = thin_q(&v.wide(), tau.data());
        let known = Matrix::from_fn(q.rows(), wanted.cols(), |i, j| q[(i, j)]);
        let orthogonality = orthogonality::<T>(&q);
        Ratios { residual: difference::<T>(&known, &wanted), orthogonality, ..Ratios::default() }
    }))
}

/// op(Q) C and C op(Q) against the same in double precision.
fn product<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (v, tau, options) = (o.before::<T>(&o.a, i)?, o.before::<T>(&o.tau, i)?, o.case.options);
    let (c, got) = (o.right::<T>(i), o.result::<T>(&o.b, i)?);
    Ok(Box::new(move || {
        let (v, tau) = (v.wide(), tau.wide());
        let mut q = Matrix::from_fn(v.rows(), v.rows(), |i, j| if i == j { T::Wide::ONE } else { T::Wide::ZERO });
        apply_adjoint(&v, tau.data(), &mut q); // Q^H
        let q = match options.trans {
            Trans::N => q.adjoint(),
            Trans::C => q,
            Trans::T => q.map(|x| x.conj()),
        };
        let c = c.wide();
        let wanted = if options.side == Side::Left { q.times(&c) } else { c.times(&q) };
        residual(difference::<T>(&got.wide(), &wanted))
    }))
}

/// ||A - Q R||_1 / (m ||A||_1 eps), and Q's orthogonality.
fn explicit<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (a, q, r) = (o.input::<T>(i), o.result::<T>(&o.b, i)?, o.result::<T>(&o.r, i)?);
    Ok(Box::new(move || {
        let (q, r) = (q.wide(), r.wide());
        let orthogonality = orthogonality::<T>(&q);
        Ratios { residual: difference::<T>(&q.times(&r), &a.wide()), orthogonality, ..Ratios::default() }
    }))
}

/// ||A^H (B - A X)||_1 / (m ||A||_1 (||A||_1 ||X||_1 + ||B||_1) eps), as `?qrt17` measures.
fn least_squares<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (a, b, x) = (o.input::<T>(i), o.right::<T>(i), o.result::<T>(&o.b, i)?);
    Ok(Box::new(move || {
        let (a, b) = (a.wide(), b.wide());
        let x = Matrix::from_fn(a.cols(), x.cols(), |i, j| x[(i, j)].wide());
        let rest = a.adjoint().times(&minus(&b, &a.times(&x)));
        let size = a.rows() as f64 * a.norm_one().max(a.adjoint().norm_one());
        residual(rest.norm_one() / (size * (a.norm_one() * x.norm_one() + b.norm_one()) * T::DTYPE.eps()))
    }))
}

/// ||B - op(A) X||_1 / (order ||A||_1 ||X||_1 eps), or the same from the right.
fn triangle<T: Scalar>(o: &Operands, i: usize) -> Result<Pending, Failure> {
    let (a, b, x, options) = (o.input::<T>(i), o.right::<T>(i), o.result::<T>(&o.b, i)?, o.case.options);
    Ok(Box::new(move || {
        let inside = |i, j| if options.uplo == Uplo::Upper { i < j } else { i > j };
        let a = Matrix::from_fn(a.rows(), a.cols(), |i, j| match () {
            _ if i == j && options.diag == Diag::Unit => T::Wide::ONE,
            _ if i == j || inside(i, j) => a[(i, j)].wide(),
            _ => T::Wide::ZERO,
        });
        let a = match options.trans {
            Trans::N => a,
            Trans::C => a.adjoint(),
            Trans::T => a.adjoint().map(|x| x.conj()),
        };
        let x = x.wide();
        let product = if options.side == Side::Left { a.times(&x) } else { x.times(&a) };
        let scale = a.rows() as f64 * a.norm_one() * x.norm_one() * T::DTYPE.eps();
        residual(minus(&b.wide(), &product).norm_one() / scale)
    }))
}

/// How many matrices can be checked in about the time of one 256x256: at most 64, at least 2.
fn affordable(case: &Case) -> usize {
    let (m, n) = (case.shape.m, case.shape.n);
    let cost = m * n * case.k().max(1);
    ((1 << 24) / cost).clamp(2, 64)
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
    }
}
