//! The C headers compile without warnings, alone and together with NVIDIA's and MAGMA's own, in any order, in every C
//! and C++ standard and with every installed compiler.
//!
//! Runs with gcc and clang as far as they are installed (at least one must be), and with NVIDIA's headers if
//! `scripts/setup.sh cublas-headers` has installed them; otherwise it runs without and says so.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

fn source(path: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(path)
}

/// A compiler, a language, and the standards of the language that this version supports.
struct Compiler {
    program: String,
    language: &'static str,
    standards: Vec<&'static str>,
}

/// The newest standards go by their working titles, the only names that compilers before their publication know.
const C: &[&str] = &["c99", "c11", "c17", "c2x"];
const CPP: &[&str] = &["c++11", "c++14", "c++17", "c++20", "c++2b"];

fn answers(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

/// gcc and clang in both languages. clang is also searched for under versioned names.
fn compilers() -> Vec<Compiler> {
    let clang = |name: &str| {
        let versioned = (14..30).rev().map(|version| format!("{name}-{version}"));
        [name.to_owned()].into_iter().chain(versioned).find(|program| answers(program, &["--version"]))
    };
    let gcc = |name: &str| answers(name, &["--version"]).then(|| name.to_owned());
    let mut found = Vec::new();
    for (what, program, language, standards) in [
        ("gcc", gcc("gcc"), "c", C),
        ("g++", gcc("g++"), "c++", CPP),
        ("clang", clang("clang"), "c", C),
        ("clang++", clang("clang"), "c++", CPP),
    ] {
        let Some(program) = program else {
            eprintln!("headers: NOT TESTED with {what}, which is not installed");
            continue;
        };
        let knows = |standard: &&&str| {
            answers(&program, &["-x", language, &format!("-std={standard}"), "-fsyntax-only", "/dev/null"])
        };
        let standards: Vec<_> = standards.iter().filter(knows).copied().collect();
        found.push(Compiler { program, language, standards });
    }
    assert!(found.iter().any(|c| c.language == "c") && found.iter().any(|c| c.language == "c++"), "no compiler");
    found
}

/// NVIDIA's headers, and the directory that may contain their C++ part.
fn cuda_headers() -> Option<PathBuf> {
    let output = Command::new(source("scripts/setup.sh")).args(["--path", "cublas-headers"]).output().ok()?;
    output.status.success().then(|| PathBuf::from(String::from_utf8(output.stdout).unwrap().trim()))
}

/// Which foreign headers the compiler can find.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Present {
    Nothing,
    /// The CUDA runtime's headers, without cuBLAS's.
    Runtime,
    Cuda,
    CudaAndMagma,
}

struct Case {
    present: Present,
    order: Vec<&'static str>,
    own: bool,
}

/// The number of cases that are tried in every standard rather than only in the oldest and newest of the language.
const IN_EVERY_STANDARD: usize = 4;

/// Our headers alone, before all of NVIDIA's, after each of them, and with MAGMA's. The first few cases of the list are
/// tried with the intermediate standards too.
fn cases(cuda: bool) -> Vec<Case> {
    let mut all = Vec::new();
    let mut add = |present, order: &[&'static str]| all.push(Case { present, order: order.to_vec(), own: false });
    add(Present::Nothing, &["tephra_magma.h", "tephra_cusolver.h", "tephra_cublas.h", "tephra.h"]);
    if cuda {
        add(Present::Cuda, &["tephra_magma.h", "cuda_runtime.h", "cublas_v2.h", "cuComplex.h", "library_types.h"]);
        add(Present::Cuda, &["cublas_v2.h", "tephra_cublas.h", "tephra_cusolver.h", "tephra_magma.h", "tephra.h"]);
        add(Present::CudaAndMagma, &["tephra_magma.h", "magma_v2.h"]);
        assert_eq!(all.len(), IN_EVERY_STANDARD);
    }
    let mut add = |present, order: &[&'static str]| all.push(Case { present, order: order.to_vec(), own: false });
    for ours in ["tephra.h", "tephra_cublas.h", "tephra_cusolver.h", "tephra_magma.h"] {
        add(Present::Nothing, &[ours]);
    }
    if cuda {
        add(Present::Cuda, &["tephra_cublas.h", "cuda_runtime.h", "cublas_v2.h", "tephra_magma.h"]);
        for other in ["cuda_runtime.h", "cuComplex.h", "library_types.h"] {
            add(Present::Cuda, &[other, "tephra_magma.h", "cublas_v2.h"]);
            add(Present::Runtime, &[other, "tephra_magma.h"]);
        }
        add(Present::Runtime, &["tephra_cublas.h", "library_types.h", "cuda_runtime.h", "cuComplex.h"]);
        add(Present::Cuda, &["cublas.h", "tephra_magma.h"]);
        add(Present::CudaAndMagma, &["magma_v2.h", "tephra_magma.h"]);
        add(Present::CudaAndMagma, &["tephra_cublas.h", "magma_v2.h", "tephra_magma.h", "cublas_v2.h"]);
        add(Present::CudaAndMagma, &["tephra_magma.h"]);
        all.push(Case { present: Present::CudaAndMagma, order: vec!["tephra_magma.h"], own: true });
    }
    all
}

impl Case {
    fn has(&self, header: &str) -> bool {
        self.order.contains(&header)
    }

    /// The translation unit: the headers, and a use of something that each must declare.
    fn unit(&self) -> String {
        let mut text = String::new();
        if self.own {
            text += "#define TEPHRA_OWN_DECLARATIONS\n";
        }
        for header in &self.order {
            text += &format!("#include <{header}>\n");
        }
        text += "int use(void);\nint use(void) {\n    int sum = 0;\n";
        if self.has("tephra.h") {
            text += "    tephra_c64 pair = {1.0, 2.0};\n    sum += (int)pair.re + tephra_free(NULL);\n";
        }
        if self.has("cublas_v2.h") || self.has("tephra_cublas.h") {
            text += "    cublasHandle_t handle;\n    sum += cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS;\n\
                     \x20   sum += cublasDgeqrfBatched(handle, 1, 1, NULL, 1, NULL, NULL, 1) == CUBLAS_STATUS_SUCCESS;\n";
        }
        if self.has("tephra_cusolver.h") {
            text += "    cusolverDnHandle_t solver;\n    sum += cusolverDnCreate(&solver) == CUSOLVER_STATUS_SUCCESS;\n\
                     \x20   sum += cusolverDnZpotrfBatched(solver, CUBLAS_FILL_MODE_LOWER, 1, NULL, 1, NULL, 1) == 3;\n";
        }
        if self.has("tephra_magma.h") {
            text += "    magma_queue_t queue = NULL;\n    magmaDoubleComplex z = MAGMA_Z_MAKE(1.0, 2.0);\n\
                     \x20   sum += (int)MAGMA_Z_DIV(z, z).x + lapacke_uplo_const(MagmaUpper) + MagmaUpperStr[0];\n\
                     \x20   sum += magma_dgeqrf_batched(1, 1, NULL, 1, NULL, NULL, 1, queue);\n\
                     \x20   sum += magma_zungqr_batched(1, 1, 1, NULL, 1, NULL, NULL, 1, queue);\n    assert(sum);\n";
        }
        if self.has("magma_v2.h") {
            text += "    sum += magma_dgetrf_gpu(1, 1, NULL, 1, NULL, NULL);\n";
        }
        if self.has("cuda_runtime.h") {
            text += "    sum += cudaFree(NULL) == cudaSuccess;\n";
        }
        text + "    return sum;\n}\n"
    }
}

/// MAGMA's prototypes, from the table of the functions that are served.
fn magma_prototypes() -> String {
    let table = fs::read_to_string(source("tests/abi/magma.tsv")).unwrap();
    let declare = |line: &str| match line.split('\t').collect::<Vec<_>>()[..] {
        [name, _, _] if name.starts_with("cblas_") => String::new(),
        [name, returns, "(data object)"] => format!("extern {returns} {name};\n"),
        [name, returns, arguments] => format!("{returns} {name}({arguments});\n"),
        _ => panic!("{line}"),
    };
    table.lines().skip(1).map(declare).collect()
}

#[test]
fn every_order_compiles_in_every_standard() {
    let cuda = cuda_headers();
    if cuda.is_none() {
        eprintln!("headers: NOT TESTED with NVIDIA's headers (scripts/setup.sh cublas-headers)");
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("headers");
    let [magma, runtime] = ["magma", "runtime"].map(|name| folder.join(name));
    fs::create_dir_all(&magma).unwrap();
    for name in ["magma_v2.h", "cusparse_v2.h"] {
        fs::copy(source("tests/abi/headers").join(name), magma.join(name)).unwrap();
    }
    fs::write(magma.join("magma_prototypes.h"), magma_prototypes()).unwrap();
    // The runtime's headers without cuBLAS's: links to all others.
    let _ = fs::remove_dir_all(&runtime);
    fs::create_dir_all(&runtime).unwrap();
    for entry in cuda.iter().flat_map(|folder| fs::read_dir(folder).unwrap()) {
        let path = entry.unwrap().path();
        if !path.file_name().unwrap().to_str().unwrap().starts_with("cublas") {
            std::os::unix::fs::symlink(&path, runtime.join(path.file_name().unwrap())).unwrap();
        }
    }

    let (compilers, cases) = (compilers(), cases(cuda.is_some()));
    let mut jobs = Vec::new();
    for compiler in &compilers {
        let last = compiler.standards.len() - 1;
        for (age, standard) in compiler.standards.iter().enumerate() {
            let count = if age == 0 || age == last { cases.len() } else { IN_EVERY_STANDARD.min(cases.len()) };
            jobs.extend(cases[..count].iter().map(|case| (compiler, *standard, case)));
        }
    }
    let (total, queue, failures) = (jobs.len(), Mutex::new(jobs), Mutex::new(BTreeSet::new()));
    std::thread::scope(|scope| {
        for worker in 0..std::thread::available_parallelism().map_or(2, |n| n.get()) {
            let (queue, failures, folder, magma, runtime, cuda) = (&queue, &failures, &folder, &magma, &runtime, &cuda);
            scope.spawn(move || {
                let unit = folder.join(format!("unit{worker}.c"));
                loop {
                    let Some((compiler, standard, case)) = queue.lock().unwrap().pop() else { break };
                    fs::write(&unit, case.unit()).unwrap();
                    let mut command = Command::new(&compiler.program);
                    command.args(["-x", compiler.language, &format!("-std={standard}")]);
                    command.args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", "-I"]);
                    command.arg(source("include"));
                    let system: &[&PathBuf] = match (case.present, cuda) {
                        (Present::Cuda, Some(cuda)) => &[cuda],
                        (Present::CudaAndMagma, Some(cuda)) => &[magma, cuda],
                        (Present::Runtime, Some(_)) => &[runtime],
                        _ => &[],
                    };
                    for folder in system {
                        command.arg("-isystem").arg(folder).arg("-isystem").arg(folder.join("cccl"));
                    }
                    let output = command.arg(&unit).output().unwrap();
                    if !output.status.success() {
                        let text = String::from_utf8_lossy(&output.stderr);
                        let first: String = text.lines().filter(|line| line.contains("error")).take(2).collect();
                        let Case { present, order, .. } = case;
                        let who = format!("{} {standard}, {present:?} {order:?}: {first}", compiler.program);
                        failures.lock().unwrap().insert(who);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    eprintln!("headers: {total} translation units");
    assert!(failures.is_empty(), "{} of {total}: {failures:#?}", failures.len());
}
