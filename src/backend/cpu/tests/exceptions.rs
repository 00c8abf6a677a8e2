//! Programs may trap invalid operations and divisions by zero. Ordinary matrices, including ones with zero columns,
//! must raise neither, interleaved or not, on every instruction set.

use super::interleaved::{Batch, Kind, done, execution, routines};
use super::support::*;
use std::ffi::c_int;
use std::ptr::null_mut;
use tephra_cpu::of;
use tephra_cpu::parts::{self, Algorithm, Choice, Distribution, Level};
use tephra_routine::scalar::{C32, C64, Real, Scalar};
use tephra_routine::{
    Geqrf, Gesv, Getrf, Getri, Getrs, Inv, Larfb, Larft, Math, Operand, Operation, Ormqr, Posv, Potrf, Potri, Potrs,
    Side, Trans, Uplo, Workspace,
};

unsafe extern "C" {
    fn feclearexcept(which: c_int) -> c_int;
    fn fetestexcept(which: c_int) -> c_int;
}

// C's FE_INVALID and FE_DIVBYZERO.
#[cfg(target_arch = "x86_64")]
const TRAPPED: c_int = 1 | 4;
#[cfg(not(target_arch = "x86_64"))]
const TRAPPED: c_int = 1 | 2;

/// Runs `f`, which must not raise an exception that programs trap.
#[track_caller]
pub fn quietly(what: &str, f: impl FnOnce()) {
    unsafe { feclearexcept(TRAPPED) };
    f();
    let raised = unsafe { fetestexcept(TRAPPED) };
    assert_eq!(raised, 0, "{what}: floating-point exceptions {raised:#x}");
}

fn routines_are_quiet<T: Scalar>() {
    for level in levels() {
        for routine in routines() {
            for kind in Kind::TAME {
                for interleaved in [true, false] {
                    let (kinds, execution) = ([kind, Kind::Uniform, kind], execution(level, interleaved));
                    quietly(&format!("{routine:?} {:?} {kind:?} {execution:?}", T::DTYPE), || {
                        done::<T>(routine, &kinds, &execution);
                    });
                }
            }
        }
    }
}

#[test]
fn routines_raise_nothing() {
    routines_are_quiet::<f32>();
    routines_are_quiet::<f64>();
    routines_are_quiet::<C32>();
    routines_are_quiet::<C64>();
}

fn every_algorithm_is_quiet<T: Scalar>() {
    let algorithms = [
        Algorithm::Interleaved,
        Algorithm::Unblocked,
        Algorithm::Blocked { nb: 8, inner: 8 },
        Algorithm::Blocked { nb: 5, inner: 2 },
    ];
    for level in levels() {
        for algorithm in algorithms {
            for (m, n) in [(1, 1), (2, 2), (7, 7), (16, 16), (30, 21), (21, 30), (40, 40)] {
                for kind in Kind::TAME {
                    let choice = Choice {
                        algorithm,
                        level,
                        distribution: Distribution { threads: 1, threads_per_member: 1, grain: 8 },
                    };
                    let members = [kind.matrix::<T>(m, n, 1), Kind::Uniform.matrix(m, n, 2), kind.matrix(m, n, 3)];
                    quietly(&format!("{m} x {n} {:?} {kind:?} {choice:?}", T::DTYPE), || {
                        factor(&members, 0, false, &choice);
                    });
                }
            }
        }
    }
}

#[test]
fn qr_raises_nothing() {
    every_algorithm_is_quiet::<f32>();
    every_algorithm_is_quiet::<f64>();
    every_algorithm_is_quiet::<C32>();
    every_algorithm_is_quiet::<C64>();
}

/// Applying Q, and forming and applying T, through the public entry on the calling thread.
fn q_is_quiet<T: Scalar>() {
    for (order, k, other) in [(6, 6, 3), (33, 20, 7), (140, 40, 5)] {
        for kind in Kind::TAME {
            let mut a = Batch::new(&[kind.matrix::<T>(order, k, 5)], 0);
            let mut tau = Batch::new(&[Dense::<T>::random(k, 1, 6)], 0);
            let mut t = Batch::new(&[Dense::<T>::random(k, k, 6)], 0);
            let mut c = Batch::new(&[Dense::<T>::random(order, other, 7)], 0);
            let (dtype, ld, k, m, n) = (T::DTYPE, order as i64, k as i64, order as i64, other as i64);
            let (a_p, tau_p, t_p, c_p) = (a.operand(), tau.operand(), t.operand(), c.operand());
            let qr = Geqrf {
                dtype,
                m,
                n: k,
                a: a_p,
                lda: ld,
                sizes: None,
                tau: tau_p,
                batch: 1,
                info: null_mut(),
                math: Math::Fp32,
            };
            let (side, trans) = (Side::Left, Trans::C);
            let ops = [
                Operation::Geqrf(qr),
                Operation::Ormqr(Ormqr {
                    dtype,
                    side,
                    trans,
                    m,
                    n,
                    k,
                    a: a_p,
                    lda: ld,
                    tau: tau_p,
                    c: c_p,
                    ldc: ld,
                    batch: 1,
                    sizes: None,
                }),
                Operation::Larft(Larft { dtype, m, k, v: a_p, ldv: ld, tau: tau_p, t: t_p, ldt: k, batch: 1 }),
                Operation::Larfb(Larfb {
                    dtype,
                    side,
                    trans,
                    m,
                    n,
                    k,
                    v: a_p,
                    ldv: ld,
                    t: t_p,
                    ldt: k,
                    c: c_p,
                    ldc: ld,
                    batch: 1,
                }),
            ];
            for op in ops {
                quietly(&format!("{} {order} {kind:?} {dtype:?}", op.name()), || {
                    unsafe { of(&op).run() }.unwrap();
                });
            }
        }
    }
}

#[test]
fn applying_q_raises_nothing() {
    q_is_quiet::<f32>();
    q_is_quiet::<f64>();
    q_is_quiet::<C32>();
    q_is_quiet::<C64>();
}

/// Factorisations and solves, one member at a time.
fn lu_is_quiet<T: Scalar>(level: Level, n: usize, kind: Kind) {
    let members = [kind.matrix::<T>(n, n, 1), Kind::Uniform.matrix(n, n, 2), kind.matrix(n, n, 3)];
    let (mut a, mut b) =
        (Batch::new(&members, 1), Batch::new(&members.each_ref().map(|_| Dense::<T>::random(n, 2, 4)), 0));
    let (mut ipiv, mut c) = (vec![0i32; 3 * n], Batch::new(&members, 0));
    let ipiv = Operand::Strided { base: ipiv.as_mut_ptr().cast(), stride: n as i64 };
    let (dtype, order, lda, work, info) = (T::DTYPE, n as i64, n as i64 + 1, Workspace::NONE, null_mut());
    let (a_p, b_p, c_p, execution) = (a.operand(), b.operand(), c.operand(), execution(level, false));
    let inv = Inv { dtype, n: order, a: a_p, lda, c: c_p, ldc: order, info, batch: 3, work };
    let gesv =
        Gesv { dtype, n: order, nrhs: 2, a: a_p, lda, ipiv, b: b_p, ldb: order, sizes: None, info, batch: 3, work };
    let getri = Getri { dtype, n: order, a: a_p, lda, ipiv, c: c_p, ldc: order, sizes: None, info, batch: 3, work };
    quietly(&format!("{n} {dtype:?} {kind:?} {execution:?}"), || {
        unsafe { run_with(Operation::Inv(inv), &execution) }.unwrap();
        unsafe { run_with(Operation::Gesv(gesv), &execution) }.unwrap();
        unsafe { run_with(Operation::Getri(getri), &execution) }.unwrap();
    });
    // Without pivoting numbers may grow without bound, but not within a few columns.
    c = Batch::new(&members, 0);
    let without = Getrf { pivoting: false, n: order.min(5), a: c.operand(), lda: order, ..gesv.factorisation() };
    quietly(&format!("{n} {dtype:?} {kind:?} {execution:?}, without pivots"), || {
        unsafe { run_with(Operation::Getrf(without), &execution) }.unwrap();
    });
}

#[test]
fn lu_raises_nothing() {
    for level in levels() {
        for n in [1, 2, 5, 16, 33, 40] {
            for kind in Kind::TAME {
                lu_is_quiet::<f32>(level, n, kind);
                lu_is_quiet::<f64>(level, n, kind);
                lu_is_quiet::<C32>(level, n, kind);
                lu_is_quiet::<C64>(level, n, kind);
            }
        }
    }
}

/// Systems with pivots whose reciprocals are out of range. They are solved one by one, while something else takes their
/// place in the lanes. The last group is not full.
fn systems_of_the_largest_are_quiet<T: Scalar>(level: Level, n: usize, interleaved: bool) {
    let most = T::Re::from_f64(2f64.powi(if T::Re::EPSILON.to_f64() > 1e-10 { 126 } else { 1022 }));
    let member = |seed| {
        let x = Dense::<T>::random(n, n, seed);
        let by = T::Re::from_f64(0.5 / n as f64);
        let mixed = |i: usize, j: usize| if i == j { T::one() } else { x.at(i, j).scaled(by) };
        Dense::from_fn(n, n, |i, j| if seed % 3 == 0 { mixed(i, j).scaled(most) } else { mixed(i, j) })
    };
    let members: Vec<Dense<T>> = (0..21).map(member).collect();
    let sides: Vec<Dense<T>> = (0..21).map(|seed| Dense::random(n, 3, seed)).collect();
    let (mut a, mut b, mut c) = (Batch::new(&members, 1), Batch::new(&sides, 0), Batch::new(&sides, 0));
    let mut ipiv = vec![0i32; 21 * n];
    let ipiv = Operand::Strided { base: ipiv.as_mut_ptr().cast(), stride: n as i64 };
    let (dtype, order, lda, work, info, batch) = (T::DTYPE, n as i64, n as i64 + 1, Workspace::NONE, null_mut(), 21);
    let (a, b, c, execution) = (a.operand(), b.operand(), c.operand(), execution(level, interleaved));
    let gesv = Gesv { dtype, n: order, nrhs: 3, a, lda, ipiv, b, ldb: order, sizes: None, info, batch, work };
    let trans = Trans::N;
    let (sizes, untold) = (None, std::ptr::null_mut());
    let getrs =
        Getrs { dtype, trans, n: order, nrhs: 3, a, lda, ipiv, b: c, ldb: order, sizes, info: untold, batch, work };
    quietly(&format!("{n} {dtype:?} {execution:?}"), || {
        unsafe { run_with(Operation::Gesv(gesv), &execution) }.unwrap();
        unsafe { run_with(Operation::Getrs(getrs), &execution) }.unwrap();
    });
}

#[test]
fn systems_of_the_largest_numbers_raise_nothing() {
    for level in levels() {
        for n in [1, 2, 5, 16, 33] {
            for interleaved in [true, false] {
                systems_of_the_largest_are_quiet::<f32>(level, n, interleaved);
                systems_of_the_largest_are_quiet::<f64>(level, n, interleaved);
                systems_of_the_largest_are_quiet::<C32>(level, n, interleaved);
                systems_of_the_largest_are_quiet::<C64>(level, n, interleaved);
            }
        }
    }
}

/// Positive definite matrices times a power of two whose inverses are still in range, and some zero matrices, with
/// infinities left in the workspace.
fn cholesky_is_quiet<T: Scalar>(level: Level, n: usize, uplo: Uplo, interleaved: bool, power: i32) {
    let definite = |seed| {
        let x = Dense::<T>::random(n, n, seed);
        let by = T::Re::from_f64(2f64.powi(power));
        let element = |i: usize, j: usize| if i == j { T::real(T::Re::from_f64(n as f64)) } else { x.at(i, j) };
        Dense::from_fn(n, n, |i, j| element(i, j).scaled(by))
    };
    let members: Vec<Dense<T>> =
        (0..21).map(|b| if b % 3 == 1 { Kind::Zero.matrix(n, n, b) } else { definite(b) }).collect();
    let infinite = vec![Dense::from_fn(n, n, |_, _| T::real(T::Re::from_f64(f64::INFINITY))); members.len()];
    let (mut a, mut spoilt) = (Batch::new(&members, 1), Batch::new(&infinite, 1));
    let mut b = Batch::new(&members.iter().map(|_| Dense::<T>::random(n, 3, 4)).collect::<Vec<_>>(), 0);
    let (mut codes, work, execution, batch) =
        (vec![0; members.len()], Workspace::NONE, execution(level, interleaved), 21);
    let (dtype, order, lda, info) = (T::DTYPE, n as i64, n as i64 + 1, codes.as_mut_ptr());
    let getrf = Getrf { work, ..Getrf::of(dtype, (order, order), (spoilt.operand(), lda), None, batch) };
    unsafe { run_with(Operation::Getrf(getrf), &execution) }.unwrap();
    let posv = Posv {
        dtype,
        uplo,
        n: order,
        nrhs: 3,
        a: a.operand(),
        lda,
        b: b.operand(),
        ldb: order,
        sizes: None,
        info,
        batch,
        work,
    };
    let potri = Potri { dtype, uplo, n: order, a: a.operand(), lda, sizes: None, info, batch, work };
    let potrf = Potrf { dtype, uplo, n: order, a: a.operand(), lda, sizes: None, info, batch, work };
    // Zeros on the diagonal of a caller's factor would cause divisions by zero.
    let (mut factors, mut c) = (Batch::new(&(0..21).map(definite).collect::<Vec<_>>(), 1), b.clone());
    let (l, c) = (factors.operand(), c.operand());
    let (sizes, untold) = (None, std::ptr::null_mut());
    let potrs = Potrs { dtype, uplo, n: order, nrhs: 3, a: l, lda, b: c, ldb: order, sizes, info: untold, batch, work };
    quietly(&format!("{n} {dtype:?} {uplo:?} 2^{power} {execution:?}"), || {
        unsafe { run_with(Operation::Posv(posv), &execution) }.unwrap();
        unsafe { run_with(Operation::Potri(potri), &execution) }.unwrap();
        unsafe { run_with(Operation::Potrf(potrf), &execution) }.unwrap();
        unsafe { run_with(Operation::Potrf(Potrf { a: l, ..potrf }), &execution) }.unwrap();
        unsafe { run_with(Operation::Potrs(potrs), &execution) }.unwrap();
    });
}

#[test]
fn cholesky_raises_nothing() {
    for level in levels() {
        for n in [1, 2, 5, 11, 16, 33, 40] {
            for (uplo, interleaved) in
                [(Uplo::Lower, true), (Uplo::Upper, true), (Uplo::Lower, false), (Uplo::Upper, false)]
            {
                for power in [0, 100, -100] {
                    cholesky_is_quiet::<f32>(level, n, uplo, interleaved, power);
                    cholesky_is_quiet::<f64>(level, n, uplo, interleaved, 9 * power);
                    cholesky_is_quiet::<C32>(level, n, uplo, interleaved, power);
                    cholesky_is_quiet::<C64>(level, n, uplo, interleaved, 9 * power);
                }
            }
        }
    }
}

/// Helpers inherit the traps of the thread that starts them. A child that enables traps before its first call must
/// survive.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn trapping_child<T: Scalar>() {
    unsafe extern "C" {
        fn feenableexcept(which: c_int) -> c_int;
    }
    for n in [4, 8, 16, 33] {
        let kinds: Vec<Dense<T>> = (0..1000).map(|b| Kind::TAME[b % 9].matrix(n, n, b as u64)).collect();
        let (mut a, mut tau) = (Batch::new(&kinds, 0), vec![T::zero(); 1000 * n]);
        let p = Geqrf {
            dtype: T::DTYPE,
            m: n as i64,
            n: n as i64,
            a: a.operand(),
            lda: n as i64,
            sizes: None,
            tau: Operand::Strided { base: tau.as_mut_ptr().cast(), stride: n as i64 },
            batch: 1000,
            info: null_mut(),
            math: Math::Fp32,
        };
        let choice = geqrf_choice(&p);
        // SAFETY: the child only runs this library and leaves through _exit.
        unsafe {
            let child = libc::fork();
            if child == 0 {
                libc::alarm(60);
                feclearexcept(TRAPPED);
                feenableexcept(TRAPPED);
                let done = parts::geqrf(&p, &choice).is_ok();
                libc::_exit(if done { 0 } else { 1 });
            }
            let mut status = 0;
            assert_eq!(libc::waitpid(child, &mut status, 0), child);
            assert_eq!(status, 0, "{:?} {n}: a child that traps ended with {status:#x}", T::DTYPE);
        }
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn geqrf_choice(p: &Geqrf) -> Choice {
    let chosen = parts::choose(p).unwrap();
    Choice { distribution: Distribution { threads: 2, threads_per_member: 1, grain: 64 }, ..chosen }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn traps_set_before_the_first_call_never_fire() {
    trapping_child::<f32>();
    trapping_child::<f64>();
    trapping_child::<C32>();
    trapping_child::<C64>();
}
