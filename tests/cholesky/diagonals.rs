//! Imaginary parts of diagonals, which are not looked at.

use crate::matrices::{UPLO, factors, inputs, real};
use tephra_testkit::engine::BATCH;
use tephra_testkit::guarded::Placement;
use tephra_testkit::library::Backend;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::cholesky::{posv, potrf, potri, potrs};
use tephra_testkit::ops::lu::FORMS;
use tephra_testkit::ops::q::random;
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::{Field, same_bits};
use tephra_testkit::{Dtype, Library, Matrix, Result, Scalar, with_scalar};

/// The same matrices with other imaginary parts on their diagonals.
fn spoilt<T: Scalar>(a: &[Matrix<T>]) -> Vec<Matrix<T>> {
    let parts = [3.0, f64::NAN, f64::INFINITY, -1e30];
    let one = |a: &Matrix<T>| {
        let element = |j: usize| T::narrow(<T as Scalar>::Wide::parts(a[(j, j)].wide().re(), parts[j % 4]));
        Matrix::from_fn(a.rows(), a.cols(), |i, j| if i == j { element(j) } else { a[(i, j)] })
    };
    a.iter().map(one).collect()
}

/// Of members one by one and in lanes. On a device the factors of larger systems are solved with as triangles, whose diagonals
/// are what they are.
#[test]
fn imaginary_parts_of_diagonals_are_not_looked_at() -> Result<()> {
    let (session, place) = (Session::new(Library::required()), Placement::guarded());
    let host = session.library().backend()? == Backend::Cpu;
    for dtype in [Dtype::C, Dtype::Z] {
        for (n, batch) in [(1, 1), (2, BATCH), (5, 1), (16, BATCH), (16, 1), (33, BATCH), (70, 1)] {
            with_scalar!(dtype, T => for uplo in UPLO {
                let a = inputs::<T>(Class::Uniform, uplo, n, batch, 5);
                let l = factors::<T>(uplo, n, batch, 6);
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
                    if !host && n > 16 {
                        continue;
                    }
                    let (clean, other) = (potrs(&session, form, uplo, &l, &b, &place)?.run()?, spoilt(&l));
                    same("potrs", &clean.only(), &potrs(&session, form, uplo, &other, &b, &place)?.run()?.only());
                    let clean = potri(&session, form, uplo, &l, &place)?.run()?;
                    same("potri", &clean.only(), &potri(&session, form, uplo, &other, &place)?.run()?.only());
                    if host {
                        let mut zero = l.clone();
                        zero.iter_mut().for_each(|l| l[(n / 2, n / 2)] = real(0.0));
                        let output = potri(&session, form, uplo, &spoilt(&zero), &place)?.run()?;
                        assert_eq!(output.info, vec![n as i32 / 2 + 1; batch], "potri {what}");
                    }
                }
            });
        }
    }
    Ok(())
}
