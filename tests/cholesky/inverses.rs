//! potri.

use super::matrices::{Case, ORDERS, UPLO, cases, factors, real};
use tephra_testkit::engine::{Entry, Inputs, Leftover, Member, Routine, Spot};
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::cholesky::{inverted, potri, product, triangle};
use tephra_testkit::ops::lu::FORMS;
use tephra_testkit::ops::{EntryForm, Prepared, Uplo};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::{Field, same_bits};
use tephra_testkit::{Dtype, Library, Matrix, Result, Scalar, routine_tests, with_scalar};

struct Potri;

impl Routine for Potri {
    const NAME: &'static str = "potri";
    const FORMS: &'static [EntryForm] = &FORMS;
    const REPORTS_CODES: &'static [EntryForm] = &FORMS;
    type Case = Case;

    fn cases(_: Dtype) -> Vec<Self::Case> {
        cases(&ORDERS, &[0])
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        cases(&[4, 33, 70], &[0])
    }
    fn zeros() -> Vec<Self::Case> {
        cases(&[0], &[0])
    }
    fn tiny() -> Option<Self::Case> {
        Some(Case { uplo: Uplo::Lower, n: 3, nrhs: 0 })
    }
    fn inputs<T: Scalar>(Case { uplo, n, .. }: Self::Case, _: Class, batch: usize, seed: u64) -> Inputs<T> {
        vec![factors(uplo, n, batch, seed)]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, case: Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        potri(entry.session, entry.form, case.uplo, &inputs[0], &entry.place)
    }
    fn ratio<T: Scalar>(Case { uplo, n, .. }: Self::Case, _: Class, member: &Member<T>) -> f64 {
        let (factor, got) = (&member.given[0], &member.got[0]);
        if (0..n).any(|j| got[(j, j)].to_double().im() != 0.0) {
            return f64::INFINITY;
        }
        inverted(uplo, &product(uplo, &factor.to_double()), factor, got)
    }
    fn spots(Case { uplo, n, .. }: Self::Case) -> Vec<Spot> {
        let corner = if uplo == Uplo::Lower { (n - 1, 0) } else { (0, n - 1) };
        let nan = |at| Spot { operand: 0, at, values: &[f64::NAN] };
        vec![nan((n - 1, n - 1)), nan((0, 0)), nan(corner)]
    }
    fn make_singular<T: Scalar>(Case { n, .. }: Self::Case, a: &mut Matrix<T>, flaw: usize) -> i32 {
        let j = [0, n / 2, n - 1][flaw];
        a[(j, j)] = real(0.0);
        j as i32 + 1
    }
    fn leftovers<T: Scalar>(_: Self::Case, member: &Member<T>) -> Vec<Leftover> {
        vec![Leftover::unchanged("A", &member.given[0], &member.got[0])]
    }
}

routine_tests!([Potri]:
    a_bad_member_stays_alone,
    a_singular_member_is_told_and_stays_alone,
    zero_sizes_touch_nothing,
    batches_beyond_the_limits_of_a_grid,
);

/// A factor with a zero on its diagonal stays unchanged, and the other triangle is not read.
#[test]
fn a_singular_factor_stays_as_it_is() -> Result<()> {
    let (session, place) = (Session::new(Library::required()), Placement::guarded());
    for dtype in Dtype::ALL {
        for n in [1, 6, 33, 70] {
            with_scalar!(dtype, T => for uplo in UPLO {
                let mut a = factors::<T>(uplo, n, 3, 4);
                a[1][(n / 2, n / 2)] = real(0.0);
                let spoiled: Vec<_> = a.iter().map(|a| triangle(uplo, a, |_, _| T::POISON)).collect();
                for form in FORMS {
                    let clean = potri(&session, form, uplo, &a, &place)?.run()?;
                    let got = potri(&session, form, uplo, &spoiled, &place)?.run()?;
                    let what = format!("{} {n} {uplo:?} {form:?}", dtype.letter());
                    assert_eq!((clean.info[1], &clean.info), (n as i32 / 2 + 1, &got.info), "{what}");
                    let (clean, got) = (clean.only(), got.only());
                    assert!(same_bits(clean[1].data(), a[1].data()), "{what}");
                    for (x, y) in clean.iter().zip(&got) {
                        let only = |m: &Matrix<T>| triangle(uplo, m, |_, _| real(0.0));
                        assert!(same_bits(only(x).data(), only(y).data()), "{what}");
                    }
                }
            });
        }
    }
    Ok(())
}
