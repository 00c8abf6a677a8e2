//! The native entry points of Q, explicit QR, least squares and triangular solves, by pointer arrays.

use super::{Library, by_dtype};
use crate::{Dtype, Result};
use libloading::Library as Object;
use std::ffi::{c_int, c_void};

/// Device array of pointers to the members of a batch.
pub type Array = *const *mut c_void;

/// `tephra_?orgqr_batched`, `tephra_?ungqr_batched`: m, n, k, A, lda, tau, batch_count, stream
pub type Orgqr = unsafe extern "C" fn(i64, i64, i64, Array, i64, Array, i64, *mut c_void) -> c_int;
/// `tephra_?ormqr_batched`, `tephra_?unmqr_batched`: side, trans, m, n, k, A, lda, tau, C, ldc, batch_count, stream
pub type Ormqr =
    unsafe extern "C" fn(c_int, c_int, i64, i64, i64, Array, i64, Array, Array, i64, i64, *mut c_void) -> c_int;
/// `tephra_?qr_batched`: part, m, n, A, lda, Q, ldq, R, ldr, batch_count, work, work_bytes, stream
pub type Qr = unsafe extern "C" fn(
    c_int,
    i64,
    i64,
    Array,
    i64,
    Array,
    i64,
    Array,
    i64,
    i64,
    *mut c_void,
    usize,
    *mut c_void,
) -> c_int;
/// `tephra_?qr_batched_workspace`: part, m, n, lda, ldq, ldr, batch_count, bytes
pub type QrWorkspace = unsafe extern "C" fn(c_int, i64, i64, i64, i64, i64, i64, *mut usize) -> c_int;
/// `tephra_?gels_batched`: trans, m, n, nrhs, A, lda, B, ldb, info, batch_count, work, work_bytes, stream
pub type Gels = unsafe extern "C" fn(
    c_int,
    i64,
    i64,
    i64,
    Array,
    i64,
    Array,
    i64,
    *mut c_int,
    i64,
    *mut c_void,
    usize,
    *mut c_void,
) -> c_int;
/// `tephra_?gels_batched_workspace`: trans, m, n, nrhs, lda, ldb, batch_count, bytes
pub type GelsWorkspace = unsafe extern "C" fn(c_int, i64, i64, i64, i64, i64, i64, *mut usize) -> c_int;
/// `tephra_?trsm_batched`: side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb, batch_count, stream
pub type Trsm = unsafe extern "C" fn(
    c_int,
    c_int,
    c_int,
    c_int,
    i64,
    i64,
    *const c_void,
    Array,
    i64,
    Array,
    i64,
    i64,
    *mut c_void,
) -> c_int;

pub(super) struct Solve {
    orgqr: [Orgqr; 4],
    ormqr: [Ormqr; 4],
    qr: [Qr; 4],
    qr_workspace: [QrWorkspace; 4],
    gels: [Gels; 4],
    gels_workspace: [GelsWorkspace; 4],
    trsm: [Trsm; 4],
}

impl Solve {
    pub(super) fn load(o: &Object) -> Result<Self> {
        // SAFETY: the types are those of include/tephra.h.
        unsafe {
            Ok(Solve {
                orgqr: by_dtype(o, "tephra_?orgqr_batched")?,
                ormqr: by_dtype(o, "tephra_?ormqr_batched")?,
                qr: by_dtype(o, "tephra_?qr_batched")?,
                qr_workspace: by_dtype(o, "tephra_?qr_batched_workspace")?,
                gels: by_dtype(o, "tephra_?gels_batched")?,
                gels_workspace: by_dtype(o, "tephra_?gels_batched_workspace")?,
                trsm: by_dtype(o, "tephra_?trsm_batched")?,
            })
        }
    }
}

impl Library {
    /// Q over its reflectors.
    pub fn orgqr(&self, dtype: Dtype) -> Orgqr {
        self.solve.orgqr[dtype as usize]
    }
    /// Q applied.
    pub fn ormqr(&self, dtype: Dtype) -> Ormqr {
        self.solve.ormqr[dtype as usize]
    }
    /// Explicit Q and R.
    pub fn qr(&self, dtype: Dtype) -> Qr {
        self.solve.qr[dtype as usize]
    }
    /// Least squares.
    pub fn gels(&self, dtype: Dtype) -> Gels {
        self.solve.gels[dtype as usize]
    }
    /// Triangular solves.
    pub fn trsm(&self, dtype: Dtype) -> Trsm {
        self.solve.trsm[dtype as usize]
    }
    /// Workspace of [`Library::qr`] for thin Q, in bytes; `lds`: of A, Q and R.
    pub fn qr_workspace(&self, dtype: Dtype, m: i64, n: i64, lds: [i64; 3], batch: i64) -> Result<usize> {
        let mut bytes = usize::MAX;
        let query = self.solve.qr_workspace[dtype as usize];
        self.status("tephra_qr_batched_workspace", unsafe {
            query(1, m, n, lds[0], lds[1], lds[2], batch, &mut bytes)
        })?;
        Ok(bytes)
    }
    /// Workspace of [`Library::gels`] without transposition, in bytes; `lds`: of A and B.
    pub fn gels_workspace(
        &self,
        dtype: Dtype,
        (m, n, nrhs): (i64, i64, i64),
        lds: [i64; 2],
        batch: i64,
    ) -> Result<usize> {
        let mut bytes = usize::MAX;
        let query = self.solve.gels_workspace[dtype as usize];
        self.status("tephra_gels_batched_workspace", unsafe {
            query(111, m, n, nrhs, lds[0], lds[1], batch, &mut bytes)
        })?;
        Ok(bytes)
    }
}
