//! One benchmark case: a routine, a precision and a shape, as named by a `TEPHRA_VERBOSE` line and measured by a CSV
//! row.

use crate::operation::{Op, Size};
use clap::ValueEnum;
use std::fmt;
use tephra_testkit::Dtype;
use tephra_testkit::ops;

/// A shape of the grid: rows, columns and number of matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    pub m: usize,
    pub n: usize,
    pub batch: usize,
}

/// The side that the operator is applied from.
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
    /// The transposition that turns a matrix into its adjoint.
    pub fn adjoint(dtype: Dtype) -> Trans {
        if dtype.is_complex() { Trans::C } else { Trans::T }
    }

    /// The stored rows and columns of X, from those of op(X).
    pub fn stored(self, (rows, columns): (usize, usize)) -> (usize, usize) {
        if self == Trans::N { (rows, columns) } else { (columns, rows) }
    }

    /// The equivalent in the test kit's type.
    pub fn kit(self) -> ops::Trans {
        ops::Trans::ALL[self as usize]
    }
}

/// The triangle that is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
pub enum Uplo {
    #[default]
    Upper,
    Lower,
}

/// Whether the diagonal is stored or implicitly all ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
pub enum Diag {
    #[default]
    NonUnit,
    Unit,
}

/// The part of Q that is computed besides R, in the order of the library's constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
pub enum Part {
    None,
    #[default]
    Thin,
    Full,
}

/// The scalar alpha of a triangular solve or product, which changes the time only if it is zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
pub enum Alpha {
    #[default]
    #[value(name = "1")]
    One,
    #[value(name = "0")]
    Zero,
}

/// The increment between elements of a vector; not 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Increment(pub i64);

impl Default for Increment {
    fn default() -> Self {
        Increment(1)
    }
}

/// The parameters of a routine besides its shape; those that it does not have keep their defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Options {
    /// Number of right-hand sides, where it is not the shape's n.
    pub nrhs: usize,
    /// Number of reflectors, or the inner size of a product.
    pub k: usize,
    pub side: Side,
    pub trans: Trans,
    /// Transposition of the second matrix.
    pub trans_b: Trans,
    pub uplo: Uplo,
    pub diag: Diag,
    /// Leading dimension of the second operand.
    pub ldb: usize,
    /// Leading dimension of the third operand.
    pub ldr: usize,
    pub part: Part,
    pub alpha: Alpha,
    /// Increment of the second operand, if that is a vector.
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
        // Result files of the other operations do not contain these.
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
/// The shape is that of A; for routines that apply an operator it is that of B or C, and A's follows from side and k.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Case {
    pub op: Op,
    pub dtype: Dtype,
    pub shape: Shape,
    pub lda: usize,
    pub options: Options,
}

impl Case {
    /// A case with the smallest leading dimensions and the most common options.
    pub fn packed(op: Op, dtype: Dtype, shape: Shape) -> Self {
        let options = Options { nrhs: usize::from(op.has("nrhs")), ..(op.default_options)(dtype, shape) };
        Case { op, dtype, shape, lda: 0, options }.with_packed_columns()
    }

    /// This case with the smallest leading dimensions.
    pub fn with_packed_columns(self) -> Self {
        let ldr = if self.op.has("R") { self.r_size().0.max(1) } else { 0 };
        let ldb = match self.options.incx.0 {
            1 => self.b_size().0,
            apart => apart.unsigned_abs() as usize,
        };
        let options = Options { ldb, ldr, ..self.options };
        Case { lda: self.a_size().0.max(1), options, ..self }
    }

    /// This case with other options and the smallest leading dimensions.
    pub fn with(self, options: Options) -> Self {
        Case { options, ..self }.with_packed_columns()
    }

    /// Order of the operator, from its side.
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

    /// Length of tau or of the interchanges, or inner size of a product: min(m, n), or the option `k`.
    pub fn k(&self) -> usize {
        if self.op.has("k") { self.options.k } else { self.shape.m.min(self.shape.n) }
    }

    /// Bytes of all operands, including padding; None on overflow.
    pub fn bytes(&self) -> Option<usize> {
        let Options { ldb, ldr, .. } = self.options;
        let parts = [(self.lda, self.a_size()), (ldb, self.b_size()), (ldr, self.r_size())];
        let of_part = |(ld, (_, columns)): (usize, Size)| ld.max(1).checked_mul(columns);
        // Besides the parts, a member has tau or interchanges, and pointers to these and to each operand.
        let member = parts.into_iter().try_fold(self.k(), |sum, part| sum.checked_add(of_part(part)?))?;
        let bytes = member.checked_mul(self.dtype.bytes())?.checked_add(4 * size_of::<usize>())?;
        bytes.checked_mul(self.shape.batch).filter(|bytes| isize::try_from(*bytes).is_ok())
    }

    /// Number of elements of one matrix A in memory, including padding rows.
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
