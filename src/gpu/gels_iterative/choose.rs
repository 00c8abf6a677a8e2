//! Plans for least squares by iteration.
//!
//! Candidates, in order: `iterative` (A^H A in double precision and its R^-1, then passes over A, each followed by a
//! step of conjugate gradients; at most 1024 columns) and `direct` (gels on copies), which accepts every shape.

use crate::error::Error;
use crate::gpu::arch;
use crate::gpu::plan::table::{
    ITERATIVE_GRAM, ITERATIVE_PASS, ITERATIVE_SCALES, ITERATIVE_STEP, ITERATIVE_SUM, Instance,
};
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape, allowed, batch_invariant, ceil_div};
use crate::routine::{
    Alpha, Diag, Dtype, GelsIterative, Laset, Operand, Part, Potrf, Side, Trans, Trsm, Uplo, Workspace,
};
use crate::scalar::C64;
use std::ffi::c_void;
use std::ptr::null_mut;

/// The workspace is the same on every device, and so is everything that it depends on.
const MEASURED: &arch::GelsIterative = &arch::DEFAULT.gels_iterative;
const PROCESSORS: i64 = MEASURED.processors;
/// The most right-hand sides of a group, which one pass over A serves.
const GROUP: i64 = 4;
/// Bytes of workspace for the members processed at a time, unless one member needs more.
const AT_ONCE: i64 = 128 << 20;
/// Bytes of the copies that QR works on at a time, unless one member needs more.
const COPIES: i64 = 64 << 20;

/// How many members are processed together.
pub trait AtOnce {
    /// Members processed at a time.
    fn at_once(&self) -> i64;
    /// Members that QR processes at a time. Always the same members go together, whichever of them need QR.
    fn direct_at_once(&self) -> i64;
}

impl AtOnce for GelsIterative {
    fn at_once(&self) -> i64 {
        // The tiles of A^H A's triangle take less than a square of whole tiles of 64.
        let side = self.n.saturating_add(63) / 64 * 64;
        let of_right = |vectors: i64| self.nrhs.saturating_mul(vectors).saturating_mul(self.n + 1);
        let squares = side.saturating_mul(side).saturating_mul(3);
        let elements = squares.saturating_add(of_right(5)).saturating_add(3 * self.n);
        let bytes = elements.saturating_mul(self.wide_dtype().bytes() as i64).max(1);
        let most = if batch_invariant() { full(self) } else { i64::MAX };
        // Half of the workspace is for the members, the other half for the blocks.
        (AT_ONCE / 2 / bytes).clamp(1, self.batch.clamp(1, most))
    }

    fn direct_at_once(&self) -> i64 {
        let columns = self.n.saturating_add(self.nrhs);
        let bytes = self.m.saturating_mul(columns).saturating_mul(self.dtype.bytes() as i64).max(1);
        (COPIES / bytes).clamp(1, self.batch.max(1))
    }
}

/// About as many members as fill a device.
fn full(p: &GelsIterative) -> i64 {
    (MEASURED.full / p.m.saturating_mul(p.n).max(1)).clamp(1, MEASURED.full_most)
}

/// Members among which multiprocessors are divided.
fn together(p: &GelsIterative) -> i64 {
    if batch_invariant() { full(p) } else { p.at_once() }
}

/// What a launch does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// Sums of A^H A over chunks of rows.
    #[default]
    Gram,
    /// The columns' scales, from A^H A's diagonal.
    Scales,
    /// A^H A, scaled, from its sums.
    Sum,
    /// A^H (b - A x).
    Pass,
    /// The next x.
    Step,
    /// Takes over the solutions that QR has found.
    Take,
}

/// The shape has m, n and the number of right-hand sides; `form` is the number of members among which
/// multiprocessors are divided.
impl Planned for GelsIterative {
    type Task = Task;

    fn shape(&self, _: Limits) -> Shape {
        let form = u32::try_from(together(self)).unwrap_or(u32::MAX);
        Shape { dtype: self.dtype, m: self.m, n: self.n, k: self.nrhs, form }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<GelsIterative>, Error> {
        let Shape { dtype, m, n, k: nrhs, form } = shape;
        // A list of allowed plans that names neither is meant for other operations.
        let free = !allowed("iterative") && !allowed("direct");
        if !limits.native || n > GelsIterative::MAX_COLUMNS || (!free && !allowed("iterative")) {
            let mut plan = Plan::new("direct", []);
            plan.sub(|p: &GelsIterative, to| {
                let part = p.members(0, p.direct_at_once());
                to.operation(&part.qr_fallback([null_mut(); 2], part.info, Workspace::NONE))
            });
            return Ok(plan);
        }
        let processors = i64::from(limits.multiprocessors).clamp(1, PROCESSORS);
        let wide = if dtype.is_complex() { Dtype::Z } else { Dtype::D };
        let members = i64::from(form);
        let gram = Gram::new(dtype, m, n, processors, members)?;
        let mut plan =
            Plan { workspace: |p| Ok(WorkspaceLayout::of(p)?.bytes), ..Plan::new("iterative", [gram.launch(m, n)]) };
        plan.launch_for(Task::Scales, Launch::on(Instance::plain(ITERATIVE_SCALES, wide)?, n, n, 0));
        plan.launch_for(Task::Sum, Launch::on(Instance::plain(ITERATIVE_SUM, wide)?, n, n, 0));
        plan.sub(|p, to| to.operation(&factoring(p)?));
        plan.sub(|p, to| to.operation(&identity(p)?));
        plan.sub(|p, to| to.operation(&inverting(p)?));
        plan.launch_for(Task::Pass, pass(dtype, [m, n, nrhs], processors, members)?);
        let step = Instance::plain(ITERATIVE_STEP, dtype)?;
        plan.launch_for(Task::Step, Launch::on(step, n, nrhs, 0).with_shared(step.shared_for(&[n])));
        Ok(plan)
    }

    fn words(&self, l: &Launch, task: Task) -> String {
        match task {
            Task::Gram => {
                format!("A^H A of {} x {}, {} chunk(s) of {} rows", l.m, l.n, ceil_div(l.m, l.offset), l.offset)
            }
            Task::Pass => {
                let groups = ceil_div(self.nrhs, l.k);
                let at_once = self.at_once();
                format!(
                    "A^H (b - A x) by {} block(s), {} rows at a time, for {groups} group(s) of each of {at_once} member(s)",
                    l.first, l.offset
                )
            }
            Task::Step => {
                format!("the next x of {} unknowns, {} right-hand side(s); both are done again for each step", l.m, l.n)
            }
            Task::Scales | Task::Sum | Task::Take => format!("order {}", l.n),
        }
    }
}

/// How rows are divided for A^H A.
struct Gram {
    instance: &'static Instance,
    /// Tiles of the upper triangle.
    tiles: i64,
    /// Rows per chunk.
    chunk: i64,
}

impl Gram {
    fn new(dtype: Dtype, m: i64, n: i64, processors: i64, members: i64) -> Result<Gram, Error> {
        let tiles = |i: &Instance| {
            let side = ceil_div(n, i64::from(i.rows));
            side * (side + 1) / 2
        };
        let cost = |i: &Instance| {
            let elements = tiles(i) * i64::from(i.rows * i.rows);
            let (small, (beyond, waiting)) = (MEASURED.small_tile, MEASURED.waiting);
            if i.rows >= MEASURED.large_tile {
                elements
            } else {
                elements * if n > beyond { waiting } else { 1 } * small.0 / small.1
            }
        };
        // The smallest tile only serves matrices that are no wider.
        let fits = |i: &&Instance| i.dtype == dtype && (i.rows > 32 || n <= i64::from(i.rows));
        let of_type = ITERATIVE_GRAM.iter().filter(fits);
        let instance =
            of_type.min_by_key(|i| cost(i)).ok_or_else(|| Error::Internal("no kernel of this type".into()))?;
        let tiles = tiles(instance);
        let slots = processors * i64::from(instance.per_processor);
        // Whole rounds of blocks, in as few rounds as fill the device.
        let jobs = tiles * members;
        let busy = |rounds: i64| slots * rounds / jobs * jobs * 1000 / (slots * rounds);
        let rounds = (1..=MEASURED.rounds).find(|&rounds| busy(rounds) >= MEASURED.filled).unwrap_or(MEASURED.rounds);
        let chunks = (slots * rounds / jobs).clamp(1, MEASURED.chunks);
        let chunk = (ceil_div(m, chunks) + 63) / 64 * 64;
        Ok(Gram { instance, tiles, chunk })
    }

    /// The launch, with the rows per chunk in `offset`.
    fn launch(&self, m: i64, n: i64) -> Launch {
        Launch { offset: self.chunk, ..Launch::on(self.instance, m, n, 0) }
    }

    /// Elements of a member's sums, for all tiles and chunks.
    #[cfg(test)]
    fn sums(&self, m: i64) -> i64 {
        let side = i64::from(self.instance.rows);
        self.tiles * ceil_div(m, self.chunk) * side * side
    }
}

/// The number of sums that a block of [`pass`] keeps in shared memory for a column of each right-hand side, which is
/// the number of threads that share a column (kernels/iterative/pass.cuh computes the same).
fn sharing(n: i64, height: i64, pack: i64, threads: i64) -> i64 {
    let mut parts = 1;
    while 2 * parts * n <= threads && 2 * parts * pack <= height {
        parts *= 2;
    }
    parts
}

/// A pass, with the rows per chunk in `offset`, the right-hand sides per group in `k`, and the blocks per group in
/// `first`.
fn pass(dtype: Dtype, [m, n, nrhs]: [i64; 3], processors: i64, members: i64) -> Result<Launch, Error> {
    let instance = Instance::plain(ITERATIVE_PASS, dtype)?;
    let (threads, element) = (i64::from(instance.threads), dtype.bytes() as i64);
    let shared = |height: i64, group: i64| {
        // For each right-hand side: x, sums and residuals.
        let numbers = n * (1 + sharing(n, height, 16 / element, threads)) + height;
        instance.shared_for(&[n, height, numbers * group])
    };
    let [two_blocks, one_block] = MEASURED.shared;
    let group = nrhs.min(GROUP);
    // Chunks whose columns are whole lines of memory, if they fit, or else half lines; two blocks per
    // multiprocessor, or else one.
    let fits = |most: u32, least: i64, group: i64| {
        let heights = [256, 128, 64, 32, 16, 8, 4].into_iter().filter(move |h| *h <= threads && h * element >= least);
        heights.map(|height| (height, group)).find(|&(height, group)| shared(height, group) <= most)
    };
    let found = [(two_blocks, 128), (one_block, 128), (one_block, 64)]
        .into_iter()
        .flat_map(|(most, least)| [group, 1].map(|group| (most, least, group)))
        .find_map(|(most, least, group)| fits(most, least, group).map(|found| (most, found)));
    let (most, (height, group)) = found.ok_or_else(|| Error::Internal("a pass that fits no block".into()))?;
    let blocks = processors * if most == two_blocks { 2 } else { 1 };
    let workers = (blocks / ceil_div(nrhs, group).saturating_mul(members)).clamp(1, ceil_div(m, height));
    let launch = Launch::with(instance, m, n, height, group).from_column(workers);
    Ok(launch.with_shared(shared(height, group)))
}

/// Byte offsets into the workspace. Each array holds the data of all members processed at a time.
pub struct WorkspaceLayout {
    /// Sums of a launch over chunks or blocks.
    pub sums: usize,
    /// A^H A, later R.
    pub gram: usize,
    /// R^-1.
    pub inverse: usize,
    /// Scales and squared norms of columns.
    pub scales: usize,
    /// Four vectors for each right-hand side.
    pub vectors: usize,
    /// Scalars for each right-hand side.
    pub scalars: usize,
    /// The state of each right-hand side, then potrf's codes.
    pub states: usize,
    /// Total bytes.
    pub bytes: usize,
}

impl WorkspaceLayout {
    /// A layout that suffices on every device.
    pub fn of(p: &GelsIterative) -> Result<WorkspaceLayout, Error> {
        let &GelsIterative { dtype, m, n, .. } = p;
        let wide = p.wide_dtype().bytes() as i64;
        let members = p.at_once();
        let nrhs = p.nrhs.saturating_mul(members);
        let gram = Gram::new(dtype, m, n, PROCESSORS, 1)?;
        let side = i64::from(gram.instance.rows);
        // Devices with fewer multiprocessors divide rows into fewer chunks, of rounded sizes.
        let slots = PROCESSORS * i64::from(gram.instance.per_processor) * MEASURED.rounds;
        let jobs = gram.tiles.saturating_mul(members);
        let most = slots.max(jobs).min(jobs.saturating_mul(ceil_div(m, 64))).saturating_mul(side * side);
        let passes = nrhs.saturating_add(2 * PROCESSORS * GROUP).saturating_mul(n + 1);
        let mut end = Some(0usize);
        let mut take = |count: i64, of: i64, each: i64| {
            let start = end.unwrap_or(0);
            end = count
                .checked_mul(of)
                .and_then(|elements| elements.checked_mul(each))
                .and_then(|bytes| usize::try_from(bytes).ok()?.checked_next_multiple_of(Workspace::ALIGNMENT))
                .and_then(|bytes| bytes.checked_add(end?));
            start
        };
        let sums = take(most.max(passes), 1, wide);
        let gram = take(members, n * n, wide);
        let inverse = take(members, n * n, wide);
        let scales = take(members, 2 * n, 8);
        let vectors = take(nrhs, 4 * n, wide);
        let scalars = take(nrhs, 5, 8);
        let states = take(nrhs.saturating_add(members), 1, 4);
        let bytes = end.ok_or_else(|| Error::OutOfMemory("the workspace exceeds the address space".into()))?;
        Ok(WorkspaceLayout { sums, gram, inverse, scales, vectors, scalars, states, bytes })
    }

    /// The address at an offset of the workspace.
    pub fn at(p: &GelsIterative, offset: usize) -> *mut c_void {
        p.work.p.wrapping_byte_add(offset)
    }
}

/// n x n matrices in the workspace.
fn squares(p: &GelsIterative, offset: usize) -> Operand {
    Operand::Strided { base: WorkspaceLayout::at(p, offset), stride: p.n * p.n }
}

/// Factors A^H A = R^H R.
fn factoring(p: &GelsIterative) -> Result<Potrf, Error> {
    let layout = WorkspaceLayout::of(p)?;
    let a = squares(p, layout.gram);
    let info = WorkspaceLayout::at(p, layout.states).cast::<i32>().wrapping_add((p.nrhs * p.batch) as usize);
    let (dtype, uplo, n) = (p.wide_dtype(), Uplo::Upper, p.n);
    Ok(Potrf { dtype, uplo, n, a, lda: n, sizes: None, info, batch: p.batch, work: Workspace::NONE })
}

/// Writes the identity where R^-1 will be.
fn identity(p: &GelsIterative) -> Result<Laset, Error> {
    let a = squares(p, WorkspaceLayout::of(p)?.inverse);
    let [alpha, beta] = [0.0, 1.0].map(|re| Alpha::Host(C64 { re, im: 0.0 }));
    Ok(Laset { dtype: p.wide_dtype(), uplo: Part::Full, m: p.n, n: p.n, alpha, beta, a, lda: p.n, batch: p.batch })
}

/// Computes R^-1. For a single large triangle this is much faster than trtri.
fn inverting(p: &GelsIterative) -> Result<Trsm, Error> {
    let &Potrf { dtype, uplo, n, a, lda, batch, .. } = &factoring(p)?;
    let b = identity(p)?.a;
    let (side, trans, diag) = (Side::Left, Trans::N, Diag::NonUnit);
    let alpha = Alpha::Host(C64 { re: 1.0, im: 0.0 });
    Ok(Trsm { dtype, side, uplo, trans, diag, m: n, n, alpha, a, lda, b, ldb: n, sizes: None, batch })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routine::Routine;

    #[test]
    fn passes_fit_every_shape() {
        for dtype in Dtype::ALL {
            for n in (1..=GelsIterative::MAX_COLUMNS).step_by(7).chain([GelsIterative::MAX_COLUMNS]) {
                for nrhs in [1, 3, 4, 1000] {
                    let l = pass(dtype, [1 << 20, n, nrhs], PROCESSORS, 1).unwrap();
                    assert!(l.shared <= 227 * 1024 && l.first >= 1 && l.k >= 1 && l.k <= GROUP, "{dtype:?} {n} {nrhs}");
                    assert!(i64::from(l.instance.threads) % l.offset == 0 && l.offset * dtype.bytes() as i64 >= 64);
                    assert!(l.first * ceil_div(nrhs, l.k) * l.k <= nrhs + 2 * PROCESSORS * GROUP);
                }
            }
        }
    }

    #[test]
    fn the_workspace_holds_the_sums_of_every_device() {
        for dtype in Dtype::ALL {
            for (m, n) in [(1 << 20, 256), (1 << 20, 64), (70, 70), (5000, 1000), (100_000, 33), (1 << 22, 1024)] {
                for batch in [1, 2, 7, 100, 5000] {
                    let square = GelsIterative::of_shape(&shape(dtype));
                    let p = GelsIterative { m, n, lda: m, ldb: m, ldx: n, batch, ..square };
                    let (layout, wide) = (WorkspaceLayout::of(&p).unwrap(), p.wide_dtype().bytes());
                    for processors in 1..=PROCESSORS {
                        let (at_once, text) = (p.at_once(), format!("{dtype:?} {m} x {n} on {processors}"));
                        let gram = Gram::new(dtype, m, n, processors, at_once).unwrap();
                        let pass = pass(dtype, [m, n, 1], processors, at_once).unwrap();
                        // The last group may have fewer members.
                        for part in [1, at_once / 2 + 1, at_once] {
                            let layout = WorkspaceLayout::of(&p.members(0, part)).unwrap();
                            let room = layout.gram - layout.sums;
                            assert!((gram.sums(m) * part) as usize * wide <= room, "{text}");
                            assert!((pass.first * part * (n + 1)) as usize * wide <= room, "{text}");
                        }
                    }
                    assert!(
                        layout.bytes <= AT_ONCE as usize || p.at_once() == 1,
                        "{dtype:?} {m} x {n} {}",
                        layout.bytes
                    );
                    assert!(p.check().is_ok());
                }
            }
        }
    }

    fn shape(dtype: Dtype) -> crate::routine::Shape {
        let math = Default::default();
        crate::routine::Shape { dtype, m: 8, n: 8, batch: 1, math, extra: Default::default() }
    }
}
