//! The libraries with which benchmarks compare: OpenBLAS or another LAPACK, and MKL.

#![allow(dead_code)] // each benchmark uses only a part

use std::ffi::{CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};

pub struct Vendor {
    handle: *mut c_void,
    name: String,
}

/// Variables that make OpenBLAS use kernels other than those for this processor.
const OTHER_KERNELS: [&str; 2] = ["OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"];

impl Vendor {
    /// Opens the library that `TEPHRA_LAPACK` names, with the kernels that it chooses itself.
    pub fn open() -> Option<Vendor> {
        for name in OTHER_KERNELS {
            // SAFETY: benchmarks load libraries before they create threads.
            unsafe { std::env::remove_var(name) };
        }
        Vendor::named_by("TEPHRA_LAPACK")
    }

    /// Opens MKL, whose `libmkl_rt.so` `TEPHRA_MKL` names, without its own threads.
    pub fn open_mkl() -> Option<Vendor> {
        // SAFETY: benchmarks load libraries before they create threads.
        unsafe { std::env::set_var("MKL_THREADING_LAYER", "SEQUENTIAL") };
        // MKL's kernels use functions of libm but do not link against it.
        // SAFETY: this is a system library.
        unsafe { libc::dlopen(c"libm.so.6".as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
        Vendor::named_by("TEPHRA_MKL")
    }

    fn named_by(variable: &str) -> Option<Vendor> {
        // An empty value means no comparison, as if the variable were not set.
        let path = CString::new(std::env::var(variable).ok().filter(|p| !p.is_empty())?).ok()?;
        // SAFETY: the user named this library.
        let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
        assert!(!handle.is_null(), "{variable}={path:?} cannot be loaded");
        let mut vendor = Vendor { handle, name: String::new() };
        vendor.name = vendor.find_name();
        Some(vendor)
    }

    /// Looks up a function, with or without SciPy's prefix.
    pub fn symbol(&self, name: &str) -> Option<*mut c_void> {
        ["", "scipy_"].iter().find_map(|prefix| {
            let name = CString::new(format!("{prefix}{name}")).ok()?;
            // SAFETY: the handle is open.
            let p = unsafe { libc::dlsym(self.handle, name.as_ptr()) };
            (!p.is_null()).then_some(p)
        })
    }

    /// Sets the number of threads, in OpenBLAS only: for small matrices, and on a busy machine, its own threads may
    /// cost more than they gain.
    pub fn set_threads(&self, threads: c_int) -> bool {
        let Some(p) = self.symbol("openblas_set_num_threads") else { return false };
        // SAFETY: the type matches OpenBLAS's interface.
        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn(c_int)>(p)(threads) };
        true
    }

    /// The library's name and version.
    pub fn name(&self) -> String {
        self.name.clone()
    }

    fn find_name(&self) -> String {
        if let Some(config) = self.text("openblas_get_config") {
            return config.split_whitespace().take(2).collect::<Vec<_>>().join("-").to_lowercase();
        }
        let Some(p) = self.symbol("mkl_get_version_string").or_else(|| self.symbol("MKL_Get_Version_String")) else {
            return "lapack".into();
        };
        let mut text = [0u8; 256];
        // SAFETY: the function writes at most this many characters, terminated by blanks or a zero.
        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut u8, c_int)>(p)(text.as_mut_ptr(), 255) };
        let text = String::from_utf8_lossy(&text);
        let version =
            text.split_whitespace().find(|w| w.starts_with("20") && w.contains('.')).and_then(|w| w.split('-').next());
        format!("mkl-{}", version.unwrap_or("unknown"))
    }

    /// The kernels that OpenBLAS has chosen; empty for other libraries.
    pub fn core(&self) -> String {
        self.text("openblas_get_corename").unwrap_or_default()
    }

    /// The string that a function without arguments returns.
    fn text(&self, function: &str) -> Option<String> {
        let p = self.symbol(function)?;
        // SAFETY: OpenBLAS's functions return static strings.
        unsafe {
            let get = std::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> *const c_char>(p);
            Some(std::ffi::CStr::from_ptr(get()).to_string_lossy().into_owned())
        }
    }
}

/// The program's arguments, and the folder for its results: that of `--out FOLDER`, or else the repository's
/// `results/cpu`.
pub fn arguments() -> (Vec<String>, PathBuf) {
    let (mut rest, mut out) = (vec![], Path::new(env!("CARGO_MANIFEST_DIR")).join("results/cpu"));
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--out" => out = args.next().expect("--out FOLDER").into(),
            // cargo's own arguments.
            _ if arg.starts_with('-') => {}
            _ => rest.push(arg),
        }
    }
    (rest, out)
}
