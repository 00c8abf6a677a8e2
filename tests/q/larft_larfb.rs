//! larft, larfb.

use crate::support::{BATCH, Verdicts, assert_isolated, place, with};
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::measure::{applied, block_applied, block_factor, difference};
use tephra_testkit::ops::q::{NATIVE_FORMS, larfb, larft, random, reflectors};
use tephra_testkit::ops::{Form, Side, Trans};
use tephra_testkit::qr::Session;
use tephra_testkit::{Dtype, Library, Matrix, Result, Scalar, in_all_precisions, with_scalar};

/// Rows of V, reflectors, and the other dimension of C.
const SHAPES: [(usize, usize, usize); 11] = [
    (1, 1, 1),
    (3, 2, 4),
    (5, 5, 3),
    (8, 8, 8),
    (17, 16, 5),
    (32, 32, 33),
    (33, 20, 7),
    (64, 32, 64),
    (70, 64, 9),
    (100, 40, 20),
    (200, 8, 3),
];

/// T by larft, as a pointer batch.
fn factors<T: Scalar>(session: &Session, v: &[Matrix<T>], tau: &[Matrix<T>]) -> Result<Vec<Matrix<T>>> {
    Ok(larft(session, Form::Pointers, v, tau, &Placement::guarded())?.run()?.only())
}

fn sweep<T: Scalar>() -> Result<()> {
    let session = Session::new(Library::required());
    let (mut of_t, mut of_c) = (Verdicts::default(), Verdicts::default());
    let letter = T::DTYPE.letter();
    for (m, k, n) in SHAPES {
        let (v, tau) = reflectors::<T>(m, k, BATCH, (m * 100 + k) as u64);
        for form in NATIVE_FORMS {
            for (i, t) in larft(&session, form, &v, &tau, &place(form, m))?.run()?.only().iter().enumerate() {
                of_t.add(block_factor(&v[i], &tau[i], t), || format!("{letter} {m}x{k} {form:?}"));
            }
        }
        let t = factors(&session, &v, &tau)?;
        for &side in Side::ALL {
            let (rows, cols) = if side == Side::Left { (m, n) } else { (n, m) };
            let c = random::<T>(Class::Uniform, rows, cols, BATCH, 5);
            for &trans in Trans::ALL.iter().filter(|&&trans| trans != Trans::T || !T::DTYPE.is_complex()) {
                for form in NATIVE_FORMS {
                    let got = larfb(&session, form, (side, trans), &v, &t, &c, &place(form, m))?.run()?.only();
                    for (i, got) in got.iter().enumerate() {
                        let reference = applied((side, trans), &v[i], &tau[i], &c[i]);
                        of_c.add(difference(got, &reference), || {
                            format!("{letter} {rows}x{cols} k {k} {side:?} {trans:?} {form:?}")
                        });
                    }
                }
            }
        }
    }
    of_t.close(&format!("larft {letter}"), SHAPES.len() * 2 * BATCH);
    of_c.close(&format!("larfb {letter}"), SHAPES.len() * 8 * BATCH);
    Ok(())
}

in_all_precisions!(sweep);

/// Order of H, reflectors, the other dimension of C: several panels of them; more rows than a block of a device holds; more
/// reflectors than W of a tile has room for there.
const GIVEN: [(usize, usize, usize); 7] =
    [(40, 33, 20), (64, 64, 33), (100, 100, 7), (300, 70, 40), (600, 65, 18), (130, 17, 3), (1500, 1450, 2)];

/// H = I - V T V^H for the T that is given, also where it is not the product of V's reflectors.
#[test]
fn any_t_is_applied_as_it_is() -> Result<()> {
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => {
            let mut verdicts = Verdicts::default();
            for (order, k, n) in GIVEN {
                let batch = if k > 1000 { 1 } else { 3 };
                let v = random::<T>(Class::Uniform, order, k, batch, 11);
                let t = random::<T>(Class::Uniform, k, k, batch, 12);
                for &side in Side::ALL {
                    let (rows, cols) = if side == Side::Left { (order, n) } else { (n, order) };
                    let c = random::<T>(Class::Uniform, rows, cols, batch, 13);
                    for &trans in Trans::ALL.iter().filter(|&&trans| trans != Trans::T || !dtype.is_complex()) {
                        for form in NATIVE_FORMS {
                            let got = larfb(&session, form, (side, trans), &v, &t, &c, &place(form, order))?.run()?.only();
                            for (i, got) in got.iter().enumerate() {
                                let reference = block_applied((side, trans), &v[i], &t[i], &c[i]);
                                verdicts.add(difference(got, &reference), || {
                                    format!("{} {rows}x{cols} k {k} {side:?} {trans:?} {form:?}", dtype.letter())
                                });
                            }
                        }
                    }
                }
            }
            verdicts.close(&format!("larfb {} of any T", dtype.letter()), GIVEN.len() * 8);
        });
    }
    Ok(())
}

/// What is on and above the diagonal of V, and below that of T, is not read.
#[test]
fn only_the_stored_parts_are_read() -> Result<()> {
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for (m, k, n) in [(5, 3, 4), (40, 20, 33), (70, 50, 18)] {
            with_scalar!(dtype, T => {
                let (mut v, tau) = reflectors::<T>(m, k, BATCH, 5);
                let mut t = factors(&session, &v, &tau)?;
                let c = random::<T>(Class::Uniform, m, n, BATCH, 6);
                for (v, t) in v.iter_mut().zip(&mut t) {
                    for j in 0..k {
                        v.col_mut(j)[..=j].fill(T::POISON);
                        t.col_mut(j)[j + 1..].fill(T::POISON);
                    }
                }
                assert!(factors(&session, &v, &tau)?.iter().all(Matrix::is_finite), "{} larft", dtype.letter());
                let flags = (Side::Left, Trans::N);
                let c = larfb(&session, Form::Pointers, flags, &v, &t, &c, &Placement::guarded())?.run()?.only();
                assert!(c.iter().all(Matrix::is_finite), "{} larfb", dtype.letter());
            });
        }
    }
    Ok(())
}

#[test]
fn a_bad_member_stays_alone() -> Result<()> {
    const BAD: usize = 2;
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for (m, k, n) in [(6, 4, 3), (40, 33, 20)] {
            with_scalar!(dtype, T => {
                let (v, tau) = reflectors::<T>(m, k, 7, 3);
                let t = factors(&session, &v, &tau)?;
                let c = random::<T>(Class::Uniform, m, n, 7, 4);
                let mut dirty = tau.clone();
                dirty[BAD] = with(&dirty[BAD], (0, 0), f64::NAN);
                let run = |tau: &[_]| larft(&session, Form::Pointers, &v, tau, &Placement::guarded())?.run();
                assert_isolated(&format!("{} larft", dtype.letter()), BAD, &run(&tau)?, &run(&dirty)?);
                let mut dirty = c.clone();
                dirty[BAD] = with(&dirty[BAD], (m - 1, 0), f64::NAN);
                let flags = (Side::Left, Trans::C);
                let run = |c: &[_]| larfb(&session, Form::Pointers, flags, &v, &t, c, &Placement::guarded())?.run();
                assert_isolated(&format!("{} larfb", dtype.letter()), BAD, &run(&c)?, &run(&dirty)?);
            });
        }
    }
    Ok(())
}
