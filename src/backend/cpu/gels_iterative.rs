//! Least squares by iteration on the host: A^H A in double precision and its R^-1, then passes over A with a step of
//! conjugate gradients behind each. `kernels/iterative/step.cuh` makes the same steps, and says why.

use super::batch::Members;
use super::ormqr::view;
use super::over_batch::{OverBatch, Shared};
use super::simd::Packed;
use super::view::View;
use super::{Run, choice, threads};
use crate::error::Error;
use crate::routine::{
    Alpha, Diag, Dtype, GelsIterative, Gemm, Operand, Potrf, Reason, Syrk, Trans, Trtri, Uplo, Workspace,
};
use crate::scalar::{C64, Real, Scalar};
use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

/// Rows of A that are converted at a time.
const CHUNK: usize = 512;
/// Most of the squared condition of A, its columns scaled: beyond it A^H A has no good R.
const CONDITION2: f64 = 1e16;

impl Run for GelsIterative {
    unsafe fn run(&self) -> Result<(), Error> {
        let share = choice::share_large(self.flops(), self.batch, 1);
        let (failure, shared, alone) = (Mutex::new(None), Shared(self), share.inside == 1);
        threads::for_ranges(self.batch as usize, share.grain, share.threads, |range| {
            for i in range {
                let p = &shared.get().members(i as i64, 1);
                // SAFETY: each thread has other members.
                let done = unsafe {
                    match p.dtype {
                        Dtype::S => solve::<f32, f64>(p, alone),
                        Dtype::D => solve::<f64, f64>(p, alone),
                        Dtype::C => solve::<crate::scalar::C32, C64>(p, alone),
                        Dtype::Z => solve::<C64, C64>(p, alone),
                    }
                };
                if let Err(e) = done {
                    *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(e);
                }
            }
        });
        failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    fn explain(&self) -> Result<String, Error> {
        let level = choice::level().name();
        Ok(format!("backend: cpu ({level}), iterative: A^H A in double precision, at most {} steps\n", self.steps()))
    }
}

impl GelsIterative {
    /// Floating-point operations of one member: A^H A and a few passes.
    fn flops(&self) -> f64 {
        let (m, n) = (self.m as f64, self.n as f64);
        m * n * (n + 12.0 * self.nrhs as f64)
    }
}

/// Does a part of a member's work, with the help of other threads unless they have members of their own.
unsafe fn part<T: Packed, R: OverBatch>(p: &R, alone: bool) -> Result<(), Error> {
    let way = if alone { choice::alone(p) } else { choice::way(p) };
    unsafe { p.run_as::<T>(&way) }
}

fn number(re: f64) -> Alpha {
    Alpha::Host(C64 { re, im: 0.0 })
}

fn place<W>(slice: &mut [W]) -> Operand {
    Operand::Strided { base: slice.as_mut_ptr().cast(), stride: 0 }
}

/// Room for so many. All working memory is had here, so that an error is answered where there is none.
fn room<X>(count: usize) -> Result<Vec<X>, Error> {
    let mut all = Vec::new();
    let out = |_| Error::OutOfMemory("working memory of an iteration".into());
    all.try_reserve_exact(count).map_err(out)?;
    Ok(all)
}

/// So many zeros.
fn zeros<W: Scalar>(rows: usize, columns: usize) -> Result<Vec<W>, Error> {
    let mut all = room(rows.saturating_mul(columns))?;
    all.resize(rows * columns, W::zero());
    Ok(all)
}

fn widen<T: Scalar, W: Scalar<Re = f64>>(x: T) -> W {
    W::new(x.re().to_f64(), x.im().to_f64())
}

fn narrow<T: Scalar, W: Scalar<Re = f64>>(x: W) -> T {
    T::new(T::Re::from_f64(x.re()), T::Re::from_f64(x.im()))
}

fn norm2<W: Scalar<Re = f64>>(x: &[W]) -> f64 {
    x.iter().map(|x| x.abs_squared()).sum()
}

/// The same of x times a number.
fn norm2_scaled<W: Scalar<Re = f64>>(x: &[W], by: f64) -> f64 {
    x.iter().map(|x| x.scaled(by).abs_squared()).sum()
}

/// The norm. Squares out of range are taken again, of numbers scaled by a power of two.
fn norm<W: Scalar<Re = f64>>(x: impl Iterator<Item = W> + Clone) -> f64 {
    let sum = |by: f64| x.clone().fold(0.0, |sum, x| sum + x.scaled(by).abs_squared());
    let by = match sum(1.0) {
        sum if sum < 1e-200 => 1.0.scale_by_power(600),
        sum if sum > 1e300 => 1.0.scale_by_power(-600),
        sum => return sum.sqrt(),
    };
    sum(by).sqrt() / by
}

/// Real part of x^H y.
fn dot<W: Scalar<Re = f64>>(x: &[W], y: &[W]) -> f64 {
    x.iter().zip(y).map(|(&x, &y)| (x.conj() * y).re()).sum()
}

/// The problem, its operands, and what all right-hand sides share.
struct Common<'a, T: Scalar, W> {
    p: &'a GelsIterative,
    /// No other thread helps.
    alone: bool,
    a: View<T>,
    b: View<T>,
    x: View<T>,
    n: usize,
    /// R^-1 of A with scaled columns, and their scales.
    inverse: Vec<W>,
    scales: Vec<f64>,
    /// Frobenius norms of A, and of A times that of R^-1.
    matrix: f64,
    condition: f64,
    /// What rounding errors of A^H A make a step leave, at most.
    rounding: f64,
}

impl<T: Packed, W: Packed<Re = f64>> Common<'_, T, W> {
    /// Rows row .. row + rows of A, one after another column by column.
    unsafe fn widened(&self, row: usize, rows: usize, to: &mut [W]) {
        for (j, column) in to[..rows * self.n].chunks_exact_mut(rows).enumerate() {
            column.iter_mut().enumerate().for_each(|(i, x)| *x = widen(unsafe { self.a.get(row + i, j) }));
        }
    }

    /// Sets R^-1. `None`: there is no good one.
    unsafe fn prepare(&mut self, buffer: &mut [W]) -> Result<Option<()>, Error> {
        let (n, m) = (self.n, self.p.m as usize);
        let (dtype, uplo, order) = (self.p.wide(), Uplo::Upper, n as i64);
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
                    a: place(buffer),
                    lda: rows as i64,
                    beta: number(1.0),
                    c: place(&mut gram),
                    ldc: order,
                    batch: 1,
                };
                part::<W, _>(&product, self.alone)?;
            }
        }
        let mut scaled = 0.0;
        for j in 0..n {
            let norm2 = gram[j + j * n].re();
            let inside = norm2 > 0.0 && norm2 < 1e300;
            self.scales[j] = if inside { 1.0.scale_by_power(-norm2.exponent() / 2) } else { 1.0 };
            self.matrix += norm2;
            scaled += norm2 * self.scales[j] * self.scales[j];
        }
        self.matrix = self.matrix.sqrt();
        for j in 0..n {
            (0..=j).for_each(|i| gram[i + j * n] = gram[i + j * n].scaled(self.scales[i] * self.scales[j]));
        }
        let mut code = 0;
        let (a, info) = (place(&mut gram), &raw mut code);
        let inverse = Trtri { dtype, uplo, diag: Diag::NonUnit, n: order, a, lda: order, info: null_mut(), batch: 1 };
        unsafe {
            let factoring = Potrf { dtype, uplo, n: order, a, lda: order, info, batch: 1, work: Workspace::NONE };
            part::<W, _>(&factoring, self.alone)?;
            if code != 0 {
                return Ok(None);
            }
            part::<W, _>(&inverse, self.alone)?;
        }
        let mut squares = [0.0; 2];
        for j in 0..n {
            for i in 0..=j {
                let square = gram[i + j * n].abs_squared();
                squares[0] += square;
                // A power of two from the first to the others', whose squares are in range where A's own are not.
                squares[1] += gram[i + j * n].scaled(self.scales[i] / self.scales[0]).abs_squared();
            }
        }
        self.condition = self.matrix * self.scales[0] * squares[1].sqrt();
        self.rounding = f64::EPSILON * squares[0] * scaled;
        self.inverse = gram;
        Ok((squares[0] * scaled < CONDITION2).then_some(()))
    }

    /// s := R^-H w.
    fn forward(&self, w: &[W], s: &mut [W]) {
        let term = |sum: W, ((&r, &w), &scale): ((&W, &W), &f64)| sum + r.conj() * w.scaled(scale);
        for (j, s) in s.iter_mut().enumerate() {
            *s = self.inverse[j * self.n..][..=j].iter().zip(w).zip(&self.scales).fold(W::zero(), term);
        }
    }

    /// t := R^-1 p.
    fn back(&self, p: &[W], t: &mut [W]) {
        t.fill(W::zero());
        for (j, &p) in p.iter().enumerate() {
            t.iter_mut().zip(&self.inverse[j * self.n..][..=j]).for_each(|(t, &r)| *t += r * p);
        }
        t.iter_mut().zip(&self.scales).for_each(|(t, &scale)| *t = t.scaled(scale));
    }

    /// A^H (b - A x) of all right-hand sides, and the squares of |b - A x|.
    unsafe fn pass(&self, x: &mut [W], buffer: &mut [W], w: &mut [W], squares: &mut [f64]) -> Result<(), Error> {
        let (m, n, nrhs) = (self.p.m as usize, self.n, self.p.nrhs as usize);
        w.fill(W::zero());
        squares.fill(0.0);
        let (box_of_a, r) = buffer.split_at_mut(CHUNK * n);
        for row in (0..m).step_by(CHUNK) {
            let rows = CHUNK.min(m - row);
            unsafe { self.widened(row, rows, box_of_a) };
            for j in 0..nrhs {
                let column = &mut r[j * rows..][..rows];
                column.iter_mut().enumerate().for_each(|(i, r)| *r = widen(unsafe { self.b.get(row + i, j) }));
            }
            let residual = Gemm {
                dtype: self.p.wide(),
                trans_a: Trans::N,
                trans_b: Trans::N,
                m: rows as i64,
                n: nrhs as i64,
                k: n as i64,
                alpha: number(-1.0),
                a: place(box_of_a),
                lda: rows as i64,
                b: place(x),
                ldb: n as i64,
                beta: number(1.0),
                c: place(r),
                ldc: rows as i64,
                batch: 1,
                first: [0; 3],
                any_stride: false,
            };
            let gradient = Gemm {
                trans_a: Trans::C,
                m: n as i64,
                k: rows as i64,
                alpha: number(1.0),
                b: residual.c,
                ldb: rows as i64,
                c: place(w),
                ldc: n as i64,
                ..residual
            };
            unsafe {
                part::<W, _>(&residual, self.alone)?;
                part::<W, _>(&gradient, self.alone)?;
            }
            for (r, sum) in r.chunks_exact(rows).zip(squares.iter_mut()) {
                *sum += norm2(r);
                if *sum == 0.0 && r.iter().any(|&x| x != W::zero()) {
                    *sum = f64::from_bits(1); // only zeros have no norm
                }
            }
        }
        Ok(())
    }

    unsafe fn tell(&self, j: usize, iterations: i32, residual: f64) {
        unsafe {
            if !self.p.iterations.is_null() {
                self.p.iterations.add(j).write(iterations);
            }
            if !self.p.residuals.is_null() {
                self.p.residuals.cast::<T::Re>().add(j).write(T::Re::from_f64(residual));
            }
        }
    }

    /// By QR, the right-hand sides that have a reason.
    unsafe fn directly(&self, reasons: impl Fn(usize) -> Option<Reason>) -> Result<(), Error> {
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
            part::<T, _>(&self.p.direct(places, &raw mut code, Workspace::NONE), self.alone)?;
            if !self.p.info.is_null() {
                self.p.info.write(code);
            }
        }
        for (j, b) in b.chunks_exact(m).enumerate() {
            let Some(reason) = reasons(j) else { continue };
            let (x, left) = b.split_at(n);
            // Of no use are X, and what is left of B.
            let useless = code != 0 || x.iter().any(|x| !(x.re().is_finite() && x.im().is_finite()));
            unsafe {
                x.iter().enumerate().for_each(|(i, &x)| self.x.set(i, j, x));
                self.tell(
                    j,
                    reason as i32,
                    if useless { f64::NAN } else { norm(left.iter().map(|&x| widen::<T, W>(x))) },
                );
            }
        }
        Ok(())
    }
}

/// A right-hand side between two passes.
struct Progress {
    /// |b|
    right: f64,
    state: State,
}

enum State {
    Running,
    Done,
    Failed(Reason),
}

/// The vectors of a right-hand side: x as it is tried; R^-H A^H r at the last x, the direction, and R^-1 times that.
struct Vectors<'a, W> {
    x: &'a mut [W],
    s: &'a mut [W],
    p: &'a mut [W],
    t: &'a mut [W],
}

fn add<W: Scalar>(x: &mut [W], y: impl Iterator<Item = W>) {
    x.iter_mut().zip(y).for_each(|(x, y)| *x += y);
}

impl Progress {
    /// The first x, or what there is instead of one, with its residual.
    fn start<T: Packed, W: Packed<Re = f64>>(
        c: &Common<T, W>,
        w: &[W],
        r2: f64,
        v: Vectors<W>,
    ) -> (Progress, Option<f64>) {
        c.forward(w, v.s);
        let s2 = norm2(v.s);
        v.p.copy_from_slice(v.s);
        let mut new = Progress { right: r2.sqrt(), state: State::Done };
        if r2 == 0.0 || r2.is_nan() || (s2 == 0.0 && r2 > 1e-200) {
            v.x.fill(if r2.is_nan() { W::real(r2) } else { W::zero() });
            return (new, Some(r2.sqrt()));
        }
        if !(1e-200..1e300).contains(&r2) || s2.is_nan() || s2 >= 1e300 {
            new.state = State::Failed(Reason::Factor);
            return (new, None);
        }
        c.back(v.p, v.t);
        v.x.copy_from_slice(v.t);
        new.state = State::Running;
        (new, None)
    }

    /// A step; the residual if it was the last. `spare` has room for three vectors.
    fn step<T: Packed, W: Packed<Re = f64>>(
        &mut self,
        c: &Common<T, W>,
        w: &[W],
        r2: f64,
        last: bool,
        v: Vectors<W>,
        spare: &mut [W],
    ) -> Option<f64> {
        let (s, rest) = spare.split_at_mut(c.n);
        let (change, now) = rest.split_at_mut(c.n);
        c.forward(w, s);
        change.iter_mut().zip(v.s.iter().zip(&*s)).for_each(|(change, (&a, &b))| *change = a - b);
        let curvature = dot(v.p, change);
        let more = dot(v.p, v.s) / curvature - 1.0; // of the step's length
        if !(curvature > 0.0 && more.abs() < 1e6) {
            self.state = State::Failed(Reason::Steps);
            return None;
        }
        add(v.x, v.t.iter().map(|t| t.scaled(more)));
        now.iter_mut().zip(s.iter().zip(&*change)).for_each(|(now, (&s, c))| *now = s - c.scaled(more));
        let (size, before, r) = (norm2(now).sqrt(), norm2(v.s).sqrt(), r2.sqrt());
        let tolerance = c.p.stops_at();
        // In units in which no square of what counts leaves the range: |A| |x| in those of |b|, A^H r in those of |A|.
        let bound = tolerance * self.right * (norm2_scaled(v.x, c.matrix / self.right).sqrt() + 1.0);
        let noise = tolerance * c.condition * r;
        let ratio = size / before;
        let left = (16.0 * ratio).max(c.rounding).min(1.0) * size;
        let stagnates = ratio > 0.5 && size <= 16.0 * (bound + noise);
        if left <= bound || norm2_scaled(w, 1.0 / c.matrix).sqrt() <= tolerance * r || stagnates {
            let residual = (r2 - norm2(s)).max(0.0).sqrt();
            c.back(now, s);
            add(v.x, s.iter().copied());
            self.state = State::Done;
            return Some(residual);
        }
        if last {
            self.state = State::Failed(Reason::Steps);
            return None;
        }
        let beta = -dot(change, now) / curvature;
        v.p.iter_mut().zip(&*now).for_each(|(p, &s)| *p = s + p.scaled(beta));
        v.s.copy_from_slice(now);
        c.back(v.p, v.t);
        add(v.x, v.t.iter().copied());
        None
    }
}

/// One member.
unsafe fn solve<T: Packed, W: Packed<Re = f64>>(p: &GelsIterative, alone: bool) -> Result<(), Error> {
    let (n, nrhs) = (p.n as usize, p.nrhs as usize);
    let of = |operand, ld| unsafe { view(&Members::<T>::new(operand), 0, ld) };
    let (a, b, x) = (of(p.a, p.lda), of(p.b, p.ldb), of(p.x, p.ldx));
    let (inverse, scales) = (vec![], zeros::<f64>(n, 1)?);
    let mut common = Common { p, alone, a, b, x, n, inverse, scales, matrix: 0.0, condition: 0.0, rounding: 0.0 };
    if !p.info.is_null() {
        unsafe { p.info.write(0) };
    }
    if p.n > GelsIterative::COLUMNS {
        return unsafe { common.directly(|_| Some(Reason::Shape)) };
    }
    let mut buffer = zeros::<W>(CHUNK, n.saturating_add(nrhs))?;
    if unsafe { common.prepare(&mut buffer) }?.is_none() {
        return unsafe { common.directly(|_| Some(Reason::Factor)) };
    }
    let (mut trial, mut w) = (zeros::<W>(n, nrhs)?, zeros::<W>(n, nrhs)?);
    let mut squares = zeros::<f64>(nrhs, 1)?;
    let (mut vectors, mut spare) = (zeros::<W>(3 * n, nrhs)?, zeros::<W>(n, 3)?);
    let mut all = room::<Progress>(nrhs)?;
    for step in 0..=p.steps() {
        unsafe { common.pass(&mut trial, &mut buffer, &mut w, &mut squares)? };
        let mut running = false;
        for (j, (w, &r2)) in w.chunks_exact(n).zip(&squares).enumerate() {
            let (s, rest) = vectors[3 * n * j..][..3 * n].split_at_mut(n);
            let (p, t) = rest.split_at_mut(n);
            let x = &mut trial[j * n..][..n];
            let v = Vectors { x: &mut *x, s, p, t };
            let ended = if step == 0 {
                let (new, ended) = Progress::start(&common, w, r2, v);
                all.push(new);
                ended
            } else if let State::Running = all[j].state {
                all[j].step(&common, w, r2, step == common.p.steps(), v, &mut spare)
            } else {
                continue;
            };
            if let Some(residual) = ended {
                for (i, &x) in x.iter().enumerate() {
                    unsafe { common.x.set(i, j, narrow(x)) };
                }
                unsafe { common.tell(j, step, residual) };
            }
            running |= matches!(all[j].state, State::Running);
        }
        if !running {
            break;
        }
    }
    let failed = |j: usize| if let State::Failed(reason) = all[j].state { Some(reason) } else { None };
    if (0..nrhs).any(|j| failed(j).is_some()) {
        return unsafe { common.directly(failed) };
    }
    Ok(())
}
