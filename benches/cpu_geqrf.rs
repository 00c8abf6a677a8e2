//! The CPU backend compared with LAPACK's `?geqrf` called for each matrix of the batch, on the same number of threads.
//!
//! `TEPHRA_LAPACK=/path/to/libscipy_openblas.so cargo bench --no-default-features --bench cpu_geqrf` measures the
//! standard grid, on all threads and on one, and writes `results/cpu/geqrf.csv` (`--out FOLDER` selects another
//! folder). MKL is measured too if `TEPHRA_MKL=/path/to/libmkl_rt.so.3` names it (`cpu_blas.rs` lists what a machine
//! without cargo needs). Arguments `LETTERS MxNxBATCH ...` (for example `d 96x96x200 500x20x1000`) measure other shapes
//! on `TEPHRA_NUM_THREADS` threads and only print. The matrices are divided among the threads, each of which calls a
//! single-threaded LAPACK. If OpenBLAS has its own threads, it is also measured with those, one matrix after another.

mod lapack;

use lapack::Vendor;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::ffi::{c_int, c_void};
use std::fmt::Write;
use std::process::Command;
use std::time::Instant;
use tephra_core::backend::{Kind, get};
use tephra_core::scalar::{C32, C64, Real, Scalar};
use tephra_core::{Dtype, Geqrf, Math, Operand, Stream};

/// LAPACK's `?geqrf` with 32-bit integers.
type Lapack = unsafe extern "C" fn(
    *const c_int,
    *const c_int,
    *mut c_void,
    *const c_int,
    *mut c_void,
    *mut c_void,
    *const c_int,
    *mut c_int,
);

#[derive(Clone, Copy)]
struct Shape {
    m: usize,
    n: usize,
    batch: usize,
}

struct Row {
    library: String,
    /// The kernels that the library has chosen.
    core: String,
    dtype: Dtype,
    shape: Shape,
    ms: f64,
    best_ms: f64,
    gflops: f64,
}

/// LAPACK's operation count for real QR; complex QR has four times as many.
fn flops(dtype: Dtype, s: Shape) -> f64 {
    let (m, n) = (s.m.max(s.n) as f64, s.m.min(s.n) as f64);
    let real = 2.0 * n * n * (m - n / 3.0);
    (if dtype.is_complex() { 4.0 } else { 1.0 }) * real * s.batch as f64
}

/// The median and the minimum time in ms over at least 7 runs and half a second, after two warm-up runs; `restore` is
/// not timed.
fn time_ms(mut restore: impl FnMut(), mut run: impl FnMut()) -> (f64, f64) {
    let mut times = vec![];
    let start = Instant::now();
    while times.len() < 9 || (start.elapsed().as_secs_f64() < 0.7 && times.len() < 500) {
        restore();
        let t = Instant::now();
        run();
        times.push(t.elapsed().as_secs_f64() * 1e3);
    }
    let mut times = times.split_off(2);
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[0])
}

fn measure<T: Scalar>(vendors: &[Vendor], s: Shape, rows: &mut Vec<Row>) {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        T::Re::from_f64((state >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
    };
    let input: Vec<T> = (0..s.m * s.n * s.batch).map(|_| T::new(next(), next())).collect();
    let k = s.m.min(s.n);
    let mut tau = vec![T::zero(); k * s.batch];
    let mut row = |library: String, core: String, (ms, best_ms): (f64, f64)| {
        rows.push(Row { library, core, dtype: T::DTYPE, shape: s, ms, best_ms, gflops: flops(T::DTYPE, s) / ms / 1e6 })
    };

    // Both contenders use one buffer; `restore` writes it while the other closure holds its address.
    let mut a = input.clone();
    let (a_p, tau_p) = (a.as_mut_ptr(), tau.as_mut_ptr());
    let restore = || unsafe { std::ptr::copy_nonoverlapping(input.as_ptr(), a_p, input.len()) };
    let p = Geqrf {
        dtype: T::DTYPE,
        m: s.m as i64,
        n: s.n as i64,
        a: Operand::Strided { base: a_p.cast(), stride: (s.m * s.n) as i64 },
        lda: s.m as i64,
        tau: Operand::Strided { base: tau_p.cast(), stride: k as i64 },
        batch: s.batch as i64,
        info: std::ptr::null_mut(),
        sizes: None,
        math: Math::Fp32,
    };
    let cpu = get(Kind::Cpu).unwrap();
    let ours = || unsafe { tephra_core::face::call::geqrf("geqrf", cpu, &p, Stream(std::ptr::null_mut())).unwrap() };
    row("tephra-cpu".into(), String::new(), time_ms(restore, ours));

    for vendor in vendors {
        let geqrf = vendor.symbol(&format!("{}geqrf_", T::DTYPE.letter())).expect("?geqrf is in the library");
        // SAFETY: the type matches LAPACK's interface.
        let geqrf = unsafe { std::mem::transmute::<*mut c_void, Lapack>(geqrf) };
        let (m, n, lwork) = (s.m as c_int, s.n as c_int, 64 * s.n.max(s.m) as c_int);
        let (a_at, tau_at) = (a_p as usize, tau_p as usize); // stored as addresses, so that threads may share them
        let factor = |members: std::ops::Range<usize>| {
            let mut work = vec![T::zero(); lwork as usize];
            for b in members {
                let mut info = 0;
                // SAFETY: sizes as LAPACK documents; each member belongs to one thread.
                unsafe {
                    let (a, tau) = ((a_at as *mut T).add(b * s.m * s.n), (tau_at as *mut T).add(b * k));
                    geqrf(&m, &n, a.cast(), &m, tau.cast(), work.as_mut_ptr().cast(), &lwork, &mut info);
                }
                assert_eq!(info, 0);
            }
        };
        let threads = threads();
        let own_threads = vendor.set_threads(1);
        let share = |t: usize| t * s.batch / threads..(t + 1) * s.batch / threads;
        let shared_out = || (0..threads).into_par_iter().for_each(|t| factor(share(t)));
        row(vendor.name(), vendor.core(), time_ms(restore, shared_out));
        if own_threads && threads > 1 {
            vendor.set_threads(threads as c_int);
            row(format!("{}-own-threads", vendor.name()), vendor.core(), time_ms(restore, || factor(0..s.batch)));
        }
    }
}

/// The number of threads of the CPU backend.
fn threads() -> usize {
    get(Kind::Cpu).unwrap().device_info(0).unwrap().multiprocessors as usize
}

fn measure_all(vendors: &[Vendor], letters: &str, shapes: &[Shape]) -> Vec<Row> {
    let mut rows = vec![];
    println!(
        "{:>30} {:>2} {:>18} {:>10} {:>10} {:>9} {:>8}",
        "library", "", "m x n x batch", "best ms", "ms", "GFLOP/s", "ratio"
    );
    for letter in letters.chars() {
        for &s in shapes {
            let from = rows.len();
            match letter {
                's' => measure::<f32>(vendors, s, &mut rows),
                'd' => measure::<f64>(vendors, s, &mut rows),
                'c' => measure::<C32>(vendors, s, &mut rows),
                'z' => measure::<C64>(vendors, s, &mut rows),
                other => panic!("{other} is not one of s, d, c, z"),
            }
            for r in &rows[from..] {
                let shape = format!("{} x {} x {}", s.m, s.n, s.batch);
                let ratio = r.ms / rows[from].ms;
                println!(
                    "{:>30} {letter:>2} {shape:>18} {:>10.4} {:>10.4} {:>9.2} {ratio:>8.2}",
                    r.library, r.best_ms, r.ms, r.gflops
                );
            }
        }
    }
    rows
}

fn csv(rows: &[Row]) -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let flags = cpuinfo.lines().find(|l| l.starts_with("flags")).unwrap_or_default();
    let simd =
        ["avx512f", "avx2"].into_iter().find(|f| flags.split_whitespace().any(|x| x == *f)).unwrap_or("baseline");
    let info = get(Kind::Cpu).unwrap().device_info(0).unwrap();
    let mut text = String::new();
    for Row { library, core, dtype, shape: Shape { m, n, batch }, ms, best_ms, gflops } in rows {
        let (letter, threads, cpu) = (dtype.letter(), threads(), info.name.replace(',', " "));
        writeln!(
            text,
            "{library},{letter},qr,{m},{n},{batch},{ms:.5},{gflops:.3},{best_ms:.5},{threads},{cpu} ({simd}),{core}"
        )
        .unwrap();
    }
    text
}

fn main() {
    let (args, out) = lapack::arguments();
    let vendors: Vec<Vendor> = [Vendor::open(), Vendor::open_mkl()].into_iter().flatten().collect();
    if let Some((letters, shapes)) = args.split_first() {
        let shape = |text: &String| {
            let x: Vec<usize> = text.split('x').map(|x| x.parse().expect("MxNxBATCH")).collect();
            Shape { m: x[0], n: x[1], batch: x[2] }
        };
        measure_all(&vendors, letters, &shapes.iter().map(shape).collect::<Vec<_>>());
        return;
    }
    if vendors.is_empty() {
        println!("neither TEPHRA_LAPACK nor TEPHRA_MKL is set: nothing to compare with, nothing written");
        return;
    }
    // The number of threads is fixed for a process, so each number runs in a child process, which leaves its rows in a
    // file.
    if let Some(path) = std::env::var_os(ROWS) {
        let square = |n| Shape { m: n, n, batch: 1000 };
        let rows = measure_all(&vendors, "sdcz", &[4, 8, 16, 32, 33, 64].map(square));
        std::fs::write(path, csv(&rows)).unwrap();
        return;
    }
    let mut text = String::from("library,precision,op,m,n,batch,ms,gflops,best_ms,threads,cpu,core\n");
    for count in BTreeSet::from([1, threads()]).into_iter().rev() {
        println!("{count} threads");
        let rows = std::env::temp_dir().join(format!("tephra-cpu-{}-{count}.csv", std::process::id()));
        let mut child = Command::new(std::env::current_exe().unwrap());
        let status = child.env(ROWS, &rows).env("TEPHRA_NUM_THREADS", count.to_string()).status().unwrap();
        assert!(status.success());
        text += &std::fs::read_to_string(&rows).unwrap();
        std::fs::remove_file(&rows).unwrap();
    }
    let path = out.join("geqrf.csv");
    std::fs::create_dir_all(&out).unwrap();
    std::fs::write(&path, text).unwrap();
    println!("written: {}", path.display());
}

/// Names the file for the rows of a child process.
const ROWS: &str = "TEPHRA_BENCH_ROWS";
