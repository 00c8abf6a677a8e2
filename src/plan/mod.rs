//! Plans: pure host code that turns a shape and a device's limits into ordered kernel launches.
//!
//! An operation has candidates; a candidate may decline a shape, the last one never does. [`select`] chooses among them, by
//! a table of measured times where there is one for the device. [`set_allowed`] (`TEPHRA_PLAN`, `tephra_set_plan`)
//! narrows the candidates, so that tests reach every path on small shapes and the tuner can time each.

#[cfg(feature = "cuda")]
pub mod cache;
#[cfg(feature = "cuda")]
pub mod gels;
#[cfg(feature = "cuda")]
pub mod geqrf;
#[cfg(feature = "cuda")]
pub mod measured;
#[cfg(feature = "cuda")]
pub mod ormqr;
#[cfg(feature = "cuda")]
pub mod select;
#[cfg(feature = "cuda")]
pub mod table;
#[cfg(feature = "cuda")]
pub mod trsm;

use once_cell::sync::Lazy;
use parking_lot::RwLock;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// Names of the candidates that may be used; `None`: all.
static ALLOWED: Lazy<RwLock<Option<Vec<String>>>> =
    Lazy::new(|| RwLock::new(std::env::var("TEPHRA_PLAN").ok().and_then(|s| parse(&s))));

/// Counts changes of the list, so that caches of plans can tell that they are stale without a lock.
static GENERATION: AtomicU64 = AtomicU64::new(0);

fn parse(list: &str) -> Option<Vec<String>> {
    let names: Vec<String> = list.split(',').map(str::trim).filter(|s| !s.is_empty()).map(str::to_owned).collect();
    if names.is_empty() { None } else { Some(names) }
}

/// Whether the candidate may be used.
pub fn allowed(candidate: &str) -> bool {
    ALLOWED.read().as_ref().is_none_or(|names| {
        names.iter().any(|n| n.strip_prefix(candidate).is_some_and(|r| r.is_empty() || r.starts_with('=')))
    })
}

/// Restricts plans to a comma-separated list of candidates; `None` or an empty list lifts the restriction.
pub fn set_allowed(list: Option<&str>) {
    *ALLOWED.write() = list.and_then(parse);
    GENERATION.fetch_add(1, Ordering::Release);
}

/// Changes whenever [`set_allowed`] is called.
pub fn generation() -> u64 {
    GENERATION.load(Ordering::Acquire)
}

/// What the list pins of a candidate: the texts after `candidate=`. Empty: nothing, all its forms may be used.
pub fn pins(candidate: &str) -> Vec<String> {
    let allowed = ALLOWED.read();
    let names = allowed.iter().flatten();
    names.filter_map(|n| n.strip_prefix(candidate)?.strip_prefix('=')).map(str::to_owned).collect()
}

/// Not read from the environment yet.
const UNREAD: u8 = 2;
static BATCH_INVARIANT: AtomicU8 = AtomicU8::new(UNREAD);

/// Whether plans leave the batch count out of account (`TEPHRA_BATCH_INVARIANT`, `tephra_set_batch_invariant`), so that
/// a matrix's result is the same bit by bit in every batch.
#[inline]
pub fn batch_invariant() -> bool {
    match BATCH_INVARIANT.load(Ordering::Relaxed) {
        UNREAD => read_batch_invariant(),
        on => on != 0,
    }
}

#[cold]
fn read_batch_invariant() -> bool {
    let on = std::env::var("TEPHRA_BATCH_INVARIANT").is_ok_and(|v| !v.is_empty() && v != "0");
    // A setting made meanwhile stays.
    let _ = BATCH_INVARIANT.compare_exchange(UNREAD, on.into(), Ordering::Relaxed, Ordering::Relaxed);
    BATCH_INVARIANT.load(Ordering::Relaxed) != 0
}

/// Sets [`batch_invariant`] for the calls from now on, in the whole process.
pub fn set_batch_invariant(on: bool) {
    BATCH_INVARIANT.store(on.into(), Ordering::Relaxed);
}
