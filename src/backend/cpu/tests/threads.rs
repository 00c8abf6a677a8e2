//! Host threads: which work they get, in which floating-point modes, and what happens after a fork.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tephra_cpu::parts::{Modes, for_ranges};
use tephra_host::signals::{self, BlockedSignals};

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

thread_local! {
    /// Whether allocations on this thread fail; other tests run at the same time.
    static REFUSED: Cell<bool> = const { Cell::new(false) };
}

struct Refusing;

// SAFETY: forwards to the system's allocator, or returns NULL.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if REFUSED.get() {
            return ptr::null_mut();
        }
        // SAFETY: forwarded with the caller's guarantees.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        // SAFETY: forwarded with the caller's guarantees.
        unsafe { System.dealloc(p, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Refusing = Refusing;

/// Work must be distributed even if allocations fail, where std's threads would abort. A forked child has no helpers
/// yet and works alone.
#[test]
fn work_is_handed_out_without_memory() {
    let sum = |count: usize| {
        let sum = AtomicUsize::new(0);
        for_ranges(count, 1, 8, |range| {
            sum.fetch_add(range.sum::<usize>(), Ordering::Relaxed);
        });
        sum.into_inner()
    };
    for_ranges(8, 1, 8, |_| ());
    REFUSED.set(true);
    let sums: [usize; 3] = std::array::from_fn(|i| sum(1000 + i));
    REFUSED.set(false);
    assert_eq!(sums, [499_500, 500_500, 501_501]);
    // SAFETY: the child only runs this library and leaves through _exit.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            libc::alarm(20);
            REFUSED.set(true);
            libc::_exit(if sum(1000) == 499_500 { 0 } else { 1 });
        }
        let mut status = 0;
        assert_eq!(libc::waitpid(child, &mut status, 0), child);
        assert_eq!(status, 0);
    }
}

/// Concurrent and nested calls, short and long: each call's work is done exactly once, and before the call returns.
#[test]
fn calls_share_the_helpers() {
    std::thread::scope(|scope| {
        for caller in 0..6 {
            scope.spawn(move || {
                for round in 0..400 {
                    let (total, grain) = (1 + (caller * 37 + round * 11) % 90, 1 + round % 5);
                    let hits: Vec<AtomicUsize> = (0..total).map(|_| AtomicUsize::new(0)).collect();
                    for_ranges(total, grain, 1 + round % 8, |range| {
                        if (caller + round) % 16 == 0 {
                            std::thread::sleep(Duration::from_micros(50));
                        }
                        if caller == 0 {
                            for_ranges(range.len(), 1, 4, |inner| {
                                inner.for_each(|i| {
                                    hits[range.start + i].fetch_add(1, Ordering::Relaxed);
                                });
                            });
                        } else {
                            range.for_each(|i| {
                                hits[i].fetch_add(1, Ordering::Relaxed);
                            });
                        }
                    });
                    assert!(hits.iter().all(|h| h.load(Ordering::Relaxed) == 1), "{caller} {round}");
                }
            });
        }
    });
}

/// If work panics on any thread, the caller panics after all others have finished; the helpers survive.
#[test]
fn a_panic_is_the_callers() {
    for place in 0..32 {
        let (under_way, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let call = || {
            for_ranges(32, 1, 8, |range| {
                let now = under_way.fetch_add(1, Ordering::Relaxed) + 1;
                most.fetch_max(now, Ordering::Relaxed);
                std::thread::sleep(Duration::from_micros(100));
                under_way.fetch_sub(1, Ordering::Relaxed);
                assert!(!range.contains(&place), "as it should be");
            });
        };
        assert!(catch_unwind(AssertUnwindSafe(call)).is_err(), "{place}");
        assert_eq!(under_way.load(Ordering::Relaxed), 0, "{place}");
        assert!(most.into_inner() <= 8);
    }
    let done = AtomicUsize::new(0);
    for_ranges(32, 1, 8, |range| {
        done.fetch_add(range.len(), Ordering::Relaxed);
    });
    assert_eq!(done.into_inner(), 32);
}

/// Numbers that the caller's modes flush to zero must be flushed whichever thread multiplies them, even if the helpers
/// were started before the modes changed.
#[cfg(target_arch = "x86_64")]
#[test]
fn helpers_compute_in_the_modes_of_the_caller() {
    const FLUSH: u32 = 1 << 15;
    let products = || {
        let bits: Vec<AtomicUsize> = (0..64).map(|_| AtomicUsize::new(usize::MAX)).collect();
        for_ranges(64, 1, 8, |range| {
            std::thread::sleep(std::time::Duration::from_millis(1)); // so that every thread gets some ranges
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

/// A signal to the process that the program's own threads block stays pending: no helper may take it.
#[test]
fn helpers_take_no_signals_of_the_process() {
    for_ranges(8, 1, 8, |_| ()); // start the helpers, which a forked child does not inherit
    // SAFETY: the child only runs this library and leaves through _exit, or is ended by the signal.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            libc::alarm(20);
            for_ranges(8, 1, 8, |_| ());
            let _blocked = BlockedSignals::these(&[libc::SIGUSR1]);
            libc::kill(libc::getpid(), libc::SIGUSR1);
            std::thread::sleep(std::time::Duration::from_millis(20));
            for_ranges(8, 1, 8, |_| ());
            libc::_exit(if signals::pending(libc::SIGUSR1) { 0 } else { 1 });
        }
        let mut status = 0;
        assert_eq!(libc::waitpid(child, &mut status, 0), child);
        assert_eq!(status, 0);
    }
}

#[test]
fn a_forked_child_gets_its_own_threads() {
    for_ranges(8, 1, 8, |_| ());
    // SAFETY: the child only runs this library and leaves through _exit.
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
