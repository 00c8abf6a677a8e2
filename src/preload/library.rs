//! Finds and opens `libtephra.so`, and reports if there is none of the right version.

use crate::output;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use tephra_vendor::{address_info, containing_object};

/// The file names of the library beside this object: as installed, and as built by cargo.
const FILES: [&CStr; 2] = [text(concat!(env!("LIBRARY"), "\0")), c"libtephra.so"];
/// The version that its `tephra_version()` must return.
const VERSION: &CStr = text(concat!(env!("CARGO_PKG_VERSION"), "\0"));

const fn text(with_nul: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(with_nul.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("a C string"),
    }
}

/// A path as a C string.
type Path = [c_char; libc::PATH_MAX as usize];

/// The reason why there is no library to pass calls on to.
pub enum LoadError {
    /// There is none beside this object.
    NotFound,
    /// The dynamic linker cannot open it; its message.
    CannotOpen(*const c_char),
    /// It has another version; the name of the file, and its version.
    WrongVersion(*const c_char, *const c_char),
}

/// Returns the library to pass calls on to, which is opened at the first call.
pub fn open() -> Result<*mut c_void, LoadError> {
    static OPENED: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
    let opened = OPENED.load(Ordering::Acquire);
    if !opened.is_null() {
        return Ok(opened);
    }
    let found = linked().map_or_else(open_beside, Ok)?;
    OPENED.store(found, Ordering::Release);
    Ok(found)
}

/// The library that the program is linked with, if any: that one creates the program's handles.
fn linked() -> Option<*mut c_void> {
    // SAFETY: this only looks up a symbol.
    let object = containing_object(unsafe { libc::dlsym(libc::RTLD_NEXT, c"tephra_version".as_ptr()) });
    (!object.is_null()).then_some(object)
}

/// Whether the program's handles are created by the Tephra that it is linked with. If the vendor's library comes before
/// it in link order, Tephra creates none.
pub fn makes_handles() -> bool {
    // SAFETY: this only looks up a symbol.
    let maker = containing_object(unsafe { libc::dlsym(libc::RTLD_NEXT, c"cublasCreate_v2".as_ptr()) });
    linked() == Some(maker)
}

/// Opens the library beside this object.
fn open_beside() -> Result<*mut c_void, LoadError> {
    let mut path = [0; libc::PATH_MAX as usize];
    if !beside(&mut path) {
        return Err(LoadError::NotFound);
    }
    // SAFETY: the path ends in a NUL, opening the library has no preconditions, and the function has that type.
    unsafe {
        let object = libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
        if object.is_null() {
            return Err(LoadError::CannotOpen(libc::dlerror()));
        }
        let version = function(object, c"tephra_version").ok_or(LoadError::NotFound)?;
        let reported = std::mem::transmute::<*mut c_void, extern "C" fn() -> *const c_char>(version)();
        if libc::strcmp(reported, VERSION.as_ptr()) == 0 {
            Ok(object)
        } else {
            Err(LoadError::WrongVersion(object_file(version), reported))
        }
    }
}

/// Fills in the path of the library in this object's folder: the folder in which it was found, or the one to which
/// symbolic links lead. Returns false if it is in neither.
fn beside(path: &mut Path) -> bool {
    let mut real: Path = [0; libc::PATH_MAX as usize];
    // SAFETY: the buffer has the size that realpath requires, and snprintf receives the size of `path`.
    unsafe {
        let found = object_file(open as *const c_void);
        let resolved = libc::realpath(found, real.as_mut_ptr()).cast_const();
        [found, resolved].iter().filter(|object| !object.is_null()).any(|&object| {
            let slash = libc::strrchr(object, b'/'.into()).cast_const();
            let folder = if slash.is_null() { 0 } else { slash.offset_from(object) as c_int + 1 };
            FILES.iter().any(|file| {
                let length =
                    libc::snprintf(path.as_mut_ptr(), path.len(), c"%.*s%s".as_ptr(), folder, object, file.as_ptr());
                (length as usize) < path.len() && libc::access(path.as_ptr(), libc::F_OK) == 0
            })
        })
    }
}

/// Looks up a function in an object.
pub fn function(object: *mut c_void, name: &CStr) -> Option<*mut c_void> {
    // SAFETY: this looks up a symbol in an open object.
    let found = unsafe { libc::dlsym(object, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

/// The file of the object that holds an address.
fn object_file(address: *const c_void) -> *const c_char {
    address_info(address).map_or(ptr::null(), |info| info.dli_fname)
}

/// Writes one line to standard error in a single write.
macro_rules! report {
    ($format:literal $(, $text:expr)*) => {{
        const FORMAT: &CStr = text(concat!("tephra: calls go on to the vendor's cuBLAS: ", $format, "\n\0"));
        let mut line = [0u8; 3 * libc::PATH_MAX as usize];
        // SAFETY: the buffer has this size, and there is a C string for each %s.
        let length = unsafe { libc::snprintf(line.as_mut_ptr().cast(), line.len(), FORMAT.as_ptr() $(, $text)*) };
        output::write(libc::STDERR_FILENO, &line[..usize::try_from(length).unwrap_or(0).min(line.len() - 1)]);
    }};
}

impl LoadError {
    /// Prints the reason on standard error, the first time it is called.
    pub fn report_once(&self) {
        static REPORTED: AtomicBool = AtomicBool::new(false);
        if REPORTED.swap(true, Ordering::Relaxed) {
            return;
        }
        let this = object_file(open as *const c_void);
        match *self {
            LoadError::NotFound => report!("there is no %s beside %s", FILES[0].as_ptr(), this),
            LoadError::CannotOpen(why) => report!("%s", why),
            LoadError::WrongVersion(file, version) => {
                report!("%s is version %s, %s is %s", file, version, this, VERSION.as_ptr())
            }
        }
    }
}
