//! Cholesky, and what is made of its factors.

use super::operations::{BATCH, Named, every, shapes, uniform};
use super::table::Tally;
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::{Class, definite};
use tephra_testkit::ops::cholesky::{
    factorisation, hermitian, inverted, posv, potrf, potri, product, reference, solved, triangle,
};
use tephra_testkit::ops::lu::FORMS;
use tephra_testkit::ops::{Output, Uplo};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::Field;
use tephra_testkit::{Matrix, Rng, Scalar};

/// All operations.
pub fn all<T: Scalar>() -> [Named; 3] {
    [("potrf", factored::<T>), ("posv", systems::<T>), ("potri", inverses::<T>)]
}

const TRIANGLES: [Uplo; 2] = [Uplo::Lower, Uplo::Upper];

/// Triangles of positive definite matrices, and ones in the place of the rest.
fn positive<T: Scalar>(uplo: Uplo, n: usize) -> Vec<Matrix<T>> {
    let (mut rng, one) = (Rng::new(n as u64), T::narrow(<T as Scalar>::Wide::ONE));
    (0..BATCH).map(|_| triangle(uplo, &definite(Class::Uniform, n, &mut rng), |_, _| one)).collect()
}

/// Cholesky of both triangles.
fn factored<T: Scalar>(session: &Session) -> Tally {
    shapes(|tally, _, n| {
        for uplo in TRIANGLES {
            let a = positive::<T>(uplo, n);
            let call = |form| potrf(session, form, uplo, &a, &Placement::guarded());
            let measure = |o: &Output<T>, i: usize| match o.info[i] {
                0 => factorisation(uplo, &a[i], &o.operands[0][i]),
                _ => f64::NAN,
            };
            every(tally, &format!("{n} {uplo:?}"), &FORMS, &call, &measure);
        }
    })
}

/// Systems with a positive definite matrix.
fn systems<T: Scalar>(session: &Session) -> Tally {
    shapes(|tally, _, n| {
        for uplo in TRIANGLES {
            let (a, b) = (positive::<T>(uplo, n), uniform(n, 9));
            let call = |form| posv(session, form, uplo, &a, &b, &Placement::guarded());
            let measure = |o: &Output<T>, i: usize| match o.info[i] {
                0 => solved(&hermitian(uplo, &a[i].wide()), &b[i], &o.operands[1][i]),
                _ => f64::NAN,
            };
            every(tally, &format!("{n} {uplo:?}"), &FORMS, &call, &measure);
        }
    })
}

/// Inverses from Cholesky's factors.
fn inverses<T: Scalar>(session: &Session) -> Tally {
    shapes(|tally, _, n| {
        for uplo in TRIANGLES {
            let factors: Vec<_> = positive::<T>(uplo, n).iter().map(|a| reference(uplo, a)).collect();
            let call = |form| potri(session, form, uplo, &factors, &Placement::guarded());
            let measure = |o: &Output<T>, i: usize| match o.info[i] {
                0 => {
                    let a = product(uplo, &factors[i].wide());
                    inverted(uplo, &a, &factors[i], &o.operands[0][i])
                }
                _ => f64::NAN,
            };
            every(tally, &format!("{n} {uplo:?}"), &FORMS, &call, &measure);
        }
    })
}
