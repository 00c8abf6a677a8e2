//! Plans for QR with explicit factors.
//!
//! Candidates: `resident` (all in registers, one launch) and `parts`, which takes everything: a copy of A is factored, and
//! its factors are copied and written out from there.

use super::orgqr::tightest;
use super::table::{Instance, Q};
use super::work::Arrays;
use super::{Copy, Form, Launch, Limits, Plan, Planned, Shape, allowed};
use crate::error::Error;
use crate::routine::{Dtype, Geqrf, Math, Operand, Orgqr, QPart, Qr};

/// Q takes the place of A.
const IN_PLACE: u32 = 1;

/// Sizes m, n, and columns of Q.
impl Planned for Qr {
    fn shape(&self, _: Limits) -> Shape {
        let in_place = !self.a.is_null() && (self.q, self.ldq) == (self.a, self.lda);
        let form = if in_place { IN_PLACE } else { 0 };
        Shape { dtype: self.dtype, m: self.m, n: self.n, k: columns(self), form }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Qr>, Error> {
        let Shape { dtype, m, n, k: columns, form } = shape;
        let k = m.min(n);
        if let Some(instance) = resident(dtype, m, n, columns, limits).filter(|_| k > 0) {
            let plan = Plan::new("resident", [Launch::on(instance, m, n, 0)]);
            return Ok(Plan { workspace: |p| Ok(arrays(p, false)?.bytes), ..plan });
        }
        let mut plan = Plan { workspace: |p| Ok(arrays(p, true)?.bytes), ..Plan::new("parts", []) };
        if k > 0 {
            let factored_in_q = columns >= n;
            if !(factored_in_q && form & IN_PLACE != 0) {
                plan.sub(|p, to| to.copy(&copy(p, (p.a, p.lda), factors(p)?, p.m, p.n)));
            }
            plan.sub(|p, to| to.operation(&factoring(p)?));
            if columns > 0 && !factored_in_q {
                plan.sub(|p, to| to.copy(&copy(p, factors(p)?, (p.q, p.ldq), p.m, p.m.min(p.n))));
            }
            plan.sub(|p, to| {
                to.copy(&Copy { form: Form::Triangle, ..copy(p, factors(p)?, (p.r, p.ldr), rows(p), p.n) })
            });
        }
        if columns > 0 {
            plan.sub(|p, to| to.operation(&writing(p)));
        }
        Ok(plan)
    }
}

/// The instance that factors an m x n matrix and writes `columns` columns of its Q, in registers.
fn resident(dtype: Dtype, m: i64, n: i64, columns: i64, limits: Limits) -> Option<&'static Instance> {
    if limits.tuned && allowed("resident") { tightest(Q.iter(), dtype, m, n.max(columns)) } else { None }
}

/// Columns of Q.
pub fn columns(p: &Qr) -> i64 {
    match p.part {
        QPart::None => 0,
        QPart::Thin => p.m.min(p.n),
        QPart::Full => p.m,
    }
}

/// Rows of R.
pub fn rows(p: &Qr) -> i64 {
    columns(p).max(p.m.min(p.n))
}

/// The workspace: tau, and a copy of A where neither Q nor R has room for it.
fn arrays(p: &Qr, tau: bool) -> Result<Arrays<2>, Error> {
    let copy = if columns(p) == 0 && p.m > p.n { p.m.saturating_mul(p.n) } else { 0 };
    Arrays::new(p, [if tau { p.m.min(p.n) } else { 0 }, copy])
}

/// Where A is factored: in Q's place if that is as wide, in R's if that is as tall, in the workspace. `tau`: whether the
/// workspace has a place for it.
pub fn place(p: &Qr, tau: bool) -> Result<(Operand, i64), Error> {
    Ok(match columns(p) {
        0 if p.m > p.n => (arrays(p, tau)?.operand(1, p.work), p.m),
        columns if columns >= p.n => (p.q, p.ldq),
        _ => (p.r, p.ldr),
    })
}

/// Where the reflectors and R are.
fn factors(p: &Qr) -> Result<(Operand, i64), Error> {
    place(p, true)
}

fn copy(p: &Qr, from: (Operand, i64), to: (Operand, i64), rows: i64, columns: i64) -> Copy {
    Copy { dtype: p.dtype, from, to, rows, columns, form: Form::Whole, batch: p.batch }
}

/// A's factors go where it was copied to.
fn factoring(p: &Qr) -> Result<Geqrf, Error> {
    let ((a, lda), info) = (factors(p)?, std::ptr::null_mut());
    Ok(Geqrf { dtype: p.dtype, m: p.m, n: p.n, a, lda, tau: tau(p), batch: p.batch, info, math: Math::Fp32 })
}

/// Q takes the place of its reflectors.
fn writing(p: &Qr) -> Orgqr {
    let (n, k, a, lda) = (columns(p), p.m.min(p.n), p.q, p.ldq);
    Orgqr { dtype: p.dtype, m: p.m, n, k, a, lda, tau: tau(p), batch: p.batch }
}

/// At the start of the workspace.
fn tau(p: &Qr) -> Operand {
    Operand::Strided { base: p.work.p, stride: p.m.min(p.n) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(m: i64, n: i64, k: i64, form: u32, limits: Limits) -> usize {
        Qr::plan(Shape { dtype: Dtype::D, m, n, k, form }, limits).unwrap().steps.len()
    }

    #[test]
    fn small_squares_are_one_launch() {
        for dtype in Dtype::ALL {
            for n in 1..=32 {
                let plan = Qr::plan(Shape { dtype, m: n, n, k: n, form: 0 }, Limits::HOPPER).unwrap();
                assert_eq!((plan.candidate, plan.launches().count()), ("resident", 1), "{dtype:?} {n}");
            }
        }
    }

    #[test]
    fn parts_copy_no_more_than_they_must() {
        let limits = Limits { tuned: false, ..Limits::HOPPER };
        // copy, factor, R, Q
        assert_eq!(steps(9, 4, 4, 0, limits), 4);
        assert_eq!(steps(9, 4, 4, IN_PLACE, limits), 3);
        assert_eq!(steps(9, 4, 9, 0, limits), 4);
        assert_eq!(steps(9, 4, 0, 0, limits), 3, "no Q");
        assert_eq!(steps(4, 9, 4, 0, limits), 5, "factored in R's place");
        assert_eq!(steps(4, 0, 4, 0, limits), 1, "the identity");
    }
}
