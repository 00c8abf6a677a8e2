//! Plans: pure host code that turns a shape and a device's limits into ordered kernel launches.
//!
//! An operation has candidates in order of preference; a candidate may decline a shape, the last one never does.
//! [`set_allowed`] (`TEPHRA_PLAN`, `tephra_set_plan`) narrows the candidates, so that tests reach every path on
//! small shapes.

#[cfg(feature = "cuda")]
pub mod geqrf;
#[cfg(feature = "cuda")]
pub mod table;

use once_cell::sync::Lazy;
use parking_lot::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};

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

/// Whether a kernel instance may be used: a name of the form `resident=INSTANCE` in the list pins one (for tuning).
pub fn instance_allowed(name: &str) -> bool {
    match ALLOWED.read().as_ref() {
        Some(names) => {
            let mut pins = names.iter().filter_map(|n| n.strip_prefix("resident=")).peekable();
            pins.peek().is_none() || pins.any(|pin| name.ends_with(pin))
        }
        None => true,
    }
}
