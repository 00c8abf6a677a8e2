//! Products with large symmetric and Hermitian matrices, whose tiles reach a fraction of a general product's rate: the
//! blocks on the diagonal are multiplied by tiles, and each rectangle between them by two general products, one with
//! it and one with its transpose. See [`crate::gpu::triangle::diagonals`].

use crate::error::Error;
use crate::gpu::arch::{DEFAULT, Halves};
use crate::gpu::driver::pool::Scratch;
use crate::gpu::plan::ceil_div;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::run;
use crate::gpu::triangle::diagonals::{self, Diagonals, blocks, pairs};
use crate::gpu::trsm::blocked::is_certainly_not_zero;
use crate::routine::{Operation, Side, Symm, Trans, Uplo};

const MEASURED: &Halves = &DEFAULT.symm;

/// Order of A, columns of B (or its rows, if A is on the right).
fn sizes(p: &Symm) -> (i64, i64) {
    if p.side == Side::Left { (p.m, p.n) } else { (p.n, p.m) }
}

/// Whether a problem is solved this way unless plans are restricted. (With alpha = 0, the tiles do not read A and B.)
pub(super) fn pays(p: &Symm) -> bool {
    let (order, columns) = sizes(p);
    let tiles = || ceil_div(p.m, 32).saturating_mul(ceil_div(p.n, 32)).saturating_mul(p.batch);
    diagonals::pays(MEASURED, order, columns, tiles) && p.sizes.is_none() && is_certainly_not_zero(p.alpha)
}

/// Computes the product.
pub(super) fn walk(p: &Symm, queue: Queue<'_>) -> Result<(), Error> {
    let ((order, columns), block, operands) = (sizes(p), MEASURED.block, [p.a, p.b, p.c]);
    let scratch = Scratch::take(Diagonals::bytes(order, block, operands, p.batch), queue)?;
    let of = Diagonals {
        dtype: p.dtype,
        side: p.side,
        uplo: p.uplo,
        order,
        block,
        columns,
        alpha: p.alpha,
        operands,
        leading: [p.lda, p.ldb, p.ldc],
        first: [0; 3],
        batch: p.batch,
        pointers: scratch.p,
    };
    // SAFETY: parts of the caller's operands.
    let multiply = |()| steps(p, &of).try_for_each(|step| unsafe { run::of(&step).enqueue(queue) });
    scratch.give_back(of.write_pointers(queue).and_then(multiply))
}

/// What is computed, in order.
fn steps(p: &Symm, of: &Diagonals) -> impl Iterator<Item = Operation> {
    let diagonal = blocks(of.order, of.block).map(|blocks| {
        let (m, n) = if p.side == Side::Left { (blocks.order, of.columns) } else { (of.columns, blocks.order) };
        let [a, b, c] = [0, 1, 2].map(|operand| of.at(operand, 0, blocks.first));
        Operation::Symm(Symm { m, n, a, b, c, batch: blocks.count * of.batch, ..*p })
    });
    let across = if p.hermitian && p.dtype.is_complex() { Trans::C } else { Trans::T };
    // Whether the stored triangle leads from the first half of a pair to the second.
    let forwards = (p.uplo == Uplo::Lower) == (p.side == Side::Left);
    let rectangles = pairs(of.order, of.block)
        .flat_map(move |pairs| [of.product(&pairs, forwards, Trans::N), of.product(&pairs, !forwards, across)]);
    diagonal.chain(rectangles.map(Operation::Gemm))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::triangle::diagonals::tests::{Case, Memory, compute};
    use crate::routine::{Alpha, Dtype, Operand};

    /// The steps, done by the CPU backend, give what it computes at once, for one matrix and for several.
    #[test]
    fn steps_give_the_product() {
        for case @ Case { side, uplo, trans, batch, .. } in Case::all() {
            let ((m, n), [lda, ldb, ldc]) = (case.rows_and_columns(), case.leading());
            let mut expected = Memory::new(&case, false);
            let mut got = expected.clone();
            let of = |[a, b, c]: [Operand; 3]| {
                let (dtype, alpha, beta, sizes) = (Dtype::Z, case.alpha(), Alpha::host(2.0), None);
                let hermitian = trans == Trans::C;
                Symm { dtype, hermitian, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc, sizes, batch }
            };
            compute(&Operation::Symm(of(expected.operands())));
            let operands = got.operands();
            case.with_pointers(operands, |diagonals| steps(&of(operands), diagonals).for_each(|step| compute(&step)));
            got.assert_close_to(&expected, &format!("{case:?}"));
        }
    }
}
