//! The algorithms: which parts of a matrix a block needs, in which order, and the operations on it.

use super::layout::{Dealt, leading};
use std::ops::Range;
use tephra_core::face::native::strided;
use tephra_core::routine::{Geqrf, Ormqr, Routine, Shape, Side, Trans};
use tephra_core::{Dtype, Operand, Operation};

/// A submatrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    pub row: usize,
    pub column: usize,
    pub rows: usize,
    pub columns: usize,
}

/// The place of a submatrix on a device: address of the first element, and leading dimension.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub p: *mut u8,
    pub ld: usize,
}

impl Place {
    /// The place that starts at this element.
    pub fn at(self, dtype: Dtype, row: usize, column: usize) -> Place {
        Place { p: self.p.wrapping_add((column * self.ld + row) * dtype.bytes()), ..self }
    }

    fn operand(self) -> Operand {
        strided(self.p, 0)
    }
}

/// A range of columns of the source whose reflectors are applied to a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The block that holds these columns, which must be finished first. `None` if they are available from the start.
    pub block: Option<usize>,
    pub first: usize,
    pub count: usize,
}

/// The last step for some columns of a block, after which they can be downloaded.
pub struct Piece {
    /// The columns, relative to the block.
    pub columns: Range<usize>,
    /// Number of scalar factors that they yield.
    pub factors: usize,
    pub op: Option<Operation>,
    /// The update of the block's remaining columns that follows.
    pub rest: Option<Operation>,
}

/// An algorithm that works by blocks of columns.
pub trait Method: Sync {
    fn dtype(&self) -> Dtype;
    /// Number of rows of the source and of the target, the matrix whose columns are split into blocks.
    fn rows(&self) -> usize;
    /// Number of columns of the source that hold reflectors.
    fn reflectors(&self) -> usize;
    /// Number of elements of workspace that the kernels need for a block of this width.
    fn scratch(&self, width: usize) -> Option<usize>;
    /// Whether panels stream past the blocks if there are this many.
    fn streams(&self, blocks: usize) -> bool;
    /// The spans that must be applied to the block with these columns, in order.
    fn spans(&self, columns: &Region, dealt: &Dealt) -> Vec<Span>;
    /// Splits a span into panels of at most `panel` columns, in the order in which they must be applied.
    fn panels(&self, span: Span, panel: usize) -> Vec<Span>;
    /// The part of the source that a span needs.
    fn part(&self, span: &Span) -> Region;
    /// Applies a span, with its scalar factors, to a block.
    fn apply(&self, span: &Span, v: Place, tau: *mut u8, columns: &Region, c: Place) -> Operation;
    /// Number of columns that are finished at a time; a block is finished in pieces of this width.
    fn piece(&self) -> usize;
    /// The last step for a piece of a block.
    fn finish(&self, columns: &Region, piece: Range<usize>, c: Place, tau: *mut u8) -> Piece;
}

/// Applies op(Q), for the reflectors of `span`, to n columns of a matrix with m rows.
pub fn reflect(dtype: Dtype, trans: Trans, m: usize, n: usize, span: &Span, [v, tau, c]: [Place; 3]) -> Operation {
    let (rows, k) = ((m - span.first) as i64, span.count as i64);
    let c = c.at(dtype, span.first, 0);
    Operation::Ormqr(Ormqr {
        dtype,
        side: Side::Left,
        trans,
        m: rows,
        n: n as i64,
        k,
        a: v.operand(),
        lda: v.ld as i64,
        tau: tau.operand(),
        c: c.operand(),
        ldc: c.ld as i64,
        batch: 1,
        sizes: None,
    })
}

fn part(m: usize, span: &Span) -> Region {
    Region { row: span.first, column: span.first, rows: m - span.first, columns: span.count }
}

fn ascending(span: Span, panel: usize) -> Vec<Span> {
    let end = span.first + span.count;
    (span.first..end).step_by(panel).map(|first| Span { first, count: panel.min(end - first), ..span }).collect()
}

pub fn adjoint(dtype: Dtype) -> Trans {
    if dtype.is_complex() { Trans::C } else { Trans::T }
}

/// An upper bound on the workspace of block reflectors and panels for n columns: partial sums over chunks of at least
/// eight rows per reflector, for the columns of an update and of a panel beside it, and the memory in which panels of
/// up to 128 columns are formed.
fn scratch(m: usize, n: usize) -> Option<usize> {
    const PANEL: usize = 128;
    let sums = n.checked_add(6 * PANEL)?.checked_mul(m / 8 + PANEL)?;
    sums.checked_add(leading(m).checked_mul(2 * PANEL.min(n))?)
}

/// QR: each block is multiplied by Q^H of the blocks before it, and then factored.
pub struct Factor {
    pub dtype: Dtype,
    pub m: usize,
    pub n: usize,
    /// Columns from this one on already have Q^H of the columns before it applied. n if there are none.
    pub split: usize,
    /// Number of columns of a block that are finished at a time, see [`Method::piece`].
    pub piece: usize,
}

impl Factor {
    /// The factorisation of a whole matrix, with each block finished in one piece.
    pub fn whole(dtype: Dtype, m: usize, n: usize) -> Factor {
        Factor { dtype, m, n, split: n, piece: usize::MAX }
    }
}

impl Method for Factor {
    fn dtype(&self) -> Dtype {
        self.dtype
    }

    fn rows(&self) -> usize {
        self.m
    }

    fn reflectors(&self) -> usize {
        self.m.min(self.n)
    }

    fn scratch(&self, width: usize) -> Option<usize> {
        scratch(self.m, width)
    }

    fn streams(&self, blocks: usize) -> bool {
        blocks > 1
    }

    fn spans(&self, columns: &Region, dealt: &Dealt) -> Vec<Span> {
        let (first, end) = (if columns.column < self.split { 0 } else { self.split }, columns.column.min(self.m));
        let blocks = if first < end { dealt.of(first)..dealt.of(columns.column) } else { 0..0 };
        let of = |block: usize| (block, dealt.columns(block));
        let reflects = |(_, columns): &(usize, Range<usize>)| columns.start < end;
        let span = |(block, columns): (usize, Range<usize>)| Span {
            block: Some(block),
            first: columns.start,
            count: columns.end.min(end) - columns.start,
        };
        blocks.map(of).filter(reflects).map(span).collect()
    }

    fn panels(&self, span: Span, panel: usize) -> Vec<Span> {
        ascending(span, panel)
    }

    fn part(&self, span: &Span) -> Region {
        part(self.m, span)
    }

    fn apply(&self, span: &Span, v: Place, tau: *mut u8, columns: &Region, c: Place) -> Operation {
        let tau = Place { p: tau, ld: 1 };
        reflect(self.dtype, adjoint(self.dtype), self.m, columns.columns, span, [v, tau, c])
    }

    fn piece(&self) -> usize {
        self.piece
    }

    fn finish(&self, columns: &Region, piece: Range<usize>, c: Place, tau: *mut u8) -> Piece {
        let (dtype, first, wide) = (self.dtype, columns.column + piece.start, piece.len());
        let rows = self.m.saturating_sub(first);
        let factors = rows.min(wide);
        if factors == 0 {
            return Piece { columns: piece, factors, op: None, rest: None };
        }
        let (m, n) = (rows as i64, wide as i64);
        let shape = Shape { dtype, m, n, batch: 1, math: Default::default(), told: Default::default() };
        let v = c.at(dtype, first, piece.start);
        let tau = Place { p: tau.wrapping_add(piece.start * dtype.bytes()), ld: 1 };
        let op = Geqrf { a: v.operand(), lda: v.ld as i64, tau: tau.operand(), ..Geqrf::of_shape(&shape) };
        let (after, span) = (columns.columns - piece.end, Span { block: None, first, count: factors });
        let reflected = || reflect(dtype, adjoint(dtype), self.m, after, &span, [v, tau, c.at(dtype, 0, piece.end)]);
        let rest = (after > 0).then(reflected);
        Piece { columns: piece, factors, op: Some(Operation::Geqrf(op)), rest }
    }
}

/// Applies op(Q), with k reflectors of a factored matrix, to blocks of the columns of C.
pub struct Apply {
    pub dtype: Dtype,
    pub m: usize,
    pub k: usize,
    pub plain: bool,
}

impl Method for Apply {
    fn dtype(&self) -> Dtype {
        self.dtype
    }

    fn rows(&self) -> usize {
        self.m
    }

    fn reflectors(&self) -> usize {
        self.k
    }

    fn scratch(&self, width: usize) -> Option<usize> {
        scratch(self.m, width)
    }

    fn streams(&self, _: usize) -> bool {
        true
    }

    fn spans(&self, _: &Region, _: &Dealt) -> Vec<Span> {
        vec![Span { block: None, first: 0, count: self.k }]
    }

    fn panels(&self, span: Span, panel: usize) -> Vec<Span> {
        let mut panels = ascending(span, panel);
        if self.plain {
            panels.reverse();
        }
        panels
    }

    fn part(&self, span: &Span) -> Region {
        part(self.m, span)
    }

    fn apply(&self, span: &Span, v: Place, tau: *mut u8, columns: &Region, c: Place) -> Operation {
        let (tau, trans) = (Place { p: tau, ld: 1 }, if self.plain { Trans::N } else { adjoint(self.dtype) });
        reflect(self.dtype, trans, self.m, columns.columns, span, [v, tau, c])
    }

    fn piece(&self) -> usize {
        usize::MAX
    }

    fn finish(&self, _: &Region, piece: Range<usize>, _: Place, _: *mut u8) -> Piece {
        Piece { columns: piece, factors: 0, op: None, rest: None }
    }
}
