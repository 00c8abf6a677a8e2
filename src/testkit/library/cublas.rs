//! The cuBLAS-compatible entry points that QR needs.

use super::prototypes::CublasGeqrf;
use super::{Library, by_dtype, symbol};
use crate::{Dtype, Error, Result};
use libloading::Library as Object;
use std::ffi::{c_int, c_void};

/// The functions of one shared object: ours or the vendor's.
pub(crate) struct Cublas {
    create: unsafe extern "C" fn(*mut *mut c_void) -> c_int,
    destroy: unsafe extern "C" fn(*mut c_void) -> c_int,
    set_stream: unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int,
    geqrf: [CublasGeqrf; 4],
}

impl Cublas {
    pub(crate) fn load(o: &Object) -> Result<Self> {
        // SAFETY: the types match cublas_v2.h.
        unsafe {
            Ok(Cublas {
                create: symbol(o, "cublasCreate_v2")?,
                destroy: symbol(o, "cublasDestroy_v2")?,
                set_stream: symbol(o, "cublasSetStream_v2")?,
                geqrf: by_dtype(o, "cublas?geqrfBatched")?,
            })
        }
    }

    /// Creates a handle of this object on `stream`.
    pub(crate) fn handle(&'static self, stream: *mut c_void) -> Result<CublasHandle> {
        let mut raw = std::ptr::null_mut();
        match unsafe { (self.create)(&mut raw) } {
            0 => {}
            code => return Err(Error::status("cublasCreate_v2", code)),
        }
        let handle = CublasHandle { raw, table: self };
        match unsafe { (self.set_stream)(raw, stream) } {
            0 => Ok(handle),
            code => Err(Error::status("cublasSetStream_v2", code)),
        }
    }
}

/// A `cublasHandle_t`, destroyed on drop.
pub struct CublasHandle {
    raw: *mut c_void,
    table: &'static Cublas,
}

impl CublasHandle {
    /// The raw handle.
    pub fn raw(&self) -> *mut c_void {
        self.raw
    }

    /// `cublas?geqrfBatched` of the object that created the handle.
    pub fn geqrf(&self, dtype: Dtype) -> CublasGeqrf {
        self.table.geqrf[dtype as usize]
    }
}

impl Drop for CublasHandle {
    fn drop(&mut self) {
        // SAFETY: `Cublas::handle` created it, and it is destroyed only here.
        unsafe { (self.table.destroy)(self.raw) };
    }
}

impl Library {
    /// Creates a cuBLAS handle of the library on `stream`.
    pub fn cublas_handle(&'static self, stream: *mut c_void) -> Result<CublasHandle> {
        self.cublas.handle(stream)
    }

    /// `cublas?geqrfBatched` of the library.
    pub fn cublas_geqrf(&self, dtype: Dtype) -> CublasGeqrf {
        self.cublas.geqrf[dtype as usize]
    }
}
