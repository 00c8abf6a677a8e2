//! Element-wise comparison of R, the reflectors and tau with LAPACK: signs and conjugation are LAPACK's on every path
//! and through every ABI.

use rayon::prelude::*;
use std::collections::BTreeMap;
use tephra_testkit::agreement::{Agreement, compare, well_separated};
use tephra_testkit::guarded::Placement;
use tephra_testkit::householder;
use tephra_testkit::lapack::Lapack;
use tephra_testkit::library::Backend;
use tephra_testkit::qr::{EntryForm, Factored, QrBatch, Session};
use tephra_testkit::scalar::Field;
use tephra_testkit::sweep::{paths, report, shapes};
use tephra_testkit::{Dtype, Library, Matrix, Result, Rng, Scalar, with_scalar};

/// More than the vector width of the CPU's interleaved path, which declines smaller batches, and not a multiple of it.
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
                    if let Some(ours) = batch.run_on(&session, EntryForm::Pointers, path)? {
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
                let first = batch.run(&session, EntryForm::Pointers)?;
                for form in EntryForm::ALL {
                    let other = batch.run(&session, form)?;
                    let same = first.iter().zip(&other).all(|(a, b)| a.same_bits(b));
                    assert!(same, "{} {m}x{n}: {form:?} differs from {:?}", dtype.letter(), EntryForm::Pointers);
                }
            });
        }
    }
    Ok(())
}

/// `a` with column j scaled by 2^e, and LAPACK's result for it, which is the same except that column j of R is scaled.
/// The formulas of the fast paths overflow or underflow on that column's norm.
fn scaled_column<T: Scalar>(a: &Matrix<T>, j: usize, e: i32) -> (Matrix<T>, Factored<T>) {
    let scale = <T as Scalar>::Double::real(2f64.powi(e));
    let mut factors = a.to_double();
    let tau = householder::factor(&mut factors);
    let (mut input, mut factors) = (a.clone(), Matrix::<T>::from_double(&factors));
    for i in 0..a.rows() {
        input[(i, j)] = T::from_double(a[(i, j)].to_double() * scale);
        if i <= j {
            factors[(i, j)] = T::from_double(factors[(i, j)].to_double() * scale);
        }
    }
    (input, Factored { factors, tau: tau.into_iter().map(T::from_double).collect() })
}

/// One column, at every position, far above or below the range of the fast formulas: earlier columns may already have
/// been stored, and later ones are computed in a different way.
#[test]
fn a_column_out_of_range_changes_no_other() -> Result<()> {
    let lib = Library::required();
    let session = Session::new(lib);
    for dtype in Dtype::ALL {
        // (plan, its rows and columns): on a device every instance for whole matrices, all of which are listed as
        // candidates for a single element.
        let mut cases: Vec<(String, usize, usize)> = Vec::new();
        if lib.backend()? == Backend::Cpu {
            cases.extend(paths(lib.backend()?).iter().map(|path| ((*path).to_owned(), 40, 40)));
        } else {
            let listed = lib.candidates(&format!("{}geqrf", dtype.letter()), 1, 1, 1000)?;
            for line in listed.lines().filter(|line| line.starts_with("resident=")) {
                let [plan, m, n]: [&str; 3] = line.split(' ').collect::<Vec<_>>().try_into().expect("plan m n");
                let [m, n] = [m, n].map(|text| text.parse::<usize>().expect("a number"));
                cases.push((plan.to_owned(), m, n));
            }
        }
        cases.retain(|(_, m, n)| m * n <= 160 * 160);
        let mut taken = 0;
        for (plan, m, n) in &cases {
            for (m, n) in [(*m, *n), (*m, n - n.div_ceil(5)), (m - m / 8, *n), (m / 2 + 1, *n)] {
                with_scalar!(dtype, T => {
                    let far = if T::DTYPE.eps() > 1e-10 { 60 } else { 400 };
                    let mut rng = Rng::new((m * 4099 + n) as u64);
                    let (inputs, expected): (Vec<_>, Vec<_>) = (0..BATCH)
                        .map(|i| {
                            let e = [far, -far, 0][i % 3];
                            scaled_column(&well_separated::<T>(m, n, &mut rng), i * n / BATCH, e)
                        })
                        .unzip();
                    for place in [Placement::tight(), Placement::guarded()] {
                        let qr = QrBatch::of(lib, &inputs, &place)?;
                        let Some(ours) = qr.run_on(&session, EntryForm::Pointers, Some(plan.as_str()))? else { continue };
                        check(&format!("{m}x{n} path {plan}, a column scaled"), &ours, &expected);
                        taken += 1;
                    }
                });
            }
        }
        // Four shapes in two placements each; few plans decline any of them.
        assert!(taken >= 4 * cases.len(), "{}: {taken} shapes of {} plans were taken", dtype.letter(), cases.len());
    }
    Ok(())
}
