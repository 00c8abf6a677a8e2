//! geam, dgmm, transpose, lacpy, laset. The unit of work is a column of a member, so that threads share a large matrix
//! too.

use super::super::assign;
use super::super::choice::{Execution, distribute};
use super::super::over_batch::OverBatch;
use super::super::run::Run;
use super::super::simd::Packed;
use super::{Batch, Each, each, times, value};
use crate::error::Error;
use crate::routine::{Dgmm, Geam, Lacpy, Laset, Operand, Side, Trans, Transpose};
use crate::scalar::Scalar;

/// op of the members of an operand.
fn op_of<T: Scalar>(operand: Operand, ld: i64, trans: Trans) -> Batch<T> {
    let plain = Batch::plain(operand, ld);
    if trans == Trans::N { plain } else { plain.transposed(trans == Trans::C) }
}

/// C := alpha A + beta B, without the terms that are `None`.
struct Sum<T> {
    a: Option<(T, Batch<T>)>,
    b: Option<(T, Batch<T>)>,
    c: Batch<T>,
    rows: usize,
    columns: usize,
}

impl<T: Packed> Each for Sum<T> {
    #[inline(always)]
    unsafe fn part(&self, part: usize) {
        let (i, j) = (part / self.columns, part % self.columns);
        unsafe {
            let c = self.c.member(i);
            let [a, b] = [&self.a, &self.b].map(|x| x.as_ref().map(|(factor, batch)| (*factor, batch.member(i))));
            for row in 0..self.rows {
                let term = |(factor, x): (T, super::Strided<T>)| times(factor, x.get(row, j));
                c.set(
                    row,
                    j,
                    match (a, b) {
                        (Some(a), Some(b)) => term(a) + term(b),
                        (Some(one), None) | (None, Some(one)) => term(one),
                        (None, None) => T::zero(),
                    },
                );
            }
        }
    }
}

impl<T: Packed> Sum<T> {
    unsafe fn run(&self, batch: i64, execution: &Execution) {
        let columns = batch as usize * self.columns;
        unsafe { each::<T, _>(self, columns, execution, distribute(2.0 * self.rows as f64, columns as i64, 1)) }
    }
}

impl OverBatch for Geam {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        2.0 * self.m as f64 * self.n as f64
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        let (alpha, beta) = unsafe { (value::<T>(self.alpha), value::<T>(self.beta)) };
        // An operand with factor 0 is not read and may be NULL.
        let a = (alpha != T::zero()).then(|| (alpha, op_of(self.a, self.lda, self.trans_a)));
        let b = (beta != T::zero()).then(|| (beta, op_of(self.b, self.ldb, self.trans_b)));
        let (rows, columns) = (self.m as usize, self.n as usize);
        unsafe { Sum { a, b, c: Batch::plain(self.c, self.ldc), rows, columns }.run(self.batch, execution) };
        Ok(())
    }
}

impl OverBatch for Transpose {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        self.m as f64 * self.n as f64
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        let (rows, columns) = (self.n as usize, self.m as usize);
        let a = Some((T::one(), op_of(self.a, self.lda, self.trans)));
        unsafe { Sum { a, b: None, c: Batch::plain(self.b, self.ldb), rows, columns }.run(self.batch, execution) };
        Ok(())
    }
}

/// C := diag(x) A, or A diag(x).
struct Diagonal<T> {
    a: Batch<T>,
    x: Batch<T>,
    c: Batch<T>,
    side: Side,
    rows: usize,
    columns: usize,
}

impl<T: Packed> Each for Diagonal<T> {
    #[inline(always)]
    unsafe fn part(&self, part: usize) {
        let (i, j) = (part / self.columns, part % self.columns);
        unsafe {
            let (a, x, c) = (self.a.member(i), self.x.member(i), self.c.member(i));
            for row in 0..self.rows {
                let factor = x.get(0, if self.side == Side::Left { row } else { j });
                c.set(row, j, factor * a.get(row, j));
            }
        }
    }
}

impl OverBatch for Dgmm {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        self.m as f64 * self.n as f64
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        let (length, _) = self.side.order(self.m, self.n);
        let first = if self.incx < 0 { (length - 1) * -self.incx } else { 0 };
        let x = Batch { first, ..Batch::plain(self.x, self.incx) };
        let (a, c) = (Batch::plain(self.a, self.lda), Batch::plain(self.c, self.ldc));
        let (rows, columns) = (self.m as usize, self.n as usize);
        let work = Diagonal::<T> { a, x, c, side: self.side, rows, columns };
        let all = self.batch as usize * columns;
        unsafe { each::<T, _>(&work, all, execution, distribute(rows as f64, all as i64, 1)) };
        Ok(())
    }
}

macro_rules! assigned {
    ($($Routine:ident)*) => {$(
        impl Run for $Routine {
            unsafe fn run(&self) -> Result<(), Error> {
                unsafe { for_dtype!(self.dtype, T => assign::assign::<T>(&self.assign())) };
                Ok(())
            }
            fn explain(&self) -> Result<String, Error> {
                Ok("backend: cpu, column by column\n".into())
            }
        }
    )*};
}
assigned!(Lacpy Laset);
