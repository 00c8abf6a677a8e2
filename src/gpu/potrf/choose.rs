//! Plans for Cholesky factorisations.
//!
//! Candidates, in order: `resident` (the matrix in registers or shared memory, one launch), `blocked` (a resident
//! block on the diagonal, the triangular solve below it, and the product that updates the triangle of the rest) and
//! `generic` (one launch that works in global memory and accepts every order). Source of the blocked one: LAPACK
//! potrf's loop, right-looking. For few large matrices, `large` precedes `blocked` ([`large`](super::large)).

use crate::error::Error;
use crate::gpu::arch;
use crate::gpu::arch::ByRows;
use crate::gpu::orgqr::tightest;
use crate::gpu::plan::table::{
    GEMM, GEMM_EACH, Instance, POTRF_GENERIC, POTRF_GENERIC_EACH, POTRF_ROWS, POTRF_ROWS_EACH, POTRF_SMALL,
    POTRF_SMALL_EACH, POTRF_TEAM, POTRF_TEAM_EACH, TRSM, TRSM_EACH,
};
use crate::gpu::plan::tuned::{Choice, Tuned, plan_detail};
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape, allowed, batch_invariant, ceil_div, panels_fit};
use crate::gpu::potrf::large;
use crate::gpu::trsm;
use crate::routine::{Dtype, Potrf, Uplo};
use std::iter;

/// What a launch does. All but factorisations use the `k` columns that begin at the diagonal element `offset`, and
/// work on the `m` rows from `first` on, below the diagonal block with these columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// Factors the `n` x `n` block at `offset`.
    #[default]
    Factor,
    /// L21 := A21 L11^-H.
    Solve,
    /// Updates the next `n` columns by those `k`, in the same rows.
    Update,
    /// A22 := A22 - L21 L21^H, the triangle, of order `m`.
    Product,
}

/// The kernel families of a plan.
struct Kernels {
    rows: &'static [Instance],
    small: &'static [Instance],
    team: &'static [Instance],
    generic: &'static [Instance],
    trsm: &'static [Instance],
    gemm: &'static [Instance],
    /// Whether members have individual orders.
    each: bool,
}

/// The families for uniform batches, or those for members with individual orders. The latter skip what no member has
/// left, and a member that ends before others has nothing to do in the later launches. (These are not constants: a
/// constant could copy the table, and an instance is identified by its place in the table.)
fn kernels_of(each: bool) -> Kernels {
    if each {
        Kernels {
            rows: POTRF_ROWS_EACH,
            small: POTRF_SMALL_EACH,
            team: POTRF_TEAM_EACH,
            generic: POTRF_GENERIC_EACH,
            trsm: TRSM_EACH,
            gemm: GEMM_EACH,
            each,
        }
    } else {
        Kernels {
            rows: POTRF_ROWS,
            small: POTRF_SMALL,
            team: POTRF_TEAM,
            generic: POTRF_GENERIC,
            trsm: TRSM,
            gemm: GEMM,
            each,
        }
    }
}

/// Bits of `form`: members have individual orders; the batch has few, large matrices.
const EACH: u32 = 1;
const LARGE: u32 = 2;

/// The shape has the order. `k` is the batch count rounded down to a power of two, where plans depend on it; `form`
/// has the bits above.
impl Planned for Potrf {
    type Task = Task;

    fn limits(&self, device: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        Ok(Tuned::Potrf.limits(device()?, (self.n, self.n), self.batch))
    }

    fn shape(&self, limits: Limits) -> Shape {
        let of = &limits.measured().potrf;
        let many = if self.sizes.is_some() { of.members } else { of.many };
        let batch = if batch_invariant() { many } else { self.batch.clamp(1, many) };
        let form = match self.sizes {
            Some(_) => EACH,
            None if large::is_large(self, limits) && !batch_invariant() => LARGE,
            None => 0,
        };
        // Rounded down to a power of two, because each value has its own cached plan. The plan is the same for both
        // triangles.
        Shape { dtype: self.dtype, m: self.n, n: self.n, k: 1 << batch.ilog2(), form }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Potrf>, Error> {
        let (Shape { dtype, n, k: batch, .. }, of) = (shape, Tuned::Potrf);
        if n > i32::MAX.into() {
            return Err(Error::NotSupported("2^31 or more rows or columns on the device".into()));
        }
        if shape.form == LARGE && allowed("large") && large::panel(dtype, limits).is_some() {
            return Ok(Plan::new("large", []));
        }
        let each = shape.form == EACH;
        let kernels = &kernels_of(each);
        let fits = |c| matches!(launches(c, shape, limits), Ok(Some(_)));
        let measured = of.measured(dtype, (n, n, 0), limits, fits).filter(|_| !each);
        if let Some((choice, origin)) = measured
            && let Some(launches) = launches(choice, shape, limits)?
        {
            return Ok(Plan { detail: plan_detail(choice, origin), ..Plan::with_tasks(choice.candidate(), launches) });
        }
        // Pins name kernels for uniform batches.
        let permitted = |launch: &Launch| each || of.permits(Choice::Kernel("resident", launch.instance));
        let held = resident(kernels, dtype, n, 0, limits).filter(|l| permitted(l)).or_else(|| {
            let all = kernels.small.iter().chain(kernels.team).chain(kernels.rows);
            let all = all.filter_map(|i| held_by(i, dtype, n, limits));
            all.filter(|launch| permitted(launch)).min_by_key(|launch| launch.instance.rows)
        });
        let apart = |launches| if each { small_apart(launches, shape, limits) } else { launches };
        if let Some(launch) = held.filter(|_| allowed("resident")) {
            return Ok(Plan::with_tasks("resident", apart(vec![(launch, Task::Factor)])));
        }
        let widths = [0].into_iter().chain(WIDTHS).find(|width| of.permits(Choice::Blocked(*width)));
        if let Some(width) = widths.filter(|_| allowed("blocked")) {
            return Ok(Plan::with_tasks("blocked", apart(blocked(kernels, dtype, n, batch, width, limits)?)));
        }
        if allowed("generic") {
            return Ok(Plan::new("generic", [Launch::on(Instance::plain(kernels.generic, dtype)?, n, n, 0)]));
        }
        Err(Error::NotSupported(format!("no allowed plan factors a positive definite matrix of order {n}")))
    }

    fn candidates(shape: Shape, limits: Limits) -> String {
        let own = resident(&kernels_of(false), shape.dtype, shape.n, 0, limits);
        let own = own.map_or(Choice::Blocked(0), |launch| Choice::Kernel("resident", launch.instance));
        let widths = [&[0], &WIDTHS[..]].concat();
        Tuned::Potrf.list(shape.dtype, own, &widths, |choice| launches(choice, shape, limits))
    }

    fn words(&self, l: &Launch, task: Task) -> String {
        let Launch { m, n, k, offset, .. } = l;
        match task {
            Task::Factor => format!("{n} x {n} at ({offset}, {offset})"),
            Task::Solve => format!("{m} rows below {k} columns at ({offset}, {offset})"),
            Task::Update => format!("{m} rows of {n} columns after {k} columns at ({offset}, {offset})"),
            Task::Product => format!("triangle of order {m} after {k} columns at ({offset}, {offset})"),
        }
    }
}

/// The orders of diagonal blocks are multiples of this, so that a team's panels have full width.
const PANEL: i64 = 16;

/// Orders of diagonal blocks that the tuner tries besides the largest.
const WIDTHS: [i64; 5] = [32, 48, 64, 96, 128];

/// The launch of an instance, if it holds the whole matrix.
fn held_by(instance: &'static Instance, dtype: Dtype, n: i64, limits: Limits) -> Option<Launch> {
    let shared = instance.shared_for(&[n]);
    let holds = instance.dtype == dtype && i64::from(instance.rows) >= n && limits.runs(shared);
    holds.then(|| Launch::on(instance, n, n, 0).with_shared(shared))
}

/// The launches of a choice, or `None` if it is not possible for the shape.
fn launches(choice: Choice, shape: Shape, limits: Limits) -> Result<Option<Vec<(Launch, Task)>>, Error> {
    let Shape { dtype, n, k: batch, .. } = shape;
    match choice {
        Choice::Kernel(_, instance) => {
            Ok(held_by(instance, dtype, n, limits).map(|launch| vec![(launch, Task::Factor)]))
        }
        Choice::Blocked(width) if width < n => blocked(&kernels_of(false), dtype, n, batch, width, limits).map(Some),
        Choice::Blocked(_) => Ok(None),
    }
}

/// The launch that holds the whole block of order n at `offset`.
fn resident(kernels: &Kernels, dtype: Dtype, n: i64, offset: i64, limits: Limits) -> Option<Launch> {
    let rows = by_rows(kernels.rows, limits.measured().potrf.by_rows, dtype, (n, n), limits);
    let small = tightest(kernels.small.iter().filter(|i| limits.runs(i.shared)), dtype, n, n);
    let small = small.map(|instance| Launch::on(instance, n, n, 0));
    let held = rows.or(small).or_else(|| team(kernels.team, dtype, (n, n), limits));
    held.map(|mut launch| {
        (launch.offset, launch.first) = (offset, offset);
        launch
    })
}

/// The same for uniform batches; if no kernel holds the block, the one that works in global memory.
pub(crate) fn resident_in(dtype: Dtype, n: i64, offset: i64, limits: Limits) -> Result<Launch, Error> {
    match resident(&kernels_of(false), dtype, n, offset, limits) {
        Some(launch) => Ok(launch),
        None => Instance::plain(POTRF_GENERIC, dtype).map(|i| Launch::on(i, n, n, offset)),
    }
}

/// The launch of a kernel with a row per thread, if `choices` lists this order.
pub(crate) fn by_rows(
    family: &'static [Instance],
    choices: ByRows,
    dtype: Dtype,
    (n, columns): (i64, i64),
    limits: Limits,
) -> Option<Launch> {
    let &(_, _, _, warps) =
        choices.iter().find(|(of, first, last, _)| *of == dtype && (*first..=*last).contains(&n))?;
    let of_warps = family.iter().filter(|i| i64::from(i.warps) == i64::from(warps) && limits.runs(i.shared));
    let instance = tightest(of_warps, dtype, n, columns)?;
    Some(Launch::on(instance, n, columns, 0).with_shared(instance.shared))
}

/// A team's launch for matrices of order n, with `columns` columns in an instance.
pub(crate) fn team(
    family: &'static [Instance],
    dtype: Dtype,
    (n, columns): (i64, i64),
    limits: Limits,
) -> Option<Launch> {
    let instance = tightest(family.iter(), dtype, n, columns)?;
    let shared = instance.shared_for(&[n]);
    limits.runs(shared).then(|| Launch::on(instance, n, columns, 0).with_shared(shared))
}

/// The order of the first of two diagonal blocks, and the largest order of the second, if two are best. What is below the
/// first one is solved and multiplied in tiles, so that a small first block has less of them than two equal ones have.
fn of_two(dtype: Dtype, n: i64, limits: Limits) -> Option<(i64, i64)> {
    let arch::Potrf { second, least_first, .. } = limits.measured().potrf;
    let &(_, second) = second[dtype].iter().find(|(orders, _)| orders.contains(&n))?;
    let first = (ceil_div(n - second, PANEL) * PANEL).max(least_first);
    (first < n).then_some((first, second))
}

/// Diagonal blocks of about equal order, as large as one launch factors, or two of different order. The part below a
/// block is solved for some columns at a time. `most` is the largest order; 0 means no limit.
fn blocked(
    kernels: &Kernels,
    dtype: Dtype,
    n: i64,
    batch: i64,
    most: i64,
    limits: Limits,
) -> Result<Vec<(Launch, Task)>, Error> {
    panels_fit(n)?;
    let arch::Potrf { in_place, solved, .. } = limits.measured().potrf;
    let orders = kernels.small.iter().chain(kernels.team).filter(|i| i.dtype == dtype).map(|i| i64::from(i.rows));
    let largest =
        orders.filter(|order| resident(kernels, dtype, *order, 0, limits).is_some()).max().unwrap_or(in_place);
    let largest = if most > 0 { largest.min(most) } else { largest };
    let equal = ceil_div(ceil_div(n, ceil_div(n, largest)), PANEL) * PANEL;
    let two = of_two(dtype, n, limits).filter(|(_, second)| most == 0 && !kernels.each && *second <= largest);
    let (first, width) = two.unwrap_or((equal, equal));
    let (gemm, mut launches) = (Instance::plain(kernels.gemm, dtype)?, vec![]);
    for at in iter::once(0).chain((first..n).step_by(width as usize)) {
        let end = n.min(if at == 0 { first } else { at + width });
        let in_place = || Instance::plain(kernels.generic, dtype).map(|i| Launch::on(i, end - at, end - at, at));
        launches.push((resident(kernels, dtype, end - at, at, limits).map_or_else(in_place, Ok)?, Task::Factor));
        let below = n - end;
        if below == 0 {
            break;
        }
        for first in (at..end).step_by(solved as usize) {
            let columns = solved.min(end - first);
            let solve = trsm::tightest(kernels.trsm, dtype, (columns, below), batch)?;
            launches.push((Launch::with(solve, below, columns, first, columns).from_column(end), Task::Solve));
            let rest = end - first - columns;
            if rest > 0 {
                launches.push((Launch::with(gemm, below, rest, first, columns).from_column(end), Task::Update));
            }
        }
        launches.push((Launch::with(gemm, below, below, at, end - at).from_column(end), Task::Product));
    }
    Ok(launches)
}

/// Puts launches that hold small members as a whole before those for the largest members. A block made for the
/// largest would leave most of its threads idle on a small matrix.
fn small_apart(
    launches: Vec<(Launch, Task)>,
    Shape { dtype, n, k: batch, .. }: Shape,
    limits: Limits,
) -> Vec<(Launch, Task)> {
    // Members that fit in the first block are not affected by the later launches.
    let block = launches.first().map_or(0, |(l, _)| l.n);
    let runs = |i: &&Instance| i.dtype == dtype && limits.runs(i.shared) && i64::from(i.rows) < n.min(block + 1);
    let largest = |family: &'static [Instance]| family.iter().filter(runs).max_by_key(|i| i.rows);
    let (mut classes, mut over) = (vec![], 0);
    let of = &limits.measured().potrf;
    let worth = n > if batch < of.members { of.mixed } else { of.mixed_many[dtype] };
    for small in [POTRF_SMALL_EACH, POTRF_ROWS_EACH].into_iter().filter(|_| worth).filter_map(largest) {
        let order = small.rows.into();
        let launch = Launch::on(small, order, order, 0).with_shared(small.shared);
        classes.push((launch.beyond(over).up_to(order), Task::Factor));
        over = order;
    }
    classes.into_iter().chain(launches.into_iter().map(|(launch, task)| (launch.beyond(over), task))).collect()
}

/// Bit of `form` in the shapes of other routines: the upper triangle.
pub(crate) fn upper(uplo: Uplo) -> u32 {
    (uplo == Uplo::Upper).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANY: i64 = arch::DEFAULT.potrf.members;
    const MIXED: arch::PerType<i64> = arch::DEFAULT.potrf.mixed_many;

    fn plan(dtype: Dtype, n: i64, form: u32, limits: Limits) -> Plan<Potrf> {
        Potrf::plan(Shape { dtype, m: n, n, k: MANY, form }, limits).unwrap()
    }

    #[test]
    fn small_matrices_are_one_launch() {
        for dtype in Dtype::ALL {
            for n in [1, 4, 5, 8, 16, 17, 32, 49, 64, 100, 128] {
                for form in [0, 1] {
                    let plan = plan(dtype, n, form, Limits::HOPPER);
                    let launches = if form == 1 && n > MIXED[dtype] { 3 } else { 1 };
                    assert_eq!((plan.candidate, plan.steps.len()), ("resident", launches), "{dtype:?} {n}");
                }
            }
        }
    }

    /// Every column updates each block to its right exactly once, before that block is factored or solved.
    #[test]
    fn launches_do_all_columns_to_the_whole_triangle() {
        for dtype in Dtype::ALL {
            let (hopper, none) = (Limits::HOPPER, Limits::NONE);
            let devices =
                [(0, 0, hopper), (0, 0, none), (32, 0, hopper), (96, 0, hopper), (0, 1, hopper), (0, 1, none)];
            for (n, (width, form, limits)) in
                [33, 64, 100, 129, 150, 200, 215, 512, 700].into_iter().flat_map(|n| devices.map(|device| (n, device)))
            {
                let plan = match width {
                    0 => plan(dtype, n, form, limits),
                    _ => Plan::<Potrf>::with_tasks(
                        "blocked",
                        blocked(&kernels_of(false), dtype, n, MANY, width, limits).unwrap(),
                    ),
                };
                // For element (i, j), i >= j: the number of columns that have updated it, or n + 1 if it belongs to
                // the factor.
                let size = n as usize;
                let mut done = vec![0; size * size];
                for (l, task) in plan.tasks().filter(|(l, _)| l.upto >= n) {
                    let (at, end) = (l.offset as usize, (l.offset + l.k) as usize);
                    match task {
                        Task::Factor => {
                            let end = at + l.n as usize;
                            for j in at..end {
                                for i in j..end {
                                    assert_eq!(done[i + j * size], at, "{dtype:?} {n}: ({i}, {j})");
                                    done[i + j * size] = size + 1;
                                }
                            }
                        }
                        Task::Solve => {
                            let first = l.first as usize;
                            for j in at..end {
                                for i in first..first + l.m as usize {
                                    assert!(done[j + j * size] > size);
                                    assert_eq!(done[i + j * size], at, "{dtype:?} {n}: ({i}, {j})");
                                    done[i + j * size] = size + 1;
                                }
                            }
                        }
                        Task::Update => {
                            let first = l.first as usize;
                            for i in first..first + l.m as usize {
                                assert!((at..end).all(|k| done[i + k * size] > size));
                                for j in end..end + l.n as usize {
                                    assert!((at..end).all(|k| done[j + k * size] > size));
                                    assert_eq!(done[i + j * size], at, "{dtype:?} {n}: ({i}, {j})");
                                    done[i + j * size] = end;
                                }
                            }
                        }
                        Task::Product => {
                            let last = end + l.m as usize;
                            assert!((at..end).all(|k| (end..last).all(|i| done[i + k * size] > size)));
                            for j in end..last {
                                for i in j..last {
                                    assert_eq!(done[i + j * size], at, "{dtype:?} {n}: ({i}, {j})");
                                    done[i + j * size] = end;
                                }
                            }
                        }
                    }
                }
                assert!((0..size).all(|j| (j..size).all(|i| done[i + j * size] > size)), "{dtype:?} {n}");
            }
        }
    }
}
