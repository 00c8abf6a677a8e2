//! trsm.

use crate::support::{BATCH, Verdicts, assert_isolated, extreme, place, same, scaled, with};
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::measure::solved;
use tephra_testkit::ops::q::random;
use tephra_testkit::ops::solve::{TRSM_FORMS, Triangular, trsm};
use tephra_testkit::ops::{Diag, Form, Side, Trans, Uplo};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::Field;
use tephra_testkit::{Dtype, Library, Matrix, Result, Scalar, in_all_precisions, with_scalar};

const ORDERS: [usize; 13] = [1, 2, 3, 5, 8, 16, 17, 31, 32, 33, 64, 100, 130];
const RIGHT_HAND_SIDES: [usize; 4] = [1, 2, 7, 33];

/// Triangles of condition near 1, of which all that trsm must not read is poison: the other triangle, a unit diagonal.
fn triangles<T: Scalar>(how: Triangular, order: usize, batch: usize, seed: u64) -> Vec<Matrix<T>> {
    let reads = |i: usize, j: usize| match how.uplo {
        Uplo::Upper => i < j,
        Uplo::Lower => i > j,
    };
    let make = |a: Matrix<T>| {
        let one = <T as Scalar>::Wide::ONE;
        Matrix::from_fn(order, order, |i, j| match (i == j, how.diag) {
            (true, Diag::Unit) => T::POISON,
            (true, Diag::NonUnit) => T::narrow(a[(i, j)].wide().scale(0.25) + one),
            _ if reads(i, j) => T::narrow(a[(i, j)].wide().scale(1.0 / order as f64)),
            _ => T::POISON,
        })
    };
    random::<T>(Class::Uniform, order, order, batch, seed).into_iter().map(make).collect()
}

fn rhs<T: Scalar>(side: Side, order: usize, count: usize, batch: usize, seed: u64) -> Vec<Matrix<T>> {
    let (rows, cols) = if side == Side::Left { (order, count) } else { (count, order) };
    random(Class::Uniform, rows, cols, batch, seed)
}

fn alpha<T: Scalar>() -> T {
    T::narrow(<T as Scalar>::Wide::parts(-1.5, 0.75))
}

fn sweep<T: Scalar>() -> Result<()> {
    let session = Session::new(Library::required());
    let mut verdicts = Verdicts::default();
    for order in ORDERS {
        for count in RIGHT_HAND_SIDES {
            for (index, how) in Triangular::all().enumerate() {
                let a = triangles::<T>(how, order, BATCH, (order * 100 + count) as u64);
                let b = rhs::<T>(how.side, order, count, BATCH, 3);
                // Every form in one size; else one each, taking turns.
                let all = order == 17 && count == 7;
                for (turn, form) in TRSM_FORMS.into_iter().enumerate() {
                    if !all && (index + order + count) % TRSM_FORMS.len() != turn {
                        continue;
                    }
                    let call = trsm(&session, form, how, alpha::<T>(), &a, &b, &place(form, order))?;
                    for (i, x) in call.run()?.only().iter().enumerate() {
                        verdicts.add(solved(how, alpha::<T>(), &a[i], &b[i], x), || {
                            format!("{} order {order}, {count} right-hand sides, {how:?} {form:?}", T::DTYPE.letter())
                        });
                    }
                }
            }
        }
    }
    verdicts.close(&format!("trsm {}", T::DTYPE.letter()), ORDERS.len() * RIGHT_HAND_SIDES.len() * 24 * BATCH);
    Ok(())
}

in_all_precisions!(sweep);

const PLAIN: Triangular = Triangular { side: Side::Left, uplo: Uplo::Upper, trans: Trans::N, diag: Diag::NonUnit };

#[test]
fn zero_alpha_clears_b_and_does_not_read_a() -> Result<()> {
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for order in [1, 5, 33, 100] {
            with_scalar!(dtype, T => for how in Triangular::all() {
                let zero = <T as Scalar>::Wide::ZERO;
                let a = vec![Matrix::from_fn(order, order, |_, _| T::POISON); BATCH];
                // B is not read either: a NaN in it does not survive.
                let b: Vec<_> = rhs::<T>(how.side, order, 3, BATCH, 1).iter().map(|b| with(b, (0, 0), f64::NAN)).collect();
                for form in TRSM_FORMS {
                    let call = trsm(&session, form, how, T::narrow(zero), &a, &b, &Placement::guarded())?;
                    let cleared = |x: &Matrix<T>| x.data().iter().all(|x| x.wide() == zero);
                    assert!(call.run()?.only().iter().all(cleared), "{} {order} {how:?} {form:?}", dtype.letter());
                }
            });
        }
    }
    Ok(())
}

#[test]
fn a_bad_member_stays_alone() -> Result<()> {
    const BAD: usize = 5;
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for order in [4, 20, 33, 70] {
            with_scalar!(dtype, T => for how in Triangular::all() {
                let a = triangles::<T>(how, order, 11, 3);
                let b = rhs::<T>(how.side, order, 3, 11, 4);
                let run = |a: &[_], b: &[_]| {
                    trsm(&session, Form::Pointers, how, alpha::<T>(), a, b, &Placement::guarded())?.run()
                };
                let clean = run(&a, &b)?;
                let corner = if how.uplo == Uplo::Upper { (0, order - 1) } else { (order - 1, 0) };
                for value in [f64::NAN, f64::INFINITY] {
                    let (mut bad_a, mut bad_b) = (a.clone(), b.clone());
                    bad_a[BAD] = with(&bad_a[BAD], corner, value);
                    bad_b[BAD] = with(&bad_b[BAD], (0, 0), value);
                    let what = format!("{} {order} {how:?} {value}", dtype.letter());
                    assert_isolated(&format!("{what} in A"), BAD, &clean, &run(&bad_a, &b)?);
                    assert_isolated(&format!("{what} in B"), BAD, &clean, &run(&a, &bad_b)?);
                }
                // A zero on the diagonal gives what the division gives, and no code: there is none to give.
                if how.diag == Diag::NonUnit {
                    let mut singular = a.clone();
                    singular[BAD] = with(&singular[BAD], (order / 2, order / 2), 0.0);
                    let what = format!("{} {order} {how:?} singular", dtype.letter());
                    assert_isolated(&what, BAD, &clean, &run(&singular, &b)?);
                }
            });
        }
    }
    Ok(())
}

#[test]
fn extreme_members() -> Result<()> {
    let session = Session::new(Library::required());
    let mut verdicts = Verdicts::default();
    for dtype in Dtype::ALL {
        for order in [5, 33, 70] {
            with_scalar!(dtype, T => {
                let how = Triangular { trans: Trans::C, ..PLAIN };
                let near_one = triangles::<T>(how, order, BATCH, 3);
                let b = rhs::<T>(how.side, order, 2, BATCH, 4);
                let scales = [-extreme::<T>(), extreme::<T>(), 0];
                let a: Vec<Matrix<T>> = near_one.iter().zip(scales).map(|(a, e)| scaled(a, e)).collect();
                let one = T::narrow(<T as Scalar>::Wide::ONE);
                let x = trsm(&session, Form::Pointers, how, one, &a, &b, &Placement::guarded())?.run()?.only();
                for (i, e) in scales.into_iter().enumerate() {
                    let ratio = solved(how, one, &near_one[i], &b[i], &scaled(&x[i], e));
                    verdicts.add(ratio, || format!("{} {order} 2^{e}", dtype.letter()));
                }
            });
        }
    }
    verdicts.close("trsm, extreme members", 36);
    Ok(())
}

#[test]
fn zero_sizes_touch_nothing() -> Result<()> {
    let session = Session::new(Library::required());
    for (order, count) in [(0, 3), (3, 0)] {
        for form in TRSM_FORMS {
            let a = triangles::<f64>(PLAIN, order, 2, 1);
            let b = rhs::<f64>(Side::Left, order, count, 2, 1);
            let call = trsm(&session, form, PLAIN, 2.0, &a, &b, &Placement::guarded())?;
            call.issue()?;
            assert!(call.is_untouched()?, "{order} {count} {form:?}");
        }
    }
    Ok(())
}

#[test]
fn batches_beyond_the_limits_of_a_grid() -> Result<()> {
    const DIFFERENT: usize = 7;
    let session = Session::new(Library::required());
    let repeat = |v: &[Matrix<f32>]| (0..70_000).map(|i| v[i % DIFFERENT].clone()).collect::<Vec<_>>();
    let (a, b) = (triangles::<f32>(PLAIN, 2, DIFFERENT, 1), rhs::<f32>(Side::Left, 2, 1, DIFFERENT, 2));
    let (many_a, many_b) = (repeat(&a), repeat(&b));
    for form in TRSM_FORMS {
        let x = trsm(&session, form, PLAIN, 1.0, &many_a, &many_b, &Placement::tight())?.run()?.only();
        for (i, member) in x.iter().enumerate() {
            assert!(same(member, &x[i % DIFFERENT]), "{form:?}: member {i} differs from its copy");
        }
        for i in 0..DIFFERENT {
            assert!(solved(PLAIN, 1.0, &a[i], &b[i], &x[i]) < 30.0, "{form:?}");
        }
    }
    Ok(())
}
