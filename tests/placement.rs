//! Solving from factors: a matrix gives the same bits wherever it lies. On CUDA its columns are copied in chunks of 16
//! bytes, in one way if they are aligned to that, in others if some or none are.

use super::cholesky::matrices::{UPLO, factors};
use super::lu::matrices::inputs;
use tephra_testkit::engine::BATCH;
use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops::cholesky::potrs;
use tephra_testkit::ops::lu::{FORMS, getrf, getrs};
use tephra_testkit::ops::q::random;
use tephra_testkit::ops::{EntryForm, Prepared, Trans};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::same_bits;
use tephra_testkit::{Dtype, Library, Result, Scalar, with_scalar};

/// Every remainder of the leading dimension and of the distance between members, and starts that are not aligned.
fn placements() -> impl Iterator<Item = Placement> {
    let of = |padding| (0..4).map(move |offset| Placement { padding, offset, gap: offset, ..Placement::tight() });
    (0..4).flat_map(of)
}

fn same_everywhere<'a, T: Scalar>(
    what: &str,
    call: impl Fn(EntryForm, &Placement) -> Result<Prepared<'a, T>>,
) -> Result<()> {
    for form in FORMS {
        let mut expected = None;
        for place in placements() {
            let got = call(form, &place)?.run()?.only();
            let expected = expected.get_or_insert_with(|| got.clone());
            for (i, (x, y)) in got.iter().zip(expected).enumerate() {
                assert!(same_bits(x.data(), y.data()), "{what} {form:?} {place:?} member {i}");
            }
        }
    }
    Ok(())
}

#[test]
fn solutions_have_the_same_bits_wherever_the_factors_lie() -> Result<()> {
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        let letter = dtype.letter();
        for (n, nrhs) in [(5, 1), (33, 1), (64, 1), (65, 3), (66, 1), (130, 1), (131, 8), (300, 1)] {
            with_scalar!(dtype, T => {
                let b = random::<T>(Class::Uniform, n, nrhs, BATCH, 2);
                let a = inputs::<T>(Class::Uniform, (n, n), true, BATCH, n as u64);
                let lu = getrf(&session, EntryForm::Pointers, true, &a, &Placement::tight())?.run()?;
                for trans in [Trans::N, Trans::T, Trans::C] {
                    let what = format!("{letter}getrs {n} x {nrhs} {trans:?}");
                    same_everywhere(&what, |form, place| {
                        getrs(&session, form, trans, &lu.operands[0], Some(&lu.operands[1]), &b, place)
                    })?;
                }
                for uplo in UPLO {
                    let a = factors::<T>(uplo, n, BATCH, 3);
                    let what = format!("{letter}potrs {n} x {nrhs} {uplo:?}");
                    same_everywhere(&what, |form, place| potrs(&session, form, uplo, &a, &b, place))?;
                }
            });
        }
    }
    Ok(())
}
