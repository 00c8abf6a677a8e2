//! NVIDIA's cuBLAS and cuSOLVER, loaded at run time next to the library under test.

use crate::library::{Cublas, CublasHandle, Cusolver, CusolverHandle, open_first};
use crate::{Library, Result};
use std::ffi::c_void;
use std::path::PathBuf;
use std::sync::OnceLock;

/// A loaded cuBLAS.
pub struct Vendor {
    /// The file that was loaded.
    pub path: PathBuf,
    cublas: Cublas,
    get_version: Option<unsafe extern "C" fn(*mut c_void, *mut i32) -> i32>,
    /// The function tables point into the object, which stays loaded.
    object: libloading::Library,
}

impl Vendor {
    /// Loads the cuBLAS named by `TEPHRA_VENDOR_CUBLAS`, or the one that the dynamic linker finds under the names of
    /// CUDA 13 and 12. It is opened with local binding, so that its names do not clash with ours.
    pub fn get() -> Result<&'static Vendor> {
        static VENDOR: OnceLock<Result<Vendor>> = OnceLock::new();
        VENDOR.get_or_init(Self::load).as_ref().map_err(Clone::clone)
    }

    fn load() -> Result<Vendor> {
        let places = ["libcublas.so.13", "/usr/local/cuda/lib64/libcublas.so.13", "libcublas.so.12"].map(PathBuf::from);
        let (path, object) = open_first("TEPHRA_VENDOR_CUBLAS", &places)?;
        let cublas = Cublas::load(&object)?;
        // SAFETY: the type matches cublas_v2.h.
        let get_version = unsafe { crate::library::symbol(&object, "cublasGetVersion_v2") }.ok();
        Ok(Vendor { path, cublas, get_version, object })
    }

    /// Creates one of the vendor's handles on `stream`, on the current device.
    pub fn handle(&'static self, stream: *mut c_void) -> Result<CublasHandle> {
        self.cublas.handle(stream)
    }

    /// Looks up a function of the vendor's, of any type.
    ///
    /// # Safety
    /// `F` must be the symbol's true type.
    pub unsafe fn symbol<F: Copy>(&self, name: &str) -> Result<F> {
        unsafe { crate::library::symbol(&self.object, name) }
    }

    /// The vendor's version number, queried with one of its handles.
    pub fn version(&self, handle: &CublasHandle) -> Option<i32> {
        let mut version = 0;
        // SAFETY: the handle is alive.
        (unsafe { self.get_version?(handle.raw(), &mut version) } == 0).then_some(version)
    }

    /// Loads the vendor's cuBLAS if a comparison makes sense: the library runs on CUDA and a cuBLAS can be loaded.
    pub fn for_comparison(library: &Library) -> Option<&'static Vendor> {
        match library.backend() {
            Ok(crate::library::Backend::Cuda) => Self::get().ok(),
            _ => None,
        }
    }
}

/// Whether a cuBLAS is loaded in this process, which the library itself does for products inside large matrices. cuBLAS
/// handles then belong to that cuBLAS, and it serves some of their calls.
pub fn in_process() -> bool {
    std::fs::read_to_string("/proc/self/maps").is_ok_and(|maps| maps.contains("/libcublas.so."))
}

/// Creates a handle of the vendor's cuSOLVER on `stream`, on the current device: the one named by
/// `TEPHRA_VENDOR_CUSOLVER`, or the one that the dynamic linker finds under the names of CUDA 13 and 12, opened like
/// cuBLAS.
pub fn cusolver(stream: *mut c_void) -> Result<CusolverHandle> {
    static CUSOLVER: OnceLock<Result<Cusolver>> = OnceLock::new();
    let load = || {
        let places = ["libcusolver.so.12", "/usr/local/cuda/lib64/libcusolver.so.12", "libcusolver.so.11"];
        let (_, object) = open_first("TEPHRA_VENDOR_CUSOLVER", &places.map(PathBuf::from))?;
        Cusolver::load(object)
    };
    CUSOLVER.get_or_init(load).as_ref().map_err(Clone::clone)?.handle(stream)
}
