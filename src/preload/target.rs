//! Where the calls of one name go.

use crate::library;
use std::ffi::{CStr, c_int, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};
use tephra_vendor::{CUBLAS, CUSOLVER, find};

/// `CUBLAS_STATUS_NOT_INITIALIZED`, and cuSOLVER's: there is neither Tephra nor a library that a handle could be of.
pub const NOT_INITIALIZED: c_int = 1;

/// What decides whether calls go to Tephra.
#[derive(Clone, Copy)]
pub enum Family {
    /// Factorisations and solves: always.
    Always,
    /// Products of matrices, and of a matrix and a vector: where `TEPHRA_PRELOAD` says so.
    Gemm,
    Gemv,
}

impl Family {
    /// Whether it is to be served.
    fn is_wanted(self) -> bool {
        let word = match self {
            Family::Always => return true,
            Family::Gemm => c"gemm",
            Family::Gemv => c"gemv",
        };
        // SAFETY: the environment as the program was started with, which nobody changes while objects are loaded; later only
        // the first call of a name looks.
        let wanted = unsafe { libc::getenv(c"TEPHRA_PRELOAD".as_ptr()) };
        // SAFETY: a C string.
        !wanted.is_null() && has_word(unsafe { CStr::from_ptr(wanted) }.to_bytes(), word.to_bytes())
    }
}

/// Whether `word` is one of a list with commas.
fn has_word(list: &[u8], word: &[u8]) -> bool {
    list.split(|&byte| byte == b',').any(|part| part.trim_ascii() == word)
}

/// The function that calls of one name jump to.
pub struct Target {
    name: &'static CStr,
    family: Family,
    address: AtomicPtr<c_void>,
}

impl Target {
    /// Of a name that ends in a NUL; `unresolved` is called until there is an address.
    pub const fn new(name: &'static str, family: Family, unresolved: *mut c_void) -> Self {
        match CStr::from_bytes_with_nul(name.as_bytes()) {
            Ok(name) => Target { name, family, address: AtomicPtr::new(unresolved) },
            Err(_) => panic!("a C string"),
        }
    }

    /// Where to jump to.
    #[inline]
    pub fn get(&self) -> *mut c_void {
        self.address.load(Ordering::Acquire)
    }

    /// The library's function from now on, if it can be had. What is wrong is said at the first call: most programs that a
    /// shell starts under `LD_PRELOAD` make none.
    pub fn at_load(&self) {
        if self.is_ours()
            && let Ok(object) = library::open()
        {
            self.settle(library::function(object, self.name));
        }
    }

    /// The library's function, for calls that other objects make before this one is initialised; else, and where the family is
    /// not wanted, the vendor's. A miss is not remembered, as the vendor's library may come later.
    #[cold]
    pub fn resolve(&self) -> Option<*mut c_void> {
        let vendor =
            || find(if self.name.to_bytes().starts_with(b"cusolver") { &CUSOLVER } else { &CUBLAS }, self.name);
        if !self.is_ours()
            && let Some(address) = vendor()
        {
            return self.settle(Some(address));
        }
        let ours = match library::open() {
            Ok(object) => library::function(object, self.name),
            Err(why) => {
                why.say_once();
                None
            }
        };
        self.settle(ours.or_else(vendor))
    }

    /// Whether calls are for Tephra: in a program that is linked with it handles are its own.
    fn is_ours(&self) -> bool {
        self.family.is_wanted() || library::makes_handles()
    }

    fn settle(&self, address: Option<*mut c_void>) -> Option<*mut c_void> {
        if let Some(address) = address {
            self.address.store(address, Ordering::Release);
        }
        address
    }
}
