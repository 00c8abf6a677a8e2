//! LAPACK's test ratios over every input class, every shape, every plan path, pointer and strided batches: below 30,
//! and at most twice LAPACK's own on the same input.

use rayon::prelude::*;
use tephra_testkit::guarded::Placement;
use tephra_testkit::lapack::Lapack;
use tephra_testkit::matrices::Class;
use tephra_testkit::qr::{EntryForm, Factored, QrBatch, Session};
use tephra_testkit::ratios::{Ratios, convention, measure};
use tephra_testkit::sweep::{Summary, paths, report, shapes, verdict};
use tephra_testkit::vendor::Vendor;
use tephra_testkit::{Library, Matrix, Result, Rng, Scalar, in_all_precisions};

/// The number of non-empty shapes that every path must accept; a path that declines nearly everything is not tested.
const SHAPES_PER_PATH: usize = 20;

/// The distance between the seeds of copies.
const MORE: usize = 1 << 40;

/// The number of matrices of each class. Small matrices, whose ratios come from a few roundings each and are largest,
/// need more of them, or else the means that are compared below would be left to chance.
fn copies(m: usize, n: usize) -> usize {
    match m * n {
        0..=30 => 32,
        31..=100 => 8,
        _ => 1,
    }
}

/// The class of input `i`.
fn class_of(i: usize) -> Class {
    Class::ALL[i % Class::ALL.len()]
}

/// Makes matrices of every class.
fn inputs<T: Scalar>(m: usize, n: usize) -> Vec<Matrix<T>> {
    let classes = Class::ALL.len();
    let seed = |i: usize| ((m * 10_000 + n) * 100 + i % classes + i / classes * MORE) as u64;
    let all = (0..copies(m, n) * Class::ALL.len()).into_par_iter();
    all.map(|i| class_of(i).generate(m, n, &mut Rng::new(seed(i)))).collect()
}

fn measured<T: Scalar>(inputs: &[Matrix<T>], outputs: &[Factored<T>]) -> Vec<Ratios> {
    let pairs = inputs.par_iter().zip(outputs.par_iter());
    pairs.map(|(a, f)| measure(a, &f.factors, &f.tau)).collect()
}

/// The mean ratios of a class at one shape.
fn mean_of_class(ratios: &[Ratios], class: usize) -> Ratios {
    let same: Vec<&Ratios> = ratios.iter().skip(class).step_by(Class::ALL.len()).collect();
    let mean = |of: fn(&Ratios) -> f64| same.iter().map(|r| of(r)).sum::<f64>() / same.len() as f64;
    Ratios {
        residual: mean(|r| r.residual),
        columnwise: mean(|r| r.columnwise),
        orthogonality: mean(|r| r.orthogonality),
    }
}

/// cuBLAS's ratios for the same batch.
fn vendors<T: Scalar>(vendor: &'static Vendor, inputs: &[Matrix<T>], session: &Session) -> Result<Vec<Ratios>> {
    let batch = QrBatch::of(session.library(), inputs, &Placement::guarded())?;
    let handle = vendor.handle(session.stream())?;
    Ok(measured(inputs, &batch.run_with_cublas(session, &handle)?))
}

fn sweep<T: Scalar>() -> Result<()> {
    let lib = Library::required();
    let lapack = Lapack::get_unless_waived()?;
    let vendor = Vendor::for_comparison(lib);
    let session = Session::new(lib);
    let letter = T::DTYPE.letter();
    let candidates = paths(lib.backend()?);
    let mut taken = vec![0; candidates.len()];
    let (mut summary, mut by_class, mut failures) = (Summary::default(), Summary::default(), Vec::new());

    for (m, n) in shapes() {
        let inputs = inputs::<T>(m, n);
        let by_vendor = vendor.map(|v| vendors(v, &inputs, &session)).transpose()?;
        let by_lapack = lapack.map(|l| measured(&inputs, &inputs.par_iter().map(|a| l.geqrf(a)).collect::<Vec<_>>()));
        let reference = by_lapack.as_ref().or(by_vendor.as_ref());
        let shuffled = QrBatch::of(lib, &inputs, &Placement::shuffled((m * n) as u64))?;
        let strided = QrBatch::of(lib, &inputs, &Placement::guarded())?;
        let mut seen: Vec<Vec<Factored<T>>> = Vec::new();

        let forced = candidates.iter().enumerate().map(|(i, path)| (Some(i), *path));
        for (index, path) in forced.chain([(None, "default")]) {
            let forms = [(&shuffled, EntryForm::Pointers), (&strided, EntryForm::Strided), (&strided, EntryForm::One)];
            for (batch, form) in forms {
                let Some(outputs) = batch.run_on(&session, form, index.map(|_| path))? else { continue };
                if let (Some(i), EntryForm::Pointers, true) = (index, form, m * n > 0) {
                    taken[i] += 1;
                }
                // The default plan is one of the paths just measured, and a strided batch often has the bits of the
                // pointer batch.
                if seen.iter().any(|s| s.iter().zip(&outputs).all(|(a, b)| a.same_bits(b))) {
                    continue;
                }
                let ratios = measured(&inputs, &outputs);
                for (i, class) in Class::ALL.iter().enumerate() {
                    // Every shape has the same weight in the means, whatever its number of copies.
                    let theirs = reference.map(|r| mean_of_class(r, i));
                    by_class.add(
                        &format!("{letter} {path} {}", class.name()),
                        &mean_of_class(&ratios, i),
                        theirs.as_ref(),
                    );
                }
                for (i, ours) in ratios.iter().enumerate() {
                    let theirs = reference.map(|r| &r[i]);
                    // Only the first copy is compared individually; the others serve the means.
                    let bound = if i < Class::ALL.len() { theirs } else { None };
                    let class = class_of(i).name();
                    summary.add(&format!("geqrf {letter} {path}"), ours, theirs);
                    let fine = verdict(m, ours, bound).and_then(|()| convention(&outputs[i].factors, &outputs[i].tau));
                    if let Err(why) = fine {
                        failures.push(format!("{letter} {m}x{n} {class} {path} {form:?}: {why}; {ours:?}, {theirs:?}"));
                    }
                }
                seen.push(outputs);
            }
        }
        for (i, ratios) in by_vendor.iter().flatten().enumerate() {
            summary.add(&format!("cublas {letter}"), ratios, by_lapack.as_ref().map(|r| &r[i]));
        }
    }

    report(&summary);
    let shown = failures.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{} failures:\n{shown}", failures.len());
    // LAPACK's two ratios, and the columnwise one. The block reflectors of a blocked path make the latter slightly
    // worse than a LAPACK that factors such small matrices unblocked.
    let limits = [("residual", 2.0), ("columnwise", 4.0), ("orthogonality", 2.0)];
    for ((name, limit), (excess, whose)) in limits.into_iter().zip(by_class.mean_excess()) {
        report(format!(
            "geqrf {letter}: {name}, mean over the shapes: at most {excess:.2} of the reference's ({whose})"
        ));
        assert!(excess <= limit, "{name} of {whose}: the mean over the shapes is {excess:.2} times the reference's");
    }
    for (path, count) in candidates.iter().zip(taken) {
        assert!(count >= SHAPES_PER_PATH, "{letter}: only {count} shapes were taken by the path {path}");
    }
    Ok(())
}

in_all_precisions!(sweep);
