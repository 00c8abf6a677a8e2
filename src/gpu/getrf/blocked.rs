//! Panels, and the launches that follow each of them.
//!
//! Wide matrices are cut into outer panels first. What follows a panel only reaches to the end of its outer panel,
//! which is small; the rest of the matrix is read and written once per outer panel rather than once per panel. That
//! is done in one launch if the batch provides enough blocks for it, or else by row interchanges, a triangular solve
//! and a matrix product. Where that launch works by strips without barriers, outer panels are twice as wide, and are
//! divided once more. The interchanges to the left of outer panels are applied at the end, all at once.

use crate::error::Error;
use crate::gpu::getrf::large::{tall_panel, widest_panel};
use crate::gpu::getrf::{Task, WIDE, resident_launch, runs, tightest};
use crate::gpu::plan::strip::StripLayout;
use crate::gpu::plan::table::{
    GEMM, GETRF_PANEL, GETRF_STRIP, GETRF_TRAILING, GETRF_UPDATE, Instance, LASWP, LEFT_EXCHANGES,
};
use crate::gpu::plan::{Launch, Limits, ceil_div};
use crate::gpu::trsm;
use crate::routine::Dtype;

/// Columns of an outer panel with this many rows: two panels' width, or, where panels are narrow and it pays, the
/// maximum.
fn outer(dtype: Dtype, rows: i64, limits: Limits) -> i64 {
    let narrow = || tightest(holding(dtype, rows, limits), dtype, rows, WIDE, limits).is_none();
    if limits.measured().getrf.wide[dtype] && narrow() { WIDEST } else { WIDEST / 2 }
}

/// Panel kernels that hold this many rows.
fn holding(dtype: Dtype, rows: i64, limits: Limits) -> impl Iterator<Item = &'static Instance> {
    GETRF_PANEL
        .iter()
        .filter(move |i| i.dtype == dtype && i64::from(i.rows) >= rows && runs(i, rows, i.columns.into(), limits))
}

/// Outer panels, and what follows each of them: interchanges, solve and product in one launch if there are enough
/// blocks, or else the first two in one launch if a strip's block holds their rows. `width` is the number of columns
/// of outer panels, 64 or 128; 0 chooses it by their height.
pub(crate) fn blocked(
    dtype: Dtype,
    (m, n): (i64, i64),
    batch: i64,
    width: i64,
    limits: Limits,
) -> Result<Vec<(Launch, Task)>, Error> {
    let (steps, mut first, mut launches) = (m.min(n), 0, vec![]);
    let of = &limits.measured().getrf;
    if n <= of.one_level || steps <= of.rest {
        panels(&mut launches, (dtype, m, batch), 0, (steps, n), limits)?;
        return Ok(launches);
    }
    let left = Instance::plain(LEFT_EXCHANGES, dtype)?;
    let columns = left_interchange_columns(left, m, limits);
    let mut wide = 0;
    while first < steps {
        let remaining = steps - first;
        // Whether there are enough blocks if each has a strip to the right of the first columns.
        let filled = columns.is_some()
            && strips(dtype, m - first, WIDEST, limits)
                .is_some_and(|(i, _)| batch * ceil_div(n - first - WIDEST / 2, i64::from(i.columns)) >= of.filled);
        let outer = match width {
            0 if filled && n >= of.many_columns => WIDEST,
            0 => outer(dtype, m - first, limits),
            width => width,
        };
        let nested = filled && outer == WIDEST;
        let rest = if nested && n > steps { 0 } else { of.rest }; // no strip has more columns of U12
        let width = if remaining <= outer + rest { remaining } else { outer };
        let end = first + width;
        if nested {
            for at in (first..end).step_by(WIDEST as usize / 2) {
                let upto = end.min(at + WIDEST / 2);
                panels(&mut launches, (dtype, m, batch), at, (upto, upto), limits)?;
                if width > upto - at {
                    launches.push((strip(dtype, (m, end), (at, upto), first, limits)?, Task::Strips));
                }
            }
        } else {
            panels(&mut launches, (dtype, m, batch), first, (end, end), limits)?;
        }
        let trailing = trailing(dtype, width, limits).filter(|(instance, _)| {
            let strips = ceil_div(n - end, i64::from(instance.columns));
            columns.is_some() && batch * strips >= of.filled
        });
        let by_strips = strips(dtype, m - first, width, limits).is_some_and(|(instance, _)| {
            columns.is_some() && (nested || batch * ceil_div(n - end, i64::from(instance.columns)) >= of.filled)
        });
        if end < n && by_strips {
            launches.push((strip(dtype, (m, n), (first, end), first, limits)?, Task::Strips));
        } else if let Some((instance, layout)) = trailing {
            let launch = Launch::with(instance, m - first, n - end, first, width);
            launches.push((launch.from_column(end).with_shared(layout.bytes), Task::Trailing));
        } else {
            beside(&mut launches, (dtype, batch), (first, width, n), columns.is_some(), limits)?;
            if end < n && end < m {
                let product = Launch::with(Instance::plain(GEMM, dtype)?, m - end, n - end, first, width);
                launches.push((product, Task::Product));
            }
        }
        if end == steps && first > 0 {
            let shared = columns.map(|columns| left.shared_for(&[m, columns]));
            let launch = |shared| Launch::with(left, m, first, 0, steps).from_column(wide).with_shared(shared);
            launches.extend(shared.map(|shared| (launch(shared), Task::LeftInterchanges)));
        }
        if outer == WIDEST {
            wide = end;
        }
        first = end;
    }
    Ok(launches)
}

/// The kernel that updates by strips without barriers after a panel of this width, and its shared memory. Row
/// numbers must fit in 16 bits.
fn strips(dtype: Dtype, rows: i64, width: i64, limits: Limits) -> Option<(&'static Instance, u32)> {
    let instance = tightest(GETRF_STRIP.iter(), dtype, width, 1, limits).filter(|_| rows <= u16::MAX.into())?;
    let bytes = instance.shared_for(&[rows]);
    limits.runs(bytes).then_some((instance, bytes))
}

/// The launch that applies columns at .. upto to columns first .. n.
fn strip(
    dtype: Dtype,
    (m, n): (i64, i64),
    (at, upto): (i64, i64),
    first: i64,
    limits: Limits,
) -> Result<Launch, Error> {
    let found = strips(dtype, m - at, upto - at, limits);
    let (instance, bytes) = found.ok_or_else(|| Error::Internal("no strips follow a panel".into()))?;
    Ok(Launch::with(instance, m - at, n - first, at, upto - at).from_column(first).with_shared(bytes))
}

/// Interchanges and the solve after an outer panel, in all columns beside it or only in those to the right.
fn beside(
    launches: &mut Vec<(Launch, Task)>,
    (dtype, batch): (Dtype, i64),
    (first, width, n): (i64, i64, i64),
    right: bool,
    limits: Limits,
) -> Result<(), Error> {
    let end = first + width;
    let from = if right { first } else { 0 };
    if n - width <= from {
        return Ok(()); // there are no columns
    }
    if let Some(update) = tightest(GETRF_UPDATE.iter(), dtype, width, 1, limits) {
        launches.push((Launch::with(update, width, n - from, first, width).from_column(from), Task::Update));
        return Ok(());
    }
    let interchanges = Launch::with(Instance::plain(LASWP, dtype)?, width, n - from - width, first, width);
    launches.push((interchanges.from_column(from), Task::Interchanges));
    if end < n {
        let solve = trsm::instance(dtype, width, n - end, batch)?;
        launches.push((Launch::with(solve, width, n - end, first, width), Task::Solve));
    }
    Ok(())
}

/// Columns of the widest outer panels, those where panels are narrow.
pub(crate) const WIDEST: i64 = 128;

/// The kernel that does everything after an outer panel in one launch, if there is one, with shared memory for as
/// many blocks per multiprocessor as possible. (In single precision separate launches are faster, in double
/// precision [`strips`].)
fn trailing(dtype: Dtype, width: i64, limits: Limits) -> Option<(&'static Instance, StripLayout)> {
    let instance = GETRF_TRAILING.iter().find(|i| i.dtype == dtype && i64::from(i.rows) >= width)?;
    let rooms = [limits.shared_by(3), limits.shared_by(2), limits.shared_for_one_block()];
    let layout = rooms.into_iter().find_map(|most| trailing_layout(instance, width, most))?;
    limits.native.then_some((instance, layout))
}

/// What this kernel keeps in `most` bytes of shared memory.
pub(crate) fn trailing_layout(instance: &Instance, width: i64, most: u32) -> Option<StripLayout> {
    StripLayout::of(instance, width, i64::MAX, 0, most) // more tiles than it has buffers for
}

/// The number of columns that a block keeps at a time when it applies the interchanges on the left, or `None` if not
/// even one fits.
fn left_interchange_columns(left: &Instance, m: i64, limits: Limits) -> Option<i64> {
    let rooms = [47 * 1024, limits.shared_for_one_block()];
    rooms
        .into_iter()
        .find_map(|bytes| columns_that_fit(left, m, bytes))
        .filter(|_| limits.native && m <= u16::MAX.into())
}

/// The number of columns that fit in `bytes` bytes.
pub(crate) fn columns_that_fit(left: &Instance, m: i64, bytes: u32) -> Option<i64> {
    (1..=i64::from(left.columns)).rev().find(|columns| left.shared_for(&[m, *columns]) <= bytes)
}

/// Columns first .. end of matrices with m rows, in panels as wide as their height allows. Each panel is applied to
/// columns `first` .. `last`.
fn panels(
    launches: &mut Vec<(Launch, Task)>,
    (dtype, m, batch): (Dtype, i64, i64),
    first: i64,
    (end, last): (i64, i64),
    limits: Limits,
) -> Result<(), Error> {
    let none = || Error::Internal("no kernel follows a panel".into());
    let of = &limits.measured().getrf;
    let mut at = first;
    while at < end {
        let (rows, left) = (m - at, end - at);
        let of_block = || widest_panel([GETRF_PANEL, &[]], dtype, rows, left, limits);
        let (panel, width) = match of_block().filter(|_| batch > of.clustered.few) {
            Some(found) => found,
            None => tall_panel(dtype, rows, left, limits)?,
        };
        launches.push((resident_launch(panel, rows, width, at), Task::Panel));
        let (below, right) = (rows - width, last - at - width);
        if at > first || right > 0 {
            let update = tightest(GETRF_UPDATE.iter(), dtype, width, 1, limits).ok_or_else(none)?;
            let strips = ceil_div(right, i64::from(update.columns));
            let apart = right > 0 && below > of.tall && batch * strips < of.busy;
            let reach = if apart { width } else { rows };
            launches.push((Launch::with(update, reach, last - first, at, width).from_column(first), Task::Update));
            if apart {
                let product = Launch::with(Instance::plain(GEMM, dtype)?, below, right, at, width);
                launches.push((product, Task::Product));
            }
        }
        at += width;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::arch::DEFAULT;

    const MANY: i64 = DEFAULT.getrf.many;

    /// The progress of a matrix: a column to which all of steps 0 .. s have been applied has the value s.
    struct Progress {
        m: i64,
        /// For each column: the steps whose interchanges have been applied, and those whose elimination has.
        exchanged: Vec<i64>,
        eliminated: Vec<i64>,
        /// For each column: the steps for which U has been solved, while the product is still to come.
        solved: Vec<i64>,
    }

    impl Progress {
        fn launch(&mut self, l: &Launch, task: Task) {
            let (at, end) = (l.offset as usize, (l.offset + l.k) as usize);
            let n = self.exchanged.len();
            match task {
                Task::Panel => {
                    assert!(l.instance.rows == 0 || i64::from(l.instance.rows) >= l.m);
                    assert!(l.instance.columns == 0 || i64::from(l.instance.columns) >= l.n);
                    assert_eq!(l.m, self.m - l.offset);
                    for j in at..at + l.n as usize {
                        assert_eq!((self.exchanged[j], self.eliminated[j]), (l.offset, l.offset), "column {j}");
                        (self.exchanged[j], self.eliminated[j]) = (l.offset + l.n, l.offset + l.n);
                    }
                }
                Task::Update | Task::Strips => {
                    assert!(i64::from(l.instance.rows) >= l.k);
                    let whole = l.m == self.m - l.offset;
                    assert!(whole || l.m == l.k);
                    for j in (l.first as usize..(l.first + l.n) as usize).filter(|j| !(at..end).contains(j)) {
                        self.exchange(j, l);
                        if j >= end {
                            self.solve(j, l);
                        }
                        if j >= end && whole {
                            self.eliminate(j, l);
                        }
                    }
                }
                Task::Interchanges => {
                    (l.first as usize..n).filter(|j| !(at..end).contains(j)).for_each(|j| self.exchange(j, l))
                }
                Task::Trailing => {
                    assert_eq!((end as i64 + l.n, l.offset + l.m), (n as i64, self.m));
                    for j in end..n {
                        self.exchange(j, l);
                        self.solve(j, l);
                        if (end as i64) < self.m {
                            self.eliminate(j, l);
                        }
                    }
                }
                Task::LeftInterchanges => {
                    for j in 0..l.n {
                        let (start, width) = if j < l.first { (0, WIDEST) } else { (l.first, WIDEST / 2) };
                        let panel_end = j - (j - start) % width + width;
                        assert_eq!(self.exchanged[j as usize], panel_end, "column {j}");
                        self.exchanged[j as usize] = l.k;
                    }
                }
                Task::Solve => {
                    assert_eq!(end as i64 + l.n, n as i64);
                    (end..n).for_each(|j| self.solve(j, l));
                }
                Task::Product => {
                    assert_eq!(l.m, self.m - end as i64);
                    (end..end + l.n as usize).for_each(|j| self.eliminate(j, l));
                }
            }
        }

        fn exchange(&mut self, j: usize, l: &Launch) {
            assert_eq!(self.exchanged[j], l.offset, "exchanges of column {j}");
            self.exchanged[j] += l.k;
        }

        fn solve(&mut self, j: usize, l: &Launch) {
            assert_eq!((self.exchanged[j], self.eliminated[j]), (l.offset + l.k, l.offset), "solve in column {j}");
            self.solved[j] = l.offset + l.k;
        }

        fn eliminate(&mut self, j: usize, l: &Launch) {
            assert_eq!((self.solved[j], self.eliminated[j]), (l.offset + l.k, l.offset), "product in column {j}");
            self.eliminated[j] += l.k;
        }
    }

    /// Every step is applied to every column once, in order, and panel kernels hold the panels that they factor.
    #[test]
    fn launches_do_all_steps_to_all_columns() {
        for dtype in Dtype::ALL {
            for (m, n) in [
                (129, 129),
                (200, 500),
                (500, 200),
                (512, 512),
                (1024, 1024),
                (5000, 40),
                (40, 5000),
                (4096, 4096),
                (100, 300),
                (300, 700),
                (650, 610),
                (70000, 400),
            ] {
                for (batch, width) in [(1, 0), (64, 0), (MANY, 0), (1, 64), (MANY, 64), (1, 128), (MANY, 128)] {
                    let launches = blocked(dtype, (m, n), batch, width, Limits::HOPPER).unwrap();
                    let none = vec![0; n as usize];
                    let mut done = Progress { m, exchanged: none.clone(), eliminated: none.clone(), solved: none };
                    launches.iter().for_each(|(l, task)| done.launch(l, *task));
                    let steps = m.min(n);
                    for j in 0..n as usize {
                        // there are no rows below the last of m
                        let there = done.eliminated[j].max(if steps == m { done.solved[j] } else { 0 });
                        assert!(there == steps || there > j as i64, "{dtype:?} {m} x {n}: column {j}");
                        assert_eq!(done.exchanged[j], steps, "{dtype:?} {m} x {n}: column {j}");
                    }
                }
            }
        }
    }

    /// The remaining matrix is visited once per outer panel, not once per panel.
    #[test]
    fn updates_stay_in_their_outer_panel() {
        for dtype in Dtype::ALL {
            let launches = blocked(dtype, (512, 512), MANY, 0, Limits::HOPPER).unwrap();
            let of = |task| launches.iter().filter(move |(_, of)| *of == task);
            // 64 columns each; the last one has 96.
            assert!(of(Task::Update).all(|(l, _)| l.m == l.k || l.n <= 64 + DEFAULT.getrf.rest));
            let (one, apart, strips) = match dtype {
                Dtype::S => (0, 7, 0),
                Dtype::D => (0, 0, 4 * 2 + 3), // two within each of four outer panels
                Dtype::C | Dtype::Z => (7, 0, 0),
            };
            assert_eq!((of(Task::Trailing).count(), of(Task::LeftInterchanges).count()), (one, 1));
            assert_eq!(of(Task::Strips).count(), strips);
            assert_eq!((of(Task::Product).count(), of(Task::Interchanges).count()), (apart, 0));
        }
    }

    /// A strip is one block's work, and a few matrices have too few strips.
    #[test]
    fn strips_of_few_matrices_are_shared_by_blocks() {
        for dtype in Dtype::ALL {
            let count = |batch| {
                let launches = blocked(dtype, (512, 512), batch, 0, Limits::HOPPER).unwrap();
                launches.iter().filter(|(_, task)| matches!(task, Task::Trailing | Task::Strips)).count()
            };
            let all = if dtype == Dtype::S { 0 } else { 7 };
            assert_eq!((count(16), count(MANY)), (0, if dtype == Dtype::D { 11 } else { all }), "{dtype:?}");
        }
    }

    /// A few tall matrices have separate products, which many blocks share.
    #[test]
    fn few_tall_matrices_share_out_their_products() {
        for dtype in Dtype::ALL {
            // Whether an update within an outer panel is limited to the panel's own rows.
            let stops = |(l, task): &(Launch, Task)| *task == Task::Update && l.n < WIDEST && l.offset + l.m < 2048;
            let launches = |batch| blocked(dtype, (2048, 2048), batch, 0, Limits::HOPPER).unwrap();
            assert!(launches(16).iter().any(stops));
            assert!(!launches(MANY).iter().any(stops));
        }
    }

    /// Registers hold panels of up to 4096 rows.
    #[test]
    fn panels_are_held() {
        for dtype in Dtype::ALL {
            assert!(
                blocked(dtype, (4096, 4096), MANY, 0, Limits::HOPPER)
                    .unwrap()
                    .iter()
                    .all(|(l, task)| *task != Task::Panel || l.instance.rows > 0)
            );
        }
    }
}
