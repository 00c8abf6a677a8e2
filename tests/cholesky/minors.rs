//! Matrices that are not positive definite: where that is detected, and what is left of them.

use super::matrices::{UPLO, half, inputs, real};
use tephra_testkit::engine::BATCH;
use tephra_testkit::guarded::Placement;
use tephra_testkit::lapack::Lapack;
use tephra_testkit::matrices::{Class, semidefinite};
use tephra_testkit::ops::cholesky::{factorisation, other_triangle_unchanged, posv, potrf};
use tephra_testkit::ops::lu::FORMS;
use tephra_testkit::ops::q::random;
use tephra_testkit::ops::{EntryForm, Uplo};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::Field;
use tephra_testkit::{Dtype, Library, Matrix, Result, Rng, Scalar, with_scalar};

/// The leading minor of order k.
fn leading<T: Scalar>(a: &Matrix<T>, k: usize) -> Matrix<T> {
    Matrix::from_fn(k, k, |i, j| a[(i, j)])
}

/// Checks the code, the factor of the minor before it, the pivot that ended the factorisation, the other triangle, and
/// LAPACK's code. posv leaves the same.
fn assert_ends_at<T: Scalar>(session: &Session, uplo: Uplo, a: &Matrix<T>, at: usize, what: &str) -> Result<()> {
    let place = Placement::guarded();
    let code = at as i32 + 1;
    // OpenBLAS does not detect NaN.
    if let Some(lapack) = Lapack::get_unless_waived()?.filter(|_| a.is_finite()) {
        assert_eq!(lapack.potrf(uplo == Uplo::Upper, a)?.1, code, "{what}: LAPACK's code");
    }
    for form in FORMS {
        let output = potrf(session, form, uplo, &vec![a.clone(); BATCH], &place)?.run()?;
        for (i, factor) in output.operands[0].iter().enumerate() {
            assert_eq!(output.info[i], code, "{what} {form:?}");
            assert!(other_triangle_unchanged(uplo, a, factor), "{what} {form:?}: the other triangle");
            let ratio = factorisation(uplo, &leading(a, at), &leading(factor, at));
            assert!(at == 0 || ratio < 30.0, "{what} {form:?}: ratio {ratio} of the minor before");
            let pivot = factor[(at, at)].to_double();
            let ends = pivot.re() <= 0.0 || pivot.re().is_nan();
            assert!(ends && pivot.im() == 0.0, "{what} {form:?}: pivot {pivot:?}");
        }
        let b = random::<T>(Class::Uniform, a.rows(), 2, BATCH, 1);
        let solved = posv(session, form, uplo, &vec![a.clone(); BATCH], &b, &place)?.run()?;
        assert_eq!(solved.info, output.info, "{what} {form:?}");
    }
    Ok(())
}

/// A negative, zero or missing pivot at every position; a NaN and an infinity that reach the diagonal.
#[test]
fn the_first_minor_that_is_not_definite_is_told() -> Result<()> {
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for n in [1, 2, 5, 17, 33, 40, 70, 130] {
            with_scalar!(dtype, T => for uplo in UPLO {
                let a = inputs::<T>(Class::Uniform, uplo, n, 1, n as u64).remove(0);
                for j in [0, 1, n / 3, n / 2, n - 1].into_iter().filter(|&j| j < n) {
                    for value in [-1.0, 0.0, f64::NAN, f64::NEG_INFINITY] {
                        let mut a = a.clone();
                        a[(j, j)] = real(value);
                        let what = format!("{} {n} {uplo:?}: {value} at {j}", dtype.letter());
                        assert_ends_at(&session, uplo, &a, j, &what)?;
                    }
                    // A NaN in column k reaches the diagonal element of its row.
                    for k in [0, j / 2].into_iter().filter(|&k| k < j) {
                        let mut a = a.clone();
                        a[if uplo == Uplo::Lower { (j, k) } else { (k, j) }] = real(f64::NAN);
                        let what = format!("{} {n} {uplo:?}: NaN at {j}, {k}", dtype.letter());
                        assert_ends_at(&session, uplo, &a, j, &what)?;
                    }
                }
            });
        }
    }
    Ok(())
}

/// For random Hermitian matrices, whose minors are far from singular, the code is LAPACK's. For semidefinite ones, the
/// factorisation ends at the rank or later, or not at all.
#[test]
fn indefinite_and_semidefinite_matrices() -> Result<()> {
    let session = Session::new(Library::required());
    let mut rng = Rng::new(7);
    for dtype in Dtype::ALL {
        for n in [2, 6, 20, 33, 70] {
            with_scalar!(dtype, T => for uplo in UPLO {
                let mut a = random::<T>(Class::Uniform, n, n, 1, rng.permutation(1000)[0] as u64).remove(0);
                for j in 0..n {
                    a[(j, j)] = real(if j == n / 2 { -2.0 } else { 2.0 * n as f64 });
                }
                let what = format!("{} {n} {uplo:?}", dtype.letter());
                assert_ends_at(&session, uplo, &half(uplo, &a), n / 2, &format!("{what}: indefinite"))?;
                let zero = Matrix::from_fn(n, n, |_, _| real::<T>(0.0));
                assert_ends_at(&session, uplo, &half(uplo, &zero), 0, &format!("{what}: zero"))?;
                let a = half(uplo, &semidefinite::<T>(n, &mut rng));
                let output = potrf(&session, EntryForm::Strided, uplo, std::slice::from_ref(&a), &Placement::guarded())?.run()?;
                let (code, rank) = (output.info[0], (3 * n).div_ceil(4));
                assert!(code == 0 || code as usize > rank, "{what}: code {code} of rank {rank}");
                let before = if code == 0 { n } else { code as usize - 1 };
                let ratio = factorisation(uplo, &leading(&a, before), &leading(&output.operands[0][0], before));
                assert!(ratio < 30.0, "{what}: ratio {ratio}");
            });
        }
    }
    Ok(())
}
