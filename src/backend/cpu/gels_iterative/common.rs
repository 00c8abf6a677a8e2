//! What the right-hand sides of a member share: A^H A and its R^-1, the passes over A, and the fallback to QR.

use super::super::over_batch::{self, OverBatch};
use super::super::simd::Packed;
use super::super::view::View;
use super::zeros;
use crate::error::Error;
use crate::routine::{
    Alpha, Diag, FallbackReason, GelsIterative, Gemm, Operand, Potrf, Syrk, Trans, Trtri, Uplo, Workspace,
};
use crate::scalar::{C64, Real, Scalar};
use std::ptr::null_mut;

/// Rows of A that are converted at a time.
pub const CHUNK: usize = 512;
/// Largest squared condition number of A with scaled columns. Beyond it, A^H A does not give an accurate R.
const CONDITION2: f64 = 1e16;

/// Executes part of a member's work, with the help of other threads unless these have members of their own.
unsafe fn run_part<T: Packed, R: OverBatch>(p: &R, single_threaded: bool) -> Result<(), Error> {
    let execution = if single_threaded { over_batch::single_threaded(p) } else { over_batch::execution(p) };
    unsafe { p.run_as::<T>(&execution) }
}

fn number(re: f64) -> Alpha {
    Alpha::Host(C64 { re, im: 0.0 })
}

fn as_operand<W>(slice: &mut [W]) -> Operand {
    Operand::Strided { base: slice.as_mut_ptr().cast(), stride: 0 }
}

fn widen<T: Scalar, W: Scalar<Re = f64>>(x: T) -> W {
    W::new(x.re().to_f64(), x.im().to_f64())
}

pub fn narrow<T: Scalar, W: Scalar<Re = f64>>(x: W) -> T {
    T::new(T::Re::from_f64(x.re()), T::Re::from_f64(x.im()))
}

pub fn norm2<W: Scalar<Re = f64>>(x: &[W]) -> f64 {
    x.iter().map(|x| x.abs_squared()).sum()
}

/// The norm. If the squares are out of range, they are recomputed from numbers scaled by a power of two.
fn norm<W: Scalar<Re = f64>>(x: impl Iterator<Item = W> + Clone) -> f64 {
    let sum = |by: f64| x.clone().fold(0.0, |sum, x| sum + x.scaled(by).abs_squared());
    let by = match sum(1.0) {
        sum if sum < 1e-200 => 1.0.scale_by_power(600),
        sum if sum > 1e300 => 1.0.scale_by_power(-600),
        sum => return sum.sqrt(),
    };
    sum(by).sqrt() / by
}

/// If a column's sum of squares is less than this, its terms have lost digits to underflow.
const MIN_SQUARES: f64 = 1e-300;

/// The problem, its operands, and what all right-hand sides share.
pub struct Common<'a, T: Scalar, W> {
    pub p: &'a GelsIterative,
    /// Whether no other thread helps.
    pub single_threaded: bool,
    pub a: View<T>,
    pub b: View<T>,
    pub x: View<T>,
    pub n: usize,
    /// R^-1 of A with scaled columns, and the scales.
    pub inverse: Vec<W>,
    pub scales: Vec<f64>,
    /// Frobenius norm of A, and its product with that of R^-1.
    pub matrix_norm: f64,
    pub condition: f64,
    /// Bound on the fraction of the error that remains after a step because of the rounding errors of A^H A.
    pub rounding: f64,
}

impl<T: Packed, W: Packed<Re = f64>> Common<'_, T, W> {
    /// Converts rows `row..row + rows` of A, column by column without gaps.
    unsafe fn widened(&self, row: usize, rows: usize, to: &mut [W]) {
        for (j, column) in to[..rows * self.n].chunks_exact_mut(rows).enumerate() {
            column.iter_mut().enumerate().for_each(|(i, x)| *x = widen(unsafe { self.a.get(row + i, j) }));
        }
    }

    /// Computes R^-1. Returns `None` if it is not accurate enough.
    pub unsafe fn prepare(&mut self, buffer: &mut [W]) -> Result<Option<()>, Error> {
        let (n, m) = (self.n, self.p.m as usize);
        let (dtype, uplo, order) = (self.p.wide_dtype(), Uplo::Upper, n as i64);
        let mut gram = zeros::<W>(n, n)?;
        for row in (0..m).step_by(CHUNK) {
            let rows = CHUNK.min(m - row);
            let trans = if W::COMPLEX { Trans::C } else { Trans::T };
            unsafe {
                self.widened(row, rows, buffer);
                let product = Syrk {
                    dtype,
                    hermitian: W::COMPLEX,
                    uplo,
                    trans,
                    n: order,
                    k: rows as i64,
                    alpha: number(1.0),
                    a: as_operand(buffer),
                    lda: rows as i64,
                    beta: number(1.0),
                    c: as_operand(&mut gram),
                    ldc: order,
                    sizes: None,
                    batch: 1,
                };
                run_part::<W, _>(&product, self.single_threaded)?;
            }
        }
        let mut scaled = 0.0;
        for j in 0..n {
            let norm2 = gram[j + j * n].re();
            if norm2 < MIN_SQUARES {
                return Ok(None);
            }
            let inside = norm2 > 0.0 && norm2 < 1e300;
            self.scales[j] = if inside { 1.0.scale_by_power(-norm2.exponent() / 2) } else { 1.0 };
            self.matrix_norm += norm2;
            scaled += norm2 * self.scales[j] * self.scales[j];
        }
        self.matrix_norm = self.matrix_norm.sqrt();
        for j in 0..n {
            (0..=j).for_each(|i| gram[i + j * n] = gram[i + j * n].scaled(self.scales[i] * self.scales[j]));
        }
        let mut code = 0;
        let (a, info) = (as_operand(&mut gram), &raw mut code);
        let inverse = Trtri { dtype, uplo, diag: Diag::NonUnit, n: order, a, lda: order, info: null_mut(), batch: 1 };
        unsafe {
            let factoring =
                Potrf { dtype, uplo, n: order, a, lda: order, sizes: None, info, batch: 1, work: Workspace::NONE };
            run_part::<W, _>(&factoring, self.single_threaded)?;
            if code != 0 {
                return Ok(None);
            }
            run_part::<W, _>(&inverse, self.single_threaded)?;
        }
        let mut squares = [0.0; 2];
        for j in 0..n {
            for i in 0..=j {
                let square = gram[i + j * n].abs_squared();
                squares[0] += square;
                // Scaled by a power of two relative to the first column, so that squares are in range even if those of
                // A's own scale are not.
                squares[1] += gram[i + j * n].scaled(self.scales[i] / self.scales[0]).abs_squared();
            }
        }
        self.condition = self.matrix_norm * self.scales[0] * squares[1].sqrt();
        self.rounding = f64::EPSILON * squares[0] * scaled;
        self.inverse = gram;
        Ok((squares[0] * scaled < CONDITION2).then_some(()))
    }

    /// s := R^-H w.
    pub fn forward(&self, w: &[W], s: &mut [W]) {
        let term = |sum: W, ((&r, &w), &scale): ((&W, &W), &f64)| sum + r.conj() * w.scaled(scale);
        for (j, s) in s.iter_mut().enumerate() {
            *s = self.inverse[j * self.n..][..=j].iter().zip(w).zip(&self.scales).fold(W::zero(), term);
        }
    }

    /// t := R^-1 p.
    pub fn back(&self, p: &[W], t: &mut [W]) {
        t.fill(W::zero());
        for (j, &p) in p.iter().enumerate() {
            t.iter_mut().zip(&self.inverse[j * self.n..][..=j]).for_each(|(t, &r)| *t += r * p);
        }
        t.iter_mut().zip(&self.scales).for_each(|(t, &scale)| *t = t.scaled(scale));
    }

    /// Computes A^H (b - A x) and |b - A x|^2 for all right-hand sides.
    pub unsafe fn residual_pass(
        &self,
        x: &mut [W],
        buffer: &mut [W],
        w: &mut [W],
        squares: &mut [f64],
    ) -> Result<(), Error> {
        let (m, n, nrhs) = (self.p.m as usize, self.n, self.p.nrhs as usize);
        w.fill(W::zero());
        squares.fill(0.0);
        let (chunk_of_a, r) = buffer.split_at_mut(CHUNK * n);
        for row in (0..m).step_by(CHUNK) {
            let rows = CHUNK.min(m - row);
            unsafe { self.widened(row, rows, chunk_of_a) };
            for j in 0..nrhs {
                let column = &mut r[j * rows..][..rows];
                column.iter_mut().enumerate().for_each(|(i, r)| *r = widen(unsafe { self.b.get(row + i, j) }));
            }
            let residual = Gemm::uniform(
                self.p.wide_dtype(),
                [Trans::N; 2],
                [rows, nrhs, n].map(|size| size as i64),
                [-1.0, 1.0].map(number),
                [as_operand(chunk_of_a), as_operand(x), as_operand(r)],
                [rows, n, rows].map(|size| size as i64),
                1,
            );
            let gradient = Gemm {
                trans_a: Trans::C,
                m: n as i64,
                k: rows as i64,
                alpha: number(1.0),
                b: residual.c,
                ldb: rows as i64,
                c: as_operand(w),
                ldc: n as i64,
                ..residual
            };
            unsafe {
                run_part::<W, _>(&residual, self.single_threaded)?;
                run_part::<W, _>(&gradient, self.single_threaded)?;
            }
            for (r, sum) in r.chunks_exact(rows).zip(squares.iter_mut()) {
                *sum += norm2(r);
                if *sum == 0.0 && r.iter().any(|&x| x != W::zero()) {
                    *sum = f64::from_bits(1); // only a zero residual may have norm 0
                }
            }
        }
        Ok(())
    }

    pub unsafe fn store_outcome(&self, j: usize, iterations: i32, residual: f64) {
        unsafe {
            if !self.p.iterations.is_null() {
                self.p.iterations.add(j).write(iterations);
            }
            if !self.p.residuals.is_null() {
                self.p.residuals.cast::<T::Re>().add(j).write(T::Re::from_f64(residual));
            }
        }
    }

    /// Solves by QR for those right-hand sides that have a reason for it.
    pub unsafe fn solve_by_qr(&self, reasons: impl Fn(usize) -> Option<FallbackReason>) -> Result<(), Error> {
        let (m, n, nrhs) = (self.p.m as usize, self.n, self.p.nrhs as usize);
        let copied = |from: &View<T>, columns: usize| {
            let mut to = zeros::<T>(m, columns)?;
            to.iter_mut().enumerate().for_each(|(e, x)| *x = unsafe { from.get(e % m, e / m) });
            Ok::<_, Error>(to)
        };
        let (mut a, mut b) = (copied(&self.a, n)?, copied(&self.b, nrhs)?);
        let places = [a.as_mut_ptr().cast(), b.as_mut_ptr().cast()];
        let mut code = 0;
        unsafe {
            run_part::<T, _>(&self.p.qr_fallback(places, &raw mut code, Workspace::NONE), self.single_threaded)?;
            if !self.p.info.is_null() {
                self.p.info.write(code);
            }
        }
        for (j, b) in b.chunks_exact(m).enumerate() {
            let Some(reason) = reasons(j) else { continue };
            let (x, left) = b.split_at(n);
            // If so, X and the rest of B are not valid.
            let useless = code != 0 || x.iter().any(|x| !(x.re().is_finite() && x.im().is_finite()));
            unsafe {
                x.iter().enumerate().for_each(|(i, &x)| self.x.set(i, j, x));
                self.store_outcome(
                    j,
                    reason as i32,
                    if useless { f64::NAN } else { norm(left.iter().map(|&x| widen::<T, W>(x))) },
                );
            }
        }
        Ok(())
    }
}
