//! The host cost of a warm call before its launch: argument checks and plan lookup. `cargo bench --bench dispatch`.

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use tephra_core::gpu::plan::{self, Limits, Planned};
use tephra_core::routine::{Gels, Orgqr, Ormqr, Qr, Shape, Trsm};
use tephra_core::{Dtype, Geqrf, Math, Routine};

fn shape(m: i64, n: i64) -> Shape {
    Shape { dtype: Dtype::D, m, n, batch: 1000, math: Math::Fp32, extra: Default::default() }
}

fn warm<P: Routine + Planned>(c: &mut Criterion, what: &str, p: P) {
    c.bench_function(&format!("warm check and plan, {what}"), |b| {
        b.iter(|| {
            let p = black_box(&p);
            p.check().unwrap();
            plan::of(p, || Ok(Limits::HOPPER)).unwrap()
        })
    });
}

fn dispatch(c: &mut Criterion) {
    for n in [4, 64, 512] {
        let square = shape(n, n);
        warm(c, &format!("dgeqrf {n}x{n}"), Geqrf::of_shape(&square));
        warm(c, &format!("dorgqr {n}x{n}"), Orgqr::of_shape(&square));
        warm(c, &format!("dormqr {n}x8"), Ormqr { k: n, ..Ormqr::of_shape(&shape(n, 8)) });
        warm(c, &format!("dtrsm {n}x8"), Trsm::of_shape(&shape(n, 8)));
        // The parts of these operations look up their own plans.
        warm(c, &format!("dgels {n}x{n}, 8"), Gels { nrhs: 8, ..Gels::of_shape(&square) });
        warm(c, &format!("dqr {n}x{n}"), Qr::of_shape(&square));
        let p = Geqrf::of_shape(&square);
        let cold = |limits| Geqrf::plan(black_box(&p).shape(limits), limits).unwrap();
        c.bench_function(&format!("cold plan, dgeqrf {n}x{n}"), |b| b.iter(|| cold(Limits::HOPPER)));
    }
}

criterion_group!(benches, dispatch);
criterion_main!(benches);
