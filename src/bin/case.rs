//! One benchmark case: an operation, a precision, a shape. What a `TEPHRA_VERBOSE` line names and a CSV row measures.

use clap::ValueEnum;
use std::fmt;
use tephra_testkit::Dtype;

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
pub enum Op {
    /// QR factorisation, LAPACK `?geqrf`
    Geqrf,
}

impl Op {
    /// LAPACK's name without the precision letter.
    pub fn lapack(self) -> &'static str {
        match self {
            Op::Geqrf => "geqrf",
        }
    }

    /// The short name in the `op` column of the CSV files.
    pub fn csv(self) -> &'static str {
        match self {
            Op::Geqrf => "qr",
        }
    }
}

/// A shape of the grid: rows, columns, matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    pub m: usize,
    pub n: usize,
    pub batch: usize,
}

/// One case: an operation in a precision on a shape with a leading dimension (>= m).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Case {
    pub op: Op,
    pub dtype: Dtype,
    pub shape: Shape,
    pub lda: usize,
}

impl Case {
    /// A case with the columns packed (lda = max(1, m)).
    pub fn packed(op: Op, dtype: Dtype, shape: Shape) -> Self {
        Case { op, dtype, shape, lda: shape.m.max(1) }
    }

    /// Length of tau: min(m, n).
    pub fn k(&self) -> usize {
        self.shape.m.min(self.shape.n)
    }

    /// Elements of one matrix in memory, padding rows included.
    pub fn matrix_elements(&self) -> usize {
        self.lda * self.shape.n
    }

    /// Bytes of the whole batch of matrices.
    pub fn batch_bytes(&self) -> usize {
        self.matrix_elements() * self.shape.batch * self.dtype.bytes()
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { m, n, batch } = self.shape;
        write!(f, "{}{} {m}x{n} x {batch}", self.dtype.letter(), self.op.lapack())
    }
}
