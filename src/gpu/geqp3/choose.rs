//! Plans for QR with column pivoting.
//!
//! Candidates, in order: `resident` (one launch: small matrices in registers with a column per lane, others in the
//! registers or the shared memory of a block); `stepped` (two launches per column, for batches that would otherwise
//! leave most of the device idle) and `generic` (one launch with a block per matrix). The latter two work in global
//! memory, accept every shape, and need a workspace for the columns' norms.
//!
//! Members with individual sizes that a team holds have one launch per class of sizes; either of the latter two has the
//! larger ones. Only the maxima are known here, so `stepped` has as many launches as a member of these sizes needs.

use crate::error::Error;
use crate::gpu::orgqr::tightest;
use crate::gpu::plan::table::{GEQP3_APPLY, GEQP3_BLOCK, GEQP3_GENERIC, GEQP3_LANE, GEQP3_PIVOT, GEQP3_TEAM, Instance};
use crate::gpu::plan::work::Arrays;
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape, allowed};
use crate::routine::{Dtype, Geqp3};

/// What a launch does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// Factors.
    #[default]
    Factor,
    /// Chooses the pivot of column `offset`, and its reflector.
    Pivot,
    /// Applies that reflector to the columns to the right, and updates their norms.
    Apply,
}

/// The shape has m and n; `form` is 1 if members have individual sizes.
impl Planned for Geqp3 {
    type Task = Task;

    fn limits(&self, device: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        Ok(device()?.with_batch(self.m, self.n, self.batch))
    }

    fn shape(&self, _: Limits) -> Shape {
        Shape { dtype: self.dtype, m: self.m, n: self.n, k: 0, form: self.sizes.is_some().into() }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Geqp3>, Error> {
        let Shape { dtype, m, n, form, .. } = shape;
        if m.max(n) > i32::MAX.into() {
            return Err(Error::NotSupported("2^31 or more rows or columns on the device".into()));
        }
        if form != 0 {
            return each(dtype, m, n, limits);
        }
        if let Some(launch) = resident(dtype, m, n, limits).filter(|_| allowed("resident")) {
            return Ok(Plan::new("resident", [launch]));
        }
        if by_steps(m, n, limits) {
            return Ok(Plan { workspace: WORKSPACE, ..Plan::with_tasks("stepped", stepped(dtype, m, n)?) });
        }
        if allowed("generic") {
            let launch = Launch::on(Instance::plain(GEQP3_GENERIC, dtype)?, m, n, 0);
            return Ok(Plan { workspace: WORKSPACE, ..Plan::new("generic", [launch]) });
        }
        Err(Error::NotSupported(format!("no allowed plan factors {m} x {n} matrices with column pivoting")))
    }

    fn words(&self, l: &Launch, task: Task) -> String {
        let step = if l.offset < 0 { "what comes before column 0".into() } else { format!("column {}", l.offset) };
        match task {
            Task::Pivot => format!("{} x {}, {step}: its pivot and reflector", l.m, l.n),
            Task::Apply => format!("{} x {}, {step}: columns to the right and their norms", l.m, l.n),
            Task::Factor => format!("{} x {}, columns pivoted", l.m, l.n),
        }
    }
}

/// The plan for individual sizes: members that a team holds, in classes, then larger ones.
fn each(dtype: Dtype, m: i64, n: i64, limits: Limits) -> Result<Plan<Geqp3>, Error> {
    let (mut launches, mut over) = (vec![], 0);
    let teams = GEQP3_TEAM.iter().filter(|i| i.dtype == dtype && limits.native && limits.runs(i.shared));
    for team in teams.filter(|_| allowed("resident")) {
        if over < m.max(n) {
            let upto = i64::from(team.rows.min(team.columns));
            launches.push(Launch::on(team, m.min(upto), n.min(upto), 0).beyond(over).up_to(upto));
            over = upto;
        }
    }
    if over >= m.max(n) {
        return Ok(Plan::new("resident", launches));
    }
    if by_steps(m, n, limits) && (m.max(n) <= MOST_BOUND || !allowed("generic")) {
        let steps = stepped(dtype, m, n)?.into_iter().map(|(l, task)| (l.beyond(over), task));
        let launches = launches.into_iter().map(|l| (l, Task::Factor)).chain(steps);
        return Ok(Plan { workspace: WORKSPACE, ..Plan::with_tasks("stepped", launches) });
    }
    if allowed("generic") {
        launches.push(Launch::on(Instance::plain(GEQP3_GENERIC, dtype)?, m, n, 0).beyond(over));
        return Ok(Plan { workspace: WORKSPACE, ..Plan::new("generic", launches) });
    }
    Err(Error::NotSupported(format!("no allowed plan factors matrices of up to {m} x {n} with column pivoting")))
}

/// The workspace of plans that are not resident.
const WORKSPACE: fn(&Geqp3) -> Result<usize, Error> = |p| Ok(norms(p)?.bytes);

/// The most steps for which a plan lists launches.
const MOST_STEPS: i64 = 1 << 16;

/// The most rows or columns of members with individual sizes that are factored in steps: bounds may be far above the
/// sizes, and every step takes two launches with a block for each column.
const MOST_BOUND: i64 = 1 << 14;

/// Whether matrices that no block holds have two launches per column: if they are few and have many, unless the list of
/// allowed plans says otherwise.
fn by_steps(m: i64, n: i64, limits: Limits) -> bool {
    let of = &limits.measured().geqp3;
    let large = m.min(n) >= of.stepped_from && m.saturating_mul(n) >= of.stepped_area;
    let few = limits.class.batch() <= of.stepped_batch && large;
    allowed("stepped") && (few || !allowed("generic")) && m.min(n) <= MOST_STEPS
}

/// Two launches per column, after two that move the columns which the caller has selected to the front and compute
/// norms.
fn stepped(dtype: Dtype, m: i64, n: i64) -> Result<Vec<(Launch, Task)>, Error> {
    let (pivot, apply) = (Instance::plain(GEQP3_PIVOT, dtype)?, Instance::plain(GEQP3_APPLY, dtype)?);
    let of = |instance, column| Launch::on(instance, m, n, column);
    // There is nothing to the right of the last column.
    let launches = (-1..m.min(n)).flat_map(|j| [(of(pivot, j), Task::Pivot), (of(apply, j), Task::Apply)]);
    Ok(launches.filter(|(l, task)| *task == Task::Pivot || l.offset + 1 < n).collect())
}

/// The lanes with the least padding; or else the team with the least padding, unless it would be mostly unused; or
/// else the block with the fewest warps of which a multiprocessor holds two, or any block that fits.
fn resident(dtype: Dtype, m: i64, n: i64, limits: Limits) -> Option<Launch> {
    if !limits.native {
        return None;
    }
    if let Some(lanes) = tightest(GEQP3_LANE.iter(), dtype, m, n) {
        return Some(Launch::on(lanes, m, n, 0));
    }
    let used = |i: &&Instance| m * n * limits.measured().geqp3.team_share >= i64::from(i.rows) * i64::from(i.columns);
    if let Some(team) = tightest(GEQP3_TEAM.iter(), dtype, m, n).filter(used) {
        return Some(Launch::on(team, m, n, 0));
    }
    let fits = |most: u32| {
        let of_type = GEQP3_BLOCK.iter().filter(|i| i.dtype == dtype && i64::from(i.columns) >= n);
        of_type.filter(move |i| i.shared_for(&[m, n]) <= most)
    };
    let two = fits(limits.shared_by(2)).min_by_key(|i| i.warps);
    let block = two.or_else(|| fits(limits.shared_for_one_block()).max_by_key(|i| i.warps))?;
    Some(Launch::on(block, m, n, 0).with_shared(block.shared_for(&[m, n])))
}

/// Elements of the workspace per matrix: two real numbers per column, and the number of columns that the caller has
/// selected.
pub(crate) fn norm_elements(dtype: Dtype, n: i64) -> i64 {
    let columns = if dtype.is_complex() { n } else { n.saturating_mul(2) };
    columns.saturating_add(1)
}

/// The norms of columns in the workspace, for plans that are not resident.
pub(crate) fn norms(p: &Geqp3) -> Result<Arrays<1>, Error> {
    Arrays::new(p, [norm_elements(p.dtype, p.n)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(dtype: Dtype, m: i64, n: i64, limits: Limits) -> Plan<Geqp3> {
        Geqp3::plan(Shape { dtype, m, n, k: 0, form: 0 }, limits).unwrap()
    }

    fn each_plan(dtype: Dtype, m: i64, n: i64, limits: Limits) -> Plan<Geqp3> {
        Geqp3::plan(Shape { dtype, m, n, k: 0, form: 1 }, limits).unwrap()
    }

    /// Launches for members with individual sizes continue where the previous ones end.
    #[test]
    fn every_size_is_one_launchs() {
        for dtype in Dtype::ALL {
            for (m, n) in [(1, 1), (33, 8), (48, 49), (100, 20), (128, 128), (129, 7), (3000, 4)] {
                for limits in [Limits::HOPPER, Limits::HOPPER.with_batch(m, n, 3), Limits::NONE] {
                    let plan = each_plan(dtype, m, n, limits);
                    let (mut over, mut end) = (0, 0);
                    for l in plan.launches() {
                        if l.over != over {
                            assert_eq!(l.over, end, "{dtype:?} {m} x {n}");
                        }
                        (over, end) = (l.over, if l.instance.is_of(GEQP3_TEAM) { l.upto } else { m.max(n) });
                    }
                    assert!(end >= m.max(n));
                    let held = limits.native && m.max(n) <= 128;
                    assert_eq!(plan.candidate == "resident", held, "{dtype:?} {m} x {n}");
                }
            }
        }
    }

    /// Few members that no team holds have two launches per column of the largest, all of them for the same members.
    #[test]
    fn few_large_members_are_factored_in_steps() {
        for dtype in Dtype::ALL {
            for (m, n) in [(320, 320), (3000, 100), (100, 3000), (2000, 2000), (16, 6400)] {
                let few = Limits::HOPPER.with_batch(m, n, 3);
                let plan = each_plan(dtype, m, n, few);
                assert_eq!(plan.candidate, "stepped", "{dtype:?} {m} x {n}");
                let large: Vec<_> = plan.launches().filter(|l| !l.instance.is_of(GEQP3_TEAM)).collect();
                assert_eq!(large.len() as i64, 2 * (m.min(n) + 1) - i64::from(n <= m), "{dtype:?} {m} x {n}");
                let held = if m.max(n) > 128 { 128 } else { 0 };
                assert!(large.iter().all(|l| l.over == held && l.upto == i64::MAX), "{dtype:?} {m} x {n}");
                assert_eq!((large[0].offset, large[large.len() - 1].offset), (-1, m.min(n) - 1), "{dtype:?} {m} x {n}");
                assert_eq!(each_plan(dtype, m, n, Limits::HOPPER).candidate, "generic", "{dtype:?} {m} x {n}");
            }
            // Few steps; bounds that are far above all sizes; no kernel that holds any member.
            for (m, n) in [(15, 9000), (300, 300), (i32::MAX.into(), i32::MAX.into()), (100, i32::MAX.into())] {
                let few = Limits::HOPPER.with_batch(m, n, 3);
                assert_eq!(each_plan(dtype, m, n, few).candidate, "generic", "{dtype:?} {m} x {n}");
            }
            assert_eq!(each_plan(dtype, 400, 400, Limits::NONE.with_batch(400, 400, 3)).candidate, "stepped");
        }
    }

    #[test]
    fn what_a_block_holds_is_resident() {
        for dtype in Dtype::ALL {
            for (m, n) in [(1, 1), (8, 8), (32, 32), (33, 8), (8, 33), (33, 33), (100, 100), (128, 128), (400, 16)] {
                let plan = plan(dtype, m, n, Limits::HOPPER);
                assert_eq!(plan.candidate, "resident", "{dtype:?} {m} x {n}");
                let launch = plan.launches().next().unwrap();
                let (lanes, team) = (launch.instance.is_of(GEQP3_LANE), launch.instance.is_of(GEQP3_TEAM));
                assert_eq!(lanes, m.max(n) <= 32, "{dtype:?} {m} x {n}");
                assert_eq!(team, m.min(n) > 32 && m.max(n) <= 128, "{dtype:?} {m} x {n}");
                assert!(lanes || team || i64::from(launch.shared) == m * n * dtype.bytes() as i64);
                assert!(launch.shared <= Limits::HOPPER.shared_per_block && i64::from(launch.instance.columns) >= n);
            }
            for (m, n) in [(1, 300), (3000, 100), (2000, 2000)] {
                assert_eq!(plan(dtype, m, n, Limits::HOPPER).candidate, "generic", "{dtype:?} {m} x {n}");
                let few = plan(dtype, m, n, Limits::HOPPER.with_batch(m, n, 3));
                assert_eq!(few.candidate, if m == 1 { "generic" } else { "stepped" }, "{dtype:?} {m} x {n}");
            }
            // There is nothing to the right of the last column.
            let launches = |m, n| plan(dtype, m, n, Limits::HOPPER.with_batch(m, n, 1)).launches().count();
            assert_eq!((launches(3000, 100), launches(100, 3000)), (2 * 101 - 1, 2 * 101));
            assert_eq!(plan(dtype, 8, 8, Limits::NONE).candidate, "generic");
        }
    }
}
