//! Plans for the solution of systems by their Cholesky factors.
//!
//! Candidates, in order: `resident` (small factors in registers, one launch), `fused` (factors in shared memory, one launch, for
//! a few right-hand sides) and `parts`, which takes everything: two triangular solves.

use super::potrf::{SIDES, team, upper};
use super::table::{Instance, POTRS_SMALL, POTRS_TEAM};
use super::{Launch, Limits, Plan, Planned, Shape, allowed};
use crate::error::Error;
use crate::routine::{Alpha, Diag, Dtype, Potrs, Side, Trans, Trsm, Uplo};

/// Order and right-hand sides.
impl Planned for Potrs {
    fn shape(&self, _: Limits) -> Shape {
        Shape { dtype: self.dtype, m: self.n, n: self.nrhs, k: 0, form: upper(self.uplo) }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Potrs>, Error> {
        let Shape { dtype, m: n, n: nrhs, form, .. } = shape;
        // A list that does not name it is about other operations' plans, or about the parts'.
        if let Some(small) = small(dtype, n, nrhs).filter(|_| limits.native && allowed("resident")) {
            return Ok(Plan::new("resident", [Launch::on(small, n, nrhs, 0)]));
        }
        if let Some(launch) = team(POTRS_TEAM, dtype, (n, nrhs), SIDES, limits).filter(|_| allowed("fused")) {
            return Ok(Plan::new("fused", [launch]));
        }
        let mut plan = Plan::<Potrs>::new("parts", []);
        if form == upper(Uplo::Upper) {
            plan.sub(|p, to| to.operation(&triangle(p, Trans::C)));
            plan.sub(|p, to| to.operation(&triangle(p, Trans::N)));
        } else {
            plan.sub(|p, to| to.operation(&triangle(p, Trans::N)));
            plan.sub(|p, to| to.operation(&triangle(p, Trans::C)));
        }
        Ok(plan)
    }

    fn words(&self, l: &Launch) -> String {
        format!("order {}, {} right-hand side(s) in tiles of {}", l.m, l.n, l.instance.columns)
    }
}

/// Of the instances that hold the fewest rows one whose tile holds all right-hand sides, or else the widest: a few tiles, which
/// read the factors each.
fn small(dtype: Dtype, n: i64, nrhs: i64) -> Option<&'static Instance> {
    const TILES: i64 = 4;
    let best = POTRS_SMALL.iter().filter(|i| i.dtype == dtype && i64::from(i.rows) >= n).min_by_key(|i| {
        let columns = i64::from(i.columns);
        (i.rows, columns < nrhs, if columns < nrhs { -columns } else { columns })
    });
    best.filter(|i| nrhs <= TILES * i64::from(i.columns))
}

/// The factor, or its adjoint.
fn triangle(p: &Potrs, trans: Trans) -> Trsm {
    let &Potrs { dtype, uplo, n, nrhs, a, lda, b, ldb, batch, .. } = p;
    let (side, diag, alpha) = (Side::Left, Diag::NonUnit, Alpha::host(1.0));
    Trsm { dtype, side, uplo, trans, diag, m: n, n: nrhs, alpha, a, lda, b, ldb, batch }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_right_hand_sides_are_one_launch() {
        for dtype in Dtype::ALL {
            for (n, nrhs, candidate) in [
                (1, 1, "resident"),
                (16, 30, "resident"),
                (20, 1, "resident"),
                (33, 1, "fused"),
                (128, 16, "fused"),
                (64, 17, "parts"),
            ] {
                for form in [0, 1] {
                    let plan = Potrs::plan(Shape { dtype, m: n, n: nrhs, k: 0, form }, Limits::HOPPER).unwrap();
                    assert_eq!(plan.candidate, candidate, "{dtype:?} {n} x {nrhs}");
                    assert_eq!(plan.steps.len(), if candidate == "parts" { 2 } else { 1 });
                }
            }
        }
    }
}
