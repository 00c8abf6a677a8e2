//! Triangular BLAS routines: increments, and what is not read.

use tephra_cpu::of;
use tephra_routine::scalar::C64;
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
