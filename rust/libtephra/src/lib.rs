//! Batched dense linear algebra: thousands of small matrices in one call, on an NVIDIA GPU or on the CPU.
//!
//! A [`Batch`] owns `count` column-major matrices of one size, in memory of the backend in use. Routines take batches,
//! check that their sizes match, and run on the default stream in the order of the calls; [`Batch::to_vec`] waits for
//! them.
//!
//! ```
//! use libtephra::{Batch, gesv};
//!
//! // Two systems of order 2, each matrix column by column.
//! let mut a = Batch::from_slice(2, 2, &[2.0, 0.0, 0.0, 4.0, 1.0, 1.0, 0.0, 1.0])?;
//! let mut b = Batch::from_slice(2, 1, &[2.0, 8.0, 3.0, 5.0])?;
//! let solved = gesv(&mut a, &mut b)?;
//! assert_eq!(b.to_vec()?, [1.0, 2.0, 3.0, 2.0]);
//! assert_eq!(solved.info.to_vec()?, [0, 0]);
//! # Ok::<(), libtephra::Error>(())
//! ```
//!
//! Numerical failures are not errors: as in LAPACK, a singular or indefinite matrix is reported by its element of
//! `info`. It does not affect the other members of the batch. Functions without a safe wrapper here are available in
//! [`sys`].
#![warn(missing_docs)]

pub use libtephra_sys as sys;

mod batch;
mod error;
mod routines;
mod scalar;

pub use batch::{Batch, Element};
pub use error::Error;
pub use routines::{
    Factored, Pivots, Side, Trans, Uplo, gels, gemm, geqrf, gesv, getrf, getrs, inv, orgqr, potrf, potrs, trsm,
};
pub use scalar::{C32, C64, Scalar};

/// The backend on which calls run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// The host's cores, on host memory.
    Cpu,
    /// The current CUDA device, on its memory.
    Cuda,
}

/// Returns the backend in use: CUDA if a device is usable, unless the environment variable `TEPHRA_BACKEND` selects
/// one.
pub fn backend() -> Result<Backend, Error> {
    let mut backend = 0;
    // SAFETY: the pointer is to a local variable.
    error::check(unsafe { sys::tephra_get_backend(&mut backend) })?;
    Ok(if backend == sys::TEPHRA_BACKEND_CUDA { Backend::Cuda } else { Backend::Cpu })
}

/// The library's version, "major.minor.patch".
pub fn version() -> &'static str {
    // SAFETY: the function returns a NUL-terminated ASCII string that lives as long as the library.
    unsafe { std::ffi::CStr::from_ptr(sys::tephra_version()) }.to_str().unwrap_or("")
}
