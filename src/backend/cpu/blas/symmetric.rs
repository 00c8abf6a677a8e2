//! symm, hemm: products with a matrix of which one triangle is stored. It is expanded into the workspace first.

use super::super::batch::{Members, is_missing, of_member};
use super::super::choice::Execution;
use super::super::gemm::ProductOperands;
use super::super::over_batch::{OneByOne, OverBatch, Task, Varying, one_by_one, run};
use super::super::packed::Re;
use super::super::scratch::Arena;
use super::super::simd::{Pack, Packed};
use super::super::tile::{OperandPrefetch, Target};
use super::super::view::View;
use super::value;
use crate::error::Error;
use crate::routine::bounds::Bounds;
use crate::routine::{Side, Symm, Trans, Uplo};
use std::ops::Range;

pub struct Product<'a, T> {
    p: &'a Symm,
    a: Members<T>,
    b: Members<T>,
    c: Members<T>,
    alpha: T,
    beta: T,
    operands: ProductOperands,
    order: usize,
}

impl<'a, T: Packed> Product<'a, T> {
    unsafe fn new(p: &'a Symm) -> Self {
        let (alpha, beta) = unsafe { (value::<T>(p.alpha), value::<T>(p.beta)) };
        let order = if p.side == Side::Left { p.m } else { p.n };
        let ld = if p.side == Side::Left { [order, p.ldb] } else { [p.ldb, order] };
        let terms = if alpha == T::zero() { 0 } else { order };
        let operands = ProductOperands::new::<T>([Trans::N; 2], ld, p.m, p.n, terms);
        let (a, b, c) = (Members::new(p.a), Members::new(p.b), Members::new(p.c));
        Product { p, a, b, c, alpha, beta, operands, order: order as usize }
    }

    /// Offset of the copy of part of the left factor, which follows the expanded A, and the bytes of both.
    #[inline(always)]
    fn layout<P: Pack<S = T>>(&self) -> Option<(usize, usize)> {
        let mut arena = Arena::<Re<P>>::new();
        let elements = if self.operands.read() { self.order.checked_mul(self.order)? } else { 0 };
        arena.part(elements.checked_mul(T::PARTS)?)?;
        let start = self.operands.reserve_workspace::<P>(&mut arena, self.p.m as usize)?;
        Some((start, arena.bytes()?))
    }

    /// Expands A from its stored triangle.
    #[inline(always)]
    unsafe fn expand_triangle(&self, a: View<T>, whole: View<T>) {
        let (lower, conjugated) = (self.p.uplo == Uplo::Lower, self.p.hermitian && T::COMPLEX);
        for j in 0..self.order {
            for i in if lower { j..self.order } else { 0..j + 1 } {
                unsafe {
                    let x = a.get(i, j);
                    match (i == j, conjugated) {
                        (true, true) => whole.set(i, j, T::real(x.re())),
                        (_, true) => {
                            whole.set(i, j, x);
                            whole.set(j, i, x.conj());
                        }
                        _ => {
                            whole.set(i, j, x);
                            whole.set(j, i, x);
                        }
                    }
                }
            }
        }
    }
}

impl<T: Packed> Task<T> for Product<'_, T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        self.layout::<P>().map(|(_, bytes)| bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let Some((start, _)) = self.layout::<P>() else { return };
        let whole = buffer.cast::<Re<P>>();
        for i in range {
            unsafe {
                let c = self.c.member(i);
                let mut factors = [c; 2]; // without terms, A and B may be missing
                if self.operands.read() {
                    let (a, b) = (View { p: self.a.member(i), ld: self.p.lda as usize }, self.b.member(i));
                    self.expand_triangle(a, View { p: whole, ld: self.order });
                    factors = if self.p.side == Side::Left { [whole, b] } else { [b, whole] };
                }
                let c = Target { p: c, ld: self.p.ldc as usize, alpha: self.alpha, beta: self.beta };
                let (rows, columns) = (0..self.p.m as usize, 0..self.p.n as usize);
                let mut prefetch = OperandPrefetch::of([c.p; 3], [0; 3]);
                self.operands.multiply::<P>(factors, rows, columns, c, whole.wrapping_add(start), &mut prefetch);
            }
        }
    }
}

impl Varying for Symm {
    /// Member i, if its sizes are valid, it has elements, and no matrix that it needs is NULL.
    #[inline(always)]
    unsafe fn member(&self, i: usize, _: &Bounds) -> Option<Symm> {
        let [m, n, lda, ldb, ldc] = unsafe { self.sizes?.member(i, (self.m, self.n), self.side)? };
        let [a, b, c] = of_member([self.a, self.b, self.c], i, self.dtype);
        let incomplete = || unsafe { is_missing(&c) || !self.alpha.is_zero() && (is_missing(&a) || is_missing(&b)) };
        if m == 0 || n == 0 || incomplete() {
            return None;
        }
        Some(Symm { m, n, a, lda, b, ldb, c, ldc, sizes: None, batch: 1, ..*self })
    }
}

impl OneByOne for Symm {
    type Task<'a, T: Packed> = Product<'a, T>;
    #[inline(always)]
    unsafe fn task<T: Packed>(&self) -> Option<Product<'_, T>> {
        Some(unsafe { Product::new(self) })
    }
}

impl OverBatch for Symm {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        let order = if self.side == Side::Left { self.m } else { self.n };
        2.0 * (self.m * self.n) as f64 * order as f64
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { one_by_one::<T, _>(self, execution.distribution) };
        }
        unsafe { run(&Product::<T>::new(self), self.batch, execution) }
    }
}
