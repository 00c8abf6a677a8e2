//! syrk, herk, syr2k, her2k and trmm.

use crate::blas::{EntrySpec, by_value};
use std::ffi::c_int;
use tephra_testkit::any_call::call;
use tephra_testkit::ops::blas::RankUpdate;
use tephra_testkit::ops::cholesky::{other_triangle_unchanged, triangle};
use tephra_testkit::ops::exact::{multiplied, ranked};
use tephra_testkit::ops::solve::Triangular;
use tephra_testkit::ops::{Diag, Side, Trans, Uplo};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::{Field, same_bits};
use tephra_testkit::signatures;
use tephra_testkit::varying::fixture::{BatchFixture, Outcome};
use tephra_testkit::varying::shapes;
use tephra_testkit::{Dtype, Error, Library, Matrix, Result, Rng, Scalar, with_scalar};

fn uniform<T: Scalar>(rows: usize, cols: usize, rng: &mut Rng) -> Matrix<T> {
    Matrix::from_fn(rows, cols, |_, _| T::from_double(<T as Scalar>::Double::uniform(rng)))
}

/// alpha and beta. In a Hermitian update, beta is real, and so is alpha if there is only one factor.
fn factors<T: Scalar>(how: RankUpdate, two: bool) -> [T; 2] {
    let (of_alpha, of_beta) = (if how.hermitian && !two { 0.0 } else { 0.75 }, if how.hermitian { 0.0 } else { -0.25 });
    [(-1.5, of_alpha), (0.5, of_beta)].map(|(re, im)| T::from_double(<T as Scalar>::Double::parts(re, im)))
}

/// C of at most order n and products of at most k terms; the other triangle of C is poison.
fn updates<T: Scalar>(
    how: RankUpdate,
    two: bool,
    (n, k): (usize, usize),
    scalars: &[T; 2],
    count: usize,
    seed: u64,
) -> Result<BatchFixture<T>> {
    let mut rng = Rng::new(seed);
    let sizes = shapes(count, (n, k), &mut rng);
    let mut all = [vec![], vec![], vec![]];
    for &(n, k) in &sizes {
        let (rows, cols) = if how.trans == Trans::N { (n, k) } else { (k, n) };
        all[0].push(uniform(rows, cols, &mut rng));
        all[1].push(uniform(rows, cols, &mut rng));
        all[2].push(triangle(how.uplo, &uniform(n, n, &mut rng), |_, _| T::POISON));
    }
    let numbers = vec![
        ("max_n", n as u64),
        ("max_k", k as u64),
        ("uplo", how.uplo.cblas() as u64),
        ("trans", how.trans.cblas() as u64),
        ("alpha", &raw const scalars[0] as u64),
        ("beta", &raw const scalars[1] as u64),
    ];
    let [a, b, c] = all;
    let mut operands = vec![(["A", "lda"], a)];
    if two {
        operands.push((["B", "ldb"], b));
    }
    operands.push((["C", "ldc"], c));
    let of = |f: fn(&(usize, usize)) -> usize| sizes.iter().map(f).collect();
    BatchFixture::new(operands, vec![("n", of(|size| size.0)), ("k", of(|size| size.1))], numbers)
}

fn native(how: RankUpdate, two: bool) -> EntrySpec {
    match (how.hermitian, two) {
        (false, false) => signatures::SYRK.entry_spec(),
        (true, false) => signatures::HERK.entry_spec(),
        (false, true) => signatures::SYR2K.entry_spec(),
        (true, true) => signatures::HER2K.entry_spec(),
    }
}

/// MAGMA's function with this number: whether it checks the sizes, its name and its arguments.
fn magmas(how: RankUpdate, two: bool, number: usize) -> (bool, String, &'static str) {
    let base =
        format!("magmablas_?{}{}_vbatched", if how.hermitian { "he" } else { "sy" }, if two { "r2k" } else { "rk" });
    let name = base + ["", "_nocheck", "_max", "_max_nocheck"][number];
    let words = match (two, number < 2) {
        (false, true) => "uplo trans n k A lda C ldc batch queue",
        (false, false) => "uplo trans n k A lda C ldc batch max_n max_k queue",
        (true, true) => "uplo trans n k A lda B ldb C ldc batch queue",
        (true, false) => "uplo trans n k A lda B ldb C ldc batch max_n max_k queue",
    };
    (number.is_multiple_of(2), name, words)
}

/// The scalars in the form in which they are passed by value: real scalars as the real type.
fn scalars_by_value<T: Scalar>(how: RankUpdate, two: bool, scalars: &[T; 2]) -> [f64; 4] {
    let real = |x: T| x.to_double().re();
    match (how.hermitian, two, T::DTYPE.is_double()) {
        (false, ..) => by_value(scalars),
        (true, false, true) => by_value(&scalars.map(real)),
        (true, false, false) => by_value(&scalars.map(|x| real(x) as f32)),
        (true, true, double) => {
            let mut registers = by_value(&scalars[..1]);
            let beta = if double { by_value(&[real(scalars[1])]) } else { by_value(&[real(scalars[1]) as f32]) };
            registers[if double { 2 } else { 1 }] = beta[0];
            registers
        }
    }
}

fn cases() -> impl Iterator<Item = (Dtype, RankUpdate, bool)> {
    let of = |dtype: Dtype| {
        RankUpdate::all(dtype.is_complex()).flat_map(move |how| [false, true].map(|two| (dtype, how, two)))
    };
    Dtype::ALL.into_iter().flat_map(of)
}

/// All products are as in a uniform batch, in every form of the call.
#[test]
fn updates_of_any_sizes() -> Result<()> {
    let _alone = crate::alone();
    for ((dtype, how, two), most) in
        cases().flat_map(|case| [(1, 1), (9, 5), (33, 40), (70, 17), (130, 9)].map(|most| (case, most)))
    {
        with_scalar!(dtype, T => {
            let scalars = factors::<T>(how, two);
            let fixture = updates::<T>(how, two, most, &scalars, 21, 61)?;
            let Outcome(got, _) = fixture.run(native(how, two), [0.0; 4], |_| true)?;
            for (i, c) in got.iter().enumerate() {
                let (a, before) = (&fixture.members[0][i], &fixture.members[usize::from(two) + 1][i]);
                let b = two.then(|| &fixture.members[1][i]);
                let ratio = ranked(how, scalars, (a, b), before, c);
                assert!(ratio < 2.0, "{dtype:?} {how:?} {two} {most:?}, member {i}: {ratio}");
                assert!(other_triangle_unchanged(how.uplo, before, c), "{dtype:?} {how:?} {two} {most:?}, member {i}");
            }
            for number in 0..4 {
                let (_, name, words) = magmas(how, two, number);
                let values = scalars_by_value(how, two, &scalars);
                let Outcome(magma, _) = fixture.run((&name, words, false), values, |_| true)?;
                let same = got.iter().zip(&magma).all(|(x, y)| same_bits(x.data(), y.data()));
                assert!(same, "{name} {dtype:?} {how:?} {most:?}");
            }
        });
    }
    Ok(())
}

/// Members with invalid sizes are not touched, and the others give the same results as without them.
#[test]
fn updates_that_are_not_valid_are_left_alone() -> Result<()> {
    let _alone = crate::alone();
    for (dtype, how, two) in cases() {
        with_scalar!(dtype, T => {
            let (scalars, most) = (factors::<T>(how, two), (33, 20));
            let mut fixture = updates::<T>(how, two, most, &scalars, 29, 62)?;
            let clean = fixture.run(native(how, two), [0.0; 4], |_| true)?;
            let whole = |i: &usize| fixture.members[0][*i].rows() > 1 && fixture.members[0][*i].cols() > 1;
            let some: Vec<usize> = (0..29).filter(whole).take(7).collect();
            let rows = |operand: usize, i: usize| fixture.members[operand][some[i]].rows() - 1;
            let last = usize::from(two) + 1;
            let mut wrong = vec![
                ("n", usize::MAX), ("n", most.0 + 1), ("k", usize::MAX), ("k", most.1 + 1), ("lda", rows(0, 4)),
                ("ldc", rows(last, 5)),
            ];
            if two {
                wrong.push(("ldb", rows(1, 6)));
            }
            let some = &some[..wrong.len()];
            for (&i, &(word, value)) in some.iter().zip(&wrong) {
                fixture.set_size(word, i, value)?;
            }
            let valid = |i| !some.contains(&i);
            let Outcome(got, _) = fixture.run(native(how, two), [0.0; 4], valid)?;
            for i in (0..29).filter(|&i| valid(i)) {
                assert!(same_bits(got[i].data(), clean.0[i].data()), "{dtype:?} {how:?} {two}, member {i}");
            }
            for number in 0..4 {
                let (checks_sizes, name, words) = magmas(how, two, number);
                let values = scalars_by_value(how, two, &scalars);
                if checks_sizes {
                    // The error is reported on stderr, and nothing is computed.
                    fixture.run((&name, words, false), values, |_| false)?;
                } else if words.contains("max_n") {
                    let Outcome(magma, _) = fixture.run((&name, words, false), values, valid)?;
                    assert!((0..29).all(|i| same_bits(got[i].data(), magma[i].data())), "{name} {dtype:?} {how:?}");
                }
            }
        });
    }
    Ok(())
}

/// Triangles with poison in the other triangle and on a unit diagonal.
fn triangles<T: Scalar>(how: Triangular, (m, n): (usize, usize), alpha: &T, seed: u64) -> Result<BatchFixture<T>> {
    let mut rng = Rng::new(seed);
    let sizes = shapes(23, (m, n), &mut rng);
    let (mut a, mut b) = (vec![], vec![]);
    for &(m, n) in &sizes {
        let order = if how.side == Side::Left { m } else { n };
        let of = uniform(order, order, &mut rng);
        let mut of = triangle(how.uplo, &of, |_, _| T::POISON);
        (0..if how.diag == Diag::Unit { order } else { 0 }).for_each(|j| of[(j, j)] = T::POISON);
        a.push(of);
        b.push(uniform(m, n, &mut rng));
    }
    let flags = [how.side.cblas(), how.uplo.cblas(), how.trans.cblas(), how.diag.cblas()];
    let mut numbers = vec![("max_m", m as u64), ("max_n", n as u64), ("alpha", std::ptr::from_ref(alpha) as u64)];
    numbers.extend(["side", "uplo", "trans", "diag"].into_iter().zip(flags.map(|flag| flag as u64)));
    let of = |f: fn(&(usize, usize)) -> usize| sizes.iter().map(f).collect();
    let arrays = vec![("m", of(|size| size.0)), ("n", of(|size| size.1))];
    BatchFixture::new(vec![(["A", "lda"], a), (["B", "ldb"], b)], arrays, numbers)
}

/// Products with every kind of triangle, in every form of the call. Invalid members stay unchanged.
#[test]
fn triangles_of_any_sizes() -> Result<()> {
    let _alone = crate::alone();
    let kinds = || {
        let sides =
            [Side::Left, Side::Right].into_iter().flat_map(|side| Uplo::ALL.iter().map(move |&uplo| (side, uplo)));
        let flags = Trans::ALL.iter().flat_map(|&trans| [Diag::Unit, Diag::NonUnit].map(|diag| (trans, diag)));
        sides.flat_map(move |(side, uplo)| {
            flags.clone().map(move |(trans, diag)| Triangular { side, uplo, trans, diag })
        })
    };
    for (dtype, how) in Dtype::ALL.into_iter().flat_map(|dtype| kinds().map(move |how| (dtype, how))) {
        for most in [(1, 1), (16, 7), (33, 40), (70, 9)] {
            with_scalar!(dtype, T => {
                let alpha = T::from_double(<T as Scalar>::Double::parts(-1.5, 0.25));
                let mut fixture = triangles::<T>(how, most, &alpha, 63)?;
                let Outcome(got, _) = fixture.run(signatures::TRMM.entry_spec(), [0.0; 4], |_| true)?;
                for (i, b) in got.iter().enumerate() {
                    let ratio = multiplied(how, alpha, &fixture.members[0][i], &fixture.members[1][i], b);
                    assert!(ratio < 2.0, "{dtype:?} {how:?} {most:?}, member {i}: {ratio}");
                }
                let forms = [
                    ("magmablas_?trmm_vbatched", "side uplo trans diag m n A lda B ldb batch queue"),
                    ("magmablas_?trmm_vbatched_nocheck", "side uplo trans diag m n A lda B ldb batch queue"),
                    ("magmablas_?trmm_vbatched_max", "side uplo trans diag max_m max_n m n A lda B ldb batch queue"),
                    ("magmablas_?trmm_vbatched_max_nocheck", "side uplo trans diag max_m max_n m n A lda B ldb batch queue"),
                ];
                for (name, words) in forms {
                    let Outcome(magma, _) = fixture.run((name, words, false), by_value(&[alpha]), |_| true)?;
                    let same = got.iter().zip(&magma).all(|(x, y)| same_bits(x.data(), y.data()));
                    assert!(same, "{name} {dtype:?} {how:?} {most:?}");
                }
                if most.0 < 16 {
                    continue;
                }
                let whole = |i: &usize| fixture.members[1][*i].rows() > 1 && fixture.members[1][*i].cols() > 1;
                let some: Vec<usize> = (0..23).filter(whole).take(4).collect();
                let (of_a, of_b) = (fixture.members[0][some[2]].rows() - 1, fixture.members[1][some[3]].rows() - 1);
                for (&i, (word, value)) in
                    some.iter().zip([("m", most.0 + 1), ("n", usize::MAX), ("lda", of_a), ("ldb", of_b)])
                {
                    fixture.set_size(word, i, value)?;
                }
                let Outcome(left, _) = fixture.run(signatures::TRMM.entry_spec(), [0.0; 4], |i| !some.contains(&i))?;
                for i in (0..23).filter(|i| !some.contains(i)) {
                    assert!(same_bits(got[i].data(), left[i].data()), "{dtype:?} {how:?} {most:?}, member {i}");
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
    let how = RankUpdate { hermitian: true, uplo: Uplo::Lower, trans: Trans::C };
    let scalars = factors::<tephra_testkit::C64>(how, true);
    let fixture = updates(how, true, (5, 4), &scalars, 3, 64)?;
    let bad = |at: usize, value: u64| {
        let mut arguments = fixture.arguments(signatures::HER2K.entry_spec().1, &session)?;
        arguments[at - 1] = value;
        // SAFETY: the call is refused before it accesses memory.
        Ok::<_, Error>(unsafe { call(lib, "tephra_zher2k_vbatched", [0.0; 4], &arguments) })
    };
    let nulls = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14].map(|at| (at, 0));
    let numbers = [(1, u64::MAX), (2, u64::MAX), (3, 0), (4, 0), (4, Trans::T.cblas() as u64), (15, u64::MAX)];
    for (at, value) in nulls.into_iter().chain(numbers) {
        assert_eq!(bad(at, value)?, -(at as c_int), "argument {at}");
    }
    Ok(())
}
