//! trmm, trsv, trtri: all flags are strides, see [`Canonical`], so that there is one lower triangle T on the left.

use super::super::choice::Way;
use super::super::over_batch::OverBatch;
use super::super::simd::Packed;
use super::super::trsm::quotient;
use super::{AT_ONCE, Batch, Each, Strided, each, times, value};
use crate::error::Error;
use crate::routine::canonical::Canonical;
use crate::routine::{Operand, Trmm, Trsv, Trtri};
use crate::scalar::Scalar;

/// T and B of a canonical form.
fn operands<T: Scalar>(c: &Canonical, a: Operand, b: Operand) -> (Batch<T>, Batch<T>) {
    let t = Batch { first: c.a0, rows: c.ars, columns: c.acs, conj: c.conj, ..Batch::plain(a, 0) };
    (t, Batch { first: c.b0, rows: c.brs, columns: c.bcs, ..Batch::plain(b, 0) })
}

struct Product<T> {
    t: Batch<T>,
    b: Batch<T>,
    alpha: T,
    form: Canonical,
}

impl<T: Packed> Each for Product<T> {
    /// A row of T B needs the rows of B up to it: from the last row on, in place. Rows are taken one after another, with all
    /// columns at a time, as elements of B are side by side in one way or the other.
    #[inline(always)]
    unsafe fn part(&self, i: usize) {
        let (order, columns) = (self.form.order as usize, self.form.nrhs as usize);
        unsafe {
            let (t, b) = (self.t.member(i), self.b.member(i));
            let across = b.transposed();
            for row in (0..order).rev() {
                let d = if self.form.unit { T::one() } else { t.get(row, row) };
                for first in (0..columns).step_by(AT_ONCE) {
                    let mut sums = [T::zero(); AT_ONCE];
                    let sums = &mut sums[..AT_ONCE.min(columns - first)];
                    for (sum, j) in sums.iter_mut().zip(first..) {
                        let x = b.get(row, j);
                        *sum = if self.form.unit { x } else { d * x };
                    }
                    (0..row).for_each(|k| across.add_to(sums, first, k, t.get(row, k)));
                    sums.iter().zip(first..).for_each(|(sum, j)| b.set(row, j, times(self.alpha, *sum)));
                }
            }
        }
    }
}

impl OverBatch for Trmm {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        self.system().flops()
    }
    unsafe fn run_as<T: Packed>(&self, way: &Way) -> Result<(), Error> {
        let alpha = unsafe { value::<T>(self.alpha) };
        if alpha == T::zero() {
            return unsafe { self.system().run_as::<T>(way) }; // which clears B
        }
        let form = Canonical::of_product(self);
        let (t, b) = operands(&form, self.a, self.b);
        unsafe { each::<T, _>(&Product { t, b, alpha, form }, self.batch as usize, way, way.share) };
        Ok(())
    }
}

struct Solve<T> {
    t: Batch<T>,
    x: Batch<T>,
    form: Canonical,
}

impl<T: Packed> Each for Solve<T> {
    /// Column by column: what is known leaves the equations below.
    #[inline(always)]
    unsafe fn part(&self, i: usize) {
        unsafe {
            let (t, x) = (self.t.member(i), self.x.member(i));
            let order = self.form.order as usize;
            for k in 0..order {
                let mut known = x.get(k, 0);
                if !self.form.unit {
                    known = quotient(known, t.get(k, k));
                    x.set(k, 0, known);
                }
                for row in k + 1..order {
                    x.set(row, 0, x.get(row, 0) - t.get(row, k) * known);
                }
            }
        }
    }
}

impl OverBatch for Trsv {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        (self.n * self.n) as f64
    }
    unsafe fn run_as<T: Packed>(&self, way: &Way) -> Result<(), Error> {
        let form = Canonical::of_vector(self);
        let (t, x) = operands::<T>(&form, self.a, self.x);
        unsafe { each::<T, _>(&Solve { t, x, form }, self.batch as usize, way, way.share) };
        Ok(())
    }
}

struct Inverse<T> {
    t: Batch<T>,
    form: Canonical,
    info: *mut i32,
}

impl<T: Packed> Inverse<T> {
    /// The first zero on the diagonal in memory, from 1; 0: there is none.
    #[inline(always)]
    unsafe fn first_zero(&self, t: &Strided<T>) -> i32 {
        let order = self.form.order as usize;
        let place = |i: usize| if self.form.ars < 0 { order - 1 - i } else { i };
        let zero = |i: &usize| !self.form.unit && unsafe { t.get(place(*i), place(*i)) } == T::zero();
        (0..order).find(zero).map_or(0, |i| i as i32 + 1)
    }
}

impl<T: Packed> Each for Inverse<T> {
    /// From the last column on: column j of the inverse is -X t / T(j, j), with X the inverse behind it and t what is below
    /// the diagonal in T's column. In place, from the last row on.
    #[inline(always)]
    unsafe fn part(&self, i: usize) {
        unsafe {
            let t = self.t.member(i);
            let zero = self.first_zero(&t);
            if !self.info.is_null() {
                *self.info.add(i) = zero;
            }
            if zero != 0 {
                return;
            }
            let order = self.form.order as usize;
            for j in (0..order).rev() {
                let mut inverse = T::one();
                if !self.form.unit {
                    inverse = quotient(inverse, t.get(j, j));
                    t.set(j, j, inverse);
                }
                for row in (j + 1..order).rev() {
                    let mut sum = t.get(row, j);
                    if !self.form.unit {
                        sum = t.get(row, row) * sum;
                    }
                    for k in j + 1..row {
                        sum += t.get(row, k) * t.get(k, j);
                    }
                    t.set(row, j, -(sum * inverse));
                }
            }
        }
    }
}

impl OverBatch for Trtri {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        let n = self.n as f64;
        n * n * n / 3.0
    }
    unsafe fn run_as<T: Packed>(&self, way: &Way) -> Result<(), Error> {
        let form = Canonical::of_inverse(self);
        let (t, _) = operands(&form, self.a, self.a);
        unsafe { each::<T, _>(&Inverse::<T> { t, form, info: self.info }, self.batch as usize, way, way.share) };
        Ok(())
    }
}
