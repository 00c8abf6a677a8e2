//! The CUDA backend. It uses the driver API only, which it loads at run time; kernels are embedded as
//! compressed images.
//!
//! | module | contents |
//! | --- | --- |
//! | one per routine | `choose.rs`: its plans; `steps.rs`: their launches; `each*.rs`: members with individual sizes |
//! | `tall/` | shared by several routines: matrices with more rows than a block holds |
//! | [`plan`] | what a plan is, and how plans are cached, walked and described |
//! | `args/` | kernel arguments that several routines use |
//! | `driver/` | everything that calls the driver: its function table, kernels, images, memory |
//! | [`arch`] | everything that was measured on an architecture: crossovers, models, tables of times |

pub mod arch;
pub(crate) mod args;
pub(crate) mod data_movement;
pub(crate) mod driver;
pub(crate) mod gelqf;
pub(crate) mod gels;
pub(crate) mod gels_iterative;
pub(crate) mod gelsy;
pub(crate) mod gemm;
pub(crate) mod gemv;
pub(crate) mod geqp3;
pub(crate) mod geqr;
pub(crate) mod geqrf;
pub(crate) mod gesv;
pub(crate) mod gesv_rbt;
pub(crate) mod getrf;
pub(crate) mod getri;
pub(crate) mod getrs;
pub(crate) mod inv;
pub(crate) mod larft;
pub(crate) mod laswp;
pub(crate) mod lu_to_permutation;
pub(crate) mod narrow;
pub(crate) mod orgqr;
pub(crate) mod ormqr;
pub mod plan;
pub(crate) mod posv;
pub(crate) mod potrf;
pub(crate) mod potri;
pub(crate) mod potrs;
pub(crate) mod qr;
mod runtime;
pub(crate) mod symm;
pub(crate) mod syrk;
pub(crate) mod tall;
pub(crate) mod triangle;
pub(crate) mod trsm;

pub use driver::device::is_page_locked;
pub use plan::run::{Run, of};
pub use runtime::runtime;
