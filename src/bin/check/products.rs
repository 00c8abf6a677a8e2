//! Products of matrices, and with vectors.

use super::operations::{Named, every, shapes, small_shapes, uniform};
use super::table::Tally;
use tephra_testkit::guarded::Placement;
use tephra_testkit::ops::products::{PRODUCT_FORMS, gemm, gemv, multiplied};
use tephra_testkit::ops::{Output, Trans};
use tephra_testkit::qr::Session;
use tephra_testkit::scalar::Field;
use tephra_testkit::{Matrix, Scalar};

/// All operations.
pub fn all<T: Scalar>() -> [Named; 2] {
    [("gemm", products::<T>), ("gemv", by_vectors::<T>)]
}

/// Products with the first and the second factor transposed.
fn products<T: Scalar>(session: &Session) -> Tally {
    small_shapes(|tally, m, n| {
        let (a, b, c) = (uniform::<T>(m, n), uniform::<T>(m, n), uniform::<T>(n, n));
        let factors = [-1.5, 0.5].map(|x| T::narrow(<T as Scalar>::Wide::real(x)));
        for (trans, k) in [([Trans::C, Trans::N], m), ([Trans::T, Trans::N], m)] {
            let call = |form| gemm(session, form, trans, k, factors, [&a, &b, &c], &Placement::guarded());
            let measure = |o: &Output<T>, i: usize| multiplied(trans, factors, &a[i], &b[i], &c[i], &o.operands[0][i]);
            every(tally, &format!("{n}x{n}x{m} {trans:?}"), &PRODUCT_FORMS, &call, &measure);
        }
        let (trans, c) = ([Trans::N, Trans::C], uniform::<T>(m, m));
        let call = |form| gemm(session, form, trans, n, factors, [&a, &b, &c], &Placement::guarded());
        let measure = |o: &Output<T>, i: usize| multiplied(trans, factors, &a[i], &b[i], &c[i], &o.operands[0][i]);
        every(tally, &format!("{m}x{m}x{n} {trans:?}"), &PRODUCT_FORMS, &call, &measure);
    })
}

/// Products with vectors.
fn by_vectors<T: Scalar>(session: &Session) -> Tally {
    shapes(|tally, m, n| {
        let a = uniform::<T>(m, n);
        let factors = [-1.5, 0.5].map(|x| T::narrow(<T as Scalar>::Wide::real(x)));
        let column = |x: &Matrix<T>| Matrix::from_fn(x.cols(), 1, |i, _| x[(0, i)]);
        for trans in [Trans::N, Trans::C] {
            let (of_x, of_y) = if trans == Trans::N { (n, m) } else { (m, n) };
            let (x, y) = (uniform::<T>(1, of_x), uniform::<T>(1, of_y));
            let call = |form| gemv(session, form, trans, false, factors, [&a, &x, &y], &Placement::guarded());
            let measure = |o: &Output<T>, i: usize| {
                let [x, y, got] = [&x[i], &y[i], &o.operands[0][i]].map(column);
                multiplied([trans, Trans::N], factors, &a[i], &x, &y, &got)
            };
            every(tally, &format!("{m}x{n} {trans:?}"), &PRODUCT_FORMS, &call, &measure);
        }
    })
}
