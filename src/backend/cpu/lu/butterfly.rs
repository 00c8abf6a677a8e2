//! Random butterflies of depth 2, which make systems fit for a factorisation without pivoting. They are described in
//! `kernels/getrf/butterfly.cuh`, which uses the same numbers.

use super::super::batch::Members;
use super::super::choice::Execution;
use super::super::over_batch::{OverBatch, Task, run};
use super::super::scratch::Arena;
use super::super::simd::{Level, Pack, Packed};
use super::super::view::{View, view};
use super::getrf::solve_systems;
use super::{flops, interleaved_best};
use crate::error::Error;
use crate::routine::GesvRbt;
use crate::scalar::{Real, Scalar};
use std::ops::Range;

/// Entry `index` of a diagonal. `which` is 0 and 1 for the two levels of U, 2 and 3 for those of V.
pub fn entry(index: usize, which: u32) -> f32 {
    let mut x = (index as u32).wrapping_mul(4).wrapping_add(which).wrapping_add(0x9e37_79b9);
    x = (x ^ (x >> 16)).wrapping_mul(0x85eb_ca6b);
    x = (x ^ (x >> 13)).wrapping_mul(0xc2b2_ae35);
    x ^= x >> 16;
    let r = (x as i32 >> 8) as f32 / 16_777_216.0;
    let e = r * 0.1;
    e.mul_add(e.mul_add(e.mul_add(1.0 / 6.0, 0.5), 1.0), 1.0)
}

/// U or V: the diagonals of both levels, divided by sqrt(2).
#[derive(Clone, Copy)]
struct Butterfly<R> {
    n: usize,
    outer: *mut R,
    inner: *mut R,
}

impl<R: Real> Butterfly<R> {
    /// Builds a butterfly in memory of 2 n numbers.
    unsafe fn new(n: usize, side: u32, memory: *mut R) -> Self {
        let of = |i, which| R::from_f64(f64::from(std::f32::consts::FRAC_1_SQRT_2 * entry(i, which)));
        unsafe {
            let (outer, inner) = (memory, memory.add(n));
            for i in 0..n {
                *outer.add(i) = of(i, side);
                *inner.add(i) = of(i, side + 1);
            }
            Butterfly { n, outer, inner }
        }
    }

    /// Calls `each` for the pairs of rows of a level. Each block of rows pairs row i with the row half a block further
    /// down.
    #[inline(always)]
    unsafe fn pairs(self, inner: bool, mut each: impl FnMut(usize, usize, R, R)) {
        let half = self.n.div_ceil(2);
        let (diagonal, blocks) =
            if inner { (self.inner, [(0, half), (half, self.n - half)]) } else { (self.outer, [(0, self.n), (0, 0)]) };
        let apart = if inner { half.div_ceil(2) } else { half };
        for (first, size) in blocks {
            for i in first..first + size.saturating_sub(apart) {
                unsafe { each(i, i + apart, *diagonal.add(i), *diagonal.add(i + apart)) };
            }
        }
    }

    /// Applies the transpose to every column.
    #[inline(always)]
    unsafe fn rows_transposed<T: Scalar<Re = R>>(self, x: &View<T>, columns: usize) {
        for j in 0..columns {
            for inner in [true, false] {
                unsafe { self.pairs(inner, |i, k, r, s| transposed(x, (i, j), (k, j), r, s)) };
            }
        }
    }

    /// Applies the butterfly to every column.
    #[inline(always)]
    unsafe fn rows<T: Scalar<Re = R>>(self, x: &View<T>, columns: usize) {
        let pair = |a: (usize, usize), b: (usize, usize), r, s| unsafe {
            let (p, q) = (x.get(a.0, a.1).scaled(r), x.get(b.0, b.1).scaled(s));
            x.set(a.0, a.1, p + q);
            x.set(b.0, b.1, p - q);
        };
        for j in 0..columns {
            for inner in [false, true] {
                unsafe { self.pairs(inner, |i, k, r, s| pair((i, j), (k, j), r, s)) };
            }
        }
    }

    /// Multiplies a square matrix by the butterfly from the right, that is, applies the transpose to every row.
    #[inline(always)]
    unsafe fn columns<T: Scalar<Re = R>>(self, x: &View<T>) {
        for inner in [true, false] {
            unsafe {
                self.pairs(inner, |j, k, r, s| {
                    (0..self.n).for_each(|i| transposed(x, (i, j), (i, k), r, s));
                });
            }
        }
    }
}

#[inline(always)]
unsafe fn transposed<T: Scalar>(x: &View<T>, a: (usize, usize), b: (usize, usize), r: T::Re, s: T::Re) {
    unsafe {
        let (p, q) = (x.get(a.0, a.1), x.get(b.0, b.1));
        x.set(a.0, a.1, p.scaled(r) + q.scaled(r));
        x.set(b.0, b.1, p.scaled(s) - q.scaled(s));
    }
}

struct Transforming<'a, T> {
    p: &'a GesvRbt,
    a: Members<T>,
    b: Members<T>,
    /// If set, B := V B; otherwise A := U^T A V and B := U^T B.
    back: bool,
}

impl<T: Packed> Transforming<'_, T> {
    #[inline(always)]
    fn layout(&self) -> Option<(usize, usize)> {
        let mut arena = Arena::<T::Re>::new();
        let diagonals = (self.p.n as usize).checked_mul(2)?;
        arena.part(diagonals)?;
        Some((arena.part(diagonals)?, arena.bytes()?))
    }
}

impl<T: Packed> Task<T> for Transforming<'_, T> {
    #[inline(always)]
    fn bytes<P: Pack<S = T>>(&self) -> Option<usize> {
        self.layout().map(|(_, bytes)| bytes)
    }
    #[inline(always)]
    unsafe fn range<P: Pack<S = T>>(&self, range: Range<usize>, buffer: *mut u8) {
        let Some((second, _)) = self.layout() else { return };
        let (n, nrhs, base) = (self.p.n as usize, self.p.nrhs as usize, buffer.cast::<T::Re>());
        unsafe {
            let v = Butterfly::new(n, 2, base.add(second));
            if self.back {
                range.for_each(|i| v.rows(&view(&self.b, i, self.p.ldb), nrhs));
                return;
            }
            let u = Butterfly::new(n, 0, base);
            for i in range {
                let a = view(&self.a, i, self.p.lda);
                u.rows_transposed(&a, n);
                v.columns(&a);
                u.rows_transposed(&view(&self.b, i, self.p.ldb), nrhs);
            }
        }
    }
}

impl OverBatch for GesvRbt {
    const SHARED: bool = false;
    fn flops(&self) -> f64 {
        let (n, nrhs) = (self.n as f64, self.nrhs as f64);
        flops(self.dtype, n * n * n / 3.0 + n * n * (nrhs + 4.0))
    }
    fn elements(&self) -> Option<i64> {
        self.n.checked_mul(self.n)
    }
    fn interleaved_best(&self, level: Level, lanes: i64) -> i64 {
        interleaved_best(level, lanes)
    }
    unsafe fn run_as<T: Packed>(&self, execution: &Execution) -> Result<(), Error> {
        let (a, b) = (Members::<T>::new(self.a), Members::new(self.b));
        unsafe {
            run(&Transforming { p: self, a, b, back: false }, self.batch, execution)?;
            solve_systems(&self.factorisation(), (a, self.lda), ((b, self.ldb), self.nrhs), execution)?;
            run(&Transforming { p: self, a, b, back: true }, self.batch, execution)
        }
    }
}
