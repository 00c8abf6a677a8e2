//! Tests that measure every member: the sweep, and members near the limits of the range.

use super::codes::assert_codes;
use super::{BATCH, Entry, Inputs, Member, Routine, Verdicts, extreme, scaled, what};
use crate::matrices::Class;
use crate::ops::{EntryForm, Output};
use crate::qr::Session;
use crate::sweep::batch_invariantly;
use crate::{Dtype, Library, Result, Scalar, with_scalar};

/// The results of one case, input class and batch in several forms.
struct Measured<'a, R: Routine, T> {
    session: &'a Session,
    case: R::Case,
    class: Class,
    inputs: &'a Inputs<T>,
    /// The first form's output and the ratios of its members. Other forms mostly produce the same bits, so these ratios
    /// are reused.
    first: Option<(Output<T>, Vec<f64>)>,
}

impl<'a, R: Routine, T: Scalar> Measured<'a, R, T> {
    fn new(session: &'a Session, case: R::Case, class: Class, inputs: &'a Inputs<T>) -> Self {
        Measured { session, case, class, inputs, first: None }
    }

    /// Runs the call in one form and adds the ratio of each member, to which it first applies `prepare`.
    fn add(&mut self, form: EntryForm, prepare: impl Fn(usize, &mut Member<T>), verdicts: &mut Verdicts) -> Result<()> {
        let what = format!("{} {}", what::<R>(T::DTYPE, form, self.case), self.class.name());
        // Shuffles the members in memory differently for each size.
        let order = self.inputs.iter().flatten().map(|a| a.data().len() as u64).sum();
        let output = R::call(Entry::anywhere(self.session, form, order), self.case, self.inputs)?.run()?;
        assert_codes::<R, T>(form, &output, |_| R::code(self.case), &what);
        let ratio = |i: usize| match &self.first {
            Some((first, ratios)) if output.same_operands(i, first, i) => ratios[i],
            _ => {
                let mut member = Member::of(self.inputs, &output, i);
                prepare(i, &mut member);
                R::ratio(self.case, self.class, &member)
            }
        };
        let ratios: Vec<f64> = (0..output.info.len()).map(ratio).collect();
        for (i, &ratio) in ratios.iter().enumerate() {
            verdicts.add(ratio, || format!("{what} member {i}"));
        }
        self.first.get_or_insert((output, ratios));
        Ok(())
    }
}

/// Runs every case, input class and form.
pub fn sweep<R: Routine, T: Scalar>() -> Result<()> {
    let session = Session::new(Library::required());
    let mut verdicts = Verdicts::default();
    let mut called = vec![0; R::FORMS.len()];
    let (cases, full) = (R::cases(T::DTYPE), R::full(T::DTYPE));
    sweep_over::<R, T>(&session, &cases, &mut verdicts, &mut called)?;
    if !full.is_empty() {
        batch_invariantly(session.library(), None, || {
            sweep_over::<R, T>(&session, &full, &mut verdicts, &mut called)
        })??;
    }
    assert!(called.iter().all(|&calls| calls > 0), "{}: calls by form: {called:?}", R::NAME);
    let least = (cases.len() + full.len()) * R::CLASSES.len() * BATCH;
    verdicts.close(&format!("{} {}", R::NAME, T::DTYPE.letter()), least);
    Ok(())
}

fn sweep_over<R: Routine, T: Scalar>(
    session: &Session,
    cases: &[R::Case],
    verdicts: &mut Verdicts,
    called: &mut [usize],
) -> Result<()> {
    for (seed, &case) in cases.iter().enumerate() {
        for &class in R::CLASSES {
            let inputs = R::inputs::<T>(case, class, BATCH, seed as u64);
            let mut measured = Measured::<R, T>::new(session, case, class, &inputs);
            for (&form, called) in R::FORMS.iter().zip(&mut *called) {
                if R::supports(form, case, T::DTYPE) && R::sweeps(form, case) {
                    measured.add(form, |_, _| {}, verdicts)?;
                    *called += 1;
                }
            }
        }
    }
    Ok(())
}

/// Runs batches in which all members are too large or too small to be squared, and batches that have one of each next
/// to an ordinary member.
pub fn extreme_members<R: Routine>() -> Result<()> {
    let session = Session::new(Library::required());
    let mut verdicts = Verdicts::default();
    let mut least = 0;
    for dtype in Dtype::ALL {
        for (seed, case) in R::scalable(dtype).into_iter().enumerate() {
            with_scalar!(dtype, T => {
                let (form, class, e) = (R::FORMS[0], R::CLASSES[0], extreme::<T>());
                let near_one = R::inputs::<T>(case, class, BATCH, seed as u64);
                for scales in [[-e, e, 0], [e; BATCH], [-e; BATCH]] {
                    let mut inputs = near_one.clone();
                    for (a, e) in inputs[R::SCALED].iter_mut().zip(scales) {
                        *a = scaled(a, e);
                    }
                    let prepare = |i: usize, member: &mut Member<T>| R::unscale(case, member, scales[i]);
                    Measured::<R, T>::new(&session, case, class, &inputs).add(form, prepare, &mut verdicts)?;
                    least += BATCH;
                }
            });
        }
    }
    assert!(least > 0, "{} has no cases for this test", R::NAME);
    verdicts.close(&format!("{}, extreme members", R::NAME), least);
    Ok(())
}
