//! potrf.

use super::matrices::{Case, ORDERS, UPLO, cases, inputs, real, unfinished};
use tephra_testkit::engine::{BATCH, Determined, Entry, Inputs, Leftover, Member, Routine, Spot};
use tephra_testkit::guarded::Placement;
use tephra_testkit::lapack::Lapack;
use tephra_testkit::library::Backend;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::cholesky::{factorisation, potrf, triangle};
use tephra_testkit::ops::lu::FORMS;
use tephra_testkit::ops::{EntryForm, Prepared, Uplo};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::{Field, same_bits, worst};
use tephra_testkit::{Dtype, Library, Matrix, Result, Rng, Scalar, routine_tests, sweep, with_scalar};

struct Potrf;

impl Routine for Potrf {
    const NAME: &'static str = "potrf";
    const FORMS: &'static [EntryForm] = &FORMS;
    const REPORTS_CODES: &'static [EntryForm] = &FORMS;
    const CLASSES: &'static [Class] = &[Class::Uniform, Class::Cond2, Class::CondRoot, Class::RowScaled];
    type Case = Case;

    fn cases(_: Dtype) -> Vec<Self::Case> {
        cases(&ORDERS, &[0])
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        cases(&[2, 6, 20, 33, 70, 130], &[0])
    }
    fn zeros() -> Vec<Self::Case> {
        cases(&[0], &[0])
    }
    fn tiny() -> Option<Self::Case> {
        Some(Case { uplo: Uplo::Lower, n: 3, nrhs: 0 })
    }
    fn inputs<T: Scalar>(Case { uplo, n, .. }: Self::Case, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        vec![inputs(class, uplo, n, batch, seed)]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, case: Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        potrf(entry.session, entry.form, case.uplo, &inputs[0], &entry.place)
    }
    fn ratio<T: Scalar>(case: Self::Case, _: Class, member: &Member<T>) -> f64 {
        factorisation(case.uplo, &member.given[0], &member.got[0])
    }
    fn spots(Case { uplo, n, .. }: Self::Case) -> Vec<Spot> {
        let corner = if uplo == Uplo::Lower { (n - 1, 0) } else { (0, n - 1) };
        vec![
            Spot::not_finite(0, (0, 0)),
            Spot::not_finite(0, corner),
            Spot { operand: 0, at: (n / 2, n / 2), values: &[f64::NAN, -1.0] },
            Spot { operand: 0, at: (n - 1, n - 1), values: &[f64::NAN, 0.0] },
        ]
    }
    fn make_singular<T: Scalar>(Case { n, .. }: Self::Case, a: &mut Matrix<T>, flaw: usize) -> i32 {
        let j = [0, n / 2, n - 1][flaw];
        a[(j, j)] = real([0.0, -1.0, f64::NAN][flaw]);
        j as i32 + 1
    }
    fn leftovers<T: Scalar>(case: Self::Case, member: &Member<T>) -> Vec<Leftover> {
        vec![unfinished(case.uplo, member)]
    }
}

impl Determined for Potrf {
    const BOUND: f64 = 20.0;

    fn paths(backend: Backend) -> &'static [&'static str] {
        sweep::paths(backend)
    }
    fn determined<T: Scalar>(Case { uplo, n, .. }: Self::Case, batch: usize, rng: &mut Rng) -> Inputs<T> {
        vec![inputs(Class::Cond2, uplo, n, batch, (rng.uniform() * 1e6) as u64)]
    }
    /// The difference in units of n eps times the largest element.
    fn difference<T: Scalar>(lapack: &Lapack, Case { uplo, n, .. }: Self::Case, member: &Member<T>) -> Result<f64> {
        let (factor, code) = lapack.potrf(uplo == Uplo::Upper, &member.given[0])?;
        if code != 0 {
            return Ok(f64::INFINITY);
        }
        let only = |m: &Matrix<T>| triangle(uplo, m, |_, _| real(0.0)).to_double();
        let (expected, got) = (only(&factor), only(&member.got[0]));
        let largest = |m: &mut dyn Iterator<Item = f64>| m.fold(0.0, worst);
        let difference = largest(&mut expected.data().iter().zip(got.data()).map(|(&x, &y)| (x - y).abs()));
        Ok(difference / (largest(&mut expected.data().iter().map(|x| x.abs())) * n as f64 * T::DTYPE.eps()))
    }
}

routine_tests!([Potrf]:
    a_bad_member_stays_alone,
    a_member_that_is_not_definite_is_told = a_singular_member_is_told_and_stays_alone,
    elements_are_lapacks,
    extreme_members,
    zero_sizes_touch_nothing,
    batches_beyond_the_limits_of_a_grid,
);

/// For input of every class, the ratio is below LAPACK's threshold and, if it exceeds a tenth of that, at most twice
/// LAPACK's own.
#[test]
fn hard_matrices_are_factored_as_well_as_by_lapack() -> Result<()> {
    const CLASSES: [Class; 13] = [
        Class::Diagonal,
        Class::Identity,
        Class::Cond2,
        Class::CondRoot,
        Class::CondHigh,
        Class::Clustered,
        Class::NearUnderflow,
        Class::NearOverflow,
        Class::RowScaled,
        Class::Banded,
        Class::Toeplitz,
        Class::Hilbert,
        Class::Kahan,
    ];
    let (session, lapack) = (Session::new(Library::required()), Lapack::get_unless_waived()?);
    for dtype in Dtype::ALL {
        for (seed, n) in [1, 2, 7, 10, 31, 48, 100].into_iter().enumerate() {
            for class in CLASSES {
                with_scalar!(dtype, T => for uplo in UPLO {
                    let a = inputs::<T>(class, uplo, n, BATCH, seed as u64);
                    let output = potrf(&session, EntryForm::Strided, uplo, &a, &Placement::guarded())?.run()?;
                    for (i, a) in a.iter().enumerate() {
                        let what = format!("{} {n} {uplo:?} {}", dtype.letter(), class.name());
                        assert_eq!(output.info[i], 0, "{what}");
                        let ratio = factorisation(uplo, a, &output.operands[0][i]);
                        let own = match &lapack {
                            Some(lapack) => factorisation(uplo, a, &lapack.potrf(uplo == Uplo::Upper, a)?.0),
                            None => 0.0,
                        };
                        assert!(ratio < 30.0 && ratio <= (2.0 * own).max(sweep::floor(n)), "{what}: {ratio}, LAPACK's {own}");
                    }
                });
            }
        }
    }
    Ok(())
}

/// The imaginary parts of the diagonal and the whole other triangle are ignored, even NaN.
#[test]
fn what_is_not_the_triangle_is_not_read() -> Result<()> {
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for n in [1, 5, 17, 33, 70, 130] {
            with_scalar!(dtype, T => for uplo in UPLO {
                let clean = inputs::<T>(Class::Uniform, uplo, n, BATCH, 5);
                let spoil = |a: &Matrix<T>| {
                    let mut a = triangle(uplo, a, |_, _| T::POISON);
                    for j in 0..n {
                        a[(j, j)] = T::from_double(<T as Scalar>::Double::parts(a[(j, j)].to_double().re(), f64::NAN));
                    }
                    a
                };
                let spoiled: Vec<_> = clean.iter().map(spoil).collect();
                let run = |a: &[Matrix<T>]| potrf(&session, EntryForm::Pointers, uplo, a, &Placement::guarded())?.run();
                let (expected, got) = (run(&clean)?, run(&spoiled)?);
                assert_eq!(expected.info, got.info);
                for (i, (x, y)) in expected.operands[0].iter().zip(&got.operands[0]).enumerate() {
                    let only = |m: &Matrix<T>| triangle(uplo, m, |_, _| real(0.0));
                    assert!(same_bits(only(x).data(), only(y).data()), "{} {n} {uplo:?} {i}", dtype.letter());
                    assert!(tephra_testkit::ops::cholesky::other_triangle_unchanged(uplo, &spoiled[i], y), "{} {n} {uplo:?}", dtype.letter());
                }
            });
        }
    }
    Ok(())
}
