//! One benchmark case: a routine, a precision, a shape. What a `TEPHRA_VERBOSE` line names and a CSV row measures.

use crate::ops::Op;
use clap::ValueEnum;
use std::fmt;
use tephra_testkit::Dtype;
use tephra_testkit::ops;

/// A shape of the grid: rows, columns, matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    pub m: usize,
    pub n: usize,
    pub batch: usize,
}

/// Which side the operator stands on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
pub enum Side {
    #[default]
    Left,
    Right,
}

/// op(X) = X, X^T or X^H.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
pub enum Trans {
    #[default]
    N,
    T,
    C,
}

impl Trans {
    /// What turns a matrix into its adjoint.
    pub fn adjoint(dtype: Dtype) -> Trans {
        if dtype.is_complex() { Trans::C } else { Trans::T }
    }

    /// Rows and columns as they are stored, of those of op(X).
    pub fn stored(self, (rows, columns): (usize, usize)) -> (usize, usize) {
        if self == Trans::N { (rows, columns) } else { (columns, rows) }
    }

    /// In the test kit's type.
    pub fn kit(self) -> ops::Trans {
        ops::Trans::ALL[self as usize]
    }
}

/// Which triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
pub enum Uplo {
    #[default]
    Upper,
    Lower,
}

/// Whether the diagonal is ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
pub enum Diag {
    #[default]
    NonUnit,
    Unit,
}

/// What a routine has beside its shape; the defaults where it has it not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Options {
    /// Right-hand sides, whose number is not the shape's.
    pub nrhs: usize,
    /// Reflectors, or terms of a product.
    pub k: usize,
    pub side: Side,
    pub trans: Trans,
    /// Of the second matrix.
    pub trans_b: Trans,
    pub uplo: Uplo,
    pub diag: Diag,
    /// Leading dimension of the second operand.
    pub ldb: usize,
    /// Leading dimension of the third operand.
    pub ldr: usize,
}

impl Options {
    /// How a triangle is used, in the test kit's types.
    pub fn kit(&self) -> ops::solve::Triangular {
        ops::solve::Triangular {
            side: ops::Side::ALL[self.side as usize],
            uplo: ops::Uplo::ALL[self.uplo as usize],
            trans: self.trans.kit(),
            diag: ops::Diag::ALL[self.diag as usize],
        }
    }
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Options { nrhs, k, side, trans, trans_b, uplo, diag, ldb, ldr } = self;
        write!(f, "nrhs={nrhs} k={k} {side:?} {trans:?} {uplo:?} {diag:?} ldb={ldb} ldr={ldr}")?;
        // The files of other operations were written without it.
        if *trans_b == Trans::N { Ok(()) } else { write!(f, " b={trans_b:?}") }
    }
}

/// One case: a routine in a precision on a shape with a leading dimension (>= m).
///
/// The shape is A's; for routines that apply an operator it is B's or C's, and A follows from side and k.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Case {
    pub op: Op,
    pub dtype: Dtype,
    pub shape: Shape,
    pub lda: usize,
    pub options: Options,
}

impl Case {
    /// A case with the columns packed and LAPACK's most usual options.
    pub fn packed(op: Op, dtype: Dtype, shape: Shape) -> Self {
        let options = Options { nrhs: usize::from(op.has("nrhs")), ..(op.usual)(dtype, shape) };
        Case { op, dtype, shape, lda: 0, options }.with_packed_columns()
    }

    /// The same with the smallest leading dimensions.
    pub fn with_packed_columns(self) -> Self {
        let ldr = if self.op.has("R") { self.r_size().0.max(1) } else { 0 };
        let options = Options { ldb: self.b_size().0, ldr, ..self.options };
        Case { lda: self.a_size().0.max(1), options, ..self }
    }

    /// The same with other options, packed.
    pub fn with(self, options: Options) -> Self {
        Case { options, ..self }.with_packed_columns()
    }

    /// Order of an operator from its side.
    pub fn order(&self) -> usize {
        if self.options.side == Side::Left { self.shape.m } else { self.shape.n }
    }

    /// Rows and columns of A.
    pub fn a_size(&self) -> (usize, usize) {
        (self.op.a)(self)
    }

    /// Rows and columns of the second operand: B, C, Q, x, or the inverse.
    pub fn b_size(&self) -> (usize, usize) {
        (self.op.b)(self)
    }

    /// Rows and columns of the third operand: R, the product, or X.
    pub fn r_size(&self) -> (usize, usize) {
        (self.op.r)(self)
    }

    /// Length of tau or of the interchanges, or terms of a product: min(m, n), or what is told.
    pub fn k(&self) -> usize {
        if self.op.has("k") { self.options.k } else { self.shape.m.min(self.shape.n) }
    }

    /// Elements of one matrix A in memory, padding rows included.
    pub fn matrix_elements(&self) -> usize {
        self.lda * self.a_size().1
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { m, n, batch } = self.shape;
        write!(f, "{}{} {m}x{n}", self.dtype.letter(), self.op.name)?;
        if self.op.has("nrhs") {
            write!(f, "|{}", self.options.nrhs)?;
        }
        if self.op.is_product {
            write!(f, "x{} {:?}{:?}", self.options.k, self.options.trans, self.options.trans_b)?;
        }
        write!(f, " x {batch}")
    }
}
