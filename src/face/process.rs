//! Symbols of other libraries in this process, and safe reads of memory that may not be mapped.

use crate::host::fork::with_fork_lock;
use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use tephra_vendor::find;
pub use tephra_vendor::{CUBLAS, CUSOLVER, CUSPARSE, Library};

/// A symbol of another library, which is looked up once. A miss is not cached, as the library may be loaded later.
pub struct Symbol {
    library: Library,
    name: &'static CStr,
    found: AtomicPtr<c_void>,
}

impl Symbol {
    /// Makes a symbol that has not been looked up yet.
    pub const fn new(library: Library, name: &'static CStr) -> Self {
        Symbol { library, name, found: AtomicPtr::new(ptr::null_mut()) }
    }

    /// [`Symbol::new`] for a name that ends in a NUL.
    pub const fn named(library: Library, name: &'static str) -> Self {
        match CStr::from_bytes_with_nul(name.as_bytes()) {
            Ok(name) => Symbol::new(library, name),
            Err(_) => panic!("a C string"),
        }
    }

    /// Its address.
    #[inline]
    pub fn get(&self) -> Option<*mut c_void> {
        let found = self.found.load(Ordering::Acquire);
        if found.is_null() { self.look_up() } else { Some(found) }
    }

    #[cold]
    fn look_up(&self) -> Option<*mut c_void> {
        let found = with_fork_lock(|| find(&self.library, self.name))?;
        self.found.store(found, Ordering::Release);
        Some(found)
    }
}

/// A function in the process's global scope, Tephra's own included.
pub fn global(name: &CStr) -> Option<*mut c_void> {
    let found = with_fork_lock(|| unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) });
    (!found.is_null()).then_some(found)
}

/// Reads a C string from a possibly invalid pointer without ever faulting: at most 255 bytes, "?" if it is unreadable.
///
/// MAGMA's Fortran module passes characters by value where the C interface has `const char *`.
pub fn read_untrusted(text: *const c_char) -> String {
    const SMALLEST_ADDRESS: usize = 4096;
    const PAGE: usize = 4096;
    let mut bytes = [0u8; 255];
    let mut len = 0;
    // The kernel copies the bytes, so a bad address is an error instead of a fault. It is done page by page, as the
    // page after the end of the string may not be mapped.
    while len < bytes.len() && text as usize >= SMALLEST_ADDRESS {
        let from = text as usize + len;
        let chunk = (PAGE - from % PAGE).min(bytes.len() - len);
        let local = libc::iovec { iov_base: bytes[len..].as_mut_ptr().cast(), iov_len: chunk };
        let remote = libc::iovec { iov_base: from as *mut c_void, iov_len: chunk };
        if unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) } != chunk as isize {
            return "?".into();
        }
        if let Some(end) = bytes[len..len + chunk].iter().position(|&b| b == 0) {
            return String::from_utf8_lossy(&bytes[..len + end]).into_owned();
        }
        len += chunk;
    }
    "?".into()
}

/// Finds a function of another library: `vendor!(CUBLAS, c"name", fn(Arg, ...) -> Ret)` is an `Option` of the function.
#[macro_export]
macro_rules! vendor {
    ($library:expr, $name:expr, fn($($arg:ty),*) -> $ret:ty) => {{
        static SYMBOL: $crate::face::process::Symbol = $crate::face::process::Symbol::new($library, $name);
        SYMBOL.get().map(|address| unsafe {
            std::mem::transmute::<*mut std::ffi::c_void, unsafe extern "C" fn($($arg),*) -> $ret>(address)
        })
    }};
}
