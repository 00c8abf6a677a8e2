//! What was called: one line per call that pastes into `tephra bench`, for `TEPHRA_VERBOSE` and for the
//! logger that cuBLAS's API configures.

use crate::backend::Runtime;
use crate::error::Error;
use crate::host::{environment, output};
use crate::routine::{Operation, Verdict};
use std::ffi::{CString, c_char, c_void};
use std::fs::File;
use std::os::fd::{AsRawFd, IntoRawFd};
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU8, Ordering};

const STDERR: u8 = 1;
const STDOUT: u8 = 2;
const FILE: u8 = 4;
const CALLBACK: u8 = 8;
/// The environment has been read.
const READY: u8 = 128;

static SINKS: AtomicU8 = AtomicU8::new(0);
/// The log file's descriptor once there was one, and kept: other files take its place in it, so that a thread that is just
/// writing never has a closed one, and no lock is needed.
static LOG_FILE: AtomicI32 = AtomicI32::new(-1);
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

/// Where lines go from now on (`cublasLoggerConfigure`). False when the file cannot be opened.
pub fn configure(on: bool, to_stdout: bool, to_stderr: bool, file: Option<&str>) -> bool {
    let opened = file.filter(|_| on).map(|name| File::options().create(true).append(true).open(name));
    let failed = matches!(opened, Some(Err(_)));
    let file = opened.and_then(Result::ok);
    set(STDOUT, on && to_stdout);
    set(STDERR, on && to_stderr);
    set(FILE, file.is_some());
    log_into(file);
    !failed
}

/// Puts a file, or nothing, in the place of the log file.
fn log_into(file: Option<File>) {
    let kept = LOG_FILE.load(Ordering::Acquire);
    let nothing = || File::options().append(true).open("/dev/null").ok();
    match file {
        Some(file) if kept < 0 => {
            let made = file.into_raw_fd();
            if let Err(other) = LOG_FILE.compare_exchange(kept, made, Ordering::AcqRel, Ordering::Acquire) {
                // SAFETY: two descriptors of ours; `other` keeps its number.
                unsafe { libc::dup3(made, other, libc::O_CLOEXEC) };
                unsafe { libc::close(made) };
            }
        }
        file if kept >= 0 => {
            if let Some(file) = file.or_else(nothing) {
                // SAFETY: two descriptors of ours; `kept` keeps its number.
                unsafe { libc::dup3(file.as_raw_fd(), kept, libc::O_CLOEXEC) };
            }
        }
        _ => {}
    }
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
        output::write(libc::STDERR_FILENO, &with_end);
    }
    if sinks & STDOUT != 0 {
        output::put(&with_end);
    }
    if sinks & FILE != 0 {
        output::write(LOG_FILE.load(Ordering::Acquire), &with_end);
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
    line(&format!("tephra bench {} # {name} backend={} plan={plan}", op, runtime.kind().name()));
}
