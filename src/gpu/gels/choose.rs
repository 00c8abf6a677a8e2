//! Plans for batched least squares.
//!
//! Candidates, in order: `fused` (A and B next to each other in registers, one launch, no workspace; small
//! least-squares problems) and `parts`, which accepts every shape: the taller one of A and A^H is factored (A^H as a
//! copy), then Q^H and R^-1 are applied to the right-hand sides (least squares), or R^-H and Q (minimum norm).
//! Before that, matrices with elements near overflow or underflow are scaled, and afterwards scaled back.

use crate::error::Error;
use crate::gpu::gels::each;
use crate::gpu::plan::table::{GELS, GELS_FINISH, GELS_PREPARE, GELS_SCALE, Instance};
use crate::gpu::plan::work::Arrays;
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape, allowed};
use crate::routine::{Alpha, Diag, Gels, Geqrf, Math, Operand, Ormqr, Side, Trans, Trsm, Uplo};
use crate::scalar::C64;

/// Bit of `form`: op(A) is not A.
const TRANSPOSED: u32 = 1;
/// Bit of `form`: info is wanted.
const INFO: u32 = 2;
/// Bit of `form`: members have individual sizes.
const EACH: u32 = 4;

/// What a launch does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// Solves.
    #[default]
    Solve,
    /// Copies A^H where that is factored, and fills B or describes the members ([`each`]).
    Prepare,
    /// Scales A and B away from overflow and underflow.
    Scale,
    /// Writes info, and scales back.
    Finish,
}

/// The shape has m, n and the number of right-hand sides.
impl Planned for Gels {
    type Task = Task;

    fn shape(&self, _: Limits) -> Shape {
        let transposed = if self.trans == Trans::N { 0 } else { TRANSPOSED };
        let info = if self.info.is_null() { 0 } else { INFO };
        let form = if self.sizes.is_some() { EACH } else { transposed | info };
        Shape { dtype: self.dtype, m: self.m, n: self.n, k: self.nrhs, form }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Gels>, Error> {
        if shape.form == EACH {
            return each::plan(shape.dtype, (shape.m, shape.n), shape.k);
        }
        // A list of allowed plans that names neither candidate is meant for other operations.
        let free = !allowed("fused") && !allowed("parts");
        match fused(shape).filter(|_| limits.native && (free || allowed("fused"))) {
            Some(tile) => Ok(Plan::new("fused", [Launch::on(tile, shape.m, shape.n, 0)])),
            None if free || allowed("parts") => parts(shape),
            None => Err(Error::NotSupported(format!("no allowed plan solves with {} x {}", shape.m, shape.n))),
        }
    }

    fn words(&self, l: &Launch, task: Task) -> String {
        let each = self.sizes.is_some();
        match task {
            Task::Prepare if each => each::words_of_prepare(self, l),
            Task::Prepare => {
                let copies = if self.m < self.n { "A^H to the workspace, " } else { "" };
                format!("{copies}zeros in rows {} .. {} of B", l.offset, l.offset + l.m)
            }
            Task::Scale => format!("A and B scaled where they are near an end of the range, {} x {}", l.m, l.n),
            Task::Finish if each => "info, and R, X and what is left of B as their scale was".into(),
            Task::Finish => {
                let info = if self.info.is_null() { "" } else { "info, and " };
                format!("{info}R, X and the rest of B scaled back")
            }
            Task::Solve => format!("{} x {}, {} right-hand sides", l.m, l.n, self.nrhs),
        }
    }
}

/// The tile that holds [A | B].
fn fused(shape: Shape) -> Option<&'static Instance> {
    let Shape { dtype, m, n, k: nrhs, form } = shape;
    let columns = n.checked_add(nrhs)?;
    let fits = |r: &&Instance| r.dtype == dtype && i64::from(r.rows) >= m && i64::from(r.columns) >= columns;
    let tile = GELS.iter().filter(fits).min_by_key(|r| r.rows * r.columns)?;
    (form & TRANSPOSED == 0 && m >= n && n >= 1).then_some(tile)
}

/// Factors, applies Q and solves: op(A) X = B with op(A) = F (least squares) or F^H (minimum norm), where F = Q R is
/// tall.
fn parts(shape: Shape) -> Result<Plan<Gels>, Error> {
    let Shape { dtype, m, n, k: nrhs, form } = shape;
    let (wide, transposed) = (m < n, form & TRANSPOSED != 0);
    let least_squares = wide == transposed;
    let (rows, n) = (m.max(n), m.min(n));
    let mut plan = Plan { workspace: |p| Ok(arrays(p)?.bytes), ..Plan::new("parts", []) };
    let zero = if least_squares { rows } else { n };
    if wide || (zero < rows && nrhs > 0) {
        plan.launch_for(Task::Prepare, Launch::on(Instance::plain(GELS_PREPARE, dtype)?, rows - zero, nrhs, zero));
    }
    if n > 0 {
        plan.launch_for(Task::Scale, Launch::on(Instance::plain(GELS_SCALE, dtype)?, rows, n, zero));
        plan.sub(|p, to| to.operation(&factoring(p)?));
    }
    if n > 0 && nrhs > 0 {
        if least_squares {
            plan.sub(|p, to| to.operation(&applying(p, Trans::C)?));
            plan.sub(|p, to| to.operation(&solving(p, Trans::N)?));
        } else {
            plan.sub(|p, to| to.operation(&solving(p, Trans::C)?));
            plan.sub(|p, to| to.operation(&applying(p, Trans::N)?));
        }
    }
    // If A was factored as a copy, its R is not an output.
    if n > 0 && (form & INFO != 0 || !wide || nrhs > 0) {
        plan.launch_for(Task::Finish, Launch::on(Instance::plain(GELS_FINISH, dtype)?, zero, n, n));
    }
    Ok(plan)
}

/// The workspace: tau, the copies of A^H, and two exponents in the space of one element.
fn arrays(p: &Gels) -> Result<Arrays<3>, Error> {
    Arrays::new(p, [p.m.min(p.n), if p.m < p.n { p.m.saturating_mul(p.n) } else { 0 }, p.m.min(p.n).min(1)])
}

/// The exponents of the powers of two by which each member's A and B have been scaled.
pub fn shifts(p: &Gels) -> Result<Operand, Error> {
    Ok(arrays(p)?.operand(2, p.work))
}

/// F, its leading dimension, and tau.
fn factors(p: &Gels) -> Result<(Operand, i64, Operand), Error> {
    let arrays = arrays(p)?;
    let (f, ldf) = if p.m < p.n { (arrays.operand(1, p.work), p.n) } else { (p.a, p.lda) };
    Ok((f, ldf, arrays.operand(0, p.work)))
}

/// F and its leading dimension.
pub fn factored(p: &Gels) -> Result<(Operand, i64), Error> {
    factors(p).map(|(f, ldf, _)| (f, ldf))
}

fn factoring(p: &Gels) -> Result<Geqrf, Error> {
    let (a, lda, tau) = factors(p)?;
    let (m, n, info) = (p.m.max(p.n), p.m.min(p.n), std::ptr::null_mut());
    Ok(Geqrf { dtype: p.dtype, m, n, a, lda, sizes: None, tau, batch: p.batch, info, math: Math::Fp32 })
}

fn applying(p: &Gels, trans: Trans) -> Result<Ormqr, Error> {
    let (a, lda, tau) = factors(p)?;
    let (m, k) = (p.m.max(p.n), p.m.min(p.n));
    let (dtype, side, n, c, ldc, batch) = (p.dtype, Side::Left, p.nrhs, p.b, p.ldb, p.batch);
    Ok(Ormqr { dtype, side, trans, m, n, k, a, lda, tau, c, ldc, batch, sizes: None })
}

fn solving(p: &Gels, trans: Trans) -> Result<Trsm, Error> {
    let (a, lda, _) = factors(p)?;
    let (side, uplo, diag) = (Side::Left, Uplo::Upper, Diag::NonUnit);
    let alpha = Alpha::Host(C64 { re: 1.0, im: 0.0 });
    let (dtype, m, n, b, ldb, batch) = (p.dtype, p.m.min(p.n), p.nrhs, p.b, p.ldb, p.batch);
    Ok(Trsm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, sizes: None, batch })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::plan::run::Run;
    use crate::gpu::plan::{Convert, Copy, Parts, SeparateOperands, Step};
    use crate::routine::{Assign, BoundsCheck, Dtype, Workspace};

    fn problem(dtype: Dtype, trans: Trans, m: i64, n: i64, nrhs: i64, batch: i64) -> Gels {
        let place = |p: usize| Operand::Strided { base: std::ptr::without_provenance_mut(p), stride: 1 << 20 };
        let (lda, ldb, info) = (m.max(1), m.max(n).max(1), std::ptr::without_provenance_mut(64));
        let work = Workspace { p: std::ptr::without_provenance_mut(1 << 40), bytes: usize::MAX };
        Gels {
            dtype,
            trans,
            m,
            n,
            nrhs,
            a: place(1 << 20),
            lda,
            b: place(1 << 30),
            ldb,
            sizes: None,
            info,
            batch,
            work,
        }
    }

    fn plan_of(p: &Gels) -> Plan<Gels> {
        parts(p.shape(Limits::HOPPER)).unwrap()
    }

    /// Collects the names of operations.
    struct Names(Vec<&'static str>);

    impl Parts for Names {
        fn operation(&mut self, op: &dyn Run) -> Result<(), Error> {
            self.0.push(op.name());
            Ok(())
        }
        fn copy(&mut self, _: &Copy) -> Result<(), Error> {
            unreachable!("gels copies nothing")
        }
        fn assign(&mut self, _: &Assign) -> Result<(), Error> {
            unreachable!("gels sets no matrix")
        }
        fn check(&mut self, _: &BoundsCheck) -> Result<(), Error> {
            unreachable!("gels looks at no member")
        }
        fn convert(&mut self, _: &Convert) -> Result<(), Error> {
            unreachable!("gels converts nothing")
        }
        fn factor(&mut self, _: &Geqrf, _: &SeparateOperands) -> Result<(), Error> {
            unreachable!("gels factors in place")
        }
    }

    fn names(plan: &Plan<Gels>, p: &Gels) -> Vec<&'static str> {
        let mut names = Names(vec![]);
        for step in &plan.steps {
            match step {
                Step::Launch(_, task) => names.0.push(match task {
                    Task::Prepare => "prepare",
                    Task::Scale => "scale",
                    Task::Finish => "finish",
                    Task::Solve => "solve",
                }),
                Step::Sub(part) => part(p, &mut names).unwrap(),
            }
        }
        names.0
    }

    #[test]
    fn every_form_has_its_order() {
        let least_squares = ["scale", "geqrf", "ormqr", "trsm", "finish"];
        let minimum_norm = ["prepare", "scale", "geqrf", "trsm", "ormqr", "finish"];
        for (trans, m, n, expected) in [
            (Trans::N, 9, 4, &least_squares[..]),
            (Trans::N, 4, 4, &least_squares[..]),
            (Trans::C, 9, 4, &minimum_norm[..]),
            (Trans::N, 4, 9, &minimum_norm[..]),
            (Trans::C, 4, 9, &["prepare", "scale", "geqrf", "ormqr", "trsm", "finish"][..]),
        ] {
            let p = problem(Dtype::D, trans, m, n, 2, 3);
            let plan = plan_of(&p);
            assert_eq!(names(&plan, &p), expected, "{trans:?} {m} x {n}");
            let qr = factoring(&p).unwrap();
            assert_eq!((qr.m, qr.n), (m.max(n), m.min(n)));
        }
    }

    /// tau and the copies lie in the workspace, aligned and without overlap.
    #[test]
    fn workspace_holds_its_parts() {
        for dtype in Dtype::ALL {
            for (m, n, batch) in [(5, 3, 1), (3, 5, 7), (1, 1, 3), (33, 64, 1000), (64, 33, 1001)] {
                let p = problem(dtype, Trans::N, m, n, 1, batch);
                let plan = plan_of(&p);
                let element = dtype.bytes();
                let mut end = p.work.p as usize;
                let qr = factoring(&p).unwrap();
                let mut places = vec![(qr.tau, qr.n)];
                if m < n {
                    places.push((qr.a, qr.m * qr.n));
                }
                for (operand, each) in places {
                    let Operand::Strided { base, stride } = operand else { panic!("{operand:?}") };
                    assert!(base as usize >= end && stride >= each);
                    assert_eq!(base as usize % Workspace::ALIGNMENT, 0);
                    end = base as usize + (stride * batch) as usize * element;
                }
                let workspace = (plan.workspace)(&p).unwrap();
                assert!(end <= p.work.p as usize + workspace);
                assert!(workspace <= ((m.min(n) + 1 + if m < n { m * n } else { 0 }) * batch) as usize * element + 48);
            }
        }
    }

    #[test]
    fn small_least_squares_are_one_launch() {
        for dtype in Dtype::ALL {
            for (trans, m, n, nrhs, expected) in [
                (Trans::N, 8, 8, 8, true),
                (Trans::N, 32, 32, 8, true),
                (Trans::N, 1, 1, 0, true),
                (Trans::N, 32, 32, 9, false),
                (Trans::N, 300, 5, 1, false),
                (Trans::C, 8, 4, 1, false),
                (Trans::N, 4, 8, 1, false),
            ] {
                let p = problem(dtype, trans, m, n, nrhs, 10);
                let plan = Gels::plan(p.shape(Limits::HOPPER), Limits::HOPPER).unwrap();
                assert_eq!(plan.candidate == "fused", expected, "{dtype:?} {trans:?} {m} x {n}, {nrhs}");
                assert_eq!((plan.workspace)(&p).unwrap() == 0, expected);
            }
        }
    }

    #[test]
    fn empty_systems_and_no_right_hand_sides() {
        // Without equations, X is zero.
        let of = |m, n, nrhs| {
            let p = problem(Dtype::S, Trans::N, m, n, nrhs, 1);
            names(&plan_of(&p), &p)
        };
        assert_eq!(of(0, 4, 2), ["prepare"]);
        assert_eq!(of(4, 2, 0), ["scale", "geqrf", "finish"]);
    }
}
