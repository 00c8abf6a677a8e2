//! gels.

use crate::support::{BATCH, Verdicts, assert_isolated, extreme, place, same, scaled, with};
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::measure::least_squares;
use tephra_testkit::ops::q::random;
use tephra_testkit::ops::solve::{GELS_FORMS, gels};
use tephra_testkit::ops::{Form, INFO_POISON, Trans};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::Field;
use tephra_testkit::{Dtype, Library, Matrix, Result, Scalar, in_all_precisions, with_scalar};

const SHAPES: [(usize, usize); 18] = [
    (1, 1),
    (2, 1),
    (1, 2),
    (4, 4),
    (8, 5),
    (5, 8),
    (16, 16),
    (17, 16),
    (16, 17),
    (33, 32),
    (32, 33),
    (64, 64),
    (100, 7),
    (7, 100),
    (130, 120),
    (120, 130),
    (256, 16),
    (600, 5),
];

fn serves(form: Form, trans: Trans, m: usize, n: usize) -> bool {
    form != Form::Cublas || (trans == Trans::N && m >= n)
}

/// LAPACK's: no plain transpose of a complex matrix.
fn transpositions(dtype: Dtype) -> impl Iterator<Item = Trans> {
    Trans::ALL.iter().copied().filter(move |&trans| trans != Trans::T || !dtype.is_complex())
}

fn sweep<T: Scalar>() -> Result<()> {
    let session = Session::new(Library::required());
    let mut verdicts = Verdicts::default();
    for (m, n) in SHAPES {
        for nrhs in [1, 3, 8, 33] {
            let seed = (m * 1000 + n * 10 + nrhs) as u64;
            let (a, b) =
                (random::<T>(Class::Cond2, m, n, BATCH, seed), random(Class::Uniform, m.max(n), nrhs, BATCH, seed));
            for trans in transpositions(T::DTYPE) {
                for form in GELS_FORMS.into_iter().filter(|&form| serves(form, trans, m, n)) {
                    let output = gels(&session, form, trans, &a, &b, &place(form, m))?.run()?;
                    assert_eq!(output.info, [0; BATCH], "{} {m}x{n} {trans:?} {form:?}", T::DTYPE.letter());
                    for (i, x) in output.operands[1].iter().enumerate() {
                        verdicts.add(least_squares(trans, &a[i], &b[i], x), || {
                            format!("{} {m}x{n} nrhs {nrhs} {trans:?} {form:?}", T::DTYPE.letter())
                        });
                    }
                }
            }
        }
    }
    verdicts.close(&format!("gels {}", T::DTYPE.letter()), SHAPES.len() * 4 * 6 * BATCH);
    Ok(())
}

in_all_precisions!(sweep);

/// A is left as its QR factors, by which a solver may go on; for m >= n and trans N every interface says so.
#[test]
fn factors_are_left_in_a() -> Result<()> {
    use tephra_testkit::ratios::{Ratios, measure};
    let session = Session::new(Library::required());
    for (m, n) in [(8, 8), (33, 20), (100, 70), (256, 16)] {
        let a = random::<f64>(Class::Uniform, m, n, BATCH, 3);
        let b = random::<f64>(Class::Uniform, m, 2, BATCH, 4);
        for form in GELS_FORMS {
            let output = gels(&session, form, Trans::N, &a, &b, &place(form, m))?.run()?;
            for (a, factors) in a.iter().zip(&output.operands[0]) {
                // tau is not given back, but follows from each v: 2 / |v|^2, or 0 for the last row.
                let tau = |j: usize| {
                    let squares: f64 = 1.0 + factors.col(j)[j + 1..].iter().map(|x| x * x).sum::<f64>();
                    if j + 1 == m { 0.0 } else { 2.0 / squares }
                };
                let tau: Vec<f64> = (0..n).map(tau).collect();
                let ratio = measure(a, factors, &tau).largest();
                assert!(ratio < Ratios::THRESHOLD, "{m}x{n} {form:?}: ratio {ratio}");
            }
        }
    }
    Ok(())
}

/// Rank is told member by member: a zero column makes its diagonal element of R exactly zero.
#[test]
fn a_singular_member_is_told_and_stays_alone() -> Result<()> {
    const BAD: usize = 1;
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for (m, n) in [(4, 4), (20, 10), (64, 40), (150, 130), (256, 16)] {
            with_scalar!(dtype, T => for column in [0, n / 2, n - 1] {
                let a = random::<T>(Class::Uniform, m, n, BATCH, 5);
                let b = random::<T>(Class::Uniform, m, 3, BATCH, 6);
                let mut singular = a.clone();
                singular[BAD].col_mut(column).fill(T::narrow(<T as Scalar>::Wide::ZERO));
                for form in GELS_FORMS {
                    let run = |a: &[_]| gels(&session, form, Trans::N, a, &b, &Placement::guarded())?.run();
                    let (clean, got) = (run(&a)?, run(&singular)?);
                    let what = format!("{} {m}x{n} column {column} {form:?}", dtype.letter());
                    let mut expected = [0; BATCH];
                    expected[BAD] = column as i32 + 1;
                    assert_eq!(got.info, expected, "{what}");
                    for i in (0..BATCH).filter(|&i| i != BAD) {
                        assert!(same(&got.operands[1][i], &clean.operands[1][i]), "{what}: neighbour {i} changed");
                    }
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
        for (m, n) in [(6, 4), (4, 6), (33, 20), (70, 65), (200, 12)] {
            with_scalar!(dtype, T => {
                let a = random::<T>(Class::Uniform, m, n, 11, 3);
                let b = random::<T>(Class::Uniform, m.max(n), 2, 11, 4);
                for trans in [Trans::N, Trans::C] {
                    let run = |a: &[_], b: &[_]| {
                        gels(&session, Form::Pointers, trans, a, b, &Placement::guarded())?.run()
                    };
                    let clean = run(&a, &b)?;
                    for value in [f64::NAN, f64::INFINITY] {
                        let (mut bad_a, mut bad_b) = (a.clone(), b.clone());
                        bad_a[BAD] = with(&bad_a[BAD], (m / 2, n / 2), value);
                        bad_b[BAD] = with(&bad_b[BAD], (0, 1), value);
                        let what = format!("{} {m}x{n} {trans:?} {value}", dtype.letter());
                        assert_isolated(&format!("{what} in A"), BAD, &clean, &run(&bad_a, &b)?);
                        assert_isolated(&format!("{what} in B"), BAD, &clean, &run(&a, &bad_b)?);
                    }
                }
            });
        }
    }
    Ok(())
}

/// X of 2^e A is 2^-e X.
#[test]
fn extreme_members() -> Result<()> {
    let session = Session::new(Library::required());
    let mut verdicts = Verdicts::default();
    for dtype in Dtype::ALL {
        for (m, n) in [(8, 8), (40, 33), (33, 40), (90, 70), (256, 16)] {
            with_scalar!(dtype, T => {
                let near_one = random::<T>(Class::Cond2, m, n, BATCH, 9);
                let b = random::<T>(Class::Uniform, m.max(n), 2, BATCH, 8);
                let scales = [-extreme::<T>(), extreme::<T>(), 0];
                let a: Vec<Matrix<T>> = near_one.iter().zip(scales).map(|(a, e)| scaled(a, e)).collect();
                let output = gels(&session, Form::Pointers, Trans::N, &a, &b, &Placement::guarded())?.run()?;
                for (i, e) in scales.into_iter().enumerate() {
                    let x = &output.operands[1][i];
                    let near_one_x = Matrix::from_fn(x.rows(), x.cols(), |r, c| {
                        if r < n { T::narrow(x[(r, c)].wide().ldexp(e)) } else { x[(r, c)] }
                    });
                    let ratio = least_squares(Trans::N, &near_one[i], &b[i], &near_one_x);
                    verdicts.add(ratio, || format!("{} {m}x{n} 2^{e}", dtype.letter()));
                }
            });
        }
    }
    verdicts.close("gels, extreme members", 60);
    Ok(())
}

#[test]
fn without_right_hand_sides_or_equations() -> Result<()> {
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => {
            let zero = <T as Scalar>::Wide::ZERO;
            for form in GELS_FORMS {
                // No right-hand sides: rank is told all the same, as cuBLAS does.
                let mut a = random::<T>(Class::Uniform, 7, 4, BATCH, 3);
                a[1].col_mut(2).fill(T::narrow(zero));
                let none = vec![Matrix::from_fn(7, 0, |_, _| T::POISON); BATCH];
                let output = gels(&session, form, Trans::N, &a, &none, &Placement::guarded())?.run()?;
                assert_eq!(output.info, [0, 3, 0], "{} {form:?}", dtype.letter());
                // No unknowns: nothing is touched.
                let a = random::<T>(Class::Uniform, 5, 0, BATCH, 3);
                let b = random::<T>(Class::Uniform, 5, 2, BATCH, 3);
                let call = gels(&session, form, Trans::N, &a, &b, &Placement::guarded())?;
                call.issue()?;
                assert!(call.is_untouched()?, "{} {form:?}", dtype.letter());
            }
            // No equations: of all X the shortest is zero.
            for form in [Form::Pointers, Form::Strided, Form::Magma] {
                for (m, n, trans) in [(0, 5, Trans::N), (5, 0, Trans::C)] {
                    let a = random::<T>(Class::Uniform, m, n, BATCH, 3);
                    let b = random::<T>(Class::Uniform, 5, 2, BATCH, 3);
                    let output = gels(&session, form, trans, &a, &b, &Placement::guarded())?.run()?;
                    assert_eq!(output.info, [0; BATCH]);
                    let all_zero = |x: &Matrix<T>| x.data().iter().all(|x| x.wide() == zero);
                    assert!(output.operands[1].iter().all(all_zero), "{} {m}x{n} {form:?}", dtype.letter());
                }
            }
        });
    }
    Ok(())
}

/// info is the caller's to leave out.
#[test]
fn batches_beyond_the_limits_of_a_grid() -> Result<()> {
    const DIFFERENT: usize = 7;
    let session = Session::new(Library::required());
    let a = random::<f64>(Class::Cond2, 3, 2, DIFFERENT, 1);
    let b = random::<f64>(Class::Uniform, 3, 1, DIFFERENT, 2);
    let repeat = |v: &[Matrix<f64>]| (0..70_000).map(|i| v[i % DIFFERENT].clone()).collect::<Vec<_>>();
    let (many_a, many_b) = (repeat(&a), repeat(&b));
    for form in GELS_FORMS {
        let output = gels(&session, form, Trans::N, &many_a, &many_b, &Placement::tight())?.run()?;
        let x = &output.operands[1];
        assert!(output.info.iter().all(|&code| code != INFO_POISON && code == 0), "{form:?}");
        for (i, member) in x.iter().enumerate() {
            assert!(same(member, &x[i % DIFFERENT]), "{form:?}: member {i} differs from its copy");
        }
        for i in 0..DIFFERENT {
            assert!(least_squares(Trans::N, &a[i], &b[i], &x[i]) < 30.0, "{form:?}");
        }
    }
    Ok(())
}
