//! R and T extracted from a factorisation: H(1) ... H(k) = I - V T V^H.

use super::support::*;
use tephra_cpu::{parts::Algorithm, runtime};
use tephra_routine::scalar::{C32, C64, Real, Scalar};
use tephra_routine::{ExtractPart, Geqrf, GeqrfExtract, Math, Operand, Stream};

fn strided<T>(x: &mut [T], stride: usize) -> Operand {
    Operand::Strided { base: x.as_mut_ptr().cast(), stride: stride as i64 }
}

fn extracted<T: Scalar>(m: usize, n: usize, nb: usize, part: ExtractPart, explicit_v: bool) {
    let k = m.min(n);
    let a = [Dense::<T>::random(m, n, 4), Dense::<T>::random(m, n, 5)];
    let f = factor(&a, 0, true, &forced(Algorithm::Unblocked, levels()[0]));
    let mut qr = [f[0].a.x.clone(), f[1].a.x.clone()].concat();
    let mut tau = [f[0].tau.clone(), f[1].tau.clone()].concat();
    let r_rows = if part == ExtractPart::Full { k } else { nb.min(k) };
    let (ldr, ldt) = (r_rows + 1, nb.min(k) + 2);
    let untouched = T::real(T::Re::from_f64(99.0));
    let (mut r, mut t) = (vec![untouched; 2 * ldr * n], vec![untouched; 2 * ldt * n]);
    let p = GeqrfExtract {
        qr: Geqrf {
            dtype: T::DTYPE,
            m: m as i64,
            n: n as i64,
            a: strided(&mut qr, m * n),
            lda: m as i64,
            sizes: None,
            tau: strided(&mut tau, k),
            batch: 2,
            info: std::ptr::null_mut(),
            math: Math::Fp32,
        },
        nb: nb as i64,
        r: strided(&mut r, ldr * n),
        ldr: ldr as i64,
        t: strided(&mut t, ldt * n),
        ldt: ldt as i64,
        part,
        explicit_v,
    };
    unsafe { runtime().geqrf_extract(&p, Stream(std::ptr::null_mut())) }.unwrap();
    for (b, f) in f.iter().enumerate() {
        let r = |i: usize, j: usize| r[(b * n + j) * ldr + i];
        let t = |i: usize, j: usize| t[(b * n + j) * ldt + i];
        for (at, &x) in qr[b * m * n..(b + 1) * m * n].iter().enumerate() {
            let (i, j) = (at % m, at / m);
            let in_block = explicit_v && j < k && i <= j && i / nb == j / nb;
            let unit = if i == j { T::one() } else { T::zero() };
            assert_eq!(x, if in_block { unit } else { f.a.at(i, j) }, "A({i}, {j})");
        }
        for j in 0..if part == ExtractPart::Full { n } else { k } {
            let top = if part == ExtractPart::Full { 0 } else { j / nb * nb };
            for i in 0..r_rows {
                let expected = if top + i <= j { f.a.at(top + i, j) } else { T::zero() };
                assert_eq!(r(i, j), expected, "R({i}, {j})");
            }
            assert_eq!(r(r_rows, j), untouched);
        }
        for c0 in (0..k).step_by(nb) {
            let kb = nb.min(k - c0);
            for j in 0..kb {
                assert_eq!(t(nb.min(k), c0 + j), untouched);
                assert!((j + 1..nb.min(k)).all(|i| t(i, c0 + j) == T::zero()), "T is upper triangular");
            }
            let v = |i: usize, j: usize| match i.cmp(&(c0 + j)) {
                std::cmp::Ordering::Less => T::zero(),
                std::cmp::Ordering::Equal => T::one(),
                std::cmp::Ordering::Greater => f.a.at(i, c0 + j),
            };
            // Compare the product of the reflectors, formed one by one, with I - V T V^H.
            let mut h = Dense::from_fn(m, m, |i, j| if i == j { T::one() } else { T::zero() });
            for j in 0..kb {
                let w: Vec<T> = (0..m).map(|i| (0..m).fold(T::zero(), |s, l| s + h.at(i, l) * v(l, j))).collect();
                h = Dense::from_fn(m, m, |i, l| h.at(i, l) - w[i] * f.tau[c0 + j] * v(l, j).conj());
            }
            for i in 0..m {
                for l in 0..m {
                    let mut x = if i == l { T::one() } else { T::zero() };
                    for p in 0..kb {
                        for q in p..kb {
                            x -= v(i, p) * t(p, c0 + q) * v(l, q).conj();
                        }
                    }
                    let d = magnitude(x - h.at(i, l)) / T::Re::EPSILON.to_f64();
                    assert!(d < 50.0, "{:?} {m} x {n} nb {nb} panel {c0}: ({i}, {l}) {d} eps", T::DTYPE);
                }
            }
        }
    }
}

fn shapes<T: Scalar>() {
    for part in [ExtractPart::Full, ExtractPart::DiagonalBlocks] {
        for (m, n, nb) in [(1, 1, 1), (7, 5, 2), (5, 7, 3), (9, 9, 4), (6, 6, 6), (6, 4, 32)] {
            extracted::<T>(m, n, nb, part, false);
            extracted::<T>(m, n, nb, part, true);
        }
    }
}

#[test]
fn r_and_t_in_all_precisions() {
    shapes::<f32>();
    shapes::<f64>();
    shapes::<C32>();
    shapes::<C64>();
}
