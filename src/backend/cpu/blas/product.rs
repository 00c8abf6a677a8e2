//! syrk, herk, syr2k, her2k: triangles of products.

use super::super::choice::Way;
use super::super::over_batch::OverBatch;
use super::super::simd::Packed;
use super::{AT_ONCE, Batch, Each, each, times, value};
use crate::error::Error;
use crate::routine::{Syr2k, Syrk, TriangleProduct, Uplo};

/// A triangle of alpha A B' + beta C, with A and B of n rows and k columns.
struct Update<T> {
    a: Batch<T>,
    b: Batch<T>,
    c: Batch<T>,
    alpha: T,
    beta: T,
    lower: bool,
    real_diagonal: bool,
    n: usize,
    /// 0: no factor is read.
    k: usize,
}

impl<T: Packed> Update<T> {
    /// What C's element was, as it counts.
    #[inline(always)]
    fn before(&self, c: T, diagonal: bool) -> T {
        if self.real_diagonal && diagonal { T::real(c.re()) } else { c }
    }
}

impl<T: Packed> Each for Update<T> {
    #[inline(always)]
    unsafe fn part(&self, i: usize) {
        unsafe {
            let c = self.c.member(i);
            for column in 0..self.n {
                let rows = if self.lower { column..self.n } else { 0..column + 1 };
                for first in rows.clone().step_by(AT_ONCE) {
                    let mut sums = [T::zero(); AT_ONCE];
                    let sums = &mut sums[..AT_ONCE.min(rows.end - first)];
                    if self.k > 0 {
                        let (a, b) = (self.a.member(i), self.b.member(i));
                        (0..self.k).for_each(|l| a.add_to(sums, first, l, b.get(column, l)));
                    }
                    for (sum, row) in sums.iter().zip(first..) {
                        let mut x = if self.k > 0 { times(self.alpha, *sum) } else { T::zero() };
                        if self.beta != T::zero() {
                            x += times(self.beta, self.before(c.get(row, column), row == column));
                        }
                        c.set(row, column, self.before(x, row == column));
                    }
                }
            }
        }
    }
}

/// One product after the other.
unsafe fn update<T: Packed>(
    products: impl Iterator<Item = TriangleProduct>,
    c: Batch<T>,
    [n, k, batch]: [i64; 3],
    way: &Way,
) {
    for p in products {
        let [alpha, beta] = p.factors.map(|factor| unsafe { value::<T>(factor) });
        // op(A) by rows; of B also its conjugate, which a Hermitian product has of the one that is not op's already.
        let factor = |(operand, ld), second: bool| {
            let plain = Batch::plain(operand, ld);
            let turned = if p.plain { plain } else { plain.transposed(false) };
            Batch { conj: p.hermitian && second == p.plain, ..turned }
        };
        let work = Update::<T> {
            a: factor(p.a, false),
            b: factor(p.b, true),
            c,
            alpha,
            beta,
            lower: p.uplo == Uplo::Lower,
            real_diagonal: p.hermitian,
            n: n as usize,
            k: if alpha == T::zero() { 0 } else { k as usize },
        };
        unsafe { each::<T, _>(&work, batch as usize, way, way.share) };
    }
}

fn flops(n: i64, k: i64) -> f64 {
    n as f64 * n as f64 * k.max(1) as f64
}

impl OverBatch for Syrk {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        flops(self.n, self.k)
    }
    unsafe fn run_as<T: Packed>(&self, way: &Way) -> Result<(), Error> {
        let products = std::iter::once(self.product());
        unsafe { update::<T>(products, Batch::plain(self.c, self.ldc), [self.n, self.k, self.batch], way) };
        Ok(())
    }
}

impl OverBatch for Syr2k {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        2.0 * flops(self.n, self.k)
    }
    unsafe fn run_as<T: Packed>(&self, way: &Way) -> Result<(), Error> {
        let sizes = [self.n, self.k, self.batch];
        unsafe { update::<T>(self.products(), Batch::plain(self.c, self.ldc), sizes, way) };
        Ok(())
    }
}
