//! LU and Cholesky of one matrix in host memory, by LAPACK's ratios.

use super::one_matrix::{exponents, scaled};
use super::*;
use tephra_testkit::library::many::{GetrfHost, PotrfHost};

const LOWER: c_int = 122;
const UPPER: c_int = 121;

/// The smallest sufficient budget, as the message about a smaller one says; 1 if any budget will do.
fn least_of(factor: impl FnOnce(i64) -> c_int) -> i64 {
    if !on_cuda() {
        return 1;
    }
    assert_eq!(factor(1), OUT_OF_MEMORY);
    let text = Library::required().last_error();
    let number = text.split(" takes ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
    number.unwrap_or_else(|| panic!("no number in {text}"))
}

/// With all memory; with the smallest sufficient budget; with a little more, on two "devices" that are the same one.
fn ways_of(least: i64) -> [Settings; 3] {
    [UNLIMITED, Settings { budget: least, devices: &[] }, Settings { budget: 2 * least, devices: &[0, 0] }]
}

/// LU in place, with pivots and info.
fn lu<T: Scalar>(a: &mut Matrix<T>, m: usize, ipiv: &mut [c_int], info: &mut c_int, settings: Settings) -> c_int {
    let getrf: GetrfHost = function::<T, _>("tephra_?getrf_host");
    let (n, ld, p) = (a.cols() as i64, a.rows() as i64, raw(a));
    let (count, devices) = (settings.devices.len() as c_int, settings.devices.as_ptr());
    unsafe { getrf(m as i64, n, p, ld, ipiv.as_mut_ptr(), info, settings.budget, count, devices, None, null_mut()) }
}

fn cholesky<T: Scalar>(uplo: c_int, a: &mut Matrix<T>, n: usize, info: &mut c_int, settings: Settings) -> c_int {
    let potrf: PotrfHost = function::<T, _>("tephra_?potrf_host");
    let (ld, p) = (a.rows() as i64, raw(a));
    let (count, devices) = (settings.devices.len() as c_int, settings.devices.as_ptr());
    unsafe { potrf(uplo, n as i64, p, ld, info, settings.budget, count, devices, None, null_mut()) }
}

fn least_lu<T: Scalar>(m: usize, n: usize) -> i64 {
    let (mut a, mut ipiv) = (Matrix::from_fn(m, n, |_, _| T::POISON), vec![0; m.min(n)]);
    let least = least_of(|budget| lu(&mut a, m, &mut ipiv, &mut 0, Settings { budget, devices: &[] }));
    assert!(a.data().iter().all(|x| same_bits(&[*x], &[T::POISON])), "A was written before there was memory");
    least
}

/// The largest error of a column of P A - L U, relative to rounding in the products of L and U, which pivots may make larger
/// than A. Columns are scaled to about 1, with an allowance for rounding to denormal numbers.
fn ratio<T: Scalar>(a: &Matrix<T>, factors: &Matrix<T>, ipiv: &[c_int]) -> f64 {
    let (m, n, k) = (a.rows(), a.cols(), a.rows().min(a.cols()));
    let mut rows: Vec<usize> = (0..m).collect();
    for (i, pivot) in ipiv.iter().enumerate() {
        rows.swap(i, *pivot as usize - 1);
    }
    let (zero, exponents) = (T::from_double(T::Double::ZERO), exponents(a));
    let l = Matrix::from_fn(m, k, |i, j| match i.cmp(&j) {
        std::cmp::Ordering::Less => T::Double::ZERO,
        std::cmp::Ordering::Equal => T::Double::ONE,
        std::cmp::Ordering::Greater => factors[(i, j)].to_double(),
    });
    let u = scaled(&Matrix::from_fn(k, n, |i, j| if i <= j { factors[(i, j)] } else { zero }), a);
    let exchanged = scaled(&Matrix::from_fn(m, n, |i, j| a[(rows[i], j)]), a);
    let difference = minus(&exchanged, &l.times(&u));
    let of_column = |j: usize| {
        let sum = |of: &Matrix<T::Double>| of.col(j).iter().map(|x| x.abs()).sum::<f64>();
        let tiny = 1f64.ldexp(T::DTYPE.denormal_exponent() - exponents[j]);
        let error = sum(&difference);
        if error == 0.0 { 0.0 } else { error / (m as f64 * norm(&l) * (T::DTYPE.eps() * sum(&u) + tiny)) }
    };
    (0..n).map(of_column).fold(0.0, worst)
}

fn lu_of_shapes<T: Scalar>() -> Result<()> {
    let (mut rng, lapack) = (Rng::new(41), Lapack::get()?);
    for (m, n) in [(1, 1), (1, 9), (40, 3), (33, 64), (150, 150), (260, 140), (140, 260), (700, 330)] {
        let a = Class::Uniform.generate::<T>(m, n, &mut rng);
        let (_, their_ipiv, _) = lapack.getrf(&a)?;
        for settings in ways_of(least_lu::<T>(m, n)) {
            let what = format!("{:?} {m} x {n}, {settings:?}", T::DTYPE);
            let (mut f, mut ipiv, mut info) = (padded(&a), vec![-7; m.min(n) + 1], -7);
            ok(lu(&mut f, m, &mut ipiv, &mut info, settings));
            unpadded(&f);
            assert_eq!((info, ipiv.pop()), (0, Some(-7)), "{what}");
            // Elements of random matrices differ by more than rounding, so there is one choice of pivots.
            assert_eq!(ipiv, their_ipiv, "{what}");
            let ratio = ratio(&a, &f, &ipiv);
            assert!(ratio < 30.0, "{what}: P A is not L U: {ratio:e}");
        }
    }
    Ok(())
}

mod lu_shapes {
    use super::*;
    in_all_precisions!(lu_of_shapes);
}

fn lu_of_classes<T: Scalar>() -> Result<()> {
    let mut rng = Rng::new(42);
    for &class in Class::ALL {
        for (m, n) in [(190, 120), (120, 190)] {
            let a = class.generate::<T>(m, n, &mut rng);
            if !a.is_finite() {
                continue;
            }
            for settings in ways_of(least_lu::<T>(m, n)) {
                let what = format!("{:?} {} {m} x {n}, {settings:?}", T::DTYPE, class.name());
                let (mut f, mut ipiv, mut info) = (padded(&a), vec![0; m.min(n)], -7);
                ok(lu(&mut f, m, &mut ipiv, &mut info, settings));
                unpadded(&f);
                let zero = (0..m.min(n)).find(|&j| f[(j, j)].to_double().max_abs_part() == 0.0);
                assert_eq!(info, zero.map_or(0, |j| j as c_int + 1), "{what}");
                let rows = ipiv.iter().enumerate().all(|(i, pivot)| (i as c_int + 1..=m as c_int).contains(pivot));
                assert!(rows, "{what}: no rows to exchange with: {ipiv:?}");
                let largest = (0..n.min(m)).flat_map(|j| (j + 1..m).map(move |i| (i, j)));
                assert!(
                    largest.into_iter().all(|at| f[at].to_double().max_abs_part() <= 1.5),
                    "{what}: L has large elements"
                );
                let ratio = ratio(&a, &f, &ipiv);
                assert!(ratio < 30.0, "{what}: P A is not L U: {ratio:e}");
            }
        }
    }
    Ok(())
}

mod lu_classes {
    use super::*;
    in_all_precisions!(lu_of_classes);
}

/// A Hermitian positive definite matrix B B^H + n I in one triangle; the other triangle is poison.
fn definite<T: Scalar>(n: usize, uplo: c_int, rng: &mut Rng) -> Matrix<T> {
    let b = Class::Uniform.generate::<T>(n, n, rng).to_double();
    let product = b.times(&b.adjoint());
    Matrix::from_fn(n, n, |i, j| match (i == j, (i > j) == (uplo == LOWER)) {
        (true, _) => T::from_double(T::Double::real(product[(i, j)].re() + n as f64)),
        (false, true) => T::from_double(product[(i, j)]),
        _ => T::POISON,
    })
}

fn least_cholesky<T: Scalar>(uplo: c_int, n: usize) -> i64 {
    let mut a = Matrix::from_fn(n, n, |_, _| T::POISON);
    let least = least_of(|budget| cholesky(uplo, &mut a, n, &mut 0, Settings { budget, devices: &[] }));
    assert!(a.data().iter().all(|x| same_bits(&[*x], &[T::POISON])), "A was written before there was memory");
    least
}

fn cholesky_of_orders<T: Scalar>() -> Result<()> {
    let mut rng = Rng::new(43);
    for n in [1, 2, 31, 33, 64, 150, 260, 515] {
        for uplo in [LOWER, UPPER] {
            let a = definite::<T>(n, uplo, &mut rng);
            for settings in ways_of(least_cholesky::<T>(uplo, n)) {
                let what = format!("{:?} {n} {uplo}, {settings:?}", T::DTYPE);
                let (mut f, mut info) = (padded(&a), -7);
                ok(cholesky(uplo, &mut f, n, &mut info, settings));
                unpadded(&f);
                assert_eq!(info, 0, "{what}");
                let stored = |i: usize, j: usize| i == j || (i > j) == (uplo == LOWER);
                let zero = T::Double::ZERO;
                let factor = Matrix::from_fn(n, n, |i, j| if stored(i, j) { f[(i, j)].to_double() } else { zero });
                let product = match uplo {
                    LOWER => factor.times(&factor.adjoint()),
                    _ => factor.adjoint().times(&factor),
                };
                let mut error = 0.0;
                for (i, j) in (0..n).flat_map(|j| (0..n).map(move |i| (i, j))) {
                    if stored(i, j) {
                        error = worst(error, (product[(i, j)] - a[(i, j)].to_double()).max_abs_part());
                    } else {
                        assert!(same_bits(&[f[(i, j)]], &[T::POISON]), "{what}: ({i}, {j}) was written");
                    }
                }
                let ratio = error / (n as f64 * T::DTYPE.eps() * norm(&product));
                assert!(ratio < 30.0, "{what}: A is not the product of its factors: {ratio:e}");
            }
        }
    }
    Ok(())
}

mod cholesky_orders {
    use super::*;
    in_all_precisions!(cholesky_of_orders);
}

fn indefinite_ones_are_told<T: Scalar>() -> Result<()> {
    let (n, mut rng) = (210, Rng::new(44));
    for uplo in [LOWER, UPPER] {
        let whole = definite::<T>(n, uplo, &mut rng);
        for minor in [0, 31, 32, 100, 209] {
            let mut a = whole.clone();
            a[(minor, minor)] = T::from_double(T::Double::real(-1.0));
            for settings in ways_of(least_cholesky::<T>(uplo, n)) {
                let (mut expected, mut f, mut info) = (padded(&whole), padded(&a), -7);
                ok(cholesky(uplo, &mut expected, n, &mut 0, settings));
                ok(cholesky(uplo, &mut f, n, &mut info, settings));
                unpadded(&f);
                assert_eq!(info, minor as c_int + 1, "{:?} {uplo} {settings:?}", T::DTYPE);
                for (i, j) in (0..minor).flat_map(|j| (0..minor).map(move |i| (i, j))) {
                    let difference = (f[(i, j)].to_double() - expected[(i, j)].to_double()).max_abs_part();
                    let stored = i == j || (i > j) == (uplo == LOWER);
                    assert!(
                        !stored || difference <= 300.0 * n as f64 * T::DTYPE.eps(),
                        "({i}, {j}) of the minor {minor}"
                    );
                }
            }
        }
    }
    Ok(())
}

mod cholesky_indefinite {
    use super::*;
    in_all_precisions!(indefinite_ones_are_told);
}

#[test]
fn calls_of_factorisations_are_cancelled() {
    unsafe extern "C" fn stop(done: i64, _: i64, until: Raw) -> c_int {
        (done >= unsafe { *until.cast::<i64>() }) as c_int
    }
    let getrf: GetrfHost = function::<f64, _>("tephra_?getrf_host");
    let potrf: PotrfHost = function::<f64, _>("tephra_?potrf_host");
    let mut rng = Rng::new(45);
    let budget = least_lu::<f64>(300, 300);
    for until in [1i64, 3] {
        let mut a = definite::<f64>(300, LOWER, &mut rng);
        let (mut ipiv, mut info, mut last) = (vec![0; 300], 0, until);
        let (p, user, none) = (raw(&mut a), (&raw mut last).cast(), null());
        let code = unsafe { potrf(LOWER, 300, p, 300, &mut info, budget, 0, none, Some(stop), user) };
        assert!(code == 7 || (!on_cuda() && until > 1), "{code}");
        let code = unsafe { getrf(300, 300, p, 300, ipiv.as_mut_ptr(), &mut info, budget, 0, none, Some(stop), user) };
        assert!(code == 7 || (!on_cuda() && until > 1), "{code}");
    }
}

#[test]
fn arguments_of_factorisations_are_checked() {
    let getrf: GetrfHost = function::<f64, _>("tephra_?getrf_host");
    let potrf: PotrfHost = function::<f64, _>("tephra_?potrf_host");
    let a = Matrix::from_fn(6, 4, |i, j| (1 + i * j) as f64);
    let (mut memory, mut pivots, mut code) = (a.clone(), [9 as c_int; 4], 9);
    let (p, v, info) = (raw(&mut memory), pivots.as_mut_ptr(), &raw mut code);
    let wrong = [99 as c_int];
    unsafe {
        let lu = |m, n, a, lda, ipiv, budget, count, devices| {
            getrf(m, n, a, lda, ipiv, info, budget, count, devices, None, null_mut())
        };
        let cholesky = |uplo, n, a, lda, budget, count, devices| {
            potrf(uplo, n, a, lda, info, budget, count, devices, None, null_mut())
        };
        for (expected, found) in [
            (-1, lu(-1, 4, p, 6, v, 0, 0, null())),
            (-2, lu(6, -4, p, 6, v, 0, 0, null())),
            (-3, lu(6, 4, null_mut(), 6, v, 0, 0, null())),
            (-4, lu(6, 4, p, 5, v, 0, 0, null())),
            (-5, lu(6, 4, p, 6, null_mut(), 0, 0, null())),
            (-7, lu(6, 4, p, 6, v, -1, 0, null())),
            (-8, lu(6, 4, p, 6, v, 0, -1, null())),
            (-9, lu(6, 4, p, 6, v, 0, 1, null())),
            (-9, lu(6, 4, p, 6, v, 0, 1, wrong.as_ptr())),
            (-1, cholesky(123, 4, p, 6, 0, 0, null())),
            (-2, cholesky(LOWER, -4, p, 6, 0, 0, null())),
            (-3, cholesky(LOWER, 4, null_mut(), 6, 0, 0, null())),
            (-4, cholesky(LOWER, 4, p, 3, 0, 0, null())),
            (-6, cholesky(LOWER, 4, p, 6, -1, 0, null())),
            (-7, cholesky(LOWER, 4, p, 6, 0, -1, null())),
            (-8, cholesky(LOWER, 4, p, 6, 0, 1, wrong.as_ptr())),
        ] {
            assert_eq!(found, expected, "{}", Library::required().last_error());
        }
        assert!(same_bits(memory.data(), a.data()), "A was written before its arguments were right");
        assert_eq!((pivots, code), ([9; 4], 9), "pivots or info were written before the arguments were right");
        assert_eq!((lu(0, 4, null_mut(), 1, null_mut(), 0, 0, null()), code), (0, 0));
        code = 9;
        assert_eq!((cholesky(UPPER, 0, null_mut(), 1, 0, 0, null()), code), (0, 0));
        code = 9;
        let none: *mut c_int = null_mut();
        ok(getrf(6, 4, p, 6, v, none, 0, 0, null(), None, null_mut()));
        assert_eq!(code, 9);
    }
}

/// Arguments in device memory, which the host cannot access.
#[test]
fn device_memory_is_refused() {
    if !on_cuda() {
        return;
    }
    let getrf: GetrfHost = function::<f64, _>("tephra_?getrf_host");
    let potrf: PotrfHost = function::<f64, _>("tephra_?potrf_host");
    let device = Memory::new(Library::required(), Kind::Device, 4 * 4 * 8).unwrap();
    let (mut a, mut ipiv, mut info) = (Matrix::from_fn(4, 4, |i, j| if i == j { 1f64 } else { 0.0 }), [0; 4], 0);
    let (p, v, d) = (raw(&mut a), ipiv.as_mut_ptr(), device.pointer());
    unsafe {
        let lu = |a, ipiv, info| getrf(4, 4, a, 4, ipiv, info, 0, 0, null(), None, null_mut());
        assert_eq!(lu(d, v, &mut info), -3);
        assert_eq!(lu(p, d.cast(), &mut info), -5);
        assert_eq!(lu(p, v, d.cast()), -6);
        assert_eq!(potrf(LOWER, 4, d, 4, &mut info, 0, 0, null(), None, null_mut()), -3);
        assert_eq!(potrf(LOWER, 4, p, 4, d.cast(), 0, 0, null(), None, null_mut()), -5);
    }
}
