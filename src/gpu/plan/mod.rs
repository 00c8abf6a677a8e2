//! Plans: pure host code that turns a shape and a device's limits into ordered steps.
//!
//! A routine's module defines the candidates for its plan and how to build them (`choose.rs`: [`Planned`]),
//! and the arguments of their launches (`steps.rs`: [`walk::Launches`]). A candidate may decline a shape; the
//! last one accepts every shape. [`set_allowed`] (`TEPHRA_PLAN`, `tephra_set_plan`; `host/settings.rs`)
//! restricts the candidates, so that tests reach every path on small shapes and the tuner can time each one.
//!
//! | module | contents |
//! | --- | --- |
//! | `steps` | what a plan is: steps, each a launch or another operation |
//! | `cache` | existing plans, by routine, shape and limits |
//! | [`walk`] | executes a plan: passes arguments to its launches, and walks the plans of its operations |
//! | [`run`] | the trait through which the backend runs a routine |
//! | [`parts`] | copies, constants and the like, which are steps of many plans |
//! | [`queue`] | the target of a walk: a stream, or the list that `tephra_explain` prints |
//! | [`classes`] | batches with individual sizes: a launch per class of sizes |
//! | [`each`] | routines composed of others, for members with individual sizes |
//! | [`padded`] | few large members with individual sizes, copied to one size |
//! | `limits` | what plans depend on besides the shape |
//! | `by_size` | shared memory of kernels where it depends on a launch's sizes |
//! | [`strip`] | what kernels with a strip of columns keep in shared memory |
//! | `table` | the compiled kernels |
//! | [`measured`] | tables of measured times |
//! | `tuned` | the choice among candidates of LU, Cholesky and products from measured times |
//! | `work` | arrays in a caller's workspace |

mod by_size;
mod cache;
pub mod classes;
pub mod each;
mod limits;
pub mod measured;
pub mod padded;
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
pub use steps::{Convert, Copy, Form, Launch, Part, Parts, Plan, Planned, SeparateOperands, Shape, Step};
