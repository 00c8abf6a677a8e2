//! Finds functions of another library in this process, without finding Tephra's own functions of the same names.

use std::ffi::{CStr, c_void};
use std::ptr;

/// A library in which symbols are looked up.
#[derive(Clone, Copy, Debug)]
pub struct Library {
    /// Names to try, newest first.
    pub sonames: &'static [&'static CStr],
    /// A function that identifies the library if it has another soname; one that the preload object does not export.
    pub marker: &'static CStr,
    /// Whether to load it; otherwise it is used only if the process has already loaded it.
    pub load: bool,
}

/// NVIDIA's cuBLAS, if something else in this process has loaded it.
pub const CUBLAS: Library =
    Library { sonames: &[c"libcublas.so.13", c"libcublas.so.12"], marker: c"cublasCreate_v2", load: false };
/// NVIDIA's cuSOLVER, if something else in this process has loaded it.
pub const CUSOLVER: Library =
    Library { sonames: &[c"libcusolver.so.12", c"libcusolver.so.11"], marker: c"cusolverDnCreate", load: false };
/// NVIDIA's cuSPARSE, loaded on request: MAGMA's queues contain one of its handles.
pub const CUSPARSE: Library = Library { sonames: &[c"libcusparse.so.12"], marker: c"cusparseCreate", load: true };

/// Finds a function of a library. It looks first in the object with one of its sonames (even if that was opened with
/// RTLD_LOCAL, as Python's extension modules are), then in the first object with its marker after the object that this is
/// linked into, then anywhere in the global scope. The last step is needed because `libtephra.so`, if opened by the
/// preload object, is only in its own scope, where nothing comes after it.
pub fn find(library: &Library, name: &CStr) -> Option<*mut c_void> {
    let mode = libc::RTLD_LAZY | if library.load { libc::RTLD_LOCAL } else { libc::RTLD_NOLOAD };
    // SAFETY: opening the vendor's library has no preconditions.
    let by_name = library.sonames.iter().map(|soname| unsafe { libc::dlopen(soname.as_ptr(), mode) });
    // SAFETY: this only looks up a symbol.
    let by_marker = [libc::RTLD_NEXT, libc::RTLD_DEFAULT]
        .iter()
        .map(|&scope| containing_object(unsafe { libc::dlsym(scope, library.marker.as_ptr()) }));
    by_name.chain(by_marker).find_map(|object| function(object, name))
}

/// A function of an object, unless that object is Tephra.
fn function(object: *mut c_void, name: &CStr) -> Option<*mut c_void> {
    // Two copies of Tephra in a process must not take each other for the vendor's library. SAFETY: these look up
    // symbols in an open object.
    if object.is_null() || !unsafe { libc::dlsym(object, c"tephra_version".as_ptr()) }.is_null() {
        return None;
    }
    let found = unsafe { libc::dlsym(object, name.as_ptr()) };
    (!found.is_null() && base_address(found) != base_address(find as *const c_void)).then_some(found)
}

/// The object that contains `address`, as a handle of dlopen; NULL if there is none. The reference that this counts is
/// never released, so symbols found there stay valid.
pub fn containing_object(address: *const c_void) -> *mut c_void {
    match address_info(address) {
        // SAFETY: the name comes from the dynamic linker, and nothing is loaded.
        Some(info) => unsafe { libc::dlopen(info.dli_fname, libc::RTLD_LAZY | libc::RTLD_NOLOAD) },
        None => ptr::null_mut(),
    }
}

/// The base address of the object that contains `address`.
fn base_address(address: *const c_void) -> *mut c_void {
    address_info(address).map_or(ptr::null_mut(), |info| info.dli_fbase)
}

/// What the dynamic linker knows about an address.
#[allow(clippy::not_unsafe_ptr_arg_deref)] // dladdr only compares it
pub fn address_info(address: *const c_void) -> Option<libc::Dl_info> {
    // SAFETY: the structure is plain data that may be all zero, and dladdr accepts any address.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    (unsafe { libc::dladdr(address, &mut info) } != 0 && !info.dli_fname.is_null()).then_some(info)
}
