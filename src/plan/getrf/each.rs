//! Plans for matrices with sizes of their own, of which the largest are known: the kernels are those of uniform batches, and
//! ask for each member's sizes. Small and medium ones are held whole; larger ones go by panels, and a matrix that ends
//! before others do has nothing to do in the later launches.

use super::super::table::{
    GETRF_COLUMNS_EACH, GETRF_NOPIV_SMALL_EACH, GETRF_PANEL_EACH, GETRF_SMALL_EACH, GETRF_TEAM_EACH, GETRF_UPDATE_EACH,
    Instance,
};
use super::super::{Launch, Limits, Plan, Shape, allowed};
use super::tightest;
use crate::error::Error;
use crate::routine::{Dtype, Getrf};

/// Columns of a panel in global memory.
const NARROW: i64 = 16;

pub(super) fn plan(Shape { dtype, m, n, form, .. }: Shape, limits: Limits) -> Result<Plan<Getrf>, Error> {
    let small = if form & super::PIVOTS != 0 { GETRF_SMALL_EACH } else { GETRF_NOPIV_SMALL_EACH };
    let held = || {
        let families = [small, GETRF_TEAM_EACH].into_iter();
        families.filter_map(|family| tightest(family.iter().filter(|i| limits.run(i.shared)), dtype, m, n)).next()
    };
    if let Some(instance) = held().filter(|_| allowed("resident")) {
        return Ok(Plan::new("resident", [Launch::on(instance, m, n, 0)]));
    }
    if limits.native && allowed("blocked") {
        return Ok(Plan::new("blocked", blocked(dtype, (m, n))?));
    }
    if allowed("generic") {
        return Ok(Plan::new("generic", [Launch::on(Instance::plain(GETRF_COLUMNS_EACH, dtype)?, m, n, 0)]));
    }
    Err(Error::NotSupported(format!("no allowed plan factors matrices of up to {m} x {n} into L U")))
}

/// Panels, as wide as the remaining rows let them be, each followed by what is beside it. Of a matrix with fewer rows than
/// columns the last panel may be narrower than the launch's, so columns beside it may begin anywhere behind its first.
fn blocked(dtype: Dtype, (m, n): (i64, i64)) -> Result<Vec<Launch>, Error> {
    let none = || Error::Internal("no kernel of this type".into());
    let (steps, mut at, mut launches) = (m.min(n), 0, vec![]);
    while at < steps {
        let (rows, left) = (m - at, steps - at);
        let panel = match tightest(GETRF_PANEL_EACH.iter(), dtype, rows, 1) {
            Some(instance) => instance,
            None => Instance::plain(GETRF_COLUMNS_EACH, dtype)?,
        };
        let width = left.min(if panel.columns > 0 { panel.columns.into() } else { NARROW });
        launches.push(Launch::on(panel, rows, width, at));
        if n > 1 {
            let update = tightest(GETRF_UPDATE_EACH.iter(), dtype, width, 1).ok_or_else(none)?;
            launches.push(Launch::with(update, rows, n, at, width).starting(0));
        }
        at += width;
    }
    Ok(launches)
}

#[cfg(test)]
mod tests {
    use super::super::Task;
    use super::*;

    /// Panels follow each other without a gap, each with what is beside it in all columns.
    #[test]
    fn every_column_is_a_panels() {
        for dtype in Dtype::ALL {
            for (m, n) in [(129, 129), (130, 500), (500, 130), (5000, 40), (200, 1)] {
                let (mut at, launches) = (0, blocked(dtype, (m, n)).unwrap());
                for l in &launches {
                    match Task::of(l) {
                        Task::Panel => assert_eq!((l.offset, l.m), (at, m - at)),
                        Task::Beside => {
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
