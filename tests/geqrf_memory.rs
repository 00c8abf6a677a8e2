//! Only the operands are written or needed: red zones, padding, odd alignment and strides, every kind of memory for the
//! pointer array. (Each download compares everything outside the members with what was uploaded, bit by bit.)

use tephra_testkit::guarded::Placement;
use tephra_testkit::matrices::Class;
use tephra_testkit::memory::Kind;
use tephra_testkit::qr::{EntryForm, Factored, QrBatch, Session};
use tephra_testkit::ratios::{Ratios, measure};
use tephra_testkit::sweep::paths;
use tephra_testkit::{Dtype, Library, Matrix, Result, Rng, Scalar, with_scalar};

const SHAPES: [(usize, usize); 12] =
    [(1, 1), (2, 1), (1, 3), (4, 4), (7, 5), (5, 8), (16, 16), (33, 32), (31, 33), (65, 64), (129, 17), (301, 6)];

/// More than the vector width of the CPU's interleaved path, which declines smaller batches, and not a multiple of it.
const BATCH: usize = 19;

fn inputs<T: Scalar>(m: usize, n: usize) -> Vec<Matrix<T>> {
    let mut rng = Rng::new((m * 31 + n) as u64);
    (0..BATCH).map(|_| Class::Uniform.generate(m, n, &mut rng)).collect()
}

fn check<T: Scalar>(what: &str, inputs: &[Matrix<T>], outputs: &[Factored<T>]) {
    for (i, (a, f)) in inputs.iter().zip(outputs).enumerate() {
        let ratio = measure(a, &f.factors, &f.tau).largest();
        // Padding holds NaN, so the ratio would be NaN if a result depended on it.
        assert!(ratio < Ratios::THRESHOLD, "{what}: matrix {i} has ratio {ratio}");
    }
}

/// Runs every path and layout with the given placements.
fn everywhere(placements: &[(&str, Placement)], forms: &[EntryForm]) -> Result<()> {
    let lib = Library::required();
    let session = Session::new(lib);
    for dtype in Dtype::ALL {
        let mut taken = vec![0; paths(lib.backend()?).len()];
        for (m, n) in SHAPES {
            with_scalar!(dtype, T => {
                let inputs = inputs::<T>(m, n);
                for (name, place) in placements {
                    let batch = QrBatch::of(lib, &inputs, place)?;
                    for &form in forms {
                        for (path, taken) in paths(lib.backend()?).iter().zip(&mut taken) {
                            let what = format!("{} {m}x{n} {name} {form:?} {path}", dtype.letter());
                            match batch.run_on(&session, form, Some(path)) {
                                Ok(Some(outputs)) => {
                                    check(&what, &inputs, &outputs);
                                    *taken += 1;
                                }
                                Ok(None) => {}
                                Err(e) => panic!("{what}: {e}"),
                            }
                        }
                    }
                }
            });
        }
        // A path that declined everything would not be tested.
        assert!(taken.iter().all(|&t| t > 0), "{}: calls taken by path: {taken:?}", dtype.letter());
    }
    Ok(())
}

#[test]
fn padding_and_red_zones_stay_untouched() -> Result<()> {
    let placements = [
        ("padding 1", Placement { padding: 1, ..Placement::guarded() }),
        ("padding 3", Placement::guarded()),
        ("padding 64", Placement { padding: 64, ..Placement::guarded() }),
        ("no padding", Placement { padding: 0, ..Placement::guarded() }),
    ];
    everywhere(&placements, &[EntryForm::Pointers, EntryForm::Strided])
}

#[test]
fn element_alignment_is_enough() -> Result<()> {
    let at = |offset, padding, gap| Placement { offset, padding, gap, ..Placement::tight() };
    let placements = [
        ("offset 1", at(1, 0, 0)),
        ("offset 1, odd ld", at(1, 1, 2)),
        ("offset 3, odd gap", at(3, 0, 1)),
        ("aligned base, odd stride", at(0, 0, 1)),
    ];
    everywhere(&placements, &[EntryForm::Pointers, EntryForm::Strided])
}

#[test]
fn members_may_lie_side_by_side() -> Result<()> {
    let side_by_side = Placement { interleaved: true, ..Placement::guarded() };
    let placements = [("interleaved", side_by_side.clone()), ("offset 1", Placement { offset: 1, ..side_by_side })];
    everywhere(&placements, &[EntryForm::Pointers, EntryForm::Strided])
}

#[test]
fn pointer_arrays_in_any_order_and_pinned_memory() -> Result<()> {
    let pinned = Placement { pointers: Kind::Pinned, ..Placement::shuffled(5) };
    let placements = [("shuffled", Placement::shuffled(4)), ("shuffled, pinned pointers", pinned)];
    everywhere(&placements, &[EntryForm::Pointers])
}

#[test]
fn cublas_and_magma_take_pinned_pointer_arrays() -> Result<()> {
    let lib = Library::required();
    let session = Session::new(lib);
    for (m, n) in SHAPES {
        let inputs = inputs::<f64>(m, n);
        let place = Placement { pointers: Kind::Pinned, ..Placement::shuffled(6) };
        let batch = QrBatch::of(lib, &inputs, &place)?;
        for form in [EntryForm::Cublas, EntryForm::Magma, EntryForm::MagmaWork] {
            check(&format!("{m}x{n} {form:?}"), &inputs, &batch.run(&session, form)?);
        }
    }
    Ok(())
}

#[test]
fn workspace_queries_answer_zero_bytes() -> Result<()> {
    let lib = Library::required();
    for dtype in Dtype::ALL {
        for (m, n) in SHAPES {
            let (m, n) = (m as i64, n as i64);
            assert_eq!(lib.geqrf_workspace(dtype, m, n, m, 10)?, 0);
            assert_eq!(lib.geqrf_strided_workspace(dtype, m, n, m, (m * n, n), 10)?, 0);
        }
    }
    Ok(())
}
