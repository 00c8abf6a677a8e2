//! Plans for what uses a factorisation's Q: applying it (`ormqr`, `larfb`), writing it out (`orgqr`), and QR with
//! explicit factors.
//!
//! Candidates of applying: `thin` (few columns: all reflectors in one launch, one after another) and `blocked` (a launch
//! of the fused block reflector a panel). Of writing Q out: `resident` (the matrix in registers, one launch) and
//! `blocked` (what is right of and below the panels in registers, if both candidates are allowed; then a launch a panel,
//! from the last to the first, each on the columns from its own on). `blocked` answers to `generic` too: it takes every
//! shape.

use super::allowed;
use super::cache::{self, Cache};
use super::geqrf::{Limits, ceil_div};
use super::table::{Instance, KERNELS, KernelId, LARFB, LARFB_COLUMNS, LARFB_GIVEN, Q, Q_FEW, Q_STRIP, Q_TEAM, THIN};
use crate::error::Error;
use crate::routine::Dtype;
use std::cell::RefCell;
use std::fmt::Write;
use std::rc::Rc;

/// One launch of a block reflector: reflectors `offset..offset + k` on rows `offset..` of D (C, or C^T for Side::Right).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What runs.
    pub kernel: KernelId,
    /// Threads of a block.
    pub threads: u32,
    /// Dynamic shared memory of a block, bytes.
    pub shared: u32,
    /// Tiles that a block works on at a time.
    pub per_block: u32,
    /// Columns that a block works on at a time.
    pub tile: i64,
    /// Columns of one team's tile: all of them are the identity's, or none.
    pub grain: i64,
    /// A block takes tile after tile of a matrix; else each is another team's.
    pub loops: bool,
    /// Blocks that share a matrix's rows.
    pub cluster: i64,
    /// First reflector, and the row in which it starts.
    pub offset: i64,
    /// Reflectors.
    pub k: i64,
    /// Rows: all from `offset` on.
    pub rows: i64,
    /// Columns of D.
    pub columns: i64,
    /// Writing Q out: so many of the columns are the reflectors' own (the others come after them); 0 when applying.
    pub own: i64,
    /// Writing Q out: the columns after the own ones are still those of the identity.
    pub first: bool,
}

/// One launch that writes Q's rows and columns from `offset` on, in registers.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// What runs.
    pub instance: &'static Instance,
    /// First row, column and reflector.
    pub offset: i64,
}

/// Launches in stream order: `start`, then `steps`.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The candidate that accepted.
    pub candidate: &'static str,
    /// Writing Q out: the part in registers, if there is one.
    pub start: Option<Start>,
    /// Launches of block reflectors.
    pub steps: Vec<Step>,
}

impl Plan {
    /// The plan in words, a line per launch.
    pub fn describe(&self) -> String {
        let launches = self.steps.len() + usize::from(self.start.is_some());
        let mut text = format!("{}, {launches} launch(es), no workspace\n", self.candidate);
        if let Some(Start { instance: r, offset }) = self.start {
            let _ = writeln!(text, "  {} from ({offset}, {offset}) on", r.describe());
        }
        for s in &self.steps {
            let name = KERNELS[s.kernel].name.to_str().unwrap_or("?");
            let _ = writeln!(
                text,
                "  {name}: {} reflector(s) from {} on, {} x {}; {} threads",
                s.k, s.offset, s.rows, s.columns, s.threads
            );
        }
        text
    }
}

fn blocked_allowed() -> bool {
    allowed("blocked") || allowed("generic")
}

fn refused(what: &str, m: i64, n: i64) -> Error {
    Error::NotSupported(format!("{what}: no allowed plan takes {m} x {n}"))
}

/// The instance for panels of `rows` rows that the device can run: one that holds them if there is one, then the
/// widest, then the tightest. Clusters only where they hold the rows: they have no chunks.
fn blocking(dtype: Dtype, rows: i64, limits: Limits) -> Option<&'static Instance> {
    let runs = |u: &&Instance| {
        let cluster = u.cluster == 1 || limits.tuned && limits.arch >= 90 && i64::from(u.rows) >= rows;
        u.dtype == dtype && u.shared <= limits.shared_per_block && cluster
    };
    LARFB.iter().filter(runs).max_by_key(|u| {
        let (fits, size) = (i64::from(u.rows) >= rows, i64::from(u.rows));
        (fits, u.reflectors, if fits { -size } else { size })
    })
}

fn step(u: &Instance, order: i64, offset: i64, k: i64, columns: i64) -> Step {
    Step {
        kernel: u.kernel,
        threads: u.threads,
        shared: u.shared,
        per_block: 1,
        tile: i64::from(u.columns),
        grain: i64::from(u.tile),
        loops: true,
        cluster: i64::from(u.cluster),
        offset,
        k,
        rows: order - offset,
        columns,
        own: 0,
        first: false,
    }
}

/// Panels of the k reflectors of a Q of this order, in their order. `width` may narrow a panel.
fn panels(
    dtype: Dtype,
    order: i64,
    k: i64,
    limits: Limits,
    width: impl Fn(&Instance, i64) -> i64,
) -> Option<Vec<(&'static Instance, i64, i64)>> {
    let mut panels = vec![];
    let mut offset = 0;
    while offset < k {
        let u = blocking(dtype, order - offset, limits)?;
        let nb = width(u, order - offset).min(k - offset);
        panels.push((u, offset, nb));
        offset += nb;
    }
    Some(panels)
}

fn thin(dtype: Dtype, rows: i64, columns: i64) -> Option<&'static Instance> {
    THIN.iter()
        .filter(|t| t.dtype == dtype && i64::from(t.rows) >= rows)
        .min_by_key(|t| (t.rows, ceil_div(columns, i64::from(t.columns)), t.columns))
}

/// All k reflectors in one launch, with a triangular factor that is the caller's: only larft's could go panel by panel.
/// What is summed over all reflectors stays in shared memory, of a block's columns or, where that is too much, of one
/// column; `None` where not even that fits.
fn given(dtype: Dtype, order: i64, columns: i64, k: i64, limits: Limits) -> Option<Step> {
    let most = i64::from(limits.shared_per_block);
    let element = dtype.bytes() as i64;
    let shared = |u: &Instance| {
        let (nb, held) = (i64::from(u.reflectors), i64::from(u.columns));
        ceil_div(k, nb)
            .checked_mul(nb * held * element)?
            .checked_add(i64::from(u.shared))
            .filter(|bytes| *bytes <= most)
    };
    let fitting = LARFB_GIVEN.iter().filter(|u| u.dtype == dtype).filter_map(|u| Some((u, shared(u)?)));
    // One that holds all rows if there is one, and of those the tightest.
    let chosen = fitting.max_by_key(|(u, _)| {
        let (fits, rows) = (i64::from(u.rows) >= order, i64::from(u.rows));
        (fits, if fits { -rows } else { rows })
    });
    if let Some((u, shared)) = chosen {
        return Some(Step { shared: shared as u32, loops: false, ..step(u, order, 0, k, columns) });
    }
    let plain = LARFB_COLUMNS.iter().find(|p| p.dtype == dtype)?;
    let shared = k.checked_mul(element).filter(|bytes| *bytes <= most)? as u32;
    Some(Step { shared, ..alone(plain.kernel, plain.threads, (order, columns, k)) })
}

/// A step that applies all k reflectors to order x columns, a block a column.
fn alone(kernel: KernelId, threads: u32, (order, columns, k): (i64, i64, i64)) -> Step {
    Step {
        kernel,
        threads,
        shared: 0,
        per_block: 1,
        tile: 1,
        grain: 1,
        loops: false,
        cluster: 1,
        offset: 0,
        k,
        rows: order,
        columns,
        own: 0,
        first: false,
    }
}

/// Most columns for which reflectors one by one are not slower than blocks of them.
const THIN_COLUMNS: i64 = 8;

/// Applying a Q of k reflectors (1 <= k <= order) to D, order x columns. `ascending`: the first reflector acts first,
/// as in Q^H D. `given_t`: at once, since their triangular factor is the caller's.
pub fn apply(
    dtype: Dtype,
    order: i64,
    columns: i64,
    k: i64,
    ascending: bool,
    given_t: bool,
    limits: Limits,
) -> Result<Plan, Error> {
    if columns <= THIN_COLUMNS
        && !given_t
        && allowed("thin")
        && let Some(t) = thin(dtype, order, columns)
    {
        let tile = i64::from(t.columns);
        let alone = alone(t.kernel, t.threads, (order, columns, k));
        let step = Step { per_block: t.per_block, tile, grain: tile, ..alone };
        return Ok(Plan { candidate: "thin", start: None, steps: vec![step] });
    }
    let panels = if blocked_allowed() { panels(dtype, order, k, limits, |u, _| i64::from(u.reflectors)) } else { None };
    let panels = panels.ok_or_else(|| refused("ormqr", order, columns))?;
    if given_t && panels.len() > 1 {
        let steps = vec![given(dtype, order, columns, k, limits).ok_or_else(|| {
            Error::NotSupported(format!("larfb: {k} reflectors at once are more than the device's shared memory holds"))
        })?];
        return Ok(Plan { candidate: "blocked", start: None, steps });
    }
    let mut steps: Vec<Step> = panels.into_iter().map(|(u, offset, nb)| step(u, order, offset, nb, columns)).collect();
    if !ascending {
        steps.reverse();
    }
    Ok(Plan { candidate: "blocked", start: None, steps })
}

/// Order up to which what is below and right of the panels is written in registers, where that overtook block
/// reflectors on an H200.
fn finish(dtype: Dtype) -> i64 {
    match dtype {
        Dtype::S | Dtype::D => 128,
        Dtype::C => 104,
        Dtype::Z => 64,
    }
}

/// Whether a batch leaves so much of a device idle that a matrix's own time counts, not what a multiprocessor gets done.
pub fn few(batch: i64, limits: Limits) -> bool {
    const WAVES: i64 = 3; // of a matrix a multiprocessor
    !super::batch_invariant() && batch <= WAVES * i64::from(limits.multiprocessors)
}

/// Writing out the first n columns of a Q of k reflectors (k <= n <= m): in registers where they fit, else by blocks.
/// `few`: as [`few`] says of the batch.
pub fn generate(dtype: Dtype, m: i64, n: i64, k: i64, few: bool, limits: Limits) -> Result<Plan, Error> {
    let start = |offset: i64| {
        let instance = resident(dtype, m - offset, n - offset, offset > 0, few, limits)?;
        Some(Start { instance, offset })
    };
    if let Some(start) = start(0) {
        return Ok(Plan { candidate: "resident", start: Some(start), steps: vec![] });
    }
    if !blocked_allowed() {
        return Err(refused("orgqr", m, n));
    }
    // A panel's own columns are one tile if V is read once for each tile: they take V's place.
    let width = |u: &Instance, rows: i64| {
        i64::from(if rows > i64::from(u.rows) { u.columns.min(u.reflectors) } else { u.reflectors })
    };
    let mut panels = panels(dtype, m, k, limits, width).ok_or_else(|| refused("orgqr", m, n))?;
    let small = |offset: i64| offset > 0 && m - offset <= finish(dtype);
    let start = panels.iter().filter(|(_, offset, _)| small(*offset)).find_map(|(_, offset, _)| start(*offset));
    panels.retain(|(_, offset, _)| start.is_none_or(|s| *offset < s.offset));
    let mut steps: Vec<Step> = panels
        .into_iter()
        .map(|(u, offset, nb)| Step { own: nb, first: offset + nb == k, ..step(u, m, offset, nb, n - offset) })
        .collect();
    if k == 0 {
        let u = blocking(dtype, m, limits).ok_or_else(|| refused("orgqr", m, n))?;
        steps.push(Step { first: true, ..step(u, m, 0, 0, n) });
    }
    steps.reverse();
    Ok(Plan { candidate: "blocked", start, steps })
}

/// What a plan of applying or writing out was made for: both, so that they share a cache.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    dtype: Dtype,
    /// Applying: ascending in bit 0, given T in bit 1. Writing out: few in bit 0, and bit 2.
    form: u8,
    rows: i64,
    columns: i64,
    k: i64,
    limits: Limits,
}

const WRITING: u8 = 4;

/// Type, m, n, columns of Q; whether the device runs tuned kernels.
type ExplicitKey = (Dtype, i64, i64, i64, bool);

thread_local! {
    static PLANS: RefCell<Cache<Key, Rc<Plan>>> = RefCell::default();
    static EXPLICIT: RefCell<Cache<ExplicitKey, Option<&'static Instance>>> = RefCell::default();
}

fn cached(key: Key, make: impl FnOnce() -> Result<Plan, Error>) -> Result<Rc<Plan>, Error> {
    cache::of_thread(&PLANS, key, || make().map(Rc::new))
}

/// [`apply`], from this thread's cache.
pub fn cached_apply(
    dtype: Dtype,
    order: i64,
    columns: i64,
    k: i64,
    ascending: bool,
    given_t: bool,
    limits: Limits,
) -> Result<Rc<Plan>, Error> {
    let form = u8::from(ascending) | u8::from(given_t) << 1;
    let key = Key { dtype, form, rows: order, columns, k, limits };
    cached(key, || apply(dtype, order, columns, k, ascending, given_t, limits))
}

/// [`generate`], from this thread's cache.
pub fn cached_generate(dtype: Dtype, m: i64, n: i64, k: i64, batch: i64, limits: Limits) -> Result<Rc<Plan>, Error> {
    let few = few(batch, limits);
    let key = Key { dtype, form: WRITING | u8::from(few), rows: m, columns: n, k, limits };
    cached(key, || generate(dtype, m, n, k, few, limits))
}

/// [`explicit`], from this thread's cache.
pub fn cached_explicit(dtype: Dtype, m: i64, n: i64, columns: i64, limits: Limits) -> Option<&'static Instance> {
    let make = || Ok(explicit(dtype, m, n, columns, limits));
    cache::of_thread(&EXPLICIT, (dtype, m, n, columns, limits.tuned), make).unwrap_or(None)
}

/// The tightest of these instances, the first of those equally tight.
fn tightest<'a>(instances: impl Iterator<Item = &'a Instance>, dtype: Dtype, m: i64, n: i64) -> Option<&'a Instance> {
    instances
        .filter(|r| r.dtype == dtype && i64::from(r.rows) >= m && i64::from(r.columns) >= n)
        .min_by_key(|r| u64::from(r.rows) * u64::from(r.columns))
}

/// Elements of the largest tile in which one launch for Q and R overtook geqrf's and orgqr's own on an H200.
const EXPLICIT: u32 = 48 * 48;

/// The instance that factors an m x n matrix and writes `columns` columns of its Q, in registers.
pub fn explicit(dtype: Dtype, m: i64, n: i64, columns: i64, limits: Limits) -> Option<&'static Instance> {
    let small = Q.iter().filter(|r| r.rows * r.columns <= EXPLICIT);
    if limits.tuned && allowed("resident") { tightest(small, dtype, m, n.max(columns)) } else { None }
}

/// The instance that writes n columns of Q, m rows, in registers; `part`: from another row and column on than the first.
pub fn resident(dtype: Dtype, m: i64, n: i64, part: bool, few: bool, limits: Limits) -> Option<&'static Instance> {
    if !limits.tuned || !allowed("resident") {
        return None;
    }
    // Of kinds that are as tight, the first is the fastest. A matrix a warp is for many of them.
    let own = if few { Q_FEW } else { Q_STRIP };
    let whole: &[Instance] = if part { &[] } else { Q };
    tightest(own.iter().chain(Q_TEAM).chain(whole), dtype, m, n)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [i64; 17] = [1, 2, 3, 8, 15, 16, 17, 31, 32, 33, 64, 65, 129, 200, 513, 1025, 4097];
    /// Hopper, Ampere, consumer Blackwell
    const SHARED: [u32; 3] = [227, 163, 99];

    fn shapes() -> impl Iterator<Item = (Dtype, i64, i64, Limits)> {
        SHARED.iter().flat_map(|shared| {
            let limits = Limits { shared_per_block: shared * 1024, ..Limits::HOPPER };
            let sizes = SIZES.iter().flat_map(|m| SIZES.map(|n| (*m, n)));
            sizes.flat_map(move |(m, n)| Dtype::ALL.map(|dtype| (dtype, m, n, limits)))
        })
    }

    #[test]
    fn every_reflector_is_applied_once_and_in_order() {
        for (dtype, order, k, limits) in shapes().filter(|(_, order, k, _)| k <= order) {
            for (columns, ascending, given) in
                [(1, true, true), (7, false, false), (8, true, false), (100, false, true)]
            {
                let plan = apply(dtype, order, columns, k, ascending, given, limits).unwrap();
                let mut seen = if ascending { 0 } else { k };
                for s in &plan.steps {
                    assert!(s.shared <= limits.shared_per_block && s.rows == order - s.offset && s.columns == columns);
                    assert_eq!(if ascending { s.offset } else { s.offset + s.k }, seen, "{plan:?}");
                    seen = if ascending { s.offset + s.k } else { s.offset };
                    let u = LARFB.iter().find(|u| u.kernel == s.kernel);
                    assert!(u.is_none_or(|u| s.k <= i64::from(u.reflectors)), "{plan:?}");
                    assert!(u.is_some() || plan.steps.len() == 1, "{plan:?}");
                    assert!(!given || s.k == k, "a caller's T is one block: {plan:?}");
                }
                assert_eq!(seen, if ascending { k } else { 0 });
            }
        }
    }

    #[test]
    fn a_callers_t_goes_by_tiles_while_they_have_room() {
        let table = |dtype, k, shared: u32| {
            let limits = Limits { shared_per_block: shared * 1024, ..Limits::HOPPER };
            let plan = apply(dtype, 20_000, 64, k, true, true, limits).ok()?;
            let is_of = |kernel| LARFB_GIVEN.iter().any(|u| u.kernel == kernel);
            Some((is_of(plan.steps[0].kernel), plan.steps[0].shared <= limits.shared_per_block))
        };
        for dtype in Dtype::ALL {
            for shared in SHARED {
                assert_eq!(table(dtype, 128, shared), Some((true, true)), "{dtype:?} {shared}");
                assert_eq!(table(dtype, 4000, shared), Some((false, true)), "{dtype:?} {shared}");
            }
        }
        assert_eq!(table(Dtype::Z, 20_000, 227), None, "320 KB for a column");
    }

    #[test]
    fn q_is_written_out_from_its_last_panel_to_its_first() {
        for (dtype, m, n, limits) in shapes().filter(|(_, m, n, _)| n <= m) {
            for (k, few) in [(0, false), (1, true), (n / 2, false), (n, true), (n, false)] {
                let plan = generate(dtype, m, n, k, few, limits).unwrap();
                let mut left = k;
                if let Some(start) = plan.start {
                    let (r, from) = (start.instance, start.offset);
                    assert!(
                        r.dtype == dtype && i64::from(r.rows) >= m - from && i64::from(r.columns) >= n - from,
                        "{plan:?}"
                    );
                    assert!(from == 0 || from < k, "{plan:?}");
                    left = from;
                }
                for (i, s) in plan.steps.iter().enumerate() {
                    assert_eq!(s.offset + s.k, left, "{plan:?}");
                    left = s.offset;
                    let first = i == 0 && plan.start.is_none();
                    assert_eq!((s.rows, s.columns, s.own, s.first), (m - left, n - left, s.k, first));
                    let u = LARFB.iter().find(|u| u.kernel == s.kernel).unwrap();
                    let (nb, nt) = (i64::from(u.reflectors), i64::from(u.tile));
                    assert!(u.shared <= limits.shared_per_block && s.k <= nb);
                    // What is read again for each tile must not be overwritten by one of two.
                    assert!(s.rows <= i64::from(u.rows) || s.k <= i64::from(u.columns), "{plan:?}");
                    assert!(u.cluster == 1 || s.rows <= i64::from(u.rows), "clusters have no chunks: {plan:?}");
                    // Tiles are the panel's own, or none of its columns is.
                    assert!(s.first || s.k % nt == 0, "{plan:?}");
                }
                assert_eq!(left, 0);
            }
        }
    }

    #[test]
    fn small_squares_stay_in_registers() {
        const H: Limits = Limits::HOPPER;
        for dtype in Dtype::ALL {
            for n in 1..=32 {
                assert!(
                    resident(dtype, n, n, false, false, H).is_some() && explicit(dtype, n, n, n, H).is_some(),
                    "{dtype:?} {n}"
                );
            }
        }
    }

    #[test]
    fn a_device_without_tuned_code_writes_q_by_blocks() {
        let limits = Limits { tuned: false, ..Limits::HOPPER };
        for dtype in Dtype::ALL {
            for n in [1, 8, 64, 128, 512] {
                let plan = generate(dtype, n, n, n, false, limits).unwrap();
                assert!(plan.start.is_none() && !plan.steps.is_empty());
                assert!(plan.steps.iter().all(|s| s.cluster == 1), "clusters need the device's own code");
                assert!(explicit(dtype, n, n, n, limits).is_none());
            }
        }
    }

    /// Matrices that fill the device go a warp each where that is faster; few of them are shared by warps.
    #[test]
    fn few_matrices_are_shared_by_warps() {
        for (dtype, n) in [(Dtype::S, 100), (Dtype::S, 128), (Dtype::D, 64), (Dtype::D, 100)] {
            let warps = |few| resident(dtype, n, n, false, few, Limits::HOPPER).unwrap().warps;
            assert!(warps(false) == 1 && warps(true) > 1, "{dtype:?} {n}");
        }
        assert!(few(100, Limits::HOPPER) && !few(1000, Limits::HOPPER));
    }
}
