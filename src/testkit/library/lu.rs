//! LU's entry points: the library's native ones, and cuBLAS's of the vendor.

use super::prototypes::{CublasGetrf, CublasGetri, CublasGetrs, CublasMatinv};
use super::{Library, symbol, symbol_name};
use crate::{Dtype, Result};
use libloading::Library as Object;
use std::ffi::{c_int, c_void};

type Array = *const *mut c_void;
type Raw = *mut c_void;
type Codes = *mut c_int;

/// The native routines in one precision. All end in batch_count, work, work_bytes, stream.
pub struct Lu {
    /// `tephra_?getrf_batched`: m, n, A, lda, ipiv, info
    pub getrf: unsafe extern "C" fn(i64, i64, Array, i64, Array, Codes, i64, Raw, usize, Raw) -> c_int,
    /// `tephra_?getrf_nopiv_batched`: m, n, A, lda, info
    pub getrf_nopiv: unsafe extern "C" fn(i64, i64, Array, i64, Codes, i64, Raw, usize, Raw) -> c_int,
    /// `tephra_?getrs_batched`: trans, n, nrhs, A, lda, ipiv, B, ldb
    #[allow(clippy::type_complexity)]
    pub getrs: unsafe extern "C" fn(c_int, i64, i64, Array, i64, Array, Array, i64, i64, Raw, usize, Raw) -> c_int,
    /// `tephra_?gesv_batched`: n, nrhs, A, lda, ipiv, B, ldb, info
    pub gesv: unsafe extern "C" fn(i64, i64, Array, i64, Array, Array, i64, Codes, i64, Raw, usize, Raw) -> c_int,
    /// `tephra_?getri_batched`: n, A, lda, ipiv, C, ldc, info
    pub getri: unsafe extern "C" fn(i64, Array, i64, Array, Array, i64, Codes, i64, Raw, usize, Raw) -> c_int,
    /// `tephra_?inv_batched`: n, A, lda, C, ldc, info
    pub inv: unsafe extern "C" fn(i64, Array, i64, Array, i64, Codes, i64, Raw, usize, Raw) -> c_int,
}

impl Lu {
    /// In the order of [`Dtype::ALL`].
    pub(super) fn load(o: &Object) -> Result<[Lu; 4]> {
        let of = |dtype| {
            let name = |routine| symbol_name(&format!("tephra_?{routine}_batched"), dtype);
            // SAFETY: the types are those of include/tephra.h.
            unsafe {
                Ok(Lu {
                    getrf: symbol(o, &name("getrf"))?,
                    getrf_nopiv: symbol(o, &name("getrf_nopiv"))?,
                    getrs: symbol(o, &name("getrs"))?,
                    gesv: symbol(o, &name("gesv"))?,
                    getri: symbol(o, &name("getri"))?,
                    inv: symbol(o, &name("inv"))?,
                })
            }
        };
        let [s, d, c, z] = Dtype::ALL.map(of);
        Ok([s?, d?, c?, z?])
    }
}

impl Library {
    /// LU's native routines.
    pub fn lu(&self, dtype: Dtype) -> &Lu {
        &self.lu[dtype as usize]
    }
}

/// cuBLAS's routines in one precision, of square matrices. The interchanges of all matrices are one array, n ints each.
pub struct CublasLu {
    /// Codes are on the device; NULL for the interchanges: none.
    pub getrf: CublasGetrf,
    /// The code is on the host.
    pub getrs: CublasGetrs,
    /// Codes are on the device.
    pub getri: CublasGetri,
    /// n <= 32; codes are on the device.
    pub matinv: CublasMatinv,
}

impl CublasLu {
    /// In the order of [`Dtype::ALL`].
    pub(crate) fn load(o: &Object) -> Result<[CublasLu; 4]> {
        let of = |dtype| {
            let name = |routine| symbol_name(&format!("cublas?{routine}Batched"), dtype);
            // SAFETY: the types are those of cublas_v2.h.
            unsafe {
                Ok(CublasLu {
                    getrf: symbol(o, &name("getrf"))?,
                    getrs: symbol(o, &name("getrs"))?,
                    getri: symbol(o, &name("getri"))?,
                    matinv: symbol(o, &name("matinv"))?,
                })
            }
        };
        let [s, d, c, z] = Dtype::ALL.map(of);
        Ok([s?, d?, c?, z?])
    }
}
