//! The one error type. Each ABI has its own conversion (`src/abi/`): `cublasStatus_t` with host `info`,
//! `magma_int_t` with an xerbla message, `tephra_status`.

use std::fmt;

/// An argument of a batched routine, by meaning; each ABI knows its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arg {
    /// Side of an operator.
    Side,
    /// Triangle that is read.
    Uplo,
    /// Transposition.
    Trans,
    /// Transposition of A, where B has one of its own.
    TransA,
    /// Transposition of B.
    TransB,
    /// Kind of diagonal.
    Diag,
    /// How much of Q is wanted.
    Part,
    /// Element type of 16 bits.
    Storage,
    /// Rows.
    M,
    /// Columns.
    N,
    /// The most rows of any member.
    MaxM,
    /// The most columns of any member.
    MaxN,
    /// The most terms of any member's product, or the most reflectors.
    MaxK,
    /// The most right-hand sides of any member.
    MaxNrhs,
    /// The most rows of any member that are exchanged.
    MaxK2,
    /// Reflectors, or terms of a product.
    K,
    /// Right-hand sides.
    Nrhs,
    /// Block size.
    Nb,
    /// Whether the host takes part.
    Mode,
    /// Scalar factor.
    Alpha,
    /// Factor of what the result was.
    Beta,
    /// Matrices.
    A,
    /// Leading dimension of A.
    Lda,
    /// Stride between matrices of a strided batch.
    StrideA,
    /// Scalar factors of the reflectors.
    Tau,
    /// Stride between the tau vectors of a strided batch.
    StrideTau,
    /// Right-hand sides, overwritten by solutions.
    B,
    /// Leading dimension of B.
    Ldb,
    /// Stride between the B of a strided batch.
    StrideB,
    /// Matrices that Q or a block reflector is applied to.
    C,
    /// Leading dimension of C.
    Ldc,
    /// Stride between the C of a strided batch.
    StrideC,
    /// Explicit Q.
    Q,
    /// Leading dimension of Q.
    Ldq,
    /// Stride between the Q of a strided batch.
    StrideQ,
    /// Explicit R.
    R,
    /// Leading dimension of R.
    Ldr,
    /// Stride between the R of a strided batch.
    StrideR,
    /// Reflectors' vectors.
    V,
    /// Leading dimension of V.
    Ldv,
    /// Stride between the V of a strided batch.
    StrideV,
    /// Triangular factors of block reflectors.
    T,
    /// Leading dimension of T.
    Ldt,
    /// Stride between the T of a strided batch.
    StrideT,
    /// Elements of a T that is the implementation's own.
    Tsize,
    /// Row interchanges.
    Ipiv,
    /// Stride between the interchanges of a strided batch.
    StrideIpiv,
    /// Columns that come first, then permutations of columns.
    Jpvt,
    /// Stride between those of a strided batch.
    StrideJpvt,
    /// Permutations.
    Perm,
    /// Stride between the permutations of a strided batch.
    StridePerm,
    /// First row that is exchanged.
    K1,
    /// Last row that is exchanged.
    K2,
    /// From one interchange, or element of x, to the next.
    Incx,
    /// Vectors that are read.
    X,
    /// Leading dimension of X.
    Ldx,
    /// Stride between the x of a strided batch.
    StrideX,
    /// Vectors that are written.
    Y,
    /// From one element of y to the next.
    Incy,
    /// Stride between the y of a strided batch.
    StrideY,
    /// First row of a block.
    Row,
    /// First column of a block.
    Column,
    /// When an iteration stops.
    Tolerance,
    /// Most steps of an iteration.
    MaxIterations,
    /// Codes, one per matrix.
    Info,
    /// A place that a helper reads from or writes to.
    Pointer,
    /// Workspace.
    Work,
    /// Size of the workspace.
    Lwork,
    /// Number of matrices.
    BatchCount,
    /// Number of groups of matrices.
    GroupCount,
    /// Number of matrices of a group.
    GroupSize,
}

/// As C calls it.
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
    /// It is NULL, and there is something to read or write.
    Null,
    /// The value is below the least one.
    Below(i64, i64),
    /// The value is not one of 0 to the largest one.
    Outside(i64, i64),
    /// Anything else.
    Range,
}

impl Fault {
    /// The text about an argument that is called so.
    pub fn of(self, name: impl fmt::Display) -> String {
        match self {
            Fault::Null => format!("argument {name} is NULL"),
            Fault::Below(value, least) => format!("argument {name} is {value}: at least {least} is needed"),
            Fault::Outside(value, most) => format!("argument {name} is {value}: 0 to {most} is allowed"),
            Fault::Range => format!("argument {name} is out of range"),
        }
    }
}

/// Why a call did not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// An argument is wrong; nothing was launched or written.
    BadArgument(Arg, Fault),
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
        Error::BadArgument(a, Fault::Range)
    }
}

impl Error {
    /// The argument that is wrong, if one is.
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
            Error::BadArgument(a, fault) => f.write_str(&fault.of(a)),
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
        assert_eq!(text(Arg::Lda, Fault::Below(3, 4)), "argument lda is 3: at least 4 is needed");
        assert_eq!(text(Arg::StrideTau, Fault::Below(-1, 0)), "argument stride_tau is -1: at least 0 is needed");
        assert_eq!(text(Arg::K, Fault::Outside(7, 4)), "argument k is 7: 0 to 4 is allowed");
        assert_eq!(text(Arg::A, Fault::Null), "argument a is NULL");
        assert_eq!(text(Arg::Lwork, Fault::Range), "argument work_bytes is out of range");
        assert_eq!(text(Arg::K1, Fault::Range), "argument k1 is out of range");
    }
}
