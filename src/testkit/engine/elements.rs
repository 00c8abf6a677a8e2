//! Element-wise comparison with LAPACK, by every plan.

use super::{BATCH, Entry, Inputs, Member, Routine, what};
use crate::lapack::Lapack;
use crate::library::Backend;
use crate::qr::Session;
use crate::sweep::with_plan;
use crate::{Dtype, Library, Result, Rng, Scalar, with_scalar};

/// A row whose results LAPACK's conventions determine to rounding, for some input, signs and conjugations included.
pub trait Determined: Routine {
    /// The largest difference that is due to rounding, in the units of [`Determined::difference`].
    const BOUND: f64;

    /// Whether two plans on average take a case, where there are several.
    const BY_TWO: bool = true;

    /// The plan candidates, in the names of `tephra_set_plan`. One of them at least takes each case.
    fn paths(backend: Backend) -> &'static [&'static str];
    /// Operands that determine the result.
    fn determined<T: Scalar>(case: Self::Case, batch: usize, rng: &mut Rng) -> Inputs<T>;
    /// The largest difference of an element from LAPACK's.
    fn difference<T: Scalar>(lapack: &Lapack, case: Self::Case, member: &Member<T>) -> Result<f64>;
}

/// Every case by every plan that takes it.
pub fn elements_are_lapacks<R: Determined>() -> Result<()> {
    let Some(lapack) = Lapack::get_unless_waived()? else {
        return Ok(());
    };
    let session = Session::new(Library::required());
    let paths = R::paths(session.library().backend()?);
    let (mut cases, mut measured) = (0, 0);
    for dtype in Dtype::ALL {
        for (seed, case) in R::cases(dtype).into_iter().enumerate() {
            cases += 1;
            let before = measured;
            with_scalar!(dtype, T => {
                let inputs = R::determined::<T>(case, BATCH, &mut Rng::new(seed as u64));
                for &path in paths {
                    // What the workspace query answers depends on the plan, too.
                    let issued = || -> Result<_> {
                        let call = R::call(Entry::guarded(&session, R::FORMS[0]), case, &inputs)?;
                        call.issue()?;
                        Ok(call)
                    };
                    let call = match with_plan(session.library(), path, issued)? {
                        // Registers and lanes hold small matrices only.
                        Err(e) if e.is_not_supported() => continue,
                        issued => issued?,
                    };
                    let output = call.collect()?;
                    for i in 0..BATCH {
                        let difference = R::difference(lapack, case, &Member::of(&inputs, &output, i))?;
                        let what = what::<R>(dtype, R::FORMS[0], case);
                        assert!(difference < R::BOUND, "{what} {path} member {i}: {difference}");
                        measured += 1;
                    }
                }
            });
            assert!(measured > before, "{} {} {case:?}: no plan takes it", R::NAME, dtype.letter());
        }
    }
    // Not all of one path, where there are others.
    let least = match paths.len() {
        1 => cases * BATCH,
        _ if R::BY_TWO => 2 * cases * BATCH,
        _ => cases * BATCH + 1,
    };
    assert!(cases > 0 && measured >= least, "{}: {measured} results of {cases} cases", R::NAME);
    Ok(())
}
