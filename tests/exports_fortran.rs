//! The Fortran interfaces are complete: every native function has one, every routine has a generic name, and
//! c_tests/fortran_generics.f90 (which `make test-c` runs) tries each of the generic names. scripts/fortran.py
//! generates them from tephra.h.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn source(path: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(path)
}

fn read(path: &str) -> String {
    fs::read_to_string(source(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The generic name of the four precisions: that of `tephra_cungqr_batched` is `tephra_orgqr_batched`.
fn family(name: &str) -> Option<String> {
    let rest = name.strip_prefix("tephra_")?.strip_prefix(['s', 'd', 'c', 'z'])?;
    // Functions on one matrix. Other names that begin with a precision's letter have no precision.
    const ONE: [&str; 9] = ["geqrf", "orgqr", "ungqr", "ormqr", "unmqr", "geqr", "gemqr", "gels", "gels_iterative"];
    let is_one = ONE.contains(&rest.trim_end_matches("_workspace").trim_end_matches("_tsize"));
    let routine = (rest.contains("_batched") || is_one).then_some(rest)?;
    Some(format!("tephra_{}", routine.replace("ungqr", "orgqr").replace("unmqr", "ormqr")))
}

/// tephra.f90 without comments, with each statement on one line.
fn statements() -> String {
    let text = read("include/tephra.f90");
    let code = text.lines().map(|line| line.split('!').next().unwrap()).collect::<Vec<_>>().join("\n");
    code.replace("&\n", "")
}

/// The symbols to which the interfaces bind: a compiler takes the Fortran name in lower case where none is given.
fn bound() -> BTreeSet<String> {
    let mut bound = BTreeSet::new();
    let mut is_abstract = false;
    for line in statements().lines().map(str::trim) {
        is_abstract = (is_abstract || line == "abstract interface") && line != "end interface";
        let named = line.split_once("name=\"").and_then(|(_, rest)| rest.split('"').next());
        let function = ["function ", "subroutine "].iter().find_map(|kind| line.strip_prefix(kind));
        match (named, function) {
            (Some(name), _) => _ = bound.insert(name.to_owned()),
            (None, Some(rest)) if !is_abstract => {
                assert!(rest.contains("bind(C)"), "{line}");
                bound.insert(rest.split('(').next().unwrap().to_lowercase());
            }
            _ => {}
        }
    }
    bound
}

/// The names of docs/exports.txt.
fn exports() -> BTreeSet<String> {
    let text = read("docs/exports.txt");
    let names = text.lines().filter_map(|line| line.split(' ').next());
    names.filter(|name| !name.is_empty() && !name.starts_with('#')).map(str::to_owned).collect()
}

#[test]
fn every_interface_is_of_an_exported_symbol() {
    let (bound, native) = (bound(), crate::native::names());
    let exported: BTreeSet<_> = exports().into_iter().chain(native.iter().cloned()).collect();
    let unknown: Vec<_> = bound.difference(&exported).collect();
    assert!(unknown.is_empty() && bound.len() > 1000, "{unknown:?} of {}", bound.len());
}

#[test]
fn every_native_function_has_an_interface() {
    let (bound, names) = (bound(), crate::native::names());
    assert!(names.len() >= 105, "{}", names.len());
    let missing: Vec<_> = names.iter().filter(|name| !bound.contains(*name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// MAGMA's functions take a negative size of the workspace as a query.
#[test]
fn sizes_that_are_read_and_written_are_declared_so() {
    let code = statements();
    let mut function = "";
    let mut found = 0;
    for line in code.lines().map(str::trim) {
        function = ["function ", "subroutine "].iter().find_map(|kind| line.strip_prefix(kind)).unwrap_or(function);
        let of_magma = function.starts_with("magma");
        if of_magma && line.contains("lwork") && line.contains("intent(") {
            assert!(line.contains("intent(inout)"), "{function}: {line}");
            found += 1;
        }
    }
    assert!(found >= 5, "{found}");
}

#[test]
fn every_routine_has_a_generic_name() {
    let text = read("include/tephra_generic.f90");
    let families: BTreeSet<_> = crate::native::names().iter().filter_map(|name| family(name)).collect();
    // Routines exist in four precisions, or in the two complex ones.
    let precisions = |name: &String| if ["_her", "_hemm"].iter().any(|kind| name.contains(kind)) { 2 } else { 4 };
    let names = crate::native::names().iter().filter(|name| family(name).is_some()).count();
    assert_eq!(families.iter().map(precisions).sum::<usize>(), names);
    let missing: Vec<_> = families.iter().filter(|name| !text.contains(&format!("public :: {name}\n"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The text of a generic function without its names, which is the same for functions with the same arguments.
fn form(text: &str, name: &str) -> String {
    let start = text.find(&format!(" function {name}(")).or_else(|| text.find(&format!(" subroutine {name}(")));
    let body = start.map_or("", |start| text[start..].split("\n    end ").next().unwrap());
    let routine = name.split('_').nth(1).unwrap();
    let words = body.replace("&\n", "").split_whitespace().collect::<Vec<_>>().join(" ");
    if words.is_empty() { name.to_owned() } else { words.replace(routine, "?") }
}

/// Of names that differ in nothing else, one must be tried.
#[test]
fn every_generic_name_is_tried() {
    let generics = read("include/tephra_generic.f90");
    let files = [
        "generics.f90",
        "solve.inc",
        "lu.inc",
        "lu_vendors.inc",
        "cholesky.inc",
        "blas.inc",
        "blas_numbers.inc",
        "blas_hermitian.inc",
    ];
    let program = files.map(|file| read(&format!("c_tests/fortran_{file}"))).concat();
    let interfaces = read("include/tephra.f90");
    let by_type = interfaces.lines().filter_map(|line| line.strip_prefix("    interface "));
    let names = generics.lines().filter_map(|line| line.trim().strip_prefix("public :: ")).chain(by_type);
    let mut tried = BTreeMap::<String, (bool, &str)>::new();
    for name in names.flat_map(|names| names.split(", ")) {
        tried.entry(form(&generics, name)).or_insert((false, name)).0 |= program.contains(&format!("{name}("));
    }
    let missing: Vec<_> = tried.values().filter(|(tried, _)| !tried).map(|(_, name)| name).collect();
    assert!(missing.is_empty() && tried.len() > 30, "{missing:?} of {}", tried.len());
}

/// Functions under vendors' names, on matrices and handles.
#[test]
fn vendors_functions_have_interfaces() {
    let (bound, exports) = (bound(), exports());
    let is_of_matrices = |name: &&String| {
        let of = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
        let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        of(&["cusolver"])
            || of(&["cublas"]) && !has(&["_const", "Logger", "Xerbla", "GetStatus", "Cudart"])
            || of(&["magma_", "magmablas_", "blas_"])
                && !has(&["num_gpus"])
                && has(&["batched", "matrix", "vector", "_gpu", "set_pointer"])
            || of(&["magma_queue_"]) && !has(&["event"])
            || of(&["magma_"]) && name.ends_with("print")
    };
    let all: Vec<_> = exports.iter().filter(is_of_matrices).collect();
    let missing: Vec<_> = all.iter().filter(|name| !bound.contains(**name)).collect();
    assert!(missing.is_empty() && all.len() > 750, "{missing:?} of {}", all.len());
}

#[test]
fn they_are_what_the_header_gives() {
    let output = Command::new("python3").arg(source("scripts/fortran.py")).arg("--check").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
