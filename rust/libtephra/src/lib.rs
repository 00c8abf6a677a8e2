//! Batched dense linear algebra: thousands of small matrices in one call, on an NVIDIA GPU or on the CPU.
//!
//! A [`Batch`] owns `count` column-major matrices of one size in memory of the backend in use. Routines take batches, check their sizes
//! against each other, and run on the default stream in the order of the calls; [`Batch::to_vec`] waits for them.
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
//! Numerical failures are not errors: a singular or indefinite matrix is told by the element of `info` that belongs to it, as LAPACK
//! does, and changes nothing for its neighbours. What the package lacks is in [`sys`].
#![warn(missing_docs)]

pub use libtephra_sys as sys;

mod batch;
mod error;
mod routines;
mod scalar;

pub use batch::{Batch, Element};
pub use error::Error;
pub use routines::{
    Factored, Side, Trans, Uplo, gels, gemm, geqrf, gesv, getrf, getrs, inv, orgqr, potrf, potrs, trsm,
};
pub use scalar::{C32, C64, Scalar};

/// Where calls run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// Host memory and the host's cores.
    Cpu,
    /// The current CUDA device and its memory.
    Cuda,
}

/// The backend in use: CUDA where a device is usable, unless `TEPHRA_BACKEND` in the environment says otherwise.
pub fn backend() -> Result<Backend, Error> {
    let mut backend = 0;
    // SAFETY: writes to a local.
    error::check(unsafe { sys::tephra_get_backend(&mut backend) })?;
    Ok(if backend == sys::TEPHRA_BACKEND_CUDA { Backend::Cuda } else { Backend::Cpu })
}

/// The library's version, "major.minor.patch".
pub fn version() -> &'static str {
    // SAFETY: a terminated ASCII string that lives as long as the library.
    unsafe { std::ffi::CStr::from_ptr(sys::tephra_version()) }.to_str().unwrap_or("")
}
