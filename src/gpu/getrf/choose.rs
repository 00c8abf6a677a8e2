//! Plans for LU factorisations.
//!
//! Candidates, in order: `resident` (the matrix in registers or shared memory, one launch), `blocked` (panels in
//! registers, each followed by one launch for the columns beside it: row interchanges, a triangular solve and a
//! product), `generic` (one launch that works in global memory and accepts every shape). Source of the blocked one:
//! LAPACK getrf's loop, with a panel's interchanges merged into the update (Abdelfattah, Haidar, Tomov, Dongarra,
//! "Progressive batched LU").
//!
//! `blocked.rs` has those launches, `large.rs` those for few large matrices (`large`, before `blocked`), `each.rs`
//! the plans for members with individual sizes.

use super::blocked::{WIDEST, blocked};
use super::large;
use crate::error::Error;
use crate::gpu::arch::TeamOrders;
use crate::gpu::plan::table::{
    GETRF_COLUMNS, GETRF_LEFT_LOOKING, GETRF_LEFT_LOOKING_EACH, GETRF_NOPIV_GRID, GETRF_NOPIV_SMALL, GETRF_PANEL,
    GETRF_SMALL, GETRF_TEAM, Instance,
};
use crate::gpu::plan::tuned::{Choice, Tuned, plan_detail};
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape, allowed, batch_invariant};
use crate::routine::{Dtype, Getrf};

/// What a launch does. All but panels work on columns beside the `k` columns that begin at the diagonal element
/// `offset`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// Factors `n` columns.
    #[default]
    Panel,
    /// Applies a panel to columns `first` .. `first + n`, in the `m` rows from `offset` on.
    Update,
    /// The same in all rows, without barriers.
    Strips,
    /// Applies the row interchanges of an outer panel to all columns but its own.
    Interchanges,
    /// U12 := L11^-1 A12, of `n` columns.
    Solve,
    /// A22 := A22 - L21 U12, `m` x `n`.
    Product,
    /// Interchanges, solve and product, of `n` columns.
    Trailing,
    /// Applies the interchanges of all later outer panels to the columns left of the last one, of which the first
    /// `first` belong to wide outer panels.
    LeftInterchanges,
}

/// Bits of a shape's form: pivoting is on; members have individual sizes; the batch has few, large matrices.
pub(crate) const PIVOTS: u32 = 1;
pub(crate) const EACH: u32 = 2;
const LARGE: u32 = 4;

/// The shape has m and n. `k` is the batch count rounded down to a power of two, where plans depend on it; `form`
/// has the bits above.
impl Planned for Getrf {
    type Task = Task;

    fn limits(&self, device: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        Ok(tuned(self.pivoting).limits(device()?, (self.m, self.n), self.batch))
    }

    fn shape(&self, limits: Limits) -> Shape {
        let of = &limits.measured().getrf;
        let counts = self.m > of.tall
            || self.n > of.one_level
            || self.m.max(self.n) > of.strips_from.0
            || team_wins_unless_full(self.dtype, self.m, self.n, limits);
        let batch = if counts && !batch_invariant() { self.batch.clamp(1, of.many) } else { of.many };
        // Rounded down to a power of two, because each value has its own cached plan.
        Shape {
            dtype: self.dtype,
            m: self.m,
            n: self.n,
            k: 1 << batch.ilog2(),
            form: if self.pivoting { PIVOTS } else { 0 }
                | match self.sizes {
                    Some(_) => EACH,
                    None if large::is_large(self, limits) && !batch_invariant() => LARGE,
                    None => 0,
                },
        }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Getrf>, Error> {
        let Shape { dtype, m, n, k: batch, .. } = shape;
        if m.max(n) > i32::MAX.into() {
            return Err(Error::NotSupported("2^31 or more rows or columns on the device".into()));
        }
        if shape.form & EACH != 0 {
            return super::each::plan(shape, limits);
        }
        if shape.form & LARGE != 0 && limits.native && allowed("large") {
            return Ok(Plan::new("large", []));
        }
        let (of, may) = (tuned(shape.form & PIVOTS != 0), |candidate| limits.native && allowed(candidate));
        let measured = of.measured(dtype, (m, n, 0), limits, |c| holds(c, shape, limits));
        if let Some((choice, origin)) = measured
            && let Some(launches) = launches(choice, shape, limits)?
        {
            return Ok(Plan { detail: plan_detail(choice, origin), ..Plan::with_tasks(choice.candidate(), launches) });
        }
        let permitted = |i: &&'static Instance| of.permits(Choice::Kernel("resident", i));
        if let Some(instance) = resident(shape, limits, permitted).filter(|_| may("resident")) {
            return Ok(Plan::new("resident", [resident_launch(instance, m, n, 0)]));
        }
        let widths = [0, WIDEST / 2, WIDEST].into_iter().find(|width| of.permits(Choice::Blocked(*width)));
        if let Some(width) = widths.filter(|_| may("blocked")) {
            return Ok(Plan::with_tasks("blocked", blocked(dtype, (m, n), batch, width, limits)?));
        }
        if allowed("generic") {
            return Ok(Plan::new("generic", [Launch::on(Instance::plain(GETRF_COLUMNS, dtype)?, m, n, 0)]));
        }
        Err(Error::NotSupported(format!("no allowed plan factors {m} x {n} into L U")))
    }

    fn candidates(shape: Shape, limits: Limits) -> String {
        let of = tuned(shape.form & PIVOTS != 0);
        let own = resident(shape, limits, |_| true).map_or(Choice::Blocked(0), |i| Choice::Kernel("resident", i));
        of.list(shape.dtype, own, &[0, WIDEST / 2, WIDEST], |choice| launches(choice, shape, limits))
    }

    fn words(&self, l: &Launch, task: Task) -> String {
        let Launch { m, n, offset, k, first, .. } = l;
        let place = format!("{k} columns at ({offset}, {offset})");
        match task {
            Task::Panel => format!("{m} x {n} at ({offset}, {offset})"),
            Task::Update if m == k => format!("exchanges and solve beside {place}, {n} columns from {first} on"),
            Task::Update | Task::Strips => format!("beside {place}, {n} columns from {first} on"),
            Task::Interchanges => format!("exchanges right of {place}"),
            Task::Trailing => format!("exchanges, solve and product after {place}, {n} columns"),
            Task::LeftInterchanges => format!("exchanges to the left, {n} columns"),
            Task::Solve => format!("solve with {place}, {n} right-hand sides"),
            Task::Product => format!("{m} x {n}, product after {place}"),
        }
    }
}

/// Columns of the widest panels.
pub(crate) const WIDE: i64 = 32;

fn tuned(pivoting: bool) -> Tuned {
    if pivoting { Tuned::Getrf } else { Tuned::GetrfNopiv }
}

/// Whether a choice is possible for a shape.
fn holds(choice: Choice, Shape { dtype, m, n, .. }: Shape, limits: Limits) -> bool {
    match choice {
        Choice::Kernel(_, i) => {
            i.dtype == dtype && i64::from(i.rows) >= m && i64::from(i.columns) >= n && runs(i, m, n, limits)
        }
        Choice::Blocked(_) => limits.native,
    }
}

/// The launches of a choice, or `None` if it is not possible for the shape.
fn launches(choice: Choice, shape: Shape, limits: Limits) -> Result<Option<Vec<(Launch, Task)>>, Error> {
    let Shape { dtype, m, n, k: batch, .. } = shape;
    if !holds(choice, shape, limits) {
        return Ok(None);
    }
    match choice {
        Choice::Kernel(_, instance) => Ok(Some(vec![(resident_launch(instance, m, n, 0), Task::Panel)])),
        Choice::Blocked(width) => blocked(dtype, (m, n), batch, width, limits).map(Some),
    }
}

/// The launch of a kernel that holds the m x n part at (offset, offset). Panels in halves and left-looking strips
/// have as many warps per block as the rows need.
pub(crate) fn resident_launch(instance: &'static Instance, m: i64, n: i64, offset: i64) -> Launch {
    let launch = Launch::on(instance, m, n, offset);
    let warps = if in_halves(instance) {
        (m as u32).div_ceil(instance.rows * 32 / instance.threads)
    } else if is_left_looking(instance) {
        (m as u32).div_ceil(32)
    } else {
        return launch;
    };
    launch.in_blocks(32 * warps, instance.per_block).with_shared(shared(instance, m, n))
}

/// Whether it is a panel kernel that works in halves, one of which waits in shared memory.
fn in_halves(instance: &Instance) -> bool {
    instance.by_size.is_some() && instance.is_of(GETRF_PANEL)
}

/// Whether it is a left-looking kernel, which factors one strip of columns after another in shared memory.
fn is_left_looking(instance: &Instance) -> bool {
    instance.is_of(GETRF_LEFT_LOOKING) || instance.is_of(GETRF_LEFT_LOOKING_EACH)
}

/// Shared memory for an m x n part. Left-looking strips keep L, with at most as many columns as rows, but without
/// the last strip.
fn shared(instance: &Instance, m: i64, n: i64) -> u32 {
    let columns = if is_left_looking(instance) { n.min(m + i64::from(instance.tile)) } else { n };
    instance.shared_for(&[m, columns, m])
}

/// Whether the device runs it on an m x n part. (Panels need shared memory for interchanges, too.)
pub(crate) fn runs(instance: &Instance, m: i64, n: i64, limits: Limits) -> bool {
    const EXCHANGES: u32 = 9 * 1024;
    let exchanges = if in_halves(instance) { EXCHANGES } else { 0 };
    limits.runs(shared(instance, m, n).saturating_add(exchanges))
}

/// The kernel for an m x n part with the least padding; among equals, the first. If one half of a panel in halves
/// suffices, it counts like a panel of that width. With few rows, a panel in halves ranks behind one with a row per
/// thread.
pub(crate) fn tightest<'a>(
    instances: impl Iterator<Item = &'a Instance>,
    dtype: Dtype,
    m: i64,
    n: i64,
    limits: Limits,
) -> Option<&'a Instance> {
    let few = limits.measured().getrf.halves as u64;
    let room = |i: &Instance| match (in_halves(i), i64::from(i.columns)) {
        (true, columns) if 2 * n <= columns => (m as u64).next_power_of_two().max(128) * columns as u64 / 2,
        (true, columns) => (m as u64).max(few + 1) * columns as u64,
        (false, columns) => u64::from(i.rows) * columns as u64,
    };
    instances
        .filter(|i| i.dtype == dtype && i64::from(i.rows) >= m && i64::from(i.columns) >= n)
        .min_by_key(|i| room(i))
}

/// Whether a team's shorter steps beat left-looking strips only while the device is not full.
fn team_wins_unless_full(dtype: Dtype, m: i64, n: i64, limits: Limits) -> bool {
    let holds = |of: TeamOrders| (of.larger.0..=of.larger.1).contains(&m.max(n)) && n >= of.columns;
    limits.measured().getrf.team_unless_full[dtype].is_some_and(holds)
}

/// The kernel that holds the whole matrix. With pivoting, panel kernels, which have a row in each thread, hold tall
/// and narrow matrices. Without, a single warp holds more columns than the narrowest panels do; for fewer rows, the
/// kernel with the least padding is used.
fn resident(shape: Shape, limits: Limits, permitted: impl Fn(&&'static Instance) -> bool) -> Option<&'static Instance> {
    const LARGE: &[&[Instance]] = &[GETRF_TEAM, GETRF_LEFT_LOOKING];
    let Shape { dtype, m, n, form: pivots, k: batch } = shape;
    let of = &limits.measured().getrf;
    let strips = team_wins_unless_full(dtype, m, n, limits) && batch >= of.many;
    let families: &[&[&'static [Instance]]] = match pivots {
        0 if m > WIDE && n <= of.narrowest => &[&[GETRF_PANEL], LARGE],
        // Among families with equal padding, the first is the fastest.
        0 => &[&[GETRF_NOPIV_GRID, GETRF_NOPIV_SMALL], &[GETRF_PANEL], LARGE],
        _ => &[&[GETRF_SMALL], &[GETRF_PANEL], LARGE],
    };
    let panels = pivots != 0 && m.max(n) > of.strips_from.0 && batch < of.strips_from.1;
    let slower = |i: &Instance| strips && i.is_of(GETRF_TEAM) || panels && is_left_looking(i);
    let runs = |i: &&'static Instance| runs(i, m, n, limits) && permitted(i) && !slower(i);
    let of =
        |kinds: &&[&'static [Instance]]| tightest(kinds.iter().copied().flatten().filter(runs), dtype, m, n, limits);
    families.iter().find_map(of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::arch::DEFAULT;
    use crate::routine::{ExtraArguments, Math, Routine};

    fn plan(dtype: Dtype, m: i64, n: i64) -> Plan<Getrf> {
        Getrf::plan(Shape { dtype, m, n, k: DEFAULT.getrf.many, form: 1 }, Limits::HOPPER).unwrap()
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

    /// Without pivoting, a warp alone factors medium squares. Teams of warps, strips and panels factor what it
    /// cannot hold.
    #[test]
    fn medium_matrices_without_pivots_are_a_warps() {
        for dtype in Dtype::ALL {
            let family = |m, n| {
                let plan = Getrf::plan(Shape { dtype, m, n, k: DEFAULT.getrf.many, form: 0 }, Limits::HOPPER).unwrap();
                assert_eq!((plan.candidate, plan.steps.len()), ("resident", 1), "{dtype:?} {m} x {n}");
                let first = plan.launches().next().unwrap().instance;
                let of = [GETRF_NOPIV_SMALL, GETRF_NOPIV_GRID, GETRF_PANEL, GETRF_TEAM, GETRF_LEFT_LOOKING];
                of.into_iter().position(|f| first.is_of(f)).unwrap()
            };
            let grids = [(Dtype::S, 33..=96), (Dtype::D, 17..=64), (Dtype::C, 25..=64), (Dtype::Z, 17..=48)];
            let grids = grids.into_iter().find(|(d, _)| *d == dtype).unwrap().1;
            for n in 1..=128 {
                let large = if dtype == Dtype::S { 3 } else { 4 };
                let expected = if n > *grids.end() { large } else { usize::from(grids.contains(&n)) };
                assert_eq!(family(n, n), expected, "{dtype:?} {n}");
            }
            assert_eq!((family(40, 8), family(40, 16), family(16, 40), family(120, 16)), (2, 1, 1, 2), "{dtype:?}");
        }
    }

    /// With pivoting, left-looking strips serve large batches from 65 rows or columns on; in d they need more than
    /// 40 columns, in z at least 49. Their blocks have as many warps as the rows need, and no more shared memory
    /// than they use. Small batches go to a team if it holds the matrix.
    #[test]
    fn strips_that_look_left_are_as_large_as_the_matrix() {
        for (dtype, rows, columns) in [(Dtype::D, 65, 65), (Dtype::C, 65, 65), (Dtype::Z, 65, 49)] {
            for (m, n) in (33..=128).map(|n| (n, n)).chain([(20, 100), (128, 40), (rows, 41), (rows, 33), (1, columns)])
            {
                let launch = plan(dtype, m, n).launches().next().unwrap().clone();
                let teams = dtype == Dtype::D && m <= 96 && n <= 40;
                assert_eq!(
                    is_left_looking(launch.instance),
                    (m >= rows || n >= columns) && !teams,
                    "{dtype:?} {m} x {n}"
                );
                if is_left_looking(launch.instance) {
                    assert_eq!(i64::from(launch.threads), (m + 31) / 32 * 32);
                    assert!(launch.shared <= shared(launch.instance, 128, 128), "{dtype:?} {m} x {n}");
                }
            }
            let shared = |n| plan(dtype, n, n).launches().next().unwrap().shared;
            // This many blocks share a multiprocessor, each of which costs another KiB.
            let blocks = if dtype == Dtype::Z { 2 } else { 4 };
            assert!(blocks * (shared(96) + 1024) <= 228 * 1024, "{dtype:?}");
        }
        for (dtype, n) in [(Dtype::D, 65), (Dtype::D, 96), (Dtype::C, 96), (Dtype::C, 128), (Dtype::Z, 64)] {
            let few = Getrf::plan(Shape { dtype, m: n, n, k: 256, form: 1 }, Limits::HOPPER).unwrap();
            assert!(few.launches().next().unwrap().instance.is_of(GETRF_TEAM), "{dtype:?} {n}");
        }
    }

    /// Orders just above 128 are one launch, too: in s, where registers hold them, and in d and c, where strips do. With
    /// pivoting, few matrices are faster in panels than in strips.
    #[test]
    fn orders_above_128_are_one_launch() {
        let steps = |dtype, n, batch, form| {
            let plan = Getrf::plan(Shape { dtype, m: n, n, k: batch, form }, Limits::HOPPER).unwrap();
            (plan.steps.len(), plan.launches().next().unwrap().instance)
        };
        for (dtype, largest) in [(Dtype::S, 192), (Dtype::D, 144), (Dtype::C, 144)] {
            for n in [129, 136, largest] {
                for (batch, form) in [(512, 1), (64, 1), (1, 0), (512, 0)] {
                    let (steps, instance) = steps(dtype, n, batch, form);
                    assert!(steps == 1 && instance.is_of(GETRF_TEAM) == (dtype == Dtype::S), "{dtype:?} {n} {batch}");
                }
                assert_eq!(steps(dtype, n, 32, 1).0 == 1, dtype == Dtype::S, "{dtype:?} {n}");
            }
            assert!(steps(dtype, largest + 1, 512, 1).0 > 1, "{dtype:?}");
        }
    }

    /// The kernel that holds a matrix runs on the device, even one with less shared memory.
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

    /// The batch count only matters for large matrices, while it is small.
    #[test]
    fn few_large_matrices_are_planned_apart() {
        let shape = |n, batch| {
            let of = crate::routine::Shape {
                dtype: Dtype::D,
                m: n,
                n,
                batch,
                math: Math::Fp32,
                extra: ExtraArguments::default(),
            };
            Getrf::of_shape(&of).shape(Limits::HOPPER)
        };
        assert_eq!(shape(100, 1), shape(100, 1000));
        assert_eq!(shape(1000, 600), shape(1000, 5000));
        assert_eq!(shape(1000, 9), shape(1000, 15));
        assert_ne!(shape(1000, 15), shape(1000, 16));
    }
}
