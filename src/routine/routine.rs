//! What is to be known of every routine: the trait that each implements in its file.

use super::{Bounds, Dtype, Math, Trans, Verdict, Workspace};
use crate::error::Error;
use std::fmt::{self, Formatter};

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
    fn called(&self, _name: &str) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Run it, return at once, or the first bad argument.
    ///
    /// The order is part of the contract: LAPACK's argument list (sizes, leading dimensions, here also strides), then the
    /// batch count, then quick returns, then, where there is work, how far the operands reach ([`crate::extent`]); pointers are
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
    fn with_work(&self, _work: Workspace) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// What is asked of members with sizes of their own, where a backend looks at them before it does the parts.
    fn bounds(&self) -> Option<Bounds> {
        None
    }

    /// Writes its shape as arguments of `tephra bench`, each with a space before it, leading dimensions as they were
    /// given. Type and name are written by [`crate::Operation`].
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
    pub(crate) fn ld(&self) -> i64 {
        self.m.max(1)
    }

    /// The smaller one of its sizes.
    pub(crate) fn least(&self) -> i64 {
        self.m.min(self.n)
    }

    /// The (conjugate) transpose, by the name that LAPACK has for it.
    pub(crate) fn adjoint(&self) -> Trans {
        if self.dtype.is_complex() { Trans::C } else { Trans::T }
    }
}
