//! Host cost of a warm call before its launch: arguments checked, plan looked up. `cargo bench --bench dispatch`.

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::ptr::null_mut;
use tephra_core::plan::geqrf::Limits;
use tephra_core::plan::select::{cached, plan};
use tephra_core::{Dtype, Geqrf, Operand, check};

fn problem(n: i64) -> Geqrf {
    let a = Operand::Strided { base: null_mut(), stride: n * n };
    let tau = Operand::Strided { base: null_mut(), stride: n };
    Geqrf { dtype: Dtype::D, m: n, n, a, lda: n, tau, batch: 1, info: null_mut() }
}

fn dispatch(c: &mut Criterion) {
    for n in [4, 64, 512] {
        let p = problem(n);
        c.bench_function(&format!("warm check and plan, dgeqrf {n}x{n}"), |b| {
            b.iter(|| {
                let p = black_box(&p);
                check::geqrf(p).unwrap();
                cached(p.dtype, p.m, p.n, Limits::HOPPER.with_batch(p.m, p.n, p.batch)).unwrap()
            })
        });
        c.bench_function(&format!("cold plan, dgeqrf {n}x{n}"), |b| {
            b.iter(|| plan(Dtype::D, black_box(n), black_box(n), Limits::HOPPER).unwrap())
        });
    }
}

criterion_group!(benches, dispatch);
criterion_main!(benches);
