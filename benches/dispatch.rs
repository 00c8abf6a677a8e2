//! Host cost of a warm call before its launch: arguments checked, plan looked up. `cargo bench --bench dispatch`.

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::ptr::null_mut;
use tephra_core::plan::geqrf::Limits;
use tephra_core::plan::select::{cached, plan};
use tephra_core::plan::{gels, ormqr, trsm};
use tephra_core::routine::{Gels, Trans, Workspace};
use tephra_core::{Dtype, Geqrf, Math, Operand, Routine};

fn problem(n: i64) -> Geqrf {
    let a = Operand::Strided { base: null_mut(), stride: n * n };
    let tau = Operand::Strided { base: null_mut(), stride: n };
    Geqrf { dtype: Dtype::D, m: n, n, a, lda: n, tau, batch: 1, info: null_mut(), math: Math::Fp32 }
}

fn dispatch(c: &mut Criterion) {
    for n in [4, 64, 512] {
        let p = problem(n);
        c.bench_function(&format!("warm check and plan, dgeqrf {n}x{n}"), |b| {
            b.iter(|| {
                let p = black_box(&p);
                p.check().unwrap();
                cached(p.dtype, p.m, p.n, Limits::HOPPER.with_batch(p.m, p.n, p.batch)).unwrap()
            })
        });
        c.bench_function(&format!("cold plan, dgeqrf {n}x{n}"), |b| {
            b.iter(|| plan(Dtype::D, black_box(n), black_box(n), Limits::HOPPER).unwrap())
        });
    }
}

/// The plans of what builds on the factorisation; the parts of a least-squares problem look up their own.
fn operations(c: &mut Criterion) {
    let limits = Limits::HOPPER;
    for n in [4, 64, 512] {
        c.bench_function(&format!("warm plan, dorgqr {n}x{n}"), |b| {
            b.iter(|| ormqr::cached_generate(Dtype::D, black_box(n), n, n, 1000, limits).unwrap())
        });
        c.bench_function(&format!("warm plan, dormqr {n}x8"), |b| {
            b.iter(|| ormqr::cached_apply(Dtype::D, black_box(n), 8, n, true, false, limits).unwrap())
        });
        c.bench_function(&format!("warm plan, dtrsm {n}x8"), |b| {
            b.iter(|| trsm::cached(Dtype::D, black_box(n), 8, 1000).unwrap())
        });
        let place = Operand::Strided { base: null_mut(), stride: n * n };
        let work = Workspace { p: null_mut(), bytes: usize::MAX };
        let (trans, info, batch) = (Trans::N, null_mut(), 1000);
        let p =
            Gels { dtype: Dtype::D, trans, m: n, n, nrhs: 8, a: place, lda: n, b: place, ldb: n, info, batch, work };
        c.bench_function(&format!("warm plan, dgels {n}x{n}, 8"), |b| {
            b.iter(|| gels::plan(black_box(&p), true).unwrap())
        });
    }
}

criterion_group!(benches, dispatch, operations);
criterion_main!(benches);
