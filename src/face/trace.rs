//! Call logging: one line per call, which can be pasted into `tephra bench`, for `TEPHRA_VERBOSE` and for the logger
//! that cuBLAS's API configures.

use crate::backend::Runtime;
use crate::error::Error;
use crate::host::{environment, output};
use crate::routine::{Operation, Verdict};
use std::ffi::{CString, c_char, c_void};
use std::fs::File;
use std::os::fd::{AsRawFd, IntoRawFd};
use std::path::Path;
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU8, Ordering};

const STDERR: u8 = 1;
const STDOUT: u8 = 2;
const FILE: u8 = 4;
const CALLBACK: u8 = 8;
/// Set once the environment has been read.
const READY: u8 = 128;

static SINKS: AtomicU8 = AtomicU8::new(0);
/// The descriptor of the log file, which is never closed. Other log files replace it by `dup3`, so that a concurrent
/// writer never has a closed descriptor, and no lock is needed.
static LOG_FILE: AtomicI32 = AtomicI32::new(-1);
static LOG_CALLBACK: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

/// `cublasLogCallback`: receives one line of text.
pub type LogCallback = unsafe extern "C" fn(*const c_char);

/// Whether there is any sink. This is one relaxed load once the environment has been read.
#[inline]
pub fn enabled() -> bool {
    sinks() & !READY != 0
}

#[inline]
fn sinks() -> u8 {
    let sinks = SINKS.load(Ordering::Relaxed);
    if sinks & READY != 0 { sinks } else { read_environment() }
}

#[cold]
fn read_environment() -> u8 {
    let verbose = environment::is_on("TEPHRA_VERBOSE");
    let bits = READY | if verbose { STDERR } else { 0 };
    SINKS.fetch_or(bits, Ordering::Relaxed) | bits
}

fn set(bit: u8, on: bool) {
    sinks();
    if on {
        SINKS.fetch_or(bit, Ordering::Relaxed);
    } else {
        SINKS.fetch_and(!bit, Ordering::Relaxed);
    }
}

/// Sets the sinks (`cublasLoggerConfigure`). Returns false if the file cannot be opened.
pub fn configure(on: bool, to_stdout: bool, to_stderr: bool, file: Option<&Path>) -> bool {
    let opened = file.filter(|_| on).map(|name| File::options().create(true).append(true).open(name));
    let failed = matches!(opened, Some(Err(_)));
    let file = opened.and_then(Result::ok);
    set(STDOUT, on && to_stdout);
    set(STDERR, on && to_stderr);
    set(FILE, file.is_some());
    log_into(file);
    !failed
}

/// Replaces the log file by another one, or by none.
fn log_into(file: Option<File>) {
    let kept = LOG_FILE.load(Ordering::Acquire);
    let nothing = || File::options().append(true).open("/dev/null").ok();
    match file {
        Some(file) if kept < 0 => {
            let made = file.into_raw_fd();
            if let Err(other) = LOG_FILE.compare_exchange(kept, made, Ordering::AcqRel, Ordering::Acquire) {
                // SAFETY: both descriptors are ours, and `other` stays open.
                unsafe { libc::dup3(made, other, libc::O_CLOEXEC) };
                unsafe { libc::close(made) };
            }
        }
        file if kept >= 0 => {
            if let Some(file) = file.or_else(nothing) {
                // SAFETY: both descriptors are ours, and `kept` stays open.
                unsafe { libc::dup3(file.as_raw_fd(), kept, libc::O_CLOEXEC) };
            }
        }
        _ => {}
    }
}

/// Sends every line also to a function of the program; `None` stops this.
pub fn set_callback(callback: Option<LogCallback>) {
    LOG_CALLBACK.store(callback.map_or(ptr::null_mut(), |f| f as *mut c_void), Ordering::Release);
    set(CALLBACK, callback.is_some());
}

/// The function given to [`set_callback`].
pub fn callback() -> Option<LogCallback> {
    let address = LOG_CALLBACK.load(Ordering::Acquire);
    (!address.is_null()).then(|| unsafe { std::mem::transmute::<*mut c_void, LogCallback>(address) })
}

/// Writes one line to all sinks.
#[cold]
pub fn line(text: &str) {
    let sinks = sinks();
    let with_end = format!("{text}\n");
    if sinks & STDERR != 0 {
        output::write(libc::STDERR_FILENO, with_end.as_bytes());
    }
    if sinks & STDOUT != 0 {
        output::write_stdout(&with_end);
    }
    if sinks & FILE != 0 {
        output::write(LOG_FILE.load(Ordering::Acquire), with_end.as_bytes());
    }
    if let (Some(callback), Ok(text)) = (callback(), CString::new(text)) {
        unsafe { callback(text.as_ptr()) };
    }
}

/// The plan of an operation as text. An empty problem has none.
pub fn explain(runtime: &dyn Runtime, op: &Operation, verdict: Verdict) -> Result<String, Error> {
    match verdict {
        Verdict::Go => runtime.explain(op),
        Verdict::QuickReturn => Ok("nothing to do".into()),
    }
}

/// Logs one call.
#[cold]
pub fn operation(name: &str, runtime: &dyn Runtime, op: &Operation, verdict: Verdict) {
    let plan = explain(runtime, op, verdict).unwrap_or_else(|error| error.to_string());
    let plan = plan.split('\n').filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ");
    line(&format!("tephra bench {} # {name} backend={} plan={plan}", op, runtime.kind().name()));
}
