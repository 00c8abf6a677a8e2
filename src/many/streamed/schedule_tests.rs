//! In whatever order devices proceed, the results are bitwise the same, and they agree with those of the CPU backend.

use super::super::lazy::{Lazy, compute, matrix};
use super::super::qr::{Apply, Factor};
use super::super::{cholesky, lu};
use super::*;
use std::cell::RefCell;
use std::ptr::null_mut;
use tephra_core::face::native::strided;
use tephra_core::routine::{Geqrf, Getrf, Ormqr, Potrf, Routine, Shape, Side, Trans, Uplo};
use tephra_core::{Dtype, Operation};

fn host(a: &mut [f64], ld: usize, pinned: bool) -> HostMatrix {
    HostMatrix { p: a.as_mut_ptr().cast(), ld, pinned }
}

fn near(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12 * b.abs().max(1.0))
}

const SHAPES: &[(usize, usize, usize, usize)] =
    &[(90, 70, 16, 5), (70, 90, 16, 16), (64, 64, 64, 32), (120, 33, 16, 16), (5, 7, 4, 3), (40, 100, 9, 4)];

#[test]
fn any_order_factors() {
    for &(m, n, width, panel) in SHAPES {
        let (ld, k) = (m + 3, m.min(n));
        let (a, layout) = (matrix(ld, n), Layout { width, panel });
        let (mut expected, mut expected_tau) = (a.clone(), vec![0.0; k]);
        let [lm, ln] = [m, n].map(|size| size as i64);
        let shape =
            Shape { dtype: Dtype::D, m: lm, n: ln, batch: 1, math: Default::default(), extra: Default::default() };
        let (p, tau) = (strided(expected.as_mut_ptr(), 0), strided(expected_tau.as_mut_ptr(), 0));
        compute(&Operation::Geqrf(Geqrf { a: p, lda: ld as i64, tau, ..Geqrf::of_shape(&shape) }));
        for devices in 1..4 {
            let mut first: Option<(Vec<f64>, Vec<f64>)> = None;
            for round in 0..12 {
                let (mut found, mut tau) = (a.clone(), vec![0.0; k]);
                let matrix = host(&mut found, ld, round % 3 == 0);
                let problem = Problem {
                    method: &Factor::whole(Dtype::D, m, n),
                    n,
                    source: matrix,
                    target: matrix,
                    side: tau.as_mut_ptr().cast(),
                    codes: null_mut(),
                    layout,
                    devices,
                    split: n,
                    host_tasks: &NoHostTasks,
                };
                let last = RefCell::new(0);
                let progress = |done: usize, total: usize| {
                    assert!(done > *last.borrow() && done <= total);
                    *last.borrow_mut() = done;
                    true
                };
                let done = unsafe { run(&problem, |number| Ok(Lazy::new(round * 10 + number)), &progress) };
                assert!(done.is_ok(), "{done:?}");
                assert!(near(&found, &expected) && near(&tau, &expected_tau), "{m} x {n} on {devices}, round {round}");
                let same = first.get_or_insert_with(|| (found.clone(), tau.clone()));
                assert!(*same == (found, tau), "{m} x {n} on {devices}, round {round}: other bits");
            }
        }
    }
}

#[test]
fn any_order_applies() {
    let (m, k, n) = (75, 60, 50);
    let (mut a, mut tau) = (matrix(m, k), vec![0.0; k]);
    let shape = Shape { dtype: Dtype::D, m: 75, n: 60, batch: 1, math: Default::default(), extra: Default::default() };
    let (p, factors) = (strided(a.as_mut_ptr(), 0), strided(tau.as_mut_ptr(), 0));
    compute(&Operation::Geqrf(Geqrf { a: p, lda: 75, tau: factors, ..Geqrf::of_shape(&shape) }));
    for (plain, trans) in [(true, Trans::N), (false, Trans::T)] {
        let c = matrix(m, n);
        let mut expected = c.clone();
        let (side, batch, sizes) = (Side::Left, 1, None);
        let (lda, ldc, c_operand, dtype) = (75, 75, strided(expected.as_mut_ptr(), 0), Dtype::D);
        let (m64, n64, k64) = (m as i64, n as i64, k as i64);
        let op = Ormqr {
            dtype,
            side,
            trans,
            m: m64,
            n: n64,
            k: k64,
            a: p,
            lda,
            tau: factors,
            c: c_operand,
            ldc,
            batch,
            sizes,
        };
        compute(&Operation::Ormqr(op));
        for (devices, round) in (1..4).flat_map(|devices| (0..6).map(move |round| (devices, round))) {
            let mut found = c.clone();
            let problem = Problem {
                method: &Apply { dtype, m, k, plain },
                n,
                source: host(&mut a, m, round % 2 == 0),
                target: host(&mut found, m, round % 3 == 0),
                side: tau.as_mut_ptr().cast(),
                codes: null_mut(),
                layout: Layout { width: 8, panel: 7 },
                devices,
                split: n,
                host_tasks: &NoHostTasks,
            };
            let done = unsafe { run(&problem, |number| Ok(Lazy::new(round * 10 + number)), &|_, _| true) };
            assert!(done.is_ok() && near(&found, &expected), "plain {plain} on {devices}, round {round}");
        }
    }
}

#[test]
fn a_device_that_fails_ends_the_others() {
    let (m, n) = (60, 60);
    for devices in 1..4 {
        let (mut a, mut tau) = (matrix(m, n), vec![0.0; n]);
        let matrix = host(&mut a, m, false);
        let (method, layout) = (&Factor::whole(Dtype::D, m, n), Layout { width: 8, panel: 8 });
        let side = tau.as_mut_ptr().cast();
        let problem = Problem {
            method,
            n,
            split: n,
            source: matrix,
            target: matrix,
            side,
            codes: null_mut(),
            layout,
            devices,
            host_tasks: &NoHostTasks,
        };
        let make = |number: usize| {
            if number + 1 == devices { Err(Error::OutOfMemory("none".into())) } else { Ok(Lazy::new(number)) }
        };
        let done = unsafe { run(&problem, make, &|_, _| true) };
        assert_eq!(done, Err(Failure::Library(Error::OutOfMemory("none".into()))));
        let done = unsafe { run(&problem, |number| Ok(Lazy::new(number)), &|done, _| done < 5) };
        assert!(matches!(done, Err(Failure::Callback(_))), "{done:?}");
    }
}

/// The factored matrix, its pivots, and the codes of its blocks.
type Outcome = (Vec<f64>, Vec<i32>, Vec<i32>);

/// Factors on devices that proceed in random orders, checks that all orders give the same result unless a code ended
/// the factorisation early, and returns the first result.
fn in_any_order(method: &dyn Method, a: &[f64], ld: usize, n: usize, layout: Layout, devices: usize) -> Outcome {
    let mut first: Option<Outcome> = None;
    for round in 0..8 {
        let (mut found, mut pivots) = (a.to_vec(), vec![0; method.source_columns()]);
        let matrix = host(&mut found, ld, round % 3 == 0);
        let problem = Problem {
            method,
            n,
            split: n,
            source: matrix,
            target: matrix,
            side: pivots.as_mut_ptr().cast(),
            codes: null_mut(),
            layout,
            devices,
            host_tasks: &NoHostTasks,
        };
        let mut codes = vec![0; problem.blocks()];
        let problem = Problem { codes: codes.as_mut_ptr(), ..problem };
        let done = unsafe { run(&problem, |number| Ok(Lazy::new(round * 10 + number)), &|_, _| true) };
        assert_eq!(done, Ok(()));
        let outcome = (found, pivots, codes);
        let same = first.get_or_insert_with(|| outcome.clone());
        let ended = outcome.2.iter().any(|code| *code != 0);
        assert!(ended || *same == outcome, "round {round} on {devices}: other bits");
    }
    first.unwrap()
}

#[test]
fn any_order_factors_with_interchanges() {
    for &(m, n, width, panel) in SHAPES {
        let (ld, steps) = (m + 3, m.min(n));
        let a = matrix(ld, n);
        let (mut expected, mut expected_ipiv) = (a.clone(), vec![0; steps]);
        let (p, ipiv) = (strided(expected.as_mut_ptr(), 0), strided(expected_ipiv.as_mut_ptr(), 0));
        compute(&Operation::Getrf(Getrf::of(Dtype::D, (m as i64, n as i64), (p, ld as i64), Some(ipiv), 1)));
        for devices in 1..4 {
            let (method, layout) = (lu::Factor { dtype: Dtype::D, m, n }, Layout { width, panel });
            let (mut found, mut ipiv, codes) = in_any_order(&method, &a, ld, n, layout, devices);
            let place = RawView { p: found.as_mut_ptr().cast(), ld };
            assert_eq!(unsafe { method.apply_interchanges(place, ipiv.as_mut_ptr(), &layout.partition(n, n)) }, Ok(()));
            assert!(codes.iter().all(|code| *code == 0));
            assert_eq!(ipiv, expected_ipiv, "{m} x {n} on {devices}");
            assert!(near(&found, &expected), "{m} x {n} on {devices}");
        }
    }
}

#[test]
fn a_pivot_of_zero_is_told_and_ends_nothing() {
    let (n, layout) = (40, Layout { width: 8, panel: 4 });
    for column in [0, 7, 8, 21, 39] {
        let mut a = matrix(n, n);
        a[column * n..][..n].fill(0.0);
        let method = lu::Factor { dtype: Dtype::D, m: n, n };
        for devices in 1..3 {
            let (_, ipiv, codes) = in_any_order(&method, &a, n, n, layout, devices);
            assert!(ipiv.iter().all(|pivot| *pivot > 0), "not all columns have a pivot");
            let block = codes.iter().position(|code| *code != 0).unwrap();
            assert_eq!(block * 8 + codes[block] as usize, column + 1);
        }
    }
}

/// One triangle of B B^T + n I. The other triangle holds values that the factorisation must not use.
fn definite(n: usize, ld: usize, uplo: Uplo) -> Vec<f64> {
    let b = matrix(n, n);
    let mut a = vec![7.0; ld * n];
    for j in 0..n {
        let rows = if uplo == Uplo::Lower { j..n } else { 0..j + 1 };
        for i in rows {
            let product: f64 = (0..n).map(|k| b[k * n + i] * b[k * n + j]).sum();
            a[j * ld + i] = product + if i == j { n as f64 } else { 0.0 };
        }
    }
    a
}

#[test]
fn any_order_factors_a_triangle() {
    for (n, width, panel) in [(90, 16, 5), (64, 32, 32), (33, 16, 16), (5, 4, 3), (100, 9, 4)] {
        for uplo in [Uplo::Lower, Uplo::Upper] {
            let ld = n + 3;
            let a = definite(n, ld, uplo);
            let mut expected = a.clone();
            let order = n as i64;
            let shape = Shape {
                dtype: Dtype::D,
                m: order,
                n: order,
                batch: 1,
                math: Default::default(),
                extra: Default::default(),
            };
            let p = strided(expected.as_mut_ptr(), 0);
            compute(&Operation::Potrf(Potrf { uplo, a: p, lda: ld as i64, ..Potrf::of_shape(&shape) }));
            let method = cholesky::Factor { dtype: Dtype::D, uplo, n };
            for devices in 1..4 {
                let (found, _, codes) = in_any_order(&method, &a, ld, n, Layout { width, panel }, devices);
                assert!(codes.iter().all(|code| *code == 0));
                assert!(near(&found, &expected), "{n} {uplo} on {devices}");
            }
        }
    }
}

#[test]
fn an_indefinite_minor_ends_the_factorisation() {
    let (n, layout) = (60, Layout { width: 8, panel: 8 });
    for uplo in [Uplo::Lower, Uplo::Upper] {
        let whole = definite(n, n, uplo);
        let mut expected = whole.clone();
        let order = n as i64;
        let shape = Shape {
            dtype: Dtype::D,
            m: order,
            n: order,
            batch: 1,
            math: Default::default(),
            extra: Default::default(),
        };
        let p = strided(expected.as_mut_ptr(), 0);
        compute(&Operation::Potrf(Potrf { uplo, a: p, ..Potrf::of_shape(&shape) }));
        for minor in [0, 7, 8, 33, 59] {
            let mut a = whole.clone();
            a[minor * n + minor] = -1.0;
            for devices in 1..4 {
                let method = cholesky::Factor { dtype: Dtype::D, uplo, n };
                let (found, _, codes) = in_any_order(&method, &a, n, n, layout, devices);
                let block = codes.iter().position(|code| *code != 0).unwrap();
                assert_eq!(block * 8 + codes[block] as usize, minor + 1);
                for j in 0..minor {
                    let rows = if uplo == Uplo::Lower { j..minor } else { 0..j + 1 };
                    let at = rows.start + j * n..rows.end + j * n;
                    assert!(near(&found[at.clone()], &expected[at]), "column {j} of the minor {minor}, {uplo}");
                }
            }
        }
    }
}
