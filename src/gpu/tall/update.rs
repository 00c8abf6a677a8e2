//! Block reflectors whose rows are divided among blocks, in four launches (`kernels/reflect/`), for matrices with
//! more rows than a block or a cluster holds.
//!
//! Panels are grouped into outer panels, as wide as one block reflector can be. Each panel is applied only to the
//! outer panel's columns, and once all are factored, they are applied together to everything on the right. This
//! reads and writes the matrix once per 128 columns rather than once per 32.

use crate::error::Error;
use crate::gpu::plan::table::{
    Instance, REFLECT_APPLY, REFLECT_APPLY_HALF, REFLECT_APPLY_SPLIT, REFLECT_DOTS, REFLECT_DOTS_HALF,
    REFLECT_DOTS_SPLIT, REFLECT_FACTOR, REFLECT_KEPT, REFLECT_LARFT, REFLECT_NARROW, REFLECT_SUM,
};
use crate::gpu::plan::{Launch, Limits, batch_invariant, ceil_div};
use crate::gpu::tall::{Task, fused};
use crate::routine::{Dtype, Math};

/// Above this number of rows, rows are divided.
const TALL: i64 = 2048;
/// The number of reflectors that the kernels of every device accept.
pub(crate) const PANEL: i64 = 32;

/// The kernels of a block reflector, in the order of their launches.
#[derive(Clone, Copy, Debug)]
pub struct DividedReflectorKernels {
    /// V^H [C | V] for each chunk of rows.
    pub dots: &'static Instance,
    /// The sums over all chunks.
    pub sum: &'static Instance,
    /// The matrix by which V is multiplied.
    pub factor: &'static Instance,
    /// Updates C.
    pub apply: &'static Instance,
    /// Updates C with few columns.
    pub narrow: Option<&'static Instance>,
    /// Updates C where its tiles are complete, for exactly as many reflectors as this kernel has.
    pub kept: Option<&'static Instance>,
    /// Forms T from the sums.
    pub larft: Option<&'static Instance>,
}

impl DividedReflectorKernels {
    /// For k reflectors on n columns. `None` if the device has no such kernels.
    pub fn find(dtype: Dtype, n: i64, k: i64, limits: Limits) -> Option<DividedReflectorKernels> {
        // The lowest tiles that are high enough, and of those the ones that read least.
        let find = |family: &'static [Instance], k: i64| {
            let fits = |i: &&Instance| i.dtype == dtype && limits.runs(i.shared) && i64::from(i.rows) >= k;
            let reads = |i: &Instance| {
                let (rows, columns) = (i64::from(i.rows), i64::from(i.columns).max(1));
                ceil_div(n + k, columns).saturating_mul(rows + columns)
            };
            family.iter().filter(fits).min_by_key(|i| (i.rows, reads(i)))
        };
        let mut dots = find(REFLECT_DOTS, k).or_else(|| find(REFLECT_DOTS, 0))?;
        let mut apply = find(REFLECT_APPLY, 0)?;
        let on_tensor_cores = match limits.math {
            Math::Fp32Tensor => find(REFLECT_DOTS_SPLIT, 0).zip(find(REFLECT_APPLY_SPLIT, 0)),
            Math::Fp16 => find(REFLECT_DOTS_HALF, 0).zip(find(REFLECT_APPLY_HALF, 0)),
            Math::Fp32 | Math::Tf32 => None,
        };
        if k > limits.measured().divided.tensor_cores && n >= k {
            (dots, apply) = on_tensor_cores.unwrap_or((dots, apply));
        }
        let (sum, factor) = (find(REFLECT_SUM, 0)?, find(REFLECT_FACTOR, k)?);
        let narrow = find(REFLECT_NARROW, 0).filter(|_| apply.is_of(REFLECT_APPLY));
        let kept = find(REFLECT_KEPT, 0).filter(|kept| i64::from(kept.reflectors) == k && apply.is_of(REFLECT_APPLY));
        Some(DividedReflectorKernels { dots, sum, factor, apply, narrow, kept, larft: find(REFLECT_LARFT, k) })
    }

    /// The kernel for C's n columns: the one with fewer idle columns.
    pub fn apply_for(&self, n: i64) -> &'static Instance {
        let taken = |i: &Instance| ceil_div(n, i.columns.into()).saturating_mul(i.columns.into());
        self.narrow.filter(|narrow| taken(narrow) < taken(self.apply)).unwrap_or(self.apply)
    }

    /// The number of consecutive tiles of a column of tiles that a block of [`DividedReflectorKernels::kept`]
    /// processes, out of `down` x `across` tiles: many, so that a block reads its columns' part of X only once, but
    /// chosen so that the last wave of blocks is not nearly empty.
    pub fn consecutive_tiles(down: i64, across: i64, limits: Limits) -> i64 {
        let crate::gpu::arch::Divided { run: most, run_start, .. } = limits.measured().divided;
        let time = |run: &i64| {
            let blocks = ceil_div(down, *run).saturating_mul(across);
            ceil_div(blocks, limits.multiprocessors.into()).saturating_mul(2 * run + run_start)
        };
        (1..=most).rev().min_by_key(time).unwrap_or(1)
    }

    /// The kernel for the sums V^H V of more reflectors than one block reflector can have, in tiles: the smallest ones,
    /// or the largest.
    pub fn dots_of_many(dtype: Dtype, large: bool, limits: Limits) -> Option<&'static Instance> {
        let all = REFLECT_DOTS.iter().filter(|i| i.dtype == dtype && limits.runs(i.shared));
        all.min_by_key(|i| (if large { -i64::from(i.rows) } else { i.rows.into() }, i.columns))
    }

    /// For forming T of k reflectors with `rows` rows. `None` if the rows are not divided.
    pub fn for_larft(dtype: Dtype, rows: i64, k: i64, limits: Limits) -> Option<DividedReflectorKernels> {
        let kernels = if rows > TALL { DividedReflectorKernels::find(dtype, 0, k, limits) } else { None };
        kernels.filter(|kernels| kernels.larft.is_some())
    }

    /// The most reflectors of one block reflector, if panels have `nb` columns: `nb` times a power of two.
    fn widest(dtype: Dtype, nb: i64, limits: Limits) -> Option<i64> {
        DividedReflectorKernels::find(dtype, 0, nb, limits)?;
        let mut width = nb;
        while DividedReflectorKernels::find(dtype, 0, 2 * width, limits).is_some() {
            width *= 2;
        }
        Some(width)
    }
}

/// Whether this kernel computes the sums, the first launch of a block reflector, on tensor cores, with numbers split
/// into two FP16 parts or rounded to one, so that columns need scaling by powers of two (`kernels/reflect/scale.cuh`).
pub fn is_split(instance: &Instance) -> bool {
    instance.is_of(REFLECT_DOTS_SPLIT) || is_half(instance)
}

/// Whether it does so with numbers rounded to FP16.
pub fn is_half(instance: &Instance) -> bool {
    instance.is_of(REFLECT_DOTS_HALF)
}

/// The columns of an update with divided rows that the next panels need, if it pays to go on with these while the
/// others are updated. It does for small batches, whose panels leave most of the device idle.
pub fn next_panel(l: &Launch, limits: Limits) -> Option<i64> {
    const GRAIN: i64 = 4; // the sums of this many columns are a multiple of 16 bytes
    let others = l.n - 2 * l.k;
    let worth = others >= limits.measured().divided.ahead;
    (limits.cluster_per_matrix() && worth).then_some(ceil_div(l.k, GRAIN) * GRAIN)
}

/// Options for dividing the rows of a product with Q among blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowDivisionOptions {
    /// Whether there are few matrices.
    pub few_matrices: bool,
    /// Whether there are at most several.
    pub several_matrices: bool,
    /// Whether the sums of all matrices take little enough memory, see [`sums_are_small`].
    pub small_sums: bool,
    /// Whether Q overwrites the panel's own columns.
    pub in_place: bool,
}

impl RowDivisionOptions {
    /// The kernel of the first launch, and the number of reflectors, for the next panel of `left` remaining
    /// reflectors on `columns` columns. `None` if its rows are not divided.
    pub fn panel(
        &self,
        dtype: Dtype,
        (rows, columns): (i64, i64),
        left: i64,
        limits: Limits,
    ) -> Option<(&'static Instance, i64)> {
        let widest = DividedReflectorKernels::widest(dtype, PANEL, limits)?;
        // On few columns, dividing the rows costs about as much as the work, unless most of the device would be idle.
        let of = &limits.measured().divided;
        let most = match columns > widest {
            true if self.few_matrices && self.in_place => of.alone_rows_of_q[dtype],
            true if self.few_matrices => of.alone_rows,
            false if self.several_matrices => of.narrow_rows[dtype],
            true if self.small_sums => of.always_rows[dtype],
            _ => TALL,
        };
        if rows <= most || columns > i64::from(i32::MAX) - TALL {
            return None;
        }
        let width = if self.in_place {
            // One tile has the panel's own columns. With fewer reflectors, much of a wide tile would be idle.
            let tile = i64::from(DividedReflectorKernels::find(dtype, 0, widest, limits)?.apply.columns);
            let widest = widest.min(tile);
            if left < widest { left.min(PANEL) } else { widest }
        } else {
            left.min(widest)
        };
        Some((DividedReflectorKernels::find(dtype, columns, width, limits)?.dots, width))
    }
}

/// Whether the batch is so small that most of the device would be idle if each matrix's rows were not divided: for any
/// matrices, and for those with few columns.
pub(crate) fn rows_should_be_divided(batch: i64, limits: Limits) -> [bool; 2] {
    let of = &limits.measured().divided;
    [of.alone_share, of.several_share]
        .map(|share| !batch_invariant() && batch.saturating_mul(share) <= i64::from(limits.multiprocessors))
}

/// Whether the sums of a batch of matrices with so many elements take at most about 1 GiB: a quarter of what Q is
/// applied to, if that has little more rows than a block holds. Where the batch count must not matter, they may not.
pub(crate) fn sums_are_small(dtype: Dtype, [rows, columns]: [i64; 2], batch: i64) -> bool {
    const MOST: i64 = 4 << 30;
    let elements = rows.saturating_mul(columns).saturating_mul(batch);
    !batch_invariant() && elements.saturating_mul(dtype.bytes() as i64) <= MOST
}

/// How rows are divided, and the size of the sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowDivision {
    /// Rows per chunk.
    pub chunk: i64,
    /// Chunks per matrix.
    pub chunks: i64,
    /// Elements between rows of the sums.
    pub pitch: i64,
    /// Bytes of the sums of the batch.
    pub bytes: usize,
}

impl RowDivision {
    /// For V^H V of k reflectors of m rows, in many tiles, behind the n columns of X: enough blocks for every
    /// multiprocessor to overlap several.
    pub fn of_many(dots: &Instance, m: i64, n: i64, k: i64, batch: i64, limits: Limits) -> Result<RowDivision, Error> {
        const GRAIN: i64 = 64;
        const OVERLAPPING: i64 = 3;
        let (rows, columns) = (i64::from(dots.rows), i64::from(dots.columns));
        // Tiles that reach above the diagonal.
        let above = |across: i64| ceil_div(((across + 1) * columns - 1).min(k), rows);
        let tiles = (0..ceil_div(k, columns)).map(above).sum::<i64>().saturating_mul(batch);
        let room = i64::from(limits.multiprocessors) * OVERLAPPING.min(dots.per_processor.into());
        let chunk = ceil_div(ceil_div(m, (room / tiles).max(1)), GRAIN) * GRAIN;
        let chunks = ceil_div(m, chunk);
        let pack = 16 / dots.dtype.bytes() as i64;
        let pitch = ceil_div(n + k, pack) * pack;
        let bytes = pitch
            .checked_mul(k * chunks)
            .and_then(|each| usize::try_from(each.checked_mul(batch)?).ok()?.checked_mul(dots.dtype.bytes()))
            .ok_or_else(|| Error::OutOfMemory("the sums exceed the address space".into()))?;
        Ok(RowDivision { chunk, chunks, pitch, bytes })
    }

    /// For k reflectors of m rows on n columns: enough blocks for a few waves, of which the last is nearly full. The
    /// order of sums depends on this, so a batch-invariant setting uses the division for a single matrix.
    pub fn of(dots: &Instance, m: i64, n: i64, k: i64, batch: i64, limits: Limits) -> Result<RowDivision, Error> {
        const GRAIN: i64 = 64; // rows: whole chunks of memory, and of the kernels' buffers
        let of = &limits.measured().divided;
        let size = dots.dtype.bytes();
        let (down, across) = (ceil_div(k, dots.rows.into()), ceil_div(n + k, dots.columns.into()));
        let matrices = if batch_invariant() { 1 } else { batch };
        let tiles = (down * across).saturating_mul(matrices);
        let room = i64::from(limits.multiprocessors) * i64::from(dots.per_processor);
        // Another wave that fills the device only a little better is not worth its sums.
        let mut best = (1, 0);
        for waves in 1..=of.waves {
            let chunks = waves * room / tiles;
            let filled = chunks * tiles * 100 / (waves * room);
            if filled > best.1 + of.wave_gain {
                best = (chunks, filled);
            }
        }
        let most = ceil_div(m, best.0.max(1));
        let chunk = ceil_div(most.max((of.chunk_rows * k).min(of.chunk_enough)), GRAIN) * GRAIN;
        let chunks = ceil_div(m, chunk);
        let pack = 16 / size as i64;
        let pitch = ceil_div(n + k, pack) * pack;
        let bytes = pitch
            .checked_mul(k * chunks)
            .and_then(|each| usize::try_from(each.checked_mul(batch)?).ok()?.checked_mul(size))
            .ok_or_else(|| Error::OutOfMemory("the sums exceed the address space".into()))?;
        Ok(RowDivision { chunk, chunks, pitch, bytes })
    }
}

/// Columns of an outer panel at (col, col) of an m x n matrix whose panels have at most `nb` columns. `None` if its
/// rows are not divided.
pub(crate) fn outer_panel_width(dtype: Dtype, (m, n): (i64, i64), col: i64, nb: i64, limits: Limits) -> Option<i64> {
    if m - col <= TALL || n > i64::from(i32::MAX) - TALL {
        return None;
    }
    Some(DividedReflectorKernels::widest(dtype, nb, limits)?.min(m.min(n) - col))
}

/// The first kernel of a panel's update of n other columns, and its task: a cluster does in one launch what takes four
/// with divided rows.
pub(crate) fn update_kernel(
    dtype: Dtype,
    rows: i64,
    n: i64,
    k: i64,
    limits: Limits,
) -> Option<(&'static Instance, Task)> {
    let at_once = fused::blocking(dtype, rows, Some(n), limits).filter(|u| i64::from(u.rows) >= rows || rows <= TALL);
    let at_once = at_once.filter(|u| i64::from(u.reflectors) >= k).map(|u| (u, Task::Update));
    at_once.or_else(|| Some((DividedReflectorKernels::find(dtype, n, k, limits)?.dots, Task::DividedUpdate)))
}

/// The launches of an outer panel of `width` columns at (col, col): the panels, which `panel(column, columns)` adds,
/// and updates.
pub(crate) fn outer_panel_launches(
    dtype: Dtype,
    (m, n): (i64, i64),
    (col, width, nb): (i64, i64, i64),
    limits: Limits,
    steps: &mut Vec<(Launch, Task)>,
    mut panel: impl FnMut(i64, i64, &mut Vec<(Launch, Task)>) -> Option<()>,
) -> Option<()> {
    let end = col + width;
    let update = |from: i64, first: i64, last: i64| {
        let (rows, k) = (m - from, first - from);
        let (kernel, task) = match last == end {
            true => update_kernel(dtype, rows, last - first, k, limits)?,
            false => (DividedReflectorKernels::find(dtype, last - first, k, limits)?.dots, Task::DividedUpdate),
        };
        Some((Launch::with(kernel, rows, last - from, from, k), task))
    };
    let mut first = col;
    loop {
        let (from, k) = (first, nb.min(end - first));
        panel(first, k, steps)?;
        first += k;
        if first == end {
            break;
        }
        steps.push(update(from, first, end)?);
    }
    if end < n {
        steps.push(update(col, end, n)?);
    }
    Some(())
}
