//! Iterative least squares on the host: A^H A in double precision and its R^-1, then passes over A, each followed by a
//! step of conjugate gradients. `kernels/iterative/step.cuh` performs the same steps and explains them.

mod common;
mod progress;

use super::batch::Members;
use super::over_batch::Shared;
use super::run::Run;
use super::simd::Packed;
use super::view::view;
use super::{choice, threads};
use crate::error::Error;
use crate::routine::{Dtype, FallbackReason, GelsIterative};
use crate::scalar::{C64, Scalar};
use common::{CHUNK, Common, narrow};
use parking_lot::Mutex;
use progress::{Progress, State, Vectors};

impl Run for GelsIterative {
    unsafe fn run(&self) -> Result<(), Error> {
        let distribution = choice::distribute_large(flops(self), self.batch, 1);
        let (failure, shared, single_threaded) = (Mutex::new(None), Shared(self), distribution.threads_per_member == 1);
        threads::for_ranges(self.batch as usize, distribution.grain, distribution.threads, |range| {
            for i in range {
                let p = &shared.get().members(i as i64, 1);
                // SAFETY: threads work on different members.
                let done = unsafe {
                    match p.dtype {
                        Dtype::S => solve::<f32, f64>(p, single_threaded),
                        Dtype::D => solve::<f64, f64>(p, single_threaded),
                        Dtype::C => solve::<crate::scalar::C32, C64>(p, single_threaded),
                        Dtype::Z => solve::<C64, C64>(p, single_threaded),
                    }
                };
                if let Err(e) = done {
                    *failure.lock() = Some(e);
                }
            }
        });
        failure.into_inner().map_or(Ok(()), Err)
    }

    fn explain(&self) -> Result<String, Error> {
        let level = choice::level().name();
        Ok(format!(
            "backend: cpu ({level}), iterative: A^H A in double precision, at most {} steps\n",
            self.iteration_limit()
        ))
    }
}

/// Floating-point operations of one member: A^H A and a few passes.
fn flops(p: &GelsIterative) -> f64 {
    let (m, n) = (p.m as f64, p.n as f64);
    m * n * (n + 12.0 * p.nrhs as f64)
}

/// An empty vector with the given capacity. All workspace is allocated here, so that running out of memory is reported
/// as an error.
fn with_capacity<X>(count: usize) -> Result<Vec<X>, Error> {
    let mut all = Vec::new();
    let out = |_| Error::OutOfMemory("working memory of an iteration".into());
    all.try_reserve_exact(count).map_err(out)?;
    Ok(all)
}

/// A vector of zeros.
fn zeros<W: Scalar>(rows: usize, columns: usize) -> Result<Vec<W>, Error> {
    let mut all = with_capacity(rows.saturating_mul(columns))?;
    all.resize(rows * columns, W::zero());
    Ok(all)
}

/// Solves one member.
unsafe fn solve<T: Packed, W: Packed<Re = f64>>(p: &GelsIterative, single_threaded: bool) -> Result<(), Error> {
    let (n, nrhs) = (p.n as usize, p.nrhs as usize);
    let of = |operand, ld| unsafe { view(&Members::<T>::new(operand), 0, ld) };
    let (a, b, x) = (of(p.a, p.lda), of(p.b, p.ldb), of(p.x, p.ldx));
    let (inverse, scales) = (vec![], zeros::<f64>(n, 1)?);
    let mut common =
        Common { p, single_threaded, a, b, x, n, inverse, scales, matrix_norm: 0.0, condition: 0.0, rounding: 0.0 };
    if !p.info.is_null() {
        unsafe { p.info.write(0) };
    }
    if p.n > GelsIterative::MAX_COLUMNS {
        return unsafe { common.solve_by_qr(|_| Some(FallbackReason::TooManyColumns)) };
    }
    let mut buffer = zeros::<W>(CHUNK, n.saturating_add(nrhs))?;
    if unsafe { common.prepare(&mut buffer) }?.is_none() {
        return unsafe { common.solve_by_qr(|_| Some(FallbackReason::NoPreconditioner)) };
    }
    let (mut trial, mut w) = (zeros::<W>(n, nrhs)?, zeros::<W>(n, nrhs)?);
    let mut squares = zeros::<f64>(nrhs, 1)?;
    let (mut vectors, mut spare) = (zeros::<W>(3 * n, nrhs)?, zeros::<W>(n, 3)?);
    let mut all = with_capacity::<Progress>(nrhs)?;
    for step in 0..=p.iteration_limit() {
        unsafe { common.residual_pass(&mut trial, &mut buffer, &mut w, &mut squares)? };
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
                all[j].step(&common, w, r2, step == common.p.iteration_limit(), v, &mut spare)
            } else {
                continue;
            };
            if let Some(residual) = ended {
                for (i, &x) in x.iter().enumerate() {
                    unsafe { common.x.set(i, j, narrow(x)) };
                }
                unsafe { common.store_outcome(j, step, residual) };
            }
            running |= matches!(all[j].state, State::Running);
        }
        if !running {
            break;
        }
    }
    let failed = |j: usize| if let State::Failed(reason) = all[j].state { Some(reason) } else { None };
    if (0..nrhs).any(|j| failed(j).is_some()) {
        return unsafe { common.solve_by_qr(failed) };
    }
    Ok(())
}
