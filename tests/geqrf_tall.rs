//! Matrices with more rows than a device's blocks hold together: factored from the Gram matrix of their columns if that
//! is accurate enough, or else by a tree of blocks. Batches mix members of both kinds.

use rayon::prelude::*;
use tephra_testkit::guarded::Placement;
use tephra_testkit::library::Backend;
use tephra_testkit::matrices::Class;
use tephra_testkit::ops;
use tephra_testkit::ops::measure::{gram, orthogonality, product, triangle};
use tephra_testkit::ops::q::{NATIVE_FORMS, Part, qr};
use tephra_testkit::qr::{EntryForm, Factored, QrBatch, Session};
use tephra_testkit::ratios::{Ratios, convention, measure};
use tephra_testkit::scalar::{Field, same_bits, worst};
use tephra_testkit::sweep::{batch_invariantly, report, with_plan, without_forced_plan};
use tephra_testkit::{Dtype, Library, Matrix, Result, Rng, Scalar, householder, in_all_precisions, with_scalar};

/// All plans except those that use Gram matrices.
const WITHOUT_GRAM: &str = "resident,blocked,tree,generic";

/// The number of rows of a test that has `m` of them on a device. The CPU backend has no separate algorithm for tall
/// matrices, and the host reference would take minutes on two cores.
fn rows(lib: &Library, m: usize) -> Result<usize> {
    Ok(if lib.backend()? == Backend::Cpu { m / 32 } else { m })
}

/// Between red zones, with every column at a multiple of 16 bytes if the rows are a multiple of 4, as bulk copies
/// require.
fn aligned() -> Placement {
    Placement { padding: 4, gap: 4, ..Placement::tight() }
}

/// Columns whose Gram matrix may lose too much information.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Columns {
    Random,
    /// Random with this condition number; the singular values form a geometric sequence.
    Condition(f64),
    /// Random, with a last column that repeats an earlier one.
    Equal,
    /// Random, with a zero column in the middle.
    Zero,
    /// Random, scaled by powers of two from about 1e-20 to 1e15, in double precision from 1e-160 to 1e160.
    Scaled,
    /// Zero below the diagonal.
    Upper,
    /// Zero below the diagonal in the first column, for which LAPACK has H = I.
    NothingBelow,
    /// Zero below the diagonal in half of the columns.
    HalfUpper,
    /// Almost zero below the diagonal in the first column.
    LittleBelow,
}

impl Columns {
    fn all(dtype: Dtype) -> Vec<Columns> {
        use Columns::*;
        let mut all = vec![Random, Condition(1e2), Condition(1e4), Condition(1e7)];
        all.extend(dtype.is_double().then_some(Condition(1e14)));
        all.extend([Equal, Zero, Scaled, Upper, NothingBelow, HalfUpper, LittleBelow]);
        all
    }

    /// An m x n matrix.
    fn generate<T: Scalar>(self, m: usize, n: usize, rng: &mut Rng) -> Matrix<T> {
        let zero = <T as Scalar>::Double::ZERO;
        let mut a = Class::Uniform.generate::<T>(m, n, rng).to_double();
        let upper = |a: &mut Matrix<<T as Scalar>::Double>, columns: usize| {
            (0..columns).for_each(|j| a.col_mut(j)[j + 1..].fill(zero));
        };
        match self {
            Columns::Random => {}
            Columns::Condition(condition) => {
                // The columns of a random tall matrix are nearly orthogonal and have about the same length.
                let mut turn = Class::Uniform.generate::<T>(n, n, rng).to_double();
                let tau = householder::factor(&mut turn);
                let mut turn = householder::thin_q(&turn, &tau);
                for j in 0..n {
                    turn.scale_col(j, condition.powf(-(j as f64) / (n - 1) as f64));
                }
                a = a.times(&turn.adjoint());
            }
            Columns::Equal => {
                let other = a.col(n / 3).to_vec();
                a.col_mut(n - 1).copy_from_slice(&other);
            }
            Columns::Zero => a.scale_col(n / 2, 0.0),
            Columns::Scaled => {
                (0..n).for_each(|j| a.col_mut(j).iter_mut().for_each(|x| *x = x.ldexp(exponent::<T>(j, n))));
            }
            Columns::Upper => upper(&mut a, n),
            Columns::NothingBelow => upper(&mut a, 1),
            Columns::HalfUpper => upper(&mut a, n / 2),
            Columns::LittleBelow => a.col_mut(0)[1..].iter_mut().for_each(|x| *x = x.scale(1e-7)),
        }
        Matrix::from_double(&a)
    }

    /// The condition number of the columns, each scaled to the same length, if they determine R.
    fn determines(self) -> Option<f64> {
        match self {
            Columns::Random | Columns::Scaled | Columns::NothingBelow | Columns::LittleBelow => Some(2.0),
            Columns::Condition(condition) if condition <= 1e2 => Some(condition),
            _ => None,
        }
    }
}

/// The exponent of column j in [`Columns::Scaled`]; neighbouring columns differ widely.
fn exponent<T: Scalar>(j: usize, n: usize) -> i32 {
    let (low, high) = if T::DTYPE.is_double() { (-531, 531) } else { (-66, 50) };
    low + (high - low) * (j * 5 % n) as i32 / (n - 1) as i32
}

fn generated<T: Scalar>(columns: &[Columns], m: usize, n: usize, seed: u64) -> Vec<Matrix<T>> {
    let one = |(i, columns): (usize, &Columns)| columns.generate(m, n, &mut Rng::new(seed * 1000 + i as u64));
    columns.par_iter().enumerate().map(one).collect()
}

/// The largest ratio with sqrt(m) eps in place of LAPACK's m eps, in units of LAPACK's threshold: with this many rows m
/// eps is a tenth in single precision, but the errors do not grow with m.
fn strictly(ratios: &Ratios, m: usize) -> f64 {
    ratios.largest() * (m as f64).sqrt() / Ratios::THRESHOLD
}

/// Panics if a factorisation is not accurate; otherwise returns the value of [`strictly`] for its ratios.
fn check<T: Scalar>(what: &str, a: &Matrix<T>, f: &Factored<T>) -> f64 {
    let ratios = measure(a, &f.factors, &f.tau);
    let seen = strictly(&ratios, a.rows());
    assert!(ratios.largest() < Ratios::THRESHOLD && seen < 1.0, "{what}: {ratios:?}, {seen} of the limit");
    convention(&f.factors, &f.tau).unwrap_or_else(|why| panic!("{what}: {why}"));
    seen
}

/// Reference factors and their tau.
type Reference<'a, T> = (&'a Matrix<<T as Scalar>::Double>, &'a [<T as Scalar>::Double]);

/// The largest columnwise difference of R from the reference's, relative to the column's length, in units of sqrt(m)
/// eps. Where a pivot is so small that rounding chooses LAPACK's sign, which tau shows, the sign of the row is ignored.
/// `exponent` gives, per column, a power of two by which ours is scaled and the reference is not.
fn r_error<T: Scalar>(ours: &Matrix<T>, (factors, tau): Reference<T>, exponent: impl Fn(usize) -> i32) -> f64 {
    const SMALLEST_PIVOT: f64 = 2e-4; // relative to the column's length
    let element = |i: usize, j: usize| ours[(i, j)].to_double().ldexp(-exponent(j));
    let sign = |i: usize| {
        let clear = tau[i].re() == 0.0 || tau[i].re() - 1.0 > SMALLEST_PIVOT;
        if clear || element(i, i).re() * factors[(i, i)].re() >= 0.0 { 1.0 } else { -1.0 }
    };
    let column = |j: usize| {
        let length = factors.col(j)[..=j].iter().map(|x| x.abs().powi(2)).sum::<f64>().sqrt();
        let gaps = (0..=j).map(|i| (element(i, j) - factors[(i, j)].scale(sign(i))).abs());
        gaps.fold(0.0, worst) / length
    };
    (0..ours.cols()).map(column).fold(0.0, worst) / (T::DTYPE.eps() * (ours.rows() as f64).sqrt())
}

/// The limit of [`r_error`] for columns of condition number 1.
const R_LIMIT: f64 = 10.0;

/// Panics if the matrix determines R but R is not the host's; otherwise returns the error as a fraction of the limit.
fn check_r<T: Scalar>(what: &str, columns: Columns, a: &Matrix<T>, f: &Factored<T>) -> f64 {
    let Some(condition) = columns.determines() else { return 0.0 };
    let n = a.cols();
    let exponent = |j: usize| if columns == Columns::Scaled { exponent::<T>(j, n) } else { 0 };
    let mut reference = a.to_double();
    (0..n).for_each(|j| reference.col_mut(j).iter_mut().for_each(|x| *x = x.ldexp(-exponent(j))));
    let tau = householder::factor(&mut reference);
    let seen = r_error(&f.factors, (&reference, &tau), exponent) / (R_LIMIT * condition);
    assert!(seen < 1.0, "{what}: R, {seen} of the limit");
    seen
}

/// Sweeps over all kinds of columns, in batches that mix them.
fn sweep<T: Scalar>() -> Result<()> {
    let lib = Library::required();
    let session = Session::new(lib);
    let letter = T::DTYPE.letter();
    // One panel of each width for which there are kernels; several panels, with few rows and, factored together, with
    // many.
    let mut shapes = vec![(20_000, 32, 2, aligned()), (70_000, 13, 1, Placement::guarded())];
    shapes.extend([(20_001, 45, 2, Placement::guarded()), (70_000, 70, 3, Placement::guarded())]);
    if matches!(T::DTYPE, Dtype::S | Dtype::D) {
        shapes.push((67_000, 128, 3, aligned()));
    }
    let mut largest = (0.0, 0.0);
    for (m, n, batch, place) in shapes {
        let m = rows(lib, m)?;
        let all = Columns::all(T::DTYPE);
        let count = all.len().next_multiple_of(batch);
        let kinds: Vec<Columns> = all.into_iter().cycle().take(count).collect();
        let inputs = generated::<T>(&kinds, m, n, (m + n) as u64);
        let mut outputs = Vec::new();
        for (inputs, form) in
            inputs.chunks(batch).zip([EntryForm::Pointers, EntryForm::Strided, EntryForm::One].into_iter().cycle())
        {
            outputs.extend(QrBatch::of(lib, inputs, &place)?.run(&session, form)?);
        }
        let members = kinds.par_iter().zip(&inputs).zip(&outputs);
        let seen = members.map(|((columns, a), f)| {
            let what = format!("geqrf {letter} {m}x{n} {columns:?}");
            (check(&what, a, f), check_r(&what, *columns, a, f))
        });
        let (ratio, of_r) = seen.reduce(|| (0.0, 0.0), |x, y| (worst(x.0, y.0), worst(x.1, y.1)));
        largest = (worst(largest.0, ratio), worst(largest.1, of_r));
    }
    report(format!("geqrf {letter}, tall: at most {:.3} of the limit, R {:.3}", largest.0, largest.1));
    Ok(())
}

in_all_precisions!(sweep);

/// The columns of the members of a batch in which the second, third, fifth and sixth are then spoiled. Of each such
/// pair, what remains is accurate enough for the Gram matrix in one member only.
const KEPT: [Columns; 6] = [
    Columns::Random,
    Columns::Random,
    Columns::Condition(1e2),
    Columns::Condition(1e7),
    Columns::Condition(1e4),
    Columns::Random,
];

/// Returns the batch with spoiled members, and their indices: one with a NaN, one with an infinity, one of zeros, one
/// that is rank-deficient.
fn spoiled<T: Scalar>(good: &[Matrix<T>], at: (usize, usize)) -> (Vec<Matrix<T>>, [usize; 4]) {
    let of = |x: f64| T::from_double(<T as Scalar>::Double::real(x));
    let (m, n) = (good[0].rows(), good[0].cols());
    let mut bad = good.to_vec();
    bad[1][at] = of(f64::NAN);
    bad[2][at] = of(f64::INFINITY);
    bad[4] = Class::Zero.generate(m, n, &mut Rng::new(0));
    bad[5] = Columns::Equal.generate(m, n, &mut Rng::new(9));
    (bad, [1, 2, 4, 5])
}

#[test]
fn bad_members_stay_alone_and_bits_are_the_same_again() -> Result<()> {
    let lib = Library::required();
    let session = Session::new(lib);
    for (dtype, (m, n)) in Dtype::ALL.into_iter().flat_map(|dtype| [(18_000, 32), (40_000, 64)].map(|s| (dtype, s))) {
        let m = rows(lib, m)?;
        with_scalar!(dtype, T => {
            let good = generated::<T>(&KEPT, m, n, n as u64);
            let run = |inputs: &[Matrix<T>]| -> Result<[Vec<Factored<T>>; 2]> {
                let batch = QrBatch::of(lib, inputs, &Placement::guarded())?;
                Ok([batch.run(&session, EntryForm::Pointers)?, batch.run(&session, EntryForm::Pointers)?])
            };
            let again = |[first, second]: &[Vec<Factored<T>>; 2], what: &str| {
                for (i, (a, b)) in first.iter().zip(second).enumerate() {
                    assert!(a.same_bits(b), "{what}: member {i} has other bits the second time");
                }
            };
            let expected = run(&good)?;
            again(&expected, &format!("{} {m}x{n}", dtype.letter()));
            // In the first column and, for panels that are factored together, in the last row of the last column.
            for at in [(m / 2, 0), (m - 1, n - 1)] {
                let what = format!("{} {m}x{n}, bad at {at:?}", dtype.letter());
                let (inputs, [nan, infinite, zero, deficient]) = spoiled(&good, at);
                let got = run(&inputs)?;
                again(&got, &what);
                let [got, _] = got;
                for i in (0..got.len()).filter(|i| ![nan, infinite, zero, deficient].contains(i)) {
                    assert!(got[i].same_bits(&expected[0][i]), "{what}: member {i} changed");
                }
                for i in [nan, infinite] {
                    assert!(!got[i].factors.is_finite(), "{what}: the result of member {i} hides it");
                }
                let is_zero = |x: &T| x.to_double() == <T as Scalar>::Double::ZERO;
                assert!(got[zero].factors.data().iter().chain(&got[zero].tau).all(is_zero), "{what}: zeros");
                check(&format!("{what}, of less than full rank"), &inputs[deficient], &got[deficient]);
            }
        });
    }
    Ok(())
}

/// With so many rows that the panels of a single matrix are factored together, and with fewer, where only those of a
/// batch would be.
#[test]
fn bits_are_the_same_in_every_batch_where_that_is_asked_for() -> Result<()> {
    let lib = Library::required();
    let session = Session::new(lib);
    for (dtype, (m, n)) in Dtype::ALL.into_iter().flat_map(|dtype| [(210_000, 40), (40_000, 64)].map(|s| (dtype, s))) {
        let (m, kinds) = (rows(lib, m)?, if m > 200_000 { &KEPT[1..3] } else { &KEPT[..] });
        with_scalar!(dtype, T => {
            let inputs = generated::<T>(kinds, m, n, 3);
            let run = |inputs: &[Matrix<T>]| {
                let batch = QrBatch::of(lib, inputs, &Placement::guarded())?;
                batch_invariantly(lib, None, || batch.issue(&session, EntryForm::Pointers))??;
                batch.collect(&session, EntryForm::Pointers)
            };
            let whole = run(&inputs)?;
            for (i, input) in inputs.iter().enumerate() {
                let alone = run(std::slice::from_ref(input))?;
                assert!(alone[0].same_bits(&whole[i]), "{} {m}x{n}: member {i} alone", dtype.letter());
            }
        });
    }
    Ok(())
}

#[test]
fn both_ways_agree_and_the_explanation_says_which_is_taken() -> Result<()> {
    let lib = Library::required();
    let session = Session::new(lib);
    let kinds = [Columns::Random, Columns::Condition(1e2), Columns::Condition(1e4)];
    let on_host = lib.backend()? == Backend::Cpu;
    if on_host {
        report("geqrf_tall: the explanation of tall panels: not applicable to the CPU backend");
    }
    for (dtype, (m, n)) in Dtype::ALL.into_iter().flat_map(|dtype| [(20_000, 32), (70_000, 70)].map(|s| (dtype, s))) {
        let m = rows(lib, m)?;
        let what = format!("{}geqrf {m}x{n}", dtype.letter());
        let explained = || lib.explain(&what[..6], m as i64, n as i64, kinds.len() as i64);
        let (by_default, without) = (without_forced_plan(explained)?, with_plan(lib, WITHOUT_GRAM, explained)??);
        with_scalar!(dtype, T => {
            let inputs = generated::<T>(&kinds, m, n, 5);
            let batch = QrBatch::of(lib, &inputs, &Placement::guarded())?;
            let usual = batch.run(&session, EntryForm::Pointers)?;
            let tree = batch.run_on(&session, EntryForm::Pointers, Some(WITHOUT_GRAM))?.expect("allowed for every shape");
            inputs.par_iter().zip(kinds).enumerate().for_each(|(i, (a, columns))| {
                check(&format!("{what} {columns:?}"), a, &usual[i]);
                check(&format!("{what} {columns:?} without Gram matrices"), a, &tree[i]);
                let tau: Vec<_> = tree[i].tau.iter().map(|t| t.to_double()).collect();
                let error = r_error(&usual[i].factors, (&tree[i].factors.to_double(), &tau), |_| 0);
                let limit = columns.determines().map_or(f64::INFINITY, |condition| 2.0 * R_LIMIT * condition);
                assert!(error < limit, "{what} {columns:?}: R of both ways differs by {error}, limit {limit}");
            });
            if !on_host {
                assert!(!without.contains("Gram"), "{what}: {without}");
                let same = usual[0].same_bits(&tree[0]);
                assert_eq!(by_default.contains("Gram"), !same, "{what}: the same bits: {same}; {by_default}");
            }
        });
    }
    Ok(())
}

/// R alone and with the thin Q, for rank-deficient members next to good ones.
#[test]
fn qr_of_members_of_less_than_full_rank() -> Result<()> {
    let lib = Library::required();
    let session = Session::new(lib);
    let (m, n) = (rows(lib, 20_000)?, 32);
    for dtype in Dtype::ALL {
        with_scalar!(dtype, T => {
            let kinds = [Columns::Random, Columns::Equal, Columns::Condition(1e2), Columns::Random];
            let mut given = generated::<T>(&kinds, m, n, 7);
            let run = |given: &[Matrix<T>], form: ops::EntryForm, part: Part| {
                Ok(qr(&session, form, part, given, &Placement::guarded())?.run()?.operands)
            };
            let letter = dtype.letter();
            let mut before: Option<Vec<Matrix<T>>> = None;
            for (part, form) in [Part::None, Part::Thin].into_iter().flat_map(|p| NATIVE_FORMS.map(|f| (p, f))) {
                let mut operands = run(&given, form, part)?;
                let all = operands.pop().expect("R is always written");
                given.par_iter().zip(&all).enumerate().for_each(|(i, (a, r))| {
                    let what = format!("{letter} {m}x{n} {part:?} {form:?}, {:?}", kinds[i]);
                    let of_q = |q: &Matrix<T>| worst(product(a, q, r), orthogonality(q));
                    let of_r = if kinds[i].determines().is_some() { triangle(a, r) } else { gram(a, r) };
                    let ratio = worst(of_r, operands.first().map_or(0.0, |q| of_q(&q[i])));
                    assert!(ratio < Ratios::THRESHOLD, "{what}: ratio {ratio}");
                });
                // R has the same bits, however much of Q is computed.
                let expected = before.get_or_insert_with(|| all.clone());
                for (i, (r, expected)) in all.iter().zip(expected).enumerate() {
                    let same = same_bits(r.data(), expected.data());
                    assert!(same, "{letter} {m}x{n} {part:?} {form:?}: R of member {i}");
                }
            }
            // The results of the others do not depend on that member.
            let expected = before.expect("four were compared");
            given[1] = Columns::Random.generate(m, n, &mut Rng::new(8));
            let [all] = <[_; 1]>::try_from(run(&given, ops::EntryForm::Pointers, Part::None)?).expect("R alone");
            for i in [0, 2, 3] {
                assert!(same_bits(all[i].data(), expected[i].data()), "{letter} {m}x{n}: R of member {i} changed");
            }
        });
    }
    Ok(())
}
