//! Capturing stderr.

use std::fs::File;
use std::io::{Read, Seek};
use std::os::fd::{AsRawFd, FromRawFd};
use std::sync::{Mutex, PoisonError};

/// Runs `body` and returns what the process writes to stderr meanwhile, including other threads' output.
pub fn stderr_of<R>(body: impl FnOnce() -> R) -> (R, String) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _lock = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let path = std::env::temp_dir().join(format!("tephra-stderr-{}", std::process::id()));
    let mut file = File::options().read(true).write(true).create(true).truncate(true).open(&path).unwrap();
    let _ = std::fs::remove_file(&path);
    // SAFETY: these are plain descriptors; the saved one is restored below.
    let saved = unsafe { File::from_raw_fd(libc::dup(2)) };
    unsafe { libc::dup2(file.as_raw_fd(), 2) };
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body));
    unsafe { libc::dup2(saved.as_raw_fd(), 2) };
    let mut text = String::new();
    file.rewind().unwrap();
    file.read_to_string(&mut text).unwrap();
    match result {
        Ok(result) => (result, text),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
