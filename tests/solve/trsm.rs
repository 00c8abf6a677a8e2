//! trsm.

use tephra_testkit::engine::{BATCH, Entry, Inputs, Leftover, Member, Routine, Spot, ZERO, scaled, sizes, with};
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::measure::solved;
use tephra_testkit::ops::q::random;
use tephra_testkit::ops::solve::{TRSM_FORMS, Triangular, trsm};
use tephra_testkit::ops::{Diag, EntryForm, Prepared, Side, Trans, Uplo};
use tephra_testkit::qr::Session;
use tephra_testkit::ratios::Ratios;
use tephra_testkit::scalar::Field;
use tephra_testkit::{Dtype, Library, Matrix, Result, Scalar, routine_tests, with_scalar};

struct Trsm;

impl Routine for Trsm {
    const NAME: &'static str = "trsm";
    const FORMS: &'static [EntryForm] = &TRSM_FORMS;
    /// Order of A and right-hand sides; flags.
    type Case = ([usize; 2], Triangular);

    fn cases(_: Dtype) -> Vec<Self::Case> {
        let orders = [1, 2, 3, 5, 8, 16, 17, 31, 32, 33, 64, 100, 130];
        let small = orders.iter().flat_map(|&order| [1, 2, 7, 33].map(|count| [order, count]));
        with_all_flags(small.chain([[200, 40], [321, 35]]))
    }
    fn full(_: Dtype) -> Vec<Self::Case> {
        with_all_flags(sizes("33x34 64x70 100x64 130x100"))
    }
    fn few(_: Dtype) -> Vec<Self::Case> {
        with_all_flags(sizes("4x3 5x2 20x3 33x3 70x3"))
    }
    fn zeros() -> Vec<Self::Case> {
        vec![([0, 3], PLAIN), ([3, 0], PLAIN)]
    }
    fn tiny() -> Option<Self::Case> {
        Some(([2, 1], PLAIN))
    }
    /// One size runs in every form; for the others the forms take turns.
    fn sweeps(form: EntryForm, ([order, count], how): Self::Case) -> bool {
        let flags = how.side as usize * 12 + how.uplo as usize * 6 + how.trans as usize * 2 + how.diag as usize;
        let turn = (flags + order + count) % TRSM_FORMS.len();
        (order, count) == (17, 7) || TRSM_FORMS[turn] == form
    }
    fn inputs<T: Scalar>(([order, count], how): Self::Case, class: Class, batch: usize, seed: u64) -> Inputs<T> {
        let (rows, cols) = if how.side == Side::Left { (order, count) } else { (count, order) };
        vec![how.operands(order, class, batch, seed), random(class, rows, cols, batch, !seed)]
    }
    fn call<'a, T: Scalar>(entry: Entry<'a>, (_, how): Self::Case, inputs: &Inputs<T>) -> Result<Prepared<'a, T>> {
        trsm(entry.session, entry.form, how, alpha(), &inputs[0], &inputs[1], &entry.place)
    }
    fn ratio<T: Scalar>((_, how): Self::Case, _: Class, member: &Member<T>) -> f64 {
        solved(how, alpha(), &member.given[0], &member.given[1], &member.got[0])
    }
    /// Bad values go into A and B. A zero on the diagonal has the result of the division; trsm has no codes.
    fn spots(([order, _], how): Self::Case) -> Vec<Spot> {
        let mut spots = vec![Spot::not_finite(0, how.corner(order)), Spot::not_finite(1, (0, 0))];
        if how.diag == Diag::NonUnit {
            spots.push(Spot { operand: 0, at: (order / 2, order / 2), values: ZERO });
        }
        spots
    }
    fn make_singular<T: Scalar>(([order, _], how): Self::Case, a: &mut Matrix<T>, flaw: usize) -> i32 {
        if how.diag == Diag::Unit {
            return 0;
        }
        let j = [0, order / 2, order - 1][flaw];
        a[(j, j)] = T::from_double(<T as Scalar>::Double::ZERO);
        j as i32 + 1
    }
    /// For solutions from the right, no row is finite.
    fn leftovers<T: Scalar>(([order, _], how): Self::Case, member: &Member<T>) -> Vec<Leftover> {
        let x = &member.got[0];
        let turned = Matrix::from_fn(x.cols(), x.rows(), |i, j| x[(j, i)]);
        vec![Leftover::no_column_finite("B", order, if how.side == Side::Left { x } else { &turned })]
    }
    /// A unit diagonal is not affected by scaling.
    fn scalable(dtype: Dtype) -> Vec<Self::Case> {
        Self::few(dtype).into_iter().filter(|(_, how)| how.diag == Diag::NonUnit).collect()
    }
    /// Scaling A by 2^e scales X by 2^-e.
    fn unscale<T: Scalar>(_: Self::Case, member: &mut Member<T>, e: i32) {
        member.given[0] = scaled(&member.given[0], -e);
        member.got[0] = scaled(&member.got[0], e);
    }
}

const PLAIN: Triangular = Triangular { side: Side::Left, uplo: Uplo::Upper, trans: Trans::N, diag: Diag::NonUnit };

fn with_all_flags(sizes: impl IntoIterator<Item = [usize; 2]>) -> Vec<([usize; 2], Triangular)> {
    sizes.into_iter().flat_map(|sizes| Triangular::all().map(move |how| (sizes, how))).collect()
}

fn alpha<T: Scalar>() -> T {
    T::from_double(<T as Scalar>::Double::parts(-1.5, 0.75))
}

routine_tests!([Trsm]:
    a_bad_member_stays_alone,
    a_singular_member_stays_alone = a_singular_member_is_told_and_stays_alone,
    batches_beyond_the_limits_of_a_grid,
    extreme_members,
    zero_sizes_touch_nothing,
);

#[test]
fn zero_alpha_clears_b_and_does_not_read_a() -> Result<()> {
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for case in with_all_flags(sizes("1x3 5x3 33x3 100x3")) {
            with_scalar!(dtype, T => {
                let zero = <T as Scalar>::Double::ZERO;
                let ([order, _], how) = case;
                let a = vec![Matrix::from_fn(order, order, |_, _| T::POISON); BATCH];
                // B is not read either: a NaN in it does not survive.
                let b = &Trsm::inputs::<T>(case, Class::Uniform, BATCH, 1)[1];
                let b: Vec<_> = b.iter().map(|b| with(b, (0, 0), f64::NAN)).collect();
                for form in TRSM_FORMS {
                    let call = trsm(&session, form, how, T::from_double(zero), &a, &b, &Placement::guarded())?;
                    let cleared = |x: &Matrix<T>| x.data().iter().all(|x| x.to_double() == zero);
                    assert!(call.run()?.only().iter().all(cleared), "{} {case:?} {form:?}", dtype.letter());
                }
            });
        }
    }
    Ok(())
}

/// On a GPU, batches that fill it are solved by halves from order 129 on.
#[test]
fn full_batches_of_middle_orders_are_solved() -> Result<()> {
    let session = Session::new(Library::required());
    let on_the_right = Triangular { side: Side::Right, uplo: Uplo::Lower, trans: Trans::C, diag: Diag::NonUnit };
    let unit = Triangular { uplo: Uplo::Lower, diag: Diag::Unit, ..PLAIN };
    for dtype in Dtype::ALL {
        for (order, how) in [(129, PLAIN), (150, on_the_right), (191, unit)] {
            with_scalar!(dtype, T => {
                let inputs = Trsm::inputs::<T>(([order, 70], how), Class::Uniform, 60, 1);
                let place = Placement::guarded();
                let call = trsm(&session, EntryForm::Pointers, how, alpha(), &inputs[0], &inputs[1], &place)?;
                let output = call.run()?;
                for (i, (a, b)) in inputs[0].iter().zip(&inputs[1]).enumerate().step_by(13) {
                    let ratio = solved(how, alpha(), a, b, &output.operands[0][i]);
                    assert!(ratio < Ratios::THRESHOLD, "{} {order} {how:?}, {i}: {ratio}", dtype.letter());
                }
            });
        }
    }
    Ok(())
}
