//! Q, least squares and triangular solves against products computed element by element.

use super::support::*;
use std::ptr::null_mut;
use tephra_cpu::of;
use tephra_routine::scalar::{C32, C64, Real, Scalar};
use tephra_routine::{
    Alpha, Diag, Gels, Geqrf, Larfb, Larft, Math, Operand, Operation, Orgqr, Ormqr, QPart, Qr, QrStage, Side, Trans,
    Trsm, Uplo, Workspace,
};

const TRANS: [Trans; 3] = [Trans::N, Trans::T, Trans::C];
const SIDES: [Side; 2] = [Side::Left, Side::Right];

fn one<T>(x: &mut [T]) -> Operand {
    Operand::Strided { base: x.as_mut_ptr().cast(), stride: x.len() as i64 }
}

fn run(op: Operation) {
    unsafe { of(&op).run() }.unwrap();
}

fn eps<T: Scalar>() -> f64 {
    T::Re::EPSILON.to_f64()
}

/// op(X)
fn op<T: Scalar>(x: &Dense<T>, trans: Trans) -> Dense<T> {
    match trans {
        Trans::N => x.clone(),
        Trans::T => Dense::from_fn(x.n, x.m, |i, j| x.at(j, i)),
        Trans::C => Dense::from_fn(x.n, x.m, |i, j| x.at(j, i).conj()),
    }
}

fn product<T: Scalar>(a: &Dense<T>, b: &Dense<T>) -> Dense<T> {
    assert_eq!(a.n, b.m);
    Dense::from_fn(a.m, b.n, |i, j| (0..a.n).fold(T::zero(), |s, l| s + a.at(i, l) * b.at(l, j)))
}

#[track_caller]
fn near<T: Scalar>(a: &Dense<T>, b: &Dense<T>, what: &str) {
    assert_eq!((a.m, a.n), (b.m, b.n), "{what}");
    let difference = Dense::from_fn(a.m, a.n, |i, j| a.at(i, j) - b.at(i, j)).norm_one();
    let bound = 20.0 * eps::<T>() * (a.m + a.n) as f64 * (1.0 + b.norm_one());
    assert!(difference <= bound, "{what}: {difference:e} > {bound:e}");
}

/// The factors of a random matrix: the overwritten A, and tau.
fn factored<T: Scalar>(m: usize, n: usize) -> (Dense<T>, Vec<T>) {
    let (mut a, mut tau) = (Dense::<T>::random(m, n, 7), vec![T::zero(); m.min(n)]);
    let p = Geqrf {
        dtype: T::DTYPE,
        m: m as i64,
        n: n as i64,
        a: one(&mut a.x),
        lda: m as i64,
        sizes: None,
        tau: one(&mut tau),
        batch: 1,
        info: null_mut(),
        math: Math::Fp32,
    };
    run(Operation::Geqrf(p));
    (a, tau)
}

/// Q = H(1) ... H(k), m x m, formed reflector by reflector.
fn q_of<T: Scalar>(a: &Dense<T>, tau: &[T], k: usize) -> Dense<T> {
    let m = a.m;
    let mut q = Dense::from_fn(m, m, |i, j| if i == j { T::one() } else { T::zero() });
    for (l, &tau) in tau.iter().enumerate().take(k) {
        let v = |i: usize| match i.cmp(&l) {
            std::cmp::Ordering::Less => T::zero(),
            std::cmp::Ordering::Equal => T::one(),
            std::cmp::Ordering::Greater => a.at(i, l),
        };
        let h = Dense::from_fn(m, m, |i, j| (if i == j { T::one() } else { T::zero() }) - tau * v(i) * v(j).conj());
        q = product(&q, &h);
    }
    q
}

fn for_types(f: [fn(); 4]) {
    f.into_iter().for_each(|f| f());
}

fn applied<T: Scalar>() {
    for (order, k, other) in [(1, 1, 1), (5, 3, 4), (3, 2, 70), (16, 16, 21), (17, 17, 6), (40, 33, 9), (150, 20, 3)] {
        let (a, mut tau) = factored::<T>(order, k);
        let q = q_of(&a, &tau, k);
        for (side, trans) in SIDES.into_iter().flat_map(|s| TRANS.map(|t| (s, t))) {
            let (m, n) = if side == Side::Left { (order, other) } else { (other, order) };
            let c = Dense::<T>::random(m, n, 3);
            let wanted = if side == Side::Left { product(&op(&q, trans), &c) } else { product(&c, &op(&q, trans)) };
            let (m, n, k, ld) = (m as i64, n as i64, k as i64, order as i64);
            let (mut x, mut v) = (c.clone(), a.clone());
            let (a, ldc) = (one(&mut v.x), m);
            let what = format!("{side:?} {trans:?} {order} {k} {other}");
            let (dtype, tau, c) = (T::DTYPE, one(&mut tau), one(&mut x.x));
            run(Operation::Ormqr(Ormqr {
                dtype,
                side,
                trans,
                m,
                n,
                k,
                a,
                lda: ld,
                tau,
                c,
                ldc,
                batch: 1,
                sizes: None,
            }));
            near(&x, &wanted, &format!("ormqr {what}"));
            if trans == Trans::T && T::COMPLEX {
                continue; // larfb does not have this variant
            }
            let mut t = Dense::<T>::random(k as usize, k as usize, 1);
            let (v, t_operand) = (a, one(&mut t.x));
            run(Operation::Larft(Larft { dtype, m: ld, k, v, ldv: ld, tau, t: t_operand, ldt: k, batch: 1 }));
            let mut x = match side {
                Side::Left => Dense::<T>::random(order, other, 3),
                Side::Right => Dense::<T>::random(other, order, 3),
            };
            let c = one(&mut x.x);
            let (ldv, ldt, t) = (ld, k, t_operand);
            run(Operation::Larfb(Larfb { dtype, side, trans, m, n, k, v, ldv, t, ldt, c, ldc, batch: 1 }));
            near(&x, &wanted, &format!("larfb {what}"));
        }
    }
}

#[test]
fn q_is_applied_from_both_sides() {
    for_types([applied::<f32>, applied::<f64>, applied::<C32>, applied::<C64>]);
}

fn generated<T: Scalar>() {
    for (m, n, k) in [(1, 1, 1), (4, 4, 0), (9, 7, 5), (33, 33, 33), (140, 40, 21)] {
        let (a, mut tau) = factored::<T>(m, k);
        let q = q_of(&a, &tau, k);
        let mut x = Dense::<T>::random(m, n, 5);
        x.x[..m * k].copy_from_slice(&a.x);
        let (dtype, a, tau) = (T::DTYPE, one(&mut x.x), one(&mut tau));
        let (m, n, k) = (m as i64, n as i64, k as i64);
        run(Operation::Orgqr(Orgqr { dtype, m, n, k, a, lda: m, sizes: None, tau, batch: 1 }));
        near(&x, &Dense::from_fn(x.m, x.n, |i, j| q.at(i, j)), &format!("orgqr {m} {n} {k}"));
    }
}

#[test]
fn q_is_generated() {
    for_types([generated::<f32>, generated::<f64>, generated::<C32>, generated::<C64>]);
}

fn explicit<T: Scalar>() {
    for (m, n) in [(1, 1), (6, 6), (19, 8), (8, 19), (130, 70)] {
        for part in [QPart::None, QPart::Thin, QPart::Full] {
            let inner = if part == QPart::Full { m } else { m.min(n) };
            let a = Dense::<T>::random(m, n, 11);
            let (mut x, mut q, mut r) = (a.clone(), Dense::<T>::random(m, inner, 1), Dense::<T>::random(inner, n, 2));
            let (ld, ldr) = (m as i64, inner as i64);
            run(Operation::Qr(Qr {
                dtype: T::DTYPE,
                m: ld,
                n: n as i64,
                part,
                stage: QrStage::Whole,
                a: one(&mut x.x),
                lda: ld,
                q: one(&mut q.x),
                ldq: ld,
                r: one(&mut r.x),
                ldr,
                batch: 1,
                work: Workspace::NONE,
            }));
            assert_eq!(x, a, "A is kept");
            for j in 0..n {
                assert!((j + 1..inner).all(|i| r.at(i, j) == T::zero()), "{m} {n} {part:?}");
            }
            if part == QPart::None {
                let gram = product(&op(&r, Trans::C), &r);
                near(&gram, &product(&op(&a, Trans::C), &a), &format!("R {m} {n}"));
            } else {
                let identity = Dense::from_fn(inner, inner, |i, j| if i == j { T::one() } else { T::zero() });
                near(&product(&op(&q, Trans::C), &q), &identity, &format!("Q {m} {n} {part:?}"));
                near(&product(&q, &r), &a, &format!("QR {m} {n} {part:?}"));
            }
        }
    }
}

#[test]
fn explicit_factors() {
    for_types([explicit::<f32>, explicit::<f64>, explicit::<C32>, explicit::<C64>]);
}

fn triangles<T: Scalar>() {
    for (m, n) in [(1, 1), (7, 3), (3, 7), (21, 40), (40, 1), (2, 300)] {
        for (side, trans, uplo, diag) in SIDES.into_iter().flat_map(|s| {
            TRANS.into_iter().flat_map(move |t| {
                [Uplo::Upper, Uplo::Lower]
                    .into_iter()
                    .flat_map(move |u| [Diag::Unit, Diag::NonUnit].map(|d| (s, t, u, d)))
            })
        }) {
            let order = if side == Side::Left { m } else { n };
            let nan = T::real(T::Re::from_f64(f64::NAN));
            let small = T::Re::from_f64(0.5 / order as f64);
            let mut a = Dense::<T>::random(order, order, 13);
            for i in 0..order {
                for j in 0..order {
                    let inside = if uplo == Uplo::Upper { i < j } else { i > j };
                    // NaN in what must not be read.
                    let x = a.at(i, j);
                    a.set(
                        i,
                        j,
                        match () {
                            _ if i == j && diag == Diag::NonUnit => x + T::real(T::Re::from_f64(3.0)),
                            _ if inside => x.scaled(small),
                            _ => nan,
                        },
                    );
                }
            }
            let whole = Dense::from_fn(order, order, |i, j| match () {
                _ if i == j && diag == Diag::Unit => T::one(),
                _ if i == j || ((uplo == Uplo::Upper) == (i < j)) => a.at(i, j),
                _ => T::zero(),
            });
            let b = Dense::<T>::random(m, n, 17);
            let alpha = T::new(T::Re::from_f64(1.5), T::Re::from_f64(-0.5));
            for zero in [false, true] {
                let mut x = if zero { Dense::from_fn(m, n, |_, _| nan) } else { b.clone() };
                let scalar = if zero { T::zero() } else { alpha };
                let host = C64 { re: scalar.re().to_f64(), im: scalar.im().to_f64() };
                run(Operation::Trsm(Trsm {
                    dtype: T::DTYPE,
                    side,
                    uplo,
                    trans,
                    diag,
                    m: m as i64,
                    n: n as i64,
                    alpha: Alpha::Host(host),
                    a: one(&mut a.x),
                    lda: order as i64,
                    b: one(&mut x.x),
                    ldb: m as i64,
                    sizes: None,
                    batch: 1,
                }));
                let back =
                    if side == Side::Left { product(&op(&whole, trans), &x) } else { product(&x, &op(&whole, trans)) };
                let scaled = Dense::from_fn(m, n, |i, j| if zero { T::zero() } else { alpha * b.at(i, j) });
                near(&back, &scaled, &format!("{side:?} {trans:?} {uplo:?} {diag:?} {m} {n}"));
            }
        }
    }
}

#[test]
fn triangular_solves() {
    for_types([triangles::<f32>, triangles::<f64>, triangles::<C32>, triangles::<C64>]);
}

fn solved<T: Scalar>() {
    for (m, n, nrhs) in [(1, 1, 1), (6, 6, 2), (20, 9, 3), (9, 20, 3), (90, 40, 1), (40, 90, 5)] {
        for trans in [Trans::N, Trans::C] {
            let a = Dense::<T>::random(m, n, 19);
            let f = op(&a, trans);
            let rows = m.max(n);
            let b = Dense::<T>::random(rows, nrhs, 23);
            let (mut x, mut y, mut info) = (a.clone(), b.clone(), [-1]);
            run(Operation::Gels(Gels {
                dtype: T::DTYPE,
                trans,
                m: m as i64,
                n: n as i64,
                nrhs: nrhs as i64,
                a: one(&mut x.x),
                lda: m as i64,
                b: one(&mut y.x),
                ldb: rows as i64,
                sizes: None,
                info: info.as_mut_ptr(),
                batch: 1,
                work: Workspace::NONE,
            }));
            assert_eq!(info[0], 0);
            let solution = Dense::from_fn(f.n, nrhs, |i, j| y.at(i, j));
            let known = Dense::from_fn(f.m, nrhs, |i, j| b.at(i, j));
            let got = product(&f, &solution);
            let what = format!("{m} {n} {nrhs} {trans:?}");
            if f.m >= f.n {
                // Measured in units of the products' own size.
                let unit = T::Re::from_f64(1.0 / (1.0 + f.norm_one()));
                let rest = Dense::from_fn(f.m, nrhs, |i, j| (known.at(i, j) - got.at(i, j)).scaled(unit));
                let zero = Dense::from_fn(f.n, nrhs, |_, _| T::zero());
                near(&product(&op(&f, Trans::C), &rest), &zero, &format!("normal equations {what}"));
            } else {
                near(&got, &known, &format!("equations {what}"));
                // A minimum-norm solution is in the range of F^H, so F^H (F F^H)^-1 F x = x; any other solution is
                // longer.
                let mut z = solution.clone();
                let (mut h, mut info) = (op(&f, Trans::C), [-1]);
                z.x.resize(f.n * nrhs, T::zero());
                run(Operation::Gels(Gels {
                    dtype: T::DTYPE,
                    trans: Trans::N,
                    m: f.n as i64,
                    n: f.m as i64,
                    nrhs: nrhs as i64,
                    a: one(&mut h.x),
                    lda: f.n as i64,
                    b: one(&mut z.x),
                    ldb: f.n as i64,
                    sizes: None,
                    info: info.as_mut_ptr(),
                    batch: 1,
                    work: Workspace::NONE,
                }));
                let w = Dense::from_fn(f.m, nrhs, |i, j| z.at(i, j));
                near(&product(&op(&f, Trans::C), &w), &solution, &format!("minimum norm {what}"));
            }
        }
    }
}

#[test]
fn least_squares_and_minimum_norm() {
    for_types([solved::<f32>, solved::<f64>, solved::<C32>, solved::<C64>]);
}

#[test]
fn a_zero_on_the_diagonal_of_r_is_told_and_touches_no_neighbour() {
    let (m, n) = (4, 3);
    let good = Dense::<f64>::random(m, n, 29);
    let mut a =
        [good.x.clone(), Dense::from_fn(m, n, |i, j| if j == 1 { 0.0 } else { (i * j) as f64 + 1.0 }).x, good.x]
            .concat();
    let (mut b, mut info) = (Dense::<f64>::random(m, 3, 31).x, [-1; 3]);
    let first = b[..m].to_vec();
    b[2 * m..].copy_from_slice(&first);
    run(Operation::Gels(Gels {
        dtype: tephra_routine::Dtype::D,
        trans: Trans::N,
        m: m as i64,
        n: n as i64,
        nrhs: 1,
        a: Operand::Strided { base: a.as_mut_ptr().cast(), stride: (m * n) as i64 },
        lda: m as i64,
        b: Operand::Strided { base: b.as_mut_ptr().cast(), stride: m as i64 },
        ldb: m as i64,
        sizes: None,
        info: info.as_mut_ptr(),
        batch: 3,
        work: Workspace::NONE,
    }));
    assert_eq!(info, [0, 2, 0]);
    assert_eq!(b[..m], b[2 * m..]);
    assert!(b[..m].iter().all(|x| x.is_finite()));
}

/// The second unknown overflows. The third one and the rest of b are computed before it and must stay valid.
fn overflowing<T: Scalar>() {
    let (m, n) = (6, 3);
    let power = |e: i32| T::real(T::Re::from_f64(1.0).scale_by_power(e));
    let (tiny, large) = if eps::<T>() < 1e-10 { (power(-600), power(560)) } else { (power(-80), power(60)) };
    let diagonal = [T::one(), tiny, T::one()];
    let a = Dense::from_fn(m, n, |i, j| if i == j { diagonal[j] } else { T::zero() });
    let b = [T::one(), large, T::one()];
    // A single member, and many members in lanes.
    for batch in [1, 64] {
        let (mut x, mut info) = (a.x.repeat(batch), vec![-1; batch]);
        let member: Vec<T> = b.into_iter().chain([T::one(); 3]).collect();
        let mut y = member.repeat(batch);
        run(Operation::Gels(Gels {
            dtype: T::DTYPE,
            trans: Trans::N,
            m: m as i64,
            n: n as i64,
            nrhs: 1,
            a: Operand::Strided { base: x.as_mut_ptr().cast(), stride: (m * n) as i64 },
            lda: m as i64,
            b: Operand::Strided { base: y.as_mut_ptr().cast(), stride: m as i64 },
            ldb: m as i64,
            sizes: None,
            info: info.as_mut_ptr(),
            batch: batch as i64,
            work: Workspace::NONE,
        }));
        for x in y.chunks(m) {
            assert!(!x[1].re().is_finite(), "{batch} {x:?}");
            assert_eq!(x[2..], [T::one(); 4], "{batch}");
        }
    }
}

#[test]
fn an_unknown_that_overflows_leaves_what_is_known() {
    for_types([overflowing::<f32>, overflowing::<f64>, overflowing::<C32>, overflowing::<C64>]);
}

/// Rows of B that a minimum-norm solution only writes must not decide how B is scaled.
fn output_rows_are_not_read<T: Scalar>() {
    let tiny = T::Re::from_f64(1.0).scale_by_power(if size_of::<T::Re>() == 4 { -140 } else { -1030 });
    let huge = T::Re::from_f64(1.0).scale_by_power(if size_of::<T::Re>() == 4 { 126 } else { 1020 });
    for (m, n) in [(1, 2), (3, 5), (7, 30), (33, 40)] {
        let (a, b) = (Dense::<T>::random(m, n, 3), Dense::<T>::random(n, 2, 4));
        let solve = |rest: T::Re| {
            let mut y = Dense::from_fn(n, 2, |i, j| if i < m { b.at(i, j).scaled(tiny) } else { T::real(rest) });
            let (mut x, mut info) = (a.clone(), [-1]);
            run(Operation::Gels(Gels {
                dtype: T::DTYPE,
                trans: Trans::N,
                m: m as i64,
                n: n as i64,
                nrhs: 2,
                a: one(&mut x.x),
                lda: m as i64,
                b: one(&mut y.x),
                ldb: n as i64,
                sizes: None,
                info: info.as_mut_ptr(),
                batch: 1,
                work: Workspace::NONE,
            }));
            y.x
        };
        let expected = solve(T::Re::default());
        for rest in [T::Re::from_f64(1.0), huge, T::nan().re()] {
            assert!(solve(rest) == expected, "{m} x {n} {:?}: {rest:?} was read", T::DTYPE);
        }
    }
}

#[test]
fn rows_that_are_only_written_are_not_read() {
    for_types([
        output_rows_are_not_read::<f32>,
        output_rows_are_not_read::<f64>,
        output_rows_are_not_read::<C32>,
        output_rows_are_not_read::<C64>,
    ]);
}
