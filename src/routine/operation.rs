//! The list of all routines, and the enum over them. No routine's file refers to this one.

use super::{Batched, Dtype, Fp32Problem, Operand, Routine, Shape, Workspace};
use std::fmt::{self, Display, Formatter};
use std::ops::Deref;

/// Calls a macro with the `module::Type` of every routine. This is the only complete list; everything else derives from
/// it.
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
/// The first operand of a routine: A in most of them.
macro_rules! first_operand {
    ($p:ident, Larft) => {
        &$p.v
    };
    ($p:ident, Larfb) => {
        &$p.v
    };
    ($p:ident, LuToPermutation) => {
        &$p.ipiv
    };
    ($p:ident, Narrow) => {
        $p.single.first_operand()
    };
    ($p:ident, $Routine:ident) => {
        &$p.a
    };
}

macro_rules! routines {
    ($($module:ident::$Routine:ident)*) => {
        $(use crate::$module::$Routine;

        impl Batched for $Routine {
            fn dtype(&self) -> Dtype {
                self.dtype
            }
            fn batch(&self) -> i64 {
                self.batch
            }
            fn first_operand(&self) -> &Operand {
                first_operand!(self, $Routine)
            }
        })*

        /// Any routine, for code that treats all alike. Dereferences to the [`Routine`] it holds.
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
            /// Every routine, for this shape.
            pub fn all(shape: &Shape) -> impl Iterator<Item = Operation> {
                [$(Operation::$Routine($Routine::of_shape(shape)),)*].into_iter()
            }

            /// See [`Routine::by_name`].
            pub fn by_name(&self, name: &str) -> Option<Operation> {
                match self {
                    $(Operation::$Routine(p) => p.by_name(name).map(Operation::$Routine),)*
                }
            }

            /// See [`Routine::with_work`].
            pub fn with_work(&self, work: Workspace) -> Option<Operation> {
                match self {
                    $(Operation::$Routine(p) => p.with_work(work).map(Operation::$Routine),)*
                }
            }
        }
    };
}
all_routines!(routines);

impl Operation {
    /// The simpler operation that a special shape amounts to, so that backends need not handle such shapes. `None` if
    /// the shape needs the whole routine. If the simpler operation does not set the status codes ([`Routine::info`]),
    /// they become 0.
    pub fn reduced(&self) -> Option<Operation> {
        match self {
            Operation::Gels(p) => {
                p.zero_solution().map(Operation::Trsm).or_else(|| p.without_rhs().map(Operation::Gels))
            }
            Operation::Gelsy(p) => {
                p.zero_solution().map(Operation::Trsm).or_else(|| p.without_rhs().map(Operation::Gelsy))
            }
            Operation::Gemm(p) => p.reduced().map(Operation::Gemm),
            Operation::Gemv(p) => p.reduced().map(Operation::Gemv),
            Operation::Gesv(p) => p.reduced().map(Operation::Getrf),
            Operation::Posv(p) => p.reduced().map(Operation::Potrf),
            Operation::Qr(p) => p.reduced().map(Operation::Orgqr),
            Operation::Trmm(p) => p.reduced().map(Operation::Trsm),
            Operation::Trsm(p) => p.reduced().map(Operation::Trsm),
            _ => None,
        }
    }

    /// The operation to run: [`Operation::reduced`], or `self` if there is no simpler one.
    pub fn effective(self) -> Operation {
        self.reduced().unwrap_or(self)
    }
}

impl From<Fp32Problem> for Operation {
    fn from(single: Fp32Problem) -> Operation {
        match single {
            Fp32Problem::Geqrf(p) => Operation::Geqrf(p),
            Fp32Problem::Qr(p) => Operation::Qr(p),
            Fp32Problem::Potrf(p) => Operation::Potrf(p),
            Fp32Problem::Gesv(p) => Operation::Gesv(p),
            Fp32Problem::Gemm(p) => Operation::Gemm(p),
        }
    }
}

/// The arguments that make `tephra bench` run this shape.
impl Display for Operation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "--dtype {} --op {}", self.dtype().letter(), self.name())?;
        self.arguments(f)?;
        // Members with their own sizes are always given by pointers.
        let strided = matches!(self.first_operand(), Operand::Strided { .. }) && !self.name().ends_with("_vbatched");
        f.write_str(if strided { " --strided" } else { "" })
    }
}
