//! Plans for the inverse from LU factors.
//!
//! Candidates: `resident` (in registers, one launch) and `parts`, which takes everything: A X = I is solved in C's place.
//! Where that is A's, the factors go to the workspace first. One launch writes the identity with its rows exchanged, and
//! info; two triangular solves follow. Of orders that it does not hold, info, the identity and the exchanges are launches
//! of their own.

use super::getrs::triangle;
use super::orgqr::tightest;
use super::table::{GELS_INFO, GETRI_SMALL, IDENTITY_INTERCHANGED, Instance};
use super::work::Arrays;
use super::{Copy, Form, Launch, Limits, Plan, Planned, Shape, allowed};
use crate::error::Error;
use crate::routine::{Assign, Getri, Getrs, Operand, Part, Source, Trans, Uplo};
use crate::scalar::C64;

/// The bit of `form`: C is A.
const IN_PLACE: u32 = 1;
/// info is wanted.
const INFO: u32 = 2;

/// The order.
impl Planned for Getri {
    fn shape(&self, _: Limits) -> Shape {
        let in_place = if in_place(self) { IN_PLACE } else { 0 };
        let info = if self.info.is_null() { 0 } else { INFO };
        Shape { dtype: self.dtype, m: self.n, n: self.n, k: 0, form: in_place | info }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Getri>, Error> {
        let Shape { dtype, n, .. } = shape;
        // A list that does not name it is about other operations' plans, or about the parts'.
        let small = tightest(GETRI_SMALL.iter(), dtype, n, n).filter(|_| limits.native && allowed("resident"));
        if let Some(small) = small {
            return Ok(Plan::new("resident", [Launch::on(small, n, n, 0)]));
        }
        let mut plan = Plan::new("parts", []);
        let identity_interchanged = Instance::plain(IDENTITY_INTERCHANGED, dtype)?;
        let at_once = n <= i64::from(identity_interchanged.rows);
        if !at_once && shape.form & INFO != 0 {
            plan.launch(Launch::on(Instance::plain(GELS_INFO, dtype)?, n, n, 0));
        }
        if shape.form & IN_PLACE != 0 {
            plan.workspace = |p| Ok(copies(p)?.bytes);
            plan.sub(|p, to| {
                let Getri { dtype, n, a, lda, batch, .. } = *p;
                let form = Form::Whole;
                to.copy(&Copy { dtype, from: (a, lda), to: factors(p)?, rows: n, columns: n, form, batch })
            });
        }
        if at_once {
            plan.launch(Launch::on(identity_interchanged, n, n, 0));
            plan.sub(|p, to| to.operation(&triangle(&system(p)?, Uplo::Lower)));
            plan.sub(|p, to| to.operation(&triangle(&system(p)?, Uplo::Upper)));
        } else {
            plan.sub(|p, to| to.assign(&identity(p)));
            plan.sub(|p, to| to.operation(&system(p)?));
        }
        Ok(plan)
    }

    fn words(&self, l: &Launch) -> String {
        if l.instance.is_of(GETRI_SMALL) {
            format!("order {}", l.n)
        } else if l.instance.is_of(GELS_INFO) {
            format!("info from {} diagonal elements", l.n)
        } else {
            format!("the identity of order {} with its rows exchanged, and info", l.n)
        }
    }
}

/// A query of the workspace has no operands: it is answered for the case that needs some.
fn in_place(p: &Getri) -> bool {
    p.in_place() || p.a.is_null()
}

fn copies(p: &Getri) -> Result<Arrays<1>, Error> {
    Arrays::new(p, [p.n.saturating_mul(p.n)])
}

/// Where the factors are when C is written.
pub(crate) fn factors(p: &Getri) -> Result<(Operand, i64), Error> {
    Ok(if p.in_place() { (copies(p)?.operand(0, p.work), p.n) } else { (p.a, p.lda) })
}

/// A X = C.
fn system(p: &Getri) -> Result<Getrs, Error> {
    let &Getri { dtype, n, ipiv, c, ldc, batch, work, .. } = p;
    let (a, lda) = factors(p)?;
    Ok(Getrs { dtype, trans: Trans::N, n, nrhs: n, a, lda, ipiv, b: c, ldb: ldc, batch, work })
}

fn identity(p: &Getri) -> Assign {
    let number = |re| C64 { re, im: 0.0 };
    let source = Source::Constants { off: number(0.0), on: number(1.0) };
    Assign { dtype: p.dtype, part: Part::Full, m: p.n, n: p.n, source, to: p.c, ld: p.ldc, batch: p.batch }
}
