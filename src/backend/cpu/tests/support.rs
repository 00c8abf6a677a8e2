//! Guarded batches, a naive reference, and LAPACK's two test ratios.

use std::ffi::c_void;
use tephra_cpu::of;
use tephra_cpu::parts::{Algorithm, Choice, Distribution, Execution, Level, geqrf};
use tephra_routine::error::Error;
use tephra_routine::scalar::{Real, Scalar};
use tephra_routine::{Geqrf, Math, Operand, Operation};

/// Every instruction set this machine can run.
pub fn levels() -> Vec<Level> {
    Level::ALL.into_iter().filter(|l| *l <= Level::detect()).collect()
}

/// A choice that forces one path.
pub fn forced(algorithm: Algorithm, level: Level) -> Choice {
    Choice { algorithm, level, distribution: Distribution { threads: 2, threads_per_member: 1, grain: 2 } }
}

/// Runs an operation with an execution that the library might not choose.
///
/// # Safety
/// The operands must describe valid memory of the sizes that the routine specifies.
pub unsafe fn run_with(op: Operation, execution: &Execution) -> Result<(), Error> {
    unsafe { of(&op).run_with(execution) }
}

/// Pseudo-random numbers in (-1, 1), reproducible for each seed.
pub struct Random(pub u64);

impl Random {
    /// The next real number.
    pub fn real<R: Real>(&mut self) -> R {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        R::from_f64((self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
    }
    /// The next element.
    pub fn element<T: Scalar>(&mut self) -> T {
        let re = self.real();
        T::new(re, self.real())
    }
}

/// A dense matrix without padding.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense<T> {
    pub m: usize,
    pub n: usize,
    pub x: Vec<T>,
}

impl<T: Scalar> Dense<T> {
    pub fn from_fn(m: usize, n: usize, mut f: impl FnMut(usize, usize) -> T) -> Self {
        let x = (0..m * n).map(|i| f(i % m, i / m)).collect();
        Dense { m, n, x }
    }
    pub fn random(m: usize, n: usize, seed: u64) -> Self {
        let mut r = Random(seed);
        Dense::from_fn(m, n, |_, _| r.element())
    }
    pub fn at(&self, i: usize, j: usize) -> T {
        self.x[i + j * self.m]
    }
    pub fn set(&mut self, i: usize, j: usize, x: T) {
        self.x[i + j * self.m] = x;
    }
    /// Largest column sum of magnitudes.
    pub fn norm_one(&self) -> f64 {
        let column = |j| (0..self.m).map(|i| magnitude(self.at(i, j))).sum::<f64>();
        (0..self.n).map(column).fold(0.0, |a, b| if b > a || b.is_nan() { b } else { a })
    }
}

/// |x| in double precision.
pub fn magnitude<T: Scalar>(x: T) -> f64 {
    x.re().to_f64().hypot(x.im().to_f64())
}

/// The result of one member: the overwritten A, and tau.
pub struct Factored<T> {
    pub a: Dense<T>,
    pub tau: Vec<T>,
}

/// A value that no computation here produces, to detect writes.
fn poison<T: Scalar>() -> T {
    T::new(T::Re::from_f64(-77777.0), T::Re::from_f64(55555.0))
}

/// Factors copies of `members` as one batch, through pointers or strided, with `pad` more rows than needed and an
/// alignment of one element, and checks that nothing around the matrices was written.
pub fn factor<T: Scalar>(members: &[Dense<T>], pad: usize, strided: bool, choice: &Choice) -> Vec<Factored<T>> {
    let (m, n, batch) = (members[0].m, members[0].n, members.len());
    let (lda, k) = ((m + pad).max(1), m.min(n));
    let (size, tau_size) = (lda * n + 3, k.max(1) + 2);
    let mut a = vec![poison::<T>(); size * batch + 1];
    let mut tau = vec![poison::<T>(); tau_size * batch + 1];
    for (b, member) in members.iter().enumerate() {
        for j in 0..n {
            for i in 0..m {
                a[1 + b * size + i + j * lda] = member.at(i, j);
            }
        }
    }
    let before = a.clone();
    let pointers = |v: &mut Vec<T>, step: usize| -> Vec<*mut c_void> {
        let start = v.as_mut_ptr();
        (0..batch).map(|b| start.wrapping_add(1 + b * step).cast()).collect()
    };
    let (a_pointers, tau_pointers) = (pointers(&mut a, size), pointers(&mut tau, tau_size));
    let operand = |p: &Vec<*mut c_void>, step: usize| {
        if strided { Operand::Strided { base: p[0], stride: step as i64 } } else { Operand::Pointers(p.as_ptr()) }
    };
    let mut info = vec![-9; batch + 1];
    let p = Geqrf {
        dtype: T::DTYPE,
        m: m as i64,
        n: n as i64,
        a: operand(&a_pointers, size),
        lda: lda as i64,
        sizes: None,
        tau: operand(&tau_pointers, tau_size),
        batch: batch as i64,
        info: info.as_mut_ptr(),
        math: Math::Fp32,
    };
    unsafe { geqrf(&p, choice) }.unwrap();
    assert!(info[..batch].iter().all(|&i| i == 0) && info[batch] == -9, "info");
    let inside = |at: usize| at >= 1 && (at - 1) % size < lda * n && (at - 1) % size % lda < m;
    for (at, (now, was)) in a.iter().zip(&before).enumerate() {
        assert!(inside(at) || now == was, "element {at} outside the matrices was written");
    }
    for (at, now) in tau.iter().enumerate() {
        assert!((at >= 1 && (at - 1) % tau_size < k) || *now == poison(), "tau {at} was written");
    }
    let result = |b: usize| Factored {
        a: Dense::from_fn(m, n, |i, j| a[1 + b * size + i + j * lda]),
        tau: tau[1 + b * tau_size..][..k].to_vec(),
    };
    (0..batch).map(result).collect()
}

/// C := H(i) C, or H(i)^H C.
fn apply<T: Scalar>(f: &Factored<T>, i: usize, adjoint: bool, c: &mut Dense<T>) {
    let tau = if adjoint { f.tau[i].conj() } else { f.tau[i] };
    let v = |r: usize| if r == i { T::one() } else { f.a.at(r, i) };
    for j in 0..c.n {
        let mut w = T::zero();
        for r in i..c.m {
            w += v(r).conj() * c.at(r, j);
        }
        for r in i..c.m {
            let x = c.at(r, j) - v(r) * (tau * w);
            c.set(r, j, x);
        }
    }
}

/// ||A - QR|| / (max(m, n) ||A|| eps) and ||I - Q^H Q|| / (m eps), one-norms, LAPACK's eps.
pub fn ratios<T: Scalar>(a: &Dense<T>, f: &Factored<T>) -> (f64, f64) {
    let (m, k) = (a.m, f.tau.len());
    let eps = T::Re::EPSILON.to_f64() / 2.0;
    let mut qr = Dense::from_fn(m, a.n, |i, j| if i <= j { f.a.at(i, j) } else { T::zero() });
    let mut q = Dense::from_fn(m, m, |i, j| if i == j { T::one() } else { T::zero() });
    for i in (0..k).rev() {
        apply(f, i, false, &mut qr);
        apply(f, i, false, &mut q);
    }
    let residual = Dense::from_fn(m, a.n, |i, j| a.at(i, j) - qr.at(i, j));
    let gram = Dense::from_fn(m, m, |i, j| {
        let mut x = if i == j { -T::one() } else { T::zero() };
        for r in 0..m {
            x += q.at(r, i).conj() * q.at(r, j);
        }
        x
    });
    let scale = a.norm_one() * a.m.max(a.n) as f64 * eps;
    let first = residual.norm_one();
    (if first == 0.0 { 0.0 } else { first / scale }, gram.norm_one() / (m as f64 * eps))
}

/// LAPACK `?geqr2` written straight from its documentation, with no regard for range or speed.
pub fn naive<T: Scalar>(a: &Dense<T>) -> Factored<T> {
    let mut f = Factored { a: a.clone(), tau: vec![] };
    for c in 0..a.m.min(a.n) {
        let alpha = f.a.at(c, c);
        let squares = (c + 1..a.m).fold(T::Re::zero(), |s, r| s + f.a.at(r, c).abs_squared());
        if squares == T::Re::zero() && alpha.im() == T::Re::zero() {
            f.tau.push(T::zero());
            continue;
        }
        let norm = Real::sqrt(squares + alpha.abs_squared());
        let beta = if alpha.re() >= T::Re::zero() { -norm } else { norm };
        f.tau.push(T::new((beta - alpha.re()) / beta, -(alpha.im() / beta)));
        let head = alpha - T::real(beta);
        for r in c + 1..a.m {
            let v = f.a.at(r, c) * head.conj();
            f.a.set(r, c, v.scaled(T::Re::from_f64(1.0) / head.abs_squared()));
        }
        let mut rest = Dense::from_fn(a.m, a.n - c - 1, |i, j| f.a.at(i, c + 1 + j));
        apply(&f, c, true, &mut rest);
        for j in 0..rest.n {
            for i in 0..a.m {
                f.a.set(i, c + 1 + j, rest.at(i, j));
            }
        }
        f.a.set(c, c, T::real(beta));
    }
    f
}

/// The largest difference between two results: relative to A's norm for R, absolute for V and tau.
pub fn difference<T: Scalar>(a: &Dense<T>, f: &Factored<T>, g: &Factored<T>) -> f64 {
    let norm = a.norm_one();
    let mut max = 0.0f64;
    for j in 0..a.n {
        for i in 0..a.m {
            let d = magnitude(f.a.at(i, j) - g.a.at(i, j));
            max = max.max(if i <= j { d / norm } else { d });
        }
    }
    assert_eq!(f.tau.len(), g.tau.len());
    f.tau.iter().zip(&g.tau).fold(max, |max, (&s, &t)| max.max(magnitude(s - t)))
}
