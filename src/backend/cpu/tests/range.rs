//! Overflow and underflow: scaling a column by a power of two scales R's column and changes nothing else.

use super::interleaved::{Batch, execution};
use super::support::*;
use std::ffi::c_void;
use std::ptr::null_mut;
use tephra_cpu::of;
use tephra_cpu::parts::Algorithm;
use tephra_routine::scalar::{C32, C64, Real, Scalar};
use tephra_routine::{Alpha, Diag, Gesv, Inv, Operand, Operation, Side, Trans, Trsm, Trtri, Uplo, Workspace};

const ALGORITHMS: [Algorithm; 3] =
    [Algorithm::Interleaved, Algorithm::Unblocked, Algorithm::Blocked { nb: 4, inner: 3 }];

/// Scales the whole matrix by 2^e, which must not change V and tau as long as nothing becomes subnormal.
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
                    // Column 3 consists of subnormal numbers, which have fewer significant digits.
                    let tolerance = if j == 3 { 1e-6 } else { 1e-12 };
                    assert!((x - y).abs() < tolerance, "R({i}, {j}): {x} {y} {algorithm:?} {level:?}");
                }
                let tolerance = if j == 3 { 1e-6 } else { 1e-12 };
                assert!((f.tau[j] - g.tau[j]).abs() < tolerance, "tau {j} {algorithm:?} {level:?}");
            }
        }
    }
}

/// x is so small relative to alpha that its squares underflow. The result must still be a reflector, as in LAPACK, not
/// H = I.
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
    // 3, 4 and 5 in units of the smallest number: beta is exact, v and tau are those of 3 and 4.
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

/// Triangles and right-hand sides of integers times 2^e, whose solutions are integers of ordinary magnitude although
/// the reciprocals of the diagonal are out of range. Every second member is an ordinary one.
fn triangles_near_the_ends<T: Scalar>(exponents: [i32; 3]) {
    const RHS: usize = 300;
    let integer = |seed: usize, most: usize| {
        let part = |x: usize| T::Re::from_f64((x % most) as f64 - (most / 2) as f64);
        if T::COMPLEX { T::new(part(seed * 7 + 1), part(seed * 13 / 5)) } else { T::real(part(seed * 11 / 3)) }
    };
    for (level, n, interleaved) in
        levels().into_iter().flat_map(|l| [1, 5, 11].into_iter().flat_map(move |n| [(l, n, true), (l, n, false)]))
    {
        let power = |b: usize| if b.is_multiple_of(2) { 0 } else { exponents[b / 2 % 3] };
        let times = |x: T, e: i32| T::new(x.re().scale_by_power(e), x.im().scale_by_power(e));
        let diagonal = T::new(T::Re::from_f64(8.0), T::Re::from_f64(if T::COMPLEX { 4.0 } else { 0.0 }));
        let lower = |b: usize| {
            Dense::from_fn(n, n, |i, j| match i.cmp(&j) {
                std::cmp::Ordering::Equal => diagonal,
                std::cmp::Ordering::Greater => integer(i + 5 * j + b, 3),
                std::cmp::Ordering::Less => T::zero(),
            })
        };
        let known = |b: usize| Dense::from_fn(n, RHS, |i, j| integer(i * 3 + j * 5 + b, 9));
        let side = |b: usize| {
            let (l, x) = (lower(b), known(b));
            let sum = |i: usize, j: usize| (0..=i).fold(T::zero(), |s, k| s + l.at(i, k) * x.at(k, j));
            Dense::from_fn(n, RHS, |i, j| times(sum(i, j), power(b)))
        };
        let scaled = |b: usize| {
            let l = lower(b);
            Dense::from_fn(n, n, |i, j| times(l.at(i, j), power(b)))
        };
        let members = 0..19;
        let mut a = Batch::new(&members.clone().map(scaled).collect::<Vec<_>>(), 1);
        let mut b = Batch::new(&members.clone().map(side).collect::<Vec<_>>(), 0);
        let p = Trsm {
            dtype: T::DTYPE,
            side: Side::Left,
            uplo: Uplo::Lower,
            trans: Trans::N,
            diag: Diag::NonUnit,
            m: n as i64,
            n: RHS as i64,
            alpha: Alpha::Host(C64 { re: 1.0, im: 0.0 }),
            a: a.operand(),
            lda: n as i64 + 1,
            b: b.operand(),
            ldb: n as i64,
            sizes: None,
            batch: members.len() as i64,
        };
        unsafe { run_with(Operation::Trsm(p), &execution(level, interleaved)) }.unwrap();
        for i in members {
            let (x, exact) = (b.member(i), known(i));
            let error = Dense::from_fn(n, RHS, |r, c| x.at(r, c) - exact.at(r, c)).norm_one();
            let bound = 50.0 * T::Re::EPSILON.to_f64() * n as f64 * exact.norm_one();
            assert!(error <= bound, "{:?} {level:?} {n} {interleaved} member {i}: {error:e} > {bound:e}", T::DTYPE);
        }
    }
}

#[test]
fn triangles_with_subnormal_and_huge_diagonals() {
    triangles_near_the_ends::<f32>([-140, -129, 112]);
    triangles_near_the_ends::<C32>([-140, -129, 112]);
    triangles_near_the_ends::<f64>([-1065, -1025, 1008]);
    triangles_near_the_ends::<C64>([-1065, -1025, 1008]);
}

/// A pivot so small that its reciprocal is one of the largest numbers, in the triangle (1, 1/2; 0, p): the second column
/// of the inverse is (-1/2p, 1/p), which is also the solution for the right-hand side (0, 1).
fn largest_reciprocal<T: Scalar>(most: f64) {
    let imaginary = T::new(T::Re::from_f64(0.0), T::Re::from_f64(1.0));
    for part in [T::real(T::Re::from_f64(1.0)), imaginary].into_iter().take(if T::COMPLEX { 2 } else { 1 }) {
        let largest = if T::COMPLEX { 0.7 * most } else { 0.9 * most };
        let p = part * T::real(T::Re::from_f64(1.0 / largest));
        let one = |x: f64| T::real(T::Re::from_f64(x));
        for batch in [1, 40] {
            let triangle = [one(1.0), one(0.0), one(0.5), p];
            let all = || triangle.repeat(batch);
            let (mut inverse, mut factors, mut source, mut c) = (all(), all(), all(), all());
            let (mut x, mut ipiv) = ([one(0.0), one(1.0)].repeat(batch), vec![0i32; 2 * batch]);
            fn strided<X>(x: &mut [X], stride: i64) -> Operand {
                Operand::Strided { base: x.as_mut_ptr().cast::<c_void>(), stride }
            }
            let (dtype, n, count, info, work) = (T::DTYPE, 2, batch as i64, null_mut(), Workspace::NONE);
            let (a, b, pivots) = (strided(&mut factors, 4), strided(&mut x, 2), strided(&mut ipiv, 2));
            let (from, to) = (strided(&mut source, 4), strided(&mut c, 4));
            let (uplo, diag) = (Uplo::Upper, Diag::NonUnit);
            let of_triangle = Trtri { dtype, uplo, diag, n, a: strided(&mut inverse, 4), lda: 2, info, batch: count };
            let system =
                Gesv { dtype, n, nrhs: 1, a, lda: 2, ipiv: pivots, b, ldb: 2, sizes: None, info, batch: count, work };
            let whole = Inv { dtype, n, a: from, lda: 2, c: to, ldc: 2, info, batch: count, work };
            for op in [Operation::Trtri(of_triangle), Operation::Gesv(system), Operation::Inv(whole)] {
                // SAFETY: the operands are the arrays above.
                unsafe { of(&op).run() }.unwrap();
            }
            let reciprocal = part.conj() * T::real(T::Re::from_f64(largest));
            let wanted = [reciprocal * one(-0.5), reciprocal];
            let solutions = [&inverse[2..4], &x[..2], &c[2..4]];
            for (found, name) in solutions.into_iter().zip(["trtri", "gesv", "inv"]) {
                for (found, wanted) in found.iter().zip(&wanted) {
                    let parts = [(found.re(), wanted.re()), (found.im(), wanted.im())];
                    for (found, wanted) in parts.map(|(x, y)| (x.to_f64(), y.to_f64())) {
                        // The reciprocal of a subnormal number has fewer digits.
                        assert!((found - wanted).abs() <= 1e-6 * largest, "{name} {:?}: {found} {wanted}", T::DTYPE);
                    }
                }
            }
        }
    }
}

#[test]
fn reciprocals_may_be_the_largest_numbers() {
    largest_reciprocal::<f32>(f32::MAX.into());
    largest_reciprocal::<f64>(f64::MAX);
    largest_reciprocal::<C32>(f32::MAX.into());
    largest_reciprocal::<C64>(f64::MAX);
}
