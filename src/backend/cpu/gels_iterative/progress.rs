//! The state of a right-hand side between two passes, and the step of conjugate gradients after each pass.

use super::super::simd::Packed;
use super::common::{Common, norm2};
use crate::routine::FallbackReason;
use crate::scalar::Scalar;

/// The squared norm of x times a number.
fn norm2_scaled<W: Scalar<Re = f64>>(x: &[W], by: f64) -> f64 {
    x.iter().map(|x| x.scaled(by).abs_squared()).sum()
}

/// Real part of x^H y.
fn dot<W: Scalar<Re = f64>>(x: &[W], y: &[W]) -> f64 {
    x.iter().zip(y).map(|(&x, &y)| (x.conj() * y).re()).sum()
}

/// The state of a right-hand side between two passes.
pub struct Progress {
    /// |b|
    b_norm: f64,
    pub state: State,
}

pub enum State {
    Running,
    Done,
    Failed(FallbackReason),
}

/// The vectors of a right-hand side: the trial x; s = R^-H A^H r at the last x; the direction p; and t = R^-1 p.
pub struct Vectors<'a, W> {
    pub x: &'a mut [W],
    pub s: &'a mut [W],
    pub p: &'a mut [W],
    pub t: &'a mut [W],
}

fn add<W: Scalar>(x: &mut [W], y: impl Iterator<Item = W>) {
    x.iter_mut().zip(y).for_each(|(x, y)| *x += y);
}

impl Progress {
    /// Starts with the first trial x. If the result is known already, sets x to it and returns the residual.
    pub fn start<T: Packed, W: Packed<Re = f64>>(
        c: &Common<T, W>,
        w: &[W],
        r2: f64,
        v: Vectors<W>,
    ) -> (Progress, Option<f64>) {
        c.forward(w, v.s);
        let s2 = norm2(v.s);
        v.p.copy_from_slice(v.s);
        let mut new = Progress { b_norm: r2.sqrt(), state: State::Done };
        if r2 == 0.0 || r2.is_nan() || (s2 == 0.0 && r2 > 1e-200) {
            v.x.fill(if r2.is_nan() { W::real(r2) } else { W::zero() });
            return (new, Some(r2.sqrt()));
        }
        if !(1e-200..1e300).contains(&r2) || s2.is_nan() || s2 >= 1e300 {
            new.state = State::Failed(FallbackReason::NoPreconditioner);
            return (new, None);
        }
        c.back(v.p, v.t);
        v.x.copy_from_slice(v.t);
        new.state = State::Running;
        (new, None)
    }

    /// Performs a step. Returns the residual if it was the last one. `spare` has space for three vectors.
    pub fn step<T: Packed, W: Packed<Re = f64>>(
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
        let more = dot(v.p, v.s) / curvature - 1.0; // the trial x has the step length 1
        if !(curvature > 0.0 && more.abs() < 1e6) {
            self.state = State::Failed(FallbackReason::NoConvergence);
            return None;
        }
        add(v.x, v.t.iter().map(|t| t.scaled(more)));
        now.iter_mut().zip(s.iter().zip(&*change)).for_each(|(now, (&s, c))| *now = s - c.scaled(more));
        let (size, before, r) = (norm2(now).sqrt(), norm2(v.s).sqrt(), r2.sqrt());
        let tolerance = c.p.effective_tolerance();
        // In units in which no relevant square leaves the range: |A| |x| in units of |b|, and A^H r in units of |A|.
        let bound = tolerance * self.b_norm * (norm2_scaled(v.x, c.matrix_norm / self.b_norm).sqrt() + 1.0);
        let noise = tolerance * c.condition * r;
        let ratio = size / before;
        let left = (16.0 * ratio).max(c.rounding).min(1.0) * size;
        let stagnates = ratio > 0.5 && size <= 16.0 * (bound + noise);
        if left <= bound || norm2_scaled(w, 1.0 / c.matrix_norm).sqrt() <= tolerance * r || stagnates {
            let residual = (r2 - norm2(s)).max(0.0).sqrt();
            c.back(now, s);
            add(v.x, s.iter().copied());
            self.state = State::Done;
            return Some(residual);
        }
        if last {
            self.state = State::Failed(FallbackReason::NoConvergence);
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
