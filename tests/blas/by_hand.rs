//! Negative increments, in-place results, blocks inside matrices.

use std::ffi::c_int;
use tephra_testkit::any_call;
use tephra_testkit::memory::Memory;
use tephra_testkit::qr::Session;
use tephra_testkit::{Library, Scalar};

/// Copies numbers to the backend's memory.
fn to_backend<T: Scalar>(numbers: &[T]) -> Memory {
    Memory::from_slice(Library::required(), numbers).unwrap()
}

fn from_backend<const N: usize>(memory: &Memory) -> [f64; N] {
    let mut numbers = [0.0; N];
    memory.read(&mut numbers).unwrap();
    numbers
}

fn at(memory: &Memory) -> u64 {
    memory.pointer() as u64
}

/// Calls a function with 64-bit words, and with doubles in floating-point registers.
fn call(symbol: &str, scalars: [f64; 4], arguments: &[u64]) -> c_int {
    // SAFETY: each test passes the words of the prototype.
    unsafe { any_call::call(Library::required(), symbol, scalars, arguments) }
}

fn synchronized() {
    Session::new(Library::required()).synchronize().unwrap();
}

const MINUS_TWO: u64 = -2i64 as u64;
const LEFT: u64 = 141;
const RIGHT: u64 = 142;
const UPPER: u64 = 121;
const LOWER: u64 = 122;
const N: u64 = 111;
const T: u64 = 112;
const NON_UNIT: u64 = 131;

#[test]
fn increments_below_zero_begin_with_the_last() {
    // [2 1; 0 4] x = (4, 8) has the solution x = (1, 2); every other element, from the end.
    let (a, x) = (to_backend(&[2.0, 7.0, 1.0, 4.0]), to_backend(&[8.0, 9.0, 4.0]));
    let words = [UPPER, N, NON_UNIT, 2, at(&a), 2, 0, at(&x), MINUS_TWO, 3, 1, 0];
    assert_eq!(call("tephra_dtrsv_strided_batched", [0.0; 4], &words), 0);
    synchronized();
    assert_eq!(from_backend(&x), [2.0, 9.0, 1.0]);
    // [2 1; 0 4]^T y = (2, 9): y = (1, 2)
    let x = to_backend(&[9.0, 5.0, 2.0]);
    let words = [UPPER, T, NON_UNIT, 2, at(&a), 2, 0, at(&x), MINUS_TWO, 3, 1, 0];
    assert_eq!(call("tephra_dtrsv_strided_batched", [0.0; 4], &words), 0);
    synchronized();
    assert_eq!(from_backend(&x), [2.0, 5.0, 1.0]);
    // diag(3, 10) A stored over A, and A diag(3, 10); an increment of 0 reads the first element every time.
    for (side, increment, expected) in [
        (LEFT, MINUS_TWO, [6.0, 70.0, 3.0, 40.0]),
        (RIGHT, MINUS_TWO, [6.0, 21.0, 10.0, 40.0]),
        (LEFT, 0, [20.0, 70.0, 10.0, 40.0]),
    ] {
        let (a, x) = (to_backend(&[2.0, 7.0, 1.0, 4.0]), to_backend(&[10.0, 0.5, 3.0]));
        let words = [side, 2, 2, at(&a), 2, 0, at(&x), increment, 0, at(&a), 2, 0, 1, 0];
        assert_eq!(call("tephra_ddgmm_strided_batched", [0.0; 4], &words), 0);
        synchronized();
        assert_eq!(from_backend(&a), expected, "side {side}, increment {increment}");
    }
}

/// C may be an operand that is not transposed.
#[test]
fn sums_may_be_in_place() {
    let (a, b, two) = (to_backend(&[1.0, 2.0, 3.0, 4.0]), to_backend(&[10.0, 20.0, 30.0, 40.0]), [2.0f64]);
    let two = two.as_ptr() as u64;
    let words = |ta, tb, lda, ldb| {
        [ta, tb, 2, 2, two, at(&a), lda, 0, two, at(&b), ldb, 0, at(&a), 2, 0, 1, 0].map(|word: u64| word)
    };
    assert_eq!(call("tephra_dgeam_strided_batched", [0.0; 4], &words(T, N, 2, 2)), -6, "a transpose of itself");
    assert_eq!(call("tephra_dgeam_strided_batched", [0.0; 4], &words(N, N, 3, 2)), -6, "another leading dimension");
    synchronized();
    assert_eq!(from_backend(&a), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(call("tephra_dgeam_strided_batched", [0.0; 4], &words(N, T, 2, 2)), 0);
    synchronized();
    assert_eq!(from_backend(&a), [22.0, 64.0, 46.0, 88.0]);
}

/// MAGMA's functions that begin at a row and a column of each matrix: here 4 x 4 matrices, with the lower right quarter
/// as the block.
#[test]
fn blocks_inside_of_matrices() {
    let whole: Vec<f64> = (0..16).map(f64::from).collect();
    let session = Session::new(Library::required());
    let queue = session.queue().unwrap().raw() as u64;
    let pointers = |memories: &[&Memory]| {
        let addresses: Vec<f64> = memories.iter().map(|m| f64::from_bits(at(m))).collect();
        to_backend(&addresses)
    };
    let [a, other, b] = [0; 3].map(|_| to_backend(&whole));
    let (pa, pb) = (pointers(&[&a, &other]), pointers(&[&b, &other]));
    // The block of A is [10 14; 11 15]; that of B, from row 1 and column 0, is [1 5; 2 6].
    let offsets = |p: &Memory, row: u64, column: u64| [at(p), row, column, 4];
    let words = [&[LEFT, LOWER, N, NON_UNIT, 2, 2][..], &offsets(&pa, 2, 2), &offsets(&pb, 1, 0), &[1, queue]].concat();
    call("magmablas_dtrmm_batched_core", [2.0, 0.0, 0.0, 0.0], &words);
    session.synchronize().unwrap();
    let mut expected = whole.clone();
    (expected[1], expected[2], expected[5], expected[6]) = (20.0, 82.0, 100.0, 290.0);
    assert_eq!(from_backend::<16>(&b).to_vec(), expected);
    // Solving undoes the product.
    let words = [&[LEFT, LOWER, N, NON_UNIT, 2, 2][..], &offsets(&pa, 2, 2), &offsets(&pb, 1, 0), &[1, queue]].concat();
    call("magmablas_dtrsm_recursive_batched", [0.5, 0.0, 0.0, 0.0], &words);
    session.synchronize().unwrap();
    assert_eq!(from_backend::<16>(&b).to_vec(), whole);
    // Two members, one of which is read and written elsewhere; and a block of a vector.
    let words = [&[UPPER, 2, 2][..], &offsets(&pa, 2, 2), &offsets(&pb, 0, 0), &[2, queue]].concat();
    call("magmablas_dlacpy_internal_batched", [0.0; 4], &words);
    session.synchronize().unwrap();
    let mut expected = whole.clone();
    (expected[0], expected[4], expected[5]) = (10.0, 14.0, 15.0);
    assert_eq!((from_backend::<16>(&b).to_vec(), from_backend::<16>(&other).to_vec()), (expected.clone(), expected));
    let x = to_backend(&[0.5, 20.0, 41.0]);
    let px = pointers(&[&x]);
    let words = [&[LOWER, N, NON_UNIT, 2][..], &offsets(&pa, 2, 2), &[at(&px), 1, 1, 1, queue]].concat();
    call("magmablas_dtrsv_recursive_batched", [0.0; 4], &words);
    session.synchronize().unwrap();
    let [first, second, third] = from_backend(&x);
    assert_eq!((first, second), (0.5, 2.0));
    assert!((third - 19.0 / 15.0).abs() < 1e-15, "{third}");
    // With alpha = 0, A is not read and may be NULL, even though it has a block.
    let words = [&[LEFT, LOWER, N, NON_UNIT, 2, 2][..], &[0, 2, 2, 4], &offsets(&pb, 1, 0), &[1, queue]].concat();
    let mut expected = from_backend::<16>(&b).to_vec();
    call("magmablas_dtrmm_batched_core", [0.0; 4], &words);
    session.synchronize().unwrap();
    (expected[1], expected[2], expected[5], expected[6]) = (0.0, 0.0, 0.0, 0.0);
    assert_eq!(from_backend::<16>(&b).to_vec(), expected);
}

/// [2i 0; 1 -4i] x = (-2 + 2i, 1 - 7i) has the solution x = (1 + i, 2). Division by a purely imaginary number must not
/// divide by zero.
#[test]
fn diagonals_may_be_imaginary() {
    const COPIES: usize = 9;
    let (a, one) = (to_backend(&[0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 0.0, -4.0]), [1.0f64, 0.0]);
    for batch in [1, COPIES as u64] {
        let system = || to_backend(&[-2.0, 2.0, 1.0, -7.0].repeat(COPIES));
        let solved = |x: &Memory| {
            let pairs = from_backend::<{ 4 * COPIES }>(x).into_iter().zip([1.0, 1.0, 2.0, 0.0].repeat(batch as usize));
            pairs.into_iter().all(|(x, expected)| (x - expected).abs() < 1e-14)
        };
        let (b, x) = (system(), system());
        let flags = [LEFT, LOWER, N, NON_UNIT];
        let words = [&flags[..], &[2, 1, one.as_ptr() as u64, at(&a), 2, 0, at(&b), 2, 2, batch, 0]].concat();
        assert_eq!(call("tephra_ztrsm_strided_batched", [0.0; 4], &words), 0);
        let words = [&flags[1..], &[2, at(&a), 2, 0, at(&x), 1, 2, batch, 0]].concat();
        assert_eq!(call("tephra_ztrsv_strided_batched", [0.0; 4], &words), 0);
        synchronized();
        assert!(solved(&b) && solved(&x), "{batch}: {:?}, {:?}", from_backend::<4>(&b), from_backend::<4>(&x));
    }
}

/// An infinity with a zero imaginary part stays so where a complex matrix is copied or multiplied by 1: that is not a
/// product.
#[test]
fn infinities_move_as_they_are() {
    let (a, b, c) = (to_backend(&[f64::INFINITY, 0.0]), to_backend(&[0.0; 2]), to_backend(&[0.0; 2]));
    let (one, zero) = ([1.0f64, 0.0], [0.0f64; 2]);
    let words = [T, 1, 1, at(&a), 1, 1, at(&b), 1, 1, 1, 0];
    assert_eq!(call("tephra_ztranspose_strided_batched", [0.0; 4], &words), 0);
    let [alpha, beta] = [&one, &zero].map(|scalar| scalar.as_ptr() as u64);
    let words = [N, N, 1, 1, alpha, at(&a), 1, 1, beta, 0, 1, 1, at(&c), 1, 1, 1, 0];
    assert_eq!(call("tephra_zgeam_strided_batched", [0.0; 4], &words), 0);
    synchronized();
    assert_eq!([from_backend::<2>(&b), from_backend::<2>(&c)], [[f64::INFINITY, 0.0]; 2]);
}

/// With k = 0, C is scaled, even if alpha is infinite.
#[test]
fn nothing_times_infinity_is_nothing() {
    let (infinite, two) = ([f64::INFINITY], [2.0f64]);
    let [alpha, beta] = [&infinite, &two].map(|scalar| scalar.as_ptr() as u64);
    let (c, d) = (to_backend(&[3.0]), to_backend(&[3.0]));
    let words = [N, N, 1, 1, 0, alpha, 0, 1, 0, 0, 1, 0, beta, at(&c), 1, 1, 1, 0];
    assert_eq!(call("tephra_dgemm_strided_batched", [0.0; 4], &words), 0);
    let words = [LOWER, N, 1, 0, alpha, 0, 1, 0, beta, at(&d), 1, 1, 1, 0];
    assert_eq!(call("tephra_dsyrk_strided_batched", [0.0; 4], &words), 0);
    synchronized();
    assert_eq!((from_backend(&c), from_backend(&d)), ([6.0], [6.0]));
}
