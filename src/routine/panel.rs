//! MAGMA's auxiliary operations for factorisations: the interchanges of panels, blocks of matrices, and status codes.

use super::{Dtype, Operand};
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// One block in each matrix of a batch, all with the same leading dimension.
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    /// The matrices.
    pub matrices: Operand,
    /// Offset of the block in its matrix, in elements.
    pub first: i64,
    /// Leading dimension.
    pub ld: i64,
}

/// Column interchanges. For j from `first` to `last`, upwards or downwards, exchanges column j with column `ipiv[j]`.
/// All are counted from 1.
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
    /// Column to exchange first.
    pub first: i64,
    /// Column to exchange last.
    pub last: i64,
    /// The interchanges, C ints, long enough for those columns.
    pub ipiv: Operand,
    /// Number of matrices.
    pub batch: i64,
}

impl ExchangeColumns {
    /// Number of interchanges.
    pub fn count(&self) -> i64 {
        (self.last - self.first).abs() + 1
    }
}

/// The first rows of a row permutation: row r of `to` becomes row `order[r]` of `from`, for the first `rows` rows. If
/// that row of `from` is not among its first `rows` rows, it is in turn replaced by the row that the order names for
/// it. `to` may be `from`.
#[derive(Clone, Copy, Debug)]
pub struct PermuteRows {
    /// Element type.
    pub dtype: Dtype,
    /// Columns.
    pub n: i64,
    /// Number of rows of `to` to set, at most [`PermuteRows::MAX_ROWS`].
    pub rows: i64,
    /// Source rows.
    pub from: Blocks,
    /// Target of the first rows.
    pub to: Blocks,
    /// Row numbers, counted from 1: C ints, one for every row of `from`.
    pub order: Operand,
    /// Number of matrices.
    pub batch: i64,
}

impl PermuteRows {
    /// Maximum number of rows, as in MAGMA.
    pub const MAX_ROWS: i64 = 1024;
}

/// The origin of a block in one matrix of each member.
#[derive(Clone, Copy, Debug)]
pub struct Corner {
    /// The matrices.
    pub from: *const *mut c_void,
    /// Receives the blocks' addresses.
    pub to: *mut *mut c_void,
    /// The matrices' leading dimensions.
    pub leading: *const i32,
    /// Row and column of the block, >= 0.
    pub at: [i32; 2],
}

/// The part of a per-member size that remains in a block.
#[derive(Clone, Copy, Debug)]
pub struct Remainder {
    /// The sizes of the members.
    pub each: *const i32,
    /// Receives the remaining size, or -1 for a member that ends before the block, or has no matrix.
    pub out: *mut i32,
    /// Offset of the block, >= 0.
    pub before: i32,
    /// Maximum size of the block, >= 0.
    pub most: i32,
}

/// Blocks of the members of a variable-size batch.
#[derive(Clone, Copy, Debug)]
pub struct BlocksOfEach {
    corners: [Corner; BlocksOfEach::MAX],
    sizes: [Remainder; BlocksOfEach::MAX],
    counts: [usize; 2],
    /// Bytes of an element.
    pub element: usize,
    /// Number of members.
    pub batch: i64,
}

impl BlocksOfEach {
    /// The largest number of matrices, and of sizes, that any routine needs.
    pub const MAX: usize = 3;

    /// Blocks of `batch` members with elements of `element` bytes.
    pub fn new(corners: &[Corner], sizes: &[Remainder], element: usize, batch: i64) -> BlocksOfEach {
        let no_corner = Corner { from: null(), to: null_mut(), leading: null(), at: [0; 2] };
        let no_remainder = Remainder { each: null(), out: null_mut(), before: 0, most: 0 };
        let mut all = BlocksOfEach {
            corners: [no_corner; BlocksOfEach::MAX],
            sizes: [no_remainder; BlocksOfEach::MAX],
            counts: [corners.len(), sizes.len()],
            element,
            batch,
        };
        all.corners[..corners.len()].copy_from_slice(corners);
        all.sizes[..sizes.len()].copy_from_slice(sizes);
        all
    }

    /// The origin of the block in each matrix.
    pub fn corners(&self) -> &[Corner] {
        &self.corners[..self.counts[0]]
    }

    /// The remainder of each size.
    pub fn sizes(&self) -> &[Remainder] {
        &self.sizes[..self.counts[1]]
    }
}

/// A step of a factorisation. The arguments must have been checked, and there must be work.
#[derive(Clone, Copy, Debug)]
pub enum PanelStep {
    /// Column interchanges.
    ExchangeColumns(ExchangeColumns),
    /// A row permutation.
    PermuteRows(PermuteRows),
    /// Blocks of the members of a variable-size batch.
    Blocks(BlocksOfEach),
    /// `out[i] = array[i] + bytes`
    ShiftPointers {
        /// Receives the addresses.
        out: *mut *mut c_void,
        /// The addresses to shift.
        array: *mut *mut c_void,
        /// Distance in bytes.
        bytes: i64,
        /// Number of addresses.
        batch: i64,
    },
    /// Merges the codes of the columns from `step` on into the codes of their matrices. A code from an earlier column
    /// is kept.
    MergeCodes {
        /// Codes of the matrices.
        codes: *mut i32,
        /// Codes of the columns from `step` on.
        own: *const i32,
        /// Number of columns before them.
        step: i32,
        /// Number of matrices.
        batch: i64,
    },
}
