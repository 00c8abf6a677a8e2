//! `libtephra.so`, opened at run time: where it is searched for, and its entry points by ABI.

mod cublas;
mod cusolver;
mod locate;
mod magma;
pub mod many;
mod native;
mod prototypes;

pub(crate) use cublas::Cublas;
pub use cublas::CublasHandle;
pub(crate) use cusolver::Cusolver;
pub use cusolver::CusolverHandle;
use locate::open_named;
pub use locate::{open_first, search_list};
pub use magma::{MagmaGeqrf, MagmaGeqrfExpert, MagmaGeqrfWork, MagmaQueue};
pub use native::{Backend, GeqrfPointers, GeqrfStrided};
pub use prototypes::CublasGeqrf;

use crate::{Dtype, Error, Result};
use libloading::Library as Object;
use magma::Magma;
use native::Native;
use std::ffi::{CStr, c_char};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The file that the program chose.
static CHOSEN: OnceLock<PathBuf> = OnceLock::new();

/// The loaded library. It stays loaded for the life of the process.
pub struct Library {
    /// The file that was loaded.
    pub path: PathBuf,
    native: Native,
    cublas: Cublas,
    magma: Magma,
    object: Object,
}

impl Library {
    /// Makes the program use this file. Has no effect once the library is loaded.
    pub fn choose(file: &Path) {
        let _ = CHOSEN.set(file.to_path_buf());
    }

    /// Returns the library, loading it on the first call: the chosen file, else `TEPHRA_LIBRARY` if set, else the first
    /// file found in [`search_list`].
    pub fn get() -> Result<&'static Library> {
        static LIBRARY: OnceLock<Result<Library>> = OnceLock::new();
        LIBRARY.get_or_init(Self::load).as_ref().map_err(Clone::clone)
    }

    /// Like [`Library::get`], for tests: panics with the list of places that were searched.
    pub fn required() -> &'static Library {
        Self::get().unwrap_or_else(|e| panic!("{e}\nBuild it first (cargo build -p tephra) or set TEPHRA_LIBRARY."))
    }

    fn load() -> Result<Library> {
        let mut places = search_list("libtephra.so");
        places.push(soname().into()); // for a system package, the dynamic linker finds it
        let (path, object) = match CHOSEN.get() {
            Some(file) => open_named(file, &file.display().to_string())?,
            None => open_first("TEPHRA_LIBRARY", &places)?,
        };
        let path = if path.components().count() == 1 { locate::origin(&object).unwrap_or(path) } else { path };
        let native = Native::load(&object)?;
        let cublas = Cublas::load(&object)?;
        let magma = Magma::load(&object)?;
        Ok(Library { path, native, cublas, magma, object })
    }

    /// Looks up a symbol of any type.
    ///
    /// # Safety
    /// `F` must be the symbol's true type.
    pub unsafe fn symbol<F: Copy>(&self, name: &str) -> Result<F> {
        unsafe { symbol(&self.object, name) }
    }

    /// Whether the library exports `name`.
    pub fn has(&self, name: &str) -> bool {
        // SAFETY: the code only looks up the address.
        unsafe { self.object.get::<*const ()>(name.as_bytes()) }.is_ok()
    }
}

/// Looks up a symbol of `object` and copies it out, which is valid because the testkit never closes objects.
///
/// # Safety
/// `F` must be the symbol's true type.
pub(crate) unsafe fn symbol<F: Copy>(object: &Object, name: &str) -> Result<F> {
    match unsafe { object.get::<F>(name.as_bytes()) } {
        Ok(found) => Ok(*found),
        Err(e) => Err(Error::Load(format!("symbol {name}: {e}"))),
    }
}

/// The name of a routine in one precision: `?` becomes BLAS's letter (upper case in names of cuBLAS and cuSOLVER), `or`
/// after it becomes `un` for the complex types, and `her` becomes `syr` and `hemm` becomes `symm` for the real ones.
pub fn symbol_name(pattern: &str, dtype: Dtype) -> String {
    let letter = if pattern.starts_with("cublas") || pattern.starts_with("cusolver") {
        dtype.letter().to_ascii_uppercase()
    } else {
        dtype.letter()
    };
    let pattern = match dtype.is_complex() {
        true => pattern.replace("?or", "?un"),
        false => pattern.replace("?her", "?syr").replace("?hemm", "?symm"),
    };
    pattern.replace('?', &letter.to_string())
}

/// Looks up one function per element type, by a name pattern of [`symbol_name`].
///
/// # Safety
/// `F` must be the true type of all four functions.
pub(crate) unsafe fn by_dtype<F: Copy>(object: &Object, pattern: &str) -> Result<[F; 4]> {
    let [s, d, c, z] = Dtype::ALL.map(|d| unsafe { symbol(object, &symbol_name(pattern, d)) });
    Ok([s?, d?, c?, z?])
}

/// Copies a C string that the library owns.
pub(crate) fn text(p: *const c_char) -> String {
    if p.is_null() {
        return String::new();
    }
    // SAFETY: the library's strings are NUL-terminated.
    unsafe { CStr::from_ptr(p) }.to_string_lossy().into_owned()
}

/// The library's soname, as src/library sets it.
fn soname() -> String {
    let (major, minor) = (env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"));
    if major == "0" { format!("libtephra.so.0.{minor}") } else { format!("libtephra.so.{major}") }
}
