//! What MAGMA's factorisations are made of beside routines: panels' interchanges, blocks inside of matrices, codes.

use super::{Dtype, Operand};
use std::ffi::c_void;
use std::ptr::{null, null_mut};

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

/// Where a block begins in a matrix of each member.
#[derive(Clone, Copy, Debug)]
pub struct Corner {
    /// The matrices.
    pub from: *const *mut c_void,
    /// Receives the blocks' addresses.
    pub to: *mut *mut c_void,
    /// The matrices' leading dimensions.
    pub leading: *const i32,
    /// Row and column, >= 0.
    pub at: [i32; 2],
}

/// How much of a size of each member is left in a block.
#[derive(Clone, Copy, Debug)]
pub struct Remainder {
    /// The members' sizes.
    pub each: *const i32,
    /// Receives what is left, or -1 of a member that does not reach as far, or has no matrix.
    pub out: *mut i32,
    /// What comes before the block, >= 0.
    pub before: i32,
    /// The block has no more, >= 0.
    pub most: i32,
}

/// Blocks inside of members that have sizes of their own.
#[derive(Clone, Copy, Debug)]
pub struct BlocksOfEach {
    corners: [Corner; BlocksOfEach::MOST],
    sizes: [Remainder; BlocksOfEach::MOST],
    counts: [usize; 2],
    /// Bytes of an element.
    pub element: usize,
    /// Number of members.
    pub batch: i64,
}

impl BlocksOfEach {
    /// As many matrices, and sizes, as any routine has.
    pub const MOST: usize = 3;

    /// Of so many members, whose elements have so many bytes.
    pub fn new(corners: &[Corner], sizes: &[Remainder], element: usize, batch: i64) -> BlocksOfEach {
        let nowhere = Corner { from: null(), to: null_mut(), leading: null(), at: [0; 2] };
        let nothing = Remainder { each: null(), out: null_mut(), before: 0, most: 0 };
        let mut all = BlocksOfEach {
            corners: [nowhere; BlocksOfEach::MOST],
            sizes: [nothing; BlocksOfEach::MOST],
            counts: [corners.len(), sizes.len()],
            element,
            batch,
        };
        all.corners[..corners.len()].copy_from_slice(corners);
        all.sizes[..sizes.len()].copy_from_slice(sizes);
        all
    }

    /// Of each matrix.
    pub fn corners(&self) -> &[Corner] {
        &self.corners[..self.counts[0]]
    }

    /// Of each size.
    pub fn sizes(&self) -> &[Remainder] {
        &self.sizes[..self.counts[1]]
    }
}

/// A step; arguments were checked, there is work.
#[derive(Clone, Copy, Debug)]
pub enum PanelStep {
    /// Interchanges of columns.
    ExchangeColumns(ExchangeColumns),
    /// A permutation of rows.
    PermuteRows(PermuteRows),
    /// Blocks of members with sizes of their own.
    Blocks(BlocksOfEach),
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
