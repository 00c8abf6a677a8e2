//! What a call leaves in the operands of a member that has no result: cells of the user guide's table, each paired with
//! whether the call kept that promise.

use super::Routine;
use crate::scalar::{Field, parts_are_nan, same_bits};
use crate::{Matrix, Scalar};

/// The page that contains the table.
pub const GUIDE: &str = include_str!("../../../docs/guide.md");

/// One written operand of a member without a result.
#[derive(Debug)]
pub struct Leftover {
    operand: &'static str,
    stated: &'static str,
    holds: bool,
}

impl Leftover {
    /// A cell with the text `stated`, for which the caller has done the check itself.
    pub fn stated(operand: &'static str, stated: &'static str, holds: bool) -> Self {
        Leftover { operand, stated, holds }
    }

    /// All parts of all elements are NaN.
    pub fn nan<T: Scalar>(operand: &'static str, got: &Matrix<T>) -> Self {
        Leftover::stated(operand, "NaN throughout", got.data().iter().all(|x| parts_are_nan(x.to_double())))
    }

    /// The operand is unchanged, to the last bit.
    pub fn unchanged<T: Scalar>(operand: &'static str, given: &Matrix<T>, got: &Matrix<T>) -> Self {
        Leftover::stated(operand, "as it was", same_bits(given.data(), got.data()))
    }

    /// What a division by zero leaves: within the first `rows` rows, no column is entirely finite.
    pub fn no_column_finite<T: Scalar>(operand: &'static str, rows: usize, got: &Matrix<T>) -> Self {
        let finite = |j: usize| got.col(j)[..rows].iter().all(|x| x.to_double().max_abs_part().is_finite());
        Leftover::stated(operand, "no column is finite", !(0..got.cols()).any(finite))
    }

    /// The table promises nothing about this operand.
    pub fn unspecified(operand: &'static str) -> Self {
        Leftover::stated(operand, "invalid", true)
    }
}

/// Panics unless every promise holds and the table states exactly that in the row whose first cell names the routine.
pub fn assert_leftovers<R: Routine>(leftovers: &[Leftover], what: &str) {
    let name = format!("`{}`", R::NAME);
    let in_first_cell =
        |line: &&str| line.starts_with('|') && line.split('|').nth(1).is_some_and(|c| c.contains(&name));
    for Leftover { operand, stated, holds } in leftovers {
        assert!(holds, "{what}: {operand} is not \"{stated}\"");
        let cell = format!("`{operand}`: {stated}");
        let says = R::guide().lines().filter(in_first_cell).any(|line| line.contains(&cell));
        assert!(says, "the guide's table does not say {cell} of {name}");
    }
}
