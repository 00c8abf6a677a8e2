//! The exports of both shared objects match include/tephra.h and docs/exports.txt, and the C headers declare every name
//! with the vendor's prototype (tests/abi/*.tsv: the functions of cuBLAS 13.0.2, cuSOLVER 12.0.4 and MAGMA 2.10 that
//! are served, and our own in their style).

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tephra_testkit::Library;

fn source(path: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(path)
}

fn read(path: &str) -> String {
    fs::read_to_string(source(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// (symbol, whether the preload object exports it too)
fn documented() -> Vec<(String, bool)> {
    let text = read("docs/exports.txt");
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let others = lines.map(|line| (line.trim_end_matches(" *").to_owned(), line.ends_with(" *")));
    crate::native::names().into_iter().map(|name| (name, false)).chain(others).collect()
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|e| panic!("{:?}: {e}", command.get_program()))
}

fn exported(object: &Path) -> BTreeSet<String> {
    let output = run(Command::new("nm").args(["-D", "--defined-only"]).arg(object));
    assert!(output.status.success(), "nm {}: {}", object.display(), String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.split_whitespace().last().unwrap().to_owned()).collect()
}

fn assert_exports(object: &Path, documented: impl Iterator<Item = String>) {
    let (actual, documented) = (exported(object), documented.collect::<BTreeSet<_>>());
    let undocumented: Vec<_> = actual.difference(&documented).collect();
    let missing: Vec<_> = documented.difference(&actual).collect();
    assert!(
        undocumented.is_empty() && missing.is_empty(),
        "{} against include/tephra.h and docs/exports.txt: exported but not listed {undocumented:?}, listed but not exported {missing:?}",
        object.display()
    );
}

#[test]
fn library_exports_what_is_documented() {
    assert_exports(&Library::required().path, documented().into_iter().map(|(name, _)| name));
}

#[test]
fn preload_object_exports_its_names() {
    let names: Vec<_> = documented().into_iter().filter(|(_, preload)| *preload).map(|(name, _)| name).collect();
    assert_eq!(names.len(), 4 + 4 + 8 + 16 + 8 + 13 + 36 + 6 + 20, "{names:?}");
    assert_exports(&Library::required().path.with_file_name("libtephra_preload.so"), names.into_iter());
}

#[test]
fn no_name_is_listed_twice() {
    let names = documented();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
}

/// One vendor prototype.
#[derive(Clone, Debug)]
struct Row {
    symbol: String,
    returns: String,
    arguments: String,
}

impl Row {
    fn is_data(&self) -> bool {
        self.arguments == "(data object)"
    }

    fn declaration(&self) -> String {
        let Row { symbol, returns, arguments } = self;
        if self.is_data() { format!("extern {returns} {symbol};") } else { format!("{returns} {symbol}({arguments});") }
    }
}

fn rows(file: &str) -> Vec<Row> {
    let text = read(file);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("symbol\treturn_type\targuments"), "{file}");
    lines
        .map(|line| match line.split('\t').collect::<Vec<_>>()[..] {
            [symbol, returns, arguments] => {
                Row { symbol: symbol.into(), returns: returns.into(), arguments: arguments.into() }
            }
            _ => panic!("{file}: {line}"),
        })
        .collect()
}

fn all_rows() -> Vec<Row> {
    [
        rows("tests/abi/cublas.tsv"),
        rows("tests/abi/cusolver.tsv"),
        rows("tests/abi/magma.tsv"),
        rows("tests/abi/extensions.tsv"),
    ]
    .concat()
}

/// A translation unit that uses every name as our headers declare it, then declares it again as the vendor does. A
/// missing name or any difference is a compile error.
fn unit(rows: &[Row]) -> String {
    let mut text = String::from(
        "#define HAVE_CBLAS\n#include \"tephra.h\"\n#include \"tephra_cublas.h\"\n#include \"tephra_cusolver.h\"\n#include \"tephra_magma.h\"\n\
         #ifdef __cplusplus\nextern \"C\" {\n#endif\nvoid use(const void *);\nvoid uses(void);\nvoid uses(void) {\n",
    );
    for row in rows {
        let address = if row.is_data() { "&" } else { "(const void *)" };
        writeln!(text, "    use({address}{});", row.symbol).unwrap();
    }
    text += "}\n";
    for row in rows {
        writeln!(text, "{}", row.declaration()).unwrap();
    }
    text + "#ifdef __cplusplus\n}\n#endif\n"
}

/// Compiles a unit with our headers and CBLAS's enumerations. On failure, returns the compiler's messages.
fn compile(name: &str, compiler: &str, flags: &[&str], rows: &[Row]) -> Result<(), String> {
    const CBLAS: &str = "enum CBLAS_ORDER { CblasRowMajor = 101 };\nenum CBLAS_TRANSPOSE { CblasNoTrans = 111 };\n\
                         enum CBLAS_UPLO { CblasUpper = 121 };\nenum CBLAS_DIAG { CblasNonUnit = 131 };\n\
                         enum CBLAS_SIDE { CblasLeft = 141 };\n";
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("cblas.h"), CBLAS).unwrap();
    fs::write(folder.join("unit.c"), unit(rows)).unwrap();
    let mut command = Command::new(compiler);
    command.args(flags).args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I"]).arg(source("include"));
    let output = run(command.arg("-I").arg(&folder).arg(folder.join("unit.c")));
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

fn compiler(variable: &str, default: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| default.into())
}

#[test]
fn prototypes_are_the_vendors_in_c() {
    compile("c", &compiler("CC", "cc"), &["-std=c11"], &all_rows()).unwrap();
}

#[test]
fn prototypes_are_the_vendors_in_cpp() {
    compile("cpp", &compiler("CXX", "c++"), &["-std=c++17", "-x", "c++"], &all_rows()).unwrap();
}

#[test]
fn a_wrong_prototype_does_not_compile() {
    let right = rows("tests/abi/magma.tsv").into_iter().find(|row| row.symbol == "magma_dgeqrf_batched").unwrap();
    let cc = compiler("CC", "cc");
    compile("right", &cc, &["-std=c11"], std::slice::from_ref(&right)).unwrap();
    let wrong = Row { arguments: right.arguments.replacen("magma_int_t", "long long", 1), ..right.clone() };
    let complaint = compile("wrong", &cc, &["-std=c11"], &[wrong]).unwrap_err();
    assert!(complaint.contains("conflicting types"), "{complaint}");
    let missing = Row { symbol: "magma_dgeqrf_batched_v4".into(), ..right };
    compile("missing", &cc, &["-std=c11"], &[missing]).unwrap_err();
}

/// Every documented name has a prototype somewhere; the Fortran ones have it by convention.
#[test]
fn every_export_is_declared() {
    let rows: BTreeSet<_> = all_rows().into_iter().map(|row| row.symbol).collect();
    for (name, _) in documented() {
        let declared = match name.split_once('_') {
            Some(("tephra", _)) => true,
            Some(("magmaf", _)) => name.ends_with('_') && name == name.to_lowercase(),
            _ => rows.contains(&name),
        };
        assert!(declared, "{name}");
    }
    let listed: BTreeSet<_> = documented().into_iter().map(|(name, _)| name).collect();
    assert!(rows.is_subset(&listed), "{:?}", rows.difference(&listed).collect::<Vec<_>>());
}

/// The text between an open bracket and the one that closes it, and the number of arguments in it.
fn arguments(text: &str) -> Option<(&str, usize)> {
    let (mut depth, mut commas) = (1, 0);
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 1 => commas += 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&text[..i], commas + 1));
        }
    }
    None
}

/// The calls printed in the documentation must have all arguments, unless they say that some are left out.
#[test]
fn printed_calls_have_the_arguments_of_the_header() {
    let header = read("include/tephra.h");
    let (mut tried, mut wrong) = (0, vec![]);
    let folders = ["docs", "docs/experiments"].into_iter().flat_map(|folder| fs::read_dir(source(folder)).unwrap());
    let pages = folders.map(|entry| entry.unwrap().path());
    for page in pages.filter(|page| page.extension().is_some_and(|e| e == "md")).chain([source("README.md")]) {
        let text = fs::read_to_string(&page).unwrap();
        for (at, _) in text.match_indices("tephra_") {
            let name: String = text[at..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let Some(call) = text[at + name.len()..].strip_prefix('(').and_then(arguments) else { continue };
            let prototype = header.split(&format!("tephra_status {name}(")).nth(1).and_then(arguments);
            if let Some((_, count)) = prototype.filter(|_| !call.0.trim().is_empty() && !call.0.contains("...")) {
                tried += 1;
                if call.1 != count {
                    wrong.push(format!("{}: {name}({}) has {count} arguments", page.display(), call.0));
                }
            }
        }
    }
    assert!(tried > 10 && wrong.is_empty(), "{tried} calls, {wrong:#?}");
}
