//! The CUDA backend: driver API only, loaded at run time; kernels embedded as compressed images.
//!
//! | room | what is in it |
//! | --- | --- |
//! | a routine's, such as `geqrf/` | `choose.rs`: its plans; `steps.rs`: their launches; `each_*.rs`: of members with sizes of their own |
//! | `tall/` | what several routines have in common for matrices with more rows than a block holds |
//! | [`plan`] | what plans are, how they are kept, walked and told |
//! | `args/` | kernels' arguments that several rooms use |
//! | `driver/` | all that calls the driver: the table of its functions, kernels, images, memory |
//! | [`arch`] | all that was measured on an architecture: crossovers, models, tables of times |

pub mod arch;
pub(crate) mod args;
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
pub(crate) mod moves;
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

pub use plan::run::{Run, of};
pub use runtime::{is_page_locked, runtime};
