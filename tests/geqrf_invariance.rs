//! With `TEPHRA_BATCH_INVARIANT=1` (here: `tephra_set_batch_invariant`) a matrix gives the same bits in any batch, at
//! any position.

use tephra_testkit::guarded::Placement;
use tephra_testkit::library::Backend;
use tephra_testkit::matrices::Class;
use tephra_testkit::qr::{EntryForm, Factored, QrBatch, Session};
use tephra_testkit::sweep::{batch_invariantly, paths, without_forced_plan};
use tephra_testkit::{Dtype, Library, Matrix, Result, Rng, Scalar, with_scalar};

const DISTINCT: usize = 7;

/// Factors `count` matrices that repeat the inputs. Returns `None` if the path declines the shape.
fn factor<T: Scalar>(
    lib: &'static Library,
    inputs: &[Matrix<T>],
    count: usize,
    path: Option<&str>,
) -> Result<Option<Vec<Factored<T>>>> {
    let session = Session::new(lib);
    let (m, n) = (inputs[0].rows(), inputs[0].cols());
    let mut batch = QrBatch::new(lib, m, n, count, &Placement::tight())?;
    (0..count).for_each(|i| batch.set(i, &inputs[i % inputs.len()]));
    batch.upload()?;
    match batch_invariantly(lib, path, || batch.issue(&session, EntryForm::Pointers))? {
        Err(e) if path.is_some() && e.is_not_supported() => Ok(None),
        other => other.and_then(|()| batch.collect(&session, EntryForm::Pointers)).map(Some),
    }
}

fn bits_do_not_depend_on_the_batch<T: Scalar>(lib: &'static Library, shapes: &[(usize, usize)]) -> Result<()> {
    let all = || paths(lib.backend().expect("chosen before")).iter().copied().map(Some).chain([None]);
    let mut taken = vec![0; all().count()];
    for &(m, n) in shapes {
        let mut rng = Rng::new((m * 1000 + n) as u64);
        let inputs: Vec<Matrix<T>> = (0..DISTINCT).map(|_| Class::Uniform.generate(m, n, &mut rng)).collect();
        for (path, taken) in all().zip(&mut taken) {
            let Some(expected) = factor(lib, &inputs, DISTINCT, path)? else { continue };
            *taken += 1;
            let what = format!("{} {m} x {n}, path {path:?}", T::DTYPE.letter());
            for (i, input) in inputs.iter().enumerate() {
                let alone = factor(lib, std::slice::from_ref(input), 1, path)?.expect("taken before");
                assert!(alone[0].same_bits(&expected[i]), "{what}: matrix {i} alone");
            }
            for (i, got) in factor(lib, &inputs, 1000, path)?.expect("taken before").iter().enumerate() {
                assert!(got.same_bits(&expected[i % DISTINCT]), "{what}: place {i} of 1000");
            }
        }
    }
    assert!(taken.iter().all(|t| *t > 0), "{}: shapes taken by path: {taken:?}", T::DTYPE.letter());
    Ok(())
}

#[test]
fn a_matrix_gives_the_same_bits_in_every_batch() -> Result<()> {
    let lib = Library::required();
    let small = [(1, 1), (4, 4), (8, 8), (17, 5), (5, 17), (20, 20), (33, 32), (64, 64)];
    let large = [(100, 70), (130, 130), (600, 9), (300, 33), (31, 100)];
    let shapes = match lib.backend()? {
        Backend::Cpu => [&small[..], &large[..1]].concat(),
        Backend::Cuda => [&small[..], &large[..]].concat(),
    };
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => bits_do_not_depend_on_the_batch::<T>(lib, &shapes))?;
    }
    Ok(())
}

#[test]
fn the_plan_shows_it() -> Result<()> {
    let lib = Library::required();
    let plans = || -> Result<Vec<String>> {
        // The batch may determine how the work is divided, but not what is computed.
        let line = |text: String| text.lines().filter(|l| !l.starts_with("threads")).collect::<Vec<_>>().join("\n");
        [1, 7, 300, 1000, 20_000].iter().map(|&batch| Ok(line(lib.explain("sgeqrf", 8, 8, batch)?))).collect()
    };
    let same = |plans: &[String]| plans.iter().all(|p| *p == plans[0]);
    let invariant = batch_invariantly(lib, None, plans)??;
    assert!(same(&invariant), "{invariant:#?}");
    if lib.backend()? == Backend::Cpu {
        assert!(!same(&without_forced_plan(plans)?), "the setting changes nothing");
    }
    Ok(())
}
