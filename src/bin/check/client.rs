//! `tephra check --client FILE`: lists which of the undefined symbols of a program, library, archive or object file
//! Tephra provides. Only Tephra's own list of names is at hand: of NVIDIA's and MAGMA's the prefixes are known.

use crate::output::Outcome;
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, ObjectSymbol};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt::Display;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use tephra_testkit::library::Library;

/// Prefixes of the names in NVIDIA's libraries; those that Tephra lacks can only come from the vendor.
const VENDORS: [&str; 8] = ["cublas", "cusolver", "cusparse", "cuda", "curand", "cufft", "nccl", "nv"];
/// Prefixes of the names that only MAGMA, or a replacement for it, provides.
const MAGMAS: [&str; 3] = ["magma", "blas_", "MAGMA_"];
/// The prefix of Tephra's own names.
const OWN: &str = "tephra_";

/// The names that concern linear algebra on GPUs, by the library that provides or would have to provide them.
#[derive(Default, Debug, PartialEq)]
struct Names {
    ours: BTreeSet<String>,
    vendors: BTreeSet<String>,
    unresolved: BTreeSet<String>,
    /// Names of another version of Tephra.
    lacking: BTreeSet<String>,
}

/// Prints which library each of the file's undefined names is left to; the outcome is a failure if one is MAGMA's, or
/// of another version of Tephra.
pub fn run(file: &Path) -> Outcome {
    let library = Library::get().map_err(|e| e.to_string())?;
    let read = |path: &Path| read_file(path).map_err(|e| format!("{}: {e}", path.display()));
    let failed = |path: &Path, why: object::Error| format!("{}: {why}", path.display());
    let bytes = read(&library.path)?;
    let exported = exported(&bytes).map_err(|e| failed(&library.path, e))?;
    let bytes = read(file)?;
    let names = undefined(file, &bytes).map_err(|e| match e {
        Unreadable::Object(e) => failed(file, e),
        Unreadable::Member(text) => format!("{}: its member {text}", file.display()),
        Unreadable::IntermediateCode => format!(
            "{}: objects for link-time optimisation have no symbols until they are linked: compile with \
             -ffat-lto-objects, or check the linked program",
            file.display()
        ),
    });
    let names = sort(names?, &exported);
    say!("{}: undefined symbols that belong to Tephra, NVIDIA's libraries or MAGMA", file.display());
    list("provided by Tephra", &names.ours);
    list("named as in NVIDIA's libraries, which must also be linked (not looked up there)", &names.vendors);
    list("named as in MAGMA, but not provided by Tephra", &names.unresolved);
    if !names.lacking.is_empty() {
        list("named as in Tephra, but not provided by this version", &names.lacking);
    }
    Ok(names.unresolved.is_empty() && names.lacking.is_empty())
}

/// Reads a regular file: a device might never end.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    std::fs::read(path)
}

fn list(who: &str, names: &BTreeSet<String>) {
    say!("{:>5} {who}", names.len());
    for name in names {
        say!("      {name}");
    }
}

/// The names that a shared library exports.
fn exported(bytes: &[u8]) -> object::Result<BTreeSet<String>> {
    let file = object::File::parse(bytes)?;
    let defined = file.dynamic_symbols().filter(|symbol| symbol.is_definition());
    defined.map(|symbol| symbol.name().map(str::to_owned)).collect()
}

/// The reason why the symbols of a file are unknown.
#[derive(Debug)]
enum Unreadable {
    Object(object::Error),
    /// A member of an archive, or the file that a thin archive names for it.
    Member(String),
    /// The compiler's intermediate code alone, whose symbols its linker plugin reads.
    IntermediateCode,
}

impl From<object::Error> for Unreadable {
    fn from(error: object::Error) -> Self {
        Unreadable::Object(error)
    }
}

/// Whether an object of GCC's has intermediate code and no machine code. A section says so from GCC 10 on, a symbol
/// before.
fn is_intermediate(file: &object::File) -> bool {
    let is_header = |name: &str| name.starts_with(".gnu.lto_.lto.");
    let has_flag = |data: &[u8]| data.get(4).is_some_and(|slim| *slim != 0);
    file.symbols().any(|symbol| symbol.name() == Ok("__gnu_lto_slim"))
        || file.sections().any(|section| section.name().is_ok_and(is_header) && section.data().is_ok_and(has_flag))
}

/// The names that an object, an executable, a shared library or the members of an archive use but do not define, without
/// weak ones, which may stay undefined. A thin archive names its members' files, relative to its own folder.
fn undefined(file: &Path, bytes: &[u8]) -> Result<BTreeSet<String>, Unreadable> {
    let (mut used, mut defined) = (BTreeSet::new(), BTreeSet::new());
    let mut collect = |bytes: &[u8]| -> Result<(), Unreadable> {
        // Clang's slim objects are files of bitcode.
        if bytes.starts_with(b"BC\xc0\xde") {
            return Err(Unreadable::IntermediateCode);
        }
        let file = object::File::parse(bytes)?;
        if is_intermediate(&file) {
            return Err(Unreadable::IntermediateCode);
        }
        for symbol in file.symbols().chain(file.dynamic_symbols()) {
            if symbol.is_undefined() && symbol.is_weak() {
                continue;
            }
            let names = if symbol.is_undefined() { &mut used } else { &mut defined };
            // Versioned names appear in symbol tables as NAME@VERSION.
            names.insert(symbol.name()?.split('@').next().unwrap_or_default().to_owned());
        }
        Ok(())
    };
    match ArchiveFile::parse(bytes) {
        Ok(archive) => {
            for member in archive.members() {
                let member = member?;
                let (name, mut path) = (OsStr::from_bytes(member.name()), file.to_owned());
                let failed = |why: &dyn Display| Unreadable::Member(format!("{}: {why}", name.display()));
                let collected = if archive.is_thin() {
                    path.set_file_name(name);
                    collect(&read_file(&path).map_err(|e| failed(&e))?)
                } else {
                    collect(member.data(bytes)?)
                };
                collected.map_err(|e| if let Unreadable::Object(e) = e { failed(&e) } else { e })?;
            }
        }
        Err(_) => collect(bytes)?,
    }
    Ok(&used - &defined)
}

/// Groups names by their prefixes; unrelated names (of the C library, or the program's own) are dropped.
fn sort(names: BTreeSet<String>, exported: &BTreeSet<String>) -> Names {
    let mut sorted = Names::default();
    for name in names {
        let begins = |beginnings: &[&str]| beginnings.iter().any(|beginning| name.starts_with(beginning));
        if exported.contains(&name) {
            sorted.ours.insert(name);
        } else if begins(&VENDORS) {
            sorted.vendors.insert(name);
        } else if begins(&MAGMAS) {
            sorted.unresolved.insert(name);
        } else if name.starts_with(OWN) {
            sorted.lacking.insert(name);
        }
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_to_who_has_them() {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
        let exported = set(&["cublasDgeqrfBatched", "magma_dgeqrf_batched", "tephra_version"]);
        let used = set(&[
            "cublasDgeqrfBatched",
            "cublasDdgmm_v9",
            "magma_dsyevd",
            "magma_dgeqrf_batched",
            "tephra_dgeqrf_of_next_year",
            "printf",
            "cudaMalloc",
        ]);
        let wanted = Names {
            ours: set(&["cublasDgeqrfBatched", "magma_dgeqrf_batched"]),
            vendors: set(&["cublasDdgmm_v9", "cudaMalloc"]),
            unresolved: set(&["magma_dsyevd"]),
            lacking: set(&["tephra_dgeqrf_of_next_year"]),
        };
        assert_eq!(sort(used, &exported), wanted);
    }

    #[test]
    fn the_symbols_of_this_program_are_read() {
        let program = std::env::current_exe().unwrap();
        let bytes = std::fs::read(&program).unwrap();
        assert!(undefined(&program, &bytes).unwrap().contains("malloc"));
        assert!(undefined(&program, b"no object at all").is_err());
    }

    /// The archive that `ar rcsT` would make of this program and of a file that does not exist.
    #[test]
    fn members_of_thin_archives_are_read_from_their_files() {
        let program = std::env::current_exe().unwrap();
        let folder = program.parent().unwrap();
        let thin = |name: &str| {
            let names = format!("{name}/\n");
            let header = |name: &str, size: usize| format!("{name:<16}{0:<12}{0:<6}{0:<6}{1:<8}{size:<10}`\n", 0, 644);
            format!("!<thin>\n{}{names}{}", header("//", names.len()), header("/0", 9)).into_bytes()
        };
        let name = program.file_name().unwrap().to_str().unwrap();
        // An odd number of bytes would need padding.
        let names = if name.len().is_multiple_of(2) { name.to_owned() } else { format!("./{name}") };
        let names = if names.len().is_multiple_of(2) { names } else { format!(".//{name}") };
        let archive = folder.join("thin.a");
        assert!(undefined(&archive, &thin(&names)).unwrap().contains("malloc"));
        let lacking = undefined(&archive, &thin("no-such-member.o")).unwrap_err();
        assert!(matches!(lacking, Unreadable::Member(text) if text.contains("no-such-member.o: ")));
        // A file that is no object is named, too.
        let text = folder.join("text.members");
        std::fs::write(&text, "no object at all").unwrap();
        let unknown = undefined(&archive, &thin("text.members")).unwrap_err();
        assert!(matches!(unknown, Unreadable::Member(why) if why.starts_with("text.members: ")));
    }
}
