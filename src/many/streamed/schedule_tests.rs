//! In whatever order devices proceed, the results are bitwise the same, and they are those of a QR factorisation.

use super::super::lazy::{Lazy, compute, matrix};
use super::super::method::{Apply, Factor};
use super::*;
use std::cell::RefCell;
use tephra_core::face::native::strided;
use tephra_core::routine::{Geqrf, Ormqr, Routine, Shape, Side, Trans};
use tephra_core::{Dtype, Operation};

fn host(a: &mut [f64], ld: usize, direct: bool) -> Host {
    Host { p: a.as_mut_ptr().cast(), ld, direct }
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
            Shape { dtype: Dtype::D, m: lm, n: ln, batch: 1, math: Default::default(), told: Default::default() };
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
                    tau: tau.as_mut_ptr().cast(),
                    layout,
                    devices,
                    split: n,
                    beside: &Alone,
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
    let shape = Shape { dtype: Dtype::D, m: 75, n: 60, batch: 1, math: Default::default(), told: Default::default() };
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
                tau: tau.as_mut_ptr().cast(),
                layout: Layout { width: 8, panel: 7 },
                devices,
                split: n,
                beside: &Alone,
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
        let tau = tau.as_mut_ptr().cast();
        let problem =
            Problem { method, n, split: n, source: matrix, target: matrix, tau, layout, devices, beside: &Alone };
        let make = |number: usize| {
            if number + 1 == devices { Err(Error::OutOfMemory("none".into())) } else { Ok(Lazy::new(number)) }
        };
        let done = unsafe { run(&problem, make, &|_, _| true) };
        assert_eq!(done, Err(Failure::Library(Error::OutOfMemory("none".into()))));
        let done = unsafe { run(&problem, |number| Ok(Lazy::new(number)), &|done, _| done < 5) };
        assert!(matches!(done, Err(Failure::Callback(_))), "{done:?}");
    }
}
