//! `libtephra.so`: which file it is, and what is said when there is none that fits.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use tephra_vendor::{holder, place};

/// The names that the library may have beside this object: as it is installed, and as cargo leaves it.
const FILES: [&CStr; 2] = [text(concat!(env!("LIBRARY"), "\0")), c"libtephra.so"];
/// What its `tephra_version()` must say.
const VERSION: &CStr = text(concat!(env!("CARGO_PKG_VERSION"), "\0"));

const fn text(with_nul: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(with_nul.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("a C string"),
    }
}

/// A path as C has it.
type Path = [c_char; libc::PATH_MAX as usize];

/// Why there is no library to pass calls on to.
pub enum Missing {
    /// None is beside this object.
    NotThere,
    /// The dynamic linker cannot open it, and says why.
    Unopened(*const c_char),
    /// The file's name, and the version that it is of.
    Other(*const c_char, *const c_char),
}

/// The library to pass calls on to.
pub fn open() -> Result<*mut c_void, Missing> {
    static OPENED: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
    let opened = OPENED.load(Ordering::Acquire);
    if !opened.is_null() {
        return Ok(opened);
    }
    let found = linked().map_or_else(open_beside, Ok)?;
    OPENED.store(found, Ordering::Release);
    Ok(found)
}

/// The one that the program is linked with: it made the program's handles.
fn linked() -> Option<*mut c_void> {
    // SAFETY: a look-up.
    let object = holder(unsafe { libc::dlsym(libc::RTLD_NEXT, c"tephra_version".as_ptr()) });
    (!object.is_null()).then_some(object)
}

/// Whether the program's handles are of the one that it is linked with: one that stands behind the vendor's library makes none.
pub fn makes_handles() -> bool {
    // SAFETY: a look-up.
    let maker = holder(unsafe { libc::dlsym(libc::RTLD_NEXT, c"cublasCreate_v2".as_ptr()) });
    linked() == Some(maker)
}

/// The one beside this object.
fn open_beside() -> Result<*mut c_void, Missing> {
    let mut path = [0; libc::PATH_MAX as usize];
    if !beside(&mut path) {
        return Err(Missing::NotThere);
    }
    // SAFETY: the path ends in a NUL, the library is made for being opened, and the function is of that type.
    unsafe {
        let object = libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
        if object.is_null() {
            return Err(Missing::Unopened(libc::dlerror()));
        }
        let version = function(object, c"tephra_version").ok_or(Missing::NotThere)?;
        let says = std::mem::transmute::<*mut c_void, extern "C" fn() -> *const c_char>(version)();
        if libc::strcmp(says, VERSION.as_ptr()) == 0 { Ok(object) } else { Err(Missing::Other(name(version), says)) }
    }
}

/// Fills in the library's path in this object's folder: the one that it was found in, or the one that links lead to. False
/// where it is in neither.
fn beside(path: &mut Path) -> bool {
    let mut real: Path = [0; libc::PATH_MAX as usize];
    // SAFETY: a buffer as large as realpath asks for; snprintf is told how large the path's is.
    unsafe {
        let found = name(open as *const c_void);
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

/// A function of an object.
pub fn function(object: *mut c_void, name: &CStr) -> Option<*mut c_void> {
    // SAFETY: a look-up in an object that is open.
    let found = unsafe { libc::dlsym(object, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

/// The file of the object that holds an address.
fn name(address: *const c_void) -> *const c_char {
    place(address).map_or(ptr::null(), |info| info.dli_fname)
}

unsafe extern "C" {
    /// POSIX's, which the libc crate leaves out: formats, and writes to a descriptor.
    fn dprintf(descriptor: c_int, format: *const c_char, ...) -> c_int;
}

/// One line on standard error, in one piece.
macro_rules! tell {
    ($format:literal $(, $text:expr)*) => {{
        const FORMAT: &CStr = text(concat!("tephra: calls go on to the vendor's cuBLAS: ", $format, "\n\0"));
        // SAFETY: there is a C string for each %s.
        unsafe { dprintf(libc::STDERR_FILENO, FORMAT.as_ptr() $(, $text)*) };
    }};
}

impl Missing {
    /// Writes it on standard error, the first time.
    pub fn say_once(&self) {
        static SAID: AtomicBool = AtomicBool::new(false);
        if SAID.swap(true, Ordering::Relaxed) {
            return;
        }
        let this = name(open as *const c_void);
        match *self {
            Missing::NotThere => tell!("there is no %s beside %s", FILES[0].as_ptr(), this),
            Missing::Unopened(why) => tell!("%s", why),
            Missing::Other(file, version) => tell!("%s is version %s, %s is %s", file, version, this, VERSION.as_ptr()),
        }
    }
}
