//! Tests the program with stand-ins for the driver and NVML (tests/recorder) and for a processor's energy counters, and
//! `tephra bench --energy` without them.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A temporary folder for one test, removed on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tephra-energy-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The program that cargo built.
fn built() -> PathBuf {
    env!("CARGO_BIN_EXE_tephra").into()
}

/// A command that finds the stand-in in `folder` under the names of the driver and of NVML.
fn command(program: &Path, folder: &Folder, line: &str) -> Command {
    let beside = |name| program.with_file_name(name);
    for name in ["libcuda.so.1", "libnvidia-ml.so.1"] {
        let link = folder.0.join(name);
        if !link.exists() {
            let recorder = beside("libtephra_recorder.so");
            assert!(recorder.exists(), "no stand-in driver: cargo build --workspace");
            symlink(recorder, link).unwrap();
        }
    }
    let mut command = Command::new(program);
    command.env_remove("TEPHRA_PLAN").env_remove("TEPHRA_LIBCUDA").env_remove("TEPHRA_LIBNVML");
    command.env("LD_LIBRARY_PATH", &folder.0).env("TEPHRA_BACKEND", "cuda");
    command.env("RECORDER_KERNELS", beside("kernels.txt")).args(line.split_whitespace());
    if line.starts_with("bench") {
        // The stand-in computes nothing, so results are not checked.
        command.args(["--samples", "0"]);
    }
    command
}

/// Runs the program on the stand-in without a vendor's library; `nvml` names what NVML lacks.
fn over_the_recorder(program: &Path, folder: &Folder, nvml: &str, line: &str) -> Output {
    let mut command = command(program, folder, line);
    if line.starts_with("bench") {
        command.arg("--no-vendor");
    }
    command.env("RECORDER_NVML", nvml).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn joules_stand_at_the_end_of_a_row() {
    let program = built();
    let folder = Folder::new("row");
    let csv = folder.0.join("energy.csv");
    // gemm overwrites no input, so no energy for restoring is subtracted.
    for (nvml, kind, line) in [
        ("", "counter", "--op gemm --m 8"),
        ("power", "power", "--op gemm --m 8"),
        ("", "counter", "--op geqrf --m 8"),
        ("", "counter", "--op posv"),
    ] {
        let command = format!("bench --energy --dtype d --n 8 --batch 100 {line} --out {}", csv.display());
        let output = over_the_recorder(&program, &folder, nvml, &command);
        assert!(output.status.success(), "{line}: {}", said(&output));
        assert!(said(&output).contains("uJ/matrix"), "{}", said(&output));
        let text = std::fs::read_to_string(&csv).unwrap();
        let (header, row) = text.trim_end().split_once('\n').unwrap();
        assert!(
            header.ends_with(
                ",plan,joules,joules_matrix,vendor_joules,energy_ratio,watts,idle_watts,restoring,energy_by"
            )
        );
        let fields: Vec<&str> = row.rsplit(',').take(8).collect();
        let [by, restoring, idle, watts, ratio, vendor, each, joules] = fields.try_into().unwrap();
        let [restoring, idle, watts, each, joules] =
            [restoring, idle, watts, each, joules].map(|x| x.parse::<f64>().unwrap_or_else(|_| panic!("{x}: {row}")));
        assert_eq!((by, ratio, vendor), (kind, "", ""), "{row}");
        assert!((watts - 500.0).abs() < 25.0 && (idle - 500.0).abs() < 25.0, "{row}");
        assert!((each * 100.0 / joules - 1.0).abs() < 1e-5, "{row}");
        assert_eq!(restoring > 0.0, !line.contains("gemm"), "{row}");
        // The range covers calls that take between a microsecond and a tenth of a second.
        assert!(!line.contains("gemm") || (1e-5..50.0).contains(&joules), "{row}");
    }
}

/// The library itself stands in for the vendor's, because it has the same functions.
#[test]
fn the_vendors_stand_beside() {
    let program = built();
    let folder = Folder::new("vendor");
    let (csv, library) = (folder.0.join("vendor.csv"), program.with_file_name("libtephra.so"));
    for (options, libraries) in [
        ("--op geqrf --m 4096 --n 8 --batch 3", &["tephra", "cublas", "cusolver"][..]),
        ("--op geqrf --m 64 --n 8 --batch 3", &["tephra", "cublas"]),
        ("--op potrf --n 64 --batch 3", &["tephra", "cusolver"]),
        ("--op trmm --m 8 --n 8 --batch 3", &["tephra"]),
    ] {
        let line = format!("bench --energy --dtype d {options} --out {}", csv.display());
        let mut command = command(&program, &folder, &line);
        command.env("TEPHRA_VENDOR_CUBLAS", &library).env("TEPHRA_VENDOR_CUSOLVER", &library);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{options}: {}", said(&output));
        let text = std::fs::read_to_string(&csv).unwrap();
        let named: Vec<&str> = text.lines().skip(1).map(|row| row.split(',').next().unwrap()).collect();
        assert_eq!(named, libraries, "{text}");
        // The vendor's joules are in the library's row and in the vendor's own.
        let vendor = text.lines().nth(1).unwrap().rsplit(',').nth(5).unwrap();
        assert_eq!(vendor.parse::<f64>().is_ok(), libraries.len() > 1, "{text}");
    }
}

/// Covers all vendor functions: they reject wrong arguments even if nothing is computed.
#[test]
fn the_vendors_take_their_arguments() {
    let program = built();
    let folder = Folder::new("arguments");
    let (csv, library) = (folder.0.join("vendors.csv"), program.with_file_name("libtephra.so"));
    for (options, vendor) in [
        ("geqrf --m 9 --n 7", "cublas"),
        ("gels --m 9 --n 7 --nrhs 2", "cublas"),
        ("trsm --m 9 --n 7 --side right --uplo lower --trans c --diag unit", "cublas"),
        ("getrf --m 9 --n 9", "cublas"),
        ("getrf_nopiv --m 9 --n 9", "cublas"),
        ("getrs --n 9 --nrhs 2 --trans t", "cublas"),
        ("gesv --n 9 --nrhs 2", "cublas"),
        ("gesv_rbt --n 9 --nrhs 2", "cublas"),
        ("getri --n 9", "cublas"),
        ("inv --n 9", "cublas"),
        ("inv --n 40", "cublas"),
        ("gemm --m 9 --n 7 --k 5 --trans c --trans-b t", "cublas"),
        ("gemv --m 9 --n 7 --trans c", "cublas"),
        ("syrk --n 9 --k 5", "cublas"),
        ("herk --n 9 --k 5 --trans c", "cublas"),
        ("potrf --n 9 --uplo upper", "cusolver"),
        ("potrs --n 9", "cusolver"),
        ("posv --n 9", "cusolver"),
    ] {
        let line = format!("bench --dtype z --batch 3 --op {options} --out {}", csv.display());
        let mut command = command(&program, &folder, &line);
        command.env("TEPHRA_VENDOR_CUBLAS", &library).env("TEPHRA_VENDOR_CUSOLVER", &library);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{options}: {}", said(&output));
        let text = std::fs::read_to_string(&csv).unwrap();
        assert!(text.lines().nth(2).is_some_and(|row| row.starts_with(vendor)), "{options}: {}", said(&output));
    }
}

#[test]
fn plans_are_those_of_the_options() {
    let program = built();
    let folder = Folder::new("plans");
    for (options, words) in [
        ("--op gemm --m 64 --n 48 --k 16", "64 x 48, 16 terms"),
        ("--op gemm --m 64 --n 1 --k 16 --trans t", "64 rows, 16 terms"),
        ("--op orgqr --m 64 --n 32 --k 7", "launch"),
        ("--op gesv --m 100 --n 100 --nrhs 90", "parts"),
        ("--op gels_iterative --m 4096 --n 32 --nrhs 3", "A^H A of 4096 x 32"),
    ] {
        let csv = folder.0.join("plan.csv");
        let explained = over_the_recorder(&program, &folder, "", &format!("explain --dtype d --batch 1000 {options}"));
        assert!(explained.status.success() && said(&explained).contains(words), "{options}: {}", said(&explained));
        let line = format!("bench --dtype d --batch 1000 {options} --out {}", csv.display());
        let output = over_the_recorder(&program, &folder, "", &line);
        assert!(output.status.success(), "{options}: {}", said(&output));
        // The column has the same text on one line, truncated.
        let text = std::fs::read_to_string(&csv).unwrap();
        let first = said(&explained).lines().find_map(|l| l.contains(words).then(|| l.trim().to_owned())).unwrap();
        let shown: String = first.chars().take(60).collect();
        assert!(text.contains(&shown), "{options}: {shown}\n{text}");
    }
    let none = over_the_recorder(&program, &folder, "", "explain --dtype d --m 8 --n 8 --batch 9 --k 3");
    assert!(none.status.code() == Some(2) && said(&none).contains("dgeqrf has no --k 3"), "{}", said(&none));
}

/// Covers orders and numbers of right-hand sides around the limits of kernels.
#[test]
fn right_hand_sides_are_served_in_any_number() {
    let program = built();
    let folder = Folder::new("sides");
    for op in ["posv", "potrs", "getrs", "gesv", "gesv_rbt", "gels", "gels_iterative"] {
        for (n, nrhs) in [17, 24, 32, 33].into_iter().flat_map(|n| [1, 15, 16, 17, 33].map(|nrhs| (n, nrhs))) {
            // The order of square matrices may be given by either size.
            let size = if op.starts_with("gels") { format!("--m {n} --n {n}") } else { format!("--m {n}") };
            let line = format!("bench --dtype z --batch 100 --op {op} {size} --nrhs {nrhs} --budget 0");
            let output = over_the_recorder(&program, &folder, "", &line);
            assert!(output.status.success(), "{line}: {}", said(&output));
            let case = format!("z{op} {n}x{n}|{nrhs} x 100");
            assert!(said(&output).contains(&case) && said(&output).contains("1 case measured, 0 failed"), "{line}");
        }
    }
}

#[test]
fn what_is_missing_is_named() {
    let program = built();
    let folder = Folder::new("missing");
    let line = "bench --energy --dtype d --m 8 --n 8 --batch 10";
    let output = over_the_recorder(&program, &folder, "none", line);
    assert_eq!(output.status.code(), Some(2));
    let text = said(&output);
    assert!(text.contains("nvmlDeviceGetHandleByPciBusId(0000:1A:00.0)") && text.contains("Not Found"), "{text}");
    // Without NVML.
    std::fs::remove_file(folder.0.join("libnvidia-ml.so.1")).unwrap();
    std::fs::write(folder.0.join("libnvidia-ml.so.1"), "").unwrap();
    let output = over_the_recorder(&program, &folder, "", line);
    assert_eq!(output.status.code(), Some(2));
    let text = said(&output);
    assert!(text.contains("NVML") && text.contains("libnvidia-ml.so.1") && text.contains("TEPHRA_LIBNVML"), "{text}");
    // On the CPU backend without energy counters, and with one that never changes.
    let zone = folder.0.join("powercap/intel-rapl:0");
    let on_processors = || {
        let mut command = Command::new(&program);
        command.env("TEPHRA_BACKEND", "cpu").env("TEPHRA_POWERCAP", zone.parent().unwrap());
        let output = command.args(line.split(' ')).arg("--no-vendor").output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        said(&output)
    };
    let text = on_processors();
    assert!(text.contains("RAPL") && text.contains("powercap") && text.contains("No such file"), "{text}");
    std::fs::create_dir_all(&zone).unwrap();
    for (file, content) in [("name", "package-0"), ("max_energy_range_uj", "262143328850"), ("energy_uj", "5")] {
        std::fs::write(zone.join(file), content).unwrap();
    }
    let text = on_processors();
    assert!(text.contains("did not change"), "{text}");
}

/// A thread that advances a counter at 50 W stands in for a processor.
#[test]
fn on_the_cpu_a_processors_counter_is_read() {
    let program = built();
    let folder = Folder::new("rapl");
    let zone = folder.0.join("intel-rapl:0");
    std::fs::create_dir_all(&zone).unwrap();
    let start = std::time::Instant::now();
    let count = || {
        let now = start.elapsed().as_micros() * 50 % 40_000_001; // wraps within a run
        std::fs::write(zone.join("next"), now.to_string()).unwrap();
        std::fs::rename(zone.join("next"), zone.join("energy_uj")).unwrap();
    };
    for (file, content) in [("name", "package-0"), ("max_energy_range_uj", "40000000")] {
        std::fs::write(zone.join(file), content).unwrap();
    }
    count();
    let (csv, done) = (folder.0.join("rapl.csv"), std::sync::atomic::AtomicBool::new(false));
    let output = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                count();
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        });
        let line =
            format!("bench --energy --dtype d --op geqrf --n 8 --m 8 --batch 10 --no-vendor --out {}", csv.display());
        let mut command = Command::new(&program);
        command.env("TEPHRA_BACKEND", "cpu").env("TEPHRA_POWERCAP", &folder.0).args(line.split(' '));
        let output = command.output();
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        output.unwrap()
    });
    assert!(output.status.success(), "{}", said(&output));
    let text = std::fs::read_to_string(&csv).unwrap();
    let fields: Vec<&str> = text.trim_end().rsplit(',').take(4).collect();
    let [by, _, idle, watts] = fields.try_into().unwrap();
    let [idle, watts] = [idle, watts].map(|x| x.parse::<f64>().unwrap_or_else(|_| panic!("{x}: {text}")));
    assert!(by == "counter" && (watts - 50.0).abs() < 10.0 && (idle - 50.0).abs() < 10.0, "{text}");
}

/// Every plan is tried in turn; with the stand-in, which computes nothing, all results are wrong.
#[test]
fn tuning_goes_through_the_plans() {
    let program = built();
    let folder = Folder::new("tune");
    let csv = folder.0.join("tune.csv");
    for (op, shape, plans) in [
        (
            "getrf",
            "64x64 x 1000",
            &["resident=getrf_team_d_64x64", "resident=getrf_left_looking_d_128x128", "blocked"][..],
        ),
        ("potrf", "128x128 x 1000", &["resident=potrf_team_d_128", "blocked=32", "blocked=64"]),
        ("gemm", "64x64x64 NN x 1000", &["tiles=gemm_d_64x64", "tiles=gemm_d_16x16", "lanes=gemm_lanes_d_8x8x8"]),
    ] {
        let line = format!("tune --op {op} --grid small --precisions d --seconds 20 --out {}", csv.display());
        let output = over_the_recorder(&program, &folder, "", &line);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        for plan in plans {
            assert!(text.contains(&format!("d{op} {shape}: {plan} is wrong")), "{plan}: {text}");
        }
    }
    let refused = over_the_recorder(&program, &folder, "", &format!("tune --op trsm --out {}", csv.display()));
    assert!(refused.status.code() == Some(2) && said(&refused).contains("getrf, getrf_nopiv, potrf, gemm"));
}
