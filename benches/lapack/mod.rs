//! The LAPACK that benchmarks compare with.

use std::ffi::{CString, c_char, c_int, c_void};

pub struct Vendor(*mut c_void);

impl Vendor {
    /// The library that `TEPHRA_LAPACK` names.
    pub fn open() -> Option<Vendor> {
        // Empty: no comparison, as without the variable.
        let path = CString::new(std::env::var("TEPHRA_LAPACK").ok().filter(|p| !p.is_empty())?).ok()?;
        // SAFETY: a library the user named.
        let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
        assert!(!handle.is_null(), "TEPHRA_LAPACK={path:?} cannot be loaded");
        Some(Vendor(handle))
    }

    /// A function, with or without SciPy's prefix.
    pub fn symbol(&self, name: &str) -> Option<*mut c_void> {
        ["", "scipy_"].iter().find_map(|prefix| {
            let name = CString::new(format!("{prefix}{name}")).ok()?;
            // SAFETY: the handle is open.
            let p = unsafe { libc::dlsym(self.0, name.as_ptr()) };
            (!p.is_null()).then_some(p)
        })
    }

    /// OpenBLAS only: on small matrices, and on a busy machine, its own threads can cost more than they bring.
    pub fn set_threads(&self, threads: c_int) -> bool {
        let Some(p) = self.symbol("openblas_set_num_threads") else { return false };
        // SAFETY: OpenBLAS's interface.
        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn(c_int)>(p)(threads) };
        true
    }

    /// Its name and version.
    pub fn name(&self) -> String {
        let Some(p) = self.symbol("openblas_get_config") else { return "lapack".into() };
        // SAFETY: returns a static string.
        let config = unsafe {
            let get = std::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> *const c_char>(p);
            std::ffi::CStr::from_ptr(get()).to_string_lossy().into_owned()
        };
        config.split_whitespace().take(2).collect::<Vec<_>>().join("-").to_lowercase()
    }
}
