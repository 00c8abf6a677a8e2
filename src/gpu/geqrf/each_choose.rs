//! Plans of QR for matrices with sizes of their own, of which the largest are known: the kernels are those of uniform batches,
//! told of one member at a time. Small and medium ones are held whole, by launches for sizes of their own; larger ones go by
//! panels, each followed by the update of the columns to its right, and a matrix that ends before others do has nothing to
//! do in the later launches.

use crate::error::Error;
use crate::gpu::plan::table::{GENERIC_EACH, Instance, LARFB_EACH, RESIDENT_EACH, TALL_EACH};
use crate::gpu::plan::{Launch, Limits, Plan, Shape, allowed, panels_fit};
use crate::routine::{Dtype, Geqrf};

pub(crate) fn plan(Shape { dtype, m, n, .. }: Shape, limits: Limits) -> Result<Plan<Geqrf>, Error> {
    if m.max(n) > i32::MAX.into() {
        return Err(Error::NotSupported("2^31 or more rows or columns on the device".into()));
    }
    let (held, over) = if allowed("resident") { resident(dtype, (m, n), limits) } else { (vec![], 0) };
    if over >= m.max(n) {
        return Ok(Plan::new("resident", held));
    }
    if limits.native && allowed("blocked") {
        let panels = blocked(dtype, (m, n), over, limits)?.into_iter().map(|launch| launch.beyond(over));
        return Ok(Plan::new("blocked", held.into_iter().chain(panels)));
    }
    if allowed("generic") {
        let generic = Launch::on(Instance::plain(GENERIC_EACH, dtype)?, m, n, 0).beyond(over);
        return Ok(Plan::new("generic", held.into_iter().chain([generic])));
    }
    Err(Error::NotSupported(format!("no allowed plan factors matrices of up to {m} x {n} into Q R")))
}

/// Launches that hold whole matrices, each for those that the one before does not hold; and the size up to which they do.
/// The smallest kernels are for batches of which they hold all: a launch more would take longer than it saves. Matrices so
/// narrow that a panel is all of them are held by one warp, or are a panel's: teams are made for squares.
fn resident(dtype: Dtype, (m, n): (i64, i64), limits: Limits) -> (Vec<Launch>, i64) {
    let order = |i: &Instance| i64::from(i.rows.min(i.columns));
    let runs = |i: &&Instance| i.dtype == dtype && limits.run(i.shared);
    let one_warps = RESIDENT_EACH.iter().filter(runs).filter(|i| order(i) <= 32);
    // Strips that hold the largest take a smaller matrix about as long as strips of its own order: a launch for those is not worth it.
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
        launches.push(Launch::on(instance, m.min(upto), n.min(upto), 0).beyond(over).up_to(upto));
        over = upto;
    }
    (launches, over)
}

/// What holds panels of so many rows, with the least room to spare.
fn panel(dtype: Dtype, rows: i64, limits: Limits) -> Option<&'static Instance> {
    let holds = |i: &&Instance| i.dtype == dtype && limits.run(i.shared) && i64::from(i.rows) >= rows;
    TALL_EACH.iter().filter(holds).min_by_key(|i| i.rows)
}

/// The block reflector that reads panels of so many rows once, with the least room to spare; else the one that holds most of
/// them.
fn reflector(dtype: Dtype, rows: i64, limits: Limits) -> Option<&'static Instance> {
    let runs = |i: &&Instance| i.dtype == dtype && i.shared <= limits.shared_per_block;
    LARFB_EACH.iter().filter(runs).max_by_key(|i| {
        let (holds, size) = (i64::from(i.rows) >= rows, i64::from(i.rows));
        (holds, if holds { -size } else { size })
    })
}

/// Panels, each followed by the update of what is to its right, of members with a size above `over`. A panel ends before a
/// member's last row (a real one's, the one before), so it may be narrower than the launch's, and columns beside it begin where it
/// ends.
fn blocked(dtype: Dtype, (m, n): (i64, i64), over: i64, limits: Limits) -> Result<Vec<Launch>, Error> {
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
        launches.push(Launch::on(panel, rows, width, at));
        // A panel has at least one column of what is left; and members that are not held, of no more columns than those that
        // are, have more rows than columns.
        if n - at > 1 && (at + width < n || n > over) {
            launches.push(Launch::with(update, rows, n - at, at, width));
        }
        at += width;
    }
    Ok(launches)
}

/// A launch of the block reflector a panel of Q's k reflectors, in their order: orgqr's part is to the right of a panel's first
/// column. Without reflectors there is one, that writes the identity's columns.
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
        plan(Shape { dtype, m, n, k: 0, form: 1 }, Limits::HOPPER).unwrap()
    }

    /// Launches take up where others end.
    #[test]
    fn every_size_is_one_launchs() {
        let sizes = [1, 8, 9, 16, 17, 32, 33, 48, 64, 65, 96, 97, 128, 129, 300, 5000];
        for dtype in Dtype::ALL {
            for (m, n) in sizes.iter().flat_map(|m| sizes.map(|n| (*m, n))) {
                let (plan, mut over) = (plan_of(dtype, m, n), 0);
                for l in plan.launches() {
                    assert_eq!(l.over, over, "{dtype:?} {m} x {n}");
                    if l.instance.is_of(RESIDENT_EACH) {
                        over = i64::from(l.instance.rows.min(l.instance.columns));
                        assert_eq!(l.upto, over);
                    }
                }
                assert_eq!(over >= m.max(n), plan.candidate == "resident", "{dtype:?} {m} x {n}");
            }
        }
    }

    /// Panels follow each other without a gap, and columns beside one are brought up to date before the next.
    #[test]
    fn every_column_sees_every_panel() {
        for dtype in Dtype::ALL {
            for (m, n) in [(129, 129), (161, 161), (130, 500), (500, 130), (9000, 70), (5000, 40), (200, 1), (3000, 20)]
            {
                let plan = plan_of(dtype, m, n);
                let (mut at, mut width) = (0, 0);
                for l in plan.launches().filter(|l| !l.instance.is_of(RESIDENT_EACH)) {
                    assert_eq!(l.m, m - l.offset);
                    if l.k == 0 {
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
                let updates = plan.launches().filter(|l| l.k > 0).count();
                let panels = plan.launches().filter(|l| l.k == 0 && !l.instance.is_of(RESIDENT_EACH)).count();
                assert!(updates == panels || updates + 1 == panels, "{dtype:?} {m} x {n}");
                assert!(plan.launches().all(|l| l.k == 0 || l.n > 1), "{dtype:?} {m} x {n}");
            }
        }
    }
}
