//! One matrix in host memory that exceeds the device memory it may use, judged by LAPACK's ratios, against LAPACK and
//! against the same factorisation in device memory. On the CPU backend budgets have no effect, and everything else is
//! the same.

#[path = "streamed/factors.rs"]
mod factors;
#[path = "support/one_matrix.rs"]
mod one_matrix;

use one_matrix::{PLAIN, Progress, adjoint, backward_error, minus, norm, orthogonality, padded, raw, unpadded};
use std::ffi::c_int;
use std::ptr::{null, null_mut};
use tephra_testkit::lapack::Lapack;
use tephra_testkit::library::Backend;
use tephra_testkit::library::many::*;
use tephra_testkit::matrices::Class;
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::scalar::{same_bits, worst};
use tephra_testkit::{Field, Library, Matrix, Result, Rng, Scalar, in_all_precisions};

type OnDevice = unsafe extern "C" fn(i64, i64, Raw, i64, Raw, Raw, usize, Raw) -> c_int;

const OUT_OF_MEMORY: c_int = 3;

fn on_cuda() -> bool {
    Library::required().backend().unwrap() == Backend::Cuda
}

/// The settings of a call: the memory budget, and the devices if any are named.
#[derive(Clone, Copy, Debug)]
struct Settings {
    budget: i64,
    devices: &'static [c_int],
}

const UNLIMITED: Settings = Settings { budget: 0, devices: &[] };

/// The smallest budget, taken from the error message for a smaller one; 1 if there is no minimum.
fn least<T: Scalar>(m: usize, n: usize) -> i64 {
    let geqrf: GeqrfHost = function::<T, _>("tephra_?geqrf_host");
    let mut a = Matrix::from_fn(m, n, |_, _| T::POISON);
    let (before, mut tau) = (a.clone(), vec![T::POISON; m.min(n)]);
    if !on_cuda() {
        return 1;
    }
    let (p, tau, rows) = (raw(&mut a), tau.as_mut_ptr().cast(), m as i64);
    let code = unsafe { geqrf(rows, n as i64, p, rows, tau, 1, 0, null(), None, null_mut()) };
    assert_eq!(code, OUT_OF_MEMORY);
    assert!(same_bits(a.data(), before.data()), "A was written before there was memory");
    let text = Library::required().last_error();
    let number = text.split(" takes ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
    number.unwrap_or_else(|| panic!("no number in {text}"))
}

struct Factored<T> {
    m: usize,
    n: usize,
    a: Matrix<T>,
    tau: Vec<T>,
    settings: Settings,
}

impl<T: Scalar> Factored<T> {
    fn new(a: &Matrix<T>, settings: Settings) -> Self {
        let geqrf: GeqrfHost = function::<T, _>("tephra_?geqrf_host");
        let (m, n, mut a) = (a.rows(), a.cols(), padded(a));
        let mut tau = vec![T::POISON; m.min(n) + 1];
        let ld = a.rows() as i64;
        let (count, devices) = (settings.devices.len() as c_int, settings.devices.as_ptr());
        let (p, factors) = (raw(&mut a), tau.as_mut_ptr().cast());
        ok(unsafe { geqrf(m as i64, n as i64, p, ld, factors, settings.budget, count, devices, None, null_mut()) });
        assert!(same_bits(&tau[m.min(n)..], &[T::POISON]), "what follows tau was written");
        tau.pop();
        unpadded(&a);
        Factored { m, n, a, tau, settings }
    }

    fn r(&self) -> Matrix<T> {
        let zero = T::from_double(T::Double::ZERO);
        Matrix::from_fn(self.m.min(self.n), self.n, |i, j| if i <= j { self.a[(i, j)] } else { zero })
    }

    /// Computes op(Q) C.
    fn apply(&self, trans: c_int, c: &Matrix<T>) -> Matrix<T> {
        let ormqr: OrmqrHost = function::<T, _>("tephra_?ormqr_host");
        let (mut a, mut tau, mut c) = (self.a.clone(), self.tau.clone(), padded(c));
        let (m, n, k, ld) = (self.m as i64, c.cols() as i64, tau.len() as i64, a.rows() as i64);
        let (count, devices) = (self.settings.devices.len() as c_int, self.settings.devices.as_ptr());
        let (p, tau, to) = (raw(&mut a), tau.as_mut_ptr().cast(), raw(&mut c));
        let (budget, none) = (self.settings.budget, null_mut());
        ok(unsafe { ormqr(trans, m, n, k, p, ld, tau, to, ld, budget, count, devices, None, none) });
        assert!(same_bits(a.data(), self.a.data()), "A was written");
        unpadded(&c)
    }

    fn q(&self) -> Matrix<T> {
        let one = |i, j| T::from_double(if i == j { T::Double::ONE } else { T::Double::ZERO });
        self.apply(PLAIN, &Matrix::from_fn(self.m, self.m.min(self.n), one))
    }
}

/// The ways to factor a matrix: with all memory; with the smallest sufficient budget; with a little more, on two
/// "devices" that are the same one.
fn all_settings<T: Scalar>(m: usize, n: usize) -> Vec<Settings> {
    // Also sufficient to apply Q to as many columns.
    let least = least::<T>(m, n.max(64));
    vec![UNLIMITED, Settings { budget: least, devices: &[] }, Settings { budget: 2 * least, devices: &[0, 0] }]
}

fn shapes_are_factored<T: Scalar>() -> Result<()> {
    let (eps, mut rng, lapack) = (T::DTYPE.eps(), Rng::new(31), Lapack::get()?);
    for (m, n) in [(1, 1), (1, 9), (40, 3), (33, 64), (150, 150), (260, 140), (140, 260), (700, 330)] {
        let a = Class::Uniform.generate::<T>(m, n, &mut rng);
        let theirs = lapack.geqrf(&a);
        for settings in all_settings::<T>(m, n) {
            let what = format!("{:?} {m} x {n}, {settings:?}", T::DTYPE);
            let of = Factored::new(&a, settings);
            let (q, r) = (of.q(), of.r());
            let error = backward_error(&a, &q, &r);
            assert!(error < 30.0, "{what}: A is not Q R: {error:e}");
            assert!(orthogonality(&q) < 30.0, "{what}: Q is not orthogonal");
            // Without pivoting there is only one R, and it is LAPACK's, including signs.
            let their_r = Matrix::from_fn(m.min(n), n, |i, j| {
                if i <= j { theirs.factors[(i, j)] } else { T::from_double(T::Double::ZERO) }
            });
            let apart = norm(&minus(&r.to_double(), &their_r.to_double()));
            let limit = 300.0 * eps * (m * m.max(n)) as f64;
            assert!(apart < limit, "{what}: R is not LAPACK's: {apart:e}");
            let back = of.apply(adjoint::<T>(), &a);
            let whole = Matrix::from_fn(m, n, |i, j| if i <= j { r[(i, j)] } else { T::from_double(T::Double::ZERO) });
            let size = norm(&a.to_double()) * m as f64 * eps;
            assert!(norm(&minus(&back.to_double(), &whole.to_double())) < 30.0 * size, "{what}: Q^H A");
        }
    }
    Ok(())
}

mod shapes {
    use super::*;
    in_all_precisions!(shapes_are_factored);
}

fn classes_are_factored<T: Scalar>() -> Result<()> {
    let mut rng = Rng::new(32);
    for &class in Class::ALL {
        for (m, n) in [(190, 120), (120, 190)] {
            let a = class.generate::<T>(m, n, &mut rng);
            if !a.is_finite() {
                continue;
            }
            for settings in all_settings::<T>(m, n) {
                let of = Factored::new(&a, settings);
                let (q, r) = (of.q(), of.r());
                let what = format!("{:?} {} {m} x {n}, {settings:?}", T::DTYPE, class.name());
                let error = backward_error(&a, &q, &r);
                assert!(error < 30.0, "{what}: A is not Q R: {error:e}");
                assert!(orthogonality(&q) < 30.0, "{what}: Q is not orthogonal");
            }
        }
    }
    Ok(())
}

mod classes {
    use super::*;
    in_all_precisions!(classes_are_factored);
}

fn what_is_not_a_number_shows<T: Scalar>() -> Result<()> {
    let mut rng = Rng::new(34);
    let nan = |x: T| x.to_double().max_abs_part().is_nan();
    for (i, j) in [(0, 0), (169, 0), (135, 80), (169, 149)] {
        let mut a = Class::Uniform.generate::<T>(170, 150, &mut rng);
        a[(i, j)] = T::from_double(T::Double::real(f64::NAN));
        for settings in all_settings::<T>(170, 150) {
            let r = Factored::new(&a, settings).r();
            assert!((0..=j).any(|i| nan(r[(i, j)])), "({i}, {j}) is not seen in its column, {settings:?}");
            let left = (0..j).all(|j| (0..=j).all(|i| !nan(r[(i, j)])));
            assert!(left, "({i}, {j}) is seen in columns before it, {settings:?}");
        }
    }
    Ok(())
}

mod nan {
    use super::*;
    in_all_precisions!(what_is_not_a_number_shows);
}

/// Factors the same matrix in device memory.
fn in_memory<T: Scalar>(a: &Matrix<T>) -> (Matrix<T>, Vec<T>) {
    let (library, geqrf): (_, OnDevice) = (Library::required(), function::<T, _>("tephra_?geqrf"));
    let (m, n, mut tau) = (a.rows() as i64, a.cols() as i64, vec![T::POISON; a.rows().min(a.cols())]);
    let memory = Memory::from_slice(library, a.data()).unwrap();
    let factors = Memory::new(library, Kind::Device, size_of_val(&tau[..])).unwrap();
    ok(unsafe { geqrf(m, n, memory.pointer(), m, factors.pointer(), null_mut(), 0, null_mut()) });
    let mut a = a.clone();
    memory.read(a.data_mut()).unwrap();
    factors.read(&mut tau).unwrap();
    (a, tau)
}

/// Large enough for wide blocks, for several panels in each, and for pieces of page-locked memory, but too large to
/// multiply out on the host.
fn large_ones_are_what_they_are_in_memory<T: Scalar>() -> Result<()> {
    let (library, eps, mut rng) = (Library::required(), T::DTYPE.eps(), Rng::new(35));
    let sizes: &[(usize, usize)] =
        if on_cuda() { &[(4096, 4096), (6000, 2500), (2500, 4001)] } else { &[(600, 500), (500, 600)] };
    for &(m, n) in sizes {
        let a = Class::Uniform.generate::<T>(m, n, &mut rng);
        let (expected, _) = in_memory(&a);
        let bytes = (m * n * size_of::<T>()) as i64;
        let largest = norm(&a.to_double());
        let x = Class::Uniform.generate::<T>(n, 2, &mut rng);
        let ax = a.to_double().times(&x.to_double());
        for (parts, devices) in [(2, &[][..]), (5, &[]), (3, &[0, 0])] {
            let settings = Settings { budget: (bytes / parts).max(least::<T>(m, n)), devices };
            let what = format!("{:?} {m} x {n}, {settings:?}", T::DTYPE);
            let of = Factored::new(&a, settings);
            let r = of.r();
            let their_r =
                Matrix::from_fn(
                    m.min(n),
                    n,
                    |i, j| if i <= j { expected[(i, j)] } else { T::from_double(T::Double::ZERO) },
                );
            let apart = norm(&minus(&r.to_double(), &their_r.to_double())) / (largest * eps * m.max(n) as f64);
            assert!(apart < 30.0, "{what}: R is not that of the device: {apart:e}");
            // Q^H A x = R x, and Q Q^H b = b.
            let b = Matrix::from_fn(m, 2, |i, j| T::from_double(ax[(i, j)]));
            let back = of.apply(adjoint::<T>(), &b);
            let rx = r.to_double().times(&x.to_double());
            let of_r = Matrix::from_fn(m, 2, |i, j| if i < rx.rows() { rx[(i, j)] } else { T::Double::ZERO });
            let size = norm(&b.to_double()) * eps * m.max(n) as f64;
            let error = norm(&minus(&back.to_double(), &of_r)) / size;
            assert!(error < 30.0, "{what}: A is not Q R: {error:e}");
            let error = norm(&minus(&of.apply(PLAIN, &back).to_double(), &b.to_double())) / size;
            assert!(error < 30.0, "{what}: Q is not orthogonal: {error:e}");
            // Repeated, and from page-locked memory.
            let again = Factored::new(&a, settings);
            assert!(same_bits(of.a.data(), again.a.data()) && same_bits(&of.tau, &again.tau), "{what}: other bits");
            let pinned = Memory::new(library, Kind::Pinned, bytes as usize).unwrap();
            // SAFETY: the host memory has that size.
            let there = unsafe { std::slice::from_raw_parts_mut(pinned.pointer().cast::<T>(), m * n) };
            there.copy_from_slice(a.data());
            let (geqrf, mut tau): (GeqrfHost, _) = (function::<T, _>("tephra_?geqrf_host"), of.tau.clone());
            let (rows, columns, factors) = (m as i64, n as i64, tau.as_mut_ptr().cast());
            let (p, count, none) = (pinned.pointer(), devices.len() as c_int, null_mut());
            ok(unsafe { geqrf(rows, columns, p, rows, factors, settings.budget, count, devices.as_ptr(), None, none) });
            let same = (0..n).all(|j| same_bits(&of.a.col(j)[..m], &there[j * m..(j + 1) * m]));
            assert!(same && same_bits(&of.tau, &tau), "{what}: other bits from page-locked memory");
        }
    }
    Ok(())
}

mod large {
    use super::*;
    in_all_precisions!(large_ones_are_what_they_are_in_memory);
}

#[test]
fn progress_is_told_and_a_call_can_be_cancelled() {
    let geqrf: GeqrfHost = function::<f32, _>("tephra_?geqrf_host");
    let a = Class::Uniform.generate::<f32>(400, 300, &mut Rng::new(36));
    for (devices, until) in [(&[][..], i64::MAX), (&[], 1), (&[], 4), (&[0, 0], i64::MAX), (&[0, 0], 1)] {
        let mut seen = Progress::until(until);
        let (mut a, mut tau) = (a.clone(), vec![0f32; 300]);
        let (p, budget) = (raw(&mut a), least::<f32>(400, 300));
        let (count, devices, tau) = (devices.len() as c_int, devices.as_ptr(), tau.as_mut_ptr().cast());
        let code = unsafe {
            geqrf(400, 300, p, 400, tau, budget, count, devices, Some(Progress::told), (&raw mut seen).cast())
        };
        assert!(!on_cuda() || seen.total > 10, "{} steps", seen.total);
        seen.assert_ended(code);
    }
}

#[test]
fn arguments_are_checked() {
    let (geqrf, ormqr): (GeqrfHost, OrmqrHost) =
        (function::<f64, _>("tephra_?geqrf_host"), function::<f64, _>("tephra_?ormqr_host"));
    let a = Matrix::from_fn(6, 4, |i, j| (1 + i * j) as f64);
    let (mut memory, mut c, mut tau) = (a.clone(), a.clone(), vec![0f64; 4]);
    let (p, c, t) = (raw(&mut memory), raw(&mut c), tau.as_mut_ptr().cast());
    let wrong = [99 as c_int];
    unsafe {
        let factor = |m, n, a, lda, tau, budget, count, devices| {
            geqrf(m, n, a, lda, tau, budget, count, devices, None, null_mut())
        };
        let of = |trans, m, n, k, a, lda, tau, c, ldc, budget, count, devices| {
            ormqr(trans, m, n, k, a, lda, tau, c, ldc, budget, count, devices, None, null_mut())
        };
        for (expected, found) in [
            (-1, factor(-1, 4, p, 6, t, 0, 0, null())),
            (-2, factor(6, -4, p, 6, t, 0, 0, null())),
            (-3, factor(6, 4, null_mut(), 6, t, 0, 0, null())),
            (-4, factor(6, 4, p, 5, t, 0, 0, null())),
            (-5, factor(6, 4, p, 6, null_mut(), 0, 0, null())),
            (-6, factor(6, 4, p, 6, t, -1, 0, null())),
            (-7, factor(6, 4, p, 6, t, 0, -1, null())),
            (-8, factor(6, 4, p, 6, t, 0, 1, null())),
            (-8, factor(6, 4, p, 6, t, 0, 1, wrong.as_ptr())),
            (0, factor(0, 4, null_mut(), 1, null_mut(), 0, 0, null())),
            (0, factor(6, 0, null_mut(), 6, null_mut(), 0, 0, null())),
            (-1, of(7, 6, 4, 4, p, 6, t, c, 6, 0, 0, null())),
            (-2, of(PLAIN, -6, 4, 4, p, 6, t, c, 6, 0, 0, null())),
            (-3, of(PLAIN, 6, -4, 4, p, 6, t, c, 6, 0, 0, null())),
            (-4, of(PLAIN, 6, 4, 7, p, 6, t, c, 6, 0, 0, null())),
            (-5, of(PLAIN, 6, 4, 4, null_mut(), 6, t, c, 6, 0, 0, null())),
            (-6, of(PLAIN, 6, 4, 4, p, 5, t, c, 6, 0, 0, null())),
            (-7, of(PLAIN, 6, 4, 4, p, 6, null_mut(), c, 6, 0, 0, null())),
            (-8, of(PLAIN, 6, 4, 4, p, 6, t, null_mut(), 6, 0, 0, null())),
            (-9, of(PLAIN, 6, 4, 4, p, 6, t, c, 5, 0, 0, null())),
            (-10, of(PLAIN, 6, 4, 4, p, 6, t, c, 6, -1, 0, null())),
            (-11, of(PLAIN, 6, 4, 4, p, 6, t, c, 6, 0, -1, null())),
            (-12, of(PLAIN, 6, 4, 4, p, 6, t, c, 6, 0, 2, null())),
            (0, of(PLAIN, 6, 0, 4, p, 6, t, null_mut(), 6, 0, 0, null())),
        ] {
            assert_eq!(found, expected, "{}", Library::required().last_error());
        }
        assert!(same_bits(memory.data(), a.data()), "A was written before its arguments were right");
        let unmqr: OrmqrHost = function::<tephra_testkit::C64, _>("tephra_?ormqr_host");
        let code = unmqr(112, 6, 4, 4, p, 6, t, c, 6, 0, 0, null(), None, null_mut());
        assert_eq!(code, -1, "LAPACK has no T for complex types");
        if on_cuda() {
            let there = Memory::new(Library::required(), Kind::Device, 6 * 4 * 8).unwrap();
            assert_eq!(factor(6, 4, there.pointer(), 6, t, 0, 0, null()), -3, "A in device memory");
        }
    }
}

/// Times in comparison with the same factorisation in device memory: `streamed --ignored --nocapture timings`.
/// STREAMED_SIZES gives sizes other than 8192, STREAMED_BUDGET bytes other than a quarter of the matrix, STREAMED_TYPE
/// d instead of s, STREAMED_DEVICES numbers of devices, STREAMED_MEMORY either pageable or page-locked, STREAMED_RUNS
/// the number of runs, the shortest of which counts, and STREAMED_BESIDE=no leaves out the comparison, which may exceed
/// device memory.
#[test]
#[ignore = "takes long, and a large GPU"]
fn timings() {
    fn of<T: Scalar>() {
        let library = Library::required();
        let (geqrf, there): (GeqrfHost, OnDevice) =
            (function::<T, _>("tephra_?geqrf_host"), function::<T, _>("tephra_?geqrf"));
        let read = |name: &str| std::env::var(name).ok();
        let list = read("STREAMED_SIZES").unwrap_or_else(|| "8192".into());
        let numbers = read("STREAMED_DEVICES").unwrap_or_else(|| "1".into());
        let numbers: Vec<c_int> = numbers.split(',').map(|number| number.parse().unwrap()).collect();
        let beside = read("STREAMED_BESIDE").is_none_or(|text| text != "no");
        for n in list.split(',').map(|n| n.parse::<usize>().unwrap()) {
            let bytes = n * n * size_of::<T>();
            let budget = read("STREAMED_BUDGET").map_or(bytes as i64 / 4, |text| text.parse().unwrap());
            let flops = 4.0 / 3.0 * (n as f64).powi(3) / 1e9;
            let (rows, mut tau) = (n as i64, vec![T::POISON; n]);
            // A vector that differs from column to column in every element, multiplied by varying numbers.
            let mut rng = Rng::new(37);
            let seed = Class::Uniform.generate::<T>(2 * n, 1, &mut rng);
            let fill = |a: &mut [T]| {
                const THREADS: usize = 8;
                let part = n.div_ceil(THREADS);
                let columns = |(i, part_of_a): (usize, &mut [T])| {
                    for (j, column) in
                        part_of_a.chunks_exact_mut(n).enumerate().map(|(j, column)| (i * part + j, column))
                    {
                        let first = j * 7919 % n;
                        column.copy_from_slice(&seed.data()[first..first + n]);
                        column[j] = T::from_double(T::Double::real(2.0));
                    }
                };
                std::thread::scope(|scope| {
                    a.chunks_mut(part * n).enumerate().for_each(|piece| drop(scope.spawn(move || columns(piece))));
                });
            };
            let runs = read("STREAMED_RUNS").map_or(2, |text| text.parse::<usize>().unwrap());
            let time = |run: &mut dyn FnMut()| {
                let start = std::time::Instant::now();
                run();
                start.elapsed().as_secs_f64()
            };
            let mut diagonal = vec![];
            let wanted = |kind: &&str| read("STREAMED_MEMORY").is_none_or(|only| only == *kind);
            for kind in ["pageable", "page-locked"].into_iter().filter(wanted) {
                let pinned = (kind != "pageable").then(|| Memory::new(library, Kind::Pinned, bytes).unwrap());
                let mut plain = if pinned.is_none() { vec![T::POISON; n * n] } else { vec![] };
                let p: *mut T = pinned.as_ref().map_or(plain.as_mut_ptr(), |memory| memory.pointer().cast());
                // SAFETY: the memory holds that many elements.
                let a = unsafe { std::slice::from_raw_parts_mut(p, n * n) };
                for &count in &numbers {
                    let list: Vec<c_int> = (0..count).collect();
                    let mut best = f64::MAX;
                    for _ in 0..runs {
                        fill(a);
                        let (factors, list) = (tau.as_mut_ptr().cast(), list.as_ptr());
                        best = best.min(time(&mut || {
                            let p = p.cast();
                            ok(unsafe { geqrf(rows, rows, p, rows, factors, budget, count, list, None, null_mut()) })
                        }));
                    }
                    println!("{:?},{n},{budget},{count},{kind},{best:.3},{:.0}", T::DTYPE, flops / best);
                    diagonal.push((0..n).map(|i| a[i * n + i].to_double().re()).collect::<Vec<f64>>());
                }
                if let Some(pinned) = pinned.as_ref().filter(|_| beside) {
                    let Ok(memory) = Memory::new(library, Kind::Device, bytes) else { continue };
                    let factors = Memory::new(library, Kind::Device, n * size_of::<T>()).unwrap();
                    let mut best = f64::MAX;
                    for _ in 0..runs {
                        fill(a);
                        // SAFETY: both buffers have this size.
                        unsafe { library.memcpy(memory.pointer(), pinned.pointer(), bytes, null_mut()) }.unwrap();
                        best = best.min(time(&mut || {
                            let (a, tau, none) = (memory.pointer(), factors.pointer(), null_mut());
                            ok(unsafe { there(rows, rows, a, rows, tau, none, 0, none) });
                            // Reading tau waits for the factorisation.
                            tau_of(&factors);
                        }));
                    }
                    println!("{:?},{n},,1,in memory,{best:.3},{:.0}", T::DTYPE, flops / best);
                    // SAFETY: both buffers have this size.
                    unsafe { library.memcpy(pinned.pointer(), memory.pointer(), bytes, null_mut()) }.unwrap();
                    diagonal.push((0..n).map(|i| a[i * n + i].to_double().re()).collect());
                }
            }
            // An element that consists of rounding errors alone may decide on a row's sign.
            let apart = |other: &Vec<f64>| {
                let apart = |(a, b): (&f64, &f64)| (a.abs() - b.abs()).abs() / diagonal[0][0].abs();
                diagonal[0].iter().zip(other).map(apart).fold(0.0, worst)
            };
            let eps = T::DTYPE.eps();
            println!(
                "R's diagonals are apart by {:.3} n eps",
                diagonal.iter().map(apart).fold(0.0, worst) / eps / n as f64
            );
        }
    }
    fn tau_of(memory: &Memory) {
        memory.read(&mut [0u8; 1]).unwrap();
    }
    println!("type,n,budget,devices,memory,seconds,GFlop/s");
    if std::env::var("STREAMED_TYPE").is_ok_and(|text| text == "d") { of::<f64>() } else { of::<f32>() }
}
