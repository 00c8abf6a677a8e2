//! geqp3.

use std::ffi::c_int;
use tephra_testkit::any_call::call;
use tephra_testkit::ops::lu::from_integers;
use tephra_testkit::ops::pivoted::ratio;
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::{Field, same_bits};
use tephra_testkit::signatures;
use tephra_testkit::varying::fixture::{BatchFixture, Outcome};
use tephra_testkit::varying::{VariableSizeBatch, shapes};
use tephra_testkit::{Dtype, Error, Library, Matrix, Result, Rng, Scalar, with_scalar};

/// Largest sizes: on both sides of the largest that kernels hold, tall and wide; and so large that few members take
/// two launches per column.
const LARGEST: [(usize, usize); 11] =
    [(1, 1), (8, 5), (5, 9), (48, 48), (33, 60), (70, 66), (128, 100), (150, 20), (20, 140), (140, 150), (330, 320)];

/// Members, and the columns of each that are chosen to come first.
struct Pivoted<T> {
    fixture: BatchFixture<T>,
    choices: Vec<Matrix<f32>>, // numbers of columns, seen as `f32`
    jpvt: VariableSizeBatch<f32>,
}

/// The results of a call.
struct Results<T> {
    factors: Vec<Matrix<T>>,
    tau: Vec<Matrix<T>>,
    jpvt: Vec<Matrix<f32>>,
    codes: Vec<c_int>,
}

impl<T: Scalar> Pivoted<T> {
    fn new(most: (usize, usize), count: usize, seed: u64) -> Result<Self> {
        let mut rng = Rng::new(seed);
        let sizes = shapes(count, most, &mut rng);
        let a = sizes
            .iter()
            .map(|&(m, n)| Matrix::from_fn(m, n, |_, _| T::from_double(<T as Scalar>::Double::uniform(&mut rng))));
        let a: Vec<Matrix<T>> = a.collect();
        let tau = sizes.iter().map(|&(m, n)| Matrix::from_fn(m.min(n), 1, |_, _| T::POISON)).collect();
        let mut chosen = |i: usize| u32::from(i % 2 == 1 && rng.one_in(4));
        let choice = |(i, &(_, n)): (usize, &(usize, usize))| Matrix::from_fn(n, 1, |_, _| f32::from_bits(chosen(i)));
        let choices: Vec<_> = sizes.iter().enumerate().map(choice).collect();
        let jpvt = VariableSizeBatch::of(Library::required(), &choices, 3)?;
        let of = |f: fn(&(usize, usize)) -> usize| sizes.iter().map(f).collect::<Vec<_>>();
        let arrays = vec![("m", of(|size| size.0)), ("n", of(|size| size.1))];
        let numbers = vec![("max_m", most.0 as u64), ("max_n", most.1 as u64), ("jpvt", jpvt.pointers())];
        let fixture = BatchFixture::new(vec![(["tau", ""], tau), (["A", "lda"], a)], arrays, numbers)?.writing("tau");
        Ok(Pivoted { fixture, choices, jpvt })
    }

    /// Runs the call and returns factors, scalar factors, permutations and codes. Invalid members must not change.
    fn run(&self, valid: impl Fn(usize) -> bool) -> Result<Results<T>> {
        self.jpvt.upload()?;
        let Outcome(factors, codes) = self.fixture.run(signatures::GEQP3.entry_spec(), [0.0; 4], &valid)?;
        let full = |i: usize| !self.fixture.members[1][i].data().is_empty();
        let jpvt = self.jpvt.download(|i| valid(i) && full(i))?;
        Ok(Results { factors, tau: self.fixture.contents(0)?, jpvt, codes })
    }
}

#[test]
fn members_are_factored_whatever_their_sizes() -> Result<()> {
    let _alone = crate::alone();
    for (dtype, most) in Dtype::ALL.into_iter().flat_map(|dtype| LARGEST.map(|most| (dtype, most))) {
        with_scalar!(dtype, T => {
            let pivoted = Pivoted::<T>::new(most, 23, 81)?;
            let Results { factors, tau, jpvt, codes } = pivoted.run(|_| true)?;
            for (i, a) in pivoted.fixture.members[1].iter().enumerate() {
                let numbers = |jpvt: &Matrix<f32>| from_integers::<T>(jpvt.data().iter().map(|x| x.to_bits() as usize));
                let of = || ratio(a, &numbers(&pivoted.choices[i]), &factors[i], tau[i].data(), &numbers(&jpvt[i]));
                let ratio = if a.data().is_empty() { 0.0 } else { of() };
                assert!(ratio < 30.0 && codes[i] == 0, "{dtype:?} {most:?}, member {i}: {ratio}, {}", codes[i]);
            }
        });
    }
    Ok(())
}

/// Invalid sizes are reported and their members are not touched. The others are affected neither by them nor by a NaN.
#[test]
fn what_is_not_valid_is_left_alone() -> Result<()> {
    let _alone = crate::alone();
    for (dtype, most) in Dtype::ALL.into_iter().flat_map(|dtype| LARGEST.map(|most| (dtype, most))) {
        with_scalar!(dtype, T => {
            let mut pivoted = Pivoted::<T>::new(most, 31, 82)?;
            let clean = pivoted.run(|_| true)?;
            let some: Vec<usize> = (0..31).filter(|i| pivoted.fixture.members[1][*i].data().len() > 1).take(6).collect();
            let Some(&[nan, ref some @ ..]) = (some.len() == 6).then_some(&some[..]) else { continue };
            let rows = pivoted.fixture.members[1][some[4]].rows();
            let wrong = [
                ("m", usize::MAX, -1), ("m", most.0 + 1, -1), ("n", most.1 + 1, -2), ("n", usize::MAX, -2), ("lda", rows - 1, -4),
            ];
            for (&i, (word, value, _)) in some.iter().zip(wrong) {
                pivoted.fixture.set_size(word, i, value)?;
            }
            pivoted.fixture.change(1, nan, |a| a[(0, 0)] = T::from_double(<T as Scalar>::Double::real(f64::NAN)));
            let Results { factors, tau, jpvt, codes } = pivoted.run(|i| !some.contains(&i))?;
            for i in (0..31).filter(|i| *i != nan) {
                let code = some.iter().position(|of| *of == i).map_or(0, |at| wrong[at].2);
                assert_eq!(codes[i], code, "{dtype:?} {most:?}, member {i}");
                if code == 0 {
                    let same = same_bits(factors[i].data(), clean.factors[i].data()) && same_bits(tau[i].data(), clean.tau[i].data());
                    assert!(same && same_bits(jpvt[i].data(), clean.jpvt[i].data()), "{dtype:?} {most:?}, member {i}");
                }
            }
        });
    }
    Ok(())
}

/// Argument numbers, and arrays that may be NULL.
#[test]
fn bad_arguments_have_their_numbers() -> Result<()> {
    let _alone = crate::alone();
    let (lib, session) = (Library::required(), Session::new(Library::required()));
    let pivoted = Pivoted::<f64>::new((5, 4), 3, 83)?;
    let place = |word: &str| signatures::GEQP3.varying.split(' ').position(|w| w == word).expect("an argument");
    let bad = |changes: &[(&str, u64)]| {
        let mut arguments = pivoted.fixture.arguments(signatures::GEQP3.varying, &session)?;
        changes.iter().for_each(|&(word, value)| arguments[place(word)] = value);
        // SAFETY: the call is refused, or has nothing to do, before it accesses memory.
        Ok::<_, Error>(unsafe { call(lib, "tephra_dgeqp3_vbatched", [0.0; 4], &arguments) })
    };
    for word in ["max_m", "max_n", "batch"] {
        assert_eq!(bad(&[(word, u64::MAX)])?, -(place(word) as c_int + 1), "{word}");
    }
    for word in ["m", "n", "A", "lda", "jpvt", "tau"] {
        assert_eq!(bad(&[(word, 0)])?, -(place(word) as c_int + 1), "{word}");
    }
    assert_eq!(bad(&[("batch", 0), ("n", 0), ("A", 0)])?, 0);
    Ok(())
}
