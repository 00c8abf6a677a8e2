//! `tephra_?qr`: Q and R explicitly.

use crate::support::{BATCH, Verdicts, assert_isolated, extreme, place, scaled, with};
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::Form;
use tephra_testkit::ops::measure::{orthogonality, product, triangle};
use tephra_testkit::ops::q::{NATIVE_FORMS, Part, qr, random};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::{Field, worst};
use tephra_testkit::{Dtype, Library, Matrix, Result, Scalar, in_all_precisions, with_scalar};

const SHAPES: [(usize, usize); 24] = [
    (1, 1),
    (2, 1),
    (1, 2),
    (3, 3),
    (8, 8),
    (9, 4),
    (4, 9),
    (16, 16),
    (17, 16),
    (32, 32),
    (33, 32),
    (20, 50),
    (47, 47),
    (64, 64),
    (65, 33),
    (72, 72),
    (100, 7),
    (130, 130),
    (150, 210),
    (193, 193),
    (256, 16),
    (300, 40),
    (600, 5),
    (900, 30),
];

/// Classes whose R is determined to rounding come first: there R itself is compared, signs and all.
const CLASSES: [(Class, bool); 5] = [
    (Class::Cond2, true),
    (Class::Uniform, false),
    (Class::RankDeficient, false),
    (Class::ZeroColumns, false),
    (Class::ScaledColumns, false),
];

fn serves(part: Part, m: usize, n: usize) -> bool {
    part != Part::InPlace || m >= n
}

fn sweep<T: Scalar>() -> Result<()> {
    let session = Session::new(Library::required());
    let mut verdicts = Verdicts::default();
    for (m, n) in SHAPES {
        for (class, determined) in CLASSES {
            let a = random::<T>(class, m, n, BATCH, (m * 100 + n) as u64);
            for part in Part::ALL.into_iter().filter(|&part| serves(part, m, n)) {
                for form in NATIVE_FORMS {
                    let output = qr(&session, form, part, &a, &place(form, m))?.run()?;
                    let r = output.operands.last().expect("R is always written");
                    for i in 0..BATCH {
                        let mut ratio = if determined { triangle(&a[i], &r[i]) } else { 0.0 };
                        if part != Part::None {
                            let q = &output.operands[0][i];
                            ratio = worst(ratio, worst(product(&a[i], q, &r[i]), orthogonality(q)));
                        } else if !r[i].is_finite() {
                            ratio = f64::NAN;
                        }
                        let letter = T::DTYPE.letter();
                        verdicts.add(ratio, || format!("{letter} {m}x{n} {} {part:?} {form:?}", class.name()));
                    }
                }
            }
        }
    }
    verdicts.close(&format!("qr {}", T::DTYPE.letter()), SHAPES.len() * CLASSES.len() * 6 * BATCH);
    Ok(())
}

in_all_precisions!(sweep);

#[test]
fn a_bad_member_stays_alone() -> Result<()> {
    const BAD: usize = 5;
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for (m, n) in [(6, 4), (4, 6), (33, 20), (70, 65), (200, 12)] {
            with_scalar!(dtype, T => for part in Part::ALL.into_iter().filter(|&part| serves(part, m, n)) {
                let a = random::<T>(Class::Uniform, m, n, 11, 3);
                let run = |a: &[_]| qr(&session, Form::Pointers, part, a, &Placement::guarded())?.run();
                let clean = run(&a)?;
                for value in [f64::NAN, f64::INFINITY] {
                    let mut dirty = a.clone();
                    dirty[BAD] = with(&dirty[BAD], (m / 2, n / 2), value);
                    let what = format!("{} {m}x{n} {part:?} {value}", dtype.letter());
                    assert_isolated(&what, BAD, &clean, &run(&dirty)?);
                }
            });
        }
    }
    Ok(())
}

/// Q does not depend on the scale of A, and R scales with it.
#[test]
fn extreme_members() -> Result<()> {
    let session = Session::new(Library::required());
    let mut verdicts = Verdicts::default();
    for dtype in Dtype::ALL {
        for (m, n) in [(8, 8), (40, 33), (90, 70), (256, 16)] {
            with_scalar!(dtype, T => {
                let near_one = random::<T>(Class::Uniform, m, n, BATCH, 9);
                let scales = [-extreme::<T>(), extreme::<T>(), 0];
                let a: Vec<Matrix<T>> = near_one.iter().zip(scales).map(|(a, e)| scaled(a, e)).collect();
                let output = qr(&session, Form::Pointers, Part::Thin, &a, &Placement::guarded())?.run()?;
                for (i, e) in scales.into_iter().enumerate() {
                    let (q, r) = (&output.operands[0][i], scaled(&output.operands[1][i], -e));
                    let ratio = worst(product(&near_one[i], q, &r), orthogonality(q));
                    verdicts.add(ratio, || format!("{} {m}x{n} 2^{e}", dtype.letter()));
                }
            });
        }
    }
    verdicts.close("qr, extreme members", 48);
    Ok(())
}

#[test]
fn zero_sizes() -> Result<()> {
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => for form in NATIVE_FORMS {
            for (m, n, part) in [(0, 3, Part::Thin), (3, 0, Part::Thin), (3, 0, Part::None), (0, 3, Part::Full)] {
                let call = qr(&session, form, part, &random::<T>(Class::Uniform, m, n, 2, 1), &Placement::guarded())?;
                call.issue()?;
                assert!(call.is_untouched()?, "{} {m}x{n} {part:?} {form:?}", dtype.letter());
            }
            // A matrix without columns still has a full Q.
            let none = random::<T>(Class::Uniform, 4, 0, 2, 1);
            let output = qr(&session, form, Part::Full, &none, &Placement::guarded())?.run()?;
            for q in &output.operands[0] {
                for j in 0..4 {
                    for i in 0..4 {
                        let expected = <T as Scalar>::Wide::real(f64::from(u8::from(i == j)));
                        assert_eq!(q[(i, j)].wide(), expected, "{} ({i},{j})", dtype.letter());
                    }
                }
            }
        });
    }
    Ok(())
}
