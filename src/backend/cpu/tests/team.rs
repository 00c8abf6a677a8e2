//! Threads that share one matrix compute the same bits as a single thread.

use super::interleaved::{Kind, Routine, done};
use super::support::*;
use std::ptr::null_mut;
use tephra_cpu::of;
use tephra_cpu::parts::{Choice, Distribution, Execution, Level, choose};
use tephra_routine::scalar::{C32, C64, Real, Scalar};
use tephra_routine::{
    Geqrf, Gesv, Getrf, Getri, Getrs, Inv, Math, Operand, Operation, Posv, Potrf, Potri, Potrs, QPart, Routine as _,
    Shape, Trans, Uplo,
};

fn shared<T: Scalar>() {
    let Some(&level) = levels().last() else { return };
    let (m, n) = (300, 260);
    let distribution = |threads_per_member| Distribution { threads: 1, threads_per_member, grain: 1 };
    let none = Operand::Strided { base: null_mut(), stride: 0 };
    let problem = Geqrf {
        dtype: T::DTYPE,
        m: m as i64,
        n: n as i64,
        a: none,
        lda: m as i64,
        sizes: None,
        tau: none,
        batch: 1,
        info: null_mut(),
        math: Math::Fp32,
    };
    let chosen = choose(&problem).unwrap();
    let a = Dense::<T>::random(m, n, 12);
    let [alone, together] = [1, 3].map(|threads_per_member| {
        let choice = Choice { level, distribution: distribution(threads_per_member), ..chosen };
        factor(std::slice::from_ref(&a), 1, false, &choice).remove(0)
    });
    assert!(alone.a == together.a && alone.tau == together.tau, "geqrf {:?}", T::DTYPE);
    for routine in [
        Routine::Qr { m, n, part: QPart::Full },
        Routine::Orgqr { m, n, k: n },
        Routine::Gels { m, n, nrhs: 40, trans: Trans::N },
        Routine::Gels { m: n, n: m, nrhs: 40, trans: Trans::N },
    ] {
        let [alone, together] = [1, 3].map(|threads_per_member| {
            done::<T>(
                routine,
                &[Kind::Uniform],
                &Execution { level, distribution: distribution(threads_per_member), interleaved: false },
            )
        });
        assert!(alone == together, "{routine:?} {:?}", T::DTYPE);
    }
}

/// What a routine for systems overwrites.
#[derive(Clone)]
struct Systems<T> {
    a: Vec<T>,
    b: Vec<T>,
    ipiv: Vec<i32>,
    info: i32,
}

impl<T: Scalar> Systems<T> {
    fn operands(&mut self) -> [Operand; 3] {
        let operand = |base: *mut std::ffi::c_void| Operand::Strided { base, stride: 0 };
        [self.a.as_mut_ptr().cast(), self.b.as_mut_ptr().cast(), self.ipiv.as_mut_ptr().cast()].map(operand)
    }
}

/// The state after a routine, by one thread and by three.
fn by_teams<T: Scalar>(level: Level, given: &Systems<T>, op: impl Fn(&mut Systems<T>) -> Operation) -> [Systems<T>; 2] {
    [1, 3].map(|threads_per_member| {
        let distribution = Distribution { threads: 1, threads_per_member, grain: 1 };
        let mut state = given.clone();
        let op = op(&mut state);
        unsafe { of(&op).run_with(&Execution { level, distribution, interleaved: false }) }.unwrap();
        state
    })
}

/// Whether all numbers of two results are the same, NaN included.
fn same<T: Scalar>(x: &Systems<T>, y: &Systems<T>) -> bool {
    let bits =
        |all: &[T]| all.iter().map(|x| [x.re().to_f64().to_bits(), x.im().to_f64().to_bits()]).collect::<Vec<_>>();
    (bits(&x.a), bits(&x.b), &x.ipiv, x.info) == (bits(&y.a), bits(&y.b), &y.ipiv, y.info)
}

/// LU and Cholesky of a matrix with n columns, and what is computed from their factors. With `spoiled`, LU meets a
/// column of zeros, and Cholesky a diagonal element below zero.
fn systems<T: Scalar>(level: Level, m: usize, n: usize, nrhs: usize, spoiled: bool) {
    let (mut a, b) = (Dense::<T>::random(m.max(n), n, 3), Dense::<T>::random(n, nrhs.max(n), 4));
    let shape = |rows: usize, columns: usize| Shape {
        dtype: T::DTYPE,
        m: rows as i64,
        n: columns as i64,
        batch: 1,
        math: Math::Fp32,
        extra: Default::default(),
    };
    let (rows, order, sides) = (m as i64, n as i64, nrhs as i64);
    let compare = |what: &str, given: &Systems<T>, op: &dyn Fn(&mut Systems<T>) -> Operation| {
        let [alone, together] = by_teams(level, given, op);
        assert!(
            !same(&alone, given) && same(&alone, &together),
            "{what} {:?} {level:?} {m} {n} {nrhs} {spoiled}",
            T::DTYPE
        );
        alone
    };
    let column = n - n / 3;
    if spoiled {
        (0..a.m).for_each(|i| a.set(i, column, T::zero()));
    }
    let tall = Dense::from_fn(m, n, |i, j| a.at(i, j));
    let start = |a: &Dense<T>| Systems { a: a.x.clone(), b: b.x.clone(), ipiv: vec![0; n], info: -1 };
    for pivoting in [true, false] {
        compare("getrf", &start(&tall), &|s| {
            let ([a, _, ipiv], plain) = (s.operands(), Getrf::of_shape(&shape(m, n)));
            Operation::Getrf(Getrf { a, lda: rows, ipiv, info: &mut s.info, pivoting, ..plain })
        });
    }
    let square = Dense::from_fn(n, n, |i, j| a.at(i, j));
    compare("gesv", &start(&square), &|s| {
        let ([a, b, ipiv], plain) = (s.operands(), Gesv::of_shape(&shape(n, n)));
        Operation::Gesv(Gesv { nrhs: sides, a, lda: order, ipiv, b, ldb: order, info: &mut s.info, ..plain })
    });
    compare("inv", &start(&square), &|s| {
        let ([a, c, _], plain) = (s.operands(), Inv::of_shape(&shape(n, n)));
        Operation::Inv(Inv { a, lda: order, c, ldc: order, info: &mut s.info, ..plain })
    });
    let factored = compare("getrf", &start(&square), &|s| {
        let ([a, _, ipiv], plain) = (s.operands(), Getrf::of_shape(&shape(n, n)));
        Operation::Getrf(Getrf { a, lda: order, ipiv, info: &mut s.info, ..plain })
    });
    let factored = Systems { info: -1, ..factored };
    for trans in [Trans::N, Trans::T, Trans::C] {
        compare("getrs", &factored, &|s| {
            let ([a, b, ipiv], plain) = (s.operands(), Getrs::of_shape(&shape(n, n)));
            Operation::Getrs(Getrs { trans, nrhs: sides, a, lda: order, ipiv, b, ldb: order, ..plain })
        });
    }
    compare("getri", &factored, &|s| {
        let ([a, c, ipiv], plain) = (s.operands(), Getri::of_shape(&shape(n, n)));
        Operation::Getri(Getri { a, lda: order, ipiv, c, ldc: order, info: &mut s.info, ..plain })
    });
    // Diagonally dominant.
    let least = |i: usize| if spoiled && i == column { -1.0 } else { 2.0 * n as f64 };
    let definite = Dense::from_fn(n, n, |i, j| match i == j {
        true => T::real(T::Re::from_f64(least(i))),
        false => a.at(i, j) + a.at(j, i).conj(),
    });
    for uplo in [Uplo::Lower, Uplo::Upper] {
        compare("posv", &start(&definite), &|s| {
            let ([a, b, _], plain) = (s.operands(), Posv::of_shape(&shape(n, n)));
            Operation::Posv(Posv { uplo, nrhs: sides, a, lda: order, b, ldb: order, info: &mut s.info, ..plain })
        });
        let factored = compare("potrf", &start(&definite), &|s| {
            let ([a, ..], plain) = (s.operands(), Potrf::of_shape(&shape(n, n)));
            Operation::Potrf(Potrf { uplo, a, lda: order, info: &mut s.info, ..plain })
        });
        let factored = Systems { info: -1, ..factored };
        compare("potrs", &factored, &|s| {
            let ([a, b, _], plain) = (s.operands(), Potrs::of_shape(&shape(n, n)));
            Operation::Potrs(Potrs { uplo, nrhs: sides, a, lda: order, b, ldb: order, ..plain })
        });
        compare("potri", &factored, &|s| {
            let ([a, ..], plain) = (s.operands(), Potri::of_shape(&shape(n, n)));
            Operation::Potri(Potri { uplo, a, lda: order, info: &mut s.info, ..plain })
        });
    }
}

#[test]
fn a_team_solves_as_one_thread_does() {
    for level in levels() {
        for (m, n, nrhs, spoiled) in [(300, 260, 70, false), (220, 333, 100, false), (257, 257, 81, true)] {
            systems::<f32>(level, m, n, nrhs, spoiled);
            systems::<f64>(level, m, n, nrhs, spoiled);
            systems::<C32>(level, m, n, nrhs, spoiled);
            systems::<C64>(level, m, n, nrhs, spoiled);
        }
    }
}

#[test]
fn a_team_gives_what_one_thread_gives() {
    shared::<f32>();
    shared::<f64>();
    shared::<C32>();
    shared::<C64>();
}
