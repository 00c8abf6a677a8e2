//! Row exchanges in callers' matrices, column by column.

use super::super::batch::Members;
use super::super::choice::Execution;
use super::super::over_batch::{OneByOne, OverBatch, Task, one_by_one, run};
use super::super::simd::{Pack, Packed};
use super::super::view::view;
use super::interchanges::Pivots;
use crate::error::Error;
use crate::routine::Laswp;
use std::ops::Range;

pub struct Exchanging<'a, T> {
    p: &'a Laswp,
    a: Members<T>,
    ipiv: Pivots,
}

impl<T: Packed> Task<T> for Exchanging<'_, T> {
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, _: *mut u8) {
        let (k1, k2, step) = (self.p.k1 as usize, self.p.k2 as usize, self.p.incx.unsigned_abs() as usize);
        for i in range {
            unsafe {
                let (a, ipiv) = (view(&self.a, i, self.p.lda), self.ipiv.member(i));
                for column in 0..self.p.n as usize {
                    for count in 0..=k2 - k1 {
                        let row = if self.p.incx > 0 { k1 + count } else { k2 - count };
                        let other = *ipiv.add(k1 + (row - k1) * step - 1) as usize;
                        if other != row {
                            let (x, y) = (a.get(row - 1, column), a.get(other - 1, column));
                            a.set(row - 1, column, y);
                            a.set(other - 1, column, x);
                        }
                    }
                }
            }
        }
    }
}

impl OneByOne for Laswp {
    type Task<'a, T: Packed> = Exchanging<'a, T>;
    #[inline(always)]
    unsafe fn task<T: Packed>(&self) -> Option<Exchanging<'_, T>> {
        Some(Exchanging { p: self, a: Members::new(self.a), ipiv: Pivots::new(self.ipiv) })
    }
}

impl OverBatch for Laswp {
    const SHARED: bool = false;
    /// Counts element moves instead.
    fn flops(&self) -> f64 {
        self.n as f64 * (self.k2 - self.k1 + 1) as f64
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        if self.sizes.is_some() {
            return unsafe { one_by_one::<T, _>(self, execution.distribution) };
        }
        let task = unsafe { self.task::<T>() };
        task.map_or(Ok(()), |task| unsafe { run(&task, self.batch, execution) })
    }
}
