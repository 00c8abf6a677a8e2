//! What MAGMA's factorisations are made of beside routines: panels' interchanges, blocks inside of matrices, codes.

use super::{Dtype, Operand};
use std::ffi::c_void;

/// Blocks of one leading dimension in a batch of matrices.
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    /// The matrices.
    pub matrices: Operand,
    /// Elements from a matrix's first to its block's.
    pub first: i64,
    /// Leading dimension.
    pub ld: i64,
}

/// Interchanges of columns: for j = `first`, ..., `last`, or down from there to `last`, column j with column ipiv[j]; all
/// counted from 1.
#[derive(Clone, Copy, Debug)]
pub struct ExchangeColumns {
    /// Element type.
    pub dtype: Dtype,
    /// Rows.
    pub rows: i64,
    /// The matrices.
    pub a: Operand,
    /// Leading dimension.
    pub lda: i64,
    /// The column that is exchanged first.
    pub first: i64,
    /// The column that is exchanged last.
    pub last: i64,
    /// C's ints, as far as those columns reach.
    pub ipiv: Operand,
    /// Number of matrices.
    pub batch: i64,
}

impl ExchangeColumns {
    /// How many there are.
    pub fn count(&self) -> i64 {
        (self.last - self.first).abs() + 1
    }
}

/// The first rows of a permutation of rows: row r of `to` becomes row order[r] of `from`, for the first `rows` of them. Where
/// that row of `from` is none of these, it becomes what the order says in its turn. `to` may be `from`.
#[derive(Clone, Copy, Debug)]
pub struct PermuteRows {
    /// Element type.
    pub dtype: Dtype,
    /// Columns.
    pub n: i64,
    /// Rows that `to` gets, at most [`PermuteRows::MOST`].
    pub rows: i64,
    /// Where rows come from.
    pub from: Blocks,
    /// Where the first rows go.
    pub to: Blocks,
    /// Rows' numbers, counted from 1: C's ints, for all rows of `from`.
    pub order: Operand,
    /// Number of matrices.
    pub batch: i64,
}

impl PermuteRows {
    /// Rows, as in MAGMA.
    pub const MOST: i64 = 1024;
}

/// A step; arguments were checked, there is work.
#[derive(Clone, Copy, Debug)]
pub enum PanelStep {
    /// Interchanges of columns.
    ExchangeColumns(ExchangeColumns),
    /// A permutation of rows.
    PermuteRows(PermuteRows),
    /// `out[i] = array[i] + bytes`
    ShiftPointers {
        /// Receives the addresses.
        out: *mut *mut c_void,
        /// The addresses.
        array: *mut *mut c_void,
        /// From each to where it is to point.
        bytes: i64,
        /// How many.
        batch: i64,
    },
    /// Codes of matrices whose columns from `step` on have codes of their own: an earlier column's stays.
    MergeCodes {
        /// Codes of the matrices.
        codes: *mut i32,
        /// Codes of the columns.
        own: *const i32,
        /// Columns before them.
        step: i32,
        /// How many.
        batch: i64,
    },
}
