//! getrf and getrf_nopiv.

use std::ffi::c_int;
use tephra_testkit::any_call::{AnyFunction, call};
use tephra_testkit::library::{Backend, symbol_name};
use tephra_testkit::ops::lu::from_integers;
use tephra_testkit::ops::residuals::factorisation;
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::{Field, bytes_of};
use tephra_testkit::signatures::{GETRF, GETRF_NOPIV};
use tephra_testkit::varying::{shapes, vectors};
use tephra_testkit::{Dtype, Error, Library, Matrix, Result, Rng, Scalar, sweep, with_scalar};

/// Largest sizes: on both sides of the largest that kernels hold, wide and tall.
const LARGEST: [(usize, usize); 13] = [
    (1, 1),
    (8, 8),
    (5, 12),
    (16, 16),
    (32, 32),
    (20, 33),
    (64, 64),
    (96, 90),
    (129, 129),
    (150, 40),
    (40, 150),
    (260, 200),
    (700, 70),
];

/// A batch with row interchanges, which are typed `f32` because only bits are moved.
pub struct LuFixture<T> {
    pub batch: vectors::BatchFixture<T, f32>,
    pivoting: bool,
}

pub type Outcome<T> = vectors::Outcome<T, f32>;

impl<T: Scalar> LuFixture<T> {
    pub fn new(most: (usize, usize), count: usize, pivoting: bool, seed: u64) -> Result<Self> {
        let mut rng = Rng::new(seed);
        let members = shapes(count, most, &mut rng).into_iter().map(|s| member(s, pivoting, &mut rng)).collect();
        Self::of(members, most, pivoting)
    }

    pub fn of(members: Vec<Matrix<T>>, most: (usize, usize), pivoting: bool) -> Result<Self> {
        Ok(LuFixture { batch: vectors::BatchFixture::of(members, most)?, pivoting })
    }

    pub fn members(&self) -> &[Matrix<T>] {
        &self.batch.members
    }

    /// Runs one entry point; `valid` says which members have valid sizes.
    pub fn run(&self, entry: &LuEntry, valid: impl Fn(usize) -> bool) -> Result<Outcome<T>> {
        let (symbol, words) = if self.pivoting { entry.with_pivoting() } else { entry.without_pivoting() };
        self.batch.run(symbol, words, valid)
    }

    /// Checks a member that must have been factored, and returns its ratio.
    fn ratio(&self, outcome: &Outcome<T>, i: usize) -> f64 {
        assert_eq!(outcome.codes[i], 0, "member {i}");
        if self.members()[i].data().is_empty() {
            return 0.0;
        }
        let steps = if self.pivoting { outcome.vectors[i].data() } else { &[] };
        let ipiv = from_integers::<T>(steps.iter().map(|x| x.to_bits() as usize));
        factorisation(&self.members()[i], &outcome.members[i], &ipiv)
    }
}

/// A random matrix; without pivoting, with a diagonal that outweighs its columns.
fn member<T: Scalar>((m, n): (usize, usize), pivoting: bool, rng: &mut Rng) -> Matrix<T> {
    let mut a = Matrix::from_fn(m, n, |_, _| T::from_double(<T as Scalar>::Double::uniform(rng)));
    for j in 0..if pivoting { 0 } else { m.min(n) } {
        a[(j, j)] = T::from_double(a[(j, j)].to_double() + <T as Scalar>::Double::real(2.0 * m as f64));
    }
    a
}

/// An entry point and its arguments, both with and without pivoting.
pub struct LuEntry {
    pub symbol: &'static str,
    words: &'static str,
    nopiv_symbol: &'static str,
    nopiv_words: &'static str,
    /// Whether it checks the sizes before it does anything.
    pub checks_sizes: bool,
}

impl LuEntry {
    /// The names and the words of the function that pivots.
    pub fn with_pivoting(&self) -> (&'static str, &'static str) {
        (self.symbol, self.words)
    }

    /// The same without pivoting.
    pub fn without_pivoting(&self) -> (&'static str, &'static str) {
        (self.nopiv_symbol, self.nopiv_words)
    }
}

pub const NATIVE: LuEntry = LuEntry {
    symbol: GETRF.names[3],
    words: GETRF.varying,
    nopiv_symbol: GETRF_NOPIV.names[3],
    nopiv_words: GETRF_NOPIV.varying,
    checks_sizes: false,
};
pub const MAGMA: [LuEntry; 3] = [
    LuEntry {
        symbol: "magma_?getrf_vbatched",
        words: "m n A lda ipiv info batch queue",
        nopiv_symbol: "magma_?getrf_nopiv_vbatched",
        nopiv_words: "m n A lda info batch queue",
        checks_sizes: true,
    },
    LuEntry {
        symbol: "magma_?getrf_vbatched_max_nocheck",
        words: "m n 0 max_m max_n 0 0 0 0 A lda ipiv 0 info batch queue",
        nopiv_symbol: "magma_?getrf_nopiv_vbatched_max_nocheck",
        // The array of tolerances is NULL; the single tolerance, 0, is passed in a floating-point register.
        nopiv_words: "m n 0 max_m max_n 0 0 0 0 A lda 0 info batch queue",
        checks_sizes: false,
    },
    LuEntry {
        symbol: "magma_?getrf_vbatched_max_nocheck_work",
        words: "m n max_m max_n 0 0 A lda ipiv info 0 lwork batch queue",
        nopiv_symbol: "magma_?getrf_nopiv_vbatched_max_nocheck_work",
        nopiv_words: "m n max_m max_n 0 0 A lda 0 info 0 lwork batch queue",
        checks_sizes: false,
    },
];

/// Members with more rows than a block holds: their panels are a cluster's, and beyond that one block's.
#[test]
fn tall_members_are_factored() -> Result<()> {
    let _alone = crate::alone();
    for (dtype, pivoting) in Dtype::ALL.into_iter().flat_map(|dtype| [(dtype, true), (dtype, false)]) {
        for (most, count) in [((1100, 70), 7), ((3000, 70), 5), ((9000, 40), 4), ((33_000, 9), 3)] {
            with_scalar!(dtype, T => {
                let fixture = LuFixture::<T>::new(most, count, pivoting, 23)?;
                let outcome = fixture.run(&NATIVE, |_| true)?;
                for i in 0..count {
                    let ratio = fixture.ratio(&outcome, i);
                    assert!(ratio < 20.0, "{dtype:?} {most:?}, member {i}: {ratio}");
                }
            });
        }
    }
    Ok(())
}

/// All members are factored as in a uniform batch, under every plan.
#[test]
fn members_are_factored_whatever_their_sizes() -> Result<()> {
    let _alone = crate::alone();
    let lib = Library::required();
    for (dtype, pivoting) in Dtype::ALL.into_iter().flat_map(|dtype| [(dtype, true), (dtype, false)]) {
        for most in LARGEST {
            let whole = sweep::paths(lib.backend()?).iter().map(|path| Some(*path)).chain([None]);
            for path in whole {
                with_scalar!(dtype, T => {
                    let fixture = LuFixture::<T>::new(most, 41, pivoting, 11)?;
                    let run = || fixture.run(&NATIVE, |_| true);
                    let outcome = match path {
                        Some(path) => sweep::with_plan(lib, path, run)?,
                        None => run(),
                    };
                    match outcome {
                        // TEPHRA_STATUS_NOT_SUPPORTED: no kernel holds the matrices.
                        Err(Error::Status { code: 1, .. }) if path.is_some() => continue,
                        outcome => {
                            let outcome = outcome?;
                            for i in 0..fixture.members().len() {
                                let ratio = fixture.ratio(&outcome, i);
                                assert!(ratio < 20.0, "{dtype:?} {most:?} {path:?}, member {i}: {ratio}");
                            }
                        }
                    }
                });
            }
        }
    }
    Ok(())
}

/// MAGMA's functions give bitwise the same results.
#[test]
fn magmas_forms_are_the_native_one() -> Result<()> {
    let _alone = crate::alone();
    for (dtype, pivoting) in Dtype::ALL.into_iter().flat_map(|dtype| [(dtype, true), (dtype, false)]) {
        for most in [(8, 8), (33, 20), (140, 150)] {
            with_scalar!(dtype, T => {
                let fixture = LuFixture::<T>::new(most, 23, pivoting, 12)?;
                let native = fixture.run(&NATIVE, |_| true)?;
                for entry in &MAGMA {
                    let magma = fixture.run(entry, |_| true)?;
                    let same = native.members.iter().zip(&magma.members).all(|(x, y)| bytes_of(x.data()) == bytes_of(y.data()));
                    let pivots = native.vectors.iter().zip(&magma.vectors).all(|(x, y)| bytes_of(x.data()) == bytes_of(y.data()));
                    assert!(same && pivots && native.codes == magma.codes, "{} {dtype:?} {most:?}", entry.symbol);
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
        for most in [(7, 8), (16, 12), (32, 32), (50, 64), (96, 90), (140, 150)] {
            with_scalar!(dtype, T => {
                let mut fixture = LuFixture::<T>::new(most, 29, true, 13)?;
                let clean = fixture.run(&NATIVE, |_| true)?;
                let some: Vec<usize> = (0..29).filter(|&i| !fixture.members()[i].data().is_empty()).take(5).collect();
                let rows = fixture.members()[some[4]].rows();
                // The first invalid argument determines the code.
                let wrong = [
                    (0, usize::MAX, -1),
                    (0, most.0 + 1, -1),
                    (1, usize::MAX, -2),
                    (1, most.1 + 1, -2),
                    (2, rows - 1, -4),
                ];
                for (&i, (array, value, _)) in some.iter().zip(wrong) {
                    fixture.batch.set_size(array, i, value)?;
                }
                let outcome = fixture.run(&NATIVE, |i| !some.contains(&i))?;
                for i in 0..29 {
                    match some.iter().position(|&s| s == i) {
                        Some(place) => assert_eq!(outcome.codes[i], wrong[place].2, "{dtype:?} {most:?}"),
                        None => {
                            assert_eq!(bytes_of(outcome.members[i].data()), bytes_of(clean.members[i].data()), "{dtype:?} {most:?} {i}");
                            assert_eq!(outcome.codes[i], clean.codes[i]);
                        }
                    }
                }
                for entry in &MAGMA {
                    let answer = fixture.run(entry, |i| !some.contains(&i));
                    match answer {
                        Err(Error::Status { code: -1, .. }) if entry.checks_sizes => {}
                        Ok(got) if !entry.checks_sizes => assert_eq!(got.codes, outcome.codes, "{}", entry.symbol),
                        other => panic!("{}: {:?}", entry.symbol, other.map(|outcome| outcome.codes)),
                    }
                }
            });
        }
    }
    Ok(())
}

/// A matrix of NaN and a singular one affect no other member, and the first zero pivot is reported.
#[test]
fn a_bad_matrix_is_alone() -> Result<()> {
    let _alone = crate::alone();
    for dtype in Dtype::ALL {
        for most in [(8, 8), (30, 32), (64, 64), (150, 140)] {
            with_scalar!(dtype, T => {
                let fixture = LuFixture::<T>::new(most, 19, true, 14)?;
                let clean = fixture.run(&NATIVE, |_| true)?;
                let large = |i: &usize| fixture.members()[*i].rows() > 1 && fixture.members()[*i].cols() > 1;
                let [first, second] = [0, 1].map(|k| (0..19).filter(large).nth(k).unwrap());
                let mut members = fixture.members().to_vec();
                members[first].data_mut().fill(T::from_double(<T as Scalar>::Double::real(f64::NAN)));
                members[second].col_mut(1).fill(T::from_double(<T as Scalar>::Double::ZERO));
                let outcome = LuFixture::of(members, most, true)?.run(&NATIVE, |_| true)?;
                assert_eq!((outcome.codes[first], outcome.codes[second]), (0, 2), "{dtype:?} {most:?}");
                for i in (0..19).filter(|i| ![first, second].contains(i)) {
                    assert_eq!(bytes_of(outcome.members[i].data()), bytes_of(clean.members[i].data()), "{dtype:?} {most:?} {i}");
                }
            });
        }
    }
    Ok(())
}

/// So many members have the same size that they are processed together. Each one, including singular ones, gives the
/// result that it gives alone.
#[test]
fn many_are_of_the_same_size() -> Result<()> {
    let _alone = crate::alone();
    for (dtype, pivoting) in Dtype::ALL.into_iter().flat_map(|dtype| [(dtype, true), (dtype, false)]) {
        with_scalar!(dtype, T => {
            let (most, count) = ((5, 4), 1500);
            let fixture = LuFixture::<T>::new(most, count, pivoting, 19)?;
            let clean = fixture.run(&NATIVE, |_| true)?;
            for i in 0..count {
                let ratio = fixture.ratio(&clean, i);
                assert!(ratio < 20.0, "{dtype:?} member {i}: {ratio}");
            }
            let mut members = fixture.members().to_vec();
            let wide = |i: &usize| members[*i].rows() > 1 && members[*i].cols() > 1;
            let singular: Vec<usize> = (0..count).filter(wide).step_by(7).collect();
            for &i in &singular {
                let (rows, cols) = (members[i].rows(), members[i].cols());
                members[i] = Matrix::from_fn(rows, cols, |r, c| if r == 1 || c == 1 { T::from_double(<T as Scalar>::Double::ZERO) } else { members[i][(r, c)] });
            }
            let outcome = LuFixture::of(members, most, pivoting)?.run(&NATIVE, |_| true)?;
            for i in 0..count {
                if singular.contains(&i) {
                    assert!(outcome.codes[i] > 0, "{dtype:?} member {i}");
                } else {
                    assert_eq!(outcome.codes[i], 0, "{dtype:?} member {i}");
                    assert_eq!(bytes_of(outcome.members[i].data()), bytes_of(clean.members[i].data()), "{dtype:?} {i}");
                }
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
    let fixture = LuFixture::<f64>::new((5, 4), 3, true, 15)?;
    let session = Session::new(lib);
    let arguments = fixture.batch.arguments(NATIVE.words, &session)?;
    let native = |changes: &[(usize, u64)]| {
        let mut arguments = arguments.clone();
        changes.iter().for_each(|&(at, value)| arguments[at - 1] = value);
        // SAFETY: the call is refused, or has nothing to do, before it accesses memory.
        unsafe { call(lib, "tephra_dgetrf_vbatched", [0.0; 4], &arguments) }
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
    let magma = |symbol: &str, words: &str, (at, value): (usize, u64)| {
        let mut arguments = fixture.batch.arguments(words, &session)?;
        arguments[at - 1] = value;
        // SAFETY: the call is refused before it accesses memory.
        Ok::<_, Error>(unsafe { call(lib, &symbol_name(symbol, Dtype::D), [0.0; 4], &arguments) })
    };
    for (at, value) in [(1, 0), (2, 0), (3, 0), (4, 0), (7, u64::MAX)] {
        assert_eq!(magma(MAGMA[0].symbol, MAGMA[0].words, (at, value))?, -(at as c_int), "argument {at}");
    }
    for (at, value) in [(4, u64::MAX), (5, u64::MAX), (1, 0), (10, 0), (11, 0), (15, u64::MAX)] {
        assert_eq!(magma(MAGMA[1].symbol, MAGMA[1].words, (at, value))?, -(at as c_int), "argument {at}");
    }
    // The workspace size is NULL.
    assert_eq!(magma(MAGMA[2].symbol, MAGMA[2].words, (12, 0))?, -12);
    // ipiv is NULL, as when SuperLU calls it: no pivoting.
    let nopiv = LuFixture::<f64>::new((40, 40), 9, false, 16)?;
    nopiv.batch.a.upload()?;
    let mut arguments = nopiv.batch.arguments(MAGMA[0].words, &session)?;
    arguments[4] = 0;
    assert_eq!(sweep::without_forced_plan(|| unsafe { call(lib, "magma_dgetrf_vbatched", [0.0; 4], &arguments) }), 0);
    let mut bytes = 1usize;
    let query = [30, 20, 10, &raw mut bytes as u64];
    assert_eq!(
        sweep::without_forced_plan(|| unsafe { call(lib, "tephra_dgetrf_vbatched_workspace", [0.0; 4], &query) }),
        0
    );
    assert_eq!(bytes, 0);
    Ok(())
}

/// Members without elements have a code too, even if all members are such; their leading dimension may be 0.
#[test]
fn empty_members_have_codes() -> Result<()> {
    let _alone = crate::alone();
    for pivoting in [true, false] {
        for (most, full) in [((0, 0), 0), ((4, 0), 0), ((40, 40), 2)] {
            let (mut rng, empty) =
                (Rng::new(18), [(0, 0), (0, 3), (2, 0), (0, 0)].map(|(m, n)| (most.0.min(m), most.1.min(n))));
            let shapes = empty.into_iter().chain([most; 2].into_iter().take(full));
            let members: Vec<Matrix<f64>> = shapes.map(|shape| member(shape, pivoting, &mut rng)).collect();
            let count = members.len();
            let mut fixture = LuFixture::of(members, most, pivoting)?;
            for entry in MAGMA.iter().chain([&NATIVE]) {
                assert_eq!(fixture.run(entry, |_| true)?.codes, vec![0; count], "{} {most:?}", entry.symbol);
            }
            // MAGMA's getrf requires leading dimensions of at least 1 where it checks them.
            for i in 0..4 {
                if fixture.members()[i].rows() == 0 {
                    fixture.batch.set_size(2, i, 0)?;
                }
            }
            for entry in MAGMA.iter().chain([&NATIVE]) {
                match fixture.run(entry, |_| true) {
                    Err(Error::Status { code: -4, .. }) if entry.checks_sizes => {}
                    got => assert_eq!(got?.codes, vec![0; count], "{} {most:?}", entry.symbol),
                }
            }
        }
    }
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
    let all: Vec<Matrix<f64>> = (0..9).map(|_| member(most, true, &mut rng)).collect();
    let mut fixture = LuFixture::of(all, most, true)?;
    let stream = tephra_testkit::memory::Stream::new(lib)?;
    let session = Session::on(lib, stream.raw());
    let arguments = fixture.batch.arguments(NATIVE.words, &session)?;
    let function = AnyFunction::named(lib, "tephra_dgetrf_vbatched")?;
    // SAFETY: the arguments match the prototype, and the memory outlives the graph.
    let issue = || match sweep::without_forced_plan(|| unsafe { function.call([0.0; 4], &arguments) }) {
        0 => Ok(()),
        code => Err(Error::status("tephra_dgetrf_vbatched", code)),
    };
    issue()?;
    stream.synchronize()?;
    let graph = tephra_testkit::driver::Driver::get()?.capture(stream.raw(), issue)?;
    for i in 0..9 {
        fixture.batch.members[i] = Matrix::from_fn(10 * i + 3, 15 * i + 1, |r, c| fixture.members()[i][(r, c)]);
        fixture.batch.set_size(0, i, 10 * i + 3)?;
        fixture.batch.set_size(1, i, 15 * i + 1)?;
    }
    fixture.batch.a.upload()?;
    fixture.batch.vectors.upload()?;
    graph.launch(stream.raw())?;
    stream.synchronize()?;
    let whole = (fixture.batch.a.download(|_| true)?, fixture.batch.vectors.download(|_| true)?);
    let mut codes = vec![0; 9];
    fixture.batch.info.read(&mut codes)?;
    let factors = (0..9).map(|i| Matrix::from_fn(10 * i + 3, 15 * i + 1, |r, c| whole.0[i][(r, c)])).collect();
    let ipiv = (0..9).map(|i| Matrix::from_fn((10 * i + 3).min(15 * i + 1), 1, |r, _| whole.1[i][(r, 0)])).collect();
    let outcome = Outcome::<f64> { members: factors, vectors: ipiv, codes };
    assert!((0..9).all(|i| fixture.ratio(&outcome, i) < 20.0));
    Ok(())
}
