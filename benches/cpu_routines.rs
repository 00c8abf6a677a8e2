//! The cost of the CPU backend's routines that follow QR, relative to QR itself: one thread, batches of small matrices.
//!
//! `cargo bench --no-default-features --bench cpu_routines` prints a table and writes `results/cpu/routines.csv`.
//! Arguments `LETTERS MxN ...` (for example `d 8x8 1024x1024`) measure other shapes and only print;
//! `TEPHRA_NUM_THREADS` sets the number of threads. Each time is the minimum over many rounds in which the routines
//! take turns, so that other load on the machine favours none of them.

use std::fmt::Write;
use std::ptr::null_mut;
use std::time::Instant;
use tephra_core::backend::{Kind, cpu, get};
use tephra_core::routine::{
    Alpha, Diag, Gels, Operation, Orgqr, QPart, Qr, QrStage, Side, Trans, Trsm, Uplo, Workspace,
};
use tephra_core::scalar::{C32, C64, Real, Scalar};
use tephra_core::{Dtype, Geqrf, Math, Operand};

#[derive(Clone, Copy)]
struct Shape {
    m: usize,
    n: usize,
}

impl Shape {
    /// As many matrices as make about 640,000 elements, at most 10,000.
    fn batch(self) -> usize {
        (640_000 / (self.m * self.n)).clamp(1, 10_000)
    }
}

/// A routine, its time limit relative to geqrf's, and its minimum time.
struct Row {
    op: &'static str,
    aim: Option<f64>,
    ms: f64,
}

/// A batch of contiguous matrices.
struct Batch<T> {
    x: Vec<T>,
    stride: usize,
}

impl<T: Scalar> Batch<T> {
    fn random(rows: usize, columns: usize, batch: usize, seed: u64) -> Self {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            T::Re::from_f64((state >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
        };
        let stride = rows * columns;
        Batch { x: (0..stride * batch).map(|_| T::new(next(), next())).collect(), stride }
    }
    fn operand(&mut self) -> Operand {
        Operand::Strided { base: self.x.as_mut_ptr().cast(), stride: self.stride as i64 }
    }
    fn copy_from(&mut self, o: &Batch<T>) {
        self.x.copy_from_slice(&o.x);
    }
}

fn measure<T: Scalar>(s: Shape) -> Vec<Row> {
    let (m, n, batch, dtype) = (s.m as i64, s.n as i64, s.batch() as i64, T::DTYPE);
    let a0 = Batch::<T>::random(s.m, s.n, s.batch(), 1);
    let b0 = Batch::<T>::random(s.m, 1, s.batch(), 2);
    let (mut a, mut b) = (Batch::<T>::random(s.m, s.n, s.batch(), 1), Batch::<T>::random(s.m, 1, s.batch(), 2));
    let mut reflectors = Batch::<T>::random(s.m, s.n, s.batch(), 1);
    let mut q = Batch::<T>::random(s.m, s.n, s.batch(), 3);
    let mut r = Batch::<T>::random(s.n, s.n, s.batch(), 4);
    let (mut tau, mut info) = (Batch::<T>::random(s.n, 1, s.batch(), 5), vec![0; s.batch()]);
    let run = |op: &Operation| unsafe { cpu::of(op).run().unwrap() };
    // Well-conditioned triangles, and valid reflectors.
    let mut triangles = Batch::<T>::random(s.n, s.n, s.batch(), 6);
    for (at, x) in triangles.x.iter_mut().enumerate() {
        let (i, j) = (at % (s.n * s.n) % s.n, at % (s.n * s.n) / s.n);
        *x = if i == j { T::one() + T::one() } else { x.scaled(T::Re::from_f64(1.0 / s.n as f64)) };
    }
    let (work, info_p) = (Workspace::NONE, info.as_mut_ptr());
    let (a_p, b_p, q_p, r_p, tau_p) = (a.operand(), b.operand(), q.operand(), r.operand(), tau.operand());
    let geqrf =
        Geqrf { dtype, m, n, a: a_p, lda: m, tau: tau_p, batch, sizes: None, info: null_mut(), math: Math::Fp32 };
    let explicit = |part| Qr {
        dtype,
        m,
        n,
        part,
        stage: QrStage::Whole,
        a: a_p,
        lda: m,
        q: q_p,
        ldq: m,
        r: r_p,
        ldr: n,
        batch,
        work,
    };
    let gels = Gels {
        dtype,
        trans: Trans::N,
        m,
        n,
        nrhs: 1,
        a: a_p,
        lda: m,
        b: b_p,
        ldb: m,
        info: info_p,
        sizes: None,
        batch,
        work,
    };
    let trsm = |columns: i64, b: Operand| Trsm {
        dtype,
        side: Side::Left,
        uplo: Uplo::Upper,
        trans: Trans::N,
        diag: Diag::NonUnit,
        m: n,
        n: columns,
        alpha: Alpha::host(T::one()),
        a: r_p,
        lda: n,
        b,
        ldb: m,
        sizes: None,
        batch,
    };
    let ops = [
        ("geqrf", None, Operation::Geqrf(geqrf)),
        (
            "orgqr",
            Some(1.3),
            Operation::Orgqr(Orgqr { dtype, m, n, k: n, a: a_p, lda: m, sizes: None, tau: tau_p, batch }),
        ),
        ("r", Some(1.3), Operation::Qr(explicit(QPart::None))),
        ("qr", Some(2.8), Operation::Qr(explicit(QPart::Thin))),
        ("gels1", Some(1.8), Operation::Gels(gels)),
        ("trsm1", None, Operation::Trsm(trsm(1, b_p))),
        ("trsmn", None, Operation::Trsm(trsm(n, a_p))),
    ];
    let mut rows: Vec<Row> = ops.iter().map(|&(op, aim, _)| Row { op, aim, ms: f64::INFINITY }).collect();
    let start = Instant::now();
    let mut rounds = 0;
    while rounds < 5 || (start.elapsed().as_secs_f64() < 1.0 && rounds < 1000) {
        rounds += 1;
        for (row, (name, _, op)) in rows.iter_mut().zip(&ops) {
            // Several calls in sequence, as in a program's loop, so that the operands may be in cache.
            for _ in 0..4 {
                a.copy_from(if *name == "orgqr" { &reflectors } else { &a0 });
                b.copy_from(&b0);
                if name.starts_with("trsm") {
                    r.copy_from(&triangles);
                }
                let t = Instant::now();
                run(op);
                row.ms = row.ms.min(t.elapsed().as_secs_f64() * 1e3);
            }
            if *name == "geqrf" {
                reflectors.copy_from(&a);
            }
        }
    }
    rows
}

fn main() {
    if std::env::var_os("TEPHRA_NUM_THREADS").is_none() {
        // SAFETY: there are no other threads yet.
        unsafe { std::env::set_var("TEPHRA_NUM_THREADS", "1") };
    }
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let cpu = get(Kind::Cpu).unwrap();
    let square = |n| Shape { m: n, n };
    let mut shapes: Vec<Shape> = [4, 8, 16, 24, 32].map(square).to_vec();
    shapes.extend([Shape { m: 16, n: 4 }, Shape { m: 32, n: 8 }, Shape { m: 48, n: 16 }]);
    if args.len() > 1 {
        let number = |x: &str| x.parse().expect("LETTERS MxN ...");
        let shape = |text: &String| text.split_once('x').map(|(m, n)| Shape { m: number(m), n: number(n) });
        shapes = args[1..].iter().map(|text| shape(text).expect("MxN")).collect();
    }
    let letters = args.first().map_or("sdcz", String::as_str);
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let flags = cpuinfo.lines().find(|l| l.starts_with("flags")).unwrap_or_default();
    let simd =
        ["avx512f", "avx2"].into_iter().find(|f| flags.split_whitespace().any(|x| x == *f)).unwrap_or("baseline");
    let info = cpu.device_info(0).unwrap();
    let (name, threads) = (info.name.replace(',', " "), info.multiprocessors);
    let mut text = String::from("library,precision,op,m,n,batch,best_ms,over_geqrf,aim,threads,cpu\n");
    let mut missed = 0;
    for letter in letters.chars() {
        for &s in &shapes {
            let dtype = Dtype::ALL.into_iter().find(|d| d.letter() == letter).expect("LETTERS of s, d, c, z");
            let rows = match dtype {
                Dtype::S => measure::<f32>(s),
                Dtype::D => measure::<f64>(s),
                Dtype::C => measure::<C32>(s),
                Dtype::Z => measure::<C64>(s),
            };
            print!("{letter} {:>8} x {:<6}", format!("{}x{}", s.m, s.n), s.batch());
            for Row { op, aim, ms } in &rows {
                let over = ms / rows[0].ms;
                let late = aim.is_some_and(|aim| over > aim);
                missed += late as usize;
                print!("  {op} {ms:.3} ({over:.2}{})", if late { "!" } else { "" });
                let aim = aim.map_or(String::new(), |x| x.to_string());
                writeln!(
                    text,
                    "tephra-cpu,{letter},{op},{},{},{},{ms:.5},{over:.3},{aim},{threads},{name} ({simd})",
                    s.m,
                    s.n,
                    s.batch()
                )
                .unwrap();
            }
            println!();
        }
    }
    println!("{missed} above their aim (marked !)");
    if args.is_empty() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/results/cpu/routines.csv");
        std::fs::write(path, text).unwrap();
        println!("written: {path}");
    }
}
