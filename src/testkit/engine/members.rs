//! Tests that the members of a batch are independent of each other.

use super::codes::assert_codes;
use super::leftover::assert_leftovers;
use super::{BATCH, Entry, Inputs, Member, Routine, forms, what, with};
use crate::ops::Output;
use crate::qr::Session;
use crate::ratios::Ratios;
use crate::scalar::same_bits;
use crate::{Dtype, Library, Matrix, Result, Scalar, with_scalar};

/// Panics unless all members except `bad` are bitwise identical, codes included, and the bad member shows that
/// something is wrong, either by an element that is not finite or by its code.
fn assert_isolated<T: Scalar>(what: &str, bad: usize, clean: &Output<T>, dirty: &Output<T>) {
    for i in (0..clean.info.len()).filter(|&i| i != bad) {
        assert!(dirty.same_member(i, clean, i), "{what}: neighbour {i} changed");
    }
    for (clean, dirty) in clean.operands.iter().zip(&dirty.operands) {
        let unset = |m: &Matrix<T>| m.data().iter().map(|&x| same_bits(&[x], &[T::POISON])).collect::<Vec<_>>();
        assert_eq!(unset(&clean[bad]), unset(&dirty[bad]), "{what}: what the call writes, member {bad}");
    }
    let finite = dirty.operands.iter().all(|members| members[bad].is_finite());
    assert!(!finite || dirty.info[bad] != clean.info[bad], "{what}: the result hides it");
}

/// Puts each of the row's spots, one at a time, into one member.
pub fn a_bad_member_stays_alone<R: Routine>() -> Result<()> {
    const BAD: usize = 5;
    const MEMBERS: usize = 11;
    let session = Session::new(Library::required());
    let mut tried = 0;
    for dtype in Dtype::ALL {
        for (seed, case) in R::few(dtype).into_iter().enumerate() {
            with_scalar!(dtype, T => {
                let form = R::FORMS[0];
                let inputs = R::inputs::<T>(case, R::CLASSES[0], MEMBERS, seed as u64);
                let run = |inputs: &Inputs<T>| R::call(Entry::guarded(&session, form), case, inputs)?.run();
                let clean = run(&inputs)?;
                for spot in R::spots(case) {
                    for &value in spot.values {
                        let mut dirty = inputs.clone();
                        dirty[spot.operand][BAD] = with(&dirty[spot.operand][BAD], spot.at, value);
                        let what = format!(
                            "{}, {value} in operand {} at {:?}", what::<R>(dtype, form, case), spot.operand, spot.at
                        );
                        assert_isolated(&what, BAD, &clean, &run(&dirty)?);
                        tried += 1;
                    }
                }
            });
        }
    }
    assert!(tried > 0, "{} has no spots for this test", R::NAME);
    Ok(())
}

/// Checks that a singular member gets its code in every form that reports codes, that its operands are left as the user
/// guide says, and that its neighbours do not change.
pub fn a_singular_member_is_told_and_stays_alone<R: Routine>() -> Result<()> {
    const BAD: usize = 1;
    let session = Session::new(Library::required());
    let mut singular_members = 0;
    for dtype in Dtype::ALL {
        for (seed, case) in R::few(dtype).into_iter().enumerate() {
            with_scalar!(dtype, T => for form in forms::<R>(case, dtype) {
                let inputs = R::inputs::<T>(case, R::CLASSES[0], BATCH, seed as u64);
                let run = |inputs: &Inputs<T>| R::call(Entry::anywhere(&session, form, 2), case, inputs)?.run();
                let clean = run(&inputs)?;
                for flaw in 0..3 {
                    let mut singular = inputs.clone();
                    let code = R::make_singular(case, &mut singular[0][BAD], flaw);
                    if code == 0 {
                        continue; // this case has no such flaw
                    }
                    let what = format!("{} flaw {flaw}", what::<R>(dtype, form, case));
                    let got = run(&singular)?;
                    assert_codes::<R, T>(form, &got, |i| if i == BAD { code } else { R::code(case) }, &what);
                    for i in (0..BATCH).filter(|&i| i != BAD) {
                        assert!(got.same_member(i, &clean, i), "{what}: neighbour {i} changed");
                    }
                    let leftovers = R::leftovers(case, &Member::of(&singular, &got, BAD));
                    assert_eq!(leftovers.len(), got.operands.len(), "{what}: a cell for each written operand");
                    assert_leftovers::<R>(&leftovers, &what);
                    singular_members += 1;
                }
            });
        }
    }
    assert!(singular_members > 0, "{} has no singular members for this test", R::NAME);
    Ok(())
}

/// Checks the cases without work in every form and precision.
pub fn zero_sizes_touch_nothing<R: Routine>() -> Result<()> {
    let session = Session::new(Library::required());
    let mut called = 0;
    for dtype in Dtype::ALL {
        for case in R::zeros() {
            with_scalar!(dtype, T => for form in forms::<R>(case, dtype) {
                let inputs = R::inputs::<T>(case, R::CLASSES[0], 2, 1);
                let call = R::call(Entry::guarded(&session, form), case, &inputs)?;
                call.issue()?;
                assert!(call.is_untouched()?, "{}", what::<R>(dtype, form, case));
                called += 1;
            });
        }
    }
    assert!(called > 0, "{} has no cases for this test", R::NAME);
    Ok(())
}

/// Repeats a few different members over a huge batch: every copy must have the same, correct result, whatever its
/// index.
pub fn batches_beyond_the_limits_of_a_grid<R: Routine>() -> Result<()> {
    const DIFFERENT: usize = 7; // coprime to every block size, so each one lands at every position of a block
    let case = R::tiny().unwrap_or_else(|| panic!("{} has no case for this test", R::NAME));
    let session = Session::new(Library::required());
    for dtype in [Dtype::S, Dtype::D] {
        with_scalar!(dtype, T => {
            let mut inputs = R::inputs::<T>(case, R::CLASSES[0], DIFFERENT, 1);
            for operand in &mut inputs {
                *operand = (0..70_000).map(|i| operand[i % DIFFERENT].clone()).collect();
            }
            for form in forms::<R>(case, dtype) {
                let what = what::<R>(dtype, form, case);
                let output = R::call(Entry::tight(&session, form), case, &inputs)?.run()?;
                assert_codes::<R, T>(form, &output, |_| R::code(case), &what);
                for i in 0..output.info.len() {
                    assert!(output.same_member(i, &output, i % DIFFERENT), "{what}: member {i} differs from its copy");
                }
                for i in 0..DIFFERENT {
                    let ratio = R::ratio(case, R::CLASSES[0], &Member::of(&inputs, &output, i));
                    assert!(ratio < Ratios::THRESHOLD, "{what}: ratio {ratio}");
                }
            }
        });
    }
    Ok(())
}
