//! orgqr, ungqr.

use crate::support::{BATCH, Verdicts, assert_isolated, place, with};
use tephra_testkit::guarded::Placement;
use tephra_testkit::ops::Form;
use tephra_testkit::ops::measure::explicit_q;
use tephra_testkit::ops::q::{FORMS, check_info, orgqr, reflectors};
use tephra_testkit::qr::Session;
use tephra_testkit::{Dtype, Library, Matrix, Result, Scalar, in_all_precisions, with_scalar};

/// Rows and columns of Q.
const SHAPES: [(usize, usize); 16] = [
    (1, 1),
    (2, 1),
    (3, 3),
    (8, 8),
    (9, 4),
    (16, 16),
    (17, 16),
    (32, 32),
    (33, 32),
    (64, 64),
    (65, 33),
    (100, 7),
    (130, 130),
    (256, 16),
    (300, 300),
    (600, 5),
];

/// k reflectors in the first columns of m x n matrices; the other columns are poison, which Q replaces.
fn padded<T: Scalar>(m: usize, n: usize, k: usize, seed: u64) -> (Vec<Matrix<T>>, Vec<Matrix<T>>) {
    let (factors, tau) = reflectors::<T>(m, k, BATCH, seed);
    let wide = |f: &Matrix<T>| Matrix::from_fn(m, n, |i, j| if j < k { f[(i, j)] } else { T::POISON });
    (factors.iter().map(wide).collect(), tau)
}

fn sweep<T: Scalar>() -> Result<()> {
    let session = Session::new(Library::required());
    let mut verdicts = Verdicts::default();
    for (m, n) in SHAPES {
        let mut ks = vec![n, n.div_ceil(2), 1, 0];
        ks.dedup();
        for k in ks {
            let (factors, tau) = padded::<T>(m, n, k, (m * 100 + n + k) as u64);
            for form in FORMS {
                let output = orgqr(&session, form, &factors, &tau, &place(form, m))?.run()?;
                check_info(form, &output)?;
                for (i, q) in output.only().iter().enumerate() {
                    verdicts.add(explicit_q(q, &factors[i], &tau[i]), || {
                        format!("{} {m}x{n} k {k} {form:?}", T::DTYPE.letter())
                    });
                }
            }
        }
    }
    verdicts.close(&format!("orgqr {}", T::DTYPE.letter()), SHAPES.len() * 2 * FORMS.len() * BATCH);
    Ok(())
}

in_all_precisions!(sweep);

#[test]
fn a_bad_member_stays_alone() -> Result<()> {
    const BAD: usize = 5;
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for (m, k) in [(6, 4), (33, 20), (70, 65)] {
            with_scalar!(dtype, T => {
                let (factors, tau) = reflectors::<T>(m, k, 11, 3);
                let run = |factors: &[_], tau: &[_]| {
                    orgqr(&session, Form::Pointers, factors, tau, &Placement::guarded())?.run()
                };
                let clean = run(&factors, &tau)?;
                for value in [f64::NAN, f64::INFINITY] {
                    let (mut f, mut t) = (factors.clone(), tau.clone());
                    f[BAD] = with(&f[BAD], (m - 1, 0), value);
                    t[BAD] = with(&t[BAD], (0, 0), value);
                    let what = format!("{} {m}x{k} {value}", dtype.letter());
                    assert_isolated(&format!("{what} in V"), BAD, &clean, &run(&f, &tau)?);
                    assert_isolated(&format!("{what} in tau"), BAD, &clean, &run(&factors, &t)?);
                }
            });
        }
    }
    Ok(())
}

#[test]
fn zero_sizes_touch_nothing() -> Result<()> {
    let session = Session::new(Library::required());
    for (m, n) in [(0, 0), (3, 0)] {
        for form in FORMS {
            let (factors, tau) = padded::<f64>(m, n, 0, 1);
            let call = orgqr(&session, form, &factors, &tau, &Placement::guarded())?;
            call.issue()?;
            assert!(call.is_untouched()?, "{m}x{n} {form:?}");
        }
    }
    Ok(())
}
