//! Host threads: the calling thread and its helpers take ranges of the batch until none is left.

use super::modes::Modes;
use super::thread_pool::{StayAwake, ThreadPool};
use crate::host::{environment, fork};
use std::cell::Cell;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// The helpers in use. Created on first use, and again in a forked child, which has none of its parent's threads. A
/// pool with threads is never freed, so a call needs no lock that another thread could hold during a fork.
static HELPERS: AtomicPtr<ThreadPool> = AtomicPtr::new(ptr::null_mut());

/// Number of threads a call may use, see [`environment::threads`].
pub fn count() -> usize {
    environment::threads()
}

/// Returns the helpers, creating them if necessary. `None` if there are none or this thread must work alone.
fn helpers() -> Option<&'static ThreadPool> {
    if NO_HELPERS.try_with(Cell::get).unwrap_or(false) {
        return None;
    }
    let generation = fork::generation();
    let mut current = HELPERS.load(Ordering::Acquire);
    loop {
        // SAFETY: a pool in `HELPERS` is never freed.
        match unsafe { current.as_ref() } {
            Some(pool) if pool.generation == generation => return (!pool.is_empty()).then_some(pool),
            _ => {}
        }
        // After a fork, the pool of the parent process is leaked.
        let created = ThreadPool::new(generation)?;
        match HELPERS.compare_exchange(current, created, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => {
                // SAFETY: it is in `HELPERS` now, so it is never freed.
                unsafe { &*created }.start(count() - 1);
                current = created;
            }
            Err(theirs) => {
                // SAFETY: it has no threads, and nobody else knows its address.
                unsafe { ThreadPool::free(created) };
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
        Some(pool) => {
            let modes = Modes::current();
            let help = || {
                modes.set();
                take();
            };
            pool.run_with_helpers(wanted, take, &help);
        }
    }
}

/// Keeps the helpers awake until the guard is dropped, see [`ThreadPool::stay_awake`].
pub fn stay_awake() -> Option<StayAwake<'static>> {
    helpers().map(ThreadPool::stay_awake)
}

thread_local! {
    /// Whether this thread must not use the helpers, because it is itself one of several threads that share the batch.
    static NO_HELPERS: Cell<bool> = const { Cell::new(false) };
}

/// Returns the result of `work`, during which this thread uses no helpers if `condition` is set. For callers that
/// already distribute the batch over threads.
pub fn without_helpers_if<R>(condition: bool, work: impl FnOnce() -> R) -> R {
    let before = NO_HELPERS.try_with(|flag| flag.replace(condition || flag.get())).unwrap_or(false);
    let done = work();
    let _ = NO_HELPERS.try_with(|flag| flag.set(before));
    done
}
