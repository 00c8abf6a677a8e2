//! Element-wise comparison with LAPACK under every plan.

use super::{BATCH, Entry, Inputs, Member, Routine, what};
use crate::lapack::Lapack;
use crate::library::Backend;
use crate::qr::Session;
use crate::sweep::with_plan;
use crate::{Dtype, Library, Result, Rng, Scalar, with_scalar};

/// A row for which some input determines the result up to rounding, including signs and conjugations, under LAPACK's
/// conventions.
pub trait Determined: Routine {
    /// The largest difference that rounding explains, in the units of [`Determined::difference`].
    const BOUND: f64;

    /// Whether a case is accepted by two plans on average, if there are several.
    const BY_TWO: bool = true;

    /// The plan candidates, by the names that `tephra_set_plan` takes. At least one of them must accept each case.
    fn paths(backend: Backend) -> &'static [&'static str];
    /// Operands that determine the result.
    fn determined<T: Scalar>(case: Self::Case, batch: usize, rng: &mut Rng) -> Inputs<T>;
    /// The largest difference of an element from LAPACK's.
    fn difference<T: Scalar>(lapack: &Lapack, case: Self::Case, member: &Member<T>) -> Result<f64>;
}

/// Runs every case under every plan that accepts it.
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
                    // The answer of the workspace query depends on the plan as well.
                    let issued = || -> Result<_> {
                        let call = R::call(Entry::guarded(&session, R::FORMS[0]), case, &inputs)?;
                        call.issue()?;
                        Ok(call)
                    };
                    let call = match with_plan(session.library(), path, issued)? {
                        // The register and lane plans accept small matrices only.
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
    // If there are several plans, more than one of them must have run.
    let least = match paths.len() {
        1 => cases * BATCH,
        _ if R::BY_TWO => 2 * cases * BATCH,
        _ => cases * BATCH + 1,
    };
    assert!(cases > 0 && measured >= least, "{}: {measured} results of {cases} cases", R::NAME);
    Ok(())
}
