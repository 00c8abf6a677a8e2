//! getrs, gesv, potrs, posv and laswp: systems whose members each have their own order and number of right-hand sides.

use std::ffi::c_int;
use tephra_testkit::any_call::{AnyFunction, call};
use tephra_testkit::library::Backend;
use tephra_testkit::ops::cholesky::{self, hermitian, triangle};
use tephra_testkit::ops::lu::from_integers;
use tephra_testkit::ops::residuals::{exchange, factorisation, reference, solution};
use tephra_testkit::ops::{Trans, Uplo};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::{Field, same_bits, worst};
use tephra_testkit::signatures;
use tephra_testkit::varying::fixture::{BatchFixture, Outcome};
use tephra_testkit::varying::{EntrySpec, VariableSizeBatch, shapes};
use tephra_testkit::{Dtype, Error, Library, Matrix, Result, Rng, Scalar, sweep, with_scalar};

/// The routine that solves, and how it is called.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Getrs(Trans),
    Gesv,
    Potrs(Uplo),
    Posv(Uplo),
}

impl Kind {
    const ALL: [Kind; 8] = [
        Kind::Getrs(Trans::N),
        Kind::Getrs(Trans::T),
        Kind::Getrs(Trans::C),
        Kind::Gesv,
        Kind::Potrs(Uplo::Lower),
        Kind::Potrs(Uplo::Upper),
        Kind::Posv(Uplo::Lower),
        Kind::Posv(Uplo::Upper),
    ];

    fn call(self) -> EntrySpec {
        match self {
            Kind::Getrs(_) => signatures::GETRS.entry_spec(),
            Kind::Gesv => signatures::GESV.entry_spec(),
            Kind::Potrs(_) => signatures::POTRS.entry_spec(),
            Kind::Posv(_) => signatures::POSV.entry_spec(),
        }
    }

    /// The codes of members whose n, nrhs, lda or ldb is invalid: LAPACK's argument numbers.
    fn codes(self) -> [c_int; 4] {
        match self {
            Kind::Getrs(_) => [-2, -3, -5, -8],
            Kind::Gesv => [-1, -2, -4, -7],
            Kind::Potrs(_) | Kind::Posv(_) => [-2, -3, -5, -7],
        }
    }

    fn factors(self) -> bool {
        matches!(self, Kind::Gesv | Kind::Posv(_))
    }

    fn numbers(self) -> Vec<(&'static str, u64)> {
        match self {
            Kind::Getrs(trans) => vec![("trans", trans.cblas() as u64)],
            Kind::Gesv => vec![],
            Kind::Potrs(uplo) | Kind::Posv(uplo) => vec![("uplo", uplo.cblas() as u64)],
        }
    }
}

/// The maximum number of right-hand sides.
const SIDES: usize = 11;

/// A batch with its interchanges, which are typed `f32`.
struct Systems<T> {
    kind: Kind,
    fixture: BatchFixture<T>,
    /// The matrices of the systems.
    matrices: Vec<Matrix<T>>,
    ipiv: VariableSizeBatch<f32>,
}

impl<T: Scalar> Systems<T> {
    fn of(kind: Kind, matrices: Vec<Matrix<T>>, b: Vec<Matrix<T>>, most: (usize, usize)) -> Result<Self> {
        let orders: Vec<usize> = matrices.iter().map(Matrix::rows).collect();
        let mut ipiv =
            VariableSizeBatch::new(Library::required(), &orders.iter().map(|&n| (n, 1)).collect::<Vec<_>>(), 9)?;
        let given: Vec<Matrix<T>> = matrices
            .iter()
            .enumerate()
            .map(|(i, a)| match kind {
                Kind::Getrs(_) => {
                    let (factors, pivots) = reference(a, true);
                    let bits = |r: usize| f32::from_bits(pivots[r] as u32);
                    ipiv.set(i, &Matrix::from_fn(a.rows(), 1, |r, _| bits(r)));
                    factors
                }
                Kind::Gesv => a.clone(),
                Kind::Potrs(uplo) => triangle(uplo, &cholesky::reference(uplo, a), |_, _| T::POISON),
                Kind::Posv(uplo) => triangle(uplo, a, |_, _| T::POISON),
            })
            .collect();
        ipiv.upload()?;
        let sides = b.iter().map(Matrix::cols).collect();
        let mut numbers = vec![("max_n", most.0 as u64), ("max_nrhs", most.1 as u64), ("ipiv", ipiv.pointers())];
        numbers.extend(kind.numbers());
        let operands = vec![(["A", "lda"], given), (["B", "ldb"], b)];
        let fixture = BatchFixture::new(operands, vec![("n", orders), ("nrhs", sides)], numbers)?;
        let fixture = if kind.factors() { fixture.writing("A") } else { fixture };
        Ok(Systems { kind, fixture, matrices, ipiv })
    }

    fn random(kind: Kind, most: usize, count: usize, seed: u64) -> Result<Self> {
        let mut rng = Rng::new(seed);
        let sizes = shapes(count, (most, SIDES), &mut rng);
        let mut uniform = |m, n| Matrix::from_fn(m, n, |_, _| T::from_double(<T as Scalar>::Double::uniform(&mut rng)));
        let (mut a, mut b) = (vec![], vec![]);
        for (n, nrhs) in sizes {
            a.push(matrix(kind, &uniform(n, n)));
            b.push(uniform(n, nrhs));
        }
        Systems::of(kind, a, b, (most, SIDES))
    }

    fn run(&self, valid: impl Fn(usize) -> bool) -> Result<Outcome<T>> {
        self.ipiv.upload()?;
        let outcome = self.fixture.run(self.kind.call(), [0.0; 4], &valid)?;
        self.ipiv.download(|i| self.kind == Kind::Gesv && valid(i))?;
        Ok(outcome)
    }

    /// The ratio of a member's result.
    fn ratio(&self, Outcome(x, codes): &Outcome<T>, i: usize) -> Result<f64> {
        assert_eq!(codes[i], 0, "member {i}");
        let (a, b) = (&self.matrices[i], &self.fixture.members[1][i]);
        if a.rows() == 0 {
            return Ok(0.0);
        }
        let factors = || Ok::<_, Error>(self.fixture.contents(0)?.swap_remove(i));
        let of_factors = match self.kind {
            Kind::Getrs(_) | Kind::Potrs(_) => 0.0,
            Kind::Gesv => {
                let ipiv = self.ipiv.download(|_| true)?.swap_remove(i);
                factorisation(a, &factors()?, &from_integers(ipiv.data().iter().map(|x| x.to_bits() as usize)))
            }
            Kind::Posv(uplo) => cholesky::factorisation(uplo, &self.fixture.members[0][i], &factors()?),
        };
        let (trans, whole) = match self.kind {
            Kind::Getrs(trans) => (trans, a.to_double()),
            Kind::Gesv => (Trans::N, a.to_double()),
            Kind::Potrs(uplo) | Kind::Posv(uplo) => (Trans::N, hermitian(uplo, &a.to_double())),
        };
        Ok(worst(of_factors, if b.cols() == 0 { 0.0 } else { solution(trans, &whole, b, &x[i]) }))
    }
}

/// A matrix that the routine can solve with. Imaginary parts on the diagonal of a Hermitian matrix must not be read.
fn matrix<T: Scalar>(kind: Kind, a: &Matrix<T>) -> Matrix<T> {
    match kind {
        Kind::Getrs(_) | Kind::Gesv => a.clone(),
        Kind::Potrs(_) | Kind::Posv(_) => {
            let heavy = <T as Scalar>::Double::real(2.0 * a.rows() as f64);
            Matrix::from_fn(a.rows(), a.cols(), |i, j| {
                if i == j { T::from_double(a[(i, j)].to_double() + heavy) } else { a[(i, j)] }
            })
        }
    }
}

fn cases() -> impl Iterator<Item = (Dtype, Kind)> {
    Dtype::ALL.into_iter().flat_map(|dtype| Kind::ALL.map(move |kind| (dtype, kind)))
}

/// All members are solved, under every plan.
#[test]
fn members_are_solved_whatever_their_sizes() -> Result<()> {
    let _alone = crate::alone();
    let lib = Library::required();
    for ((dtype, kind), most) in cases().flat_map(|case| [1, 7, 32, 70, 140].map(|most| (case, most))) {
        with_scalar!(dtype, T => {
            let systems = Systems::<T>::random(kind, most, 23, 51)?;
            for path in sweep::paths_of_members(lib.backend()?).iter().map(|path| Some(*path)).chain([None]) {
                let run = || systems.run(|_| true);
                let outcome = match path {
                    Some(path) => sweep::with_plan(lib, path, run)?,
                    None => run(),
                };
                match outcome {
                    // TEPHRA_STATUS_NOT_SUPPORTED: a part has no such plan.
                    Err(Error::Status { code: 1, .. }) if path.is_some() => continue,
                    outcome => {
                        let outcome = outcome?;
                        for i in 0..23 {
                            let ratio = systems.ratio(&outcome, i)?;
                            assert!(ratio < 30.0, "{dtype:?} {kind:?} {most} {path:?}, member {i}: {ratio}");
                        }
                    }
                }
            }
        });
    }
    Ok(())
}

/// Invalid sizes are reported, their members are not touched, and the others give the same results as without them.
#[test]
fn what_is_not_valid_is_left_alone() -> Result<()> {
    let _alone = crate::alone();
    for ((dtype, kind), most) in cases().flat_map(|case| [7, 50].map(|most| (case, most))) {
        with_scalar!(dtype, T => {
            let mut systems = Systems::<T>::random(kind, most, 29, 52)?;
            let clean = systems.run(|_| true)?;
            let some: Vec<usize> = (0..29).filter(|&i| !systems.fixture.members[1][i].data().is_empty()).take(6).collect();
            let rows = |i: usize| systems.fixture.members[0][some[i]].rows() - 1;
            let codes = kind.codes();
            let wrong = [
                ("n", usize::MAX, codes[0]),
                ("n", most + 1, codes[0]),
                ("nrhs", SIDES + 1, codes[1]),
                ("nrhs", usize::MAX, codes[1]),
                ("lda", rows(4), codes[2]),
                ("ldb", rows(5), codes[3]),
            ];
            for (&i, (word, value, _)) in some.iter().zip(wrong) {
                systems.fixture.set_size(word, i, value)?;
            }
            let outcome = systems.run(|i| !some.contains(&i))?;
            for i in 0..29 {
                match some.iter().position(|&s| s == i) {
                    Some(place) => assert_eq!(outcome.1[i], wrong[place].2, "{dtype:?} {kind:?} {most} {place}"),
                    None => {
                        assert!(same_bits(outcome.0[i].data(), clean.0[i].data()), "{dtype:?} {kind:?} {most} {i}");
                        assert_eq!(outcome.1[i], clean.1[i]);
                    }
                }
            }
        });
    }
    Ok(())
}

/// A matrix without a solution is reported and affects no other member.
#[test]
fn a_singular_matrix_is_alone() -> Result<()> {
    let _alone = crate::alone();
    for (dtype, kind) in cases().filter(|(_, kind)| kind.factors()) {
        for most in [8, 40, 150] {
            with_scalar!(dtype, T => {
                let clean_systems = Systems::<T>::random(kind, most, 19, 53)?;
                let clean = clean_systems.run(|_| true)?;
                let (mut a, b) = (clean_systems.matrices.clone(), clean_systems.fixture.members[1].clone());
                let large: Vec<usize> = (0..19).filter(|&i| a[i].rows() > 1).take(2).collect();
                let zero = T::from_double(<T as Scalar>::Double::ZERO);
                a[large[0]] = a[large[0]].map(|_| zero);
                for r in 0..a[large[1]].rows() {
                    a[large[1]][(r, 1)] = zero;
                    a[large[1]][(1, r)] = zero;
                }
                let outcome = Systems::of(kind, a, b, (most, SIDES))?.run(|_| true)?;
                assert_eq!(outcome.1[large[0]], 1, "{dtype:?} {kind:?} {most}");
                assert!(outcome.1[large[1]] > 1, "{dtype:?} {kind:?} {most}");
                let finite = |i: &usize| {
                    let x = &outcome.0[*i];
                    (0..x.cols()).any(|j| x.col(j).iter().all(|x| x.to_double().re().is_finite() && x.to_double().im().is_finite()))
                };
                assert!(kind != Kind::Gesv || !large.iter().any(finite), "{dtype:?} {most}: a solution that there is not");
                for i in (0..19).filter(|i| !large.contains(i)) {
                    assert!(same_bits(outcome.0[i].data(), clean.0[i].data()), "{dtype:?} {kind:?} {most} {i}");
                    assert_eq!(outcome.1[i], 0);
                }
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
    let session = Session::new(lib);
    for kind in [Kind::Getrs(Trans::N), Kind::Gesv, Kind::Potrs(Uplo::Lower), Kind::Posv(Uplo::Lower)] {
        let systems = Systems::<f64>::random(kind, 5, 3, 55)?;
        let (symbol, words, _) = kind.call();
        let name = symbol.replace('?', "d");
        let place = |word: &str| words.split(' ').position(|w| w == word).expect("an argument");
        let bad = |changes: &[(&str, u64)]| {
            let mut arguments = systems.fixture.arguments(words, &session)?;
            changes.iter().for_each(|&(word, value)| arguments[place(word)] = value);
            // SAFETY: the call is refused, or has nothing to do, before it accesses memory.
            Ok::<_, Error>(unsafe { call(lib, &name, [0.0; 4], &arguments) })
        };
        let mut wrong =
            vec![("max_n", u64::MAX), ("max_nrhs", u64::MAX), ("batch", u64::MAX), ("batch", i64::MAX as u64)];
        wrong.extend(["n", "nrhs", "A", "lda", "B", "ldb"].map(|word| (word, 0)));
        wrong.extend(kind.numbers().iter().map(|&(word, _)| (word, 0)));
        if kind == Kind::Gesv {
            wrong.push(("ipiv", 0));
        }
        for (word, value) in wrong {
            assert_eq!(bad(&[(word, value)])?, -(place(word) as c_int + 1), "{kind:?} {word}");
        }
        // With nothing to do, arrays may be NULL.
        for word in ["max_n", "batch"] {
            assert_eq!(bad(&[(word, 0), ("n", 0), ("A", 0), ("B", 0)])?, 0, "{kind:?} {word}");
        }
    }
    Ok(())
}

/// A captured call is replayed with orders that were set after the capture.
#[test]
fn a_graph_takes_other_sizes() -> Result<()> {
    let _alone = crate::alone();
    let lib = Library::required();
    if lib.backend()? != Backend::Cuda {
        return Ok(());
    }
    for kind in [Kind::Gesv, Kind::Posv(Uplo::Lower), Kind::Getrs(Trans::T)] {
        let mut systems = Systems::<f64>::random(kind, 60, 9, 56)?;
        let stream = tephra_testkit::memory::Stream::new(lib)?;
        let session = Session::on(lib, stream.raw());
        let arguments = systems.fixture.arguments(kind.call().1, &session)?;
        let name = kind.call().0.replace('?', "d");
        let function = AnyFunction::named(lib, &name)?;
        // SAFETY: the arguments match the prototype, and the memory outlives the graph.
        let issue = || match sweep::without_forced_plan(|| unsafe { function.call([0.0; 4], &arguments) }) {
            0 => Ok(()),
            code => Err(Error::status(&name, code)),
        };
        issue()?;
        stream.synchronize()?;
        let graph = tephra_testkit::driver::Driver::get()?.capture(stream.raw(), issue)?;
        let fewer: Vec<usize> = systems.fixture.members[1].iter().map(|b| b.cols() / 2).collect();
        for (i, &nrhs) in fewer.iter().enumerate() {
            systems.fixture.set_size("nrhs", i, nrhs)?;
        }
        let clean = systems.run(|_| true)?;
        systems.fixture.upload()?;
        systems.ipiv.upload()?;
        graph.launch(stream.raw())?;
        stream.synchronize()?;
        let replayed = systems.fixture.outcome(|_| true)?;
        for i in 0..9 {
            assert!(same_bits(clean.0[i].data(), replayed.0[i].data()), "{kind:?} {i}");
            assert_eq!(clean.1[i], replayed.1[i]);
        }
    }
    Ok(())
}

/// Rows are exchanged as in LAPACK, in both orders. Members without columns or rows, or with invalid sizes, stay
/// unchanged.
#[test]
fn rows_are_exchanged() -> Result<()> {
    let _alone = crate::alone();
    let lib = Library::required();
    for ((dtype, most), incx) in Dtype::ALL
        .into_iter()
        .flat_map(|dtype| [5, 40, 150].map(|most| (dtype, most)))
        .flat_map(|case| [1, -1].map(|incx| (case, incx)))
    {
        with_scalar!(dtype, T => {
            let mut rng = Rng::new(57);
            let sizes = shapes(17, (most, 35), &mut rng);
            let a: Vec<Matrix<T>> = sizes
                .iter()
                .map(|&(m, n)| Matrix::from_fn(m, n, |_, _| T::from_double(<T as Scalar>::Double::uniform(&mut rng))))
                .collect();
            let pivots: Vec<Vec<usize>> =
                sizes.iter().map(|&(m, _)| (0..m).map(|r| r + 1 + rng.below(m - r)).collect()).collect();
            let mut ipiv = VariableSizeBatch::<f32>::new(lib, &sizes.iter().map(|&(m, _)| (m, 1)).collect::<Vec<_>>(), 3)?;
            for (i, rows) in pivots.iter().enumerate() {
                ipiv.set(i, &Matrix::from_fn(rows.len(), 1, |r, _| f32::from_bits(rows[r] as u32)));
            }
            ipiv.upload()?;
            let of = |f: fn(&(usize, usize)) -> usize| sizes.iter().map(f).collect::<Vec<_>>();
            let numbers = vec![
                ("max_n", 35),
                ("max_k2", most as u64),
                ("k1", 1),
                ("ipiv", ipiv.pointers()),
                ("incx", i64::from(incx) as u64),
            ];
            let arrays = vec![("k2", of(|size| size.0)), ("n", of(|size| size.1))];
            let mut fixture = BatchFixture::new(vec![(["A", "lda"], a.clone())], arrays, numbers)?;
            let bad = (0..17).find(|&i| sizes[i].0 > 1 && sizes[i].1 > 1).expect("one with elements");
            fixture.set_size("k2", bad, most + 1)?;
            let left = fixture.run(signatures::LASWP.entry_spec(), [0.0; 4], |i| i != bad)?.0;
            for i in (0..17).filter(|&i| i != bad) {
                let mut expected = a[i].clone();
                exchange(&mut expected, &pivots[i], incx < 0);
                assert!(same_bits(expected.data(), left[i].data()), "{dtype:?} {most} {incx} {i}");
            }
        });
    }
    Ok(())
}
