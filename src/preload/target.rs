//! Where the calls of one name go.

use crate::library;
use std::ffi::{CStr, c_int, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};
use tephra_vendor::{CUBLAS, CUSOLVER, find};

/// `CUBLAS_STATUS_NOT_INITIALIZED`, and cuSOLVER's: there is neither Tephra nor a library that a handle could be of.
pub const NOT_INITIALIZED: c_int = 1;

/// The function that calls of one name jump to.
pub struct Target {
    name: &'static CStr,
    address: AtomicPtr<c_void>,
}

impl Target {
    /// Of a name that ends in a NUL; `unresolved` is called until there is an address.
    pub const fn new(name: &'static str, unresolved: *mut c_void) -> Self {
        match CStr::from_bytes_with_nul(name.as_bytes()) {
            Ok(name) => Target { name, address: AtomicPtr::new(unresolved) },
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
        if let Ok(object) = library::open() {
            self.settle(library::function(object, self.name));
        }
    }

    /// The library's function, for calls that other objects make before this one is initialised; else the vendor's. A miss is
    /// not remembered, as the vendor's library may come later.
    #[cold]
    pub fn resolve(&self) -> Option<*mut c_void> {
        let ours = match library::open() {
            Ok(object) => library::function(object, self.name),
            Err(why) => {
                why.say_once();
                None
            }
        };
        let vendor = if self.name.to_bytes().starts_with(b"cusolver") { &CUSOLVER } else { &CUBLAS };
        self.settle(ours.or_else(|| find(vendor, self.name)))
    }

    fn settle(&self, address: Option<*mut c_void>) -> Option<*mut c_void> {
        if let Some(address) = address {
            self.address.store(address, Ordering::Release);
        }
        address
    }
}
