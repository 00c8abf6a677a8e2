//! Interleaved members against members processed one at a time, for every routine: the results agree, whatever the
//! neighbours.

use super::support::*;
use std::ptr::null_mut;
use tephra_cpu::parts::{Algorithm, Choice, Distribution, Execution, Level, geqrf};
use tephra_routine::scalar::{C32, C64, Real, Scalar};
use tephra_routine::{
    Alpha, Diag, Gels, Geqrf, Math, Operand, Operation, Orgqr, QPart, Qr, QrStage, Side, Trans, Trsm, Uplo, Workspace,
};

/// The kind of numbers in a member.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Uniform,
    Identity,
    Zero,
    ZeroFirst,
    ZeroMiddle,
    Twins,
    Triangle,
    Tiny,
    Huge,
    Nan,
}

impl Kind {
    /// Kinds that must not raise floating-point exceptions: everything but NaN.
    pub const TAME: [Kind; 9] = [
        Kind::Uniform,
        Kind::Identity,
        Kind::Zero,
        Kind::ZeroFirst,
        Kind::ZeroMiddle,
        Kind::Twins,
        Kind::Triangle,
        Kind::Tiny,
        Kind::Huge,
    ];

    pub fn matrix<T: Scalar>(self, m: usize, n: usize, seed: u64) -> Dense<T> {
        let x = Dense::<T>::random(m, n, seed);
        let scaled = |e: f64| Dense::from_fn(m, n, |i, j| x.at(i, j).scaled(T::Re::from_f64(e)));
        let single = T::Re::EPSILON.to_f64() > 1e-10;
        Dense::from_fn(m, n, |i, j| match self {
            Kind::Identity if i != j => T::zero(),
            Kind::Identity => T::one(),
            Kind::Zero => T::zero(),
            Kind::ZeroFirst if j == 0 => T::zero(),
            Kind::ZeroMiddle if j == n / 2 => T::zero(),
            Kind::Twins => x.at(i, j / 2 * 2),
            Kind::Triangle if i > j => T::zero(),
            Kind::Nan if (i, j) == (m / 2, n / 2) => T::real(T::Re::from_f64(f64::NAN)),
            Kind::Tiny => scaled(if single { 1e-30 } else { 1e-250 }).at(i, j),
            Kind::Huge => scaled(if single { 1e30 } else { 1e250 }).at(i, j),
            _ => x.at(i, j),
        })
    }
}

/// A batch of equally shaped matrices with `pad` rows more than needed and guard values between them.
#[derive(Clone)]
pub struct Batch<T> {
    pub x: Vec<T>,
    pub m: usize,
    pub n: usize,
    pub ld: usize,
    stride: usize,
}

impl<T: Scalar> Batch<T> {
    pub fn new(members: &[Dense<T>], pad: usize) -> Self {
        let (m, n) = (members[0].m, members[0].n);
        let (ld, stride) = ((m + pad).max(1), (m + pad) * n + 1);
        let guard = T::real(T::Re::from_f64(-777.0));
        let mut x = vec![guard; stride * members.len()];
        for (b, a) in members.iter().enumerate() {
            for j in 0..n {
                for i in 0..m {
                    x[b * stride + j * ld + i] = a.at(i, j);
                }
            }
        }
        Batch { x, m, n, ld, stride }
    }
    pub fn operand(&mut self) -> Operand {
        Operand::Strided { base: self.x.as_mut_ptr().cast(), stride: self.stride as i64 }
    }
    pub fn member(&self, b: usize) -> Dense<T> {
        Dense::from_fn(self.m, self.n, |i, j| self.x[b * self.stride + j * self.ld + i])
    }
    #[track_caller]
    fn check_guards(&self, what: &str) {
        for (at, x) in self.x.iter().enumerate() {
            let (row, column) = (at % self.stride % self.ld, at % self.stride / self.ld);
            let inside = row < self.m && column < self.n;
            assert!(inside || *x == T::real(T::Re::from_f64(-777.0)), "{what}: element {at} was written");
        }
    }
}

/// A routine with its shape.
#[derive(Clone, Copy, Debug)]
pub enum Routine {
    Geqrf { m: usize, n: usize },
    Orgqr { m: usize, n: usize, k: usize },
    Qr { m: usize, n: usize, part: QPart },
    Gels { m: usize, n: usize, nrhs: usize, trans: Trans },
    Trsm { m: usize, n: usize, side: Side, uplo: Uplo, trans: Trans, diag: Diag },
}

/// Every routine in every variant.
pub fn routines() -> Vec<Routine> {
    let mut all = vec![];
    for (m, n) in [(1, 1), (4, 4), (8, 8), (9, 5), (5, 9), (17, 16), (20, 3), (33, 32)] {
        all.push(Routine::Geqrf { m, n });
        all.extend([QPart::None, QPart::Thin, QPart::Full].map(|part| Routine::Qr { m, n, part }));
        for nrhs in [1, 6] {
            all.extend([Trans::N, Trans::C].map(|trans| Routine::Gels { m, n, nrhs, trans }));
        }
        if m >= n {
            all.extend([Routine::Orgqr { m, n, k: n }, Routine::Orgqr { m, n, k: n / 2 }]);
        }
    }
    for (m, n) in [(1, 1), (7, 3), (3, 40), (17, 17)] {
        for side in [Side::Left, Side::Right] {
            for uplo in [Uplo::Upper, Uplo::Lower] {
                for trans in [Trans::N, Trans::T, Trans::C] {
                    all.extend([Diag::Unit, Diag::NonUnit].map(|diag| Routine::Trsm { m, n, side, uplo, trans, diag }));
                }
            }
        }
    }
    all
}

/// Runs a routine on members of the given kinds and returns each member's outputs, concatenated.
pub fn done<T: Scalar>(routine: Routine, kinds: &[Kind], execution: &Execution) -> Vec<Vec<T>> {
    let (dtype, batch) = (T::DTYPE, kinds.len() as i64);
    let make =
        |m: usize, n: usize, seed: u64| -> Vec<Dense<T>> { kinds.iter().map(|kind| kind.matrix(m, n, seed)).collect() };
    let i64s = |b: &Batch<T>| (b.m as i64, b.n as i64, b.ld as i64);
    let what = format!("{routine:?} {dtype:?} {execution:?}");
    let (mut info, work) = (vec![-1; kinds.len()], Workspace::NONE);
    let factored = |m: usize, n: usize| {
        let mut a = Batch::new(&make(m, n, 3), 1);
        let mut tau = Batch::new(&make(m.min(n), 1, 4), 0);
        let p = Geqrf {
            dtype,
            m: m as i64,
            n: n as i64,
            a: a.operand(),
            lda: a.ld as i64,
            sizes: None,
            tau: tau.operand(),
            batch,
            info: null_mut(),
            math: Math::Fp32,
        };
        let algorithm = if execution.interleaved { Algorithm::Interleaved } else { Algorithm::Unblocked };
        unsafe { geqrf(&p, &Choice { algorithm, level: execution.level, distribution: execution.distribution }) }
            .unwrap();
        (a, tau)
    };
    let outputs: Vec<Batch<T>> = match routine {
        Routine::Geqrf { m, n } => {
            let (a, tau) = factored(m, n);
            vec![a, tau]
        }
        Routine::Orgqr { m, n, k } => {
            let (mut a, mut tau) = factored(m, n);
            let ((m, n, lda), k) = (i64s(&a), k as i64);
            let p = Orgqr { dtype, m, n, k, a: a.operand(), lda, sizes: None, tau: tau.operand(), batch };
            unsafe { run_with(Operation::Orgqr(p), execution) }.unwrap();
            vec![a]
        }
        Routine::Qr { m, n, part } => {
            let inner = if part == QPart::Full { m } else { m.min(n) };
            let (mut a, mut q) = (Batch::new(&make(m, n, 3), 1), Batch::new(&make(m, inner, 4), 2));
            let (mut r, before) = (Batch::new(&make(inner, n, 5), 0), Batch::new(&make(m, n, 3), 1));
            let ((m, n, lda), ldq, ldr) = (i64s(&a), q.ld as i64, r.ld as i64);
            let (a_p, q_p, r_p) = (a.operand(), q.operand(), r.operand());
            let p = Qr { dtype, m, n, part, stage: QrStage::Whole, a: a_p, lda, q: q_p, ldq, r: r_p, ldr, batch, work };
            unsafe { run_with(Operation::Qr(p), execution) }.unwrap();
            for b in (0..kinds.len()).filter(|&b| kinds[b] != Kind::Nan) {
                assert_eq!(a.member(b), before.member(b), "{what}: A is kept");
            }
            if part == QPart::None { vec![r] } else { vec![q, r] }
        }
        Routine::Gels { m, n, nrhs, trans } => {
            let (mut a, mut x) = (Batch::new(&make(m, n, 3), 1), Batch::new(&make(m.max(n), nrhs, 6), 2));
            let ((m, n, lda), ldb, nrhs) = (i64s(&a), x.ld as i64, nrhs as i64);
            let (a_p, b, info) = (a.operand(), x.operand(), info.as_mut_ptr());
            let p = Gels { dtype, trans, m, n, nrhs, a: a_p, lda, b, ldb, sizes: None, info, batch, work };
            unsafe { run_with(Operation::Gels(p), execution) }.unwrap();
            vec![a, x]
        }
        Routine::Trsm { m, n, side, uplo, trans, diag } => {
            let order = if side == Side::Left { m } else { n };
            // Use triangles of ordinary magnitude: overflow of the solutions is not tested here.
            let tame = |kind: Kind| if matches!(kind, Kind::Tiny | Kind::Huge) { Kind::Uniform } else { kind };
            let mut a: Vec<Dense<T>> = kinds.iter().map(|&kind| tame(kind).matrix(order, order, 7)).collect();
            for (a, &kind) in a.iter_mut().zip(kinds) {
                let shift = if tame(kind) == Kind::Uniform { 4.0 } else { 0.0 };
                let size = a.at(0, 0).re().abs() + T::Re::from_f64(shift);
                for i in 0..order {
                    // A dominant diagonal; NaN in what must not be read.
                    for j in 0..order {
                        let inside = if uplo == Uplo::Upper { i < j } else { i > j };
                        let x = a.at(i, j).scaled(T::Re::from_f64(0.25 / order as f64));
                        let nan = T::real(T::Re::from_f64(f64::NAN));
                        let on = if diag == Diag::Unit { nan } else { a.at(i, i) + T::real(size) };
                        let on = if on == T::zero() { T::one() } else { on };
                        a.set(
                            i,
                            j,
                            if i == j {
                                on
                            } else if inside {
                                x
                            } else {
                                nan
                            },
                        );
                    }
                }
            }
            let (mut a, mut b) = (Batch::new(&a, 2), Batch::new(&make(m, n, 8), 1));
            let ((m, n, ldb), lda) = (i64s(&b), a.ld as i64);
            let alpha = Alpha::host(T::new(T::Re::from_f64(1.5), T::Re::from_f64(-0.5)));
            let (a_p, b_p) = (a.operand(), b.operand());
            let p = Trsm { dtype, side, uplo, trans, diag, m, n, alpha, a: a_p, lda, b: b_p, ldb, sizes: None, batch };
            unsafe { run_with(Operation::Trsm(p), execution) }.unwrap();
            vec![b]
        }
    };
    outputs.iter().for_each(|b| b.check_guards(&what));
    let of = |b: usize| {
        let mut all: Vec<T> = outputs.iter().flat_map(|o| o.member(b).x).collect();
        all.push(T::real(T::Re::from_f64(info[b] as f64)));
        all
    };
    (0..kinds.len()).map(of).collect()
}

pub fn execution(level: Level, interleaved: bool) -> Execution {
    // One thread, the caller's, whose floating-point flags the tests check. Packs of one element are not interleaved.
    let interleaved = interleaved && (level != Level::Baseline || cfg!(not(target_arch = "x86_64")));
    Execution { level, distribution: Distribution { threads: 1, threads_per_member: 1, grain: 64 }, interleaved }
}

fn bits<T: Scalar>(x: &[T]) -> Vec<(u64, u64)> {
    x.iter().map(|x| (x.re().to_f64().to_bits(), x.im().to_f64().to_bits())).collect()
}

fn lanes_agree<T: Scalar>() {
    // Enough members for a full group and part of one in every instruction set; neighbours are of different kinds.
    let kinds: Vec<Kind> = (0..21)
        .map(|b| if b % 2 == 0 { Kind::Uniform } else { [&Kind::TAME[..], &[Kind::Nan]].concat()[b / 2 % 10] })
        .collect();
    for level in levels() {
        for routine in routines() {
            let what = format!("{routine:?} {:?} {level:?}", T::DTYPE);
            let (lanes, alone) = (done::<T>(routine, &kinds, &execution(level, true)), execution(level, true));
            let one_by_one = done::<T>(routine, &kinds, &execution(level, false));
            for (b, kind) in kinds.iter().enumerate() {
                assert!(lanes[b].len() == one_by_one[b].len());
                let single = &done::<T>(routine, &[*kind], &alone)[0];
                assert_eq!(bits(&lanes[b]), bits(single), "{what}: {kind:?} at place {b}, and alone");
                // In well-posed problems, only rounding may differ.
                if *kind == Kind::Uniform {
                    let size = one_by_one[b].iter().fold(1.0, |max: f64, &x| max.max(magnitude(x)));
                    for (i, (&x, &y)) in lanes[b].iter().zip(&one_by_one[b]).enumerate() {
                        let d = magnitude(x - y) / size / T::Re::EPSILON.to_f64();
                        assert!(d < 5000.0, "{what}: number {i} of member {b}: {x:?} and {y:?}");
                    }
                }
                // info, the last element, must be the same.
                let told = |x: &[T]| x.last().map(|x| x.re().to_f64());
                if matches!(kind, Kind::Uniform | Kind::Zero | Kind::Identity | Kind::ZeroFirst) {
                    assert_eq!(told(&lanes[b]), told(&one_by_one[b]), "{what}: {kind:?}");
                }
            }
        }
    }
}

#[test]
fn lanes_give_what_single_members_give() {
    lanes_agree::<f32>();
    lanes_agree::<f64>();
    lanes_agree::<C32>();
    lanes_agree::<C64>();
}
