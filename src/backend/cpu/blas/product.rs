//! syrk, herk, syr2k, her2k: triangles of products.

use super::super::batch::{Members, copy_column, of_member};
use super::super::choice::Execution;
use super::super::gemm::ProductOperands;
use super::super::over_batch::{OneByOne, OverBatch, Task, Varying, one_by_one, run_parts};
use super::super::packed::Re;
use super::super::scratch::Arena;
use super::super::simd::{Pack, Packed};
use super::super::tile::{OperandPrefetch, Target};
use super::super::view::View;
use super::{times, value};
use crate::error::Error;
use crate::routine::bounds::Bounds;
use crate::routine::{Syr2k, Syrk, Trans, TriangleProduct, Uplo};
use std::ops::Range;

/// Columns of C that are computed together. Their diagonal block is computed in full, but only a triangle of it is
/// used.
const BLOCK: usize = 32;

/// Number of blocks of [`BLOCK`] columns, the parts of a member.
fn blocks(n: usize) -> usize {
    n.div_ceil(BLOCK)
}

/// alpha op(A) op(B).
pub struct Term<T> {
    a: Members<T>,
    b: Members<T>,
    operands: ProductOperands,
    alpha: T,
}

/// One triangle of a product, or of its sum with its transpose or adjoint, plus beta C, of order n.
pub struct Update<T> {
    product: Term<T>,
    /// The transpose or adjoint of the product, if that is to be added.
    other: Option<Term<T>>,
    c: (Members<T>, usize),
    beta: T,
    lower: bool,
    hermitian: bool,
    n: usize,
}

impl<T: Packed> Term<T> {
    /// Computes the given rows and columns of C, or of the diagonal block.
    #[inline(always)]
    unsafe fn multiply<P: Pack<S = T>>(
        &self,
        i: usize,
        (rows, columns): (Range<usize>, Range<usize>),
        c: Target<T>,
        copy: *mut T::Re,
    ) {
        unsafe {
            // Without terms, A and B may be missing.
            let factors = if self.operands.read() { [self.a.member(i), self.b.member(i)] } else { [c.p; 2] };
            let mut prefetch = OperandPrefetch::of([c.p; 3], [0; 3]);
            self.operands.multiply::<P>(factors, rows, columns, Target { alpha: self.alpha, ..c }, copy, &mut prefetch);
        }
    }
}

impl<T: Packed> Update<T> {
    /// Offsets of the copies of part of both operands on the left, which follow the diagonal block, and the bytes of
    /// everything.
    #[inline(always)]
    fn layout<P: Pack<S = T>>(&self) -> Option<(usize, usize, usize)> {
        let mut arena = Arena::<Re<P>>::new();
        arena.part(BLOCK * BLOCK * T::PARTS)?;
        let first = self.product.operands.reserve_workspace::<P>(&mut arena, self.n)?;
        let second = match &self.other {
            Some(other) => other.operands.reserve_workspace::<P>(&mut arena, self.n)?,
            None => first,
        };
        Some((first, second, arena.bytes()?))
    }

    /// The value of an element of C: the diagonal of a Hermitian matrix is real.
    #[inline(always)]
    fn real_if_diagonal(&self, c: T, diagonal: bool) -> T {
        if self.hermitian && diagonal { T::real(c.re()) } else { c }
    }

    /// Adds its transpose or adjoint to a diagonal block, as far as the triangle is concerned.
    #[inline(always)]
    unsafe fn add_other(&self, block: View<T>, order: usize) {
        for j in 0..order {
            for i in if self.lower { j..order } else { 0..j + 1 } {
                unsafe {
                    let x = block.get(j, i);
                    block.set(i, j, block.get(i, j) + if self.hermitian { x.conj() } else { x });
                }
            }
        }
    }

    /// Adds beta times the previous C to a diagonal block and stores its triangle.
    #[inline(always)]
    unsafe fn put_triangle<P: Pack<S = T>>(&self, block: View<T>, c: View<T>, order: usize) {
        for j in 0..order {
            let rows = if self.lower { j..order } else { 0..j + 1 };
            let start = rows.start * T::PARTS;
            unsafe {
                let (from, to) = (block.column(j).add(start), c.column(j).add(start));
                if self.beta == T::zero() {
                    copy_column::<P>(from, to, rows.len());
                    c.set(j, j, self.real_if_diagonal(block.get(j, j), true));
                    continue;
                }
                let diagonal = block.get(j, j) + times(self.beta, self.real_if_diagonal(c.get(j, j), true));
                for done in (0..rows.len()).step_by(P::L) {
                    let (at, count) = (done * T::PARTS, P::L.min(rows.len() - done));
                    let old = P::load_elements(to.add(at), count);
                    let old = if self.beta == T::one() { old } else { P::splat(self.beta).mul(old) };
                    P::load_elements(from.add(at), count).add(old).store_elements(to.add(at), count);
                }
                c.set(j, j, self.real_if_diagonal(diagonal, true));
            }
        }
    }
}

impl<T: Packed> Task<T> for Update<T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        self.layout::<P>().map(|(.., bytes)| bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let Some((first, second, _)) = self.layout::<P>() else { return };
        let (block, n) = (buffer.cast::<T::Re>(), self.n);
        let (first, second) = (block.wrapping_add(first), block.wrapping_add(second));
        let blocks = blocks(n);
        for part in range {
            let (i, j) = if blocks == 1 { (part, 0) } else { (part / blocks, part % blocks * BLOCK) };
            let end = n.min(j + BLOCK);
            let others = if self.lower { end..n } else { 0..j };
            unsafe {
                let c = Target { p: self.c.0.member(i), ld: self.c.1, alpha: T::one(), beta: self.beta };
                let to = Target { p: block, ld: BLOCK, beta: T::zero(), ..c };
                self.product.multiply::<P>(i, (j..end, j..end), to, first);
                if self.other.is_some() {
                    self.add_other(View { p: block, ld: BLOCK }, end - j);
                }
                let place = View { p: c.from(j, j).p, ld: c.ld };
                self.put_triangle::<P>(View { p: block, ld: BLOCK }, place, end - j);
                let to = c.from(others.start, j);
                self.product.multiply::<P>(i, (others.clone(), j..end), to, first);
                if let Some(other) = &self.other {
                    other.multiply::<P>(i, (others, j..end), Target { beta: T::one(), ..to }, second);
                }
            }
        }
    }
}

/// A product, or the sum of two.
#[inline(always)]
unsafe fn update<T: Packed>(
    mut products: impl Iterator<Item = TriangleProduct>,
    c: (Members<T>, i64),
    [n, k]: [i64; 2],
) -> Option<Update<T>> {
    let term = |p: &TriangleProduct| {
        let alpha = unsafe { value::<T>(p.factors[0]) };
        let k = if alpha == T::zero() { 0 } else { k };
        let transposed = if p.hermitian { Trans::C } else { Trans::T };
        let trans = if p.plain { [Trans::N, transposed] } else { [transposed, Trans::N] };
        let operands = ProductOperands::new::<T>(trans, [p.a.1, p.b.1], n, n, k);
        // Without terms the product is zero even if alpha is infinite.
        let alpha = if k == 0 { T::zero() } else { alpha };
        Term { a: Members::new(p.a.0), b: Members::new(p.b.0), operands, alpha }
    };
    let first = products.next()?;
    Some(Update {
        product: term(&first),
        other: products.next().map(|p| term(&p)),
        c: (c.0, c.1 as usize),
        beta: unsafe { value(first.factors[1]) },
        lower: first.uplo == Uplo::Lower,
        hermitian: first.hermitian,
        n: n as usize,
    })
}

fn flops(n: i64, k: i64) -> f64 {
    n as f64 * n as f64 * k.max(1) as f64
}

impl Varying for Syrk {
    /// Member i, if its sizes are valid and it has elements.
    #[inline(always)]
    unsafe fn member(&self, i: usize, _: &Bounds) -> Option<Syrk> {
        let [n, k, lda, _, ldc] = unsafe { self.sizes?.member(i, (self.n, self.k), self.trans == Trans::N)? };
        let [a, c] = of_member([self.a, self.c], i, self.dtype);
        if n == 0 {
            return None;
        }
        Some(Syrk { n, k, a, lda, c, ldc, sizes: None, batch: 1, ..*self })
    }
}

impl Varying for Syr2k {
    /// Member i, if its sizes are valid and it has elements.
    #[inline(always)]
    unsafe fn member(&self, i: usize, _: &Bounds) -> Option<Syr2k> {
        let [n, k, lda, ldb, ldc] = unsafe { self.sizes?.member(i, (self.n, self.k), self.trans == Trans::N)? };
        let [a, b, c] = of_member([self.a, self.b, self.c], i, self.dtype);
        if n == 0 {
            return None;
        }
        Some(Syr2k { n, k, a, lda, b, ldb, c, ldc, sizes: None, batch: 1, ..*self })
    }
}

impl OneByOne for Syrk {
    type Task<'a, T: Packed> = Update<T>;
    fn parts(&self) -> usize {
        blocks(self.n as usize)
    }
    #[inline(always)]
    unsafe fn task<T: Packed>(&self) -> Option<Update<T>> {
        let products = std::iter::once(self.product());
        unsafe { update(products, (Members::new(self.c), self.ldc), [self.n, self.k]) }
    }
}

impl OneByOne for Syr2k {
    type Task<'a, T: Packed> = Update<T>;
    fn parts(&self) -> usize {
        blocks(self.n as usize)
    }
    #[inline(always)]
    unsafe fn task<T: Packed>(&self) -> Option<Update<T>> {
        unsafe { update(self.products(), (Members::new(self.c), self.ldc), [self.n, self.k]) }
    }
}

impl OverBatch for Syrk {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        flops(self.n, self.k)
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { one_by_one::<T, _>(self, execution.distribution) };
        }
        let task = unsafe { self.task::<T>() };
        task.map_or(Ok(()), |task| unsafe { run_parts(self, &task, self.parts(), execution) })
    }
}

impl OverBatch for Syr2k {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        2.0 * flops(self.n, self.k)
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { one_by_one::<T, _>(self, execution.distribution) };
        }
        let task = unsafe { self.task::<T>() };
        task.map_or(Ok(()), |task| unsafe { run_parts(self, &task, self.parts(), execution) })
    }
}
