//! The libraries that benchmarks compare with: OpenBLAS, or another LAPACK, and MKL.

#![allow(dead_code)] // each benchmark needs a part

use std::ffi::{CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};

pub struct Vendor {
    handle: *mut c_void,
    name: String,
}

/// Variables that make OpenBLAS take other kernels than those that it has for this processor.
const OTHER_KERNELS: [&str; 2] = ["OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"];

impl Vendor {
    /// The library that `TEPHRA_LAPACK` names, with the kernels that it chooses by itself.
    pub fn open() -> Option<Vendor> {
        for name in OTHER_KERNELS {
            // SAFETY: benchmarks load libraries before they have threads.
            unsafe { std::env::remove_var(name) };
        }
        Vendor::named_by("TEPHRA_LAPACK")
    }

    /// MKL, whose `libmkl_rt.so` `TEPHRA_MKL` names, without threads of its own.
    pub fn open_mkl() -> Option<Vendor> {
        // SAFETY: as above.
        unsafe { std::env::set_var("MKL_THREADING_LAYER", "SEQUENTIAL") };
        // MKL's kernels want libm's functions and do not name libm.
        // SAFETY: a system library.
        unsafe { libc::dlopen(c"libm.so.6".as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
        Vendor::named_by("TEPHRA_MKL")
    }

    fn named_by(variable: &str) -> Option<Vendor> {
        // Empty: no comparison, as without the variable.
        let path = CString::new(std::env::var(variable).ok().filter(|p| !p.is_empty())?).ok()?;
        // SAFETY: a library the user named.
        let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
        assert!(!handle.is_null(), "{variable}={path:?} cannot be loaded");
        let mut vendor = Vendor { handle, name: String::new() };
        vendor.name = vendor.find_name();
        Some(vendor)
    }

    /// A function, with or without SciPy's prefix.
    pub fn symbol(&self, name: &str) -> Option<*mut c_void> {
        ["", "scipy_"].iter().find_map(|prefix| {
            let name = CString::new(format!("{prefix}{name}")).ok()?;
            // SAFETY: the handle is open.
            let p = unsafe { libc::dlsym(self.handle, name.as_ptr()) };
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
        // SAFETY: writes at most so many characters, ended by blanks or a zero.
        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut u8, c_int)>(p)(text.as_mut_ptr(), 255) };
        let text = String::from_utf8_lossy(&text);
        let version =
            text.split_whitespace().find(|w| w.starts_with("20") && w.contains('.')).and_then(|w| w.split('-').next());
        format!("mkl-{}", version.unwrap_or("unknown"))
    }

    /// The kernels that OpenBLAS has chosen; of other libraries nothing.
    pub fn core(&self) -> String {
        self.text("openblas_get_corename").unwrap_or_default()
    }

    /// What a function without arguments says.
    fn text(&self, function: &str) -> Option<String> {
        let p = self.symbol(function)?;
        // SAFETY: OpenBLAS's interface: static strings.
        unsafe {
            let get = std::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> *const c_char>(p);
            Some(std::ffi::CStr::from_ptr(get()).to_string_lossy().into_owned())
        }
    }
}

/// The program's arguments, and the folder for its results: `--out FOLDER`, or else `results/cpu` of the repository.
pub fn arguments() -> (Vec<String>, PathBuf) {
    let (mut rest, mut out) = (vec![], Path::new(env!("CARGO_MANIFEST_DIR")).join("results/cpu"));
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--out" => out = args.next().expect("--out FOLDER").into(),
            // cargo's own.
            _ if arg.starts_with('-') => {}
            _ => rest.push(arg),
        }
    }
    (rest, out)
}
