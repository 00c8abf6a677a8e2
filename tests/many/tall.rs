//! Tall matrices distributed over ranks, compared with LAPACK's factorisation of the whole matrix.

use super::ranks::{Connection, DeferredFree, with_ranks};
use std::ffi::c_int;
use std::ptr::null_mut;
use tephra_testkit::lapack::Lapack;
use tephra_testkit::library::many::*;
use tephra_testkit::matrices::Class;
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::{Field, Library, Matrix, Result, Rng, Scalar, in_all_precisions};

/// The rows of each rank, and the columns: the first n rows on one rank or on several, ranks without rows, few rows,
/// many rows.
const SHAPES: &[(&[usize], usize)] = &[
    (&[40], 7),
    (&[100, 50], 8),
    (&[3, 0, 4, 50], 8),
    (&[8, 0, 0], 8),
    (&[0, 0, 40], 5),
    (&[5, 5, 5, 5], 19),
    (&[700, 300, 500, 20], 33),
    (&[60, 30, 20, 300], 50),
    (&[2500, 3000], 40),
    // Trees on some or all ranks, whose Q is formed after the exchange.
    (&[2300, 3000, 2100], 17),
    (&[9000, 2060], 32),
    (&[40, 2500], 5),
    (&[17, 30], 1),
];

/// Rows `from..from + m`, with leading dimension m + 3.
fn part<T: Scalar>(whole: &Matrix<T>, from: usize, m: usize) -> Matrix<T> {
    Matrix::from_fn(m + 3, whole.cols(), |i, j| if i < m { whole[(from + i, j)] } else { T::POISON })
}

fn device<T: Scalar>(of: &Matrix<T>) -> DeferredFree {
    Memory::from_slice(Library::required(), of.data()).unwrap().into()
}

fn room(bytes: usize) -> DeferredFree {
    Memory::new(Library::required(), Kind::Device, bytes).unwrap().into()
}

fn from_backend<T: Scalar>(memory: &Memory, rows: usize, cols: usize) -> Matrix<T> {
    let mut matrix = Matrix::from_fn(rows, cols, |_, _| T::POISON);
    memory.read(matrix.data_mut()).unwrap();
    matrix
}

/// Assembles one matrix from the parts of all ranks, without their padding, which must be unchanged.
fn whole<T: Scalar>(parts: &[Matrix<T>], rows: &[usize]) -> Matrix<T> {
    let cols = parts[0].cols();
    let mut all = Matrix::from_fn(rows.iter().sum(), cols, |_, _| T::POISON);
    let mut from = 0;
    for (part, &m) in parts.iter().zip(rows) {
        for j in 0..cols {
            (0..m).for_each(|i| all[(from + i, j)] = part[(i, j)]);
            for i in m..m + 3 {
                assert!(tephra_testkit::scalar::same_bits(&[part[(i, j)]], &[T::POISON]), "row {i} of {m} was written");
            }
        }
        from += m;
    }
    all
}

fn largest<T: Scalar>(a: &Matrix<T>) -> f64 {
    a.data().iter().map(|x| x.to_double().max_abs_part()).fold(0.0, tephra_testkit::scalar::worst)
}

/// The largest element of X - Y.
fn distance<T: Scalar>(x: &Matrix<T>, y: &Matrix<T>) -> f64 {
    assert_eq!((x.rows(), x.cols()), (y.rows(), y.cols()));
    let apart = |(a, b): (&T, &T)| (a.to_double() - b.to_double()).max_abs_part();
    x.data().iter().zip(y.data()).map(apart).fold(0.0, tephra_testkit::scalar::worst)
}

fn product<T: Scalar>(a: &Matrix<T>, b: &Matrix<T>, adjoint: bool) -> Matrix<T> {
    let rows = if adjoint { a.cols() } else { a.rows() };
    Matrix::from_fn(rows, b.cols(), |i, j| {
        let term = |l: usize| if adjoint { a[(l, i)].to_double().conj() } else { a[(i, l)].to_double() };
        let mut sum = T::Double::ZERO;
        (0..b.rows()).for_each(|l| sum += term(l) * b[(l, j)].to_double());
        T::from_double(sum)
    })
}

/// LAPACK's R of the whole matrix.
fn lapacks_r<T: Scalar>(a: &Matrix<T>) -> Matrix<T> {
    let factors = Lapack::get().unwrap().geqrf(a).factors;
    let n = a.cols();
    Matrix::from_fn(n, n, |i, j| if i <= j { factors[(i, j)] } else { T::from_double(T::Double::ZERO) })
}

fn starts(rows: &[usize]) -> Vec<usize> {
    rows.iter().scan(0, |sum, &m| Some(std::mem::replace(sum, *sum + m))).collect()
}

fn factors_are_lapacks<T: Scalar>() -> Result<()> {
    let eps = T::DTYPE.eps();
    let (qr, mut rng): (QrDistributed, _) = (function::<T, _>("tephra_?qr_distributed"), Rng::new(11));
    for connection in Connection::ALL {
        for &(rows, n) in SHAPES {
            let m: usize = rows.iter().sum();
            let a = Class::Uniform.generate::<T>(m, n, &mut rng);
            let (expected, scale) = (lapacks_r(&a), largest(&a) * m as f64);
            let starts = starts(rows);
            let results = with_ranks(connection, rows.len(), |rank, comm| {
                let (local, ld) = (rows[rank], (rows[rank] + 3) as i64);
                let mine = part(&a, starts[rank], local);
                let run = |flag: c_int| {
                    let (a, q) = (device(&mine), device(&Matrix::from_fn(local + 3, n, |_, _| T::POISON)));
                    let r = room(n * n * size_of::<T>());
                    let (mi, ni) = (local as i64, n as i64);
                    ok(unsafe {
                        qr(comm, flag, mi, ni, a.pointer(), ld, q.pointer(), ld, r.pointer(), ni, null_mut())
                    });
                    (from_backend::<T>(&q, local + 3, n), from_backend::<T>(&r, n, n))
                };
                let (q, r) = run(1);
                let (_, alone) = run(0);
                (q, r, alone)
            });
            let what = format!("{connection:?} {rows:?} x {n} {:?}", T::DTYPE);
            for (_, r, alone) in &results {
                let same = |x: &Matrix<T>, y: &Matrix<T>| tephra_testkit::scalar::same_bits(x.data(), y.data());
                assert!(same(r, &results[0].1), "{what}: ranks have different R");
                assert!(distance(r, &expected) < 30.0 * eps * scale, "{what}: R is not LAPACK's");
                assert!(distance(alone, &expected) < 30.0 * eps * scale, "{what}: R alone is not LAPACK's");
                for j in 0..n {
                    (j + 1..n)
                        .for_each(|i| assert!(r[(i, j)].to_double() == T::Double::ZERO, "{what}: below the diagonal"));
                }
            }
            let q = whole(&results.iter().map(|result| result.0.clone()).collect::<Vec<_>>(), rows);
            assert!(distance(&product(&q, &results[0].1, false), &a) < 30.0 * eps * scale, "{what}: A is not Q R");
            let one =
                Matrix::from_fn(n, n, |i, j| T::from_double(if i == j { T::Double::ONE } else { T::Double::ZERO }));
            assert!(distance(&product(&q, &q, true), &one) < 30.0 * eps * m as f64, "{what}: Q is not orthogonal");
        }
    }
    Ok(())
}

mod explicit {
    use super::*;
    in_all_precisions!(factors_are_lapacks);
}

/// All of LAPACK's kinds of matrices: A = Q R with an orthogonal Q, relative to the norm. Columns that end in zeros
/// keep their signs.
fn classes_are_factored<T: Scalar>() -> Result<()> {
    let eps = T::DTYPE.eps();
    let (qr, mut rng): (QrDistributed, _) = (function::<T, _>("tephra_?qr_distributed"), Rng::new(12));
    let n = 20;
    // Few rows, and enough for a tree on each rank.
    for (&class, rows) in Class::ALL.iter().flat_map(|class| [[60, 0, 70], [2200, 0, 2150]].map(|rows| (class, rows))) {
        let m = rows.iter().sum::<usize>();
        let a = class.generate::<T>(m, n, &mut rng);
        if !a.is_finite() {
            continue;
        }
        let starts = starts(&rows);
        let results = with_ranks(Connection::Own, 3, |rank, comm| {
            let (local, ld) = (rows[rank], (rows[rank] + 3) as i64);
            let (a, q) =
                (device(&part(&a, starts[rank], local)), device(&Matrix::from_fn(local + 3, n, |_, _| T::POISON)));
            let r = room(n * n * size_of::<T>());
            let (mi, ni) = (local as i64, n as i64);
            ok(unsafe { qr(comm, 1, mi, ni, a.pointer(), ld, q.pointer(), ld, r.pointer(), ni, null_mut()) });
            (from_backend::<T>(&q, local + 3, n), from_backend::<T>(&r, n, n))
        });
        let q = whole(&results.iter().map(|result| result.0.clone()).collect::<Vec<_>>(), &rows);
        let error = distance(&product(&q, &results[0].1, false), &a);
        assert!(error <= 30.0 * eps * largest(&a) * m as f64, "{}: A is not Q R: {error:e}", class.name());
        let one = Matrix::from_fn(n, n, |i, j| T::from_double(if i == j { T::Double::ONE } else { T::Double::ZERO }));
        assert!(distance(&product(&q, &q, true), &one) < 30.0 * eps * 130.0, "{}: orthogonality", class.name());
        if matches!(class, Class::Diagonal | Class::Upper) {
            assert!(distance(&results[0].1, &lapacks_r(&a)) <= 30.0 * eps * largest(&a), "{}: R", class.name());
        }
    }
    Ok(())
}

mod classes {
    use super::*;
    in_all_precisions!(classes_are_factored);
}

/// Checks Q^H A = R and Q Q^H C = C.
fn implicit_q_is_applied<T: Scalar>() -> Result<()> {
    let eps = T::DTYPE.eps();
    let geqr: GeqrDistributed = function::<T, _>("tephra_?geqr_distributed");
    let tsize: GeqrDistributedTsize = function::<T, _>("tephra_?geqr_distributed_tsize");
    let gemqr: GemqrDistributed = function::<T, _>("tephra_?gemqr_distributed");
    let mut rng = Rng::new(13);
    for connection in [Connection::Own, Connection::Callbacks, Connection::Nccl] {
        for &(rows, n) in SHAPES {
            let m: usize = rows.iter().sum();
            let a = Class::Uniform.generate::<T>(m, n, &mut rng);
            let c = Class::Uniform.generate::<T>(m, 3, &mut rng);
            let starts = starts(rows);
            let results = with_ranks(connection, rows.len(), |rank, comm| {
                let (local, ld, ni) = (rows[rank] as i64, (rows[rank] + 3) as i64, n as i64);
                let own = |of: &Matrix<T>| device(&part(of, starts[rank], rows[rank]));
                let (factored, of_a, of_c) = (own(&a), own(&a), own(&c));
                let mut elements = 0;
                ok(unsafe { tsize(comm, local, ni, &mut elements) });
                let t = room(elements as usize * size_of::<T>());
                let r = room(n * n * size_of::<T>());
                let (p, pt) = (factored.pointer(), t.pointer());
                ok(unsafe { geqr(comm, local, ni, p, ld, pt, elements, r.pointer(), ni, null_mut()) });
                let apply = |trans: c_int, to: &Memory, columns: i64| {
                    let to = to.pointer();
                    ok(unsafe { gemqr(comm, trans, local, columns, ni, p, ld, pt, elements, to, ld, null_mut()) });
                };
                apply(113, &of_a, ni);
                apply(113, &of_c, 3);
                let turned = from_backend::<T>(&of_c, rows[rank] + 3, 3);
                apply(111, &of_c, 3);
                let height = rows[rank] + 3;
                [
                    from_backend::<T>(&of_a, height, n),
                    turned,
                    from_backend::<T>(&of_c, height, 3),
                    from_backend::<T>(&r, n, n),
                ]
            });
            let what = format!("{connection:?} {rows:?} x {n} {:?}", T::DTYPE);
            let limit = 30.0 * eps * m as f64;
            let gathered =
                |pick: fn(&[Matrix<T>; 4]) -> Matrix<T>| whole(&results.iter().map(pick).collect::<Vec<_>>(), rows);
            let r = &results[0][3];
            assert!(distance(r, &lapacks_r(&a)) < limit, "{what}: R");
            let zero = T::from_double(T::Double::ZERO);
            let padded = Matrix::from_fn(m, n, |i, j| if i < n { r[(i, j)] } else { zero });
            assert!(distance(&gathered(|result| result[0].clone()), &padded) < limit, "{what}: Q^H A is not R");
            assert!(distance(&gathered(|result| result[2].clone()), &c) < limit, "{what}: Q Q^H C is not C");
            assert!(distance(&gathered(|result| result[1].clone()), &c) > 0.01, "{what}: Q is the identity");
        }
    }
    Ok(())
}

mod implicit {
    use super::*;
    in_all_precisions!(implicit_q_is_applied);
}

/// X is LAPACK's, on all ranks; for a rank-deficient matrix, the deficient column is reported.
fn solutions_are_lapacks<T: Scalar>() -> Result<()> {
    let (gels, mut rng): (GelsDistributed, _) = (function::<T, _>("tephra_?gels_distributed"), Rng::new(14));
    for connection in [Connection::Own, Connection::Callbacks, Connection::Nccl] {
        for &(rows, n) in SHAPES {
            let m: usize = rows.iter().sum();
            let a = Class::Cond2.generate::<T>(m, n, &mut rng);
            let b = Class::Uniform.generate::<T>(m, 4, &mut rng);
            let zeroed =
                Matrix::from_fn(m, n, |i, j| if j == n / 2 { T::from_double(T::Double::ZERO) } else { a[(i, j)] });
            let starts = starts(rows);
            let results = with_ranks(connection, rows.len(), |rank, comm| {
                let (local, ld, ni) = (rows[rank] as i64, (rows[rank] + 3) as i64, n as i64);
                let own = |of: &Matrix<T>| device(&part(of, starts[rank], rows[rank]));
                let solve = |a: &Matrix<T>| {
                    let (a, b) = (own(a), own(&b));
                    let x = room(n * 4 * size_of::<T>());
                    let info = room(4);
                    let (pa, pb, px, pi) = (a.pointer(), b.pointer(), x.pointer(), info.pointer());
                    ok(unsafe { gels(comm, local, ni, 4, pa, ld, pb, ld, px, ni, pi, null_mut()) });
                    let mut code = [-7i32];
                    info.read(&mut code).unwrap();
                    (from_backend::<T>(&x, n, 4), code[0])
                };
                (solve(&a), solve(&zeroed).1)
            });
            let lapacks = Lapack::get()?.gels(b'N', &a, &b)?.unwrap();
            let expected = Matrix::from_fn(n, 4, |i, j| lapacks[(i, j)]);
            let limit = 100.0 * T::DTYPE.eps() * m as f64 * largest(&expected).max(1.0);
            for ((x, code), singular) in &results {
                assert_eq!(*code, 0);
                assert_eq!(*singular as usize, n / 2 + 1, "{rows:?} x {n}");
                assert!(distance(x, &expected) < limit, "{connection:?} {rows:?} x {n}: {:e}", distance(x, &expected));
            }
        }
    }
    Ok(())
}

mod least_squares {
    use super::*;
    in_all_precisions!(solutions_are_lapacks);
}

/// Without unknowns, the call only reports success.
#[test]
fn codes_of_no_columns_are_zero() {
    let gels: GelsDistributed = function::<f64, _>("tephra_?gels_distributed");
    for connection in [Connection::Own, Connection::Callbacks, Connection::Nccl] {
        let codes = with_ranks(connection, 3, |rank, comm| {
            let info = Memory::new(Library::required(), Kind::Device, 4).unwrap();
            info.write(&[-7i32]).unwrap();
            let (a, b, x) = (null_mut(), null_mut(), null_mut());
            ok(unsafe { gels(comm, rank as i64, 0, 2, a, 4, b, 4, x, 1, info.pointer(), null_mut()) });
            let mut code = [-7i32];
            info.read(&mut code).unwrap();
            code[0]
        });
        assert_eq!(codes, [0; 3], "{connection:?}");
    }
}
