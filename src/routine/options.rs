//! Side, transposition, triangle and diagonal. They display as `tephra bench` takes them.

use crate::error::Arg;
use std::fmt::{self, Display, Formatter};

/// The side from which an operator is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// op(Q) C
    Left,
    /// C op(Q)
    Right,
}

impl Side {
    /// The order of an operator on this side of an `m` x `n` matrix, and the argument it comes from.
    #[inline]
    pub fn order(self, m: i64, n: i64) -> (i64, Arg) {
        match self {
            Side::Left => (m, Arg::M),
            Side::Right => (n, Arg::N),
        }
    }
}

impl Display for Side {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Left => "left",
            Side::Right => "right",
        })
    }
}

/// op(X) = X, X^T or X^H. For real types `T` and `C` are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trans {
    /// X
    N,
    /// X^T
    T,
    /// X^H
    C,
}

impl Display for Trans {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Trans::N => "n",
            Trans::T => "t",
            Trans::C => "c",
        })
    }
}

/// Which triangle is referenced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Uplo {
    /// On and above the diagonal.
    Upper,
    /// On and below the diagonal.
    Lower,
}

impl Display for Uplo {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Uplo::Upper => "upper",
            Uplo::Lower => "lower",
        })
    }
}

/// Whether the diagonal is assumed to be ones (and is not read).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Diag {
    /// As stored.
    NonUnit,
    /// Ones.
    Unit,
}

impl Display for Diag {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Diag::NonUnit => "non-unit",
            Diag::Unit => "unit",
        })
    }
}
