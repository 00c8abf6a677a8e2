//! Plans: pure host code that turns a shape and a device's limits into ordered steps.
//!
//! A routine's room says which candidates its plan has, and how they are made (`choose.rs`: [`Planned`]), and what their launches get
//! (`steps.rs`: [`walk::Launches`]). A candidate may decline a
//! shape, the last one never does. [`set_allowed`] (`TEPHRA_PLAN`, `tephra_set_plan`; `host/settings.rs`) narrows the
//! candidates, so that tests reach every path on small shapes and the tuner can time each.
//!
//! | module | what is in it |
//! | --- | --- |
//! | `steps` | what a plan is: steps, each a launch or another operation |
//! | `cache` | plans that were made, by routine, shape and limits |
//! | [`walk`] | doing a plan: its launches get their arguments, its operations are walked themselves |
//! | [`run`] | what does a routine: its plan's walk |
//! | [`parts`] | copies, constants and the like, which are parts of many plans |
//! | [`queue`] | what a walk is given to: a stream, or the list that `tephra_explain` tells |
//! | [`classes`] | launches for members of some sizes |
//! | [`each`] | parts of routines for members with sizes of their own |
//! | `limits` | what plans depend on besides the shape |
//! | `by_size` | what of a kernel depends on a launch's sizes: its shared memory |
//! | [`strip`] | what a strip of columns keeps in shared memory |
//! | `table` | the compiled kernels |
//! | [`measured`] | tables of measured times |
//! | `tuned` | the choice among candidates of LU, Cholesky and products, where something was measured |
//! | `work` | arrays in a caller's workspace |

mod by_size;
mod cache;
pub mod classes;
pub mod each;
mod limits;
pub mod measured;
pub mod parts;
pub mod queue;
pub mod run;
#[cfg(test)]
pub mod samples;
mod steps;
pub mod strip;
pub mod table;
pub mod tuned;
pub mod walk;
pub mod work;

pub use crate::host::settings::{
    CANDIDATES, allowed, batch_invariant, generation, pins, restricted, set_allowed, set_batch_invariant,
};
pub use cache::of;
pub use limits::{Class, Limits};
pub(crate) use limits::{ceil_div, panels_fit};
pub use steps::{Convert, Copy, Form, Launch, Outside, Part, Parts, Plan, Planned, Shape, Step};
