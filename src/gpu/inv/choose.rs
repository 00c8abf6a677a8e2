//! Plans for the inverse.
//!
//! Candidates: `resident` (in registers, one launch; up to order 16, in real types 32) and `parts`, which accepts
//! every order: a copy of A is factored, and A X = I is solved in C. Where [`getri`](crate::gpu::getri) inverts in
//! registers, C holds the copy (A itself if C is A); otherwise the workspace does.

use crate::error::Error;
use crate::gpu::getri::{ahead, are_many, in_registers};
use crate::gpu::orgqr::tightest;
use crate::gpu::plan::strip::inverted_diagonals;
use crate::gpu::plan::table::INVERSE_SMALL;
use crate::gpu::plan::work::Arrays;
use crate::gpu::plan::{Copy, Form, Launch, Limits, Plan, Planned, Shape, allowed};
use crate::routine::{Getrf, Getri, Inv, Operand, Workspace};

/// Bit of `form`: C is A.
const IN_PLACE: u32 = 1;
/// Bit of `form`: the batch is large.
const MANY: u32 = 2;

/// The shape has the order.
impl Planned for Inv {
    type Task = ();

    fn shape(&self, limits: Limits) -> Shape {
        let in_place = if self.in_place() { IN_PLACE } else { 0 };
        let form = in_place | if are_many(self.batch, limits) { MANY } else { 0 };
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
        let many = form & MANY != 0;
        if in_registers(dtype, n, many, limits).is_some() {
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
        let given = ahead(dtype, n, many, limits);
        if given {
            plan.workspace = |p| Ok(arrays_ahead(p)?.bytes);
        }
        plan.sub(|p, to| to.copy(&copy(p, (factors(p)?.0, p.n))));
        plan.sub(|p, to| {
            let (a, ipiv) = factors(p)?;
            to.operation(&factored(p, (a, p.n), ipiv))
        });
        if given {
            plan.sub(|p, to| {
                let (a, ipiv) = factors(p)?;
                to.operation(&inverted(p, (a, p.n), ipiv, rest(p, arrays_ahead(p)?.bytes)?))
            });
        } else {
            plan.sub(|p, to| {
                let (a, ipiv) = factors(p)?;
                to.operation(&inverted(p, (a, p.n), ipiv, rest(p, arrays(p)?.bytes)?))
            });
        }
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

/// The workspace otherwise: the copies of A, their interchanges, and as much again for getri's permutation.
fn arrays(p: &Inv) -> Result<Arrays<3>, Error> {
    Arrays::new(p, [p.n.saturating_mul(p.n), p.n, p.n])
}

/// The same, followed by getri's inverted diagonal blocks.
fn arrays_ahead(p: &Inv) -> Result<Arrays<1>, Error> {
    Arrays::after(arrays(p)?.bytes, p, [inverted_diagonals(p.n)])
}

/// The workspace that getri gets: the rest of `bytes`.
fn rest(p: &Inv, bytes: usize) -> Result<Workspace, Error> {
    let arrays = arrays(p)?;
    let Operand::Strided { base, .. } = arrays.operand(2, p.work) else { return Ok(Workspace::NONE) };
    Ok(Workspace { p: base, bytes: bytes - (arrays.bytes - arrays.bytes_of(2)) })
}

/// The factors and their interchanges.
fn factors(p: &Inv) -> Result<(Operand, Operand), Error> {
    let arrays = arrays(p)?;
    Ok((arrays.operand(0, p.work), arrays.operand(1, p.work)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routine::{Dtype, Math, Routine};

    /// In place, nothing is copied if getri holds the matrix in registers.
    #[test]
    fn copies_are_made_only_where_they_are_needed() {
        for (dtype, most) in [(Dtype::S, 192), (Dtype::D, 64), (Dtype::C, 132), (Dtype::Z, 96)] {
            for n in [33, 64, 65, 96, 97, 128, 129, 133, 192, 193] {
                let shape = |form| Shape { dtype, m: n, n, k: 0, form: MANY | form };
                let steps = |form| Inv::plan(shape(form), Limits::HOPPER).unwrap().steps.len();
                assert_eq!((steps(0), steps(IN_PLACE)), (3, if n <= most { 2 } else { 3 }), "{dtype:?} {n}");
            }
        }
    }

    /// The workspace that getri gets is what getri asks for.
    #[test]
    fn getri_has_room_for_its_arrays() {
        for dtype in Dtype::ALL {
            for (n, batch) in [100, 128, 129, 133, 193, 256].into_iter().flat_map(|n| [(n, 3), (n, 200), (n, 700)]) {
                let (math, extra) = (Math::Fp32, Default::default());
                let p = Inv::of_shape(&crate::routine::Shape { dtype, m: n, n, batch, math, extra });
                if in_registers(dtype, n, batch >= 200, Limits::HOPPER).is_some() {
                    continue;
                }
                let plan = Inv::plan(p.shape(Limits::HOPPER), Limits::HOPPER).unwrap();
                let bytes = (plan.workspace)(&p).unwrap();
                let given = rest(&p, bytes).unwrap().bytes;
                // Elsewhere than in place, and with interchanges.
                let [a, c, ipiv] = [1, 2, 3].map(|at| Operand::Strided { base: at as *mut _, stride: n * n });
                let getri = inverted(&p, (a, n), ipiv, Workspace::NONE);
                let getri = Getri { c, ..getri };
                let part = Getri::plan(getri.shape(Limits::HOPPER), Limits::HOPPER).unwrap();
                assert!(given >= (part.workspace)(&getri).unwrap(), "{dtype:?} {n} {batch}");
                assert_eq!(bytes > arrays(&p).unwrap().bytes, ahead(dtype, n, batch >= 200, Limits::HOPPER));
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
