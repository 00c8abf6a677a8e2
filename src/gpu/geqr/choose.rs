//! Plans for QR with an implicit Q, and for applying that Q.
//!
//! Candidates: `tree` (a tall matrix in panels of at most 32 columns: the blocks of each panel are factored level by
//! level, and the same blocks update the columns to its right; finally R is moved to its place) and `parts`, which
//! accepts every shape: geqrf with tau in T, and ormqr. The list of allowed plans has no influence, because the code
//! that applies Q must find it in the format in which it was left.

use crate::error::Error;
use crate::gpu::ormqr::Canonical;
use crate::gpu::plan::table::{Instance, TSQR_APPLY, TSQR_PANEL};
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape};
use crate::gpu::tall::{Task, tree as tall_panel};
use crate::routine::tree::{Panel, Panels, Tree};
use crate::routine::{Dtype, Gemqr, Geqr};

/// The kernels that factor and apply the blocks of a panel, if the device runs both. Apart from that, the choice
/// depends on the type and the sizes only.
fn kernels(dtype: Dtype, tree: &Tree, limits: Limits) -> Option<(&'static Instance, &'static Instance)> {
    let fits = |i: &&Instance| {
        i.dtype == dtype && i64::from(i.columns) >= tree.n && i64::from(i.rows) == tree.rows && limits.runs(i.shared)
    };
    let of = |family: &'static [Instance]| family.iter().filter(fits).min_by_key(|i| i.columns);
    of(TSQR_PANEL).zip(of(TSQR_APPLY))
}

/// The panels and their kernels, if the device keeps this Q as trees.
fn panels(
    dtype: Dtype,
    order: i64,
    k: i64,
    limits: Limits,
) -> Option<Vec<(Panel, &'static Instance, &'static Instance)>> {
    let with_kernels = |panel: Panel| kernels(dtype, &panel.tree, limits).map(|(own, apply)| (panel, own, apply));
    Panels::of(dtype, order, k)?.all().map(with_kernels).collect()
}

/// The panel to which a launch belongs.
pub fn panel_of(panels: Option<Panels>, l: &Launch) -> Result<Panel, Error> {
    let panel = panels.and_then(|panels| panels.get(l.offset / Tree::MAX_COLUMNS));
    panel.ok_or_else(|| Error::Internal("a plan of another shape".into()))
}

fn words(panels: Option<Panels>, l: &Launch) -> String {
    match panel_of(panels, l) {
        Ok(Panel { tree, .. }) => {
            let blocks: Vec<String> =
                tree.levels.shapes[..tree.levels.count].iter().map(|(_, b)| b.to_string()).collect();
            format!(", a tree of {} blocks, {} launches", blocks.join(" + "), tree.levels.count)
        }
        Err(_) => String::new(),
    }
}

/// The shape has m and n.
impl Planned for Geqr {
    type Task = Task;

    fn shape(&self, _: Limits) -> Shape {
        Shape { dtype: self.dtype, m: self.m, n: self.n, k: 0, form: 0 }
    }

    fn plan(Shape { dtype, m, n, .. }: Shape, limits: Limits) -> Result<Plan<Geqr>, Error> {
        if let Some(panels) = panels(dtype, m, m.min(n), limits) {
            let mut plan = Plan::new(tall_panel::NAME, []);
            for (Panel { at, tree, .. }, own, apply) in panels {
                plan.launch_for(Task::Tree, Launch::on(own, m - at, tree.n, at));
                let rest = n - at - tree.n;
                if rest > 0 {
                    plan.launch_for(Task::Update, Launch::with(apply, m - at, rest, at, tree.n));
                }
            }
            plan.sub(|p: &Geqr, to| {
                let mut panels = p.panels().into_iter().flat_map(|panels| panels.all());
                panels.try_for_each(|panel| to.assign(&p.copy_r(&panel).assign()))
            });
            return Ok(plan);
        }
        let mut plan = Plan::new("parts", []);
        plan.sub(|p: &Geqr, to| to.operation(&p.factorisation()));
        Ok(plan)
    }

    fn words(&self, l: &Launch, task: Task) -> String {
        let applied = if task == Task::Update { format!("{} reflector(s) on ", l.k) } else { String::new() };
        format!("{applied}{} x {} from row {} on{}", l.m, l.n, l.offset, words(self.panels(), l))
    }
}

/// The shape has the order of Q, the number of columns to which it is applied, and the number of reflectors; `form`
/// says whether Q^H is applied.
impl Planned for Gemqr {
    type Task = ();

    const UNIT: &'static str = "columns";

    fn shape(&self, _: Limits) -> Shape {
        let c = Canonical::of(self.dtype, self.side, self.trans, self.m, self.n);
        Shape { dtype: self.dtype, m: c.order, n: c.columns, k: self.k, form: c.adjoint.into() }
    }

    fn plan(Shape { dtype, m: order, n, k, form }: Shape, limits: Limits) -> Result<Plan<Gemqr>, Error> {
        if let Some(mut panels) = panels(dtype, order, k, limits) {
            if form == 0 {
                panels.reverse();
            }
            let of = |(Panel { at, tree, .. }, _, apply)| Launch::with(apply, order - at, n, at, tree.n);
            return Ok(Plan::new(tall_panel::NAME, panels.into_iter().map(of)));
        }
        let mut plan = Plan::new("parts", []);
        plan.sub(|p: &Gemqr, to| to.operation(&p.application()));
        Ok(plan)
    }

    fn words(&self, l: &Launch, (): ()) -> String {
        format!("{} reflector(s) from {} on, {} x {}{}", l.k, l.offset, l.m, l.n, words(self.panels(), l))
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
                for (m, n) in [
                    (9, 4),
                    (4, 9),
                    (2048, 32),
                    (2049, 32),
                    (2049, 1),
                    (100_000, 17),
                    (5000, 33),
                    (2100, 70),
                    (5000, 256),
                    (5000, 257),
                    (5000, 6000),
                ] {
                    let left = Geqr::plan(Shape { dtype, m, n, k: 0, form: 0 }, limits).unwrap();
                    let used = Gemqr::plan(Shape { dtype, m, n: 3, k: m.min(n), form: 0 }, limits).unwrap();
                    assert_eq!(left.candidate, used.candidate, "{dtype:?} {m} x {n}");
                    let tree = m - (n - 1) / 32 * 32 > 2048 && n <= 256 && limits.native;
                    assert_eq!(left.candidate == tall_panel::NAME, tree, "{dtype:?} {m} x {n}");
                    let held = |l: &Launch| l.instance.rows;
                    let rows: Vec<u32> = left.launches().chain(used.launches()).map(held).collect();
                    assert!(rows.windows(2).all(|w| w[0] == w[1]), "{dtype:?} {m} x {n}: blocks of {rows:?}");
                    let columns: i64 = left.tasks().filter(|(_, task)| *task == Task::Tree).map(|(l, _)| l.n).sum();
                    let offsets: Vec<i64> = used.launches().map(|l| l.offset).collect();
                    assert!(
                        !tree || columns == n && offsets.is_sorted_by(|a, b| a > b),
                        "{dtype:?} {m} x {n}: {offsets:?}"
                    );
                }
            }
        }
    }
}
