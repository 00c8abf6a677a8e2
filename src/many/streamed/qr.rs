//! QR factorisation, and application of Q.

use super::layout::{Partition, leading_dimension};
use super::method::{Method, Piece, RawView, Region, Span, Uploaded, ascending_panels, preceding_spans};
use super::updates::adjoint;
use std::ops::Range;
use tephra_core::routine::{Geqrf, Ormqr, Routine, Shape, Side, Trans};
use tephra_core::{Dtype, Operation};

/// Applies op(Q), for the reflectors of `span`, to n columns of a matrix with m rows.
pub fn apply_reflectors(
    dtype: Dtype,
    trans: Trans,
    m: usize,
    n: usize,
    span: &Span,
    [v, tau, c]: [RawView; 3],
) -> Operation {
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

/// The reflectors of a span: its columns from the row of its first diagonal element on.
fn reflector_region(m: usize, span: &Span) -> Region {
    Region { row: span.first, column: span.first, rows: m - span.first, columns: span.count }
}

/// An upper bound on the workspace of block reflectors and panels for n columns: partial sums over chunks of at least
/// eight rows per reflector, for the columns of an update and of a panel beside it, and the memory in which panels of
/// up to 128 columns are formed.
fn scratch(m: usize, n: usize) -> Option<usize> {
    const PANEL: usize = 128;
    let sums = n.checked_add(6 * PANEL)?.checked_mul(m / 8 + PANEL)?;
    sums.checked_add(leading_dimension(m).checked_mul(2 * PANEL.min(n))?)
}

/// QR: each block is multiplied by Q^H of the blocks before it, and then factored.
pub struct Factor {
    pub dtype: Dtype,
    pub m: usize,
    pub n: usize,
    /// Columns from this one on already have Q^H of the columns before it applied. n if there are none.
    pub split: usize,
    /// Number of columns of a block that are finished at a time, see [`Method::piece_width`].
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

    fn source_columns(&self) -> usize {
        self.m.min(self.n)
    }

    fn side_bytes(&self) -> usize {
        self.dtype.bytes()
    }

    fn scratch(&self, width: usize) -> Option<usize> {
        scratch(self.m, width)
    }

    fn streams(&self, blocks: usize) -> bool {
        blocks > 1
    }

    fn spans(&self, columns: &Region, partition: &Partition) -> Vec<Span> {
        let from = if columns.column < self.split { 0 } else { self.split };
        preceding_spans(columns.column, from, self.m, partition)
    }

    fn part(&self, span: &Span, _: &Region) -> Region {
        reflector_region(self.m, span)
    }

    fn apply(&self, part: &Uploaded, columns: &Region, c: RawView) -> Vec<Operation> {
        let tau = RawView { p: part.side, ld: 1 };
        vec![apply_reflectors(self.dtype, adjoint(self.dtype), self.m, columns.columns, part.span, [part.v, tau, c])]
    }

    fn piece_width(&self) -> usize {
        self.piece
    }

    fn finish(&self, columns: &Region, piece: Range<usize>, c: RawView, tau: *mut u8, _: *mut i32) -> Piece {
        let (dtype, first, wide) = (self.dtype, columns.column + piece.start, piece.len());
        let rows = self.m.saturating_sub(first);
        let factors = rows.min(wide);
        if factors == 0 {
            return Piece { columns: piece, side_columns: 0, ops: vec![], rest: None };
        }
        let (m, n) = (rows as i64, wide as i64);
        let shape = Shape { dtype, m, n, batch: 1, math: Default::default(), extra: Default::default() };
        let v = c.at(dtype, first, piece.start);
        let tau = RawView { p: tau.wrapping_add(piece.start * dtype.bytes()), ld: 1 };
        let op = Geqrf { a: v.operand(), lda: v.ld as i64, tau: tau.operand(), ..Geqrf::of_shape(&shape) };
        let (after, span) = (columns.columns - piece.end, Span { block: None, first, count: factors });
        let reflected =
            || apply_reflectors(dtype, adjoint(dtype), self.m, after, &span, [v, tau, c.at(dtype, 0, piece.end)]);
        let rest = (after > 0).then(reflected);
        Piece { columns: piece, side_columns: factors, ops: vec![Operation::Geqrf(op)], rest }
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

    fn source_columns(&self) -> usize {
        self.k
    }

    fn side_bytes(&self) -> usize {
        self.dtype.bytes()
    }

    fn scratch(&self, width: usize) -> Option<usize> {
        scratch(self.m, width)
    }

    fn streams(&self, _: usize) -> bool {
        true
    }

    fn spans(&self, _: &Region, _: &Partition) -> Vec<Span> {
        vec![Span { block: None, first: 0, count: self.k }]
    }

    fn panels(&self, span: Span, panel: usize) -> Vec<Span> {
        let mut panels = ascending_panels(span, panel);
        if self.plain {
            panels.reverse();
        }
        panels
    }

    fn part(&self, span: &Span, _: &Region) -> Region {
        reflector_region(self.m, span)
    }

    fn apply(&self, part: &Uploaded, columns: &Region, c: RawView) -> Vec<Operation> {
        let (tau, trans) = (RawView { p: part.side, ld: 1 }, if self.plain { Trans::N } else { adjoint(self.dtype) });
        vec![apply_reflectors(self.dtype, trans, self.m, columns.columns, part.span, [part.v, tau, c])]
    }

    fn finish(&self, _: &Region, piece: Range<usize>, _: RawView, _: *mut u8, _: *mut i32) -> Piece {
        Piece { columns: piece, side_columns: 0, ops: vec![], rest: None }
    }
}
