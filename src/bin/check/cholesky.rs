//! Cholesky of both triangles, and what is made of its factors.

use super::operations::{BATCH, Named, every, shapes, uniform};
use super::table::Tally;
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::{Class, definite};
use tephra_testkit::ops::cholesky::{
    factorisation, hermitian, inverted, posv, potrf, potri, potrs, product, reference, solved, triangle,
};
use tephra_testkit::ops::lu::FORMS;
use tephra_testkit::ops::{Output, Uplo};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::Field;
use tephra_testkit::{Matrix, Rng, Scalar};

/// Right-hand sides: one, few, and more.
const SIDES: [usize; 3] = [1, 3, 9];

/// All operations.
pub fn all<T: Scalar>() -> [Named; 4] {
    [("potrf", factors::<T>), ("potrs", solutions::<T>), ("posv", systems::<T>), ("potri", inverses::<T>)]
}

/// The orders of the shapes, with both triangles of positive definite matrices, and ones in the place of the rest.
fn triangles<T: Scalar>(each: impl Fn(&mut Tally, Uplo, &[Matrix<T>])) -> Tally {
    let one = T::narrow(<T as Scalar>::Wide::ONE);
    shapes(|tally, _, n| {
        for uplo in [Uplo::Lower, Uplo::Upper] {
            let mut rng = Rng::new(n as u64);
            let of = |_| triangle(uplo, &definite(Class::Uniform, n, &mut rng), |_, _| one);
            each(tally, uplo, &(0..BATCH).map(of).collect::<Vec<_>>());
        }
    })
}

/// The ratio where the routine says that all is well.
fn unless_told<T: Scalar>(o: &Output<T>, i: usize, ratio: impl FnOnce() -> f64) -> f64 {
    if o.info[i] == 0 { ratio() } else { f64::NAN }
}

fn factors<T: Scalar>(session: &Session) -> Tally {
    triangles::<T>(|tally, uplo, a| {
        let call = |form| potrf(session, form, uplo, a, &Placement::guarded());
        let measure = |o: &Output<T>, i: usize| unless_told(o, i, || factorisation(uplo, &a[i], &o.operands[0][i]));
        every(tally, &format!("{} {uplo:?}", a[0].rows()), &FORMS, &call, &measure);
    })
}

fn solutions<T: Scalar>(session: &Session) -> Tally {
    triangles::<T>(|tally, uplo, a| {
        let (n, factors): (_, Vec<_>) = (a[0].rows(), a.iter().map(|a| reference(uplo, a)).collect());
        for nrhs in SIDES {
            let b = uniform::<T>(n, nrhs);
            let call = |form| potrs(session, form, uplo, &factors, &b, &Placement::guarded());
            let measure =
                |o: &Output<T>, i: usize| solved(&product(uplo, &factors[i].wide()), &b[i], &o.operands[0][i]);
            every(tally, &format!("{n} {uplo:?}, {nrhs}"), &FORMS, &call, &measure);
        }
    })
}

fn systems<T: Scalar>(session: &Session) -> Tally {
    triangles::<T>(|tally, uplo, a| {
        for nrhs in SIDES {
            let b = uniform::<T>(a[0].rows(), nrhs);
            let call = |form| posv(session, form, uplo, a, &b, &Placement::guarded());
            let measure = |o: &Output<T>, i: usize| {
                unless_told(o, i, || solved(&hermitian(uplo, &a[i].wide()), &b[i], &o.operands[1][i]))
            };
            every(tally, &format!("{} {uplo:?}, {nrhs}", a[0].rows()), &FORMS, &call, &measure);
        }
    })
}

fn inverses<T: Scalar>(session: &Session) -> Tally {
    triangles::<T>(|tally, uplo, a| {
        let factors: Vec<_> = a.iter().map(|a| reference(uplo, a)).collect();
        let call = |form| potri(session, form, uplo, &factors, &Placement::guarded());
        let measure = |o: &Output<T>, i: usize| {
            let a = product(uplo, &factors[i].wide());
            unless_told(o, i, || inverted(uplo, &a, &factors[i], &o.operands[0][i]))
        };
        every(tally, &format!("{} {uplo:?}", a[0].rows()), &FORMS, &call, &measure);
    })
}
