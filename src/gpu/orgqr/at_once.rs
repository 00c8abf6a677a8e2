//! Q of few matrices, formed from all reflectors at once. Panel by panel, most launches would leave most of the device
//! idle, and wait for each other.
//!
//! Q = E + V X, with E the first n columns of the identity and X = -T V1^H, V1 being V's first n rows. T is not formed:
//! X is the solution of a triangular system with V^H V and tau (`kernels/reflect/system.cuh`). The launches: V^H V by
//! chunks of rows; the system, a copy of V, and E in place of V; the solve; the product.

use crate::error::Error;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::run::Run;
use crate::gpu::plan::{Limits, batch_invariant, ceil_div};
use crate::gpu::tall::gram_steps::PendingMembers;
use crate::gpu::tall::update_steps::{AllReflectors, Reflector, with_scratch};
use crate::routine::{Alpha, Diag, Gemm, Operand, Orgqr, Side, Trans, Trsm, Uplo};
use std::ffi::c_void;

/// Whether all reflectors act at once.
pub(super) fn pays(p: &Orgqr, limits: Limits) -> bool {
    let of = &limits.measured().orgqr.at_once;
    let [most_rows, most] = of.most;
    let within = |[rows, k]: [i64; 2]| p.m >= rows && p.k >= k;
    let shape = (within(of.least[p.dtype]) || within(of.least_tall)) && p.m <= most_rows && p.k <= most;
    let uniform = p.sizes.is_none() && !batch_invariant();
    uniform
        && p.batch <= of.matrices
        && shape
        && limits.native
        && AtOnce::of(p, limits).is_ok_and(|call| call.bytes() <= AllReflectors::MOST_BYTES)
}

/// A call, and its scratch memory: the sums, in which the system and the right-hand sides are formed and X replaces these;
/// and the copy of V.
struct AtOnce<'a> {
    p: &'a Orgqr,
    all: AllReflectors,
    /// Leading dimension of the copy.
    ld: i64,
}

impl<'a> AtOnce<'a> {
    fn of(p: &'a Orgqr, limits: Limits) -> Result<AtOnce<'a>, Error> {
        let &Orgqr { dtype, m, n, k, a, lda, tau, batch, .. } = p;
        let of = Reflector {
            dtype,
            v: a,
            ldv: lda,
            tau,
            c: a,
            ldc: lda,
            batch,
            first: [0; 3],
            m,
            n,
            k,
            adjoint: false,
            zeros: 0,
            pending: PendingMembers::ALL,
        };
        let pack = 16 / dtype.bytes() as i64;
        Ok(AtOnce { p, all: AllReflectors::of(of, limits)?, ld: ceil_div(m, pack) * pack })
    }

    /// Where the copy of V begins.
    fn copy_at(&self) -> usize {
        self.all.division.bytes.next_multiple_of(256)
    }

    fn bytes(&self) -> usize {
        let elements = self.ld.saturating_mul(self.p.k).saturating_mul(self.p.batch);
        (elements as usize).saturating_mul(self.p.dtype.bytes()).saturating_add(self.copy_at())
    }

    fn run(&self, sums: *mut c_void, queue: Queue<'_>) -> Result<(), Error> {
        let &AtOnce { p, all, ld } = self;
        let &Orgqr { dtype, m, n, k, a, lda, batch, .. } = p;
        let (pitch, stride) = (all.division.pitch, all.stride());
        let x = Operand::Strided { base: sums, stride };
        let triangle = Operand::Strided { base: sums.wrapping_byte_add(n as usize * dtype.bytes()), stride };
        let v = Operand::Strided { base: sums.wrapping_byte_add(self.copy_at()), stride: ld * k };
        let one = Alpha::host(1.0);
        // Rows of X and of the triangle are contiguous, so that the solve sees both transposed.
        let solve = Trsm {
            dtype,
            side: Side::Right,
            uplo: Uplo::Lower,
            trans: Trans::N,
            diag: Diag::Unit,
            m: n,
            n: k,
            alpha: one,
            a: triangle,
            lda: pitch,
            b: x,
            ldb: pitch,
            sizes: None,
            batch,
        };
        let (trans, operands, ld) = ([Trans::N, Trans::T], [v, x, a], [ld, pitch, lda]);
        let product = Gemm::uniform(dtype, trans, [m, n, k], [one; 2], operands, ld, batch);
        // SAFETY: the operands are the caller's, and the scratch memory has room for what is said to be there.
        unsafe {
            all.system(sums, (v, self.ld), queue)?;
            solve.enqueue(queue)?;
            product.enqueue(queue)
        }
    }
}

/// Forms Q.
pub(super) fn walk(p: &Orgqr, limits: Limits, queue: Queue<'_>) -> Result<(), Error> {
    let call = AtOnce::of(p, limits)?;
    with_scratch(call.bytes(), queue, |sums| call.run(sums, queue))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::arch::DEFAULT;
    use crate::gpu::tall::update::RowDivision;
    use crate::routine::Dtype;

    fn problem(dtype: Dtype, m: i64, n: i64, batch: i64) -> Orgqr {
        let null = Operand::NULL;
        Orgqr { dtype, m, n, k: n, a: null, lda: m, sizes: None, tau: null, batch }
    }

    /// Chunks are whole boxes, all rows are in one, and the scratch memory of ordinary shapes stays within bounds.
    #[test]
    fn rows_are_divided_for_all_reflectors() {
        for dtype in Dtype::ALL {
            for (m, n, batch) in [(33, 33, 1), (495, 196, 1), (4000, 600, 1), (600, 600, 8), (64, 1, 4), (1, 1, 1)] {
                let p = problem(dtype, m, n, batch);
                let call = AtOnce::of(&p, Limits::HOPPER).unwrap();
                let RowDivision { chunk, chunks, pitch, .. } = call.all.division;
                assert!(chunk % 64 == 0 && chunk * chunks >= m && chunk * (chunks - 1) < m, "{dtype:?} {m}");
                assert!(pitch >= 2 * n && call.ld >= m && pitch * dtype.bytes() as i64 % 16 == 0);
                assert!(call.bytes() < 256 << 20, "{dtype:?} {m} x {n} x {batch}: {}", call.bytes());
                let elements = batch * (call.all.stride() + call.ld * n);
                assert!(call.bytes() >= elements as usize * dtype.bytes());
            }
        }
    }

    #[test]
    fn few_matrices_of_middle_size_are_formed_at_once() {
        let of = &DEFAULT.orgqr.at_once;
        for dtype in Dtype::ALL {
            let at_once = |m, n, batch| pays(&problem(dtype, m, n, batch), Limits::HOPPER);
            assert!(at_once(495, 196, 1) && at_once(300, 300, of.matrices) && at_once(of.most[0], 4, 2));
            assert!(!at_once(495, 196, of.matrices + 1) && !at_once(of.most[0] + 1, 196, 1));
            assert!(!at_once(32, 32, 1) && !at_once(1 << 13, 1 << 13, 1));
            assert!(!pays(&problem(dtype, 495, 196, 1), Limits::NONE), "needs the device's own code");
        }
    }
}
