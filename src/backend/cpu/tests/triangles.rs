//! Triangular BLAS routines: increments, and what is not read.

use super::support::*;
use tephra_cpu::of;
use tephra_cpu::parts::{Distribution, Execution};
use tephra_routine::scalar::{C32, C64, Real, Scalar};
use tephra_routine::{Alpha, Diag, Dtype, Operand, Operation, Side, Trans, Trmm, Trsv, Uplo};

/// This holds for interleaved and for single members, and for triangles with a diagonal element out of range.
#[test]
fn increments_change_no_result() {
    const N: usize = 9;
    let solved = |a: &[f64], uplo, trans, diag, batch: usize, incx: i64| -> Vec<f64> {
        let step = incx.unsigned_abs() as usize;
        let at = |i: usize, j: usize| 2 * step * (i * N + if incx < 0 { N - 1 - j } else { j });
        let mut x = vec![0.0; 2 * batch * N * step];
        for k in 0..batch * N {
            let at = at(k / N, k % N);
            (x[at], x[at + 1]) = ((k * 5 % 7) as f64 - 2.5, (k * 3 % 11) as f64 / 3.0);
        }
        let strided = |p: *mut f64, stride: usize| Operand::Strided { base: p.cast(), stride: stride as i64 };
        let (a, to) = (strided(a.as_ptr().cast_mut(), 0), strided(x.as_mut_ptr(), N * step));
        let (n, batch_count) = (N as i64, batch as i64);
        let p = Trsv { dtype: Dtype::Z, uplo, trans, diag, n, a, lda: n, x: to, incx, sizes: None, batch: batch_count };
        unsafe { of(&Operation::Trsv(p)).run() }.unwrap();
        let mut result = Vec::new();
        for k in 0..batch * N {
            let at = at(k / N, k % N);
            result.extend([x[at], x[at + 1]]);
        }
        result
    };
    for unusual in [false, true] {
        let mut a: Vec<f64> = (0..2 * N * N).map(|i| (i * 7 % 11) as f64 / 9.0 - 0.5).collect();
        for i in 0..N {
            a[2 * i * (N + 1)] += 2.0;
        }
        if unusual {
            (a[2 * 3 * (N + 1)], a[2 * 3 * (N + 1) + 1]) = (1e308, 1e308);
        }
        for uplo in [Uplo::Lower, Uplo::Upper] {
            for trans in [Trans::N, Trans::T, Trans::C] {
                for diag in [Diag::Unit, Diag::NonUnit] {
                    for batch in [1, 5, 9] {
                        let expected =
                            solved(&a, uplo, trans, diag, batch, 1).iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                        for incx in [5, -1, -3] {
                            let x = solved(&a, uplo, trans, diag, batch, incx);
                            let x = x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                            assert_eq!(x, expected, "{uplo:?} {trans:?} {diag:?} {batch} {incx} {unusual}");
                        }
                    }
                }
            }
        }
    }
}

/// An infinity must not turn into a NaN by being multiplied by a zero that is not part of T.
#[test]
fn what_a_product_does_not_need_does_not_count() {
    const ORDER: usize = 41;
    let a: Vec<f64> = (0..ORDER * ORDER).map(|i| (i % 7) as f64 - 2.5).collect();
    for (uplo, trans, side) in [
        (Uplo::Lower, Trans::N, Side::Left),
        (Uplo::Lower, Trans::T, Side::Left),
        (Uplo::Upper, Trans::N, Side::Left),
        (Uplo::Lower, Trans::N, Side::Right),
        (Uplo::Upper, Trans::N, Side::Right),
    ] {
        for at in [0, 13, 16, 37] {
            // One column of B from the left, one row from the right.
            let mut b = vec![1.0; ORDER];
            b[at] = f64::INFINITY;
            let (m, n) = if side == Side::Left { (ORDER as i64, 1) } else { (1, ORDER as i64) };
            let at_start = |p: *mut f64| Operand::Strided { base: p.cast(), stride: 0 };
            let product = Trmm {
                sizes: None,
                dtype: Dtype::D,
                side,
                uplo,
                trans,
                diag: Diag::NonUnit,
                m,
                n,
                alpha: Alpha::Host(C64 { re: 2.0, im: 0.0 }),
                a: at_start(a.as_ptr().cast_mut()),
                lda: ORDER as i64,
                b: at_start(b.as_mut_ptr()),
                ldb: m,
                batch: 1,
            };
            unsafe { of(&Operation::Trmm(product)).run() }.unwrap();
            let below = ((uplo == Uplo::Lower) == (trans == Trans::N)) == (side == Side::Left);
            for (i, x) in b.iter().enumerate() {
                let needs = if below { i >= at } else { i <= at };
                assert_eq!(x.is_finite(), !needs, "{uplo:?} {trans:?} {side:?} {at}: {i}");
                let terms = if below { 0..i + 1 } else { i..ORDER };
                let transposed = (trans == Trans::N) != (side == Side::Left);
                let element = |k: usize| if transposed { a[k + i * ORDER] } else { a[i + k * ORDER] };
                let expected = 2.0 * terms.map(element).sum::<f64>();
                assert!(needs || (x - expected).abs() < 1e-10, "{uplo:?} {trans:?} {side:?} {at}: {i}");
            }
        }
    }
}

/// Triangles of less and more than a block, B of less and more than a vector. A NaN reaches what depends on it.
fn nan_goes_no_further<T: Scalar>() {
    let nan = T::real(T::Re::from_f64(f64::NAN));
    let flags = [Side::Left, Side::Right].into_iter().flat_map(|side| {
        [Uplo::Lower, Uplo::Upper].into_iter().flat_map(move |uplo| {
            [Trans::N, Trans::T, Trans::C]
                .into_iter()
                .flat_map(move |trans| [Diag::Unit, Diag::NonUnit].map(move |diag| (side, uplo, trans, diag)))
        })
    });
    let shapes = [1, 5, 16, 41].into_iter().flat_map(|order| [1, 3, 70].map(|other| (order, other)));
    for ((side, uplo, trans, diag), (order, other)) in flags.flat_map(|flags| shapes.clone().map(move |s| (flags, s))) {
        let (m, n) = if side == Side::Left { (order, other) } else { (other, order) };
        // What is not part of T must not be read.
        let part = |i: usize, j: usize| match i == j {
            true => diag == Diag::NonUnit,
            false => (i > j) == (uplo == Uplo::Lower),
        };
        let given = Dense::<T>::random(order, order, 5);
        let mut a = Dense::from_fn(order, order, |i, j| if part(i, j) { given.at(i, j) } else { nan });
        let element = |i: usize, j: usize| {
            let (i, j) = if trans == Trans::N { (i, j) } else { (j, i) };
            let x = match (part(i, j), i == j) {
                (true, _) => given.at(i, j),
                (_, true) => T::one(),
                _ => T::zero(),
            };
            let used = part(i, j) || i == j;
            (used, if trans == Trans::C { x.conj() } else { x })
        };
        let mut b = Dense::<T>::random(m, n, 6);
        b.set(m / 2, n / 3, nan);
        let alpha = T::new(T::Re::from_f64(0.5), T::Re::one());
        let expected = Dense::from_fn(m, n, |i, j| {
            let mut sum = T::zero();
            for k in 0..order {
                let ((used, t), x) = match side {
                    Side::Left => (element(i, k), b.at(k, j)),
                    Side::Right => (element(k, j), b.at(i, k)),
                };
                sum = if used { sum + t * x } else { sum };
            }
            alpha * sum
        });
        for level in levels() {
            let (mut got, case) = (b.clone(), format!("{side:?} {uplo:?} {trans:?} {diag:?} {m} {n} {level:?}"));
            let one = |x: &mut Dense<T>| Operand::Strided { base: x.x.as_mut_ptr().cast(), stride: 0 };
            let trmm = Trmm {
                sizes: None,
                dtype: T::DTYPE,
                side,
                uplo,
                trans,
                diag,
                m: m as i64,
                n: n as i64,
                alpha: Alpha::host(alpha),
                a: one(&mut a),
                lda: order as i64,
                b: one(&mut got),
                ldb: m as i64,
                batch: 1,
            };
            let distribution = Distribution { threads: 1, threads_per_member: 1, grain: 1 };
            let execution = Execution { level, distribution, interleaved: false };
            unsafe { run_with(Operation::Trmm(trmm), &execution) }.unwrap();
            for (got, expected) in got.x.iter().zip(&expected.x) {
                let [ours, theirs] = [got, expected].map(|x| magnitude(*x));
                assert_eq!(ours.is_finite(), theirs.is_finite(), "{case}");
                let error = magnitude(*got - *expected) / T::Re::EPSILON.to_f64();
                assert!(!theirs.is_finite() || error < 200.0, "{case}: {error} eps");
            }
        }
    }
}

#[test]
fn a_nan_reaches_what_depends_on_it_and_nothing_else() {
    nan_goes_no_further::<f32>();
    nan_goes_no_further::<f64>();
    nan_goes_no_further::<C32>();
    nan_goes_no_further::<C64>();
}
