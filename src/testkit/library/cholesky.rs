//! Cholesky's entry points: the library's native ones, and cuSOLVER's of the vendor.

use super::prototypes::{CusolverGeqrf, CusolverGeqrfSize, CusolverPotrf, CusolverPotrs};
use super::{Library, symbol, symbol_name};
use crate::{Dtype, Error, Result};
use libloading::Library as Object;
use std::ffi::{c_int, c_void};

type Array = *const *mut c_void;
type Raw = *mut c_void;
type Codes = *mut c_int;

/// The native routines in one precision. All begin with uplo and n, and end in batch_count, work, work_bytes, stream.
pub struct Cholesky {
    /// `tephra_?potrf_batched`: A, lda, info
    pub potrf: unsafe extern "C" fn(c_int, i64, Array, i64, Codes, i64, Raw, usize, Raw) -> c_int,
    /// `tephra_?potri_batched`: A, lda, info
    pub potri: unsafe extern "C" fn(c_int, i64, Array, i64, Codes, i64, Raw, usize, Raw) -> c_int,
    /// `tephra_?potrs_batched`: nrhs, A, lda, B, ldb
    pub potrs: unsafe extern "C" fn(c_int, i64, i64, Array, i64, Array, i64, i64, Raw, usize, Raw) -> c_int,
    /// `tephra_?posv_batched`: nrhs, A, lda, B, ldb, info
    #[allow(clippy::type_complexity)]
    pub posv: unsafe extern "C" fn(c_int, i64, i64, Array, i64, Array, i64, Codes, i64, Raw, usize, Raw) -> c_int,
}

impl Cholesky {
    /// In the order of [`Dtype::ALL`].
    pub(super) fn load(o: &Object) -> Result<[Cholesky; 4]> {
        let of = |dtype| {
            let name = |routine| symbol_name(&format!("tephra_?{routine}_batched"), dtype);
            // SAFETY: the types are those of include/tephra.h.
            unsafe {
                Ok(Cholesky {
                    potrf: symbol(o, &name("potrf"))?,
                    potri: symbol(o, &name("potri"))?,
                    potrs: symbol(o, &name("potrs"))?,
                    posv: symbol(o, &name("posv"))?,
                })
            }
        };
        let [s, d, c, z] = Dtype::ALL.map(of);
        Ok([s?, d?, c?, z?])
    }
}

impl Library {
    /// Cholesky's native routines.
    pub fn cholesky(&self, dtype: Dtype) -> &Cholesky {
        &self.cholesky[dtype as usize]
    }
}

/// A loaded cuSOLVER.
pub struct Cusolver {
    create: unsafe extern "C" fn(*mut Raw) -> c_int,
    destroy: unsafe extern "C" fn(Raw) -> c_int,
    set_stream: unsafe extern "C" fn(Raw, Raw) -> c_int,
    get_version: Option<unsafe extern "C" fn(*mut c_int) -> c_int>,
    potrf: [CusolverPotrf; 4],
    potrs: [CusolverPotrs; 4],
    geqrf_size: [CusolverGeqrfSize; 4],
    geqrf: [CusolverGeqrf; 4],
}

impl Cusolver {
    pub(crate) fn load(o: &Object) -> Result<Self> {
        // SAFETY: the types are those of cusolverDn.h.
        unsafe {
            Ok(Cusolver {
                create: symbol(o, "cusolverDnCreate")?,
                destroy: symbol(o, "cusolverDnDestroy")?,
                set_stream: symbol(o, "cusolverDnSetStream")?,
                get_version: symbol(o, "cusolverGetVersion").ok(),
                potrf: super::by_dtype(o, "cusolverDn?potrfBatched")?,
                potrs: super::by_dtype(o, "cusolverDn?potrsBatched")?,
                geqrf_size: super::by_dtype(o, "cusolverDn?geqrf_bufferSize")?,
                geqrf: super::by_dtype(o, "cusolverDn?geqrf")?,
            })
        }
    }

    /// A handle on `stream`.
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

/// A `cusolverDnHandle_t`, destroyed with its value.
pub struct CusolverHandle {
    raw: Raw,
    table: &'static Cusolver,
}

/// A batch as cuSOLVER has it: `cublasFillMode_t`, order, matrices, leading dimension, codes, matrices.
#[derive(Clone, Copy)]
#[allow(missing_docs)] // the names say it
pub struct CusolverBatch {
    pub dtype: Dtype,
    pub uplo: c_int,
    pub n: c_int,
    pub a: Array,
    pub lda: c_int,
    pub codes: Codes,
    pub batch: c_int,
}

impl CusolverHandle {
    /// `cusolverDn?potrfBatched`: the status.
    ///
    /// # Safety
    /// The operands have the sizes that are said.
    pub unsafe fn potrf(&self, p: &CusolverBatch) -> c_int {
        unsafe { self.table.potrf[p.dtype as usize](self.raw, p.uplo, p.n, p.a, p.lda, p.codes, p.batch) }
    }

    /// `cusolverDn?potrsBatched` of one right-hand side, which is all that it takes: the status.
    ///
    /// # Safety
    /// As [`CusolverHandle::potrf`].
    pub unsafe fn potrs(&self, p: &CusolverBatch, b: Array, ldb: c_int) -> c_int {
        let potrs = self.table.potrs[p.dtype as usize];
        unsafe { potrs(self.raw, p.uplo, p.n, 1, p.a, p.lda, b, ldb, p.codes, p.batch) }
    }

    /// `cusolverDn?geqrf_bufferSize` for m x n: the elements of the buffer, or the status.
    pub fn geqrf_size(&self, dtype: Dtype, [m, n, lda]: [c_int; 3]) -> std::result::Result<c_int, c_int> {
        let mut size = 0;
        // SAFETY: the matrix is not looked at.
        match unsafe { self.table.geqrf_size[dtype as usize](self.raw, m, n, std::ptr::null_mut(), lda, &mut size) } {
            0 => Ok(size),
            code => Err(code),
        }
    }

    /// `cusolverDn?geqrf` of one matrix: the status. `work`: the buffer and its elements.
    ///
    /// # Safety
    /// The operands have the sizes that are said.
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

    /// Its library's version number.
    pub fn version(&self) -> Option<i32> {
        let mut version = 0;
        // SAFETY: a place for it.
        (unsafe { self.table.get_version?(&mut version) } == 0).then_some(version)
    }
}

impl Drop for CusolverHandle {
    fn drop(&mut self) {
        // SAFETY: created by `handle`, destroyed once.
        unsafe { (self.table.destroy)(self.raw) };
    }
}
