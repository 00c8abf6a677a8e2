//! Host threads: the caller and a pool of helpers take ranges of the batch until none is left.

use super::modes::Modes;
use crate::host::signals::Blocked;
use crate::host::{environment, fork};
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

/// `None`: no helpers can be had.
fn pool() -> Option<&'static rayon::ThreadPool> {
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

    /// Small numbers that a caller has flushed to zero must be zero whichever thread multiplies them, also where the helpers
    /// were there before.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn helpers_compute_in_the_modes_of_the_caller() {
        const FLUSH: u32 = 1 << 15;
        let products = || {
            let bits: Vec<AtomicUsize> = (0..64).map(|_| AtomicUsize::new(usize::MAX)).collect();
            for_ranges(64, 1, 8, |range| {
                std::thread::sleep(std::time::Duration::from_millis(1)); // so that each thread gets some
                let product = std::hint::black_box(1e-160_f64) * std::hint::black_box(1e-155);
                range.for_each(|i| bits[i].store(product.to_bits() as usize, Ordering::Relaxed));
            });
            bits.into_iter().map(AtomicUsize::into_inner).collect::<Vec<_>>()
        };
        let usual = Modes::current();
        let kept = products();
        assert!(kept.iter().all(|&bits| bits != 0));
        usual.with(FLUSH).set();
        let flushed = products();
        usual.set();
        assert_eq!(flushed, [0; 64]);
        assert_eq!(products(), kept);
    }

    /// A signal to the process, which its own threads block, stays pending: no helper takes it.
    #[test]
    fn helpers_take_no_signals_of_the_process() {
        for_ranges(8, 1, 8, |_| ()); // a forked child of this thread has the same mask as it
        // SAFETY: the child only runs this library and leaves by _exit, or by the signal.
        unsafe {
            let child = libc::fork();
            if child == 0 {
                libc::alarm(20);
                for_ranges(8, 1, 8, |_| ());
                let _blocked = Blocked::only(libc::SIGUSR1);
                libc::kill(libc::getpid(), libc::SIGUSR1);
                std::thread::sleep(std::time::Duration::from_millis(20));
                for_ranges(8, 1, 8, |_| ());
                libc::_exit(if crate::host::signals::pending(libc::SIGUSR1) { 0 } else { 1 });
            }
            let mut status = 0;
            assert_eq!(libc::waitpid(child, &mut status, 0), child);
            assert_eq!(status, 0);
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
