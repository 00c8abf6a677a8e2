//! One matrix in host memory, with padding rows that nothing may write, and LAPACK's ratios of its factors.

use std::ffi::c_int;
use std::thread::ThreadId;
use tephra_testkit::library::many::Raw;
use tephra_testkit::scalar::{same_bits, worst};
use tephra_testkit::{Field, Library, Matrix, Scalar};

/// Padding rows: leading dimensions exceed the number of rows by this.
pub const PADDING: usize = 3;
pub const PLAIN: c_int = 111;

pub fn adjoint<T: Scalar>() -> c_int {
    if T::DTYPE.is_complex() { 113 } else { 112 }
}

/// Adds padding rows below the matrix.
pub fn padded<T: Scalar>(a: &Matrix<T>) -> Matrix<T> {
    Matrix::from_fn(a.rows() + PADDING, a.cols(), |i, j| if i < a.rows() { a[(i, j)] } else { T::POISON })
}

pub fn unpadded<T: Scalar>(a: &Matrix<T>) -> Matrix<T> {
    let m = a.rows() - PADDING;
    for j in 0..a.cols() {
        assert!(same_bits(&a.col(j)[m..], &[T::POISON; PADDING]), "below column {j} something was written");
    }
    Matrix::from_fn(m, a.cols(), |i, j| a[(i, j)])
}

pub fn raw<T: Scalar>(a: &mut Matrix<T>) -> Raw {
    a.data_mut().as_mut_ptr().cast()
}

/// The exponent of the largest element of each column.
pub fn exponents<T: Scalar>(of: &Matrix<T>) -> Vec<i32> {
    let exponent = |j: usize| {
        let largest = of.col(j).iter().map(|x| x.to_double().max_abs_part()).fold(0.0, f64::max);
        if largest > 0.0 { largest.log2().floor() as i32 } else { 0 }
    };
    (0..of.cols()).map(exponent).collect()
}

/// Scales each column by the power of two that brings the same column of `of` to about 1.
pub fn scaled<T: Scalar>(a: &Matrix<T>, of: &Matrix<T>) -> Matrix<T::Double> {
    let exponents = exponents(of);
    Matrix::from_fn(a.rows(), a.cols(), |i, j| a[(i, j)].to_double().ldexp(-exponents[j]))
}

/// The largest column sum of absolute values; NaN if there is one.
pub fn norm<F: Field>(a: &Matrix<F>) -> f64 {
    (0..a.cols()).map(|j| a.col(j).iter().map(|x| x.abs()).sum()).fold(0.0, worst)
}

pub fn minus<F: Field>(a: &Matrix<F>, b: &Matrix<F>) -> Matrix<F> {
    assert_eq!((a.rows(), a.cols()), (b.rows(), b.cols()));
    Matrix::from_fn(a.rows(), a.cols(), |i, j| a[(i, j)] - b[(i, j)])
}

/// The backward error of each column relative to its own norm (which after scaling is about 1, or 0), with an allowance
/// for rounding to denormal numbers.
pub fn backward_error<T: Scalar>(a: &Matrix<T>, q: &Matrix<T>, r: &Matrix<T>) -> f64 {
    let (wide, m) = (scaled(a, a), a.rows() as f64);
    let difference = minus(&wide, &q.to_double().times(&scaled(r, a)));
    let exponents = exponents(a);
    let tiny = |j: usize| m.ldexp(T::DTYPE.denormal_exponent() - exponents[j]);
    (0..a.cols())
        .map(|j| {
            let sum = |of: &Matrix<T::Double>| of.col(j).iter().map(|x| x.abs()).sum::<f64>();
            let error = sum(&difference);
            if error == 0.0 { 0.0 } else { error / (m * (sum(&wide) * T::DTYPE.eps() + tiny(j))) }
        })
        .fold(0.0, worst)
}

pub fn orthogonality<T: Scalar>(q: &Matrix<T>) -> f64 {
    let one = Matrix::from_fn(q.cols(), q.cols(), |i, j| if i == j { T::Double::ONE } else { T::Double::ZERO });
    norm(&minus(&q.to_double().adjoint().times(&q.to_double()), &one)) / (q.rows().max(1) as f64 * T::DTYPE.eps())
}

/// What a call tells about its progress.
pub struct Progress {
    thread: ThreadId,
    pub last: i64,
    pub total: i64,
    until: i64,
}

impl Progress {
    /// Cancels the call after `until` steps.
    pub fn until(until: i64) -> Progress {
        Progress { thread: std::thread::current().id(), last: 0, total: 0, until }
    }

    /// The callback; `seen` is a [`Progress`].
    pub unsafe extern "C" fn told(done: i64, total: i64, seen: Raw) -> c_int {
        // SAFETY: the test passes its own.
        let seen = unsafe { &mut *seen.cast::<Progress>() };
        assert_eq!(std::thread::current().id(), seen.thread);
        assert!(done > seen.last && done <= total);
        (seen.last, seen.total) = (done, total);
        (done >= seen.until) as c_int
    }

    /// Checks the status of the call: it told its end, or was cancelled.
    pub fn assert_ended(&self, code: c_int) {
        let error = Library::required().last_error();
        if self.last < self.until {
            assert_eq!((code, self.last), (0, self.total), "{error}");
        } else {
            assert!(code == 7 && error.contains("cancelled"), "{code}: {error}");
        }
    }
}
