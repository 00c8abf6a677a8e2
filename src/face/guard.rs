//! The entry macro: C linkage, panic guard, error mapping. One definition for every exported symbol.

use crate::error::Error;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

/// A C return type that knows how its ABI reports a failure.
pub trait Outcome: Sized {
    /// The value that tells the caller of `name` about `error` (and the message, where the ABI prints one).
    fn failed(name: &'static str, error: &Error) -> Self;
}

/// Routines that return nothing: MAGMA's. They tell on stderr, like MAGMA's `check_error`.
impl Outcome for () {
    fn failed(name: &'static str, error: &Error) {
        eprintln!("MAGMA error: {error} in {name}");
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

/// Runs the body of the exported function `name`: no panic leaves it, every failure is recorded and translated.
#[inline]
pub fn guard<R: Outcome>(name: &'static str, body: impl FnOnce() -> Result<R, Error>) -> R {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => value,
        Ok(Err(error)) => fail(name, &error),
        Err(panic) => fail(name, &Error::Internal(panic_text(&*panic))),
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

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Remembers `error` as this thread's last failure.
#[cold]
pub fn record(name: &str, error: &Error) {
    let text = format!("{name}: {error}").replace('\0', " ");
    LAST.with(|last| *last.borrow_mut() = CString::new(text).unwrap_or_default());
}

/// This thread's last failure, empty before the first; valid until the thread's next failure.
pub fn last_error() -> *const c_char {
    LAST.with(|last| last.borrow().as_ptr())
}

/// Reads a C string given by a caller: `None` for NULL, lossy for text that is not UTF-8.
///
/// # Safety
/// `text` is NULL or a NUL-terminated string.
pub unsafe fn read_text(text: *const c_char) -> Option<String> {
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// Exported C functions: `fn name(arg: Type, ...) -> Ret { body }`, where the body is a `Result<Ret, Error>`.
///
/// Adds the C linkage and runs the body under [`guard`](crate::face::guard::guard). The body is an unsafe context:
/// what the caller must guarantee is said in the C headers.
#[macro_export]
macro_rules! entry {
    ($($(#[$meta:meta])* fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? $body:block)*) => {$(
        $(#[$meta])*
        #[unsafe(no_mangle)]
        #[allow(unused_unsafe, non_snake_case)]
        pub unsafe extern "C" fn $name($($arg: $ty),*) $(-> $ret)? {
            $crate::face::guard::guard(stringify!($name), move || unsafe { $body })
        }
    )*};
}
