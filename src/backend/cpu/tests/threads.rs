//! Host threads: what a range is given to, in which modes, and after a fork.

use std::sync::atomic::{AtomicUsize, Ordering};
use tephra_cpu::parts::{Modes, for_ranges};
use tephra_host::signals::{self, Blocked};

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
