//! The entry points of NVIDIA's cuSOLVER.

use super::prototypes::{CusolverGeqrf, CusolverGeqrfSize};
use super::symbol;
use crate::{Dtype, Error, Result};
use libloading::Library as Object;
use std::ffi::{c_int, c_void};

type Raw = *mut c_void;
type Codes = *mut c_int;

/// A loaded cuSOLVER.
pub struct Cusolver {
    create: unsafe extern "C" fn(*mut Raw) -> c_int,
    destroy: unsafe extern "C" fn(Raw) -> c_int,
    set_stream: unsafe extern "C" fn(Raw, Raw) -> c_int,
    get_version: Option<unsafe extern "C" fn(*mut c_int) -> c_int>,
    geqrf_size: [CusolverGeqrfSize; 4],
    geqrf: [CusolverGeqrf; 4],
    /// The function table points into the object, which stays loaded.
    object: Object,
}

impl Cusolver {
    pub(crate) fn load(object: Object) -> Result<Self> {
        let o = &object;
        // SAFETY: the types match cusolverDn.h.
        unsafe {
            Ok(Cusolver {
                create: symbol(o, "cusolverDnCreate")?,
                destroy: symbol(o, "cusolverDnDestroy")?,
                set_stream: symbol(o, "cusolverDnSetStream")?,
                get_version: symbol(o, "cusolverGetVersion").ok(),
                geqrf_size: super::by_dtype(o, "cusolverDn?geqrf_bufferSize")?,
                geqrf: super::by_dtype(o, "cusolverDn?geqrf")?,
                object,
            })
        }
    }

    /// Creates a handle on `stream`.
    pub(crate) fn handle(&'static self, stream: Raw) -> Result<CusolverHandle> {
        let mut raw = std::ptr::null_mut();
        match unsafe { (self.create)(&mut raw) } {
            0 => {}
            code => return Err(Error::status("cusolverDnCreate", code)),
        }
        let handle = CusolverHandle { raw, table: self };
        match unsafe { (self.set_stream)(raw, stream) } {
            0 => Ok(handle),
            code => Err(Error::status("cusolverDnSetStream", code)),
        }
    }
}

/// A `cusolverDnHandle_t`, destroyed on drop.
pub struct CusolverHandle {
    raw: Raw,
    table: &'static Cusolver,
}

impl CusolverHandle {
    /// The raw handle.
    pub fn raw(&self) -> Raw {
        self.raw
    }

    /// The cuSOLVER that created the handle.
    pub(crate) fn object(&self) -> &'static Object {
        &self.table.object
    }

    /// `cusolverDn?geqrf_bufferSize` for an m x n matrix: the elements of the buffer, or the error status.
    pub fn geqrf_size(&self, dtype: Dtype, [m, n, lda]: [c_int; 3]) -> std::result::Result<c_int, c_int> {
        let mut size = 0;
        // SAFETY: the query does not read the matrix.
        match unsafe { self.table.geqrf_size[dtype as usize](self.raw, m, n, std::ptr::null_mut(), lda, &mut size) } {
            0 => Ok(size),
            code => Err(code),
        }
    }

    /// `cusolverDn?geqrf` on one matrix; returns the status. `work` is the buffer and its number of elements.
    ///
    /// # Safety
    /// The operands must have the given sizes.
    pub unsafe fn geqrf(
        &self,
        dtype: Dtype,
        [m, n, lda]: [c_int; 3],
        [a, tau]: [Raw; 2],
        work: (Raw, c_int),
        code: Codes,
    ) -> c_int {
        unsafe { self.table.geqrf[dtype as usize](self.raw, m, n, a, lda, tau, work.0, work.1, code) }
    }

    /// The version number of the library.
    pub fn version(&self) -> Option<i32> {
        let mut version = 0;
        // SAFETY: the argument points to an integer.
        (unsafe { self.table.get_version?(&mut version) } == 0).then_some(version)
    }
}

impl Drop for CusolverHandle {
    fn drop(&mut self) {
        // SAFETY: `Cusolver::handle` created it, and it is destroyed only here.
        unsafe { (self.table.destroy)(self.raw) };
    }
}
