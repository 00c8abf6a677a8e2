//! Tests that measure every member: the sweep, and members at the ends of the range.

use super::codes::assert_codes;
use super::{BATCH, Inputs, Member, Routine, Verdicts, extreme, forms, place, scaled, what};
use crate::matrices::Class;
use crate::ops::Form;
use crate::qr::Session;
use crate::{Dtype, Library, Result, Scalar, with_scalar};

/// Calls `case` and measures each member, after `prepare` of it and its index.
fn measure<R: Routine, T: Scalar>(
    session: &Session,
    (form, case, class): (Form, R::Case, Class),
    inputs: &Inputs<T>,
    prepare: impl Fn(usize, &mut Member<T>),
    verdicts: &mut Verdicts,
) -> Result<()> {
    let what = || format!("{} {}", what::<R>(T::DTYPE, form, case), class.name());
    let output = R::call(session, form, case, inputs, &place(form, order_seed(inputs)))?.run()?;
    assert_codes::<R, T>(form, &output, |_| 0, &what());
    for i in 0..output.info.len() {
        let mut member = Member::of(inputs, &output, i);
        prepare(i, &mut member);
        verdicts.add(R::ratio(case, class, &member), || format!("{} member {i}", what()));
    }
    Ok(())
}

/// Seed of the order of members in memory: another in each size.
fn order_seed<T: Scalar>(inputs: &Inputs<T>) -> u64 {
    inputs.iter().flatten().map(|a| a.data().len() as u64).sum()
}

/// Every case, class of input and form.
pub fn sweep<R: Routine, T: Scalar>() -> Result<()> {
    let session = Session::new(Library::required());
    let mut verdicts = Verdicts::default();
    let mut called = vec![0; R::FORMS.len()];
    for (seed, case) in R::cases(T::DTYPE).into_iter().enumerate() {
        for &class in R::CLASSES {
            let inputs = R::inputs::<T>(case, class, BATCH, seed as u64);
            for form in forms::<R>(case, T::DTYPE).filter(|&form| R::sweeps(form, case)) {
                measure::<R, T>(&session, (form, case, class), &inputs, |_, _| {}, &mut verdicts)?;
                called[R::FORMS.iter().position(|&f| f == form).expect("one of the forms")] += 1;
            }
        }
    }
    assert!(called.iter().all(|&calls| calls > 0), "{}: calls by form: {called:?}", R::NAME);
    verdicts.close(&format!("{} {}", R::NAME, T::DTYPE.letter()), R::cases(T::DTYPE).len() * R::CLASSES.len() * BATCH);
    Ok(())
}

/// Batches with all members out of range, on either side, and with one on each side of an ordinary one.
pub fn extreme_members<R: Routine>() -> Result<()> {
    let session = Session::new(Library::required());
    let mut verdicts = Verdicts::default();
    let mut least = 0;
    for dtype in Dtype::ALL {
        for (seed, case) in R::few(dtype).into_iter().enumerate() {
            with_scalar!(dtype, T => {
                let (form, class, e) = (R::FORMS[0], R::CLASSES[0], extreme::<T>());
                let near_one = R::inputs::<T>(case, class, BATCH, seed as u64);
                for scales in [[-e, e, 0], [e; BATCH], [-e; BATCH]] {
                    let mut inputs = near_one.clone();
                    for (a, e) in inputs[R::SCALED].iter_mut().zip(scales) {
                        *a = scaled(a, e);
                    }
                    let prepare = |i: usize, member: &mut Member<T>| R::unscale(case, member, scales[i]);
                    measure::<R, T>(&session, (form, case, class), &inputs, prepare, &mut verdicts)?;
                    least += BATCH;
                }
            });
        }
    }
    assert!(least > 0, "{} has no cases for this test", R::NAME);
    verdicts.close(&format!("{}, extreme members", R::NAME), least);
    Ok(())
}
