//! Plans for the inverse from a Cholesky factor.
//!
//! Candidates: `resident` (in registers, one launch) and `parts`, which takes everything: W = L^-1 by a triangular solve with
//! the identity, W^H W, both in the workspace, and their way to the factor's place, unless that is singular.

use crate::error::Error;
use crate::gpu::orgqr::tightest;
use crate::gpu::plan::table::{GEMM, Instance, POTRI_FINISH, POTRI_SMALL};
use crate::gpu::plan::work::Arrays;
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape, allowed};
use crate::gpu::potrf::upper;
use crate::routine::{Alpha, Assign, Diag, Operand, Part, Potri, Side, Source, Trans, Trsm};
use crate::scalar::C64;

/// The order.
impl Planned for Potri {
    fn shape(&self, _: Limits) -> Shape {
        Shape { dtype: self.dtype, m: self.n, n: self.n, k: 0, form: upper(self.uplo) }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Potri>, Error> {
        let Shape { dtype, n, .. } = shape;
        if n > i32::MAX.into() {
            return Err(Error::NotSupported("2^31 or more rows or columns on the device".into()));
        }
        // A list that does not name it is about other operations' plans, or about the parts'.
        let small = tightest(POTRI_SMALL.iter(), dtype, n, n).filter(|_| limits.native && allowed("resident"));
        if let Some(small) = small {
            return Ok(Plan::new("resident", [Launch::on(small, n, n, 0)]));
        }
        let mut plan = Plan::new("parts", []);
        plan.workspace = |p| Ok(arrays(p)?.bytes);
        plan.sub(|p, to| to.assign(&identity(p)?));
        plan.sub(|p, to| to.operation(&inversion(p)?));
        plan.launch(Launch::on(Instance::plain(GEMM, dtype)?, n, n, 0));
        plan.launch(Launch::on(Instance::plain(POTRI_FINISH, dtype)?, n, n, 0));
        Ok(plan)
    }

    fn words(&self, l: &Launch) -> String {
        let order = l.n;
        match () {
            () if l.instance.is_of(GEMM) => format!("triangle of the inverse of order {order}, from the factor's"),
            () if l.instance.is_of(POTRI_FINISH) => format!("the triangle of order {order} to its place, and info"),
            () => format!("order {order}"),
        }
    }
}

/// The workspace: the factors' inverses, then the matrices'.
fn arrays(p: &Potri) -> Result<Arrays<2>, Error> {
    Arrays::new(p, [p.n.saturating_mul(p.n); 2])
}

/// Where the factors' inverses are, and the matrices', with leading dimensions of n.
pub(crate) fn inverses(p: &Potri) -> Result<(Operand, Operand), Error> {
    let arrays = arrays(p)?;
    Ok((arrays.operand(0, p.work), arrays.operand(1, p.work)))
}

fn identity(p: &Potri) -> Result<Assign, Error> {
    let number = |re| C64 { re, im: 0.0 };
    let source = Source::Constants { off: number(0.0), on: number(1.0) };
    let to = inverses(p)?.0;
    Ok(Assign { dtype: p.dtype, part: Part::Full, m: p.n, n: p.n, source, to, ld: p.n, sizes: None, batch: p.batch })
}

/// L W = I, or U W = I.
fn inversion(p: &Potri) -> Result<Trsm, Error> {
    let &Potri { dtype, uplo, n, a, lda, batch, .. } = p;
    let (side, trans, diag, alpha, b) = (Side::Left, Trans::N, Diag::NonUnit, Alpha::host(1.0), inverses(p)?.0);
    Ok(Trsm { dtype, side, uplo, trans, diag, m: n, n, alpha, a, lda, b, ldb: n, sizes: None, batch })
}
