//! Plans for the inverse from LU factors.
//!
//! Candidates, in order: `resident` (in registers, one launch: a row per lane, or a grid of lanes), `fused` (both
//! triangular solves in one launch, whose blocks hold strips of C's columns in shared memory) and `parts`, which
//! accepts every order: A X = I is solved in C's memory. One launch writes the identity with its rows interchanged,
//! and info; two triangular solves follow. For orders too large for that launch, the interchanges are a separate
//! launch. If U has a zero on its diagonal, NaN is written in place of the identity, so that the inverse is NaN.
//!
//! If C is A, the factors are first copied to the workspace, unless registers hold them. For larger orders, a
//! preceding launch composes the interchanges to a permutation, so that not every strip's block has to. In large
//! batches another one inverts the factors' diagonal blocks, to the workspace.

use crate::error::Error;
use crate::gpu::getrs::triangles;
use crate::gpu::orgqr::tightest;
use crate::gpu::plan::each::{Each, begin_with_checks, checked, end_with_codes};
use crate::gpu::plan::strip::{StripLayout, blocks, inverted_diagonals, with_given_diagonals};
use crate::gpu::plan::table::{
    DIAGONAL_INVERSES, GETRI_SMALL, GRID_INVERSE, IDENTITY_EACH, IDENTITY_INTERCHANGED, Instance, STRIP_INVERSE,
};
use crate::gpu::plan::work::Arrays;
use crate::gpu::plan::{Copy, Form, Launch, Limits, Plan, Planned, Shape, allowed, batch_invariant, ceil_div};
use crate::routine::{Dtype, Getri, GetriSizes, Getrs, LuToPermutation, Operand, Trans};

/// Bit of `form`: C is A.
const IN_PLACE: u32 = 1;
/// Bit of `form`: rows were interchanged.
const EXCHANGED: u32 = 4;
/// Bit of `form`: members have individual orders.
const EACH: u32 = 8;
/// Bit of `form`: the batch is large ([`are_many`]).
const MANY: u32 = 16;

/// What a launch does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// Inverts in registers.
    #[default]
    Invert,
    /// Inverts the blocks on the diagonals of both factors, for the strips.
    InvertDiagonals,
    /// Solves with both triangles for strips of C's columns.
    InvertByStrips,
    /// Writes the identity, or NaN, and info.
    Identity,
}

/// The shape has the order.
impl Planned for Getri {
    type Task = Task;

    fn shape(&self, limits: Limits) -> Shape {
        let in_place = if in_place(self) { IN_PLACE } else { 0 };
        let exchanged = if self.ipiv.is_null() && !self.a.is_null() { 0 } else { EXCHANGED };
        let many = if are_many(self.batch, limits) { MANY } else { 0 };
        let form = if self.sizes.is_some() { EACH } else { in_place | exchanged | many };
        Shape { dtype: self.dtype, m: self.n, n: self.n, k: 0, form }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Getri>, Error> {
        let Shape { dtype, n, .. } = shape;
        if shape.form == EACH {
            return each(dtype, n);
        }
        let many = shape.form & MANY != 0;
        if let Some(launch) = in_registers(dtype, n, many, limits) {
            return Ok(Plan::new("resident", [launch]));
        }
        let given = ahead(dtype, n, many, limits);
        if let Some(launch) = fused(dtype, n, given, limits).filter(|_| allowed("fused")) {
            let copied = shape.form & IN_PLACE != 0;
            let composed = shape.form & EXCHANGED != 0 && n > limits.measured().getri.traced;
            let mut plan = Plan::new("fused", []);
            if copied {
                plan.sub(|p, to| to.copy(&copy(p)?));
            }
            if composed {
                plan.sub(|p, to| to.operation(&composition(p)?));
            }
            plan.workspace = match (copied, composed, given) {
                (false, false, false) => plan.workspace,
                (true, false, false) => |p| Ok(copies(p)?.bytes),
                (_, true, false) => |p| Ok(arrays(p)?.bytes),
                (_, _, true) => |p| Ok(arrays_ahead(p)?.bytes),
            };
            if given {
                plan.launch_for(Task::InvertDiagonals, Launch::on(Instance::plain(DIAGONAL_INVERSES, dtype)?, n, n, 0));
            }
            plan.launch_for(Task::InvertByStrips, launch);
            return Ok(plan);
        }
        let mut plan = Plan::new("parts", []);
        let identity_interchanged = Instance::plain(IDENTITY_INTERCHANGED, dtype)?;
        if n > i32::MAX.into() {
            return Err(Error::NotSupported("2^31 or more rows or columns on the device".into()));
        }
        if shape.form & IN_PLACE != 0 {
            plan.workspace = |p| Ok(copies(p)?.bytes);
            plan.sub(|p, to| to.copy(&copy(p)?));
        }
        let identity = Launch::on(identity_interchanged, n, n, 0);
        let interchanged = interchanged(&identity);
        plan.launch_for(Task::Identity, identity);
        if interchanged {
            plan.sub(|p, to| to.operation(&triangles(&system(p)?)[0]));
            plan.sub(|p, to| to.operation(&triangles(&system(p)?)[1]));
        } else {
            plan.sub(|p, to| to.operation(&system(p)?));
        }
        Ok(plan)
    }

    fn words(&self, l: &Launch, task: Task) -> String {
        match (task, lanes(l)) {
            (Task::Identity, _) if self.sizes.is_some() => {
                format!("the identity of orders up to {}, or NaN, and info", l.n)
            }
            (Task::Identity, _) => {
                let exchanged = if interchanged(l) { " with its rows exchanged" } else { "" };
                format!("the identity of order {}{exchanged}, or NaN, and info", l.n)
            }
            (Task::Invert, 0) => format!("order {}", l.n),
            (Task::Invert, lanes) => {
                let tile = l.instance.tile;
                format!("order {}, {lanes} x {lanes} lanes with {tile} x {tile} elements each", l.n)
            }
            (Task::InvertByStrips, _) => format!("order {}, strips of {} columns", l.n, l.instance.columns),
            (Task::InvertDiagonals, _) => format!("diagonal blocks of order {}", l.n),
        }
    }
}

/// The plan for individual orders: A X = I is solved in C's memory.
fn each(dtype: Dtype, n: i64) -> Result<Plan<Getri>, Error> {
    let mut plan = begin_with_checks();
    plan.launch_for(Task::Identity, Launch::on(Instance::plain(IDENTITY_EACH, dtype)?, n, n, 0));
    plan.sub(|p: &Getri, to| to.operation(&solution(&checked(p))));
    end_with_codes(&mut plan);
    Ok(plan)
}

/// The solve of that plan.
fn solution(p: &Getri) -> Getrs {
    let &Getri { dtype, n, a, lda, ipiv, c: b, ldc: ldb, batch, work, .. } = p;
    let (trans, info, sizes) = (Trans::N, std::ptr::null_mut(), p.sizes.map(|sizes| sizes.system()));
    Getrs { dtype, trans, n, nrhs: n, a, lda, ipiv, b, ldb, sizes, info, batch, work }
}

impl Each for Getri {
    fn with_first(&self, n: *const i32) -> Getri {
        Getri { sizes: self.sizes.map(|sizes| GetriSizes { n, ..sizes }), ..*self }
    }
}

/// A workspace query has no operands; it is answered for the case that needs a workspace.
fn in_place(p: &Getri) -> bool {
    p.in_place() || (p.a.is_null() && p.c.is_null())
}

fn copies(p: &Getri) -> Result<Arrays<1>, Error> {
    Arrays::new(p, [p.n.saturating_mul(p.n)])
}

/// The workspace if interchanges are composed: the factors, if they are copied, and the permutation, whose ints are
/// no wider than elements.
fn arrays(p: &Getri) -> Result<Arrays<2>, Error> {
    Arrays::new(p, [if in_place(p) { p.n.saturating_mul(p.n) } else { 0 }, p.n])
}

/// The same if a launch of its own inverts the diagonal blocks, followed by these inverses.
fn arrays_ahead(p: &Getri) -> Result<Arrays<1>, Error> {
    Arrays::after(arrays(p)?.bytes, p, [inverted_diagonals(p.n)])
}

/// Whether a batch is so large that a matrix may take long if a multiprocessor works on several at a time.
pub(crate) fn are_many(batch: i64, limits: Limits) -> bool {
    batch_invariant() || batch >= limits.measured().getri.many
}

/// Whether the diagonal blocks are inverted by a launch of their own, rather than by every strip's block, for orders
/// that strips serve.
pub(crate) fn ahead(dtype: Dtype, n: i64, many: bool, limits: Limits) -> bool {
    let [first, last] = limits.measured().getri.ahead[dtype];
    many && (first..=last).contains(&n)
}

/// Where that launch puts them.
pub(crate) fn inverses(p: &Getri) -> Result<Operand, Error> {
    Ok(arrays_ahead(p)?.operand(0, p.work))
}

/// Copies the factors to the workspace.
fn copy(p: &Getri) -> Result<Copy, Error> {
    let &Getri { dtype, n, a, lda, batch, .. } = p;
    Ok(Copy { dtype, from: (a, lda), to: factors(p)?, rows: n, columns: n, form: Form::Whole, batch })
}

/// Where the factors are when C is written, and their leading dimension.
pub(crate) fn factors(p: &Getri) -> Result<(Operand, i64), Error> {
    Ok(if p.in_place() { (copies(p)?.operand(0, p.work), p.n) } else { (p.a, p.lda) })
}

/// Composes the interchanges to one permutation.
fn composition(p: &Getri) -> Result<LuToPermutation, Error> {
    let &Getri { n, ipiv, batch, .. } = p;
    let perm = arrays(p)?.operand(1, p.work);
    Ok(LuToPermutation { dtype: LuToPermutation::DTYPE, m: n, k: n, ipiv, perm, batch })
}

/// The input of a launch by strips.
pub(crate) struct Strips {
    pub factors: (Operand, i64),
    pub interchanges: Operand,
    /// Whether the interchanges have been composed.
    pub composed: bool,
    /// The inverted diagonal blocks, unless each block of threads inverts them itself.
    pub inverses: Option<Operand>,
    pub layout: StripLayout,
}

impl Strips {
    /// `given`: whether a launch of its own has inverted the diagonal blocks.
    pub fn of(p: &Getri, l: &Launch, given: bool, limits: Limits) -> Result<Strips, Error> {
        let composed = l.n > limits.measured().getri.traced && !p.ipiv.is_null();
        Ok(Strips {
            factors: factors(p)?,
            interchanges: if composed { arrays(p)?.operand(1, p.work) } else { p.ipiv },
            composed,
            inverses: if given { Some(inverses(p)?) } else { None },
            layout: strip_layout(l.instance, l.n, l.shared, given, limits)
                .ok_or_else(|| Error::Internal("a launch without room".into()))?,
        })
    }
}

/// What a block holds: both triangles, and the rows' origins if the block traces them.
fn strip_layout(instance: &Instance, n: i64, most: u32, given: bool, limits: Limits) -> Option<StripLayout> {
    let traced = if n <= limits.measured().getri.traced { n } else { 0 };
    StripLayout::of_inverse(instance, n, traced, most, given)
}

/// One launch that reads a whole matrix before it writes. (A list of allowed plans without `resident` may be meant
/// for other operations, or for the parts.)
pub(crate) fn in_registers(dtype: Dtype, n: i64, many: bool, limits: Limits) -> Option<Launch> {
    if !limits.native || !allowed("resident") {
        return None;
    }
    let small = tightest(GETRI_SMALL.iter(), dtype, n, n).map(|small| Launch::on(small, n, n, 0));
    let pays = many || n <= limits.measured().getri.few_in_registers[dtype];
    small.or_else(|| grid(dtype, n, limits).filter(|_| pays))
}

/// Lanes with 6 x 6 elements where those pay, or else with as many as registers hold. In s, grids of up to 16 x 16
/// lanes with 12 x 12 elements each take over where those with 8 x 8 end.
fn grid(dtype: Dtype, n: i64, limits: Limits) -> Option<Launch> {
    let tile = match dtype {
        _ if limits.measured().getri.sixes[dtype].iter().any(|orders| orders.contains(&n)) => 6,
        Dtype::Z => 4,
        Dtype::S if n > 128 => 12,
        _ => 8,
    };
    let holds = |i: &&Instance| i.dtype == dtype && i.tile == tile && i64::from(i.rows) >= n;
    Some(in_grid(GRID_INVERSE.iter().find(holds)?, n))
}

/// A launch in square grids of lanes as large as the order needs, with several matrices per block if they are small.
pub(crate) fn in_grid(instance: &'static Instance, n: i64) -> Launch {
    let side = ceil_div(n, i64::from(instance.tile));
    let together = instance.by_size.and_then(|by_size| by_size.grids.get(side as usize - 1));
    let threads = (ceil_div(side * side, 32) * 32) as u32;
    Launch::on(instance, n, n, 0).in_blocks(threads, together.copied().unwrap_or(1))
}

/// Lanes per row of a matrix's grid; 0 if the kernel has no grid.
pub(crate) fn lanes(l: &Launch) -> i64 {
    if l.instance.is_of(GRID_INVERSE) { ceil_div(l.n, i64::from(l.instance.tile)) } else { 0 }
}

/// The widest strips of which a multiprocessor holds two blocks while several diagonal blocks are inverted at a time
/// (for small orders all of them, except where two suffice), or else the widest that fit at all, with as many warps as
/// possible. If the diagonal blocks are given: [`with_given_diagonals`].
fn fused(dtype: Dtype, n: i64, given: bool, limits: Limits) -> Option<Launch> {
    let layout = |i: &Instance, most: u32| strip_layout(i, n, most, given, limits);
    let (whole, half) = (limits.shared_for_one_block(), limits.shared_by(2));
    let of = &limits.measured().getri;
    let with = |most: u32, threads: i64| {
        let least = if n > of.traced || n <= of.pairs[dtype] { 2 } else { of.diagonals };
        let all = |i: &Instance| blocks(i, n).min(least);
        let fits = |i: &&Instance| layout(i, most).is_some_and(|h| most == whole || h.at_once >= all(i));
        let widest = |i: &&Instance| (-i64::from(i.columns), threads * i64::from(i.threads));
        STRIP_INVERSE.iter().filter(|i| i.dtype == dtype).filter(fits).min_by_key(widest)
    };
    if n <= of.strips || !limits.native {
        return None;
    }
    if given {
        return with_given_diagonals(STRIP_INVERSE, dtype, n, limits, layout);
    }
    let instance = with(half, 1).or_else(|| with(whole, -1))?;
    let room = if with(half, 1).is_some() { half } else { whole };
    Some(Launch::on(instance, n, n, 0).with_shared(layout(instance, room)?.bytes))
}

/// The system A X = C.
fn system(p: &Getri) -> Result<Getrs, Error> {
    let &Getri { dtype, n, ipiv, c, ldc, batch, work, .. } = p;
    let (a, lda) = factors(p)?;
    let (trans, sizes, info) = (Trans::N, None, std::ptr::null_mut());
    Ok(Getrs { dtype, trans, n, nrhs: n, a, lda, ipiv, b: c, ldb: ldc, sizes, info, batch, work })
}

/// Whether the launch that writes the identity also interchanges its rows.
pub(crate) fn interchanged(l: &Launch) -> bool {
    l.n <= i64::from(l.instance.rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::arch::SM_90;
    use crate::routine::{Math, Routine};

    fn plan(dtype: Dtype, n: i64, form: u32) -> Plan<Getri> {
        Getri::plan(Shape { dtype, m: n, n, k: 0, form }, Limits::HOPPER).unwrap()
    }

    /// Registers are used even if C is A, and a block has no more matrices than its threads have registers for.
    #[test]
    fn small_orders_are_inverted_in_registers() {
        for (dtype, most) in [(Dtype::S, 192), (Dtype::D, 64), (Dtype::C, 132), (Dtype::Z, 96)] {
            for n in 1..=512 {
                let few = plan(dtype, n, EXCHANGED | IN_PLACE);
                let most_of_few = SM_90.getri.few_in_registers[dtype];
                assert_eq!(few.candidate, if n <= most_of_few { "resident" } else { "fused" }, "{dtype:?} {n}");
                let plan = plan(dtype, n, EXCHANGED | IN_PLACE | MANY);
                assert_eq!(plan.candidate, if n <= most { "resident" } else { "fused" }, "{dtype:?} {n}");
                let (math, extra) = (Math::Fp32, Default::default());
                let p = Getri::of_shape(&crate::routine::Shape { dtype, m: n, n, batch: 1000, math, extra });
                assert_eq!((plan.workspace)(&p).unwrap() == 0, n <= most);
                let launch = plan.launches().next().unwrap();
                if launch.instance.is_of(GRID_INVERSE) {
                    let (lanes, matrices) = (lanes(launch), i64::from(launch.per_block));
                    let Instance { threads, rows, tile, .. } = *launch.instance;
                    assert!(lanes * i64::from(tile) >= n && (lanes - 1) * i64::from(tile) < n);
                    assert!(
                        lanes * matrices <= i64::from(rows / tile) && lanes * lanes * matrices <= launch.threads.into()
                    );
                    assert!(launch.threads.is_multiple_of(32) && launch.threads <= threads && matrices > 0);
                    assert!(matrices == 1 || launch.threads == 32);
                } else {
                    assert_eq!(launch.threads, launch.instance.threads);
                }
            }
        }
    }

    #[test]
    fn middle_orders_are_solved_by_strips() {
        for (dtype, given) in Dtype::ALL.into_iter().flat_map(|dtype| [(dtype, false), (dtype, true)]) {
            for n in [65, 96, 97, 100, 128, 129, 192, 256, 384, 500, 512] {
                if in_registers(dtype, n, given, Limits::HOPPER).is_some() {
                    continue;
                }
                let plan = plan(dtype, n, EXCHANGED | if given { MANY } else { 0 });
                let given = ahead(dtype, n, given, Limits::HOPPER);
                assert_eq!(plan.candidate, "fused", "{dtype:?} {n}");
                let launches: Vec<_> = plan.launches().collect();
                assert_eq!(launches.len(), 1 + usize::from(given));
                assert_eq!(launches[0].instance.is_of(DIAGONAL_INVERSES), given);
                let launch = launches[usize::from(given)];
                assert!(launch.shared + 512 <= Limits::HOPPER.shared_per_block);
                // The arguments match the shared memory that the plan allotted.
                let layout = strip_layout(launch.instance, n, launch.shared, given, Limits::HOPPER).unwrap();
                assert_eq!(layout.bytes, launch.shared, "{dtype:?} {n}");
                assert!(layout.slots >= 2);
                assert_eq!(layout.at_once == 0, given);
                assert_eq!(plan.steps.len(), launches.len() + usize::from(n > SM_90.getri.traced));
            }
        }
    }

    /// As in a query of the workspace.
    fn problem(dtype: Dtype, n: i64, batch: i64) -> Getri {
        let (math, extra) = (Math::Fp32, Default::default());
        let p = Getri::of_shape(&crate::routine::Shape { dtype, m: n, n, batch, math, extra });
        Getri { a: Operand::NULL, ipiv: Operand::NULL, c: Operand::NULL, ..p }
    }

    /// A launch of its own inverts the diagonal blocks for orders of 129 to 256, in z for smaller ones, too, in batches
    /// of 200 matrices or more; only then is there workspace for them.
    #[test]
    fn diagonal_blocks_are_inverted_ahead_in_large_batches() {
        for dtype in Dtype::ALL {
            for (n, batch) in (33..=300).flat_map(|n| [(n, 1), (n, 199), (n, 200), (n, 1000)]) {
                let p = problem(dtype, n, batch);
                let plan = Getri::plan(p.shape(Limits::HOPPER), Limits::HOPPER).unwrap();
                let strips = in_registers(dtype, n, batch >= 200, Limits::HOPPER).is_none();
                let ahead = strips && batch >= 200 && n <= 256 && (n > 128 || dtype == Dtype::Z);
                let first = plan.launches().next().unwrap();
                assert_eq!(first.instance.is_of(DIAGONAL_INVERSES), ahead, "{dtype:?} {n} {batch}");
                let bytes = match (strips, n > SM_90.getri.traced, ahead) {
                    (false, ..) => 0,
                    (true, false, false) => copies(&p).unwrap().bytes,
                    (true, true, false) => arrays(&p).unwrap().bytes,
                    (true, _, true) => arrays_ahead(&p).unwrap().bytes,
                };
                assert_eq!((plan.workspace)(&p).unwrap(), bytes, "{dtype:?} {n} {batch}");
            }
        }
    }

    /// In s, four blocks with given diagonal blocks share a multiprocessor to order 160, and three beyond; in d and c
    /// two; in z a block has it to itself.
    #[test]
    fn blocks_with_given_diagonals_share_a_multiprocessor() {
        let cases = [(Dtype::S, 160, 64, 4), (Dtype::S, 161, 64, 3), (Dtype::S, 224, 64, 3), (Dtype::S, 256, 64, 2)];
        let others = [(Dtype::D, 160, 64, 2), (Dtype::D, 161, 32, 2), (Dtype::C, 129, 64, 2), (Dtype::Z, 97, 32, 1)];
        for (dtype, n, columns, together) in cases.into_iter().chain(others) {
            let launch = fused(dtype, n, true, Limits::HOPPER).unwrap();
            assert_eq!(launch.instance.columns, columns, "{dtype:?} {n}");
            assert!(together * (launch.shared + 1024) <= 228 * 1024, "{dtype:?} {n}: {}", launch.shared);
            let threads = if dtype == Dtype::S && n < 256 { 128 } else { 256 };
            assert_eq!(launch.instance.threads, threads, "{dtype:?} {n}");
        }
    }

    /// Several blocks read a matrix's factors while others write, so C must not overlap the factors.
    #[test]
    fn factors_in_place_are_copied_before_strips() {
        for (dtype, orders) in [(Dtype::D, [65, 128, 250]), (Dtype::Z, [97, 128, 250]), (Dtype::C, [133, 192, 250])] {
            for n in orders {
                let (here, apart) = (plan(dtype, n, EXCHANGED | IN_PLACE), plan(dtype, n, EXCHANGED));
                assert_eq!(here.steps.len() - apart.steps.len(), 1, "{dtype:?} {n}");
            }
        }
    }

    #[test]
    fn two_blocks_share_a_multiprocessor() {
        for (dtype, n) in [(Dtype::S, 256), (Dtype::D, 65), (Dtype::D, 128), (Dtype::C, 160)] {
            let shared = plan(dtype, n, 0).launches().next().unwrap().shared;
            assert!(2 * (shared + 1024) <= 228 * 1024, "{dtype:?} {n}: {shared}");
        }
    }
}
