//! `tephra_?geqr` and `tephra_?gemqr`: Q is unitary, Q R is A, and every side and transposition applies the same Q, for
//! shapes of every representation of Q; the sizes of T; independence of the members.

use std::ffi::c_int;
use tephra_testkit::any_call::call;
use tephra_testkit::lapack::Lapack;
use tephra_testkit::library::symbol_name;
use tephra_testkit::matrices::Class;
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::ops::measure::{difference, orthogonality, product};
use tephra_testkit::scalar::same_bits;
use tephra_testkit::{Dtype, Field, Library, Matrix, Rng, Scalar, householder, with_scalar};

const LEFT: u64 = 141;
const RIGHT: u64 = 142;
const N: u64 = 111;
const T: u64 = 112;
const C: u64 = 113;

fn run<S: Scalar>(pattern: &str, arguments: &[u64]) -> c_int {
    // SAFETY: the arguments match the header's prototypes, and the memory has the required sizes.
    unsafe { call(Library::required(), &symbol_name(pattern, S::DTYPE), [0.0; 4], arguments) }
}

fn tsize<S: Scalar>(m: usize, n: usize) -> u64 {
    let mut elements = u64::MAX;
    assert_eq!(run::<S>("tephra_?geqr_tsize", &[m as u64, n as u64, &raw mut elements as u64]), 0);
    elements
}

/// Matrices in device memory at an odd element, with gaps below their columns and between them, all of which must stay
/// unchanged.
struct Placed<S> {
    memory: Memory,
    rows: usize,
    cols: usize,
    count: usize,
    element: std::marker::PhantomData<S>,
}

impl<S: Scalar> Placed<S> {
    fn new(given: &[Matrix<S>]) -> Placed<S> {
        let (rows, cols, count) = (given[0].rows(), given[0].cols(), given.len());
        let memory = Memory::new(Library::required(), Kind::Device, 1).unwrap();
        let mut placed = Placed { memory, rows, cols, count, element: std::marker::PhantomData };
        let mut data = vec![S::POISON; placed.elements()];
        for (i, x) in given.iter().enumerate() {
            for j in 0..cols {
                for r in 0..rows {
                    data[1 + i * placed.stride() as usize + j * placed.ld() as usize + r] = x[(r, j)];
                }
            }
        }
        placed.memory = Memory::new(Library::required(), Kind::Device, size_of_val(&data[..]).max(16)).unwrap();
        placed.memory.write(&data).unwrap();
        placed
    }
    fn ld(&self) -> u64 {
        self.rows as u64 + 3
    }
    fn stride(&self) -> u64 {
        self.ld() * self.cols as u64 + 5
    }
    fn elements(&self) -> usize {
        1 + self.stride() as usize * self.count
    }
    fn base(&self) -> u64 {
        self.memory.pointer() as u64 + size_of::<S>() as u64
    }
    fn member(&self, i: usize) -> u64 {
        self.base() + i as u64 * self.stride() * size_of::<S>() as u64
    }
    fn read(&self) -> Vec<Matrix<S>> {
        let mut data = vec![S::POISON; self.elements()];
        self.memory.read(&mut data).unwrap();
        let (ld, stride) = (self.ld() as usize, self.stride() as usize);
        let inside = |e: usize| e > 0 && (e - 1) % stride < ld * self.cols && (e - 1) % stride % ld < self.rows;
        let outside: Vec<S> = (0..data.len()).filter(|&e| !inside(e)).map(|e| data[e]).collect();
        assert!(same_bits(&outside, &vec![S::POISON; outside.len()]), "written beside the matrices");
        let one = |i| Matrix::from_fn(self.rows, self.cols, |r, j| data[1 + i * stride + j * ld + r]);
        (0..self.count).map(one).collect()
    }
}

/// The results of geqr.
struct Factored<S> {
    m: usize,
    n: usize,
    a: Placed<S>,
    t: Placed<S>,
}

impl<S: Scalar> Factored<S> {
    /// Factors; `single` selects the one-matrix function.
    fn new(given: &[Matrix<S>], single: bool) -> Factored<S> {
        let (m, n, count) = (given[0].rows(), given[0].cols(), given.len());
        let elements = tsize::<S>(m, n);
        let t: Vec<Matrix<S>> = (0..count).map(|_| Matrix::from_fn(elements as usize, 1, |_, _| S::POISON)).collect();
        let (a, t) = (Placed::new(given), Placed::new(&t));
        let [rows, columns] = [m, n].map(|x| x as u64);
        for i in 0..if single { count } else { 0 } {
            let status = run::<S>("tephra_?geqr", &[rows, columns, a.member(i), a.ld(), t.member(i), elements, 0]);
            assert_eq!(status, 0);
        }
        if !single {
            let a = [a.base(), a.ld(), a.stride()];
            let rest = [t.base(), elements, t.stride(), count as u64, 0];
            let arguments = [&[rows, columns][..], &a, &rest].concat();
            assert_eq!(run::<S>("tephra_?geqr_strided_batched", &arguments), 0);
        }
        Factored { m, n, a, t }
    }
    fn k(&self) -> usize {
        self.m.min(self.n)
    }
    fn r(&self) -> Vec<Matrix<S>> {
        let zero = S::from_double(<S as Scalar>::Double::ZERO);
        let upper = |a: &Matrix<S>| Matrix::from_fn(self.k(), self.n, |i, j| if i <= j { a[(i, j)] } else { zero });
        self.a.read().iter().map(upper).collect()
    }
    /// Applies Q to `given`; `shared` applies the first Q to every C.
    fn apply(&self, side: u64, trans: u64, given: &[Matrix<S>], single: bool, shared: bool) -> Vec<Matrix<S>> {
        let c = Placed::new(given);
        let sizes = [side, trans, c.rows as u64, c.cols as u64, self.k() as u64];
        let (a, t) = (&self.a, &self.t);
        let elements = tsize::<S>(self.m, self.k());
        for i in 0..if single { c.count } else { 0 } {
            let q = if shared { 0 } else { i };
            let operands = [a.member(q), a.ld(), t.member(q), elements, c.member(i), c.ld(), 0];
            assert_eq!(run::<S>("tephra_?gemqr", &[&sizes[..], &operands].concat()), 0);
        }
        if !single {
            let [stride_a, stride_t] = [a, t].map(|x| if shared { 0 } else { x.stride() });
            let q = [a.base(), a.ld(), stride_a, t.base(), elements, stride_t];
            let rest = [c.base(), c.ld(), c.stride(), c.count as u64, 0];
            assert_eq!(run::<S>("tephra_?gemqr_strided_batched", &[&sizes[..], &q, &rest].concat()), 0);
        }
        c.read()
    }
}

fn random<S: Scalar>(m: usize, n: usize, count: usize, seed: u64) -> Vec<Matrix<S>> {
    let mut rng = Rng::new(seed);
    (0..count).map(|_| Class::Uniform.generate(m, n, &mut rng)).collect()
}

fn adjoint<S: Scalar>(x: &Matrix<S>) -> Matrix<S> {
    Matrix::from_double(&x.to_double().adjoint())
}

fn conjugate<S: Scalar>(x: &Matrix<S>) -> Matrix<S> {
    Matrix::from_double(&x.to_double().map(Field::conj))
}

/// R with the signs of another R.
fn signed<S: Scalar>(r: &Matrix<S>, like: &Matrix<S::Double>) -> Matrix<S> {
    let turned = |i: usize| r[(i, i)].to_double().re() * like[(i, i)].re() < 0.0;
    let wide = r.to_double();
    let zero = <S as Scalar>::Double::ZERO;
    Matrix::from_double(&Matrix::from_fn(r.rows(), r.cols(), |i, j| {
        if turned(i) { zero - wide[(i, j)] } else { wide[(i, j)] }
    }))
}

/// Shapes of every representation of Q: geqrf's; trees of two and three levels, with a full or a short last block;
/// several panels.
const SHAPES: [(usize, usize); 17] = [
    (1, 1),
    (5, 3),
    (3, 5),
    (40, 40),
    (300, 20),
    (20, 300),
    (700, 33),
    (2048, 3),
    (2049, 1),
    (2049, 32),
    (2600, 12),
    (3072, 16),
    (4097, 17),
    (9001, 31),
    (3000, 40),
    (2080, 33),
    (2400, 131),
];

#[test]
fn q_is_unitary_and_q_r_is_a() {
    for dtype in Dtype::ALL {
        with_scalar!(dtype, S => for (m, n) in SHAPES {
            let count = if m > 4000 || n > 100 { 1 } else { 3 };
            for single in [true, false] {
                let text = format!("{} {m} x {n}, {}", dtype.letter(), if single { "one by one" } else { "strided" });
                let a = random::<S>(m, n, count, 3);
                let f = Factored::new(&a, single);
                let r = f.r();
                let one = |i, j| S::from_double(<S as Scalar>::Double::real(f64::from(u8::from(i == j))));
                let identity = vec![Matrix::from_fn(m, f.k(), one); count];
                let q = f.apply(LEFT, N, &identity, single, false);
                let back = f.apply(LEFT, C, &a, single, false);
                for i in 0..count {
                    let ratios = [product(&a[i], &q[i], &r[i]), orthogonality(&q[i])];
                    assert!(ratios.iter().all(|x| *x < 30.0), "{text}: {ratios:?}");
                    let mut reference = a[i].to_double();
                    householder::factor(&mut reference);
                    let zero = <S as Scalar>::Double::ZERO;
                    let lapacks = Matrix::from_fn(f.k(), n, |i, j| if i <= j { reference[(i, j)] } else { zero });
                    // The last elements of a square R are determined only as well as its condition allows.
                    let limit = if m == n { 3000.0 } else { 30.0 };
                    let ratio = difference(&signed(&r[i], &lapacks), &lapacks);
                    assert!(ratio < limit, "{text}: R, {ratio}");
                    let expected = Matrix::from_fn(m, n, |l, j| if l < f.k() { r[i].to_double()[(l, j)] } else { zero });
                    let ratio = difference(&back[i], &expected);
                    assert!(ratio < 30.0, "{text}: Q^H A, {ratio}");
                }
            }
        });
    }
}

/// R and the first rows of Q^H C agree with LAPACK's except for the signs of rows, since LAPACK divides the rows into
/// other blocks.
#[test]
fn r_and_q_are_lapacks_but_for_signs() {
    let Some(lapack) = Lapack::get_unless_waived().unwrap() else { return };
    for dtype in Dtype::ALL {
        with_scalar!(dtype, S => for (m, n) in [(7, 7), (12, 40), (300, 20), (2500, 30), (5000, 9), (2600, 70)] {
            let (a, c) = (random::<S>(m, n, 1, 11), random::<S>(m, 4, 1, 12));
            let [factors, applied] = lapack.implicit(&a[0], &c[0]).unwrap();
            let f = Factored::new(&a, true);
            let (r, k, zero) = (f.r().remove(0), f.k(), <S as Scalar>::Double::ZERO);
            let theirs = factors.to_double();
            let upper = Matrix::from_fn(k, n, |i, j| if i <= j { theirs[(i, j)] } else { zero });
            let limit = if m == n { 3000.0 } else { 30.0 };
            let ratio = difference(&signed(&r, &upper), &upper);
            assert!(ratio < limit, "{} {m} x {n}: R, {ratio}", dtype.letter());
            let ours = f.apply(LEFT, C, &c, true, false).remove(0);
            let both = [ours.to_double(), applied.to_double()];
            let [got, expected] = both.map(|x| Matrix::from_fn(k, 4, |i, j| x[(i, j)]));
            let turned = |i: usize| r[(i, i)].to_double().re() * upper[(i, i)].re() < 0.0;
            let got = Matrix::from_fn(k, 4, |i, j| if turned(i) { -got[(i, j)] } else { got[(i, j)] });
            let ratio = difference(&Matrix::<S>::from_double(&got), &expected);
            assert!(ratio < limit, "{} {m} x {n}: Q^H C, {ratio}", dtype.letter());
        });
    }
}

#[test]
fn sides_and_transpositions_are_of_one_q() {
    for dtype in Dtype::ALL {
        with_scalar!(dtype, S => for (m, n) in [(5, 3), (90, 70), (2049, 32), (2600, 7), (9000, 32), (2100, 35), (2300, 100)] {
            let a = random::<S>(m, n, 2, 5);
            let f = Factored::new(&a, false);
            for columns in [7, 150].into_iter().filter(|&c| c < 10 || m < 2500) {
                let c = random::<S>(m, columns, 2, 6);
                let adjoints: Vec<Matrix<S>> = c.iter().map(adjoint).collect();
                let conjugates: Vec<Matrix<S>> = c.iter().map(conjugate).collect();
                let with = |trans| f.apply(LEFT, trans, &c, false, false);
                let (plain, turned) = (with(N), with(C));
                for i in 0..2 {
                    let there_and_back = f.apply(LEFT, N, &turned, true, false);
                    let ratio = difference(&there_and_back[i], &c[i].to_double());
                    assert!(ratio < 30.0, "{} {m} x {n}: Q Q^H C, {ratio}", dtype.letter());
                    // Identities: Q^T C = conj(Q^H conj(C)), C^H Q = (Q^H C)^H, C^H Q^H = (Q C)^H, C^H Q^T = (conj(Q)
                    // C)^H.
                    let other = f.apply(LEFT, T, &c, true, false);
                    let expected = conjugate(&f.apply(LEFT, C, &conjugates, true, false)[i]);
                    assert!(difference(&other[i], &expected.to_double()) < 30.0, "{} {m} x {n}: Q^T C", dtype.letter());
                    for (trans, expected) in [(N, &turned[i]), (C, &plain[i])] {
                        let other = f.apply(RIGHT, trans, &adjoints, false, false);
                        let ratio = difference(&other[i], &expected.to_double().adjoint());
                        assert!(ratio < 30.0, "{} {m} x {n}: C op(Q), {trans}: {ratio}", dtype.letter());
                    }
                    let rows: Vec<Matrix<S>> = adjoints.iter().map(conjugate).collect();
                    let expected = f.apply(RIGHT, T, &rows, true, false);
                    let other = conjugate(&f.apply(RIGHT, C, &adjoints, true, false)[i]);
                    assert!(difference(&other, &expected[i].to_double()) < 30.0, "{} {m} x {n}: C Q^T", dtype.letter());
                }
            }
        });
    }
}

#[test]
fn members_are_by_themselves() {
    for dtype in Dtype::ALL {
        with_scalar!(dtype, S => for (m, n) in [(30, 20), (2700, 24), (5000, 3), (2300, 50)] {
            let mut a = random::<S>(m, n, 4, 8);
            a[1][(m - 1, n / 2)] = S::from_double(<S as Scalar>::Double::real(f64::NAN));
            a[2] = Matrix::from_fn(m, n, |_, _| S::from_double(<S as Scalar>::Double::ZERO));
            let c = random::<S>(m, 5, 4, 9);
            let all = Factored::new(&a, false);
            let (factors, applied) = (all.a.read(), all.apply(LEFT, C, &c, false, false));
            assert!(!all.r()[1].is_finite() && !applied[1].is_finite());
            assert!(same_bits(applied[2].data(), c[2].data()), "Q of zeros is the identity");
            for i in [0, 2, 3] {
                let alone = Factored::new(&a[i..i + 1], true);
                assert!(same_bits(alone.a.read()[0].data(), factors[i].data()), "{} {m} x {n}", dtype.letter());
                let of_one = alone.apply(LEFT, C, &c[i..i + 1], true, false);
                assert!(same_bits(of_one[0].data(), applied[i].data()), "{} {m} x {n}", dtype.letter());
            }
            // One Q for all members, which is not written.
            let shared = all.apply(LEFT, C, &c, false, true);
            let again = all.apply(LEFT, C, &c, true, true);
            assert!((0..4).all(|i| same_bits(shared[i].data(), again[i].data())));
            assert!(same_bits(shared[0].data(), applied[0].data()));
            assert!((0..4).all(|i| same_bits(all.a.read()[i].data(), factors[i].data())));
        });
    }
}

#[test]
fn what_is_wrong_is_refused() {
    type S = f64;
    let (m, n) = (4000u64, 20u64);
    let elements = tsize::<S>(4000, 20);
    assert!(elements > 20 && elements < 4000 * 20 / 4 && tsize::<S>(7, 300) == 7 && tsize::<S>(0, 5) == 0);
    let query = |m: i64, n: i64| run::<S>("tephra_?geqr_tsize", &[m as u64, n as u64, 0]);
    assert_eq!([query(-1, 3), query(3, -1), query(i64::MAX, i64::MAX), query(3, 4)], [-1, -2, -1, -3]);
    let a = Placed::new(&random::<S>(4000, 20, 1, 1));
    let t = Placed::new(&[Matrix::from_fn(elements as usize, 1, |_, _| S::POISON)]);
    let c = Placed::new(&random::<S>(4000, 3, 1, 2));
    let geqr = |m, n, a, lda, t, tsize| run::<S>("tephra_?geqr", &[m, n, a, lda, t, tsize, 0]);
    let (pa, pt) = (a.base(), t.base());
    assert_eq!(geqr(m, n, pa, a.ld(), pt, elements - 1), -6);
    // Larger than any possible size.
    assert_eq!([1 << 62, u64::MAX >> 1].map(|tsize| geqr(m, n, pa, a.ld(), pt, tsize)), [-6; 2]);
    assert_eq!(geqr(m, n, pa, m - 1, pt, elements), -4);
    assert_eq!(geqr(m, n, 0, m, pt, elements), -3);
    assert_eq!(geqr(m, n, pa, m, 0, elements), -5);
    assert_eq!([geqr(0, n, 0, 1, 0, 0), geqr(m, 0, 0, m, 0, 0)], [0, 0]);
    let gemqr = |m: u64, n, k, lda, t, tsize| {
        run::<S>("tephra_?gemqr", &[LEFT, C, m, n, k, pa, lda, t, tsize, c.base(), c.ld(), 0])
    };
    assert_eq!(gemqr(m, 3, n, a.ld(), pt, elements - 1), -9);
    assert_eq!([1 << 62, u64::MAX >> 1].map(|tsize| gemqr(m, 3, n, a.ld(), pt, tsize)), [-9; 2]);
    assert_eq!(gemqr(m, 3, m + 1, a.ld(), pt, u64::MAX >> 1), -5);
    assert_eq!(gemqr(m, 3, n, m - 1, pt, elements), -7);
    assert_eq!(gemqr(m, 3, n, a.ld(), 0, elements), -8);
    assert_eq!([gemqr(m, 0, n, m, 0, elements), gemqr(m, 3, 0, m, 0, 0)], [0, 0]);
    let poison = t.read();
    assert!(same_bits(poison[0].data(), &vec![S::POISON; elements as usize]), "T is written");
    assert!(same_bits(a.read()[0].data(), random::<S>(4000, 20, 1, 1)[0].data()), "A is written");
}
