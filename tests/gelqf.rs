//! LQ factorisation: LAPACK's test ratios, and LAPACK's own gelqf element by element, in every precision and form, from
//! poisoned memory between red zones. Runs on whichever backend the library picks.

#[path = "support/mod.rs"]
mod support;

use support::{BATCH, Verdicts, assert_isolated, extreme, place, scaled, with};
use tephra_testkit::agreement::{Agreement, compare, well_separated};
use tephra_testkit::guarded::Placement;
use tephra_testkit::lapack::Lapack;
use tephra_testkit::library::Backend;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::Form;
use tephra_testkit::ops::q::{NATIVE_FORMS, gelqf, random};
use tephra_testkit::qr::Session;
use tephra_testkit::ratios::{convention, measure};
use tephra_testkit::sweep::{paths, with_plan};
use tephra_testkit::{Dtype, Library, Matrix, Result, Rng, Scalar, in_all_precisions, with_scalar};

/// Both sides of the transposition's tiles, and of what the backends factor in different ways.
const SHAPES: [(usize, usize); 22] = [
    (1, 1),
    (2, 1),
    (1, 2),
    (3, 3),
    (8, 8),
    (9, 4),
    (4, 9),
    (7, 300),
    (16, 16),
    (16, 17),
    (32, 32),
    (32, 33),
    (50, 20),
    (20, 50),
    (65, 64),
    (33, 65),
    (7, 100),
    (130, 130),
    (16, 256),
    (300, 40),
    (90, 300),
    (5, 600),
];

const CLASSES: [Class; 5] =
    [Class::Cond2, Class::Uniform, Class::RankDeficient, Class::ZeroColumns, Class::ScaledColumns];

fn adjoint<T: Scalar>(a: &Matrix<T>) -> Matrix<T> {
    Matrix::narrow(&a.wide().adjoint())
}

/// The ratios of A - L Q and of Q, which are those of A^H - Q^H L^H.
fn ratio<T: Scalar>(a: &Matrix<T>, factors: &Matrix<T>, tau: &Matrix<T>) -> f64 {
    let factors = adjoint(factors);
    match convention(&factors, tau.data()) {
        Ok(()) => measure(&adjoint(a), &factors, tau.data()).largest(),
        Err(_) => f64::INFINITY,
    }
}

fn sweep<T: Scalar>() -> Result<()> {
    let session = Session::new(Library::required());
    let mut verdicts = Verdicts::default();
    for (m, n) in SHAPES {
        for class in CLASSES {
            let a = random::<T>(class, m, n, BATCH, (m * 100 + n) as u64);
            for form in NATIVE_FORMS {
                let output = gelqf(&session, form, &a, &place(form, m))?.run()?;
                for (i, a) in a.iter().enumerate() {
                    let ratio = ratio(a, &output.operands[0][i], &output.operands[1][i]);
                    verdicts.add(ratio, || format!("{} {m}x{n} {} {form:?}", T::DTYPE.letter(), class.name()));
                }
            }
        }
    }
    verdicts.close(&format!("gelqf {}", T::DTYPE.letter()), SHAPES.len() * CLASSES.len() * 2 * BATCH);
    Ok(())
}

in_all_precisions!(sweep);

/// Signs and conjugations: L, the vectors and tau are those of LAPACK's gelqf, by every plan.
#[test]
fn elements_are_lapacks() -> Result<()> {
    let Some(lapack) = Lapack::get_unless_waived()? else {
        return Ok(());
    };
    let session = Session::new(Library::required());
    let mut measured = 0;
    for dtype in Dtype::ALL {
        for (m, n) in SHAPES {
            with_scalar!(dtype, T => {
                let mut rng = Rng::new((m * 1000 + n) as u64);
                let a: Vec<_> = (0..BATCH).map(|_| adjoint(&well_separated::<T>(n, m, &mut rng))).collect();
                for &path in paths(session.library().backend()?) {
                    let call = gelqf(&session, Form::Pointers, &a, &Placement::guarded())?;
                    match with_plan(session.library(), path, || call.issue())? {
                        // Registers and lanes hold small matrices only.
                        Err(e) if e.is_not_supported() => continue,
                        issued => issued?,
                    }
                    let output = call.collect()?;
                    for (i, a) in a.iter().enumerate() {
                        let theirs = lapack.by("?gelqf", a)?;
                        let (ours, tau) = (&output.operands[0][i], &output.operands[1][i]);
                        let agreement = compare(
                            (&adjoint(ours), tau.data()),
                            (&adjoint(&theirs.factors), &theirs.tau),
                        );
                        let letter = dtype.letter();
                        assert!(agreement.largest() < Agreement::BOUND, "{letter} {m}x{n} {path} {agreement:?}");
                        measured += 1;
                    }
                }
            });
        }
    }
    assert!(measured >= 2 * 4 * SHAPES.len() * BATCH, "{measured}");
    Ok(())
}

#[test]
fn numbers_whose_squares_are_out_of_range() -> Result<()> {
    let session = Session::new(Library::required());
    let mut verdicts = Verdicts::default();
    for dtype in Dtype::ALL {
        for (m, n) in [(4, 6), (20, 33), (65, 70), (130, 9)] {
            with_scalar!(dtype, T => for e in [extreme::<T>(), -extreme::<T>()] {
                let a: Vec<_> = random::<T>(Class::Uniform, m, n, BATCH, 4).iter().map(|a| scaled(a, e)).collect();
                let output = gelqf(&session, Form::Pointers, &a, &Placement::guarded())?.run()?;
                for (i, a) in a.iter().enumerate() {
                    let ratio = ratio(a, &output.operands[0][i], &output.operands[1][i]);
                    verdicts.add(ratio, || format!("{} {m}x{n} 2^{e}", dtype.letter()));
                }
            });
        }
    }
    verdicts.close("gelqf, extreme", 4 * 4 * 2 * BATCH);
    Ok(())
}

#[test]
fn a_bad_member_stays_alone() -> Result<()> {
    const BAD: usize = 5;
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for (m, n) in [(4, 6), (20, 33), (65, 70), (130, 9)] {
            with_scalar!(dtype, T => {
                let a = random::<T>(Class::Uniform, m, n, 11, 3);
                let run = |a: &[_]| gelqf(&session, Form::Pointers, a, &Placement::guarded())?.run();
                let clean = run(&a)?;
                for value in [f64::NAN, f64::INFINITY] {
                    let mut bad = a.clone();
                    bad[BAD] = with(&bad[BAD], (m - 1, 0), value);
                    assert_isolated(&format!("{} {m}x{n} {value}", dtype.letter()), BAD, &clean, &run(&bad)?);
                }
            });
        }
    }
    Ok(())
}

#[test]
fn zero_sizes_touch_nothing() -> Result<()> {
    let session = Session::new(Library::required());
    for (m, n) in [(0, 0), (3, 0), (0, 3)] {
        for form in NATIVE_FORMS {
            let call = gelqf::<f64>(&session, form, &random(Class::Uniform, m, n, 2, 1), &Placement::guarded())?;
            call.issue()?;
            assert!(call.is_untouched()?, "{m}x{n} {form:?}");
        }
    }
    Ok(())
}

/// A^H has a place in the workspace on a device; host threads have their own.
#[test]
fn the_workspace_is_what_is_needed() -> Result<()> {
    type Query = unsafe extern "C" fn(i64, i64, i64, i64, *mut usize) -> i32;
    let library = Library::required();
    let on_device = library.backend()? == Backend::Cuda;
    let mut bytes = usize::MAX;
    // SAFETY: the type is that of include/tephra.h.
    let code = unsafe { library.symbol::<Query>("tephra_dgelqf_batched_workspace")?(30, 7, 33, 9, &mut bytes) };
    assert_eq!((code, bytes), (0, if on_device { (30 * 7 * 9 * size_of::<f64>()).next_multiple_of(16) } else { 0 }));
    Ok(())
}
