//! potrf.

use std::ffi::c_int;
use tephra_testkit::any_call::{AnyFunction, call};
use tephra_testkit::library::Backend;
use tephra_testkit::ops::Uplo;
use tephra_testkit::ops::cholesky::{factorisation, triangle};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::{Field, same_bits};
use tephra_testkit::signatures;
use tephra_testkit::varying::EntrySpec;
use tephra_testkit::varying::fixture::{BatchFixture, Outcome};
use tephra_testkit::varying::shapes;
use tephra_testkit::{Dtype, Error, Library, Matrix, Result, Rng, Scalar, sweep, with_scalar};

pub const NATIVE: EntrySpec = signatures::POTRF.entry_spec();

pub const MAGMA: [(&str, &str, bool); 2] = [
    ("magma_?potrf_vbatched", "uplo n A lda info batch queue", true),
    ("magma_?potrf_vbatched_max_nocheck", "uplo n A lda info batch max_n queue", true),
];

/// Largest orders: on both sides of the largest that kernels hold, and with several blocks.
const LARGEST: [usize; 12] = [1, 5, 8, 16, 27, 33, 64, 70, 128, 129, 200, 300];

/// A positive definite matrix with poison in the other triangle and in the imaginary parts of the diagonal.
fn member<T: Scalar>(n: usize, uplo: Uplo, rng: &mut Rng) -> Matrix<T> {
    let a = Matrix::from_fn(n, n, |_, _| <T as Scalar>::Double::uniform(rng));
    let of = |i: usize, j: usize| {
        if i == j { a[(i, i)] + <T as Scalar>::Double::real(2.0 * n as f64) } else { a[(i, j)] }
    };
    triangle(uplo, &Matrix::from_fn(n, n, |i, j| T::from_double(of(i, j))), |_, _| T::POISON)
}

pub fn fixture<T: Scalar>(members: Vec<Matrix<T>>, uplo: Uplo, most: usize) -> Result<BatchFixture<T>> {
    let orders = members.iter().map(Matrix::rows).collect();
    let numbers = vec![("max_n", most as u64), ("uplo", uplo.cblas() as u64)];
    BatchFixture::new(vec![(["A", "lda"], members)], vec![("n", orders)], numbers)
}

pub fn random<T: Scalar>(most: usize, count: usize, uplo: Uplo, seed: u64) -> Result<BatchFixture<T>> {
    let mut rng = Rng::new(seed);
    let orders = shapes(count, (most, most), &mut rng);
    fixture(orders.into_iter().map(|(n, _)| member(n, uplo, &mut rng)).collect(), uplo, most)
}

fn ratio<T: Scalar>(fixture: &BatchFixture<T>, Outcome(factors, codes): &Outcome<T>, uplo: Uplo, i: usize) -> f64 {
    assert_eq!(codes[i], 0, "member {i}");
    let a = &fixture.members[0][i];
    if a.data().is_empty() { 0.0 } else { factorisation(uplo, a, &factors[i]) }
}

fn cases() -> impl Iterator<Item = (Dtype, Uplo)> {
    Dtype::ALL.into_iter().flat_map(|dtype| Uplo::ALL.iter().map(move |&uplo| (dtype, uplo)))
}

/// All members are factored as in a uniform batch, under every plan.
#[test]
fn members_are_factored_whatever_their_orders() -> Result<()> {
    let _alone = crate::alone();
    let lib = Library::required();
    for ((dtype, uplo), most) in cases().flat_map(|case| LARGEST.map(|most| (case, most))) {
        with_scalar!(dtype, T => {
            let fixture = random::<T>(most, 31, uplo, 31)?;
            for path in sweep::paths(lib.backend()?).iter().map(|path| Some(*path)).chain([None]) {
                let run = || fixture.run(NATIVE, [0.0; 4], |_| true);
                let outcome = match path {
                    Some(path) => sweep::with_plan(lib, path, run)?,
                    None => run(),
                };
                match outcome {
                    // TEPHRA_STATUS_NOT_SUPPORTED: no kernel holds the matrices.
                    Err(Error::Status { code: 1, .. }) if path.is_some() => continue,
                    outcome => {
                        let outcome = outcome?;
                        for i in 0..31 {
                            let ratio = ratio(&fixture, &outcome, uplo, i);
                            assert!(ratio < 20.0, "{dtype:?} {uplo:?} {most} {path:?}, member {i}: {ratio}");
                        }
                    }
                }
            }
        });
    }
    Ok(())
}

/// So many members have the same order that they are processed together, including indefinite ones.
#[test]
fn many_are_of_the_same_order() -> Result<()> {
    let _alone = crate::alone();
    for (dtype, uplo) in cases() {
        with_scalar!(dtype, T => {
            let (most, count, mut rng) = (6, 900, Rng::new(39));
            let bad = |i: usize| i % 11 == 3;
            let make = |i: usize| {
                let mut a = member::<T>(1 + i % most, uplo, &mut rng);
                if bad(i) {
                    a[(0, 0)] = T::from_double(<T as Scalar>::Double::real(-1.0));
                }
                a
            };
            let fixture = fixture((0..count).map(make).collect(), uplo, most)?;
            let outcome = fixture.run(NATIVE, [0.0; 4], |_| true)?;
            for i in 0..count {
                if bad(i) {
                    assert_eq!(outcome.1[i], 1, "{dtype:?} {uplo:?} member {i}");
                } else {
                    let ratio = ratio(&fixture, &outcome, uplo, i);
                    assert!(ratio < 20.0, "{dtype:?} {uplo:?} member {i}: {ratio}");
                }
            }
        });
    }
    Ok(())
}

/// MAGMA's functions give bitwise the same results.
#[test]
fn magmas_forms_are_the_native_one() -> Result<()> {
    let _alone = crate::alone();
    for ((dtype, uplo), most) in cases().flat_map(|case| [8, 33, 150].map(|most| (case, most))) {
        with_scalar!(dtype, T => {
            let fixture = random::<T>(most, 23, uplo, 32)?;
            let native = fixture.run(NATIVE, [0.0; 4], |_| true)?;
            for entry in MAGMA {
                let magma = fixture.run(entry, [0.0; 4], |_| true)?;
                let same = native.0.iter().zip(&magma.0).all(|(x, y)| same_bits(x.data(), y.data()));
                assert!(same && native.1 == magma.1, "{} {dtype:?} {most}", entry.0);
            }
        });
    }
    Ok(())
}

/// Invalid orders are reported, their members are not touched, and the others give the same results as without them.
#[test]
fn what_is_not_valid_is_left_alone() -> Result<()> {
    let _alone = crate::alone();
    for ((dtype, uplo), most) in cases().flat_map(|case| [7, 16, 32, 50, 128, 150].map(|most| (case, most))) {
        with_scalar!(dtype, T => {
            let mut fixture = random::<T>(most, 29, uplo, 33)?;
            let clean = fixture.run(NATIVE, [0.0; 4], |_| true)?;
            let some: Vec<usize> = (0..29).filter(|&i| !fixture.members[0][i].data().is_empty()).take(3).collect();
            let rows = fixture.members[0][some[2]].rows();
            let wrong = [("n", usize::MAX, -2), ("n", most + 1, -2), ("lda", rows - 1, -4)];
            for (&i, (word, value, _)) in some.iter().zip(wrong) {
                fixture.set_size(word, i, value)?;
            }
            let valid = |i| !some.contains(&i);
            let outcome = fixture.run(NATIVE, [0.0; 4], valid)?;
            for i in 0..29 {
                match some.iter().position(|&s| s == i) {
                    Some(place) => assert_eq!(outcome.1[i], wrong[place].2, "{dtype:?} {most}"),
                    None => {
                        assert!(same_bits(outcome.0[i].data(), clean.0[i].data()), "{dtype:?} {most} {i}");
                        assert_eq!(outcome.1[i], clean.1[i]);
                    }
                }
            }
            assert!(matches!(fixture.run(MAGMA[0], [0.0; 4], |_| false), Err(Error::Status { code: -2, .. })));
            assert_eq!(fixture.run(MAGMA[1], [0.0; 4], valid)?.1, outcome.1);
        });
    }
    Ok(())
}

/// A matrix of NaN and one that is not positive definite affect no other member, and the first bad minor is reported.
#[test]
fn a_bad_matrix_is_alone() -> Result<()> {
    let _alone = crate::alone();
    for ((dtype, uplo), most) in cases().flat_map(|case| [8, 30, 64, 150, 300].map(|most| (case, most))) {
        with_scalar!(dtype, T => {
            let clean_scene = random::<T>(most, 19, uplo, 34)?;
            let clean = clean_scene.run(NATIVE, [0.0; 4], |_| true)?;
            let mut members = clean_scene.members[0].clone();
            let large: Vec<usize> = (0..19).filter(|&i| members[i].rows() > 1).take(3).collect();
            let real = |x: f64| T::from_double(<T as Scalar>::Double::real(x));
            members[large[0]] = triangle(uplo, &members[large[0]].map(|_| real(f64::NAN)), |_, _| T::POISON);
            members[large[1]][(1, 1)] = real(-1.0);
            let last = members[large[2]].rows() - 1;
            members[large[2]][(last, last)] = real(-1.0);
            let outcome = fixture(members, uplo, most)?.run(NATIVE, [0.0; 4], |_| true)?;
            let codes = [large[0], large[1], large[2]].map(|i| outcome.1[i]);
            assert_eq!(codes, [1, 2, last as c_int + 1], "{dtype:?} {uplo:?} {most}");
            for i in (0..19).filter(|i| !large.contains(i)) {
                assert!(same_bits(outcome.0[i].data(), clean.0[i].data()), "{dtype:?} {most} {i}");
            }
        });
    }
    Ok(())
}

/// Argument errors that the host can detect.
#[test]
fn bad_arguments_are_numbered() -> Result<()> {
    let _alone = crate::alone();
    let lib = Library::required();
    let fixture = random::<f64>(5, 3, Uplo::Lower, 35)?;
    let session = Session::new(lib);
    let bad = |symbol: &str, words: &str, changes: &[(usize, u64)]| {
        let mut arguments = fixture.arguments(words, &session)?;
        changes.iter().for_each(|&(at, value)| arguments[at - 1] = value);
        // SAFETY: the call is refused, or has nothing to do, before it accesses memory.
        Ok::<_, Error>(unsafe { call(lib, symbol, [0.0; 4], &arguments) })
    };
    for (at, value) in [(1, u64::MAX), (2, 0), (3, 0), (4, 0), (5, 0), (7, u64::MAX), (7, i64::MAX as u64)] {
        assert_eq!(bad("tephra_dpotrf_vbatched", NATIVE.1, &[(at, value)])?, -(at as c_int), "argument {at}");
    }
    // With nothing to do, arrays may be NULL.
    for at in [1, 7] {
        assert_eq!(bad("tephra_dpotrf_vbatched", NATIVE.1, &[(at, 0), (3, 0), (4, 0), (5, 0)])?, 0, "argument {at}");
    }
    for (at, value) in [(1, 0), (2, 0), (3, 0), (4, 0), (6, u64::MAX)] {
        assert_eq!(bad("magma_dpotrf_vbatched", MAGMA[0].1, &[(at, value)])?, -(at as c_int), "argument {at}");
    }
    for (at, value) in [(1, 0), (2, 0), (3, 0), (4, 0), (6, u64::MAX), (7, u64::MAX)] {
        let code = bad("magma_dpotrf_vbatched_max_nocheck", MAGMA[1].1, &[(at, value)])?;
        assert_eq!(code, -(at as c_int), "argument {at}");
    }
    let mut bytes = 1usize;
    let query = [30, Uplo::Upper.cblas() as u64, 10, &raw mut bytes as u64];
    assert_eq!(unsafe { call(lib, "tephra_dpotrf_vbatched_workspace", [0.0; 4], &query) }, 0);
    assert_eq!(bytes, 0);
    Ok(())
}

/// A captured call is replayed with orders that were set after the capture.
#[test]
fn a_graph_takes_other_orders() -> Result<()> {
    let _alone = crate::alone();
    let lib = Library::required();
    if lib.backend()? != Backend::Cuda {
        return Ok(());
    }
    let (most, uplo, mut rng) = (300, Uplo::Lower, Rng::new(36));
    let mut fixture = fixture((0..9).map(|_| member::<f64>(most, uplo, &mut rng)).collect(), uplo, most)?;
    let stream = tephra_testkit::memory::Stream::new(lib)?;
    let session = Session::on(lib, stream.raw());
    let arguments = fixture.arguments(NATIVE.1, &session)?;
    let function = AnyFunction::named(lib, "tephra_dpotrf_vbatched")?;
    // SAFETY: the arguments match the prototype, and the memory outlives the graph.
    let issue = || match sweep::without_forced_plan(|| unsafe { function.call([0.0; 4], &arguments) }) {
        0 => Ok(()),
        code => Err(Error::status("tephra_dpotrf_vbatched", code)),
    };
    issue()?;
    stream.synchronize()?;
    let graph = tephra_testkit::driver::Driver::get()?.capture(stream.raw(), issue)?;
    let order = |i: usize| 37 * i + 1;
    for i in 0..9 {
        fixture.set_size("n", i, order(i))?;
    }
    fixture.upload()?;
    graph.launch(stream.raw())?;
    stream.synchronize()?;
    let Outcome(factors, codes) = fixture.outcome(|_| true)?;
    for i in 0..9 {
        let part = |a: &Matrix<f64>| Matrix::from_fn(order(i), order(i), |r, c| a[(r, c)]);
        assert_eq!(codes[i], 0);
        assert!(factorisation(uplo, &part(&fixture.members[0][i]), &part(&factors[i])) < 20.0, "{i}");
    }
    Ok(())
}
