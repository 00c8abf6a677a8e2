//! Routines that are made of others, for members with sizes of their own.
//!
//! A part looks at the sizes that it works with, and leaves a member alone of which one is not valid. Where a later part's sizes are
//! no business of an earlier one's, as right-hand sides are none of a factorisation's, they are all looked at before: the first
//! size of a member that is not valid becomes -1, by which every part knows it, and its code is written after the last part, over
//! what the parts made of that -1.

use crate::error::Error;
use crate::gpu::plan::work::members;
use crate::gpu::plan::{Part, Parts, Plan, Planned};
use crate::routine::{Check, Routine};
use std::ptr::null;

/// A routine whose first bound ([`Routine::bounds`]) is about a size that all of its parts look at.
pub trait Each: Planned {
    /// The same with other numbers in that size's place.
    fn with_first(&self, sizes: *const i32) -> Self;
}

/// The call on the members that were found valid, which is known at the start of its workspace.
pub fn checked<P: Each>(p: &P) -> P {
    p.with_first(p.work().map_or(null(), |work| work.p.cast_const().cast()))
}

/// The plan of these parts, which are to go by [`checked`].
pub fn between_checks<P: Each, const N: usize>(parts: [Part<P>; N]) -> Plan<P> {
    let mut plan = noted();
    parts.into_iter().for_each(|part| plan.sub(part));
    told(&mut plan);
    plan
}

/// A plan that begins with a look at the members.
pub fn noted<P: Each>() -> Plan<P> {
    let mut plan = Plan::new("parts", []);
    plan.workspace = |p| members(p);
    plan.sub(|p: &P, to| match (p.bounds(), p.work()) {
        (Some(bounds), Some(work)) => to.check(&Check::note(bounds, work.p.cast(), p.batch())),
        _ => Ok(()),
    });
    plan
}

/// Ends it with codes of those that are not valid.
pub fn told<P: Each>(plan: &mut Plan<P>) {
    plan.sub(|p, to| match p.bounds() {
        Some(bounds) => to.check(&Check::tell_wrong(bounds, p.info(), p.batch())),
        None => Ok(()),
    });
}

/// A part that tells each member's code, of a routine whose others tell none.
pub fn tell<P: Routine>(p: &P, to: &mut dyn Parts) -> Result<(), Error> {
    match p.bounds() {
        Some(bounds) => to.check(&Check::tell(bounds, p.info(), p.batch())),
        None => Ok(()),
    }
}
