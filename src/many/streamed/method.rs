//! The interface of an algorithm: which parts of a matrix a block needs, in which order, and the operations on it.

use super::layout::Partition;
use std::ops::Range;
use tephra_core::face::native::strided;
use tephra_core::{Dtype, Operand, Operation};

/// A submatrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    pub row: usize,
    pub column: usize,
    pub rows: usize,
    pub columns: usize,
}

/// An untyped view of a submatrix: address of the first element, and leading dimension.
#[derive(Clone, Copy, Debug)]
pub struct RawView {
    pub p: *mut u8,
    pub ld: usize,
}

impl RawView {
    /// The view that starts at this element.
    pub fn at(self, dtype: Dtype, row: usize, column: usize) -> RawView {
        RawView { p: self.p.wrapping_add((column * self.ld + row) * dtype.bytes()), ..self }
    }

    pub(super) fn operand(self) -> Operand {
        strided(self.p, 0)
    }
}

/// A range of columns of the source that is applied to a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The block that holds these columns, which must be finished first. `None` if they are available from the start.
    pub block: Option<usize>,
    pub first: usize,
    pub count: usize,
}

impl Span {
    pub fn columns(&self) -> Range<usize> {
        self.first..self.first + self.count
    }
}

/// A span, or part of one, that has been uploaded.
pub struct Uploaded<'a> {
    pub span: &'a Span,
    /// Its [`Method::part`] of the source.
    pub v: RawView,
    /// Address of the side data of `side_columns`.
    pub side: *mut u8,
    pub side_columns: Range<usize>,
}

/// The last step for some columns of a block, after which they can be downloaded.
pub struct Piece {
    /// The columns, relative to the block.
    pub columns: Range<usize>,
    /// Number of columns that yield side data.
    pub side_columns: usize,
    pub ops: Vec<Operation>,
    /// The update of the block's remaining columns that follows.
    pub rest: Option<Operation>,
}

/// Whether the last step of a block writes a code (LAPACK's info for the block), and what a code other than 0 means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codes {
    None,
    /// The factorisation continues.
    Continue,
    /// The factorisation stops.
    Stop,
}

/// An algorithm that works by blocks of columns.
pub trait Method: Sync {
    fn dtype(&self) -> Dtype;
    /// Number of rows of the source and of the target, the matrix whose columns are split into blocks.
    fn rows(&self) -> usize;
    /// Number of columns of the source that are applied to blocks.
    fn source_columns(&self) -> usize;
    /// The rows of a block with these columns that are uploaded and downloaded.
    fn rows_of(&self, _columns: &Range<usize>) -> Range<usize> {
        0..self.rows()
    }
    /// Bytes of side data per column of the source: a scalar factor, or the index of a pivot.
    fn side_bytes(&self) -> usize;
    /// The argument of the call that holds the side data in host memory.
    fn side_name(&self) -> &'static str {
        "tau"
    }
    /// The columns whose side data are uploaded with this part of a span.
    fn side_columns(&self, part: &Span, _partition: &Partition) -> Range<usize> {
        part.columns()
    }
    /// The maximum number of columns in [`Method::side_columns`], for blocks of this width and panels of this many
    /// columns.
    fn max_side_columns(&self, _width: usize, panel: usize) -> usize {
        panel
    }
    fn codes(&self) -> Codes {
        Codes::None
    }
    /// Number of elements of workspace that the kernels need for a block of this width.
    fn scratch(&self, width: usize) -> Option<usize>;
    /// Whether panels stream past the blocks if there are this many.
    fn streams(&self, blocks: usize) -> bool;
    /// The spans that must be applied to the block with these columns, in order.
    fn spans(&self, columns: &Region, partition: &Partition) -> Vec<Span>;
    /// Splits a span into panels of at most `panel` columns, in the order in which they must be applied.
    fn panels(&self, span: Span, panel: usize) -> Vec<Span> {
        ascending_panels(span, panel)
    }
    /// The part of the source that a span needs, for the block with these columns.
    fn part(&self, span: &Span, columns: &Region) -> Region;
    /// Applies a part of a span to the block with these columns. Row i of the matrix is row i of `c`.
    fn apply(&self, part: &Uploaded, columns: &Region, c: RawView) -> Vec<Operation>;
    /// Number of columns that are finished at a time; a block is finished in pieces of this width.
    fn piece_width(&self) -> usize {
        usize::MAX
    }
    /// The last step for a piece of a block, whose columns' side data start at `side`.
    fn finish(&self, columns: &Region, piece: Range<usize>, c: RawView, side: *mut u8, code: *mut i32) -> Piece;
}

/// The panels of a span, first columns first.
pub(super) fn ascending_panels(span: Span, panel: usize) -> Vec<Span> {
    let end = span.first + span.count;
    span.columns().step_by(panel).map(|first| Span { first, count: panel.min(end - first), ..span }).collect()
}

/// The spans of the columns from `from` on that precede a block starting at `column`. The source ends with column
/// `end`.
pub(super) fn preceding_spans(column: usize, from: usize, end: usize, partition: &Partition) -> Vec<Span> {
    let end = column.min(end);
    let blocks = if from < end { partition.block_of(from)..partition.block_of(column) } else { 0..0 };
    let of = |block: usize| (block, partition.columns(block));
    let applies = |(_, columns): &(usize, Range<usize>)| columns.start < end;
    let span = |(block, columns): (usize, Range<usize>)| Span {
        block: Some(block),
        first: columns.start,
        count: columns.end.min(end) - columns.start,
    };
    blocks.map(of).filter(applies).map(span).collect()
}
