//! getrs and gesv.

use super::matrices::{all_interchanges, factors, inputs, nan, real};
use tephra_testkit::engine::{BATCH, Entry, Inputs, Leftover, Member, Routine, Spot};
use tephra_testkit::guarded::Placement;
use tephra_testkit::library::Backend;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::lu::{FORMS, gesv, getrf, getrs};
use tephra_testkit::ops::q::random;
use tephra_testkit::ops::residuals::{factored, factorisation, solution};
use tephra_testkit::ops::{EntryForm, Prepared, Trans};
use tephra_testkit::qr::Session;
use tephra_testkit::ratios::Ratios;
use tephra_testkit::scalar::{same_bits, worst};
use tephra_testkit::{Dtype, Field, Library, Matrix, Result, Scalar, routine_tests, with_scalar};

/// Both sides of the edges of packs and blocks.
const ORDERS: [usize; 16] = [1, 2, 3, 5, 8, 15, 16, 17, 31, 32, 33, 64, 65, 100, 130, 200];

struct Getrs;

/// The parameters of getrs.
#[derive(Clone, Copy, Debug)]
struct Solve {
    trans: Trans,
    n: usize,
    nrhs: usize,
    pivoting: bool,
}

fn solves(orders: &[usize], columns: &[usize]) -> Vec<Solve> {
    let mut all = vec![];
    for &n in orders {
        for (i, &nrhs) in columns.iter().enumerate() {
            for &trans in Trans::ALL {
                all.push(Solve { trans, n, nrhs, pivoting: !(n + i).is_multiple_of(3) });
            }
        }
    }
    all
}

/// The operands are A, B and the interchanges.
impl Routine for Getrs {
    const NAME: &'static str = "getrs";
    const FORMS: &'static [EntryForm] = &FORMS;
    const SCALED: usize = 1;
    type Case = Solve;

    fn cases(_: Dtype) -> Vec<Self::Case> {
        solves(&ORDERS, &[1, 3, 4, 9])
    }
    fn full(_: Dtype) -> Vec<Self::Case> {
        solves(&[24, 33, 64, 100], &[40, 100])
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        solves(&[4, 33, 70], &[2, 7])
    }
    fn zeros() -> Vec<Self::Case> {
        [solves(&[0], &[2]), solves(&[3], &[0])].concat()
    }
    fn tiny() -> Option<Self::Case> {
        Some(Solve { trans: Trans::T, n: 3, nrhs: 1, pivoting: true })
    }
    fn inputs<T: Scalar>(case: Self::Case, _: Class, batch: usize, seed: u64) -> Inputs<T> {
        let (a, ipiv) = factors::<T>(case.n, case.pivoting, batch, seed);
        vec![a, random(Class::Uniform, case.n, case.nrhs, batch, seed + 1), ipiv]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, case: Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        let ipiv = case.pivoting.then_some(&inputs[2][..]);
        getrs(entry.session, entry.form, case.trans, &inputs[0], ipiv, &inputs[1], &entry.place)
    }
    fn ratio<T: Scalar>(case: Self::Case, _: Class, member: &Member<T>) -> f64 {
        solution(case.trans, &factored(&member.given[0], &member.given[2]), &member.given[1], &member.got[0])
    }
    fn spots(case: Self::Case) -> Vec<Spot> {
        let last = case.n - 1;
        vec![nan(0, (last, last)), nan(0, (0, 0)), Spot::not_finite(1, (last, 0))]
    }
    fn make_singular<T: Scalar>(case: Self::Case, a: &mut Matrix<T>, flaw: usize) -> i32 {
        let j = [0, case.n / 2, case.n - 1][flaw];
        a[(j, j)] = real(0.0);
        j as i32 + 1
    }
    fn leftovers<T: Scalar>(case: Self::Case, member: &Member<T>) -> Vec<Leftover> {
        vec![Leftover::no_column_finite("B", case.n, &member.got[0])]
    }
}

mod from_factors {
    use super::*;

    routine_tests!([Getrs]:
        a_bad_member_stays_alone,
        a_singular_member_stays_alone = a_singular_member_is_told_and_stays_alone,
        extreme_right_hand_sides = extreme_members,
        zero_sizes_touch_nothing,
        batches_beyond_the_limits_of_a_grid,
    );
}

struct Gesv;

fn with_columns(orders: &[usize], columns: &[usize]) -> Vec<[usize; 2]> {
    orders.iter().flat_map(|&n| columns.iter().map(move |&nrhs| [n, nrhs])).collect()
}

impl Routine for Gesv {
    const NAME: &'static str = "gesv";
    const FORMS: &'static [EntryForm] = &FORMS;
    const REPORTS_CODES: &'static [EntryForm] = &FORMS;
    const CLASSES: &'static [Class] = &[Class::Uniform, Class::CondRoot];
    /// Order and right-hand sides.
    type Case = [usize; 2];

    fn cases(_: Dtype) -> Vec<Self::Case> {
        with_columns(&ORDERS, &[1, 4, 9])
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        with_columns(&[4, 33, 70], &[2, 7])
    }
    fn zeros() -> Vec<Self::Case> {
        vec![[0, 0], [0, 2]]
    }
    fn tiny() -> Option<Self::Case> {
        Some([3, 1])
    }
    fn inputs<T: Scalar>([n, nrhs]: Self::Case, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        vec![inputs(class, (n, n), true, batch, seed), random(Class::Uniform, n, nrhs, batch, seed + 1)]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, _: Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        gesv(entry.session, entry.form, &inputs[0], &inputs[1], &entry.place)
    }
    fn ratio<T: Scalar>(_: Self::Case, _: Class, member: &Member<T>) -> f64 {
        let solved = solution(Trans::N, &member.given[0].to_double(), &member.given[1], &member.got[1]);
        worst(solved, factorisation(&member.given[0], &member.got[0], &member.got[2]))
    }
    fn spots([n, _]: Self::Case) -> Vec<Spot> {
        vec![Spot::not_finite(0, (n / 2, 0)), Spot::not_finite(1, (0, 0))]
    }
    fn make_singular<T: Scalar>([n, _]: Self::Case, a: &mut Matrix<T>, flaw: usize) -> i32 {
        let column = [0, n / 2, n - 1][flaw];
        a.col_mut(column).fill(real(0.0));
        column as i32 + 1
    }
    fn leftovers<T: Scalar>([n, _]: Self::Case, member: &Member<T>) -> Vec<Leftover> {
        let [a, b, ipiv] = &member.got[..] else { unreachable!() };
        let right = factorisation(&member.given[0], a, ipiv) < Ratios::THRESHOLD;
        vec![
            Leftover::stated("A", "the factors", right),
            Leftover::no_column_finite("B", n, b),
            all_interchanges(n, ipiv),
        ]
    }
}

mod from_matrices {
    use super::*;

    routine_tests!([Gesv]:
        a_bad_member_stays_alone,
        a_singular_member_is_told_and_stays_alone,
        extreme_members,
        zero_sizes_touch_nothing,
        batches_beyond_the_limits_of_a_grid,
    );
}

/// Whether no element differs by more than this fraction of the largest.
fn close<T: Scalar>(got: &Matrix<T>, expected: &Matrix<T>, part: f64) -> bool {
    let largest = expected.data().iter().map(|x| x.to_double().abs()).fold(0.0, f64::max);
    got.data().iter().zip(expected.data()).all(|(g, e)| (g.to_double() - e.to_double()).abs() <= part * largest)
}

/// gesv gives the factors, interchanges, solutions and codes of getrf and getrs, bitwise on host memory; on devices,
/// kernels with the same steps may round complex products differently. Without right-hand sides it still factors A. A
/// singular matrix has no solution.
#[test]
fn gesv_is_getrf_and_getrs() -> Result<()> {
    let session = Session::new(Library::required());
    let rounds_apart = Library::required().backend()? == Backend::Cuda;
    for dtype in Dtype::ALL {
        for [n, nrhs] in with_columns(&[1, 7, 32, 45, 100], &[0, 1, 5]) {
            with_scalar!(dtype, T => for form in FORMS {
                let mut a = inputs::<T>(Class::Uniform, (n, n), true, BATCH, n as u64);
                a[1].col_mut(n / 2).fill(real(0.0));
                let b = random::<T>(Class::Uniform, n, nrhs, BATCH, 2);
                let place = Placement::guarded();
                let whole = gesv(&session, form, &a, &b, &place)?.run()?;
                let factors = getrf(&session, form, true, &a, &place)?.run()?;
                let (f, ipiv) = (&factors.operands[0], &factors.operands[1]);
                let solved = getrs(&session, form, Trans::N, f, Some(ipiv), &b, &place)?.run()?.only();
                let what = format!("{} {n}, {nrhs} {form:?}", dtype.letter());
                assert_eq!((&whole.info, whole.info[1]), (&factors.info, n as i32 / 2 + 1), "{what}");
                for i in (0..BATCH).filter(|i| whole.info[*i] == 0) {
                    let x = &solved[i];
                    for (got, expected) in [&whole.operands[0][i], &whole.operands[1][i], &whole.operands[2][i]].into_iter().zip([&f[i], x, &ipiv[i]]) {
                        let near = rounds_apart && dtype.is_complex() && close(got, expected, 1e4 * n as f64 * dtype.eps());
                        assert!(near || same_bits(got.data(), expected.data()), "{what} member {i}");
                    }
                }
            });
        }
    }
    Ok(())
}
