//! A warm call's plan costs no host allocation and no search: counted in the allocator.

#![cfg(feature = "cuda")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use tephra_core::plan::geqrf::Limits;
use tephra_core::plan::{gels, ormqr, select, trsm};
use tephra_core::routine::{Gels, Trans, Workspace};
use tephra_core::{Dtype, Operand};

struct Counting;

thread_local! {
    /// Allocations of this thread: other tests run beside.
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: the system's allocator, counted.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|c| c.set(c.get() + 1));
        // SAFETY: forwarded.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        // SAFETY: forwarded.
        unsafe { System.dealloc(p, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(f: &mut dyn FnMut()) -> usize {
    let before = COUNT.get();
    f();
    COUNT.get() - before
}

fn assert_warm(what: &str, mut call: impl FnMut()) {
    call();
    assert_eq!(allocations(&mut call), 0, "{what}");
}

fn least_squares(dtype: Dtype, trans: Trans, m: i64, n: i64, nrhs: i64) -> Gels {
    let place = |p: usize| Operand::Strided { base: std::ptr::without_provenance_mut(p), stride: 1 << 20 };
    let info = std::ptr::without_provenance_mut(64);
    let work = Workspace { p: std::ptr::without_provenance_mut(1 << 40), bytes: usize::MAX };
    Gels { dtype, trans, m, n, nrhs, a: place(1 << 20), lda: m, b: place(1 << 30), ldb: m.max(n), info, batch: 9, work }
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(&mut || drop(std::hint::black_box(vec![1u8]))), 1);
}

#[test]
fn warm_plans_do_not_allocate() {
    let limits = Limits::HOPPER;
    for dtype in Dtype::ALL {
        for n in [1, 8, 32, 64, 100, 200, 513, 1500] {
            assert_warm("geqrf", || {
                let plan = select::cached(dtype, n, n, limits).unwrap();
                let kept = plan.divisions(1000, |step| Ok(step.at_once(132))).unwrap();
                assert_eq!(kept.len(), plan.steps.len());
            });
            assert_warm("orgqr", || assert!(ormqr::cached_generate(dtype, n + 3, n, n, 1000, limits).is_ok()));
            for columns in [1, 8, 100] {
                for (ascending, given) in [(true, false), (false, false), (true, true)] {
                    let apply = || ormqr::cached_apply(dtype, n, columns, n, ascending, given, limits);
                    assert_warm("ormqr", || assert!(apply().is_ok()));
                }
                assert_warm("trsm", || assert!(trsm::cached(dtype, n, columns, 1000).is_ok()));
                for trans in [Trans::N, Trans::C] {
                    for (m, n) in [(n + 5, n), (n, n + 5)] {
                        let p = least_squares(dtype, trans, m, n, columns);
                        assert_warm("gels", || assert!(gels::plan(&p, true).unwrap().parts().count() > 0));
                    }
                }
            }
            assert_warm("qr", || _ = ormqr::cached_explicit(dtype, n, n, n, limits));
        }
    }
}

/// The divisions kept with a plan are those of the batch asked for, also when it changes.
#[test]
fn divisions_follow_the_batch() {
    let plan = select::cached(Dtype::S, 1024, 1024, Limits::HOPPER).unwrap();
    assert!(plan.steps.iter().any(|s| s.k > 0));
    for batch in [1, 1000, 7, 1000] {
        let kept = plan.divisions(batch, |step| Ok(step.at_once(132))).unwrap();
        assert_eq!(kept.len(), plan.steps.len());
        for (step, division) in plan.steps.iter().zip(kept.iter()).filter(|(s, _)| s.k > 0) {
            assert_eq!(*division, step.division(batch, step.at_once(132)));
        }
    }
}
