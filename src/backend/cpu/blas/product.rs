//! syrk, herk, syr2k, her2k: triangles of products.

use super::super::batch::{Members, copy_column};
use super::super::choice::Execution;
use super::super::gemm::ProductOperands;
use super::super::over_batch::{OverBatch, Task, Varying, one_by_one, run, single_threaded};
use super::super::packed::Re;
use super::super::scratch::Arena;
use super::super::simd::{Pack, Packed};
use super::super::tile::{OperandPrefetch, Target};
use super::super::view::View;
use super::{times, value};
use crate::error::Error;
use crate::routine::{Syr2k, Syrk, Trans, TriangleProduct, Uplo};
use std::ops::Range;

/// Columns of C that are computed together. Their diagonal block is computed in full, but only a triangle of it is
/// used.
const BLOCK: usize = 32;

/// One triangle of alpha op(A) op(B) + beta C, of order n.
struct Update<T> {
    a: Members<T>,
    b: Members<T>,
    c: (Members<T>, usize),
    operands: ProductOperands,
    alpha: T,
    beta: T,
    lower: bool,
    real_diagonal: bool,
    n: usize,
}

impl<T: Packed> Update<T> {
    /// Offset of the copy of part of op(A), which follows the diagonal block; its leading dimension in elements; and
    /// the bytes of both.
    #[inline(always)]
    fn layout<P: Pack<S = T>>(&self) -> Option<(usize, usize, usize)> {
        let mut arena = Arena::<Re<P>>::new();
        arena.part(BLOCK * BLOCK * T::PARTS)?;
        let (start, ld) = self.operands.reserve_workspace::<P>(&mut arena, self.n)?;
        Some((start, ld, arena.bytes()?))
    }

    /// The value of an element of C: the diagonal of a Hermitian matrix is real.
    #[inline(always)]
    fn real_if_diagonal(&self, c: T, diagonal: bool) -> T {
        if self.real_diagonal && diagonal { T::real(c.re()) } else { c }
    }

    /// Adds beta times the previous C to a diagonal block and stores its triangle.
    #[inline(always)]
    unsafe fn put_triangle<P: Pack<S = T>>(&self, block: View<T>, c: View<T>, order: usize) {
        for j in 0..order {
            let rows = if self.lower { j..order } else { 0..j + 1 };
            if self.beta == T::zero() {
                let start = rows.start * T::PARTS;
                unsafe {
                    copy_column::<P>(block.column(j).add(start), c.column(j).add(start), rows.len());
                    c.set(j, j, self.real_if_diagonal(block.get(j, j), true));
                }
                continue;
            }
            for i in rows {
                unsafe {
                    let x = block.get(i, j) + times(self.beta, self.real_if_diagonal(c.get(i, j), i == j));
                    c.set(i, j, self.real_if_diagonal(x, i == j));
                }
            }
        }
    }
}

impl<T: Packed> Task<T> for Update<T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        self.layout::<P>().map(|(_, _, bytes)| bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let Some((start, ld, _)) = self.layout::<P>() else { return };
        let (block, n) = (buffer.cast::<Re<P>>(), self.n);
        for i in range {
            unsafe {
                let (c, ldc) = (self.c.0.member(i), self.c.1);
                // Without terms, A and B may be missing.
                let factors = if self.operands.read() { [self.a.member(i), self.b.member(i)] } else { [c; 2] };
                let c = Target { p: c, ld: ldc, alpha: self.alpha, beta: self.beta };
                let copy = (block.wrapping_add(start), ld);
                let mut prefetch = OperandPrefetch::of([c.p; 3], [0; 3]);
                for j in (0..n).step_by(BLOCK) {
                    let end = n.min(j + BLOCK);
                    let others = if self.lower { end..n } else { 0..j };
                    // A loop instead of a closure, which would be compiled without the instruction set.
                    for diagonal in [true, false] {
                        let (rows, to) = match diagonal {
                            true => (j..end, Target { p: block, ld: BLOCK, beta: T::zero(), ..c }),
                            false => (others.clone(), c.from(others.start, j)),
                        };
                        self.operands.multiply::<P>(factors, rows, j..end, to, copy, &mut prefetch);
                        if diagonal {
                            let place = View { p: c.from(j, j).p, ld: ldc };
                            self.put_triangle::<P>(View { p: block, ld: BLOCK }, place, end - j);
                        }
                    }
                }
            }
        }
    }
}

/// Computes the products one after another.
unsafe fn update<T: Packed>(
    products: impl Iterator<Item = TriangleProduct>,
    c: (Members<T>, i64),
    [n, k, batch]: [i64; 3],
    execution: &Execution,
) -> Result<(), Error> {
    for p in products {
        let [alpha, beta] = p.factors.map(|factor| unsafe { value::<T>(factor) });
        let k = if alpha == T::zero() { 0 } else { k };
        let transposed = if p.hermitian { Trans::C } else { Trans::T };
        let trans = if p.plain { [Trans::N, transposed] } else { [transposed, Trans::N] };
        let work = Update::<T> {
            a: Members::new(p.a.0),
            b: Members::new(p.b.0),
            c: (c.0, c.1 as usize),
            operands: ProductOperands::new::<T>(trans, [p.a.1, p.b.1], n, n, k),
            // Without terms the product is zero even if alpha is infinite.
            alpha: if k == 0 { T::zero() } else { alpha },
            beta,
            lower: p.uplo == Uplo::Lower,
            real_diagonal: p.hermitian,
            n: n as usize,
        };
        unsafe { run(&work, batch, execution)? };
    }
    Ok(())
}

fn flops(n: i64, k: i64) -> f64 {
    n as f64 * n as f64 * k.max(1) as f64
}

impl Varying for Syrk {
    /// Member i, if its sizes are valid and it has elements.
    unsafe fn member(&self, i: usize) -> Option<Syrk> {
        let [n, k, lda, _, ldc] = unsafe { self.sizes?.member(i, (self.n, self.k), self.trans == Trans::N)? };
        let [a, c] = [self.a, self.c].map(|operand| operand.from_member(i as i64, self.dtype.bytes()));
        (n > 0).then_some(Syrk { n, k, a, lda, c, ldc, sizes: None, batch: 1, ..*self })
    }
}

impl Varying for Syr2k {
    /// Member i, if its sizes are valid and it has elements.
    unsafe fn member(&self, i: usize) -> Option<Syr2k> {
        let [n, k, lda, ldb, ldc] = unsafe { self.sizes?.member(i, (self.n, self.k), self.trans == Trans::N)? };
        let [a, b, c] = [self.a, self.b, self.c].map(|operand| operand.from_member(i as i64, self.dtype.bytes()));
        (n > 0).then_some(Syr2k { n, k, a, lda, b, ldb, c, ldc, sizes: None, batch: 1, ..*self })
    }
}

impl OverBatch for Syrk {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        flops(self.n, self.k)
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if self.sizes.is_some() {
            let run = |p: &Syrk| unsafe { p.run_as::<T>(&single_threaded(p)) };
            return unsafe { one_by_one(self, execution.distribution, Syrk::member, run) };
        }
        let products = std::iter::once(self.product());
        unsafe { update::<T>(products, (Members::new(self.c), self.ldc), [self.n, self.k, self.batch], execution) }
    }
}

impl OverBatch for Syr2k {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        2.0 * flops(self.n, self.k)
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if self.sizes.is_some() {
            let run = |p: &Syr2k| unsafe { p.run_as::<T>(&single_threaded(p)) };
            return unsafe { one_by_one(self, execution.distribution, Syr2k::member, run) };
        }
        let sizes = [self.n, self.k, self.batch];
        unsafe { update::<T>(self.products(), (Members::new(self.c), self.ldc), sizes, execution) }
    }
}
