//! The plan of a warm call costs no host allocation and no search, which a counting allocator verifies.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use tephra_core::gpu::Run;
use tephra_core::gpu::plan::{self, Convert, Copy, Launch, Limits, Parts, Planned, SeparateOperands, Step};
use tephra_core::routine::{
    Assign, BoundsCheck, ExtraArguments, Gels, Gemm, Gemv, Getrf, Larfb, Orgqr, Ormqr, QPart, Qr, Shape, Trans, Trsm,
    Workspace,
};
use tephra_core::{Dtype, Error, Geqrf, Math, Operand, Routine, all_routines};

struct Counting;

thread_local! {
    /// The number of allocations of this thread; other tests run concurrently.
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator; only a counter is added.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|c| c.set(c.get() + 1));
        // SAFETY: the requirements are passed on to the caller.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        // SAFETY: the requirements are passed on to the caller.
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
    let (a, b) = (place(1 << 20), place(1 << 30));
    Gels { dtype, trans, m, n, nrhs, a, lda: m, b, ldb: m.max(n), sizes: None, info, batch: 9, work }
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(&mut || drop(std::hint::black_box(vec![1u8]))), 1);
}

/// Creates the parts of an operation without executing them.
struct Nothing;

impl Parts for Nothing {
    fn operation(&mut self, op: &dyn Run) -> Result<(), Error> {
        std::hint::black_box(op.name());
        Ok(())
    }
    fn copy(&mut self, copy: &Copy) -> Result<(), Error> {
        std::hint::black_box(copy);
        Ok(())
    }
    fn convert(&mut self, convert: &Convert) -> Result<(), Error> {
        std::hint::black_box(convert);
        Ok(())
    }
    fn assign(&mut self, assign: &Assign) -> Result<(), Error> {
        std::hint::black_box(assign);
        Ok(())
    }
    fn check(&mut self, check: &BoundsCheck) -> Result<(), Error> {
        std::hint::black_box(check);
        Ok(())
    }
    fn factor(&mut self, qr: &Geqrf, separate: &SeparateOperands) -> Result<(), Error> {
        std::hint::black_box((qr, separate));
        Ok(())
    }
}

/// Looks up a plan and processes it like a call would.
fn assert_plan_warm<P: Planned>(p: P) {
    assert_warm(&format!("{p:?}"), || {
        let plan = plan::of(&p, || Ok(Limits::HOPPER)).unwrap();
        for step in &plan.steps {
            match step {
                Step::Launch(l, _) if l.k > 0 => _ = l.divided(p.batch(), || Ok((p.batch(), 1))).unwrap(),
                Step::Launch(..) => {}
                Step::Sub(part) => part(&p, &mut Nothing).unwrap(),
            }
        }
    });
}

#[test]
fn warm_plans_do_not_allocate() {
    for dtype in Dtype::ALL {
        for n in [1, 8, 32, 64, 100, 200, 513, 1500] {
            let of = |m, n| Shape { dtype, m, n, batch: 1000, math: Math::Fp32, extra: ExtraArguments::default() };
            let square = of(n, n);
            macro_rules! of_all {
                () => {};
                // larft has no plan.
                (larft::Larft $($rest:tt)*) => { of_all! { $($rest)* } };
                ($module:ident::$Routine:ident $($rest:tt)*) => {
                    assert_plan_warm(tephra_core::routine::$Routine::of_shape(&square));
                    of_all! { $($rest)* }
                };
            }
            all_routines!(of_all);
            assert_plan_warm(Orgqr::of_shape(&of(n + 3, n)));
            assert_plan_warm(Getrf::of_shape(&of(n + 3, n)));
            for columns in [1, 8, 100] {
                let shape = of(n, columns);
                assert_plan_warm(Ormqr { k: n, ..Ormqr::of_shape(&shape) });
                assert_plan_warm(Ormqr { k: n, trans: Trans::N, ..Ormqr::of_shape(&shape) });
                assert_plan_warm(Larfb { k: n, ..Larfb::of_shape(&shape) });
                assert_plan_warm(Trsm::of_shape(&shape));
                assert_plan_warm(Gemm::of_shape(&shape));
                assert_plan_warm(Gemv::of_shape(&shape));
                for trans in [Trans::N, Trans::C] {
                    for (m, n) in [(n + 5, n), (n, n + 5)] {
                        assert_plan_warm(least_squares(dtype, trans, m, n, columns));
                    }
                }
            }
            for part in [QPart::None, QPart::Thin, QPart::Full] {
                assert_plan_warm(Qr { part, ..Qr::of_shape(&square) });
            }
        }
    }
}

/// The division stored with a launch belongs to the requested batch, also when the batch changes.
#[test]
fn divisions_follow_the_batch() {
    let p = Geqrf::of_shape(&Shape {
        dtype: Dtype::S,
        m: 1024,
        n: 1024,
        batch: 1000,
        math: Math::Fp32,
        extra: ExtraArguments::default(),
    });
    let plan = plan::of(&p, || Ok(Limits::HOPPER)).unwrap();
    assert!(plan.launches().any(|l| l.k > 0));
    for l in plan.launches().filter(|l| l.k > 0) {
        for batch in [1, 1000, 7, 1000] {
            let divide = || Ok(l.division(batch, l.at_once(132), Limits::HOPPER));
            assert_eq!(l.divided(batch, divide).unwrap(), divide().unwrap());
            assert_eq!(l.divided(batch, || unreachable!()).unwrap(), divide().unwrap(), "it is kept");
        }
    }
}

/// Problems of different routines, types and forms share a cache, and none gets another's plan.
#[test]
fn plans_are_told_apart() {
    let shape =
        Shape { dtype: Dtype::D, m: 40, n: 40, batch: 1000, math: Math::Fp32, extra: ExtraArguments::default() };
    let device = || Ok(Limits::HOPPER);
    let name = |launch: &Launch| launch.instance.name();
    for _ in 0..2 {
        let qr = plan::of(&Geqrf::of_shape(&shape), device).unwrap();
        let q = plan::of(&Orgqr::of_shape(&shape), device).unwrap();
        let single = plan::of(&Geqrf::of_shape(&Shape { dtype: Dtype::S, ..shape }), device).unwrap();
        let [qr, q, single] =
            [qr.launches().next(), q.launches().next(), single.launches().next()].map(|l| name(l.unwrap()));
        assert!(qr != q && qr != single, "{qr} {q} {single}");
        let first = |trans| {
            let p = Ormqr { trans, k: 40, m: 40, n: 100, ..Ormqr::of_shape(&shape) };
            plan::of(&p, device).unwrap().launches().next().unwrap().offset
        };
        assert!(first(Trans::C) == 0 && first(Trans::N) > 0);
    }
}
