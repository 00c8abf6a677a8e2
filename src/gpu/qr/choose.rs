//! Plans for QR with explicit factors.
//!
//! Candidates: `resident` (everything in registers, one launch), `tree` (R, with or without the thin Q, where geqrf
//! factors by one tree, see [`tall_panel`]) and `parts`, which accepts every shape: A is factored on its way to the
//! memory of Q or R, and Q is formed there.

use crate::error::Error;
use crate::gpu::geqrf::select;
use crate::gpu::orgqr::tightest;
use crate::gpu::plan::table::{Instance, Q};
use crate::gpu::plan::work::Arrays;
use crate::gpu::plan::{Copy, Form, Launch, Limits, Plan, Planned, SeparateOperands, Shape, allowed};
use crate::gpu::qr::steps;
use crate::gpu::tall::{Task, tree as tall_panel};
use crate::routine::{Dtype, Geqrf, Math, Operand, Orgqr, QPart, Qr, QrStage};

/// The shape has m, n, the number of columns of Q, and 1 as its form for halves.
impl Planned for Qr {
    type Task = Task;

    fn limits(&self, device: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        Ok(device()?.with_batch(self.m, self.n, self.batch))
    }

    fn shape(&self, _: Limits) -> Shape {
        let halved = !matches!(self.stage, QrStage::Whole);
        Shape { dtype: self.dtype, m: self.m, n: self.n, k: columns(self), form: halved.into() }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Qr>, Error> {
        let Shape { dtype, m, n, k: columns, form } = shape;
        let k = m.min(n);
        if form != 0 {
            let tree = tree(dtype, m, n, limits).filter(|_| columns == n);
            let tree = tree.ok_or_else(|| Error::NotSupported("halves of this QR factorisation".into()))?;
            return Ok(Plan::with_tasks(tall_panel::NAME, [(tree, Task::Tree)]));
        }
        if let Some(instance) = resident(dtype, m, n, columns, limits).filter(|_| k > 0) {
            let plan = Plan::new("resident", [Launch::on(instance, m, n, 0)]);
            return Ok(Plan { workspace: |p| Ok(arrays(p, false)?.bytes), ..plan });
        }
        if columns <= k
            && let Some(tree) = tree(dtype, m, n, limits)
        {
            return Ok(Plan::with_tasks(tall_panel::NAME, [(tree, Task::Tree)]));
        }
        let mut plan = Plan { workspace: |p| Ok(arrays(p, true)?.bytes), ..Plan::new("parts", []) };
        if k > 0 {
            plan.sub(|p, to| to.factor(&factoring(p)?, &separate_operands(p)?));
            let factored_in_r = 0 < columns && columns < n || columns == 0 && m <= n;
            if columns > 0 && factored_in_r {
                plan.sub(|p, to| to.copy(&copy(p, factors(p)?, (p.q, p.ldq), p.m, p.m.min(p.n))));
            }
            if factored_in_r {
                plan.sub(|p, to| {
                    to.copy(&Copy { form: Form::Triangle, ..copy(p, factors(p)?, (p.r, p.ldr), rows(p), p.n) })
                });
            }
        }
        if columns > 0 {
            plan.sub(|p, to| to.operation(&writing(p)));
        }
        Ok(plan)
    }

    fn workspace_under(&self, plan: &Plan<Qr>) -> Result<usize, Error> {
        match (self.stage, plan.launches().next()) {
            (QrStage::R | QrStage::Q { .. }, Some(tree)) => steps::bytes_between_halves(self, tree, plan.limits),
            _ => (plan.workspace)(self),
        }
    }

    fn words(&self, l: &Launch, task: Task) -> String {
        let Launch { m, n, .. } = l;
        if task == Task::Tree {
            let q = columns(self) > 0;
            let what = if q { "R and Q" } else { "R alone" };
            format!("{m} x {n}, {what}{}", tall_panel::words(l))
        } else {
            format!("{m} x {n} at (0, 0)")
        }
    }
}

/// The tree, if geqrf factors the whole matrix by one. Also if it uses a cluster, since no cluster kernel can
/// produce R alone.
fn tree(dtype: Dtype, m: i64, n: i64, limits: Limits) -> Option<Launch> {
    let tree = tall_panel::launch(dtype, m, n, 0, limits)?;
    let plan = select::plan(dtype, m, n, limits).ok()?;
    let mut launches = plan.tasks();
    launches.next().filter(|(l, task)| *task == Task::Tree || l.instance.cluster > 1)?;
    if launches.next().is_none() { Some(tree) } else { None }
}

/// Whether one launch for Q and R with this tile is faster than the launches of geqrf and orgqr.
fn pays(r: &Instance, limits: Limits) -> bool {
    let of = &limits.measured().qr;
    r.rows * r.columns <= of.area && r.rows <= of.rows[r.dtype]
}

/// The instance that factors an m x n matrix and forms `columns` columns of its Q, in registers.
fn resident(dtype: Dtype, m: i64, n: i64, columns: i64, limits: Limits) -> Option<&'static Instance> {
    let small = Q.iter().filter(|r| pays(r, limits));
    if limits.native && allowed("resident") { tightest(small, dtype, m, n.max(columns)) } else { None }
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

/// The workspace: tau, and a copy of A if neither Q nor R has room for it.
fn arrays(p: &Qr, tau: bool) -> Result<Arrays<2>, Error> {
    let copy = if columns(p) == 0 && p.m > p.n { p.m.saturating_mul(p.n) } else { 0 };
    Arrays::new(p, [if tau { p.m.min(p.n) } else { 0 }, copy])
}

/// Where A is factored: in Q if that is wide enough, or in R if that is tall enough, or else in the workspace.
/// `tau`: whether the workspace contains tau.
pub fn place(p: &Qr, tau: bool) -> Result<(Operand, i64), Error> {
    Ok(match columns(p) {
        0 if p.m > p.n => (arrays(p, tau)?.operand(1, p.work), p.m),
        columns if columns >= p.n => (p.q, p.ldq),
        _ => (p.r, p.ldr),
    })
}

/// The memory that holds the reflectors and R.
fn factors(p: &Qr) -> Result<(Operand, i64), Error> {
    place(p, true)
}

fn copy(p: &Qr, from: (Operand, i64), to: (Operand, i64), rows: i64, columns: i64) -> Copy {
    Copy { dtype: p.dtype, from, to, rows, columns, form: Form::Whole, batch: p.batch }
}

/// Reads A from its own memory and writes R to its own, unless A is factored there.
fn separate_operands(p: &Qr) -> Result<SeparateOperands, Error> {
    let place = factors(p)?;
    let from = (place != (p.a, p.lda)).then_some((p.a, p.lda));
    Ok(SeparateOperands { from, r: (place.0 != p.r).then_some((p.r, p.ldr, rows(p))) })
}

fn factoring(p: &Qr) -> Result<Geqrf, Error> {
    let ((a, lda), info) = (factors(p)?, std::ptr::null_mut());
    Ok(Geqrf {
        dtype: p.dtype,
        m: p.m,
        n: p.n,
        a,
        lda,
        sizes: None,
        tau: tau(p),
        batch: p.batch,
        info,
        math: Math::Fp32,
    })
}

/// Q overwrites its reflectors.
fn writing(p: &Qr) -> Orgqr {
    let (n, k, a, lda) = (columns(p), p.m.min(p.n), p.q, p.ldq);
    Orgqr { dtype: p.dtype, m: p.m, n, k, a, lda, sizes: None, tau: tau(p), batch: p.batch }
}

/// tau, at the start of the workspace.
fn tau(p: &Qr) -> Operand {
    Operand::Strided { base: p.work.p, stride: p.m.min(p.n) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(m: i64, n: i64, k: i64, limits: Limits) -> usize {
        Qr::plan(Shape { dtype: Dtype::D, m, n, k, form: 0 }, limits).unwrap().steps.len()
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
    fn tall_matrices_take_geqrfs_tree() {
        let plan = |m, n, k, limits| Qr::plan(Shape { dtype: Dtype::S, m, n, k, form: 0 }, limits).unwrap();
        for (n, k) in [(32, 0), (32, 32), (16, 0), (16, 16)] {
            let p = plan(100_000, n, k, Limits::HOPPER);
            assert_eq!((p.candidate, p.steps.len()), (tall_panel::NAME, 1), "{n} columns, {k} of Q");
        }
        for (m, n, k) in [(2048, 32, 0), (4096, 33, 33), (4096, 32, 4096)] {
            assert_ne!(plan(m, n, k, Limits::HOPPER).candidate, tall_panel::NAME, "{m} x {n}, {k} of Q");
        }
    }

    #[test]
    fn parts_copy_no_more_than_they_must() {
        let limits = Limits { native: false, ..Limits::HOPPER };
        assert_eq!(steps(9, 4, 4, limits), 2, "factor, Q");
        assert_eq!(steps(9, 4, 9, limits), 2);
        assert_eq!(steps(9, 4, 0, limits), 1, "no Q");
        assert_eq!(steps(4, 9, 4, limits), 4, "factored in R's place");
        assert_eq!(steps(4, 9, 0, limits), 2, "the same without Q");
        assert_eq!(steps(4, 0, 4, limits), 1, "the identity");
    }
}
