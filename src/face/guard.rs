//! The `entry!` macro, which defines every exported function: C linkage, panic guard, error mapping.

use crate::error::{Arg, Error};
use crate::host::output::write_error_line;
use crate::host::signals::NotCancelled;
use std::cell::UnsafeCell;
use std::ffi::{CStr, OsStr, c_char, c_void};
use std::fmt::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::ptr;

/// A C return type that knows how its ABI reports a failure.
pub trait Outcome: Sized {
    /// Whether the type is a status. A failure status that the body returns without recording an error is then recorded
    /// as well.
    const STATUS: bool = false;
    /// The value that reports `error` to the caller of `name`. Prints a message if the ABI does.
    fn failed(name: &'static str, error: &Error) -> Self;
    /// Whether a status is a failure.
    fn is_failure(&self) -> bool {
        false
    }
    /// The message of a failure status.
    fn text(&self, _prototype: &Prototype) -> String {
        String::new()
    }
}

/// MAGMA's routines that return nothing report errors on stderr, like MAGMA's `check_error`.
impl Outcome for () {
    fn failed(name: &'static str, error: &Error) {
        write_error_line(format_args!("MAGMA error: {error} in {name}"));
    }
}

/// Functions that return a number that is a result, not a code (sizes, counts, times), return zero on failure.
macro_rules! zero_on_failure {
    ($($ty:ty),*) => {$(
        impl Outcome for $ty {
            fn failed(name: &'static str, error: &Error) -> Self {
                <() as Outcome>::failed(name, error);
                <$ty>::default()
            }
        }
    )*};
}
zero_on_failure!(usize, f32, f64, crate::scalar::C32, crate::scalar::C64);

/// Functions that return a pointer return NULL on failure.
impl Outcome for *const c_char {
    fn failed(_name: &'static str, _error: &Error) -> Self {
        ptr::null()
    }
}
impl Outcome for *mut c_void {
    fn failed(_name: &'static str, _error: &Error) -> Self {
        ptr::null_mut()
    }
}

/// Runs the body of an exported function, during which the thread cannot be cancelled. Catches panics, and records and
/// converts every failure.
#[inline]
pub fn guard<R: Outcome>(prototype: &'static Prototype, body: impl FnOnce() -> Result<R, Error>) -> R {
    let _whole = NotCancelled::new();
    let before = if R::STATUS { records() } else { 0 };
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => {
            if R::STATUS && value.is_failure() && records() == before {
                write_last(prototype.name, &value.text(prototype));
            }
            value
        }
        Ok(Err(error)) => fail(prototype.name, &error),
        Err(panic) => fail(prototype.name, &Error::Internal(panic_text(&*panic))),
    }
}

#[cold]
fn fail<R: Outcome>(name: &'static str, error: &Error) -> R {
    record(name, error);
    R::failed(name, error)
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("panic: {}", text.unwrap_or("of unknown type"))
}

/// A C string in a fixed buffer; text that does not fit is truncated.
struct Text {
    bytes: [u8; 1024],
    length: usize,
    /// The number of failures recorded so far.
    records: u32,
}

impl Write for Text {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        let room = self.bytes.len() - 1 - self.length;
        let fits = (0..=room.min(s.len())).rev().find(|&end| s.is_char_boundary(end)).unwrap_or(0);
        let to = &mut self.bytes[self.length..self.length + fits];
        to.copy_from_slice(&s.as_bytes()[..fits]);
        to.iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = b' ');
        self.length += fits;
        self.bytes[self.length] = 0;
        Ok(())
    }
}

thread_local! {
    /// It has no destructor, so it stays usable until the very end of the thread: other destructors may call the
    /// library.
    static LAST: UnsafeCell<Text> = const { UnsafeCell::new(Text { bytes: [0; 1024], length: 0, records: 0 }) };
}

/// Records `what` as this thread's last failure.
#[cold]
pub fn record(name: &str, what: &dyn fmt::Display) {
    write_last(name, what);
}

#[cold]
fn write_last(name: &str, what: &dyn fmt::Display) {
    // SAFETY: the text belongs to this thread alone, and nothing below re-enters this function.
    let text = unsafe { &mut *LAST.with(UnsafeCell::get) };
    text.length = 0;
    text.records = text.records.wrapping_add(1);
    let _ = write!(text, "{name}: {what}");
}

/// How many failures this thread has recorded.
pub fn records() -> u32 {
    // SAFETY: the text belongs to this thread alone.
    unsafe { (*LAST.with(UnsafeCell::get)).records }
}

/// This thread's last failure, empty before the first; valid until the thread's next failure.
pub fn last_error() -> *const c_char {
    // SAFETY: this only takes an address.
    unsafe { (&raw const (*LAST.with(UnsafeCell::get)).bytes).cast() }
}

/// Reads a caller's C string. Returns `None` for NULL; invalid UTF-8 is replaced.
///
/// # Safety
/// `text` is NULL or a NUL-terminated string.
pub unsafe fn read_text(text: *const c_char) -> Option<String> {
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// Reads a caller's path, of any bytes. Returns `None` for NULL.
///
/// # Safety
/// As [`read_text`].
pub unsafe fn read_path(path: *const c_char) -> Option<PathBuf> {
    (!path.is_null()).then(|| OsStr::from_bytes(unsafe { CStr::from_ptr(path) }.to_bytes()).into())
}

/// Writes `value` through a caller's pointer; NULL is an error.
///
/// # Safety
/// `out` is NULL or valid for a write.
pub unsafe fn store<T>(out: *mut T, value: T) -> Result<(), Error> {
    if out.is_null() {
        return Err(Arg::Pointer.into());
    }
    unsafe { out.write(value) };
    Ok(())
}

/// Reads an argument that is passed by reference, as in Fortran; NULL is an error.
///
/// # Safety
/// `from` is NULL or valid for a read.
pub unsafe fn load<T: Copy>(from: *const T) -> Result<T, Error> {
    if from.is_null() { Err(Arg::Pointer.into()) } else { Ok(unsafe { from.read() }) }
}

/// The name of an exported function, and those of its arguments.
pub struct Prototype {
    /// Its symbol.
    pub name: &'static str,
    /// The names of its arguments.
    pub arguments: &'static [&'static str],
}

/// Defines exported C functions: `fn name(arg: Type, ...) -> Ret { body }`, where the body is a `Result<Ret, Error>`.
///
/// Adds the C linkage and runs the body under [`guard`](crate::face::guard::guard). The body is an unsafe context; the
/// C headers document what the caller must guarantee. In the body, `PROTOTYPE` is the function's own [`Prototype`].
#[macro_export]
macro_rules! entry {
    ($($(#[$meta:meta])* fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? $body:block)*) => {$(
        $(#[$meta])*
        #[unsafe(no_mangle)]
        #[allow(unused_unsafe, non_snake_case)]
        pub unsafe extern "C" fn $name($($arg: $ty),*) $(-> $ret)? {
            const PROTOTYPE: &$crate::face::guard::Prototype =
                &$crate::face::guard::Prototype { name: stringify!($name), arguments: &[$(stringify!($arg)),*] };
            $crate::face::guard::guard(PROTOTYPE, move || unsafe { $body })
        }
    )*};
}
