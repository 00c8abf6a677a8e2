//! Overflow and underflow: scaling a column by a power of two scales R's column and changes nothing else.

use super::super::choice::Algorithm;
use super::support::*;
use crate::scalar::{C32, C64, Real, Scalar};

const ALGORITHMS: [Algorithm; 3] =
    [Algorithm::Interleaved, Algorithm::Unblocked, Algorithm::Blocked { nb: 4, inner: 3 }];

/// The whole matrix times 2^e, which must not change V and tau while nothing becomes subnormal.
fn scaled<T: Scalar>(e: i32, ulps: f64) {
    let a = Dense::<T>::random(13, 6, 77);
    let scale = |x: T| T::new(x.re().scale_by_power(e), x.im().scale_by_power(e));
    let b = Dense::from_fn(a.m, a.n, |i, j| scale(a.at(i, j)));
    for level in levels() {
        for algorithm in ALGORITHMS {
            let choice = forced(algorithm, level);
            let f = &factor(std::slice::from_ref(&a), 0, false, &choice)[0];
            let g = &factor(std::slice::from_ref(&b), 0, false, &choice)[0];
            let back = |i: usize, j: usize| {
                let x = g.a.at(i, j);
                if i <= j { T::new(x.re().scale_by_power(-e), x.im().scale_by_power(-e)) } else { x }
            };
            let g = Factored { a: Dense::from_fn(a.m, a.n, back), tau: g.tau.clone() };
            let d = difference(&a, f, &g) / T::Re::EPSILON.to_f64();
            assert!(d < ulps, "{:?} 2^{e} {algorithm:?} {level:?}: {d} eps", T::DTYPE);
        }
    }
}

#[test]
fn huge_and_tiny_matrices() {
    for e in [-1000, -900, -500, 500, 1015] {
        scaled::<f64>(e, 100.0);
        scaled::<C64>(e, 100.0);
    }
    for e in [-110, -100, -60, 60, 120] {
        scaled::<f32>(e, 100.0);
        scaled::<C32>(e, 100.0);
    }
}

#[test]
fn columns_of_very_different_scale() {
    let a = Dense::<f64>::random(20, 5, 8);
    let scales = [1e-300, 1.0, 1e300, 1e-308, 1e150];
    let b = Dense::from_fn(20, 5, |i, j| a.at(i, j) * scales[j]);
    for level in levels() {
        for algorithm in ALGORITHMS {
            let choice = forced(algorithm, level);
            let f = &factor(std::slice::from_ref(&a), 0, false, &choice)[0];
            let g = &factor(std::slice::from_ref(&b), 0, false, &choice)[0];
            for (j, scale) in scales.iter().enumerate() {
                for i in 0..=j {
                    let (x, y) = (f.a.at(i, j), g.a.at(i, j) / scale);
                    // Column 3 is made of subnormal numbers with about 1 % of a unit in R.
                    let tolerance = if j == 3 { 1e-6 } else { 1e-12 };
                    assert!((x - y).abs() < tolerance, "R({i}, {j}): {x} {y} {algorithm:?} {level:?}");
                }
                let tolerance = if j == 3 { 1e-6 } else { 1e-12 };
                assert!((f.tau[j] - g.tau[j]).abs() < tolerance, "tau {j} {algorithm:?} {level:?}");
            }
        }
    }
}

/// x so small beside alpha that its squares vanish: still a reflector, as LAPACK has it, not H = I.
fn vanishing_tail<T: Scalar>(x: T::Re) {
    let a = Dense { m: 3, n: 1, x: vec![T::one(), T::real(x), T::zero()] };
    for level in levels() {
        for algorithm in ALGORITHMS {
            let f = &factor(std::slice::from_ref(&a), 0, false, &forced(algorithm, level))[0];
            let half = T::real(x.scale_by_power(-1));
            assert_eq!(f.a.x, [-T::one(), half, T::zero()]);
            assert_eq!(f.tau[0], T::one() + T::one());
        }
    }
}

#[test]
fn a_tail_whose_squares_vanish_still_reflects() {
    vanishing_tail::<f64>(1e-200);
    vanishing_tail::<C64>(1e-200);
    vanishing_tail::<f32>(1e-30);
    vanishing_tail::<C32>(1e-30);
}

#[test]
fn subnormal_columns() {
    // 3, 4, 5 in units of the smallest number: beta is exact, v and tau as for 3, 4.
    let unit = f64::from_bits(1);
    let a = Dense { m: 2, n: 1, x: vec![3.0 * unit, 4.0 * unit] };
    let unit = f32::from_bits(1);
    let b = Dense { m: 2, n: 1, x: vec![3.0 * unit, 4.0 * unit] };
    for level in levels() {
        let choice = forced(Algorithm::Unblocked, level);
        let f = &factor(std::slice::from_ref(&a), 0, false, &choice)[0];
        assert_eq!((f.a.x[0], f.a.x[1], f.tau[0]), (-5.0 * f64::from_bits(1), 0.5, 1.6));
        let f = &factor(std::slice::from_ref(&b), 0, false, &choice)[0];
        assert_eq!((f.a.x[0], f.a.x[1], f.tau[0]), (-5.0 * unit, 0.5, 1.6));
    }
}

#[test]
fn the_largest_numbers() {
    let a = Dense { m: 2, n: 1, x: vec![f64::MAX / 2.0, -f64::MAX / 2.0] };
    for level in levels() {
        let f = &factor(std::slice::from_ref(&a), 0, false, &forced(Algorithm::Unblocked, level))[0];
        assert!((f.a.x[0] / f64::MAX + std::f64::consts::FRAC_1_SQRT_2).abs() < 1e-15);
        assert!((f.a.x[1] + 1.0 / (1.0 + std::f64::consts::SQRT_2)).abs() < 1e-15);
    }
}
