//! The CPU backend's products, factorisations and linear solves, compared with loops over the batch that call OpenBLAS
//! and MKL on the same number of threads, and with MKL's batched functions on one thread.
//!
//! `TEPHRA_LAPACK=/path/to/libscipy_openblas.so cargo bench --no-default-features --bench cpu_blas` measures the
//! standard grid on one thread and writes one file per routine, `results/cpu/NAME.csv` (`--out FOLDER` selects another
//! folder). MKL is measured too if `TEPHRA_MKL=/path/to/libmkl_rt.so.3` names it. Arguments `LETTERS OPERATIONS N ...`
//! (for example `sd gemm,potrf 8 32`) measure other sizes on `TEPHRA_NUM_THREADS` threads and only print; `OPERATIONS`
//! alone writes the files of these routines. `BENCH_BATCH` is the number of matrices. Each time is the minimum over
//! many rounds in which the libraries take turns; on one thread it is that thread's CPU time, so that other load on the
//! machine favours none of them. OpenBLAS chooses its kernels itself; the column `core` says which.
//!
//! On a machine without cargo and internet access, the built program needs, besides these two variables,
//! `libscipy_openblas.so` with the contents of the wheel's `.libs` folder and, from the `mkl` wheel, `libmkl_rt`,
//! `libmkl_core`, `libmkl_intel_lp64`, `libmkl_sequential`, `libmkl_def`, `libmkl_avx2` and `libmkl_avx512` (all
//! `.so.3`), in one folder that `LD_LIBRARY_PATH` names.

mod lapack;

use lapack::Vendor;
use rayon::prelude::*;
use std::ffi::{c_char, c_int, c_void};
use std::fmt::Write;
use std::ptr::from_ref;
use std::time::Instant;
use tephra_core::Operand;
use tephra_core::backend::{Kind, cpu, get};
use tephra_core::routine::{
    Alpha, Diag, Gemm, Gemv, Geqrf, Gesv, Getrf, Getri, Getrs, Inv, Math, Operation, Potrf, Potri, Side, Syrk, Trans,
    Trmm, Trsm, Trsv, Trtri, Uplo, Workspace,
};
use tephra_core::scalar::{C32, C64, Real, Scalar};

/// The number of matrices in a call.
fn batch() -> usize {
    std::env::var("BENCH_BATCH").map_or(1000, |x| x.parse().expect("BENCH_BATCH is a number"))
}

/// A measured case: the routine, its flags in OpenBLAS's order, and the right-hand sides (0: as many as unknowns).
type Case = (&'static str, &'static str, usize);
const CASES: [Case; 31] = [
    ("gemm", "NN", 0),
    ("gemm", "TN", 0),
    ("gemm", "NT", 0),
    ("gemm", "TT", 0),
    ("potrf", "L", 0),
    ("potrf", "U", 0),
    ("getrf", "", 0),
    ("gesv", "", 1),
    ("getrs", "N", 1),
    ("getrs", "T", 1),
    ("getri", "", 0),
    ("inv", "", 0),
    ("geqrf", "", 0),
    ("potri", "L", 0),
    ("potri", "U", 0),
    ("trsm", "LLNN", 0),
    ("trsm", "LUTN", 0),
    ("trsm", "RUNN", 0),
    ("trsm", "LLNN", 1),
    ("trsm", "LUTN", 1),
    ("trmm", "LLNN", 0),
    ("trmm", "RUTN", 0),
    ("syrk", "LN", 0),
    ("syrk", "UT", 0),
    ("trtri", "LN", 0),
    ("trtri", "UN", 0),
    ("trsv", "LNN", 1),
    ("trsv", "LTN", 1),
    ("trsv", "UNN", 1),
    ("gemv", "N", 1),
    ("gemv", "T", 1),
];
/// The routines whose result files are committed.
const COMMITTED: [&str; 6] = ["gemm", "potrf", "getrf", "gesv", "getrs", "trsm"];

/// A batch of contiguous matrices.
fn random<T: Scalar>(n: usize, columns: usize, seed: u64, diagonal: f64) -> Vec<T> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let mut x: Vec<T> =
        (0..n * columns * batch()).map(|_| T::new(T::Re::from_f64(next()), T::Re::from_f64(next()))).collect();
    for (at, x) in x.iter_mut().enumerate() {
        if diagonal != 0.0 && at % (n * columns) / n == at % n {
            *x = T::real(T::Re::from_f64(diagonal));
        }
    }
    x
}

fn strided<T>(p: *mut T, stride: usize) -> Operand {
    Operand::Strided { base: p.cast(), stride: stride as i64 }
}

/// Twice the number of multiplications in the real case.
fn flops((op, _, nrhs): Case, n: usize) -> f64 {
    let square = (n * n) as f64;
    let cube = (n as f64).powi(3);
    match op {
        "gemm" => 2.0 * cube,
        "potrf" => cube / 3.0,
        "getrf" | "potri" => cube * 2.0 / 3.0,
        "getri" => cube * 4.0 / 3.0,
        "gesv" => cube * 2.0 / 3.0 + 2.0 * square,
        "getrs" => 2.0 * square * nrhs as f64,
        "inv" => 2.0 * cube,
        "geqrf" => cube * 4.0 / 3.0,
        "trtri" => cube / 3.0,
        "gemv" => 2.0 * square,
        "trsm" if nrhs > 0 => square * nrhs as f64,
        "trsv" => square,
        _ => cube,
    }
}

struct Row {
    library: String,
    /// The kernels that the library has chosen.
    core: String,
    case: Case,
    letter: char,
    n: usize,
    ms: f64,
}

/// Calls one of a vendor's functions for some members of the batch.
struct Loop {
    function: *mut c_void,
    /// The function that is called after the first.
    second: *mut c_void,
    case: Case,
    n: usize,
    bytes: usize,
    alpha: usize,
    zero: usize,
    a: usize,
    b: usize,
    c: usize,
    /// The interchanges that inverses and solves start from; a factorisation's own are discarded.
    ipiv: usize,
    /// Scalar factors.
    tau: usize,
    /// Whether this is an MKL function for the whole strided batch.
    whole: bool,
}

// SAFETY: each thread calls it for different members.
unsafe impl Sync for Loop {}

macro_rules! call {
    ($f:expr, $($t:ty: $x:expr),* $(,)?) => {
        std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($t),*)>($f)($($x),*)
    };
}

impl Loop {
    unsafe fn run(&self, members: std::ops::Range<usize>) {
        let (op, flags, sides) = self.case;
        let flag: Vec<c_char> = flags.bytes().map(|x| x as c_char).collect();
        let f: Vec<*const c_char> = flag.iter().map(|x| x as *const c_char).collect();
        let sides = if sides == 0 { self.n } else { sides };
        let (n, one, nrhs) = (self.n as c_int, 1 as c_int, sides as c_int);
        let (n, one, nrhs): (*const c_int, *const c_int, *const c_int) = (&n, &one, &nrhs);
        let mut ipiv = vec![0 as c_int; self.n * if self.whole { members.len() } else { 1 }];
        let mut infos = vec![0 as c_int; if self.whole { members.len() } else { 0 }];
        // Like ILAENV: blocks of 64.
        let (mut work, room) = (vec![0u8; 64 * self.n * self.bytes], 64 * self.n as c_int);
        let (alpha, zero) = (self.alpha as *const c_void, self.zero as *const c_void);
        let mut info: c_int = 0;
        type I = *const c_int;
        type S = *const c_char;
        type P = *mut c_void;
        type Q = *const c_void;
        let at = |p: usize, offset: usize| (p + offset) as *mut c_void;
        if self.whole {
            let apart = [self.n * self.n, self.n * sides, self.n, members.len()].map(|x| x as c_int);
            let [square, thin, own, count]: [I; 4] = std::array::from_fn(|i| &raw const apart[i]);
            let (a, b, c, info) = (at(self.a, 0), at(self.b, 0), at(self.c, 0), infos.as_mut_ptr());
            // SAFETY: the arguments match MKL's interface, and the batch covers exactly the operands.
            unsafe {
                match op {
                    "gemm" => call!(self.function, S: f[0], S: f[1], I: n, I: n, I: n, Q: alpha, P: a, I: n, I: square,
                        P: b, I: n, I: square, Q: zero, P: c, I: n, I: square, I: count),
                    "getrf" => {
                        call!(self.function, I: n, I: n, P: a, I: n, I: square, I: ipiv.as_mut_ptr(), I: own, I: count,
                        *mut c_int: info)
                    }
                    "getrs" => {
                        call!(self.function, S: f[0], I: n, I: nrhs, P: a, I: n, I: square, I: self.ipiv as I, I: own,
                        P: b, I: n, I: thin, I: count, *mut c_int: info)
                    }
                    "trsm" => {
                        let (m, k) = if flags.starts_with('L') { (n, nrhs) } else { (nrhs, n) };
                        call!(self.function, S: f[0], S: f[1], S: f[2], S: f[3], I: m, I: k, Q: alpha, P: a, I: n, I: square,
                            P: b, I: m, I: thin, I: count)
                    }
                    other => unreachable!("{other}"),
                }
            }
            assert!(infos.iter().all(|x| *x == 0));
            return;
        }
        for i in members {
            let each = self.n * self.n * self.bytes * i;
            let (a, b, c) = (at(self.a, each), at(self.b, self.n * sides * self.bytes * i), at(self.c, each));
            // SAFETY: the arguments match the BLAS and LAPACK interfaces of compilers that pass the lengths of
            // characters last.
            unsafe {
                match op {
                    "gemm" => {
                        call!(self.function, S: f[0], S: f[1], I: n, I: n, I: n, Q: alpha, P: a, I: n, P: b, I: n, Q: zero,
                        P: c, I: n, usize: 1, usize: 1)
                    }
                    "potrf" | "potri" => {
                        call!(self.function, S: f[0], I: n, P: a, I: n, *mut c_int: &mut info, usize: 1)
                    }
                    "getrf" => {
                        call!(self.function, I: n, I: n, P: a, I: n, *mut c_int: ipiv.as_mut_ptr(), *mut c_int: &mut info)
                    }
                    "getri" => {
                        let (ipiv, work) = (self.ipiv as I, work.as_mut_ptr().cast());
                        call!(self.function, I: n, P: a, I: n, I: ipiv.add(self.n * i), P: work, I: &room, *mut c_int: &mut info)
                    }
                    "gesv" => {
                        call!(self.function, I: n, I: nrhs, P: a, I: n, *mut c_int: ipiv.as_mut_ptr(), P: b, I: n,
                        *mut c_int: &mut info)
                    }
                    "getrs" => {
                        call!(self.function, S: f[0], I: n, I: nrhs, P: a, I: n, I: (self.ipiv as I).add(self.n * i), P: b,
                        I: n, *mut c_int: &mut info, usize: 1)
                    }
                    // As in LAPACK, the factors and then their inverse.
                    "inv" => {
                        call!(self.function, I: n, I: n, P: a, I: n, *mut c_int: ipiv.as_mut_ptr(), *mut c_int: &mut info);
                        call!(self.second, I: n, P: a, I: n, *mut c_int: ipiv.as_mut_ptr(), P: work.as_mut_ptr().cast(), I: &room,
                            *mut c_int: &mut info)
                    }
                    "geqrf" => call!(self.function, I: n, I: n, P: a, I: n, P: at(self.tau, self.n * self.bytes * i),
                        P: work.as_mut_ptr().cast(), I: &room, *mut c_int: &mut info),
                    "syrk" => {
                        call!(self.function, S: f[0], S: f[1], I: n, I: n, Q: alpha, P: a, I: n, Q: zero, P: c, I: n,
                        usize: 1, usize: 1)
                    }
                    "trtri" => {
                        call!(self.function, S: f[0], S: f[1], I: n, P: a, I: n, *mut c_int: &mut info, usize: 1, usize: 1)
                    }
                    "trsv" => {
                        call!(self.function, S: f[0], S: f[1], S: f[2], I: n, P: a, I: n, P: b, I: one, usize: 1, usize: 1,
                        usize: 1)
                    }
                    "gemv" => {
                        call!(self.function, S: f[0], I: n, I: n, Q: alpha, P: a, I: n, P: b, I: one, Q: zero, P: at(self.c, self.n * self.bytes * i), I: one,
                        usize: 1)
                    }
                    _ => {
                        let (m, k) = if flags.starts_with('L') { (n, nrhs) } else { (nrhs, n) };
                        call!(self.function, S: f[0], S: f[1], S: f[2], S: f[3], I: m, I: k, Q: alpha, P: a, I: n, P: b, I: m,
                        usize: 1, usize: 1, usize: 1, usize: 1)
                    }
                }
            }
            assert_eq!(info, 0);
        }
    }
}

fn trans(flag: u8) -> Trans {
    if flag == b'N' { Trans::N } else { Trans::T }
}
fn uplo(flag: u8) -> Uplo {
    if flag == b'L' { Uplo::Lower } else { Uplo::Upper }
}

fn measure<T: Scalar>(vendors: &[Vendor], case: Case, n: usize) -> Vec<Row> {
    let (op, flags, sides) = case;
    let (members, sides) = (batch(), if sides == 0 { n } else { sides });
    let (flag, dtype, batch, order, lda) = (flags.as_bytes(), T::DTYPE, members as i64, n as i64, n as i64);
    // Cholesky factorisations and triangular systems need a heavy diagonal; LU with interchanges does not.
    let diagonal = if matches!(op, "potrf" | "potri" | "getri" | "getrs" | "trsm" | "trmm" | "trtri" | "trsv") {
        2.0 * n as f64
    } else {
        0.0
    };
    let (a0, b0) = (random::<T>(n, n, 1, diagonal), random::<T>(n, sides, 2, 0.0));
    let (mut a, mut b, mut c) = (a0.clone(), b0.clone(), vec![T::one(); a0.len()]);
    let mut tau = vec![T::zero(); n * members];
    let mut ipiv: Vec<i32> = (0..n * members).map(|at| (at % n + at * 7919 % (n - at % n) + 1) as i32).collect();
    let mut info = vec![0i32; members];
    let (a_p, b_p, c_p) = (a.as_mut_ptr(), b.as_mut_ptr(), c.as_mut_ptr());
    let [of_a, of_b, of_c] = [(a_p, n * n), (b_p, n * sides), (c_p, n * n)].map(|(p, apart)| strided(p, apart));
    let (pivots, info, work) = (strided(ipiv.as_mut_ptr(), n), info.as_mut_ptr(), Workspace::NONE);
    let (one, zero) = (Alpha::host(T::one()), Alpha::host(T::zero()));
    let ours = match op {
        "gemm" => Operation::Gemm(Gemm {
            dtype,
            trans_a: trans(flag[0]),
            trans_b: trans(flag[1]),
            m: order,
            n: order,
            k: order,
            alpha: one,
            a: of_a,
            lda,
            b: of_b,
            ldb: lda,
            beta: zero,
            c: of_c,
            ldc: lda,
            sizes: None,
            batch,
            first: [0; 3],
            any_stride: false,
        }),
        "potrf" => Operation::Potrf(Potrf {
            dtype,
            uplo: uplo(flag[0]),
            n: order,
            a: of_a,
            lda,
            sizes: None,
            info,
            batch,
            work,
        }),
        "potri" => Operation::Potri(Potri {
            dtype,
            uplo: uplo(flag[0]),
            n: order,
            a: of_a,
            lda,
            sizes: None,
            info,
            batch,
            work,
        }),
        "getri" => {
            let (n, c, ldc, ipiv) = (order, of_a, lda, pivots);
            Operation::Getri(Getri { dtype, n, a: of_a, lda, ipiv, c, ldc, sizes: None, info, batch, work })
        }
        "getrf" => {
            Operation::Getrf(Getrf { info, work, ..Getrf::of(dtype, (order, order), (of_a, lda), Some(pivots), batch) })
        }
        "gesv" => {
            let (n, nrhs, b, ldb) = (order, sides as i64, of_b, lda);
            Operation::Gesv(Gesv { dtype, n, nrhs, a: of_a, lda, ipiv: pivots, b, ldb, sizes: None, info, batch, work })
        }
        "getrs" => {
            let (n, nrhs, b, ldb, trans) = (order, sides as i64, of_b, lda, trans(flag[0]));
            Operation::Getrs(Getrs {
                dtype,
                trans,
                n,
                nrhs,
                a: of_a,
                lda,
                ipiv: pivots,
                b,
                ldb,
                sizes: None,
                info,
                batch,
                work,
            })
        }
        "inv" => Operation::Inv(Inv { dtype, n: order, a: of_a, lda, c: of_a, ldc: lda, info, batch, work }),
        "geqrf" => {
            let (tau, info, math) = (strided(tau.as_mut_ptr(), n), std::ptr::null_mut(), Math::Fp32);
            Operation::Geqrf(Geqrf { dtype, m: order, n: order, a: of_a, lda, sizes: None, tau, batch, info, math })
        }
        "syrk" => Operation::Syrk(Syrk {
            sizes: None,
            dtype,
            hermitian: false,
            uplo: uplo(flag[0]),
            trans: trans(flag[1]),
            n: order,
            k: order,
            alpha: one,
            a: of_a,
            lda,
            beta: zero,
            c: of_c,
            ldc: lda,
            batch,
        }),
        "trtri" => {
            let (uplo, diag) = (uplo(flag[0]), Diag::NonUnit);
            Operation::Trtri(Trtri { dtype, uplo, diag, n: order, a: of_a, lda, info, batch })
        }
        "trsv" => {
            let (uplo, trans, diag) = (uplo(flag[0]), trans(flag[1]), Diag::NonUnit);
            Operation::Trsv(Trsv {
                dtype,
                uplo,
                trans,
                diag,
                n: order,
                a: of_a,
                lda,
                x: strided(b_p, n),
                incx: 1,
                sizes: None,
                batch,
            })
        }
        "gemv" => Operation::Gemv(Gemv {
            dtype,
            trans: trans(flag[0]),
            m: order,
            n: order,
            alpha: one,
            a: of_a,
            lda,
            x: strided(b_p, n),
            incx: 1,
            beta: zero,
            y: strided(c_p, n),
            incy: 1,
            sizes: None,
            batch,
            first: [0; 3],
            any_stride: false,
        }),
        _ => {
            let side = if flag[0] == b'L' { Side::Left } else { Side::Right };
            let (uplo, trans, diag, alpha) = (uplo(flag[1]), trans(flag[2]), Diag::NonUnit, one);
            let left = side == Side::Left;
            let (m, n, a, b) =
                (if left { order } else { sides as i64 }, if left { sides as i64 } else { order }, of_a, of_b);
            let ldb = m;
            if op == "trsm" {
                Operation::Trsm(Trsm {
                    dtype,
                    side,
                    uplo,
                    trans,
                    diag,
                    m,
                    n,
                    alpha,
                    a,
                    lda,
                    b,
                    ldb,
                    sizes: None,
                    batch,
                })
            } else {
                Operation::Trmm(Trmm {
                    dtype,
                    side,
                    uplo,
                    trans,
                    diag,
                    m,
                    n,
                    alpha,
                    a,
                    lda,
                    b,
                    ldb,
                    sizes: None,
                    batch,
                })
            }
        }
    };
    let (alpha, none) = (T::one(), T::zero());
    let [alpha, zero] = [&alpha, &none].map(|x| from_ref(x) as usize);
    let letter = dtype.letter();
    // Each vendor's loop, and MKL's batched functions.
    let mut others = vec![];
    for (vendor, whole) in vendors.iter().flat_map(|v| [(v, false), (v, true)]) {
        let first = if op == "inv" { "getrf" } else { op };
        let name = format!("{letter}{first}{}", if whole { "_batch_strided" } else { "_" });
        let known = !whole || threads() == 1 && ["gemm", "getrf", "getrs", "trsm"].contains(&op);
        let Some(function) = vendor.symbol(&name).filter(|_| known) else {
            assert!(whole, "{name} is not in {}", vendor.name());
            continue;
        };
        let second = vendor.symbol(&format!("{letter}getri_")).unwrap_or(std::ptr::null_mut());
        let [a, b, c, tau] = [a_p, b_p, c_p, tau.as_mut_ptr()].map(|p| p as usize);
        let (ipiv, bytes) = (ipiv.as_ptr() as usize, size_of::<T>());
        let theirs = Loop { function, second, case, n, bytes, alpha, zero, a, b, c, ipiv, tau, whole };
        others.push((format!("{}{}", vendor.name(), if whole { "-batch" } else { "" }), vendor.core(), theirs));
    }
    let threads = threads();
    let share = |t: usize| t * members / threads..(t + 1) * members / threads;

    let restore = || {
        // SAFETY: the buffers have the same lengths.
        unsafe {
            if !matches!(op, "gemm" | "gemv" | "syrk") {
                std::ptr::copy_nonoverlapping(a0.as_ptr(), a_p, a0.len());
                std::ptr::copy_nonoverlapping(b0.as_ptr(), b_p, b0.len());
            }
        }
    };
    let mut best = vec![f64::INFINITY; others.len() + 1];
    let (start, mut rounds) = (Instant::now(), 0);
    while rounds < 9 || (start.elapsed().as_secs_f64() < 0.25 * best.len() as f64 && rounds < 2000) {
        for (contender, best) in best.iter_mut().enumerate() {
            restore();
            let t = now(threads);
            // SAFETY: the operands are those above.
            match contender {
                0 => unsafe { cpu::of(&ours).run().unwrap() },
                _ if threads == 1 => unsafe { others[contender - 1].2.run(0..members) },
                _ => (0..threads).into_par_iter().for_each(|t| unsafe { others[contender - 1].2.run(share(t)) }),
            }
            // The first two calls warm up.
            if rounds > 1 {
                *best = best.min((now(threads) - t) * 1e3);
            }
        }
        rounds += 1;
    }
    let row = |library: &str, core: &str, ms: f64| {
        let (library, core) = (library.to_string(), core.to_string());
        Row { library, core, case, letter, n, ms }
    };
    let mut rows = vec![row("tephra-cpu", "", best[0])];
    rows.extend(others.iter().zip(&best[1..]).map(|((library, core, _), ms)| row(library, core, *ms)));
    rows
}

/// Seconds since an arbitrary time; CPU time of the thread if there is only one.
fn now(threads: usize) -> f64 {
    let clock = if threads == 1 { libc::CLOCK_THREAD_CPUTIME_ID } else { libc::CLOCK_MONOTONIC };
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call only fills `t`.
    unsafe { libc::clock_gettime(clock, &mut t) };
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}

/// The number of threads of the CPU backend.
fn threads() -> usize {
    get(Kind::Cpu).unwrap().device_info(0).unwrap().multiprocessors as usize
}

fn measure_all(vendors: &[Vendor], letters: &str, ops: &[&str], sizes: &[usize]) -> Vec<Row> {
    for vendor in vendors {
        vendor.set_threads(1);
    }
    let mut rows = vec![];
    for case in CASES.into_iter().filter(|(op, _, _)| ops.contains(op)) {
        for letter in letters.chars() {
            let (mut ratios, mut least) = (1.0, f64::INFINITY);
            let mut line = format!("{letter}{:<6}{:<5}{:<2}", case.0, case.1, case.2);
            for &n in sizes {
                let measured = match letter {
                    's' => measure::<f32>(vendors, case, n),
                    'd' => measure::<f64>(vendors, case, n),
                    'c' => measure::<C32>(vendors, case, n),
                    'z' => measure::<C64>(vendors, case, n),
                    other => panic!("{other} is not one of s, d, c, z"),
                };
                let ours = &measured[0];
                write!(line, " | {n:>4} {:>8.4} {:>6.1} GF", ours.ms, ours.gflops()).unwrap();
                for theirs in &measured[1..] {
                    write!(line, " {:>5.2}", theirs.ms / ours.ms).unwrap();
                }
                let ratio = measured[1..].iter().map(|r| r.ms).fold(f64::INFINITY, f64::min) / ours.ms;
                (ratios, least) = (ratios * ratio, least.min(ratio));
                rows.extend(measured);
            }
            let mean = f64::powf(ratios, 1.0 / sizes.len() as f64);
            println!("{line} | beside the fastest: mean {mean:.2}, least {least:.2}");
        }
    }
    rows
}

impl Row {
    fn gflops(&self) -> f64 {
        let complex = if "cz".contains(self.letter) { 4.0 } else { 1.0 };
        complex * flops(self.case, self.n) * batch() as f64 / self.ms / 1e6
    }

    fn csv(&self, device: &str) -> String {
        let Row { library, core, case: (op, variant, nrhs), letter, n, ms } = self;
        let (gflops, k, batch) = (self.gflops(), if *op == "gemm" { *n } else { 0 }, batch());
        format!("{library},{letter},{op},{n},{n},{batch},{variant},{k},{nrhs},{ms:.5},{gflops:.3},1,{device},{core}\n")
    }
}

fn device() -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let flags = cpuinfo.lines().find(|l| l.starts_with("flags")).unwrap_or_default();
    let simd =
        ["avx512f", "avx2"].into_iter().find(|f| flags.split_whitespace().any(|x| x == *f)).unwrap_or("baseline");
    format!("{} ({simd})", get(Kind::Cpu).unwrap().device_info(0).unwrap().name.replace(',', " "))
}

fn main() {
    let (args, out) = lapack::arguments();
    if args.len() < 2 {
        // SAFETY: there are no other threads yet.
        unsafe { std::env::set_var("TEPHRA_NUM_THREADS", "1") };
    }
    let Some(vendor) = Vendor::open() else {
        println!("TEPHRA_LAPACK is not set: nothing to compare with, nothing written");
        return;
    };
    let vendors: Vec<Vendor> = [vendor].into_iter().chain(Vendor::open_mkl()).collect();
    for vendor in &vendors {
        println!("beside {} {}", vendor.name(), vendor.core());
    }
    if let [letters, ops, sizes @ ..] = args.as_slice() {
        let sizes: Vec<usize> = sizes.iter().map(|n| n.parse().expect("LETTERS OPERATIONS N ...")).collect();
        measure_all(&vendors, letters, &ops.split(',').collect::<Vec<_>>(), &sizes);
        return;
    }
    let device = device();
    let only = args.first().map(|ops| ops.split(',').collect::<Vec<_>>());
    for op in COMMITTED.into_iter().filter(|op| only.as_ref().is_none_or(|ops| ops.contains(op))) {
        let mut text = String::from("library,precision,op,m,n,batch,variant,k,nrhs,ms,gflops,threads,cpu,core\n");
        let rows = measure_all(&vendors, "sdcz", &[op], &[4, 8, 16, 32, 33, 64, 100]);
        text.extend(rows.iter().map(|row| row.csv(&device)));
        let path = out.join(format!("{op}.csv"));
        std::fs::create_dir_all(&out).unwrap();
        std::fs::write(&path, text).unwrap();
        println!("written: {}", path.display());
    }
}
