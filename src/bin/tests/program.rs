//! Tests that run the built `tephra` program as a user does, on the CPU backend.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tephra_testkit::lapack::Lapack;
use tephra_testkit::matrices::Class;

/// A temporary folder for one test, removed on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tephra-program-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().into()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The program that cargo built, or `../bin/tephra` next to this test if it was moved to another machine.
fn path() -> PathBuf {
    let built = PathBuf::from(env!("CARGO_BIN_EXE_tephra"));
    if built.exists() { built } else { std::env::current_exe().unwrap().with_file_name("../bin/tephra") }
}

fn program() -> Command {
    let mut command = Command::new(path());
    command.env("TEPHRA_BACKEND", "cpu").env_remove("TEPHRA_LAPACK").env_remove("TEPHRA_PLAN");
    command
}

fn tephra(line: &str) -> Output {
    program().args(line.split_whitespace()).output().unwrap()
}

/// Asserts that a run succeeded and returns its standard output.
fn success(output: Output) -> String {
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{:?}\n{out}\n{err}", output.status);
    out
}

/// Asserts that a run exited with `code` and returns its standard error.
fn failure(output: Output, code: i32) -> String {
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{err}");
    err
}

/// The rows of a result file, by column name. Only the last field, the plan, is quoted.
fn rows(path: &str) -> Vec<HashMap<String, String>> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let header: Vec<String> = lines.next().unwrap().split(',').map(String::from).collect();
    let row = |line: &str| header.iter().cloned().zip(line.splitn(header.len(), ',').map(String::from)).collect();
    lines.map(row).collect()
}

/// Whether a row has this rate, which is written with three decimals.
fn tells(row: &HashMap<String, String>, gflops: f64) -> bool {
    (number(row, "gflops") - gflops).abs() < 0.01 * gflops + 0.0005
}

fn number(row: &HashMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column} is '{}'", row[column]))
}

#[test]
fn info_says_what_is_installed() {
    let text = success(tephra("info"));
    assert!(text.contains("libtephra.so") && text.contains(env!("CARGO_PKG_VERSION")), "{text}");
    assert!(text.contains("backend    cpu"), "{text}");
    assert!(text.contains("threads"), "{text}");
}

#[test]
fn explain_prints_a_plan_of_the_backend() {
    let small = success(tephra("explain --op geqrf --dtype d --m 8 --n 8 --batch 1000"));
    let large = success(tephra("explain --op geqrf --dtype d --m 600 --n 500 --batch 10"));
    assert!(small.contains("unblocked") || small.contains("blocked"), "{small}");
    assert_ne!(small, large);
    success(tephra("explain --op ungqr --dtype z --m 8 --n 8 --batch 1"));
    let unknown = failure(tephra("explain --op gesvd --dtype d --m 8 --n 8 --batch 1"), 2);
    assert!(unknown.contains("ormqr"), "the known ones are listed: {unknown}");
    failure(tephra("explain --dtype q --m 8 --n 8 --batch 1"), 2);
}

#[test]
fn a_missing_library_is_named() {
    let err = failure(tephra("--library /nonexistent/libtephra.so info"), 2);
    assert!(!err.contains("TEPHRA_LIBRARY"), "it was an option that named the file: {err}");
    assert!(err.contains("/nonexistent/libtephra.so"), "{err}");
}

#[test]
fn bench_measures_checks_and_resumes() {
    let folder = Folder::new("bench");
    let csv = folder.file("results.csv");
    let shape = "--op geqrf --m 33 --n 20 --batch 50 --lda 40";
    let text = success(tephra(&format!("bench --dtype z {shape} --out {csv}")));
    assert!(text.contains("zgeqrf 33x20 x 50") && text.contains("1 case measured, 0 failed"), "{text}");
    let first = rows(&csv);
    assert_eq!(first.len(), 1);
    let row = &first[0];
    for (column, value) in
        [("library", "tephra"), ("precision", "z"), ("op", "qr"), ("m", "33"), ("n", "20"), ("lda", "40")]
    {
        assert_eq!(row[column], value, "{column}");
    }
    let flops = 4.0 * 50.0 * (2.0 * 33.0 * 400.0 - 2.0 / 3.0 * 8000.0);
    let gflops = flops / number(row, "ms") * 1e-6;
    assert!(tells(row, gflops), "{row:?}");
    assert!(number(row, "repeats") >= 5.0, "{row:?}");
    for ratio in ["ratio_residual", "ratio_orthogonality"] {
        assert!(number(row, ratio) > 0.0 && number(row, ratio) < 30.0, "{row:?}");
    }
    assert_eq!(row["vendor_ms"], "", "nothing ran beside it");
    assert!(row["plan"].contains(": taken"), "{row:?}");

    let again = success(tephra(&format!("bench --dtype z {shape} --out {csv} --append")));
    assert!(again.contains("0 cases measured"), "{again}");
    let strided = success(tephra(&format!("bench --dtype z {shape} --strided --out {csv}.strided --append")));
    assert!(strided.contains("1 case measured, 0 failed"), "{strided}");
    assert_eq!(rows(&format!("{csv}.strided"))[0]["library"], "tephra-strided");
    let line = "bench --trace - --dtype d --m 9 --n 5";
    for (ignored, said) in [
        ("--op potrf --batch 1", "geqrf only"),
        ("--batch 9", "one matrix"),
        ("--batch 1 --lda 9", "--lda"),
        ("--batch 1 --uplo lower", "--uplo"),
    ] {
        let text = failure(tephra(&format!("{line} {ignored}")), 2);
        assert!(text.contains(said), "{ignored}: {text}");
    }
    assert!(failure(tephra("bench --overhead --op getrf"), 2).contains("geqrf only"));
    success(tephra(&format!("bench --dtype s {shape} --out {csv} --append")));
    let both = rows(&csv);
    assert_eq!(both.iter().map(|r| r["precision"].as_str()).collect::<Vec<_>>(), ["z", "s"]);
    assert_eq!(both[0], first[0], "a resumed run keeps what it has");
}

/// Covers every routine that the program has a row for.
#[test]
fn bench_measures_every_routine() {
    let folder = Folder::new("every");
    let listed = failure(tephra("bench --op nothing"), 2);
    let (_, names) = listed.split_once("[possible values: ").unwrap();
    let names: Vec<&str> = names.split_once(']').unwrap().0.split(", ").collect();
    assert!(names.len() > 30 && names.contains(&"gels_iterative"), "{listed}");
    for (letter, op) in ["s", "z"].into_iter().flat_map(|letter| names.iter().map(move |op| (letter, op))) {
        let csv = folder.file(&format!("{letter}{op}.csv"));
        // Members with individual sizes also have individual leading dimensions.
        let lda = if op.ends_with("_vbatched") { "" } else { "--lda 23" };
        let command = format!("bench --dtype {letter} --op {op} --m 21 --n 21 --batch 5 {lda} --out {csv}");
        if letter == "s" && ["herk", "her2k", "hemm"].iter().any(|name| op.starts_with(name)) {
            assert!(failure(tephra(&command), 2).contains("complex"), "{op}");
            continue;
        }
        let text = success(tephra(&command));
        assert!(text.contains("1 case measured, 0 failed"), "{op}: {text}");
        let row = &rows(&csv)[0];
        assert!((0.0..30.0).contains(&number(row, "ratio_residual")) && number(row, "gflops") > 0.0, "{row:?}");
        let again = success(tephra(&format!("{command} --append")));
        assert!(again.contains("0 cases measured"), "{op}: {again}");
    }
}

#[test]
fn bench_measures_least_squares_in_both_ways() {
    let folder = Folder::new("least");
    // Both methods count the same operations.
    let each = 2.0 * 300.0 * 400.0 - 2.0 / 3.0 * 8000.0 + 3.0 * (40.0 * (600.0 - 20.0) + 400.0);
    for op in ["gels", "gels_iterative"] {
        for (letter, factor) in [("s", 1.0), ("z", 4.0)] {
            let csv = folder.file(&format!("{letter}{op}.csv"));
            let shape = "--m 300 --n 20 --batch 7 --nrhs 3 --lda 301";
            let text = success(tephra(&format!("bench --dtype {letter} --op {op} {shape} --out {csv}")));
            assert!(text.contains("1 case measured, 0 failed"), "{op}: {text}");
            let row = &rows(&csv)[0];
            assert_eq!(["op", "m", "n", "nrhs"].map(|c| row[c].as_str()), [op, "300", "20", "3"]);
            let gflops = factor * 7.0 * each / number(row, "ms") * 1e-6;
            assert!(tells(row, gflops), "{row:?}");
            assert!((0.0..30.0).contains(&number(row, "ratio_residual")), "{row:?}");
        }
    }
    let wide = failure(tephra("bench --dtype s --op gels_iterative --m 3 --n 4 --batch 2 --out -"), 2);
    assert!(wide.contains("m >= n"), "{wide}");
}

/// Passes each option alone; options that a routine lacks are rejected by name.
#[test]
fn bench_takes_every_option_of_every_routine() {
    let listed = failure(tephra("bench --op nothing"), 2);
    let (_, names) = listed.split_once("[possible values: ").unwrap();
    let options = "--side right,--trans n,--trans t,--trans c,--trans-b t,--trans-b c,--uplo upper,--uplo lower,--diag unit,\
                   --nrhs 3,--k 4,--k 0,--lda 12,--ldb 12,--ldr 12,--incx -2,--incx 3,--part none,--part full,--alpha 0,\
                   --batch 0,--strided";
    let mut measured = 0;
    for op in names.split_once(']').unwrap().0.split(", ") {
        for option in options.split(',') {
            let name = option.split(' ').next().unwrap();
            let usual =
                ["--m 9", "--n 9", "--batch 2"].into_iter().filter(|size| !size.starts_with(&format!("{name} ")));
            let sizes = usual.collect::<Vec<_>>().join(" ");
            let output = tephra(&format!("bench --dtype z --op {op} {sizes} {option} --budget 0"));
            let (text, why) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            match output.status.code() {
                Some(0) => measured += usize::from(text.contains("1 case measured, 0 failed")),
                Some(2) => assert!(why.contains(&format!("{op} has no {name}")), "{op} {option}: {why}"),
                code => panic!("{op} {option}: {code:?} {text} {why}"),
            }
        }
    }
    assert!(measured > 140, "{measured}");
}

#[test]
fn values_that_cannot_be_are_refused_in_words() {
    for (line, code, said) in [
        ("bench --dtype d --m 1000000000000 --n 1000000000000 --batch 1", 2, "do not fit in the address space"),
        ("bench --dtype d --m 1000000000000 --n 9 --batch 1", 1, "GiB are free"),
        ("bench --dtype d --m 4 --n 4 --batch 1000000000000", 1, "GiB are free"),
        ("bench --dtype d --m -1 --n 4 --batch 1", 2, "'-1'"),
        ("bench --dtype x --m 4 --n 4 --batch 1", 2, "the precisions are s, d, c and z"),
        ("bench --dtype d --m 4 --n 4 --batch 1 --budget nan", 2, "a number of seconds"),
        ("bench --dtype d --m 4 --n 4 --batch 1 --budget -1", 2, "'-1'"),
        ("bench --dtype d --m 4 --n 4 --batch 1 --vendor-budget nan", 2, "a number of seconds"),
        ("bench --dtype d --m 4 --n 4 --batch 1 --out /proc/tephra/out.csv", 2, "/proc/tephra/out.csv"),
        ("bench --dtype d --m 4 --n 4 --batch 1 --out /tmp --append", 2, "/tmp"),
        ("bench --overhead --out /proc/tephra/out.csv", 2, "/proc/tephra/out.csv"),
        (
            "bench --dtype d --m 4 --n 4 --batch 1 --out /tmp/tephra-no-folder/out.csv",
            2,
            "/tmp/tephra-no-folder/out.csv",
        ),
        ("bench --dtype d --m 4 --n 4 --batch 1 --out /dev/null", 2, "not a regular file"),
        ("explain --dtype d --m 9223372036854775807 --n 9 --batch 1", 2, "argument m"),
        ("explain --dtype d --m 9223372036854775808 --n 9 --batch 1", 2, "a whole number from 0"),
        ("tune --seconds nan --out /tmp/tephra-none.csv", 2, "a number of seconds"),
        ("tune --seconds 0 --out /proc/tephra/out.csv", 2, "/proc/tephra/out.csv"),
        ("check --precisions x", 2, "the precisions are s, d, c and z"),
    ] {
        let output = tephra(line);
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{line}: {text}");
        assert!(text.contains(said) && !text.contains("panicked"), "{line}: {text}");
    }
}

#[test]
fn files_that_are_no_results_are_refused() {
    let folder = Folder::new("damaged");
    let good = "library,precision,op,m,n,batch,ms,gflops,plan,repeats,device,version";
    for (i, text) in ["tephra", "tephra,d", "tephra,d,qr,8", "tephra,d,qr,x,8,1,1,1,p,1,d,v", "\"", ",,,,,,,,,,,,,,,,,"]
        .into_iter()
        .enumerate()
    {
        let path = folder.file(&format!("{i}.csv"));
        std::fs::write(&path, format!("{good}\n{text}\n")).unwrap();
        let table = folder.file("table");
        for line in [
            format!("tune --condense-only --out {path} --table {table}"),
            format!("bench --plot {path} -o {table}"),
            format!("bench --dtype d --m 4 --n 4 --batch 1 --out {path} --append"),
        ] {
            let why = failure(tephra(&line), 2);
            assert!(why.contains(&path) && !why.contains("panicked"), "{line}: {why}");
        }
    }
}

#[test]
fn bench_measures_lu_and_what_is_made_of_it() {
    let folder = Folder::new("lu");
    let (n, batch) = (24.0, 20.0);
    let (cubes, squares) = (n * n * n, n * n);
    for (line, op, nrhs, variant, flops) in [
        ("getrf --m 24", "lu", "0", "", 2.0 / 3.0 * cubes),
        ("getrf_nopiv --m 24", "lunp", "0", "", 2.0 / 3.0 * cubes),
        ("getrs --trans t --nrhs 3 --ldb 30", "getrs", "3", "T", 6.0 * squares),
        ("gesv --nrhs 3", "gesv", "3", "", 2.0 / 3.0 * cubes + 6.0 * squares),
        ("gesv_rbt --nrhs 3", "gesv_rbt", "3", "", 2.0 / 3.0 * cubes + 6.0 * squares),
        ("getri --lda 25", "getri", "0", "", 4.0 / 3.0 * cubes),
        ("inv --ldc 25", "inv", "0", "", 2.0 * cubes),
    ] {
        for (letter, each) in [("s", 1.0), ("z", 4.0)] {
            let csv = folder.file(&format!("{letter}{op}.csv"));
            let command = format!("bench --dtype {letter} --op {line} --n 24 --batch 20 --out {csv}");
            assert!(success(tephra(&command)).contains("1 case measured, 0 failed"), "{line}");
            let row = &rows(&csv)[0];
            let columns = ["op", "m", "n", "nrhs", "k", "variant"].map(|c| row[c].as_str());
            assert_eq!(columns, [op, "24", "24", nrhs, "0", variant]);
            let gflops = each * batch * flops / number(row, "ms") * 1e-6;
            assert!(tells(row, gflops), "{row:?}");
            assert!(number(row, "ratio_residual") > 0.0 && number(row, "ratio_residual") < 30.0, "{row:?}");
            let again = success(tephra(&format!("{command} --append")));
            assert!(again.contains("0 cases measured"), "{again}");
        }
    }
    let wide = failure(tephra("bench --dtype s --op inv --m 3 --n 4 --batch 2 --out -"), 2);
    assert!(wide.contains("square"), "{wide}");
}

#[test]
fn bench_measures_triangles_sums_and_products_of_two() {
    let folder = Folder::new("blas");
    for (line, op, letters, flops) in [
        ("gelqf --m 20 --n 24", "gelqf", "sz", 2.0 * 24.0 * 400.0 - 2.0 / 3.0 * 8000.0),
        ("trmm --m 24 --n 7 --side left --uplo lower --trans t --ldb 30", "trmm", "sz", 24.0 * 24.0 * 7.0),
        ("symm --m 24 --n 7 --side left --uplo lower --ldb 30", "symm", "sz", 2.0 * 24.0 * 24.0 * 7.0),
        ("symm --m 7 --n 24 --side right --ldr 8", "symm", "sz", 2.0 * 24.0 * 24.0 * 7.0),
        ("hemm --m 24 --n 7 --uplo upper", "hemm", "z", 2.0 * 24.0 * 24.0 * 7.0),
        ("trmm --m 7 --n 24 --side right --diag unit", "trmm", "sz", 24.0 * 24.0 * 7.0),
        ("trtri --n 24 --uplo lower", "trtri", "sz", 24.0 * 24.0 * 8.0),
        ("trtri --n 24 --diag unit --lda 26", "trtri", "sz", 24.0 * 24.0 * 8.0),
        ("trsv --n 24 --trans c", "trsv", "sz", 24.0 * 24.0),
        ("geam --m 24 --n 7 --trans t --trans-b c", "geam", "sz", 2.0 * 24.0 * 7.0),
        ("syr2k --n 24 --k 5", "syr2k", "sz", 2.0 * 24.0 * 25.0 * 5.0),
        ("her2k --n 24 --k 5 --trans c", "her2k", "z", 2.0 * 24.0 * 25.0 * 5.0),
        ("syrk --n 24 --k 5 --ldr 25", "syrk", "sz", 24.0 * 25.0 * 5.0),
    ] {
        for letter in letters.chars() {
            let csv = folder.file(&format!("{letter}{op}.csv"));
            let command = format!("bench --dtype {letter} --batch 20 --op {line} --out {csv}");
            let text = success(tephra(&command));
            assert!(text.contains("1 case measured, 0 failed"), "{line}: {text}");
            let row = &rows(&csv)[0];
            let gflops = if letter == 'z' { 4.0 } else { 1.0 } * 20.0 * flops / number(row, "ms") * 1e-6;
            assert!(tells(row, gflops) && row["op"] == op, "{row:?}");
            assert!((0.0..30.0).contains(&number(row, "ratio_residual")), "{row:?}");
        }
    }
}

#[test]
fn own_times_are_held_against_each_other() {
    let folder = Folder::new("relative");
    let (steps, classes) = (folder.file("steps.csv"), folder.file("classes.csv"));
    let text = success(tephra(&format!("bench --grid steps --precisions s --largest 3 --out {steps}")));
    assert!(text.contains("3 cases measured") && text.contains("2 compared"), "{text}");
    // When a file is continued, the first new size is compared with the last old one.
    success(tephra(&format!("bench --grid steps --precisions s --largest 5 --append --out {steps}")));
    let all = rows(&steps);
    assert_eq!(all.iter().map(|r| r["n"].as_str()).collect::<Vec<_>>(), ["1", "2", "3", "4", "5"]);
    assert_eq!((all[0]["relative"].as_str(), all[0]["bound"].as_str()), ("", ""));
    for pair in all.windows(2) {
        let ratio = number(&pair[1], "ms") / number(&pair[0], "ms");
        assert!((number(&pair[1], "relative") / ratio - 1.0).abs() < 0.01, "{pair:?}");
        assert_eq!(pair[1]["bound"], "1.5");
    }
    success(tephra(&format!("bench --grid classes --precisions z --largest 20 --out {classes}")));
    let all = rows(&classes);
    let first: Vec<&HashMap<String, String>> = all.iter().filter(|r| r["n"] == "8").collect();
    for input in ["zero", "negative-diagonal", "mixed-ordinary", "scaled-columns:100", "denormal-columns"] {
        let row = first.iter().find(|r| r["input"] == input).unwrap_or_else(|| panic!("no {input}"));
        let ratio = number(row, "ms") / number(first[0], "ms");
        assert!((number(row, "relative") / ratio - 1.0).abs() < 0.01, "{row:?}");
    }
    assert!(all.iter().all(|r| r["relative"].is_empty() == (r["input"] == "uniform")), "{all:?}");
    failure(tephra("bench --grid classes --input zero --out -"), 2);
}

/// Singular members, solutions out of range and ill-conditioned systems, of each class: what is right is judged so.
#[test]
fn bench_judges_every_class() {
    let tall = ["gemm", "gemv", "trsm", "trmm", "geam", "symm", "geqr", "qr", "gelqf", "geqp3", "gels", "gelsy"];
    let square =
        ["getrf", "getrs", "gesv", "getri", "inv", "potrf", "potrs", "posv", "potri", "syrk", "syr2k", "trtri"];
    let iterative = ["gels_iterative"];
    let shapes = [(&tall[..], 12, 7), (&["gels", "gelsy"], 7, 12), (&iterative, 12, 7), (&square, 9, 9)];
    for (op, m, n) in shapes.into_iter().flat_map(|(ops, m, n)| ops.iter().map(move |op| (op, m, n))) {
        for class in Class::ALL {
            let letter = if m == n { "d" } else { "s" };
            let line = format!("bench --op {op} --dtype {letter} --m {m} --n {n} --batch 3 --budget 0");
            let text = success(tephra(&format!("{line} --input {} --no-vendor --samples 3", class.name())));
            assert!(text.contains("1 case measured, 0 failed"), "{op} {}: {text}", class.name());
        }
    }
}

#[test]
fn bench_writes_csv_to_standard_output() {
    let text = success(tephra("bench --dtype d --m 5 --n 9 --batch 3 --out -"));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(lines[0].starts_with("library,precision,op,m,n,batch,ms,gflops,"), "{text}");
    assert!(lines[1].starts_with("tephra,d,qr,5,9,3,"), "{text}");
}

#[test]
fn bench_compares_with_lapack() {
    let Some(lapack) = Lapack::get_unless_waived().unwrap() else { return };
    let folder = Folder::new("lapack");
    let csv = folder.file("results.csv");
    let line = format!("bench --dtype d --m 16 --n 16 --batch 200 --out {csv}");
    let run = program().args(line.split_whitespace()).env("TEPHRA_LAPACK", &lapack.path).output().unwrap();
    success(run);
    let rows = rows(&csv);
    let libraries: Vec<&str> = rows.iter().map(|r| r["library"].as_str()).collect();
    assert_eq!(libraries, ["tephra", "lapack", "lapack-threads"]);
    let fastest = number(&rows[1], "ms").min(number(&rows[2], "ms"));
    assert_eq!(number(&rows[0], "vendor_ms"), fastest);
    assert!((number(&rows[0], "speedup") * number(&rows[0], "ms") / fastest - 1.0).abs() < 0.02);
    assert!(rows.iter().all(|r| number(r, "ratio_residual") < 30.0 && number(r, "ratio_residual") > 0.0));
    assert!(number(&rows[0], "vendor_ratio_residual") < 30.0);
}

#[test]
fn a_declined_shape_fails_the_run_but_not_the_others() {
    let run = |plan: &str| {
        program()
            .args("bench --dtype d --m 6 --n 6 --batch 4".split_whitespace())
            .env("TEPHRA_PLAN", plan)
            .output()
            .unwrap()
    };
    success(run("unblocked"));
    let output = run("tree"); // of tall matrices
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("no allowed plan can handle this shape") && text.contains("1 failed"), "{text}");
}

#[test]
fn a_logged_call_pastes_into_the_program() {
    for (line, said, case) in [
        ("--dtype c --m 7 --n 4 --batch 3 --lda 9", "--lda 9", "cgeqrf 7x4 x 3"),
        ("--dtype d --op getrf_nopiv --m 7 --n 4 --batch 3", "--op getrf_nopiv", "dgetrf_nopiv 7x4 x 3"),
        ("--dtype z --op getrs --n 4 --nrhs 2 --batch 3 --trans c --ldb 9", "--op getrs", "zgetrs 4x4|2 x 3"),
        ("--dtype s --op inv --n 4 --batch 3 --ldb 9", "--ldc 9", "sinv 4x4 x 3"),
        ("--dtype s --op syrk --n 4 --k 2 --batch 3 --ldr 9", "--ldr 9", "ssyrk 4x4x2 NN x 3"),
        ("--dtype d --op syr2k --n 4 --k 2 --batch 3 --ldr 9", "--ldr 9", "dsyr2k 4x4x2 NN x 3"),
        ("--dtype c --op geam --m 4 --n 2 --batch 3 --trans-b t", "--trans-b t", "cgeam 4x2 x 3"),
        ("--dtype c --op trsv --n 4 --batch 3 --diag unit", "--incx 1", "ctrsv 4x4 x 3"),
        ("--dtype d --op trmm --m 4 --n 2 --batch 3", "--side left", "dtrmm 4x2 x 3"),
        ("--dtype d --op trtri --n 4 --batch 3 --uplo lower", "--uplo lower", "dtrtri 4x4 x 3"),
        ("--dtype d --op gelqf --m 4 --n 6 --batch 3", "--op gelqf", "dgelqf 4x6 x 3"),
    ] {
        let run = program().arg("bench").args(line.split_whitespace()).env("TEPHRA_VERBOSE", "1").output().unwrap();
        let log = String::from_utf8(run.stderr).unwrap();
        // The last call is the measured one; getrs is preceded by a factorisation.
        let logged =
            log.lines().rfind(|l| l.starts_with("tephra bench ")).unwrap_or_else(|| panic!("no line in {log}"));
        let command = logged.split(" #").next().unwrap().trim_start_matches("tephra ");
        assert!(command.contains(said), "{command}");
        let text = success(tephra(command));
        assert!(text.contains(case), "{text}");
    }
}

#[test]
fn overhead_has_a_floor_and_every_interface() {
    let folder = Folder::new("overhead");
    let csv = folder.file("overhead.csv");
    success(tephra(&format!("bench --overhead --out {csv}")));
    let rows = rows(&csv);
    let subjects: Vec<&str> = rows.iter().map(|r| r["subject"].as_str()).collect();
    assert_eq!(number(&rows[0], "host_us_above_floor"), 0.0);
    for must in ["tephra_dgeqrf_batched", "cublasDgeqrfBatched (tephra)", "magma_dgeqrf_batched_work (tephra)"] {
        assert!(subjects.contains(&must), "{subjects:?}");
    }
    assert!(rows.iter().all(|r| number(r, "total_us") >= number(r, "host_us") && number(r, "host_us") > 0.0));
}

#[test]
fn a_trace_is_written_and_drawn() {
    let folder = Folder::new("trace");
    let (json, charts) = (folder.file("qr.json"), folder.file("."));
    success(tephra(&format!("bench --trace {json} --dtype d --n 300 --batch 1 --device-memory 2000000")));
    for host in [-1, 40] {
        success(tephra(&format!("bench --trace {json} --dtype s --n 300 --batch 1 --host-columns {host}")));
    }
    let text = std::fs::read_to_string(&json).unwrap();
    assert!(text.starts_with("[\n") && text.ends_with("}\n]\n") && text.contains("\"ph\":\"X\""), "{text}");
    let written = success(tephra(&format!("bench --plot {json} -o {charts}")));
    assert!(written.contains("qr.svg"), "{written}");
    assert!(std::fs::read_to_string(folder.file("qr.svg")).unwrap().contains("milliseconds"));
    std::fs::write(&json, "[]").unwrap();
    failure(tephra(&format!("bench --plot {json} -o {charts}")), 2);
    failure(tephra("bench --trace /nonexistent/qr.json --dtype d --n 30 --batch 1"), 2);
    for (m, n) in [(1u64 << 25, 1u64 << 25), (1 << 40, 1)] {
        failure(tephra(&format!("bench --trace {json} --dtype d --m {m} --n {n} --batch 1")), 2);
    }
    let (kept, link) = (folder.file("kept"), folder.file("link.json"));
    std::fs::write(&kept, "kept").unwrap();
    std::os::unix::fs::symlink(&kept, &link).unwrap();
    failure(tephra(&format!("bench --trace {link} --dtype d --n 30 --batch 1")), 2);
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "kept");
}

#[test]
fn results_can_be_plotted() {
    let folder = Folder::new("plot");
    let (csv, charts) = (folder.file("results.csv"), folder.file("charts"));
    success(tephra(&format!("bench --dtype d --m 8 --n 8 --batch 20 --out {csv}")));
    success(tephra(&format!("bench --dtype d --m 16 --n 16 --batch 20 --out {csv} --append")));
    let why = failure(tephra(&format!("bench --plot {csv} -o {charts}")), 2);
    assert!(why.contains("not a folder"), "{why}");
    std::fs::create_dir(&charts).unwrap();
    let written = success(tephra(&format!("bench --plot {csv} -o {charts}")));
    let first = Path::new(written.lines().next().unwrap());
    let svg = std::fs::read_to_string(first).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("Tephra"), "{svg}");
    failure(tephra(&format!("bench --plot /nonexistent.csv -o {charts}")), 2);
}

#[test]
fn tune_continues_and_condenses() {
    let folder = Folder::new("tune");
    let (csv, table) = (folder.file("tune.csv"), folder.file("table.csv"));
    let command = format!("tune --grid small --precisions s --seconds 0 --out {csv}");
    // With a time of zero nothing is timed, but the file is created, and can be continued.
    success(tephra(&command));
    assert!(rows(&csv).is_empty());
    let command = command.replace("--seconds 0", "--seconds 0.001");
    success(tephra(&command));
    let first = rows(&csv);
    assert!(!first.is_empty() && first.iter().all(|r| r["library"] == "tephra" && number(r, "ms") > 0.0));
    let of_first =
        |r: &HashMap<String, String>| [&r["m"], &r["n"], &r["batch"]] == ["m", "n", "batch"].map(|c| &first[0][c]);
    assert!(first.iter().filter(|r| of_first(r)).count() >= 2, "several plans of one shape");
    success(tephra(&format!("tune --condense-only --out {csv} --table {table}")));
    let fastest =
        first.iter().filter(|r| of_first(r)).min_by(|a, b| number(a, "ms").total_cmp(&number(b, "ms"))).unwrap();
    let text = std::fs::read_to_string(&table).unwrap();
    assert!(text.lines().any(|l| l.starts_with("s,") && l.ends_with(&fastest["plan"])), "{text}");
    failure(tephra(&format!("tune --condense-only --out /nonexistent.csv --table {table}")), 2);
    for nowhere in ["/", "/nonexistent/table.csv"] {
        let begun = std::time::Instant::now();
        let why = failure(tephra(&format!("tune --out {csv} --table {nowhere}")), 2);
        assert!(why.contains(nowhere) && begun.elapsed().as_secs() < 10, "refused before anything is timed: {why}");
    }
}

#[test]
fn check_passes() {
    let text = success(tephra("check"));
    assert!(text.lines().last().unwrap().starts_with("PASS: "), "{text}");
    for subject in [
        "magma_?geqrf_batched_work",
        "plan 'blocked' forced",
        "a NaN stays in its matrix",
        "bad arguments",
        "getrf_vbatched",
        "gemm_vbatched",
    ] {
        let line = text.lines().find(|l| l.starts_with(subject)).unwrap_or_else(|| panic!("{subject}: {text}"));
        assert_eq!(line.matches("PASS").count(), 4, "{line}");
    }
}

#[test]
fn check_of_some_rows() {
    let text = success(tephra("check --only orgqr,getrs --precisions dz"));
    let rows: Vec<&str> = text.lines().filter(|line| line.matches("PASS").count() == 2).collect();
    assert!(rows.len() == 2 && rows[0].starts_with("orgqr, ungqr") && rows[1].starts_with("getrs "), "{text}");
    let of_members = success(tephra("check --only getrf_vbatched,ungqr_vbatched --precisions s"));
    let rows: Vec<&str> = of_members.lines().filter(|line| line.contains(" PASS ")).collect();
    assert!(rows.len() == 2 && rows[0].starts_with("getrf_vbatched ") && rows[1].starts_with("orgqr_vbatched, "));
    let header = text.lines().find(|line| line.ends_with('z')).expect("the columns' line");
    assert_eq!(
        header.split_whitespace().collect::<Vec<_>>(),
        ["d", "z"],
        "a column for each precision that was asked for"
    );
    let through_interfaces = success(tephra("check --only geqrf --precisions d"));
    let rows: Vec<&str> = through_interfaces.lines().filter(|line| line.contains(" PASS ")).collect();
    assert!(rows.len() == 5 && rows.iter().all(|row| row.contains("?geqrf")), "a row an interface: {rows:?}");
    for only in ["nothing", "gemv,nothing", "gemv,,gemm"] {
        let text = failure(tephra(&format!("check --only {only}")), 2);
        assert!(text.contains("gemv; ") && text.contains("orgqr, ungqr; "), "the rows are listed: {text}");
    }
}
