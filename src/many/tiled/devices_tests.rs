//! Devices that proceed at any pace, with cores alongside: they yield LAPACK's factors, bitwise the same in any order.

use super::*;
use crate::streamed::layout::Layout;
use crate::streamed::lazy::{Lazy, compute, matrix};
use crate::streamed::schedule::{HostMatrix, NoHostTasks, run};
use std::ptr::null_mut;
use tephra_core::Operation;
use tephra_core::face::native::strided;
use tephra_core::routine::{Geqrf, Ormqr, Routine, Shape, Side, Trans};

fn near(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12 * b.abs().max(1.0))
}

/// LAPACK's factors and tau, from the CPU backend.
fn expected(m: usize, n: usize, ld: usize) -> (Vec<f64>, Vec<f64>) {
    let (mut a, mut tau) = (matrix(ld, n), vec![0.0; m.min(n)]);
    let [rows, columns] = [m, n].map(|size| size as i64);
    let (dtype, math, extra) = (tephra_core::Dtype::D, Default::default(), Default::default());
    let shape = Shape { dtype, m: rows, n: columns, batch: 1, math, extra };
    let (p, factors) = (strided(a.as_mut_ptr(), 0), strided(tau.as_mut_ptr(), 0));
    compute(&Operation::Geqrf(Geqrf { a: p, lda: ld as i64, tau: factors, ..Geqrf::of_shape(&shape) }));
    (a, tau)
}

/// Parameters of a test: sizes, the first of the host's columns, the width of pieces, and the number of devices and
/// threads.
#[derive(Clone, Copy, Debug)]
struct Case {
    m: usize,
    n: usize,
    split: usize,
    piece: usize,
    nb: usize,
    devices: usize,
    threads: usize,
}

type Made = (Vec<f64>, Vec<f64>);

fn factored(
    case: Case,
    ld: usize,
    seed: usize,
    progress: &dyn Fn(usize, usize) -> bool,
    make: &(dyn Fn(usize) -> Result<Lazy, Error> + Sync),
) -> Result<Made, Failure> {
    let Case { m, n, split, piece, nb, devices, threads } = case;
    let (mut a, mut tau) = (matrix(ld, n), vec![0.0; m.min(n)]);
    let tiles = Tiles::of(m, n, nb).stacked();
    let columns = if split < m { n } else { split };
    let method = Factor { dtype: tephra_core::Dtype::D, m, n: columns, split, piece };
    let matrix = HostMatrix { p: a.as_mut_ptr().cast(), ld, pinned: seed.is_multiple_of(3) };
    let (layout, p) = (Layout { width: 24, panel: 7 }, tau.as_mut_ptr().cast());
    let (source, target) = (matrix, matrix);
    let problem = Problem {
        method: &method,
        n: columns,
        split,
        source,
        target,
        side: p,
        codes: null_mut(),
        layout,
        devices,
        host_tasks: &NoHostTasks,
    };
    let look_ahead = if seed.is_multiple_of(2) { usize::MAX } else { 1 };
    let on_devices = |problem: &Problem| unsafe { run(problem, make, progress) };
    unsafe { factor_with_host::<f64>(&problem, &tiles, n, (look_ahead, threads), on_devices) }.map(|()| (a, tau))
}

#[test]
fn devices_and_cores_make_lapacks_factors() {
    // Square, tall, and wide matrices, with the host's columns starting before and after the last reflector; with one
    // piece, several pieces, and several blocks.
    let sizes =
        [(90, 90, 64, 24), (120, 70, 48, 8), (60, 90, 32, 16), (60, 90, 64, 10), (70, 70, 16, 24), (90, 80, 8, 5)];
    for (m, n, split, piece) in sizes {
        let ld = m + 3;
        let (wanted, wanted_tau) = expected(m, n, ld);
        for devices in 1..4 {
            let mut first: Option<Made> = None;
            for round in 0..10 {
                let case = Case { m, n, split, piece, nb: 8, devices, threads: round % 4 };
                let made = factored(case, ld, round, &|_, _| true, &|number| Ok(Lazy::new(round * 10 + number)));
                let found = made.unwrap_or_else(|failure| panic!("{case:?}: {failure}"));
                assert!(near(&found.0, &wanted) && near(&found.1, &wanted_tau), "{case:?}");
                assert!(*first.get_or_insert_with(|| found.clone()) == found, "{case:?}, round {round}: other bits");
            }
        }
    }
}

#[test]
fn a_failure_on_either_side_ends_both() {
    for (devices, threads) in [(1, 0), (1, 2), (2, 3), (3, 1)] {
        let case = Case { m: 90, n: 90, split: 48, piece: 8, nb: 8, devices, threads };
        let make = |number: usize| {
            if number + 1 == devices { Err(Error::OutOfMemory("none".into())) } else { Ok(Lazy::new(number)) }
        };
        let failed = factored(case, 90, 0, &|_, _| true, &make).err();
        assert_eq!(failed, Some(Failure::Library(Error::OutOfMemory("none".into()))));
        let cancelled = factored(case, 90, 0, &|done, _| done < 3, &|number| Ok(Lazy::new(number)));
        assert!(matches!(cancelled, Err(Failure::Callback(_))), "{cancelled:?}");
    }
}

#[test]
fn stacked_tiles_are_applied() {
    let (m, k) = (130, 100);
    let (mut a, tau) = expected(m, k, m);
    let tiles = Tiles::of(m, k, 24).stacked();
    let mut t: Vec<f64> = tiles.head().into_iter().chain(tau).collect();
    // More columns than a single task takes.
    let columns = 140;
    for (form, unit) in [(Form::Plain, false), (Form::Adjoint, false), (Form::Plain, true)] {
        let unit_at = |i: usize| f64::from(u8::from(i % m == i / m));
        let c: Vec<f64> = if unit { (0..m * columns).map(unit_at).collect() } else { matrix(m, columns) };
        let (mut found, mut wanted) = (matrix(m, columns), c);
        let (dtype, side, batch, sizes) = (tephra_core::Dtype::D, Side::Left, 1, None);
        let trans = if form == Form::Plain { Trans::N } else { Trans::T };
        let (operand, c, factors) = (
            strided(a.as_mut_ptr(), 0),
            strided(wanted.as_mut_ptr(), 0),
            strided(t.as_mut_ptr().wrapping_add(HEAD), 0),
        );
        let (ld, n) = (m as i64, columns as i64);
        let op = Ormqr {
            dtype,
            side,
            trans,
            m: ld,
            n,
            k: k as i64,
            a: operand,
            lda: ld,
            tau: factors,
            c,
            ldc: ld,
            batch,
            sizes,
        };
        compute(&Operation::Ormqr(op));
        let part = |p: &mut [f64]| MatrixView { p: p.as_mut_ptr(), ld: m };
        let done =
            unsafe { sequence::apply(&tiles, form, part(&mut a), t.as_mut_ptr(), (columns, part(&mut found)), unit) };
        assert!(done.is_ok() && near(&found, &wanted), "{form:?}, unit {unit}");
    }
}
