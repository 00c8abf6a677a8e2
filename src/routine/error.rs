//! The error type. Each ABI has its own conversion (`src/abi/`): `cublasStatus_t` with host `info`, `magma_int_t` with
//! an xerbla message, `tephra_status`.

use std::fmt;

/// An argument of a batched routine, by meaning. Each ABI knows the position of the argument in its own lists.
/// The sizes are in the order in which every routine has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arg {
    /// Side from which an operator is applied.
    Side,
    /// Triangle that is referenced.
    Uplo,
    /// Transposition.
    Trans,
    /// Transposition of A, where B has one of its own.
    TransA,
    /// Transposition of B.
    TransB,
    /// Whether the diagonal is implicitly ones.
    Diag,
    /// How much of Q is wanted.
    Part,
    /// 16-bit storage type.
    Storage,
    /// Rows.
    M,
    /// Columns.
    N,
    /// Maximum number of rows over the batch.
    MaxM,
    /// Maximum number of columns over the batch.
    MaxN,
    /// Maximum number of terms of a product, or of reflectors, over the batch.
    MaxK,
    /// Maximum number of right-hand sides over the batch.
    MaxNrhs,
    /// Maximum over the batch of the last row that is exchanged.
    MaxK2,
    /// Number of reflectors, or of terms of a product.
    K,
    /// Right-hand sides.
    Nrhs,
    /// Block size.
    Nb,
    /// Whether the factorisation may use the host (MAGMA's mode).
    Mode,
    /// Scalar factor.
    Alpha,
    /// Scalar factor of the output's previous value.
    Beta,
    /// Matrices A.
    A,
    /// Leading dimension of A.
    Lda,
    /// Stride between matrices of a strided batch.
    StrideA,
    /// Scalar factors of the reflectors.
    Tau,
    /// Stride between the tau vectors of a strided batch.
    StrideTau,
    /// Right-hand sides, overwritten by the solutions.
    B,
    /// Leading dimension of B.
    Ldb,
    /// Stride between the matrices B of a strided batch.
    StrideB,
    /// Matrices that Q or a block reflector is applied to.
    C,
    /// Leading dimension of C.
    Ldc,
    /// Stride between the matrices C of a strided batch.
    StrideC,
    /// Explicit Q.
    Q,
    /// Leading dimension of Q.
    Ldq,
    /// Stride between the matrices Q of a strided batch.
    StrideQ,
    /// Explicit R.
    R,
    /// Leading dimension of R.
    Ldr,
    /// Stride between the matrices R of a strided batch.
    StrideR,
    /// Vectors of the reflectors.
    V,
    /// Leading dimension of V.
    Ldv,
    /// Stride between the matrices V of a strided batch.
    StrideV,
    /// Triangular factors of block reflectors.
    T,
    /// Leading dimension of T.
    Ldt,
    /// Stride between the matrices T of a strided batch.
    StrideT,
    /// Number of elements of a T whose layout is private to the implementation.
    Tsize,
    /// Row interchanges.
    Ipiv,
    /// Stride between the interchanges of a strided batch.
    StrideIpiv,
    /// On entry the columns to move to the front, on return the column permutations.
    Jpvt,
    /// Stride between the jpvt vectors of a strided batch.
    StrideJpvt,
    /// Permutations.
    Perm,
    /// Stride between the permutations of a strided batch.
    StridePerm,
    /// First row that is exchanged.
    K1,
    /// Last row that is exchanged.
    K2,
    /// Distance between consecutive interchanges, or elements of x.
    Incx,
    /// Vectors that are read.
    X,
    /// Leading dimension of X.
    Ldx,
    /// Stride between the x vectors of a strided batch.
    StrideX,
    /// Vectors that are written.
    Y,
    /// Distance between consecutive elements of y.
    Incy,
    /// Stride between the y vectors of a strided batch.
    StrideY,
    /// First row of a block.
    Row,
    /// First column of a block.
    Column,
    /// Stopping tolerance of an iteration.
    Tolerance,
    /// Maximum number of iterations.
    MaxIterations,
    /// Status codes, one per matrix.
    Info,
    /// Memory that an auxiliary function reads or writes.
    Pointer,
    /// Workspace.
    Work,
    /// Size of the workspace.
    Lwork,
    /// Number of matrices.
    BatchCount,
    /// Number of groups of matrices.
    GroupCount,
    /// Number of matrices in a group.
    GroupSize,
}

impl Arg {
    /// Whether it is a size of matrices, which is checked before leading dimensions.
    pub fn is_size(self) -> bool {
        matches!(self, Arg::M | Arg::N | Arg::K | Arg::Nrhs | Arg::K2)
    }
}

/// The argument's name in the C prototypes.
impl fmt::Display for Arg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Arg::Lwork {
            return f.write_str("work_bytes");
        }
        for (i, letter) in format!("{self:?}").chars().enumerate() {
            let between = if i > 0 && letter.is_ascii_uppercase() { "_" } else { "" };
            write!(f, "{between}{}", letter.to_ascii_lowercase())?;
        }
        Ok(())
    }
}

/// What is wrong with an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is NULL although there is something to read or write.
    Null,
    /// (value, least): the value is below the smallest valid one.
    Below(i64, i64),
    /// (value, most): the value is not in 0..=most.
    Outside(i64, i64),
    /// Anything else.
    Range,
}

impl Fault {
    /// The message for an argument of this name.
    pub fn message(self, name: impl fmt::Display) -> String {
        match self {
            Fault::Null => format!("argument {name} is NULL"),
            Fault::Below(value, least) => format!("argument {name} is {value}, but must be at least {least}"),
            Fault::Outside(value, most) => format!("argument {name} is {value}, but must be from 0 to {most}"),
            Fault::Range => format!("argument {name} is out of range"),
        }
    }
}

/// Why a call did not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// An argument is wrong. Nothing was launched or written.
    BadArgument(Arg, Fault),
    /// The combination of arguments is not supported. Nothing was launched or written.
    NotSupported(String),
    /// No usable device, driver or kernel image for the chosen backend.
    NoDevice(String),
    /// Device or host memory could not be allocated.
    OutOfMemory(String),
    /// A CUDA driver call or kernel launch failed; holds the driver's name for the error, and where it occurred.
    Driver(String),
    /// A defect of Tephra: a panic caught at the boundary, a plan without its kernel.
    Internal(String),
}

impl From<Arg> for Error {
    fn from(a: Arg) -> Self {
        Error::BadArgument(a, Fault::Range)
    }
}

impl Error {
    /// The wrong argument, for [`Error::BadArgument`].
    pub fn argument(&self) -> Option<Arg> {
        match self {
            Error::BadArgument(arg, _) => Some(*arg),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::BadArgument(a, fault) => f.write_str(&fault.message(a)),
            Error::NotSupported(s) => write!(f, "not supported: {s}"),
            Error::NoDevice(s) => write!(f, "no usable device: {s}"),
            Error::OutOfMemory(s) => write!(f, "out of memory: {s}"),
            Error::Driver(s) => write!(f, "CUDA driver: {s}"),
            Error::Internal(s) => write!(f, "internal error: {s}"),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_named_as_in_c_with_their_bounds() {
        let text = |arg, fault| Error::BadArgument(arg, fault).to_string();
        assert_eq!(text(Arg::Lda, Fault::Below(3, 4)), "argument lda is 3, but must be at least 4");
        assert_eq!(text(Arg::StrideTau, Fault::Below(-1, 0)), "argument stride_tau is -1, but must be at least 0");
        assert_eq!(text(Arg::K, Fault::Outside(7, 4)), "argument k is 7, but must be from 0 to 4");
        assert_eq!(text(Arg::A, Fault::Null), "argument a is NULL");
        assert_eq!(text(Arg::Lwork, Fault::Range), "argument work_bytes is out of range");
        assert_eq!(text(Arg::K1, Fault::Range), "argument k1 is out of range");
    }
}
