//! MAGMA's functions on blocks inside members: they work on what each member has beyond the blocks' corners, and leave
//! the rest unchanged.

use crate::blas::{EntrySpec, by_value};
use tephra_testkit::ops::cholesky::hermitian;
use tephra_testkit::ops::exact::Exact;
use tephra_testkit::ops::measure::{solved, triangle_of};
use tephra_testkit::ops::solve::Triangular;
use tephra_testkit::ops::{Side, Trans, Uplo};
use tephra_testkit::scalar::{Field, same_bits};
use tephra_testkit::varying::fixture::{BatchFixture, Outcome};
use tephra_testkit::varying::shapes;
use tephra_testkit::{Dtype, Matrix, Result, Rng, Scalar, with_scalar};

type At = [usize; 2];

const COUNT: usize = 13;
/// The corners of the blocks in A, B and C.
const CORNERS: [[At; 3]; 3] = [[[0; 2]; 3], [[2, 1], [1, 3], [2, 0]], [[5, 5], [5, 0], [0, 7]]];
/// The largest members and the largest blocks, which may exceed the members.
const LARGEST: [([usize; 2], [usize; 3]); 3] =
    [([9, 8], [5, 6, 4]), ([40, 37], [40, 20, 33]), ([70, 90], [64, 70, 80])];

fn uniform<T: Scalar>(rows: usize, cols: usize, rng: &mut Rng) -> Matrix<T> {
    Matrix::from_fn(rows, cols, |_, _| T::from_double(<T as Scalar>::Double::uniform(rng)))
}

fn factors<T: Scalar>() -> [T; 2] {
    [(-1.5, 0.75), (0.5, -0.25)].map(|(re, im)| T::from_double(<T as Scalar>::Double::parts(re, im)))
}

/// What remains of a size after `before` rows or columns; `None` if there are not even those.
fn remaining(size: usize, before: usize, most: usize) -> Option<usize> {
    size.checked_sub(before).map(|rest| rest.min(most))
}

fn block<T: Scalar>(a: &Matrix<T>, [row, column]: At, rows: usize, columns: usize) -> Matrix<T> {
    Matrix::from_fn(rows, columns, |i, j| a[(row + i, column + j)])
}

fn transposed<F: Field>(trans: Trans, a: &Matrix<F>) -> Matrix<F> {
    match trans {
        Trans::N => a.clone(),
        Trans::T => Matrix::from_fn(a.cols(), a.rows(), |i, j| a[(j, i)]),
        Trans::C => a.adjoint(),
    }
}

/// Whether everything outside a block is unchanged.
fn outside_unchanged<T: Scalar>(
    before: &Matrix<T>,
    after: &Matrix<T>,
    [row, column]: At,
    rows: usize,
    columns: usize,
) -> bool {
    let inside = |i: usize, j: usize| (row..row + rows).contains(&i) && (column..column + columns).contains(&j);
    let pick =
        |a: &Matrix<T>| Matrix::from_fn(a.rows(), a.cols(), |i, j| if inside(i, j) { T::POISON } else { a[(i, j)] });
    same_bits(pick(before).data(), pick(after).data())
}

fn numbers(at: &[At; 3], most: [usize; 3], flags: &[(&'static str, u64)]) -> Vec<(&'static str, u64)> {
    let words = [["ai", "aj"], ["bi", "bj"], ["ci", "cj"]];
    let corners = words.as_flattened().iter().zip(at.as_flattened()).map(|(word, &number)| (*word, number as u64));
    let largest = ["max_m", "max_n", "max_k"].into_iter().zip(most).map(|(word, number)| (word, number as u64));
    corners.chain(largest).chain(flags.iter().copied()).collect()
}

const GEMM: EntrySpec = (
    "magmablas_?gemm_vbatched_core",
    "trans_a trans_b max_m max_n max_k m n k A ai aj lda B bi bj ldb C ci cj ldc batch queue",
    false,
);

#[test]
fn products_of_blocks() -> Result<()> {
    let _alone = crate::alone();
    let cases = LARGEST.into_iter().flat_map(|largest| CORNERS.map(|at| (largest, at)));
    for (dtype, (([rows, cols], most), at)) in Dtype::ALL.into_iter().flat_map(|t| cases.clone().map(move |c| (t, c))) {
        for trans in Trans::ALL.iter().flat_map(|&a| Trans::ALL.iter().map(move |&b| [a, b])) {
            with_scalar!(dtype, T => {
                let mut rng = Rng::new(81);
                let sizes: Vec<[usize; 3]> =
                    shapes(COUNT, (rows, cols), &mut rng).iter().map(|&(m, n)| [m, n, rng.below(most[2] + 9)]).collect();
                let stored = |op, rows, cols| if op == Trans::N { (rows, cols) } else { (cols, rows) };
                let mut all = [vec![], vec![], vec![]];
                for &[m, n, k] in &sizes {
                    let ((am, an), (bm, bn)) = (stored(trans[0], m, k), stored(trans[1], k, n));
                    all[0].push(uniform::<T>(am, an, &mut rng));
                    all[1].push(uniform(bm, bn, &mut rng));
                    all[2].push(uniform(m, n, &mut rng));
                }
                let of = |i: usize| sizes.iter().map(|size| size[i]).collect();
                let [a, b, c] = all;
                let flags = [("trans_a", trans[0].cblas() as u64), ("trans_b", trans[1].cblas() as u64)];
                let fixture = BatchFixture::new(
                    vec![(["A", "lda"], a), (["B", "ldb"], b), (["C", "ldc"], c)],
                    vec![("m", of(0)), ("n", of(1)), ("k", of(2))],
                    numbers(&at, most, &flags),
                )?;
                let [alpha, beta] = factors::<T>();
                let Outcome(got, _) = fixture.run(GEMM, by_value(&[alpha, beta]), |_| true)?;
                for (i, &[m, n, k]) in sizes.iter().enumerate() {
                    let [a, b, c] = [0, 1, 2].map(|operand: usize| &fixture.members[operand][i]);
                    let turned = |at: At, op| if op == Trans::N { at } else { [at[1], at[0]] };
                    let ([am, ak], [bk, bn], [cm, cn]) = (turned(at[0], trans[0]), turned(at[1], trans[1]), at[2]);
                    let own = (remaining(m, am.max(cm), most[0]), remaining(n, bn.max(cn), most[1]), remaining(k, ak.max(bk), most[2]));
                    // A member without a matrix has no block, even if there are no terms.
                    let there = !a.data().is_empty() && !b.data().is_empty();
                    let (rows, cols, terms) = match own {
                        (Some(rows), Some(cols), Some(terms)) if there => (rows, cols, terms),
                        _ => (0, 0, 0),
                    };
                    let (ar, ac) = stored(trans[0], rows, terms);
                    let (br, bc) = stored(trans[1], terms, cols);
                    let exact = Exact::zeros(rows, cols)
                        .product(
                            alpha.to_double(),
                            &transposed(trans[0], &block(a, at[0], ar, ac).to_double()),
                            &transposed(trans[1], &block(b, at[1], br, bc).to_double()),
                        )
                        .plus(beta.to_double(), &block(c, at[2], rows, cols).to_double());
                    let ratio = exact.ratio(&block(&got[i], at[2], rows, cols), |_, _| true);
                    let what = format!("{dtype:?} {trans:?} {m} x {n}, {k} terms, {at:?}, at most {most:?}");
                    assert!(ratio < 4.0, "{what}: {ratio}");
                    assert!(outside_unchanged(c, &got[i], at[2], rows, cols), "{what}");
                }
            });
        }
    }
    Ok(())
}

const TRIANGLE: &str = "side uplo trans diag max_m max_n m n A ai aj lda B bi bj ldb batch queue";

/// Triangles whose order is the number of the members' rows or columns, with a condition number near 1 wherever a block
/// begins.
fn triangles<T: Scalar>(
    how: Triangular,
    at: &[At; 3],
    [rows, cols]: [usize; 2],
    most: [usize; 3],
) -> Result<BatchFixture<T>> {
    let (mut rng, one) = (Rng::new(82), <T as Scalar>::Double::ONE);
    let sizes = shapes(COUNT, (rows, cols), &mut rng);
    let (mut a, mut b) = (vec![], vec![]);
    for &(m, n) in &sizes {
        let order = if how.side == Side::Left { m } else { n };
        let plain = uniform::<T>(order, order, &mut rng);
        a.push(Matrix::from_fn(order, order, |i, j| {
            let scaled = plain[(i, j)].to_double().scale(1.0 / order as f64);
            let on = i + at[0][1] == j + at[0][0];
            T::from_double(if on { scaled + one } else { scaled })
        }));
        b.push(uniform(m, n, &mut rng));
    }
    let flags = [
        ("side", how.side.cblas() as u64),
        ("uplo", how.uplo.cblas() as u64),
        ("trans", how.trans.cblas() as u64),
        ("diag", how.diag.cblas() as u64),
    ];
    let of = |f: fn(&(usize, usize)) -> usize| sizes.iter().map(f).collect();
    let arrays = vec![("m", of(|size| size.0)), ("n", of(|size| size.1))];
    BatchFixture::new(vec![(["A", "lda"], a), (["B", "ldb"], b)], arrays, numbers(at, most, &flags))
}

#[test]
fn triangles_of_blocks() -> Result<()> {
    let _alone = crate::alone();
    let forms = ["magmablas_?trsm_vbatched_core", "magmablas_?trsm_small_vbatched", "magmablas_?trmm_vbatched_core"];
    let cases = LARGEST.into_iter().flat_map(|largest| CORNERS.map(|at| (largest, at)));
    for (dtype, ((size, most), at)) in Dtype::ALL.into_iter().flat_map(|t| cases.clone().map(move |c| (t, c))) {
        for (how, name) in Triangular::all().flat_map(|how| forms.map(|name| (how, name))) {
            with_scalar!(dtype, T => {
                let fixture = triangles::<T>(how, &at, size, most)?;
                let alpha = factors::<T>()[0];
                let Outcome(got, _) = fixture.run((name, TRIANGLE, false), by_value(&[alpha]), |_| true)?;
                for (i, after) in got.iter().enumerate() {
                    let (a, before) = (&fixture.members[0][i], &fixture.members[1][i]);
                    let of_a = at[0][0].max(at[0][1]);
                    let [of_m, of_n] = if how.side == Side::Left { [of_a, 0] } else { [0, of_a] };
                    let rows = remaining(before.rows(), at[1][0].max(of_m), most[0]);
                    let cols = remaining(before.cols(), at[1][1].max(of_n), most[1]);
                    let (rows, cols) = rows.zip(cols).filter(|(m, n)| m * n > 0).unwrap_or_default();
                    let order = if how.side == Side::Left { rows } else { cols };
                    let (t, [b, x]) = (block(a, at[0], order, order), [before, after].map(|b| block(b, at[1], rows, cols)));
                    let what = format!("{name} {dtype:?} {how:?}, {} x {}, {at:?}, at most {most:?}", before.rows(), before.cols());
                    let ratio = if name.contains("trsm") {
                        solved(how, alpha, &t, &b, &x) / 5.0
                    } else {
                        let op = transposed(how.trans, &triangle_of(&t.to_double(), how));
                        let exact = Exact::zeros(rows, cols);
                        match how.side {
                            Side::Left => exact.product(alpha.to_double(), &op, &b.to_double()),
                            Side::Right => exact.product(alpha.to_double(), &b.to_double(), &op),
                        }
                        .ratio(&x, |_, _| true)
                    };
                    assert!(ratio < 4.0, "{what}: {ratio}");
                    assert!(outside_unchanged(before, after, at[1], rows, cols), "{what}");
                }
            });
        }
    }
    Ok(())
}

const SYMM: &str = "side uplo m n A lda B ldb C ldc max_m max_n ai aj bi bj ci cj told_m told_n batch queue";

#[test]
fn symmetric_blocks() -> Result<()> {
    let _alone = crate::alone();
    let flags = [Side::Left, Side::Right].into_iter().flat_map(|side| Uplo::ALL.iter().map(move |&uplo| (side, uplo)));
    let cases = LARGEST.into_iter().flat_map(|largest| CORNERS.map(|at| (largest, at)));
    for (dtype, ((size, most), at)) in Dtype::ALL.into_iter().flat_map(|t| cases.clone().map(move |c| (t, c))) {
        for (side, uplo) in flags.clone() {
            with_scalar!(dtype, T => {
                let mut rng = Rng::new(83);
                let sizes = shapes(COUNT, (size[0], size[1]), &mut rng);
                let mut all = [vec![], vec![], vec![]];
                for &(m, n) in &sizes {
                    let order = if side == Side::Left { m } else { n };
                    all[0].push(uniform::<T>(order, order, &mut rng));
                    all[1].push(uniform(m, n, &mut rng));
                    all[2].push(uniform(m, n, &mut rng));
                }
                let of = |f: fn(&(usize, usize)) -> usize| sizes.iter().map(f).collect();
                let [a, b, c] = all;
                let mut arguments = numbers(&at, most, &[("side", side.cblas() as u64), ("uplo", uplo.cblas() as u64)]);
                // The maximum rows are limited to 3; the columns are unlimited.
                arguments.extend([("told_m", 3), ("told_n", 0)]);
                let fixture = BatchFixture::new(
                    vec![(["A", "lda"], a), (["B", "ldb"], b), (["C", "ldc"], c)],
                    vec![("m", of(|size| size.0)), ("n", of(|size| size.1))],
                    arguments,
                )?;
                let name = if dtype.is_complex() { "magmablas_?hemm_vbatched_core" } else { "magmablas_?symm_vbatched_core" };
                let [alpha, beta] = factors::<T>();
                let Outcome(got, _) = fixture.run((name, SYMM, false), by_value(&[alpha, beta]), |_| true)?;
                for (i, after) in got.iter().enumerate() {
                    let [a, b, c] = [0, 1, 2].map(|operand: usize| &fixture.members[operand][i]);
                    let of_a = at[0][0].max(at[0][1]);
                    let [of_m, of_n] = if side == Side::Left { [of_a, 0] } else { [0, of_a] };
                    let rows = remaining(c.rows(), at[1][0].max(at[2][0]).max(of_m), most[0].min(3));
                    let cols = remaining(c.cols(), at[1][1].max(at[2][1]).max(of_n), most[1]);
                    let (rows, cols) = rows.zip(cols).filter(|(m, n)| m * n > 0).unwrap_or_default();
                    let order = if side == Side::Left { rows } else { cols };
                    let whole = hermitian(uplo, &block(a, at[0], order, order).to_double());
                    let of_b = block(b, at[1], rows, cols).to_double();
                    let exact = Exact::zeros(rows, cols);
                    let ratio = match side {
                        Side::Left => exact.product(alpha.to_double(), &whole, &of_b),
                        Side::Right => exact.product(alpha.to_double(), &of_b, &whole),
                    }
                    .plus(beta.to_double(), &block(c, at[2], rows, cols).to_double())
                    .ratio(&block(after, at[2], rows, cols), |_, _| true);
                    let what = format!("{name} {dtype:?} {side:?} {uplo:?} {:?}, {at:?}, at most {most:?}", sizes[i]);
                    assert!(ratio < 4.0, "{what}: {ratio}");
                    assert!(outside_unchanged(c, after, at[2], rows, cols), "{what}");
                }
            });
        }
    }
    Ok(())
}
