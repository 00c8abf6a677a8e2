//! Products, triangles and sums.

use super::operations::{Named, every, shapes, small_shapes, uniform};
use super::table::Tally;
use tephra_testkit::guarded::Placement;
use tephra_testkit::ops::blas::{FORMS, Rank, geam, rank, trmm, trsv, trtri};
use tephra_testkit::ops::exact::{Exact, inverted, multiplied, op, ranked};
use tephra_testkit::ops::measure::solved;
use tephra_testkit::ops::q::reflectors;
use tephra_testkit::ops::solve::Triangular;
use tephra_testkit::ops::{Diag, Output, Side, Trans, Uplo};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::Field;
use tephra_testkit::{Matrix, Scalar};

/// All operations.
pub fn all<T: Scalar>() -> [Named; 5] {
    [
        ("syrk, herk, syr2k, her2k", products::<T>),
        ("trmm", triangles::<T>),
        ("trsv", vectors::<T>),
        ("trtri", inverses::<T>),
        ("geam", sums::<T>),
    ]
}

fn number<T: Scalar>(re: f64) -> T {
    T::narrow(<T as Scalar>::Wide::real(re))
}

/// With one matrix and with two.
fn products<T: Scalar>(session: &Session) -> Tally {
    small_shapes(|tally, n, k| {
        let (factors, c) = ([number::<T>(-1.5), number(0.5)], uniform::<T>(n, n));
        for how in Rank::all(T::DTYPE.is_complex()) {
            let a = if how.trans == Trans::N { uniform::<T>(n, k) } else { uniform(k, n) };
            let turned = |a: &Matrix<T>| Matrix::from_fn(a.rows(), a.cols(), |i, j| a[(i, a.cols() - 1 - j)]);
            let b: Vec<Matrix<T>> = a.iter().map(turned).collect();
            for second in [None, Some(&b[..])] {
                let call = |form| rank(session, form, how, factors, (&a, second), &c, &Placement::guarded());
                let measure = |o: &Output<T>, i: usize| {
                    ranked(how, factors, (&a[i], second.map(|b| &b[i])), &c[i], &o.operands[0][i])
                };
                every(tally, &format!("{n}x{k} {how:?}"), &FORMS, &call, &measure);
            }
        }
    })
}

/// R of a factorisation, and how it is used.
fn triangle<T: Scalar>(n: usize, side: Side) -> (Triangular, Vec<Matrix<T>>) {
    let how = Triangular { side, uplo: Uplo::Upper, trans: Trans::N, diag: Diag::NonUnit };
    (how, reflectors::<T>(n, n, super::operations::BATCH, 5).0)
}

fn triangles<T: Scalar>(session: &Session) -> Tally {
    shapes(|tally, _, n| {
        for (side, b) in [(Side::Left, uniform::<T>(n, 9)), (Side::Right, uniform(9, n))] {
            let ((how, r), alpha) = (triangle::<T>(n, side), number(-1.5));
            let call = |form| trmm(session, form, how, alpha, &r, &b, &Placement::guarded());
            let measure = |o: &Output<T>, i: usize| multiplied(how, alpha, &r[i], &b[i], &o.operands[0][i]);
            every(tally, &format!("{n}, {side:?}"), &FORMS, &call, &measure);
        }
    })
}

fn vectors<T: Scalar>(session: &Session) -> Tally {
    shapes(|tally, _, n| {
        let ((how, r), x) = (triangle::<T>(n, Side::Left), uniform::<T>(1, n));
        let column = |x: &Matrix<T>| Matrix::from_fn(n, 1, |i, _| x[(0, i)]);
        let call = |form| trsv(session, form, how, &r, &x, &Placement::guarded());
        let measure =
            |o: &Output<T>, i: usize| solved(how, number(1.0), &r[i], &column(&x[i]), &column(&o.operands[0][i]));
        every(tally, &format!("{n}"), &FORMS, &call, &measure);
    })
}

fn inverses<T: Scalar>(session: &Session) -> Tally {
    shapes(|tally, _, n| {
        let (how, r) = triangle::<T>(n, Side::Left);
        let call = |form| trtri(session, form, how, &r, &Placement::guarded());
        let measure = |o: &Output<T>, i: usize| match o.info[i] {
            0 => inverted(how, &r[i], &o.operands[0][i]),
            _ => f64::NAN,
        };
        every(tally, &format!("{n}"), &FORMS, &call, &measure);
    })
}

/// A matrix and a conjugate transpose.
fn sums<T: Scalar>(session: &Session) -> Tally {
    shapes(|tally, m, n| {
        let (factors, a, b) = ([number::<T>(-1.5), number(0.5)], uniform::<T>(m, n), uniform::<T>(n, m));
        let c = vec![Matrix::from_fn(m, n, |_, _| T::POISON); a.len()];
        let call = |form| geam(session, form, [Trans::N, Trans::C], factors, [&a, &b], &c, &Placement::guarded());
        let measure = |o: &Output<T>, i: usize| {
            let [alpha, beta] = factors.map(Scalar::wide);
            let exact = Exact::zeros(m, n).plus(alpha, &a[i].wide()).plus(beta, &op(Trans::C, &b[i].wide()));
            exact.ratio(&o.operands[0][i], |_, _| true)
        };
        every(tally, &format!("{m}x{n}"), &FORMS, &call, &measure);
    })
}
