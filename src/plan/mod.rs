//! Plans: pure host code that turns a shape and a device's limits into ordered steps.
//!
//! A routine's file says which candidates its plan has, and how they are made ([`Planned`]). A candidate may decline a
//! shape, the last one never does. [`set_allowed`] (`TEPHRA_PLAN`, `tephra_set_plan`; `host/settings.rs`) narrows the
//! candidates, so that tests reach every path on small shapes and the tuner can time each.
//!
//! | module | what is in it |
//! | --- | --- |
//! | `steps` | what a plan is: steps, each a launch or another operation; its text |
//! | `cache` | plans that were made, by routine, shape and limits |
//! | `limits` | what plans depend on besides the shape |
//! | `by_size` | what of a kernel depends on a launch's sizes: its shared memory |
//! | [`strip`] | what a strip of columns keeps in shared memory |
//! | [`tall_panel`], [`cholqr`] | panels with more rows than a block holds |
//! | [`tall_update`] | block reflectors whose rows are divided among blocks |
//! | `moves` | geam and dgmm, and copies and constants |
//! | `table` | the compiled kernels |
//! | `work` | arrays in a caller's workspace |
//! | [`geqrf`], `ormqr`, ... | the candidates of a routine |
//! | `geqrf_each` | geqrf of matrices with sizes of their own |
//! | `select`, `measured` | geqrf's choice among its candidates, by measured times |
//! | `tuned` | the same of LU, Cholesky and products, where something was measured |
//! | [`vendors`] | sizes whose calls stay the vendor's, under a handle of its own |

#[cfg(feature = "cuda")]
mod by_size;
#[cfg(feature = "cuda")]
mod cache;
#[cfg(feature = "cuda")]
pub mod cholqr;
#[cfg(feature = "cuda")]
mod clusters;
#[cfg(feature = "cuda")]
mod gelqf;
#[cfg(feature = "cuda")]
pub mod gels;
#[cfg(feature = "cuda")]
pub mod gels_iterative;
#[cfg(feature = "cuda")]
pub mod gemm;
#[cfg(feature = "cuda")]
pub mod gemv;
#[cfg(feature = "cuda")]
pub mod geqr;
#[cfg(feature = "cuda")]
pub mod geqrf;
#[cfg(feature = "cuda")]
mod geqrf_each;
#[cfg(feature = "cuda")]
mod gesv;
#[cfg(feature = "cuda")]
pub mod gesv_rbt;
#[cfg(feature = "cuda")]
pub mod getrf;
#[cfg(feature = "cuda")]
pub mod getri;
#[cfg(feature = "cuda")]
pub mod getrs;
#[cfg(feature = "cuda")]
mod inv;
#[cfg(feature = "cuda")]
mod laswp;
#[cfg(feature = "cuda")]
mod limits;
#[cfg(feature = "cuda")]
mod lu_to_permutation;
#[cfg(feature = "cuda")]
mod measured;
#[cfg(feature = "cuda")]
mod moves;
#[cfg(feature = "cuda")]
pub mod orgqr;
#[cfg(feature = "cuda")]
pub mod ormqr;
#[cfg(feature = "cuda")]
mod posv;
#[cfg(feature = "cuda")]
pub mod potrf;
#[cfg(feature = "cuda")]
pub mod potri;
#[cfg(feature = "cuda")]
pub mod potrs;
#[cfg(feature = "cuda")]
pub mod qr;
#[cfg(all(test, feature = "cuda"))]
mod samples;
#[cfg(feature = "cuda")]
mod select;
#[cfg(feature = "cuda")]
mod steps;
#[cfg(feature = "cuda")]
pub mod strip;
#[cfg(feature = "cuda")]
mod syrk;
#[cfg(feature = "cuda")]
pub mod table;
#[cfg(feature = "cuda")]
pub mod tall_panel;
#[cfg(feature = "cuda")]
pub mod tall_update;
#[cfg(feature = "cuda")]
mod triangle;
#[cfg(feature = "cuda")]
pub mod trsm;
#[cfg(feature = "cuda")]
mod tuned;
pub mod vendors;
#[cfg(feature = "cuda")]
mod work;

pub use crate::host::settings::{
    CANDIDATES, allowed, batch_invariant, generation, pins, restricted, set_allowed, set_batch_invariant,
};
#[cfg(feature = "cuda")]
pub use cache::of;
#[cfg(feature = "cuda")]
pub(crate) use limits::ceil_div;
#[cfg(feature = "cuda")]
pub use limits::{Class, Limits};
#[cfg(feature = "cuda")]
pub use steps::{Copy, Form, Launch, Outside, Parts, Plan, Planned, Shape, Step};
