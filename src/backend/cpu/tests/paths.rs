//! Every algorithm on every instruction set and element type, on small shapes, against the naive reference.

use super::support::*;
use tephra_cpu::parts::Algorithm;
use tephra_routine::scalar::{C32, C64, Real, Scalar};

const ALGORITHMS: [Algorithm; 4] = [
    Algorithm::Unblocked,
    Algorithm::Blocked { nb: 1, inner: 1 },
    Algorithm::Blocked { nb: 5, inner: 5 },
    Algorithm::Blocked { nb: 16, inner: 4 },
];

fn shapes<T: Scalar>() {
    let sizes = [
        (1, 1),
        (2, 1),
        (1, 3),
        (3, 3),
        (5, 4),
        (4, 7),
        (8, 8),
        (9, 8),
        (16, 16),
        (17, 15),
        (33, 20),
        (20, 50),
        (65, 33),
    ];
    for (m, n) in sizes {
        let members: Vec<Dense<T>> = (0..5).map(|b| Dense::random(m, n, 1000 * m as u64 + n as u64 + b)).collect();
        let expected: Vec<Factored<T>> = members.iter().map(naive).collect();
        for level in levels() {
            for algorithm in ALGORITHMS {
                let case = format!("{:?} {m} x {n} {algorithm:?} {level:?}", T::DTYPE);
                let pad = (m + n) % 3;
                let by_pointer = factor(&members, pad, false, &forced(algorithm, level));
                let strided = factor(&members, 0, true, &forced(algorithm, level));
                for (b, a) in members.iter().enumerate() {
                    let f = &by_pointer[b];
                    assert!(f.a == strided[b].a && f.tau == strided[b].tau, "{case}: layouts differ");
                    let (residual, orthogonality) = ratios(a, f);
                    assert!(residual < 10.0 && orthogonality < 10.0, "{case}: {residual} {orthogonality}");
                    let d = difference(a, f, &expected[b]) / T::Re::EPSILON.to_f64();
                    assert!(d < 1000.0, "{case}: {d} eps from the reference");
                }
            }
        }
    }
}

#[test]
fn shapes_s() {
    shapes::<f32>();
}
#[test]
fn shapes_d() {
    shapes::<f64>();
}
#[test]
fn shapes_c() {
    shapes::<C32>();
}
#[test]
fn shapes_z() {
    shapes::<C64>();
}

fn diagonal_of_r_is_real<T: Scalar>() {
    let a = Dense::<T>::random(9, 9, 5);
    for level in levels() {
        for algorithm in ALGORITHMS {
            let f = &factor(std::slice::from_ref(&a), 0, false, &forced(algorithm, level))[0];
            assert!((0..9).all(|i| f.a.at(i, i).im() == T::Re::zero()), "{algorithm:?} {level:?}");
            // The last reflector of a square complex matrix turns its one element real.
            assert!(magnitude(f.tau[8]) > 0.0);
        }
    }
}

#[test]
fn the_diagonal_of_r_is_real() {
    diagonal_of_r_is_real::<C32>();
    diagonal_of_r_is_real::<C64>();
}

#[test]
fn a_member_does_not_depend_on_its_neighbours() {
    let good = Dense::<f64>::random(12, 10, 3);
    let mut nan = good.clone();
    nan.set(4, 2, f64::NAN);
    let mut inf = good.clone();
    inf.set(0, 0, f64::INFINITY);
    for level in levels() {
        for algorithm in ALGORITHMS {
            let choice = forced(algorithm, level);
            let alone = &factor(std::slice::from_ref(&good), 0, false, &choice)[0];
            let batch = [good.clone(), nan.clone(), good.clone(), inf.clone(), good.clone()];
            let all = factor(&batch, 1, true, &choice);
            for b in [0, 2, 4] {
                assert!(all[b].a == alone.a && all[b].tau == alone.tau, "{algorithm:?} {level:?}");
            }
            assert!(all[1].tau[2].is_nan() && all[1].a.at(2, 2).is_nan());
            assert!(all[3].tau[0].is_nan());
        }
    }
}
