//! The `TEPHRA_*` environment variables: their names and accepted values, and warnings on stderr for anything else.

use super::output::write_error_line;
use super::settings;
use once_cell::race::OnceNonZeroUsize;
use std::ffi::{CStr, OsStr, c_char};
use std::num::NonZeroUsize;
use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::{AtomicBool, Ordering};

/// The accepted values of a variable.
#[derive(Clone, Copy, Debug)]
enum Values {
    /// One of these words.
    Words(&'static [&'static str]),
    /// Yes or no, see [`flag`].
    Flag,
    /// A number of threads, see [`threads`].
    Threads,
    /// A comma-separated list of these words.
    List(&'static [&'static str]),
    /// A list of plan candidates, see [`settings::set_allowed`].
    Plans,
    /// Anything, such as a path or a seed; the reader of the variable reports what is wrong with it.
    Any,
}

/// Every variable that any part of the project reads, including the build and the tests.
const VARIABLES: &[(&str, Values)] = &[
    ("TEPHRA_BACKEND", Values::Words(&["auto", "cuda", "cpu"])),
    ("TEPHRA_BATCH_INVARIANT", Values::Flag),
    ("TEPHRA_CUBLAS", Values::Flag),
    ("TEPHRA_MATH", Values::Words(&["fp32", "tf32", "fp32_tensor", "fp16"])),
    ("TEPHRA_NUM_THREADS", Values::Threads),
    ("TEPHRA_PLAN", Values::Plans),
    ("TEPHRA_PRELOAD", Values::List(&["gemm", "gemv"])),
    ("TEPHRA_SIMD", Values::Words(&["baseline", "avx2", "avx512"])),
    ("TEPHRA_VERBOSE", Values::Flag),
    ("TEPHRA_LIBRARY", Values::Any),
    ("TEPHRA_LAPACK", Values::Any),
    ("TEPHRA_VENDOR_CUBLAS", Values::Any),
    ("TEPHRA_VENDOR_CUSOLVER", Values::Any),
    ("TEPHRA_LIBCUDA", Values::Any),
    ("TEPHRA_LIBNVML", Values::Any),
    ("TEPHRA_POWERCAP", Values::Any),
    ("TEPHRA_CUDA", Values::Any),
    ("TEPHRA_CUDA_ARCHS", Values::Any),
    ("TEPHRA_ALLOW_NO_LAPACK", Values::Any),
    ("TEPHRA_FUZZ_CALLS", Values::Any),
    ("TEPHRA_FUZZ_SEED", Values::Any),
    ("TEPHRA_DIR", Values::Any),
    // Set by the build, and passed on to tests by cargo.
    ("TEPHRA_KERNEL_HASH", Values::Any),
    ("TEPHRA_CUDA_ARCHS_BUILT", Values::Any),
];

/// The value of a variable, trimmed. `None` if it is not set or empty; what is not Unicode is replaced, so that a value
/// that cannot be understood is still there.
pub fn value(name: &str) -> Option<String> {
    let text = std::env::var_os(name)?;
    let text = text.to_string_lossy();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Whether a flag is set. Values that are not understood count as off.
pub fn is_on(name: &str) -> bool {
    value(name).as_deref().and_then(flag).unwrap_or(false)
}

/// Whether a flag that is on by default is switched off. Values that are not understood count as on.
pub fn is_off(name: &str) -> bool {
    value(name).as_deref().and_then(flag) == Some(false)
}

/// Parses an integer of any size (0 is off) or a word for on or off in any case.
fn flag(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "on" | "true" | "yes" => Some(true),
        "off" | "false" | "no" => Some(false),
        number => {
            let digits = number.strip_prefix(['-', '+']).unwrap_or(number).as_bytes();
            let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
            is_number.then(|| digits.iter().any(|digit| *digit != b'0'))
        }
    }
}

/// Number of threads of the CPU backend: `TEPHRA_NUM_THREADS`, limited to [`max_threads`], or by default the number of
/// CPUs available to this process.
pub fn threads() -> usize {
    static THREADS: OnceNonZeroUsize = OnceNonZeroUsize::new();
    let count = || {
        let wish = value("TEPHRA_NUM_THREADS").and_then(|text| number(&text));
        wish.map_or_else(cpus, |n| n.min(max_threads()))
    };
    THREADS.get_or_init(|| NonZeroUsize::new(count()).unwrap_or(NonZeroUsize::MIN)).get()
}

fn cpus() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}

/// Limit of the number of threads. Beyond it threads would only wait for each other.
fn max_threads() -> usize {
    (4 * cpus()).max(64)
}

/// Parses a number of at least 1. Saturates at the largest `usize`.
fn number(text: &str) -> Option<usize> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(usize::MAX)).filter(|&n| n > 0)
}

/// Warns on stderr, once per process, about variables that are not understood. Called when the backend is chosen,
/// before any work.
pub fn warn_about_variables() {
    static DONE: AtomicBool = AtomicBool::new(false);
    if DONE.load(Ordering::Relaxed) || DONE.swap(true, Ordering::Relaxed) {
        return;
    }
    // The standard library would first copy all of the environment.
    // SAFETY: the array ends in NULL, and its elements are C strings, unless another thread changes the environment,
    // which is as bad for everyone who reads it.
    let mut next = unsafe { environ };
    while let Some(&text) = unsafe { next.as_ref() }.filter(|text| !text.is_null()) {
        let variable = unsafe { CStr::from_ptr(text) }.to_bytes();
        next = next.wrapping_add(1);
        let Some(equals) = variable.iter().position(|&byte| byte == b'=') else { continue };
        if let Ok(name) = str::from_utf8(&variable[..equals])
            && name.starts_with("TEPHRA_")
            && let Some(warning) = warning(name, OsStr::from_bytes(&variable[equals + 1..]))
        {
            write_error_line(format_args!("tephra: {warning}"));
        }
    }
}

unsafe extern "C" {
    static environ: *const *const c_char;
}

/// The warning about a variable that is set, if there is one.
fn warning(name: &str, text: &OsStr) -> Option<String> {
    let Some(&(_, values)) = VARIABLES.iter().find(|(known, _)| *known == name) else {
        let suggestion = nearest(name).map_or_else(String::new, |suggestion| format!("; did you mean {suggestion}?"));
        return Some(format!("{name} is not a known variable{suggestion}"));
    };
    let shown = text.to_string_lossy();
    let text = shown.trim();
    let refused = |known: &str| Some(format!("{name}={shown} is invalid (valid: {known})"));
    if text.is_empty() {
        return None;
    }
    match values {
        Values::Words(words) if !words.contains(&text) => refused(&words.join(", ")),
        Values::List(words) if !text.split(',').all(|word| words.contains(&word.trim())) => refused(&words.join(", ")),
        Values::Flag if flag(text).is_none() => refused("0, 1"),
        Values::Threads => match number(text) {
            None => refused(&format!("1 to {}", max_threads())),
            Some(n) if n > max_threads() => {
                Some(format!("{name}={shown} is more than this machine can use: using {} threads", max_threads()))
            }
            _ => None,
        },
        Values::Plans => {
            let unknown = settings::unknown_candidate(text)?;
            refused(&format!("{}; not {unknown}", settings::CANDIDATES.join(", ")))
        }
        _ => None,
    }
}

/// The most similar known name, if it is similar enough to suggest.
fn nearest(name: &str) -> Option<&'static str> {
    let all = VARIABLES.iter().map(|&(known, _)| (distance(known, name), known));
    all.min().filter(|(distance, _)| *distance <= 3).map(|(_, known)| known)
}

/// Levenshtein distance.
fn distance(a: &str, b: &str) -> usize {
    let b = b.as_bytes();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_integer_but_zero_is_on() {
        for (text, expected) in [
            ("0", Some(false)),
            ("-0", Some(false)),
            ("000", Some(false)),
            ("1", Some(true)),
            ("-1", Some(true)),
            ("+2", Some(true)),
            ("99999999999999999999999", Some(true)),
            ("YES", Some(true)),
            ("Off", Some(false)),
            ("-", None),
            ("1.5", None),
            ("--1", None),
            ("loud", None),
        ] {
            assert_eq!(flag(text), expected, "{text}");
        }
    }

    fn said(name: &str, text: &str) -> String {
        warning(name, OsStr::new(text)).unwrap_or_default()
    }

    #[test]
    fn what_is_understood_is_not_spoken_of() {
        for (name, text) in [
            ("TEPHRA_BACKEND", "cpu"),
            ("TEPHRA_BACKEND", ""),
            ("TEPHRA_MATH", "tf32"),
            ("TEPHRA_MATH", "fp32_tensor"),
            ("TEPHRA_MATH", "fp16"),
            ("TEPHRA_NUM_THREADS", "1"),
            ("TEPHRA_NUM_THREADS", " 64 "),
            ("TEPHRA_PLAN", "blocked=32/128, generic"),
            ("TEPHRA_PLAN", "unblocked,,"),
            ("TEPHRA_PRELOAD", "gemv, gemm"),
            ("TEPHRA_VERBOSE", "0"),
            ("TEPHRA_VERBOSE", "2"),
            ("TEPHRA_BATCH_INVARIANT", "Yes"),
            ("TEPHRA_LAPACK", "/no/such/file"),
        ] {
            assert_eq!(said(name, text), "", "{name}={text}");
        }
    }

    #[test]
    fn what_is_not_is() {
        for (name, text, words) in [
            ("TEPHRA_BACKEND", "gpu", "TEPHRA_BACKEND=gpu is invalid (valid: auto, cuda, cpu)"),
            ("TEPHRA_MATH", "fast", "valid: fp32, tf32, fp32_tensor, fp16"),
            ("TEPHRA_PRELOAD", "gemm,trsv", "valid: gemm, gemv"),
            ("TEPHRA_SIMD", "sse9", "valid: baseline"),
            ("TEPHRA_NUM_THREADS", "0", "valid: 1 to "),
            ("TEPHRA_NUM_THREADS", "-1", "valid: 1 to "),
            ("TEPHRA_NUM_THREADS", "two", "valid: 1 to "),
            ("TEPHRA_NUM_THREADS", "20000", ": using "),
            ("TEPHRA_NUM_THREADS", "99999999999999999999999", ": using "),
            ("TEPHRA_PLAN", "blocked,nonsense=3", "not nonsense=3"),
            ("TEPHRA_VERBOSE", "loud", "valid: 0, 1"),
            ("TEPHRA_BACKENT", "cpu", "TEPHRA_BACKENT is not a known variable; did you mean TEPHRA_BACKEND?"),
            ("TEPHRA_NUMTHREADS", "4", "did you mean TEPHRA_NUM_THREADS?"),
        ] {
            assert!(said(name, text).contains(words), "{name}={text}: {}", said(name, text));
        }
        assert_eq!(said("TEPHRA_SOMETHING_ELSE", "1"), "TEPHRA_SOMETHING_ELSE is not a known variable");
    }

    /// Checks that [`VARIABLES`] lists every variable that the sources read.
    #[test]
    fn every_variable_that_is_read_is_known() {
        let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let mut folders: Vec<_> =
            ["src", "tests", "benches", "python", "scripts", "c_tests", "demo"].map(|f| root.join(f)).into();
        let (mut read, mut files) = (Vec::new(), 0);
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if let Ok(text) = std::fs::read_to_string(&path) {
                    files += 1;
                    for reader in [
                        "env::var(\"",
                        "env::var_os(\"",
                        "getenv(\"",
                        "environ.get(\"",
                        "environ[\"",
                        "is_on(\"",
                        "is_off(\"",
                        "value(\"",
                    ] {
                        let names = text.split(reader).skip(1).filter_map(|rest| rest.split('"').next());
                        read.extend(names.filter(|n| n.starts_with("TEPHRA_")).map(|n| (n.to_owned(), path.clone())));
                    }
                }
            }
        }
        assert!(files > 100 && read.len() > 10, "{files} files, {} variables", read.len());
        for (name, path) in read {
            assert!(VARIABLES.iter().any(|(known, _)| *known == name), "{name} in {}", path.display());
        }
    }
}
