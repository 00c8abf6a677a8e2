//! Plans for batched QR: the candidates, and how each one makes its launches. [`crate::gpu::geqrf::select`] chooses
//! among them.
//!
//! Candidates: `resident` (the matrix in registers, one launch), `blocked` (panels of nb columns, each followed by
//! one fused update of the columns to its right, as in LAPACK's geqrf), `tree` ([`tall_panel`]), `generic` (one
//! launch that works in global memory and accepts every shape).

use crate::error::Error;
use crate::gpu::geqrf::each_choose as geqrf_each;
use crate::gpu::geqrf::select;
use crate::gpu::geqrf::select::Blocking;
use crate::gpu::plan::padded;
use crate::gpu::plan::table::{GENERIC, Instance, UPDATE_FEW, UPDATE_ROWS, UPDATE_TF32};
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape, ceil_div};
use crate::gpu::tall::{Task, clusters, fused, tree as tall_panel, update as tall_update};
use crate::routine::{Dtype, Geqrf, Math};

/// The shape has m and n; `form` says whether members have individual sizes, and its `k` how many there are
/// ([`padded::number`]). An update applies the `k` reflectors of a panel to the columns to its right.
impl Planned for Geqrf {
    type Task = Task;

    fn limits(&self, device: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        Ok(device()?.with_batch(self.m, self.n, self.batch).with_math(self.dtype, self.math))
    }

    fn shape(&self, _: Limits) -> Shape {
        let number = if self.sizes.is_some() { padded::number(self.batch) } else { 0 };
        Shape { dtype: self.dtype, m: self.m, n: self.n, k: number.into(), form: self.sizes.is_some().into() }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Geqrf>, Error> {
        if shape.form != 0 {
            return geqrf_each::plan(shape, limits);
        }
        select::plan(shape.dtype, shape.m, shape.n, limits)
    }

    fn candidates(shape: Shape, limits: Limits) -> String {
        if shape.form != 0 { String::new() } else { select::list(shape.dtype, shape.m, shape.n, limits) }
    }

    fn words(&self, l: &Launch, task: Task) -> String {
        let Launch { m, n, offset, k, .. } = l;
        let how = match task {
            Task::Whole | Task::Held => String::new(),
            Task::Tree => tall_panel::words(l),
            Task::Update | Task::DividedUpdate => format!(", panel of {k}, {} tiles", l.tiles()),
        };
        format!("{m} x {n} at ({offset}, {offset}){how}")
    }
}

impl Plan<Geqrf> {
    /// Whether A may be read from, and R be written to, other memory ([`crate::gpu::plan::SeparateOperands`]): every
    /// launch must support it, and none may work on columns of which an earlier launch has changed only some.
    pub fn supports_separate_operands(&self) -> bool {
        let mut touched = 0;
        self.launches().all(|l| {
            let (first, end) = l.columns();
            let before = touched;
            touched = end.max(before);
            l.instance.outside != 0 && (first >= before || end <= before)
        })
    }
}

/// For launches of a factorisation.
impl Launch {
    /// The columns that the launch changes: the first one, and the end.
    pub fn columns(&self) -> (i64, i64) {
        (self.offset + self.k, self.offset + self.n)
    }

    /// Clusters that run concurrently, according to the number of multiprocessors. This is exact for clusters of up
    /// to two blocks. Fewer of larger clusters may fit; only the driver knows how many.
    pub fn at_once(&self, multiprocessors: i64) -> i64 {
        let Instance { per_processor, cluster, .. } = self.instance;
        (multiprocessors * i64::from(*per_processor) / i64::from(*cluster)).max(1)
    }

    /// The arithmetic of the launch. It differs from FP32 only for updates that the caller has to allow.
    pub fn math(&self) -> Math {
        if self.instance.is_of(UPDATE_TF32) {
            Math::Tf32
        } else if tall_update::is_half(self.instance) {
            Math::Fp16
        } else if tall_update::is_split(self.instance) {
            Math::Fp32Tensor
        } else {
            Math::Fp32
        }
    }

    /// Blocks of a launch without updates: enough for all matrices, or as many as run concurrently.
    pub fn blocks(&self, batch: i64, multiprocessors: i64) -> i64 {
        let all = ceil_div(batch, i64::from(self.instance.per_block));
        if self.instance.per_processor > 0 { all.min(self.at_once(multiprocessors)) } else { all }
    }

    /// The number of column tiles of an update, which is the most clusters that can share a matrix.
    pub fn tiles(&self) -> i64 {
        ceil_div(self.n - self.k, i64::from(self.instance.columns))
    }

    /// How an update's clusters divide a batch: their number, and `LarfbArgs::tiles`. Chooses the division with the
    /// fewest rounds of tiles in sequence if `at_once` clusters run concurrently, including the work of a cluster
    /// before its first tile of a matrix.
    pub fn division(&self, batch: i64, at_once: i64, limits: Limits) -> (i64, i64) {
        let first = limits.measured().geqrf.first_round;
        let tiles = self.tiles();
        let shared = |shares: i64| {
            let waves = ceil_div(batch.saturating_mul(shares), at_once);
            (waves.saturating_mul(first + ceil_div(tiles, shares)), (batch.saturating_mul(shares), shares))
        };
        // Equal shares of all tiles: a single wave in which a share may begin and end within a matrix. One cluster
        // more than fits would double the time.
        let rounds = batch.saturating_mul(tiles);
        let parts = at_once.min(rounds);
        let equal = (ceil_div(rounds, parts) + first * (ceil_div(batch, parts) + 1), (parts, 0));
        let few = (1..=8).map(|waves| shared((waves * at_once / batch).clamp(1, tiles)));
        few.chain([equal]).min_by_key(|(rounds, _)| *rounds).map_or((batch, 1), |(_, division)| division)
    }
}

/// One launch of the kernel that accepts every shape.
pub(crate) fn generic(dtype: Dtype, m: i64, n: i64) -> Option<Vec<(Launch, Task)>> {
    takes_all(dtype, m, n).map(|g| vec![(Launch::on(g, m, n, 0), Task::Whole)])
}

/// The kernel that accepts every matrix whose rows and columns it can count: its indices have 31 bits, and run past
/// the end by up to one pass of a block.
fn takes_all(dtype: Dtype, rows: i64, columns: i64) -> Option<&'static Instance> {
    const TURN: i64 = 4096;
    GENERIC.iter().find(|g| g.dtype == dtype && rows.max(columns) <= i64::from(i32::MAX) - TURN)
}

/// The update by a panel of few columns (`k`), which costs one read and one write of the other columns. It serves
/// matrices with few rows, or a first panel after which all remaining panels have full width.
pub(crate) fn narrow_panel_update(
    dtype: Dtype,
    (m, n): (i64, i64),
    k: i64,
    limits: Limits,
) -> Option<&'static Instance> {
    // If columns are aligned for 16-byte accesses, the remaining matrix must be as well.
    let aligned = (16 / dtype.bytes() as i64).max(1);
    let keeps = k % aligned == 0 || m % aligned != 0;
    let takes = |u: &&Instance| {
        u.dtype == dtype && limits.runs(u.shared) && i64::from(u.rows) >= m && i64::from(u.reflectors) >= k
    };
    if let Some(short) = UPDATE_ROWS.iter().filter(takes).min_by_key(|u| u.rows) {
        return (k > 0 && n > k).then_some(short);
    }
    let tightest = UPDATE_FEW.iter().filter(takes).min_by_key(|u| u.rows);
    // With updates in TF32, the update by a full panel costs no more than the one by these columns.
    tightest.filter(|_| keeps && k > 0 && n > k && !limits.math.allows_tf32())
}

/// A panel of k columns at (col, col): in registers, by a tree, in two halves with an update between them, or by the
/// kernel that accepts every shape.
fn panel(dtype: Dtype, rows: i64, k: i64, col: i64, limits: Limits, steps: &mut Vec<(Launch, Task)>) -> Option<()> {
    let halves = k > 8 && clusters::halves_pay(dtype, rows, k, limits);
    if let Some(r) = select::resident(dtype, rows, k, limits).filter(|r| r.cluster == 1 || !halves) {
        steps.push((Launch::on(r, rows, k, col), Task::Whole));
        return Some(());
    }
    let tree =
        tall_panel::launch(dtype, rows, k, col, limits).filter(|_| !halves && tall_panel::pays(dtype, rows, k, limits));
    if let Some(tree) = tree {
        steps.push((tree, Task::Tree));
    } else if k > 8 {
        let half = (k + 1) / 2;
        panel(dtype, rows, half, col, limits, steps)?;
        let (update, task) = tall_update::update_kernel(dtype, rows, k - half, half, limits)?;
        steps.push((Launch::with(update, rows, k, col, half), task));
        panel(dtype, rows - half, k - half, col + half, limits, steps)?;
    } else {
        steps.push((Launch::on(takes_all(dtype, rows, k)?, rows, k, col), Task::Whole));
    }
    Some(())
}

/// Panels and updates.
pub(crate) fn blocked(dtype: Dtype, m: i64, n: i64, limits: Limits, how: Blocking) -> Option<Vec<(Launch, Task)>> {
    let k_end = m.min(n);
    let mut steps = vec![];
    let mut col = 0;
    while col < k_end {
        let (rows, cols) = (m - col, n - col);
        // The remaining matrix may fit in registers.
        if col > 0
            && rows.max(cols) <= how.finish
            && let Some(r) = select::resident(dtype, rows, cols, limits)
        {
            steps.push((Launch::on(r, rows, cols, col), Task::Whole));
            return Some(steps);
        }
        // If this plan is forced on a shape that one panel would hold, use two panels nevertheless, so that the
        // update runs.
        let half = |nb| if col == 0 && cols <= nb { (k_end + 1) / 2 } else { nb };
        if let Some(width) = tall_update::outer_panel_width(dtype, (m, n), col, half(how.nb), limits) {
            let place = (col, width, half(how.nb));
            tall_update::outer_panel_launches(dtype, (m, n), place, limits, &mut steps, |col, k, steps| {
                panel(dtype, m - col, k, col, limits, steps)
            })?;
            col += width;
            continue;
        }
        let mut u = fused::blocking(dtype, rows, None, limits)?;
        let mut k = half(how.nb.min(i64::from(u.reflectors))).min(k_end - col);
        if col == 0
            && k < k_end
            && narrow_panel_update(dtype, (m, n), k, limits).is_none()
            && narrow_panel_update(dtype, (m, n), k_end % k, limits).is_some()
        {
            k = k_end % k;
        }
        if let Some(update) = narrow_panel_update(dtype, (rows, cols), k, limits) {
            u = update;
        }
        panel(dtype, rows, k, col, limits, &mut steps)?;
        if cols > k {
            steps.push((Launch::with(u, rows, cols, col, k), Task::Update));
        }
        col += k;
    }
    Some(steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::geqrf::select::{Choice, plan};
    use crate::gpu::plan::Class;
    use crate::routine;
    use crate::routine::Routine;

    fn launches(plan: &Plan<Geqrf>) -> Vec<(Launch, Task)> {
        plan.tasks().map(|(l, task)| (l.clone(), task)).collect()
    }

    /// Checks that the launches factor each column exactly once, and only after all preceding reflectors were
    /// applied to it.
    fn check(steps: &[(Launch, Task)], m: i64, n: i64) {
        let mut factored = 0; // columns already factored
        let mut seen = vec![0; n as usize]; // reflectors already applied to each column
        for (s, task) in steps {
            let update = matches!(task, Task::Update | Task::DividedUpdate);
            assert_eq!((s.m, s.k > 0), (m - s.offset, update));
            assert!(s.offset + s.n <= n && (!update || s.tiles() >= 1));
            let columns = (s.offset + s.k) as usize..(s.offset + s.n) as usize;
            assert!(seen[columns.clone()].iter().all(|x| *x == s.offset), "{m} x {n}: {s:?} of {steps:?}");
            if update {
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
        // Shapes that even this kernel cannot index are refused.
        assert!(generic(Dtype::S, i32::MAX.into(), 1).is_none() && generic(Dtype::S, 1 << 30, 1).is_some());
        let sizes = [1, 2, 3, 4, 5, 8, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 100, 128, 129, 200, 513, 1025, 4097];
        // Hopper, Hopper with fewer multiprocessors, Ampere, consumer Blackwell, and the minimum of every device.
        for (shared, arch, multiprocessors) in
            [(227, 90, 132), (227, 90, 114), (163, 80, 108), (99, 120, 170), (48, 75, 40)]
        {
            let types = [Math::Tf32, Math::Fp32Tensor, Math::Fp16]
                .map(|math| (Dtype::S, math))
                .into_iter()
                .chain(Dtype::ALL.map(|d| (d, Math::Fp32)));
            for ((dtype, math), class) in types.flat_map(|d| Class::ALL.map(|c| (d, c))) {
                let shared_per_block = shared * 1024;
                let limits = Limits { shared_per_block, arch, multiprocessors, class, ..Limits::HOPPER };
                let limits = limits.with_math(dtype, math);
                for (m, n) in sizes.iter().flat_map(|m| sizes.map(|n| (*m, n))) {
                    check(&launches(&plan(dtype, m, n, limits).unwrap()), m, n);
                    check(&generic(dtype, m, n).unwrap(), m, n);
                    for (nb, finish) in [(32, 96), (32, 16), (16, 64), (7, 0)] {
                        if let Some(steps) = blocked(dtype, m, n, limits, Blocking { nb, finish }) {
                            assert!(steps.iter().all(|(s, _)| s.shared <= limits.shared_per_block));
                            let fits = |s: &Launch| s.instance.cluster == 1 || s.m <= i64::from(s.instance.rows);
                            assert!(steps.iter().all(|(s, _)| limits.holds_cluster(s.instance.cluster) && fits(s)));
                            check(&steps, m, n);
                        } else {
                            assert!(arch != 90);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn clusters_of_sixteen_are_for_devices_that_hold_them() {
        let most = |arch, multiprocessors| {
            let shapes = [(Dtype::S, 16_384, 32), (Dtype::D, 8192, 32), (Dtype::C, 5000, 32), (Dtype::Z, 8192, 16)];
            shapes.map(|(dtype, m, n)| {
                let limits = Limits { arch, multiprocessors, ..Limits::HOPPER }.with_batch(m, n, 1);
                // The panel alone, and the first panel of several.
                let steps = [n, 5 * n].map(|n| launches(&plan(dtype, m, n, limits).unwrap()));
                steps.iter().zip([n, 5 * n]).for_each(|(steps, n)| check(steps, m, n));
                let clusters =
                    steps.map(|steps| steps.iter().filter(|(s, _)| s.k == 0).map(|(s, _)| s.instance.cluster).max());
                clusters.map(Option::unwrap)
            })
        };
        assert_eq!(most(90, 132), [[16; 2]; 4]);
        assert_eq!(most(100, 148), [[16; 2]; 4]);
        for (arch, multiprocessors) in [(90, 114), (90, 120), (120, 170), (80, 108)] {
            assert!(most(arch, multiprocessors).as_flattened().iter().all(|blocks| *blocks <= 8));
        }
    }

    #[test]
    fn modes_are_taken_only_where_they_were_asked_for() {
        // Returns whether a launch uses arithmetic other than FP32, after checking that all of them use what was
        // asked for (FP16 allows TF32, too).
        let of = |dtype, math, arch, (m, n)| {
            let limits = Limits { arch, ..Limits::HOPPER };
            let shape = routine::Shape { dtype, m, n, batch: 1000, math, extra: routine::ExtraArguments::default() };
            let plan = crate::gpu::plan::of(&Geqrf::of_shape(&shape), || Ok(limits)).unwrap();
            let allowed = [Math::Fp32, math, if math == Math::Fp16 { Math::Tf32 } else { math }];
            assert!(plan.launches().all(|l| allowed.contains(&l.math())), "{dtype:?} {math:?} {m} x {n}");
            plan.launches().any(|l| l.math() != Math::Fp32)
        };
        let tall = [(2100, 300), (4096, 4096), (1 << 20, 256)];
        for shape in [(256, 256), (512, 512), (1024, 1024), (2048, 2048), (2048, 100)].into_iter().chain(tall) {
            for math in [Math::Tf32, Math::Fp32Tensor, Math::Fp16] {
                assert!(!of(Dtype::S, Math::Fp32, 90, shape), "{shape:?}: the cache mixes them up");
                // TF32 is for updates whose rows are not divided, and otherwise at most for the last part.
                if math != Math::Tf32 || shape.0 <= 2048 {
                    let divided = shape.0 > 2048;
                    let expected = math == Math::Fp16 || divided == (math == Math::Fp32Tensor);
                    assert_eq!(of(Dtype::S, math, 90, shape), expected, "{math:?} {shape:?}");
                }
                assert!(!of(Dtype::S, math, 75, shape), "{math:?} {shape:?}");
                for other in [Dtype::D, Dtype::C, Dtype::Z] {
                    assert!(!of(other, math, 90, shape), "{other:?} {math:?} {shape:?}");
                }
            }
        }
    }

    #[test]
    fn a_device_without_tuned_code_is_served_by_the_portable_kernel() {
        let limits = Limits { native: false, ..Limits::HOPPER };
        for dtype in Dtype::ALL {
            for (m, n) in [(1, 1), (8, 8), (100, 40), (300, 300), (20, 50)] {
                let p = plan(dtype, m, n, limits).unwrap();
                assert_eq!(p.candidate, "generic", "{dtype:?} {m} x {n}");
                check(&launches(&p), m, n);
            }
        }
    }

    #[test]
    fn batches_are_divided_evenly() {
        let p = plan(Dtype::S, 2048, 2048, Limits::HOPPER).unwrap();
        let first = p.launches().find(|s| s.k > 0 && s.n > 1024).unwrap();
        let at_once = first.at_once(132);
        for batch in [1, 2, 8, 60, 100, 1000, 1 << 40] {
            let (clusters, shares) = first.division(batch, at_once, Limits::HOPPER);
            match shares {
                0 => assert!(clusters <= at_once),
                _ => assert!(clusters == batch * shares && shares <= first.tiles()),
            }
        }
        assert!(first.division(1, at_once, Limits::HOPPER).0 > 1);
        // A batch slightly larger than a wave must not take two.
        assert_eq!(first.division(at_once + 1, at_once, Limits::HOPPER), (at_once, 0));
    }

    #[test]
    fn blocks_that_go_on_to_the_next_matrix_are_no_more_than_run_at_a_time() {
        let first = |m| launches(&plan(Dtype::S, m, 32, Limits::HOPPER).unwrap())[0].0.clone();
        assert!(first(1024).instance.per_processor > 0);
        assert_eq!([1, 200, 1000].map(|batch| first(1024).blocks(batch, 132)), [1, 200, 264]);
        let others = first(64);
        assert_eq!(others.blocks(1000, 132), ceil_div(1000, i64::from(others.instance.per_block)));
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
    fn small_squares_stay_in_registers() {
        for dtype in Dtype::ALL {
            for n in 1..=64 {
                assert_eq!(plan(dtype, n, n, Limits::HOPPER).unwrap().candidate, "resident", "{dtype:?} {n}");
            }
        }
    }

    #[test]
    fn blocked_finishes_in_registers() {
        let p = plan(Dtype::D, 512, 512, Limits::HOPPER).unwrap();
        assert_eq!(p.candidate, "blocked");
        let last = p.launches().last().unwrap();
        assert!(last.k == 0 && last.n == last.m && last.n >= 32, "{last:?}");
    }
}
