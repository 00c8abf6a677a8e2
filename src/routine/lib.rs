//! The routines: what each computes, and all that is to be known of it apart from how a backend does it.
//!
//! A routine is plain data (sizes, options, operands) that implements [`Routine`]; its file holds both. Layouts are
//! data, too: one routine serves pointer arrays and strided batches.
//!
//! | module | what is in it |
//! | --- | --- |
//! | `geqrf`, `orgqr`, ... | a routine each |
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
mod options;
mod orgqr;
mod ormqr;
mod panel;
mod posv;
mod potrf;
mod potri;
mod potrs;
mod qr;
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
pub use options::{Diag, Side, Trans, Uplo};
pub use panel::{Blocks, BlocksOfEach, Corner, ExchangeColumns, PanelStep, PermuteRows, Remainder};
pub use qr::QPart;
pub use sizes::{
    GelsSizes, GemmSizes, GemvSizes, GetriSizes, LaswpSizes, PotrfSizes, QSizes, Sizes, SolveSizes, SymmSizes,
    SyrkSizes, SystemSizes, TrsmSizes, TrsvSizes,
};
pub use syrk::TriangleProduct;

use crate::error::Error;
use std::fmt::{self, Display, Formatter};
use std::ops::Deref;

/// What the library knows of every routine. Each backend has a trait of its own for how it is done, and implements that
/// beside its code for the routine.
pub trait Routine: Batched {
    /// LAPACK's or BLAS's name without the precision letter, then others by which its plan can be asked for: the complex
    /// types' own, if they have one.
    fn names(&self) -> &'static [&'static str];

    /// The first of its names.
    fn name(&self) -> &'static str {
        self.names()[0]
    }

    /// Whether it is the same in all precisions, so that its name has no letter.
    fn without_letter(&self) -> bool {
        false
    }

    /// The routine of another of its names, where that is not the same with another type.
    fn called(&self, _name: &str) -> Option<Operation> {
        None
    }

    /// Run it, return at once, or the first bad argument.
    ///
    /// The order is part of the contract: LAPACK's argument list (sizes, leading dimensions, here also strides), then the
    /// batch count, then quick returns, then, where there is work, how far the operands reach ([`extent`]); pointers are
    /// not looked at (cuBLAS does not, and with a zero size NULL is fine).
    /// `side`, `trans` and the like are checked where an ABI's numbers become our types.
    fn check(&self) -> Result<Verdict, Error>;

    /// Refuses NULL operands that have elements, in the order of the arguments. Only asked when there is work: with a
    /// zero size NULL is legal in every ABI that we serve.
    fn refuse_nulls(&self) -> Result<(), Error>;

    /// One code per matrix in the backend's memory; NULL: it has none, or they are not wanted.
    fn info(&self) -> *mut i32 {
        std::ptr::null_mut()
    }

    /// The caller's scratch memory, for a routine that takes some.
    fn work(&self) -> Option<Workspace> {
        None
    }

    /// The same routine with other scratch memory, if it takes any.
    fn with_work(&self, _work: Workspace) -> Option<Operation> {
        None
    }

    /// What is asked of members with sizes of their own, where a backend looks at them before it does the parts.
    fn bounds(&self) -> Option<Bounds> {
        None
    }

    /// What is left of a shape that needs less than the whole routine: so no backend needs to know such shapes. Codes
    /// ([`Routine::info`]) that this does not set become 0.
    fn reduced(&self) -> Option<Operation> {
        None
    }

    /// Writes its shape as arguments of `tephra bench`, each with a space before it, leading dimensions as they were
    /// given. Type and name are written by [`Operation`].
    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result;

    /// The problem that a type and two sizes stand for: what its other arguments are most often with them.
    fn of_shape(shape: &Shape) -> Self
    where
        Self: Sized;
}

/// What the problems of all routines have: fields of these names.
pub trait Batched {
    /// Element type.
    fn dtype(&self) -> Dtype;
    /// Number of matrices.
    fn batch(&self) -> i64;
}

/// A shape without operands, as `tephra_explain` asks about it.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Element type.
    pub dtype: Dtype,
    /// Rows.
    pub m: i64,
    /// Columns.
    pub n: i64,
    /// Number of matrices.
    pub batch: i64,
    /// What the calling thread allows.
    pub math: Math,
    /// What else is asked about.
    pub told: Told,
}

/// Arguments beside m and n, where they are not what they are most often.
#[derive(Clone, Copy, Debug, Default)]
pub struct Told {
    /// Terms of a product, reflectors, or right-hand sides.
    pub k: Option<i64>,
    /// Of A.
    pub trans: Option<Trans>,
}

impl Shape {
    /// The leading dimension of a matrix without gaps.
    #[inline]
    fn ld(&self) -> i64 {
        self.m.max(1)
    }

    /// The smaller one of its sizes.
    fn least(&self) -> i64 {
        self.m.min(self.n)
    }

    /// The (conjugate) transpose, by the name that LAPACK has for it.
    fn adjoint(&self) -> Trans {
        if self.dtype.is_complex() { Trans::C } else { Trans::T }
    }
}

macro_rules! routines {
    ($($module:ident::$Routine:ident)*) => {
        $(pub use $module::$Routine;

        impl Batched for $Routine {
            fn dtype(&self) -> Dtype {
                self.dtype
            }
            fn batch(&self) -> i64 {
                self.batch
            }
        })*

        /// Any routine, for what treats them alike: it stands for the [`Routine`] that it holds.
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs)] // the variants' types say it
        pub enum Operation {
            $($Routine($Routine),)*
        }

        impl Deref for Operation {
            type Target = dyn Routine;

            fn deref(&self) -> &Self::Target {
                match self {
                    $(Operation::$Routine(p) => p,)*
                }
            }
        }

        impl Operation {
            /// Every routine, with this shape.
            pub fn all(shape: &Shape) -> impl Iterator<Item = Operation> {
                [$(Operation::$Routine($Routine::of_shape(shape)),)*].into_iter()
            }
        }
    };
}

/// Calls a macro with all routines, `module::Type` of each: the list of them, beside which nothing names them all.
#[doc(hidden)]
#[macro_export]
macro_rules! all_routines {
    ($then:ident) => {
        $then! {
            geqrf::Geqrf
            gelqf::Gelqf
            geqp3::Geqp3
            orgqr::Orgqr
            ormqr::Ormqr
            qr::Qr
            geqr::Geqr
            gemqr::Gemqr
            gels::Gels
            gelsy::Gelsy
            gels_iterative::GelsIterative
            trsm::Trsm
            gemm::Gemm
            gemv::Gemv
            larft::Larft
            larfb::Larfb
            getrf::Getrf
            getrs::Getrs
            getri::Getri
            gesv::Gesv
            gesv_rbt::GesvRbt
            inv::Inv
            laswp::Laswp
            lu_to_permutation::LuToPermutation
            potrf::Potrf
            potrs::Potrs
            posv::Posv
            potri::Potri
            symm::Symm
            syrk::Syrk
            syrk::Syr2k
            trmm::Trmm
            trsv::Trsv
            trtri::Trtri
            geam::Geam
            dgmm::Dgmm
            transpose::Transpose
            lacpy::Lacpy
            laset::Laset
            narrow::Narrow
        }
    };
}
all_routines!(routines);

/// As the arguments that make `tephra bench` run its shape.
impl Display for Operation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "--dtype {} --op {}", self.dtype().letter(), self.name())?;
        self.arguments(f)
    }
}
