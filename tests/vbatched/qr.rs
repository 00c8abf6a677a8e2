//! geqrf.

use std::ffi::c_int;
use tephra_testkit::agreement::{Agreement, compare, well_separated};
use tephra_testkit::any_call::{AnyFunction, call};
use tephra_testkit::guarded::Placement;
use tephra_testkit::library::Backend;
use tephra_testkit::matrices::Class;
use tephra_testkit::qr::{EntryForm, QrBatch, Session};
use tephra_testkit::ratios::{Ratios, convention, measure};
use tephra_testkit::scalar::{Field, bytes_of};
use tephra_testkit::signatures;
use tephra_testkit::varying::shapes;
use tephra_testkit::varying::vectors::{BatchFixture, Outcome};
use tephra_testkit::{Dtype, Error, Library, Matrix, Result, Rng, Scalar, sweep, with_scalar};

/// Largest sizes: on both sides of the largest that kernels hold, wide and tall.
const LARGEST: [(usize, usize); 18] = [
    (1, 1),
    (8, 8),
    (5, 12),
    (16, 16),
    (32, 32),
    (20, 33),
    (33, 20),
    (64, 64),
    (96, 90),
    (129, 129),
    (150, 40),
    (40, 150),
    (260, 200),
    (200, 260),
    (700, 70),
    (1500, 20),
    (2500, 9),
    (300, 1),
];

fn run<T: Scalar>(fixture: &BatchFixture<T>, valid: impl Fn(usize) -> bool) -> Result<Outcome<T>> {
    fixture.run(signatures::GEQRF.names[3], signatures::GEQRF.varying, valid)
}

/// A batch of random sizes, whose members `make` creates from their indices.
fn fixture<T: Scalar>(
    most: (usize, usize),
    count: usize,
    seed: u64,
    make: impl Fn(usize, (usize, usize), &mut Rng) -> Matrix<T>,
) -> Result<BatchFixture<T>> {
    let mut rng = Rng::new(seed);
    let shapes = shapes(count, most, &mut rng).into_iter().enumerate();
    BatchFixture::of(shapes.map(|(i, shape)| make(i, shape, &mut rng)).collect(), most)
}

fn random<T: Scalar>(_: usize, (m, n): (usize, usize), rng: &mut Rng) -> Matrix<T> {
    Matrix::from_fn(m, n, |_, _| T::from_double(<T as Scalar>::Double::uniform(rng)))
}

/// Checks a member that must have been factored.
fn check<T: Scalar>(fixture: &BatchFixture<T>, outcome: &Outcome<T>, i: usize, what: &str) {
    let (a, factors, tau) = (&fixture.members[i], &outcome.members[i], outcome.vectors[i].data());
    let what = format!("{:?} {what}, member {i}, {} x {}", T::DTYPE, a.rows(), a.cols());
    assert_eq!(outcome.codes[i], 0, "{what}");
    if a.data().is_empty() {
        return;
    }
    let ratios = measure(a, factors, tau);
    assert!(ratios.largest() < Ratios::THRESHOLD, "{what}: {ratios:?}");
    convention(factors, tau).unwrap_or_else(|e| panic!("{what}: {e}"));
}

/// Runs `body` under every plan that accepts the matrices, and with the library's own choice.
fn by_every_plan(mut body: impl FnMut(&str) -> Result<()>) -> Result<()> {
    let lib = Library::required();
    for path in sweep::paths_of_members(lib.backend()?).iter().map(|path| Some(*path)).chain([None]) {
        let done = match path {
            Some(path) => sweep::with_plan(lib, path, || body(path))?,
            None => body("own choice"),
        };
        match done {
            // TEPHRA_STATUS_NOT_SUPPORTED: no kernel holds the matrices.
            Err(Error::Status { code: 1, .. }) if path.is_some() => {}
            other => other?,
        }
    }
    Ok(())
}

/// Members with more rows than a block holds, which are few, so they are padded to one size.
#[test]
fn tall_members_are_factored() -> Result<()> {
    let _alone = crate::alone();
    for dtype in Dtype::ALL {
        for (most, count) in [((2200, 40), 5), ((5000, 40), 4), ((9000, 20), 3), ((33_000, 9), 3)] {
            with_scalar!(dtype, T => {
                let fixture = fixture::<T>(most, count, 29, random)?;
                let outcome = run(&fixture, |_| true)?;
                (0..count).for_each(|i| check(&fixture, &outcome, i, "tall"));
            });
        }
    }
    Ok(())
}

/// A requested plan either accepts the whole call, whatever the smaller members are, or writes nothing.
#[test]
fn a_plan_takes_all_members_or_none() -> Result<()> {
    let _alone = crate::alone();
    let lib = Library::required();
    for path in sweep::paths_of_members(lib.backend()?) {
        for most in [(8, 8), (64, 64)] {
            let fixture = fixture::<f64>(most, 29, 18, random)?;
            match sweep::with_plan(lib, path, || run(&fixture, |_| true))? {
                Err(Error::Status { code: 1, .. }) => {
                    fixture.a.download(|_| false)?;
                    let mut codes = vec![0; 29];
                    fixture.info.read(&mut codes)?;
                    assert!(codes.iter().all(|&code| code == codes[0] && code < 0), "{path} {most:?}");
                    assert!(most == (8, 8) || lib.backend()? == Backend::Cuda, "{path} takes the largest");
                }
                other => (0..29).for_each(|i| check(&fixture, other.as_ref().unwrap(), i, path)),
            }
        }
    }
    Ok(())
}

/// So many members have the same size that they are processed together, including members of zeros and of NaN.
#[test]
fn many_are_of_the_same_size() -> Result<()> {
    let _alone = crate::alone();
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => {
            let odd = |i: usize| i % 9 == 4;
            let make = |i: usize, shape, rng: &mut Rng| {
                let a = random::<T>(i, shape, rng);
                let filled = |x: f64| Matrix::from_fn(shape.0, shape.1, |_, _| T::from_double(<T as Scalar>::Double::real(x)));
                if odd(i) { filled(if i.is_multiple_of(2) { 0.0 } else { f64::NAN }) } else { a }
            };
            let fixture = fixture::<T>((5, 4), 1500, 21, make)?;
            let outcome = run(&fixture, |_| true)?;
            (0..1500).filter(|i| !odd(*i)).for_each(|i| check(&fixture, &outcome, i, "together"));
            assert!(outcome.codes.iter().all(|code| *code == 0));
        });
    }
    Ok(())
}

/// All members are factored as in a uniform batch, whatever they contain.
#[test]
fn members_are_factored_whatever_their_sizes() -> Result<()> {
    let _alone = crate::alone();
    for dtype in Dtype::ALL {
        for most in LARGEST {
            by_every_plan(|plan| {
                with_scalar!(dtype, T => {
                    // Each class has members of several sizes.
                    let of_class = |i: usize, (m, n), rng: &mut Rng| {
                        if i.is_multiple_of(2) || m * n == 0 { return random(i, (m, n), rng); }
                        Class::ALL[i / 2 % Class::ALL.len()].generate(m, n, rng)
                    };
                    let count = if most.0 * most.1 > 20_000 { 41 } else { 97 };
                    let fixture = fixture::<T>(most, count, 11, of_class)?;
                    let outcome = run(&fixture, |_| true)?;
                    (0..count).for_each(|i| check(&fixture, &outcome, i, &format!("{most:?} {plan}")));
                    Ok(())
                })
            })?;
        }
    }
    Ok(())
}

/// The factors of each member agree with those of a uniform call up to rounding.
#[test]
fn members_are_those_of_uniform_calls() -> Result<()> {
    let _alone = crate::alone();
    let session = Session::new(Library::required());
    for dtype in Dtype::ALL {
        for most in [(8, 8), (20, 16), (32, 40), (90, 80), (140, 150), (600, 30)] {
            with_scalar!(dtype, T => {
                let fixture = fixture::<T>(most, 23, 12, |_, (m, n), rng| {
                    if m * n == 0 { random(0, (m, n), rng) } else { well_separated(m, n, rng) }
                })?;
                let outcome = run(&fixture, |_| true)?;
                for (i, a) in fixture.members.iter().enumerate().filter(|(_, a)| !a.data().is_empty()) {
                    let one = QrBatch::of(session.library(), std::slice::from_ref(a), &Placement::guarded())?;
                    let uniform = one.run(&session, EntryForm::Pointers)?.remove(0);
                    let own = (&outcome.members[i], outcome.vectors[i].data());
                    let agreement = compare(own, (&uniform.factors, &uniform.tau));
                    let (m, n) = (a.rows(), a.cols());
                    assert!(agreement.largest() < Agreement::BOUND, "{dtype:?} {most:?}, {m} x {n}: {agreement:?}");
                }
            });
        }
    }
    Ok(())
}

/// Invalid sizes are reported, their members are not touched, and the others give the same results as without them.
#[test]
fn what_is_not_valid_is_left_alone() -> Result<()> {
    let _alone = crate::alone();
    for dtype in Dtype::ALL {
        for most in [(7, 8), (16, 12), (32, 32), (50, 64), (96, 90), (140, 150), (700, 20)] {
            with_scalar!(dtype, T => {
                let mut fixture = fixture::<T>(most, 29, 13, random)?;
                let clean = run(&fixture, |_| true)?;
                let some: Vec<usize> = (0..29).filter(|&i| !fixture.members[i].data().is_empty()).take(5).collect();
                let rows = fixture.members[some[4]].rows();
                // The first invalid argument determines the code.
                let wrong = [
                    (0, usize::MAX, -1),
                    (0, most.0 + 1, -1),
                    (1, usize::MAX, -2),
                    (1, most.1 + 1, -2),
                    (2, rows - 1, -4),
                ];
                for (&i, (array, value, _)) in some.iter().zip(wrong) {
                    fixture.set_size(array, i, value)?;
                }
                let outcome = run(&fixture, |i| !some.contains(&i))?;
                for i in 0..29 {
                    match some.iter().position(|&s| s == i) {
                        Some(place) => assert_eq!(outcome.codes[i], wrong[place].2, "{dtype:?} {most:?}"),
                        None => {
                            same(&outcome, &clean, i);
                            assert_eq!(outcome.codes[i], 0);
                        }
                    }
                }
            });
        }
    }
    Ok(())
}

/// Panics unless a member is bitwise the same in both outcomes.
fn same<T: Scalar>(x: &Outcome<T>, y: &Outcome<T>, i: usize) {
    assert_eq!(bytes_of(x.members[i].data()), bytes_of(y.members[i].data()), "{:?} {i}", T::DTYPE);
    assert_eq!(bytes_of(x.vectors[i].data()), bytes_of(y.vectors[i].data()), "{:?} {i}", T::DTYPE);
}

/// A matrix of NaN and one with an infinity affect no other member.
#[test]
fn a_bad_matrix_is_alone() -> Result<()> {
    let _alone = crate::alone();
    for dtype in Dtype::ALL {
        for most in [(8, 8), (30, 32), (64, 64), (150, 140), (400, 16)] {
            with_scalar!(dtype, T => {
                let fixture = fixture::<T>(most, 19, 14, random)?;
                let clean = run(&fixture, |_| true)?;
                let large = |i: &usize| fixture.members[*i].rows() > 1 && fixture.members[*i].cols() > 1;
                let [first, second] = [0, 1].map(|k| (0..19).filter(large).nth(k).unwrap());
                let mut members = fixture.members.clone();
                members[first].data_mut().fill(T::from_double(<T as Scalar>::Double::real(f64::NAN)));
                members[second][(1, 1)] = T::from_double(<T as Scalar>::Double::real(f64::INFINITY));
                let outcome = run(&BatchFixture::of(members, most)?, |_| true)?;
                assert!(outcome.codes.iter().all(|code| *code == 0));
                assert!(outcome.members[first].data()[0].to_double().re().is_nan());
                (0..19).filter(|i| ![first, second].contains(i)).for_each(|i| same(&outcome, &clean, i));
            });
        }
    }
    Ok(())
}

/// Argument errors that the host can detect.
#[test]
fn bad_arguments_are_numbered() -> Result<()> {
    let _alone = crate::alone();
    let lib = Library::required();
    let fixture = fixture::<f64>((5, 4), 3, 15, random)?;
    let arguments = fixture.arguments(signatures::GEQRF.varying, &Session::new(lib))?;
    let native = |changes: &[(usize, u64)]| {
        let mut arguments = arguments.clone();
        changes.iter().for_each(|&(at, value)| arguments[at - 1] = value);
        // SAFETY: the call is refused, or has nothing to do, before it accesses memory.
        unsafe { call(lib, "tephra_dgeqrf_vbatched", [0.0; 4], &arguments) }
    };
    for (at, value) in
        [(1, u64::MAX), (2, u64::MAX), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (9, u64::MAX), (9, i64::MAX as u64)]
    {
        assert_eq!(native(&[(at, value)]), -(at as c_int), "argument {at}");
    }
    // With nothing to do, arrays may be NULL.
    for at in [1, 2, 9] {
        assert_eq!(native(&[(at, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0)]), 0, "argument {at}");
    }
    let mut bytes = 1usize;
    let query = [30, 20, 10, &raw mut bytes as u64];
    assert_eq!(unsafe { call(lib, "tephra_dgeqrf_vbatched_workspace", [0.0; 4], &query) }, 0);
    assert_eq!(bytes, 0);
    Ok(())
}

/// A captured call is replayed with sizes that were set after the capture.
#[test]
fn a_graph_takes_other_sizes() -> Result<()> {
    let _alone = crate::alone();
    let lib = Library::required();
    if lib.backend()? != Backend::Cuda {
        return Ok(());
    }
    let (most, mut rng) = ((150, 140), Rng::new(17));
    let all: Vec<Matrix<f64>> = (0..9).map(|i| random(i, most, &mut rng)).collect();
    let mut fixture = BatchFixture::of(all, most)?;
    let stream = tephra_testkit::memory::Stream::new(lib)?;
    let arguments = fixture.arguments(signatures::GEQRF.varying, &Session::on(lib, stream.raw()))?;
    let function = AnyFunction::named(lib, "tephra_dgeqrf_vbatched")?;
    // SAFETY: the arguments match the prototype, and the memory outlives the graph.
    let issue = || match sweep::without_forced_plan(|| unsafe { function.call([0.0; 4], &arguments) }) {
        0 => Ok(()),
        code => Err(Error::status("tephra_dgeqrf_vbatched", code)),
    };
    issue()?;
    stream.synchronize()?;
    let graph = tephra_testkit::driver::Driver::get()?.capture(stream.raw(), issue)?;
    for i in 0..9 {
        fixture.members[i] = Matrix::from_fn(10 * i + 3, 15 * i + 1, |r, c| fixture.members[i][(r, c)]);
        fixture.set_size(0, i, 10 * i + 3)?;
        fixture.set_size(1, i, 15 * i + 1)?;
    }
    fixture.a.upload()?;
    fixture.vectors.upload()?;
    graph.launch(stream.raw())?;
    stream.synchronize()?;
    let whole = (fixture.a.download(|_| true)?, fixture.vectors.download(|_| true)?);
    let mut codes = vec![0; 9];
    fixture.info.read(&mut codes)?;
    let members = (0..9).map(|i| Matrix::from_fn(10 * i + 3, 15 * i + 1, |r, c| whole.0[i][(r, c)])).collect();
    let tau = |i: usize| Matrix::from_fn((10 * i + 3).min(15 * i + 1), 1, |r, _| whole.1[i][(r, 0)]);
    let outcome = Outcome { members, vectors: (0..9).map(tau).collect(), codes };
    (0..9).for_each(|i| check(&fixture, &outcome, i, "replayed"));
    Ok(())
}
