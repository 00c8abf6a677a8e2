//! Plans for batched least squares: which operations in which order, and where they keep what in the workspace.
//!
//! Candidates, in order: `fused` (A and B side by side in registers, one launch, no workspace; small least-squares
//! problems) and `parts`, which takes everything: the tall one of A and A^H is factored (A^H as a copy), then Q^H and
//! R^-1 are applied to the right-hand sides (least squares), or R^-H and Q (minimum norm).

use super::allowed;
use super::cache::{self, Cache};
use super::table::{GELS, Instance};
use crate::error::Error;
use crate::routine::{
    Alpha, Diag, Dtype, Gels, Geqrf, Math, Operand, Operation, Ormqr, Side, Trans, Trsm, Uplo, Workspace,
};
use crate::scalar::C64;
use std::cell::RefCell;
use std::fmt::Write;

/// A part of a plan.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// All in one launch.
    Fused(&'static Instance),
    /// Copies of A^H to the operand (leading dimension n), and zeros in rows `zero` .. `rows` of B.
    Prepare {
        /// Receives A^H; `None`: A is factored in place.
        copy: Option<Operand>,
        /// First row of B that is set to zero.
        zero: i64,
        /// End of these rows.
        rows: i64,
    },
    /// An operation over the batch.
    Run(Operation),
    /// info from the diagonal of R.
    Info {
        /// Where R is.
        r: Operand,
        /// Its leading dimension.
        ldr: i64,
        /// Its order.
        n: i64,
    },
}

/// Most parts of a plan.
const MOST: usize = 5;

/// How a problem is solved. It holds the operands of one call, so it is made for each, without an allocation; what needs
/// a search is kept ([`plan`]).
#[derive(Clone, Debug)]
pub struct Plan {
    /// The candidate that accepted.
    pub candidate: &'static str,
    /// In stream order, `None` after the last.
    parts: [Option<Part>; MOST],
    /// Bytes of workspace; the parts' operands are in it.
    pub workspace: usize,
}

impl Plan {
    fn new(candidate: &'static str, workspace: usize) -> Plan {
        Plan { candidate, parts: [None; MOST], workspace }
    }

    fn push(&mut self, part: Part) {
        let free = self.parts.iter_mut().find(|p| p.is_none());
        *free.expect("no form has more parts") = Some(part);
    }

    /// The parts, in stream order.
    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().flatten()
    }
}

/// Where things are in the workspace, in bytes.
struct Layout {
    /// Of the copies of A^H, after the scalar factors.
    copy: usize,
    bytes: usize,
}

impl Layout {
    fn of(p: &Gels) -> Result<Layout, Error> {
        let elements = |each: i64| -> Option<usize> {
            let bytes = usize::try_from(each.checked_mul(p.batch)?).ok()?.checked_mul(p.dtype.bytes())?;
            bytes.checked_next_multiple_of(Workspace::ALIGNMENT)
        };
        let wide = p.m < p.n;
        let copies = if wide { p.m.checked_mul(p.n) } else { Some(0) };
        (|| {
            let copy = elements(p.m.min(p.n))?;
            Some(Layout { copy, bytes: copy.checked_add(elements(copies?)?)? })
        })()
        .ok_or_else(|| Error::OutOfMemory("the workspace of gels exceeds the address space".into()))
    }
}

/// What a choice between the candidates was made for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    dtype: Dtype,
    plain: bool,
    m: i64,
    n: i64,
    nrhs: i64,
    tuned: bool,
}

thread_local! {
    /// The tile of `fused`, or `None`: `parts`.
    static CHOICES: RefCell<Cache<Key, Option<&'static Instance>>> = RefCell::default();
}

/// The plan of a problem with work to do; its operands are places in `p.work`. The choice is from this thread's cache.
/// `tuned`: whether the device runs all families ([`super::geqrf::Limits::tuned`]).
pub fn plan(p: &Gels, tuned: bool) -> Result<Plan, Error> {
    let key = Key { dtype: p.dtype, plain: p.trans == Trans::N, m: p.m, n: p.n, nrhs: p.nrhs, tuned };
    match cache::of_thread(&CHOICES, key, || choose(p, tuned))? {
        Some(tile) => {
            let mut plan = Plan::new("fused", 0);
            plan.push(Part::Fused(tile));
            Ok(plan)
        }
        None => parts(p),
    }
}

fn choose(p: &Gels, tuned: bool) -> Result<Option<&'static Instance>, Error> {
    // A list that names neither candidate is about other operations.
    let free = !allowed("fused") && !allowed("parts");
    match fused(p).filter(|_| tuned && (free || allowed("fused"))) {
        Some(tile) => Ok(Some(tile)),
        None if free || allowed("parts") => Ok(None),
        None => Err(Error::NotSupported(format!("no allowed plan solves with {} x {}", p.m, p.n))),
    }
}

/// The tile that holds [A | B].
fn fused(p: &Gels) -> Option<&'static Instance> {
    let columns = p.n.checked_add(p.nrhs)?;
    let fits = |r: &&Instance| r.dtype == p.dtype && i64::from(r.rows) >= p.m && i64::from(r.columns) >= columns;
    let tile = GELS.iter().filter(fits).min_by_key(|r| r.rows * r.columns)?;
    (p.trans == Trans::N && p.m >= p.n && p.n >= 1).then_some(tile)
}

/// Factor, apply, solve.
fn parts(p: &Gels) -> Result<Plan, Error> {
    let layout = Layout::of(p)?;
    let at = |offset: usize| p.work.p.wrapping_byte_add(offset);
    let wide = p.m < p.n;
    // op(A) X = B with op(A) = F (least squares) or F^H (minimum norm), F = Q R being tall.
    let least_squares = wide == (p.trans != Trans::N);
    let (rows, n) = (p.m.max(p.n), p.m.min(p.n));
    let (f, ldf) =
        if wide { (Operand::Strided { base: at(layout.copy), stride: rows * n }, rows) } else { (p.a, p.lda) };
    let tau = Operand::Strided { base: at(0), stride: n };

    let mut parts = Plan::new("parts", layout.bytes);
    let zero = if least_squares { rows } else { n };
    if wide || (zero < rows && p.nrhs > 0) {
        parts.push(Part::Prepare { copy: wide.then_some(f), zero, rows });
    }
    if n > 0 {
        let info = std::ptr::null_mut();
        parts.push(Part::Run(Operation::Geqrf(Geqrf {
            dtype: p.dtype,
            m: rows,
            n,
            a: f,
            lda: ldf,
            tau,
            batch: p.batch,
            info,
            math: Math::Fp32,
        })));
    }
    if !p.info.is_null() {
        parts.push(Part::Info { r: f, ldr: ldf, n });
    }
    if n > 0 && p.nrhs > 0 {
        let apply = |trans| {
            Part::Run(Operation::Ormqr(Ormqr {
                dtype: p.dtype,
                side: Side::Left,
                trans,
                m: rows,
                n: p.nrhs,
                k: n,
                a: f,
                lda: ldf,
                tau,
                c: p.b,
                ldc: p.ldb,
                batch: p.batch,
            }))
        };
        let solve = |trans| {
            Part::Run(Operation::Trsm(Trsm {
                dtype: p.dtype,
                side: Side::Left,
                uplo: Uplo::Upper,
                trans,
                diag: Diag::NonUnit,
                m: n,
                n: p.nrhs,
                alpha: Alpha::Host(C64 { re: 1.0, im: 0.0 }),
                a: f,
                lda: ldf,
                b: p.b,
                ldb: p.ldb,
                batch: p.batch,
            }))
        };
        if least_squares {
            parts.push(apply(Trans::C));
            parts.push(solve(Trans::N));
        } else {
            parts.push(solve(Trans::C));
            parts.push(apply(Trans::N));
        }
    }
    Ok(parts)
}

impl Plan {
    /// The plan in words, a line per part; `operation` describes those that have plans of their own.
    pub fn describe(&self, operation: impl Fn(&Operation) -> Result<String, Error>) -> Result<String, Error> {
        let mut text =
            format!("{}, {} part(s), {} bytes of workspace\n", self.candidate, self.parts().count(), self.workspace);
        for part in self.parts() {
            match part {
                Part::Fused(tile) => {
                    let _ = writeln!(text, "  {}", tile.describe());
                }
                Part::Prepare { copy, zero, rows } => {
                    let copies = if copy.is_some() { "A^H to the workspace, " } else { "" };
                    let _ = writeln!(text, "prepare: {copies}zeros in rows {zero} .. {rows} of B");
                }
                Part::Run(op) => {
                    let _ = write!(text, "{}: {}", op.name(), operation(op)?);
                }
                Part::Info { n, .. } => {
                    let _ = writeln!(text, "info: from {n} diagonal elements");
                }
            }
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(dtype: Dtype, trans: Trans, m: i64, n: i64, nrhs: i64, batch: i64) -> Gels {
        let place = |p: usize| Operand::Strided { base: std::ptr::without_provenance_mut(p), stride: 1 << 20 };
        let (lda, ldb, info) = (m.max(1), m.max(n).max(1), std::ptr::without_provenance_mut(64));
        let work = Workspace { p: std::ptr::without_provenance_mut(1 << 40), bytes: usize::MAX };
        Gels { dtype, trans, m, n, nrhs, a: place(1 << 20), lda, b: place(1 << 30), ldb, info, batch, work }
    }

    fn names(p: &Plan) -> Vec<&'static str> {
        let name = |part: &Part| match part {
            Part::Fused(_) => "fused",
            Part::Prepare { .. } => "prepare",
            Part::Run(op) => op.name(),
            Part::Info { .. } => "info",
        };
        p.parts().map(name).collect()
    }

    #[test]
    fn every_form_has_its_order() {
        let least_squares = ["geqrf", "info", "ormqr", "trsm"];
        let minimum_norm = ["prepare", "geqrf", "info", "trsm", "ormqr"];
        for (trans, m, n, expected) in [
            (Trans::N, 9, 4, &least_squares[..]),
            (Trans::N, 4, 4, &least_squares[..]),
            (Trans::C, 9, 4, &minimum_norm[..]),
            (Trans::N, 4, 9, &minimum_norm[..]),
            (Trans::C, 4, 9, &["prepare", "geqrf", "info", "ormqr", "trsm"][..]),
        ] {
            let plan = parts(&problem(Dtype::D, trans, m, n, 2, 3)).unwrap();
            assert_eq!(names(&plan), expected, "{trans:?} {m} x {n}");
            let Some(Part::Run(Operation::Geqrf(qr))) = plan.parts().find(|p| matches!(p, Part::Run(_))) else {
                panic!("no factorisation")
            };
            assert_eq!((qr.m, qr.n), (m.max(n), m.min(n)));
        }
    }

    /// The scalar factors and the copies must lie in the workspace, aligned, without overlap.
    #[test]
    fn workspace_holds_its_parts() {
        for dtype in Dtype::ALL {
            for (m, n, batch) in [(5, 3, 1), (3, 5, 7), (1, 1, 3), (33, 64, 1000), (64, 33, 1001)] {
                let p = problem(dtype, Trans::N, m, n, 1, batch);
                let plan = parts(&p).unwrap();
                let element = dtype.bytes();
                let mut end = p.work.p as usize;
                for part in plan.parts() {
                    if let Part::Run(Operation::Geqrf(qr)) = part {
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
                    }
                }
                assert!(end <= p.work.p as usize + plan.workspace);
                assert!(plan.workspace <= ((m.min(n) + if m < n { m * n } else { 0 }) * batch) as usize * element + 32);
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
                let plan = plan(&problem(dtype, trans, m, n, nrhs, 10), true).unwrap();
                assert_eq!(plan.candidate == "fused", expected, "{dtype:?} {trans:?} {m} x {n}, {nrhs}");
                assert_eq!(plan.workspace == 0, expected);
            }
        }
    }

    #[test]
    fn empty_systems_and_no_right_hand_sides() {
        // without equations X is zero
        assert_eq!(names(&parts(&problem(Dtype::S, Trans::N, 0, 4, 2, 1)).unwrap()), ["prepare", "info"]);
        assert_eq!(names(&parts(&problem(Dtype::S, Trans::N, 4, 2, 0, 1)).unwrap()), ["geqrf", "info"]);
    }
}
