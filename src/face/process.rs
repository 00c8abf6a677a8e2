//! Other libraries of this process: finding their symbols without finding our own.

use crate::host::fork::undisturbed;
use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Which library a symbol is looked up in.
#[derive(Clone, Copy, Debug)]
pub struct Library {
    /// Names to try, newest first.
    pub sonames: &'static [&'static CStr],
    /// Whether to load it; else it is used only when the process has it already.
    pub load: bool,
}

/// NVIDIA's cuBLAS, if something else in this process has loaded it.
pub const CUBLAS: Library = Library { sonames: &[c"libcublas.so.13", c"libcublas.so.12"], load: false };
/// NVIDIA's cuSPARSE, loaded on request: MAGMA's queues carry one of its handles.
pub const CUSPARSE: Library = Library { sonames: &[c"libcusparse.so.12"], load: true };

/// A symbol of another library, looked up once; a miss is not remembered, as the library may come later.
pub struct Symbol {
    library: Library,
    name: &'static CStr,
    found: AtomicPtr<c_void>,
}

impl Symbol {
    /// Nothing is looked up yet.
    pub const fn new(library: Library, name: &'static CStr) -> Self {
        Symbol { library, name, found: AtomicPtr::new(ptr::null_mut()) }
    }

    /// The same of a name that ends in a NUL.
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
        let found = undisturbed(|| find(self.library, self.name))?;
        self.found.store(found, Ordering::Release);
        Some(found)
    }
}

/// The library's own symbol first (this also finds libraries opened RTLD_LOCAL, as Python's extension modules are),
/// then the next one after us in the global scope. Both can answer with one of our exports: never return that.
fn find(library: Library, name: &CStr) -> Option<*mut c_void> {
    let mode = libc::RTLD_LAZY | if library.load { libc::RTLD_LOCAL } else { libc::RTLD_NOLOAD };
    for soname in library.sonames {
        // NOLOAD counts a reference to the vendor's library; we keep it, so that the address stays good.
        let handle = unsafe { libc::dlopen(soname.as_ptr(), mode) };
        if !handle.is_null() {
            let found = unsafe { libc::dlsym(handle, name.as_ptr()) };
            if is_foreign(found) {
                return Some(found);
            }
        }
    }
    let found = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    is_foreign(found).then_some(found)
}

/// A function of the process's global scope, ours included.
pub fn global(name: &CStr) -> Option<*mut c_void> {
    let found = undisturbed(|| unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) });
    (!found.is_null()).then_some(found)
}

fn is_foreign(address: *const c_void) -> bool {
    !address.is_null() && object_of(address) != object_of(is_foreign as *const c_void)
}

/// Where the object that holds `address` is mapped.
fn object_of(address: *const c_void) -> usize {
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    if unsafe { libc::dladdr(address, &mut info) } == 0 { 0 } else { info.dli_fbase as usize }
}

/// Reads a C string that may be no pointer at all, without ever faulting: at most 255 bytes, "?" when unreadable.
///
/// MAGMA's Fortran module passes characters by value where its C interface has `const char *`.
pub fn read_suspect(text: *const c_char) -> String {
    const SMALLEST_ADDRESS: usize = 4096;
    const PAGE: usize = 4096;
    let mut bytes = [0u8; 255];
    let mut len = 0;
    // The kernel copies, so a bad address is an error and not a fault; page by page, as a string may end before one.
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

/// Calls a function of another library by its own name: `vendor!(CUBLAS, c"name" as fn(Arg, ...) -> Ret)` is an
/// `Option` of the function.
#[macro_export]
macro_rules! vendor {
    ($library:expr, $name:expr, fn($($arg:ty),*) -> $ret:ty) => {{
        static SYMBOL: $crate::face::process::Symbol = $crate::face::process::Symbol::new($library, $name);
        SYMBOL.get().map(|address| unsafe {
            std::mem::transmute::<*mut std::ffi::c_void, unsafe extern "C" fn($($arg),*) -> $ret>(address)
        })
    }};
}
