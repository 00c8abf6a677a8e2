//! LU with partial pivoting. Source: LAPACK getrf; left-looking.
//!
//! The row interchanges of a block also apply to the columns on its left, which have been downloaded by then. They are
//! applied in host memory after the last block ([`Factor::apply_interchanges`]). Until then, each block stays as its
//! own factorisation left it, with pivot indices relative to its first row, so a block that streams past another one
//! needs only its own pivots.

use super::layout::Partition;
use super::method::{Codes, Method, Piece, RawView, Region, Span, Uploaded, preceding_spans};
use super::updates::{Triangle, gemm_update, scratch, triangular_solve};
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

/// Interchanges rows k1..=k2 (numbered from 1) of n columns with the rows given by `ipiv`.
fn laswp(dtype: Dtype, n: usize, a: RawView, [k1, k2]: [usize; 2], ipiv: *mut i32) -> Laswp {
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

    fn source_columns(&self) -> usize {
        self.m.min(self.n)
    }

    fn side_bytes(&self) -> usize {
        size_of::<i32>()
    }

    fn side_name(&self) -> &'static str {
        "ipiv"
    }

    /// The pivots of a whole block are uploaded with its first panel.
    fn side_columns(&self, part: &Span, partition: &Partition) -> Range<usize> {
        let block = partition.columns(partition.block_of(part.first));
        if part.first == block.start { block.start..block.end.min(self.source_columns()) } else { 0..0 }
    }

    fn max_side_columns(&self, width: usize, _: usize) -> usize {
        width
    }

    fn codes(&self) -> Codes {
        Codes::Continue
    }

    fn scratch(&self, width: usize) -> Option<usize> {
        scratch(self.dtype, self.m, width)
    }

    fn streams(&self, blocks: usize) -> bool {
        blocks > 1
    }

    fn spans(&self, columns: &Region, partition: &Partition) -> Vec<Span> {
        preceding_spans(columns.column, 0, self.m, partition)
    }

    fn part(&self, span: &Span, _: &Region) -> Region {
        Region { row: span.first, column: span.first, rows: self.m - span.first, columns: span.count }
    }

    fn apply(&self, part: &Uploaded, columns: &Region, c: RawView) -> Vec<Operation> {
        let (dtype, width, Span { first, count, .. }) = (self.dtype, columns.columns, *part.span);
        let (own, end) = (c.at(dtype, first, 0), first + count);
        let interchange = || Operation::Laswp(laswp(dtype, width, own, [1, part.side_columns.len()], part.side.cast()));
        let unit = Triangle(Side::Left, Uplo::Lower, Trans::N, Diag::Unit);
        let solve = triangular_solve(dtype, unit, [count, width], [part.v, own]);
        let below = || {
            let of = [part.v.at(dtype, count, 0), own, c.at(dtype, end, 0)];
            gemm_update(dtype, [Trans::N; 2], [self.m - end, width, count], of)
        };
        let interchange = (!part.side_columns.is_empty()).then(interchange);
        interchange.into_iter().chain([solve]).chain((end < self.m).then(below)).collect()
    }

    fn finish(&self, columns: &Region, piece: Range<usize>, c: RawView, side: *mut u8, code: *mut i32) -> Piece {
        let (first, width) = (columns.column, columns.columns);
        let rows = self.m.saturating_sub(first);
        if rows == 0 {
            return Piece { columns: piece, side_columns: 0, ops: vec![], rest: None };
        }
        let a = (c.at(self.dtype, first, 0).operand(), c.ld as i64);
        let ipiv = strided(side.cast::<i32>(), 0);
        let op = Getrf { info: code, ..Getrf::of(self.dtype, (rows as i64, width as i64), a, Some(ipiv), 1) };
        Piece { columns: piece, side_columns: rows.min(width), ops: vec![Operation::Getrf(op)], rest: None }
    }
}

impl Factor {
    /// Applies each block's interchanges to the columns on its left, in host memory, and makes all pivot indices
    /// relative to the first row of the matrix.
    ///
    /// # Safety
    /// The matrix and its pivots must be in host memory, as the schedule left them, and nobody else may use them during
    /// the call.
    pub unsafe fn apply_interchanges(&self, a: RawView, ipiv: *mut i32, partition: &Partition) -> Result<(), Error> {
        let steps = self.source_columns();
        let blocks = || (0..partition.count()).map(|block| partition.columns(block));
        for columns in blocks() {
            for i in columns.start..columns.end.min(steps) {
                // SAFETY: the caller guarantees one pivot per step.
                unsafe { *ipiv.add(i) += columns.start as i32 };
            }
        }
        for columns in blocks().filter(|columns| columns.end < steps) {
            let place = a.at(self.dtype, 0, columns.start);
            let one = laswp(self.dtype, 1, place, [columns.end + 1, steps], ipiv);
            // A batch of columns, because the CPU backend distributes the members of a batch over its threads.
            let all = Laswp { a: strided(place.p, place.ld as i64), batch: columns.len() as i64, ..one };
            let (op, stream) = (Operation::Laswp(all), Stream(null_mut()));
            // SAFETY: the caller guarantees that the columns are valid and not in use.
            unsafe { call::run("laswp", cpu::runtime(), &op, stream, WorkspaceSource::Library)? };
        }
        Ok(())
    }
}
