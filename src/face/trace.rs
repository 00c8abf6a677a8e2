//! What was called: one line per call that pastes into `tephra bench`, for `TEPHRA_VERBOSE` and for the
//! logger that cuBLAS's API configures.

use super::arguments::Arguments;
use crate::backend::Runtime;
use crate::check::Verdict;
use crate::error::Error;
use crate::problem::Operation;
use parking_lot::Mutex;
use std::ffi::{CString, c_char, c_void};
use std::fs::File;
use std::io::Write;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU8, Ordering};

const STDERR: u8 = 1;
const STDOUT: u8 = 2;
const FILE: u8 = 4;
const CALLBACK: u8 = 8;
/// The environment has been read.
const READY: u8 = 128;

static SINKS: AtomicU8 = AtomicU8::new(0);
static LOG_FILE: Mutex<Option<File>> = Mutex::new(None);
static LOG_CALLBACK: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

/// `cublasLogCallback`: receives one line of text.
pub type LogCallback = unsafe extern "C" fn(*const c_char);

/// Whether anything listens; one relaxed load once the environment has been read.
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
    let verbose = std::env::var("TEPHRA_VERBOSE").is_ok_and(|v| !v.is_empty() && v != "0");
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

/// Where lines go from now on (`cublasLoggerConfigure`). False when the file cannot be opened.
pub fn configure(on: bool, to_stdout: bool, to_stderr: bool, file: Option<&str>) -> bool {
    let opened = file.filter(|_| on).map(|name| File::options().create(true).append(true).open(name));
    let failed = matches!(opened, Some(Err(_)));
    let file = opened.and_then(Result::ok);
    set(STDOUT, on && to_stdout);
    set(STDERR, on && to_stderr);
    set(FILE, file.is_some());
    *LOG_FILE.lock() = file;
    !failed
}

/// Sends every line to a function of the program as well; `None` stops that.
pub fn set_callback(callback: Option<LogCallback>) {
    LOG_CALLBACK.store(callback.map_or(ptr::null_mut(), |f| f as *mut c_void), Ordering::Release);
    set(CALLBACK, callback.is_some());
}

/// What [`set_callback`] was given.
pub fn callback() -> Option<LogCallback> {
    let address = LOG_CALLBACK.load(Ordering::Acquire);
    (!address.is_null()).then(|| unsafe { std::mem::transmute::<*mut c_void, LogCallback>(address) })
}

/// Writes one line to everything that listens.
#[cold]
pub fn line(text: &str) {
    let sinks = sinks();
    let with_end = format!("{text}\n");
    if sinks & STDERR != 0 {
        let _ = std::io::stderr().write_all(with_end.as_bytes());
    }
    if sinks & STDOUT != 0 {
        let _ = std::io::stdout().write_all(with_end.as_bytes());
    }
    if let Some(file) = &mut *LOG_FILE.lock() {
        let _ = file.write_all(with_end.as_bytes());
    }
    if let (Some(callback), Ok(text)) = (callback(), CString::new(text)) {
        unsafe { callback(text.as_ptr()) };
    }
}

/// The plan of an operation as text; a shape without work has none.
pub fn explain(runtime: &dyn Runtime, op: &Operation, verdict: Verdict) -> Result<String, Error> {
    match verdict {
        Verdict::Go => runtime.explain(op),
        Verdict::QuickReturn => Ok("nothing to do".into()),
    }
}

/// The line of one call.
#[cold]
pub fn operation(name: &str, runtime: &dyn Runtime, op: &Operation, verdict: Verdict) {
    let plan = explain(runtime, op, verdict).unwrap_or_else(|error| error.to_string());
    let plan = plan.split('\n').filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ");
    line(&format!("tephra bench {} # {name} backend={} plan={plan}", Arguments(op), runtime.kind().name()));
}
