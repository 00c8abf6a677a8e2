//! Drivers on matrices and right-hand sides scaled by every power of two, from the smallest denormal number to a
//! quarter of the largest number, in batches whose members have different scales. Results are compared with
//! double-precision solutions for the operands as rounded, or with the result of LAPACK's own driver if that is less
//! accurate.
//!
//! The elements of A and B lie between 0 and 3.5 times their scale, so a product, sum or reciprocal that is formed
//! before a division overflows or underflows.

use tephra_testkit::engine::sizes;
use tephra_testkit::guarded::Placement;
use tephra_testkit::householder::{apply, apply_adjoint, factor};
use tephra_testkit::lapack::Lapack;
use tephra_testkit::ops::cholesky::{hermitian, posv, triangle};
use tephra_testkit::ops::iterative::gels_iterative;
use tephra_testkit::ops::lu::{from_integers, gesv, gesv_rbt, inv};
use tephra_testkit::ops::solve::{GELS_FORMS, gels, gelsy};
use tephra_testkit::ops::{EntryForm, Output, Trans, Uplo, iterative, lu};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::same_bits;
use tephra_testkit::{C32, C64, Dtype, Field, Library, Matrix, Result, Rng, Scalar, in_all_precisions};

/// The driver that solves op(A) X = B or inverts A.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Driver {
    Gels(Trans),
    GelsIterative,
    Gesv,
    GesvRbt,
    Posv(Uplo),
    Inv,
}

/// ([rows of op(A), columns of op(A), right-hand sides], whether all elements have similar size), where op(A) is tall.
type Case = ([usize; 3], bool);

/// Square shapes and their neighbours, tiny ones, those around the 32 lanes of a warp, blocked ones, and a few random
/// ones.
fn shapes(driver: Driver, rng: &mut Rng) -> Vec<Case> {
    let square = "1x1x1 2x2x1 2x2x3 3x3x2 8x8x1 16x16x9 31x31x1 32x32x2 33x33x1 34x34x8 65x65x2 100x100x1";
    let tall = "2x1x1 3x2x1 9x4x2 33x1x1 34x31x2 48x33x1 100x34x2 150x100x1 600x5x2";
    let mut all = sizes::<3>(square);
    all.extend((0..3).map(|_| {
        let n = rng.within(3, 70);
        [n, n, rng.within(1, 12)]
    }));
    let tall_too = matches!(driver, Driver::Gels(_) | Driver::GelsIterative);
    if tall_too {
        all.extend(sizes::<3>(tall));
        let n = rng.within(1, 40);
        all.push([n + rng.within(1, 60), n, rng.within(1, 5)]);
    }
    let mut cases: Vec<Case> = all.into_iter().map(|shape| (shape, false)).collect();
    if matches!(driver, Driver::Gels(_)) {
        cases.extend(sizes::<3>("1x2x1 3x9x2 31x34x2 34x100x1").into_iter().map(|shape| (shape, false)));
    }
    // Elements of similar size, whose columns have norms beyond the largest number near the end of the range.
    if tall_too {
        cases.extend(sizes::<3>("6x2x1 30x10x2 90x30x1 130x40x3").into_iter().map(|shape| (shape, true)));
    }
    cases
}

/// The scales of A's members and of B's.
fn scales(driver: Driver, dtype: Dtype, n: usize, rng: &mut Rng) -> Vec<(i32, i32)> {
    // Random butterflies add the elements that they mix, and without pivoting elements grow.
    let room = if driver == Driver::GesvRbt { 10 } else { 0 };
    let (low, high) = (dtype.denormal_exponent(), if dtype.is_double() { 1022 } else { 126 } - room);
    let normal = if dtype.is_double() { -1022 } else { -126 };
    let digits = if dtype.is_double() { 52 } else { 23 };
    let step = if n > 3 {
        high - low
    } else if dtype.is_double() {
        13
    } else {
        1
    };
    let mut all: Vec<i32> = (low..=high).step_by(step as usize).collect();
    all.extend([low, low + 1, low + digits, normal, normal + 1, normal + digits, 0]);
    all.extend([high, high - 1, high - digits, -normal, low / 2, high / 2].map(|e| e.min(high)));
    all.extend((0..5).map(|_| low + rng.below((high - low) as usize) as i32));
    let both = all.iter().map(|&e| (e, e)).collect::<Vec<_>>();
    let apart = |&e: &i32| [(e, 0), (0, e)];
    let mut pairs: Vec<_> = if driver == Driver::Inv {
        [both, vec![(0, 0); 3]].concat()
    } else {
        both.into_iter().chain(all.iter().flat_map(apart)).collect()
    };
    // Neighbours have different scales, with ordinary members in between.
    let order = rng.permutation(pairs.len());
    pairs = order.into_iter().map(|i| pairs[i]).collect();
    pairs
}

fn at<T: Scalar>(a: &Matrix<T::Double>, e: i32) -> Matrix<T> {
    a.map(|x| T::from_double(x.ldexp(e)))
}

/// The matrix of a driver, scaled to near 1: 2 I plus small elements, or elements of similar size.
fn matrix<F: Field>(driver: Driver, (m, n): (usize, usize), all_of_a_size: bool, rng: &mut Rng) -> Matrix<F> {
    let small = 0.5 / (m.max(n) as f64).sqrt();
    let rest = Matrix::from_fn(m, n, |_, _| F::uniform(rng));
    let a = Matrix::from_fn(m, n, |i, j| match (all_of_a_size, i == j) {
        (true, _) => rest[(i, j)].scale(3.0),
        (_, true) => rest[(i, j)].scale(small) + F::real(2.25),
        _ => rest[(i, j)].scale(small),
    });
    if let Driver::Posv(uplo) = driver { hermitian(uplo, &a) } else { a }
}

/// A and B's solution in double precision: X, and the norms of the columns of the residual.
struct Truth<F> {
    x: Matrix<F>,
    residuals: Vec<f64>,
}

fn truth<F: Field>(driver: Driver, a: &Matrix<F>, b: &Matrix<F>) -> Truth<F> {
    let op = if driver == Driver::Gels(Trans::C) || driver == Driver::Gels(Trans::T) { a.adjoint() } else { a.clone() };
    let (m, n, nrhs) = (op.rows(), op.cols(), b.cols());
    let least_squares = m >= n;
    let mut f = if least_squares { op } else { op.adjoint() };
    let (rows, order) = (m.max(n), m.min(n));
    let tau = factor(&mut f);
    let mut c = Matrix::from_fn(rows, nrhs, |i, j| if i < m { b[(i, j)] } else { F::ZERO });
    let over = |x: F, d: F| x * d.conj().scale(1.0 / (d.re() * d.re() + d.im() * d.im()));
    if least_squares {
        apply_adjoint(&f, &tau, &mut c);
    }
    for j in 0..nrhs {
        for step in 0..order {
            let k = if least_squares { order - 1 - step } else { step };
            let mut sum = c[(k, j)];
            for l in 0..step {
                let l = if least_squares { order - 1 - l } else { l };
                sum -= if least_squares { f[(k, l)] } else { f[(l, k)].conj() } * c[(l, j)];
            }
            c[(k, j)] = over(sum, if least_squares { f[(k, k)] } else { f[(k, k)].conj() });
        }
    }
    let residuals = (0..nrhs).map(|j| norm(&c.col(j)[order..])).collect();
    if !least_squares {
        apply(&f, &tau, &mut c);
    }
    Truth { x: Matrix::from_fn(n, nrhs, |i, j| c[(i, j)]), residuals }
}

fn norm<F: Field>(x: &[F]) -> f64 {
    x.iter().map(|x| x.abs() * x.abs()).sum::<f64>().sqrt()
}

fn largest<F: Field>(x: &[F]) -> f64 {
    x.iter().fold(0.0, |most, x| tephra_testkit::scalar::worst(most, x.max_abs_part()))
}

/// The driver's call; returns its written operands.
fn call<T: Scalar>(
    session: &Session,
    form: EntryForm,
    driver: Driver,
    a: &[Matrix<T>],
    b: &[Matrix<T>],
) -> Result<Output<T>> {
    let place = Placement::guarded();
    match driver {
        Driver::Gels(trans) => gels(session, form, trans, a, b, &place),
        Driver::GelsIterative => gels_iterative(session, form, a, b, &place),
        Driver::Gesv => gesv(session, form, a, b, &place),
        Driver::GesvRbt => gesv_rbt(session, form, a, b, &place),
        Driver::Posv(uplo) => posv(session, form, uplo, a, b, &place),
        Driver::Inv => inv(session, form, a, None, &place),
    }?
    .run()
}

fn forms(driver: Driver, (m, n): (usize, usize)) -> Vec<EntryForm> {
    match driver {
        Driver::Gels(trans) => {
            let serves = |form: &EntryForm| *form != EntryForm::Cublas || (trans == Trans::N && m >= n);
            GELS_FORMS.into_iter().filter(serves).collect()
        }
        Driver::GelsIterative => iterative::FORMS.to_vec(),
        _ => lu::FORMS.to_vec(),
    }
}

/// LAPACK's X for a member, or `None` if it has none.
fn lapacks<T: Scalar>(lapack: &Lapack, driver: Driver, a: &Matrix<T>, b: &Matrix<T>) -> Result<Option<Matrix<T>>> {
    match driver {
        Driver::Gels(trans) => lapack.gels(if trans == Trans::N { b'N' } else { adjoint::<T>() }, a, b),
        Driver::GelsIterative => lapack.gels(b'N', a, b),
        Driver::Gesv => lapack.gesv(a, b),
        Driver::Posv(uplo) => lapack.posv(uplo == Uplo::Upper, a, b),
        Driver::Inv => lapack.inverse(a),
        Driver::GesvRbt => Ok(None),
    }
}

fn adjoint<T: Scalar>() -> u8 {
    if T::DTYPE.is_complex() { b'C' } else { b'T' }
}

/// The largest difference from the true X, both scaled to near 1, relative to the largest element of the true X.
fn distance<T: Scalar>(x: &Matrix<T>, truth: &Matrix<T::Double>, e: i32) -> f64 {
    let near = Matrix::from_fn(truth.rows(), truth.cols(), |i, j| x[(i, j)].to_double().ldexp(-e) - truth[(i, j)]);
    largest(near.data()) / largest(truth.data())
}

/// Runs one driver on one shape: batches of all scales, in all forms. Returns the number of members measured.
fn members<T: Scalar>(session: &Session, driver: Driver, case: Case, rng: &mut Rng) -> Result<usize> {
    let ([rows, columns, nrhs], all_of_a_size) = case;
    let transposed = matches!(driver, Driver::Gels(Trans::C | Trans::T));
    let (m, n) = if transposed { (columns, rows) } else { (rows, columns) };
    let scales = scales(driver, T::DTYPE, m.max(n), rng);
    let (eps, least) = (T::DTYPE.eps(), T::DTYPE.denormal_exponent());
    let (mut a, mut b, mut truths) = (vec![], vec![], vec![]);
    // Rounding to a few digits leaves a Hermitian matrix definite, and other matrices as well conditioned as they are.
    let near_a: Matrix<T::Double> = matrix(driver, (m, n), all_of_a_size, rng);
    let b_rows = if driver == Driver::GelsIterative { m } else { m.max(n) };
    // Unless the solver scales it, a solution of n equations adds up to n right-hand sides.
    let largest_b = match (driver, n) {
        (Driver::Gels(_) | Driver::GelsIterative, _) | (_, 1) => 3.5,
        (_, 2) => 2.5,
        _ => 1.5,
    };
    let near_b = Matrix::from_fn(b_rows, nrhs, |_, _| T::Double::uniform(rng).scale(largest_b));
    let eye = Matrix::from_fn(n, n, |i, j| if i == j { T::Double::ONE } else { T::Double::ZERO });
    for &(of_a, of_b) in &scales {
        let of_b = if driver == Driver::Inv { 0 } else { of_b };
        let (member, right) = (at::<T>(&near_a, of_a), at::<T>(&near_b, of_b));
        let back = |x: &Matrix<T>, e: i32| x.map(|x| x.to_double().ldexp(-e));
        let right_near = if driver == Driver::Inv { eye.clone() } else { back(&right, of_b) };
        truths.push(truth(driver, &back(&member, of_a), &right_near));
        let member = match driver {
            Driver::Posv(uplo) => triangle(uplo, &member, |_, _| T::POISON),
            _ => member,
        };
        a.push(member);
        b.push(right);
    }
    let lapack = Lapack::get_unless_waived()?;
    let limits: Vec<Option<f64>> = (0..scales.len())
        .map(|i| {
            let ((of_a, of_b), truth) = (scales[i], &truths[i]);
            let of_b = if driver == Driver::Inv { 0 } else { of_b };
            let e = of_b - of_a;
            let most = largest(truth.x.data());
            let top = if T::DTYPE.is_double() { 1023 } else { 127 };
            // X is outside the range, or it vanishes.
            if !(most.is_finite() && most > 0.0) || most.log2() + e as f64 > top as f64 || e + 4 < least {
                return None;
            }
            // The effect of one rounding to a denormal number, relative to A, B and X. Least squares scales A and B, so
            // only the last counts. A solution that is itself denormal may round at each step.
            let tiny = |of: i32| 2f64.powi((least - of).clamp(-1000, 100));
            let scaled = matches!(driver, Driver::Gels(_) | Driver::GelsIterative);
            let rounding = if scaled { 0.0 } else { tiny(of_a).max(tiny(of_b)) };
            let growth = if driver == Driver::GesvRbt { 100.0 } else { 1.0 };
            let limit =
                (8.0 * (m.max(n) as f64 + 4.0) * (eps + rounding) * growth) + (8.0 + m.max(n) as f64) * tiny(e) / most;
            let theirs = match lapack {
                Some(lapack) => lapacks(lapack, driver, &a[i], &b[i]).unwrap().map(|x| distance(&x, &truth.x, e)),
                None => None,
            };
            let limit = theirs.filter(|theirs| *theirs < 1e-2).map_or(limit, |theirs| limit.max(4.0 * theirs));
            (limit < 0.1).then_some(limit)
        })
        .collect();
    let mut measured = 0;
    for form in forms(driver, (m, n)) {
        let output = call(session, form, driver, &a, &b)?;
        let x = if matches!(driver, Driver::Inv | Driver::GelsIterative) { 0 } else { 1 };
        for (i, &(of_a, of_b)) in scales.iter().enumerate() {
            let of_b = if driver == Driver::Inv { 0 } else { of_b };
            let Some(limit) = limits[i] else { continue };
            let what = || {
                let scale = format!("A of 2^{of_a}, B of 2^{of_b}");
                format!("{driver:?} {} {m}x{n}, {nrhs} {form:?} member {i}, {scale}", T::DTYPE.letter())
            };
            let got = &output.operands[x][i];
            let far = distance(got, &truths[i].x, of_b - of_a);
            assert!(far <= limit, "{}: {far:e} for {limit:e}, {:?}", what(), got.data().get(..2.min(got.data().len())));
            assert_eq!(output.info[i].max(0), 0, "{}", what());
            if matches!(driver, Driver::Gels(_)) {
                rest_of_b(&truths[i], got, of_b, limit).unwrap_or_else(|e| panic!("{}: {e}", what()));
            }
            measured += 1;
        }
    }
    neighbours(session, driver, &scales, (&a, &b))?;
    Ok(measured)
}

/// Checks the rows below X in least squares: their norms must be those of the residuals B - A X.
fn rest_of_b<T: Scalar>(
    truth: &Truth<T::Double>,
    got: &Matrix<T>,
    of_b: i32,
    limit: f64,
) -> std::result::Result<(), String> {
    let order = truth.x.rows();
    for (j, &residual) in truth.residuals.iter().enumerate().filter(|_| got.rows() > order) {
        let rest: Vec<T::Double> = got.col(j)[order..].iter().map(|x| x.to_double().ldexp(-of_b)).collect();
        let tiny = 2f64.powi((T::DTYPE.denormal_exponent() - of_b).clamp(-1000, 100)) * rest.len() as f64;
        let far = (norm(&rest) - residual).abs();
        let top = if T::DTYPE.is_double() { 1023 } else { 127 };
        if residual.log2() + of_b as f64 > top as f64 {
            continue; // beyond the range
        }
        // The elements of B are below 3.5.
        let size = 5.0 * (got.rows() as f64).sqrt();
        if far.is_nan() || far > limit * size + tiny {
            return Err(format!("residual {:e} for {residual:e}", norm(&rest)));
        }
    }
    Ok(())
}

/// Checks that members near 1 are bitwise the same among others of their kind.
fn neighbours<T: Scalar>(
    session: &Session,
    driver: Driver,
    scales: &[(i32, i32)],
    (a, b): (&[Matrix<T>], &[Matrix<T>]),
) -> Result<()> {
    let ordinary: Vec<usize> = (0..scales.len()).filter(|&i| scales[i] == (0, 0)).collect();
    assert!(ordinary.len() > 2);
    let of = |x: &[Matrix<T>]| -> Vec<Matrix<T>> { (0..scales.len()).map(|_| x[ordinary[0]].clone()).collect() };
    let (mixed, alike) = (
        call(session, EntryForm::Pointers, driver, a, b)?,
        call(session, EntryForm::Pointers, driver, &of(a), &of(b))?,
    );
    for &i in &ordinary {
        for (k, (mixed, alike)) in mixed.operands.iter().zip(&alike.operands).enumerate() {
            let same = same_bits(mixed[i].data(), alike[i].data());
            assert!(same, "{driver:?} {}: operand {k} of member {i} felt its neighbours", T::DTYPE.letter());
        }
    }
    Ok(())
}

fn powers_of_two<T: Scalar>() -> Result<()> {
    let session = Session::new(Library::required());
    let all = [
        Driver::Gels(Trans::N),
        Driver::Gels(if T::DTYPE.is_complex() { Trans::C } else { Trans::T }),
        Driver::GelsIterative,
        Driver::Gesv,
        Driver::GesvRbt,
        Driver::Posv(Uplo::Lower),
        Driver::Posv(Uplo::Upper),
        Driver::Inv,
    ];
    for driver in all {
        let mut rng = Rng::new(11);
        let mut measured = 0;
        for case in shapes(driver, &mut rng) {
            measured += members::<T>(&session, driver, case, &mut rng)?;
        }
        println!("{driver:?} {}: {measured} members measured", T::DTYPE.letter());
        assert!(measured > 1000, "{driver:?}: {measured}");
    }
    Ok(())
}

/// A right-hand side near the limit of the range leaves the others of its matrix as accurate as without it.
fn sides_of_several_sizes<T: Scalar>() -> Result<()> {
    let session = Session::new(Library::required());
    let mut rng = Rng::new(12);
    let top = if T::DTYPE.is_double() { 1021 } else { 125 };
    for (m, n) in [(9, 4), (4, 9), (1, 3), (40, 40), (34, 100), (100, 34)] {
        let near: Matrix<T::Double> = matrix(Driver::Gels(Trans::N), (m, n), false, &mut rng);
        let a = vec![at::<T>(&near, top / 2); 3];
        let sides = Matrix::from_fn(m.max(n), 3, |_, _| T::Double::uniform(&mut rng));
        let among = |e: i32| {
            let of = |i, j| T::from_double(sides[(i, j)].ldexp(if j == 1 { e } else { 0 }));
            vec![Matrix::<T>::from_fn(m.max(n), 3, of); 3]
        };
        let jpvt = vec![from_integers(vec![0; n]); 3];
        let place = Placement::guarded();
        for form in [EntryForm::Pointers, EntryForm::Strided] {
            for routine in ["gels", "gelsy"] {
                let solve = |b: &[Matrix<T>]| -> Result<Output<T>> {
                    match routine {
                        "gels" => gels(&session, form, Trans::N, &a, b, &place)?.run(),
                        _ => gelsy(&session, form, -1.0, [&a, b, &jpvt], &place)?.run(),
                    }
                };
                let (alike, apart) = (solve(&among(0))?, solve(&among(top))?);
                for j in [0, 2] {
                    let x = |output: &Output<T>| -> Vec<T::Double> {
                        output.operands[1][2].col(j)[..n].iter().map(|x| x.to_double().ldexp(top / 2)).collect()
                    };
                    let (alike, apart) = (x(&alike), x(&apart));
                    let far: Vec<_> = alike.iter().zip(&apart).map(|(&x, &y)| x - y).collect();
                    let limit = 100.0 * (m.max(n) as f64) * T::DTYPE.eps() * largest(&alike);
                    let letter = T::DTYPE.letter();
                    assert!(
                        largest(&far) <= limit,
                        "{letter}{routine} {m}x{n} {form:?}, side {j}: {apart:?}, {alike:?}"
                    );
                }
            }
        }
    }
    Ok(())
}

in_all_precisions!(powers_of_two);

#[test]
fn right_hand_sides_of_several_sizes() -> Result<()> {
    sides_of_several_sizes::<f32>()?;
    sides_of_several_sizes::<f64>()?;
    sides_of_several_sizes::<C32>()?;
    sides_of_several_sizes::<C64>()
}
