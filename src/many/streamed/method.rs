//! What is done to a block: which parts of a matrix it needs, in which order, and the operations.

use super::layout::leading;
use tephra_core::face::native::strided;
use tephra_core::routine::{Geqrf, Ormqr, Routine, Shape, Side, Trans};
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
    /// From another of its elements on.
    pub fn at(self, dtype: Dtype, row: usize, column: usize) -> Place {
        Place { p: self.p.wrapping_add((column * self.ld + row) * dtype.bytes()), ..self }
    }

    fn operand(self) -> Operand {
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

/// An algorithm by blocks of columns.
pub trait Method: Sync {
    fn dtype(&self) -> Dtype;
    /// Rows of the source and of the matrix whose columns are dealt.
    fn rows(&self) -> usize;
    /// Columns of the source that have reflectors.
    fn reflectors(&self) -> usize;
    /// Elements of scratch memory that the kernels take for a block of such a width.
    fn scratch(&self, width: usize) -> Option<usize>;
    /// Whether anything streams past the blocks, where there are so many.
    fn streams(&self, blocks: usize) -> bool;
    /// What is applied to the block of these columns, in this order. `width`: that of the blocks before it.
    fn spans(&self, columns: &Region, width: usize) -> Vec<Span>;
    /// A span in parts of so many columns, in the order in which they are applied.
    fn panels(&self, span: Span, panel: usize) -> Vec<Span>;
    /// What of the source is needed for it.
    fn part(&self, span: &Span) -> Region;
    /// Applies a part, with its scalar factors, to a block.
    fn apply(&self, span: &Span, v: Place, tau: *mut u8, columns: &Region, c: Place) -> Operation;
    /// How many scalar factors a block gets, and what is done to it at the end.
    fn finish(&self, columns: &Region, c: Place, tau: *mut u8) -> Option<(usize, Operation)>;
}

/// Op(Q) for reflectors from the k0-th on of matrices with m rows, applied to n columns.
fn reflect(dtype: Dtype, trans: Trans, m: usize, n: usize, span: &Span, [v, tau, c]: [Place; 3]) -> Operation {
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

fn adjoint(dtype: Dtype) -> Trans {
    if dtype.is_complex() { Trans::C } else { Trans::T }
}

/// A bound for what block reflectors and panels take of scratch memory on n columns: sums of chunks of at least eight rows a
/// reflector, for the columns of an update and those of a panel beside it, and what panels of up to 128 columns are formed in.
fn scratch(m: usize, n: usize) -> Option<usize> {
    const PANEL: usize = 128;
    let sums = n.checked_add(6 * PANEL)?.checked_mul(m / 8 + PANEL)?;
    sums.checked_add(leading(m).checked_mul(2 * PANEL.min(n))?)
}

/// QR: blocks of columns are multiplied by Q^H of those before them, and factored.
pub struct Factor {
    pub dtype: Dtype,
    pub m: usize,
    pub n: usize,
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

    fn spans(&self, columns: &Region, width: usize) -> Vec<Span> {
        let reflectors = columns.column.min(self.m);
        let of = |first: usize| Span { block: Some(first / width), first, count: width.min(reflectors - first) };
        (0..reflectors).step_by(width).map(of).collect()
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

    fn finish(&self, columns: &Region, c: Place, tau: *mut u8) -> Option<(usize, Operation)> {
        let (dtype, rows) = (self.dtype, self.m.checked_sub(columns.column).filter(|rows| *rows > 0)?);
        let (m, n) = (rows as i64, columns.columns as i64);
        let shape = Shape { dtype, m, n, batch: 1, math: Default::default(), told: Default::default() };
        let a = c.at(dtype, columns.column, 0);
        let (lda, tau) = (a.ld as i64, Place { p: tau, ld: 1 }.operand());
        let op = Geqrf { a: a.operand(), lda, tau, ..Geqrf::of_shape(&shape) };
        Some((rows.min(columns.columns), Operation::Geqrf(op)))
    }
}

/// op(Q) C with k reflectors of a matrix that was factored: blocks of C's columns.
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

    fn spans(&self, _: &Region, _: usize) -> Vec<Span> {
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

    fn finish(&self, _: &Region, _: Place, _: *mut u8) -> Option<(usize, Operation)> {
        None
    }
}
