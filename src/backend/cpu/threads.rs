//! Host threads: the caller and a pool of helpers take ranges of the batch until none is left.

use super::modes::Modes;
use crate::host::signals::Blocked;
use crate::host::{environment, fork};
use std::cell::Cell;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// The helpers of one process.
struct Helpers {
    /// `None`: the system refused us threads, so that callers work alone.
    pool: Option<rayon::ThreadPool>,
    /// Of the process whose threads they are.
    generation: u32,
}

/// The helpers in use: made at first need, and again in a forked child, which has none of its parent's threads. Never freed
/// once they are here, so that a call needs no lock that another thread could hold at a fork.
static HELPERS: AtomicPtr<Helpers> = AtomicPtr::new(ptr::null_mut());

/// Threads a call may use, see [`environment::threads`].
pub fn count() -> usize {
    environment::threads()
}

/// `None`: no helpers can be had, or the thread works alone.
fn pool() -> Option<&'static rayon::ThreadPool> {
    if ALONE.try_with(Cell::get).unwrap_or(false) {
        return None;
    }
    let generation = fork::generation();
    let mut current = HELPERS.load(Ordering::Acquire);
    loop {
        // SAFETY: never freed.
        match unsafe { current.as_ref() } {
            Some(helpers) if helpers.generation == generation => return helpers.pool.as_ref(),
            _ => {}
        }
        let made = Box::into_raw(Box::new(Helpers { pool: start(), generation }));
        // A parent's pool is left alone: to drop it would be to wait for threads that do not exist here.
        match HELPERS.compare_exchange(current, made, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => current = made,
            Err(theirs) => {
                // SAFETY: nobody else has it. Its threads end by themselves.
                drop(unsafe { Box::from_raw(made) });
                current = theirs;
            }
        }
    }
}

/// As many threads as are wanted, or as the system gives. The program's signals are for its own threads, which may block
/// them or wait for them when the helpers are here already.
fn start() -> Option<rayon::ThreadPool> {
    let _signals = Blocked::of_the_process();
    let mut wanted = count() - 1;
    while wanted > 0 {
        let builder = rayon::ThreadPoolBuilder::new().num_threads(wanted);
        if let Ok(pool) = builder.thread_name(|i| format!("tephra-cpu-{i}")).build() {
            return Some(pool);
        }
        wanted /= 2;
    }
    None
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
    let helpers = threads.min(count()).min(total.div_ceil(grain)).saturating_sub(1);
    let pool = if helpers > 0 { pool() } else { None };
    match pool {
        None => take(),
        Some(pool) => {
            let modes = Modes::current();
            let help = || {
                modes.set();
                take();
            };
            pool.in_place_scope(|scope| {
                for _ in 0..helpers {
                    scope.spawn(|_| help());
                }
                take();
            });
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
