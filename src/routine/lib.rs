//! The routines: what each one computes, and everything about it that does not depend on the backend.
//!
//! A routine is plain data (sizes, options, operands) that implements [`Routine`]; its file holds both. The batch
//! layout is data, too: one routine serves both pointer arrays and strided batches.
//!
//! | module | contents |
//! | --- | --- |
//! | `geqrf`, `orgqr`, ... | one routine each |
//! | `routine` | the traits that every routine implements |
//! | `operation` | the list of all routines, and an enum over them |
//! | `narrow` | routines on matrices that are stored in 16-bit types |
//! | `extract`, `assign`, `panel` | MAGMA's auxiliary operations: R and T of a factorisation, copies, constants, parts of LU |
//! | `dtype`, `options`, `memory` | element types and scalars; side, triangle, transposition and diagonal; operands, workspaces, streams |
//! | [`tree`] | the reduction tree over the row blocks of a tall matrix, and where its Q is stored |
//! | [`sizes`] | per-member sizes of variable-size batches |
//! | [`bounds`] | which per-member sizes are valid |
//! | [`canonical`] | reduction of every triangular problem to a lower triangle on the left, by strides |
//! | [`error`], [`scalar`] | the error type; complex numbers and the arithmetic of elements |
//! | [`runtime`] | what a backend provides beside the routines |
//! | `check`, [`extent`] | shared argument checks; how many bytes an operand spans |

#![warn(missing_docs)]

mod assign;
pub mod bounds;
pub mod canonical;
mod check;
mod dgmm;
mod dtype;
pub mod error;
pub mod extent;
mod extract;
mod geam;
mod gelqf;
mod gels;
mod gels_iterative;
mod gelsy;
mod gemm;
mod gemqr;
mod gemv;
mod geqp3;
mod geqr;
mod geqrf;
mod gesv;
mod gesv_rbt;
mod getrf;
mod getri;
mod getrs;
mod inv;
mod lacpy;
mod larfb;
mod larft;
mod laset;
mod laswp;
mod lu_to_permutation;
mod memory;
mod narrow;
mod operation;
mod options;
mod orgqr;
mod ormqr;
mod panel;
mod posv;
mod potrf;
mod potri;
mod potrs;
mod qr;
mod routine;
pub mod runtime;
pub mod scalar;
pub mod sizes;
mod symm;
mod syrk;
mod transpose;
pub mod tree;
mod trmm;
mod trsm;
mod trsv;
mod trtri;

pub use assign::{Assign, Part, Source};
pub use bounds::{Bounds, BoundsCheck};
pub use check::Verdict;
pub use dtype::{Alpha, Dtype, Math};
pub use extract::{ExtractPart, GeqrfExtract};
pub use gels_iterative::FallbackReason;
pub use geqr::offset_by;
pub use getrf::SmallPivots;
pub use memory::{Operand, Stream, Workspace};
pub use narrow::{Fp32Problem, Storage, StoredOperand};
pub use operation::Operation;
pub use options::{Diag, Side, Trans, Uplo};
pub use panel::{Blocks, BlocksOfEach, Corner, ExchangeColumns, PanelStep, PermuteRows, Remainder};
pub use qr::{QPart, QrStage};
pub use routine::{Batched, ExtraArguments, Routine, Shape};
pub use sizes::{
    GelsSizes, GemmSizes, GemvSizes, GetriSizes, LaswpSizes, PotrfSizes, QSizes, Sizes, SolveSizes, SymmSizes,
    SyrkSizes, SystemSizes, TrsmSizes, TrsvSizes,
};
pub use syrk::TriangleProduct;

macro_rules! exported {
    ($($module:ident::$Routine:ident)*) => {
        $(pub use $module::$Routine;)*
    };
}
all_routines!(exported);
