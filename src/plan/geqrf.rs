//! Plans for batched QR: what they are made of, and how each candidate makes its launches. Which one is taken is decided in
//! [`super::select`].
//!
//! Candidates: `resident` (the matrix in registers, one launch), `blocked` (panels of nb columns, each followed by one
//! fused update of the columns to its right; LAPACK geqrf's loop), `generic` (one launch that works in global memory and
//! takes everything).

use super::select::{self, Blocking, Choice, Origin};
use super::table::{GENERIC, Instance, KERNELS, KernelId, UPDATE, UPDATE_TF32};
use crate::routine::{Dtype, Math};
use std::fmt::Write;
use std::hash::{Hash, Hasher};

/// One kernel launch of a plan, over the whole batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What runs.
    pub kernel: KernelId,
    /// Threads of a block.
    pub threads: u32,
    /// Dynamic shared memory of a block, bytes.
    pub shared: u32,
    /// Matrices of a block.
    pub per_block: u32,
    /// Rounds of column tiles of a matrix, the most clusters that can share it.
    pub tiles: i64,
    /// Blocks of a cluster.
    pub cluster: i64,
    /// Blocks that a multiprocessor holds at a time, where a block takes one piece of work after another: updates, and some
    /// resident kernels. Else 0.
    pub per_processor: i64,
    /// Rows of the sub-block it works on, which starts at (`offset`, `offset`).
    pub m: i64,
    /// Columns of it.
    pub n: i64,
    /// First row and column.
    pub offset: i64,
    /// Update: reflectors of its panel.
    pub k: i64,
    /// Whether it may read A elsewhere than where it factors, and put R elsewhere.
    pub outside: bool,
}

/// What plans depend on besides the shape: what the device can hold, and how much of it the batch fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Shared memory of a block, opted in, bytes.
    pub shared_per_block: u32,
    /// Compute capability times ten.
    pub arch: u16,
    /// Multiprocessors.
    pub multiprocessors: u16,
    /// Class of the batch count.
    pub class: Class,
    /// How the caller lets trailing updates compute; [`Math::Fp32`] of all but single precision real.
    pub math: Math,
    /// Whether every kernel family has code for the device; else the portable ones serve it, from PTX (build.rs).
    pub tuned: bool,
}

impl Hash for Limits {
    /// One word: they are part of the keys of plans.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Limits { shared_per_block, arch, multiprocessors, class, math, tuned } = *self;
        let device = u64::from(arch) << 48 | u64::from(multiprocessors) << 32 | u64::from(shared_per_block);
        let rest = (class.index() as u64) << 28 ^ u64::from(tuned) << 27 ^ (math as u64) << 26;
        state.write_u64(device ^ rest);
    }
}

impl Limits {
    /// sm_90's, for about a thousand matrices.
    pub const HOPPER: Limits = Limits {
        shared_per_block: 227 * 1024,
        arch: 90,
        multiprocessors: 132,
        class: Class::INVARIANT,
        tuned: true,
        math: Math::Fp32,
    };

    /// Whether the device runs a tuned kernel that needs so much shared memory.
    pub fn run(self, shared: u32) -> bool {
        self.tuned && shared <= self.shared_per_block
    }

    /// The same device for a batch; with [`super::batch_invariant`] the same limits for any batch.
    pub fn with_batch(self, m: i64, n: i64, batch: i64) -> Limits {
        let batch = if super::batch_invariant() { Class::INVARIANT.batch() } else { batch };
        Limits { class: Class::of(m, n, batch), ..self }
    }

    /// The same device for a caller's wish; it means something for `Dtype::S` on devices with the instruction.
    pub fn with_math(self, dtype: Dtype, math: Math) -> Limits {
        const FIRST_WITH_TF32: u16 = 80;
        let math = if dtype == Dtype::S && self.arch >= FIRST_WITH_TF32 { math } else { Math::Fp32 };
        Limits { math, ..self }
    }
}

/// A class of batch counts: from those that leave most of a device idle to those that fill it many times over. Plans of
/// a class are chosen by times for [`Class::batch`] matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class(u8);

impl Class {
    /// Number of classes.
    pub const COUNT: usize = 5;
    /// All of them, by batch count.
    pub const ALL: [Class; Class::COUNT] = [Class(0), Class(1), Class(2), Class(3), Class(4)];
    /// What every batch is planned as when its count must not matter.
    pub const INVARIANT: Class = Class(2);

    const BATCH: [i64; Class::COUNT] = [16, 100, 1000, 10_000, 100_000];
    /// Largest batch counts of the classes: about the geometric means of the above.
    const LAST: [i64; Class::COUNT] = [40, 316, 3162, 31_622, i64::MAX];
    /// Elements of a matrix from which on another matrix more is about as much more work in any class above.
    const MAX_AREA: [i64; Class::COUNT] = [i64::MAX, i64::MAX, 1 << 18, 1 << 14, 1 << 10];
    /// The smallest matrices cost a launch and no more, however few they are.
    const MIN_AREA: i64 = 1 << 10;

    /// The class of a batch of m x n matrices.
    pub fn of(m: i64, n: i64, batch: i64) -> Class {
        let area = m.saturating_mul(n);
        let mut i = Class::LAST.iter().position(|last| batch <= *last).unwrap_or(Class::COUNT - 1);
        while area > Class::MAX_AREA[i] {
            i -= 1;
        }
        if i == 0 && area <= Class::MIN_AREA {
            i = 1;
        }
        Class(i as u8)
    }

    /// The batch count that stands for the class.
    pub const fn batch(self) -> i64 {
        Class::BATCH[self.0 as usize]
    }

    /// Its place in [`Class::ALL`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// This class, those below it and then those above, nearest first.
    pub fn nearest_first(self) -> impl Iterator<Item = Class> {
        (0..=self.0).rev().chain(self.0 + 1..Class::COUNT as u8).map(Class)
    }
}

/// How a shape is factored.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// What was chosen.
    pub choice: Choice,
    /// Why.
    pub origin: Origin,
    /// Launches, in stream order.
    pub steps: Vec<Step>,
}

impl Step {
    /// The columns that it changes: first and end.
    pub fn columns(&self) -> (i64, i64) {
        (self.offset + self.k, self.offset + self.n)
    }

    /// Clusters that run at a time by the count of multiprocessors. Right for clusters of up to two; of larger ones fewer
    /// may fit, which only the driver knows.
    pub fn at_once(&self, multiprocessors: i64) -> i64 {
        (multiprocessors * self.per_processor / self.cluster).max(1)
    }

    /// Whether it computes in TF32.
    pub fn is_tf32(&self) -> bool {
        UPDATE_TF32.iter().any(|u| u.kernel == self.kernel)
    }

    /// Blocks of a launch that has no updates: for all matrices, or as many as run at a time.
    pub fn blocks(&self, batch: i64, multiprocessors: i64) -> i64 {
        let all = ceil_div(batch, i64::from(self.per_block));
        if self.per_processor > 0 { all.min(self.at_once(multiprocessors)) } else { all }
    }

    /// How an update's clusters divide a batch: their number and `LarfbArgs::tiles`. Of the ways, the one with the least
    /// rounds of tiles in sequence where `at_once` clusters run at a time, counting what a cluster does before its first
    /// tile of a matrix.
    pub fn division(&self, batch: i64, at_once: i64) -> (i64, i64) {
        const FIRST: i64 = 2; // in rounds
        let shared = |shares: i64| {
            let waves = ceil_div(batch.saturating_mul(shares), at_once);
            (waves.saturating_mul(FIRST + ceil_div(self.tiles, shares)), (batch.saturating_mul(shares), shares))
        };
        // Equal parts of all rounds: one wave, in which a cluster ends and begins inside matrices. One more than fit would
        // double the time.
        let rounds = batch.saturating_mul(self.tiles);
        let parts = at_once.min(rounds);
        let equal = (ceil_div(rounds, parts) + FIRST * (ceil_div(batch, parts) + 1), (parts, 0));
        let few = (1..=8).map(|waves| shared((waves * at_once / batch).clamp(1, self.tiles)));
        few.chain([equal]).min_by_key(|(rounds, _)| *rounds).map_or((batch, 1), |(_, division)| division)
    }
}

impl Plan {
    /// For each step whether it is the first to change its columns, so that it reads them where A is.
    pub fn fresh(&self) -> impl Iterator<Item = bool> {
        self.steps.iter().scan(0, |touched, step| {
            let (first, end) = step.columns();
            let fresh = first >= *touched;
            *touched = end.max(*touched);
            Some(fresh)
        })
    }

    /// Whether A may be read elsewhere than where it is factored, and R go elsewhere: every step can, and none finds a part
    /// of its columns changed already.
    pub fn outside(&self) -> bool {
        let whole = |(step, before): (&Step, i64)| {
            let (first, end) = step.columns();
            step.outside && (first >= before || end <= before)
        };
        let touched = self.steps.iter().scan(0, |touched, step| {
            let before = *touched;
            *touched = step.columns().1.max(before);
            Some(before)
        });
        self.steps.iter().zip(touched).all(whole)
    }

    /// The plan in words, a line per launch.
    pub fn describe(&self) -> String {
        let name = match self.choice {
            Choice::Blocked(_) => self.choice.to_string(),
            _ => self.choice.candidate().to_owned(),
        };
        let tf32 = if self.steps.iter().any(Step::is_tf32) { ", updates in TF32" } else { "" };
        let launches = self.steps.len();
        let mut text = format!("{name}{tf32}, {launches} launch(es), no workspace; chosen {}\n", self.origin);
        for s in &self.steps {
            let name = KERNELS[s.kernel].name.to_str().unwrap_or("?");
            let _ = write!(text, "  {name}: {} x {} at ({o}, {o})", s.m, s.n, o = s.offset);
            if s.k > 0 {
                let _ = write!(text, ", panel of {}, {} tiles", s.k, s.tiles);
            }
            let _ = writeln!(text, "; {} threads, {} matrices a block", s.threads, s.per_block);
        }
        text
    }
}

/// a / b rounded up, for a >= 0 and b > 0.
pub(crate) fn ceil_div(a: i64, b: i64) -> i64 {
    a / b + i64::from(a % b != 0)
}

/// The launch of an instance on the m x n block at (offset, offset).
pub(super) fn resident_step(r: &Instance, m: i64, n: i64, offset: i64) -> Step {
    Step {
        kernel: r.kernel,
        threads: r.threads,
        shared: r.shared,
        per_block: r.per_block,
        tiles: 1,
        cluster: 1,
        per_processor: i64::from(r.per_processor),
        m,
        n,
        offset,
        k: 0,
        outside: r.outside != 0,
    }
}

fn generic_step(g: &Instance, m: i64, n: i64, offset: i64) -> Step {
    Step {
        kernel: g.kernel,
        threads: g.threads,
        shared: 0,
        per_block: 1,
        tiles: 1,
        cluster: 1,
        per_processor: 0,
        m,
        n,
        offset,
        k: 0,
        outside: g.outside != 0,
    }
}

fn update_step(u: &Instance, m: i64, n: i64, offset: i64, k: i64) -> Step {
    let (kernel, threads, shared) = (u.kernel, u.threads, u.shared);
    let (tiles, cluster) = (ceil_div(n - k, i64::from(u.columns)), i64::from(u.cluster));
    let (per_processor, outside) = (i64::from(u.per_processor), u.outside != 0);
    Step { kernel, threads, shared, per_block: 1, tiles, cluster, per_processor, m, n, offset, k, outside }
}

/// One launch of the kernel that takes everything.
pub(super) fn generic(dtype: Dtype, m: i64, n: i64) -> Option<Vec<Step>> {
    GENERIC.iter().find(|g| g.dtype == dtype).map(|g| vec![generic_step(g, m, n, 0)])
}

/// The update for panels of `rows` rows, of those that the device can run: one that reads them once if there is one, then
/// the widest, then the tightest, then one for clusters. Where TF32 is allowed, one of those if it reads them once.
fn blocking(dtype: Dtype, rows: i64, limits: Limits) -> Option<&'static Instance> {
    let runs = |u: &&Instance| {
        let cluster = u.cluster == 1 || limits.arch >= 90 && i64::from(u.rows) >= rows;
        u.dtype == dtype && limits.run(u.shared) && cluster
    };
    if limits.math == Math::Tf32 {
        let once = UPDATE_TF32.iter().filter(runs).filter(|u| i64::from(u.rows) >= rows);
        if let Some(tightest) = once.min_by_key(|u| u.rows) {
            return Some(tightest);
        }
    }
    UPDATE.iter().filter(runs).max_by_key(|u| {
        let (fits, size) = (i64::from(u.rows) >= rows, i64::from(u.rows));
        (fits, u.reflectors, if fits { -size } else { size }, u.cluster)
    })
}

/// A panel of k columns at (col, col): in registers, or in two halves with an update between, or by the kernel that
/// takes everything.
fn panel(dtype: Dtype, rows: i64, k: i64, col: i64, limits: Limits, steps: &mut Vec<Step>) -> Option<()> {
    if let Some(r) = select::resident(dtype, rows, k, limits) {
        steps.push(resident_step(r, rows, k, col));
    } else if k > 8 {
        let half = (k + 1) / 2;
        panel(dtype, rows, half, col, limits, steps)?;
        steps.push(update_step(blocking(dtype, rows, limits)?, rows, k, col, half));
        panel(dtype, rows - half, k - half, col + half, limits, steps)?;
    } else {
        steps.push(generic_step(GENERIC.iter().find(|g| g.dtype == dtype)?, rows, k, col));
    }
    Some(())
}

/// Panels and updates.
pub(super) fn blocked(dtype: Dtype, m: i64, n: i64, limits: Limits, how: Blocking) -> Option<Vec<Step>> {
    let k_end = m.min(n);
    let mut steps = vec![];
    let mut col = 0;
    while col < k_end {
        let (rows, cols) = (m - col, n - col);
        // What is left may fit registers whole.
        if col > 0
            && rows.max(cols) <= how.finish
            && let Some(r) = select::resident(dtype, rows, cols, limits)
        {
            steps.push(resident_step(r, rows, cols, col));
            return Some(steps);
        }
        let u = blocking(dtype, rows, limits)?;
        // Forced on a shape that one panel would hold: still two panels, so that the update runs.
        let nb = how.nb.min(i64::from(u.reflectors));
        let nb = if col == 0 && cols <= nb { (k_end + 1) / 2 } else { nb };
        let k = nb.min(k_end - col);
        panel(dtype, rows, k, col, limits, &mut steps)?;
        if cols > k {
            steps.push(update_step(u, rows, cols, col, k));
        }
        col += k;
    }
    Some(steps)
}

#[cfg(test)]
mod tests {
    use super::super::select::plan;
    use super::*;

    /// Every launch order must factor each column once, and only when it has seen every reflector before it.
    fn check(steps: &[Step], m: i64, n: i64) {
        let mut factored = 0; // columns that are done
        let mut seen = vec![0; n as usize]; // reflectors that each column has seen
        for s in steps {
            assert_eq!(s.m, m - s.offset);
            assert!(s.offset + s.n <= n && s.tiles >= 1);
            let columns = (s.offset + s.k) as usize..(s.offset + s.n) as usize;
            assert!(seen[columns.clone()].iter().all(|x| *x == s.offset), "{m} x {n}: {s:?} of {steps:?}");
            if s.k > 0 {
                assert_eq!(s.offset + s.k, factored);
            } else {
                assert_eq!(s.offset, factored);
                factored += s.n.min(s.m);
            }
            seen[columns].fill(factored);
        }
        assert_eq!(factored, m.min(n));
        assert!(seen[factored as usize..].iter().all(|x| *x == factored), "{m} x {n}: {steps:?}");
    }

    #[test]
    fn every_shape_has_a_complete_plan() {
        let sizes = [1, 2, 3, 4, 5, 8, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 100, 128, 129, 200, 513, 1025, 4097];
        // Hopper, Ampere, consumer Blackwell, and what every device has
        for (shared, arch) in [(227, 90), (163, 80), (99, 120), (48, 75)] {
            let types = [(Dtype::S, Math::Tf32)].into_iter().chain(Dtype::ALL.map(|d| (d, Math::Fp32)));
            for ((dtype, math), class) in types.flat_map(|d| Class::ALL.map(|c| (d, c))) {
                let limits = Limits { shared_per_block: shared * 1024, arch, class, ..Limits::HOPPER };
                let limits = limits.with_math(dtype, math);
                for (m, n) in sizes.iter().flat_map(|m| sizes.map(|n| (*m, n))) {
                    check(&plan(dtype, m, n, limits).unwrap().steps, m, n);
                    check(&generic(dtype, m, n).unwrap(), m, n);
                    for (nb, finish) in [(32, 96), (32, 16), (16, 64), (7, 0)] {
                        if let Some(steps) = blocked(dtype, m, n, limits, Blocking { nb, finish }) {
                            assert!(steps.iter().all(|s| s.shared <= limits.shared_per_block));
                            assert!(steps.iter().all(|s| s.cluster == 1 || arch >= 90 && s.m <= rows_of(s)));
                            check(&steps, m, n);
                        } else {
                            assert!(arch != 90);
                        }
                    }
                }
            }
        }
    }

    fn rows_of(s: &Step) -> i64 {
        UPDATE.iter().chain(UPDATE_TF32).find(|u| u.kernel == s.kernel).map_or(0, |u| i64::from(u.rows))
    }

    #[test]
    fn tf32_is_taken_only_where_it_was_asked_for() {
        let of = |dtype, math, arch, (m, n)| {
            let limits = Limits { arch, ..Limits::HOPPER }.with_math(dtype, math);
            select::cached(dtype, m, n, limits).unwrap().steps.iter().any(Step::is_tf32)
        };
        for shape in [(256, 256), (512, 512), (1024, 1024), (2048, 2048), (2048, 100)] {
            assert!(!of(Dtype::S, Math::Fp32, 90, shape), "{shape:?}");
            assert!(of(Dtype::S, Math::Tf32, 90, shape), "{shape:?}");
            assert!(!of(Dtype::S, Math::Fp32, 90, shape), "{shape:?}: the cache mixes them up");
            assert!(!of(Dtype::S, Math::Tf32, 75, shape), "{shape:?}");
            for other in [Dtype::D, Dtype::C, Dtype::Z] {
                assert!(!of(other, Math::Tf32, 90, shape), "{other:?} {shape:?}");
            }
        }
    }

    #[test]
    fn a_device_without_tuned_code_is_served_by_the_portable_kernel() {
        let limits = Limits { tuned: false, ..Limits::HOPPER };
        for dtype in Dtype::ALL {
            for (m, n) in [(1, 1), (8, 8), (100, 40), (300, 300), (20, 50)] {
                let p = plan(dtype, m, n, limits).unwrap();
                assert_eq!(p.choice.candidate(), "generic", "{dtype:?} {m} x {n}");
                check(&p.steps, m, n);
            }
        }
    }

    #[test]
    fn batches_are_divided_evenly() {
        let p = plan(Dtype::S, 2048, 2048, Limits::HOPPER).unwrap();
        let first = p.steps.iter().find(|s| s.k > 0 && s.n > 1024).unwrap();
        let at_once = first.at_once(132);
        for batch in [1, 2, 8, 60, 100, 1000, 1 << 40] {
            let (clusters, shares) = first.division(batch, at_once);
            match shares {
                0 => assert!(clusters <= at_once),
                _ => assert!(clusters == batch * shares && shares <= first.tiles),
            }
        }
        assert!(first.division(1, at_once).0 > 1);
        // A batch a little above a wave must not take two.
        assert_eq!(first.division(at_once + 1, at_once), (at_once, 0));
    }

    #[test]
    fn blocks_that_go_on_to_the_next_matrix_are_no_more_than_run_at_a_time() {
        let first = |m| plan(Dtype::S, m, 32, Limits::HOPPER).unwrap().steps[0];
        assert!(first(1024).per_processor > 0);
        assert_eq!([1, 200, 1000].map(|batch| first(1024).blocks(batch, 132)), [1, 200, 264]);
        let others = first(64);
        assert_eq!(others.blocks(1000, 132), ceil_div(1000, i64::from(others.per_block)));
    }

    #[test]
    fn what_can_be_pinned_is_complete_and_differs() {
        for dtype in Dtype::ALL {
            for (m, n) in [(1, 1), (8, 8), (20, 50), (33, 33), (100, 7), (512, 512), (2000, 3), (2000, 40)] {
                let all = select::candidates(dtype, m, n, Limits::HOPPER);
                assert!(!all.is_empty());
                for (i, choice) in all.iter().enumerate() {
                    check(&choice.steps(dtype, m, n, Limits::HOPPER).unwrap(), m, n);
                    assert_eq!(Choice::parse(&choice.to_string()), Some(*choice));
                    assert!(!all[..i].contains(choice), "{dtype:?} {m} x {n}: {choice} twice");
                }
            }
        }
    }

    #[test]
    fn classes_are_told_apart() {
        let of = |m, n, batch| Class::of(m, n, batch).batch();
        assert_eq!([1, 40, 41, 317, 4000, 50_000].map(|b| of(32, 32, b)), [100, 100, 100, 1000, 10_000, 100_000]);
        assert_eq!([1, 40, 41, 317, 4000, 50_000].map(|b| of(64, 64, b)), [16, 16, 100, 1000, 10_000, 10_000]);
        assert_eq!([1, 50_000].map(|b| of(1024, 1024, b)), [16, 100]);
        assert_eq!(of(i64::MAX, i64::MAX, i64::MAX), 100);
        let order: Vec<i64> = Class::of(64, 64, 1000).nearest_first().map(Class::batch).collect();
        assert_eq!(order, [1000, 100, 16, 10_000, 100_000]);
    }

    #[test]
    fn small_squares_stay_in_registers() {
        for dtype in Dtype::ALL {
            for n in 1..=64 {
                assert_eq!(plan(dtype, n, n, Limits::HOPPER).unwrap().choice.candidate(), "resident", "{dtype:?} {n}");
            }
        }
    }

    #[test]
    fn blocked_finishes_in_registers() {
        let p = plan(Dtype::D, 512, 512, Limits::HOPPER).unwrap();
        assert_eq!(p.choice.candidate(), "blocked");
        let last = p.steps.last().unwrap();
        assert!(last.k == 0 && last.n == last.m && last.n >= 32, "{last:?}");
    }
}
