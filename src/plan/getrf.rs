//! Plans for LU factorisations.
//!
//! Candidates, in order: `resident` (the matrix in registers, one launch), `blocked` (panels in registers, each followed by
//! one launch for what is beside it: row exchanges, a triangular solve and a product), `generic` (one launch that works in
//! global memory, and takes everything). Source of the blocked one: LAPACK getrf's loop, with the exchanges of a panel on
//! the way to the update (Abdelfattah, Haidar, Tomov, Dongarra, "Progressive batched LU").

use super::orgqr::tightest;
use super::table::{GETRF_COLUMNS, GETRF_PANEL, GETRF_SMALL, GETRF_TEAM, GETRF_UPDATE, Instance};
use super::{Launch, Limits, Plan, Planned, Shape, allowed};
use crate::error::Error;
use crate::routine::{Dtype, Getrf};

/// Sizes m and n. Its launches are factorisations of `n` columns from the diagonal on (`k` = 0), and what follows a panel of
/// `k` columns.
impl Planned for Getrf {
    fn shape(&self, _: Limits) -> Shape {
        Shape { dtype: self.dtype, m: self.m, n: self.n, k: 0, form: 0 }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Getrf>, Error> {
        let Shape { dtype, m, n, .. } = shape;
        if m.max(n) > i32::MAX.into() {
            return Err(Error::NotSupported("2^31 or more rows or columns on the device".into()));
        }
        let resident = || resident(dtype, m, n).map(|i| vec![Launch::on(i, m, n, 0)]);
        let makers: [(&str, bool, &dyn Fn() -> Option<Vec<Launch>>); 3] = [
            ("resident", limits.native, &resident),
            ("blocked", limits.native, &|| blocked(dtype, m, n)),
            ("generic", true, &|| Some(vec![Launch::on(columns(dtype)?, m, n, 0)])),
        ];
        let made = makers
            .iter()
            .filter(|(candidate, runs, _)| *runs && allowed(candidate))
            .find_map(|(candidate, _, make)| Some(Plan::new(candidate, make()?)));
        made.ok_or_else(|| Error::NotSupported(format!("no allowed plan factors {m} x {n} into L U")))
    }

    fn words(&self, l: &Launch) -> String {
        let Launch { m, n, offset, k, .. } = l;
        match k {
            0 => format!("{m} x {n} at ({offset}, {offset})"),
            _ => format!("beside a panel of {k} columns at ({offset}, {offset})"),
        }
    }
}

/// What holds the whole matrix. Panels, which have a row in each thread, hold narrow ones.
fn resident(dtype: Dtype, m: i64, n: i64) -> Option<&'static Instance> {
    let families = [GETRF_SMALL, GETRF_PANEL, GETRF_TEAM];
    families.into_iter().find_map(|family| tightest(family.iter(), dtype, m, n))
}

fn columns(dtype: Dtype) -> Option<&'static Instance> {
    GETRF_COLUMNS.iter().find(|i| i.dtype == dtype)
}

/// Panels as wide as their height allows, and the updates. A panel taller than any that registers hold is factored in
/// global memory.
fn blocked(dtype: Dtype, m: i64, n: i64) -> Option<Vec<Launch>> {
    let (steps, mut at, mut launches) = (m.min(n), 0, vec![]);
    while at < steps {
        let (rows, left) = (m - at, steps - at);
        let holding = || GETRF_PANEL.iter().filter(|i| i.dtype == dtype && i64::from(i.rows) >= rows);
        let panel = match holding().max_by_key(|i| (i.columns, -i64::from(i.rows))) {
            // No wider than what is left.
            Some(widest) => tightest(holding(), dtype, rows, left.min(widest.columns.into()))?,
            None => columns(dtype)?,
        };
        let widest_update = GETRF_UPDATE.iter().filter(|u| u.dtype == dtype).map(|u| u.rows).max()?;
        let width = left.min(match panel.columns {
            0 => widest_update.into(),
            columns => columns.into(),
        });
        let update = tightest(GETRF_UPDATE.iter(), dtype, width, 1)?;
        launches.push(Launch::on(panel, rows, width, at));
        if at > 0 || width < n {
            launches.push(Launch::with(update, rows, n, at, width));
        }
        at += width;
    }
    Some(launches)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(dtype: Dtype, m: i64, n: i64) -> Plan<Getrf> {
        Getrf::plan(Shape { dtype, m, n, k: 0, form: 0 }, Limits::HOPPER).unwrap()
    }

    #[test]
    fn small_and_narrow_matrices_are_one_launch() {
        for dtype in Dtype::ALL {
            for (m, n) in
                [(1, 1), (3, 4), (8, 8), (17, 5), (32, 32), (33, 33), (64, 64), (96, 96), (1000, 4), (512, 16)]
            {
                let plan = plan(dtype, m, n);
                assert_eq!((plan.candidate, plan.steps.len()), ("resident", 1), "{dtype:?} {m} x {n}");
            }
        }
    }

    /// Every column is factored once, by what holds its rows, and every panel has its update.
    #[test]
    fn panels_and_updates_cover_the_matrix() {
        for dtype in Dtype::ALL {
            for (m, n) in [(129, 129), (200, 500), (500, 200), (1024, 1024), (5000, 40), (40, 5000), (4096, 4096)] {
                let launches = blocked(dtype, m, n).unwrap();
                let mut at = 0;
                for l in &launches {
                    if l.k == 0 {
                        assert_eq!((l.offset, l.m), (at, m - at), "{dtype:?} {m} x {n}");
                        assert!(l.instance.rows == 0 || i64::from(l.instance.rows) >= l.m);
                        assert!(l.instance.columns == 0 || i64::from(l.instance.columns) >= l.n);
                        at += l.n;
                    } else {
                        assert_eq!((l.offset + l.k, l.n), (at, n));
                        assert!(i64::from(l.instance.rows) >= l.k);
                    }
                }
                assert_eq!(at, m.min(n));
                let panels = launches.iter().filter(|l| l.k == 0).count();
                assert!(launches.len() >= 2 * panels - 1, "{dtype:?} {m} x {n}: {}", launches.len());
            }
        }
    }
}
