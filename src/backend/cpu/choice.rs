//! The plan of a shape on the CPU: which algorithm, on which instruction set, by how many threads.

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
    /// One matrix in each lane of a vector; those out of safe range unblocked.
    Interleaved,
    /// Column by column.
    Unblocked,
    /// Panels of `nb` columns and a block reflector for the rest.
    Blocked {
        /// Columns in a panel.
        nb: usize,
        /// Columns that are factored one by one before they are applied to the rest of their panel.
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
    /// The instructions used.
    pub level: Level,
    /// Who does how much of the batch.
    pub share: Share,
}

/// How a batch is shared out.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// Threads that share the batch.
    pub threads: usize,
    /// Threads that share one matrix, where the batch has too few of them.
    pub inside: usize,
    /// Matrices a thread takes at a time.
    pub grain: usize,
}

/// Floating-point operations of one factorisation, by LAPACK's count.
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

/// Elements of a pack.
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

/// The candidates in order of preference, and whether each can take the shape; the first that is able and allowed is
/// taken.
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
    // Few columns gain next to nothing, and there is some accuracy to lose: a block reflector's error is relative to the
    // columns it starts from, not to what the reflectors before have left of them (nearly parallel columns show it).
    let blocked = (Algorithm::Blocked { nb, inner: 8 }, k > 16);
    let unblocked = (Algorithm::Unblocked, true);
    let [first, second] = if elements.saturating_mul(p.dtype.bytes() as i64) > UNBLOCKED_BEST {
        [blocked, unblocked] // where it is able
    } else {
        [unblocked, blocked]
    };
    if elements <= INTERLEAVED_BEST * lanes && (p.batch > lanes / 2 || plan::batch_invariant()) {
        [interleaved, first, second]
    } else {
        [first, second, interleaved]
    }
}

/// Everything that is decided before a routine is carried out [`OverBatch`].
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// The instructions used.
    pub level: Level,
    /// Who does how much of the batch.
    pub share: Share,
    /// One member in each lane of a vector, as far as its numbers are in safe range.
    pub interleaved: bool,
}

/// Elements of a matrix up to which interleaving wins, per lane (the more lanes, the less a short column fills one).
pub const INTERLEAVED_BEST: i64 = 144;
/// Bytes of a matrix up to which sweeping over it for every column beats the block reflector's overhead: it stays in
/// the first-level cache.
const UNBLOCKED_BEST: i64 = 40 << 10;
/// Elements up to which a group of interleaved matrices may be made at all.
pub const INTERLEAVED_LIMIT: i64 = 1 << 16;

/// The instruction set in use.
pub fn level() -> Level {
    /// Its place among all levels, from 1.
    static LEVEL: OnceNonZeroUsize = OnceNonZeroUsize::new();
    let place = LEVEL.get_or_init(|| NonZeroUsize::MIN.saturating_add(Level::chosen() as usize));
    Level::ALL[place.get() - 1]
}

/// Threads and grain for `batch` members of `each` floating-point operations, taken in multiples of `multiple`.
pub fn share(each: f64, batch: i64, multiple: usize) -> Share {
    // Waking a helper costs about as much as this many operations, and a range should cost much more than an atomic.
    const HELPER: f64 = 2e5;
    const RANGE: f64 = 1e5;
    let each = each.max(1.0);
    // Conversions from numbers that are too large saturate.
    let worthwhile = ((each * batch as f64 / HELPER) as usize).saturating_add(1);
    let threads = threads::count().min(worthwhile).min(batch.max(1) as usize);
    let fair = (batch as usize / (threads * 4)).max(1);
    let grain = ((RANGE / each) as usize + 1).max(fair.min(1024)).min(batch as usize / threads + 1);
    Share { threads, inside: 1, grain: grain.next_multiple_of(multiple) }
}

/// [`share`], or all threads on one matrix at a time where the batch has too few large ones.
pub fn share_large(each: f64, batch: i64, multiple: usize) -> Share {
    // A matrix worth sharing; less than all of it is shared, so that members should leave threads idle.
    const LARGE: f64 = 2e7;
    let members = batch.max(1) as usize;
    if each > LARGE && members.saturating_mul(3) < threads::count() * 2 {
        return Share { threads: 1, inside: threads::count(), grain: members };
    }
    share(each, batch, multiple)
}

/// The plan of a shape: the first candidate that is allowed.
pub fn choose(p: &Geqrf) -> Result<Choice, Error> {
    first(p, plan::allowed).ok_or_else(|| {
        let names = candidates(p, level()).map(|(a, _)| a.name()).join(", ");
        Error::NotSupported(format!("no allowed plan candidate can take this shape; the CPU has: {names}"))
    })
}

/// The plan of one of several shapes in a call that is under way: one that is not allowed before none.
pub fn choose_among_others(p: &Geqrf) -> Result<Choice, Error> {
    first(p, plan::allowed).or_else(|| first(p, |_| true)).map_or_else(|| choose(p), Ok)
}

fn first(p: &Geqrf, allowed: impl Fn(&str) -> bool) -> Option<Choice> {
    let (algorithm, _) = candidates(p, level()).into_iter().find(|(a, able)| *able && allowed(a.name()))?;
    let multiple = if algorithm == Algorithm::Interleaved { lanes(p.dtype, level()) } else { 1 };
    let share = share_large(flops(p.dtype, p.m, p.n), p.batch, multiple);
    Some(Choice { algorithm, level: level(), share })
}

/// The candidates that are able to take the shape, a line each.
pub fn list(p: &Geqrf) -> Result<String, Error> {
    let able = candidates(p, level()).into_iter().filter(|(_, able)| *able);
    Ok(able.map(|(a, _)| format!("{}\n", a.name())).collect())
}

/// The plan in words.
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
    let Share { threads, inside, grain } = choice.share;
    text += &match inside {
        1 => format!("threads: {threads}, {grain} matrices at a time"),
        _ => format!("threads: {inside}, one matrix at a time"),
    };
    Ok(text)
}
