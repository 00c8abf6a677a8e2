//! trmm, trsv, trtri.

use std::ffi::c_int;
use tephra_testkit::engine::{
    Entry, Inputs, Leftover, Member, Routine, Spot, ZERO, a_singular_member_is_told_and_stays_alone, sizes,
};
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::blas::{FORMS, trmm, trsv, trtri};
use tephra_testkit::ops::exact::{inverted, multiplied};
use tephra_testkit::ops::measure::solved;
use tephra_testkit::ops::q::random;
use tephra_testkit::ops::solve::Triangular;
use tephra_testkit::ops::{Diag, EntryForm, Prepared, Side, Trans, Uplo};
use tephra_testkit::qr::Session;
use tephra_testkit::ratios::Ratios;
use tephra_testkit::scalar::{Field, same_bits};
use tephra_testkit::{C64, Dtype, Library, Matrix, Result, Scalar, routine_tests, with_scalar};

const PLAIN: Triangular = Triangular { side: Side::Left, uplo: Uplo::Upper, trans: Trans::N, diag: Diag::NonUnit };
const ORDERS: [usize; 13] = [1, 2, 3, 7, 8, 9, 16, 17, 31, 32, 33, 64, 100];

/// Order and columns, flags.
type Case = ([usize; 2], Triangular);

fn with_all_flags(sizes: impl IntoIterator<Item = [usize; 2]>) -> Vec<Case> {
    sizes.into_iter().flat_map(|sizes| Triangular::all().map(move |how| (sizes, how))).collect()
}

/// The triangles of a case.
fn triangles<T: Scalar>(([order, _], how): Case, class: Class, batch: usize, seed: u64) -> Vec<Matrix<T>> {
    how.operands(order, class, batch, seed)
}

fn corner(([order, _], how): Case) -> (usize, usize) {
    how.corner(order)
}

fn alpha<T: Scalar>() -> T {
    T::from_double(<T as Scalar>::Double::parts(-1.5, 0.75))
}

struct Trmm;

impl Routine for Trmm {
    const NAME: &'static str = "trmm";
    const FORMS: &'static [EntryForm] = &FORMS;
    type Case = Case;

    fn cases(_: Dtype) -> Vec<Case> {
        let sizes = ORDERS.iter().flat_map(|&order| [1, 7, 33].map(|count| [order, count]));
        with_all_flags(sizes.chain([[130, 1], [200, 7]]))
    }
    fn few(_: Dtype) -> Vec<Case> {
        with_all_flags(sizes("4x3 20x3 33x3 70x9 140x3"))
    }
    fn zeros() -> Vec<Case> {
        vec![([0, 3], PLAIN), ([3, 0], PLAIN)]
    }
    fn tiny() -> Option<Case> {
        Some(([2, 1], PLAIN))
    }
    fn inputs<T: Scalar>(case: Case, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        let ([order, count], how) = case;
        let (rows, cols) = if how.side == Side::Left { (order, count) } else { (count, order) };
        vec![triangles(case, class, batch, seed), random(class, rows, cols, batch, !seed)]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, (_, how): Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        trmm(entry.session, entry.form, how, alpha(), &inputs[0], &inputs[1], &entry.place)
    }
    fn ratio<T: Scalar>((_, how): Case, _: Class, member: &Member<T>) -> f64 {
        multiplied(how, alpha(), &member.given[0], &member.given[1], &member.got[0])
    }
    fn spots(case: Case) -> Vec<Spot> {
        vec![Spot::not_finite(0, corner(case)), Spot::not_finite(1, (0, 0))]
    }
}

struct Trsv;

/// Keeps the cases on the left: only trmm has sides.
fn from_the_left(cases: Vec<Case>) -> Vec<Case> {
    cases.into_iter().filter(|(_, how)| how.side == Side::Left).collect()
}

impl Routine for Trsv {
    const NAME: &'static str = "trsv";
    const FORMS: &'static [EntryForm] = &FORMS;
    type Case = Case;

    fn cases(_: Dtype) -> Vec<Case> {
        from_the_left(with_all_flags(ORDERS.map(|order| [order, 1]).into_iter().chain([[130, 1], [300, 1]])))
    }
    fn few(_: Dtype) -> Vec<Case> {
        from_the_left(with_all_flags(sizes("4x1 33x1 70x1")))
    }
    fn zeros() -> Vec<Case> {
        vec![([0, 1], PLAIN)]
    }
    fn tiny() -> Option<Case> {
        Some(([2, 1], PLAIN))
    }
    /// Vectors are rows.
    fn inputs<T: Scalar>(case: Case, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        vec![triangles(case, class, batch, seed), random(class, 1, case.0[0], batch, !seed)]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, (_, how): Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        trsv(entry.session, entry.form, how, &inputs[0], &inputs[1], &entry.place)
    }
    fn ratio<T: Scalar>((_, how): Case, _: Class, member: &Member<T>) -> f64 {
        let column = |x: &Matrix<T>| Matrix::from_fn(x.cols(), 1, |i, _| x[(0, i)]);
        let one = T::from_double(<T as Scalar>::Double::ONE);
        solved(how, one, &member.given[0], &column(&member.given[1]), &column(&member.got[0]))
    }
    fn spots(case: Case) -> Vec<Spot> {
        let ([order, _], how) = case;
        let mut spots = vec![Spot::not_finite(0, corner(case)), Spot::not_finite(1, (0, 0))];
        if how.diag == Diag::NonUnit {
            spots.push(Spot { operand: 0, at: (order / 2, order / 2), values: ZERO });
        }
        spots
    }
    fn make_singular<T: Scalar>(case: Case, a: &mut Matrix<T>, flaw: usize) -> c_int {
        zero_on_diagonal(case, a, flaw)
    }
    fn leftovers<T: Scalar>(_: Case, member: &Member<T>) -> Vec<Leftover> {
        vec![Leftover::stated("x", "not finite", !member.got[0].is_finite())]
    }
}

/// Puts a zero on the diagonal and returns the position of the first, from 1; 0 if the diagonal is all ones.
fn zero_on_diagonal<T: Scalar>(([order, _], how): Case, a: &mut Matrix<T>, flaw: usize) -> c_int {
    if how.diag == Diag::Unit {
        return 0;
    }
    let first = [0, order / 2, order - 1][flaw];
    for at in [first, order - 1] {
        a[(at, at)] = T::from_double(<T as Scalar>::Double::ZERO);
    }
    first as c_int + 1
}

struct Trtri;

impl Routine for Trtri {
    const NAME: &'static str = "trtri";
    const FORMS: &'static [EntryForm] = &FORMS;
    const REPORTS_CODES: &'static [EntryForm] = &FORMS;
    type Case = Case;

    fn cases(_: Dtype) -> Vec<Case> {
        untransposed(ORDERS.map(|order| [order, 1]).into_iter().chain([[130, 1], [200, 1]]))
    }
    fn few(_: Dtype) -> Vec<Case> {
        untransposed(sizes("4x1 16x1 33x1 70x1"))
    }
    fn zeros() -> Vec<Case> {
        vec![([0, 1], PLAIN)]
    }
    fn tiny() -> Option<Case> {
        Some(([2, 1], PLAIN))
    }
    fn inputs<T: Scalar>(case: Case, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        vec![triangles(case, class, batch, seed)]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, (_, how): Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        trtri(entry.session, entry.form, how, &inputs[0], &entry.place)
    }
    fn ratio<T: Scalar>((_, how): Case, _: Class, member: &Member<T>) -> f64 {
        inverted(how, &member.given[0], &member.got[0])
    }
    fn spots(case: Case) -> Vec<Spot> {
        vec![Spot::not_finite(0, corner(case))]
    }
    /// The first zero is reported.
    fn make_singular<T: Scalar>(case: Case, a: &mut Matrix<T>, flaw: usize) -> c_int {
        zero_on_diagonal(case, a, flaw)
    }
    fn leftovers<T: Scalar>(_: Case, member: &Member<T>) -> Vec<Leftover> {
        vec![Leftover::unchanged("A", &member.given[0], &member.got[0])]
    }
}

fn untransposed(sizes: impl IntoIterator<Item = [usize; 2]>) -> Vec<Case> {
    from_the_left(with_all_flags(sizes)).into_iter().filter(|(_, how)| how.trans == Trans::N).collect()
}

routine_tests!([Trmm, Trsv, Trtri]:
    a_bad_member_stays_alone,
    batches_beyond_the_limits_of_a_grid,
    zero_sizes_touch_nothing,
);

#[test]
fn a_singular_triangle_is_told_and_stays_alone() -> Result<()> {
    a_singular_member_is_told_and_stays_alone::<Trsv>()?;
    a_singular_member_is_told_and_stays_alone::<Trtri>()
}

/// On a GPU, blocks are inverted whose order doubles.
#[test]
fn large_triangles_are_inverted() -> Result<()> {
    let session = Session::new(Library::required());
    for (order, batch, how) in [
        (700, 2, Triangular { uplo: Uplo::Lower, ..PLAIN }),
        (513, 3, Triangular { uplo: Uplo::Upper, ..PLAIN }),
        (400, 70, Triangular { uplo: Uplo::Upper, diag: Diag::Unit, ..PLAIN }),
    ] {
        let inputs = Trtri::inputs::<f64>(([order, 1], how), Class::Uniform, batch, 5);
        let output = trtri(&session, EntryForm::Strided, how, &inputs[0], &Placement::guarded())?.run()?;
        for (i, given) in inputs[0].iter().enumerate().step_by(23) {
            let ratio = inverted(how, given, &output.operands[0][i]);
            assert!(ratio < Ratios::THRESHOLD, "{order}, {how:?}, member {i}: ratio {ratio}");
        }
    }
    Ok(())
}

/// On a GPU, large batches of triangles from order 33 on, too. A singular one stays as it is, beside its neighbours.
#[test]
fn many_triangles_are_inverted() -> Result<()> {
    const SINGULAR: usize = 37;
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for (order, uplo) in [(33, Uplo::Lower), (65, Uplo::Upper), (100, Uplo::Lower), (128, Uplo::Upper)] {
            with_scalar!(dtype, T => {
                let how = Triangular { uplo, ..PLAIN };
                let mut inputs = Trtri::inputs::<T>(([order, 1], how), Class::Uniform, 800, 5);
                inputs[0][SINGULAR][(order / 2, order / 2)] = T::from_double(<T as Scalar>::Double::real(0.0));
                let output = trtri(&session, EntryForm::Pointers, how, &inputs[0], &Placement::guarded())?.run()?;
                for (i, given) in inputs[0].iter().enumerate().step_by(SINGULAR) {
                    let got = &output.operands[0][i];
                    if i == SINGULAR {
                        let same = same_bits(got.data(), given.data());
                        assert!(same, "{} {order}: the singular one changed", dtype.letter());
                        continue;
                    }
                    let ratio = inverted(how, given, got);
                    assert!(ratio < Ratios::THRESHOLD, "{} {order}, member {i}: ratio {ratio}", dtype.letter());
                }
            });
        }
    }
    Ok(())
}

/// On a GPU, products with them are composed of general ones, in both forms by the same ones.
#[test]
fn large_triangles_are_multiplied() -> Result<()> {
    let session = Session::new(Library::required());
    for (sizes, batch) in [([700, 3], 1), ([1050, 1], 3), ([257, 65], 2)] {
        for how in Triangular::all() {
            let inputs = Trmm::inputs::<C64>((sizes, how), Class::Uniform, batch, 5);
            let run = |form| trmm(&session, form, how, alpha(), &inputs[0], &inputs[1], &Placement::guarded())?.run();
            let [one, other] = [run(EntryForm::Strided)?, run(EntryForm::Pointers)?];
            for (i, (a, b)) in inputs[0].iter().zip(&inputs[1]).enumerate() {
                let [got, same] = [&one, &other].map(|output| &output.operands[0][i]);
                let ratio = multiplied(how, alpha(), a, b, got);
                assert!(ratio < Ratios::THRESHOLD, "{sizes:?}, {how:?}, member {i}: ratio {ratio}");
                assert_eq!(got, same, "{sizes:?}, {how:?}, member {i}");
            }
        }
    }
    Ok(())
}

/// On a GPU they are solved by halves, with products between them.
#[test]
fn large_triangles_are_solved() -> Result<()> {
    let session = Session::new(Library::required());
    let (lower, upper) = (Uplo::Lower, Uplo::Upper);
    for how in
        [Triangular { uplo: lower, ..PLAIN }, Triangular { uplo: upper, trans: Trans::T, diag: Diag::Unit, ..PLAIN }]
    {
        let inputs = Trsv::inputs::<f32>(([8200, 1], how), Class::Uniform, 1, 5);
        let place = Placement::guarded();
        let output = trsv(&session, EntryForm::Strided, how, &inputs[0], &inputs[1], &place)?.run()?;
        let column = |x: &Matrix<f32>| Matrix::from_fn(x.cols(), 1, |i, _| x[(0, i)]);
        let ratio = solved(how, 1.0, &inputs[0][0], &column(&inputs[1][0]), &column(&output.operands[0][0]));
        assert!(ratio < Ratios::THRESHOLD, "{how:?}: ratio {ratio}");
    }
    Ok(())
}
