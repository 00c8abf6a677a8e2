//! R, the reflectors and tau, element by element, against LAPACK: signs and conjugation are LAPACK's on every path and
//! through every ABI.

use rayon::prelude::*;
use std::collections::BTreeMap;
use tephra_testkit::agreement::{Agreement, compare, well_separated};
use tephra_testkit::guarded::Placement;
use tephra_testkit::lapack::Lapack;
use tephra_testkit::qr::{Factored, Form, QrBatch, Session};
use tephra_testkit::sweep::{paths, report, shapes};
use tephra_testkit::{Dtype, Library, Matrix, Result, Rng, Scalar, with_scalar};

/// Wider than the vectors of the CPU's interleaved path, which declines narrower batches, and no multiple of them.
const BATCH: usize = 19;

fn inputs<T: Scalar>(m: usize, n: usize) -> Vec<Matrix<T>> {
    let mut rng = Rng::new((m * 4099 + n) as u64);
    (0..BATCH).map(|_| well_separated(m, n, &mut rng)).collect()
}

fn agreement<T: Scalar>(ours: &[Factored<T>], theirs: &[Factored<T>]) -> Agreement {
    let pairs = ours.iter().zip(theirs);
    pairs.fold(Agreement::default(), |worst, (a, b)| worst.worst(compare((&a.factors, &a.tau), (&b.factors, &b.tau))))
}

fn check<T: Scalar>(what: &str, ours: &[Factored<T>], theirs: &[Factored<T>]) -> Agreement {
    let seen = agreement(ours, theirs);
    assert!(seen.largest() <= Agreement::BOUND, "{}geqrf {what}: {seen:?}", T::DTYPE.letter());
    seen
}

#[test]
fn every_path_agrees_with_lapack() -> Result<()> {
    let Some(lapack) = Lapack::get_unless_waived()? else {
        report("geqrf_elementwise: NOT RUN, no LAPACK and TEPHRA_ALLOW_NO_LAPACK=1");
        return Ok(());
    };
    let lib = Library::required();
    let session = Session::new(lib);
    for dtype in Dtype::ALL {
        let mut worst = Agreement::default();
        let mut taken = BTreeMap::new();
        let shapes = shapes();
        with_scalar!(dtype, T => {
            let prepared: Vec<_> = shapes
                .par_iter()
                .map(|&(m, n)| {
                    let inputs = inputs::<T>(m, n);
                    let theirs: Vec<_> = inputs.iter().map(|a| lapack.geqrf(a)).collect();
                    (inputs, theirs)
                })
                .collect();
            for ((m, n), (inputs, theirs)) in shapes.iter().zip(&prepared) {
                let batch = QrBatch::of(lib, inputs, &Placement::shuffled(9))?;
                for path in paths(lib.backend()?).iter().copied().map(Some).chain([None]) {
                    if let Some(ours) = batch.run_on(&session, Form::Pointers, path)? {
                        worst = worst.worst(check(&format!("{m}x{n} path {path:?}"), &ours, theirs));
                        *taken.entry(path).or_insert(0) += usize::from(m * n > 0);
                    }
                }
            }
        });
        for path in paths(lib.backend()?) {
            let count = taken.get(&Some(*path)).copied().unwrap_or(0);
            assert!(count >= 20, "{}: only {count} shapes were taken by the path {path}", dtype.letter());
        }
        report(format!(
            "geqrf {} element-wise against {}: max difference / (m eps): R {:.2}, V {:.2}, tau {:.2}",
            dtype.letter(),
            lapack.path.file_name().unwrap_or_default().to_string_lossy(),
            worst.r,
            worst.v,
            worst.tau
        ));
    }
    Ok(())
}

#[test]
fn every_abi_gives_the_same_bits() -> Result<()> {
    let lib = Library::required();
    let session = Session::new(lib);
    for dtype in Dtype::ALL {
        for (m, n) in [(1, 1), (5, 3), (3, 5), (17, 17), (33, 32), (70, 66), (130, 20)] {
            with_scalar!(dtype, T => {
                let batch = QrBatch::of(lib, &inputs::<T>(m, n), &Placement::guarded())?;
                let first = batch.run(&session, Form::Pointers)?;
                for form in Form::ALL {
                    let other = batch.run(&session, form)?;
                    let same = first.iter().zip(&other).all(|(a, b)| a.same_bits(b));
                    assert!(same, "{} {m}x{n}: {form:?} differs from {:?}", dtype.letter(), Form::Pointers);
                }
            });
        }
    }
    Ok(())
}
