//! Whole matrices, or one triangle of them, set from others or to constants: no arithmetic, as LAPACK's lacpy and laset.

use super::{Dtype, Operand, SystemSizes};
use crate::scalar::C64;
use std::fmt::{self, Display, Formatter};

/// The elements that are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All.
    Full,
    /// The diagonal and what is above it.
    Upper,
    /// The diagonal and what is below it.
    Lower,
}

impl Display for Part {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Part::Full => "full",
            Part::Upper => "upper",
            Part::Lower => "lower",
        })
    }
}

/// What they are set to.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// The same elements of other matrices, with this leading dimension.
    Matrices(Operand, i64),
    /// One number off the diagonal, one on it; imaginary parts count for complex types only.
    Constants {
        /// Off the diagonal.
        off: C64,
        /// On the diagonal.
        on: C64,
    },
}

/// Sets `part` of each `m` x `n` matrix of `to`. A source may be its target, but not overlap it otherwise.
#[derive(Clone, Copy, Debug)]
pub struct Assign {
    /// Element type.
    pub dtype: Dtype,
    /// Which elements.
    pub part: Part,
    /// Rows.
    pub m: i64,
    /// Columns.
    pub n: i64,
    /// What they become.
    pub source: Source,
    /// The matrices that are written.
    pub to: Operand,
    /// Their leading dimension.
    pub ld: i64,
    /// Where each member has sizes of its own, of which these are the largest; leading dimensions are theirs, too.
    pub sizes: Option<SystemSizes>,
    /// Number of matrices.
    pub batch: i64,
}
