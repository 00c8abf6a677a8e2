//! The one error type. Each ABI has its own conversion (`src/abi/`): `cublasStatus_t` with host `info`,
//! `magma_int_t` with an xerbla message, `tephra_status`.

use std::fmt;

/// An argument of a batched routine, by meaning; each ABI knows its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arg {
    /// Rows.
    M,
    /// Columns.
    N,
    /// Block size.
    Nb,
    /// Matrices.
    A,
    /// Leading dimension of the matrices.
    Lda,
    /// Stride between matrices of a strided batch.
    StrideA,
    /// Scalar factors of the reflectors.
    Tau,
    /// Stride between the tau vectors of a strided batch.
    StrideTau,
    /// Leading dimension of R (MAGMA's expert form).
    Ldr,
    /// Leading dimension of T (MAGMA's expert form).
    Ldt,
    /// Size of the workspace.
    Lwork,
    /// Number of matrices.
    BatchCount,
}

/// Why a call did not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// An argument is out of range; nothing was launched or written.
    BadArgument(Arg),
    /// The combination is outside the support matrix; nothing was launched or written.
    NotSupported(String),
    /// No usable device, driver or kernel image for the chosen backend.
    NoDevice(String),
    /// Device or host memory could not be allocated.
    OutOfMemory(String),
    /// A driver call or kernel launch failed (the driver's name for it, and where).
    Driver(String),
    /// A defect of ours: a panic caught at the boundary, a plan without its kernel.
    Internal(String),
}

impl From<Arg> for Error {
    fn from(a: Arg) -> Self {
        Error::BadArgument(a)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::BadArgument(a) => write!(f, "argument {a:?} is out of range"),
            Error::NotSupported(s) => write!(f, "not supported: {s}"),
            Error::NoDevice(s) => write!(f, "no usable device: {s}"),
            Error::OutOfMemory(s) => write!(f, "out of memory: {s}"),
            Error::Driver(s) => write!(f, "CUDA driver: {s}"),
            Error::Internal(s) => write!(f, "internal error: {s}"),
        }
    }
}

impl std::error::Error for Error {}
