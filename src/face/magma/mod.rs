//! The MAGMA ABI (LP64): `magma_int_t` and xerbla, queues, memory and copies, and the entry points of the routines.
//!
//! Statements about MAGMA refer to the public source of version 2.10. Where it differs from its documentation, the
//! comments say which of the two is followed.

pub mod assign;
pub mod blas;
pub mod block;
pub mod copy;
pub mod gels;
pub mod gemm;
pub mod gemv;
pub mod geqrf;
pub mod gesv;
pub mod getrf;
pub mod getri;
pub mod getrs;
pub mod host;
pub mod int;
pub mod laswp;
pub mod names;
pub mod one_matrix;
pub mod pointers;
pub mod potrf;
pub mod q;
pub mod queue;
pub mod system;
pub mod trsm;
pub mod vbatched;

pub use int::MagmaInt;
pub use queue::{Queue, RawQueue};

/// An array of pointers to matrices or vectors of one type.
pub type Pointers = *mut *mut std::ffi::c_void;
