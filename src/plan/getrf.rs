//! Plans for LU factorisations.
//!
//! Candidates, in order: `resident` (the matrix in registers, one launch), `blocked` (panels in registers, each followed by
//! one launch for what is beside it: row exchanges, a triangular solve and a product), `generic` (one launch that works in
//! global memory, and takes everything). Source of the blocked one: LAPACK getrf's loop, with the exchanges of a panel on
//! the way to the update (Abdelfattah, Haidar, Tomov, Dongarra, "Progressive batched LU").
//!
//! Wide matrices are cut into outer panels first. What follows a panel reaches to the end of its outer panel, which is
//! small; the rest of the matrix is read and written once for an outer panel, not once for each of its panels: in one launch,
//! if the batch gives it blocks enough; or by row exchanges, a triangular solve and a matrix product. The exchanges to the
//! left of outer panels come at the end, all at a time.

use super::orgqr::tightest;
use super::strip::{Held, MOST};
use super::table::{
    GEMM, GETRF_COLUMNS, GETRF_NOPIV_GRID, GETRF_NOPIV_SMALL, GETRF_PANEL, GETRF_SMALL, GETRF_TEAM, GETRF_TRAILING,
    GETRF_UPDATE, Instance, LASWP, LEFT_EXCHANGES, TRSM,
};
use super::tuned::{Choice, Tuned, told};
use super::{Launch, Limits, Plan, Planned, Shape, allowed, batch_invariant, ceil_div, trsm};
use crate::error::Error;
use crate::routine::{Dtype, Getrf};

/// What a launch does. All but panels work on what is beside the `k` columns from the diagonal at `offset` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// A factorisation of `n` columns.
    Panel,
    /// What follows a panel in columns `first` .. `first + n`, and in its first `m` rows.
    Beside,
    /// The exchanges of an outer panel's rows in all columns but its own.
    Exchanges,
    /// U12 := L11^-1 A12, of `n` columns.
    Solve,
    /// A22 := A22 - L21 U12, `m` x `n`.
    Product,
    /// All three, of `n` columns.
    Trailing,
    /// The exchanges of all later outer panels, in the columns left of the last one, of which `first` are in wide ones.
    Left,
}

impl Task {
    /// That of a launch.
    pub fn of(l: &Launch) -> Task {
        let others = [
            (GETRF_UPDATE, Task::Beside),
            (LASWP, Task::Exchanges),
            (TRSM, Task::Solve),
            (GEMM, Task::Product),
            (GETRF_TRAILING, Task::Trailing),
            (LEFT_EXCHANGES, Task::Left),
        ];
        let own = others.into_iter().find(|(family, _)| l.instance.is_of(family));
        own.map_or(Task::Panel, |(_, task)| task)
    }
}

/// Sizes m and n; k: the batch count's class, where it counts; form: whether there are pivots.
impl Planned for Getrf {
    fn limits(&self, device: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        Ok(tuned(self.pivoting).limits(device()?, (self.m, self.n), self.batch))
    }

    fn shape(&self, _: Limits) -> Shape {
        let counts = self.m > TALL || self.n > ONE_LEVEL;
        let batch = if counts && !batch_invariant() { self.batch.clamp(1, MANY) } else { MANY };
        // Powers of two: plans are kept for each.
        Shape { dtype: self.dtype, m: self.m, n: self.n, k: 1 << batch.ilog2(), form: self.pivoting.into() }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Getrf>, Error> {
        let Shape { dtype, m, n, k: batch, .. } = shape;
        if m.max(n) > i32::MAX.into() {
            return Err(Error::NotSupported("2^31 or more rows or columns on the device".into()));
        }
        let (of, may) = (tuned(shape.form != 0), |candidate| limits.native && allowed(candidate));
        let measured = of.measured(dtype, (m, n, 0), limits, |c| holds(c, shape, limits));
        if let Some((choice, origin)) = measured
            && let Some(launches) = launches(choice, shape, limits)?
        {
            return Ok(Plan { detail: told(choice, origin), ..Plan::new(choice.candidate(), launches) });
        }
        let permitted = |i: &&'static Instance| of.permits(Choice::Kernel("resident", i));
        if let Some(instance) = resident(shape, limits, permitted).filter(|_| may("resident")) {
            return Ok(Plan::new("resident", [Launch::on(instance, m, n, 0)]));
        }
        let widths = [0, WIDEST / 2, WIDEST].into_iter().find(|width| of.permits(Choice::Blocked(*width)));
        if let Some(width) = widths.filter(|_| may("blocked")) {
            return Ok(Plan::new("blocked", blocked(dtype, (m, n), batch, width, limits)?));
        }
        if allowed("generic") {
            return Ok(Plan::new("generic", [Launch::on(Instance::plain(GETRF_COLUMNS, dtype)?, m, n, 0)]));
        }
        Err(Error::NotSupported(format!("no allowed plan factors {m} x {n} into L U")))
    }

    fn candidates(shape: Shape, limits: Limits) -> String {
        let of = tuned(shape.form != 0);
        let own = resident(shape, limits, |_| true).map_or(Choice::Blocked(0), |i| Choice::Kernel("resident", i));
        of.list(shape.dtype, own, &[0, WIDEST / 2, WIDEST], |choice| launches(choice, shape, limits))
    }

    fn words(&self, l: &Launch) -> String {
        let Launch { m, n, offset, k, first, .. } = l;
        let place = format!("{k} columns at ({offset}, {offset})");
        match Task::of(l) {
            Task::Panel => format!("{m} x {n} at ({offset}, {offset})"),
            Task::Beside if m == k => format!("exchanges and solve beside {place}, {n} columns from {first} on"),
            Task::Beside => format!("beside {place}, {n} columns from {first} on"),
            Task::Exchanges => format!("exchanges right of {place}"),
            Task::Trailing => format!("exchanges, solve and product after {place}, {n} columns"),
            Task::Left => format!("exchanges to the left, {n} columns"),
            Task::Solve => format!("solve with {place}, {n} right-hand sides"),
            Task::Product => format!("{m} x {n}, product after {place}"),
        }
    }
}

/// Most columns of a matrix without outer panels.
const ONE_LEVEL: i64 = 160;
/// Columns of the widest panels.
const WIDE: i64 = 32;
/// Columns up to which a panel is as quick as a warp alone.
const NARROWEST: i64 = 8;
/// An outer panel takes the rest of the columns, if they are so many more.
const REST: i64 = 32;
/// Rows from which on one block should not do the product of a whole strip, if there are few blocks.
const TALL: i64 = 256;
/// Columns of a panel in global memory.
const NARROW: i64 = 16;
/// Blocks that keep a large device busy: three on each of 132 multiprocessors.
const BUSY: i64 = 396;
/// Batch counts from here on are planned alike.
const MANY: i64 = 512;

fn tuned(pivoting: bool) -> Tuned {
    if pivoting { Tuned::Getrf } else { Tuned::GetrfNopiv }
}

/// Whether a choice can be a shape's.
fn holds(choice: Choice, Shape { dtype, m, n, .. }: Shape, limits: Limits) -> bool {
    match choice {
        Choice::Kernel(_, i) => {
            i.dtype == dtype && i64::from(i.rows) >= m && i64::from(i.columns) >= n && limits.run(i.shared)
        }
        Choice::Blocked(_) => limits.native,
    }
}

/// The launches of a choice, where it can be the shape's.
fn launches(choice: Choice, shape: Shape, limits: Limits) -> Result<Option<Vec<Launch>>, Error> {
    let Shape { dtype, m, n, k: batch, .. } = shape;
    if !holds(choice, shape, limits) {
        return Ok(None);
    }
    match choice {
        Choice::Kernel(_, instance) => Ok(Some(vec![Launch::on(instance, m, n, 0)])),
        Choice::Blocked(width) => blocked(dtype, (m, n), batch, width, limits).map(Some),
    }
}

/// Columns of an outer panel of so many rows: 64, which is two panels, or where panels are narrow 128. Products of complex
/// double precision are dear enough with 64.
fn outer(dtype: Dtype, rows: i64) -> i64 {
    let wide = dtype == Dtype::Z || tightest(GETRF_PANEL.iter(), dtype, rows, WIDE).is_some();
    if wide { 64 } else { 128 }
}

/// What holds the whole matrix. With pivots, panels, which have a row in each thread, hold tall and narrow ones. Without, a
/// warp alone holds more columns than the narrowest panels have, and of fewer rows what is tighter.
fn resident(shape: Shape, limits: Limits, permitted: impl Fn(&&'static Instance) -> bool) -> Option<&'static Instance> {
    let Shape { dtype, m, n, form: pivots, .. } = shape;
    let families: &[&[&'static [Instance]]] = match pivots {
        0 if m > WIDE && n <= NARROWEST => &[&[GETRF_PANEL], &[GETRF_TEAM]],
        // Of kinds that are as tight, the first is the fastest.
        0 => &[&[GETRF_NOPIV_GRID, GETRF_NOPIV_SMALL], &[GETRF_PANEL], &[GETRF_TEAM]],
        _ => &[&[GETRF_SMALL], &[GETRF_PANEL], &[GETRF_TEAM]],
    };
    let runs = |i: &&'static Instance| limits.run(i.shared) && permitted(i);
    let of = |kinds: &&[&'static [Instance]]| tightest(kinds.iter().copied().flatten().filter(runs), dtype, m, n);
    families.iter().find_map(of)
}

/// Outer panels, and what follows each of them: exchanges, the solve and the product, in one launch if there are blocks
/// enough; or the first two in one launch, if a strip's block holds their rows. `width`: columns of outer panels, 64 or 128; 0: by
/// their heights.
fn blocked(dtype: Dtype, (m, n): (i64, i64), batch: i64, width: i64, limits: Limits) -> Result<Vec<Launch>, Error> {
    let (steps, mut first, mut launches) = (m.min(n), 0, vec![]);
    if n <= ONE_LEVEL || steps <= REST {
        panels(&mut launches, (dtype, m, batch), 0, (steps, n))?;
        return Ok(launches);
    }
    let left = Instance::plain(LEFT_EXCHANGES, dtype)?;
    let columns = at_the_end(left, m, limits);
    let mut wide = 0;
    while first < steps {
        let (remaining, outer) = (steps - first, if width > 0 { width } else { outer(dtype, m - first) });
        let width = if remaining <= outer + REST { remaining } else { outer };
        let end = first + width;
        panels(&mut launches, (dtype, m, batch), first, (end, end))?;
        let trailing = trailing(dtype, width, limits).filter(|(instance, _)| {
            let strips = ceil_div(n - end, i64::from(instance.columns));
            columns.is_some() && batch * strips >= FILLED
        });
        if let Some((instance, held)) = trailing {
            let launch = Launch::with(instance, m - first, n - end, first, width);
            launches.push(launch.starting(end).holding(held.bytes));
        } else {
            beside(&mut launches, (dtype, batch), (first, width, n), columns.is_some())?;
            if end < n && end < m {
                launches.push(Launch::with(Instance::plain(GEMM, dtype)?, m - end, n - end, first, width));
            }
        }
        if end == steps && first > 0 {
            let shared = columns.map(|columns| left_bytes(dtype, m, columns));
            launches.extend(shared.map(|s| Launch::with(left, m, first, 0, steps).starting(wide).holding(s)));
        }
        if outer == WIDEST {
            wide = end;
        }
        first = end;
    }
    Ok(launches)
}

/// Exchanges and the solve after an outer panel, in all columns beside it or only those to the right.
fn beside(
    launches: &mut Vec<Launch>,
    (dtype, batch): (Dtype, i64),
    (first, width, n): (i64, i64, i64),
    right: bool,
) -> Result<(), Error> {
    let end = first + width;
    let from = if right { first } else { 0 };
    if n - width <= from {
        return Ok(()); // nothing
    }
    if let Some(update) = tightest(GETRF_UPDATE.iter(), dtype, width, 1) {
        launches.push(Launch::with(update, width, n - from, first, width).starting(from));
        return Ok(());
    }
    launches.push(Launch::with(Instance::plain(LASWP, dtype)?, width, n - from - width, first, width).starting(from));
    if end < n {
        let solve = trsm::instance(dtype, width, n - end, batch)?;
        launches.push(Launch::with(solve, width, n - end, first, width));
    }
    Ok(())
}

/// Columns of an outer panel of narrow panels.
pub(crate) const WIDEST: i64 = 128;
/// Blocks from which on one can do a whole strip: two on each of 132 multiprocessors.
const FILLED: i64 = 264;

/// What follows an outer panel in one launch, where there is a kernel for that (in single precision separate launches are
/// quicker), with room for as many blocks on a multiprocessor as can be.
fn trailing(dtype: Dtype, width: i64, limits: Limits) -> Option<(&'static Instance, Held)> {
    let instance = GETRF_TRAILING.iter().find(|i| i.dtype == dtype && i64::from(i.rows) >= width)?;
    let rooms = [limits.shared_by(3), limits.shared_by(2), limits.whole()];
    let held = rooms.into_iter().find_map(|most| trailing_held(instance, width, most))?;
    limits.native.then_some((instance, held))
}

/// What it keeps in so many bytes.
pub(crate) fn trailing_held(instance: &Instance, width: i64, most: u32) -> Option<Held> {
    Held::of(instance, width, MOST, 0, most)
}

/// Columns that the block of a strip to the left keeps at a time, if there is room for one.
fn at_the_end(left: &Instance, m: i64, limits: Limits) -> Option<i64> {
    let at_a_time = |bytes: u32| (1..=i64::from(left.columns)).rev().find(|c| fits(left.dtype, m, *c, bytes));
    at_a_time(47 * 1024).or_else(|| at_a_time(limits.whole())).filter(|_| limits.native && m <= u16::MAX.into())
}

fn fits(dtype: Dtype, m: i64, columns: i64, bytes: u32) -> bool {
    m <= u16::MAX.into() && left_bytes(dtype, m, columns) <= bytes
}

/// Shared memory of that block: the columns, and where rows come from. Mirrors kernels/getrf/left_exchanges.cuh.
fn left_bytes(dtype: Dtype, m: i64, columns: i64) -> u32 {
    (m * columns * dtype.bytes() as i64 + (m + 32) * size_of::<u16>() as i64) as u32
}

/// The columns that it keeps.
pub(crate) fn kept(dtype: Dtype, m: i64, bytes: u32) -> i64 {
    ((i64::from(bytes) - (m + 32) * size_of::<u16>() as i64) / (m * dtype.bytes() as i64)).max(1)
}

/// Columns first .. end of matrices with m rows, in panels as wide as their height allows; what follows a panel reaches from
/// column `first` to `last`. A panel taller than any that registers hold is factored in global memory.
fn panels(
    launches: &mut Vec<Launch>,
    (dtype, m, batch): (Dtype, i64, i64),
    first: i64,
    (end, last): (i64, i64),
) -> Result<(), Error> {
    let none = || Error::Internal("no kernel follows a panel".into());
    let mut at = first;
    while at < end {
        let (rows, left) = (m - at, end - at);
        let holding = || GETRF_PANEL.iter().filter(|i| i.dtype == dtype && i64::from(i.rows) >= rows);
        let (panel, width) = match holding().map(|i| i64::from(i.columns)).max().map(|columns| left.min(columns)) {
            Some(width) => (tightest(holding(), dtype, rows, width), width),
            None => (Some(Instance::plain(GETRF_COLUMNS, dtype)?), left.min(NARROW)),
        };
        launches.push(Launch::on(panel.ok_or_else(none)?, rows, width, at));
        let (below, right) = (rows - width, last - at - width);
        if at > first || right > 0 {
            let update = tightest(GETRF_UPDATE.iter(), dtype, width, 1).ok_or_else(none)?;
            let strips = ceil_div(right, i64::from(update.columns));
            let apart = right > 0 && below > TALL && batch * strips < BUSY;
            let reach = if apart { width } else { rows };
            launches.push(Launch::with(update, reach, last - first, at, width).starting(first));
            if apart {
                launches.push(Launch::with(Instance::plain(GEMM, dtype)?, below, right, at, width));
            }
        }
        at += width;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routine::{Math, Routine, Told};

    fn plan(dtype: Dtype, m: i64, n: i64) -> Plan<Getrf> {
        Getrf::plan(Shape { dtype, m, n, k: MANY, form: 1 }, Limits::HOPPER).unwrap()
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

    /// Without pivots, a warp alone takes medium squares, and what it does not hold, teams of warps and panels take.
    #[test]
    fn medium_matrices_without_pivots_are_a_warps() {
        for dtype in Dtype::ALL {
            let family = |m, n| {
                let plan = Getrf::plan(Shape { dtype, m, n, k: MANY, form: 0 }, Limits::HOPPER).unwrap();
                assert_eq!((plan.candidate, plan.steps.len()), ("resident", 1), "{dtype:?} {m} x {n}");
                let first = plan.launches().next().unwrap().instance;
                let of = [GETRF_NOPIV_SMALL, GETRF_NOPIV_GRID, GETRF_PANEL, GETRF_TEAM];
                of.into_iter().position(|f| first.is_of(f)).unwrap()
            };
            let grids = [(Dtype::S, 33..=96), (Dtype::D, 17..=64), (Dtype::C, 25..=64), (Dtype::Z, 17..=48)];
            let grids = grids.into_iter().find(|(d, _)| *d == dtype).unwrap().1;
            for n in 1..=128 {
                let expected = if n > *grids.end() { 3 } else { usize::from(grids.contains(&n)) };
                assert_eq!(family(n, n), expected, "{dtype:?} {n}");
            }
            assert_eq!((family(40, 8), family(40, 16), family(16, 40), family(120, 16)), (2, 1, 1, 2), "{dtype:?}");
        }
    }

    /// What holds a matrix runs on the device, of which some have less shared memory.
    #[test]
    fn resident_kernels_fit_the_device() {
        for dtype in Dtype::ALL {
            for (kib, n) in [227, 163, 99, 48].into_iter().zip([128, 128, 64, 33]) {
                let limits = Limits { shared_per_block: kib * 1024, ..Limits::HOPPER };
                let plan = Getrf::plan(Shape { dtype, m: n, n, k: 0, form: 1 }, limits).unwrap();
                assert!(plan.launches().all(|l| l.shared <= limits.shared_per_block), "{dtype:?} {n}, {kib} KiB");
            }
        }
    }

    /// What of a matrix has been done, in terms of steps: a column that has had all of steps 0 .. s has s.
    struct Done {
        m: i64,
        /// Of each column: steps whose exchanges have been done, and eliminations.
        exchanged: Vec<i64>,
        eliminated: Vec<i64>,
        /// Of each column: steps for which U has been solved, while the product is still to come.
        solved: Vec<i64>,
    }

    impl Done {
        fn launch(&mut self, l: &Launch) {
            let (at, end) = (l.offset as usize, (l.offset + l.k) as usize);
            let n = self.exchanged.len();
            match Task::of(l) {
                Task::Panel => {
                    assert!(l.instance.rows == 0 || i64::from(l.instance.rows) >= l.m);
                    assert!(l.instance.columns == 0 || i64::from(l.instance.columns) >= l.n);
                    assert_eq!(l.m, self.m - l.offset);
                    for j in at..at + l.n as usize {
                        assert_eq!((self.exchanged[j], self.eliminated[j]), (l.offset, l.offset), "column {j}");
                        (self.exchanged[j], self.eliminated[j]) = (l.offset + l.n, l.offset + l.n);
                    }
                }
                Task::Beside => {
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
                Task::Exchanges => {
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
                Task::Left => {
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

    /// Every step reaches every column once, in order, and panels are held by what factors them.
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
            ] {
                for (batch, width) in [(1, 0), (64, 0), (MANY, 0), (1, 64), (MANY, 64), (1, 128), (MANY, 128)] {
                    let launches = blocked(dtype, (m, n), batch, width, Limits::HOPPER).unwrap();
                    let none = vec![0; n as usize];
                    let mut done = Done { m, exchanged: none.clone(), eliminated: none.clone(), solved: none };
                    launches.iter().for_each(|l| done.launch(l));
                    let steps = m.min(n);
                    for j in 0..n as usize {
                        // what is below the last of m rows is empty
                        let there = done.eliminated[j].max(if steps == m { done.solved[j] } else { 0 });
                        assert!(there == steps || there > j as i64, "{dtype:?} {m} x {n}: column {j}");
                        assert_eq!(done.exchanged[j], steps, "{dtype:?} {m} x {n}: column {j}");
                    }
                }
            }
        }
    }

    /// The whole of what remains is visited once for an outer panel, not for each panel.
    #[test]
    fn updates_stay_in_their_outer_panel() {
        for dtype in Dtype::ALL {
            let launches = blocked(dtype, (512, 512), MANY, 0, Limits::HOPPER).unwrap();
            let of = |task| launches.iter().filter(move |l| Task::of(l) == task);
            // 64 columns each, and the last 96
            assert!(of(Task::Beside).all(|l| l.m == l.k || l.n <= 64 + REST));
            let (one, apart) = if dtype == Dtype::S { (0, 7) } else { (7, 0) };
            assert_eq!((of(Task::Trailing).count(), of(Task::Left).count()), (one, 1));
            assert_eq!((of(Task::Product).count(), of(Task::Exchanges).count()), (apart, 0));
        }
    }

    /// A strip is a block's: a few matrices have too few of them.
    #[test]
    fn strips_of_few_matrices_are_shared_by_blocks() {
        for dtype in Dtype::ALL {
            let count = |batch| {
                let launches = blocked(dtype, (512, 512), batch, 0, Limits::HOPPER).unwrap();
                launches.iter().filter(|l| Task::of(l) == Task::Trailing).count()
            };
            assert_eq!((count(16), count(MANY)), (0, if dtype == Dtype::S { 0 } else { 7 }), "{dtype:?}");
        }
    }

    /// Few tall matrices have their products apart, which many blocks share.
    #[test]
    fn few_tall_matrices_share_out_their_products() {
        for dtype in Dtype::ALL {
            // whether an update within an outer panel stops at the panel's own rows
            let stops = |l: &Launch| Task::of(l) == Task::Beside && l.n < WIDEST && l.offset + l.m < 2048;
            let launches = |batch| blocked(dtype, (2048, 2048), batch, 0, Limits::HOPPER).unwrap();
            assert!(launches(16).iter().any(stops));
            assert!(!launches(MANY).iter().any(stops));
        }
    }

    /// The batch count matters to large matrices, where it is small.
    #[test]
    fn few_large_matrices_are_planned_apart() {
        let shape = |n, batch| {
            let of = crate::routine::Shape { dtype: Dtype::D, m: n, n, batch, math: Math::Fp32, told: Told::default() };
            Getrf::of_shape(&of).shape(Limits::HOPPER)
        };
        assert_eq!(shape(100, 1), shape(100, 1000));
        assert_eq!(shape(1000, 600), shape(1000, 5000));
        assert_eq!(shape(1000, 9), shape(1000, 15));
        assert_ne!(shape(1000, 15), shape(1000, 16));
    }

    /// Up to 4096 rows, registers hold a panel.
    #[test]
    fn panels_are_held() {
        for dtype in Dtype::ALL {
            assert!(
                blocked(dtype, (4096, 4096), MANY, 0, Limits::HOPPER)
                    .unwrap()
                    .iter()
                    .all(|l| Task::of(l) != Task::Panel || l.instance.rows > 0)
            );
        }
    }
}
