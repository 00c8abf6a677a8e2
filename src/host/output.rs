//! Output on the process's standard streams. Text that cannot be written is dropped, because there is nowhere to report
//! the failure.

use super::signals::{self, BlockedSignals};
use std::ffi::{CString, c_void};
use std::fmt::Display;
use std::io::{Error, ErrorKind};

/// Writes one line to standard error, with a single call and without buffering.
#[cold]
pub fn write_error_line(line: impl Display) {
    write(libc::STDERR_FILENO, format!("{line}\n").as_bytes());
}

/// Writes all of `text` to a descriptor, or gives up at the first error.
pub fn write(descriptor: i32, text: &[u8]) {
    // There is nowhere to report a failure.
    _ = without_signals(|| write_all(descriptor, text));
}

/// Calls a function that writes to a file, and discards the signal that a failed write raises: SIGPIPE if a pipe has no
/// reader, SIGXFSZ if the process may not make a file that large. Either would end the program.
pub fn without_signals(write: impl FnOnce() -> Result<(), Error>) -> Result<(), Error> {
    const RAISED: [(i32, i32); 2] = [(libc::EPIPE, libc::SIGPIPE), (libc::EFBIG, libc::SIGXFSZ)];
    let blocked = BlockedSignals::these(&RAISED.map(|(_, signal)| signal));
    let had = RAISED.map(|(_, signal)| signals::pending(signal));
    let result = write();
    let code = result.as_ref().err().and_then(Error::raw_os_error);
    for ((error, signal), had_one) in RAISED.into_iter().zip(had) {
        if !had_one && code == Some(error) {
            blocked.discard(signal);
        }
    }
    result
}

fn write_all(descriptor: i32, mut rest: &[u8]) -> Result<(), Error> {
    while !rest.is_empty() {
        // SAFETY: `rest` is a valid slice of that length.
        let written = unsafe { libc::write(descriptor, rest.as_ptr().cast::<c_void>(), rest.len()) };
        match (written, Error::last_os_error()) {
            (1.., _) => rest = &rest[written as usize..],
            (_, error) if error.kind() == ErrorKind::Interrupted => {}
            (_, error) => return Err(error),
        }
    }
    Ok(())
}

/// Writes to C's stdout, so that the text is ordered with the program's own output.
pub fn write_stdout(text: &str) {
    if let Ok(text) = CString::new(text) {
        unsafe { libc::printf(c"%s".as_ptr(), text.as_ptr()) };
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// The printing macros of the standard library panic if the stream cannot be written, and hold a lock of their own.
    #[test]
    fn the_library_prints_by_these_functions_alone() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let programs = ["bin", "testkit", "header"].map(|folder| root.join(folder));
        let (mut folders, mut files) = (vec![root], 0);
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() && !programs.contains(&path) {
                    folders.push(path);
                } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("build.rs") {
                    files += 1;
                    let text = std::fs::read_to_string(&path).unwrap();
                    assert!(!text.contains(concat!("print", "ln!(")), "{} prints", path.display());
                }
            }
        }
        assert!(files > 100, "{files}");
    }
}
