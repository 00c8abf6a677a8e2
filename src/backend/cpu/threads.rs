//! Host threads: the caller and its helpers take ranges of the batch until none is left.

use super::crew::Crew;
use super::modes::Modes;
use crate::host::{environment, fork};
use std::cell::Cell;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// The helpers in use: made at first need, and again in a forked child, which has none of its parent's threads. Never freed
/// once they are here, so that a call needs no lock that another thread could hold at a fork.
static HELPERS: AtomicPtr<Crew> = AtomicPtr::new(ptr::null_mut());

/// Threads a call may use, see [`environment::threads`].
pub fn count() -> usize {
    environment::threads()
}

/// `None`: no helpers can be had, or the thread works alone.
fn helpers() -> Option<&'static Crew> {
    if ALONE.try_with(Cell::get).unwrap_or(false) {
        return None;
    }
    let generation = fork::generation();
    let mut current = HELPERS.load(Ordering::Acquire);
    loop {
        // SAFETY: never freed.
        match unsafe { current.as_ref() } {
            Some(crew) if crew.generation == generation => return (!crew.is_empty()).then_some(crew),
            _ => {}
        }
        // A parent's are left alone.
        let made = Crew::new(generation)?;
        match HELPERS.compare_exchange(current, made, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => {
                // SAFETY: never freed from here on.
                unsafe { &*made }.start(count() - 1);
                current = made;
            }
            Err(theirs) => {
                // SAFETY: nobody else has it.
                unsafe { Crew::free(made) };
                current = theirs;
            }
        }
    }
}

/// Calls `work` on disjoint ranges of at most `grain` that cover 0..total, from up to `threads` threads at once, the
/// calling one among them, all with its floating-point modes. Returns when all are done.
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
    /// Whether this thread has other members than its helpers, and takes none of them from its work.
    static ALONE: Cell<bool> = const { Cell::new(false) };
}

/// What `work` gives, done by the calling thread if `alone`: for one of several threads, each of which has its own work.
pub fn alone_if<R>(alone: bool, work: impl FnOnce() -> R) -> R {
    let before = ALONE.try_with(|flag| flag.replace(alone || flag.get())).unwrap_or(false);
    let done = work();
    let _ = ALONE.try_with(|flag| flag.set(before));
    done
}
