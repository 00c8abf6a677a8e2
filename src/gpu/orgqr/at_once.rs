//! Q of few matrices, formed from all reflectors at once. Panel by panel, most launches would leave most of the device
//! idle, and wait for each other.
//!
//! Q = E + V X, with E the first n columns of the identity and X = -T V1^H, V1 being V's first n rows. T is not formed:
//! X is the solution of a triangular system with V^H V and tau (`kernels/reflect/system.cuh`). The launches: V^H V by
//! chunks of rows; the system, a copy of V, and E in place of V; the solve; the product. X is upper triangular, so the
//! first half of Q's columns needs only as many reflectors.

use crate::error::Error;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::run::Run;
use crate::gpu::plan::table::Instance;
use crate::gpu::plan::{Limits, batch_invariant, ceil_div};
use crate::gpu::tall::gram_steps::PendingMembers;
use crate::gpu::tall::update::{DividedReflectorKernels, RowDivision};
use crate::gpu::tall::update_steps::{AllReflectors, Reflector, with_scratch};
use crate::routine::{Alpha, Diag, Gemm, Operand, Orgqr, Side, Trans, Trsm, Trtri, Uplo};
use once_cell::race::OnceNonZeroUsize;
use std::ffi::c_void;
use std::num::NonZeroUsize;
use std::ptr::null_mut;

/// How Q is formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    product: Product,
    /// Whether V^H V is computed in the largest tiles.
    large: bool,
    /// Whether the system is solved by the inverse of its triangle.
    inverse: bool,
}

/// How V X is added to the identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Product {
    /// By the last launch of a block reflector.
    Reflect,
    /// By a general product.
    Whole,
    /// By two of them, of which the first, for half of the columns, has half as many terms.
    Halves,
}

/// Whether and how all reflectors act at once.
pub(super) fn way(p: &Orgqr, limits: Limits) -> Option<Way> {
    let uniform = p.sizes.is_none() && p.k > 0 && !batch_invariant();
    let way = || knob().unwrap_or_else(|| rule(p, limits));
    if uniform { way().filter(|way| runs(p, *way, limits)) } else { None }
}

/// The rule by what was measured.
fn rule(p: &Orgqr, limits: Limits) -> Option<Way> {
    let of = &limits.measured().orgqr.at_once;
    let [least_rows, least] = of.least[p.dtype];
    let [most_rows, most] = of.most;
    let pays = p.batch <= of.matrices && (least_rows..=most_rows).contains(&p.m) && (least..=most).contains(&p.k);
    let product = if p.n >= of.halves { Product::Halves } else { Product::Whole };
    pays.then_some(Way { product, large: p.m.saturating_mul(p.k) >= of.large, inverse: p.k >= of.inverse[p.dtype] })
}

/// To be removed: `TEPHRA_QONE`, when it is first asked for, decides for every shape in place of the rule. 0: not at
/// once; 1, 2, 3: [`Product::Reflect`], [`Product::Whole`], [`Product::Halves`]; 10 more: with large tiles; 100 more: by
/// the inverse.
fn knob() -> Option<Option<Way>> {
    static VALUE: OnceNonZeroUsize = OnceNonZeroUsize::new();
    let read = || std::env::var("TEPHRA_QONE").ok().and_then(|text| text.parse().ok()).map_or(1, |n: usize| n + 2);
    let value = VALUE.get_or_init(|| NonZeroUsize::new(read()).unwrap_or(NonZeroUsize::MIN)).get();
    let number = value.checked_sub(2)?;
    let product = match number % 10 {
        1 => Product::Reflect,
        2 => Product::Whole,
        _ => Product::Halves,
    };
    Some((number > 0).then_some(Way { product, large: number / 10 % 10 > 0, inverse: number >= 100 }))
}

/// Whether the device has the kernels, and the scratch memory is not larger than usual.
fn runs(p: &Orgqr, way: Way, limits: Limits) -> bool {
    const MOST: usize = 1 << 30;
    let small = p.m.max(p.n) < 1 << 20 && p.k <= 4096;
    let bytes = || Some(AtOnce::of(p, way.inverse, dots(p, way.large, limits)?, limits).ok()?.bytes());
    small && limits.native && p.batch <= 1 << 16 && bytes().is_some_and(|bytes| bytes <= MOST)
}

fn dots(p: &Orgqr, large: bool, limits: Limits) -> Option<&'static Instance> {
    DividedReflectorKernels::dots_of_many(p.dtype, large, limits)
}

/// A call, and its scratch memory: the sums, in which the system and the right-hand sides are formed, the copy of V, and
/// X, if it does not replace the right-hand sides.
struct AtOnce<'a> {
    p: &'a Orgqr,
    all: AllReflectors,
    /// Leading dimension of the copy.
    ld: i64,
    inverse: bool,
}

impl<'a> AtOnce<'a> {
    fn of(p: &'a Orgqr, inverse: bool, dots: &'static Instance, limits: Limits) -> Result<AtOnce<'a>, Error> {
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
        let division = RowDivision::of_many(dots, m, n, k, batch, limits)?;
        let pack = 16 / dtype.bytes() as i64;
        Ok(AtOnce { p, all: AllReflectors { of, dots, division }, ld: ceil_div(m, pack) * pack, inverse })
    }

    /// Where the copy of V begins.
    fn copy_at(&self) -> usize {
        self.all.division.bytes.next_multiple_of(256)
    }

    /// Where X begins, if it is apart.
    fn x_at(&self) -> usize {
        self.copy_at().saturating_add(self.bytes_of(self.ld)).next_multiple_of(256)
    }

    /// Bytes of k rows or columns of this length of every member.
    fn bytes_of(&self, length: i64) -> usize {
        let elements = length.saturating_mul(self.p.k).saturating_mul(self.p.batch);
        (elements as usize).saturating_mul(self.p.dtype.bytes())
    }

    fn bytes(&self) -> usize {
        let x = if self.inverse { self.bytes_of(self.all.division.pitch) } else { 0 };
        self.x_at().saturating_add(x)
    }

    fn run(&self, product: Product, sums: *mut c_void, limits: Limits, queue: Queue<'_>) -> Result<(), Error> {
        let &AtOnce { p, all, ld, inverse } = self;
        let &Orgqr { dtype, m, n, k, a, lda, batch, .. } = p;
        let (pitch, stride) = (all.division.pitch, all.stride());
        let right = Operand::Strided { base: sums, stride };
        let apart = Operand::Strided { base: sums.wrapping_byte_add(self.x_at()), stride: k * pitch };
        let x = if inverse { apart } else { right };
        let triangle = Operand::Strided { base: sums.wrapping_byte_add(n as usize * dtype.bytes()), stride };
        let v = Operand::Strided { base: sums.wrapping_byte_add(self.copy_at()), stride: ld * k };
        let one = Alpha::host(1.0);
        // Rows of X and of the triangle are adjacent in memory, so that both are transposed to a solve's eyes.
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
            b: right,
            ldb: pitch,
            sizes: None,
            batch,
        };
        let (uplo, diag, info) = (Uplo::Lower, Diag::Unit, null_mut());
        let invert = Trtri { dtype, uplo, diag, n: k, a: triangle, lda: pitch, info, batch };
        let multiply = Gemm::uniform(
            dtype,
            [Trans::N; 2],
            [n, k, k],
            [one, Alpha::ZERO],
            [right, triangle, apart],
            [pitch; 3],
            batch,
        );
        // Columns first .. last of Q, which need no reflectors behind their own.
        let columns = |first: i64, last: i64| Gemm {
            first: [0, first, first * lda],
            ..Gemm::uniform(
                dtype,
                [Trans::N, Trans::T],
                [m, last - first, last.min(k)],
                [one; 2],
                [v, x, a],
                [ld, pitch, lda],
                batch,
            )
        };
        // SAFETY: the operands are the caller's, and the scratch memory has room for what is said to be there.
        unsafe {
            all.system(sums, (v, ld), queue)?;
            if inverse {
                invert.enqueue(queue)?;
                multiply.enqueue(queue)?;
            } else {
                solve.enqueue(queue)?;
            }
            match product {
                Product::Reflect if !inverse => all.apply(sums, (v, ld), limits, queue),
                Product::Halves if n > 64 => {
                    let half = ceil_div(n, 128) * 64;
                    columns(0, half).enqueue(queue)?;
                    columns(half, n).enqueue(queue)
                }
                _ => columns(0, n).enqueue(queue),
            }
        }
    }
}

/// Forms Q.
pub(super) fn walk(p: &Orgqr, limits: Limits, queue: Queue<'_>) -> Result<(), Error> {
    let none = || Error::Internal("no kernels for all reflectors at once".into());
    let way = way(p, limits).ok_or_else(none)?;
    let dots = dots(p, way.large, limits).ok_or_else(none)?;
    let call = AtOnce::of(p, way.inverse, dots, limits)?;
    with_scratch(call.bytes(), queue, |sums| call.run(way.product, sums, limits, queue))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::arch::DEFAULT;
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
                for large in [false, true] {
                    let p = problem(dtype, m, n, batch);
                    let call = AtOnce::of(&p, large, dots(&p, large, Limits::HOPPER).unwrap(), Limits::HOPPER).unwrap();
                    let RowDivision { chunk, chunks, pitch, .. } = call.all.division;
                    assert!(chunk % 64 == 0 && chunk * chunks >= m && chunk * (chunks - 1) < m, "{dtype:?} {m}");
                    assert!(pitch >= 2 * n && call.ld >= m && pitch * dtype.bytes() as i64 % 16 == 0);
                    assert!(call.bytes() < 256 << 20, "{dtype:?} {m} x {n} x {batch}: {}", call.bytes());
                    let elements = batch * (call.all.stride() + call.ld * n);
                    assert!(call.bytes() >= elements as usize * dtype.bytes());
                }
            }
        }
    }

    #[test]
    fn few_matrices_of_middle_size_are_formed_at_once() {
        let of = &DEFAULT.orgqr.at_once;
        for dtype in Dtype::ALL {
            let at_once = |m, n, batch| rule(&problem(dtype, m, n, batch), Limits::HOPPER).is_some();
            assert!(at_once(495, 196, 1) && at_once(300, 300, of.matrices));
            assert!(!at_once(495, 196, of.matrices + 1) && !at_once(of.most[0] + 1, 196, 1));
            assert!(!at_once(32, 32, 1) && !at_once(1 << 13, 1 << 13, 1));
            assert!(way(&problem(dtype, 495, 196, 1), Limits::NONE).is_none(), "needs the device's own code");
        }
    }
}
