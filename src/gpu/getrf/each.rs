//! Plans for members with individual sizes, of which only the largest are known. The kernels are those of uniform
//! batches, and read each member's sizes. Small and medium members are held as a whole, by one launch per class of
//! sizes. Larger ones are factored in panels; a member that ends before others has nothing to do in the later
//! launches.

use crate::error::Error;
use crate::gpu::getrf::large::widest_panel;
use crate::gpu::getrf::{PIVOTS, Task, resident_launch, tightest};
use crate::gpu::plan::table::{
    GETRF_CLUSTER_PANEL_EACH, GETRF_COLUMNS_EACH, GETRF_LEFT_LOOKING_EACH, GETRF_NOPIV_SMALL_EACH, GETRF_PANEL_EACH,
    GETRF_SMALL_EACH, GETRF_TEAM_EACH, GETRF_UPDATE_EACH, Instance,
};
use crate::gpu::plan::{Launch, Limits, Plan, Shape, allowed, panels_fit};
use crate::routine::{Dtype, Getrf};

pub(crate) fn plan(Shape { dtype, m, n, k: batch, form }: Shape, limits: Limits) -> Result<Plan<Getrf>, Error> {
    let (held, over) = if allowed("resident") { resident(dtype, (m, n), form, limits) } else { (vec![], 0) };
    if over >= m.max(n) {
        return Ok(Plan::new("resident", held));
    }
    if limits.native && allowed("blocked") {
        let panels = blocked(dtype, (m, n), batch, limits)?.into_iter().map(|(l, task)| (l.beyond(over), task));
        let held = held.into_iter().map(|launch| (launch, Task::Panel));
        return Ok(Plan::with_tasks("blocked", held.chain(panels)));
    }
    Err(Error::NotSupported(format!("no allowed plan factors matrices of up to {m} x {n} into L U")))
}

/// Launches that hold whole members, each for those too large for the previous one, and the size up to which members
/// are held. The smallest kernels only serve batches in which they hold every member, because an additional launch
/// would cost more than it saves.
fn resident(dtype: Dtype, (m, n): (i64, i64), form: u32, limits: Limits) -> (Vec<Launch>, i64) {
    let (of, pivoting) = (&limits.measured().getrf, form & PIVOTS != 0);
    let small = if pivoting { GETRF_SMALL_EACH } else { GETRF_NOPIV_SMALL_EACH };
    let order = |i: &Instance| i64::from(i.rows.min(i.columns));
    let runs = |i: &&Instance| i.dtype == dtype && limits.runs(i.shared);
    let (largest, mut launches, mut over) = (m.max(n), vec![], 0);
    let mut one_warps = small.iter().filter(runs);
    let first = one_warps.clone().find(|i| order(i) >= largest).or_else(|| one_warps.next_back());
    let left_looking = GETRF_LEFT_LOOKING_EACH.iter().find(|i| pivoting && i.dtype == dtype);
    let teams = GETRF_TEAM_EACH.iter().filter(runs).filter(|i| left_looking.is_none() || order(i) < of.each_from);
    let classes = first.into_iter().chain(teams).map(|i| (i, order(i)));
    let strips = left_looking.into_iter().flat_map(|i| of.each_strips.map(|upto| (i, upto)));
    for (instance, upto) in classes.chain(strips) {
        let launch = resident_launch(instance, m.min(upto), n.min(upto), 0).beyond(over).up_to(upto);
        if over >= largest || !limits.runs(launch.shared) {
            break;
        }
        launches.push(launch);
        over = upto;
    }
    (launches, over)
}

/// Panels as wide as the remaining rows allow, each followed by the update of the columns beside it. Where no block
/// holds the rows in wide panels, clusters do, unless there is little to update in many members. If a member has
/// fewer rows than columns, its last panel may be narrower than the launch's, so the columns to be updated may begin
/// anywhere after the panel's first.
fn blocked(dtype: Dtype, (m, n): (i64, i64), batch: i64, limits: Limits) -> Result<Vec<(Launch, Task)>, Error> {
    let none = || Error::Internal("no kernel of this type".into());
    let (of, steps, mut at, mut launches) = (&limits.measured().getrf, m.min(n), 0, vec![]);
    panels_fit(steps)?;
    while at < steps {
        let (rows, left) = (m - at, steps - at);
        let widest = |clusters| widest_panel([GETRF_PANEL_EACH, clusters], dtype, rows, left, limits);
        let of_block = widest(&[]);
        let most = if of_block.is_some() { of.clustered.few } else { of.clustered.few_tall };
        let in_clusters = n >= of.clustered.columns || batch <= most;
        let (panel, width) = match if in_clusters { widest(GETRF_CLUSTER_PANEL_EACH) } else { of_block } {
            Some(found) => found,
            None => (Instance::plain(GETRF_COLUMNS_EACH, dtype)?, left.min(of.in_global)),
        };
        launches.push((Launch::on(panel, rows, width, at), Task::Panel));
        if n > 1 {
            let update = tightest(GETRF_UPDATE_EACH.iter(), dtype, width, 1, limits).ok_or_else(none)?;
            launches.push((Launch::with(update, rows, n, at, width).from_column(0), Task::Update));
        }
        at += width;
    }
    Ok(launches)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::getrf::EACH;

    /// Launches continue where the previous ones end.
    #[test]
    fn every_size_is_one_launchs() {
        for dtype in Dtype::ALL {
            for form in [EACH, EACH | PIVOTS] {
                for n in [1, 8, 9, 32, 33, 64, 65, 96, 97, 128, 129, 300] {
                    let plan = plan(Shape { dtype, m: n, n, k: 1, form }, Limits::HOPPER).unwrap();
                    let mut over = 0;
                    for l in plan.launches() {
                        assert!(l.over == over, "{dtype:?} {n}");
                        if l.upto == i64::MAX {
                            continue;
                        }
                        over = l.upto;
                    }
                    assert_eq!(over >= n, plan.candidate == "resident", "{dtype:?} {n}");
                }
            }
        }
    }

    /// Panels follow each other without a gap, and each is followed by the update of all columns beside it.
    #[test]
    fn every_column_is_a_panels() {
        for dtype in Dtype::ALL {
            let sizes = [(129, 129), (130, 500), (500, 130), (5000, 40), (200, 1), (40_000, 300)];
            for ((m, n), batch) in sizes.into_iter().flat_map(|size| [(size, 1), (size, 512)]) {
                let (mut at, launches) = (0, blocked(dtype, (m, n), batch, Limits::HOPPER).unwrap());
                for (l, task) in &launches {
                    match task {
                        Task::Panel => assert_eq!((l.offset, l.m), (at, m - at)),
                        Task::Update => {
                            assert_eq!((l.offset, l.first, l.n), (at, 0, n));
                            assert!(i64::from(l.instance.rows) >= l.k);
                            at += l.k;
                        }
                        other => panic!("{other:?}"),
                    }
                }
                assert_eq!(if n == 1 { 1 } else { at }, m.min(n), "{dtype:?} {m} x {n}");
            }
        }
    }
}
