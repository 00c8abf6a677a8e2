//! Plans for the inverse.
//!
//! Candidates: `resident` (in registers, one launch; up to order 16, in real types 32) and `parts`, which accepts
//! every order: a copy of A is factored, and A X = I is solved in C. Where [`getri`](crate::gpu::getri) inverts in
//! registers, C holds the copy (A itself if C is A); otherwise the workspace does.

use crate::error::Error;
use crate::gpu::getri::{in_registers, inverses};
use crate::gpu::orgqr::tightest;
use crate::gpu::plan::table::INVERSE_SMALL;
use crate::gpu::plan::work::Arrays;
use crate::gpu::plan::{Copy, Form, Launch, Limits, Plan, Planned, Shape, allowed};
use crate::routine::{Getrf, Getri, Inv, Operand, Workspace};

/// Bit of `form`: C is A.
const IN_PLACE: u32 = 1;

/// The shape has the order.
impl Planned for Inv {
    fn shape(&self, _: Limits) -> Shape {
        let form = if self.in_place() { IN_PLACE } else { 0 };
        Shape { dtype: self.dtype, m: self.n, n: self.n, k: 0, form }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Inv>, Error> {
        let Shape { dtype, n, form, .. } = shape;
        // A list of allowed plans that does not name it may be meant for other operations, or for the parts.
        if let Some(small) =
            tightest(INVERSE_SMALL.iter(), dtype, n, n).filter(|_| limits.native && allowed("resident"))
        {
            return Ok(Plan::new("resident", [Launch::on(small, n, n, 0)]));
        }
        if in_registers(dtype, n, limits).is_some() {
            let mut plan = Plan { workspace: |p| Ok(interchanges(p)?.bytes), ..Plan::new("parts", []) };
            if form & IN_PLACE == 0 {
                plan.sub(|p, to| to.copy(&copy(p, (p.c, p.ldc))));
            }
            plan.sub(|p, to| to.operation(&factored(p, (p.c, p.ldc), interchanges(p)?.operand(0, p.work))));
            plan.sub(|p, to| {
                let ipiv = interchanges(p)?.operand(0, p.work);
                to.operation(&inverted(p, (p.c, p.ldc), ipiv, Workspace::NONE))
            });
            return Ok(plan);
        }
        let mut plan = Plan { workspace: |p| Ok(arrays(p)?.bytes), ..Plan::new("parts", []) };
        plan.sub(|p, to| to.copy(&copy(p, (factors(p)?.0, p.n))));
        plan.sub(|p, to| {
            let (a, ipiv) = factors(p)?;
            to.operation(&factored(p, (a, p.n), ipiv))
        });
        plan.sub(|p, to| {
            let (a, ipiv) = factors(p)?;
            to.operation(&inverted(p, (a, p.n), ipiv, rest(p)?))
        });
        Ok(plan)
    }
}

/// Copies A to where it is factored.
fn copy(p: &Inv, to: (Operand, i64)) -> Copy {
    let &Inv { dtype, n, a, lda, batch, .. } = p;
    Copy { dtype, from: (a, lda), to, rows: n, columns: n, form: Form::Whole, batch }
}

fn factored(p: &Inv, (a, lda): (Operand, i64), ipiv: Operand) -> Getrf {
    let &Inv { dtype, n, info, batch, .. } = p;
    Getrf { info, ..Getrf::of(dtype, (n, n), (a, lda), Some(ipiv), batch) }
}

/// Inverts from the factors, into C.
fn inverted(p: &Inv, (a, lda): (Operand, i64), ipiv: Operand, work: Workspace) -> Getri {
    let &Inv { dtype, n, c, ldc, batch, .. } = p;
    Getri { dtype, n, a, lda, ipiv, c, ldc, sizes: None, info: std::ptr::null_mut(), batch, work }
}

/// The workspace if C holds the factors: their interchanges, which are no wider than elements.
fn interchanges(p: &Inv) -> Result<Arrays<1>, Error> {
    Arrays::new(p, [p.n])
}

/// The workspace otherwise: the copies of A, their interchanges, and getri's workspace (as much again for its
/// permutation, and inverted diagonal blocks).
fn arrays(p: &Inv) -> Result<Arrays<4>, Error> {
    Arrays::new(p, [p.n.saturating_mul(p.n), p.n, p.n, inverses(p.n)])
}

/// The workspace that getri gets.
fn rest(p: &Inv) -> Result<Workspace, Error> {
    let arrays = arrays(p)?;
    let (Operand::Strided { base, .. }, bytes) = (arrays.operand(2, p.work), arrays.bytes_of(2) + arrays.bytes_of(3))
    else {
        return Ok(Workspace::NONE);
    };
    Ok(Workspace { p: base, bytes })
}

/// The factors and their interchanges.
fn factors(p: &Inv) -> Result<(Operand, Operand), Error> {
    let arrays = arrays(p)?;
    Ok((arrays.operand(0, p.work), arrays.operand(1, p.work)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routine::Dtype;

    /// In place, nothing is copied if getri holds the matrix in registers.
    #[test]
    fn copies_are_made_only_where_they_are_needed() {
        for (dtype, most) in [(Dtype::S, 160), (Dtype::D, 64), (Dtype::C, 132), (Dtype::Z, 96)] {
            for n in [33, 64, 65, 96, 97, 128, 129, 133, 161] {
                let steps = |form| Inv::plan(Shape { dtype, m: n, n, k: 0, form }, Limits::HOPPER).unwrap().steps.len();
                assert_eq!((steps(0), steps(IN_PLACE)), (3, if n <= most { 2 } else { 3 }), "{dtype:?} {n}");
            }
        }
    }

    /// One launch inverts what a few lanes hold, which excludes complex matrices with more than 16 rows.
    #[test]
    fn small_orders_are_inverted_by_one_launch() {
        for (dtype, most) in [(Dtype::S, 32), (Dtype::D, 32), (Dtype::C, 16), (Dtype::Z, 16)] {
            for n in 1..=33 {
                let plan = Inv::plan(Shape { dtype, m: n, n, k: 0, form: 0 }, Limits::HOPPER).unwrap();
                assert_eq!(plan.candidate, if n <= most { "resident" } else { "parts" }, "{dtype:?} {n}");
            }
        }
    }
}
