//! Small products on every instruction set: the shape of a tile depends on the number of lanes, so each has its own
//! edge cases.

use super::support::*;
use tephra_cpu::parts::{Distribution, Execution, Level};
use tephra_routine::scalar::{C32, C64, Real, Scalar};
use tephra_routine::{Alpha, Gemm, Gemv, Operand, Operation, Trans};

const BATCH: usize = 3;
/// Guard elements after each column of C.
const PAD: usize = 2;

/// The members of a batch, and their elements concatenated.
fn stored<T: Scalar>(m: usize, n: usize, seed: u64) -> (Vec<Dense<T>>, Vec<T>) {
    let members: Vec<_> = (0..BATCH as u64).map(|i| Dense::random(m, n, seed + i)).collect();
    let all = members.iter().flat_map(|a| a.x.iter().copied()).collect();
    (members, all)
}

fn op<T: Scalar>(a: &Dense<T>, trans: Trans, i: usize, j: usize) -> T {
    match trans {
        Trans::N => a.at(i, j),
        Trans::T => a.at(j, i),
        Trans::C => a.at(j, i).conj(),
    }
}

/// op(A) op(B) + C. Operands and leading dimensions are those of A, B and C.
fn plain_gemm<T: Scalar>(trans: [Trans; 2], sizes: [usize; 3], operands: [Operand; 3], ld: [usize; 3]) -> Gemm {
    let [sizes, ld] = [sizes, ld].map(|x| x.map(|x| x as i64));
    Gemm::uniform(T::DTYPE, trans, sizes, [Alpha::host(T::one()); 2], operands, ld, 1)
}

fn executed_at(level: Level) -> Execution {
    Execution { level, distribution: Distribution { threads: 1, threads_per_member: 1, grain: 1 }, interleaved: false }
}

fn of_all_shapes<T: Scalar>() {
    const ALL: [Trans; 3] = [Trans::N, Trans::T, Trans::C];
    let sizes = [1, 2, 3, 4, 5, 7, 8, 9, 16, 17];
    for (m, n, k) in sizes.iter().flat_map(|m| sizes.iter().flat_map(move |n| [1, 2, 9].map(|k| (*m, *n, k)))) {
        for (trans_a, trans_b) in ALL.into_iter().flat_map(|a| ALL.map(|b| (a, b))) {
            let stored_shape = |trans, rows, columns| if trans == Trans::N { (rows, columns) } else { (columns, rows) };
            let (a_rows, a_columns) = stored_shape(trans_a, m, k);
            let (b_rows, b_columns) = stored_shape(trans_b, k, n);
            let (a, mut a_all) = stored::<T>(a_rows, a_columns, 1);
            let (b, mut b_all) = stored::<T>(b_rows, b_columns, 100);
            let (c, _) = stored::<T>(m, n, 200);
            let stride = (m + PAD) * n;
            for level in levels() {
                let case = format!("{:?} {m} x {n} x {k} {trans_a:?} {trans_b:?} {level:?}", T::DTYPE);
                let nobodys = T::new(T::Re::from_f64(7.25), T::Re::zero());
                let mut c_all = vec![nobodys; stride * BATCH];
                for (at, x) in c_all.iter_mut().enumerate() {
                    let (i, j) = (at % (m + PAD), at % stride / (m + PAD));
                    if i < m {
                        *x = c[at / stride].at(i, j);
                    }
                }
                let strided = |all: &mut Vec<T>, stride| Operand::Strided {
                    base: all.as_mut_ptr().cast(),
                    stride: stride as i64,
                };
                let operands = [strided(&mut a_all, m * k), strided(&mut b_all, k * n), strided(&mut c_all, stride)];
                let gemm = plain_gemm::<T>([trans_a, trans_b], [m, n, k], operands, [a_rows, b_rows, m + PAD]);
                let gemm = Gemm { batch: BATCH as i64, ..gemm };
                unsafe { run_with(Operation::Gemm(gemm), &executed_at(level)) }.unwrap();
                for (at, x) in c_all.iter().enumerate() {
                    let (member, i, j) = (at / stride, at % (m + PAD), at % stride / (m + PAD));
                    if i >= m {
                        assert!(*x == nobodys, "{case}: ({i}, {j}) of member {member} is nobody's");
                        continue;
                    }
                    let sum = (0..k).fold(c[member].at(i, j), |sum, l| {
                        sum + op(&a[member], trans_a, i, l) * op(&b[member], trans_b, l, j)
                    });
                    let error = magnitude(*x - sum) / T::Re::EPSILON.to_f64();
                    assert!(error < 100.0, "{case}: ({i}, {j}) of member {member} is off by {error} eps");
                }
            }
        }
    }
}

#[test]
fn products_of_all_shapes() {
    of_all_shapes::<f32>();
    of_all_shapes::<f64>();
    of_all_shapes::<C32>();
    of_all_shapes::<C64>();
}

fn with_vectors<T: Scalar>() {
    let sizes = [1, 2, 3, 4, 6, 9, 17, 35, 70];
    let (alpha, beta) = (T::new(T::Re::from_f64(0.5), T::Re::one()), T::real(T::Re::from_f64(-2.0)));
    for (m, n) in sizes.iter().flat_map(|m| sizes.map(|n| (*m, n))) {
        for (trans, [incx, incy]) in
            [Trans::N, Trans::T, Trans::C].into_iter().flat_map(|t| [[1, 1], [2, -3], [-1, 1]].map(|inc| (t, inc)))
        {
            let (columns, rows) = if trans == Trans::N { (n, m) } else { (m, n) };
            let a = Dense::<T>::random(m, n, 1);
            let place = |i: usize, length: usize, inc: i64| {
                let step = inc.unsigned_abs() as usize;
                step * if inc < 0 { length - 1 - i } else { i }
            };
            let of =
                |length: usize, inc: i64, seed| Dense::<T>::random(place(length - 1, length, inc.abs()) + 1, 1, seed);
            let (x, y) = (of(columns, incx, 2), of(rows, incy, 3));
            for level in levels() {
                let case = format!("{:?} {m} x {n} {trans:?} {incx} {incy} {level:?}", T::DTYPE);
                let (mut a, mut x, mut got) = (a.clone(), x.clone(), y.clone());
                let one = |p: &mut Dense<T>| Operand::Strided { base: p.x.as_mut_ptr().cast(), stride: 0 };
                let gemv = Gemv {
                    dtype: T::DTYPE,
                    trans,
                    m: m as i64,
                    n: n as i64,
                    alpha: Alpha::host(alpha),
                    a: one(&mut a),
                    lda: m as i64,
                    x: one(&mut x),
                    incx,
                    beta: Alpha::host(beta),
                    y: one(&mut got),
                    incy,
                    sizes: None,
                    batch: 1,
                    first: [0; 3],
                    any_stride: false,
                };
                unsafe { run_with(Operation::Gemv(gemv), &executed_at(level)) }.unwrap();
                let mut expected = y.clone();
                for i in 0..rows {
                    let sum =
                        (0..columns).fold(T::zero(), |sum, j| sum + op(&a, trans, i, j) * x.x[place(j, columns, incx)]);
                    let at = place(i, rows, incy);
                    expected.x[at] = alpha * sum + beta * y.x[at];
                }
                for (i, (got, expected)) in got.x.iter().zip(&expected.x).enumerate() {
                    let error = magnitude(*got - *expected) / T::Re::EPSILON.to_f64();
                    assert!(error < 100.0, "{case}: number {i} is off by {error} eps");
                }
            }
        }
    }
}

#[test]
fn products_with_vectors() {
    with_vectors::<f32>();
    with_vectors::<f64>();
    with_vectors::<C32>();
    with_vectors::<C64>();
}

/// alpha op(A) op(B) + C for matrices whose leading dimensions exceed the minimum by `more`.
fn product<T: Scalar>(
    level: Level,
    [trans_a, trans_b]: [Trans; 2],
    [m, n, k]: [usize; 3],
    [a, b, c]: [&Dense<T>; 3],
    more: usize,
) -> Vec<T> {
    let spread = |x: &Dense<T>, rows: usize, columns: usize| {
        let mut all = vec![T::zero(); (rows + more) * columns];
        for j in 0..columns {
            (0..rows).for_each(|i| all[j * (rows + more) + i] = x.at(i, j));
        }
        all
    };
    let a_shape = if trans_a == Trans::N { (m, k) } else { (k, m) };
    let b_shape = if trans_b == Trans::N { (k, n) } else { (n, k) };
    let mut all = [spread(a, a_shape.0, a_shape.1), spread(b, b_shape.0, b_shape.1), spread(c, m, n)];
    let [a, b, c] = all.each_mut().map(|x| Operand::Strided { base: x.as_mut_ptr().cast(), stride: 0 });
    let ld = [a_shape.0, b_shape.0, m].map(|rows| rows + more);
    let alpha = Alpha::host(T::new(T::Re::from_f64(0.5), T::Re::one()));
    let gemm = Gemm { alpha, ..plain_gemm::<T>([trans_a, trans_b], [m, n, k], [a, b, c], ld) };
    unsafe { run_with(Operation::Gemm(gemm), &executed_at(level)) }.unwrap();
    (0..n).flat_map(|j| all[2][j * (m + more)..][..m].to_vec()).collect()
}

/// Whether A is multiplied in place depends on how far its elements are apart; the bits must not.
fn distances_change_no_bit<T: Scalar>() {
    const ALL: [Trans; 3] = [Trans::N, Trans::T, Trans::C];
    let alpha = T::new(T::Re::from_f64(0.5), T::Re::one());
    for (m, n, k) in [(3, 2, 300), (5, 9, 520), (33, 4, 257), (129, 10, 40), (141, 67, 259), (11, 150, 31)] {
        for (trans_a, trans_b) in ALL.into_iter().flat_map(|a| ALL.map(|b| (a, b))) {
            let a = if trans_a == Trans::N { Dense::<T>::random(m, k, 1) } else { Dense::random(k, m, 1) };
            let b = if trans_b == Trans::N { Dense::<T>::random(k, n, 2) } else { Dense::random(n, k, 2) };
            let c = Dense::random(m, n, 3);
            for level in levels() {
                let case = format!("{:?} {m} x {n} x {k} {trans_a:?} {trans_b:?} {level:?}", T::DTYPE);
                let of = |more| product(level, [trans_a, trans_b], [m, n, k], [&a, &b, &c], more);
                let near = of(0);
                assert!(near == of(1) && near == of(2000), "{case}: bits depend on leading dimensions");
                for (i, j) in (0..n).flat_map(|j| [0, m / 2, m - 1].map(|i| (i, j))) {
                    let sum = (0..k).fold(T::zero(), |sum, l| sum + op(&a, trans_a, i, l) * op(&b, trans_b, l, j));
                    let error = magnitude(near[j * m + i] - (c.at(i, j) + alpha * sum)) / T::Re::EPSILON.to_f64();
                    assert!(error < 20.0 * k as f64, "{case}: ({i}, {j}) is off by {error} eps");
                }
            }
        }
    }
}

#[test]
fn bits_of_products_do_not_depend_on_distances() {
    distances_change_no_bit::<f32>();
    distances_change_no_bit::<f64>();
    distances_change_no_bit::<C32>();
    distances_change_no_bit::<C64>();
}
