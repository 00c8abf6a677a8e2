//! getri and inv, in place and out of place.

use super::matrices::{factors, inputs, nan, real};
use tephra_testkit::engine::{BATCH, Entry, Inputs, Leftover, Member, Routine, Spot};
use tephra_testkit::guarded::Placement;
use tephra_testkit::library::Backend;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::lu::{FORMS, getrf, getri, inv};
use tephra_testkit::ops::residuals::{factored, inverse};
use tephra_testkit::ops::{EntryForm, Prepared};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::same_bits;
use tephra_testkit::{Dtype, Library, Matrix, Result, Scalar, routine_tests, with_scalar};

/// Both sides of the edges of packs and blocks.
const ORDERS: [usize; 15] = [1, 2, 3, 5, 8, 15, 16, 17, 31, 32, 33, 64, 65, 100, 130];

/// A case: what is inverted, and where the result goes.
#[derive(Clone, Copy, Debug)]
struct Invert {
    n: usize,
    in_place: bool,
    /// Whether there are interchanges; inv always has them.
    pivoting: bool,
}

fn cases(orders: &[usize], without: bool) -> Vec<Invert> {
    let of = |&n: &usize| {
        let flags = [(false, true), (true, true), (false, false), (true, false)];
        flags.into_iter().map(move |(in_place, pivoting)| Invert { n, in_place, pivoting })
    };
    orders.iter().flat_map(of).filter(|case| case.pivoting || without).collect()
}

/// The initial C, which is not read.
fn unset<T: Scalar>(n: usize, batch: usize) -> Vec<Matrix<T>> {
    vec![Matrix::from_fn(n, n, |_, _| T::POISON); batch]
}

struct Getri;

impl Routine for Getri {
    const NAME: &'static str = "getri";
    const FORMS: &'static [EntryForm] = &FORMS;
    const REPORTS_CODES: &'static [EntryForm] = &FORMS;
    type Case = Invert;

    fn cases(_: Dtype) -> Vec<Self::Case> {
        cases(&ORDERS, true)
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        cases(&[4, 20, 33, 70, 150], true)
    }
    fn zeros() -> Vec<Self::Case> {
        cases(&[0], true)
    }
    fn tiny() -> Option<Self::Case> {
        Some(Invert { n: 3, in_place: true, pivoting: true })
    }
    fn inputs<T: Scalar>(case: Self::Case, _: Class, batch: usize, seed: u64) -> Inputs<T> {
        let (a, ipiv) = factors::<T>(case.n, case.pivoting, batch, seed);
        vec![a, ipiv]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, case: Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        let (c, ipiv) = (unset(case.n, inputs[0].len()), case.pivoting.then_some(&inputs[1][..]));
        getri(entry.session, entry.form, &inputs[0], ipiv, (!case.in_place).then_some(&c[..]), &entry.place)
    }
    fn ratio<T: Scalar>(_: Self::Case, _: Class, member: &Member<T>) -> f64 {
        inverse(&factored(&member.given[0], &member.given[1]), &member.got[0])
    }
    fn spots(case: Self::Case) -> Vec<Spot> {
        let last = case.n - 1;
        vec![nan(0, (last, last)), nan(0, (last, 0))]
    }
    fn make_singular<T: Scalar>(case: Self::Case, a: &mut Matrix<T>, flaw: usize) -> i32 {
        let j = [0, case.n / 2, case.n - 1][flaw];
        a[(j, j)] = real(0.0);
        j as i32 + 1
    }
    fn leftovers<T: Scalar>(_: Self::Case, member: &Member<T>) -> Vec<Leftover> {
        vec![Leftover::nan("C", &member.got[0])]
    }
}

mod from_factors {
    use super::*;

    routine_tests!([Getri]:
        a_bad_member_stays_alone,
        a_singular_member_is_told_and_stays_alone,
        zero_sizes_touch_nothing,
        batches_beyond_the_limits_of_a_grid,
    );
}

struct Inv;

impl Routine for Inv {
    const NAME: &'static str = "inv";
    const FORMS: &'static [EntryForm] = &FORMS;
    const REPORTS_CODES: &'static [EntryForm] = &FORMS;
    const CLASSES: &'static [Class] = &[Class::Uniform, Class::Cond2, Class::RowScaled];
    type Case = Invert;

    fn cases(_: Dtype) -> Vec<Self::Case> {
        cases(&ORDERS, false)
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        cases(&[4, 20, 33, 70, 150], false)
    }
    fn zeros() -> Vec<Self::Case> {
        cases(&[0], false)
    }
    fn tiny() -> Option<Self::Case> {
        Some(Invert { n: 3, in_place: false, pivoting: true })
    }
    fn inputs<T: Scalar>(case: Self::Case, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        vec![inputs(class, (case.n, case.n), true, batch, seed)]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, case: Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        let c = unset(case.n, inputs[0].len());
        inv(entry.session, entry.form, &inputs[0], (!case.in_place).then_some(&c[..]), &entry.place)
    }
    fn ratio<T: Scalar>(_: Self::Case, _: Class, member: &Member<T>) -> f64 {
        inverse(&member.given[0].to_double(), &member.got[0])
    }
    fn spots(case: Self::Case) -> Vec<Spot> {
        vec![nan(0, (case.n / 2, 0))]
    }
    fn make_singular<T: Scalar>(case: Self::Case, a: &mut Matrix<T>, flaw: usize) -> i32 {
        let column = [0, case.n / 2, case.n - 1][flaw];
        a.col_mut(column).fill(real(0.0));
        column as i32 + 1
    }
    fn leftovers<T: Scalar>(_: Self::Case, member: &Member<T>) -> Vec<Leftover> {
        vec![Leftover::nan("C", &member.got[0])]
    }
}

mod from_matrices {
    use super::*;

    routine_tests!([Inv]:
        a_bad_member_stays_alone,
        a_singular_member_is_told_and_stays_alone,
        extreme_members,
        zero_sizes_touch_nothing,
        batches_beyond_the_limits_of_a_grid,
    );
}

/// inv gives the results of getrf and getri, bitwise on the CPU backend. A singular matrix has no inverse.
#[test]
fn inv_is_getrf_and_getri() -> Result<()> {
    let session = Session::new(Library::required());
    // CUDA inverts small matrices without forming their factors.
    let exact = session.library().backend()? == Backend::Cpu;
    for dtype in Dtype::ALL {
        for n in [1, 6, 33, 70] {
            with_scalar!(dtype, T => for form in FORMS {
                let mut a = inputs::<T>(Class::Uniform, (n, n), true, BATCH, 3);
                a[1].col_mut(n / 2).fill(real(0.0));
                let (c, place) = (unset::<T>(n, BATCH), Placement::guarded());
                let factored = getrf(&session, form, true, &a, &place)?.run()?;
                let (f, ipiv) = (&factored.operands[0], Some(&factored.operands[1][..]));
                for c in [Some(&c[..]), None] {
                    let from_factors = getri(&session, form, f, ipiv, c, &place)?.run()?;
                    let from_matrices = inv(&session, form, &a, c, &place)?.run()?;
                    let what = format!("{} {n} {form:?}, in place: {}", dtype.letter(), c.is_none());
                    assert_eq!(from_factors.info, factored.info, "{what}");
                    assert_eq!(from_matrices.info, factored.info, "{what}");
                    let (x, y) = (from_factors.only(), from_matrices.only());
                    for i in (0..BATCH).filter(|i| factored.info[*i] == 0 && exact) {
                        assert!(same_bits(x[i].data(), y[i].data()), "{what} member {i}");
                    }
                }
            });
        }
    }
    Ok(())
}
