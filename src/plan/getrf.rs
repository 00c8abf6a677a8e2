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
        let may = |candidate| limits.native && allowed(candidate);
        if let Some(instance) = resident(dtype, m, n, limits).filter(|_| may("resident")) {
            return Ok(Plan::new("resident", [Launch::on(instance, m, n, 0)]));
        }
        if may("blocked") {
            return Ok(Plan::new("blocked", blocked(dtype, m, n)?));
        }
        if allowed("generic") {
            return Ok(Plan::new("generic", [Launch::on(Instance::plain(GETRF_COLUMNS, dtype)?, m, n, 0)]));
        }
        Err(Error::NotSupported(format!("no allowed plan factors {m} x {n} into L U")))
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
fn resident(dtype: Dtype, m: i64, n: i64, limits: Limits) -> Option<&'static Instance> {
    let families = [GETRF_SMALL, GETRF_PANEL, GETRF_TEAM];
    families.into_iter().find_map(|family| tightest(family.iter().filter(|i| limits.run(i.shared)), dtype, m, n))
}

/// Panels as wide as their height allows, and the updates. A panel taller than any that registers hold is factored in
/// global memory.
fn blocked(dtype: Dtype, m: i64, n: i64) -> Result<Vec<Launch>, Error> {
    let none = || Error::Internal("no kernel follows a panel".into());
    let (steps, mut at, mut launches) = (m.min(n), 0, vec![]);
    let widest = GETRF_UPDATE.iter().filter(|u| u.dtype == dtype).map(|u| i64::from(u.rows)).max().ok_or_else(none)?;
    while at < steps {
        let (rows, left) = (m - at, steps - at);
        let holding = || GETRF_PANEL.iter().filter(|i| i.dtype == dtype && i64::from(i.rows) >= rows);
        let (panel, width) = match holding().map(|i| i64::from(i.columns)).max().map(|columns| left.min(columns)) {
            Some(width) => (tightest(holding(), dtype, rows, width), width),
            None => (Some(Instance::plain(GETRF_COLUMNS, dtype)?), left.min(widest)),
        };
        launches.push(Launch::on(panel.ok_or_else(none)?, rows, width, at));
        if at > 0 || width < n {
            let update = tightest(GETRF_UPDATE.iter(), dtype, width, 1).ok_or_else(none)?;
            launches.push(Launch::with(update, rows, n, at, width));
        }
        at += width;
    }
    Ok(launches)
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

    /// What holds a matrix runs on the device, of which some have less shared memory.
    #[test]
    fn resident_kernels_fit_the_device() {
        for dtype in Dtype::ALL {
            for (kib, n) in [227, 163, 99, 48].into_iter().zip([128, 128, 64, 33]) {
                let limits = Limits { shared_per_block: kib * 1024, ..Limits::HOPPER };
                let plan = Getrf::plan(Shape { dtype, m: n, n, k: 0, form: 0 }, limits).unwrap();
                assert!(plan.launches().all(|l| l.shared <= limits.shared_per_block), "{dtype:?} {n}, {kib} KiB");
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
