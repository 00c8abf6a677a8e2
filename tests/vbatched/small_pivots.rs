//! getrf_nopiv with tolerances: small pivots are replaced and counted.

use std::ffi::c_int;
use tephra_testkit::any_call::{AnyFunction, registers};
use tephra_testkit::library::symbol_name;
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::{Field, bytes_of};
use tephra_testkit::varying::{shapes, vectors};
use tephra_testkit::{Dtype, Error, Library, Matrix, Result, Rng, Scalar, sweep, with_scalar};

type BatchFixture<T> = vectors::BatchFixture<T, f32>;

/// Entry points with the words of their arguments; `least` stands for the array of tolerances.
const ENTRIES: [(&str, &str); 3] = [
    ("magma_?getrf_nopiv_expert_vbatched", "m n A lda least info batch queue"),
    ("magma_?getrf_nopiv_vbatched_max_nocheck", "m n 0 max_m max_n 0 0 0 0 A lda least info batch queue"),
    ("magma_?getrf_nopiv_vbatched_max_nocheck_work", "m n max_m max_n 0 0 A lda least info 0 lwork batch queue"),
];

/// The tolerance of all members, and that of each member: every third has none.
const LEAST: f64 = 0.5;
fn least_of(i: usize) -> f64 {
    if i.is_multiple_of(3) { 0.0 } else { LEAST }
}

/// A matrix whose pivots are far from the tolerance: its diagonal has zeros, small numbers and large ones of both
/// signs, which the other elements change little.
fn member<T: Scalar>((m, n): (usize, usize), bad: bool, rng: &mut Rng) -> Matrix<T> {
    let small = 1.0 / (8.0 * m.max(n) as f64);
    Matrix::from_fn(m, n, |i, j| {
        let x = <T as Scalar>::Double::uniform(rng);
        T::from_double(match (i == j, if bad { rng.below(4) } else { 2 + rng.below(2) }) {
            (false, _) => x.scale(small),
            (true, 0) => <T as Scalar>::Double::ZERO,
            (true, 1) => x.scale(0.1),
            (true, 2) => <T as Scalar>::Double::parts(1.5, -0.25),
            (true, _) => <T as Scalar>::Double::parts(-1.5, 0.25),
        })
    })
}

/// The factors in higher precision, column by column, and the number of replaced pivots.
fn factors<T: Scalar>(a: &Matrix<T>, least: f64) -> (Matrix<T::Double>, c_int) {
    let (m, n) = (a.rows(), a.cols());
    let (mut x, mut replaced) = (Matrix::from_fn(m, n, |i, j| a[(i, j)].to_double()), 0);
    for k in 0..m.min(n) {
        let pivot = x[(k, k)];
        if pivot.re().abs() + pivot.im().abs() < least {
            x[(k, k)] = T::Double::real(if pivot.re() < 0.0 { -least } else { least });
            replaced += 1;
        }
        let pivot = x[(k, k)];
        let inverse = pivot.conj().scale(1.0 / (pivot * pivot.conj()).re());
        for i in k + 1..m {
            let l = x[(i, k)] * inverse;
            x[(i, k)] = l;
            for j in k + 1..n {
                let u = x[(k, j)];
                x[(i, j)] -= l * u;
            }
        }
    }
    (x, replaced)
}

/// A real number in the type's precision, as bytes.
fn real_bytes<T: Scalar>(x: f64) -> Vec<u8> {
    if T::DTYPE.is_double() { x.to_ne_bytes().to_vec() } else { (x as f32).to_ne_bytes().to_vec() }
}

/// Calls an entry point with `each` as the array of tolerances, or with NULL and one tolerance for all.
fn run<T: Scalar>(
    fixture: &BatchFixture<T>,
    (symbol, words): (&str, &str),
    each: Option<&Memory>,
) -> Result<vectors::Outcome<T, f32>> {
    let lib = Library::required();
    let (session, name) = (Session::new(lib), symbol_name(symbol, T::DTYPE));
    fixture.upload()?;
    let mut arguments = fixture.arguments(&words.replace("least", "0"), &session)?;
    if let Some(memory) = each {
        let at = words.split(' ').position(|word| word == "least").expect("a place for tolerances");
        arguments[at] = memory.pointer() as u64;
    }
    // If both an array and a single tolerance are given, the array applies.
    let number = real_bytes::<T>(if each.is_some() { 7.0 } else { LEAST });
    let scalars = registers([&number[..]], T::DTYPE.is_double());
    let function = AnyFunction::named(lib, &name)?;
    // SAFETY: the arguments match the prototype, and the memory is as large as the sizes say.
    match sweep::without_forced_plan(|| unsafe { function.call(scalars, &arguments) }) {
        0 => session.synchronize()?,
        code => return Err(Error::status(name, code)),
    }
    fixture.outcome(|_| true, false)
}

/// In every form, by kernels that hold whole matrices and by panels.
#[test]
fn small_pivots_are_replaced_and_counted() -> Result<()> {
    let _alone = crate::alone();
    let lib = Library::required();
    for dtype in Dtype::ALL {
        for (most, entry) in [(1, 1), (8, 8), (13, 16), (32, 30), (64, 64), (96, 90), (128, 140), (300, 40), (180, 200)]
            .into_iter()
            .zip(ENTRIES.into_iter().cycle())
        {
            with_scalar!(dtype, T => {
                let mut rng = Rng::new(31);
                let sizes = shapes(17, most, &mut rng);
                let members: Vec<Matrix<T>> =
                    sizes.iter().enumerate().map(|(i, &s)| member(s, least_of(i) > 0.0, &mut rng)).collect();
                let bytes: Vec<u8> = (0..17).flat_map(|i| real_bytes::<T>(least_of(i))).collect();
                let each = Memory::new(lib, Kind::Device, bytes.len())?;
                each.write(&bytes)?;
                let fixture = BatchFixture::of(members, most)?;
                for tolerances in [None, Some(&each)] {
                    let got = run(&fixture, entry, tolerances)?;
                    for (i, a) in fixture.members.iter().enumerate() {
                        let least = if tolerances.is_some() { least_of(i) } else { LEAST };
                        let (wanted, replaced) = factors(a, least);
                        let case = format!("{} {dtype:?} {most:?}, member {i}", entry.0);
                        assert_eq!(got.codes[i], replaced, "{case}");
                        for (x, y) in got.members[i].data().iter().zip(wanted.data()) {
                            let error = (x.to_double() - *y).abs();
                            assert!(error <= 50.0 * T::DTYPE.eps(), "{case}: {error}");
                        }
                    }
                }
            });
        }
    }
    Ok(())
}

/// A NaN does not count as a small pivot and stays within its matrix. A zero matrix becomes I times the tolerance.
#[test]
fn bad_matrices_are_alone() -> Result<()> {
    let _alone = crate::alone();
    for dtype in Dtype::ALL {
        for (most, entry) in [(8, 8), (32, 32), (64, 60), (150, 150)].into_iter().zip(ENTRIES.into_iter().cycle()) {
            with_scalar!(dtype, T => {
                let mut rng = Rng::new(32);
                let mut members: Vec<Matrix<T>> = (0..9).map(|_| member(most, true, &mut rng)).collect();
                let clean = run(&BatchFixture::of(members.clone(), most)?, entry, None)?;
                members[2].data_mut().fill(T::from_double(<T as Scalar>::Double::real(f64::NAN)));
                members[5].data_mut().fill(T::from_double(<T as Scalar>::Double::ZERO));
                let got = run(&BatchFixture::of(members, most)?, entry, None)?;
                let steps = most.0.min(most.1);
                assert_eq!((got.codes[2], got.codes[5]), (0, steps as c_int), "{} {dtype:?}", entry.0);
                for (i, j) in (0..most.0).flat_map(|i| (0..most.1).map(move |j| (i, j))) {
                    let wanted = if i == j && i < steps { LEAST } else { 0.0 };
                    assert!(got.members[5][(i, j)].to_double() == <T as Scalar>::Double::real(wanted), "{dtype:?} {most:?} {i} {j}");
                }
                for i in [0, 1, 3, 4, 6, 7, 8] {
                    assert_eq!(bytes_of(got.members[i].data()), bytes_of(clean.members[i].data()), "{dtype:?} {most:?} {i}");
                }
            });
        }
    }
    Ok(())
}
