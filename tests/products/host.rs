//! MAGMA's batched BLAS in host memory (`blas_?trsm_batched` and the like), which does not depend on the backend. All
//! results are exact, so they are compared with the definitions.

use std::ffi::c_void;
use tephra_testkit::any_call::{self, registers};
use tephra_testkit::scalar::{Field, bytes_of, same_bits};
use tephra_testkit::{Dtype, Library, Matrix, Rng, Scalar, with_scalar};

const BATCH: usize = 3;
const LD: usize = 9;
/// The number of columns of each stored matrix.
const COLUMNS: usize = 8;
const LEFT: u64 = 141;
const RIGHT: u64 = 142;
const UPPER: u64 = 121;
const LOWER: u64 = 122;
const FULL: u64 = 123;
const TRANS: [u64; 3] = [111, 112, 113];

/// LD x COLUMNS matrices of small integers, with elements of modulus 1 on the diagonal.
fn stored<T: Scalar>(seed: u64) -> Vec<Matrix<T>> {
    let mut rng = Rng::new(seed);
    let mut number = move || rng.below(3) as f64 - 1.0;
    let mut one = move |i, j| {
        let parts = if i == j { (1.0 - 2.0 * (i % 2) as f64, 0.0) } else { (number(), number()) };
        T::from_double(T::Double::parts(parts.0, parts.1))
    };
    (0..BATCH).map(|_| Matrix::from_fn(LD, COLUMNS, &mut one)).collect()
}

fn pointers<T: Scalar>(all: &mut [Matrix<T>]) -> Vec<*mut c_void> {
    all.iter_mut().map(|a| a.data_mut().as_mut_ptr().cast()).collect()
}

/// The `rows` x `columns` matrix op(X), where `at` gives X(i, j).
fn op<W>(trans: u64, (rows, columns): (usize, usize), at: impl Fn(usize, usize) -> W) -> Matrix<W>
where
    W: Field + Scalar<Double = W>,
{
    Matrix::from_fn(rows, columns, |i, j| match trans {
        111 => at(i, j),
        112 => at(j, i),
        _ => at(j, i).conj(),
    })
}

/// The elements of a triangle, and zeros elsewhere.
fn triangle<T: Scalar>(a: &Matrix<T>, uplo: u64, unit: bool) -> impl Fn(usize, usize) -> T::Double {
    move |i, j| match (i == j, (i < j) == (uplo == UPPER)) {
        (true, _) if unit => T::Double::ONE,
        (true, _) | (_, true) => a[(i, j)].to_double(),
        _ => T::Double::ZERO,
    }
}

/// Calls `blas_?NAME_batched` with scalars by value.
fn call<T: Scalar>(name: &str, scalars: &[&[u8]], arguments: &[u64]) {
    let symbol = format!("blas_{}{name}_batched", T::DTYPE.letter());
    // SAFETY: the arguments match MAGMA's prototype, and the memory has these sizes.
    unsafe {
        any_call::call(Library::required(), &symbol, registers(scalars, T::DTYPE.is_double()), arguments);
    }
}

fn alpha<T: Scalar>() -> T {
    T::from_double(T::Double::parts(2.0, -1.0))
}

/// A real number in the type's precision, as bytes.
fn bytes<T: Scalar>(x: f64) -> Vec<u8> {
    if T::DTYPE.is_double() { x.to_ne_bytes().to_vec() } else { (x as f32).to_ne_bytes().to_vec() }
}

/// Panics unless every member equals `expected` where that is given, and is unchanged elsewhere.
fn assert_members<T: Scalar>(
    what: &str,
    got: &[Matrix<T>],
    before: &[Matrix<T>],
    expected: impl Fn(usize, usize, usize) -> Option<T::Double>,
) {
    for (member, (got, before)) in got.iter().zip(before).enumerate() {
        let whole = Matrix::from_fn(LD, COLUMNS, |i, j| expected(member, i, j).map_or(before[(i, j)], T::from_double));
        assert!(same_bits(got.data(), whole.data()), "{what} {:?}, member {member}", T::DTYPE);
    }
}

#[test]
fn triangles_are_multiplied_and_solved_with() {
    for dtype in Dtype::ALL {
        for (side, uplo) in [(LEFT, UPPER), (LEFT, LOWER), (RIGHT, UPPER), (RIGHT, LOWER)] {
            for (trans, diag) in TRANS.into_iter().flat_map(|trans| [(trans, 131), (trans, 132)]) {
                with_scalar!(dtype, T => triangles::<T>([side, uplo, trans, diag]));
            }
        }
    }
}

fn triangles<T: Scalar>(flags: [u64; 4])
where
    T::Double: Scalar<Double = T::Double>,
{
    let (m, n, [side, uplo, trans, diag]) = (5, 6, flags);
    let (mut a, before) = (stored::<T>(1), stored::<T>(2));
    let (order, alpha) = (if side == LEFT { m } else { n }, alpha::<T>());
    let triangles: Vec<_> = a.iter().map(|a| op(trans, (order, order), triangle(a, uplo, diag == 132))).collect();
    let product = |i: usize, of: &Matrix<T>| {
        let b = Matrix::from_fn(m, n, |r, c| of[(r, c)].to_double());
        if side == LEFT { triangles[i].times(&b) } else { b.times(&triangles[i]) }
    };
    let mut run = |name: &str| {
        let mut b = before.clone();
        let (pa, pb) = (pointers(&mut a), pointers(&mut b));
        let [pa, pb] = [&pa, &pb].map(|p| p.as_ptr() as u64);
        let sizes = [m as u64, n as u64, pa, LD as u64, pb, LD as u64, BATCH as u64];
        call::<T>(name, &[bytes_of(&[alpha])], &[&flags[..], &sizes].concat());
        b
    };
    let (multiplied, solved) = (run("trmm"), run("trsm"));
    let inside = |i: usize, j: usize| i < m && j < n;

    let wholes: Vec<_> = before.iter().enumerate().map(|(i, b)| product(i, b)).collect();
    let expected = |member: usize, i, j| inside(i, j).then(|| alpha.to_double() * wholes[member][(i, j)]);
    assert_members(&format!("trmm {flags:?}"), &multiplied, &before, expected);

    // op(A) X = alpha B
    for (member, (x, b)) in solved.iter().zip(&before).enumerate() {
        let (back, expected) =
            (product(member, x), Matrix::from_fn(m, n, |i, j| alpha.to_double() * b[(i, j)].to_double()));
        assert_eq!(back.data(), expected.data(), "trsm {flags:?} {:?}, member {member}", T::DTYPE);
    }
    let own = |member: usize, i, j| inside(i, j).then(|| solved[member][(i, j)].to_double());
    assert_members(&format!("trsm {flags:?}"), &solved, &before, own);
}

#[test]
fn rank_updates_and_copies() {
    for dtype in Dtype::ALL {
        for uplo in [UPPER, LOWER] {
            with_scalar!(dtype, T => { updates::<T>(uplo, false); updates::<T>(uplo, true); copies::<T>(uplo) });
        }
        with_scalar!(dtype, T => copies::<T>(FULL));
    }
}

fn updates<T: Scalar>(uplo: u64, transposed: bool)
where
    T::Double: Scalar<Double = T::Double>,
{
    let (n, k, complex) = (6, 4, T::DTYPE.is_complex());
    let adjoint = if complex { 113 } else { 112 };
    let trans = if transposed { adjoint } else { 111 };
    let [mut a, mut b, before] = [3, 4, 5].map(stored::<T>);
    let wide =
        |all: &[Matrix<T>]| -> Vec<_> { all.iter().map(|x| op(trans, (n, k), |i, j| x[(i, j)].to_double())).collect() };
    let (wa, wb, alpha) = (wide(&a), wide(&b), alpha::<T>());
    let [sizes_n, sizes_k, ld, batch] = [n, k, LD, BATCH].map(|size| size as u64);
    let inside = |i: usize, j: usize| i < n && j < n && (i == j || (i < j) == (uplo == UPPER));
    let scalars = [2.0, 3.0].map(|x| bytes::<T>(x));
    let (pa, pb) = (pointers(&mut a), pointers(&mut b));
    let [pa, pb] = [&pa, &pb].map(|p| p.as_ptr() as u64);

    let mut c = before.clone();
    let pc = pointers(&mut c);
    let arguments = [uplo, trans, sizes_n, sizes_k, pa, ld, pc.as_ptr() as u64, ld, batch];
    call::<T>(if complex { "herk" } else { "syrk" }, &[&scalars[0], &scalars[1]], &arguments);
    let squares: Vec<_> = wa.iter().map(|a| a.times(&a.adjoint())).collect();
    assert_members(&format!("herk {uplo} {trans}"), &c, &before, |member, i, j| {
        inside(i, j).then(|| squares[member][(i, j)].scale(2.0) + before[member][(i, j)].to_double().scale(3.0))
    });

    let mut c = before.clone();
    let pc = pointers(&mut c);
    let arguments = [uplo, trans, sizes_n, sizes_k, pa, ld, pb, ld, pc.as_ptr() as u64, ld, batch];
    call::<T>(if complex { "her2k" } else { "syr2k" }, &[bytes_of(&[alpha]), &scalars[1]], &arguments);
    let products: Vec<_> = wa.iter().zip(&wb).map(|(a, b)| a.times(&b.adjoint())).collect();
    assert_members(&format!("her2k {uplo} {trans}"), &c, &before, |member, i, j| {
        let half = |i, j| alpha.to_double() * products[member][(i, j)];
        inside(i, j).then(|| half(i, j) + half(j, i).conj() + before[member][(i, j)].to_double().scale(3.0))
    });
}

fn copies<T: Scalar>(uplo: u64) {
    let [mut a, before] = [6, 7].map(stored::<T>);
    let mut b = before.clone();
    let (m, n, pa, pb) = (7, 4, pointers(&mut a), pointers(&mut b));
    let arguments = [uplo, m, n, pa.as_ptr() as u64, LD as u64, pb.as_ptr() as u64, LD as u64, BATCH as u64];
    call::<T>("lacpy", &[], &arguments);
    assert_members(&format!("lacpy {uplo}"), &b, &before, |member, i, j| {
        let part = uplo == FULL || i == j || (i < j) == (uplo == UPPER);
        (i < 7 && j < 4 && part).then(|| a[member][(i, j)].to_double())
    });
}
