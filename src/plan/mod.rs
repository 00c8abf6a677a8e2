//! Plans: pure host code that turns a shape and a device's limits into ordered kernel launches.
//!
//! An operation has candidates; a candidate may decline a shape, the last one never does. [`select`] chooses among them, by
//! a table of measured times where there is one for the device. [`set_allowed`] (`TEPHRA_PLAN`, `tephra_set_plan`)
//! narrows the candidates, so that tests reach every path on small shapes and the tuner can time each.

#[cfg(feature = "cuda")]
pub mod cache;
#[cfg(feature = "cuda")]
pub mod gels;
#[cfg(feature = "cuda")]
pub mod geqrf;
#[cfg(feature = "cuda")]
mod limits;
#[cfg(feature = "cuda")]
pub mod measured;
#[cfg(feature = "cuda")]
pub mod ormqr;
#[cfg(feature = "cuda")]
pub mod select;
mod settings;
#[cfg(feature = "cuda")]
pub mod table;
#[cfg(feature = "cuda")]
pub mod trsm;

#[cfg(feature = "cuda")]
pub(crate) use limits::ceil_div;
#[cfg(feature = "cuda")]
pub use limits::{Class, Limits};
pub(crate) use settings::unknown_candidate;
pub use settings::{CANDIDATES, allowed, batch_invariant, generation, pins, set_allowed, set_batch_invariant};
