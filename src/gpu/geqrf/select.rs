//! Chooses the candidate that factors a shape: by the device's table of measured times
//! ([`crate::gpu::geqrf::measured`]) if it covers the shape, or else by a model that is the same for all devices.

use crate::error::Error;
use crate::gpu::arch::NarrowFirst;
use crate::gpu::geqrf;
use crate::gpu::geqrf::measured::table;
use crate::gpu::plan::measured::Origin;
use crate::gpu::plan::table::{Instance, RESIDENT, UPDATE_ROWS};
use crate::gpu::plan::{Launch, Limits, Plan, allowed, pins};
use crate::gpu::tall::clusters::cluster;
use crate::gpu::tall::{Task, tree as tall_panel};
use crate::routine::{Dtype, Geqrf, Math};
use std::fmt;

/// A candidate with its parameters. Its text form is what [`crate::gpu::plan::set_allowed`] accepts to pin it.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// The matrix in registers, one launch of this instance.
    Resident(&'static Instance),
    /// Panels, each followed by one fused update of the columns to its right, as in LAPACK's geqrf.
    Blocked(Blocking),
    /// A tree of blocks of rows, see [`tall_panel`].
    Tree,
    /// One launch that works in global memory and accepts every shape.
    Generic,
}

/// Parameters of [`Choice::Blocked`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocking {
    /// The most columns of a panel.
    pub nb: i64,
    /// Order up to which the remaining matrix is factored by one resident launch.
    pub finish: i64,
}

impl Blocking {
    /// The widest panels, and the order at which one resident launch becomes faster than panels and updates.
    pub fn usual(dtype: Dtype, limits: Limits) -> Blocking {
        Blocking { nb: 32, finish: limits.measured().geqrf.finish[dtype] }
    }

    fn parse(text: &str) -> Option<Blocking> {
        let (nb, finish) = text.split_once('/')?;
        let (nb, finish): (i64, i64) = (nb.parse().ok()?, finish.parse().ok()?);
        (nb >= 1 && finish >= 0).then_some(Blocking { nb, finish })
    }
}

impl fmt::Display for Blocking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.nb, self.finish)
    }
}

impl PartialEq for Choice {
    fn eq(&self, other: &Choice) -> bool {
        match (self, other) {
            (Choice::Resident(a), Choice::Resident(b)) => a.kernel == b.kernel,
            (Choice::Blocked(a), Choice::Blocked(b)) => a == b,
            (Choice::Tree, Choice::Tree) | (Choice::Generic, Choice::Generic) => true,
            _ => false,
        }
    }
}
impl Eq for Choice {}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Resident(r) => write!(f, "resident={}", r.name()),
            Choice::Blocked(b) => write!(f, "blocked={b}"),
            Choice::Tree | Choice::Generic => f.write_str(self.candidate()),
        }
    }
}

impl Choice {
    /// Parses the full name of a choice. `None` for an unknown instance, too.
    pub fn parse(text: &str) -> Option<Choice> {
        match text.split_once('=') {
            Some(("resident", instance)) => RESIDENT.iter().find(|r| r.name() == instance).map(Choice::Resident),
            Some(("blocked", blocking)) => Blocking::parse(blocking).map(Choice::Blocked),
            None if text == tall_panel::NAME => Some(Choice::Tree),
            None if text == "generic" => Some(Choice::Generic),
            _ => None,
        }
    }

    /// The candidate's name.
    pub fn candidate(self) -> &'static str {
        match self {
            Choice::Resident(_) => "resident",
            Choice::Blocked(_) => "blocked",
            Choice::Tree => tall_panel::NAME,
            Choice::Generic => "generic",
        }
    }

    /// Whether the choice accepts the shape of an m x n matrix.
    pub fn takes(self, m: i64, n: i64) -> bool {
        match self {
            Choice::Resident(r) => r.takes(m, n),
            Choice::Blocked(_) | Choice::Tree | Choice::Generic => true,
        }
    }

    /// Whether the list of allowed plans permits it.
    fn permitted(self) -> bool {
        let pinned = || match self {
            Choice::Resident(r) => r.permitted(),
            Choice::Blocked(b) => {
                let pins = pins("blocked");
                pins.is_empty() || pins.iter().any(|pin| Blocking::parse(pin) == Some(b))
            }
            Choice::Tree | Choice::Generic => true,
        };
        allowed(self.candidate()) && pinned()
    }

    /// The launches for an m x n matrix, or `None` if the choice declines it.
    pub fn steps(self, dtype: Dtype, m: i64, n: i64, limits: Limits) -> Option<Vec<(Launch, Task)>> {
        match self {
            Choice::Resident(r) => (r.dtype == dtype && r.takes(m, n) && r.runs(limits))
                .then(|| vec![(Launch::on(r, m, n, 0), Task::Whole)]),
            Choice::Blocked(blocking) => geqrf::blocked(dtype, m, n, limits, blocking),
            Choice::Tree => tall_panel::launch(dtype, m, n, 0, limits).map(|tree| vec![(tree, Task::Tree)]),
            Choice::Generic => geqrf::generic(dtype, m, n),
        }
    }
}

/// The plan of an m x n factorisation (both >= 1).
pub fn plan(dtype: Dtype, m: i64, n: i64, limits: Limits) -> Result<Plan<Geqrf>, Error> {
    let takes = |choice: Choice| choice.takes(m, n) && choice.permitted();
    // For shapes that a tree accepts, the table's times predate the tree, so the model precedes the table.
    let tree = Choice::Tree.steps(dtype, m, n, limits).filter(|_| tall_panel::pays(dtype, m, n, limits));
    let tree = tree.map(|_| (Choice::Tree, Origin::Model));
    let cluster = cluster(dtype, m, n, limits).map(|r| (Choice::Resident(r), Origin::Model));
    let measured = table(limits.arch).and_then(|t| t.best(dtype, (m, n, 0), limits.class, takes));
    let narrow = measured.and_then(|(_, origin)| narrow_first(dtype, m, n, limits, origin));
    let wide = wide(dtype, m, n, limits);
    let choices = wide
        .into_iter()
        .chain(ahead_in_tf32(dtype, m, n, limits))
        .chain(cluster)
        .chain(tree)
        .chain(narrow)
        .chain(measured)
        .chain(model(dtype, m, n, limits).into_iter().map(|choice| (choice, Origin::Model)))
        .filter(|(choice, _)| choice.permitted());
    for (choice, origin) in choices {
        if let Some(steps) = choice.steps(dtype, m, n, limits) {
            let parameters = if let Choice::Blocked(b) = choice { format!("={b}") } else { String::new() };
            let has = |math| steps.iter().any(|(l, _): &(Launch, Task)| l.math() == math);
            let math = match () {
                () if has(Math::Fp16) => ", updates in FP16",
                () if has(Math::Tf32) => ", updates in TF32",
                () if has(Math::Fp32Tensor) => ", updates in FP32 on tensor cores",
                () => "",
            };
            let detail = (parameters + math, format!("; chosen {origin}"));
            return Ok(Plan { detail, ..Plan::with_tasks(choice.candidate(), steps) });
        }
    }
    Err(Error::NotSupported(format!("no allowed plan takes {m} x {n}")))
}

/// A first panel of a few columns, after which the remaining order fits in registers, if the table says that this is
/// faster than treating the whole as the next larger order.
fn narrow_first(dtype: Dtype, m: i64, n: i64, limits: Limits, whole: Origin) -> Option<(Choice, Origin)> {
    let NarrowFirst { columns: least, launches, traffic, worth } = limits.measured().geqrf.narrow_first;
    let Origin::Measured { us: whole, batch, .. } = whole else { return None };
    let resident = |choice: Choice| matches!(choice, Choice::Resident(_)) && choice.permitted();
    let with_first = |k: i64| {
        geqrf::narrow_panel_update(dtype, (m, n), k, limits)?;
        let (rows, columns) = (m - k, n - k);
        let (_, left) = table(limits.arch)?.best(dtype, (rows, columns, 0), limits.class, resident)?;
        let Origin::Measured { us, .. } = left else { return None };
        let bytes = (2 * m * columns * batch * dtype.bytes() as i64) as f64;
        let time = f64::from(us) + launches + bytes / traffic;
        (time < worth * f64::from(whole)).then_some(Blocking { nb: k, finish: rows.max(columns) })
    };
    let most = (n - 1).min(m - 1).min(8);
    // The fewest columns with which the remaining matrix fills its tile.
    let first = (1..=most).filter(|_| n > least).find_map(with_first);
    first.map(|blocking| (Choice::Blocked(blocking), Origin::Model))
}

/// A matrix with few rows, where most columns only take part in the update. Kernels that hold the whole matrix would
/// spend a block's lanes on them.
fn wide(dtype: Dtype, m: i64, n: i64, limits: Limits) -> Option<(Choice, Origin)> {
    let usual = Blocking::usual(dtype, limits);
    let update = geqrf::narrow_panel_update(dtype, (m, n), m, limits).filter(|u| u.is_of(UPDATE_ROWS));
    let pays = n > usual.nb && n >= limits.measured().geqrf.wide * m;
    update.filter(|_| pays).map(|_| (Choice::Blocked(usual), Origin::Model))
}

/// The choice that precedes the table's where TF32 is allowed. The table's times are for FP32; with TF32, updates
/// are cheaper relative to a last block in registers, unless the batch is so small that the number of launches
/// decides.
fn ahead_in_tf32(dtype: Dtype, m: i64, n: i64, limits: Limits) -> Option<(Choice, Origin)> {
    let usual = Blocking::usual(dtype, limits);
    let many = limits.class.batch() >= limits.measured().geqrf.tf32_batch;
    let pays = limits.math.allows_tf32() && many && m.min(n) > usual.finish;
    pays.then_some((Choice::Blocked(usual), Origin::Model))
}

/// The choices in the model's order: the least padded instance, then the usual blocking (for large matrices the
/// reverse), then candidates that accept every shape.
fn model(dtype: Dtype, m: i64, n: i64, limits: Limits) -> Vec<Choice> {
    let usual = Blocking::usual(dtype, limits);
    let mut blocked: Vec<Choice> =
        pins("blocked").iter().filter_map(|p| Blocking::parse(p)).map(Choice::Blocked).collect();
    if blocked.is_empty() {
        blocked.push(Choice::Blocked(usual));
    }
    let resident = tightest(dtype, m, n, limits).map(Choice::Resident);
    // The largest register tiles are slower than panels and updates.
    let mut choices: Vec<Choice> = match m.min(n) > usual.finish {
        true => blocked.into_iter().chain(resident).collect(),
        false => resident.into_iter().chain(blocked).collect(),
    };
    choices.extend([Choice::Tree, Choice::Generic]);
    choices
}

/// The instance with the least padding: register tiles are padded to their full size.
fn tightest(dtype: Dtype, m: i64, n: i64, limits: Limits) -> Option<&'static Instance> {
    // `cluster` decides whether a cluster is faster than a block.
    let of_block = tightest_of(|r| r.cluster == 1, dtype, m, n, limits);
    of_block.or_else(|| tightest_of(|_| true, dtype, m, n, limits))
}

/// The same among the instances that `some` accepts.
fn tightest_of(
    some: impl Fn(&Instance) -> bool,
    dtype: Dtype,
    m: i64,
    n: i64,
    limits: Limits,
) -> Option<&'static Instance> {
    RESIDENT
        .iter()
        .filter(|r| some(r))
        .filter(|r| r.dtype == dtype && r.takes(m, n) && r.permitted() && r.runs(limits))
        .min_by_key(|r| u64::from(r.rows) * u64::from(r.columns))
}

/// The instance for an m x n part of a larger matrix: the fastest one measured, or else the one with the least
/// padding.
pub fn resident(dtype: Dtype, m: i64, n: i64, limits: Limits) -> Option<&'static Instance> {
    let fits = |choice| matches!(choice, Choice::Resident(r) if r.takes(m, n) && r.permitted() && r.runs(limits));
    if let Some(r) = cluster(dtype, m, n, limits) {
        return Some(r);
    }
    match table(limits.arch).and_then(|t| t.best(dtype, (m, n, 0), limits.class, fits)) {
        Some((Choice::Resident(r), _)) => Some(r),
        _ => tightest(dtype, m, n, limits),
    }
}

/// The candidates for the tuner to pin for an m x n matrix: the model's choice, then each instance and each blocking
/// whose launches differ. `generic` is only included for few columns when no instance is large enough.
pub fn candidates(dtype: Dtype, m: i64, n: i64, limits: Limits) -> Vec<Choice> {
    let mut all: Vec<Choice> = model(dtype, m, n, limits).into_iter().take(1).collect();
    let mut instances: Vec<&Instance> = RESIDENT.iter().filter(|r| r.dtype == dtype && r.takes(m, n)).collect();
    instances.sort_by_key(|r| r.rows * r.columns);
    let none_fits = instances.is_empty();
    all.extend(instances.into_iter().map(Choice::Resident));
    all.push(Choice::Tree);
    let k = m.min(n);
    if k > 16 || none_fits {
        for nb in [64, 32, 16].into_iter().filter(|nb| *nb < 2 * k) {
            for finish in [256, 192, 160, 128, 96, 64, 32].into_iter().filter(|f| *f < m.max(n)) {
                all.push(Choice::Blocked(Blocking { nb, finish }));
            }
        }
    }
    if none_fits && k <= 16 {
        all.push(Choice::Generic);
    }
    let mut seen: Vec<Vec<(Launch, Task)>> = vec![];
    all.retain(|choice| match choice.steps(dtype, m, n, limits) {
        Some(steps) if !seen.contains(&steps) => {
            seen.push(steps);
            true
        }
        _ => false,
    });
    all
}

/// One line for each of [`candidates`]: its text, and for an instance its rows and columns.
pub fn list(dtype: Dtype, m: i64, n: i64, limits: Limits) -> String {
    let line = |choice: Choice| match choice {
        Choice::Resident(r) => format!("{choice} {} {}\n", r.rows, r.columns),
        _ => format!("{choice}\n"),
    };
    candidates(dtype, m, n, limits).into_iter().map(line).collect()
}
