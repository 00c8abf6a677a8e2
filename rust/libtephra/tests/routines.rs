//! Checks every routine against its definition in the four precisions, errors for mismatched sizes, and failures of
//! single matrices.

use libtephra::*;

/// The operations on scalars that the tests need.
trait Number: Scalar + std::fmt::Debug {
    fn of(re: f64, im: f64) -> Self;
    fn parts(self) -> (f64, f64);
    const EPS: f64;
}

macro_rules! number {
    ($type:ty, $eps:expr, |$re:ident, $im:ident| $of:expr, |$x:ident| $parts:expr) => {
        impl Number for $type {
            fn of($re: f64, $im: f64) -> Self {
                $of
            }
            fn parts(self) -> (f64, f64) {
                let $x = self;
                $parts
            }
            const EPS: f64 = $eps as f64;
        }
    };
}
number!(f32, f32::EPSILON, |re, _im| re as f32, |x| (x as f64, 0.0));
number!(f64, f64::EPSILON, |re, _im| re, |x| (x, 0.0));
number!(C32, f32::EPSILON, |re, im| C32 { re: re as f32, im: im as f32 }, |x| (x.re as f64, x.im as f64));
number!(C64, f64::EPSILON, |re, im| C64 { re, im }, |x| (x.re, x.im));

/// A reproducible sequence of numbers in -1..1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn batch<T: Number>(&mut self, rows: usize, columns: usize, count: usize) -> Vec<T> {
        (0..rows * columns * count).map(|_| T::of(self.next(), self.next())).collect()
    }
}

/// op(A) op(B) for each matrix, in double precision.
fn product<T: Number>(
    m: usize,
    k: usize,
    n: usize,
    a: impl Fn(usize, usize, usize) -> T,
    b: impl Fn(usize, usize, usize) -> T,
    count: usize,
) -> Vec<(f64, f64)> {
    let mut c = vec![];
    for i in 0..count {
        for column in 0..n {
            for row in 0..m {
                let term = |l| {
                    let ((x, y), (u, v)) = (a(i, row, l).parts(), b(i, l, column).parts());
                    (x * u - y * v, x * v + y * u)
                };
                c.push((0..k).map(term).fold((0.0, 0.0), |s, t| (s.0 + t.0, s.1 + t.1)));
            }
        }
    }
    c
}

fn assert_close<T: Number>(what: &str, found: &[T], wanted: &[(f64, f64)], slack: f64) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (i, (x, want)) in found.iter().zip(wanted).enumerate() {
        let (re, im) = x.parts();
        let error = (re - want.0).hypot(im - want.1);
        assert!(error <= slack * T::EPS, "{what}: element {i} is {x:?}, not {want:?}");
    }
}

fn parts<T: Number>(values: &[T]) -> Vec<(f64, f64)> {
    values.iter().map(|x| x.parts()).collect()
}

fn every_routine<T: Number>() -> Result<(), Error> {
    let mut random = Random(7);
    let (m, n, nrhs, count) = (9, 5, 3, 11);
    let at = |values: &[T], rows: usize, columns: usize| {
        let values = values.to_vec();
        move |i: usize, row: usize, column: usize| values[(i * columns + column) * rows + row]
    };
    let conj = |x: T| T::of(x.parts().0, -x.parts().1);

    // gemm, then the same system solved by gesv, by getrf with getrs, and by inv.
    let mut square: Vec<T> = random.batch(n, n, count);
    for i in 0..count * n {
        square[i / n * n * n + i % n * (n + 1)] = T::of(4.0, 0.0);
    }
    let x: Vec<T> = random.batch(n, nrhs, count);
    let a = Batch::from_slice(n, n, &square)?;
    let mut b = Batch::zeros(n, nrhs, count)?;
    gemm(Trans::No, Trans::No, T::of(1.0, 0.0), &a, &Batch::from_slice(n, nrhs, &x)?, T::of(0.0, 0.0), &mut b)?;
    let right = b.to_vec()?;
    assert_close("gemm", &right, &product(n, n, nrhs, at(&square, n, n), at(&x, n, nrhs), count), 40.0);
    let solved = gesv(&mut a.try_clone()?, &mut b)?;
    assert_close("gesv", &b.to_vec()?, &parts(&x), 400.0);
    assert!(solved.info.to_vec()?.iter().all(|info| *info == 0));
    let mut factors = a.try_clone()?;
    let factored = getrf(&mut factors)?;
    let mut b = Batch::from_slice(n, nrhs, &right)?;
    getrs(Trans::No, &factors, &factored.pivots, &mut b)?;
    assert_close("getrs", &b.to_vec()?, &parts(&x), 400.0);
    let (inverse, _) = inv(&mut a.try_clone()?)?;
    let mut b = Batch::zeros(n, nrhs, count)?;
    gemm(
        Trans::No,
        Trans::No,
        T::of(1.0, 0.0),
        &inverse,
        &Batch::from_slice(n, nrhs, &right)?,
        T::of(0.0, 0.0),
        &mut b,
    )?;
    assert_close("inv", &b.to_vec()?, &parts(&x), 800.0);

    // QR: Q R = A; then least squares of a consistent system.
    let tall: Vec<T> = random.batch(m, n, count);
    let mut q = Batch::from_slice(m, n, &tall)?;
    let tau = geqrf(&mut q)?;
    let r = at(&q.to_vec()?, m, n);
    orgqr(&mut q, &tau)?;
    let upper = |i, row, column| if row <= column { r(i, row, column) } else { T::of(0.0, 0.0) };
    let back = product(m, n, n, at(&q.to_vec()?, m, n), upper, count);
    assert_close("geqrf, orgqr", &tall, &back, 100.0);
    let sums = product(m, n, nrhs, at(&tall, m, n), at(&x, n, nrhs), count);
    let mut b = Batch::from_slice(m, nrhs, &sums.iter().map(|s| T::of(s.0, s.1)).collect::<Vec<_>>())?;
    assert!(gels(Trans::No, &mut Batch::from_slice(m, n, &tall)?, &mut b)?.to_vec()?.iter().all(|info| *info == 0));
    let b = b.to_vec()?;
    let top: Vec<T> = (0..count * nrhs).flat_map(|i| b[i * m..i * m + n].to_vec()).collect();
    assert_close("gels", &top, &parts(&x), 4000.0);

    // Cholesky of A^H A + I, and potrs with either triangle.
    let adjoint = |i, row, column| conj(at(&square, n, n)(i, column, row));
    let mut spd: Vec<T> = product(n, n, n, adjoint, at(&square, n, n), count).iter().map(|s| T::of(s.0, s.1)).collect();
    for i in 0..count * n {
        let diagonal = &mut spd[i / n * n * n + i % n * (n + 1)];
        *diagonal = T::of(diagonal.parts().0 + 1.0, 0.0);
    }
    let right: Vec<T> =
        product(n, n, nrhs, at(&spd, n, n), at(&x, n, nrhs), count).iter().map(|s| T::of(s.0, s.1)).collect();
    let mut l = Batch::from_slice(n, n, &spd)?;
    assert!(potrf(Uplo::Lower, &mut l)?.to_vec()?.iter().all(|info| *info == 0));
    let mut b = Batch::from_slice(n, nrhs, &right)?;
    potrs(Uplo::Lower, &l, &mut b)?;
    assert_close("potrs", &b.to_vec()?, &parts(&x), 4000.0);
    let mut b = Batch::from_slice(n, nrhs, &right)?;
    trsm(Side::Left, Uplo::Lower, Trans::No, T::of(1.0, 0.0), &l, &mut b)?;
    trsm(Side::Left, Uplo::Lower, Trans::ConjTrans, T::of(1.0, 0.0), &l, &mut b)?;
    assert_close("trsm", &b.to_vec()?, &parts(&x), 4000.0);
    Ok(())
}

#[test]
fn every_routine_in_every_precision() {
    every_routine::<f32>().unwrap();
    every_routine::<f64>().unwrap();
    every_routine::<C32>().unwrap();
    every_routine::<C64>().unwrap();
}

#[test]
fn a_singular_matrix_is_told_by_its_info_alone() {
    let mut a = Batch::from_slice(2, 2, &[1.0, 2.0, 2.0, 4.0, 2.0, 0.0, 0.0, 2.0]).unwrap();
    let factored = getrf(&mut a).unwrap();
    assert_eq!(factored.info.to_vec().unwrap(), [2, 0]);
    assert_eq!(factored.pivots.to_vec().unwrap(), [2, 2, 1, 2]);
    let mut a = Batch::from_slice(2, 2, &[1.0, 2.0, 2.0, 1.0, 4.0, 2.0, 2.0, 5.0]).unwrap();
    assert_eq!(potrf(Uplo::Lower, &mut a).unwrap().to_vec().unwrap(), [2, 0]);
    assert_eq!(&a.to_vec().unwrap()[4..6], [2.0, 1.0]);
}

#[test]
fn sizes_that_do_not_fit_are_refused() {
    let batch = |rows, columns, count| Batch::<f64>::zeros(rows, columns, count).unwrap();
    let shape = |result: Result<(), Error>| assert!(matches!(result, Err(Error::Shape(_))), "{result:?}");
    shape(Batch::from_slice(2, 2, &[1.0; 7]).map(drop));
    shape(Batch::from_slice(0, 2, &[1.0]).map(drop));
    shape(Batch::<f64>::zeros(usize::MAX, 2, 2).map(drop));
    shape(gesv(&mut batch(3, 2, 1), &mut batch(3, 1, 1)).map(drop));
    shape(gesv(&mut batch(3, 3, 1), &mut batch(2, 1, 1)).map(drop));
    shape(gesv(&mut batch(3, 3, 2), &mut batch(3, 1, 1)).map(drop));
    shape(gels(Trans::No, &mut batch(3, 4, 1), &mut batch(3, 1, 1)).map(drop));
    shape(gemm(Trans::No, Trans::Trans, 1.0, &batch(2, 3, 1), &batch(3, 2, 1), 0.0, &mut batch(2, 3, 1)));
    let tau = batch(4, 1, 1);
    assert!(matches!(orgqr(&mut batch(3, 3, 1), &tau), Err(Error::Argument(..))), "more reflectors than columns");
}

#[test]
fn matrices_without_elements_are_fine() {
    let mut empty = Batch::<f32>::zeros(0, 0, 5).unwrap();
    assert!(empty.is_empty() && empty.as_ptr().is_null());
    assert_eq!(getrf(&mut empty).unwrap().info.to_vec().unwrap(), [0; 5]);
    assert_eq!(Batch::<f32>::from_slice(4, 4, &[]).unwrap().count(), 0);
}

/// Pivots of taller matrices name rows that a smaller matrix does not have.
#[test]
fn pivots_of_other_matrices_are_refused() {
    let mut tall = Batch::from_slice(4, 2, &[1.0, 2.0, 3.0, 9.0, 5.0, 1.0, 8.0, 2.0]).unwrap();
    let pivots = getrf(&mut tall).unwrap().pivots;
    assert_eq!(pivots.as_batch().rows(), 2);
    let factors = Batch::from_slice(2, 2, &[1.0, 0.0, 0.0, 1.0]).unwrap();
    let mut b = Batch::from_slice(2, 1, &[1.0, 2.0]).unwrap();
    assert!(matches!(getrs(Trans::No, &factors, &pivots, &mut b), Err(libtephra::Error::Shape(_))));
    assert_eq!(b.to_vec().unwrap(), [1.0, 2.0]);
    // SAFETY: the indices are rows of a matrix of order 2.
    let own = unsafe { libtephra::Pivots::from_batch(Batch::from_slice(2, 1, &[2, 2]).unwrap(), 2) };
    getrs(Trans::No, &factors, &own, &mut b).unwrap();
    assert_eq!(b.to_vec().unwrap(), [2.0, 1.0]);
}
