//! ormqr, unmqr.

use crate::support::{BATCH, Verdicts, assert_isolated, extreme, place, same, scaled, with};
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::measure::{applied, difference};
use tephra_testkit::ops::q::{FORMS, check_info, ormqr, random, reflectors};
use tephra_testkit::ops::{Form, Side, Trans};
use tephra_testkit::qr::Session;
use tephra_testkit::{Dtype, Library, Result, Scalar, in_all_precisions, with_scalar};

/// Rows and columns of C.
const SHAPES: [(usize, usize); 15] = [
    (1, 1),
    (2, 1),
    (3, 2),
    (2, 5),
    (8, 8),
    (17, 5),
    (5, 17),
    (33, 32),
    (32, 33),
    (64, 64),
    (65, 70),
    (100, 7),
    (7, 100),
    (130, 130),
    (300, 20),
];

/// What the form serves: MAGMA's `?unmqr` has no plain transpose of a complex matrix.
fn serves(form: Form, trans: Trans, dtype: Dtype) -> bool {
    form != Form::Magma || trans != Trans::T || !dtype.is_complex()
}

fn all_flags() -> impl Iterator<Item = (Side, Trans)> {
    Side::ALL.iter().flat_map(|&side| Trans::ALL.iter().map(move |&trans| (side, trans)))
}

fn sweep<T: Scalar>() -> Result<()> {
    let session = Session::new(Library::required());
    let mut verdicts = Verdicts::default();
    for (m, n) in SHAPES {
        for (side, trans) in all_flags() {
            let order = if side == Side::Left { m } else { n };
            let mut ks = vec![order, order.div_ceil(2), 1];
            ks.dedup();
            for k in ks {
                let (factors, tau) = reflectors::<T>(order, k, BATCH, (m * 1000 + n * 10 + k) as u64);
                let c = random::<T>(Class::Uniform, m, n, BATCH, 7);
                for form in FORMS.into_iter().filter(|&form| serves(form, trans, T::DTYPE)) {
                    let call = ormqr(&session, form, (side, trans), &factors, &tau, &c, &place(form, m + n))?;
                    let output = call.run()?;
                    check_info(form, &output)?;
                    for (i, got) in output.only().iter().enumerate() {
                        let reference = applied((side, trans), &factors[i], &tau[i], &c[i]);
                        verdicts.add(difference(got, &reference), || {
                            format!("{} {m}x{n} k {k} {side:?} {trans:?} {form:?}", T::DTYPE.letter())
                        });
                    }
                }
            }
        }
    }
    verdicts.close(&format!("ormqr {}", T::DTYPE.letter()), SHAPES.len() * 6 * BATCH);
    Ok(())
}

in_all_precisions!(sweep);

#[test]
fn a_bad_member_stays_alone() -> Result<()> {
    const BAD: usize = 5;
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for (m, n) in [(6, 4), (33, 20), (70, 65)] {
            with_scalar!(dtype, T => for flags in all_flags() {
                let order = if flags.0 == Side::Left { m } else { n };
                let (factors, tau) = reflectors::<T>(order, order, 11, 3);
                let c = random::<T>(Class::Uniform, m, n, 11, 4);
                let run = |factors: &_, tau: &_, c: &_| {
                    ormqr(&session, Form::Pointers, flags, factors, tau, c, &Placement::guarded())?.run()
                };
                let clean = run(&factors, &tau, &c)?;
                for value in [f64::NAN, f64::INFINITY] {
                    let what = format!("{} {m}x{n} {flags:?} {value}", dtype.letter());
                    let (mut f, mut t, mut b) = (factors.clone(), tau.clone(), c.clone());
                    f[BAD] = with(&f[BAD], (order - 1, 0), value);
                    t[BAD] = with(&t[BAD], (0, 0), value);
                    b[BAD] = with(&b[BAD], (m - 1, n - 1), value);
                    assert_isolated(&format!("{what} in V"), BAD, &clean, &run(&f, &tau, &c)?);
                    assert_isolated(&format!("{what} in tau"), BAD, &clean, &run(&factors, &t, &c)?);
                    assert_isolated(&format!("{what} in C"), BAD, &clean, &run(&factors, &tau, &b)?);
                }
            });
        }
    }
    Ok(())
}

/// What is on and above the diagonal of A is R, and no business of ormqr's.
#[test]
fn only_the_reflectors_are_read() -> Result<()> {
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for (m, n, k) in [(5, 3, 3), (40, 33, 17), (90, 70, 70)] {
            with_scalar!(dtype, T => {
                let (factors, tau) = reflectors::<T>(m, k, BATCH, 5);
                let c = random::<T>(Class::Uniform, m, n, BATCH, 6);
                let run = |factors: &_| {
                    let flags = (Side::Left, Trans::C);
                    Ok(ormqr(&session, Form::Pointers, flags, factors, &tau, &c, &Placement::guarded())?.run()?.only())
                };
                let expected = run(&factors)?;
                let mut poisoned = factors.clone();
                for f in &mut poisoned {
                    for j in 0..k {
                        f.col_mut(j)[..=j].fill(T::POISON);
                    }
                }
                let got: Vec<_> = run(&poisoned)?;
                assert!(got.iter().zip(&expected).all(|(a, b)| same(a, b)), "{} {m}x{n} {k}", dtype.letter());
                tephra_testkit::Result::Ok(())
            })?;
        }
    }
    Ok(())
}

#[test]
fn extreme_members() -> Result<()> {
    let session = Session::new(Library::required());
    let mut verdicts = Verdicts::default();
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => for (m, n) in [(5, 3), (40, 33), (90, 70)] {
            let (factors, tau) = reflectors::<T>(m, m, BATCH, 8);
            let mut c = random::<T>(Class::Uniform, m, n, BATCH, 9);
            for (c, e) in c.iter_mut().zip([-extreme::<T>(), extreme::<T>(), 0]) {
                *c = scaled(c, e);
            }
            let flags = (Side::Left, Trans::N);
            let got = ormqr(&session, Form::Pointers, flags, &factors, &tau, &c, &Placement::guarded())?.run()?.only();
            for (i, got) in got.iter().enumerate() {
                let reference = applied(flags, &factors[i], &tau[i], &c[i]);
                verdicts.add(difference(got, &reference), || format!("{} {m}x{n} member {i}", dtype.letter()));
            }
        });
    }
    verdicts.close("ormqr, extreme members", 36);
    Ok(())
}

#[test]
fn zero_sizes_touch_nothing() -> Result<()> {
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for (m, n, k) in [(0, 3, 0), (3, 0, 2), (3, 3, 0)] {
            with_scalar!(dtype, T => for form in FORMS {
                let (factors, tau) = reflectors::<T>(m, k, 2, 1);
                let c = random::<T>(Class::Uniform, m, n, 2, 1);
                let flags = (Side::Left, Trans::N);
                let call = ormqr(&session, form, flags, &factors, &tau, &c, &Placement::guarded())?;
                call.issue()?;
                assert!(call.is_untouched()?, "{} {m}x{n} {k} {form:?}", dtype.letter());
            });
        }
    }
    Ok(())
}

#[test]
fn batches_beyond_the_limits_of_a_grid() -> Result<()> {
    const DIFFERENT: usize = 7;
    let session = Session::new(Library::required());
    let (factors, tau) = reflectors::<f32>(3, 2, DIFFERENT, 1);
    let c = random::<f32>(Class::Uniform, 3, 2, DIFFERENT, 2);
    let repeat = |v: &[tephra_testkit::Matrix<f32>]| (0..70_000).map(|i| v[i % DIFFERENT].clone()).collect::<Vec<_>>();
    for form in FORMS {
        let (factors, tau, c) = (repeat(&factors), repeat(&tau), repeat(&c));
        let flags = (Side::Left, Trans::C);
        let got = ormqr(&session, form, flags, &factors, &tau, &c, &Placement::tight())?.run()?.only();
        for (i, x) in got.iter().enumerate() {
            assert!(same(x, &got[i % DIFFERENT]), "{form:?}: member {i} differs from its copy");
        }
        for i in 0..DIFFERENT {
            assert!(difference(&got[i], &applied(flags, &factors[i], &tau[i], &c[i])) < 30.0);
        }
    }
    Ok(())
}
