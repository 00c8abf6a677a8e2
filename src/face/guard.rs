//! The entry macro: C linkage, panic guard, error mapping. One definition for every exported symbol.

use crate::error::{Arg, Error};
use crate::host::output::complain;
use std::cell::UnsafeCell;
use std::ffi::{CStr, c_char, c_void};
use std::fmt::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

/// A C return type that knows how its ABI reports a failure.
pub trait Outcome: Sized {
    /// Whether it is a status: then a failure that no error of ours stands behind is recorded as well.
    const STATUS: bool = false;
    /// The value that tells the caller of `name` about `error` (and the message, where the ABI prints one).
    fn failed(name: &'static str, error: &Error) -> Self;
    /// Whether a status says failure.
    fn is_failure(&self) -> bool {
        false
    }
    /// The text of such a status.
    fn text(&self, _own: &Prototype) -> String {
        String::new()
    }
}

/// Routines that return nothing: MAGMA's. They tell on stderr, like MAGMA's `check_error`.
impl Outcome for () {
    fn failed(name: &'static str, error: &Error) {
        complain(format_args!("MAGMA error: {error} in {name}"));
    }
}

/// Numbers that are results, not codes (sizes, counts, times): zero says failure.
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

/// Pointers: NULL says failure.
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

/// Runs the body of an exported function: no panic leaves it, every failure is recorded and translated.
#[inline]
pub fn guard<R: Outcome>(own: &'static Prototype, body: impl FnOnce() -> Result<R, Error>) -> R {
    let before = if R::STATUS { records() } else { 0 };
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => {
            if R::STATUS && value.is_failure() && records() == before {
                write_last(own.name, &value.text(own));
            }
            value
        }
        Ok(Err(error)) => fail(own.name, &error),
        Err(panic) => fail(own.name, &Error::Internal(panic_text(&*panic))),
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

/// A C string of at most so many bytes; what does not fit is cut off.
struct Text {
    bytes: [u8; 1024],
    length: usize,
    /// How many there have been.
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
    /// Nothing that must be dropped, so that it is there to the very end of a thread: destructors call us, too.
    static LAST: UnsafeCell<Text> = const { UnsafeCell::new(Text { bytes: [0; 1024], length: 0, records: 0 }) };
}

/// Remembers `what` went wrong as this thread's last failure.
#[cold]
pub fn record(name: &str, what: &dyn fmt::Display) {
    write_last(name, what);
}

#[cold]
fn write_last(name: &str, what: &dyn fmt::Display) {
    // SAFETY: this thread's alone, and nothing below comes back here.
    let text = unsafe { &mut *LAST.with(UnsafeCell::get) };
    text.length = 0;
    text.records = text.records.wrapping_add(1);
    let _ = write!(text, "{name}: {what}");
}

/// How many failures this thread has recorded.
pub fn records() -> u32 {
    // SAFETY: this thread's alone.
    unsafe { (*LAST.with(UnsafeCell::get)).records }
}

/// This thread's last failure, empty before the first; valid until the thread's next failure.
pub fn last_error() -> *const c_char {
    // SAFETY: only an address is taken.
    unsafe { (&raw const (*LAST.with(UnsafeCell::get)).bytes).cast() }
}

/// Reads a C string given by a caller: `None` for NULL, lossy for text that is not UTF-8.
///
/// # Safety
/// `text` is NULL or a NUL-terminated string.
pub unsafe fn read_text(text: *const c_char) -> Option<String> {
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// Writes `value` where a caller wants it; NULL is refused.
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

/// Reads what a caller hands over by its address, as Fortran does; NULL is refused.
///
/// # Safety
/// `from` is NULL or valid for a read.
pub unsafe fn load<T: Copy>(from: *const T) -> Result<T, Error> {
    if from.is_null() { Err(Arg::Pointer.into()) } else { Ok(unsafe { from.read() }) }
}

/// An exported function as callers know it.
pub struct Prototype {
    /// Its symbol.
    pub name: &'static str,
    /// The names of its arguments.
    pub arguments: &'static [&'static str],
}

/// Exported C functions: `fn name(arg: Type, ...) -> Ret { body }`, where the body is a `Result<Ret, Error>`.
///
/// Adds the C linkage and runs the body under [`guard`](crate::face::guard::guard). The body is an unsafe context:
/// what the caller must guarantee is said in the C headers. In it `PROTOTYPE` is the function's own [`Prototype`].
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
