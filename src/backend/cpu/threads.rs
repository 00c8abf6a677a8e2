//! Host threads: the caller and a pool of helpers take ranges of the batch until none is left.

use parking_lot::RwLock;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Once};

/// The helpers; made at first need, and again in a forked child, which inherits none of its parent's threads.
static POOL: RwLock<Option<Arc<rayon::ThreadPool>>> = RwLock::new(None);
static FORKED: AtomicBool = AtomicBool::new(false);

/// Threads a call may use: `TEPHRA_NUM_THREADS`, else the CPUs this process may run on.
pub fn count() -> usize {
    static COUNT: once_cell::sync::Lazy<usize> = once_cell::sync::Lazy::new(|| {
        let wish = std::env::var("TEPHRA_NUM_THREADS").ok().and_then(|s| s.trim().parse().ok()).filter(|&n| n > 0);
        wish.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get()))
    });
    *COUNT
}

/// `None`: no helpers can be had (the system refuses threads), so the caller works alone.
fn pool() -> Option<Arc<rayon::ThreadPool>> {
    static WATCH: Once = Once::new();
    extern "C" fn in_child() {
        FORKED.store(true, Ordering::Release);
    }
    // SAFETY: the handler only stores to an atomic.
    WATCH.call_once(|| unsafe {
        libc::pthread_atfork(None, None, Some(in_child));
    });
    if !FORKED.load(Ordering::Acquire)
        && let Some(pool) = POOL.read().as_ref()
    {
        return Some(pool.clone());
    }
    let mut slot = POOL.write();
    if FORKED.swap(false, Ordering::AcqRel) {
        // Dropping the parent's pool would wait for threads that do not exist here.
        std::mem::forget(slot.take());
    }
    if slot.is_none() {
        let helpers = rayon::ThreadPoolBuilder::new()
            .num_threads(count() - 1)
            .thread_name(|i| format!("tephra-cpu-{i}"))
            .build()
            .ok()?;
        *slot = Some(Arc::new(helpers));
    }
    slot.clone()
}

/// Calls `work` on disjoint ranges of at most `grain` that cover 0..total, from up to `threads` threads at once, the
/// calling one among them. Returns when all are done.
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
        Some(pool) => pool.in_place_scope(|scope| {
            for _ in 0..helpers {
                scope.spawn(|_| take());
            }
            take();
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cover_everything_once() {
        for (total, grain, threads) in [(0, 1, 4), (1, 1, 4), (1000, 7, 4), (5, 100, 2), (10, 0, 1)] {
            let hits: Vec<AtomicUsize> = (0..total).map(|_| AtomicUsize::new(0)).collect();
            for_ranges(total, grain, threads, |r| {
                for i in r {
                    hits[i].fetch_add(1, Ordering::Relaxed);
                }
            });
            assert!(hits.iter().all(|h| h.load(Ordering::Relaxed) == 1), "{total} {grain} {threads}");
        }
    }

    #[test]
    fn a_forked_child_gets_its_own_threads() {
        for_ranges(8, 1, 8, |_| ());
        // SAFETY: the child only runs this library and leaves by _exit.
        unsafe {
            let child = libc::fork();
            if child == 0 {
                libc::alarm(20); // a child that waits for its parent's threads must not outlive the test
                let sum = AtomicUsize::new(0);
                for_ranges(8, 1, 8, |r| {
                    sum.fetch_add(r.len(), Ordering::Relaxed);
                });
                libc::_exit(if sum.load(Ordering::Relaxed) == 8 { 0 } else { 1 });
            }
            let mut status = 0;
            assert_eq!(libc::waitpid(child, &mut status, 0), child);
            assert_eq!(status, 0);
        }
    }
}
