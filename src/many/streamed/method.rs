//! What is done to a block of columns: which parts of the source it needs, in which order, and the operations.

use super::layout::Dealt;
use std::ops::Range;
use tephra_core::face::native::strided;
use tephra_core::{Dtype, Operand, Operation};

/// Part of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    pub row: usize,
    pub column: usize,
    pub rows: usize,
    pub columns: usize,
}

/// Where a region is on a device: its first element and its leading dimension.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub p: *mut u8,
    pub ld: usize,
}

impl Place {
    /// The same matrix from another of its elements on.
    pub fn at(self, dtype: Dtype, row: usize, column: usize) -> Place {
        Place { p: self.p.wrapping_add((column * self.ld + row) * dtype.bytes()), ..self }
    }

    pub(super) fn operand(self) -> Operand {
        strided(self.p, 0)
    }
}

/// Columns of the source, from the first one on, that are applied to a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The block that they are, which must be done; `None`: they are there.
    pub block: Option<usize>,
    pub first: usize,
    pub count: usize,
}

impl Span {
    pub fn columns(&self) -> Range<usize> {
        self.first..self.first + self.count
    }
}

/// A span, or a part of one, in a device's memory.
pub struct Brought<'a> {
    pub span: &'a Span,
    /// Its [`Method::part`].
    pub v: Place,
    /// The data of its [`Method::sides`].
    pub side: *mut u8,
    pub sides: Range<usize>,
}

/// Some columns of a block at its end: what is done to them, after which they can be copied back.
pub struct Piece {
    /// Columns, counted within the block.
    pub columns: Range<usize>,
    /// How many of them get side data.
    pub sides: usize,
    pub ops: Vec<Operation>,
    /// What is done to the block's other columns then.
    pub rest: Option<Operation>,
}

/// Whether a block's last operation writes a code, which is 0 where there is nothing to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codes {
    None,
    /// The factorisation goes on after any code.
    Told,
    /// The factorisation ends with the first block whose code is not 0.
    End,
}

/// An algorithm by blocks of columns.
pub trait Method: Sync {
    fn dtype(&self) -> Dtype;
    /// Rows of the source and of the matrix whose columns are dealt.
    fn rows(&self) -> usize;
    /// Columns of the source that are applied to others.
    fn sources(&self) -> usize;
    /// The rows that are brought to a device of a block of these columns, and copied back.
    fn rows_of(&self, _columns: &Range<usize>) -> Range<usize> {
        0..self.rows()
    }
    /// Bytes of side data of a column of the source: its scalar factor, or the index of its pivot.
    fn side(&self) -> usize;
    /// Columns whose side data come with a part of a span.
    fn sides(&self, part: &Span, _dealt: &Dealt) -> Range<usize> {
        part.columns()
    }
    /// The most columns whose side data come with a part: of blocks of such a width, in panels of so many columns.
    fn sides_at_once(&self, _width: usize, panel: usize) -> usize {
        panel
    }
    fn codes(&self) -> Codes {
        Codes::None
    }
    /// Elements of scratch memory that the kernels take for a block of such a width, at most.
    fn scratch(&self, width: usize) -> Option<usize>;
    /// Whether anything streams past the blocks, where there are so many.
    fn streams(&self, blocks: usize) -> bool;
    /// What is applied to the block of these columns, in this order.
    fn spans(&self, columns: &Region, dealt: &Dealt) -> Vec<Span>;
    /// A span in parts of so many columns, in the order in which they are applied.
    fn panels(&self, span: Span, panel: usize) -> Vec<Span> {
        ascending(span, panel)
    }
    /// What of the source is needed to apply it to the block of these columns.
    fn part(&self, span: &Span, columns: &Region) -> Region;
    /// Applies a part to the block of these columns; row i of the matrix is row i of `c`.
    fn apply(&self, part: &Brought, columns: &Region, c: Place) -> Vec<Operation>;
    /// Columns that are finished at a time; those of a block follow each other in pieces of so many.
    fn piece(&self) -> usize {
        usize::MAX
    }
    /// What is done to a piece of a block at the end. Side data begin at `side`, those of the block's first column first.
    fn finish(&self, columns: &Region, piece: Range<usize>, c: Place, side: *mut u8, code: *mut i32) -> Piece;
}

/// A span from its first column on.
pub(super) fn ascending(span: Span, panel: usize) -> Vec<Span> {
    let end = span.first + span.count;
    span.columns().step_by(panel).map(|first| Span { first, count: panel.min(end - first), ..span }).collect()
}

/// All blocks before the one that begins at a column, of those from column `from` on, up to column `end` of the source.
pub(super) fn before(column: usize, from: usize, end: usize, dealt: &Dealt) -> Vec<Span> {
    let end = column.min(end);
    let blocks = if from < end { dealt.of(from)..dealt.of(column) } else { 0..0 };
    let of = |block: usize| (block, dealt.columns(block));
    let applies = |(_, columns): &(usize, Range<usize>)| columns.start < end;
    let span = |(block, columns): (usize, Range<usize>)| Span {
        block: Some(block),
        first: columns.start,
        count: columns.end.min(end) - columns.start,
    };
    blocks.map(of).filter(applies).map(span).collect()
}
