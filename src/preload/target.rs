//! The target of the calls of one exported function.

use crate::library;
use crate::signals::NotCancelled;
use std::ffi::{CStr, c_int, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};
use tephra_vendor::{CUBLAS, CUSOLVER, find};

/// `CUBLAS_STATUS_NOT_INITIALIZED`, and cuSOLVER's, for calls if neither Tephra nor the vendor's library can be found.
pub const NOT_INITIALIZED: c_int = 1;

/// Determines whether calls go to Tephra.
#[derive(Clone, Copy)]
pub enum Family {
    /// Factorisations and solves: always.
    Always,
    /// Matrix-matrix products, and below matrix-vector products: only if `TEPHRA_PRELOAD` names them.
    Gemm,
    Gemv,
}

impl Family {
    /// Whether Tephra is to serve this family.
    fn is_wanted(self) -> bool {
        let word = match self {
            Family::Always => return true,
            Family::Gemm => c"gemm",
            Family::Gemv => c"gemv",
        };
        // SAFETY: this normally runs while objects are loaded, when no thread changes the environment; later, only the
        // first call of a function reads it.
        let wanted = unsafe { libc::getenv(c"TEPHRA_PRELOAD".as_ptr()) };
        // SAFETY: `getenv` returned a C string.
        !wanted.is_null() && has_word(unsafe { CStr::from_ptr(wanted) }.to_bytes(), word.to_bytes())
    }
}

/// Whether `word` is in a comma-separated list.
fn has_word(list: &[u8], word: &[u8]) -> bool {
    list.split(|&byte| byte == b',').any(|part| part.trim_ascii() == word)
}

/// The function to which calls of one exported function jump.
pub struct Target {
    name: &'static CStr,
    family: Family,
    address: AtomicPtr<c_void>,
}

impl Target {
    /// Makes the target of a name that ends in a NUL; `unresolved` is called until an address is resolved.
    pub const fn new(name: &'static str, family: Family, unresolved: *mut c_void) -> Self {
        match CStr::from_bytes_with_nul(name.as_bytes()) {
            Ok(name) => Target { name, family, address: AtomicPtr::new(unresolved) },
            Err(_) => panic!("a C string"),
        }
    }

    /// The current address.
    #[inline]
    pub fn get(&self) -> *mut c_void {
        self.address.load(Ordering::Acquire)
    }

    /// Resolves the library's function, if possible. Errors are not reported before the first call, because most
    /// programs that a shell starts under `LD_PRELOAD` never make one.
    pub fn at_load(&self) {
        if self.is_ours()
            && let Ok(object) = library::open()
        {
            self.store(library::function(object, self.name));
        }
    }

    /// Resolves the function at a call: Tephra's, for calls before this object is initialised, else the vendor's, which
    /// comes first if the family is not to be served. A miss is not cached, as the vendor's library may be loaded
    /// later.
    #[cold]
    pub fn resolve(&self) -> Option<*mut c_void> {
        let _whole = NotCancelled::new();
        let vendor =
            || find(if self.name.to_bytes().starts_with(b"cusolver") { &CUSOLVER } else { &CUBLAS }, self.name);
        if !self.is_ours()
            && let Some(address) = vendor()
        {
            return self.store(Some(address));
        }
        let ours = match library::open() {
            Ok(object) => library::function(object, self.name),
            Err(why) => {
                why.report_once();
                None
            }
        };
        self.store(ours.or_else(vendor))
    }

    /// Whether calls go to Tephra. They always do in a program that is linked with it, as its handles are Tephra's own.
    fn is_ours(&self) -> bool {
        self.family.is_wanted() || library::makes_handles()
    }

    fn store(&self, address: Option<*mut c_void>) -> Option<*mut c_void> {
        if let Some(address) = address {
            self.address.store(address, Ordering::Release);
        }
        address
    }
}
