//! LU with partial pivoting. Source: LAPACK getrf; left-looking.
//!
//! The row interchanges of a block also concern the columns on its left, which are in host memory by then. They are applied there
//! after the last block ([`Factor::exchange`]). Until then each block is as its own factorisation left it, and its pivots count
//! from its own first row, so a block that streams past another one needs no pivots but its own.

use super::layout::Dealt;
use super::method::{Brought, Codes, Method, Piece, Place, Region, Span, before};
use super::updates::{Triangle, scratch, solve, subtract_product};
use std::ops::Range;
use std::ptr::null_mut;
use tephra_core::backend::cpu;
use tephra_core::face::call::{self, WorkspaceSource};
use tephra_core::face::native::strided;
use tephra_core::routine::{Diag, Getrf, Laswp, Side, Trans, Uplo};
use tephra_core::{Dtype, Error, Operation, Stream};

/// The factorisation of an m x n matrix.
pub struct Factor {
    pub dtype: Dtype,
    pub m: usize,
    pub n: usize,
}

/// Exchanges rows k1..=k2 (counted from 1) of n columns with the rows that `ipiv` names.
fn laswp(dtype: Dtype, n: usize, a: Place, [k1, k2]: [usize; 2], ipiv: *mut i32) -> Laswp {
    let (k1, k2, lda) = (k1 as i64, k2 as i64, a.ld as i64);
    Laswp { dtype, n: n as i64, a: a.operand(), lda, k1, k2, ipiv: strided(ipiv, 0), incx: 1, sizes: None, batch: 1 }
}

impl Method for Factor {
    fn dtype(&self) -> Dtype {
        self.dtype
    }

    fn rows(&self) -> usize {
        self.m
    }

    fn sources(&self) -> usize {
        self.m.min(self.n)
    }

    fn side(&self) -> usize {
        size_of::<i32>()
    }

    /// The pivots of a whole block come with its first part.
    fn sides(&self, part: &Span, dealt: &Dealt) -> Range<usize> {
        let block = dealt.columns(dealt.of(part.first));
        if part.first == block.start { block.start..block.end.min(self.sources()) } else { 0..0 }
    }

    fn sides_at_once(&self, width: usize, _: usize) -> usize {
        width
    }

    fn codes(&self) -> Codes {
        Codes::Told
    }

    fn scratch(&self, width: usize) -> Option<usize> {
        scratch(self.dtype, self.m, width)
    }

    fn streams(&self, blocks: usize) -> bool {
        blocks > 1
    }

    fn spans(&self, columns: &Region, dealt: &Dealt) -> Vec<Span> {
        before(columns.column, 0, self.m, dealt)
    }

    fn part(&self, span: &Span, _: &Region) -> Region {
        Region { row: span.first, column: span.first, rows: self.m - span.first, columns: span.count }
    }

    fn apply(&self, part: &Brought, columns: &Region, c: Place) -> Vec<Operation> {
        let (dtype, width, Span { first, count, .. }) = (self.dtype, columns.columns, *part.span);
        let (own, end) = (c.at(dtype, first, 0), first + count);
        let exchange = || Operation::Laswp(laswp(dtype, width, own, [1, part.sides.len()], part.side.cast()));
        let unit = Triangle(Side::Left, Uplo::Lower, Trans::N, Diag::Unit);
        let solve = solve(dtype, unit, [count, width], [part.v, own]);
        let below = || {
            let of = [part.v.at(dtype, count, 0), own, c.at(dtype, end, 0)];
            subtract_product(dtype, [Trans::N; 2], [self.m - end, width, count], of)
        };
        let exchange = (!part.sides.is_empty()).then(exchange);
        exchange.into_iter().chain([solve]).chain((end < self.m).then(below)).collect()
    }

    fn finish(&self, columns: &Region, piece: Range<usize>, c: Place, side: *mut u8, code: *mut i32) -> Piece {
        let (first, width) = (columns.column, columns.columns);
        let rows = self.m.saturating_sub(first);
        if rows == 0 {
            return Piece { columns: piece, sides: 0, ops: vec![], rest: None };
        }
        let a = (c.at(self.dtype, first, 0).operand(), c.ld as i64);
        let ipiv = strided(side.cast::<i32>(), 0);
        let op = Getrf { info: code, ..Getrf::of(self.dtype, (rows as i64, width as i64), a, Some(ipiv), 1) };
        Piece { columns: piece, sides: rows.min(width), ops: vec![Operation::Getrf(op)], rest: None }
    }
}

impl Factor {
    /// Applies each block's interchanges to the columns on its left, in host memory, and makes all pivots count from the first
    /// row of the matrix.
    ///
    /// # Safety
    /// The matrix and its pivots are in host memory, as the schedule left them, and nobody else uses them.
    pub unsafe fn exchange(&self, a: Place, ipiv: *mut i32, dealt: &Dealt) -> Result<(), Error> {
        /// Columns that are exchanged together and read the pivots once.
        const TOGETHER: usize = 8;
        let steps = self.sources();
        let blocks = || (0..dealt.count()).map(|block| dealt.columns(block));
        for columns in blocks() {
            for i in columns.start..columns.end.min(steps) {
                // SAFETY: there are as many pivots as steps.
                unsafe { *ipiv.add(i) += columns.start as i32 };
            }
        }
        for columns in blocks().filter(|columns| columns.end < steps) {
            let left = columns.len() % TOGETHER;
            let parts = [(columns.start, columns.len() / TOGETHER, TOGETHER), (columns.end - left, 1, left)];
            for (first, members, together) in parts {
                let place = a.at(self.dtype, 0, first);
                let one = laswp(self.dtype, together, place, [columns.end + 1, steps], ipiv);
                // The members of a batch are what the CPU backend divides among its threads.
                let of_all = Laswp { a: strided(place.p, (together * a.ld) as i64), batch: members as i64, ..one };
                // SAFETY: the columns are the caller's.
                unsafe {
                    call::run("laswp", cpu::runtime(), &Operation::Laswp(of_all), Stream(null_mut()), WorkspaceSource::Library)?
                };
            }
        }
        Ok(())
    }
}
