//! The traits that every routine implements in its own file.

use super::{Bounds, Dtype, Math, Operand, Trans, Verdict, Workspace};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// The backend-independent part of a routine. How a backend runs the routine is a trait of that backend, implemented
/// beside its code for the routine.
pub trait Routine: Batched {
    /// The LAPACK or BLAS name without the precision letter, followed by other names by which `tephra explain` and the
    /// like can ask for it, for example LAPACK's names for the complex types.
    fn names(&self) -> &'static [&'static str];

    /// The first of [`names`](Self::names).
    fn name(&self) -> &'static str {
        self.names()[0]
    }

    /// Whether the routine is the same in all precisions, so that its name has no precision letter.
    fn without_letter(&self) -> bool {
        false
    }

    /// The routine that `_name`, one of [`names`](Self::names), stands for, where it differs from `self` in more than
    /// the type.
    fn by_name(&self, _name: &str) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Validates the arguments: says whether there is work, or names the first bad argument.
    ///
    /// The order of the checks is part of the contract: LAPACK's argument list (sizes, leading dimensions, and here
    /// strides) and the batch count. If there is work, numbers with which an operand does not fit into the address space
    /// ([`crate::extent`]) count as bad arguments in the same order. Pointers are not checked, as in cuBLAS: with a zero size NULL is fine. `side`,
    /// `trans` and the like are checked where an ABI's numbers become our types.
    fn check(&self) -> Result<Verdict, Error>;

    /// Refuses NULL operands that have elements, in the order of the arguments. Only called when there is work: with a
    /// zero size every ABI we serve allows NULL.
    fn refuse_nulls(&self) -> Result<(), Error>;

    /// Array of one status code per matrix, in the backend's memory. NULL if the routine has no codes or the caller
    /// does not want them.
    fn info(&self) -> *mut i32 {
        std::ptr::null_mut()
    }

    /// The caller's workspace, if the routine takes one.
    fn work(&self) -> Option<Workspace> {
        None
    }

    /// The same routine with another workspace, if it takes one.
    fn with_work(&self, _work: Workspace) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// The constraints on per-member sizes, if the backend has to check them before it runs the routine's parts.
    fn bounds(&self) -> Option<Bounds> {
        None
    }

    /// Writes the shape as arguments of `tephra bench`, each preceded by a space, with the leading dimensions as given.
    /// [`crate::Operation`] writes the type and the name.
    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result;

    /// The size of a [`Shape`] that [`of_shape`](Self::of_shape) makes this argument, where its name is another there.
    fn in_shape(&self, arg: Arg) -> Arg {
        arg
    }

    /// The problem for a type and a shape, with the most common values for all other arguments.
    fn of_shape(shape: &Shape) -> Self
    where
        Self: Sized;
}

/// Fields that the problem descriptions of all routines have.
pub trait Batched {
    /// Element type.
    fn dtype(&self) -> Dtype;
    /// Number of matrices.
    fn batch(&self) -> i64;
    /// The first operand. All of a call's operands are given in the same way, by pointers or by strides.
    fn first_operand(&self) -> &Operand;
}

/// A shape without operands, as `tephra_explain` takes it.
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
    /// The arithmetic that the calling thread allows.
    pub math: Math,
    /// Further arguments.
    pub extra: ExtraArguments,
}

/// Arguments other than m and n. `None` stands for the most common value.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExtraArguments {
    /// Terms of a product, number of reflectors, or right-hand sides.
    pub k: Option<i64>,
    /// Transposition of A.
    pub trans: Option<Trans>,
    /// Whether the matrices are given by strides, not by pointers.
    pub strided: bool,
}

impl Shape {
    /// The smallest leading dimension of a matrix with `m` rows.
    #[inline]
    pub(crate) fn ld(&self) -> i64 {
        self.m.max(1)
    }

    /// An operand with this number, at an address of its own that is never accessed, because plans ask whether operands
    /// are the same. Its stride, if it has one, is that of m x n matrices.
    pub(crate) fn operand(&self, number: usize) -> Operand {
        let (address, stride) = ((number + 1) << 40, self.ld().saturating_mul(self.n.max(1)));
        if self.extra.strided {
            Operand::Strided { base: std::ptr::without_provenance_mut(address), stride }
        } else {
            Operand::Pointers(std::ptr::without_provenance(address))
        }
    }

    /// min(m, n).
    pub(crate) fn min_mn(&self) -> i64 {
        self.m.min(self.n)
    }

    /// The flag for the adjoint: LAPACK calls it T for real types, C for complex ones.
    pub(crate) fn adjoint(&self) -> Trans {
        if self.dtype.is_complex() { Trans::C } else { Trans::T }
    }
}
