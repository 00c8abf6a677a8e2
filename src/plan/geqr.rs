//! Plans for QR with an implicit Q, and for that Q applied.
//!
//! Candidates: `tree` (the blocks of a tall matrix factored level by level, and R to its place; applied level by level) and
//! `parts`, which takes everything: geqrf with tau in T, and ormqr. What the caller allows does not choose between them:
//! whatever applies Q must find it as it was left.

use super::table::{Instance, TSQR_APPLY, TSQR_PANEL};
use super::{Launch, Limits, Plan, Planned, Shape, tall_panel};
use crate::error::Error;
use crate::routine::tree::Tree;
use crate::routine::{Dtype, Gemqr, Geqr};

/// The kernels that factor and apply blocks, where the device runs both. Of nothing but type and sizes does it depend
/// otherwise.
fn kernels(dtype: Dtype, order: i64, n: i64, limits: Limits) -> Option<(&'static Instance, &'static Instance)> {
    let tree = Tree::of(dtype, order, n)?;
    let fits = |i: &&Instance| {
        i.dtype == dtype && i64::from(i.columns) >= n && i64::from(i.rows) == tree.rows && limits.run(i.shared)
    };
    let of = |family: &'static [Instance]| family.iter().filter(fits).min_by_key(|i| i.columns);
    of(TSQR_PANEL).zip(of(TSQR_APPLY))
}

fn words(dtype: Dtype, order: i64, n: i64) -> String {
    let Some(tree) = Tree::of(dtype, order, n) else { return String::new() };
    let blocks: Vec<String> = tree.levels.of[..tree.levels.count].iter().map(|(_, b)| b.to_string()).collect();
    format!(", a tree of {} blocks, {} launches", blocks.join(" + "), tree.levels.count)
}

/// Sizes m and n.
impl Planned for Geqr {
    fn shape(&self, _: Limits) -> Shape {
        Shape { dtype: self.dtype, m: self.m, n: self.n, k: 0, form: 0 }
    }

    fn plan(Shape { dtype, m, n, .. }: Shape, limits: Limits) -> Result<Plan<Geqr>, Error> {
        if let Some((panel, _)) = kernels(dtype, m, m.min(n), limits) {
            let mut plan = Plan::new(tall_panel::NAME, [Launch::on(panel, m, n, 0)]);
            plan.sub(|p: &Geqr, to| match p.tree() {
                Some(tree) => to.assign(&p.ending(&tree).assign()),
                None => Err(Error::Internal("a plan of another shape".into())),
            });
            return Ok(plan);
        }
        let mut plan = Plan::new("parts", []);
        plan.sub(|p: &Geqr, to| to.operation(&p.factorisation()));
        Ok(plan)
    }

    fn words(&self, l: &Launch) -> String {
        format!("{} x {}{}", l.m, l.n, words(self.dtype, l.m, l.n))
    }
}

/// Sizes: the order of Q, columns that it is applied to, and reflectors.
impl Planned for Gemqr {
    const UNIT: &'static str = "columns";

    fn shape(&self, _: Limits) -> Shape {
        let order = self.side.order(self.m, self.n).0;
        Shape { dtype: self.dtype, m: order, n: self.columns(), k: self.k, form: 0 }
    }

    fn plan(Shape { dtype, m: order, n, k, .. }: Shape, limits: Limits) -> Result<Plan<Gemqr>, Error> {
        if let Some((_, apply)) = kernels(dtype, order, k, limits) {
            return Ok(Plan::new(tall_panel::NAME, [Launch::with(apply, order, n, 0, k)]));
        }
        let mut plan = Plan::new("parts", []);
        plan.sub(|p: &Gemqr, to| to.operation(&p.application()));
        Ok(plan)
    }

    fn words(&self, l: &Launch) -> String {
        format!("{} x {}{}", l.m, l.n, words(self.dtype, l.m, l.k))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_q_is_applied_as_it_was_left() {
        let portable = Limits { native: false, ..Limits::HOPPER };
        for dtype in Dtype::ALL {
            for limits in [Limits::HOPPER, portable] {
                for (m, n) in
                    [(9, 4), (4, 9), (2048, 32), (2049, 32), (2049, 1), (100_000, 17), (5000, 33), (5000, 6000)]
                {
                    let left = Geqr::plan(Shape { dtype, m, n, k: 0, form: 0 }, limits).unwrap();
                    let used = Gemqr::plan(Shape { dtype, m, n: 3, k: m.min(n), form: 0 }, limits).unwrap();
                    assert_eq!(left.candidate, used.candidate, "{dtype:?} {m} x {n}");
                    let tree = m > 2048 && n <= 32 && limits.native;
                    assert_eq!(left.candidate == tall_panel::NAME, tree, "{dtype:?} {m} x {n}");
                    let held = |l: &Launch| l.instance.rows;
                    let rows: Vec<u32> = left.launches().chain(used.launches()).map(held).collect();
                    assert!(rows.windows(2).all(|w| w[0] == w[1]), "{dtype:?} {m} x {n}: blocks of {rows:?}");
                }
            }
        }
    }
}
