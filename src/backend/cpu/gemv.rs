//! Batched matrix-vector products.

use super::batch::{Members, read, write};
use super::choice::Execution;
use super::gemm::value;
use super::over_batch::{OverBatch, Task, Varying, one_by_one, run, single_threaded};
use super::packed::{Columns, Re, get, leading, set};
use super::scratch::Arena;
use super::simd::{Pack, Packed};
use super::view::{View, view};
use crate::error::Error;
use crate::routine::sizes::is_valid_ld;
use crate::routine::{Gemv, Trans};
use crate::scalar::Scalar;
use std::ops::Range;

/// Packs of sums that are kept in registers.
const PACKS: usize = 4;

/// A vector with an arbitrary increment.
struct Vector<T: Scalar> {
    p: *mut T::Re,
    /// Distance between elements in real numbers.
    step: isize,
}

impl<T: Scalar> Vector<T> {
    /// With a negative increment, element 0 is the last one in memory, as in BLAS.
    fn new(p: *mut T::Re, length: usize, inc: i64) -> Self {
        let step = inc as isize * T::PARTS as isize;
        let first = if inc < 0 { step.wrapping_mul(1 - length as isize) } else { 0 };
        Vector { p: p.wrapping_offset(first), step }
    }
    #[inline(always)]
    fn at(&self, i: usize) -> *mut T::Re {
        self.p.wrapping_offset(self.step * i as isize)
    }
}

/// x times a scalar. If that is real, an infinity in one part does not affect the other.
#[inline(always)]
fn scaled<T: Scalar>(x: T, by: T) -> T {
    if by.im() == Default::default() { x.scaled(by.re()) } else { by * x }
}

struct GemvTask<'a, T> {
    p: &'a Gemv,
    a: Members<T>,
    x: Members<T>,
    y: Members<T>,
    alpha: T,
    beta: T,
}

impl<T: Packed> GemvTask<'_, T> {
    #[inline(always)]
    fn layout<P: Pack<S = T>>(&self) -> Option<usize> {
        let mut arena = Arena::<Re<P>>::new();
        arena.part(leading::<P>(self.p.m.max(self.p.n) as usize)?)?;
        arena.bytes()
    }
    /// y(i) := alpha sum + beta y(i)
    #[inline(always)]
    unsafe fn put(&self, y: &Vector<T>, i: usize, sum: T) {
        let sum = scaled(sum, self.alpha);
        unsafe {
            let now = if self.beta == T::zero() { sum } else { sum + scaled(read(y.at(i)), self.beta) };
            write(y.at(i), now);
        }
    }
    #[inline(always)]
    unsafe fn columns<P: Pack<S = T>>(&self, a: &View<T>, x: &Vector<T>, y: &Vector<T>, sums: Columns<P>) {
        let (m, n) = (self.p.m as usize, self.p.n as usize);
        unsafe {
            for first in (0..m).step_by(PACKS * P::L) {
                let mut acc = [P::zero(); PACKS];
                let rows = (m - first).min(PACKS * P::L);
                for j in 0..if self.alpha == T::zero() { 0 } else { n } {
                    let (column, by) = (a.column(j).add(first * T::PARTS), P::splat(read(x.at(j))));
                    for (i, acc) in acc.iter_mut().enumerate() {
                        let count = rows.saturating_sub(i * P::L).min(P::L);
                        if count > 0 {
                            *acc = acc.add_mul(P::load_elements(column.add(i * P::REALS), count), by);
                        }
                    }
                }
                acc.iter().enumerate().for_each(|(i, acc)| acc.store(sums.pack(i, 0)));
                (0..rows).for_each(|i| self.put(y, first + i, get::<P>(sums.column(0), i)));
            }
        }
    }
    #[inline(always)]
    unsafe fn rows<P: Pack<S = T>>(&self, a: &View<T>, x: &Vector<T>, y: &Vector<T>, packed: Columns<P>) {
        let (m, n) = (self.p.m as usize, self.p.n as usize);
        let packs = if self.alpha == T::zero() { 0 } else { m.div_ceil(P::L) };
        unsafe {
            if packs > 0 {
                P::zero().store(packed.pack(packs - 1, 0)); // clears what follows the last row
                (0..m).for_each(|i| set::<P>(packed.column(0), i, read(x.at(i))));
            }
            for j in 0..n {
                let mut acc = [P::zero(); PACKS];
                for r in 0..packs {
                    let of_a = P::load_elements(a.column(j).add(r * P::REALS), P::L.min(m - r * P::L));
                    let of_x = P::load(packed.pack(r, 0));
                    let acc = &mut acc[r % PACKS];
                    *acc =
                        if self.p.trans == Trans::C { acc.add_conj_mul(of_a, of_x) } else { acc.add_mul(of_a, of_x) };
                }
                self.put(y, j, acc.into_iter().reduce(P::add).unwrap_or(P::zero()).sum());
            }
        }
    }
}

impl<T: Packed> Task<T> for GemvTask<'_, T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        // At least space for the sums.
        self.layout::<P>().map(|bytes| bytes.max(PACKS * P::REALS * size_of::<Re<P>>()))
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let [length_x, length_y] = self.p.lengths().map(|length| length as usize);
        let packed = Columns::<P> { p: buffer.cast(), ld: 0 };
        let [a0, x0, y0] = self.p.first.map(|first| first as isize * T::PARTS as isize);
        for i in range {
            unsafe {
                let a = view(&self.a, i, self.p.lda);
                let a = View::<T> { p: a.p.wrapping_offset(a0), ..a };
                let x = Vector::<T>::new(self.x.member(i).wrapping_offset(x0), length_x, self.p.incx);
                let y = Vector::<T>::new(self.y.member(i).wrapping_offset(y0), length_y, self.p.incy);
                if self.p.trans == Trans::N {
                    self.columns::<P>(&a, &x, &y, packed);
                } else {
                    self.rows::<P>(&a, &x, &y, packed);
                }
            }
        }
    }
}

impl Varying for Gemv {
    /// Member i, if its sizes are valid and it has elements.
    unsafe fn member(&self, i: usize) -> Option<Gemv> {
        let [m, n, lda, incx, incy] = unsafe { self.sizes?.member(i) };
        let valid =
            (1..=self.m).contains(&m) && (1..=self.n).contains(&n) && is_valid_ld(lda, m) && incx != 0 && incy != 0;
        let [a, x, y] = [self.a, self.x, self.y].map(|operand| operand.from_member(i as i64, self.dtype.bytes()));
        valid.then_some(Gemv { m, n, a, lda, x, incx, y, incy, sizes: None, batch: 1, ..*self })
    }
}

impl OverBatch for Gemv {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        (if self.dtype.is_complex() { 8.0 } else { 2.0 }) * self.m as f64 * self.n as f64
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if self.sizes.is_some() {
            let run = |p: &Gemv| unsafe { p.run_as::<T>(&single_threaded(p)) };
            return unsafe { one_by_one(self, execution.distribution, Gemv::member, run) };
        }
        let (alpha, beta) = unsafe { (value(self.alpha), value(self.beta)) };
        let (a, x, y) = (Members::new(self.a), Members::new(self.x), Members::new(self.y));
        unsafe { run(&GemvTask::<T> { p: self, a, x, y, alpha, beta }, self.batch, execution) }
    }
}
