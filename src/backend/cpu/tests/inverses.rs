//! Inverses of nearly singular matrices.

use super::interleaved::execution;
use super::support::*;
use std::ptr::null_mut;
use tephra_routine::scalar::{C32, C64, Real, Scalar};
use tephra_routine::{Inv, Operand, Operation, Workspace};

/// Hilbert's matrix, and as much of the identity as leaves it a condition number of about a tenth of 1 / eps.
fn nearly_singular<T: Scalar>(n: usize) -> Dense<T> {
    let shift = 30.0 * T::Re::EPSILON.to_f64();
    Dense::from_fn(n, n, |i, j| T::real(T::Re::from_f64(1.0 / (i + j + 1) as f64 + if i == j { shift } else { 0.0 })))
}

/// ||I - A B||_1 / (n ||A||_1 ||B||_1 eps).
fn ratio<T: Scalar>(a: &Dense<T>, b: &Dense<T>) -> f64 {
    let n = a.n;
    let residual = Dense::from_fn(n, n, |i, j| {
        let own = if i == j { T::one() } else { T::zero() };
        (0..n).fold(own, |sum, l| sum - a.at(i, l) * b.at(l, j))
    });
    residual.norm_one() / (n as f64 * a.norm_one() * b.norm_one() * T::Re::EPSILON.to_f64())
}

/// C A is near the identity, as with LAPACK's getri, whose test measures that product. A C is not: in double precision
/// the other ratio is far above LAPACK's threshold.
fn inverted<T: Scalar>() {
    const BATCH: usize = 9;
    for n in [4, 16, 33, 70] {
        let a = nearly_singular::<T>(n);
        for level in levels() {
            for interleaved in [false, true] {
                let (mut members, mut inverses) = (a.x.repeat(BATCH), vec![T::zero(); n * n * BATCH]);
                let of = |x: &mut [T]| Operand::Strided { base: x.as_mut_ptr().cast(), stride: (n * n) as i64 };
                let (order, batch) = (n as i64, BATCH as i64);
                let (a_p, c_p) = (of(&mut members), of(&mut inverses));
                let work = Workspace::NONE;
                let inv = Inv {
                    dtype: T::DTYPE,
                    n: order,
                    a: a_p,
                    lda: order,
                    c: c_p,
                    ldc: order,
                    info: null_mut(),
                    batch,
                    work,
                };
                unsafe { run_with(Operation::Inv(inv), &execution(level, interleaved)) }.unwrap();
                for member in inverses.chunks(n * n) {
                    let c = Dense { m: n, n, x: member.to_vec() };
                    let (left, what) = (ratio(&c, &a), format!("{:?} {n} {level:?} {interleaved}", T::DTYPE));
                    assert!(left < 30.0, "{what}: {left}");
                }
            }
        }
    }
}

#[test]
fn the_product_with_the_matrix_on_the_right_is_near_the_identity() {
    inverted::<f32>();
    inverted::<f64>();
    inverted::<C32>();
    inverted::<C64>();
}
