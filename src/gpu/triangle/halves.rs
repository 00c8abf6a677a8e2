//! Products with large triangles, for which one block per matrix and tile of columns would leave a device idle, and
//! which general products do faster than a triangle's kernel in any case.
//!
//! B is copied. Then the blocks on the diagonal are multiplied in place, and the rectangles between them with the
//! copy. Without a copy, a part of B would have to be multiplied before the parts that it depends on, one after
//! another; with it, all rectangles of one order are one launch, so that the number of launches grows with the
//! logarithm of the order.

use crate::error::Error;
use crate::gpu::arch::{DEFAULT, Halves};
use crate::gpu::driver::pool::Scratch;
use crate::gpu::plan::parts::copy::copy;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::run;
use crate::gpu::plan::{Copy, Form, ceil_div};
use crate::gpu::triangle::ROOM;
use crate::gpu::triangle::diagonals::{self, Diagonals, blocks, pairs};
use crate::gpu::trsm::blocked::is_certainly_not_zero;
use crate::routine::{Operand, Operation, Side, Trans, Trmm, Uplo};

const MEASURED: &Halves = &DEFAULT.trmm;
/// Columns of a part of B, if it is too large to be copied at once, are a multiple of this.
const WIDTH: i64 = 64;
/// Alignment of the arrays in scratch memory, and of columns of copies.
const ALIGN: usize = 256;
const WORD: i64 = 16;

/// Order of A, columns of B (or its rows, if A is on the right).
fn sizes(p: &Trmm) -> (i64, i64) {
    if p.side == Side::Left { (p.m, p.n) } else { (p.n, p.m) }
}

/// Whether a problem is solved this way unless plans are restricted. (With alpha = 0, the tiles do not read A.)
pub(super) fn pays(p: &Trmm) -> bool {
    let (order, columns) = sizes(p);
    let tiles = || ceil_div(columns, 32).saturating_mul(p.batch);
    diagonals::pays(MEASURED, order, columns, tiles) && p.sizes.is_none() && is_certainly_not_zero(p.alpha)
}

/// How B is divided for copies.
struct Parts {
    /// Columns of a part, and the number of matrices.
    columns: i64,
    matrices: i64,
    /// Leading dimension and size of a copy.
    leading: i64,
    stride: i64,
}

impl Parts {
    fn of(p: &Trmm) -> Parts {
        let ((order, columns), element) = (sizes(p), p.dtype.bytes() as i64);
        let most = (ROOM / (order * element) / WIDTH).max(1) * WIDTH;
        let columns = columns.min(most);
        let (rows, across) = if p.side == Side::Left { (order, columns) } else { (columns, order) };
        let leading = ceil_div(rows * element, WORD) * WORD / element;
        let stride = leading * across;
        Parts { columns, matrices: (ROOM / (stride * element)).clamp(1, p.batch), leading, stride }
    }
}

/// Computes the product.
pub(super) fn walk(p: &Trmm, queue: Queue<'_>) -> Result<(), Error> {
    let ((order, columns), element) = (sizes(p), p.dtype.bytes());
    let parts = Parts::of(p);
    let copies = ((parts.matrices * parts.stride) as usize * element).next_multiple_of(ALIGN);
    let of = |copy| [p.a, copy, p.b];
    let scratch_of = |base| Operand::Strided { base, stride: parts.stride };
    let pointers = Diagonals::bytes(order, MEASURED.block, of(scratch_of(std::ptr::null_mut())), parts.matrices);
    let scratch = Scratch::take(copies + pointers, queue)?;
    let all = Diagonals {
        dtype: p.dtype,
        side: p.side,
        uplo: p.uplo,
        order,
        block: MEASURED.block,
        columns,
        alpha: p.alpha,
        operands: of(scratch_of(scratch.p)),
        leading: [p.lda, parts.leading, p.ldb],
        first: [0; 3],
        batch: p.batch,
        pointers: scratch.p.wrapping_byte_add(copies),
    };
    let done = (0..columns).step_by(parts.columns as usize).try_for_each(|column| {
        let first = [0, 0, column * if p.side == Side::Left { p.ldb } else { 1 }];
        (0..p.batch).step_by(parts.matrices as usize).try_for_each(|member| {
            let [a, copy, b] = all.operands;
            let operands = [a.from_member(member, element), copy, b.from_member(member, element)];
            let (columns, batch) = (parts.columns.min(columns - column), parts.matrices.min(p.batch - member));
            multiply(p, &Diagonals { columns, operands, first, batch, ..all }, queue)
        })
    });
    scratch.give_back(done)
}

/// Computes a part of the product for some of the matrices.
fn multiply(p: &Trmm, of: &Diagonals, queue: Queue<'_>) -> Result<(), Error> {
    of.write_pointers(queue)?;
    // SAFETY: the scratch memory has room for the copies; all else are parts of it and of the caller's operands.
    unsafe {
        copy(&copied(p, of), queue)?;
        steps(p, of).try_for_each(|step| run::of(&step).enqueue(queue))
    }
}

/// Rows and columns of a part of B.
fn rows_and_columns(p: &Trmm, order: i64, columns: i64) -> (i64, i64) {
    if p.side == Side::Left { (order, columns) } else { (columns, order) }
}

/// The copy of B.
fn copied(p: &Trmm, of: &Diagonals) -> Copy {
    let &Diagonals { order, block, columns, batch, leading: [_, ld, ldb], .. } = of;
    let (rows, columns) = rows_and_columns(p, order, columns);
    // At the last level, each matrix has one place.
    let last = pairs(order, block).last().map_or(0, |pairs| pairs.level);
    let (from, to) = ((of.at(2, last, 0), ldb), (of.operands[1], ld));
    Copy { dtype: p.dtype, from, to, rows, columns, form: Form::Whole, batch }
}

/// What is computed once B has been copied, in order.
fn steps(p: &Trmm, of: &Diagonals) -> impl Iterator<Item = Operation> {
    let diagonal = blocks(of.order, of.block).map(|b| {
        let ((m, n), batch) = (rows_and_columns(p, b.order, of.columns), b.count * of.batch);
        Operation::Trmm(Trmm { m, n, a: of.at(0, 0, b.first), b: of.at(2, 0, b.first), batch, ..*p })
    });
    // Whether op(A) is lower triangular, seen from B's rows or columns: then the second half of a pair depends on both.
    let forwards = ((p.uplo == Uplo::Lower) == (p.trans == Trans::N)) == (p.side == Side::Left);
    let rectangles = pairs(of.order, of.block).map(move |pairs| of.product(&pairs, forwards, p.trans));
    diagonal.chain(rectangles.map(Operation::Gemm))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::triangle::diagonals::tests::{Case, Memory, compute};
    use crate::routine::{Alpha, Diag, Dtype};

    /// The steps, done by the CPU backend, give what it computes at once, for one matrix and for several.
    #[test]
    fn steps_give_the_product() {
        for (case @ Case { side, uplo, trans, order, batch, .. }, diag) in with_diagonals() {
            let (alpha, (m, n), [lda, _, ldb]) = (case.alpha(), case.rows_and_columns(), case.leading());
            let mut expected = Memory::new(&case, diag == Diag::Unit);
            expected.copy_back(&case);
            let mut got = expected.clone();
            let of = |[a, _, b]: [Operand; 3]| {
                let (dtype, sizes) = (Dtype::Z, None);
                Trmm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, sizes, batch }
            };
            compute(&Operation::Trmm(of(expected.operands())));
            let operands = got.operands();
            case.with_pointers(operands, |diagonals| steps(&of(operands), diagonals).for_each(|step| compute(&step)));
            got.assert_close_to(&expected, &format!("{case:?} {diag:?} {order}"));
        }
    }

    fn with_diagonals() -> impl Iterator<Item = (Case, Diag)> {
        Case::all().flat_map(|case| [Diag::Unit, Diag::NonUnit].map(|diag| (case, diag)))
    }

    /// Copies fit the room, unless 64 columns do not.
    #[test]
    fn copies_have_room() {
        for (side, m, n, batch) in [
            (Side::Left, 300, 300, 200),
            (Side::Left, 20_000, 60_000, 1),
            (Side::Left, 30_000_000, 100, 1),
            (Side::Right, 1, 20_000, 5000),
            (Side::Right, 1 << 24, 1000, 2),
        ] {
            let (uplo, trans, diag, alpha, null) = (Uplo::Lower, Trans::N, Diag::Unit, Alpha::host(1.0), Operand::NULL);
            for dtype in Dtype::ALL {
                let (a, b, lda, ldb, sizes) = (null, null, 1, 1, None);
                let p = Trmm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, sizes, batch };
                let (parts, element) = (Parts::of(&p), dtype.bytes() as i64);
                let bytes = parts.matrices * parts.stride * element;
                assert!((1..=batch).contains(&parts.matrices) && parts.columns >= 1);
                assert!(bytes <= ROOM || parts.matrices == 1 && parts.columns <= WIDTH, "{p:?}: {bytes}");
                assert_eq!(parts.leading * element % WORD, 0);
            }
        }
    }
}
