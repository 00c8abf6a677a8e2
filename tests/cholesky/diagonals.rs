//! Imaginary parts on diagonals: those of a matrix are not read, whereas a factor may have them.

use super::matrices::{UPLO, factors, inputs, real};
use tephra_testkit::engine::BATCH;
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::cholesky::{inverted, posv, potrf, potri, potrs, product, solved};
use tephra_testkit::ops::lu::FORMS;
use tephra_testkit::ops::q::random;
use tephra_testkit::ops::{EntryForm, Uplo};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::{Field, same_bits, worst};
use tephra_testkit::{Dtype, Library, Matrix, Result, Scalar, with_scalar};

/// The same matrices with different imaginary parts on their diagonals.
fn spoilt<T: Scalar>(a: &[Matrix<T>]) -> Vec<Matrix<T>> {
    let parts = [3.0, f64::NAN, f64::INFINITY, -1e30];
    let one = |a: &Matrix<T>| {
        let element = |j: usize| T::from_double(<T as Scalar>::Double::parts(a[(j, j)].to_double().re(), parts[j % 4]));
        Matrix::from_fn(a.rows(), a.cols(), |i, j| if i == j { element(j) } else { a[(i, j)] })
    };
    a.iter().map(one).collect()
}

/// Tests members processed one by one and in lanes.
#[test]
fn imaginary_parts_of_diagonals_are_not_looked_at() -> Result<()> {
    let (session, place) = (Session::new(Library::required()), Placement::guarded());
    for dtype in [Dtype::C, Dtype::Z] {
        for (n, batch) in [(1, 1), (2, BATCH), (5, 1), (16, BATCH), (16, 1), (33, BATCH), (70, 1)] {
            with_scalar!(dtype, T => for uplo in UPLO {
                let a = inputs::<T>(Class::Uniform, uplo, n, batch, 5);
                let b = random::<T>(Class::Uniform, n, 3, batch, 7);
                for form in FORMS {
                    let what = format!("{} {n} {batch} {uplo:?} {form:?}", dtype.letter());
                    let same = |routine: &str, x: &[Matrix<T>], y: &[Matrix<T>]| {
                        let equal = x.iter().zip(y).all(|(x, y)| same_bits(x.data(), y.data()));
                        assert!(equal, "{routine} {what}");
                    };
                    let (clean, other) = (potrf(&session, form, uplo, &a, &place)?.run()?, spoilt(&a));
                    same("potrf", &clean.only(), &potrf(&session, form, uplo, &other, &place)?.run()?.only());
                    let clean = posv(&session, form, uplo, &a, &b, &place)?.run()?;
                    let got = posv(&session, form, uplo, &other, &b, &place)?.run()?;
                    same("posv", &clean.operands[1], &got.operands[1]);
                }
            });
        }
    }
    Ok(())
}

/// The factor with every other diagonal element, and its column (row, if upper) with it, multiplied by a phase. It is a
/// factor of the same matrix.
fn turned<T: Scalar>(uplo: Uplo, l: &Matrix<T>) -> Matrix<T> {
    Matrix::from_fn(l.rows(), l.cols(), |i, j| {
        let k = if uplo == Uplo::Lower { j } else { i };
        let angle = if k % 2 == 0 { 0.7 + 0.9 * k as f64 } else { 0.0 };
        let stored = if uplo == Uplo::Lower { i >= j } else { i <= j };
        let by = <T as Scalar>::Double::parts(angle.cos(), angle.sin());
        if stored && angle != 0.0 { T::from_double(l[(i, j)].to_double() * by) } else { l[(i, j)] }
    })
}

/// As in LAPACK, triangular solves use the diagonal of a factor as it is. A member with a real diagonal gives the same
/// bits among such members.
#[test]
fn factors_may_have_any_diagonal() -> Result<()> {
    let (session, place) = (Session::new(Library::required()), Placement::guarded());
    for dtype in [Dtype::C, Dtype::Z] {
        for (n, nrhs, batch) in [
            (1, 1, 1),
            (2, 1, 5),
            (5, 3, 1),
            (8, 1, 20),
            (16, 17, 5),
            (24, 1, 5),
            (33, 3, 5),
            (70, 1, 20),
            (100, 40, 3),
        ] {
            with_scalar!(dtype, T => for uplo in UPLO {
                let real = factors::<T>(uplo, n, batch, 6);
                let all: Vec<_> = real.iter().map(|l| turned(uplo, l)).collect();
                let mixed: Vec<_> = (0..batch).map(|i| if i % 2 == 0 { &all[i] } else { &real[i] }.clone()).collect();
                let b = random::<T>(Class::Uniform, n, nrhs, batch, 7);
                for form in FORMS {
                    let what = format!("{} {n}, {nrhs} {batch} {uplo:?} {form:?}", dtype.letter());
                    let solve = |l: &[Matrix<T>]| Ok(potrs(&session, form, uplo, l, &b, &place)?.run()?.only());
                    let invert = |l: &[Matrix<T>]| potri(&session, form, uplo, l, &place)?.run();
                    let (x, clean): (Vec<_>, Vec<_>) = (solve(&mixed)?, solve(&real)?);
                    let (c, inverses) = (invert(&mixed)?, invert(&real)?.only());
                    assert!(c.info.iter().all(|&code| code == 0), "{what}");
                    let c = c.only();
                    for i in 0..batch {
                        let a = product(uplo, &mixed[i].to_double());
                        let ratio = worst(solved(&a, &b[i], &x[i]), inverted(uplo, &a, &mixed[i], &c[i]));
                        assert!(ratio < 30.0, "{what} member {i}: {ratio}");
                        let same = same_bits(x[i].data(), clean[i].data()) && same_bits(c[i].data(), inverses[i].data());
                        assert!(same || i % 2 == 0, "{what} member {i} feels its neighbours");
                    }
                }
            });
        }
    }
    Ok(())
}

/// A diagonal element is zero only if both its parts are.
#[test]
fn a_zero_of_a_factor_is_told() -> Result<()> {
    let (session, place) = (Session::new(Library::required()), Placement::guarded());
    for dtype in [Dtype::C, Dtype::Z] {
        for n in [3, 16, 33, 100] {
            with_scalar!(dtype, T => for uplo in UPLO {
                let mut l: Vec<_> = factors::<T>(uplo, n, 3, 6).iter().map(|l| turned(uplo, l)).collect();
                l[1][(n / 2, n / 2)] = real(0.0);
                l[2][(n / 2, n / 2)] = T::from_double(<T as Scalar>::Double::parts(0.0, 2.0));
                let got = potri(&session, EntryForm::Pointers, uplo, &l, &place)?.run()?;
                assert_eq!(got.info, [0, n as i32 / 2 + 1, 0], "{} {n} {uplo:?}", dtype.letter());
                let ratio = inverted(uplo, &product(uplo, &l[2].to_double()), &l[2], &got.only()[2]);
                assert!(ratio < 30.0, "{} {n} {uplo:?}: {ratio}", dtype.letter());
            });
        }
    }
    Ok(())
}
