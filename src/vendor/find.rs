//! Finding functions of another library of this process, without finding our own names for them.

use std::ffi::{CStr, c_void};
use std::ptr;

/// Which library a symbol is looked up in.
#[derive(Clone, Copy, Debug)]
pub struct Library {
    /// Names to try, newest first.
    pub sonames: &'static [&'static CStr],
    /// A function that tells the library, should it have another name: one that the preload object does not export.
    pub mark: &'static CStr,
    /// Whether to load it; else it is used only when the process has it already.
    pub load: bool,
}

/// NVIDIA's cuBLAS, if something else in this process has loaded it.
pub const CUBLAS: Library =
    Library { sonames: &[c"libcublas.so.13", c"libcublas.so.12"], mark: c"cublasCreate_v2", load: false };
/// NVIDIA's cuSOLVER, if something else in this process has loaded it.
pub const CUSOLVER: Library =
    Library { sonames: &[c"libcusolver.so.12", c"libcusolver.so.11"], mark: c"cusolverDnCreate", load: false };
/// NVIDIA's cuSPARSE, loaded on request: MAGMA's queues carry one of its handles.
pub const CUSPARSE: Library = Library { sonames: &[c"libcusparse.so.12"], mark: c"cusparseCreate", load: true };

/// A function of a library: of the one that has its name (also if that was opened RTLD_LOCAL, as Python's extension modules
/// are), else of the first that has its mark, after the object that this is linked into and then anywhere in the global
/// scope: opened by the preload object, `libtephra.so` is in no scope but its own, so that nothing is after it.
pub fn find(library: &Library, name: &CStr) -> Option<*mut c_void> {
    let mode = libc::RTLD_LAZY | if library.load { libc::RTLD_LOCAL } else { libc::RTLD_NOLOAD };
    // SAFETY: the vendor's library is made for being opened.
    let by_name = library.sonames.iter().map(|soname| unsafe { libc::dlopen(soname.as_ptr(), mode) });
    // SAFETY: a look-up.
    let by_mark = [libc::RTLD_NEXT, libc::RTLD_DEFAULT]
        .iter()
        .map(|&scope| holder(unsafe { libc::dlsym(scope, library.mark.as_ptr()) }));
    by_name.chain(by_mark).find_map(|object| function(object, name))
}

/// A function of an object that is not ours.
fn function(object: *mut c_void, name: &CStr) -> Option<*mut c_void> {
    // Two copies of Tephra in a process must not take each other for the vendor's library.
    // SAFETY: look-ups in an object that is open.
    if object.is_null() || !unsafe { libc::dlsym(object, c"tephra_version".as_ptr()) }.is_null() {
        return None;
    }
    let found = unsafe { libc::dlsym(object, name.as_ptr()) };
    (!found.is_null() && base(found) != base(find as *const c_void)).then_some(found)
}

/// The object that holds `address`, as dlopen gives it; NULL for none. That counts a reference, which is kept, so that what is
/// found there stays good.
pub fn holder(address: *const c_void) -> *mut c_void {
    match place(address) {
        // SAFETY: the name is the dynamic linker's own, and nothing is loaded.
        Some(info) => unsafe { libc::dlopen(info.dli_fname, libc::RTLD_LAZY | libc::RTLD_NOLOAD) },
        None => ptr::null_mut(),
    }
}

/// Where the object that holds `address` is mapped.
fn base(address: *const c_void) -> *mut c_void {
    place(address).map_or(ptr::null_mut(), |info| info.dli_fbase)
}

/// What the dynamic linker knows of an address of code.
#[allow(clippy::not_unsafe_ptr_arg_deref)] // dladdr only compares it
pub fn place(address: *const c_void) -> Option<libc::Dl_info> {
    // SAFETY: plain data, all of which may be zero; any address may be asked for.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    (unsafe { libc::dladdr(address, &mut info) } != 0 && !info.dli_fname.is_null()).then_some(info)
}
