//! Cholesky factorisation of a Hermitian (real: symmetric) positive definite matrix. Source: LAPACK potrf;
//! left-looking.
//!
//! With the lower triangle, a block and the columns that stream past it consist of the rows from the block's diagonal
//! on. Each panel updates the block: the product of the panel and the adjoint of its rows at the block's diagonal is
//! subtracted. With the upper triangle, a block consists of the rows down to its diagonal. Each panel determines the
//! block's rows that correspond to the panel's columns: the product with the rows above them is subtracted, and a
//! triangular solve follows.

use super::layout::Partition;
use super::method::{Codes, Method, Piece, RawView, Region, Span, Uploaded, preceding_spans};
use super::updates::{Triangle, adjoint, gemm_update, scratch, syrk_update, triangular_solve};
use std::ops::Range;
use tephra_core::routine::{Diag, Potrf, Routine, Shape, Side, Trans, Uplo};
use tephra_core::{Dtype, Operation};

/// The factorisation of a matrix of order n.
pub struct Factor {
    pub dtype: Dtype,
    pub uplo: Uplo,
    pub n: usize,
}

impl Factor {
    /// The triangular matrix of the solves: L^H on the right of B, or U^H on its left.
    fn triangle(&self) -> Triangle {
        let side = if self.uplo == Uplo::Lower { Side::Right } else { Side::Left };
        Triangle(side, self.uplo, adjoint(self.dtype), Diag::NonUnit)
    }
}

impl Method for Factor {
    fn dtype(&self) -> Dtype {
        self.dtype
    }

    fn rows(&self) -> usize {
        self.n
    }

    fn source_columns(&self) -> usize {
        self.n
    }

    fn rows_of(&self, columns: &Range<usize>) -> Range<usize> {
        if self.uplo == Uplo::Lower { columns.start..self.n } else { 0..columns.end }
    }

    fn side_bytes(&self) -> usize {
        0
    }

    fn codes(&self) -> Codes {
        Codes::Stop
    }

    fn scratch(&self, width: usize) -> Option<usize> {
        scratch(self.dtype, self.n, width)
    }

    fn streams(&self, blocks: usize) -> bool {
        blocks > 1
    }

    fn spans(&self, columns: &Region, partition: &Partition) -> Vec<Span> {
        preceding_spans(columns.column, 0, self.n, partition)
    }

    fn part(&self, span: &Span, columns: &Region) -> Region {
        let rows = if self.uplo == Uplo::Lower { columns.column..self.n } else { 0..span.columns().end };
        Region { row: rows.start, column: span.first, rows: rows.len(), columns: span.count }
    }

    fn apply(&self, part: &Uploaded, columns: &Region, c: RawView) -> Vec<Operation> {
        let (dtype, width, v, Span { first, count, .. }) = (self.dtype, columns.columns, part.v, *part.span);
        if self.uplo == Uplo::Lower {
            let end = columns.column + width;
            let square = syrk_update(dtype, self.uplo, [width, count], [v, c.at(dtype, columns.column, 0)]);
            let below = || {
                let of = [v.at(dtype, width, 0), v, c.at(dtype, end, 0)];
                gemm_update(dtype, [Trans::N, adjoint(dtype)], [self.n - end, width, count], of)
            };
            return [square].into_iter().chain((end < self.n).then(below)).collect();
        }
        let own = c.at(dtype, first, 0);
        let above = || gemm_update(dtype, [adjoint(dtype), Trans::N], [count, width, first], [v, c, own]);
        let solve = triangular_solve(dtype, self.triangle(), [count, width], [v.at(dtype, first, 0), own]);
        (first > 0).then(above).into_iter().chain([solve]).collect()
    }

    fn finish(&self, columns: &Region, piece: Range<usize>, c: RawView, _: *mut u8, code: *mut i32) -> Piece {
        let (dtype, uplo, first, n) = (self.dtype, self.uplo, columns.column, columns.columns);
        let (end, diagonal) = (first + n, c.at(dtype, first, 0));
        let order = n as i64;
        let shape = Shape { dtype, m: order, n: order, batch: 1, math: Default::default(), extra: Default::default() };
        let (a, lda) = (diagonal.operand(), diagonal.ld as i64);
        let factor = Operation::Potrf(Potrf { uplo, a, lda, info: code, ..Potrf::of_shape(&shape) });
        let ops = if uplo == Uplo::Lower {
            let below = || triangular_solve(dtype, self.triangle(), [self.n - end, n], [diagonal, c.at(dtype, end, 0)]);
            [factor].into_iter().chain((end < self.n).then(below)).collect()
        } else {
            let square = || syrk_update(dtype, uplo, [n, first], [c, diagonal]);
            (first > 0).then(square).into_iter().chain([factor]).collect()
        };
        Piece { columns: piece, side_columns: 0, ops, rest: None }
    }
}
