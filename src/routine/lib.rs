//! The routines: what each computes, and all that is to be known of it apart from how a backend does it.
//!
//! A routine is plain data (sizes, options, operands) that implements [`Routine`]; its file holds both. Layouts are
//! data, too: one routine serves pointer arrays and strided batches.
//!
//! | module | what is in it |
//! | --- | --- |
//! | `geqrf`, `orgqr`, ... | a routine each |
//! | `routine` | what is to be known of every routine |
//! | `operation` | the list of all, above them |
//! | `narrow` | some of them on matrices of 16 bits |
//! | `extract`, `assign`, `panel` | what MAGMA's interface has beside them: R and T of a factorisation, copies and constants, panels of LU |
//! | `dtype`, `options`, `memory` | element types and scalars; sides, triangles and the like; operands, workspaces, streams |
//! | [`tree`] | tall matrices in blocks of rows, and where their Q is kept |
//! | [`sizes`] | of members that have sizes of their own |
//! | [`bounds`] | which of those are valid |
//! | [`canonical`] | triangles, whatever their flags, as lower ones by strides |
//! | [`error`], [`scalar`] | the one error type; complex numbers, and the arithmetic of elements |
//! | [`runtime`] | what a backend offers beside routines |
//! | `check`, [`extent`] | what the argument checks have in common; how far operands reach |

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
pub use bounds::{Bounds, Check};
pub use check::Verdict;
pub use dtype::{Alpha, Dtype, Math};
pub use extract::{ExtractPart, GeqrfExtract};
pub use gels_iterative::Reason;
pub use geqr::further;
pub use getrf::SmallPivots;
pub use memory::{Operand, Stream, Workspace};
pub use narrow::{Single, Storage, Stored};
pub use operation::Operation;
pub use options::{Diag, Side, Trans, Uplo};
pub use panel::{Blocks, BlocksOfEach, Corner, ExchangeColumns, PanelStep, PermuteRows, Remainder};
pub use qr::QPart;
pub use routine::{Batched, Routine, Shape, Told};
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
