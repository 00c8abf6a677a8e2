//! Cases small enough to check on paper.

use super::support::*;
use tephra_cpu::parts::Algorithm;
use tephra_routine::scalar::{C64, Scalar};

fn both(a: Dense<f64>, check: impl Fn(&Factored<f64>)) {
    every(a, check);
}

fn every<T: Scalar>(a: Dense<T>, check: impl Fn(&Factored<T>)) {
    for level in levels() {
        for algorithm in [Algorithm::Interleaved, Algorithm::Unblocked, Algorithm::Blocked { nb: 2, inner: 2 }] {
            check(&factor(std::slice::from_ref(&a), 0, false, &forced(algorithm, level))[0]);
        }
    }
}

fn column(x: &[f64]) -> Dense<f64> {
    Dense { m: x.len(), n: 1, x: x.to_vec() }
}

#[test]
fn three_four_five() {
    // beta = -5, tau = (beta - alpha) / beta = 8/5, v = 4 / (3 + 5).
    both(column(&[3.0, 4.0]), |f| {
        assert_eq!((f.a.x.as_slice(), f.tau[0]), ([-5.0, 0.5].as_slice(), 1.6));
    });
    // The sign of beta is opposite to alpha's, negative zero included.
    both(column(&[-3.0, 4.0]), |f| assert_eq!((f.a.x.as_slice(), f.tau[0]), ([5.0, -0.5].as_slice(), 1.6)));
    both(column(&[-0.0, 4.0]), |f| assert_eq!((f.a.x.as_slice(), f.tau[0]), ([4.0, -1.0].as_slice(), 1.0)));
}

#[test]
fn real_one_by_one_and_zero_tails_are_left_alone() {
    both(column(&[7.0]), |f| assert_eq!((f.a.x.as_slice(), f.tau[0]), ([7.0].as_slice(), 0.0)));
    both(column(&[-7.0, 0.0, 0.0]), |f| assert_eq!((f.a.x.as_slice(), f.tau[0]), ([-7.0, 0.0, 0.0].as_slice(), 0.0)));
    both(column(&[0.0, 0.0]), |f| assert_eq!((f.a.x.as_slice(), f.tau[0]), ([0.0, 0.0].as_slice(), 0.0)));
    // An upper triangular matrix is its own R.
    let r = Dense { m: 3, n: 3, x: vec![1.0, 0.0, 0.0, 2.0, -3.0, 0.0, 4.0, 5.0, 6.0] };
    both(r.clone(), |f| assert!(f.a == r && f.tau == [0.0; 3]));
}

#[test]
fn a_complex_one_by_one_is_turned_real() {
    // alpha = 3 + 4i: beta = -5, tau = ((-5 - 3) / -5, -4 / -5).
    let a = Dense { m: 1, n: 1, x: vec![C64 { re: 3.0, im: 4.0 }] };
    every(a, |f| {
        assert_eq!(f.a.x[0], C64 { re: -5.0, im: 0.0 });
        assert_eq!(f.tau[0], C64 { re: 1.6, im: 0.8 });
    });
    // Without an imaginary part, H = I.
    let a = Dense { m: 1, n: 1, x: vec![C64 { re: 3.0, im: 0.0 }] };
    every(a.clone(), |f| assert!(f.a == a && f.tau[0] == C64::zero()));
}

#[test]
fn the_trailing_columns_get_the_adjoint() {
    // H(1)^H maps the first column to (beta, 0); two equal columns must give equal elements in R's first row.
    let x = [C64 { re: 1.0, im: 2.0 }, C64 { re: -0.5, im: 3.0 }, C64 { re: 2.0, im: -1.0 }];
    let a = Dense { m: 3, n: 2, x: [x, x].concat() };
    every(a, |f| {
        assert!(magnitude(f.a.at(0, 1) - f.a.at(0, 0)) < 1e-14);
        assert!(magnitude(f.a.at(1, 1)) < 1e-14);
    });
}

#[test]
fn a_wide_matrix_keeps_its_last_row() {
    // One row, real: no reflector, R is the row itself.
    let a = Dense { m: 1, n: 3, x: vec![1.0, 2.0, 3.0] };
    both(a.clone(), |f| assert!(f.a == a && f.tau == [0.0]));
}
