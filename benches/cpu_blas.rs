//! The CPU backend's products, Cholesky and LU factorisations against loops of OpenBLAS over the batch, on the same number of
//! threads.
//!
//! `TEPHRA_LAPACK=/path/to/libscipy_openblas.so cargo bench --no-default-features --bench cpu_blas` measures the standard grid on
//! one thread and writes `results/cpu/NAME.csv`, a file a routine. Arguments `LETTERS OPERATIONS N ...` (for example
//! `sd gemm,potrf 8 32`) measure other sizes, on `TEPHRA_NUM_THREADS` threads, and only print. A time is the shortest of many rounds,
//! in which the libraries take turns; on one thread it is that thread's processor time, so that a busy machine is unfair to none.

mod lapack;

use lapack::Vendor;
use rayon::prelude::*;
use std::ffi::{c_char, c_int, c_void};
use std::fmt::Write;
use std::ptr::from_ref;
use std::time::Instant;
use tephra_core::Operand;
use tephra_core::backend::cpu::Run;
use tephra_core::backend::{Kind, get};
use tephra_core::routine::{
    Alpha, Diag, Gemm, Gemv, Gesv, Getrf, Getri, Operation, Potrf, Potri, Side, Syrk, Trans, Trmm, Trsm, Trsv, Trtri,
    Uplo, Workspace,
};
use tephra_core::scalar::{C32, C64, Real, Scalar};

const BATCH: usize = 1000;

/// What is measured: the routine, and its flags in OpenBLAS's order.
type Case = (&'static str, &'static str);
const CASES: [Case; 25] = [
    ("gemm", "NN"),
    ("gemm", "TN"),
    ("gemm", "NT"),
    ("gemm", "TT"),
    ("potrf", "L"),
    ("potrf", "U"),
    ("getrf", ""),
    ("gesv", ""),
    ("getri", ""),
    ("potri", "L"),
    ("potri", "U"),
    ("trsm", "LLNN"),
    ("trsm", "LUTN"),
    ("trsm", "RUNN"),
    ("trmm", "LLNN"),
    ("trmm", "RUTN"),
    ("syrk", "LN"),
    ("syrk", "UT"),
    ("trtri", "LN"),
    ("trtri", "UN"),
    ("trsv", "LNN"),
    ("trsv", "LTN"),
    ("trsv", "UNN"),
    ("gemv", "N"),
    ("gemv", "T"),
];
/// What goes into the result files.
const COMMITTED: [&str; 4] = ["gemm", "potrf", "getrf", "gesv"];

/// A batch of matrices side by side.
fn random<T: Scalar>(n: usize, columns: usize, seed: u64, diagonal: f64) -> Vec<T> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let mut x: Vec<T> =
        (0..n * columns * BATCH).map(|_| T::new(T::Re::from_f64(next()), T::Re::from_f64(next()))).collect();
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

/// Multiplications of real numbers' case, doubled.
fn flops(op: &str, n: usize) -> f64 {
    let cube = (n as f64).powi(3);
    match op {
        "gemm" => 2.0 * cube,
        "potrf" => cube / 3.0,
        "getrf" | "potri" => cube * 2.0 / 3.0,
        "getri" => cube * 4.0 / 3.0,
        "gesv" => cube * 2.0 / 3.0 + 2.0 * (n * n) as f64,
        "trtri" => cube / 3.0,
        "gemv" => 2.0 * (n * n) as f64,
        "trsv" => (n * n) as f64,
        _ => cube,
    }
}

struct Row {
    library: String,
    case: Case,
    letter: char,
    n: usize,
    ms: f64,
}

/// Calls one of the vendor's functions for some members.
struct Loop {
    function: *mut c_void,
    case: Case,
    n: usize,
    bytes: usize,
    alpha: usize,
    zero: usize,
    a: usize,
    b: usize,
    c: usize,
    /// Interchanges that inverses begin with.
    ipiv: usize,
}

// SAFETY: each thread calls it for other members.
unsafe impl Sync for Loop {}

macro_rules! call {
    ($f:expr, $($t:ty: $x:expr),* $(,)?) => {
        std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($t),*)>($f)($($x),*)
    };
}

impl Loop {
    unsafe fn run(&self, members: std::ops::Range<usize>) {
        let (op, flags) = self.case;
        let flag: Vec<c_char> = flags.bytes().map(|x| x as c_char).collect();
        let f: Vec<*const c_char> = flag.iter().map(|x| x as *const c_char).collect();
        let n = self.n as c_int;
        let (n, one): (*const c_int, &c_int) = (&n, &1);
        let mut ipiv = vec![0 as c_int; self.n];
        // As ILAENV has it: blocks of 64.
        let (mut work, room) = (vec![0u8; 64 * self.n * self.bytes], 64 * self.n as c_int);
        let (alpha, zero) = (self.alpha as *const c_void, self.zero as *const c_void);
        let mut info: c_int = 0;
        for i in members {
            let each = self.n * self.n * self.bytes * i;
            let at = |p: usize, offset: usize| (p + offset) as *mut c_void;
            let (a, b, c) = (at(self.a, each), at(self.b, each), at(self.c, each));
            type I = *const c_int;
            type S = *const c_char;
            type P = *mut c_void;
            type Q = *const c_void;
            // SAFETY: BLAS's and LAPACK's interfaces, of compilers that pass characters' lengths last.
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
                    "gesv" => call!(self.function, I: n, I: one, P: a, I: n, *mut c_int: ipiv.as_mut_ptr(),
                        P: at(self.b, self.n * self.bytes * i), I: n, *mut c_int: &mut info),
                    "syrk" => {
                        call!(self.function, S: f[0], S: f[1], I: n, I: n, Q: alpha, P: a, I: n, Q: zero, P: c, I: n,
                        usize: 1, usize: 1)
                    }
                    "trtri" => {
                        call!(self.function, S: f[0], S: f[1], I: n, P: a, I: n, *mut c_int: &mut info, usize: 1, usize: 1)
                    }
                    "trsv" => call!(self.function, S: f[0], S: f[1], S: f[2], I: n, P: a, I: n,
                        P: at(self.b, self.n * self.bytes * i), I: one, usize: 1, usize: 1, usize: 1),
                    "gemv" => call!(self.function, S: f[0], I: n, I: n, Q: alpha, P: a, I: n,
                        P: at(self.b, self.n * self.bytes * i), I: one, Q: zero, P: at(self.c, self.n * self.bytes * i), I: one,
                        usize: 1),
                    _ => {
                        call!(self.function, S: f[0], S: f[1], S: f[2], S: f[3], I: n, I: n, Q: alpha, P: a, I: n, P: b, I: n,
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

fn measure<T: Scalar>(vendor: &Vendor, case: Case, n: usize) -> [Row; 2] {
    let (op, flags) = case;
    let (flag, dtype, batch, order, lda) = (flags.as_bytes(), T::DTYPE, BATCH as i64, n as i64, n as i64);
    // Cholesky factorisations and triangular systems need a heavy diagonal, LU's interchanges none.
    let diagonal = if matches!(op, "potrf" | "potri" | "getri" | "trsm" | "trmm" | "trtri" | "trsv") {
        2.0 * n as f64
    } else {
        0.0
    };
    let (a0, b0) = (random::<T>(n, n, 1, diagonal), random::<T>(n, n, 2, 0.0));
    let (mut a, mut b, mut c) = (a0.clone(), b0.clone(), vec![T::one(); a0.len()]);
    let mut ipiv: Vec<i32> = (0..n * BATCH).map(|at| (at % n + at * 7919 % (n - at % n) + 1) as i32).collect();
    let mut info = vec![0i32; BATCH];
    let (a_p, b_p, c_p) = (a.as_mut_ptr(), b.as_mut_ptr(), c.as_mut_ptr());
    let [of_a, of_b, of_c] = [a_p, b_p, c_p].map(|p| strided(p, n * n));
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
        "potri" => Operation::Potri(Potri { dtype, uplo: uplo(flag[0]), n: order, a: of_a, lda, info, batch, work }),
        "getri" => {
            let (n, c, ldc, ipiv) = (order, of_a, lda, pivots);
            Operation::Getri(Getri { dtype, n, a: of_a, lda, ipiv, c, ldc, info, batch, work })
        }
        "getrf" => {
            Operation::Getrf(Getrf { info, work, ..Getrf::of(dtype, (order, order), (of_a, lda), Some(pivots), batch) })
        }
        "gesv" => {
            let (b, ldb) = (strided(b_p, n), lda);
            Operation::Gesv(Gesv { dtype, n: order, nrhs: 1, a: of_a, lda, ipiv: pivots, b, ldb, info, batch, work })
        }
        "syrk" => Operation::Syrk(Syrk {
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
            let (m, n, a, b, ldb) = (order, order, of_a, of_b, lda);
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
                Operation::Trmm(Trmm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, batch })
            }
        }
    };
    let name = format!("{}{op}_", dtype.letter());
    let function = vendor.symbol(&name).expect("the function is in the library");
    let (alpha, none) = (T::one(), T::zero());
    let [alpha, zero] = [&alpha, &none].map(|x| from_ref(x) as usize);
    let theirs = Loop {
        function,
        case,
        n,
        bytes: size_of::<T>(),
        alpha,
        zero,
        a: a_p as usize,
        b: b_p as usize,
        c: c_p as usize,
        ipiv: ipiv.as_ptr() as usize,
    };
    let threads = threads();
    let share = |t: usize| t * BATCH / threads..(t + 1) * BATCH / threads;

    let restore = || {
        // SAFETY: buffers of the same lengths.
        unsafe {
            if !matches!(op, "gemm" | "gemv" | "syrk") {
                std::ptr::copy_nonoverlapping(a0.as_ptr(), a_p, a0.len());
                std::ptr::copy_nonoverlapping(b0.as_ptr(), b_p, b0.len());
            }
        }
    };
    let mut times = [vec![], vec![]];
    let start = Instant::now();
    while times[0].len() < 9 || (start.elapsed().as_secs_f64() < 0.5 && times[0].len() < 2000) {
        for (contender, times) in times.iter_mut().enumerate() {
            restore();
            let t = now(threads);
            // SAFETY: the operands are those above.
            match contender {
                0 => unsafe { Run::run(&*ours).unwrap() },
                _ if threads == 1 => unsafe { theirs.run(0..BATCH) },
                _ => (0..threads).into_par_iter().for_each(|t| unsafe { theirs.run(share(t)) }),
            }
            times.push((now(threads) - t) * 1e3);
        }
    }
    let row = |library: String, times: Vec<f64>| {
        let ms = times[2..].iter().copied().fold(f64::INFINITY, f64::min);
        Row { library, case, letter: dtype.letter(), n, ms }
    };
    let [ours, theirs] = times;
    [row("tephra-cpu".into(), ours), row(vendor.name(), theirs)]
}

/// Seconds since some time: the thread's own where there is one.
fn now(threads: usize) -> f64 {
    let clock = if threads == 1 { libc::CLOCK_THREAD_CPUTIME_ID } else { libc::CLOCK_MONOTONIC };
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: fills `t`.
    unsafe { libc::clock_gettime(clock, &mut t) };
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}

/// Of the CPU backend.
fn threads() -> usize {
    get(Kind::Cpu).unwrap().device_info(0).unwrap().multiprocessors as usize
}

fn measure_all(vendor: &Vendor, letters: &str, ops: &[&str], sizes: &[usize]) -> Vec<Row> {
    vendor.set_threads(1);
    let mut rows = vec![];
    for case in CASES.into_iter().filter(|(op, _)| ops.contains(op)) {
        for letter in letters.chars() {
            let (mut ratios, mut line) = (1.0, format!("{letter}{:<6}{:<5}", case.0, case.1));
            for &n in sizes {
                let [ours, theirs] = match letter {
                    's' => measure::<f32>(vendor, case, n),
                    'd' => measure::<f64>(vendor, case, n),
                    'c' => measure::<C32>(vendor, case, n),
                    'z' => measure::<C64>(vendor, case, n),
                    other => panic!("{other} is not one of s, d, c, z"),
                };
                let ratio = theirs.ms / ours.ms;
                ratios *= ratio;
                write!(line, " | {n:>4} {:>8.4} {:>6.1} GF {ratio:>5.2}", ours.ms, ours.gflops()).unwrap();
                rows.extend([ours, theirs]);
            }
            println!("{line} | mean {:.2}", f64::powf(ratios, 1.0 / sizes.len() as f64));
        }
    }
    rows
}

impl Row {
    fn gflops(&self) -> f64 {
        let complex = if "cz".contains(self.letter) { 4.0 } else { 1.0 };
        complex * flops(self.case.0, self.n) * BATCH as f64 / self.ms / 1e6
    }

    fn csv(&self, device: &str) -> String {
        let Row { library, case: (op, variant), letter, n, ms } = self;
        let (gflops, k) = (self.gflops(), if *op == "gemm" { *n } else { 0 });
        format!("{library},{letter},{op},{n},{n},{BATCH},{variant},{k},{ms:.5},{gflops:.3},1,{device}\n")
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
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let Some(vendor) = Vendor::open() else {
        println!("TEPHRA_LAPACK is not set: nothing to compare with, nothing written");
        return;
    };
    if args.is_empty() {
        // SAFETY: no other thread is there yet.
        unsafe { std::env::set_var("TEPHRA_NUM_THREADS", "1") };
    }
    if let [letters, ops, sizes @ ..] = args.as_slice() {
        let sizes: Vec<usize> = sizes.iter().map(|n| n.parse().expect("LETTERS OPERATIONS N ...")).collect();
        measure_all(&vendor, letters, &ops.split(',').collect::<Vec<_>>(), &sizes);
        return;
    }
    let device = device();
    for op in COMMITTED {
        let mut text = String::from("library,precision,op,m,n,batch,variant,k,ms,gflops,threads,cpu\n");
        let rows = measure_all(&vendor, "sdcz", &[op], &[8, 16, 32, 64]);
        text.extend(rows.iter().map(|row| row.csv(&device)));
        let path = format!("{}/results/cpu/{op}.csv", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(&path, text).unwrap();
        println!("written: {path}");
    }
}
