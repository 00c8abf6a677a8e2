//! Plans of QR for members with individual sizes, of which only the largest are known. The kernels are those of
//! uniform batches, given the sizes of one member at a time. Small and medium members are held as a whole, by one
//! launch per class of sizes. Larger ones are factored in panels, each followed by the update of the columns to its
//! right; a member that ends before others has nothing to do in the later launches. Few large members are padded to
//! one size ([`padded`]).

use crate::error::Error;
use crate::gpu::arch::DEFAULT;
use crate::gpu::plan::padded;
use crate::gpu::plan::table::{GENERIC_EACH, Instance, LARFB_EACH, RESIDENT_EACH, TALL_EACH};
use crate::gpu::plan::{Launch, Limits, Plan, Shape, allowed, panels_fit};
use crate::gpu::tall::Task;
use crate::routine::{Dtype, Geqrf};

/// The shape's k is the number of members ([`padded::number`]).
pub(crate) fn plan(shape: Shape, limits: Limits) -> Result<Plan<Geqrf>, Error> {
    let Shape { dtype, m, n, k: number, .. } = shape;
    if m.max(n) > i32::MAX.into() {
        return Err(Error::NotSupported("2^31 or more rows or columns on the device".into()));
    }
    let padded = padded::plan(dtype, number as u32, [m, n], [m, n], DEFAULT.padded.geqrf);
    padded.map_or_else(|| launched(shape, limits), Ok)
}

/// The plan whose launches serve members of any size.
fn launched(Shape { dtype, m, n, .. }: Shape, limits: Limits) -> Result<Plan<Geqrf>, Error> {
    let (held, over) = if allowed("resident") { resident(dtype, (m, n), limits) } else { (vec![], 0) };
    if over >= m.max(n) {
        return Ok(Plan::with_tasks("resident", held));
    }
    if limits.native && allowed("blocked") {
        let panels = blocked(dtype, (m, n), over, limits)?.into_iter().map(|(l, task)| (l.beyond(over), task));
        return Ok(Plan::with_tasks("blocked", held.into_iter().chain(panels)));
    }
    if allowed("generic") {
        let generic = Launch::on(Instance::plain(GENERIC_EACH, dtype)?, m, n, 0).beyond(over);
        return Ok(Plan::with_tasks("generic", held.into_iter().chain([(generic, Task::Whole)])));
    }
    Err(Error::NotSupported(format!("no allowed plan factors matrices of up to {m} x {n} into Q R")))
}

/// Launches that hold whole members, each for those too large for the previous one, and the size up to which members
/// are held. The smallest kernels only serve batches in which they hold every member, because an additional launch
/// would cost more than it saves. Matrices no wider than a panel are held by one warp or factored as a panel, since
/// team kernels are made for squares.
fn resident(dtype: Dtype, (m, n): (i64, i64), limits: Limits) -> (Vec<(Launch, Task)>, i64) {
    let order = |i: &Instance| i64::from(i.rows.min(i.columns));
    let runs = |i: &&Instance| i.dtype == dtype && limits.runs(i.shared);
    let one_warps = RESIDENT_EACH.iter().filter(runs).filter(|i| order(i) <= 32);
    // Strips for the largest members take about as long for a smaller member as strips of its own order would, so
    // the latter are not worth a launch.
    let teams = RESIDENT_EACH.iter().filter(runs).filter(|i| order(i) > 32);
    let holds = teams.clone().find(|i| order(i) >= m.max(n)).map(order);
    let below = |i: &Instance| i.threads == 32 && order(i) > 64 && holds.is_some_and(|largest| order(i) < largest);
    let teams = teams.filter(|i| !below(i));
    let narrow = panel(dtype, m, limits).is_some_and(|panel| i64::from(panel.columns) >= n);
    let largest = m.max(n);
    let first = one_warps.clone().find(|i| order(i) >= largest).or_else(|| one_warps.clone().next_back());
    let (mut launches, mut over) = (vec![], 0);
    for instance in first.into_iter().chain(teams.filter(|_| !narrow)) {
        if over >= largest {
            break;
        }
        let upto = order(instance);
        let launch = Launch::on(instance, m.min(upto), n.min(upto), 0).beyond(over).up_to(upto);
        launches.push((launch, Task::Held));
        over = upto;
    }
    (launches, over)
}

/// The panel kernel for this many rows with the least padding.
fn panel(dtype: Dtype, rows: i64, limits: Limits) -> Option<&'static Instance> {
    let holds = |i: &&Instance| i.dtype == dtype && limits.runs(i.shared) && i64::from(i.rows) >= rows;
    TALL_EACH.iter().filter(holds).min_by_key(|i| i.rows)
}

/// The block reflector that reads panels of this many rows once, with the least padding, or else the one with the
/// most rows.
fn reflector(dtype: Dtype, rows: i64, limits: Limits) -> Option<&'static Instance> {
    let runs = |i: &&Instance| i.dtype == dtype && i.shared <= limits.shared_per_block;
    LARFB_EACH.iter().filter(runs).max_by_key(|i| {
        let (holds, size) = (i64::from(i.rows) >= rows, i64::from(i.rows));
        (holds, if holds { -size } else { size })
    })
}

/// Panels, each followed by the update of the columns to its right, for members with a size above `over`. A member's
/// panels end at its last row (in real types one row earlier), so one may be narrower than the launch's; the columns to
/// be updated begin where it ends.
fn blocked(dtype: Dtype, (m, n): (i64, i64), over: i64, limits: Limits) -> Result<Vec<(Launch, Task)>, Error> {
    let none = || Error::Internal("no kernel of this type".into());
    let (steps, mut at, mut launches) = (m.min(n), 0, vec![]);
    panels_fit(steps)?;
    while at < steps {
        let rows = m - at;
        let update = reflector(dtype, rows, limits).ok_or_else(none)?;
        let (panel, most) = match panel(dtype, rows, limits) {
            Some(panel) => (panel, panel.columns.min(update.reflectors)),
            None => (Instance::plain(GENERIC_EACH, dtype)?, update.reflectors),
        };
        let width = i64::from(most).min(steps - at);
        launches.push((Launch::on(panel, rows, width, at), Task::Whole));
        // A panel has at least one column of the remaining part. Members that are not held, but have no more columns
        // than held ones, have more rows than columns.
        if n - at > 1 && (at + width < n || n > over) {
            launches.push((Launch::with(update, rows, n - at, at, width), Task::Update));
        }
        at += width;
    }
    Ok(launches)
}

/// One launch of the block reflector for each panel of Q's k reflectors, in order. orgqr's part begins at a panel's
/// first column. Without reflectors there is one launch, which writes the columns of the identity.
pub(crate) fn of_q(dtype: Dtype, (order, n, k): (i64, i64, i64), limits: Limits) -> Option<Vec<Launch>> {
    let (mut at, mut launches) = (0, vec![]);
    while at < k.max(1) {
        let instance = reflector(dtype, order - at, limits)?;
        let width = i64::from(instance.reflectors).min(k - at);
        launches.push(Launch::with(instance, order - at, n, at, width));
        at += width.max(1);
    }
    Some(launches)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan_of(dtype: Dtype, m: i64, n: i64) -> Plan<Geqrf> {
        launched(Shape { dtype, m, n, k: 0, form: 1 }, Limits::HOPPER).unwrap()
    }

    #[test]
    fn few_large_members_are_padded() {
        let [order, long] = DEFAULT.padded.geqrf;
        let [few, some, many] = [DEFAULT.padded.few, DEFAULT.padded.some, DEFAULT.padded.some + 1];
        for (m, n, batch, padded) in [
            (order, order, few, true),
            (order, order, few + 1, false),
            (order - 1, order, few, false),
            (long, 1, some, true),
            (1, long, some, true),
            (long, long, some, false),
            (long, 1, many, false),
            (1 << 20, 1 << 20, 1, false), // a copy would take too much memory
        ] {
            let k = padded::number(batch).into();
            let plan = plan(Shape { dtype: Dtype::D, m, n, k, form: 1 }, Limits::HOPPER).unwrap();
            assert_eq!(plan.candidate == "padded", padded, "{m} x {n}, {batch}");
        }
    }

    /// Launches continue where the previous ones end.
    #[test]
    fn every_size_is_one_launchs() {
        let sizes = [1, 8, 9, 16, 17, 32, 33, 48, 64, 65, 96, 97, 128, 129, 300, 5000];
        for dtype in Dtype::ALL {
            for (m, n) in sizes.iter().flat_map(|m| sizes.map(|n| (*m, n))) {
                let (plan, mut over) = (plan_of(dtype, m, n), 0);
                for (l, task) in plan.tasks() {
                    assert_eq!(l.over, over, "{dtype:?} {m} x {n}");
                    if task == Task::Held {
                        over = i64::from(l.instance.rows.min(l.instance.columns));
                        assert_eq!(l.upto, over);
                    }
                }
                assert_eq!(over >= m.max(n), plan.candidate == "resident", "{dtype:?} {m} x {n}");
            }
        }
    }

    /// Panels follow each other without a gap, and the columns beside a panel are updated before the next panel.
    #[test]
    fn every_column_sees_every_panel() {
        for dtype in Dtype::ALL {
            let sizes =
                [(129, 129), (161, 161), (130, 500), (500, 130), (9000, 70), (40_000, 40), (200, 1), (3000, 20)];
            for (m, n) in sizes {
                let plan = plan_of(dtype, m, n);
                let (mut at, mut width) = (0, 0);
                for (l, task) in plan.tasks().filter(|(_, task)| *task != Task::Held) {
                    assert_eq!(l.m, m - l.offset);
                    if task == Task::Whole {
                        (at, width) = (at + width, l.n);
                        assert_eq!(l.offset, at);
                        assert!(
                            l.instance.columns == 0
                                || l.m <= l.instance.rows.into() && l.n <= l.instance.columns.into()
                        );
                    } else {
                        assert_eq!((l.offset, l.k, l.offset + l.n), (at, width, n));
                        assert!(l.k <= l.instance.reflectors.into());
                    }
                }
                assert_eq!(at + width, m.min(n), "{dtype:?} {m} x {n}");
                let count = |of| plan.tasks().filter(|(_, task)| *task == of).count();
                let (updates, panels) = (count(Task::Update), count(Task::Whole));
                assert!(updates == panels || updates + 1 == panels, "{dtype:?} {m} x {n}");
                assert!(plan.tasks().all(|(l, task)| task != Task::Update || l.n > 1), "{dtype:?} {m} x {n}");
            }
        }
    }
}
