//! gels, gelqf and trsv.

use std::ffi::c_int;
use tephra_testkit::any_call::call;
use tephra_testkit::ops::least_squares::least_squares;
use tephra_testkit::ops::measure::solved;
use tephra_testkit::ops::solve::Triangular;
use tephra_testkit::ops::{Diag, Side, Trans, Uplo};
use tephra_testkit::qr::Session;
use tephra_testkit::ratios::{Ratios, convention, measure};
use tephra_testkit::scalar::{Field, same_bits};
use tephra_testkit::signatures;
use tephra_testkit::varying::fixture::{BatchFixture, Outcome};
use tephra_testkit::varying::shapes;
use tephra_testkit::{Dtype, Error, Library, Matrix, Result, Rng, Scalar, with_scalar};

/// Largest sizes: on both sides of the largest that kernels hold, tall and wide.
const LARGEST: [(usize, usize); 7] = [(1, 1), (8, 5), (5, 9), (33, 40), (70, 66), (150, 20), (20, 120)];

/// The maximum number of right-hand sides.
const SIDES: usize = 7;

fn random<T: Scalar>(m: usize, n: usize, rng: &mut Rng) -> Matrix<T> {
    Matrix::from_fn(m, n, |_, _| T::from_double(<T as Scalar>::Double::uniform(rng)))
}

/// A random matrix of moderate condition.
fn heavy<T: Scalar>(m: usize, n: usize, rng: &mut Rng) -> Matrix<T> {
    let a = random::<T>(m, n, rng);
    let more = <T as Scalar>::Double::real(1.0 + m.max(n) as f64 / 4.0);
    Matrix::from_fn(m, n, |i, j| if i == j { T::from_double(a[(i, j)].to_double() + more) } else { a[(i, j)] })
}

fn least<T: Scalar>(trans: Trans, most: (usize, usize), count: usize, seed: u64) -> Result<BatchFixture<T>> {
    let mut rng = Rng::new(seed);
    let sizes = shapes(count, most, &mut rng);
    let (mut a, mut b, mut sides) = (vec![], vec![], vec![]);
    for (i, &(m, n)) in sizes.iter().enumerate() {
        sides.push(if i % 6 == 5 { 0 } else { 1 + rng.below(SIDES) });
        a.push(heavy(m, n, &mut rng));
        b.push(random(m.max(n), sides[i], &mut rng));
    }
    let of = |f: fn(&(usize, usize)) -> usize| sizes.iter().map(f).collect::<Vec<_>>();
    let arrays = vec![("m", of(|size| size.0)), ("n", of(|size| size.1)), ("nrhs", sides)];
    let numbers = vec![
        ("max_m", most.0 as u64),
        ("max_n", most.1 as u64),
        ("max_nrhs", SIDES as u64),
        ("trans", trans.cblas() as u64),
    ];
    Ok(BatchFixture::new(vec![(["A", "lda"], a), (["B", "ldb"], b)], arrays, numbers)?.writing("A"))
}

/// The two transpositions that LAPACK offers.
fn forms(dtype: Dtype) -> [Trans; 2] {
    [Trans::N, if dtype.is_complex() { Trans::C } else { Trans::T }]
}

fn cases() -> impl Iterator<Item = (Dtype, Trans, (usize, usize))> {
    let forms = Dtype::ALL.into_iter().flat_map(|dtype| forms(dtype).map(|trans| (dtype, trans)));
    forms.flat_map(|(dtype, trans)| LARGEST.map(|most| (dtype, trans, most)))
}

/// Each member is solved according to its own shape. Without equations X is zero, and without unknowns B stays
/// unchanged.
#[test]
fn members_are_solved_by_their_own_shapes() -> Result<()> {
    crate::also_padded(|| {
        for (dtype, trans, most) in cases() {
            with_scalar!(dtype, T => {
                let fixture = least::<T>(trans, most, 23, 61)?;
                let Outcome(got, codes) = fixture.run(signatures::GELS.entry_spec(), [0.0; 4], |_| true)?;
                for i in 0..23 {
                    let (a, b) = (&fixture.members[0][i], &fixture.members[1][i]);
                    let what = format!("{dtype:?} {trans:?} {most:?}, member {i}: {} x {}", a.rows(), a.cols());
                    assert_eq!(codes[i], 0, "{what}");
                    if a.data().is_empty() {
                        let unknowns = if trans == Trans::N { a.cols() } else { a.rows() };
                        let kept = |r, j| if r < unknowns { T::from_double(<T as Scalar>::Double::ZERO) } else { b[(r, j)] };
                        let expected = Matrix::from_fn(b.rows(), b.cols(), kept);
                        assert!(same_bits(got[i].data(), expected.data()), "{what}");
                        continue;
                    }
                    let ratio = least_squares::<T>(trans, a, b, &got[i]);
                    assert!(ratio < 30.0, "{what}: {ratio}");
                }
            });
        }
        Ok(())
    })
}

/// A and B near the limits of the range have the same solutions as others, thanks to LAPACK's scaling.
#[test]
fn members_at_the_ends_of_the_range_are_solved() -> Result<()> {
    let _alone = crate::alone();
    for (dtype, trans, most) in cases() {
        let end = if dtype.eps() > 1e-10 { 112 } else { 1000 };
        with_scalar!(dtype, T => {
            let plain = least::<T>(trans, most, 12, 62)?;
            let mut fixture = least::<T>(trans, most, 12, 62)?;
            let power = |e: i32| 2f64.powi(e / 2) * 2f64.powi(e - e / 2);
            // X scales with 2^(e_B - e_A), so it stays in range.
            let ends = |i: usize| [(-end, -end), (end, end), (0, -end), (0, end), (0, 0)][i % 5];
            for i in 0..12 {
                let by = |e: i32| move |x: &mut Matrix<T>| {
                    *x = Matrix::from_fn(x.rows(), x.cols(), |r, j| T::from_double(x[(r, j)].to_double().scale(power(e))));
                };
                fixture.change(0, i, by(ends(i).0));
                fixture.change(1, i, by(ends(i).1));
            }
            let Outcome(got, codes) = fixture.run(signatures::GELS.entry_spec(), [0.0; 4], |_| true)?;
            for i in 0..12 {
                let (a, b) = (&plain.members[0][i], &plain.members[1][i]);
                let (of_a, of_b) = ends(i);
                let unknowns = if trans == Trans::N { a.cols() } else { a.rows() };
                let back = Matrix::from_fn(b.rows(), b.cols(), |r, j| {
                    let e = if r < unknowns { of_a - of_b } else { -of_b };
                    T::from_double(got[i][(r, j)].to_double().scale(power(e)))
                });
                let ratio = if a.data().is_empty() { 0.0 } else { least_squares::<T>(trans, a, b, &back) };
                assert!(ratio < 30.0 && codes[i] == 0, "{dtype:?} {trans:?} {most:?}, member {i}: {ratio}");
            }
        });
    }
    Ok(())
}

/// So few that they may be padded.
const COUNT: usize = 31;

/// Invalid sizes are reported, and their members are not touched; a triangular factor with a zero is reported; the
/// others give the same results as without them.
#[test]
fn what_is_not_valid_is_left_alone() -> Result<()> {
    crate::also_padded(|| {
        for (dtype, trans, most) in cases().filter(|(.., (m, n))| m * n > 1) {
            with_scalar!(dtype, T => {
                let mut fixture = least::<T>(trans, most, COUNT, 63)?;
                let clean = fixture.run(signatures::GELS.entry_spec(), [0.0; 4], |_| true)?;
                let whole = |i: &usize| fixture.members[0][*i].data().len() > 1 && fixture.members[1][*i].cols() > 0;
                let some: Vec<usize> = (0..COUNT).filter(whole).take(8).collect();
                let rows: Vec<usize> = some.iter().map(|&i| fixture.members[0][i].rows()).collect();
                let wrong = [
                    ("m", usize::MAX, -2),
                    ("m", most.0 + 1, -2),
                    ("n", most.1 + 1, -3),
                    ("nrhs", SIDES + 1, -4),
                    ("nrhs", usize::MAX, -4),
                    ("lda", rows[5] - 1, -6),
                    ("ldb", fixture.members[1][some[6]].rows() - 1, -8),
                ];
                for (&i, (word, value, _)) in some.iter().zip(wrong) {
                    fixture.set_size(word, i, value)?;
                }
                // The last column of A or A^H, whichever is tall.
                let (m, n) = (rows[7], fixture.members[0][some[7]].cols());
                let none = T::from_double(<T as Scalar>::Double::ZERO);
                fixture.change(0, some[7], |a| {
                    *a = Matrix::from_fn(m, n, |r, j| if (if m < n { r } else { j }) == m.min(n) - 1 { none } else { a[(r, j)] });
                });
                let Outcome(got, codes) = fixture.run(signatures::GELS.entry_spec(), [0.0; 4], |i| !some[..7].contains(&i))?;
                for i in 0..COUNT {
                    match some.iter().position(|&s| s == i) {
                        Some(7) => assert_eq!(codes[i], m.min(n) as c_int, "{dtype:?} {trans:?} {most:?}"),
                        Some(place) => assert_eq!(codes[i], wrong[place].2, "{dtype:?} {trans:?} {most:?} {place}"),
                        None => {
                            assert!(same_bits(got[i].data(), clean.0[i].data()), "{dtype:?} {trans:?} {most:?} {i}");
                            assert_eq!(codes[i], clean.1[i]);
                        }
                    }
                }
            });
        }
        Ok(())
    })
}

fn adjoint<T: Scalar>(a: &Matrix<T>) -> Matrix<T> {
    Matrix::from_double(&a.to_double().adjoint())
}

/// LQ passes the test ratios of the QR factorisation of A^H.
#[test]
fn members_are_factored_from_the_left() -> Result<()> {
    crate::also_padded(|| {
        for (dtype, most) in Dtype::ALL.into_iter().flat_map(|dtype| LARGEST.map(|most| (dtype, most))) {
            with_scalar!(dtype, T => {
                let mut rng = Rng::new(64);
                let sizes = shapes(23, most, &mut rng);
                let a: Vec<Matrix<T>> = sizes.iter().map(|&(m, n)| random(m, n, &mut rng)).collect();
                let tau = sizes.iter().map(|&(m, n)| Matrix::from_fn(m.min(n), 1, |_, _| T::POISON)).collect();
                let of = |f: fn(&(usize, usize)) -> usize| sizes.iter().map(f).collect::<Vec<_>>();
                let arrays = vec![("m", of(|size| size.0)), ("n", of(|size| size.1))];
                let numbers = vec![("max_m", most.0 as u64), ("max_n", most.1 as u64)];
                let operands = vec![(["A", "lda"], a), (["tau", ""], tau)];
                let mut fixture = BatchFixture::new(operands, arrays, numbers)?.writing("A");
                let Outcome(clean, codes) = fixture.run(signatures::GELQF.entry_spec(), [0.0; 4], |_| true)?;
                let factors = fixture.contents(0)?;
                for i in 0..23 {
                    let what = format!("{dtype:?} {most:?}, member {i}");
                    assert_eq!(codes[i], 0, "{what}");
                    let (factors, tau) = (adjoint(&factors[i]), clean[i].data());
                    convention(&factors, tau).unwrap_or_else(|e| panic!("{what}: {e}"));
                    let ratios = measure(&adjoint(&fixture.members[0][i]), &factors, tau);
                    assert!(tau.is_empty() || ratios.largest() < Ratios::THRESHOLD, "{what}: {ratios:?}");
                }
                let some: Vec<usize> = (0..23).filter(|&i| sizes[i].0 > 1 && sizes[i].1 > 0).take(3).collect();
                if some.len() < 3 {
                    continue;
                }
                let wrong = [("m", most.0 + 1, -1), ("n", usize::MAX, -2), ("lda", sizes[some[2]].0 - 1, -4)];
                for (&i, (word, value, _)) in some.iter().zip(wrong) {
                    fixture.set_size(word, i, value)?;
                }
                let Outcome(got, codes) = fixture.run(signatures::GELQF.entry_spec(), [0.0; 4], |i| !some.contains(&i))?;
                for i in 0..23 {
                    let expected = some.iter().position(|&s| s == i).map_or(0, |place| wrong[place].2);
                    assert_eq!(codes[i], expected, "{dtype:?} {most:?}, member {i}");
                    assert!(expected != 0 || same_bits(got[i].data(), clean[i].data()), "{dtype:?} {most:?}, member {i}");
                }
            });
        }
        Ok(())
    })
}

/// Triangles with a condition number near 1; everything that must not be read is poison. x is a row, and its increment
/// is the leading dimension.
fn vectors<T: Scalar>(how: Triangular, most: usize, seed: u64) -> Result<BatchFixture<T>> {
    let (mut rng, one) = (Rng::new(seed), <T as Scalar>::Double::ONE);
    let orders: Vec<usize> = shapes(19, (most, 1), &mut rng).into_iter().map(|(n, _)| n).collect();
    let (mut a, mut x) = (vec![], vec![]);
    for &n in &orders {
        let whole = random::<T>(n, n, &mut rng);
        a.push(Matrix::from_fn(n, n, |i, j| match (i == j, how.diag) {
            (true, Diag::Unit) => T::POISON,
            (true, Diag::NonUnit) => T::from_double(whole[(i, j)].to_double().scale(0.25) + one),
            _ if (i < j) == (how.uplo == Uplo::Upper) => {
                T::from_double(whole[(i, j)].to_double().scale(1.0 / n as f64))
            }
            _ => T::POISON,
        }));
        x.push(random::<T>(1, n, &mut rng));
    }
    let numbers = vec![
        ("max_n", most as u64),
        ("uplo", how.uplo.cblas() as u64),
        ("trans", how.trans.cblas() as u64),
        ("diag", how.diag.cblas() as u64),
    ];
    BatchFixture::new(vec![(["A", "lda"], a), (["X", "incx"], x)], vec![("n", orders)], numbers)
}

/// Systems with one right-hand side, with increments of both signs. Members with invalid sizes stay unchanged.
#[test]
fn vectors_of_any_orders_are_solved() -> Result<()> {
    crate::also_padded(|| {
        for (dtype, most) in Dtype::ALL.into_iter().flat_map(|dtype| [1, 9, 40, 150].map(|most| (dtype, most))) {
            for how in Triangular::all().filter(|how| how.side == Side::Left) {
                with_scalar!(dtype, T => {
                    let mut fixture = vectors::<T>(how, most, 65)?;
                    let backwards = |i: usize| i % 3 == 1;
                    for i in (0..19).filter(|&i| backwards(i)) {
                        fixture.negate_size("incx", i)?;
                    }
                    let columns = |x: &Matrix<T>, i: usize| {
                        let n = x.cols();
                        Matrix::from_fn(n, 1, |r, _| x[(0, if backwards(i) { n - 1 - r } else { r })])
                    };
                    let Outcome(clean, _) = fixture.run(signatures::TRSV.entry_spec(), [0.0; 4], |_| true)?;
                    for (i, x) in clean.iter().enumerate().filter(|(_, x)| !x.data().is_empty()) {
                        let (b, one) = (columns(&fixture.members[1][i], i), T::from_double(<T as Scalar>::Double::ONE));
                        let ratio = solved(how, one, &fixture.members[0][i], &b, &columns(x, i));
                        assert!(ratio < 20.0, "{dtype:?} {most} {how:?}, member {i}: {ratio}");
                    }
                    let some: Vec<usize> = (0..19).filter(|&i| fixture.members[1][i].cols() > 1).take(4).collect();
                    if some.len() < 4 {
                        continue;
                    }
                    fixture.set_size("n", some[0], most + 1)?;
                    fixture.set_size("n", some[1], usize::MAX)?;
                    fixture.set_size("lda", some[2], fixture.members[0][some[2]].rows() - 1)?;
                    fixture.set_size("incx", some[3], 0)?;
                    let Outcome(got, _) = fixture.run(signatures::TRSV.entry_spec(), [0.0; 4], |i| !some.contains(&i))?;
                    for i in (0..19).filter(|i| !some.contains(i)) {
                        assert!(same_bits(got[i].data(), clean[i].data()), "{dtype:?} {most} {how:?}, member {i}");
                    }
                });
            }
        }
        Ok(())
    })
}

/// Argument numbers, and arrays that may be NULL.
#[test]
fn bad_arguments_have_their_numbers() -> Result<()> {
    let _alone = crate::alone();
    let (lib, session) = (Library::required(), Session::new(Library::required()));
    let how = Triangular::all().find(|how| how.side == Side::Left).expect("one");
    let fixtures = [
        (signatures::GELS.entry_spec(), least::<f64>(Trans::N, (5, 4), 3, 66)?),
        (signatures::TRSV.entry_spec(), vectors::<f64>(how, 5, 66)?),
    ];
    for ((symbol, words, _), fixture) in fixtures {
        let name = symbol.replace('?', "d");
        let place = |word: &str| words.split(' ').position(|w| w == word).expect("an argument");
        let bad = |changes: &[(&str, u64)]| {
            let mut arguments = fixture.arguments(words, &session)?;
            changes.iter().for_each(|&(word, value)| arguments[place(word)] = value);
            // SAFETY: the call is refused, or has nothing to do, before it accesses memory.
            Ok::<_, Error>(unsafe { call(lib, &name, [0.0; 4], &arguments) })
        };
        let has = |word: &&str| words.split(' ').any(|w| w == *word);
        for word in ["max_m", "max_n", "max_nrhs", "batch"].iter().filter(|word| has(word)) {
            assert_eq!(bad(&[(word, u64::MAX)])?, -(place(word) as c_int + 1), "{name} {word}");
        }
        for word in
            ["uplo", "trans", "diag", "m", "n", "nrhs", "A", "lda", "B", "ldb", "X", "incx"].iter().filter(|w| has(w))
        {
            assert_eq!(bad(&[(word, 0)])?, -(place(word) as c_int + 1), "{name} {word}");
        }
        assert_eq!(bad(&[("batch", 0), ("n", 0), ("A", 0)])?, 0, "{name}");
    }
    Ok(())
}
