//! The plan for a shape on the CPU: which algorithm, which instruction set and how many threads.

#[cfg(target_arch = "x86_64")]
use super::simd::{Avx2, Avx512};
use super::simd::{Baseline, Isa, Lanes, Level};
use super::threads;
use crate::error::Error;
use crate::plan;
use crate::routine::{Dtype, Geqrf};
use once_cell::race::OnceNonZeroUsize;
use std::num::NonZeroUsize;

/// How one matrix is factored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// One matrix in each lane of a vector; matrices with numbers outside the safe range are done unblocked.
    Interleaved,
    /// Column by column.
    Unblocked,
    /// Panels of `nb` columns, and a block reflector applied to the rest.
    Blocked {
        /// Columns in a panel.
        nb: usize,
        /// Columns that are factored one by one before a block reflector applies them to the rest of their panel.
        inner: usize,
    },
}

impl Algorithm {
    /// Its name as a plan candidate.
    pub const fn name(self) -> &'static str {
        match self {
            Algorithm::Interleaved => "interleaved",
            Algorithm::Unblocked => "unblocked",
            Algorithm::Blocked { .. } => "blocked",
        }
    }
}

/// Everything that is decided before a batch is factored.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// How one matrix is factored.
    pub algorithm: Algorithm,
    /// The instruction set.
    pub level: Level,
    /// How the batch is distributed over the threads.
    pub distribution: Distribution,
}

/// How a batch is distributed over the threads.
#[derive(Clone, Copy, Debug)]
pub struct Distribution {
    /// Threads that share the batch.
    pub threads: usize,
    /// Threads that share one matrix, if the batch has too few of them.
    pub threads_per_member: usize,
    /// Matrices that a thread takes at a time.
    pub grain: usize,
}

/// Floating-point operations of one factorisation, as LAPACK counts them.
pub fn flops(dtype: Dtype, m: i64, n: i64) -> f64 {
    let (m, n) = (m as f64, n as f64);
    let (mults, adds) = if m >= n {
        let common = m * n * n - n * n * n / 3.0;
        (common + m * n + n * n / 2.0 + n * 23.0 / 6.0, common + n * n / 2.0 + n * 5.0 / 6.0)
    } else {
        let common = n * m * m - m * m * m / 3.0;
        (common + 2.0 * n * m - m * m / 2.0 + m * 23.0 / 6.0, common + n * m - m * m / 2.0 + m * 5.0 / 6.0)
    };
    if dtype.is_complex() { 6.0 * mults + 2.0 * adds } else { mults + adds }
}

/// Number of elements in a pack.
pub fn lanes(dtype: Dtype, level: Level) -> usize {
    const fn of<I: Isa>(single: bool) -> usize {
        if single { I::F32::L } else { I::F64::L }
    }
    let single = matches!(dtype, Dtype::S | Dtype::C);
    match level {
        Level::Baseline => of::<Baseline>(single),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => of::<Avx2>(single),
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => of::<Avx512>(single),
    }
}

/// Whether vectors of so many lanes are the fastest for a large enough batch.
pub fn interleaving_gains(p: &Geqrf, lanes: i64) -> bool {
    p.m.saturating_mul(p.n) <= INTERLEAVED_BEST * lanes
}

/// The candidates in order of preference, each with whether it supports the shape. The first one that is supported and
/// allowed is taken.
fn candidates(p: &Geqrf, level: Level) -> [(Algorithm, bool); 3] {
    let k = p.m.min(p.n);
    let lanes = lanes(p.dtype, level) as i64;
    let elements = p.m.saturating_mul(p.n);
    let interleaved = (Algorithm::Interleaved, lanes > 1 && elements <= INTERLEAVED_LIMIT);
    let nb = match p.m {
        ..=128 => 8,
        129..=512 => 16,
        _ => 32,
    };
    // With few columns there is next to nothing to gain and some accuracy to lose: the error of a block reflector is
    // relative to the columns it starts from, not to what the previous reflectors have left of them, which matters for
    // nearly parallel columns.
    let blocked = (Algorithm::Blocked { nb, inner: 8 }, k > 16);
    let unblocked = (Algorithm::Unblocked, true);
    let [first, second] = if elements.saturating_mul(p.dtype.bytes() as i64) > UNBLOCKED_BEST {
        [blocked, unblocked] // if supported
    } else {
        [unblocked, blocked]
    };
    if interleaving_gains(p, lanes) && (p.batch > lanes / 2 || plan::batch_invariant()) {
        [interleaved, first, second]
    } else {
        [first, second, interleaved]
    }
}

/// Everything that is decided before an [`OverBatch`] routine is executed.
#[derive(Clone, Copy, Debug)]
pub struct Execution {
    /// The instruction set.
    pub level: Level,
    /// How the batch is distributed over the threads.
    pub distribution: Distribution,
    /// Whether members are interleaved, one per lane of a vector. Members with numbers outside the safe range are not.
    pub interleaved: bool,
}

/// Elements of a matrix, per lane, up to which interleaving wins: the more lanes, the less of one a short column fills.
pub const INTERLEAVED_BEST: i64 = 144;
/// Bytes of a matrix up to which sweeping over it for every column is faster than block reflectors, because it stays in
/// the first-level cache.
const UNBLOCKED_BEST: i64 = 40 << 10;
/// Elements of a matrix up to which interleaving is supported at all.
pub const INTERLEAVED_LIMIT: i64 = 1 << 16;

/// The instruction set in use.
pub fn level() -> Level {
    /// Index into [`Level::ALL`], plus 1.
    static LEVEL: OnceNonZeroUsize = OnceNonZeroUsize::new();
    let index = LEVEL.get_or_init(|| NonZeroUsize::MIN.saturating_add(Level::in_use() as usize));
    Level::ALL[index.get() - 1]
}

/// Distributes `batch` members of `each` floating-point operations; threads take multiples of `multiple` members.
pub fn distribute(each: f64, batch: i64, multiple: usize) -> Distribution {
    // Waking a helper costs about as much as HELPER operations. A range should take much longer than the atomic that
    // claims it.
    const HELPER: f64 = 2e5;
    const RANGE: f64 = 1e5;
    let each = each.max(1.0);
    // Float-to-integer conversions saturate.
    let worthwhile = ((each * batch as f64 / HELPER) as usize).saturating_add(1);
    let threads = threads::count().min(worthwhile).min(batch.max(1) as usize);
    let fair = (batch as usize / (threads * 4)).max(1);
    let grain = ((RANGE / each) as usize + 1).max(fair.min(1024)).min(batch as usize / threads + 1);
    Distribution { threads, threads_per_member: 1, grain: grain.next_multiple_of(multiple) }
}

/// [`distribute`], unless the batch has so few large members that all threads should work on one matrix at a time.
pub fn distribute_large(each: f64, batch: i64, multiple: usize) -> Distribution {
    // Operations that make a matrix worth sharing. Only part of its work runs in parallel, so members are shared only
    // if one thread each would leave many threads idle.
    const LARGE: f64 = 2e7;
    let members = batch.max(1) as usize;
    if each > LARGE && members.saturating_mul(3) < threads::count() * 2 {
        return Distribution { threads: 1, threads_per_member: threads::count(), grain: members };
    }
    distribute(each, batch, multiple)
}

/// The plan for a shape: the first candidate that is allowed.
pub fn choose(p: &Geqrf) -> Result<Choice, Error> {
    first(p, plan::allowed).ok_or_else(|| {
        let names = candidates(p, level()).map(|(a, _)| a.name()).join(", ");
        Error::NotSupported(format!("no allowed plan candidate can handle this shape; the CPU backend has: {names}"))
    })
}

/// The plan for one of several shapes in a call that is already under way, which takes a candidate that is not allowed
/// rather than fail.
pub fn choose_among_others(p: &Geqrf) -> Result<Choice, Error> {
    first(p, plan::allowed).or_else(|| first(p, |_| true)).map_or_else(|| choose(p), Ok)
}

fn first(p: &Geqrf, allowed: impl Fn(&str) -> bool) -> Option<Choice> {
    let (algorithm, _) = candidates(p, level()).into_iter().find(|(a, able)| *able && allowed(a.name()))?;
    let multiple = if algorithm == Algorithm::Interleaved { lanes(p.dtype, level()) } else { 1 };
    let distribution = distribute_large(flops(p.dtype, p.m, p.n), p.batch, multiple);
    Some(Choice { algorithm, level: level(), distribution })
}

/// The candidates that support the shape, one per line.
pub fn list(p: &Geqrf) -> Result<String, Error> {
    let able = candidates(p, level()).into_iter().filter(|(_, able)| *able);
    Ok(able.map(|(a, _)| format!("{}\n", a.name())).collect())
}

/// Describes the plan in words.
pub fn explain(p: &Geqrf) -> Result<String, Error> {
    let choice = choose(p)?;
    let mut text = format!("backend: cpu ({}, {} lanes)\n", choice.level.name(), lanes(p.dtype, choice.level));
    for (a, able) in candidates(p, choice.level) {
        let verdict = match () {
            _ if a == choice.algorithm => "taken",
            _ if !plan::allowed(a.name()) => "not allowed",
            _ if !able => "declines",
            _ => "not needed",
        };
        let size = if let Algorithm::Blocked { nb, inner } = a { format!(" nb={nb}/{inner}") } else { String::new() };
        text += &format!("candidate {}{size}: {verdict}\n", a.name());
    }
    let Distribution { threads, threads_per_member, grain } = choice.distribution;
    text += &match threads_per_member {
        1 => format!("threads: {threads}, {grain} matrices at a time"),
        _ => format!("threads: {threads_per_member}, one matrix at a time"),
    };
    Ok(text)
}
