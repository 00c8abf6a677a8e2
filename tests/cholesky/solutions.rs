//! potrs and posv.

use super::matrices::{Case, ORDERS, UPLO, cases, factors, inputs, real, unfinished};
use tephra_testkit::engine::{BATCH, Entry, Inputs, Leftover, Member, Routine, Spot};
use tephra_testkit::guarded::Placement;
use tephra_testkit::library::Backend;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::cholesky::{factorisation, hermitian, posv, potrf, potrs, product, solved};
use tephra_testkit::ops::lu::FORMS;
use tephra_testkit::ops::q::random;
use tephra_testkit::ops::{EntryForm, Prepared, Uplo};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::{same_bits, worst};
use tephra_testkit::{Dtype, Library, Matrix, Result, Scalar, routine_tests, with_scalar};

struct Potrs;

impl Routine for Potrs {
    const NAME: &'static str = "potrs";
    const FORMS: &'static [EntryForm] = &FORMS;
    const SCALED: usize = 1;
    type Case = Case;

    fn cases(_: Dtype) -> Vec<Self::Case> {
        cases(&ORDERS, &[1, 3, 4, 9])
    }
    fn full(_: Dtype) -> Vec<Self::Case> {
        cases(&[24, 33, 64, 100], &[40, 100])
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        cases(&[4, 33, 70], &[2, 7])
    }
    fn zeros() -> Vec<Self::Case> {
        [cases(&[0], &[2]), cases(&[3], &[0])].concat()
    }
    fn tiny() -> Option<Self::Case> {
        Some(Case { uplo: Uplo::Upper, n: 3, nrhs: 1 })
    }
    fn inputs<T: Scalar>(Case { uplo, n, nrhs }: Self::Case, _: Class, batch: usize, seed: u64) -> Inputs<T> {
        vec![factors(uplo, n, batch, seed), random(Class::Uniform, n, nrhs, batch, seed + 1)]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, case: Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        potrs(entry.session, entry.form, case.uplo, &inputs[0], &inputs[1], &entry.place)
    }
    fn ratio<T: Scalar>(case: Self::Case, _: Class, member: &Member<T>) -> f64 {
        solved(&product(case.uplo, &member.given[0].to_double()), &member.given[1], &member.got[0])
    }
    fn spots(Case { n, .. }: Self::Case) -> Vec<Spot> {
        let nan = |at| Spot { operand: 0, at, values: &[f64::NAN] };
        vec![nan((n - 1, n - 1)), nan((0, 0)), Spot::not_finite(1, (n - 1, 0))]
    }
    fn make_singular<T: Scalar>(Case { n, .. }: Self::Case, a: &mut Matrix<T>, flaw: usize) -> i32 {
        let j = [0, n / 2, n - 1][flaw];
        a[(j, j)] = real(0.0);
        j as i32 + 1
    }
    fn leftovers<T: Scalar>(Case { n, .. }: Self::Case, member: &Member<T>) -> Vec<Leftover> {
        vec![Leftover::no_column_finite("B", n, &member.got[0])]
    }
}

mod from_factors {
    use super::*;

    routine_tests!([Potrs]:
        a_bad_member_stays_alone,
        a_singular_member_stays_alone = a_singular_member_is_told_and_stays_alone,
        extreme_right_hand_sides = extreme_members,
        zero_sizes_touch_nothing,
        batches_beyond_the_limits_of_a_grid,
    );
}

struct Posv;

impl Routine for Posv {
    const NAME: &'static str = "posv";
    const FORMS: &'static [EntryForm] = &FORMS;
    const REPORTS_CODES: &'static [EntryForm] = &FORMS;
    const CLASSES: &'static [Class] = &[Class::Uniform, Class::CondRoot];
    type Case = Case;

    fn cases(_: Dtype) -> Vec<Self::Case> {
        cases(&ORDERS, &[1, 4, 9])
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        cases(&[4, 33, 70], &[2, 7])
    }
    fn zeros() -> Vec<Self::Case> {
        cases(&[0], &[0, 2])
    }
    fn tiny() -> Option<Self::Case> {
        Some(Case { uplo: Uplo::Lower, n: 3, nrhs: 1 })
    }
    fn inputs<T: Scalar>(Case { uplo, n, nrhs }: Self::Case, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        vec![inputs(class, uplo, n, batch, seed), random(Class::Uniform, n, nrhs, batch, seed + 1)]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, case: Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        posv(entry.session, entry.form, case.uplo, &inputs[0], &inputs[1], &entry.place)
    }
    fn ratio<T: Scalar>(case: Self::Case, _: Class, member: &Member<T>) -> f64 {
        let a = hermitian(case.uplo, &member.given[0].to_double());
        let solved = solved(&a, &member.given[1], &member.got[1]);
        worst(solved, factorisation(case.uplo, &member.given[0], &member.got[0]))
    }
    fn spots(Case { n, .. }: Self::Case) -> Vec<Spot> {
        vec![Spot { operand: 0, at: (n / 2, n / 2), values: &[f64::NAN, -1.0] }, Spot::not_finite(1, (0, 0))]
    }
    fn make_singular<T: Scalar>(Case { n, .. }: Self::Case, a: &mut Matrix<T>, flaw: usize) -> i32 {
        let j = [0, n / 2, n - 1][flaw];
        a[(j, j)] = real(-1.0);
        j as i32 + 1
    }
    fn leftovers<T: Scalar>(case: Self::Case, member: &Member<T>) -> Vec<Leftover> {
        vec![unfinished(case.uplo, member), Leftover::unspecified("B")]
    }
}

mod from_matrices {
    use super::*;

    routine_tests!([Posv]:
        a_bad_member_stays_alone,
        a_member_that_is_not_definite_is_told = a_singular_member_is_told_and_stays_alone,
        extreme_members,
        zero_sizes_touch_nothing,
        batches_beyond_the_limits_of_a_grid,
    );
}

/// posv gives the factors, solutions and codes of potrf and potrs, bitwise on host memory. Without right-hand sides it
/// still factors A. A matrix that is not positive definite has no solution.
#[test]
fn posv_is_potrf_and_potrs() -> Result<()> {
    let session = Session::new(Library::required());
    let exact = session.library().backend()? == Backend::Cpu;
    for dtype in Dtype::ALL {
        for Case { uplo, n, nrhs } in cases(&[1, 7, 32, 45, 100], &[0, 1, 5]) {
            with_scalar!(dtype, T => for form in FORMS {
                let mut a = inputs::<T>(Class::Uniform, uplo, n, BATCH, n as u64);
                a[1][(n / 2, n / 2)] = real(-1.0);
                let (b, place) = (random::<T>(Class::Uniform, n, nrhs, BATCH, 2), Placement::guarded());
                let whole = posv(&session, form, uplo, &a, &b, &place)?.run()?;
                let factored = potrf(&session, form, uplo, &a, &place)?.run()?;
                let solved = potrs(&session, form, uplo, &factored.operands[0], &b, &place)?.run()?.only();
                let what = format!("{} {n}, {nrhs} {uplo:?} {form:?}", dtype.letter());
                assert_eq!((&whole.info, whole.info[1]), (&factored.info, n as i32 / 2 + 1), "{what}");
                for i in (0..BATCH).filter(|i| whole.info[*i] == 0 && exact) {
                    for (got, expected) in [(&whole.operands[0][i], &factored.operands[0][i]), (&whole.operands[1][i], &solved[i])] {
                        assert!(same_bits(got.data(), expected.data()), "{what} member {i}");
                    }
                }
            });
        }
    }
    Ok(())
}

/// With a stride of 0, all systems share one matrix; the other triangle is not read.
#[test]
fn one_factor_for_all_systems() -> Result<()> {
    let session = Session::new(Library::required());
    let place = Placement::guarded();
    for uplo in UPLO {
        let (a, b) = (factors::<f64>(uplo, 20, 1, 3), random::<f64>(Class::Uniform, 20, 3, 4, 5));
        let spoiled = tephra_testkit::ops::cholesky::triangle(uplo, &a[0], |_, _| f64::NAN);
        let one = |a: &Matrix<f64>, b: &[Matrix<f64>]| {
            Ok::<_, tephra_testkit::Error>(
                potrs(&session, EntryForm::Pointers, uplo, &vec![a.clone(); b.len()], b, &place)?.run()?.only(),
            )
        };
        for (x, y) in one(&a[0], &b)?.iter().zip(&one(&spoiled, &b)?) {
            assert!(same_bits(x.data(), y.data()));
        }
    }
    Ok(())
}
