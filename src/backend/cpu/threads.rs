//! Host threads: the calling thread and its helpers take ranges of the batch until none is left.

use super::crew::Crew;
use super::modes::Modes;
use crate::host::{environment, fork};
use std::cell::Cell;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// The helpers in use. Created on first use, and again in a forked child, which has none of its parent's threads. A
/// pool with threads is never freed, so a call needs no lock that another thread could hold during a fork.
static HELPERS: AtomicPtr<Crew> = AtomicPtr::new(ptr::null_mut());

/// Number of threads a call may use, see [`environment::threads`].
pub fn count() -> usize {
    environment::threads()
}

/// Returns the helpers, creating them if necessary. `None` if there are none or this thread must work alone.
fn helpers() -> Option<&'static Crew> {
    if ALONE.try_with(Cell::get).unwrap_or(false) {
        return None;
    }
    let generation = fork::generation();
    let mut current = HELPERS.load(Ordering::Acquire);
    loop {
        // SAFETY: a pool in `HELPERS` is never freed.
        match unsafe { current.as_ref() } {
            Some(crew) if crew.generation == generation => return (!crew.is_empty()).then_some(crew),
            _ => {}
        }
        // After a fork, the pool of the parent process is leaked.
        let made = Crew::new(generation)?;
        match HELPERS.compare_exchange(current, made, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => {
                // SAFETY: it is in `HELPERS` now, so it is never freed.
                unsafe { &*made }.start(count() - 1);
                current = made;
            }
            Err(theirs) => {
                // SAFETY: it has no threads, and nobody else knows its address.
                unsafe { Crew::free(made) };
                current = theirs;
            }
        }
    }
}

/// Calls `work` on disjoint ranges of at most `grain` indices that cover 0..total, on up to `threads` threads at once.
/// The calling thread is one of them, and all of them run with its floating-point modes. Returns when all ranges are
/// done.
pub fn for_ranges(total: usize, grain: usize, threads: usize, work: impl Fn(Range<usize>) + Sync) {
    let grain = grain.max(1);
    let next = AtomicUsize::new(0);
    let take = || {
        loop {
            let start = next.fetch_add(grain, Ordering::Relaxed);
            if start >= total {
                break;
            }
            work(start..total.min(start + grain));
        }
    };
    let wanted = threads.min(count()).min(total.div_ceil(grain)).saturating_sub(1);
    match (wanted > 0).then(helpers).flatten() {
        None => take(),
        Some(crew) => {
            let modes = Modes::current();
            let help = || {
                modes.set();
                take();
            };
            crew.together(wanted, take, &help);
        }
    }
}

thread_local! {
    /// Whether this thread must not use the helpers, because it is itself one of several threads that share the batch.
    static ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Returns the result of `work`, during which this thread uses no helpers if `alone` is set. For callers that already
/// distribute the batch over threads.
pub fn alone_if<R>(alone: bool, work: impl FnOnce() -> R) -> R {
    let before = ALONE.try_with(|flag| flag.replace(alone || flag.get())).unwrap_or(false);
    let done = work();
    let _ = ALONE.try_with(|flag| flag.set(before));
    done
}
