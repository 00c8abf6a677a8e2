//! Q applied to few matrices, all reflectors at once. Panel by panel, most launches would leave most of the device idle,
//! and wait for each other.
//!
//! Q C = C - V X with X = T V^H C. T is not formed: with T^-1 = D^-1 + G, D = diag(tau) and G the strict upper triangle
//! of V^H V, X solves (1 + D G) X = D V^H C, and for Q^H it solves (1 + G D)^H X = D^H V^H C. Likewise from the right:
//! C Q = C - X V^H with X (1 + G D) = C V D, and C Q^H with X (1 + D G)^H = C V D^H. The launches: V^H V by chunks of
//! rows; the system, a copy of V, and V D or V D^H (`kernels/reflect/system.cuh`); a product; the solve; a product.

use crate::error::Error;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::run::Run;
use crate::gpu::plan::{Limits, batch_invariant, ceil_div};
use crate::gpu::tall::gram_steps::PendingMembers;
use crate::gpu::tall::update_steps::{AllReflectors, Reflector, with_scratch};
use crate::routine::{Alpha, Diag, Gemm, Operand, Ormqr, Side, Trans, Trsm, Uplo};
use std::ffi::c_void;
use std::ptr::null_mut;

/// Whether all reflectors act at once.
pub(super) fn pays(p: &Ormqr, limits: Limits) -> bool {
    let of = &limits.measured().ormqr.at_once;
    let (order, columns) = sizes(p);
    let [most_order, most] = of.most;
    let [least_order, least] = of.least[p.dtype];
    let shape =
        (least_order..=most_order).contains(&order) && (least..=most).contains(&p.k) && columns >= of.columns[p.dtype];
    // Q^T of a complex Q would need V's conjugate.
    let transposed = p.dtype.is_complex() && p.trans == Trans::T;
    p.sizes.is_none()
        && p.batch <= of.matrices
        && shape
        && !transposed
        && !batch_invariant()
        && limits.native
        && AtOnce::of(p, limits).is_ok_and(|call| call.at[3] <= AllReflectors::MOST_BYTES)
}

/// The order of Q, and the number of vectors that it is applied to.
fn sizes(p: &Ormqr) -> (i64, i64) {
    if p.side == Side::Left { (p.m, p.n) } else { (p.n, p.m) }
}

/// A call, and its scratch memory: the sums, in which the system is formed; V; V scaled; and X.
struct AtOnce<'a> {
    p: &'a Ormqr,
    all: AllReflectors,
    /// Leading dimensions of both copies of V, and of X.
    ld: i64,
    ldx: i64,
    /// Where the copies and X begin, and where X ends, in bytes.
    at: [usize; 4],
}

impl<'a> AtOnce<'a> {
    fn of(p: &'a Ormqr, limits: Limits) -> Result<AtOnce<'a>, Error> {
        let &Ormqr { dtype, k, a, lda, tau, batch, side, trans, .. } = p;
        let (order, columns) = sizes(p);
        let of = Reflector {
            dtype,
            v: a,
            ldv: lda,
            tau,
            c: Operand::Strided { base: null_mut(), stride: 0 },
            ldc: 0,
            batch,
            first: [0; 3],
            m: order,
            n: 0,
            k,
            adjoint: (side == Side::Left) != (trans == Trans::N),
            zeros: 0,
            pending: PendingMembers::ALL,
        };
        let all = AllReflectors::of(of, limits)?;
        let pack = 16 / dtype.bytes() as i64;
        let packed = |elements: i64| ceil_div(elements, pack) * pack;
        let (ld, ldx, lines) = match side {
            Side::Left => (packed(order), packed(k), columns),
            Side::Right => (packed(order), packed(columns), k),
        };
        let mut at = [all.division.bytes.next_multiple_of(256); 4];
        for (i, elements) in
            [ld.saturating_mul(k), ld.saturating_mul(k), ldx.saturating_mul(lines)].into_iter().enumerate()
        {
            let bytes = (elements.saturating_mul(batch) as usize).saturating_mul(dtype.bytes());
            at[i + 1] = at[i].saturating_add(bytes).saturating_add(255) / 256 * 256;
        }
        Ok(AtOnce { p, all, ld, ldx, at })
    }

    fn run(&self, sums: *mut c_void, queue: Queue<'_>) -> Result<(), Error> {
        let &AtOnce { p, all, ld, ldx, at } = self;
        let &Ormqr { dtype, side, trans, m, n, k, c, ldc, batch, .. } = p;
        let apart = |i: usize, stride: i64| Operand::Strided { base: sums.wrapping_byte_add(at[i]), stride };
        let (v, scaled) = (apart(0, ld * k), apart(1, ld * k));
        let x = apart(2, ldx * if side == Side::Left { n } else { k });
        let adjoint = if dtype.is_complex() { Trans::C } else { Trans::T };
        // The triangle is conjugated and has contiguous rows, so that the solve sees its adjoint.
        let solve = Trsm {
            dtype,
            side,
            uplo: Uplo::Lower,
            trans: if trans == Trans::N { adjoint } else { Trans::N },
            diag: Diag::Unit,
            m: if side == Side::Left { k } else { m },
            n: if side == Side::Left { n } else { k },
            alpha: Alpha::host(1.0),
            a: Operand::Strided { base: sums, stride: all.stride() },
            lda: all.division.pitch,
            b: x,
            ldb: ldx,
            sizes: None,
            batch,
        };
        let product = |trans, sizes, alpha: f64, beta: f64, operands, ld| {
            Gemm::uniform(dtype, trans, sizes, [Alpha::host(alpha), Alpha::host(beta)], operands, ld, batch)
        };
        let (right, result) = match side {
            Side::Left => (
                product([adjoint, Trans::N], [k, n, m], 1.0, 0.0, [scaled, c, x], [ld, ldc, ldx]),
                product([Trans::N, Trans::N], [m, n, k], -1.0, 1.0, [v, x, c], [ld, ldx, ldc]),
            ),
            Side::Right => (
                product([Trans::N, Trans::N], [m, k, n], 1.0, 0.0, [c, scaled, x], [ldc, ld, ldx]),
                product([Trans::N, adjoint], [m, n, k], -1.0, 1.0, [x, v, c], [ldx, ld, ldc]),
            ),
        };
        // SAFETY: the operands are the caller's, and the scratch memory has room for what is said to be there.
        unsafe {
            all.scaled_system(sums, [v, scaled], ld, queue)?;
            right.enqueue(queue)?;
            solve.enqueue(queue)?;
            result.enqueue(queue)
        }
    }
}

/// Applies Q.
pub(super) fn walk(p: &Ormqr, limits: Limits, queue: Queue<'_>) -> Result<(), Error> {
    let call = AtOnce::of(p, limits)?;
    with_scratch(call.at[3], queue, |sums| call.run(sums, queue))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::arch::DEFAULT;
    use crate::routine::Dtype;

    #[test]
    fn few_matrices_of_middle_size_take_all_reflectors_at_once() {
        let of = &DEFAULT.ormqr.at_once;
        for dtype in Dtype::ALL {
            let problem = |side, [m, n]: [i64; 2], k, batch| {
                let (a, c, tau) = (Operand::NULL, Operand::NULL, Operand::NULL);
                let (trans, lda) = (Trans::N, 2000);
                Ormqr { dtype, side, trans, m, n, k, a, lda, tau, c, ldc: m, batch, sizes: None }
            };
            let at_once = |side, sizes, k, batch| pays(&problem(side, sizes, k, batch), Limits::HOPPER);
            assert!(at_once(Side::Left, [500, 100], 200, 1) && at_once(Side::Right, [100, 500], 200, of.matrices));
            assert!(!at_once(Side::Left, [500, 100], 200, of.matrices + 1) && !at_once(Side::Left, [90, 500], 80, 1));
            let unconjugated = Ormqr { trans: Trans::T, ..problem(Side::Left, [500, 100], 200, 1) };
            assert_eq!(pays(&unconjugated, Limits::HOPPER), !dtype.is_complex());
            assert!(!pays(&problem(Side::Left, [500, 100], 200, 1), Limits::NONE), "needs the device's own code");
            let p = problem(Side::Right, [100, 500], 200, 3);
            let call = AtOnce::of(&p, Limits::HOPPER).unwrap();
            let copies = 3 * (2 * call.ld * p.k + call.ldx * p.k) * dtype.bytes() as i64;
            assert!(call.ld >= 500 && call.ldx >= 100 && call.at[3] - call.at[0] >= copies as usize);
        }
    }
}
