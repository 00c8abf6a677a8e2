//! gemm, gemv and trsm.

use crate::stderr::stderr_of;
use std::ffi::c_int;
use tephra_testkit::any_call::{call, registers};
use tephra_testkit::ops::measure::solved;
use tephra_testkit::ops::products::multiplied;
use tephra_testkit::ops::solve::Triangular;
use tephra_testkit::ops::{Diag, Side, Trans, Uplo};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::{Field, bytes_of, same_bits};
use tephra_testkit::signatures;
pub use tephra_testkit::varying::EntrySpec;
use tephra_testkit::varying::fixture::{BatchFixture, Outcome, UNSET};
use tephra_testkit::varying::shapes;
use tephra_testkit::{Dtype, Library, Matrix, Result, Rng, Scalar, with_scalar};

/// The flags of a product: op of each factor, and the number of its scalars.
type Flags = ([Trans; 2], usize);

/// alpha and beta by number; C is read with the first pair and those after the second.
fn factors<T: Scalar>(number: usize) -> [T; 2] {
    let number = [(-1.5, 0.75, 0.5, -0.25), (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.5, 0.0), (-1.0, 0.0, 1.0, 0.0)][number];
    let (a, b, c, d) = number;
    [(a, b), (c, d)].map(|(re, im)| T::from_double(<T as Scalar>::Double::parts(re, im)))
}

const READS: [bool; 4] = [true, false, true, true];

fn random<T: Scalar>(rows: usize, cols: usize, rng: &mut Rng) -> Matrix<T> {
    Matrix::from_fn(rows, cols, |_, _| T::from_double(<T as Scalar>::Double::uniform(rng)))
}

fn product<T: Scalar>(
    [m, n, k]: [usize; 3],
    count: usize,
    (trans, number): Flags,
    scalars: &[T; 2],
    seed: u64,
) -> Result<BatchFixture<T>> {
    let mut rng = Rng::new(seed);
    let sizes: Vec<[usize; 3]> = shapes(count, (m, n), &mut rng)
        .into_iter()
        .enumerate()
        .map(|(i, (rows, cols))| [rows, cols, [k, 0, k.min(1), rng.below(k + 1)][i % 4]])
        .collect();
    product_of(&sizes, [m, n, k], (trans, number), scalars, &mut rng)
}

/// Products with these sizes, and with these largest sizes.
fn product_of<T: Scalar>(
    sizes: &[[usize; 3]],
    [m, n, k]: [usize; 3],
    (trans, number): Flags,
    scalars: &[T; 2],
    rng: &mut Rng,
) -> Result<BatchFixture<T>> {
    let stored = |trans, rows, cols| if trans == Trans::N { (rows, cols) } else { (cols, rows) };
    let mut all = [vec![], vec![], vec![]];
    for &[m, n, k] in sizes {
        let ((am, an), (bm, bn)) = (stored(trans[0], m, k), stored(trans[1], k, n));
        all[0].push(random(am, an, rng));
        all[1].push(random(bm, bn, rng));
        all[2].push(if READS[number] { random(m, n, rng) } else { Matrix::from_fn(m, n, |_, _| T::POISON) });
    }
    let of = |i: usize| sizes.iter().map(|size| size[i]).collect();
    let [a, b, c] = all;
    BatchFixture::new(
        vec![(["A", "lda"], a), (["B", "ldb"], b), (["C", "ldc"], c)],
        vec![("m", of(0)), ("n", of(1)), ("k", of(2))],
        vec![
            ("max_m", m as u64),
            ("max_n", n as u64),
            ("max_k", k as u64),
            ("trans_a", trans[0].cblas() as u64),
            ("trans_b", trans[1].cblas() as u64),
            ("alpha", &raw const scalars[0] as u64),
            ("beta", &raw const scalars[1] as u64),
        ],
    )
}

/// Name, arguments, whether the function checks the sizes.
const MAGMA_GEMM: [EntrySpec; 4] = [
    ("magmablas_?gemm_vbatched", "trans_a trans_b m n k A lda B ldb C ldc batch queue", true),
    ("magmablas_?gemm_vbatched_nocheck", "trans_a trans_b m n k A lda B ldb C ldc batch queue", false),
    ("magmablas_?gemm_vbatched_max", "trans_a trans_b m n k A lda B ldb C ldc batch max_m max_n max_k queue", true),
    (
        "magmablas_?gemm_vbatched_max_nocheck",
        "trans_a trans_b m n k A lda B ldb C ldc batch max_m max_n max_k queue",
        false,
    ),
];

const PRODUCTS: [[usize; 3]; 8] =
    [[1, 1, 1], [8, 8, 8], [16, 12, 20], [33, 20, 40], [70, 66, 35], [130, 40, 17], [5, 140, 9], [20, 20, 0]];

fn all_flags() -> impl Iterator<Item = Flags> {
    let pairs = Trans::ALL.iter().flat_map(|&a| Trans::ALL.iter().map(move |&b| [a, b]));
    pairs.enumerate().map(|(i, trans)| (trans, i % 4))
}

fn members<T>(fixture: &BatchFixture<T>, i: usize) -> [&Matrix<T>; 3] {
    [0, 1, 2].map(|operand: usize| &fixture.members[operand][i])
}

/// Scalars in the form in which they are passed by value.
pub fn by_value<T: Scalar>(scalars: &[T]) -> [f64; 4] {
    registers(scalars.iter().map(|x| bytes_of(std::slice::from_ref(x))), T::DTYPE.is_double())
}

/// All products are as in a uniform batch, in every form of the call.
#[test]
fn products_of_any_sizes() -> Result<()> {
    let _alone = crate::alone();
    for dtype in Dtype::ALL {
        for (sizes, flags) in PRODUCTS.into_iter().flat_map(|sizes| all_flags().map(move |flags| (sizes, flags))) {
            with_scalar!(dtype, T => {
                let scalars = factors::<T>(flags.1);
                let fixture = product::<T>(sizes, 21, flags, &scalars, 21)?;
                let Outcome(got, _) = fixture.run(signatures::GEMM.entry_spec(), [0.0; 4], |_| true)?;
                for (i, c) in got.iter().enumerate() {
                    let [a, b, before] = members(&fixture, i);
                    let ratio = multiplied(flags.0, scalars, a, b, before, c);
                    assert!(ratio < 2.0, "{dtype:?} {sizes:?} {flags:?}, member {i}: {ratio}");
                }
                let turn = MAGMA_GEMM[(sizes[0] + flags.0[0] as usize * 3 + flags.0[1] as usize) % 4];
                let Outcome(magma, _) = fixture.run((turn.0, turn.1, false), by_value(&scalars), |_| true)?;
                // The maxima that the function finds are those that the caller passes.
                let same = got.iter().zip(&magma).all(|(x, y)| same_bits(x.data(), y.data()));
                let largest = fixture.members[0].iter().any(|a| a.data().len() == sizes[0] * sizes[2]);
                assert!(same || !largest, "{} {dtype:?} {sizes:?} {flags:?}", turn.0);
            });
        }
    }
    Ok(())
}

/// As MAGMA's tester and sparse solvers call them: a few members, fewer than the largest sizes, or many more; or one
/// member with far more terms than the others.
#[test]
fn products_as_callers_of_magma_make_them() -> Result<()> {
    let _alone = crate::alone();
    for dtype in Dtype::ALL {
        for (most, batch) in [([3, 3, 3], 2), ([2, 2, 2], 30), ([12, 9, 4096], 3), ([70, 33, 20], 5)] {
            for (trans, number) in all_flags() {
                with_scalar!(dtype, T => {
                    let (scalars, mut rng) = (factors::<T>(number), Rng::new(41));
                    let mut sizes: Vec<[usize; 3]> =
                        (0..batch).map(|_| most.map(|size| 1 + rng.below(size.min(60)))).collect();
                    sizes[batch / 2] = most;
                    let fixture = product_of::<T>(&sizes, most, (trans, number), &scalars, &mut rng)?;
                    let run = |entry: EntrySpec| fixture.run((entry.0, entry.1, false), by_value(&scalars), |_| true);
                    let Outcome(first, _) = run(MAGMA_GEMM[0])?;
                    for (i, c) in first.iter().enumerate() {
                        let [a, b, before] = members(&fixture, i);
                        let ratio = multiplied(trans, scalars, a, b, before, c);
                        assert!(ratio < 2.0, "{dtype:?} {most:?} {trans:?}, member {i}: {ratio}");
                    }
                    for entry in &MAGMA_GEMM[1..] {
                        let Outcome(got, _) = run(*entry)?;
                        let same = got.iter().zip(&first).all(|(x, y)| same_bits(x.data(), y.data()));
                        assert!(same, "{} {dtype:?} {most:?} {trans:?}", entry.0);
                    }
                });
            }
        }
    }
    Ok(())
}

/// Members with invalid sizes are not touched, and the others give the same results as without them.
#[test]
fn products_that_are_not_valid_are_left_alone() -> Result<()> {
    let _alone = crate::alone();
    for dtype in Dtype::ALL {
        for (sizes, flags) in [[7, 8, 9], [33, 20, 40], [70, 66, 35]].into_iter().zip(all_flags()) {
            with_scalar!(dtype, T => {
                let scalars = factors::<T>(0);
                let mut fixture = product::<T>(sizes, 29, (flags.0, 0), &scalars, 22)?;
                let clean = fixture.run(signatures::GEMM.entry_spec(), [0.0; 4], |_| true)?;
                let whole = |i: &usize| members(&fixture, *i).iter().all(|x| x.rows() > 1);
                let some: Vec<usize> = (0..29).filter(whole).take(9).collect();
                let rows = |operand: usize, i: usize| fixture.members[operand][some[i % some.len()]].rows();
                let wrong = [
                    ("m", usize::MAX), ("m", sizes[0] + 1), ("n", usize::MAX), ("n", sizes[1] + 1), ("k", usize::MAX),
                    ("k", sizes[2] + 1), ("lda", rows(0, 6) - 1), ("ldb", rows(1, 7) - 1), ("ldc", rows(2, 8) - 1),
                ];
                for (&i, (word, value)) in some.iter().zip(wrong) {
                    fixture.set_size(word, i, value)?;
                }
                let valid = |i| !some.contains(&i);
                let Outcome(got, _) = fixture.run(signatures::GEMM.entry_spec(), [0.0; 4], valid)?;
                let compare = |got: &[Matrix<T>], entry: &str| {
                    for i in (0..29).filter(|&i| valid(i)) {
                        let same = same_bits(got[i].data(), clean.0[i].data());
                        assert!(same, "{entry} {dtype:?} {sizes:?}, member {i}");
                    }
                };
                compare(&got, signatures::GEMM.names[3]);
                for entry in MAGMA_GEMM {
                    if entry.2 {
                        // The error is reported on stderr, and nothing is computed.
                        fixture.run((entry.0, entry.1, false), by_value(&scalars), |_| false)?;
                    } else if entry.1.contains("max_m") {
                        compare(&fixture.run(entry, by_value(&scalars), valid)?.0, entry.0);
                    }
                }
            });
        }
    }
    Ok(())
}

/// As in MAGMA, a member is left alone if a matrix that its product needs is NULL. A and B are not needed if alpha is 0.
#[test]
fn products_without_a_matrix_are_left_alone() -> Result<()> {
    let _alone = crate::alone();
    let routines = [&signatures::GEMM, &signatures::SYMM, &signatures::HEMM];
    for (dtype, most) in Dtype::ALL.into_iter().flat_map(|dtype| [7, 40, 90].map(|most| (dtype, most))) {
        for (signature, alpha) in routines.into_iter().flat_map(|routine| [0.0, 3.0].map(|alpha| (routine, alpha))) {
            if signature.names[0].ends_with("hemm_batched") && !dtype.is_complex() {
                continue;
            }
            with_scalar!(dtype, T => {
                let mut rng = Rng::new(47);
                let sizes: Vec<usize> = (0..9).map(|_| 1 + rng.below(most)).collect();
                let mut squares = || sizes.iter().map(|&n| random(n, n, &mut rng)).collect();
                let operands = vec![(["A", "lda"], squares()), (["B", "ldb"], squares()), (["C", "ldc"], squares())];
                let scalars = [alpha, 2.0].map(|x| T::from_double(<T as Scalar>::Double::real(x)));
                let largest = ["max_m", "max_n", "max_k"].map(|word| (word, most as u64));
                let flags = [("trans_a", 111), ("trans_b", 111), ("side", 141), ("uplo", 122)];
                let factors = [("alpha", &raw const scalars[0] as u64), ("beta", &raw const scalars[1] as u64)];
                let numbers = largest.into_iter().chain(flags).chain(factors).collect();
                let each = ["m", "n", "k"].map(|word| (word, sizes.clone())).into();
                let mut fixture = BatchFixture::<T>::new(operands, each, numbers)?;
                let clean = fixture.run(signature.entry_spec(), [0.0; 4], |_| true)?;
                (0..3).try_for_each(|operand| fixture.forget(operand, operand))?;
                let valid = |i| i > 2 || (i < 2 && alpha == 0.0);
                let Outcome(got, _) = fixture.run(signature.entry_spec(), [0.0; 4], valid)?;
                for i in (0..9).filter(|&i| valid(i)) {
                    let same = same_bits(got[i].data(), clean.0[i].data());
                    assert!(same, "{} {dtype:?} up to {most}, alpha {alpha}, member {i}", signature.names[3]);
                }
            });
        }
    }
    Ok(())
}

/// Name, arguments, whether the function checks the sizes.
const MAGMA_GEMV: [EntrySpec; 4] = [
    ("magmablas_?gemv_vbatched", "trans m n A lda X incx Y incy batch queue", true),
    ("magmablas_?gemv_vbatched_nocheck", "trans m n A lda X incx Y incy batch queue", false),
    ("magmablas_?gemv_vbatched_max", "trans m n A lda X incx Y incy batch max_m max_n queue", true),
    ("magmablas_?gemv_vbatched_max_nocheck", "trans m n A lda X incx Y incy batch max_m max_n queue", false),
];

/// Vectors are rows with their own increments; every third x and y has a negative increment, so it begins at the end of
/// its row.
fn vectors<T: Scalar>(
    (m, n): (usize, usize),
    count: usize,
    (trans, number): (Trans, usize),
    scalars: &[T; 2],
    seed: u64,
) -> Result<BatchFixture<T>> {
    let mut rng = Rng::new(seed);
    let sizes = shapes(count, (m, n), &mut rng);
    let mut all = [vec![], vec![], vec![]];
    for &(m, n) in &sizes {
        let (of_x, of_y) = if trans == Trans::N { (n, m) } else { (m, n) };
        all[0].push(random(m, n, &mut rng));
        all[1].push(random(1, of_x, &mut rng));
        all[2].push(if READS[number] { random(1, of_y, &mut rng) } else { Matrix::from_fn(1, of_y, |_, _| T::POISON) });
    }
    let [a, x, y] = all;
    let mut fixture = BatchFixture::new(
        vec![(["A", "lda"], a), (["X", "incx"], x), (["Y", "incy"], y)],
        vec![("m", sizes.iter().map(|size| size.0).collect()), ("n", sizes.iter().map(|size| size.1).collect())],
        vec![
            ("max_m", m as u64),
            ("max_n", n as u64),
            ("trans", trans.cblas() as u64),
            ("alpha", &raw const scalars[0] as u64),
            ("beta", &raw const scalars[1] as u64),
        ],
    )?;
    for (word, first) in [("incx", 0), ("incy", 1)] {
        for i in (first..count).step_by(3) {
            fixture.negate_size(word, i)?;
        }
    }
    Ok(fixture)
}

/// The error of a member's y.
fn product_with_vector<T: Scalar>(
    fixture: &BatchFixture<T>,
    i: usize,
    trans: Trans,
    scalars: [T; 2],
    y: &Matrix<T>,
) -> f64 {
    let [a, x, before] = members(fixture, i);
    if a.data().is_empty() {
        // As in BLAS, y then stays unchanged.
        return if same_bits(y.data(), before.data()) { 0.0 } else { f64::INFINITY };
    }
    let column = |v: &Matrix<T>, turned: bool| {
        let length = v.cols();
        Matrix::from_fn(length, 1, |e, _| v[(0, if turned { length - 1 - e } else { e })])
    };
    let [x_turned, y_turned] = [i.is_multiple_of(3), i % 3 == 1];
    let (x, y, before) = (column(x, x_turned), column(y, y_turned), column(before, y_turned));
    multiplied([trans, Trans::N], scalars, a, &x, &before, &y)
}

const WITH_VECTORS: [(usize, usize); 9] =
    [(1, 1), (4, 4), (9, 5), (32, 32), (33, 70), (130, 17), (5, 300), (300, 3), (257, 129)];

/// All products are as in a uniform batch, in every form of the call.
#[test]
fn products_with_vectors_of_any_sizes() -> Result<()> {
    let _alone = crate::alone();
    for dtype in Dtype::ALL {
        for (most, trans) in
            WITH_VECTORS.into_iter().flat_map(|most| Trans::ALL.iter().map(move |&trans| (most, trans)))
        {
            for number in 0..4 {
                with_scalar!(dtype, T => {
                    let scalars = factors::<T>(number);
                    let fixture = vectors::<T>(most, 21, (trans, number), &scalars, 31)?;
                    let Outcome(got, _) = fixture.run(signatures::GEMV.entry_spec(), [0.0; 4], |_| true)?;
                    for (i, y) in got.iter().enumerate() {
                        let ratio = product_with_vector(&fixture, i, trans, scalars, y);
                        assert!(ratio < 2.0, "{dtype:?} {most:?} {trans:?} {number}, member {i}: {ratio}");
                    }
                    let turn = MAGMA_GEMV[(most.0 + number + trans as usize) % MAGMA_GEMV.len()];
                    let Outcome(magma, _) = fixture.run((turn.0, turn.1, false), by_value(&scalars), |_| true)?;
                    let same = got.iter().zip(&magma).all(|(x, y)| same_bits(x.data(), y.data()));
                    assert!(same, "{} {dtype:?} {most:?} {trans:?} {number}", turn.0);
                });
            }
        }
    }
    Ok(())
}

/// Members with invalid sizes are not touched, and the others give the same results as without them.
#[test]
fn products_with_vectors_that_are_not_valid_are_left_alone() -> Result<()> {
    let _alone = crate::alone();
    for dtype in Dtype::ALL {
        for (most, trans) in [(7, 8), (33, 40), (170, 66)].into_iter().zip(Trans::ALL.iter().copied()) {
            for number in [0, 2] {
                with_scalar!(dtype, T => {
                    let scalars = factors::<T>(number);
                    let mut fixture = vectors::<T>(most, 29, (trans, number), &scalars, 32)?;
                    let clean = fixture.run(signatures::GEMV.entry_spec(), [0.0; 4], |_| true)?;
                    let whole = |i: &usize| fixture.members[0][*i].rows() > 1 && fixture.members[0][*i].cols() > 1;
                    let some: Vec<usize> = (0..29).filter(whole).take(7).collect();
                    let wrong = [
                        ("m", usize::MAX), ("m", most.0 + 1), ("n", usize::MAX), ("n", most.1 + 1),
                        ("lda", fixture.members[0][some[4]].rows() - 1), ("incx", 0), ("incy", 0),
                    ];
                    for (&i, (word, value)) in some.iter().zip(wrong) {
                        fixture.set_size(word, i, value)?;
                    }
                    let valid = |i| !some.contains(&i);
                    for entry in MAGMA_GEMV.into_iter().filter(|entry| !entry.2 && entry.1.contains("max_m")).chain([signatures::GEMV.entry_spec()]) {
                        let scalars = if entry.2 { [0.0; 4] } else { by_value(&scalars) };
                        let Outcome(got, _) = fixture.run(entry, scalars, valid)?;
                        for i in (0..29).filter(|&i| valid(i)) {
                            let same = same_bits(got[i].data(), clean.0[i].data());
                            assert!(same, "{} {dtype:?} {most:?}, member {i}", entry.0);
                        }
                    }
                    // The error is reported on stderr, and nothing is computed.
                    for entry in MAGMA_GEMV.into_iter().filter(|entry| entry.2) {
                        fixture.run((entry.0, entry.1, false), by_value(&scalars), |_| false)?;
                    }
                });
            }
        }
    }
    Ok(())
}

/// Name, arguments, whether the function checks the sizes.
pub const MAGMA_TRSM: [EntrySpec; 8] = [
    ("magmablas_?trsm_vbatched", "side uplo trans diag m n A lda B ldb batch queue", true),
    ("magmablas_?trsm_vbatched_nocheck", "side uplo trans diag m n A lda B ldb batch queue", false),
    ("magmablas_?trsm_inv_vbatched", "side uplo trans diag m n A lda B ldb batch queue", true),
    ("magmablas_?trsm_inv_vbatched_nocheck", "side uplo trans diag m n A lda B ldb batch queue", false),
    ("magmablas_?trsm_inv_vbatched_max", "side uplo trans diag m n A lda B ldb batch max_m max_n queue", true),
    ("magmablas_?trsm_inv_vbatched_max_nocheck", "side uplo trans diag m n A lda B ldb batch max_m max_n queue", false),
    ("magmablas_?trsm_vbatched_max", "side uplo trans diag max_m max_n m n A lda B ldb batch queue", true),
    ("magmablas_?trsm_vbatched_max_nocheck", "side uplo trans diag max_m max_n m n A lda B ldb batch queue", false),
];

/// MAGMA's function that writes X.
pub const OUT_OF_PLACE: EntrySpec = (
    "magmablas_?trsm_inv_outofplace_vbatched",
    "side uplo trans diag 0 m n A lda B ldb X ldx 0 0 0 0 0 0 0 batch max_m max_n queue",
    false,
);

/// Triangles with a condition number near 1; everything that trsm must not read is poison.
pub fn system<T: Scalar>(
    most: (usize, usize),
    count: usize,
    how: Triangular,
    alpha: &T,
    seed: u64,
) -> Result<BatchFixture<T>> {
    system_into(most, count, how, alpha, seed, false)
}

/// The same, and with `apart` an X separate from B.
pub fn system_into<T: Scalar>(
    (m, n): (usize, usize),
    count: usize,
    how: Triangular,
    alpha: &T,
    seed: u64,
    apart: bool,
) -> Result<BatchFixture<T>> {
    let (mut rng, one) = (Rng::new(seed), <T as Scalar>::Double::ONE);
    let sizes = shapes(count, (m, n), &mut rng);
    let mut all = [vec![], vec![]];
    for &(m, n) in &sizes {
        let order = if how.side == Side::Left { m } else { n };
        let a: Matrix<T> = random(order, order, &mut rng);
        all[0].push(Matrix::from_fn(order, order, |i, j| match (i == j, how.diag) {
            (true, Diag::Unit) => T::POISON,
            (true, Diag::NonUnit) => T::from_double(a[(i, j)].to_double().scale(0.25) + one),
            _ if (i < j) == (how.uplo == Uplo::Upper) => {
                T::from_double(a[(i, j)].to_double().scale(1.0 / order as f64))
            }
            _ => T::POISON,
        }));
        all[1].push(random(m, n, &mut rng));
    }
    let [a, b] = all;
    let mut operands = vec![(["A", "lda"], a), (["B", "ldb"], b)];
    if apart {
        operands.push((["X", "ldx"], sizes.iter().map(|&(m, n)| Matrix::from_fn(m, n, |_, _| T::POISON)).collect()));
    }
    BatchFixture::new(
        operands,
        vec![("m", sizes.iter().map(|size| size.0).collect()), ("n", sizes.iter().map(|size| size.1).collect())],
        vec![
            ("max_m", m as u64),
            ("max_n", n as u64),
            ("side", how.side.cblas() as u64),
            ("uplo", how.uplo.cblas() as u64),
            ("trans", how.trans.cblas() as u64),
            ("diag", how.diag.cblas() as u64),
            ("alpha", std::ptr::from_ref(alpha) as u64),
        ],
    )
}

/// All systems are solved as in a uniform batch, in every form of the call.
#[test]
fn systems_of_any_sizes() -> Result<()> {
    crate::also_padded(|| {
        for dtype in Dtype::ALL {
            for (most, how) in [(1, 1), (8, 8), (17, 7), (33, 40), (70, 20), (130, 33), (20, 170)]
                .into_iter()
                .flat_map(|most| Triangular::all().map(move |how| (most, how)))
            {
                with_scalar!(dtype, T => {
                    let alpha = T::from_double(<T as Scalar>::Double::parts(-1.5, 0.75));
                    let fixture = system::<T>(most, 15, how, &alpha, 23)?;
                    let Outcome(got, _) = fixture.run(signatures::TRSM.entry_spec(), [0.0; 4], |_| true)?;
                    for (i, x) in got.iter().enumerate().filter(|(_, x)| !x.data().is_empty()) {
                        let ratio = solved(how, alpha, &fixture.members[0][i], &fixture.members[1][i], x);
                        assert!(ratio < 20.0, "{dtype:?} {most:?} {how:?}, member {i}: {ratio}");
                    }
                    let turn = MAGMA_TRSM[(most.0 + how.side as usize * 2 + how.uplo as usize + how.trans as usize) % MAGMA_TRSM.len()];
                    let Outcome(magma, _) = fixture.run((turn.0, turn.1, false), by_value(&[alpha]), |_| true)?;
                    let same = got.iter().zip(&magma).all(|(x, y)| same_bits(x.data(), y.data()));
                    assert!(same, "{} {dtype:?} {most:?} {how:?}", turn.0);
                });
            }
        }
        Ok(())
    })
}

/// With alpha = 0, B is cleared without reading A or B. Members with invalid sizes are not touched.
#[test]
fn systems_that_are_not_valid_are_left_alone() -> Result<()> {
    crate::also_padded(|| {
        for dtype in Dtype::ALL {
            for (most, how) in [(7, 8), (33, 20), (70, 66), (20, 140)].into_iter().zip(Triangular::all().step_by(5)) {
                for number in [-1.5, 0.0] {
                    with_scalar!(dtype, T => {
                        let alpha = T::from_double(<T as Scalar>::Double::real(number));
                        let mut fixture = system::<T>(most, 29, how, &alpha, 24)?;
                        let clean = fixture.run(signatures::TRSM.entry_spec(), [0.0; 4], |_| true)?;
                        if number == 0.0 {
                            let zero = |x: &T| x.to_double() == <T as Scalar>::Double::ZERO;
                            assert!(clean.0.iter().all(|x| x.data().iter().all(zero)));
                        }
                        let whole = |i: &usize| fixture.members[1][*i].rows() > 1 && fixture.members[1][*i].cols() > 1;
                        let some: Vec<usize> = (0..29).filter(whole).take(6).collect();
                        let wrong = [
                            ("m", usize::MAX), ("m", most.0 + 1), ("n", usize::MAX), ("n", most.1 + 1),
                            ("lda", fixture.members[0][some[4]].rows() - 1), ("ldb", fixture.members[1][some[5]].rows() - 1),
                        ];
                        for (&i, (word, value)) in some.iter().zip(wrong) {
                            fixture.set_size(word, i, value)?;
                        }
                        let valid = |i| !some.contains(&i);
                        let has_maxima = |entry: &EntrySpec| entry.1.contains("max_m");
                        for entry in MAGMA_TRSM.into_iter().filter(|entry| !entry.2 && has_maxima(entry)).chain([signatures::TRSM.entry_spec()]) {
                            let scalars = if entry.2 { [0.0; 4] } else { by_value(&[alpha]) };
                            let Outcome(got, _) = fixture.run(entry, scalars, valid)?;
                            for i in (0..29).filter(|&i| valid(i)) {
                                let same = same_bits(got[i].data(), clean.0[i].data());
                                assert!(same, "{} {dtype:?} {most:?}, member {i}", entry.0);
                            }
                        }
                        for entry in MAGMA_TRSM.into_iter().filter(|entry| entry.2) {
                            fixture.run((entry.0, entry.1, false), by_value(&[alpha]), |_| false)?;
                        }
                    });
                }
            }
        }
        Ok(())
    })
}

/// X is what the in-place function makes of B. B stays unchanged, and so do X and B of members with invalid sizes,
/// whatever sizes those are.
#[test]
fn systems_out_of_place() -> Result<()> {
    let _alone = crate::alone();
    for dtype in Dtype::ALL {
        let sizes = [(1, 1), (8, 8), (33, 20), (70, 66), (20, 300)];
        for (most, how) in sizes.into_iter().flat_map(|most| Triangular::all().step_by(5).map(move |how| (most, how))) {
            for number in [-1.5, 0.0] {
                with_scalar!(dtype, T => {
                    let alpha = T::from_double(<T as Scalar>::Double::real(number));
                    let in_place = system::<T>(most, 29, how, &alpha, 24)?.run(signatures::TRSM.entry_spec(), [0.0; 4], |_| true)?;
                    let mut fixture = system_into::<T>(most, 29, how, &alpha, 24, true)?;
                    let case = format!("{dtype:?} {most:?} {how:?} {number}");
                    let compare = |fixture: &BatchFixture<T>, valid: &dyn Fn(usize) -> bool| -> Result<()> {
                        let Outcome(got, _) = fixture.run(OUT_OF_PLACE, by_value(&[alpha]), valid)?;
                        for i in (0..29).filter(|&i| valid(i)) {
                            assert!(same_bits(got[i].data(), in_place.0[i].data()), "{case}, member {i}");
                        }
                        Ok(())
                    };
                    compare(&fixture, &|_| true)?;
                    let whole = |i: &usize| fixture.members[1][*i].rows() > 1 && fixture.members[1][*i].cols() > 1;
                    let some: Vec<usize> = (0..29).filter(whole).take(7).collect();
                    if some.len() == 7 {
                        let rows = |operand: usize, at: usize| fixture.members[operand][some[at]].rows();
                        let wrong = [
                            ("m", usize::MAX), ("m", most.0 + 1), ("n", usize::MAX), ("n", most.1 + 1),
                            ("lda", rows(0, 4) - 1), ("ldb", rows(1, 5) - 1), ("ldx", rows(2, 6) - 1),
                        ];
                        for (&i, (word, value)) in some.iter().zip(wrong) {
                            fixture.set_size(word, i, value)?;
                        }
                        compare(&fixture, &|i| !some.contains(&i))?;
                    }
                });
            }
        }
    }
    Ok(())
}

/// Argument errors that the host can detect; there are no codes to write.
#[test]
fn bad_arguments_are_numbered() -> Result<()> {
    let _alone = crate::alone();
    let lib = Library::required();
    let session = Session::new(lib);
    let scalars = factors::<f64>(0);
    let gemm = product::<f64>([5, 4, 3], 3, ([Trans::N; 2], 0), &scalars, 25)?;
    let how = Triangular { side: Side::Left, uplo: Uplo::Upper, trans: Trans::N, diag: Diag::NonUnit };
    let trsm = system::<f64>((5, 4), 3, how, &scalars[0], 26)?;
    let bad = |symbol: &str, arguments: &[u64], at: usize, value: u64| {
        let mut arguments = arguments.to_vec();
        arguments[at - 1] = value;
        // SAFETY: the call is refused before it accesses memory.
        unsafe { call(lib, symbol, [1.0; 4], &arguments) }
    };
    let arguments = gemm.arguments(signatures::GEMM.varying, &session)?;
    for at in [1, 2, 3, 17] {
        assert_eq!(bad("tephra_dgemm_vbatched", &arguments, at, u64::MAX), -(at as c_int), "argument {at}");
    }
    for at in [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16] {
        assert_eq!(bad("tephra_dgemm_vbatched", &arguments, at, 0), -(at as c_int), "argument {at}");
    }
    let gemv = vectors::<f64>((5, 4), 3, (Trans::N, 0), &scalars, 27)?;
    let arguments = gemv.arguments(signatures::GEMV.varying, &session)?;
    for at in [1, 2, 14] {
        assert_eq!(bad("tephra_dgemv_vbatched", &arguments, at, u64::MAX), -(at as c_int), "argument {at}");
    }
    for at in 3..14 {
        assert_eq!(bad("tephra_dgemv_vbatched", &arguments, at, 0), -(at as c_int), "argument {at}");
    }
    let arguments = trsm.arguments(signatures::TRSM.varying, &session)?;
    for at in [1, 2, 14] {
        assert_eq!(bad("tephra_dtrsm_vbatched", &arguments, at, u64::MAX), -(at as c_int), "argument {at}");
    }
    for at in [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] {
        assert_eq!(bad("tephra_dtrsm_vbatched", &arguments, at, 0), -(at as c_int), "argument {at}");
    }
    let out_of_place = system_into::<f64>((5, 4), 3, how, &scalars[0], 26, true)?;
    let arguments = out_of_place.arguments(OUT_OF_PLACE.1, &session)?;
    // alpha is passed by value, so MAGMA counts it but it is not in this list.
    for (at, value) in [(1, 0), (2, 0), (3, 0), (4, 0), (22, u64::MAX), (23, u64::MAX), (24, u64::MAX)]
        .into_iter()
        .chain([6, 7, 9, 10, 11, 12, 13, 14].map(|at| (at, 0)))
    {
        let place = if at > 8 { at - 1 } else { at };
        let (_, text) = stderr_of(|| bad("magmablas_dtrsm_inv_outofplace_vbatched", &arguments, place, value));
        assert!(text.contains(&format!("parameter {at} had an illegal value")), "argument {at}: {text}");
    }
    let mut codes = [0; 3];
    gemm.info.read(&mut codes)?;
    assert_eq!(codes, [UNSET; 3]);
    Ok(())
}
