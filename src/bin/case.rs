//! One benchmark case: a routine, a precision, a shape. What a `TEPHRA_VERBOSE` line names and a CSV row measures.

use crate::operation::{Op, Size};
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

/// What is made of Q beside R, by the library's numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
pub enum Part {
    None,
    #[default]
    Thin,
    Full,
}

/// The factor of a triangular solve or product: it changes the time only where it is zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
pub enum Alpha {
    #[default]
    #[value(name = "1")]
    One,
    #[value(name = "0")]
    Zero,
}

/// From one element of a vector to the next; not 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Increment(pub i64);

impl Default for Increment {
    fn default() -> Self {
        Increment(1)
    }
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
    pub part: Part,
    pub alpha: Alpha,
    /// Of the second operand, where that is a vector.
    pub incx: Increment,
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
        let Options { nrhs, k, side, trans, trans_b, uplo, diag, ldb, ldr, part, alpha, incx } = self;
        write!(f, "nrhs={nrhs} k={k} {side:?} {trans:?} {uplo:?} {diag:?} ldb={ldb} ldr={ldr}")?;
        // The files of other operations were written without these.
        if *trans_b != Trans::N {
            write!(f, " b={trans_b:?}")?;
        }
        if *part != Part::Thin {
            write!(f, " {part:?}")?;
        }
        if *alpha == Alpha::Zero {
            f.write_str(" alpha=0")?;
        }
        if incx.0 != 1 { write!(f, " incx={}", incx.0) } else { Ok(()) }
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
        let ldb = match self.options.incx.0 {
            1 => self.b_size().0,
            apart => apart.unsigned_abs() as usize,
        };
        let options = Options { ldb, ldr, ..self.options };
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
        self.op.size("A", self)
    }

    /// Rows and columns of the second operand: B, C, Q, x, or the inverse.
    pub fn b_size(&self) -> (usize, usize) {
        self.op.size("B", self)
    }

    /// Rows and columns of the third operand: R, the product, or X.
    pub fn r_size(&self) -> (usize, usize) {
        self.op.size("R", self)
    }

    /// Length of tau or of the interchanges, or terms of a product: min(m, n), or what is told.
    pub fn k(&self) -> usize {
        if self.op.has("k") { self.options.k } else { self.shape.m.min(self.shape.n) }
    }

    /// Bytes of its operands, padding included, if they can be counted.
    pub fn bytes(&self) -> Option<usize> {
        let Options { ldb, ldr, .. } = self.options;
        let parts = [(self.lda, self.a_size()), (ldb, self.b_size()), (ldr, self.r_size())];
        let of_part = |(ld, (_, columns)): (usize, Size)| ld.max(1).checked_mul(columns);
        // Scalar factors of reflectors or interchanges, and the pointers to each operand and to these.
        let member = parts.into_iter().try_fold(self.k(), |sum, part| sum.checked_add(of_part(part)?))?;
        let bytes = member.checked_mul(self.dtype.bytes())?.checked_add(4 * size_of::<usize>())?;
        bytes.checked_mul(self.shape.batch).filter(|bytes| isize::try_from(*bytes).is_ok())
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
