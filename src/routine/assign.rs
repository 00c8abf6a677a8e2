//! Sets whole matrices, or one triangle of them, to copies of others or to constants, without arithmetic: LAPACK's
//! lacpy and laset.

use super::{Dtype, Operand, SystemSizes};
use crate::scalar::C64;
use std::fmt::{self, Display, Formatter};

/// The elements to set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All.
    Full,
    /// The diagonal and above.
    Upper,
    /// The diagonal and below.
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

/// The values to set them to.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// The same elements of other matrices, with this leading dimension.
    Matrices(Operand, i64),
    /// One value off the diagonal and one on it. Real types ignore the imaginary parts.
    Constants {
        /// Off the diagonal.
        off: C64,
        /// On the diagonal.
        on: C64,
    },
}

/// Sets `part` of each `m` x `n` matrix of `to`. The source may be identical to the target, but must not overlap it
/// otherwise.
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
    /// Their new values.
    pub source: Source,
    /// The matrices to write.
    pub to: Operand,
    /// Leading dimension of `to`.
    pub ld: i64,
    /// Per-member sizes and leading dimensions, of which `m` and `n` are then the maxima.
    pub sizes: Option<SystemSizes>,
    /// Number of matrices.
    pub batch: i64,
}
