//! Routines composed of others, for members with individual sizes.
//!
//! Each part checks the sizes that it uses and skips a member with an invalid one. Some later part's sizes do
//! not concern an earlier part, as right-hand sides do not concern a factorisation. A plan with such parts
//! therefore checks all sizes first: for a member with any invalid size, the first size becomes -1, which
//! makes every part skip it. Its error code is written after the last part, over whatever code the parts
//! derived from that -1.

use crate::error::Error;
use crate::gpu::plan::work::members;
use crate::gpu::plan::{Part, Parts, Plan, Planned};
use crate::routine::{BoundsCheck, Routine};
use std::ptr::null;

/// A routine whose first bound ([`Routine::bounds`]) concerns a size that all of its parts check.
pub trait Each: Planned {
    /// The same problem with `sizes` as the array of that size.
    fn with_first(&self, sizes: *const i32) -> Self;
}

/// The call on the checked sizes, which [`begin_with_checks`] stores at the start of the workspace.
pub fn checked<P: Each>(p: &P) -> P {
    p.with_first(p.work().map_or(null(), |work| work.p.cast_const().cast()))
}

/// A plan of these parts, which must use [`checked`] for their operands, with the checks around them.
pub fn between_checks<P: Each, const N: usize>(parts: [Part<P>; N]) -> Plan<P> {
    let mut plan = begin_with_checks();
    parts.into_iter().for_each(|part| plan.sub(part));
    end_with_codes(&mut plan);
    plan
}

/// A plan that begins by checking the members' sizes.
pub fn begin_with_checks<P: Each>() -> Plan<P> {
    let mut plan = Plan::new("parts", []);
    plan.workspace = |p| members(p);
    plan.sub(|p: &P, to| match (p.bounds(), p.work()) {
        (Some(bounds), Some(work)) => to.check(&BoundsCheck::write_sizes(bounds, work.p.cast(), p.batch())),
        _ => Ok(()),
    });
    plan
}

/// Appends the step that writes the error codes of the invalid members.
pub fn end_with_codes<P: Each>(plan: &mut Plan<P>) {
    plan.sub(|p, to| match p.bounds() {
        Some(bounds) => to.check(&BoundsCheck::report_invalid(bounds, p.info(), p.batch())),
        None => Ok(()),
    });
}

/// A part that writes every member's error code, for a routine whose other parts write none.
pub fn write_codes<P: Routine>(p: &P, to: &mut dyn Parts) -> Result<(), Error> {
    match p.bounds() {
        Some(bounds) => to.check(&BoundsCheck::report(bounds, p.info(), p.batch())),
        None => Ok(()),
    }
}
