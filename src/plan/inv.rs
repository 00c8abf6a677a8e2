//! Plans for the inverse.
//!
//! Candidates: `resident` (in registers, one launch) and `parts`, which takes everything: a copy of A in the workspace is
//! factored, and A X = I solved in C's place.

use super::orgqr::tightest;
use super::table::INVERSE_SMALL;
use super::work::Arrays;
use super::{Copy, Form, Launch, Limits, Plan, Planned, Shape, allowed};
use crate::error::Error;
use crate::routine::{Getrf, Getri, Inv, Operand, Workspace};

/// The order.
impl Planned for Inv {
    fn shape(&self, _: Limits) -> Shape {
        Shape { dtype: self.dtype, m: self.n, n: self.n, k: 0, form: 0 }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Inv>, Error> {
        let Shape { dtype, n, .. } = shape;
        // A list that does not name it is about other operations' plans, or about the parts'.
        if let Some(small) =
            tightest(INVERSE_SMALL.iter(), dtype, n, n).filter(|_| limits.native && allowed("resident"))
        {
            return Ok(Plan::new("resident", [Launch::on(small, n, n, 0)]));
        }
        let mut plan = Plan { workspace: |p| Ok(arrays(p)?.bytes), ..Plan::new("parts", []) };
        plan.sub(|p, to| {
            let Inv { dtype, n, a, lda, batch, .. } = *p;
            let (place, form) = (factors(p)?.0, Form::Whole);
            to.copy(&Copy { dtype, from: (a, lda), to: (place, n), rows: n, columns: n, form, batch })
        });
        plan.sub(|p, to| {
            let Inv { dtype, n, info, batch, .. } = *p;
            let (a, ipiv) = factors(p)?;
            to.operation(&Getrf { dtype, m: n, n, a, lda: n, pivoting: true, ipiv, info, batch, work: Workspace::NONE })
        });
        plan.sub(|p, to| {
            let Inv { dtype, n, c, ldc, batch, .. } = *p;
            let ((a, ipiv), info, work) = (factors(p)?, std::ptr::null_mut(), rest(p)?);
            to.operation(&Getri { dtype, n, a, lda: n, ipiv, c, ldc, info, batch, work })
        });
        Ok(plan)
    }
}

/// The workspace: A's copies, and their interchanges, which are no wider than elements; as much as those for getri's own.
fn arrays(p: &Inv) -> Result<Arrays<3>, Error> {
    Arrays::new(p, [p.n.saturating_mul(p.n), p.n, p.n])
}

/// getri's workspace.
fn rest(p: &Inv) -> Result<Workspace, Error> {
    let arrays = arrays(p)?;
    let (Operand::Strided { base, .. }, bytes) = (arrays.operand(2, p.work), arrays.bytes_of(2)) else {
        return Ok(Workspace::NONE);
    };
    Ok(Workspace { p: base, bytes })
}

/// The factors and their interchanges.
fn factors(p: &Inv) -> Result<(Operand, Operand), Error> {
    let arrays = arrays(p)?;
    Ok((arrays.operand(0, p.work), arrays.operand(1, p.work)))
}
