//! One large matrix in host memory, factored in tiles: compared with LAPACK and judged by LAPACK's ratios. Runs on the
//! host's cores, and on devices together with the cores; on the CPU backend both are the same.

#[path = "support/one_matrix.rs"]
mod one_matrix;

use one_matrix::{PLAIN, Progress, adjoint, backward_error, minus, norm, orthogonality, padded, raw, unpadded};
use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};
use tephra_testkit::lapack::Lapack;
use tephra_testkit::library::many::*;
use tephra_testkit::library::{Backend, GeqrfStrided};
use tephra_testkit::matrices::Class;
use tephra_testkit::scalar::{same_bits, worst};
use tephra_testkit::{Field, Library, Matrix, Result, Rng, Scalar, in_all_precisions};

/// A factored matrix: A with padding, and T.
struct Factored<T> {
    m: usize,
    n: usize,
    a: Matrix<T>,
    t: Vec<T>,
}

/// On the host's cores, or on devices with this many columns left to the cores.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Executor {
    Host,
    Devices(i64),
}

impl<T: Scalar> Factored<T> {
    fn new(a: &Matrix<T>, nb: usize, look_ahead: usize) -> Self {
        Self::at(a, nb, look_ahead, Executor::Host)
    }

    fn at(a: &Matrix<T>, nb: usize, look_ahead: usize, place: Executor) -> Self {
        let (m, n) = (a.rows(), a.cols());
        let tsize: GeqrfTiledTsize = function::<T, _>("tephra_?geqrf_tiled_tsize");
        let mut size = 0;
        ok(unsafe { tsize(m as i64, n as i64, nb as i64, &mut size) });
        let (mut a, mut t) = (padded(a), vec![T::POISON; size as usize + 1]);
        let (mi, ni, ld, ahead) = (m as i64, n as i64, a.rows() as i64, look_ahead as i64);
        let (p, nb, at) = (raw(&mut a), nb as i64, t.as_mut_ptr().cast());
        ok(unsafe {
            match place {
                Executor::Host => {
                    let geqrf: GeqrfTiled = function::<T, _>("tephra_?geqrf_tiled");
                    geqrf(mi, ni, p, ld, nb, at, size, ahead, None, null_mut())
                }
                Executor::Devices(host) => {
                    let geqrf: GeqrfTiledDevices = function::<T, _>("tephra_?geqrf_tiled_devices");
                    geqrf(mi, ni, p, ld, nb, at, size, ahead, host, 0, 0, null(), None, null_mut())
                }
            }
        });
        assert!(same_bits(&t[size as usize..], &[T::POISON]), "what follows T was written");
        t.pop();
        unpadded(&a);
        Factored { m, n, a, t }
    }

    fn r(&self) -> Matrix<T> {
        let zero = T::from_double(T::Double::ZERO);
        Matrix::from_fn(self.m.min(self.n), self.n, |i, j| if i <= j { self.a[(i, j)] } else { zero })
    }

    /// The first `columns` columns of Q, from k reflectors.
    fn q(&self, columns: usize, k: usize) -> Matrix<T> {
        let orgqr: OrgqrTiled = function::<T, _>("tephra_?orgqr_tiled");
        let (mut a, mut t) = (self.a.clone(), self.t.clone());
        let mut q = padded(&Matrix::from_fn(self.m, columns, |_, _| T::POISON));
        let (m, n, ld, size) = (self.m as i64, columns as i64, a.rows() as i64, t.len() as i64);
        let t = t.as_mut_ptr().cast();
        ok(unsafe { orgqr(m, n, k as i64, raw(&mut a), ld, t, size, raw(&mut q), ld) });
        assert!(same_bits(a.data(), self.a.data()), "A was written");
        unpadded(&q)
    }

    /// op(Q) C with k reflectors.
    fn apply(&self, trans: c_int, k: usize, c: &Matrix<T>) -> Matrix<T> {
        let ormqr: OrmqrTiled = function::<T, _>("tephra_?ormqr_tiled");
        let (mut a, mut t, mut c) = (self.a.clone(), self.t.clone(), padded(c));
        let (m, n, ld, size) = (self.m as i64, c.cols() as i64, a.rows() as i64, t.len() as i64);
        let t = t.as_mut_ptr().cast();
        ok(unsafe { ormqr(trans, m, n, k as i64, raw(&mut a), ld, t, size, raw(&mut c), ld) });
        unpadded(&c)
    }
}

/// The largest difference from LAPACK's R, disregarding the sign of each row.
fn distance_to_lapacks<T: Scalar>(a: &Matrix<T>, r: &Matrix<T>) -> f64 {
    let factors = Lapack::get().unwrap().geqrf(a).factors;
    let row = |i: usize, sign: f64| {
        let apart =
            |j: usize| (factors[(i, j)].to_double() - r[(i, j)].to_double() * T::Double::real(sign)).max_abs_part();
        (i..a.cols()).map(apart).fold(0.0, worst)
    };
    (0..r.rows()).map(|i| row(i, 1.0).min(row(i, -1.0))).fold(0.0, worst)
}

/// Rows, columns, tile size: ragged edges, wide, one row, one column, tiles larger than the matrix, incomplete inner
/// blocks.
const SHAPES: &[(usize, usize, usize)] = &[
    (1, 1, 0),
    (1, 1, 5),
    (1, 9, 4),
    (9, 1, 4),
    (40, 40, 8),
    (64, 48, 16),
    (70, 50, 16),
    (50, 70, 16),
    (33, 35, 11),
    (35, 33, 64),
    (130, 90, 40),
    (90, 130, 40),
    (150, 7, 32),
    (7, 150, 32),
    (200, 200, 0),
    (300, 140, 70),
];

fn shapes_are_factored<T: Scalar>() -> Result<()> {
    let (eps, mut rng) = (T::DTYPE.eps(), Rng::new(21));
    for &(m, n, nb) in SHAPES {
        let what = format!("{:?} {m} x {n} in tiles of {nb}", T::DTYPE);
        let a = Class::Uniform.generate::<T>(m, n, &mut rng);
        let (of, k) = (Factored::new(&a, nb, 0), m.min(n));
        let (q, r) = (of.q(k, k), of.r());
        let error = backward_error(&a, &q, &r);
        assert!(error < 30.0, "{what}: A is not Q R: {error:e}");
        assert!(orthogonality(&q) < 30.0, "{what}: Q is not orthogonal");
        for i in 0..k {
            assert!(
                T::Double::real(r[(i, i)].to_double().re()) == r[(i, i)].to_double(),
                "{what}: R's diagonal is not real"
            );
        }
        // Without pivoting there is only one R.
        if m >= n {
            let apart = distance_to_lapacks(&a, &r);
            assert!(apart < 300.0 * eps * m as f64 * condition_guard(n), "{what}: R is not LAPACK's: {apart:e}");
        }

        // Checks Q^H A = (R; 0), Q (R; 0) = A, and all columns of Q.
        let back = of.apply(adjoint::<T>(), k, &a);
        let whole = Matrix::from_fn(m, n, |i, j| if i < k { r[(i, j)] } else { T::from_double(T::Double::ZERO) });
        let size = norm(&a.to_double()) * m as f64 * eps;
        assert!(norm(&minus(&back.to_double(), &whole.to_double())) < 30.0 * size, "{what}: Q^H A");
        let again = of.apply(PLAIN, k, &whole);
        assert!(norm(&minus(&again.to_double(), &a.to_double())) < 30.0 * size, "{what}: Q R by application");
        let square = of.q(m, k);
        assert!(orthogonality(&square) < 30.0, "{what}: the whole Q");
        let first = Matrix::from_fn(m, k, |i, j| square[(i, j)]);
        assert!(
            norm(&minus(&first.to_double(), &q.to_double())) < 30.0 * m as f64 * eps,
            "{what}: the first columns of Q"
        );

        // With fewer reflectors, applying Q^H to A gives the first columns of R.
        for some in [0, 1, k / 2, k - 1] {
            let part = of.apply(adjoint::<T>(), some, &a);
            let expected = Matrix::from_fn(m, some, |i, j| whole[(i, j)]);
            let found = Matrix::from_fn(m, some, |i, j| part[(i, j)]);
            assert!(norm(&minus(&found.to_double(), &expected.to_double())) < 30.0 * size, "{what}: {some} reflectors");
            assert!(orthogonality(&of.q(k, some)) < 30.0, "{what}: Q by {some} reflectors");
        }
    }
    Ok(())
}

/// An estimate of the condition number of random matrices of a few hundred rows, which amplifies differences in R.
fn condition_guard(n: usize) -> f64 {
    1.0 + n as f64
}

mod shapes {
    use super::*;
    in_all_precisions!(shapes_are_factored);
}

fn classes_are_factored<T: Scalar>() -> Result<()> {
    let mut rng = Rng::new(22);
    for &class in Class::ALL {
        for (m, n, nb) in [(90, 60, 20), (70, 70, 16), (40, 65, 16)] {
            let a = class.generate::<T>(m, n, &mut rng);
            if !a.is_finite() {
                continue;
            }
            let (of, k) = (Factored::new(&a, nb, 0), m.min(n));
            let (q, r) = (of.q(k, k), of.r());
            let error = backward_error(&a, &q, &r);
            assert!(error < 30.0, "{:?} {} {m} x {n}: A is not Q R: {error:e}", T::DTYPE, class.name());
            let error = orthogonality(&q);
            assert!(error < 30.0, "{:?} {} {m} x {n}: orthogonality {error:e}", T::DTYPE, class.name());
        }
    }
    Ok(())
}

mod classes {
    use super::*;
    in_all_precisions!(classes_are_factored);
}

/// Devices alone, with few or many columns left to the cores, with the number that measured rates suggest, or with all
/// of them.
fn devices_and_cores_factor<T: Scalar>() -> Result<()> {
    let (eps, mut rng, lapack) = (T::DTYPE.eps(), Rng::new(29), Lapack::get()?);
    let on_cpu = Library::required().backend()? == Backend::Cpu;
    for (m, n, nb) in [(300, 300, 32), (260, 140, 40), (140, 260, 0), (90, 700, 48), (1, 1, 0), (900, 700, 0)] {
        let a = Class::Uniform.generate::<T>(m, n, &mut rng);
        let k = m.min(n);
        for host in [0, 10, n as i64 / 2, -1, n as i64] {
            let what = format!("{:?} {m} x {n}, {host} columns by cores", T::DTYPE);
            let of = Factored::at(&a, nb, 0, Executor::Devices(host));
            let again = Factored::at(&a, nb, 1, Executor::Devices(host));
            assert!(same_bits(of.a.data(), again.a.data()), "{what}: other bits");
            let (q, r) = (of.q(k, k), of.r());
            let error = backward_error(&a, &q, &r);
            assert!(error < 30.0, "{what}: A is not Q R: {error:e}");
            assert!(orthogonality(&q) < 30.0, "{what}: Q is not orthogonal");
            let size = norm(&a.to_double()) * m as f64 * eps;
            let back = of.apply(adjoint::<T>(), k, &a);
            let whole = Matrix::from_fn(m, n, |i, j| if i < k { r[(i, j)] } else { T::from_double(T::Double::ZERO) });
            assert!(norm(&minus(&back.to_double(), &whole.to_double())) < 30.0 * size, "{what}: Q^H A");
            if on_cpu || host == n as i64 {
                let tiled = Factored::new(&a, nb, 0);
                let same = same_bits(of.a.data(), tiled.a.data()) && same_bits(&of.t, &tiled.t);
                assert!(same, "{what}: not what tiles give");
            } else {
                if host < 0 {
                    // The number that the rates suggest can be queried and passed explicitly.
                    let columns_of: GeqrfTiledHostColumns = function::<T, _>("tephra_?geqrf_tiled_host_columns");
                    let (mut columns, none) = (-77, null());
                    ok(unsafe { columns_of(m as i64, n as i64, nb as i64, 0, 0, none, &mut columns) });
                    let said = Factored::at(&a, nb, 0, Executor::Devices(columns));
                    assert!(same_bits(of.a.data(), said.a.data()), "{what}: not those of {columns} columns");
                }
                // Compares R with LAPACK's, including signs.
                let theirs = lapack.geqrf(&a);
                let limit = 300.0 * eps * (m * m.max(n)) as f64;
                let r_of = |i, j| if i <= j { theirs.factors[(i, j)] } else { T::from_double(T::Double::ZERO) };
                let apart = norm(&minus(&r.to_double(), &Matrix::from_fn(k, n, r_of).to_double()));
                assert!(apart < limit, "{what}: R is not LAPACK's: {apart:e}");
            }
        }
    }
    Ok(())
}

mod devices {
    use super::*;
    in_all_precisions!(devices_and_cores_factor);
}

/// The result does not depend on the order of the tasks or on which thread runs them.
fn bits_are_always_the_same<T: Scalar>() -> Result<()> {
    let a = Class::Uniform.generate::<T>(330, 250, &mut Rng::new(23));
    let first = Factored::new(&a, 32, 0);
    let q = first.q(250, 250);
    for look_ahead in [0, 0, 1, 2, 7, 100] {
        let other = Factored::new(&a, 32, look_ahead);
        assert!(same_bits(first.a.data(), other.a.data()) && same_bits(&first.t, &other.t), "{look_ahead} ahead");
        assert!(same_bits(q.data(), other.q(250, 250).data()), "Q");
    }
    Ok(())
}

mod bits {
    use super::*;
    in_all_precisions!(bits_are_always_the_same);
}

fn what_is_not_a_number_shows<T: Scalar>() -> Result<()> {
    let mut rng = Rng::new(24);
    let nan = |x: T| x.to_double().max_abs_part().is_nan();
    for (i, j) in [(0, 0), (69, 0), (35, 20), (69, 49)] {
        let mut a = Class::Uniform.generate::<T>(70, 50, &mut rng);
        a[(i, j)] = T::from_double(T::Double::real(f64::NAN));
        for place in [Executor::Host, Executor::Devices(0), Executor::Devices(20)] {
            let r = Factored::at(&a, 16, 0, place).r();
            assert!((0..=j).any(|i| nan(r[(i, j)])), "({i}, {j}) is not seen in its column, {place:?}");
            let left = (0..j).all(|j| (0..=j).all(|i| !nan(r[(i, j)])));
            assert!(left, "({i}, {j}) is seen in columns before it, {place:?}");
        }
    }
    Ok(())
}

mod nan {
    use super::*;
    in_all_precisions!(what_is_not_a_number_shows);
}

/// Returns X, or the info code.
fn least_squares<T: Scalar>(
    trans: c_int,
    a: &Matrix<T>,
    b: &Matrix<T>,
    nb: usize,
    place: Executor,
) -> std::result::Result<Matrix<T>, c_int> {
    let rows = a.rows().max(a.cols());
    let mut x = padded(&Matrix::from_fn(rows, b.cols(), |i, j| if i < b.rows() { b[(i, j)] } else { T::POISON }));
    let (mut a, m, n, nrhs, mut info) = (padded(a), a.rows() as i64, a.cols() as i64, b.cols() as i64, -77);
    let (lda, ldb) = (a.rows() as i64, x.rows() as i64);
    let (p, to, nb, told) = (raw(&mut a), raw(&mut x), nb as i64, &raw mut info);
    ok(unsafe {
        match place {
            Executor::Host => {
                let gels: GelsTiled = function::<T, _>("tephra_?gels_tiled");
                gels(trans, m, n, nrhs, p, lda, to, ldb, nb, told)
            }
            Executor::Devices(host) => {
                let gels: GelsTiledDevices = function::<T, _>("tephra_?gels_tiled_devices");
                gels(trans, m, n, nrhs, p, lda, to, ldb, nb, told, host, 0, 0, null(), None, null_mut())
            }
        }
    });
    unpadded(&a);
    let x = unpadded(&x);
    if info == 0 {
        return Ok(x);
    }
    let mut unknowns = if trans == PLAIN { 0..a.cols() } else { 0..m as usize };
    assert!(
        unknowns.all(|i| (0..b.cols()).all(|j| x[(i, j)].to_double().max_abs_part().is_nan())),
        "X of no full rank is not NaN"
    );
    Err(info)
}

fn systems_are_solved_as_lapack_does<T: Scalar>() -> Result<()> {
    let (eps, mut rng, lapack) = (T::DTYPE.eps(), Rng::new(27), Lapack::get()?);
    for (m, n, nrhs, nb) in
        [(60, 40, 3, 16), (40, 60, 4, 16), (50, 50, 2, 16), (1, 1, 1, 0), (90, 33, 140, 20), (33, 90, 141, 20)]
    {
        for class in [Class::Cond2, Class::NearUnderflow, Class::NearOverflow] {
            for (trans, letter) in [(PLAIN, b'N'), (adjoint::<T>(), if T::DTYPE.is_complex() { b'C' } else { b'T' })] {
                let a = class.generate::<T>(m, n, &mut rng);
                let (equations, unknowns) = if trans == PLAIN { (m, n) } else { (n, m) };
                let b = Class::Uniform.generate::<T>(equations, nrhs, &mut rng);
                // X is of order 1 if B is scaled like A.
                let size = a.data().iter().map(|x| x.to_double().max_abs_part()).fold(0.0, f64::max);
                let b = Matrix::from_fn(equations, nrhs, |i, j| T::from_double(b[(i, j)].to_double().scale(size)));
                let place = [Executor::Host, Executor::Devices(0), Executor::Devices(12)][nrhs % 3];
                let what = format!("{:?} {} {m} x {n}, {}, {place:?}", T::DTYPE, class.name(), letter as char);
                let solved = least_squares(trans, &a, &b, nb, place);
                let found = solved.unwrap_or_else(|info| panic!("{what}: info {info}"));
                let expected = lapack.gels(letter, &a, &b)?.unwrap();
                let x = |of: &Matrix<T>| Matrix::from_fn(unknowns, nrhs, |i, j| of[(i, j)].to_double());
                let apart = norm(&minus(&x(&found), &x(&expected)));
                let limit = 100.0 * (m.max(n) as f64) * eps * norm(&x(&expected)).max(1.0);
                assert!(apart < limit, "{what}: X is not LAPACK's: {apart:e}");
                // The rest of B has the norm of the residual.
                if equations > unknowns {
                    let near_one = |of: &Matrix<T>| of.map(|x| x.to_double().scale(1.0 / size));
                    let op = if trans == PLAIN { near_one(&a) } else { near_one(&a).adjoint() };
                    let residual = minus(&near_one(&b), &op.times(&x(&found)));
                    let norm_of = |x: &[T::Double]| x.iter().map(|x| x.abs().powi(2)).sum::<f64>().sqrt();
                    for j in 0..nrhs {
                        let left = norm_of(&near_one(&found).col(j)[unknowns..]);
                        let expected = norm_of(residual.col(j));
                        let limit = 1000.0 * eps * expected.max(1.0);
                        assert!((left - expected).abs() < limit, "{what}: {left} is left, not {expected}");
                    }
                }
            }
        }
    }
    Ok(())
}

fn what_has_no_full_rank_is_told<T: Scalar>() -> Result<()> {
    let mut rng = Rng::new(28);
    for (m, n, zero) in [(50, 40, 0), (50, 40, 39), (40, 50, 20)] {
        let mut a = Class::Uniform.generate::<T>(m, n, &mut rng);
        for l in 0..m.max(n) {
            if m >= n {
                a[(l, zero)] = T::from_double(T::Double::ZERO);
            } else {
                a[(zero, l)] = T::from_double(T::Double::ZERO);
            }
        }
        let b = Class::Uniform.generate::<T>(m, 2, &mut rng);
        for place in [Executor::Host, Executor::Devices(0), Executor::Devices(16)] {
            assert_eq!(least_squares(PLAIN, &a, &b, 16, place).err(), Some(zero as c_int + 1), "{place:?}");
        }
        a[(0, 0)] = T::from_double(T::Double::real(f64::NAN));
        let seen = |x: Matrix<T>| (0..n).any(|i| x[(i, 0)].to_double().max_abs_part().is_nan());
        assert!(least_squares(PLAIN, &a, &b, 16, Executor::Host).map_or(true, seen), "a NaN is lost");
    }
    // Without equations X is zero.
    let (none, b) = (Matrix::from_fn(0, 3, |_, _| T::POISON), Matrix::from_fn(0, 2, |_, _| T::POISON));
    let x = least_squares(PLAIN, &none, &b, 0, Executor::Host).unwrap();
    assert!(x.rows() == 3 && x.data().iter().all(|x| x.to_double() == T::Double::ZERO));
    Ok(())
}

mod solved {
    use super::*;
    in_all_precisions!(systems_are_solved_as_lapack_does);
}

mod rank {
    use super::*;
    in_all_precisions!(what_has_no_full_rank_is_told);
}

#[test]
fn arguments_are_checked() {
    let geqrf: GeqrfTiled = function::<f64, _>("tephra_?geqrf_tiled");
    let tsize: GeqrfTiledTsize = function::<f64, _>("tephra_?geqrf_tiled_tsize");
    let (ormqr, orgqr): (OrmqrTiled, OrgqrTiled) =
        (function::<f64, _>("tephra_?ormqr_tiled"), function::<f64, _>("tephra_?orgqr_tiled"));
    let a = Matrix::from_fn(6, 4, |i, j| (1 + i * j) as f64 + if i == j { 3.0 } else { 0.0 });
    let (mut size, mut memory, mut t, mut c) = (0, a.clone(), vec![0f64; 100], a.clone());
    let (p, t, c) = (raw(&mut memory), t.as_mut_ptr().cast::<c_void>(), raw(&mut c));
    unsafe {
        assert_eq!([tsize(-1, 4, 2, &mut size), tsize(6, -1, 2, &mut size), tsize(6, 4, -1, &mut size)], [-1, -2, -3]);
        assert_eq!((tsize(6, 4, 2, null_mut()), tsize(i64::MAX, i64::MAX, 2, &mut size)), (-4, -1));
        ok(tsize(6, 4, 2, &mut size));
        let factor = |m, n, a, lda, nb, t, size, ahead| geqrf(m, n, a, lda, nb, t, size, ahead, None, null_mut());
        for (expected, found) in [
            (-1, factor(-1, 4, p, 6, 2, t, size, 0)),
            (-2, factor(6, -4, p, 6, 2, t, size, 0)),
            (-3, factor(6, 4, null_mut(), 6, 2, t, size, 0)),
            (-4, factor(6, 4, p, 5, 2, t, size, 0)),
            (-5, factor(6, 4, p, 6, -2, t, size, 0)),
            (-6, factor(6, 4, p, 6, 2, null_mut(), size, 0)),
            (-7, factor(6, 4, p, 6, 2, t, size - 1, 0)),
            (-8, factor(6, 4, p, 6, 2, t, size, -1)),
            (0, factor(0, 4, null_mut(), 1, 2, null_mut(), 3, 0)),
            (0, factor(6, 0, null_mut(), 6, 2, null_mut(), 3, 0)),
        ] {
            assert_eq!(found, expected, "{}", Library::required().last_error());
        }
        assert!(same_bits(memory.data(), a.data()), "A was written before its arguments were right");
        // A T that no factorisation has made, then the one of this matrix.
        let of = |trans, m, n, k, lda, t, size, c, ldc| ormqr(trans, m, n, k, p, lda, t, size, c, ldc);
        let make = |m, n, k, lda, t, size, q, ldq| orgqr(m, n, k, p, lda, t, size, q, ldq);
        assert_eq!((of(PLAIN, 6, 4, 4, 6, t, size, c, 6), make(6, 4, 4, 6, t, size, c, 6)), (-7, -6));
        ok(factor(6, 4, p, 6, 2, t, size, 0));
        for (expected, found) in [
            (-1, of(7, 6, 4, 4, 6, t, size, c, 6)),
            (-2, of(PLAIN, -6, 4, 4, 6, t, size, c, 6)),
            (-3, of(PLAIN, 6, -4, 4, 6, t, size, c, 6)),
            (-4, of(PLAIN, 6, 4, 7, 6, t, size, c, 6)),
            (-5, ormqr(PLAIN, 6, 4, 4, null_mut(), 6, t, size, c, 6)),
            (-6, of(PLAIN, 6, 4, 4, 5, t, size, c, 6)),
            (-7, of(PLAIN, 6, 4, 4, 6, null_mut(), size, c, 6)),
            (-8, of(PLAIN, 6, 4, 4, 6, t, size - 1, c, 6)),
            (-9, of(PLAIN, 6, 4, 4, 6, t, size, null_mut(), 6)),
            (-10, of(PLAIN, 6, 4, 4, 6, t, size, c, 5)),
            (0, of(PLAIN, 6, 0, 4, 6, null_mut(), 0, null_mut(), 6)),
            (-1, make(-6, 4, 4, 6, t, size, c, 6)),
            (-2, make(6, 7, 4, 6, t, size, c, 6)),
            (-3, make(6, 4, 5, 6, t, size, c, 6)),
            (-4, orgqr(6, 4, 4, null_mut(), 6, t, size, c, 6)),
            (-5, make(6, 4, 4, 5, t, size, c, 6)),
            (-6, make(6, 4, 4, 6, null_mut(), size, c, 6)),
            (-7, make(6, 4, 4, 6, t, size - 1, c, 6)),
            (-8, make(6, 4, 4, 6, t, size, null_mut(), 6)),
            (-8, make(6, 4, 4, 6, t, size, p, 6)),
            (-9, make(6, 4, 4, 6, t, size, c, 5)),
            (0, make(6, 0, 0, 6, null_mut(), 0, null_mut(), 6)),
        ] {
            assert_eq!(found, expected, "{}", Library::required().last_error());
        }
        let (gels, mut info): (GelsTiled, c_int) = (function::<f64, _>("tephra_?gels_tiled"), -77);
        let info = &raw mut info;
        for (expected, found) in [
            (-1, gels(110, 6, 4, 1, p, 6, c, 6, 0, info)),
            (-2, gels(PLAIN, -6, 4, 1, p, 6, c, 6, 0, info)),
            (-3, gels(PLAIN, 6, -4, 1, p, 6, c, 6, 0, info)),
            (-4, gels(PLAIN, 6, 4, -1, p, 6, c, 6, 0, info)),
            (-5, gels(PLAIN, 6, 4, 1, null_mut(), 6, c, 6, 0, info)),
            (-6, gels(PLAIN, 6, 4, 1, p, 5, c, 6, 0, info)),
            (-7, gels(PLAIN, 6, 4, 1, p, 6, null_mut(), 6, 0, info)),
            (-8, gels(112, 4, 6, 1, p, 6, c, 5, 0, info)),
            (-9, gels(PLAIN, 6, 4, 1, p, 6, c, 6, -1, info)),
        ] {
            assert_eq!((found, *info), (expected, -77), "{}", Library::required().last_error());
        }
        // Without right-hand sides or without unknowns, B is not accessed.
        for (trans, m, n, nrhs) in [(PLAIN, 6, 4, 0), (PLAIN, 6, 0, 2), (112, 0, 4, 2)] {
            *info = -77;
            ok(gels(trans, m, n, nrhs, p, 6, null_mut(), 6, 0, info));
            assert_eq!(*info, 0);
        }
        let (of, none): (GeqrfTiledDevices, _) = (function::<f64, _>("tephra_?geqrf_tiled_devices"), null::<c_int>());
        let on_devices = |lda, size, ahead, host, budget, count, devices| {
            of(6, 4, p, lda, 2, t, size, ahead, host, budget, count, devices, None, null_mut())
        };
        let columns_of: GeqrfTiledHostColumns = function::<f64, _>("tephra_?geqrf_tiled_host_columns");
        let mut columns = -77;
        let told = &raw mut columns;
        for (expected, found) in [
            (-1, columns_of(-1, 4, 0, 0, 0, none, told)),
            (-2, columns_of(6, -1, 0, 0, 0, none, told)),
            (-3, columns_of(6, 4, -1, 0, 0, none, told)),
            (-4, columns_of(6, 4, 0, -1, 0, none, told)),
            (-5, columns_of(6, 4, 0, 0, -1, none, told)),
            (-6, columns_of(6, 4, 0, 0, 1, none, told)),
            (-7, columns_of(6, 4, 0, 0, 0, none, null_mut())),
        ] {
            assert_eq!((found, columns), (expected, -77), "{}", Library::required().last_error());
        }
        ok(columns_of(6, 4, 0, 0, 0, none, told));
        let on_cpu = Library::required().backend().unwrap() == Backend::Cpu;
        assert!(if on_cpu { columns == 4 } else { (0..=4).contains(&columns) }, "{columns}");
        let gels_of: GelsTiledDevices = function::<f64, _>("tephra_?gels_tiled_devices");
        let solve_on = |ldb, host, budget, count, devices| {
            gels_of(PLAIN, 6, 4, 1, p, 6, c, ldb, 0, info, host, budget, count, devices, None, null_mut())
        };
        for (expected, found) in [
            (-4, on_devices(5, size, 0, 0, 0, 0, none)),
            (-7, on_devices(6, size - 1, 0, 0, 0, 0, none)),
            (-8, on_devices(6, size, -1, 0, 0, 0, none)),
            (-9, on_devices(6, size, 0, -2, 0, 0, none)),
            (-10, on_devices(6, size, 0, 0, -1, 0, none)),
            (-11, on_devices(6, size, 0, 0, 0, -1, none)),
            (-12, on_devices(6, size, 0, 0, 0, 1, none)),
            (-8, solve_on(5, 0, 0, 0, none)),
            (-11, solve_on(6, -2, 0, 0, none)),
            (-12, solve_on(6, 0, -1, 0, none)),
            (-13, solve_on(6, 0, 0, -1, none)),
            (-14, solve_on(6, 0, 0, 1, none)),
        ] {
            assert_eq!(found, expected, "{}", Library::required().last_error());
        }
        let unmqr: OrmqrTiled = function::<tephra_testkit::C64, _>("tephra_?ormqr_tiled");
        assert_eq!(unmqr(112, 6, 4, 4, p, 6, t, size, c, 6), -1, "LAPACK has no T for complex types");
    }
}

#[test]
fn progress_is_told_and_a_call_can_be_cancelled() {
    let geqrf: GeqrfTiled = function::<f32, _>("tephra_?geqrf_tiled");
    let a = Class::Uniform.generate::<f32>(160, 160, &mut Rng::new(25));
    // Ten tiles in each direction: 10 + 2 (9 + ... + 1) + (81 + 64 + ... + 1) tasks.
    let (tasks, mut t) = (10 + 90 + 285, vec![0f32; 160 * 160 * 2]);
    for until in [i64::MAX, 1, 100] {
        let mut seen = Progress::until(until);
        let (mut a, size) = (a.clone(), t.len() as i64);
        let (p, seen_at) = (raw(&mut a), (&raw mut seen).cast());
        let code =
            unsafe { geqrf(160, 160, p, 160, 16, t.as_mut_ptr().cast(), size, 0, Some(Progress::told), seen_at) };
        assert_eq!(seen.total, tasks);
        // The calling thread may have run none of the tasks, but its last callback always reports the end.
        seen.assert_ended(code);
    }
}

/// The library's QR of a single matrix in host memory.
fn one_matrix<T: Scalar>(a: &Matrix<T>) {
    let geqrf: GeqrfStrided = function::<T, _>("tephra_?geqrf_strided_batched");
    let (mut a, mut tau, m, n) = (a.clone(), vec![T::POISON; a.cols()], a.rows() as i64, a.cols() as i64);
    let (p, tau) = (raw(&mut a), tau.as_mut_ptr().cast());
    ok(unsafe { geqrf(m, n, p, m, m * n, tau, n, 1, null_mut(), 0, null_mut()) });
}

/// Times in comparison with LAPACK and the CPU backend: `tiled --ignored --nocapture timings`. TILED_SIZES gives sizes
/// other than 500, 1000 and 2000, TILED_NB tile sizes.
#[test]
#[ignore = "takes long"]
fn timings() {
    fn of<T: Scalar>() {
        Library::required().set_backend(Backend::Cpu).unwrap();
        let lapack = Lapack::get().unwrap();
        let threads = std::env::var("TEPHRA_NUM_THREADS").ok().and_then(|n| n.parse().ok());
        lapack.set_threads(threads.unwrap_or(std::thread::available_parallelism().map_or(1, |n| n.get() as i32)));
        let list = std::env::var("TILED_SIZES").unwrap_or_else(|_| "500,1000,2000".into());
        let tiles = std::env::var("TILED_NB").unwrap_or_else(|_| "0".into());
        for n in list.split(',').map(|n| n.parse::<usize>().unwrap()) {
            let a = Class::Uniform.generate::<T>(n, n, &mut Rng::new(26));
            let best = |run: &dyn Fn()| {
                let time = |_| {
                    let start = std::time::Instant::now();
                    run();
                    start.elapsed().as_secs_f64()
                };
                (0..5).map(time).fold(f64::MAX, f64::min)
            };
            let flops = 4.0 / 3.0 * (n as f64).powi(3) * if T::DTYPE.is_complex() { 4.0 } else { 1.0 } / 1e9;
            let theirs = best(&|| drop(lapack.geqrf(&a)));
            let one = best(&|| one_matrix(&a));
            for nb in tiles.split(',').map(|nb| nb.parse::<usize>().unwrap()) {
                let ours = best(&|| drop(Factored::new(&a, nb, 0)));
                let [ours, theirs, one] = [ours, theirs, one].map(|time| flops / time);
                println!("{:?},{n},{nb},{ours:.1},{theirs:.1},{one:.1},{:.2}", T::DTYPE, ours / theirs);
            }
        }
        lapack.set_threads(1);
    }
    println!("type,n,nb,GFlop/s,LAPACK's,tephra_?geqrf's,ours by LAPACK's");
    of::<f64>();
    of::<f32>();
}
